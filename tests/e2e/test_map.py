# SPDX-License-Identifier: Apache-2.0
"""netbench map --from: verdicts out of files of measurements, and what is said of files that are none."""
import csv
import json
import random
import subprocess

import pytest
from netbench import NETBENCH, close_to, equal, faults, named, ok, one_fault, run

pytestmark = pytest.mark.usefixtures("inside")

RATE, TIME = 6e6, 20e-6


def pairs(n):
    return [(i, j) for i in range(n) for j in range(n) if i != j]


def measured(n, visits=3, slow=lambda i, j, v: 1, late=None, noise=0.005, seed=1, names="n{}", rounds=False):
    """Rows of a CSV: visit, round, sender, receiver, bandwidth_Bps, half_rtt_epoch_s."""
    r = random.Random(seed)
    rows = []
    for v in range(visits):
        for i, j in pairs(n):
            rate = RATE * slow(i, j, v) * r.lognormvariate(0, noise)
            time = "" if late is None else f"{(TIME + late(i, j)) * r.lognormvariate(0, noise):.6g}"
            at = (i + j) % (n if n % 2 else n - 1) if n - 1 not in (i, j) or n % 2 else 2 * min(i, j) % (n - 1)
            rows.append([v + 1, at if rounds else "", names.format(i), names.format(j), f"{rate:.7g}", time])
    return rows


HEAD = ["visit", "round", "sender", "receiver", "bandwidth_Bps", "half_rtt_epoch_s"]


def write(rows, name="pairs.csv", head=HEAD):
    with open(name, "w", encoding="utf-8") as f:
        csv.writer(f, lineterminator="\n").writerows([head, *rows])
    return name


def judged(*args, rc=0):
    done = run("map", *args, "-o", "map.json")
    ok(done.rc == rc, f"exit {rc}", done)
    with open("map.json", encoding="utf-8") as f:
        return done, json.load(f)


def verdicts(record):
    return [(v["kind"], v["subject"]) for v in record["summary"]["verdicts"]]


def between(a, b, members):
    return (a in members) != (b in members)


# ---- verdicts ----

FAULTS = {
    "healthy": (12, lambda i, j, v: 1, []),
    "host": (12, lambda i, j, v: .7 if 5 in (i, j) else 1, [("host", "n5")]),
    "sends": (8, lambda i, j, v: .7 if i == 5 else 1, [("host_send", "n5")]),
    "receives": (5, lambda i, j, v: .7 if j == 3 else 1, [("host_receive", "n3")]),
    "pair": (12, lambda i, j, v: .6 if {i, j} == {3, 9} else 1, [("pair", ["n3", "n9"])]),
    "direction": (12, lambda i, j, v: .6 if (i, j) == (9, 3) else 1, [("direction", ["n9", "n3"])]),
    "leaf": (12, lambda i, j, v: .7 if between(i, j, range(6, 12)) else 1, [("group", [f"n{i}" for i in range(6)])]),
    "unsteady": (12, lambda i, j, v: .6 if 4 in (i, j) and (i + j + v) % 2 else 1, [("unsteady", "n4")]),
    "two": (12, lambda i, j, v: .7 if 2 in (i, j) else .8 if i == 7 else 1, [("host", "n2"), ("host_send", "n7")]),
    "of-two": (2, lambda i, j, v: .7 if i == 1 else 1, [("direction", ["n1", "n0"])]),
    "of-three": (3, lambda i, j, v: .7 if 1 in (i, j) else 1, [("host", "n1")]),
    "of-four": (4, lambda i, j, v: .7 if (i, j) == (0, 2) else 1, [("direction", ["n0", "n2"])]),
}


@pytest.mark.parametrize("rounds", (False, True), ids=("visits", "rounds"))
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_named(fault, rounds):
    n, slow, want = FAULTS[fault]
    done, record = judged("--from", write(measured(n, slow=slow, rounds=rounds)))
    equal(verdicts(record), want, "verdicts")
    for v in record["summary"]["verdicts"]:
        ok(v["text"] in done.whole, "the table says so", done)
        equal((v["quantity"], v["persistence"], v["evidence"]), ("bandwidth", "untested", []), "quantity, persistence, evidence")
        ok("not measured again" in v["text"], "it is untested", v["text"])
    if not want:
        ok("no host differs by more than 5 %, no pair by more than 8 %" in done.out, "healthy", done)
    equal(done.err, "", "nothing else is said")


def test_a_verdict_has_its_effect_with_an_interval():
    _, record = judged("--from", write(measured(12, slow=FAULTS["host"][1])))
    v, = record["summary"]["verdicts"]
    ok(close_to(v["effect"], .3, .02) and v["lo"] < v["effect"] < v["hi"] and v["lo"] > .28 and v["hi"] < .32, "30 %", v)
    equal(v["confidence"], "certain", "confidence")
    ok(v["text"].startswith("n5 is 30 % slower (29"), "words", v["text"])
    least, = record["summary"]["judged"]
    ok(close_to(least["least_effect"], .05, 1e-6) and close_to(least["slower"]["n5"], .3, .02), "hosts", least)
    worst = max(least["slower"], key=least["slower"].get)
    equal(worst, "n5", "the slowest host")


