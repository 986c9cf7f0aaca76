# SPDX-License-Identifier: Apache-2.0
"""Backend ofi over providers of libfabric that need no hardware: operations, sizes, windows and commands with all content
verified; which provider is taken; what is refused; a rank that dies."""
import contextlib
import functools
import json
import os
import pathlib
import re
import signal
import time

import pytest
from netbench import NETBENCH, SLOW, Command, Csv, children, equal, measure, need, ok, one_fault, run, slow_but, until, words
from rig import on as on_host

BRIEF = ["--repetitions", 2, "--point-time", 0, "--ci", 0]
SIZES = "0,1,8,63,64,65,1000,4096,4097,70000,1M"
PROVIDERS = {"shm": "shm", "tcp": r"tcp(;ofi_rxm)?", "udp": "udp;ofi_rxd"}


@pytest.fixture(autouse=True, scope="module")
def built():
    need("ofi")


@functools.cache
def listed():
    """Providers and domains: libfabric takes its time to look for them."""
    return run("list", "--backend", "ofi").out


@pytest.fixture
def provider(request, built):
    """One that libfabric has here."""
    if not re.search(rf"^ +{PROVIDERS[request.param]} ", listed(), re.M):
        pytest.skip(f"libfabric has no provider {request.param}")
    return request.param


def over(*names, slow=()):
    """A test of these providers."""
    return pytest.mark.parametrize("provider", [pytest.param(n, marks=[pytest.mark.slow] * (n in slow)) for n in names],
                                   indirect=True)


def verified(name, rows, provider, *args):
    done, table = measure(*args, "-b", "ofi", "--ofi-provider", provider, *BRIEF)
    bad = [] if done.rc == 0 and not done.faults and table.status == "complete" else [str(done)]
    if len(table.rows) != rows:
        bad.append(f"{len(table.rows)} rows, expected {rows}")
    bad += [str(r) for r in table.rows if r["errors"] != 0 or r["size_B"] and not r["checked"]]
    ok(not bad, f"{provider}: {name}", "\n".join(bad[:4]))
    return table


def record_of(*args):
    done = run(*args, "-b", "ofi", "-f", "json", *BRIEF)
    ok(done.rc == 0, words(args), done)
    return json.loads(done.out) if done.rc == 0 else {"environment": {"backend": {}}}


def refused(rc, pattern, *args, **kwargs):
    """One line that says why, and the exit status."""
    done = run("latency", "--sizes", 8, "-b", "ofi", *args, *BRIEF, timeout=20, **kwargs)
    ok(done.rc == rc and len(done.faults) == 1 and re.search(pattern, done.err), f"refused: {words(args)}", done)


# ---- messages ----

@over("shm", "tcp", slow=["tcp"])
@pytest.mark.parametrize("op", slow_but(("tagged", "msg", "write", "read"), 0))
def test_each_operation_is_verified_at_all_sizes_and_windows(provider, op):
    column = "read_epoch_s" if op == "read" else "half_rtt_epoch_s"
    t = verified(f"latency, {op}", len(SIZES.split(",")), provider, "latency", "--sizes", SIZES, "-l", 20, "--ofi-op", op)
    ok(t.rows and all(r[column] > 0 for r in t.rows), f"{provider}, {op}: times", t.rows[:1])
    verified(f"windows and batches, {op}", 3 * 5, provider, "msgrate", "--sizes", "0,65,9000", "--window", "1,16,200",
             "--batch", "1,8", "-l", 3, "--ofi-op", op)


@pytest.mark.slow
@over("shm", "tcp")
def test_windows_that_slide_are_acknowledged_one_by_one(provider):
    """Windows that slide over all iterations."""
    verified("each message is acknowledged", 2, provider, "msgrate", "--sizes", "8,9k", "--window", 16, "--ack", "each", "-l", 20)


@pytest.mark.slow
@over("udp")
def test_latency_over_datagrams_is_verified(provider):
    """As far as that provider bears a machine that does other things."""
    verified("latency", 3, provider, "latency", "--sizes", "1,64,4096", "-l", 10)


