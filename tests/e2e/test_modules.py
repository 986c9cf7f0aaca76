# SPDX-License-Identifier: Apache-2.0
"""Files that are called as modules are, and are none, or that others may write: nothing of them is executed, and each is told
of. What completion loads; variables of a program that runs with another's rights."""
import json
import os
import re
import shutil
import subprocess

import pytest
from netbench import NETBENCH, SLOW, checks, equal, named, ok, one_fault, run

OTHER = 1   # a user and a group that runs no tests


@pytest.fixture(scope="module")
def trap(shared_place):
    """A library that leaves a file when it is loaded; where that is."""
    if not shutil.which("cc"):
        pytest.skip("no cc")
    source, library, mark = (shared_place / n for n in ("trap.c", "trap.so", "loaded"))
    source.write_text(f'#include <fcntl.h>\n__attribute__((constructor)) static void f(void) {{ open("{mark}", O_CREAT, 0600); }}\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return library, mark


@pytest.fixture
def loaded(trap, inside, monkeypatch):
    """There is a module in the directory of NETBENCH_MODULES; whether it was loaded since last asked."""
    modules = inside / "modules"
    modules.mkdir()
    shutil.copy(trap[0], modules / "netbench-trap.so")
    modules.chmod(0o755)
    (modules / "netbench-trap.so").chmod(0o755)
    monkeypatch.setenv("NETBENCH_MODULES", str(modules))
    trap[1].unlink(missing_ok=True)

    def was_loaded():
        there = trap[1].exists()
        trap[1].unlink(missing_ok=True)
        return there
    return was_loaded


def said(name):
    """What netbench list says of a backend, in one line."""
    done = run("list", timeout=10)
    told = re.search(rf"^  {name} +(.*(?:\n {{8}}.*)*)", done.out.split("\n\n")[0], re.M)
    ok(done.rc == 0 and not done.err and told, f"{name} is listed", done)
    return " ".join(told[1].split()) if told else ""


def finding(path):
    """Severity and text of the doctor's finding about a module or a directory."""
    done = run("doctor", "-f", "json", timeout=20)
    rows = json.loads(done.out)["rows"] if done.rc == 0 else []
    return next(((r["severity"], r["found"]) for r in rows if (r["finding"], r["subject"]) == ("module", str(path))), None)


def give(path, user=-1, group=-1):
    try:
        os.chown(path, user, group)
    except PermissionError:
        pytest.skip("files of others can be made by root alone")


def refused(path, why, name="trap"):
    """Listed with the reason, refused with it in one line, and found by the doctor."""
    text = said(name)
    ok(f"external not here: '{path}' is not loaded" in text and why in text, f"listed with the reason: {why}", text)
    done = run("latency", "-b", name, timeout=10)
    ok(one_fault(done, 3, f"'{path}' is not loaded", why), f"refused: {why}", done)


# ---- what is no file ----

@pytest.mark.parametrize("kind, make, why", named([
    ("fifo", os.mkfifo, "it is not a regular file"),
    ("directory", os.mkdir, "it is not a regular file"),
    ("device", lambda p: p.symlink_to("/dev/zero"), "it is not a regular file"),
    ("link", lambda p: p.symlink_to("nowhere"), "it cannot be found")]))
@pytest.mark.usefixtures("loaded")
def test_a_module_that_is_no_regular_file_is_not_loaded(inside, kind, make, why):
    path = inside / "modules" / "netbench-odd.so"
    make(path)
    refused(path, why, "odd")
    done = run("completion", "bash", timeout=10)
    ok(done.rc == 0 and done.seconds < 5 * SLOW, "completion does not wait", done)
    if kind != "directory":     # for the doctor that is one of modules
        equal(finding(path), ("wrong", f"{why}: netbench loads no module from there"), "the doctor tells")


# ---- what others may write ----

def test_nobody_else_may_write_it(loaded):
    ok("exports no 'netbench_backend'" in said("trap") and loaded(), "it is loaded, and is no backend")


@pytest.mark.parametrize("which, mode, why", named([
    ("file", 0o757, "everyone may write it; take that away (chmod o-w)"),
    ("directory", 0o777, "because of its directory: everyone may write it")]))
def test_a_module_that_everyone_may_write_is_not_loaded(loaded, inside, which, mode, why):
    path = inside / "modules" / "netbench-trap.so"
    there = path if which == "file" else path.parent
    there.chmod(mode)
    refused(path, why)
    equal(finding(there), ("wrong", "everyone may write it: netbench loads no module from there"), "the doctor warns")
    ok(not loaded(), "nothing is executed")


@pytest.mark.parametrize("which", ["file", "directory"])
def test_a_module_that_another_user_owns_is_not_loaded(loaded, inside, which):
    path = inside / "modules" / "netbench-trap.so"
    there = path if which == "file" else path.parent
    give(there, user=OTHER)
    refused(path, "another user owns it")
    equal((finding(there) or [""])[0], "wrong", "the doctor warns")
    ok(not loaded(), "nothing is executed")


def test_a_link_into_a_directory_of_everyones_is_not_loaded(loaded, inside):
    path = inside / "modules" / "netbench-trap.so"
    (inside / "open").mkdir()
    path.rename(inside / "open" / "x.so")
    path.symlink_to(inside / "open" / "x.so")
    (inside / "open").chmod(0o777)
    refused(path, "because of its directory: everyone may write it")
    ok(not loaded(), "nothing is executed")


@pytest.mark.parametrize("which, mode", named([("file", 0o775), ("directory", 0o775)]))
def test_a_group_may_write(loaded, inside, which, mode):
    """As by umask 002: loaded, and told of if the group is not the user's own."""
    path = inside / "modules" / "netbench-trap.so"
    there = path if which == "file" else path.parent
    give(there, group=OTHER)
    there.chmod(mode)
    ok("exports no 'netbench_backend'" in said("trap") and loaded(), "it is loaded")
    equal(finding(there), ("note", "its group may write it, and so decide what netbench executes"), "the doctor notes it")


def test_everyone_may_add_files(loaded, inside):
    """As in /tmp."""
    (inside / "modules").chmod(0o1777)
    ok("exports no 'netbench_backend'" in said("trap") and loaded(), "it is loaded")
    equal((finding(inside / "modules") or [""])[0], "note", "the doctor notes it")


# ---- what loads nothing ----

def test_completion_loads_no_module_unless_asked(loaded):
    done = run("completion", "bash")
    ok(done.rc == 0 and re.search("tcp .*trap", done.out) and not loaded(), "the name of a module is enough", done)
    done = run("completion", "--modules", "bash")
    ok(done.rc == 0 and loaded(), "unless it is asked for", done)


def test_library_of_mpi_that_is_no_file(inside):
    os.mkfifo(inside / "libmpi.so")
    for env in ({"NETBENCH_MPI_LIBRARY": str(inside / "libmpi.so")}, {}):
        more = [] if env else ["--mpi-library", inside / "libmpi.so"]
        done = run("latency", "-b", "mpi", "--job", "mpi", *more, env={**os.environ, **env}, timeout=10)
        ok(done.rc in (2, 3) and done.seconds < 5 * SLOW, "refused, and not waited for", done)
        if "not part of" in done.err or "unknown backend" in done.err:
            pytest.skip("this build has no backend mpi")
        ok("is not a regular file" in done.err, "the reason", done)


# ---- rights of others ----

@pytest.fixture
def of_another_group(inside):
    """A copy of the program that runs with the rights of another group."""
    program = inside / "netbench"
    shutil.copy(NETBENCH, program)
    if SLOW > 1 or os.statvfs(inside).f_flag & os.ST_NOSUID:    # a sanitizer reads variables of its own
        pytest.skip("no set-group-ID here")
    give(program, group=OTHER)
    program.chmod(0o2755)
    return program


def test_a_program_with_other_rights_heeds_no_variable(loaded, of_another_group):
    """Whoever starts it does not decide what it executes."""
    def listed(program):
        done = subprocess.run([program, "list"], capture_output=True, text=True, timeout=20, check=False)
        checks.ran = f"{program} list"
        ok(done.returncode == 0 and "shm" in done.stdout, "it runs", done)
        return done.stdout
    ok("trap" in listed(NETBENCH) and loaded(), "the variable is heeded")
    ok("trap" not in listed(of_another_group) and not loaded(), "and is not with other rights")
