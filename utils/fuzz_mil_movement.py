"""Operations of fuzz-mil.py that only move elements: shapes, pieces, blocks."""
import math

import numpy as np

from fuzz_mil_program import op, some_axes


@op
def reshape(g, x):
    sizes, left = [1] * g.rng.randrange(2), math.prod(x.shape)
    for _ in range(g.rng.randrange(1, 5)):
        part = g.rng.choice([n for n in range(1, min(left, 64) + 1) if left % n == 0])
        sizes.append(part)
        left //= part
    sizes.append(left)
    g.rng.shuffle(sizes)
    text = list(sizes)
    for i, size in enumerate(sizes):
        if i < len(x.shape) and x.shape[i] == size and g.rng.random() < 0.5:
            text[i] = 0
    if g.rng.random() < 0.5:
        text[g.rng.randrange(len(text))] = -1
    return g.add("reshape", x.data.reshape(sizes), exact=x.exact, x=x, shape=text)


@op
def dims(g, x):
    rank = len(x.shape)
    name = g.rng.choice(["expand_dims", "squeeze", "flatten2d", "transpose", "transpose", "reverse", "tile", "stack"])
    if name == "expand_dims":
        count = g.rng.choice([1, 1, 2])
        axes = sorted(g.rng.sample(range(rank + count), count))
        data = x.data
        for axis in axes:
            data = np.expand_dims(data, axis)
        return g.add(name, data, exact=x.exact, x=x, axes=[g.axis(axis, rank + count) for axis in axes])
    if name == "squeeze":
        ones = [i for i, size in enumerate(x.shape) if size == 1]
        ones = g.rng.sample(ones, g.rng.randrange(1, len(ones) + 1)) if ones else None
        if ones is None or len(ones) == rank:
            return None
        return g.add(name, np.squeeze(x.data, tuple(ones)), exact=x.exact, x=x, axes=[g.axis(axis, rank) for axis in ones])
    if name == "flatten2d":
        axis = g.rng.randrange(rank)
        return g.add(name, x.data.reshape(math.prod(x.shape[:axis]), -1), exact=x.exact, x=x,
                     axis=g.maybe(g.axis(axis, rank), 1))
    if name == "transpose":
        perm = list(range(rank))
        g.rng.shuffle(perm)
        return g.add(name, x.data.transpose(perm), exact=x.exact, x=x, perm=[g.axis(axis, rank) for axis in perm])
    if name == "reverse":
        axes, text = some_axes(g, rank)
        return g.add(name, np.flip(x.data, axes), exact=x.exact, x=x, axes=None if len(axes) == rank else text)
    if name == "tile":
        reps = [g.rng.choice([1, 1, 2, 3]) for _ in range(rank)]
        return g.add(name, np.tile(x.data, reps), exact=x.exact, x=x, reps=reps)
    axis = g.rng.randrange(rank + 1)
    others = [x if g.rng.random() < 0.3 else g.operand(x.shape) for _ in range(g.rng.choice([1, 2]))]
    return g.add(name, np.stack([x.data] + [y.data for y in others], axis), exact=x.exact, values=(x, *others),
                 axis=g.axis(axis, rank + 1))


@op
def concat(g, x):
    axis, interleave = g.rng.randrange(len(x.shape)), g.rng.random() < 0.25
    shape = list(x.shape)
    if not interleave:
        shape[axis] = g.rng.choice([1, 2, 5, 16, shape[axis]])
    values = [x, g.operand(shape)]
    g.rng.shuffle(values)
    if interleave:
        data = np.stack([v.data for v in values], axis + 1).reshape([n * 2 if i == axis else n for i, n in enumerate(shape)])
    else:
        data = np.concatenate([v.data for v in values], axis)
    return g.add("concat", data, exact=x.exact, values=tuple(values), axis=g.axis(axis, len(shape)),
                 interleave=g.maybe(interleave, False))


@op
def split(g, x):
    axis = g.rng.randrange(len(x.shape))
    size = x.shape[axis]
    if size < 2:
        return None
    at = g.axis(axis, len(x.shape))
    parts = g.rng.choice([n for n in range(2, min(size, 8) + 1) if size % n == 0] or [1])
    if parts > 1 and g.rng.random() < 0.5:
        return g.add("split", np.split(x.data, parts, axis), exact=x.exact, x=x, num_splits=parts, axis=at)
    first = g.rng.randrange(1, size)
    return g.add("split", np.split(x.data, [first], axis), exact=x.exact, x=x, split_sizes=[first, size - first], axis=at)


