# SPDX-License-Identifier: Apache-2.0
"""Latency under load: in virtual time against what must come out, for real on each backend, and what is refused."""
import json

import pytest
from netbench import close_to, equal, measure, named, note, ok, one_fault, run, slow_but

SIM = ("load", "-b", "sim", "--sim", "L=1000,o=200,g=300,G=.1", "--epoch", "5ms", "--aggressor-size", "8k")


def rows_of(*args, **kwargs):
    done = run(*args, "-f", "json", **kwargs)
    ok(done.rc == 0, "exit 0", done)
    return json.loads(done.out)["rows"] if done.rc == 0 else []


@pytest.mark.parametrize("aggressor", ["incast", "alltoall", "permutation", "broadcast", "incast+alltoall"])
def test_victims_that_share_nothing_do_not_notice_the_load(aggressor):
    rows = rows_of(*SIM, "-n", 6, "--aggressor", aggressor, "--epochs", 6)
    equal([r["load_asked"] for r in rows], [0, .25, .5, .75, 1], "levels")
    for row in rows:
        level = row["load_asked"]
        ok(close_to(row["latency_p50_s"], 2801.4e-9), f"{level}: round trip 2 (o + L + 7 G + o)", row["latency_p50_s"])
        ok(row["factor_p50"] == row["factor_p99"] == 1, f"{level}: factor", row)
        ok(abs(row["load_achieved"] - level) <= .05, f"{level}: load", row["load_achieved"])
        equal((row["epochs"], row["errors"], row["note"], row["shares"]), (6, 0, None, None), f"{level}: all is counted")


def test_an_open_loop_counts_from_when_an_event_should_have_begun():
    # 200,000 a second are 5 us apart in the mean; one at a time takes 2.8 us, so that events wait for each other
    one, many = rows_of(*SIM, "--levels", 0, "--rate", 200000, "--outstanding", 1)[0], \
        rows_of(*SIM, "--levels", 0, "--rate", 200000)[0]
    for row in one, many:
        ok(row["loop"] == "open" and abs(row["rate_achieved_Hz"] / 2e5 - 1) < .02, "rate", row)
    ok(close_to(one["service_p50_s"], 2801.4e-9), "one in flight: its own time", one["service_p50_s"])
    # M/D/1 with rho = 0.56: mean wait rho S / (2 (1 - rho))
    rho = .2 * 2.8014
    wait = rho * 2801.4e-9 / (2 * (1 - rho))
    ok(abs(one["latency_mean_s"] - 2801.4e-9 - wait) < .1 * wait, "mean wait", (one["latency_mean_s"], wait))
    ok(many["latency_mean_s"] < one["latency_mean_s"], "more in flight: less wait", many)
    ok(one["backlog_max"] > 2 and one["late_sends"] > 0, "backlog", one)


def test_a_rate_that_is_not_carried_has_no_latency_and_says_so():
    row = rows_of(*SIM, "--levels", 0, "--rate", 500000, "--outstanding", 1)[0]
    equal((row["note"], row["latency_p50_s"], row["factor_p50"]), ("saturated", None, None), "saturated")
    ok(abs(row["rate_achieved_Hz"] * 2801.4e-9 - 1) < .01, "the rate that is carried", row["rate_achieved_Hz"])


def test_a_bandwidth_has_the_quiet_rate_over_the_loaded_one():
    rows = rows_of(*SIM, "--victim", "bandwidth", "--levels", "0,100", "--epochs", 6)
    for row in rows:
        ok(row["factor_p50"] == 1, "nothing is shared", row)
        equal(row["size_B"], 65536, "size")


@pytest.mark.parametrize("victims", ["0,1", "0,3,5", "0-6"])
def test_an_allreduce_takes_as_long_as_that_of_collective(victims):
    ranks = {"0,1": 2, "0,3,5": 3, "0-6": 7}[victims]
    alone = json.loads(run("collective", "-b", "sim", "-n", ranks, "--sim", SIM[4], "--operation", "allreduce",
                           "--algorithm", "recursive-doubling", "--sizes", "8", "-f", "json").out)["rows"][0]["collective_s"]
    row, held = rows_of(*SIM, "--arrivals", "periodic", "-n", 12, "--victim", "allreduce", "--victims", victims.replace("-", ":"), "--aggressors", "8:11",
                        "--levels", "50", "--epochs", 6, "--rate", "closed,50000")
    ok(close_to(held["quiet_p50_s"], alone), "one by one", (held["quiet_p50_s"], alone))
    # in a closed loop ranks begin when they themselves have ended
    ok(close_to(row["quiet_p50_s"], alone, .3) and (ranks == 3 or close_to(row["quiet_p50_s"], alone, .2)), "closed", row)
    for r in row, held:
        equal((r["factor_p50"], r["errors"], r["note"], r["unanswered"]), (1, 0, None, 0), "nothing is shared")


