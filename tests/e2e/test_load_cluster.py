# SPDX-License-Identifier: Apache-2.0
"""netbench load on four hosts behind one uplink of 100 Mbit/s, the bottleneck: a full queue delays victims, a class of their own
does not. The uplink is the egress of a switch, not of a sender."""
import json
import os
import subprocess

import pytest
from netbench import NETBENCH, Command, lacks, note, ok, skip
from rig import CLUSTER, finish_all, on

pytestmark = pytest.mark.slow
SECRET = {"NETBENCH_SECRET": "of-the-tests-only"}
LIMIT, WIRE, RATE = 50, 1514, 100e6
FULL = LIMIT * WIRE * 8 / RATE      # s: LOAD.md (66)

# Left: n0 asks, the four ranks of n1 are aggressors. Right: n2 answers, n3 is the target.
HOSTS = ["n0", "n1", "n1", "n1", "n1", "n2", "n3"]
ROLES = ["--victims", "0,5", "--aggressors", "6,1:4"]

FLOOD = """
import socket, time
s, begun, n = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), time.monotonic(), 0
while True:
    due = (time.monotonic() - begun) * 120e6 / 8 / 1514
    while n < due:
        s.sendto(bytes(1472), ("10.77.0.4", 9))
        n += 1
    time.sleep(0.0005)
"""


def inside(pid, *commands):
    for command in commands:
        subprocess.run(["nsenter", "-t", str(pid), "-n", "--", *command.split()], check=True, timeout=20, capture_output=True, text=True)


def pid_of(host):
    with open(os.path.join(CLUSTER, host + ".pid"), encoding="utf-8") as f:
        return f.read().strip()


@pytest.fixture(name="uplink")
def fixture_uplink():
    """n2 and n3 are on a switch of their own. Gives a function that makes the queue of the uplink, by commands of tc."""
    if reason := lacks("tcp"):
        pytest.skip(reason)
    inside(1, "ip link add br1 type bridge mcast_snooping 0", "ip link set br1 up", "ip link add u0 type veth peer name u1",
           "ip link set u0 master br0 up", "ip link set u1 master br1 up", "ip link set p2 master br1", "ip link set p3 master br1")
    for host in "n0", "n1", "n2", "n3":
        # a packet of many segments would count as one in a queue
        inside(pid_of(host), "ip link set eth0 gso_max_segs 1", "sysctl -qw net.ipv4.tcp_congestion_control=reno")

    def make(*queue):
        try:
            inside(1, *(f"tc {words}" for words in queue))
        except subprocess.CalledProcessError as e:
            pytest.skip(f"this kernel has no such queue: {e.stderr.strip()}")

    yield make
    inside(1, "ip link set p2 master br0", "ip link set p3 master br0", "ip link del u0", "ip link del br1")


ONE_QUEUE = ("qdisc add dev u0 root handle 1: tbf rate 100mbit burst 3100 limit 1000000", f"qdisc add dev u0 parent 1: pfifo limit {LIMIT}")
OWN_CLASS = ("qdisc add dev u0 root handle 1: htb default 20", "class add dev u0 parent 1: classid 1:1 htb rate 100mbit burst 3100 cburst 3100",
             "class add dev u0 parent 1:1 classid 1:10 htb rate 10mbit ceil 100mbit prio 0 burst 3100 cburst 3100",
             "class add dev u0 parent 1:1 classid 1:20 htb rate 90mbit ceil 100mbit prio 1 burst 3100 cburst 3100",
             f"qdisc add dev u0 parent 1:20 pfifo limit {LIMIT}", "qdisc add dev u0 parent 1:10 pfifo limit 10",
             "filter add dev u0 parent 1: protocol ip prio 1 u32 match ip src 10.77.0.1/32 flowid 1:10")


def measured(port, *options):
    where = f"n0:{port}"
    ranks = [Command([NETBENCH, "load", "-b", "tcp", "--listen", where, "-n", len(HOSTS), *ROLES, *options, "-f", "json", "-q"], env=SECRET)]
    ranks += [Command(on(host, [NETBENCH, "load", "-b", "tcp", "--join", where, "--rank", i + 1]), env=SECRET)
              for i, host in enumerate(HOSTS[1:])]
    done = finish_all(ranks, 120)
    assert [d.rc for d in done] == [0] * len(HOSTS), done
    return json.loads(done[0].out)["rows"][0]


LOADED = ["--levels", "100", "--rate", "100", "--epochs", "8", "--epoch", "1s", "--aggressor-size", "64k"]


@pytest.mark.long
@pytest.mark.rig("cluster", "-n", "4", seconds=300)
@pytest.mark.parametrize("queue", ["one", "own"])
def test_the_same_command_line_sees_which_queue_victims_share(uplink, queue):
    uplink(*(ONE_QUEUE if queue == "one" else OWN_CLASS))
    row = measured(7300 if queue == "one" else 7310, *LOADED)
    delay = row["latency_p50_s"] - row["quiet_p50_s"]
    note(f"{queue}: delay {delay * 1e3:.2f} ms, quiet {row['quiet_p50_s'] * 1e3:.2f} ms, load {row['load_achieved']:.2f}, {row['note']}")
    ok(row["shares"] is None and row["errors"] == 0, "no host is shared", row)
    if row["note"] or row["quiet_p50_s"] > .5e-3:
        skip("the delay of the queue", f"processors, not the uplink, were the bottleneck: quiet {row['quiet_p50_s']} s, {row['note']}")
        return
    if queue == "one":
        ok(.75 * FULL <= delay <= 1.1 * FULL, "a full queue", (delay, FULL, row))
    else:
        ok(delay < 1e-3, "below 1 ms", (delay, row))


@pytest.mark.rig("cluster", "-n", "4", seconds=300)
def test_a_flood_of_packets_delays_victims_by_a_full_queue(uplink):
    uplink(*ONE_QUEUE)
    quiet = measured(7320, "--levels", "0", "--epochs", "6", "--epoch", "300ms")["latency_p50_s"]
    flood = Command(on("n1", ["python3", "-c", FLOOD]))
    try:
        row = measured(7330, "--levels", "0", "--epochs", "6", "--epoch", "1s")
    finally:
        flood.end(0)
    delay = row["latency_p50_s"] - quiet
    note(f"flood: delay {delay * 1e3:.2f} ms of {FULL * 1e3:.2f} ms, quiet {quiet * 1e3:.2f} ms")
    ok(abs(delay - FULL) <= .1 * FULL + .3e-3, "a full queue", (delay, FULL, row))
