#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails for lines of the sources that are longer than 100 columns, a tab being 8. Of the kernels these are all files but
Markdown and the changes that tests apply, whose first line is a sentence."""
import pathlib
import sys

COLUMNS = 100

ROOT = pathlib.Path(sys.argv[1])
FOLDERS = ["src", "examples"]

files = [file for folder in FOLDERS for name in ("*.[ch]", "meson.build") for file in (ROOT / folder).rglob(name)]
files += (f for f in (ROOT / "kernels").rglob("*") if f.is_file() and f.suffix not in (".md", ".diff", ".pyc"))

long = []
for file in sorted(files):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if len(line.expandtabs(8)) > COLUMNS:
            long.append(f"{file.relative_to(ROOT)}:{number}: {len(line.expandtabs(8))} columns")
print("\n".join(long) if long else "ok")
sys.exit(1 if long else 0)
