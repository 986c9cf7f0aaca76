# SPDX-License-Identifier: Apache-2.0
"""Backend verbs on real queue pairs: operations, transports, windows, sizes and commands with all content verified; what is
refused, and what goes wrong while it runs. On machines with Soft-RoCE devices (tests/softroce): -k one, -k pair, -k two."""
import json
import os
import re
import resource
import signal
import subprocess
import time
import pytest
from lost import joined, unreachable, visits_on_disk
from netbench import (MPI_ENV, NETBENCH, SLOW, SOURCE, Command, Csv, children, close_to, equal, faults, measure, ok, run, slow_but, until,
                      words)

BRIEF = ["--repetitions", 2, "--point-time", 0, "--ci", 0]
ONE = pytest.mark.rig("machine", "--devices", "one", seconds=500)
PAIR = pytest.mark.rig("machine", "--devices", "pair", seconds=500)
TWO = pytest.mark.rig("machines", "--cpus", "2", seconds=400)
DEVICES = []


@pytest.fixture
def where(request, monkeypatch):
    """The devices: one, or a pair of them with a network between them."""
    for name, value in MPI_ENV.items():
        monkeypatch.setenv(name, value)
    if request.param == "pair":
        monkeypatch.setitem(globals(), "DEVICES", ["--device", "rxv0,rxv1"])
    return request.param


def on(*places, slow=()):
    """A test on these devices. Under sanitizers on one: the code is the same."""
    marks = {"one": [ONE], "pair": [PAIR, pytest.mark.slow]}
    return pytest.mark.parametrize("where", [
        pytest.param(p, marks=marks[p] + [pytest.mark.slow] * (p in slow)) for p in places if SLOW == 1 or p == "one"], indirect=True)


sanitizers_too = pytest.mark.parametrize("where", [pytest.param("one", marks=[ONE, pytest.mark.slow])], indirect=True)
slow_one = on("one", slow=["one"]) if SLOW == 1 else pytest.mark.skip(reason="sanitizers look at what has memory of its own")


def faults_of(done, table, rows):
    """What is wrong with a run in which all content must be right."""
    bad = [] if done.rc == 0 and not faults(done) and table.status == "complete" else [str(done)]
    if len(table.rows) != rows:
        bad.append(f"{len(table.rows)} rows, expected {rows}")
    return bad + [str(r) for r in table.rows if r["errors"] != 0 or r["size_B"] and not r["checked"]]


def verified(name, rows, *args):
    done, table = measure(*args, "-b", "verbs", *DEVICES, *BRIEF)
    table.done = done
    bad = faults_of(done, table, rows)
    ok(not bad, name, "\n".join(bad[:4]))
    return table


def record_of(*args, repetitions=2):
    """JSON of a run, {} if there is none."""
    done = run(*args, "-b", "verbs", "-f", "json", *DEVICES, *BRIEF, "--repetitions", repetitions)
    try:
        return done, json.loads(done.out)
    except ValueError:
        return done, {}


def refused(rc, pattern, *args, **kwargs):
    """One line that says why, and the exit status."""
    done = run(*args, "-b", "verbs", *BRIEF, timeout=20, **kwargs)
    ok(done.rc == rc and len(done.faults) == 1 and re.search(pattern, done.err), f"refused: {' '.join(map(str, args))}", done)


# ---- messages ----

WAYS = [("rc", "send"), ("rc", "write"), ("rc", "write-imm"), ("rc", "read"), ("uc", "send"), ("uc", "write"),
        ("uc", "write-imm"), ("ud", "send")]


def fewer(cases, *few):
    """Where all is slow, those with these numbers."""
    return [cases[i] for i in few] if SLOW > 1 else cases


def ways():
    """Those of set-up quick on one device, the others there, and all on a pair."""
    for where, mark, quick in (("one", ONE, (0, 3)), ("pair", PAIR, ()))[:2 if SLOW == 1 else 1]:
        for i, way in enumerate(fewer(WAYS, 0, 1, 3, 7)):
            yield pytest.param(where, *way, id=f"{where}-{words(way)}", marks=[mark] + [pytest.mark.slow] * (i not in quick))


