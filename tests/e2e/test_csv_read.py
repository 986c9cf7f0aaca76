# SPDX-License-Identifier: Apache-2.0
"""Results that are read from CSV: what reads JSON makes the same of them; and what cannot be read."""
import re

import pytest
from netbench import equal, make_results, named, ok, one_fault, run

NET = ["-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"]

# Results, each of another kind: with lists, texts that look like numbers, whole real numbers, and empty values.
RESULTS = {
    "latency": ["latency", *NET, "--sizes", "0,8,1k"],
    "msgrate": ["msgrate", *NET, "--sizes", "8,64", "--window", "1,16"],
    "measured": ["latency", "-b", "shm", "--sizes", "8,64", "-l", "50", "--point-time", "20ms"],
    "beff": ["beff", *NET, "-m", "4"],
    "all": ["atlas-all", *NET, "--sizes", "0,64,1k", "--ranks", "14"],
    "board": ["model", "--board", "520n", "-m", "4"],
    "fit": ["model", "--measure", *NET],
}


@pytest.fixture(scope="module")
def results(shared_place):
    """The folder of the results, each in NAME.json and NAME.csv."""
    make_results(shared_place, {name: [*args, "-o", f"{name}.csv"] for name, args in RESULTS.items()})
    done = run("report", "latency.csv", cwd=shared_place)
    if done.rc == 3:
        pytest.skip(f"this build does not read CSV: {done.err}")
    return shared_place


@pytest.mark.parametrize("name", RESULTS)
def test_report_plot_and_compare_read_csv_as_json(name, results):
    """report, plot and compare."""
    for args in (["report"], ["plot", "--script"]):
        done = {s: run(*args, f"{name}.{s}", cwd=results) for s in ("json", "csv")}
        equal((done["csv"].rc, done["csv"].err, done["csv"].out.replace(".csv", ".json")),
              (0, done["json"].err, done["json"].out.replace(".csv", ".json")), f"{args[0]} of {name}")
    done = run("compare", f"{name}.json", f"{name}.csv", cwd=results)
    ok(done.rc == 0 and "different" not in done.err and "0 faster, 0 slower" in done.out and
       "only in A 0, only in B 0" in done.out, f"compare {name} with itself", done)


@pytest.mark.parametrize("args", named((["model", "--like", "all.{}", "-m", "4"], ["model", "--like", "all.{}", "--against", "latency.{}"],
                                        ["beff", "-b", "sim", "--like", "all.{}", "-m", "2", "-q", "-f", "plain"])))
def test_parameters_are_read_from_csv_as_from_json(args, results):
    done = {s: run(*(a.format(s) for a in args), cwd=results) for s in ("json", "csv")}
    equal((done["csv"].rc, done["csv"].out.replace(".csv", ".json")), (0, done["json"].out), f"{args}")


@pytest.mark.parametrize("args, part", named(((["model", "--fit", "fit.csv"], "'fit.csv' has no samples"),
                                              (["beff", "--from", "beff.csv"], "'beff.csv' has no samples"))))
def test_samples_are_not_in_csv(args, part, results):
    done = run(*args, cwd=results)
    ok(done.rc == 2 and done.err.count("\n") == 1 and part in done.err, f"{args}", done)


def lines_of(results, name):
    with open(results / name, encoding="utf-8") as f:
        return f.read().splitlines(keepends=True)


def bare(lines):
    return [x for x in lines if not x.startswith("#")]


@pytest.mark.parametrize("name, change, part", (
    ("x.csv", bare, "'x.csv' is CSV without its header; give the .json"),
    ("x.csv", lambda lines: ["# made by hand\n", *bare(lines)], "'x.csv' is CSV without its header; give the .json"),
    ("x.csv", lambda lines: [], "'x.csv' is CSV without its header; give the .json"),
    ("x.txt", bare, "'x.txt' is not JSON"),
    ("x.csv", lambda lines: ["# schema: netbench-csv/2\n", *lines[1:]], "another version of netbench"),
    ("x.csv", lambda lines: [*[x for x in lines if x.startswith("#")][:-1]], "'x.csv' was cut short: it has no columns"),
    ("x.csv", lambda lines: [x if x.startswith("#") else x.replace(",", ";") if x.startswith("8") else x for x in lines],
     "'x.csv' was cut short: a row has more or fewer cells")),
    ids=("no-header", "another-header", "empty", "not-named-csv", "version-2", "no-rows", "half-a-row"))
def test_csv_that_is_no_whole_result_is_refused_and_says_why(name, change, part, results):
    with open(results / name, "w", encoding="utf-8") as f:
        f.writelines(change(lines_of(results, "latency.csv")))
    for args in (["report", name], ["plot", name], ["compare", name, "latency.csv"], ["model", "--like", "all.json", "--against", name]):
        done = run(*args, cwd=results)
        ok(done.rc == 2 and not done.out and done.err.count("\n") == 1 and part in done.err, f"{args[0]} of {name}", done)


def test_a_run_that_was_killed(results):
    """Without what comes after the rows it is incomplete."""
    with open(results / "part.csv", "w", encoding="utf-8") as f:
        f.writelines(lines_of(results, "latency.csv")[:-2])
    done = run("compare", "latency.json", "part.csv", cwd=results)
    ok(done.rc == 0 and "B is not complete: its status is 'incomplete'" in done.err and "only in A 1" in done.out,
       "a part", done)


def test_cells_in_quotes_are_read_whole(results):
    """Commas, quotes and ends of lines in a cell, and blanks that are kept."""
    lines = lines_of(results, "latency.csv")
    at = next(i for i, x in enumerate(lines) if x.startswith("8,"))
    names = bare(lines)[0].strip().split(",")
    stop = names.index("stop")
    cells = lines[at].strip().split(",")
    cells[stop] = '" a, ""b""\n# c"'
    with open(results / "quoted.csv", "w", encoding="utf-8") as f:
        f.writelines([*lines[:at], ",".join(cells) + "\n", *lines[at + 1:]])
    done = run("merge", "quoted.csv", "-f", "jsonl", cwd=results)
    ok(done.rc == 0 and '" a, \\"b\\"\\n# c"' in done.out, "quotes", done)


def test_the_header_of_csv_is_whole_short_or_left_out(place):
    args = ["latency", "-b", "sim", "--sizes", "8,64"]
    full, short, none = ([re.sub(r",[0-9a-f-]{36},[^,]*Z,", ",ID,DATE,", line) for line in
                          run(*args, "-f", "csv", "--csv-header", how).out.splitlines()] for how in ("full", "short", "none"))
    rows = [line for line in full if line[0] != "#"]
    equal([line for line in short if line[0] != "#"], rows, "the same rows with a short header")
    equal(none, rows, "and with none")
    keys = [line[2:].split(":")[0] for line in short if line[0] == "#"]
    ok(len(keys) < 20 and {"command", "definition", "environment.time.start", "environment.netbench.command_line", "status"} <= set(keys),
       "what is most needed", keys)
    head = [line[2:].split(":")[0] for line in full[:full.index(rows[0])]]
    first = [k for k in keys if k != "status"]
    ok(len(head) <= 60 and first == head[1:len(first) + 1],
       "all of it in at most 60 lines, after that", (keys, head))
    (place / "x.csv").write_text("\n".join(short))
    ok(one_fault(run("report", place / "x.csv"), 2, "is CSV without its header"), "which is not enough to read it again")
    ok(one_fault(run(*args, "--csv-header", "short"), 2, "'--csv-header' is for CSV"), "refused without CSV")
