# SPDX-License-Identifier: Apache-2.0
"""Faults of a simulated network, exactly, and what map says of them: each is named as it is, and nothing else."""
import json

import pytest
from netbench import close_to, equal, named, ok, one_fault, run

pytestmark = pytest.mark.usefixtures("inside")

NET = ["-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"]
SEEDS = (1, 2, 3)


def bad(text):
    return ["--sim-fault", text]


def judged(n, *faults, seed=1, more=()):
    """(quantity, kind, subject) of each verdict, and the verdicts."""
    faults = [arg for text in faults for arg in bad(text)]
    done = run("map", *NET, "--ranks", n, *faults, "--seed", seed, *(["--sim-seed", seed] if faults else []), *more, "-f", "json")
    ok(done.rc == 0, "judged", done)
    found = json.loads(done.out)["summary"]["verdicts"]
    return [(v["quantity"], v["kind"], v["subject"]) for v in found], found


def bandwidth(*found):
    return [("bandwidth", kind, subject) for kind, subject in found]


# Of n hosts: the fault, and what is to be found.
FAULTS = {
    "both": lambda n: ("host:3,both,0.8", bandwidth(("host", "n3"))),
    "sends": lambda n: ("host:2,send,0.8", bandwidth(("host_send", "n2"))),
    "receives": lambda n: ("host:4,receive,0.8", bandwidth(("host_receive", "n4"))),
    "pair": lambda n: ("pair:3-1,0.7", bandwidth(("pair", ["n1", "n3"]))),
    "direction": lambda n: ("direction:3-1,0.7", bandwidth(("direction", ["n3", "n1"]))),
    # four messages have one reply: bandwidths suffer as well, but not by 3 us
    "latency": lambda n: ("latency:1,+200us", bandwidth(("host", "n1")) + [("latency", "host", "n1")]),
    "little": lambda n: ("latency:1,+3us", [("latency", "host", "n1")]),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("n", (5, 8, 12))
def test_faults_are_named(n, fault):
    text, want = FAULTS[fault](n)
    for seed in SEEDS:
        found, verdicts = judged(n, text, "noise:5%", seed=seed)
        equal(found, want, f"seed {seed}")
        ok(all(v["persistence"] == "persistent" for v in verdicts), "measured again", verdicts)
    equal(judged(n, text)[0], want, "without noise")


def test_on_a_healthy_network_nobody_is_named():
    """Chance may name one in a hundred."""
    named_ones = [(n, seed, found) for n in (3, 4, 5, 8, 12, 16) for seed in range(1, 8)
                  if (found := judged(n, "noise:5%", seed=seed)[0])]
    ok(len(named_ones) <= 1, "nobody, but once of 42", named_ones)


@pytest.mark.parametrize("n", (8, 12))
def test_a_slow_group_of_hosts_is_named(n):
    half = [f"n{i}" for i in range(n // 2)]
    for seed in SEEDS:
        equal(judged(n, f"group:0-{n // 2 - 1},0.8", "noise:5%", seed=seed)[0], bandwidth(("group", half)), f"seed {seed}")


@pytest.mark.slow
@pytest.mark.parametrize("n", (8, 12))
def test_an_unsteady_host_is_named_in_most_runs(n):
    """Chance may make one look steady, or its pairs slow."""
    found = [judged(n, "flap:4,0.6,0.5", "noise:2%", seed=seed)[0] for seed in range(1, 16)]
    ok(found.count(bandwidth(("unsteady", "n4"))) >= 13, "named in most runs", found)


@pytest.mark.parametrize("n, fault, want", named([
    (3, "host:1,both,0.7", [("host", "n1")]), (3, "direction:0-2,0.7", [("direction", ["n0", "n2"])]),
    (4, "host:2,send,0.7", [("host_send", "n2")]), (4, "pair:0-3,0.7", [("pair", ["n0", "n3"])])]))
def test_faults_of_three_and_four_hosts_are_named(n, fault, want):
    for seed in SEEDS:
        equal(judged(n, fault, "noise:5%", seed=seed)[0], bandwidth(*want), f"seed {seed}")


def test_several_faults_at_once_are_named_with_their_effects():
    found, verdicts = judged(12, "host:3,both,0.7", "host:8,send,0.6", "pair:1-10,0.5", "noise:2%")
    equal(sorted(map(str, found)), sorted(map(str, bandwidth(("host", "n3"), ("host_send", "n8"), ("pair", ["n1", "n10"])))), "all three")
    ok(all(close_to(v["effect"], {"host": .3, "host_send": .4, "pair": .5}[v["kind"]], 0.1) for v in verdicts), "how much", verdicts)


@pytest.mark.parametrize("mode", (["--mode", "serial"], ["--no-retest"], ["--mode", "quick", "--rounds", "24"]))
def test_each_mode_of_measuring_names_the_host(mode):
    found, verdicts = judged(12, "host:3,both,0.7", "noise:2%", more=mode)
    equal(found, bandwidth(("host", "n3")), "the host")
    equal(verdicts[0]["persistence"], "untested" if "--no-retest" in mode else "persistent", "measured again")


@pytest.mark.parametrize("n, faults, words", named([
    (3, ["host:1,both,0.7"], ["slowest hosts, in their slower direction: n1 29 %\n"]),
    (10, [f"host:{i},both,0.6" for i in range(7)], ["no verdict: 7 of 10 hosts are 39 % slower than the other 3 (n7..n9)"]),
    (12, [f"pair:1-{i},0.6" for i in (3, 5, 8, 9)], ["n1 is slow with n", ", but not with others: 38 to 40 % slower"])]))
def test_the_sentence_fits_what_is_slow(n, faults, words):
    """The list agrees with the verdict; most hosts slow; the slow pairs of one host are one sentence."""
    done = run("map", *NET, "--ranks", n, *bad("noise:1%"), *[arg for fault in faults for arg in bad(fault)])
    ok(done.rc == 0 and all(w in done.out.replace("\n  ", " ") for w in words), "words", done)
    ok("n1 - " not in done.out and done.out.count("n1 is ") <= 1, "once", done)


def test_added_latency_is_found_with_its_size():
    _, verdicts = judged(8, "latency:1,+200us")
    ok(close_to(verdicts[-1]["effect_s"], 200e-6, 1e-3), "time added to a round trip's half", verdicts[-1])


def test_a_simulated_fault_fails_and_is_excluded_as_a_real_one():
    done = run("map", *NET, "--ranks", 8, *bad("host:3,both,0.7"), "--fail-if", "host:10%", "--write-exclude", "out")
    ok(done.rc == 1 and "n3 is 30 % slower" in done.out and "--fail-if" in done.err, "exit 1", done)
    equal(open("out", encoding="utf-8").read(), "n3\n", "whom to leave out")


# ---- the network itself ----

def values(command, column, *args):
    done = run(command, *NET, *args, "-f", "json")
    ok(done.rc == 0, "measured", done)
    return [row[column] for row in json.loads(done.out)["rows"]]


@pytest.mark.parametrize("fault, factor", named([
    ("host:0,send,0.5", 2), ("host:1,receive,0.5", 2), ("host:1,both,0.5", 2), ("host:0,receive,0.5", 1), ("host:1,send,0.5", 1),
    ("pair:1-0,0.5", 2), ("direction:0-1,0.5", 2), ("direction:1-0,0.5", 1), ("group:1-2,0.5", 2), ("group:0-1,0.5", 1),
    ("flap:0,0.5,1", 2)]))
def test_a_simulated_fault_has_its_factor_in_bandwidth(fault, factor):
    """A message of a MiB, then a reply of a byte: G counts once a byte but the first."""
    size = 1 << 20
    rate, = values("bandwidth", "bandwidth_Bps", "--ranks", 4, "--between", "0:1", "--sizes", size, "--window", 1, *bad(fault))
    ok(close_to(rate, size / ((size - 1) * .1e-9 * factor + 2 * (1e-6 + 400e-9)), 1e-9), "exactly", rate)


def test_a_simulated_delay_has_its_time_in_latency():
    for n, fault, late in ((2, "latency:1,200us", 200e-6), (3, "latency:2,+200us", 0)):
        time, = values("latency", "half_rtt_epoch_s", "--ranks", n, "--between", "0:1", "--sizes", 8, *bad(fault))
        ok(close_to(time, 1.4007e-6 + late, 1e-9), "exactly", (fault, time))


def test_noise_is_by_the_seed():
    times = [values("latency", "half_rtt_epoch_s", "--ranks", 2, "--sizes", 8, *bad("noise:5%"), "--sim-seed", seed) for seed in (1, 1, 2)]
    ok(times[0] == times[1] != times[2], "the seed says which", times)


@pytest.mark.parametrize("text", (
    "", "x", "host", "host:", "host:1", "host:1,send", "host:1,some,0.7", "host:1,send,0.7,1", "host:4,send,0.7", "host:-1,send,0.7",
    "host:1-2,send,0.7", "host:1,send,0", "host:1,send,1.1", "host:1,send,fast", "pair:1,0.7", "pair:1-1,0.7", "pair:1-4,0.7",
    "pair:1-2-3,0.7", "direction:1-2", "latency:1", "latency:1,0", "latency:1,-5us", "latency:1,5xs", "group:2-1,0.5", "group:1,0.5",
    "flap:1,0.5", "flap:1,0.5,2", "noise", "noise:5", "noise:0%", "noise:200%", "noise:5%,1"))
def test_malformed_faults_are_refused(text):
    ok(one_fault(run("latency", *NET, "--ranks", 4, *bad(text)), 2, "--sim-fault"), "one line")


def test_boards_exclude_faults_and_a_seed_needs_them():
    ok(one_fault(run("latency", "-b", "sim", "--board", "520n", *bad("host:1,send,0.7")), 2, "--sim-fault", "--board"), "a board has none")
    ok(one_fault(run("latency", *NET, "--sim-seed", 2), 2, "--sim-seed", "--sim-fault"), "a seed of nothing")


def test_hosts_that_share_a_link_are_not_accused_in_quick_mode():
    """Two hosts share a link, and each is at full rate alone."""
    done = run("map", "-b", "sim", "-n", 16, "--mode", "quick", "--sim", "L=1000,o=200,g=300,G=.1,link=.1,side=2", "--fail-if", "host:20%")
    ok(" % slower" not in done.out and "2 suspects were measured again and are normal" in done.out and done.rc == 0, "no host is at fault", done)
    done = run("map", "-b", "sim", "-n", 16, "--mode", "rounds", "--sim", "L=1000,o=200,g=300,G=.1,link=.1,side=4", "--fail-if", "shared:3")
    ok(one_fault(done, 4, "'shared:3' in '--fail-if' cannot be judged"), "an oversubscription that is not known", done)
