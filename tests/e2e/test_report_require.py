# SPDX-License-Identifier: Apache-2.0
"""netbench report: what is required stands first, with PASS or FAIL, and makes the exit status."""
import json
import re

import pytest
from netbench import equal, make_results, named, ok, run, write_result

SIM = ["-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"]
RESULTS = {
    "latency": ["latency", *SIM, "--sizes", "8,64"],            # 1.4007 and 1.4063 us
    "both": ["bandwidth", *SIM, "--sizes", "1M", "--bidirectional"],
    "beff": ["beff", *SIM, "-m", "4"],
    "check": ["check", *SIM, "--require", "latency.half_rtt_p50_s size=8 <= 2us", "--require", "msgrate.rate_msgps >= 1k"],
}


@pytest.fixture(scope="module")
def place(shared_place):
    make_results(shared_place, RESULTS)
    return shared_place


def table_of(text):
    """(what is said of all, rows) of a report in Markdown."""
    said = re.search(r"^## Summary\n\n(\*\*.*)$", text, re.M)
    rows = [[cell.strip().replace("\\", "") for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| **")]
    return said and said[1], rows


@pytest.mark.parametrize("required, status, said, rows", named((
    (["latency.half_rtt_p50_s size=8 <= 2us"], 0, "**PASS**: of 1 requirement 1 is met, 0 not.",
     [["**PASS**", "latency.half_rtt_p50_s size=8 <= 2us", "1.401 us", "Result 1"]]),
    (["latency.half_rtt_p50_s <= 1.405us"], 1, "**FAIL**: of 1 requirement 0 are met, 1 not.",      # at 64 B it fails
     [["**FAIL**", "latency.half_rtt_p50_s <= 1.405us", "1.406 us", "Result 1"]]),
    (["both-ways.bandwidth_Bps >= 1G", "beff.b_eff_Bps >= 1"], 0, "**PASS**: of 2 requirements 2 are met, 0 not.",
     [["**PASS**", "both-ways.bandwidth_Bps >= 1G", r"[\d.]+ GB/s", "Result 2"], ["**PASS**", "beff.b_eff_Bps >= 1", r"[\d.]+ MB/s", "Result 3"]]),
    (["bandwidth.bandwidth_Bps >= 1G"], 4, "**cannot be judged**: of 1 requirement 0 are met, 0 not, 1 cannot be judged.",
     [["**cannot be judged**", "bandwidth.bandwidth_Bps >= 1G", "not measured", ""]]))))
def test_what_is_required_of_results_decides_the_exit_status(required, status, said, rows, place):
    done = run("report", "latency.json", "both.json", "beff.json", *[x for r in required for x in ("--require", r)], cwd=place)
    got, table = table_of(done.out)
    equal((done.rc, got), (status, said), f"{required}")
    ok(len(table) == len(rows) and all(cell == want or re.fullmatch(want, cell) for row, wanted in zip(table, rows)
                                       for cell, want in zip(row, wanted)), "each in a row", table)
    equal(len(done.err.splitlines()), int(status > 0), "one line says it")


def test_what_check_says_of_itself(place):
    done = run("report", "latency.json", "check.json", cwd=place)
    equal((done.rc, table_of(done.out)[0], [(r[0], r[3]) for r in table_of(done.out)[1]]),
          (0, "**PASS**: of 2 requirements 2 are met, 0 not.", [("**PASS**", "Result 2")] * 2), "without being asked")
    record = json.loads((place / "check.json").read_text())
    record["summary"]["requirements"][1]["verdict"] = "fail"
    record["summary"]["promise"] = {"of": "<b>", "Bps": 2e9, "least_share": 0.8, "value_Bps": 1.5e9, "verdict": "unclear"}
    write_result(place, "other.json", record)
    done = run("report", "other.json", cwd=place)
    said, table = table_of(done.out)
    equal((done.rc, said, [r[0] for r in table]),
          (0, "**FAIL**: of 3 requirements 1 is met, 1 not, 1 cannot be judged.", ["**cannot be judged**", "**PASS**", "**FAIL**"]),
          "also what its device promises; it is no requirement of the report")
    run("report", "--html", "x.html", "other.json", "--require", "check.json", cwd=place)
    page = (place / "x.html").read_text()
    ok(page.index('<strong class="fail">FAIL</strong>: of ') < page.index("<th ") and "<b>" not in page and '<strong class="pass">PASS</strong>' in page
       and '<strong class="unclear">' in page, "in colours that have words", page[:200])
    record["summary"]["requirements"][1]["verdict"] = '"><b>'
    write_result(place, "odd.json", record)
    done = run("report", "--html", "x.html", "odd.json", cwd=place)
    page = (place / "x.html").read_text()
    ok(done.rc == 0 and "<b>" not in page and page.count('<strong class="unclear">cannot be judged') == 3, "an unknown verdict is no HTML", done)


def test_without_a_requirement_there_is_no_verdict(place):
    equal(table_of(run("report", "latency.json", cwd=place).out), (None, []), "no verdict")
    old = json.loads((place / "latency.json").read_text())
    old["rows"] = [{"size_B": None}, {"size_B": 8, "half_rtt_p50_s": "x"}]
    write_result(place, "odd.json", old)
    done = run("report", "odd.json", "--require", "latency.half_rtt_p50_s <= 1s", cwd=place)
    equal((done.rc, done.err.count("\n")), (4, 1), "rows of any kind")


@pytest.mark.parametrize("args", (["--require", "x <= 1"], ["--require", "nosuch"], ["--tolerance", "-1"]), ids=lambda a: a[1])
def test_a_requirement_that_is_none_is_refused_without_a_page(args, place):
    done = run("report", "latency.json", "--html", "refused.html", *args, cwd=place)
    ok(done.rc == 2 and done.err.count("\n") == 1 and not (place / "refused.html").exists(), "one line, no page", done)
