# SPDX-License-Identifier: Apache-2.0
"""Ranks that others have started, on this machine: by hand, as srun would, by mpirun; and what goes wrong."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import netbench
import pytest
from netbench import (COME, MPI_ENV, NETBENCH, SECRET, SLOW, Command, Csv, Job, Rank, equal, faults, free_port, is_alive, loops, measure,
                      named, ok, one_fault, run, slow_but, stat_of, until)

# Time for a run to be under way; waiting longer where all is slow costs more than it gives.
UNDER_WAY = 2 * min(SLOW, 2)
SHORT = ["--point-time", "20ms", "-f", "csv"]
LONG = ["beff", "-m", "6", "--point-time", "30s", "--ci", "0", "-f", "csv"]


def pair(command, listener=(), joiner=(), **kwargs):
    """A listener and a joiner. Returns both, ended."""
    job = Job()
    job.listen(*command, *listener, **kwargs)
    job.join(command[0], *joiner, **kwargs)
    return job.end()


def test_a_wait_in_vain_says_what_was_waited_for(job):
    """What a test says that has waited for something that did not come."""
    done = job.listen("latency").end(0.2)
    ok(done.rc is None and re.search(r"cut off \(netbench \d+ S \S+\) after", str(done)), "where a run was when it was cut off", done)
    until(lambda: False, 0.01)
    ok(re.match(r"test_jobs.py:\d+ waited .* in vain: until\(lambda: False, 0.01\)$", netbench.checks.waited[-1]),
       "which line of a test waited", netbench.checks.waited)


# ---- by hand ----

@pytest.mark.parametrize("command", slow_but([["latency", "--sizes", "0,8,9k"], ["bandwidth", "--sizes", "8,64k"],
                                              ["beff", "-n", 2, "-m", 4]], 0))
def test_two_ranks_that_join_measure_and_the_listener_alone_tells(command):
    a, b = pair([*command, *loops(command, 50), *SHORT])
    t = Csv(a.out)
    ok(a.rc == 0 and b.rc == 0 and t.status == "complete" and t.rows and
       all(r["errors"] == 0 for r in t.rows), f"join: {command[0]}", f"{a}\n{b}")
    equal((t.one("environment.job.name"), t.one("environment.backend.name"), b.out), ("join", "tcp", ""),
          f"join: {command[0]} is told by the listener alone")


def test_what_a_joining_rank_alone_was_given_is_in_the_record():
    a, b = pair(["latency", "--sizes", "8", "-l", 50, *SHORT[:2], "-f", "json"], joiner=["--tcp-wait", "block", "--pin", "none"])
    ranks = json.loads(a.out)["environment"]["ranks"] if a.rc == 0 else [{}, {}]
    ok("--tcp-wait block --pin none" in ranks[1].get("own_options", "") and "own_options" not in ranks[0],
       "join: what a rank alone was given is in the record", ranks)


def test_other_commands_and_backends_join_too():
    a, b = pair(["beff", "--rule", "hlrs", "-n", 2, "-m", 0, "--repetitions", 1, "-l", 1, "-f", "csv"])
    ok(a.rc == 0 and b.rc == 0 and Csv(a.out).status == "complete", "join: a command that is another one by an option", f"{a}\n{b}")
    a, b = pair(["latency", "-b", "shm", "--sizes", "8", "-l", 50, *SHORT])
    equal((a.rc, Csv(a.out).one("environment.backend.name"), b.rc), (0, "shm", 0), "join: another backend")


def test_ranks_join_in_any_order(job):
    job.listen("beff", "-n", 4, "-m", 3, "-u", 20, *SHORT)
    for r in (3, 1, 2):
        job.join("beff", "--rank", r)
    done = job.end()
    ok(all(d.rc == 0 for d in done) and Csv(done[0].out).one("environment.nranks") == 4,
       "join: four ranks, in any order", "\n".join(map(str, done)))


def test_a_listener_without_a_secret_says_what_to_paste(job):
    a = job.listen("latency", "--sizes", "8", "-l", 50, *SHORT, secret=None)
    line = a.until_said(r"NETBENCH_SECRET=(\w{32}) netbench latency --join (127.0.0.1:\d+)")
    if ok(line, "join: the listener says what to paste", a.said()):
        b = Rank("latency", "--join", line[2], secret=line[1]).end()
        ok(b.rc == 0, "join: what it says works", b)
    equal(a.end().rc, 0, "join: with a secret that it made")


def test_the_secret_of_a_file_is_taken_and_not_shown(place):
    file = place / "secret"
    file.touch(0o600)
    file.write_text(SECRET + "\n")
    a, b = pair(["latency", "--sizes", "8", "-l", 50, *SHORT], ["--secret-file", file], ["--secret-file", file], secret=None)
    equal((a.rc, b.rc), (0, 0), "join: the secret of a file")
    ok(SECRET not in a.err, "join: a given secret is not shown", a)


@pytest.mark.parametrize("listen", ["127.0.0.1", "localhost"])
def test_ranks_find_each_other_where_nobody_resolves_localhost(listen):
    """Without /etc/hosts, as in a Debian just made, and without a server that knows the name."""
    script = """[ ! -e /etc/hosts ] || mount --bind /dev/null /etc/hosts; ip link set lo up
        "$0" latency "$@" --listen "$LISTEN:7471" --join-timeout 10s & "$0" latency --join localhost:7471 --join-timeout 10s
        wait $!"""
    done = Command(["unshare", "-rmn", "sh", "-c", script, NETBENCH, "--sizes", "8", "-l", 50, *SHORT],
                   env={"LISTEN": listen, "NETBENCH_SECRET": SECRET}).end()
    if "unshare" in done.err or "mount:" in done.err:
        pytest.skip(done.err)
    ok(done.rc == 0 and Csv(done.out).one("environment.nranks") == 2, "both find each other", done)


# ---- what is refused ----

@pytest.mark.slow
def test_options_that_do_not_make_a_job_are_refused_by_name():
    done = Rank("latency", "--join", "localhost:1", secret=None).end()
    ok(one_fault(done, 2, "secret"), "join: no secret", done)
    for args, words in ((["--rank", 1], ["--rank", "fork"]), (["--job", "fork", "--listen", 1], ["--listen", "fork"]),
                        (["--listen", 1, "--secret-file", "/no/such/file"], ["/no/such/file"])):
        done = Rank("latency", *args, secret=None).end()
        ok(one_fault(done, 2, *words), f"join: {args}", done)


@pytest.mark.slow
def test_a_listener_that_is_not_there_is_told_in_time():
    done = Rank("latency", "--join", "no.such.host.invalid:1").end(10)
    ok(one_fault(done, 1, "no.such.host.invalid"), "join: a host that does not resolve", done)
    done = Rank("latency", "--listen", "no.such.host.invalid:1").end(10)
    ok(one_fault(done, 1, "no.such.host.invalid"), "listen: a host that does not resolve", done)
    done = Rank("latency", "--join", f"localhost:{free_port()}", "--join-timeout", "500ms").end()
    ok(one_fault(done, 1, "refused") and done.seconds < 5 * SLOW, "join: nobody listens", done)
    done = Rank("latency", "--listen", free_port(), "--join-timeout", "1s").end()
    ok(one_fault(done, 1, "1 of 2"), "listen: nobody comes", done)


@pytest.mark.slow
def test_a_port_of_somebody_else_is_told():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        port = s.getsockname()[1]
        done = Rank("latency", "--listen", port).end()
        ok(one_fault(done, 1, "in use", str(port)), "listen: the port is taken", done)
        done = Rank("latency", "--join", f"localhost:{port}", "--join-timeout", "1s").end()
        ok(one_fault(done, 1, str(port)) and done.seconds < 8 * SLOW, "join: who listens says nothing", done)


@pytest.mark.slow
def test_ranks_that_may_not_join_do_not_keep_the_others_from_it(job):
    """None of those who may not join keeps the others from it."""
    a = job.listen("beff", "-n", 3, "-m", 2, "--join-timeout", "20s", "-u", 20, *SHORT)
    where = f"localhost:{job.port}"
    a.until_said("waiting")
    done = Rank("beff", "--join", where, secret="another secret").end()
    ok(one_fault(done, 1, "wrong secret"), "join: a wrong secret", done)
    ok(a.until_said("wrong secret"), "listen: tells of a wrong secret", a.said())
    done = Rank("latency", "--join", where).end()
    ok(one_fault(done, 2, "'beff'", "'latency'"), "join: another command", done)
    done = Rank("beff", "--join", where, "--rank", 3).end()
    ok(one_fault(done, 1, "rank 3", "1 to 2"), "join: a rank out of range", done)
    done = Rank("beff", "--join", where, "--backend", "null").end()
    ok(one_fault(done, 2, "'tcp'", "'null'"), "join: another backend than the listener's", done)
    job.join("beff", "--rank", 2)
    time.sleep(0.5 * UNDER_WAY)
    done = Rank("beff", "--join", where, "--rank", 2).end()
    ok(one_fault(done, 1, "rank 2 is taken"), "join: a rank twice", done)
    ok(a.until_said("rank 2 is taken"), "listen: tells of it", a.said())
    job.join("beff")
    equal([d.rc for d in job.end()], [0, 0, 0], "join: after all that the run completes")


def measuring(command):
    """Returns when rank 0, with a result of CSV on its standard output, is about to measure, or a little later."""
    until(lambda: "# schema" in command.said(command.out), 20)
    time.sleep(0.2)


@pytest.mark.slow
def test_a_rank_that_comes_after_the_beginning_is_refused(job):
    a = job.listen(*LONG, "-n", 2)
    job.join("beff")
    measuring(a)
    done = Rank("beff", "--join", f"localhost:{job.port}").end()
    ok(one_fault(done, 1, "run has begun"), "join: too late", done)
    ok(a.until_said("too late"), "listen: tells of a late-comer", a.said())
    a.p.terminate()
    equal([d.rc for d in job.end()], [143, 143], "join: SIGTERM at the listener ends both")


# ---- ranks that are lost ----

@pytest.mark.slow
def test_rank_gone_before_the_run(job):
    """It leaves its place to another."""
    a = job.listen("beff", "-n", 3, "-m", 2, "-u", 20, *SHORT)
    b = Rank("beff", "--join", f"localhost:{job.port}")
    time.sleep(UNDER_WAY / 2)
    b.p.kill()
    ok(a.until_said("rank 1 .*has left"), "listen: tells of a rank that died before the run", a.said())
    job.join("beff")
    job.join("beff")
    equal([d.rc for d in job.end()], [0, 0, 0], "join: another rank takes its place")


@pytest.mark.slow
def test_listener_gone_before_the_run(job):
    a = job.listen("beff", "-n", 3)
    job.join("beff")
    time.sleep(UNDER_WAY / 2)
    a.p.terminate()
    a, b = job.end()
    ok(a.rc == 143 and "signal 15" in b.err and b.rc != 0, "join: rank 0 is interrupted before all have come", f"{a}\n{b}")


def test_a_hundred_strangers_at_the_door_do_no_harm(job):
    listener = job.listen("latency", "--sizes", "8", "-l", 50, *SHORT)
    listener.until_said("waiting")
    open_ends = []
    for i in range(100):
        s = socket.create_connection(("127.0.0.1", job.port))
        open_ends.append(s)
        if i % 4 == 1:
            s.sendall(b"GET / HTTP/1.0\r\n\r\n" * 20)
        elif i % 4 == 2:
            s.sendall(b"NETBNCH2" + os.urandom(60))
        elif i % 4 == 3:
            s.close()
    b = Rank("latency", "--join", f"127.0.0.1:{job.port}").end()
    a = listener.end()
    ok(a.rc == 0 and b.rc == 0 and not faults(a), "strangers at the door do no harm", f"{a}\n{b}")
    for s in open_ends:
        s.close()


@pytest.mark.parametrize("victim", slow_but([0, 1, 2], 1))
def test_every_other_rank_names_the_one_that_was_killed(victim, job, place):
    job.listen(*LONG, "-n", 3, "-o", "x.csv", cwd=place)
    for r in (1, 2):
        job.join("beff", "--rank", r)
    measuring(job.ranks[0])
    job.ranks[victim].p.kill()
    done = [r.end(10) for i, r in enumerate(job.ranks) if i != victim]
    ok(all(one_fault(d, 1, f"rank {victim} ", socket.gethostname()) for d in done),
       f"join: rank {victim} is killed: every other says so and exits 1", "\n".join(map(str, done)))
    ok((place / "x.csv").exists() and not Csv((place / "x.csv").read_text()).broken,
       f"join: rank {victim} is killed: the file is whole")


@pytest.mark.parametrize("which", [0, 1])
def test_sigterm_at_any_rank_ends_all_in_order(which, job):
    job.listen(*LONG, "-n", 2)
    job.join("beff")
    measuring(job.ranks[0])
    job.ranks[which].p.terminate()
    done = job.end(10)
    ok(all(d.rc == 143 and not faults(d) for d in done) and Csv(done[0].out).status == "interrupted",
       f"join: SIGTERM at rank {which} ends both in order", "\n".join(map(str, done)))


# ---- as srun starts them, without Slurm ----

def step(**more):
    """The environment of a step of three tasks, and more."""
    return {"SLURM_STEP_NUM_TASKS": "3", "SLURM_STEP_NODELIST": "localhost", "SLURM_STEP_ID": "0",
            "SLURM_JOB_ID": str(os.getpid()), **more}


def by_srun(secret):
    ranks = [Rank("beff", "-m", 3, "-u", 20, *SHORT, *COME, secret=secret, env=step(SLURM_PROCID=str(r))) for r in range(3)]
    return [r.end() for r in ranks]


@pytest.mark.slow
def test_tasks_of_srun_make_a_job():
    done = by_srun(SECRET)
    t = Csv(done[0].out)
    ok(all(d.rc == 0 for d in done) and t.one("environment.nranks") == 3 and
       t.one("environment.job.ranks_came_by") == "srun" and done[1].out == done[2].out == "",
       "as by srun, with a secret", "\n".join(map(str, done)))
    ok("NETBENCH_SECRET" not in done[0].err, "as by srun: no word of a secret that is there", done[0])


@pytest.mark.slow
def test_tasks_of_srun_without_a_secret_are_refused_once():
    done = by_srun(None)
    ok(one_fault(done[0], 2, "NETBENCH_SECRET") and all(d.rc == 2 and not d.err and not d.out for d in done[1:]),
       "as by srun: refused without a secret, which rank 0 says", "\n".join(map(str, done)))


@pytest.mark.slow
def test_one_task_of_srun_forks():
    done = Rank("beff", "-m", 3, "-u", 20, *SHORT, env=step(SLURM_STEP_NUM_TASKS="1", SLURM_PROCID="0")).end()
    equal((done.rc, Csv(done.out).one("environment.job.name")), (0, "fork"), "one task of srun forks")


@pytest.mark.slow
def test_faults_of_tasks_of_srun_are_told_once():
    done = [Rank("beff", "-m", 99, env=step(SLURM_PROCID=str(r))) for r in range(3)]
    done = [d.end() for d in done]
    ok(one_fault(done[0], 2, "'99'") and not faults(done[1]) + faults(done[2]),
       "as by srun: a wrong option is told once", "\n".join(map(str, done)))
    done = Rank("beff", "--join-timeout", "2s", env=step(SLURM_STEP_NODELIST="no-such-host.invalid", SLURM_PROCID="2")).end()
    ok(one_fault(done, 1, "no-such-host.invalid"), "as by srun: a node that does not resolve", done)


@pytest.mark.slow
def test_end_of_the_allocation():
    end = str(int(time.time()) + 5)
    done, t = measure("beff", "-m", 20, "--point-time", "1s", "--ci", 0, env=dict(os.environ, SLURM_JOB_END_TIME=end))
    ok(done.rc == 0 and done.seconds < 5 * SLOW and t.status == "incomplete" and t.rows and
       any("time limit" in w for w in t.meta.get("warning", [])), "the allocation's end is the time limit", done)


# ---- by mpirun ----

def of_mpirun(test):
    """It is slow, and needs mpirun."""
    sanitized = pytest.mark.skipif(SLOW > 1, reason="under sanitizers it adds MPI's code, not ours")
    return pytest.mark.slow(pytest.mark.usefixtures("needs_mpirun")(sanitized(test)))


def mpirun(n, *args, **kwargs):
    return Rank(*args, launcher=["mpirun", "-n", str(n)], **kwargs)


@of_mpirun
def test_mpirun_alone_makes_the_job_and_rank_0_alone_tells():
    done = mpirun(3, "beff", "-m", 3, "-u", 20, *SHORT).end(60)
    t = Csv(done.out)
    ok(done.rc == 0 and t.status == "complete" and t.one("environment.job.name") == "mpi" and
       t.one("environment.backend.name") == "mpi" and t.one("environment.nranks") == 3, "mpirun: by itself", done)
    done = mpirun(2, "model", "--board", "520n", "-m", "2").end(30)
    ok(done.rc == 0 and done.out.count("model") >= 1 and done.out.count("netbench ") == 1, "mpirun: one model", done)
    done = mpirun(2, "beff", "--dry-run").end(30)
    ok(done.rc == 0 and done.out.count("beff on backend mpi") == 1, "mpirun: one plan", done)


@of_mpirun
@pytest.mark.parametrize("backend", ["tcp", "shm", "null"])
def test_ranks_of_mpirun_take_another_backend(backend):
    done = mpirun(2, "latency", "--sizes", 8, "-l", 50, "-b", backend, *SHORT).end(60)
    t = Csv(done.out)
    equal((done.rc, t.one("environment.job.name"), t.one("environment.backend.name")), (0, "mpi", backend),
          f"mpirun: backend {backend}")


@of_mpirun
@pytest.mark.parametrize("args, rc, words", named([
    (["beff", "-m", 99], 2, ["'99'"]), (["beff", "-n", 3], 2, ["'3'", "mpirun", "2"]),
    (["beff", "-b", "sim"], 2, ["'sim'", "'mpi'"]),
    (["beff", "--job", "fork", "-b", "mpi"], 2, ["'mpi'", "'fork'"]),
    (["beff", "-b", "tcp", "--tcp-congestion", "nope"], 3, ["'nope'"]),
    (["beff", "--pin", "9999"], 2, ["'9999'"]),
    (["msgrate", "--pairs", 2], 2, ["pairs"])]))
def test_under_mpirun_a_usage_error_is_printed_once(args, rc, words):
    done = mpirun(2, *args).end(30)
    ok(one_fault(done, rc, *words), f"mpirun: {' '.join(map(str, args))} is told once, exit {rc}", done)


@of_mpirun
@pytest.mark.parametrize("other, words", named([
    (["latency", "--szes", "3"], ["rank 1", "--szes"]), (["beff"], ["rank 1", "command"]),
    (["latency", "--sizes", "9"], ["rank 1", "options"]), (["latency", "--sizes", "8", "-b", "tcp"], ["rank 1", "backend"])]))
def test_ranks_of_mpirun_that_differ_are_refused(other, words):
    done = mpirun(1, "latency", "--sizes", "8", ":", "-n", "1", NETBENCH, *other).end(30)
    ok(one_fault(done, 2, *words), f"mpirun: rank 1 alone runs {' '.join(other)}", done)


@of_mpirun
def test_all_ranks_of_mpirun_end_when_one_is_killed(place):
    r = mpirun(3, *LONG, "-o", "x.csv", cwd=place)
    measuring(r)
    pids = ranks_of(r.p.pid)
    if ok(len(pids) == 3, "mpirun: 3 ranks are there", pids):
        os.kill(pids[1], signal.SIGKILL)
    done = r.end(10)
    ok(done.rc not in (0, None) and len(faults(done)) <= 1 and not any(map(is_alive, pids)),
       "mpirun: a rank is killed: all end within 10 s", done)
    ok(not Csv((place / "x.csv").read_text()).broken, "mpirun: a rank is killed: the file is whole")


@of_mpirun
def test_mpirun_is_told_to_end(place):
    r = mpirun(2, *LONG, "-o", "y.csv", cwd=place)
    measuring(r)
    r.p.terminate()
    r.end(10)
    equal(Csv((place / "y.csv").read_text()).status, "interrupted", "mpirun: SIGTERM leaves a whole file")


@of_mpirun
def test_under_mpirun_a_missing_module_is_told(place):
    alone = shutil.copy(NETBENCH, place)
    p = subprocess.run(["mpirun", "-n", "2", alone, "beff", "-m", "2"], capture_output=True, text=True,
                       env=dict(os.environ, **MPI_ENV))
    lines = [x for x in p.stderr.splitlines() if x.startswith("netbench: ")]
    ok(p.returncode == 3 and len(lines) == 1 and "netbench-mpi-openmpi.so" in lines[0], "mpirun: no module mpi", p.stderr)


@of_mpirun
def test_library_of_mpi_is_loaded_when_needed():
    p, q = (subprocess.run([NETBENCH, *args], env=dict(os.environ, LD_DEBUG="libs"), capture_output=True, text=True)
            for args in (["--help"], ["model", "--board", "520n"]))
    ok("libc.so" in p.stderr and "libmpi" not in p.stderr + q.stderr and p.returncode == q.returncode == 0,
       "--help and model load no libmpi", q.stderr[-300:])


def ranks_of(pid):
    found = []
    for p in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{p}/environ", "rb") as f:
                rank = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", f.read())
        except OSError:
            continue
        if rank and (stat_of(p) or "..")[1] == pid:
            found.append((int(rank[1]), int(p)))
    return [p for _, p in sorted(found)]
