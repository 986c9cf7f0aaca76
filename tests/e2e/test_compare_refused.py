# SPDX-License-Identifier: Apache-2.0
"""netbench compare: the exit status under --fail-if, and what is refused."""
import json
import os

import pytest
from made_up import compare, load, of_runs, record_of, row_of, spread, two, write
from netbench import equal, named, ok, run

pytestmark = pytest.mark.usefixtures("inside")

AB = ["a.json", "b.json"]

# ---- --fail-if ----

# Of a point the time and half of its interval, in two files. Runs do not differ, but those of the third very much.
A = [row_of(s, 1.0, interval=i) for s, i in ((8, (0.99, 1.01)), (16, (0.99, 1.01)), (32, (0.5, 2.0)))]
B = [row_of(s, v, interval=(v - by, v + by)) for s, v, by in ((8, 1.05, 0.01), (16, 1.1, 0.01), (32, 1.9, 0.1))]
SLOWER, FASTER = ("a.json", "b.json"), ("b.json", "a.json")
SPREADS = [{"size_B": 8, "run_spread": 0.0}, {"size_B": 16, "run_spread": 0.0}, {"size_B": 32, "run_spread": 0.5}]


@pytest.mark.parametrize("limit, files, rc, parts", named((
    ("slower:5%", SLOWER, 1, ["2 points are slower by 5 %", "the worst 'size_B 16' by 10 %", "B/A 1.1 (1.1 to 1.1)"]),
    ("slower:1.05", SLOWER, 1, ["2 points are slower"]),
    ("slower:7.5%", SLOWER, 1, ["1 point is slower", "'size_B 16'"]),
    ("slower:10%", SLOWER, 1, ["1 point is slower"]), ("slower:10.1%", SLOWER, 0, []), ("slower:1.2", SLOWER, 0, []),
    ("slower:0%", SLOWER, 1, ["2 points"]), ("faster:1%", SLOWER, 0, []), ("slower:90%,faster:1", SLOWER, 0, []),
    ("faster:5%", FASTER, 1, ["2 points are faster by 5 %", "the worst 'size_B 16' by 10 %"]), ("slower:0%", FASTER, 0, []),
    ("slower:50%,faster:7%", FASTER, 1, ["1 point is faster by 7 %"]))))
def test_fail_if_ends_with_1_where_a_point_is_beyond_its_limit(limit, files, rc, parts):
    """With the third point, which may be past any of these limits or within it, 0 becomes 4, and 1 stays."""
    two(A[:2], B[:2])
    known = spread(SPREADS)
    done, text = compare("--fail-if", limit, *known, a=files[0], b=files[1])
    ok(done.rc == rc and len(done.faults) == rc and all(w in done.err for w in parts) and len(text.rows) == 2 and
       text.status == "complete", f"{limit} of {files}: exit {rc}", done)
    two(A, B)
    done, text = compare("--fail-if", limit, *known, a=files[0], b=files[1])
    ok(done.rc == (rc or 4) and done.faults[0].endswith("no verdict: the intervals contain the limit (1 of 3 points); use more runs") and
       len(done.faults) == 1 + rc and all(w in done.err for w in parts) and len(text.rows) == 3 and text.status == "complete",
       f"{limit} of {files} with a point that is open", done)


def test_one_run_of_each_cannot_fail_or_pass():
    done, text = two(A[:2], B[:2], "--fail-if", "slower:5%")
    equal((done.rc, done.faults, [r["verdict"] for r in text.rows]),
          (4, ["netbench: no verdict: one run of each (2 of 2 points); use 'netbench runs', '--spread', or more files of each"], [None] * 2),
          "whatever their intervals are")
    done = run("compare", *AB)
    ok(done.rc == 0 and "one run of each: lo and hi hold within these runs" in done.out and "'netbench runs', --spread, or more files" in done.out,
       "below the table as well", done)


MORE = "use more repetitions (--point-time) or --visits"
SOUND, NOTHING = row_of(8, 1.0, interval=(0.9, 1.1)), row_of(8, None)


@pytest.mark.parametrize("a, b, why", (
    (row_of(8, 1.0), SOUND, f"no interval in 'a.json' (2 of 2 points); {MORE}"),
    (SOUND, row_of(8, 1.0), f"no interval in 'b.json' (2 of 2 points); {MORE}"),
    (row_of(8, 1.0, [1.0, 1.3, 1.1, 1.4, 1.2, 1.5, 1.05, 1.25], (1.0, 1.5)), row_of(8, 1.0, [1.0, 2.0]),
     f"no interval in 'b.json' (2 of 2 points); {MORE}"),
    (SOUND, row_of(8, 1.0, [1 + i / 9 for i in range(9)]),
     f"no interval, as repetitions depend on one another, in 'b.json' (2 of 2 points); {MORE}"),
    (SOUND, NOTHING, "no value in 'b.json' (2 of 2 points); its column 'note' says why"),
    ({**SOUND, "errors": 1}, SOUND, "wrong content in 'a.json' (2 of 2 points); measure again")))
