# SPDX-License-Identifier: Apache-2.0
"""netbench compare: exact ratios of computed results, intervals and bootstraps of made-up ones, what is refused."""
import json
import math
import os
import random
import tempfile
from tap import Csv, close_to, equal, finish, number, ok, run

SLOW_NET, FAST_NET = "L=3us,o=1us,g=2us,G=1ns", "L=1us,o=200ns,g=300ns,G=0.1ns"
SIM = ["-b", "sim", "--sim"]

# Commands and options, the measure that they are compared by, and whether more of it is better.
COMMANDS = [
    (["latency", "--sizes", "0,8,64k"], "half_rtt_s", False),
    (["msgrate", "--sizes", "8,64", "--window", "1,16"], "rate_msgps", True),
    (["bandwidth", "--sizes", "8,64k", "--window", "1,16"], "bandwidth_Bps", True),
    (["beff", "-m", "4"], "bandwidth_Bps", True),
    (["beff", "-m", "4", "-n", "4", "--rule", "hlrs"], "pattern_bandwidth_Bps", True),
    (["atlas-1.1"], "event_s", False),
    (["atlas-1.4", "-n", "4,6"], "event_s", False),
    (["atlas-1.6", "-n", "3,5", "--algorithm", "linear,binomial"], "event_s", False),
    (["atlas-2.1", "-n", "8"], "frequency_Hz", True),
    (["atlas-2.3", "-n", "12"], "frequency_Hz", True),
    (["atlas-all", "-n", "14", "--sizes", "0,1k"], "event_s", False),
]

VERDICTS = ("faster", "slower", "no difference seen")


def write(place, name, record):
    with open(os.path.join(place, name), "w") as f:
        json.dump(record, f)


def load(place, name):
    with open(os.path.join(place, name)) as f:
        return json.load(f)


def compare(place, *args, a="a.json", b="b.json"):
    """(Done, Csv) of a comparison."""
    done = run("compare", a, b, *args, "-f", "csv", cwd=place)
    return done, Csv(done.out)


def counts(text):
    return tuple(text.one(f"summary.{k}") for k in ("faster", "slower", "no_difference_seen", "without_verdict",
                                                    "only_in_a", "only_in_b"))


# ---- computed results ----

