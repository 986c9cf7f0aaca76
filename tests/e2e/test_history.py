# SPDX-License-Identifier: Apache-2.0
"""netbench history: results of many nights, made up by a known law: the database, the gate, and what is said of changes."""
import contextlib
import datetime
import json
import math
import os
import re
import shutil
import sqlite3
import statistics
import sys
import types

import law
import pytest
from netbench import NETBENCH, SOURCE, Command, close_to, equal, ok, run, skip

pytestmark = pytest.mark.usefixtures("inside")
FIRST = datetime.datetime(2026, 10, 1, 1, 30)


@pytest.fixture(scope="module", autouse=True)
def _needs_sqlite():
    if "built without SQLite" in run("history", os.getcwd()).err:
        pytest.skip("this build has no SQLite")


def write(path, doc):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(doc, f)
    return path


def night_of(k, first=0, runs=3, **options):
    """Files with the runs of night k, from 0, a minute apart."""
    paths = []
    for i in range(first, first + runs):
        start = (FIRST + datetime.timedelta(days=k, minutes=i)).strftime("%Y-%m-%dT%H:%M:%SZ")
        paths.append(write(f"night{k}-{i}.json", law.result(10 * k + i, start=start, **options)))
    return paths


def history_of(nights, **options):
    """The files of so many nights."""
    return [path for k in range(nights) for path in night_of(k, **options)]


def rows_of(statement):
    with contextlib.closing(sqlite3.connect("h/history.sqlite")) as db:
        return db.execute(statement).fetchall()


def add(*paths):
    return run("history", "add", "h", *paths)


# ---- add ----

def test_results_are_added_as_merge_has_them_and_whole():
    done = add(*night_of(0, points=2))
    equal((done.rc, done.out), (0, "3 runs added; 3 runs of 1 series\n"), "added")
    run("merge", "-o", "m.sqlite", *night_of(0, points=2))
    with contextlib.closing(sqlite3.connect("m.sqlite")) as db:
        equal(rows_of("SELECT * FROM results"), db.execute("SELECT * FROM results").fetchall(), "rows of merge")
    equal([json.loads(d)["rows"][0]["size_B"] for d, in rows_of("SELECT document FROM documents")], [1, 1, 1], "whole")


def test_a_run_is_added_once():
    add(*night_of(0))
    done = add(*night_of(0, runs=4))
    equal(done.out, "1 run added, 3 already in the history; 4 runs of 1 series\n", "one is new")
    equal(rows_of("SELECT count(*) FROM documents"), [(4,)], "documents")


def test_later_results_may_have_other_columns():
    add(*night_of(0))
    more = law.result(99, start="2026-11-01T01:30:00Z")
    more["columns"].append(law.column("half_rtt_min_s", "s", "real"))
    for row in more["rows"]:
        row["half_rtt_min_s"] = 1e-6
    equal(add(write("more.json", more)).rc, 0, "added")
    equal(rows_of("SELECT count(*), count(half_rtt_min_s) FROM results"), [(20, 5)], "its rows alone have the column")


def test_unlike_runs_are_another_series_and_it_says_how_they_differ():
    add(*night_of(0, library="1.18"))
    done = add(*night_of(1, library="1.20"))
    ok("6 runs of 2 series" in done.out and "backend.library '1.18', '1.20'" in done.out, "how they differ", done.out)


def test_runs_of_netbench_runs_are_added_one_by_one():
    docs = [law.result(i, start=f"2026-10-01T01:3{i}:00Z") for i in range(3)]
    whole = law.result(9, start="2026-10-01T01:39:00Z")
    whole["runs"] = [{"command": 0, "block": i, "place": 0, "counted": i > 0, "start": "", "seconds": 1, "exit_status": 0,
                      "document": doc} for i, doc in enumerate(docs)]
    done = add(write("runs.json", whole))
    equal(done.out, "2 runs added; 2 runs of 1 series\n", "those that count")


@pytest.mark.parametrize("change, words", [
    ({"status": "interrupted"}, "is not complete: its status is 'interrupted'"),
    ({"environment": {}}, "lacks the id or the start of its run"),
], ids=["interrupted", "no id"])
def test_what_says_too_little_is_refused_and_nothing_is_added(change, words):
    good, = night_of(0, runs=1)
    done = add(good, write("bad.json", {**law.result(1, start="2026-10-01T01:30:00Z"), **change}))
    ok(done.rc == 2 and words in done.err, "refused", done)
    ok(not os.path.exists("h"), "nothing was added", done)


