# SPDX-License-Identifier: Apache-2.0
"""LogGP parameters measured and fitted, in virtual time where they are known and for real; predictions by them; and b_eff by
HLRS's rule."""
import json
import math
import os
import re
import statistics

import pytest
from netbench import SLOW, close_to, equal, named, of_point, ok, run, words, write_result

NETWORKS = [(1000, 200, 200, 300, 0.1), (2000, 100, 300, 1000, 1), (500, 800, 400, 10, 0.01), (5000, 50, 70, 60, 0.2)]
FIT_SIZES = "1,4,16,64,256,1k,4k,16k,64k"

pytestmark = pytest.mark.usefixtures("inside")


def text(p):
    L, o_s, o_r, g, G = p
    return f"L={L},o_s={o_s},o_r={o_r},g={g},G={G}"


def load(name):
    with open(name, encoding="utf-8") as f:
        return json.load(f)


def measured(name, *args):
    """(Done, the result), which is in a file of this name; an empty result if it failed."""
    done = run("model", "--measure", *args, "-o", name)
    return done, load(name) if done.rc == 0 and os.path.exists(name) else {}


# ---- simulated networks ----

@pytest.mark.parametrize("p", NETWORKS, ids=text)
def test_fit_finds_the_parameters_of_a_simulated_network(p):
    """Where g is less than an overhead, messages follow each other as fast as the processors go, up to the length at which
    g + (k-1) G is more: that is a switch like that of a protocol."""
    L, o_s, o_r, g, G = (x * 1e-9 for x in p)
    name, cpu = f"fit, {text(p)}", max(o_s, o_r)
    done, doc = measured("sim.json", "-b", "sim", "--sim", text(p), "--rounds", 2)
    segments = doc.get("summary", {}).get("segments", [])
    if not ok(done.rc == 0 and len(segments) == (2 if g < cpu else 1), f"{name}: segments", done):
        return
    for s in segments:
        for key, want in (("L_s", L), ("o_s_s", o_s), ("o_r_s", o_r), ("G_latency_s_per_B", G)):
            ok(s[key] is None or close_to(s[key], want, 0.02), f"{name}: {key}", f"{s[key]}, not {want}")
        ok(close_to(s["o_s_delayed_s"], o_s, 1e-6), f"{name}: o_s by delayed messages", s["o_s_delayed_s"])
    ok(not any("delayed" in w for w in doc["warnings"]), f"{name}: both experiments agree", doc["warnings"])
    ok(close_to(segments[-1]["g_s"], g, 0.02) and close_to(segments[-1]["G_s_per_B"], G, 0.02) and
       not segments[-1]["censored"], f"{name}: g and G", segments[-1])
    last, rate = segments[-1], 1 / G
    ok(close_to(last["r_inf_Bps"], rate, 0.02) and close_to(last["r_inf_latency_Bps"], rate, 0.02) and
       last["r_inf_lo_Bps"] <= last["r_inf_Bps"] <= last["r_inf_hi_Bps"], f"{name}: r_inf", last)
    ok(close_to(last["n_half_stream_B"], (g - G) / G, 0.02) and
       close_to(last["n_half_latency_B"], (L + o_s + o_r - G) / G, 0.02), f"{name}: n_1/2", last)
    said = re.findall(r"n_half_latency ([\d.]+) (k?)B", done.out)
    ok(said and close_to(float(said[-1][0]) * (1000 if said[-1][1] else 1), last["n_half_latency_B"], 1e-3) and
       "r_inf " in done.out, f"{name}: for people, too", done.out[-900:])
    if g < cpu:
        ok(segments[0]["r_inf_Bps"] is None and segments[0]["n_half_stream_B"] is None,
           f"{name}: no rate where the interval does not grow", segments[0])
        switch = 1 + (cpu - g) / G
        ok(segments[0]["censored"] and close_to(segments[0]["g_s"], cpu, 0.02), f"{name}: g is censored", segments[0])
        ok(close_to(segments[0]["upto_B"], switch, 0.1), f"{name}: switch", f"{segments[0]['upto_B']}, not {switch}")
    ok(doc["summary"]["held_out"]["sizes"] == 19 and doc["summary"]["held_out"]["error_p50"] < 1e-6,
       f"{name}: sizes held out", doc["summary"]["held_out"])
    same_again(doc, "sim.json", name)