@pytest.fixture(scope="module")
def packets_pass():
    """Between the two devices of a pair."""
    before = packets("veth0"), packets("veth1")
    yield
    after = packets("veth0"), packets("veth1")
    ok(all(b - a > 1000 for a, b in zip(before, after)), "messages pass from one device to the other", (before, after))


@pytest.mark.parametrize("where, transport, op", ways(), indirect=["where"])
def test_each_transport_and_operation_is_verified(where, transport, op, request):
    if where == "pair":
        request.getfixturevalue("packets_pass")
    how = ["--transport", transport, "--op", op]
    sizes = "0,1,63,64,221,1000,2049,4096" + ("" if transport == "ud" else ",65536")
    n = len(sizes.split(","))
    t = verified(f"latency, {transport} {op}", n, "latency", "--sizes", sizes, "-l", 20, *how)
    column = "read" if op == "read" else "half_rtt"
    bad = [r for r in t.rows if not 0 < r[f"{column}_min_s"] <= r[f"{column}_max_s"]]
    ok(not bad and t.rows, f"latency, {transport} {op}: times", bad[:1])
    verified(f"bandwidth, {transport} {op}", 15, "bandwidth", "--sizes", "0,16,3000", "--window", "1,16,256", "--batch", "1,16",
             "-l", 1, *how)
    if transport != "ud":
        verified(f"bandwidth, long, {transport} {op}", 2, "bandwidth", "--sizes", "70000,1M", "--window", 2, "-l", 1, *how)


@slow_one
@pytest.mark.parametrize("op", ["send", "write", "read"])
def test_windows_times_batches_are_verified(where, op):
    """Every window and batch of the RDMA text; they come back in the columns, and rates are windows by time."""
    windows, batches = [1, 2, 4, 8, 16, 32, 64, 128, 256], [1, 2, 4, 8, 16]
    pairs = [(w, b) for w in windows for b in batches if b <= w]
    t = verified(f"windows and batches, {op}", len(pairs), "msgrate", "--sizes", 16, "--window", "1:256:*2", "--batch",
                 "1:16:*2", "-l", 1, "--op", op)
    equal([(r["window"], r["batch"]) for r in t.rows], pairs, f"windows times batches, {op}")


SLIDING = [("rc", "send", "each", "transport"), ("rc", "write", "each", "transport"), ("rc", "write-imm", "each", "transport"),
           ("rc", "read", "each", "transport"), ("rc", "send", "message", "message"), ("rc", "write", "message", "message"),
           ("rc", "write-imm", "message", "message"), ("uc", "send", "message", "message"), ("ud", "send", "message", "message")]


@on("one", "pair")
@pytest.mark.parametrize("transport, op, ack, column", [
    pytest.param(*s, id="-".join(s[:3]), marks=() if i == 0 else pytest.mark.slow) for i, s in enumerate(SLIDING)])
def test_sliding_windows_are_acknowledged_message_by_message(where, transport, op, ack, column):
    """Each message acknowledged by itself, by the transport or a message; batches share a doorbell."""
    sizes = "1,1000" if transport == "ud" else "1,9000"
    t = verified(f"sliding window, {transport} {op}", 6, "msgrate", "--sizes", sizes, "--window", "1,32", "--batch", "1,8",
                 "--ack", ack, "-l", 3, "--transport", transport, "--op", op)
    equal({r["ack"] for r in t.rows}, {column}, "what acknowledges")


@on("one")
def test_acknowledgements_that_the_transport_lacks_are_refused(where):
    refused(3, "needs 'acked'", "msgrate", "--sizes", 8, "--ack", "each", "--transport", "ud")
    refused(2, "'message' of '--ack' is not for reads", "msgrate", "--sizes", 8, "--ack", "message", "--op", "read")


