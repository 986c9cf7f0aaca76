# SPDX-License-Identifier: Apache-2.0
"""netbench collective: times in virtual time against the published ones, what is verified, columns and refusals."""
import pathlib
import re

import pytest
from netbench import equal, launched_by, measure, mpirun, ok, run, slow_but

pytestmark = pytest.mark.usefixtures("inside")

ALL = ["--operation", "barrier,bcast,scatter,gather,allgather,alltoall,reduce,allreduce,reduce-scatter", "--algorithm", "all"]
SETS = [("L=1000,o=200,g=300,G=.1", (3, 4, 7, 16)), ("L=5000,o_s=300,o_r=500,g=250,G=.08", (4, 5, 7, 8)),
        ("L=200,o_s=100,o_r=150,g=900,G=.04", (3, 5, 8, 16))]
BLOCKS = ["scatter", "gather", "allgather", "alltoall"]
QUICK = ["--repetitions", "1", "--visits", "1", "--warmup", "0", "--point-time", "1ms"]


def published():
    """The table of tests/test-schedule.c: of operation and algorithm the times in ns, by set and number of ranks."""
    text = (pathlib.Path(__file__).parent.parent / "test-schedule.c").read_text(encoding="utf-8")
    text = text[text.index("takes_the_published_time"):text.index("adding_and_unequal")]
    for op, name, numbers in re.findall(r'\{ OPERATION_(\w+), "([^"]+)",\s+\{(.*?)\} \}', text, re.S):
        yield op.lower().replace("_", "-"), name, [[None if x == "NAN" else float(x) for x in row.split(", ")]
                                                   for row in re.findall(r"\{ ([^{}]*) \}", numbers + " }")]


def rows_of(*args):
    done, table = measure("collective", *args)
    ok(done.rc == 0 and table.rows, "measured", done)
    return table.rows


def times(rows):
    return {(r["operation"], r["algorithm"], r["size_B"]): r["collective_s"] for r in rows}


@pytest.mark.parametrize("number", range(3))
def test_sim_takes_the_published_times(number):
    net, ranks = SETS[number]
    rows = list(published())
    ok(len(rows) > 25, f"the table has {len(rows)} rows")
    for column, n in enumerate(ranks):
        got = times(rows_of("-b", "sim", "--sim", net, "-n", n, *ALL, "--sizes", "1024,13440", "--segment", "3360"))
        for op, name, want in rows:
            size = 0 if op == "barrier" else 1024 if op in BLOCKS else 13440
            if want[number][column] is None:
                continue
            seconds = got[op, name, size]
            ok(abs(seconds * 1e9 - want[number][column]) <= 0.06, f"{op} {name}, {n} ranks: {seconds * 1e9} ns")


def test_sim_takes_time_to_add():
    got = times(rows_of("-b", "sim", "--sim", SETS[0][0] + ",c=.05", "-n", "7", "--operation", "reduce,allreduce", "--sizes", "13440",
                        "--algorithm", "binomial,rabenseifner,ring"))
    for key, ns in {("reduce", "binomial"): 8475.7, ("allreduce", "rabenseifner"): 14279.4, ("allreduce", "ring"): 19678.8}.items():
        ok(abs(got[(*key, 13440)] * 1e9 - ns) <= 0.06, f"{key}: {got[(*key, 13440)]}")


@pytest.mark.parametrize("c", [0, 0.05])
def test_the_model_says_what_sim_takes(c):
    rows = rows_of("-b", "sim", "--sim", f"{SETS[2][0]},c={c}", "-n", "13", *ALL, "--sizes", "8,1000", "--predict", "--root", "2")
    for row in rows:
        adds = "reduce" in row["operation"]
        ok((row["sum_s_per_B"] is not None) == (adds and not row["note"]), f"{row['operation']} has the cost of adding if it adds")
        ok(not row["sum_s_per_B"] or abs(row["sum_s_per_B"] / (c * 1e-9) - 1) < 1e-6, f"which is c: {row['sum_s_per_B']}")
        if not row["note"]:
            ok(abs(row["measured_over_model"] - 1) < 1e-6, f"{row['operation']} {row['algorithm']} of {row['size_B']} B")


def test_unequal_blocks_and_none_are_verified_at_every_rank():
    for row in rows_of("-b", "sim", "-n", "13", *ALL, "--sizes", "0,8,40,1000", "--root", "12"):
        name = f"{row['operation']} {row['algorithm']} of {row['size_B']} B"
        if row["note"]:
            equal(row["algorithm"], "recursive-doubling", name)
            continue
        ok(row["errors"] == 0, name)
        ok(row["checked"] > 0 or row["size_B"] == 0, f"{name} is checked")


