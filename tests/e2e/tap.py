# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests share: checks in TAP, running netbench, reading its CSV."""
import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

# Builds with sanitizers, emulators: everything may take this many times longer.
SLOW = 5 if os.environ.get("NETBENCH_TEST_SLOW") else 1

# Sanitizers remark on stderr that they dislike makecontext; that is not netbench's.
NOISE = re.compile(r"^(==\d+==WARNING: ASan |False positive error reports may follow"
                   r"|For details see https://github.com/google/sanitizers/issues/189).*\n", re.M)

# Which of its checks a script makes, its last argument: "quick", those of meson's set-up of that name, or "rest", the others;
# without either, all.
PART = sys.argv.pop() if sys.argv[-1] in ("quick", "rest") else ""

if len(sys.argv) < 2:
    sys.exit(f"usage: {sys.argv[0]} netbench [argument ...] [quick|rest]")
NETBENCH = os.path.abspath(sys.argv[1])

# Open MPI as root, and with more ranks than cores, as tests are run. Leaks of its own are not ours.
MPI_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1",
           "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}

_count = _failed = _skipped = 0

signal.signal(signal.SIGHUP, signal.SIG_DFL)     # who runs the tests under nohup has it ignored


def _line(word, name, note=""):
    global _count
    _count += 1
    print(f"{word} {_count} - {name.replace('#', 'No.')}{note}", flush=True)


def ok(good, name, detail=""):
    """One check. The detail is printed if it fails. Returns whether it is good."""
    global _failed
    _line("ok" if good else "not ok", name)
    if not good:
        _failed += 1
        for line in str(detail).splitlines()[:20]:
            print("#   " + line[:300], flush=True)
    return bool(good)


def equal(got, want, name):
    return ok(got == want, name, f"got {got!r}, expected {want!r}")


def skip(name, reason):
    global _skipped
    _skipped += 1
    _line("ok", name, f" # SKIP {reason}")


def finish():
    """Prints the plan and ends the script."""
    print(f"1..{_count}", flush=True)
    sys.exit(1 if _failed else 0)


def some(cases, *quick):
    """The cases of this part of a script, in order; those of part quick are named by their numbers."""
    return [c for i, c in enumerate(cases) if not PART or (i in quick) == (PART == "quick")]


def steps(both=(), quick=(), rest=()):
    """Calls the functions of this part of a script; those of both parts know their cases by some()."""
    for step in [*both, *(quick if PART != "rest" else ()), *(rest if PART != "quick" else ())]:
        step()


def close_to(got, want, rel=1e-9):
    """Equal but for rounding."""
    return got is not None and abs(got - want) <= rel * abs(want)


class Done:
    """A netbench that has ended."""

    def __init__(self, args, rc, out, err, seconds):
        self.args, self.rc, self.out, self.seconds = args, rc, out, seconds
        self.err = NOISE.sub("", err)

    def __str__(self):
        return (f"netbench {' '.join(self.args)}\nexit {self.rc} after {self.seconds:.2f} s\n"
                f"stdout: {self.out[-600:]!r}\nstderr: {self.err[-600:]!r}")

    @property
    def faults(self):
        """Lines on stderr that are not warnings."""
        return [x for x in self.err.splitlines() if not x.startswith("netbench: warning: ")]

    @property
    def warnings(self):
        return [x for x in self.err.splitlines() if x.startswith("netbench: warning: ")]


def faults(done):
    """netbench's own lines that tell of a fault, among those of what started it."""
    return [x for x in done.faults if x.startswith("netbench: ")]


def until(condition, seconds):
    """Waits for something true. Returns it, or what it was in the end."""
    last = time.monotonic() + seconds * SLOW
    while not (got := condition()) and time.monotonic() < last:
        time.sleep(0.01)
    return got


