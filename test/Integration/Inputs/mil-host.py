"""Writes small MIL programs that the engine cannot do alone: integers are data in all of them.
A number behind the name of an input says how large its integers are (check-mil-programs.py).

usage: mil-host.py FOLDER
"""
import os
import sys

KINDS = {"i": "int32", "h": "fp16", "f": "fp32", "b": "bool", "s": "int16", "u": "uint8", "w": "uint16", "c": "int8"}


def tensor(text):
    """"i2x3" is a tensor<int32, [2, 3]>, "i" a scalar."""
    kind, sizes = KINDS[text[0]], text[1:].replace("x", ", ")
    return f"tensor<{kind}, [{sizes}]>" if sizes else kind


def write(folder, name, inputs, statements, results):
    """`statements` are lines of "RESULT: TYPE [, ...] = call" with constants in place."""
    lines = []
    for statement in statements:
        outs, call = statement.split(" = ", 1)
        outs = ", ".join(f"{tensor(out.split(':')[1])} {out.split(':')[0]}" for out in outs.split(", "))
        lines.append(f"{outs} = {call};")
    parameters = ", ".join(f"{tensor(kind)} {name}" for name, kind in inputs.items())
    body = "\n    ".join(lines)
    with open(os.path.join(folder, name + ".mil"), "w") as file:
        file.write(f"program(1.3)\n[buildInfo = dict<string, string>({{}})]\n{{\n  func main<ios18>({parameters}) {{\n"
                   f"    {body}\n  }} -> ({', '.join(results)});\n}}\n")


def ints(*values):
    return f"tensor<int32, [{len(values)}]>([{', '.join(map(str, values))}])"


def table(rows, columns, number):
    """A constant in the weight file."""
    return (f'table:h{rows}x{columns} = const()[val = tensor<fp16, [{rows}, {columns}]>(BLOBFILE(path = '
            f'string("@model_path/weights/weight.bin"), offset = uint64({64 * number})))]')


def word(text):
    return f'string("{text}")'


def gathers(folder):
    product = "y:h{0}x8 = matmul(x = e, y = t, transpose_x = bool(false), transpose_y = bool(false))"
    write(folder, "embedding", {"ids_3000": "i2x7", "t": "h16x8"},
          [table(3000, 16, 1), "e:h2x7x16 = gather(axis = int32(0), indices = ids_3000, x = table)", product.format("2x7")], ["y"])
    write(folder, "embedding-of-floats", {"ids_3000": "f2x7x1", "t": "h16x8"},
          [table(3000, 16, 1), f"s:f2x7 = squeeze(x = ids_3000, axes = {ints(2)})", f"i:i2x7 = cast(dtype = {word('int32')}, x = s)",
           "e:h2x7x16 = gather(axis = int32(0), indices = i, x = table)", product.format("2x7"), "z:f2x7 = relu(x = s)"], ["y", "z"])
    write(folder, "embedding-plain", {"ids_50": "i1x9"},
          [table(50, 8, 1), "e:h1x9x8 = gather(axis = int32(0), indices = ids_50, x = table)"], ["e"])
    write(folder, "embedding-short", {"ids_50": "i4"},
          [table(50, 8, 1), f"s:w4 = cast(x = a, dtype = {word('uint16')})".replace("x = a", "x = abs"),
           "e:h4x8 = gather(axis = int32(0), indices = s, x = table)"][:1] +
          ["abs:i4 = abs(x = ids_50)", "less:i4 = sub(x = abs, y = int32(1))", "low:i4 = maximum(x = less, y = int32(0))",
           f"s:w4 = cast(x = low, dtype = {word('uint16')})", "e:h4x8 = gather(axis = int32(0), indices = s, x = table)"], ["e"])
    write(folder, "gather-columns", {"x": "h3x20x4", "ids_20": "i5"},
          ["g:h3x5x4 = gather(axis = int32(1), indices = ids_20, x = x)", "y:h3x5x4 = relu(x = g)"], ["y"])
    write(folder, "gather-batches", {"x": "f3x20x4", "ids_20": "i3x2"},
          ["g:f3x2x4 = gather(axis = int32(1), batch_dims = int32(1), indices = ids_20, x = x)"], ["g"])
    write(folder, "gather-of-integers", {"ids_20": "i3x5"},
          [f"g:i3x2 = gather(axis = int32(1), indices = {ints(4, -5)}, x = ids_20)"], ["g"])
    write(folder, "gather-of-results", {"x": "h12x16", "ids_12": "i4"},
          [table(16, 16, 1), "p:h12x16 = matmul(x = x, y = table, transpose_x = bool(false), transpose_y = bool(false))",
           "g:h4x16 = gather(axis = int32(0), indices = ids_12, x = p)",
           "y:h4x16 = matmul(x = g, y = table, transpose_x = bool(false), transpose_y = bool(true))"], ["y", "p"])
    write(folder, "gather_along_axis", {"x": "h4x30", "ids_30": "i4x7"},
          ["g:h4x7 = gather_along_axis(axis = int32(1), indices = ids_30, x = x)"], ["g"])
    write(folder, "gather_nd", {"x": "h4x6x5", "ids_4": "i3x2"}, ["g:h3x5 = gather_nd(indices = ids_4, x = x)"], ["g"])
    write(folder, "gather_nd-batches", {"x": "h2x4x6x5", "ids_4": "i2x3x2"},
          ["g:h2x3x5 = gather_nd(batch_dims = int32(1), indices = ids_4, x = x)"], ["g"])
    write(folder, "gather-many", {"x": "h3x4000"},
          [f"at:i3 = reduce_argmax(x = x, axis = int32(1), keep_dims = bool(false))",
           table(4000, 6, 1), "g:h3x6 = gather(axis = int32(0), indices = at, x = table)"], ["g", "at"])
    write(folder, "one_hot", {"ids_9": "i2x5"},
          ["y:h2x5x6 = one_hot(axis = int32(-1), indices = ids_9, off_value = fp16(-0.5), on_value = fp16(2), one_hot_vector_size = int32(6))"], ["y"])
    write(folder, "one_hot-long", {"ids_3000": "i4"},
          ["y:i3000x4 = one_hot(axis = int32(0), indices = ids_3000, off_value = int32(0), on_value = int32(70000), one_hot_vector_size = int32(3000))"], ["y"])


