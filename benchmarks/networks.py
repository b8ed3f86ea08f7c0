#!/usr/bin/env python3
"""Write published networks as functions of `ane` ops in f16.

  networks.py --list
  networks.py NAME...|--all [--weights=splat|arguments] [-o FILE]
  networks.py --check shapes.json

--weights=splat (the default) makes each parameter a constant of one value, another one for
each, so that files are small, nothing folds, and no two parameters become one.
--weights=arguments makes them arguments behind the input; bind them with
`ane-compile --bind 1-N=random:SEED`, where N is what the first line of the file says.

NAME@1x3x512x512 is the network for an input of another size or batch.

Besides the networks there are probes, single layers that show one limit of the engine each,
and, for the time that a compiler takes, chain-64 (that many convolutions in a row),
branches-64 (that many elementwise ops side by side, summed up as a tree), sums-64 (one after
the other), shared-64 (ops that all read the input) and layouts-64 (functions with a reshape
in front of each).

--check compares the layers with those of a file of shape lists and says what differs.

Graphs are those of the papers: shortcuts, skip connections, attention with softmax and
norms. Batch norms are taken as folded into weight and bias. Masks, rotary and position
embeddings are left out: the published lists of shapes do not have them.
"""

import argparse
import functools
import json
import math
import re
import sys


class Tensor:
    def __init__(self, name, shape):
        self.name, self.shape = name, list(shape)

    @property
    def type(self):
        return "tensor<" + "".join(f"{size}x" for size in self.shape) + "f16>"


