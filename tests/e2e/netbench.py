# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests share: checks, running netbench, ranks that are started one by one, reading results.

A test asserts, or makes checks: ok(), equal(). A check that fails is noted and the test goes on; it fails at its end,
with a line for each. conftest.py has the fixtures.
"""
import contextlib
import csv
import json
import linecache
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import pytest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NETBENCH = os.path.join(SOURCE, "build", "netbench")    # or what --netbench names

# Builds with sanitizers, emulators: everything may take this many times longer.
SLOW = 5 if os.environ.get("NETBENCH_TEST_SLOW") else 1

# Sanitizers remark on stderr that they dislike makecontext, and Open MPI 5 that its ranks on one machine have no network
# between them, several ranks on a line; that is not netbench's.
NOISE = re.compile(r"^(==\d+==WARNING: ASan |False positive error reports may follow"
                   r"|For details see https://github.com/google/sanitizers/issues/189).*\n"
                   r"|((\[\S+\]\[\[\d+,\d+\],\d+\]\[\S+mca_btl_tcp_proc_create_interface_graph\] "
                   r"|Unable to find reachable pairing between local and remote interfaces)\n*)+", re.M)

# Open MPI as root, and with more ranks than cores, as tests are run. Leaks of its own are not ours.
MPI_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
           "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


# ---- checks ----

class Checks:
    """Those of the test that runs."""

    def __init__(self):
        self.count = 0
        self.failed = []        # (name, detail)
        self.skipped = []       # (name, reason)
        self.notes = []
        self.waited = []        # in vain, and for what
        self.ran = ""           # what ended last
        self.passed = False     # the test itself, now that what it leaves is judged


checks = Checks()       # conftest.py makes them anew for each test


def ok(good, name, detail=""):
    """One check. The detail is told if it fails. Returns whether it is good."""
    checks.count += 1
    if not good:
        detail = str(detail)
        checks.failed.append((name, detail if checks.ran in detail else f"{detail} | {checks.ran}"))
    return bool(good)


def equal(got, want, name):
    return ok(got == want, name, f"got {got!r}, expected {want!r}")


def skip(name, reason):
    """A check that cannot be made here. A test that makes no others is skipped."""
    checks.skipped.append((name, str(reason)))


def note(text):
    """A line for the end of the output."""
    checks.notes.append(text)


def words(value):
    """A value as the name of a case: words of a command line, joined."""
    return "-".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def slow_but(cases, *quick, rest=None):
    """The cases of a parametrized test, named by their first value; set-up quick runs those with these numbers alone.
    `rest`: numbers of slow ones; all others are long then."""
    cases = [c if isinstance(c, tuple) else (c,) for c in cases]
    mark = lambda i: () if i in quick else pytest.mark.slow if rest is None or i in rest else pytest.mark.long
    return [pytest.param(*c, id=words(c[0]), marks=mark(i)) for i, c in enumerate(cases)]


def named(cases):
    """The same without slow ones."""
    return slow_but(cases, *range(len(cases)))


def close_to(got, want, rel=1e-9):
    """Equal but for rounding."""
    return got is not None and abs(got - want) <= rel * abs(want)


def until(condition, seconds):
    """Waits for something true. Returns it, or what it was in the end; then a test that fails tells which line waited."""
    last = time.monotonic() + seconds * SLOW
    while not (got := condition()) and time.monotonic() < last:
        time.sleep(0.01)
    if not got:
        caller = sys._getframe(1)
        where = f"{os.path.basename(caller.f_code.co_filename)}:{caller.f_lineno}"
        line = linecache.getline(caller.f_code.co_filename, caller.f_lineno).strip()
        checks.waited.append(f"{where} waited {seconds * SLOW:g} s in vain: {line}")
    return got


# ---- processes ----

class Done:
    """A netbench that has ended."""

    def __init__(self, args, rc, out, err, seconds, doing=""):
        self.args, self.rc, self.out, self.seconds, self.doing = args, rc, out, seconds, doing
        self.err = NOISE.sub("", err)
        checks.ran = f"netbench {' '.join(self.args)}"

    def __str__(self):
        how = f"exit {self.rc}" if self.rc is not None else f"cut off{self.doing}"
        return (f"netbench {' '.join(self.args)}\n{how} after {self.seconds:.2f} s\n"
                f"stdout: {self.out[-600:]!r}\nstderr: {self.err[-600:]!r}")

    __repr__ = __str__

    @property
    def whole(self):
        """Standard output, its lines whole again that go on in others, two blanks further in."""
        return re.sub(r"\n {2,}(?=\S)", " ", self.out)

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


def one_fault(done, rc, *words):
    """Whether it ended with this status and a single line that has these words."""
    f = faults(done)
    return done.rc == rc and len(f) == 1 and all(w in f[0] for w in words)


def stat_of(pid):
    """State and parent of a process, None if there is none."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return fields[0], int(fields[1])
    except (OSError, IndexError):
        return None


