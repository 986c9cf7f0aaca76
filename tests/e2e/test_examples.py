# SPDX-License-Identifier: Apache-2.0
"""The job files of examples/ are run until their tables, records and pictures are there: on this machine, where a few
lines stand in for srun, squeue and ssh and all ranks are here; and on hosts of their own, under Slurm itself. So are the
lines that have drawn the picture of the README."""
import json
import os
import re
import shutil

import pytest
from netbench import MPI_ENV, NETBENCH, SOURCE, Command, Csv, equal, named, ok, skip, slow_but
from picture import Picture
from rig import CLUSTER, lacks, read

EXAMPLES = os.path.join(SOURCE, "examples")
SLURM = {"SLURM_JOB_ID": "1", "SLURM_NTASKS": "4", "SLURM_NNODES": "2", "SLURM_STEP_NODELIST": "127.0.0.1"}

# name: (what it leaves, what it needs)
JOBS = {"slurm-srun": (["beff", "latency"], "tcp"), "slurm-mpirun": (["beff", "latency"], "mpi"),
        "slurm-fpga": (["fpga", "fpga-latency"], "fpga"), "pbs-mpirun": (["beff", "latency"], "mpi"),
        "two-hosts-ssh": (["latency"], "tcp")}

HERE = ["127.0.0.1", "localhost", "7479"]   # two hosts and a port

# Stand-ins. Each process of a step gets of Slurm's variables those that netbench reads.
STAND_INS = {"squeue": "date -d '+1 hour' +%Y-%m-%dT%H:%M:%S\n",
             "ssh": 'shift\nexec sh -c "$*"\n', "srun": """
export SLURM_STEP_NUM_TASKS=$SLURM_NTASKS SLURM_STEP_ID=$$
while :; do
	case $1 in
	--ntasks=*) SLURM_STEP_NUM_TASKS=${1#*=} ;;
	--nodes=* | --mpi=none) ;;
	*) break ;;
	esac
	shift
done
for rank in $(seq 1 $((SLURM_STEP_NUM_TASKS - 1))); do
	SLURM_PROCID=$rank "$@" &
done
SLURM_PROCID=0 "$@" && wait
"""}


def run_job(name, place, stand_ins=(), env=(), after=(), before=("bash",), pictures=True):
    """Runs a job file in a directory, of small messages, and checks what it leaves."""
    results, backend = JOBS[name]
    if reason := lacks(backend) or (backend == "fpga" and lacks("mpi")):
        pytest.skip(reason)
    (place / "bin").mkdir()
    os.symlink(NETBENCH, place / "bin/netbench")
    for tool in stand_ins:
        (place / "bin" / tool).write_text("#!/bin/sh\n" + stand_ins[tool])
        (place / "bin" / tool).chmod(0o755)
    shutil.copy(os.path.join(EXAMPLES, name + ".sh"), place)
    env = {"PATH": f"{place}/bin:{os.environ['PATH']}", "NETBENCH_OPTIONS": "-m 8 --repetitions 2 --ci 0",
           "NETBENCH_FPGA": "emulate", **MPI_ENV, **dict(env)}
    done = Command([*before, name + ".sh", *after], place, env).end(60)
    said = "".join(read(place, x) for x in os.listdir(place) if re.fullmatch(r"slurm-.*\.out", x))
    ok(done.rc == 0, f"{name}: ends well", f"{done}\n{said[-1500:]}")
    for result in results:
        check_result(result, place, pictures)
    return done


def check_result(name, place, pictures):
    """A table, the record with the same points, and a picture with a mark for each."""
    equal(Csv(read(place, name + ".csv")).status, "complete", f"{name}.csv")
    record = json.loads(read(place, name + ".json") or "{}")
    equal((record.get("status"), len(record.get("rows", []))), ("complete", 9), f"{name}.json")
    if not pictures:
        ok(not os.path.exists(place / f"{name}.svg"), f"{name}.svg is not there")
    elif not shutil.which("gnuplot"):
        skip(f"{name}.svg", "no gnuplot")
    elif ok(os.path.exists(place / f"{name}.svg"), f"{name}.svg is there", os.listdir(place)):
        equal(Picture(place / f"{name}.svg").points, 9, f"{name}.svg: points")


# ---- on this machine ----

@pytest.mark.parametrize("name", slow_but(("slurm-srun", "slurm-mpirun", "slurm-fpga"), 0))
def test_the_job_files_for_slurm_run_with_stand_ins_for_it(name, place):
    (place / "hosts").write_text("localhost slots=4\n")
    run_job(name, place, STAND_INS, {**SLURM, "OMPI_MCA_orte_default_hostfile": f"{place}/hosts"})


@pytest.mark.slow
def test_the_job_file_for_pbs_runs_with_its_nodes_in_a_file(place):
    (place / "nodes").write_text("localhost\n" * 4)
    run_job("pbs-mpirun", place, env={"PBS_NODEFILE": f"{place}/nodes", "PBS_O_WORKDIR": str(place)})


@pytest.mark.slow
def test_the_script_for_two_hosts_runs_with_a_stand_in_for_ssh(place):
    run_job("two-hosts-ssh", place, STAND_INS, after=HERE)


@pytest.mark.slow
def test_a_job_without_gnuplot_ends_well_and_says_why_there_is_no_picture(place):
    """The job ends well without a picture, and says why."""
    (place / "tools").mkdir()
    for tool in ("bash", "sh", "od", "tr"):
        os.symlink(shutil.which(tool), place / "tools" / tool)
    done = run_job("two-hosts-ssh", place, STAND_INS, {"PATH": f"{place}/bin:{place}/tools"}, HERE, pictures=False)
    ok("gnuplot is not installed" in done.err, "says why", done)


