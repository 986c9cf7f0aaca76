# SPDX-License-Identifier: Apache-2.0
"""netbench plot: what is drawn of every kind of result, and what is said in the picture."""
import os
import re
import shutil
import struct
import subprocess

import pytest
from netbench import NETBENCH, close_to, equal, make_results, named, ok, run, skip, write_result
from picture import Picture, changed, draw, script_of

pytestmark = pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot")

# Results, each of another kind, and how to come by it.
RESULTS = {
    "latency": ["latency", "-b", "sim", "--sizes", "0,8,64,512,4k"],
    "shm": ["latency", "-b", "shm", "--sizes", "0,8,64,4k", "-l", "200", "--repetitions", "8", "--ci", "0", "--point-time", "0"],
    "bandwidth": ["bandwidth", "-b", "shm", "--sizes", "0,8,4k", "--window", "1,16", "-l", "50", "--point-time", "5ms"],
    "msgrate": ["msgrate", "-b", "sim", "--sizes", "8,64", "--window", "1,4,16"],
    "beff": ["beff", "-b", "sim", "--board", "520n", "-n", "2"],
    "beff-shm": ["beff", "-b", "shm", "-m", "6", "-u", "50", "--repetitions", "8", "--ci", "0", "--point-time", "0"],
    "hlrs": ["beff", "-b", "sim", "-n", "4", "--rule", "hlrs", "-m", "6"],
    "model": ["model", "--board", "520n", "-n", "2"],
    "formula": ["model", "--loggp", "L=1us,o=200ns,g=300ns,G=0.1ns", "--sizes", "1,1k,64k"],
    "loggp": ["model", "--measure", "-b", "sim", "--rounds", "2"],
    "all": ["atlas-all", "-b", "sim", "--sizes", "0,64,1k", "--ranks", "14"],
    "multicast": ["atlas-1.6", "-b", "sim", "--ranks", "3,5,9", "--algorithm", "linear,binomial,native",
                  "--sizes", "0,1k"],
    "oneway": ["atlas-1.1", "-b", "shm", "-l", "50", "--point-time", "5ms"],
    "farm": ["atlas-2.1", "-b", "sim", "-n", "10", "--occupation", "0,50"],
}

# Of those with one benchmark the column that is drawn.
COLUMNS = {"latency": "half_rtt_p50_s", "shm": "half_rtt_p50_s", "bandwidth": "bandwidth_Bps", "msgrate": "rate_msgps",
           "beff": "bandwidth_max_Bps", "beff-shm": "bandwidth_max_Bps", "model": "pair_model_Bps",
           "hlrs": "pattern_bandwidth_Bps", "loggp": "half_rtt_epoch_s", "formula": "model_s",
           "multicast": "event_s", "oneway": "event_s", "farm": "frequency_Hz"}


@pytest.fixture(scope="module")
def results(shared_place):
    """(folder, {name: record})"""
    made = make_results(shared_place, RESULTS)
    for row in made["shm"]["rows"]:     # where slow round trips come together, they do not bound a percentile
        row["half_rtt_p90_s"] = row["half_rtt_p90_s"] or 1.2 * row["half_rtt_p50_s"]
        row["half_rtt_p99_s"] = row["half_rtt_p99_s"] or 1.5 * row["half_rtt_p90_s"]
    made["shm"]["rows"][-1]["half_rtt_p99_s"] = None
    for name, column in (("shm", "half_rtt_epoch_{}s"), ("shm", "half_rtt_p50_{}s"), ("beff-shm", "time_{}s")):
        for row in made[name]["rows"]:      # of 8 repetitions some look as if they depend on one another
            for bound, by in (("lo_", 0.9), ("hi_", 1.1)):
                row[column.format(bound)] = row[column.format(bound)] or by * row[column.format("")]
        write_result(shared_place, f"{name}.json", made[name])
    return shared_place, made


# ---- what is drawn ----

@pytest.mark.parametrize("name", COLUMNS)
def test_each_result_is_drawn(name, records):
    """As SVG: well-formed, with who, where and when, and as many points as rows with a value."""
    record = records[name]
    done, picture = draw(f"{name}.json")
    if not ok(done.rc == 0 and not done.err and not done.out, f"{name}: drawn", done):
        return
    column, env = COLUMNS[name], record["environment"]
    said = [record["command"], record["definition"], env["host"]["name"], env["time"]["start"], column]
    said += ["backend " + env["backend"]["name"]] if "backend" in env else []
    said += {"model": ["board 520n"], "formula": ["loggp L=1us,"]}.get(name, [])
    missing = [s for s in said if not picture.has(s)]
    ok(not missing, f"{name}: says what it is", (missing, picture.texts))
    rows = [r for r in record["rows"] if r[column] is not None]
    equal(picture.points, len(rows), f"{name}: a point for each row with a value")
    ok(picture.has(", computed, host") == record["computed"], f"{name}: computed or measured", picture.texts)
    ok(picture.has("joined points are computed, without intervals") ==
       (record["computed"] and name not in ("hlrs", "loggp")), f"{name}: what is joined", picture.texts)
    ok(picture.has(" repetitions a point") or record["computed"], f"{name}: number of repetitions")


