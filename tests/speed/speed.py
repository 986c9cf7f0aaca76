#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast netbench is, next to what the machine can do and to what others make of it.

Every comparison runs its sides in turn (A B C A B C ...), because the machine is not the same
from one minute to the next. Each side's figure is its median over the rounds; a ratio is the median
of the ratios of each round, with the smallest and the largest of these behind it, and, of six rounds
or more, an interval of that median (95 %, by order statistics). A round during which others use the
machine is taken again, for as long as patience for that lasts.

Before each round a cache line goes to and fro between the two cores: the time is printed, since
cores of a virtual machine may be near each other in one minute and far in the next, and what is
copied between them takes as much longer.

A line names both sides, their ratio, and the goal. Goals are met or missed, never passed or failed:
the exit status is 0 unless a program fails. What cannot run here is "not measured".
"""
import argparse
import contextlib
import functools
import glob
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from ratios import interval_text

MIB = 1 << 20
MPIRUN = ["-n", "2", "--bind-to", "core", "--oversubscribe"]
MPI_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
SIZES = {"8 B": 8, "1 KiB": 1 << 10, "64 KiB": 1 << 16, "1 MiB": MIB}
WINDOW = 64             # of mpi_peer, too
REPETITIONS = 20        # of mpi_peer, too
SOCKPERF_LEN = 14       # its shortest message
UNAVAILABLE = 3         # netbench's exit status for what this machine lacks
TIMEOUT_S = 150
SERVER_S = 5            # for a server to begin to listen, and to end
OTHERS_CORES = 0.15     # a round is disturbed if others use more
PATIENCE_S = 60
QUICK_PATIENCE_S = 15


class Absent(Exception):
    """Not here, with the reason; not a failure."""


class Failed(Exception):
    """A program failed."""


# ---- running programs ----

def said(stderr):
    """One line: mpirun frames what it has to say with lines of dashes."""
    return next((line.strip() for line in stderr.splitlines() if re.search(r"\w", line)), "")


def fault(argv, status, stderr):
    text = f"'{' '.join(os.path.basename(a) for a in argv)}' ended with status {status}"
    return f"{text}: {said(stderr)}" if said(stderr) else text


def execute(argv, watch=None, env=None, cwd=None):
    """Runs a program to its end; its output. watch: called with the process while it runs."""
    env = {**os.environ, **MPI_ENV, **(env or {})}
    try:
        p = subprocess.Popen(argv, env=env, cwd=cwd, text=True, stdin=subprocess.DEVNULL,
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
    if p.returncode == UNAVAILABLE or "unknown backend" in err:
        raise Absent(said(err) or f"{argv[0]}: not available")
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


def find(program, package):
    path = shutil.which(program)
    if not path:
        raise Absent(f"no {program} (Debian: {package})")
    return path


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


def is_listening(port):
    """Looked up, not tried: some servers take one client and no more."""
    address = re.compile(rf"^ *\d+: [0-9A-F]+:{int(port):04X} \S+ 0A ", re.M)
    for table in glob.glob("/proc/net/tcp*"):
        with open(table, encoding="ascii") as f:
            if address.search(f.read()):
                return True
    return False


@contextlib.contextmanager
def server(argv, port, cwd):
    """While it lasts, the program listens. One that does not end by itself is ended."""
    with subprocess.Popen(argv, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as p:
        try:
            until = time.monotonic() + SERVER_S
            while not is_listening(port):
                if p.poll() is not None or time.monotonic() > until:
                    raise Failed(f"'{' '.join(argv)}' does not listen")
                time.sleep(0.01)
            yield
            with contextlib.suppress(subprocess.TimeoutExpired):
                p.wait(0.2)
        finally:
            p.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                p.wait(SERVER_S)
            p.kill()


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
        self.mpich_exe = args.mpich_peer
        self.scratch = scratch
        self.cpus = []

    def first_row(self, out):
        doc = json.loads(out)
        ranks = doc["environment"]["ranks"]
        if doc["environment"]["nranks"] == 2 and all(r["bound"] is not None for r in ranks):
            self.cpus = [str(r["bound"]) for r in ranks]
        return doc["rows"][0]

    def netbench(self, *args):
        return self.first_row(execute([self.exe, *args, "-f", "json", "-q"]))

    def netbench_mpi(self, cell, *args):
        """As many repetitions as mpi_peer has."""
        more = ["--repetitions", str(REPETITIONS), "--ci", "0", "-f", "json", "-q"]
        return self.first_row(self.mpirun(self.exe, *args, *more))[cell]

    def netbench_cell(self, cell, *args):
        return self.netbench(*args)[cell]

    def line_s(self):
        """A cache line's way from core to core, at its best; None if that is not known yet, or not at all."""
        return self.floor("pingpong", "half_rtt_best_s") if self.floor_exe and self.cpus else None

    def floor(self, mode, key):
        if not self.floor_exe:
            raise Absent("no program floor")
        return key_values(execute([self.floor_exe, mode, *self.cpus]))[key]

    @staticmethod
    def mpirun(*argv):
        return execute([find("mpirun", "openmpi-bin"), *MPIRUN, *argv])

    def mpi(self, mode, key, *size):
        if not self.mpi_exe:
            raise Absent("mpi_peer is not built: no MPI compiler")
        return key_values(self.mpirun(self.mpi_exe, mode, *size))[key]

    def netbench_mpich(self, cell, *args):
        """As netbench_mpi, by MPICH's launcher, which starts MPICH's peer, too."""
        more = ["--repetitions", str(REPETITIONS), "--ci", "0", "-f", "json", "-q"]
        return self.first_row(self.mpich_run(self.exe, *args, *more))[cell]

    @staticmethod
    def mpich_run(*argv):
        return execute([find("mpirun.mpich", "mpich"), "-n", "2", "-bind-to", "core", *argv])

    def mpich(self, mode, key, *size):
        if not self.mpich_exe:
            raise Absent("mpi_peer is not built for MPICH: no libmpich-dev")
        return key_values(self.mpich_run(self.mpich_exe, mode, *size))[key]

    def osu_mpich(self, size):
        """Its mean of one-way times, as it prints them, in us; osu_latency has to be MPICH's."""
        exe = find(os.environ.get("OSU_LATENCY_MPICH", "osu_latency"), "none; OSU_LATENCY_MPICH names it")
        out = self.mpich_run(exe, "-m", f"{size}:{size}")
        found = re.search(rf"^{size}\s+([\d.]+)", out, re.M)
        if not found:
            raise Failed(f"osu_latency prints no row of {size} bytes: {out[-200:]!r}")
        return float(found[1]) * 1e-6

    def netpipe_file(self):
        """Half the round trip, from NetPIPE's file.

        It holds bytes, Mbit/s (of 2^20 bits) and seconds; the second has more digits than the third.
        """
        with open(os.path.join(self.scratch, "netpipe"), encoding="ascii") as f:
            size, mbps = f.readline().split()[:2]
        return float(size) * 8 / (float(mbps) * MIB)

    @staticmethod
    def netpipe_args(size):
        return ["-l", str(size), "-u", str(size), "-p", "0", "-o", "netpipe"]

    def netpipe(self, size=8):
        """NetPIPE reports the best of its trials."""
        exe = find("NPopenmpi", "netpipe-openmpi")
        self.mpirun("--wdir", self.scratch, exe, *self.netpipe_args(size))
        return self.netpipe_file()

    # A server and its client each keep to the CPU that one of netbench's ranks has.

    def pinned(self, which, *argv):
        if not self.cpus:
            raise Absent("netbench's ranks are not bound to a CPU each")
        return [find("taskset", "util-linux"), "-c", self.cpus[which], *argv]

    def netpipe_tcp(self, size=8):
        exe, port = find("NPtcp", "netpipe-tcp"), free_port()
        args = ["-P", port, *self.netpipe_args(size)]
        with server(self.pinned(1, exe, *args), port, self.scratch):
            execute(self.pinned(0, exe, "-h", "127.0.0.1", *args), cwd=self.scratch)
        return self.netpipe_file()

    def sockperf(self, *how):
        """The median over its messages of half the round trip."""
        exe, port = find("sockperf", "sockperf"), free_port()
        args = ["--tcp", "-i", "127.0.0.1", "-p", port, *how]
        with server(self.pinned(1, exe, "server", *args), port, self.scratch):
            out = execute(self.pinned(0, exe, "ping-pong", *args, "-m", str(SOCKPERF_LEN), "-t",
                                      "1"))
        found = re.search(r"percentile 50\.000 = *([\d.]+)", out)
        if not found:
            raise Failed(f"sockperf names no median: {out[-200:]!r}")
        return float(found[1]) * 1e-6

    def iperf(self, *how):
        """What its receiver has counted, in B/s."""
        exe, port = find("iperf3", "iperf3"), free_port()
        with server(self.pinned(1, exe, "-s", "-1", "-p", port), port, self.scratch):
            out = execute(self.pinned(0, exe, "-c", "127.0.0.1", "-p", port, "-l", "1M", "-t", "2",
                                      "-J", *how))
        return json.loads(out)["end"]["sum_received"]["bits_per_second"] / 8

    def loads(self, name, *args):
        """How many files of such a name the dynamic linker loads for a run of netbench."""
        prefix = os.path.join(self.scratch, "loads")
        execute([self.exe, *args], env={"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": prefix})
        text = ""
        for path in glob.glob(prefix + ".*"):
            with open(path, encoding="utf-8", errors="replace") as f:
                text += f.read()
            os.unlink(path)
        loaded = set(re.findall(r"file=(\S+) \[0\]; +generating link map", text))
        if not any("libc.so" in path for path in loaded):
            raise Absent("the dynamic linker does not say what it loads")
        return sum(os.path.basename(path).startswith(name) for path in loaded)


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

    def __init__(self, patience_s, line_s):
        self.values, self.absent, self.failures = {}, {}, []
        self.patience_s, self.again, self.others = patience_s, 0, []
        self.line_s, self.lines = line_s, []    # how to measure a cache line's way; of the last take_turns

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
        self.lines = []
        while rounds:
            self.wait_for_quiet()
            line = self.line_s()
            others, start = Others(), time.monotonic()
            got = self.one_round(probes)
            cores = others.cores()
            if cores > OTHERS_CORES and self.patience_s > 0:
                self.patience_s -= time.monotonic() - start
                self.again += 1
                continue
            rounds -= 1
            self.others.append(cores)
            self.lines += [line] if line else []
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
    if unit == "ns" and value < 1e-6:
        return f"{value * 1e9:.2f} ns"
    return si(value, "s" if unit == "ns" else unit)


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
        say(f"{title}: {in_unit(self.s.median(mine), unit)}, {others}, ratio {r:.3f} "
            f"({interval_text(ratios)}rounds {min(ratios):.2f} to {max(ratios):.2f}{goal})")

    def line_time(self, what):
        """Of the rounds of the last comparison."""
        if self.s.lines:
            say(f"{what}: a cache line took {in_unit(statistics.median(self.s.lines), 's')} from core to core "
                f"({in_unit(min(self.s.lines), 's')} to {in_unit(max(self.s.lines), 's')})")

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

    def none(self, title, name, control_title, control):
        """A count that should be 0; the control's is for comparison."""
        why = self.s.why_not(name, control)
        if why:
            return say(f"{title}: not measured: {why}")
        value = self.s.median(name)
        return say(f"{title}: {value:g} (goal 0: {verdict(value, '<=', 0)}; {control_title}: "
                   f"{self.s.median(control):g})")


