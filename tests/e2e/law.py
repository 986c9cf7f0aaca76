# SPDX-License-Identifier: Apache-2.0
"""Stands for a netbench that measures: prints a result of latency whose times follow a known law.

usage: law.py STATE-FILE [name=value ..] [anything else, which is ignored]

STATE-FILE counts the runs of all commands that share it. factor: of all times. run, point: standard deviations of the
logarithm, of a run and of a point in it. points: sizes. seed. fail: numbers of runs, from 0, that end with 1. sleep:
seconds. start: when the run began, in UTC; kernel, library: versions. Tests that need many results import this file, and call result().
"""
import json
import math
import os
import random
import sys
import time
import uuid

USUAL = {"factor": 1.0, "run": 0.03, "point": 0.02, "points": 5, "seed": 1, "fail": "", "sleep": 0.0,
         "start": "", "kernel": "", "library": ""}


def read_options(words):
    o = dict(USUAL)
    for name, _, value in (word.partition("=") for word in words):
        if name in o:
            o[name] = type(o[name])(value)
    return o


def count_run(path):
    n = 0
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            n = int(f.read())
    with open(path, "w", encoding="utf-8") as f:
        f.write(str(n + 1))
    return n


def column(name, unit, kind):
    return {"name": name, "unit": unit, "type": kind, "definition": "Made up."}


def environment(o, number):
    """Of a run that has a date."""
    if not o["start"]:
        return {}
    return {"netbench": {"version": "0"}, "run": {"id": str(uuid.UUID(int=o["seed"] * 1000003 + number))},
            "time": {"start": o["start"]}, "host": {"name": "alpha", "kernel": o["kernel"]},
            "backend": {"name": "law", "library": o["library"]}, "nranks": 2,
            "ranks": [{"rank": k, "host": host} for k, host in enumerate(("alpha", "beta"))]}


def result(number, **options):
    """The result of a run of this number."""
    o = {**USUAL, **options}
    draw = random.Random(o["seed"] * 1000003 + number)
    of_run = draw.gauss(0, o["run"])
    rows = []
    for k in range(o["points"]):
        t = 1e-6 * (1 + 2 ** k / 1000) * o["factor"] * math.exp(of_run + draw.gauss(0, o["point"]))
        rows.append({"size_B": 2 ** k, "half_rtt_p50_s": t, "half_rtt_p50_lo_s": t * 0.99, "half_rtt_p50_hi_s": t * 1.01,
                     "repetitions": 20, "errors": 0})
    return {"schema": "netbench", "schema_version": 1, "command": "latency", "definition": "latency.pingpong.v1",
            "computed": False, "options": {"backend": "law"}, "environment": environment(o, number),
            "columns": [column("size_B", "B", "integer"), column("half_rtt_p50_s", "s", "real"),
                        column("half_rtt_p50_lo_s", "s", "real"), column("half_rtt_p50_hi_s", "s", "real"),
                        column("repetitions", "", "integer"), column("errors", "", "integer")],
            "rows": rows, "summary": {}, "warnings": [], "status": "complete"}


def main():
    o = read_options(sys.argv[2:])
    number = count_run(sys.argv[1])
    time.sleep(o["sleep"])
    if str(number) in o["fail"].split(","):
        sys.exit(f"law: run {number} fails")
    json.dump(result(number, **o), sys.stdout)
    print()


if __name__ == "__main__":
    main()