def test_a_host_that_answers_late_is_named_with_its_delay():
    rows = measured(8, late=lambda i, j: 205e-6 if 5 in (i, j) else 0)
    _, record = judged("--from", write([[*r[:4], "", r[5]] for r in rows]))
    v, = record["summary"]["verdicts"]
    equal((v["kind"], v["subject"], v["quantity"], "effect" in v), ("host", "n5", "latency", False), "verdict")
    ok(close_to(v["effect_s"], 205e-6, .03) and v["lo"] < v["effect_s"] < v["hi"], "205 us", v)
    ok("bandwidth_Bps" not in record["rows"][0], "no bandwidth", record["rows"][0])


SIDES = [("group", [f"n{i}" for i in range(6)])]


@pytest.mark.parametrize("shared, moves, late, want", (
    (False, False, 0, SIDES), (True, False, 0, []), (True, False, 200e-6, [("host", "n3")]),
    (False, True, 0, [("unsteady", "n1")]), (True, True, 0, []), (True, True, 200e-6, [("host", "n3")])))
def test_round_trips_of_ranks_that_share_cores_accuse_no_host(shared, moves, late, want):
    """Two ranks of one core differ by 10 us from two of two cores, which says nothing of hosts, nor that one of them moves."""
    def apart(i, j, v):
        return 1 in (i, j) and (i + j + v) % 2 if moves else (i < 6) != (j < 6)
    rows = measured(12, late=lambda i, j: late if 3 in (i, j) else 0)
    record = of_shared_cores([[*r[:5], float(r[5]) + 10e-6 * apart(int(r[2][1:]), int(r[3][1:]), r[0])] for r in rows], shared)
    equal((verdicts(record), record["summary"]["shared_cores"]), (want, shared), "verdicts")
    ok(shared == (record["summary"]["judged"][0]["least_effect"] > 0.3), "what would have been seen", record["summary"]["judged"])


def of_shared_cores(rows, shared=True):
    """The result of round trips, judged as those of ranks that share cores, or not."""
    _, record = judged("--from", write([[*r[:4], "", r[5]] for r in rows]))
    equal(record["summary"]["shared_cores"], False, "not known of a CSV")
    record["summary"]["shared_cores"] = shared
    with open("shared.json", "w", encoding="utf-8") as f:
        json.dump(record, f)
    return judged("--from", "shared.json")[1]


@pytest.mark.parametrize("n", (8, 12))
def test_ranks_that_move_between_two_cores_are_judged_right_most_times(n):
    """5 us between two cores, 12 on one; three of ten ranks move between visits, and three of a hundred visits wait for more."""
    right = {0: 0, 200e-6: 0}
    for seed in range(10):
        r, late = random.Random(seed), list(right)[seed % 2]
        core = [[r.randrange(2) for _ in range(n)]]
        for _ in range(5):
            core.append([r.randrange(2) if r.random() < .3 else c for c in core[-1]])
        rows = []
        for v in range(5 if n <= 8 else 3):
            for i, j in pairs(n):
                time = (12e-6 if core[v][i] == core[v][j] else 5e-6) * r.lognormvariate(0, .05) + (late if 3 in (i, j) else 0)
                rows.append([v + 1, "", f"n{i}", f"n{j}", "", time + (r.expovariate(2e4) if r.random() < .03 else 0)])
        right[late] += verdicts(of_shared_cores(rows)) == ([("host", "n3")] if late else [])
    ok(all(k >= 4 for k in right.values()), "right in four of five", right)


def test_slow_bandwidth_and_late_round_trips_are_named_apart():
    _, record = judged("--from", write(measured(8, slow=FAULTS["sends"][1], late=lambda i, j: 50e-6 if 2 in (i, j) else 0)))
    equal([(v["kind"], v["subject"], v["quantity"]) for v in record["summary"]["verdicts"]],
          [("host_send", "n5", "bandwidth"), ("host", "n2", "latency")], "verdicts")


def test_where_noise_hides_the_cause_both_candidates_are_named():
    """Noise as large as the effect: of four hosts, sending of one or one direction of it."""
    rows = measured(4, slow=lambda i, j, v: (.87 if j == 2 else .95) if i == 0 else 1, noise=.001)
    done, record = judged("--from", write(rows))
    v, = record["summary"]["verdicts"]
    equal(v["confidence"], "ambiguous", "confidence")
    ok("cannot tell whether" in v["text"] and v["or"]["kind"], "words", v)


