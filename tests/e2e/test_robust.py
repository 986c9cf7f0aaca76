# SPDX-License-Identifier: Apache-2.0
"""What goes wrong around a run: crashes, signals, full disks, closed pipes, too few cores."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import time
import pytest
from netbench import (SLOW, Command, Csv, Done, children, command, equal, is_alive, measure, named, need, ok, run, slow_but,
                      until)

CORES = len(os.sched_getaffinity(0))
BUSY = ["beff", "-n", "4", "--point-time", "5s", "--ci", "0"]

# A sanitizer must leave the signal to the supervisor.
PLAIN = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0:handle_abort=0"}


@pytest.fixture(scope="module", autouse=True)
def backend_shm():
    need("shm")


@pytest.fixture(autouse=True)
def no_process_left():
    before = set(children(os.getpid()))
    yield
    equal(set(children(os.getpid())) - before, set(), "no process is left")


# ---- processes ----

def shared_files():
    try:
        return {x for x in os.listdir("/dev/shm") if "netbench" in x}
    except OSError:
        return set()


class Running(Command):
    """A netbench under way, and its ranks."""

    def __init__(self, *args, **kwargs):
        super().__init__(command(args), env=PLAIN, args=args, **kwargs)
        self.ranks = []

    def wait_ranks(self, n):
        until(lambda: len(children(self.p.pid)) == n, 5)
        self.ranks = children(self.p.pid)
        return len(self.ranks) == n

    def end(self, seconds=20):
        """Done, with the time since this call."""
        self.start = time.monotonic()
        return super().end(seconds)

    def gone(self):
        return until(lambda: not any(map(is_alive, self.ranks)), 1)


def read(*path):
    with open(os.path.join(*path)) as f:
        return f.read()


def data_lines(text):
    return [x for x in text.splitlines() if x and not x.startswith("#")]


def whole_csv(text):
    """Nothing torn: every line ends, every row has all cells."""
    table = Csv(text)
    return text.endswith("\n") and bool(table.columns) and not table.broken


# ---- crashes ----

@pytest.mark.parametrize("sig, which", named([(signal.SIGSEGV, 2), (signal.SIGKILL, 0), (signal.SIGABRT, 3)]))
def test_a_rank_that_crashes_is_named_and_the_rows_are_kept(sig, which, place):
    before = shared_files()
    r = Running(*BUSY, "-o", "x.csv", "-o", "x.json", cwd=place)
    name = f"rank {which} dies by {sig.name}"
    assert r.wait_ranks(4), f"{name}: 4 ranks are there, not {r.ranks}"
    until(lambda: os.path.exists(place / "x.json") and whole_csv(read(place, "x.csv")), 10)
    time.sleep(0.3 * SLOW)
    os.kill(r.ranks[which], sig)
    done = r.end(5)
    ok(done.rc == 1 and done.seconds < 1 * SLOW, f"{name}: exit 1 within a second", done)
    ok(len(done.faults) == 1 and f"rank {which} " in done.faults[0] and
       re.search(rf"\bsignal {int(sig)}\b", done.faults[0]), f"{name}: one line names both", done)
    ok(r.gone(), f"{name}: no process is left", r.ranks)
    ok(whole_csv(read(place, "x.csv")), f"{name}: the CSV is whole", read(place, "x.csv")[-300:])
    equal(json_status(place, "x.json"), "incomplete", f"{name}: the JSON is whole")
    equal(shared_files() - before, set(), "nothing is left in /dev/shm")


def test_ranks_go_when_their_supervisor_is_killed():
    r = Running(*BUSY)
    assert r.wait_ranks(4), f"supervisor: 4 ranks are there, not {r.ranks}"
    os.kill(r.p.pid, signal.SIGKILL)
    ok(r.gone(), "ranks go within a second when their supervisor is killed", r.ranks)
    r.end()


# ---- signals ----

def json_status(*path):
    try:
        return json.loads(read(*path))["status"]
    except (OSError, ValueError, KeyError) as e:
        return repr(e)


def interrupt(place, name, args, send, rc, statuses, seconds, rows=1):
    """Sends signals once there are rows; expects whole files."""
    path = os.path.join(place, "x.csv")
    r = Running(*args, "-o", "x.csv", "-o", "x.json", cwd=place)
    seen = until(lambda: os.path.exists(path) and len(data_lines(read(path))) >= 1 + rows, 30)
    assert seen, f"{name}: no rows of {args}"
    r.ranks = children(r.p.pid)
    send(r.p.pid)
    done = r.end(10)
    ok(done.rc == rc and done.seconds < seconds * SLOW, f"{name}: exit {rc} within {seconds} s", done)
    ok(not done.faults and "Traceback" not in done.err, f"{name}: no fault is told", done)
    ok(r.gone(), f"{name}: no process is left", r.ranks)
    text = read(path)
    ok(whole_csv(text) and len(data_lines(text)) >= 1 + rows, f"{name}: CSV", text[-300:])
    status = json_status(place, "x.json")
    ok(status in statuses, f"{name}: JSON", status)
    if statuses == ["interrupted"]:
        equal(Csv(text).status, "interrupted", f"{name}: CSV says so")
        equal(Csv(done.out).status, "interrupted", f"{name}: stdout says so")
    with open(os.path.join(place, "x.json")) as f:
        equal(len(json.load(f)["rows"]), len(data_lines(text)) - 1, f"{name}: as many rows in both")


ROWS = ["beff", "-n", "2", "--point-time", "300ms", "--ci", "0", "-f", "csv"]
# a repetition that lasts for many seconds: it is ended by force
LONG = ["bandwidth", "--sizes", "8,4M", "--window", "64", "--repetitions", "1", "--warmup", "0", "--check", "none", "-l",
        "40000" if SLOW == 1 else "4000", "-f", "csv"]


@pytest.mark.slow
@pytest.mark.parametrize("sig", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda sig: sig.name)
def test_a_signal_ends_the_run_and_keeps_its_rows(sig, place):
    interrupt(place, sig.name, ROWS, lambda p: os.kill(p, sig), 128 + sig, ["interrupted"], 3, 2)


@pytest.mark.slow
def test_an_interrupt_of_the_whole_group_keeps_the_rows(place):
    interrupt(place, "interrupt of the whole group", ROWS, lambda p: os.killpg(p, signal.SIGINT), 130, ["interrupted"], 3)


@pytest.mark.slow
def test_a_signal_in_a_long_repetition_ends_it_in_time(place):
    interrupt(place, "SIGTERM in a long repetition", LONG, lambda p: os.kill(p, signal.SIGTERM), 143,
              ["incomplete", "interrupted"], 3.5)


@pytest.mark.slow
def test_a_second_signal_ends_a_long_repetition_at_once(place):
    def twice(pid):
        os.kill(pid, signal.SIGINT)
        time.sleep(0.2)
        os.kill(pid, signal.SIGINT)
    interrupt(place, "SIGINT twice in a long repetition", LONG, twice, 130, ["incomplete", "interrupted"], 1.2)


@pytest.mark.slow
def test_a_signal_ends_a_run_in_virtual_time(place):
    interrupt(place, "SIGTERM in virtual time", ["beff", "--backend", "sim", "-n", "200", "-u", "300", "--check", "last", "-f",
                                                 "csv"],
              lambda p: os.kill(p, signal.SIGTERM), 143, ["interrupted"], 3)


@pytest.mark.slow
def test_a_signal_ends_a_long_repetition_of_virtual_time(place):
    interrupt(place, "SIGTERM in a long repetition of virtual time",
              ["beff", "--backend", "sim", "-n", "1024", "-u", "32768", "--check", "none", "--sizes", "1M,1", "-f", "csv"],
              lambda p: os.kill(p, signal.SIGTERM), 143, ["incomplete", "interrupted"], 3.5)


def ignore(sig):
    return lambda: signal.signal(sig, signal.SIG_IGN)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["shm", "sim"])
def test_a_hang_up_that_a_parent_ignores_is_ignored(backend):
    r = Running("beff", "--backend", backend, "-n", 2, "-m", 3, "-u", 200000 if backend == "sim" else 500,
                preexec_fn=ignore(signal.SIGHUP))
    time.sleep(0.15)
    if r.p.poll() is None:
        os.kill(r.p.pid, signal.SIGHUP)
    done = r.end()
    ok(done.rc == 0 and "b_eff" in done.out, f"{backend}: a hang-up that is ignored", done)


@pytest.mark.slow
def test_ranks_whose_ends_a_parent_ignores_are_seen_to_end():
    """They are seen all the same."""
    done = Running("latency", "-m", 2, "--point-time", "20ms", preexec_fn=ignore(signal.SIGCHLD)).end()
    equal(done.rc, 0, "SIGCHLD ignored by the parent")


# ---- output that cannot be written ----

def namespace_prefix():
    """How to get a mount namespace of one's own here; None if not permitted."""
    for prefix in (["unshare", "-Urm"], ["unshare", "-m"]):
        probe = "mount -t tmpfs -o size=64k none /mnt"
        try:
            if subprocess.run(prefix + ["sh", "-c", probe], capture_output=True).returncode == 0:
                return prefix
        except OSError:
            return None
    return None