def scatters(folder):
    for mode in ("add", "sub", "mul", "max", "min", "update"):
        write(folder, f"scatter-{mode}", {"x": "h7x4", "u": "h5x4", "ids_7": "i5"},
              [f"y:h7x4 = scatter(axis = int32(0), data = x, indices = ids_7, mode = {word(mode)}, updates = u)"], ["y"])
    write(folder, "scatter-integers", {"x_100000": "i2x7", "u_100000": "i2x5", "ids_7": "i5"},
          [f"y:i2x7 = scatter(axis = int32(1), data = x_100000, indices = ids_7, mode = {word('add')}, updates = u_100000)"], ["y"])
    write(folder, "scatter-columns", {"x": "f2x7x3", "u": "f2x2x2x3", "ids_7": "i2x2"},
          [f"y:f2x7x3 = scatter(axis = int32(1), data = x, indices = ids_7, mode = {word('add')}, updates = u)"], ["y"])
    write(folder, "scatter_along_axis", {"x": "h4x9", "u": "h4x3", "ids_9": "i4x3"},
          [f"y:h4x9 = scatter_along_axis(axis = int32(1), data = x, indices = ids_9, mode = {word('add')}, updates = u)"], ["y"])
    write(folder, "scatter_nd", {"x": "h4x6x5", "u": "h3x5", "ids_4": "i3x2"},
          [f"y:h4x6x5 = scatter_nd(data = x, indices = ids_4, mode = {word('update')}, updates = u)"], ["y"])


