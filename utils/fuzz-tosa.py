#!/usr/bin/python3
"""Compile random graphs of a few TOSA ops and compare what they compute with numpy.

  fuzz-tosa.py [--bin DIR] [--seed N] [--count N] [--ops conv,pool] [--ways clean,mil] [--keep DIR]

As fuzz-ops.py, whose file says what the ways are and what is wrong, but through the importer:
networks of f32 with channels last, shapes and zero points as operands, comparisons and
booleans, gathers, loops and branches; and through what comes in linalg only: poolings with gaps,
searches from any start, products of bytes. Needs numpy. More ways, the last three by stock mlir-opt
(of LLVM_BIN):

  open      the text has no sizes but those of constants; the command line has them
  linalg    lowered to ops of linalg with names, where there are some
  loops     to linalg.generic alone
  fused     the same, with elementwise ops in the bodies of those that use them
"""
import importlib.util
import math
import os
import re
import sys

import numpy as np

sys.dont_write_bytecode = True
import fuzz_open_sizes  # noqa: E402

SPEC = importlib.util.spec_from_file_location(
    "fuzz_ops", os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz-ops.py"))
base = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(base)
array = base.array


class Value:
    def __init__(self, name, data, element="f32"):
        data = np.asarray(data, np.float64)
        self.element = element
        self.name, self.data = name, data.astype(np.float16).astype(np.float64) if element == "f32" else data
        self.shape = self.data.shape
        self.type = "tensor<" + "".join(f"{size}x" for size in self.shape) + element + ">"


class Graph(base.Graph):
    def argument(self, shape, low=-1, high=1):
        self.arguments.append(Value(f"%a{len(self.arguments)}", self.random(shape, low, high)))
        return self.arguments[-1]

    def dense(self, data, element="f32"):
        """A constant of these numbers."""
        value = Value(f"%k{len(self.lines)}", data, element)
        size = {"f32": np.float32, "i32": np.int32, "i8": np.int8}[element]
        bits = value.data.astype(size)
        text = f'"0x{bits.tobytes().hex().upper()}"' if bits.size > 1 else \
            repr(float(bits.ravel()[0])) if element == "f32" else str(int(bits.ravel()[0]))
        self.lines.append(f'  {value.name} = "tosa.const"() <{{values = dense<{text}> : {value.type}}}> : '
                          f"() -> {value.type}")
        return value

    def constant(self, shape, low=-1, high=1):
        shared = [value for value in self.constants if value.shape == tuple(shape) and
                  low <= value.data.min() and value.data.max() <= high]
        if shared and self.rng.random() < 0.3:
            return self.rng.choice(shared)
        self.constants.append(self.dense(self.random(shape, low, high)))
        return self.constants[-1]

    def scalar(self, like, number):
        return self.dense(np.full([1] * len(like.shape), number))

    def shape(self, numbers):
        """A constant, or sizes that follow from two of them."""
        if numbers and self.rng.random() < 0.2:
            kind, parts = self.rng.choice([
                ("add_shape", lambda n, k: (n - k, k)), ("sub_shape", lambda n, k: (n + k, k)),
                ("max_shape", lambda n, k: (n, n - k)), ("min_shape", lambda n, k: (n + k, n)),
                ("mul_shape", lambda n, k: (n, 1)), ("div_floor_shape", lambda n, k: (n * (k + 1) + k, k + 1)),
                ("div_ceil_shape", lambda n, k: (n * (k + 1), k + 1)), ("mod_shape", lambda n, k: (n, n + k + 1))])
            if min(numbers) >= 0:
                pairs = [parts(int(number), self.rng.randrange(4)) for number in numbers]
                operands = [self.known_shape(part) for part in zip(*pairs)]
                return self.shape_line(f"tosa.{kind} {operands[0].name}, {operands[1].name} : "
                                       f"({operands[0].type}, {operands[1].type}) ->", len(numbers), f"  // {numbers}")
        return self.known_shape(numbers)

    def known_shape(self, numbers):
        numbers = [int(number) for number in numbers]
        return self.shape_line(f"tosa.const_shape {{values = dense<{numbers}> : tensor<{len(numbers)}xindex>}} : () ->",
                               len(numbers))

    def shape_line(self, text, rank, note=""):
        name = f"%k{len(self.lines)}"
        self.lines.append(f"  {name} = {text} !tosa.shape<{rank}>{note}")
        shape = Value.__new__(Value)
        shape.name, shape.type = name, f"!tosa.shape<{rank}>"
        return shape

    def add(self, name, operands, attributes, data, element="f32"):
        value = Value(f"%v{len(self.lines)}", data, element)
        attributes = " {" + ", ".join(attributes) + "}" if attributes else ""
        names, types = ", ".join(x.name for x in operands), ", ".join(x.type for x in operands)
        self.lines.append(f"  {value.name} = tosa.{name} {names}{attributes} : ({types}) -> {value.type}")
        if element == "f32":
            self.results.append(value)
        return value


OPS = {}


def op(function):
    OPS[function.__name__.rstrip("_")] = function
    return function


def windows_of(image, kernel, strides, size, dilations=(1, 1)):
    """What each place of the kernel sees of an image with channels last."""
    return [[image[:, i * dilations[0]:i * dilations[0] + (size[0] - 1) * strides[0] + 1:strides[0],
                   j * dilations[1]:j * dilations[1] + (size[1] - 1) * strides[1] + 1:strides[1]]
             for j in range(kernel[1])] for i in range(kernel[0])]


def window(g, x, kernel, strides, dilations, limit):
    """Padding with which the window ends where the image does, as TOSA wants it."""
    pad, size = [], []
    for i in (0, 1):
        reach = (kernel[i] - 1) * dilations[i] + 1
        low = g.rng.randrange(0, limit(reach)) if g.rng.random() < 0.6 else 0
        for high in range(low, low + strides[i] + 1):
            left = x.shape[1 + i] + low + high - reach
            if left >= 0 and left % strides[i] == 0 and high < max(limit(reach), 1):
                break
        else:
            return None
        pad += [low, high]
        size.append(left // strides[i] + 1)
    return pad, size


@op
def conv(g, x):
    if len(x.shape) != 4:
        return None
    n, h, w, c = x.shape
    depthwise = g.rng.random() < 0.3
    out = g.rng.choice([1, 2]) if depthwise else g.rng.choice([1, 2, 3, 8, 16, 17, 33])
    kernel, strides = base.pair(g.rng, [1, 1, 2, 3, 3, 4, 5, 7, 9]), base.pair(g.rng, [1, 1, 1, 2, 2, 3, 4])
    dilations = base.pair(g.rng, [1, 1, 1, 2, 3])
    found = window(g, x, kernel, strides, dilations, lambda reach: reach)
    if not found:
        return None
    pad, size = found
    weight = g.constant((*kernel, c, out) if depthwise else (out, *kernel, c))
    channels = c * out if depthwise else out
    bias = g.constant((channels if g.rng.random() < 0.8 else 1,))
    image = np.pad(x.data, ((0, 0), pad[:2], pad[2:], (0, 0)))
    data = np.zeros((n, *size, channels)) + bias.data
    for i, row in enumerate(windows_of(image, kernel, strides, size, dilations)):
        for j, part in enumerate(row):
            data += np.einsum("nhwc,co->nhwco", part, weight.data[i, j]).reshape(data.shape) if depthwise else \
                np.einsum("nhwc,oc->nhwo", part, weight.data[:, i, j])
    zero = g.dense([0])
    attributes = ["acc_type = f32", f"pad = {array(pad)}", f"stride = {array(strides)}",
                  f"dilation = {array(dilations)}"]
    return g.add("depthwise_conv2d" if depthwise else "conv2d", [x, weight, bias, zero, zero], attributes, data)


@op
def transpose_conv(g, x):
    if len(x.shape) != 4:
        return None
    n, h, w, c = x.shape
    out = g.rng.choice([1, 2, 3, 8])
    kernel, strides = base.pair(g.rng, [1, 2, 3, 4, 5]), base.pair(g.rng, [1, 2, 2, 3, 4])
    pad = [g.rng.randrange(-min(kernel[i // 2], 3) + 1, 3) for i in range(4)]
    full = [(x.shape[1 + i] - 1) * strides[i] + kernel[i] for i in (0, 1)]
    size = [full[i] + pad[2 * i] + pad[2 * i + 1] for i in (0, 1)]
    if min(size) < 1:
        return None
    weight, bias = g.constant((out, *kernel, c)), g.constant((out,))
    data = np.zeros((n, full[0] + 8, full[1] + 8, out))
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            top, left = i + 4, j + 4
            data[:, top:top + (h - 1) * strides[0] + 1:strides[0], left:left + (w - 1) * strides[1] + 1:strides[1]] += \
                np.einsum("nhwc,oc->nhwo", x.data, weight.data[:, i, j])
    data = data[:, 4 - pad[0]:4 - pad[0] + size[0], 4 - pad[2]:4 - pad[2] + size[1]] + bias.data
    zero = g.dense([0])
    return g.add("transpose_conv2d", [x, weight, bias, zero, zero],
                 ["acc_type = f32", f"out_pad = {array(pad)}", f"stride = {array(strides)}"], data)


@op
def pool(g, x):
    if len(x.shape) != 4:
        return None
    kernel = g.rng.choice([base.pair(g.rng, [1, 2, 3, 4, 5, 7]), x.shape[1:3], base.pair(g.rng, [2, 15, 30])])
    strides = base.pair(g.rng, [1, 1, 2, 2, 3])
    found = window(g, x, kernel, strides, (1, 1), lambda reach: reach // 2 + 1)
    if not found:
        return None
    pad, size = found
    kind, around = g.rng.choice(["max", "avg"]), ((0, 0), found[0][:2], found[0][2:], (0, 0))

    def windows(values, fill):
        image = np.pad(values, around, constant_values=fill)
        return [part for row in windows_of(image, kernel, strides, size) for part in row]

    attributes = [f"kernel = {array(kernel)}", f"stride = {array(strides)}", f"pad = {array(pad)}"]
    if kind == "max":
        return g.add("max_pool2d", [x], attributes, np.max(windows(x.data, -np.inf), 0))
    zero = g.dense([0])
    data = np.sum(windows(x.data, 0), 0) / np.sum(windows(np.ones_like(x.data), 0), 0)
    return g.add("avg_pool2d", [x, zero, zero], ["acc_type = f32", *attributes], data)


@op
def matmul(g, x):
    if len(x.shape) != 3:
        return None
    y = g.operand((x.shape[0], x.shape[2], g.rng.choice([1, 2, 5, 16, 17, 33, 64])))
    zero = g.dense([0])
    return g.add("matmul", [x, y, zero, zero], [], x.data @ y.data)


@op
def binary(g, x):
    kinds = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
    kind = g.rng.choice(list(kinds))
    y = g.scalar(x, g.rng.choice([0.5, 2, 1, -1, 0.3])) if g.rng.random() < 0.2 else base.repeated(g, x)
    if g.rng.random() < 0.3:
        x, y = y, x
    data = kinds[kind](x.data, y.data)
    return g.add(kind, [x, y] + ([g.dense([0], "i8")] if kind == "mul" else []), [], data)


@op
def unary(g, x):
    kinds = {"abs": np.abs, "tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "exp": np.exp,
             "erf": base.erf, "sin": np.sin, "cos": np.cos}
    if x in g.arguments:
        kinds.update(floor=np.floor, ceil=np.ceil)
    if (x.data > 0.05).all():
        kinds.update(log=np.log, rsqrt=lambda x: 1 / np.sqrt(x), reciprocal=lambda x: 1 / x)
    kind = g.rng.choice([*kinds, "clamp", "negate", "identity"])
    if kind == "clamp":
        low, high = sorted(g.rng.choice([-1, -0.5, 0, 0.25, 1, 6]) for _ in range(2))
        return g.add(kind, [x], [f"min_val = {float(low)} : f32", f"max_val = {float(high)} : f32"],
                     np.clip(x.data, low, high))
    zero = [g.dense([0])] * 2 if kind == "negate" else []
    return g.add(kind, [x] + zero, [], -x.data if zero else x.data if kind == "identity" else kinds[kind](x.data))


@op
def choice(g, x):
    """Comparisons, what logic makes of them, and choices."""
    if x not in g.arguments:
        return None
    kinds = {"equal": np.equal, "greater": np.greater, "greater_equal": np.greater_equal}

    def condition():
        kind = g.rng.choice(list(kinds))
        y = g.operand([size if g.rng.random() < 0.65 else 1 for size in x.shape])
        operands = [x, y] if g.rng.random() < 0.7 else [y, x]
        return g.add(kind, operands, [], kinds[kind](*(value.data for value in operands)), "i1")

    mask = condition()
    for _ in range(g.rng.choice([0, 0, 1, 2])):
        logic = {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}
        kind = g.rng.choice([*logic, "logical_not"])
        operands = [mask] if kind == "logical_not" else [mask, condition()]
        data = [value.data != 0 for value in operands]
        mask = g.add(kind, operands, [], logic[kind](*data) if len(data) > 1 else ~data[0], "i1")
    how = g.rng.random()
    if how < 0.25:
        return g.add("cast", [mask], [], mask.data)
    if how < 0.4:
        axis = g.rng.randrange(len(x.shape))
        kind, fold = g.rng.choice([("reduce_any", np.any), ("reduce_all", np.all)])
        mask = g.add(kind, [mask], [f"axis = {axis} : i32"], fold(mask.data != 0, axis, keepdims=True), "i1")
    y, z = (g.scalar(x, g.rng.choice([0, 1, -0.5, 100])) if g.rng.random() < 0.3 else base.repeated(g, x)
            for _ in range(2))
    return g.add("select", [mask, y, z], [], np.where(mask.data != 0, y.data, z.data))


@op
def reduce(g, x):
    axis, kind = g.rng.randrange(len(x.shape)), g.rng.choice(["sum", "max", "min", "product"])
    if kind == "product" and x.shape[axis] > 5:
        return None
    return g.add(f"reduce_{kind}", [x], [f"axis = {axis} : i32"],
                 getattr(x.data, kind.replace("product", "prod"))(axis, keepdims=True))


@op
def argmax(g, x):
    if x not in g.arguments:
        return None
    if g.rng.random() < 0.2:
        whole = g.add("cast", [x], [], np.rint(x.data), "i32")
        return g.add("cast", [whole], [], whole.data)
    axis = g.rng.randrange(len(x.shape))
    index = g.add("argmax", [x], [f"axis = {axis} : i32"], np.argmax(x.data, axis), "i32")
    return g.add("cast", [index], [], index.data) if index.shape else None


@op
def concat(g, x):
    axis, parts = g.rng.randrange(len(x.shape)), [x]
    for _ in range(g.rng.choice([1, 1, 2])):
        parts.append(x if g.rng.random() < 0.15 else
                     g.operand([g.rng.choice([1, 2, 3, 8, 16]) if dim == axis else size
                                for dim, size in enumerate(x.shape)], constants=0.3))
    g.rng.shuffle(parts)
    return g.add("concat", parts, [f"axis = {axis} : i32"], np.concatenate([part.data for part in parts], axis))


@op
def slice_(g, x):
    start = [g.rng.randrange(size) if g.rng.random() < 0.5 else 0 for size in x.shape]
    size = [g.rng.randrange(1, extent - first + 1) for first, extent in zip(start, x.shape)]
    data = x.data[tuple(slice(first, first + count) for first, count in zip(start, size))]
    return g.add("slice", [x, g.shape(start), g.shape(size)], [], data)


@op
def pad_(g, x):
    around = [[g.rng.choice([0, 0, 0, 1, 2, 5]) for _ in range(2)] for _ in x.shape]
    value = g.rng.choice([0.0, 0.0, 1.0, -0.5])
    operands = [x, g.known_shape(sum(around, [])), g.dense([value])]
    return g.add("pad", operands, [], np.pad(x.data, around, constant_values=value))


@op
def tile(g, x):
    repeats = [g.rng.choice([1, 1, 1, 2, 3]) for _ in x.shape]
    return g.add("tile", [x, g.shape(repeats)], [], np.tile(x.data, repeats))


@op
def transpose(g, x):
    perm = g.rng.sample(range(len(x.shape)), len(x.shape))
    return g.add("transpose", [x], [f"perms = array<i32: {', '.join(map(str, perm))}>"], x.data.transpose(perm))


@op
def reverse(g, x):
    axis = g.rng.randrange(len(x.shape))
    if x.shape[axis] > 40:
        return None
    return g.add("reverse", [x], [f"axis = {axis} : i32"], np.flip(x.data, axis))


@op
def gather(g, x):
    if len(x.shape) != 3:
        return None
    if g.arguments and g.rng.random() < 0.3:  # where the largest elements are
        y = g.argument((x.shape[0], g.rng.choice([1, 2, 5]), x.shape[1]))
        index = g.add("argmax", [y], ["axis = 2 : i32"], np.argmax(y.data, 2), "i32")
        data = np.take_along_axis(x.data, index.data.astype(int)[..., None], 1)
        return g.add("gather", [x, index], [], data)
    rows = np.array([[g.rng.randrange(x.shape[1]) for _ in range(g.rng.choice([1, 2, 5]))]] * x.shape[0])
    return g.add("gather", [x, g.dense(rows, "i32")], [],
                 np.stack([image[row] for image, row in zip(x.data, rows)]))


@op
def scatter(g, x):
    if len(x.shape) != 3:
        return None
    batches, extent, channels = x.shape
    count = g.rng.randrange(1, min(extent, 6) + 1)
    y = g.operand((batches, count, channels))
    rows = g.rng.sample(range(extent), count)
    rows = np.array([rows if g.rng.random() < 0.7 else g.rng.sample(range(extent), count) for _ in range(batches)])
    data = x.data.copy()
    for image, places, part in zip(data, rows, y.data):
        image[places] = part
    return g.add("scatter", [x, g.dense(rows, "i32"), y], [], data)


@op
def fourier(g, x):
    """Sums of many numbers; only the ratio of an error to the largest of them counts."""
    if len(x.shape) != 3:
        return None
    isReal, inverse = g.rng.random() < 0.5, g.rng.random() < 0.5
    shape = (x.shape[0], g.rng.choice([1, 2, 4, 16]), g.rng.choice([1, 2, 8, 32]))
    x, y = g.argument(shape), g.argument(shape)
    if isReal:
        data, call = np.fft.rfft2(x.data), f"rfft2d {x.name} : ({x.type}) ->"
    else:
        number = x.data + 1j * y.data
        data = np.fft.ifft2(number) * x.shape[1] * x.shape[2] if inverse else np.fft.fft2(number)
        call = f"fft2d {x.name}, {y.name} {{inverse = {str(inverse).lower()}}} : ({x.type}, {y.type}) ->"
    name = f"%v{len(g.lines)}"
    parts = [Value(f"{name}#{i}", part) for i, part in enumerate((data.real, data.imag))]
    g.lines.append(f"  {name}:2 = tosa.{call} ({parts[0].type}, {parts[1].type})")
    g.results += parts
    return parts[1]


@op
def branches(g, x):
    """A loop that counts, with a branch that asks which iteration it is in."""
    count, chosen = g.rng.randrange(0, 4), g.rng.randrange(0, 3)
    zero, one, last, which = (g.dense(np.array(number), "i32") for number in (0, 1, count, chosen))
    name, i, more, now, w = (f"%{letter}{len(g.lines)}" for letter in "vimnw")
    text = f"""  {name}:2 = tosa.while_loop ({i} = {zero.name}, {i}x = {x.name}) : (tensor<i32>, {x.type}) -> (tensor<i32>, {x.type}) {{
    {more} = tosa.greater {last.name}, {i} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield {more} : tensor<i1>
  }} do {{
  ^bb0({i}: tensor<i32>, {i}x: {x.type}):
    {now} = tosa.equal {i}, {which.name} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    {w} = tosa.cond_if {now} ({i}y = {i}x) : tensor<i1> ({x.type}) -> {x.type} {{
    ^bb0({i}y: {x.type}):
      {w}a = tosa.abs {i}y : ({x.type}) -> {x.type}
      tosa.yield {w}a : {x.type}
    }} else {{
    ^bb0({i}y: {x.type}):
      {w}b = tosa.tanh {i}y : ({x.type}) -> {x.type}
      tosa.yield {w}b : {x.type}
    }}
    {i}n = tosa.add {i}, {one.name} : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield {i}n, {w} : tensor<i32>, {x.type}
  }}"""
    data = x.data
    for number in range(count):
        data = np.abs(data) if number == chosen else np.tanh(data)
    value = Value(f"{name}#1", data)
    g.lines.append(text)
    g.results.append(value)
    return value


# What comes in linalg only, between the ops of TOSA.


def linalg_result(g, text, data):
    """Lines with {v} for the name of the result, which is of f32."""
    name = f"%v{len(g.lines)}"
    value = Value(name, data)
    g.lines.append("\n".join("  " + line.format(v=name, k=name.replace("v", "l"), t=value.type) for line in text))
    g.results.append(value)
    return value


@op
def gaps(g, x):
    """Poolings whose windows have gaps, in infinities where that is what never wins."""
    if len(x.shape) != 4:
        return None
    kind = g.rng.choice(["max", "max", "min", "sum"])
    kernel, dilations, strides = (base.pair(g.rng, sizes) for sizes in ([1, 2, 3, 4, 5], [1, 2, 3], [1, 1, 2, 3]))
    around = [g.rng.choice([0, 0, 1, 2]) for _ in range(4)]
    fill = {"max": -np.inf, "min": np.inf, "sum": 0}[kind]
    image = np.pad(x.data, ((0, 0), around[:2], around[2:], (0, 0)), constant_values=fill)
    size = [(image.shape[1 + i] - (kernel[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i in (0, 1)]
    if min(size) < 1:
        return None
    parts = [part for row in windows_of(image, kernel, strides, size, dilations) for part in row]
    data = getattr(np, kind)(parts, 0)
    if not np.isfinite(data).all():  # a window in nothing but padding
        return None
    padded = Value("", np.zeros(image.shape)).type
    window = f"tensor<{kernel[0]}x{kernel[1]}xf32>"
    number = {"max": "0xFF800000", "min": "0x7F800000", "sum": "0.0"}[kind]
    return linalg_result(g, [
        f"{{k}}c = arith.constant {number} : f32",
        f"{{k}}p = tensor.pad {x.name} low[0, {around[0]}, {around[2]}, 0] high[0, {around[1]}, {around[3]}, 0] {{{{",
        "^bb0({k}0: index, {k}1: index, {k}2: index, {k}3: index):",
        "  tensor.yield {k}c : f32",
        f"}}}} : {x.type} to {padded}",
        f"{{k}}w = tensor.empty() : {window}",
        "{k}e = tensor.empty() : {t}",
        "{k}f = linalg.fill ins({k}c : f32) outs({k}e : {t}) -> {t}",
        f"{{v}} = linalg.pooling_nhwc_{kind} {{{{dilations = dense<{list(dilations)}> : vector<2xi64>, "
        f"strides = dense<{list(strides)}> : vector<2xi64>}}}}",
        f"  ins({{k}}p, {{k}}w : {padded}, {window}) outs({{k}}f : {{t}}) -> {{t}}"], data)


@op
def search(g, x):
    """The place of the first or last of the largest or least elements, and a place where none is beyond a start."""
    if x not in g.arguments or len(x.shape) < 2:
        return None
    isMax, isFirst = g.rng.random() < 0.5, g.rng.random() < 0.5
    start, place = g.rng.choice([-np.inf, -0.25, 0.0, 0.5]), g.rng.choice([0, 0, -1, 7])
    if not isMax:
        start = -start
    rank, axis = len(x.shape), g.rng.randrange(len(x.shape))
    order = np.moveaxis(x.data, axis, -1) if isFirst else np.flip(np.moveaxis(x.data, axis, -1), -1)
    at = order.argmax(-1) if isMax else order.argmin(-1)
    found = order.max(-1) if isMax else order.min(-1)
    if not isFirst:
        at = x.shape[axis] - 1 - at
    compare = {(1, 1): np.greater, (1, 0): np.greater_equal, (0, 1): np.less, (0, 0): np.less_equal}[isMax, isFirst]
    data = np.where(compare(found, start), at, place)
    loops = [f"d{i}" for i in range(rank)]
    places = ", ".join(loop for i, loop in enumerate(loops) if i != axis)
    maps = f"affine_map<({', '.join(loops)}) -> ({', '.join(loops)})>", f"affine_map<({', '.join(loops)}) -> ({places})>"
    kinds = ", ".join('"reduction"' if i == axis else '"parallel"' for i in range(rank))
    element = f"tensor<{''.join(f'{size}x' for size in data.shape)}i64>"
    number = {np.inf: "0x7F800000", -np.inf: "0xFF800000"}.get(start, repr(float(start)))
    return linalg_result(g, [
        f"{{k}}c = arith.constant {number} : f32", f"{{k}}z = arith.constant {place} : i64",
        f"{{k}}e = tensor.empty() : {element}", f"{{k}}i = linalg.fill ins({{k}}z : i64) outs({{k}}e : {element}) -> {element}",
        "{k}f = tensor.empty() : {t}", "{k}s = linalg.fill ins({k}c : f32) outs({k}f : {t}) -> {t}",
        f"{{k}}r:2 = linalg.generic {{{{indexing_maps = [{maps[0]}, {maps[1]}, {maps[1]}], iterator_types = [{kinds}]}}}}",
        f"  ins({x.name} : {x.type}) outs({{k}}s, {{k}}i : {{t}}, {element}) {{{{",
        "^bb0({k}x: f32, {k}y: f32, {k}o: i64):",
        f"  {{k}}n = linalg.index {axis} : index", "  {k}m = arith.index_cast {k}n : index to i64",
        f"  {{k}}b = arith.{'maximumf' if isMax else 'minimumf'} {{k}}x, {{k}}y : f32",
        f"  {{k}}g = arith.cmpf o{'g' if isMax else 'l'}{'t' if isFirst else 'e'}, {{k}}x, {{k}}y : f32",
        "  {k}h = arith.select {k}g, {k}m, {k}o : i64", "  linalg.yield {k}b, {k}h : f32, i64",
        f"}}}} -> ({{t}}, {element})",
        f"{{v}} = arith.sitofp {{k}}r#1 : {element} to {{t}}"], data)


@op
def bytes_(g, x):
    """A product of bytes with zero points, of which a scale makes floats."""
    if len(x.shape) != 2 or x not in g.arguments:
        return None
    rows, inner, columns = *x.shape, g.rng.choice([1, 3, 8, 17])
    zeros = [g.rng.choice([0, 5, -100]) for _ in range(2)]
    weight = g.numbers.randint(-128, 128, (inner, columns))
    whole = np.clip(np.rint(x.data * 128), -128, 127)
    scale = 2.0 ** -g.rng.randrange(8, 18)
    data = (whole - zeros[0]) @ (weight - zeros[1]) * scale
    kind, sums = f"tensor<{rows}x{inner}xi8>", f"tensor<{rows}x{columns}xi32>"
    text = weight.astype(np.int8).tobytes().hex().upper() if weight.size > 1 else ""
    text = f'"0x{text}"' if text else str(int(weight.ravel()[0]))
    numbers = {name: f"{{k}}{name} = arith.constant dense<{number}> : {x.type}"
               for name, number in (("a", 128.0), ("l", -128.0), ("h", 127.0))}
    return linalg_result(g, [
        *numbers.values(), f"{{k}}0 = arith.mulf {x.name}, {{k}}a : {x.type}", f"{{k}}1 = math.roundeven {{k}}0 : {x.type}",
        f"{{k}}2 = arith.maximumf {{k}}1, {{k}}l : {x.type}", f"{{k}}3 = arith.minimumf {{k}}2, {{k}}h : {x.type}",
        f"{{k}}4 = arith.fptosi {{k}}3 : {x.type} to {kind}",
        f"{{k}}w = arith.constant dense<{text}> : tensor<{inner}x{columns}xi8>",
        f"{{k}}x = arith.constant {zeros[0]} : i32", f"{{k}}y = arith.constant {zeros[1]} : i32",
        f"{{k}}z = arith.constant dense<0> : {sums}",
        f"{{k}}p = linalg.quantized_matmul ins({{k}}4, {{k}}w, {{k}}x, {{k}}y : {kind}, tensor<{inner}x{columns}xi8>, i32, i32) "
        f"outs({{k}}z : {sums}) -> {sums}",
        f"{{k}}f = arith.sitofp {{k}}p : {sums} to {{t}}", f"{{k}}s = arith.constant dense<{scale!r}> : {{t}}",
        "{v} = arith.mulf {k}f, {k}s : {t}"], data)


@op
def reshape(g, x):
    left, shape = x.data.size, []
    for _ in range(g.rng.choice([0, 1, 2, 3, 3, 4])):
        shape.append(g.rng.choice([d for d in range(1, min(left, 128) + 1) if left % d == 0]))
        left //= shape[-1]
    shape.append(left)
    g.rng.shuffle(shape)
    return g.add("reshape", [x, g.shape(shape)], [], x.data.reshape(shape))


@op
def resize(g, x):
    """Every convention that TOSA can say: what is at y is at (y * down + offset) / up."""
    if len(x.shape) != 4:
        return None
    nearest, data, scale, offsets, borders = g.rng.random() < 0.4, x.data, [], [], []
    for dim in (1, 2):
        up, down = g.rng.choice([(2, 1), (4, 2), (1, 1), (3, 1), (4, 1), (2, 2), (2, 3), (3, 2), (1, 2)])
        old, offset = x.shape[dim], g.rng.choice([0, 0, -1, 1])
        total = (old - 1) * up - offset
        border = g.rng.choice([0, up - 1, (-total) % down])
        if offset >= up or (total + border) % down or total + border < 0:
            return None
        at = (np.arange((total + border) // down + 1) * down + offset) / up
        scale, offsets, borders = scale + [up, down], offsets + [offset], borders + [border]
        first = np.floor(at + 0.5 if nearest else at).astype(int)
        share = (0 * at if nearest else at - first).reshape([-1 if i == dim else 1 for i in range(4)])
        data = data.take(np.clip(first, 0, old - 1), dim) * (1 - share) + \
            data.take(np.clip(first + 1, 0, old - 1), dim) * share
    mode = "mode = NEAREST_NEIGHBOR" if nearest else "mode = BILINEAR"
    return g.add("resize", [x, g.shape(scale), g.shape(offsets), g.shape(borders)], [mode], data)


# What stock MLIR makes of TOSA, as other compilers hand it on: ops with names, loops, and
# loops that have become one.
NAMED = """builtin.module(func.func(tosa-to-scf, tosa-optional-decompositions, canonicalize, tosa-infer-shapes,
    tosa-make-broadcastable, tosa-to-linalg-named), canonicalize,
    func.func(tosa-layerwise-constant-fold, tosa-make-broadcastable, tosa-to-linalg),
    func.func(tosa-to-arith{include-apply-rescale=true use-32-bit=true}, tosa-to-tensor), canonicalize, cse%s)"""
def with_known_shapes(text):
    """Stock MLIR lowers no arithmetic of shapes."""
    return re.sub(r"tosa\.\w+_shape %.* -> !tosa.shape<(\d+)>  // (.*)",
                  r"tosa.const_shape {values = dense<\2> : tensor<\1xindex>} : () -> !tosa.shape<\1>", text), []


base.LOWERINGS.update({
    "linalg": NAMED % "",
    "loops": NAMED % ", func.func(linalg-generalize-named-ops), canonicalize, cse",
    "fused": NAMED % ", func.func(linalg-generalize-named-ops, linalg-fuse-elementwise-ops), canonicalize, cse",
})
base.WAYS.update(dict.fromkeys(base.LOWERINGS, []))
base.WAYS["open"] = []
base.REWRITES.update(dict.fromkeys(base.LOWERINGS, with_known_shapes))
base.REWRITES["open"] = fuzz_open_sizes.leave_tosa_open
base.Graph, base.OPS, base.__doc__ = Graph, OPS, __doc__
if __name__ == "__main__":
    sys.exit(base.main())
