# SPDX-License-Identifier: Apache-2.0
"""Backend verbs on real queue pairs: operations, transports, windows, sizes and commands with all content verified; what is
refused, and what goes wrong while it runs.

Usage: verbs.py netbench one|pair|two [quick|rest], on a machine with Soft-RoCE devices, see tests/softroce; or verbs.py
netbench none, on a machine without any.
"""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from tap import MPI_ENV, NETBENCH, SLOW, Command, Csv, close_to, equal, faults, finish, measure, ok, run, skip, some, steps, until

WHERE = sys.argv[2]
BRIEF = ["--repetitions", 2, "--point-time", 0, "--ci", 0]
DEVICES = ["--device", "rxv0,rxv1"] if WHERE == "pair" else []
os.environ.update(MPI_ENV)


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
    ok(not bad, f"{WHERE}: {name}", "\n".join(bad[:4]))
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
    for transport, op in some(fewer(WAYS, 0, 1, 3, 7), 0, 3):
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


def windows():
    """Every window and batch of the RDMA text; they come back in the columns, and rates are windows by time."""
    windows, batches = [1, 2, 4, 8, 16, 32, 64, 128, 256], [1, 2, 4, 8, 16]
    for op in ("send", "write", "read"):
        pairs = [(w, b) for w in windows for b in batches if b <= w]
        t = verified(f"windows and batches, {op}", len(pairs), "msgrate", "--sizes", 16, "--window", "1:256:*2", "--batch",
                     "1:16:*2", "-l", 1, "--op", op)
        equal([(r["window"], r["batch"]) for r in t.rows], pairs, f"windows times batches, {op}")
    for depth in (16, 1024):
        verified(f"batches as long as the send queue, {depth}", 2, "msgrate", "--sizes", "8,16", "--window", depth, "--batch", depth,
                 "-l", 2, "--tx-depth", depth)
    t = verified("presets", 6, "msgrate", "--sizes", "16,4096", "--preset", "sequential,unbatched,batched", "-l", 2)
    ok(all(close_to(r["rate_msgps"], r["window"] * r["loops"] / r["time_s"]) for r in t.rows), "rates", t.rows[:1])
    verified("both ways, 2 pairs", 2, "bandwidth", "-n", 4, "--pairs", 2, "--bidirectional", "--sizes", "1,9k", "-l", 2)
    verified("both ways, read", 2, "bandwidth", "--bidirectional", "--sizes", "1,9k", "-l", 2, "--op", "read")


def options():
    for more in fewer((["--same-buffer"], ["--events"], ["--inline", 0], ["--inline", 512], ["--connect", "eager"],
                      ["--op", "write", "--last-byte", "always"], ["--op", "write", "--last-byte", "never"],
                      ["--mtu", 256], ["--tx-depth", 16, "--rx-depth", 16]), 1, 5, 8):
        name = " ".join(map(str, more))
        verified(f"latency, {name}", 4, "latency", "--sizes", "0,1,500,9k", "-l", 20, *more)
        verified(f"bandwidth, {name}", 3, "bandwidth", "--sizes", "1,500,9k", "--window", 16, "-l", 3, *more)
    verified("multicast, last byte", 2, "atlas-1.6", "-n", 4, "--sizes", "64,9k", "--algorithm", "binomial", "--load", "none",
             "--op", "write", "--last-byte", "always")
    t = verified("who sleeps answers", 2, "atlas-2.1", "-n", 4, "--sources", 2, "--sizes", "64,70000", "-l", 10, "--occupation", 0,
                 "--events")
    ok(t.done.seconds < 8 * SLOW, "who sleeps answers at once who wants to connect", t.done)
    done = run("latency", "-b", "verbs", "--hugepages", "--sizes", 8, "-l", 5, *BRIEF)
    ok(done.rc == 0 and ("2 MiB" in done.err or not done.warnings), "--hugepages: what could not be had is said", done)


