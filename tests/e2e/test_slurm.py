# SPDX-License-Identifier: Apache-2.0
"""Runs under Slurm on four hosts: srun with and without PMIx, mpirun in an allocation, netbench in a batch script;
jobs that are told to end, or whose time ends."""
import math
import os
import signal
import subprocess
import sys
import time
import pytest
from netbench import MPICH, NETBENCH, SLOW, SOURCE, Command, Csv, equal, faults, note, ok, until
from rig import QUICK, RESULTS, check_run, lacks, lacks_mpich, netbenches, read, read_json, sweep, whole_rows

pytestmark = [pytest.mark.slow, pytest.mark.rig("slurm", "-m", "-n", "4", seconds=300)]
RIGS = os.path.join(SOURCE, "tests", "rigs")
SECRET = {"NETBENCH_SECRET": "of-the-tests-only"}
FOUR = ["-N", "4", "-n", "4"]
PMIX = ["srun", "-K", "--mpi=pmix", *FOUR, NETBENCH]
TWO = ["-N", "2", "-n", "2"]        # ranks of MPICH that wait do not yield: as many as there are cores
PMI2 = ["srun", "-K", "--mpi=pmi2", *TWO, NETBENCH]
PLAIN = ["srun", *FOUR, NETBENCH]
BEFF = ["beff", "--sizes", "1,4k,64k", *QUICK]
LONG = ["beff", "--point-time", "500ms", "--ci", "0", "-o", "x.csv", "-o", "x.json"]


def no_mpi():
    """Why MPI cannot be tested under srun; nothing if it can."""
    p = subprocess.run(["srun", "--mpi=list"], capture_output=True, text=True, timeout=20 * SLOW)
    return lacks("mpi") or ("" if "pmix" in p.stdout + p.stderr else "Slurm has no PMIx")


def no_mpich():
    """The same of MPICH."""
    p = subprocess.run(["srun", "--mpi=list"], capture_output=True, text=True, timeout=20 * SLOW)
    return lacks_mpich() or ("" if "pmi2" in p.stdout + p.stderr else "Slurm has no PMI2")


def need(reason):
    if reason:
        pytest.skip(reason)


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    ok(until(lambda: not netbenches(), 5), "no netbench is left", netbenches())
    sweep()


# ---- ways to start ----

@pytest.mark.parametrize("name, command, kind, backend", [pytest.param(*case, id=case[0]) for case in (
    ("srun --mpi=pmix", PMIX + BEFF, "mpi", "mpi"),
    ("srun --mpi=pmix, backend tcp", PMIX + BEFF + ["--backend", "tcp"], "mpi", "tcp"),
    ("mpirun in an allocation", ["salloc", "-Q", *FOUR, "mpirun", NETBENCH, *BEFF], "mpi", "mpi"),
    ("plain srun", PLAIN + BEFF, "join", "tcp"))])
def test_each_way_to_start_under_slurm_runs_on_four_hosts(name, command, kind, backend):
    need(no_mpi() if kind == "mpi" else lacks("tcp"))
    check_run(name, lambda place: [Command(command + RESULTS, place, SECRET)], 4, kind, backend)


def batch(place, name, lines):
    """A script for sbatch."""
    with open(os.path.join(place, name), "w") as f:
        f.write("#!/bin/bash\n" + "\n".join(lines) + "\n")
    return name


def test_without_srun_the_run_has_the_host_of_the_script_to_itself(place):
    """In a batch script without srun netbench has the script's host to itself."""
    script = batch(place, "job.sh", [f"exec {NETBENCH} beff -n 2 --sizes 1,4k {' '.join(QUICK)} -o x.json"])
    done = Command([os.path.join(RIGS, "sbatch-wait"), *FOUR, "-o", "out", script], place).end(30)
    record = read_json(place, "x.json")
    ok(done.rc == 0, "no srun: the job completes", f"{done}\n{read(place, 'out')}")
    there = record.get("environment", {})
    equal((there.get("backend", {}).get("job"), [r["host"] for r in there.get("ranks", [])]),
          ("fork", ["n0", "n0"]), "no srun: ranks on the script's host")


def test_a_fence_of_pmix_holds_all_ranks_until_the_last_is_there():
    """The rig's PMIx holds ranks in a fence until all are there, which MPI_Init needs."""
    need(no_mpi())
    done = Command(["srun", "-K", "--mpi=pmix", *FOUR, sys.executable, os.path.join(RIGS, "fence.py")]).end(30)
    waited = dict(x.split() for x in done.out.splitlines())
    ok(done.rc == 0 and sorted(waited) == list("0123") and all(float(waited[r]) > 0.5 for r in "023"),
       "a fence of PMIx holds all ranks until the last one is there", done)