def test_a_victim_that_stands_still_is_the_worst():
    done = run("load", "-b", "sim", "-n", 8, "--sim", "L=1000,o=200,g=300,G=.1,link=200,side=4", "--victims", "0,1,3,6", "--aggressors", "7,2",
               "--levels", 100, "--epochs", 6, "--epoch", "20ms", "-f", "json")
    row = json.loads(done.out)["rows"][0]
    ok(row["latency_p50_s"] is None and row["note"] == "aggressors delivered nothing in an epoch", "no factor", row)
    ok(one_fault(run("load", "-b", "sim", "-n", 4, "--levels", 0, "--rate", 100000, "--epochs", 1, "--epoch", "5s"), 2, "more than 262144 events"),
       "nor are events left out of an open loop")


def test_each_epoch_has_a_histogram_and_a_picture_shows_them(place):
    done = run(*LINK, "--aggressors", "1,4", "--levels", "0,50", "--epochs", 6, "-f", "json")
    rows = json.loads(done.out)["rows"]
    for row in rows:
        for name, mean, most in ("latency_s_count", "latency_mean_s", "latency_max_s"), ("quiet_s_count", "quiet_mean_s", "quiet_max_s"):
            epochs = row["samples"][name]
            bars = [bar for epoch in epochs for bar in epoch]
            total = sum(n for _, n in bars)
            equal(len(epochs), 6, f"{name}: epochs")
            ok(close_to(sum(t * n for t, n in bars) / total, row[mean], 1 / 200), f"{name}: mean", (row[mean], bars[:4]))
            ok(row[most] * (1 - 1 / 250) < max(t for t, _ in bars) <= row[most] * (1 + 1e-9), f"{name}: longest", row[most])
    for level, words in (50, "no victim is slowed beyond its interval"), (90, "worst victim: pingpong of rank 0, beside incast at 90 % load"):
        done_again = run(*LINK, "--aggressors", "1,4", "--levels", level, "--epochs", 6)
        ok(words in done_again.whole, "last line", done_again)
    (place / "l.json").write_text(done.out)
    for kind, words in ("cdf", ("quiet", "load 0.5", "distribution of the time of an event")), ("points", ("load, as a share", "factor by which load slows")):
        drawn = run("plot", "l.json", "--kind", kind, "-o", "l.svg", "--script", cwd=place)
        ok(drawn.rc == 0 and all(w in drawn.out for w in words), f"picture of {kind}", drawn)


def test_a_report_has_the_factor_of_each_load_or_why_there_is_none(place):
    (place / "l.json").write_text(run(*LINK, "--aggressors", "1,4", "--levels", "0,50", "--rate", "20000,900000", "--outstanding", 1,
                                      "--epochs", 6, "-f", "json").out)
    text = " ".join(run("report", "l.json", cwd=place).out.split())
    for words in ("pingpong beside incast at load 0.5, 20000 events a second: median **1", "at load 0, 20000 events a second: median **1** (95 % interval 1 to 1)",
                  "at load 0, 900000 events a second: no factor, saturated"):
        ok(words in text, words, text[:1800])


def test_the_same_seed_is_the_same_run():
    runs = [[row[k] for row in rows_of(*SIM, "--levels", 50, "--rate", 50000, "--seed", seed) for k in row if k[-2:] in ("_s", "Hz", "ed")]
            for seed in (5, 5, 6)]
    ok(runs[0] == runs[1], "the same rows", runs[:2])
    ok(runs[0] != runs[2], "another seed", runs)


def test_ranks_are_victims_and_aggressors_by_name():
    done = run(*SIM, "-n", 8, "--victims", "0,7", "--aggressors", "6,1,2", "--levels", 100, "--epochs", 6, "-f", "json")
    record = json.loads(done.out)
    equal(record["rows"][0]["placement"], "named", "placement")
    equal((record["summary"]["victims"], record["summary"]["aggressors"]), ("0,7", "6,1,2"), "roles")