def rings():
    for n in some((1, 2, 3, 4), 2):
        t = verified(f"beff, {n} ranks", 3, "beff", "-n", n, "--sizes", "1,4k,64k", "-u", 3)
        ok(t.one("summary.b_eff_Bps") > 0, f"beff, {n} ranks: b_eff")


def commands():
    verified("beff, write", 2, "beff", "-n", 3, "--sizes", "1,64k", "-u", 3, "--op", "write")
    for number in ("1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7"):
        groups = {"1.6": 2}.get(number, 1)
        more = ["--algorithm", "binomial,linear"] if number == "1.6" else []
        verified(f"atlas-{number}, 4 ranks", 2 * groups, f"atlas-{number}", "--ranks" if number not in ("1.1", "1.2") else "-n", 4,
                 "--sizes", "64,70000", "--load", "none", "-l", 3, *more)
    for number in ("2.1", "2.2"):
        t = verified(f"atlas-{number}, 4 ranks", 2, f"atlas-{number}", "-n", 4, "--sources", 2, "--sizes", "64,70000", "-l", 10,
                     "--occupation", 0)
        ok(all(r["checked"] >= 2 * 10 * r["repetitions"] for r in t.rows), f"atlas-{number}: packets verified", t.rows[:1])
    verified("atlas-2.3, 4 ranks", 2, "atlas-2.3", "-n", 4, "--topology", "2-1-1", "--sizes", "64,70000", "-l", 10,
             "--occupation", 0)


def by_mpirun():
    """Ranks that mpirun has started: rounds, reads, and message operations as a reactive protocol uses them."""
    if not shutil.which("mpirun"):
        skip("mpirun", "no mpirun")
        return
    for args in (["latency", "--sizes", "8,64k"], ["latency", "--sizes", "8,64k", "--op", "read"], ["atlas-2.1", "--sources", 1,
                 "--occupation", 0, "--sizes", "64,70000"]):
        n = 3 if "atlas-2.1" in args else 2
        done = Command(["mpirun", "-n", n, NETBENCH, *args, "-b", "verbs", "--job", "mpi", "-l", 10, *BRIEF, "-f", "csv"]).end(60)
        bad = faults_of(done, Csv(done.out), 2)
        ok(not bad, f"mpirun: {' '.join(map(str, args))}", "\n".join(bad))
    test = os.path.join(os.path.dirname(NETBENCH), "tests", "test-msg-launched")
    if os.path.exists(test):
        done = Command(["mpirun", "-n", 3, test, "verbs"], env={"NETBENCH_MODULES": os.path.dirname(NETBENCH)}).end(60)
        ok(done.rc == 0 and "on backend verbs" in done.out, "mpirun: message operations", done)


# ---- what is recorded ----

def predicted():
    """Beside the RDMA form, whose parameters the run measures, whatever the depth of the queues."""
    for more in ([], ["--tx-depth", 16, "--rx-depth", 16], ["--op", "write"]):
        done, doc = record_of("msgrate", "--sizes", "16,4k", "--window", "1,16", "--batch", "1,8", "-l", 2, "--predict", *more)
        p = doc.get("environment", {}).get("rdma", {})
        ok(done.rc == 0 and p.get("o_wqe_s", 0) > 0 and p.get("o_cqe_s", 0) > 0 and p.get("G_s_per_B", 0) > 0 and
           all(r["model_s"] > 0 and r["measured_over_model"] > 0 for r in doc["rows"]), f"--predict {more}", done)


def listed():
    done = run("list", "-b", "verbs")
    ok(done.rc == 0 and re.search(r"device +rx\w+\n +port +1: active, Ethernet, mtu \d+ B of 4096 B, [\d.]+ Gbit/s", done.out),
       "list: devices and ports", done)
    done = run("list", "-b", "verbs", "x")
    ok(done.rc == 2 and "unexpected operand 'x'" in done.err and not done.out, "list: no images", done)


