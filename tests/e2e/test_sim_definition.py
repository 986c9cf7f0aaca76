# SPDX-License-Identifier: Apache-2.0
"""The rule of simulated networks, definition 2: golden numbers, closed forms (87)-(92) on random networks, and that results of
definition 1 are not compared with those of 2."""
import json
import random

import pytest
from netbench import close_to, equal, measure, ok, one_fault, run, slow_but, write_result
from virtual import exchanged, gamma, interval, one_way, send_interval

A, B, C = "L=1000,o=200,g=300,G=.1", "L=5000,o_s=300,o_r=500,g=250,G=.08", "L=200,o_s=100,o_r=150,g=900,G=.04"
ABOVE = "L=1370,o=215,g=431,G=.07"	# g just above 2o
NAMES = {A: "A", B: "B", C: "C", ABOVE: "g above 2o"}


def ns(text, column, *args):
    done, table = measure(*args, "-b", "sim", "--sim", text)
    ok(done.rc == 0 and table.rows, "measured", done)
    return [r[column] * 1e9 for r in table.rows]


def golden(*rows):
    return [pytest.param(*r, id=f"{NAMES[r[0]]}-{i}") for i, r in enumerate(rows)]


def are(got, want, by=0.06):
    ok(len(got) == len(want) and all(abs(g - w) <= by for g, w in zip(got, want)), "golden numbers", (got, want))


# ---- golden numbers: SIM.md 5, ns ----

@pytest.mark.parametrize("text, ranks, want", golden(
    (ABOVE, "4,8,16", [2876.8, 4887.3, 8908.2]), (A, "4,7,16", [2306.9, 3513.8, 7134.5]),
    (C, "3,5,8,16", [1431.8, 3313.7, 6136.4, 13663.8])))
def test_all_to_all_takes_the_golden_time(text, ranks, want):
    are(ns(text, "event_s", "atlas-1.3", "--ranks", ranks, "--sizes", 1024, "-l", 1), want)


@pytest.mark.parametrize("text, one, both", golden((A, 9.968, 19.936), (B, 12.437, 24.873), (C, 24.475, 48.942)))
def test_both_ways_is_twice_one_way(text, one, both):
    """GB/s of 1 MiB"""
    of = ["bandwidth", "--sizes", "1M", "-w", 64, "-l", 1, "-b", "sim", "--sim", text]
    got = [measure(*of, *more)[1].rows[0]["bandwidth_Bps"] * 1e-9 for more in ((), ("--bidirectional",))]
    are(got, [one, both], 0.0006)
    ok(close_to(got[1], 2 * got[0], 0.01), "within 1 % of twice", got)


@pytest.mark.parametrize("text, size, windows, want", golden(
    (A, 4096, "8,64", [8176, 47908]), (B, 4096, "8,64", [15970.8, 57000]), (C, 4096, "8,64", [8960.4, 68533.2]),
    (A, 8, "64", [27000]), (B, 8, "64", [57000]), (C, 8, "64", [58067.9])))
def test_windows_both_ways_take_the_golden_time(text, size, windows, want):
    are(ns(text, "time_s", "bandwidth", "--bidirectional", "--sizes", size, "-w", windows, "-l", 1), want)


@pytest.mark.parametrize("text, want", golden((A, 1904.6), (B, 6381.8), (C, 1431.8)))
def test_the_ring_of_beff_takes_the_golden_time(text, want):
    are(ns(text, "time_s", "beff", "-n", 5, "--sizes", 1024, "-u", 1, "-l", 1), [want])


@pytest.mark.parametrize("text, size, windows, want", golden(
    (A, 8, "16,32,64", [412000.7, 821600.7, 1640800.7]), (A, 4096, "16,32,64", [729028, 1455556, 2908612]),
    (B, 4096, "64", [3287927.6])))
def test_sliding_windows_take_the_golden_time(text, size, windows, want):
    are(ns(text, "time_s", "msgrate", "--sizes", size, "-w", windows, "--ack", "each"), want)


def steady(text, *args):
    """ns of an event, without the first and the last ones."""
    few, many = (ns(text, "time_s", *args, "-l", loops) for loops in (960, 1920))
    return [(b - a) / 960 for a, b in zip(few, many)]


@pytest.mark.parametrize("text, number, size, sources, want", golden(
    (ABOVE, "2.2", 1024, "8,16,100", [7623.0, 11643.9, 53863.1]), (C, "2.2", 1024, "16,100", [15955.9, 94993.2]),
    (ABOVE, "2.1", 1024, "16,100", [8041.8, 50261]), (A, "2.1", 0, "4", [1206])))
