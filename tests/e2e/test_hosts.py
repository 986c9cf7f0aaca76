# SPDX-License-Identifier: Apache-2.0
"""Runs over several hosts: by mpirun, and by ranks that join over TCP. That the messages pass the hosts'
interfaces, what links of known rate and latency measure, lost ranks and hosts, and who may not join."""
import json
import os
import re
import socket
import subprocess
import tempfile
import time
import pytest
from netbench import MPICH, NETBENCH, SLOW, Command, Csv, close_to, equal, faults, lacks as lacks_backend, note, ok, skip, until
from relay import CLUSTER, why_not
from rig import QUICK, RESULTS, check_run, finish_all, lacks, lacks_mpich, netbenches, on, read, sweep, tool, whole_rows

pytestmark = pytest.mark.slow
SECRET = {"NETBENCH_SECRET": "of-the-tests-only"}
_port = 7000


# ---- how a run is started ----

def mpirun(n, args, cwd=None):
    """netbench with a rank on each of n hosts. Open MPI looks for lost hosts only if told to."""
    watch = ["--mca", "oob_tcp_keepalive_time", 1, "--mca", "oob_tcp_keepalive_intvl", 1,
             "--mca", "oob_tcp_keepalive_probes", 3]
    return [Command(["mpirun", "-n", n, "--map-by", "node", "--mca", "btl", "tcp,self", *watch, NETBENCH,
                     *args], cwd=cwd)]


def hydra(n, args, cwd=None):
    """The same by MPICH's launcher."""
    return [Command([MPICH, "-n", n, "-ppn", 1, NETBENCH, *args], cwd=cwd)]


def port():
    """One that no run has used."""
    global _port
    _port += 1
    return _port


def listen(n, args, where, cwd=None, env=SECRET):
    return Command([NETBENCH, args[0], "--backend", "tcp", "--listen", where, "-n", n, *args[1:]], cwd, env)


def join(rank, command, where, *options, env=SECRET):
    """Rank i joins from host ni."""
    return Command(on(f"n{rank}", [NETBENCH, command, "--backend", "tcp", "--join", where, "--rank", rank,
                                   *options]), env=env)


def together(n, args, cwd=None):
    """All processes of a run of n ranks that join, rank 0 first."""
    where = f"n0:{port()}"
    return [listen(n, args, where, cwd)] + [join(r, args[0], where) for r in range(1, n)]


JOBS = {    # name: (what starts it, more options, job and backend in the result)
    "mpi": (mpirun, [], "mpi", "mpi"),
    "mpi with tcp": (mpirun, ["--backend", "tcp"], "mpi", "tcp"),
    "mpich": (hydra, [], "mpi", "mpi"),
    "join": (together, [], "join", "tcp"),
    "mpi with fpga": (mpirun, ["--backend", "fpga", "--emulate", "fast"], "mpi", "fpga"),     # cables are sockets
}


@pytest.fixture
def job(request):
    """One that this build can run."""
    found = JOBS[request.param]
    if reason := lacks_mpich() if found[0] == hydra else (found[2] == "mpi" and lacks("mpi")) or lacks(found[3]):
        pytest.skip(reason)
    return request.param, *found


def each_job(*names):
    return pytest.mark.parametrize("job", names, indirect=True)


# ---- the messages pass the interfaces ----

def passes(name, job, args, n):
    _, start, options, kind, backend = job
    args = [*args, *options, *QUICK, *RESULTS]
    check_run(f"{args[0]}, {name}", lambda place: start(n, args, place), n, kind, backend)


@pytest.mark.rig("cluster", "-m", "-n", "4", seconds=90)
@each_job(*JOBS)
def test_ring_passes_the_interfaces(job):
    passes(job[0], job, ["beff", "--sizes", "1,4k,256k"], 4)


@pytest.mark.rig("cluster", "-m", "-n", "4", seconds=90)
@each_job("mpi", "mpich", "mpi with tcp", "join")       # cables are joined alike for all commands
@pytest.mark.parametrize("args", [["latency", "--sizes", "1,64k"], ["bandwidth", "--sizes", "1k,256k", "--window", "16"]],
                         ids=["latency", "bandwidth"])
def test_pair_passes_the_interfaces(job, args):
    passes(job[0], job, args, 2)


