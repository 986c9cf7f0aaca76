# SPDX-License-Identifier: Apache-2.0
"""What the campaigns share: many tries with random faults, from a seed; what does not survive one is told with the seed
that does it again. A campaign prints a line "class, tried, survived" for each class; exit status 1 if anything failed.

usage: CAMPAIGN.py netbench number-of-tries [seed]
"""
import collections
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from netbench import MPI_ENV, SLOW, Csv, faults, Done, is_alive     # noqa: E402

MARK = "NETBENCH_CAMPAIGN"      # in the environment of all that a try starts: so none of it escapes
STATUSES = range(5)             # that netbench itself ends with


class Failed(Exception):
    """A try that was not survived, and why."""


def check(good, why, *details):
    if not good:
        raise Failed(" | ".join([why, *(" ".join(str(d).split())[-600:] for d in details)]))


def marked(mark):
    """The processes that live and have this mark."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if f"{MARK}={mark}\0".encode() in f.read() and is_alive(pid):
                    found.append(int(pid))
        except OSError:
            pass        # has ended, or is another user's
    return sorted(found)


class Try:
    """One try: a directory, random numbers of its own, and what it starts."""

    def __init__(self, netbench, seed, place):
        self.netbench, self.place, self.mark = netbench, place, f"{os.getpid()}-{seed}"
        self.random = random.Random(seed)
        self.env = {**os.environ, **MPI_ENV, MARK: self.mark, "NETBENCH_SECRET": "a secret of campaigns"}

    def path(self, name):
        return os.path.join(self.place, name)

    def start(self, args, words=(), preexec=None):
        """A netbench under way; words: of a launcher. Its output goes to files."""
        argv = [*words, self.netbench, *map(str, args)]
        out = open(self.path(f"stdout-{len(os.listdir(self.place))}"), "wb+")
        err = open(self.path(f"stderr-{len(os.listdir(self.place))}"), "wb+")
        p = subprocess.Popen(argv, cwd=self.place, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=self.env,
                             start_new_session=True, preexec_fn=preexec)
        p.started, p.files, p.line = time.monotonic(), (out, err), [str(a) for a in args]
        return p

    def end(self, p, seconds):
        """How it ended; rc None: not within this time."""
        try:
            p.wait(seconds * SLOW)
        except subprocess.TimeoutExpired:
            pass
        said = [os.pread(f.fileno(), 1 << 24, 0).decode(errors="replace") for f in p.files]
        for f in p.files:
            f.close()
        return Done(p.line, p.returncode, *said, time.monotonic() - p.started)

    def sweep(self, seconds=5):
        """What is left after this time, once it is killed."""
        last = time.monotonic() + seconds * SLOW
        while (left := marked(self.mark)) and time.monotonic() < last:
            time.sleep(0.05)
        for pid in left:
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass
        return left


def ended_well(done):
    """As the manual says: a known status, no crash, one line for a fault."""
    check(done.rc is not None, "hangs", done)
    check(done.rc in STATUSES, "ends in no order", done)
    check("Sanitizer" not in done.err and "runtime error:" not in done.err, "a sanitizer has found something", done)
    if not any(a.startswith("--verbose") for a in done.args):       # which says more
        check(len(faults(done)) == (done.rc not in (0, 4)), "not one line for a fault", done)


def whole_csv(path):
    """None if there is no such file; else the table, which has no torn row."""
    try:
        with open(path, encoding="utf-8") as f:
            text = f.read()
    except FileNotFoundError:
        return None
    table = Csv(text)
    check(not text or text.endswith("\n"), "a torn line", text[-200:])
    check(not table.broken, "a torn row", text[-300:])
    return table


def campaign(one_try, parallel=2):
    """Makes the tries. one_try(Try) returns {class: number of tries}, or raises Failed with them as `.classes`."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    netbench, tries = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    tried, survived, count = collections.Counter(), collections.Counter(), [0]
    busy, seeds = threading.Lock(), iter(range(first, first + 10 * tries))

    def work():
        while True:
            with busy:
                if count[0] >= tries:
                    return
                seed = next(seeds)
                count[0] += 1       # more, once it is known how many it were
            with tempfile.TemporaryDirectory() as place:
                t = Try(netbench, seed, place)
                t.classes = {}
                try:
                    one_try(t)
                    left = t.sweep()
                    check(not left, f"left behind: {left}")
                    why = None
                except Failed as e:
                    why = str(e)
                    t.sweep(0)
            with busy:
                count[0] += max(sum(t.classes.values()), 1) - 1
                tried.update(t.classes)
                if why is None:
                    survived.update(t.classes)
                else:
                    print(f"NOT SURVIVED (seed {seed}, {', '.join(t.classes)}): {why}", flush=True)

    with ThreadPoolExecutor(parallel) as pool:
        for f in [pool.submit(work) for _ in range(parallel)]:
            f.result()
    for name in sorted(tried):
        print(f"{name}, {tried[name]}, {survived[name]}")
    print(f"all, {sum(tried.values())}, {sum(survived.values())}", flush=True)
    sys.exit(tried != survived)
