# SPDX-License-Identifier: Apache-2.0
"""Measuring over time: --duration, --resume, --fail-if and --metrics. CSV is the record of all intervals."""
import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

import pytest
from netbench import NETBENCH, SLOW, SOURCE, Command, equal, named, ok, one_fault, run, slow_but, until

pytestmark = pytest.mark.usefixtures("inside")
SIM = ("latency", "-b", "sim", "--sizes", "8,64")
QUIET = ("--sim-fault", "noise:2%")


def rows_of(path):
    """The rows of a CSV file, and the rows that mark a gap."""
    with open(path, newline="") as f:
        rows = list(csv.DictReader(line for line in f if not line.startswith("#") and line.endswith("\n")))
    return ([r for r in rows if not r["note"].startswith("gap")], [r for r in rows if r["note"].startswith("gap")])


def summary_of(path):
    """The sentences at the end of a CSV file."""
    with open(path) as f:
        return [line.split(": ", 1)[1].strip() for line in f if line.startswith("# summary.over_time")]


# ---- the record ----

def test_an_hour_of_virtual_time_takes_seconds_and_csv_has_every_interval():
    done = run(*SIM, "--duration", "1h", "--interval", "10s", "-o", "a.csv", "-o", "a.json")
    ok(done.rc == 0 and done.seconds < 20, "it ends within seconds", done)
    rows, gaps = rows_of("a.csv")
    equal([(r["size_B"], r["begun"], float(r["elapsed_s"])) for r in rows],
          [(size, f"2000-01-01T00:{i // 6:02}:{i % 6 * 10:02}.000Z", 10.0 * i) for i in range(360) for size in ("8", "64")],
          "each interval has both sizes, and the time of its start")
    equal(gaps, [], "no gap")
    with open("a.json") as f:
        doc = json.load(f)
    equal(doc["rows"], [], "JSON has no rows")
    equal([f["kind"] for f in doc["summary"]["findings"]], ["monitor", "flaps", "availability"], "but the findings")
    ok("360 intervals of 10.00 s, 00:00:00 to 00:59:50 UTC; no lasting change" in done.whole, "the table is sentences", done)
    ok("size" not in done.out, "and has no rows", done)
    ok(not os.path.exists("a.csv.part"), "the record has its own name")


COMMANDS = [["msgrate", "--sizes", "8"], ["bandwidth", "--sizes", "4k", "-w", "8,16"],
            ["collective", "-n", "4", "--sizes", "8", "--operation", "bcast", "--algorithm", "binomial"],
            ["load", "-n", "4", "--levels", "0,50", "--epochs", "6", "--epoch", "1ms"]]


@pytest.mark.parametrize("args", named(COMMANDS))
def test_these_commands_measure_over_time_too(args):
    once = run(*args, "-b", "sim", "-f", "csv")
    per = len([x for x in once.out.splitlines() if not x.startswith("#")]) - 1
    done = run(*args, "-b", "sim", "--duration", "14s", "--interval", "1s", "-o", "a.csv")
    ok(done.rc == 0, "it measures", done)
    rows, _ = rows_of("a.csv")
    equal(len(rows), 14 * per, "each interval has the rows of one run")
    equal(len({r["begun"] for r in rows}), 14, "and its own start")
    ok("14 intervals of 1.000 s" in done.whole and "no lasting change" in done.whole, "and is judged", done)


def test_real_intervals_begin_at_their_times():
    done = run("latency", "-b", "shm", "--sizes", "8", "-l", "50", "--repetitions", "6", "--visits", "1", "--duration", "2s",
               "--interval", "500ms", "-o", "a.csv", timeout=30)
    ok(done.rc == 0, "it measures", done)
    rows, _ = rows_of("a.csv")
    starts = [float(r["elapsed_s"]) for r in rows]
    ok(starts and starts[0] == 0 and starts == sorted(set(starts)) and starts[-1] < 2, "starts rise within the duration", starts)
    ok(all(abs(x / 0.5 - round(x / 0.5)) < 0.4 for x in starts), "and are multiples of the interval", starts)
    with open("a.csv") as f:
        equal(f.read().count("# status: complete"), 1, "the trailer ends the file")


