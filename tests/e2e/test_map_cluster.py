# SPDX-License-Identifier: Apache-2.0
"""netbench map on several hosts, over TCP, by ranks that join: real faults, each named as it is; units."""
import json
import os
import subprocess
import threading

import netbench
import pytest
from netbench import NETBENCH, SLOW, SOURCE, Command, equal, lacks, ok
from rig import CLUSTER, finish_all, on

pytestmark = pytest.mark.slow
SECRET = {"NETBENCH_SECRET": "of-the-tests-only"}
FAULTS = os.path.join(SOURCE, "tests/rigs/map-faults")
SHORT = ["--hosts", "6", "--option=--sizes=8,64k", "--option=--visits=3", "--option=--repetitions=3"]
USUAL = ["--hosts", "8", "--option=--sizes=8,256k", "--option=--visits=3", "--option=--repetitions=3"]


def measured(port, hosts, *options):
    """The result of a map of ranks on these hosts, the first of which is this one."""
    where = f"n0:{port}"
    ranks = [Command([NETBENCH, "map", "--backend", "tcp", "--listen", where, "-n", len(hosts), *options, "-f", "json", "-q"],
                     env=SECRET)]
    ranks += [Command(on(host, [NETBENCH, "map", "--backend", "tcp", "--join", where, "--rank", i + 1]), env=SECRET)
              for i, host in enumerate(hosts[1:])]
    done = finish_all(ranks, 150)
    assert [d.rc for d in done] == [0] * len(hosts), done
    return json.loads(done[0].out)


def named_precisely(fault, options):
    """One run of the script; what it prints is told where it is wrong."""
    if reason := lacks("tcp"):
        pytest.skip(reason)
    done = subprocess.run([FAULTS, "--netbench", NETBENCH, *options, fault], capture_output=True, text=True, timeout=200 * SLOW,
                          check=False)
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    ok(done.returncode == 0, f"{fault}: named precisely", done.stdout + done.stderr)


@pytest.mark.parametrize("fault", ("sends", *(pytest.param(f, marks=pytest.mark.long) for f in ("direction", "latency"))))
def test_short_runs_name_a_fault_precisely(fault):
    named_precisely(fault, SHORT)


@pytest.mark.parametrize("fault", ("nothing", "both", "sends", "receives", "direction", "latency", "unsteady", "uplink", "down", "severed"))
def test_usual_runs_name_each_kind_of_fault_precisely(fault):
    """A host, a direction or a link 30 to 40 % slower, later, or gone: by the script's table of faults."""
    named_precisely(fault, USUAL)


SHAPED = ["dev", "eth0", "root", "tbf"]
BUCKET = ["burst", "5kb", "latency", "100ms"]


def on_n5(*args):
    with open(os.path.join(CLUSTER, "n5.pid"), encoding="utf-8") as f:
        subprocess.run(["nsenter", "-t", f.read().strip(), "-n", "-m", "--", *args], check=True, timeout=20)


@pytest.mark.rig("cluster", "-n", "6", "-r", "50mbit", "-b", "5kb", seconds=600)
def test_the_evidence_names_mtu_and_errors_of_the_slow_host(tmp_path):
    """n5 sends slowly, has a smaller MTU, and its interface has a made-up file of CRC errors, of which more come in between."""
    if reason := lacks("tcp"):
        pytest.skip(reason)
    errors = tmp_path / "errors"
    errors.write_text("17\n", encoding="utf-8")
    later = threading.Timer(6, lambda: errors.write_text("1262\n", encoding="utf-8"))
    on_n5("mount", "--bind", str(errors), "/sys/class/net/eth0/statistics/rx_crc_errors")
    on_n5("ip", "link", "set", "eth0", "mtu", "1400")
    on_n5("tc", "qdisc", "change", *SHAPED, "rate", "35mbit", *BUCKET)
    try:
        later.start()
        record = measured(7150, [f"n{i}" for i in range(6)], "--sizes", "8,256k", "--visits", 3, "--repetitions", 3)
    finally:
        later.cancel()
        on_n5("tc", "qdisc", "change", *SHAPED, "rate", "50mbit", *BUCKET)
        on_n5("ip", "link", "set", "eth0", "mtu", "1500")
        on_n5("umount", "/sys/class/net/eth0/statistics/rx_crc_errors")
    summary = record["summary"]
    found, = [v for v in summary["verdicts"] if v["quantity"] == "bandwidth"]
    counted = "its eth0 counted 1,245 CRC errors, its peers none: suspect its cable"
    ok((found["kind"], found["subject"]) == ("host_send", "n5") and counted in found["text"], "the cable", found)
    ok(found["evidence"][0]["what"] == "link.0.rx_crc_errors" and found["evidence"][0]["after"] == 1262, "the counter", found["evidence"])
    ok(any(e["text"] == "its MTU is 1400, its peers' 1500" for e in found["evidence"]), "the MTU", found["evidence"])
    equal([(d["host"], d["what"], d["value"], d["peers"]) for d in summary["differences"]], [("n5", "link.0.mtu_B", 1400, 1500)], "differences")
    ok(all(h["links"] == ["eth0"] for h in summary["machines"]["hosts"]), "the links that were used", summary["machines"])


