# SPDX-License-Identifier: Apache-2.0
"""A run that makes no progress ends by itself, in every job: one line says which rank waits for whom, rows are kept. So
does one of which a rank ends without a word."""
import json
import os
import re
import resource
import select
import signal
import socket
import threading
import time
import pytest
from netbench import (NETBENCH, SLOW, Command, Csv, Rank, children, command, equal, faults, is_alive, launched_by, mpirun,
                      need, ok, one_fault, run, slow_but, stat_of, until)

STALL = min(SLOW, 2)  # s
LONG = ["--sizes", "8", "--point-time", "60s", "--repetitions", "1000000000", "--ci", "0", "-q"]
WATCHED = [*LONG, "--stall", f"{STALL}s"]
STILL = r"no progress for [0-9.]+ s in '{}', size {}: "


@pytest.fixture(autouse=True)
def module_of_faults(monkeypatch):
    monkeypatch.setenv("NETBENCH_MODULES", os.path.join(os.path.dirname(NETBENCH), "tests", "faults"))


def faulty(fault, **settings):
    """The environment in which messages come to harm."""
    return {"NETBENCH_FAULT": fault, **{f"NETBENCH_FAULT_{k}": str(v) for k, v in settings.items()}}


def begun(r, n):
    """The ranks of a netbench that has n of them, once it has been measuring for a while."""
    until(lambda: len(children(r.p.pid)) == n, 10)
    until(lambda: "MSize" in r.said(r.out), 20)
    time.sleep(0.5 * SLOW)
    return children(r.p.pid)


def ended(done, what, *says, size=8, seconds=5, rc=1):
    """One line says so, not later than the watchdog may."""
    lines = faults(done)
    ok(done.rc == rc and len(lines) == 1 and re.search(STILL.format(what, size), lines[0]) and
       all(s in lines[0] for s in says), f"one line: {' '.join(says)}", done)
    ok(done.seconds < (STALL + seconds) * (1 if SLOW == 1 else 3), "in time", done)


# ---- ranks of this machine ----

@pytest.mark.parametrize("backend, rank", slow_but([("shm", 0), ("shm", 1), ("tcp", 0), ("tcp", 1)], 0))
def test_a_rank_that_is_stopped_is_named(backend, rank):
    r = Command(command(["msgrate", "-b", backend, *WATCHED]), args=["msgrate", "-b", backend, *WATCHED])
    ranks = begun(r, 2)
    os.kill(ranks[rank], signal.SIGSTOP)
    r.start = time.monotonic()
    ended(r.end(), "msgrate", f"rank {1 - rank} waits for rank {rank}, rank {rank} is stopped")
    ok(until(lambda: not any(map(is_alive, ranks)), 2), "no process is left", ranks)


@pytest.mark.slow
def test_a_stalled_run_keeps_the_rows_it_has(place):
    args = ["beff", "-n", "3", "--sizes", "8,64,512", "--point-time", "300ms", "--repetitions", "1000000000", "--ci", "0",
            "-q", "--stall", f"{STALL}s", "-o", "x.csv", "-o", "x.json"]
    r = Command(command(args), args=args, cwd=place)
    table = place / "x.csv"
    ok(until(lambda: table.exists() and sum(not x.startswith("#") for x in table.read_text().splitlines()) >= 2, 20), "a row")
    ranks = children(r.p.pid)
    os.kill(ranks[2], signal.SIGSTOP)
    r.start = time.monotonic()
    done = r.end()
    ok(one_fault(done, 1, "no progress", "rank 2 is stopped"), "one line", done)
    text = table.read_text()
    ok(text.endswith("\n") and not Csv(text).broken and len(Csv(text).rows) >= 1, "the CSV is whole", text[-300:])
    record = json.loads((place / "x.json").read_text())
    equal((record["status"], len(record["rows"])), ("incomplete", len(Csv(text).rows)), "the JSON is whole")


