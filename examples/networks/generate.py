#!/usr/bin/env python3
"""Write a network as TOSA, or an input for one as .npy.

  generate.py lenet|residual|resnet18 [--weights=arguments|inline] [--seed N] [-o FILE]
  generate.py image --shape 1x3x224x224 [--seed N] -o image.npy

The text looks like what exporters from PyTorch write: data and weights in NCHW
and OIHW, transposes around every NHWC op, batch norm spelled out in elementwise
ops. Topologies are the published ones; weights come from the seed.

--weights=arguments (the default) makes every parameter an argument of the
function behind the input; bind them with `ane-compile --bind 1-N=random:SEED`.
--weights=inline writes them into the file as resources.

Only the standard library of Python 3 is used.
"""

import argparse
import array
import math
import random
import statistics
import struct
import sys


class Numbers:
    """Random floats, fast: 16 random bits choose from a table of quantiles."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        normal = statistics.NormalDist()
        self.normal = [normal.inv_cdf((i + 0.5) / 65536) for i in range(65536)]

    def _draw(self, count, table):
        indices = array.array("H", self.random.getrandbits(16 * count).to_bytes(2 * count, "little"))
        if sys.byteorder == "big":
            indices.byteswap()
        values = array.array("f", map(table.__getitem__, indices))
        if sys.byteorder == "big":
            values.byteswap()
        return values.tobytes()

    def gaussian(self, count, deviation):
        return self._draw(count, [x * deviation for x in self.normal])

    def uniform(self, count, low, high):
        return self._draw(count, [low + (high - low) * i / 65536 for i in range(65536)])


class Tensor:
    def __init__(self, name, shape):
        self.name, self.shape = name, shape

    @property
    def type(self):
        return "tensor<" + "".join(f"{size}x" for size in self.shape) + "f32>"


def permute(shape, perm):
    return [shape[i] for i in perm]


class Network:
    """Collects the lines of one function; each method adds an op or a layer."""

    def __init__(self, name, input_shape, weights, seed):
        self.name, self.inline = name, weights == "inline"
        self.numbers = Numbers(seed)
        self.lines, self.resources, self.count = [], [], 0
        self.arguments = [Tensor("%image", input_shape)]
        self.image = self.arguments[0]

    # Values --------------------------------------------------------------

    def fresh(self, shape):
        self.count += 1
        return Tensor(f"%{self.count - 1}", list(shape))

    def op(self, mnemonic, operands, shape, attributes=""):
        result = self.fresh(shape)
        names = ", ".join(t.name for t in operands)
        types = ", ".join(t.type for t in operands)
        space = " " if attributes else ""
        self.lines.append(f"{result.name} = tosa.{mnemonic} {names}{space}{attributes} : ({types}) -> {result.type}")
        return result

    def splat(self, shape, value):
        result = self.fresh(shape)
        self.lines.append(
            f'{result.name} = "tosa.const"() <{{values = dense<{value:e}> : {result.type}}}> : () -> {result.type}'
        )
        return result

    def shape(self, sizes):
        name = self.fresh(sizes).name
        text = ", ".join(map(str, sizes))
        rank = len(sizes)
        self.lines.append(
            f"{name} = tosa.const_shape {{values = dense<[{text}]> : tensor<{rank}xindex>}} : () -> !tosa.shape<{rank}>"
        )
        return name, f"!tosa.shape<{rank}>"

    def parameter(self, name, shape, data):
        """A weight: `data` makes its bytes when they go into the file."""
        if not self.inline:
            self.arguments.append(Tensor(f"%{name}", shape))
            return self.arguments[-1]
        self.resources.append((name, data()))
        result = self.fresh(shape)
        self.lines.append(
            f'{result.name} = "tosa.const"() <{{values = dense_resource<{name}> : {result.type}}}> : () -> {result.type}'
        )
        return result

    def weight(self, name, shape):
        fan_in = math.prod(shape[1:])
        return self.parameter(
            name, shape, lambda: self.numbers.gaussian(math.prod(shape), math.sqrt(2 / fan_in))
        )

    def vector(self, name, shape, low=0.2, high=1.0):
        return self.parameter(name, shape, lambda: self.numbers.uniform(math.prod(shape), low, high))

    # Ops -----------------------------------------------------------------

    def transpose(self, x, perm):
        text = ", ".join(map(str, perm))
        return self.op("transpose", [x], permute(x.shape, perm), f"{{perms = array<i32: {text}>}}")

    def reshape(self, x, sizes):
        name, kind = self.shape(sizes)
        result = self.fresh(sizes)
        self.lines.append(f"{result.name} = tosa.reshape {x.name}, {name} : ({x.type}, {kind}) -> {result.type}")
        return result

    def crop(self, x, sizes):
        start, kind = self.shape([0] * len(sizes))
        size, _ = self.shape(sizes)
        result = self.fresh(sizes)
        self.lines.append(
            f"{result.name} = tosa.slice {x.name}, {start}, {size} : ({x.type}, {kind}, {kind}) -> {result.type}"
        )
        return result

    def binary(self, mnemonic, x, y):
        shape = [max(a, b) for a, b in zip(x.shape, y.shape)]
        if mnemonic != "mul":
            return self.op(mnemonic, [x, y], shape)
        shift = self.fresh([1]).name
        self.lines.append(f'{shift} = "tosa.const"() <{{values = dense<0> : tensor<1xi8>}}> : () -> tensor<1xi8>')
        result = self.fresh(shape)
        self.lines.append(
            f"{result.name} = tosa.mul {x.name}, {y.name}, {shift} : ({x.type}, {y.type}, tensor<1xi8>) -> {result.type}"
        )
        return result

    def relu(self, x):
        return self.op("clamp", [x], x.shape, "{min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32}")

    @staticmethod
    def fit(size, kernel, stride, pad):
        """TOSA wants windows that end at the border: the padding behind, and how
        many rows are cut off."""
        rest = (size + 2 * pad - kernel) % stride
        behind = pad - rest
        return max(behind, 0), max(-behind, 0)

    def window(self, mnemonic, x, extra, channels, kernel, stride, pad, attributes):
        """An NHWC op between transposes."""
        height, width = x.shape[2:]
        bottom, cut_bottom = self.fit(height, kernel, stride, pad)
        right, cut_right = self.fit(width, kernel, stride, pad)
        x = self.transpose(x, [0, 2, 3, 1])
        if cut_bottom or cut_right:
            x = self.crop(x, [x.shape[0], height - cut_bottom, width - cut_right, x.shape[3]])
        out = [
            (x.shape[1] + pad + bottom - kernel) // stride + 1,
            (x.shape[2] + pad + right - kernel) // stride + 1,
        ]
        text = (
            f"{{{attributes}, pad = array<i64: {pad}, {bottom}, {pad}, {right}>, "
            f"stride = array<i64: {stride}, {stride}>}}"
        )
        y = self.op(mnemonic, [x, *extra], [x.shape[0], *out, channels], text)
        return self.transpose(y, [0, 3, 1, 2])

    def conv(self, name, x, channels, kernel, stride=1, pad=0, bias=True):
        weight = self.weight(f"{name}.weight", [channels, x.shape[1], kernel, kernel])
        offset = self.vector(f"{name}.bias", [channels], -0.1, 0.1) if bias else self.splat([channels], 0.0)
        zero = self.splat([1], 0.0)
        weight = self.transpose(weight, [0, 2, 3, 1])
        return self.window(
            "conv2d", x, [weight, offset, zero, zero], channels, kernel, stride, pad,
            "acc_type = f32, dilation = array<i64: 1, 1>",
        )

    def max_pool(self, x, kernel, stride, pad=0):
        return self.window(
            "max_pool2d", x, [], x.shape[1], kernel, stride, pad, f"kernel = array<i64: {kernel}, {kernel}>"
        )

    def mean(self, x):
        """The mean of each plane."""
        zero = self.splat([1], 0.0)
        size = x.shape[2]
        return self.window(
            "avg_pool2d", x, [zero, zero], x.shape[1], size, 1, 0,
            f"acc_type = f32, kernel = array<i64: {size}, {size}>",
        )

    def batch_norm(self, name, x):
        """gamma * (x - mean) / sqrt(variance + epsilon) + beta."""
        channels = x.shape[1]
        column = [1, channels, 1, 1]
        mean = self.vector(f"{name}.mean", column, -0.3, 0.3)
        variance = self.vector(f"{name}.variance", [channels, 1, 1], 0.5, 1.5)
        gamma = self.vector(f"{name}.weight", column)
        beta = self.vector(f"{name}.bias", column, -0.3, 0.3)
        epsilon = self.splat([1, 1, 1], 1e-5)
        x = self.binary("sub", x, mean)
        variance = self.binary("add", variance, epsilon)
        factor = self.reshape(self.op("rsqrt", [variance], variance.shape), column)
        x = self.binary("mul", self.binary("mul", x, factor), gamma)
        return self.binary("add", x, beta)

    def linear(self, name, x, features):
        weight = self.weight(f"{name}.weight", [features, x.shape[1]])
        bias = self.vector(f"{name}.bias", [features], -0.1, 0.1)
        zero = self.splat([1], 0.0)
        weight = self.transpose(weight, [1, 0])
        rows = self.reshape(x, [1, *x.shape])
        matrix = self.reshape(weight, [1, *weight.shape])
        y = self.op("matmul", [rows, matrix, zero, zero], [1, x.shape[0], features])
        return self.binary("add", self.reshape(y, [x.shape[0], features]), self.reshape(bias, [1, features]))

    def flatten(self, x):
        return self.reshape(x, [x.shape[0], math.prod(x.shape[1:])])

    # Text ----------------------------------------------------------------

    def write(self, file, result):
        # Parameters have dots in their names, which arguments may have as well.
        arguments = ", ".join(f'{t.name}: {t.type} {{ane.name = "{t.name[1:]}"}}' for t in self.arguments)
        file.write(f"// {self.name}, written by examples/networks/generate.py.\n")
        file.write("module {\n")
        file.write(f'  func.func @{self.name}({arguments}) -> ({result.type} {{ane.name = "scores"}}) {{\n')
        for line in self.lines:
            file.write(f"    {line}\n")
        file.write(f"    return {result.name} : {result.type}\n  }}\n}}\n")
        if not self.resources:
            return
        file.write("{-#\n  dialect_resources: {\n    builtin: {\n")
        for i, (name, data) in enumerate(self.resources):
            # The first four bytes are the alignment.
            end = "," if i + 1 < len(self.resources) else ""
            file.write(f'      "{name}": "0x{struct.pack("<I", 4).hex()}')
            file.write(data.hex())
            file.write(f'"{end}\n')
        file.write("    }\n  }\n#-}\n")


# Networks -----------------------------------------------------------------


def lenet(weights, seed):
    """LeNet-5 with rectifiers, for 28 x 28 digits."""
    net = Network("lenet", [1, 1, 28, 28], weights, seed)
    x = net.max_pool(net.relu(net.conv("conv1", net.image, 6, 5, pad=2)), 2, 2)
    x = net.max_pool(net.relu(net.conv("conv2", x, 16, 5)), 2, 2)
    x = net.relu(net.linear("fc1", net.flatten(x), 120))
    x = net.relu(net.linear("fc2", x, 84))
    return net, net.linear("fc3", x, 10)


def basic_block(net, name, x, channels, stride):
    """Two 3 x 3 convolutions and a shortcut (He et al., 2015)."""
    y = net.conv(f"{name}.conv1", x, channels, 3, stride, 1, bias=False)
    y = net.relu(net.batch_norm(f"{name}.bn1", y))
    y = net.conv(f"{name}.conv2", y, channels, 3, 1, 1, bias=False)
    y = net.batch_norm(f"{name}.bn2", y)
    if stride != 1 or x.shape[1] != channels:
        x = net.conv(f"{name}.down", x, channels, 1, stride, 0, bias=False)
        x = net.batch_norm(f"{name}.downbn", x)
    return net.relu(net.binary("add", y, x))


def residual(weights, seed):
    """A small network with batch norm and shortcuts, for 32 x 32 images."""
    net = Network("residual", [1, 3, 32, 32], weights, seed)
    x = net.relu(net.batch_norm("bn", net.conv("conv", net.image, 16, 3, 1, 1, bias=False)))
    x = basic_block(net, "block1", x, 16, 1)
    x = basic_block(net, "block2", x, 32, 2)
    return net, net.linear("fc", net.flatten(net.mean(x)), 10)


def resnet18(weights, seed):
    """ResNet-18 for 224 x 224 images."""
    net = Network("resnet18", [1, 3, 224, 224], weights, seed)
    x = net.relu(net.batch_norm("bn1", net.conv("conv1", net.image, 64, 7, 2, 3, bias=False)))
    x = net.max_pool(x, 3, 2, 1)
    for stage, channels in enumerate([64, 128, 256, 512]):
        for block in range(2):
            stride = 2 if stage > 0 and block == 0 else 1
            x = basic_block(net, f"layer{stage + 1}.{block}", x, channels, stride)
    return net, net.linear("fc", net.flatten(net.mean(x)), 1000)


NETWORKS = {"lenet": lenet, "residual": residual, "resnet18": resnet18}


def write_image(path, shape, seed):
    """Standard normal f32 in version 1 of the .npy format."""
    sizes = [int(size) for size in shape.split("x")]
    data = Numbers(seed).gaussian(math.prod(sizes), 1.0)
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({', '.join(map(str, sizes))},), }}"
    header = header.ljust(-(len(header) + 11) % 64 + len(header)) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def shape(text):
    if not all(size.isdecimal() and int(size) > 0 for size in text.split("x")):
        raise argparse.ArgumentTypeError(f"'{text}' is no shape, expected sizes such as 1x3x224x224")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=[*NETWORKS, "image"], help="a network, or an input for one")
    parser.add_argument("--weights", choices=["arguments", "inline"], default="arguments")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shape", type=shape, help="of the image, as 1x3x224x224")
    parser.add_argument("-o", "--output", default="-")
    options = parser.parse_args()
    if options.what == "image":
        if not options.shape or options.output == "-":
            parser.error("an image needs --shape and -o")
        return write_image(options.output, options.shape, options.seed)
    net, result = NETWORKS[options.what](options.weights, options.seed)
    if options.output == "-":
        return net.write(sys.stdout, result)
    with open(options.output, "w") as file:
        net.write(file, result)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"generate.py: error: {error}")