# ---- the gate ----

@pytest.mark.parametrize("by", ["directory", "files"])
@pytest.mark.parametrize("factor, fresh, status, words", [
    (1, 3, 0, "is not slower than in the 26 nights before by more than 5 %"),
    (1.3, 3, 4, "an alarm: measure 3 more, and judge all 6"),
    (1.3, 6, 1, "three more runs confirm it"),
    (1, 6, 0, "is not slower"),
], ids=["usual", "slow", "slow again", "usual again"])
def test_a_night_is_judged_by_those_before(by, factor, fresh, status, words):
    old = history_of(26)
    if by == "directory":
        add(*old)
        history = ["--history", "h"]
    else:
        history = [word for path in old for word in ("--history", path)]
    done = run("compare", *history, "-o", "x.json", "--", *night_of(26, runs=fresh, factor=factor))
    equal(done.rc, status, f"exit status: {done}")
    ok(words in done.out.replace("\n", " "), "the sentence", done)
    with open("x.json", encoding="utf-8") as f:
        finding, = json.load(f)["summary"]["findings"]
    equal((finding["kind"], finding["verdict"]), ("night", {0: "no", 1: "yes", 4: "cannot tell"}[status]), "the finding")


def test_history_gate_is_the_same_and_has_a_margin():
    add(*history_of(26))
    slow = night_of(26, factor=1.3)
    equal(run("history", "gate", "h", *slow).rc, 4, "an alarm")
    equal(run("history", "gate", "h", "--margin", "60%", *slow).rc, 0, "within the margin")
    equal(run("compare", "--history", "h", "--fail-if", "slower:60%", *slow).rc, 0, "likewise")


def test_an_alarm_that_three_more_runs_do_not_confirm_is_none():
    add(*history_of(26))
    done = run("history", "gate", "h", *night_of(26, factor=1.3), *night_of(26, first=3))
    equal(done.rc, 0, f"exit status: {done}")


def test_nights_that_have_been_added_are_not_judged_by_themselves():
    slow = night_of(26, factor=1.3)
    add(*history_of(26), *slow)
    done = run("history", "gate", "h", *slow)
    ok(done.rc == 4 and "26 nights before" in done.out.replace("\n", " "), "an alarm as before", done)


def test_the_gate_needs_five_nights():
    add(*history_of(4))
    done = run("history", "gate", "h", *night_of(4, factor=2))
    ok(done.rc == 4 and "4 nights like this in the history, of 5 that are needed" in done.err, "no verdict", done)


def test_unlike_nights_do_not_judge():
    add(*history_of(6, library="1.18"))
    done = run("history", "gate", "h", *night_of(6, library="1.20"))
    ok(done.rc == 4 and "differs by backend.library '1.18', '1.20'" in done.err, "no verdict", done)


@pytest.mark.parametrize("words, said", [
    (["gate", "h", "one.json"], "expected 3 runs of tonight, or 6 after an alarm: 1 given"),
    (["gate", "h", "one.json", "one.json", "other.json"], "runs of tonight are not alike"),
    (["gate", "h"], "expected the directory of a history"),
    (["gate", "h", "one.json", "--margin", "5"], "is no percentage"),
    (["gate", "none", "one.json", "one.json", "one.json"], "cannot read 'none'"),
], ids=["one run", "unlike", "no run", "margin", "no history"])
def test_what_cannot_be_judged_is_refused(words, said):
    add(*history_of(1))
    write("one.json", law.result(1, start="2026-11-01T01:30:00Z"))
    write("other.json", law.result(2, start="2026-11-01T01:30:00Z", library="2"))
    done = run("history", *words)
    ok(done.rc == 2 and said in done.err, "refused", done)


# ---- since when ----

def date_of(k):
    day = FIRST + datetime.timedelta(days=k)
    return f"{day.day} {day:%b %Y}"


def findings(*options):
    done = run("history", "h", "-o", "h.json", "--overwrite", *options)
    equal(done.rc, 0, f"exit status: {done}")
    with open("h.json", encoding="utf-8") as f:
        return json.load(f)["summary"]["findings"], done.out.replace("\n  ", " ")