def test_faults_below_the_least_effect_are_not_named():
    name = write(measured(12, slow=lambda i, j, v: .92 if 5 in (i, j) else 1))
    equal(verdicts(judged("--from", name)[1]), [("host", "n5")], "8 % with 5 %")
    equal(verdicts(judged("--from", name, "--min-effect", "10")[1]), [], "8 % with 10 %")


def test_large_clusters_are_read_fast():
    done, record = judged("--from", write(measured(100, slow=lambda i, j, v: .7 if i == 17 else 1, rounds=True)))
    equal(verdicts(record), [("host_send", "n17")], "verdicts")
    equal(len(record["rows"]), 100 * 99, "rows")
    ok(done.seconds < 60, "in time", done.seconds)


# ---- no verdict ----

@pytest.mark.parametrize("n, visits, slow, why", (
    (6, 3, lambda i, j, v: .7 if i < 3 else 1, "this run alone does not tell which"),
    (4, 1, lambda i, j, v: 1, "one visit"),
    (12, 4, lambda i, j, v: .5 if random.Random(f"{min(i, j)} {max(i, j)}").randrange(5) == v else 1,
     "which others are")), ids=("normal", "visits", "steady"))
def test_without_a_verdict_it_says_why_and_ends_with_4(n, visits, slow, why):
    done, record = judged("--from", write(measured(n, visits, slow)), rc=4)
    ok(one_fault(done, 4, why) and why in done.out, "said", done)
    ok(why in record["summary"]["judged"][0]["no_verdict"], "in the record", record["summary"])
    equal(len(record["rows"]), n * (n - 1), "rows are there")


@pytest.mark.parametrize("n, slow, way", [(4, 2, "both"), *((n, slow, way) for n, slow in ((5, 3), (6, 3), (8, 5), (10, 7), (12, 6), (12, 8), (30, 20))
                                                           for way in ("both", "sends", "receives"))])
def test_where_most_hosts_are_slow_there_is_no_verdict(n, slow, way):
    """The majority looks normal: that the others are faster tells that there is none."""
    def factor(i, j, _):
        return .7 if i < slow and way != "receives" or j < slow and way != "sends" else 1

    done, record = judged("--from", write(measured(n, slow=factor)), rc=4)
    faster = f"n{slow}, n{n - 1}" if n - slow == 2 else f"n{slow}..n{n - 1}"
    how = {"both": " are among themselves", "sends": ", sending", "receives": ", receiving"}[way]
    ok(one_fault(done, 4, f"{slow} of {n} hosts are 30 % slower than the other {n - slow} ({faster}){how}: either {slow} are slow"), "one line", done)
    ok(faster in record["summary"]["judged"][0]["no_verdict"], "in the record", record["summary"]["judged"])


