# SPDX-License-Identifier: Apache-2.0
"""What verification sees of messages that come to harm, by backend `faulty` (tests/faults/faulty.c): netbench-method(7)
says so, and this is its table."""
import json
import os
import pytest
from netbench import NETBENCH, need, ok, run

# 64 bytes, 100 messages a round one way, no pilot.
COMMANDS = {"latency": ["latency", "-l", 100], "bandwidth": ["bandwidth", "-l", 10, "--window", 10]}
POINT = ["--sizes", 64, "--repetitions", 3, "--warmup", 0, "--ci", 0]
MODES = ["none", "last", "full"]

# A fault that each message of rank 0 has, and the modes that see it. What is seen of a single one is in test_verify.py, of
# messages that do not come at all in test_stall.py.
CASES = [
    ("bit", ["last", "full"]),
    ("stale", ["last", "full"]),
    ("swap", []),
]


@pytest.fixture(autouse=True)
def module(monkeypatch):
    monkeypatch.setenv("NETBENCH_MODULES", os.path.join(os.path.dirname(NETBENCH), "tests", "faults"))
    monkeypatch.setenv("NETBENCH_FAULT_CARRIER", "tcp")
    monkeypatch.setenv("NETBENCH_FAULT_RANK", "0")
    need("faulty")


def harmed(place, command, fault, mode):
    """A run with that fault, and its record."""
    env = {**os.environ, "NETBENCH_FAULT": fault}
    done = run(*COMMANDS[command], "-b", "faulty", *POINT, "--verify", mode, "-o", f"{mode}.json", cwd=place, env=env)
    with open(place / f"{mode}.json", encoding="utf-8") as f:
        return done, json.load(f)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("fault, seen_by", CASES, ids=[c[0] for c in CASES])
def test_each_fault_is_seen_by_the_verifications_that_should_see_it(place, command, fault, seen_by):
    for mode in MODES:
        done, record = harmed(place, command, fault, mode)
        row, faults = record["rows"][0], record["summary"]["counters"]["faults"]
        name = f"{fault} in each message, verification {mode}"
        ok(faults > 100, f"{name}: {faults} faults", done)
        if mode in seen_by:
            ok(done.rc == 1 and record["status"] == "failed" and 0 < row["errors"] <= row["checked"] and
               done.faults == [f"netbench: {row['errors']} messages arrived with wrong content"], f"{name}: seen", done)
        else:
            ok(done.rc == 0 and record["status"] == "complete" and row["errors"] == 0 and not done.faults,
               f"{name}: not seen", done)


OPERATIONS = ["bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce", "reduce-scatter"]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("fault", ["bit", "stale", "duplicate", pytest.param("loss", marks=pytest.mark.slow)])
def test_a_block_of_a_collective_operation_that_comes_to_harm_is_found(place, operation, fault):
    """What is lost is never received, so the run ends as stalled. Messages of one rank cannot be swapped: no algorithm has two to one
    rank at once. Stale content is that of the message before, so no barrier is to come between."""
    env = {**os.environ, "NETBENCH_FAULT": fault, "NETBENCH_FAULT_CARRIER": "shm", "NETBENCH_FAULT_RANK": "1"}
    done = run("collective", "-b", "faulty", "-n", 2 if fault == "stale" else 3, "--sync", "window" if fault == "stale" else "auto", "--operation", operation, "--root", "1" if operation in ("bcast", "scatter") else "0",
               "--sizes", 64, "--repetitions", 2, "--visits", 1, "--warmup", 0, "--algorithm", "all", "--stall", "2s", "-o", "harmed.json",
               cwd=place, env=env)
    ok(done.rc == 1, f"{fault} in {operation}: seen", done)


@pytest.mark.parametrize("kind", [["--reduce-op", "max"], ["--values", "real"], []])
def test_wrong_results_of_reductions_are_found(place, kind):
    """Rank 0 sends the sum to rank 1, which gets another one."""
    env = {**os.environ, "NETBENCH_FAULT": "bit", "NETBENCH_FAULT_CARRIER": "shm", "NETBENCH_FAULT_RANK": "0"}
    done = run("collective", "-b", "faulty", "-n", 2, "--operation", "allreduce", "--algorithm", "reduce+bcast", "--sizes", 8,
               "--repetitions", 1, "--visits", 1, *kind, "--sync", "barrier", "-o", "bit.json", cwd=place, env=env)
    row = json.loads((place / "bit.json").read_text(encoding="utf-8"))["rows"][0]
    ok(done.rc == 1 and row["errors"] > 0, "found", done)
    ok(("real" in kind) == (row["note"] is not None and "differ" in row["note"]), f"and that the ranks differ: {row['note']}")


@pytest.mark.parametrize("visits, after", [(1, 0), pytest.param(2, 0, marks=pytest.mark.slow), pytest.param(2, 25, marks=pytest.mark.slow)])
def test_operations_that_begin_late_are_measured_behind_a_barrier(place, visits, after):
    """Rank 1 begins a block after all of its agreed starts, so no operation has begun at its start. If that is so from the second visit
    on, the first one does not count either."""
    env = {**os.environ, "NETBENCH_FAULT": "late", "NETBENCH_FAULT_CARRIER": "shm", "NETBENCH_FAULT_RANK": "1",
           "NETBENCH_FAULT_AFTER": str(after)}
    done = run("collective", "-b", "faulty", "-n", 2, "--operation", "allreduce" if after else "allreduce,barrier", "--sizes", 8, "--visits", visits, "--repetitions", 40 if after else 4,
               "--sync", "window", "-o", "late.json", cwd=place, env=env)
    record = json.loads((place / "late.json").read_text(encoding="utf-8"))
    ok(done.rc == 0 and record["status"] == "complete" and record["rows"], "measured", done)
    for row in record["rows"]:
        name = row["operation"]
        ok(row["behind_barrier_s"] > 0 and row["osu_min_s"] <= row["osu_avg_s"] <= row["osu_max_s"], f"{name}: behind a barrier", row)
        ok(row["collective_s"] is None and row["late_starts"] is None, f"{name}: not from agreed starts", row)
        ok("began late" in row["note"], f"{name}: and why: {row['note']}")
        counted = 1 if after and record["summary"]["counters"]["faults"] else visits	# a busy machine may be late by itself
        ok(row["visits"] == counted, f"{name}: {row['visits']} visits count", row)


@pytest.mark.parametrize("carrier", ["shm", "tcp"])
def test_the_faulty_backend_without_faults_does_no_harm(place, carrier, monkeypatch):
    monkeypatch.setenv("NETBENCH_FAULT_CARRIER", carrier)
    for command in COMMANDS:
        done, record = harmed(place, command, "none", "full")
        os.remove(place / "full.json")
        ok(done.rc == 0 and record["summary"]["counters"]["faults"] == 0 and record["rows"][0]["checked"] > 0,
           f"{command}: no fault over {carrier}", done)
