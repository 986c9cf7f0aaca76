# SPDX-License-Identifier: Apache-2.0
"""How large a map may be: 4096 simulated hosts with ten faults in mode quick, and a matrix of all pairs that is judged from a
file. CPU time, as others may use the machine, wall time and memory; and what was found. Nothing passes or fails.

usage: map_scale.py netbench [hosts [visits]]
"""
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

SLOW, UNSTEADY, LATE = (0.09, 0.2, 0.3, 0.4, 0.6, 0.8), 0.12, 0.17
SENDS, RECEIVES = 0.02, 0.025


def timed(args):
    """(seconds of CPU, seconds, MiB, output, messages)"""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, wall, after.ru_maxrss / 1024, done.stdout, done.stderr


def measured(netbench, hosts):
    at = lambda share: int(share * hosts)
    faults = [f"host:{at(s)},both,0.7" for s in SLOW]
    faults += [f"host:{at(SENDS)},send,0.6",
               f"host:{at(RECEIVES)},receive,0.6", f"flap:{at(UNSTEADY)},0.5,0.5", f"latency:{at(LATE)},+200us"]
    args = [arg for text in [*faults, "noise:5%"] for arg in ("--sim-fault", text)]
    cpu, wall, room, out, err = timed([netbench, "map", "-b", "sim", "--ranks", str(hosts), "--mode", "quick", *args])
    print(f"{hosts} simulated hosts, ten faults, mode quick: {cpu:.1f} s of CPU, {wall:.1f} s, {room:.0f} MiB", flush=True)
    print("  " + "\n  ".join((out or err).splitlines()[2:20]), flush=True)
    print("  faults: " + ", ".join(faults), flush=True)


def write_matrix(path, hosts, visits):
    """Host n7 sends 30 % slower."""
    noise = [f"{9.4e9 * random.lognormvariate(0, .02):.0f}" for _ in range(4096)]
    slow = [f"{9.4e9 * .7 * random.lognormvariate(0, .02):.0f}" for _ in range(4096)]
    names = [f"n{i}" for i in range(hosts)]
    with open(path, "w", encoding="utf-8") as f:
        f.write("visit,sender,receiver,bandwidth_Bps\n")
        for visit in range(visits):
            for a in names:
                of, k = slow if a == "n7" else noise, random.randrange(4096)
                f.write("".join([f"{visit},{a},{b},{of[(k + i) % 4096]}\n" for i, b in enumerate(names) if b != a]))


def judged(netbench, hosts, visits):
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "pairs.csv")
        write_matrix(path, hosts, visits)
        size = os.path.getsize(path) / 1e6
        cpu, wall, room, out, err = timed([netbench, "map", "--from", path, "-v"])
    print(f"{hosts} hosts, {visits} visit(s) of all pairs from a CSV of {size:.0f} MB: {cpu:.1f} s of CPU, {wall:.1f} s, {room:.0f} MiB")
    print("  " + "\n  ".join(line for line in err.splitlines() + out.splitlines()[:4] if line), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    number = [int(n) for n in sys.argv[2:]]
    measured(sys.argv[1], number[0] if number else 4096)
    judged(sys.argv[1], number[0] if number else 4096, number[1] if len(number) > 1 else 1)
