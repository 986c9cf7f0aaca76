# SPDX-License-Identifier: Apache-2.0
"""netbench report of results of map: verdicts first, what --fail-if said, the slowest hosts, the heat map, and pairs."""
import os
import re
import shutil
import subprocess

import pytest
from netbench import equal, ok, run, write_result

RESULTS = {
    "slow": ["map", "-b", "sim", "-n", "12", "--sim-fault", "host:2,send,0.7"],
    "healthy": ["map", "-b", "sim", "-n", "5"],
}
VERDICT = "n2 is 30 % slower (29.3 to 30.3 %) than its peers, sending"


def report_of(*args):
    """(text, {heading: its text})"""
    done = run("report", *args)
    ok(done.rc == 0 and not done.err, "reported", done)
    parts = re.split(r"^##+ (.*)\n", done.out, flags=re.M)
    return done.out, dict(zip(parts[1::2], parts[2::2]))


def table_of(text, head):
    """Rows of the first table that has this heading."""
    lines = text[text.index(f"| {head} |"):].split("\n\n")[0].splitlines()
    return [[c.strip() for c in line.split("|")[1:-1]] for line in lines[2:]]


def test_the_summary_says_the_verdicts(records):
    _, parts = report_of("slow.json")
    said = parts["Summary"]
    ok(f"  * bandwidth: **{VERDICT}** (certain, persistent)" in said, "the verdict", said)
    ok("bandwidth: no other host or pair is named; slowest hosts: n2 30 %, " in said, "slowest hosts", said)
    ok("latency: no host differs by more than 5 %, no pair by more than 8 %; slowest hosts: " in said, "of the other quantity", said)
    ok("bandwidth: median **9.913 GB/s**, half of the pairs 9.913 GB/s to 9.913 GB/s, the slowest 6.957 GB/s, from n2 to " in said and
       "half round trip: median **1.401 us**" in said, "medians", said)


def test_of_a_healthy_network_it_is_told_what_would_have_been_seen(records):
    _, parts = report_of("healthy.json")
    ok("bandwidth: no host differs by more than 5 %, no pair by more than 8 %" in parts["Summary"] and "FAIL" not in parts["Summary"], "healthy", parts["Summary"])


def test_no_verdict_says_why(records):
    summary = dict(records["healthy"]["summary"], judged=[{"quantity": "bandwidth", "no_verdict": "half of the hosts or more differ"}])
    write_result(".", "x.json", {**records["healthy"], "summary": summary})
    ok("bandwidth: **no verdict**: half of the hosts or more differ" in report_of("x.json")[1]["Summary"], "why")


@pytest.mark.parametrize("value", (None, 7, "text", [], {}, [7], ["text"], [{}]))
def test_values_of_any_type_where_another_is_expected(value, records):
    for name in ("verdicts", "judged", "hosts", "bandwidth_median_Bps", "bandwidth_slowest_pair"):
        summary = dict(records["slow"]["summary"], **{name: value})
        write_result(".", "x.json", {**records["slow"], "summary": summary, "options": {"fail-if": value}})
        text, _ = report_of("x.json")
        ok("nan" not in text.split("## Results")[0], name, text[:900])
        ok(run("plot", "x.json", "--script").rc == 0, f"drawn: {name}")


@pytest.mark.parametrize("limits, verdicts", (
    ("host:10%", ["FAIL"]), ("host_send", ["FAIL"]), ("host:40%", ["PASS"]), ("host_receive:6%", ["PASS"]), ("host:1us", ["PASS"]),
    ("host:10%,pair:10%,group", ["FAIL", "PASS", "PASS"])))
def test_limits_of_map_are_requirements_of_the_report(limits, verdicts, records):
    """As map judges by --fail-if."""
    done = run("map", "--from", "slow.json", "--fail-if", limits, "-o", "x.json")
    _, parts = report_of("x.json")
    rows = table_of(parts["Summary"], "verdict")
    equal([r[0].strip("*") for r in rows], verdicts, "each")
    equal("FAIL" in verdicts, done.rc == 1, "as map ended")
    equal([r[1] for r in rows], [f"map: no {one}" for one in limits.split(",")], "what was required")
    ok(all(("n2 is " in r[2]) == ("FAIL" in r[0]) and (r[2] == "none") == ("PASS" in r[0]) for r in rows), "what was found", rows)


