"""the simulator's convolutions over oneDNN's in f32, one core: ratio NAME-fast X, ratio NAME-exact X

A ratio is oneDNN's time over the simulator's: 1 is as fast as oneDNN. Each time is the
least CPU time of several interleaved repetitions. The simulator's includes all of a run of
the register program (unpacking of weights, conversion of surfaces, epilogue), oneDNN's only
the primitive on data that lies as it likes.
"""
import array
import json
import os
import tempfile

# name, input channels, output channels, height and width, kernel size, groups
LAYERS = [
    ("conv3x3", 64, 64, 56, 3, 1),
    ("conv1x1", 512, 512, 28, 1, 1),
    ("depthwise3x3", 256, 256, 56, 3, 256),
]


def write_npy(path, shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": tuple(shape)}).encode("latin1")
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + values.tobytes())


def network(cin, cout, size, kernel, groups):
    """The layer in TOSA, between the transposes that its layout wants."""
    pad = kernel // 2
    image, result = f"1x{size}x{size}x{cin}", f"1x{size}x{size}x{cout}"
    op, weights, order = "conv2d", f"{cout}x{kernel}x{kernel}x{cin // groups}", "0, 2, 3, 1"
    if groups > 1:
        op, weights, order = "depthwise_conv2d", f"{kernel}x{kernel}x{cin}x1", "2, 3, 0, 1"
    argument = f"{cout}x{cin // groups}x{kernel}x{kernel}"
    types = f"(tensor<{image}xf32>, tensor<{weights}xf32>, tensor<{cout}xf32>, tensor<1xf32>, tensor<1xf32>)"
    return f"""func.func @net(%x: tensor<1x{cin}x{size}x{size}xf32>, %w: tensor<{argument}xf32>) -> tensor<1x{cout}x{size}x{size}xf32> {{
  %b = "tosa.const"() <{{values = dense<0.0> : tensor<{cout}xf32>}}> : () -> tensor<{cout}xf32>
  %z = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {{perms = array<i32: 0, 2, 3, 1>}} : (tensor<1x{cin}x{size}x{size}xf32>) -> tensor<{image}xf32>
  %1 = tosa.transpose %w {{perms = array<i32: {order}>}} : (tensor<{argument}xf32>) -> tensor<{weights}xf32>
  %2 = tosa.{op} %0, %1, %b, %z, %z {{pad = array<i64: {pad}, {pad}, {pad}, {pad}>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32}} : {types} -> tensor<{result}xf32>
  %3 = tosa.transpose %2 {{perms = array<i32: 0, 3, 1, 2>}} : (tensor<{result}xf32>) -> tensor<1x{cout}x{size}x{size}xf32>
  return %3 : tensor<1x{cout}x{size}x{size}xf32>
}}
"""


def run(context):
    context.tool("ane-compile")
    program = context.program("ane-bench-simulator")
    with tempfile.TemporaryDirectory() as folder:
        layers = []
        for name, cin, cout, size, kernel, groups in LAYERS:
            path = os.path.join(folder, name)
            count = cout * cin // groups * kernel * kernel
            # Multiples of 1/128 below 1/4: exact in half precision.
            values = array.array("f", ((i * 104729 % 61 - 30) / 128 for i in range(count)))
            write_npy(path + ".npy", (cout, cin // groups, kernel, kernel), values)
            with open(path + ".mlir", "w", encoding="utf-8") as file:
                file.write(network(cin, cout, size, kernel, groups))
            context.compile(path + ".mlir", "--bind", f"1=@{path}.npy", "-o", path + ".hwx")
            layers.append(f"{name}:{path}.hwx:{path}.npy")
        report = context.run([program, *layers, *context.timing(0.1)])
    times = {}
    for entry in json.loads(report)["benchmarks"]:
        if entry["run_type"] == "iteration":
            name = entry["name"].split("/repeats")[0]
            times[name] = min(times.get(name, 1e9), entry["cpu_time"])
    for name, cin, cout, size, kernel, groups in LAYERS:
        macs = cout * cin // groups * kernel * kernel * size * size
        for mode in ("fast", "exact"):
            context.figure("ratio", f"{name}-{mode}", f"{times[name + '/oneDNN'] / times[f'{name}/{mode}']:.2f}")
        speeds = ", ".join(f"{way} {macs / times[f'{name}/{way}'] / 1e6:.1f}" for way in ("oneDNN", "fast", "exact"))
        context.note(f"  {name}: {cin} -> {cout} channels, {size}x{size}, {kernel}x{kernel}; GMAC/s: {speeds}")
