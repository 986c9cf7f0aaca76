# SPDX-License-Identifier: Apache-2.0
"""netbench map on several hosts, over TCP, by ranks that join: real faults, each named as it is; units."""
import json
import os
import subprocess

import pytest
from netbench import NETBENCH, SLOW, SOURCE, Command, lacks, ok
from rig import finish_all, on

pytestmark = pytest.mark.slow
SECRET = {"NETBENCH_SECRET": "of-the-tests-only"}
FAULTS = os.path.join(SOURCE, "tests/rigs/map-faults")
SHORT = ["--hosts", "6", "--option=--sizes=8,256k", "--option=--visits=3", "--option=--repetitions=3"]
USUAL = ["--hosts", "8", "--option=--visits=3", "--option=--repetitions=3"]


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


@pytest.mark.parametrize("fault", ("sends", "direction", "latency"))
def test_short(fault):
    named_precisely(fault, SHORT)


@pytest.mark.parametrize("fault", ("nothing", "both", "sends", "receives", "direction", "latency", "unsteady", "uplink"))
def test_usual(fault):
    """A host, a direction or a link 30 to 40 % slower, or later: by the script's table of faults."""
    named_precisely(fault, USUAL)


@pytest.mark.rig("cluster", "-n", "3", seconds=90)
@pytest.mark.parametrize("unit, names", [("auto", ["n0", "n1", "n2"]), ("host", ["n0", "n1", "n2"]),
                                         ("rank", ["n0:0", "n0:1", "n1:0", "n1:1", "n2:0"])], ids=["auto", "host", "rank"])
def test_units(unit, names):
    """Two ranks on each of two hosts, one on the third."""
    if reason := lacks("tcp"):
        pytest.skip(reason)
    record = measured(7200 + len(unit) + len(names), ["n0", "n0", "n1", "n1", "n2"], "--unit", unit, "--visits", 2)
    ok([(r["sender_host"], r["receiver_host"]) for r in record["rows"]] == [(a, b) for a in names for b in names if a != b],
       "ordered pairs", record["rows"])
    ok(all(r["bandwidth_Bps"] > 0 and r["half_rtt_s"] > 0 for r in record["rows"]), "all have values", record["rows"])
