#!/usr/bin/python3
"""How far networks are off with exact and with engine arithmetic: the table of docs/EngineArithmetic.md.

usage: compare-arithmetic.py [--bin DIR] [--only NAME]... [--target GENERATION]... [--threads N]

For each network and target a row: the largest error of exact and of engine arithmetic against f32
(the definitions of the ops, ane-write-reference), of the largest result, and the root of the mean
of its squares, by that of the results; how many results differ between the two; and the largest
running sum of any task. Weights are of a normal distribution as layers are initialised, inputs
uniform in [-1, 1), both of fixed seeds and rounded to f16.

Engine arithmetic is slow: all of it takes some ten minutes on two cores, one network less than two.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "benchmarks"))
import networks  # noqa: E402


def group_norm(net, x, groups=32):
    n, c, h, w = x.shape
    y = net.reshape(x, [n, groups, c // groups, h * w])
    y = net.op("layer_norm", [y], y.shape, "axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32")
    y = net.reshape(y, x.shape)
    y = net.op("elementwise mul", [y, net.parameter([1, c, 1, 1], 1)], x.shape)
    return net.op("elementwise add", [y, net.parameter([1, c, 1, 1], 0)], x.shape)


def stable_diffusion_block(net):
    """Rombach et al., 2022: a residual block, then one of self-attention, with 640 channels at 16 x 16."""
    x = net.input
    y = net.conv(net.act(group_norm(net, x), "silu"), 640, 3)
    y = net.conv(net.act(group_norm(net, y), "silu"), 640, 3)
    x = net.binary("add", y, x)
    tokens = net.reshape(net.conv(group_norm(net, x), 640, 1), [1, 640, 1, 256])
    y = net.conv(net.block(tokens, 8, 2560), 640, 1)
    return net.binary("add", net.reshape(y, x.shape), x)


# What a table has, and the size of its input where it is none of the benchmarks.
NETWORKS = {
    "ResNet-50": "resnet50_224",
    "MobileNetV2": "mobilenetv2_224",
    "ViT-B/16, a block": "vit_b16_block_s197",
    "BERT base, a block": "bert_base_block_s128",
    "Whisper tiny, the encoder for 10 s": "whisper_tiny_encoder@1x80x1x1000",
    "Stable Diffusion, a block": ([1, 640, 16, 16], stable_diffusion_block),
}


def build(name):
    entry = NETWORKS[name]
    if isinstance(entry, str):
        return networks.build(entry, "arguments")
    net = networks.Network("net", entry[0], "arguments")
    return net, entry[1](net)


def weight(random, shape):
    """Of a weight, with the variance that keeps that of its input; of vectors, factors and biases."""
    if len(shape) == 4 and math.prod(shape[2:]) == 1 and shape[0] == 1 or len(shape) == 1 or shape[0] == 1:
        return random.normal(0, 0.1, shape) + (1 if len(shape) == 4 else 0)
    return random.normal(0, math.sqrt(1.6 / math.prod(shape[1:])), shape)


class Runner:
    def __init__(self, bin_dir, folder, threads):
        self.bin, self.folder, self.threads = bin_dir, folder, threads

    def tool(self, name, *arguments):
        command = [os.path.join(self.bin, name), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        if done.returncode:
            sys.exit(f"{' '.join(command)[:300]}\n{done.stderr}")
        return done.stdout

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name):
        """The network, its inputs and its results in f32."""
        net, result = build(name)
        random = np.random.default_rng(1)
        binds = []
        for index, parameter in enumerate(net.parameters):
            np.save(self.path(f"p{index}.npy"), weight(random, parameter.shape).astype(np.float16))
            binds += ["--bind", f"{index + len(net.inputs)}=@p{index}.npy"]
        with open(self.path("open.mlir"), "w", encoding="utf-8") as file:
            net.write(file, result)
        self.tool("ane-compile", "open.mlir", *binds, "--stop-after=import", "-o", "net.mlir")
        self.tool("ane-opt", "net.mlir", "--pass-pipeline=builtin.module(func.func(ane-write-reference{folder=.}))",
                  "-o", os.devnull)

    def run(self, target):
        self.tool("ane-compile", "net.mlir", "--target", target, "-o", "net.hwx")
        results = {}
        ranges = None
        for mode in ("exact", "engine"):
            arguments = ["net.hwx", "--input", "in0.npy", "--output", mode + ".npy", "--mode", mode, "--threads",
                         str(self.threads)]
            if mode == "exact":
                ranges = json.loads(self.tool("ane-run", *arguments, "--check-range=json"))
            else:
                self.tool("ane-run", *arguments)
            results[mode] = np.load(self.path(mode + ".npy")).astype(np.float64).reshape(-1)
        return results, ranges


def error(value, want):
    if not np.isfinite(value).all():
        return f"{np.count_nonzero(~np.isfinite(value))} lost"
    distance = value - want
    return f"{abs(distance).max() / abs(want).max():.1e}, {math.sqrt((distance**2).sum() / (want**2).sum()):.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--only", action="append", choices=NETWORKS)
    parser.add_argument("--target", action="append", choices=["h13", "h14"])
    parser.add_argument("--threads", type=int, default=0)
    arguments = parser.parse_args()
    print("| network | target | exact | engine | results that differ | largest running sum | tasks that lose one |")
    print("|---|---|---|---|---|---|---|")
    for name in arguments.only or NETWORKS:
        with tempfile.TemporaryDirectory() as folder:
            runner = Runner(os.path.abspath(arguments.bin), folder, arguments.threads)
            runner.write(name)
            want = np.load(runner.path("want0.npy")).astype(np.float64).reshape(-1)
            for target in arguments.target or ["h13", "h14"]:
                results, ranges = runner.run(target)
                differ = np.count_nonzero(results["exact"] != results["engine"])
                print(f"| {name} | {target} | {error(results['exact'], want)} | {error(results['engine'], want)} | "
                      f"{differ} of {want.size} | {ranges['largest_sum']:.0f} | {ranges['sums_beyond']} |", flush=True)


if __name__ == "__main__":
    main()
