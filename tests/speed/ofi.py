#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""netbench beside a bare loop over libfabric: usage: ofi.py netbench ofi_peer [rounds [provider ...]].

Both in turn, several rounds, over shared memory and TCP. Each side's figure of a round is its best repetition of 40, with the same
number of loops: others on the machine disturb that least. A line names both sides' medians, and the median of the rounds' ratios
with the smallest and the largest. Goals are met or missed, never passed or failed. fi_pingpong, where it is here, prints the mean of
a run: the best of three runs stands beside the best of three repetitions that are as long. It is pinned as netbench's ranks are.
"""
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time

NETBENCH, PEER = sys.argv[1:3]
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 7
PROVIDERS = sys.argv[4:] or ["shm", "tcp"]
SIZES = {"8 B": (8, 200, 20), "1 KiB": (1024, 200, 20), "64 KiB": (65536, 20, 2), "1 MiB": (1 << 20, 5, 1)}   # loops of both
WINDOW = 64         # of ofi_peer, too
REPETITIONS = 40    # of ofi_peer, too
CORES = sorted(os.sched_getaffinity(0))


class Absent(Exception):
    """Cannot be had here."""


def output(argv):
    done = subprocess.run(list(map(str, argv)), capture_output=True, text=True, timeout=150)
    if done.returncode:
        said = [x for x in done.stderr.strip().splitlines() if "warning: " not in x]
        raise Absent((said or [f"exit status {done.returncode}"])[0])
    return done.stdout


def netbench(what, provider, size, loops, repetitions=REPETITIONS):
    """Seconds of its repetitions."""
    window = ["--window", WINDOW] if what == "bandwidth" else []
    done = output([NETBENCH, what, "--sizes", size, "-l", loops, *window, "-b", "ofi", "--ofi-provider", provider, "--check", "last",
                   "-q", "-f", "json", "--samples", "--repetitions", repetitions, "--ci", 0, "--point-time", 0])
    return json.loads(done)["rows"][0]["samples"]["time_s"]


def best(*args):
    return min(netbench(*args))


def peer(what, provider, size, loops):
    return float(output([PEER, what, provider, size, loops]))


def pingpong(provider, size, loops):
    """fi_pingpong's time a transfer: the mean of all."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    argv = ["fi_pingpong", "-p", provider, "-e", "rdm", "-m", "tagged", "-S", str(size), "-I", str(loops)]
    cores = [["taskset", "-c", str(c)] if shutil.which("taskset") else [] for c in (CORES * 2)[:2]]
    server = subprocess.Popen([*cores[0], *argv, "-B", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    try:
        out = output([*cores[1], *argv, "-P", port, "127.0.0.1"])
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


def of_three(provider, size, loops):
    return lambda: min(netbench("latency", provider, size, loops, 3)) / loops / 2


def bandwidth(how, provider, size, *, loops):
    return lambda: WINDOW * size * loops / how("bandwidth", provider, size, loops)


print(f"load average {os.getloadavg()[0]:.1f}, {len(CORES)} cores, niceness {os.nice(0)}", flush=True)
for provider in PROVIDERS:
    for words, (size, trips, windows) in SIZES.items():
        compare(f"{provider}, half round trip, {words}", "s", half_rtt(best, provider, size, loops=trips),
                [("bare", half_rtt(peer, provider, size, loops=trips), True)], 0, 1.05)
        if shutil.which("fi_pingpong"):
            compare(f"{provider}, half round trip, {words}, long", "s", of_three(provider, size, 20 * trips),
                    [("fi_pingpong", lambda p=provider, n=size, t=20 * trips: min(pingpong(p, n, t) for _ in range(3)), True)], 0, 1)
        compare(f"{provider}, bandwidth, {words}, window {WINDOW}", "B/s", bandwidth(best, provider, size, loops=windows),
                [("bare", bandwidth(peer, provider, size, loops=windows), True)], 0.95, 0)
