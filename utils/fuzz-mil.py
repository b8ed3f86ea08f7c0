#!/usr/bin/python3
"""Compile random MIL programs and compare what they compute with numpy.

  fuzz-mil.py [--bin DIR] [--seed N] [--count N] [--ops conv,pool] [--ways clean,open] [--keep DIR]

As fuzz-ops.py, whose file says what the ways are and what is wrong, but programs of the
operations of iOS 15 to 18 that can be imported, with all of their parameters: kinds of
padding, axes from the end, masks of slices, steps backwards, modes of resizing, comparisons
and truth values, compressed constants, numbers whose squares f16 does not hold. Needs numpy.
Two more ways:

  open      the text has no sizes but those of constants; the command line has them
  resized   the same with other sizes and integers, of which few mean anything, so that only
            a crash is wrong
"""
import math
import re
import sys

import numpy as np

sys.dont_write_bytecode = True
from fuzz_mil_program import Graph, OPS, Value, base, op, some_axes  # noqa: E402


# Elements --------------------------------------------------------------------

def logistic(x):
    return 1 / (1 + np.exp(-x))


UNARY = {"abs": np.abs, "atan": np.arctan, "cos": np.cos, "erf": base.erf, "exp": np.exp, "exp2": np.exp2, "relu": lambda x: np.maximum(x, 0),
         "relu6": lambda x: np.clip(x, 0, 6), "sigmoid": logistic, "silu": lambda x: x * logistic(x), "sin": np.sin,
         "softplus": lambda x: np.log1p(np.exp(x)), "softsign": lambda x: x / (1 + np.abs(x)), "square": np.square,
         "tanh": np.tanh, "identity": lambda x: x, "cosh": np.cosh, "sinh": np.sinh, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
         "atanh": np.arctanh}
# Where the function is not steep, so that what x was rounded by shows no more than elsewhere.
INSIDE = {"tan": 1.2, "asin": 0.9, "acos": 0.9, "atanh": 0.9, "sinh": 4, "cosh": 4}
STEPS = {"ceil": np.ceil, "floor": np.floor, "round": np.rint, "sign": np.sign}


@op
def unary(g, x):
    if x.exact and g.rng.random() < 0.3:
        name = g.rng.choice(list(STEPS))
        return g.add(name, STEPS[name](x.data), exact=True, x=x)
    name = g.rng.choice(list(UNARY))
    if np.abs(x.data).max() > INSIDE.get(name, np.inf):
        return None
    return g.add(name, UNARY[name](x.data), x=x)


@op
def parametric(g, x):
    a, b, d = g.rng.choice([0.25, 0.5, 1.5, 0.125]), g.rng.choice([0.25, 0.5, 1.0]), x.data
    name = g.rng.choice("clip elu leaky_relu scaled_tanh sigmoid_hard threshold linear_activation clamped_relu "
                        "thresholded_relu gelu prelu softplus_parametric".split())
    if name == "gelu":
        mode = g.rng.choice(["EXACT", "TANH_APPROXIMATION", "SIGMOID_APPROXIMATION", None])
        data = {"TANH_APPROXIMATION": d / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (d + 0.044715 * d**3))),
                "SIGMOID_APPROXIMATION": d * logistic(1.702 * d)}.get(mode, d / 2 * (1 + base.erf(d / math.sqrt(2))))
        return g.add(name, data, x=x, mode=mode)
    if name in ("prelu", "softplus_parametric"):
        if len(x.shape) < 3:
            return None
        shape = [x.shape[1]] + [1] * (len(x.shape) - 2)
        alpha, beta = (np.round(g.random([x.shape[1]], 0.1, 1) * 64) / 64 for _ in range(2))
        if g.rng.random() < 0.2:
            alpha[:] = 0.25
        if name == "prelu":
            return g.add(name, np.where(d < 0, alpha.reshape(shape) * d, d), x=x, alpha=alpha)
        return g.add(name, alpha.reshape(shape) * np.log1p(np.exp(beta.reshape(shape) * d)), x=x, alpha=alpha, beta=beta)
    if name == "thresholded_relu":
        return g.add(name, np.where(d >= a, d, 0), x=x, alpha=a) if x.exact else None
    data, two = {"clip": (np.clip(d, -a, b), True), "elu": (np.where(d < 0, a * np.expm1(np.minimum(d, 0)), d), False),
                 "leaky_relu": (np.where(d < 0, a * d, d), False), "scaled_tanh": (a * np.tanh(b * d), True),
                 "sigmoid_hard": (np.clip(a * d + b, 0, 1), True), "threshold": (np.maximum(d, a), False),
                 "linear_activation": (a * d + b, True), "clamped_relu": (np.minimum(b, np.where(d < 0, a * d, d)), True)}[name]
    return g.add(name, data, x=x, alpha=-a if name == "clip" else a, beta=b if two else None)