def test_a_step_is_confirmed_within_three_nights_and_dated_within_two_after_seven():
    add(*history_of(30))
    statuses = []
    for k in range(30, 33):
        slow = night_of(k, runs=6, factor=1.1)
        statuses.append(run("history", "gate", "h", *slow).rc)
        add(*slow[:3])
    ok(1 in statuses, "confirmed within three nights", statuses)
    for k in range(33, 37):
        add(*night_of(k, factor=1.1))
    found, said = findings()
    slower, = (f for f in found if f["kind"] == "slower")
    ok(slower["evidence"]["since"] in [date_of(k) for k in range(28, 33)], "dated within two", slower)
    ok(f"slower since {slower['evidence']['since']}" in said, "the sentence", said)


def test_what_changed_in_the_record_is_told_with_its_night():
    add(*history_of(10, kernel="6.1.112"))
    for k in range(10, 20):
        add(*night_of(k, factor=1.3, kernel="6.1.115"))
    found, said = findings()
    equal([f["kind"] for f in found], ["series", "slower", "creep"], "findings")
    equal(found[1]["evidence"]["nights"], 10, "nights since")
    ok("latency -b law on alpha beta: 20 nights, 1 Oct 2026 to 20 Oct 2026" in said, "the series", said)
    ok(f"slower since {date_of(10)} ({date_of(10)}), 10 nights; that night: host.kernel '6.1.112' -> '6.1.115'" in said,
       "the change", said)
    ok("the last 7 nights cost 1.3" in said, "the last week against the first", said)


def test_files_are_told_as_their_directory_is():
    paths = history_of(10) + [path for k in range(10, 20) for path in night_of(k, factor=1.3)]
    add(*paths)
    found, said = findings()
    done = run("history", *reversed(paths), "-o", "files.json")
    with open("files.json", encoding="utf-8") as f:
        equal((done.rc, json.load(f)["summary"]["findings"]), (0, found), "the same is found")
    ok(said.splitlines()[2:] == done.out.replace("\n  ", " ").splitlines()[2:] and "and 59 more, 60 runs" in done.out.replace("\n  ", " "),
       "and said", done)


def test_nights_that_become_faster_again_are_two_changes():
    add(*history_of(10))
    add(*[path for k in range(10, 20) for path in night_of(k, factor=1.3)])
    add(*[path for k in range(20, 30) for path in night_of(k)])
    equal([f["kind"] for f in findings()[0]], ["series", "slower", "faster", "creep"], "findings")
    equal([f["kind"] for f in findings("--margin", "50%")[0]], ["series", "creep"], "none of more than half")


def test_quiet_nights_have_no_change_and_few_nights_cannot_tell():
    add(*history_of(5))
    found, said = findings()
    equal([(f["kind"], f["verdict"]) for f in found], [("series", "cannot tell")], "five nights")
    ok("no change can be seen below 12 nights" in said, "it is said", said)
    add(*history_of(30))
    found, said = findings()
    equal([(f["kind"], f["verdict"]) for f in found], [("series", "no"), ("creep", "yes")], "thirty nights")
    ok("that lasts a week would be seen" in said, "the smallest step", said)


def test_a_night_begins_twelve_hours_after_the_last_and_two_series_are_told_apart():
    late = [law.result(i, start=f"2026-10-0{1 + i // 2}T{'23:59' if i % 2 == 0 else '00:01'}:00Z") for i in range(4)]
    add(*[write(f"late{i}.json", doc) for i, doc in enumerate(late)])
    add(*night_of(40, library="2"))
    found, _ = findings()
    equal([(f["kind"], f["evidence"]["nights"], f["evidence"]["runs"]) for f in found],
          [("series", 3, 4), ("series", 1, 3)], "1 Oct, 1 Oct late and 2 Oct early, 2 Oct late")


def test_the_plot_has_nights_ranges_and_the_lines_between_changes():
    if not shutil.which("gnuplot"):
        skip("the picture", "no gnuplot")
        return
    add(*history_of(10, points=1))
    add(*[path for k in range(10, 20) for path in night_of(k, factor=1.3, points=1)])
    done = run("history", "h", "--plot", "x.svg")
    equal((done.rc, "slower since" in done.out), (0, True), "drawn and told")
    with open("x.svg", encoding="utf-8") as f:
        svg = f.read()
    ok("days since 1 Oct 2026" in svg and "latency -b law on alpha beta" in svg and "size_B 1" in svg, "its words")
    equal(svg.count("use xlink:href='#gpPt6'"), 20 + 1, "marks of nights, and of the legend")


