# SPDX-License-Identifier: Apache-2.0
"""Farms of many destinations: credits that do not throttle them, bounds by credits that are named, report's answer for 100 and
1000 sources, against the simulation; intervals of slowdowns; pipelines of a model."""
import json
import re

import pytest
from netbench import close_to, equal, measure, named, ok, run, write_result
from virtual import NETWORKS, gamma, one_way, send_interval

LOGGP = {"L_s": 1e-6, "o_s_s": 2e-7, "o_r_s": 2e-7, "g_s": 3e-7, "G_s_per_B": 1e-10}
DEFAULT = NETWORKS[0][1]


# ---- credits ----

def alone(p, number, k, S, t):
    """ns of an event that is alone: messages one after the other, and the packets that follow the first."""
    _, o_s, o_r, _, _ = p
    follow = (S - 1) * max(send_interval(p, 16), gamma(p, k), o_r + t)
    asked = one_way(p, 16) if number == "2.2" else 0
    return 2 * one_way(p, 16) + asked + one_way(p, k) + t + follow


def farm(number, *args, text=None):
    sim = ["--sim", text] if text else []
    done, table = measure(f"atlas-{number}", "-b", "sim", *sim, *args, timeout=120)
    ok(done.rc == 0 and table.rows, f"{number} {' '.join(map(str, args))}", done)
    return done, table.rows


@pytest.mark.parametrize("number", ("2.1", "2.2"))
def test_farms_with_many_destinations_are_not_throttled(number):
    """64 destinations that work 4 x 500 us an event: 32 kHz, not 8."""
    args = ["--sources", 4, "--destinations", 64, "--occupation", 500, "--sizes", 64, "-l", 6400]
    rows = farm(number, *args)[1]
    pace = 64 / (4 * (500e-6 + 2e-7))
    ok(close_to(rows[0]["frequency_Hz"], pace, 0.02) and rows[0]["bound"] == "destination" and rows[0]["credits"] == 256,
       f"{number}: as fast as the destinations work", rows)
    equal([r["credits"] for r in farm(number, "--sources", 4, "--destinations", "1,4,5", "--occupation", 0, "--sizes", 64)[1]],
          [16, 16, 20], f"{number}: four for each, 16 at least")


@pytest.mark.parametrize("number", ("2.1", "2.2"))
def test_a_bound_by_credits_is_named(number):
    args = ["atlas-" + number, "-b", "sim", "--sources", 4, "--destinations", 64, "--occupation", 500, "--sizes", "64,1024"]
    done = run(*args, "--credits", 16)
    said = re.search(r"; bound by 16 credits, some (\d+) would do", done.out)
    ok(done.rc == 0 and done.out.count("  credits  ") == 2 and said and 60 <= int(said[1]) <= 80, f"{number}: named", done)
    if said:
        done = run(*args, "--credits", said[1])
        ok("bound by" in done.out and "would do" not in done.out and done.out.count("  destination  ") == 2,
           f"{number}: with so many they do not bind", done)
    ok("would do" not in run(*args).out, f"{number}: nor by default")


def steady(number, *args, text):
    """The interval of events, s, without the first and the last ones."""
    few, many = (farm(number, *args, "-l", loops, text=text)[1] for loops in (1000, 3000))
    return [(b, (b["time_s"] - a["time_s"]) / 2000) for a, b in zip(few, many)]


@pytest.mark.parametrize("number", ("2.1", "2.2"))
@pytest.mark.parametrize("network", named([("default", NETWORKS[0]), ("unlike", NETWORKS[3]), ("slow", NETWORKS[4])]))
def test_with_and_without_the_bound_as_in_closed_form(number, network, inside):
    """Both in the test and as netbench's model says it."""
    text, p = network
    text = None if text == "default" else text
    for credits in (1, 2, 5, "auto"):
        got = steady(number, "--sources", "1,4", "--destinations", "1,3", "--sizes", "64,1024", "--occupation", "0,50",
                     "--credits", credits, text=text)
        bad = []
        for row, interval in got:
            S, D, k, t = (row[c] for c in ("sources", "destinations", "size_B", "occupation_s"))
            one = measure("model", "--loggp", (text or "L=1us,o=200,g=300,G=0.1") + f",P={1 + S + D}", "--pattern",
                          "push-farm" if number == "2.1" else "pull-farm", "--destinations", D, "--sizes", k, "--occupation",
                          f"{t * 1e9:.0f}ns", "--credits", row["credits"])[1].rows[0]
            least = alone(p, number, k, S, t * 1e9) * 1e-9 / row["credits"]
            if not close_to(interval, one["model_s"], 1e-3) or interval < least * (1 - 1e-9):
                bad.append((S, D, k, t, interval, one["model_s"], least))
        ok(got and not bad, f"{number}, {network[0]}, {credits} credits: the model's pace", bad[:4])


# ---- report ----

def tables(text, heading):
    part = text.split(heading, 1)[-1]
    lines = re.search(r"(?:^\|.*\n)+", part, re.M)[0].splitlines()
    rows = [[c.strip() for c in x.strip("|").split("|")] for x in lines]
    return rows[0], rows[2:]


