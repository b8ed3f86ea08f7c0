"""The programs of the kit for owners of a machine, from the safest to the riskiest (device_kit.py builds it).

A probe is a network, its inputs, and either results that every hypothesis agrees on (a rung of the ladder), or
an open fact (include/ane/Simulator/Assumptions.def) whose values have different results. `needs` has the facts
without which the result says nothing; a probe before it must tell them.
"""
import dataclasses
from typing import Dict, List, Optional, Sequence, Tuple


@dataclasses.dataclass
class Probe:
    name: str
    says: str  # what it runs, for people
    net: str  # IR of the ane dialect: one function
    inputs: List[List[float]]  # of one run
    constants: Dict[int, Tuple[Sequence[int], List[float]]] = dataclasses.field(default_factory=dict)  # by argument
    fact: Optional[str] = None
    needs: Tuple[str, ...] = ()
    tolerance: float = 0.0  # of the largest result
    second: Optional[List[List[float]]] = None  # inputs of a second run
    targets: Sequence[str] = ("h13", "h14")
    mil: bool = True  # means the same where macOS compiles it
    flavour: str = "clean"
    measures: Optional[dict] = None  # what its time is of, in columns of the table of measurements


def tensor(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "f16>"


def function(arguments, result, *lines):
    """Arguments %0, %1, ... of these shapes; lines define %a, %b, ...; the last value is the result."""
    declared = ", ".join(f"%{index}: {tensor(shape)}" for index, shape in enumerate(arguments))
    names = [f"%{chr(ord('a') + index)}" for index in range(len(lines))]
    body = "".join(f"  {name} = {line}\n" for name, line in zip(names, lines))
    return f"func.func @net({declared}) -> {tensor(result)} {{\n{body}  return {names[-1]} : {tensor(result)}\n}}\n"


def op(text, operands, result):
    return f"{text} : {', '.join(tensor(shape) for shape in operands)} -> {tensor(result)}"


def size(shape):
    product = 1
    for each in shape:
        product *= each
    return product


def integers(shape, seed, low=-3, high=3):
    """Whole numbers, from a generator of our own: the same everywhere."""
    state, values = seed * 2654435761 % 2**32 or 1, []
    for _ in range(size(shape)):
        state = (1664525 * state + 1013904223) % 2**32
        values.append(float(low + (state >> 16) % (high - low + 1)))
    return values


def ramp(shape, low, high):
    count = size(shape)
    return [low + (high - low) * index / (count - 1) for index in range(count)]


def conv(x, w, y, attributes="", bias=False):
    operands = [x, w] + ([(w[0],)] if bias else [])
    return op(f"ane.conv %0, %1{' bias %2' if bias else ''}{f' {{{attributes}}}' if attributes else ''}", operands, y)


def plain_conv(name, says, x, w, y, attributes="", most=3, **more):
    """Of whole numbers of at most `most`."""
    groups = x[1] // w[1]
    measures = {"op": "dwconv" if groups == x[1] else "conv", "cin": x[1], "cout": w[0], "h": x[2], "w": x[3], "kh": w[2],
                "kw": w[3], "stride": round(x[3] / y[3]), "groups": groups}
    return Probe(name, says, function([x, w], y, conv(x, w, y, attributes)), [integers(x, 1, -most, most)],
                 {1: (w, integers(w, 2, -min(most, 2), min(most, 2)))}, measures=measures, **more)


def pair(name, says, kind, shape=(1, 8, 16, 16)):
    return Probe(name, says, function([shape, shape], shape, op(f"ane.elementwise {kind} %0, %1", [shape, shape], shape)),
                 [integers(shape, 1), integers(shape, 2)])


def lone(name, says, text, shape, result, values, **more):
    return Probe(name, says, function([shape], result, op(text, [shape], result)), [values], **more)


def sum_of(name, says, terms, weights, fact):
    """Products of one pixel, added up over channels: row i of `terms` and `weights` is channel i of the result."""
    channels, inputs = len(weights), len(terms)
    x, w, y = (1, inputs, 1, 1), (channels, inputs, 1, 1), (1, channels, 1, 1)
    return Probe(name, says, function([x, w], y, conv(x, w, y)), [terms], {1: (w, [v for row in weights for v in row])},
                 fact=fact)


IMAGE = (1, 8, 16, 16)
SMALL = (1, 16, 8, 8)


def first_rungs():
    """One task each, of kinds that are reported to have run under Linux."""
    yield pair("add", "the sum of two tensors", "add")
    yield pair("multiply", "the product of two tensors", "mul")
    yield pair("maximum", "the larger of two tensors", "max")
    yield lone("relu", "an activation", "ane.activation %0 {function = #ane.act<relu>}", IMAGE, IMAGE, integers(IMAGE, 1))
    yield lone("copy", "rows and columns of a tensor", "ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 8, "
               "8, 16>, strides = array<i64: 1, 1, 1, 1>}", IMAGE, (1, 8, 8, 16), integers(IMAGE, 1))
    yield plain_conv("conv-1x1", "a convolution of one pixel", SMALL, (16, 16, 1, 1), SMALL)
    x, w = SMALL, (16, 16, 1, 1)
    yield Probe("conv-bias", "a convolution with bias and relu",
                function([x, w, (16,)], x, conv(x, w, x, "activation = #ane.act<relu>", bias=True)),
                [integers(x, 1)], {1: (w, integers(w, 2, -2, 2)), 2: ((16,), integers((16,), 3, -8, 8))})
    yield plain_conv("conv-3x3", "a convolution with padding", SMALL, (16, 16, 3, 3), SMALL, "pad = array<i64: 1, 1, 1, 1>")
    yield plain_conv("depthwise-3x3", "a channel at a time", IMAGE, (8, 1, 3, 3), IMAGE,
                     "groups = 8 : i64, pad = array<i64: 1, 1, 1, 1>")
    yield plain_conv("conv-groups", "a convolution of two groups", SMALL, (16, 8, 3, 3), SMALL,
                     "groups = 2 : i64, pad = array<i64: 1, 1, 1, 1>")
    yield plain_conv("conv-many", "a convolution with several passes of coefficients", (1, 16, 16, 16), (320, 16, 1, 1),
                     (1, 320, 16, 16))
    yield plain_conv("conv-small-stride2", "a stream that omits zeros, of a small image", SMALL, (16, 16, 3, 3), (1, 16, 4, 4),
                     "pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>")


def arithmetic():
    """Single tasks whose results tell how numbers are rounded."""
    few = [2.0**-9] * 64
    yield sum_of("sums", "4096 and ones; many small products", [4096.0] + [1.0] * 1024 + few,
                 [[1.0] * 1025 + [0.0] * 64, [0.0] * 1025 + few], "sums")
    yield sum_of("limit", "a running sum beyond 32768 that comes back", [128.0] * 12 + [-128.0] * 12, [[32.0] * 24], "limit")
    yield sum_of("rounding-of-sums", "2049, on the neural engines", [2048.0, 0, 0, 0, 1.0, 0, 0, 0],
                 [[1.0] * 8, [-1.0] * 8], "rounding")
    yield sum_of("subnormal-factors", "a factor of 2^-20", [2.0**-20, 1.0], [[1024.0, 0.0], [0.0, 1.0]], "subnormals")
    line = (1, 8, 1, 8)
    yield Probe("rounding-of-pairs", "2049, on the planar engine",
                function([line, line], line, op("ane.elementwise add %0, %1", [line, line], line)),
                [[2048.0, -2048.0] * 32, [1.0, -1.0] * 32], fact="rounding")
    yield Probe("overflow", "300 times 300", function([line, line], line, op("ane.elementwise mul %0, %1", [line, line], line)),
                [[300.0, -300.0] * 32, [300.0] * 64], fact="overflow")
    infinity = float("inf")
    yield Probe("specials", "infinity and NaN by a quarter",
                function([line, line], line, op("ane.elementwise mul %0, %1", [line, line], line)),
                [[infinity, -infinity, float("nan"), 1.0] * 16, [0.25] * 64], fact="specials")
    yield lone("table-exp2", "a table of powers", "ane.activation %0 {function = #ane.act<exp>}", SMALL, SMALL,
               ramp(SMALL, -9.0, 9.0), fact="table", mil=False)


def orders():
    """Tasks that depend on each other."""
    x, w = (1, 16, 16, 16), (16, 16, 1, 1)
    chain = function([x, w, x], x, op("ane.elementwise add %0, %2", [x, x], x), op("ane.conv %a, %1", [x, w], x),
                     op("ane.elementwise max %b, %0", [x, x], x))
    yield Probe("order", "three tasks, each of which reads what the one before wrote", chain, [integers(x, 1), integers(x, 3)],
                {1: (w, integers(w, 2, -2, 2))}, fact="order", mil=False)
    a, b = (1, 1, 32, 16), (1, 1, 16, 32)
    y = (1, 1, 32, 32)
    yield Probe("order-of-coefficients", "a product whose coefficients the task before wrote to memory",
                function([a, b], y, op("ane.matmul %0, %1", [a, b], y)), [integers(a, 1), integers(b, 2)], fact="order", mil=False)
    yield Probe("second-run", "a product of two tensors, twice, with others the second time",
                function([a, b], y, op("ane.matmul %0, %1", [a, b], y)), [integers(a, 1), integers(b, 2)],
                second=[integers(a, 3), integers(b, 4)], fact="rerun", needs=("order",))


def last_rungs():
    """Sequences of tasks."""
    ordered = {"needs": ("order",)}
    yield lone("max-pool", "a maximum of 2x2", "ane.pool max %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}", IMAGE,
               (1, 8, 8, 8), integers(IMAGE, 1), **ordered)
    yield lone("transpose", "a transposition", "ane.transpose %0 {perm = array<i64: 0, 2, 1, 3>}", IMAGE, (1, 16, 8, 16),
               integers(IMAGE, 1), **ordered)
    yield lone("reduce", "a sum of channels", "ane.reduce sum %0 {axes = array<i64: 1>}", IMAGE, (1, 1, 16, 16),
               integers(IMAGE, 1), **ordered)
    yield lone("sigmoid", "a table", "ane.activation %0 {function = #ane.act<sigmoid>}", SMALL, SMALL, ramp(SMALL, -8.0, 8.0),
               tolerance=0.05, **ordered)
    yield lone("softmax", "exponentials and their sum", "ane.softmax %0 {axis = 1 : i64}", SMALL, SMALL, ramp(SMALL, -2.0, 2.0),
               tolerance=0.05, **ordered)
    yield lone("layer-norm", "mean and variance", "ane.layer_norm %0 {axes = array<i64: 1, 2, 3>, epsilon = 1.0e-5 : f32}", SMALL,
               SMALL, integers(SMALL, 1), tolerance=0.05, **ordered)
    wide = (1, 1, 16, 64)
    scores = (1, 1, 16, 16)
    yield Probe("attention", "scores, softmax, values",
                function([wide, wide, wide], wide, op("ane.matmul %0, %1 {transpose_rhs}", [wide, wide], scores),
                         op("ane.elementwise mul %a, %a", [scores, scores], scores),
                         op("ane.softmax %b {axis = 3 : i64}", [scores], scores),
                         op("ane.matmul %c, %2", [scores, wide], wide)),
                [ramp(wide, -0.5, 0.5), ramp(wide, 0.5, -0.5), integers(wide, 3)], tolerance=0.05, **ordered)


def open_mechanisms():
    """What nobody has reported to run: words that no record shows on a machine."""
    large = (1, 16, 32, 32)
    half = (1, 16, 16, 16)
    stride = "pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>"
    yield plain_conv("slots-1", "a stream that omits zeros, one lane an engine", large, (16, 1, 3, 3), half,
                     f"groups = 16 : i64, {stride}", fact="slots", mil=False)
    yield plain_conv("slots-2", "the same, two lanes an engine", (1, 2, 32, 32), (32, 2, 3, 3), (1, 32, 16, 16), stride,
                     fact="slots", mil=False)
    yield plain_conv("wide-kernel", "a kernel of 13 columns", (1, 4, 8, 32), (4, 4, 1, 13), (1, 4, 8, 20), fact="wide", mil=False)
    yield plain_conv("columns", "windows at the seam of 128 columns", (1, 4, 8, 300), (4, 4, 3, 3), (1, 4, 8, 300),
                     "pad = array<i64: 1, 1, 1, 1>", fact="columns", mil=False)
    tall = (1, 64, 128, 128)
    yield plain_conv("rows", "windows at the seam of two tiles", tall, (64, 1, 3, 3), tall,
                     "groups = 64 : i64, pad = array<i64: 1, 1, 1, 1>", most=1, fact="rows", mil=False)
    a, b, y = (1, 1, 256, 64), (1, 1, 64, 32), (1, 1, 256, 32)
    yield Probe("passes", "a product of 256 rows, whose coefficients take two passes",
                function([a, b], y, op("ane.matmul %0, %1", [a, b], y)), [integers(a, 1), integers(b, 2)], fact="passes",
                needs=("order",), targets=("h14",), mil=False)
    x, w = (1, 32, 32, 64), (32, 32, 1, 1)
    for flavour in ("clean", "zin-9.509"):
        yield Probe(f"padding-{flavour.split('-')[0]}", f"two convolutions with places in L2 as in flavour {flavour}, to compare "
                    "their times", function([x, w, w], x, op("ane.conv %0, %1", [x, w], x), op("ane.conv %a, %2", [x, w], x)),
                    [integers(x, 1)], {1: (w, integers(w, 2, -1, 1)), 2: (w, integers(w, 3, -1, 1))}, needs=("order",),
                    flavour=flavour, mil=False)


def all_probes():
    for group in (first_rungs, arithmetic, orders, last_rungs, open_mechanisms):
        yield from group()
