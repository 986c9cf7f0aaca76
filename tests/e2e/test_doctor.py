# SPDX-License-Identifier: Apache-2.0
"""netbench doctor: what people read, what is in files, its exit status, and the hosts of jobs. What it finds on which machine
is for test-doctor.c; here some of that comes from a directory that stands for the root (NETBENCH_ROOT)."""
import json
import os
import shutil
import subprocess

import pytest
from netbench import MPI_ENV, NETBENCH, SECRET, Command, Csv, Job, equal, named, need, ok, one_fault, run
from rig import finish_all, on

GOVERNORS = {f"sys/devices/system/cpu/cpu{i}/cpufreq/scaling_governor": "powersave" for i in range(256)}
NIC = {"sys/class/net/eth0/operstate": "up", "sys/class/net/eth0/speed": "25000", "sys/class/net/eth0/mtu": "9000"}
PORT = {"sys/class/infiniband/mlx5_0/ports/1/" + name: text for name, text in
        {"state": "4: ACTIVE", "rate": "100 Gb/sec (4X EDR)", "link_layer": "InfiniBand"}.items()}


def root(place, files):
    """A directory that stands for the root."""
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return {"NETBENCH_ROOT": str(place)}


def doctor(*args, **env):
    return run("doctor", *args, env={**os.environ, **env})


def examined(*args, **env):
    """The record of a visit."""
    done = doctor(*args, "-f", "json", **env)
    ok(done.rc == 0 and not done.err, "it looked", done)
    return json.loads(done.out)


def found(record, name, subject=""):
    """Severity of a finding; None if there is none."""
    return next((r["severity"] for r in record["rows"] if (r["finding"], r["subject"]) == (name, subject)), None)


def verdict(wrong, notes):
    things = "nothing is wrong" if not wrong else "1 thing is wrong" if wrong == 1 else f"{wrong} things are wrong"
    return things + (f", {notes} to know of" if notes else "")


# ---- one host ----

def test_the_text_begins_with_the_verdict_and_has_short_lines(place):
    env = root(place, NIC)
    done = doctor(**env)
    lines = done.out.splitlines()
    ok(done.rc == 0 and not done.err, "it looked", done)
    ok(" doctor on host " in lines[0], "the verdict comes first", lines[0])
    ok("nothing is wrong" in lines[0] or "wrong:" in lines, "what is wrong is told", done)
    equal([x for x in lines if len(x) > 79], [], "lines are short")
    for part in ("netbench would use:", "links of this host:", "fine: "):
        ok(any(x.startswith(part) for x in lines), f"there is '{part}'", done)
    ok(any(x.split() == "eth0 up, 25 Gbit/s, MTU 9000, virtual".split() for x in lines), "the link is there", done)


def test_record_and_verdict_agree(place):
    env = root(place, NIC | GOVERNORS)
    done = doctor("-o", str(place / "x.json"), "-o", str(place / "x.csv"), **env)
    record, table = json.loads((place / "x.json").read_text()), Csv((place / "x.csv").read_text())
    equal((record["command"], record["definition"], record["status"]), ("doctor", "doctor.v1", "complete"), "what it is")
    count = [sum(r["severity"] == s for r in record["rows"]) for s in ("wrong", "note")]
    equal([record["summary"]["wrong"], record["summary"]["notes"]], count, "counts of the summary")
    ok(verdict(*count) in " ".join(done.out.split("\n\n")[0].split()), "the verdict", done)
    equal(len(table.rows), len(record["rows"]), "rows of CSV")
    equal({r["hosts"] for r in record["rows"]}, {""}, "one host is not named")
    ok(all((r["severity"] == "ok") == (r["remedy"] == "") for r in record["rows"]), "what is not fine has a remedy", record["rows"])
    equal(found(record, "governor", "powersave"), "wrong", "governor")
    equal(record["summary"]["links"]["eth0"]["facts"]["mtu_B"], 9000, "facts of the link")
    equal([c["backend"] for c in record["summary"]["choices"][:2]], ["shm", "tcp"], "choices")


@pytest.mark.slow
def test_only_with_strict_is_a_finding_a_failure(place):
    env = root(place, NIC | GOVERNORS)
    ok(doctor(**env).rc == 0, "without it that something is wrong is no failure")
    done = doctor("--strict", **env)
    ok(one_fault(done, 1, "wrong (--strict)") and done.out, "with it it is", done)
    done = doctor("--strict", **root(place / "other", NIC))
    wrong = not done.out.split("\n")[0].count("nothing is wrong")
    equal(done.rc, int(wrong), "what is not wrong is no failure")


def test_without_sys_and_proc_nothing_is_made_up(place):
    record = examined(NETBENCH_ROOT=str(place))
    equal([found(record, name, subject) for name, subject in (("hidden", "/sys"), ("hidden", "/proc"), ("shm", "/dev/shm"))],
          ["note", "wrong", "note"], "what cannot be read")
    equal([found(record, name) for name in ("network", "quota", "governor")], [None] * 3, "nothing is said of what is not known")


