# SPDX-License-Identifier: Apache-2.0
"""netbench compare of several runs: by a known spread (R11), in turns as blocks (R2)-(R7), and in groups (R12). The golden numbers
are G1 and G5 of the method, the quantiles are those of tables."""
import csv
import math
import random
from statistics import median

import pytest
from made_up import at, compare, load, of_runs, record_of, row_of, spread, two, write
from netbench import close_to, equal, named, of_point, ok, one_fault, run

pytestmark = pytest.mark.usefixtures("inside")

# Student's quantiles t(1 - .025/P, 2 (n-1)/3), by the runs n and the points P.
STUDENT = {(10, 1): 2.4469119, (10, 2): 2.9686867, (16, 1): 2.2281389, (16, 5): 3.1692727, (31, 1): 2.0859634, (31, 5): 2.8453397}

LACKS = "netbench: no verdict: "


def of_times(*times):
    """A result of latency with these times, in s, of sizes 8, 16 and so on."""
    return record_of([row_of(8 << i, t, interval=(0.99 * t, 1.01 * t)) for i, t in enumerate(times)])


def rows_of(name):
    """Of a comparison, without when and where it was made."""
    return list(map(of_point, load(name)["rows"]))


def start(i):
    return f"2026-11-23T14:{i:02}:00Z"


# ---- one run of each ----

def test_more_files_of_one_run_each_have_no_verdict():
    for name, t in (("a.json", 1.0), ("b.json", 2.0), ("c.json", 0.5)):
        write(name, of_times(t, t))
    done = run("compare", "a.json", "b.json", "c.json", "--fail-if", "slower:5%", "-o", "x.json")
    record = load("x.json")
    equal([(r["file_b"], r["ratio"], r["method"], r["verdict"], r["remark"]) for r in record["rows"]],
          [(b, v, "intervals", None, "one run of each: no verdict") for b, v in (("b.json", 2), ("c.json", 0.5)) for _ in "ab"], "rows")
    equal((done.rc, done.faults), (4, [f"{LACKS}one run of each (2 of 2 points); use 'netbench runs', '--spread', or more files of each"] * 2),
          "none can fail or pass")
    equal([f["without_verdict"] for f in record["summary"]["files"]], [2, 2], "they are counted")


# ---- by the spread of runs of one command ----

@pytest.mark.parametrize("n, points", STUDENT)
def test_a_single_run_is_judged_by_the_spread_of_runs(n, points):
    """Slower or faster from the quantile times the spread on; the ratio is widened by that."""
    s = 0.02
    limit = STUDENT[n, points] * s
    known = spread([8 << i for i in range(points)], s, n)
    for beyond, outcome in ((1.001, "slower"), (0.999, "no difference seen"), (-0.999, "no difference seen"), (-1.001, "faster")):
        ratio = math.exp(beyond * limit)
        write("a.json", of_times(*[1.0] * points))
        write("b.json", of_times(*[1.0] * (points - 1), ratio))
        done, text = compare(*known)
        row = text.rows[-1]
        equal((done.rc, row["verdict"], row["method"], row["p_value"], row["remark"]), (0, outcome, "spread", None, None), f"{beyond} of the limit")
        ok(close_to(row["ratio"], ratio) and close_to(row["ratio_lo"], ratio / math.exp(limit), 1e-7) and
           close_to(row["ratio_hi"], ratio * math.exp(limit), 1e-7), "ratio and interval", row)
        equal({r["verdict"] for r in text.rows[:-1]} | {"no difference seen"}, {"no difference seen"}, "the others")


def test_of_rates_less_is_slower_by_the_spread():
    names = ["size_B", "rate_msgps", "rate_lo_msgps", "rate_hi_msgps"]
    more = {"command": "msgrate", "definition": "msgrate.window-reply.v1", "columns": [{"name": n} for n in names]}
    for name, v in (("a.json", 100), ("b.json", 90), ("c.json", 110)):
        write(name, record_of([dict(zip(names, (8, v, 0.99 * v, 1.01 * v)))], **more))
    known = spread([8], 0.02, 10, measure="rate_msgps")
    limit = math.exp(STUDENT[10, 1] * 0.02)
    for b, outcome, ratio, rc in (("b.json", "slower", 0.9, 1), ("c.json", "faster", 1.1, 0)):
        done, text = compare(*known, "--fail-if", "slower:5%", b=b)
        row = text.rows[0]
        equal((done.rc, row["verdict"]), (rc, outcome), f"{b}: verdict")
        ok(close_to(row["ratio_lo"], ratio / limit, 1e-7) and close_to(row["ratio_hi"], ratio * limit, 1e-7), f"{b}: bounds", row)


