#!/usr/bin/python3
"""Compile random graphs of a few ane ops and compare what they compute with numpy.

  fuzz-ops.py [--bin DIR] [--seed N] [--count N] [--ops conv,pool] [--ways clean,mil] [--target h14]
              [--keep DIR]

Shapes, ranks, strides, padding, axes and parameters are odd ones on purpose; operands are
arguments, constants or results. The ways from a graph to a result:

  clean     ane-compile's own choices, with strips where L2 needs them
  untiled   the same without strips
  zin-9.509 the choices of Apple's compiler
  mil       as MIL text, which is then compiled

A graph is wrong where a tool crashes, fails without an error or leaves a file beside one, or
where an element differs by more than 3 % of the largest (of one half where there are tables
of activations, whose errors are absolute). Errors of the compiler are listed at the end with
the seed of the first graph that has each; --seed N --count 1 makes it again. Wrong graphs are
left in --keep. Needs numpy.

With --bytes N a graph is one op on tensors of 1 to N bytes, in any dimension. No op is to be
refused for its size: that is wrong then, and so is a minute of compiling.
"""
import argparse
import collections
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

WAYS = {"clean": [], "untiled": ["--ane-tile=none"], "zin-9.509": ["--hwx-flavour=zin-9.509"], "mil": None}
LOWERINGS = {}  # ways whose graphs pass a pipeline of stock mlir-opt first
MLIR_OPT = os.path.join(os.environ.get("LLVM_BIN", "/usr/lib/llvm-22/bin"), "mlir-opt")
REWRITES = {}  # by way: makes another text of the one of a graph, and options that it needs
UNKNOWN = set()  # ways whose results are not known: the tool makes something, or says why not
SOURCE = "net.mlir"  # what a graph is written to
CLEAN_ONLY = None  # a pattern of what the choices of Apple's compiler do not compute
TABLES = re.compile("silu|gelu|mish|softplus|sigmoid|tanh|elu|swish|sin|cos|atan|softsign")


def array(values):
    return "array<i64: " + ", ".join(str(value) for value in values) + ">"


