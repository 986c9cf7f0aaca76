#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often `netbench runs` is right on this machine.

    tests/campaigns/runs.py build/netbench alike [20] [WORD ..]     a command against itself: runs find something, and end with 1
    tests/campaigns/runs.py build/netbench slower [20]              a tcp made slower by 10 %: `--margin 5% --runs 15` ends with 1

Of `alike` there are three sets, `shm`, `tcp` and `beff`; at most 3 of 20 comparisons of a set may find something. Of `slower`
18 of 20 are to end with 1 on a quiet machine; its transport is backend `faulty` of the tests, with and without a wait before
each message. `--runs N` and `--point-time T` make it short; 20 tries whole take 20 to 40 minutes a set. It also asks `compare`
for a verdict of two single runs of each set, which there must not be: 4. Exits 1 if a count is not as it has to be, unless there
are fewer than 20 tries.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

SWEEP = ["--sizes", "8,1k,64k,1M"]
FOUND = ("faster", "slower")
MOST_FOUND, LEAST_SLOWER = 3, 18       # of 20


def lines_of(word, o):
    """The command line of a set."""
    if word == "beff":
        return ["beff", "-b", "shm", "-m", "12"]
    return ["latency", "-b", word, *SWEEP, "--point-time", o.point_time]


def run_blocks(o, runs, lines, *options):
    """The exit status of `runs` and its result."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "x.json")
        words = [word for line in lines for word in ("--", *line)]
        done = subprocess.run([o.netbench, "runs", "--runs", str(runs), *options, "-q", "-o", path, *words], capture_output=True, text=True,
                              check=False)
        if not os.path.exists(path):
            sys.exit(f"no result: {done.stderr}")
        with open(path, encoding="utf-8") as f:
            return done.returncode, json.load(f)


def found_in(doc):
    return [r for r in doc["rows"] if r["verdict"] in FOUND]


def has_no_verdict(o, line):
    """Two single files are not judged."""
    with tempfile.TemporaryDirectory() as place:
        names = [os.path.join(place, f"{n}.json") for n in "ab"]
        for name in names:
            subprocess.run([o.netbench, *line, "-q", "-o", name], stdout=subprocess.DEVNULL, check=True)
        done = subprocess.run([o.netbench, "compare", *names, "--fail-if", "slower:5%"], capture_output=True, check=False)
        return done.returncode == 4


def try_alike(o, word):
    line, find, ends = lines_of(word, o), 0, {}
    for i in range(o.tries):
        status, doc = run_blocks(o, o.runs or 8, [line, line])
        here = found_in(doc)
        find += bool(here)
        ends[status] = ends.get(status, 0) + 1
        print(f"{word} {i + 1}: exit {status}, {len(here)} of {len(doc['rows'])} points found", flush=True)
    single = has_no_verdict(o, line)
    print(f"{word}: {find} of {o.tries} comparisons find something; exit status {ends}; two single files "
          f"{'have no verdict' if single else 'HAVE A VERDICT'}", flush=True)
    return find, single


def alike(o):
    sets = [try_alike(o, word) for word in o.words or ("shm", "tcp", "beff")]
    good = all(single and (o.tries < 20 or find <= MOST_FOUND) for find, single in sets)
    print(f"{sum(find for find, _ in sets)} of {o.tries * len(sets)} comparisons find something")
    return good


def slower(o):
    modules = os.path.join(os.path.dirname(os.path.abspath(o.netbench)), "tests", "faults")
    os.environ.update(NETBENCH_MODULES=modules, NETBENCH_FAULT_CARRIER="tcp")
    lines = [["env", f"NETBENCH_FAULT={fault}", os.path.abspath(o.netbench), "latency", "-b", "faulty", *SWEEP, "--point-time", o.point_time]
             for fault in ("none", "delay")]
    ended = 0
    for i in range(o.tries):
        status, doc = run_blocks(o, o.runs or 15, lines, "--margin", "5%")
        ended += status == 1
        ratios = ", ".join(f"{r['size_B']} B {r['ratio']:.3f} [{r['ratio_lo'] or 0:.3f}, {r['ratio_hi'] or 0:.3f}]" for r in doc["rows"])
        print(f"slower {i + 1}: exit {status}; {ratios}", flush=True)
    print(f"slower: {ended} of {o.tries} end with 1")
    return o.tries < 20 or ended >= LEAST_SLOWER * o.tries / 20


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("netbench")
    parser.add_argument("what", choices=("alike", "slower"))
    parser.add_argument("tries", nargs="?", type=int, default=20)
    parser.add_argument("words", nargs="*", help="of alike: shm, tcp, beff")
    parser.add_argument("--runs", type=int, help="blocks of a comparison (default 8, of slower 15)")
    parser.add_argument("--point-time", default="100ms")
    o = parser.parse_args()
    sys.exit(0 if (alike if o.what == "alike" else slower)(o) else 1)


if __name__ == "__main__":
    main()
