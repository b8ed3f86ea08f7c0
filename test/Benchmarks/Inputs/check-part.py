#!/usr/bin/env python3
"""Small parts of networks, compiled and run, against numpy. usage: check-part.py FOLDER SCRATCH BIN NAME...

FOLDER is that of benchmarks/parts.py. Each op is computed in f32 from what its line says; inputs
and weights are random. Prints the largest error over the largest value, and is not content
with more than 3 %, nor with results that are nearly constant.
"""
import ast
import os
import re
import subprocess
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import parts  # noqa: E402


def erf(x):
    """Abramowitz and Stegun 7.1.26; 1.5e-7 at most."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    y = 1 - t * np.polyval([1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592], t) * np.exp(-x * x)
    return np.sign(x) * y


FUNCTIONS = {
    "relu": lambda x: np.maximum(x, 0), "exp": np.exp, "tanh": np.tanh, "neg": np.negative,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "silu": lambda x: x / (1 + np.exp(-x)),
    "softplus": lambda x: np.log1p(np.exp(x)), "gelu": lambda x: x * (1 + erf(x / np.sqrt(2))) / 2,
    "gelu_tanh": lambda x: x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2,
}


def activated(x, attributes):
    match = re.search(r"#ane.act<(\w+)>", attributes)
    return FUNCTIONS[match.group(1)](x) if match else x


def integers(attributes, key, default=None):
    match = re.search(rf"{key} = (?:array<i64: ([\d, ]*)>|(\d+) : i64)", attributes)
    return ast.literal_eval(f"[{match.group(1) or match.group(2)}]") if match else default


def conv(attributes, x, weight, bias, shape):
    strides, pad = integers(attributes, "strides", [1, 1]), integers(attributes, "pad", [0] * 4)
    groups = integers(attributes, "groups", [1])[0]
    x = np.pad(x, ((0, 0), (0, 0), pad[:2], pad[2:]))
    windows = np.lib.stride_tricks.sliding_window_view(x, weight.shape[2:], (2, 3))[:, :, :: strides[0], :: strides[1]]
    windows = windows.reshape(len(x), groups, -1, *windows.shape[2:])
    weight = weight.reshape(groups, -1, *weight.shape[1:])
    return np.einsum("ngchwij,gocij->ngohw", windows, weight).reshape(shape) + bias[:, None, None]


def resize(x, kind, shape):
    """Bilinear, half a pixel off; nearest by whole factors."""
    for axis in (2, 3):
        if kind == "nearest":
            x = np.repeat(x, shape[axis] // x.shape[axis], axis)
            continue
        at = np.clip((np.arange(shape[axis]) + 0.5) * x.shape[axis] / shape[axis] - 0.5, 0, x.shape[axis] - 1)
        low = np.minimum(at.astype(int), max(0, x.shape[axis] - 2))
        share = (at - low).reshape(-1, *[1] * (3 - axis))
        x = np.take(x, low, axis) * (1 - share) + np.take(x, np.minimum(low + 1, x.shape[axis] - 1), axis) * share
    return x


def norm(name, x, gamma, beta, axes):
    if name == "layer_norm":
        x = x - x.mean(axes, keepdims=True)
    x = x / np.sqrt((x * x).mean(axes, keepdims=True) + 1e-5)
    if gamma is None:
        return x
    shape = [-1 if i in axes else 1 for i in range(x.ndim)]
    return x * gamma.reshape(shape) + (beta.reshape(shape) if beta is not None else 0)


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def compute(name, kind, operands, attributes, shape):
    x, y = operands[0], operands[1] if len(operands) > 1 else None
    axes = tuple(integers(attributes, "axes", []))
    if name == "matmul":
        return x @ (y.swapaxes(-1, -2) if "transpose_rhs" in attributes else y)
    if name == "elementwise":
        return activated({"add": np.add, "mul": np.multiply}[kind](x, y), attributes)
    if name == "conv_transpose":  # windows that do not overlap
        n, c, h, w = shape
        return np.einsum("nchw,coij->nohiwj", x, y).reshape(n, c, h, w) + operands[2][:, None, None]
    if name == "conv":
        return activated(conv(attributes, *operands, shape), attributes)
    if name in ("layer_norm", "rms_norm"):
        return norm(name, *operands, *[None] * (3 - len(operands)), axes)
    if name == "slice":
        return x[tuple(slice(o, o + s) for o, s in zip(integers(attributes, "offsets"), integers(attributes, "sizes")))]
    return {
        "activation": lambda: activated(x, attributes), "softmax": lambda: softmax(x),
        "reshape": lambda: x.reshape(shape), "transpose": lambda: x.transpose(integers(attributes, "perm")),
        "concat": lambda: np.concatenate(operands, integers(attributes, "axis")[0]),
        "tile": lambda: np.tile(x, integers(attributes, "repeats")), "resize": lambda: resize(x, kind, shape),
        "reduce": lambda: {"sum": np.sum, "mean": np.mean}[kind](x, axes, keepdims=True),
    }[name]()


def evaluate(net, values):
    """Values of all lines."""
    for line in net.lines:
        target, name, text = re.match(r"(%\w+) = ane\.(\w+) (.*)", line).groups()
        shape = [int(size) for size in re.findall(r"(\d+)x", text.rsplit("tensor", 1)[1])]
        if name == "constant":
            values[target] = np.full(shape, float(re.match(r"dense<(.*?)>", text).group(1)), np.float32)
            continue
        attributes = text.split(" : tensor")[0]
        kind = re.match(r"(\w*)", text).group(1)
        operands = [values[used] for used in re.findall(r"%\w+", attributes)]
        values[target] = compute(name, kind, operands, attributes, shape)
        assert list(values[target].shape) == shape, line
    return values


def check(name, scratch, tools):
    net, results = parts.build(name, "arguments", small=True)
    rng, values, bind, run = np.random.default_rng(1), {}, [], []
    path = os.path.join(scratch, name)
    for i, tensor in enumerate([*net.inputs, *net.parameters]):
        scale = 1 if i < len(net.inputs) else 2 * net.scales[i - len(net.inputs)]
        data = rng.uniform(-scale, scale, tensor.shape).astype(np.float16)
        np.save(f"{path}.{i}.npy", data)
        values[tensor.name] = data.astype(np.float32)
        if i < len(net.inputs):
            run += ["--input", f"{path}.{i}.npy"]
        else:
            bind += ["--bind", f"{i}=@{path}.{i}.npy"]
    evaluate(net, values)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        net.write(file, *results)
    subprocess.run([f"{tools}/ane-compile", path + ".mlir", *bind, "-o", path + ".hwx"], check=True)
    outputs = [f"{path}.out{i}.npy" for i in range(len(results))]
    subprocess.run([f"{tools}/ane-run", path + ".hwx", *run, *[word for out in outputs for word in ("--output", out)]], check=True)
    for result, out in zip(results, outputs):
        want, got = values[result.name], np.load(out).astype(np.float32)
        error = np.abs(got.reshape(want.shape) - want).max() / np.abs(want).max()
        print(f"{name}: {error:.4f} {'ok' if error < 0.03 and want.std() > 0.05 * np.abs(want).max() else 'differs'}", flush=True)


os.makedirs(sys.argv[2], exist_ok=True)
for part in sys.argv[4:] or parts.PARTS:
    check(part, sys.argv[2], sys.argv[3])
