# SPDX-License-Identifier: Apache-2.0
"""Pictures by netbench plot, of result files in the current folder."""
import json
import os
import re
import xml.etree.ElementTree as ElementTree

from netbench import run

SVG = "{http://www.w3.org/2000/svg}"
USE = "{http://www.w3.org/1999/xlink}href"


def changed(record, **members):
    return json.loads(json.dumps({**record, **members}))


class Picture:
    """An SVG: its texts, and of each plotted part its marks and paths."""

    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.texts = ["".join(t.itertext()) for t in self.root.iter(SVG + "text")]
        self.parts = [g for g in self.root.iter(SVG + "g") if g.get("id", "").startswith("gnuplot_plot_")]
        self.marks = [sum(u.get(USE, "").startswith("#gpPt") for u in g.iter(SVG + "use")) for g in self.parts]
        self.size = (int(self.root.get("width")), int(self.root.get("height")))

    @property
    def points(self):
        """How many marks there are, without those of the legend."""
        return sum(self.marks) - sum(m > 0 and g.find(f".//{SVG}text") is not None for m, g in zip(self.marks, self.parts))

    def has(self, text):
        """In one text, or wrapped into several."""
        return text in " ".join(self.texts)

    def legend(self):
        """The labels of its series."""
        return [t for g in self.parts for t in ("".join(x.itertext()) for x in g.iter(SVG + "text")) if t]

    def outside(self):
        """Texts that begin beyond its edges, or at the right one."""
        found = []
        for group in self.root.iter(SVG + "g"):
            at = re.fullmatch(r"translate\(([-\d.]+),([-\d.]+)\).*", group.get("transform", ""))
            if at and group.find(SVG + "text") is not None:
                x, y = float(at[1]), float(at[2])
                if not (0 <= x < self.size[0] - 20 and 0 <= y <= self.size[1]):
                    found.append(("".join(group.itertext()).strip(), x, y))
        return found


def draw(*args):
    """(Done, Picture or None)"""
    if os.path.exists("out.svg"):
        os.unlink("out.svg")
    done = run("plot", *args, "-o", "out.svg")
    return done, Picture("out.svg") if done.rc == 0 else None


def script_of(*args):
    """(script, {name of a block of data: its rows})"""
    done = run("plot", *args, "--script")
    blocks = {}
    for name, text in re.findall(r"^\$(\w+) << END\n(.*?)^END$", done.out, re.M | re.S):
        blocks[name] = [[float(v) for v in line.split()] for line in text.splitlines() if line]
    return done.out, blocks
