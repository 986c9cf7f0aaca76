#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""netbench collective beside the loop of the OSU benchmarks: usage: collective.py netbench [--rounds N] [openmpi=osu_loop] [mpich=osu_loop]

Both in turn, several rounds, 2 ranks, natively, behind MPI_Barrier: netbench's osu_avg_s is to be what osu_loop prints as the mean.
Netbench has one block of up to 1,000 operations a size, as osu_loop has: the longer the run, the more of others is in a mean.
A line names both sides' medians and the median of the rounds' ratios, with its interval (95 %, by order statistics). Goals are met
or missed, never passed or failed. Two more lines: how long 1,000 operations of 8 B take on shm, starts and pauses included, pilot
and opening apart; and a simulated allreduce of 4,096 ranks.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

from ratios import interval_text

NETBENCH, *MORE = sys.argv[1:]
ROUNDS = int(MORE[1]) if MORE[:1] == ["--rounds"] else 9
PEERS = dict(word.split("=", 1) for word in MORE if "=" in word)
OPERATIONS = ["bcast", "allgather", "alltoall", "allreduce"]
SIZES = [8, 64, 1024, 8192, 65536, 1 << 20]
LAUNCHERS = {"openmpi": ["mpirun", "-n", "2", "--bind-to", "core", "--oversubscribe"],
             "mpich": ["mpirun.mpich", "-n", "2", "-bind-to", "core"]}
GOAL = 0.05
ENV = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class Absent(Exception):
    """Cannot be had here."""


def output(argv):
    done = subprocess.run(list(map(str, argv)), capture_output=True, text=True, timeout=300, env=ENV)
    if done.returncode:
        said = [x for x in done.stderr.strip().splitlines() if "warning: " not in x]
        raise Absent((said or [f"exit status {done.returncode}"])[0])
    return done.stdout


def netbench(*args):
    return json.loads(output([NETBENCH, "collective", *args, "-f", "json", "-q"]))["rows"]


def ours(launcher, mpi):
    rows = json.loads(output([*launcher, NETBENCH, "collective", "-b", "mpi", "--mpi", mpi, "--algorithm", "native", "--sync", "barrier",
                              "--operation", ",".join(OPERATIONS), "--sizes", ",".join(map(str, SIZES)), "--repetitions", "1", "--visits", "1",
                              "--ci", "0", "-f", "json", "-q"]))["rows"]
    return {(r["operation"], r["size_B"]): r["osu_avg_s"] for r in rows}


def osu(launcher, program):
    lines = output([*launcher, program, ",".join(map(str, SIZES)), *OPERATIONS]).splitlines()
    return {(op, int(size)): float(avg) for op, size, avg, _, _ in map(str.split, lines)}


def bytes_text(size):
    return f"{size} B" if size < 1024 else f"{size >> 10} KiB" if size < 1 << 20 else f"{size >> 20} MiB"


def compare(mpi, program):
    launcher = LAUNCHERS[mpi]
    if not shutil.which(launcher[0]):
        raise Absent(f"no {launcher[0]}")
    rounds = [(ours(launcher, mpi), osu(launcher, program)) for _ in range(ROUNDS)]
    for key in rounds[0][1]:
        ratios = [a[key] / b[key] for a, b in rounds]
        middle = statistics.median(ratios)
        a, b = (statistics.median(side[key] for side in sides) * 1e6 for sides in zip(*rounds))
        print(f"{mpi}, {key[0]}, {bytes_text(key[1])}: netbench {a:.3f} us, OSU's loop {b:.3f} us, ratio {middle:.3f} ({interval_text(ratios)}"
              f"{min(ratios):.3f} to {max(ratios):.3f}); goal {1 - GOAL:g} to {1 + GOAL:g} {'met' if abs(middle - 1) <= GOAL else 'missed'}", flush=True)


def wall(*args):
    start = time.monotonic()
    rows = netbench(*args)
    return time.monotonic() - start, rows[0]


def thousand(operation):
    """Milliseconds of 1,000 operations: the difference of a run of 31 blocks and one of a single block."""
    line = ["-b", "shm", "-n", "2", "--operation", operation, "--sizes", "8", "--visits", "1", "--warmup", "0", "--ci", "0", "--point-time", "1m"]
    times = []
    for _ in range(ROUNDS):
        few, _ = wall(*line, "--repetitions", "1")
        many, row = wall(*line, "--repetitions", "31")
        times.append((many - few) / 30 / row["loops"] * 1000 * 1e3)
    took = statistics.median(times)
    print(f"shm, 1,000 {operation} of 8 B: {took:.1f} ms ({min(times):.1f} to {max(times):.1f}); goal 50 ms {'met' if took < 50 else 'missed'}", flush=True)


def simulated():
    took, row = wall("-b", "sim", "-n", "4096", "--operation", "allreduce", "--algorithm", "recursive-doubling", "--sizes", "8")
    good = row["checked"] == 4096 and not row["errors"]
    print(f"sim, allreduce of 8 B, 4,096 ranks, {'verified' if good else 'NOT VERIFIED'}: {took:.2f} s; goal 5 s {'met' if took < 5 and good else 'missed'}",
          flush=True)


def main():
    for name, job, *args in [*((f"{mpi}", compare, mpi, program) for mpi, program in PEERS.items()), ("shm", thousand, "bcast"),
                             ("shm", thousand, "allreduce"), ("sim", simulated)]:
        try:
            job(*args)
        except Absent as why:
            print(f"{name}: not measured: {why}", flush=True)


main()
