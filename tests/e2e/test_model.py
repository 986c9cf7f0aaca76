# SPDX-License-Identifier: Apache-2.0
"""netbench model: published values, closed forms of its own, simulated networks, pictures, and results beside them."""
import json
import math
import re
import xml.etree.ElementTree as xml

import pytest
from netbench import SLOW, close_to, equal, measure, named, ok, run, words, write_result

ALGORITHMS = ["linear", "binary", "k-ary", "binomial", "k-nomial", "optimal"]

# METHODS 1.2: exact times of linear, binary, 4-ary, binomial, 4-nomial, optimal.
GOLDEN = {
    (6, 2, 4): {3: (14, 14, 14, 14, 14, 14), 8: (34, 30, 28, 30, 28, 24), 10: (42, 34, 32, 34, 28, 28),
                64: (258, 70, 58, 60, 54, 46), 1024: (4098, 126, 102, 100, 90, 72)},
    (2, 1, 8): {3: (12, 12, 12, 12, 12, 8), 8: (52, 24, 28, 20, 28, 16), 1024: (8180, 108, 124, 76, 116, 60)},
}

# METHODS 1.2: L, o, g; continuous best k of k-ary and k-nomial; exact time at the best whole k for P = 64, 256, 1024,
# 4096.
BEST = [((5, 1, 0), 6.677, 6.138, (26, 34, 42, 51)), ((20, 1, 0), 13.255, 12.865, (56, 72, 90, 108)),
        ((6, 2, 4), 3.967, 3.181, (52, 72, 88, 104)), ((2, 1, 0), 4.971, 4.319, (18, 24, 30, 36)),
        ((100, 1, 0), 38.21, 37.94, (164, 232, 264, 328)), ((5, 1, 3), 3.845, 3.034, (37, 52, 63, 74)),
        ((1000, 250, 5), 6.138, 5.572, (5750, 7750, 9500, 11500))]

NETWORKS = ["L=1us,o=200ns,g=300ns,G=0.1ns", "L=500,o=800,g=10,G=0.01", "L=1.5us,o_s=100,o_r=0.9us,g=50,G=0.2",
            "L=30,o=5,o_r=25,g=500,G=10"]


pytestmark = pytest.mark.usefixtures("inside")


def logp(L, o, g, P=None):
    return f"L={L},o={o},g={g}" + (f",P={P}" if P else "")


def model(*args):
    """Rows of a model and the result; none if it fails."""
    done, table = measure("model", *args)
    good = done.rc == 0 and not done.err and table.status == "complete" and table.one("computed") == "true"
    if not good:
        ok(False, f"model {' '.join(map(str, args))}", done)
    return table.rows if good else [], table


def by_algorithm(rows, column="model_cycles"):
    return {r["algorithm"]: r[column] for r in rows if r["pattern"] == "broadcast"}


# ---- LogP ----

@pytest.mark.parametrize("L, o, g, P", [(*net, P) for net, times in GOLDEN.items() for P in times])
def test_broadcasts_take_the_published_times(L, o, g, P):
    want = GOLDEN[L, o, g][P]
    rows, table = model("--logp", logp(L, o, g, P), "--arity", 4)
    equal(by_algorithm(rows), dict(zip(ALGORITHMS, want)), f"L={L} o={o} g={g} P={P}: broadcasts")
    bounds = by_algorithm(rows, "upper_bound_cycles")
    ok(bounds["linear"] == want[0] and
       all(bounds[a] is None or bounds[a] >= t for a, t in zip(ALGORITHMS, want)),
       f"L={L} o={o} g={g} P={P}: bounds", bounds)


@pytest.mark.parametrize("P, want", named(((8, [34, 30, 24]), (16, [66, 40, 32]), (64, [258, 60, 46]))))
def test_linear_binomial_and_optimal_broadcasts_take_their_defined_times(P, want):
    """DEFINITIONS 6"""
    got = by_algorithm(model("--logp", logp(6, 2, 4, P))[0])
    equal([got.get(a) for a in ("linear", "binomial", "optimal")], want, f"P={P}: linear, binomial, optimal")