def read_of(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", encoding="utf-8", errors="replace") as f:
            return f.read().strip()
    except OSError:
        return ""


def doing(leader):
    """What the processes of a session are at: of each its name, state, and the function of the kernel that it waits in."""
    told = []
    for pid in sorted(int(p) for p in os.listdir("/proc") if p.isdigit()):
        with contextlib.suppress(OSError):
            if os.getsid(pid) == leader:
                told.append(f"{read_of(pid, 'comm')} {pid} {(stat_of(pid) or '?')[0]} {read_of(pid, 'wchan') or '?'}")
    return f" ({', '.join(told)})"


def is_alive(pid):
    s = stat_of(pid)
    return s is not None and s[0] not in "ZX"


def children(pid):
    found = [int(p) for p in os.listdir("/proc") if p.isdigit()]
    return sorted(p for p in found if (stat_of(p) or "..")[1] == pid)


def listening(pids):
    """Addresses at which these processes listen for TCP."""
    inodes, found = set(), []
    for pid in pids:
        try:
            for fd in os.listdir(f"/proc/{pid}/fd"):
                name = os.readlink(f"/proc/{pid}/fd/{fd}")
                if name.startswith("socket:["):
                    inodes.add(name[8:-1])
        except OSError:
            pass
    for file, host in (("/proc/net/tcp", "127.0.0.1"), ("/proc/net/tcp6", "::1")):
        with open(file) as f:
            for line in f.readlines()[1:]:
                words = line.split()
                if words[3] == "0A" and words[9] in inodes:
                    found.append((host, int(words[1].rsplit(":", 1)[1], 16)))
    return found


class Command:
    """A command under way in a session of its own, its output in files; killed when its test ends. env: what differs
    from ours; args: what stands for the command where it is told of."""
    under_way = []

    def __init__(self, argv, cwd=None, env=None, args=None, **kwargs):
        self.args = list(map(str, argv if args is None else args))
        self.out, self.err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.start = time.monotonic()
        env = {**os.environ, "ASAN_OPTIONS": MPI_ENV["ASAN_OPTIONS"], **(env or {})}
        self.p = subprocess.Popen(list(map(str, argv)), cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=self.out,
                                  stderr=self.err, start_new_session=True, **kwargs)
        self.under_way.append(self)

    def said(self, file=None):
        """What is there so far, on stderr or of another file."""
        return os.pread((file or self.err).fileno(), 1 << 24, 0).decode(errors="replace")

    def until_said(self, pattern, seconds=10):
        return until(lambda: re.search(pattern, self.said()), seconds)

    def end(self, seconds=20):
        """Done, with the time since the start; what takes longer from now is killed and has rc None."""
        try:
            rc, at = self.p.wait(max(0, seconds * SLOW)), ""
        except subprocess.TimeoutExpired:
            rc, at = None, doing(self.p.pid)
            os.killpg(self.p.pid, signal.SIGKILL)
            self.p.wait()
        seconds = time.monotonic() - self.start
        if self in self.under_way:
            self.under_way.remove(self)
        return Done(self.args, rc, self.said(self.out), self.said(), seconds, at)


def kill_all_commands():
    """Those that a test has left; how they that were still alive have ended."""
    left = [(c.p.poll() is None, c.end(0)) for c in list(Command.under_way)]
    return [done for alive, done in left if alive]


# ---- running netbench ----

def command(args):
    return LAUNCHER(args) + [NETBENCH] + [str(a) for a in args]


def mpirun(args):
    """What starts as many ranks as the arguments ask for."""
    ranks = next((max(str(b).split(","), key=int) for a, b in zip(args, args[1:]) if a in ("-n", "--ranks")), None)
    pairs = next((int(b) for a, b in zip(args, args[1:]) if a == "--pairs"), 1)
    return ["mpirun", "-n", ranks or str(2 * pairs)]


# What starts ranks of MPICH beside an Open MPI whose mpirun is that of the path; None without.
MPICH = next(filter(shutil.which, ("mpirun.mpich", "mpiexec.hydra")), None)


def mpich(args):
    """The same with MPICH's."""
    return [MPICH, *mpirun(args)[1:]]


LAUNCHER = lambda args: []


@contextlib.contextmanager
def launched_by(launcher):
    """In here run() starts netbench so: a function from its arguments to the words before it, such as mpirun."""
    global LAUNCHER
    before = LAUNCHER, dict(os.environ)
    LAUNCHER = launcher
    os.environ.update(MPI_ENV)
    try:
        yield
    finally:
        LAUNCHER, environ = before
        os.environ.clear()
        os.environ.update(environ)


def run(*args, cwd=None, timeout=60, **kwargs):
    """Runs netbench to its end; a run that takes too long has rc None. env: all of it, else ours."""
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


def loops(args, n):
    """As many loops for a command line that asks for none: each point of a run whose times matter little takes a tenth of
    the time that it takes to look for loops of 10 ms."""
    return [] if {"-l", "-u", "--change-list"} & set(args) else ["-u" if args[0] == "beff" else "-l", n]


def lacks(backend, *more):
    """Why this build or this machine lacks a backend; None if it does not."""
    done = run("beff", "--backend", backend, *more, "--dry-run")
    return done.err.strip() if done.rc == 3 or "unknown backend" in done.err else None


def need(backend, *more):
    """Skips the test where a backend is missing."""
    if reason := lacks(backend, *more):
        pytest.skip(reason)


# ---- ranks that are started one by one ----

SECRET = "a secret of these tests"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


# A rank of a step that misses others says so before end() cuts it off.
COME = ["--join-timeout", "15s"]


class Rank(Command):
    """A netbench under way, by itself or by the words of a launcher. secret: None for none."""

    def __init__(self, *args, secret=SECRET, env=(), cwd=None, launcher=(), **kwargs):
        given = {"NETBENCH_SECRET": secret} if secret else {}
        super().__init__([*launcher, NETBENCH, *args], cwd, {**MPI_ENV, **given, **dict(env)}, args, **kwargs)


class Job:
    """A rank that listens and ranks that join it: listen() and join() start them with more arguments, end() waits for all
    of them and returns how they have ended, in the order of their start."""

    def __init__(self):
        self.port, self.ranks = free_port(), []

    def listen(self, *args, **kwargs):
        self.ranks.append(Rank(*args, "--listen", self.port, **kwargs))
        return self.ranks[-1]

    def join(self, *args, **kwargs):
        self.ranks.append(Rank(*args, "--join", f"127.0.0.1:{self.port}", **kwargs))
        return self.ranks[-1]

    def end(self, seconds=20):
        return [r.end(seconds) for r in self.ranks]


# ---- results ----

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


# The last columns of each row, which are of the run.
OF_RUN = ["run_id", "run_date", "run_host", "run_hosts", "run_ranks"]


def of_point(row):
    """A row without these, which differ between runs."""
    return {name: v for name, v in row.items() if name not in OF_RUN}


class Csv:
    """A result in CSV: meta (comment lines, a list per key), columns, rows as dicts, but for what they say of the run, which
    is in runs."""

    def __init__(self, text):
        self.meta, data = {}, []
        for line in text.splitlines():
            m = re.match(r"# ([^:]+): ?(.*)", line)
            if m:
                self.meta.setdefault(m[1], []).append(m[2])
            elif not line.startswith("#"):
                data.append(line)
        for key, texts in list(self.meta.items()):
            if texts[0][:1] in ("{", "["):
                self.spread(key, json.loads(texts[0]))
        cells = list(csv.reader(data))
        names = cells[0] if cells else []
        self.columns = [n for n in names if n not in OF_RUN]
        self.broken = [r for r in cells[1:] if len(r) != len(names)]
        rows = [dict(zip(names, map(number, r))) for r in cells[1:]]
        self.rows = [of_point(r) for r in rows]
        self.runs = [{n: r[n] for n in r if n in OF_RUN} for r in rows]

    def spread(self, key, value):
        """A line for each member of what a line has."""
        members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for name, member in members:
            self.spread(f"{key}.{name}", member)
        if not isinstance(value, (dict, list)):
            text = "" if value is None else value if isinstance(value, str) else json.dumps(value)
            self.meta.setdefault(key, [text])

    def one(self, key):
        """The number or text of a comment line that is there once; None otherwise."""
        got = self.meta.get(key, [])
        if len(got) == 1 and got[0].startswith('"'):     # a text that would be read as something else
            return json.loads(got[0])
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