@slow_one
@pytest.mark.parametrize("depth", [16, 1024])
def test_batches_as_long_as_the_send_queue(where, depth):
    verified(f"batches as long as the send queue, {depth}", 2, "msgrate", "--sizes", "8,16", "--window", depth, "--batch", depth,
             "-l", 2, "--tx-depth", depth)


@slow_one
@pytest.mark.parametrize("how", [["every"], ["every", "--transport", "ud"], ["every-timed"]])
def test_each_message_is_verified(where, how):
    """Short messages too, whose buffers are close to each other."""
    verified(f"--verify {' '.join(how)}", 2, "beff", "-n", 3, "--sizes", "8,1000", "-l", 5, "--verify", *how)


@slow_one
def test_presets_have_rates_by_window_and_time(where):
    t = verified("presets", 6, "msgrate", "--sizes", "16,4096", "--preset", "sequential,unbatched,batched", "-l", 2)
    ok(all(close_to(r["rate_msgps"], r["window"] * r["loops"] / r["time_s"]) for r in t.rows), "rates", t.rows[:1])


@slow_one
def test_content_is_right_both_ways(where):
    verified("both ways, 2 pairs", 2, "bandwidth", "-n", 4, "--pairs", 2, "--bidirectional", "--sizes", "1,9k", "-l", 2)
    verified("both ways, read", 2, "bandwidth", "--bidirectional", "--sizes", "1,9k", "-l", 2, "--op", "read")


@sanitizers_too
@pytest.mark.parametrize("more", fewer((
    ["--same-buffer"], ["--events"], ["--inline", 0], ["--inline", 512], ["--connect", "eager"],
    ["--op", "write", "--last-byte", "always"], ["--op", "write", "--last-byte", "never"],
    ["--mtu", 256], ["--tx-depth", 16, "--rx-depth", 16]), 1, 5, 8), ids=words)
def test_content_is_right_with_each_option(where, more):
    name = " ".join(map(str, more))
    verified(f"latency, {name}", 4, "latency", "--sizes", "0,1,500,9k", "-l", 20, *more)
    verified(f"bandwidth, {name}", 3, "bandwidth", "--sizes", "1,500,9k", "--window", 16, "-l", 3, *more)


@sanitizers_too
def test_the_last_byte_of_a_multicast_is_seen(where):
    verified("multicast, last byte", 2, "atlas-1.6", "-n", 4, "--sizes", "64,9k", "--algorithm", "binomial", "--load", "none",
             "--op", "write", "--last-byte", "always", "-l", 5)


@sanitizers_too
def test_a_sleeping_rank_answers_a_connection_at_once(where):
    t = verified("who sleeps answers", 2, "atlas-2.1", "-n", 4, "--sources", 2, "--sizes", "64,70000", "-l", 10, "--occupation", 0,
                 "--events")
    ok(t.done.seconds < 8 * SLOW, "who sleeps answers at once who wants to connect", t.done)


@sanitizers_too
def test_huge_pages_that_could_not_be_had_are_told(where):
    done = run("latency", "-b", "verbs", "--hugepages", "--sizes", 8, "-l", 5, *BRIEF)
    ok(done.rc == 0 and ("2 MiB" in done.err or not done.warnings), "--hugepages: what could not be had is said", done)


def rings():
    for where, mark, quick in (("one", ONE, (2,)), ("pair", PAIR, ()))[:2 if SLOW == 1 else 0]:
        for n in (1, 2, 3, 4):
            yield pytest.param(where, n, id=f"{where}-{n}", marks=[mark] + [pytest.mark.slow] * (n - 1 not in quick))


@pytest.mark.parametrize("where, n", rings(), indirect=["where"])
def test_rings_are_verified_and_have_a_b_eff(where, n):
    t = verified(f"beff, {n} ranks", 3, "beff", "-n", n, "--sizes", "1,4k,64k", "-u", 3)
    ok(t.one("summary.b_eff_Bps") > 0, f"beff, {n} ranks: b_eff")


everywhere = on("one", "pair", slow=["one"]) if SLOW == 1 else slow_one