@pytest.mark.parametrize("name, command, kind, backend", [pytest.param(*case, id=case[0]) for case in (
    ("srun --mpi=pmi2", PMI2 + BEFF, "mpi", "mpi"),
    ("srun --mpi=pmi2 --job join", PMI2 + BEFF + ["--job", "join"], "join", "tcp"),
    ("mpirun of MPICH in an allocation", ["salloc", "-Q", *TWO, str(MPICH), NETBENCH, *BEFF], "mpi", "mpi"))])
def test_mpich_runs_under_srun_and_in_an_allocation(name, command, kind, backend):
    need(no_mpich())
    check_run(name, lambda place: [Command(command + RESULTS, place, SECRET)], 2, kind, backend)


def test_mpich_that_does_not_know_pmix_is_told_in_a_line():
    """Debian's MPICH does not find its ranks by PMIx: one line, and not four runs."""
    need(no_mpi() or no_mpich())
    done = Command(PMIX + BEFF + ["--mpi", "mpich"]).end(30)
    said = faults(done)
    ok(done.rc and len(said) == 1 and "srun --mpi=pmix has started 4 ranks" in said[0] and not done.out, "PMIx and MPICH", done)


# ---- ends before its end ----

def record_of(job):
    """What Slurm knows of a job, as a dict."""
    p = subprocess.run(["scontrol", "show", "job", "-o", job], capture_output=True, text=True, timeout=20 * SLOW)
    return dict(x.split("=", 1) for x in p.stdout.split() if "=" in x)


@pytest.mark.parametrize("name, command", [pytest.param("SIGTERM, plain srun", ["srun", NETBENCH], id="plain"),
                                           pytest.param("SIGTERM, srun --mpi=pmix", ["srun", "-K", "--mpi=pmix", NETBENCH], id="pmix")])
def test_a_terminated_step_leaves_a_whole_result(name, command, place):
    """SIGTERM to all processes of a job's step, in mid-run."""
    need(lacks("tcp") or ("pmix" in name and no_mpi()))
    script = batch(place, "job.sh", [" ".join(command + LONG)])
    job = Command(["sbatch", "--parsable", *FOUR, "-o", "out", script], place, SECRET).end(20).out.strip()
    assert until(lambda: whole_rows(read(place, "x.csv")) > 0, 20), f"{name}: does not run\n{read(place, 'out')}"
    subprocess.run(["scancel", "--signal=TERM", job], check=True, timeout=20 * SLOW)
    start = time.monotonic()
    ended = until(lambda: record_of(job).get("JobState") not in ("RUNNING", "COMPLETING"), 10)
    ok(ended, f"{name}: the job ends within 10 s", record_of(job))
    note(f"ended after {time.monotonic() - start:.1f} s")
    equal(record_of(job).get("ExitCode"), f"{128 + signal.SIGTERM}:0", f"{name}: its exit status")
    text = read(place, "x.csv")
    ok(whole_rows(text) > 0, f"{name}: whole rows", text[-300:])
    equal((Csv(text).status, read_json(place, "x.json").get("status")), ("interrupted", "interrupted"),
          f"{name}: both files say that it was interrupted")


def test_a_run_ends_by_itself_before_its_allocation(place):
    """The allocation's end is the run's, which comes before it by itself."""
    need(lacks("tcp"))
    name, limit = "the allocation ends", 8
    ends = math.ceil(time.time()) + limit
    done = Command(["srun", *FOUR, "env", f"SLURM_JOB_END_TIME={ends}", NETBENCH, *LONG], place,
                   SECRET).end(limit / SLOW + 10)
    early = ends - time.time()
    ok(done.rc == 0 and early > (0 if SLOW == 1 else -SLOW), f"{name}: the run ends by itself before",
       f"{-early:.1f} s late\n{done}")
    ok(any("time limit" in x for x in done.warnings), f"{name}: a warning", done)
    equal(faults(done), [], f"{name}: no fault")
    text = read(place, "x.csv")
    ok(0 < whole_rows(text) < 21, f"{name}: some rows", text[-300:])
    equal((Csv(text).status, read_json(place, "x.json").get("status")), ("incomplete", "incomplete"),
          f"{name}: both files say that it is incomplete")