def test_messages_have_times_without_a_broadcast():
    rows, table = model("--logp", logp(6, 2, 4, 8), "--messages", 5)
    got = {r["pattern"]: (r["messages"], r["model_cycles"]) for r in rows if r["pattern"] != "broadcast"}
    equal(got, {"one-way": (1, 10), "stream": (5, 26), "ping-pong": (1, 20)}, "messages without a broadcast")
    equal(table.one("summary.capacity_messages"), 2, "ceil(L/g) messages under way")


def test_without_a_gap_the_number_of_messages_has_no_limit():
    rows, table = model("--logp", logp(6, 2, 0, 8))
    ok("summary.capacity_messages" not in table.meta, "no limit of messages without g")


def test_overheads_of_sender_and_receiver_count_apart():
    rows, table = model("--logp", "L=6,o_s=1,o_r=4,g=2,P=3", "--messages", 3)
    equal([r["model_cycles"] for r in rows[:4]], [11, 19, 22, 13], "o_s and o_r apart")


@pytest.mark.parametrize("L, o, g, kary, knomial, P, want", [
    (*net, kary, knomial, P, want) for net, kary, knomial, times in BEST for P, want in zip((64, 256, 1024, 4096), times)])
def test_the_best_k_of_each_tree_is_found(L, o, g, kary, knomial, P, want):
    rows, table = model("--logp", logp(L, o, g, P))
    good = (close_to(table.one("summary.best_k_kary"), kary, 3e-4) and
            close_to(table.one("summary.best_k_knomial"), knomial, 3e-4))
    equal((good, by_algorithm(rows)["k-nomial"]), (True, want), f"best k, L={L} o={o} g={g} P={P}")
    row = [r for r in rows if r["algorithm"] == "k-nomial"][0]
    equal(row["arity"], table.one("summary.best_integer_k_knomial"), "it is the row's")


def test_no_best_k_where_sending_takes_longer_than_the_way():
    rows, table = model("--logp", logp(2, 1, 8, 64))
    ok("summary.best_k_knomial" not in table.meta, "no best k where sending takes longer than the way")


def test_columns_name_the_unit():
    cycles, _ = model("--logp", logp(6, 2, 4, 8))
    seconds, table = model("--logp", "L=6us,o=2us,g=4us,P=8")
    ok("model_s" in table.columns and "model_cycles" not in table.columns, "columns name the unit", table.columns)
    ok(all(close_to(s["model_s"], c["model_cycles"] * 1e-6) for s, c in zip(seconds, cycles)), "the same in seconds")


def test_processors_reached_by_a_time_are_the_published_ones():
    """DEFINITIONS 6 and METHODS 1.2: P(t) at t = 0, 2, ..., 40"""
    want = [1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 9, 12, 14, 18, 22, 27, 34, 41]
    rows, _ = model("--logp", logp(6, 2, 4), "--reach", 40)
    got = [max((r["processors"] for r in rows if r["after_cycles"] <= t), default=0) for t in range(0, 41, 2)]
    equal(got, want, "P(t)")
    ok(all(a["processors"] < b["processors"] for a, b in zip(rows, rows[1:])), "each row reaches more", rows)


def test_processors_are_reached_by_a_time_in_seconds_alike():
    rows, _ = model("--logp", "L=6us,o=2us,g=4us,P=3", "--reach", "24us")
    equal((len(rows), rows[-1]["processors"]), (7, 8), "P(t) in seconds")


@pytest.mark.parametrize("t", (0, 1, 9))
def test_nobody_else_is_reached_before_a_message_can(t):
    rows, _ = model("--logp", logp(6, 2, 4), "--reach", t)
    equal([(r["after_cycles"], r["processors"]) for r in rows], [(0, 1)], f"P({t})")


def test_the_fastest_layout_of_an_fft_is_the_hybrid_one():
    rows, table = model("--logp", logp(20, 1, 8, 16), "--fft", 4096)
    equal([(r["layout"], r["model_cycles"], r["remark"]) for r in rows],
          [("block", 8248, None), ("cyclic", 8248, None), ("hybrid", 1934, "fastest")], "FFT")
    equal(table.one("summary.fastest_layout"), "hybrid", "the fastest is named")


