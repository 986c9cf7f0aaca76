# SPDX-License-Identifier: Apache-2.0
"""How points end and what their intervals are, done again from the samples; visits; the best of b_eff; what compare makes
of many points and of results taken in turns."""
import contextlib
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import time

import pytest
from made_up import spread
from netbench import Csv, close_to, command, equal, measure, ok, one_fault, run, until

KEEP = ["--samples", "-f", "json", "-q"]


def result(*args, **kwargs):
    """The record of a run that must succeed."""
    done = run(*args, *KEEP, **kwargs)
    ok(done.rc == 0, f"measured: {done.args}", done)
    return json.loads(done.out)


def best(row, of=6, rank=None):
    times = row["samples"]["rank_time_s"][:of]
    return min(max(x for x in t if x is not None) if rank is None else t[rank] for t in times)


# ---- the interval, done by hand ----

def median(x):
    s = sorted(x)
    return (s[len(s) // 2] + s[(len(s) - 1) // 2]) / 2


def lag1(x):
    mean = sum(x) / len(x)
    square = sum((v - mean) ** 2 for v in x)
    return sum((v - mean) * (w - mean) for v, w in zip(x, x[1:])) / square if square else 0


def order_interval(x):
    """By the binomial distribution; None below 6."""
    n, below = len(x), 0
    total = 0.0
    for k in range(n + 1):
        total += math.comb(n, k) / 2 ** n
        if total > 0.025:
            below = k
            break
    return (sorted(x)[below - 1], sorted(x)[n - below]) if below else None


def interval(x, step):
    """(method, lo, hi) as netbench-method(7) defines them."""
    n, middle = len(x), median(x)
    r = max(lag1(x), lag1([(v > middle) - (v < middle) for v in x])) if n > 2 else 0
    method, found = "order statistics", None
    if r > max(0.1, 1.645 / math.sqrt(n) - 1 / n):
        method = "epochs"
        epochs = min(max(int(math.sqrt(n)), 6), 20, int(n / max(2, 2 * (1 + r) / (1 - r))))
        if epochs >= 6:
            parts = [x[i * n // epochs:(i + 1) * n // epochs] for i in range(epochs)]
            found = order_interval([median(p) for p in parts])
    else:
        found = order_interval(x)
    if not found:
        return "none", None, None
    return method, min(found[0], middle - step / 2), max(found[1], middle + step / 2)


def visited(times, ends, step):
    """The same of a point with six visits: the least and the largest of their medians."""
    medians = sorted(median(times[a:b]) for a, b in zip([0, *ends], ends))
    return "visits", min(medians[0], median(times) - step / 2), max(medians[-1], median(times) + step / 2)


@pytest.mark.parametrize("visits", (1, 6))
def test_intervals_are_those_of_the_samples(visits):
    """Of one visit from 30 repetitions on, of six always."""
    methods = set()
    for repetitions in (5, 6, 17, 29, 30, 60, 200):
        doc = result("bandwidth", "--sizes", "8,64,4k", "--repetitions", repetitions, "--ci", 0, "--point-time", 0,
                     "-l", 10, *([] if visits == 6 else ["--visits", 1]))
        step = doc["environment"]["timer"]["resolution_s"]
        for row in doc["rows"]:
            times, want = row["samples"]["time_s"], visits if repetitions > 5 else 1
            method, lo, hi = (interval(times, step) if repetitions >= 30 else ("none", None, None)) if want == 1 else \
                visited(times, row["samples"]["visit_end"], step)
            methods.add(method)
            work = row["bandwidth_Bps"] * row["time_s"]
            equal((row["ci_method"], row["repetitions"], row["visits"]), (method, repetitions, want), "the method")
            ok((row["bandwidth_lo_Bps"], row["bandwidth_hi_Bps"]) == (None, None) if method == "none" else
               close_to(row["bandwidth_lo_Bps"], work / hi) and close_to(row["bandwidth_hi_Bps"], work / lo),
               f"{repetitions} repetitions, {method}: the bounds", row["bandwidth_lo_Bps"])
    ok("none" in methods and methods & ({"visits"} if visits == 6 else {"order statistics", "epochs"}), "both kinds were seen", methods)


# ---- how points end ----

def test_a_point_has_6_repetitions():
    _, table = measure("msgrate", "--sizes", "8,64", "-l", 10, "--ci", 0, "--point-time", "1ns")
    equal([(r["repetitions"], r["stop"]) for r in table.rows], [(6, "point-time")] * 2, "--point-time")
    _, table = measure("msgrate", "--sizes", "8,64", "-l", 10, "--repetitions", 5, "--point-time", "1ns")
    equal([(r["repetitions"], r["stop"], r["ci_method"], r["rate_lo_msgps"], r["rate_hi_msgps"]) for r in table.rows],
          [(5, "repetitions", "none", None, None)] * 2, "fewer on request, without an interval")
    _, table = measure("msgrate", "--sizes", "8", "-l", 10000, "--time-limit", "1ms")
    equal([(r["repetitions"] < 6, r["stop"], r["ci_method"], r["rate_lo_msgps"]) for r in table.rows],
          [(True, "time-limit", "none", None)], "the time limit ends it before")


def test_ci_judges_one_visit_from_30_repetitions():
    _, table = measure("msgrate", "--sizes", "8,64,512", "-l", 10, "--ci", 100, "--point-time", 0, "--visits", 1)
    looks = [30, 38, 48, 60, 75, 94, 118, 148, 185, 232, 290, 363, 454, 568, 710, 888]
    ok(all(r["stop"] == "ci" and r["repetitions"] in looks or r["repetitions"] == 1000 for r in table.rows),
       "a look at the interval ended them", [(r["repetitions"], r["stop"]) for r in table.rows])
    _, table = measure("msgrate", "--sizes", "8,64", "-l", 10, "--ci", 100, "--point-time", 0, "--repetitions", 29, "--visits", 1)
    equal([(r["repetitions"], r["stop"]) for r in table.rows], [(29, "repetitions")] * 2, "none before 30")


def test_ci_judges_each_of_six_visits_from_3_repetitions():
    doc = result("msgrate", "--sizes", "8,64,512", "-l", 10, "--ci", 100, "--point-time", 0)
    looks = [3, 4, 5, 7, 9, 12, 15, 19, 24, 30, 38, 48, 60, 75, 94, 118, 148, 166, 167]
    for row in doc["rows"]:
        ends = row["samples"]["visit_end"]
        ok(all(b - a in looks for a, b in zip([0, *ends], ends)), "a look at the interval ended each visit", (row["stop"], ends))


def test_visits_divide_the_time_and_the_repetitions_of_a_point():
    doc = result("msgrate", "--sizes", "8,64", "-l", 10, "--ci", 0, "--point-time", 0, "--repetitions", 20)
    equal([r["samples"]["visit_end"] for r in doc["rows"]], [[4, 8, 11, 14, 17, 20]] * 2, "repetitions")
    took = {}
    for visits in (1, 6):
        row, = result("msgrate", "--sizes", "8", "-l", 10, "--ci", 0, "--point-time", "200ms", "--repetitions", 10 ** 6,
                      "--visits", visits)["rows"]
        took[visits] = row["repetitions"]
        equal((row["stop"], row["visits"]), ("point-time", visits), f"{visits} visits end by time")
    ok(took[6] < 3 * took[1], "six visits have no more time than one", took)


def test_percentile_has_an_interval():
    few = ["latency", "--sizes", "8", "--visits", 1, "--repetitions", 20, "--ci", 0, "--point-time", 0]
    _, table = measure(*few, "-l", 2000)
    row = table.rows[0]
    ok(row["half_rtt_p99_s"] and row["half_rtt_p99_lo_s"] <= row["half_rtt_p99_s"] * 1.005 and
       row["half_rtt_p99_hi_s"] >= row["half_rtt_p99_s"] * 0.995 and
       row["half_rtt_min_s"] < row["half_rtt_p99_lo_s"] and row["half_rtt_p99_hi_s"] <= row["half_rtt_max_s"],
       "the interval holds it", row)
    _, table = measure(*few, "-l", 10)
    equal([table.rows[0][c] for c in ("half_rtt_p99_s", "half_rtt_p99_lo_s", "half_rtt_p99_hi_s")], [None] * 3,
          "of 200 there is none")


# ---- b_eff ----

@pytest.mark.parametrize("repetitions", [4, 6, 30])
def test_beff_is_the_best_of_6(repetitions, inside):
    for rule in ("netbench", "hpcc-fpga"):
        doc = result("beff", "-m", 3, "-u", 20, "--rule", rule, "--repetitions", repetitions, "--ci", 0, "--point-time", 0)
        equal(doc["definition"], "beff.ring.v2" if rule == "netbench" else "beff.ring.hpcc-fpga.v2", "definition")
        for row in doc["rows"]:
            want = best(row) if rule == "netbench" else max(best(row, rank=r) for r in range(doc["environment"]["nranks"]))
            equal((row["best_of"], row["time_min_s"]), (min(6, repetitions), want), f"{rule}: the best")
            ok(close_to(row["bandwidth_max_Bps"], 2 * doc["environment"]["nranks"] * row["size_B"] * row["loops"] / want),
               f"{rule}: b(L)", row["bandwidth_max_Bps"])


def test_b_eff_is_the_median_of_six_visits_each_by_its_best_of_6(inside):
    doc = result("beff", "-m", 3, "-u", 20, "--point-time", "100ms", "-o", "r.json")
    equal((doc["definition"], {r["visits"] for r in doc["rows"]}, {r["best_of"] for r in doc["rows"]}), ("beff.ring.v3", {6}, {6}),
          "each visit has its 6")
    by_size = []
    for row in doc["rows"]:
        times, ends = row["samples"]["time_s"], row["samples"]["visit_end"]
        best_of = [min(times[a:a + 6]) for a in [0, *ends[:-1]]]
        ok(all(b - a >= 6 for a, b in zip([0, *ends], ends)), "a visit has 6 at least", ends)
        equal(row["time_min_s"], median(best_of), "the row has the median of its visits")
        by_size.append([2 * doc["environment"]["nranks"] * row["size_B"] * row["loops"] / t for t in best_of])
    visits = [sum(b) / len(b) for b in zip(*by_size)]
    got = [doc["summary"][name] for name in ("b_eff_Bps", "b_eff_lo_Bps", "b_eff_hi_Bps")]
    ok(all(close_to(a, b, 1e-12) for a, b in zip(got, [median(visits), min(visits), max(visits)])), "b_eff", (got, visits))
    equal(doc["summary"]["b_eff_visits"], 6, "of 6 visits")
    again = json.loads(run("beff", "--from", "r.json", "-f", "json").out)
    equal([again[part] for part in ("definition", "rows", "summary")], [doc[part] for part in ("definition", "rows", "summary")],
          "evaluated again: the same")


@pytest.mark.parametrize("args, definition", ((["--visits", 1], "beff.ring.v2"), (["--rule", "hpcc-fpga"], "beff.ring.hpcc-fpga.v2"),
                                              (["--repetitions", 35], "beff.ring.v2")))
def test_b_eff_of_one_visit_is_as_it_was(args, definition, inside):
    doc = result("beff", "-m", 3, "-u", 20, "--point-time", "50ms", *args)
    equal((doc["definition"], {r["visits"] for r in doc["rows"]}), (definition, {1}), "one visit")
    equal(doc["summary"]["b_eff_Bps"], sum(r["bandwidth_max_Bps"] for r in doc["rows"]) / 4, "the mean over the sizes")
    ok("b_eff_lo_Bps" not in doc["summary"], "without bounds", doc["summary"])


# ---- visits ----

VISITS = ["--visits", 3, "--repetitions", 30, "--ci", 0, "--point-time", 0]


def test_visits_are_in_random_order():
    doc = result("msgrate", "--sizes", "8,64,512,1k", "-l", 5, *VISITS)
    equal([r["size_B"] for r in doc["rows"]], [8, 64, 512, 1024], "rows stand in the order of the plan")
    equal([(r["visits"], r["repetitions"], r["samples"]["visit_end"]) for r in doc["rows"]], [(3, 30, [10, 20, 30])] * 4,
          "all visits count")
    order = doc["summary"]["visit_order"]
    ok(len(order) == 3 and all(sorted(v) == [0, 1, 2, 3] for v in order), "each visit is to all points", order)
    again = result("msgrate", "--sizes", "8,64,512,1k", "-l", 5, *VISITS)
    equal(again["summary"]["visit_order"], order, "the same order by the same seed")
    others = [result("msgrate", "--sizes", "8,64,512,1k", "-l", 5, *VISITS, "--seed", s)["summary"]["visit_order"]
              for s in (2, 3)]
    ok(order not in others, "another by another", others)


def test_visits_that_disagree_are_said(inside):
    """Of fewer than six: the interval is over visits exactly where those of the visits have nothing in common."""
    doc = result("beff", "-m", 5, "-u", 30, *VISITS, "-o", "r.json")
    step = doc["environment"]["timer"]["resolution_s"]
    for row in doc["rows"]:
        t = row["samples"]["time_s"]
        visits = [interval(t[i:i + 10], 0) for i in (0, 10, 20)]
        known = all(m != "none" for m, _, _ in visits)
        agree = known and max(v[1] for v in visits) <= min(v[2] for v in visits)
        want = interval(t, step) if agree else ("none", None, None)
        if known and not agree:
            want = ("visits", min(min(v[1] for v in visits), median(t) - step / 2),
                    max(max(v[2] for v in visits), median(t) + step / 2))
        ok(row["ci_method"] == want[0] and (row["time_lo_s"], row["time_hi_s"]) == want[1:],
           f"{row['size_B']} B: {want[0]}", (row["ci_method"], row["time_lo_s"], row["time_hi_s"], want))
    again = run("beff", "--from", "r.json", "-f", "json")
    equal(json.loads(again.out)["rows"], doc["rows"], "evaluated again: the same rows")


def test_all_that_walks_is_visited_as_often_as_asked_for():
    for args in (["latency", "--sizes", "0,8"], ["bandwidth", "--sizes", "1,8"], ["atlas-1.1", "--load", "none"],
                 ["atlas-1.6", "--algorithm", "binomial", "-n", 4, "--load", "none"],
                 ["atlas-2.1", "--sources", 1, "--sizes", "0,64", "--occupation", 0]):
        done, table = measure(*args, "-l", 5, "--visits", 2, "--repetitions", 4)
        ok(done.rc == 0 and table.rows and all((r["visits"], r["repetitions"]) == (2, 4) for r in table.rows),
           f"{args[0]}: visited twice", done)


def test_visits_are_refused_where_they_have_no_meaning():
    for args in (["latency", "-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"], ["beff", "--rule", "hlrs"]):
        done = run(*args, "--visits", 2)
        ok(one_fault(done, 2, "'--visits'", "no meaning"), f"{args}: refused", done)
    done = run("latency", "--visits", 0)
    ok(done.rc == 2, "not at all", done)


def test_a_time_limit_keeps_visits():
    done, table = measure("msgrate", "--sizes", "8,64,512", "-l", 1000, "--visits", 1000, "--repetitions", 2000,
                          "--time-limit", "300ms")
    rows = [(r["visits"], r["repetitions"]) for r in table.rows]
    ok(done.rc == 0 and table.status == "incomplete" or len(rows) == 3, "the run ended in order", done)
    ok(rows and all(1 <= v < 1000 and v <= n <= 2 * v for v, n in rows), "with what was visited", rows)


def all_points_stand(path):
    """Whether all four points stand in a file, and the first has had two visits."""
    rows = rows_in(path)
    return len(rows) == 4 and rows[0]["visits"] > 1


def rows_in(path):
    """The rows of a result that is being written; none while it cannot be read."""
    with contextlib.suppress(OSError, ValueError):
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["rows"]
    return []


@pytest.mark.slow
@pytest.mark.parametrize("there", (False, True))
def test_a_killed_run_keeps_the_rows_of_the_visits_so_far(inside, there):
    """In its files, which are whole; an older result stays."""
    first = ["latency", "-b", "shm", "--sizes", "8,64,512,4k", "--ci", 0, "--point-time", "1ms", "-q"]
    if there:
        run(*first, "-o", "x.json", "-o", "x.csv")
    path = "x.json.part" if there else "x.json"
    netbench = subprocess.Popen(command([*first[:5], "--ci", 0, "--point-time", "3s", "--repetitions", 10 ** 6, "-q",
                                         "-o", "x.json", "-o", "x.csv"]), stdout=subprocess.DEVNULL)
    ok(until(lambda: all_points_stand(path), 60), "all points stand in the file", rows_in(path))
    netbench.kill()
    netbench.wait()
    doc = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    equal(([r["size_B"] for r in doc["rows"]], doc["status"]), ([8, 64, 512, 4096], "incomplete"), "the rows")
    ok(all(0 < r["visits"] < 6 and r["half_rtt_p50_s"] > 0 for r in doc["rows"]), "with what was visited", doc["rows"])
    text = pathlib.Path(path.replace("json", "csv")).read_text(encoding="utf-8")
    equal([r["size_B"] for r in Csv(text).rows], [8, 64, 512, 4096], "CSV has them too")


@pytest.mark.slow
def test_the_rows_of_the_end_replace_those_of_the_visits_so_far(inside):
    for form in ("json", "csv", "txt"):
        run("latency", "-b", "shm", "--sizes", "8,64,512", "--point-time", "60ms", "-q", "-o", f"x.{form}")
    doc = json.loads(pathlib.Path("x.json").read_text(encoding="utf-8"))
    equal([(r["size_B"], r["visits"]) for r in doc["rows"]], [(8, 6), (64, 6), (512, 6)], "JSON")
    table = Csv(pathlib.Path("x.csv").read_text(encoding="utf-8"))
    equal(([(r["size_B"], r["visits"]) for r in table.rows], table.status), ([(8, 6), (64, 6), (512, 6)], "complete"), "CSV")
    lines = pathlib.Path("x.txt").read_text(encoding="utf-8").split("half rtt")[1].splitlines()[1:4]
    equal([line.split()[0] for line in lines], ["8", "64", "512"], "the table")


def test_a_table_says_whose_interval_it_has(inside):
    head = run("latency", "-b", "shm", "--sizes", 8, "--point-time", "10ms").out
    ok("intervals of this run, by 6 visits" in " ".join(head.split()), "of visits", head)
    head = run("latency", "-b", "shm", "--sizes", 8, "--point-time", "10ms", "--visits", 1).out
    ok("intervals of this run" in " ".join(head.split()) and "by 1" not in head, "of one visit", head)
    ok("interval" not in run("latency", "-b", "sim", "--sizes", 8).out, "there is none in virtual time")


# ---- many points, turns ----

def row_of(size, value, spread, **more):
    return {"size_B": size, "loops": 10, "half_rtt_epoch_s": value, "half_rtt_epoch_lo_s": value * (1 - spread),
            "half_rtt_epoch_hi_s": value * (1 + spread), "half_rtt_p99_s": 3 * value, "repetitions": 50, "errors": 0,
            "stop": "ci", "ci_method": "order statistics", "checked": 0, "time_acf1": 0.0, **more}


def record_of(rows, definition="latency.half-rtt.v2"):
    columns = [{"name": c, "unit": "", "type": "real", "definition": ""} for c in rows[0] if c != "samples"]
    return {"schema": "netbench", "schema_version": 1, "command": "latency", "definition": definition, "computed": False,
            "options": {}, "environment": {"netbench": {"version": "1"}, "time": {"start": "2026"}, "nranks": 2},
            "columns": columns, "rows": rows, "summary": {}, "warnings": [], "status": "complete"}


def compared(place, *records, args=()):
    """(Done, record) of a comparison of records, in turns if there are more than two."""
    names = [f"{i}.json" for i in range(len(records))]
    for name, record in zip(names, records):
        (place / name).write_text(json.dumps(record))
    done = run("compare", *args, *names, "-o", "out.json", cwd=place)
    return done, json.loads((place / "out.json").read_text()) if done.rc in (0, 1, 4) else None


def test_many_points_are_judged_together(inside):
    """
    21 points, one of which leaves out 1 by chance alone: that fails nothing. By (R11), of 31 runs that differ by 1 %: alone a point is
    slower from 2.1 % on, of 21 from 3.5 % on.
    """
    place = pathlib.Path()
    sizes = [2 ** i for i in range(21)]
    limit = ["--fail-if", "slower:1%", *spread(sizes, 0.01)]
    a = record_of([row_of(s, 1.0, 0.01) for s in sizes])
    chance = record_of([row_of(s, 1.03 if i == 7 else 1.0, 0.01) for i, s in enumerate(sizes)])
    done, doc = compared(place, a, chance, args=limit[2:])
    equal((done.rc, doc["summary"]["slower"], doc["summary"]["no_difference_seen"]), (0, 0, 21), "a finding by chance")
    equal(doc["rows"][7]["verdict"], "no difference seen", "is none in its row")
    done, doc = compared(place, record_of(a["rows"][7:8]), record_of(chance["rows"][7:8]), args=limit)
    equal((done.rc, doc["summary"]["slower"]), (4, 1), "alone it stands")
    real = record_of([row_of(s, 1.2 if i == 7 else 1.0, 0.01) for i, s in enumerate(sizes)])
    done, doc = compared(place, a, real, args=limit)
    ok(done.rc == 1 and doc["summary"]["slower"] == 1 and "'size_B 128'" in done.faults[-1], "what is no chance stands", done)


def test_many_points_in_turns_are_judged_together(place):
    """One of 21 that is slower in all of 6 pairs by chance: 2/64 alone, of all it is no finding."""
    rng = random.Random(5)
    signs = [[1] * 6 if p == 7 else rng.sample([1, 1, 1, -1, -1, -1], 6) for p in range(21)]
    records = [record_of([row_of(2 ** p, math.exp(0.01 * side * signs[p][i] * rng.uniform(.9, 1.1)), 0.01) for p in range(21)])
               for i in range(6) for side in (0, 1)]
    done, doc = compared(place, *records, args=["--paired", "--fail-if", "slower:0%"])
    equal((done.rc, doc["summary"]["slower"]), (4, 0), "it may be past the limit or within it")
    done, doc = compared(place, *records, args=["--paired"])
    ok("all points are judged together: a false finding anywhere has a probability of 5 %" in " ".join(done.out.split()), "it is said", done)
    row = doc["rows"][7]
    ok(row["verdict"] == "no difference seen" and row["p_value"] > 0.05 and doc["summary"]["slower"] == 0, "of all", row)
    for r in records:
        r["rows"] = r["rows"][7:8]
    done, doc = compared(place, *records, args=["--paired", "--fail-if", "slower:0%"])
    row = doc["rows"][0]
    equal((row["verdict"], row["p_value"]), ("slower", 2 / 64), "alone")


def test_definitions_are_not_mixed(place):
    new, old = record_of([row_of(8, 1.0, 0.01)]), record_of([row_of(8, 1.0, 0.01)], "latency.half-rtt.v1")
    done, _ = compared(place, new, old)
    ok(one_fault(done, 2, "another definition", "half-rtt.v1", "half-rtt.v2"), "two", done)
    done, _ = compared(place, *[new] * 5, old, args=["--paired"])
    ok(one_fault(done, 2, "another definition", "'5.json'"), "in turns", done)


def turns(n, factor, drift=0.1, noise=0.005, seed=1):
    """A, B, A, B, ... of a machine that gets slower all the while."""
    rng = random.Random(seed)
    return [record_of([row_of(8, (factor if i % 2 else 1) * (1 + drift * (i // 2)) * math.exp(noise * rng.gauss(0, 1)), 0.3)])
            for i in range(2 * n)]


def test_turns_leave_out_drift(place):
    done, doc = compared(place, *turns(10, 1.05), args=["--paired", "--fail-if", "slower:3%"])
    row = doc["rows"][0]
    ok(done.rc == 1 and row["method"] == "blocks" and row["verdict"] == "slower" and
       1.04 < row["ratio_lo"] < row["ratio"] < row["ratio_hi"] < 1.07, "5 % are found under 10 % of drift a turn", row)
    ok(close_to(row["p_value"], 2 / 2 ** 10), "p by all signs of blocks", row["p_value"])
    equal(len(doc["environment"]["later"]), 9, "the record names all files")
    done, doc = compared(place, *turns(10, 1.0, drift=0.2, seed=3), args=["--paired"])
    equal((done.rc, doc["rows"][0]["verdict"]), (0, "no difference seen"), "drift alone is no difference")
    done, doc = compared(place, *turns(10, 1.05), args=["--paired", "--measure", "half_rtt_p99_s"])
    equal(doc["rows"][0]["verdict"], "slower", "of a percentile as well")


def test_turns_that_are_too_few(place):
    done, doc = compared(place, *turns(5, 1.05), args=["--paired"])
    row = doc["rows"][0]
    equal((row["verdict"], row["ratio_lo"], row["remark"]), (None, None, "no interval: 5 pairs, of 6 that are needed"),
          "5 have no interval")
    ok(1.03 < row["ratio"] < 1.07, "but a ratio", row)
    records = turns(8, 1.05)
    records[5]["rows"][0]["errors"] = 1
    done, doc = compared(place, *records, args=["--paired"])
    equal((doc["rows"][0]["verdict"], doc["rows"][0]["remark"]), ("slower", "7 of 8 pairs"), "one that is wrong is left out")
    for k in (3, 7, 9):
        records[k]["rows"][0]["half_rtt_epoch_s"] = None
    done, doc = compared(place, *records, args=["--paired"])
    equal((doc["rows"][0]["verdict"], doc["rows"][0]["remark"]), (None, "no interval: 4 pairs, of 6 that are needed"), "those with a value count")
    for n, args in ((3, ["--paired"]), (1, ["--paired"]), (1, [])):
        done, _ = compared(place, *turns(4, 1.0)[:n], args=args)
        ok(done.rc == 2 and len(done.faults) == 1 and f"{n} file" in done.faults[0], f"{n} files: refused", done)


def test_visits_that_disagree_are_compared_by_bounds(place):
    rng = random.Random(7)
    times = [20 * math.exp(0.01 * rng.gauss(0, 1)) for _ in range(60)]
    rows = [row_of(8, 1.0, 0.2, ci_method=m, samples={"time_s": times}) for m in ("visits", "order statistics")]
    methods = [compared(place, *[record_of([r])] * 2)[1]["rows"][0]["method"] for r in rows]
    equal(methods[0], "intervals", "their samples are of several states")
    ok(methods[1] in ("bootstrap", "epochs"), "others are drawn from", methods)


def test_points_that_were_interrupted(inside):
    """What keeps a rank from its processor most of the time, here by stopping all ranks, is said by the row from its own numbers."""
    netbench = subprocess.Popen(command(["latency", "-b", "shm", "--sizes", 8, "--loops", 50000, "--repetitions", 6, "-f", "json"]),
                                stdout=subprocess.PIPE, text=True)
    children = pathlib.Path(f"/proc/{netbench.pid}/task/{netbench.pid}/children")
    while netbench.poll() is None:
        for sign, seconds in ((signal.SIGSTOP, 30e-3), (signal.SIGCONT, 5e-3)):
            for rank in children.read_text().split() if children.exists() else []:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(rank), sign)
            time.sleep(seconds)
    rows = json.loads(netbench.stdout.read())["rows"]
    equal([r["disturbance"] for r in rows],
          ["interrupted" if 1 - r["half_rtt_p50_s"] / r["half_rtt_mean_s"] > .1 else None for r in rows], "by median and mean")
    ok(any(r["disturbance"] for r in rows), "some are", [(r["half_rtt_mean_s"], r["half_rtt_p50_s"]) for r in rows])
    rows = json.loads(run("latency", "-b", "sim", "-f", "json").out)["rows"]
    equal([r["disturbance"] for r in rows if r["disturbance"]], [], "none in virtual time")


def test_the_mean_holds_all_time_and_stalled_is_its_share_beyond_the_median(inside):
    rows = json.loads(run("latency", "-b", "shm", "--sizes", "8,1k", "--point-time", "30ms", "-f", "json").out)["rows"]
    for r in rows:
        times = r["samples"]["time_s"]
        ok(close_to(r["half_rtt_mean_s"], sum(times) / (2 * r["loops"] * len(times)), 1e-12), "all time over all round trips", r)
        ok(close_to(r["stalled"], max(0, 1 - r["half_rtt_p50_s"] / r["half_rtt_mean_s"]), 1e-9), "by median and mean", r)


@pytest.mark.parametrize("sizes, kept", ((1000, True), (1001, False)))
def test_json_keeps_the_times_of_repetitions_up_to_a_thousand_rows(inside, sizes, kept):
    """Above that with --samples alone."""
    sizes = ",".join(map(str, range(sizes)))
    rows = json.loads(run("msgrate", "-b", "sim", "--sizes", sizes, "--window", 1, "-f", "json").out)["rows"]
    equal({r.get("samples") == {"time_s": [r["time_s"]]} for r in rows}, {kept}, "times")
    if not kept:
        rows = json.loads(run("msgrate", "-b", "sim", "--sizes", sizes, "--window", 1, "--samples", "-f", "json").out)["rows"]
        equal({"time_s" in r["samples"] for r in rows}, {True}, "with --samples")


def test_a_result_with_former_names_of_columns_is_read_by_todays(inside):
    """Cells, bounds, samples, and the names that options take."""
    run("latency", "-b", "shm", "--sizes", "8,64", "--point-time", "30ms", "-o", "new.json", "-o", "new.csv")
    for name in ("new.json", "new.csv"):
        with open(name, encoding="utf-8") as f:
            text = f.read()
        with open(name.replace("new", "old"), "w", encoding="utf-8") as f:
            f.write(text.replace("half_rtt_epoch_", "half_rtt_"))
    for old in ("old.json", "old.csv"):
        done = run("compare", old, "new.json", "--measure", "half_rtt_s", "-f", "json")
        doc = json.loads(done.out)
        equal((doc["summary"]["measure"], [r["ratio"] for r in doc["rows"]]), ("half_rtt_epoch_s", [1, 1]), f"{old}: compare, {done}")
        for measure in ("half_rtt_s", "half_rtt_epoch_s"):
            done = run("plot", "--script", old, "--column", measure)
            ok(done.rc == 0 and "half round trip (mean of many)" in done.out, f"{old}: plot", done)
        done = run("merge", old, "new.json", "-f", "csv")
        equal([c for c in done.out.splitlines()[0].split(",") if "half_rtt_" in c and "epoch" in c],
              ["half_rtt_epoch_s", "half_rtt_epoch_lo_s", "half_rtt_epoch_hi_s"], "merge")
        ok("half_rtt_s" not in done.out, "merge knows one name", done)
    done = run("explain", "half_rtt_s")
    ok(done.out.startswith("half_rtt_epoch_s"), "explain", done)
