# SPDX-License-Identifier: Apache-2.0
"""Latency under load: in virtual time against what must come out, for real on each backend, and what is refused."""
import json

import pytest
from netbench import close_to, equal, measure, named, ok, one_fault, run

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


def test_the_same_seed_is_the_same_run():
    runs = [[row[k] for row in rows_of(*SIM, "--levels", 50, "--rate", 50000, "--seed", seed) for k in row if k[-2:] in ("_s", "Hz", "ed")]
            for seed in (5, 5, 6)]
    ok(runs[0] == runs[1], "the same rows", runs[:2])
    ok(runs[0] != runs[2], "another seed", runs)


def test_ranks_are_victims_and_aggressors_by_name():
    row = rows_of(*SIM, "-n", 8, "--victims", "0,7", "--aggressors", "6,1,2", "--levels", 100, "--epochs", 6)[0]
    equal(row["placement"], "named", "placement")


@pytest.mark.parametrize("args, words", named([
    (("--victims", "0,1"), ("'--victims' and '--aggressors'",)),
    (("--victims", "0,1", "--aggressors", "1,2"), ("rank 1", "twice")),
    (("-n", 5, "--victims", "0,1,2", "--aggressors", "3,4"), ("3", "pairs")),
    (("--victims", "0,1", "--aggressors", "2"), ("'--aggressors'", "two")),
    (("--victims", "0,9", "--aggressors", "2,3"), ("'9'", "no rank")),
    (("--victims", "0,1", "--aggressors", "2,3", "--place", "striped"), ("'--place'",)),
    (("--aggressor", "incast,storm"), ("'storm'", "'--aggressor'")),
    (("--aggressor", "incast+"), ("''", "'--aggressor'")),
    (("--rate", "closed,0"), ("'0'", "'--rate'")),
    (("--rate", "1000", "--victim", "bandwidth"), ("'--rate'", "pingpong")),
    (("--sizes", "8"), ("'--sizes'",)),
    (("-n", "3"), ("'3'", "'--ranks'")),
]))
def test_what_makes_no_sense_is_refused(args, words):
    done = run("load", "-b", "sim", *args)
    ok(one_fault(done, 2, *words), "one line, exit 2", done)


@pytest.mark.parametrize("backend", ["shm", "tcp"])
def test_a_real_network_is_loaded(backend):
    done, table = measure("load", "-b", backend, "--levels", "0,100", "--epochs", 6, "--epoch", "30ms", "--pin", "none",
                          "--aggressor", "alltoall", "--aggressor-size", "16k")
    ok(done.rc == 0 and len(table.rows) == 2, "two rows", done)
    for row in table.rows:
        ok(row["errors"] == 0 and row["shares"] == "host" and row["latency_p50_s"] > 0, "row", row)
    ok(table.rows[1]["load_achieved"] > 0, "load", table.rows[1])