def test_a_rank_that_is_held_up_holds_up_those_that_need_it():
    held = ["--sim-fault", "start:3,1ms"]
    line = ["-b", "sim", "-n", "4", "--sizes", "8", "--operation", "bcast,allreduce", "--algorithm", "binomial,recursive-doubling"]
    before, after = rows_of(*line), rows_of(*line, *held)
    by = {(r["operation"], r["algorithm"]): r for r in before}
    for row in after:
        was = by[row["operation"], row["algorithm"]]
        ok(0.9e-3 < row["collective_s"] - was["collective_s"] < 1.0001e-3, f"{row['operation']}: {row['collective_s']}")
        if row["operation"] == "bcast":		# rank 3 is a leaf
            equal(row["rank_p50_s"], was["rank_p50_s"], "others' times stay")


def test_many_ranks_are_simulated_and_verified():
    row = rows_of("-b", "sim", "-n", "1024", "--operation", "allreduce", "--algorithm", "recursive-doubling", "--sizes", "8")[0]
    ok(row["checked"] == 1024 and row["errors"] == 0, f"{row['checked']} are checked")
    ok(abs(row["collective_s"] - 10 * 1400.7e-9) < 1e-12, f"{row['collective_s']}")


def test_what_does_not_fit_is_simulated_without_its_content():
    row = rows_of("-b", "sim", "-n", "64", "--operation", "alltoall", "--algorithm", "linear", "--sizes", "1M")[0]
    ok(row["checked"] == 0 and row["errors"] == 0 and row["collective_s"] > 0, f"{row['checked']} are checked")


def test_a_root_that_rotates_and_operations_in_a_row_have_columns_of_their_own():
    rows = rows_of("-b", "sim", "-n", "4", "--operation", "bcast,barrier", "--root", "rotate", "-l", "5", "--sizes", "8")
    for row in rows:
        ok(row["back_to_back_s"] > 0 and row["collective_s"] is None, f"{row['operation']} in a row")
        equal(row["root"], "rotate" if row["operation"] == "bcast" else None, "root")


REAL = [("shm", 2, []), ("tcp", 3, ["--in-place"]), *((b, n, i) for b in ("shm", "tcp") for n in (2, 3, 4, 5, 7, 8, 13, 16)
                                                     for i in ([], ["--in-place"]))]


@pytest.mark.parametrize("backend, ranks, in_place", slow_but(REAL, 1, rest=(0, 9, 16, 22, 31)))
def test_every_algorithm_is_right_on_real_backends(backend, ranks, in_place):
    rows = rows_of("-b", backend, "-n", ranks, *ALL, *QUICK, *in_place, "--sizes", "8,1000", "--root", ranks - 1)
    for row in rows:
        name = f"{row['operation']} {row['algorithm']} of {row['size_B']} B"
        ok(row["note"] or (row["errors"] == 0 and (row["checked"] or not row["size_B"])), name)
    ok(all((row["behind_barrier_s"] is None) or row["osu_min_s"] <= row["osu_avg_s"] <= row["osu_max_s"] for row in rows), "OSU's columns")


REDUCTIONS = ["--operation", "reduce,allreduce,reduce-scatter", "--sizes", "8,1000"]


@pytest.mark.parametrize("backend, ranks", slow_but([("sim", 13), ("shm", 3)], 0))
@pytest.mark.parametrize("kind", [["--reduce-op", "max"], ["--values", "real"], ["--reduce-op", "max", "--values", "real"]])
def test_maxima_and_real_numbers_are_verified(backend, ranks, kind):
    for row in rows_of("-b", backend, "-n", ranks, *REDUCTIONS, "--algorithm", "all", *kind,
                       *([] if backend == "sim" else [*QUICK, "--sync", "barrier"])):
        name = f"{row['operation']} {row['algorithm']} of {row['size_B']} B"
        ok(row["errors"] == 0 and row["checked"] and "differ" not in (row["note"] or ""), f"{name}: {row['note']}")
        ok(backend == "sim" or 0 < row["sum_s_per_B"] < 1e-8, f"{name}: {row['sum_s_per_B']} s/B")


@pytest.mark.usefixtures("needs_mpirun")
@pytest.mark.parametrize("form", slow_but(["nonblocking", "persistent", "auto"], 0))
def test_overlap_is_measured_where_operations_do_not_block(form):
    with launched_by(mpirun):
        native, own = rows_of("-b", "mpi", "-n", 2, "--operation", "allreduce", "--algorithm", "native,ring", *QUICK, "--mpi-form", form,
                              "--sizes", "64k", "--overlap", "--sync", "barrier")
    ok(own["overlap"] is None and own["behind_barrier_s"] > 0, "an own algorithm has none")
    if form == "auto" or native["note"]:
        ok(native["overlap"] is None and "nonblocking" in native["note"], f"a blocking operation has none: {native['note']}")
    else:
        ok(0 <= native["overlap"] <= 1 and native["errors"] == 0 and native["checked"], f"{native['overlap']} is hidden")
        ok(native["behind_barrier_s"] > 0, "and the time without computing is there")