def test_nothing_can_be_judged(a, b, why):
    """Exit 4, unlike a regression; the line names what is missing, and the option that gives it."""
    a, b = ([r, {**r, "size_B": 16}] for r in (a, b))
    done, text = two(a, b, "--fail-if", "slower:5%")
    equal((done.rc, done.faults, len(text.rows)), (4, [f"netbench: no verdict: {why}"], 2), "no verdict")
    equal(compare()[0].rc, 0, "without --fail-if there is nothing to fail")


def test_a_percentile_cannot_be_judged():
    done, _ = two([SOUND], [SOUND], "--measure", "half_rtt_p99_s", "--fail-if", "slower:5%")
    equal((done.rc, done.faults), (4, ["netbench: no verdict: the measure has no interval (1 of 1 points); name another "
                                       "by '--measure', or use --paired"]), "a percentile")


def test_each_point_must_be_within_the_limit():
    """One that cannot be judged gives 4; one without a value in both is ignored."""
    known = spread([8, 16])
    done, _ = two([SOUND, {**NOTHING, "size_B": 16}], [SOUND, {**SOUND, "size_B": 16}], *known, "--fail-if", "slower:5%")
    equal((done.rc, done.faults), (4, ["netbench: no verdict: no value in 'a.json' (1 of 2 points); its column 'note' says why"]), "one")
    done, _ = two([SOUND, {**NOTHING, "size_B": 16}], [SOUND, {**NOTHING, "size_B": 16}], *known, "--fail-if", "slower:5%")
    equal((done.rc, done.faults), (0, []), "one verdict is enough beside what is ignored")


def test_all_files_are_judged():
    """Of three: the worst point is named with its file; a file without a verdict gives 4, unless a point fails."""
    write("a.json", record_of(A))
    for name, rows in (("b.json", B), ("c.json", A), ("d.json", [NOTHING]), ("e.json", [row_of(7, 1.0)])):
        write(name, record_of(rows))
    known = spread([8, 16, 32])
    for files, rc, part in ((["c.json", "b.json"], 1, "3 points are slower by 5 % or more, the worst 'size_B 32' of 'b.json'"),
                            (["b.json", "d.json"], 1, "no value in 'd.json' (1 of 1 points)"),
                            (["c.json", "c.json"], 0, ""), (["c.json", "d.json"], 4, "no value in 'd.json'"),
                            (["e.json", "c.json"], 4, "no point of 'a.json' is in 'e.json'")):
        done = run("compare", "a.json", *files, *known, "--fail-if", "slower:4.9%")
        ok(done.rc == rc and part.replace("5 %", "4.9 %") in done.err, f"judged: {files}", done)


def test_turns_are_too_few_for_a_verdict():
    for name in AB:
        write(name, record_of([SOUND]))
    done = run("compare", "--paired", *AB, *AB, "--fail-if", "slower:5%")
    equal((done.rc, done.faults), (4, ["netbench: no verdict: too few runs for an interval (1 of 1 points); use 6 "
                                       "pairs of results, or 4 of each, or more"]), "too few turns")


def test_points_of_one_file_only_fail_nothing():
    done, text = two(A[:2], B[:2] + [row_of(64, 9.0, interval=(8.0, 10.0))], *spread([8, 16, 64]), "--fail-if", "slower:20%")
    equal(done.rc, 0, "points of one file only fail nothing")


# ---- what is refused ----

@pytest.fixture
def good(inside):
    """A result. It is in a.json and b.json; in other files are some that cannot be compared with it."""
    good = record_of([row_of(8, 1.0, interval=(0.9, 1.1))])
    write("a.json", good)
    write("b.json", good)
    write("command", {**good, "command": "msgrate"})
    write("definition", {**good, "definition": "latency.half-rtt.v2"})
    write("bare", {**good, "columns": [{"name": "size_B"}]})
    write("check", {**good, "command": "check"})
    write("list", [])
    write("runs", of_runs([{"size_B": 8, "run_spread": 0.1, "runs": 9}]))
    write("other", of_runs([], "half_rtt_p99_s"))
    write("both", of_runs([], documents=[good] * 4, commands=2))
    with open("half", "w") as f:
        f.write(json.dumps(good)[:300])
    return good