@pytest.mark.parametrize("args, carrier, says", slow_but([
    (["latency"], "tcp", "rank 0 waits for rank 1, rank 1 waits for rank 0"),
    (["latency"], "shm", "rank 0 waits for rank 1, rank 1 waits for rank 0"),
    (["bandwidth", "--window", "4"], "tcp", "rank 1 waits for rank 0"),
    (["beff", "-n", "3"], "tcp", "rank 2"),
    (["beff", "-n", "3"], "shm", "rank 2"),
    (["atlas-2.1", "--sources", "1", "--destinations", "1"], "tcp", "waits for rank"),
    (["atlas-2.1", "--sources", "1", "--destinations", "1"], "shm", "waits for rank"),
], 0))
def test_ranks_that_wait_for_a_lost_message_are_named(args, carrier, says):
    env = {**os.environ, **faulty("loss", CARRIER=carrier, RANK=0, TIMES=1, EVERY=200)}
    done = run(*args, "-b", "faulty", "--sizes", "8", "-q", "--stall", f"{STALL}s", env=env, timeout=20)
    ended(done, args[0], says)


@pytest.mark.slow
def test_suspended_job_goes_on():
    """Stopped as by Ctrl-Z for longer than --stall, twice."""
    args = ["latency", "--sizes", "8", "--point-time", f"{2 * STALL}s", "--repetitions", "1000000000", "--ci", "0", "-q",
            "--stall", f"{STALL}s"]
    r = Command(command(args), args=args)
    begun(r, 2)
    for _ in range(2):
        os.killpg(r.p.pid, signal.SIGSTOP)
        time.sleep(2 * STALL)
        os.killpg(r.p.pid, signal.SIGCONT)
        time.sleep(0.2)
    done = r.end(30)
    ok(done.rc == 0 and not done.faults, "it goes on", done)


@pytest.mark.slow
@pytest.mark.parametrize("stall, rc", [("0", 0), ("1s", 1)])
def test_without_a_watchdog_a_stopped_rank_is_waited_for(stall, rc):
    """A rank is stopped for a while, which --stall 0 endures."""
    args = ["latency", "--sizes", "8", "--point-time", "2s", "--repetitions", "1000000000", "--ci", "0", "-q",
            "--stall", stall]
    r = Command(command(args), args=args)
    ranks = begun(r, 2)
    os.kill(ranks[1], signal.SIGSTOP)
    time.sleep(2.5)
    if rc == 0:
        os.kill(ranks[1], signal.SIGCONT)
    done = r.end(20)
    equal((done.rc, len(done.faults)), (rc, rc), str(done))


@pytest.mark.slow
def test_rounds_longer_than_the_watchdog_are_no_standstill():
    """A round that is to last several times --stall is no standstill."""
    done = run("atlas-2.1", "--sources", "1", "--destinations", "1", "--occupation", "20000", "-l", "60", "--sizes", "64",
               "--repetitions", "1", "--warmup", "0", "-q", "--stall", "300ms")
    ok(done.rc == 0 and done.seconds > 1, "it is waited for", done)


@pytest.mark.slow
def test_a_stalled_run_ends_soon_after_its_time_limit():
    env = {**os.environ, **faulty("loss", TIMES=1, EVERY=200)}
    done = run("latency", "-b", "faulty", "--sizes", "8", "-q", "--stall", "0", "--time-limit", "1s", env=env, timeout=30)
    ok(one_fault(done, 1, "the time limit was reached 5", "in 'latency', size 8: rank 0 waits for rank 1"), "one line", done)
    ok(done.seconds < 8 * SLOW, "soon after it", done)


# ---- a rank that ends ----

def exits(launcher, args, status, env=()):
    with launched_by(launcher):
        return run(*args, "--sizes", "8", "-q", timeout=30,
                   env={**os.environ, **dict(env), **faulty("exit", RANK=1, EVERY=50, STATUS=status)})


@pytest.mark.parametrize("status", slow_but([0, 1, 3, 7], 0, 3))
def test_a_rank_that_exits_is_told_at_once(status):
    done = exits(lambda args: [], ["beff", "-n", "3", "-b", "faulty"], status)
    equal((done.rc, done.faults),
          (1, [f"netbench: rank 1 ended by itself with status {status} in the middle of the run"]), str(done))
    ok(done.seconds < 5 * SLOW, "at once", done)


