# SPDX-License-Identifier: Apache-2.0
"""netbench map --topology: pairs of a switch and pairs between switches are each compared with their like."""
import json
import random

import pytest
from netbench import close_to, equal, named, ok, one_fault, run

pytestmark = pytest.mark.usefixtures("inside")

NET = ["-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"]
UPLINK = ["--sim-fault", "group:0-5,0.5", "--sim-fault", "noise:2%"]     # half the bandwidth between the leaves, by design
TWO_LEAVES = "SwitchName=s0 Nodes=n[0-5]\nSwitchName=s1 Nodes=n[6-11]\nSwitchName=top Switches=s[0-1]\n"


def topology(text):
    with open("topology.conf", "w", encoding="utf-8") as f:
        f.write(text)
    return ["--topology", "topology.conf"]


def measured(n, *args, text=TWO_LEAVES):
    done = run("map", *NET, "--ranks", n, *args, *topology(text), "-o", "map.json")
    ok(done.rc == 0, "judged", done)
    with open("map.json", encoding="utf-8") as f:
        return done, json.load(f)


def found(record, quantity="bandwidth"):
    return [(v["kind"], v["subject"]) for v in record["summary"]["verdicts"] if v["quantity"] == quantity]


def test_pairs_are_judged_within_their_class():
    done, record = measured(12, *UPLINK)
    equal(record["summary"]["verdicts"], [], "what is by design is no fault")
    for row in record["rows"]:
        same = (row["sender"] < 6) == (row["receiver"] < 6)
        equal(row["class"], "same switch" if same else "other", f"{row['sender_host']} to {row['receiver_host']}")
    near, far = record["summary"]["distances"]
    equal((near["class"], near["pairs"], far["class"], far["pairs"]), ("same switch", 60, "other", 72), "distances")
    ok(close_to(near["bandwidth_median_Bps"], 2 * far["bandwidth_median_Bps"], 0.05), "their medians", (near, far))
    ok("\nsame switch: 60 ordered pairs, bandwidth 9." in done.out and "\nother: 72 ordered pairs, bandwidth 4." in done.out, "lines", done)


def test_without_it_the_leaves_are_named():
    done = run("map", *NET, "--ranks", 12, *UPLINK, "-f", "json")
    equal(found(json.loads(done.out)), [("group", [f"n{i}" for i in range(6)])], "the group")


@pytest.mark.parametrize("fault, want", named([
    ("host:4,send,0.7", [("host_send", "n4")]),         # between leaves the uplink is slower, and hides it
    ("host:8,receive,0.7", [("host_receive", "n8")]), ("host:8,both,0.8", [("host", "n8")]),
    ("host:2,send,0.3", [("host_send", "n2")]),         # slower than the uplink
    ("pair:2-3,0.6", [("pair", ["n2", "n3"])]), ("direction:9-2,0.3", [("direction", ["n9", "n2"])])]))
def test_faults_behind_a_slow_uplink_are_named(fault, want):
    for seed in (1, 2, 3):
        _, record = measured(12, *UPLINK, "--sim-fault", fault, "--seed", seed, "--sim-seed", seed)
        equal(found(record), want, f"seed {seed}")


def test_a_file_is_judged_again_with_a_topology():
    _, record = measured(12, *UPLINK, "--sim-fault", "host:4,send,0.7")
    done = run("map", "--from", "map.json", *topology(TWO_LEAVES), "-f", "json")
    equal(found(json.loads(done.out)), found(record), "verdicts")
    ok(found(record)[0] == ("host_send", "n4") and record["summary"]["judged"][0]["slower"]["n4"] > .2, "how slow", record["summary"]["judged"])


def test_a_host_with_added_time_is_named_with_it():
    _, record = measured(12, "--sim-fault", "latency:4,+3us", "--sim-fault", "noise:2%")
    v, = [v for v in record["summary"]["verdicts"] if v["quantity"] == "latency"]
    ok((v["kind"], v["subject"]) == ("host", "n4") and close_to(v["effect_s"], 3e-6, 0.02), "3 us", v)


@pytest.mark.parametrize("text", named([
    ("SwitchName=s0 Nodes=n[0-2,3],n4,n5\nSwitchName=s1 Nodes=n[6-9,10-11]",),
    ("# by hand\n\nswitchname=s0 LinkSpeed=1000 nodes=n[0-3],\\\nn[4-5] # six\n  SwitchName=s1 \\\n  Nodes=n6,n7,n[8-11]\n",),
    ("SwitchName=top Switches=s0,s1\nSwitchName=s1 Nodes=n[6-11]\r\nSwitchName=s0 Nodes=n[0-5],m[0-1]x[01-12],other\r\n",),
    # what 'scontrol show topology' prints: switches above have all nodes
    ("SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0-5]\nSwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[6-11] Switches=(null)\n"
     "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-11] Switches=s[0-1]\n",)]))
def test_each_form_of_topology_file_gives_the_same_classes(text):
    _, record = measured(12, "--visits", 1, "--no-retest", text=text)
    equal({frozenset((r["sender"], r["receiver"])) for r in record["rows"] if r["class"] == "same switch"},
          {frozenset((i, j)) for k in (range(6), range(6, 12)) for i in k for j in k if i != j}, "who shares a switch")


