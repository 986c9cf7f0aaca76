# SPDX-License-Identifier: Apache-2.0
"""What --verify sees: which of its modes finds which fault of the transport (tests/faults), that each message of a round is
counted where each is verified, and what the record says of it."""
import json
import os
import pytest
from netbench import NETBENCH, close_to, equal, lacks, launched_by, loops, measure, mpirun, ok, one_fault, run, skip, slow_but

MODES = ("last", "full", "every", "every-timed")
EACH = ("every", "every-timed")
FEW = ("--repetitions", 3, "--ci", 0, "--point-time", 0)


# ---- faults ----

def harmed(fault, mode, *args, size, nth=50, rank=0):
    """One message of a round is harmed, the n-th of this size that the rank sends: in the round before the repetitions."""
    env = {**os.environ, "NETBENCH_MODULES": os.path.join(os.path.dirname(NETBENCH), "tests", "faults"),
           "NETBENCH_FAULT": fault, "NETBENCH_FAULT_RANK": str(rank), "NETBENCH_FAULT_EVERY": str(nth),
           "NETBENCH_FAULT_TIMES": "1", "NETBENCH_FAULT_FROM_B": str(size), "NETBENCH_FAULT_TO_B": str(size)}
    return measure(*args, "-b", "faulty", "--sizes", size, "-l", 100, *FEW, "--verify", mode, env=env)


def found(fault, mode, *args, **how):
    """Messages that were found wrong; the run must have failed if there are any."""
    done, table = harmed(fault, mode, *args, **how)
    errors = sum(r["errors"] for r in table.rows)
    good = done.rc == 0 and not done.faults and table.status == "complete"
    failed = done.rc == 1 and table.status == "failed" and \
        done.faults == [f"netbench: {errors} messages arrived with wrong content"]
    ok(failed if errors else good, f"{fault}, {mode}: status and words", done)
    return errors


PING, WINDOW = ("latency",), ("msgrate", "--window", 8)
# A fault of one message in the middle of a round, the modes that find it, the messages that are then wrong.
SEEN = [
    ("bit", PING, EACH, 1), ("bit", WINDOW, EACH, 1),
    ("stale", PING, EACH, 1), ("stale", WINDOW, EACH, 1),
    ("swap", WINDOW, EACH, 2),
]


@pytest.mark.parametrize("fault, args, modes, wrong", SEEN)
@pytest.mark.parametrize("mode", MODES)
def test_one_wrong_message_of_many_is_found(fault, args, modes, wrong, mode):
    """Of the messages of a round, those of the last iteration alone are seen by last and full."""
    equal(found(fault, mode, *args, size=64), wrong if mode in modes else 0, f"{fault}, {mode}: messages found wrong")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rank", (0, 1))
def test_one_wrong_bit_of_a_long_message_is_found(mode, rank):
    equal(found("bit", mode, *PING, size=70000, rank=rank), int(mode in EACH), f"{mode}: messages found wrong")


@pytest.mark.parametrize("mode", MODES)
def test_a_wrong_last_iteration_is_found(mode):
    """The last message of the warm-up: one iteration before it is not timed in the modes that overwrite messages."""
    equal(found("bit", mode, *PING, size=64, nth=100 if mode in EACH else 101), 1, f"{mode}: messages found wrong")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("args", (PING, WINDOW))
def test_a_message_that_comes_twice(args, mode):
    """What is left over of a round is found at its end, whatever the mode."""
    ok(found("duplicate", mode, *args, size=8) > 0, f"{mode}: a message left over is found")


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_a_message_that_does_not_come(mode):
    done, table = harmed("loss", mode, *PING, "--stall", "2s", size=64)
    ok(one_fault(done, 1, "no progress for", "size 64"), f"{mode}: the run ends", done)


# ---- without faults ----

NONE_WRONG = [
    ("beff", "-n", 3), ("latency",), ("msgrate", "--window", 4, "--batch", 2), ("bandwidth", "--bidirectional", "--window", 4),
    ("bandwidth", "-n", 4, "--pairs", 2, "--window", 3), ("atlas-1.1",), ("atlas-1.2",),
    ("atlas-1.3", "-n", 4), ("atlas-1.4", "-n", 4), ("atlas-1.5", "-n", 4), ("atlas-1.6", "-n", 5), ("atlas-1.7", "-n", 4),
]


def unharmed(backend, mode, args):
    no_load = ("--load", "none") if args[0].startswith("atlas") and backend != "sim" else ()
    form = ("--sim", "rdma:o_wqe=20ns,o_db=65ns,G=0.0825ns,L=1us") if backend == "sim" and "--batch" in args else ()
    few = form if backend == "sim" else (*loops(args, 20), "--repetitions", 2, "--ci", 0, "--point-time", "2ms")
    done, table = measure(*args, "-b", backend, "--sizes", "0,1,5000,70000", *few, *no_load, "--verify", mode, timeout=120)
    bad = [r for r in table.rows if r["errors"] or not r["checked"] and r["size_B"]]
    ok(done.rc == 0 and not done.faults and table.rows and not bad, f"{backend}: {' '.join(map(str, args))}, {mode}",
       f"{bad[:2]}\n{done}")


@pytest.mark.parametrize("mode", EACH)
@pytest.mark.parametrize("backend", slow_but(("sim", "shm", "tcp"), 0))
def test_where_nothing_is_wrong_no_verification_finds_a_fault(backend, mode):
    for args in NONE_WRONG:
        unharmed(backend, mode, args)