@pytest.mark.rig("cluster", "-n", "2")
@each_job("mpi", "mpich", "mpi with tcp", "join")
def test_hosts_that_share_a_boot_id_find_each_other(job):
    """Hosts that the boot id takes for one machine, as containers are: rank 0 listens where all reach it."""
    passes(job[0] + ", containers", job, ["latency", "--sizes", "1"], 2)


def two_ranks_a_host(*options):
    """A latency of four ranks, of which 0 and 1 are on host n0, on their own."""
    where = f"n0:{port()}"
    args = ["latency", "--sizes", "1", "--repetitions", "2", "-f", "json", *options]
    ranks = [listen(4, args, where), Command([NETBENCH, "latency", "--join", where, "--rank", 1], env=SECRET)]
    for rank in (2, 3):
        ranks.append(Command(on("n1", [NETBENCH, "latency", "--join", where, "--rank", rank]), env=SECRET))
    done = finish_all(ranks, 30)
    assert [d.rc for d in done] == [0] * 4, done
    return json.loads(done[0].out)


@pytest.mark.rig("cluster", "-m", "-n", "2")
def test_pairs_are_of_two_hosts():
    """Of ranks 0 and 1 on one host, 2 and 3 on another, 0 and 2 are measured; what passes their interfaces is seen above."""
    if reason := lacks("tcp"):
        pytest.skip(reason)
    got = {whom: two_ranks_a_host(*options)["environment"].get("pairs")
           for whom, options in (("default", []), ("ranks", ["--between", "ranks"]), ("0:3", ["--between", "0:3"]))}
    equal(got, {"default": [[0, 2]], "ranks": None, "0:3": [[0, 3]]}, "the pair of each --between")


# ---- links of known rate and latency ----

@pytest.mark.rig("cluster", "-m", "-n", "2", "-r", "100mbit", "-b", "5kb")
def test_the_bandwidth_of_a_link_of_known_rate_is_within_2_percent():
    """A token bucket of 100 Mbit/s counts Ethernet frames: 1448 of 1514 bytes are ours."""
    if reason := lacks("tcp"):
        pytest.skip(reason)
    want = 100e6 / 8 * 1448 / 1514
    for attempt in range(3):
        done = finish_all(together(2, ["bandwidth", "--sizes", "1M", "--window", "4", "--loops", "1",
                                       "--ci", "0", "--repetitions", "6", "--point-time", "2500ms",
                                       "-f", "csv"]), 30)
        rows = Csv(done[0].out).rows
        got = rows[0]["bandwidth_Bps"] if rows else 0
        if close_to(got, want, 0.02):
            break
    ok(close_to(got, want, 0.02), "a link of 100 Mbit/s: bandwidth within 2 %",
       f"{got:.0f} B/s, expected {want:.0f}\n{done[0]}")
    note(f"bandwidth {got:.0f} B/s, expected {want:.0f}: {got / want - 1:+.2%}")


# Rank 1 on host n1, rank 0 here; $0 is netbench, the arguments a command.
TWO_HOSTS = """
"$CLUSTER/rsh" n1 "$0 $1 --backend tcp --join n0:7000 --rank 1" &
"$0" "$@" --backend tcp --listen n0:7000 -n 2
status=$?
wait
exit $status
"""


def two_hosts(ns, args, seconds=60):
    """What a command prints of hosts whose cables have a latency."""
    command = [CLUSTER, "-m", "-n", "2", "-l", str(ns), "--", "sh", "-c", TWO_HOSTS, NETBENCH, *args]
    p = subprocess.run(command, env={**os.environ, **SECRET}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                       timeout=seconds * SLOW)
    assert p.returncode == 0, f"a link of known latency: exit {p.returncode}\n{p.stderr}"
    return p.stdout


def table_of_two_hosts(ns, args):
    table = Csv(two_hosts(ns, [*args, "-f", "csv"]))
    assert table.rows, "no rows"
    return table


def latency(ns):
    """The row of a latency, and whether others used the machine."""
    table = table_of_two_hosts(ns, ["latency", "--sizes", "1", "--point-time", "1s", "--ci", "0"])
    return table.rows[0], any("others use" in w for w in table.meta.get("warning", []))