def test_the_heading_is_bold(records):
    """gnuplot's SVG takes the style for the name of a font."""
    done, _ = draw("latency.json")
    with open("out.svg", encoding="utf-8") as f:
        text = f.read()
    ok(done.rc == 0 and ":Bold" not in text and re.search(r'font-family="sans" font-weight="bold"[^>]*>\s*<text>latency on sim', text),
       "in sans", text[:3000])


def test_only_computed_points_are_joined(records):
    text, blocks = script_of("latency.json", "shm.json", "model.json")
    styles = re.findall(r"\$points(\d) using 1:2 with (\w+)", text)
    lines = re.findall(r"\$(\w+) using 1:2 with lines", text)
    equal((styles, lines), ([(str(i), "points") for i in range(3)], ["lines0", "lines2"]),
          "only computed points are joined")
    bad = [(x, y) for x, y in blocks["lines0"][1:] if not close_to(y, 1.4e-6 + max(x - 1, 0) * 1e-10, 1e-6)]
    ok(not bad and len(blocks["lines0"]) > 20, "by their time between them", bad)


def test_computed_bandwidths_are_joined_by_their_time(records):
    bandwidths = dict(script_of("beff.json")[1]["lines0"])
    times = {x: x / y for x, y in bandwidths.items()}
    bad = [(x, t) for x, t in times.items() if 524288 < x < 1048576 and not close_to(
        t, times[524288] + (x / 524288 - 1) * (times[1048576] - times[524288]), 1e-6)]
    ok(not bad and len(times) > 21, "of bandwidths, too", bad)


def test_computed_points_are_joined_straight_over_ranks(records):
    text, _ = script_of("multicast.json", "--x", "ranks")
    ok(text.count("with linespoints") == 4 and "interpolated" not in text, "straight over ranks", text)


def test_nothing_is_joined_between_texts(records):
    text, _ = script_of("multicast.json", "--x", "algorithm")
    ok("linespoints" not in text and "computed values have no intervals" in text, "none between texts", text)


def test_points_are_those_of_the_file(records):
    """Size 0 stands before a break."""
    text, blocks = script_of("shm.json")
    rows = records["shm"]["rows"]
    got, want = blocks["points0"], [(r["size_B"], r["half_rtt_p50_s"]) for r in rows]
    ok(len(got) == len(want) and all(close_to(g[1], w[1], 1e-6) for g, w in zip(got, want)), "values", (got, want))
    equal([g[0] for g in got[1:]], [w[0] for w in want[1:]], "places")
    ok(0 < got[0][0] < 8 and "'0 B' " in text and "'//'" in text, "size 0 has a place before a break", text)
    ok("0 B stands before the break, outside the logarithmic scale" in text, "and the caption says so", text)


def test_intervals_and_quantiles_are_those_of_the_file(records):
    text, blocks = script_of("shm.json", "--column", "half_rtt_epoch_s")
    rows = records["shm"]["rows"]
    bars = [g[2:4] for g in blocks["points0"]]
    ok("$points0 using 1:3:(0):($4-$3) with vectors" in text and len(bars) == 4 and all(close_to(b[0], r["half_rtt_epoch_lo_s"], 1e-6) and close_to(b[1], r["half_rtt_epoch_hi_s"], 1e-6)
                              for b, r in zip(bars, rows)), "intervals", bars)
    ok("n = 8 repetitions a point; bars: 95 % interval of the median'" in text.replace("\n", ""), "what bars are", text)
    ok("boxxyerror" not in script_of("shm.json", "-o", "x.svg", "--column", "half_rtt_epoch_s")[0] and "boxes: " not in
       script_of("shm.json", "-o", "x.svg", "--column", "half_rtt_epoch_s")[0], "a median of means has no box of single round trips")
    text, blocks = script_of("shm.json", "-o", "x.svg", "--column", "half_rtt_p50_s")
    ok("boxes: from the median, the mark, to the 90th percentile, and lighter to the 99th" in text, "what boxes are", text)
    ok(re.search(r"points0 using 1:5:\S+:2:5 with boxxyerror", text) and re.search(r"points0 using 1:6:\S+:2:6 with boxxyerror", text),
       "the mark is the box's own median", text)
    boxes = [[g[1], *g[4:]] for g in blocks["points0"]]
    ok(len(boxes) == 4 and all(close_to(g, r[f"half_rtt_{q}_s"], 1e-6) for b, r in zip(boxes, rows)
                               for g, q in zip(b, ("p50", "p90", "p99" if r["half_rtt_p99_s"] else "p90"))),
       "quantiles, and of one without its 99th the 90th", boxes)