@everywhere
def test_rings_by_writing_are_verified(where):
    verified("beff, write", 2, "beff", "-n", 3, "--sizes", "1,64k", "-u", 3, "--op", "write")


@everywhere
@pytest.mark.parametrize("number", ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7"])
def test_atlas_rounds_are_verified(where, number):
    groups = {"1.6": 2}.get(number, 1)
    more = ["--algorithm", "binomial,linear"] if number == "1.6" else []
    verified(f"atlas-{number}, 4 ranks", 2 * groups, f"atlas-{number}", "--ranks" if number not in ("1.1", "1.2") else "-n", 4,
             "--sizes", "64,70000", "--load", "none", "-l", 3, *more)


@everywhere
@pytest.mark.parametrize("number", ["2.1", "2.2"])
def test_packets_of_farms_are_verified(where, number):
    t = verified(f"atlas-{number}, 4 ranks", 2, f"atlas-{number}", "-n", 4, "--sources", 2, "--sizes", "64,70000", "-l", 10,
                 "--occupation", 0)
    ok(all(r["checked"] >= 2 * 10 * r["repetitions"] for r in t.rows), f"atlas-{number}: packets verified", t.rows[:1])


@everywhere
def test_messages_of_pipelines_are_verified(where):
    verified("atlas-2.3, 4 ranks", 2, "atlas-2.3", "-n", 4, "--topology", "2-1-1", "--sizes", "64,70000", "-l", 10,
             "--occupation", 0)


needs_mpirun = pytest.mark.usefixtures("needs_mpirun")


@slow_one
@needs_mpirun
@pytest.mark.parametrize("n, args", [
    pytest.param(2, ["latency", "--sizes", "8,64k"], id="latency"),
    pytest.param(2, ["latency", "--sizes", "8,64k", "--op", "read"], id="read"),
    pytest.param(3, ["atlas-2.1", "--sources", 1, "--occupation", 0, "--sizes", "64,70000"], id="farm")])
def test_ranks_of_mpirun_do_rounds_reads_and_farms(where, n, args):
    """Ranks that mpirun has started: rounds, reads, and message operations as a reactive protocol uses them."""
    done = Command(["mpirun", "-n", n, NETBENCH, *args, "-b", "verbs", "--job", "mpi", "-l", 10, *BRIEF, "-f", "csv"]).end(60)
    bad = faults_of(done, Csv(done.out), 2)
    ok(not bad, f"mpirun: {' '.join(map(str, args))}", "\n".join(bad))


MSG = os.path.join(os.path.dirname(NETBENCH), "tests", "test-msg-launched")


@slow_one
@needs_mpirun
@pytest.mark.skipif(not os.path.exists(MSG), reason=f"{MSG} is not built")
def test_message_operations_work_under_mpirun(where):
    done = Command(["mpirun", "-n", 3, MSG, "verbs"], env={"NETBENCH_MODULES": os.path.dirname(NETBENCH)}).end(60)
    ok(done.rc == 0 and "on backend verbs" in done.out, "mpirun: message operations", done)


# ---- what is recorded ----

@slow_one
@pytest.mark.parametrize("more", [[], ["--tx-depth", 16, "--rx-depth", 16], ["--op", "write"], ["--op", "write-imm"],
                                  ["--op", "read"], ["--op", "read", "--ack", "each"]], ids=words)
def test_predictions_by_measured_parameters_stand_beside_the_rates(where, more):
    """Beside the RDMA form, whose parameters the run measures, whatever the depth of the queues; none is 0 that counts."""
    done, doc = record_of("msgrate", "--sizes", "16,4k", "--window", "1,16", "--batch", "1,8", "-l", 2, "--predict", *more)
    p = doc.get("environment", {}).get("rdma", {})
    ok(done.rc == 0 and p.get("o_wqe_s", 0) > 0 and p.get("o_cqe_s", 0) > 0 and p.get("G_s_per_B", 0) > 0 and
       all(r["model_s"] > 0 and r["measured_over_model"] > 0 for r in doc["rows"]), f"--predict {more}", done)
    one_sided = ["o_rcv_s", "o_free_s"] if "write" in more or "read" in more else []
    equal([k for k, v in p.items() if k.endswith("_s") and v == 0], [*one_sided, "g_rcv_s"], f"--predict {more}: no receiver, and nothing else is 0")
    ok(p["o_nrcv_s"] is None and p["read"] == ("read" in more), f"--predict {more}: of reads, and what is within L", p)


@slow_one
@pytest.mark.parametrize("op", ["send", "read"])
def test_measured_parameters_are_shown_and_taken(where, op, inside):
    how = ["-b", "verbs", "--op", op, *BRIEF]
    done = run("latency", "--sizes", 16, "-l", 20, "--predict", *how, "-o", "x.json")
    ok(done.rc == 0 and "(measured by this run, between ranks 0 and 1):" in done.out and
       re.search(r"not determined, and 0 in the formulas: .*o_nrcv", done.out), f"{op}: under the table", done)
    taken = run("model", "--rdma", "x.json", "--sizes", 16, "-f", "csv")
    ok(taken.rc == 0 and len(Csv(taken.out).rows) == 3, f"{op}: model takes them", taken)


@on("one", slow=("one",))
def test_the_rdma_figures_are_measured_beside_model_and_simulation(where, inside):
    """The example with a measurement: each row has all messages verified, and each picture three kinds of lines."""
    os.makedirs("bin")
    os.symlink(NETBENCH, "bin/netbench")
    script = os.path.join(SOURCE, "examples/rdma-figures.sh")
    done = Command(["sh", script, "-b", "verbs", *map(str, BRIEF)], os.getcwd(), {"PATH": f"{os.getcwd()}/bin:{os.environ['PATH']}"}).end(400)
    measured = {name: json.load(open(f"{name}-measured.json", encoding="utf-8")) for name in ("window", "batch", "size-unbatched", "size-batched")
                if os.path.exists(f"{name}-measured.json")}
    ok(len(measured) == 4 and (done.rc == 0 or "gnuplot" in done.err), "all are measured", done)
    for name, doc in measured.items():
        ok(doc["rows"] and all(r["bandwidth_Bps"] > 0 and not r["errors"] for r in doc["rows"]), name, doc["rows"][:2])
        with open(f"{name}-formula.json", encoding="utf-8") as f:
            ok(len(json.load(f)["rows"]) == len(doc["rows"]), f"{name}: as many by formula")


@slow_one
@pytest.mark.parametrize("transport", ["rc", "ud"])
def test_model_measure_finds_the_rdma_form_first(where, transport):
    """The parameters of the RDMA form come first, where that is what carries messages."""
    done = run("model", "--measure", "-b", "verbs", "--transport", transport, "-m", 12, "--time-limit", 2)
    ok("no parameters" in done.out and ("RDMA form (measured" in done.out) == (transport == "rc"),
       f"model --measure over {transport}, cut short", done)


quick_one = on("one") if SLOW == 1 else slow_one


@quick_one
def test_list_shows_devices_and_ports(where):
    done = run("list", "-b", "verbs")
    ok(done.rc == 0 and re.search(r"device +rx\w+\n +port +1: active, Ethernet, mtu \d+ B of 4096 B, [\d.]+ Gbit/s", done.out),
       "list: devices and ports", done)
    done = run("list", "-b", "verbs", "x")
    ok(done.rc == 2 and "unexpected operand 'x'" in done.err and not done.out, "list: no images", done)


@on("one", "pair") if SLOW == 1 else slow_one
def test_the_record_names_device_queues_and_link(where):
    done, doc = record_of("latency", "--sizes", 8, "-l", 20)
    b = doc.get("environment", {}).get("backend", {})
    want = {"transport": "RC", "operation": "send", "link_layer": "Ethernet", "path_mtu_B": "4096", "gid_index": "1",
            "shared_receive_queue": "yes", "inline_B": "220"}
    bad = {k: b.get(k) for k, v in want.items() if str(b.get(k)) != v}
    ok(not bad and b.get("device", "").startswith("rx") and int(b.get("tx_depth_granted", 0)) >= int(b.get("tx_depth_asked", 1)),
       "what is recorded", f"{bad} {b}\n{done}")
    counters = doc.get("summary", {}).get("counters", {})
    ok("rdma_retransmissions" in counters and "rdma_receiver_not_ready" in counters, "counters of the port", counters)
    done, doc = record_of("latency", "--sizes", 8, "-l", 5, "--op", "write")
    seen = doc.get("environment", {}).get("backend", {}).get("message_seen_by", "")
    ok("order" in seen, "how a written message is seen is said", seen)


# ---- faults ----

@slow_one
def test_what_the_device_cannot_do_is_refused_by_name(where):
    refused(3, "no RDMA device 'nope'", "latency", "--sizes", 8, "--device", "nope")
    refused(3, "has no GID 77", "latency", "--sizes", 8, "--gid", 77)
    refused(3, "active port 3", "latency", "--sizes", 8, "--port", 3)
    refused(2, "datagrams can only be sent", "latency", "--sizes", 8, "--transport", "ud", "--op", "write")
    refused(2, "'--transport uc' has no '--op read'", "latency", "--sizes", 8, "--transport", "uc", "--op", "read")
    refused(2, "'--last-byte' needs '--op write'", "latency", "--sizes", 8, "--last-byte", "always")
    refused(2, "'--inline'.*'--op read'", "latency", "--sizes", 8, "--op", "read", "--inline", 8)
    refused(2, "'--last-byte always' and '--events' exclude each other", "latency", "--sizes", 8, "--op", "write", "--last-byte",
            "always", "--events")
    refused(2, "'--predict'.*'--transport rc'", "msgrate", "--sizes", 8, "--transport", "ud", "--predict")
    refused(2, "'--predict' measures.*two ranks.*'--like'", "beff", "-n", 1, "--predict")
    refused(2, "'--mtu'", "latency", "--sizes", 8, "--mtu", 1000)
    refused(3, "longer than backend 'verbs' allows: 4096", "latency", "--sizes", "8k", "--transport", "ud")
    refused(3, "a window of 256 is wider", "bandwidth", "--sizes", 8, "--window", 256, "--tx-depth", 64)
    refused(3, "beff needs 'ring'", "beff", "-n", 2, "--sizes", 8, "--op", "read")


LASTING = ["--repetitions", 1000000, "--point-time", 0, "--ci", 0]


def lasting(*devices):
    """A run that lasts, and its ranks, when it measures."""
    c = Command([NETBENCH, "bandwidth", "-b", "verbs", *devices, "--sizes", "4k", *LASTING])
    ranks = until(lambda: len(children(c.p.pid)) == 2 and children(c.p.pid), 10)
    time.sleep(SLOW)
    return c, ranks


@on("one", slow=["one"] if SLOW > 1 else [])
def test_a_rank_that_is_killed_is_named(where):
    c, ranks = lasting()
    os.kill(ranks[1], signal.SIGKILL)
    done = c.end(10)
    ok(done.rc == 1 and len(done.faults) == 1 and "rank 1" in done.err, "a rank that dies is named, at once", done)


@pytest.fixture
def dummy0_down_and_up():
    """Takes the interface down when it is called; it is up again in the end."""
    yield lambda: subprocess.run(["ip", "link", "set", "dummy0", "down"], check=True)
    subprocess.run(["ip", "link", "set", "dummy0", "up"], check=True)


@slow_one
def test_a_port_that_goes_down_ends_the_run(where, dummy0_down_and_up):
    """The port of a device goes down while messages are in flight."""
    c, _ = lasting()
    dummy0_down_and_up()
    done = c.end(10)
    ok(done.rc == 1 and len(done.faults) == 1, "a port that goes down ends the run", done)


@slow_one
def test_where_no_port_is_active_it_is_told(where, dummy0_down_and_up):
    dummy0_down_and_up()
    refused(3, "no port of RDMA device.* is active", "latency", "--sizes", 8)


@sanitizers_too
def test_memory_that_may_not_be_locked_is_told(where):
    """Without the right to exceed the limit of locked memory, which root has."""
    done = Command(["setpriv", "--bounding-set", "-ipc_lock", "--", NETBENCH, "latency", "-b", "verbs", "--sizes", "1M", *BRIEF],
                   preexec_fn=limited).end(20)
    ok(done.rc == 1 and len(done.faults) == 1 and "ulimit -l" in done.err, "memory that may not be locked", done)


def limited():
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (64 << 10, 64 << 10))


