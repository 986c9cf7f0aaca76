# SPDX-License-Identifier: Apache-2.0
"""--time-limit is kept: by pilots that find the system slower than planned, and in virtual time."""
import os
import signal
import time
import pytest
from netbench import NETBENCH, SLOW, Command, Csv, equal, measure, ok, slow_but


@pytest.mark.slow
def test_pilot_ends_at_the_limit():
    """Messages from the 200th of a round on take 50 ms, so that a pilot's round takes 3 s."""
    env = {**os.environ, "NETBENCH_MODULES": os.path.join(os.path.dirname(NETBENCH), "tests", "faults"),
           "NETBENCH_FAULT": "slow", "NETBENCH_FAULT_RANK": "0", "NETBENCH_FAULT_AFTER": "200"}
    done, table = measure("latency", "-b", "faulty", "--sizes", 8, "--time-limit", 1, "--ci", 0, env=env)
    equal([done.rc, [r["stop"] for r in table.rows]], [0, ["time-limit"]], "the point ends by the limit")
    ok(done.seconds < 6.5 * SLOW, "one slow round is enough", done)


LONG = ["latency", "-b", "sim", "-l", 16000000, "--sizes", "8,16"]	# 20 s a size


@pytest.mark.slow
def test_simulated_round_ends_at_the_limit():
    done, table = measure(*LONG, "--time-limit", 1)
    equal([done.rc, table.status, table.rows], [0, "incomplete", []], "the round is given up")
    ok(done.seconds < 5 * SLOW and "time limit of 1 s reached: 0 of 2 points measured" in done.err, "at the limit", done)


@pytest.mark.parametrize("args", slow_but([
    (["beff", "-n", 3000],), (["beff", "--rule", "hlrs", "-n", 1000],), (["atlas-all", "-n", 300],),
    (["atlas-2.3", "-n", 100000, "--topology", "80000-15000-5000"],)]))
def test_simulations_keep_the_rows_before_the_limit(args):
    done, table = measure(*args, "-b", "sim", "--time-limit", 1)
    ok(done.rc == 0 and table.status == "incomplete" and not table.broken and done.seconds < 10 * SLOW, "the run ends", done)


def test_signal_ends_a_simulated_round():
    run = Command([NETBENCH, *LONG, "-f", "csv"])
    time.sleep(0.5 * SLOW)
    os.kill(run.p.pid, signal.SIGINT)
    done = run.end(5)
    equal([done.rc, Csv(done.out).status], [130, "interrupted"], "the round is given up")