@pytest.mark.parametrize("name, args, why", named((
    ("slurm-srun", [], "SLURM_JOB_ID: is set within a Slurm job only"),
    ("slurm-mpirun", [], "SLURM_JOB_ID: is set within a Slurm job only"),
    ("slurm-fpga", [], "SLURM_JOB_ID: is set within a Slurm job only"),
    ("pbs-mpirun", [], "PBS_NODEFILE: is set within a PBS job only"),
    ("two-hosts-ssh", [], "usage: two-hosts-ssh.sh THIS-HOST OTHER-HOST"),
    ("two-hosts-ssh", HERE, "no ssh to 'localhost', or no netbench in the PATH there"))))
def test_a_job_file_that_cannot_run_says_so_at_once_and_leaves_nothing(name, args, why, place):
    """At once, in a line, with nothing left behind."""
    (place / "ssh").write_text("#!/bin/sh\nexit 255\n")
    (place / "ssh").chmod(0o755)
    done = Command(["bash", os.path.join(EXAMPLES, name + ".sh"), *args], place, {"PATH": f"{place}:{os.environ['PATH']}"}).end(5)
    ok(done.rc == 1 and why in done.err and len(done.err.splitlines()) == 1, name, done)
    equal(os.listdir(place), ["ssh"], f"{name}: files")


# ---- RDMA ----

@pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot")
def test_the_rdma_figures_by_formula_and_simulated_agree(place):
    (place / "bin").mkdir()
    os.symlink(NETBENCH, place / "bin/netbench")
    done = Command(["sh", os.path.join(EXAMPLES, "rdma-figures.sh")], place, {"PATH": f"{place}/bin:{os.environ['PATH']}"}).end(60)
    ok(done.rc == 0 and all((place / f"{name}.svg").exists() for name in ("window", "batch", "size")), "three pictures", done)
    for name, points in (("window", 8), ("batch", 12), ("size-unbatched", 14), ("size-batched", 7)):
        model, simulated = (json.loads(read(place, f"{name}-{how}.json"))["rows"] for how in ("formula", "simulated"))
        ratios = [s["bandwidth_Bps"] / m["bandwidth_model_Bps"] for m in model for s in simulated
                  if all(m.get(c, 1) == s.get(c, 1) for c in ("size_B", "window", "batch"))]
        ok(len(ratios) == points and all(0.985 < r < 1.001 for r in ratios), f"{name}: simulated over model", ratios)


# ---- on hosts of their own ----

@pytest.mark.slow
@pytest.mark.rig("slurm", "-m", "-n", "4", seconds=200)
@pytest.mark.parametrize("name", named(("slurm-srun", "slurm-mpirun", "slurm-fpga")))
def test_the_job_files_for_slurm_run_under_slurm(name, place):
    run_job(name, place, before=[os.path.join(SOURCE, "tests/rigs/sbatch-wait"), "-N", "4", "-n", "4"])


@pytest.mark.slow
@pytest.mark.rig("cluster", "-m", "-n", "4")
def test_the_job_file_for_pbs_runs_on_four_hosts(place):
    (place / "nodes").write_text("".join(f"n{i}\n" for i in range(4)))
    run_job("pbs-mpirun", place, env={"PBS_NODEFILE": f"{place}/nodes", "PBS_O_WORKDIR": str(place)})


@pytest.mark.slow
@pytest.mark.rig("cluster", "-m", "-n", "2")
def test_the_script_for_two_hosts_runs_on_two_hosts(place):
    run_job("two-hosts-ssh", place, {"ssh": f'exec {CLUSTER}/rsh "$@"\n'}, after=["n0", "n1"])


# ---- the pictures of the README ----

@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("gnuplot"), reason="no gnuplot")
@pytest.mark.parametrize("number, most", (pytest.param(0, 60000, id="latency"), pytest.param(1, 100000, id="map")))
def test_the_pictures_of_the_readme_are_drawn_by_the_lines_below_them(number, most, place):
    """The lines below it draw it. Where this fails, plot has changed: draw it anew, on a quiet machine."""
    readme = read(SOURCE, "README.md")
    picture = os.path.join(SOURCE, re.findall(r"!\[[^]]*\]\((\S+\.svg)\)", readme)[number])
    lines = re.findall(r"Three\slines have made it:\n\n((?: {4}.*\n)+)", readme)[number]
    (place / "bin").mkdir()
    os.symlink(NETBENCH, place / "bin/netbench")
    done = Command(["sh", "-ec", lines], place, {"PATH": f"{place}/bin:{os.environ['PATH']}"}).end(120)
    if not ok(done.rc == 0, "the lines run", done):
        return
    drawn, there = Picture(place / os.path.basename(picture)), Picture(picture)
    equal((there.legend(), there.size[0], there.points), (drawn.legend(), drawn.size[0], drawn.points), "as committed")
    equal(axes(there), axes(drawn), "its axes are called the same")
    ok(len(axes(drawn)) >= 2, "both axes have a name", drawn.texts)
    ok(os.path.getsize(picture) < most, "it is small")
    verdicts = [t.partition(": ")[2] for t in drawn.texts if " is " in t and " slower (" in t]
    equal([v for v in verdicts if f"    {v}\n" not in readme], [], "the README has its verdicts")
    equal([t for t in there.texts if " slower (" in t], [t for t in drawn.texts if " slower (" in t], "as has the picture")
    equal(len(verdicts), 3 if "map" in picture else 0, "these are all")


def axes(picture):
    return [t for t in picture.texts if re.search(r"half_rtt|round trip|size|^(send|receive)$", t, re.I) and "repetitions" not in t]