@pytest.mark.parametrize("n, rack", ((12, 4), (12, 3), (16, 4), (8, 2)))
def test_faster_pairs_within_racks_accuse_no_host(n, rack):
    """Pairs of a rack are faster, but each host has such."""
    done, record = judged("--from", write(measured(n, slow=lambda i, j, v: 1 if i // rack == j // rack else .7)))
    ok("are normal" not in done.out and not any(v["kind"].startswith("host") for v in record["summary"]["verdicts"]), "no host", done)


def test_racks_with_noise_hardly_ever_make_a_host_look_unsteady():
    """A round's median is that of pairs within racks, or between them, by chance: hosts are hardly ever unsteady for that."""
    racks = [a for first in (0, 4, 8) for a in ("--sim-fault", f"group:{first}-{first + 3},0.7")]
    failed = [seed for seed in range(1, 9) if run("map", "-b", "sim", "-n", 12, "--seed", seed, *racks, "--sim-fault", "noise:2%",
                                                   "--fail-if", "unsteady").rc]
    ok(len(failed) <= 1, "at most one of eight", failed)


def test_a_slow_host_beside_a_slow_group_is_named_for_itself():
    """It is named for itself, and not with the group, however near to a half that would be."""
    def slow(i, j, _):
        return .7 if 3 in (i, j) else .8 if between(i, j, range(8, 12)) else 1

    _, record = judged("--from", write(measured(12, slow=slow)))
    equal(verdicts(record), [("group", [f"n{i}" for i in range(8, 12)]), ("host", "n3")], "verdicts")


def test_two_hosts_have_one_round_trip():
    done = run("map", "--from", write([[v, "", a, b, "", 2e-5] for v in (1, 2) for a, b in ("xy", "yx")]))
    ok(one_fault(done, 4, "two hosts"), "no verdict", done)


# ---- what does not answer ----

def test_silent_hosts_and_pairs_are_named_as_such():
    rows = measured(6)
    for row in rows:
        who = {row[2], row[3]}
        if ("n5" in who and row[0] > 1) or (who == {"n1", "n2"} and row[0] == 3) or (who == {"n0", "n2"} and row[0] == 2):
            row[4] = ""
    done, record = judged("--from", write(rows))
    equal(verdicts(record), [("unreachable", "n5"), ("unreachable", ["n1", "n2"])], "verdicts")
    ok("n5 stopped answering\n" in done.out and "n1, n2 do not answer each other\n" in done.out, "words", done)
    run("map", "--from", "map.json", "-o", "again.json")
    again = json.load(open("again.json"))
    equal(verdicts(again), verdicts(record), "again")
    done = run("map", "--from", "pairs.csv", "--fail-if", "unreachable", "--write-exclude", "bad")
    ok(one_fault(done, 1, "n5 stopped answering, and more"), "fails", done)
    equal(open("bad").read(), "n5\n", "left out")


def test_pairs_that_were_not_measured():
    rows = [r for r in measured(8) if {r[2], r[3]} != {"n1", "n2"}]
    done, record = judged("--from", write(rows))
    equal(verdicts(record), [], "verdicts")
    equal([r["note"] for r in record["rows"] if "note" in r], ["not measured"] * 2, "notes")
    equal(record["summary"]["bandwidth_missing_pairs"], 2, "missing")
    ok("2 of 56 ordered pairs have no value" in done.out, "said", done)


# ---- files ----

def test_a_row_has_medians_and_bounds_of_the_visits_of_its_pair():
    rows = measured(5, visits=7, late=lambda i, j: 0)
    _, record = judged("--from", write(rows))
    equal([c["name"] for c in record["columns"]][:5], ["sender", "receiver", "sender_host", "receiver_host", "class"], "columns")
    equal([(r["sender"], r["receiver"], r["sender_host"], r["receiver_host"]) for r in record["rows"]],
          [(i, j, f"n{i}", f"n{j}") for i, j in pairs(5)], "pairs")
    row = record["rows"][0]
    own = sorted(float(r[4]) for r in rows if r[2:4] == ["n0", "n1"])
    ok(close_to(row["bandwidth_Bps"], own[3], 1e-6) and close_to(row["bandwidth_lo_Bps"], own[0], 1e-6) and
       close_to(row["bandwidth_hi_Bps"], own[-1], 1e-6), "median and interval of seven visits", (row, own))
    equal((row["visits"], [k for k in row if k in ("class", "note", "run_id")]), (7, []), "the others")
    equal(row["samples"].get("visit", "1 to 7"), "1 to 7", "visits")
    ok(all(close_to(a, float(b[4]), 1e-6) for a, b in zip(row["samples"]["bandwidth_Bps"],
                                                          [r for r in rows if r[2:4] == ["n0", "n1"]])), "their values")


def test_rows_leave_out_empty_members_and_unknown_digits():
    """Of one file there are a million rows of 1,024 hosts: what they do not say is left out, and no digit that is not known."""
    judged("--from", write(measured(12, late=lambda i, j: 0)))
    with open("map.json", encoding="utf-8") as f:
        line = next(line for line in f if line.startswith('{"sender"'))
    ok(len(line) < 102 + 3 * 60 and "null" not in line and "run_" not in line, "a row", line)


@pytest.mark.parametrize("numbered", (True, False))
def test_old_results_are_judged_again(numbered):
    """Rows with all columns, and numbers of all visits; and as another program writes the same JSON."""
    _, first = judged("--from", write(measured(12, slow=FAULTS["host"][1], rounds=True, late=lambda i, j: 0)))
    for row in first["rows"]:
        row.update(dict.fromkeys(["note", "half_rtt_epoch_lo_s"]), run_id="x", run_ranks=12)
        row["samples"].update({"visit": [1, 2, 3]} if numbered else {})
    with open("old.json", "w", encoding="utf-8") as f:
        json.dump(first, f, indent=1)
    done, again = judged("--from", "old.json")
    ok(done.rc == 0 and again["summary"]["verdicts"] == first["summary"]["verdicts"] != [], "the same verdicts", again["summary"])


def test_results_are_judged_again():
    _, first = judged("--from", write(measured(12, slow=FAULTS["host"][1], rounds=True, late=lambda i, j: 0)))
    done = run("map", "--from", "map.json", "-o", "again.json")
    again = json.load(open("again.json"))
    ok(done.rc == 0 and again["summary"]["verdicts"] == first["summary"]["verdicts"], "the same verdicts", again["summary"])
    equal(again["rows"], first["rows"], "the same rows")
    equal(again["environment"]["reevaluation"]["file"], "map.json", "what it is of")


@pytest.mark.parametrize("header", ("full", "short", "none"))
def test_its_own_csv_is_read_as_one_visit(header):
    """Has one value of each pair: one visit, which is said."""
    judged("--from", write(measured(12, slow=FAULTS["host"][1])))
    run("map", "--from", "map.json", "-o", "own.csv", "--csv-header", header)
    done, record = judged("--from", "own.csv")
    equal((done.rc, verdicts(record)), (0, [("host", "n5")]), "verdicts")
    ok("warning: 'own.csv' has one value of each pair" in done.err and "12 hosts, 1 visit" in done.out, "said", done)


def test_one_visit_names_hosts_and_sides_but_no_pairs():
    """As mpiGraph and others measure: hosts and sides are told, pairs are not."""
    for fault, want in (("host", [("host", "n5")]), ("sends", [("host_send", "n5")]), ("leaf", FAULTS["leaf"][2]), ("pair", [])):
        done, record = judged("--from", write(measured(12, visits=1, slow=FAULTS[fault][1])))
        equal(verdicts(record), want, fault)
    ok("2 pairs are slow" not in done.out and "1 pair is slow in the only visit, which may be chance: measure it again" in done.out, "said", done)


def test_csv_is_read_as_others_write_it():
    """Other columns and another order, quotes, comments, empty lines, CRLF, hosts that are numbers, visits from 7 on."""
    rows = measured(6, slow=lambda i, j, v: .7 if 4 in (i, j) else 1, names="{}")
    random.Random(2).shuffle(rows)
    text = "# made by hand\r\nnote,bandwidth_Bps,receiver,sender,visit\r\n\r\n"
    for visit, _, sender, receiver, rate, _ in rows:
        text += f'"a, ""b""\n",{rate},"{receiver}",{sender},{visit + 6}\r\n# between\r\n\r\n'
    text += 'x,1,2,2,7'     # of a host with itself, and no end of line
    open("x.csv", "w", newline="").write(text)
    _, record = judged("--from", "x.csv")
    equal(verdicts(record), [("host", "4")], "verdicts")
    equal([r["receiver_host"] for r in record["rows"][:5]], [*"12345"], "hosts are in order")
    equal(record["summary"]["visits"], 3, "visits")


BAD = {
    "empty": ("", ["'x.csv' is empty"]),
    "only-header": ("visit,sender,receiver,bandwidth_Bps\n", ["'x.csv' has no measurements"]),
    "no-receiver": ("visit,sender,bandwidth_Bps\n1,b,1\n", ["no column 'receiver'"]),
    "no-value": ("visit,sender,receiver,rate\n1,a,b,1\n", ["neither", "'bandwidth_Bps'", "'half_rtt_epoch_s'"]),
    "no-values": ("visit,sender,receiver,half_rtt_epoch_s\n1,a,b,\n", ["no value"]),
    "visit": ("visit,sender,receiver,bandwidth_Bps\nx,a,b,1\n", ["line 2", "'x'", "visit"]),
    "visit-empty": ("visit,sender,receiver,bandwidth_Bps\n,a,b,1\n", ["line 2", "visit"]),
    "visits": ("visit,sender,receiver,bandwidth_Bps\n" + "".join(f"{v},a,b,1\n" for v in range(65)), ["line 66", "64 visits"]),
    "round": ("visit,round,sender,receiver,bandwidth_Bps\n1,,a,b,1\n1,-1,b,a,1\n", ["line 3", "'-1'", "round"]),
    "round-large": ("visit,round,sender,receiver,bandwidth_Bps\n1,70000,b,a,1\n", ["line 2", "'70000'", "65534"]),
    "sender": ("visit,sender,receiver,bandwidth_Bps\n1,,b,1\n", ["line 2", "no sender"]),
    "name": ("visit,sender,receiver,bandwidth_Bps\n1,a b,b,1\n", ["line 2", "sender", "blank"]),
    "number": ("visit,sender,receiver,bandwidth_Bps\n1,a,b,fast\n", ["line 2", "bandwidth_Bps", "'fast'"]),
    "unit": ("visit,sender,receiver,bandwidth_Bps\n1,a,b,1 GB\n", ["line 2", "'1 GB'"]),
    "negative": ("visit,sender,receiver,half_rtt_epoch_s\n1,a,b,-1e-6\n", ["line 2", "half_rtt_epoch_s", "'-1e-6'"]),
    "zero": ("visit,sender,receiver,bandwidth_Bps\n1,a,b,0\n", ["line 2", "'0'"]),
    "nan": ("visit,sender,receiver,bandwidth_Bps\n1,a,b,nan\n", ["line 2", "'nan'"]),
    "infinite": ("visit,sender,receiver,bandwidth_Bps\n1,a,b,1e999\n", ["line 2", "'1e999'"]),
    "short": ("visit,sender,receiver,bandwidth_Bps\n1,a,b,1\n\n1,b,a\n", ["line 4", "3 cells", "4"]),
    "long": ("visit,sender,receiver,bandwidth_Bps\n1,a,b,1,5\n", ["line 2", "5 cells", "4"]),
    "twice": ("visit,sender,receiver,bandwidth_Bps\n1,a,b,1\n1,b,a,1\n1,a,b,2\n", ["line 4", "'a' to 'b'", "twice", "visit 1"]),
    "quote": ('visit,sender,receiver,bandwidth_Bps\n1,"a,b,1\n', ["'x.csv' ends within a row"]),
    "json": ("{}", ["'x.csv' is not"]),
    "result": ('{"schema": "netbench"', ["x.csv"]),
}


@pytest.mark.parametrize("case", BAD)
def test_a_malformed_file_is_refused_in_a_line(case):
    text, words = BAD[case]
    with open("x.csv", "w", encoding="utf-8") as f:
        f.write(text)
    done = run("map", "--from", "x.csv", "-o", "map.json")
    ok(one_fault(done, 2, *words) and not done.out, "one line", done)


def test_what_is_no_map_is_refused_by_name():
    for name, words in (("/none/x", "cannot read"), (".", "cannot read"), ("latency.json", "not a result of 'netbench map'")):
        if name == "latency.json":
            run("latency", "-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns", "--sizes", "8", "-o", name)
        ok(one_fault(run("map", "--from", name), 2, name, words), name)


def test_results_that_were_changed():
    _, record = judged("--from", write(measured(3)))
    for change, words in ((lambda row: row.pop("sender_host"), ["row 2", "no sender"]),
                          (lambda row: row["samples"].update(visit=[-1]), ["row 2", "visit numbers"]),
                          (lambda row: row.update(sender_host="n1", receiver_host="n0"), ["row 3", "twice"])):
        changed = json.loads(json.dumps(record))
        change(changed["rows"][1])
        with open("changed.json", "w", encoding="utf-8") as f:
            json.dump(changed, f)
        ok(one_fault(run("map", "--from", "changed.json"), 2, "'changed.json'", *words), f"one line: {words}")


def test_the_file_is_not_overwritten():
    name = write(measured(3))
    for option in ("-o", "--write-exclude"):
        done = run("map", "--from", name, option, name)
        ok(done.rc == 2 and len(faults(done)) == 1, f"refused: {option}", done)


# ---- classes ----

def classes(text):
    with open("classes", "w", encoding="utf-8") as f:
        f.write(text)
    return "classes"


def test_classes_are_judged_apart():
    """Six hosts with a tenth of the bandwidth; in each class one is slow."""
    def slow(i, j, _):
        return min(.1 if max(i, j) > 5 else 1, .7 if 2 in (i, j) else 1, .07 if 8 in (i, j) else 1)

    name = write(measured(12, slow=slow))
    given = classes("# hosts\n\n" + "".join(f"n{i}\t{'slow' if i > 5 else 'fast'}\n" for i in range(12)))
    done, record = judged("--from", name, "--classes", given)
    equal([(v["kind"], v["subject"], v["class"]) for v in record["summary"]["verdicts"]],
          [("host", "n2", "fast"), ("host", "n8", "slow")], "verdicts")
    ok("pairs of different classes are not judged" in done.out, "said", done)
    equal({r["class"] for r in record["rows"]}, {"fast", "slow", "fast, slow", "slow, fast"}, "classes of pairs")


@pytest.mark.parametrize("text, words", named([
    ("n0 a\nn9 a\n", ["line 2", "'n9'"]), ("n0\n", ["line 1", "a host and its class"]), ("n0 a b\n", ["line 1"]),
    ("n0 a\nn1 a\n", ["'n2'", "no class"]), ("n0 a\nn0 b\n", ["line 2", "'n0'", "already"])]))
def test_malformed_classes_are_refused_with_their_line(text, words):
    ok(one_fault(run("map", "--from", write(measured(3)), "--classes", classes(text)), 2, "'classes'", *words), "one line")


# ---- what scripts use ----

@pytest.mark.parametrize("limit, rc", named([
    ("host:10%", 1), ("host:40%", 0), ("host", 1), ("host_send:10%", 0), ("pair:10%", 1), ("direction:10%", 1), ("direction:70%", 0),
    ("group", 0), ("unsteady:10%,pair:30%", 1)]))
def test_fail_if_ends_with_1_where_a_fault_is_beyond_its_limit(limit, rc):
    def slow(i, j, _):
        return .6 if (i, j) == (3, 9) else .7 if 5 in (i, j) else 1

    done = run("map", "--from", write(measured(12, slow=slow)), "--fail-if", limit)
    ok(done.rc == rc and len(faults(done)) == rc, f"exit {rc}", done)


def test_fail_if_gives_no_verdict_where_the_interval_holds_the_limit():
    """It fails only if the better end is past the limit, and passes only if the worse end is within."""
    rng = random.Random(4)
    rows = measured(12, slow=lambda i, j, _: .7 if 5 in (i, j) else 1)
    name = write([[*r[:5], r[5] and float(r[5]) * rng.uniform(.97, 1.03)] for r in rows])
    verdict = json.loads(run("map", "--from", name, "-f", "json").out)["summary"]["verdicts"][0]
    ok(verdict["subject"] == "n5" and verdict["hi"] - verdict["lo"] > .002, "an interval", verdict)
    within = f"host:{50 * (verdict['lo'] + verdict['hi']):.2f}%"
    for limit, rc in ((within, 4), (f"host:{100 * verdict['lo'] - .1:.2f}%", 1), (f"host:{100 * verdict['hi'] + .1:.2f}%", 0)):
        done = run("map", "--from", name, "--fail-if", limit, "-o", f"{rc}.json")
        ok(done.rc == rc and ("is within the interval: n5 is" in done.err) == (rc == 4), limit, done)
        says = run("report", f"{rc}.json").out
        equal([words in says for words in ("1 is met", "0 are met, 1 not", "1 cannot be judged")], [rc == 0, rc == 1, rc == 4], "the report agrees")


def test_fail_if_takes_limits_in_time():
    name = write([[*r[:4], "", r[5]] for r in measured(8, late=lambda i, j: 205e-6 if 5 in (i, j) else 0)])
    for limit, rc in (("host:100us", 1), ("host:300us", 0), ("host:10%", 4)):
        done = run("map", "--from", name, "--fail-if", limit)
        ok(done.rc == rc and ("no bandwidth was measured" in done.err) == (rc == 4), limit, done)
    done = run("map", "--from", write(measured(8)), "--fail-if", "host:10us")
    ok(one_fault(done, 4, "no half round trip was measured"), "nothing of the kind", done)


def some_slow(slow_hosts, by=.7):
    return lambda i, j, v: by if min(i, j) < slow_hosts else 1


@pytest.mark.parametrize("limit, slow, words", named([
    ("host:10%", some_slow(6), "no verdict on bandwidth: 6 of 12 hosts are 30 % slower than the other 6 (n6..n11)"),
    ("pair", some_slow(7), "(n7..n11) are among themselves"),
    ("host:20%", lambda i, j, v: 1 + 2 * random.Random(f"{i} {j} {v}").random(), "'host:20%' in '--fail-if': a host would have to be "),
    ("pair:6%", lambda i, j, v: 1, "a pair would have to be 8 % slower")]))
def test_fail_if_nothing_could_be_seen(limit, slow, words):
    """It does not pass where what it asks for would have gone unseen."""
    ok(one_fault(run("map", "--from", write([r[:5] + [""] for r in measured(12, slow=slow)]), "--fail-if", limit), 4, words), "one line")
    equal(run("map", "--from", "pairs.csv", "--fail-if", "unreachable").rc, 4 if "other" in words or "among" in words else 0, "all answer")


def sides(n, hosts):
    """Two leaves with a slow link; hosts: those that are slow as well."""
    return lambda i, j, v: (.5 if (i < n // 2) != (j < n // 2) else 1) * (.8 if {i, j} & set(hosts) else 1)


@pytest.mark.parametrize("n, hosts, limit, rc", named([
    (6, [1], "host:10%", 4), (8, [1], "pair", 4), (12, [0, 1, 2], "host:10%", 4), (12, [], "host:10%", 0), (6, [], "group:60%", 0), (12, [1], "host:10%", 1)]))
def test_fail_if_judges_each_side_of_a_group_by_itself(n, hosts, limit, rc):
    """A side that is too small, or has no normal, is not judged by itself, which is said."""
    done = run("map", "--from", write([r[:5] + [""] for r in measured(n, slow=sides(n, hosts))]), "--fail-if", limit)
    ok(done.rc == rc and ("could not be judged individually" in done.err) == (rc == 4), "exit status", done)
    equal("could not be judged by themselves" in done.out, rc == 4 or n < 10, "in words")


def test_fail_if_nothing_is_normal_and_one_is_lost():
    """That a host does not answer is no verdict on the others."""
    rows = [r[:4] + ["" if "n10" in r[2:4] else r[4], ""] for r in measured(11, slow=some_slow(5))]
    done = run("map", "--from", write(rows), "--fail-if", "host:10%")
    ok("n10 stopped answering" in done.out and one_fault(done, 4, "no verdict on bandwidth", "this run alone does not tell which"), "one line", done)


def test_fail_if_needs_more_than_one_visit_for_pairs():
    """Of a single value of a pair nobody knows whether it will come again."""
    write([r[:5] + [""] for r in measured(12, slow=lambda i, j, v: .5 if (i, j) == (2, 8) else 1) if r[0] == measured(2)[0][0]])
    done = run("map", "--from", "pairs.csv", "--fail-if", "pair:20%")
    ok(one_fault(done, 4, "'pair:20%'", "one visit") and "no pair by more" not in done.out, "one line", done)
    ok(one_fault(run("map", "--from", "pairs.csv", "--fail-if", "unsteady"), 4, "'unsteady'", "one visit"), "nor how steady it is")
    equal(run("map", "--from", "pairs.csv", "--fail-if", "host:20%").rc, 0, "of hosts it is enough")


def test_fail_if_pairs_were_not_measured():
    name = write([r for r in measured(12) if {r[2], r[3]} != {"n1", "n2"}])
    ok(one_fault(run("map", "--from", name, "--fail-if", "pair:20%"), 4, "2 of 132 ordered pairs have no value"), "one line")
    equal(run("map", "--from", name, "--fail-if", "host:20%").rc, 0, "hosts are judged")


def test_fail_if_one_visit_names_no_pair():
    name = write(measured(12, visits=1))
    ok(one_fault(run("map", "--from", name, "--fail-if", "pair:20%"), 4, "with one visit of each pair no pair can be named"), "one line")
    equal(run("map", "--from", name, "--fail-if", "host:20%").rc, 0, "hosts are judged")


def test_a_result_in_a_pipe_is_refused_and_a_csv_is_read():
    judged("--from", write(measured(5)))
    p = subprocess.run(f"cat map.json | {NETBENCH} map --from /dev/stdin", shell=True, capture_output=True, text=True)
    ok(p.returncode == 2 and p.stderr.count("\n") == 1 and "cannot read result '/dev/stdin' from a pipe" in p.stderr and
       "save it to a file first" in p.stderr, "one line", p.stderr)
    p = subprocess.run(f"cat pairs.csv | {NETBENCH} map --from /dev/stdin", shell=True, capture_output=True, text=True)
    ok(p.returncode == 0 and "no host differs" in p.stdout, "a CSV may come from one", p.stdout + p.stderr)


def test_fail_if_below_what_is_named():
    done = run("map", "--from", write(measured(12)), "--fail-if", "host:4%")
    ok(one_fault(done, 2, "'host:4%'", "below 5 %", "--min-effect"), "one line", done)
    equal(run("map", "--from", "pairs.csv", "--fail-if", "host:4%", "--min-effect", 4).rc, 0, "asked for")


@pytest.mark.parametrize("limit", ("", "x:10%", "host:", "host:ten", "host:100%", "host:10%,", "host:10", "host:-5%"))
def test_a_malformed_fail_if_is_refused(limit):
    done = run("map", "--from", write(measured(3)), "--fail-if", limit)
    ok(one_fault(done, 2, "--fail-if"), "one line", done)


def test_write_exclude_names_each_bad_host_once():
    def slow(i, j, _):
        return .6 if (i, j) == (3, 9) else .7 if 5 in (i, j) or i == 7 else 1

    done = run("map", "--from", write(measured(12, slow=slow, late=lambda i, j: 1e-4 if 5 in (i, j) else 0)), "--write-exclude", "bad")
    ok(done.rc == 0, "judged", done)
    equal(sorted(open("bad").read().split()), ["n5", "n7"], "hosts, each once")
    run("map", "--from", write(measured(12)), "--write-exclude", "bad")
    equal(open("bad").read(), "", "of healthy ones")
    done = run("map", "--from", "pairs.csv", "--write-exclude", "/none/bad")
    ok(done.rc != 0 and len(faults(done)) == 1, "cannot be written", done)


def test_other_commands_read_it():
    judged("--from", write(measured(5, visits=7)))
    done = run("compare", "map.json", "map.json")
    ok(done.rc == 0 and "0 slower" in done.out and "no host has changed by more than 5 %, no pair by more than 8 %" in done.out, "compare", done)
    done = run("merge", "map.json", "-f", "csv")
    ok(done.rc == 0 and len(done.out.splitlines()) == 21, "merge", done)
    done = run("report", "map.json")
    ok(done.rc == 0 and "n0" in done.out, "report", done)


def test_exclude_cannot_be_written():
    """Which is found before anything is measured."""
    done = run("map", "-b", "sim", "--ranks", 4, "--write-exclude", "nowhere/bad", "-o", "map.json")
    ok(one_fault(done, 2, "nowhere/bad") and not done.out, "refused", done)


def test_quick_mode_is_refused_for_few_hosts():
    ok(one_fault(run("map", "-b", "sim", "--ranks", 7, "--mode", "quick"), 2, "8 hosts", "--mode rounds"), "refused")


def test_two_visits_of_few_hosts_give_no_verdict():
    """They would accuse healthy hosts, as nothing is measured again."""
    done = run("map", "-b", "sim", "--ranks", 4, "--visits", 2, "--no-retest", "--sim-fault", "noise:5%")
    ok(one_fault(done, 4, "two visits"), "no verdict", done)
