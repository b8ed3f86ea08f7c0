"""Compressed weights out of a weight file written here, bit by bit, and recurrent ops."""
import os
import struct
import sys

import numpy as np

from milcases import Cases

random = np.random.default_rng(4)
scratch = sys.argv[1]
f = lambda *shape: random.standard_normal(shape).astype(np.float32)
CODES = {"fp16": (1, "<f2"), "fp32": (2, "<f4"), "uint8": (3, "u1"), "int8": (4, "i1"), "int4": (8, 4), "uint1": (9, 1),
         "uint2": (10, 2), "uint4": (11, 4), "uint3": (12, 3), "uint6": (13, 6), "int32": (14, "<i4"), "int16": (6, "<i2")}


class File:
    """Blobs by their offsets. Data lie behind all records: only the record says where."""

    def __init__(self, path):
        self.path, self.blobs = path, []

    def add(self, kind, values):
        values = np.asarray(values)
        code, form = CODES[kind]
        if isinstance(form, str):
            data = values.astype(form).tobytes()
        else:
            bits = [(int(v) >> b) & 1 for v in values.reshape(-1) for b in range(form)]
            bits += [0] * (-len(bits) % 8)
            data = bytes(sum(bit << i for i, bit in enumerate(bits[k : k + 8])) for k in range(0, len(bits), 8))
        offset = 64 + 64 * len(self.blobs)
        self.blobs.append((code, data))
        return (f'tensor<{kind}, {list(values.shape)}>(BLOBFILE(path = string("@model_path/weights/{self.path}"), '
                f"offset = uint64({offset})))")

    def write(self):
        os.makedirs(os.path.join(scratch, "weights"), exist_ok=True)
        records, data, start = b"", b"", 64 + 64 * len(self.blobs)
        for code, body in self.blobs:
            records += struct.pack("<IIQQQ", 0xDEADBEEF, code, len(body), start + len(data), 0) + bytes(32)
            data += body + bytes(-len(body) % 64)
        with open(os.path.join(scratch, "weights", self.path), "wb") as file:
            file.write(struct.pack("<II", len(self.blobs), 2) + bytes(56) + records + data)


file, cases = File("weight.bin"), Cases()

class Blob:
    def __init__(self, kind, values):
        self.text = file.add(kind, values)


scale, zero = f(4), np.array([1, -2, 3, 0], np.int8)
q = random.integers(-128, 128, (4, 6)).astype(np.int8)
cases.check("constexpr_affine_dequantize", scale[:, None] * (q.astype(np.float32) - zero[:, None]), quantized_data=Blob("int8", q),
            scale=Blob("fp32", scale), zero_point=Blob("int8", zero), axis=0)
cases.check("constexpr_affine_dequantize", 0.5 * (q.astype(np.float32) - 3), quantized_data=Blob("int8", q), scale=0.5,
            zero_point=Blob("int8", np.int8(3)), axis=-1)
half = f(3, 5).astype(np.float16)
cases.check("constexpr_cast", half.astype(np.float32), source_val=Blob("fp16", half), output_dtype="fp32")