def damaged(path, change):
    """Replaces a CSV file by what `change` makes of its lines up to the end of the rows."""
    with open(path) as f:
        lines = f.read().splitlines()
    head = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    last = max(i for i, line in enumerate(lines) if not line.startswith("#"))
    names = lines[head].split(",")
    with open(path, "w") as f:
        f.write("\n".join(change(names, i, line) if head < i <= last else line for i, line in enumerate(lines)) + "\n")


def test_wrong_messages_of_resumed_intervals_count():
    equal(run(*SIM, "--duration", "30s", "-o", "a.csv").rc, 0, "first part")

    def spoil(names, _, line):
        cells = line.split(",")
        cells[names.index("errors")] = "3"
        return ",".join(cells)
    damaged("a.csv", spoil)
    done = run(*SIM, "--duration", "50s", "--resume", "a.csv")
    ok(done.rc == 1 and "18 messages" in done.whole, "3 of each of six rows", done)


def test_the_report_of_a_resumed_run_has_no_point_that_could_not_be_measured():
    run(*SIM, "--duration", "30s", "-o", "a.csv")
    equal(run(*SIM, "--duration", "1m", "--resume", "a.csv").rc, 0, "resumed")
    equal(len(rows_of("a.csv")[1]), 1, "a gap")
    ok("could not be measured" not in run("report", "a.csv").out, "it is no point")


def test_a_record_that_cannot_be_written_ends_the_run():
    done = subprocess.run(["sh", "-c", "ulimit -f 8; trap '' XFSZ; exec \"$@\"", "sh", NETBENCH, *SIM, "--duration", "20000s", "-o", "a.csv"],
                          capture_output=True, text=True, timeout=60 * SLOW)
    ok(done.returncode == 1 and "2000 of 2000" not in done.stdout, "at once, not at the end", done)


def test_the_windows_of_a_point_are_the_same_in_all_intervals():
    args = ("bandwidth", "-b", "sim", "--sizes", 8, "--ack", "each", "-w", "1,4,16", "--duration", "1m", "-f", "csv")
    ok(one_fault(run(*args, "--knee"), 2, "'--knee' and '--duration' exclude each other"), "refused, as a knee may move")
    equal(run(*args).rc, 0, "without it they are measured")


def test_the_roles_of_a_load_stay_in_the_summary():
    equal(run("load", "-b", "sim", "-n", 6, "--levels", 0, "--epochs", 6, "--epoch", "1ms", "--duration", "30s", "-o", "a.csv").rc, 0, "measured")
    with open("a.csv") as f:
        text = f.read()
    ok("# summary.victims: " in text and "# summary.aggressors: " in text, "victims and aggressors", text[-600:])


@pytest.mark.skipif(SLOW > 1, reason="sanitizers keep freed memory")
def test_memory_does_not_grow_with_the_rows():
    def most(duration):
        p = subprocess.Popen([NETBENCH, *SIM, "--duration", duration, "--interval", "1s", "-f", "csv"], stdout=subprocess.DEVNULL)
        return os.wait4(p.pid, 0)[2].ru_maxrss * 1024
    grown = most("1h") - most("1m")
    ok(grown < (1 << 20) + 64 * 3600 * 2, "an hour takes 64 B an interval and series more than a minute", grown)


REFUSED = [("no record", ("--duration", "1m"), "needs CSV"), ("no duration", ("--interval", "1s"), "needs '--duration'"),
           ("predict", ("--duration", "1m", "-f", "csv", "--predict"), "no meaning with '--duration'"),
           ("limit", ("--duration", "1m", "-f", "csv", "--fail-if", "change:10"), "expected a list"),
           ("header", ("--duration", "1m", "--resume", "a.csv", "-f", "csv", "--csv-header", "none"), "--csv-header full")]