def test_victims_are_apart_from_aggressors_by_a_file_of_switches(place):
    # all messages between the sides go through the link: incast from the victims' side slows them, and from the other does not
    names = place / "switches"
    names.write_text("# host switch\n" + "".join(f"{r} {'left' if r < 4 else 'right'}\n" for r in range(12)))
    args = ("load", "-b", "sim", "-n", 12, "--sim", "L=1000,o=1,g=1,G=0,link=0.2,side=4", "--aggressor-size", "8k", "--epoch", "5ms",
            "--levels", 100, "--epochs", 6, "--switches", names)
    for where in "same-switch", "apart":
        row = rows_of(*args, "--place", where)[0]
        ok(row["factor_p50"] == 1 and row["placement"].startswith(where), f"{where}: victims do not cross the link", row)
    names.write_text("0 left\n1 left more\n")
    ok(one_fault(run(*args, "--place", "apart"), 2, "line 2", "switch"), "a bad line is named")
    names.write_text("0 left\n")
    ok(one_fault(run(*args, "--place", "apart"), 2, "'1'", "no switch"), "a host without switch is named")


def test_the_target_of_incast_rotates():
    # Ranks 1 and 2 are on one side of a link and 5 on the other: how many messages must cross it depends on the target.
    args = ("load", "-b", "sim", "-n", 8, "--sim", "L=1000,o=1,g=1,G=0,link=0.2,side=4", "--victims", "0,3", "--aggressors", "1,2,5",
            "--aggressor-size", "8k", "--epoch", "1ms", "--levels", "100", "--epochs", 6)
    first, rotate = (rows_of(*args, "--target", target)[0] for target in ("first", "rotate"))
    ok(first["load_achieved_hi"] - first["load_achieved_lo"] < .01, "the same in each epoch", first)
    ok(rotate["load_achieved_hi"] - rotate["load_achieved_lo"] > .05, "another in each epoch", rotate)
    equal((first["factor_p50"], rotate["factor_p50"], rotate["errors"]), (1, 1, 0), "victims do not cross the link")


@pytest.mark.parametrize("args, words", named([
    (("--place", "apart"), ("'--place apart'", "'--switches'")),
    (("--switches", "/dev/null"), ("'--switches'",)),
    (("--victims", "0,1"), ("'--victims' and '--aggressors'",)),
    (("--victims", "0,1", "--aggressors", "1,2"), ("rank 1", "twice")),
    (("-n", 5, "--victims", "0,1,2", "--aggressors", "3,4"), ("3", "pairs")),
    (("--victims", "0,1", "--aggressors", "2"), ("'--aggressors'", "two")),
    (("--victims", "0,9", "--aggressors", "2,3"), ("'9'", "no rank")),
    (("--victims", "0,1", "--aggressors", "2,3", "--place", "striped"), ("'--place'",)),
    (("--aggressor", "incast,storm"), ("'storm'", "'--aggressor'")),
    (("--aggressor", "incast+"), ("''", "'--aggressor'")),
    (("--rate", "closed,0"), ("'0'", "'--rate'")),
    (("--rate", "1000", "--victim", "bandwidth"), ("'--rate'", "bandwidth")),
    (("--victim", "allreduce", "--victim-size", "12"), ("'12'", "'--victim-size'", "8")),
    (("--victim", "allreduce", "--victims", "0", "--aggressors", "2,3"), ("'--victims'", "two")),
    (("--sizes", "8"), ("'--sizes'",)),
    (("--samples",), ("'--samples'",)),
    (("--predict",), ("'--predict'",)),
    (("-n", "3"), ("'3'", "'--ranks'")),
]))
def test_what_makes_no_sense_is_refused(args, words):
    done = run("load", "-b", "sim", *args)
    ok(one_fault(done, 2, *words), "one line, exit 2", done)


@pytest.mark.parametrize("backend, victim", slow_but([("shm", "pingpong"), ("tcp", "pingpong"), ("shm", "allreduce"), ("tcp", "allreduce")],
                                                     0, 3))
def test_a_real_network_is_loaded(backend, victim):
    done, table = measure("load", "-b", backend, "--levels", "0,100", "--epochs", 6, "--epoch", "30ms", "--pin", "none",
                          "--aggressor", "alltoall", "--aggressor-size", "16k", "--victim", victim)
    ok(done.rc == 0 and len(table.rows) == 2, "two rows", done)
    for row in table.rows:
        ok(row["errors"] == 0 and row["shares"] == "host" and row["latency_p50_s"] > 0, "row", row)
    ok(table.rows[1]["load_achieved"] > 0, "load", table.rows[1])