def arithmetic(folder):
    for op in ("add", "sub", "mul", "maximum", "minimum", "floor_div", "mod", "real_div"):
        # What a divisor of zero gives nobody says; it is tested by itself.
        second = "d:i5 = add(x = b, y = int32(11))" if op in ("floor_div", "mod", "real_div") else "d:i5 = add(x = b, y = int32(0))"
        write(folder, op, {"x_30000": "i3x5", "b_10": "i5"}, [second.replace("x = b", "x = b_10"), f"y:i3x5 = {op}(x = x_30000, y = d)"], ["y"])
    for op in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        write(folder, op, {"x_3": "i3x5", "y_3": "i3x1"}, [f"y:b3x5 = {op}(x = x_3, y = y_3)"], ["y"])
    for op in ("and", "or", "xor"):
        write(folder, f"logical_{op}", {"x_3": "i4x5", "y_3": "i5"},
              ["p:b4x5 = less(x = x_3, y = int32(0))", "q:b5 = less(x = y_3, y = int32(1))", f"y:b4x5 = logical_{op}(x = p, y = q)",
               "n:b4x5 = logical_not(x = y)", "z:i4x5 = select(cond = n, a = x_3, b = y_3)"], ["y", "z"])
    write(folder, "select-of-data", {"x_3": "i4x5", "a": "h4x5", "b": "h4x5"},
          ["p:b4x5 = less(x = x_3, y = int32(0))", "y:h4x5 = select(cond = p, a = a, b = b)"], ["y"])
    for kind, to in (("h", "fp16"), ("f", "fp32"), ("b", "bool"), ("s", "int16"), ("u", "uint8"), ("w", "uint16"), ("c", "int8")):
        write(folder, f"cast-to-{to}", {"x_40000": "i4x5"},
              [f"c:{kind}4x5 = cast(x = x_40000, dtype = {word(to)})", f"y:f4x5 = cast(x = c, dtype = {word('fp32')})"], ["y"])
    write(folder, "cast-to-int32", {"x": "h4x5", "i_4": "i5"},
          ["s:h4x5 = mul(x = x, y = fp16(9))", f"c:i4x5 = cast(x = s, dtype = {word('int32')})", "y:i4x5 = add(x = c, y = i_4)"], ["y"])
    write(folder, "bytes", {"c": "b2x5", "x_70000": "i5", "u_200": "u5", "v_100": "c5"},
          ["z:i2x5 = select(cond = c, a = x_70000, b = int32(-7))", f"w:i5 = cast(x = u_200, dtype = {word('int32')})",
           "p:i5 = add(x = w, y = x_70000)", f"q:i5 = cast(x = v_100, dtype = {word('int32')})", "r:i5 = add(x = q, y = x_70000)",
           "n:b2x5 = logical_not(x = c)"], ["z", "p", "r", "n"])
    write(folder, "mask", {"x": "h4x6", "lengths_7": "i4x1"},
          ["all:i4x1 = abs(x = lengths_7)", f"places:i6 = range_1d(start = int32(0), end = int32(6), step = int32(1))",
           "valid:b4x6 = less(x = places, y = all)", f"m:h4x6 = cast(x = valid, dtype = {word('fp16')})", "y:h4x6 = mul(x = x, y = m)"], ["y"])


def whole_numbers(folder):
    """What the engine has for floats."""
    for op in ("relu", "sign", "square"):
        write(folder, f"whole-numbers-{op}", {"x_40000": "i3x5"}, [f"y:i3x5 = {op}(x = x_40000)"], ["y"])
    write(folder, "whole-numbers-pow", {"x_9": "i3x5", "e_7": "i5"}, ["e:i5 = abs(x = e_7)", "y:i3x5 = pow(x = x_9, y = e)"], ["y"])
    for op in ("reduce_l1_norm", "reduce_mean", "reduce_sum_square"):
        write(folder, f"whole-numbers-{op}", {"x_900": "i3x5x4"},
              [f"y:i3x4 = {op}(x = x_900, axes = {ints(1)}, keep_dims = bool(false))"], ["y"])
    write(folder, "whole-numbers-pad", {"x_70000": "i3x5"},
          [f"y:i3x8 = pad(x = x_70000, pad = {ints(1, 2)}, mode = {word('constant')}, constant_val = int32(70001))"], ["y"])
    write(folder, "whole-numbers-band_part", {"x_70000": "i2x4x5"},
          ["y:i2x4x5 = band_part(x = x_70000, lower = int32(1), upper = int32(2))"], ["y"])
    for a, b in (("false", "false"), ("true", "true")):
        x, y = ("i2x5x3", "i4x5") if a == "true" else ("i2x3x5", "i5x4")
        write(folder, f"whole-numbers-matmul-{a}", {"x_300": x, "y_300": y},
              [f"y:i2x3x4 = matmul(x = x_300, y = y_300, transpose_x = bool({a}), transpose_y = bool({b}))"], ["y"])


