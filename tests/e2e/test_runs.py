# SPDX-License-Identifier: Apache-2.0
"""netbench runs: whole command lines, as real ones and as made-up ones of a known law."""
import itertools
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import time

import pytest
from netbench import MPI_ENV, NETBENCH, SLOW, close_to, equal, ok, run, skip

LAW = os.path.join(os.path.dirname(os.path.abspath(__file__)), "law.py")
SIM = ["latency", "-b", "sim", "--sizes", "8,1k"]

pytestmark = pytest.mark.usefixtures("inside")


def by_name(cases):
    return [pytest.param(*case, id=name) for name, case in cases.items()]


def law(*options, state="state"):
    return [sys.executable, LAW, state, *options]


def runs(*options, of, out="x.json", env=None):
    """Runs the command lines `of`, and returns how that ended and its result, if there is one."""
    words = [word for line in of for word in ("--", *line)]
    seed = () if "--seed" in options else ("--seed", 1)      # of the order, and so of who gets which of the law's runs
    done = run("runs", *seed, *options, "-q", "-o", out, *words, **({"env": env} if env else {}))
    doc = None
    if os.path.exists(out):
        with open(out, encoding="utf-8") as f:
            doc = json.load(f)
    return done, doc


def values(doc, command, point, measure="half_rtt_p50_s"):
    """Those of the runs that count, in the order of the blocks."""
    counted = sorted((r["block"], r["document"]["rows"][point][measure]) for r in doc["runs"]
                     if r["command"] == command and r["counted"])
    return [v for _, v in counted]


# ---- one command ----

def test_one_command_has_the_median_of_its_runs_with_order_statistics():
    done, doc = runs("--runs", "10", of=[law("seed=2")])
    equal(done.rc, 0, "exit status")
    equal((doc["command"], doc["status"], doc["summary"]["blocks"]), ("runs", "complete", 10), "what it is")
    for k, row in enumerate(doc["rows"]):
        v = sorted(values(doc, 0, k))
        equal((row["runs"], row["half_rtt_p50_lo_s"], row["half_rtt_p50_hi_s"]),
              (10, pytest.approx(v[1]), pytest.approx(v[8])), "2nd and 9th of 10")
        ok(close_to(row["half_rtt_p50_s"], math.sqrt(v[4] * v[5]), 1e-9), "median of the logarithms", row)
        y = [math.log(x) for x in values(doc, 0, k)]
        spread = math.sqrt(statistics.fmean((b - a) ** 2 for a, b in itertools.pairwise(y)))
        ok(close_to(row["run_spread"], spread, 1e-9), "root of the mean square of successive differences", row)


def test_a_run_before_the_first_is_not_counted():
    runs("--runs", "3", of=[law()])
    with open("state", encoding="utf-8") as f:
        equal(f.read(), "4", "runs that were started")


def test_five_runs_have_no_interval():
    done, doc = runs("--runs", "5", of=[law()])
    equal((done.rc, doc["rows"][0]["half_rtt_p50_lo_s"]), (0, None), "no interval")


@pytest.mark.slow
def test_one_command_stops_when_all_intervals_are_within_the_margin():
    done, doc = runs("--margin", "20%", of=[law()])
    equal((done.rc, doc["summary"]["blocks"]), (0, 8), "the first look")


def test_b_eff_is_a_point():
    _, doc = runs("--runs", "2", of=[["beff", "-b", "sim", "-n", "4", "-m", "4"]])
    last, b_eff = doc["rows"][-1], doc["runs"][0]["document"]["summary"]["b_eff_Bps"]
    equal((last["remark"], last["size_B"], last["runs"]), ("b_eff", None, 2), "the last row")
    ok(close_to(last["bandwidth_Bps"], b_eff, 1e-12), "its value", last)


# ---- two and more ----