for kind, bits in (("uint1", 1), ("uint2", 2), ("uint3", 3), ("uint4", 4), ("uint6", 6), ("uint8", 8)):
    index = random.integers(0, 1 << bits, (4, 6))
    lut = f(2, 3, 1 << bits, 1)  # a table for each block of 2 x 2
    want = np.array([[lut[i // 2, k // 2, index[i, k], 0] for k in range(6)] for i in range(4)])
    cases.check("constexpr_lut_to_dense", want, indices=Blob(kind, index), lut=Blob("fp32", lut))
    # iOS 16: packed bytes and a shape.
    packed = np.packbits([int(v) >> b & 1 for v in index.reshape(-1) for b in range(bits)], bitorder="little")
    flat = f(1 << bits)
    cases.check("constexpr_lut_to_dense", flat[index], indices=Blob("uint8", packed), lut=Blob("fp32", flat), shape=[4, 6])
index, lut = random.integers(0, 4, (2, 6)), f(1, 2, 4, 3)  # vectors of 3 along dimension 0
want = np.array([[lut[0, k // 3, index[i // 3, k], i % 3] for k in range(6)] for i in range(6)])
cases.check("constexpr_lut_to_dense", want, indices=Blob("uint2", index), lut=Blob("fp32", lut), vector_axis=0)

for kind, low, high in (("int4", -8, 8), ("uint4", 0, 16), ("int8", -128, 128), ("uint8", 0, 256)):
    data, factor = random.integers(low, high, (4, 6)), f(2, 3)
    shift = random.integers(low, high, (2, 3))
    grown = lambda v: np.repeat(np.repeat(v, 2, 0), 2, 1).astype(np.float64)
    cases.check("constexpr_blockwise_shift_scale", grown(factor) * (data - grown(shift)), data=Blob(kind, data),
                scale=Blob("fp32", factor), offset=Blob(kind, shift))
    cases.check("constexpr_blockwise_shift_scale", grown(factor) * data, data=Blob(kind, data), scale=Blob("fp32", factor))

mask = random.integers(0, 2, (5, 7))
values = f(mask.sum())
dense = np.zeros(mask.shape, np.float32)
dense[mask == 1] = values
cases.check("constexpr_sparse_to_dense", dense, nonzero_data=Blob("fp32", values), mask=Blob("uint1", mask))
packed = np.packbits(mask.reshape(-1), bitorder="little")
cases.check("constexpr_sparse_to_dense", dense, nonzero_data=Blob("fp32", values), mask=Blob("uint8", packed), shape=[5, 7])
index, lut = random.integers(0, 4, mask.sum()), f(1, 1, 4, 1)
cases.check("constexpr_lut_to_sparse", ("uint1", mask.astype(np.uint8)), lut[0, 0, index, 0], indices_mask=Blob("uint1", mask),
            indices_nonzero_data=Blob("uint2", index), lut=Blob("fp32", lut))
small = np.array([[1, 0, 1], [0, 1, 0]])
lut = f(1, 1, 4, 2)
wide = np.repeat(small, 2, 1)
index = np.array([3, 1, 2])
cases.check("constexpr_lut_to_sparse", ("uint1", wide.astype(np.uint8)), lut[0, 0, index].reshape(-1), indices_mask=Blob("uint1", small),
            indices_nonzero_data=Blob("uint2", index), lut=Blob("fp32", lut), vector_axis=1)
data, factor = random.integers(-8, 8, mask.sum()), f(5, 1)
cases.check("constexpr_sparse_blockwise_shift_scale", ("uint1", mask.astype(np.uint8)), data * factor[np.nonzero(mask)[0], 0], data_mask=Blob("uint1", mask),
            nonzero_data=Blob("int4", data), scale=Blob("fp32", factor))
file.write()

# --- recurrent ops, over three steps of a batch of two
steps, batch, inputs, hidden = 3, 2, 4, 5
x, start, cell = f(steps, batch, inputs), f(batch, hidden), f(batch, hidden)
sigmoid = lambda v: 1 / (1 + np.exp(-v))


def unroll(x, h, step):
    out = []
    for row in x:
        h = step(row, h)
        out.append(h)
    return np.stack(out), h


w, r, b = f(hidden, inputs), f(hidden, hidden), f(hidden)
sequence, last = unroll(x, start, lambda v, h: np.tanh(v @ w.T + h @ r.T + b))
cases.check("rnn", sequence, last, x=x, initial_h=start, weight_ih=w, weight_hh=r, bias=b, output_sequence=True, activation="tanh")
sequence, last = unroll(x[::-1], start, lambda v, h: np.maximum(v @ w.T + h @ r.T, 0))
cases.check("rnn", sequence, last, x=x, initial_h=start, weight_ih=w, weight_hh=r, output_sequence=True, direction="reverse", activation="relu")

w, r, b, both = f(3 * hidden, inputs), f(3 * hidden, hidden), f(3 * hidden), f(3 * hidden)
for after in (False, True):
    if after:  # whether reset scales this bias is not known; input_bias it does not
        b = np.concatenate([b[:hidden], np.zeros(hidden, b.dtype), b[2 * hidden:]])
    def gru(v, h):
        (wr, wn, wz), (rr, rn, rz), (br, bn, bz) = np.split(w, 3), np.split(r, 3), np.split(b + both, 3)
        reset, update = sigmoid(v @ wr.T + h @ rr.T + br), sigmoid(v @ wz.T + h @ rz.T + bz)
        inner = reset * (h @ rn.T) if after else (reset * h) @ rn.T
        return (1 - update) * np.tanh(v @ wn.T + inner + bn) + update * h
    sequence, last = unroll(x, start, gru)
    cases.check("gru", sequence, last, x=x, initial_h=start, weight_ih=w, weight_hh=r, bias=b, input_bias=both,
                output_sequence=True, reset_after=after)
cases.check("gru", last[None], last, x=x, initial_h=start, weight_ih=w, weight_hh=r, bias=b, input_bias=both, reset_after=True)


def lstm(x, h, c, w, r, b):
    out = []
    for row in x:
        i, o_f, o, g = np.split(row @ w.T + h @ r.T + b, 4, 1)
        c = sigmoid(o_f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        out.append(h)
    return np.stack(out), h, c


w, r, b = f(4 * hidden, inputs), f(4 * hidden, hidden), f(4 * hidden)
cases.check("lstm", *lstm(x, start, cell, w, r, b), x=x, initial_h=start, initial_c=cell, weight_ih=w, weight_hh=r, bias=b, output_sequence=True)
w2, r2, b2, start2, cell2 = f(4 * hidden, inputs), f(4 * hidden, hidden), f(4 * hidden), f(batch, hidden), f(batch, hidden)
one, other = lstm(x, start, cell, w, r, b), lstm(x[::-1], start2, cell2, w2, r2, b2)
cases.check("lstm", np.concatenate([one[0], other[0][::-1]], 2), np.concatenate([one[1], other[1]], 1), np.concatenate([one[2], other[2]], 1), x=x,
            initial_h=np.concatenate([start, start2], 1), initial_c=np.concatenate([cell, cell2], 1), weight_ih=w, weight_hh=r, bias=b,
            weight_ih_back=w2, weight_hh_back=r2, bias_back=b2, direction="bidirectional", output_sequence=True)
sys.exit(cases.run(scratch))
