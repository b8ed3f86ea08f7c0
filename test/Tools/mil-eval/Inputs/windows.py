"""Convolutions, pools and products, against numpy."""
import itertools
import sys

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from milcases import Cases

random = np.random.default_rng(2)
f = lambda *shape: random.standard_normal(shape).astype(np.float32)
cases = Cases()


def pads(kind, shape, kernel, stride, dilation, custom):
    """(before, after) of each dimension."""
    if kind == "valid":
        return [(0, 0)] * len(shape)
    if kind == "custom":
        return [tuple(custom[2 * i : 2 * i + 2]) for i in range(len(shape))]
    result = []
    for extent, k, s, d in zip(shape, kernel, stride, dilation):
        total = max(0, (-(-extent // s) - 1) * s + (k - 1) * d + 1 - extent)
        less, more = total // 2, total - total // 2
        result.append((less, more) if kind == "same" else (more, less))
    return result


def windows(x, kernel, stride, dilation):
    """(n, c, out..., kernel...) of a padded array."""
    axes = tuple(range(2, x.ndim))
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    view = sliding_window_view(x, reach, axes)
    steps = [slice(None)] * 2 + [slice(None, None, s) for s in stride] + [slice(None, None, d) for d in dilation]
    return view[tuple(steps)]


def conv(x, w, stride, dilation, pad, groups):
    x = np.pad(x.astype(np.float64), [(0, 0), (0, 0)] + pad)
    view, letters = windows(x, w.shape[2:], stride, dilation), "uvw"[: w.ndim - 2]
    parts = []
    for g in range(groups):
        inputs, outputs = w.shape[1], w.shape[0] // groups
        parts.append(np.einsum(f"nc...{letters},oc{letters}->no...", view[:, g * inputs : (g + 1) * inputs],
                               w[g * outputs : (g + 1) * outputs].astype(np.float64)))
    return np.concatenate(parts, 1)


geometries = [  # spatial, kernel, stride, dilation, custom padding
    ([9], [3], [1], [1], [0, 0]),
    ([10], [4], [3], [2], [2, 5]),
    ([7, 9], [1, 1], [1, 1], [1, 1], [0, 0, 0, 0]),
    ([7, 9], [1, 1], [2, 3], [1, 1], [1, 0, 0, 2]),
    ([8, 11], [3, 2], [1, 2], [2, 1], [1, 2, 3, 0]),
    ([8, 8], [5, 4], [3, 2], [1, 2], [0, 1, 2, 2]),
    ([4, 6, 5], [2, 3, 2], [1, 2, 2], [2, 1, 1], [1, 1, 0, 2, 1, 0]),
]
for (spatial, kernel, stride, dilation, custom), groups, kind in itertools.product(
        geometries, (1, 2), ("valid", "same", "same_lower", "custom")):
    x, weight, bias = f(2, 4, *spatial), f(6, 4 // groups, *kernel), f(6)
    pad = pads(kind, spatial, kernel, stride, dilation, custom)
    want = conv(x, weight, stride, dilation, pad, groups)
    more = {"pad": custom} if kind == "custom" else {}
    arguments = dict(x=x, weight=weight, strides=stride, dilations=dilation, pad_type=kind, groups=groups, **more)
    cases.check("conv", want, **arguments)
    cases.check("conv", want + bias.reshape(-1, *[1] * len(spatial)), bias=bias, **arguments)
# Everything left out.
x, weight = f(1, 3, 6, 6), f(5, 3, 3, 3)
cases.check("conv", conv(x, weight, [1, 1], [1, 1], [(0, 0)] * 2, 1), x=x, weight=weight)
depthwise = f(3, 1, 3, 3)
cases.check("conv", conv(x, depthwise, [1, 1], [1, 1], [(1, 1)] * 2, 3), x=x, weight=depthwise, groups=3, pad_type="same")


def conv_transpose(y, w, stride, dilation, pad, out, groups):
    """The adjoint: every element of `out` asks the convolution who used it."""
    result = np.zeros((y.shape[0], w.shape[1] * groups, *out))
    spatial = list(np.ndindex(*out))
    for place in spatial:
        unit = np.zeros((1, 1, *out))
        unit[(0, 0, *place)] = 1
        # used[tap] = positions of y that this element would have reached
        view = windows(np.pad(unit, [(0, 0), (0, 0)] + pad), w.shape[2:], stride, dilation)[0, 0]
        for index in zip(*np.nonzero(view)):
            at, tap = index[: y.ndim - 2], index[y.ndim - 2 :]
            if any(i >= e for i, e in zip(at, y.shape[2:])):
                continue
            inputs = w.shape[0] // groups
            for g in range(groups):
                part = slice(g * inputs, (g + 1) * inputs)
                result[(slice(None), slice(g * w.shape[1], (g + 1) * w.shape[1]), *place)] += (
                    y[(slice(None), part, *at)] @ w[(part, slice(None), *tap)])
    return result


for (spatial, kernel, stride, dilation, custom), groups in itertools.product(geometries[:6], (1, 2)):
    y, weight = f(1, 4, *[min(e, 5) for e in spatial]), f(4, 3, *kernel)
    full = [(e - 1) * s + (k - 1) * d + 1 for e, s, k, d in zip(y.shape[2:], stride, kernel, dilation)]
    for kind, pad in (("valid", [(0, 0)] * len(spatial)), ("custom", [(1, 0)] * len(spatial))):
        out = [e - p - q for e, (p, q) in zip(full, pad)]
        if min(out) < 1:
            continue
        more = {"pad": [v for p in pad for v in p]} if kind == "custom" else {}
        cases.check("conv_transpose", conv_transpose(y, weight, stride, dilation, pad, out, groups), x=y, weight=weight,
                    strides=stride, dilations=dilation, pad_type=kind, groups=groups, **more)
# By hand: two values, spread by steps of 2 with a kernel of 1, 10, 100.
row, taps = np.array([[[1, 2]]], np.float32), np.array([[[1, 10, 100]]], np.float32)
cases.check("conv_transpose", np.array([[[1, 10, 102, 20, 200]]], np.float32), x=row, weight=taps, strides=[2])
cases.check("conv_transpose", np.array([[[1, 10, 102, 20]]], np.float32), x=row, weight=taps, strides=[2], pad_type="same")
cases.check("conv_transpose", np.array([[[10, 102, 20, 200]]], np.float32), x=row, weight=taps, strides=[2], pad_type="same_lower")
cases.check("conv_transpose", np.array([[[10, 102, 20, 200, 0]]], np.float32), x=row, weight=taps, strides=[2],
            pad_type="custom", pad=[1, 0], output_shape=[5])

for (spatial, kernel, stride, _, custom), kind in itertools.product(geometries, ("valid", "same", "same_lower", "custom")):
    x = f(2, 3, *spatial)
    custom = [min(p, (k - 1) // 2) for p, k in zip(custom, np.repeat(kernel, 2))]
    pad = pads(kind, spatial, kernel, stride, [1] * len(spatial), custom)
    filled = lambda v: windows(np.pad(x.astype(np.float64), [(0, 0), (0, 0)] + pad, constant_values=v), kernel, stride, [1] * len(spatial))
    axes = tuple(range(x.ndim, 2 * x.ndim - 2))
    arguments = dict(x=x, kernel_sizes=kernel, strides=stride, pad_type=kind)
    if kind == "custom":
        arguments["pad"] = custom
    cases.check("max_pool", filled(-np.inf).max(axes), **arguments)
    cases.check("avg_pool", filled(0).mean(axes), **arguments)
    cases.check("avg_pool", np.nanmean(filled(np.nan), axes), exclude_padding_from_average=True, **arguments)
    cases.check("l2_pool", np.sqrt((filled(0) ** 2).sum(axes)), **arguments)
# By hand: windows of 2 at steps of 2 on 5 elements; the last window is half.
five = np.array([[[1, 2, 3, 4, 5]]], np.float32)
cases.check("max_pool", np.array([[[2, 4]]], np.float32), x=five, kernel_sizes=[2], strides=[2], pad_type="valid")
cases.check("max_pool", np.array([[[2, 4, 5]]], np.float32), x=five, kernel_sizes=[2], strides=[2], pad_type="valid", ceil_mode=True)
cases.check("avg_pool", np.array([[[1.5, 3.5, 5]]], np.float32), x=five, kernel_sizes=[2], strides=[2], pad_type="valid",
            ceil_mode=True, exclude_padding_from_average=True)
cases.check("avg_pool", np.array([[[1.5, 3.5, 2.5]]], np.float32), x=five, kernel_sizes=[2], strides=[2], pad_type="valid", ceil_mode=True)
# A last window that would begin in the padding behind is not there.
cases.check("max_pool", np.array([[[1, 3, 5]]], np.float32), x=five, kernel_sizes=[2], strides=[2], pad_type="custom", pad=[1, 1], ceil_mode=True)

for left, right in (((4, 5), (5, 6)), ((2, 3, 4, 5), (5, 6)), ((2, 1, 4, 5), (3, 5, 6)), ((5,), (5, 6)), ((4, 5), (5,)), ((2, 4, 5), (5,))):
    a, b = f(*left), f(*right)
    cases.check("matmul", np.matmul(a.astype(np.float64), b.astype(np.float64)), x=a, y=b)
a, b = f(2, 5, 4), f(2, 6, 5)
cases.check("matmul", np.einsum("nki,njk->nij", a.astype(np.float64), b), x=a, y=b, transpose_x=True, transpose_y=True)
x, weight, bias = f(2, 3, 7), f(4, 7), f(4)
cases.check("linear", x.astype(np.float64) @ weight.T, x=x, weight=weight)
cases.check("linear", x.astype(np.float64) @ weight.T + bias, x=x, weight=weight, bias=bias)
for equation, left, right in (("bnqd,bnkd->bnqk", (2, 3, 4, 5), (2, 3, 6, 5)), ("nchw,nwhu->nchu", (2, 3, 4, 5), (2, 5, 4, 6)),
                              ("ij,jk->ki", (3, 4), (4, 5)), ("abc,cd->abd", (2, 3, 4), (4, 5))):
    a, b = f(*left), f(*right)
    cases.check("einsum", np.einsum(equation, a.astype(np.float64), b), values=(a, b), equation=equation)

query, key, value, mask = f(2, 3, 4, 8), f(2, 3, 6, 8), f(2, 3, 6, 5), f(4, 6)
softmax = lambda s: np.exp(s) / np.exp(s).sum(-1, keepdims=True)
scores = np.einsum("bhqd,bhkd->bhqk", query.astype(np.float64), key) / np.sqrt(8)
cases.check("scaled_dot_product_attention", softmax(scores) @ value, query=query, key=key, value=value)
cases.check("scaled_dot_product_attention", softmax(scores + mask) @ value, query=query, key=key, value=value, attn_mask=mask)
causal = np.tril(np.ones((4, 6), bool))
cases.check("scaled_dot_product_attention", softmax(np.where(causal, scores, -np.inf)) @ value, query=query, key=key, value=value, attn_mask=causal)
sys.exit(cases.run(sys.argv[1]))
