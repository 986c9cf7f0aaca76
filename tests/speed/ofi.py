#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""netbench beside a bare loop over libfabric: usage: ofi.py netbench ofi_peer [rounds].

Both in turn, several rounds, over shared memory and TCP. Each side's figure of a round is its best repetition of 40, with the same
number of loops: others on the machine disturb that least. A line names both sides' medians, and the median of the rounds' ratios
with the smallest and the largest. Goals are met or missed, never passed or failed. fi_pingpong, where it is here, is for
information: it has its own way of waiting.
"""
import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time

NETBENCH, PEER = sys.argv[1:3]
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 7
SIZES = {"8 B": (8, 500, 20), "1 KiB": (1024, 500, 20), "64 KiB": (65536, 50, 2), "1 MiB": (1 << 20, 10, 1)}   # loops of both
WINDOW = 64         # of ofi_peer, too
REPETITIONS = 40    # of ofi_peer, too


class Absent(Exception):
    """Cannot be had here."""


def output(argv):
    done = subprocess.run(list(map(str, argv)), capture_output=True, text=True, timeout=150)
    if done.returncode:
        raise Absent((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])
    return done.stdout


def netbench(what, provider, size, loops):
    """Seconds of its best repetition."""
    window = ["--window", WINDOW] if what == "bandwidth" else []
    done = output([NETBENCH, what, "--sizes", size, "-l", loops, *window, "-b", "ofi", "--ofi-provider", provider, "--check", "last",
                   "-q", "-f", "json", "--samples", "--repetitions", REPETITIONS, "--ci", 0, "--point-time", 0])
    return min(json.loads(done)["rows"][0]["samples"]["time_s"])


def peer(what, provider, size, loops):
    return float(output([PEER, what, provider, size, loops]))


def pingpong(provider, size):
    """fi_pingpong's time a transfer."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    argv = ["fi_pingpong", "-p", provider, "-e", "rdm", "-m", "tagged", "-S", str(size), "-I", "2000"]
    server = subprocess.Popen([*argv, "-B", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    try:
        out = output([*argv, "-P", port, "127.0.0.1"])
    finally:
        server.terminate()
        server.wait()
    found = re.findall(r"^\d\S*\s+\S+\s+\S+\s+\S+\s+\S+s?\s+\S+\s+(\S+)\s+\S+\s*$", out, re.M)
    if not found:
        raise Absent("fi_pingpong has printed no row")
    return float(found[-1]) * 1e-6


def compare(title, unit, ours, others, low, high):
    """others: (name, function, whether the goal is against it)"""
    mine, theirs = [], {name: [] for name, _, _ in others}
    try:
        for _ in range(ROUNDS):
            for name, how, _ in others:
                theirs[name].append(how())
            mine.append(ours())
    except (Absent, subprocess.TimeoutExpired) as e:
        return print(f"{title}: not measured: {e}", flush=True)
    for name, _, counts in others:
        ratios = sorted(x / y for x, y in zip(mine, theirs[name]))
        middle = statistics.median(ratios)
        goal = f"; goal {f'at most {high}' if high else f'at least {low}'}: " + \
            ("met" if (not high or middle <= high) and middle >= low else "missed") if counts else ""
        print(f"{title}: netbench {statistics.median(mine):.4g} {unit}, {name} {statistics.median(theirs[name]):.4g} {unit}; "
              f"netbench/{name} {middle:.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f}){goal}", flush=True)


def half_rtt(how, *args, loops):
    return lambda: how("latency", *args, loops) / loops / 2


def bandwidth(how, provider, size, *, loops):
    return lambda: WINDOW * size * loops / how("bandwidth", provider, size, loops)


for provider in ("shm", "tcp"):
    for words, (size, trips, windows) in SIZES.items():
        beside = [("bare", half_rtt(peer, provider, size, loops=trips), True)]
        if shutil.which("fi_pingpong") and provider == "tcp" and size == 8:
            beside.append(("fi_pingpong", lambda p=provider, n=size: pingpong(p, n), False))
        compare(f"{provider}, half round trip, {words}", "s", half_rtt(netbench, provider, size, loops=trips), beside, 0, 1.05)
        compare(f"{provider}, bandwidth, {words}, window {WINDOW}", "B/s", bandwidth(netbench, provider, size, loops=windows),
                [("bare", bandwidth(peer, provider, size, loops=windows), True)], 0.95, 0)