@pytest.mark.parametrize("_, args, words", named(REFUSED))
def test_what_has_no_meaning_is_refused(_, args, words):
    ok(one_fault(run(*SIM, *args), 2, words), "one line", args)
    equal(os.listdir("."), [], "and no file")


# ---- changes ----

def slower(path, latency, duration):
    """Lets the simulated network have another latency from now on, as if it were the same."""
    with open(path) as f:
        text = f.read()
    with open(path, "w") as f:
        f.write(text.replace("L=1000,o=200", f"L={latency},o=200"))
    return run("latency", "-b", "sim", "--sizes", "8", *QUIET, "--sim", f"L={latency},o=200,g=300,G=0.1", "--duration", duration,
               "--resume", path)


def test_a_step_is_found_and_placed_by_the_run_and_by_report():
    done = run("latency", "-b", "sim", "--sizes", "8", *QUIET, "--sim", "L=1000,o=200,g=300,G=0.1", "--duration", "20m", "-o",
               "a.csv")
    ok("no lasting change" in done.whole, "nothing changes in twenty minutes", done)
    done = slower("a.csv", 1280, "40m")
    found = re.search(r"half round trip rose by (\d+) % at 00:(\d\d):(\d\d)", done.whole)
    ok(found and 17 <= int(found[1]) <= 23 and abs(60 * int(found[2]) + int(found[3]) - 1200) <= 20,
       "a step of 20 % is placed within two intervals", done)
    ok(found and found[0] in run("report", "a.csv").out, "and report says the same")
    ok(any("half round trip rose by" in x for x in done.warnings), "and the run has told it on the way", done.warnings)


def test_collective_has_limits_over_time_beside_those_of_guidelines():
    args = ("collective", "-b", "sim", "-n", "4", "--operation", "bcast", "--sizes", "8", "--duration", "3m", "-f", "csv")
    ok(run(*args, "--fail-if", "change:10%").rc == 0, "limits over time")
    ok(one_fault(run(*args, "--fail-if", "guideline"), 2, "expected a list of change"), "not those of guidelines")
    ok(one_fault(run(*args, "--guidelines"), 2, "no meaning with '--duration'"), "which have no meaning over time")
    ok(one_fault(run(*args[:-4], "--fail-if", "change:10%"), 2, "is not 'guideline'"), "and the other way round")


FAIL_IF = [("change:10%", 0, "12m"), ("change:10%,flap:400,availability:80%", 0, "12m"), ("change:0.5%", 4, "12m"),
           ("change:10%", 4, "1m"), ("availability:99.99%", 1, "1h")]


@pytest.mark.parametrize("limits, rc, duration", named(FAIL_IF))
def test_fail_if_decides_the_exit_status(limits, rc, duration):
    done = run(*SIM, *QUIET, "--duration", duration, "-f", "csv", "--fail-if", limits)
    ok(done.rc == rc, f"exit {rc}", done)


def test_report_and_plot_judge_the_rows_of_a_file_that_was_cut():
    run(*SIM, *QUIET, "--duration", "20m", "-o", "a.csv")
    with open("a.csv") as f:
        lines = [line for line in f if not re.match(r"# (summary|status|warning)", line)]
    with open("a.csv", "w") as f:
        f.writelines(lines[:-1])     # one row of the last interval is missing
    want = "119 intervals of 10.00 s, 00:00:00 to 00:19:40 UTC; no lasting change"
    for done in run("report", "a.csv"), run("plot", "a.csv"):
        ok(done.rc == 0 and want in re.sub(r"\s+", " ", done.out), "it judges the complete intervals", done)
    ok("over elapsed" in run("plot", "a.csv").out, "a picture is drawn over time")


# ---- metrics ----