def stat_of(pid):
    """State and parent of a process, None if there is none."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return fields[0], int(fields[1])
    except (OSError, IndexError):
        return None


def is_alive(pid):
    s = stat_of(pid)
    return s is not None and s[0] not in "ZX"


class Command:
    """A command under way in a session of its own, its output in files. env: what differs from ours; args: what
    stands for the command where it is told of."""

    def __init__(self, argv, cwd=None, env=None, args=None, **kwargs):
        self.args = list(map(str, argv if args is None else args))
        self.out, self.err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.start = time.monotonic()
        env = {**os.environ, "ASAN_OPTIONS": MPI_ENV["ASAN_OPTIONS"], **(env or {})}
        self.p = subprocess.Popen(list(map(str, argv)), cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=self.out,
                                  stderr=self.err, start_new_session=True, **kwargs)

    def said(self, file=None):
        """What is there so far, on stderr or of another file."""
        return os.pread((file or self.err).fileno(), 1 << 24, 0).decode(errors="replace")

    def until_said(self, pattern, seconds=10):
        return until(lambda: re.search(pattern, self.said()), seconds)

    def end(self, seconds=20):
        """Done, with the time since the start; what takes longer from now is killed and has rc None."""
        try:
            rc = self.p.wait(max(0, seconds * SLOW))
        except subprocess.TimeoutExpired:
            rc = None
            os.killpg(self.p.pid, signal.SIGKILL)
            self.p.wait()
        seconds = time.monotonic() - self.start
        return Done(self.args, rc, self.said(self.out), self.said(), seconds)


def command(args):
    return LAUNCHER(args) + [NETBENCH] + [str(a) for a in args]


def mpirun(args):
    """What starts as many ranks as the arguments ask for."""
    ranks = next((max(str(b).split(","), key=int) for a, b in zip(args, args[1:]) if a in ("-n", "--ranks")), None)
    pairs = next((int(b) for a, b in zip(args, args[1:]) if a == "--pairs"), 1)
    return ["mpirun", "-n", ranks or str(2 * pairs)]


LAUNCHER = lambda args: []


def launch_by(launcher):
    """From here on netbench is started so: a function from its arguments to the words before it."""
    global LAUNCHER
    LAUNCHER = launcher
    os.environ.update(MPI_ENV)


def run(*args, cwd=None, timeout=60, **kwargs):
    """Runs netbench to its end; a run that takes too long has rc None."""
    args = [str(a) for a in args]
    start = time.monotonic()
    p = subprocess.Popen(command(args), cwd=cwd, stdin=subprocess.DEVNULL,
                         stdout=kwargs.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                         text=True, errors="replace", **kwargs)
    try:
        out, err = p.communicate(timeout=timeout * SLOW)
        rc = p.returncode
    except subprocess.TimeoutExpired:
        p.kill()
        out, err = p.communicate()
        rc = None
    return Done(args, rc, out or "", err or "", time.monotonic() - start)


def need(backend):
    """Ends the script as skipped where this build or this machine lacks a backend."""
    done = run("beff", "--backend", backend, "--dry-run")
    if done.rc == 3 or "unknown backend" in done.err:
        skip("everything", done.err.strip())
        finish()


def number(text):
    """A cell as what it looks like; None if it is empty."""
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


class Csv:
    """A result in CSV: meta (comment lines, a list per key), columns, rows as dicts."""

    def __init__(self, text):
        self.meta, data = {}, []
        for line in text.splitlines():
            m = re.match(r"# ([^:]+): ?(.*)", line)
            if m:
                self.meta.setdefault(m[1], []).append(m[2])
            elif not line.startswith("#"):
                data.append(line)
        cells = list(csv.reader(data))
        self.columns = cells[0] if cells else []
        self.broken = [r for r in cells[1:] if len(r) != len(self.columns)]
        self.rows = [dict(zip(self.columns, map(number, r))) for r in cells[1:]]

    def one(self, key):
        """The number or text of a comment line that is there once; None otherwise."""
        got = self.meta.get(key, [])
        return number(got[0]) if len(got) == 1 else None

    @property
    def status(self):
        return self.one("status")


def measure(*args, **kwargs):
    """Runs netbench with CSV on stdout. Returns (Done, Csv)."""
    done = run(*args, "-f", "csv", **kwargs)
    return done, Csv(done.out)


def make_results(place, results):
    """Result files, by name from the arguments that make them; the records that they hold, as {name: record}."""
    records = {}
    for name, args in results.items():
        done = run(*args, "-o", f"{name}.json", cwd=place, timeout=120)
        if ok(done.rc == 0, f"made: {' '.join(args)}", done):
            with open(os.path.join(place, name + ".json"), encoding="utf-8") as f:
                records[name] = json.load(f)
    return records


def write_result(place, name, record):
    with open(os.path.join(place, name), "w", encoding="utf-8") as f:
        json.dump(record, f)
