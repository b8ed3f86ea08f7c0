"""What package.test runs: every function of the package, and its errors."""
import sys
import unittest

import ane
import numpy as np

FILE = sys.argv.pop()
ADD = """
func.func @main(%x: tensor<1x4x8x8xf32> {ane.name = "image"}, %y: tensor<1x4x8x8xf32>)
    -> (tensor<1x4x8x8xf32> {ane.name = "sum"}) {
  %0 = tosa.add %x, %y : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}
"""
X = np.arange(256, dtype=np.float32).reshape(1, 4, 8, 8) / 16


class Package(unittest.TestCase):
    def test_devices(self):
        simulator = ane.devices()[0]
        self.assertEqual((simulator.kind, simulator.state, simulator.ready), ("sim", "ready", True))

    def test_run(self):
        program = ane.compile_text(ADD)
        self.assertEqual([(t.name, t.shape, t.dtype) for t in program.inputs],
                         [("image", (1, 4, 8, 8), np.float16), ("input1", (1, 4, 8, 8), np.float16)])
        self.assertEqual([t.name for t in program.outputs], ["sum"])
        for inputs in ({"image": X, "input1": X}, [X, X.reshape(4, 8, 8)]):
            for mode in ("exact", "fast"):
                np.testing.assert_array_equal(program.run(inputs, mode=mode)["sum"], (2 * X).astype(np.float16))
        self.assertEqual((program.stats.tasks, program.stats.compulsory_bytes), (1, 3 * 512))
        self.assertGreater(program.stats.predicted_ms, 0)
        program.run([X, X], mode="count")
        self.assertEqual(program.stats.dram_bytes, 3 * 512)

    def test_files(self):
        with open(FILE + ".mlir", "w") as file:
            file.write(ADD)
        ane.compile(FILE + ".mlir").save(FILE)
        np.testing.assert_array_equal(ane.load(FILE).run([X, -X])["sum"], np.zeros_like(X))

    def test_options(self):
        program = ane.compile_text(ADD, bind=["image=random:3"])
        self.assertEqual([t.name for t in program.inputs], ["input0"])
        once, again = (ane.compile_text(ADD, bind=[f"0=random:{seed}"]).run(0 * X)["sum"] for seed in (3, 4))
        np.testing.assert_array_equal(program.run([0 * X])["sum"], once)
        self.assertTrue((once != again).any())
        self.assertIn("ane.elementwise", ane.compile_text(ADD, stop_after="legalize"))
        self.assertNotEqual(ane.compile_text(ADD, flavour="zin-9.509").data, ane.compile_text(ADD).data)

    def test_compile_errors(self):
        for network, options, message in (
            (ADD.replace("tosa.add", "tosa.no"), {}, "network:4:8: error: custom op 'tosa.no' is unknown"),
            (ADD, {"target": "h99"}, "error: .*h99"),
            (ADD, {"function": "other"}, "error: .*other"),
            (ADD, {"stop_after": "lunch"}, "unknown phase 'lunch'"),
            (ADD, {"bind": ["9=random:1"]}, "error: "),
            (b"program(", {}, "network:1:9: error: "),
            (b"\0\1\2", {}, "error: "),
        ):
            with self.assertRaisesRegex(ane.CompileError, message):
                ane.compile_text(network, **options)
        with self.assertRaises(FileNotFoundError):
            ane.compile("/nowhere/net.mlir")

    def test_run_errors(self):
        program = ane.compile_text(ADD)
        for inputs, options, message in (
            ([X], {}, "1 arrays for 2 inputs: image, input1"),
            ({"image": X, "y": X}, {}, "the inputs are image, input1"),
            ([X, X[:, :3]], {}, r"input 'input1' has shape \(1, 4, 8, 8\), the array \(1, 3, 8, 8\)"),
            ([X, X.astype(np.int8)], {}, "input 'input1' holds float16, the array int8"),
            ([X, X], {"device": "apple"}, "device apple is not ready"),
            ([X, X], {"device": "tpu"}, "tpu"),
        ):
            with self.assertRaisesRegex(ane.RunError, message):
                program.run(inputs, **options)
        with self.assertRaises(ValueError):
            program.run([X, X], mode="slow")
        with self.assertRaisesRegex(ane.RunError, "header"):
            ane.Program(b"no program")
        with self.assertRaisesRegex(ane.RunError, "error|bytes|offset|command|segment"):
            ane.Program(program.data[: len(program.data) // 2])


unittest.main()
