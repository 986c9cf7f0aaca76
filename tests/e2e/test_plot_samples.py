# SPDX-License-Identifier: Apache-2.0
"""netbench plot --kind: distributions, histograms and time series of what --samples has kept."""
import math
import re
import shutil

import pytest
from netbench import close_to, equal, named, ok, one_fault, run, write_result
from picture import changed, draw, script_of

pytestmark = [pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot"), pytest.mark.usefixtures("records")]

KEPT = ["--samples", "-l", "200", "--repetitions", "8", "--ci", "0", "--point-time", "0"]
RESULTS = {
    "latency": ["latency", "-b", "shm", "--sizes", "8,64,4k", *KEPT],
    "bandwidth": ["bandwidth", "-b", "shm", "--sizes", "8,4k", *KEPT],
    "farm": ["atlas-2.1", "-b", "sim", "-n", "10", "--sizes", "64", "--occupation", "0,50", "--samples"],
    "none": ["latency", "-b", "sim", "--sizes", "8"],
}


def known(records, name="latency"):
    """x.json: one row of known samples. Ten round trips, seven repetitions."""
    row = {**records[name]["rows"][0], "samples": {
        "time_s": [3.0, 1.0, 2.0, 4.0, 2.0, 2.0, 8.0],
        "iteration_s_count": [[4e-6, 3], [2e-6, 5], [6e-6, 2]]}}
    write_result(".", "x.json", changed(records[name], rows=[row]))
    return row


def test_a_distribution_of_single_round_trips_shows_halves(records):
    """Which are halved, as half a round trip is."""
    known(records)
    text, blocks = script_of("x.json", "--kind", "cdf", "-o", "x.svg")
    got = blocks["points0"]
    want = [(1e-6, 0), (1e-6, 50), (2e-6, 80), (3e-6, 100)]
    ok(len(got) == 4 and all(close_to(g[0], w[0], 1e-8) and abs(g[1] - w[1]) < 1e-6 for g, w in zip(got, want)), "steps", got)
    ok("using 1:(nines($2)) with steps" in text and "latency on shm: distribution of the half round trip" in text and
       "'half round trip' at graph 0.5" in text and "10 single values of all repetitions" in text, "what is said", text)


def tics(text):
    return re.findall(r"^set ytics add \('([\d.]+) %%' \S+\)$", text, re.M)


def test_the_axis_of_a_distribution_tells_nines_apart(records):
    row = known(records)
    row["samples"]["iteration_s_count"] = [[4e-6, 99_000], [5e-6, 900], [6e-6, 90], [7e-6, 10]]
    write_result(".", "x.json", changed(records["latency"], rows=[row]))
    text, _ = script_of("x.json", "--kind", "cdf", "-o", "x.svg")
    equal(tics(text), ["0", "50", "90", "99", "99.9", "99.99", "99.999", "100"], "as far as so many samples tell")
    places = [float(v) for v in re.findall(r"^set ytics add \('[\d.]+ %%' (\S+)\)$", text, re.M)]
    ok(all(b - a > 0.2 for a, b in zip(places, places[1:])) and close_to(places[3] - places[2], 1, 1e-6), "apart", places)
    ok("the axis is scaled by nines" in text, "which is said", text)
    known(records)
    equal(tics(script_of("x.json", "--kind", "cdf", "-o", "x.svg")[0]), ["0", "50", "90", "100"], "of ten no more")
    linear, _ = script_of("x.json", "--kind", "cdf", "-o", "x.svg", "--linear", "y")
    ok("nines" not in linear and "points0 using 1:2 with steps" in linear, "or linear", linear)
    part, _ = script_of("x.json", "--kind", "cdf", "-o", "x.svg", "--y-range", "90:100")
    ok("set yrange [1:1.3]" in part, "from 90 % on", part)


def test_a_distribution_of_repetitions_has_the_value_of_the_row_as_median(records):
    """Of a column that is asked for; the median is the value of the row."""
    row = known(records)
    text, blocks = script_of("x.json", "--kind", "cdf", "--column", "half_rtt_epoch_s", "-o", "x.svg")
    values = [p[0] for p in blocks["points0"]][1:]
    want = [row["half_rtt_epoch_s"] * f for f in (0.5, 1, 1, 1, 1.5, 2, 4)]
    ok(len(values) == 7 and all(close_to(v, w, 1e-6) for v, w in zip(values, want)), "in proportion to their times", (values, want))
    ok("7 repetitions a series" in text, "what is said", text)


def test_rates_are_in_proportion_to_the_inverse(records):
    row = known(records, "bandwidth")
    _, blocks = script_of("x.json", "--kind", "time", "-o", "x.svg")
    want = [(i + 1, row["bandwidth_Bps"] * 2 / t) for i, t in enumerate((3, 1, 2, 4, 2, 2, 8))]
    ok(all(g[0] == w[0] and close_to(g[1], w[1], 1e-6) for g, w in zip(blocks["points0"], want)) and
       len(blocks["points0"]) == 7, "repetition by repetition", (blocks, want))


def test_a_time_series_has_the_samples_in_their_order(records):
    row = known(records)
    text, blocks = script_of("x.json", "--kind", "time", "-o", "x.svg")
    want = [(i + 1, row["half_rtt_epoch_s"] * t / 2) for i, t in enumerate((3, 1, 2, 4, 2, 2, 8))]
    ok(all(g[0] == w[0] and close_to(g[1], w[1], 1e-6) for g, w in zip(blocks["points0"], want)), "in their order", blocks)
    ok("half round trip (mean of many), repetition by repetition" in text and "'1.5'" not in text, "over whole numbers", text)


@pytest.mark.parametrize("args", ([], ["--linear", "x"], ["--column", "half_rtt_epoch_s"]), ids=str)
def test_a_histogram_has_all_values(args, records):
    known(records)
    _, blocks = script_of("x.json", "--kind", "histogram", "-o", "x.svg", *args)
    bins = blocks["points0"]
    ok(math.isclose(sum(y for _, y in bins), 100, abs_tol=1e-4), "100 %", bins)
    edges = [x for x, _ in bins[1:]]
    ok(edges == sorted(edges) and bins[0][1] == bins[-1][1] == 0, "from 0 to 0", bins)


def test_bins_hold_the_values_that_they_should(records):
    known(records)
    _, blocks = script_of("x.json", "--kind", "histogram", "--linear", "x", "-o", "x.svg")
    bins = blocks["points0"][1:]
    full = [(a[0], b[0], a[1]) for a, b in zip(bins, bins[1:]) if a[1] > 0]
    ok([round(share) for _, _, share in full] == [50, 30, 20] and
       all(lo <= v * (1 + 1e-6) and v < hi * (1 + 1e-6) for (lo, hi, _), v in zip(full, (1e-6, 2e-6, 3e-6))), "shares", full)


@pytest.mark.parametrize("kind", ("cdf", "histogram", "time"))
def test_each_row_is_a_series(kind, records):
    _, picture = draw("latency.json", "--kind", kind)
    equal(picture and picture.legend(), ["8 B", "64 B", "4 KiB"], "all sizes")
    _, picture = draw("latency.json", "--kind", kind, "--where", "size_B=64,4k")
    equal(picture and picture.legend(), ["64 B", "4 KiB"], "those that are asked for")
    _, picture = draw("latency.json", "--kind", kind, "--sizes", "8:64:*8")
    equal(picture and picture.legend(), ["8 B", "64 B"], "as a list of sizes")
    _, picture = draw("farm.json", "--kind", kind)
    equal(picture and len(picture.legend()), 2, "of a farm each occupation")
    for form in ([], ["-o", "x.png", "--size", "400x300"], ["--term", "--size", "80x24", "--where", "size_B=8"]):
        done = run("plot", "latency.json", "--kind", kind, *form)
        ok(done.rc == 0 and not done.err, f"{kind} {form}", done)


def test_a_range_leaves_the_shares_as_they_are(records):
    known(records)
    text, blocks = script_of("x.json", "--kind", "cdf", "--x-range", "1.5us:", "-o", "x.svg")
    equal([round(y) for _, y in blocks["points0"]], [0, 50, 80, 100], "shares of all")
    ok("shares are of all values" in text, "which is said", text)
    text, blocks = script_of("x.json", "--kind", "histogram", "--x-range", "1.5us:", "-o", "x.svg")
    ok(round(sum(y for _, y in blocks["points0"])) == 50 and "shares are of all values" in text, "of a histogram", blocks)
    ok("shares are of all values" not in script_of("x.json", "--kind", "histogram")[0], "unless all are there")


@pytest.mark.parametrize("args, words", named((
    (["none.json", "--kind", "cdf"], "it has no such samples: measure with '--samples', and write .json"),
    (["latency.json", "--kind", "cdf", "--x", "size_B"], "'--kind cdf' draws samples, not columns: leave out '--x'"),
    (["latency.json", "--kind", "time", "--column", "half_rtt_p99_s"], "'half_rtt_p99_s' has no samples"),
    *((["latency.json", "--kind", kind, f"--{axis}-range", "100s:"], "is within the range of the axes")
      for kind, axis in (("cdf", "x"), ("histogram", "x"), ("time", "y"))),
    (["latency.json", "--kind", "pdf"], "'pdf' of '--kind'"))))
def test_what_samples_do_not_have_is_refused(args, words):
    ok(one_fault(run("plot", *args), 2, words), "refused")


@pytest.mark.parametrize("value", (None, 7, "text", [], [None, "x", -1], [[1]], {"a": 1}), ids=repr)
def test_samples_of_another_type_do_no_harm(value, records):
    row = records["latency"]["rows"][0]
    for samples in (value, {"time_s": value, "iteration_s_count": value},
                    {"time_s": [1e-300, 1, 1e300], "iteration_s_count": [[1e-300, 1], [1, 1e300], [1e300, value]]}):
        write_result(".", "x.json", changed(records["latency"], rows=[{**row, "samples": samples}, row]))
        for kind in ("cdf", "histogram", "time"):
            done = run("plot", "x.json", "--kind", kind, "-o", "x.svg")
            ok(done.rc in (0, 2) and len(done.err.splitlines()) == (done.rc == 2), f"{value!r} {kind}", done)