@pytest.mark.parametrize("times, rc", (((1.2, 1.0), 1), ((1.02, 0.9), 0), ((1.1, 1.0), 4), ((1.2, 1.1), 1), ((1.05, 1.0), 4)))
def test_a_limit_by_the_spread_is_answered_in_three_ways(times, rc):
    """Limit of 10 %, widened by 1 + 4.0 % to either side."""
    write("a.json", of_times(1.0, 1.0))
    write("b.json", of_times(*times))
    s = math.log(1.04 if times != (1.05, 1.0) else 1.05) / STUDENT[10, 2]
    done, _ = compare(*spread([8, 16], s, 10), "--fail-if", "slower:10%")
    equal(done.rc, rc, f"exit of {times}")
    ok((rc == 4) == ("use more runs" in done.err) or rc == 1, "what helps", done)


def test_a_point_without_spread_has_no_verdict():
    for name, t in (("a.json", 1.0), ("b.json", 1.02)):
        write(name, of_times(t, t, t))
    rows = [{"size_B": 8}, {"size_B": 16, "run_spread": None}]
    for known, why in ((spread(rows), "no spread of this point"), (spread(rows, runs=1), "no spread of this point")):
        done, text = compare(*known, "--fail-if", "slower:5%")
        equal([r["remark"] for r in text.rows][1:], [why] * 2, "it says why")
        ok(done.rc == 4 and "no spread of these points" in done.err and "name another result of 'netbench runs' in '--spread'" in done.err, "exit 4", done)
    done, text = compare(*spread([8, 16, 32]), "--fail-if", "slower:5%")
    equal((done.rc, {r["verdict"] for r in text.rows}), (0, {"slower"}), "with it")


def test_the_spread_of_a_real_result_of_runs_is_taken():
    sim = ["latency", "-b", "sim", "--sizes", "8,1k"]
    run("runs", "--runs", 4, "-q", "-o", "spread.json", "-o", "spread.csv", "--", *sim)
    for name, net in (("a.json", "L=1us"), ("b.json", "L=2us")):
        run(*sim, "--sim", f"{net},o=200ns,g=300ns,G=0.1ns", "-o", name)
        write(name, {**load(name), "computed": False})
    for name in ("spread.json", "spread.csv"):
        done, text = compare("--spread", name)
        equal((done.rc, [(r["method"], r["verdict"]) for r in text.rows]), (0, [("spread", "slower")] * 2), name)


# ---- turns ----

G1 = [(31, 22, 41, -6, 27, 35, 18, 29), (12, -14, 27, -21, 8, -3, 16, -9), (101, 93, 118, 87, 99, 112, 95, 104)]


def in_turns(differences, *args, measure=lambda t: t):
    """compare --paired of results A B A B ...: differences in thousandths, by point, of logarithms; A drifts by 20 % a turn."""
    names = []
    for i in range(len(differences[0])):
        for side in (0, 1):
            names.append(f"{i}{'ab'[side]}.json")
            write(names[-1], of_times(*[math.exp(0.2 * i + side * d[i] / 1000) for d in differences]))
    done = run("compare", "--paired", *names, *args, "-o", "x.json")
    return done, load("x.json") if done.rc in (0, 1, 4) else None