def test_the_median_of_single_round_trips_is_drawn_where_it_has_an_interval(records):
    new = changed(records["shm"])
    for bound in ("lo", "hi"):
        name = f"half_rtt_p50_{bound}_s"
        new["columns"] = [c for c in new["columns"] if c["name"] != name] + [{"name": name, "unit": "s", "type": "real"}]
    for row in new["rows"]:
        row.update(half_rtt_p50_lo_s=0.9 * row["half_rtt_p50_s"], half_rtt_p50_hi_s=1.2 * row["half_rtt_p50_s"])
    write_result(".", "x.json", new)
    text, blocks = script_of("x.json", "-o", "x.svg")
    ok("column half_rtt_p50_s over size_B" in text and "half round trip over message size" in text, "it", text)
    equal([[close_to(b[i], by * r["half_rtt_p50_s"], 1e-6) for i, by in ((1, 1), (2, 0.9), (3, 1.2))]
           for b, r in zip(blocks["points0"], new["rows"])], [[True] * 3] * 4, "with its own interval")
    ok(text.count("points0 using 1:3:(0):($4-$3) with vectors") == 1 and text.count("with boxxyerror") == 2, "and box", text)
    _, blocks = script_of("x.json", "latency.json", "model.json")
    equal(sorted(k for k in blocks if k.startswith("points")), ["points0", "points1", "points2"], "others beside it")


def test_the_line_of_computed_points_does_not_cross_the_break(records):
    text, _ = script_of("latency.json")
    block = re.search(r"^\$lines0 << END\n(.*?)^END$", text, re.M | re.S)[1]
    ok(len(block.split("\n\n")) == 2, "a gap behind size 0", block)


def test_a_multiple_of_another_column_has_its_interval_to_scale(records):
    _, blocks = script_of("beff-shm.json", "--column", "bandwidth_Bps")
    rows = records["beff-shm"]["rows"]
    want = [(r["bandwidth_Bps"] * r["time_s"] / r["time_hi_s"], r["bandwidth_Bps"] * r["time_s"] / r["time_lo_s"])
            for r in rows]
    got = [g[2:4] for g in blocks["points0"]]
    ok(len(got) == len(rows) and all(close_to(g[i], w[i], 1e-6) for g, w in zip(got, want) for i in (0, 1)),
       "bandwidth by time", (got, want))


# ---- what makes series, and over what they are drawn ----

def legend(*args):
    """The column over which is drawn, and the labels of the series."""
    text, _ = script_of(*args)
    over = re.search(r"set label 'column \S+ over (\w+)'", text)
    return over and over[1], re.findall(r" title '([^']*)'", text)


@pytest.mark.parametrize("args, over, labels", named((
    (["msgrate.json"], "window", ["8 B", "64 B"]),
    (["bandwidth.json"], "size_B", ["window 1 (sequential)", "window 16"]),
    (["multicast.json"], "size_B", [f"{a}, {r} ranks" for a in ("linear", "binomial") for r in (3, 5, 9)]),
    (["multicast.json", "-o", "x.svg"], "size_B", ["linear", "binomial"] * 3),
    (["multicast.json", "--x", "ranks"], "ranks", ["linear, 0 B", "linear, 1 KiB", "binomial, 0 B", "binomial, 1 KiB"]),
    (["multicast.json", "--where", "algorithm=linear", "--where", "size_B=1k"], "ranks", []),
    (["multicast.json", "--x", "algorithm", "--where", "size_B=0"], "algorithm", [f"{r} ranks" for r in (3, 5, 9)]),
    (["hlrs.json"], "pattern", []),
    (["farm.json"], "size_B", ["occupation 0 s", "occupation 50 us"]),
    (["farm.json", "--x", "occupation_s", "--where", "size_B=0", "--column", "event_s"], "occupation_s", []),
    (["beff.json", "model.json"], "size_B", ["beff.json: beff, backend sim", "model.json: model, bandwidth by formula"]),
    (["model.json", "latency.json"], "size_B", ["model.json: model, time by formula", "latency.json: latency, backend sim"]),
    (["latency.json", "formula.json"], "size_B", ["latency.json: latency, backend sim", "formula.json: model, time by formula"]),
    (["latency.json", "formula.json", "--where", "pattern=one-way,stream"],
     "size_B", ["latency.json: latency, backend sim", "formula.json: model, time by formula, one-way",
                "formula.json: model, time by formula, stream"]),
    (["beff.json", "model.json", "--label", "one", "--label", "two"], "size_B", ["one", "two, bandwidth by formula"]),
    (["latency.json", "--label", "one"], "size_B", ["one"]))))
def test_series_are_drawn_over(args, over, labels, records):
    equal(legend(*args), (over, labels), f"legend of {args}")


def test_sizes_select_points_beside_other_conditions(records):
    """As a condition beside others."""
    _, blocks = script_of("shm.json", "--sizes", "8,4k")
    equal([p[0] for p in blocks["points0"]], [8, 4096], "these")
    equal(legend("multicast.json", "--sizes", "1k", "--where", "algorithm=linear,binomial"),
          ("ranks", ["linear", "binomial"]), "beside others")
    done = run("plot", "shm.json", "--sizes", "7")
    ok(done.rc == 2 and "no row meets" in done.err, "none", done)


def test_two_files_of_one_name_are_told_apart(records):
    os.makedirs("sub")
    write_result("sub", "latency.json", records["latency"])
    equal(legend("latency.json", "sub/latency.json")[1], ["latency.json", "sub/latency.json"], "two files of one name")