def test_metrics_are_those_of_the_latest_interval():
    done = run(*SIM, "--duration", "1m", "--metrics", "a.prom", "-o", "a.csv")
    ok(done.rc == 0, "it measures", done)
    with open("a.prom") as f:
        text = f.read()
    names = re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M)
    equal({kind for _, kind in names}, {"gauge"}, "gauges only")
    equal(len(names), len(set(names)), "one TYPE a name")
    last = rows_of("a.csv")[0][-1]
    value = re.search(r'^netbench_half_rtt_seconds\{command="latency",size="64",quantile="0.5"\} (\S+)$', text, re.M)
    ok(value and abs(float(value[1]) / float(last["half_rtt_p50_s"]) - 1) < 1e-9, "the median of the last interval", text)
    ok(text.endswith("# EOF\n") and "netbench_up{" in text, "the file is whole", text)
    equal(sorted(os.listdir(".")), ["a.csv", "a.prom"], "no temporary file is left")


MONITOR = os.path.join(SOURCE, "examples/monitor")


def test_the_service_measures_and_its_metrics_are_those_of_the_alerts():
    with open(os.path.join(MONITOR, "netbench-monitor.service")) as f:
        line = re.search(r"^ExecStart=/bin/sh -c '(.*?)'$", f.read(), re.M | re.S)[1]
    for a, b in (("\\\n", ""), ("$$", "$"), ("%%", "%"), ("1439m --interval 10s", "2s --interval 500ms"),
                 ("--point-time 100ms", "-l 50 --point-time 10ms"), ("exec netbench", f"exec {NETBENCH}")):
        ok(a in line, f"the service has {a!r}", line)
        line = line.replace(a, b)
    p = subprocess.run(["/bin/sh", "-c", line], env={**os.environ, "STATE_DIRECTORY": ".", "METRICS": "a.prom"}, timeout=60,
                       capture_output=True, text=True)
    ok(p.returncode == 0, "it measures", p)
    ok(any(re.fullmatch(r"latency-\d{4}-\d\d-\d\d\.csv", x) for x in os.listdir(".")), "into the file of the day", os.listdir("."))
    with open("a.prom") as f:
        names = set(re.findall(r"^# TYPE (\w+)", f.read(), re.M))
    with open(os.path.join(MONITOR, "netbench-alerts.yml")) as f:
        text = f.read()
    used = set(re.findall(r"\bnetbench_\w+", text))
    ok(used and used <= names, "the alerts use metrics that there are", (used, names))
    if shutil.which("promtool"):
        p = subprocess.run(["promtool", "check", "rules", os.path.join(MONITOR, "netbench-alerts.yml")], capture_output=True)
        ok(p.returncode == 0, "promtool accepts the rules", p)
    else:
        yaml = pytest.importorskip("yaml")
        rules = yaml.safe_load(text)["groups"][0]["rules"]
        ok(all({"alert", "expr", "for", "labels", "annotations"} == set(r) for r in rules), "each rule is whole", rules)


def test_systemd_accepts_the_units():
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze")
    for name in os.listdir(MONITOR):
        shutil.copy(os.path.join(MONITOR, name), ".")
    p = subprocess.run(["systemd-analyze", "verify", "./netbench-monitor.service", "./netbench-monitor.timer"],
                       capture_output=True, text=True)
    ok(p.returncode == 0 and "monitor" not in p.stderr, "systemd-analyze", p)


# ---- resume ----

SHM = ("latency", "-b", "shm", "--sizes", "8,64,512", "-l", "20", "--repetitions", "6", "--visits", "1", "--interval", "100ms")


def intervals(path):
    """From the start of each interval to its sizes."""
    found = {}
    for r in rows_of(path)[0]:
        found.setdefault(r["begun"], []).append(r["size_B"])
    return found


