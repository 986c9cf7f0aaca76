# SPDX-License-Identifier: Apache-2.0
"""mutants.py KERNELS CC CXX HLS-HEADERS [rtl]: applies each change of mutants/*.diff to a copy of
the kernels and runs tests on it.

These are the tests that need no card: text.py, test-intel.c, and test-xilinx.cpp for both link
layers. With rtl it applies the changes of the link core, its wrappers and its packaging, and runs
its testbench, Icarus and pack/check.py. The first line of a change says which test detects it, or
why it changes no result. The output is TAP: a change passes if its first line is true."""
import os
import shutil
import subprocess
import sys
import tempfile
from multiprocessing.pool import ThreadPool

KERNELS, HLS = map(os.path.abspath, sys.argv[1:5:3])
CORE = sys.argv[5:] == ["rtl"]
CC, CXX = sys.argv[2:4]
HERE = os.path.join(KERNELS, "tests")
MUTANTS = os.path.join(HERE, "mutants")
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
STUCK_S = 20            # a test takes three seconds; some changes make it wait for ever
AT_ONCE = 4


def built(place, compiler, source, *args):
    """Compiles and runs a test of the kernels in `place`. Returns False if it fails."""
    program = os.path.join(place, "test")
    done = subprocess.run([*compiler.split(), "-O1", "-w", "-pthread", "-I", place, *args,
                           os.path.join(HERE, source), "-o", program], **QUIET)
    try:
        return (done.returncode == 0 and
                subprocess.run([program], **QUIET, timeout=STUCK_S).returncode == 0)
    except subprocess.TimeoutExpired:
        return False


def xilinx(place, *args):
    made = os.path.join(place, "xilinx_processes.hpp")
    subprocess.run([sys.executable, os.path.join(HERE, "dataflow.py"),
                    os.path.join(place, "beff_xilinx.cpp"), made], check=True)
    return built(place, CXX, "test-xilinx.cpp", "-std=c++14", "-I", os.path.join(HERE, "hls"),
                 "-I", HLS, *args)


def verilated(place, name):
    """Runs a test of the testbench of a copy, which is built once for all tests."""
    rtl, made = os.path.join(place, "rtl"), os.path.join(place, "made")
    program = os.path.join(made, "bench")
    if not os.path.exists(program):
        text = [f"{rtl}/nb_{part}.sv" for part in ("link", "send", "recv", "times", "regs")]
        subprocess.run(["verilator", "--cc", "--exe", "--build", "-Wno-fatal", "--top-module",
                        "nb_link", "-GW=512", "--Mdir", made, "-CFLAGS",
                        f"-std=c++17 -O1 -I{rtl} -I{rtl}/tb", "-o", "bench", *text,
                        f"{rtl}/tb/main.cpp"], check=True, **QUIET)
    try:
        return subprocess.run([program, name], **QUIET, timeout=STUCK_S).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def bench(name):
    return lambda place: verilated(place, name)


def script(*path):
    """Runs a script of a copy with the folder `rtl` of the copy, and with the manual."""
    def run(place):
        rtl = os.path.join(place, "rtl")
        manual = os.path.join(KERNELS, "..", "man", "netbench-fpga.7")
        *words, name = path
        return subprocess.run([sys.executable, os.path.join(rtl, name), *words, rtl, manual],
                              **QUIET).returncode == 0
    return run


BENCH = ("registers", "exact", "patterns", "times", "faults", "rough")
TESTS = {
    **{f"rtl-{name}": bench(name) for name in BENCH},
    "rtl-icarus": script("iverilog", "tb/readers.py"), "rtl-packed": script("pack/check.py"),
} if CORE else {
    "text": lambda place: subprocess.run([sys.executable, os.path.join(HERE, "text.py"), place],
                                         **QUIET).returncode == 0,
    "intel": lambda place: built(place, CC, "test-intel.c", "-std=gnu11"),
    "xilinx": xilinx,
    "xilinx-vnx": lambda place: xilinx(place, "-DSTREAM_DEST=16"),
}


def fault_of(name):
    """Returns how the outcome differs from the first line of the change; "" if it does not."""
    with open(os.path.join(MUTANTS, name)) as f:
        said = f.readline().strip()
    seen_by = said.removeprefix("seen by ").split(":")[0] if said.startswith("seen by ") else ""
    if not seen_by and not said.startswith("changes no result: "):
        return "its first line says neither what sees it nor why it changes no result"
    with tempfile.TemporaryDirectory() as place:
        for entry in os.scandir(KERNELS):
            if entry.is_file():
                shutil.copy(entry, place)
        shutil.copytree(os.path.join(KERNELS, "rtl"), os.path.join(place, "rtl"))
        if subprocess.run(["patch", "-s", "-p1", "-F0", "-d", place, "-i",
                           os.path.join(MUTANTS, name)], **QUIET).returncode:
            return "it does not apply"
        if seen_by:
            return f"{seen_by} does not see it" if TESTS[seen_by](place) else ""
        return ", ".join(f"{t} sees it" for t, passes in TESTS.items() if not passes(place))


def main():
    if not shutil.which("patch"):
        print("1..0 # SKIP no patch here")
        return 0
    if CORE and not shutil.which("verilator"):
        print("1..0 # SKIP no verilator here")
        return 0
    names = sorted(name for name in os.listdir(MUTANTS) if name.startswith("rtl-") == CORE)
    unseen = bad = 0
    print(f"1..{len(names) + 1}", flush=True)
    for i, (name, fault) in enumerate(zip(names, ThreadPool(AT_ONCE).imap(fault_of, names)), 1):
        with open(os.path.join(MUTANTS, name)) as f:
            unseen += f.readline().startswith("changes no result")
        bad += bool(fault)
        print(("not " if fault else "") + f"ok {i} - {name}" + (f"\n# {fault}" if fault else ""),
              flush=True)
    least, total = (22, 25) if CORE else (16, 18)
    few = len(names) < total or total * (len(names) - unseen) < least * len(names)
    seen = f"{len(names) - unseen} of {len(names)}"
    print(("not " if few else "") +
          f"ok {len(names) + 1} - at least {least} of {total} changes are seen: {seen}")
    return bool(bad or few)


if __name__ == "__main__":
    sys.exit(main())