def hertz(text):
    value, unit = text.split()
    return float(value) * {"Hz": 1, "kHz": 1e3, "MHz": 1e6}[unit]


def test_report_says_how_many_destinations_the_occupation_asks_for(inside):
    done = run("atlas-all", "-b", "sim", "--sizes", "64,1024", "--ranks", 14, "-o", "few.json", timeout=120)
    with open("few.json", encoding="utf-8") as f:
        record = {**json.load(f), "computed": False}
    record["summary"]["loggp"] = LOGGP
    write_result(".", "measured.json", record)
    done = run("report", "measured.json")
    if not ok(done.rc == 0 and "### Result 1, farms by formula" in done.out, "there is a table of farms", done):
        return
    heads, rows = tables(done.out, "### Result 1, farms by formula")
    at = {n: [i for i, h in enumerate(heads) if h == f"{n} sources"][0] for n in (100, 1000)}
    points = [tuple(r[:3]) for r in rows]
    sizes, times = ["64", "1024"], ["0 s", "50.00 us", "500.0 us"]
    equal(sorted(points), sorted((b, k, t) for b, times_each in (("2.1", 1), ("2.2", 1), ("2.3", 3)) for k in sizes
                                 for t in times for _ in range(times_each)), "each benchmark, size and occupation")
    equal([r[at[100]] for r in rows if r[:3] == ["2.3", "64", "50.00 us"]], ["100-50-25", "96-32-16", "99-33-11"],
          "pipelines of 100 sources")
    for number, occupation, destinations in (("2.1", 50, 0), ("2.1", 500, -3), ("2.1", 0, 0)):
        row = next(r for r in rows if r[:2] == [number, "64"] and r[2].startswith(f"{occupation}{'.' if occupation else ' '}"))
        many, frequency = int(row[at[100]].split("-")[1]), hertz(row[at[100] + 1])
        got = farm(number, "--sources", 100, "--destinations", many, "--occupation", occupation, "--sizes", 64, "-l",
                   20 * many)[1][0]
        ok(close_to(got["frequency_Hz"], frequency, 0.06), f"{number}, {occupation} us: as simulated", (row, got))
        if many > 3:
            fewer = farm(number, "--sources", 100, "--destinations", many // 2, "--occupation", occupation, "--sizes", 64, "-l",
                         10 * many)[1][0]
            ok(fewer["frequency_Hz"] < 0.56 * frequency, f"{number}, {occupation} us: half of them are too few", fewer)


# ---- slowdowns ----

def test_slowdowns_have_intervals():
    done, table = measure("atlas-1.1", "-b", "tcp", "--tcp-wait", "block", "--sizes", "64", "--point-time", "100ms",
                          "--load", "none,both", timeout=60)
    row = table.rows[-1]
    bounds = [(row[f"{what}_slowdown_lo"], row[f"{what}_slowdown"], row[f"{what}_slowdown_hi"])
              for what in ("communication", "computing")]
    ok(done.rc == 0 and all(lo is not None and lo <= x and (hi is None or x <= hi) for lo, x, hi in bounds),
       "the intervals hold the slowdowns", bounds)
    ok(0 < row["processor_share"] and (row["slowdown_note"] == "busy") == (row["processor_share"] < 0.9),
       "and the share of the processor is known", row)
    ok(all(table.rows[0][c] is None for c in ("communication_slowdown_lo", "processor_share", "slowdown_note")),
       "without load there is none", table.rows[0])


def test_a_busy_machine_is_marked():
    """Two ranks on one processor, each with a computing task: neither has it for itself."""
    done = run("atlas-1.1", "-b", "tcp", "--tcp-wait", "block", "--sizes", "64", "--point-time", "100ms", "--load", "both",
               "--pin", "0,0", timeout=60)
    ok(done.rc == 0 and "  busy" in done.out and "busy: some rank and its computing task had as little as" in done.out,
       "it is marked, and said below the table", done)


# ---- model ----

@pytest.mark.parametrize("P, want", ((9, {"4-2-1": 7, "6-2-1": 9, "9-3-1": None}), (13, {"4-2-1": 7, "6-2-1": 9, "9-3-1": 13}),
                                     (100, {"4-2-1": 98, "6-2-1": 99, "9-3-1": 91})))
def test_the_pipelines_of_a_number_of_ranks(P, want):
    done, table = measure("model", "--loggp", f"L=1us,o=200ns,g=300ns,G=0.1ns,P={P}", "--pattern", "pipeline", "--sizes", "64",
                          "--occupation", "50us")
    got = {r["algorithm"]: r["ranks"] if r["model_s"] else None for r in table.rows}
    equal(got, want, f"P={P}: as many as they make")
    for row in table.rows:
        if not row["model_s"]:
            ok(row["remark"].startswith("n/a"), f"P={P}: why not", row)
            continue
        simulated = farm("2.3", "--topology", row["algorithm"], "--ranks", row["ranks"], "--sizes", 64, "--occupation", 50, "-l",
                         2000)[1][0]
        ok(close_to(simulated["frequency_Hz"], row["frequency_model_Hz"], 2e-3), f"P={P}, {row['algorithm']}: as simulated",
           (simulated, row))