def test_the_round_trips_of_links_of_known_latency_are_found():
    """The hosts add a constant to it; the difference of two latencies is without. Others on this machine delay
    some round trips, the fastest of all hardly, but in time the median."""
    short, long = 300_000, 2_300_000        # ns of a cable; between two hosts are two
    want = 2 * (long - short) * 1e-9
    if reason := lacks_backend("tcp") or why_not("cluster", "-l", "1000"):
        pytest.skip(reason)
    for attempt in range(5):
        (near, busy), (far, busy_too) = latency(short), latency(long)
        off = {column: (far[column] - near[column]) / want - 1 for column in ("half_rtt_min_s", "half_rtt_epoch_s")}
        if all(abs(x) < 0.02 for x in off.values()):
            break
    for column, words in (("half_rtt_min_s", "fastest round trips differ"), ("half_rtt_epoch_s", "half_rtt_epoch_s differs")):
        name = f"links of 0.3 and 2.3 ms: {words} by 4 ms within 2 %"
        if (busy or busy_too) and abs(off[column]) >= 0.02:
            skip(name, f"others use this machine, five times; off by {off[column]:+.1%}")
        else:
            ok(abs(off[column]) < 0.02, name, f"{near[column]} and {far[column]} s, expected to differ by {want} s")
    note(f"off by {off['half_rtt_min_s']:+.2%}, median {off['half_rtt_epoch_s']:+.2%}")


def test_the_rate_of_a_sliding_window_is_that_of_window_and_round_trip():
    """While the window binds, its rate is the window by the round trip; a reply to each window adds nothing then either."""
    if reason := lacks_backend("tcp") or why_not("cluster", "-l", "1000"):
        pytest.skip(reason)
    windows = [1, 2, 4, 8, 16]
    command = ["msgrate", "--sizes", "8", "-w", ",".join(map(str, windows)), "--ack", "each", "-l", "64", "--repetitions", "6"]
    for attempt in range(5):
        table = table_of_two_hosts(1_000_000, command)
        rates = [row["rate_msgps"] for row in table.rows]
        off = max(abs(rate / rates[0] / w - 1) for w, rate in zip(windows, rates))
        if off < 0.03:
            break
    ok(4e-3 < 1 / rates[0] < 4.8e-3, "a window of 1 is a round trip, of which the links take 4 ms", rates)
    if off >= 0.03 and any("others use" in w for w in table.meta.get("warning", [])):
        skip("rates", f"others use this machine, five times; off by {off:+.1%}")
    else:
        ok(off < 0.03, "rates are as the windows, 1 to 16", rates)
    note(f"off by {off:.2%} at most")


def test_the_fitted_latency_is_that_of_the_cables():
    """L is what the cables take; the hosts add some 0.1 ms to their 10.6 ms. A fit of so few sizes is not always described."""
    cable, attempts = 5_300_000, 3
    if reason := lacks_backend("tcp") or why_not("cluster", "-l", "1000"):
        pytest.skip(reason)
    for attempt in range(attempts):
        doc = json.loads(two_hosts(cable, ["model", "--measure", "--sizes", "1,8,32,128", "--rounds", "2", "-f", "json"], 300))
        latency = doc["summary"]["segments"][0]["L_s"]
        if latency is not None:
            break
    if latency is None:
        skip("L", f"LogGP does not describe these few sizes, {attempts} times")
        return
    ok(close_to(latency, 2e-9 * cable, 0.05), "L of cables of 10.6 ms within 5 %", latency)
    note(f"L off by {latency / (2e-9 * cable) - 1:+.2%}")


# ---- bad luck ----

LONG = ["beff", "-m", "10", "--point-time", "1s", "--ci", "0", "-o", "x.csv"]
LIMIT = 10      # s; by then everybody must have ended


@pytest.fixture(autouse=True)
def nothing_left():
    """For the sake of the next test."""
    yield
    if os.environ.get("CLUSTER"):
        sweep()


def kill(host):
    for pid in netbenches(host):
        os.kill(pid, 9)


def cut(host):
    tool("link", host, "down")


@pytest.mark.parametrize("job, event, host", [
    pytest.param(name, event, host, id=f"{name}-{event.__name__}-{host}",
                 marks=pytest.mark.rig("cluster", "-m", "-n", "4", seconds=90, at_once=True, group=name))
    for name in ("mpi", "mpich", "mpi with tcp", "join")
    for event, host in [(kill, "n2"), (cut, "n2")] + ([(kill, "n0")] if name == "join" else [])], indirect=["job"])
