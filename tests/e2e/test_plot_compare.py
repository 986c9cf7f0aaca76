# SPDX-License-Identifier: Apache-2.0
"""netbench plot of results of compare: ratios, the line at 1, the limits of --fail-if, and marks by verdict."""
import json
import re
import shutil

import pytest
from made_up import spread
from netbench import close_to, equal, named, ok, run, write_result
from picture import changed, draw, script_of

pytestmark = pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot")

RESULTS = {
    "latency": ["latency", "-b", "shm", "--sizes", "8,64,512,4k", "--repetitions", "8", "--ci", "0", "--point-time", "0"],
    "rates": ["bandwidth", "-b", "shm", "--sizes", "8,64,512,4k", "--repetitions", "8", "--ci", "0", "--point-time", "0"],
}

SIZES = (8, 64, 512, 4096)

# By what B differs from A in each row, and what is found by the spread of runs, which the last has not.
FACTORS = (1.0, 1.5, 0.5, 1.5)
VERDICTS = ["no difference seen", "slower", "faster", ""]


def narrow(record, column, factors, bounds=3):
    """The record with the values times factors, and intervals of 1 % in the first rows."""
    new = changed(record)
    for i, (row, factor) in enumerate(zip(new["rows"], factors)):
        unit = column.rsplit("_", 1)[1]
        value = row[column] = factor * record["rows"][i][column]
        for bound, by in (("lo", 0.99), ("hi", 1.01)):
            for name in (f"{column[:-len(unit) - 1]}_{bound}_{unit}", f"time_{bound}_s"):
                if name in row:
                    row[name] = value * by if i < bounds else None
        row.update({k: None for k in ("time_acf1",) if k in row})
        row.pop("samples", None)
    return new


@pytest.fixture(autouse=True)
def compared(results, inside):
    """change.json: b.json against a.json, latencies; its record."""
    folder, made = results
    write_result(".", "a.json", narrow(made["latency"], "half_rtt_p50_s", (1,) * 4))
    write_result(".", "b.json", narrow(made["latency"], "half_rtt_p50_s", FACTORS))
    by = spread(SIZES[:3], measure="half_rtt_p50_s")
    done = run("compare", "a.json", "b.json", "--measure", "half_rtt_p50_s", *by, "--fail-if", "slower:10%,faster:3", "-f", "json", "-q")
    record = json.loads(done.out)
    equal([r["verdict"] or "" for r in record["rows"]], VERDICTS, "what is compared here")
    write_result(".", "change.json", record)
    return record


def test_ratios_are_drawn_over_the_size(compared):
    text, blocks = script_of("change.json", "-o", "x.svg")
    points = sorted(p for name, rows in blocks.items() if name.startswith("points") for p in rows)
    ok(len(points) == 4 and all(close_to(p[1], f, 1e-6) for p, f in zip(points, FACTORS)), "the ratios", points)
    bars = sorted(b for name, rows in blocks.items() if name.startswith("points") for b in rows if b[2:] and b[2] == b[2])
    want = [(r["ratio_lo"], r["ratio_hi"]) for r in compared["rows"] if r["ratio_lo"]]
    ok(len(bars) == len(want) == 3 and all(close_to(b[2], w[0], 1e-6) and close_to(b[3], w[1], 1e-6)
                                           for b, w in zip(bars, want)), "their intervals", (bars, want))
    ok("unset logscale y" in text, "less than a factor of 8 is on a linear scale", text)
    ok("graph 0, first 1 to graph 1, first 1" in text, "a line at 1", text)


def test_the_title_has_both_names():
    _, picture = draw("change.json")
    ok("half round trip of b.json against a.json over message size" in picture.texts and
       "half round trip, b.json / a.json" in picture.texts, "title and axis", picture.texts)
    ok(picture.has("of latency, latency.half-rtt"), "what was compared", picture.texts)


def test_marks_and_colours_are_by_verdict():
    text, _ = script_of("change.json", "-o", "x.svg")
    looks = re.findall(r"pointtype (\d+) .*?linecolor rgb '(#\w+)' title '(.*?)'", text)
    equal([label for _, _, label in looks], [v or "without verdict" for v in VERDICTS], "the legend")
    equal((len({m for m, _, _ in looks}), len({c for _, c, _ in looks})), (4, 4), "each looks different")


@pytest.mark.parametrize("limits, measured, areas", named((
    ("slower:10%,faster:3", "latency", [(1 / 3, 0), (1.1, 1)]),
    ("slower:1.1", "latency", [(1.1, 1)]), ("faster:50%", "latency", [(1 / 1.5, 0)]),
    ("slower:10%", "rates", [(1 / 1.1, 0)]), ("faster:2", "rates", [(2, 1)]))))
