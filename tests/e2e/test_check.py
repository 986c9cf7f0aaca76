# SPDX-License-Identifier: Apache-2.0
"""check: the quantities of a simulated network are LogGP's, requirements are judged by them, and each has its words."""
import json
import os
import re
import signal
import subprocess
import sys

import pytest
from netbench import SLOW, Csv, close_to, command, equal, ok, one_fault, run, until

SIM = ["check", "-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"]
HALF_RTT = 1e-6 + 2 * 200e-9 + 7 * 0.1e-9       # of 8 B


def judged(*requirements, more=()):
    """The verdict of a simulated network, and its lines."""
    done = run(*SIM, *[word for r in requirements for word in ("--require", r)], *more)
    return done, [line for line in done.out.splitlines() if line[:4] in ("PASS", "FAIL", "?   ")]


def test_check_finds_the_figures_of_the_simulated_network(place):
    done = run(*SIM, "-o", place / "found.json")
    doc = json.loads((place / "found.json").read_text())
    rows = {(r["benchmark"], r["size_B"]): r for r in doc["rows"]}
    equal((done.rc, done.err), (0, ""), "it runs")
    equal(doc["definition"], "check.v1", "its definition")
    equal(sorted({b for b, _ in rows}), ["bandwidth", "beff", "both-ways", "latency", "msgrate"], "what has rows")
    ok(close_to(rows["latency", 8]["half_rtt_epoch_s"], HALF_RTT, 1e-9), "half a round trip is LogGP's", rows["latency", 8])
    alone = Csv(run("beff", *SIM[1:], "-f", "csv").out)
    ok(close_to(doc["summary"]["b_eff_Bps"], float(alone.one("summary.b_eff_Bps")), 1e-9), "b_eff is that of beff", doc["summary"])
    equal(doc["summary"]["verdict"], "nothing to judge", "nothing was required")
    ok("Nothing was required" in done.out and "1.401 us" in done.out, "in words", done)
    ok(max(map(len, done.out.splitlines())) < 80, "in 80 columns", done)
    ok("next: netbench" in done.out, "with what to do next", done)
    report = run("report", place / "found.json").out
    ok("a mean over 21 sizes" in report and "nan" not in report and "| p99 |" not in report, "a report has what there is", report[:900])


@pytest.mark.parametrize("requirement, rc", [
    ("latency.half_rtt_epoch_s size=8 <= 1.41us", 0), ("latency.half_rtt_epoch_s size=8<=1.39us", 1), ("latency.half_rtt_epoch_s size=8 < 1401ns", 0),
    ("latency.half_rtt_epoch_s <= 1.41us", 1),       # not at 1 MiB
    ("latency.half_rtt_p50_s size=1M <= 1ms", 0), ("msgrate.rate_msgps window=64 >= 2M", 0), ("msgrate.rate_msgps >= 4 Mmsg/s", 1),
    ("bandwidth.bandwidth_Bps >= 79Gbit/s", 0), ("bandwidth.bandwidth_Bps >= 10.1GB/s", 1), ("beff.b_eff_Bps >= 1e9", 0),
    ("latency.half_rtt_epoch_s size=64 <= 1s", 4),    # is not measured
])
def test_a_requirement_decides_the_exit_status(requirement, rc):
    done, lines = judged(requirement)
    equal(done.rc, rc, "the exit status")
    equal(len(lines), 1, "a line for the requirement")
    ok(lines[0].startswith({0: "PASS  ", 1: "FAIL  ", 4: "?     "}[rc]) and requirement in " ".join(lines[0].split()), "that says it", lines)
    ok(rc == 0 or len(done.err.splitlines()) == 1, "one line of error if it does not hold", done)


def test_collective_operations_are_measured_if_asked_for(place):
    done = run(*SIM, "-n", 4, "--collectives", "-o", place / "found.json", "--require", "allreduce.collective_s size=8 <= 2.9us",
               "--require", "alltoall.collective_s algorithm=linear ranks=4 size=16k <= 7us", "--require", "allreduce.collective_s ranks=4 <= 2.9us",
               "--require", "alltoall.collective_s ranks=5 <= 1s")
    rows = {(r["benchmark"], r["size_B"]): r for r in json.loads((place / "found.json").read_text())["rows"]}
    ok(close_to(rows["allreduce", 8]["collective_s"], 2 * 1400.7e-9), "recursive doubling of 4 ranks is LogGP's", rows["allreduce", 8])
    equal([rows[key]["algorithm"] for key in (("allreduce", 8), ("allreduce", 1 << 20), ("alltoall", 8), ("alltoall", 16384), ("latency", 8))],
          ["recursive-doubling", "ring", "linear", "linear", None], "algorithms")
    ok(all(rows[key]["checked"] and not rows[key]["errors"] for key in (("allreduce", 8), ("alltoall", 16384))), "verified")
    equal([line[:4] for line in done.out.splitlines() if line[:4] in ("PASS", "FAIL", "?   ")], ["PASS", "PASS", "FAIL", "?   "], "verdicts")
    ok("allreduce, 8 B" in done.out and "until the last of 4 ranks is out" in done.whole, "in words", done)
    done, lines = judged(place / "found.json", more=["-n", 4, "--collectives"])
    equal((done.rc, len(lines)), (0, 12), "as in an earlier result")
    done, lines = judged(place / "found.json", more=["-n", 5, "--collectives"])
    equal([line[:4] for line in done.out.splitlines() if "collective_s" in line], ["?   "] * 4, "that of other ranks says nothing about these")