def test_a_report_has_the_sentences():
    add(*history_of(10), *[path for k in range(10, 20) for path in night_of(k, factor=1.3)])
    run("history", "h", "-q", "-o", "h.json")
    sentence = f"slower since {date_of(10)} ({date_of(10)}), 10 nights"
    done = run("report", "h.json")
    ok(done.rc == 0 and sentence in done.out.split("## Results")[0], "in its summary", done)
    done = run("report", "--html", "h.html", "h.json")
    with open("h.html", encoding="utf-8") as f:
        ok(done.rc == 0 and sentence in f.read(), "in its page", done)


def test_rows_have_the_nights_and_a_page_draws_them_as_the_plot_does():
    add(*history_of(10, points=4), *[path for k in range(10, 20) for path in night_of(k, factor=1.3, points=4)])
    done = run("history", "h", "-q", "-o", "h.json", *(["--plot", "x.svg"] if shutil.which("gnuplot") else []))
    equal(done.rc, 0, f"exit status: {done}")
    with open("h.json", encoding="utf-8") as f:
        doc = json.load(f)
    rows = doc["rows"]
    ok(len({row["point"] for row in rows}) == 3 and len(rows) == 3 * 20, "nights of three points", rows)
    equal([(row["night"], row["night_days"], row["runs"]) for row in rows[:20:19]],
          [(date_of(0), 0, 3), (date_of(19), 19, 3)], "the first and the last")
    seen = []
    for k in range(0, 60, 20):
        nights = rows[k:k + 20]
        seen.append([row["changes"] for row in nights])
        first = statistics.median(row["cost"] for row in nights[:7])
        ok(abs(first - 1) < 1e-9 and all(r["cost_lo"] <= r["cost"] <= r["cost_hi"] for r in nights), "costs", nights)
        for half in filter(None, ([row for row in nights if row["changes"] == n] for n in (0, 1))):
            level = math.exp(statistics.median(math.log(row["cost"]) for row in half))
            ok(all(abs(row["cost_level"] / level - 1) < 1e-9 for row in half), "medians between changes", half)
            costs = sorted(row["cost"] for row in half)
            ends = (costs[1], costs[-2]) if len(half) == 10 else None       # ranks 2 and 9 of 10
            ok(not ends or all(close_to(row["cost_level_lo"], ends[0]) and close_to(row["cost_level_hi"], ends[1]) for row in half),
               "their intervals", half)
    ok([0] * 10 + [1] * 10 in seen and all(counts[0] == 0 and counts == sorted(counts) for counts in seen), "changes so far", seen)
    if not shutil.which("gnuplot"):
        skip("the picture", "no gnuplot")
        return
    done = run("report", "--html", "h.html", "h.json", "h.json")
    equal(done.rc, 0, f"exit status: {done}")
    with open("h.html", encoding="utf-8") as f:
        drawn = re.findall(r"<figure>\s*(<svg.*?</svg>)", f.read(), re.S)
    with open("x.svg", encoding="utf-8") as f:
        plot = f.read()
    ok("shaded: their 95 % intervals" in " ".join(re.sub("<.*?>", " ", plot).split()), "a legend of the strips")
    equal(len(drawn), 2, "a figure for each result")
    equal(re.findall(r"<path[^>]* d='(.*?)'", drawn[0], re.S), re.findall(r"<path[^>]* d='(.*?)'", plot, re.S), "the same lines")
    equal(drawn[0].count("<use "), plot.count("<use "), "the same marks")


@pytest.mark.parametrize("words, said", [
    (["h", "--plot", "x.png"], "'x.png' of '--plot' does not end in .svg"),
    (["gate", "h", "one.json", "--plot", "x.svg"], "'--plot' is not for 'gate'"),
    (["none"], "cannot read 'none'"),
], ids=["png", "gate", "no history"])
def test_what_cannot_be_told_is_refused(words, said):
    add(*history_of(1))
    done = run("history", *words)
    ok(done.rc == 2 and said in done.err, "refused", done)


# ---- examples/nightly ----

NIGHTLY = os.path.join(SOURCE, "examples/nightly")
FAST = ["latency", "-b", "sim", "--sizes", "8"]


def shell(line, **env):
    """Runs a line of an example, with netbench in the path."""
    if not os.path.exists("bin"):
        os.mkdir("bin")
        os.symlink(NETBENCH, "bin/netbench")
    return Command(["bash", "-c", line], os.getcwd(), {"PATH": f"{os.getcwd()}/bin:{os.environ['PATH']}", **env}).end(60)


