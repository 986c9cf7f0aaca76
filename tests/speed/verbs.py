#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""netbench beside perftest on the same RDMA device: usage: verbs.py netbench [rounds].

Both in turn, several rounds; a line names both sides' medians, and the median of the rounds' ratios with its interval, the smallest
and the largest. Goals are met or missed, never passed or failed.

perftest's window slides, and its clock stops at the last completion: `--ack each`. With a reply to a window of 128 short messages
netbench measures another quantity, which is for information, as is a completion of each message (-Q 1), which `--batch 1` means;
perftest asks for one of 100.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

from ratios import interval_text

NETBENCH = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 9
DEVICE = sorted(os.listdir("/sys/class/infiniband"))[0] if os.path.isdir("/sys/class/infiniband") else None
PORT = 18515


def listens(port):
    for name in ("/proc/net/tcp", "/proc/net/tcp6"):
        with open(name, encoding="ascii") as f:
            if re.search(rf":{port:04X} [0-9A-F:]* 0A", f.read()):
                return True
    return False


def perftest(tool, *args):
    """The columns of its one row."""
    global PORT
    PORT += 1
    argv = [tool, "-d", DEVICE, "-x", "1", "-F", "-p", str(PORT), *map(str, args)]
    server = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 20
    while not listens(PORT) and time.monotonic() < until:
        time.sleep(0.02)
    try:
        client = subprocess.run([*argv, "localhost"], capture_output=True, text=True, timeout=60)
    finally:
        server.terminate()
        server.wait()
    row = re.findall(r"^ *(\d+\s+\d+\s[0-9.\s]+?)$", client.stdout, re.M)
    if not row:
        raise RuntimeError(f"{' '.join(argv)}: {client.stdout[-300:]}{client.stderr[-300:]}")
    return [float(x) for x in row[-1].split()]


def netbench(column, *args):
    done = subprocess.run([NETBENCH, *map(str, args), "-b", "verbs", "--device", DEVICE, "--check", "last", "-q", "-f", "json",
                           "--point-time", "1s"], capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)["rows"][0][column]


def latency(tool):
    return lambda: perftest(tool, "-s", 8, "-n", 1000)[4] * 1e-6


def rate(tool, size, n, *how):
    return lambda: perftest(tool, "-s", size, "-n", n, *how)[4] * 1e6


def short(op, ack):
    return ("rate_msgps", "msgrate", "--sizes", 16, "--window", 128, "--batch", 1, "--op", op, "--ack", ack)


PAIRS = [
    # what, unit, perftest's, netbench's, goal: netbench / perftest from (None: for information), to
    ("send, half round trip, 8 B", "s", latency("ib_send_lat"), ("half_rtt_p50_s", "latency", "--sizes", 8), 0, 1.05),
    ("write, half round trip, 8 B", "s", latency("ib_write_lat"),
     ("half_rtt_p50_s", "latency", "--sizes", 8, "--op", "write", "--last-byte", "always"), 0, 1.05),
    ("read, 8 B", "s", latency("ib_read_lat"), ("read_p50_s", "latency", "--sizes", 8, "--op", "read"), 0, 1.05),
    *[(f"{op}, messages of 64 KiB", "/s", rate(f"ib_{op}_bw", 65536, 300),
       ("rate_msgps", "msgrate", "--sizes", "64k", "--window", 128, "--op", op), 0.95, 9) for op in ("send", "write", "read")],
    *[(f"{op}, messages of 16 B, window 128{words}", "/s", rate(f"ib_{op}_bw", 16, 5000, *how), short(op, ack), low, 9)
      for op in ("send", "write")
      for words, how, ack, low in (("", (), "each", 1), (", a completion each", ("-Q", 1), "each", None), (", a reply", (), "reply", None))],
]

if not DEVICE or not shutil.which("ib_send_lat"):
    print("not measured: no RDMA device" if not DEVICE else "not measured: no perftest")
    sys.exit(0)
for what, unit, theirs, ours, low, high in PAIRS:
    a, b = [], []
    for _ in range(ROUNDS):
        a.append(theirs())
        b.append(netbench(*ours))
    ratios = sorted(y / x for x, y in zip(a, b))
    middle = statistics.median(ratios)
    if low is None:
        goal = "for information"
    else:
        goal = f"goal {f'at least {low}' if low else f'at most {high}'}: {'met' if low <= middle <= high else 'missed'}"
    print(f"{what}: perftest {statistics.median(a):.4g}{unit}, netbench {statistics.median(b):.4g}{unit}; netbench/perftest "
          f"{middle:.3f} ({interval_text(ratios)}rounds {ratios[0]:.3f} to {ratios[-1]:.3f}), {goal}", flush=True)
