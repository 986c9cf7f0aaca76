# SPDX-License-Identifier: Apache-2.0
"""What verification sees of messages that come to harm, by backend `faulty` (tests/faults/faulty.c): netbench-method(7)
says so, and this is its table."""
import json
import os
import pytest
from netbench import NETBENCH, need, ok, run

# 64 bytes, 100 messages a round one way, no pilot: so that the 50th is in the middle of a round.
COMMANDS = {"latency": ["latency", "-l", 100], "bandwidth": ["bandwidth", "-l", 10, "--window", 10]}
POINT = ["--sizes", 64, "--repetitions", 3, "--warmup", 0, "--ci", 0]
MODES = ["none", "last", "full"]

# A fault, whether each message of rank 0 has it or one in the middle of a round, and the modes that see it.
CASES = [
    ("bit", "each", ["last", "full"]),
    ("bit", "one", []),
    ("stale", "each", ["full"]),
    ("stale", "one", []),
    ("duplicate", "each", ["last", "full"]),
    ("duplicate", "one", ["full"]),
    ("swap", "each", []),
    ("swap", "one", []),
]


@pytest.fixture(autouse=True)
def module(monkeypatch):
    monkeypatch.setenv("NETBENCH_MODULES", os.path.join(os.path.dirname(NETBENCH), "tests", "faults"))
    monkeypatch.setenv("NETBENCH_FAULT_CARRIER", "tcp")
    monkeypatch.setenv("NETBENCH_FAULT_RANK", "0")
    need("faulty")


def harmed(place, command, fault, which, mode):
    """A run with that fault, and its record."""
    every, times = (50, 1) if which == "one" else (1, 10**9)
    env = {**os.environ, "NETBENCH_FAULT": fault, "NETBENCH_FAULT_EVERY": str(every), "NETBENCH_FAULT_TIMES": str(times)}
    done = run(*COMMANDS[command], "-b", "faulty", *POINT, "--check", mode, "-o", f"{mode}.json", cwd=place, env=env)
    with open(place / f"{mode}.json", encoding="utf-8") as f:
        return done, json.load(f)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("fault, which, seen_by", CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES])
def test_table(place, command, fault, which, seen_by):
    for mode in MODES:
        done, record = harmed(place, command, fault, which, mode)
        row, faults = record["rows"][0], record["summary"]["counters"]["faults"]
        name = f"{fault} in {which}, verification {mode}"
        ok(faults == 1 if which == "one" else faults > 100, f"{name}: {faults} faults", done)
        if mode in seen_by:
            ok(done.rc == 1 and record["status"] == "failed" and 0 < row["errors"] <= row["checked"] and
               done.faults == [f"netbench: {row['errors']} messages arrived with wrong content"], f"{name}: seen", done)
        else:
            ok(done.rc == 0 and record["status"] == "complete" and row["errors"] == 0 and not done.faults,
               f"{name}: not seen", done)


@pytest.mark.parametrize("carrier", ["shm", "tcp"])
def test_unharmed(place, carrier, monkeypatch):
    monkeypatch.setenv("NETBENCH_FAULT_CARRIER", carrier)
    for command in COMMANDS:
        done, record = harmed(place, command, "none", "each", "full")
        os.remove(place / "full.json")
        ok(done.rc == 0 and record["summary"]["counters"]["faults"] == 0 and record["rows"][0]["checked"] > 0,
           f"{command}: no fault over {carrier}", done)
