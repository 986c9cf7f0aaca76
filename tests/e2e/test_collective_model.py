# SPDX-License-Identifier: Apache-2.0
"""netbench model of collective operations: the times that backend sim takes, beside results, and refusals."""
import json

import pytest
from netbench import SLOW, equal, measure, ok, run, slow_but

pytestmark = pytest.mark.usefixtures("inside")

OPERATIONS = "barrier,bcast,scatter,gather,allgather,alltoall,reduce,allreduce,reduce-scatter"
NETWORKS = ["L=1000,o=200,g=300,G=.1", "L=5000,o_s=300,o_r=500,g=250,G=.08", "L=200,o_s=100,o_r=150,g=900,G=.04"]


@pytest.mark.parametrize("network", slow_but(NETWORKS, 2))
def test_the_model_has_a_row_for_what_sim_takes(network):
    """Every algorithm, equal and unequal blocks, with a time to add: rows of `model` and `model --against` are the simulated times."""
    network += ",c=.05"
    shape = ["--sizes", "8,1000,13440", "--segment", "3360"]
    done = run("collective", "-b", "sim", "--sim", network, "-n", "3,13", "--operation", OPERATIONS, "--algorithm", "all", *shape, "-o", "sim.json")
    with open("sim.json", encoding="utf-8") as f:
        simulated = {(r["operation"], r["algorithm"], r["ranks"], r["size_B"]): r["collective_s"] for r in json.load(f)["rows"]}
    ok(done.rc == 0 and len(simulated) > 150, f"{len(simulated)} simulated rows", done)
    done, table = measure("model", "--loggp", network + ",P=3:13:+10", "--pattern", OPERATIONS, *shape)
    equal(len(table.rows), len(simulated), "rows of the model")
    for r in table.rows:
        want = simulated[r["operation"], r["algorithm"], r["ranks"], r["size_B"]]
        name = f"{r['operation']} {r['algorithm']} of {r['size_B']} B, {r['ranks']} ranks: {r['model_s']}, simulated {want}"
        ok(want is None and r["remark"].startswith("n/a") or abs(r["model_s"] - want) <= 0.06e-9, name)
    done, table = measure("model", "--loggp", network.replace(",c=.05", ""), "--against", "sim.json")
    equal(len(table.rows), sum(t is not None for t in simulated.values()), "rows of --against")
    ok(all(abs(r["measured_over_model"] - 1) < 1e-6 for r in table.rows), f"deviation {table.one('summary.deviation_max')}")


def test_a_model_names_the_root_and_leaves_out_what_is_not_by_an_algorithm_of_netbench():
    run("collective", "-b", "sim", "--sim", NETWORKS[2], "-n", "13", "--operation", "gather,bcast", "--algorithm", "all", "--root", "5",
        "--sizes", "64", "-o", "sim.json")
    with open("sim.json", encoding="utf-8") as f:
        doc = json.load(f)
    doc["rows"][0]["algorithm"] = "native"
    with open("sim.json", "w", encoding="utf-8") as f:
        json.dump(doc, f)
    done, table = measure("model", "--loggp", NETWORKS[2], "--against", "sim.json")
    equal((len(table.rows), table.one("summary.left_out")), (len(doc["rows"]) - 1, 1), "rows, and those left out")
    ok(all(abs(r["measured_over_model"] - 1) < 1e-6 for r in table.rows), "times with another root", done)


@pytest.mark.parametrize("line, fault", [
    (["--pattern", "allreduce"], "pattern 'allreduce' needs a number of ranks"),
    (["--pattern", "allreduce,ring"], "lists patterns and collective operations"),
    (["--pattern", "allreduce", "--algorithm", "linear"], "no pattern of '--pattern' has an algorithm"),
    (["--pattern", "bcast", "--messages", "3"], "option '--messages' is not for collective operations"),
    (["--pattern", "bcast", "--algorithm", "circle"], "'circle'"),
])
def test_a_model_of_operations_that_cannot_be_is_refused(line, fault):
    ranks = "" if "number of ranks" in fault else ",P=8"
    done = run("model", "--loggp", NETWORKS[0] + ranks, *line)
    ok(done.rc == 2 and len(done.faults) == 1 and fault in done.faults[0], fault, done)


def test_patterns_sweep_over_ranks_and_algorithms():
    done, table = measure("model", "--loggp", NETWORKS[0] + ",P=4,8", "--pattern", "broadcast,ring", "--algorithm", "binomial,chain", "--sizes", "1k")
    equal([(r["pattern"], r["algorithm"], r["ranks"]) for r in table.rows],
          [("broadcast", a, P) for a in ("binomial", "chain") for P in (4, 8)], "rows")


def test_operations_of_many_ranks_are_modelled_quickly():
    done, table = measure("model", "--loggp", NETWORKS[0] + ",P=64,4096", "--pattern", "allreduce", "--algorithm", "recursive-doubling",
                          "--sizes", "8,13440")
    got = {(r["ranks"], r["size_B"]): r["model_s"] for r in table.rows}
    ok(abs(got[4096, 8] - 12 * 1400.7e-9) < 1e-12 and abs(got[64, 13440] - 6 * 2743.9e-9) < 1e-12, f"times {got}")
    ok(done.seconds < 3 * SLOW, f"{done.seconds} s, 0.1 on an idle machine", done)
