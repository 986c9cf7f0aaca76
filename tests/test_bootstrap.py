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

    def bootstrap(self, *args):
        env = {**os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}", "C_INCLUDE_PATH": f"{self.root}/include"}
        done = subprocess.run(["sh", self.root / "bootstrap", *args], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout


@pytest.fixture
def project(place):
    return Project(place)


@pytest.mark.parametrize("how", ["by hand", "apt-get"])
def test_header_comes(how, project):
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
def test_log_says_otherwise(line, wanted, project, log):
    log.write_text(f"Build started\n{line}\nBuild targets in project: 0\n")
    _, said = project.bootstrap("--tests")
    ok((f"meson setup {wanted} build" in said) if wanted else "meson setup" not in said, line, said)


def test_without_tests(project, log):
    log.write_text(f"Build started\n{LOGGED[0][0]}\nBuild targets in project: 0\n")
    _, said = project.bootstrap()
    ok("meson setup" not in said, "without --tests", said)