@op
def positive(g, x):
    if x.data.min() <= 0.02:
        return None
    e = g.rng.choice([None, 0.125, 0.5])
    name = g.rng.choice(["sqrt", "log", "rsqrt", "inverse"])
    if name == "sqrt":
        return g.add(name, np.sqrt(x.data), x=x)
    data = x.data + (e or (1e-4 if name == "inverse" else 0))
    return g.add(name, {"log": np.log, "rsqrt": lambda y: y**-0.5, "inverse": lambda y: 1 / y}[name](data), x=x, epsilon=e)


def partner(g, x, low=-1, high=1):
    """Something that broadcasts with x, also of fewer dimensions, or a number."""
    shape = [size if g.rng.random() < 0.6 else 1 for size in x.shape]
    if g.rng.random() < 0.3:
        shape = list(x.shape)
    while shape and g.rng.random() < 0.2:
        shape.pop(0)
    if not shape:
        value = np.round(g.random((), low, high) * 16) / 16
        return float(value), value
    value = g.operand(shape, low, high)
    return value, value.data


@op
def binary(g, x):
    name = g.rng.choice(["add", "sub", "mul", "maximum", "minimum", "real_div", "pow"])
    y, data = partner(g, x, *((0.25, 1.5) if name in ("real_div", "pow") else (-1, 1)))
    if name == "pow":
        exponent = g.rng.choice([2.0, 3.0, 5.0, 9.0, 0.5, -1.0, -2.0, -3.0, 1.0, 0.0, -0.5, 1.5])
        if (exponent % 1 and x.data.min() < 0.1) or (exponent < 0 and np.abs(x.data).min() < 0.1):
            return None
        return g.add(name, x.data**exponent, x=x, y=exponent)
    function = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
                "real_div": np.divide}[name]
    if name != "real_div" and g.rng.random() < 0.4:
        return g.add(name, function(data, x.data), x=y, y=x)
    return g.add(name, function(x.data, data), x=x, y=y)


@op
def power(g, x):
    """Of numbers of either sign, with exponents that are not known."""
    base, y = np.rint(x.data * 4), np.rint(g.random([size if g.rng.random() < 0.6 else 1 for size in x.shape], 0, 4))
    if np.abs(base).max() > 8:
        return None
    if g.rng.random() < 0.3:
        number = g.rng.choice([-3.0, 0.0, 2.0, -1.0])
        return g.add("pow", number**y, x=number, y=g.given(y))
    return g.add("pow", base**y, x=g.given(base), y=g.given(y))


@op
def floor_div(g, x):
    """Whole numbers and halves, where a quotient is often whole."""
    whole = g.rng.random() < 0.7
    a = g.given(np.rint(g.random(x.shape, -40, 40)) / (1 if whole else 4))
    divisor = g.rng.choice([1.0, 2.0, 3.0, 5.0, 7.0, 10.0, -3.0, 0.5, 0.75, 6.0])
    y = divisor if g.rng.random() < 0.6 else g.given(np.rint(g.random(x.shape, 1, 12)))
    quotient = np.floor(a.data / (y.data if isinstance(y, Value) else y))
    if g.rng.random() < 0.5:
        return g.add("floor_div", quotient, exact=True, x=a, y=y)
    return g.add("mod", a.data - quotient * (y.data if isinstance(y, Value) else y), exact=True, x=a, y=y)


COMPARE = {"equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal,
           "greater": np.greater, "greater_equal": np.greater_equal}


def truth(g, shape):
    """A truth value of each element, computed from arguments."""
    a, b = (g.given(np.rint(g.random(shape, -2, 2))) for _ in range(2))
    name = g.rng.choice(list(COMPARE))
    if g.rng.random() < 0.3:
        limit = g.rng.choice([0.0, 1.0, -1.0])
        return g.add(name, COMPARE[name](a.data, limit), "bool", x=a, y=limit)
    return g.add(name, COMPARE[name](a.data, b.data), "bool", x=a, y=b)