def shared(n, slow=lambda i, j: 1, seed=1, visits=3):
    """A CSV of two leaves whose uplink carries two streams of n/2 at full rate, and more of them share that."""
    r = random.Random(seed)
    with open("pairs.csv", "w", encoding="utf-8") as f:
        f.write("visit,round,sender,receiver,bandwidth_Bps\n")
        for v in range(visits):
            host = r.sample(range(n), n)
            for k in range(n - 1):
                met = [(i, (k - i) % (n - 1)) for i in range(n - 1) if i < (k - i) % (n - 1)]
                met.append((next(i for i in range(n - 1) if 2 * i % (n - 1) == k), n - 1))
                met = [tuple(sorted((host[a], host[b]))) for a, b in met]
                for flows in (met, [(j, i) for i, j in met]):
                    for i, j in flows:
                        here = [(a, b) for a, b in flows if (a < n // 2) != (b < n // 2) and (a < n // 2) == (i < n // 2)]
                        share = 1 if (i < n // 2) == (j < n // 2) else min(1, 2 / len(here))
                        f.write(f"{v},{k},n{i},n{j},{1e9 * min(share, slow(i, j)) * r.lognormvariate(0, .01)}\n")
    return "pairs.csv"


@pytest.mark.parametrize("n", (6, 12, 16))
def test_streams_that_share_an_uplink_make_no_host_unsteady(n):
    """How many cross is another number in each round: that is no unsteady host."""
    text = f"SwitchName=s0 Nodes=n[0-{n // 2 - 1}]\nSwitchName=s1 Nodes=n[{n // 2}-{n - 1}]\n"
    for seed in (1, 2, 3):
        done = run("map", "--from", shared(n, seed=seed), *topology(text), "-f", "json")
        equal(found(json.loads(done.out)), [], f"seed {seed}: nobody")
        done = run("map", "--from", shared(n, lambda i, j: .6 if i == 1 else 1, seed=seed, visits=5), *topology(text), "-f", "json")
        equal(found(json.loads(done.out)), [("host_send", "n1")], f"seed {seed}: the host")


def of_csv(names, text):
    with open("pairs.csv", "w", encoding="utf-8") as f:
        f.write("visit,sender,receiver,bandwidth_Bps\n")
        f.writelines(f"{v},{a},{b},{1e9 + v}\n" for v in (1, 2, 3) for a in names for b in names if a != b)
    done = run("map", "--from", "pairs.csv", *topology(text), "-f", "json")
    ok(done.rc == 0, "judged", done)
    return {(r["sender_host"], r["receiver_host"]): r["class"] for r in json.loads(done.out)["rows"]}


def test_ranks_domains_and_leading_zeros_are_matched_to_switches():
    """Ranks of a host, names with a domain, names with leading zeros."""
    got = of_csv(["a01:0", "a01:1", "a02.site.org:0", "b1:0"], "SwitchName=s Nodes=a[01-02]\nSwitchName=t Nodes=b1\n")
    equal([got["a01:0", other] for other in ("a01:1", "a02.site.org:0", "b1:0")], ["same host", "same switch", "other"], "classes")


def test_of_too_few_pairs_nothing_normal_is_known():
    """Of two hosts to a switch nothing normal is known of the pairs within."""
    done, record = measured(4, text="SwitchName=s Nodes=n0,n1\nSwitchName=t Nodes=n2,n3\n")
    ok("same switch: 4 ordered pairs" in done.whole and ": too few to be judged\n" in done.whole and not record["summary"]["verdicts"], "said", done)


@pytest.mark.parametrize("text, words", named([
    ("", ["no switch", "'n0'"]), ("SwitchName=s0 Nodes=n[0-2]", ["no switch", "'n3'"]),
    ("SwitchName=s0", ["line 1", "Nodes="]), ("# x\nNodes=n0", ["line 2", "SwitchName="]), ("SwitchName=s0 Nodes=", ["line 1", "Nodes="]),
    ("SwitchName=s0 n0", ["line 1", "'n0'", "KEY=VALUE"]), ("SwitchName=s0 Node=n0", ["line 1", "'Node'"]),
    ("BlockName=b0 Nodes=n0", ["line 1", "'BlockName'"]),
    *((f"SwitchName=s0 \\\n Nodes={bad}", ["line 1", f"'{bad}'", "list of names"]) for bad in (
        "n[0-3", "n0-3]", "n[]", "n[3-0]", "n[a]", "n[0-]", "n[0,]", "n[-3]", "n0,,n1", "n0,", "n[0-65536]", "n[0-99999999999999999999]", "n[0-9][0-9][0-9][0-9][0-9]", "n[[0-1]]", "n[0-3]]")),
    ("SwitchName=s0 Nodes=n0\nSwitchName=s0 Nodes=n1", ["line 2", "'s0'", "twice"]),
    ("SwitchName=s0 Nodes=n0\nSwitchName=s1 Nodes=n[0-1]", ["line 2", "'n0'", "already"]),
    ("SwitchName=s0 Nodes=n[0-3]\nSwitchName=t Switches=s[0-1]", ["line 2", "no switch 's1'"])]))
def test_a_malformed_topology_is_refused_with_its_line(text, words):
    """One line, before anything is measured."""
    ok(one_fault(run("map", *NET, "--ranks", 4, *topology(text)), 2, "topology.conf", *words), "one line")


def test_topology_needs_a_file_and_excludes_classes():
    ok(one_fault(run("map", *NET, "--ranks", 4, "--topology", "none"), 2, "'none'"), "no file")
    ok(one_fault(run("map", *NET, "--ranks", 4, *topology(TWO_LEAVES), "--classes", "topology.conf"), 2, "--classes", "--topology"), "one of them")
