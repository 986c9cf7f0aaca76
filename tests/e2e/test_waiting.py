# SPDX-License-Identifier: Apache-2.0
"""How a rank waits for a message: by the same words in all backends that let one choose, recorded, and really so."""
import json
import os
import resource
import shutil
import subprocess
import pytest
from netbench import NETBENCH, equal, loops, named, need, ok, one_fault, run, slow_but

WAYS = ["spin", "yield", "block", "auto"]
TEXTS = {"auto": "spin, yield, block"}
BACKENDS = ["shm", "tcp"]
cases = pytest.mark.parametrize("backend, how", [pytest.param(b, w, id=f"{b}-{w}") for b in BACKENDS for w in WAYS])


def latency(backend, how, *more):
    return ["latency", "-b", backend, f"--{backend}-wait", how, "--ci", 0, *more]


@pytest.mark.parametrize("backend, how", slow_but([(b, w) for b in BACKENDS for w in WAYS], 3, 5))
def test_messages_arrive_and_the_way_is_recorded(backend, how):
    need(backend)
    done = run(*latency(backend, how, "--sizes", "0,8,52,70000", "-l", 50, "--point-time", "5ms", "-f", "json"))
    doc = json.loads(done.out) if done.rc == 0 else {}
    ok(doc.get("status") == "complete" and all(r["errors"] == 0 and r["checked"] for r in doc["rows"][1:]),
       "measured and verified", done)
    facts = doc["environment"]["backend"]
    equal((facts["waiting"], doc["options"][f"{backend}-wait"]), (TEXTS.get(how, how), how), "in the record")
    equal("waiting: " in facts["method"], backend == "tcp" or how != "auto", "beside the method")
    equal("asleep" in facts, backend == "shm" and how in ("auto", "block"), "how it sleeps")


@pytest.mark.slow
@cases
def test_windows_and_several_peers_are_served(backend, how):
    need(backend)
    for args in (["bandwidth", "--sizes", "8,70000", "--window", 16], ["beff", "-n", 3, "-m", 4, "-u", 5],
                 ["atlas-2.1", "--sources", 2, "--destinations", 1, "--sizes", 64]):
        if how == "spin" and len(os.sched_getaffinity(0)) < 4 and args[0] != "bandwidth":
            continue    # more ranks than cores: each message takes a slice of the processor's time
        done = run(*args, "-b", backend, f"--{backend}-wait", how, *loops(args, 20), "--point-time", "5ms", "--ci", 0)
        ok(done.rc == 0 and not done.faults, f"{args[0]}: measured and verified", done)


def on_one_cpu(backend, how):
    """The half round trip of ranks that share a processor, s, and how often they slept for a message."""
    cpu = str(max(os.sched_getaffinity(0)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw
    args = latency(backend, how, "--sizes", 8, "-l", 20, "--repetitions", 6, "--pin", "none", "--verify", "none", "-f", "csv")
    p = subprocess.run(["taskset", "-c", cpu, NETBENCH, *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True,
                       text=True, timeout=60)
    assert p.returncode == 0, p.stderr
    rows = [line.split(",") for line in p.stdout.splitlines() if not line.startswith("#")]
    return float(dict(zip(*rows))["half_rtt_epoch_s"]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw - before


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("taskset"), reason="no taskset")
@pytest.mark.parametrize("backend", BACKENDS)
def test_each_way_waits_as_it_says(backend):
    """On one processor a rank that spins waits until its time slice is over; one that yields or sleeps does not. Only one
    that sleeps gives up the processor by itself, for each of some 280 messages."""
    need(backend)
    took, slept = {}, {}
    for how in WAYS:
        took[how], slept[how] = on_one_cpu(backend, how)
    ok(took["spin"] > 5 * took["yield"], "yielding is not spinning", took)
    ok(took["spin"] > 5 * took["block"], "nor is sleeping", took)
    ok(slept["block"] > slept["yield"] + 200, "to sleep is to give up the processor", slept)


@pytest.mark.parametrize("args, words", named([
    (["-b", "shm", "--shm-wait", "never"], ["'never'", "--shm-wait"]),
    (["-b", "shm", "--tcp-wait", "spin"], ["--tcp-wait"]),
]))
def test_a_way_of_waiting_that_is_none_is_refused_by_name(args, words):
    done = run("latency", *args)
    ok(one_fault(done, 2, *words), "refused by name", done)
