# SPDX-License-Identifier: Apache-2.0
"""compare of two maps: the network, hosts and pairs that have changed, by name, and nothing else."""
import csv
import json
import random

import pytest
from netbench import close_to, equal, named, ok, one_fault, run

pytestmark = pytest.mark.usefixtures("inside")


def cluster(name, n=12, *, hosts=None, visits=3, seed=1, network=1.0, host=None, pairs=None, noise=0.01, missing=()):
    """
    A map of made-up bandwidths. hosts: their names, in the order of their ranks; host: factor of each by (name, way);
    pairs: by (from, to).
    """
    chance = random.Random(seed)
    hosts = hosts or [f"n{i}" for i in range(n)]
    with open(f"{name}.csv", "w", encoding="utf-8") as f:
        f.write("visit,round,sender,receiver,bandwidth_Bps,half_rtt_epoch_s\n")
        for visit in range(visits):
            for a in hosts:
                for b in hosts:
                    if a == b or (a, b) in missing:
                        continue
                    rate = 1e9 * network * min((host or {}).get((a, "send"), 1), (host or {}).get((b, "receive"), 1))
                    rate *= (pairs or {}).get((a, b), 1) * chance.lognormvariate(0, noise)
                    f.write(f"{visit},,{a},{b},{rate:.0f},{2e-6 / network * chance.lognormvariate(0, noise):.9f}\n")
    done = run("map", "--from", f"{name}.csv", "-o", f"{name}.json", "-f", "csv")
    ok(done.rc in (0, 4), "judged", done)


def compare(*args, a="a.json", b="b.json"):
    done = run("compare", a, b, "-o", "c.json", *args)
    if done.rc not in (0, 1, 4):
        return done, None
    with open("c.json", encoding="utf-8") as f:
        return done, json.load(f)


def changes(record):
    return [(c["quantity"], c["kind"], c["subject"], c["verdict"]) for c in record["summary"]["changes"]]


def network(record):
    return {n["quantity"]: (n["ratio"], n["verdict"]) for n in record["summary"]["network"]}


SLOW, BOTH = {("n5", "send"): 0.7}, {("n5", "send"): 0.7, ("n5", "receive"): 0.7}
DOWN, UP = {("n2", "n8"): 0.5}, {("n2", "n8"): 2.0, ("n8", "n2"): 2.0}


@pytest.mark.parametrize("n", (5, 8, 12))
@pytest.mark.parametrize("what, kind, subject, ratio, verdict", named([
    ({"host": SLOW}, "host_send", "n5", 0.7, "slower"), ({"host": BOTH}, "host", "n5", 0.7, "slower"),
    ({"host": {("n5", "receive"): 0.6}}, "host_receive", "n5", 0.6, "slower"),
    ({"pairs": DOWN}, "direction", ["n2", "n8"], 0.5, "slower"), ({"pairs": UP}, "pair", ["n2", "n8"], 2, "faster")]))
def test_a_changed_host_or_pair_is_named_with_its_ratio(n, what, kind, subject, ratio, verdict):
    hosts = [f"n{i}" for i in range(3, n + 1) if i not in (5, 8)] + ["n2", "n5", "n8"]
    cluster("a", hosts=hosts)
    cluster("b", hosts=hosts, seed=2, **what)
    _, record = compare()
    equal(changes(record), [("bandwidth", kind, subject, verdict)], "that, and nothing else")
    change, = record["summary"]["changes"]
    ok(close_to(change["ratio"], ratio, 0.03) and change["ratio_lo"] < change["ratio"] < change["ratio_hi"], "by how much", change)
    equal([v for _, v in network(record).values()], ["no difference seen"] * 2, "the network has not")
    _, record = compare(a="b.json", b="a.json")
    other = {"slower": "faster", "faster": "slower"}[verdict]
    equal(changes(record), [("bandwidth", kind, subject, other)], "the other way round")


@pytest.mark.parametrize("n, slow", ((4, 2), (5, 2), (12, 4), (12, 6)))
def test_a_third_is_faster(n, slow):
    """Hosts that have become faster are no majority that has become slower: what else has changed is named, and fails."""
    before = {(f"n{i}", way): 0.7 for i in range(slow) for way in ("send", "receive")}
    cluster("a", n, host=before)
    cluster("b", n, host={("n3", "send"): 0.6} if n == 4 else {(f"n{n - 1}", way): 0.6 for way in ("send", "receive")}, seed=2)
    done, record = compare("--fail-if", "slower:10%")
    ok("are normal" not in done.out, "a verdict", done.out)
    if n == 12 and slow == 4:
        equal(done.rc, 1, "it fails")
        equal(sorted(c[2:] for c in changes(record)), sorted([("n11", "slower"), *((f"n{i}", "faster") for i in range(4))]), "each host")