@pytest.mark.parametrize("status", slow_but([0, 3]))
def test_a_rank_that_exits_under_mpirun_is_told(status):
    need("mpi")
    done = exits(mpirun, ["latency", "-n", "2", "-b", "faulty"], status)
    ok(done.rc == 1 and
       faults(done) == [f"netbench: rank 1 ended by itself with status {status} in the middle of the run"], "one line", done)


def test_a_guest_that_exits_is_told(job):
    env = {**os.environ, **faulty("exit", RANK=1, EVERY=50, STATUS=3, CARRIER="tcp")}
    job.listen("latency", "-b", "faulty", "--sizes", "8", "-q", env=env)
    job.join("latency", "-b", "faulty", env=env)
    for done in job.end():
        ok(one_fault(done, 1, "rank 1 ended by itself with status 3 in the middle of the run"), "one line", done)


# ---- ranks that join ----

@pytest.mark.parametrize("rank", slow_but([0, 1]))
def test_a_stopped_rank_that_joined_ends_when_it_goes_on(job, rank):
    """The other one ends; the one that was stopped does when it goes on."""
    ranks = job.listen("latency", *WATCHED), job.join("latency")
    ok(ranks[1].until_said("", 1) and until(lambda: stat_of(ranks[1].p.pid), 1), "both are there")
    time.sleep(1.5 * SLOW)
    ranks[rank].p.send_signal(signal.SIGSTOP)
    other = ranks[1 - rank]
    other.start = time.monotonic()
    ended(other.end(30), "latency", f"rank {1 - rank} waits for rank {rank}", seconds=3 + (0 if rank else 8 + STALL))
    ranks[rank].p.send_signal(signal.SIGCONT)
    equal(ranks[rank].end(10).rc, 1, "so does the other one")


HANDSHAKE = 196     # bytes of a rank that joins, before its first frame


class Proxy(threading.Thread):
    """Between a rank and the one that listens: stops passing on in the middle of a frame when it is told to, or when it
    has passed on `most` bytes of the rank."""

    def __init__(self, to, most=1 << 62):
        super().__init__(daemon=True)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port, self.to, self.hold, self.most = self.door.getsockname()[1], to, False, most
        self.start()

    def run(self):
        there = socket.create_connection(("127.0.0.1", self.to))
        here = self.door.accept()[0]
        held = False
        while True:
            for s in select.select([here, there], [], [])[0]:
                data, other = s.recv(65536), there if s is here else here
                if not data:
                    return
                if s is here and self.hold:
                    data, held = (b"" if held else data[:5]), True
                if s is here:
                    data = data[:self.most]
                    self.most -= len(data)
                if data:
                    other.sendall(data)


@pytest.mark.slow
def test_half_a_frame_stalls_no_rank_for_ever(job):
    listener = job.listen("latency", *WATCHED)
    until(lambda: re.search("waiting", listener.said()), 5)
    proxy = Proxy(job.port)
    job.ranks.append(Rank("latency", "--join", f"127.0.0.1:{proxy.port}"))
    time.sleep(2 * SLOW)
    proxy.hold = True
    listener.start = time.monotonic()
    ended(listener.end(30), "latency", "rank 0 waits for rank 1", seconds=3)
    ok(one_fault(job.ranks[1].end(20), 1, "no progress"), "the other rank is told", job.ranks[1].said())


@pytest.mark.slow
def test_half_of_the_first_frame_is_seen_by_the_watchdog(job):
    """The watchdog is armed before anything is gathered."""
    listener = job.listen("latency", *WATCHED)
    listener.until_said("waiting")
    proxy = Proxy(job.port, HANDSHAKE + 5)
    job.ranks.append(Rank("latency", "--join", f"127.0.0.1:{proxy.port}"))
    done = listener.end(STALL + 8)
    ok(one_fault(done, 1, "no progress for ", " in 'latency': rank 0 waits for rank 1"), "one line", done)
    ok(done.seconds < (STALL + 4) * SLOW, "in time", done)
    job.ranks[1].end(10)


@pytest.mark.slow
def test_half_of_the_first_frame_ends_with_the_time_limit(job):
    listener = job.listen("latency", *LONG, "--stall", 0, "--time-limit", "1s")
    listener.until_said("waiting")
    proxy = Proxy(job.port, HANDSHAKE + 5)
    job.ranks.append(Rank("latency", "--join", f"127.0.0.1:{proxy.port}"))
    done = listener.end(15)
    ok(one_fault(done, 1, "the time limit was reached 5", " in 'latency': rank 0 waits for rank 1"), "one line", done)
    job.ranks[1].end(10)