# ---- losses ----

pair_only = on("pair") if SLOW == 1 else slow_one


def netem(verb, *what):
    return subprocess.run(["tc", "qdisc", verb, "dev", "veth0", "root", "netem", *what], capture_output=True).returncode


@pytest.fixture
def network():
    """The network between the devices; when it is called, what it does to packets from then on."""
    if netem("add", "loss", "0%"):
        pytest.skip("no tc, or no sch_netem")
    yield lambda *what: equal(netem("change", *what), 0, "netem")
    subprocess.run(["tc", "qdisc", "del", "dev", "veth0", "root"], check=True)


@pytest.fixture
def lossy(network):
    """The network between the devices drops packets."""
    network("loss", "3%")


@pair_only
def test_losses_over_rc_are_sent_again_and_counted(where, lossy):
    """What the network drops is sent again, and counted."""
    done, doc = record_of("msgrate", "--sizes", 16, "-l", 10, "--window", 64)
    n = doc.get("summary", {}).get("counters", {}).get("rdma_retransmissions", 0)
    ok(done.rc == 0 and n > 0 and doc["status"] == "complete", "RC: sent again, and counted", done)


@pair_only
def test_losses_over_ud_are_counted(where, lossy):
    done, doc = record_of("msgrate", "--sizes", 16, "-l", 10, "--window", 64, "--transport", "ud", "--check", "none")
    n = doc.get("summary", {}).get("counters", {}).get("ud_lost", 0)
    ok(done.rc == 0 and n > 0 and "ud_lost" in done.err and doc["status"] == "complete", "UD: losses are counted", done)