class Network:
    """Collects the lines of one function and, beside them, its list of layers."""

    def __init__(self, name, input_shape, weights="splat"):
        self.name, self.weights = name, weights
        self.input = Tensor("%input", input_shape)
        self.inputs, self.parameters, self.lines, self.layers, self.count = [self.input], [], [], [], 0

    # Values --------------------------------------------------------------

    def op(self, text, operands, shape, attributes=""):
        """`text` is the mnemonic, with a kind behind it where the op has one."""
        result = Tensor(f"%{self.count}", shape)
        self.count += 1
        names = ", ".join(t.name for t in operands)
        types = ", ".join(t.type for t in operands)
        attributes = f" {{{attributes}}}" if attributes else ""
        self.lines.append(f"{result.name} = ane.{text} {names}{attributes} : {types} -> {result.type}")
        return result

    def parameter(self, shape, scale):
        index = len(self.parameters)
        result = Tensor(f"%p{index}", shape)
        self.parameters.append(result)
        if self.weights == "splat":
            # Eleven bits of mantissa keep a thousand of them apart.
            value = scale * (1 + index % 1000 / 1024)
            self.lines.append(f"{result.name} = ane.constant dense<{value:.6e}> : {result.type}")
        return result

    def record(self, kind, x, cout, kernel=(1, 1), stride=1, groups=1):
        """A layer as shape lists have it: with the size of its input."""
        self.layers.append((kind, x.shape[1], cout, x.shape[2], x.shape[3], *kernel, stride, groups))

    # Layers --------------------------------------------------------------

    def conv(self, x, channels, kernel, stride=1, groups=1, act=None, listed=None):
        """A convolution with bias whose windows are centred."""
        kh, kw = kernel if isinstance(kernel, tuple) else (kernel, kernel)
        n, cin, h, w = x.shape
        self.record("conv", listed or x, channels, (kh, kw), stride, groups)
        sh, sw = (1 if h == 1 else stride), stride
        pads = []
        for size, k, s in ((h, kh, sh), (w, kw, sw)):
            before = (k - 1) // 2
            out = -(-size // s)
            pads += [before, max(0, (out - 1) * s + k - size - before)]
        weight = self.parameter([channels, cin // groups, kh, kw], math.sqrt(2 / (cin // groups * kh * kw)) / 2)
        bias = self.parameter([channels], 0.05)
        attributes = []
        if act:
            attributes.append(f"activation = #ane.act<{act}>")
        if groups > 1:
            attributes.append(f"groups = {groups} : i64")
        if any(pads):
            attributes.append(f"pad = array<i64: {', '.join(map(str, pads))}>")
        if sh > 1 or sw > 1:
            attributes.append(f"strides = array<i64: {sh}, {sw}>")
        shape = [n, channels, -(-h // sh), -(-w // sw)]
        return self.biased("conv", x, weight, bias, shape, attributes)

    def biased(self, mnemonic, x, weight, bias, shape, attributes):
        result = Tensor(f"%{self.count}", shape)
        self.count += 1
        text = f" {{{', '.join(attributes)}}}" if attributes else ""
        self.lines.append(f"{result.name} = ane.{mnemonic} {x.name}, {weight.name} bias {bias.name}{text} : "
                          f"{x.type}, {weight.type}, {bias.type} -> {result.type}")
        return result

    def double(self, x, channels):
        """A transposed convolution that doubles the image."""
        n, cin, h, w = x.shape
        self.record("deconv", x, channels, (2, 2), 2)
        weight = self.parameter([cin, channels, 2, 2], math.sqrt(1 / cin))
        bias = self.parameter([channels], 0.05)
        return self.biased("conv_transpose", x, weight, bias, [n, channels, 2 * h, 2 * w],
                           ["strides = array<i64: 2, 2>"])

    def max_pool(self, x, kernel, stride, pad):
        n, c, h, w = x.shape
        self.record("pool", x, c, (kernel, kernel), stride)
        size = [(s + 2 * pad - kernel) // stride + 1 for s in (h, w)]
        text = (f"kernel = array<i64: {kernel}, {kernel}>, pad = array<i64: {pad}, {pad}, {pad}, {pad}>, "
                f"strides = array<i64: {stride}, {stride}>")
        return self.op("pool max", [x], [n, c, *size], text)

    def mean(self, x):
        self.record("gap", x, x.shape[1], tuple(x.shape[2:]))
        return self.op("reduce mean", [x], [*x.shape[:2], 1, 1], "axes = array<i64: 2, 3>")

    def binary(self, kind, x, y, act=None):
        self.record("mul" if kind == "mul" else "add", x, x.shape[1])
        return self.op(f"elementwise {kind}", [x, y], x.shape, f"activation = #ane.act<{act}>" if act else "")

    def concat(self, x, y):
        n, c, h, w = x.shape
        both = Tensor("", [n, c + y.shape[1], h, w])
        self.record("concat", both, both.shape[1])
        return self.op("concat", [x, y], both.shape, "axis = 1 : i64")

    def act(self, x, function):
        return self.op("activation", [x], x.shape, f"function = #ane.act<{function}>")

    def reshape(self, x, shape):
        return x if x.shape == list(shape) else self.op("reshape", [x], shape)

    def transpose(self, x, perm):
        return self.op("transpose", [x], [x.shape[i] for i in perm], f"perm = array<i64: {', '.join(map(str, perm))}>")

    def linear(self, x, features, act=None):
        """A fully connected layer on all elements of x."""
        images, inputs = x.shape[0], math.prod(x.shape[1:])
        self.record("conv", Tensor("", [images, inputs, 1, 1]), features)
        flat = self.reshape(x, [images, inputs])
        weight = self.parameter([features, inputs], math.sqrt(2 / inputs) / 2)
        bias = self.parameter([1, features], 0.05)
        y = self.op("matmul", [flat, weight], [images, features], "transpose_rhs")
        return self.op("elementwise add", [y, bias], y.shape, f"activation = #ane.act<{act}>" if act else "")

    def shuffle(self, x):
        """Four channels become a block of 2 x 2 pixels of one."""
        n, c, h, w = x.shape
        self.record("d2s", x, c // 4)
        d = c // 4
        x = self.transpose(self.reshape(x, [n, d * 2, 2, h, w]), [0, 1, 3, 4, 2])
        x = self.transpose(self.reshape(x, [n, d, 2, h, w * 2]), [0, 1, 3, 2, 4])
        return self.reshape(x, [n, d, 2 * h, 2 * w])

    # Transformers: tokens are columns ------------------------------------

    def norm(self, x, kind, axis=1):
        self.record("norm", x, x.shape[1])
        gamma = self.parameter([x.shape[axis]], 0.5)
        beta = self.parameter([x.shape[axis]], 0.05) if kind == "layer_norm" else None
        operands, types = f"{x.name} gamma {gamma.name}", f"{x.type} gamma {gamma.type}"
        if beta:
            operands, types = f"{operands} beta {beta.name}", f"{types} beta {beta.type}"
        result = Tensor(f"%{self.count}", x.shape)
        self.count += 1
        self.lines.append(f"{result.name} = ane.{kind} {operands} {{axes = array<i64: {axis}>, epsilon = 1.0e-5 : f32}} : "
                          f"{types} -> {result.type}")
        return result

    def scaled(self, x, factor):
        one = Tensor(f"%f{self.count}", [1] * len(x.shape))
        self.lines.append(f"{one.name} = ane.constant dense<{factor:.6e}> : {one.type}")
        return self.op("elementwise mul", [x, one], x.shape)

    def attention(self, x, heads, groups, width):
        """`groups` heads of keys and values, each for heads / groups of queries."""
        images, tokens = x.shape[0], x.shape[3]
        rows = [images * groups, heads // groups, width, tokens]
        q = self.reshape(self.scaled(self.conv(x, heads * width, 1), width**-0.5), rows)
        k = self.reshape(self.conv(x, groups * width, 1), [images * groups, 1, width, tokens])
        v = self.reshape(self.conv(x, groups * width, 1), [images * groups, 1, width, tokens])
        if groups == heads:  # all heads in one image
            q, k, v = (self.reshape(t, [images, heads, width, tokens]) for t in (q, k, v))
        # In lists: heads, rows, inner dimension, columns.
        self.layers.append(("matmul", heads, tokens, width, tokens, 1, 1, 1, 1))
        scores = self.op("matmul", [q, k], [*q.shape[:2], tokens, tokens], "transpose_lhs")
        self.layers.append(("softmax", heads, heads, tokens, tokens, 1, 1, 1, 1))
        weights = self.op("softmax", [scores], scores.shape, "axis = 3 : i64")
        self.layers.append(("matmul", heads, tokens, tokens, width, 1, 1, 1, 1))
        mixed = self.op("matmul", [v, weights], [*q.shape[:2], width, tokens], "transpose_rhs")
        return self.reshape(mixed, [images, heads * width, 1, tokens])

    def block(self, x, heads, hidden, groups=None, gated=False):
        """A transformer block with norms in front; `gated` as in Llama."""
        width, kind = x.shape[1], "rms_norm" if gated else "layer_norm"
        y = self.attention(self.norm(x, kind), heads, groups or heads, width // heads)
        x = self.binary("add", self.conv(y, width, 1), x)
        y = self.norm(x, kind)
        if gated:
            gate = self.conv(y, hidden, 1, act="silu")
            y = self.binary("mul", gate, self.conv(y, hidden, 1))
        else:
            y = self.conv(y, hidden, 1, act="gelu")
        return self.binary("add", self.conv(y, width, 1), x)

    # Text ----------------------------------------------------------------

    def bound(self):
        """The numbers of its arguments that are weights, as --bind has them."""
        return f"{len(self.inputs)}-{len(self.inputs) + len(self.parameters) - 1}"

    def write(self, file, *results):
        arguments = [f'{t.name}: {t.type} {{ane.name = "{t.name[1:]}"}}' for t in self.inputs]
        if self.weights == "arguments":
            arguments += [f"{t.name}: {t.type}" for t in self.parameters]
        bind = f"; bind {self.bound()}" if self.weights == "arguments" else ""
        file.write(f"// {self.name}, written by benchmarks/networks.py{bind}\n")
        name = re.sub(r"\W", "_", self.name)
        types = [f'{t.type} {{ane.name = "output{i or ""}"}}' for i, t in enumerate(results)]
        file.write(f"func.func @{name}({', '.join(arguments)}) -> ({', '.join(types)}) {{\n")
        for line in self.lines:
            file.write(f"  {line}\n")
        file.write(f"  return {', '.join(t.name for t in results)} : {', '.join(t.type for t in results)}\n}}\n")


# Networks -----------------------------------------------------------------


def mobilenetv2(net):
    """Sandler et al., 2018."""
    x = net.conv(net.input, 32, 3, 2, act="clamp, 0.0, 6.0")
    stages = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
    for expansion, channels, repeats, first in stages:
        for i in range(repeats):
            stride, source = (first if i == 0 else 1), x
            wide = x.shape[1] * expansion
            if expansion > 1:
                x = net.conv(x, wide, 1, act="clamp, 0.0, 6.0")
            x = net.conv(x, wide, 3, stride, groups=wide, act="clamp, 0.0, 6.0")
            x = net.conv(x, channels, 1)
            if stride == 1 and source.shape == x.shape:
                x = net.binary("add", x, source)
    return net.linear(net.mean(net.conv(x, 1280, 1, act="clamp, 0.0, 6.0")), 1000)


def resnet50(net):
    """He et al., 2015, with the stride in the 3x3 convolution."""
    x = net.max_pool(net.conv(net.input, 64, 7, 2, act="relu"), 3, 2, 1)
    for width, repeats, first in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
        for i in range(repeats):
            stride = first if i == 0 else 1
            y = net.conv(x, width, 1, act="relu")
            y = net.conv(y, width, 3, stride, act="relu")
            y = net.conv(y, 4 * width, 1)
            if i == 0:
                x = net.conv(x, 4 * width, 1, stride)
            x = net.binary("add", y, x, act="relu")
    return net.linear(net.mean(x), 1000)


def vgg16(net):
    """Simonyan and Zisserman, 2014."""
    x = net.input
    for channels, repeats in [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)]:
        for _ in range(repeats):
            x = net.conv(x, channels, 3, act="relu")
        x = net.max_pool(x, 2, 2, 0)
    return net.linear(net.linear(net.linear(x, 4096, "relu"), 4096, "relu"), 1000)


def unet(net, base=32):
    """Ronneberger et al., 2015, with padded convolutions."""
    x, skips = net.input, []
    for channels in [base, 2 * base, 4 * base, 8 * base]:
        x = net.conv(net.conv(x, channels, 3, act="relu"), channels, 3, act="relu")
        skips.append(x)
        x = net.max_pool(x, 2, 2, 0)
    x = net.conv(net.conv(x, 16 * base, 3, act="relu"), 16 * base, 3, act="relu")
    for skip in reversed(skips):
        channels = skip.shape[1]
        x = net.concat(skip, net.double(x, channels))
        x = net.conv(net.conv(x, channels, 3, act="relu"), channels, 3, act="relu")
    return net.conv(x, 2, 1)


def espcn(net):
    """Shi et al., 2016."""
    x = net.conv(net.input, 64, 5, act="tanh")
    x = net.conv(x, 32, 3, act="tanh")
    return net.shuffle(net.conv(x, 4, 3))


def srgan(net):
    """The generator of Ledig et al., 2017."""
    first = x = net.conv(net.input, 64, 9, act="leaky_relu, 0.25")
    for _ in range(16):
        x = net.binary("add", net.conv(net.conv(x, 64, 3, act="leaky_relu, 0.25"), 64, 3), x)
    x = net.binary("add", net.conv(x, 64, 3), first)
    for _ in range(2):
        x = net.act(net.shuffle(net.conv(x, 256, 3)), "leaky_relu, 0.25")
    return net.conv(x, 3, 9)


def whisper(net):
    """The encoder of Radford et al., 2022: 30 seconds of sound."""
    x = net.conv(net.input, 384, (1, 3), act="gelu")
    x = net.conv(x, 384, (1, 3), 2, act="gelu")
    for _ in range(4):
        x = net.block(x, 6, 1536)
    return x


def block(heads, hidden, **options):
    return lambda net: net.block(net.input, heads, hidden, **options)


# name -> shape of the input, how to build it
NETWORKS = {
    "mobilenetv2_224": ([1, 3, 224, 224], mobilenetv2),
    "resnet50_224": ([1, 3, 224, 224], resnet50),
    "vgg16_224": ([1, 3, 224, 224], vgg16),
    "unet_256_b32": ([1, 3, 256, 256], unet),
    "espcn_x2_270x480": ([1, 1, 270, 480], espcn),
    "srgan_x4_96": ([1, 3, 96, 96], srgan),
    "vit_b16_block_s197": ([1, 768, 1, 197], block(12, 3072)),
    "bert_base_block_s128": ([1, 768, 1, 128], block(12, 3072)),
    "bert_base_block_s384": ([1, 768, 1, 384], block(12, 3072)),
    "stories110m_block_s256": ([1, 768, 1, 256], block(12, 2048, gated=True)),
    "qwen2.5_0.5b_block_s256": ([1, 896, 1, 256], block(14, 4864, groups=2, gated=True)),
    "qwen2.5_0.5b_block_decode1": ([1, 896, 1, 1], block(14, 4864, groups=2, gated=True)),
    "whisper_tiny_encoder": ([1, 80, 1, 3000], whisper),
}


def chain(net, count):
    x = net.input
    for _ in range(count):
        x = net.conv(x, x.shape[1], 3, act="relu")
    return x


def branches(net, count):
    """One value, many functions of it, and their sum as a tree."""
    values = [net.binary("max", net.input, net.parameter([1, net.input.shape[1], 1, 1], 0.01)) for _ in range(count)]
    while len(values) > 1:
        values = [net.binary("add", *values[i : i + 2]) for i in range(0, len(values), 2)]
    return values[0]


def sums(net, count):
    """Many functions of one value, all of which wait for their sum."""
    values = [net.binary("max", net.input, net.parameter([1, net.input.shape[1], 1, 1], 0.01)) for _ in range(count)]
    return functools.reduce(lambda x, y: net.binary("add", x, y), values)


def shared(net, count):
    """All ops read the same value, beside the one before."""
    return functools.reduce(lambda x, i: net.binary(("add", "max")[i % 2], x, net.input), range(count), net.input)


def layouts(net, count):
    """Each function has the other layout than the one before."""
    x, (n, c, h, w) = net.input, net.input.shape
    for i in range(count):
        x = net.act(net.reshape(x, ([n, c, h, w], [n, 2 * c, h // 2, w])[(i + 1) % 2]), ("tanh", "sigmoid")[i % 2])
    return net.reshape(x, [n, c, h, w])


# What a compiler's time is measured with: kind -> what makes so many ops of it.
GROWING = {"chain": chain, "branches": branches, "sums": sums, "shared": shared, "layouts": layouts}


# Layers with one limit each: name -> as above. More coefficients than the buffer of an engine
# has for a pass of all channels; than it has for one channel; a wide window; many branches.
PROBES = {
    "probe_conv3x3_c1024": ([1, 1024, 64, 64], lambda net: net.conv(net.input, 1024, 3)),
    "probe_conv7x7_c1024": ([1, 1024, 64, 64], lambda net: net.conv(net.input, 1024, 7)),
    "probe_conv1x9_c256": ([1, 256, 16, 32], lambda net: net.conv(net.input, 256, (1, 9))),
    "probe_branches_256": ([1, 16, 32, 32], lambda net: branches(net, 256)),
}


def build(name, weights="splat"):
    """The network of that name and its result; None when there is none. A size that no image has is a ValueError."""
    base, _, size = name.partition("@")
    if base in NETWORKS or base in PROBES:
        shape, make = NETWORKS.get(base) or PROBES[base]
        if size:
            own, shape = shape, [int(extent) if extent.isdecimal() else 0 for extent in size.split("x")]
            if len(shape) != 4 or 0 in shape:
                raise ValueError(f"'{size}' is no size of an input, expected four numbers from 1 on: batch, channels, "
                                 f"rows and columns, as {'x'.join(map(str, own))}")
        net = Network(name, shape, weights)
        return net, make(net)
    kind, _, count = name.partition("-")
    if kind in GROWING and count.isdecimal() and int(count) > 0:
        net = Network(name, [1, 16, 32, 32], weights)
        return net, GROWING[kind](net, int(count))
    return None


def macs(net):
    """Products of its layers: those of the engines, those of depthwise convolutions."""
    plain = depthwise = 0
    for kind, cin, cout, h, w, kh, kw, stride, groups in net.layers:
        if kind == "matmul":
            plain += cin * cout * h * w
        elif kind in ("conv", "deconv"):
            rows = -(-h // stride) if h > 1 and kind == "conv" else h
            columns = -(-w // stride) if kind == "conv" else w
            count = cin // groups * cout * kh * kw * rows * columns
            if groups > 1:
                depthwise += count
            else:
                plain += count
    return plain, depthwise


def check(path):
    """What differs between the layers here and the lists in a file."""
    with open(path, encoding="utf-8") as file:
        lists = json.load(file)
    keys = ("kind", "cin", "cout", "h", "w", "kh", "kw", "stride", "groups")
    errors = [f"{name} is in {path}, but not here" for name in lists if name not in NETWORKS]
    for name in NETWORKS:
        if name not in lists:
            errors.append(f"{name} is not in {path}")
            continue
        ours = build(name)[0].layers
        theirs = [tuple(layer[key] for key in keys) for layer in lists[name]]
        if len(ours) != len(theirs):
            errors.append(f"{name} has {len(ours)} layers, but {len(theirs)} in {path}")
        for i, (one, other) in enumerate(zip(ours, theirs)):
            if one != other:
                errors.append(f"{name}: layer {i} is {one}, but {other} in {path}")
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", metavar="FILE")
    parser.add_argument("--weights", choices=["splat", "arguments"], default="splat")
    parser.add_argument("-o", "--output", default="-")
    options = parser.parse_args()
    if options.list:
        print("\n".join([*NETWORKS, *PROBES]))
        return 0
    if options.check:
        errors = check(options.check)
        print("\n".join(errors) or f"{len(NETWORKS)} networks agree")
        return 1 if errors else 0
    names = list(NETWORKS) if options.all else options.names
    try:
        made = [build(name, options.weights) for name in names]
    except ValueError as error:
        print(f"networks.py: error: {error}", file=sys.stderr)
        return 1
    if not names or None in made:
        name = names[made.index(None)] if names else ""
        print(f"networks.py: error: no network is called '{name}', expected one of: "
              f"{', '.join([*NETWORKS, *PROBES, *(kind + '-N' for kind in GROWING)])}", file=sys.stderr)
        return 1
    with sys.stdout if options.output == "-" else open(options.output, "w", encoding="utf-8") as file:
        for net, result in made:
            net.write(file, result)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"networks.py: error: {error}")