def test_a_lost_rank_or_host_is_named_and_the_others_end(job, event, host):
    """A rank, or its host, is lost in the second point of a run on four hosts."""
    name, start, options, _, _ = job
    name = f"{event.__name__} {host}, {name}"
    with tempfile.TemporaryDirectory() as place:
        commands = start(4, LONG + options, place)
        running = until(lambda: whole_rows(read(place, "x.csv")) > 0 and len(netbenches()) == 4, 15)
        assert running, f"{name}: does not run\n" + "\n".join(map(str, finish_all(commands, 0)))
        time.sleep(0.2)
        event(host)
        lost = time.monotonic()
        done = finish_all(commands, LIMIT)
        took = time.monotonic() - lost
        left = until(lambda: not netbenches(), LIMIT - took / SLOW) or netbenches()
        tool("link", host, "up")
        ok(left is True, f"{name}: no netbench is left after {LIMIT} s", left)
        note(f"all have ended after {took:.1f} s")
        ok(whole_rows(read(place, "x.csv")) > 0, f"{name}: the rows are kept", read(place, "x.csv")[-200:])
    if len(commands) == 1:
        judge_mpirun(name, done[0], int(host[1:]))
    else:
        judge_joined(name, done, event, int(host[1:]))


def is_named(line, rank):
    """Whether a line says which rank is lost, and where."""
    return re.search(rf"\brank {rank}\b", line) and re.search(rf"\bn{rank}\b", line)


def judge_mpirun(name, done, rank):
    if "cut n2, mpich" not in name:     # MPICH's waits for its daemon there, however long; all ranks have ended
        ok(done.rc not in (0, None), f"{name}: mpirun fails within {LIMIT} s", done)
    lines = faults(done)
    ok(len(lines) <= 1, f"{name}: not more than one line", "\n".join(lines))
    ok(all(is_named(x, rank) for x in lines), f"{name}: it names the rank and its host", "\n".join(lines))


def judge_joined(name, done, event, rank):
    for r, d in enumerate(done):
        if r == rank and event is kill:
            continue
        who = f"{name}: rank {r}"
        ok(d.rc == 1, f"{who} ends with 1 within {LIMIT} s", d)
        lines = faults(d)
        # a host that is cut off cannot know that it is the one: it has lost the rest, rank 0 first
        good = len(lines) == 1 and (is_named(lines[0], rank) or r == rank and is_named(lines[0], 0))
        ok(good, f"{who}: one line, which names the rank and its host", d)


# ---- who may not join ----

BRIEF = ["--join-timeout", "2s"]
WORK = ["latency", "--sizes", "1,4k", *QUICK, "-f", "csv"]


joins = pytest.mark.rig("cluster", "-m", "-n", "4", seconds=90, at_once=True, group="who may not join")


@pytest.fixture
def backend_tcp():
    if reason := lacks("tcp"):
        pytest.skip(reason)


def one_line(done, name, pattern="", seconds=10):
    """A failure that is told in a line, in time."""
    ok(done.rc == 1 and done.seconds < seconds * SLOW, f"{name}: exit 1 within {seconds} s", done)
    lines = faults(done)
    ok(len(lines) == 1 and re.search(pattern, lines[0]), f"{name}: one line", done)


def completes(done, name):
    ok(all(d.rc == 0 for d in done) and Csv(done[0].out).status == "complete", f"{name}: the run completes",
       "\n".join(map(str, done)))


@joins
def test_hosts_without_address_and_ports_that_are_taken_are_named(backend_tcp):
    """No such host; a port that is taken."""
    args = ["latency", "--backend", "tcp"]
    one_line(Command([NETBENCH, *args, "--join", "nosuch:7000"], env=SECRET).end(15),
             "join a host that has no address", "nosuch")
    one_line(Command([NETBENCH, *args, "--listen", "nosuch:7000"], env=SECRET).end(15),
             "listen on a host that has no address", "nosuch")
    with socket.create_server(("", port())) as taken:
        where = f"n0:{taken.getsockname()[1]}"
        one_line(listen(2, WORK, where).end(15), "listen on a port that is taken", where)
    one_line(join(1, "latency", f"n0:{port()}", *BRIEF).end(15), "nobody listens")