@pytest.mark.slow
@over("shm", "tcp")
@pytest.mark.parametrize("n", slow_but((1, 2, 3, 5), 2))
def test_rings_of_ranks_are_verified(provider, n):
    verified(f"beff, {n} ranks", 4, provider, "beff", "-n", n, "--sizes", "1,64,4097,70000", "-u", 5)


@pytest.mark.slow
@over("shm", "tcp")
@pytest.mark.parametrize("op", slow_but(("tagged", "write"), 0))
def test_several_pairs_are_verified_both_ways(provider, op):
    verified(f"2 pairs both ways, {op}", 3, provider, "bandwidth", "-n", 4, "--pairs", 2, "--bidirectional", "--window", 8,
             "--sizes", "1,4097,70000", "-l", 5, "--ofi-op", op)


@pytest.mark.slow
@over("shm", "tcp", slow=["shm"])
def test_messages_of_broadcasts_are_verified(provider):
    verified("atlas-1.6", 8, provider, "atlas-1.6", "-n", 5, "--algorithm", "binomial", "--sizes", "64,70000")


@pytest.mark.slow
@over("tcp")
@pytest.mark.parametrize("number, args", slow_but([
    ("2.1", ["-n", 6, "--sources", 4]), ("2.2", ["-n", 6, "--sources", 4]), ("2.3", ["-n", 8, "--topology", "4-2-1"])], 0))
def test_farms_by_message_operations_are_verified(provider, number, args):
    """Message operations, also from any rank, which shm of 1.17 does not bear if the message is there first."""
    verified(f"atlas-{number}", 2, provider, f"atlas-{number}", *args, "-l", 30, "--sizes", "64,70000", "--occupation", 0)


@pytest.mark.slow
@over("shm", "tcp")
def test_every_message_is_verified(provider):
    verified("every message", 2, provider, "bandwidth", "--sizes", "8,70000", "--window", 8, "-l", 5, "--verify", "every")


@pytest.mark.slow
@over("shm", "tcp", slow=["tcp"])
@pytest.mark.parametrize("more", slow_but((["--ofi-inject", 0], ["--ofi-inject", 8], ["--ofi-wait", "yield"],
                                           ["--ofi-wait", "block"], ["--completion", "delivery"], ["--ofi-threading", "safe"],
                                           ["--ofi-progress", "manual", "--ofi-threading", "completion"]), 0, 3, 4))
def test_each_option_of_the_backend_keeps_content_right(provider, more):
    verified(words(more), 3, provider, "latency", "--sizes", "8,64,70000", "-l", 10, *more)


@pytest.mark.slow
def test_a_provider_that_promises_the_order_is_seen_by_the_last_byte():
    """Over a provider that promises to place data in order: sockets of libfabric before 2.0."""
    how = ["-b", "ofi", "--ofi-provider", "sockets", "--ofi-op", "write", "--ofi-wait", "yield"]
    done = run("latency", "--sizes", "0,1,8,70000", "-l", 10, *how, "--ofi-last-byte", "required", "-f", "json", *BRIEF)
    if done.rc == 3:
        pytest.skip(done.err.strip())
    document = json.loads(done.out) if done.rc == 0 else {"rows": [], "environment": {"backend": {}}}
    seen = document["environment"]["backend"].get("message_seen_by", "")
    ok(seen.startswith("its last byte") and len(document["rows"]) == 4, "seen by the last byte", done)
    ok(all(r["errors"] == 0 and (r["checked"] or not r["size_B"]) for r in document["rows"]), "content", document["rows"])
    for what, args in [("forwarded", ["atlas-1.6", "-n", 3, "--algorithm", "binomial", "--load", "none"]), ("not single", ["msgrate", "--window", 16]),
                       ("seen by data", ["latency", "--ofi-last-byte", "never"])]:
        verified(what, 2, "sockets", *args, "--sizes", "8,9k", "-l", 5, *how[4:])


# ---- which provider ----

