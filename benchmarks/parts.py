#!/usr/bin/env python3
"""Write parts of published networks as functions of `ane` ops in f16, as exporters write them.

  parts.py --list
  parts.py NAME... [--small] [--weights=splat|arguments] [-o FILE]

Tokens are rows: a tensor of images x tokens x channels. Layers on them are products of
matrices with a bias, heads and windows are reshapes and transposes. Each part has the sizes
of a network in use, with --small sizes for tests. What the weights of a trained network hold
(relative positions, masks of shifted windows) are parameters here, too; what depends on the
data or on the layers before (masks of keys, caches) are inputs.
"""

import argparse
import math
import sys

import networks
from networks import Tensor


class Part(networks.Network):
    """A network of several inputs whose tokens are rows."""

    def __init__(self, name, weights="splat"):
        super().__init__(name, [], weights)
        self.inputs, self.scales = [], []

    def parameter(self, shape, scale):
        """Its scale is the largest value that makes results neither vanish nor grow."""
        self.scales.append(scale)
        return super().parameter(shape, scale)

    def argument(self, *shape):
        self.inputs.append(Tensor(f"%input{len(self.inputs) or ''}", shape))
        return self.inputs[-1]

    def record(self, kind, x, *rest, **options):
        """Bounds need products alone; other ops are on tensors of any rank."""
        if kind in ("conv", "deconv"):
            super().record(kind, x, *rest, **options)

    # Layers --------------------------------------------------------------

    def add(self, x, y, kind="add"):
        return self.op(f"elementwise {kind}", [x, y], [max(a, b) for a, b in zip(x.shape, y.shape)])

    def mul(self, x, y):
        return self.add(x, y, "mul")

    def join(self, axis, *parts):
        shape = list(parts[0].shape)
        shape[axis] = sum(t.shape[axis] for t in parts)
        return self.op("concat", list(parts), shape, f"axis = {axis} : i64")

    def cut(self, x, axis, first, count):
        offsets, sizes = [0] * len(x.shape), list(x.shape)
        offsets[axis], sizes[axis] = first, count
        lists = [("offsets", offsets), ("sizes", sizes), ("strides", [1] * len(sizes))]
        return self.op("slice", [x], sizes, ", ".join(f"{key} = array<i64: {', '.join(map(str, v))}>" for key, v in lists))

    def matmul(self, x, y, transpose_rhs=False):
        (m, k), n = x.shape[-2:], y.shape[-2 if transpose_rhs else -1]
        lead = [max(a, b) for a, b in zip(x.shape[:-2], y.shape[:-2])]
        self.layers.append(("matmul", math.prod(lead), m, k, n, 1, 1, 1, 1))
        return self.op("matmul", [x, y], [*lead, m, n], "transpose_rhs" if transpose_rhs else "")

    def dense(self, x, features, act=None, bias=True):
        """The same products for each row."""
        weight = self.parameter([1] * (len(x.shape) - 2) + [x.shape[-1], features], math.sqrt(3 / x.shape[-1]))
        y = self.matmul(x, weight)
        y = self.add(y, self.parameter([1] * (len(x.shape) - 1) + [features], 0.05)) if bias else y
        return self.act(y, act) if act else y

    def softmax(self, x):
        return self.op("softmax", [x], x.shape, f"axis = {len(x.shape) - 1} : i64")

    def normed(self, x, kind="layer_norm"):
        return self.norm(x, kind, axis=len(x.shape) - 1)

    def plain_norm(self, x, *axes):
        return self.op("layer_norm", [x], x.shape, f"axes = array<i64: {', '.join(map(str, axes))}>, epsilon = 1.0e-5 : f32")

    def channel_factors(self, x):
        """Times one number for each channel, plus another."""
        shape = [1, x.shape[1], 1, 1]
        return self.add(self.mul(x, self.parameter(shape, 0.5)), self.parameter(shape, 0.05))

    def group_norm(self, x, groups=32):
        n, c, h, w = x.shape
        y = self.plain_norm(self.reshape(x, [n, groups, c // groups * h, w]), 2, 3)
        return self.channel_factors(self.reshape(y, x.shape))

    def instance_norm(self, x, act=None):
        y = self.channel_factors(self.plain_norm(x, 2, 3))
        return self.act(y, act) if act else y

    def mlp(self, x, hidden, act="gelu"):
        return self.dense(self.dense(x, hidden, act), x.shape[-1])

    # Attention -----------------------------------------------------------

    def heads(self, x, count):
        """images x tokens x channels as images x heads x tokens x width."""
        images, tokens, channels = x.shape
        return self.transpose(self.reshape(x, [images, tokens, count, channels // count]), [0, 2, 1, 3])

    def together(self, x):
        images, heads, tokens, width = x.shape
        return self.reshape(self.transpose(x, [0, 2, 1, 3]), [images, tokens, heads * width])

    def split(self, x, heads):
        """Queries, keys and values of one layer for all three."""
        images, *pixels, channels = x.shape
        y = self.reshape(self.dense(x, 3 * channels), [images, math.prod(pixels), 3, heads, channels // heads])
        y = self.transpose(y, [2, 0, 3, 1, 4])
        return [self.reshape(self.cut(y, 0, i, 1), y.shape[1:]) for i in range(3)]

    def scores(self, q, k, terms=()):
        y = self.matmul(self.scaled(q, q.shape[-1] ** -0.5), k, transpose_rhs=True)
        for term in terms:
            y = self.add(y, term)
        return y

    def attend(self, q, k, v, terms=()):
        """Of heads; the result is of tokens again."""
        return self.together(self.matmul(self.softmax(self.scores(q, k, terms)), v))

    def attention(self, x, keys, values, heads, width=None, terms=()):
        """All four layers of it; `width` channels inside."""
        width = width or x.shape[-1]
        q, k, v = (self.heads(self.dense(t, width), heads) for t in (x, keys, values))
        return self.dense(self.attend(q, k, v, terms), x.shape[-1])

    # Images of tokens ----------------------------------------------------

    def windows(self, x, size):
        """rows x columns x channels as windows x tokens x channels."""
        _, h, w, c = x.shape
        y = self.reshape(x, [h // size, size, w // size, size, c])
        return self.reshape(self.transpose(y, [0, 2, 1, 3, 4]), [h * w // size**2, size**2, c])

    def image(self, x, size, h, w):
        y = self.reshape(x, [h // size, w // size, size, size, x.shape[-1]])
        return self.reshape(self.transpose(y, [0, 2, 1, 3, 4]), [1, h, w, x.shape[-1]])

    def rolled(self, x, shift):
        """Cyclically, towards the first row and column."""
        for axis in (1, 2):
            size, first = x.shape[axis], shift % x.shape[axis]
            x = self.join(axis, self.cut(x, axis, first, size - first), self.cut(x, axis, 0, first))
        return x

    def planes(self, x, h, w):
        """Tokens as the image that convolutions take; `tokens` is the way back."""
        return self.reshape(self.transpose(x, [0, 2, 1]), [x.shape[0], x.shape[-1], h, w])

    def tokens(self, x):
        n, c, h, w = x.shape
        return self.transpose(self.reshape(x, [n, c, h * w]), [0, 2, 1])


# Encoders -----------------------------------------------------------------


def encoder(net, tokens, channels=768, heads=12, images=1):
    """A layer of BERT with a mask of keys (Devlin et al., 2018)."""
    x, mask = net.argument(images, tokens, channels), net.argument(images, 1, 1, tokens)
    x = net.normed(net.add(net.attention(x, x, x, heads, terms=[mask]), x))
    return net.normed(net.add(net.mlp(x, 4 * channels), x))


def macaron(net, x, hidden):
    """Half of a feed-forward layer is on either side of attention and convolution."""
    return net.add(net.scaled(net.dense(net.dense(net.normed(x), hidden, "silu"), x.shape[-1]), 0.5), x)


def conformer(net, frames, channels=1024, heads=8, taps=9, layers=1):
    """A layer of Parakeet's encoder, a FastConformer (Rekesh et al., 2023)."""
    x = net.argument(1, frames, channels)
    places = net.parameter([1, 2 * frames - 1, channels], 1)  # of one frame from all others
    for _ in range(layers):
        x = macaron(net, x, 4 * channels)
        y = net.normed(x)
        q, k, v = (net.heads(net.dense(y, channels), heads) for _ in range(3))
        by_content, by_place = (net.add(q, net.parameter([1, heads, 1, channels // heads], 0.1)) for _ in range(2))
        # Row i has the place j - i in column j + frames - 1 - i.
        p = net.scores(by_place, net.heads(net.dense(places, channels, bias=False), heads))
        p = net.join(3, net.parameter([1, heads, frames, 1], 0.1), p)
        p = net.cut(net.reshape(p, [1, heads, 2 * frames, frames]), 2, 1, 2 * frames - 1)
        p = net.cut(net.reshape(p, [1, heads, frames, 2 * frames - 1]), 3, 0, frames)
        x = net.add(net.dense(net.attend(by_content, k, v, [p]), channels), x)
        y = net.transpose(net.dense(net.normed(x), 2 * channels), [0, 2, 1])
        y = net.mul(net.cut(y, 1, 0, channels), net.act(net.cut(y, 1, channels, channels), "sigmoid"))
        y = net.conv(net.reshape(y, [1, channels, 1, frames]), channels, (1, taps), groups=channels, act="silu")
        x = net.add(net.dense(net.transpose(net.reshape(y, [1, channels, frames]), [0, 2, 1]), channels), x)
        x = net.normed(macaron(net, x, 4 * channels))
    return x


def subsampling(net, frames, bands=80, channels=256, width=1024):
    """What makes one of eight frames of a spectrum the first frames of that encoder."""
    x = net.conv(net.argument(1, 1, frames, bands), channels, 3, 2, act="relu")
    for _ in range(2):
        x = net.conv(net.conv(x, channels, 3, 2, groups=channels), channels, 1, act="relu")
    y = net.transpose(x, [0, 2, 1, 3])
    return net.dense(net.reshape(y, [1, y.shape[1], y.shape[2] * y.shape[3]]), width)


def swin(net, side, size=7, channels=96, heads=3):
    """Two blocks of Swin-T, the second with shifted windows (Liu et al., 2021)."""
    x = net.argument(1, side * side, channels)
    for shift in (0, size // 2):
        y = net.reshape(net.normed(x), [1, side, side, channels])
        y = net.windows(net.rolled(y, shift) if shift else y, size)
        terms = [net.parameter([1, heads, size**2, size**2], 0.5)]
        if shift:
            terms.append(net.parameter([y.shape[0], 1, size**2, size**2], 0.5))
        y = net.dense(net.attend(*net.split(y, heads), terms), channels)
        y = net.image(y, size, side, side)
        x = net.add(net.reshape(net.rolled(y, -shift) if shift else y, x.shape), x)
        x = net.add(net.mlp(net.normed(x), 4 * channels), x)
    return x


def sam_block(net, side, size=14, channels=768, heads=12):
    """A windowed block of SAM's image encoder, with relative positions (Kirillov et al., 2023)."""
    x = net.argument(1, side, side, channels)
    windows = net.reshape(net.windows(net.normed(x), size), [(side // size) ** 2, size, size, channels])
    q, k, v = net.split(windows, heads)
    images, width = windows.shape[0] * heads, channels // heads
    q, k, v = (net.reshape(t, [images, size**2, width]) for t in (q, k, v))
    scores = net.reshape(net.scores(q, k), [images, size, size, size, size])
    pixels = net.reshape(q, [images, size, size, width])
    rows = net.matmul(pixels, net.parameter([1, size, size, width], 0.1), transpose_rhs=True)
    pixels = net.transpose(pixels, [0, 2, 1, 3])
    columns = net.matmul(pixels, net.parameter([1, size, size, width], 0.1), transpose_rhs=True)
    scores = net.add(scores, net.reshape(rows, [images, size, size, size, 1]))
    scores = net.add(scores, net.reshape(net.transpose(columns, [0, 2, 1, 3]), [images, size, size, 1, size]))
    y = net.matmul(net.softmax(net.reshape(scores, [images, size**2, size**2])), v)
    y = net.together(net.reshape(y, [images // heads, heads, size**2, width]))
    y = net.dense(net.reshape(y, windows.shape), channels)
    x = net.add(net.image(y, size, side, side), x)
    return net.add(net.mlp(net.normed(x), 4 * channels), x)


def segformer(net, side, channels=64, ratio=8):
    """Patches and two layers of the first stage of SegFormer B1 (Xie et al., 2021)."""
    x = net.normed(net.tokens(net.conv(net.argument(1, 3, 4 * side, 4 * side), channels, 7, 4)))
    for _ in range(2):
        y = net.normed(x)
        weight = net.parameter([channels, channels, ratio, ratio], math.sqrt(3 / channels) / ratio)
        few = net.planes(y, side, side)
        net.record("conv", few, channels, (ratio, ratio), ratio)
        few = net.biased("conv", few, weight, net.parameter([channels], 0.05),
                         [1, channels, side // ratio, side // ratio], [f"strides = array<i64: {ratio}, {ratio}>"])
        few = net.normed(net.tokens(few))
        x = net.add(net.attention(y, few, few, 1), x)
        y = net.planes(net.dense(net.normed(x), 4 * channels), side, side)
        y = net.act(net.tokens(net.conv(y, 4 * channels, 3, groups=4 * channels)), "gelu")
        x = net.add(net.dense(y, channels), x)
    return net.normed(x)


def segformer_head(net, side, channels=(64, 128, 320, 512), width=256, classes=150):
    """Head of SegFormer B1 on images of four sizes (Xie et al., 2021)."""
    images = []
    for i, own in enumerate(channels):
        x = net.argument(1, own, side >> i, side >> i)
        y = net.planes(net.dense(net.tokens(x), width), side >> i, side >> i)
        images.append(net.op("resize bilinear", [y], [1, width, side, side], "half_pixel") if i else y)
    return net.conv(net.conv(net.join(1, *reversed(images)), width, 1, act="relu"), classes, 1)


def mixer(net, tokens, layers, channels=512, hidden=(256, 2048)):
    """Layers of MLP-Mixer S/16 (Tolstikhin et al., 2021)."""
    x = net.argument(1, tokens, channels)
    for _ in range(layers):
        y = net.mlp(net.transpose(net.normed(x), [0, 2, 1]), hidden[0])
        x = net.add(net.transpose(y, [0, 2, 1]), x)
        x = net.add(net.mlp(net.normed(x), hidden[1]), x)
    return x


def mbconv(net, side, channels=64, width=128):
    """Three blocks of EfficientNet-V2 S with squeeze and excite (Tan and Le, 2021)."""
    x = net.argument(1, channels, side, side)
    for stride in (2, 1, 1):
        source, squeezed = x, x.shape[1] // 4
        x = net.conv(x, 4 * x.shape[1], 1, act="silu")
        x = net.conv(x, x.shape[1], 3, stride, groups=x.shape[1], act="silu")
        gate = net.conv(net.conv(net.mean(x), squeezed, 1, act="silu"), x.shape[1], 1, act="sigmoid")
        x = net.conv(net.mul(x, gate), width, 1)
        x = net.add(x, source) if source.shape == x.shape else x
    return x


# Decoders -----------------------------------------------------------------


def sam_decoder(net, side, channels=256, heads=8, hidden=2048):
    """SAM's mask decoder: two layers of two-way attention, then masks (Kirillov et al., 2023)."""
    tokens, masks = 7, 4
    queries, image, places = net.argument(1, tokens, channels), net.argument(1, side**2, channels), net.argument(1, side**2, channels)
    x = queries

    def across(x, places, keys, key_places):
        return net.attention(net.add(x, places), net.add(keys, key_places), keys, heads, channels // 2)

    for first in (True, False):
        placed = x if first else net.add(x, queries)
        y = net.attention(placed, placed, x, heads)
        x = net.normed(y if first else net.add(y, x))
        x = net.normed(net.add(across(x, queries, image, places), x))
        x = net.normed(net.add(net.mlp(x, hidden, "relu"), x))
        image = net.normed(net.add(across(image, places, x, queries), image))
    x = net.normed(net.add(across(x, queries, image, places), x))
    y = net.act(net.norm(net.double(net.planes(image, side, side), channels // 4), "layer_norm"), "gelu")
    y = net.act(net.double(y, channels // 8), "gelu")
    rows = []
    for i in range(masks):  # the first two tokens are for scores
        row = net.cut(x, 1, 1 + i, 1)
        row = net.dense(net.dense(row, channels, "relu"), channels, "relu")
        rows.append(net.dense(row, channels // 8))
    y = net.matmul(net.join(1, *rows), net.reshape(y, [1, channels // 8, 16 * side**2]))
    return net.reshape(y, [1, masks, 4 * side, 4 * side])


def detr(net, keys, queries=100, channels=256, heads=8, hidden=2048):
    """Two layers of DETR's decoder (Carion et al., 2020)."""
    x, memory, places = net.argument(1, queries, channels), net.argument(1, keys, channels), net.argument(1, keys, channels)
    own = net.parameter([1, queries, channels], 0.5)
    for _ in range(2):
        placed = net.add(x, own)
        x = net.normed(net.add(net.attention(placed, placed, x, heads), x))
        y = net.attention(net.add(x, own), net.add(memory, places), memory, heads)
        x = net.normed(net.add(y, x))
        x = net.normed(net.add(net.mlp(x, hidden, "relu"), x))
    return x


def whisper_step(net, cached, keys, channels=384, heads=6):
    """One token through a layer of Whisper tiny's decoder, with cached keys and values (Radford et al., 2022)."""
    x = net.argument(1, 1, channels)
    before = [net.argument(1, heads, cached, channels // heads) for _ in range(2)]
    sound = [net.argument(1, heads, keys, channels // heads) for _ in range(2)]
    y = net.normed(x)
    q, k, v = (net.heads(net.dense(y, channels, bias=bias), heads) for bias in (True, False, True))
    y = net.attend(q, net.join(2, before[0], k), net.join(2, before[1], v))
    x = net.add(net.dense(y, channels), x)
    q = net.heads(net.dense(net.normed(x), channels), heads)
    x = net.add(net.dense(net.attend(q, *sound), channels), x)
    return net.add(net.mlp(net.normed(x), 4 * channels), x), k, v


def whisper_first(net, tokens, keys, channels=384, heads=6):
    """The first tokens through that layer: a causal mask; keys and values of the audio are computed, too."""
    x, sound = net.argument(1, tokens, channels), net.argument(1, keys, channels)
    y = net.normed(x)
    x = net.add(net.attention(y, y, y, heads, terms=[net.parameter([1, 1, tokens, tokens], 1)]), x)
    x = net.add(net.attention(net.normed(x), sound, sound, heads), x)
    return net.add(net.mlp(net.normed(x), 4 * channels), x)


def rotated(net, x, cosines, sines):
    """Rotary positions: halves of a head's channels turn into each other."""
    half = x.shape[-1] // 2
    first, second = net.cut(x, 3, 0, half), net.cut(x, 3, half, half)
    return net.add(net.mul(x, cosines), net.mul(net.join(3, net.act(second, "neg"), first), sines))


def grouped(net, x, heads, groups, width, bias=True):
    """Queries, keys and values with rotary positions: heads of a group are rows of one product."""
    tokens = x.shape[1]
    q, k, v = (net.heads(net.dense(x, n * width, bias=bias), n) for n in (heads, groups, groups))
    turns = [net.argument(1, 1, tokens, width) for _ in range(2)]
    q = net.reshape(rotated(net, q, *turns), [groups, heads // groups, tokens, width])
    k, v = (net.reshape(t, [groups, 1, tokens, width]) for t in (rotated(net, k, *turns), v))
    return q, k, v


def sinks(net, tokens, channels=2880, heads=64, groups=8, width=64):
    """Attention of gpt-oss-20b: one additional score (sink) for each head."""
    x, mask = net.argument(1, tokens, channels), net.argument(1, 1, tokens, tokens)
    q, k, v = grouped(net, net.normed(x, "rms_norm"), heads, groups, width)
    sink = net.parameter([groups, heads // groups, 1, 1], 1)
    scores = net.join(3, net.scores(q, k, [mask]), net.op("tile", [sink], [*q.shape[:3], 1], f"repeats = array<i64: 1, 1, {tokens}, 1>"))
    y = net.matmul(net.cut(net.softmax(scores), 3, 0, tokens), v)
    y = net.together(net.reshape(y, [1, heads, tokens, width]))
    return net.add(net.dense(y, channels), x)


def gemma(net, tokens, channels=2304, heads=8, groups=4, width=256, hidden=9216):
    """A layer of Gemma 2 2B: capped scores, norms before and after."""
    x, mask = net.argument(1, tokens, channels), net.argument(1, 1, tokens, tokens)
    q, k, v = grouped(net, net.normed(x, "rms_norm"), heads, groups, width, bias=False)
    capped = net.scaled(net.act(net.scaled(net.scores(q, k), 1 / 50), "tanh"), 50)
    y = net.matmul(net.softmax(net.add(capped, mask)), v)
    y = net.dense(net.together(net.reshape(y, [1, heads, tokens, width])), channels, bias=False)
    x = net.add(net.normed(y, "rms_norm"), x)
    y = net.normed(x, "rms_norm")
    y = net.mul(net.dense(y, hidden, "gelu_tanh", bias=False), net.dense(y, hidden, bias=False))
    return net.add(net.normed(net.dense(y, channels, bias=False), "rms_norm"), x)


def mamba(net, channels=768, states=16, rank=48, taps=4):
    """One token through a layer of Mamba 130M, and its next state (Gu and Dao, 2023)."""
    inner = 2 * channels
    x, window, state = net.argument(1, channels), net.argument(1, inner, taps), net.argument(1, inner, states)
    y = net.dense(net.normed(x, "rms_norm"), 2 * inner, bias=False)
    u, gate = net.cut(y, 1, 0, inner), net.cut(y, 1, inner, inner)
    window = net.join(2, net.cut(window, 2, 1, taps - 1), net.reshape(u, [1, inner, 1]))
    u = net.op("reduce sum", [net.mul(window, net.parameter([1, inner, taps], 0.5))], [1, inner, 1], "axes = array<i64: 2>")
    u = net.act(net.add(net.reshape(u, [1, inner]), net.parameter([1, inner], 0.05)), "silu")
    y = net.dense(u, rank + 2 * states, bias=False)
    step = net.act(net.dense(net.cut(y, 1, 0, rank), inner), "softplus")
    b, c = (net.reshape(net.cut(y, 1, first, states), [1, 1, states]) for first in (rank, rank + states))
    step, column = net.reshape(step, [1, inner, 1]), net.reshape(u, [1, inner, 1])
    decay = net.act(net.mul(step, net.parameter([1, inner, states], 0.5)), "exp")
    state = net.add(net.mul(state, decay), net.mul(net.mul(step, column), b))
    y = net.op("reduce sum", [net.mul(state, c)], [1, inner, 1], "axes = array<i64: 2>")
    y = net.add(net.reshape(y, [1, inner]), net.mul(u, net.parameter([1, inner], 0.5)))
    y = net.mul(y, net.act(gate, "silu"))
    return net.add(net.dense(y, channels, bias=False), x), window, state


# Images from noise --------------------------------------------------------


def residual(net, x, groups, time=None):
    """Two convolutions behind group norms; `time` is added to each channel between them."""
    y = net.conv(net.act(net.group_norm(x, groups), "silu"), x.shape[1], 3)
    if time:
        y = net.add(y, net.reshape(net.dense(net.act(time, "silu"), x.shape[1]), [*x.shape[:2], 1, 1]))
    return net.add(net.conv(net.act(net.group_norm(y, groups), "silu"), x.shape[1], 3), x)


def sd_block(net, side, channels, heads=8, groups=32, context=768, words=77, images=1):
    """A residual and a transformer block of Stable Diffusion 1.5's UNet (Rombach et al., 2022)."""
    x, time = net.argument(images, channels, side, side), net.argument(images, 4 * channels)
    text = net.argument(images, words, context)
    image = residual(net, x, groups, time)
    x = net.tokens(net.conv(net.group_norm(image, groups), channels, 1))
    y = net.normed(x)
    x = net.add(net.attention(y, y, y, heads), x)
    x = net.add(net.attention(net.normed(x), text, text, heads), x)
    y = net.dense(net.normed(x), 8 * channels)
    y = net.mul(net.cut(y, 2, 0, 4 * channels), net.act(net.cut(y, 2, 4 * channels, 4 * channels), "gelu"))
    x = net.add(net.dense(y, channels), x)
    return net.add(net.conv(net.planes(x, side, side), channels, 1), image)


def vae_block(net, side, channels=512, groups=32):
    """A residual block of the decoder of Stable Diffusion (Rombach et al., 2022)."""
    return residual(net, net.argument(1, channels, side, side), groups)


def vae_attention(net, side, channels=512, groups=32):
    """The attention in the middle of that decoder: one head."""
    x = net.argument(1, channels, side, side)
    y = net.tokens(net.group_norm(x, groups))
    return net.add(net.planes(net.attention(y, y, y, 1), side, side), x)


def dit(net, tokens, channels=1152, heads=16, blocks=2, images=1):
    """Blocks of DiT-XL/2, whose norms are scaled and shifted by the time (Peebles and Xie, 2022)."""
    x, time = net.argument(images, tokens, channels), net.argument(images, 1, channels)

    def modulated(x, shift, scale):
        one = net.add(scale, net.parameter([1, 1, 1], 0.5))
        return net.add(net.mul(net.plain_norm(x, 2), one), shift)

    for _ in range(blocks):
        numbers = net.dense(net.act(time, "silu"), 6 * channels)
        shift, scale, gate, shift2, scale2, gate2 = (net.cut(numbers, 2, i * channels, channels) for i in range(6))
        y = modulated(x, shift, scale)
        x = net.add(net.mul(net.attention(y, y, y, heads), gate), x)
        x = net.add(net.mul(net.mlp(modulated(x, shift2, scale2), 4 * channels, "gelu_tanh"), gate2), x)
    return x


def style(net, side, channels=32, blocks=5):
    """A network for one style, with instance norms (Johnson et al., 2016)."""
    x = net.instance_norm(net.conv(net.argument(1, 3, side, side), channels, 9), "relu")
    for factor in (2, 4):
        x = net.instance_norm(net.conv(x, factor * channels, 3, 2), "relu")
    for _ in range(blocks):
        y = net.instance_norm(net.conv(x, x.shape[1], 3), "relu")
        x = net.add(net.instance_norm(net.conv(y, x.shape[1], 3)), x)
    for factor in (2, 1):
        n, c, h, w = x.shape
        x = net.op("resize nearest", [x], [n, c, 2 * h, 2 * w], "half_pixel")
        x = net.instance_norm(net.conv(x, factor * channels, 3), "relu")
    return net.conv(x, 3, 9)


def yolo_neck(net, side, channels=(512, 256, 128)):
    """The upsampling path of YOLOv8 S's neck: each level is enlarged and concatenated to the next (Jocher et al., 2023)."""

    def block(x, width):
        y = net.conv(x, width, 1, act="silu")
        first, last = (net.cut(y, 1, i * width // 2, width // 2) for i in range(2))
        y = net.conv(net.conv(last, width // 2, 3, act="silu"), width // 2, 3, act="silu")
        return net.conv(net.join(1, first, last, y), width, 1, act="silu")

    x, results = net.argument(1, channels[0], side, side), []
    for width in channels[1:]:
        n, c, h, w = x.shape
        skip = net.argument(n, width, 2 * h, 2 * w)
        x = block(net.join(1, net.op("resize nearest", [x], [n, c, 2 * h, 2 * w], "half_pixel"), skip), width)
        results.append(x)
    return tuple(results)


# name -> how to build it, what it is given, and what it is given in tests
PARTS = {
    "encoder_s384": (encoder, {"tokens": 384}, {"tokens": 24, "channels": 64, "heads": 4}),
    "encoder_s1024": (encoder, {"tokens": 1024}, {"tokens": 40, "channels": 32, "heads": 2}),
    "encoder_s2048": (encoder, {"tokens": 2048}, {"tokens": 9, "channels": 32, "heads": 2}),
    "encoder_s128_batch_8": (encoder, {"tokens": 128, "images": 8}, {"tokens": 12, "channels": 32, "heads": 2, "images": 4}),
    "parakeet_layer": (conformer, {"frames": 375}, {"frames": 20, "channels": 32, "heads": 2}),
    "parakeet_subsampling": (subsampling, {"frames": 3000}, {"frames": 48, "bands": 16, "channels": 16, "width": 24}),
    "gemma_s256": (gemma, {"tokens": 256}, {"tokens": 24, "channels": 48, "heads": 4, "groups": 2, "width": 16, "hidden": 96}),
    "gpt_oss_attention_s128": (sinks, {"tokens": 128}, {"tokens": 24, "channels": 48, "heads": 4, "groups": 2, "width": 16}),
    "whisper_tiny_step": (whisper_step, {"cached": 447, "keys": 1500}, {"cached": 9, "keys": 40, "channels": 48, "heads": 3}),
    "whisper_tiny_first": (whisper_first, {"tokens": 4, "keys": 1500}, {"tokens": 4, "keys": 40, "channels": 48, "heads": 3}),
    "mamba_130m_step": (mamba, {}, {"channels": 32, "states": 8, "rank": 4}),
    "efficientnet_v2_mbconv": (mbconv, {"side": 48}, {"side": 8, "channels": 16, "width": 24}),
    "mixer_s16_layers": (mixer, {"tokens": 196, "layers": 8}, {"tokens": 20, "layers": 2, "channels": 32, "hidden": (16, 64)}),
    "segformer_b1_stage": (segformer, {"side": 64}, {"side": 16, "channels": 16, "ratio": 4}),
    "segformer_b1_head": (segformer_head, {"side": 128}, {"side": 16, "channels": (8, 16, 24, 32), "width": 16, "classes": 5}),
    "sam_window_block": (sam_block, {"side": 28}, {"side": 8, "size": 4, "channels": 32, "heads": 2}),
    "swin_tiny_blocks": (swin, {"side": 56}, {"side": 8, "size": 4, "channels": 24, "heads": 3}),
    "sam_mask_decoder": (sam_decoder, {"side": 64}, {"side": 8, "channels": 32, "heads": 4, "hidden": 64}),
    "sd_unet_block_32": (sd_block, {"side": 32, "channels": 640}, {"side": 8, "channels": 32, "heads": 2, "groups": 8, "context": 24, "words": 5}),
    "sd_unet_block_64": (sd_block, {"side": 64, "channels": 320}, {"side": 12, "channels": 16, "heads": 2, "groups": 4, "context": 16, "words": 7}),
    "sd_unet_block_16_pair": (sd_block, {"side": 16, "channels": 1280, "images": 2},
                              {"side": 8, "channels": 32, "heads": 2, "groups": 8, "context": 24, "words": 5, "images": 2}),
    "sd_vae_block_64": (vae_block, {"side": 64}, {"side": 10, "channels": 32, "groups": 8}),
    "sd_vae_block_128": (vae_block, {"side": 128}, {"side": 18, "channels": 16, "groups": 4}),
    "sd_vae_attention": (vae_attention, {"side": 64}, {"side": 8, "channels": 32, "groups": 8}),
    "dit_xl_blocks": (dit, {"tokens": 256}, {"tokens": 24, "channels": 48, "heads": 3}),
    "dit_xl_blocks_pair": (dit, {"tokens": 256, "images": 2}, {"tokens": 24, "channels": 48, "heads": 3, "images": 2}),
    "style_transfer": (style, {"side": 224}, {"side": 16, "channels": 8, "blocks": 2}),
    "yolo_v8_neck": (yolo_neck, {"side": 20}, {"side": 4, "channels": (256, 64, 32)}),
    "detr_decoder_layers": (detr, {"keys": 1064}, {"keys": 50, "queries": 12, "channels": 32, "heads": 4, "hidden": 64}),
}


def build(name, weights="splat", small=False):
    """The part of that name and its results."""
    make, sizes, test = PARTS[name]
    net = Part(name, weights)
    results = make(net, **((test or sizes) if small else sizes))
    return net, results if isinstance(results, tuple) else (results,)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--weights", choices=["splat", "arguments"], default="splat")
    parser.add_argument("-o", "--output", default="-")
    options = parser.parse_args()
    if options.list:
        print("\n".join(PARTS))
        return 0
    wrong = [name for name in options.names if name not in PARTS]
    if wrong or not options.names:
        name = wrong[0] if wrong else ""
        print(f"parts.py: error: no part is called '{name}', expected one of: {', '.join(PARTS)}", file=sys.stderr)
        return 1
    with sys.stdout if options.output == "-" else open(options.output, "w", encoding="utf-8") as file:
        for name in options.names:
            net, results = build(name, options.weights, options.small)
            net.write(file, *results)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"parts.py: error: {error}")