@pair_only
@pytest.mark.parametrize("name, args", [
    pytest.param("leaves nothing behind for messages of another size", ["beff", "-n", 2, "-u", 200], id="beff"),
    pytest.param("of single messages, too", ["latency", "-l", 50], id="latency"),
    pytest.param("is found by those who sleep", ["latency", "-l", 20, "--events"], id="events")])
def test_what_is_lost_over_ud(where, name, args, lossy):
    done, doc = record_of(*args, "--sizes", "16,3000,100,4000", "--transport", "ud", "--check", "none",
                          repetitions=3 if "--events" in args else 10)
    lost = doc.get("summary", {}).get("counters", {}).get("ud_lost", 0)
    ok(done.rc == 0 and lost > 0 and len(doc["rows"]) == 4, f"UD: what is lost {name}", done)


# ---- runs that outlive what is lost ----

MAPPED = ["-b", "verbs", "--unit", "rank", "--visits", 8, "--repetitions", 2, "--sizes", "8,64k", "--no-retest"]


def mapped():
    with open("lost.json", encoding="utf-8") as f:
        return json.load(f)


@slow_one
def test_a_map_outlives_a_rank(where, inside):
    job = joined(4, MAPPED, 12)
    job.ranks[2].p.kill()
    done = job.end(90)
    equal([d.rc for d in done], [0, 0, -signal.SIGKILL, 0], "the others end as always")
    record = mapped()
    equal(unreachable(record), ["rank2"], "the verdict")
    for row in record["rows"]:
        dead = 2 in (row["sender"], row["receiver"])
        ok(row["visits"] < 8 if dead else row["visits"] == 8 and "note" not in row, "visits", row)


