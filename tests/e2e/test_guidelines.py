# SPDX-License-Identifier: Apache-2.0
"""netbench collective --guidelines: which rows are compared, the sentences, --from and --fail-if."""
import json

import pytest
from netbench import equal, launched_by, mpirun, ok, run

pytestmark = pytest.mark.usefixtures("inside")

SIM = ["collective", "-b", "sim", "--sim", "L=1000,o=200,g=300,G=.1"]
LINEAR = [*SIM, "-n", "8", "--guidelines", "--algorithm", "linear", "--operation", "bcast", "--sizes", "8,1M"]


def judged(*args):
    done = run(*args, "--format", "json")
    ok(done.rc == 0, "measured", done)
    return json.loads(done.out)


def found(doc):
    return {(f["evidence"]["left"], f["evidence"]["right"], f["evidence"]["size_B"]): f for f in doc["summary"]["findings"]}


def test_sim_compares_exact_times():
    doc = judged(*LINEAR)
    times = {(r["algorithm"], r["size_B"]): r["collective_s"] for r in doc["rows"]}
    by = found(doc)
    want = {"netbench's scatter and allgather": "own:scatter+allgather", "netbench's chain": "chain"}
    for right, algorithm in want.items():
        f = by["bcast by linear", right, 1 << 20]
        ratio = times["linear", 1 << 20] / times[algorithm, 1 << 20]
        ok(abs(f["evidence"]["ratio"] - ratio) < 1e-12 and ratio > 3, f"{right}: {ratio}")
        equal(f["verdict"], "yes", right)
    equal(by["bcast by linear", "netbench's scatter and allgather", 8]["verdict"], "no", "at 8 B linear is quicker")
    equal(by["bcast by linear", "netbench's binomial", 8]["verdict"], "no", "and so it is than the best other algorithm")
    equal(by["bcast by linear", "the same", 8]["verdict"], "no", "monotony")
    equal(len(by), 5, "guidelines")
    equal([(q["from_B"], q["algorithm"]) for q in doc["summary"]["quickest"]], [(8, "linear"), (1 << 20, "chain")], "quickest")


def test_the_default_algorithms_of_sim_have_no_quicker_alternative():
    doc = judged(*SIM, "-n", "8", "--guidelines", "--operation", "barrier,bcast,alltoall,allreduce", "--sizes", "8,16k,1M")
    ok(len(doc["summary"]["findings"]) > 20, f"{len(doc['summary']['findings'])} guidelines")
    for f in doc["summary"]["findings"]:
        equal(f["verdict"], "no", f["text"])


def test_a_composition_may_be_quicker_than_all_algorithms():
    """All at once, as alltoall sends, is quicker than in rounds."""
    doc = judged(*SIM, "-n", "8", "--guidelines", "--operation", "allgather", "--sizes", "8")
    slower = [f for f in doc["summary"]["findings"] if f["verdict"] == "yes"]
    equal([f["text"] for f in slower], ["allgather by recursive-doubling at 8 B is 1.31 times slower than netbench's alltoall"], "violations")


def test_alternatives_that_cannot_be_measured_have_no_row():
    doc = judged(*SIM, "-n", "3", "--guidelines", "--operation", "allgather", "--sizes", "8")
    ok("recursive-doubling" not in [r["algorithm"] for r in doc["rows"]], "no row of recursive doubling with 3 ranks")


def test_a_result_is_judged_again_with_the_same_findings(tmp_path):
    path = tmp_path / "first.json"
    done = run(*LINEAR, "--output", path, "--quiet")
    ok(done.rc == 0 and "is 4.7 times slower than netbench's chain" in done.out, "sentences under the table", done)
    first = json.loads(path.read_text())
    again = run("collective", "--from", path, "--format", "json")
    ok(again.rc == 0, "judged", again)
    second = json.loads(again.out)
    equal(second["summary"], first["summary"], "summary")
    equal(second["rows"], first["rows"], "rows")
    equal(second["environment"]["reevaluation"]["file"], str(path), "file")
    lines = run("collective", "--from", path)
    ok("quickest bcast of 8 ranks: linear from 8 B, chain from 1 MiB" in lines.out, "last line", lines)