def same_again(doc, path, name):
    """A fit from the file comes to the same, and so do those who take its parameters."""
    done = run("model", "--fit", path, "-o", "again.json")
    if ok(done.rc == 0, f"{name}: --fit", done):
        ok(done.seconds < 2 * SLOW, f"{name}: --fit, in less than two seconds", done)
        twice, first = load("again.json")["summary"], doc["summary"]
        ok(len(twice["segments"]) == len(first["segments"]) and
           all(a["L_s"] is None or b["L_s"] is None or close_to(a["L_s"], b["L_s"], 1e-9)
               for a, b in zip(twice["segments"], first["segments"])), f"{name}: --fit, the same", (twice, first))
    like = run("atlas-1.1", "-b", "sim", "--like", path, "--sizes", "0", "-f", "json")
    if doc["summary"]["loggp"]["G_s_per_B"] is None:
        ok(like.rc == 2 and "parameter 'G_s_per_B' is not determined there" in like.err, f"{name}: --like, without G", like)
    elif ok(like.rc == 0, f"{name}: --like", like):
        p = doc["summary"]["loggp"]
        ok(close_to(json.loads(like.out)["rows"][0]["message_s"], p["L_s"] + p["o_s_s"] + p["o_r_s"], 1e-6),
           f"{name}: --like, the time of a message", like)


def test_more_ranks_measure_between_the_first_two():
    args = ["model", "--measure", "-b", "sim", "--rounds", 2, "--sizes", "1,64,1k,4k", "-f", "json"]
    rows = []
    for n in (2, 5):
        done = run(*args, "-n", n)
        rows.append(list(map(of_point, json.loads(done.out)["rows"])) if done.rc == 0 else done)
    ok(rows[0] == rows[1], "two ranks of five measure what two do", rows)


def test_board_of_backend_sim_is_not_that_of_model():
    plan = run("model", "--measure", "-b", "sim", "--board", "520n", "--rounds", 2, "--dry-run")
    ok(plan.rc == 0 and "burst" in plan.out, "--board of backend sim is not that of model", plan)


def test_the_plan_of_model_measure_names_its_repetitions_and_bursts():
    plan = run("model", "--measure", "-b", "shm", "-n", 2, "--rounds", 2, "--sizes", "1,2,4,8", "--dry-run")
    ok("5 repetitions each" in plan.out and plan.out.count("burst") == 12, "the plan", plan)


# ---- by the clock ----

@pytest.mark.slow
@pytest.mark.parametrize("backend", ("shm", "tcp"))
def test_measured_by_the_clock(backend):
    done, doc = measured("real.json", "-b", backend, "--rounds", 3, "--repetitions", 2, "--sizes", FIT_SIZES)
    if not ok(done.rc == 0 and doc["status"] == "complete", f"{backend}: measured", done):
        return
    rows = doc["rows"]
    ok(all(r["half_rtt_epoch_s"] > 0 and r["gap_s"] > 0 and r["send_s"] > 0 and r["receive_s"] > 0 for r in rows),
       f"{backend}: all series are there", rows)
    ok(all(len(r["samples"]["half_rtt_epoch_s"]) == 3 for r in rows), f"{backend}: a sample a round", rows[0])
    # the difference of two times; empty where noise has made it negative
    ok(all((isinstance(r["send_delayed_s"], float) or statistics.median(r["samples"]["send_delayed_s"]) < 0) and
           len(r["samples"]["send_delayed_s"]) == 3 for r in rows) and
       all("o_s_delayed_s" in s for s in doc["summary"]["segments"]), f"{backend}: delayed messages", rows)
    sizes = [r["size_B"] for r in rows]
    equal(sizes, sorted(sizes), f"{backend}: sizes rise")
    ok(doc["summary"]["segments"][-1]["upto_B"] is None, f"{backend}: the last segment has no end", doc["summary"])
    done = run("model", "--fit", "real.json", "-f", "json")
    ok(done.rc == 0 and json.loads(done.out)["summary"]["segments"], f"{backend}: --fit", done)


