# SPDX-License-Identifier: Apache-2.0
"""readers.py TOOL RTL: reads the core with other tools than Verilator. TOOL is one of these:

iverilog runs the smoke test, of the core alone and for packets; iverilog-all in the other wrappers.
yosys checks that the core has no latches; yosys-all checks its other width, the wrappers and
nb_clock. size synthesises the core for a Xilinx card with yosys and checks that it needs at most
1 % of a U280. The output is TAP."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOOL, RTL = sys.argv[1], os.path.abspath(sys.argv[2])
TEXT = [os.path.join(RTL, f"nb_{name}.sv") for name in ("send", "recv", "times", "regs", "link")]
WRAPPERS = ("unframed", "packets", "prot")
WRAPPED = [os.path.join(RTL, "wrap", f"nb_link_{name}.sv") for name in WRAPPERS]
CLOCK = os.path.join(RTL, "pack", "nb_clock.sv")
U280 = {"LUT": 1303680, "FF": 2607360, "RAMB36": 2016}
LATCHES = "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr; check -assert"


def skip(what):
    print(f"1..0 # SKIP no {what} here")
    sys.exit(0)


def yosys(script):
    text = " ".join([*TEXT, *WRAPPED, CLOCK])
    return subprocess.run(["yosys", "-p", f"read_verilog -sv {text}; {script}"],
                          capture_output=True, text=True)


def smoke(place, wrapper):
    """Compiles and runs the smoke test. Returns its lines, or a failure if it does not compile."""
    made = os.path.join(place, "smoke.vvp")
    done = subprocess.run(["iverilog", "-g2012", "-Wall", "-Wno-timescale", *wrapper, "-o", made,
                           "-s", "smoke", os.path.join(RTL, "tb/smoke.sv"), *TEXT, *WRAPPED],
                          capture_output=True, text=True)
    if done.returncode or done.stderr:
        return ["not ok 1 - icarus takes the text", f"# {done.stderr[-600:]}"]
    return subprocess.run(["vvp", "-n", made], capture_output=True, text=True).stdout.splitlines()


def icarus(names):
    n = bad = 0
    with tempfile.TemporaryDirectory() as place:
        for name in names:
            for line in smoke(place, [f"-D{name.upper()}"] if name else []):
                found = re.match(r"(not )?ok \d+ - (.*)", line)
                if found:
                    n, bad = n + 1, bad + bool(found[1])
                    print(f"{found[1] or ''}ok {n} - {found[2]}{name and f', {name}'}")
                elif not line.startswith("1.."):
                    print(f"# {line}")
    print(f"1..{n}")
    return bad or n != 11 * len(names)


def latches(tops):
    """After `proc`, signals that some path does not set have become latches."""
    bad = 0
    print(f"1..{len(tops)}")
    for i, (top, w) in enumerate(tops, 1):
        width = f"chparam -set W {w} {top}; " if w else ""
        done = yosys(f"{width}hierarchy -check -top {top}; proc; {LATCHES}")
        bad += done.returncode != 0
        print(("not " if done.returncode else "") + f"ok {i} - {top}{f', W = {w}' if w else ''}: "
              "no latches, no wire without a driver or with two")
        if done.returncode:
            print("# " + done.stderr[-400:].replace("\n", "\n# "))
    return bool(bad)


def size():
    done = yosys("synth_xilinx -family xcup -top nb_link; stat")
    counts = dict.fromkeys(U280, 0)
    whole = done.stdout.rsplit("=== design hierarchy ===", 1)[-1]
    for kind, n in re.findall(r"^ +(LUT\d|FD\wE|RAMB36E2) +(\d+)$", whole, re.M):
        counts[{"L": "LUT", "F": "FF", "R": "RAMB36"}[kind[0]]] += int(n)
    few = done.returncode == 0 and all(0 < counts[k] <= U280[k] / 100 for k in U280)
    shares = [f"{n} {k} ({100 * n / U280[k]:.2f} % of a U280)" for k, n in counts.items()]
    print("1..1\n" + ("" if few else "not ") + "ok 1 - " + ", ".join(shares))
    return not few


if __name__ == "__main__":
    if TOOL.startswith("iverilog"):
        if not shutil.which("iverilog"):
            skip("iverilog")
        sys.exit(icarus(("", "packets") if TOOL == "iverilog" else ("unframed", "prot")))
    if not shutil.which("yosys"):
        skip("yosys")
    if TOOL == "size":
        sys.exit(size())
    sys.exit(latches([("nb_link", 512)] if TOOL == "yosys" else
                     [("nb_link", 256), *((f"nb_link_{name}", 512) for name in WRAPPERS),
                      ("nb_clock", None)]))