@pytest.fixture
def map_under_way(where, inside):
    c = Command([NETBENCH, "map", "--ranks", 4, *MAPPED, *DEVICES, "-o", "lost.json"])
    ok(until(lambda: len(visits_on_disk("lost.json.visits.csv")) > 12, 90), "under way", c.said())
    yield c


@pair_only
def test_a_map_outlives_a_break_of_the_cables(map_under_way, network):
    """Nothing passes between the devices for so long that ranks lose each other. Those of one device do not."""
    network("loss", "100%")
    time.sleep(8)
    network("loss", "0%")
    done = map_under_way.end(90)
    record = mapped()
    broken = [row for row in record["rows"] if "note" in row]
    ok(done.rc == 0 and record["status"] == "complete" and unreachable(record), "the run goes on", done)
    ok(broken and all((row["sender"] + row["receiver"]) % 2 for row in broken), "with whom it can", broken)


@pair_only
def test_a_map_outlives_a_port(map_under_way):
    port = "veth0" if DEVICES else "dummy0"
    subprocess.run(["ip", "link", "set", port, "down"], check=True)
    time.sleep(1)
    subprocess.run(["ip", "link", "set", port, "up"], check=True)
    done = map_under_way.end(90)
    ok(done.rc == 0 and mapped()["status"] == "complete", "the run goes on", done)