@op
def slice_by_index(g, x):
    begin, end, stride, masks, index = [], [], [], ([], [], []), []
    for size in x.shape:
        step = g.rng.choice([1, 1, 1, 2, 3, -1, -2])
        low, high = sorted(g.rng.sample(range(size + 1), 2))
        squeeze = g.rng.random() < 0.15
        no_begin, no_end = (g.rng.random() < 0.3 for _ in range(2))
        if squeeze:
            step, no_begin, no_end = 1, False, False
            index.append(low)
            first, last = low, low + 1
        elif step > 0:
            first, last = low, high
            index.append(slice(None if no_begin else first, None if no_end else last, step))
        else:
            first, last = high - 1, low - 1
            if last < 0:
                no_end, last = True, 0
            index.append(slice(None if no_begin else first, None if no_end else last, step))
        begin.append(first - size if g.rng.random() < 0.3 else first)
        end.append(last - size if g.rng.random() < 0.3 and last < size else last)
        stride.append(step)
        for mask, bit in zip(masks, (no_begin, no_end, squeeze)):
            mask.append(bit)
    data = x.data[tuple(index)]
    if data.size == 0 or data.ndim == 0:
        return None
    names = ("begin_mask", "end_mask", "squeeze_mask")
    return g.add("slice_by_index", data, exact=x.exact, x=x, begin=begin, end=end,
                 stride=g.maybe(stride, [1] * len(stride)),
                 **{name: g.maybe(mask, [False] * len(mask)) for name, mask in zip(names, masks)})


@op
def pieces(g, x):
    rank, d = len(x.shape), x.data
    name = g.rng.choice(["slice_by_size", "gather", "gather", "crop", "sliding_windows", "slice_update"])
    if name == "slice_by_size":
        begin = [g.rng.randrange(size) for size in x.shape]
        size = [g.rng.randrange(1, n - b + 1) for n, b in zip(x.shape, begin)]
        text = [-1 if n - b == s and g.rng.random() < 0.5 else s for n, b, s in zip(x.shape, begin, size)]
        return g.add(name, d[tuple(slice(b, b + s) for b, s in zip(begin, size))], exact=x.exact, x=x, begin=begin, size=text)
    if name == "gather":
        axis = g.rng.randrange(rank)
        shape = g.rng.choice([(1,), (3,), (5,), (2, 2)])
        indices = np.array([g.rng.randrange(x.shape[axis]) for _ in range(math.prod(shape))]).reshape(shape)
        return g.add(name, d.take(indices, axis), exact=x.exact, x=x, indices=indices, axis=g.maybe(g.axis(axis, rank), 0))
    if name == "crop":
        if rank < 3 or min(x.shape[-2:]) < 3:
            return None
        rows, columns = ([g.rng.randrange(2), g.rng.randrange(2)] for _ in range(2))
        data = d[..., rows[0]:x.shape[-2] - rows[1], columns[0]:x.shape[-1] - columns[1]]
        return g.add(name, data, exact=x.exact, x=x, crop_height=rows, crop_width=columns)
    if name == "sliding_windows":
        axis, stride = g.rng.randrange(rank), g.rng.choice([1, 2, 3])
        size = g.rng.randrange(1, x.shape[axis] + 1)
        count = (x.shape[axis] - size) // stride + 1
        if count > 16:
            return None
        data = np.stack([d.take(range(i * stride, i * stride + size), axis) for i in range(count)], axis)
        return g.add(name, data, exact=x.exact, x=x, axis=g.axis(axis, rank), size=size, stride=g.maybe(stride, 1))
    begin = [g.rng.randrange(size) for size in x.shape]
    end = [g.rng.randrange(b + 1, n + 1) for b, n in zip(begin, x.shape)]
    update = g.operand([e - b for b, e in zip(begin, end)])
    data = d.copy()
    data[tuple(slice(b, e) for b, e in zip(begin, end))] = update.data
    return g.add(name, data, exact=x.exact, x=x, update=update, begin=begin, end=end)


