#!/usr/bin/python3
"""One network, twice: compiled for h13 and run in the simulator, and by stock MLIR on the
CPU in f32. Exit 0 when the outputs agree. It has to compile to MIL text, too.

usage: check-network.py NET.mlir [--bin DIR] [--function NAME] [--mode fast|exact]
                        [--min-cos C] [--max-err E] [--low L] [--high H] [--keep DIR]

NET.mlir holds one TOSA function; its arguments get deterministic values between L and H.
A constant `dense_resource<random_SEED> : tensor<...xf32>` (or random_SEED_PERCENT) that
the file does not define is filled with values between -1 and 1 (-PERCENT/100 and so on).
Everything after -- goes to ane-compile.
"""
import argparse
import array
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))


def write_npy(path, shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": tuple(shape)}).encode("latin1")
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + values.tobytes())


def fill(shape, argument, low, high):
    count = 1
    for extent in shape:
        count *= extent
    # A linear congruence: no two neighbours are alike, and every run is the same.
    values = (((i * 7919 + 104729 * argument + 31) % 1009) / 1008 for i in range(count))
    return array.array("f", (low + (high - low) * v for v in values))


def with_resources(text):
    """A network without resources, with its random constants defined."""
    blobs = {}

    def define(match):
        seed, percent = int(match.group(1)), match.group(2)
        shape = [int(d) for d in re.findall(r"(\d+)x", match.group(3))]
        bound = int(percent) / 100 if percent else 1.0
        key = f"random_{len(blobs)}"
        blobs[key] = fill(shape, seed, -bound, bound).tobytes().hex()
        return f"dense_resource<{key}> : {match.group(3)}"

    text = re.sub(r"dense_resource<random_(\d+)(?:_(\d+))?>\s*:\s*(tensor<[\dx]*f32>)", define, text)
    if not blobs:
        return text
    entries = ",\n".join(f'      {key}: "0x04000000{data}"' for key, data in blobs.items())
    return text + "\n{-#\n  dialect_resources: {\n    builtin: {\n" + entries + "\n    }\n  }\n#-}\n"


def run(what, command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{what} failed: {' '.join(command)}\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("--bin", default=os.path.join(HERE, "..", "build", "bin"))
    parser.add_argument("--function")
    parser.add_argument("--mode", default="fast")
    parser.add_argument("--min-cos", default="0.9995")
    parser.add_argument("--max-err", default="0.02")
    parser.add_argument("--low", type=float, default=-1.0)
    parser.add_argument("--high", type=float, default=1.0)
    parser.add_argument("--keep", help="folder for the intermediate files")
    own, more = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, more = own[:cut], own[cut + 1 :]
    options = parser.parse_args(own)

    with open(options.network) as file:
        text = file.read()
    tail = text.find("{-#")
    body = text if tail < 0 else text[:tail]
    match = re.search(rf"func\.func (?:public )?@({options.function or '[A-Za-z_][A-Za-z_0-9]*'})\s*\((.*?)\)\s*->", body, re.S)
    if not match:
        sys.exit(f"{options.network}: no function found")
    name = match.group(1)
    shapes = [[int(d) for d in re.findall(r"(\d+)x", t)] for t in re.findall(r":\s*(tensor<[^>]*>)", match.group(2))]

    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        network = options.network
        defined = with_resources(body)
        if defined != body:
            if tail >= 0:
                sys.exit("a network with random constants cannot have resources of its own")
            network = os.path.join(folder, "net.mlir")
            with open(network, "w") as file:
                file.write(defined)
        inputs = []
        for i, shape in enumerate(shapes):
            path = os.path.join(folder, f"in{i}.npy")
            write_npy(path, shape, fill(shape, i, options.low, options.high))
            inputs += ["--input", path]
        want, got, program = (os.path.join(folder, f) for f in ("want.npy", "got.npy", "net.hwx"))
        run("the reference", [sys.executable, f"{HERE}/run-reference.py", network, "--function", name, *inputs, "--output", want])
        run("ane-compile", [f"{options.bin}/ane-compile", network, f"--function={name}", "--target=h13", "-o", program, *more])
        run("ane-compile to MIL", [f"{options.bin}/ane-compile", network, f"--function={name}", "-o", os.path.join(folder, "net.mil")])
        run("ane-run", [f"{options.bin}/ane-run", program, "--device=sim", f"--mode={options.mode}", *inputs, "--output", got])
        print(run("the comparison", [sys.executable, f"{HERE}/compare-npy.py", got, want, "--min-cos", options.min_cos, "--max-err", options.max_err]), end="")


main()