def test_results_of_collective_meet_requirements_in_a_report(place):
    run("collective", *SIM[1:], "-n", 8, "--operation", "allreduce", "--algorithm", "all", "--sizes", "8,1k", "-o", place / "allreduce.json")
    for requirement, rc in (("allreduce.collective_s algorithm=recursive-doubling size=8 <= 4.3us", 0), ("allreduce.collective_s size=8 <= 4.3us", 1),
                            ("bcast.collective_s <= 1s", 4)):
        done = run("report", place / "allreduce.json", "--require", requirement)
        equal(done.rc, rc, requirement)


def test_each_requirement_is_a_finding(place):
    require = ["latency.half_rtt_epoch_s size=8 <= 1us", "latency.half_rtt_epoch_s size=8 <= 2us", "latency.half_rtt_epoch_s size=9 <= 2us"]
    done = run(*SIM, *[x for r in require for x in ("--require", r)], "-o", place / "found.json")
    doc = json.loads((place / "found.json").read_text())
    found = doc["summary"]["findings"]
    equal((done.rc, [(f["kind"], f["subject"], f["verdict"], f["why"]) for f in found]),
          (1, [("unmet", require[0], "yes", ""), ("unmet", require[1], "no", ""), ("unmet", require[2], "cannot tell", "not measured")]),
          "findings")
    value = doc["summary"]["requirements"][0]["value"]
    ok(close_to(found[0]["effect"], value / 1e-6 - 1, 1e-9) and found[2]["effect"] is None, "by how much it is beyond the limit", found)
    ok("findings" not in run("report", place / "found.json").out, "a report has the requirements instead")


def test_the_worst_of_several_decides(place):
    (place / "ours.txt").write_text("# our site\nlatency.half_rtt_epoch_s size=8 <= 2us\n\n  bandwidth.bandwidth_Bps >= 1GB/s # slow\n")
    done, lines = judged(place / "ours.txt")
    equal((done.rc, [x[:4] for x in lines]), (0, ["PASS", "PASS"]), "a file has a requirement a line")
    done, lines = judged(place / "ours.txt", "latency.half_rtt_epoch_s size=9 <= 2us", "latency.half_rtt_epoch_s size=8 <= 1us")
    equal((done.rc, [x[0] for x in lines]), (1, ["P", "P", "?", "F"]), "a failure counts for more than what is unclear")
    ok("1 of 4 requirements are not met" in done.err, "how many", done)


def test_what_is_worse_than_an_earlier_result_fails(place):
    run(*SIM, "-o", place / "first.json")
    done, lines = judged(place / "first.json")
    equal((done.rc, len(lines), {x[:4] for x in lines}), (0, 8, {"PASS"}), "nothing is worse than itself")
    slower = ["--sim", "L=1.3us,o=200ns,g=300ns,G=0.1ns"]
    done, lines = judged(place / "first.json", more=slower)
    ok(done.rc == 1 and any(x.startswith("FAIL  latency.half_rtt_epoch_s size=8 as in") for x in lines), "21 % worse", done)
    done, lines = judged(place / "first.json", more=[*slower, "--tolerance", 25])
    equal((done.rc, {x[:4] for x in lines}), (0, {"PASS"}), "which a larger tolerance allows")


@pytest.mark.parametrize("value, words", [
    ("x.y <= 3", ["'x.y'", "latency.half_rtt_epoch_s"]), ("latency.half_rtt_epoch_s size=8 <= 3GB/s", ["'3GB/s'", "a number in s, as in '2us'"]),
    ("latency.half_rtt_epoch_s size=x <= 3us", ["'size=x'", "size=BYTES"]), ("bcast.collective_s algorithm= <= 3us", ["algorithm=NAME"]), ("broadcast.collective_s <= 3us", ["broadcast.collective_s"]), ("latency.half_rtt_epoch_s <=> 3us", ["as in"]),
    ("latency.half_rtt_epoch_s <= ", ["''", "expected a number"]), ("nothing", ["file 'nothing' of '--require'", "No such file"]),
])
def test_requirements_that_are_none(value, words):
    done, _ = judged(value)
    ok(done.rc == 2 and len(done.err.splitlines()) == 1 and all(w in done.err for w in words), "one line, before anything is measured", done)