def recorded():
    done, doc = record_of("latency", "--sizes", 8, "-l", 20)
    b = doc.get("environment", {}).get("backend", {})
    want = {"transport": "RC", "operation": "send", "link_layer": "Ethernet", "path_mtu_B": "4096", "gid_index": "1",
            "shared_receive_queue": "yes", "inline_B": "220"}
    bad = {k: b.get(k) for k, v in want.items() if str(b.get(k)) != v}
    ok(not bad and b.get("device", "").startswith("rx") and int(b.get("tx_depth_granted", 0)) >= int(b.get("tx_depth_asked", 1)),
       f"{WHERE}: what is recorded", f"{bad} {b}\n{done}")
    counters = doc.get("summary", {}).get("counters", {})
    ok("rdma_retransmissions" in counters and "rdma_receiver_not_ready" in counters, "counters of the port", counters)
    done, doc = record_of("latency", "--sizes", 8, "-l", 5, "--op", "write")
    seen = doc.get("environment", {}).get("backend", {}).get("message_seen_by", "")
    ok("order" in seen, "how a written message is seen is said", seen)


# ---- faults ----

def refusals():
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
    refused(3, "longer than backend 'verbs' takes: 4096", "latency", "--sizes", "8k", "--transport", "ud")
    refused(3, "a window of 256 is wider", "bandwidth", "--sizes", 8, "--window", 256, "--tx-depth", 64)
    refused(3, "beff needs 'ring'", "beff", "-n", 2, "--sizes", 8, "--op", "read")


LASTING = ["--repetitions", 1000000, "--point-time", 0, "--ci", 0]


def ranks_of(pid):
    out = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    return [int(x) for x in out]


def lost_rank():
    c = Command([NETBENCH, "bandwidth", "-b", "verbs", "--sizes", "4k", *LASTING])
    ranks = until(lambda: len(ranks_of(c.p.pid)) == 2 and ranks_of(c.p.pid), 10)
    until(lambda: False, 1)
    os.kill(ranks[1], signal.SIGKILL)
    done = c.end(10)
    ok(done.rc == 1 and len(done.faults) == 1 and "rank 1" in done.err, "a rank that dies is named, at once", done)


def port_goes_down(interface):
    """The port of a device goes down while messages are in flight."""
    c = Command([NETBENCH, "bandwidth", "-b", "verbs", *DEVICES, "--sizes", "4k", *LASTING])
    until(lambda: len(ranks_of(c.p.pid)) == 2, 10)
    until(lambda: False, 1)
    subprocess.run(["ip", "link", "set", interface, "down"], check=True)
    done = c.end(10)
    subprocess.run(["ip", "link", "set", interface, "up"], check=True)
    ok(done.rc == 1 and len(done.faults) == 1, "a port that goes down ends the run", done)


def no_active_port(interface):
    subprocess.run(["ip", "link", "set", interface, "down"], check=True)
    refused(3, "no port of RDMA device.* is active", "latency", "--sizes", 8)
    subprocess.run(["ip", "link", "set", interface, "up"], check=True)


def little_memory():
    """Without the right to exceed the limit of locked memory, which root has."""
    done = Command(["setpriv", "--bounding-set", "-ipc_lock", "--", NETBENCH, "latency", "-b", "verbs", "--sizes", "1M", *BRIEF],
                   preexec_fn=limited).end(20)
    ok(done.rc == 1 and len(done.faults) == 1 and "ulimit -l" in done.err, "memory that may not be locked", done)


def limited():
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (64 << 10, 64 << 10))


# ---- losses ----