# ---- ranks of MPI ----

@pytest.mark.slow
@pytest.mark.parametrize("backend, rank", [("mpi", 0), ("mpi", 1), ("tcp", 0), ("tcp", 1)])
def test_a_stopped_rank_of_mpirun_leaves_no_process(backend, rank):
    need("mpi")
    r = Rank("latency", "-b", backend, *WATCHED, launcher=["mpirun", "-n", "2"])
    until(lambda: "MSize" in r.said(r.out), 20)
    time.sleep(1 * SLOW)
    ranks = {open(f"/proc/{p}/environ").read().split("OMPI_COMM_WORLD_RANK=")[1][0]: p for p in children(r.p.pid)
             if "OMPI_COMM_WORLD_RANK=" in open(f"/proc/{p}/environ").read()}
    os.kill(ranks[str(rank)], signal.SIGSTOP)
    r.start = time.monotonic()
    done = r.end(40)
    if rank == 0:	# mpirun wakes it at the end, and then it may say again what rank 1 has told it
        done.err = done.err.replace(f"netbench: rank 1 on host '{os.uname().nodename}': no", "netbench: no")
        done.err = "\n".join(dict.fromkeys(done.err.splitlines()))
    ended(done, "latency", f"rank {1 - rank} waits for rank {rank}", seconds=12 if rank else 20)
    ok(until(lambda: not any(map(is_alive, ranks.values())), 5), "no process is left", ranks)


# ---- other things to wait for ----

@pytest.mark.parametrize("files", slow_but(range(4, 12), 0, 2))
def test_too_many_open_files_are_told_at_once(files):
    """A limit so low that something cannot be opened is told of at once, in one line."""
    done = run("latency", "-b", "tcp", "--sizes", "8", "--point-time", "10ms", "-q",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)))
    ok(done.rc == 0 and not done.faults or done.rc and len(done.faults) == 1 and
       re.search("Too many open files|more open files", done.err), "one line", done)
    ok(done.seconds < 5 * SLOW, "at once", done)


def test_many_ranks_that_need_more_files_are_told_the_limit():
    """Ranks that cannot reach each other do not try."""
    done = run("latency", "-n", "100", "-b", "tcp", "--sizes", "8", "-q",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
    ok(one_fault(done, 3, "needs 103 more open files", "its limit of 64 ", "raise it to 10"), "the limit, and what is needed", done)
    ok(done.seconds < 3 * SLOW, "at once", done)


def test_a_listener_that_can_accept_nobody_does_not_wait(job):
    """One that could accept nobody does not wait for anybody."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))
    done = job.listen("latency", "--sizes", "8", "-q", preexec_fn=limit).end()
    ok(one_fault(done, 3, "rank 0 needs 2 more open files for the connections of 2 ranks", "its limit of 6 "), "the reason", done)
    ok(done.seconds < 3 * SLOW, "at once", done)


@pytest.mark.parametrize("hangs", ["exec sleep 600\n", "cat >/dev/null\nexec sleep 600\n"], ids=["reading", "drawing"])
def test_gnuplot_that_hangs_is_killed(hangs, place):
    done = run("latency", "-b", "sim", "-q", "-o", "x.json", cwd=place)
    equal(done.rc, 0, str(done))
    (place / "gnuplot").write_text("#!/bin/sh\necho $$ >pid\n" + hangs)
    (place / "gnuplot").chmod(0o755)
    env = {**os.environ, "PATH": f"{place}:{os.environ['PATH']}"}
    # a script of more than a pipe holds
    done = run("plot", *["x.json"] * 40, "-o", "x.svg", "--timeout", "500ms", cwd=place, env=env, timeout=20)
    ok(one_fault(done, 1, "gnuplot did not end within 0.5 s") and done.seconds < 3 * SLOW, "one line", done)
    ok(not is_alive(int((place / "pid").read_text())), "it is killed")
    ok(not (place / "x.svg").exists(), "and there is no picture")