SMALL_DISK = """
disk=$1 keep=$2 fill=$3; shift 3
mount -t tmpfs -o size=64k none "$disk" || exit 99
head -c "${fill}k" /dev/zero >"$disk/filling"
(cd "$disk" && exec "$@")
status=$?
rm "$disk/filling"
cp "$disk"/* "$keep"
exit $status
"""


# the head takes 8 to 11 KiB, the rows 60 times 134 (CSV), 300 (JSON), 140 (table) bytes or more
BEFF = ["beff", "-n", 2, "--sizes", "1:60", "-u", 1, "--repetitions", 1, "--warmup", 0, "--check", "none", "-f", "csv"]
MODEL = ["model", "--board", "520n", "--sizes", "1:200", "-f", "csv"]


@pytest.mark.parametrize("name, args, files, free_kib", named([
    ("CSV", BEFF, ["x.csv"], 12), ("JSON", BEFF, ["x.json"], 16),
    ("table", BEFF, ["x.txt"], 4), ("JSON with samples", BEFF + ["--samples"], ["x.json"], 16),
    ("not the head", BEFF, ["x.csv"], 4), ("not a byte", BEFF, ["x.json"], 0),
    ("two files", BEFF, ["x.csv", "y.json"], 32),
    ("CSV of the model", MODEL, ["x.csv"], 16), ("JSON of the model", MODEL, ["x.json"], 20)]))
