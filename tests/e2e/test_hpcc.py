# SPDX-License-Identifier: Apache-2.0
"""Tables of HPCC FPGA's b_eff as results: read by their content, compared, drawn beside the model with the efficiency.
hpcc/one.txt and eight.txt are the tables that HPCC FPGA has published for one and for eight cards (b_eff/performance/README.md)."""
import json
import os
import re
import pytest
from netbench import close_to, equal, make_results, named, ok, run
from picture import script_of

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hpcc")
ONE, EIGHT = (os.path.join(HERE, f"{name}.txt") for name in ("one", "eight"))
B_EFF = {ONE: 3.95057e9, EIGHT: 3.13237e10}
CARDS = (1, 2, 8)


def table(path):
    with open(path) as f:
        return f.read()


def rows_of(path):
    return [[float(x) for x in line.split()] for line in table(path).splitlines()[1:-2]]


def report_of(*args):
    done = run(*args, "-f", "json")
    return done, json.loads(done.out)


@pytest.fixture(scope="module")
def models(shared_place):
    return make_results(shared_place, {f"model{n}": ["model", "--board", "520n-meas", "--cards", str(n), "-m", "21"] for n in CARDS})


def test_compare_reads_a_table_by_its_content(tmp_path):
    """The name does not matter, nor do the lines that the program prints before the table."""
    before = tmp_path / "job-4711.out"
    settings = [("Communication Type", "IEC"), ("MPI Ranks", "8"), ("Repetitions", "10"), ("Device", "p520_max_sg280l")]
    before.write_text("General setup:\n" + "".join(f"{name:<40}{value}\n" for name, value in settings) + table(EIGHT))
    done, got = report_of("compare", ONE, before)
    want = [b[3] / a[3] for a, b in zip(rows_of(ONE), rows_of(EIGHT))]
    equal([r["size_B"] for r in got["rows"]], [a[0] for a in rows_of(ONE)], "all sizes")
    ok(all(close_to(r["ratio"], w, 1e-9) for r, w in zip(got["rows"], want)), "ratios of the bandwidths", got["rows"][:2])
    ok("different nranks: 1, 8" in done.err and "IEC" in done.err, "ranks by the table, and as the text states", done)


def test_our_rings_are_compared_with_a_table(inside):
    """beff --rule hpcc-fpga has the same definition; another rule is refused."""
    ring = ["beff", "-b", "sim", "--board", "520n-meas", "-n", "1", "--sizes", "1,4k,1M", "-u", "20"]
    make_results(inside, {"ours": [*ring, "--rule", "hpcc-fpga"], "other": ring})
    done, got = report_of("compare", ONE, "ours.json")
    ratios = {r["size_B"]: r["ratio"] for r in got["rows"] if r["ratio"]}
    ok(sorted(ratios) == [1, 4096, 1 << 20] and all(0.99 < r < 1.01 for r in ratios.values()), "within 1 %", ratios)
    done = run("compare", ONE, "other.json")
    ok(done.rc == 2 and "another definition" in done.err and "beff.ring.hpcc-fpga.v2" in done.err, "another rule", done)


def test_plain_tables_of_beff_are_such_tables(inside):
    done = run("beff", "-b", "sim", "--board", "520n", "-n", "3", "-m", "6", "-u", "100", "-f", "plain")
    (inside / "plain.txt").write_text(done.out)
    text, blocks = script_of("plain.txt", "--column", "summary.b_eff_Bps")
    (x, y), = [(r[0], r[1]) for rows in blocks.values() for r in rows if len(r) > 1]
    ok(x == 3 and close_to(y, float(done.out.split()[-2]), 1e-5), "three ranks, and b_eff", text)


def test_b_eff_is_drawn_over_the_cards_beside_the_model_with_the_efficiency(models, shared_place, monkeypatch):
    monkeypatch.chdir(shared_place)
    names = [f"model{n}.json" for n in CARDS]
    text, blocks = script_of(ONE, EIGHT, *names, "--column", "summary.b_eff_Bps")
    measured, model = [[(r[0], r[1]) for r in rows] for rows in blocks.values() if rows and len(rows[0]) > 1]
    want = {n: models[f"model{n}"]["summary"]["b_eff_Bps"] for n in CARDS}
    equal([x for x, _ in measured], [1, 8], "one measured curve")
    ok(all(close_to(y, b, 1e-6) for (_, y), b in zip(measured, (B_EFF[ONE], B_EFF[EIGHT]))), "b_eff of the tables", measured)
    ok(all(close_to(y, x * want[1], 1e-6) for x, y in model) and len(model) == len(CARDS), "n times the model", model)
    shares = ", ".join(f"{100 * B_EFF[p] / want[n]:.4g} % at {n}" for p, n in ((ONE, 1), (EIGHT, 8)))
    ok(f"efficiency of one.txt and 1 more against model1.json and 2 more: {shares}" in texts(text), "the efficiency", texts(text))


def test_the_model_is_judged_against_a_table():
    done, got = report_of("model", "--board", "520n-meas", "--against", ONE)
    ok(done.rc == 0 and got["summary"]["compared"] == 21 and got["summary"]["deviation_max"] < 0.003, "the board's fit", got["summary"])


def texts(script):
    """What stands above and below the picture."""
    return " ".join(re.findall(r"^set label '(.*?)' at screen", script, re.M))


def written(text, heading=None, ending=True):
    lines = text.splitlines()
    if heading:
        lines[0] = heading
    return "\n".join(lines if ending else lines[:-2]) + "\n"


@pytest.mark.parametrize("version, text", named((
    ("GB/s", written(table(ONE), "   MSize   looplength   time   GB/s")), ("time [s]", written(table(ONE), " MSize looplength time [s] B/s")),
    ("CR LF", written(table(ONE)).replace("\n", "\r\n")))))
def test_headings_of_all_versions(inside, version, text):
    (inside / "t.txt").write_text(text)
    done, got = report_of("model", "--board", "520n-meas", "--against", "t.txt")
    ok(done.rc == 0 and got["summary"]["compared"] == 21 and got["summary"]["deviation_max"] < 0.003, "the same table", got["summary"])


def test_what_is_wrong_with_a_table_is_told(inside):
    (inside / "cut.txt").write_text(written(table(ONE), ending=False))
    (inside / "twice.txt").write_text(table(ONE) + table(EIGHT))
    (inside / "none.txt").write_text(table(ONE).splitlines()[0] + "\n")
    (inside / "odd.txt").write_text(table(ONE).replace("1.03781e+08", "1.93781e+08") + "ERROR: VALIDATION OF OUTPUT DATA FAILED!\n")
    text, _ = script_of("cut.txt")
    ok("interrupted" in text, "no line of b_eff", text[:500])
    for name, why in (("twice.txt", "several tables of HPCC FPGA"), ("none.txt", "but no row")):
        done = run("compare", ONE, name)
        ok(done.rc == 2 and why in done.err and f"'{name}'" in done.err, why, done)
    text, _ = script_of("odd.txt")
    ok("at 64 B the B/s of the table is not that of its time, which gives 1.0378" in texts(text) and
       "wrong content of messages" in texts(text), "warnings in the picture", texts(text))
