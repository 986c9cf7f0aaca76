#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random signals at random moments to random processes of runs: no torn row, no process that is left, and an exit
status that the manual has.

usage: signals.py netbench number-of-signals [seed]
"""
import json
import os
import shutil
import signal
import socket
import time
from campaign import Failed, campaign, check, faults, marked, whole_csv

SIGNALS = ["INT", "TERM", "HUP", "QUIT", "KILL", "SEGV", "ABRT", "PIPE", "ALRM", "USR1", "XCPU", "STOP"]
ASKED = ["INT", "TERM", "HUP"]      # end a run in order
COMMANDS = [["beff", "-m", "7"], ["latency", "--sizes", "1:512:*8"], ["bandwidth", "--sizes", "1:512:*8", "--window", "8"],
            ["atlas-1.3", "-m", "7", "--load", "none"], ["atlas-2.1", "-m", "7", "--occupation", "0", "-l", "50"]]
RUN = ["--point-time", "40ms", "--ci", "0", "-o", "x.csv", "-o", "x.json"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def fork(backend):
    def start(t, command, n):
        return [t.start([*command, "-b", backend, *n, *RUN])]
    return start


def mpirun(t, command, n):
    return [t.start([*command, "-b", "mpi", *RUN], ["mpirun", "-n", "4"])]


def join(t, command, n):
    port = free_port()
    return [t.start([*command, *(n or ["-n", "2"]), *RUN, "--listen", port]),
            *(t.start([command[0], "--join", f"127.0.0.1:{port}"]) for _ in range(int(n[1]) - 1 if n else 1))]


WAYS = {"shm": fork("shm"), "tcp": fork("tcp"), "join": join, **({"mpi": mpirun} if shutil.which("mpirun") else {})}


def hit(t, pid, name):
    os.kill(pid, getattr(signal, f"SIG{name}"))
    if name == "STOP":
        time.sleep(t.random.uniform(0.05, 0.5))
        os.kill(pid, signal.SIGCONT)


def whole_json(path):
    """The status that it has; None if there is no such file or nothing in it yet."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return None
    with open(path, encoding="utf-8") as f:
        text = f.read()
    try:
        return json.loads(text)["status"]
    except (ValueError, KeyError) as e:
        raise Failed(f"the JSON is torn: {e} | {text[-200:]}") from None


def judge(way, name, first, done):
    """first: the signal went to the process that the user started."""
    status = done.rc
    number = getattr(signal, f"SIG{name}")
    allowed = {0, 1, 128 + number, -number if first else 1}
    if way == "mpi":        # the status is mpirun's, which has more
        allowed |= set(range(1, 256)) | {-number}
    if way == "join" and not first and name in ASKED:
        allowed |= {128 + number}
    check(status is not None, "hangs", done)
    check(status in allowed, f"status {status} is not one of {sorted(allowed)}", done)
    check("Sanitizer" not in done.err.replace("AddressSanitizer:DEADLYSIGNAL", "") or name in ("SEGV", "ABRT"), "sanitizer", done)
    if way != "mpi" and status == 1:
        check(faults(done), "a fault that is not told", done)


def one_try(t):
    way, name = t.random.choice(list(WAYS)), t.random.choice(SIGNALS)
    command = t.random.choice(COMMANDS)
    n = ["-n", "4"] if command[0] in ("beff", "atlas-1.3") else []
    if command[0] == "atlas-2.1":
        command = [*command, "--sources", "2", "--destinations", "1"]
        n = ["-n", "4"] if way == "join" else []
    t.classes = {f"signals: {way}": 1}
    processes = WAYS[way](t, command, n)
    time.sleep(t.random.uniform(0.0, 1.2))
    victims = [processes[0].pid] + [p for p in marked(t.mark) if p != processes[0].pid]
    victim = t.random.choice(victims)
    what = f"{way} {' '.join(command)}: SIG{name} to {victims.index(victim)} of {len(victims)}"
    try:
        try:
            hit(t, victim, name)
        except ProcessLookupError:
            pass
        done = [t.end(p, 60) for p in processes]
        judge(way, name, victim == processes[0].pid, done[0])
        for d in done[1:]:
            check(d.rc is not None, "a rank that joined hangs", d)
        whole_csv(t.path("x.csv.part"))
        whole_json(t.path("x.json.part"))
        table, status = whole_csv(t.path("x.csv")), whole_json(t.path("x.json"))
        if done[0].rc == 0:
            check(table and table.status == "complete" and status == "complete", "exit 0, and not complete", done[0])
    except Failed as e:
        raise Failed(f"{what}: {e}") from None


if __name__ == "__main__":
    campaign(one_try)
