# SPDX-License-Identifier: Apache-2.0
"""--format plain: of beff the table and last line that HPCC FPGA's documentation prints; of all commands a table for
scripts, with the same columns in every run, numbers in SI units without prefixes, and nothing around them."""
import json
import math
import re
import pytest
from netbench import equal, number, ok, run

NUMBER = re.compile(r"\d+|-?\d\.\d{5}e[-+]\d\d")
BOARD = ["-b", "sim", "--board", "520n"]


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-5)


def plain(*args, **kwargs):
    """Runs it; the lines, and their fields."""
    done = run(*args, "--format", "plain", **kwargs)
    return done, done.out.splitlines(), [x.split() for x in done.out.splitlines()]


def time_520n(size):
    return math.ceil(size / 64) / 156.25e6 + 520e-9


@pytest.mark.parametrize("ranks", [1, 2, 5])
def test_beff_is_the_table_of_the_documentation(ranks):
    done, lines, fields = plain("beff", *BOARD, "-n", ranks, "-u", 1000)
    equal((done.rc, done.err), (0, ""), "it runs")
    equal(lines[0], "        MSize      looplength            time             B/s", "its heading")
    equal(len(lines), 1 + 21 + 2, "a heading, 21 rows, an empty line and the last one")
    total = 0
    for i, row in enumerate(fields[1:22]):
        size, loops = 2 ** i, max(1000 // math.ceil(2 ** i / 64), 1)
        equal(row[:2], [str(size), str(loops)], "MSize and looplength are whole")
        ok(len(row) == 4 and all(NUMBER.fullmatch(x) for x in row), "four plain numbers", row)
        ok(close(number(row[2]), loops * time_520n(size)), "seconds", row)
        ok(close(number(row[3]), 2 * ranks * size / time_520n(size)), "bytes a second", row)
        ok(re.fullmatch(r" {0,12}\S+(   {0,13}\S+){3}", lines[1 + i]) and len(lines[1 + i]) == 61,
           "in fields of 13 with three blanks between", lines[1 + i])
        total += 2 * ranks * size / time_520n(size)
    equal(lines[22], "", "an empty line")
    m = re.fullmatch(r"b_eff = (\d\.\d{5}e\+\d\d) B/s", lines[23])
    ok(m and close(float(m[1]), total / 21), "the last line is b_eff, in the documentation's form", lines[23])


def test_a_measured_ring_has_the_same_form(place):
    path = place / "ring.json"
    done, lines, fields = plain("beff", "-b", "shm", "-n", 2, "-m", 4, "-u", 64, "--point-time", "1ms", "-q", "-o", path)
    record = json.loads(path.read_text())
    ok(done.rc == 0 and len(lines) == 1 + 5 + 2, "five sizes", done)
    for row, want in zip(fields[1:6], record["rows"]):
        equal(row[:2], [str(want["size_B"]), str(want["loops"])], "the same rows as in JSON")
        ok(close(number(row[2]), want["time_min_s"]) and close(number(row[3]), want["bandwidth_max_Bps"]),
           "by the best repetition", [row, want])
    equal(lines[-1], f"b_eff = {record['summary']['b_eff_Bps']:.5e} B/s", "and the same b_eff")


def test_a_run_that_is_not_complete_has_no_last_line():
    done, lines, _ = plain("beff", "-b", "shm", "-n", 2, "-m", 4, "--time-limit", "1ms", "-q")
    ok(done.rc == 0 and 1 <= len(lines) < 6 and "b_eff" not in done.out, "rows alone", done)


def test_an_old_result_is_printed_as_the_run_would_have(place):
    path = place / "ring.json"
    args = ["beff", "-b", "shm", "-n", 2, "-m", 3, "-u", 8, "--point-time", "1ms", "-q"]
    first = run(*args, "--samples", "-o", path, "--format", "plain")
    again = run("beff", "--from", path, "--format", "plain")
    equal((again.rc, again.out), (0, first.out), "beff --from")


COMMANDS = {
    "latency": ["latency", "-b", "sim", "--sizes", "0,1k"],
    "msgrate": ["msgrate", "-b", "sim", "--sizes", "0,1k", "--window", "1,4"],
    "bandwidth": ["bandwidth", "-b", "sim", "--sizes", "0,1k"],
    "beff-hlrs": ["beff", "--rule", "hlrs", "-b", "sim", "-n", 5, "--sizes", "1k"],
    "atlas-1.6": ["atlas-1.6", "-b", "sim", "-n", 5, "--sizes", "64"],
    "atlas-2.3": ["atlas-2.3", "-b", "sim", "--sizes", "64"],
    "atlas-all": ["atlas-all", *BOARD, "--sizes", "64"],
    "model-board": ["model", "--board", "520n"],
    "model-logp": ["model", "--logp", "L=6,o=2,g=4,P=8"],
    "model-rdma": ["model", "--example", "--sizes", "8"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_table_for_scripts(place, name):
    path = place / "x.json"
    done, lines, fields = plain(*COMMANDS[name], "-o", path, "-q")
    record = json.loads(path.read_text())
    units = {c["name"]: c["type"] for c in record["columns"]}
    rows = fields[1:1 + len(record["rows"])]
    ok(done.rc == 0 and len(rows) >= 1, "it runs", done)
    ok(set(fields[0]) <= set(units), "headings are names of columns", fields[0])
    for row, want in zip(rows, record["rows"]):
        equal(len(row), len(fields[0]), f"as many fields as columns: {row}")
        for name_of, cell in zip(fields[0], row):
            value = want[name_of]
            if value is None or value == "":
                equal(cell, "-", f"{name_of}: nothing")
            elif units[name_of] == "text":
                equal(cell, value.replace(" ", "_"), f"{name_of}: a text in one word")
            elif units[name_of] == "uint":
                equal(cell, str(value), f"{name_of}: a count")
            else:
                ok(NUMBER.fullmatch(cell) and close(float(cell), value), f"{name_of}: a number", [cell, value])
    score = record["summary"].get("b_eff_Bps")
    equal(lines[1 + len(rows):], ["", f"b_eff = {score:.5e} B/s"] if score else [], "and nothing else but a score")


def test_columns_do_not_follow_the_values():
    one, two = (plain("bandwidth", "-b", "sim", "--sizes", sizes)[2][0] for sizes in ("0", "1,1G"))
    equal(one, two, "fixed columns")
    wide = plain("bandwidth", "-b", "sim", "--sizes", "8", env={"COLUMNS": "20", "PATH": "/usr/bin:/bin"})[2][0]
    equal(wide, one, "whatever the terminal")


def test_predictions_are_the_last_columns():
    _, _, without = plain("latency", "-b", "sim", "--sizes", "8")
    _, lines, fields = plain("latency", "-b", "sim", "--sizes", "8", "--predict")
    equal(fields[0], without[0] + ["model_s", "measured_over_model"], "two columns more")
    equal((fields[1][-1], len(lines)), ("1.00000e+00", 2), "and no lines below")
    _, _, ring = plain("beff", *BOARD, "--predict", "--sizes", "64")
    equal(ring[0], ["MSize", "looplength", "time", "B/s", "model_s", "measured_over_model"], "of beff too")


def test_a_file_is_a_table_still(place):
    path = place / "x.txt"
    done, lines, _ = plain("beff", *BOARD, "--sizes", "64", "-o", path)
    ok(done.rc == 0 and len(lines) == 4 and path.read_text().startswith("netbench "), ".txt is for people", path.read_text())