def test_what_is_slow_in_both_maps_is_no_change():
    """What is slow in both is no change."""
    for name, seed in (("a", 1), ("b", 2)):
        cluster(name, host=SLOW, pairs={("n1", "n2"): 0.5}, seed=seed)
    done, record = compare("--fail-if", "slower:1%,faster:1%")
    equal((done.rc, changes(record)), (0, []), "nothing")
    summary = record["summary"]
    equal(([len(summary[f"verdicts_{k}"]) for k in ("new", "gone", "still")]), [0, 0, 2], "verdicts that A and B have")
    ok("in A and in B: bandwidth: n5 is" in done.out and "no verdict is new in B, none of A is gone" in done.out, "told", done)


def test_a_change_of_the_network_is_told_apart_from_that_of_a_host():
    cluster("a")
    cluster("b", network=0.8, host=SLOW, seed=2)
    done, record = compare("--fail-if", "slower:10%")
    equal(changes(record), [("bandwidth", "host_send", "n5", "slower")], "the host, beside the network")
    found = network(record)
    ok(close_to(found["bandwidth"][0], 0.8, 0.02) and close_to(found["latency"][0], 1.25, 0.02), "the network's factor", found)
    equal([v for _, v in found.values()], ["slower"] * 2, "with an interval")
    ok(done.rc == 1 and "3 changes are slower by 10 %" in done.err and "n5, sending: B/A " in done.err, "the worst is named", done)
    equal(compare("--fail-if", "slower:60%")[0].rc, 0, "none by so much")
    equal(compare("--fail-if", "faster:5%")[0].rc, 0, "none is faster")


def test_a_pair_of_a_host_that_has_changed():
    """The ratio is B/A of the pair; what it is beside the network and its hosts is said, and does not fail."""
    cluster("a")
    cluster("b", network=0.8, host=BOTH, pairs={("n5", "n8"): 0.5}, seed=2)
    done, record = compare("--fail-if", "slower:150%")
    change = next(c for c in record["summary"]["changes"] if c["kind"] == "direction")
    ok(close_to(change["ratio"], 0.28, 0.03) and close_to(change["ratio_beside"], 0.5, 0.03), "both numbers", change)
    row = next(r for r in record["rows"] if (r["sender_host"], r["receiver_host"]) == ("n5", "n8") and r["value_a_Bps"])
    ok(close_to(row["ratio"], change["ratio"], 1e-3) and row["remark"] == "as n5 -> n8", "as in its row", row)
    ok(done.rc == 1 and "1 change is slower" in done.err and "n5 -> n8: B/A 0.2" in done.err and "times what the network" in done.err, "fails", done)
    ok("\nn5 -> n8: B/A 0.2" in done.out, "in the table", done.out)
    cluster("b", network=2, pairs={("n5", "n8"): 0.6}, seed=2)
    done, record = compare("--fail-if", "slower:5%")
    change, = record["summary"]["changes"]
    equal((change["subject"], change["verdict"], done.rc), (["n5", "n8"], "faster", 0), "left behind, but not slower than before")


def test_hosts_are_matched_by_name():
    """In another order of the ranks, with a host that has gone and two that are new."""
    names = [f"n{i}" for i in range(12)]
    cluster("a", hosts=[*names, "old"])
    cluster("b", hosts=[*reversed(names), "new1", "new2"], host=SLOW, seed=2)
    done, record = compare()
    equal(changes(record), [("bandwidth", "host_send", "n5", "slower")], "the same host")
    summary = record["summary"]
    equal((summary["hosts"], summary["hosts_only_in_a"], summary["hosts_only_in_b"]), (12, ["old"], ["new1", "new2"]), "hosts of one")
    ok("hosts only in A: old\nhosts only in B: new1, new2\n" in done.out, "told", done)