# ---- what stands above ----

def test_the_title_says_what_and_over_what(records):
    _, picture = draw("shm.json")
    ok("latency on shm: half round trip over message size" in picture.texts, "in words", picture.texts)
    equal([t for t in picture.texts if t in ("half round trip", "message size")], ["half round trip", "message size"], "the axes")
    _, picture = draw("shm.json", "--column", "half_rtt_p99_s")
    ok("half round trip (99th percentile)" in picture.texts, "of a statistic", picture.texts)
    _, picture = draw("shm.json", "--title", "Our own")
    ok("Our own" in picture.texts and not picture.has(" over message") and picture.has("latency, backend shm"),
       "or what the user says, and still what it is", picture.texts)


def test_what_files_have_in_common_is_said_once(records):
    other = changed(records["shm"])
    other["environment"]["host"]["name"] = "elsewhere"
    other["environment"]["time"]["start"] = "2036-01-01T00:00:00Z"
    write_result(".", "other.json", other)
    _, picture = draw("shm.json", "other.json")
    host, start = (records["shm"]["environment"][k][v] for k, v in (("host", "name"), ("time", "start")))
    equal(picture.legend(), [f"shm.json: host {host}", "other.json: host elsewhere"], "the legend has what differs")
    ok(sum(t.count("backend shm") for t in picture.texts) == 1 and
       sum(t.count(records["shm"]["definition"]) for t in picture.texts) == 1, "what does not stands there once", picture.texts)
    ok(picture.has(f"{start} to 2036-01-01T00:00:00Z"), "from when to when", picture.texts)
    other["environment"]["time"]["start"] = start[:11] + "99:99:99Z"
    write_result(".", "later.json", other)
    ok(draw("shm.json", "later.json")[1].has(f"{start} to 99:99:99Z"), "of one day")
    _, picture = draw("shm.json", "other.json", "--label", "a", "--label", "b")
    ok(picture.legend() == ["a", "b"] and picture.has(f"a: host {host}") and picture.has("b: host elsewhere"),
       "labels are alone in the legend", picture.texts)


@pytest.mark.parametrize("given, shown", named((
    (["node1", "node10", "node2"], ["node1", "node2", "node10"]),
    (["node2", "node10", "node1"], ["node2", "node10", "node1"]),
    (["x9/a", "x9/b10", "x9/b9"], ["a", "b9", "b10"]))))
def test_files_are_in_natural_order(given, shown, records):
    """Of a pattern that a shell expanded; another order is the user's own."""
    os.makedirs("x9")
    for name in given:
        shutil.copy("latency.json", name + ".json")
    equal(legend(*(f"{name}.json" for name in given))[1], [f"{name}.json" for name in shown], "the legend")


def test_files_with_labels_stay_in_their_order(records):
    for name in ("node10", "node2"):
        shutil.copy("latency.json", name + ".json")
    equal(legend("node10.json", "node2.json", "--label", "ten", "--label", "two")[1], ["ten", "two"], "the legend")


# ---- lines ----

def test_the_simulated_ring_lies_on_the_formula(records):
    _, blocks = script_of("beff.json", "model.json")
    same = [(a, b) for a, b in zip(blocks["points0"], blocks["points1"]) if a[0] == b[0] and close_to(a[1], b[1], 1e-3)]
    equal(len(same), len(records["model"]["rows"]), "simulated and computed points are the same")


def test_the_line_of_a_fit(records):
    """Lines stand for what was fitted, within its segments."""
    text, blocks = script_of("loggp.json")
    bad = [(x, y) for x, y in blocks.get("fit0", []) if not close_to(y, 1.4e-6 + (x - 1) * 1e-10, 1e-6)]
    ok(blocks.get("fit0") and not bad, "the line of one segment", bad or text)
    equal((blocks["fit0"][0][0], blocks["fit0"][-1][0]), (1, 1048576), "from its first point to its last")
    ok("with points" in text and "linespoints" not in text, "the points themselves are not joined", text)
    ok("lines without marks: fitted" in text and "n = 2 repetitions a point" in text, "and the caption says so", text)


def test_the_line_of_two_segments_has_its_bend(records):
    two = changed(records["loggp"])
    for i, row in enumerate(two["rows"]):
        row["segment"] = 1 + (i >= 40)
        row["gap_error"] = 0.25 if i >= 40 else 0
    write_result(".", "x.json", two)
    text, blocks = script_of("x.json", "--column", "gap_s")
    pieces = re.search(r"^\$fit0 << END\n(.*?)^END$", text, re.M | re.S)[1].strip().split("\n\n")
    ends = [[tuple(map(float, piece.splitlines()[i].split())) for i in (0, -1)] for piece in pieces]
    want = [[(r["size_B"], r["gap_s"] * (1 + r["gap_error"])) for r in (two["rows"][i], two["rows"][k])]
            for i, k in ((0, 39), (40, 75))]
    good = [close_to(a, b, 1e-6) for e, w in zip(ends, want) for p, q in zip(e, w) for a, b in zip(p, q)]
    ok(len(ends) == 2 and all(good), "two segments", (ends, want))


