"""Writes small MIL programs, one operation or a short chain each, over many shapes and modes."""
import argparse
import itertools
import os


def literal(value):
    """A value in place of an argument; a name of a value stays."""
    if isinstance(value, bool):
        return f"bool({str(value).lower()})"
    if isinstance(value, int):
        return f"int32({value})"
    if isinstance(value, float):
        return f"fp16({value.hex()})"
    if isinstance(value, tuple):
        return "(" + ", ".join(value) + ")"
    if isinstance(value, list):
        kind = "bool" if isinstance(value[0], bool) else "int32"
        return f"tensor<{kind}, [{len(value)}]>([{', '.join(str(v).lower() for v in value)}])"
    return value if value.isidentifier() and value.islower() else f'string("{value}")'


WORDS = {"valid", "same", "custom", "same_lower", "constant", "reflect", "replicate",
         "reverse", "bidirectional", "fp16", "int32", "int8", "uint8", "relu", "linear", "sigmoid_hard"}


class Program:
    def __init__(self, name, **inputs):
        self.name, self.inputs, self.lines, self.blobs = name, inputs, [], 0

    def constant(self, shape, kind="fp16"):
        """A constant in the weight file."""
        self.blobs += 1
        name = f"k{self.blobs}"
        self.lines.append(f"tensor<{kind}, {list(shape)}> {name} = const()[val = tensor<{kind}, {list(shape)}>(BLOBFILE("
                          f'path = string("@model_path/weights/weight.bin"), offset = uint64({64 * self.blobs})))];')
        return name

    def op(self, operation, *shapes, kind="fp16", **arguments):
        """Returns the names of the results, of which there is one for each shape."""
        names = [f"v{len(self.lines)}_{i}" for i in range(len(shapes))]
        outs = ", ".join(f"tensor<{kind}, {list(s)}> {n}" for s, n in zip(shapes, names))
        text = ", ".join(f"{k} = " + (f'string("{v}")' if v in WORDS else literal(v)) if isinstance(v, str) else f"{k} = {literal(v)}"
                         for k, v in sorted(arguments.items()))
        self.lines.append(f"{outs} = {operation}({text});")
        return names[0] if len(names) == 1 else names

    def raw(self, operation, shape, **arguments):
        """Arguments in the words of the text."""
        self.lines.append(f"tensor<fp16, {list(shape)}> r{len(self.lines)} = {operation}(" + ", ".join(
            f"{k} = {v if isinstance(v, str) else literal(v)}" for k, v in sorted(arguments.items())) + ");")
        return f"r{len(self.lines) - 1}"

    def write(self, folder, *results):
        parameters = ", ".join(f"tensor<fp16, {list(s)}> {n}" for n, s in self.inputs.items())
        with open(os.path.join(folder, self.name + ".mil"), "w") as file:
            file.write(f"program(1.3)\n[buildInfo = dict<string, string>({{}})]\n{{\n  func main<ios18>({parameters}) {{\n    " +
                       "\n    ".join(self.lines) + f"\n  }} -> ({', '.join(results)});\n}}\n")


def shaped(shape):
    return "x".join(map(str, shape))


def replaced(shape, dim, value):
    shape = list(shape)
    shape[dim] = value
    return shape


def elementwise(folder):
    plain = "abs exp exp2 relu relu6 sigmoid silu softplus softsign sqrt square tanh sign ceil floor round log rsqrt inverse erf sin cos atan asin acos atanh sinh cosh tan".split()
    for name in plain:
        for shape in ([1, 16, 8, 32], [2, 3, 5, 7]):
            p = Program(f"unary-{name}-{shaped(shape)}", x=shape)
            x = p.op("mul", shape, x="x", y=0.9375) if name == "atanh" else "x"  # -1 and 1 are infinite
            p.write(folder, p.op(name, shape, x=x))
    for shape in ([64], [4, 96], [3, 8, 40], [1, 2, 3, 4, 32], [1, 512, 1, 1], [1, 1, 1, 1]):
        for name in ("sigmoid", "abs"):
            p = Program(f"unary-{name}-{shaped(shape)}", x=shape)
            p.write(folder, p.op(name, shape, x="x"))
    shape = [1, 12, 6, 32]
    for name, arguments in (("leaky_relu", dict(alpha=0.125)), ("elu", dict(alpha=0.5)), ("clip", dict(alpha=-0.5, beta=0.25)),
                            ("threshold", dict(alpha=0.25)), ("clamped_relu", dict(alpha=0.25, beta=0.75)),
                            ("linear_activation", dict(alpha=0.5, beta=2.0)), ("scaled_tanh", dict(alpha=2.0, beta=0.5)),
                            ("sigmoid_hard", dict(alpha=0.5, beta=0.25)), ("thresholded_relu", dict(alpha=0.5)),
                            ("gelu", dict(mode="EXACT")), ("gelu", dict(mode="TANH_APPROXIMATION")), ("gelu", dict(mode="SIGMOID_APPROXIMATION")),
                            ("rsqrt", dict(epsilon=0.5)), ("log", dict(epsilon=0.5)), ("inverse", dict(epsilon=0.5))):
        p = Program(f"unary-{name}-{'-'.join(str(v) for v in arguments.values())}", x=shape)
        p.write(folder, p.op(name, shape, x="x", **arguments))
    p = Program("prelu", x=shape)
    p.write(folder, p.op("prelu", shape, x="x", alpha=p.constant([12])))