def test_an_fft_where_overhead_binds_is_exact():
    rows, table = model("--logp", logp(6, 2, 4, 16), "--fft", 4096)
    equal([(r["model_cycles"], r["remark"]) for r in rows], [(4120, None), (4120, None), (966, "fastest")], "g <= 2o")


def test_an_fft_with_a_gap_above_a_message_has_a_lower_bound():
    rows, table = model("--logp", logp(2, 1, 8, 4), "--fft", 64)
    equal([r["remark"] for r in rows], ["lower bound: g > L + 2o", "lower bound: g > L + 2o", "fastest"], "g > L + 2o")


def test_an_fft_for_which_one_remap_is_not_enough():
    rows, table = model("--logp", logp(6, 2, 4, 64), "--fft", 1024)
    ok(rows[2]["model_cycles"] is None and rows[2]["remaps"] == 2 and
       table.one("summary.fastest_layout").startswith("block"), "one remap is not enough", rows)


@pytest.mark.parametrize("n, P, fastest", named(((1 << 16, 16, ["hybrid"]), (4096, 64, ["block", "cyclic"]))))
def test_the_fastest_layout_of_an_fft_in_bulk_is_found(n, P, fastest):
    rows, _ = model("--loggp", f"L=1000,o=250,g=100,G=0.08,P={P}", "--fft", n)
    equal([r["layout"] for r in rows if r["remark"] == "fastest"], fastest, f"FFT in bulk, {n} points on {P}")


# ---- schedules ----

def test_the_schedule_of_the_optimal_tree_is_the_published_one():
    rows, table = model("--logp", logp(6, 2, 4, 10), "--schedule", "table")
    children = {}
    for r in rows[1:]:
        children.setdefault(r["sender"], []).append(r["receiver"])
    equal(children, {0: [1, 2, 3, 5, 8], 1: [4, 7], 2: [6], 3: [9]}, "optimal tree, P=10: children")
    equal([r["informed_cycles"] for r in rows], [0, 10, 14, 18, 20, 22, 24, 24, 26, 28], "optimal tree, P=10: times")
    equal(table.one("summary.broadcast_cycles"), 28, "and its time")


def schedule(algorithm, form):
    """Arguments"""
    return ["--logp", logp(6, 2, 4, 37), "--arity", 4, "--schedule", form, "--algorithm", algorithm]


each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)


@each_algorithm
def test_in_a_schedule_nobody_sends_early(algorithm):
    want = by_algorithm(model("--logp", logp(6, 2, 4, 37), "--arity", 4)[0])[algorithm]
    rows, _ = model(*schedule(algorithm, "table"))
    equal((len(rows), max(r["informed_cycles"] for r in rows)), (37, want), f"schedule of {algorithm}")
    ok(all(r["informed_cycles"] == r["sent_cycles"] + 10 and
           r["sent_cycles"] >= rows[r["sender"]]["informed_cycles"] for r in rows[1:]),
       f"{algorithm}: nobody sends early")


@each_algorithm
def test_pictures_of_a_schedule_have_every_rank_and_every_time(algorithm):
    rows, _ = model(*schedule(algorithm, "table"))
    name = f"--algorithm {algorithm}"
    times = sorted((r["receiver"], r["informed_cycles"]) for r in rows)
    done = run("model", *schedule(algorithm, "tree"))
    found = re.findall(r"^[| `-]*(\d+) at (\d+)$", done.out, re.M)
    equal(sorted((int(a), int(b)) for a, b in found), times, f"{name}: tree of text")
    ok(all(ord(c) < 128 for c in done.out), f"{name}: tree in ASCII")
    done = run("model", *schedule(algorithm, "dot"))
    found = re.findall(r"^\t(\d+) \[label=\"\1\\n(\d+)\"\];$", done.out, re.M)
    equal(sorted((int(a), int(b)) for a, b in found), times, f"{name}: nodes of DOT")
    edges = re.findall(r"^\t(\d+) -> (\d+) \[label=\"(\d+)\"\];$", done.out, re.M)
    equal(sorted((int(b), int(a), int(t)) for a, b, t in edges),
          sorted((r["receiver"], r["sender"], r["sent_cycles"]) for r in rows[1:]), f"{name}: edges of DOT")
    done = run("model", *schedule(algorithm, "svg"))
    svg = xml.fromstring(done.out)
    groups = svg.findall("{*}g")
    equal((len(groups), all(len(g.findall("{*}rect")) == 2 for g in groups)), (len(rows) - 1, True), f"{name}: SVG")


