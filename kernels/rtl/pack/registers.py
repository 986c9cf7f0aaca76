# SPDX-License-Identifier: Apache-2.0
"""registers.py RTL xml|man, or registers.py RTL check MANUAL: generates files from the register map RTL/registers.h.

xml prints kernel.xml for Vitis. man prints the table of netbench-fpga(7). check tests that the manual has this table, that
kernel.xml is well-formed and its ports are ports of nb_link.sv, and that pack.tcl runs under stand-ins for Vivado's commands.
The output of check is TAP."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

RTL, WHAT = os.path.abspath(sys.argv[1]), sys.argv[2]


def read(*path):
    with open(os.path.join(RTL, *path)) as f:
        return f.read()


def registers(kind):
    """Returns (name, offset, bits, meaning) of each NB_ARGUMENT or NB_RESULT."""
    rows = re.findall(rf'^\t{kind}\(\w+, (\w+), (0x\w+), (\d+), "((?:[^"\\]|\\.)*)"\)', read("registers.h"), re.M)
    return [(name, int(offset, 16), int(bits), meaning.replace('\\"', '"')) for name, offset, bits, meaning in rows]


def make_man():
    rows = [("control", 0, 32, "0 start, 1 done, 2 idle, 3 ready, 7 auto-restart"), *registers("NB_ARGUMENT"), *registers("NB_RESULT")]
    return "".join(f".It 0x{offset:03x} Ta {name} Ta {bits} Ta {meaning}\n" for name, offset, bits, meaning in rows)


def make_xml():
    args = "".join(f'      <arg name="{name}" addressQualifier="0" id="{i}" port="s_axi_control" size="0x{bits // 8:x}" offset="0x{offset:x}" '
                   f'hostOffset="0x0" hostSize="0x{bits // 8:x}" type="{"ulong" if bits == 64 else "uint"}"/>\n'
                   for i, (name, offset, bits, _) in enumerate(registers("NB_ARGUMENT")))
    streams = "".join(f'      <arg name="{name}" addressQualifier="4" id="{21 + i}" port="{name}" size="0x0" offset="0x0" hostOffset="0x0" '
                      'hostSize="0x0" type="stream&lt;ap_axiu&lt;512,0,0,0>>"/>\n' for i, name in enumerate(("out", "in")))
    return f'''<?xml version="1.0" encoding="UTF-8"?>
<root versionMajor="1" versionMinor="6">
  <kernel name="nb_link" language="ip_c" vlnv="netbench:kernel:nb_link:1.0" attributes="" hwControlProtocol="ap_ctrl_hs" interrupt="true">
    <ports>
      <port name="s_axi_control" mode="slave" range="0x2000" dataWidth="32" portType="addressable" base="0x0"/>
      <port name="out" mode="write_only" dataWidth="512" portType="stream"/>
      <port name="in" mode="read_only" dataWidth="512" portType="stream"/>
    </ports>
    <args>
{args}{streams}    </args>
  </kernel>
</root>
'''


# ---- check ----

def ports_of_core():
    head = read("nb_link.sv").split(");", 1)[0]
    return set(re.findall(r"^\s+(?:input|output)\s+wire\s+(?:\[[^]]+\]\s+)?(\w+)", head, re.M))


def packed():
    """Runs pack.tcl under stand-ins that log Vivado's commands. Returns the fault, "" if there is none, or None without tclsh."""
    tclsh = shutil.which("tclsh")
    if not tclsh:
        return None
    with tempfile.TemporaryDirectory() as place:
        log = os.path.join(place, "log")
        stand = os.path.join(place, "stand.tcl")
        with open(stand, "w") as f:
            f.write(f'proc unknown {{args}} {{ set f [open {log} a]; puts $f $args; close $f; return stand_in }}\n'
                    f'set argv [list {place} {os.path.join(place, "kernel.xml")}]\nset argc 2\nsource {os.path.join(RTL, "pack/pack.tcl")}\n')
        done = subprocess.run([tclsh, stand], capture_output=True, text=True)
        if done.returncode:
            return done.stderr[-200:]
        with open(log) as f:
            said = f.read()
    named = re.findall(r"-(?:busif|clock|reset) (\w+)|infer_bus_interface (\w+)", said)
    missing = [name for pair in named for name in pair if name and not any(port == name or port.startswith(name + "_") for port in ports_of_core())]
    lost = [word for word in ("ap_ctrl_hs", "package_xo", "nb_regs.sv", "s_axi_control", "ap_clk") if word not in said]
    return ", ".join(missing + lost)


def check(manual):
    with open(manual) as f:
        lines = set(f.read().split("\n"))
    absent = [line for line in make_man().splitlines() if line not in lines]
    tree = ET.fromstring(make_xml())
    offsets = [int(a.get("offset"), 16) for a in tree.iter("arg") if a.get("port") == "s_axi_control"]
    ports = {name.rsplit("_t", 1)[0] for name in ports_of_core()}
    lost = [p.get("name") for p in tree.iter("port") if not any(name.startswith(p.get("name")) for name in ports)]
    fault = packed()
    print("1..3")
    print(("not " if absent else "") + f"ok 1 - the manual has the map of registers.h{''.join(chr(10) + '# ' + a for a in absent[:3])}")
    bad = lost or offsets != sorted(set(offsets)) or len(offsets) != 21
    print(("not " if bad else "") + f"ok 2 - kernel.xml is well-formed, has 21 arguments and the core's ports {lost}")
    print(("not " if fault else "") + "ok 3 - pack.tcl under stand-ins for Vivado's commands"
          + (" # SKIP no tclsh here" if fault is None else f" {fault}"))
    return bool(absent or bad or fault)


if __name__ == "__main__":
    if WHAT == "check":
        sys.exit(check(sys.argv[3]))
    sys.stdout.write({"man": make_man, "xml": make_xml}[WHAT]())