def ended_early(limit, *args):
    """The result, which has rows."""
    done = run(*args, "-b", "shm", "--time-limit", f"{limit}s", "-q", "-o", "early.json")
    doc = load("early.json") if os.path.exists("early.json") else {}
    ok(done.rc == 0 and doc.get("status") == "incomplete" and doc["rows"], "ended early, and rows are there", done)
    return doc


@pytest.mark.slow
def test_a_measurement_that_ends_early_keeps_whole_rounds():
    doc = ended_early(3 * SLOW, "model", "--measure", "--sizes", "1,8,64,512", "--rounds", 1000)
    ok(doc["summary"]["segments"] and len(doc["rows"][0]["samples"]["gap_s"]) >= 2, "of the rounds that are whole",
       doc.get("summary"))


@pytest.mark.slow
def test_hlrs_that_ends_early_keeps_its_rows():
    ended_early(3, "beff", "--rule", "hlrs", "--sizes", "1k,64k", "-n", 2, "-l", 50000)


# ---- delayed messages ----

@pytest.fixture(scope="module")
def simulated():
    """A result with samples of both experiments, as text."""
    done = run("model", "--measure", "-b", "sim", "--rounds", 8, "--sizes", "1,64,1k,4k,16k", "-f", "json")
    ok(done.rc == 0, "delayed messages: measured", done)
    return done.out


@pytest.mark.parametrize("rounds", (3, 5, 6, 8))
def test_fewer_than_six_rounds_have_no_interval(rounds, simulated):
    """As a run that was interrupted has them: its parameters stay."""
    doc = json.loads(simulated)
    for row in doc["rows"]:
        for name, values in row["samples"].items():
            row["samples"][name] = [v * (1 + 1e-3 * ((i * 5) % 7)) for i, v in enumerate(values[:rounds])]
    write_result(".", "few.json", doc)
    done = run("model", "--fit", "few.json", "-f", "json")
    found = json.loads(done.out)["summary"]["segments"][-1]
    equal([found["L_lo_s"] is None, found["g_hi_s"] is None], [rounds < 6] * 2, "intervals")
    ok(found["L_s"] > 0 and found["g_s"] > 0, "parameters", found)
    text = run("model", "--fit", "few.json").out
    equal(f"without intervals: {rounds} rounds are too few, 6 are needed:" in text, rounds < 6, "it says why")


@pytest.mark.parametrize("_, factors, doubted", named((
    ("alike", [1] * 8, False), ("a fifth more", [1.2] * 8, False), ("half more", [1.5] * 8, True), ("half", [0.5] * 8, True),
    ("scattered", [0.3, 2, 3, 0.2, 2.5, 0.4, 3, 0.5], False))))
def test_it_is_said_where_the_two_experiments_differ(simulated, _, factors, doubted):
    """By more than a quarter and than chance; where chance is more than the value, there is none."""
    doc = json.loads(simulated)
    o_s = doc["summary"]["segments"][0]["o_s_s"]
    for row in doc["rows"]:
        row["samples"]["send_delayed_s"] = [f * s for f, s in zip(factors, row["samples"]["send_s"])]
    write_result(".", "changed.json", doc)
    done = run("model", "--fit", "changed.json", "-f", "json")
    new = json.loads(done.out) if done.rc == 0 else {"summary": {"segments": [{}]}, "warnings": []}
    said = new["summary"]["segments"][0].get("o_s_delayed_s")
    middle = sorted(factors)
    ok(said is None if middle[-1] - middle[0] > 2 else close_to(said, o_s * (middle[3] + middle[4]) / 2, 1e-3),
       "delayed messages: o_s", (said, o_s))
    ok(("delayed messages" in "".join(new["warnings"])) == doubted == ("delayed messages" in done.err),
       f"delayed messages: {'doubted' if doubted else 'not doubted'}", done)