@pytest.mark.parametrize("mode", EACH)
def test_every_ring_of_rule_hlrs_is_verified(mode):
    """Specs that are made while it runs."""
    done = run("beff", "--rule", "hlrs", "-n", 3, "--sizes", "1,5000", "--repetitions", 1, "-l", 20, "--verify", mode)
    ok(done.rc == 0 and not done.faults, f"beff --rule hlrs, {mode}", done)


@pytest.mark.slow
@pytest.mark.parametrize("mode", EACH)
def test_where_nothing_is_wrong_over_mpi_no_fault_is_found(mode):
    if reason := lacks("mpi"):
        pytest.skip(reason)
    with launched_by(mpirun):
        for args in (("latency", "-n", 2), ("bandwidth", "-n", 2, "--window", 4), ("beff", "-n", 3), ("atlas-1.6", "-n", 3),
                     ("bandwidth", "-n", 2, "--window", 4, "--mpi-form", "persistent")):
            unharmed("mpi", mode, args)


@pytest.mark.parametrize("mode", EACH)
@pytest.mark.parametrize("backend", ("shm", "tcp"))
def test_each_message_is_counted(backend, mode):
    """Warm-up and repetitions; those of latency are followed by one with stamps each."""
    for args, of_iteration, once, rounds in ((("latency",), 2, 2, 1 + 2 * 3), (("beff", "-n", 3, "-u", 100), 6, 6, 1 + 3),
                                             (("msgrate", "--window", 7), 8, 2, 1 + 3)):
        done, table = measure(*args, "-b", backend, "-l", 100, "--sizes", "8", *FEW, "--verify", mode)
        row = table.rows[0] if table.rows else {}
        want = rounds * (of_iteration * row.get("loops", 0) + once)     # behind each round each transfer once
        equal((done.rc, row.get("checked")), (0, want), f"{' '.join(map(str, args))}: checked")
        ok(str(table.one("definition")).endswith(f".v2+{mode}"), "the definition says so", table.one("definition"))


@pytest.mark.slow
def test_as_many_iterations_as_fit():
    done, table = measure("latency", "--sizes", "8,1M", "-l", 1000000, *FEW, "--verify", "every")
    equal([r["loops"] for r in table.rows], [32768, 32], "65536 messages, 64 MiB")
    done, table = measure("bandwidth", "--sizes", "16M", "--verify", "every", *FEW)
    ok(done.rc == 3 and "takes more than 1 GiB per rank" in done.err and table.rows[0]["time_s"] is None,
       "more than 1 GiB for one iteration", done)


def test_virtual_time_is_the_same():
    """Messages with buffers of their own travel as others do."""
    times = []
    for mode in ("full", "every"):
        done, table = measure("bandwidth", "-b", "sim", "--window", 8, "-l", 4, "--sizes", "1,5000", "--verify", mode)
        times.append([r["time_s"] for r in table.rows])
    ok(len(times[0]) == 2 and all(close_to(a, b) for a, b in zip(*times)), "times in virtual time", times)


def test_what_cannot_be_had():
    done = run("latency", "-b", "sim", "--board", "520n", "--verify", "every-timed")
    ok(one_fault(done, 3, "'--verify every-timed' needs 'msg'", "'sim'"), "a board has no message operations", done)
    done = run("latency", "-b", "fpga", "--emulate", "fast", "--verify", "every")
    if done.rc == 3 and "'each'" not in done.err:
        skip("fpga", done.err)
    else:
        ok(one_fault(done, 3, "'--verify every' needs 'each'", "'fpga'"), "cards make their messages themselves", done)


# ---- names ----

def test_the_former_name_of_verify_is_taken_and_read(inside):
    """--check is --verify, on the command line and in results of before."""
    for name, option in (("old", ["--check", "last"]), ("new", ["--verify", "last"])):
        done = run("latency", "-b", "sim", "--sizes", "8", *option, "-o", f"{name}.json")
        ok(done.rc == 0, f"{option[0]} is taken", done)
    docs = {n: json.loads((inside / f"{n}.json").read_text()) for n in ("old", "new")}
    ok(all(d["options"]["verify"] == "last" and "check" not in d["options"] for d in docs.values()), "the record", docs["old"]["options"])
    docs["old"]["options"]["check"] = "full"
    del docs["old"]["options"]["verify"]
    (inside / "old.json").write_text(json.dumps(docs["old"]))
    done = run("report", "old.json")
    ok(done.rc == 0 and "* verification: full;" in done.out, "report reads the former name", done)
    done = run("compare", "old.json", "new.json")
    ok(done.rc == 0 and "verify 'full', 'last'" in done.out + done.err, "compare reads it", done)
    done = run("latency", "--help")
    ok("--verify=how" in done.out and "--check" not in done.out, "--help has the new name alone", done)


@pytest.mark.parametrize("rule, name", (("netbench", "beff.ring.v2"), ("hlrs", "beff.hlrs.v1")))
def test_evaluated_again_it_is_the_same(inside, rule, name):
    samples = ["--samples"] if rule == "netbench" else []
    done = run("beff", "-n", 3, "--sizes", "1,4k", "-l", 5, "--repetitions", 2, "--verify", "every", "--rule", rule, *samples,
               "-o", "a.json")
    ok(done.rc == 0, "made", done)
    done, table = measure("beff", "--from", "a.json", "--rule", rule)
    equal((done.rc, table.one("definition")), (0, f"{name}+every"), "the definition says how it was verified")


def test_other_definitions_are_not_compared(inside):
    for mode in ("full", "every"):
        run("latency", "-b", "sim", "--sizes", "8", "--verify", mode, "-o", f"{mode}.json")
    done = run("compare", "full.json", "every.json")
    ok(one_fault(done, 2, "+every'"), "compare refuses", done)
