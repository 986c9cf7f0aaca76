#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile connections to a rank that listens for others, before and during its run, and to the meshes of backend tcp:
the run completes, with its own ranks alone.

usage: strangers.py netbench number-of-connections [seed]
"""
import os
import socket
import struct
import threading
import time
from campaign import Failed, campaign, check, faults, marked, whole_csv
from netbench import listening
from signals import free_port

MAGIC = b"NETBNCH1"
PER_RUN = 250


def proof(r, magic=MAGIC, rank=None):
    """As a rank's, but without the secret."""
    rank = r.choice([0, 1, 2, 0xffffffff, r.getrandbits(32)]) if rank is None else rank
    return (magic + r.choice([b"0.2.0/8l", b"", b"9.9.9/8l", b"%n%s" * 6])[:24].ljust(24, b"\0") +
            struct.pack("!I", rank) + b"stranger".ljust(64, b"\0") + r.randbytes(64))


SAYS = {
    "silence": lambda r: b"",
    "noise": lambda r: r.randbytes(r.randrange(1, 2000)),
    "http": lambda r: b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "tls": lambda r: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + r.randbytes(500),
    "magic alone": lambda r: MAGIC,
    "half a proof": lambda r: proof(r)[:r.randrange(1, 196)],
    "wrong secret": proof,
    "wrong magic": lambda r: proof(r, b"NETBNCH0"),
    "proof and frames": lambda r: proof(r) + struct.pack("!III", 1, 4, 0) * 20,
    "echo": None,               # what the listener said itself
    "flood": lambda r: r.randbytes(1 << 18),
}
ENDS = ["close", "reset", "half", "hold"]


class Attack(threading.Thread):
    """Connects to what a function names until it is told to stop, or has done so so many times."""

    def __init__(self, t, ports, most, seed):
        super().__init__(daemon=True)
        self.t, self.ports, self.most, self.over, self.done = t, ports, most, threading.Event(), 0
        self.random, self.held = __import__("random").Random(seed), []

    def run(self):
        while not self.over.is_set() and self.done < self.most:
            ports = self.ports()
            if not ports:
                time.sleep(0.001)
            for address in ports:
                self.visit(address)
        for s in self.held:
            s.close()

    def visit(self, address):
        r = self.random
        kind, end = r.choice(list(SAYS)), r.choice(ENDS)
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        s = socket.socket(family)
        s.settimeout(0.5)
        try:
            s.connect(address)
            self.done += 1
            s.sendall(SAYS[kind](r) if SAYS[kind] else s.recv(4096))
            if end == "half":
                s.shutdown(socket.SHUT_WR)
        except OSError:
            pass        # refused, reset, full: what the listener is there for
        if end == "hold" and len(self.held) < 100:
            self.held.append(s)
            return
        if end == "reset":
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.close()

    def stop(self):
        self.over.set()
        self.join()
        return self.done


def completes(t, processes):
    done = [t.end(p, 60) for p in processes]
    for d in done:
        check(d.rc == 0, "the run does not complete", d, *done)
    table = whole_csv(t.path("x.csv"))
    check(table and table.status == "complete" and table.rows and all(row["errors"] == 0 for row in table.rows),
          "no complete result", done[0])


def attacked(t, name, ports, processes, most=PER_RUN, then=lambda: []):
    attack = Attack(t, ports, most, t.random.random())
    attack.start()
    try:
        if then:
            processes = processes + then(attack)
        completes(t, processes)
    except Failed as e:
        raise Failed(f"{name}: {e}") from None
    finally:
        t.classes = {name: max(attack.stop(), 1)}


RUN = ["--sizes", "64", "--point-time", "50ms", "--repetitions", "20", "--ci", "0", "-q", "-o", "x.csv"]


def to_listener(t):
    port = free_port()
    first = t.start(["latency", *RUN, "--listen", port])

    def then(attack):
        """The other rank comes when half of the strangers have been."""
        last = time.monotonic() + 60
        while attack.done < PER_RUN // 2 and time.monotonic() < last:
            time.sleep(0.01)
        return [t.start(["latency", "--join", f"127.0.0.1:{port}", "-q"])]
    attacked(t, "strangers: listener", lambda: [("127.0.0.1", port)], [first], then=then)


def to_mesh(t):
    run = t.start(["beff", "-b", "tcp", "-n", "8", "--verbose", *[a for a in RUN if a != "-q"]])
    attacked(t, "strangers: mesh", lambda: listening(marked(t.mark)), [run], then=None)


def one_try(t):
    t.random.choice([to_listener, to_listener, to_listener, to_mesh])(t)


if __name__ == "__main__":
    campaign(one_try)