def test_each_pair_has_a_row_alike_in_csv_and_json():
    """A row for each ordered pair and bandwidth, and for each pair and round trip, alike in CSV and JSON; few lines for people."""
    cluster("a", n=40)
    cluster("b", n=40, host=BOTH, seed=2, missing={("n1", "n2")})
    done, record = compare("-o", "c.csv")
    rows = record["rows"]
    equal(len(rows), 40 * 39 + 40 * 39 // 2, "rows")
    ok(len(done.out.splitlines()) < 50, "lines for people", done.out)
    with open("c.csv", encoding="utf-8") as f:
        lines = list(csv.DictReader(line for line in f if not line.startswith("#")))
    equal([(r["sender_host"], r["receiver_host"], r["verdict"]) for r in lines],
          [(r["sender_host"], r["receiver_host"], r["verdict"] or "") for r in rows], "in CSV the same")
    slow = [r for r in rows if "n5" in (r["sender_host"], r["receiver_host"]) and r["value_a_Bps"]]
    ok(all(r["verdict"] == "slower" and r["remark"] == "as n5, sending and receiving" for r in slow), "of the host", slow[0])
    ok(all(close_to(r["value_b_Bps"] / r["value_a_Bps"], r["ratio"], 1e-9) for r in slow), "ratios", slow[0])
    none, = [r for r in rows if (r["sender_host"], r["receiver_host"]) == ("n1", "n2") and not r["value_b_s"]]
    equal((none["verdict"], none["remark"], none["value_b_Bps"]), (None, "no value in A or B", None), "a pair without a value")
    total = next(p for p in record["summary"]["pairs"] if p["quantity"] == "bandwidth")
    equal(sum(total[k] for k in ("faster", "slower", "no_difference_seen", "without_verdict")), 40 * 39, "all are counted")


def test_new_verdicts_and_gone_ones_are_told():
    cluster("a", host={("n3", "receive"): 0.6})
    cluster("b", host=SLOW, seed=2)
    done, record = compare()
    equal(([v["subject"] for v in record["summary"]["verdicts_new"]], [v["subject"] for v in record["summary"]["verdicts_gone"]]),
          (["n5"], ["n3"]), "of the maps")
    ok(all(w in done.out for w in ("new in B: bandwidth: n5 is", "only in A: bandwidth: n3 is")), "told", done)
    equal(changes(record), [("bandwidth", "host_send", "n5", "slower"), ("bandwidth", "host_receive", "n3", "faster")], "what has changed")


def test_csv_of_one_visit_tells_hosts_and_no_pair():
    """CSV has one value of a pair: hosts are told, and no pair."""
    cluster("a", visits=3)
    cluster("b", host=SLOW, pairs=DOWN, seed=2)
    for name in "ab":
        ok(run("map", "--from", f"{name}.csv", "-o", f"{name}.result.csv").rc == 0, "as CSV")
    _, record = compare(a="a.result.csv", b="b.result.csv")
    equal(changes(record), [("bandwidth", "host_send", "n5", "slower")], "the host")
    equal(network(record)["bandwidth"][1], None, "the network has no interval")
    _, record = compare("--measure", "half_rtt_epoch_s")
    equal((changes(record), list(network(record))), ([], ["latency"]), "round trips alone")


def test_maps_without_common_hosts_are_refused():
    cluster("a", n=5)
    cluster("b", hosts=["x", "y", "z"])
    cluster("c", hosts=["n1", "y", "z"])
    run("latency", "-b", "sim", "--sizes", "8", "-o", "latency.json")
    for args, rc, words in ((["a.json", "b.json"], 4, ["no host in common"]), (["a.json", "c.json"], 4, ["only one host in common"]),
                            (["a.json", "a.json", "a.json"], 2, ["two at a time"]), (["--paired", *["a.json"] * 2], 2, ["'map'", "'--paired'"]),
                            (["a.json", "latency.json"], 2, ["another command"]),
                            (["a.json", "a.json", "--measure", "size_B"], 2, ["size_B"])):
        ok(one_fault(run("compare", *args), rc, *words), "one line", args)


def test_one_visit_of_few_hosts_ends_with_4_if_a_verdict_is_asked_for():
    """Exit 4 if a verdict is asked for that the files do not allow."""
    for name, seed in (("a", 1), ("b", 2)):
        cluster(name, n=5, visits=1, seed=seed)
    equal(compare()[0].rc, 0, "rows are there")
    ok(one_fault(compare("--fail-if", "slower:5%")[0], 4, "no verdict", "one visit"), "one line")


@pytest.mark.slow
def test_ten_comparisons_of_healthy_maps_name_at_most_one_pair():
    """In virtual time, with noise: no pair is slower only because its own interval leaves out 1."""
    named, seen = 0, 0
    for k in range(10):
        for name, seed in (("a", 2 * k), ("b", 2 * k + 1)):
            done = run("map", "-b", "sim", "-n", 12, "--sim-fault", "noise:3%", "--sim-seed", seed, "--seed", seed, "-o", f"{name}.json", "--overwrite")
            equal(done.rc, 0, "measured")
        _, record = compare("--overwrite")
        pairs = record["summary"]["pairs"]
        named += sum(p["slower"] + p["faster"] for p in pairs)
        seen += sum(p["no_difference_seen"] for p in pairs)
        equal([p["named"] for p in pairs], [sum(r["verdict"] in ("slower", "faster") and (r["remark"] or "").startswith("as n") for r in record["rows"]
                                                if bool(r["value_a_s"]) == (p["quantity"] == "latency")) for p in pairs], "named ones are those of rows")
    ok(named <= 1, "in all", named)
    ok(seen >= 10 * (132 + 66) - 1, "all others were judged", seen)
