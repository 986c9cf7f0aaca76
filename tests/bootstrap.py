#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
./bootstrap, then ./bootstrap --tests: what the second installs is looked for again in the configured build. In a
project of its own with its own apt-get, which installs a header that exists nowhere else. Argument: the sources.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(sys.argv[1])
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
    ("Library xrt_coreutil found: NO", "--reconfigure"),
    ("Compiler for language cpp for the host machine not found.", "--reconfigure"),
    (f'Has header "{HEADER}" : NO', "--wipe"),
    ('Has header "uuid/uuid.h" : NO', "--wipe"),
    ('Has header "uuid/uuid.h" : YES', None),
    ('Has header "xrt/xrt_device.h" : NO', None),
    ("Program clang-tidy found: NO", None),
]
count = failed = 0


def ok(good, name, detail=""):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    if not good:
        print("".join(f"#   {line}\n" for line in str(detail).splitlines()[-20:]), end="", flush=True)


class Place:
    """A project with a copy of bootstrap, and a folder of programs that stand before the system's."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder)
        (self.root / "bin").mkdir()
        (self.root / "include").mkdir()
        text = (SOURCES / "bootstrap").read_text()
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


def header_comes(how):
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        place.program("dpkg-query", "echo installed")
        place.program("apt-get", "exit 1")
        rc, said = place.bootstrap()
        ok(rc == 0 and "Message: missing" in said, f"{how}: missing at first", said)
        if how == "apt-get":
            place.program("dpkg-query", f"case $* in *opencl*) [ -e '{folder}/include/CL' ] || exit 1; esac; echo installed")
            place.program("apt-get", f"case $* in *-s*) ;; *) mkdir '{folder}/include/CL'; : >'{folder}/include/{HEADER}'; esac")
        else:
            place.install_header()
        rc, said = place.bootstrap("--tests")
        ok(rc == 0 and "Message: found" in said, f"{how}: looked for again", said)
        rc, said = place.bootstrap("--tests")
        ok(rc == 0 and "Message:" not in said, f"{how}: nothing left to do", said)


def logged():
    """Everything is here now, and meson.build has been set up with a log that says otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        for name in ("cc", "pkg-config", "python3", "pytest-3", "ompi_info", "g++", "apt-get", "ninja"):
            place.program(name, "exit 0")
        place.program("meson", 'echo meson "$@"')
        place.program("dpkg-query", "echo installed")
        logs = place.root / "build/meson-logs"
        logs.mkdir(parents=True)
        (place.root / "build/build.ninja").write_text("")
        for line, wanted in LOGGED:
            (logs / "meson-log.txt").write_text(f"Build started\n{line}\nBuild targets in project: 0\n")
            _, said = place.bootstrap("--tests")
            ok((f"meson setup {wanted} build" in said) if wanted else "meson setup" not in said, line, said)
        _, said = place.bootstrap()
        ok("meson setup" not in said, "without --tests", said)


if not shutil.which("meson") or not shutil.which("ninja"):
    print("1..0 # SKIP meson or ninja is not in PATH")
    sys.exit(0)
header_comes("by hand")
header_comes("apt-get")
logged()
print(f"1..{count}")
sys.exit(1 if failed else 0)
