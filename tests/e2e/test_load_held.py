# SPDX-License-Identifier: Apache-2.0
"""Latency under load while somebody stops a rank: an aggressor that is held has no factor, a victim shows in an open loop."""
import contextlib
import json
import os
import signal
import time

import pytest
from netbench import SLOW, Command, Csv, children, command, is_alive, note, ok, until


def stop_for(pid, seconds):
    """Returns how long it really was."""
    with contextlib.suppress(ProcessLookupError):
        begun = time.monotonic()
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)
        return time.monotonic() - begun


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


def above(samples, seconds):
    """How many events of all epochs took longer."""
    return sum(n for name in ("latency_s_count", "quiet_s_count") for epoch in samples[name] for t, n in epoch if t > seconds)


@pytest.mark.parametrize("rate", ["1000", "closed"])
def test_an_open_loop_sees_all_events_of_a_stall_and_a_closed_loop_one(rate):
    # one pair of epochs of 2 s, in the first of which the victim that answers stands still for 100 ms
    args = ("load", "-b", "shm" if rate != "closed" else "tcp", "-n", 4, "--victims", "0,1", "--aggressors", "2,3", "--levels", 0, "--rate", rate, "--arrivals", "periodic",
            "--epochs", 1, "--epoch", "2s", "--pin", "none", "-f", "json", "-q")
    r = Command(command(list(map(str, args))), args=args)
    until(lambda: len(children(r.p.pid)) == 4, 10)
    time.sleep(1.2)
    stall = 1e3 * stop_for(children(r.p.pid)[1], 0.1)     # ms, and so many events
    done = r.end(30)
    if not ok(done.rc == 0, "exit 0", done):
        return
    samples = json.loads(done.out)["rows"][0]["samples"]
    long, longer = above(samples, 1e-3), above(samples, 50e-3)
    if rate == "closed":
        ok(1 <= longer <= 3, "one event has all of the stall; other work may stall more", (long, longer))
    else:
        # other work on this machine makes more events slow, but hardly by 50 ms
        ok(long > stall - 5 and stall - 55 <= longer <= stall - 20, "each event that was due in the stall waits, half of them 50 ms",
           (stall, long, longer))
        note(f"stall of {stall:.0f} ms: events above 1 ms: {long}, above 50 ms: {longer}")
