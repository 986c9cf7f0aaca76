# SPDX-License-Identifier: Apache-2.0
"""dataflow.py SOURCE OUTPUT: copies a source for Vitis HLS and makes processes of its dataflow
regions, as on a card.

Each call after '#pragma HLS DATAFLOW', up to the end of the function, becomes a process of its own
(hls::processes of hls/hls_stream.h). Other calls stay as they are."""
import re
import sys

PRAGMA = "#pragma HLS DATAFLOW"
CALL = re.compile(r"\n\t(\w+\([^;{}]*\);)")


def with_processes(text):
    parts = text.split(PRAGMA)
    for i, part in enumerate(parts[1:], 1):
        end = part.index("\n}")
        region, calls = CALL.subn(r"\n\tprocesses.start([&] { \1 });", part[:end])
        if not calls:
            sys.exit("a dataflow region without calls")
        parts[i] = "\n\thls::processes processes;" + region + part[end:]
    # processes must end before the streams between them do
    early = r"^(\n\thls::processes processes;)((?:.|\n)*?)(?=\n\tprocesses\.start)"
    return "".join(re.sub(early, r"\2\1", p, count=1) for p in parts)


if __name__ == "__main__":
    with open(sys.argv[1]) as f:
        source = f.read()
    with open(sys.argv[2], "w") as f:
        f.write(with_processes(source))
