# SPDX-License-Identifier: Apache-2.0
"""Signals that nobody expects, to ranks that were started one by one: a rank ends by them and does not go without a word."""
import signal
import pytest
from netbench import equal, faults, ok, until

LONG = ["latency", "--sizes", "8", "--point-time", "60s", "--ci", "0"]


@pytest.mark.parametrize("which", [0, 1], ids=["listener", "guest"])
def test_alarm(job, which):
    """SIGALRM, which the program sends itself once it is told to end, from elsewhere."""
    ranks = [job.listen(*LONG, "-v"), job.join("latency", "-v")]
    assert until(lambda: "rank 1 is " in ranks[0].said(), 10), ranks[0].said()
    assert until(lambda: "MSize" in ranks[0].said(ranks[0].out), 20), ranks[0].said()
    ranks[which].p.send_signal(signal.SIGALRM)
    done = job.end(10)
    equal(done[which].rc, -signal.SIGALRM, "it ends by the signal")
    other = done[1 - which]
    ok(other.rc == 1 and any(f"rank {which} " in x and "lost" in x for x in faults(other)), "the other says who was lost", other)