@pytest.mark.parametrize("seed", slow_but([1, 2, 3, 4], 0))
def test_a_killed_run_goes_on_without_losing_or_doubling_a_row(seed):
    chance = random.Random(seed)
    before = {}
    for kill in range(5):
        c = Command([NETBENCH, *SHM, "--duration", "1h", "--resume", "a.csv"])
        already = len(intervals("a.csv")) if before else 0
        ok(until(lambda: os.path.exists("a.csv") and len(intervals("a.csv")) > already + 1, 20), "it measures")
        time.sleep(chance.uniform(0, 0.3))
        os.killpg(c.p.pid, signal.SIGKILL)
        c.end()
        with open("a.csv", "rb+") as f:
            # a full disk may have cut a row
            f.truncate(max(f.seek(0, 2) - chance.choice([0, 0, 1, 30]), 0))
        now = {b: sizes for b, sizes in intervals("a.csv").items() if sizes == ["8", "64", "512"]}
        ok(set(before) <= set(now), "every whole interval is kept", (before, now))
        before = now
    done = run(*SHM, "--duration", "1s", "--resume", "a.csv")
    ok(done.rc == 0, "the duration is over, and the run ends", done)
    equal({b: s for b, s in intervals("a.csv").items()}, {b: ["8", "64", "512"] for b in intervals("a.csv")},
          "each interval has each size once")
    ok(set(before) - set(intervals("a.csv")) <= {max(before)}, "and none of them is lost but what was cut")


def test_virtual_time_goes_on_where_it_ended_after_each_possible_kill():
    run(*SIM, "--duration", "5s", "--interval", "1s", "-o", "a.csv")
    with open("a.csv") as f:
        lines = f.read().splitlines(keepends=True)
    first = next(i for i, x in enumerate(lines) if not x.startswith("#")) + 1
    told = lambda rows: [(r["size_B"], r["half_rtt_p50_s"], r["begun"], r["elapsed_s"]) for r in rows]
    whole = told(rows_of("a.csv")[0])
    for cut in (*range(first, len(lines) + 1), first + 3.5):
        with open("b.csv", "w") as f:
            f.write("".join(lines[:int(cut)]) + (lines[int(cut)][:40] if cut % 1 else ""))
        done = run(*SIM, "--duration", "5s", "--interval", "1s", "--resume", "b.csv")
        ok(done.rc == 0, "it goes on", done)
        rows, gaps = rows_of("b.csv")
        equal(told(rows), whole, f"cut at line {cut}")
        measured = int(cut) - first >= 2
        equal(len(gaps), int(measured and int(cut) - first < 10), "a gap is marked where the run goes on")


OTHERS = [("option", ("--seed", "2"), "value of '--seed'"), ("sizes", ("--sizes", "8"), "value of '--sizes'"),
          ("ranks", ("-n", "3"), "number of ranks")]


@pytest.mark.parametrize("_, more, words", named(OTHERS))
def test_another_measurement_is_refused(_, more, words):
    run(*SIM, "--duration", "3s", "--interval", "1s", "-o", "a.csv")
    with open("a.csv") as f:
        before = f.read()
    ok(one_fault(run(*SIM, *more, "--duration", "9s", "--interval", "1s", "--resume", "a.csv"), 2, words), "one line")
    with open("a.csv") as f:
        equal(f.read(), before, "and the file is unchanged")


def test_a_file_that_is_not_empty_is_not_lost():
    run(*SIM, "--duration", "3s", "--interval", "1s", "-o", "a.csv")
    again = (*SIM, "--duration", "2s", "--interval", "1s", "-o", "a.csv")
    ok(one_fault(run(*again), 2, "is not empty", "--resume"), "one line")
    equal(len(rows_of("a.csv")[0]), 6, "the file is unchanged")
    ok(run(*again, "--overwrite").rc == 0 and len(rows_of("a.csv")[0]) == 4, "--overwrite replaces it")
    with open("b.txt", "w") as f:
        f.write("no result")
    ok(one_fault(run(*SIM, "--duration", "2s", "--resume", "b.txt"), 2, "not CSV"), "what is no result is not touched")
    with open("b.txt") as f:
        equal(f.read(), "no result", "it is as before")