def test_push_and_pull_farms_keep_the_golden_pace(text, number, size, sources, want):
    are(steady(text, f"atlas-{number}", "--sources", sources, "--sizes", size, "--occupation", 0, "--credits", 64), want)


@pytest.mark.parametrize("text, topology, size, want", golden((ABOVE, "9-3-1", 1024, 1507.8), (A, "4-2-1", 0, 600)))
def test_pipelines_keep_the_golden_pace(text, topology, size, want):
    are(steady(text, "atlas-2.3", "--topology", topology, "--sizes", size, "--occupation", 0), [want])


# ---- closed forms on random networks ----

SETS = 20
blocks = pytest.mark.parametrize("block", slow_but(list(range(10)), 0))


def draw(block):
    """SETS networks, with a size of messages and a generator for more."""
    r = random.Random(block)
    for _ in range(SETS):
        p = (r.randrange(6000), r.randrange(1, 800), r.randrange(1, 800), r.randrange(1500), r.randrange(100) / 500)
        yield "L=%d,o_s=%d,o_r=%d,g=%d,G=%g" % p, p, r.choice((0, 1, 8, 100, 1024, 8192)), r


def equals(got, want, *which):
    ok(len(got) == len(want) and all(close_to(g, w, 1e-9) for g, w in zip(got, want)), "closed form", (which, got, want))


@blocks
def test_exchanges_take_the_time_of_the_formula(block):
    """(87)"""
    for text, p, k, r in draw(block):
        ranks = sorted(r.sample(range(2, 24), 3))
        got = ns(text, "event_s", "atlas-1.3", "--ranks", ",".join(map(str, ranks)), "--sizes", k, "-l", 1)
        equals(got, [exchanged(p, k, n - 1) for n in ranks], text, k, ranks)
        equals(ns(text, "time_s", "beff", "-n", 4, "--sizes", k, "-u", 1, "-l", 1), [exchanged(p, k, 2)], text, k)


@blocks
def test_acknowledged_windows_take_the_time_of_the_formula(block):
    """(88) is in test_sim; (89)"""
    for text, p, k, r in draw(block):
        w = sorted(r.sample(range(1, 100), 3))
        J, trip = max(gamma(p, k), p[3], p[1] + p[2]), one_way(p, k) + one_way(p, 1)
        got = ns(text, "time_s", "msgrate", "--sizes", k, "-w", ",".join(map(str, w)), "--ack", "each", "-l", 5)
        equals(got, [max(5 * trip + (x - 1) * J, (5 * x - 1) * J + trip) for x in w], text, k, w)


@blocks
def test_windows_with_replies_both_ways(block):
    """(88)"""
    for text, p, k, r in draw(block):
        L, o_s, o_r, g, _ = p
        w, q = r.randrange(1, 100), r.randrange(1, 6)
        e, send = exchanged(p, k, w), send_interval(p, k)
        x = max(e + o_s, o_s + (w - 1) * send + gamma(p, k))
        d = max(x, o_s + gamma(p, k) - g + (w - 1) * send + g) + L
        once = max(e + o_s, d) + o_r
        want = once + (q - 1) * max(once, x + g - o_s, d + g - o_s - L)
        got = ns(text, "time_s", "msgrate", "--bidirectional", "--sizes", k, "-w", w, "-l", q)
        equals(got, [want], text, k, w, q)


@blocks
def test_farms_take_the_time_of_the_formula(block):
    """(91), (92), and what model --against says of them"""
    for text, p, k, r in draw(block):
        _, o_s, o_r, _, _ = p
        t, S, D = r.choice((0, 0, 1, 5)), r.randrange(4, 30), r.randrange(1, 4)
        work, y, c = 1000 * t, gamma(p, k), gamma(p, 16)
        push = max(S * c, S * o_s + o_r, y, o_s + o_r, max(S * y, S * (o_r + work) + o_s) / D)
        chain = one_way(p, 16) + one_way(p, k) + work + (S - 1) * max(o_s, c, y, o_r + work)
        pull = max(c, y, o_s + o_r, (S + 1) * (o_s + o_r) + S * work, (S + 1) * c, S * y + c, chain + max(o_s + o_r, c))
        of = ["--sources", S, "--sizes", k, "--occupation", t, "--credits", 200]
        equals(steady(text, "atlas-2.1", *of, "--destinations", D), [push], text, k, S, D, t)
        equals(steady(text, "atlas-2.2", *of), [pull], text, k, S, t)


