# SPDX-License-Identifier: Apache-2.0
"""Links that simulated ranks share: uplinks of leaves and one link between two sides, against golden numbers and an event
simulation of its own; what cannot be; what map and compare make of them. tests/test-flows.c has the golden flows."""
import json
import random

import pytest
from netbench import close_to, equal, measure, ok, one_fault, run, slow_but
from virtual import Links, OneLink, simulate_push, simulate_rounds

A, RDMA = "L=1000,o=200,g=300,G=.1", "rdma:L=900,o_wqe=50,o_db=30,o_nsnd=100,o_nrcv=80,o_cqe=20,o_rcv=30,L_ack=700,G=.1"


def ns(column, *args):
    done, table = measure(*args, "-b", "sim", "-l", 1)
    ok(done.rc == 0 and table.rows, "measured", done)
    return [r[column] * 1e9 for r in table.rows]


# ---- one link: LOAD.md 7, (62), ns ----

@pytest.mark.parametrize("byte, benchmark, want", [
    (.2, "1.4", [3038.4, 4676.8, 7953.6, 14507.2, 25976]), (.1, "1.4", [2219.2, 3038.4, 4676.8, 7953.6, 13688]),
    (.2, "1.7", [3038.4, 4676.8, 7953.6, 14507.2, 25976]), (.1, "1.7", [2219.2, 3338.3, 5576.5, 10052.9, 17886.6])],
    ids=("own-receivers", "own-receivers-fast", "one-receiver", "one-receiver-fast"))
def test_messages_at_once_over_one_link(byte, benchmark, want):
    ranks, side = (lambda n: 2 * n, "") if benchmark == "1.4" else (lambda n: n + 1, ",side=1")
    got = [ns("event_s", f"atlas-{benchmark}", "--sim", f"{A},link={byte}{side}", "--ranks", ranks(n), "--sizes", 8192)[0]
           for n in (1, 2, 4, 8, 15)]
    ok(all(abs(g - w) <= 0.06 for g, w in zip(got, want)), "golden numbers", (got, want))


# ---- against an event simulation ----

def draw(r):
    """A network, its text, and a message's size."""
    p = (r.randrange(6000), r.randrange(1, 800), r.randrange(1, 800), r.randrange(1500), r.randrange(100) / 500)
    return p, "L=%d,o_s=%d,o_r=%d,g=%d,G=%g" % p, r.choice((0, 1, 8, 100, 1024, 8192))


def share(r, p, n):
    """Links that n ranks share, in words and to simulate."""
    if r.random() < 0.25:
        byte, side = r.randrange(1, 100) / 200, r.randrange(1, n)
        return f",link={byte:g},side={side}", [], lambda: OneLink(p, byte, side)
    leaf, uplinks, rate = r.randrange(1, n + 2), r.randrange(1, 9), r.choice((1, 1, 0.5, 4))
    how, seed = r.choice(("none", "meeting", "pair")), r.randrange(1000)
    more = ["--sim-topology", f"leaf={leaf},uplinks={uplinks},rate={rate},hash={how}"]
    return "", more + (["--sim-seed", seed] if how != "none" else []), lambda: Links(p, leaf, uplinks, rate, how, seed)


blocks = pytest.mark.parametrize("block", slow_but(list(range(10)), 0))
SETS = 12


def equals(got, want, *which):
    ok(close_to(got, want, 1e-9), "as simulated", (which, got, want))


@blocks
def test_messages_pass_shared_links_in_order(block):
    """Ranks that run ahead of others in the program change nothing: windows of many messages, halves and all-to-all."""
    r = random.Random(block)
    for _ in range(SETS):
        p, text, k = draw(r)
        n, w = 2 * r.randrange(1, 12), r.randrange(1, 150)
        link, more, links = share(r, p, n)
        net = [*more, "--sim", text + link, "--sizes", k]
        rotation = [[([(i + j) % n for j in range(1, n)], [(i - j) % n for j in range(1, n)])] for i in range(n)]
        equals(ns("event_s", "atlas-1.3", *net, "--ranks", n)[0], max(simulate_rounds(p, k, rotation, 1, links()).cpu),
               "all-to-all", n, k, *net)
        half = n // 2
        ways = [[([i + half] * w, [])] if i < half else [([], [i - half] * w)] for i in range(n)]
        equals(ns("time_s", "atlas-1.4", *net, "--ranks", n, "--window", w)[0],
               max(simulate_rounds(p, k, ways, 1, links()).cpu), "halves", n, w, k, *net)


