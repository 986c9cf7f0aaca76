# SPDX-License-Identifier: Apache-2.0
"""netbench map: what the machines of hosts tell beside a verdict, and how hosts differ."""
import json

import pytest
from netbench import equal, named, ok, run

pytestmark = pytest.mark.usefixtures("inside")

NET = ["-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns", "--sim-fault", "noise:2%"]
COMMON = {"link.0.name": "eth0", "link.0.mtu_B": 9000, "link.0.speed_Mbps": 100000, "link.0.pcie_width": 16,
          "link.0.numa_distance": 10, "cpu.governor": "performance", "host.kernel": "Linux 6.1.0 x86_64", "sysctl.net.core.rmem_max": 212992}


def machines(n, own=None, counters=None, changed=None):
    """What map writes of machines; own, counters, changed: of some hosts by their numbers."""
    def of(what, i):
        return (what or {}).get(i, {})
    return {"common": COMMON, "hosts": [
        {"host": f"n{i}", "own": of(own, i), "links": ["eth0"], "changed": of(changed, i),
         "counters": {"link.0.rx_crc_errors": [5, 5], "link.0.rx_dropped": [100, 103], "tcp_retransmissions": [0, 40 + i],
                      "link.0.bytes": [0, 10**9], **of(counters, i)}} for i in range(n)]}


def judged(n, fault, told, more=()):
    """The lines for people and the summary, once the machines of a simulation are replaced."""
    done = run("map", *NET, "--ranks", n, *(["--sim-fault", fault] if fault else []), "-o", "sim.json")
    ok(done.rc == 0, "simulated", done)
    with open("sim.json", encoding="utf-8") as f:
        record = json.load(f)
    ok("machines" not in record["summary"] and record["summary"]["differences"] == [], "a simulation has no machines", record["summary"])
    ok(all(v["evidence"] == [] for v in record["summary"]["verdicts"]), "and no evidence", record["summary"])
    record["summary"]["machines"] = told
    with open("told.json", "w", encoding="utf-8") as f:
        json.dump(record, f)
    done = run("map", "--from", "told.json", *more, "-o", "map.json")
    ok(done.rc == 0, "judged", done)
    with open("map.json", encoding="utf-8") as f:
        return done, json.load(f)["summary"]


CRC = {"link.0.rx_crc_errors": [10, 1255]}

# Of n5, which sends slowly: what its machine has counted or is, and the end of the verdict.
EVIDENCE = named([
    ({"counters": {5: CRC}}, "; its eth0 counted 1,245 CRC errors, its peers none: suspect its cable"),
    ({"counters": {5: {"link.0.rx_dropped": [0, 1234567]}}}, "; its eth0 counted 1,234,567 packets dropped on receiving, its peers 3"),
    ({"counters": {5: {"tcp_retransmissions": [7, 907]}}}, "; it counted 900 TCP retransmissions, its peers 43"),
    ({"counters": {5: {"tcp_retransmissions": [0, 90]}}}, ""),     # twice as many: chance
    ({"counters": {5: {"link.0.rx_dropped": [0, 5]}}}, ""),
    ({"counters": {5: {"link.0.rx_crc_errors": [500, 500]}}}, ""),  # before the run
    ({"counters": {5: {"link.0.rx_crc_errors": [500, 2]}}}, ""),    # it was reset
    ({"counters": {3: CRC}}, ""),
    ({"own": {5: {"link.0.mtu_B": 1500}}}, "; its MTU is 1500, its peers' 9000"),
    ({"own": {5: {"link.0.speed_Mbps": 10000, "link.0.pcie_width": 4}}},
     "; its link rate is 10000 Mbit/s, its peers' 100000 Mbit/s; its PCIe width is 4, its peers' 16"),
    ({"own": {5: {"link.0.numa_distance": 21}}}, "; its NUMA distance from rank to interface is 21, its peers' 10"),
    ({"own": {5: {"cpu.governor": "powersave"}}}, "; its governor is powersave, its peers' performance"),
    ({"own": {5: {"host.kernel": "Linux 5.10.0 x86_64"}}}, ""),     # a difference, but no evidence
    ({"changed": {5: {"link.0.speed_Mbps": [100000, 25000]}}}, "; its link rate was 100000 Mbit/s before and 25000 Mbit/s after"),
    ({"counters": {5: {**CRC, "link.0.rx_errors": [0, 2000]}}, "own": {5: {"link.0.mtu_B": 1500, "link.0.pcie_width": 8}}},
     "; its eth0 counted 1,245 CRC errors, its peers none: suspect its cable; its eth0 counted 2,000 receive errors, its peers none; "
     "its MTU is 1500, its peers' 9000"),
])


