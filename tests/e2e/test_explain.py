# SPDX-License-Identifier: Apache-2.0
"""explain knows columns by the headings of the tables as well, and says which column is meant."""
import json
import pytest
from netbench import equal, ok, one_fault, run


@pytest.mark.parametrize("heading, column", [
    ("MSize", "size_B"), ("looplength", "loops"), ("comm x", "communication_slowdown"), ("comp x", "computing_slowdown"),
    ("half rtt", "half_rtt_p50_s"), ("HALF RTT", "half_rtt_p50_s"), ("meas/model", "measured_over_model"),
    ("time p50", "time_s"), ("time", "time_min_s"), ("B/s p50", "bandwidth_Bps"), ("bit/s p50", "bandwidth_Bps"), ("P(t)", "processors"),
])
def test_a_heading_of_one_column_is_defined(heading, column):
    done = run("explain", heading)
    equal((done.rc, done.err, done.out), (0, "", run("explain", column).out), "as by its name")


@pytest.mark.parametrize("heading, columns", [
    ("p99", {"half_rtt_p99_s": "latency", "interval_p99_s": "atlas"}),
    ("p90", {"half_rtt_p90_s": "latency", "interval_p90_s": "only"}),
    ("hi", {"event_hi_s": "atlas", "ratio_hi": "other"}),
    ("lo", {"time_lo_s": "beff", "half_rtt_p50_lo_s": "latency", "rate_lo_msgps": "msgrate", "event_lo_s": "atlas"}),
    ("B/s", {"bandwidth_max_Bps": "beff", "bandwidth_Bps": "bandwidth", "pattern_bandwidth_Bps": "beff"}),
    ("bit/s", {"bandwidth_max_Bps": "beff", "bandwidth_Bps": "bandwidth"}),
])
def test_a_heading_of_several_lists_them_with_their_commands(heading, columns):
    lines = run("explain", heading).out.splitlines()
    ok(lines[0].startswith(f"'{heading}' is the heading of these columns"), "they are listed", lines)
    found = {x.split()[0]: x for x in lines[1:]}
    for column, command in columns.items():
        ok(column in found and (command is None or command in found[column][30:].replace(",", "").split()),
           f"{column} in {command}", lines)
    for column in found:
        equal(run("explain", column).rc, 0, f"{column} is a column")


@pytest.mark.parametrize("name, word, says", [
    ("L", "latency", "how long a short message travels"), ("g", "gap (", "the least time between"), ("G", "gap per byte", "of a long message"),
    ("o", "overhead", "occupied by sending"), ("overhead", "overhead", "occupied by sending"), ("Overhead", "overhead", "occupied by sending"),
    ("latency", "latency", "without the overheads"), ("o_r", "receive overhead", "the receiver is occupied"), ("P", "processors", "are ranks"),
])
def test_a_parameter_of_loggp_is_defined(name, word, says):
    done = run("explain", name)
    ok(done.rc == 0 and word in done.out.splitlines()[0] and says in " ".join(done.out.split()), "by its letter or its word", done)
    ok(run("explain", "gap").out.startswith("gap_s (unit: s)"), "what heads a column is that column")


HEADINGS = {
    "beff": ["beff", "-b", "sim"], "latency": ["latency", "-b", "sim"], "bandwidth": ["bandwidth", "-b", "sim"],
    "msgrate": ["msgrate", "-b", "sim"], "hlrs": ["beff", "--rule", "hlrs", "-b", "sim"],
}


@pytest.mark.parametrize("name", HEADINGS)
def test_every_column_of_a_table_is_found_by_its_heading(place, name):
    """The headings are two blanks apart, and stand in the order of the record's columns."""
    done = run(*HEADINGS[name], "--sizes", "8", "--wide", "-o", place / "x.json")
    heads = [x.strip() for x in done.out.splitlines()[1].strip().split("  ") if x.strip()]
    names = [c["name"] for c in json.loads((place / "x.json").read_text())["columns"]]
    ok(len(heads) >= 3, "headings", heads)
    for head, column in zip(heads, names):
        out = run("explain", head).out
        ok(out.startswith(f"{column} (unit") or f"\n{column} " in out, f"'{head}' leads to {column}", out)


@pytest.mark.parametrize("typed, meant", [
    ("looplegnth", "'looplength'"), ("size_b", "'size_B'"), ("Msiz", "'MSize'"), ("bandwith_Bps", "'bandwidth_Bps'"), ("overhed", "'overhead'"),
])
def test_what_is_mistyped_is_suggested(typed, meant):
    done = run("explain", typed)
    ok(one_fault(done, 2, f"'{typed}'", f"did you mean {meant}?"), "suggested", done)


def test_what_is_nothing_is_refused():
    ok(one_fault(run("explain", ""), 2, "unknown column ''"), "no heading is empty")
    ok(one_fault(run("explain", "wombat wombat"), 2, "lists them"), "nor anything")