def test_the_line_of_a_measured_series(records):
    """t0 + n/r_inf of its last row"""
    text, blocks = script_of("oneway.json", "--where", "load=none")
    rows = [r for r in records["oneway"]["rows"] if r["load"] == "none"]
    t0, r_inf = rows[-1]["t0_s"], rows[-1]["r_inf_Bps"]
    if t0 is None or r_inf is None:
        skip("fitted line", "this series has none")
        return
    bad = [(x, y) for x, y in blocks.get("fit0", []) if not close_to(y, t0 + x / r_inf, 1e-6)]
    ok(blocks.get("fit0") and not bad, "the line of a series", bad or text)
    ok("lines without marks: fitted" in text, "and the caption says so", text)


# ---- what is said ----

def test_what_could_not_be_measured_is_said(records):
    _, picture = draw("multicast.json")
    ok(picture.has("not drawn: 6 of 18 rows, without event_s or size_B (n/a: needs 'native', which sim does not offer)"),
       "what could not be measured", picture.texts)


def test_points_of_0_bytes_are_told_as_not_drawn(records):
    _, picture = draw("bandwidth.json")
    ok(picture.has("not drawn: messages of 0 B, which have no bandwidth_Bps"), "no bandwidth at 0 B", picture.texts)


@pytest.mark.parametrize("status, want", named((
    ("incomplete", "incomplete, points may be missing"), ("interrupted", "interrupted, points may be"),
    ("failed", "failed, do not trust these numbers"))))
def test_status_and_warnings_are_said(status, want, records):
    write_result(".", "x.json", changed(records["shm"], status=status, warnings=["one", "two"]))
    _, picture = draw("x.json", "latency.json")
    ok(picture and picture.has("x.json: " + want), f"status {status}", picture and picture.texts)
    ok(picture and picture.has("x.json: warning: one") and picture.has("x.json: warning: two"), "warnings",
       picture and picture.texts)


def test_of_many_warnings_the_number_is_said(records):
    write_result(".", "x.json", changed(records["shm"], warnings=[f"warning {i}" for i in range(9)]))
    _, picture = draw("x.json")
    ok(picture.has("warning 3") and not picture.has("warning 4") and picture.has("and 5 more warnings"),
       "many warnings", picture.texts)


def test_points_without_an_interval_are_said(records):
    few = changed(records["shm"])
    for row in few["rows"][1:]:
        row["half_rtt_p50_lo_s"] = row["half_rtt_p50_hi_s"] = None
        row["repetitions"] = 5
    write_result(".", "x.json", few)
    _, picture = draw("x.json")
    ok(picture.has("n = 5 to 8 repetitions a point; bars: 95 % interval of the median, missing at 3 of 4 points; "
                   "it needs 6 repetitions"), "points without interval", picture.texts)
    few["rows"][0].update(half_rtt_p50_lo_s=None, half_rtt_p50_hi_s=None)
    few["rows"][1].update(half_rtt_p50_lo_s=1e-9, half_rtt_p50_hi_s=1.0)
    for row in few["rows"]:
        row["repetitions"] = 8
    write_result(".", "x.json", few)
    _, picture = draw("x.json")
    ok(picture.has("missing at 3 of 4 points: repetitions depend on one another"), "points without epochs", picture.texts)


# ---- no text means anything to gnuplot, XML or a terminal, wherever it comes from ----

PLAIN = "a'b\"c\\n`touch hacked`@x_{1}^2 <&> %s %d $points0 "
NASTY = PLAIN + "\x1b[31m\x7f \u00e9\u4e16\U0001f600\n!touch hacked\nexit"
SHOWN = PLAIN + "?[31m? \u00e9\u4e16\U0001f600?!touch"


@pytest.fixture
def nasty(records):
    """x.json has such a text wherever one may be; nothing of it is run."""
    new = changed(records["multicast"], command="atlas" + NASTY, definition=NASTY, status=NASTY, warnings=[NASTY])
    new["environment"]["host"]["name"] = new["environment"]["backend"]["name"] = NASTY
    for c in new["columns"]:
        if c["name"] == "event_s":
            c["unit"] = "%s%n'" + NASTY
    for row in new["rows"]:
        row["algorithm"] += NASTY
        row["note"] = row["note"] and NASTY
    write_result(".", "x.json", new)
    yield
    ok(not os.path.exists("hacked"), "nothing was run")


@pytest.mark.parametrize("args", (["x.json"], ["x.json", "--title", NASTY], ["x.json", "--label", NASTY]), ids=("result", "title", "label"))
def test_texts_are_shown_as_they_were(args, nasty):
    done, picture = draw(*args)
    ok(done.rc == 0 and not done.err, f"drawn: {args[:2]}", done)
    ok(picture and picture.has(SHOWN), "the text is there as it was", picture and picture.texts)


def test_texts_are_harmless_in_a_terminal(nasty):
    done = run("plot", "x.json", "--size", "200x60")
    ok(done.rc == 0 and "\x1b" not in done.out, "in a terminal", done)


