# SPDX-License-Identifier: Apache-2.0
"""readers.py iverilog|yosys|size RTL: reads the core's SystemVerilog with other tools than Verilator.

iverilog runs the smoke test. yosys checks that there are no latches. size synthesises the core for a Xilinx card with yosys and
checks that it needs at most 1 % of a U280. The output is TAP."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOOL, RTL = sys.argv[1], os.path.abspath(sys.argv[2])
TEXT = [os.path.join(RTL, f"nb_{name}.sv") for name in ("send", "recv", "times", "regs", "link")]
U280 = {"LUT": 1303680, "FF": 2607360, "RAMB36": 2016}


def skip(what):
    print(f"1..0 # SKIP no {what} here")
    sys.exit(0)


def yosys(script):
    return subprocess.run(["yosys", "-p", f"read_verilog -sv {' '.join(TEXT)}; {script}"], capture_output=True, text=True)


def icarus():
    with tempfile.TemporaryDirectory() as place:
        made = os.path.join(place, "smoke.vvp")
        done = subprocess.run(["iverilog", "-g2012", "-Wall", "-Wno-timescale", "-o", made, "-s", "smoke", os.path.join(RTL, "tb/smoke.sv"), *TEXT],
                              capture_output=True, text=True)
        if done.returncode or done.stderr:
            print(f"1..1\nnot ok 1 - icarus takes the text\n# {done.stderr[-600:]}")
            return 1
        return subprocess.run(["vvp", "-n", made]).returncode


def latches():
    """After `proc`, signals that some path does not set have become latches, and no `always` is left."""
    print("1..2")
    bad = 0
    for i, w in enumerate((512, 256), 1):
        done = yosys(f"chparam -set W {w} nb_link; hierarchy -check -top nb_link; proc; select -assert-none t:$dlatch t:$adlatch t:$dlatchsr; check -assert")
        bad += done.returncode != 0
        print(("not " if done.returncode else "") + f"ok {i} - W = {w}: no latches, no wire without a driver or with two")
        if done.returncode:
            print("# " + done.stderr[-400:].replace("\n", "\n# "))
    return bool(bad)


def size():
    done = yosys("synth_xilinx -family xcup -top nb_link; stat")
    counts = dict.fromkeys(U280, 0)
    for kind, n in re.findall(r"^ +(LUT\d|FD\wE|RAMB36E2) +(\d+)$", done.stdout.rsplit("=== design hierarchy ===", 1)[-1], re.M):
        counts["LUT" if kind.startswith("LUT") else "FF" if kind.startswith("FD") else "RAMB36"] += int(n)
    few = done.returncode == 0 and all(0 < counts[k] <= U280[k] / 100 for k in U280)
    print("1..1\n" + ("" if few else "not ") + "ok 1 - " + ", ".join(f"{n} {k} ({100 * n / U280[k]:.2f} % of a U280)" for k, n in counts.items()))
    return not few


if __name__ == "__main__":
    if TOOL == "iverilog":
        sys.exit(icarus() if shutil.which("iverilog") else skip("iverilog"))
    if not shutil.which("yosys"):
        skip("yosys")
    sys.exit(latches() if TOOL == "yosys" else size())
