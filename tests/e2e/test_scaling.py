# SPDX-License-Identifier: Apache-2.0
"""Farms of many destinations: credits that do not throttle them, bounds by credits that are named, report's answer for 100 and
1000 sources, against the simulation; intervals of slowdowns; pipelines of a model."""
import json
import re

import pytest
from netbench import close_to, equal, measure, named, ok, run, slow_but, write_result
from virtual import NETWORKS, gamma, one_way, send_interval

LOGGP = {"L_s": 1e-6, "o_s_s": 2e-7, "o_r_s": 2e-7, "g_s": 3e-7, "G_s_per_B": 1e-10}


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
    said = re.search(r"; bound by 16 credits, about (\d+) would suffice", done.whole)
    ok(done.rc == 0 and len(re.findall(r"  credits\s", done.out)) == 2 and said and 60 <= int(said[1]) <= 80, f"{number}: named", done)
    if said:
        done = run(*args, "--credits", said[1])
        ok("bound by" in done.out and "would suffice" not in done.out and len(re.findall(r"  destination\s", done.out)) == 2,
           f"{number}: with so many they do not bind", done)
    ok("would suffice" not in run(*args).out, f"{number}: nor by default")


def steady(number, *args, text):
    """The interval of events, s, without the first and the last ones."""
    few, many = (farm(number, *args, "-l", loops, "-o", f"{loops}.json", text=text)[1] for loops in (960, 2880))
    return [(b, (b["time_s"] - a["time_s"]) / (2880 - 960)) for a, b in zip(few, many)]


@pytest.mark.parametrize("number", ("2.1", "2.2"))
@pytest.mark.parametrize("text, p", slow_but(NETWORKS[:8], 0, 3))
def test_farms_with_and_without_the_bound_keep_the_pace_of_the_model(number, text, p, inside):
    """As netbench's model says it, and no less than the credits allow. For pulling the model is exact with one destination
    of four sources or more and credits enough, elsewhere a bound."""
    text = None if text == "default" else text
    for credits in (1, 2, 5, "auto"):
        got = steady(number, "--sources", "1,4", "--destinations", "1,3", "--sizes", "64,1024", "--occupation", "0,50",
                     "--credits", credits, text=text)
        model = measure("model", "--loggp", text or "L=1us,o=200,g=300,G=0.1", "--against", "2880.json")[1].rows
        bad = []
        for (row, interval), said in zip(got, model):
            S, D, k, t = (row[c] for c in ("sources", "destinations", "size_B", "occupation_s"))
            least = alone(p, number, k, S, t * 1e9) * 1e-9 / row["credits"]
            exact = number == "2.1" or S > 1 and D == 1 and credits == "auto"
            right = close_to(interval, said["model_s"]) if exact else interval > (1 - 1e-5) * said["model_s"]
            if not right or interval < least * (1 - 1e-5):
                bad.append((S, D, k, t, interval, said["model_s"], least))
        ok(len(got) == len(model) == 16 and not bad, f"{number}, {text}, {credits} credits: the model's pace", bad[:4])


def test_predictions_know_of_credits():
    row = measure("atlas-2.1", "-b", "sim", "--sources", 4, "--occupation", 0, "--sizes", 64, "--credits", 1, "--predict")[1].rows[0]
    ok(close_to(row["event_s"], row["model_s"]) and row["bound"] == "credits", "one event after the other", row)


@pytest.mark.parametrize("credits, pace", named((("enough", 64 / 2001), (16, 16 / 2004.8), (64, 64 / 2004.8))))
def test_a_model_takes_credits_into_account(credits, pace):
    """64 destinations that work 4 x 500 us an event, of which one that is alone takes 3 messages more."""
    rows = measure("model", "--loggp", "L=1us,o=200,g=300,G=0,P=69", "--pattern", "push-farm", "--destinations", 64, "--sizes",
                   64, "--occupation", "500us", "--credits", credits)[1].rows
    ok(len(rows) == 1 and close_to(rows[0]["frequency_model_Hz"], pace * 1e6), f"{credits} credits", rows)


