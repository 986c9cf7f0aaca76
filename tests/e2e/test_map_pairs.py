# SPDX-License-Identifier: Apache-2.0
"""netbench map: all pairs are measured, in rounds, and judged."""
import json
import os
import resource
import signal
import subprocess

import pytest
from lost import visits_on_disk
from netbench import SLOW, command, equal, faults, named, ok, of_point, one_fault, run, until

pytestmark = pytest.mark.usefixtures("inside")

NET = ["-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"]
HALF_RTT = 1.4007e-6        # L + o_s + o_r + 7 G
# four messages and a reply: 4 2^20 / (4 (2^20 - 1) G + 3 g + 2 (L + o_s + o_r))
RATE = 4 * 2**20 / (4 * (2**20 - 1) * .1e-9 + 3 * 300e-9 + 2 * (1e-6 + 2 * 200e-9))


def measured(*args, rc=0):
    done = run("map", *args, "-o", "map.json")
    ok(done.rc in (rc if isinstance(rc, tuple) else (rc,)), f"exit {rc}", done)
    with open("map.json", encoding="utf-8") as f:
        return done, json.load(f)


def pairs(record):
    """In order: rows come as rounds do."""
    return [(r["sender_host"], r["receiver_host"]) for r in sorted(record["rows"], key=lambda r: (r["sender"], r["receiver"]))]


def all_of(names):
    return [(a, b) for a in names for b in names if a != b]


@pytest.mark.parametrize("mode, visits", named([("rounds", 5), ("serial", 5)]))
@pytest.mark.parametrize("n", (2, 3, 5, 8))
def test_every_pair_is_measured_in_every_visit(mode, visits, n):
    _, record = measured(*NET, "--ranks", n, "--mode", mode)
    equal(pairs(record), all_of([f"n{i}" for i in range(n)]), "ordered pairs")
    for row in record["rows"]:
        ok(row["half_rtt_epoch_s"] == pytest.approx(HALF_RTT, rel=1e-6) and row["bandwidth_Bps"] == pytest.approx(RATE, rel=1e-6),
           "exactly what the network has", row)
        equal((row["visits"], len(row["samples"]["bandwidth_Bps"]), "visit" in row["samples"]), (visits, visits, False), "visits")
        equal("round" in row["samples"], mode != "serial", "rounds")
    equal((record["summary"]["verdicts"], record["summary"]["mode"]), ([], mode), "verdicts")


@pytest.mark.parametrize("args, foretold", named([
    (["--ranks", 4], "5 visits of 3 rounds with up to 2 pairs at once"),
    (["--ranks", 12], "3 visits of 11 rounds with up to 6 pairs at once"),
    (["--ranks", 9, "--visits", 1, "--mode", "serial"], "1 visit of 9 rounds with up to 4 pairs, one by one"),
    (["--ranks", 300], "1 visit of 32 rounds with up to 150 pairs at once")]))
def test_dry_run_foretells_visits_rounds_and_pairs_at_once(args, foretold):
    done = run("map", *NET, *args, "--dry-run")
    ok(done.rc == 0 and done.out.splitlines()[-1] == foretold, "the last line", done)


@pytest.mark.parametrize("visits, least", ((1, "0.4"), (64, "24")))
def test_dry_run_says_the_least_time(visits, least):
    """Of three rounds, of 6 times 1 ms and twice 10 ms."""
    done = run("map", "-b", "shm", "--ranks", 4, "--visits", visits, "--dry-run")
    ok(f"pairs at once: at least {least} s, plus time for suspects" in done.out, "in seconds", done)


def test_pairs_of_a_round_are_disjoint():
    """Each visit is a tournament of its own: a host is in one pair of a round, and company changes."""
    _, record = measured(*NET, "--ranks", 8)
    company = set()
    for visit in range(5):
        rounds = {}
        for row in record["rows"]:
            rounds.setdefault(row["samples"]["round"][visit], set()).add(frozenset((row["sender"], row["receiver"])))
        equal(sorted(rounds), list(range(7)), "rounds")
        for met in rounds.values():
            equal(sorted(host for pair in met for host in pair), list(range(8)), "each host once")
            company.add(frozenset(met))
    ok(len(company) > 7, "the same pairs are not always together", company)


def test_the_seed_decides_the_order_of_rounds():
    rounds = [[r["samples"]["round"] for r in measured(*NET, "--ranks", 6, "--seed", seed)[1]["rows"]] for seed in (1, 1, 2)]
    ok(rounds[0] == rounds[1] != rounds[2], "the seed says in which order", rounds)


def test_names_are_in_order():
    _, record = measured(*NET, "--ranks", 12)
    equal(list(dict.fromkeys(sender for sender, _ in pairs(record))), [f"n{i}" for i in range(12)], "n2 before n10")
    equal({r["visits"] for r in record["rows"]}, {3}, "three visits of many hosts")


