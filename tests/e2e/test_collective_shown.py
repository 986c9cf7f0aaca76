# SPDX-License-Identifier: Apache-2.0
"""What plot, report and compare make of results of netbench collective and of its model."""
import json

import pytest
from netbench import equal, ok, run
from picture import draw

pytestmark = pytest.mark.usefixtures("results")

NETWORK = "L=1us,o=200ns,g=300ns,G=0.1ns"
LINE = ["collective", "-b", "sim", "--operation", "barrier,bcast,allgather,allreduce", "--algorithm", "all", "--sizes", "8:1M:*16"]


@pytest.fixture(scope="module")
def made(shared_place):
    """all.json: 16 ranks; slow.json: the same on a network of more latency; model.json: by the model; own.json: one algorithm each."""
    run(*LINE, "--sim", NETWORK, "-n", 16, "-o", "all.json", cwd=shared_place)
    run(*LINE, "--sim", NETWORK.replace("1us", "2us"), "-n", 16, "-o", "slow.json", cwd=shared_place)
    run("collective", "-b", "sim", "-n", 16, "--operation", "scatter,gather,allgather", "--algorithm", "binomial,ring", "--sizes", "8,1k", "-o", "own.json",
        cwd=shared_place)
    run("model", "--loggp", NETWORK + ",P=16", "--pattern", "allreduce", "--sizes", "8:1M:*16", "-o", "model.json", cwd=shared_place)
    return shared_place


@pytest.fixture
def results(made, monkeypatch):
    monkeypatch.chdir(made)


def test_each_operation_has_a_panel_with_its_algorithms():
    done, picture = draw("all.json")
    ok(done.rc == 0 and all(op in picture.texts for op in ("barrier", "bcast", "allgather", "allreduce")), "titles of panels", done)
    # a barrier has a point and its mark in the legend, each other series five on a line
    equal(sorted(m for m in picture.marks if m), [2] * 4 + [5] * (4 + 4 + 4), "no series goes on in that of another operation")
    ok(picture.has("time until the last rank is out") and not picture.outside(), "axis in words, all within the picture")


def test_operations_of_one_algorithm_share_a_panel():
    _, picture = draw("own.json")
    equal(sorted(picture.legend()), ["allgather, ring", "gather, binomial", "scatter, binomial"], "legend")


def test_model_and_simulation_are_drawn_together():
    done, picture = draw("all.json", "model.json", "--where", "operation=allreduce")
    ok(done.rc == 0 and {"ring", "recursive-doubling", "rabenseifner", "reduce+bcast"} <= set(picture.texts), "a panel each", done)
    equal(picture.points, 2 * 4 * 5, "points of both")


def test_a_report_has_the_quickest_algorithms():
    done = run("report", "all.json", "model.json")
    table = done.out[done.out.index("## Collective operations"):done.out.index("## Scaling")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| a") or line.startswith("| b")]
    with open("all.json", encoding="utf-8") as f:
        measured = json.load(f)["rows"]
    for op, size, name in (("bcast", 8, "binomial"), ("allreduce", 8, "recursive-doubling"), ("barrier", 0, rows[0][4])):
        least = min((r for r in measured if r["operation"] == op and r["size_B"] == size and not r["note"]), key=lambda r: r["collective_s"])
        found = next(r for r in rows if r[0] == op)
        equal((found[1], found[3], found[4]), ("16", f"{size} B", name), f"{op} from the smallest size on")
        equal(f"{least['collective_s'] * 1e6:.3f} us", found[5], f"{op}: its time")
    ok("## Collective operations" not in run("report", "model.json").out, "no such part without a result of collective")


def test_compare_keeps_operation_algorithm_and_size():
    done = run("compare", "all.json", "slow.json")
    head = done.out.splitlines()[2].split()
    equal(head, ["operation", "algorithm", "MSize", "B/A", "verdict"], "columns of a narrow table")
    row = next(line.split() for line in done.out.splitlines() if line.startswith("allreduce  recursive-doubling "))
    ok(row[2:] == ["8", "1.7139", "slower"], f"by LogGP: {row}")
    ok(max(map(len, done.out.splitlines())) < 80, "in 80 columns", done)