def losses():
    """What the network drops is sent again over RC, and counted over UD."""
    drop = ["tc", "qdisc", "add", "dev", "veth0", "root", "netem", "loss", "3%"]
    if subprocess.run(drop, capture_output=True).returncode:
        skip("losses", "no tc, or no sch_netem")
        return
    done, doc = record_of("msgrate", "--sizes", 16, "-l", 10, "--window", 64)
    n = doc.get("summary", {}).get("counters", {}).get("rdma_retransmissions", 0)
    ok(done.rc == 0 and n > 0 and doc["status"] == "complete", "RC: sent again, and counted", done)
    done, doc = record_of("msgrate", "--sizes", 16, "-l", 10, "--window", 64, "--transport", "ud", "--check", "none")
    n = doc.get("summary", {}).get("counters", {}).get("ud_lost", 0)
    ok(done.rc == 0 and n > 0 and "ud_lost" in done.err and doc["status"] == "complete", "UD: losses are counted", done)
    for name, args in (("leaves nothing behind for messages of another size", ["beff", "-n", 2, "-u", 200]),
                       ("of single messages, too", ["latency", "-l", 50]),
                       ("is found by those who sleep", ["latency", "-l", 20, "--events"])):
        done, doc = record_of(*args, "--sizes", "16,3000,100,4000", "--transport", "ud", "--check", "none",
                              repetitions=3 if "--events" in args else 10)
        lost = doc.get("summary", {}).get("counters", {}).get("ud_lost", 0)
        ok(done.rc == 0 and lost > 0 and len(doc["rows"]) == 4, f"UD: what is lost {name}", done)
    subprocess.run(["tc", "qdisc", "del", "dev", "veth0", "root"], check=True)


def packets(interface):
    with open(f"/sys/class/net/{interface}/statistics/tx_packets", encoding="ascii") as f:
        return int(f.read())


# ---- two machines ----

def joined():
    """A rank on each machine: rank 0 listens on the first, the other joins."""
    me = int(os.environ["HOST"])
    env = {"NETBENCH_SECRET": "a secret of the two", "SHARED": os.environ["SHARED"]}
    for i, args in enumerate((["latency", "--sizes", "0,8,4k,64k", "-l", 20],
                             ["latency", "--sizes", "8,64k", "-l", 20, "--op", "read"],
                             ["bandwidth", "--sizes", "16,64k", "--window", "1,64", "-l", 3, "--op", "write"],
                             ["msgrate", "--sizes", "16", "--window", 64, "-l", 3, "--transport", "ud"],
                             ["beff", "--sizes", "1,64k", "-u", 3],
                             ["atlas-1.2", "--sizes", "64,70000", "--load", "none", "-l", 3])):
        where = f"10.5.0.1:{7100 + i}"
        if me == 1:
            c = Command([NETBENCH, *args, "-b", "verbs", "-n", 2, *BRIEF, "--listen", where, "-f", "csv"], env=env)
            done = c.end(60)
            table = Csv(done.out)
            bad = faults_of(done, table, len(table.rows))
            ok(table.rows and not bad, f"two machines: {' '.join(map(str, args))}", "\n".join(bad) or done)
        else:
            done = Command([NETBENCH, args[0], "-b", "verbs", "--join", where], env=env).end(60)
            ok(done.rc == 0, f"two machines, the second: {' '.join(map(str, args))}", done)


def no_device():
    done = run("latency", "-b", "verbs", "--sizes", 8)
    ok(done.rc == 3 and len(done.faults) == 1 and "no RDMA device" in done.err, "no device: said, exit status 3", done)
    done = run("list")
    ok(done.rc == 0 and "no RDMA device" in done.out, "netbench list says why", done)


if WHERE == "none":
    no_device()
elif WHERE == "one" and SLOW > 1:	# under sanitizers: what has memory of its own
    steps(both=[ways], rest=[options, lost_rank, little_memory])
elif WHERE == "one":
    steps(both=[ways, rings], quick=[recorded, listed, lost_rank],
          rest=[commands, options, windows, refusals, little_memory, predicted, by_mpirun,
                lambda: port_goes_down("dummy0"), lambda: no_active_port("dummy0")])
elif WHERE == "pair":
    before = packets("veth0"), packets("veth1")
    ways()
    after = packets("veth0"), packets("veth1")
    ok(all(b - a > 1000 for a, b in zip(before, after)), "messages pass from one device to the other", (before, after))
    rings()
    commands()
    recorded()
    losses()
else:
    joined()
finish()
