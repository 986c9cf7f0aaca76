# SPDX-License-Identifier: Apache-2.0
"""MPICH beside Open MPI in one netbench: which of them a run takes, what happens if launcher and library are of two MPIs, and
all commands by MPICH's own launcher."""
import json
import os
import re
import shutil
import signal
import subprocess
import time
import pytest
from netbench import (MPICH, NETBENCH, SLOW, Csv, Job, Rank, equal, faults, is_alive, lacks, launched_by, measure, mpich,
                      need, ok, one_fault, run, slow_but, stat_of, until)

QUICK = ["--point-time", "20ms", "--repetitions", "6", "--check", "full"]
SHORT = ["latency", "--sizes", "8", "-l", "50", "--point-time", "20ms"]
NO_LAUNCHER = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "PMI", "OMPI_COMM_"))}

pytestmark = pytest.mark.skipif(SLOW > 1, reason="under sanitizers it adds MPI's code, not ours")


@pytest.fixture
def both():
    """Skips where netbench is not built for both."""
    for name in ("openmpi", "mpich"):
        need("mpi", "--mpi", name)


@pytest.fixture
def by_mpich():
    """In here run() starts ranks by MPICH's launcher."""
    if not MPICH:
        pytest.skip("no launcher of MPICH")
    need("mpi", "--mpi", "mpich")
    with launched_by(mpich):
        yield


def hydra(n, *args, **kwargs):
    return Rank(*args, launcher=[MPICH, "-n", str(n)], **kwargs)


# ---- which of them ----

