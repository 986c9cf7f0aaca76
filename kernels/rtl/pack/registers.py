# SPDX-License-Identifier: Apache-2.0
"""registers.py RTL xml [STREAM], or registers.py RTL man: generates files from RTL/registers.h.

xml prints kernel.xml for Vitis. STREAM is the form of the core's streams: framed (the default),
unframed or packets. man prints the table of netbench-fpga(7)."""
import os
import re
import sys

# For each form of the streams: the top module, and the bits of TDEST.
STREAMS = {"framed": ("nb_link", 0), "unframed": ("nb_link_unframed", 0),
           "packets": ("nb_link_packets", 16)}

XML = '''<?xml version="1.0" encoding="UTF-8"?>
<root versionMajor="1" versionMinor="6">
  <kernel name="nb_link" language="ip_c" vlnv="netbench:kernel:nb_link:1.0" attributes=""
          hwControlProtocol="ap_ctrl_hs" interrupt="true">
    <ports>
      <port name="s_axi_control" mode="slave" range="0x2000" dataWidth="32"
            portType="addressable" base="0x0"/>
      <port name="out" mode="write_only" dataWidth="512" portType="stream"/>
      <port name="in" mode="read_only" dataWidth="512" portType="stream"/>
    </ports>
    <args>
{args}    </args>
  </kernel>
</root>
'''

ARG = ('      <arg name="{name}" addressQualifier="{kind}" id="{id}" port="{port}"\n'
       '           size="0x{size:x}" offset="0x{offset:x}" hostOffset="0x0" hostSize="0x{size:x}"\n'
       '           type="{type}"/>\n')


def registers(rtl, kind):
    """Returns (name, offset, bits, meaning) of each NB_ARGUMENT or NB_RESULT."""
    with open(os.path.join(rtl, "registers.h")) as f:
        text = re.sub(r'"\s*\\?\n\s*"', "", f.read())     # a text over several lines
    rows = re.findall(rf'^\t{kind}\(\w+, (\w+), (0x\w+), (\d+),\s*\\?\s*"((?:[^"\\]|\\.)*)"\)',
                      text, re.M)
    return [(name, int(offset, 16), int(bits), meaning.replace('\\"', '"'))
            for name, offset, bits, meaning in rows]


def make_man(rtl):
    rows = [("control", 0, 32, "0 start, 1 done, 2 idle, 3 ready, 7 auto-restart"),
            *registers(rtl, "NB_ARGUMENT"), *registers(rtl, "NB_RESULT")]
    return "".join(f".It 0x{offset:03x} Ta {name} Ta {bits} Ta {meaning}\n"
                   for name, offset, bits, meaning in rows)


def make_xml(rtl, stream="framed"):
    arguments = registers(rtl, "NB_ARGUMENT")
    args = [ARG.format(name=name, kind=0, id=i, port="s_axi_control", size=bits // 8, offset=offset,
                       type="ulong" if bits == 64 else "uint")
            for i, (name, offset, bits, _) in enumerate(arguments)]
    args += [ARG.format(name=name, kind=4, id=len(arguments) + i, port=name, size=0, offset=0,
                        type=f"stream&lt;ap_axiu&lt;512,0,0,{STREAMS[stream][1]}>>")
             for i, name in enumerate(("out", "in"))]
    return XML.format(args="".join(args))


if __name__ == "__main__":
    if sys.argv[2] == "man":
        sys.stdout.write(make_man(sys.argv[1]))
    else:
        sys.stdout.write(make_xml(sys.argv[1], *sys.argv[3:]))
