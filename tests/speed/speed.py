#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast netbench is, next to what the machine can do and to what others make of it.

Every comparison runs its sides in turn (A B C A B C ...), because the machine is not the same
from one minute to the next. Each side's figure is its median over the rounds; a ratio is the median
of the ratios of each round, with the smallest and the largest of these behind it.

A line names both sides, their ratio, and the goal. Goals are met or missed, never passed or failed:
the exit status is 0 unless a program fails. What cannot run here is "not measured".
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

MIB = 1 << 20
MPIRUN = ["-n", "2", "--bind-to", "core", "--oversubscribe"]
MPI_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
UNAVAILABLE = 3         # netbench's exit status for what this machine lacks
TIMEOUT_S = 150


class Absent(Exception):
    """Not here, with the reason; not a failure."""


class Failed(Exception):
    """A program failed."""


# ---- running programs ----

def fault(argv, status, stderr):
    lines = stderr.strip().splitlines()
    text = f"'{' '.join(os.path.basename(a) for a in argv[:6])}' ended with status {status}"
    return f"{text}: {lines[-1]}" if lines else text


def execute(argv, watch=None):
    """Runs a program to its end; its output. watch: called with the process while it runs."""
    env = {**os.environ, **MPI_ENV}
    try:
        p = subprocess.Popen(argv, env=env, text=True, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as e:
        raise Absent(f"cannot run '{argv[0]}': {e.strerror}") from e
    watcher = threading.Thread(target=watch, args=(p,)) if watch else None
    if watcher:
        watcher.start()
    try:
        out, err = p.communicate(timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired as e:
        p.kill()
        p.communicate()
        raise Failed(f"'{' '.join(argv)}' did not end within {TIMEOUT_S} s") from e
    finally:
        if watcher:
            watcher.join()
    if p.returncode == UNAVAILABLE:
        raise Absent(err.strip().splitlines()[-1] if err.strip() else f"{argv[0]}: not available")
    if p.returncode:
        raise Failed(fault(argv, p.returncode, err))
    return out


def wall(argv, watch=None):
    """Seconds from start to end."""
    start = time.monotonic()
    execute(argv, watch)
    return time.monotonic() - start


def key_values(text):
    return {key: float(value) for key, value in (line.split() for line in text.splitlines())}


class MemoryWatch:
    """Peak resident memory of a program and its children, looked at every few milliseconds.

    (rusage would count what the program that starts it has used before exec.)
    """

    def __init__(self):
        self.peak = {}

    @staticmethod
    def family(pid):
        pids = [pid]
        for parent in pids:
            try:
                with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as f:
                    pids += [int(child) for child in f.read().split()]
            except OSError:
                pass
        return pids

    def __call__(self, p):
        while p.poll() is None:
            for pid in self.family(p.pid):
                try:
                    with open(f"/proc/{pid}/status", encoding="ascii") as f:
                        found = re.search(r"VmHWM:\s+(\d+) kB", f.read())
                except OSError:
                    continue
                if found:
                    self.peak[pid] = max(self.peak.get(pid, 0), int(found[1]) * 1024)
            time.sleep(0.003)

    def largest(self):
        return max(self.peak.values(), default=0)

    def sum(self):
        return sum(self.peak.values())


class Tools:
    """The programs, and what they measure. Every method yields one number."""

    def __init__(self, args, scratch):
        self.exe, self.floor_exe, self.mpi_exe = args.netbench, args.floor, args.mpi_peer
        self.scratch = scratch
        self.cpus = []
        self.others = []        # cores that others used during netbench's runs

    def netbench(self, *args):
        doc = json.loads(execute([self.exe, *args, "-f", "json", "-q"]))
        ranks = doc["environment"]["ranks"]
        if doc["environment"]["nranks"] == 2 and all(r["bound"] is not None for r in ranks):
            self.cpus = [str(r["bound"]) for r in ranks]
        self.others.append(doc["summary"].get("cpu_others_cores", 0))
        return doc["rows"][0]

    def netbench_cell(self, cell, *args):
        return self.netbench(*args)[cell]

    def floor(self, mode, key):
        if not self.floor_exe:
            raise Absent("no program floor")
        return key_values(execute([self.floor_exe, mode, *self.cpus]))[key]

    @staticmethod
    def mpirun(*argv):
        launcher = shutil.which("mpirun")
        if not launcher:
            raise Absent("no mpirun")
        return execute([launcher, *MPIRUN, *argv])

    def mpi(self, mode, key):
        if not self.mpi_exe:
            raise Absent("mpi_peer is not built: no MPI compiler")
        return key_values(self.mpirun(self.mpi_exe, mode))[key]

    def netpipe(self):
        """Half the round trip; NetPIPE reports the best of its trials.

        Its file holds bytes, Mbit/s (of 2^20 bits) and seconds; the second has more digits than the
        third.
        """
        exe = shutil.which("NPopenmpi")
        if not exe:
            raise Absent("no NPopenmpi (Debian: netpipe-openmpi)")
        path = os.path.join(self.scratch, "netpipe")
        self.mpirun(exe, "-l", "8", "-u", "8", "-p", "0", "-o", path)
        with open(path, encoding="ascii") as f:
            size, mbps = f.readline().split()[:2]
        return float(size) * 8 / (float(mbps) * MIB)


# ---- rounds ----

class Series:
    """What the rounds gave, by name; absent: why a name has none. The first failure is kept for the end."""

    def __init__(self):
        self.values, self.absent, self.failures = {}, {}, []

    def take_turns(self, rounds, probes):
        probes = dict(probes)
        for _ in range(rounds):
            for name, probe in list(probes.items()):
                try:
                    self.values.setdefault(name, []).append(probe())
                except (Absent, Failed) as e:
                    self.absent[name] = str(e)
                    self.values.pop(name, None)
                    del probes[name]
                    if isinstance(e, Failed):
                        self.failures.append(str(e))

    def why_not(self, *names):
        return next((self.absent[n] for n in names if n in self.absent), None)

    def median(self, name):
        return statistics.median(self.values[name])


# ---- lines ----

def si(value, unit):
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "u"),
                           (1e-9, "n")):
        if value >= factor:
            return f"{value / factor:.4g} {prefix}{unit}"
    return f"{value / 1e-9:.3g} n{unit}"