@op
def search(g, x):
    """Places of elements: what is compared has to be exact. Rounded, many are equal."""
    rank = len(x.shape)
    axis = g.rng.randrange(rank)
    if not x.exact or x.kind != "fp16":
        return None
    if g.rng.random() < 0.4:
        x = g.add("round", np.round(x.data), exact=True, x=x)
    at, d, name = g.axis(axis, rank), x.data, g.rng.choice(["reduce_argmax", "reduce_argmin", "topk", "argsort"])
    if name.startswith("reduce"):
        keep = g.rng.random() < 0.5 or rank == 1
        data = np.expand_dims((np.argmax if name == "reduce_argmax" else np.argmin)(d, axis), axis)
        found = g.add(name, data if keep else data.squeeze(axis), kind="int32", x=x, axis=g.maybe(at, -1),
                      keep_dims=g.maybe(keep, False))
        return g.add("cast", found.data, exact=True, x=found, dtype="fp16")
    ascending = g.rng.random() < 0.5
    count = x.shape[axis] if name == "argsort" else g.rng.choice([1, 1, 2, 3, 5])
    if count > min(x.shape[axis], 8):
        return None
    order = np.argsort(d if ascending else -d, axis, kind="stable").take(range(count), axis)
    if name == "argsort":
        found = g.add(name, order, kind="int32", x=x, axis=g.maybe(at, -1), ascending=g.maybe(ascending, False))
        return g.add("cast", found.data, exact=True, x=found, dtype="fp16")
    return g.add(name, np.take_along_axis(d, order, axis), exact=True, x=x, k=g.maybe(count, 1), axis=g.maybe(at, -1),
                 ascending=g.maybe(ascending, False), return_indices=False)


@op
def indices(g, x):
    """What stands at indices: known, or those of largest elements."""
    rank, d = len(x.shape), x.data
    name = g.rng.choice(["gather", "gather_along_axis", "gather_nd", "scatter", "scatter_nd", "one_hot"])
    axis = g.rng.randrange(rank)
    size, at = x.shape[axis], g.axis(axis, rank)

    def known(shape, extent):
        return np.array([g.rng.randrange(-extent, extent) for _ in range(math.prod(shape))]).reshape(shape)

    def found(shape, extent):
        y = g.argument((*shape, extent))
        return g.add("reduce_argmax", np.argmax(y.data, -1), kind="int32", exact=True, x=y, axis=-1, keep_dims=False)

    if name == "gather":
        shape = g.rng.choice([(1,), (3,), (2, 2), (70,)])
        if size < 2:
            return None
        index = found(shape, size)
        return g.add(name, d.take(index.data.astype(int), axis), exact=x.exact, x=x, indices=index, axis=g.maybe(at, 0))
    if name == "gather_along_axis":
        shape = [g.rng.choice([1, 2, 3]) if i == axis else n for i, n in enumerate(x.shape)]
        if g.rng.random() < 0.5:
            index = known(shape, size)
            return g.add(name, np.take_along_axis(d, index % size, axis), exact=x.exact, x=x, indices=index, axis=g.maybe(at, 0))
        if size < 2 or math.prod(shape) * size > 100000:
            return None
        index = found(shape, size)
        data = np.take_along_axis(d, index.data.astype(int), axis)
        return g.add(name, data, exact=x.exact, x=x, indices=index, axis=g.maybe(at, 0))
    if name == "one_hot":
        if not x.exact or x.kind != "fp16":
            return None
        count = g.rng.choice([2, 5, 9])
        index = g.add("reduce_argmin", np.argmin(d, axis, keepdims=True), kind="int32", x=x, axis=at, keep_dims=True)
        on, off, to = g.rng.choice([1.0, 2.5]), g.rng.choice([0.0, -1.0]), g.rng.randrange(rank + 1)
        data = np.moveaxis(np.where(index.data[..., None] == np.arange(count), on, off), -1, to)
        return g.add(name, data, exact=True, indices=index, one_hot_vector_size=count, axis=g.axis(to, rank + 1),
                     on_value=on, off_value=off)
    if name == "gather_nd":
        depth = g.rng.randrange(1, rank + 1)
        many = g.rng.choice([(1,), (3,), (2, 2)])
        index = np.stack([known(many, n) for n in x.shape[:depth]], -1)
        data = d[tuple(index[..., i] for i in range(depth))]
        return g.add(name, data, exact=x.exact, x=x, indices=index)
    mode = g.rng.choice(["add", "sub", "mul", "max", "min", "update"])
    combine = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "max": np.maximum, "min": np.minimum,
               "update": lambda old, new: new}[mode]
    data = d.copy()
    if name == "scatter":
        index = np.array(g.rng.sample(range(size), g.rng.randrange(1, min(size, 4) + 1)))
        update = g.operand([len(index) if i == axis else n for i, n in enumerate(x.shape)])
        place = (slice(None),) * axis + (index,)
        data[place] = combine(data[place], update.data)
        index = index - size * (g.rng.random() < 0.3)
        return g.add(name, data, data=x, indices=index, updates=update, axis=g.maybe(at, 0), mode=mode)
    depth = g.rng.randrange(1, rank + 1)
    flat = g.rng.sample(range(math.prod(x.shape[:depth])), min(math.prod(x.shape[:depth]), g.rng.choice([1, 3])))
    index = np.stack(np.unravel_index(flat, x.shape[:depth]), -1)
    update = g.operand([len(flat), *x.shape[depth:]])
    place = tuple(index[..., i] for i in range(depth))
    data[place] = combine(data[place], update.data)
    return g.add(name, data, data=x, indices=index, updates=update, mode=mode)