def test_a_full_disk_is_told_in_a_line(name, args, files, free_kib, tmp_disk, place):
    disk, prefix = tmp_disk
    outputs = [x for f in files for x in ("-o", f)]
    p = subprocess.run(prefix + ["sh", "-c", SMALL_DISK, "sh", disk, place, str(64 - free_kib)] + command(args + outputs),
                       capture_output=True, text=True, timeout=60 * SLOW)
    judge_full(name, Done(list(map(str, args)), p.returncode, p.stdout, p.stderr, 0), place, files)


@pytest.fixture
def tmp_disk(shared_place):
    """Where a small disk can be mounted, and the words before a command that may do so."""
    prefix = namespace_prefix()
    if not prefix:
        pytest.skip("no mount namespace (unshare -Urm, unshare -m)")
    disk = shared_place / "disk"
    disk.mkdir(exist_ok=True)
    return disk, prefix


def judge_full(name, done, keep, files):
    ok(done.rc == 1, f"full disk, {name}: exit 1", done)
    ok(done.faults and len(done.faults) <= len(files) and
       any(f"'{f}'" in done.faults[0] for f in files),
       f"full disk, {name}: a line names the file", done)
    for f in files:
        text = read(keep, f)
        if not text:
            ok(name.startswith("not"), f"full disk, {name}: {f} is empty", "expected some rows")
        elif f.endswith(".csv"):
            ok(text.endswith("\n") and not Csv(text).broken, f"full disk, {name}: {f} has whole lines",
               text[-300:])
        elif f.endswith(".json"):
            try:
                doc = json.loads(text)
                ok(doc["rows"] and doc["status"] in ("incomplete", "failed"),
                   f"full disk, {name}: {f} parses and has rows", doc["status"])
            except ValueError as e:
                ok(False, f"full disk, {name}: {f} parses and has rows", f"{e}\n{text[-300:]}")
        else:
            ok(text.endswith("\n"), f"full disk, {name}: {f} has whole lines", text[-300:])
    if "beff" in done.args:
        # without its head no row was measured, and standard output may end there as well
        ok(whole_csv(done.out) and
           Csv(done.out).status in ("failed", None if name.startswith("not") else "failed"),
           f"full disk, {name}: standard output says that the run failed", done.out[-200:])


