# SPDX-License-Identifier: Apache-2.0
"""Fitted LogGP parameters are physical: none is negative, none is given that is not determined, and one line says what may be
relied on. Nothing that is printed contradicts itself."""
import contextlib
import copy
import json
import math
import os
import re

import pytest
from netbench import close_to, equal, launched_by, mpirun, need, ok, run, write_result

pytestmark = pytest.mark.usefixtures("inside")
TIMES = ["L", "o_s", "o_r", "g"]
SLOPES = ["G", "G_latency", "O_s", "O_r"]
KEYS = [(n, "s") for n in TIMES] + [(n, "s_per_B") for n in SLOPES]
RATES = [("r_inf", "Bps"), ("n_half_stream", "B"), ("r_inf_latency", "Bps"), ("n_half_latency", "B")]
SIM = ["model", "--measure", "-b", "sim", "--rounds", 2]


def relied_on(done):
    """What stands in the line that says it."""
    lines = [x for x in done.whole.splitlines() if x.startswith("reliable: ")]
    return lines[0].removeprefix("reliable: ") if len(lines) == 1 else f"{len(lines)} lines say it"


def faults_of(s):
    """What of a segment is unphysical, or contradicts itself."""
    found = []
    for name, unit in KEYS + RATES:
        v, lo, hi = (s[f"{name}{which}_{unit}"] for which in ("", "_lo", "_hi"))
        if any(x is not None and x < 0 for x in (v, lo, hi)):
            found.append(f"{name} is negative: {v} [{lo}, {hi}]")
        if v is not None and None not in (lo, hi) and not lo <= v <= hi:
            found.append(f"{name} is outside of its interval: {v} [{lo}, {hi}]")
        if v is not None and None not in (lo, hi) and hi - lo > v + 1e-15:
            found.append(f"{name} is less than its interval is wide: {v} [{lo}, {hi}]")
        if not s["described"] and (name, unit) in KEYS and (v, lo, hi) != (None, None, None):
            found.append(f"{name} is given where LogGP describes nothing")
    return found


def faults(doc, text):
    segments, p = doc["summary"]["segments"], doc["summary"]["loggp"]
    found = [f"segment {i + 1}: {x}" for i, s in enumerate(segments) for x in faults_of(s)]
    found += [f"negative: {x}" for x in re.findall(r"(?:[a-zA-Z_]+|\[|to) -\d[\d.e-]* [a-z]?(?:s|B)\b.*", text)]
    found += [f"{k} of loggp is negative: {v}" for k, v in p.items() if isinstance(v, float) and v < 0]
    says, all_of = doc["summary"]["trusted"], all(s["described"] for s in segments)
    if all_of != (not re.search("LogGP does not describe|LogGP describes only", says)):
        found.append(f"the first line does not agree with the segments: {says}")
    if says not in text:
        found.append(f"not in the text: {says}")
    return found


def fitted(doc):
    """A result whose samples were changed, fitted again: how that ended, what it says, and what is in the file."""
    write_result(".", "changed.json", doc)
    done = run("model", "--fit", "changed.json", "-o", "fitted.json")
    assert done.rc == 0, done
    with open("fitted.json", encoding="utf-8") as f:
        return done, json.load(f)


@pytest.fixture(scope="module")
def simulated():
    """A result with samples: L = 1 us, o = 200 ns, g = 300 ns, G = 0.1 ns/B."""
    done = run("model", "--measure", "-b", "sim", "--rounds", 3, "-f", "json")
    assert done.rc == 0, done
    return json.loads(done.out)


@pytest.fixture(scope="module")
def of_six_rounds():
    """The same, of rounds enough for intervals."""
    done = run("model", "--measure", "-b", "sim", "--rounds", 6, "-f", "json")
    assert done.rc == 0, done
    return json.loads(done.out)


# ---- simulated networks ----

