# SPDX-License-Identifier: Apache-2.0
"""netbench model --logp as a companion of Hoefler's lecture HPC Networking Basics: its own forms beside the exact ones,
sweeps over P and k with their pictures, the FFT."""
import json
import math
import shutil
import xml.etree.ElementTree as xml

import pytest
from netbench import equal, measure, named, ok, one_fault, run
from picture import draw, script_of

LOGP, BROADCASTS = "L=6,o=2,g=4", ["linear", "binary", "k-ary", "binomial", "k-nomial", "optimal"]
SVG = "{http://www.w3.org/2000/svg}"

pytestmark = pytest.mark.usefixtures("inside")


def rows_of(*args):
    done, table = measure("model", *args)
    ok(done.rc == 0 and not done.err and table.status == "complete", "the model has rows", done)
    return table.rows


def broadcasts(rows):
    return [r for r in rows if r["pattern"] == "broadcast"]


# ---- the lecture's bounds ----

@pytest.mark.parametrize("P, k", named(((8, 4), (16, 4), (33, 3))))
def test_bounds_as_the_lecture_prints_them(P, k):
    L, o, g = 6, 2, 4
    m, one = max(o, g), L + 2 * o
    want = {"linear": L + (P - 2) * m + 2 * o, "binary": math.log2(P) * (L + m + 2 * o),
            "k-ary": math.log(P, k) * (L + (k - 1) * m + 2 * o), "binomial": math.log2(P) * one,
            "k-nomial": math.log(P, k) * (L + (k - 1) * m + 2 * o), "optimal": None}
    rows = broadcasts(rows_of("--logp", f"{LOGP},P={P}", "--arity", k))
    got = {r["algorithm"]: r["lecture_cycles"] for r in rows}
    equal(set(got), set(want), "all broadcasts")
    ok(all(got[a] is w is None or abs(got[a] - w) < 1e-9 * w for a, w in want.items()), "the lecture's bounds", got)


@pytest.mark.parametrize("net, algorithm, bound, exact", named((
    ("L=20,o=1,g=.5,P=33", "k-ary", 63.055, 71), ("L=2,o=10,g=.5,P=18", "binomial", 91.738, 98))))
def test_where_the_lectures_form_is_no_bound_the_row_says_so(net, algorithm, bound, exact):
    """METHODS 1.2"""
    row = [r for r in rows_of("--logp", net, "--arity", 4) if r["algorithm"] == algorithm][0]
    equal((round(row["lecture_cycles"], 3), row["model_cycles"], row["remark"]), (bound, exact, "lecture: no bound"),
          "the lecture's form is less than the exact time")
    ok(row["upper_bound_cycles"] >= exact, "the bound with whole depths holds", row)


def test_the_lectures_best_k_is_named():
    done = run("model", "--logp", f"{LOGP},P=64")
    ok("with the lecture's cost of a level, A + (k-1) m: 3.967;\n" in done.out and
       "with the exact cost for a k-nomial tree, A + (k-2) m: 3.181;\n" in done.out, "best k of both costs", done)


# ---- P(t) ----

