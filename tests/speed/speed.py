#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast netbench is, next to what the machine can do and to what others make of it.

Every comparison runs its sides in turn (A B C A B C ...), because the machine is not the same
from one minute to the next. Each side's figure is its median over the rounds; a ratio is the median
of the ratios of each round, with the smallest and the largest of these behind it. A round during
which others use the machine is taken again, for as long as patience for that lasts.

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
OTHERS_CORES = 0.15     # a round is disturbed if others use more
PATIENCE_S = 60
QUICK_PATIENCE_S = 15


class Absent(Exception):
    """Not here, with the reason; not a failure."""


class Failed(Exception):
    """A program failed."""


# ---- running programs ----

def fault(argv, status, stderr):
    """One line: mpirun frames what it has to say with lines of dashes."""
    said = [line.strip() for line in stderr.splitlines() if re.search(r"\w", line)]
    text = f"'{' '.join(os.path.basename(a) for a in argv)}' ended with status {status}"
    return f"{text}: {said[0]}" if said else text


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

    def netbench(self, *args):
        doc = json.loads(execute([self.exe, *args, "-f", "json", "-q"]))
        ranks = doc["environment"]["ranks"]
        if doc["environment"]["nranks"] == 2 and all(r["bound"] is not None for r in ranks):
            self.cpus = [str(r["bound"]) for r in ranks]
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

def cpu_busy_s():
    """Seconds that all CPUs were not idle, or were taken from this machine by its host."""
    with open("/proc/stat", encoding="ascii") as f:
        user, nice, system, _, _, irq, softirq, steal = map(int, f.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


class Others:
    """Cores that others use from its making on; children count when they have ended."""

    def __init__(self):
        self.busy, self.own, self.start = cpu_busy_s(), sum(os.times()[:4]), time.monotonic()

    def cores(self):
        others = cpu_busy_s() - self.busy - (sum(os.times()[:4]) - self.own)
        return max(0, others) / (time.monotonic() - self.start)


class Series:
    """What the rounds gave, by name; a probe that yields a dict has a name for each of its keys.

    absent: why a name has no values.
    """

    def __init__(self, patience_s):
        self.values, self.absent, self.failures = {}, {}, []
        self.patience_s, self.again, self.others = patience_s, 0, []

    def wait_for_quiet(self):
        while self.patience_s > 0:
            others = Others()
            time.sleep(0.2)
            if others.cores() <= OTHERS_CORES:
                return
            self.patience_s -= 0.2

    def one_round(self, probes):
        got = {}
        for name, probe in list(probes.items()):
            try:
                value = probe()
            except (Absent, Failed) as e:
                self.absent[name] = str(e)
                self.values.pop(name, None)
                del probes[name]
                if isinstance(e, Failed):
                    self.failures.append(str(e))
                continue
            got.update({f"{name}.{k}": v for k, v in value.items()} if isinstance(value, dict)
                       else {name: value})
        return got

    def take_turns(self, rounds, probes):
        probes = dict(probes)
        while rounds:
            self.wait_for_quiet()
            others, start = Others(), time.monotonic()
            got = self.one_round(probes)
            cores = others.cores()
            if cores > OTHERS_CORES and self.patience_s > 0:
                self.patience_s -= time.monotonic() - start
                self.again += 1
                continue
            rounds -= 1
            self.others.append(cores)
            for name, value in got.items():
                self.values.setdefault(name, []).append(value)

    def why_not(self, *names):
        """Why one of the names has no values; None if all have."""
        lacking = (n for n in names if n not in self.values)
        return next((self.absent.get(n) or self.absent.get(n.split(".")[0], "no result")
                     for n in lacking), None)

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

    def ratio(self, title, mine, name, theirs, unit, sense=None, goal=None):
        """Line of mine against one other; theirs: the other's name in words. Without a goal: for information."""
        why = self.s.why_not(mine, name)
        if why:
            return say(f"{title} against {theirs}: not measured: {why}")
        a, b = self.s.values[mine], self.s.values[name]
        return self.line(title, mine, f"{theirs} {in_unit(self.s.median(name), unit)}",
                         [x / y for x, y in zip(a, b)], unit, (sense, goal))

    def line(self, title, mine, others, ratios, unit, goal):
        sense, limit = goal
        r = statistics.median(ratios)
        goal = f"; goal {sense} {limit:g}: {verdict(r, sense, limit)}" if sense else ""
        say(f"{title}: {in_unit(self.s.median(mine), unit)}, {others}, ratio {r:.2f} "
            f"(rounds {min(ratios):.2f} to {max(ratios):.2f}{goal})")

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
        return self.line(title, mine, ", ".join(parts) + ", to the better", ratios, "B/s",
                         (">=", 1))

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
        "lat_floor": lambda: t.floor("pingpong", "half_rtt_s"),
        "lat_mpi": lambda: t.mpi("latency", "half_rtt_s"),
        "lat_netpipe": t.netpipe,
    })
    report.ratio(title, "lat", "lat_floor", "bare cache-line ping-pong", "s", "<=", 1.5)
    report.ratio(title, "lat", "lat_mpi", "Open MPI", "s", "<=", 0.6)
    report.ratio(title, "lat", "lat_netpipe", "Open MPI by NetPIPE (best of 7)", "s", "<=", 0.6)