@pytest.mark.parametrize("network, says", [
    ("L=1us,o=200ns,g=300ns,G=0.1ns", r"a half round trip of n bytes takes 1\.400 us \+ 100\.0 ps/B up to 1 MiB \(.*\)"),
    ("L=0,o=200ns,g=300ns,G=1ns", r"a half round trip of n bytes takes 399\.0 ns \+ 1\.000 ns/B up to 1 MiB \(.*\)"),
    ("L=1us,o=200ns,g=300ns,G=0", r"a half round trip of n bytes takes 1\.400 us up to 1 MiB \(.*\)"),
    ("L=500ns,o_s=800ns,o_r=400ns,g=10ns,G=0.01ns",
     r"a half round trip of n bytes takes 1\.700 us \+ 10\.00 ps/B up to \d+ B, 1\.700 us \+ 10\.00 ps/B up to 1 MiB \(.*\)"),
], ids=["usual", "no L", "no G", "the processor's interval"])
def test_what_may_be_relied_on_of_a_simulated_network(network, says):
    done = run(*SIM, "--sim", network, "-o", "sim.json")
    doc = json.load(open("sim.json", encoding="utf-8"))
    ok(done.rc == 0 and re.fullmatch(says, relied_on(done)), "what may be relied on", relied_on(done))
    equal(faults(doc, done.whole), [], "physical")


def test_a_parameter_that_is_0_is_determined():
    done = run(*SIM, "--sim", "L=0,o=200ns,g=300ns,G=0", "-f", "json")
    p = json.loads(done.out)["summary"]["loggp"] if done.rc == 0 else {}
    ok(all(isinstance(p.get(k), float) and 0 <= p[k] < 1e-15 for k in ("L_s", "G_s_per_B")), "0, as simulated", (p, done))
    ok(close_to(p.get("o_s_s"), 200e-9, 1e-6), "and the others", p)


def test_where_the_interval_is_the_processors_G_is_bounded_by_what_it_could_be():
    """With g = 0 the last size's interval would be all G's."""
    done = run(*SIM, "--sim", "L=500ns,o_s=800ns,o_r=400ns,g=10ns,G=0.01ns", "-f", "json")
    first = json.loads(done.out)["summary"]["segments"][0]
    text = run(*SIM, "--sim", "L=500ns,o_s=800ns,o_r=400ns,g=10ns,G=0.01ns").whole
    bound = float((re.search(r"g <= 800\.0 ns, G <= ([\d.]+) ps/B", text) or [0, "0"])[1])
    ok(first["censored"] and 10 <= bound < 12, "G is at most what it is, and little more", text[-900:])


# ---- what a network like shared memory gives ----

def change(doc, column, factor):
    """Each value by what a function of its size says, and rounds that are not quite alike."""
    new = copy.deepcopy(doc)
    for row in new["rows"]:
        values = row["samples"][column]
        row["samples"][column] = [y * factor(row["size_B"]) * (1 + 0.004 * (r - (len(values) - 1) / 2)) for r, y in enumerate(values)]
    return new


def test_half_a_round_trip_that_is_less_than_its_overheads(simulated):
    """As where a message that has just come is in the cache. Lines alone would make L negative."""
    done, doc = fitted(change(simulated, "receive_s", lambda size: 7.5))    # of 200 ns
    s = doc["summary"]["segments"]
    equal(faults(doc, done.whole), [], "physical")
    ok(len(s) == 1 and not s[0]["described"], "one segment, which LogGP does not describe", s)
    ok("half a round trip is less than a send and a receive" in done.whole, "why", done)
    ok("half round trip 1.400 us + 100.0 ps/B" in done.whole, "what is known nevertheless", done)
    equal(relied_on(done), "a half round trip of n bytes takes 1.400 us + 100.0 ps/B up to 1 MiB (median error 0.0 %, largest "
          "0.0 %); LogGP does not describe this network", "what may be relied on")
    equal([doc["summary"]["loggp"][k] for k in ("L_s", "o_s_s", "o_r_s", "g_s", "G_s_per_B")], [None] * 5, "no parameters")
    like = run("latency", "-b", "sim", "--like", "fitted.json")
    ok(like.rc == 2 and "parameter 'L_s' is not determined there" in like.err, "none that is used", like)


