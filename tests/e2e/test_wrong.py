# SPDX-License-Identifier: Apache-2.0
"""Messages that are corrupted on their way are found, by whatever is measured, and make the run fail. Backend `faulty`,
the module in tests/faults/, corrupts them."""
import os
import pytest
from netbench import NETBENCH, loops, measure, ok, slow_but

SIZES = "1,64,5000,70000"
QUICK = ["--sizes", SIZES, "--point-time", "2ms", "--repetitions", 2, "--ci", 0]
NO_LOAD = ["--load", "none"]
# A command, ranks that send in its rounds, ranks that receive.
ROUNDS = [
    (["beff", "-n", 3], [0, 2], [0, 2]),
    (["latency"], [0, 1], [0, 1]),
    (["msgrate", "--window", 4], [0], [0, 1]),
    (["bandwidth", "--bidirectional", "--window", 4], [0, 1], [0, 1]),
    (["atlas-1.1", *NO_LOAD], [0, 1], [0, 1]),
    (["atlas-1.2", *NO_LOAD], [0, 1], [0, 1]),
    (["atlas-1.3", "-n", 4, *NO_LOAD], [0, 3], [0, 3]),
    (["atlas-1.4", "-n", 4, *NO_LOAD], [0, 1], [2, 3]),
    (["atlas-1.5", "-n", 4, *NO_LOAD], [0], [1, 3]),
    (["atlas-1.6", "-n", 5, "--algorithm", "linear", *NO_LOAD], [0], [1, 4]),
    (["atlas-1.6", "-n", 5, "--algorithm", "binomial", *NO_LOAD], [0], [1, 2, 4]),
    (["atlas-1.6", "-n", 5, "--algorithm", "linear", "--change-list"], [0], [1, 4]),
    (["atlas-1.7", "-n", 4, *NO_LOAD], [1, 3], [0]),
]
PUSH = ["atlas-2.1", "--sources", 2, "--destinations", 2, "--occupation", 0, "-l", 20]	# 0; 1, 2; 3, 4
PULL = ["atlas-2.2", *PUSH[1:]]
PIPELINE = ["atlas-2.3", "--topology", "4-2-1", "--occupation", 0, "-l", 20]	# 0; 1, 2; 3 ... 6
# A farm, ranks that receive packets, ranks that decide.
FARMS = [(PUSH, [3, 4], [0, 3, 4]), (PULL, [3, 4], [0, 3]), (PIPELINE, [0, 1, 2], [])]

pytestmark = pytest.mark.usefixtures("module_of_faults")


@pytest.fixture
def module_of_faults(monkeypatch):
    monkeypatch.setenv("NETBENCH_MODULES", os.path.join(os.path.dirname(NETBENCH), "tests", "faults"))


# Which messages of a rank have a wrong bit: those that it sends or receives, of farms only data or only control packets.
SENT, RECEIVED = {"RANK": "{}"}, {"TO": "{}"}
PACKET, ORDER = {"TO": "{}", "FROM_B": "17"}, {"RANK": "{}", "TO_B": "16"}


def measured(args, fault, which):
    env = {f"NETBENCH_FAULT_{k}": v for k, v in which.items()}
    return measure(args[0], "-b", "faulty", *args[1:], *loops(args, 20), *QUICK, env={**os.environ, "NETBENCH_FAULT": fault, **env})


def corrupted(args, what, rank, sizes=SIZES):
    done, table = measured(args, "bit", {k: v.format(rank) for k, v in what.items()})
    rows = [r for r in table.rows if str(r["size_B"]) in sizes.split(",")]
    wrong = sum(r["errors"] for r in table.rows)
    ok(done.rc == 1 and table.status == "failed" and len(rows) == len(sizes.split(",")) and
       all(0 < r["errors"] <= r["checked"] for r in rows) and
       done.faults == [f"netbench: {wrong} messages arrived with wrong content"],
       f"{' '.join(map(str, args))}: {what} of rank {rank}", done)


def unharmed(args):
    """The same without a fault."""
    done, table = measured(args, "none", {})
    ok(done.rc == 0 and not done.faults and table.status == "complete" and
       [(r["errors"], r["checked"] > 0) for r in table.rows] == [(0, True)] * 4, f"{' '.join(map(str, args))}: no fault", done)


@pytest.mark.parametrize("args, senders, receivers", slow_but(ROUNDS, 1, 10))
def test_wrong_content_of_any_rank_in_a_round_is_found(args, senders, receivers):
    unharmed(args)
    for r in senders:
        corrupted(args, SENT, r)
    for r in receivers:
        corrupted(args, RECEIVED, r)


@pytest.mark.parametrize("args, receivers, deciders", slow_but(FARMS, 0))
def test_wrong_packets_and_orders_of_a_farm_are_found(args, receivers, deciders):
    unharmed(args)
    for r in receivers:
        corrupted(args, PACKET, r, "64,5000,70000")	# shorter ones are not told from control packets
    for r in deciders:
        corrupted(args, ORDER, r)