def test_a_million_processors_are_modelled_in_a_second():
    done, table = measure("model", "--logp", logp(6, 2, 4, 1000000))
    ok(done.rc == 0 and done.seconds < 1 * SLOW, "a million processors in less than a second", done)
    equal(by_algorithm(table.rows), {"linear": 4000002, "binary": 262, "k-ary": 212, "binomial": 194, "k-nomial": 174,
                                     "optimal": 136}, "and their times")


# ---- LogGP ----

def test_times_are_the_closed_forms_computed_once_more():
    """METHODS 1.1, 1.3 and 1.5 and SIM.md (87), (93), once more."""
    L, o, g, G, P, n = 1000, 250, 100, 0.08, 16, 7
    rows, table = model("--loggp", f"L={L},o={o},g={g},G={G},P={P}", "--messages", n, "--sizes", "1,1k,64k,1M",
                        "--segment", "1k")
    bad = []
    for r in rows:
        k, s = r["size_B"], min(1024, r["size_B"])
        A = lambda k: 2 * o + (k - 1) * G + L
        gamma = lambda k: g + (k - 1) * G
        I = lambda k: max(o, gamma(k))
        N, block = math.ceil(k / s), math.ceil(k / P)
        scatter = lambda k: A(k) + sum(max(A(k * P // 2 ** i), I(k * P // 2 ** i)) for i in range(1, 4))
        want = {
            ("one-way", None): A(k), ("interval", None): I(k), ("stream", None): A(k) + (n - 1) * I(k),
            ("ping-pong", None): 2 * A(k) + (n - 1) * max(2 * A(k), gamma(k)),
            ("exchange", None): max(A(k) + (n - 1) * I(k), 2 * n * o),
            ("outfarming", None): A(k) + (P - 2) * I(k), ("funnel", None): A(k) + (P - 2) * I(k),
            ("ring", None): A(k) + (P - 2) * max(A(k), gamma(k)),
            ("all-to-all", "rotation"): max(A(k) + (P - 2) * I(k), 2 * (P - 1) * o),
            ("scatter", "binomial"): scatter(k),
            ("broadcast", "binomial"): A(k) + 3 * max(A(k), I(k)),
            ("broadcast", "chain"): (P - 1) * A(s) + (N - 1) * max(gamma(s), 2 * o),
            ("broadcast", "binary"): 4 * (A(s) + I(s)) + (N - 1) * max(2 * I(s), 3 * o),
            ("broadcast", "scatter-ring"): scatter(block) + A(block) + (P - 2) * max(A(block), gamma(block)),
        }.get((r["pattern"], r["algorithm"]))
        if want and not close_to(r["model_s"], want * 1e-9):
            bad.append((r, want))
        if r["frequency_model_Hz"] and not close_to(r["frequency_model_Hz"] * r["model_s"], 1):
            bad.append(r)
    ok(len(rows) == 19 * 4 and not bad, "closed forms", bad[:3] or len(rows))
    ok(close_to(table.one("summary.r_inf_Bps"), 12.5e9), "r_inf is 1/G")


def test_without_a_number_of_ranks_patterns_of_two_are_modelled():
    equal({r["pattern"] for r in model("--loggp", "L=1,o=1,g=1,G=1")[0]},
          {"one-way", "interval", "stream", "ping-pong", "exchange"}, "without ranks what two do")


def test_farms_of_too_few_ranks_have_a_note_in_place_of_a_time():
    rows, _ = model("--loggp", "L=1,o=1,g=1,G=1,P=3", "--pattern", "pipeline,push-farm", "--destinations", 2)
    ok(all(r["model_s"] is None and r["remark"].startswith("n/a") for r in rows), "farms of too few ranks", rows)


@pytest.mark.parametrize("P, size, want", (
    (8, "4k", "binomial"), (8, "64k", "binary"), (8, "1M", "chain"), (64, "4k", "binomial"), (64, "1M", "binary"),
    (64, "16M", "chain"), (1024, "16M", "binary")))
def test_the_fastest_broadcast_is_the_one_of_the_methods(P, size, want):
    """METHODS 1.5 says which it is."""
    rows, _ = model("--loggp", f"L=1000,o=250,g=100,G=0.08,P={P}", "--pattern", "broadcast", "--sizes", size)
    own = [r for r in rows if r["algorithm"] != "scatter-ring"]
    equal(min(own, key=lambda r: r["model_s"])["algorithm"], want, f"fastest broadcast of {size} to {P}")


# ---- RDMA ----

@pytest.mark.parametrize("name, rates, bound", named((
    ("sequential", (0.04, 0.64, 2.51, 9.31, 61.1), ["window"] * 5),
    ("unbatched", (1.28, 20.5, 81.9, 97.0, 97.0), ["CPU"] * 3 + ["wire"] * 2),
    ("batched", (1.83, 29.3, 97.1, 97.0, 97.0), ["sending NIC"] * 2 + ["wire"] * 3))))
def test_rdma_has_the_published_rates_and_what_binds(name, rates, bound):
    """METHODS 1.6: Gb/s at 16 B, 256 B, 1 KiB, 4 KiB, 64 KiB, and what binds"""
    mine = [r for r in model("--example")[0] if r["configuration"] == name]
    ok(len(mine) == 5 and all(close_to(8e-9 * r["bandwidth_model_Bps"], x, 0.02) for r, x in zip(mine, rates)),
       f"RDMA, {name}: bandwidth", mine)
    equal([r["binding"] for r in mine], bound, f"RDMA, {name}: what binds")
    ok(all(close_to(r["bandwidth_model_Bps"], r["rate_model_msgps"] * r["size_B"]) for r in mine),
       f"RDMA, {name}: rate")


def test_the_example_is_called_so():
    rows, table = model("--example")
    equal(table.one("environment.rdma.source"), "example, not measured", "the example is called so")
    ok("not measured" in run("model", "--example").out.splitlines()[0], "in the title, too")


def test_a_batch_can_hurt_under_a_small_window():
    rows, _ = model("--example", "--window", "32,64", "--batch", "1,8,16,32", "--sizes", 16)
    got = [(r["window"], r["batch"], round(r["rate_model_msgps"] / 1e6, 1)) for r in rows]
    equal([x for x in got if x[1] != 16 or x[0] == 64],
          [(32, 1, 10.0), (32, 8, 8.4), (32, 32, 5.4), (64, 1, 10.0), (64, 8, 14.3), (64, 16, 14.1), (64, 32, 10.7)],
          "a batch can hurt under a small window")
    ok(close_to(rows[0]["knee_window"], 32, 0.01) and close_to(rows[0]["model_s"], 1116.2e-9, 1e-3),
       "knee and latency", rows[0])


def test_the_example_is_the_same_by_its_parameters():
    alone, _ = model("--rdma", "o_wqe=20,o_db=65,o_cqe=15,o_nsnd=70,o_nrcv=60,G=0.0825,L=900,L_ack=2050")
    equal(alone, model("--example")[0], "the same by its parameters")


def test_serial_does_work_and_bytes_one_after_the_other():
    alone, _ = model("--example")
    later, _ = model("--example", "--serial")
    ok(later[-1]["rate_model_msgps"] < alone[-1]["rate_model_msgps"], "--serial: work and bytes one after the other")


# ---- against results ----

def against(*args):
    """The largest deviation, and the result."""
    rows, table = model(*args)
    return table.one("summary.deviation_max"), table


@pytest.mark.parametrize("net", NETWORKS)
@pytest.mark.parametrize("command", (
    ["latency", "-m", 20], ["msgrate", "-m", 16, "--window", "1,2,64"], ["beff", "-n", 4, "-u", 1],
    ["bandwidth", "-m", 20, "--window", "1,16", "--bidirectional", "--pairs", 2], ["msgrate", "-m", 16, "--window", "1,2,64", "--ack", "each"],
    *([f"atlas-{n}", "--ranks", 8] for n in ("1.3", "1.4", "1.5", "1.7")), ["atlas-1.1"], ["atlas-1.2", "--window", "1,5"],
    ["atlas-1.6", "--algorithm", "linear,binary,k-ary=3,binomial,k-nomial=4"]), ids=words)
def test_what_is_simulated_is_the_formula(net, command):
    """What is computed step by step and what is computed by formula are the same."""
    done = run(*command, "-b", "sim", "--sim", net, "-o", "x.json")
    worst, table = against("--loggp", net, "--against", "x.json")
    ok(done.rc == 0 and worst is not None and worst < 1e-6 and
       table.one("environment.against.computed") == "true", f"{' '.join(map(str, command))} on {net}",
       f"{worst}\n{done}")


@pytest.mark.parametrize("board", ("520n", "vnx-100g", "custom:c=4,w=32,f=200e6,lat=1us,R=1"))
@pytest.mark.parametrize("command", (["latency"], ["beff", "-n", 3], ["bandwidth", "--window", "1,16"]), ids=words)
def test_a_simulated_board_is_the_formula(board, command):
    run(*command, "-b", "sim", "--board", board, "-o", "x.json")
    worst, _ = against("--board", board, "--against", "x.json")
    ok(worst is not None and worst < 1e-6, f"{command[0]} on board {board}", worst)


@pytest.fixture(scope="module")
def all_file(shared_place):
    """A result of atlas-all."""
    run("atlas-all", "-b", "sim", "--sizes", "0,1k", "-o", "all.json", cwd=shared_place)
    return shared_place / "all.json"


def test_all_atlas_benchmarks_are_modelled_by_the_parameters_of_a_result(all_file):
    worst, table = against("--like", all_file, "--against", all_file)
    ok(worst is not None and worst < 0.25 and {r["benchmark"] for r in table.rows} ==
       {1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 2.1, 2.2, 2.3}, "all ATLAS benchmarks, by the parameters of the result",
       worst)


def test_logp_knows_no_bytes(all_file):
    worst, _ = against("--logp", "L=1us,o=200ns,g=300ns", "--against", all_file)
    ok(worst is not None and worst < 0.5, "LogP, which knows no bytes", worst)


@pytest.fixture
def disturbed(inside):
    """A result of which one row is made 10 % slower, another 30 % faster, a third has no value. It is in y.json, too."""
    run("latency", "-b", "sim", "-m", 6, "-o", "x.json")
    with open("x.json") as f:
        record = json.load(f)
    record["computed"] = False
    record["rows"][2]["half_rtt_epoch_s"] *= 1.1
    record["rows"][4]["half_rtt_epoch_s"] *= 0.7
    record["rows"][5]["half_rtt_epoch_s"] = None
    write_result(inside, "y.json", record)
    return record


def test_residuals_are_measured_over_model_with_their_summary(disturbed):
    rows, table = model("--loggp", NETWORKS[0], "--against", "y.json")
    equal([round(r["measured_over_model"], 6) for r in rows], [1, 1, 1.1, 1, 0.7, 1], "quotients")
    ok(close_to(table.one("summary.deviation_max"), 0.3, 1e-6) and table.one("summary.deviation_max_size_B") == 16 and
       table.one("summary.deviation_p50") < 1e-6 and table.one("summary.compared") == 6, "summary of residuals",
       table.meta)
    text = run("model", "--loggp", NETWORKS[0], "--against", "y.json").out
    ok("measured: deviates from the model by" in text and "at most by 30 % at 16 B" in text, "and for people", text)


@pytest.mark.parametrize("args", (["--loggp", NETWORKS[0]], ["--board", "520n"], ["--example"]), ids=words)
@pytest.mark.parametrize("value", (None, True, -7, 1e300, "text", [], {}, {"a": 1}), ids=repr)
def test_values_of_any_type_where_another_is_expected(value, args, disturbed):
    for part in ("rows", "options", "environment"):
        was = disturbed[part]
        write_result(".", "z.json", {**disturbed, part: [{k: value for k in row} for row in was] if part == "rows" else
                                     {k: value for k in was}})
        done = run("model", *args, "--against", "z.json")
        ok(done.rc in (0, 2) and len(done.err.splitlines()) == (done.rc == 2), f"all {part} {value!r}", done)


def test_measured_rates_stand_beside_those_of_rdma():
    run("msgrate", "-b", "sim", "--sim", "rdma:o_wqe=20,o_db=65,L=900,G=.0825", "--preset", "sequential,batched", "--sizes", "16,1k", "-o", "x.json")
    rows, _ = model("--example", "--against", "x.json")

    def message(window, batch, k):
        """Of a window that ends with a reply: the slowest stage between messages, and two latencies."""
        stage = max(20 + (65 + 15) / batch, max(70, (k - 1) * 0.0825), 60)
        return ((window - 1) * stage + sum(20 + 65 + 70 + (n - 1) * 0.0825 + 900 + 60 for n in (k, 1))) / window * 1e-9
    ok(len(rows) == 4 and all(close_to(r["model_s"], message(r["window"], r["batch"], r["size_B"])) for r in rows),
       "RDMA beside rates", rows)


# ---- segments ----

@pytest.fixture
def pieces(inside):
    """A fit of three segments, and a result to compare with it."""
    whole = {"L_s": 1e-6, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 2e-7, "G_s_per_B": 0}
    segments = [{**whole, "upto_B": 100}, {**whole, "L_s": 5e-6, "upto_B": 1000}, {**whole, "L_s": -5e-8, "upto_B": None}]
    write_result(inside, "pieces.json", {"summary": {"loggp": whole, "segments": segments}})
    run("latency", "-b", "sim", "--sizes", "1,100,101,1000,1001,4k", "-o", "x.json")


def test_each_size_is_modelled_by_the_parameters_of_its_segment(pieces):
    rows, table = model("--like", "pieces.json", "--against", "x.json")
    equal([round(r["model_s"] * 1e9) for r in rows], [1200, 1200, 5200, 5200, 150, 150], "--like, by segments")
    equal([table.one(f"environment.loggp.segments.{i}.L_s") for i in range(3)], [1e-6, 5e-6, -5e-8], "and which they are")
    ok("3 segments" in run("model", "--like", "pieces.json", "--against", "x.json").out.splitlines()[0], "as the title says")


def test_what_is_told_takes_the_place_of_each_segments(pieces):
    rows, _ = model("--like", "pieces.json", "--loggp", "L=2us", "--against", "x.json")
    equal([round(r["model_s"] * 1e9) for r in rows], [2200] * 6, "what is told takes the place of each segment's")


def test_a_fit_beside_what_it_was_not_made_of():
    switch = "L=500,o_s=800,o_r=400,g=10,G=0.01"
    run("model", "--measure", "-b", "sim", "--sim", switch, "--rounds", 2, "-o", "fit.json")
    run("bandwidth", "-b", "sim", "--sim", switch, "--window", 16, "-o", "w.json")
    done, table = measure("model", "--like", "fit.json", "--against", "w.json")
    ok(done.rc == 0 and table.one("summary.deviation_max") < 0.05, "a fit beside what it was not made of", done)
    equal([table.one(f"summary.{key}") for key in ("compared", "left_out")], [6, 17],
          "what is in the segment without G is left out")
    ok(len(done.warnings) == 1 and "'fit.json' has not determined their G" in done.err, "as a warning says", done)