@pytest.mark.parametrize("fmt", slow_but(["table", "csv", "json"], 1))
@pytest.mark.parametrize("args", named([["beff", "-n", 2, "--point-time", "30ms", "--ci", 0],
                                        ["model", "--board", "520n", "--sizes", "1:20000"]]))
def test_a_closed_pipe_ends_the_run_quietly(args, fmt):
    p = subprocess.Popen(command(args + ["-f", fmt]), stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    p.stdout.readline()
    p.stdout.close()
    err = p.stderr.read()
    done = Done(list(map(str, args)), p.wait(), "", err, 0)
    p.stderr.close()
    ok(done.rc == 141 and not done.faults, f"closed pipe, {args[0]} in {fmt}: ends as by SIGPIPE, without a word", done)


@pytest.mark.parametrize("args", named([
    ["--version"], ["--help"], ["beff", "--help"], ["list"], ["explain"],
    ["explain", "time_s"], ["beff", "--dry-run"], ["model", "--board", "520n"],
    ["beff", "--sizes", "1", "--point-time", "20ms"],
    ["latency", "--sizes", "1", "--point-time", "20ms", "-f", "csv"],
    ["latency", "--backend", "sim", "-m", "2", "-f", "json"]]))
def test_a_full_standard_output_is_a_failure_in_a_line(args):
    with open("/dev/full", "w") as full:
        done = run(*args, stdout=full)
    ok(done.rc == 1 and len(done.faults) == 1 and "standard output" in done.faults[0],
       f"standard output is full: {' '.join(args)}", done)


def test_a_full_standard_output_does_not_harm_the_file_beside_it(place):
    with open("/dev/full", "w") as full:
        done = run("latency", "--sizes", "1,2", "--point-time", "20ms", "-o", "x.csv", stdout=full, cwd=place)
    ok(done.rc == 1 and whole_csv(read(place, "x.csv")), "standard output is full, the file is not", done)


CROWDED = ["beff", "-n", str(2 * CORES), "--sizes", "1", "--point-time", "20ms", "-f", "csv", "-o", "x.csv"]


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-", "<&-"])
def test_no_warning_gets_into_a_result_where_descriptors_are_closed(closed, place):
    """What netbench opens must not become its stderr: no warning may get into a result."""
    p = subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh"] + command(CROWDED), cwd=place, capture_output=True, text=True)
    for what, text in (("stdout", p.stdout), ("the file", read(place, "x.csv"))):
        ok(p.returncode == 0 and whole_csv(text) and "\nnetbench: " not in "\n" + text,
           f"{closed}: {what} has results and nothing else", text[:200])


@pytest.mark.slow
def test_a_closed_standard_output_is_told(place):
    p = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh"] + command(CROWDED), cwd=place, capture_output=True, text=True)
    done = Done(CROWDED, p.returncode, p.stdout, p.stderr, 0)
    ok(done.rc in (1, 2) and len(done.faults) == 1 and "standard output" in done.faults[0], ">&-: no standard output", done)


@pytest.mark.slow
@pytest.mark.skipif(SLOW > 1, reason="sanitizers need all the address space")
def test_too_little_memory_is_told_in_a_line(place):
    """One line, and no file that cannot be read."""
    p = subprocess.run(["sh", "-c", 'ulimit -v 500000; exec "$@"', "sh"] +
                       command(["latency", "--sizes", "1G", "-o", "x.json"]), cwd=place,
                       capture_output=True, text=True)
    done = Done(["latency", "--sizes", "1G"], p.returncode, p.stdout, p.stderr, 0)
    ok(done.rc == 1 and len(done.faults) == 1, "too little memory: exit 1 and a line", done)
    ok(not os.listdir(place) or json_status(place, "x.json") in ("incomplete", "failed"),
       "too little memory: no file that cannot be read", json_status(place, "x.json"))


# ---- limits, cores, progress ----

@pytest.mark.slow
def test_a_time_limit_ends_a_run_with_whole_points_and_a_warning(place):
    done, table = measure("beff", "-n", 2, "--point-time", "400ms", "--ci", 0, "--time-limit", "1s", "-o", "x.json", cwd=place)
    ok(done.rc == 0 and done.seconds < 4 * SLOW, "--time-limit: exit 0 in time", done)
    equal((table.status, json_status(place, "x.json")), ("incomplete", "incomplete"), "--time-limit: incomplete")
    ok(len(done.warnings) >= 1 and any("time limit" in w for w in done.warnings) and
       any("time limit" in w for w in table.meta.get("warning", [])), "--time-limit: a warning", done)
    ok(0 < len(table.rows) < 21 and table.rows[-1]["stop"] == "time-limit", "--time-limit: some rows", table.rows[-1:])


@pytest.mark.slow
@pytest.mark.skipif(CORES >= 16, reason=f"{CORES} cores")
def test_sixteen_ranks_on_few_cores_finish_and_warn():
    done, table = measure("beff", "-n", 16, "-m", 12, "--point-time", "50ms", timeout=120)
    ok(done.rc == 0 and len(table.rows) == 13 and table.status == "complete",
       "16 ranks on few cores: finishes", done)
    ok(table.rows and not any(r["errors"] for r in table.rows) and
       all(r["checked"] for r in table.rows), "16 ranks on few cores: content", table.rows[:2])
    ok(any("16 ranks share" in w for w in done.warnings) and
       any("16 ranks share" in w for w in table.meta.get("warning", [])),
       "16 ranks on few cores: a warning on stderr and in the result", done)


def under_pty(*args):
    """What a terminal on stderr would show, and the exit status."""
    master, slave = pty.openpty()
    p = subprocess.Popen(command(args), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=slave)
    os.close(slave)
    seen = b""
    while True:
        ready, _, _ = select.select([master], [], [], 20 * SLOW)
        try:
            more = os.read(master, 4096) if ready else b""
        except OSError:
            more = b""
        if not more:
            break
        seen += more
    os.close(master)
    return p.wait(), seen.decode(errors="replace")


MANY = ["beff", "-n", str(2 * CORES), "--sizes", "1,64,4k", "--point-time", "300ms", "--ci", "0"]


@pytest.mark.slow
def test_quiet_silences_warnings_and_progress_but_no_faults():
    done = run(*MANY)
    ok(done.rc == 0 and done.warnings, "a warning that there are few cores", done)
    ok("\r" not in done.err and "\033" not in done.err, "no progress where stderr is no terminal", done)
    for flag in ("-q", "--quiet"):
        done = run(*MANY, flag)
        equal((done.rc, done.err), (0, ""), f"{flag} silences warnings")
    rc, seen = under_pty(*MANY, "-q")
    equal((rc, seen), (0, ""), "-q: no progress on a terminal")
    done = run("beff", "-q", "-m", "99")
    ok(done.rc == 2 and len(done.faults) == 1, "-q does not silence faults", done)


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal_and_wiped_in_the_end():
    rc, seen = under_pty(*MANY)
    ok(rc == 0 and re.search(r"\r\[\d+/18\] size \d+, visit [1-6] of 6", seen), "progress on a terminal", repr(seen[:300]))
    ok(seen.endswith("\n") or seen.endswith("\033[K"), "progress is wiped in the end", repr(seen[-60:]))
    rc, seen = under_pty("beff", "--sizess", "1")
    ok(rc == 2 and seen.count("\n") == 1, "faults are told on a terminal as well", repr(seen))


@pytest.mark.slow
def test_two_runs_at_once_are_both_right():
    args = ["bandwidth", "--bidirectional", "--sizes", "1,4k,64k,1M", "--window", 4, "--point-time",
            "200ms", "--ci", 0, "-f", "csv"]
    both = [Running(*args), Running("beff", "-n", 3, *args[2:4], *args[6:])]
    for r in both:
        done = r.end(60)
        table = Csv(done.out)
        ok(done.rc == 0 and table.status == "complete" and len(table.rows) == 4 and
           not any(x["errors"] for x in table.rows) and all(x["checked"] for x in table.rows),
           f"two runs at once: {done.args[0]} is right", done)


@pytest.mark.parametrize("backend", ["shm", "sim"])
@pytest.mark.parametrize("name", ["beff", "latency", "msgrate", "bandwidth"])
def test_dry_run_measures_and_makes_nothing(name, backend, place):
    done = run(name, "--backend", backend, "--dry-run", "-o", "x.csv", "-o", "x.json", cwd=place)
    ok(done.rc == 0 and done.out.count("\n") > 20 and not done.err and not os.listdir(place) and done.seconds < 1 * SLOW,
       f"--dry-run: {name} on {backend} measures and makes nothing", done)