@pytest.mark.parametrize("block", [0])
def test_model_measure_finds_the_overheads_and_the_gap_of_the_simulated_network(block):
    """(90): the sender's clock shows o_s, the receiver's o_r."""
    for text, p, k, r in list(draw(block))[:5]:
        done, table = measure("model", "--measure", "-b", "sim", "--sim", text, "--rounds", 2, "--sizes", "1,64,1k,4k")
        for row in table.rows:
            ok(close_to(row["send_s"], p[1] * 1e-9, 1e-9) and close_to(row["receive_s"], p[2] * 1e-9, 1e-9) and
               close_to(row["gap_s"], interval(p, row["size_B"]) * 1e-9, 1e-9), "overheads and gap", (text, row))
        equal(len(table.rows), 4, "rows")


# ---- the RDMA form ----

FORM = "o_wqe=20,o_db=65,o_cqe=15,o_nsnd=70,o_nrcv=60,G=0.0825,L=900,L_ack=2050"	# METHODS 1.6


def rates(text, windows, batches, size, *args):
    """Messages a second in the steady state, by window and batch."""
    of = ["msgrate", "-w", windows, "--batch", batches, "--sizes", size, "--ack", "each", "-b", "sim", "--sim", f"rdma:{text}"]
    few, many = (measure(*of, "-l", loops, *args)[1].rows for loops in (24, 48))
    return {(b["window"], b["batch"]): 24 * b["window"] / (b["time_s"] - a["time_s"]) for a, b in zip(few, many)}


@pytest.mark.parametrize("windows, batches, want", [
    ("32", "1,8,32", [10, 8.396, 5.359]), ("64", "8,16,32", [14.286, 14.124, 10.718]), ("256", "8", [14.286])])
def test_published_rates_of_the_rdma_form(windows, batches, want):
    got = rates(FORM, windows, batches, 16)
    ok(len(got) == len(want) and all(abs(g / 1e6 - w) < 0.0006 for g, w in zip(got.values(), want)), "M/s", (got, want))


@pytest.mark.parametrize("reads", ([], ["--sim-op", "read"]), ids=("sends", "reads"))
@pytest.mark.parametrize("serial", ([], ["--serial"]), ids=("", "serial"))
def test_the_rdma_form_is_its_formula(reads, serial):
    """(34)"""
    text = FORM.replace(",L_ack=2050", "") if reads else FORM
    model = measure("model", "--rdma", text, *(["--reads"] if reads else []), *serial, "-w", "1,8,64", "--batch", "1,8",
                    "--sizes", 1024)[1].rows
    got = rates(FORM, "1,8,64", "1,8", 1024, *reads, *serial)
    want = {(r["window"], r["batch"]): r["rate_model_msgps"] for r in model}
    ok(got.keys() == want.keys() and all(close_to(got[w], want[w]) for w in want), "rates", (got, want))


# ---- two definitions ----

def simulated(name, definition=2, *args):
    done = run("latency", "-b", "sim", "--sizes", "1,8", *args, "-f", "json")
    record = json.loads(done.out)
    if "--board" in args:
        ok("sim_definition" not in record["environment"]["backend"], "a board has none", done)
    elif definition == 1:
        del record["environment"]["backend"]["sim_definition"]
    write_result(".", name, record)


def test_results_of_two_definitions_are_not_compared(inside):
    simulated("old.json", 1)
    simulated("new.json")
    for files in (("old.json", "new.json"), ("new.json", "old.json")):
        ok(one_fault(run("compare", *files), 2, "simulate 'old.json' again"), "refused")
    ok(one_fault(run("model", "--loggp", A, "--against", "old.json"), 2, "definition 1"), "not against the model")
    equal([run("compare", f, f).rc for f in ("old.json", "new.json")], [0, 0], "each with itself")
    equal(run("model", "--loggp", A, "--against", "new.json").rc, 0, "definition 2 is the model's")


def test_boards_have_one_definition(inside):
    simulated("board.json", 2, "--board", "520n")
    equal(run("compare", "board.json", "board.json").rc, 0, "compared")


# ---- what LogGP leaves out ----

@pytest.mark.parametrize("byte, warned", [(0, False), (1e-12, False), (9e-11, True)])
def test_a_network_whose_overheads_grow_is_warned_of(byte, warned, inside):
    loggp = {"L_s": 1e-6, "o_s_s": 2e-7, "o_r_s": 2e-7, "g_s": 3e-7, "G_s_per_B": 1e-10}
    grows = {f"O_{side}{end}_s_per_B": byte for side in "sr" for end in ("", "_lo", "_hi")}
    write_result(".", "net.json", {"loggp": loggp, "summary": {"segments": [{**loggp, **grows, "upto_B": None}]}})
    for done in (run("bandwidth", "-b", "sim", "--like", "net.json", "--bidirectional", "--sizes", "1k"),
                 run("model", "--like", "net.json", "--sizes", "1k")):
        said = [w for w in done.warnings if "both ways may take up to twice as long" in w]
        ok(done.rc == 0 and len(said) == warned, "warned", done)
