# SPDX-License-Identifier: Apache-2.0
"""Latency under load while somebody stops a rank: an aggressor that is held has no factor, a victim is seen by an open loop."""
import contextlib
import os
import signal
import time

import pytest
from netbench import SLOW, Command, Csv, children, command, is_alive, ok, until


def stop_for(pid, seconds):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("victim, level, says", [
    ("pingpong", "100", "an aggressor posted 0."), ("bandwidth", "75", "an aggressor posted 0."), ("pingpong", "75", "load 0.")])
def test_an_aggressor_held_at_half_has_no_factor_and_says_why(victim, level, says):
    # a row without load comes first, so that the capacity is known when the aggressor is held
    epoch = 0.08 * SLOW
    args = ("load", "-b", "tcp", "--victims", "0,1", "--aggressors", "2,3", "--victim", victim, "--levels", f"0,{level}",
            "--epochs", 8, "--epoch", f"{epoch}s", "--aggressor-size", "64k", "--pin", "none", "-f", "csv", "-q")
    r = Command(command(args), args=args)
    until(lambda: sum(line[:1] not in ("", "#") for line in r.said(r.out).splitlines()) == 2, 30)
    time.sleep(10 * (epoch + 0.02))
    held = children(r.p.pid)[3]
    while r.p.poll() is None and is_alive(held):
        stop_for(held, epoch / 4)
        time.sleep(epoch / 4)
    done = r.end()
    rows = Csv(done.out).rows
    if ok(done.rc == 0 and len(rows) == 2, "two rows", done):
        ok(rows[1]["factor_p50"] is None and says in str(rows[1]["note"]), "no factor, and why", rows[1])
        ok("posted" not in says or rows[1]["rate_achieved_Hz"] > 0, "what was measured stands there", rows[1])