def test_beyond_some_size_nothing_is_described(simulated):
    """Each size is a law of its own there, as where messages meet buffers and caches."""
    done, doc = fitted(change(simulated, "half_rtt_epoch_s", lambda size: 1 + (math.sin(size) if size > 8192 else 0)))
    s = doc["summary"]["segments"]
    equal(faults(doc, done.whole), [], "physical")
    ok(s[0]["described"] and close_to(s[0]["L_s"], 1e-6, 0.02) and not s[-1]["described"], "the first, but not the last", s)
    ok(re.fullmatch(r"a half round trip of n bytes takes 1\.400 us \+ 100\.0 ps/B up to \d+ \w+; beyond that LogGP does not "
                    r"describe this network \(.*\)", relied_on(done)), "what may be relied on", relied_on(done))


def test_a_latency_below_zero_is_told_not_to_be_determined(of_six_rounds):
    """By less than errors explain: LogGP describes it, and L is at most small, but not determined."""
    slower = change(of_six_rounds, "gap_s", lambda size: 1 + 1e-6 / (0.3e-6 + 0.1e-9 * size))
    done, doc = fitted(change(slower, "receive_s", lambda size: 6.02))
    s = doc["summary"]["segments"][0]
    equal(faults(doc, done.whole), [], "physical")
    ok(s["described"] and s["L_s"] is None and s["L_lo_s"] == 0 and s["L_hi_s"] < 20e-9, "L", s)
    ok("L not determined (at most " in done.whole, "is said not to be determined", done)


def test_noise_that_is_more_than_the_values(simulated):
    """Rounds that have nothing to do with one another."""
    doc = copy.deepcopy(simulated)
    for i, row in enumerate(doc["rows"]):
        for k, name in enumerate(("half_rtt_epoch_s", "gap_s", "send_s", "receive_s", "send_delayed_s")):
            row["samples"][name] = [y * (0.2 + (i * 7 + k * 3 + r * 5) % 11) for r, y in enumerate(row["samples"][name])]
    done, doc = fitted(doc)
    equal(faults(doc, done.whole), [], "physical")
    ok("not determined" in done.whole or "does not describe" in done.out, "little is known", done)


# ---- by the clock ----

def on_one_cpu():
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])


@pytest.mark.slow
@pytest.mark.parametrize("backend, start", [("shm", None), ("tcp", None), ("mpi", None), ("shm", on_one_cpu)],
                         ids=["shm", "tcp", "mpi", "more ranks than CPUs"])
def test_nothing_unphysical_is_fitted_by_the_clock(backend, start):
    need(backend)
    sizes = "1,4,16,64,256,1k,4k,16k,64k"
    with launched_by(mpirun) if backend == "mpi" else contextlib.nullcontext():
        done = run("model", "--measure", "-b", backend, "-n", 2, "--rounds", 3, "--repetitions", 3, "--sizes", sizes,
                   "-o", "real.json", preexec_fn=start, timeout=120)
    assert done.rc == 0, done
    equal(faults(json.load(open("real.json", encoding="utf-8")), done.whole), [], "physical")


def test_nothing_unphysical_is_fitted_over_ranks_that_join(job):
    """A rank that joins says no more than that."""
    job.listen("model", "--measure", "-n", 2, "--sizes", "1,16,256,1k", "--rounds", 2, "--repetitions", 1, "-o", "joined.json")
    job.join("model", "--rank", 1)
    ends = job.end(60)
    assert [e.rc for e in ends] == [0, 0], ends
    with open("joined.json", encoding="utf-8") as f:
        equal(faults(json.load(f), ends[0].whole), [], "physical")
