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


def setup(place, *options, env=None):
    done = subprocess.run(["meson", "setup", place / "build", SOURCE, *options], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def backends(place):
    return (place / "build/src/backends.h").read_text()


@pytest.mark.parametrize("feature", ["mpi", "munge", "ofi", "sqlite", "verbs"])
def test_enabled_and_missing(feature, place, bare):
    rc, said = setup(place, f"-D{feature}=enabled", env=bare)
    ok(rc != 0 and "not found" in said and "ERROR" in said, f"{feature}: an error", said[-2000:])


def test_auto_and_missing(place, bare):
    rc, said = setup(place, env=bare)
    if ok(rc == 0, "configured", said[-2000:]):
        ok(all(f"ABSENT({name})" in backends(place) for name in ("mpi", "ofi", "verbs")), "left out", backends(place))


@pytest.mark.parametrize("only", ["openmpi", "mpich"])
def test_one_mpi_of_several(only, place):
    """Backend mpi for one MPI alone, although others may be here."""
    rc, said = setup(place, f"-Dmpi_libraries={only}")
    if rc != 0 and "not found" in said:
        pytest.skip(said.strip().splitlines()[-1])
    targets = json.loads(subprocess.check_output(["meson", "introspect", "--targets", place / "build"]))
    built = {t["name"] for t in targets if t["name"].startswith("netbench-mpi-")}
    ok(rc == 0 and built == {f"netbench-mpi-{only}"} and "MODULE(mpi)" in backends(place), f"{only} alone", (built, said[-2000:]))


def test_unknown_mpi(place):
    rc, said = setup(place, "-Dmpi_libraries=lam")
    ok(rc != 0 and "no MPI named lam, but" in said, "unknown MPI", said[-2000:])


def test_disabled(place):
    """Whatever is here."""
    rc, said = setup(place, "-Dauto_features=disabled")
    if ok(rc == 0, "configured", said[-2000:]):
        left_out = [name for name in ("mpi", "ofi", "verbs", "fpga") if f"ABSENT({name})" in backends(place)]
        ok(left_out == ["mpi", "ofi", "verbs", "fpga"], "left out", backends(place))
        ok("HAVE_MUNGE" in (text := (place / "build/src/config.h").read_text()) and "#undef HAVE_MUNGE" in text, "no munge", text)
        ok("#undef HAVE_LIBCSV" in text and "#undef HAVE_SQLITE" in text, "nor libcsv nor SQLite", text)
