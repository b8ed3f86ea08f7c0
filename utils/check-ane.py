#!/usr/bin/python3
"""A function of the ane dialect, twice: by the definitions of its ops in f32, and compiled
for h13 and run in the simulator. Exit 0 when the results agree.

usage: check-ane.py FUNC.mlir [--bin DIR] [--min-cos C] [--max-err E] [--low L] [--high H]
                    [--step S] [--keep DIR] [--tasks N] [--intermediates BYTES]
                    [--flavour NAME]

A constant `dense_resource<random_SEED> : tensor<...xf16>` is filled with values between
-1 and 1. Inputs are f16 values between L and H, multiples of S if that is given. With --tasks, the
program may have at most N tasks, with --intermediates move at most so many bytes of
intermediate tensors to and from DRAM. With --flavour, the pipeline of ane-compile for that
flavour takes the place of the passes one by one.
"""
import argparse
import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))

PIPELINE = (
    "canonicalize,cse,func.func(ane-propagate-layout),ane-fold,ane-fuse,ane-fold,canonicalize,"
    "func.func(ane-decompose),ane-fold,canonicalize,ane-legalize,func.func(ane-form-tasks),"
    "func.func(ane-assign-layout),func.func(ane-schedule),func.func(ane-keep-in-l2),func.func(ane-allocate-dram),"
    "func.func(ane-allocate-l2),func.func(ane-verify-memory),convert-ane-to-hwx"
)


def with_resources(text):
    """The function with its random constants defined."""
    blobs = {}

    def define(match):
        count = 1
        for extent in re.findall(r"(\d+)x", match.group(2)):
            count *= int(extent)
        # A linear congruence: no two neighbours are alike, and every run is the same.
        values = [((i * 7919 + 104729 * int(match.group(1)) + 31) % 1009) / 504 - 1 for i in range(count)]
        blobs[f"random_{len(blobs)}"] = struct.pack(f"<{count}e", *values).hex()
        return f"dense_resource<random_{len(blobs) - 1}> : {match.group(2)}"

    text = re.sub(r"dense_resource<random_(\d+)>\s*:\s*(tensor<[\dx]*f16>)", define, text)
    if not blobs:
        return text
    entries = ",\n".join(f'      {key}: "0x02000000{data}"' for key, data in blobs.items())
    return text + "\n{-#\n  dialect_resources: {\n    builtin: {\n" + entries + "\n    }\n  }\n#-}\n"


def run(what, command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{what} failed: {' '.join(command)}\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("function")
    parser.add_argument("--bin", default=os.path.join(HERE, "..", "build", "bin"))
    parser.add_argument("--min-cos", default="0.9995")
    parser.add_argument("--max-err", default="0.02")
    parser.add_argument("--low", type=float, default=-1.0)
    parser.add_argument("--high", type=float, default=1.0)
    parser.add_argument("--step", type=float, default=0.0)
    parser.add_argument("--keep", help="folder for the intermediate files")
    parser.add_argument("--tasks", type=int)
    parser.add_argument("--intermediates", type=int)
    parser.add_argument("--flavour")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        function = os.path.join(folder, "function.mlir")
        with open(options.function) as given, open(function, "w") as file:
            file.write(with_resources(given.read()))
        reference = (
            f"builtin.module(func.func(ane-write-reference{{folder={folder} low={options.low} "
            f"high={options.high} step={options.step}}}))"
        )
        tool = f"{options.bin}/ane-opt"
        run("the reference", [tool, function, f"--pass-pipeline={reference}", "-o", os.devnull])
        program = os.path.join(folder, "net.mlir")
        passes = f"--pass-pipeline=builtin.module({PIPELINE})"
        if options.flavour:
            passes = f"--ane-pipeline=flavour={options.flavour}"
        run("the compiler", [tool, function, passes, "-o", program])
        with open(program) as file:
            tasks = len(re.findall(r"^\s*hwx\.task\b", file.read(), re.M))
        if not tasks:
            sys.exit("the program has no tasks")
        if options.tasks is not None and tasks > options.tasks:
            sys.exit(f"the program has {tasks} tasks, but should have at most {options.tasks}")
        inputs, outputs = [], []
        for i in range(len(glob.glob(os.path.join(folder, "in*.npy")))):
            inputs += ["--input", os.path.join(folder, f"in{i}.npy")]
        count = len(glob.glob(os.path.join(folder, "want*.npy")))
        for i in range(count):
            outputs += ["--output", os.path.join(folder, f"got{i}.npy")]
        stats = os.path.join(folder, "stats.json")
        run("ane-run", [f"{options.bin}/ane-run", program, "--device=sim", f"--stats={stats}", *inputs, *outputs])
        with open(stats) as file:
            moved = sum(traffic["intermediate"] for traffic in json.load(file)["dram_traffic"].values())
        if options.intermediates is not None and moved > options.intermediates:
            sys.exit(f"the program moves {moved} bytes of intermediate tensors, but should move at most "
                     f"{options.intermediates}")
        for i in range(count):
            got, want = (os.path.join(folder, f"{name}{i}.npy") for name in ("got", "want"))
            print(run("the comparison", [sys.executable, f"{HERE}/compare-npy.py", got, want, "--min-cos",
                                         options.min_cos, "--max-err", options.max_err]), end="")
        print(f"{tasks} tasks")


if __name__ == "__main__":
    main()