def test_turns_have_the_golden_numbers():
    done, doc = in_turns(G1)
    want = [(.02675, .0105, .035, 6, "slower"), (.002, -.014, .0175, 192, "no difference seen"), (.1005, .093, .111, 2, "slower")]
    equal([(r["method"], r["verdict"]) for r in doc["rows"]], [("blocks", w[4]) for w in want], "verdicts")
    for row, (ratio, lo, hi, p, _) in zip(doc["rows"], want):
        got = [math.log(row[c]) for c in ("ratio", "ratio_lo", "ratio_hi")]
        ok(all(abs(g - w) < 1e-9 for g, w in zip(got, (ratio, lo, hi))), "ratio and interval", (got, (ratio, lo, hi)))
        ok(close_to(row["p_value"], p / 256), "p", row)
    found = doc["summary"]["findings"]
    equal([(f["kind"], f["verdict"], f["evidence"]["method"]) for f in found],
          [("slower", "yes", "blocks"), ("difference", "no", "blocks"), ("slower", "yes", "blocks")], "findings")


@pytest.mark.parametrize("limit, points, rc, words", named((
    ("slower:5%", (0, 1, 2), 1, "1 point is slower by 5 % or more, the worst 'size_B 32' by 10.57 %"), ("slower:5%", (0, 1), 0, ""),
    ("slower:2%", (0, 1), 4, "the intervals contain the limit (1 of 2 points)"), ("faster:2%", (0, 1), 0, ""),
    ("slower:2%,faster:1%", (1,), 4, "(1 of 1 points)"), ("faster:1%", (1,), 4, "(1 of 1 points)"), ("slower:2%", (0, 1, 2), 1, "1 point is slower by 2 %"))))
def test_a_limit_of_turns_is_answered_in_three_ways(limit, points, rc, words):
    done, _ = in_turns([G1[i] for i in points], "--fail-if", limit)
    equal(done.rc, rc, f"{limit} of {points}")
    ok(words in done.err and (rc or not done.err), "what is said", done)


def test_turns_that_are_faster_are_past_a_limit():
    done, doc = in_turns([[-d for d in G1[2]]], "--fail-if", "faster:5%")
    row = doc["rows"][0]
    ok(done.rc == 1 and row["verdict"] == "faster" and "1 point is faster by 5 %" in done.err, "exit 1", done)
    ok(abs(math.log(row["ratio_lo"]) + .111) < 1e-9 and abs(math.log(row["ratio_hi"]) + .093) < 1e-9, "its interval", row)
    equal(in_turns([[-d for d in G1[2]]], "--fail-if", "slower:5%")[0].rc, 0, "and within the other")


# ---- groups ----

G5_A = [(2.302, 2.311, 2.295, 2.307), (4.610, 4.598, 4.605, 4.612)]
G5_B = [(2.391, 2.402, 2.388, 2.399), (4.611, 4.603, 4.620, 4.607)]


def in_groups(a, b, *args, starts=None):
    """compare A.. -- B..: logarithms of times, by point and run; taken in turns if nothing else is said."""
    names = {"a": [], "b": []}
    for side, group in (("a", a), ("b", b)):
        for i in range(len(group[0])):
            names[side].append(f"{side}{i}.json")
            when = starts[side][i] if starts else 2 * i + (side == "b")
            write(names[side][-1], at(of_times(*[math.exp(p[i]) for p in group]), start(when)))
    done = run("compare", *args, "-o", "x.json", *names["a"], "--", *names["b"])
    return done, load("x.json") if done.rc in (0, 1, 4) else None


def test_groups_have_the_golden_numbers():
    done, doc = in_groups(G5_A, G5_B)
    rows = doc["rows"]
    equal((done.rc, [(r["method"], r["verdict"], r["remark"]) for r in rows]),
          (0, [("groups", "slower", None), ("groups", "no difference seen", None)]), "verdicts")
    got = [math.log(rows[0][c]) for c in ("ratio", "ratio_lo", "ratio_hi")]
    ok(all(abs(g - w) < 1e-9 for g, w in zip(got, (.0915, .077, .107))), "ratio and interval", got)
    ok(close_to(rows[0]["p_value"], 2 / 70) and close_to(rows[1]["p_value"], 34 / 70), "p", rows)
    ok(close_to(rows[0]["value_a_s"], math.exp((2.302 + 2.307) / 2)) and close_to(rows[0]["value_b_s"], math.exp(2.395)), "values are medians", rows[0])
    equal([(f["kind"], f["verdict"], f["evidence"]["method"]) for f in doc["summary"]["findings"]],
          [("slower", "yes", "groups"), ("difference", "no", "groups")], "findings")
    ok("and the other runs of both" in done.whole and "a false finding anywhere" in " ".join(done.out.split()), "it is said", done)


