# SPDX-License-Identifier: Apache-2.0
"""netbench plot over the ranks of several results: what is one curve, and numbers of summaries."""
import json

import pytest
from netbench import close_to, equal, make_results, ok, run, write_result
from picture import script_of

NET = "L=1us,o=200ns,g=300ns,G=0.1ns"
RANKS = (2, 4, 8)


@pytest.fixture(scope="module")
def results(shared_place):
    """(folder, {name: record}): beff and bandwidth on 2, 4, 8 ranks of a network, beff also on another one; two farms; models."""
    made = {}
    for n in RANKS:
        for name, net in (("one", NET), ("two", "L=5us,o=200ns,g=300ns,G=0.1ns")):
            made[f"{name}{n}"] = ["beff", "-b", "sim", "--sim", net, "-n", n, "-m", "4"]
        made[f"pairs{n}"] = ["bandwidth", "-b", "sim", "-n", n, "--sizes", "8,1k"]
        made[f"model{n}"] = ["model", "--board", "520n", "-n", n, "-m", "4"]
    made["farm"] = ["atlas-1.3", "-b", "sim", "-n", "4,6", "--sizes", "64"]
    made["farm9"] = ["atlas-1.3", "-b", "sim", "-n", "9", "--sizes", "64"]
    return shared_place, make_results(shared_place, {k: [str(a) for a in v] for k, v in made.items()})


@pytest.fixture(autouse=True)
def records(results, monkeypatch):
    monkeypatch.chdir(results[0])
    return results[1]


def drawn(*args):
    """The points of all series, and the script."""
    text, blocks = script_of(*args)
    return [[(r[0], r[1]) for r in rows] for rows in blocks.values() if rows and len(rows[0]) > 1], text


def files(name):
    return [f"{name}{n}.json" for n in RANKS]


def test_a_number_of_the_summaries_is_drawn_over_the_ranks(records):
    points, text = drawn(*files("one"), "--column", "summary.b_eff_Bps")
    want = [(n, records[f"one{n}"]["summary"]["b_eff_Bps"]) for n in RANKS]
    ok(len(points) == 1 and [p[0] for p in points[0]] == [x for x, _ in want] and
       all(close_to(p[1], w[1], 1e-8) for p, w in zip(points[0], want)), "one curve", (points, want))
    ok("and 2 more files" in text and "b_eff_Bps of the summary over ranks" in text and "ranks" in text, "the title and the axes", text)


def test_another_network_is_another_curve(records):
    points, text = drawn(*files("one"), *files("two"), "--column", "summary.b_eff_Bps")
    equal([[x for x, _ in p] for p in points], [list(RANKS)] * 2, "two curves")
    ok("one2.json and 2 more" in text and "two2.json and 2 more" in text, "the legend", text)


def test_the_label_is_that_of_the_first(records):
    titles = [x for t in "abcdef" for x in ("--label", t)]
    _, text = drawn(*files("one"), *files("two"), "--column", "summary.b_eff_Bps", *titles)
    ok("title 'a'" in text and "title 'd'" in text and "more'" not in text, "the legend", text)


def test_how_often_is_measured_does_not_matter(records):
    other = json.loads(json.dumps(records["one4"]))
    other["options"].update({"repetitions": 7, "output": ["x"], "point-time": 3.0, "wide": True})
    write_result(".", "often.json", other)
    points, _ = drawn("one2.json", "often.json", "--column", "summary.b_eff_Bps")
    equal([[x for x, _ in p] for p in points], [[2, 4]], "one curve")
    other["options"]["channel-width"] = 64
    write_result(".", "wide.json", other)
    points, _ = drawn("one2.json", "wide.json", "--column", "summary.b_eff_Bps")
    equal([[x for x, _ in p] for p in points], [[2], [4]], "but another option does")


def test_rows_are_drawn_over_the_ranks_with_a_series_for_each_size(records):
    """A series for each size, where the rows have several."""
    points, _ = drawn(*files("pairs"), "--x", "ranks")
    want = [[(n, records[f"pairs{n}"]["rows"][i]["bandwidth_Bps"]) for n in RANKS] for i in (0, 1)]
    ok(len(points) == 2 and all(close_to(a[1], b[1], 1e-8) and a[0] == b[0] for p, w in zip(points, want) for a, b in zip(p, w)),
       "a curve for each size", (points, want))
    points, _ = drawn(*files("pairs"), "--x", "ranks", "--where", "size_B=8")
    equal(len(points), 1, "or the one that is asked for")


def test_results_that_have_the_column(records):
    points, _ = drawn("farm.json", "farm9.json", "--x", "ranks")
    equal([[x for x, _ in p] for p in points], [[4, 6, 9]], "their own numbers of ranks")


def test_models_are_drawn_over_their_cards(records):
    points, _ = drawn(*files("model"), "--column", "summary.b_eff_Bps")
    equal([[x for x, _ in p] for p in points], [list(RANKS)], "the cards")


def test_warnings_and_status_of_all_files_are_in_the_picture(records):
    part = {**records["one4"], "status": "interrupted", "warnings": ["of one4"]}
    write_result(".", "part.json", part)
    text, _ = script_of("one2.json", "part.json", "--column", "summary.b_eff_Bps")
    ok("interrupted" in text and "of one4" in text, "they are in the picture", text)


def test_a_number_that_no_summary_has_is_refused(records):
    done = run("plot", "one2.json", "--column", "summary.b_ef_Bps")
    ok(done.rc == 2 and done.err == "netbench: the summary of 'one2.json' has no number 'b_ef_Bps', did you mean "
       "'summary.b_eff_Bps'?\n", "a slip", done)
    done = run("plot", "one2.json", "pairs2.json", "--column", "summary.b_eff_Bps")
    ok(done.rc == 2 and "the summary of 'pairs2.json' has no number 'b_eff_Bps'" in done.err, "another command", done)
