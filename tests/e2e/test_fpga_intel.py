# SPDX-License-Identifier: Apache-2.0
"""Backend fpga on platform intel, over a double of OpenCL whose cards run the kernels of beff_intel.cl on this machine
(kernels/tests/opencl_double.c): what it measures is nobody's time, but content, order of calls and faults are as they are."""
import json
import os
import re
import pytest
from netbench import NETBENCH, Csv, equal, ok, run, slow_but

DOUBLE = os.path.join(os.path.dirname(NETBENCH), "kernels", "tests")
INTEL = ["-b", "fpga", "--platform", "intel"]
BRIEF = ["--repetitions", 3, "--point-time", 0, "--ci", 0]
ROW = re.compile(r"^ +\d", re.M)


# meson names the double's directory as well
PATHS = [p for p in os.environ.get("LD_LIBRARY_PATH", "").split(":") if p and os.path.realpath(p) != os.path.realpath(DOUBLE)]


class Place:
    """Files of these tests, and the environment in which the double stands for OpenCL."""

    def __init__(self, directory):
        self.directory = directory
        self.empty = str(directory / "empty")       # no drivers of OpenCL
        os.mkdir(self.empty)
        self.image = self.write("double.aocx", b"\177ELF netbench test double\n")

    def write(self, name, data):
        path = self.directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return str(path)

    def env(self, fault=None, cards=1, joined=False, library=DOUBLE):
        e = {k: v for k, v in os.environ.items() if k != "NETBENCH_FPGA"}
        e.update({"LD_LIBRARY_PATH": ":".join(filter(None, [library, *PATHS])), "NETBENCH_DOUBLE_CARDS": str(cards),
                  "OCL_ICD_VENDORS": self.empty})
        if fault:
            e["NETBENCH_DOUBLE_FAULT"] = fault
        if joined:
            e["NETBENCH_DOUBLE_FABRIC"] = self.write("fabric", b"")
        return e

    def measured(self, name, rows, *args, cards=1, joined=False):
        """All content right; the table."""
        done = run(*args, *INTEL, "--xclbin", self.image, *BRIEF, "-f", "csv", env=self.env(cards=cards, joined=joined))
        table = Csv(done.out)
        bad = [r for r in table.rows if r["errors"] != 0 or r["size_B"] and not r["checked"]]
        ok(done.rc == 0 and not done.faults and table.status == "complete" and len(table.rows) == rows and not bad, name,
           f"{done}\n{bad[:1]}")
        return table

    def refused(self, name, rc, pattern, *args, command=("beff", "-n", 1, "--sizes", 64, "-u", 5), image="", timeout=20,
                **kwargs):
        """One line that says why, and the exit status. image: None for none."""
        named = ["--xclbin", image or self.image] if image is not None else []
        done = run(*command, *INTEL, *named, *BRIEF, *args, timeout=timeout, env=self.env(**kwargs))
        ok(done.rc == rc and len(done.faults) == 1 and re.search(pattern, done.err) and not ROW.search(done.out), f"refused: {name}", done)


@pytest.fixture(scope="module")
def card(shared_place):
    if not os.path.exists(os.path.join(os.path.dirname(NETBENCH), "netbench-fpga.so")):
        pytest.skip("this build has no backend fpga")
    if not os.path.exists(os.path.join(DOUBLE, "libOpenCL.so.1")):
        pytest.skip("CL/cl.h (opencl-c-headers) was not found when this was configured")
    return Place(shared_place)


def test_beff_on_a_card_is_right_and_recorded_with_platform_and_image(card):
    done = run("beff", *INTEL, "--xclbin", card.image, "-n", 1, "-m", 12, "-u", 20, *BRIEF, "-f", "json", env=card.env())
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


def test_sizes_that_are_parts_of_chunks_are_verified(card):
    card.measured("beff, loop-back, parts of chunks", 8, "beff", "-n", 1, "--wiring", "loopback", "--sizes",
             "1,7,31,32,33,63,65,5001", "-u", 5)


@pytest.mark.parametrize("rows, args", [
    pytest.param(6, ["latency", "--sizes", "0,1,33,64,100,5001", "-l", 10], id="latency"),
    pytest.param(4, ["bandwidth", "--sizes", "33,5001", "--window", "1,16", "-l", 3], id="bandwidth"),
    pytest.param(2, ["bandwidth", "--bidirectional", "--sizes", "33,5001", "--window", 4, "-l", 3], id="both ways")])
def test_measurements_between_two_cards_are_right(rows, args, card):
    card.measured(f"{args[0]}, 2 cards", rows, *args, cards=2, joined=True)


def test_rings_of_several_cards_are_right_and_a_card_is_chosen_by_number(card):
    card.measured("beff, 3 cards", 3, "beff", "-n", 3, "--sizes", "1,100,5001", "-u", 5, cards=3, joined=True)
    table = card.measured("card number 1 of 2", 1, "beff", "-n", 1, "--sizes", 8, "-u", 5, "--device", 1, cards=2)
    equal(table.meta.get("environment.backend.opencl_device"), ["netbench test card 1"], "that card it is")


def test_cards_that_do_not_fit(card):
    two = ("latency", "--sizes", 8, "-l", 5)
    card.refused("cards that face themselves", 1, "wrong wiring: rank [01]", command=two, cards=2)
    card.refused("two ranks on one card", 1, "share card '0'", command=two, cards=1)