def test_bounds_stand_beside_the_processors_reached():
    rows = rows_of("--logp", LOGP, "--reach", 24)
    want = [(t, 2.0 ** (t // 10), 2.0 ** (t // 4), 2.0 ** (t // 10), 2.0 ** (t // 2)) for t in (0, 10, 14, 18, 20, 22, 24)]
    equal([(r["after_cycles"], r["processors_least"], r["processors_most"], r["lecture_least"], r["lecture_most"])
           for r in rows], want, "2^floor(t/(L+2o)) and 2^floor(t/o)")
    equal((rows[-1]["processors"], rows[-1]["lecture_most"]), (8, 4096), "P(24)")
    ok(all(r["processors_least"] <= r["processors"] <= r["processors_most"] for r in rows), "bounds hold", rows)


def test_the_lectures_lower_bound_fails_where_the_gap_is_long():
    done = run("model", "--logp", "L=2,o=1,g=8", "--reach", 8)
    ok("the former is no bound here: g > L + 2o" in done.whole, "the footer says it", done)
    last = rows_of("--logp", "L=2,o=1,g=8", "--reach", 8)[-1]
    equal((last["processors"], last["lecture_least"], last["processors_least"]), (3, 4, 2), "P(8) is below it")


def test_without_overhead_the_lecture_has_no_upper_bound():
    equal({r["lecture_most"] for r in rows_of("--logp", "L=6,o=0,g=4", "--reach", 24)}, {None}, "2^floor(t/0)")


# ---- sweeps ----

@pytest.mark.parametrize("said, numbers", named((("2,4,8,16", [2, 4, 8, 16]), ("2:16:*2", [2, 4, 8, 16]),
                                                 ("9,5:7", [9, 5, 6, 7]))))
def test_a_sweep_over_processors_is_as_each_alone(said, numbers):
    each = [broadcasts(rows_of("--logp", f"{LOGP},P={P}")) for P in numbers]
    rows = rows_of("--logp", f"P={said},{LOGP}")
    equal(broadcasts(rows), sum(each, []), f"P={said}")
    equal([(r["pattern"], r["ranks"]) for r in rows[:3]], [("one-way", 2), ("stream", 2), ("ping-pong", 2)],
          "messages are there once")


def test_the_best_arity_is_the_default():
    equal(rows_of("--logp", f"{LOGP},P=64", "--arity", "auto"), rows_of("--logp", f"{LOGP},P=64"), "--arity auto")
    run("model", "--logp", f"{LOGP},P=64", "-o", "auto.json")
    run("model", "--logp", f"{LOGP},P=64", "--arity", "4,2", "-o", "two.json")
    said = [json.load(open(name))["options"]["arity"] for name in ("auto.json", "two.json")]
    equal(said, ["auto", [4, 2]], "the record has what was given")


def test_a_sweep_over_arities_is_as_each_alone():
    rows = broadcasts(rows_of("--logp", f"{LOGP},P=64", "--arity", "2:8"))
    for kind in ("k-ary", "k-nomial"):
        alone = [broadcasts(rows_of("--logp", f"{LOGP},P=64", "--arity", k)) for k in range(2, 9)]
        equal([r for r in rows if r["algorithm"] == kind], [r for rs in alone for r in rs if r["algorithm"] == kind],
              f"{kind}, k = 2 to 8")
    equal(sorted(r["algorithm"] for r in rows if r["arity"] is None), ["binary", "binomial", "linear", "optimal"],
          "trees without an arity are there once")


@pytest.mark.parametrize("args, words", named((
    (("--logp", f"{LOGP},P=2,1"), "'1' '2,1' 'P' out of range"), (("--logp", f"{LOGP},P=2,x"), "'x' 'P' number"),
    (("--logp", f"{LOGP},P=4,8", "--schedule", "tree"), "--schedule P one"),
    (("--logp", f"{LOGP},P=8", "--schedule", "svg", "--arity", "2,3"), "--schedule --arity one"),
    (("--logp", f"{LOGP},P=8", "--arity", "2,1"), "--arity out of range"),
    (("--logp", f"{LOGP},P=2:60000", "--arity", "2:8"), "--arity rows"),
    (("--logp", f"{LOGP},P=4,6", "--fft", 64), "--fft P=6 power of two"))))
def test_sweeps_that_cannot_be(args, words):
    done = run("model", *args)
    ok(one_fault(done, 2, *words.split()), words, done)


need_gnuplot = pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot")


@need_gnuplot
@pytest.mark.parametrize("args, xs", named((
    (("--logp", f"{LOGP},P=2,4,8,16"), [2, 4, 8, 16]), (("--logp", f"{LOGP},P=64", "--arity", "2:8"), [*range(2, 9)]),
    (("--logp", f"{LOGP},P=64", "--arity", "5,9"), [5, 9]))))
def test_a_sweep_is_drawn_over_what_was_swept(args, xs):
    run("model", *args, "-o", "sweep.json")
    _, blocks = script_of("sweep.json", "--where", "algorithm=k-nomial", "--where", "pattern=broadcast")
    equal([row[0] for row in blocks["points0"]], xs, "the points of k-nomial trees, over what was swept")
    rows = [r for r in rows_of(*args) if r["algorithm"] == "k-nomial"]
    equal([row[1] for row in blocks["points0"]], [r["model_cycles"] for r in rows], "and their times")


@need_gnuplot
def test_without_a_sweep_patterns_are_drawn_beside_each_other():
    """Though messages are between 2 processors, and the best k differs from tree to tree."""
    run("model", "--logp", f"{LOGP},P=8", "-o", "one.json")
    done, picture = draw("one.json")
    ok(picture and all(picture.has(p) for p in ("one-way", "stream", "ping-pong", "broadcast")) and
       "pattern" in picture.texts, "over patterns", picture and picture.texts)


@need_gnuplot
def test_processors_reached_are_drawn_over_time():
    run("model", "--logp", LOGP, "--reach", 24, "-o", "reach.json")
    done, picture = draw("reach.json")
    ok(picture and picture.has("processors") and picture.has("after_cycles"), "P(t) over t", done)


# ---- FFT ----

def test_an_fft_has_the_lectures_form_and_its_total():
    """n/P log n = 256 x 12 steps of computing; (g n/P + L) log P = (8 x 256 + 20) x 4"""
    rows = rows_of("--logp", "L=20,o=1,g=8,P=16", "--fft", 4096)
    equal([(r["layout"], r["model_cycles"], r["lecture_cycles"], r["computing_cycles"], r["total_cycles"]) for r in rows],
          [("block", 8248, 8272, 3072, 11320), ("cyclic", 8248, 8272, 3072, 11320), ("hybrid", 1934, 1940, 3072, 5006)],
          "FFT of 4096 points on 16")


@pytest.mark.parametrize("args, total", named((
    (("--logp", "L=20us,o=1us,g=8us,P=16"), None), (("--logp", "L=20us,o=1us,g=8us,P=16", "--butterfly", "2us"), 14392e-6),
    (("--logp", "L=20,o=1,g=8,P=16", "--butterfly", 2), 14392),
    (("--loggp", "L=1us,o=0,g=1us,G=1ns,P=16"), None),
    (("--loggp", "L=1us,o=0,g=1us,G=1ns,P=16", "--butterfly", "10ns"), 4 * (1e-6 + 4095e-9) + 30720e-9))))
def test_the_total_needs_the_time_of_a_butterfly(args, total):
    first = rows_of(*args, "--fft", 4096)[0]
    got = first["total_cycles" if "total_cycles" in first else "total_s"]
    ok(got is total is None or abs(got - total) <= 1e-9 * total, "communication and computing", first)


def test_an_fft_on_several_numbers_of_processors_is_as_on_each_alone():
    rows = rows_of("--logp", "L=20,o=1,g=8,P=4,16", "--fft", 4096)
    each = [rows_of("--logp", f"L=20,o=1,g=8,P={P}", "--fft", 4096) for P in (4, 16)]
    equal(rows, each[0] + each[1], "P=4,16")


TEXT = """\
block: 2 of 3 columns are remote
         remote    remote    local
row 0 p0 =p2==> p0 =p1==> p0 ------ p0
row 1 p0 =p2==> p0 =p1==> p0 ------ p0
row 2 p1 =p3==> p1 =p0==> p1 ------ p1
row 3 p1 =p3==> p1 =p0==> p1 ------ p1
row 4 p2 =p0==> p2 =p3==> p2 ------ p2
row 5 p2 =p0==> p2 =p3==> p2 ------ p2
row 6 p3 =p1==> p3 =p2==> p3 ------ p3
row 7 p3 =p1==> p3 =p2==> p3 ------ p3

cyclic: 2 of 3 columns are remote
         local     remote    remote
row 0 p0 ------ p0 =p2==> p0 =p1==> p0
row 1 p1 ------ p1 =p3==> p1 =p0==> p1
row 2 p2 ------ p2 =p0==> p2 =p3==> p2
row 3 p3 ------ p3 =p1==> p3 =p2==> p3
row 4 p0 ------ p0 =p2==> p0 =p1==> p0
row 5 p1 ------ p1 =p3==> p1 =p0==> p1
row 6 p2 ------ p2 =p0==> p2 =p3==> p2
row 7 p3 ------ p3 =p1==> p3 =p2==> p3

hybrid: n/a, one remap is not enough
"""

HYBRID = """\
hybrid: 0 of 3 columns are remote, 1 remap
         local     local     remap     local
row 0 p0 ------ p0 ------ p0 ------ p0 ------ p0
row 1 p1 ------ p1 ------ p1 =p1==> p0 ------ p0
row 2 p0 ------ p0 ------ p0 ------ p0 ------ p0
row 3 p1 ------ p1 ------ p1 =p1==> p0 ------ p0
row 4 p0 ------ p0 ------ p0 =p0==> p1 ------ p1
row 5 p1 ------ p1 ------ p1 ------ p1 ------ p1
row 6 p0 ------ p0 ------ p0 =p0==> p1 ------ p1
row 7 p1 ------ p1 ------ p1 ------ p1 ------ p1
"""


@pytest.mark.parametrize("P, want", named(((4, TEXT), (2, HYBRID))))
@pytest.mark.parametrize("model", (("--logp", LOGP), ("--loggp", "L=1,o=1,g=1,G=1")), ids=("logp", "loggp"))
def test_which_columns_of_an_fft_are_remote_as_text(P, want, model):
    done = run("model", model[0], f"{model[1]},P={P}", "--fft", 8, "--picture", "text")
    ok(done.rc == 0 and not done.err and done.out.endswith(want), "which columns are remote", done.out)


@pytest.mark.parametrize("n, P", named(((16, 4), (64, 8), (8, 4))))
def test_which_columns_of_an_fft_are_remote_as_svg(n, P):
    done = run("model", "--logp", f"{LOGP},P={P}", "--fft", n, "--picture", "svg")
    root, columns = xml.fromstring(done.out), n.bit_length() - 1
    remote = {g.get("id"): sum(e.get("class") == "remote" for e in g.iter(SVG + "line")) for g in root.iter(SVG + "g")}
    fits = n // P >= P
    equal(remote, {"block": n * (P.bit_length() - 1), "cyclic": n * (P.bit_length() - 1),
                   "hybrid": n - n // P if fits else 0}, "edges to other processors")
    nodes = [sum(1 for _ in g.iter(SVG + "circle")) for g in root.iter(SVG + "g") if g.get("id") != "hybrid"]
    equal(nodes, [n * (columns + 1)] * 2, "n rows of log n + 1 columns")
    heads = {g.get("id"): ["".join(t.itertext()) for t in g.iter(SVG + "text") if "head" in t.get("class", "")]
             for g in root.iter(SVG + "g")}
    far, near = ["remote"] * (P.bit_length() - 1), ["local"] * (columns - P.bit_length() + 1)
    equal((heads["block"], heads["cyclic"]), (far + near, near + far), "block: the first columns, cyclic: the last")
    equal(heads["hybrid"], near + ["remap"] + ["local"] * len(far) if fits else [], "hybrid: a remap between")


@pytest.mark.parametrize("args, words", named((
    (("--fft", 8, "--picture", "svg", "-f", "csv"), "picture --format"), (("--fft", 2048, "--picture", "text"), "2048 1024"),
    (("--fft", 8, "--picture", "svg", "--butterfly", 2), "--picture --butterfly"), (("--picture", "svg"), "--picture"),
    (("--fft", 8, "--butterfly", "2us"), "--butterfly cycles"), (("--fft", 8, "--butterfly", -2), "--butterfly"))))
def test_pictures_of_an_fft_that_cannot_be(args, words):
    done = run("model", "--logp", f"{LOGP},P=4", *args)
    ok(one_fault(done, 2, *words.split()), words, done)