@pytest.mark.parametrize("told, end", EVIDENCE)
def test_evidence_of_a_host_is_in_text_table_and_list(told, end):
    done, summary = judged(8, "host:5,send,0.7", machines(8, **told))
    v, = summary["verdicts"]
    ok(v["kind"] == "host_send" and v["text"].endswith("(not measured again)" + end), "the text", v)
    ok(v["text"] in done.whole, "the table has it", done)
    ok(all(e["text"] in v["text"] for e in v["evidence"][:3]) and bool(end) == bool(v["evidence"]), "the list", v)


def test_evidence_has_counters_before_and_after_and_those_of_peers():
    _, summary = judged(8, "host:5,send,0.7", machines(8, counters={5: CRC}, own={5: {"link.0.mtu_B": 1500}}))
    equal([{k: e[k] for k in e if k != "text"} for e in summary["verdicts"][0]["evidence"]],
          [{"host": "n5", "what": "link.0.rx_crc_errors", "before": 10, "after": 1255, "peers": 0.0},
           {"host": "n5", "what": "link.0.mtu_B", "before": 1500, "after": 1500, "peers": 9000}], "items")


def test_a_pair_names_whose():
    _, summary = judged(8, "pair:2-6,0.5", machines(8, counters={6: CRC}))
    v, = summary["verdicts"]
    ok(v["subject"] == ["n2", "n6"] and v["text"].endswith("; n6's eth0 counted 1,245 CRC errors, its peers none: suspect its cable"),
       "the host of the two", v)


def test_another_bad_host_is_no_peer():
    """Of five two are bad: what both have is still seen beside the three that are well."""
    _, summary = judged(5, "host:1,both,0.6", machines(5, own={1: {"link.0.mtu_B": 1500}, 3: {"link.0.mtu_B": 1500}}))
    ok(summary["verdicts"][0]["text"].endswith("; its MTU is 1500, its peers' 9000"), "one of them", summary["verdicts"])


def test_a_group_has_what_all_share():
    old = {"link.0.mtu_B": 1500}
    _, summary = judged(8, "group:0-3,0.6", machines(8, own={i: old for i in range(4)}, counters={2: CRC}))
    v, = summary["verdicts"]
    ok(v["kind"] == "group" and v["text"].endswith("; all have MTU 1500, others 9000") and len(v["evidence"]) == 1, "what they share", v)
    _, summary = judged(8, "group:0-3,0.6", machines(8, own={2: old}))
    equal(summary["verdicts"][0]["evidence"], [], "one of them is no evidence against all")


def test_machines_that_differ_are_listed_with_what_the_others_have():
    old = {"host.kernel": "Linux 5.10.0 x86_64", "link.0.mtu_B": 1500}
    done, summary = judged(8, None, machines(8, own={2: old, 6: old, 4: {"sysctl.net.core.rmem_max": 4194304}}))
    lines = ["n2, n6: MTU 1500, others 9000; kernel Linux 5.10.0 x86_64, others Linux 6.1.0 x86_64",
             "n4: net.core.rmem_max 4194304, others 212992"]
    ok(all(f"\n{line}\n" in done.whole for line in lines), "lines", done)
    equal([(d["host"], d["what"], d["value"], d["peers"]) for d in summary["differences"]],
          [("n2", "link.0.mtu_B", 1500, 9000), ("n6", "link.0.mtu_B", 1500, 9000),
           ("n2", "host.kernel", old["host.kernel"], COMMON["host.kernel"]), ("n6", "host.kernel", old["host.kernel"], COMMON["host.kernel"]),
           ("n4", "sysctl.net.core.rmem_max", 4194304, 212992)], "the list")