# A link of 0.2 ns a byte, which only the messages of 8 KiB load: S = 1638.4 ns. A victim's reply waits there.
LINK = ("load", "-b", "sim", "-n", 6, "--sim", "L=1000,o=1,g=1,G=0,link=0.2,side=3", "--victims", "0,3", "--aggressor-size", "8k",
        "--levels", 50, "--rate", 20000)
S, QUIET = 1638.4e-9, 2007.2e-9


# Quantiles of the wait in S at half of the link. M/D/1: mean rho / (2 (1 - rho)). Two messages at once every 4 S: the wait is 0 half of
# the time, else uniform in (0, 2 S).
WAITS = {
    "poisson": ("1,4", {"p50": 0, "p90": 1.5157, "p99": 3.3363, "p999": 5.1684}),
    "periodic": ("1,4,5", {"p50": 0, "p90": 2 * .8, "p99": 2 * .98, "p999": 2 * .998}),
}


@pytest.mark.parametrize("pace", WAITS)
@pytest.mark.parametrize("seeds", [4, pytest.param(200, marks=pytest.mark.long)])
def test_waits_at_a_shared_link_are_those_of_queueing_theory(pace, seeds):
    senders, waits = WAITS[pace]
    held, had, cut = dict.fromkeys(waits, 0), dict.fromkeys(waits, 0), 0
    for seed in range(1, seeds + 1):
        row = rows_of(*LINK, "--aggressors", senders, "--pace", pace, "--seed", seed)[0]
        cut += row["unanswered"] > 3
        ok(row["note"] is None and cut <= .05 * seeds, f"seed {seed}: the load was reached, and hardly an event is cut off by an epoch's end", row)
        ok(close_to(row["quiet_p50_s"], QUIET, 1e-3), f"seed {seed}: quiet", row["quiet_p50_s"])
        mean = (row["latency_mean_s"] - row["quiet_mean_s"]) / S
        ok(abs(mean - .5) < .08, f"seed {seed}: mean wait", mean)
        for q, wait in waits.items():
            lo, hi = row[f"latency_{q}_lo_s"], row[f"latency_{q}_hi_s"]
            had[q] += row[f"latency_{q}_s"] is not None
            # a bound that the events do not give is open
            held[q] += row[f"latency_{q}_s"] is not None and (lo or 0) <= QUIET + wait * S + 1e-12 and (hi is None or QUIET + wait * S - 1e-12 <= hi)
    for q, n in held.items():
        ok(n >= had[q] - 1 if seeds < 20 else n >= .93 * had[q] > 0, f"{q}: {n} of {had[q]} intervals hold the closed form")
    note(f"{pace}, {seeds} seeds: intervals that hold the closed form: {held} of {had}")


@pytest.mark.parametrize("seeds", [10, pytest.param(200, marks=pytest.mark.long)])
def test_without_load_the_factor_is_1_within_its_interval(seeds):
    # the open loop with one event in flight makes waits that differ between epochs
    held = 0
    for seed in range(1, seeds + 1):
        row = rows_of(*SIM, "--epoch", "2ms", "--levels", 0, "--rate", 200000, "--outstanding", 1, "--seed", seed)[0]
        held += all(row[f"factor_{q}"] is None or row[f"factor_{q}_lo"] <= 1 <= row[f"factor_{q}_hi"] for q in ("p50",))
    ok(held >= (seeds - 2 if seeds < 20 else .93 * seeds), f"{held} of {seeds} intervals hold 1")
    note(f"without load: {held} of {seeds} intervals hold 1")


def test_a_standing_queue_of_a_closed_loop_delays_victims_by_its_length():
    # N = 4 aggressors with w = 4 messages each: V = N w S - (S + 2 (o_s + o_r + L)), and a victim waits between V and V + 2 S
    row = rows_of("load", "-b", "sim", "-n", 8, "--sim", "L=1000,o=200,g=300,G=.1,link=0.2,side=5", "--victims", "0,5",
                  "--aggressors", "6,1:4", "--aggressor-size", "8k", "-w", 4, "--levels", 100, "--rate", 20000)[0]
    standing = 16 * S - (S + 2 * 1400e-9)
    for q in "p50", "p90", "p99":
        wait = row[f"latency_{q}_s"] - row["quiet_p50_s"]
        ok(standing <= wait <= standing + 2 * S, q, (wait, standing))
