# SPDX-License-Identifier: Apache-2.0
"""netbench plot: several benchmarks in pictures of their own, legends that are complete, files that add nothing, and
presets marked in sweeps of windows and batches."""
import json
import os
import re
import shutil

import pytest
from netbench import close_to, equal, named, ok, one_fault, run, write_result
from picture import SVG, Picture, changed, draw, script_of

pytestmark = [pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot"), pytest.mark.usefixtures("records")]

SMALL = ["--sizes", "0,64,1k"]
WINDOWS = ["--sizes", "16", "--window", "1:256:*2"]
LOGGP = ["model", "--loggp", "L=1us,o=200ns,g=300ns,G=0.1ns", "--sizes", "8,64,512,4k"]
RDMA = ["model", "--example", "--sizes"]
RDMA_NET = "rdma:o_wqe=20ns,o_db=65ns,G=0.0825ns,L=1us"
RESULTS = {
    "a": ["atlas-all", "-b", "sim", "-n", "14", *SMALL],
    "b": ["atlas-all", "-b", "sim", "--sim", "L=5us,o=300ns,g=300ns,G=1ns", "-n", "14", *SMALL],
    "one": ["atlas-1.1", "-b", "sim", *SMALL],
    "two": ["atlas-1.2", "-b", "sim", *SMALL],
    "latency": ["latency", "-b", "sim", "--sizes", "8,64,512,4k"],
    "pingpong": [*LOGGP, "--pattern", "ping-pong"],
    "pingpongs": [*LOGGP, "--pattern", "ping-pong,stream", "--messages", "10"],
    "stream": [*LOGGP, "--pattern", "stream"],
    "msgrate": ["msgrate", "-b", "sim", *WINDOWS],
    "presets": ["msgrate", "-b", "sim", "--sim", RDMA_NET, "--sizes", "16", "--preset", "sequential,unbatched,batched"],
    "sizes": ["bandwidth", "-b", "sim", "--sim", RDMA_NET, "--sizes", "16,256,4k,64k", "--preset", "sequential,unbatched,batched"],
    "batch": ["msgrate", "-b", "sim", "--sizes", "16", "--window", "64", "--batch", "1:16:*2", "--sim", RDMA_NET],
    "batches": ["bandwidth", "-b", "sim", "--sizes", "16", "--window", "64,256", "--batch", "1:16:*2", "--sim", RDMA_NET],
    "wide": ["bandwidth", "-b", "sim", "--sizes", "16,4k", "--window", "1:256:*2"],
    "acks": ["model", "--loggp", "L=1us,o=200ns,g=300ns,G=0.1ns", *WINDOWS],
    "each": ["bandwidth", "-b", "sim", "--ack", "each", *WINDOWS],
    "rdma": [*RDMA, "16", "--window", "1:256:*2"],
    "rdma-batches": [*RDMA, "16", "--window", "1:256:*2", "--batch", "1,8"],
    "rdma-sizes": [*RDMA, "16,256,4k,64k"],
}

BENCHMARKS = [f"1.{i}" for i in range(1, 8)] + [f"2.{i}" for i in range(1, 4)]


# ---- small multiples ----

def panels_of(picture):
    """The texts of a page, by the titles of its panels."""
    heads = [i for i, t in enumerate(picture.texts) if re.match(r"atlas-\d\.\d ", t)]
    return {picture.texts[i].split()[0]: picture.texts[i] for i in heads}


def test_benchmarks_are_small_multiples(records):
    """On one page, with one title and one caption."""
    done, picture = draw("a.json")
    if not ok(done.rc == 0 and not done.err and not done.out and os.listdir(".").count("out.svg") == 1, "drawn", done):
        return
    equal(sorted(panels_of(picture)), [f"atlas-{b}" for b in BENCHMARKS], "a panel for each")
    ok("atlas-1.4 pairs" in picture.texts and "atlas-all on sim: 10 benchmarks" in picture.texts, "in words", picture.texts)
    equal(sum(t.count("backend sim") for t in picture.texts), 1, "one header")
    ok(picture.has("2.1, 2.2: column frequency_Hz over") or picture.has("2.1, 2.2, 2.3: column frequency_Hz over"),
       "lines that are about some panels name them", picture.texts)
    shown = sum(m > 0 and g.find(f".//{SVG}text") is not None for m, g in zip(picture.marks, picture.parts))
    equal(sum(picture.marks) - shown, sum(r["event_s"] is not None for r in records["a"]["rows"]), "a point for each row")
    ok(not picture.outside(), "all within the page", picture.outside())


def test_panels_of_one_quantity_have_one_axis():
    text, _ = script_of("a.json", "-o", "out.svg")
    ranges = re.findall(r"^set yrange \[(.*)\]$", text, re.M)
    ok(len(ranges) == 12 and len(set(ranges[:7])) == 1 and len(set(ranges[7:])) == 1 and ranges[0] != ranges[7],
       "times, and frequencies", ranges)
    sizes = re.findall(r"^set xrange \[(.*)\]$", text, re.M)
    ok(len(set(sizes)) == 1, "and sizes", sizes)
    equal((text.count("\nplot "), text.count("\nset multiplot"), re.findall(r"^set output '(.*)'", text, re.M)),
          (12, 1, ["out.svg"]), "one file")


PANEL = re.compile(r"^reset\n(.*?)(?=^reset\n|\Z)", re.M | re.S)


def panels_in(text):
    """[(title, [(label, colour)])] of the panels of a script."""
    found = []
    for part in PANEL.findall(text):
        title = re.findall(r"set label '([^']*)' at screen \S+, screen \S+ left font 'sans", part)
        found.append((title[-1] if title else "", re.findall(r"linecolor rgb '(#\w+)' title '([^']*)'", part)))
    return found


@pytest.fixture
def loaded(records):
    """x.json: atlas-1.6 as if measured on three numbers of ranks, with two algorithms under four loads."""
    rows = [r for r in records["a"]["rows"] if r["benchmark"] == "1.6"]
    some = [{**r, "algorithm": algorithm, "ranks": ranks, "load": load, "event_s": r["event_s"] * ranks * (1 + k)}
            for ranks in (2, 4, 8) for k, load in enumerate(("none", "sender", "receiver", "both"))
            for algorithm in ("linear", "binomial") for r in rows if r["algorithm"] == "linear"]
    new = changed(records["a"], rows=some, computed=False)
    new["environment"]["backend"].update(name="shm", method="measured")
    write_result(".", "x.json", new)


def test_many_series_are_spread_over_panels_with_common_axes(loaded):
    """24 series: at most six in a panel, the same look for the same words, on common axes."""
    text, _ = script_of("x.json", "-o", "x.svg")
    panels = panels_in(text)
    want = [f"load {load}, {ranks} ranks" for ranks in (2, 4, 8) for load in ("none", "sender", "receiver", "both")]
    equal([title for title, _ in panels], want, "a panel for each")
    equal({tuple(label for _, label in series) for _, series in panels}, {("linear", "binomial")}, "of few series")
    equal(len({(colour, label) for _, series in panels for colour, label in series}), 2, "a look each")
    for axis in "xy":
        equal(len(set(re.findall(rf"^set {axis}range .*", text, re.M))), 1, f"one axis of {axis}")
    ok("column event_s over size_B" in text, "over the size", text[-3000:])


def test_what_more_there_is_goes_on_in_a_next_panel(records):
    """Where no key makes few panels."""
    write_result(".", "x.json", many(records["a"], 15))
    text, _ = script_of("x.json", "-o", "x.svg")
    equal([len(series) for _, series in panels_in(text)], [6, 6, 3], "six at most")


def test_marks_of_one_size_stand_side_by_side(loaded):
    text, blocks = script_of("x.json", "-o", "x.svg", "--where", "load=none", "--where", "ranks=4")
    moved = [float(f) for f in re.findall(r"points\d using \(\$1\*([\d.]+)\):2 with points", text)]
    ok(len(moved) == 2 and moved[0] < 1 < moved[1] and moved[1] < 1.3, "aside", moved)
    bars = [float(f) for f in re.findall(r"points\d using \(\$1\*([\d.]+)\):3:\(0\)", text)]
    ok(bars in ([], moved), "with their bars", bars)
    ok("marks of one message size stand side by side" in text, "which is said", text[-2000:])
    equal([x for x, _ in blocks["points0"]], [x for x, _ in blocks["points1"]], "the data are as they were")
    text, _ = script_of("x.json", "-o", "x.svg", "--where", "load=none", "--where", "ranks=4", "--where", "algorithm=linear")
    ok("side by side" not in text and "points0 using 1:2 with" in text, "a single one stays", text[-2000:])


def test_no_label_of_a_panel_is_cut():
    shutil.copy("a.json", "a-name-of-some-length.json")
    _, picture = draw("a-name-of-some-length.json", "b.json")
    cut = [x for x in picture.legend() if x.endswith("...")]
    ok(not cut and not picture.outside(), "whole", cut)


@pytest.mark.parametrize("size, fits", (("1280x720", True), ("1920x1080", True), ("400x300", False)))
def test_panels_fit_a_given_size_or_are_refused(size, fits):
    done, picture = draw("a.json", "--size", size)
    if not fits:
        ok(one_fault(done, 2, f"no room in {size} for 12 panels", "'--separate'"), "no room", done)
        return
    ok(done.rc == 0 and picture.size == tuple(map(int, size.split("x"))) and not picture.outside(), "drawn",
       picture and picture.outside())


def test_the_status_of_a_file_stands_above_its_panels(records):
    write_result(".", "x.json", changed(records["a"], status="interrupted", warnings=["too warm"]))
    _, picture = draw("x.json")
    ok(sum("interrupted, points may be missing" in t for t in picture.texts) == 1 and
       sum("warning: too warm" in t for t in picture.texts) == 1, "once", picture.texts)


# ---- a picture for each benchmark ----

def test_each_benchmark_has_a_file(records):
    """With the series of both results in each, in a legend that is complete."""
    done = run("plot", "a.json", "b.json", "--separate", "-o", "out.svg")
    files = [f"out-{b}.svg" for b in BENCHMARKS]
    equal((done.rc, done.err, done.out.split()), (0, "", files), "files by the names of benchmarks, which are printed")
    equal(sorted(x for x in os.listdir(".") if x.startswith("out")), sorted(files), "no others")
    for i, (benchmark, name) in enumerate(zip(BENCHMARKS, files)):
        picture = Picture(name)
        labels = picture.legend()
        rows = [r for r in records["a"]["rows"] if r["benchmark"] == benchmark]
        column = "event_s" if benchmark < "2" else "frequency_Hz"
        ok(any(re.match(rf"atlas-{benchmark} [a-z -]+ \({i + 1} of 10\) on sim: ", t) for t in picture.texts) and picture.has(f"column {column} over"), f"{name}: its own column",
           picture.texts)
        series = {(r["algorithm"], r["sources"], r["occupation_s"]) for r in rows}
        if benchmark == "2.3":      # over the sizes, though topologies differ in ranks
            series = {(r["sources"], r["stages"], r["occupation_s"]) for r in rows}
        equal([sum(x.startswith(f) for x in labels) for f in ("a.json", "b.json")], [len(series)] * 2,
              f"{name}: a legend of all series of both files")
        equal(picture.points, 2 * len(rows), f"{name}: a point for each row of both")
        ok(not picture.outside() and picture.size[1] < 1000, f"{name}: all within the picture", picture.outside())


def test_a_pdf_has_a_page_for_each_benchmark():
    done = run("plot", "a.json", "b.json", "--separate", "-o", "out.pdf")
    if done.rc == 3:
        pytest.skip(done.err.strip())
    with open("out.pdf", "rb") as f:
        text = f.read()
    ok(done.rc == 0 and not done.out, "one file", done)
    equal(re.findall(rb"/Type /Pages.*?/Count (\d+)", text, re.S), [b"10"], "of ten pages")


def test_pictures_of_characters_follow_one_another():
    done = run("plot", "a.json", "b.json")
    titles = re.findall(r"^ *(atlas-\d\.\d) [a-z -]+ \((\d+) of 10\)", done.out, re.M)
    equal((done.rc, titles), (0, [(f"atlas-{b}", str(i + 1)) for i, b in enumerate(BENCHMARKS)]), "all ten")
    ok("\f" not in done.out and not done.out.startswith("\n"), "without form feeds", done)
    ok(max(map(len, done.out.splitlines())) <= 80, "as wide as one alone", done)
    page = done.out[done.out.index("atlas-2.1 push farm ("):done.out.index("atlas-2.2 pull farm (")]
    legend = re.findall(r"[A-Z][* ]?[#%]? ?([ab]\.json, .*?)(?:   |$)", page, re.M)
    equal(len(set(x.strip() for x in legend if "occupation" in x)), 6, "the legend of the push farm has all series")


def test_the_script_has_all_pictures():
    text, _ = script_of("a.json", "b.json", "--separate", "-o", "out.svg")
    equal(re.findall(r"^set output '(.*)'", text, re.M), [f"out-{b}.svg" for b in BENCHMARKS], "a file each")
    equal(text.count("\nplot "), 12, "ten pictures, one of three panels")
    text, _ = script_of("a.json", "b.json", "--separate", "-o", "out.pdf")
    equal((re.findall(r"^set output '(.*)'", text, re.M), text.count("\nplot ")), (["out.pdf"], 12), "or pages of one")


def test_one_benchmark_alone_has_the_file_itself():
    done, picture = draw("a.json", "b.json", "--where", "benchmark=1.6")
    ok(done.rc == 0 and not done.out and os.path.exists("out.svg"), "the file itself", done)
    equal(sorted(picture.legend()), sorted(f"{f}.json, {a}" for f in "ab" for a in ("linear", "binomial")), "its legend")
    _, picture = draw("a.json", "b.json", "--where", "benchmark=2.2")
    ok(picture.has("column frequency_Hz over") and not picture.has(" of 1"), "its own column, and no number", picture.texts)


def test_a_file_without_the_column_is_refused():
    done, picture = draw("latency.json", "one.json", "--column", "half_rtt_epoch_s")
    ok(one_fault(done, 2, "'one.json' has no column 'half_rtt_epoch_s'"), "no column", done)
    done = run("plot", "a.json", "latency.json", "-o", "out.svg")
    ok(one_fault(done, 2, "'latency.json' has no column 'event_s'"), "no column in a picture", done)


def test_benchmarks_are_drawn_side_by_side():
    done, picture = draw("a.json", "--x", "benchmark", "--where", "size_B=64")
    ok(done.rc == 0 and all(b in picture.texts for b in BENCHMARKS), "one picture over the benchmarks",
       picture and picture.texts)


def test_results_of_one_benchmark_each_are_compared():
    done, picture = draw("one.json", "two.json")
    ok(done.rc == 0 and picture.legend() == ["one.json: atlas-1.1", "two.json: atlas-1.2"], "one picture", done)


def test_what_a_file_lacks_is_said_in_each_picture():
    done = run("plot", "one.json", "a.json", "--separate", "-o", "out.svg")
    ok(done.rc == 0 and not done.err, "nothing is missing altogether", done)
    ok(not Picture("out-1.1.svg").has("one.json: not drawn"), "drawn where it has rows")
    ok(Picture("out-2.1.svg").has("one.json: not drawn: no row belongs to atlas-2.1"), "and why not elsewhere",
       Picture("out-2.1.svg").texts)
    ok(Picture("out-2.1.svg").has("frequency_Hz"), "whose column is its own", Picture("out-2.1.svg").texts)


def test_benchmarks_without_the_column_are_named():
    done = run("plot", "a.json", "--column", "interval_p99_s", "--separate", "-o", "out.svg")
    equal((done.rc, done.out.split()), (0, ["out-2.1.svg", "out-2.2.svg", "out-2.3.svg"]), "those that have it")
    ok(len(done.warnings) == 1 and "no picture of benchmark '1.1', '1.2'" in done.err and "'interval_p99_s'" in done.err,
       "and which have not", done)


# ---- files of pictures ----

def test_no_input_is_overwritten():
    for name in ("out-1.3.svg", "link.json"):
        if name == "link.json":
            os.remove("out-1.3.svg")
            os.symlink("a.json", "out-1.3.svg")
            os.symlink("a.json", name)
        else:
            shutil.copy("a.json", name)
        before = sorted(os.listdir("."))
        done = run("plot", name, "b.json", "--separate", "-o", "out.svg")
        ok(one_fault(done, 2, "'out-1.3.svg' of '--output' is also read", f"'{name}'"), "refused", done)
        equal((sorted(os.listdir(".")), os.path.getsize("a.json") > 10000), (before, True), "nothing is written")


def test_all_are_drawn_before_one_is_written():
    """gnuplot fails the third time; an older picture stays, and no part is left."""
    os.makedirs("bin")
    with open("bin/gnuplot", "w") as f:
        f.write(f"#!/bin/sh\necho x >> count\n[ $(wc -l < count) = 3 ] && exit 1\nexec {shutil.which('gnuplot')} \"$@\"\n")
    os.chmod("bin/gnuplot", 0o755)
    with open("out-1.1.svg", "w") as f:
        f.write("old")
    before = sorted(os.listdir("."))
    done = run("plot", "a.json", "--separate", "-o", "out.svg", env={**os.environ, "PATH": os.path.abspath("bin") + ":/usr/bin:/bin"})
    ok(one_fault(done, 1, "gnuplot failed") and not done.out, "fails", done)
    equal((sorted(os.listdir(".")), open("out-1.1.svg").read()), (sorted(before + ["count"]), "old"), "all is as it was")


def test_a_name_that_is_no_part_of_a_file_name(records):
    new = changed(records["a"])
    for row in new["rows"]:
        row["benchmark"] = {"1.3": "../x"}.get(row["benchmark"], row["benchmark"])
    write_result(".", "x.json", new)
    ok(one_fault(run("plot", "x.json", "--separate", "-o", "out.svg"), 2, "'../x' cannot be part of a file's name"), "refused")
    equal(run("plot", "x.json", "-o", "out.pdf").rc in (0, 3), True, "but a page")


# ---- legends ----

def many(record, n):
    """The result with n series."""
    rows = [r for r in record["rows"] if r["benchmark"] == "1.1"]
    return changed(record, rows=[{**r, "algorithm": f"k-nomial={i}, of many"} for i in range(n) for r in rows])


@pytest.mark.parametrize("n", (40, 136))
def test_a_legend_of_many_series_is_complete(n, records):
    write_result(".", "x.json", many(records["a"], n))
    done, picture = draw("x.json", "b.json", "--where", "benchmark=1.1")
    if not ok(done.rc == 0, "drawn", done):
        return
    labels = picture.legend()
    equal(len(set(labels)), n + 1, "an entry for each series")
    ok(not picture.outside(), "all within the picture", picture.outside())
    done = run("plot", "x.json")
    missing = [i for i in range(n) if f"k-nomial={i}," not in done.out]
    ok(done.rc == 0 and not missing, "in a terminal too", f"{missing} {done}")
    ok(one_fault(run("plot", "x.json", "--size", "960x480", "-o", "out.svg"), 2, "no room in 960x480")
       if n == 136 else True, "no room is a fault")
    ok(one_fault(run("plot", "x.json", "--size", "80x24"), 2, "no room in 80x24"), "in a terminal too")


# ---- files that add nothing ----

@pytest.mark.parametrize("args, why", named((
    (["latency.json", "stream.json"], "'stream.json' adds nothing to the picture: no row has the pattern one-way or ping-pong"),
    (["latency.json", "empty.json"], "'empty.json' adds nothing to the picture: it has no rows"),
    (["latency.json", "nothing.json"], "no row has both 'half_rtt_p50_s' and 'size_B': n/a: it was? too late"),
    (["latency.json", "small.json", "--where", "size_B=512,4k"], "'small.json' adds nothing to the picture: no row meets '--where'"),
    (["a.json", "small-one.json", "--where", "size_B=0,64"], "'small-one.json' adds nothing to any picture: no row belongs to"))))
def test_a_file_that_adds_nothing_is_said(args, why, records):
    write_result(".", "empty.json", changed(records["latency"], rows=[]))
    write_result(".", "small.json", changed(records["latency"], rows=records["latency"]["rows"][:2]))
    write_result(".", "small-one.json", changed(records["one"], rows=records["one"]["rows"][2:]))
    write_result(".", "nothing.json", changed(records["latency"], rows=[
        {**r, "half_rtt_epoch_s": None, "half_rtt_p50_s": None, "note": "n/a: it was\x1b too late"} for r in records["latency"]["rows"]]))
    done = run("plot", *args, "--separate", "-o", "out.svg")
    ok(done.rc == 0 and len(done.err.splitlines()) == 1 and len(done.warnings) == 1 and why in done.err, "a warning", done)
    picture = Picture("out.svg" if args[0] == "latency.json" else "out-1.1.svg")
    ok(picture.has(f"{args[1]}: not drawn: "), "and a line below the picture", picture.texts)


def test_half_of_a_pingpong_is_half_a_round_trip(records):
    """It lies on what is simulated."""
    text, blocks = script_of("latency.json", "pingpong.json", "-o", "x.svg")
    same = [close_to(a[1], b[1], 1e-3) for a, b in zip(blocks["points0"], blocks["points1"])]
    equal(same, [True] * 4, "the same points")
    ok("pingpong.json: pattern ping-pong is drawn as half a round trip: model_s / (2 messages)" in text, "which is said", text)
    text, blocks = script_of("latency.json", "pingpongs.json")
    rows = [r for r in records["pingpongs"]["rows"] if r["pattern"] == "ping-pong"]
    equal([close_to(p[1], r["model_s"] / 20, 1e-6) for p, r in zip(blocks["points1"], rows)], [True] * 4, "of ten of them")
    ok("pingpongs.json: only pattern ping-pong" in text, "and no other pattern", text)
    _, blocks = script_of("pingpong.json")
    equal(blocks["points0"][0][1], records["pingpong"]["rows"][0]["model_s"], "by itself it is what it is")


def test_named_patterns_are_drawn(records):
    """Ping-pongs as half a round trip, what else is named as it is."""
    text, blocks = script_of("latency.json", "pingpongs.json", "--where", "pattern=ping-pong,stream")
    titles = re.findall(r" title '([^']*)'", text)
    first = {t: blocks[f"points{i}"][0] for i, t in enumerate(titles)}
    equal(sorted(titles), ["latency.json: latency, backend sim", "pingpongs.json: model, time by formula, ping-pong",
                           "pingpongs.json: model, time by formula, stream"], "both")
    rows = {r["pattern"]: r["model_s"] for r in records["pingpongs"]["rows"] if r["size_B"] == 8}
    for pattern, by in (("ping-pong", 20), ("stream", 1)):
        got = first.get(f"pingpongs.json: model, time by formula, {pattern}", [0, 0])[1]
        ok(close_to(got, rows[pattern] / by, 1e-6), pattern, got)


# ---- windows and batches ----

MARK = re.compile(r"^set label '(\w*)' at ([-\d.e+]+),([-\d.e+]+) \w+ offset", re.M)


@pytest.mark.parametrize("name, over, labels, marks", named((
    ("msgrate", "window", [], [("sequential", 1), ("unbatched", 64)]),
    ("presets", "window", [], [("sequential", 1), ("unbatched", 64), ("batched", 256)]),
    ("acks", "window", ["ack reply", "ack message"], []),
    ("each", "window", [], [("sequential", 1), ("unbatched", 64)]),
    ("rdma", "window", [], [("sequential", 1), ("unbatched", 64)]),
    ("rdma-batches", "window", ["batch 1", "batch 8"], [("sequential", 1), ("unbatched", 64), ("batched", 256)]),
    ("batch", "batch", [], [("unbatched", 1)]),
    ("batches", "batch", ["window 64", "window 256"], [("unbatched", 1), ("batched", 8)]),
    ("wide", "window", ["16 B", "4 KiB"], [("", 1), ("", 64), ("sequential", 1), ("unbatched", 64)]),
    ("sizes", "size_B", ["window 1 (sequential)", "window 64 (unbatched)", "window 256 (batched)"], []),
    ("rdma-sizes", "size_B", ["window 1 (sequential)", "window 64 (unbatched)", "window 256 (batched)"], []))))
def test_a_sweep_is_one_series_with_presets_marked(name, over, labels, marks, records):
    text, blocks = script_of(f"{name}.json", "-o", "x.svg")
    equal(re.search(r"set label 'column \S+ over (\w+)'", text)[1], over, "over")
    equal(re.findall(r" title '([^']*)'", text), labels, "a series for each")
    found = MARK.findall(text)
    equal([(m[0], float(m[1])) for m in found], marks, "marks")
    points = {(f"{x:.9g}", f"{y:.9g}") for k, rows in blocks.items() if k.startswith("points") for x, y in rows}
    ok(all((f"{float(x):.9g}", f"{float(y):.9g}") in points for _, x, y in found), "at points", (found, points))
    equal("rings: the presets of window and batch" in text, bool(marks), "the caption says what rings are")


def test_a_sliding_window_lies_on_its_formula():
    """Measured in virtual time, but for its start and end, at most 1/loops."""
    _, blocks = script_of("each.json", "acks.json", "--where", "ack=message")
    near = [close_to(a[1], b[1], 1 / 64) for a, b in zip(blocks["points0"], blocks["points1"])]
    equal(near, [True] * 9, "points of both")


def test_presets_are_named_in_a_terminal():
    done = run("plot", "msgrate.json", "--size", "100x40")
    ok(done.rc == 0 and "sequential" in done.out and "unbatched" in done.out and
       "named points: the presets of window and batch" in done.out, "named", done)


def test_a_preset_looks_alike_measured_and_by_formula():
    rdma = "rdma:o_wqe=20,o_db=65,o_cqe=15,o_nsnd=70,o_nrcv=60,G=0.0825,L=900,L_ack=2050"
    run("bandwidth", "-b", "sim", "--sim", rdma, "--ack", "each", "--preset", "sequential,unbatched,batched", "--sizes", "16,1k,64k", "-o", "m.json")
    run("model", "--example", "--sizes", "16,1k,64k", "-o", "f.json")
    write_result(".", "m.json", {**json.load(open("m.json")), "computed": False})
    (_, series), = panels_in(script_of("m.json", "f.json", "-o", "x.svg")[0])
    colours = {preset: {c for c, label in series if f"({preset})" in label} for preset in ("sequential", "unbatched", "batched")}
    equal([len(c) for c in colours.values()], [1, 1, 1], "one colour for the two curves of a preset")
    equal(len(set().union(*colours.values())), 3, "and another for each preset")


def test_a_board_alone_is_drawn_by_the_kernel_pair():
    run("model", "--board", "520n", "-o", "b.json")
    text, _ = script_of("b.json", "-o", "x.svg")
    ok("bandwidth of a kernel pair by formula" in text, "as the figure of the document", text[:900])
