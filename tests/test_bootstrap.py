# SPDX-License-Identifier: Apache-2.0
"""
./bootstrap, then ./bootstrap --tests: what the second installs is looked for again in the configured build. In a
project of its own with its own apt-get, which installs a header that exists nowhere else.
"""
import os
import pathlib
import shutil
import subprocess
import pytest
from netbench import SOURCE, ok

pytestmark = pytest.mark.skipif(not shutil.which("meson") or not shutil.which("ninja"), reason="meson or ninja is not in PATH")
HEADER = "CL/made-up.h"
MESON = f"""project('x', 'c')
message(meson.get_compiler('c').has_header('{HEADER}') ? 'found' : 'missing')
"""
# What meson writes if something is missing that './bootstrap --tests' installs, and how build/ is then set up again.
LOGGED = [
    ("Run-time dependency cmocka found: NO (tried pkgconfig and cmake)", "--reconfigure"),
    ("Program python3 found: NO", "--reconfigure"),
    ("Program pytest-3 pytest found: NO", "--reconfigure"),
    ("Program mpirun found: NO", "--reconfigure"),
    ("Run-time dependency MPI for c found: NO (tried pkgconfig, config-tool and system)", "--reconfigure"),
    ("Run-time dependency libibverbs found: NO (tried pkgconfig and cmake)", "--reconfigure"),
    ("Run-time dependency libfabric found: NO (tried pkgconfig and cmake)", "--reconfigure"),
    ("Library xrt_coreutil found: NO", "--reconfigure"),
    ("Compiler for language cpp for the host machine not found.", "--reconfigure"),
    (f'Has header "{HEADER}" : NO', "--wipe"),
    ('Has header "uuid/uuid.h" : NO', "--wipe"),
    ('Has header "uuid/uuid.h" : YES', None),
    ('Has header "xrt/xrt_device.h" : NO', None),
    ("Program clang-tidy found: NO", None),
]


