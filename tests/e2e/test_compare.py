# SPDX-License-Identifier: Apache-2.0
"""netbench compare: exact ratios of computed results, intervals and bootstraps of made-up ones, what else differs, what it
writes. How several runs are judged is in test_compare_runs.py."""
import json
import math
import random

import pytest
from made_up import compare, counts, load, record_of, row_of, spread, two, write
from netbench import Csv, OF_RUN, close_to, equal, named, number, of_point, ok, run

SLOW_NET, FAST_NET = "L=3us,o=1us,g=2us,G=1ns", "L=1us,o=200ns,g=300ns,G=0.1ns"
SIM = ["-b", "sim", "--sim"]

# Commands and options, the measure that they are compared by, and whether more of it is better.
COMMANDS = [
    (["latency", "--sizes", "0,8,64k"], "half_rtt_p50_s", False),
    (["msgrate", "--sizes", "8,64", "--window", "1,16"], "rate_msgps", True),
    (["bandwidth", "--sizes", "8,64k", "--window", "1,16"], "bandwidth_Bps", True),
    (["beff", "-m", "4"], "bandwidth_Bps", True),
    (["beff", "-m", "4", "-n", "4", "--rule", "hlrs"], "pattern_bandwidth_Bps", True),
    (["atlas-1.1"], "event_s", False),
    (["atlas-1.4", "-n", "4,6"], "event_s", False),
    (["atlas-1.6", "-n", "3,5", "--algorithm", "linear,binomial"], "event_s", False),
    (["atlas-2.1", "-n", "8"], "frequency_Hz", True),
    (["atlas-2.3", "-n", "12"], "frequency_Hz", True),
    (["atlas-all", "-n", "14", "--sizes", "0,1k"], "event_s", False),
]

ONE_RUN = "one run of each: no verdict"


pytestmark = pytest.mark.usefixtures("inside")


# ---- computed results ----