def binary(folder):
    shape = [1, 16, 8, 32]
    for name in "add sub mul real_div maximum minimum pow floor_div mod".split():
        p = Program(f"binary-{name}", x=shape, y=shape)
        p.write(folder, p.op(name, shape, x="x", y="y"))
    for name, other in itertools.product(("add", "sub", "mul", "maximum"), ([1, 16, 1, 1], [1, 1, 8, 32], [1, 16, 8, 1], [1, 1, 1, 32], [1, 1, 1, 1], [32], [8, 1])):
        p = Program(f"binary-{name}-{shaped(other)}", x=shape, y=other)
        p.write(folder, p.op(name, shape, x="x", y="y"))
        p = Program(f"binary-{name}-constant-{shaped(other)}", x=shape)
        p.write(folder, p.op(name, shape, x=p.constant(other), y="x"))
    for name, value in itertools.product(("add", "sub", "mul", "real_div", "pow", "maximum"), (0.5, 2.0)):
        p = Program(f"binary-{name}-scalar-{value}", x=shape)
        p.write(folder, p.op(name, shape, x="x", y=value))
    p = Program("binary-scalar-sub", x=shape)
    p.write(folder, p.op("sub", shape, x=1.0, y="x"))
    p = Program("binary-self", x=shape)
    p.write(folder, p.op("mul", shape, x="x", y="x"), p.op("sub", shape, x="x", y="x"))
    for name in "less greater_equal equal".split():
        p = Program(f"select-{name}", x=shape, y=shape)
        p.write(folder, p.op("select", shape, cond=p.op(name, shape, kind="bool", x="x", y="y"), a="x", b=0.5))