def test_without_a_normal_there_is_no_line_for_each_difference():
    """Eight hosts, each its own: no line for each; and classes have each their own normal."""
    _, summary = judged(8, None, machines(8, own={i: {"sysctl.net.core.rmem_max": i} for i in range(8)}))
    equal(summary["differences"], [], "all differ")
    with open("classes", "w", encoding="utf-8") as f:
        f.writelines(f"n{i} {'old' if i < 4 else 'new'}\n" for i in range(8))
    own = {i: {"link.0.mtu_B": 1500} for i in (0, 1, 2, 5)}
    _, summary = judged(8, None, machines(8, own=own), ["--classes", "classes"])
    equal([(d["host"], d["value"]) for d in summary["differences"]], [("n3", 9000), ("n5", 1500)], "within a class")


def test_many_differences_are_cut():
    own = {i: {f"sysctl.x{k}": i for k in range(9)} for i in range(14)}
    told = machines(40, own=own)
    told["common"] = {**COMMON, **{f"sysctl.x{k}": -1 for k in range(9)}}
    done, summary = judged(40, None, told)
    ok("; and 3 more\n" in done.whole and "... and 4 more hosts that differ\n" in done.out, "what is left out is said", done)
    equal(len(summary["differences"]), 14 * 9, "the file has all")


@pytest.mark.parametrize("told", named([
    ([],), ("x",), ({"common": [], "hosts": {}},), ({"common": COMMON, "hosts": ["n1", {}, {"host": 5}, {"host": "n9"}, {"host": "n5"}]},),
    ({"common": COMMON, "hosts": [{"host": f"n{i}", "own": {"link.99999999999.mtu_B": i == 5, "link.x": [], "link.0.mtu_B": {}}, "links": {},
                                   "counters": {"link.7.rx_errors": [0, 9e9 * (i == 5)], "link": ["a", None], "x": 5},
                                   "changed": {"link.0.rate": [], "link.0.state": 7}} for i in range(8)]},)]))
def test_machines_that_are_none(told):
    """A file from elsewhere may have anything there."""
    _, summary = judged(8, "host:5,send,0.7", told)
    equal([v["subject"] for v in summary["verdicts"]], ["n5"], "judged all the same")


@pytest.mark.slow
def test_ranks_of_one_host_differ_in_nothing_and_the_file_says_what_was_read():
    """Ranks of one host differ in nothing, and the file says what it has looked at."""
    done = run("map", "-b", "tcp", "-n", 3, "--visits", 3, "-o", "map.json", "-o", "map.csv")
    ok(done.rc == 0, "measured", done)
    with open("map.csv", encoding="utf-8") as f:
        lines = [line.split(": ", 1) for line in f if line.startswith("# summary.machines")]
    with open("map.json", encoding="utf-8") as f:
        summary = json.load(f)["summary"]
    told = summary["machines"]
    equal([(key, json.loads(value)) for key, value in lines], [("# summary.machines", told)], "one line of CSV has them all")
    page = run("report", "map.json")
    ok(page.rc == 0 and "tcp_wmem" in page.out and "machines" not in page.out, "a report says once what rank 0's machine is", page)
    equal([h["host"] for h in told["hosts"]], ["rank0", "rank1", "rank2"], "hosts")
    equal((summary["differences"], [h["own"] for h in told["hosts"]]), ([], [{}] * 3), "differences")
    ok(told["common"]["host.kernel"].startswith("Linux ") and "sysctl.net.ipv4.tcp_rmem" in told["common"], "facts", told["common"])
    for host in told["hosts"]:
        before, after = host["counters"]["tcp_retransmissions"]
        ok(0 <= before <= after, "a counter of the backend", host)
    again = run("map", "--from", "map.json", "-o", "again.json")
    with open("again.json", encoding="utf-8") as f:
        equal(json.load(f)["summary"]["machines"], told, "the file is judged again with them")
    ok(again.rc == 0, "again", again)