def check_exact(name, text, a, b, measure, rate):
    """Every row of A, its ratio that of the values in the files."""
    values = [[r[measure] for r in x["rows"]] for x in (a, b)]
    rows = [(r, va, vb) for r, va, vb in zip(text.rows, *values) if va is not None]
    ok(rows and all(close_to(r["ratio"], vb / va, 1e-15) and r["ratio_lo"] == r["ratio"] == r["ratio_hi"]
                    for r, va, vb in rows), f"{name}: ratios are those of the values", rows[:3])
    ok(all(r["method"] == "exact" and r["remark"] is None for r, _, _ in rows), f"{name}: they are exact")
    want = ["slower" if (vb < va if rate else vb > va) else "faster" for _, va, vb in rows]
    equal([r["verdict"] for r, _, _ in rows], want, f"{name}: verdicts")
    equal(len(text.rows), len(a["rows"]), f"{name}: no point is left out")
    equal((text.one("computed"), text.one("summary.measure")), ("true", measure), f"{name}: what was compared")
    by = sorted((1 / r["ratio"] if rate else r["ratio"]) for r, _, _ in rows)
    worst, median = text.one("summary.worst_point.ratio"), text.one("summary.median_point.ratio")
    equal((1 / worst if rate else worst, 1 / median if rate else median), (by[-1], by[(len(by) - 1) // 2]),
          f"{name}: the worst point and that in the middle")


@pytest.mark.parametrize("args, measure, rate", named(COMMANDS))
def test_computed_results_are_compared_exactly(args, measure, rate):
    for name, net in (("a.json", FAST_NET), ("b.json", SLOW_NET)):
        done = run(*args, *SIM, net, "-o", name)
        ok(done.rc == 0, f"made: {done.args}", done)
    a, b = load("a.json"), load("b.json")
    done, text = compare()
    ok(done.rc == 0 and not done.faults, f"{args[0]}: compared", done)
    check_exact(args[0], text, a, b, measure, rate)
    done, text = compare(a="b.json", b="a.json")
    check_exact(f"{args[0]}, reversed", text, b, a, measure, rate)
    done, text = compare(b="a.json")
    ok(done.rc == 0 and not done.faults and
       {r["verdict"] for r in text.rows if r["ratio"]} == {"no difference seen"}, f"{args[0]}: with itself", done)


@pytest.mark.parametrize("more, ratio, found", (
    ([], 1.0, (0, 0, 5, 0, 0, 0)), (["--measure", "bandwidth_model_Bps"], 2.0, (5, 0, 0, 0, 0, 0))),
    ids=("time-of-a-message", "another-measure"))
def test_two_models_are_compared_by_their_ratio(more, ratio, found):
    for name, cards in (("a.json", 1), ("b.json", 2)):
        run("model", "--board", "520n", "-n", cards, "-m", "4", "-o", name)
    done, text = compare(*more)
    equal(([r["ratio"] for r in text.rows], counts(text)), ([ratio] * 5, found), f"model {more}")


def test_models_in_cycles_are_compared():
    for name, latency in (("a.json", 6), ("b.json", 12)):
        run("model", "--logp", f"L={latency},o=2,g=4,P=8", "-o", name)
    a, b = load("a.json"), load("b.json")
    done, text = compare()
    check_exact("LogP in cycles", text, a, b, "model_cycles", False)
    ok(done.rc == 0 and all(r["value_a_cycles"] < r["value_b_cycles"] for r in text.rows),
       "LogP in cycles: whatever k is the best", done)


@pytest.fixture
def unmatched(inside):
    """Two results that have two points in common."""
    for name, sizes, windows in (("a.json", "8,16,32", "1,4"), ("b.json", "16,32,64", "4,8")):
        run("msgrate", *SIM, FAST_NET, "--sizes", sizes, "--window", windows, "-o", name)


def test_points_of_one_file_only_are_rows_with_a_remark(unmatched):
    done, text = compare()
    got = [(r["size_B"], r["window"], r["remark"], r["verdict"]) for r in text.rows]
    want = [(s, w, None if s > 8 and w == 4 else "only in A", "no difference seen" if s > 8 and w == 4 else None)
            for w in (1, 4) for s in (8, 16, 32)]
    want += [(s, w, "only in B", None) for w in (4, 8) for s in (16, 32, 64) if (s, w) not in ((16, 4), (32, 4))]
    equal(sorted(got, key=str), sorted(want, key=str), "points of one file only are rows with a remark")
    equal([r["remark"] for r in text.rows], sorted([r["remark"] for r in text.rows], key=lambda x: x == "only in B"),
          "those of B come last")
    equal((done.rc, counts(text)), (0, (0, 0, 2, 0, 4, 4)), "they are counted")
    ok(all((r["value_a_msgps"] is None) == (r["remark"] == "only in B") for r in text.rows), "with the value there is")


def test_results_without_a_common_point_have_no_verdict(unmatched):
    run("msgrate", *SIM, FAST_NET, "--sizes", "7", "-o", "c.json")
    done, text = compare(b="c.json")
    ok(done.rc == 4 and done.faults == ["netbench: no verdict: no point of 'a.json' is in 'c.json'"] and len(text.rows) == 7,
       "nothing in common", done)


# ---- made-up results ----

def median(x):
    s = sorted(x)
    return (s[len(s) // 2] + s[(len(s) - 1) // 2]) / 2


def drawn(rng, n, scale=1.0, sigma=0.05, rho=0.0):
    z, out = rng.gauss(0, 1), []
    for _ in range(n):
        z = rho * z + math.sqrt(1 - rho * rho) * rng.gauss(0, 1)
        out.append(scale * 1e-6 * math.exp(sigma * z))
    return out


def test_intervals_of_one_run_of_each():
    """The bounds of the ratio are from theirs. They give no verdict; the spread of runs does."""
    base = (10.0, (9.0, 11.0))
    # slower or faster from 24.0 % on, by the spread: t(1 - .025/6, 20) is 2.927
    cases = [(13.0, (12.0, 14.0), "slower"), (7.0, (6.5, 8.0), "faster"), (10.0, (9.0, 11.0), "no difference seen"),
             (12.0, (10.9, 13.0), "no difference seen"), (8.0, (7.0, 9.1), "no difference seen"),
             (12.0, (11.0, 13.0), "no difference seen")]
    a = [row_of(i, base[0], interval=base[1]) for i in range(len(cases))]
    b = [row_of(i, v, interval=x) for i, (v, x, _) in enumerate(cases)]
    done, text = two(a, b)
    ok(done.rc == 0 and not done.err, "intervals: compared", done)
    equal({(r["verdict"], r["remark"]) for r in text.rows}, {(None, ONE_RUN)}, "intervals: no verdicts")
    want = [(v / 10, lo / 11, hi / 9) for v, (lo, hi), _ in cases]
    ok(all(close_to(r["ratio"], w[0]) and close_to(r["ratio_lo"], w[1]) and close_to(r["ratio_hi"], w[2])
           for r, w in zip(text.rows, want)), "intervals: bounds", text.rows)
    equal({r["method"] for r in text.rows}, {"intervals"}, "intervals: the method is said")
    equal((text.one("summary.worst_point.point"), text.one("summary.median_point.point")), ("size_B 0", "size_B 2"),
          "intervals: points are named")
    done, text = compare(*spread(range(len(cases)), 0.082))
    equal([(r["verdict"], r["method"], r["remark"]) for r in text.rows], [(c[2], "spread", None) for c in cases], "by the spread of runs")


def test_a_rate_whose_interval_is_that_of_the_time():
    def rows(rate, time, lo, hi):
        return [{"size_B": 8, "loops": 1, "bandwidth_Bps": rate, "time_s": time, "time_lo_s": lo, "time_hi_s": hi}]

    names = ["size_B", "loops", "time_s", "time_lo_s", "time_hi_s", "bandwidth_Bps"]
    more = {"command": "beff", "definition": "beff.ring.v1", "columns": [{"name": n} for n in names]}
    write("a.json", record_of(rows(100.0, 4.0, 3.9, 4.2), **more))
    write("b.json", record_of(rows(50.0, 8.0, 7.6, 8.8), **more))
    done, text = compare()
    r = text.rows[0]
    ok(r["ratio"] == 0.5 and close_to(r["ratio_lo"], 3.9 / 8.8) and close_to(r["ratio_hi"], 4.2 / 7.6) and
       r["remark"] == ONE_RUN, "a rate by the interval of the time", done)
    equal(compare(*spread([8], measure="bandwidth_Bps"))[1].rows[0]["verdict"], "slower", "half of a rate")
    by_time = ["--measure", "time_s", *spread([8], measure="time_s")]
    done, text = compare(*by_time)
    equal((text.rows[0]["ratio"], text.rows[0]["verdict"]), (2.0, "slower"), "times of rounds of as many loops")
    write("b.json", record_of([{**rows(50.0, 8.0, 7.6, 8.8)[0], "loops": 2}], **more))
    done, text = compare(*by_time)
    equal((text.rows[0]["ratio"], text.rows[0]["remark"]), (None, "of rounds of 1 and 2 loops"), "and of others")


@pytest.mark.parametrize("measure", ("rate_msgps", "pair_rate_msgps"))
def test_bounds_of_a_rate_are_from_the_opposite_bounds_of_the_time(measure):
    names = ["size_B", "rate_msgps", "rate_lo_msgps", "rate_hi_msgps", "pair_rate_msgps"]
    more = {"command": "msgrate", "definition": "msgrate.window-reply.v1", "columns": [{"name": n} for n in names]}
    for name, values in (("a.json", (8, 100, 80, 110, 50)), ("b.json", (8, 150, 149, 160, 75))):
        write(name, record_of([dict(zip(names, values))], **more))
    done, text = compare("--measure", measure)
    r = text.rows[0]
    ok(close_to(r["ratio_lo"], 149 / 110) and close_to(r["ratio_hi"], 160 / 80),
       f"bounds of rates: {measure}", done)
    done, text = compare("--measure", measure, *spread([8], measure=measure))
    equal((text.rows[0]["ratio"], text.rows[0]["verdict"]), (1.5, "faster"), "more is faster")


# A column that says which point it is, and two values of it.
POINTS = [
    ("size_B", (8, 9)), ("window", (1, 2)), ("batch", (1, 2)), ("pairs", (1, 2)), ("ranks", (2, 4)), ("sources", (3, 4)),
    ("stages", (1, 2)), ("destinations", (1, 2)), ("credits", (8, 9)), ("pattern", ("ring 2", "ring 4")), ("messages", (1, 9)),
    ("layout", ("block", "cyclic")), ("point_B", (8, 16)), ("receiver", (1, 2)), ("occupation_s", (0.0, 5e-5)),
    ("benchmark", ("1.1", "1.2")), ("peers", ("1", "2")), ("load", ("none", "both")), ("algorithm", ("linear", "binary")),
]


@pytest.mark.parametrize("key, values", named(POINTS))
def test_points_are_told_apart_by(key, values):
    rows = [{"size_B": 8, key: v, "event_s": t} for v, t in zip(values, (1.0, 3.0))]
    more = {"computed": True, "columns": [{"name": n} for n in {"size_B": 0, key: 0, "event_s": 0}]}
    write("a.json", record_of(rows, **more))
    write("b.json", record_of(rows[::-1], **more))
    done, text = compare()
    equal(([(r.get(key), r["ratio"]) for r in text.rows], done.err),
          ([(number(str(v)), 1.0) for v in values], ""), f"points differ in {key}")


def test_intervals_of_ratios_come_from_a_bootstrap():
    rng = random.Random(4)
    scales = [1, 1.1, 0.9, 1, 1.5, 0.5]
    sets = [(drawn(rng, 60), drawn(rng, 80, s)) for s in scales]
    a = [row_of(i, median(x), x) for i, (x, _) in enumerate(sets)]
    b = [row_of(i, median(x), x) for i, (_, x) in enumerate(sets)]
    done, text = two(a, b)
    ok(done.rc == 0 and {r["method"] for r in text.rows} <= {"bootstrap", "epochs"}, "bootstrap: compared", done)
    apart = [(r["ratio_lo"] > 1) - (r["ratio_hi"] < 1) for r in text.rows]
    equal([apart[i] for i in (1, 2, 4, 5)], [1, -1] * 2, "bootstrap: differences are beyond the interval")
    equal({(r["verdict"], r["remark"]) for r in text.rows}, {(None, ONE_RUN)}, "bootstrap: of one run there is no verdict")
    judged = [r["verdict"] for r in compare(*spread(range(len(scales))))[1].rows]
    equal([judged[i] for i in (1, 2, 4, 5)], ["slower", "faster"] * 2, "bootstrap: by the spread there is")
    ok(all(r["ratio_lo"] <= r["ratio"] <= r["ratio_hi"] and 1 < r["ratio_hi"] / r["ratio_lo"] < 1.15
           for r in text.rows), "bootstrap: intervals around the ratio, as wide as the scatter lets expect", text.rows)
    equal(compare()[1].rows, text.rows, "bootstrap: the same each time")
    done, text = compare(b="a.json")
    ok({r["ratio"] for r in text.rows} == {1.0} and all(r["ratio_lo"] < 1 < r["ratio_hi"] for r in text.rows), "bootstrap: with itself", done)
    equal({r["verdict"] for r in compare(*spread(range(len(scales))), b="a.json")[1].rows}, {"no difference seen"}, "and by the spread")
    del a[0]["samples"]
    a[0].update(half_rtt_epoch_lo_s=0.9 * a[0]["half_rtt_epoch_s"], half_rtt_epoch_hi_s=1.1 * a[0]["half_rtt_epoch_s"])
    b[0].update(half_rtt_epoch_lo_s=0.9 * b[0]["half_rtt_epoch_s"], half_rtt_epoch_hi_s=1.1 * b[0]["half_rtt_epoch_s"])
    done, text = two(a, b)
    equal(text.rows[0]["method"], "intervals", "samples of one file alone are of no use")


def test_dependent_repetitions_have_wider_intervals():
    """And it is said."""
    rng = random.Random(5)
    x, y, z = drawn(rng, 400, rho=0.8), drawn(rng, 400, rho=0.8), drawn(rng, 10, rho=0.99)
    alone = [median(x), median(y)]
    done, text = two([row_of(8, alone[0], x)], [row_of(8, alone[1], y)])
    wide = text.rows[0]
    equal(wide["method"], "epochs", "dependent repetitions: the method")
    rng.shuffle(x)
    rng.shuffle(y)
    done, text = two([row_of(8, alone[0], x)], [row_of(8, alone[1], y)])
    narrow = text.rows[0]
    ok(narrow["method"] == "bootstrap" and wide["ratio"] == narrow["ratio"] and
       wide["ratio_hi"] / wide["ratio_lo"] - 1 > 2 * (narrow["ratio_hi"] / narrow["ratio_lo"] - 1),
       "dependent repetitions: the interval", (wide, narrow))
    few = row_of(8, median(z), sorted(z), (min(z), max(z)), time_acf1=0.6)
    done, text = two([few], [few])
    ok(text.rows[0]["method"] is None and text.rows[0]["ratio_lo"] is None and not done.err and
       text.rows[0]["remark"] == "no interval in A: repetitions depend on one another, and are too few for epochs",
       "too few for epochs: no interval, and it is said", done)
    del few["samples"]
    done, text = two([few], [few])
    ok(text.rows[0]["method"] == "intervals" and "are correlated" in done.err and len(done.warnings) == 1,
       "an old result without samples: intervals, and a warning", done)


def test_a_computed_result_is_exact_beside_a_measured_one():
    """The latter is exact."""
    exact = record_of([row_of(8, 2.0), row_of(16, 1.0), row_of(32, 1.0)], computed=True)
    rng = random.Random(6)
    x = [1e6 * v for v in drawn(rng, 50)]
    write("b.json", exact)
    write("a.json", record_of([row_of(8, 1.0, interval=(0.9, 1.2)), row_of(16, 1.0, interval=(0.9, 1.2)),
                                      row_of(32, median(x), x)]))
    done, text = compare()
    got = [(r["verdict"], r["method"]) for r in text.rows]
    equal((got[0], got[1][0]), ((None, "intervals"), None), "measured against computed: one run")
    equal([r["verdict"] for r in compare(*spread([8, 16]))[1].rows[:2]], ["slower", "no difference seen"], "measured against computed")
    ok(close_to(text.rows[0]["ratio_lo"], 2 / 1.2) and close_to(text.rows[0]["ratio_hi"], 2 / 0.9),
       "with the interval of the one", text.rows[0])
    ok(got[2][1] in ("bootstrap", "epochs"), "or its bootstrap", got)
    equal(text.meta["warning"], ["B is computed, A is measured"], "and said")
    equal(text.one("computed"), "false", "not taken for computed")


def test_points_without_a_verdict_are_listed_and_counted():
    good = row_of(0, 1.0, interval=(0.9, 1.1))
    cases = [
        (row_of(1, 1.0), good, "no interval in A: repetitions are too few or not kept"),
        (good, row_of(1, 1.0), "no interval in B: repetitions are too few or not kept"),
        (row_of(1, 1.0, [1.0] * 5), row_of(1, 1.0, [1.0] * 9), "no interval in A: repetitions are too few or not kept"),
        (row_of(1, None, note="n/a: 3\x1b[1m"), good, "no value in A: n/a: 3?[1m"),
        (good, row_of(1, None), "no value in B"),
        (good, row_of(1, 0.0), "no value in B"),
        (good, row_of(1, "much"), "no value in B"),
        ({**good, "errors": 3}, good, "wrong content in A"),
        (good, {**good, "errors": 1}, "wrong content in B"),
    ]
    for i, (a, b, _) in enumerate(cases):
        cases[i] = ({**a, "size_B": i}, {**b, "size_B": i}, cases[i][2])
    done, text = two([c[0] for c in cases], [c[1] for c in cases])
    equal([r["remark"] for r in text.rows], [c[2] for c in cases], "no verdict: why")
    equal((done.rc, counts(text), {r["verdict"] for r in text.rows}), (0, (0, 0, 0, len(cases), 0, 0), {None}),
          "no verdict: they are counted")
    done, text = compare("--measure", "half_rtt_p99_s", "--fail-if", "slower:5%")
    equal((done.rc, done.faults),
          (4, ["netbench: no verdict: no value in 'b.json' (3 of 9 points); its column 'note' says why"]), "no verdict: a limit cannot be kept")
    equal({r["remark"] for r in text.rows if r["ratio"]}, {"half_rtt_p99_s has no interval"}, "no verdict: a quantile")


@pytest.mark.parametrize("fail_if, rc, known", [("", 0, 0), ("slower:5%", 1, 1), ("slower:50%", 4, 0), ("faster:5%", 1, 1)])
def test_each_point_is_a_finding(fail_if, rc, known):
    """By the spread of runs, which is not known of the last point: under --fail-if that is a finding as well."""
    a = [row_of(0, 1.0, interval=(0.99, 1.01)), row_of(1, 1.0, interval=(0.99, 1.01)), row_of(2, 1.0, interval=(0.9, 1.1)),
         row_of(3, 1.0), row_of(4, 1.0)]
    b = [row_of(0, 1.25, interval=(1.24, 1.26)), row_of(1, 0.8, interval=(0.79, 0.81)), row_of(2, 1.0, interval=(0.9, 1.1)),
         row_of(3, 1.0)]
    write("a.json", record_of(a))
    write("b.json", record_of(b))
    limit = ["--fail-if", fail_if] if fail_if else []
    done = run("compare", "a.json", "b.json", *spread(range(3), 0.01), *limit, "-o", "c.json")
    found = load("c.json")["summary"]["findings"]
    equal(done.rc, rc, "exit status")
    if fail_if:
        equal([(f["kind"], f["verdict"], f["why"]) for f in found[:1]],
              [("difference", "cannot tell", "1 of 4 points may be past the limit or within it")], "of the whole")
        found = found[1:]
    equal([(f["kind"], f["subject"], f["verdict"], f["why"]) for f in found],
          [("slower", "size_B 0", "yes", ""), ("faster", "size_B 1", "yes", ""), ("difference", "size_B 2", "no", ""),
           ("difference", "size_B 3", "cannot tell", "no spread of this point")], "findings")
    ok(all(close_to(f["effect"], e, 1e-9) for f, e in zip(found, (0.25, 0.25, 0, 0))), "by how much", found)
    ok(all(f["lo"] < f["effect"] < f["hi"] for f in found[:3]) and found[3]["lo"] is None, "their intervals", found)
    equal(found[0]["evidence"], {"file": "b.json", "method": "spread", "p_value": None}, "of which file, and by what")
    ok("summary.findings" not in run("compare", "a.json", "b.json", "-f", "csv").out, "not in CSV")
    if fail_if:
        equal(run("compare", "a.json", "b.json", *spread(range(4), 0.01), *limit).rc, known, "with the spread of the last point")


def test_findings_of_one_run_of_each_are_open():
    """They keep the interval within the runs."""
    two([row_of(0, 1.0, interval=(0.99, 1.01)), row_of(1, 1.0)], [row_of(0, 1.25, interval=(1.24, 1.26)), row_of(1, 1.0)], "-o", "c.json")
    found = load("c.json")["summary"]["findings"]
    equal([(f["kind"], f["verdict"], f["why"]) for f in found],
          [("difference", "cannot tell", ONE_RUN), ("difference", "cannot tell", "no interval in A: repetitions are too few or not kept")], "findings")
    ok(close_to(found[0]["lo"], 1.24 / 1.01 - 1) and close_to(found[0]["hi"], 1.26 / 0.99 - 1) and found[1]["lo"] is None, "intervals", found)
    ok("within these runs" in found[0]["text"], "the sentence says that", found[0])


def test_of_several_files_one_without_a_point_has_a_finding():
    for name, size in (("a.json", 1), ("b.json", 1), ("c.json", 2)):
        write(name, record_of([row_of(size, 1.0, interval=(0.9, 1.1))]))
    done = run("compare", "a.json", "b.json", "c.json", *spread([1]), "-o", "d.json")
    found = load("d.json")["summary"]["findings"]
    equal((done.rc, [(f["verdict"], f["why"]) for f in found]),
          (4, [("cannot tell", "no point of 'a.json' is in 'c.json'"), ("no", "")]), "findings")


def test_rows_that_are_alike_are_taken_in_their_order():
    rows = [row_of(8, v, interval=(0.99 * v, 1.01 * v)) for v in (1.0, 2.0, 4.0)]
    done, text = two(rows, rows[:2])
    equal([(r["ratio"], r["remark"]) for r in text.rows], [(1, ONE_RUN), (1, ONE_RUN), (None, "only in A")],
          "rows that are alike are taken in their order")
    ok(len(done.warnings) == 1 and "3 rows are of the same point" in done.err, "and it is said", done)


def test_whole_numbers_are_the_same_with_a_point():
    row = row_of(8, 1.0, interval=(0.99, 1.01))
    done, text = two([row], [{**row, "size_B": 8.0}], *spread([8]))
    equal(text.one("summary.no_difference_seen"), 1, "8 and 8.0 are the same size")


# ---- what differs besides ----

def changed(record, path, value):
    new = json.loads(json.dumps(record))
    at = new
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return new


def alone():
    """A result of one row."""
    return record_of([row_of(8, 1.0, interval=(0.9, 1.1))])


@pytest.mark.parametrize("path, value, want", named((
    (["environment", "host", "kernel"], "l", "different host: kernel 'k', 'l'"),
    (["environment", "cpu", "model"], "n", "different cpu: model 'm', 'n'"),
    (["environment", "cpu", "model"], None, "different cpu: model 'm', unknown"),
    (["environment", "netbench", "version"], "2", "different netbench: version '1', '2'"),
    (["environment", "backend", "name"], "tcp", "different backend: name 'shm', 'tcp'"),
    (["environment", "timer", "name"], "raw", "different timer: name 'tsc', 'raw'"),
    (["environment", "nranks"], 4, "different nranks: 2, 4"),
    (["environment", "ranks", 1, "bound"], 3, "different ranks: 1.bound 1, 3"),
    (["environment", "ranks", 1, "host"], "beta", "different ranks: 1.host 'alpha', 'beta'"),
    (["options", "ci"], 0.1, "different options: ci 5.0, 0.1"),
    (["options", "sizes"], [8, 16], "different options: sizes [8], [8,16]"),
    (["status"], "interrupted", "B is not complete: its status is 'interrupted'"),
    (["warnings"], ["others used 1 core"], "B: others used 1 core"))))
def test_a_difference_in_environment_or_options_is_warned_of(path, value, want):
    write("a.json", alone())
    write("b.json", changed(alone(), path, value))
    done, text = compare()
    equal((done.err, text.meta.get("warning")), (f"netbench: warning: {want}\n", [want]), f"warned of: {want}")


def test_how_a_table_is_shown_is_no_difference():
    for name, wide in (("a.json", False), ("b.json", True)):
        write(name, changed(alone(), ["options", "wide"], wide))
    equal(compare()[0].err, "", "--wide")


@pytest.mark.parametrize("path, value", named((
    (["environment", "time", "start"], "2027"), (["environment", "load", "average_1min"], 9.0),
    (["environment", "netbench", "command_line"], "y"), (["environment", "ranks", 0, "pid"], 99),
    (["environment", "ranks", 0, "cpu"], 5), (["options", "output"], ["y", "z"]),
    (["environment", "host", "new"], "x"), (["options", "new"], 3))))
def test_what_does_not_matter_is_not_warned_of(path, value):
    write("a.json", alone())
    write("b.json", changed(alone(), path, value))
    done, text = compare()
    equal((done.err, len(text.rows)), ("", 1), f"not warned of: {'.'.join(map(str, path))}")


def test_each_difference_is_said_once():
    write("a.json", alone())
    new = changed(alone(), ["environment", "host", "name"], "beta")
    for i in (0, 1):
        new = changed(new, ["environment", "ranks", i, "host"], "beta")
    write("b.json", changed(new, ["environment", "host", "kernel"], "l"))
    done, text = compare()
    equal(done.warnings, ["netbench: warning: different host: name 'alpha', 'beta'; kernel 'k', 'l'"],
          "each difference once")
    done = run("compare", "a.json", "b.json", "-q", "-o", "c.json")
    new = load("c.json")
    equal((done.err, new["environment"]["differences"]),
          ("", {"host.name": ["alpha", "beta"], "host.kernel": ["k", "l"]}), "with -q it is in the record alone")
    equal((new["environment"]["a"]["file"], new["environment"]["b"]["file"], new["environment"]["command"]),
          ("a.json", "b.json", "latency"), "the record names the files")


# ---- all the rest ----

def test_table_csv_json_and_report_have_the_same_rows():
    rows = [row_of(8, 1e-6, interval=(0.9e-6, 1.1e-6)), row_of(16, 2e-6, interval=(1.9e-6, 2.1e-6))]
    two(rows, [row_of(8, 2e-6, interval=(1.9e-6, 2.1e-6)), rows[1]])
    done = run("compare", "a.json", "b.json", *spread([8, 16]), "-o", "x.json", "-o", "x.csv", "-o", "x.txt")
    with open("x.txt") as f:
        equal(f.read(), done.out, "the same table in a file")
    words = ("1.000 us", "2.000 us", "slower", "no difference seen", "A = a.json", "median point: size_B 16",
             "worst point: size_B 8", "1 slower")
    ok(all(w in done.out for w in words) and "mean" not in done.out, "the table", done)
    record = load("x.json")
    with open("x.csv") as f:
        text = Csv(f.read())
    equal(text.rows, list(map(of_point, record["rows"])), "CSV and JSON have the same rows")
    equal([c["name"] for c in record["columns"]], text.columns + OF_RUN, "and columns")
    known = run("explain", *text.columns)
    ok(known.rc == 0, "which are explained", known)
    done = run("report", "x.json")
    ok(done.rc == 0 and "no difference seen" in done.out, "a report of it", done)
    done = run("compare", "x.json", "x.json")
    ok(done.rc == 2 and "no main measure" in done.err, "comparisons are not compared", done)


@pytest.mark.parametrize("value", (None, True, -7, 1e300, "text", [], [1, [2]], {}, {"a": {"b": None}}), ids=repr)
def test_values_of_any_type_where_another_is_expected(value):
    row = {k: value for k in row_of(8, 1.0)}
    rows = [row, {**row, "samples": {"time_s": value}}, {**row, "samples": value}, {}]
    new = record_of(rows, status=value, warnings=value)
    new["options"] = {k: value for k in new["options"]}
    new["environment"] = {k: value for k in new["environment"]}
    write("a.json", new)
    write("b.json", record_of([row_of(8, 1.0, [1.0] * 7)], environment={}, options={}))
    for a, b in (("a.json", "b.json"), ("b.json", "a.json"), ("a.json", "a.json")):
        done = run("compare", a, b)
        ok(done.rc in (0, 1, 2, 4) and len(done.faults) == (done.rc != 0), f"all values {value!r}: {a}, {b}", done)


def test_several_files_are_compared_with_the_first():
    """Each has the rows that it has when it is compared alone; CSV and JSON are one table."""
    rows = [row_of(s, 1e-6, interval=(0.9e-6, 1.1e-6)) for s in (8, 16, 32)]
    write("a.json", record_of(rows, warnings=["said once"]))
    write("b.json", record_of([row_of(s, 2e-6, interval=(1.9e-6, 2.1e-6)) for s in (16, 8)]))
    write("c.json", changed(record_of(rows + [row_of(64, 1.0)]), ["environment", "host", "kernel"], "l"))
    one = {b: compare(b=b)[1] for b in ("b.json", "c.json")}
    done = run("compare", "a.json", "b.json", "c.json", "-o", "x.json", "-o", "x.csv")
    record = load("x.json")
    with open("x.csv") as f:
        text = Csv(f.read())
    ok(done.rc == 0 and list(map(of_point, record["rows"])) == text.rows, "CSV and JSON", done)
    for b in one:
        rows = [r for r in text.rows if r["file_b"] == b]
        equal([{k: v for k, v in r.items() if k != "file_b"} for r in rows], one[b].rows, f"the rows of {b}")
        own = next(f for f in record["summary"]["files"] if f["file"] == b)
        equal(tuple(own[k] for k in ("faster", "slower", "no_difference_seen", "without_verdict", "only_in_a",
                                     "only_in_b")), counts(one[b]), f"the totals of {b}")
    equal([r["file_b"] for r in text.rows], ["b.json"] * 3 + ["c.json"] * 4, "a block for each, in their order")
    equal(counts(text), tuple(map(sum, zip(*map(counts, one.values())))), "the totals")
    lines = done.out.splitlines()
    ok("A = a.json, B = b.json and 1 more" in done.whole and any(x.split()[:2] == ["B", "MSize"] for x in lines[1:3]) and
       sum(x.startswith(("b.json against A", "c.json against A")) for x in lines) == 2, "the table", done)
    equal(done.warnings, ["netbench: warning: c.json: different host: kernel 'k', 'l'", "netbench: warning: A: said once"],
          "warnings name the file, and those of A are repeated once")
    equal([(b["file"], b["differences"]) for b in record["environment"]["b"]],
          [("b.json", {}), ("c.json", {"host.kernel": ["k", "l"]})], "what differs, in the record")


def test_results_without_rows_have_no_verdict():
    write("a.json", record_of([]))
    done = run("compare", "a.json", "a.json")
    ok(done.rc == 4 and len(done.faults) == 1, "no rows", done)


@pytest.mark.slow
def test_the_same_measured_twice():
    """How much of a difference is seen is for the machine to say."""
    for name in ("a.json", "b.json"):
        run("latency", "--sizes", "0,64,4k", "--point-time", "60ms", "--samples", "-o", name)
    done, text = compare()
    ok(done.rc == 0 and len(text.rows) == 3 and not any(w for w in done.warnings if "different" in w),
       "measured twice: nothing differs but the numbers", done)
    ok(all(r["verdict"] is None and r["remark"] and (r["remark"] == ONE_RUN) == (r["ratio_lo"] is not None) for r in text.rows),
       "measured twice: no verdicts", text.rows)
    ok(sum(counts(text)) == 3, "measured twice: all are counted", counts(text))


def single(size, value, p50, width=0.01, **more):
    """A row whose median of single round trips has an interval, as well as that of p99."""
    return row_of(size, value, interval=(0.5 * value, 2 * value), half_rtt_p50_s=p50, half_rtt_p50_lo_s=(1 - width) * p50,
                  half_rtt_p50_hi_s=(1 + width) * p50, half_rtt_p99_lo_s=1.9 * value, half_rtt_p99_hi_s=2.1 * value, **more)


def two_single(a, b, *args):
    names = [c for c in single(0, 1, 1) if c != "samples"]
    more = {"columns": [{"name": c} for c in sorted(names, key=lambda c: "p50" not in c)]}
    write("a.json", record_of(a, **more))
    write("b.json", record_of(b, **more))
    return compare(*args)


def test_latency_is_compared_by_its_median_of_single_round_trips():
    done, text = two_single([single(8, 3.0, 1.0)], [single(8, 1.5, 1.1)])
    equal((text.one("summary.measure"), text.rows[0]["ratio"], text.rows[0]["method"], text.rows[0]["ratio_lo"] > 1),
          ("half_rtt_p50_s", 1.1, "intervals", True), "not by the means, which say faster")
    equal(compare(*spread([8], measure="half_rtt_p50_s"))[1].rows[0]["verdict"], "slower", "so is the verdict")
    rng = random.Random(3)
    p50 = [drawn(rng, 60), drawn(rng, 60, 1.1)]
    rows = [single(8, 3.0, median(x), 0.5, samples=drawn(rng, 60)) for x in p50]
    for row, x in zip(rows, p50):
        row["samples"]["iteration_p50_s"] = x
    done, text = two_single([rows[0]], [rows[1]])
    equal((text.rows[0]["method"], text.rows[0]["ratio_lo"] > 1), ("bootstrap", True), "by the medians of repetitions if they are kept")
    for width in (None, 0.01):      # none: as older results are
        old = {c: v for c, v in single(8, 3.0, 1.0).items() if width or "p50_" not in c or c == "half_rtt_p50_s"}
        done, text = two_single([single(8, 3.0, 1.0)], [old])
        equal(text.one("summary.measure"), "half_rtt_p50_s" if width else "half_rtt_epoch_s", f"{width}: what both have with its interval")
    done, text = two_single([single(8, 1.0, 1.0)], [single(8, 1.5, 1.0)], "--measure", "half_rtt_p99_s")
    equal((text.rows[0]["method"], text.rows[0]["ratio_lo"] > 1), ("intervals", True), "a quantile by its own bounds")
    by_p99 = compare("--measure", "half_rtt_p99_s", *spread([8], measure="half_rtt_p99_s"))[1]
    equal(by_p99.rows[0]["verdict"], "slower", "and by its own spread")
