#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Round trips of load's victims without load beside twice the half round trips of netbench latency, which are the same thing.

    load.py [NETBENCH] [--backend shm] [--rounds 11]

Prints the median of each over runs that alternate, and their difference. Both have four ranks, so that they wait alike.
"""
import argparse
import json
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent.parent.parent


def row_of(netbench, *args):
    done = subprocess.run([netbench, *args, "-f", "json", "-q"], capture_output=True, text=True, check=True, timeout=300)
    return json.loads(done.stdout)["rows"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netbench", nargs="?", default=HERE / "build/netbench")
    parser.add_argument("--backend", default="shm")
    parser.add_argument("--rounds", type=int, default=11)
    a = parser.parse_args()
    alone, twice = [], []
    for _ in range(a.rounds):
        alone.append(row_of(a.netbench, "load", "-b", a.backend, "-n", "4", "--victims", "0,1", "--aggressors", "2,3", "--levels", "0",
                            "--epochs", "6", "--epoch", "100ms")["quiet_p50_s"])
        twice.append(2 * row_of(a.netbench, "latency", "-b", a.backend, "-n", "4", "--sizes", "8")["half_rtt_p50_s"])
    x, y = statistics.median(alone), statistics.median(twice)
    print(f"{a.backend}: victims alone {x * 1e6:.3f} us, twice the half round trip {y * 1e6:.3f} us: "
          f"{(x - y) * 1e9:+.0f} ns, {100 * (x / y - 1):+.1f} %")


if __name__ == "__main__":
    main()