def test_cards_and_options_that_are_not_there_are_refused(card):
    card.refused("no card of that number", 3, "no card '2'.* 0 to 1", "--device", 2, cards=2)
    for device in ("0000:03:00.1", "-1", "1x", ""):
        card.refused(f"'--device {device}'", 2, "'--device' is no number", "--device", device)
    card.refused("--emulate", 2, "'--emulate' needs '--platform xrt'", "--emulate", "fast")
    card.refused("no image named", 2, "'--xclbin' has to name an image", image=None)


def test_files_that_are_no_images_are_refused_by_name(card):
    with open(NETBENCH, "rb") as f:
        program = f.read(10000)
    card.refused("image that is not there", 3, "none.aocx' cannot be read", image=str(card.directory / "none.aocx"))
    for name, data in (("empty", b""), ("short", b"\177ELF"), ("text", b"no image at all\n")):
        card.refused(f"image that is no .aocx: {name}", 1, f"{name}.aocx' is no .aocx", image=card.write(name + ".aocx", data))
    card.refused("a directory", 3, "cannot be read", image=str(card.directory))
    card.refused("an ELF file that the driver does not take", 1, "cannot be loaded on card '0': OpenCL error -42",
            image=card.write("elf.aocx", program))


def test_list_shows_cards_and_what_each_file_is(card):
    done = run("list", "--backend", "fpga", card.image, card.write("text.aocx", b"no image at all\n"), env=card.env(cards=2))
    ours = done.out[done.out.find("platform   intel"):]
    ok(done.rc == 0 and re.search(r"card +0: netbench test card 0\n +card +1: netbench test card 1\n", ours) and
       re.search(r"double.aocx\n +an \.aocx", ours) and re.search(r"text.aocx\n +no \.aocx", ours), "list", done)
    equal(done.out.count("\n  here "), 1, "list: said once")
    done = run("list", "--backend", "fpga", env=card.env("no-platform"))
    ok(done.rc == 0 and re.search(r"card +none: libOpenCL.so.1 knows no platform", done.out), "list without a driver", done)


def test_results_of_the_vendors_emulator_say_that_they_are_emulated(card):
    """Its variable chooses its platform, and the results say so."""
    done = run("beff", "-n", 1, "--sizes", 64, "-u", 5, *INTEL, "--xclbin", card.image, *BRIEF, "-f", "json",
               env={**card.env(), "CL_CONTEXT_EMULATOR_DEVICE_INTELFPGA": "1"})
    record = json.loads(done.out or '{"rows": [{}], "environment": {"backend": {}}}')
    found = record["environment"]["backend"]
    ok(done.rc == 0 and not done.faults and found.get("emulated") == "yes" and "Emulation" in found["opencl_platform"] and
       found["method"].startswith("Intel's emulator, 2 pairs") and record["rows"][0].get("emulated"), "an emulator says so", done)


def test_without_a_driver_or_library_the_backend_says_what_is_missing(card):
    card.refused("no driver", 3, "cannot run here: libOpenCL.so.1 (knows no platform|is not here)", library=None)
    card.refused("no library", 3, "cannot run here: libOpenCL.so.1 is not here: ", library=os.path.dirname(card.write("a/libOpenCL.so.1", b"")))
    other = str(card.directory / "b")
    os.mkdir(other)
    os.symlink(os.path.join(os.path.dirname(NETBENCH), "netbench-null.so"), os.path.join(other, "libOpenCL.so.1"))
    card.refused("another library", 3, "libOpenCL.so.1 has no function 'clGetPlatformIDs'", library=other)


@pytest.mark.parametrize("fault, rc, pattern", slow_but([
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
    ("stuck:send_0:1", 1, "kernel 'send_0' on card '0' has not ended within 3 s"),
    ("stuck:send_0:102", 1, "nothing comes within 10 s over channel 1 .pair 1, lane 0, lanes after it untested. from rank 0, channel 0: is"),
    ("stuck:send_0:103", 1, "nothing comes within 10 s over channel 3 .pair 1, lane 1. from rank 0, channel 2: is"),
    ("stuck:send_0:104", 1, "does not arrive whole within 10 s over pair . .channels"),
    ("stuck:send_0:105", 1, "has not ended within 1 s"),
    ("stuck:recv_1:4", 1, "has not ended within 1 s"),
    ("failed:describe_0:1", 1, "kernel 'describe_0' has failed on card '0'"),
    ("failed:send_0:102", 1, "kernel 'send_0' has failed on card '0'"),
    ("failed:recv_1:1", 1, "kernel 'recv_1' has failed on card '0'"),
    ("failed:send_0:1", 1, "kernel 'send_0' has failed on card '0'"),
    ("failed:recv_1:3", 1, "kernel 'recv_1' has failed on card '0'")], *range(4), *range(5, 13)))
def test_a_fault_of_the_driver_is_told_in_a_line(fault, rc, pattern, card):
    card.refused(fault, rc, pattern, "--kernel-timeout", "1s", fault=fault, timeout=30)


@pytest.mark.parametrize("fault", ["no-accelerator", "noisy"])
def test_a_missing_accelerator_or_noise_of_the_driver_does_no_harm(fault, card):
    done = run("beff", "-n", 1, "--sizes", 64, "-u", 5, *INTEL, "--xclbin", card.image, *BRIEF, "-f", "json", env=card.env(fault))
    ok(done.rc == 0 and not done.faults and done.out.startswith("{"), f"no harm: {fault}", done)