@op
def logic(g, x):
    c = truth(g, x.shape)
    name = g.rng.choice(["logical_and", "logical_or", "logical_xor", "logical_not", "cast", "select", "select"])
    if name in ("logical_and", "logical_or", "logical_xor"):
        d = truth(g, x.shape)
        data = {"logical_and": np.logical_and, "logical_or": np.logical_or,
                "logical_xor": np.logical_xor}[name](c.data, d.data)
        c = g.add(name, data, "bool", x=c, y=d)
    elif name == "logical_not":
        c = g.add(name, 1 - c.data, "bool", x=c)
    elif name == "select":
        y, data = partner(g, x)
        if g.rng.random() < 0.5:
            return g.add(name, np.where(c.data, x.data, data), cond=c, a=x, b=y)
        return g.add(name, np.where(c.data, data, x.data), cond=c, a=y, b=x)
    return g.add("cast", c.data, exact=True, x=c, dtype="fp16")


# Windows ---------------------------------------------------------------------

def padding(g, sizes, kernel, strides, dilations, kinds=("valid", "same", "same_lower", "custom")):
    """pad_type, pad and the pairs that they mean."""
    kind = g.rng.choice(kinds)
    pairs = []
    for size, taps, stride, dilation in zip(sizes, kernel, strides, dilations):
        extent = (taps - 1) * dilation + 1
        if kind == "valid":
            pairs.append((0, 0))
        elif kind == "custom":
            pairs.append((g.rng.randrange(taps), g.rng.randrange(taps)))
        else:
            whole = max(0, (-(-size // stride) - 1) * stride + extent - size)
            front = (whole + (kind == "same_lower")) // 2
            pairs.append((front, whole - front))
    return kind, [n for pair in pairs for n in pair] if kind == "custom" else None, pairs


def windows(x, kernel, strides, dilations, pairs, fill=0.0):
    """Elements under the taps of each window: an axis of taps behind the image."""
    x = np.pad(x, [(0, 0), (0, 0)] + list(pairs), constant_values=fill)
    outs = [(size - (k - 1) * d - 1) // s + 1 for size, k, s, d in zip(x.shape[2:], kernel, strides, dilations)]
    if min(outs) < 1:
        return None
    taps = []
    for tap in np.ndindex(*kernel):
        at = tuple(slice(t * d, t * d + (o - 1) * s + 1, s) for t, d, o, s in zip(tap, dilations, outs, strides))
        taps.append(x[(slice(None), slice(None)) + at])
    return np.stack(taps, -1)


@op
def conv(g, x):
    if len(x.shape) not in (3, 4, 5):
        return None
    dims, rng = len(x.shape) - 2, g.rng
    kernel = [rng.choice([1, 1, 2, 3, 3, 4, 5, 7]) for _ in range(dims)]
    strides, dilations = ([rng.choice(choices) for _ in range(dims)] for choices in ([1, 1, 1, 2, 3], [1, 1, 1, 1, 2]))
    kind, pad, pairs = padding(g, x.shape[2:], kernel, strides, dilations)
    groups = rng.choice([1, 1, x.shape[1], rng.choice([n for n in range(1, x.shape[1] + 1) if x.shape[1] % n == 0])])
    outputs = groups * rng.choice([1, 1, 2, 3, 5])
    under = windows(x.data, kernel, strides, dilations, pairs)
    if under is None or outputs > 128:
        return None
    weight = g.constant([outputs, x.shape[1] // groups] + kernel)
    bias = g.constant([outputs]) if rng.random() < 0.6 else None
    parts = zip(np.split(under, groups, 1), np.split(weight.data.reshape(outputs, -1, math.prod(kernel)), groups))
    data = np.concatenate([np.einsum("nc...t,oct->no...", a, w) for a, w in parts], 1)
    if bias:
        data = data + bias.data.reshape([-1] + [1] * dims)
    return g.add("conv", data, x=x, weight=weight, bias=bias, groups=g.maybe(groups, 1), pad_type=g.maybe(kind, "valid"),
                 pad=pad, strides=g.maybe(strides, [1] * dims), dilations=g.maybe(dilations, [1] * dims))


@op
def conv_transpose(g, x):
    if len(x.shape) not in (3, 4, 5):
        return None
    dims, rng = len(x.shape) - 2, g.rng
    kernel = [rng.choice([1, 2, 3, 3, 4, 5]) for _ in range(dims)]
    strides, dilations = ([rng.choice(choices) for _ in range(dims)] for choices in ([1, 2, 2, 3], [1, 1, 1, 2]))
    groups = rng.choice([1, 1, 1, x.shape[1]])
    each = rng.choice([1, 2, 3])
    if groups * each > 128:
        return None
    weight = g.constant([x.shape[1], each] + kernel)
    full = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in zip(x.shape[2:], strides, kernel, dilations)]
    data = np.zeros([x.shape[0], groups * each] + full)
    inputs = np.split(x.data, groups, 1)
    filters = np.split(weight.data, groups)
    for tap in np.ndindex(*kernel):
        at = tuple(slice(t * d, t * d + (n - 1) * s + 1, s) for t, d, n, s in zip(tap, dilations, x.shape[2:], strides))
        add = np.concatenate([np.einsum("nc...,co->no...", a, w[(slice(None), slice(None)) + tap])
                              for a, w in zip(inputs, filters)], 1)
        data[(slice(None), slice(None)) + at] += add
    kind = rng.choice(["valid", "custom", "same"])
    pad = shape = None
    if kind == "custom":
        pairs = [(rng.randrange(k), rng.randrange(k)) for k in kernel]
        pad = [n for pair in pairs for n in pair]
    elif kind == "same":
        pairs = [(max(f - n * s, 0) // 2, f - n * s - max(f - n * s, 0) // 2)
                 for f, n, s in zip(full, x.shape[2:], strides)]
    else:
        pairs = [(0, 0)] * dims
    if min(n for pair in pairs for n in pair) < 0 or min(f - a - b for f, (a, b) in zip(full, pairs)) < 1:
        return None
    for i, (a, b) in enumerate(pairs):
        data = np.take(data, range(a, full[i] - b), i + 2)
    bias = g.constant([groups * each]) if rng.random() < 0.5 else None
    if bias:
        data = data + bias.data.reshape([-1] + [1] * dims)
    if rng.random() < 0.2 and kind != "same":
        shape = list(data.shape)
    return g.add("conv_transpose", data, x=x, weight=weight, bias=bias, groups=g.maybe(groups, 1),
                 pad_type=g.maybe(kind, "valid"), pad=pad, output_shape=shape, strides=g.maybe(strides, [1] * dims),
                 dilations=g.maybe(dilations, [1] * dims))


@op
def pool(g, x):
    if len(x.shape) not in (3, 4, 5):
        return None
    dims, rng = len(x.shape) - 2, g.rng
    kernel = [rng.choice([1, 2, 2, 3, 4, 5]) for _ in range(dims)]
    strides = [rng.choice([1, 2, 2, 3, k]) for k in kernel]
    kind, pad, pairs = padding(g, x.shape[2:], kernel, strides, [1] * dims)
    name = rng.choice(["max_pool", "avg_pool", "avg_pool", "l2_pool"])
    exclude, ceil = name == "avg_pool" and rng.random() < 0.5, rng.random() < 0.3
    ends = list(pairs)
    if ceil:  # a window may reach over the end where it starts inside
        for i, (size, k, s) in enumerate(zip(x.shape[2:], kernel, strides)):
            whole = size + sum(pairs[i])
            steps = -(-max(whole - k, 0) // s)
            if steps * s >= size + pairs[i][0]:
                steps -= 1
            ends[i] = (pairs[i][0], pairs[i][1] + max(steps * s + k - whole, 0))
    under = windows(x.data, kernel, strides, [1] * dims, ends, -1e9 if name == "max_pool" else 0)
    if under is None:
        return None
    if name == "max_pool":
        data = under.max(-1)
    elif name == "l2_pool":
        data = np.sqrt(np.square(under).sum(-1))
    else:
        # Padding counts unless it is excluded, what ceil_mode has behind it like any other.
        count = windows(np.ones_like(x.data), kernel, strides, [1] * dims, ends).sum(-1) if exclude else math.prod(kernel)
        data = under.sum(-1) / count
    return g.add(name, data, x=x, kernel_sizes=kernel, strides=g.maybe(strides, [1] * dims), pad_type=kind,
                 pad=pad, ceil_mode=g.maybe(ceil, False),
                 exclude_padding_from_average=g.maybe(exclude, False) if name == "avg_pool" else None)


def sampled(data, dim, size, mode):
    old, at = data.shape[dim], np.arange(size)
    if mode in ("ALIGN_CORNERS", "STRICT_ALIGN_CORNERS"):
        at = at * (old - 1) / (size - 1) if size > 1 else np.array([(old - 1) / 2])
    elif mode == "UNALIGN_CORNERS":
        at = (at + 0.5) * old / size - 0.5
    else:
        at = at * old / size
    at = np.clip(at, 0, old - 1)
    first = np.floor(at).astype(int)
    share = (at - first).reshape([-1 if i == dim else 1 for i in range(data.ndim)])
    return data.take(first, dim) * (1 - share) + data.take(np.minimum(first + 1, old - 1), dim) * share


@op
def resize(g, x):
    if len(x.shape) != 4:
        return None
    rng, (rows, columns) = g.rng, x.shape[2:]
    name = rng.choice(["resize_bilinear", "resize_nearest_neighbor", "upsample_bilinear", "upsample_nearest_neighbor", "resize"])
    a, b = rng.choice([1, 2, 3, 4]), rng.choice([1, 2, 2, 3])
    nearest = "nearest" in name or (name == "resize" and rng.random() < 0.3)
    to = (rows * a, columns * b)
    if not nearest and not name.startswith("upsample") and rng.random() < 0.6:
        to = (rng.choice([1, rows, 5, 8, 13]), rng.choice([1, columns, 7, 12, 32]))
    if nearest and not name.startswith("upsample") and rng.random() < 0.5:
        to = (rng.choice([2, rows, 5, 8, 13]), rng.choice([2, columns, 7, 12, 32]))
    if nearest:
        data = x.data
        for dim, size in zip((2, 3), to):
            data = data.take([(2 * i + 1) * data.shape[dim] // (2 * size) for i in range(size)], dim)
    else:
        mode = rng.choice(["DEFAULT", "ALIGN_CORNERS", "STRICT_ALIGN_CORNERS", "UNALIGN_CORNERS"])
        if mode == "STRICT_ALIGN_CORNERS" and 1 in to:
            return None
        data = sampled(sampled(x.data, 2, to[0], mode), 3, to[1], mode)
    if name == "resize":
        one = to[0] == rows and rng.random() < 0.5
        return g.add(name, data, x=x, resized_dims=1 if one else 2, shape=[to[1]] if one else list(to),
                     interpolation_mode="NEAREST_NEIGHBOR" if nearest else "LINEAR",
                     sampling_mode="DEFAULT" if nearest else mode)
    if name.startswith("upsample"):
        factors = {"scale_factor_height": float(a), "scale_factor_width": float(b)}
        if nearest:
            return g.add(name, data, x=x, **factors)
        corners = "ALIGN" in mode and "UN" not in mode
        return g.add(name, data, x=x, **factors, align_corners=g.maybe(corners, True),
                     half_pixel_centers=g.maybe(mode == "UNALIGN_CORNERS", not corners))
    sizes = {"target_size_height": to[0], "target_size_width": to[1]}
    return g.add(name, data, x=x, **sizes, sampling_mode=None if nearest else g.maybe(mode, "DEFAULT"))


def samples_of(images, dim, places):
    """Between neighbours along a dimension, and whether each place is inside."""
    places = np.asarray(places, np.float64)
    low = np.clip(np.floor(places), 0, images.shape[dim] - 1).astype(int)
    share = np.clip(places - low, 0, 1).reshape([-1 if i == dim else 1 for i in range(images.ndim)])
    high = np.minimum(low + 1, images.shape[dim] - 1)
    inside = (places >= 0) & (places <= images.shape[dim] - 1)
    return images.take(low, dim) * (1 - share) + images.take(high, dim) * share, inside


@op
def crop_resize(g, x):
    if len(x.shape) != 4:
        return None
    rng, count = g.rng, g.rng.choice([1, 2, 4])
    sizes = rng.choice([1, 2, 5, 8]), rng.choice([1, 3, 4, 7])
    normalized, first, offset = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.4
    boxes = g.constant((count, 4), -0.25, 1.25 if normalized else 1.25 * max(x.shape[2:]))
    images = [rng.randrange(x.shape[0]) for _ in range(count)]
    around, parts = rng.choice([0.0, 0.0, 0.25]), []
    for image, box in zip(images, boxes.data):
        part, inside = x.data[image:image + 1], []
        for axis in (0, 1):
            start, end = box[axis if first else 1 - axis::2] * (x.shape[2 + axis] - 1 if normalized else 1)
            shares = (np.arange(sizes[axis]) + 0.5) / sizes[axis] if offset else \
                np.arange(sizes[axis]) / (sizes[axis] - 1) if sizes[axis] > 1 else np.array([0.5])
            part, seen = samples_of(part, 2 + axis, start + max(end - start, 1 if offset else -np.inf) * shares)
            inside.append(seen)
        parts.append(np.where(inside[0][:, None] & inside[1], part, around))
    return g.add("crop_resize", np.concatenate(parts), x=x, boxes=boxes, box_indices=images, target_height=g.maybe(sizes[0], 1),
                 target_width=g.maybe(sizes[1], 1), normalized_coordinates=g.maybe(normalized, False),
                 sampling_mode="OFFSET_CORNERS" if offset else "ALIGN_CORNERS", pad_value=g.maybe(around, 0.0),
                 box_coordinate_mode="CORNERS_HEIGHT_FIRST" if first else "CORNERS_WIDTH_FIRST")


# Dimensions ------------------------------------------------------------------


@op
def reduce(g, x):
    rank, d = len(x.shape), x.data
    if rank == 0:
        return None
    axes, text = some_axes(g, rank)
    if len(axes) == rank and g.rng.random() < 0.5:
        text = None
    keep, at = g.rng.random() < 0.6, tuple(axes)
    name = g.rng.choice("max mean min sum l1_norm l2_norm log_sum sum_square log_sum_exp prod".split())
    count = math.prod(d.shape[axis] for axis in axes)
    if (name == "log_sum" and d.min() < 0.02) or (name == "prod" and count > 12) or \
            (name in ("sum", "l1_norm", "sum_square", "log_sum") and count > 2000):
        return None
    function = {"max": np.max, "mean": np.mean, "min": np.min, "sum": np.sum, "l1_norm": lambda v, **k: np.abs(v).sum(**k),
                "l2_norm": lambda v, **k: np.sqrt(np.square(v).sum(**k)), "log_sum": lambda v, **k: np.log(v.sum(**k)),
                "sum_square": lambda v, **k: np.square(v).sum(**k), "prod": np.prod,
                "log_sum_exp": lambda v, **k: np.log(np.exp(v).sum(**k))}[name]
    if name == "sum_square" and np.square(d).sum(at).max() > 30000:
        return None
    data = function(d, axis=at, keepdims=keep)
    if data.ndim == 0:
        return None
    return g.add("reduce_" + name, data, x=x, axes=text, keep_dims=g.maybe(keep, False))


@op
def softmax(g, x):
    axis = g.rng.randrange(len(x.shape))
    power = np.exp(x.data - x.data.max(axis, keepdims=True))
    return g.add("softmax", power / power.sum(axis, keepdims=True), x=x,
                 axis=g.maybe(g.axis(axis, len(x.shape)), -1))


@op
def norm(g, x):
    rank, d, e = len(x.shape), x.data, g.rng.choice([None, 0.5, 0.0625])
    name = g.rng.choice(["layer_norm", "layer_norm", "instance_norm", "batch_norm", "l2_norm", "local_response_norm"])
    if name == "l2_norm":
        if rank < 3:
            return None
        return g.add(name, d / np.sqrt(np.square(d).sum((-3, -2, -1), keepdims=True) + (e or 1e-6)), x=x, epsilon=e)
    if name == "local_response_norm":
        size = g.rng.choice([1, 3, 5])
        if rank != 4 or x.shape[1] > 64:
            return None
        square = np.pad(np.square(d), [(0, 0), (size // 2, size // 2), (0, 0), (0, 0)])
        total = sum(square[:, i:i + x.shape[1]] for i in range(size))
        return g.add(name, d / (1 + 0.5 / size * total)**0.75, x=x, size=size, alpha=0.5, beta=g.maybe(0.75, 0.75))
    if name == "layer_norm":
        first = g.rng.randrange(rank)
        axes = list(range(first, rank)) if g.rng.random() < 0.6 else some_axes(g, rank)[0]
        if math.prod(x.shape[axis] for axis in axes) < 3 or \
                (e is None and np.var(d, tuple(axes)).min() < 0.05):
            return None
        shape = [size if axis in axes else 1 for axis, size in enumerate(x.shape)]
        gamma, beta = (g.constant([x.shape[axis] for axis in axes]) if g.rng.random() < 0.5 else None for _ in range(2))
        mean = d - d.mean(tuple(axes), keepdims=True)
        data = mean / np.sqrt(np.square(mean).mean(tuple(axes), keepdims=True) + (e or 1e-5))
        data = data * (gamma.data.reshape(shape) if gamma else 1) + (beta.data.reshape(shape) if beta else 0)
        return g.add(name, data, x=x, axes=[g.axis(axis, rank) for axis in axes], gamma=gamma, beta=beta, epsilon=e)
    if rank < 3 or math.prod(x.shape[2:]) < 3:
        return None
    shape = [x.shape[1]] + [1] * (rank - 2)
    gamma, beta = (g.constant([x.shape[1]]), g.constant([x.shape[1]])) if g.rng.random() < 0.6 else (None, None)
    if name == "instance_norm":
        at = tuple(range(2, rank))
        mean = d - d.mean(at, keepdims=True)
        data = mean / np.sqrt(np.square(mean).mean(at, keepdims=True) + (e or 0.25))
        extra, e = {}, e or 0.25
    else:
        mean, variance = g.constant([x.shape[1]]), g.constant([x.shape[1]], 0.25, 2)
        data = (d - mean.data.reshape(shape)) / np.sqrt(variance.data.reshape(shape) + (e or 1e-5))
        extra = {"mean": mean, "variance": variance}
    data = data * (gamma.data.reshape(shape) if gamma else 1) + (beta.data.reshape(shape) if beta else 0)
    return g.add(name, data, x=x, gamma=gamma, beta=beta, epsilon=e, **extra)


def windows_of_channels(d, size):
    square = np.pad(np.square(d), [(0, 0), (size // 2, (size - 1) // 2), (0, 0), (0, 0)])
    return sum(square[:, i:i + d.shape[1]] for i in range(size)) / size


@op
def out_of_range(g, x):
    """What brings numbers back whose squares, powers or sums f16 does not hold."""
    if len(x.shape) != 4 or x.shape[1] > 64 or x not in g.arguments or not 0.25 < np.abs(x.data).max() < 2:
        return None
    factor = g.rng.choice([20000.0, 3000.0, 400.0, 2.0**-7, 2.0**-10])
    y = g.add("mul", x.data * factor, x=x, y=factor)
    d, name = y.data, g.rng.choice("layer_norm l2_norm local_response_norm l2_pool log_sum log_sum_exp l2".split())
    axes = tuple(some_axes(g, 4)[0])
    mean = d.mean(axes, keepdims=True)
    if name == "layer_norm":
        if np.var(d, axes).min() < factor * factor / 100:
            return None
        e = min(2.0**-14, factor)
        return g.add(name, (d - mean) / np.sqrt(np.square(d - mean).mean(axes, keepdims=True) + e), x=y, axes=list(axes), epsilon=e)
    if name == "l2_norm":
        return g.add(name, d / np.sqrt(np.square(d).sum((1, 2, 3), keepdims=True)), x=y, epsilon=0.0)
    if name == "local_response_norm":
        size, alpha, k = g.rng.choice([1, 3, 4, 5]), g.rng.choice([2.0**-13, 0.5, 2.0]), g.rng.choice([1.0, 2.0])
        data = d / (k + alpha * windows_of_channels(d, size))**0.75
        return g.add(name, data, x=y, size=size, alpha=alpha, beta=g.maybe(0.75, 0.75), k=g.maybe(k, 1.0))
    if name == "l2_pool":
        under = windows(d, (2, 2), (2, 2), (1, 1), [(0, 0), (0, 0)]) if min(x.shape[2:]) > 1 else None
        if under is None or factor > 20000:
            return None
        y = g.add(name, np.sqrt(np.square(under).sum(-1)), x=y, kernel_sizes=[2, 2], strides=[2, 2], pad_type="valid")
        return g.add("mul", y.data / factor, x=y, y=1 / factor) if np.isfinite(y.data).all() else None
    at = dict(axes=list(axes), keep_dims=True)
    if name == "l2":
        y = g.add("reduce_l2_norm", np.sqrt(np.square(d).sum(axes, keepdims=True)), x=y, **at)
        return g.add("mul", y.data / factor, x=y, y=1 / factor) if np.isfinite(y.data).all() else None
    if name == "log_sum":
        return g.add("reduce_log_sum", np.log(np.abs(d).sum(axes, keepdims=True)), x=g.add("abs", np.abs(d), x=y), **at)
    most = d.max(axes, keepdims=True)
    y = g.add("reduce_log_sum_exp", most + np.log(np.exp(d - most).sum(axes, keepdims=True)), x=y, **at)
    return g.add("mul", y.data / 64, x=y, y=1 / 64.0)


@op
def cumsum(g, x):
    axis, exclusive, reverse = g.rng.randrange(len(x.shape)), g.rng.random() < 0.5, g.rng.random() < 0.5
    data = np.flip(x.data, axis) if reverse else x.data
    data = np.cumsum(data, axis) - (data if exclusive else 0)
    return g.add("cumsum", np.flip(data, axis) if reverse else data, x=x, axis=g.maybe(g.axis(axis, len(x.shape)), 0),
                 exclusive=g.maybe(exclusive, False), reverse=g.maybe(reverse, False))


@op
def band_part(g, x):
    if len(x.shape) < 2:
        return None
    lower, upper = (g.rng.choice([-1, 0, 1, 3]) for _ in range(2))
    i, j = np.indices(x.shape[-2:])
    data = np.where(((lower < 0) | (i - j <= lower)) & ((upper < 0) | (j - i <= upper)), x.data, 0)
    return g.add("band_part", data, exact=x.exact, x=x, lower=g.maybe(lower, -1), upper=g.maybe(upper, -1))


# Products --------------------------------------------------------------------

@op
def matmul(g, x):
    rank = len(x.shape)
    left, right = g.rng.random() < 0.4, g.rng.random() < 0.4
    if rank == 1:
        left = False
    inner = x.shape[-2] if left else x.shape[-1]
    columns = g.rng.choice([1, 2, 5, 16, 33])
    if g.rng.random() < 0.15 and rank > 1:
        y, right = g.operand([inner]), False
    else:
        lead = [size if g.rng.random() < 0.7 else 1 for size in x.shape[:-2]]
        while lead and g.rng.random() < 0.3:
            lead.pop(0)
        y = g.operand(lead + ([columns, inner] if right else [inner, columns]))
    a = np.swapaxes(x.data, -1, -2) if left else x.data
    data = np.matmul(a, np.swapaxes(y.data, -1, -2) if right else y.data)
    if data.ndim == 0:
        return None
    return g.add("matmul", data, x=x, y=y, transpose_x=g.maybe(left, False), transpose_y=g.maybe(right, False))


@op
def linear(g, x):
    weight = g.constant([g.rng.choice([1, 3, 8, 17]), x.shape[-1]])
    bias = g.constant([weight.shape[0]]) if g.rng.random() < 0.6 else None
    return g.add("linear", x.data @ weight.data.T + (bias.data if bias else 0), x=x, weight=weight, bias=bias)


@op
def einsum(g, x):
    letters = "abcdef"[:len(x.shape)]
    if len(letters) < 2 or len(letters) > 4:
        return None
    summed = g.rng.choice(letters)
    shared = [c for c in letters if c != summed and g.rng.random() < 0.4]
    other = shared + [summed, "z"]
    g.rng.shuffle(other)
    result = [c for c in letters if c != summed] + ["z"]
    g.rng.shuffle(result)
    sizes = dict(zip(letters, x.shape), z=g.rng.choice([1, 3, 8]))
    y = g.operand([sizes[c] for c in other])
    text = f"{letters},{''.join(other)}->{''.join(result)}"
    return g.add("einsum", np.einsum(text, x.data, y.data), values=(x, y), equation=text)


@op
def attention(g, x):
    if len(x.shape) != 4 or math.prod(x.shape) > 8000:
        return None
    keys, width = g.rng.choice([1, 3, 8, 20]), g.rng.choice([2, 8, 16])
    k, v = g.operand([*x.shape[:2], keys, x.shape[3]]), g.operand([*x.shape[:2], keys, width])
    mask = g.operand([1, 1, x.shape[2], keys]) if g.rng.random() < 0.4 else None
    scores = x.data @ np.swapaxes(k.data, -1, -2) / math.sqrt(x.shape[3]) + (mask.data if mask else 0)
    power = np.exp(scores - scores.max(-1, keepdims=True))
    return g.add("scaled_dot_product_attention", power / power.sum(-1, keepdims=True) @ v.data, query=x, key=k, value=v,
                 attn_mask=mask)


import fuzz_mil_constants  # noqa: E402; the operations of the three are the last of the list
import fuzz_mil_movement  # noqa: E402,F401
import fuzz_mil_recurrent  # noqa: E402,F401
import fuzz_open_sizes  # noqa: E402

# 2^(y log2 x), which holds for x > 0.
base.CLEAN_ONLY = re.compile(r"pow\(x = [^,]*, y = [av]")
Graph.compressed = staticmethod(fuzz_mil_constants.compressed)
base.Graph, base.OPS, base.__doc__, base.SOURCE = Graph, OPS, __doc__, "net.mil"
del base.WAYS["mil"]
base.WAYS.update({"open": [], "resized": []})
base.REWRITES.update({"open": fuzz_open_sizes.leave_open, "resized": fuzz_open_sizes.change_sizes})
base.UNKNOWN.add("resized")
if __name__ == "__main__":
    sys.exit(base.main())