def read(name):
    with open(os.path.join(NIGHTLY, name), encoding="utf-8") as f:
        return f.read()


def test_the_script_of_a_night_adds_its_runs_and_judges_from_the_second_on():
    for k, (status, runs) in enumerate([(4, 3), (4, 9)]):   # too few nights: after a 4 it measures three more
        done = shell(f"{NIGHTLY}/nightly.sh h {' '.join(FAST)}")
        equal((done.rc, rows_of("SELECT count(*) FROM documents")), (status, [(runs,)]), f"night {k}: {done}")
    done = shell(f"{NIGHTLY}/nightly.sh h latency -b none")
    ok(done.rc == 2 and "none" in done.err, "a command that fails is not judged", done)


def test_units_of_systemd_are_valid_and_their_line_runs():
    line = re.search(r"^ExecStart=(.*)$", read("netbench-nightly.service"), re.M)[1]
    line = line.replace("/usr/share/doc/netbench/examples", f"{SOURCE}/examples").replace("/var/lib/netbench", "h")
    equal(shell(line.replace("-b shm", "-b sim")).rc, 4, "the first night")
    if not shutil.which("systemd-analyze"):
        return skip("systemd-analyze", "is not installed")
    for name in "netbench-nightly.service", "netbench-nightly.timer":
        with open(name, "w", encoding="utf-8") as f:
            f.write(read(name).replace("/usr/share/doc/netbench/examples", f"{SOURCE}/examples"))
    done = shell("systemd-analyze verify ./netbench-nightly.service ./netbench-nightly.timer")
    ok(done.rc == 0 and "nightly" not in done.err, "systemd-analyze", done)
    return None


def test_the_line_of_scrontab_runs():
    *when, line = read("scrontab").splitlines()[-1].split(None, 5)
    equal(when, ["30", "2", "*", "*", "*"], "every night")
    os.mkdir("netbench")
    shutil.copy(os.path.join(NIGHTLY, "nightly.sh"), "netbench")
    done = shell(line.replace("-b mpi", "-b sim"), HOME=os.getcwd())
    equal((done.rc, os.path.exists("netbench/history/history.sqlite")), (4, True), f"the first night: {done}")


def test_the_steps_of_the_workflow_run():
    steps = re.findall(r"^ +run: (.*)$", read("github.yml"), re.M)
    for line in steps:
        line = line.replace("examples/", f"{SOURCE}/examples/").replace("-b shm", "-b sim")
        equal(shell(line, HOME=os.getcwd(), GITHUB_STEP_SUMMARY="summary").rc, 0, line)
    with open("summary", encoding="utf-8") as f:
        ok("1 night" in f.read(), "what the summary says")


@pytest.mark.slow
def test_the_reframe_test_judges_three_runs(monkeypatch):
    """By a stand-in for ReFrame, which has what the test uses."""
    sanity = types.SimpleNamespace(assert_found=lambda pattern, text: bool(re.search(pattern, text, re.M)))
    utility = types.SimpleNamespace(sanity=sanity)
    rfm = types.SimpleNamespace(simple_test=lambda c: c, RunOnlyRegressionTest=object, utility=utility)
    for name, module in {"reframe": rfm, "reframe.utility": utility, "reframe.utility.sanity": sanity}.items():
        monkeypatch.setitem(sys.modules, name, module)
    scope = {"run_before": lambda when: lambda f: f, "sanity_function": lambda f: f, "__name__": "example"}
    exec(compile(read("reframe_netbench.py"), "reframe_netbench.py", "exec"), scope)
    test = scope["NetbenchNight"]()
    test.job = types.SimpleNamespace(launcher=types.SimpleNamespace(run_command=lambda job: "env"))
    test.two_more_runs()
    first = " ".join([test.executable, *test.executable_opts])
    line = "\n".join([first, *test.postrun_cmds]).replace("-b mpi", "-b sim")
    for k in range(6):
        for i in range(3):
            doc = json.loads(shell("netbench latency -b sim --sizes 8,64k -q -f json").out)
            doc["environment"]["time"]["start"] = f"2026-10-0{k + 1}T01:3{i}:00Z"
            add(write("old.json", doc))
    test.stdout = shell(line, HISTORY="h").out
    ok(test.is_not_slower(), "a usual night", test.stdout)