class Project:
    """One with a copy of bootstrap, and a folder of programs that stand before the system's."""

    def __init__(self, folder):
        self.root = folder
        (self.root / "bin").mkdir()
        (self.root / "include").mkdir()
        text = pathlib.Path(SOURCE, "bootstrap").read_text()
        (self.root / "bootstrap").write_text(text.replace("CL/cl.h", HEADER))
        (self.root / "meson.build").write_text(MESON)
        self.program("sudo", 'exec "$@"')

    def program(self, name, text):
        (self.root / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.root / "bin" / name).chmod(0o755)

    def install_header(self):
        (self.root / "include/CL").mkdir(exist_ok=True)
        (self.root / "include" / HEADER).write_text("")

    def bootstrap(self, *args, path=None, **more):
        env = {**os.environ, "PATH": path or f"{self.root}/bin:{os.environ['PATH']}", "C_INCLUDE_PATH": f"{self.root}/include",
               **more}
        done = subprocess.run(["sh", self.root / "bootstrap", *args], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout


@pytest.fixture
def project(place):
    return Project(place)


@pytest.mark.parametrize("how", ["by hand", "apt-get"])
def test_a_header_that_comes_later_is_found_by_another_bootstrap(how, project):
    header = project.root / "include/CL"
    project.program("dpkg-query", "echo installed")
    project.program("apt-get", "exit 1")
    rc, said = project.bootstrap()
    ok(rc == 0 and "Message: missing" in said, f"{how}: missing at first", said)
    if how == "apt-get":
        project.program("dpkg-query", f"case $* in *opencl*) [ -e '{header}' ] || exit 1; esac; echo installed")
        project.program("apt-get", f"case $* in *-s*) ;; *) mkdir '{header}'; : >'{header.parent / HEADER}'; esac")
    else:
        project.install_header()
    rc, said = project.bootstrap("--tests")
    ok(rc == 0 and "Message: found" in said, f"{how}: looked for again", said)
    rc, said = project.bootstrap("--tests")
    ok(rc == 0 and "Message:" not in said, f"{how}: nothing left to do", said)


@pytest.fixture
def log(project):
    """Everything is here now, and meson.build has been set up with a log. The log's path."""
    for name in ("cc", "pkg-config", "python3", "pytest-3", "ompi_info", "g++", "apt-get", "ninja"):
        project.program(name, "exit 0")
    project.program("meson", 'echo meson "$@"')
    project.program("dpkg-query", "echo installed")
    logs = project.root / "build/meson-logs"
    logs.mkdir(parents=True)
    (project.root / "build/build.ninja").write_text("")
    return logs / "meson-log.txt"


@pytest.mark.parametrize("line, wanted", LOGGED, ids=[line for line, _ in LOGGED])
def test_a_log_of_other_options_makes_it_configure_again(line, wanted, project, log):
    log.write_text(f"Build started\n{line}\nBuild targets in project: 0\n")
    _, said = project.bootstrap("--tests")
    ok((f"meson setup {wanted} build" in said) if wanted else "meson setup" not in said, line, said)


def test_without_tests_an_earlier_log_is_no_reason_to_configure_again(project, log):
    log.write_text(f"Build started\n{LOGGED[0][0]}\nBuild targets in project: 0\n")
    _, said = project.bootstrap()
    ok("meson setup" not in said, "without --tests", said)


# ---- a distribution whose meson is too old ----

BASE = ("cat", "dirname", "env", "grep", "head", "id", "sed", "sh", "sort")


@pytest.fixture
def without(project):
    """bootstrap on a machine without meson, whose project asks for 0.61; what its apt-get is called for is in file apt."""
    for name in BASE:
        os.symlink(shutil.which(name), project.root / "bin" / name)
    (project.root / "meson.build").write_text("project('x', 'c', meson_version: '>=0.61')\n")
    project.program("pkg-config", "exit 1")
    project.run = lambda **more: project.bootstrap(path=str(project.root / "bin"), **more)
    return project


def debian(project, policy):
    """policy: what apt-cache says of meson."""
    project.program("dpkg-query", "exit 1")
    project.program("apt-get", f"echo \"$*\" >>'{project.root}/apt'")
    project.program("apt-cache", policy)


def candidate(version):
    return f"printf 'meson:\\n  Installed: (none)\\n  Candidate: {version}\\n  Version table:\\n'"


def one_line(rc, said, version):
    return rc == 1 and said.count("\n") == 1 and f"meson {version} is too old: netbench needs 0.61 or later" in said


def called_for(project):
    calls = (project.root / "apt").read_text().splitlines() if (project.root / "apt").exists() else []
    return [word for call in calls for word in ("update", "install") if word in call.split()]


@pytest.mark.parametrize("version", ["0.56.2-1", "0.60.3-1", "0.6.1"])
def test_a_candidate_that_is_too_old_is_not_installed(version, without):
    debian(without, candidate(version))
    rc, said = without.run()
    ok(one_line(rc, said, version), "one line", said)
    ok(not called_for(without), "nothing is installed", called_for(without))


def test_old_candidate_of_lists_that_come(without):
    """As in a Debian just made, which has no lists of packages yet."""
    debian(without, f"[ ! -e '{without.root}/apt' ] || {candidate('0.56.2-1')}")
    rc, said = without.run()
    ok(rc == 1 and "meson 0.56.2-1 is too old" in said, "the line", said)
    ok(called_for(without) == ["update"], "the lists alone", called_for(without))


@pytest.mark.parametrize("version", ["0.61.2-1", "1.0.1-5"])
def test_a_candidate_that_suffices_is_taken(version, without):
    debian(without, candidate(version))
    _, said = without.run()
    ok("too old" not in said and "install" in called_for(without), "goes on", said)


@pytest.mark.parametrize("program, text", [
    ("dnf", "case $* in *repoquery*meson) echo 0.55.3 ;; esac"),
    ("pacman", "case $* in '-Si meson') printf 'Repository : extra\\nVersion    : 0.55.3\\n' ;; esac"),
    ("meson", "echo 0.55.3"),
], ids=["dnf", "pacman", "installed"])
def test_a_candidate_that_is_too_old_elsewhere_is_named(program, text, without):
    without.program(program, text)
    rc, said = without.run()
    ok(one_line(rc, said, "0.55.3"), "one line", said)


def test_where_no_candidate_is_known_the_packages_are_named(without):
    """Where nobody knows it, the packages are named as ever."""
    without.program("dnf", "exit 1")
    rc, said = without.run()
    ok(rc == 1 and "Fedora, RHEL: gcc" in said and "cannot build without them" in said, "named", said)


def test_compiler_that_is_not_here(without):
    """What CC names is no package that bootstrap knows."""
    debian(without, candidate("1.0.1-5"))
    rc, said = without.run(CC="gcc-0 -m64")
    ok(rc == 1 and said == "bootstrap: CC=gcc-0 -m64: there is no 'gcc-0'; install it, or unset CC\n", "one line", said)
    ok(not called_for(without), "nothing is installed", called_for(without))