# ---- the comparisons ----

def latency(t, s, report, rounds):
    title = "shm half round trip 8 B"
    s.take_turns(rounds, {
        "lat": lambda: t.netbench_cell("half_rtt_epoch_s", "latency", "--sizes", "8"),
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
                 "Open MPI, which copies so too", "B/s", ">=", 1)


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


# Of an event with 4 sources: assignments or requests, data packets, decision.
FARMS = {"push farm": ("2.1", 4 + 4 + 1), "pull farm": ("2.2", 1 + 4 + 4 + 1), "pipeline 4-2-1": ("2.3", 4 + 2)}


def farm_event(t, number, loops):
    """Seconds of wall time per event in virtual time, over a network that takes none: what the farm's own code takes, and the
    simulator's. A run does every event twice, once observed."""
    only = ["--topology", "4-2-1"] if number == "2.3" else ["--sources", "4"]
    argv = [t.exe, f"atlas-{number}", "--backend", "sim", "--sim", "L=0,o=0,g=0,G=0", "--sizes", "64",
            "--occupation", "0", *only, "-q"]
    start_up = wall([*argv, "-l", "1"])
    return (wall([*argv, "-l", str(loops)]) - start_up) / (2 * (loops - 1))


def farms(t, s, report, rounds):
    probes = {f"farm_{number}": functools.partial(farm_event, t, number, 200000) for number, _ in FARMS.values()}
    s.take_turns(rounds, {**probes, "sim_message": lambda: 1 / sim_rate(t, 200000)})
    for title, (number, messages) in FARMS.items():
        mine = f"farm_{number}"
        if not s.why_not(mine, "sim_message"):
            s.values[f"{mine}_message"] = [v / messages for v in s.values[mine]]
        report.absolute(f"{title}, {messages} messages: wall time per event over a simulated network that takes none", mine,
                        "ns", "<", 10e-6)
        report.ratio(f"{title}: the same per message", f"{mine}_message", "sim_message",
                     "a message of a round in the simulator", "ns")


def mpi(t, s, report, rounds):
    """One rank a core; netbench and its peers under the same options of mpirun."""
    for name, size in SIZES.items():
        at, n = ["--sizes", str(size)], str(size)
        mine, peer, pipe, bw, bw_peer = (f"mpi_{what}_{n}" for what in
                                         ("lat", "lat_peer", "lat_netpipe", "bw", "bw_peer"))
        s.take_turns(rounds, {
            mine: functools.partial(t.netbench_mpi, "half_rtt_epoch_s", "latency", *at),
            peer: functools.partial(t.mpi, "latency", "half_rtt_s", n),
            pipe: functools.partial(t.netpipe, size),
        })
        s.take_turns(rounds, {
            bw: functools.partial(t.netbench_mpi, "bandwidth_Bps", "bandwidth", *at, "--window",
                                  str(WINDOW)),
            bw_peer: functools.partial(t.mpi, "bandwidth", "bandwidth_Bps", n),
        })
        title = f"mpi half round trip {name}"
        report.ratio(title, mine, peer, "bare MPI_Send and MPI_Recv", "s", "<=", 1.03)
        report.ratio(title, mine, pipe, "NetPIPE (best of 7)", "s", "<=", 1.03)
        report.ratio(f"mpi bandwidth {name}, window {WINDOW}", bw, bw_peer,
                     "bare MPI_Isend, MPI_Irecv and MPI_Waitall", "B/s", ">=", 0.97)


def mpich(t, s, report, rounds):
    """As mpi, by MPICH; its peer osu_latency where that is built for it."""
    for name, size in SIZES.items():
        at, n = ["--sizes", str(size)], str(size)
        mine, peer, osu, bw, bw_peer = (f"mpich_{what}_{n}" for what in
                                        ("lat", "lat_peer", "lat_osu", "bw", "bw_peer"))
        s.take_turns(rounds, {
            mine: functools.partial(t.netbench_mpich, "half_rtt_epoch_s", "latency", *at),
            peer: functools.partial(t.mpich, "latency", "half_rtt_s", n),
            osu: functools.partial(t.osu_mpich, size),
        })
        s.take_turns(rounds, {
            bw: functools.partial(t.netbench_mpich, "bandwidth_Bps", "bandwidth", *at, "--window",
                                  str(WINDOW)),
            bw_peer: functools.partial(t.mpich, "bandwidth", "bandwidth_Bps", n),
        })
        title = f"mpich half round trip {name}"
        report.ratio(title, mine, peer, "bare MPI_Send and MPI_Recv", "s", "<=", 1.03)
        report.ratio(title, mine, osu, "osu_latency (mean)", "s", "<=", 1.03)
        report.ratio(f"mpich bandwidth {name}, window {WINDOW}", bw, bw_peer,
                     "bare MPI_Isend, MPI_Irecv and MPI_Waitall", "B/s", ">=", 0.97)


def half_rtts(row):
    """Of a repetition, and of a single message."""
    return {"s": row["half_rtt_epoch_s"], "p50": row["half_rtt_p50_s"]}


def congestion_controls():
    """That of the kernel, and cubic where it is another: what paces its messages, as bbr does, is slower here."""
    with open("/proc/sys/net/ipv4/tcp_congestion_control", encoding="ascii") as f:
        usual = f.read().strip()
    with open("/proc/sys/net/ipv4/tcp_available_congestion_control", encoding="ascii") as f:
        return [usual, "cubic"] if usual != "cubic" and "cubic" in f.read().split() else [usual]


def tcp_latency(t, s, report, rounds):
    lat = ["latency", "--backend", "tcp", "--sizes", "8", "--tcp-wait"]
    s.take_turns(rounds, {
        "tcp_spin": lambda: half_rtts(t.netbench(*lat, "spin")),
        "tcp_sockperf_spin": lambda: t.sockperf("--nonblocked"),
        "tcp_block": lambda: half_rtts(t.netbench(*lat, "block")),
        "tcp_sockperf": t.sockperf,
        "tcp_netpipe": t.netpipe_tcp,
    })
    sockperf, netpipe = f"sockperf, {SOCKPERF_LEN} B", "NetPIPE (best of 7, blocking)"
    for mine, other, how, goal in (("tcp_spin", "tcp_sockperf_spin", "spinning", ("<=", 1)),
                                   ("tcp_block", "tcp_sockperf", "blocking", ())):
        title = f"tcp half round trip 8 B, {how}"
        report.ratio(f"{title}, median of the messages", f"{mine}.p50", other, sockperf, "s", *goal)
        report.ratio(title, f"{mine}.s", "tcp_netpipe", netpipe, "s", *goal)


# How each is run; iperf3 sleeps between its messages, as block does.
STREAMS = {
    "window 64": ["--window", "64"],
    "window 64, blocking": ["--window", "64", "--tcp-wait", "block"],
    "window 64, spinning": ["--window", "64", "--tcp-wait", "spin"],
    "window 64, send buffer of 512 KiB": ["--window", "64", "--tcp-sndbuf", "256k"],
    "window 4": ["--window", "4"],
    "window 1": ["--window", "1"],
}


def tcp_stream(t, s, report, rounds, control):
    """Both sides with this congestion control, and otherwise with what the kernel gives."""
    bw = ["bandwidth", "--backend", "tcp", "--sizes", "1M", "--tcp-congestion", control]
    mine = {f"tcp_{control}_{how}": [*bw, *args] for how, args in STREAMS.items()}
    theirs = f"tcp_{control}_iperf"
    s.take_turns(rounds, {
        **{name: functools.partial(t.netbench_cell, "bandwidth_Bps", *args) for name, args in mine.items()},
        theirs: functools.partial(t.iperf, "-C", control),
    })
    for how, name in zip(STREAMS, mine):
        goal = (">=", 1) if how == "window 64" else ()
        report.ratio(f"tcp bandwidth 1 MiB, {control}, {how}", name, theirs, "iperf3", "B/s", *goal)


def tcp(t, s, report, rounds):
    """Over the loop-back, one rank a core."""
    tcp_latency(t, s, report, rounds)
    report.line_time("tcp latency")
    for control in congestion_controls():
        tcp_stream(t, s, report, rounds, control)
        report.line_time(f"tcp bandwidth, {control}")


def crowd(t, s, report, _rounds):
    """More ranks than cores: each has to wait for its turn, and the run ends nonetheless."""
    beff = [t.exe, "beff", "-m", "16", "-q"]
    s.take_turns(1, {
        "crowd_tcp": lambda: wall([*beff, "-n", "16", "--backend", "tcp"]),
        "crowd_mpi": lambda: wall([find("mpirun", "openmpi-bin"), "--oversubscribe", "-n", "16",
                                   *beff]),
    })
    report.absolute("tcp, beff -m 16 -n 16, wall", "crowd_tcp", "s", "<", 120)
    report.absolute("mpi, beff -m 16 under mpirun --oversubscribe -n 16, wall", "crowd_mpi", "s",
                    "<", 120)


def libraries(t, s, report, _rounds):
    """What needs no MPI does not load it. list does: it shows that this way to tell works."""
    runs = {"list": ["list"], "--help": ["--help"],
            "model": ["model", "--board", "520n", "-n", "2"]}
    s.take_turns(1, {f"loads_{name}": functools.partial(t.loads, "libmpi", *args)
                     for name, args in runs.items()})
    for name in ("--help", "model"):
        report.none(f"{name}, files named libmpi that it loads", f"loads_{name}", "list",
                    "loads_list")


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


# Each with its rounds, in full and with --quick.
PARTS = {
    "latency": (latency, 7, 3),
    "bandwidth": (bandwidth, 9, 3),
    "msgrate": (msgrate, 7, 3),
    "mpi": (mpi, 5, 2),
    "mpich": (mpich, 5, 2),
    "tcp": (tcp, 9, 2),
    "runs": (whole_runs, 3, 1),
    "crowd": (crowd, 1, 1),
    "libraries": (libraries, 1, 1),
    "sim": (sim, 3, 1),
    "farms": (farms, 3, 1),
    "harness": (harness, 3, 1),
}


# ---- ----

def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--netbench", required=True, help="the program to measure")
    p.add_argument("--floor", help="built from floor.c")
    p.add_argument("--mpi-peer", help="built from mpi_peer.c")
    p.add_argument("--mpich-peer", help="built from it for MPICH")
    p.add_argument("--rounds", type=int, help="rounds of each comparison (default 3 to 7)")
    p.add_argument("--quick", action="store_true", help="fewer rounds")
    p.add_argument("--only", action="append", choices=PARTS, metavar="NAME",
                   help="this part (may be given several times): " + ", ".join(PARTS))
    return p.parse_args()


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        t = Tools(args, scratch)
        s = Series(QUICK_PATIENCE_S if args.quick else PATIENCE_S, t.line_s)
        report = Report(s)
        for name in args.only or PARTS:
            part, full, quick = PARTS[name]
            part(t, s, report, args.rounds or (quick if args.quick else full))
            if name in ("latency", "bandwidth", "msgrate"):
                report.line_time(name)
    disturbed = sum(cores > OTHERS_CORES for cores in s.others)
    say(f"rounds: {len(s.others)}; {disturbed} of them while others used more than {OTHERS_CORES} "
        f"cores (median {statistics.median(s.others):.2f}, at most {max(s.others):.2f}); {s.again} "
        "more were disturbed and taken again")
    for failure in s.failures:
        print(f"speed.py: {failure}", file=sys.stderr)
    return 1 if s.failures else 0


if __name__ == "__main__":
    sys.exit(main())