def test_a_script_writes_to_a_file_of_any_name(records):
    name = os.path.abspath("it's \u00e9.svg")
    text = run("plot", "latency.json", "--script", "-o", name).out
    done = subprocess.run(["gnuplot"], input=text, text=True, capture_output=True)
    ok(done.returncode == 0 and os.path.exists(name), "a script writes to a file of any name", done)
    equal(run("plot", "latency.json", "--script", "-o", "a\nb.svg").rc, 2, "but for a control character")


def test_the_name_of_the_file_is_none_of_gnuplots_business(nasty):
    name = b"\xff'\n`touch hacked`.svg"
    done = run("plot", "latency.json", "-o", name.decode(errors="surrogateescape"))
    ok(done.rc == 0 and os.path.exists(name), "the file's name is none of gnuplot's business", done)


# ---- axes ----

def axis_of(name, text):
    """(from, to, logarithmic) of the axis of a script."""
    found = re.search(rf"^set {name}range \[(.*):(.*)\]\n(un)?set logscale {name}$", text, re.M)
    return float(found[1]), float(found[2]), not found[3]


@pytest.mark.parametrize("axes, x, y", (("none", True, True), ("x", False, True), ("y", True, False), ("xy", False, False)))
def test_the_axes_asked_for_are_linear(axes, x, y, records):
    text, blocks = script_of("beff.json", "--linear", axes)
    equal((axis_of("x", text)[2], axis_of("y", text)[2]), (x, y), "logarithmic")
    ok(y or axis_of("y", text)[0] == 0, "a linear axis of bandwidths begins at 0", text)
    times = {p[0]: p[0] / p[1] for p in blocks["lines0"]}
    bad = [(p, t) for p, t in times.items() if 524288 < p < 1048576 and not close_to(
        t, times[524288] + (p / 524288 - 1) * (times[1048576] - times[524288]), 1e-6)]
    ok(not bad and len(times) > 21, "the time is interpolated on any scale", bad)


def test_size_0_has_a_place_on_a_linear_axis(records):
    text, blocks = script_of("shm.json", "--linear", "x")
    ok(blocks["points0"][0][0] == 0 and "'//'" not in text and "before the break" not in text, "without a break", text)


@pytest.mark.parametrize("option, text, want", named((
    ("x", "8:4KiB", (8, 4096)), ("x", "8:4k", (8, 4096)), ("x", "8B:4096", (8, 4096)), ("x", "8:", (8, None)),
    ("x", ":512", (None, 512)), ("y", "1ns:1s", (1e-9, 1)), ("y", "1e-9:1", (1e-9, 1)), ("y", "10ns:", (1e-8, None)))))
def test_ranges_bound_the_axes_and_tell_of_points_outside(option, text, want, records):
    script, _ = script_of("shm.json", f"--{option}-range", text)
    got = axis_of(option, script)
    ok(all(w is None or close_to(g, w, 1e-8) for g, w in zip(got, want)), "the axis", got)
    outside = sum(not (want[0] or 0) <= (r["size_B"] if option == "x" else r["half_rtt_p50_s"]) <= (want[1] or 1e9)
                  for r in records["shm"]["rows"])
    ok(("outside the range of the axes" in script) == (outside > 0) and
       (not outside or re.search(rf"{outside} points? (is|are) outside", script)), "what is outside is counted", script)


def test_a_range_may_be_in_units_of_rates(records):
    for text, want in (("1MB/s:10GB/s", (1e6, 1e10)), ("1M:10G", (1e6, 1e10)), ("1000000:1e10", (1e6, 1e10))):
        got = axis_of("y", script_of("beff.json", "--y-range", text)[0])
        equal(got[:2], want, text)
    equal(axis_of("y", script_of("beff.json", "--y-range", "8M:80Gbit/s", "--rate-unit", "bit")[0])[:2], (8e6, 8e10), "bit/s")
    equal(axis_of("y", script_of("msgrate.json", "--y-range", "10msg/s:9Mmsg/s")[0])[:2], (10, 9e6), "msg/s")


# ---- lines across ----

def rules(text):
    """[(value, label)]"""
    lines = re.findall(r"^set arrow from graph 0, first (\S+) to graph 1, first \S+ nohead", text, re.M)
    labels = re.findall(r"^set label '([^']*)' at graph 0.01, first", text, re.M)
    return [(float(v), label) for v, label in zip(lines, labels)]


@pytest.mark.parametrize("args, want", named((
    (["beff.json", "--line", "20GB/s"], [(2e10, "20GB/s")]),
    (["beff.json", "--line", "100Gbit/s=of the link"], [(1.25e10, "of the link")]),
    (["beff.json", "--line", "20GB/s", "--rate-unit", "bit"], [(1.6e11, "20GB/s")]),
    (["beff.json", "--line", "1G", "--line", "2G=two"], [(1e9, "1G"), (2e9, "two")]),
    (["latency.json", "--line", "9us"], [(9e-6, "9us")]),
    (["msgrate.json", "--line", "5Mmsg/s="], [(5e6, "5Mmsg/s=")]))))
