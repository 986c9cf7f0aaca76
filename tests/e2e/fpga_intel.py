# SPDX-License-Identifier: Apache-2.0
"""Backend fpga on platform intel, over a double of OpenCL whose cards run the kernels of beff_intel.cl on this machine
(kernels/tests/opencl_double.c): what it measures is nobody's time, but content, order of calls and faults are as they are.

Usage: fpga_intel.py netbench directory-of-the-double, or the reason why there is none with "missing:" before it.
"""
import json
import os
import re
import sys
import tempfile
from tap import Csv, NETBENCH, equal, finish, ok, run, skip

if sys.argv[2].startswith("missing:"):
    skip("everything", sys.argv[2][len("missing:"):])
    finish()

DOUBLE = sys.argv[2]
PLACE = tempfile.TemporaryDirectory()
IMAGE = os.path.join(PLACE.name, "double.aocx")
INTEL = ["-b", "fpga", "--platform", "intel"]
BRIEF = ["--repetitions", 3, "--point-time", 0, "--ci", 0]
EMPTY = os.path.join(PLACE.name, "empty")       # no drivers of OpenCL
os.mkdir(EMPTY)
ROW = re.compile(r"^ +\d", re.M)


def write(name, data):
    path = os.path.join(PLACE.name, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)
    return path


# meson names the double's directory as well
PATHS = [p for p in os.environ.get("LD_LIBRARY_PATH", "").split(":") if p and os.path.realpath(p) != os.path.realpath(DOUBLE)]


def env(fault=None, cards=1, joined=False, library=DOUBLE):
    e = {k: v for k, v in os.environ.items() if k != "NETBENCH_FPGA"}
    e.update({"LD_LIBRARY_PATH": ":".join(filter(None, [library, *PATHS])), "NETBENCH_DOUBLE_CARDS": str(cards),
              "OCL_ICD_VENDORS": EMPTY})
    if fault:
        e["NETBENCH_DOUBLE_FAULT"] = fault
    if joined:
        e["NETBENCH_DOUBLE_FABRIC"] = write("fabric", b"")
    return e


def measured(name, rows, *args, cards=1, joined=False):
    """All content right; the table."""
    done = run(*args, *INTEL, "--xclbin", IMAGE, *BRIEF, "-f", "csv", env=env(cards=cards, joined=joined))
    table = Csv(done.out)
    bad = [r for r in table.rows if r["errors"] != 0 or r["size_B"] and not r["checked"]]
    ok(done.rc == 0 and not done.faults and table.status == "complete" and len(table.rows) == rows and not bad, name,
       f"{done}\n{bad[:1]}")
    return table


def refused(name, rc, pattern, *args, command=("beff", "-n", 1, "--sizes", 64, "-u", 5), image=IMAGE, timeout=20, **kwargs):
    """One line that says why, and the exit status."""
    named = ["--xclbin", image] if image else []
    done = run(*command, *INTEL, *named, *BRIEF, *args, timeout=timeout, env=env(**kwargs))
    ok(done.rc == rc and len(done.faults) == 1 and re.search(pattern, done.err) and not ROW.search(done.out), f"refused: {name}", done)


def one_card():
    done = run("beff", *INTEL, "--xclbin", IMAGE, "-n", 1, "-m", 12, "-u", 20, *BRIEF, "-f", "json", env=env())
    try:
        record = json.loads(done.out)
    except ValueError:
        record = {"rows": [], "environment": {"backend": {}}}
    found = record["environment"]["backend"]
    ok(done.rc == 0 and not done.faults, "beff, 1 rank", done)
    ok(len(record["rows"]) == 13 and all(r["errors"] == 0 and r["checked"] for r in record["rows"]), "all content is right",
       record["rows"])
    equal((found.get("platform"), found.get("emulated"), found.get("card")), ("intel", "no", "0"), "record: platform and card")
    equal((found.get("pairs"), found.get("lanes"), found.get("channel_width_B")), (2, 2, 32), "record: geometry")
    ok("netbench test" in found.get("opencl_platform", "") and found.get("opencl_device") == "netbench test card 0" and
       "test double" in found.get("driver", ""), "record: the double says what it is", found)
    measured("beff, loop-back, parts of chunks", 8, "beff", "-n", 1, "--wiring", "loopback", "--sizes",
             "1,7,31,32,33,63,65,5001", "-u", 5)


def several_cards():
    sizes = "0,1,33,64,100,5001"
    measured("latency, 2 cards", 6, "latency", "--sizes", sizes, "-l", 10, cards=2, joined=True)
    measured("bandwidth, 2 cards", 4, "bandwidth", "--sizes", "33,5001", "--window", "1,16", "-l", 3, cards=2, joined=True)
    measured("bandwidth both ways, 2 cards", 2, "bandwidth", "--bidirectional", "--sizes", "33,5001", "--window", 4, "-l", 3,
             cards=2, joined=True)
    measured("beff, 3 cards", 3, "beff", "-n", 3, "--sizes", "1,100,5001", "-u", 5, cards=3, joined=True)
    table = measured("card number 1 of 2", 1, "beff", "-n", 1, "--sizes", 8, "-u", 5, "--device", 1, cards=2)
    equal(table.meta.get("environment.backend.opencl_device"), ["netbench test card 1"], "that card it is")
    two = ("latency", "--sizes", 8, "-l", 5)
    refused("cards that face themselves", 1, "wrong wiring: rank [01]", command=two, cards=2)
    refused("two ranks on one card", 1, "share card '0'", command=two, cards=1)