@blocks
def test_messages_of_farms_wait_for_shared_links(block):
    """A program, where what a rank does depends on what has come."""
    r = random.Random(100 + block)
    for _ in range(SETS // 2):
        p, text, k = draw(r)
        S, D, c = r.randrange(1, 6), r.randrange(1, 4), r.choice((1, 3, 64))
        link, more, links = share(r, p, 1 + S + D)
        got = measure("atlas-2.1", "-b", "sim", *more, "--sim", text + link, "--sizes", k, "--sources", S, "--destinations", D,
                      "--credits", c, "--occupation", 0, "-l", 50)[1].rows[0]["time_s"] * 1e9
        equals(got, simulate_push(p, k, S, D, 0, c, 50, links()), S, D, c, k, text + link, *more)


def test_an_idle_network_has_its_L():
    """A message alone between leaves, or over the link, takes what it takes without them, but for its first byte there."""
    def equals_but_a_byte(more, *net):
        got, want = (ns("half_rtt_p50_s", "latency", "--sim", *of) for of in ([net[0] + more[0], *more[1:]], net))
        ok(len(got) > 20 and all(0 <= g - w <= 0.11 for g, w in zip(got, want)), "an idle network", (net, more, got, want))

    equals_but_a_byte(["", "--sim-topology", "leaf=1,uplinks=2,rate=2"], A)
    equals_but_a_byte([",link=.1,side=1"], A)
    equals_but_a_byte([",link=.1"], RDMA)


def test_rdma_writes_wait_for_shared_links():
    """Windows of two pairs that share a link get half of it each; the acknowledgement of a message waits as long as it does."""
    of = ["msgrate", "-n", 4, "--pairs", 2, "-w", 16, "--ack", "each", "--sizes", 65536, "-l", 40, "-b", "sim", "--sim", RDMA]
    alone, shared = (measure(*of, *more)[1].rows[0]["rate_msgps"] for more in ([], ["--sim-topology", "leaf=2,uplinks=1"]))
    equal(alone, shared, "within a leaf nothing is shared")
    _, table = measure(*of, "--sim-topology", "leaf=1,uplinks=1")
    ok(close_to(table.rows[0]["rate_msgps"], alone, 1e-4), "a leaf of one rank has its uplink to itself", table.rows)
    _, table = measure("atlas-1.4", "-b", "sim", "--sim", RDMA, "--ranks", 8, "--sizes", "1M", "-l", 1, "--window", 8,
                       "--sim-topology", "leaf=4,uplinks=2")
    rate = 8 * 4 * (1 << 20) / (table.rows[0]["time_s"])
    ok(close_to(rate, 2e10, 0.05), "four ranks of a leaf share two links", rate)


def test_the_same_command_gives_the_same_times():
    of = ["atlas-1.3", "-b", "sim", "--ranks", 12, "--sim-topology", "leaf=3,uplinks=2,hash=meeting"]
    rows = [[r["time_s"] for r in measure(*of, *more)[1].rows] for more in ([], [], ["--sim-seed", 5])]
    ok(len(rows[0]) == 4, "measured", rows[0])
    equal(rows[0], rows[1], "again")
    ok(rows[0] != rows[2], "another seed draws other links", rows[0])


# ---- what cannot be, and what a result says ----

@pytest.mark.parametrize("words", [
    ["--sim-topology", "leaf=0,uplinks=2"], ["--sim-topology", "leaf=8,uplinks=0"], ["--sim-topology", "uplinks=2"],
    ["--sim-topology", "leaf=8"], ["--sim-topology", ""], ["--sim-topology", "leaf=8,uplinks=2,rate=0"],
    ["--sim-topology", "leaf=8,uplinks=2,hash=random"], ["--sim-topology", "leaf=8,uplinks=2,hash=none,hash=pair"],
    ["--sim-topology", "leaf=8,uplinks=2,hash"], ["--sim-topology", "leaf=8,uplinks=2,hash=none,"],
    ["--sim-topology", "leaf=8,uplinks=2", "--sim", A + ",link=.1"], ["--sim-topology", "leaf=8,uplinks=2", "--board", "520n"],
    ["--sim-topology", "leaf=8,uplinks=2", "--sim-seed", 2], ["--sim", A + ",link=0"], ["--sim", A + ",link=.1,side=0"],
    ["--sim", A + ",side=1"], ["--sim", A + ",link=.1,side=2"], ["--sim", A + ",link=.1,link=.2"],
    ["--sim", "rdma:L=100,o_wqe=9,link=.1", "--sim-op", "read"],
    ["--sim", "rdma:L=100,o_wqe=9", "--sim-op", "read", "--verify", "every"]], ids=lambda w: "-".join(map(str, w)).strip("-"))
def test_what_cannot_be_is_one_line(words):
    done = run("latency", "-b", "sim", *words)
    ok(one_fault(done, 2, "sim" if "--board" not in words else "--board"), "one line", done)


@pytest.mark.usefixtures("inside")
def test_a_result_says_what_is_shared():
    for name, more in (("apart", []), ("shared", ["--sim-topology", "leaf=1,uplinks=1,rate=.5"])):
        run("bandwidth", "-b", "sim", "--sizes", "1M", *more, "-o", name + ".json")
    with open("shared.json") as f:
        record = json.load(f)
    ok("1 uplink" in json.dumps(record) and "leaf=1,uplinks=1,rate=.5" in json.dumps(record), "in the record", record.keys())
    done = run("compare", "apart.json", "shared.json")
    ok("sim-topology" in done.out + done.err or "method" in done.out + done.err, "compare says what differs", done)


# ---- map ----

@pytest.mark.parametrize("how", ("none", "meeting", "pair"))
def test_map_plays_on_shared_links(how):
    """Within a leaf every pair has the rate of the network without links, between leaves none has more."""
    of = ["map", "-b", "sim", "-n", 8, "--no-retest", "--visits", 1, "-f", "json"]
    alone = json.loads(run(*of).out)["rows"]
    done = run(*of, "--sim-topology", f"leaf=4,uplinks=2,hash={how}")
    ok(done.rc in (0, 1), "ended", done)
    rows = json.loads(done.out)["rows"]
    equal(len(rows), 56, "all pairs")
    top = alone[0]["bandwidth_Bps"]
    within = [r["bandwidth_Bps"] for r in rows if r["sender"] // 4 == r["receiver"] // 4]
    between = [r["bandwidth_Bps"] for r in rows if r["sender"] // 4 != r["receiver"] // 4]
    ok(all(close_to(b, top, 1e-3) for b in within), "within a leaf", within)
    ok(max(between) <= top * 1.001 and min(between) < 0.7 * top, "between leaves", between)