def along(folder):
    for op in ("sum", "max", "min", "prod"):
        for axes, shape in (([1], "3x4"), ([0, 2], "5"), ([0, 1, 2], "1")):
            keep = "true" if shape == "1" else "false"
            shape = "1x1x1" if shape == "1" else shape
            write(folder, f"reduce_{op}-{'-'.join(map(str, axes))}", {"x_9": "i3x5x4"},
                  [f"y:i{shape} = reduce_{op}(x = x_9, axes = {ints(*axes)}, keep_dims = bool({keep}))"], ["y"])
    for op in ("argmax", "argmin"):
        write(folder, f"reduce_{op}", {"x_90000": "i3x5x4"},
              [f"y:i3x4 = reduce_{op}(x = x_90000, axis = int32(1), keep_dims = bool(false))"], ["y"])
        write(folder, f"reduce_{op}-equal", {"x_2": "i3x5x4"},
              [f"y:i3x5x1 = reduce_{op}(x = x_2, axis = int32(-1), keep_dims = bool(true))"], ["y"])
    for exclusive in ("false", "true"):
        for reverse in ("false", "true"):
            write(folder, f"cumsum-{exclusive}-{reverse}", {"x_9000": "i3x5"},
                  [f"y:i3x5 = cumsum(x = x_9000, axis = int32(1), exclusive = bool({exclusive}), reverse = bool({reverse}))"], ["y"])


def movement(folder):
    x = {"x_90000": "i2x3x4"}
    for name, shape, call in (
            ("reshape", "6x4", f"reshape(x = x_90000, shape = {ints(6, -1)})"),
            ("expand_dims", "2x1x3x4", f"expand_dims(x = x_90000, axes = {ints(1)})"),
            ("transpose", "4x2x3", f"transpose(x = x_90000, perm = {ints(2, 0, 1)})"),
            ("slice_by_index", "2x2x2", f"slice_by_index(x = x_90000, begin = {ints(0, 0, 3)}, end = {ints(2, 2, 0)}, stride = {ints(1, 1, -2)})"),
            ("slice_by_size", "1x3x2", f"slice_by_size(x = x_90000, begin = {ints(1, 0, 2)}, size = {ints(1, -1, 2)})"),
            ("concat", "2x7x4", "concat(axis = int32(1), interleave = bool(false), values = (x_90000, other, x_90000))"),
            ("stack", "2x2x3x4", "stack(axis = int32(0), values = (x_90000, x_90000))"),
            ("reverse", "2x3x4", f"reverse(x = x_90000, axes = {ints(1, 2)})"),
            ("tile", "2x6x12", f"tile(x = x_90000, reps = {ints(1, 2, 3)})"),
            ("identity", "2x3x4", "identity(x = x_90000)"),
            ("flatten2d", "2x12", "flatten2d(x = x_90000, axis = int32(1))")):
        write(folder, name, {**x, "other": "i2x1x4"} if "other" in call else x, [f"y:i{shape} = {call}"], ["y"])
    write(folder, "squeeze", x, [f"s:i2x3x1 = slice_by_size(x = x_90000, begin = {ints(0, 0, 1)}, size = {ints(2, 3, 1)})",
                                 f"y:i2x3 = squeeze(x = s, axes = {ints(2)})"], ["y"])
    write(folder, "split", x, ["a:i2x3x2, b:i2x3x2 = split(x = x_90000, axis = int32(2), num_splits = int32(2))",
                               "y:i2x3x2 = sub(x = a, y = b)"], ["y", "b"])
    write(folder, "reverse_sequence", {"x": "h5x2x4", "lengths_6": "i4"},
          ["n:i4 = abs(x = lengths_6)", "y:h5x2x4 = reverse_sequence(x = x, lengths = n, seq_axis = int32(0), batch_axis = int32(2))"], ["y"])
    # Nothing for the engine, nothing for the host, and both of one argument.
    write(folder, "only-data", {"x": "f2x3"}, ["y:f2x3 = relu(x = x)"], ["y"])
    write(folder, "untouched", {"x_90000": "i2x3", "t": "h2x3"}, ["y:i2x3 = identity(x = x_90000)", "z:h2x3 = relu(x = t)"], ["y", "z"])
    write(folder, "known", {"x_9": "i2x3", "t": "h2x3"},
          [f"s:i2 = shape(x = x_9)", "k:i2 = add(x = s, y = int32(70000))", "y:i2x3 = add(x = x_9, y = int32(1))", "z:h2x3 = relu(x = t)"],
          ["k", "y", "z"])


