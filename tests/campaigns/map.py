#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How often map is exactly right, through the whole command, over simulated networks with the noise that networks have:
percent of runs in which the verdicts are what the fault is, nobody else, nothing less; for each number of hosts and fault.

usage: map.py netbench runs [first seed [numbers of hosts [faults]]]

Fails if a cell is below what netbench-map(1) promises by more than chance allows.
"""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HOSTS = (3, 4, 5, 8, 12, 16, 64)
FEWER = {64: 4}         # of the runs one in so many
BW = "bandwidth"


def bandwidth(*found):
    return sorted((BW, kind, subject) for kind, subject in found)


def leaf(n):
    size = min(n // 2, 8)
    return f"group:0-{size - 1},0.8", [("group", " ".join(f"n{i}" for i in range(size)))]


# By name: the fault of n hosts and seed k, and what is to be found; from how many hosts on; percent that are promised.
FAULTS = {
    "healthy": (3, 99, lambda n, a, b, c: ([], [])),
    "both": (3, 95, lambda n, a, b, c: ([f"host:{a},both,0.8"], [("host", f"n{a}")])),
    "sends": (3, 95, lambda n, a, b, c: ([f"host:{a},send,0.8"], [("host_send", f"n{a}")])),
    "receives": (3, 95, lambda n, a, b, c: ([f"host:{a},receive,0.8"], [("host_receive", f"n{a}")])),
    "pair": (3, 95, lambda n, a, b, c: ([f"pair:{a}-{b},0.8"], [("pair", " ".join(f"n{i}" for i in sorted((a, b))))])),
    "direction": (3, 95, lambda n, a, b, c: ([f"direction:{a}-{b},0.8"], [("direction", f"n{a} n{b}")])),
    "unsteady": (3, {3: 89, 4: 97, 5: 90, 8: 97, 12: 98, 16: 97, 64: 97.5},
                 lambda n, a, b, c: ([f"flap:{a},0.7,0.5"], [("unsteady", f"n{a}")])),
    "2 hosts": (5, 95, lambda n, a, b, c: ([f"host:{i},both,0.8" for i in (a, b)], [("host", f"n{i}") for i in (a, b)])),
    "3 hosts": (8, {8: 92}, lambda n, a, b, c: ([f"host:{i},both,0.8" for i in (a, b, c)], [("host", f"n{i}") for i in (a, b, c)])),
    "leaf": (8, 95, lambda n, a, b, c: ([leaf(n)[0]], leaf(n)[1])),
}


def run(netbench, n, fault, seed):
    """(right, what was found)"""
    a, b, c = (3 + seed) % n, seed % (n - 1), 0
    b += b >= a
    c = next(i for i in range(n) if i not in (a, b))
    faults, want = FAULTS[fault][2](n, a, b, c)
    args = [arg for text in [*faults, "noise:5%"] for arg in ("--sim-fault", text)]
    done = subprocess.run([netbench, "map", "-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns", "--ranks", str(n), *args, "--seed",
                           str(seed), "--sim-seed", str(seed), "-f", "json", "-q"], capture_output=True, text=True, check=False)
    if done.returncode:
        return False, done.stderr
    found = [(v["quantity"], v["kind"], v["subject"] if isinstance(v["subject"], str) else " ".join(v["subject"]))
             for v in json.loads(done.stdout)["summary"]["verdicts"]]
    return sorted(found) == bandwidth(*want), f"{found}, not {bandwidth(*want)}"


def cell(netbench, n, fault, seeds):
    """Percent, and what was wrong."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda seed: run(netbench, n, fault, seed), seeds))
    wrong = [f"n {n}, {fault}, seed {seed}: {what}" for seed, (right, what) in zip(seeds, results) if not right]
    return 100 * (1 - len(wrong) / len(seeds)), wrong


def is_short(percent, n, runs):
    """Below what is promised, by three standard errors and one run."""
    return percent < n - 300 * (n / 100 * (1 - n / 100) / runs) ** .5 - 100 / runs


def main(netbench, runs, first, hosts, faults):
    print(f"{runs} runs; noise 5 %, faults 20 %, unsteady 30 % half of the time; percent exactly right")
    print("    n" + "".join(f"{name:>10}" for name in faults), flush=True)
    short = []
    for n in hosts:
        print(f"{n:5}", end="")
        for fault in faults:
            least, promised, _ = FAULTS[fault]
            if n < least:
                print(f"{'-':>10}", end="")
                continue
            seeds = range(first, first + max(10, runs // FEWER.get(n, 1)))
            percent, wrong = cell(netbench, n, fault, seeds)
            promised = promised.get(n, 95) if isinstance(promised, dict) else promised
            print(f"{percent:10.1f}", end="", flush=True)
            if os.environ.get("MAP_TELL"):
                print("", *wrong, sep="\n", file=sys.stderr)
            if is_short(percent, promised, len(seeds)):
                short += [f"n {n}, {fault}: {percent:.1f} %, not {promised} %", *wrong[:5]]
        print(flush=True)
    print("\n".join(short))
    return bool(short)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    chosen = [sys.argv[k].split(",") if len(sys.argv) > k and sys.argv[k] else default for k, default in ((4, HOSTS), (5, FAULTS))]
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1, [int(n) for n in chosen[0]], list(chosen[1])))
