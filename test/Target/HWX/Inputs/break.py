"""Cuts and damages a register program; each one must be refused with an error
that names the file, exit code 1 and no output. Where only some of the tasks can
be read, the dumps print those and say why there are no more.

usage: break.py TOOL GOOD BAD OUT
"""
import os
import struct
import subprocess
import sys

tool, good, bad, out = sys.argv[1:]
data = open(good, "rb").read()


def note(name, contents, expected, tasks):
    refuse(name, contents, expected, ["--from-hwx"])
    for flag in ("--dump-hwx", "--dump-hwx=json"):
        run = subprocess.run([tool, flag, bad], capture_output=True, text=True, timeout=20)
        seen = run.stdout.count("NextPointer" if "json" in flag else "\ntask ")
        if run.returncode != 0 or expected not in run.stdout or seen != tasks:
            sys.exit(f"{name}: {flag}: exit {run.returncode}, {seen} tasks, '{run.stderr}'")


def refuse(name, contents, expected, flags=("--from-hwx", "--dump-hwx", "--dump-hwx=json")):
    open(bad, "wb").write(contents)
    for flag in flags:
        run = subprocess.run([tool, flag, bad, "-o", out], capture_output=True, text=True, timeout=20)
        error = run.stderr
        if run.returncode != 1 or f"{bad}:0:0: error: " not in error or expected not in error:
            sys.exit(f"{name}: {flag}: exit {run.returncode}, expected '{expected}', got '{error}'")
        if os.path.exists(out):
            sys.exit(f"{name}: {flag}: left an output file")


def word(at, value):
    return data[:at] + struct.pack("<I", value) + data[at + 4 :]


def command(code, n=0):
    at = 32
    while True:
        if struct.unpack_from("<I", data, at)[0] == code:
            if n == 0:
                return at
            n -= 1
        at += struct.unpack_from("<I", data, at + 4)[0]


for length in (0, 1, 31, 32, 100, 0x150, 0x1000, 0x3FFF, 0x4000, 0x4300, len(data) - 1):
    refuse(f"cut to {length}", data[:length], "bytes")
text = command(0x19, 1)
program = command(4)
refuse("magic", word(0, 0xFEEDFACF), "header at 0x0: magic is 0xfeedfacf, expected 0xbeefface")
refuse("generation", word(8, 8), "cpu subtype is 8, expected one of 4 (h13), 5 (h14)")
refuse("program of another generation", word(8, 5), "describes a program (thread of flavor 4)")
refuse("count of commands", word(16, 0xFFFFFFFF), "header counts 4294967295 commands")
refuse("size of commands", word(20, 0xFFFFFFF0), "load commands take 4294967280 bytes")
refuse("size of a command", word(text + 4, 0), "load command 1 at 0x68: size is 0 bytes")
refuse("count of sections", word(text + 64, 1 << 31), "load command 1 at 0x68: segment '__TEXT' claims 2147483648 sections")
refuse("overlap", word(text + 152 + 48, 0x4200), "section __TEXT,__const at 0x4200 overlaps section __TEXT,__text")
refuse("count of relocations", word(text + 72 + 60, 1 << 28), "relocations of section __TEXT,__text covers 2147483648 bytes")
refuse("count of symbols", word(command(2) + 12, 1 << 30), "symbol table covers")
refuse("entry", word(program + 0x810, 0), "entry 0x0 is outside the text")
note("count of tasks", word(program + 0x81C, 3), "program counts 3 tasks, but 2 are chained", 2)
refuse("words of the first task", word(program + 0x818, 0xFFFF), "task 0")
note("cycle", word(program + 0x81C, 99)[:0x4000 + 0x31C] + struct.pack("<I", 0x300) + data[0x4000 + 0x320:], "never ends", 2)
refuse("record", word(0x4000 + 0x254, 0xFC017800), "task 0: record at word 149 (offset 0x254) claims 64 registers, but only 7 words remain")
note("record of the second task", word(0x4300 + 0x254, 0xFC017800), "task 1: record at word 149 (offset 0x554) claims 64 registers, but only 7 words remain", 1)
