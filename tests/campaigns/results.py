#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Results with corrupted data, for all commands that read results: each ends in time with a status that the manual has,
one line if that is not 0, and whole files.

usage: results.py netbench number-of-runs [seed]
"""
import functools
import json
import os
import subprocess
import sys
from campaign import Failed, campaign, check, ended_well, whole_csv

MADE = {
    "latency": ["latency", "-b", "sim", "--sizes", "1,64,4k"],
    "beff": ["beff", "-b", "sim", "-m", "6", "-n", "3"],
    "pairs": ["atlas-1.3", "-b", "sim", "-n", "4", "--sizes", "64,1k"],
    "farm": ["atlas-2.1", "-b", "sim", "--sizes", "64", "-l", "5"],
    "model": ["model", "--measure", "-b", "sim", "-m", "8"],
    "samples": ["beff", "-b", "shm", "-n", "2", "--sizes", "1,64", "--repetitions", "10", "--point-time", "20ms", "--samples"],
}
# Commands, with the corrupted result for X and a whole one for Y.
READERS = [
    ["report", "X"], ["report", "X", "Y"], ["report", "--html", "out.html", "X", "Y"],
    ["compare", "X", "Y"], ["compare", "Y", "X"], ["compare", "X", "X", "-o", "out.csv"],
    ["compare", "Y", "X", "X"], ["compare", "X", "Y", "X", "--fail-if", "slower:5%"],
    ["merge", "X", "Y", "-o", "merged.csv"], ["merge", "Y", "X", "-f", "jsonl"], ["merge", "X", "-o", "merged.db"],
    ["plot", "--script", "X", "Y", "--x", "ranks"], ["plot", "--script", "X", "X", "--column", "summary.b_eff_Bps"],
    ["plot", "--script", "X"], ["plot", "--script", "X", "Y"],
    ["plot", "--script", "X", "--kind", "cdf"], ["plot", "--script", "X", "--kind", "histogram"],
    ["plot", "--script", "X", "--kind", "time"], ["plot", "--script", "X", "Y", "--linear", "xy", "--y-range", ":1s"],
    ["model", "--fit", "X", "-o", "out.json"],
    ["model", "--fit", "X", "-f", "csv"], ["model", "--like", "X", "--against", "Y"], ["model", "--example", "--against", "X"],
    ["beff", "--from", "X", "-o", "out.csv"], ["beff", "--from", "X", "--rule", "hpcc-fpga"],
    ["latency", "-b", "sim", "--like", "X", "--sizes", "1,64", "-o", "out.csv"],
    ["atlas-1.6", "--like", "X", "--algorithm", "optimal", "-n", "4", "--dry-run"],
]
OTHERS = [None, True, False, 0, -1, 1, 1e308, -1e308, 1e-320, 2**63 - 1, -2**63, 0.5, "", "x", "nan", "1e9", "a" * 3000, "\u20ac\t\n",
          [], {}, [[]], [None], {"": None}, [1, 2, 3]]


@functools.lru_cache(None)
def whole(netbench):
    made = {}
    for name, args in MADE.items():
        for form in ("json", "csv"):
            args = [a for a in args if form == "json" or a != "--samples"]
            p = subprocess.run([netbench, *args, "-q", "-f", form], capture_output=True, check=True)
            made[name, form] = p.stdout
    return made


def places(v, at=()):
    """Every container of a document with every key of it."""
    for key in (list(v) if isinstance(v, dict) else range(len(v)) if isinstance(v, list) else ()):
        yield v, key
        yield from places(v[key], (*at, key))


def in_structure(r, text):
    """A document in which some values are others, missing, or there again."""
    doc = json.loads(text)
    for _ in range(r.choice([1, 1, 2, 5, 20])):
        everywhere = list(places(doc))
        there = [p for p in everywhere if isinstance(p[1], str)] if r.random() < 0.3 else everywhere
        if not there:
            break
        holder, key = r.choice(there)
        change = r.random()
        if change < 0.3:
            del holder[key]
        elif change < 0.8:
            holder[key] = r.choice(OTHERS)
        elif change < 0.9 and isinstance(holder, list):
            holder.insert(key, holder[key])
        else:
            other, at = r.choice(everywhere)
            try:
                holder[key] = json.loads(json.dumps(other[at]))
            except (KeyError, IndexError):
                pass
    return json.dumps(doc).encode()


def in_bytes(r, text):
    """Bytes that are others, cut off, lost or there again."""
    data = bytearray(text)
    for _ in range(r.choice([1, 1, 3, 20])):
        at, n = r.randrange(len(data) or 1), r.choice([1, 1, 8, 500])
        change = r.random()
        if change < 0.4 and data:
            data[at] ^= 1 << r.randrange(8)
        elif change < 0.6:
            del data[at:at + n]
        elif change < 0.8:
            data[at:at] = data[at:at + n]
        elif change < 0.9:
            del data[at:]
        else:
            data[at:at + n] = r.randbytes(n)
    return bytes(data)


def one_try(t):
    r, made = t.random, whole(t.netbench)
    name = r.choice(list(MADE))
    how, form = r.choice([(in_structure, "json")] * 3 + [(in_bytes, "json"), (in_bytes, "csv")])
    t.classes = {f"corrupted results: {how.__name__[3:]} of {form}": 1}
    corrupted = how(r, made[name, form])
    for file, content in (("X.json", corrupted), ("Y.json", made[r.choice([name, r.choice(list(MADE))]), "json"])):
        with open(t.path(file), "wb") as f:
            f.write(content)
    line = [w + ".json" if w in "XY" else w for w in r.choice(READERS)]
    try:
        ended_well(t.end(t.start(line), 60))
        whole_csv(t.path("out.csv"))
        if os.path.exists(t.path("out.json")):
            with open(t.path("out.json"), encoding="utf-8") as f:
                json.load(f)
        with open(t.path("X.json"), "rb") as f:
            check(f.read() == corrupted, "the input has changed")
    except (Failed, ValueError) as e:
        keep = f"/tmp/campaign-{t.mark}.json"
        with open(keep, "wb") as f:
            f.write(corrupted)
        raise Failed(f"{name} as {keep}, {line}: {e}") from None


if __name__ == "__main__":
    whole(os.path.abspath(sys.argv[1])) if len(sys.argv) > 1 else None
    campaign(one_try)
