#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What emulated FPGA cards cost, and how well their times in slow motion keep to the board's model: usage: fpga.py netbench
[rounds]. Medians of some rounds, with the smallest and the largest."""
import json
import statistics
import subprocess
import sys

NETBENCH = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
BOARD = "520n"


def netbench(*args):
    p = subprocess.run([NETBENCH, *map(str, args), "-f", "json"], capture_output=True, text=True, timeout=120)
    if p.returncode:
        raise RuntimeError(p.stderr[-500:])
    return json.loads(p.stdout)


def spread(values, scale=1.0, unit=""):
    values = [scale * v for v in values]
    return f"{statistics.median(values):9.4g} {unit} ({min(values):.4g} to {max(values):.4g})"


def cost():
    """One loop of a card wired to itself: two pairs of send and recv, started and seen to end."""
    docs = [netbench("beff", "-b", "fpga", "--emulate", "fast", "-n", 1, "-u", 1, "--sizes", "64,1M") for _ in range(ROUNDS)]
    backend = [d["environment"]["backend"] for d in docs]
    print("emulated card, as fast as this machine goes:")
    print("  open and load      ", spread([b["open_s"] for b in backend], 1e3, "ms"), "  goal: < 10 ms")
    print("  a launch           ", spread([b["launch_s"] for b in backend], 1e6, "us"))
    for i, name in enumerate(("64 B, two pairs    ", "1 MiB, two pairs   ")):
        print(" ", name, spread([d["rows"][i]["time_s"] for d in docs], 1e6, "us"), "  start to finish")


def pace(ranks):
    docs = [netbench("beff", "-b", "fpga", "--emulate", "timed", "--board", BOARD, "-n", ranks) for _ in range(ROUNDS)]
    model = netbench("model", "--board", BOARD, "-n", ranks)
    print(f"\n{BOARD} in slow motion, 1 : {docs[0]['environment']['backend']['slowdown']}, ring of {ranks}: b(L) measured : model, off by")
    for i, row in enumerate(model["rows"]):
        got = [d["rows"][i]["bandwidth_max_Bps"] for d in docs]
        want = row["bandwidth_model_Bps"]
        print(f"  {row['size_B']:8d} B {statistics.median(got):11.4g} : {want:9.4g} B/s {statistics.median(got) / want - 1:+8.2%}"
              f" ({min(got) / want - 1:+.2%} to {max(got) / want - 1:+.2%})")
    got, want = [d["summary"]["b_eff_Bps"] for d in docs], model["summary"]["b_eff_Bps"]
    print(f"  b_eff      {statistics.median(got):11.4g} : {want:9.4g} B/s {statistics.median(got) / want - 1:+8.2%}")


try:
    cost()
    pace(1)
    pace(2)
except (RuntimeError, OSError, subprocess.TimeoutExpired) as e:
    print(f"left out: {e}")