def boxes(folder):
    start = "b:i3 = abs(x = begin_2)"
    write(folder, "slice_by_size-from", {"x": "h4x6x9", "begin_2": "i3"},
          [start, f"y:h2x3x4 = slice_by_size(x = x, begin = b, size = {ints(2, 3, 4)})"], ["y"])
    end = f"e:i3 = add(x = b, y = {ints(2, 1, 5)})"
    write(folder, "slice_by_index-from", {"x": "h4x6x9", "begin_2": "i3"},
          [start, end, f"y:h2x1x3 = slice_by_index(x = x, begin = b, end = e, stride = {ints(1, 1, 2)})"], ["y"])
    write(folder, "slice_by_index-squeezed", {"x": "f4x6x9", "begin_2": "i3"},
          [start, end, "y:f2x9 = slice_by_index(x = x, begin = b, end = e, begin_mask = tensor<bool, [3]>([false, false, true]), "
           "end_mask = tensor<bool, [3]>([false, false, true]), squeeze_mask = tensor<bool, [3]>([false, true, false]))"], ["y"])
    write(folder, "slice_update-at", {"x": "h4x6x9", "u": "h2x1x5", "begin_2": "i3"},
          [start, end, "y:h4x6x9 = slice_update(x = x, update = u, begin = b, end = e)"], ["y"])
    write(folder, "slice_update-stride", {"x_90000": "i4x6x9", "u_90000": "i2x1x3", "begin_2": "i3"},
          [start, end, f"y:i4x6x9 = slice_update(x = x_90000, update = u_90000, begin = b, end = e, stride = {ints(1, 1, 2)})"], ["y"])
    write(folder, "slice_update-known", {"x_90000": "i4x6", "u_90000": "i2x1"},
          [f"y:i4x6 = slice_update(x = x_90000, update = u_90000, begin = {ints(1, 2)}, end = {ints(3, 3)})"], ["y"])


def sampling(folder):
    for mode in ("nearest", "bilinear"):
        for padding in ("constant", "border", "reflection"):
            for coordinates, align in (("unnormalized", "false"), ("normalized_minus_one_to_one", "true"),
                                       ("normalized_minus_one_to_one", "false"), ("normalized_zero_to_one", "false")):
                grid, places = ("grid_9", 1) if coordinates == "unnormalized" else ("grid", 2.6 if padding == "reflection" else 1)
                write(folder, f"resample-{mode}-{padding}-{coordinates}-{align}", {"x": "f2x3x6x8", grid: "f2x5x3x2"},
                      ([] if places == 1 else [f"g:f2x5x3x2 = mul(x = {grid}, y = fp32({places}))"]) +
                      [f"y:f2x3x5x3 = resample(align_corners = bool({align}), coordinates = {grid if places == 1 else 'g'}, coordinates_mode = {word(coordinates)}, "
                       f"padding_mode = {word(padding)}, padding_value = fp32(0.5), sampling_mode = {word(mode)}, x = x)"], ["y"])
    for mode, padding, align in (("nearest", "border", "true"), ("bilinear", "constant", "false"), ("bilinear", "border", "true")):
        write(folder, f"affine-{mode}-{padding}-{align}", {"x": "f2x3x6x8", "a": "f2x6"},
              [f"y:f2x3x4x5 = affine(align_corners = bool({align}), coordinates_mode = {word('normalized_minus_one_to_one')}, "
               f"output_height = int32(4), output_width = int32(5), padding_mode = {word(padding)}, padding_value = fp32(0.5), "
               f"sampling_mode = {word(mode)}, transform_matrix = a, x = x)"], ["y"])


def regions(folder):
    """Boxes that are computed, some of them beyond the image."""
    moved = ["w:f{0} = mul(x = b, y = fp32({1}))", "c:f{0} = add(x = w, y = fp32({1}))"]
    rest = ", normalized_coordinates = bool({}), target_height = int32({}), target_width = int32({}), sampling_mode = {}, box_coordinate_mode = {}, x = x)"
    for mode, corners, normal, size in (("ALIGN_CORNERS", "CORNERS_HEIGHT_FIRST", "false", (4, 5)), ("OFFSET_CORNERS", "CORNERS_WIDTH_FIRST", "false", (3, 1)),
                                        ("STRICT_ALIGN_CORNERS", "CORNERS_WIDTH_FIRST", "true", (2, 7)), ("ALIGN_CORNERS", "CORNERS_HEIGHT_FIRST", "true", (1, 2))):
        move = [line.format("5x4", 0.6 if normal == "true" else 4) for line in moved]
        end = rest.format(normal, *size, word(mode), word(corners))
        write(folder, f"crop_resize-{mode}-{normal}", {"x": "f3x2x6x8", "b": "f5x4", "at_2": "i5"},
              move + [f"i:i5 = abs(x = at_2)", f"y:f5x2x{size[0]}x{size[1]} = crop_resize(boxes = c, box_indices = i, pad_value = fp32(0.25)" + end], ["y"])
    move = [line.format("4x1x4x1x1", 3) for line in moved]
    write(folder, "crop_resize-all-images", {"x": "f2x3x6x8", "b": "f4x1x4x1x1"},
          move + ["y:f4x2x3x4x5 = crop_resize(roi = c" + rest.format("false", 4, 5, word("ALIGN_CORNERS"), word("CORNERS_HEIGHT_FIRST"))], ["y"])
    write(folder, "crop_resize-in-order", {"x": "h3x3x6x8", "b": "h2x4"},
          ["y:h2x3x4x5 = crop_resize(boxes = b" + rest.format("true", 4, 5, word("ALIGN_CORNERS"), word("CORNERS_HEIGHT_FIRST"))], ["y"])
    write(folder, "crop_resize-which-image", {"x": "f3x2x6x8", "b_2": "f4x1x5x1x1"},
          ["c:f4x1x5x1x1 = abs(x = b_2)", "y:f4x1x2x4x5 = crop_resize(roi = c, spatial_scale = fp32(1.5)" +
           rest.format("false", 4, 5, word("OFFSET_CORNERS"), word("CORNERS_HEIGHT_FIRST"))], ["y"])


