"""Indices that no tensor has, divisors of zero and numbers that no integer is, on the host.

usage: mil-host-hostile.py FOLDER BIN
"""
import os
import subprocess
import sys

import numpy as np

folder, tools = sys.argv[1:]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "python"))
os.environ["ANE_LIBRARY_DIR"] = os.path.join(tools, "..", "lib")
import ane

TEXT = """program(1.3)
[buildInfo = dict<string, string>({})]
{
  func main<ios18>(tensor<fp16, [5, 2]> x, tensor<int32, [4]> at, tensor<int32, [4]> y, tensor<fp16, [4]> z) {
    tensor<fp16, [4, 2]> g = gather(axis = int32(0), indices = at, x = x);
    tensor<fp16, [5, 2]> s = scatter(axis = int32(0), data = x, indices = at, mode = string("update"), updates = g);
    tensor<int32, [4]> d = floor_div(x = at, y = y);
    tensor<int32, [4]> m = mod(x = at, y = y);
    tensor<fp32, [4]> w = cast(x = z, dtype = string("fp32"));
    tensor<int32, [4]> i = cast(x = w, dtype = string("int32"));
    tensor<int32, [4]> j = add(x = i, y = y);
  } -> (g, s, d, m, j);
}
"""
with open(f"{folder}/hostile.mil", "w") as file:
    file.write(TEXT)
subprocess.run([f"{tools}/ane-compile", f"{folder}/hostile.mil", f"--host={folder}/hostile.mlir", "-o", f"{folder}/hostile.hwx"],
               check=True)
least, most = -(1 << 31), (1 << 31) - 1
x = np.arange(10, dtype=np.float16).reshape(5, 2)
at = np.array([least, most, -1, 2], np.int32)
y = np.array([-1, 0, 0, -2], np.int32)
z = np.array([np.inf, -np.inf, 7.9, -7.9], np.float16)
network = ane.load_host(f"{folder}/hostile.mlir")
got = network.run({"x": x, "at": at, "y": y, "z": z})


def expect(name, want):
    assert np.array_equal(got[name], want), (name, got[name], want)


# The nearest row; what is outside changes nothing.
expect("g", x[[0, 4, 4, 2]])
expect("s", x)
expect("d", [most, 0, 0, -1])
expect("m", [0, 0, 0, 0])
# The engine has no infinities behind its functions: both ends are those of the type.
assert got["j"].dtype == np.int32 and list(got["j"][2:]) == [7, -9], got["j"]

# Coordinates that no image has name what is around it, or an edge: of an image that is too large for the engine.
SAMPLES = """program(1.3)
[buildInfo = dict<string, string>({})]
{
  func main<ios18>(tensor<fp32, [1, 1, 2048, 2048]> x, tensor<fp32, [1, 16, 1, 2]> grid) {
    tensor<fp32, [1, 1, 16, 1]> around = resample(align_corners = bool(true), coordinates = grid, coordinates_mode = string("unnormalized"), padding_mode = string("constant"), padding_value = fp32(9), sampling_mode = string("nearest"), x = x);
    tensor<fp32, [1, 1, 16, 1]> edge = resample(align_corners = bool(true), coordinates = grid, coordinates_mode = string("unnormalized"), padding_mode = string("border"), padding_value = fp32(9), sampling_mode = string("bilinear"), x = x);
    tensor<fp32, [1, 1, 16, 1]> blend = resample(align_corners = bool(true), coordinates = grid, coordinates_mode = string("unnormalized"), padding_mode = string("constant"), padding_value = fp32(9), sampling_mode = string("bilinear"), x = x);
    tensor<fp32, [1, 1, 16, 1]> turned = resample(align_corners = bool(true), coordinates = grid, coordinates_mode = string("unnormalized"), padding_mode = string("reflection"), padding_value = fp32(9), sampling_mode = string("bilinear"), x = x);
  } -> (around, edge, blend, turned);
}
"""
with open(f"{folder}/samples.mil", "w") as file:
    file.write(SAMPLES)
subprocess.run([f"{tools}/ane-compile", f"{folder}/samples.mil", f"--host={folder}/samples.mlir", "-o", f"{folder}/samples.hwx"],
               check=True)
image, grid = np.zeros((1, 1, 2048, 2048), np.float32), np.zeros((1, 16, 1, 2), np.float32)
image[0, 0, 0, -1], image[0, 0, -1, 0], image[0, 0, 1, 2] = 2, 3, 5
grid[0, :4, 0] = [[np.inf, 0], [np.nan, 1], [-1e30, 3e38], [2, 1]]
sampled = ane.load_host(f"{folder}/samples.mlir").run({"x": image, "grid": grid})
assert list(sampled["around"].ravel()[:4]) == [9, 9, 9, 5], sampled["around"]
assert list(sampled["edge"].ravel()[[0, 2, 3]]) == [2, 3, 5], sampled["edge"]
assert list(sampled["blend"].ravel()[[0, 2, 3]]) == [9, 9, 5], sampled["blend"]
assert np.isfinite(sampled["turned"].ravel()[[0, 2, 3]]).all(), sampled["turned"]

# What does not fit is said.
for inputs, words in (({"x": x}, "arrays are given for x; the inputs are x, at, y, z"),
                      ({"x": x, "at": at[:3], "y": y, "z": z}, "input 'at' has shape (4,), the array (3,)"),
                      ({"x": x, "at": at.astype(np.float64), "y": y, "z": z}, "input 'at' holds int32, the array float64")):
    try:
        network.run(inputs)
        raise SystemExit(f"no error: {words}")
    except ane.RunError as error:
        assert words in str(error), error
try:
    network.run({"x": x, "at": at, "y": y, "z": z}, device="none")
    raise SystemExit("no error of the device")
except ane.RunError as error:
    assert "none" in str(error), error
