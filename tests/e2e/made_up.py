# SPDX-License-Identifier: Apache-2.0
"""Results of latency that are made up, in files in the current folder, and what netbench compare says of them."""
import json

from netbench import Csv, run, write_result


def write(name, record):
    write_result(".", name, record)


def load(name):
    with open(name) as f:
        return json.load(f)


def row_of(size, value, samples=None, interval=None, **more):
    """A row of latency in units of its own: times are those of rounds of 10 loops."""
    lo, hi = interval or (None, None)
    row = {"size_B": size, "loops": 10, "half_rtt_epoch_s": value, "half_rtt_epoch_lo_s": lo, "half_rtt_epoch_hi_s": hi,
           "half_rtt_p99_s": 2 * value if value else None, "repetitions": len(samples or []), "errors": 0,
           "stop": "repetitions", "checked": 0, "time_acf1": 0.0, **more}
    if samples:
        row["samples"] = {"time_s": [20 * x for x in samples]}
    return row


def record_of(rows, **members):
    columns = [{"name": c, "unit": "", "type": "real", "definition": ""} for c in row_of(0, 1) if c != "samples"]
    env = {"netbench": {"version": "1", "compiler": "c", "command_line": "x"}, "time": {"start": "2026"},
           "host": {"name": "alpha", "kernel": "k"}, "cpu": {"model": "m"}, "nranks": 2, "timer": {"name": "tsc"},
           "backend": {"name": "shm", "method": "m"}, "load": {"average_1min": 1.0},
           "ranks": [{"rank": 0, "host": "alpha", "pid": 7, "cpu": 0, "bound": 0},
                     {"rank": 1, "host": "alpha", "pid": 8, "cpu": 1, "bound": 1}]}
    return {"schema": "netbench", "schema_version": 1, "command": "latency", "definition": "latency.half-rtt.v1",
            "computed": False, "options": {"ci": 5.0, "sizes": [8], "output": ["x"]}, "environment": env,
            "columns": columns, "rows": rows, "summary": {}, "warnings": [], "status": "complete", **members}


def compare(*args, a="a.json", b="b.json"):
    """(Done, Csv) of a comparison."""
    done = run("compare", a, b, *args, "-f", "csv")
    return done, Csv(done.out)


def two(a_rows, b_rows, *args, **members):
    """The same of results with these rows."""
    write("a.json", record_of(a_rows))
    write("b.json", record_of(b_rows, **members))
    return compare(*args)


def at(record, start):
    """The record as of another time."""
    new = json.loads(json.dumps(record))
    new["environment"]["time"]["start"] = start
    return new


def of_runs(rows, measure="half_rtt_epoch_s", keys=("size_B",), documents=(), commands=1):
    """A result of netbench runs, of as many commands; the documents are those of its runs, in blocks."""
    columns = [{"name": c, "unit": "", "type": "real", "definition": ""} for c in (*keys, "run_spread", "runs")]
    kept = [{"command": i % commands, "block": i // commands, "place": i % commands, "counted": True, "start": "2026", "seconds": 1.0,
             "exit_status": 0, "document": d} for i, d in enumerate(documents)]
    return {"schema": "netbench", "schema_version": 1, "command": "runs", "definition": "runs.v1", "computed": False, "options": {},
            "environment": {}, "columns": columns, "rows": rows, "summary": {"measure": measure}, "warnings": [], "status": "complete",
            "runs": kept}


def spread(points, s=1e-4, runs=31, measure="half_rtt_epoch_s", name="spread.json"):
    """Options of compare that name a result of as many runs, which differ by s at these points: sizes, or objects."""
    points = [p if isinstance(p, dict) else {"size_B": p} for p in points]
    rows = [{"run_spread": s, "runs": runs, **p} for p in points]
    write(name, of_runs(rows, measure, list(points[0]) if points else ()))
    return ["--spread", name]


def counts(text):
    return tuple(text.one(f"summary.{k}") for k in ("faster", "slower", "no_difference_seen", "without_verdict",
                                                    "only_in_a", "only_in_b"))