def walsh(d):
    means = sorted((a + b) / 2 for k, a in enumerate(d) for b in d[k:])
    n = len(means)
    return means[n // 2] if n % 2 else (means[n // 2 - 1] + means[n // 2]) / 2, means


def test_two_commands_are_compared_by_blocks():
    done, doc = runs("--runs", "8", of=[law(), law("factor=1.3")])
    equal(done.rc, 1, "B is slower")
    for k, row in enumerate(doc["rows"]):
        d = [math.log(b / a) for a, b in zip(values(doc, 0, k), values(doc, 1, k))]
        middle, means = walsh(d)
        ok(all(close_to(row[c], math.exp(v), 1e-9) for c, v in
               (("ratio", middle), ("ratio_lo", means[3]), ("ratio_hi", means[-4]))), "Walsh averages", (row, d))
        equal((row["verdict"], row["method"], row["runs"]), ("slower", "blocks", 8), "the verdict of a point")
        ok(row["p_value"] == pytest.approx(2 / 256) and row["p_worse"] == pytest.approx(1 / 256), "its p", row)
    margin = doc["summary"]["findings"][0]
    equal((margin["kind"], margin["verdict"]), ("margin", "yes"), "the finding that decides")
    ok("slower than" in done.err and "by more than 5 %" in done.err, "it is said", done)


def test_commands_that_share_a_law_differ_from_run_to_run():
    _, doc = runs("--runs", "6", of=[law(), law()])
    d = [math.log(b / a) for a, b in zip(values(doc, 0, 0), values(doc, 1, 0))]
    ok(all(abs(x) > 1e-9 for x in d), "no difference is 0", d)


@pytest.mark.parametrize("options, b, status, words", by_name({
    "not slower": (["--runs", "12"], ["run=.004", "point=.002"], 0, ""),
    "slower": (["--runs", "8"], ["run=.004", "point=.002", "factor=1.2"], 1, "slower than"),
    "cannot tell": (["--runs", "8"], ["run=.2"], 4, "more"),
    "too few blocks": (["--runs", "5"], ["factor=2"], 4, "5 blocks, of 6 that are needed"),
    "faster": (["--runs", "8"], ["run=.004", "factor=.5"], 0, ""),
    "a margin that is wider": (["--runs", "8", "--margin", "50%"], ["run=.004", "factor=1.2"], 0, ""),
}))
def test_exit_status_follows_from_the_margin(options, b, status, words):
    done, _ = runs(*options, of=[law(b[0]), law(*b)])
    equal(done.rc, status, "exit status")
    ok(words in done.err, "what is said", done)


@pytest.mark.slow
def test_auto_ends_when_the_verdict_is_known():
    _, doc = runs(of=[law("run=.01"), law("run=.01", "factor=2")])
    equal(doc["summary"]["blocks"], 8, "the first look")


@pytest.mark.slow
def test_time_is_a_limit():
    begun = time.monotonic()
    done, doc = runs("--time", "2s", of=[law("run=.5", "sleep=.1"), law("run=.5", "sleep=.1")])
    ok(time.monotonic() - begun < 4 * SLOW, "it ends", done)
    ok(doc["summary"]["blocks"] < 12 and done.rc == 4, "without a verdict", done)


@pytest.mark.slow
def test_the_order_is_drawn_anew_for_each_block():
    _, doc = runs("--runs", "20", "--seed", "3", of=[law("points=1"), law("points=1")])
    first = [r["command"] for r in doc["runs"] if r["place"] == 0]
    ok(4 <= sum(first) <= 16, "both begin a block", first)
    ok(first != [0, 1] * 10 and first != [1, 0] * 10, "not in turns", first)


@pytest.mark.slow
def test_more_commands_are_each_compared_with_the_first():
    done, doc = runs("--runs", "10", of=[law("points=2"), law("points=2", "factor=2"), law("points=2", "factor=.5")])
    equal([(r["command_b"], r["verdict"]) for r in doc["rows"]],
          [("B", "slower")] * 2 + [("C", "faster")] * 2, "rows of each")
    equal(done.rc, 1, "B is slower")


def test_labels_are_the_words_that_differ():
    done = run("runs", "--runs", "1", "--", *SIM, "--", *SIM[:2], "null", *SIM[3:])
    plain = " ".join(done.out.split())
    ok("sim = latency" in plain and "null = latency" in plain, "in the title", done)


def test_simulated_results_are_computed():
    done, doc = runs("--runs", "6", of=[SIM, [*SIM, "--sim", "L=2us,o=1us,g=1us,G=1ns"]])
    equal((done.rc, doc["computed"]), (1, True), "computed")
    ok(all(r["ratio_lo"] == r["ratio"] == r["ratio_hi"] for r in doc["rows"]), "without width", doc["rows"])


# ---- what is started ----

def test_words_behind_the_dashes_are_verbatim():
    done = run("runs", "--runs", "1", "--", *SIM, "-q", "-o", "each.json", "-n", "2")
    ok(done.rc == 0 and os.path.exists("each.json"), "options of the command itself", done)


@pytest.mark.slow
def test_launchers_and_scripts_are_started_as_they_are():
    with open("script", "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\necho words before; {NETBENCH} {' '.join(SIM)} \"$@\"\necho words behind\n")
    os.chmod("script", 0o755)
    done, doc = runs("--runs", "6", of=[["./script"], ["sh", "./script"]])
    equal((done.rc, doc["summary"]["blocks"]), (0, 6), "a script")
    if not any(os.access(os.path.join(p, "mpirun"), os.X_OK) for p in os.environ["PATH"].split(":")):
        skip("mpirun", "there is none")
        return
    mpi = ["mpirun", "--oversubscribe", "-n", "2", NETBENCH, "latency", "-b", "mpi", "--sizes", "8", "--point-time", "10ms"]
    probe = subprocess.run([*mpi, "-q"], env={**os.environ, **MPI_ENV}, capture_output=True, check=False, timeout=60 * SLOW)
    if probe.returncode == 3:
        skip("mpirun", probe.stderr)
        return
    done, doc = runs("--runs", "2", of=[mpi], out="mpi.json", env={**os.environ, **MPI_ENV})
    equal((done.rc, len(doc["runs"])), (0, 2), "rank 0's document")


def test_each_run_is_kept_whole():
    _, doc = runs("--runs", "2", of=[SIM])
    equal([(r["block"], r["place"], r["counted"], r["exit_status"], r["document"]["command"]) for r in doc["runs"]],
          [(b, 0, True, 0, "latency") for b in range(2)], "both runs")


# ---- failures ----

def test_a_failed_run_voids_its_block_which_is_done_again():
    done, doc = runs("--runs", "6", of=[law("fail=5"), law("fail=5")])
    equal((doc["summary"]["blocks"], doc["summary"]["void"], sum(doc["summary"]["failed"])), (6, 1, 1), "blocks")
    ok(any("failed: its block is void" in w for w in doc["warnings"]), "it is named", doc["warnings"])
    ok(done.rc in (0, 1, 4), "it goes on", done)


@pytest.mark.slow
def test_many_void_blocks_end_it():
    done, doc = runs("--runs", "9", of=[law("fail=3,5,6,7,8,9")])
    equal(done.rc, 1, "exit status")
    ok("blocks are void" in done.err and "law.py" in done.err, "it says which command", done)
    equal(doc["status"], "failed", "what there is, is written")


@pytest.mark.parametrize("line, status, words", by_name({
    "wrong option": (["latency", "--nonsense"], 2, "unknown option '--nonsense'"),
    "no such program": (["no-such-program"], 3, "cannot start 'no-such-program'"),
    "no result": (["true"], 1, "printed no complete result"),
    "failing": (["false"], 1, "ended with status 1"),
}))
def test_a_first_run_that_fails_ends_it_with_its_words(line, status, words):
    done = run("runs", "--", *line)
    equal(done.rc, status, "exit status")
    ok(words in done.err, "its words", done)


@pytest.mark.parametrize("words, said", by_name({
    "no dashes": (["latency"], "expected '--' before the command line"),
    "nothing behind": (["--"], "expected a command line"),
    "nothing between": (["--", "--", "latency"], "expected a command line"),
    "margin": (["--margin", "5", "--", "latency"], "'5' in '--margin'"),
    "margin of 0": (["--margin", "0%", "--", "latency"], "'0%' in '--margin'"),
    "measure": (["--measure", "nonsense", "--runs", "1", "--", *SIM], "unknown column 'nonsense'"),
    "different benchmarks": (["--runs", "1", "--", *SIM, "--", "msgrate", "-b", "sim", "--sizes", "8"],
                             "results with another command"),
}))
def test_wrong_usage_is_refused(words, said):
    done = run("runs", *words)
    equal(done.rc, 2, "exit status")
    ok(said in done.err, "what is said", done)


# ---- interruption ----

def begin(*options):
    return subprocess.Popen([NETBENCH, "runs", "--runs", "40", *options, "-q", "-o", "x.json", "--",
                             *law("sleep=.05"), "--", *law("sleep=.05")], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def await_runs(n):
    end = time.monotonic() + 60 * SLOW
    while time.monotonic() < end:
        if os.path.exists("x.json.runs"):
            with open("x.json.runs", encoding="utf-8") as f:
                if len(f.readlines()) > n:
                    return
        time.sleep(0.02)
    ok(False, f"{n} runs within a minute")


@pytest.mark.slow
def test_control_c_leaves_a_result_and_resume_goes_on():
    p = begin()
    await_runs(6)
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=60 * SLOW)
    equal(p.returncode, 128 + signal.SIGINT, "exit status")
    with open("x.json", encoding="utf-8") as f:
        first = json.load(f)
    equal((first["status"], first["summary"]["findings"][0]["verdict"]), ("interrupted", "cannot tell"), "no verdict")
    ok(first["summary"]["blocks"] >= 2 and not os.path.exists("x.json.runs"), "blocks so far", first["summary"])
    done, doc = runs("--runs", "8", "--resume", "x.json", of=[law("sleep=.05"), law("sleep=.05")], out="y.json")
    equal(doc["summary"]["blocks"], 8, "blocks in all")
    n = len([r for r in first["runs"] if r["counted"]])
    equal([r for r in doc["runs"] if r["counted"]][:n], [r for r in first["runs"] if r["counted"]], "the same runs")


@pytest.mark.slow
def test_a_killed_one_leaves_its_runs_and_resume_goes_on():
    p = begin()
    await_runs(6)
    p.kill()
    p.communicate(timeout=60 * SLOW)
    done, _ = runs(of=[law(), law()])
    ok(done.rc == 2 and "'x.json.runs' already exists" in done.err, "it is not overwritten", done)
    done, _ = runs("--resume", "x.json.runs", of=[law(), law()])
    ok(done.rc == 2 and "has runs of" in done.err, "other command lines are refused", done)
    _, doc = runs("--runs", "7", "--resume", "x.json.runs", of=[law("sleep=.05"), law("sleep=.05")])
    ok(doc["summary"]["blocks"] == 7 and not os.path.exists("x.json.runs"), "it is whole", doc["summary"])


# ---- other commands read it ----

@pytest.mark.slow
def test_other_commands_read_a_result_of_runs():
    runs("--runs", "6", of=[law()], out="one.json")
    runs("--runs", "6", of=[law(), law("factor=2")], out="two.json")
    for words in (["report", "one.json"], ["report", "two.json"], ["merge", "one.json", "two.json"],
                  ["plot", "--term", "one.json"]):
        done = run(*words)
        equal(done.rc, 0, " ".join(words))
        if words == ["report", "two.json"]:
            ok("is slower than" in done.out and "by more than 5 %" in done.out, "the verdict leads", done)


def test_the_progress_line_calls_the_first_run_what_it_is():
    ours, theirs = os.openpty()
    child = subprocess.Popen([NETBENCH, "runs", "--runs", "2", "-o", "x.json", "--", *law()], stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:     # the other end is closed
            break
        if not part:
            break
        said += part
    os.close(ours)
    child.wait(30)
    shown = [line.split(b"]")[0] for line in said.split(b"[")]
    first = [line for line in shown if b"first run, not counted" in line]
    ok(len(first) == 1 and sum(b"block 1" in line for line in shown) == 1 and sum(b"block 2" in line for line in shown) == 1,
       "one first run, and then each block once", said)
