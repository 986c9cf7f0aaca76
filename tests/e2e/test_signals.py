# SPDX-License-Identifier: Apache-2.0
"""Signals that nobody expects, to ranks that were started one by one: a rank ends by them and does not go without a word."""
import contextlib
import json
import os
import resource
import signal
import subprocess
import time
import pytest
from netbench import NETBENCH, SLOW, Command, equal, faults, ok, slow_but, until

LONG = ["latency", "--sizes", "8", "--point-time", "60s", "--ci", "0"]


@pytest.mark.parametrize("backend", slow_but(["shm", "tcp"], 0))
def test_an_interrupted_point_keeps_its_repetitions(place, backend):
    """As by Ctrl-C: all processes of the group get it."""
    path = place / "x.json"
    run = Command([NETBENCH, *LONG, "-b", backend, "-v", "-o", path])
    assert until(lambda: "MSize" in run.said(run.out), 20), run.said()
    time.sleep(1.5)
    os.killpg(run.p.pid, signal.SIGINT)
    done = run.end(10)
    doc = json.loads(path.read_text())
    ok(done.rc == 128 + signal.SIGINT and "the run is interrupted: 0 of 1 points measured in full, one in part" in done.whole, "it says so",
       done)
    equal((doc["status"], len(doc["rows"]), doc["rows"] and doc["rows"][0]["stop"]), ("interrupted", 1, "signal"), "one row")
    ok(doc["rows"][0]["repetitions"] >= 1 and doc["rows"][0]["half_rtt_epoch_s"] > 0, "of the repetitions until then", doc["rows"])


@pytest.mark.parametrize("which", [0, 1], ids=["listener", "guest"])
def test_an_alarm_from_elsewhere_ends_its_rank_and_is_told(job, which):
    """SIGALRM, which the program sends itself once it is told to end, from elsewhere."""
    ranks = [job.listen(*LONG, "-v"), job.join("latency", "-v")]
    assert until(lambda: "rank 1 is " in ranks[0].said(), 10), ranks[0].said()
    assert until(lambda: "MSize" in ranks[0].said(ranks[0].out), 20), ranks[0].said()
    ranks[which].p.send_signal(signal.SIGALRM)
    done = job.end(10)
    equal(done[which].rc, -signal.SIGALRM, "it ends by the signal")
    other = done[1 - which]
    ok(other.rc == 1 and any(f"rank {which} " in x and "lost" in x for x in faults(other)), "the other says who was lost", other)


def test_words_that_wait_for_their_reader_are_not_lost():
    """The other rank ends meanwhile, and the run is ended; the first fault is printed all the same."""
    if SLOW > 1:
        pytest.skip("sanitizers need more address space than the limit leaves")
    end, begin = os.pipe()
    os.set_blocking(begin, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(begin, b"." * 4096)
    os.set_blocking(begin, True)
    p = subprocess.Popen([NETBENCH, "latency", "-b", "shm", "--sizes", "1G", "-q"], stdout=subprocess.DEVNULL, stderr=begin,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20)))
    os.close(begin)
    time.sleep(0.3)
    with os.fdopen(end, "rb") as f:
        said = f.read().lstrip(b".")
    ok(p.wait(60) == 1 and said.startswith(b"netbench: cannot map"), "the fault", (p.returncode, said))