def extents(spatial, kernel, stride, dilation, kind, pad):
    result = []
    for i, (extent, k, s, d) in enumerate(zip(spatial, kernel, stride, dilation)):
        both = 0 if kind == "valid" else sum(pad[2 * i : 2 * i + 2])
        result.append(-(-extent // s) if kind.startswith("same") else (extent + both - (k - 1) * d - 1) // s + 1)
    return result


def windows(folder):
    convolutions = [  # name, x, outputs, kernel, strides, dilations, groups, pad_type, pad, bias
        ("1x1", [1, 32, 8, 32], 48, [1, 1], [1, 1], [1, 1], 1, "valid", [0] * 4, False),
        ("1x1-bias", [1, 20, 5, 7], 6, [1, 1], [1, 1], [1, 1], 1, "valid", [0] * 4, True),
        ("1x1-stride", [1, 16, 9, 33], 8, [1, 1], [2, 2], [1, 1], 1, "valid", [0] * 4, False),
        ("3x3-same", [1, 8, 10, 34], 16, [3, 3], [1, 1], [1, 1], 1, "same", [0] * 4, True),
        ("3x3-same-stride", [1, 8, 10, 34], 16, [3, 3], [2, 2], [1, 1], 1, "same", [0] * 4, False),
        ("3x3-lower-stride", [1, 8, 10, 34], 16, [3, 3], [2, 2], [1, 1], 1, "same_lower", [0] * 4, False),
        ("3x3-dilated", [1, 8, 12, 32], 8, [3, 3], [1, 1], [2, 2], 1, "same", [0] * 4, False),
        ("3x3-depthwise", [1, 24, 9, 11], 24, [3, 3], [1, 1], [1, 1], 24, "same", [0] * 4, True),
        ("3x3-groups", [1, 16, 9, 11], 8, [3, 3], [1, 1], [1, 1], 4, "custom", [1, 0, 0, 1], False),
        ("2x3-odd", [1, 5, 7, 9], 3, [2, 3], [1, 2], [1, 1], 1, "custom", [1, 2, 2, 0], True),
        ("4x4-stride4", [1, 3, 32, 32], 16, [4, 4], [4, 4], [1, 1], 1, "valid", [0] * 4, False),
        ("7x7-stride2", [1, 3, 30, 30], 8, [7, 7], [2, 2], [1, 1], 1, "custom", [3, 3, 3, 3], True),
        ("1x9", [1, 4, 3, 40], 4, [1, 9], [1, 1], [1, 1], 1, "same", [0] * 4, False),
        ("9x1", [1, 4, 40, 3], 4, [9, 1], [1, 1], [1, 1], 1, "same", [0] * 4, False),
        ("batch", [3, 8, 6, 32], 8, [3, 3], [1, 1], [1, 1], 1, "same", [0] * 4, True),
        ("rank3", [1, 16, 40], 8, [3], [1], [1], 1, "same", [0] * 2, True),
        ("rank3-causal", [2, 16, 40], 8, [4], [1], [2], 1, "custom", [6, 0], True),
        ("rank5", [1, 4, 3, 6, 8], 4, [3, 3, 3], [1, 1, 1], [1, 1, 1], 1, "same", [0] * 6, False),
    ]
    for name, x, outputs, kernel, stride, dilation, groups, kind, pad, bias in convolutions:
        shape = [x[0], outputs] + extents(x[2:], kernel, stride, dilation, kind, pad)
        p = Program(f"conv-{name}", x=x)
        more = dict(pad=pad) if kind == "custom" else {}
        if bias:
            more["bias"] = p.constant([outputs])
        p.write(folder, p.op("conv", shape, x="x", weight=p.constant([outputs, x[1] // groups] + kernel), strides=stride, dilations=dilation,
                             groups=groups, pad_type=kind, **more))
    for k, s, kind in itertools.product((2, 3, 4), (1, 2), ("valid", "same", "custom")):
        full = lambda e: (e - 1) * s + k
        out = {"valid": full, "same": lambda e: e * s, "custom": lambda e: full(e) - 1}[kind]
        p = Program(f"conv-transpose-{k}-{s}-{kind}", x=[1, 6, 5, 8])
        more = dict(pad=[1, 0, 0, 1]) if kind == "custom" else {}
        p.write(folder, p.op("conv_transpose", [1, 4, out(5), out(8)], x="x", weight=p.constant([6, 4, k, k]), strides=[s, s], pad_type=kind, **more))
    for name in ("max_pool", "avg_pool"):
        for k, s, kind, pad in ((2, 2, "valid", [0] * 4), (3, 2, "custom", [1, 1, 1, 1]), (3, 1, "same", [0] * 4), (3, 2, "same", [0] * 4),
                                (3, 1, "custom", [1, 0, 0, 1]), (2, 2, "same_lower", [0] * 4), (5, 1, "same", [0] * 4)):
            x = [1, 6, 9, 15]
            shape = x[:2] + extents(x[2:], [k, k], [s, s], [1, 1], kind, pad)
            more = dict(pad=pad) if kind == "custom" else {}
            for excluded in (False, True) if name == "avg_pool" else (False,):
                if name == "avg_pool":
                    more["exclude_padding_from_average"] = excluded
                p = Program(f"{name}-{k}-{s}-{kind}-{sum(pad)}-{excluded}".lower(), x=x)
                p.write(folder, p.op(name, shape, x="x", kernel_sizes=[k, k], strides=[s, s], pad_type=kind, **more))
        p = Program(f"{name}-ceil", x=[1, 6, 9, 16])
        p.write(folder, p.op(name, [1, 6, 5, 8], x="x", kernel_sizes=[2, 2], strides=[2, 2], pad_type="valid", ceil_mode=True))
        # Over the end is padding, too.
        p = Program(f"{name}-ceil-padded", x=[1, 6, 9, 16])
        p.write(folder, p.op(name, [1, 6, 5, 6], x="x", kernel_sizes=[2, 4], strides=[2, 3], pad_type="custom", pad=[0, 0, 1, 1],
                             ceil_mode=True))


def reductions(folder):
    x = [2, 12, 5, 33]
    for name in "reduce_sum reduce_mean reduce_max reduce_min reduce_l1_norm reduce_l2_norm reduce_sum_square reduce_log_sum_exp".split():
        for axes in ([1], [2], [3], [2, 3], [1, 2, 3], [1, 3]):
            if name not in ("reduce_sum", "reduce_max", "reduce_sum_square") and axes not in ([1], [3], [2, 3]):
                continue
            for keep in (True, False):
                shape = [1 if d in axes else e for d, e in enumerate(x) if keep or d not in axes]
                p = Program(f"{name}-{''.join(map(str, axes))}-{keep}".lower(), x=x)
                p.write(folder, p.op(name, shape, x="x", axes=axes, keep_dims=keep))
    p = Program("reduce-ones", x=[1, 1, 4, 32])
    p.write(folder, p.op("reduce_sum_square", [1, 1, 4, 32], x="x", axes=[1], keep_dims=True), p.op("reduce_l2_norm", [1, 1, 4, 32], x="x", axes=[1], keep_dims=True))
    p = Program("reduce-twice", x=x)
    inner = p.op("reduce_sum_square", [2, 12, 5, 1], x="x", axes=[3], keep_dims=True)
    p.write(folder, p.op("reduce_sum_square", [2, 12, 1, 1], x=inner, axes=[2], keep_dims=True))
    for axis in (1, 2, 3, -1):
        for shape in ([1, 12, 5, 33], [1, 64, 8, 8]):
            p = Program(f"softmax-{axis}-{shaped(shape)}".replace("--", "-m"), x=shape)
            p.write(folder, p.op("softmax", shape, x="x", axis=axis))
    for shape in ([4, 96], [2, 6, 40]):
        p = Program(f"softmax-{shaped(shape)}", x=shape)
        p.write(folder, p.op("softmax", shape, x="x", axis=-1))
    for name, x, axes in (("channels", [1, 48, 1, 32], [1]), ("image", [1, 6, 8, 32], [1, 2, 3]), ("last", [2, 6, 64], [2]), ("matrix", [10, 64], [1])):
        shape = [x[a] for a in axes]
        p = Program(f"layer-norm-{name}", x=x)
        p.write(folder, p.op("layer_norm", x, x="x", axes=axes, epsilon=0.001))
        p = Program(f"layer-norm-{name}-affine", x=x)
        p.write(folder, p.op("layer_norm", x, x="x", axes=axes, epsilon=0.001, gamma=p.constant(shape), beta=p.constant(shape)))
    x = [1, 8, 6, 32]
    p = Program("batch-norm", x=x)
    p.write(folder, p.op("batch_norm", x, x="x", **{k: p.constant([8]) for k in ("mean", "variance", "gamma", "beta")}))
    for affine in (False, True):
        p = Program(f"instance-norm-{affine}".lower(), x=x)
        p.write(folder, p.op("instance_norm", x, x="x", epsilon=0.001, **({k: p.constant([8]) for k in ("gamma", "beta")} if affine else {})))
    p = Program("l2-norm", x=x)
    norms = [p.op("l2_norm", x, x="x", epsilon=0.001)]
    for factor in (1000.0, 0.001):  # a sum of squares that f16 has not, and one that would be 0
        scaled = p.op("mul", x, x="x", y=factor)
        norms.append(p.op("l2_norm", x, x=scaled, epsilon=0.0))
        norms.append(p.op("reduce_l2_norm", [*x[:3], 1], x=scaled, axes=[3], keep_dims=True))
    p.write(folder, *norms)
    # Numbers whose squares, powers or sums f16 does not hold, and small ones.
    p = Program("large-numbers", x=x)
    results = []
    for factor in (3000.0, 0.001):
        large = p.op("mul", x, x="x", y=factor)
        for alpha, k in ((0.0001, 1.0), (1.0, 0.0)):
            results.append(p.op("local_response_norm", x, x=large, size=3, alpha=alpha, beta=0.75, k=k))
        results.append(p.op("l2_pool", [1, 8, 3, 16], x=large, kernel_sizes=[2, 2], strides=[2, 2], pad_type="valid"))
        results.append(p.op("layer_norm", x, x=large, axes=[1, 2, 3], epsilon=0.0001))
        results.append(p.op("reduce_log_sum", [1, 1, 1, 1], x=p.op("abs", x, x=large), axes=[1, 2, 3], keep_dims=True))
        square = p.op("mul", x, x=large, y=large)
        for axis in (1, 3):
            shape = replaced(x, axis, 1)
            root = p.op("sqrt", shape, x=p.op("reduce_sum", shape, x=square, axes=[axis], keep_dims=True))
            results.append(p.op("real_div", x, x=large, y=p.op("maximum", shape, x=root, y=2.0**-14)))
    results.append(p.op("cosh", x, x=p.op("mul", x, x="x", y=11.6)))
    p.write(folder, *results)


def searches(folder):
    """Indices are compared one by one: equal or wrong."""
    for name, shape, axis in (("channels", [1, 21, 16, 24], 1), ("rows", [2, 5, 33, 7], 2), ("columns", [1, 3, 4, 100], -1),
                              ("matrix", [5, 17], 0), ("vector", [77], 0), ("long", [3, 2049], 1), ("five", [2, 3, 4, 5, 6], 2)):
        for operation in ("reduce_argmax", "reduce_argmin"):
            keep = name in ("rows", "five")
            p = Program(f"{operation}-{name}", x=shape)
            gone = replaced(shape, axis, 1) if keep else [e for d, e in enumerate(shape) if d != axis % len(shape)]
            p.write(folder, p.op(operation, gone or [1], kind="int32", x="x", axis=axis, keep_dims=keep or not gone))
    x = [1, 9, 6, 32]
    p = Program("argmax-ties", x=x)
    coarse = p.op("round", x, x=p.op("mul", x, x="x", y=2.0))
    p.write(folder, p.op("reduce_argmax", [1, 6, 32], kind="int32", x=coarse, axis=1, keep_dims=False),
            p.op("reduce_argmin", [1, 9, 6, 1], kind="int32", x=coarse, axis=3, keep_dims=True))
    p = Program("argmax-used", x=x)
    index = p.op("reduce_argmax", [1, 6, 32], kind="int32", x="x", axis=1, keep_dims=False)
    four = p.op("equal", [1, 6, 32], kind="bool", x=index, y=4)
    turned = p.op("transpose", [1, 32, 6], kind="int32", x=index, perm=[0, 2, 1])
    p.write(folder, p.op("cast", [1, 32, 6], x=turned, dtype="fp16"), p.op("cast", [1, 6, 32], x=four, dtype="fp16"))
    for name, shape, axis, k, ascending in (("columns", [4, 100], -1, 3, False), ("least", [2, 10, 7], 1, 5, True), ("all", [3, 8], 1, 8, False),
                                            ("channels", [1, 12, 5, 32], 1, 2, False), ("first", [1, 1, 1, 1000], 3, 1, False)):
        p = Program(f"topk-{name}", x=shape)
        some = replaced(shape, axis, k)
        p.lines.append(f"tensor<fp16, {some}> values, tensor<int32, {some}> places = "
                       f"topk(ascending = {literal(ascending)}, axis = {literal(axis)}, k = {literal(k)}, x = x);")
        p.write(folder, "values", "places")
    for ascending in (False, True):
        p = Program(f"argsort-{ascending}".lower(), x=[4, 33])
        p.write(folder, p.op("argsort", [4, 33], kind="int32", x="x", axis=-1, ascending=ascending))
    p = Program("to-integer", x=x)
    p.write(folder, p.op("cast", x, kind="int32", x=p.op("mul", x, x="x", y=64.0), dtype="int32"))
    # What is left of a number in bytes, and computed with.
    p = Program("to-bytes", x=x)
    signed = p.op("cast", x, kind="int8", x=p.op("mul", x, x="x", y=64.0), dtype="int8")
    unsigned = p.op("cast", x, kind="uint8", x=p.op("abs", x, x=p.op("mul", x, x="x", y=128.0)), dtype="uint8")
    p.write(folder, unsigned, p.op("mul", x, x=p.op("cast", x, x=signed, dtype="fp16"), y=0.5))


def indices(folder):
    """Known ones in few runs and in many, and those that a search finds."""
    known = lambda shape, values: f"tensor<int32, {list(shape)}>({values})"
    many = [(37 * i) % 100 - 100 * (i % 3 == 0) for i in range(150)]
    for name, x, shape, operation, arguments in (
            ("shuffled", [2, 9, 4, 8], [2, 9, 4, 8], "gather", dict(axis=1, indices=known([9], [3, 1, -1, 0, 7, 5, 6, 2, 4]))),
            ("many-rows", [3, 100, 7], [3, 150, 7], "gather", dict(axis=1, indices=known([150], many))),
            ("many-columns", [3, 5, 100], [3, 5, 150], "gather", dict(axis=2, indices=known([150], many))),
            ("batches", [2, 9, 4, 8], [2, 3, 4, 8], "gather", dict(axis=1, batch_dims=1, indices=known([2, 3], [[1, 2, 8], [0, -1, 3]]))),
            ("along", [4, 6], [4, 3], "gather_along_axis", dict(axis=1, indices=known([4, 3], [[1, -2, 0], [3, 3, 1], [0, 0, 5], [4, 2, -6]]))),
            ("slices", [2, 9, 4, 8], [3, 4, 8], "gather_nd", dict(indices=known([3, 2], [[0, 1], [1, -1], [1, 4]]))),
            ("elements", [2, 9, 4], [2, 2], "gather_nd", dict(indices=known([2, 2, 3], [[[0, 1, 2], [1, -1, 0]], [[1, 4, 3], [0, 0, 0]]]))),
            ("batches", [2, 9, 4, 8], [2, 2, 8], "gather_nd", dict(batch_dims=1, indices=known([2, 2, 2], [[[1, 2], [0, 0]], [[-1, 3], [8, 3]]])))):
        p = Program(f"{operation}-{name}", x=x)
        p.write(folder, p.raw(operation, shape, x="x", **arguments))
    for mode in "add sub mul div max min update".split():
        p = Program(f"scatter-{mode}", x=[2, 9, 4, 8], u=[2, 3, 4, 8])
        p.write(folder, p.raw("scatter", [2, 9, 4, 8], axis=1, data="x", indices=known([3], [8, 0, -3]), mode=f'string("{mode}")', updates="u"))
    p = Program("scatter-last", x=[2, 9, 4, 8], u=[2, 3, 4, 8])
    p.write(folder, p.raw("scatter", [2, 9, 4, 8], axis=1, data="x", indices=known([3], [8, 0, 8]), mode='string("update")', updates="u"))
    p = Program("scatter_nd-slices", x=[2, 9, 4, 8], u=[3, 4, 8])
    p.write(folder, p.raw("scatter_nd", [2, 9, 4, 8], data="x", indices=known([3, 2], [[0, 1], [1, -1], [1, 4]]), updates="u"))
    for name, x, t, shape, axis, batch in (("rows", [5, 12], [12, 6], [5, 6], 0, 0), ("columns", [5, 12], [3, 7, 12], [3, 7, 5], 2, 0),
                                           ("batches", [2, 5, 12], [2, 12, 6], [2, 5, 6], 1, 1)):
        p = Program(f"gather-found-{name}", x=x, t=t)
        found = p.op("reduce_argmax", x[:-1], kind="int32", x="x", axis=-1, keep_dims=False)
        p.write(folder, p.op("gather", shape, x="t", indices=found, axis=axis, batch_dims=batch))
    p = Program("gather-negative", x=[7], t=[3, 12, 6])
    found = p.op("cast", [7], kind="int32", x=p.op("mul", [7], x="x", y=8.0), dtype="int32")
    p.write(folder, p.op("gather", [3, 7, 6], x="t", indices=found, axis=1))
    p = Program("gather_nd-found", x=[3, 20], t=[3, 20, 16])
    found = p.op("reduce_argmax", [3], kind="int32", x="x", axis=-1, keep_dims=False)
    p.lines.append(f"tensor<int32, [3, 2]> at = stack(axis = int32(1), values = ({known([3], [0, 1, -1])}, {found}));")
    p.write(folder, p.op("gather_nd", [3, 16], x="t", indices="at"))
    p = Program("gather_along_axis-found", x=[2, 9, 4, 8], t=[2, 9, 4, 8])
    found = p.op("reduce_argmin", [2, 1, 4, 8], kind="int32", x="x", axis=1, keep_dims=True)
    p.write(folder, p.op("gather_along_axis", [2, 1, 4, 8], x="t", indices=found, axis=1))
    for axis, on in ((-1, 1.0), (1, 2.5)):
        p = Program(f"one_hot-{on}", x=[2, 9, 4, 8])
        found = p.op("reduce_argmax", [2, 4, 8], kind="int32", x="x", axis=1, keep_dims=False)
        p.write(folder, p.op("one_hot", [2, 4, 8, 9] if axis < 0 else [2, 9, 4, 8], indices=found, one_hot_vector_size=9, axis=axis,
                             on_value=on, off_value=0.0))


def shapes(folder):
    x = [1, 12, 6, 32]
    for perm in ([0, 1, 3, 2], [0, 2, 1, 3], [0, 3, 1, 2], [0, 2, 3, 1], [0, 3, 2, 1]):
        p = Program(f"transpose-{''.join(map(str, perm))}", x=x)
        p.write(folder, p.op("transpose", [x[d] for d in perm], x="x", perm=perm))
    for shape in ([1, 72, 1, 32], [1, 6, 12, 32], [1, 12, 1, 192], [1, 2304, 1, 1], [12, 192], [1, 24, 3, 32], [1, 12, 192], [2, 6, 6, 32], [1, 3, 4, 6, 32]):
        p = Program(f"reshape-{shaped(shape)}", x=x)
        p.write(folder, p.op("reshape", shape, x="x", shape=shape))
        # Something to compute on both sides, so that it is no matter of the border.
        p = Program(f"reshape-inside-{shaped(shape)}", x=x)
        p.write(folder, p.op("relu", shape, x=p.op("reshape", shape, x=p.op("sigmoid", x, x="x"), shape=shape)))
    for axis, sizes in ((1, (12, 4)), (2, (6, 3, 1)), (3, (32, 32)), (3, (32, 7)), (0, (1, 2))):
        inputs = {f"x{i}": replaced(x, axis, s) for i, s in enumerate(sizes)}
        p = Program(f"concat-{axis}-{shaped(sizes)}", **inputs)
        p.write(folder, p.op("concat", replaced(x, axis, sum(sizes)), values=tuple(inputs), axis=axis, interleave=False))
    p = Program("concat-interleave", x=x, y=x)
    p.write(folder, p.op("concat", [1, 24, 6, 32], values=("x", "y"), axis=1, interleave=True))
    for axis, parts in ((1, 3), (2, 2), (3, 2)):
        p = Program(f"split-{axis}", x=x)
        p.write(folder, *p.op("split", *[replaced(x, axis, x[axis] // parts)] * parts, x="x", num_splits=parts, axis=axis))
    for begin, size in (([0, 4, 0, 0], [1, 5, 6, 32]), ([0, 0, 2, 0], [1, 12, 3, 32]), ([0, 0, 0, 5], [1, 12, 6, 20]), ([0, 3, 1, 8], [1, 2, 4, 16])):
        p = Program(f"slice-by-size-{shaped(begin)}", x=x)
        p.write(folder, p.op("slice_by_size", size, x="x", begin=begin, size=size))
    p = Program("slice-strided", x=x)
    p.write(folder, p.op("slice_by_index", [1, 6, 3, 16], x="x", begin=[0, 0, 0, 0], end=[1, 12, 6, 32], stride=[1, 2, 2, 2]))
    p = Program("slice-masked", x=x)
    p.write(folder, p.op("slice_by_index", [1, 3, 32], x="x", begin=[0, -3, 2, 0], end=[0, 0, 0, 0], begin_mask=[True, False, False, True],
                         end_mask=[True, True, False, True], squeeze_mask=[False, False, True, False]))
    p = Program("pad-half-window", x=[1, 1, 1000])
    p.write(folder, p.op("pad", [1, 1, 1512], x="x", pad=[256, 256], mode="reflect", constant_val=0.0))
    for mode, pad in itertools.product(("constant", "reflect", "replicate"), ([0, 0, 1, 2], [2, 1, 0, 0], [1, 1, 1, 1])):
        shape = x[:2] + [x[2] + sum(pad[:2]), x[3] + sum(pad[2:])]
        p = Program(f"pad-{mode}-{shaped(pad)}", x=x)
        more = dict(constant_val=0.5) if mode == "constant" else {}
        p.write(folder, p.op("pad", shape, x="x", pad=pad, mode=mode, **more))
    p = Program("pad-channels", x=x)
    p.write(folder, p.op("pad", [1, 15, 6, 32], x="x", pad=[0, 0, 1, 2, 0, 0, 0, 0], mode="constant", constant_val=0.0))
    for reps in ([1, 2, 1, 1], [1, 1, 3, 1], [1, 1, 1, 2]):
        p = Program(f"tile-{shaped(reps)}", x=x)
        p.write(folder, p.op("tile", [e * r for e, r in zip(x, reps)], x="x", reps=reps))
    for axes in ([1], [2], [3]):
        p = Program(f"reverse-{axes[0]}", x=x)
        p.write(folder, p.op("reverse", x, x="x", axes=axes))
    p = Program("reverse-prime", x=[3, 134, 5])
    p.write(folder, p.op("reverse", [3, 134, 5], x="x", axes=[1, 2]))
    for axis, batch, lengths in ((2, 1, [0, 1, 2, 3, 6, 9] * 2), (3, 2, [32, 31, 1, 17, 0, 16]), (1, 2, [5, 5, 12, 7, 2, 3])):
        p = Program(f"reverse_sequence-{axis}", x=x)
        p.write(folder, p.op("reverse_sequence", x, x="x", lengths=lengths, seq_axis=axis, batch_axis=batch))
    p = Program("squeeze", x=[1, 12, 1, 32])
    p.write(folder, p.op("relu", [12, 32], x=p.op("squeeze", [12, 32], x="x", axes=[0, 2])))
    p = Program("expand-dims", x=[12, 32])
    p.write(folder, p.op("relu", [1, 12, 1, 32], x=p.op("expand_dims", [1, 12, 1, 32], x="x", axes=[0, 2])))
    p = Program("stack", x=[1, 12, 32], y=[1, 12, 32])
    p.write(folder, p.op("stack", [1, 12, 2, 32], values=("x", "y"), axis=2))
    for name, argument, value, shape in (("pixel_shuffle", "upscale_factor", 2, [1, 3, 12, 64]), ("depth_to_space", "block_size", 2, [1, 3, 12, 64]),
                                         ("space_to_depth", "block_size", 2, [1, 48, 3, 16])):
        p = Program(name.replace("_", "-"), x=x)
        p.write(folder, p.op(name, shape, x="x", **{argument: value}))


def blocks(folder):
    x = [2, 6, 8, 12]
    for block, border in (([2, 2], [0] * 4), ([2, 3], [0] * 4), ([4, 1], [3, 1, 0, 2]), ([1, 5], [0, 0, 1, 2])):
        rows, columns = x[2] + border[0] + border[1], x[3] + border[2] + border[3]
        y = [x[0] * block[0] * block[1], x[1], rows // block[0], columns // block[1]]
        pairs = f"tensor<int32, [2, 2]>([[{border[0]}, {border[1]}], [{border[2]}, {border[3]}]])"
        for name, of, to, argument in (("space_to_batch", x, y, "paddings"), ("batch_to_space", y, x, "crops")):
            p = Program(f"{name.replace('_', '-')}-{shaped(block)}-{shaped(border)}", x=of)
            p.lines.append(f"tensor<int32, [2, 2]> borders = const()[val = {pairs}];")
            p.write(folder, p.op(name, to, x="x", block_shape=block, **{argument: "borders"}))
    p = Program("reshape-like", x=[4, 6, 8], y=[2, 12], z=[8, 3])
    p.write(folder, p.op("reshape_like", [2, 12, 8], x="x", ref_tensors=("y", "z"), begins=("int32(0)", "int32(0)"), ends=("int32(2)", "int32(1)"),
                         end_masks=("bool(false)", "bool(false)")))


def images(folder):
    x = [1, 4, 6, 8]
    for mode in "DEFAULT ALIGN_CORNERS STRICT_ALIGN_CORNERS UNALIGN_CORNERS OFFSET_CORNERS".split():
        for height, width in ((12, 16), (3, 4), (9, 8)):
            p = Program(f"resize-bilinear-{mode.lower()}-{height}x{width}", x=x)
            p.write(folder, p.op("resize_bilinear", [1, 4, height, width], x="x", target_size_height=height, target_size_width=width, sampling_mode=mode))
    for factor in (2, 3):
        p = Program(f"upsample-nearest-{factor}", x=x)
        p.write(folder, p.op("upsample_nearest_neighbor", [1, 4, 6 * factor, 8 * factor], x="x", scale_factor_height=factor, scale_factor_width=factor))
        for align in (True, False):
            p = Program(f"upsample-bilinear-{factor}-{align}".lower(), x=x)
            p.write(folder, p.op("upsample_bilinear", [1, 4, 6 * factor, 8 * factor], x="x", scale_factor_height=factor, scale_factor_width=factor, align_corners=align))


def regions(folder):
    """Boxes that are known, some of them beyond the image; where the samples stand."""
    def known(shape, numbers):
        nested = numbers
        for size in reversed(shape[1:]):
            nested = [nested[i:i + size] for i in range(0, len(nested), size)]
        return f"tensor<fp16, {shape}>({nested})"
    boxes = [0.5, 1, 4.25, 6.5, 0, 0, 5, 7, -1.5, 2, 3.5, 9, 3, 5, 3, 5]
    for mode, corners, height, width in (("ALIGN_CORNERS", "CORNERS_HEIGHT_FIRST", 4, 5), ("OFFSET_CORNERS", "CORNERS_WIDTH_FIRST", 3, 1),
                                         ("STRICT_ALIGN_CORNERS", "CORNERS_WIDTH_FIRST", 2, 7), ("ALIGN_CORNERS", "CORNERS_HEIGHT_FIRST", 1, 1)):
        size = {"target_height": height, "target_width": width, "sampling_mode": f'string("{mode}")', "box_coordinate_mode": f'string("{corners}")'}
        p = Program(f"crop-resize-{mode}-{height}x{width}".lower(), x=[3, 4, 6, 8])
        p.write(folder, p.raw("crop_resize", [4, 4, height, width], x="x", boxes=known([4, 4], boxes), box_indices=[2, 0, 1, 2], pad_value=0.25, **size))
        p = Program(f"crop-resize-all-{mode}-{height}x{width}".lower(), x=[3, 4, 6, 8])
        p.write(folder, p.raw("crop_resize", [4, 3, 4, height, width], x="x", roi=known([4, 1, 4, 1, 1], boxes), spatial_scale="fp32(0.75)", **size))
        p = Program(f"crop-resize-one-{mode}-{height}x{width}".lower(), x=[3, 4, 6, 8])
        p.write(folder, p.raw("crop_resize", [2, 1, 4, height, width], x="x", roi=known([2, 1, 5, 1, 1], [2, 0, 0.25, 1, 0.5, 0, 0.75, 0, 0.25, 1.5]),
                              normalized_coordinates=True, **size))


def products(folder):
    for left, right, fx, fy in (([1, 64], [64, 96], False, False), ([10, 64], [64, 96], False, False), ([1, 4, 10, 64], [64, 32], False, False),
                                ([1, 4, 10, 64], [32, 64], False, True), ([2, 10, 64], [64, 40], False, False), ([1, 4, 64, 10], [1, 4, 64, 32], True, False)):
        m, n = (left[-1] if fx else left[-2]), (right[-2] if fy else right[-1])
        shape = left[:-2] + [m, n]
        name = f"matmul-{shaped(left)}-{shaped(right)}-{fx}{fy}".lower()
        p = Program(name, x=left, y=right)
        p.write(folder, p.op("matmul", shape, x="x", y="y", transpose_x=fx, transpose_y=fy))
        p = Program(name + "-constant", x=left)
        p.write(folder, p.op("matmul", shape, x="x", y=p.constant(right), transpose_x=fx, transpose_y=fy))
    for x in ([64], [10, 64], [2, 5, 64]):
        p = Program(f"linear-{shaped(x)}", x=x)
        p.write(folder, p.op("linear", x[:-1] + [32], x="x", weight=p.constant([32, 64]), bias=p.constant([32])))
    q = [1, 2, 16, 32]
    # More elements than one triangle takes are blocks, the last of which is filled up.
    for exclusive, reverse in ((False, False), (True, True)):
        p = Program(f"cumsum-blocks-{exclusive}-{reverse}".lower(), x=[2, 5000])
        p.write(folder, p.op("cumsum", [2, 5000], x="x", axis=1, exclusive=exclusive, reverse=reverse))
    p = Program("attention", q=q, k=q, v=q)
    p.write(folder, p.op("scaled_dot_product_attention", q, query="q", key="k", value="v"))
    p = Program("matmul-shared-rank5", x=[2, 1, 3, 8, 16], y=[16, 8])
    p.write(folder, p.op("matmul", [2, 1, 3, 8, 8], x="x", y="y", transpose_x=False, transpose_y=False))
    p = Program("einsum", x=[1, 8, 4, 32], y=[1, 32, 4, 16])
    p.write(folder, p.op("einsum", [1, 8, 4, 16], values=("x", "y"), equation="nchw,nwhu->nchu"))


def volumes(folder):
    x, c, o = [1, 6, 7, 8, 10], 6, 8
    for kernel, stride, dilation, pad in (((3, 3, 3), (1, 1, 1), (1, 1, 1), [1] * 6), ((3, 3, 3), (2, 2, 2), (1, 1, 1), [1, 1, 0, 1, 1, 0]),
                                          ((2, 3, 1), (2, 1, 1), (1, 1, 1), [0] * 6), ((3, 2, 2), (1, 2, 1), (2, 1, 2), [2, 2, 0, 1, 1, 1]),
                                          ((3, 1, 1), (1, 1, 1), (1, 1, 1), [1, 1, 0, 0, 0, 0]), ((1, 3, 3), (1, 1, 1), (1, 1, 1), [0, 0, 1, 1, 1, 1]),
                                          ((1, 1, 1), (1, 1, 1), (1, 1, 1), [0] * 6), ((1, 1, 3), (1, 1, 2), (1, 1, 1), [0, 0, 0, 0, 1, 1])):
        size = [(n + pad[2 * i] + pad[2 * i + 1] - (kernel[i] - 1) * dilation[i] - 1) // stride[i] + 1 for i, n in enumerate(x[2:])]
        for groups in (1, 2):
            p = Program("-".join(["conv-volume", shaped(kernel), f"s{shaped(stride)}", f"d{shaped(dilation)}", f"g{groups}"]), x=x)
            p.write(folder, p.op("conv", [1, o, *size], x="x", weight=p.constant([o, c // groups, *kernel]), bias=p.constant([o]), strides=list(stride),
                                 dilations=list(dilation), pad=pad, pad_type="custom", groups=groups))
    for pad_type in ("valid", "same"):
        size = [3, 3, 4] if pad_type == "valid" else [4, 4, 5]
        p = Program(f"conv-volume-batch-{pad_type}", x=[2, *x[1:]])
        p.write(folder, p.op("conv", [2, o, *size], x="x", weight=p.constant([o, c, 3, 3, 3]), strides=[2, 2, 2], pad_type=pad_type))
    # More padding than a window has, of each volume of a batch.
    p = Program("conv-volume-batch-far", x=[2, 3, 4, 5, 6])
    p.write(folder, p.op("conv", [2, 4, 10, 9, 12], x="x", weight=p.constant([4, 3, 3, 2, 2]), pad=[4, 4, 2, 3, 4, 3], pad_type="custom"))
    p = Program("conv-volume-flat-far", x=[2, 3, 4, 5, 6])
    p.write(folder, p.op("conv", [2, 4, 4, 5, 11], x="x", weight=p.constant([4, 3, 1, 1, 2]), pad=[0, 0, 0, 0, 4, 2], pad_type="custom"))
    for kernel, stride, pad in (((2, 2, 2), (2, 2, 2), [0] * 6), ((3, 3, 3), (2, 2, 2), [1, 0, 0, 1, 1, 1]), ((4, 1, 2), (1, 1, 2), [0] * 6), ((2, 2, 2), (3, 2, 1), [0] * 6)):
        size = [(n - 1) * stride[i] + kernel[i] - pad[2 * i] - pad[2 * i + 1] for i, n in enumerate(x[2:])]
        for groups in (1, 2):
            p = Program("-".join(["conv-transpose-volume", shaped(kernel), f"s{shaped(stride)}", f"g{groups}"]), x=x)
            p.write(folder, p.op("conv_transpose", [1, o, *size], x="x", weight=p.constant([c, o // groups, *kernel]), bias=p.constant([o]),
                                 strides=list(stride), pad=pad, pad_type="custom", groups=groups))
    for kernel, stride, pad in (((2, 2, 2), (2, 2, 2), [0] * 6), ((3, 3, 3), (2, 1, 2), [1] * 6), ((3, 1, 2), (1, 1, 2), [1, 0, 0, 0, 0, 1])):
        size = [(n + pad[2 * i] + pad[2 * i + 1] - kernel[i]) // stride[i] + 1 for i, n in enumerate(x[2:])]
        arguments = dict(x="x", kernel_sizes=list(kernel), strides=list(stride), pad=pad, pad_type="custom")
        for name, more in (("max_pool", {}), ("avg_pool", dict(exclude_padding_from_average=True)), ("avg_pool", dict(exclude_padding_from_average=False)),
                           ("l2_pool", {})):
            p = Program("-".join([name.replace("_", "-"), "volume", shaped(kernel), *(str(v).lower() for v in more.values())]), x=x)
            p.write(folder, p.op(name, [1, c, *size], **arguments, **more))
    size = [4, 4, 5]
    p = Program("avg-pool-volume-ceil", x=x)
    p.write(folder, p.op("avg_pool", [1, c, *size], x="x", kernel_sizes=[2, 3, 2], strides=[2, 2, 2], pad=[0] * 6, pad_type="custom", ceil_mode=True,
                         exclude_padding_from_average=False))
    p = Program("chain-volume", x=x)
    y = p.op("conv", [1, o, 7, 8, 10], x="x", weight=p.constant([o, c, 3, 3, 3]), pad_type="same")
    y = p.op("relu", [1, o, 7, 8, 10], x=p.op("batch_norm", [1, o, 7, 8, 10], x=y, mean=p.constant([o]), variance=p.constant([o]), epsilon=0.001))
    y = p.op("max_pool", [1, o, 3, 4, 5], x=y, kernel_sizes=[2, 2, 2], strides=[2, 2, 2], pad_type="valid")
    y = p.op("relu", [1, c, 3, 4, 5], x=p.op("conv", [1, c, 3, 4, 5], x=y, weight=p.constant([c, o, 3, 3, 3]), pad_type="same"))
    p.write(folder, p.op("conv_transpose", [1, 4, 6, 8, 10], x=y, weight=p.constant([c, 4, 2, 2, 2]), strides=[2, 2, 2], pad_type="valid"))


def recurrent(folder):
    inputs, hidden = 24, 40

    def layer(operation, gates, steps, batch, both=False, sequence=False, peephole=False, bias="bias", **arguments):
        words = [operation, f"{steps}x{batch}", "all" if sequence else "last"]
        words += [str(name if value is True else value).lower().replace("_", "-") for name, value in arguments.items()]
        width, states = hidden * (2 if both else 1), ("h", "c") if operation == "lstm" else ("h",)
        p = Program("-".join(words + ["peephole"] * peephole), x=[steps, batch, inputs], **{state: [batch, width] for state in states})
        for end in ("", "_back") if both else ("",):
            arguments["weight_ih" + end] = p.constant([gates * hidden, inputs])
            arguments["weight_hh" + end] = p.constant([gates * hidden, hidden])
            arguments[bias + end] = p.constant([gates * hidden])
            if peephole:
                arguments["peephole" + end] = p.constant([3 * hidden])
        arguments.update({f"initial_{state}": state for state in states})
        shapes = [[steps if sequence else 1, batch, width]] + [[batch, width] for _ in states]
        p.write(folder, *p.op(operation, *shapes, x="x", output_sequence=sequence, **arguments))

    for steps, batch in ((1, 1), (5, 1), (4, 3)):
        for sequence in (False, True):
            layer("rnn", 1, steps, batch, sequence=sequence)
            layer("gru", 3, steps, batch, sequence=sequence)
            layer("lstm", 4, steps, batch, sequence=sequence)
    layer("rnn", 1, 5, 1, sequence=True, direction="reverse", activation="relu")
    layer("gru", 3, 5, 2, sequence=True, direction="reverse", recurrent_activation="sigmoid_hard")
    layer("gru", 3, 5, 2, sequence=True, bias="input_bias", reset_after=True)
    layer("lstm", 4, 5, 2, sequence=True, direction="reverse", cell_activation="relu", activation="linear")
    layer("lstm", 4, 5, 2, both=True, sequence=True, direction="bidirectional")
    layer("lstm", 4, 5, 1, both=True, direction="bidirectional", peephole=True)
    layer("lstm", 4, 3, 1, sequence=True, clip=0.0625)


def chains(folder):
    x = [1, 16, 8, 32]
    p = Program("chain-residual", x=x)
    inner = p.op("relu", x, x=p.op("conv", x, x="x", weight=p.constant([16, 16, 3, 3]), pad_type="same"))
    p.write(folder, p.op("add", x, x=inner, y="x"))
    p = Program("chain-two-outputs", x=x)
    inner = p.op("sigmoid", x, x="x")
    p.write(folder, inner, p.op("mul", x, x=inner, y="x"))
    p = Program("chain-result-order", x=x, a=x)
    p.write(folder, p.op("sub", x, x="x", y="a"), p.op("add", x, x="a", y="x"))
    p = Program("chain-input-is-output", x=x)
    p.write(folder, p.op("relu", x, x="x"), "x")
    p = Program("chain-same-twice", x=x)
    inner = p.op("relu", x, x="x")
    p.write(folder, p.op("concat", [1, 32, 8, 32], values=(inner, inner), axis=1, interleave=False))
    p = Program("chain-rms-norm", x=[1, 64, 1, 32])
    mean = p.op("reduce_mean", [1, 1, 1, 32], x=p.op("mul", [1, 64, 1, 32], x="x", y="x"), axes=[1], keep_dims=True)
    factor = p.op("pow", [1, 1, 1, 32], x=p.op("add", [1, 1, 1, 32], x=mean, y=0.001), y=-0.5)
    p.write(folder, p.op("mul", [1, 64, 1, 32], x=p.op("mul", [1, 64, 1, 32], x="x", y=factor), y=p.constant([1, 64, 1, 1])))
    p = Program("chain-silu-gate", x=[1, 32, 1, 64])
    gate, up = (p.op("conv", [1, 80, 1, 64], x="x", weight=p.constant([80, 32, 1, 1])) for _ in range(2))
    hidden = p.op("mul", [1, 80, 1, 64], x=p.op("mul", [1, 80, 1, 64], x=gate, y=p.op("sigmoid", [1, 80, 1, 64], x=gate)), y=up)
    p.write(folder, p.op("conv", [1, 32, 1, 64], x=hidden, weight=p.constant([32, 80, 1, 1])))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="is made where there is none")
    folder = parser.parse_args().folder
    os.makedirs(folder, exist_ok=True)
    for write in (elementwise, binary, windows, reductions, searches, indices, shapes, blocks, images, regions, products, volumes, recurrent, chains):
        write(folder)


main()