@pytest.mark.parametrize("args, parts", named((
    ([], ["two results", "0 files given"]), (["a.json"], ["two results", "1 file given"]),
    (AB + ["command"], ["another command", "'latency'", "'msgrate'"]), (AB + ["missing"], ["cannot read 'missing'"]),
    (AB + ["bare"], ["'latency'", "--measure"]), (["check", "check"], ["several measures", "'netbench check --require check'"]), (AB + ["a.json", "--paired"], ["A B A B", "3 files given"]),
    (["a.json", "missing"], ["cannot read 'missing'"]), (["missing", "a.json"], ["cannot read 'missing'"]),
    (["a.json", "half"], ["'half'", "cut short"]), (["list", "a.json"], ["'list' is not a netbench result"]),
    (["a.json", "."], ["'.'"]),
    (["a.json", "command"], ["another command", "'latency'", "'msgrate'"]),
    (["definition", "a.json"], ["another definition", "'latency.half-rtt.v1'", "'latency.half-rtt.v2'"]),
    (["a.json", "bare"], ["'latency'", "--measure"]),
    (AB + ["--measure", "nonsense"], ["'nonsense'", "explain"]), (AB + ["--measure", "stop"], ["'stop'", "cannot be compared"]),
    (AB + ["--measure", "size_B"], ["'size_B'"]), (AB + ["--measure", "occupation_s"], ["'occupation_s'"]),
    (AB + ["--measure", "rate_msgps"], ["'a.json' has no column 'rate_msgps'"]),
    (AB + ["--fail-if", "slower"], ["'slower'", "--fail-if"]), (AB + ["--fail-if", "slower:"], ["'slower:'"]),
    (AB + ["--fail-if", "slower:much"], ["'slower:much'"]), (AB + ["--fail-if", "slower:-5%"], ["'slower:-5%'"]),
    (AB + ["--fail-if", "slower:0.05"], ["'slower:0.05'", "factor of 1 or more"]),
    (AB + ["--fail-if", "slower:nan"], ["'slower:nan'"]), (AB + ["--fail-if", "slower:%"], ["'slower:%'"]),
    (AB + ["--fail-if", "worse:5%"], ["'worse:5%'"]), (AB + ["--fail-if", ""], ["''"]),
    (AB + ["--fail-if", "slower:5%,"], ["''"]),
    (AB + ["--fail-if", "slower:5%,slower:6%"], ["'slower' is given twice"]),
    (AB + ["--spread", "missing"], ["cannot read 'missing'"]), (AB + ["--spread", "a.json"], ["'a.json' is no result of 'netbench runs'"]),
    (AB + ["--spread", "other"], ["'other' has the spread of 'half_rtt_p99_s', not of 'half_rtt_epoch_s'"]),
    (AB + ["--measure", "half_rtt_p99_s", "--spread", "runs"], ["the spread of 'half_rtt_epoch_s', not of 'half_rtt_p99_s'"]),
    (AB + ["--paired", "--spread", "runs"], ["'--spread' is only for results of one run each"]),
    (["a.json", "--", "b.json", "--spread", "runs"], ["'--spread'"]),
    (["--spread", "runs", "a.json", "--", "b.json"], ["'--spread' is only for results of one run each"]),
    (["a.json", "--", "b.json", "--", "b.json"], ["more than one '--' between results"]),
    (["a.json", "--"], ["both sides of '--'"]), (["--paired", "a.json", "--", "b.json"], ["'--paired' is only for single results in turns"]),
    (["--", "a.json"], ["two results", "1 file given"]),
    (["a.json", "--", "command"], ["another command", "'latency'", "'msgrate'"]),
    (["a.json", "--", "b.json", "missing"], ["cannot read 'missing'"]),
    (["both", "a.json"], ["'both' has runs of several commands and compares them itself"]),
    (["a.json", "runs"], ["'runs' keeps no runs: only JSON of 'netbench runs' keeps them"]),
    (AB + ["-o", "b.json"], ["'b.json'", "--output"]), (AB + ["-o", "./a.json"], ["'./a.json'"]),
    (AB + ["-o", "x.xml"], ["'x.xml'"]), (AB + ["--wombat"], ["'--wombat'"]))))
def test_what_cannot_be_compared_is_refused_by_name(args, parts, good):
    before = sorted(os.listdir())
    done = run("compare", *args)
    ok(done.rc == 2 and done.err.count("\n") == 1 and not done.out and all(w in done.err for w in parts) and
       sorted(os.listdir()) == before, f"refused: {args}", done)
    equal((load("a.json"), load("b.json")), (good, good), "what was compared is as it was")


def test_output_that_cannot_be_written(good):
    with open("/dev/full", "w") as full:
        equal(run("compare", *AB, stdout=full).rc, 1, "output that cannot be written")