def type_of(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "f16>"


class Value:
    def __init__(self, name, data):
        self.name, self.data = name, np.asarray(data, np.float32).astype(np.float16).astype(np.float64)
        self.shape, self.type = self.data.shape, type_of(self.data.shape)


class Graph:
    """Lines of a function beside what they compute."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.numbers = np.random.RandomState(self.rng.randrange(1 << 30))
        self.lines, self.arguments, self.results, self.constants = [], [], [], []

    def random(self, shape, low, high):
        return self.numbers.rand(*shape) * (high - low) + low

    def argument(self, shape, low=-1, high=1):
        self.arguments.append(Value(f"%a{len(self.arguments)}", self.random(shape, low, high)))
        return self.arguments[-1]

    def constant(self, shape, low=-1, high=1):
        shared = [value for value in self.constants if value.shape == tuple(shape) and
                  low <= value.data.min() and value.data.max() <= high]
        if shared and self.rng.random() < 0.3:
            return self.rng.choice(shared)
        value = Value(f"%k{len(self.lines)}", self.random(shape, low, high))
        halves = value.data.astype(np.float16)
        text = f'"0x{halves.tobytes().hex().upper()}"' if halves.size > 1 else repr(float(halves.ravel()[0]))
        self.lines.append(f"  {value.name} = ane.constant dense<{text}> : {value.type}")
        self.constants.append(value)
        return value

    def scalar(self, like, number):
        value = Value(f"%k{len(self.lines)}", np.full([1] * len(like.shape), number))
        self.lines.append(f"  {value.name} = ane.constant dense<{value.data.ravel()[0]}> : {value.type}")
        return value

    def operand(self, shape, low=-1, high=1, constants=0.6):
        return (self.constant if self.rng.random() < constants else self.argument)(shape, low, high)

    def add(self, name, operands, attributes, data, types=None):
        """An op; `types` where operands are not just a list."""
        value = Value(f"%v{len(self.lines)}", data)
        attributes = " {" + ", ".join(attributes) + "}" if attributes else ""
        names, types = types or (", ".join(x.name for x in operands), ", ".join(x.type for x in operands))
        self.lines.append(f"  {value.name} = ane.{name} {names}{attributes} : {types} -> {value.type}")
        self.results.append(value)
        return value

    def used(self):
        return set(re.findall(r"%\w+", "\n".join(line.split("=", 1)[1] for line in self.lines)))

    def text(self, outputs):
        used = self.used() | {value.name for value in outputs}
        self.arguments = [value for value in self.arguments if value.name in used]
        arguments = ", ".join(f"{value.name}: {value.type}" for value in self.arguments)
        types = ", ".join(value.type for value in outputs)
        names = ", ".join(value.name for value in outputs)
        return f"func.func @net({arguments}) -> ({types}) {{\n" + "\n".join(self.lines) + \
            f"\n  return {names} : {types}\n}}\n"


# Functions of one element ----------------------------------------------------

erf = np.vectorize(math.erf)
FUNCTIONS = {
    "relu": lambda x: np.maximum(x, 0), "abs": np.abs, "neg": np.negative, "square": np.square,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh, "silu": lambda x: x / (1 + np.exp(-x)),
    "gelu": lambda x: x / 2 * (1 + erf(x / math.sqrt(2))), "erf": erf, "exp": np.exp, "exp2": np.exp2,
    "gelu_tanh": lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "gelu_sigmoid": lambda x: x / (1 + np.exp(-1.702 * x)), "softplus": lambda x: np.log1p(np.exp(x)),
    "hard_swish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1), "softsign": lambda x: x / (1 + np.abs(x)),
    "sin": np.sin, "cos": np.cos, "atan": np.arctan, "leaky_relu, 0.125": lambda x: np.where(x < 0, x / 8, x),
    "clamp, -0.5, 0.25": lambda x: np.clip(x, -0.5, 0.25), "clamp, 0.0, 6.0": lambda x: np.clip(x, 0, 6),
    "elu, 0.5": lambda x: np.where(x < 0, np.expm1(np.minimum(x, 0)) / 2, x),
    "hard_sigmoid, 0.25, 0.5": lambda x: np.clip(x / 4 + 0.5, 0, 1),
    "scaled_tanh, 1.5, 0.5": lambda x: 1.5 * np.tanh(x / 2)}
STEPS = {"floor": np.floor, "ceil": np.ceil, "round": np.rint, "sign": np.sign,
         "thresholded_relu, 0.25": lambda x: np.where(x > 0.25, x, 0)}
POSITIVE = {"log": np.log, "log2": np.log2, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
            "reciprocal": lambda x: 1 / x}


def epilogue(g, attributes, data, share=0.4):
    if g.rng.random() < share:
        name = g.rng.choice(list(FUNCTIONS))
        attributes.append(f"activation = #ane.act<{name}>")
        data = FUNCTIONS[name](data)
    return data


# Ops: each takes a graph and a value, and gives another one, or nothing ------

OPS = {}


def op(function):
    OPS[function.__name__.rstrip("_")] = function
    return function


def pair(rng, choices):
    return rng.choice(choices), rng.choice(choices)


def convolved(g, name, x, weight, channels, data, attributes):
    """With bias, scale and function."""
    names, types = f"{x.name}, {weight.name}", f"{x.type}, {weight.type}"
    if g.rng.random() < 0.3:
        scale = g.operand((channels,), constants=0.8)
        data = data * scale.data.reshape(1, -1, 1, 1)
    else:
        scale = None
    if g.rng.random() < 0.6:
        bias = g.operand((channels,), constants=0.8)
        data = data + bias.data.reshape(1, -1, 1, 1)
        names, types = names + f" bias {bias.name}", types + f", {bias.type}"
    if scale:
        names, types = names + f" scale {scale.name}", types + f" scale {scale.type}"
    data = epilogue(g, attributes, data)
    return g.add(name, [], attributes, data, (names, types))


@op
def conv(g, x):
    if len(x.shape) != 4:
        return None
    n, c, h, w = x.shape
    groups = g.rng.choice([1, 1, c, g.rng.choice([d for d in range(1, c + 1) if c % d == 0])])
    out = groups * g.rng.choice([1, 2, 3]) if groups > 1 else g.rng.choice([1, 2, 3, 8, 16, 17, 33, 48])
    kernel, strides = pair(g.rng, [1, 1, 2, 3, 3, 4, 5, 7, 9]), pair(g.rng, [1, 1, 1, 2, 2, 3, 4])
    dilations = pair(g.rng, [1, 1, 1, 2, 3])
    window = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    pad = [g.rng.randrange(0, window[i // 2]) if g.rng.random() < 0.6 else 0 for i in range(4)]
    size = [(x.shape[2 + i] + pad[2 * i] + pad[2 * i + 1] - window[i]) // strides[i] + 1 for i in (0, 1)]
    if min(size) < 1:
        return None
    weight = g.constant((out, c // groups, *kernel))
    image = np.pad(x.data, ((0, 0), (0, 0), pad[:2], pad[2:]))
    data = np.zeros((n, out, *size))
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            rows = slice(i * dilations[0], i * dilations[0] + (size[0] - 1) * strides[0] + 1, strides[0])
            columns = slice(j * dilations[1], j * dilations[1] + (size[1] - 1) * strides[1] + 1, strides[1])
            part = image[:, :, rows, columns].reshape(n, groups, c // groups, *size)
            taps = weight.data[:, :, i, j].reshape(groups, out // groups, c // groups)
            data += np.einsum("ngchw,goc->ngohw", part, taps).reshape(data.shape)
    attributes = [f"strides = {array(strides)}", f"pad = {array(pad)}", f"dilations = {array(dilations)}",
                  f"groups = {groups} : i64"]
    return convolved(g, "conv", x, weight, out, data, attributes)


@op
def conv_transpose(g, x):
    if len(x.shape) != 4:
        return None
    n, c, h, w = x.shape
    groups = g.rng.choice([1, 1, 1, c])
    per_group = g.rng.choice([1, 2, 3, 8])
    kernel, strides = pair(g.rng, [1, 2, 3, 4, 5]), pair(g.rng, [1, 2, 2, 3, 4])
    dilations = pair(g.rng, [1, 1, 1, 2])
    window = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    pad = [g.rng.randrange(0, min(window[i // 2], 3)) for i in range(4)]
    full = [(x.shape[2 + i] - 1) * strides[i] + window[i] for i in (0, 1)]
    size = [full[i] - pad[2 * i] - pad[2 * i + 1] for i in (0, 1)]
    if min(size) < 1:
        return None
    weight = g.constant((c, per_group, *kernel))
    data = np.zeros((n, groups * per_group, *full))
    image = x.data.reshape(n, groups, c // groups, h, w)
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            taps = weight.data[:, :, i, j].reshape(groups, c // groups, per_group)
            part = np.einsum("ngchw,gco->ngohw", image, taps).reshape(n, -1, h, w)
            top, left = i * dilations[0], j * dilations[1]
            data[:, :, top:top + (h - 1) * strides[0] + 1:strides[0],
                 left:left + (w - 1) * strides[1] + 1:strides[1]] += part
    data = data[:, :, pad[0]:pad[0] + size[0], pad[2]:pad[2] + size[1]]
    attributes = [f"strides = {array(strides)}", f"pad = {array(pad)}", f"dilations = {array(dilations)}",
                  f"groups = {groups} : i64"]
    return convolved(g, "conv_transpose", x, weight, groups * per_group, data, attributes)


@op
def pool(g, x):
    if len(x.shape) != 4:
        return None
    kind = g.rng.choice(["max", "average"])
    kernel = g.rng.choice([pair(g.rng, [1, 2, 3, 4, 5, 7]), x.shape[2:], pair(g.rng, [2, 15, 30])])
    strides = pair(g.rng, [1, 1, 2, 2, 3])
    pad = [g.rng.randrange(0, kernel[i // 2] // 2 + 1) if g.rng.random() < 0.6 else 0 for i in range(4)]
    size = [(x.shape[2 + i] + pad[2 * i] + pad[2 * i + 1] - kernel[i]) // strides[i] + 1 for i in (0, 1)]
    if min(size) < 1:
        return None
    counts_padding = kind == "average" and g.rng.random() < 0.5
    around = ((0, 0), (0, 0), pad[:2], pad[2:])
    image = np.pad(x.data, around, constant_values=-np.inf if kind == "max" else 0)
    inside = np.pad(np.ones_like(x.data), around, constant_values=float(counts_padding))

    def windows(values):
        return [values[:, :, i:i + (size[0] - 1) * strides[0] + 1:strides[0],
                       j:j + (size[1] - 1) * strides[1] + 1:strides[1]]
                for i in range(kernel[0]) for j in range(kernel[1])]

    data = np.max(windows(image), 0) if kind == "max" else np.sum(windows(image), 0) / np.sum(windows(inside), 0)
    attributes = [f"kernel = {array(kernel)}", f"strides = {array(strides)}", f"pad = {array(pad)}"]
    return g.add(f"pool {kind}", [x], attributes + ["count_include_pad"] * counts_padding, data)


@op
def matmul(g, x):
    if not 2 <= len(x.shape) <= 4:
        return None
    turned, other_turned, swapped = (g.rng.random() < share for share in (0.3, 0.4, 0.25))
    inner, columns = x.shape[-2 if turned else -1], g.rng.choice([1, 2, 5, 16, 17, 33, 64])
    leading = [size if g.rng.random() < 0.7 else 1 for size in x.shape[:-2]]
    y = g.operand((*leading, columns, inner) if other_turned else (*leading, inner, columns))
    lhs = np.swapaxes(x.data, -1, -2) if turned else x.data
    data = lhs @ (np.swapaxes(y.data, -1, -2) if other_turned else y.data)
    if swapped:
        x, y, turned, other_turned, data = y, x, not other_turned, not turned, np.swapaxes(data, -1, -2)
    attributes = ["transpose_lhs"] * turned + ["transpose_rhs"] * other_turned
    return g.add("matmul", [x, y], attributes, epilogue(g, attributes, data, 0.3))


def repeated(g, x, low=-1, high=1):
    """What has the shape of `x`, or is repeated to it."""
    like = [value for value in g.results + g.arguments if value.shape == x.shape and value is not x]
    if like and (low, high) == (-1, 1) and g.rng.random() < 0.4:
        return g.rng.choice(like)
    return g.operand([size if g.rng.random() < 0.65 else 1 for size in x.shape], low, high)


@op
def elementwise(g, x):
    kinds = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "max": np.maximum, "min": np.minimum,
             "div": np.divide, "pow": np.power}
    kind = g.rng.choice(list(kinds))
    if kind == "pow":
        if x not in g.arguments:  # else rounding is multiplied
            return None
        y = g.scalar(x, g.rng.choice([2, 3, 4, 1, 0.5, -1] if (x.data > 0.05).all() else [2, 3, 4, 1]))
    elif g.rng.random() < 0.15:
        y = g.scalar(x, g.rng.choice([0.5, 2, 1, -1, 0.3]))
    elif g.rng.random() < 0.1 and kind != "div":
        y = x
    else:
        y = repeated(g, x, 0.5, 2) if kind == "div" else repeated(g, x)
    if kind not in ("div", "pow") and g.rng.random() < 0.3:
        x, y = y, x
    data, attributes = kinds[kind](x.data, y.data), []
    if g.rng.random() < 0.2:
        data, attributes = 0.25 * data, attributes + ["scale = 0.25 : f32"]
    if g.rng.random() < 0.2:
        data, attributes = data - 0.5, attributes + ["bias = -0.5 : f32"]
    return g.add(f"elementwise {kind}", [x, y], attributes, epilogue(g, attributes, data, 0.3))


@op
def activation(g, x):
    functions = dict(FUNCTIONS)
    if x in g.arguments:  # else a rounding decides
        functions.update(STEPS)
    if (x.data > 0.05).all():
        functions.update(POSITIVE)
    name = g.rng.choice(list(functions))
    return g.add("activation", [x], [f"function = #ane.act<{name}>"], functions[name](x.data))


@op
def select(g, x):
    if x not in g.arguments:
        return None
    kinds = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
             "ge": np.greater_equal}
    kind = g.rng.choice(list(kinds))
    bound = g.operand([size if g.rng.random() < 0.65 else 1 for size in x.shape])
    condition = g.add(f"compare {kind}", [x, bound], [], kinds[kind](x.data, bound.data))
    y, z = (g.scalar(x, g.rng.choice([0, 1, -0.5, 100])) if g.rng.random() < 0.3 else repeated(g, x) for _ in range(2))
    if np.broadcast_shapes(x.shape, y.shape, z.shape) != np.broadcast_shapes(y.shape, z.shape) and \
            g.rng.random() < 0.5:
        y = g.operand(x.shape)
    return g.add("select", [condition, y, z], [], np.where(condition.data != 0, y.data, z.data))


def axes_of(g, x):
    return sorted(g.rng.sample(range(len(x.shape)), g.rng.randrange(1, min(len(x.shape), 3) + 1)))


@op
def softmax(g, x):
    axis = g.rng.randrange(len(x.shape))
    powers = np.exp(x.data - x.data.max(axis, keepdims=True))
    return g.add("softmax", [x], [f"axis = {axis} : i64"], powers / powers.sum(axis, keepdims=True))


@op
def attention(g, x):
    if not 2 <= len(x.shape) <= 4:
        return None
    names = ["query", "key", "value", "scores", "result"]
    turned = {name: g.rng.random() < 0.4 for name in names}

    def turn(data, name):
        return np.swapaxes(data, -1, -2) if turned[name] else data

    queries = turn(x.data, "query")
    keys, width = g.rng.choice([2, 5, 16, 33]), g.rng.choice([1, 8, 16, 24])
    heads = list(x.shape[:-2])
    shared = heads[:-1] + [1 if g.rng.random() < 0.5 else size for size in heads[-1:]]

    def matrices(rows, columns, name):
        return g.operand(shared + ([columns, rows] if turned[name] else [rows, columns]))

    key, value = matrices(keys, queries.shape[-1], "key"), matrices(keys, width, "value")
    scores = 0.25 * queries @ np.swapaxes(turn(key.data, "key"), -1, -2)
    operands, more = [x, key, value], []
    if g.rng.random() < 0.5:
        mask = g.operand([size if g.rng.random() < 0.5 else 1 for size in turn(scores, "scores").shape])
        scores = scores + turn(mask.data, "scores")
        more.append(("mask", mask))
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    sums = powers.sum(-1, keepdims=True)
    if g.rng.random() < 0.3:
        sink = g.operand([*queries.shape[:-1], 1])
        sums = sums + np.exp(sink.data - scores.max(-1, keepdims=True))
        more.append(("sink", sink))
    data = turn(powers / sums @ turn(value.data, "value"), "result")

    def listed(of):
        return ", ".join(map(of, operands)) + "".join(f" {name} {of(operand)}" for name, operand in more)

    attributes = ["scale = 0.25 : f32"] + [f"transpose_{name}" for name in names if turned[name]]
    return g.add("attention", operands, attributes, data, (listed(lambda y: y.name), listed(lambda y: y.type)))


@op
def norm(g, x):
    axes = axes_of(g, x)
    data, is_layer = x.data, g.rng.random() < 0.5
    if is_layer:
        data = data - data.mean(tuple(axes), keepdims=True)
    data = data / np.sqrt((data * data).mean(tuple(axes), keepdims=True) + 0.01)
    shape = [x.shape[axis] for axis in axes]
    spread = [size if axis in axes else 1 for axis, size in enumerate(x.shape)]
    names, types = x.name, x.type
    if g.rng.random() < 0.7:
        gamma = g.constant(shape)
        data = data * gamma.data.reshape(spread)
        names, types = f"{names} gamma {gamma.name}", f"{types} gamma {gamma.type}"
    if is_layer and g.rng.random() < 0.7:
        beta = g.constant(shape)
        data = data + beta.data.reshape(spread)
        names, types = f"{names} beta {beta.name}", f"{types} beta {beta.type}"
    attributes = [f"axes = {array(axes)}", "epsilon = 0.01 : f32"]
    return g.add("layer_norm" if is_layer else "rms_norm", [], attributes, data, (names, types))


@op
def reduce(g, x):
    axes = axes_of(g, x)
    kind = g.rng.choice(["sum", "mean", "max", "min", "sum_square", "mean_square"])
    data = np.square(x.data) if kind.endswith("square") else x.data
    data = getattr(data, kind.split("_")[0])(tuple(axes), keepdims=True)
    return g.add(f"reduce {kind}", [x], [f"axes = {array(axes)}"], data)


@op
def concat(g, x):
    axis, parts = g.rng.randrange(len(x.shape)), [x]
    for _ in range(g.rng.choice([1, 1, 2])):
        parts.append(g.operand([g.rng.choice([1, 2, 3, 8, 16]) if dim == axis else size
                                for dim, size in enumerate(x.shape)], constants=0.3))
    g.rng.shuffle(parts)
    return g.add("concat", parts, [f"axis = {axis} : i64"], np.concatenate([part.data for part in parts], axis))


@op
def slice_(g, x):
    boxes = []
    for size in x.shape:
        stride, offset = (g.rng.choice([1, 1, 2, 3]), g.rng.randrange(size)) if g.rng.random() < 0.5 else (1, 0)
        boxes.append((offset, g.rng.randrange(1, (size - offset - 1) // stride + 2), stride))
    data = x.data[tuple(slice(first, first + (count - 1) * stride + 1, stride) for first, count, stride in boxes)]
    names = ("offsets", "sizes", "strides")
    return g.add("slice", [x], [f"{name} = {array(values)}" for name, values in zip(names, zip(*boxes))], data)


@op
def pad_(g, x):
    low, high = ([g.rng.choice([0, 0, 0, 1, 2, 5]) for _ in x.shape] for _ in range(2))
    value = g.rng.choice([0.0, 0.0, 1.0, -0.5])
    data = np.pad(x.data, list(zip(low, high)), constant_values=value)
    return g.add("pad", [x], [f"low = {array(low)}", f"high = {array(high)}", f"value = {value} : f32"], data)


@op
def tile(g, x):
    repeats = [g.rng.choice([1, 1, 1, 2, 3]) for _ in x.shape]
    return g.add("tile", [x], [f"repeats = {array(repeats)}"], np.tile(x.data, repeats))


@op
def transpose(g, x):
    perm = g.rng.sample(range(len(x.shape)), len(x.shape))
    return g.add("transpose", [x], [f"perm = {array(perm)}"], x.data.transpose(perm))


@op
def reshape(g, x):
    left, shape = x.data.size, []
    for _ in range(g.rng.choice([0, 1, 2, 3, 3, 4, 5])):
        shape.append(g.rng.choice([d for d in range(1, min(left, 128) + 1) if left % d == 0]))
        left //= shape[-1]
    shape.append(left)
    g.rng.shuffle(shape)
    return g.add("reshape", [x], [], x.data.reshape(shape))


@op
def resize(g, x):
    if len(x.shape) != 4:
        return None
    factor, mode = g.rng.choice([2, 2, 3, 4]), g.rng.choice(["nearest", "align_corners", "half_pixel", ""])
    size = [factor * n for n in x.shape[2:]]
    if mode == "nearest":
        return g.add("resize nearest", [x], [], x.data.repeat(factor, 2).repeat(factor, 3))
    if g.rng.random() < 0.3:
        size = [g.rng.randrange(1, 2 * n + 1) for n in x.shape[2:]]
    data = x.data
    for dim, (old, new) in enumerate(zip(x.shape[2:], size)):
        at = np.arange(new) * ((old - 1) / max(new - 1, 1) if mode == "align_corners" else old / new)
        at = np.clip(at + ((old / new - 1) / 2 if mode == "half_pixel" else 0), 0, old - 1)
        first = np.floor(at).astype(int)
        share = (at - first).reshape([-1 if i == dim + 2 else 1 for i in range(4)])
        data = data.take(first, dim + 2) * (1 - share) + data.take(np.minimum(first + 1, old - 1), dim + 2) * share
    return g.add("resize bilinear", [x], [mode] if mode else [], data)


# Running ---------------------------------------------------------------------

TOO_LARGE = re.compile("exceeds the limit|must be at most|take several tasks|bytes of L2|split the tensor|is not a view|joins dimension")
FUNCTION_LIMIT = 1 << 22  # elements that the functions of this file go through in seconds


def any_shape(rng, elements):
    """Up to four dimensions with about so many elements, some of them much longer than others."""
    elements = max(1, round(elements ** rng.random()))
    shape, left = [], elements
    for _ in range(rng.choice([1, 2, 3, 4, 4, 4]) - 1):
        size = max(1, round(left ** rng.choice([0, 0.15, 0.5, rng.random(), 1])))
        shape.append(rng.choice([size, size, 1 << max(0, size.bit_length() - 1)]))
        left = max(1, left // shape[-1])
    shape.append(left)
    rng.shuffle(shape)
    return ([1] if len(shape) == 3 and rng.random() < 0.5 else []) + shape


def build_large(seed, names, size):
    """One op on a tensor of any size; None where it makes too much."""
    g = Graph(seed)
    for _ in range(20):
        value = g.argument(any_shape(g.rng, min(size // 2, FUNCTION_LIMIT)))
        try:
            with np.errstate(all="ignore"):
                result = OPS[g.rng.choice(names)](g, value)
        except (MemoryError, ValueError):
            result = None
        if result is not None and np.isfinite(result.data).all() and 0 < result.data.size <= FUNCTION_LIMIT and \
                np.abs(result.data).max() <= 3000:
            return g.text([g.results[-1]]), g.arguments, [g.results[-1]]
        g.lines, g.arguments, g.results, g.constants = [], [], [], []
    return None



def build(seed, names):
    g = Graph(seed)
    rank = g.rng.choice([4, 4, 4, 4, 3, 2, 1, 5, 6])
    sizes = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 40, 64, 65]
    shape = [10**6]
    while math.prod(shape) > 20000:
        shape = [g.rng.choice(sizes) if g.rng.random() < 0.9 else g.rng.randrange(1, 600) for _ in range(rank)]
        if rank == 4:
            shape[0] = g.rng.choice([1, 1, 1, 2, 3])
    value = g.argument(shape, *((0.1, 2) if g.rng.random() < 0.15 else ()))
    wanted = g.rng.choice([1, 1, 2, 3, 4, 6])
    for _ in range(40):
        if len(g.results) >= wanted:
            break
        mark = [list(part) for part in (g.lines, g.arguments, g.results, g.constants)]
        with np.errstate(all="ignore"):
            result = OPS[g.rng.choice(names)](g, value if g.rng.random() < 0.75 else g.rng.choice([value] + g.results))
        if result is None or not np.isfinite(result.data).all() or not 0 < result.data.size <= 100000 or \
                np.abs(result.data).max() > 3000:
            g.lines, g.arguments, g.results, g.constants = mark
            continue
        value = result
    used = g.used()
    outputs = [result for result in g.results if result.name not in used or g.rng.random() < 0.1]
    if outputs and g.rng.random() < 0.05:  # twice, or what came in
        outputs.append(g.rng.choice(outputs + [value for value in g.arguments if value.name in used]))
    return (g.text(outputs), g.arguments, outputs) if outputs else None


class Runner:
    def __init__(self, folder, tools, target, is_large=False):
        self.folder, self.tools, self.target, self.is_large = folder, tools, target, is_large
        self.refused, self.first = collections.Counter(), {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def tool(self, name, *arguments):
        """Nothing, or what is wrong; an error of the tool is counted."""
        try:
            done = subprocess.run([os.path.join(self.tools, name), *arguments], capture_output=True, text=True,
                                  timeout=60 if name == "ane-compile" and self.is_large else 240)
        except subprocess.TimeoutExpired:
            return f"{name} ends with nothing in time"
        if done.returncode == 0:
            return None
        lines = [line for line in done.stderr.split("\n") if "error:" in line]
        if done.returncode != 1 or not lines or name == "ane-run":
            return f"{name} ends with {done.returncode}: {done.stderr[-300:]}"
        return lines[0].split("error:", 1)[1].strip()

    def lower(self, pipeline, out):
        """Nothing, or what stock mlir-opt has against a graph."""
        done = subprocess.run([MLIR_OPT, self.path(SOURCE), f"--pass-pipeline={pipeline}", "-o", out],
                              capture_output=True, text=True, timeout=120)
        return f"mlir-opt ends with {done.returncode}: {done.stderr[-300:]}" if done.returncode else None

    def results(self, way, text, arguments, outputs):
        """What is wrong, and whether the compiler says so itself."""
        source, program = self.path(SOURCE), self.path("imported.mlir" if way in UNKNOWN else "net.hwx")
        text, options = REWRITES[way](text) if way in REWRITES else (text, [])
        for path in (program, self.path("net.mil")):
            if os.path.exists(path):
                os.remove(path)
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        if way in LOWERINGS:
            source = self.path("lowered.mlir")
            if wrong := self.lower(LOWERINGS[way], source):
                return wrong, False
        if way == "mil":
            source = self.path("net.mil")
            if wrong := self.tool("ane-compile", self.path(SOURCE), "-o", source):
                return wrong, not os.path.exists(source)
        if wrong := self.tool("ane-compile", source, "-o", program, f"--target={self.target}", *options, *(WAYS[way] or [])):
            return wrong, "ends with" not in wrong and not os.path.exists(program)
        if way in UNKNOWN:
            return None, False
        command, files = [program], [self.path(f"out{i}.npy") for i in range(len(outputs))]
        for i, value in enumerate(arguments):
            np.save(self.path(f"in{i}.npy"), value.data.astype(np.float16, order="C"))
            command += ["--input", self.path(f"in{i}.npy")]
        for file in files:
            command += ["--output", file]
            if os.path.exists(file):
                os.remove(file)
        if wrong := self.tool("ane-run", *command):
            return wrong, False
        for file, value in zip(files, outputs):
            if not os.path.exists(file):
                return f"ane-run leaves no result for {value.name}", False
            got = np.load(file).astype(np.float64)
            largest = max(np.abs(value.data).max(), 0.5 if TABLES.search(text) else 0.02)
            error = np.abs(got.reshape(value.shape) - value.data).max() / largest if got.size == value.data.size else 1
            if not error <= 0.03:
                return f"{value.name} differs by {error:.3f} of the largest", False
        return None, False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "bin"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--ops", default=",".join(OPS), help="names of ops, with commas (default: all)")
    parser.add_argument("--ways", default=",".join(WAYS), help="with commas (default: all)")
    parser.add_argument("--target", default="h13", help="generation of the engine (default: h13)")
    parser.add_argument("--keep", default=".", help="where wrong graphs go")
    parser.add_argument("--bytes", type=int, default=0, help="single ops on tensors of up to so many bytes")
    options = parser.parse_args()
    names, ways = options.ops.split(","), options.ways.split(",")
    for kind, known, given in (("op", OPS, names), ("way", WAYS, ways)):
        for name in given:
            if name not in known:
                parser.error(f"there is no {kind} '{name}'; known: {', '.join(known)}")
    for tool in ("ane-compile", "ane-run"):
        if not os.path.exists(os.path.join(options.bin, tool)):
            parser.error(f"{options.bin} has no {tool}; name the folder of the tools with --bin")
    right = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder, options.bin, options.target, options.bytes > 0)
        for seed in range(options.seed, options.seed + options.count):
            graph = build_large(seed, names, options.bytes) if options.bytes else build(seed, names)
            if not graph:
                continue
            for way in ways:
                if way == "zin-9.509" and CLEAN_ONLY and CLEAN_ONLY.search(graph[0]):
                    continue
                problem, is_refusal = runner.results(way, *graph)
                if is_refusal and not (options.bytes and TOO_LARGE.search(problem)):
                    kind = re.sub(r"[\d.]+", "N", problem)[:120]
                    runner.refused[kind] += 1
                    runner.first.setdefault(kind, f"seed {seed}, {way}: {problem}")
                elif problem:
                    wrong += 1
                    os.makedirs(options.keep, exist_ok=True)
                    kept = os.path.join(options.keep, f"wrong-{seed}{os.path.splitext(SOURCE)[1]}")
                    shutil.copy(runner.path(SOURCE), kept)
                    print(f"{kept}: {way}: {problem}")
                else:
                    right += 1
    for kind, count in runner.refused.most_common():
        print(f"refused {count} times: {runner.first[kind]}")
    print(f"{right} results right, {sum(runner.refused.values())} refused, {wrong} wrong")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(main())
