# SPDX-License-Identifier: Apache-2.0
"""netbench collective on MPI: each operation natively and by each algorithm, verified, with Open MPI and MPICH."""
import pytest
from netbench import MPICH, SLOW, equal, launched_by, measure, mpich, mpirun, need, ok, slow_but

OPERATIONS = ["barrier", "bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce", "reduce-scatter"]
QUICK = ["--repetitions", "1", "--visits", "1", "--warmup", "0", "--point-time", "1ms", "--sizes", "8,1000"]

pytestmark = [pytest.mark.usefixtures("inside"), pytest.mark.skipif(SLOW > 1, reason="under sanitizers it adds MPI's code, not ours")]


def verified(rows, of=OPERATIONS):
    """Each operation has rows, and every block is right."""
    equal({r["operation"] for r in rows}, set(of), "operations")
    for row in rows:
        name = f"{row['operation']} {row['algorithm']} of {row['size_B']} B"
        ok(row["note"] or (row["errors"] == 0 and (row["checked"] or not row["size_B"])), f"{name}: {row}")
        ok(row["collective_s"] or row["behind_barrier_s"] or row["note"], f"{name} has a time")


@pytest.mark.usefixtures("needs_mpirun")
@pytest.mark.parametrize("ranks, in_place", slow_but([(3, []), (5, ["--in-place"]), (2, []), (2, ["--in-place"]), (4, []), (7, []), (8, ["--in-place"]), (13, []),
                                                          (16, ["--in-place"])], rest=(0, 1)))
def test_every_operation_is_right_by_open_mpi(ranks, in_place):
    with launched_by(mpirun):
        done, table = measure("collective", "-b", "mpi", "-n", ranks, "--operation", ",".join(OPERATIONS), "--algorithm", "all", *QUICK, *in_place,
                              "--root", ranks - 1, "--sync", "barrier", timeout=200)
    ok(done.rc == 0, "runs", done)
    verified(table.rows)
    ok({"native", "ring", "bruck"} <= {r["algorithm"] for r in table.rows}, "natively, and by algorithms of netbench")


@pytest.fixture
def by_mpich():
    if not MPICH:
        pytest.skip("no launcher of MPICH")
    need("mpi", "--mpi", "mpich")
    with launched_by(mpich):
        yield


@pytest.mark.usefixtures("by_mpich")
@pytest.mark.parametrize("ranks, of", slow_but([(2, OPERATIONS), (4, ["barrier", "bcast", "alltoall", "allreduce"])], rest=(0, 1)))
def test_operations_are_right_by_mpich(ranks, of):
    """MPICH does not give way where ranks share cores. An operation of 4 ranks on 2 cores then takes tens of milliseconds, and the
    pilot is to end such points in seconds."""
    done, table = measure("collective", "-b", "mpi", "-n", ranks, "--operation", ",".join(of), "--algorithm", "native", *QUICK)
    ok(done.rc == 0 and done.seconds < 40, f"ends after {done.seconds} s", done)
    verified(table.rows, of)