def test_hardware_is_seen_among_many_interfaces_of_containers(place):
    """As many names before its own as a host of Kubernetes has."""
    soft = {f"sys/class/net/cali{i}/operstate": "up" for i in range(40)}
    record = examined(**root(place, soft | NIC | {"sys/class/net/eth0/device/vendor": "0x15b3"}))
    equal(record["summary"]["links"].get("eth0", {}).get("facts", {}).get("mtu_B"), 9000, "the interface is seen")


def test_device_that_libibverbs_does_not_see(place):
    need_module("verbs")
    record = examined(**root(place, PORT))
    equal(found(record, "link", "mlx5_0 port 1"), "ok", "the port")
    if "no RDMA device" not in " ".join(run("list").out.split()):
        pytest.skip("there are RDMA devices here")
    equal(found(record, "backend", "verbs"), "wrong", "the backend")


@pytest.mark.parametrize("name, library, remedy", [
    ("verbs", b"libibverbs.so.1", "package"), ("ofi", b"libfabric.so.1", "package libfabric1"),
    ("mpi-openmpi", b"libmpi.so.40", "package libopenmpi3")])
def test_library_that_is_missing(name, library, remedy, place):
    """A module that asks for another version than there is."""
    backend, _, mpi = name.partition("-")
    module = os.path.join(os.path.dirname(NETBENCH), f"netbench-{name}.so")
    if not os.path.exists(module):
        pytest.skip(f"this build has no backend '{backend}'")
    with open(module, "rb") as f:
        content = f.read()
    if library not in content:
        pytest.skip(f"it does not need {library.decode()}")
    (place / f"netbench-{name}.so").write_bytes(content.replace(library, library[:-2] + b"zz"))
    record = examined(NETBENCH_MODULES=str(place), NETBENCH_MPI=mpi)
    row = next(r for r in record["rows"] if (r["finding"], r["subject"]) == ("backend", backend))
    equal(row["severity"], "note", "it is missing")
    ok("cannot open shared object file" in row["found"] and remedy in row["remedy"], "what is missing", row)


def test_library_of_mpich_that_is_missing():
    need("mpi", "--mpi", "mpich")
    record = examined(NETBENCH_MPI="mpich", NETBENCH_MPI_LIBRARY="libmpich.so.zz")
    row = next(r for r in record["rows"] if (r["finding"], r["subject"]) == ("backend", "mpi"))
    ok("libmpich.so.zz" in row["found"] and "package libmpich12" in row["remedy"], "its package", row)


def need_module(name):
    if f"\n  {name} " not in run("list").out:
        pytest.skip(f"this build has no backend '{name}'")


def test_backend_that_is_asked_for(place):
    env = root(place, NIC)
    record = examined("-b", "shm", **env)
    equal((found(record, "backend", "shm"), [c["backend"] for c in record["summary"]["choices"]]), ("ok", ["shm"]), "one that runs")
    equal(found(examined("-b", "nosuch", **env), "backend", "nosuch"), "wrong", "one that there is not")
    equal(found(examined(**env), "backend", "nosuch"), None, "which is no finding otherwise")
    ok(one_fault(doctor("-b", "nosuch", "--strict", **env), 1, "--strict"), "its absence fails")


def test_launchers_are_those_of_the_path(place):
    (place / "bin").mkdir()
    equal(found(examined(PATH=str(place / "bin")), "launcher"), "note", "none")
    (place / "bin/srun").write_text("#!/bin/sh\n")
    (place / "bin/srun").chmod(0o755)
    equal(found(examined(PATH=str(place / "bin")), "launcher", "srun"), "ok", "one")


@pytest.mark.parametrize("args, words", named([
    (["x"], "unexpected operand 'x'"), (["--ring-size", "4k"], "unknown option '--ring-size'"), (["-n", "0"], "'--ranks'"),
    (["--job", "x"], "unknown job 'x'"), (["--job", "sim"], "job 'sim'"), (["-o", "x.png"], "x.png"), (["--sizes", "8"], "--sizes"),
    (["--listen", "7000"], "needs '--ranks'"), (["--rank", "1"], "needs '--listen' or '--join'")]))
def test_command_line_that_is_wrong(args, words):
    done = run("doctor", *args)
    ok(one_fault(done, 2, words) and not done.out, "it is refused", done)


# ---- jobs ----

def test_ranks_of_this_host_are_told_of_once():
    record = examined("-n", "3")
    equal((record["environment"]["nranks"], record["environment"]["job"]["name"]), (3, "fork"), "job")
    equal({r["hosts"] for r in record["rows"]}, {""}, "one host is told of")


def test_one_rank_that_listens_looks_at_its_host():
    done = run("doctor", "--listen", "127.0.0.1:0", "-n", "1", "-q", "-f", "json")
    equal((done.rc, json.loads(done.out or "{}").get("environment", {}).get("nranks")), (0, 1), "it looks at its host")