def bandwidth(t, s, report, rounds):
    s.take_turns(rounds, {
        "bw": lambda: t.netbench_cell("bandwidth_Bps", "bandwidth", "--sizes", "1M"),
        "bw_cma": lambda: t.netbench_cell("bandwidth_Bps", "bandwidth", "--sizes", "1M", "--shm-copy",
                                          "cma"),
        "bw_copy": lambda: t.floor("copy", "copy_Bps"),
        "bw_mpi": lambda: t.mpi("bandwidth", "bandwidth_Bps"),
    })
    report.bandwidth("shm bandwidth 1 MiB, window 64", "bw", "bw_mpi", "bw_copy")
    report.ratio("the same from private memory with process_vm_readv", "bw_cma", "bw_mpi",
                 "Open MPI, which copies so too", "B/s")


def msgrate(t, s, report, rounds):
    s.take_turns(rounds, {
        "rate": lambda: t.netbench_cell("rate_msgps", "msgrate", "--sizes", "8", "-w", "64"),
        "rate_mpi": lambda: t.mpi("msgrate", "rate_msgps"),
    })
    report.ratio("shm message rate 8 B, window 64", "rate", "rate_mpi", "Open MPI", "msg/s", ">=",
                 1.5)


def with_peaks(argv):
    """Seconds of a run, and its peak memory."""
    memory = MemoryWatch()
    return {"s": wall(argv, memory), "largest": memory.largest(), "sum": memory.sum()}


def whole_runs(t, s, report, rounds):
    beff = [t.exe, "beff", "-m", "20", "-q"]
    s.take_turns(rounds, {
        "beff": lambda: wall(beff),
        "beff16": lambda: wall([*beff, "-n", "16"]),
        "memory": lambda: with_peaks(beff),
    })
    s.take_turns(1, {"help": lambda: statistics.median(wall([t.exe, "--help"]) for _ in range(20))})
    report.absolute("beff -m 20, wall", "beff", "s", "<", 20)
    report.absolute("beff -m 20 -n 16, wall", "beff16", "s", "<", 90)
    report.absolute("--help, wall, median of 20", "help", "s", "<", 10e-3)
    report.absolute("beff -m 20, peak resident memory of the largest process", "memory.largest",
                    "MiB", "<", 64 * MIB)
    report.absolute("beff -m 20, the same summed over its processes, shared pages in each",
                    "memory.sum", "MiB", "<", 64 * MIB)


def sim_rate(t, loops):
    """Messages per second of wall time; what a run of one loop takes is start-up."""
    argv = [t.exe, "msgrate", "--backend", "sim", "--sizes", "8", "-w", "64", "--check", "none",
            "-q"]
    start_up = wall([*argv, "-l", "1"])
    return 64 * (loops - 1) / (wall([*argv, "-l", str(loops)]) - start_up)


def sim(t, s, report, rounds):
    many = [t.exe, "beff", "--backend", "sim", "-n", "1024", "-m", "20", "-u", "64", "-q"]
    s.take_turns(rounds, {
        "sim": lambda: sim_rate(t, 200000),
        "many": lambda: with_peaks(many),
    })
    report.absolute("sim, messages a second of wall time without start-up", "sim", "msg/s", ">=",
                    1e6)
    report.absolute("sim, beff -n 1024 -m 20 -u 64, wall", "many.s", "s", "<", 20)
    report.absolute("sim, the same, peak resident memory", "many.largest", "MiB", "<", 1024 * MIB)


def per_iteration(row):
    return row["time_s"] / row["loops"]


def harness(t, s, report, rounds):
    """What the round driver itself costs: transfers are complete as soon as they are posted."""
    null = ["--backend", "null", "--sizes", "8"]
    s.take_turns(rounds, {
        "null": lambda: per_iteration(t.netbench("beff", *null, "-u", "1000000")),
        "null_window": lambda: per_iteration(t.netbench("msgrate", *null, "-w", "64")) / 65,
    })
    report.absolute("harness: null beff, time of a round / its iterations (1 step, 4 transfers)",
                    "null", "ns", "<", 5e-9)
    report.absolute("harness: null msgrate, time of a round / its transfers (64 and a reply)",
                    "null_window", "ns", "<", 5e-9)


# ---- ----

def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--netbench", required=True, help="the program to measure")
    p.add_argument("--floor", help="built from floor.c")
    p.add_argument("--mpi-peer", help="built from mpi_peer.c")
    p.add_argument("--rounds", type=int, help="rounds of each comparison (default 7, --quick: 3)")
    p.add_argument("--quick", action="store_true", help="fewer rounds")
    return p.parse_args()


def main():
    args = arguments()
    rounds = args.rounds or (3 if args.quick else 7)
    s = Series(QUICK_PATIENCE_S if args.quick else PATIENCE_S)
    report = Report(s)
    with tempfile.TemporaryDirectory() as scratch:
        t = Tools(args, scratch)
        for part in (latency, bandwidth, msgrate):
            part(t, s, report, rounds)
        for part in (whole_runs, sim, harness):
            part(t, s, report, 1 if args.quick else 3)
    disturbed = sum(cores > OTHERS_CORES for cores in s.others)
    say(f"rounds: {len(s.others)}; {disturbed} of them while others used more than {OTHERS_CORES} "
        f"cores (median {statistics.median(s.others):.2f}, at most {max(s.others):.2f}); {s.again} "
        "more were disturbed and taken again")
    for failure in s.failures:
        print(f"speed.py: {failure}", file=sys.stderr)
    return 1 if s.failures else 0


if __name__ == "__main__":
    sys.exit(main())