@over("shm", "tcp", slow=["tcp"])
def test_the_record_names_provider_completion_and_threading(provider):
    backend = record_of("latency", "--sizes", 8, "--ofi-provider", provider, "--completion", "delivery", "--ofi-progress", "manual",
                        "--ofi-threading", "safe")["environment"]["backend"]
    ok(re.fullmatch(PROVIDERS[provider], backend.get("provider", "")), "the provider", backend)
    ok(backend.get("inject_B") == 0 < backend.get("inject_granted_B", 0), "delivery injects nothing", backend)
    ok(backend.get("completion") == "delivery-asked" and "delivery-asked" in backend["method"], "the level of completion", backend)
    ok((backend.get("progress_asked"), backend.get("data_progress")) == ("manual", "FI_PROGRESS_MANUAL"), "progress", backend)
    ok(backend.get("threading") == "FI_THREAD_SAFE" and "progress manual, threading safe" in backend["method"], "threading", backend)
    missing = {"provider_version", "domain", "fabric", "libfabric_version", "protocol", "mr_mode", "data_progress", "threading",
               "message_order", "library_file", "nic"} - set(backend)
    ok(not missing, "what else is recorded", missing)


def test_list_shows_providers_and_domains():
    done = run("list", "--backend", "ofi")
    lines = re.findall(r"^ +\S+ +domain \S+, fabric \S+, (?:\S+ Gbit/s, )?inject \d+ B: tagged", done.out, re.M)
    ok(done.rc == 0 and lines, "providers and domains", done)


@pytest.mark.slow
@over("tcp")
def test_verbose_says_the_choice(provider):
    done = run("latency", "--sizes", 8, "-b", "ofi", "--ofi-provider", provider, "--ofi-domain", "lo", "-v", *BRIEF)
    chosen = re.findall(r"libfabric: chose provider '(.*)', domain '(.*)', fabric", done.err)
    ok(done.rc == 0 and len(chosen) == 1 and chosen[0][1] == "lo", "chosen", done)
    ok("passed over" in done.err or len(re.findall("domain", listed())) == 1, "passed over", done)


@pytest.mark.skipif(any(os.path.isdir(f"/sys/class/{c}") for c in ("infiniband", "cxi")), reason="a fast network is here")
def test_without_a_fast_provider_it_is_refused_and_listed():
    refused(3, "none of the fast providers cxi, efa, opx, psm3 and verbs here;.*tcp")
    ok(re.search(r"^ +default +none, because no fast provider", listed(), re.M), "the list says so, too", listed())
    done = run("doctor", "-b", "ofi", "-f", "csv")
    ok(re.search(r"^backend,note,ofi,,.*runs only with options", done.out, re.M), "and the doctor", done)


@pytest.mark.slow
@over("shm")
def test_a_provider_or_domain_that_is_not_here_is_never_replaced(provider):
    """A provider or domain that is not here is refused, with a list of what there is."""
    refused(3, "no provider 'nonsense' here; it has: .*shm", "--ofi-provider", "nonsense")
    refused(3, "provider 'shm' has no domain 'eth77'; it has: shm", "--ofi-provider", "shm", "--ofi-domain", "eth77")
    refused(3, "no provider 'tcp' here; it has: shm", "--ofi-provider", "tcp", env={"FI_PROVIDER": "shm"})
    refused(3, "provider 'shm' has no '--ofi-progress auto'", "--ofi-provider", "shm", "--ofi-progress", "auto")
    refused(3, "provider 'shm' does not promise to place data in order", "--ofi-provider", "shm", "--ofi-op", "write",
            "--ofi-last-byte", "required")
    refused(3, "provider 'shm' injects at most [0-9]+ bytes", "--ofi-provider", "shm", "--ofi-inject", "512M")


# ---- several domains ----

@pytest.fixture
def two_domains(provider):
    domains = set(re.findall(r"^ +tcp\S* +domain (\S+), fabric [\d.]+/", listed(), re.M))
    if len(domains) < 2 or "lo" not in domains:
        pytest.skip("one network interface")
    return ["lo", min(domains - {"lo"})]