@pytest.mark.parametrize("limits, found", (
    ("pair:6%", "so small an effect would not have been named"), ("host:1us,pair:6%", "so small an effect would not have been named")))
def test_a_limit_that_map_cannot_tell_is_not_passed(limits, found, records):
    done = run("map", "--from", "healthy.json", "--fail-if", limits, "-o", "x.json")
    equal(done.rc, 4, "map itself cannot tell")
    rows = table_of(report_of("x.json")[1]["Summary"], "verdict")
    equal([r[0].strip("*") for r in rows][-1], "cannot be judged", "nor does the report")
    equal(rows[-1][2], found, "it says why")


def test_hosts_and_pairs_are_in_tables(records):
    text, parts = report_of("slow.json")
    tables = next(t for h, t in parts.items() if h.startswith("Result 1, map"))
    hosts = table_of(tables, "host")
    ok(hosts[0] == ["n2", "30 %"] and len(hosts) == 12, "hosts, the slowest first", hosts)
    equal(len(table_of(tables, "from")), 132, "all pairs")
    ok("verdicts: kind" not in text and "* visits: 3" in text, "the rest of the summary", tables[-900:])


def test_of_many_pairs_the_slowest_are_shown(records):
    """And those that failed."""
    base = records["slow"]
    rows = [{**base["rows"][0], "sender": i, "receiver": j, "sender_host": f"n{i}", "receiver_host": f"n{j}", "samples": None,
             "bandwidth_Bps": 1e9 + 1e6 * i + j, "note": None} for i in range(40) for j in range(40) if i != j]
    rows[-1].update(bandwidth_Bps=None, half_rtt_epoch_s=None, note="no answer")
    rows[-2].update(bandwidth_Bps=None, half_rtt_epoch_s=None, note="not measured")
    write_result(".", "x.json", {**base, "rows": rows})
    text, parts = report_of("x.json")
    shown = table_of(next(t for h, t in parts.items() if h.startswith("Result 1, map")), "from")
    ok("The table has the slowest of 1560 ordered pairs; the file has all." in text, "it says so")
    equal((len(shown), {r[0] for r in shown[:99]}, shown[-1][2:4]), (100, {"0", "1", "2"}, ["n39", "n38"]), "which")


@pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot")
def test_the_page_has_the_heat_map(records):
    done = run("report", "--html", "x.html", "slow.json")
    with open("x.html", encoding="utf-8") as f:
        page = f.read()
    ok(done.rc == 0 and page.count('<figure class="map">') == 1 and "of all pairs of 12 hosts" in page, "the picture", done)
    ok(page.index("<figure ") < page.index(">Summary</h2>") and f'<strong class="fail">{VERDICT}</strong>' in page, "before the summary, which has the verdict")
    ok("figure:not(.map) svg { filter: invert(1)" in page, "dark stays slow on a dark page")
    ok("img-src data:;" in page, "pictures within pictures may be shown")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("gnuplot") or not shutil.which("chromium"), reason="no gnuplot, or no chromium")
def test_a_browser_shows_images_of_many_pairs(records):
    base = records["slow"]
    rows = [{**base["rows"][0], "sender_host": f"n{i}", "receiver_host": f"n{j}", "samples": None,
             "bandwidth_Bps": 1e9 if i == 7 else 2e9} for i in range(70) for j in range(70) if i != j]
    write_result(".", "x.json", {**base, "rows": rows})
    run("report", "--html", "x.html", "x.json")
    with open("x.html", encoding="utf-8") as f:
        ok(f.read().count("<image ") == 2, "images")
    done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                           f"--user-data-dir={os.getcwd()}/profile", "--screenshot=x.png", f"file://{os.getcwd()}/x.html"],
                          capture_output=True, timeout=120, text=True, errors="replace")
    ok(done.returncode == 0 and "CONSOLE" not in done.stderr, "nothing on the console", done.stderr[-500:])