def test_files_that_are_none(place):
    (place / "empty.txt").write_text("# nothing\n")
    run("latency", *SIM[1:], "--sizes", 8, "-o", place / "latency.json")
    for name, words in (("empty.txt", "has no requirement"), ("latency.json", "a result of 'latency': expected a result of 'check'")):
        done, _ = judged(place / name)
        ok(done.rc == 2 and words in done.err, name, done)


@pytest.mark.parametrize("option", [["--sizes", "8"], ["-m", "4"], ["--min-size", "1"]])
def test_options_of_sizes_are_refused(option):
    done = run(*SIM, *option)
    ok(done.rc == 2 and "whose sizes are fixed" in done.err, "said in one line", done)


def test_the_time_of_all_and_of_a_point_exclude_each_other():
    done = run(*SIM, "--time", "10s", "--point-time", "1s")
    ok(done.rc == 2 and "--time" in done.err and "--point-time" in done.err and done.err.count("\n") == 1, "one line", done)


def test_a_link_that_is_asked_for_and_not_known():
    """Of a simulated network nobody knows the link."""
    done = run(*SIM, "--of-link", 80)
    ok(one_fault(done, 4, "'--of-link'", "no device is known"), "no verdict, and why", done)
    ok("?     bandwidth of at least 80 % of the link:" in done.out and "Nothing was required" not in done.out, "in words", done)
    equal(run(*SIM, "--of-link", 0).rc, 0, "nor is it asked for")
    done, _ = judged("latency.half_rtt_epoch_s size=8 <= 1us", more=["--of-link", 80])
    equal(done.rc, 1, "what fails counts for more")


@pytest.mark.slow
def test_the_time_bounds_slow_points(place):
    """Both ranks share one core, where a point takes several times its share: the run ends nevertheless, and nothing is made up."""
    core = str(min(os.sched_getaffinity(0)))
    done = run("check", "-b", "shm", "-n", 2, "--time", "1s", "--pin", f"{core},{core}", "--shm-wait", "spin", "-o", place / "x.json",
               "--require", "beff.b_eff_Bps >= 1", timeout=90)
    doc = json.loads((place / "x.json").read_text())
    ok(done.rc in (0, 4) and done.seconds < 1 + 9 * SLOW, "it ends soon after", done)
    ok(doc["summary"]["elapsed_s"] < 1 + 5 * SLOW, "by its own clock", doc["summary"])
    n = len(doc["rows"])
    if n < 26:
        equal((done.rc, doc["status"]), (4, "incomplete"), "what is required and not measured has no verdict")
        ok(f"{n} of 26 points measured" in done.err and re.search(r"^b_eff +- +not measured$", done.out, re.M), "which is named", done)


@pytest.mark.slow
def test_a_check_by_the_clock_replaces_its_files_also_if_it_fails(place):
    """Two ranks for two seconds: a row each, and files replaced also if the verdict is a failure."""
    (place / "old.json").write_text("{}")
    done = run("check", "-b", "shm", "--time", "2s", "--require", "latency.half_rtt_p50_s size=8 <= 1ns", "-o", place / "old.json",
               timeout=60)
    doc = json.loads((place / "old.json").read_text())
    if done.rc == 4:    # a busy machine: too few repetitions, or too few points
        ok("'--time'" in done.err or "of 26 points measured" in done.err, "and it says so", done)
        return
    equal((done.rc, doc["status"], len(doc["rows"])), (1, "complete", 26), "failed, and all is kept")
    equal([r["verdict"] for r in doc["summary"]["requirements"]], ["fail"], "with the verdict")


@pytest.mark.long
def test_with_time_for_six_visits_no_point_counts_as_slow(place):
    """From 60 ms a point on; below, a point has one visit, and is of the former definition."""
    for seconds, visits, definition in ((16, 6, "check.v2"), (1, 1, "check.v1")):
        done = run("check", "-b", "shm", "--time", f"{seconds}s", "-o", place / "six.json", timeout=90)
        with open(place / "six.json", encoding="utf-8") as f:
            doc = json.load(f)
        equal((doc["definition"], {r["visits"] for r in doc["rows"]}), (definition, {visits}), f"{seconds} s")
        ok(done.seconds < 2 * seconds + 3, f"{seconds} s are about that", done.seconds)
        ok(visits == 1 or all(r["stop"] != "slow" for r in doc["rows"]), "no point is slow", [r["stop"] for r in doc["rows"]])