def test_a_line_across_is_drawn_and_within_the_axis(args, want, records):
    text, _ = script_of(*args, "-o", "x.svg")
    got = rules(text)
    ok(len(got) == len(want) and all(close_to(g[0], w[0], 1e-8) and g[1] == w[1] for g, w in zip(got, want)), "lines", got)
    lo, hi, _ = axis_of("y", text)
    ok(all(lo < v < hi for v, _ in got), "the axis reaches to it", (lo, hi))
    done, picture = draw(*args)
    ok(done.rc == 0 and not done.err and all(picture.has(label) for _, label in want), "drawn", done)


@pytest.mark.parametrize("args, fault", named((
    (["latency.json", "--line", "100Gbit/s"], "value '100Gbit/s' of '--line' does not fit 'half_rtt_p50_s', which is in s"),
    (["beff.json", "--line", "5us"], "value '5us' of '--line' does not fit 'bandwidth_max_Bps', which is in B/s"),
    (["beff.json", "--line", "fast"], "value 'fast' of '--line' does not fit"))))
def test_a_line_that_does_not_fit_is_refused(args, fault, records):
    done = run("plot", *args)
    ok(done.rc == 2 and fault in done.err and len(done.err.splitlines()) == 1, "refused", done)


def test_a_line_on_a_page_is_where_its_unit_fits(records):
    text, _ = script_of("all.json", "-o", "x.svg", "--line", "1kHz=wanted")
    panels = text.count("\nplot ")
    ok(0 < len(rules(text)) < panels, "in panels of frequencies", (len(rules(text)), panels))


# ---- steps ----

def test_how_many_have_a_message_is_a_step_function(records):
    """P(t) holds until the next one has it."""
    done = run("model", "--logp", "L=6us,o=2us,g=4us", "--reach", "40us", "-o", "logp.json")
    text, blocks = script_of("logp.json", "-o", "x.svg")
    ok(done.rc == 0 and "points0 using 1:2 with steps" in text and "with lines" not in text and
       "steps: a value holds until the next" in text, "steps", text)
    heights = [y for _, y in blocks["points0"]]
    ok(len(heights) > 4 and heights == sorted(heights), "up", heights)


# ---- forms ----

def test_a_png_has_the_size_asked_for(records):
    done = run("plot", "latency.json", "-o", "x.png", "--size", "700x500")
    with open("x.png", "rb") as f:
        head = f.read(24)
    ok(done.rc == 0 and not done.out and head[:8] == b"\x89PNG\r\n\x1a\n", "PNG", done)
    equal(struct.unpack(">II", head[16:24]), (700, 500), "its size")


def test_a_pdf_is_whole(records):
    done = run("plot", "latency.json", "-o", "x.pdf")
    if done.rc == 3:
        pytest.skip(done.err.strip())
    with open("x.pdf", "rb") as f:
        text = f.read()
    ok(done.rc == 0 and text[:5] == b"%PDF-" and b"%%EOF" in text[-32:], "PDF", done)


def test_an_svg_has_the_size_asked_for(records):
    _, picture = draw("latency.json", "--size", "640x480")
    equal(picture.size, (640, 480), "size of an SVG")
    _, one = draw("latency.json")
    _, few = draw("all.json", "--where", "benchmark=2.3")
    _, more = draw("all.json")
    ok(one.size[0] == 960 and few.size[0] == more.size[0] == 1280 and more.size[1] > few.size[1] + 300,
       "a page is wider, and as high as its panels", (one.size, few.size, more.size))


def test_a_small_picture_leaves_text_out_and_says_so(records):
    many = changed(records["shm"], warnings=[f"warning {i} " + "of some length " * 8 for i in range(4)])
    write_result(".", "x.json", many)
    done, picture = draw("x.json", "--size", "400x300")
    ok(done.rc == 0 and picture.size == (400, 300) and not picture.outside(), "400x300", picture and picture.outside())
    left = [t for t in picture.texts if re.fullmatch(r"\d+ lines have no room in 400x300: see '--size'", t)]
    ok(len(left) == 1 and "half round trip" in picture.texts and "message size" in picture.texts, "what is left out is counted", picture.texts)
    _, large = draw("x.json", "--size", "1280x720")
    ok(large.has("warning 3 of some") and not large.has("have no room"), "a large one has all", large.texts)
    sizes = [float(re.search(r'font-size="([\d.]+)"', open("out.svg").read())[1])
             for _ in [draw("latency.json", "--size", size) for size in ("1280x720",)]]
    equal(sizes, [16.0], "with larger letters")


def test_a_file_that_was_there_is_replaced(records):
    with open("old.svg", "w") as f:
        f.write("x" * 1000000)
    done = run("plot", "latency.json", "-o", "old.svg")
    ok(done.rc == 0 and Picture("old.svg").marks, "a file that was there is replaced", done)


