# SPDX-License-Identifier: Apache-2.0
"""Runs under Slurm on four hosts: srun with and without PMIx, mpirun in an allocation, netbench in a batch script;
the example scripts; jobs that are told to end, or whose time ends."""
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "rigs"))
from tap import NETBENCH, SLOW, Command, Csv, equal, faults, finish, ok, skip, until
from rig import (PART, QUICK, RESULTS, check_run, lacks, netbenches, read, read_json, relay, skip_all,
                 sweep, whole_rows, why_not)

RIGS = os.path.join(HERE, "..", "rigs")
EXAMPLES = os.path.join(HERE, "..", "..", "examples")
SECRET = {"NETBENCH_SECRET": "of-the-tests-only"}
FOUR = ["-N", "4", "-n", "4"]
PMIX = ["srun", "-K", "--mpi=pmix", *FOUR, NETBENCH]
PLAIN = ["srun", *FOUR, NETBENCH]
BEFF = ["beff", "--sizes", "1,4k,64k", *QUICK]
LONG = ["beff", "--point-time", "500ms", "--ci", "0", "-o", "x.csv", "-o", "x.json"]


def no_mpi():
    """Why MPI cannot be tested under srun; nothing if it can."""
    p = subprocess.run(["srun", "--mpi=list"], capture_output=True, text=True, timeout=20 * SLOW)
    return lacks("mpi") or ("" if "pmix" in p.stdout + p.stderr else "Slurm has no PMIx")


# ---- ways to start ----

def ways():
    mpi = no_mpi()
    for name, command, kind, backend, reason in (
            ("srun --mpi=pmix", PMIX + BEFF, "mpi", "mpi", mpi),
            ("srun --mpi=pmix, backend tcp", PMIX + BEFF + ["--backend", "tcp"], "mpi", "tcp", mpi),
            ("mpirun in an allocation", ["salloc", "-Q", *FOUR, "mpirun", NETBENCH, *BEFF], "mpi", "mpi", mpi),
            ("plain srun", PLAIN + BEFF, "join", "tcp", lacks("tcp"))):
        if reason:
            skip(name, reason)
        else:
            check_run(name, lambda place, c=command: [Command(c + RESULTS, place, SECRET)], 4, kind, backend)


def batch(place, name, lines):
    """A script for sbatch."""
    with open(os.path.join(place, name), "w") as f:
        f.write("#!/bin/bash\n" + "\n".join(lines) + "\n")
    return name


def no_srun():
    """In a batch script without srun netbench has the script's host to itself."""
    with tempfile.TemporaryDirectory() as place:
        script = batch(place, "job.sh", [f"exec {NETBENCH} beff -n 2 --sizes 1,4k {' '.join(QUICK)} -o x.json"])
        done = Command([os.path.join(RIGS, "sbatch-wait"), *FOUR, "-o", "out", script], place).end(30)
        record = read_json(place, "x.json")
        ok(done.rc == 0, "no srun: the job completes", f"{done}\n{read(place, 'out')}")
        there = record.get("environment", {})
        equal((there.get("backend", {}).get("job"), [r["host"] for r in there.get("ranks", [])]),
              ("fork", ["n0", "n0"]), "no srun: ranks on the script's host")


def examples():
    for name in ("slurm-srun.sh", "slurm-mpirun.sh", "slurm-fpga.sh"):
        script = os.path.join(EXAMPLES, name)
        if not os.path.exists(script):
            skip(name, "not there")
            continue
        reason = no_mpi() if "mpi" in read(script) else lacks("tcp")
        if reason := reason or "fpga" in name and lacks("fpga"):
            skip(name, reason)
            continue
        with tempfile.TemporaryDirectory() as place:
            shutil.copy(script, place)
            env = {"PATH": os.path.dirname(NETBENCH) + ":" + os.environ["PATH"],
                   "NETBENCH_OPTIONS": "-m 10 --point-time 20ms", "NETBENCH_FPGA": "emulate"}
            done = Command([os.path.join(RIGS, "sbatch-wait"), *FOUR, name], place, env).end(60)
            left = [x for x in os.listdir(place) if x.endswith(".csv")]
            output = "".join(read(place, x) for x in os.listdir(place) if x.startswith("slurm-") and
                             x.endswith(".out"))
            ok(done.rc == 0, f"{name}: the job completes", f"{done}\n{output[-1500:]}")
            ok(left and all(Csv(read(place, x)).status == "complete" for x in left),
               f"{name}: a complete CSV in the directory it was submitted from", os.listdir(place))


def fence():
    """The rig's PMIx holds ranks in a fence until all are there, which MPI_Init needs."""
    if reason := no_mpi():
        skip("a fence of PMIx", reason)
        return
    done = Command(["srun", "-K", "--mpi=pmix", *FOUR, sys.executable, os.path.join(RIGS, "fence.py")]).end(30)
    waited = dict(x.split() for x in done.out.splitlines())
    ok(done.rc == 0 and sorted(waited) == list("0123") and all(float(waited[r]) > 0.5 for r in "023"),
       "a fence of PMIx holds all ranks until the last one is there", done)


# ---- ends before its end ----

def record_of(job):
    """What Slurm knows of a job, as a dict."""
    p = subprocess.run(["scontrol", "show", "job", "-o", job], capture_output=True, text=True, timeout=20 * SLOW)
    return dict(x.split("=", 1) for x in p.stdout.split() if "=" in x)


def told_to_end(name, command):
    """SIGTERM to all processes of a job's step, in mid-run."""
    with tempfile.TemporaryDirectory() as place:
        script = batch(place, "job.sh", [" ".join(command + LONG)])
        job = Command(["sbatch", "--parsable", *FOUR, "-o", "out", script], place, SECRET).end(20).out.strip()
        if not ok(until(lambda: whole_rows(read(place, "x.csv")) > 0, 20), f"{name}: runs", read(place, "out")):
            return
        subprocess.run(["scancel", "--signal=TERM", job], check=True, timeout=20 * SLOW)
        start = time.monotonic()
        ended = until(lambda: record_of(job).get("JobState") not in ("RUNNING", "COMPLETING"), 10)
        ok(ended, f"{name}: the job ends within 10 s", record_of(job))
        print(f"# {name}: ended after {time.monotonic() - start:.1f} s", flush=True)
        equal(record_of(job).get("ExitCode"), f"{128 + signal.SIGTERM}:0", f"{name}: its exit status")
        text = read(place, "x.csv")
        ok(whole_rows(text) > 0, f"{name}: whole rows", text[-300:])
        equal((Csv(text).status, read_json(place, "x.json").get("status")), ("interrupted", "interrupted"),
              f"{name}: both files say that it was interrupted")


def out_of_time():
    """The allocation's end is the run's, which comes before it by itself."""
    name, limit = "the allocation ends", 8
    with tempfile.TemporaryDirectory() as place:
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


def early_ends():
    if reason := lacks("tcp"):
        skip("ends before the end", reason)
        return
    told_to_end("SIGTERM, plain srun", ["srun", NETBENCH])
    if not no_mpi():
        told_to_end("SIGTERM, srun --mpi=pmix", ["srun", "-K", "--mpi=pmix", NETBENCH])
    out_of_time()
    left = until(lambda: not netbenches(), 5)
    ok(left, "no netbench is left", netbenches())
    sweep()


def main():
    if PART:
        fence()
        ways()
        no_srun()
        examples()
        early_ends()
        finish()
    if reason := why_not("slurm"):
        skip_all(reason)
    relay("all", ["-m", "-n", "4"], [os.path.join(RIGS, "slurm"), "--"], seconds=150)
    finish()


if __name__ == "__main__":
    main()
