#!/usr/bin/python3
"""What each accuracy goal costs and gives in whole networks: the table of docs/Numerics.md.

usage: compare-accuracy-goals.py [--bin DIR] [--only NETWORK]... [--size N] [--seeds N]

For each network and goal a row: tasks, predicted time, and how far the program is off (simulator, exact
sums) by how far the same network is off whose weights, layers and functions are rounded to f16 and whose
sums are of f32: the largest error and the root of the mean square, the geometric mean over the seeds.
Networks have random weights with a fresh batch norm folded into each convolution: on the input of the
measurement every channel has mean 0 and variance 1. That of f16 alone is a row of its own, by f32.
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

HARD_SIGMOID = "hard_sigmoid, 0.16666667, 0.5"
FUNCTIONS = {
    "silu": lambda x: x / (1 + np.exp(-x)),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0),
    "hard_swish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    HARD_SIGMOID: lambda x: np.clip(x / 6 + 0.5, 0, 1),
}


class Network(networks.Network):
    """Keeps, beside the text of each op, what numpy has to do for it."""

    def __init__(self, shape):
        super().__init__("net", shape, "arguments")
        self.steps = []

    def conv(self, x, channels, kernel, stride=1, groups=1, act=None):
        result = super().conv(x, channels, kernel, stride, groups, act)
        weight = len(self.parameters) - 2
        self.steps.append((result.name, "conv", x.name, (weight, stride, groups, act, result.shape)))
        return result

    def mean(self, x):
        result = super().mean(x)
        self.steps.append((result.name, "mean", x.name, None))
        return result

    def binary(self, kind, x, y, act=None):
        result = super().binary(kind, x, y, act)
        self.steps.append((result.name, kind, x.name, y.name))
        return result


def squeezed(net, x, channels, act, gate):
    """Hu et al., 2018: a factor for each channel from the means of all."""
    hidden = net.conv(net.mean(x), channels, 1, act=act)
    return net.binary("mul", x, net.conv(hidden, x.shape[1], 1, act=gate))


def efficientnet_b0(net):
    """Tan and Le, 2019."""
    x = net.conv(net.input, 32, 3, 2, act="silu")
    for expansion, channels, repeats, first, kernel in [(1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5),
                                                        (6, 80, 3, 2, 3), (6, 112, 3, 1, 5), (6, 192, 4, 2, 5),
                                                        (6, 320, 1, 1, 3)]:
        for i in range(repeats):
            stride, source = (first if i == 0 else 1), x
            wide = x.shape[1] * expansion
            if expansion > 1:
                x = net.conv(x, wide, 1, act="silu")
            x = net.conv(x, wide, kernel, stride, groups=wide, act="silu")
            x = net.conv(squeezed(net, x, max(1, source.shape[1] // 4), "silu", "sigmoid"), channels, 1)
            if stride == 1 and source.shape == x.shape:
                x = net.binary("add", x, source)
    return net.conv(net.mean(net.conv(x, 1280, 1, act="silu")), 1000, 1)


def mobilenet_v3_large(net):
    """Howard et al., 2019: kernel, expansion, channels, whether squeezed, function, stride."""
    relu, swish = "relu", "hard_swish"
    x = net.conv(net.input, 16, 3, 2, act=swish)
    for kernel, wide, channels, is_squeezed, act, stride in [
            (3, 16, 16, False, relu, 1), (3, 64, 24, False, relu, 2), (3, 72, 24, False, relu, 1),
            (5, 72, 40, True, relu, 2), (5, 120, 40, True, relu, 1), (5, 120, 40, True, relu, 1),
            (3, 240, 80, False, swish, 2), (3, 200, 80, False, swish, 1), (3, 184, 80, False, swish, 1),
            (3, 184, 80, False, swish, 1), (3, 480, 112, True, swish, 1), (3, 672, 112, True, swish, 1),
            (5, 672, 160, True, swish, 2), (5, 960, 160, True, swish, 1), (5, 960, 160, True, swish, 1)]:
        source = x
        if wide != x.shape[1]:
            x = net.conv(x, wide, 1, act=act)
        x = net.conv(x, wide, kernel, stride, groups=wide, act=act)
        if is_squeezed:
            x = squeezed(net, x, max(8, (wide // 4 + 4) // 8 * 8), relu, HARD_SIGMOID)
        x = net.conv(x, channels, 1)
        if stride == 1 and source.shape == x.shape:
            x = net.binary("add", x, source)
    x = net.conv(x, 960, 1, act=swish)
    return net.conv(net.conv(net.mean(x), 1280, 1, act=swish), 1000, 1)


NETWORKS = {"EfficientNet-B0": efficientnet_b0, "MobileNetV3-Large": mobilenet_v3_large}


def convolved(x, weight, bias, stride, groups, shape):
    _, _, height, width = shape
    kernel = weight.shape[2]
    pads = []
    for size, out in ((x.shape[2], height), (x.shape[3], width)):
        before = (kernel - 1) // 2
        pads.append((before, max(0, (out - 1) * stride + kernel - size - before)))
    image = np.pad(x[0], ((0, 0), *pads))
    weight = weight.astype(np.float32)
    sums = np.zeros(shape[1:], np.float32)
    for i in range(kernel):
        for j in range(kernel):
            part = image[:, i:i + (height - 1) * stride + 1:stride, j:j + (width - 1) * stride + 1:stride]
            if groups == 1:
                sums += (weight[:, :, i, j] @ part.reshape(part.shape[0], -1)).reshape(sums.shape)
            else:
                sums += weight[:, 0, i, j][:, None, None] * part
    return (sums + bias.astype(np.float32)[:, None, None])[None]


def evaluate(net, result, parameters, x, rounded, fresh_norms=False):
    """The network in f32, each result `rounded`. With `fresh_norms`, weights and biases become
    those of a convolution and a batch norm that saw this input."""
    values = {net.input.name: x.astype(np.float32)}
    for name, kind, first, rest in net.steps:
        if kind == "conv":
            index, stride, groups, act, shape = rest
            y = convolved(values[first], parameters[index], parameters[index + 1], stride, groups, shape)
            if fresh_norms and shape[2] > 1:
                mean, deviation = y.mean((0, 2, 3)), np.sqrt(y.var((0, 2, 3)) + 1e-5)
                parameters[index] = (parameters[index] / deviation[:, None, None, None]).astype(np.float16)
                parameters[index + 1] = ((parameters[index + 1] - mean) / deviation).astype(np.float16)
                y = convolved(values[first], parameters[index], parameters[index + 1], stride, groups, shape)
            y = FUNCTIONS[act](rounded(y)) if act else y
        elif kind == "mean":
            y = values[first].mean((2, 3), keepdims=True)
        else:
            y = values[first] * values[rest] if kind == "mul" else values[first] + values[rest]
        values[name] = rounded(y)
    return values[result.name].reshape(-1).astype(np.float64)


def parameters_of(net, random):
    return [(random.normal(0, math.sqrt(1.6 / math.prod(t.shape[1:])), t.shape) if len(t.shape) > 1 else
             random.normal(0, 0.1, t.shape)).astype(np.float16) for t in net.parameters]


def errors(value, want):
    distance = value - want
    return abs(distance).max() / abs(want).max(), math.sqrt((distance**2).sum() / (want**2).sum())


def run(bin_dir, folder, goal):
    with open(os.path.join(folder, "binds"), encoding="utf-8") as file:
        binds = file.read().split()
    for command in ([os.path.join(bin_dir, "ane-compile"), "net.mlir", *binds, "--accuracy-goal=" + goal, "-o", "net.hwx"],
                    [os.path.join(bin_dir, "ane-run"), "net.hwx", "--input=x.npy", "--output=y.npy", "--mode=exact",
                     "--stats=s.json"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
    with open(os.path.join(folder, "s.json"), encoding="utf-8") as file:
        stats = json.load(file)
    y = np.load(os.path.join(folder, "y.npy")).reshape(-1).astype(np.float64)
    return y, stats["tasks"], stats["predicted_ms"]


def measure(name, size, seed, bin_dir):
    """By row: errors, tasks, time."""
    net = Network([1, 3, size, size])
    result = NETWORKS[name](net)
    random = np.random.default_rng(seed)
    parameters = parameters_of(net, random)
    x = random.uniform(-1, 1, net.input.shape).astype(np.float16)
    evaluate(net, result, parameters, x, lambda y: y, fresh_norms=True)
    want = evaluate(net, result, parameters, x, lambda y: y)
    half = errors(evaluate(net, result, parameters, x, lambda y: y.astype(np.float16).astype(np.float32)), want)
    rows = {"f16": (half, None, None)}
    with tempfile.TemporaryDirectory() as folder:
        np.save(os.path.join(folder, "x.npy"), x)
        for index, array in enumerate(parameters):
            np.save(os.path.join(folder, f"p{index}.npy"), array)
        with open(os.path.join(folder, "binds"), "w", encoding="utf-8") as file:
            file.write(" ".join(f"--bind {index + 1}=@p{index}.npy" for index in range(len(parameters))))
        with open(os.path.join(folder, "net.mlir"), "w", encoding="utf-8") as file:
            net.write(file, result)
        for goal in ("fast", "balanced", "best"):
            y, tasks, time = run(bin_dir, folder, goal)
            rows[goal] = ([error / of for error, of in zip(errors(y, want), half)], tasks, time)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--only", action="append", choices=NETWORKS)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    print("| network | goal | tasks | ms | largest error | root mean square |\n|---|---|---|---|---|---|")
    for name in arguments.only or NETWORKS:
        seen = [measure(name, arguments.size, seed, os.path.abspath(arguments.bin)) for seed in range(arguments.seeds)]
        for row in seen[0]:
            mean = [math.exp(np.mean([math.log(rows[row][0][i]) for rows in seen])) for i in range(2)]
            if row == "f16":
                print(f"| {name} | f16 | | | {mean[0]:.1e} | {mean[1]:.1e} |")
            else:
                print(f"| {name} | {row} | {seen[0][row][1]} | {seen[0][row][2]:.3f} | x {mean[0]:.1f} | x {mean[1]:.1f} |",
                      flush=True)


if __name__ == "__main__":
    main()