def test_regions_beyond_a_limit_are_shaded(limits, measured, areas, results):
    """Of rates less is slower."""
    column = {"latency": "half_rtt_p50_s", "rates": "bandwidth_Bps"}[measured]
    write_result(".", "a.json", narrow(results[1][measured], column, (1,) * 4))
    run("compare", "a.json", "a.json", "--measure", column, *spread(SIZES, measure=column), "--fail-if", limits, "-o", "x.json", "-q")
    text, _ = script_of("x.json", "-o", "x.svg")
    found = [(float(a), int(b)) for a, b in re.findall(
        r"rectangle from graph 0, first (\S+) to graph 1, graph (\d)", text)]
    ok(len(found) == len(areas) and all(close_to(f[0], w[0], 1e-6) and f[1] == w[1] for f, w in zip(found, areas)),
       "areas", (found, areas))
    ok(f"in the shaded range '--fail-if {limits}' fails" in text.replace("''", "'"), "and the caption says what they are", text)
    lo, hi = map(float, re.search(r"set yrange \[(.*):(.*)\]", text).groups())
    ok(all(lo < a < hi for a, _ in areas), "within the axis", (lo, hi))


def test_without_a_limit_nothing_is_shaded():
    run("compare", "a.json", "b.json", "--measure", "half_rtt_p50_s", "-o", "x.json", "-q")
    text, _ = script_of("x.json", "-o", "x.svg")
    ok("rectangle" not in text and "fail-if" not in text, "nothing", text)


def test_each_result_against_one_has_its_panel_and_colour():
    """A panel for each B; colours are by B where they share one, marks by verdict."""
    shutil.copy("b.json", "c.json")
    run("compare", "a.json", "b.json", "c.json", "--measure", "half_rtt_p50_s", "--spread", "spread.json", "-o", "x.json", "-q")
    text, _ = script_of("x.json", "-o", "x.svg")
    looks = re.findall(r"pointtype (\d+) .*?linecolor rgb '(#\w+)' title '(.*?)'", text)
    equal([x[2] for x in looks], [v or "without verdict" for _ in "bc" for v in VERDICTS], "the legend")
    ok(all(f"set label '{f}.json' at screen" in text for f in "bc"), "a panel each", text)
    text, _ = script_of("x.json", "-o", "x.svg", "--where", "verdict=slower,faster")
    looks = re.findall(r"pointtype (\d+) .*?linecolor rgb '(#\w+)' title '(.*?)'", text)
    shared = [x for x in looks if x[2] != "without verdict"]
    equal([len({c for _, c, label in shared if label.startswith(f)}) for f in "bc"], [1, 1], "a colour each")
    equal((len({c for _, c, _ in shared}), len({m for m, _, _ in shared})), (2, 2), "marks are by verdict")


def test_one_run_of_each_is_drawn_without_verdicts():
    """With the intervals within the runs."""
    run("compare", "a.json", "b.json", "--measure", "half_rtt_p50_s", "-o", "x.json", "-q")
    text, blocks = script_of("x.json", "-o", "x.svg")
    equal(re.findall(r"linecolor rgb '#\w+' title '(.*?)'", text), ["without verdict"], "the legend")
    bars = [b for name, rows in blocks.items() if name.startswith("points") for b in rows if b[2:] and b[2] == b[2]]
    ok(len(bars) == 3 and all(close_to(b[3] / b[2], (1.01 / 0.99) ** 2, 1e-6) for b in bars), "intervals", bars)


def test_each_benchmark_has_a_panel_of_ratios(results):
    for name, net in (("one", "L=1us"), ("two", "L=5us")):
        run("atlas-all", "-b", "sim", "--sim", f"{net},o=200ns,g=300ns,G=0.1ns", "-n", "14", "--sizes", "64", "-q", "-o", f"{name}.json")
    run("compare", "one.json", "two.json", "-q", "-o", "x.json")
    text, _ = script_of("x.json", "-o", "x.svg")
    equal((text.count("\nplot "), text.count("first 1 to graph 1, first 1")), (10, 10), "a panel of ratios for each")
    text, _ = script_of("x.json", "-o", "x.svg", "--where", "benchmark=1.6")
    equal(len(set(re.findall(r"linecolor rgb '(#\w+)' title", text))), 2, "a colour for each series")
    ok("interpolated" not in text, "a ratio is no time", text)


def test_ratios_are_drawn_in_a_terminal():
    done = run("plot", "change.json")
    ok(done.rc == 0 and "half round trip of b.json against a.json" in done.out and "fails" in done.out, "drawn", done)


def test_values_of_another_type_do_no_harm(compared):
    for value in (None, -1, "text", [], {"a": 1}):
        rows = [{k: value for k in row} for row in compared["rows"]]
        for new in ({"environment": {}, "options": value, "summary": value}, {"rows": rows + compared["rows"]},
                    {"options": {"fail-if": "slower:"}}, {"options": {"fail-if": "slower:x%"}}):
            write_result(".", "x.json", changed(compared, **new))
            done = run("plot", "x.json", "-o", "x.svg")
            ok(done.rc in (0, 2) and len(done.err.splitlines()) == (done.rc == 2), f"{value!r} {list(new)}", done)