def test_quick_measures_some_pairs_once_and_has_rows_of_these_alone():
    done, record = measured(*NET, "--ranks", 24, "--rounds", 5)
    rows = record["rows"]
    ok(record["summary"]["mode"] == "quick" and 24 * 2 <= len(rows) <= 24 * 5, "some pairs, once", len(rows))
    equal({r["visits"] for r in rows}, {1}, "each has met")
    equal(record["summary"]["bandwidth_missing_pairs"], 24 * 23 - len(rows), "others are counted")
    ok(f"{24 * 23 - len(rows)} of 552 ordered pairs have no value" in done.out, "said", done)


@pytest.mark.slow
def test_results_of_mode_quick_with_rows_of_all_pairs_are_read_as_well():
    """As earlier versions wrote them: what reads a result says the same of both."""
    _, record = measured("-b", "sim", "--ranks", 64, "--rounds", 16, "--sim-fault", "host:9,both,0.7", "--sim-fault", "noise:2%")
    said = {}
    for name in ("new", "old"):
        if name == "old":
            met = set(pairs(record))
            record["rows"] += [{"sender": i, "receiver": j, "sender_host": f"n{i}", "receiver_host": f"n{j}", "size_B": 1 << 20, "visits": 0,
                                "note": "not measured", "samples": {"half_rtt_epoch_s": [], "bandwidth_Bps": []}}
                               for i in range(64) for j in range(64) if i != j and (f"n{i}", f"n{j}") not in met]
        with open(f"{name}.json", "w", encoding="utf-8") as f:
            json.dump(record, f)
        again = run("map", "--from", f"{name}.json", "-o", f"{name}.again.json")
        compared = run("compare", "map.json", f"{name}.json", "-o", f"{name}.compared.json")
        with open(f"{name}.again.json", encoding="utf-8") as f:
            rows = len(json.load(f)["rows"])
        drawn = run("plot", f"{name}.json", "-o", f"{name}.svg")
        report = run("report", f"{name}.json")
        equal([d.rc for d in (again, compared, drawn, report)], [0] * 4, "read")
        said[name] = [x.replace(f"{name}.", "X.") for x in (again.out, compared.out)] + [rows, [v for v in report.out.splitlines() if "n9" in v][:1]]
    equal(said["old"], said["new"], "alike")
    ok("n9 is" in said["new"][0], "the host", said["new"][0])