@pytest.mark.parametrize("size", ("80x24", "80x25", "101x33", "133x50"))
@pytest.mark.parametrize("file, want", named((
    ("latency.json", ["latency on sim: half round trip over message size", " message size", " 0 B ", " 4 KiB ",
                      "joined points are computed, without intervals", "column half_rtt_p50_s over size_B"]),
    ("msgrate.json", ["msgrate on sim: message rate over messages in flight", " messages in flight", "A*8 B", "B#64 B", " 16 "]),
    ("multicast.json", ["atlas-1.6 multicasting on sim: time of an iteration over message size", "column event_s over size_B",
                        "linear, 3 ranks", "binomial, 9 ranks"]))))
def test_all_text_is_there_in_a_terminal_of_any_size(file, want, size, records):
    """Lines are no longer than that."""
    done = run("plot", file, "--size", size)
    lines = done.out.splitlines()
    missing = [w for w in want if w not in done.out]
    ok(done.rc == 0 and not missing, f"terminal: {file}, {size}", f"{missing}\n{done.out}\n{done}")
    w, h = map(int, size.split("x"))
    ok(len(lines) <= h and max(map(len, lines)) <= w, "it fits", (len(lines), max(map(len, lines))))


def test_term_draws_in_the_terminal(records):
    done = run("plot", "latency.json", "--term")
    ok(done.rc == 0 and done.out.count("A") >= 5, "--term", done)


def test_a_file_may_be_given_twice(records):
    two = run("plot", "latency.json", "latency.json")
    ok(two.rc == 0, "a file twice", two)


@pytest.mark.skipif(not shutil.which("script"), reason="no script(1)")
def test_the_size_is_that_of_the_terminal(records):
    """Less a line for the prompt."""
    p = subprocess.run(["script", "-qec", f"stty cols 97 rows 41; '{NETBENCH}' plot latency.json", "/dev/null"],
                       stdin=subprocess.DEVNULL, capture_output=True, text=True)
    lines = [x for x in p.stdout.replace("\r", "").split("\n") if x.strip()]
    ok(p.returncode == 0 and lines and max(map(len, lines)) == 97 and 37 <= len(lines) <= 40, "the terminal's size",
       p.stdout)


def test_a_script_that_is_run_by_hand_draws_the_same(records):
    done = run("plot", "latency.json", "model.json", "--script", "-o", "by-hand.svg")
    ok(done.rc == 0 and not done.err and not os.path.exists("by-hand.svg"),
       "a script draws nothing", done)
    p = subprocess.run(["gnuplot"], input=done.out, text=True, capture_output=True)
    direct, picture = draw("latency.json", "model.json")
    ok(p.returncode == 0 and not p.stderr and direct.rc == 0, "run by hand", p)
    by_hand = Picture("by-hand.svg")
    equal((by_hand.texts, by_hand.marks), (picture.texts, picture.marks), "the same picture")


@pytest.mark.parametrize("value", (None, True, -7, 0, 1e300, 1e-300, -1e308, "text", [], [1], {}, {"a": None}), ids=repr)
def test_values_of_any_type_where_another_is_expected(value, records):
    """Nor do extreme numbers bring it down."""
    base = records["multicast"]
    new = changed(base, status=value, warnings=value, definition=value, summary=value)
    new["options"] = {k: value for k in new["options"]}
    new["environment"] = {k: value for k in new["environment"]}
    for rows in ([{k: value for k in row} for row in base["rows"]],
                 [{**row, "event_s": value} if i % 2 else row for i, row in enumerate(base["rows"])],
                 [{**row, "ranks": value} if i % 2 else row for i, row in enumerate(base["rows"])]):
        write_result(".", "x.json", {**new, "rows": rows + [{}]})
        for more in ([], ["-o", "x.svg"]):
            done = run("plot", "x.json", *more)
            ok(done.rc in (0, 2) and len(done.err.splitlines()) == (done.rc == 2), f"values {value!r} {more}", done)


# ---- over time ----

def test_results_stand_at_the_days_since_the_first(records):
    """Those that differ in time alone are one series for each size; others keep their own; order of the files does not count."""
    nights = []
    for day in (3, 0, 1):
        env = {**records["shm"]["environment"], "time": {**records["shm"]["environment"]["time"], "start": f"2026-11-{10 + day}T06:00:00Z"}}
        nights.append((day, f"night{day}.json"))
        write_result(".", nights[-1][1], changed(records["shm"], environment=env))
    text, blocks = script_of(*[name for _, name in nights], "--x", "time", "--column", "half_rtt_epoch_s")
    ok("column half_rtt_epoch_s over time" in text and "days since the first result" in text and "unset logscale x" in text, "over time", text)
    rows = {r["size_B"]: r["half_rtt_epoch_s"] for r in records["shm"]["rows"]}
    got = [[g[:2] for g in blocks[f"points{i}"]] for i in range(len(rows))]
    ok(all([x for x, _ in one] == [0, 1, 3] and all(close_to(y, want, 1e-6) for _, y in one) for one, want in zip(got, rows.values())),
       "a series for each size, by time", got)
    text, blocks = script_of("beff.json", "--x", "time", "--column", "summary.b_eff_Bps")
    ok(blocks["points0"][0][0] == 0 and close_to(blocks["points0"][0][1], records["beff"]["summary"]["b_eff_Bps"], 1e-6), "a number of the summary",
       blocks)