def test_nothing_is_said_where_delayed_messages_are_missing(simulated):
    doc = json.loads(simulated)
    for row in doc["rows"]:
        del row["samples"]["send_delayed_s"], row["send_delayed_s"]
    write_result(".", "changed.json", doc)
    done = run("model", "--fit", "changed.json", "-f", "json")
    ok(done.rc == 0 and not done.err and json.loads(done.out)["summary"]["segments"][0]["o_s_delayed_s"] is None,
       "delayed messages: not in every result", done)


def test_a_board_is_measured_without_delayed_messages():
    done, doc = measured("board.json", "-b", "sim", "--board", "520n", "--rounds", 2, "--sizes", "1,64,1k,4k")
    ok(done.rc == 0 and doc["status"] == "complete" and len(doc["rows"]) == 4 and
       all(r["send_delayed_s"] is None and r["half_rtt_epoch_s"] > 0 for r in doc["rows"]), "delayed messages: not on a board", done)


# ---- faults ----

def refused(args, parts):
    done = run(*args)
    ok(done.rc == 2 and len(done.err.splitlines()) == 1 and all(w in done.err for w in parts), f"fault: {words(args)}", done)


@pytest.mark.parametrize("args, parts", named((
    (["model", "--fit", "latency.json"], ["latency.json", "--measure"]),
    (["model", "--fit", "/nowhere"], ["/nowhere"]),
    (["model", "--fit", "latency.json", "--board", "520n"], ["--fit", "--board"]),
    (["model", "--measure", "-n", 1, "-b", "sim"], ["ranks", "1"]),
    (["model", "--measure", "--rounds", 1, "-b", "sim"], ["rounds", "1"]),
    (["model", "--measure", "--ci", 1], ["--ci"]),
    (["model", "--board", "520n", "--measure"], ["--board", "--measure"]),
    (["beff", "-u", 10, "--rule", "hlrs"], ["--upper", "--rule hlrs"]),
    (["model", "--measure", "--point-time", "1s"], ["--point-time"]),
    (["beff", "--rule", "hlrs", "--samples", "-o", "x.json"], ["--samples"]))))
def test_what_cannot_be_fitted_is_refused_by_name(args, parts):
    if "latency.json" in args:
        run("latency", "-b", "sim", "-m", 2, "-o", "latency.json")
    refused(args, parts)


# ---- predictions ----

@pytest.mark.parametrize("args, exact", named((
    (["latency"], True), (["msgrate", "-w", "1,16"], True), (["bandwidth", "--bidirectional"], True),
    (["beff", "-n", 5, "-u", 1], True), (["atlas-1.5"], False), (["atlas-1.6"], True),
    (["atlas-2.1", "--occupation", "0,50", "-l", 500], False))))
def test_what_is_simulated_is_what_is_predicted(args, exact):
    """Beside a simulated network's own parameters a measurement is what the model says."""
    done = run(*args, "-b", "sim", "--predict", "--sizes", "0,64,4k", "-f", "json")
    if not ok(done.rc == 0, f"predict, {args[0]}", done):
        return
    doc = json.loads(done.out)
    bad = [(r["size_B"], r["measured_over_model"]) for r in doc["rows"]
           if not r["model_s"] > 0 or exact and not close_to(r["measured_over_model"], 1, 1e-6) or
           not 0.9 < r["measured_over_model"] < 1.4]
    ok(not bad, f"predict, {args[0]}: measured is what was predicted", bad[:4])
    said = doc["summary"]["prediction"]
    ok(said["points"] == len(doc["rows"]) and 0 <= said["deviation_p50"] <= said["deviation_max"],
       f"predict, {args[0]}: summary", said)