def test_fail_if_sets_the_exit_status(tmp_path):
    path = tmp_path / "first.json"
    done = run(*LINEAR, "--fail-if", "guideline", "--output", path)
    ok(done.rc == 1 and "'--fail-if guideline': bcast by linear at 1 MiB is 4.7 times slower" in done.faults[0], "violated", done)
    ok(run("collective", "--from", path, "--fail-if", "guideline").rc == 1, "and so judged again")
    ok(run(*SIM, "-n", "8", "--guidelines", "--operation", "bcast", "--sizes", "8", "--fail-if", "guideline").rc == 0, "not violated")
    none = run(*SIM, "-n", "8", "--operation", "bcast", "--sizes", "8", "--output", path, "--overwrite")
    ok(none.rc == 0, "a row without alternatives", none)
    for words in (["--algorithm", "native", "--operation", "bcast", "-n", 8], ["--algorithm", "recursive-doubling", "--operation", "allgather", "-n", 6]):
        none = run(*SIM, "--guidelines", *words, "--sizes", "8", "--fail-if", "guideline")
        ok(none.rc != 1 and "slower" not in none.whole, "another algorithm does not take the place of a left side that has no row", none)
    none = run("collective", "--from", path, "--fail-if", "guideline")
    ok(none.rc == 4 and "no row has an alternative" in none.faults[0], "no verdict", none)


def test_only_results_of_collective_can_be_judged(tmp_path):
    path = tmp_path / "latency.json"
    ok(run("latency", "-b", "sim", "--sizes", "8", "--output", path).rc == 0, "measured")
    done = run("collective", "--from", path)
    ok(done.rc == 2 and "is a result of latency, not of collective" in done.faults[0], "refused", done)


REAL = ["--guidelines", "--sizes", "8,1k", "--sync", "barrier", "--warmup", "0"]


def test_real_visits_are_judged_and_reported(tmp_path):
    path = tmp_path / "shm.json"
    done = run("collective", "-b", "shm", "-n", "2", *REAL, "--operation", "bcast", "--visits", "11", "--output", path)
    ok(done.rc == 0 and "guidelines judged" in done.out, "measured", done)
    doc = json.loads(path.read_text())
    equal(len(doc["summary"]["visit_order"]), 11, "random orders")
    for row in doc["rows"]:
        equal((row["visits"], row["repetitions"], len(row["samples"]["iteration_p50_s"])), (11, 11, 11), "one block in each visit")
    verdicts = sorted((f["evidence"]["visits"], f["verdict"] == "cannot tell") for f in doc["summary"]["findings"])
    equal(verdicts, [(8, True)] * 2 + [(11, False)] * 3, "9 visits are needed, and the first 3 of 11 choose the best algorithm")
    again = run("collective", "--from", path, "--fail-if", "guideline")
    ok(again.rc in (1, 4), "not all were judged", again)
    report = run("report", path)
    ok(report.rc == 0 and "guidelines violated**, 2 not judged" in report.out, "report", report)
    ok(run("compare", path, path).rc == 0, "compare")


@pytest.mark.slow
def test_the_same_algorithm_on_both_sides_is_no_violation(tmp_path):
    path, sizes = tmp_path / "both.json", range(8, 70, 2)
    done = run("collective", "-b", "shm", "-n", "2", "--operation", "bcast", "--algorithm", "binomial,binomial", "--visits", "20",
               "--repetitions", "20", "--warmup", "0", "--sync", "barrier", "--sizes", ",".join(map(str, sizes)), "--output", path,
               timeout=300)
    ok(done.rc == 0, "measured", done)
    doc = json.loads(path.read_text())
    for row in doc["rows"][:len(sizes)]:	# the first algorithm of the list
        row["algorithm"] = "native"
    for row in doc["rows"][len(sizes):]:
        row["algorithm"] = "native:scatter+allgather"
    path.write_text(json.dumps(doc))
    again = json.loads(run("collective", "--from", path, "--format", "json").out)
    sides = [f for f in again["summary"]["findings"] if f["evidence"]["right"] == "scatter and allgather"]
    equal(len(sides), len(sizes), "guidelines")
    equal([f["text"] for f in sides if f["verdict"] == "yes"], [], "violations")


@pytest.mark.usefixtures("needs_mpirun")
def test_native_operations_are_the_left_side(tmp_path):
    path = tmp_path / "mpi.json"
    with launched_by(mpirun):
        done = run("collective", "-b", "mpi", "-n", "2", *REAL, "--operation", "allreduce", "--visits", "2", "--output", path)
    ok(done.rc == 0, "measured", done)
    doc = json.loads(path.read_text())
    by = {f["evidence"]["right"]: f for f in doc["summary"]["findings"] if f["evidence"]["left"] == "MPI_Allreduce"}
    ok({"MPI_Reduce and MPI_Bcast", "MPI_Reduce_scatter and MPI_Allgather", "the same"} <= set(by), f"{set(by)}")
    ok(by["MPI_Reduce and MPI_Bcast"]["text"].endswith("MPI_Reduce and MPI_Bcast: 2 visits, and 10 are needed: see '--visits'"),
       "too few visits")
    equal([r["errors"] for r in doc["rows"]], [0] * len(doc["rows"]), "errors")