def in_unit(value, unit):
    if unit == "MiB":
        return f"{value / MIB:.1f} MiB"
    if unit == "ns":
        return f"{value * 1e9:.2f} ns"
    return si(value, unit)


def verdict(value, sense, goal):
    met = {"<=": value <= goal, "<": value < goal, ">=": value >= goal}[sense]
    return "met" if met else "missed"


def say(text):
    print(text, flush=True)


class Report:
    def __init__(self, series):
        self.s = series

    def ratio(self, title, mine, name, theirs, unit, sense, goal):
        """Line of mine against one other; theirs: the other's name in words."""
        why = self.s.why_not(mine, name)
        if why:
            return say(f"{title} against {theirs}: not measured: {why}")
        a, b = self.s.values[mine], self.s.values[name]
        return self.line(title, mine, f"{theirs} {in_unit(self.s.median(name), unit)}",
                         [x / y for x, y in zip(a, b)], unit, (sense, goal))

    def line(self, title, mine, others, ratios, unit, goal):
        sense, limit = goal
        r = statistics.median(ratios)
        say(f"{title}: {in_unit(self.s.median(mine), unit)}, {others}, ratio {r:.2f} "
            f"(rounds {min(ratios):.2f} to {max(ratios):.2f}; goal {sense} {limit:g}: "
            f"{verdict(r, sense, limit)})")

    def bandwidth(self, title, mine, mpi, copy):
        """Against the better of two: MPI, and nine tenths of memcpy."""
        if self.s.why_not(mine, copy):
            return say(f"{title}: not measured: {self.s.why_not(mine, copy)}")
        parts = [f"memcpy {in_unit(self.s.median(copy), 'B/s')} (0.9 of it counts)"]
        best = [0.9 * x for x in self.s.values[copy]]
        if mpi in self.s.values:
            parts.insert(0, f"Open MPI {in_unit(self.s.median(mpi), 'B/s')}")
            best = [max(x, y) for x, y in zip(best, self.s.values[mpi])]
        else:
            parts.insert(0, f"Open MPI not measured: {self.s.why_not(mpi)}")
        ratios = [x / y for x, y in zip(self.s.values[mine], best)]
        return self.line(title, mine, ", ".join(parts) + ", to the better", ratios, "B/s", (">=", 1))

    def absolute(self, title, name, unit, sense, goal):
        if self.s.why_not(name):
            return say(f"{title}: not measured: {self.s.why_not(name)}")
        value = self.s.median(name)
        return say(f"{title}: {in_unit(value, unit)} (goal {sense} {in_unit(goal, unit)}: "
                   f"{verdict(value, sense, goal)})")


# ---- the comparisons ----

def latency(t, s, report, rounds):
    title = "shm half round trip 8 B"
    s.take_turns(rounds, {
        "lat": lambda: t.netbench_cell("half_rtt_s", "latency", "--sizes", "8"),
        "lat.floor": lambda: t.floor("pingpong", "half_rtt_s"),
        "lat.mpi": lambda: t.mpi("latency", "half_rtt_s"),
        "lat.netpipe": t.netpipe,
    })
    report.ratio(title, "lat", "lat.floor", "bare cache-line ping-pong", "s", "<=", 1.5)
    report.ratio(title, "lat", "lat.mpi", "Open MPI", "s", "<=", 0.6)
    report.ratio(title, "lat", "lat.netpipe", "Open MPI by NetPIPE (best of 7)", "s", "<=", 0.6)


def bandwidth(t, s, report, rounds):
    s.take_turns(rounds, {
        "bw": lambda: t.netbench_cell("bandwidth_Bps", "bandwidth", "--sizes", "1M"),
        "bw.copy": lambda: t.floor("copy", "copy_Bps"),
        "bw.mpi": lambda: t.mpi("bandwidth", "bandwidth_Bps"),
    })
    report.bandwidth("shm bandwidth 1 MiB, window 64", "bw", "bw.mpi", "bw.copy")


