# SPDX-License-Identifier: Apache-2.0
"""--rate-unit bit: bandwidths in bit/s in tables, the lines below them, plots and reports; CSV and JSON stay in B/s."""
import json
import re
import pytest
from netbench import Csv, equal, of_point, ok, one_fault, run

BOARD = ["-b", "sim", "--board", "520n"]
STEPS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


def rates(text, unit):
    """The numbers in a text that are in this unit, in its order."""
    return [float(a) * STEPS[p] for a, p in re.findall(rf"(?<![\d.e+])([\d.]+) ([kMGT]?){re.escape(unit)}(?![/\w])", text)]


def agree(bits, bytes_):
    return len(bits) == len(bytes_) > 0 and all(abs(a - 8 * b) <= 1.001e-3 * a for a, b in zip(bits, bytes_))


COMMANDS = {
    "bandwidth": ["bandwidth", "-b", "sim", "--sizes", "64,1M"],
    "beff": ["beff", *BOARD],
    "beff-hlrs": ["beff", "--rule", "hlrs", "-b", "sim", "-n", 5, "--sizes", "1k"],
    "atlas-1.4": ["atlas-1.4", "-b", "sim"],
    "atlas-all": ["atlas-all", "-b", "sim", "-n", "4"],
    "model-board": ["model", "--board", "520n", "-n", 2],
    "model-loggp": ["model", "--loggp", "L=1us,o=200ns,g=300ns,G=0.1ns", "--sizes", "8"],
    "model-rdma": ["model", "--example"],
    "model-measure": ["model", "--measure", "-b", "sim", "--sizes", "1,8,64,1k,4k,64k"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_tables_are_in_bits(place, name):
    in_bytes = run(*COMMANDS[name], "-q")
    in_bits = run(*COMMANDS[name], "-q", "--rate-unit", "bit", "-o", place / "x.json", "-o", place / "x.csv")
    equal(in_bits.rc, 0, "it runs")
    bits, bytes_ = rates(in_bits.out, "bit/s"), rates(in_bytes.out, "B/s")
    ok(agree(bits, bytes_), "each rate is eightfold", [bits[:4], bytes_[:4], in_bits])
    ok(not rates(in_bits.out, "B/s"), "none is left in bytes", in_bits.out)     # but 1.55436e+10 B/s, in both
    equal(len(in_bits.out.splitlines()), len(in_bytes.out.splitlines()), "the same lines")
    heading = in_bits.out.splitlines()[1]       # of model --measure one without bandwidths
    ok(not re.search(r"(^|\s)B/s", heading), "the headings say so", heading)
    run(*COMMANDS[name], "-q", "-o", place / "y.json", "-o", place / "y.csv")
    got, want = (json.loads((place / f).read_text()) for f in ("x.json", "y.json"))
    equal((list(map(of_point, got["rows"])), got["summary"]), (list(map(of_point, want["rows"])), want["summary"]), "JSON is as ever")
    got, want = (Csv((place / f).read_text()).rows for f in ("x.csv", "y.csv"))
    equal(got, want, "CSV is as ever")


def test_the_last_line_of_beff_has_both():
    done = run("beff", *BOARD, "-n", 2, "--rate-unit", "bit")
    ok(done.whole.splitlines()[-1].startswith("b_eff = 1.55436e+10 B/s = 124.3 Gbit/s (ring of 2 ranks"), "b_eff", done)


def test_a_comparison_is_in_bits(place):
    for f in "a.json", "b.json":
        run("bandwidth", "-b", "sim", "--sizes", "1k", "-o", place / f)
    done = run("compare", place / "a.json", place / "b.json", "--rate-unit", "bit", "-q", "--wide")
    ok(done.rc == 0 and len(rates(done.out, "bit/s")) == 2, "compare", done)


def test_the_unit_of_the_tables_is_no_difference_between_runs(place):
    run("bandwidth", "-b", "sim", "--sizes", "1k", "-o", place / "a.json")
    run("bandwidth", "-b", "sim", "--sizes", "1k", "-o", place / "b.json", "--rate-unit", "bit")
    done = run("compare", place / "a.json", place / "b.json")
    ok(done.rc == 0 and "rate-unit" not in done.err, "compare warns of none", done)


@pytest.mark.slow
def test_a_result_evaluated_again_is_in_bits(place):
    run("beff", "-b", "shm", "-n", 2, "-m", 3, "--point-time", "1ms", "-q", "--samples", "-o", place / "a.json")
    done = run("beff", "--from", place / "a.json", "--rate-unit", "bit")
    ok(done.rc == 0 and len(rates(done.out, "bit/s")) == 2 * 4 + 3, "beff --from", done)


@pytest.mark.parametrize("format", ["csv", "json", "plain"])
def test_without_a_table_there_is_nothing_to_show(place, format):
    for args in (["latency", "-b", "sim"], ["model", "--board", "520n"]):
        done = run(*args, "--rate-unit", "bit", "--format", format, "-o", place / "x.json")
        ok(one_fault(done, 2, "'--rate-unit'", f"'--format {format}'") and not done.out, "refused", done)
        done = run(*args, "--rate-unit", "bit", "--format", format, "-o", place / "x.txt")
        equal(done.rc, 0, "but not with a table in a file")
        (place / "x.txt").unlink()


@pytest.fixture
def results(place):
    run("bandwidth", "-b", "sim", "--sizes", "64,1k,1M", "-o", place / "bandwidth.json")
    run("beff", *BOARD, "-o", place / "ring.json")
    run("atlas-1.4", "-b", "sim", "-n", 4, "-o", place / "atlas.json")
    return place


def test_a_fit_is_in_bits(place):
    run("model", "--measure", "-b", "sim", "--sizes", "1,8,64,1k,4k,64k", "-q", "-o", place / "m.json")
    in_bytes, in_bits = (run("model", "--fit", place / "m.json", *args) for args in ([], ["--rate-unit", "bit"]))
    ok(in_bits.rc == 0 and agree(rates(in_bits.out, "bit/s"), rates(in_bytes.out, "B/s")) and
       not rates(in_bits.out, "B/s"), "r_inf is eightfold", in_bits)


def points(script):
    """The data of the first series of a script for gnuplot."""
    block = script.split("$points0 << END\n")[1].split("END\n")[0]
    return [[float(x) for x in line.split()] for line in block.split("\n") if line]


def test_a_plot_is_in_bits(results):
    path = results / "bandwidth.json"
    rows = json.loads(path.read_text())["rows"]
    done = run("plot", path, "--script", "--rate-unit", "bit")
    ok(done.rc == 0 and "column bandwidth_Bps" in done.out, "its axis says so", done)
    for (x, y), row in zip(points(done.out), rows):
        ok(x == row["size_B"] and abs(y - 8 * row["bandwidth_Bps"]) < 1e-8 * y, "eightfold", [x, y, row])
    ok(re.search(r"'\d+ Gbit/s'", done.out) and "MB/s'" not in done.out, "its tics too", done)
    bytes_ = run("plot", path, "--script")
    for (x, y), row in zip(points(bytes_.out), rows):
        ok(x == row["size_B"] and abs(y - row["bandwidth_Bps"]) < 1e-8 * y, "and without the option as ever", [x, y, row])


def test_lines_between_computed_points_are_the_model_s_in_bits_too(results):
    def lines(*args):
        script = run("plot", results / "bandwidth.json", "--script", *args).out
        return [[float(x) for x in line.split()] for line in
                script.split("$lines0 << END\n")[1].split("END\n")[0].split("\n") if line]

    in_bits, in_bytes = lines("--rate-unit", "bit"), lines()
    ok(len(in_bits) == len(in_bytes) > 10 and
       all(a[0] == b[0] and abs(a[1] - 8 * b[1]) < 1e-7 * a[1] for a, b in zip(in_bits, in_bytes)), "eightfold everywhere")


def test_a_bandwidth_can_be_what_is_drawn_over(results):
    done = run("plot", results / "bandwidth.json", "--script", "--x", "bandwidth_Bps", "--column", "time_s",
               "--rate-unit", "bit")
    want = sorted(8 * r["bandwidth_Bps"] for r in json.loads((results / "bandwidth.json").read_text())["rows"])
    ok(all(abs(p[0] - w) < 1e-7 * w for p, w in zip(points(done.out), want)) and "Gbit/s'" in done.out,
       "x is in bit/s", done)


def test_times_in_a_plot_are_times(results):
    args = ["plot", results / "bandwidth.json", "--script", "--column", "time_s"]
    equal(run(*args).out, run(*args, "--rate-unit", "bit").out, "nothing changes")


@pytest.mark.parametrize("name", ["bandwidth", "ring", "atlas"])
def test_a_report_is_in_bits(results, name):
    in_bytes, in_bits = (run("report", results / f"{name}.json", *args) for args in ([], ["--rate-unit", "bit"]))
    equal(in_bits.rc, 0, "it runs")
    ok(agree(rates(in_bits.out, "bit/s"), rates(in_bytes.out, "B/s")), "each rate is eightfold", in_bits)
    ok(not rates(in_bits.out, "B/s"), "none is left", rates(in_bits.out, "B/s"))
    ok("8 times the numbers in the files" in in_bits.out and "| bit/s |" in in_bits.out, "the report says so")