def switch(*commands):
    for command in commands:
        subprocess.run(["nsenter", "-t", "1", "-n", "--", *command.split()], check=True, timeout=20)


def verdicts(record):
    return [(v["kind"], v["subject"]) for v in record["summary"]["verdicts"] if v["quantity"] == "bandwidth"]


@pytest.mark.rig("cluster", "-n", "6", "-r", "50mbit", "-b", "5kb", seconds=600)
def test_an_uplink_that_is_slow_by_design(tmp_path):
    """n3 to n5 are on a switch of their own, whose link to the other has half of what they need."""
    if reason := lacks("tcp"):
        pytest.skip(reason)
    leaf = [f"p{i}" for i in (3, 4, 5)]
    topology = tmp_path / "topology.conf"
    topology.write_text("SwitchName=s0 Nodes=n[0-2]\nSwitchName=s1 Nodes=n[3-5]\nSwitchName=top Switches=s[0-1]\n", encoding="utf-8")
    switch("ip link add br1 type bridge mcast_snooping 0", "ip link set br1 up", "ip link add u0 type veth peer name u1",
           "ip link set u0 master br0 up", "ip link set u1 master br1 up", *(f"ip link set {port} master br1" for port in leaf),
           *(f"tc qdisc add dev {u} root tbf rate 75mbit burst 16kb latency 200ms" for u in ("u0", "u1")))
    try:
        record = measured(7160, [f"n{i}" for i in range(6)], "--sizes", "8,256k", "--visits", 3, "--repetitions", 3, "--topology", topology)
    finally:
        switch(*(f"ip link set {port} master br0" for port in leaf), "ip link del u0", "ip link del br1")
    near, far = record["summary"]["distances"]
    ok(verdicts(record) == [] and near["class"] == "same switch", "nobody", record["summary"]["verdicts"])
    ok(far["bandwidth_median_Bps"] < .8 * near["bandwidth_median_Bps"], "but it is slower", (near, far))
    (tmp_path / "map.json").write_text(json.dumps(record), encoding="utf-8")
    again = netbench.run("map", "--from", tmp_path / "map.json", "-f", "json")
    ok(verdicts(json.loads(again.out)) == [("group", ["n0", "n1", "n2"])], "without the topology the switches are named", again)


@pytest.mark.rig("cluster", "-n", "3", seconds=90)
@pytest.mark.parametrize("unit, names", [("auto", ["n0", "n1", "n2"]), ("host", ["n0", "n1", "n2"]),
                                         ("rank", ["n0:0", "n0:1", "n1:0", "n1:1", "n2:0"])], ids=["auto", "host", "rank"])
def test_units_are_hosts_or_ranks_as_asked_for(unit, names):
    """Two ranks on each of two hosts, one on the third."""
    if reason := lacks("tcp"):
        pytest.skip(reason)
    record = measured(7200 + len(unit) + len(names), ["n0", "n0", "n1", "n1", "n2"], "--unit", unit, "--sizes", "8,256k", "--visits", 2)
    ok(sorted((r["sender_host"], r["receiver_host"]) for r in record["rows"]) == [(a, b) for a in names for b in names if a != b],
       "ordered pairs", record["rows"])
    ok(all(r["bandwidth_Bps"] > 0 and r["half_rtt_epoch_s"] > 0 for r in record["rows"]), "all have values", record["rows"])