def test_a_group_that_is_faster():
    done, doc = in_groups(G5_B, G5_A, "--fail-if", "faster:5%")
    ok(done.rc == 1 and doc["rows"][0]["verdict"] == "faster" and close_to(doc["rows"][0]["ratio"], math.exp(-.0915)) and
       "1 point is faster by 5 % or more, the worst 'size_B 8'" in done.err, "the reverse", done)


@pytest.mark.parametrize("limit, points, rc, words", named((
    ("slower:7%", (0, 1), 1, "1 point is slower by 7 %"), ("slower:12%", (0, 1), 0, ""), ("slower:9%", (0, 1), 4, "(1 of 2 points); use more runs"),
    ("slower:3%", (1,), 0, ""), ("slower:1%", (1,), 4, "(1 of 1 points)"), ("faster:2%", (0, 1), 0, ""),
    ("slower:12%,faster:0.5%", (0, 1), 4, "(1 of 2 points)"))))
def test_a_limit_of_groups_is_answered_in_three_ways(limit, points, rc, words):
    done, _ = in_groups([G5_A[i] for i in points], [G5_B[i] for i in points], "--fail-if", limit)
    equal(done.rc, rc, f"{limit} of {points}")
    ok(words in done.err and (rc or not done.err), "what is said", done)


@pytest.mark.parametrize("behind", [["-o", "x.json"], ["--output=x.json", "--quiet"]], ids=["short", "long"])
def test_options_behind_the_groups_are_options(behind):
    names = [f"g{i}.json" for i in range(6)]
    for i, name in enumerate(names):
        write(name, at(of_times(1.0 + i / 100), start(i)))
    done = run("compare", *names[:3], "--", *names[3:], *behind)
    equal((done.rc, done.err, load("x.json")["command"]), (0, "", "compare"), f"compared: {done}")
    done = run("compare", *names[:3], "--", *names[3:], "--outptu", "x.json")
    ok(done.rc == 2 and "--outptu" in done.err and done.err.count("\n") == 1, "an unknown one is refused", done)


def few(group, n):
    return [p[:n] for p in group]


@pytest.mark.parametrize("na, nb", ((3, 3), (1, 1), (1, 4), (4, 3)))
def test_groups_that_are_too_few(na, nb):
    done, doc = in_groups(few(G5_A, na), few(G5_B, nb), "--fail-if", "slower:7%")
    row = doc["rows"][0]
    equal((done.rc, done.faults, row["verdict"], row["remark"]),
          (4, [f"{LACKS}too few runs for an interval (2 of 2 points); use 6 pairs of results, or 4 of each, or more"], None,
           "too few runs: 4 of each are needed"), "no verdict")
    ok(1.07 < row["ratio"] < 1.12, "but a ratio", row)
    equal(in_groups(few(G5_A, na), few(G5_B, nb))[0].rc, 0, "without --fail-if there is nothing to fail")


@pytest.mark.parametrize("starts, judged", (
    ({"a": (0, 1, 2, 3), "b": (4, 5, 6, 7)}, False), ({"a": (4, 5, 6, 7), "b": (0, 1, 2, 3)}, False), ({"a": (0, 1, 2, 3), "b": (3, 4, 5, 6)}, False),
    ({"a": (3, 1, 0, 2), "b": (6, 4, 7, 5)}, False), ({"a": (0, 1, 2, 5), "b": (4, 3, 6, 7)}, True), ({"a": (0, 7, 1, 6), "b": (2, 3, 4, 5)}, True)))
def test_groups_apart_in_time_have_no_verdict(starts, judged):
    """What differs may be the time: start times have to interleave, in whatever order the files stand."""
    done, doc = in_groups(G5_A, G5_B, "--fail-if", "slower:7%", starts=starts)
    row = doc["rows"][0]
    if judged:
        equal((done.rc, row["verdict"], row["remark"]), (1, "slower", None), "judged")
        return
    equal((done.rc, done.faults), (4, [f"{LACKS}one group was measured before the other, or the time differs (2 of 2 points); "
                                       "measure in turns, or use 'netbench runs'"]), "exit 4")
    equal((row["verdict"], row["remark"], row["method"]), (None, "one group was measured before the other", "groups"), "no verdict")
    ok(close_to(row["ratio"], math.exp(.0915)) and close_to(row["p_value"], 2 / 70), "its numbers stay", row)