@op
def pad_(g, x):
    rank, mode = len(x.shape), g.rng.choice(["constant", "constant", "reflect", "replicate"])
    count = g.rng.randrange(1, rank + 1)
    if mode != "constant":
        count = min(count, 2)
    pairs = [(g.rng.randrange(3), g.rng.randrange(3)) for _ in range(count)]
    if mode == "reflect" and any(max(p) >= n for p, n in zip(pairs, x.shape[-count:])):
        return None
    value = g.rng.choice([None, 0.0, 0.5, -2.0]) if mode == "constant" else None
    whole = [(0, 0)] * (rank - count) + pairs
    data = np.pad(x.data, whole, constant_values=value or 0) if mode == "constant" else \
        np.pad(x.data, whole, mode="reflect" if mode == "reflect" else "edge")
    return g.add("pad", data, exact=x.exact, x=x, pad=[n for pair in pairs for n in pair], mode=g.maybe(mode, "constant"),
                 constant_val=value)


@op
def batches(g, x):
    if len(x.shape) != 4:
        return None
    n, c, h, w = x.shape
    rows, columns = g.rng.choice([1, 2, 3]), g.rng.choice([1, 2, 2, 4])
    if g.rng.random() < 0.5:
        pad = [(a, -(h + a) % rows) for a in [g.rng.randrange(3)]] + [(a, -(w + a) % columns) for a in [g.rng.randrange(3)]]
        data = np.pad(x.data, [(0, 0), (0, 0), *pad])
        h, w = data.shape[2] // rows, data.shape[3] // columns
        data = data.reshape(n, c, h, rows, w, columns).transpose(3, 5, 0, 1, 2, 4).reshape(-1, c, h, w)
        return g.add("space_to_batch", data, exact=x.exact, x=x, block_shape=[rows, columns], paddings=np.array(pad))
    if n % (rows * columns):
        return None
    n //= rows * columns
    data = x.data.reshape(rows, columns, n, c, h, w).transpose(2, 3, 4, 0, 5, 1).reshape(n, c, h * rows, w * columns)
    crops = [(g.rng.randrange(-(-size // 2)), g.rng.randrange(size // 2)) if size > 1 else (0, 0) for size in data.shape[2:]]
    (top, bottom), (left, right) = crops
    data = data[:, :, top:data.shape[2] - bottom, left:data.shape[3] - right]
    return g.add("batch_to_space", data, exact=x.exact, x=x, block_shape=[rows, columns], crops=np.array(crops))


@op
def blocks(g, x):
    if len(x.shape) != 4:
        return None
    n, c, h, w = x.shape
    f = g.rng.choice([2, 2, 3, 4])
    name = g.rng.choice(["pixel_shuffle", "depth_to_space", "pixel_unshuffle", "space_to_depth"])
    up = name in ("pixel_shuffle", "depth_to_space")
    if c % (f * f) if up else h % f or w % f:
        return None
    if name == "pixel_shuffle":
        data = x.data.reshape(n, c // f // f, f, f, h, w).transpose(0, 1, 4, 2, 5, 3)
    elif name == "depth_to_space":
        data = x.data.reshape(n, f, f, c // f // f, h, w).transpose(0, 3, 4, 1, 5, 2)
    elif name == "pixel_unshuffle":
        data = x.data.reshape(n, c, h // f, f, w // f, f).transpose(0, 1, 3, 5, 2, 4)
    else:
        data = x.data.reshape(n, c, h // f, f, w // f, f).transpose(0, 3, 5, 1, 2, 4)
    data = data.reshape(n, c // f // f, h * f, w * f) if up else data.reshape(n, c * f * f, h // f, w // f)
    factor = {"pixel_shuffle": "upscale_factor", "pixel_unshuffle": "downscale_factor"}.get(name, "block_size")
    return g.add(name, data, exact=x.exact, x=x, **{factor: f})