def test_clocks_of_many_ranks_are_compared_by_a_tree():
    """All ranks have the same clock, so each comparison finds an offset within its bound. A drift that is fitted to two of them, at
    least 0.5 s apart, errs by 2 error / 0.5 s."""
    done, table = measure("collective", "-b", "shm", "-n", 66, "--sync", "window", "--operation", "barrier", *QUICK)
    error, closing = (float(table.one(f"summary.{x}_s")) for x in ("clock_error", "clock_closing_error"))
    ok(done.rc == 0 and table.rows[0]["errors"] == 0, "measured", done)
    ok(0 < error < 1 and closing <= 2 * error * (1 + float(table.one("summary.elapsed_s")) / .5), f"clocks: {closing} within {error}")


COLD = ["--cache", "rotate"]


@pytest.mark.parametrize("in_place", [[], pytest.param(["--in-place"], marks=pytest.mark.slow)])
def test_operations_with_cold_buffers_are_verified(in_place):
    """Each operation has its own input, so results in place are verified after a block, too."""
    few = [] if in_place else ["--algorithm", "bruck,rabenseifner,linear"]
    rows = rows_of("-b", "shm", "-n", 2, *(ALL[:2] + few if few else ALL), *QUICK, *COLD, *in_place, "--sizes", "1000", "--root", 1, "--sync", "barrier")
    for row in rows:
        name = f"{row['operation']} {row['algorithm']}"
        ok(row["note"] or (row["errors"] == 0 and (row["checked"] or not row["size_B"])), name)
        ok(row["note"] or row["behind_barrier_s"] > 0, f"{name} has a time")
    row = rows_of("-b", "shm", "-n", 2, *QUICK, *COLD, *in_place, "--sizes", "4M", "--operation", "allreduce", "--algorithm", "ring")[0]
    ok(row["loops"] <= 64 // 8 and row["errors"] == 0 and row["checked"], f"buffers of all operations fit: {row['loops']}")


def test_overlap_needs_native_operations():
    done = run("collective", "-b", "sim", "--overlap")
    ok(done.rc == 3 and len(done.faults) == 1 and "'--overlap' needs native operations" in done.faults[0], "refused", done)


def test_virtual_time_knows_no_caches():
    done = run("collective", "-b", "sim", *COLD)
    ok(done.rc == 2 and done.faults == ["netbench: '--cache rotate' has no meaning on backend 'sim': time is virtual"], "refused", done)


@pytest.mark.slow
@pytest.mark.usefixtures("needs_mpirun")
def test_native_reductions_of_all_kinds_are_verified():
    with launched_by(mpirun):
        for kind in ["--reduce-op", "max"], ["--values", "real"], COLD, [*COLD, "--mpi-form", "persistent"]:
            for row in rows_of("-b", "mpi", "-n", 2, *REDUCTIONS, "--algorithm", "native", *QUICK, *kind, "--sync", "barrier"):
                ok(row["errors"] == 0 and row["checked"], f"{row['operation']} of {row['size_B']} B")


@pytest.mark.usefixtures("needs_mpirun")
@pytest.mark.parametrize("form", slow_but(["nonblocking", "persistent"], 1))
def test_other_forms_of_native_operations_are_right(form):
    with launched_by(mpirun):
        rows = rows_of("-b", "mpi", "-n", 2, *ALL[:2], "--algorithm", "native", *QUICK, "--mpi-form", form, "--sizes", "8,1000", "--root", 1)
    equal(len(rows), 17, "rows")
    for row in rows:
        name = f"{row['operation']} of {row['size_B']} B"
        if form == "persistent" and row["note"] and row["note"].startswith("n/a"):
            ok("native " + row["operation"] in row["note"], f"{name}: {row['note']}")
            continue
        ok(row["errors"] == 0 and (row["checked"] or not row["size_B"]), name)
        ok((row["collective_s"] or row["behind_barrier_s"]) > 0, f"{name} has a time")


@pytest.mark.usefixtures("needs_mpirun")
@pytest.mark.parametrize("ranks, in_place", slow_but([(2, ["--in-place"]), (2, []), (5, []), (5, ["--in-place"])], 0))
def test_native_operations_are_right_with_any_root(ranks, in_place):
    with launched_by(mpirun):
        rows = rows_of("-b", "mpi", "-n", ranks, *ALL[:2], "--algorithm", "native", *QUICK, *in_place, "--sizes", "8,1000", "--root", ranks - 1,
                       "--sync", "barrier")
    equal(len(rows), 17, "rows")
    for row in rows:
        name = f"{row['operation']} of {row['size_B']} B"
        ok(row["errors"] == 0 and (row["checked"] or not row["size_B"]), name)
        ok(row["behind_barrier_s"] > 0 and row["osu_min_s"] <= row["osu_avg_s"] <= row["osu_max_s"], f"{name}: OSU's columns")


COMPOSED = {"bcast": ["scatter+allgather"], "scatter": ["bcast"], "gather": ["allgather"], "allgather": ["gather+bcast", "alltoall"],
            "reduce": ["allreduce", "reduce-scatter+gather"], "allreduce": ["reduce+bcast", "reduce-scatter+allgather"],
            "reduce-scatter": ["reduce+scatter", "allreduce"]}


def composed_of(prefix):
    return ["--operation", ",".join(COMPOSED), "--algorithm", ",".join(sorted({prefix + name for names in COMPOSED.values() for name in names}))]


def right_and_composed(rows, prefix, sizes):
    equal([(r["operation"], r["algorithm"]) for r in rows if r["size_B"] == sizes[0]],
          [(op, prefix + name) for op, names in COMPOSED.items() for name in sorted(names)], "rows")
    for row in rows:
        name = f"{row['operation']} {row['algorithm']} of {row['size_B']} B"
        if row["note"] and row["note"].startswith("n/a"):
            equal(row["algorithm"], prefix + "reduce+scatter", name)
        else:
            ok(row["errors"] == 0 and row["checked"] > 0, name)


@pytest.mark.parametrize("backend, ranks, root", slow_but([("sim", 13, 12), ("shm", 3, 1), ("shm", 2, 0), ("tcp", 5, 3), ("shm", 8, 7)], 0, 1))
def test_compositions_of_own_algorithms_are_right(backend, ranks, root):
    quick = [] if backend == "sim" else [*QUICK, "--sync", "barrier"]
    sizes = [8, 1000, 11 * 13 * 40]
    rows = rows_of("-b", backend, "-n", ranks, *composed_of("own:"), *quick, "--sizes", ",".join(map(str, sizes)), "--root", root)
    right_and_composed(rows, "own:", sizes)


@pytest.mark.usefixtures("needs_mpirun")
@pytest.mark.parametrize("ranks, root", slow_but([(2, 1), (2, "rotate"), (5, 3)], 0))
def test_compositions_of_native_operations_are_right_with_any_root(ranks, root):
    sizes = [8, 1000, 1040]
    with launched_by(mpirun):
        rows = rows_of("-b", "mpi", "-n", ranks, *composed_of("native:"), *QUICK, "--sizes", ",".join(map(str, sizes)), "--root", root,
                       "--sync", "barrier")
    right_and_composed(rows, "native:", sizes)


@pytest.mark.parametrize("line, fault", [
    (["--guidelines", "--in-place"], "'--guidelines' and '--in-place' exclude each other"),
    (["--guidelines", "-l", "5"], "'--guidelines' and '--loops' exclude each other"),
    (["--guidelines", "--algorithm", "ring,native"], "expected one algorithm, the left side"),
    (["--guidelines", "--algorithm", "own:reduce+bcast"], "expected one algorithm, the left side"),
    (["--fail-if", "guideline"], "'--fail-if' needs '--guidelines'"),
    (["--algorithm", "native:bcast+reduce"], "'native:bcast+reduce' in '--algorithm' is no algorithm"),
    (["--algorithm", "rings"], "'rings' in '--algorithm' is no algorithm"),
    (["--operation", "barrier", "--algorithm", "ring"], "'ring' in '--algorithm' is no algorithm"),
    (["--root", "2", "-n", "2"], "value '2' of '--root' is no rank"),
    (["--verify", "every"], "'--verify every' verifies messages"),
])
def test_what_cannot_be_is_refused(line, fault):
    done = run("collective", "-b", "sim", *line)
    ok(done.rc == 2 and len(done.faults) == 1 and fault in done.faults[0], fault, done)


@pytest.mark.usefixtures("needs_mpirun")
def test_native_operations_of_fewer_ranks_than_the_job_has_are_refused():
    with launched_by(mpirun):
        rows = rows_of("-b", "mpi", "-n", "2,3", "--operation", "bcast", "--algorithm", "native,linear", *QUICK, "--sizes", "8", "--sync", "barrier")
    equal([r["ranks"] for r in rows if r["note"] == "n/a: native operations take all ranks of the job"], [2], "refused")
    equal([(r["ranks"], r["algorithm"]) for r in rows if not r["note"]], [(2, "linear"), (3, "native"), (3, "linear")], "measured")


def test_native_operations_need_a_backend_that_has_them():
    row = rows_of("-b", "sim", "--algorithm", "native,linear", "--operation", "bcast", "--sizes", "8")[0]
    ok("'native'" in row["note"], f"the row says so: {row['note']}")
