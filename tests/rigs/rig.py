# SPDX-License-Identifier: Apache-2.0
"""What tests on the hosts of a cluster share, those of several hosts and those under Slurm: see the scripts of these names,
and relay.py, which has them run there."""
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time
import netbench
from netbench import NETBENCH, SLOW, Csv, equal, ok

CLUSTER = os.environ.get("CLUSTER", "")     # directory of the cluster's tools


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
    return netbench.lacks(backend, *(["--emulate", "fast"] if backend == "fpga" else []))


def lacks_mpich():
    """Why runs by MPICH cannot be tested; None if they can."""
    if not netbench.MPICH:
        return "no launcher of MPICH"
    return netbench.lacks("mpi", "--mpi", "mpich")


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