def test_hosts_that_join_differ(place):
    """Two host names on one machine, whose roots differ."""
    name = ["unshare", "--user", "--map-root-user", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"']
    if subprocess.run([*name, "other", "true"], capture_output=True).returncode:
        pytest.skip("no namespaces for users here, or no hostname")
    job = Job()
    here = root(place / "here", NIC)
    there = root(place / "there", NIC | {"sys/class/net/eth0/mtu": "1500"} | GOVERNORS)
    job.listen("doctor", "-n", "2", "-f", "json", "-q", env=here.items())
    job.join("doctor", launcher=[*name, "other"], env=there.items())
    done = job.end(30)
    equal([d.rc for d in done], [0, 0], "how they ended")
    record = json.loads(done[0].out)
    rows = {(r["finding"], r["subject"]): r for r in record["rows"]}
    equal((rows["mtu", ""]["severity"], rows["mtu", ""]["hosts"]), ("wrong", "other"), "MTUs that differ")
    equal(rows["mtu", ""]["found"], "MTU 1500, others 9000", "what differs")
    equal(rows["governor", "powersave"]["hosts"], "other", "whose finding it is")
    equal(rows["backend", "shm"]["hosts"], "", "what all hosts have")
    equal(len(record["summary"]["machines"]["hosts"]), 2, "hosts of the record")
    ok(not done[1].out, "the other rank says nothing", done[1])


def test_the_doctor_looks_under_mpirun():
    need("mpi")
    done = Command(["mpirun", "-n", "2", NETBENCH, "doctor", "-f", "json"], env=MPI_ENV).end(60)
    equal(done.rc, 0, "it looked")
    record = json.loads(done.out)
    equal((record["environment"]["nranks"], record["environment"]["job"]["name"]), (2, "mpi"), "job")
    equal([c["backend"] for c in record["summary"]["choices"]][:1], ["mpi"], "what would be used")


@pytest.mark.slow
def test_ranks_that_mpirun_has_not_started():
    need("mpi")
    done = Command(["mpirun", "-n", "2", NETBENCH, "doctor", "-n", "3"], env=MPI_ENV).end(60)
    ok(done.rc == 2 and "value '3' of '--ranks' is not the number of ranks that mpirun of Open MPI has started: 2" in done.err, "refused", done)


def test_bad_variable_is_told_once():
    need("mpi")
    done = Command(["mpirun", "-n", "2", NETBENCH, "doctor"], env=MPI_ENV | {"NETBENCH_MPI": "lam"}).end(60)
    ok(done.rc == 2 and done.err.count("unknown MPI 'lam'") == 1, "one rank tells", done)


def test_a_launcher_without_its_module_is_told_once(place):
    """A netbench without its module is started by mpirun: it says so, once."""
    alone = place / "netbench"
    shutil.copy(NETBENCH, alone)
    env = {"NETBENCH_MODULES": "", "OMPI_COMM_WORLD_SIZE": "2"}
    if "\n  mpi " in subprocess.run([alone, "list"], capture_output=True, text=True).stdout:
        listed = subprocess.run([alone, "list"], capture_output=True, text=True).stdout
        if "not here" not in " ".join(listed.split("\n  mpi ")[1].split("\n  null ")[0].split()):
            pytest.skip("backend 'mpi' is installed on this machine")
    first, second = [Command([alone, "doctor", "-f", "json"], env=env | {"OMPI_COMM_WORLD_RANK": str(r)}).end() for r in (0, 1)]
    equal((first.rc, second.rc, second.out, second.err), (0, 0, "", ""), "the second says nothing")
    record = json.loads(first.out)
    equal([found(record, "launcher"), found(record, "backend", "mpi")], ["wrong", "wrong"], "what is wrong")


@pytest.mark.slow
@pytest.mark.rig("cluster", "-n", "3", seconds=60)
def test_the_host_whose_mtu_differs_is_named():
    """One has another MTU."""
    Command(on("n1", ["ip", "link", "set", "eth0", "mtu", "1400"])).end()
    ranks = [Command([NETBENCH, "doctor", "--listen", "n0:7400", "-n", "3", "-f", "json", "-q"], env={"NETBENCH_SECRET": SECRET})]
    ranks += [Command(on(host, [NETBENCH, "doctor", "--join", "n0:7400"]), env={"NETBENCH_SECRET": SECRET}) for host in ("n1", "n2")]
    done = finish_all(ranks, 40)
    equal([d.rc for d in done], [0, 0, 0], "how they ended")
    record = json.loads(done[0].out)
    wrong = [(r["finding"], r["subject"], r["hosts"]) for r in record["rows"] if r["finding"] == "mtu" and r["severity"] == "wrong"]
    equal(wrong, [("mtu", "", "n1")], "whose MTU differs")
