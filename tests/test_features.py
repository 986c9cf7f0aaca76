# SPDX-License-Identifier: Apache-2.0
"""Optional dependencies: 'enabled' fails where one is missing, 'auto' goes on, 'disabled' does not look for it."""
import json
import os
import pathlib
import shutil
import subprocess
import pytest
from netbench import SOURCE, ok

pytestmark = pytest.mark.skipif(not all(map(shutil.which, ("meson", "ninja", "pkg-config"))),
                                reason="meson, ninja or pkg-config is not in PATH")
TOOLS = ("meson", "ninja", "pkg-config", "cc", "ar", "ld", "as", "strip", "sh")


@pytest.fixture(scope="module")
def bare(shared_place):
    """The environment of a machine that has what is required and no more, but for headers in /usr/include."""
    path = subprocess.run(["pkg-config", "--variable", "pc_path", "pkg-config"], capture_output=True, text=True, check=True)
    config, bin_ = shared_place / "pkgconfig", shared_place / "bin"
    config.mkdir()
    bin_.mkdir()
    for file in (f for d in path.stdout.strip().split(":") for f in pathlib.Path(d).glob("*.pc")):
        if not file.name.startswith(("ompi", "mpi", "libfabric", "libibverbs", "munge", "sqlite3")):
            shutil.copy(file, config)
    for name in filter(shutil.which, TOOLS):
        os.symlink(shutil.which(name), bin_ / name)
    return {**os.environ, "PKG_CONFIG_LIBDIR": str(config), "PATH": str(bin_)}


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def setup(place, *options, env=None):
    done = subprocess.run(["meson", "setup", place / "build", SOURCE, *options], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def backends(place):
    return (place / "build/src/backends.h").read_text()


@pytest.mark.parametrize("feature", ["mpi", "munge", "ofi", "sqlite", "verbs"])
def test_a_feature_that_is_enabled_and_missing_is_an_error(feature, place, bare):
    rc, said = setup(place, f"-D{feature}=enabled", env=bare)
    ok(rc != 0 and "not found" in said and "ERROR" in said, f"{feature}: an error", said[-2000:])


def test_a_feature_that_is_missing_is_left_out(place, bare):
    rc, said = setup(place, env=bare)
    if ok(rc == 0, "configured", said[-2000:]):
        ok(all(f"ABSENT({name})" in backends(place) for name in ("mpi", "ofi", "verbs")), "left out", backends(place))


@pytest.mark.parametrize("only", ["openmpi", "mpich"])
def test_one_mpi_of_several_is_built_alone(only, place):
    """Backend mpi for one MPI alone, although others may be here."""
    rc, said = setup(place, f"-Dmpi_libraries={only}")
    if rc != 0 and "not found" in said:
        pytest.skip(said.strip().splitlines()[-1])
    targets = json.loads(subprocess.check_output(["meson", "introspect", "--targets", place / "build"]))
    built = {t["name"] for t in targets if t["name"].startswith("netbench-mpi-")}
    ok(rc == 0 and built == {f"netbench-mpi-{only}"} and "MODULE(mpi)" in backends(place), f"{only} alone", (built, said[-2000:]))


def test_an_mpi_that_nobody_knows_is_refused(place):
    rc, said = setup(place, "-Dmpi_libraries=lam")
    ok(rc != 0 and "no MPI named lam, but" in said, "unknown MPI", said[-2000:])


def test_disabled_features_are_left_out_whatever_is_here(place):
    """Whatever is here."""
    rc, said = setup(place, "-Dauto_features=disabled")
    if ok(rc == 0, "configured", said[-2000:]):
        left_out = [name for name in ("mpi", "ofi", "verbs", "fpga") if f"ABSENT({name})" in backends(place)]
        ok(left_out == ["mpi", "ofi", "verbs", "fpga"], "left out", backends(place))
        ok("HAVE_MUNGE" in (text := (place / "build/src/config.h").read_text()) and "#undef HAVE_MUNGE" in text, "no munge", text)
        ok("#undef HAVE_LIBCSV" in text and "#undef HAVE_SQLITE" in text, "nor libcsv nor SQLite", text)


def test_nothing_needs_a_newer_meson_than_the_one_asked_for(place):
    """meson warns of what is newer than the version that meson.build asks for."""
    rc, said = setup(place)
    told = [line for line in said.splitlines() if "introduced in" in line or "newer versions" in line]
    ok(rc == 0 and not told, "nothing newer", told or said[-2000:])


# ---- machines on which packages are installed by halves ----

class Machine:
    """The bare one, and what a case adds: programs, files of pkg-config, headers."""

    def __init__(self, place, bare):
        self.place = place
        self.bin, self.config, self.include = (place / name for name in ("bin", "pkgconfig", "include"))
        for folder in (self.bin, self.config, self.include):
            folder.mkdir()
        self.env = {**bare, "PATH": f"{self.bin}:{bare['PATH']}", "C_INCLUDE_PATH": str(self.include),
                    "PKG_CONFIG_LIBDIR": f"{self.config}:{bare['PKG_CONFIG_LIBDIR']}"}

    def package(self, name, version="99", include="/none"):
        (self.config / f"{name}.pc").write_text(f"Name: {name}\nDescription: made up\nVersion: {version}\nCflags: -I{include}\n")

    def header(self, name, text):
        path = self.place / "include" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def openmpi_bin(self):
        """Debian's openmpi-bin: the compiler's wrapper names a folder that only libopenmpi-dev brings."""
        program(self.bin / "mpicc", """case $1 in
            --showme:version) echo 'mpicc: Open MPI 4.1.4 (Language: C)' ;;
            --showme:compile) echo -I/none/include ;;
            --showme:link) echo -L/none/lib -lmpi ;;
            *) exit 1 ;; esac""")

    def mpich(self):
        """Debian's mpich: its wrapper hands on to the compiler what it does not know."""
        program(self.bin / "mpicc", "exec cc \"$@\"")

    def libmpich_dev(self):
        folder = self.place / "mpich"
        folder.mkdir()
        (folder / "mpi.h").write_text('#define MPICH_VERSION "4.0.2"\n')
        self.package("mpich", "4.0.2", folder)

    def library(self, name, header):
        """A library's file of pkg-config, and a header that another package would complete."""
        self.package(name)
        self.header(header, '#include "no/such.h"\n')


@pytest.fixture
def machine(place, bare):
    return Machine(place, bare)


# What each has, and of which MPI backend mpi is built.
HALF = {
    "nothing more": ([], []),
    "openmpi-bin": (["openmpi_bin"], []),
    "openmpi-bin, mpich": (["openmpi_bin", "mpich"], []),
    "mpich, openmpi-bin": (["mpich", "openmpi_bin"], []),
    "openmpi-bin, libmpich-dev": (["openmpi_bin", "libmpich_dev"], ["mpich"]),
    "mpich": (["mpich"], []),
    "mpich, libmpich-dev": (["mpich", "libmpich_dev"], ["mpich"]),
}


@pytest.mark.parametrize("packages, built", HALF.values(), ids=HALF)
def test_half_an_mpi_is_named_as_missing(packages, built, machine):
    """Without python3, too, which is not on the path of any of them."""
    for package in packages:
        getattr(machine, package)()
    rc, said = setup(machine.place, env=machine.env)
    ok(rc == 0, "configured", said[-2000:])
    for name, words in (("openmpi", "Open MPI"), ("mpich", "MPICH and its kin")):
        ok(f"backend mpi is {'' if name in built else 'not '}built for {words}" in said, f"{name}: named", said[-2000:])
    ok(("MODULE(mpi)" if built else "ABSENT(mpi)") in backends(machine.place), "the backend", backends(machine.place))


LIBRARIES = {"munge": ("munge", "munge.h"), "ofi": ("libfabric", "rdma/fabric.h"), "sqlite": ("sqlite3", "sqlite3.h"),
             "verbs": ("libibverbs", "infiniband/verbs.h")}


def test_a_library_without_its_header_is_named(machine):
    for library, header in LIBRARIES.values():
        machine.library(library, header)
    rc, said = setup(machine.place, env=machine.env)
    ok(rc == 0, "configured", said[-2000:])
    for library, header in LIBRARIES.values():
        ok(f"{library} is left out: {header} is missing or does not compile" in said, f"{library}: named", said[-2000:])
    ok(all(f"ABSENT({name})" in backends(machine.place) for name in ("ofi", "verbs")), "backends", backends(machine.place))
    config = (machine.place / "build/src/config.h").read_text()
    ok("#undef HAVE_MUNGE" in config and "#undef HAVE_SQLITE" in config, "the program", config)


@pytest.mark.parametrize("feature", LIBRARIES)
def test_a_library_without_its_header_is_an_error_where_enabled(feature, machine):
    machine.library(*LIBRARIES[feature])
    rc, said = setup(machine.place, f"-D{feature}=enabled", env=machine.env)
    ok(rc != 0 and "ERROR" in said and LIBRARIES[feature][1] in said, "an error that names it", said[-2000:])


@pytest.mark.parametrize("compiler", ["clang", "gcc-11"])
def test_each_other_compiler_configures_with_all_libraries(compiler, place):
    """With all libraries that are here."""
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    rc, said = setup(place, env={**os.environ, "CC": compiler})
    ok(rc == 0 and f"C compiler for the host machine: {compiler}" in said.replace("ccache ", ""), "configured", said[-2000:])