def wrong_secret():
    where = f"n0:{port()}"
    commands = [listen(2, [*WORK, *BRIEF], where),
                join(1, "latency", where, *BRIEF, env={"NETBENCH_SECRET": "of-somebody-else"})]

    def judge():
        done = finish_all(commands, 10)
        one_line(done[0], "wrong secret, listener", r"\b1 of 2 ranks")
        one_line(done[1], "wrong secret, rank 1", "secret|refused")
    return judge


def same_rank():
    where = f"n0:{port()}"
    commands = [listen(3, [*WORK, *BRIEF], where), join(1, "latency", where, *BRIEF),
                Command(on("n2", [NETBENCH, "latency", "--backend", "tcp", "--join", where, "--rank", 1, *BRIEF]),
                        env=SECRET)]

    def judge():
        done = finish_all(commands, 10)
        one_line(done[0], "rank 1 twice, listener", r"\b2 of 3 ranks")
        one_line(done[1], "rank 1 twice, one of them")
        one_line(done[2], "rank 1 twice, the other")
        ok(any(re.search(r"\brank 1\b", x) for d in done[1:] for x in faults(d)),
           "rank 1 twice: somebody is told that it is taken", "\n".join(map(str, done)))
    return judge


def missing_rank():
    where = f"n0:{port()}"
    commands = [listen(3, [*WORK, *BRIEF], where), join(1, "latency", where, *BRIEF)]

    def judge():
        done = finish_all(commands, 10)
        one_line(done[0], "a rank is missing, listener", r"\b2 of 3 ranks")
        one_line(done[1], "a rank is missing, rank 1")
        ok(1.5 < done[0].seconds, "a rank is missing: not before the time is over", done[0])
    return judge


@joins
def test_strangers_do_not_keep_ranks_from_joining(backend_tcp):
    """Connections that are none of ours do not keep the right ranks from joining."""
    number = port()
    listener = listen(3, WORK, f"n0:{number}")

    def connect():
        try:
            return socket.create_connection(("n0", number), 5)
        except OSError:
            return None
    held = [until(connect, 5)]
    assert held[0], f"strangers: nobody listens\n{listener.said()}"
    for data in (b"\0" * 4096, b"GET / HTTP/1.0\r\n\r\n", os.urandom(4096), b"netbench", b"\xff" * 65536, b"x"):
        held.append(connect())
        try:
            held[-1].sendall(data)
        except OSError:
            pass        # closed while we were sending
    for _ in range(20):
        connect().close()
    done = finish_all([listener] + [join(r, "latency", f"n0:{number}") for r in (1, 2)], 20)
    for s in held:
        s.close()
    completes(done, "garbage, connections that stay silent or close")


@joins
def test_ranks_with_the_secret_in_a_file_join(backend_tcp):
    with tempfile.NamedTemporaryFile("w") as f:
        f.write("in-a-file-of-mine\n")
        f.flush()
        where = f"n0:{port()}"
        none = {"NETBENCH_SECRET": ""}
        completes(finish_all([listen(2, [*WORK, "--secret-file", f.name], where, env=none),
                              join(1, "latency", where, "--secret-file", f.name, env=none)], 20),
                  "secret in a file")


@joins
def test_a_listener_without_a_secret_tells_what_to_type_elsewhere(backend_tcp):
    """It tells what to type elsewhere."""
    pasted(f"n0:{port()}", "n1", "secret of the listener's making")


@joins
def test_a_bare_port_is_for_this_host(backend_tcp):
    """It is for this host."""
    pasted(str(port()), "n0", "a bare port")


def pasted(where, host, name):
    listener = listen(2, WORK, where, env={})
    line = listener.until_said(r"NETBENCH_SECRET=\S+ .*netbench .*--join \S+.*", 5)
    assert line, f"{name}: no line to paste\n{listener.said()}"
    if host == "n0":
        one_line(join(1, "latency", f"n0:{where}", *BRIEF).end(10), f"{name}: not from another host")
    path = {"PATH": os.path.dirname(NETBENCH) + ":" + os.environ["PATH"]}
    rank = Command(on(host, ["sh", "-c", line[0]]), env=path)
    completes(finish_all([listener, rank], 20), name)


@joins
def test_those_who_may_not_join(backend_tcp):
    for judge in [wrong_secret(), same_rank(), missing_rank()]:     # they wait at the same time
        judge()
    equal(netbenches(), [], "join: no netbench is left")