def check_exact(name, text, a, b, measure, rate):
    """Every row of A, its ratio that of the values in the files."""
    values = [[r[measure] for r in x["rows"]] for x in (a, b)]
    rows = [(r, va, vb) for r, va, vb in zip(text.rows, *values) if va is not None]
    ok(rows and all(close_to(r["ratio"], vb / va, 1e-15) and r["ratio_lo"] == r["ratio"] == r["ratio_hi"]
                    for r, va, vb in rows), f"{name}: ratios are those of the values", rows[:3])
    ok(all(r["method"] == "exact" and r["remark"] is None for r, _, _ in rows), f"{name}: they are exact")
    want = ["slower" if (vb < va if rate else vb > va) else "faster" for _, va, vb in rows]
    equal([r["verdict"] for r, _, _ in rows], want, f"{name}: verdicts")
    equal(len(text.rows), len(a["rows"]), f"{name}: no point is left out")
    equal((text.one("computed"), text.one("summary.measure")), ("true", measure), f"{name}: what was compared")
    by = sorted((1 / r["ratio"] if rate else r["ratio"]) for r, _, _ in rows)
    worst, median = text.one("summary.worst_point.ratio"), text.one("summary.median_point.ratio")
    equal((1 / worst if rate else worst, 1 / median if rate else median), (by[-1], by[(len(by) - 1) // 2]),
          f"{name}: the worst point and that in the middle")


def computed(place):
    for args, measure, rate in COMMANDS:
        for name, net in (("a.json", FAST_NET), ("b.json", SLOW_NET)):
            done = run(*args, *SIM, net, "-o", name, cwd=place)
            ok(done.rc == 0, f"made: {done.args}", done)
        a, b = load(place, "a.json"), load(place, "b.json")
        done, text = compare(place)
        ok(done.rc == 0 and not done.faults, f"{args[0]}: compared", done)
        check_exact(args[0], text, a, b, measure, rate)
        done, text = compare(place, a="b.json", b="a.json")
        check_exact(f"{args[0]}, reversed", text, b, a, measure, rate)
        done, text = compare(place, b="a.json")
        ok(done.rc == 0 and not done.faults and
           {r["verdict"] for r in text.rows if r["ratio"]} == {"no difference seen"}, f"{args[0]}: with itself", done)


def model(place):
    for name, cards in (("a.json", 1), ("b.json", 2)):
        run("model", "--board", "520n", "-n", cards, "-m", "4", "-o", name, cwd=place)
    done, text = compare(place)
    equal(([r["ratio"] for r in text.rows], counts(text)), ([1.0] * 5, (0, 0, 5, 0, 0, 0)), "model: time of a message")
    done, text = compare(place, "--measure", "bandwidth_model_Bps")
    equal(([r["ratio"] for r in text.rows], counts(text)), ([2.0] * 5, (5, 0, 0, 0, 0, 0)), "model: another measure")


def in_cycles(place):
    for name, latency in (("a.json", 6), ("b.json", 12)):
        run("model", "--logp", f"L={latency},o=2,g=4,P=8", "-o", name, cwd=place)
    a, b = load(place, "a.json"), load(place, "b.json")
    done, text = compare(place)
    check_exact("LogP in cycles", text, a, b, "model_cycles", False)
    ok(done.rc == 0 and all(r["value_a_cycles"] < r["value_b_cycles"] for r in text.rows),
       "LogP in cycles: whatever k is the best", done)


def unmatched(place):
    for name, sizes, windows in (("a.json", "8,16,32", "1,4"), ("b.json", "16,32,64", "4,8")):
        run("msgrate", *SIM, FAST_NET, "--sizes", sizes, "--window", windows, "-o", name, cwd=place)
    done, text = compare(place)
    got = [(r["size_B"], r["window"], r["remark"], r["verdict"]) for r in text.rows]
    want = [(s, w, None if s > 8 and w == 4 else "only in A", "no difference seen" if s > 8 and w == 4 else None)
            for w in (1, 4) for s in (8, 16, 32)]
    want += [(s, w, "only in B", None) for w in (4, 8) for s in (16, 32, 64) if (s, w) not in ((16, 4), (32, 4))]
    equal(sorted(got, key=str), sorted(want, key=str), "points of one file only are rows with a remark")
    equal([r["remark"] for r in text.rows], sorted([r["remark"] for r in text.rows], key=lambda x: x == "only in B"),
          "those of B come last")
    equal((done.rc, counts(text)), (0, (0, 0, 2, 0, 4, 4)), "they are counted")
    ok(all((r["value_a_msgps"] is None) == (r["remark"] == "only in B") for r in text.rows), "with the value there is")
    run("msgrate", *SIM, FAST_NET, "--sizes", "7", "-o", "c.json", cwd=place)
    done, text = compare(place, b="c.json")
    ok(done.rc == 1 and done.faults == ["netbench: no point of 'a.json' is in 'c.json'"] and len(text.rows) == 7,
       "nothing in common", done)


# ---- made-up results ----

def row_of(size, value, samples=None, interval=None, **more):
    """A row of latency in units of its own: times are those of rounds of 10 loops."""
    lo, hi = interval or (None, None)
    row = {"size_B": size, "loops": 10, "half_rtt_s": value, "half_rtt_lo_s": lo, "half_rtt_hi_s": hi,
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


def median(x):
    s = sorted(x)
    return (s[len(s) // 2] + s[(len(s) - 1) // 2]) / 2


def drawn(rng, n, scale=1.0, sigma=0.05, rho=0.0):
    z, out = rng.gauss(0, 1), []
    for _ in range(n):
        z = rho * z + math.sqrt(1 - rho * rho) * rng.gauss(0, 1)
        out.append(scale * 1e-6 * math.exp(sigma * z))
    return out


def two(place, a_rows, b_rows, *args, **members):
    write(place, "a.json", record_of(a_rows))
    write(place, "b.json", record_of(b_rows, **members))
    return compare(place, *args)


def by_intervals(place):
    """Verdicts by whether the intervals overlap, and the bounds of the ratio from theirs."""
    base = (10.0, (9.0, 11.0))
    cases = [(13.0, (12.0, 14.0), "slower"), (7.0, (6.5, 8.0), "faster"), (10.0, (9.0, 11.0), "no difference seen"),
             (12.0, (10.9, 13.0), "no difference seen"), (8.0, (7.0, 9.1), "no difference seen"),
             (12.0, (11.0, 13.0), "no difference seen")]
    a = [row_of(i, base[0], interval=base[1]) for i in range(len(cases))]
    b = [row_of(i, v, interval=x) for i, (v, x, _) in enumerate(cases)]
    done, text = two(place, a, b)
    ok(done.rc == 0 and not done.err, "intervals: compared", done)
    equal([r["verdict"] for r in text.rows], [c[2] for c in cases], "intervals: verdicts")
    want = [(v / 10, lo / 11, hi / 9) for v, (lo, hi), _ in cases]
    ok(all(close_to(r["ratio"], w[0]) and close_to(r["ratio_lo"], w[1]) and close_to(r["ratio_hi"], w[2])
           for r, w in zip(text.rows, want)), "intervals: bounds", text.rows)
    equal({r["method"] for r in text.rows}, {"intervals"}, "intervals: the method is said")
    equal((text.one("summary.worst_point.point"), text.one("summary.median_point.point")), ("size_B 0", "size_B 2"),
          "intervals: points are named")


def by_other_columns(place):
    """A rate, whose interval is that of the time in other columns."""
    def rows(rate, time, lo, hi):
        return [{"size_B": 8, "loops": 1, "bandwidth_Bps": rate, "time_s": time, "time_lo_s": lo, "time_hi_s": hi}]

    names = ["size_B", "loops", "time_s", "time_lo_s", "time_hi_s", "bandwidth_Bps"]
    more = {"command": "beff", "definition": "beff.ring.v1", "columns": [{"name": n} for n in names]}
    write(place, "a.json", record_of(rows(100.0, 4.0, 3.9, 4.2), **more))
    write(place, "b.json", record_of(rows(50.0, 8.0, 7.6, 8.8), **more))
    done, text = compare(place)
    r = text.rows[0]
    ok(r["ratio"] == 0.5 and close_to(r["ratio_lo"], 3.9 / 8.8) and close_to(r["ratio_hi"], 4.2 / 7.6) and
       r["verdict"] == "slower", "a rate by the interval of the time", done)
    done, text = compare(place, "--measure", "time_s")
    equal((text.rows[0]["ratio"], text.rows[0]["verdict"]), (2.0, "slower"), "times of rounds of as many loops")
    write(place, "b.json", record_of([{**rows(50.0, 8.0, 7.6, 8.8)[0], "loops": 2}], **more))
    done, text = compare(place, "--measure", "time_s")
    equal((text.rows[0]["ratio"], text.rows[0]["remark"]), (None, "of rounds of 1 and 2 loops"), "and of others")


def by_bounds_of_rates(place):
    """Bounds of a rate are from the opposite bounds of the time."""
    names = ["size_B", "rate_msgps", "rate_lo_msgps", "rate_hi_msgps", "pair_rate_msgps"]
    more = {"command": "msgrate", "definition": "msgrate.window-reply.v1", "columns": [{"name": n} for n in names]}
    for name, values in (("a.json", (8, 100, 80, 110, 50)), ("b.json", (8, 150, 149, 160, 75))):
        write(place, name, record_of([dict(zip(names, values))], **more))
    for measure in ("rate_msgps", "pair_rate_msgps"):
        done, text = compare(place, "--measure", measure)
        r = text.rows[0]
        ok(close_to(r["ratio_lo"], 149 / 110) and close_to(r["ratio_hi"], 160 / 80) and r["verdict"] == "faster",
           f"bounds of rates: {measure}", done)


def points(place):
    """Every column that says which point it is tells rows apart."""
    for key, values in {"size_B": (8, 9), "window": (1, 2), "batch": (1, 2), "pairs": (1, 2), "ranks": (2, 4),
                        "sources": (3, 4), "stages": (1, 2), "destinations": (1, 2), "credits": (8, 9),
                        "pattern": ("ring 2", "ring 4"), "messages": (1, 9), "layout": ("block", "cyclic"),
                        "point_B": (8, 16), "receiver": (1, 2),
                        "occupation_s": (0.0, 5e-5), "benchmark": ("1.1", "1.2"), "peers": ("1", "2"),
                        "load": ("none", "both"), "algorithm": ("linear", "binary")}.items():
        rows = [{"size_B": 8, key: v, "event_s": t} for v, t in zip(values, (1.0, 3.0))]
        more = {"computed": True, "columns": [{"name": n} for n in {"size_B": 0, key: 0, "event_s": 0}]}
        write(place, "a.json", record_of(rows, **more))
        write(place, "b.json", record_of(rows[::-1], **more))
        done, text = compare(place)
        equal(([(r.get(key), r["ratio"]) for r in text.rows], done.err),
              ([(number(str(v)), 1.0) for v in values], ""), f"points differ in {key}")


def by_bootstrap(place):
    rng = random.Random(4)
    scales = [1, 1.1, 0.9, 1, 1.5, 0.5]
    sets = [(drawn(rng, 60), drawn(rng, 80, s)) for s in scales]
    a = [row_of(i, median(x), x) for i, (x, _) in enumerate(sets)]
    b = [row_of(i, median(x), x) for i, (_, x) in enumerate(sets)]
    done, text = two(place, a, b)
    ok(done.rc == 0 and {r["method"] for r in text.rows} <= {"bootstrap", "epochs"}, "bootstrap: compared", done)
    verdicts = [r["verdict"] for r in text.rows]
    equal([verdicts[i] for i in (1, 2, 4, 5)], ["slower", "faster"] * 2, "bootstrap: differences are seen")
    ok(all(r["ratio_lo"] <= r["ratio"] <= r["ratio_hi"] and 1 < r["ratio_hi"] / r["ratio_lo"] < 1.15
           for r in text.rows), "bootstrap: intervals around the ratio, as wide as the scatter lets expect", text.rows)
    equal(compare(place)[0].out.split("\nsize_B")[1], done.out.split("\nsize_B")[1], "bootstrap: the same each time")
    done, text = compare(place, b="a.json")
    equal({(r["verdict"], r["ratio"]) for r in text.rows}, {("no difference seen", 1.0)}, "bootstrap: with itself")
    del a[0]["samples"]
    a[0].update(half_rtt_lo_s=0.9 * a[0]["half_rtt_s"], half_rtt_hi_s=1.1 * a[0]["half_rtt_s"])
    b[0].update(half_rtt_lo_s=0.9 * b[0]["half_rtt_s"], half_rtt_hi_s=1.1 * b[0]["half_rtt_s"])
    done, text = two(place, a, b)
    equal(text.rows[0]["method"], "intervals", "samples of one file alone are of no use")


def by_epochs(place):
    """Repetitions that depend on one another: wider intervals, and it is said."""
    rng = random.Random(5)
    x, y, z = drawn(rng, 400, rho=0.8), drawn(rng, 400, rho=0.8), drawn(rng, 10, rho=0.99)
    alone = [median(x), median(y)]
    done, text = two(place, [row_of(8, alone[0], x)], [row_of(8, alone[1], y)])
    wide = text.rows[0]
    equal(wide["method"], "epochs", "dependent repetitions: the method")
    rng.shuffle(x)
    rng.shuffle(y)
    done, text = two(place, [row_of(8, alone[0], x)], [row_of(8, alone[1], y)])
    narrow = text.rows[0]
    ok(narrow["method"] == "bootstrap" and wide["ratio"] == narrow["ratio"] and
       wide["ratio_hi"] / wide["ratio_lo"] - 1 > 2 * (narrow["ratio_hi"] / narrow["ratio_lo"] - 1),
       "dependent repetitions: the interval", (wide, narrow))
    few = row_of(8, median(z), sorted(z), (min(z), max(z)), time_acf1=0.6)
    done, text = two(place, [few], [few])
    ok(text.rows[0]["method"] is None and text.rows[0]["ratio_lo"] is None and not done.err and
       text.rows[0]["remark"] == "no interval in A: repetitions depend on one another, and are too few for epochs",
       "too few for epochs: no interval, and it is said", done)
    del few["samples"]
    done, text = two(place, [few], [few])
    ok(text.rows[0]["method"] == "intervals" and "depend on one another" in done.err and len(done.warnings) == 1,
       "an old result without samples: intervals, and a warning", done)


def against_model(place):
    """A measured result beside a computed one: the latter is exact."""
    exact = record_of([row_of(8, 2.0), row_of(16, 1.0), row_of(32, 1.0)], computed=True)
    rng = random.Random(6)
    x = [1e6 * v for v in drawn(rng, 50)]
    write(place, "b.json", exact)
    write(place, "a.json", record_of([row_of(8, 1.0, interval=(0.9, 1.2)), row_of(16, 1.0, interval=(0.9, 1.2)),
                                      row_of(32, median(x), x)]))
    done, text = compare(place)
    got = [(r["verdict"], r["method"]) for r in text.rows]
    equal((got[0], got[1][0]), (("slower", "intervals"), "no difference seen"), "measured against computed")
    ok(close_to(text.rows[0]["ratio_lo"], 2 / 1.2) and close_to(text.rows[0]["ratio_hi"], 2 / 0.9),
       "with the interval of the one", text.rows[0])
    ok(got[2][1] in ("bootstrap", "epochs"), "or its bootstrap", got)
    equal(text.meta["warning"], ["B is computed, A is measured"], "and said")
    equal(text.one("computed"), "false", "not taken for computed")


def no_verdict(place):
    """What has no verdict, and why; it is listed and counted."""
    good = row_of(0, 1.0, interval=(0.9, 1.1))
    cases = [
        (row_of(1, 1.0), good, "no interval in A: repetitions are too few or not kept"),
        (good, row_of(1, 1.0), "no interval in B: repetitions are too few or not kept"),
        (row_of(1, 1.0, [1.0] * 5), row_of(1, 1.0, [1.0] * 9), "no interval in A: repetitions are too few or not kept"),
        (row_of(1, None, note="n/a: 3\x1b[1m"), good, "no value in A: n/a: 3?[1m"),
        (good, row_of(1, None), "no value in B"),
        (good, row_of(1, 0.0), "no value in B"),
        (good, row_of(1, "much"), "no value in B"),
        ({**good, "errors": 3}, good, "wrong content in A"),
        (good, {**good, "errors": 1}, "wrong content in B"),
    ]
    for i, (a, b, _) in enumerate(cases):
        cases[i] = ({**a, "size_B": i}, {**b, "size_B": i}, cases[i][2])
    done, text = two(place, [c[0] for c in cases], [c[1] for c in cases])
    equal([r["remark"] for r in text.rows], [c[2] for c in cases], "no verdict: why")
    equal((done.rc, counts(text), {r["verdict"] for r in text.rows}), (0, (0, 0, 0, len(cases), 0, 0), {None}),
          "no verdict: they are counted")
    done, text = compare(place, "--measure", "half_rtt_p99_s", "--fail-if", "slower:5%")
    equal((done.rc, done.faults), (1, ["netbench: '--fail-if' cannot be checked: no point has a verdict"]),
          "no verdict: a limit cannot be kept")
    equal({r["remark"] for r in text.rows if r["ratio"]}, {"half_rtt_p99_s has no interval"}, "no verdict: a quantile")


def alike(place):
    rows = [row_of(8, v, interval=(0.99 * v, 1.01 * v)) for v in (1.0, 2.0, 4.0)]
    done, text = two(place, rows, rows[:2])
    equal([(r["ratio"], r["remark"]) for r in text.rows], [(1, None), (1, None), (None, "only in A")],
          "rows that are alike are taken in their order")
    ok(len(done.warnings) == 1 and "3 rows are of the same point" in done.err, "and it is said", done)
    done, text = two(place, rows[:1], [{**rows[0], "size_B": 8.0}])
    equal(text.one("summary.no_difference_seen"), 1, "8 and 8.0 are the same size")


# ---- what differs besides ----

def changed(record, path, value):
    new = json.loads(json.dumps(record))
    at = new
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return new


def surroundings(place):
    rows = [row_of(8, 1.0, interval=(0.9, 1.1))]
    base = record_of(rows)
    write(place, "a.json", base)
    cases = [
        (["environment", "host", "kernel"], "l", "different host: kernel 'k', 'l'"),
        (["environment", "cpu", "model"], "n", "different cpu: model 'm', 'n'"),
        (["environment", "cpu", "model"], None, "different cpu: model 'm', unknown"),
        (["environment", "netbench", "version"], "2", "different netbench: version '1', '2'"),
        (["environment", "backend", "name"], "tcp", "different backend: name 'shm', 'tcp'"),
        (["environment", "timer", "name"], "raw", "different timer: name 'tsc', 'raw'"),
        (["environment", "nranks"], 4, "different nranks: 2, 4"),
        (["environment", "ranks", 1, "bound"], 3, "different ranks: 1.bound 1, 3"),
        (["environment", "ranks", 1, "host"], "beta", "different ranks: 1.host 'alpha', 'beta'"),
        (["options", "ci"], 0.1, "different options: ci 5.0, 0.1"),
        (["options", "sizes"], [8, 16], "different options: sizes [8], [8,16]"),
        (["status"], "interrupted", "B is not complete: its status is 'interrupted'"),
        (["warnings"], ["others used 1 core"], "B: others used 1 core"),
    ]
    for path, value, want in cases:
        write(place, "b.json", changed(base, path, value))
        done, text = compare(place)
        equal((done.err, text.meta.get("warning")), (f"netbench: warning: {want}\n", [want]), f"warned of: {want}")
    for path, value in ((["environment", "time", "start"], "2027"), (["environment", "load", "average_1min"], 9.0),
                        (["environment", "netbench", "command_line"], "y"), (["environment", "ranks", 0, "pid"], 99),
                        (["environment", "ranks", 0, "cpu"], 5), (["options", "output"], ["y", "z"]),
                        (["environment", "host", "new"], "x"), (["options", "new"], 3)):
        write(place, "b.json", changed(base, path, value))
        equal(compare(place)[0].err, "", f"not warned of: {'.'.join(map(str, path))}")
    new = changed(base, ["environment", "host", "name"], "beta")
    for i in (0, 1):
        new = changed(new, ["environment", "ranks", i, "host"], "beta")
    write(place, "b.json", changed(new, ["environment", "host", "kernel"], "l"))
    done, text = compare(place)
    equal(done.warnings, ["netbench: warning: different host: name 'alpha', 'beta'; kernel 'k', 'l'"],
          "each difference once")
    done = run("compare", "a.json", "b.json", "-q", "-o", "c.json", cwd=place)
    new = load(place, "c.json")
    equal((done.err, new["environment"]["differences"]),
          ("", {"host.name": ["alpha", "beta"], "host.kernel": ["k", "l"]}), "with -q it is in the record alone")
    equal((new["environment"]["a"]["file"], new["environment"]["b"]["file"], new["environment"]["command"]),
          ("a.json", "b.json", "latency"), "the record names the files")


# ---- the exit status ----

def limits(place):
    a = [row_of(s, 1.0, interval=i) for s, i in ((8, (0.99, 1.01)), (16, (0.99, 1.01)), (32, (0.5, 2.0)))]
    b = [row_of(s, v, interval=(v - by, v + by)) for s, v, by in ((8, 1.05, 0.01), (16, 1.1, 0.01), (32, 1.9, 0.1))]
    slow, fast = ("a.json", "b.json"), ("b.json", "a.json")
    two(place, a, b)
    cases = [
        (slow, "slower:5%", 1, ["2 points are slower by 5 %", "the worst 'size_B 16' by 10 %", "B/A 1.1 (1.079 to 1.121)"]),
        (slow, "slower:1.05", 1, ["2 points are slower"]),
        (slow, "slower:7.5%", 1, ["1 point is slower", "'size_B 16'"]),
        (slow, "slower:10%", 1, ["1 point is slower"]), (slow, "slower:10.1%", 0, []), (slow, "slower:1.2", 0, []),
        (slow, "slower:0%", 1, ["2 points"]), (slow, "faster:1%", 0, []), (slow, "slower:90%,faster:1", 0, []),
        (fast, "faster:5%", 1, ["2 points are faster by 5 %", "the worst 'size_B 16' by 10 %"]), (fast, "slower:0%", 0, []),
        (fast, "slower:50%,faster:7%", 1, ["1 point is faster by 7 %"]),
    ]
    for (x, y), limit, rc, words in cases:
        done, text = compare(place, "--fail-if", limit, a=x, b=y)
        ok(done.rc == rc and len(done.faults) == rc and all(w in done.err for w in words) and len(text.rows) == 3 and
           text.status == "complete", f"{limit} of {x}, {y}: exit {rc}", done)
    done, text = two(place, a, b[:2] + [row_of(64, 9.0, interval=(8.0, 10.0))], "--fail-if", "slower:20%")
    equal(done.rc, 0, "points of one file only fail nothing")


def refused(place):
    good = record_of([row_of(8, 1.0, interval=(0.9, 1.1))])
    write(place, "a.json", good)
    write(place, "b.json", good)
    write(place, "command", {**good, "command": "msgrate"})
    write(place, "definition", {**good, "definition": "latency.half-rtt.v2"})
    write(place, "bare", {**good, "columns": [{"name": "size_B"}]})
    write(place, "list", [])
    with open(os.path.join(place, "half"), "w") as f:
        f.write(json.dumps(good)[:300])
    ab = ["a.json", "b.json"]
    cases = [
        ([], ["two results", "0 files given"]), (["a.json"], ["two results", "1 file given"]),
        (ab + ab[:1], ["3 files given"]),
        (["a.json", "missing"], ["cannot read 'missing'"]), (["missing", "a.json"], ["cannot read 'missing'"]),
        (["a.json", "half"], ["'half'", "cut short"]), (["list", "a.json"], ["'list' is not a netbench result"]),
        (["a.json", "."], ["'.'"]),
        (["a.json", "command"], ["another command", "'latency'", "'msgrate'"]),
        (["definition", "a.json"], ["another definition", "'latency.half-rtt.v1'", "'latency.half-rtt.v2'"]),
        (["a.json", "bare"], ["'latency'", "--measure"]),
        (ab + ["--measure", "nonsense"], ["'nonsense'", "explain"]), (ab + ["--measure", "stop"], ["'stop'", "cannot be compared"]),
        (ab + ["--measure", "size_B"], ["'size_B'"]), (ab + ["--measure", "occupation_s"], ["'occupation_s'"]),
        (ab + ["--measure", "rate_msgps"], ["'a.json' has no column 'rate_msgps'"]),
        (ab + ["--fail-if", "slower"], ["'slower'", "--fail-if"]), (ab + ["--fail-if", "slower:"], ["'slower:'"]),
        (ab + ["--fail-if", "slower:much"], ["'slower:much'"]), (ab + ["--fail-if", "slower:-5%"], ["'slower:-5%'"]),
        (ab + ["--fail-if", "slower:0.05"], ["'slower:0.05'", "factor of 1 or more"]),
        (ab + ["--fail-if", "slower:nan"], ["'slower:nan'"]), (ab + ["--fail-if", "slower:%"], ["'slower:%'"]),
        (ab + ["--fail-if", "worse:5%"], ["'worse:5%'"]), (ab + ["--fail-if", ""], ["''"]),
        (ab + ["--fail-if", "slower:5%,"], ["''"]),
        (ab + ["--fail-if", "slower:5%,slower:6%"], ["'slower' is given twice"]),
        (ab + ["-o", "b.json"], ["'b.json'", "--output"]), (ab + ["-o", "./a.json"], ["'./a.json'"]),
        (ab + ["-o", "x.xml"], ["'x.xml'"]), (ab + ["--wombat"], ["'--wombat'"]),
    ]
    before = sorted(os.listdir(place))
    for args, words in cases:
        done = run("compare", *args, cwd=place)
        ok(done.rc == 2 and done.err.count("\n") == 1 and not done.out and all(w in done.err for w in words) and
           sorted(os.listdir(place)) == before, f"refused: {args}", done)
    equal((load(place, "a.json"), load(place, "b.json")), (good, good), "what was compared is as it was")
    with open("/dev/full", "w") as full:
        equal(run("compare", *ab, cwd=place, stdout=full).rc, 1, "output that cannot be written")


# ---- all the rest ----

def outputs(place):
    """Table, CSV, JSON and a report of it."""
    rows = [row_of(8, 1e-6, interval=(0.9e-6, 1.1e-6)), row_of(16, 2e-6, interval=(1.9e-6, 2.1e-6))]
    two(place, rows, [row_of(8, 2e-6, interval=(1.9e-6, 2.1e-6)), rows[1]])
    done = run("compare", "a.json", "b.json", "-o", "x.json", "-o", "x.csv", "-o", "x.txt", cwd=place)
    with open(os.path.join(place, "x.txt")) as f:
        equal(f.read(), done.out, "the same table in a file")
    words = ("1.000 us", "2.000 us", "slower", "no difference seen", "A = a.json", "median point: size_B 16",
             "worst point: size_B 8", "1 slower")
    ok(all(w in done.out for w in words) and "mean" not in done.out, "the table", done)
    record = load(place, "x.json")
    with open(os.path.join(place, "x.csv")) as f:
        text = Csv(f.read())
    equal(text.rows, record["rows"], "CSV and JSON have the same rows")
    equal([c["name"] for c in record["columns"]], text.columns, "and columns")
    known = run("explain", *text.columns)
    ok(known.rc == 0, "which are explained", known)
    done = run("report", "x.json", cwd=place)
    ok(done.rc == 0 and "no difference seen" in done.out, "a report of it", done)
    done = run("compare", "x.json", "x.json", cwd=place)
    ok(done.rc == 2 and "no main measure" in done.err, "comparisons are not compared", done)


def odd_values(place):
    """No value of any type where another is expected brings it down."""
    for value in (None, True, -7, 1e300, "text", [], [1, [2]], {}, {"a": {"b": None}}):
        row = {k: value for k in row_of(8, 1.0)}
        rows = [row, {**row, "samples": {"time_s": value}}, {**row, "samples": value}, {}]
        new = record_of(rows, status=value, warnings=value)
        new["options"] = {k: value for k in new["options"]}
        new["environment"] = {k: value for k in new["environment"]}
        write(place, "a.json", new)
        write(place, "b.json", record_of([row_of(8, 1.0, [1.0] * 7)], environment={}, options={}))
        for a, b in (("a.json", "b.json"), ("b.json", "a.json"), ("a.json", "a.json")):
            done = run("compare", a, b, cwd=place)
            ok(done.rc in (0, 1, 2) and len(done.faults) == (done.rc != 0), f"all values {value!r}: {a}, {b}", done)
    write(place, "a.json", record_of([]))
    done = run("compare", "a.json", "a.json", cwd=place)
    ok(done.rc == 1 and len(done.faults) == 1, "no rows", done)


def measured(place):
    """The same measured twice: how much of a difference is seen is for the machine to say."""
    for name in ("a.json", "b.json"):
        run("latency", "--sizes", "0,64,4k", "--point-time", "60ms", "--samples", "-o", name, cwd=place)
    done, text = compare(place)
    ok(done.rc == 0 and len(text.rows) == 3 and not any(w for w in done.warnings if "different" in w),
       "measured twice: nothing differs but the numbers", done)
    ok(all((r["verdict"] in VERDICTS) == (r["remark"] is None) for r in text.rows), "measured twice: verdicts",
       text.rows)
    ok(sum(counts(text)) == 3, "measured twice: all are counted", counts(text))


with tempfile.TemporaryDirectory() as there:
    for check in (computed, model, in_cycles, unmatched, by_intervals, by_other_columns, by_bounds_of_rates, points,
                  by_bootstrap, by_epochs, against_model, no_verdict, alike, surroundings, limits, refused, outputs, odd_values,
                  measured):
        for left in os.listdir(there):
            os.remove(os.path.join(there, left))
        check(there)
finish()