def msgrate(t, s, report, rounds):
    s.take_turns(rounds, {
        "rate": lambda: t.netbench_cell("rate_msgps", "msgrate", "--sizes", "8", "-w", "64"),
        "rate.mpi": lambda: t.mpi("msgrate", "rate_msgps"),
    })
    report.ratio("shm message rate 8 B, window 64", "rate", "rate.mpi", "Open MPI", "msg/s", ">=", 1.5)


def peaks(t, args, s, total, largest):
    """Seconds of a run; takes its peak memory along."""
    memory = MemoryWatch()
    seconds = wall([t.exe, *args, "-q"], memory)
    s.values.setdefault(total, []).append(memory.sum())
    s.values.setdefault(largest, []).append(memory.largest())
    return seconds


def whole_runs(t, s, report, rounds):
    beff = [t.exe, "beff", "-m", "20", "-q"]
    s.take_turns(rounds, {
        "beff": lambda: wall(beff),
        "beff16": lambda: wall([*beff, "-n", "16"]),
        "beff.watched": lambda: peaks(t, ["beff", "-m", "20"], s, "beff.sum", "beff.largest"),
    })
    s.take_turns(20, {"help": lambda: wall([t.exe, "--help"])})
    report.absolute("beff -m 20, wall", "beff", "s", "<", 20)
    report.absolute("beff -m 20 -n 16, wall", "beff16", "s", "<", 90)
    report.absolute("--help, wall, median of 20", "help", "s", "<", 10e-3)
    if s.why_not("beff.watched"):
        return say(f"beff -m 20, peak memory: not measured: {s.why_not('beff.watched')}")
    report.absolute("beff -m 20, peak resident memory of the largest process", "beff.largest", "MiB",
                    "<", 64 * MIB)
    return report.absolute("beff -m 20, the same summed over all processes, shared pages in each",
                           "beff.sum", "MiB", "<", 64 * MIB)


def sim_rate(t, loops):
    """Messages per second of wall time; what a run of one loop takes is start-up."""
    argv = [t.exe, "msgrate", "--backend", "sim", "--sizes", "8", "-w", "64", "--check", "none", "-q"]
    start_up = wall([*argv, "-l", "1"])
    return 64 * (loops - 1) / (wall([*argv, "-l", str(loops)]) - start_up)


def sim(t, s, report, rounds):
    many = ["beff", "--backend", "sim", "-n", "1024", "-m", "20", "-u", "64"]
    s.take_turns(rounds, {
        "sim": lambda: sim_rate(t, 200000),
        "sim.many": lambda: peaks(t, many, s, "sim.sum", "sim.largest"),
    })
    report.absolute("sim, messages a second of wall time without start-up", "sim", "msg/s", ">=", 1e6)
    report.absolute("sim, beff -n 1024 -m 20 -u 64, wall", "sim.many", "s", "<", 20)
    if s.why_not("sim.many"):
        return say(f"sim, the same, peak memory: not measured: {s.why_not('sim.many')}")
    return report.absolute("sim, the same, peak resident memory", "sim.largest", "MiB", "<", 1024 * MIB)


def per_iteration(row):
    return row["time_s"] / row["loops"]


def harness(t, s, report, rounds):
    """What the round driver itself costs: transfers are complete as soon as they are posted."""
    null = ["--backend", "null", "--sizes", "8"]
    s.take_turns(rounds, {
        "null": lambda: per_iteration(t.netbench("beff", *null, "-u", "1000000")),
        "null.window": lambda: per_iteration(t.netbench("msgrate", *null, "-w", "64")) / 65,
    })
    report.absolute("harness: null beff, time of a round / its iterations (one step, 4 transfers)",
                    "null", "ns", "<", 5e-9)
    report.absolute("harness: null msgrate, time of a round / its transfers (64 and a reply, 2 steps)",
                    "null.window", "ns", "<", 5e-9)


# ---- ----

def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--netbench", required=True, help="the program to measure")
    p.add_argument("--floor", help="built from floor.c")
    p.add_argument("--mpi-peer", help="built from mpi_peer.c")
    p.add_argument("--rounds", type=int, help="rounds of each comparison (default 9, --quick: 3)")
    p.add_argument("--quick", action="store_true", help="fewer rounds")
    return p.parse_args()


def main():
    args = arguments()
    rounds = args.rounds or (3 if args.quick else 9)
    s = Series()
    report = Report(s)
    with tempfile.TemporaryDirectory() as scratch:
        t = Tools(args, scratch)
        for part in (latency, bandwidth, msgrate):
            part(t, s, report, rounds)
        for part in (whole_runs, sim, harness):
            part(t, s, report, 1 if args.quick else 3)
    if t.others:
        say(f"others used {statistics.median(t.others):.2f} cores while netbench ran "
            f"(median; at most {max(t.others):.2f}): above 0.1 the figures are not to be relied on")
    for failure in s.failures:
        print(f"speed.py: {failure}", file=sys.stderr)
    return 1 if s.failures else 0


if __name__ == "__main__":
    sys.exit(main())