def test_groups_may_be_unequal():
    """3 + 12 have an interval by 5 differences from either end, and all runs count."""
    rng = random.Random(8)
    a, b = ([[rng.gauss(mean, 0.01) for _ in range(n)]] for n, mean in ((3, 0.0), (12, 0.1)))
    starts = {"a": (2, 7, 11), "b": range(12)}
    done, doc = in_groups(a, b, "--fail-if", "slower:5%", starts=starts)
    row = doc["rows"][0]
    d = sorted(y - x for x in a[0] for y in b[0])
    equal((done.rc, row["verdict"], len(doc["environment"]["later"])), (1, "slower", 11), "judged")
    ok(all(abs(math.log(row[c]) - w) < 1e-9 for c, w in (("ratio", (d[17] + d[18]) / 2), ("ratio_lo", d[4]), ("ratio_hi", d[31]))),
       "by hand", (row, d))
    ok(row["p_value"] < 0.01, "p is drawn", row["p_value"])
    before = rows_of("x.json")
    in_groups(a, b, starts=starts)
    equal(rows_of("x.json"), before, "the same each time")
    done, doc = in_groups(b, a, "--fail-if", "faster:5%", starts={"a": starts["b"], "b": starts["a"]})
    equal((done.rc, doc["rows"][0]["verdict"]), (1, "faster"), "the longer one may be the first")


def test_a_point_that_a_run_lacks_has_no_verdict():
    in_groups(G5_A, G5_B)
    write("b2.json", at(of_times(math.exp(2.39)), start(4)))
    names = [f"{side}{i}.json" for side in "ab" for i in range(4)]
    done = run("compare", "--fail-if", "slower:5%", "-o", "x.json", *names[:4], "--", *names[4:])
    rows = load("x.json")["rows"]
    equal([(r["verdict"], r["remark"]) for r in rows], [("slower", None), (None, "not in all results")], "it says so")
    equal(done.rc, 1, "the other fails")


def test_a_percentile_is_judged_in_groups():
    in_groups(G5_A, G5_B)
    names = [f"{side}{i}.json" for side in "ab" for i in range(4)]
    run("compare", "--measure", "half_rtt_p99_s", "-o", "x.json", *names[:4], "--", *names[4:])
    equal([r["verdict"] for r in load("x.json")["rows"]], ["slower", "no difference seen"], "as in turns")


# ---- results of netbench runs ----

def write_runs(name, group, first, step=2, **more):
    """A result of runs of one command."""
    docs = [at(of_times(*[math.exp(p[i]) for p in group]), start(first + step * i)) for i in range(len(group[0]))]
    write(name, of_runs([], documents=docs, **more))


def test_a_result_of_runs_counts_as_its_runs():
    """Two of them are groups; one may stand among single results behind or before the dashes."""
    in_groups(G5_A, G5_B)
    want = rows_of("x.json")
    write_runs("a.json", G5_A, 0)
    write_runs("b.json", G5_B, 1)
    single = [f"b{i}.json" for i in range(4)]
    for words in (["a.json", "b.json"], ["a.json", "--", "b.json"], ["a.json", "--", *single]):
        done = run("compare", "-o", "x.json", *words)
        equal((done.rc, rows_of("x.json")), (0, want), f"{words}")
    doc = load("a.json")
    doc["runs"][1]["counted"] = False
    doc["runs"].insert(0, {**doc["runs"][0], "counted": False, "document": None})
    write("a.json", doc)
    run("compare", "a.json", "b.json", "-o", "x.json")
    equal([r["remark"] for r in load("x.json")["rows"]], ["too few runs: 4 of each are needed"] * 2, "only those that count")