def limits(folder):
    """What is beyond a limit of the engine is the host's; the rest stays."""
    write(folder, "long-rows", {"x": "h1x8x16"},
          [table(20002, 16, 1), "m:h16x16 = const()[val = tensor<fp16, [16, 16]>(BLOBFILE(path = "
           'string("@model_path/weights/weight.bin"), offset = uint64(128)))]',
           "h:h1x8x16 = matmul(x = x, y = m, transpose_x = bool(false), transpose_y = bool(false))", "r:h1x8x16 = relu(x = h)",
           "s:h1x8x20002 = matmul(x = r, y = table, transpose_x = bool(false), transpose_y = bool(true))",
           "at:i1x8 = reduce_argmax(x = s, axis = int32(2), keep_dims = bool(false))"], ["at", "r"])


def digits(folder):
    """What fp16 does not count, nor turn: places beyond 2048, angles of positions."""
    write(folder, "topk-long-rows", {"x": "h2x5000", "t": "h2x5000"},
          [f"v:h2x6, i:i2x6 = topk(x = x, k = int32(6), axis = int32(1), ascending = bool(false), sort = bool(true), return_indices = bool(true))",
           "y:h2x6 = gather_along_axis(x = t, indices = i, axis = int32(1))"], ["v", "i", "y"])
    write(folder, "argsort-long-rows", {"x": "h2x2100"}, ["i:i2x2100 = argsort(x = x, axis = int32(-1), ascending = bool(true))"], ["i"])
    frequencies = [10000 ** (-i / 8) for i in range(8)]
    constant = lambda shape, nest: f"tensor<fp32, [{shape}]>({nest % ', '.join(value.hex() for value in frequencies)})"
    write(folder, "angles-long-rows", {"p_8000": "i1x7", "x": "f1x7x8"},
          [f"q:f1x7 = cast(x = p_8000, dtype = {word('fp32')})", f"e:f1x7x1 = expand_dims(x = q, axes = {ints(-1)})",
           f"a:f1x7x8 = mul(x = e, y = {constant('1, 1, 8', '[[[%s]]]')})", "c:f1x7x8 = cos(x = a)", "s:f1x7x8 = sin(x = a)",
           "u:f1x7x8 = mul(x = c, y = x)", "y:f1x7x8 = add(x = u, y = s)"], ["y", "s"])
    column = "tensor<fp32, [1, 8, 1]>([[" + ", ".join(f"[{value.hex()}]" for value in frequencies) + "]])"
    write(folder, "angles-of-products-long-rows", {"p_8000": "i1x7", "x": "f1x7x16"},
          [f"q:f1x7 = cast(x = p_8000, dtype = {word('fp32')})", f"e:f1x1x7 = expand_dims(x = q, axes = {ints(1)})",
           f"a:f1x8x7 = matmul(x = {column}, y = e, transpose_x = bool(false), transpose_y = bool(false))",
           f"t:f1x7x8 = transpose(x = a, perm = {ints(0, 2, 1)})", "w:f1x7x16 = concat(values = (t, t), axis = int32(-1), interleave = bool(false))",
           "c:f1x7x16 = cos(x = w)", "y:f1x7x16 = mul(x = x, y = c)"], ["y"])


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for group in (gathers, scatters, arithmetic, along, movement, boxes, sampling, regions, limits, digits,
                  whole_numbers):
        group(sys.argv[1])


main()