@pytest.mark.parametrize("by, variables, args, variant", [
    ("mpirun of Open MPI", {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}, [], "Open MPI"),
    ("srun --mpi=pmix", {"PMIX_RANK": "0", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2"}, [], "Open MPI"),
    ("mpirun of MPICH", {"PMI_RANK": "0", "PMI_SIZE": "2", "MPI_LOCALRANKID": "0", "SLURM_PROCID": "0"}, [], "MPICH"),
    # by a proxy on each of two hosts, which srun has started with PMIx
    ("mpirun of MPICH", {"PMI_RANK": "0", "PMI_SIZE": "4", "MPI_LOCALRANKID": "0", "PMIX_RANK": "0", "SLURM_PROCID": "0",
                         "SLURM_STEP_NUM_TASKS": "2"}, [], "MPICH"),
    ("mpirun of Intel MPI", {"PMI_RANK": "0", "PMI_SIZE": "2", "I_MPI_HYDRA_UUID": "1"}, [], "MPICH"),
    ("a launcher of PALS", {"PMI_RANK": "0", "PMI_SIZE": "2", "PALS_RANKID": "0"}, [], "MPICH"),
    ("mpirun_rsh of MVAPICH", {"MV2_COMM_WORLD_RANK": "0", "MV2_COMM_WORLD_SIZE": "2"}, [], "MPICH"),
    ("srun --mpi=pmi2", {"PMI_RANK": "0", "PMI_SIZE": "2", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2"}, [], "MPICH"),
    ("srun --mpi=cray_shasta", {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2", "SLURM_MPI_TYPE": "cray_shasta"}, [], "MPICH"),
    ("a launcher that sets PMI_RANK", {"PMI_RANK": "0", "PMI_SIZE": "2"}, [], "MPICH"),
    ("--mpi", {"PMIX_RANK": "0", "SLURM_STEP_NUM_TASKS": "2", "NETBENCH_MPI": "openmpi"}, ["--mpi", "mpich"], "MPICH"),
    ("NETBENCH_MPI", {"PMIX_RANK": "0", "SLURM_STEP_NUM_TASKS": "2", "NETBENCH_MPI": "mpich"}, [], "MPICH"),
    ("a launcher's variables", {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1", "PMI_RANK": "0", "PMI_SIZE": "1"}, ["-b", "mpi"], "MPICH"),
    ("default", {}, ["-b", "mpi"], "Open MPI")], ids=lambda x: x if isinstance(x, str) and " " in x else "")
def test_the_launcher_decides_which_mpi_is_loaded(by, variables, args, variant, both):
    done = run("beff", "--dry-run", "-v", *args, env={**NO_LAUNCHER, **variables})
    said = re.search(r"^netbench: backend mpi: (.*), by (.*)$", done.err, re.M)
    ok(done.rc == 0 and said and said[1].startswith(variant) and said[2] == by, f"MPI by {by}", done)


@pytest.mark.parametrize("args, rc, words", [
    (["latency", "-b", "mpi", "--mpi", "lam"], 2, ["'lam'", "'--mpi'", "openmpi", "mpich"]),
    (["latency", "--mpi", "mpich"], 2, ["'--mpi'", "'fork'"]),
    (["latency", "--mpi-library", "x.so"], 2, ["'--mpi-library'", "'fork'"]),
    (["latency", "--listen", "0", "--mpi", "mpich"], 2, ["'--mpi'", "'join'"]),
    (["latency", "--join", "127.0.0.1:1", "--mpi-library", "x.so"], 2, ["'--mpi-library'"]),
    (["latency", "-b", "mpi", "--mpi", "mpich", "--mpi-library", "/no/such"], 3, ["/no/such"]),
    (["latency", "-b", "mpi", "--mpi", "openmpi", "--mpi-library", "libm.so.6"], 3, ["'libm.so.6' is no library of Open MPI"])],
    ids=lambda x: " ".join(x[1:]) if isinstance(x, list) and x[0] == "latency" else "")
def test_words_that_name_no_mpi_or_library_are_refused(args, rc, words, both):
    done = run(*args, env=NO_LAUNCHER)
    ok(one_fault(done, rc, *words), " ".join(args), done)


def test_a_bad_word_in_the_variable_for_the_mpi_is_refused(both):
    done = run("latency", "-b", "mpi", env={**NO_LAUNCHER, "NETBENCH_MPI": "lam"})
    ok(one_fault(done, 2, "'lam'", "'NETBENCH_MPI'"), "NETBENCH_MPI=lam", done)


def test_joined_rank_takes_no_library_of_another(both, place):
    """NETBENCH_MPI_LIBRARY of the rank that listens is its own, and no library is loaded for a job without MPI."""
    job = Job()
    job.listen(*SHORT, env={"NETBENCH_MPI_LIBRARY": str(place / "theirs.so"), "LD_DEBUG": "files"})
    job.join("latency", env={"LD_DEBUG": "files"})
    done = job.end()
    ok(all(d.rc == 0 and "theirs.so" not in d.err and "libmpi" not in d.err for d in done), "no library of MPI", [d.err[-300:] for d in done])


def test_a_shell_of_srun_uses_the_mpi_that_there_is(place, both):
    """A shell that srun has started, as in an allocation, does not keep from using the MPI that there is."""
    alone = shutil.copy(NETBENCH, place)
    shutil.copy(os.path.join(os.path.dirname(NETBENCH), "netbench-mpi-openmpi.so"), place)
    shell = {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1", "PMI_RANK": "0", "PMI_SIZE": "1"}
    p = subprocess.run([alone, "list", "-b", "mpi"], capture_output=True, text=True, env={**NO_LAUNCHER, **shell})
    ok(p.returncode == 0 and "openmpi: Open MPI, loaded" in p.stdout, "Open MPI's is used", p)


def test_under_srun_without_a_library_the_line_says_how_to_go_on(both):
    """Where srun's default is PMI-2 and no library of its kin is here, the line says how to go on."""
    srun = {"PMI_RANK": "0", "PMI_SIZE": "2", "SLURM_PROCID": "0", "SLURM_LOCALID": "0", "SLURM_STEP_NUM_TASKS": "2"}
    done = run(*SHORT, env={**NO_LAUNCHER, **srun, "NETBENCH_MPI_LIBRARY": "/no/such"})
    ok(one_fault(done, 3, "job 'mpi' (srun --mpi=pmi2) cannot be loaded", "; try '--job join', which needs no MPI"), "the way out", done)


def test_a_module_that_is_none_of_the_variants_is_used(place, both):
    """A module netbench-mpi.so, which is none of the variants, is a backend as well."""
    alone = shutil.copy(NETBENCH, place)
    if subprocess.run([alone, "list", "-b", "mpi"], capture_output=True, env=NO_LAUNCHER).returncode == 0:
        pytest.skip("backend 'mpi' is installed on this machine")
    shutil.copy(os.path.join(os.path.dirname(NETBENCH), "netbench-mpi-openmpi.so"), place / "netbench-mpi.so")
    p = subprocess.run([alone, *SHORT, "-b", "mpi"], capture_output=True, text=True, env=NO_LAUNCHER, timeout=30)
    ok(p.returncode == 2 and "takes 2 to" in p.stderr, "it is used", p)


def test_list_shows_both_mpis_and_the_library_of_the_one_chosen(both):
    out = run("list", env=NO_LAUNCHER).out
    ok(re.search(r"^  mpi +module +MPI, here Open MPI \(openmpi, mpich", out, re.M), "list has both", out)
    out = run("list", "-b", "mpi", env={**NO_LAUNCHER, "NETBENCH_MPI": "mpich"}).out
    ok("mpich: MPICH and its kin, loaded" in out and re.search(r"library +MPICH \d", out), "list of one has its library", out)


# ---- launcher and library of two MPIs ----

@pytest.mark.parametrize("launcher, args, words", slow_but([
    ("mpich", ["--mpi", "openmpi"], ["mpirun of MPICH has started 3 ranks", "Open MPI", "use '--mpi mpich'"]),
    ("openmpi", ["--mpi", "mpich"], ["mpirun of Open MPI has started 3 ranks", "MPICH", "use '--mpi openmpi'"]),
    ("mpich", ["--mpi-library", "libmpi.so.40"], ["libmpi.so.40", "is Open MPI", "not MPICH"]),
    ("openmpi", ["--mpi-library", "libmpich.so.12"], ["libmpich.so.12", "is MPICH", "not Open MPI"]),
    ("mpich", ["--mpi-library", "/no/such"], ["cannot be loaded", "/no/such"])], 4))
def test_two_mpis_mixed_are_told_in_a_line_of_one_rank(launcher, args, words, both):
    """One line of one rank, in place of three runs of one rank."""
    program = MPICH if launcher == "mpich" else shutil.which("mpirun.openmpi") or shutil.which("mpirun")
    if not program or (args[-1].startswith("lib") and lacks("mpi", "--mpi", "mpich" if "mpich" in args[-1] else "openmpi",
                                                            "--mpi-library", args[-1])):
        pytest.skip(f"no launcher, or no {args[-1]}")
    done = Rank(*SHORT, *args, launcher=[program, "-n", "3"]).end(30)
    ok(one_fault(done, 3, *words) and not done.out, f"launcher of {launcher}, {' '.join(args)}", done)


def test_a_variable_left_of_a_launcher_makes_no_job(both):
    """What is left of a launcher's variables makes no job."""
    done = run(*SHORT, env={**NO_LAUNCHER, "PMI_RANK": "0", "PMI_SIZE": "2"})
    ok(one_fault(done, 3, "PMI_RANK has started 2 ranks", "each is alone", "--mpi-library"), "PMI_RANK alone", done)


@pytest.mark.slow
def test_without_the_module_the_launcher_is_told(by_mpich, place):
    alone = shutil.copy(NETBENCH, place)
    p = subprocess.run([MPICH, "-n", "2", alone, "beff", "-m", "2"], capture_output=True, text=True, timeout=30)
    lines = [x for x in p.stderr.splitlines() if x.startswith("netbench: ")]
    ok(p.returncode == 3 and len(lines) == 1 and "netbench-mpi-mpich.so" in lines[0], "no module for MPICH", p.stderr)


# ---- runs by MPICH's launcher ----

def verified(name, *args, nrows=None):
    done, table = measure(*args, "--backend", "mpi", *QUICK)
    ok(done.rc == 0 and not done.faults and table.status == "complete" and table.rows and not table.broken and
       nrows in (None, len(table.rows)) and not any(r.get("errors") for r in table.rows) and
       all(r["checked"] for r in table.rows if r["size_B"]), name, done)
    return table


def test_latency_over_the_other_mpi_is_verified(by_mpich):
    verified("latency", "latency", "--sizes", "0,8,4097,64k,1M", "-l", 50, nrows=5)


def test_the_record_names_library_abi_and_device(by_mpich):
    done = run(*SHORT, "-f", "json")
    b = json.loads(done.out)["environment"]["backend"] if done.rc == 0 else {}
    ok(b.get("mpi") == "mpich" and re.match(r"\S+ \d", b.get("library", "")) and "libmp" in b.get("library_file", "") and
       b.get("library_abi", "").startswith("MPICH 1") and re.match(r"ch\d:", b.get("device", "")) and
       b["transport"].startswith(b["device"]) and "components_open" not in b, "what is recorded of MPICH", b or done)
    done = run(*SHORT, "-f", "json", env={**os.environ, "UCX_TLS": "posix,self,tcp"})
    ok(done.rc == 0 and "UCX_TLS=posix,self,tcp" in json.loads(done.out)["environment"]["backend"]["parameters"],
       "the user's variables of what is below it", done)


def test_doctor_under_mpiexec_looks_at_both_ranks(by_mpich):
    """It looks before anything else has asked which MPI is meant."""
    done = hydra(2, "doctor", "-f", "json").end(60)
    record = json.loads(done.out) if done.rc == 0 else {"environment": {"job": {}}}
    ok(record["environment"].get("nranks") == 2 and record["environment"]["job"]["name"] == "mpi", "both ranks", done)


@pytest.mark.slow
@pytest.mark.parametrize("args", [
    ["msgrate", "--sizes", "1,64k", "--window", "1,16"], ["bandwidth", "--sizes", "1k,1M", "--window", 8],
    *(["beff", "-n", n, "--sizes", "1,70000"] for n in (1, 2, 3, 4, 8, 17)),
    ["check", "-n", 2], ["map", "-n", 3],
    ["atlas-1.1", "-n", 2], ["atlas-1.2", "-n", 2, "--window", "1,16"], ["atlas-1.3", "--ranks", "2,4,8"],
    ["atlas-1.4", "--ranks", "4,8"], ["atlas-1.5", "--ranks", "3,5"], ["atlas-1.6", "--ranks", 9, "--algorithm", "binomial,native"],
    ["atlas-1.7", "--ranks", "5"], ["atlas-2.1", "-n", 6, "--sources", 4], ["atlas-2.2", "-n", 5],
    ["atlas-2.3", "-n", 7, "--topology", "4-2-1"]],
    ids=lambda a: "-".join(map(str, a[:3])))
def test_every_command_runs_over_the_other_mpi(args, by_mpich):
    """What does not end in time is told so; with more ranks than cores each message takes milliseconds."""
    if args[0] in ("check", "map"):
        done = run(*args, "-b", "mpi", *(["--time", "5s"] if args[0] == "check" else ["--sizes", "8,64k"]), timeout=120)
        ok(done.rc in (0, 4) and not done.faults, args[0], done)
    elif args[0].startswith("atlas"):
        verified(" ".join(map(str, args)), *args, "--sizes", "64,70000" if args[0] < "atlas-2" else "64",
                 *(["--load", "none"] if args[0] < "atlas-2" else []))
    else:
        verified(" ".join(map(str, args)), *args)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["auto", "nonblocking", "persistent"])
def test_each_form_of_calls_is_verified_or_refused(form, by_mpich):
    verified(f"form {form}", "msgrate", "--sizes", "8,9k", "--window", "1,16", "--mpi-form", form)
    done, table = measure("atlas-1.6", "-b", "mpi", "-n", 3, "--algorithm", "native", "--mpi-form", form, "--sizes", "8,70000",
                          "-l", 20, "--load", "none")
    ok(done.rc == 0 and table.status == "complete" and not any(r["errors"] for r in table.rows) or
       one_fault(done, 3, "no persistent form of MPI_Bcast"), f"a broadcast, {form}", done)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["tcp", "shm"])
def test_other_backends_run_under_its_launcher(backend, by_mpich):
    done, table = measure(*SHORT, "-b", backend)
    equal((done.rc, table.one("environment.job.name"), table.one("environment.backend.name")), (0, "mpi", backend),
          f"backend {backend} under MPICH's launcher")


@pytest.mark.slow
@pytest.mark.parametrize("args, words", [
    (["beff", "-m", 99], ["'99'"]), (["beff", "-n", 3], ["'3'", "mpirun of MPICH", "2"]),
    (["beff", "-b", "sim"], ["'sim'", "'mpi'"]), (["beff", "--szes", 3], ["--szes"])], ids=str)
def test_a_fault_of_all_ranks_is_told_once(args, words, by_mpich):
    """The launcher ends all with MPI_Abort, and may return the status of one that it has killed."""
    done = hydra(2, *args).end(30)
    ok(done.rc and one_fault(done, done.rc, *words), f"{args} is told once", done)


@pytest.mark.slow
def test_more_ranks_than_cores_are_warned_of(by_mpich):
    n = 2 * os.cpu_count()
    done = hydra(n, "beff", "--sizes", 8, *QUICK).end(60)
    ok(done.rc == 0 and any("do not yield" in w for w in done.warnings), "more ranks than CPUs: a warning", done)


@pytest.mark.slow
def test_the_library_is_taken_by_name_and_by_file(by_mpich, place):
    """As Intel MPI and others call it, found by the system; and by --mpi-library."""
    done = run(*SHORT, "-f", "json")
    real = os.path.realpath(json.loads(done.out)["environment"]["backend"]["library_file"])
    shutil.copy(real, place / "libmpi.so.12")
    for how in ({"LD_LIBRARY_PATH": str(place)}, {"NETBENCH_MPI_LIBRARY": str(place / "libmpi.so.12")}):
        done = run(*SHORT, "-f", "json", env={**os.environ, **how})
        got = json.loads(done.out)["environment"]["backend"]["library_file"] if done.rc == 0 else done
        equal(got, str(place / "libmpi.so.12"), f"library by {list(how)[0]}")


@pytest.mark.slow
def test_what_a_library_lacks_is_told_and_no_other_is_taken(both, place):
    """What it lacks is said, and no other library taken in its place."""
    real = next((p for p in ("/usr/lib/x86_64-linux-gnu/libmpich.so.12", "/usr/lib64/mpich/lib/libmpi.so.12") if os.path.exists(p)), None)
    content = open(real, "rb").read() if real else b""
    if b"libhwloc.so.15" not in content:
        pytest.skip("no library of MPICH that needs libhwloc.so.15")
    (place / "libmpi.so.12").write_bytes(content.replace(b"libhwloc.so.15", b"libhwloc.so.zz"))
    done = run(*SHORT, "-b", "mpi", "--mpi", "mpich", env={**NO_LAUNCHER, "LD_LIBRARY_PATH": str(place)})
    ok(one_fault(done, 3, "'libmpi.so.12'", "libhwloc.so.zz"), "what is missing", done)


def ranks_of(pid):
    """Processes of netbench below a launcher's."""
    found, above = [], {pid}
    for p in sorted(map(int, filter(str.isdigit, os.listdir("/proc")))):
        if (stat_of(p) or (0, 0))[1] in above:
            above.add(p)
            try:
                found += [p] if os.path.samefile(f"/proc/{p}/exe", NETBENCH) else []
            except OSError:
                pass
    return found


LONG = ["beff", "-m", "6", "--point-time", "30s", "--ci", "0", "-o", "x.csv"]


@pytest.mark.slow
def test_all_ranks_end_when_one_is_killed(by_mpich, place):
    r = hydra(2, *LONG, cwd=place)
    pids = until(lambda: len(found := ranks_of(r.p.pid)) == 2 and found, 10)
    assert pids, f"does not run: {r.said()}"
    time.sleep(1)
    os.kill(pids[1], signal.SIGKILL)
    done = r.end(10)
    ok(done.rc not in (0, None) and len(faults(done)) <= 1 and not any(map(is_alive, pids)), "all end within 10 s", done)


@pytest.mark.slow
def test_a_terminated_job_leaves_a_whole_result(by_mpich, place):
    r = hydra(2, *LONG, cwd=place)
    until(lambda: (place / "x.csv").exists(), 10)
    time.sleep(1)
    r.p.terminate()
    r.end(10)
    equal(Csv((place / "x.csv").read_text()).status, "interrupted", "SIGTERM leaves a whole file")
