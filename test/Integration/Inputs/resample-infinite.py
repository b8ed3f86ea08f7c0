"""resample-infinite.py PREFIX: samples images at infinite coordinates, in all modes of resample."""
import itertools
import subprocess
import sys

import numpy as np

prefix = sys.argv[1]
rng = np.random.default_rng(1)
right = total = 0
for rows, coordinates, align in itertools.product((1, 5), ("unnormalized", "normalized_minus_one_to_one"), (False, True)):
    image = rng.uniform(1, 2, (1, 2, rows, 4)).astype(np.float16)
    # Column and row of each sample; the last is the middle of the image.
    middle = [1.5, (rows - 1) / 2] if coordinates == "unnormalized" else [0, 0]
    places = [(a, b) for a in (-np.inf, np.inf) for b in (-np.inf, np.inf)] + [(np.inf, middle[1]), tuple(middle)]
    grid = np.array(places, np.float16).reshape(1, 1, -1, 2)
    modes = list(itertools.product(("nearest", "bilinear"), ("constant", "border", "symmetric")))
    with open(prefix + ".mil", "w") as file:
        file.write("program(1.3)\n{\n    func main<ios18>(tensor<fp16, [1, 1, 6, 2]> c, tensor<fp16, "
                   f"[1, 2, {rows}, 4]> x) {{\n")
        for i, (mode, padding) in enumerate(modes):
            file.write(f"        tensor<fp16, [1, 2, 1, 6]> y{i} = resample(align_corners = bool({str(align).lower()}), coordinates = c, "
                       f'coordinates_mode = string("{coordinates}"), padding_mode = string("{padding}"), padding_value = fp16(0x1.8p+1), '
                       f'sampling_mode = string("{mode}"), x = x);\n')
        file.write("    } -> (" + ", ".join(f"y{i}" for i in range(len(modes))) + ");\n}\n")
    np.save(prefix + ".x.npy", image)
    np.save(prefix + ".c.npy", grid)
    subprocess.run(["ane-compile", prefix + ".mil", "-o", prefix + ".hwx"], check=True)
    subprocess.run(["ane-run", prefix + ".hwx", f"--input=c={prefix}.c.npy", f"--input=x={prefix}.x.npy",
                    *(f"--output=y{i}={prefix}.{i}.npy" for i in range(len(modes)))], check=True)
    for i, (mode, padding) in enumerate(modes):
        got = np.load(f"{prefix}.{i}.npy").astype(np.float64)[0, :, 0, :]
        pixels = image[0].astype(np.float64)
        good = np.isfinite(got).all() and (got < 3.01).all() and (got > 0.99).all()
        # One row with corners aligned is at all coordinates.
        if padding == "constant" and not (rows == 1 and align and coordinates != "unnormalized"):
            good &= (got[:, :4] == 3).all()
        elif padding == "border":
            good &= np.allclose(got[:, 0], pixels[:, 0, 0], 2e-3) and np.allclose(got[:, 3], pixels[:, -1, -1], 2e-3)
        if mode == "bilinear":
            good &= np.allclose(got[:, 5], pixels[:, (rows - 1) // 2, 1:3].mean(1), 4e-3)
        total += 1
        right += int(good)
        if not good:
            print(rows, coordinates, align, mode, padding, got, pixels)
print(f"{right} of {total} are right")