def test_each_size_is_predicted_by_its_segment():
    whole = {"L_s": 1e-6, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 2e-7, "G_s_per_B": 0}
    write_result(".", "pieces.json", {"summary": {"loggp": whole, "segments": [
        {**whole, "upto_B": 100}, {**whole, "L_s": 5e-6, "upto_B": None}]}})
    done = run("latency", "--like", "pieces.json", "--predict", "--sizes", "100,101", "-f", "json", "--point-time", "10ms", "-q")
    ok(done.rc == 0 and [round(r["model_s"] * 1e9) for r in json.loads(done.out)["rows"]] == [1200, 5200],
       "predict: by segments", done)


@pytest.mark.parametrize("args, parts", named((
    (["latency", "--predict"], ["--predict", "--like"]),
    (["beff", "--rule", "hlrs", "-b", "sim", "--predict"], ["--predict", "beff"]),
    (["latency", "--predict", "--like", os.devnull], ["/dev/null"]))))
def test_predictions_that_cannot_be(args, parts):
    refused(args, parts)


# ---- b_eff by the rule of HLRS, on a network where a message takes its bytes' time and nothing else ----

def rings_of(n, wanted):
    return max(1, min(int(n / min(wanted, n) + 0.4), n // 2))


@pytest.mark.parametrize("n", (2, 3, 4, 7, 12, 24))
def test_rings_and_bandwidth_of_rule_hlrs_are_those_of_its_definition(n):
    sizes = [2, 64, 1024]
    done = run("beff", "--rule", "hlrs", "-b", "sim", "--sim", "L=0,o=0,g=0,G=1", "-n", n, "-l", 1, "--sizes",
               ",".join(map(str, sizes)), "-f", "json")
    if not ok(done.rc == 0, f"hlrs, {n} ranks", done):
        return
    doc = json.loads(done.out)
    wanted = [2, 4, 8, max(16, n // 4), max(32, n // 2), n]
    bad, values = [], []
    for i, row in enumerate(doc["rows"]):
        rings = rings_of(n, wanted[i]) if i < 6 else 1
        lens = [n // rings + (r >= rings - n % rings) for r in range(rings)]
        total = sum(length if length == 2 else 2 * length for length in lens)
        most = max(1 if length == 2 else 2 for length in lens)
        b = sum(k * total / (most * (k - 1) * 1e-9) for k in sizes) / len(sizes)
        values.append(b)
        if not close_to(row["pattern_bandwidth_Bps"], b, 1e-6):
            bad.append(f"{row['pattern']} ({row['rings']}): {row['pattern_bandwidth_Bps']}, not {b}")
    ok(len(doc["rows"]) == 36 and not bad, f"hlrs, {n} ranks: each pattern", "\n".join(bad[:5]))
    log = [sum(map(math.log, part)) / len(part) for part in (values[:6], values[6:])]
    want = math.exp(sum(log) / 2)
    ok(close_to(doc["summary"]["b_eff_Bps"], want, 1e-6), f"hlrs, {n} ranks: b_eff", (doc["summary"], want))


@pytest.mark.slow
def test_rule_hlrs_measures_a_b_eff_over_shared_memory():
    done = run("beff", "--rule", "hlrs", "--sizes", "1k,64k", "-n", 3, "-l", 20, "-q", "--rule=hlrs")
    ok(done.rc == 0 and "b_eff = " in done.out and "n/a" not in done.out, "hlrs, 3 ranks, shm", done)


def test_rule_hlrs_is_refused_on_a_board_without_pairs():
    done = run("beff", "--rule", "hlrs", "-b", "sim", "--board", "520n")
    ok(done.rc == 3 and len(done.err.splitlines()) == 1 and "pair" in done.err, "hlrs: not on a board", done)