def options():
    refused("no card of that number", 3, "no card '2'.* 0 to 1", "--device", 2, cards=2)
    for device in ("0000:03:00.1", "-1", "1x", ""):
        refused(f"'--device {device}'", 2, "'--device' is no number", "--device", device)
    refused("--emulate", 2, "'--emulate' needs '--platform xrt'", "--emulate", "fast")
    refused("no image named", 2, "'--xclbin' has to name an image", image=None)


def images():
    with open(NETBENCH, "rb") as f:
        program = f.read(10000)
    refused("image that is not there", 3, "none.aocx' cannot be read", image=os.path.join(PLACE.name, "none.aocx"))
    for name, data in (("empty", b""), ("short", b"\177ELF"), ("text", b"no image at all\n")):
        refused(f"image that is no .aocx: {name}", 1, f"{name}.aocx' is no .aocx", image=write(name + ".aocx", data))
    refused("a directory", 3, "cannot be read", image=PLACE.name)
    refused("an ELF file that the driver does not take", 1, "cannot be loaded on card '0': OpenCL error -42",
            image=write("elf.aocx", program))
    done = run("list", "--backend", "fpga", IMAGE, write("text.aocx", b"no image at all\n"), env=env(cards=2))
    ours = done.out[done.out.find("platform   intel"):]
    ok(done.rc == 0 and re.search(r"card +0: netbench test card 0\n +card +1: netbench test card 1\n", ours) and
       re.search(r"double.aocx\n +an \.aocx", ours) and re.search(r"text.aocx\n +no \.aocx", ours), "list", done)
    equal(done.out.count("\n  here "), 1, "list: said once")
    done = run("list", "--backend", "fpga", env=env("no-platform"))
    ok(done.rc == 0 and re.search(r"card +none: libOpenCL.so.1 knows no platform", done.out), "list without a driver", done)


def libraries():
    refused("no driver", 3, "cannot run here: libOpenCL.so.1 (knows no platform|is not here)", library=None)
    refused("no library", 3, "cannot run here: libOpenCL.so.1 is not here: ", library=os.path.dirname(write("a/libOpenCL.so.1", b"")))
    other = os.path.join(PLACE.name, "b")
    os.mkdir(other)
    os.symlink(os.path.join(os.path.dirname(NETBENCH), "netbench-null.so"), os.path.join(other, "libOpenCL.so.1"))
    refused("another library", 3, "libOpenCL.so.1 has no function 'clGetPlatformIDs'", library=other)


def faults():
    late = ["--kernel-timeout", "1s"]
    for fault, rc, pattern in (
            ("no-platform", 3, "knows no platform .OpenCL error -1001.: is the driver installed"),
            ("other-platforms", 3, "no platform of cards.* only 'Portable Nonsense', 'Intel.R. FPGA Emulation Platform"),
            ("no-card", 3, "netbench test.' has no card"),
            ("crash", 3, "drivers end the program when they are asked"),
            ("hang", 3, "drivers do not answer when they are asked"),
            ("busy", 3, "card '0' cannot be opened: OpenCL error -2"),
            ("refused", 1, "cannot be loaded on card '0': OpenCL error -11"),
            ("no-kernel:describe_0", 1, "has no kernels of netbench"),
            ("no-kernel:recv_1", 1, "lacks kernels of pair 1"),
            ("no-memory", 1, "card '0' has no memory"),
            ("no-write", 1, "rank 0: "),
            ("no-read", 1, "netbench: "),
            ("stuck:describe_0:1", 1, "kernel 'describe_0' on card '0' has not ended within"),
            ("stuck:send_0:1", 1, "nothing comes over channels"),
            ("stuck:send_0:2", 1, "has not ended within 1 s"),
            ("stuck:recv_1:3", 1, "has not ended within 1 s"),
            ("failed:describe_0:1", 1, "kernel 'describe_0' has failed on card '0'"),
            ("failed:empty_0:1", 1, "kernel 'empty_0' has failed on card '0'"),
            ("failed:recv_1:1", 1, "kernel 'recv_1' has failed on card '0'"),
            ("failed:send_0:1", 1, "kernel 'send_0' has failed on card '0'"),
            ("failed:recv_1:2", 1, "kernel 'recv_1' has failed on card '0'")):
        refused(fault, rc, pattern, *late, fault=fault, timeout=30)
    for fault in ("no-accelerator", "noisy"):
        done = run("beff", "-n", 1, "--sizes", 64, "-u", 5, *INTEL, "--xclbin", IMAGE, *BRIEF, "-f", "json", env=env(fault))
        ok(done.rc == 0 and not done.faults and done.out.startswith("{"), f"no harm: {fault}", done)


write("double.aocx", b"\177ELF netbench test double\n")
one_card()
several_cards()
options()
images()
libraries()
faults()
PLACE.cleanup()
finish()
