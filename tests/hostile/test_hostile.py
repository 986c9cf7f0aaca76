# SPDX-License-Identifier: Apache-2.0
"""Strangers who reach the ranks of a run, but do not know its secret: ofi.c and verbs.c beside this file speak the backend's
own library, for tcp Python does. The run completes with right content, and counts what it has refused."""
import contextlib
import json
import os
import re
import secrets
import socket
import subprocess
import threading
import time

import pytest
import netbench
from netbench import SLOW, Command, children, equal, listening, need, ok, until

# Longer than any test, with a row, whose content is verified, each half a second.
LONG = ["--sizes", ",".join(str(4000 + i) for i in range(200)), "--point-time", "0.4s", "--repetitions", 100000, "--ci", 0, "-f", "json"]


def stranger(name, *args, timeout=30):
    """What it has done, by the words that it prints."""
    program = os.path.join(os.path.dirname(netbench.NETBENCH), "tests", "hostile", name)
    done = subprocess.run([program, *map(str, args)], capture_output=True, text=True, timeout=timeout * SLOW)
    if done.returncode == 77:
        pytest.skip(f"nothing here that stranger {name} can use")
    assert done.returncode == 0, f"stranger {name}: {done.returncode} {done.stderr}"
    return {what: int(n) for what, n in re.findall(r"(\D+?) (\d+)\s*", done.stdout)}


def send_garbage(address):
    """Noise, and what other protocols begin with."""
    for what in (b"", secrets.token_bytes(40), secrets.token_bytes(5000), b"GET / HTTP/1.0\r\n\r\n", b"\0" * 4096, b"NETBNCH2" * 30):
        with contextlib.suppress(OSError), socket.create_connection(address, 1) as s:
            s.sendall(what)


def ranks_of(command, n):
    """Where the ranks of a job fork listen, once they all do and measure."""
    until(lambda: len(listening(children(command.p.pid))) >= n, 10)
    time.sleep(0.5 * SLOW)
    return listening(children(command.p.pid))


def ended(command):
    """Ends a run: what it has refused. It has gone on until then, and what it has received is right."""
    command.p.terminate()
    done = command.end(20)
    record = json.loads(done.out or "{}")
    rows = record.get("rows", [])
    ok(done.rc == 143 and not done.faults, "the run goes on until it is ended", done)
    ok(rows and all(r["errors"] == 0 and r["checked"] > 0 for r in rows), "its content is right", rows)
    return record.get("summary", {}).get("strangers_refused")


# ---- ofi ----

@pytest.fixture(scope="module")
def ofi():
    need("ofi")
    if not re.search(r"^ +tcp\S* +domain lo,", netbench.run("list", "--backend", "ofi").out, re.M):
        pytest.skip("libfabric has no provider tcp on the loop-back")


def over_ofi(*args):
    return Command([netbench.NETBENCH, "bandwidth", "-b", "ofi", "--ofi-provider", "tcp", *LONG, *args])


def addresses_of(ports):
    """At which there listens something, as the kernel writes them."""
    with open("/proc/net/tcp") as f:
        lines = [line.split() for line in f.readlines()[1:]]
    return {w[1].split(":")[0] for w in lines if w[3] == "0A" and int(w[1].split(":")[1], 16) in ports}


@pytest.mark.parametrize("op", netbench.slow_but(("write", "read", "tagged"), 0))
def test_strangers_who_guess_keys_write_and_read_nothing_over_ofi(ofi, op):
    """Forged messages and notes, memory that is written and read with guessed keys, noise."""
    run = over_ofi("--ofi-op", op)
    at = ranks_of(run, 2)
    equal((len(at), addresses_of([port for _, port in at])), (2, {"0100007F"}), "job fork listens on the loop-back only")
    for address in at[:2 if op == "write" else 1]:
        send_garbage(address)
        did = stranger("ofi", "tcp", *address, 1)
        ok(did["sent"] > 20, "the stranger sends", did)
        equal(did["read"], 0, "it reads no memory")
    refused = ended(run)
    ok(refused and refused >= 20, "it counts what it has refused", refused)


@pytest.mark.parametrize("trusted", [False, True])
def test_messages_without_room_for_the_number_need_a_trusted_network(ofi, job, trusted):
    """Messages without a tag have no room for it."""
    how = ["--ofi-provider", "tcp", "--ofi-domain", "lo", "--ofi-op", "msg", *["--trust-network"] * trusted]
    job.listen("latency", "-b", "ofi", *how, "--sizes", 8, "-l", 50, "--point-time", "20ms", "-f", "csv")
    job.join("latency")
    a, b = job.end()
    if trusted:
        equal((a.rc, b.rc), (0, 0), "trusted")
    else:
        ok(netbench.one_fault(a, 2, "'--ofi-op msg'", "'--trust-network'") and b.rc == 2, "refused", f"{a}\n{b}")


# ---- tcp ----

class Knocking(threading.Thread):
    """Sends garbage to all that listen among a command's ranks until it is told to stop."""

    def __init__(self, command):
        super().__init__(daemon=True)
        self.command, self.over, self.count = command, threading.Event(), 0
        self.start()

    def run(self):
        while not self.over.is_set():
            for address in listening(children(self.command.p.pid)):
                send_garbage(address)
                self.count += 1
            time.sleep(0.02)

    def stop(self):
        self.over.set()
        self.join()
        return self.count


def test_strangers_who_knock_all_the_time_are_turned_away_over_tcp():
    """Ranks that connect for each round listen all the time."""
    run = Command([netbench.NETBENCH, "map", "-n", 4, "-b", "tcp", "--sizes", "64,64k", "--visits", 2, "-f", "json"])
    knocking = Knocking(run)
    done = run.end(30)
    visits = knocking.stop()
    record = json.loads(done.out or "{}")
    ok(done.rc in (0, 4) and not done.faults and record.get("status") == "complete", "the run completes", done)
    ok(all(row.get("errors", 0) == 0 for row in record.get("rows", [{"errors": 1}])), "its content is right", record.get("rows", [])[:2])
    refused = record.get("summary", {}).get("strangers_refused")
    ok(visits and refused and refused > 5, "it counts what it has refused", (visits, refused))


# ---- verbs, on an emulated machine ----

@pytest.mark.slow
@pytest.mark.rig("machine", "--devices", "one", "--memory", "1024", seconds=200)
@pytest.mark.parametrize("op", ["send", "write", "read"])
def test_strangers_who_guess_numbers_are_ignored_over_softroce(op):
    """Hellos with guessed keys, and work requests for queue pairs and memory whose numbers are guessed."""
    need("verbs")
    run = Command([netbench.NETBENCH, "bandwidth", "-b", "verbs", "--op", op, *LONG])
    until(lambda: re.search('"environment"', run.said(run.out)), 20)
    did = stranger("verbs", 1, timeout=120)
    ok(did["sent"] > 100, "the stranger sends", did)
    equal(did["let in"], 0, "no memory is read or written")
    equal(ended(run), 0, "the device drops it all")