def test_results_of_runs_that_are_measured_one_after_the_other_have_no_verdict():
    write_runs("a.json", G5_A, 0, 1)
    write_runs("b.json", G5_B, 4, 1)
    done, text = compare("--fail-if", "slower:5%")
    equal((done.rc, text.rows[0]["remark"]), (4, "one group was measured before the other"), "exit 4")


def test_results_of_runs_that_cannot_be_taken():
    write_runs("a.json", G5_A, 0)
    write_runs("b.json", G5_B, 1)
    write_runs("two.json", G5_B, 1, commands=2)
    run("runs", "--runs", 2, "-q", "-o", "runs.json", "-o", "runs.csv", "--", "latency", "-b", "sim", "--sizes", 8)
    for words, parts in ((["a.json", "two.json"], ["'two.json' has runs of several commands and compares them itself"]),
                         (["runs.json", "runs.csv"], ["'runs.csv' keeps no runs: only JSON of 'netbench runs' keeps them"]),
                         (["a.json", "b.json", "a.json"], ["results of 'netbench runs' are compared two at a time, or with '--'"]),
                         (["--paired", "a.json", "b.json"], ["'--paired' is only for single results in turns"]),
                         (["--spread", "runs.json", "a.json", "b.json"], ["'--spread'"])):
        ok(one_fault(run("compare", *words), 2, *parts), f"{words}")


def test_computed_results_in_two_groups_are_judged_in_whatever_order():
    """They have no time."""
    sim = ["latency", "-b", "sim", "--sizes", "8,1k", "--sim"]
    for name, net in (("a.json", "L=1us"), ("b.json", "L=2us")):
        run("runs", "--runs", 4, "-q", "-o", name, "--", *sim, f"{net},o=200ns,g=300ns,G=0.1ns")
    done, text = compare("--fail-if", "slower:5%")
    equal((done.rc, [r["verdict"] for r in text.rows], text.one("computed")), (1, ["slower"] * 2, "true"), "exit 1")


def test_maps_take_no_spread():
    run("map", "-b", "sim", "-n", 4, "-q", "-o", "map.json")
    run("runs", "--runs", 2, "-q", "-o", "runs.json", "--", "latency", "-b", "sim", "--sizes", 8)
    ok(one_fault(run("compare", "--spread", "runs.json", "map.json", "map.json"), 2, "'--spread'"), "refused")


def test_rows_of_several_runs_are_the_same_in_csv():
    in_groups(G5_A, G5_B, "-o", "x.csv")
    with open("x.csv") as f:
        rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
    equal([(float(r["ratio"]), r["verdict"]) for r in rows], [(r["ratio"], r["verdict"]) for r in load("x.json")["rows"]], "both")


def test_b_eff_is_a_point_of_groups_and_of_turns():
    """With its own median, ratio and interval; beside rows it is the last one."""
    for i in range(16):
        run("beff", "-b", "sim", "--sim", f"L={1 + 0.01 * ((5 * i) % 7) + 0.5 * (i % 2)}us,o=200ns,g=300ns,G=0.1ns", "-m", 3, "-o", f"{i}.json")
    b_eff = [load(f"{i}.json")["summary"]["b_eff_Bps"] for i in range(16)]
    names = [f"{i}.json" for i in range(16)]
    for args, method in ((["--paired", *names], "blocks"), ([*names[::2], "--", *names[1::2]], "groups")):
        done = run("compare", "-o", "x.json", *args)
        last = load("x.json")["rows"][-1]
        equal((done.rc, last["remark"], last["size_B"], last["method"], last["verdict"]), (0, "b_eff", None, method, "slower"), method)
        a, b = (math.exp(median(map(math.log, b_eff[side::2]))) for side in (0, 1))
        ok(close_to(last["value_a_Bps"], a, 1e-9) and close_to(last["value_b_Bps"], b, 1e-9), "medians of costs, whose logarithms are compared", last)
        ok(last["ratio_lo"] <= last["ratio"] <= last["ratio_hi"] < 1, "ratio and interval", last)
    done = run("compare", "--paired", *names, "--measure", "time_s", "-o", "x.json")
    ok(all(r["remark"] != "b_eff" for r in load("x.json")["rows"]), "not beside a time", done)