@pytest.mark.long
@pytest.mark.skipif(SLOW != 1, reason="judges time and memory: not under sanitizers")
def test_quick_of_4096_hosts_needs_300_MB_and_little_time():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run("map", "-b", "sim", "-n", 4096, "--mode", "quick", "-o", "map.json", timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    equal(done.rc, 0, "measured")
    ok(after.ru_maxrss <= 300e3, "kB of memory", after.ru_maxrss)
    ok(after.ru_utime - before.ru_utime <= 30, "s of a processor", after.ru_utime - before.ru_utime)
    ok(os.path.getsize("map.json") < 50e6, "bytes", os.path.getsize("map.json"))


def test_visits_and_sizes_are_as_asked_for():
    _, record = measured(*NET, "--ranks", 4, "--visits", 7, "--sizes", "0,4k")
    equal({(r["size_B"], r["visits"]) for r in record["rows"]}, {(4096, 7)}, "as asked for")
    ok(all(r["bandwidth_lo_Bps"] == r["bandwidth_Bps"] for r in record["rows"]), "seven visits have an interval", record["rows"][0])


def test_a_file_is_judged_again_with_the_same_verdicts():
    _, first = measured(*NET, "--ranks", 5)
    done = run("map", "--from", "map.json", "-o", "again.json")
    again = json.load(open("again.json", encoding="utf-8"))
    rows = [sorted(map(of_point, r["rows"]), key=lambda row: (row["sender"], row["receiver"])) for r in (first, again)]
    ok(done.rc == 0 and rows[0] == rows[1], "the same rows", done)
    equal(again["summary"]["verdicts"], first["summary"]["verdicts"], "the same verdicts")


BOTH_WAYS = 2 * RATE         # each way as if the other were idle


def test_both_ways_at_once_are_measured_beside_one_way_and_judged_apart():
    """By the closed form, as bandwidth --bidirectional has it; beside the bandwidth one way, and not mixed with it."""
    done, record = measured(*NET, "--ranks", 5, "--bidirectional")
    for row in record["rows"]:
        ok(row["bidirectional_Bps"] == pytest.approx(BOTH_WAYS, rel=1e-6) and row["bandwidth_Bps"] == pytest.approx(RATE, rel=1e-6),
           "exactly what the network has", row)
        equal(len(row["samples"]["bidirectional_Bps"]), 5, "visits")
    same = run("bandwidth", *NET, "--ranks", 2, "--bidirectional", "--window", 4, "--sizes", "1M", "-f", "json")
    ok(json.loads(same.out)["rows"][0]["bandwidth_Bps"] == pytest.approx(BOTH_WAYS, rel=1e-6), "as bandwidth says", same)
    equal([j["quantity"] for j in record["summary"]["judged"]], ["bandwidth", "latency", "bidirectional"], "each judged by itself")
    ok("bandwidth both ways at once: median 19.83 GB/s" in done.out and record["summary"]["verdicts"] == [], "words", done)
    again = run("map", "--from", "map.json", "-o", "again.json")
    with open("again.json", encoding="utf-8") as f:
        equal([r["bidirectional_Bps"] for r in json.load(f)["rows"]], [r["bidirectional_Bps"] for r in record["rows"]], "from the file")
    ok(again.rc == 0, "again", again)


@pytest.mark.parametrize("args, rc, said, unsaid", named([
    (["-n", "12"], 0, ["no host differs"], ["slowest hosts", "Nothing was measured"]),
    (["-n", "4", "--visits", "1", "--no-retest"], 4, ["\n\nno verdict: one visit"], ["bandwidth:\n", "Nothing was measured"]),
    (["-n", "12", "--time-limit", "1us"], 4, ["no verdict: no pair was measured"], ["Nothing was measured"])]))
def test_what_is_not_said(args, rc, said, unsaid):
    done = run("map", *NET, *args)
    ok(done.rc == rc and all(w in done.out for w in said) and not any(w in done.out for w in unsaid), "words", done)
    equal((done.out.count("no verdict"), "1e-06" in done.err), (int(rc == 4), False), "once, and in units")


def test_nothing_is_said_of_both_ways_unless_asked_for():
    _, record = measured(*NET, "--ranks", 3)
    ok(all("bidirectional_Bps" not in r and "bidirectional_Bps" not in r["samples"] for r in record["rows"]), "empty", record["rows"][0])


@pytest.mark.parametrize("more", ([], ["--mode", "serial"], ["--no-retest"], ["--rounds", "24"]), ids=" ".join)
def test_a_fault_is_named_in_each_way_of_measuring(more):
    _, record = measured(*NET, "--ranks", 12, "--bidirectional", "--sim-fault", "host:3,both,0.7", "--sim-fault", "noise:2%", *more)
    found = [(v["quantity"], v["kind"], v["subject"]) for v in record["summary"]["verdicts"]]
    equal(found, [("bandwidth", "host", "n3"), ("bidirectional", "host", "n3")], "verdicts")
    # both sides of an interface work at once, so both ways are as slow as one way
    effects = [v["effect"] for v in record["summary"]["verdicts"]]
    ok(effects == pytest.approx([.3, .3], rel=.1), "how much", record["summary"]["verdicts"])


@pytest.mark.slow
@pytest.mark.parametrize("backend", ("shm", "tcp"))
def test_both_ways_of_real_ranks_have_one_value_from_either_side(backend):
    _, record = measured("-b", backend, "-n", 3, "--visits", 2, "--bidirectional")
    ok(all(r["bidirectional_Bps"] > 0 and r["bandwidth_Bps"] > 0 and r["visits"] == 2 for r in record["rows"]), "values", record["rows"])
    of = {frozenset((r["sender"], r["receiver"])): r["bidirectional_Bps"] for r in record["rows"]}
    ok(all(r["bidirectional_Bps"] == of[frozenset((r["sender"], r["receiver"]))] for r in record["rows"]), "the same from either", record["rows"])


def test_both_ways_are_judged_from_a_csv():
    with open("pairs.csv", "w", encoding="utf-8") as f:
        f.write("visit,sender,receiver,bidirectional_Bps\n")
        f.writelines(f"{v},n{i},n{j},{(7e8 if 2 in (i, j) else 1e9) + v + i + j}\n" for v in (1, 2, 3) for i in range(6) for j in range(6) if i != j)
    done = run("map", "--from", "pairs.csv", "-f", "json")
    found = json.loads(done.out)["summary"]["verdicts"]
    equal([(v["quantity"], v["kind"], v["subject"]) for v in found], [("bidirectional", "host", "n2")], "the host")


@pytest.mark.parametrize("backend", ("shm", pytest.param("tcp", marks=pytest.mark.slow)))
def test_ranks_of_one_host_have_round_trip_and_bandwidth_of_every_pair(backend):
    done, record = measured("-b", backend, "-n", 3, "--visits", 3, "--no-retest")
    equal(pairs(record), all_of(["rank0", "rank1", "rank2"]), "ranks of one host")
    ok(all(r["half_rtt_epoch_s"] > 0 and r["bandwidth_Bps"] > 0 and r["visits"] == 3 for r in record["rows"]), "values", record["rows"])
    equal([r["half_rtt_min_s"] for r in record["rows"]], [min(r["samples"]["half_rtt_epoch_s"]) for r in record["rows"]], "the least of the visits")
    ok("half round trip: median" in done.out and record["status"] == "complete", "words", done)


@pytest.mark.slow
def test_verification_of_every_message_is_another_definition():
    _, record = measured("-b", "shm", "-n", 2, "--visits", 1, "--verify", "every", rc=4)
    equal(record["definition"], "map.v1+every", "definition")


def test_a_map_without_a_row_says_where_the_visits_are():
    """Where no row could be written, it is said where the visits are."""
    p = subprocess.Popen(command(["map", "-b", "shm", "-n", 2, "--visits", 60, "-o", "once.json"]), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    ok(until(lambda: len(visits_on_disk("once.json.visits.csv")) > 2, 30), "under way")
    os.kill(p.pid, signal.SIGSTOP)
    for sig in (signal.SIGTERM, signal.SIGINT):
        p.send_signal(sig)
    os.kill(p.pid, signal.SIGCONT)
    err = p.communicate(timeout=30 * SLOW)[1]
    ok("once.json.visits.csv' has what was measured; judge it by" in err, "said", err)
    ok(p.returncode > 128 and run("map", "--from", "once.json.visits.csv").rc in (0, 4), "and so it is", p.returncode)


@pytest.mark.slow
def test_an_interrupted_map_judges_the_whole_visits():
    """What is whole is judged, and the file says what it is."""
    p = subprocess.Popen(command(["map", "-b", "tcp", "-n", 4, "--visits", 60, "-o", "map.json"]), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    ok(until(lambda: len(visits_on_disk("map.json.visits.csv")) > 50, 30), "under way")
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=30 * SLOW)
    record = json.load(open("map.json", encoding="utf-8"))
    ok(p.returncode == 130 and record["status"] == "interrupted", "interrupted", (p.returncode, out, err))
    ok(any(w in out for w in ("no host", "not measured again", "no verdict")), "judged", out)
    ok(0 < max(r["visits"] for r in record["rows"]) < 60 and record["summary"]["retest"] is False, "what there is", record["summary"])


@pytest.mark.slow
def test_a_time_limit_ends_the_map_and_is_told():
    done, record = measured("-b", "shm", "-n", 3, "--visits", 64, "--time-limit", "1500ms", rc=(0, 4))
    ok(record["status"] == "incomplete" and "time limit" in done.err and record["summary"]["retest"] is False, "said", done)
    ok(1 <= record["summary"]["visits_whole"] < 64, "some visits", record["summary"])
    no_verdict = [j.get("no_verdict", "") for j in record["summary"]["judged"]]
    equal(done.rc, 4 if all(no_verdict) else 0, f"of fewer than three visits there is no verdict: {no_verdict}")


@pytest.mark.parametrize("args, words", named([
    ("--sizes 8", ["two message sizes"]), ("--sizes 8,0", ["two message sizes"]), ("--sizes 1,2,3", ["two message sizes"]),
    ("--mode serial --rounds 5", ["--rounds", "quick"]), ("--rounds 5 --visits 2", ["--visits", "quick"]), ("--visits 65", ["'65'", "64"]),
    ("--fail-if x", ["--fail-if"]), ("--mode some", ["--mode"]), ("--ranks 1", ["--ranks"])]))
def test_options_that_do_not_make_a_map_are_refused(args, words):
    ok(one_fault(run("map", *NET, *args.split(), "-o", "none.json"), 2, *words), "one line")


def test_one_host_or_a_ring_of_cards_has_no_pairs():
    ok(one_fault(run("map", "-b", "shm", "-n", 2, "--unit", "host"), 2, "--unit host", "one host"), "one host is no pair")
    ok(one_fault(run("map", "-b", "sim", "--board", "520n"), 3, "'pair'"), "a ring of cards")


def test_classes_are_read_first():
    """A host without a class is found before anything is measured."""
    with open("classes", "w", encoding="utf-8") as f:
        f.write("n0 a\nn1 a\nn2 b\n")
    ok(one_fault(run("map", *NET, "--ranks", 4, "--classes", "classes"), 2, "'n3'"), "one is missing")
    with open("classes", "a", encoding="utf-8") as f:
        f.write("n3 b\n")
    done, record = measured(*NET, "--ranks", 4, "--classes", "classes")
    ok({r["class"] for r in record["rows"]} == {"a", "b", "a, b", "b, a"} and not faults(done), "classes", done)