@pytest.mark.long
def test_a_short_run_beside_other_work_still_has_intervals(place):
    """Its repetitions are short: each point has those that an interval takes, so that a wide limit is judged."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        done = run("check", "-b", "shm", "--time", "10s", "--require", "latency.half_rtt_p50_s size=8 <= 100ms", "-o", place / "busy.json")
    finally:
        busy.kill()
        busy.wait()
    equal(done.rc, 0, "judged")


# ---- whole runs anew ----

def test_runs_of_a_simulated_network_are_judged_exactly(place):
    done = run(*SIM, "--runs", 2, "--require", "beff.b_eff_Bps >= 1MB/s", "--require", "latency.half_rtt_epoch_s size=8 <= 1.39us",
               "-o", place / "r.json")
    doc = json.loads((place / "r.json").read_text())
    equal((done.rc, doc["definition"], doc["status"], len(doc["runs"])), (1, "check.runs.v1", "complete", 2), "ended")
    equal([r["verdict"] for r in doc["summary"]["requirements"]], ["pass", "fail"], "verdicts")
    one = json.loads((place / "r.json").read_text())["runs"][0]["document"]
    ok(close_to(doc["summary"]["b_eff_Bps"], one["summary"]["b_eff_Bps"], 1e-12), "b_eff is that of the runs", doc["summary"])
    ok(close_to(doc["rows"][0]["half_rtt_epoch_s"], HALF_RTT, 1e-9) and doc["rows"][0]["runs"] == 2, "its rows", doc["rows"][0])
    equal(doc["summary"]["commands"][0]["words"], "check --of-link=0 --backend=sim --sim=L=1us,o=200ns,g=300ns,G=0.1ns", "one run")
    report = run("report", place / "r.json").out
    ok("a mean over 21 sizes" in report and "nan" not in report, "report knows it", report[:900])
    after = run(*SIM, "--require", place / "r.json")
    equal((after.rc, after.out.count("PASS")), (0, 8), "a later check is judged by it")


def test_runs_go_on_with_those_of_a_result(place):
    run(*SIM, "--runs", 2, "-o", place / "r.json")
    done = run(*SIM, "--runs", 4, "--resume", place / "r.json", "-o", place / "s.json")
    doc = json.loads((place / "s.json").read_text())
    equal((done.rc, doc["summary"]["blocks"]), (0, 4), "of four")
    equal(doc["runs"][:2], json.loads((place / "r.json").read_text())["runs"], "two of them as they were")


@pytest.mark.parametrize("args, said", [
    (["-b", "sim", "--resume", "x.json"], "option '--resume' is only for '--runs'"),
    (["--runs", 3, "--listen", ":5555"], "option '--runs' starts all ranks itself and cannot start those of job 'join': "
                                         "use 'netbench runs --runs 3 -- LAUNCHER netbench check'"),
])
def test_runs_are_refused_where_ranks_cannot_be_started_again(args, said, place):
    done = run("check", *args, cwd=place)
    ok(one_fault(done, 2, said), "refused", done)


@pytest.mark.slow
def test_seven_runs_have_intervals_over_runs_or_say_why_not(place):
    done = run("check", "-b", "shm", "--time", "1s", "--runs", 7, "--require", "beff.b_eff_Bps >= 1kB/s", "-o", place / "r.json", timeout=120)
    doc = json.loads((place / "r.json").read_text())
    s = doc["summary"]
    runs = sorted(r["document"]["summary"]["b_eff_Bps"] for r in doc["runs"])
    ok(close_to(s["b_eff_Bps"], runs[3], 1e-9), "the median over runs", (s, runs))
    if s["b_eff_lo_Bps"] is None:       # runs depended on one another
        equal(done.rc, 4, "not judged")
    else:
        ok(close_to(s["b_eff_lo_Bps"], runs[0], 1e-9) and close_to(s["b_eff_hi_Bps"], runs[6], 1e-9), "of seven the least and the largest", s)
        equal(done.rc, 0, "judged")


@pytest.mark.slow
def test_a_signal_leaves_a_result_of_the_runs_so_far(place):
    p = subprocess.Popen(command(["check", "-b", "shm", "--time", "1s", "--runs", 90, "-q", "-o", "r.json"]), cwd=place, stdout=subprocess.DEVNULL)
    until(lambda: (place / "r.json.runs").exists() and (place / "r.json.runs").read_text().count("\n") > 2, 60)
    p.send_signal(signal.SIGINT)
    equal(p.wait(60), 130, "ended by the signal")
    doc = json.loads((place / "r.json").read_text())
    ok(doc["status"] == "interrupted" and 1 <= doc["summary"]["blocks"] < 90, "a result of what there is", doc["summary"])