def packets(interface):
    with open(f"/sys/class/net/{interface}/statistics/tx_packets", encoding="ascii") as f:
        return int(f.read())


# ---- two machines ----

@pytest.mark.slow
@pytest.mark.skipif(SLOW > 1, reason="the code is the same")
@TWO
@pytest.mark.parametrize("port, args", [pytest.param(7100 + i, args, id=f"two-{words(args[:1])}-{i}") for i, args in enumerate((
    ["latency", "--sizes", "0,8,4k,64k", "-l", 20],
    ["latency", "--sizes", "8,64k", "-l", 20, "--op", "read"],
    ["bandwidth", "--sizes", "16,64k", "--window", "1,64", "-l", 3, "--op", "write"],
    ["msgrate", "--sizes", "16", "--window", 64, "-l", 3, "--transport", "ud"],
    ["beff", "--sizes", "1,64k", "-u", 3],
    ["atlas-1.2", "--sizes", "64,70000", "--load", "none", "-l", 3]))])
def test_ranks_of_different_hosts_join_over_verbs(port, args):
    """A rank on each machine: rank 0 listens on the first, the other joins."""
    shared, me = os.environ["SHARED"], os.environ["HOST"]
    open(f"{shared}/{port}.{me}", "x").close()      # both begin when the other is here
    until(lambda: os.path.exists(f"{shared}/{port}.{3 - int(me)}"), 100)
    env = {"NETBENCH_SECRET": "a secret of the two", "SHARED": shared}
    where = f"10.5.0.1:{port}"
    if me == "1":
        c = Command([NETBENCH, *args, "-b", "verbs", "-n", 2, *BRIEF, "--listen", where, "-f", "csv"], env=env)
        done = c.end(60)
        table = Csv(done.out)
        bad = faults_of(done, table, len(table.rows))
        ok(table.rows and not bad, f"two machines: {' '.join(map(str, args))}", "\n".join(bad) or done)
    else:
        done = Command([NETBENCH, args[0], "-b", "verbs", "--join", where], env=env).end(60)
        ok(done.rc == 0, f"two machines, the second: {' '.join(map(str, args))}", done)


# ---- no machine ----

@pytest.mark.skipif(os.path.isdir("/sys/class/infiniband") and bool(os.listdir("/sys/class/infiniband")), reason="devices are here")
def test_no_device_is_told_with_exit_3_and_in_list():
    done = run("latency", "-b", "verbs", "--sizes", 8)
    if "unknown backend" in done.err:
        pytest.skip("this build has no backend verbs")
    ok(done.rc == 3 and len(done.faults) == 1 and "no RDMA device" in done.err, "no device: said, exit status 3", done)
    done = run("list")
    ok(done.rc == 0 and "no RDMA device" in " ".join(done.out.split()), "netbench list says why", done)
