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
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import check_results

HERE = os.path.dirname(os.path.abspath(__file__))


def write_npy(path, shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": tuple(shape)}).encode("latin1")
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + check_results.pack(values, "f32"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    check_results.add_options(parser)
    parser.add_argument("--function")
    parser.add_argument("--mode", default="fast")
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
    shapes = [check_results.shape_of(t) for t in re.findall(r":\s*(tensor<[^>]*>)", match.group(2))]

    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        network = options.network
        defined = check_results.with_resources(body, "f32")
        if defined != body:
            if tail >= 0:
                sys.exit("a network with random constants cannot have resources of its own")
            network = os.path.join(folder, "net.mlir")
            with open(network, "w") as file:
                file.write(defined)
        inputs = []
        for i, shape in enumerate(shapes):
            path = os.path.join(folder, f"in{i}.npy")
            write_npy(path, shape, check_results.values(shape, i, options.low, options.high))
            inputs += ["--input", path]
        want, got, program = (os.path.join(folder, f) for f in ("want.npy", "got.npy", "net.hwx"))
        check_results.run("the reference", [sys.executable, f"{HERE}/run-reference.py", network, "--function", name, *inputs, "--output", want])
        check_results.run("ane-compile", [f"{options.bin}/ane-compile", network, f"--function={name}", "--target=h13", "-o", program, *more])
        check_results.run("ane-compile to MIL", [f"{options.bin}/ane-compile", network, f"--function={name}", "-o", os.path.join(folder, "net.mil")])
        check_results.run("ane-run", [f"{options.bin}/ane-run", program, "--device=sim", f"--mode={options.mode}", *inputs, "--output", got])
        check_results.compare(got, want, options)


main()
