# SPDX-License-Identifier: Apache-2.0
"""Tests on the hosts of a cluster (see the script of that name): what those of several hosts and those under
Slurm share. A test's script runs itself again inside a cluster, for one part of its checks at a time."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from tap import NETBENCH, SLOW, Csv, equal, ok, run, skip

HERE = os.path.dirname(os.path.abspath(__file__))
CLUSTER = os.environ.get("CLUSTER", "")     # inside: directory of the cluster's tools
PART = os.environ.get("RIG_PART", "")       # inside: what to check


# ---- outside ----

def why_not(program, *args):
    """Why a rig does not work here; None if it does."""
    p = subprocess.run([os.path.join(HERE, program), "--check", *args], stdin=subprocess.DEVNULL,
                       capture_output=True, text=True, timeout=60 * SLOW)
    return None if p.returncode == 0 else (p.stdout + p.stderr).strip() or f"{program} does not work"


def skip_all(reason):
    print(f"1..0 # SKIP {reason}", flush=True)
    sys.exit(0)


def _run_part(part, cluster_args, under, seconds):
    """Runs a part of this script in a cluster. Returns what it printed, a line each, and its exit status."""
    command = [os.path.join(HERE, "cluster"), *cluster_args, "--", *under,
               sys.executable, "-B", sys.argv[0], NETBENCH]
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                         env={**os.environ, "RIG_PART": part})
    timer = threading.Timer(seconds * SLOW, p.kill)     # which takes the cluster along
    timer.start()
    out = p.stdout.read()
    timer.cancel()
    return out.splitlines(), p.wait()


def _pass_on(part, lines, status):
    """A part's checks become ours. Returns the values that it gave."""
    values = {}
    for line in lines:
        if m := re.match(r"# value (\w+) (\S+)$", line):
            values[m[1]] = float(m[2])
        elif m := re.match(r"ok \d+ - (.*) # SKIP (.*)", line):
            skip(m[1], m[2])
        elif m := re.match(r"(ok|not ok) \d+ - (.*)", line):
            ok(m[1] == "ok", m[2])
        elif line.startswith("#"):
            print(line, flush=True)
    if not any(line.startswith("1..") for line in lines):
        ok(False, f"{part}: comes to its end in time", f"exit {status}")
    return values


def relay(part, cluster_args, under=(), seconds=60):
    """Runs a part of this script in a cluster. Returns the values that it gave."""
    return _pass_on(part, *_run_part(part, cluster_args, under, seconds))


def relay_at_once(parts, cluster_args, under=(), seconds=60):
    """Runs parts of this script at the same time, each in a cluster."""
    with ThreadPoolExecutor(len(parts)) as pool:
        ends = pool.map(lambda part: _run_part(part, cluster_args, under, seconds), parts)
        for part, end in zip(parts, ends):
            _pass_on(part, *end)


# ---- inside ----

def give(name, value):
    """A value for the script outside."""
    print(f"# value {name} {value!r}", flush=True)


def tool(name, *args):
    return subprocess.run([os.path.join(CLUSTER, name), *args], check=True, capture_output=True,
                          text=True, timeout=20 * SLOW).stdout


def traffic(host):
    """Bytes that a host has sent and has received."""
    sent, received = map(int, tool("bytes", host).split())
    return sent, received


def on(host, args):
    """A command as one that runs on a host."""
    return [os.path.join(CLUSTER, "rsh"), host, shlex.join(map(str, args))]


def finish_all(commands, seconds):
    """The ends of several commands, all of them within a time from now."""
    last = time.monotonic() + seconds * SLOW
    return [c.end((last - time.monotonic()) / SLOW) for c in commands]


# ---- processes ----

def host_of(pid):
    with open(os.path.join(CLUSTER, "hosts")) as f:
        hosts = [line.split()[0] for line in f]
    for host in hosts:
        with open(os.path.join(CLUSTER, host + ".pid")) as f:
            holder = f.read().strip()
        if os.readlink(f"/proc/{holder}/ns/uts") == os.readlink(f"/proc/{pid}/ns/uts"):
            return host
    return None


def netbenches(host=None):
    """Processes of the netbench under test that live, on one host or on all."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.samefile(f"/proc/{pid}/exe", NETBENCH) and host in (None, host_of(pid)):
                found.append(int(pid))
        except OSError:
            pass        # has ended, or is about to
    return sorted(found)


def sweep():
    """Kills what a check has left, for the sake of the next."""
    for pid in netbenches():
        try:
            os.kill(pid, 9)
        except ProcessLookupError:
            pass


# ---- MPI ----

def open_mpi():
    if not shutil.which("mpirun"):
        return False
    p = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, timeout=20 * SLOW)
    return "Open MPI" in p.stdout


def lacks(backend):
    """Why a backend cannot be tested; None if it can."""
    if backend == "mpi" and not open_mpi():
        return "no mpirun of Open MPI"
    emulate = ["--emulate", "fast"] if backend == "fpga" else []
    done = run("beff", "--backend", backend, *emulate, "--dry-run")
    return done.err.strip() if done.rc == 3 or "unknown backend" in done.err else None


# ---- results ----

QUICK = ["--point-time", "50ms"]
RESULTS = ["-f", "csv", "-o", "x.json"]     # for check_run


def read(*path):
    try:
        with open(os.path.join(*path)) as f:
            return f.read()
    except FileNotFoundError:
        return ""


def read_json(*path):
    try:
        return json.loads(read(*path))
    except ValueError:
        return {}


def whole_rows(text):
    """How many rows a CSV has; -1 if it is torn."""
    table = Csv(text)
    whole = text.endswith("\n") and table.columns and not table.broken
    return len(table.rows) if whole else -1


def moved(table):
    """Bytes that rank 0 has sent at least: those of the repetitions that were counted."""
    return sum(r["size_B"] * r["loops"] * r.get("window", 1) * r["repetitions"] for r in table.rows)


def check_run(name, start, n, kind, backend):
    """A run with a rank on each of n hosts. start gets a directory and gives commands, that of rank 0 first."""
    hosts = [f"n{i}" for i in range(n)]
    with tempfile.TemporaryDirectory() as place:
        before = {h: traffic(h) for h in hosts}
        done = finish_all(start(place), 30)
        grown = {h: [b - a for a, b in zip(before[h], traffic(h))] for h in hosts}
        record, table = read_json(place, "x.json"), Csv(done[0].out)
    ok(all(d.rc == 0 for d in done), f"{name}: every exit is 0", "\n".join(map(str, done)))
    ok(not any(d.out for d in done[1:]), f"{name}: only rank 0 prints", [d.out for d in done[1:]])
    ok(not any("reach" in x for x in done[0].warnings), f"{name}: rank 0 was reached", done[0])
    equal((table.status, record.get("status")), ("complete", "complete"), f"{name}: complete")
    there = record.get("environment", {})
    equal((there.get("nranks"), [r["host"] for r in there.get("ranks", [])]), (n, hosts),
          f"{name}: each rank has its host")
    equal((there.get("backend", {}).get("job"), there.get("backend", {}).get("name")), (kind, backend),
          f"{name}: job and backend")
    ok(table.rows and not any(r["errors"] for r in table.rows) and all(r["checked"] for r in table.rows),
       f"{name}: content", table.rows[:1])
    least = moved(table)
    ok(least and grown["n0"][0] >= least and grown["n1"][1] >= least,
       f"{name}: n0 has sent and n1 has received {least} bytes", grown)
