"""Operations of fuzz-mil.py on bytes: compressed constants, quantisation."""
import math

import numpy as np

from fuzz_mil_program import Literal, Value, mil_type, op

BITS = {"uint1": 1, "uint2": 2, "uint3": 3, "uint4": 4, "uint6": 6, "uint8": 8, "int4": 4, "int8": 8}


def whole(g, shape, kind):
    low = -(1 << BITS[kind] - 1) if kind.startswith("i") else 0
    return g.numbers.randint(low, low + (1 << BITS[kind]), shape)


def state(g, operation, shape, kind, **parts):
    """A value that constants make, its arguments in front of or behind the brackets."""
    name = f"k{len(g.lines)}"
    inside = ", ".join(f"{key} = {part}" for key, part in parts.items() if part is not None)
    text = f"(){'[' + inside + ']'}" if operation == "constexpr_affine_dequantize" else f"({inside})"
    g.lines.append(f"  {mil_type(shape, kind)} {name} = {operation}{text};")
    return name


def blocks_of(g, shape):
    """Numbers of blocks in each dimension, and the place of a block for each element."""
    blocks = [g.rng.choice([n for n in (1, size // 2 or 1, size) if size % n == 0]) for size in shape]

    def spread(data):
        for axis, (size, count) in enumerate(zip(shape, blocks)):
            data = data.repeat(size // count, axis)
        return data
    return blocks, spread


def affine(g, shape):
    kind, axis = g.rng.choice(["int8", "uint8"]), g.rng.randrange(len(shape))
    sizes = [shape[axis]] if g.rng.random() < 0.6 else []
    spread = [size if i == axis and sizes else 1 for i, size in enumerate(shape)]
    scale, zero = 2.0**g.numbers.randint(-9, -6, sizes), whole(g, sizes, kind)
    data = whole(g, shape, kind)
    name = state(g, "constexpr_affine_dequantize", shape, "fp16", axis=Literal(g.axis(axis, len(shape)), "int32"),
                 quantized_data=Literal(data, kind), scale=Literal(scale, "fp16"), zero_point=Literal(zero, kind))
    return name, (data - zero.reshape(spread)) * scale.reshape(spread)


def blockwise(g, shape, mask=None):
    kind, (blocks, spread) = g.rng.choice(["int4", "uint4", "int8", "uint8"]), blocks_of(g, shape)
    scale = 2.0**g.numbers.randint(-3, 0, blocks) * 2.0**-(BITS[kind] - 1)
    offset = whole(g, blocks, kind) if g.rng.random() < 0.5 else None
    data = whole(g, shape, kind)
    result = (data - (0 if offset is None else spread(offset))) * spread(scale)
    more = {"scale": Literal(scale, "fp16"), "offset": None if offset is None else Literal(offset, kind)}
    if mask is None:
        return state(g, "constexpr_blockwise_shift_scale", shape, "fp16", data=Literal(data, kind), **more), result
    arguments = {"data_mask": Literal(mask, "uint1"), "nonzero_data": Literal(data[mask == 1], kind)}
    return "constexpr_sparse_blockwise_shift_scale", {**arguments, **more}, result


def table(g, shape, mask=None):
    kind = g.rng.choice(["uint1", "uint2", "uint3", "uint4", "uint6", "uint8"])
    blocks, spread = blocks_of(g, shape)
    if math.prod(blocks) << BITS[kind] > 2048:
        blocks, spread = [1] * len(shape), lambda data: np.broadcast_to(data, shape)
    lut = np.round(g.random([*blocks, 1 << BITS[kind], 1], -1, 1) * 256) / 256
    data = whole(g, shape, kind)
    entries = np.stack([spread(lut[..., i, 0]) for i in range(1 << BITS[kind])], -1)
    result = np.take_along_axis(entries, data[..., None], -1)[..., 0]
    if mask is None:
        return state(g, "constexpr_lut_to_dense", shape, "fp16", indices=Literal(data, kind),
                     lut=Literal(lut, "fp16")), result
    arguments = {"indices_mask": Literal(mask, "uint1"), "indices_nonzero_data": Literal(data[mask == 1], kind)}
    return "constexpr_lut_to_sparse", {**arguments, "lut": Literal(lut, "fp16")}, result


def sparse(g, shape):
    mask = (g.random(shape, 0, 1) < 0.5).astype(int)
    mask.flat[0] = 1
    how = g.rng.choice([None, blockwise, table])
    if not how:
        result = np.round(g.random(shape, -1, 1) * 64) / 64
        values, text = Literal(result[mask == 1], "fp16"), Literal(mask, "uint1")
    else:
        operation, arguments, result = how(g, shape, mask)
        text, values = f"k{len(g.lines)}x0", f"k{len(g.lines)}x1"
        inside = ", ".join(f"{key} = {part}" for key, part in arguments.items() if part is not None)
        g.lines.append(f"  {mil_type(shape, 'uint1')} {text}, {mil_type([int(mask.sum())], 'fp16')} {values} = "
                       f"{operation}({inside});")
    return state(g, "constexpr_sparse_to_dense", shape, "fp16", mask=text, nonzero_data=values), result * mask


def compressed(g, shape):
    name, data = g.rng.choice([affine, blockwise, table, sparse])(g, list(shape))
    value = Value(name, data, exact=True)
    return value if np.array_equal(value.data, data) else None


@op
def quantize(g, x):
    """To bytes and back."""
    kind, rank = g.rng.choice(["int8", "uint8"]), len(x.shape)
    axis = g.rng.randrange(rank) if rank and g.rng.random() < 0.6 else None
    sizes = [] if axis is None else [x.shape[axis]]
    spread = [size if i == axis else 1 for i, size in enumerate(x.shape)]
    scale = 2.0**-g.numbers.randint(3, 9, sizes)
    zero = whole(g, sizes, kind) // 2 if g.rng.random() < 0.6 else None
    low, high = (-128, 127) if kind == "int8" else (0, 255)
    if not x.exact:  # else a rounding decides
        scale = scale / 16
        if np.abs(x.data).max() < 64 * scale.max():
            return None
    offset = 0 if zero is None else zero.reshape(spread)
    data = np.clip(np.rint(x.data / scale.reshape(spread)) + offset, low, high)
    more = {"scale": Literal(scale, "fp16"), "zero_point": None if zero is None else Literal(zero, kind),
            "axis": None if axis is None else g.axis(axis, rank)}
    value = g.add("quantize", data, kind, input=x, output_dtype=kind, **more)
    return g.add("dequantize", (data - offset) * scale.reshape(spread), exact=x.exact, input=value, **more)
