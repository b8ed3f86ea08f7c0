#!/usr/bin/python3
"""A function of the ane dialect, twice: by the definitions of its ops in f32, and compiled
as ane-compile does, for h13, and run in the simulator. Exit 0 when the results agree.

usage: check-ane.py FUNC.mlir [--bin DIR] [--min-cos C] [--max-err E] [--low L] [--high H]
                    [--step S] [--keep DIR] [--tasks N] [--intermediates BYTES]
                    [--flavour NAME]

A constant `dense_resource<random_SEED> : tensor<...xf16>` (or random_SEED_PERCENT) is filled
with values between -1 and 1 (-PERCENT/100 and so on). Inputs are f16 values between L and
H, multiples of S if that is given. With --tasks, the program may have at most N tasks, with
--intermediates move at most so many bytes of intermediate tensors to and from DRAM.
"""
import argparse
import glob
import json
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import check_results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("function")
    check_results.add_options(parser)
    parser.add_argument("--step", type=float, default=0.0)
    parser.add_argument("--tasks", type=int)
    parser.add_argument("--intermediates", type=int)
    parser.add_argument("--flavour", default="clean")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        function = os.path.join(folder, "function.mlir")
        with open(options.function) as given, open(function, "w") as file:
            file.write(check_results.with_resources(given.read(), "f16"))
        reference = (
            f"builtin.module(func.func(ane-write-reference{{folder={folder} low={options.low} "
            f"high={options.high} step={options.step}}}))"
        )
        tool = f"{options.bin}/ane-opt"
        check_results.run("the reference", [tool, function, f"--pass-pipeline={reference}", "-o", os.devnull])
        program = os.path.join(folder, "net.mlir")
        check_results.run("the compiler", [tool, function, f"--ane-pipeline=flavour={options.flavour}", "-o", program])
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
        check_results.run("ane-run", [f"{options.bin}/ane-run", program, "--device=sim", f"--stats={stats}", *inputs, *outputs])
        with open(stats) as file:
            moved = sum(traffic["intermediate"] for traffic in json.load(file)["dram_traffic"].values())
        if options.intermediates is not None and moved > options.intermediates:
            sys.exit(f"the program moves {moved} bytes of intermediate tensors, but should move at most "
                     f"{options.intermediates}")
        for i in range(count):
            got, want = (os.path.join(folder, f"{name}{i}.npy") for name in ("got", "want"))
            check_results.compare(got, want, options)
        print(f"{tasks} tasks")


if __name__ == "__main__":
    main()