@pytest.mark.parametrize("number", ("2.1", "2.2"))
def test_ranks_that_share_cores_are_not_bound_by_credits(number):
    """What all of them wait for is a core."""
    done, table = measure(f"atlas-{number}", "-b", "shm", "--sources", 4, "--destinations", 8, "--occupation", 50, "--sizes", 64,
                          "--pin", ",".join(13 * "0"), "--point-time", "100ms", timeout=60)
    ok(done.rc == 0 and table.rows and table.rows[0]["bound"] not in ("credits", "latency") and "would suffice" not in done.out,
       f"{number}: the processors", (table.rows, done))


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

    def column(number, occupation, name):
        row = next(r for r in rows if r[:3] == [number, "64", occupation])
        return row[heads.index(name, at[100])]

    def simulated(number, destinations, occupation, turns):
        return farm(number, "--sources", 100, "--destinations", destinations, "--occupation", occupation, "--sizes", 64, "-l",
                    turns * destinations)[1][0]["frequency_Hz"]

    enough = int(column("2.1", times[1], "100 sources").split("-")[1])
    most = hertz(column("2.1", times[1], "frequency"))
    equal(column("2.1", times[1], "bound by"), "supervisor", "with so many destinations they are not the bound")
    ok(close_to(simulated("2.1", enough, 50, 20), most, 0.06), "as simulated with so many", (enough, most))
    ok(simulated("2.1", enough // 2, 50, 20) < 0.52 * most, "with half of them half of it", (enough, most))
    equal(column("2.1", times[1], "for 100 kHz"), "-", "a supervisor that takes 30 us an event does not make 100 kHz")
    enough = int(column("2.2", times[1], "for 100 kHz"))
    ok(close_to(simulated("2.2", enough, 50, 4), 1e5, 0.02), "2.2 with as many as 100 kHz take", enough)


def pace(number, sources, destinations, credits, size=64):
    """Events a second, without those that fill and empty the farm."""
    time = [loops / farm(number, "--sources", sources, "--destinations", destinations, "--occupation", 0, "--sizes", size,
                         "--credits", credits, "-l", loops)[1][0]["frequency_Hz"] for loops in (200, 400)]
    return 200 / (time[1] - time[0])


@pytest.mark.parametrize("number, credits, bound, how", (
    ("2.1", "auto", "supervisor", "formula"), ("2.2", "auto", "supervisor", "at most"), ("2.1", 1, "credits", "simulated"),
    ("2.2", 2, "credits", "simulated")))
def test_a_farm_that_credits_limit_is_simulated_and_a_bound_is_called_so(number, credits, bound, how, inside):
    farm(number, "--sources", 4, "--occupation", 0, "--sizes", 64, "--credits", credits, "-o", "one.json")
    with open("one.json", encoding="utf-8") as f:
        record = {**json.load(f), "computed": False}
    record["summary"]["loggp"] = LOGGP
    write_result(".", "measured.json", record)
    heads, rows = tables(run("report", "measured.json").out, "### Result 1, farms by formula")
    first = heads.index("frequency")
    cell, by = rows[0][first:first + 2]
    equal((by, "at most " in cell, ", simulated" in cell), (bound, how == "at most", how == "simulated"), "bound by, and how it is known")
    said, simulated = hertz(re.sub("at most |, simulated", "", cell)), pace(number, 100, rows[0][first - 1].split("-")[1], credits)
    ok(close_to(simulated, said, 0.002) or (how == "at most" and 0.5 * said < simulated < said), "as simulated", (simulated, said))


def test_against_a_result_a_bound_is_called_so(inside):
    """Requests of several destinations of 2.2 may meet; credits may hold back any farm."""
    for number, args, remarks in (("2.2", ["--destinations", "1,3"], [None, "bound"]), ("2.1", ["--destinations", "1,3"], [None, None]),
                                  ("2.1", ["--credits", 1], ["bound"])):
        farm(number, "--sources", 4, "--occupation", 0, "--sizes", 64, *args, "-o", "one.json", "--overwrite")
        done, table = measure("model", "--loggp", "L=1us,o=200ns,g=300ns,G=0.1ns", "--against", "one.json")
        equal([r["remark"] for r in table.rows], remarks, f"{number} {args}")
        ok(all(r["measured_over_model"] > 1 - 1e-9 for r in table.rows), "none is faster than the model", table.rows)


# ---- slowdowns ----

def test_a_slowdown_has_an_interval_or_a_reason():
    done, table = measure("atlas-1.1", "-b", "tcp", "--tcp-wait", "block", "--sizes", "64", "--point-time", "100ms",
                          "--load", "none,both", timeout=60)
    row = table.rows[-1]
    bounds = [[row[f"{what}_slowdown{bound}"] for bound in ("_lo", "", "_hi")] for what in ("communication", "computing")]
    note = row["slowdown_note"] or ""
    some = "busy" in note or "no interval" in note or "none" in [r["ci_method"] for r in table.rows]     # they may be empty then
    ok(done.rc == 0 and all(x is not None and lo is not None and lo < x and (hi is None or x < hi) or some
                            for lo, x, hi in bounds), "the intervals hold the slowdowns", bounds)
    ok(0 < row["processor_share"] and ("busy" in note) == (row["processor_share"] < 0.9),
       "and the share of the processor is known", row)
    equal("no interval" in note, any(lo is None for lo, x, _ in bounds if x is not None), "without an interval it says so")
    ok(all(table.rows[0][c] is None for c in ("communication_slowdown_lo", "processor_share", "slowdown_note")),
       "without load there is none", table.rows[0])


def test_a_busy_machine_is_marked():
    """Two ranks on one processor, each with a computing task: neither has it for itself."""
    done = run("atlas-1.1", "-b", "tcp", "--tcp-wait", "block", "--sizes", "64", "--point-time", "100ms", "--load", "both",
               "--pin", "0,0", "--wide", timeout=60)
    ok(done.rc == 0 and "  busy" in done.out and "busy: some rank and its computing task got only" in done.out,
       "it is marked, and said below the table", done)


# ---- model ----

@pytest.mark.parametrize("P, want", ((9, {"4-2-1": 7, "6-2-1": 9, "9-3-1": None}), (13, {"4-2-1": 7, "6-2-1": 9, "9-3-1": 13}),
                                     (100, {"4-2-1": 98, "6-2-1": 99, "9-3-1": 91})))
def test_a_number_of_ranks_makes_the_pipelines_that_the_model_says(P, want):
    done, table = measure("model", "--loggp", f"L=1us,o=200ns,g=300ns,G=0.1ns,P={P}", "--pattern", "pipeline", "--sizes", "64",
                          "--occupation", "50us")
    got = {r["algorithm"]: r["ranks"] if r["model_s"] else None for r in table.rows}
    equal(got, want, f"P={P}: as many as they make")
    for row in table.rows:
        if not row["model_s"]:
            equal(row["remark"], "n/a: needs 13 ranks", f"P={P}: why not")
            continue
        simulated = farm("2.3", "--topology", row["algorithm"], "--ranks", row["ranks"], "--sizes", 64, "--occupation", 50, "-l",
                         2000)[1][0]
        ok(close_to(simulated["frequency_Hz"], row["frequency_model_Hz"], 2e-3), f"P={P}, {row['algorithm']}: as simulated",
           (simulated, row))