def addresses(pid):
    """Local ones of a process's connections, as the kernel writes them."""
    mine = set()
    for f in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):    # closed meanwhile
            mine.add(os.readlink(f))
    lines = [x.split() for x in pathlib.Path(f"/proc/{pid}/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return {x[1].split(":")[0] for x in lines if x[3] == "01" and f"socket:[{x[9]}]" in mine}


@pytest.mark.slow
@over("tcp")
def test_each_pair_takes_a_domain_in_turn(provider, two_domains):
    """Pairs 0-1 and 2-3, each by a domain of its own."""
    c = Command([NETBENCH, "bandwidth", "-n", 4, "--pairs", 2, "-b", "ofi", "--ofi-provider", "tcp", "--ofi-domain", ",".join(two_domains),
                 "--sizes", 8, "--window", 8, "--point-time", "30s", "--repetitions", 100000, "--ci", 0, "-v"])
    used = []

    def connected():
        used[:] = [addresses(pid) for pid in sorted(children(c.p.pid))]
        return len(used) == 4 and all(used)
    ok(until(connected, 15 * SLOW), "connections", used)
    os.kill(c.p.pid, signal.SIGTERM)
    done = c.end(10 * SLOW)
    ok(used[0] == used[1] == {"0100007F"} and used[2] == used[3] and len(used[2]) == 1 and used[2] != used[0], "a domain each", used)
    ok(f"domains {', '.join(two_domains)} in turn" in done.out and "take these 2 domains in turn" in done.err, "which is said", done)


@pytest.mark.slow
@over("tcp")
@pytest.mark.parametrize("op", ["tagged", "write"])
def test_all_patterns_are_verified_over_two_domains(provider, two_domains, op):
    more = ["--ofi-domain", ",".join(two_domains), "--ofi-op", op]
    verified("ring", 2, "tcp", "beff", "-n", 3, "--sizes", "1,4097", "-u", 2, *more)
    verified("pairs", 2, "tcp", "bandwidth", "-n", 4, "--pairs", 2, "--bidirectional", "--sizes", "8,70000", "-l", 5, *more)
    verified("farm", 2, "tcp", "atlas-2.1", "-n", 4, "--sources", 2, "-l", 10, "--sizes", "64,70000", "--occupation", 0, *more)
    backend = record_of("latency", "--sizes", 8, "--ofi-provider", "tcp", *more)["environment"]["backend"]
    ok(backend.get("domain") == "lo" and backend.get("domain_2", "").startswith(two_domains[1]), "recorded", backend)


@pytest.mark.slow
def test_options_that_contradict_are_refused():
    refused(2, "'--ofi-inject' has no meaning with '--ofi-op read'", "--ofi-op", "read", "--ofi-inject", 8)
    refused(2, "'--completion' has no meaning with '--ofi-op read'", "--ofi-op", "read", "--completion", "delivery")
    refused(2, "exclude each other", "--completion", "delivery", "--ofi-inject", 8)
    refused(2, "'--ofi-wait block' needs one domain", "--ofi-domain", "a,b", "--ofi-wait", "block")
    refused(2, "'--ofi-last-byte' needs '--ofi-op write'", "--ofi-last-byte", "never")
    refused(2, "exclude each other", "--ofi-op", "write", "--ofi-last-byte", "required", "--ofi-wait", "block")


def test_a_library_that_cannot_be_loaded_is_named(place):
    """What stands for libfabric cannot be loaded."""
    (place / "libfabric.so.1").write_bytes(b"no library")
    refused(3, "backend 'ofi' cannot be loaded: .*libfabric", env={"LD_LIBRARY_PATH": str(place)})


# ---- a rank that dies ----

@over("shm", "tcp", "udp", slow=["shm", "udp"])
@pytest.mark.parametrize("rank", slow_but([0, 1], 1))
def test_the_job_tells_of_a_rank_that_dies(provider, rank):
    """No provider tells; the job does."""
    c = Command([NETBENCH, "latency", "-b", "ofi", "--ofi-provider", provider, "--sizes", "8,1M", "--point-time", "20s",
                 "--repetitions", 100000, "--ci", 0, "-f", "csv"])
    running = until(lambda: "size_B" in c.said(c.out), 20)
    time.sleep(0.3 * SLOW)
    killed = sorted(children(c.p.pid))[rank]
    os.kill(killed, signal.SIGKILL)
    begin = time.monotonic()
    done = c.end(12 * SLOW)
    took = time.monotonic() - begin
    ok(running and done.rc == 1 and took < 10 * SLOW and len(done.faults) == 1 and f"rank {rank}" in done.err,
       f"{provider}: found after {took:.1f} s", done)


def shared_files(*pids):
    """Files of shared memory that are called by one of these processes."""
    return {f for f in os.listdir("/dev/shm") if f.split(":")[0] in map(str, pids)}


@over("shm", "tcp", slow=["tcp"])
@pytest.mark.parametrize("sig", slow_but([signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT], 1))
def test_a_rank_that_dies_of_a_signal_leaves_nothing_and_disturbs_nobody(provider, sig, inside):
    """The signal is named, however libraries take it; their shared memory goes, and nobody else's does."""
    args = ["latency", "-b", "ofi", "--ofi-provider", provider, "--sizes", 8, "--point-time", "60s", "--repetitions", 10**9,
            "--ci", 0, "-f", "csv", "--stall", "4s", "--time-limit", "50s"]
    other, c = Command([NETBENCH, *args]), Command([NETBENCH, *args])
    ok(until(lambda: all("size_B" in x.said(x.out) for x in (other, c)), 20), "both measure", c.said())
    time.sleep(0.5 * SLOW)
    ranks, others = children(c.p.pid), children(other.p.pid)
    near = [pathlib.Path(f"/dev/shm/{ranks[1]}:0:00"), pathlib.Path(f"/dev/shm/{ranks[1]}:77:0")]
    for path in near:       # whoever's: not made by the rank
        path.touch(exist_ok=False)
    try:
        theirs = shared_files(*others)
        ok(theirs or provider != "shm", "the other run has shared memory", os.listdir("/dev/shm"))
        os.kill(ranks[1], sig)
        begin = time.monotonic()
        done = c.end(12)
        ok(one_fault(done, 1, f"rank 1 was killed by signal {int(sig)} ({signal.strsignal(sig)})"), "one line", done)
        ok(time.monotonic() - begin < 2 * SLOW, "at once", time.monotonic() - begin)
        equal(shared_files(*ranks, *others), theirs | {f.name for f in near}, "what is left in /dev/shm")
        equal(os.listdir(), [], "no file of a library's is left here")
    finally:
        for path in near:
            path.unlink(missing_ok=True)
    other.p.terminate()
    done = other.end(10)
    ok(done.rc == 128 + signal.SIGTERM and not done.faults, "the other run is not disturbed", done)
    equal(shared_files(*ranks, *others), set(), "nothing is left in the end")


# ---- several hosts ----

@pytest.mark.slow
@pytest.mark.rig("cluster", "-n", "3", seconds=90)
@pytest.mark.parametrize("port, args", [(7300, ["latency", "--sizes", "0,8,4k,1M", "-l", 20]),
                                        (7301, ["beff", "--sizes", "1,64k", "-u", 5]),
                                        (7302, ["atlas-2.1", "--sources", 1, "--sizes", "64,70000", "-l", 20])])
def test_ranks_on_three_hosts_are_verified(port, args):
    """A rank on each of three hosts."""
    env, where = {"NETBENCH_SECRET": "of these hosts"}, f"n0:{port}"
    first = Command([NETBENCH, *args, "-b", "ofi", "--ofi-provider", "tcp", "-n", 3, *BRIEF, "--listen", where, "-f", "csv"], env=env)
    others = [Command(on_host(f"n{r}", [NETBENCH, args[0], "-b", "ofi", "--join", where, "--rank", r]), env=env) for r in (1, 2)]
    done = first.end(60)
    table = Csv(done.out)
    ok(done.rc == 0 and table.rows and all(r["errors"] == 0 for r in table.rows), f"three hosts: {words(args)}", done)
    equal([o.end(20).rc for o in others], [0, 0], "the others")


@pytest.mark.slow
@pytest.mark.rig("cluster", "-n", "2", seconds=60)
@pytest.mark.parametrize("port, more, said", [(7310, ["shm"], "'shm'.* does not reach"),
                                              (7311, ["tcp", "--ofi-domain", "lo"], "domain 'lo' does not reach")])
def test_stays_on_its_host(port, more, said):
    env, where = {"NETBENCH_SECRET": "of these hosts"}, f"n0:{port}"
    first = Command([NETBENCH, "latency", "--sizes", 8, "-b", "ofi", "--ofi-provider", *more, *BRIEF, "--listen", where], env=env)
    other = Command(on_host("n1", [NETBENCH, "latency", "-b", "ofi", "--join", where, "--rank", 1]), env=env)
    done = first.end(30)
    ok(done.rc == 3 and re.search(said, done.err), "refused", done)
    other.end(20)


# ---- a device: Soft-RoCE ----

SOFTROCE = pytest.mark.rig("machine", "--devices", "one", "--memory", "1024", seconds=400)


@pytest.mark.slow
@SOFTROCE
@pytest.mark.parametrize("op", ["tagged", "msg", "write", "read"])
def test_each_operation_over_softroce_is_verified(op):
    """verbs;ofi_rxm, which is what auto takes there: memory is registered, and keys are the provider's."""
    for args, rows in (["latency", "--sizes", "0,1,192,193,17000,70000", "-l", 3], 6), (["msgrate", "--sizes", 65, "--window", "1,64",
                                                                                       "--batch", "1,8", "-l", 2], 3):
        done, table = measure(*args, "-b", "ofi", "--ofi-op", op, *BRIEF, *["--trust-network"] * (op == "msg"))
        good = [r for r in table.rows if r["errors"] == 0 and (r["checked"] or not r["size_B"])]
        ok(done.rc == 0 and len(good) == len(table.rows) == rows, f"verbs;ofi_rxm: {args[0]}, {op}", done)


@pytest.mark.slow
@SOFTROCE
def test_rings_and_farms_over_softroce_are_verified():
    verified("ring", 2, "verbs", "beff", "-n", 3, "--sizes", "1,4097", "-u", 2)
    verified("farm", 2, "verbs", "atlas-2.1", "-n", 4, "--sources", 2, "-l", 10, "--sizes", "64,70000", "--occupation", 0)
    refused(3, "does not promise to place data in order", "--ofi-op", "write", "--ofi-last-byte", "required")


@pytest.mark.slow
@SOFTROCE
def test_the_record_over_softroce_names_device_link_and_memory():
    backend = record_of("latency", "--sizes", 8)["environment"]["backend"]
    ok(backend.get("provider") == "verbs;ofi_rxm" and backend.get("nic") == "rxe0", "the device", backend)
    ok(backend.get("link_state") == "up" and backend.get("link_speed_bps") == 2.5e9 and backend.get("link_mtu_B") == 4096, "link", backend)
    ok(backend.get("nic_firmware") and "FI_MR_PROV_KEY" in backend.get("mr_mode", ""), "firmware, memory", backend)
    ok("FI_UNIVERSE_SIZE=4" in backend.get("variables", ""), "FI_UNIVERSE_SIZE", backend)


def test_leftovers_of_the_dead_are_removed_and_others_stay():
    """Memory of provider shm by the numbers that processes get, as killed ones leave it. What others make in its place stays."""
    need_shm = re.search(r"^ +shm ", listed(), re.M)
    if not need_shm:
        pytest.skip("libfabric has no provider shm")
    last = int(open("/proc/loadavg", encoding="utf-8").read().split()[-1])
    left = [pathlib.Path(f"/dev/shm/{pid}:{os.getuid()}:0") for pid in range(last, last + 40)]
    made = {}
    try:
        for path in left:
            if not path.exists():
                path.write_bytes(bytes(4096))
                made[path] = path.stat().st_ino
        verified("names that are taken", 1, "shm", "latency", "--sizes", 8, "-l", 10)
    finally:
        for path, inode in made.items():
            if path.exists() and path.stat().st_ino == inode:
                path.unlink()
