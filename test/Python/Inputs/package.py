"""What package.test runs: every function of the package, and its errors."""
import ctypes
import inspect
import os
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

import ane
import numpy as np
from ane._runtime import _RunOptions, take_text

FILE = sys.argv.pop()
ADD = """
func.func @main(%x: tensor<1x4x8x8xf32> {ane.name = "image"}, %y: tensor<1x4x8x8xf32>)
    -> (tensor<1x4x8x8xf32> {ane.name = "sum"}) {
  %0 = tosa.add %x, %y : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}
"""
MIL = """program(1.3) {
func main<ios18>(tensor<fp16, [4, 8]> a, tensor<fp16, [1, 4, 1, 8]> b) {
  tensor<fp16, [1, 4, 1, 8]> c = reshape(x = a, shape = tensor<int32, [4]>([1, 4, 1, 8]));
  tensor<fp16, [1, 4, 1, 8]> y = sub(x = c, y = b);
} -> (y); }"""
X = np.arange(256, dtype=np.float32).reshape(1, 4, 8, 8) / 16


class Package(unittest.TestCase):
    def test_devices(self):
        simulator = ane.devices()[0]
        self.assertEqual((simulator.kind, simulator.state, simulator.ready), ("sim", "ready", True))
        self.assertEqual(simulator.permissions, ())
        self.assertEqual([permission.what for permission in ane.devices()[1].permissions],
                         ["root", "System Integrity Protection", "com.apple.aned.private.allow"])

    def test_run(self):
        program = ane.compile_text(ADD)
        self.assertEqual([(t.name, t.shape, t.dtype) for t in program.inputs],
                         [("image", (1, 4, 8, 8), np.float16), ("input1", (1, 4, 8, 8), np.float16)])
        self.assertEqual([t.name for t in program.outputs], ["sum"])
        for inputs in ({"image": X, "input1": X}, [X, X.reshape(4, 8, 8)]):
            for mode in ("exact", "fast", "engine"):
                np.testing.assert_array_equal(program.run(inputs, mode=mode)["sum"], (2 * X).astype(np.float16))
        self.assertEqual((program.stats.tasks, program.stats.compulsory_bytes), (1, 3 * 512))
        self.assertGreater(program.stats.predicted_ms, 0)
        program.run([X, X], mode="count")
        self.assertEqual(program.stats.dram_bytes, 3 * 512)

    def test_background(self):
        program = ane.compile_text(ADD)
        event = ane.Event()
        request = program.submit([X, X], wait=(event, 2), signal=(event, 3), timeout=30)
        self.assertFalse(request.done())
        second = program.submit([X, X])
        self.assertTrue(second.cancel())
        self.assertFalse(second.cancel())
        with self.assertRaisesRegex(ane.RunError, "cancelled before it began"):
            second.result()
        with self.assertRaisesRegex(ane.RunError, "the event did not reach 3 in 10 ms, it is at 0"):
            event.wait(3, timeout=0.01)
        event.signal(2)
        event.wait(3)
        self.assertEqual(event.value, 3)
        np.testing.assert_array_equal(request.result()["sum"], (2 * X).astype(np.float16))
        self.assertTrue(request.wait(1))
        for value in (-1, 1.5, True):
            with self.assertRaisesRegex(ValueError, "the value of an event is"):
                event.signal(value)
        for seconds in (-1, "1", True):
            with self.assertRaisesRegex(ValueError, "timeout is"):
                program.run([X, X], timeout=seconds)
        with self.assertRaisesRegex(ValueError, "timeout is 0; a run takes longer"):
            program.submit([X, X], timeout=0)
        with self.assertRaisesRegex(ane.RunError, "no device is of kind 'gpu'"):
            ane.Event("gpu")

    def test_states(self):
        program = ane.compile_text(ADD)
        program.keep("image", "sum")
        program.set_state("image", X)
        for _ in range(3):
            last = program.run({"input1": X})["sum"]
        np.testing.assert_array_equal(last, (4 * X).astype(np.float16))
        np.testing.assert_array_equal(program.state("image"), last)
        np.testing.assert_array_equal(program.run([X])["sum"], (5 * X).astype(np.float16))
        for arguments, message in ((("image", "sum"), "'image' is part of a state already"),
                                   (("other", "sum"), "the program has no input 'other'")):
            with self.assertRaisesRegex(ane.RunError, message):
                program.keep(*arguments)
        with self.assertRaisesRegex(ane.RunError, "no input 'sum'; there are: image, input1"):
            program.state("sum")
        with self.assertRaisesRegex(ane.RunError, "'input1' is no input that is kept"):
            program.state("input1")
        with self.assertRaisesRegex(ane.RunError, "cannot be in the same memory: task 0 reads 'input1'"):
            program = ane.compile_text(ADD)
            program.keep("input1", "sum", alias=True)
        with self.assertRaisesRegex(ane.RunError, "programs of one procedure"):
            program.share(program, "sim")

    def test_arrays(self):
        whole = np.arange(256).reshape(1, 4, 8, 8) - 128
        program = ane.compile_text(ADD)
        for kind in (np.int8, np.int64):
            np.testing.assert_array_equal(program.run([whole.astype(kind), X])["sum"], (whole + X).astype(np.float16))
        # Results have the shape of the network.
        text = ADD.replace("1x4x8x8", "256")
        program = ane.compile_text(text)
        self.assertEqual([t.shape for t in program.tensors], [(256,)] * 3)
        self.assertEqual(program.run([X, X])["sum"].shape, (256,))
        self.assertEqual(ane.Program(program.data).outputs[0].shape, (256,))

    def test_values(self):
        program = ane.compile_text(ADD)
        large, small = X.copy(), X.copy()
        large[0, 0, 0, :3] = small[0, 0, 0, :3] = (60000, 3e-8, np.inf)
        program.run([large, small])
        image, other, total, task = program.values
        self.assertEqual((image.name, image.task, image.elements, image.infinities, image.nans), ("image", None, 256, 1, 0))
        self.assertEqual((total.name, total.infinities, total.nans, total.subnormals, total.largest), ("sum", 2, 0, 1, 120000))
        self.assertEqual((task.task, task.infinities, task.underflows, task.inherits_special), (0, 2, 0, True))
        program.run([X, X], mode="count")
        self.assertEqual(program.values, [])

    def test_accuracy(self):
        square = ("%s = \"tosa.const\"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>\n"
                  "  %1 = tosa.mul %0, %0, %s : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>, tensor<1xi8>) "
                  "-> tensor<1x4x8x8xf32>\n  return %1")
        program = ane.compile_text(ADD.replace("return %0", square))
        data = program.accuracy({"input1": 20 * X, "image": 20 * X / 3}, mode="exact")
        add, mul = data["ops"]
        self.assertEqual((add["kind"], mul["kind"], add["shape"]), ("add", "mul", [1, 4, 8, 8]))
        self.assertAlmostEqual(add["reference"]["most"], X.max() * 80 / 3, delta=1e-2)
        total = np.float16(20 * X).astype(np.float64) + np.float16(20 * X / 3)
        self.assertEqual(mul["total"]["lost"], (np.float16(total).astype(np.float64)**2 >= 65520).sum())
        self.assertGreater(mul["total"]["lost"], 0)
        self.assertEqual(data["first_deviation"], 1)
        self.assertIsNone(program.accuracy([0 * X, X / 16])["first_deviation"])
        self.assertEqual(program.accuracy(seed=1)["ops"], program.accuracy(seed=1, mode="exact")["ops"])
        for arguments, message in ((([X, X, X],), "the inputs are image, input1, each once"),
                                   (([X[:, :2], X],), "input 'image' has 256 elements, the array 128")):
            with self.assertRaisesRegex(ane.CompileError, message):
                program.accuracy(*arguments)
        with self.assertRaises(ane.CompileError):
            program.accuracy(mode="count")

    def test_version(self):
        self.assertRegex(ane.version(), r"^mlir-ane [0-9.]+ \([0-9a-f]{12}|commit unknown\)$")

    def test_files(self):
        with open(FILE + ".mlir", "w") as file:
            file.write(ADD)
        ane.compile(FILE + ".mlir").save(FILE)
        np.testing.assert_array_equal(ane.load(FILE).run([X, -X])["sum"], np.zeros_like(X))

    @unittest.skipUnless("ANE_APPLE_STAND_IN" in os.environ, "needs a stand-in for the libraries of macOS")
    def test_apple(self):
        self.assertIn(("apple", "h13g", True), [(d.kind, d.generation, d.ready) for d in ane.devices()])
        with open(FILE + ".mil", "w") as file:
            file.write(MIL)
        network = ane.load(FILE + ".mil")
        self.assertEqual([(t.name, t.shape, t.is_output) for t in network.tensors],
                         [("a", (4, 8), False), ("b", (1, 4, 1, 8), False), ("y", (1, 4, 1, 8), True)])
        a, b = X.reshape(-1)[:32], X.reshape(-1)[40:72]
        for _ in range(2):
            np.testing.assert_array_equal(network.run({"b": b, "a": a}, device="apple")["y"].reshape(-1),
                                          (a - b).astype(np.float16))
        self.assertEqual(network.stats.tasks, 0)
        with self.assertRaisesRegex(ane.RunError, "device sim runs register programs, not MIL text; compile"):
            network.run([a, b])
        # Two functions of one program.
        other = MIL[MIL.index("func"):-1].replace("main", "other").replace("sub(", "add(")
        with open(FILE + ".two.mil", "w") as file:
            file.write(MIL[:-1] + other + "}")
        with self.assertRaisesRegex(ane.RunError, "has 2 functions: main, other; say which"):
            ane.load(FILE + ".two.mil")
        first, second = (ane.load(FILE + ".two.mil", function=name) for name in ("main", "other"))
        first.share(second, "apple")
        for program, expected in ((first, a - b), (second, a + b)):
            np.testing.assert_array_equal(program.run([a, b], device="apple")["y"].reshape(-1), expected.astype(np.float16))
        with self.assertRaisesRegex(ane.RunError, "another function of the text that was loaded"):
            first.share(network, "apple")
        ane.compile(FILE + ".mil").save(FILE)
        with self.assertRaisesRegex(ane.RunError, "no MIL text, which alone has functions"):
            ane.load(FILE, function="main")
        with self.assertRaisesRegex(ane.RunError, "sudo install -m 0644 '" + FILE):
            ane.load(FILE).run([a, b], device="apple")
        with self.assertRaisesRegex(ane.RunError, "takes whole .hwx files"):
            ane.Program(ane.load(FILE).data).run([a, b], device="apple")
        with open(FILE + ".mil", "w") as file:
            file.write(MIL.replace("sub", "sub(s = string(\"@model_path/w.bin\"))"))
        with self.assertRaisesRegex(ane.RunError, "but /nowhere/w.bin is no file"):
            ane.load(FILE + ".mil", mil_root="/nowhere")

    def test_options(self):
        program = ane.compile_text(ADD, bind=["image=random:3"])
        self.assertEqual([t.name for t in program.inputs], ["input0"])
        once, again = (ane.compile_text(ADD, bind=[f"0=random:{seed}"]).run(0 * X)["sum"] for seed in (3, 4))
        np.testing.assert_array_equal(program.run([0 * X])["sum"], once)
        self.assertTrue((once != again).any())
        self.assertIn("ane.elementwise", ane.compile_text(ADD, stop_after="legalize"))
        self.assertNotEqual(ane.compile_text(ADD, flavour="zin-9.509").data, ane.compile_text(ADD).data)
        sigmoid = ADD.replace("return %0", "%1 = tosa.sigmoid %0 : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>\n  return %1")
        for goal, form in ((None, "table"), ("best", "odd_gate")):
            text = ane.compile_text(sigmoid, accuracy_goal=goal, stop_after="simplify")
            self.assertIn(f'ane.form = "{form}"', text)

    def test_shape(self):
        program = ane.compile_text(ADD.replace("1x4x8x8", "?x4x8x8"), shape=["image=1x4x8x8", "1=1x4x8x8"])
        self.assertEqual(program.data, ane.compile_text(ADD).data)
        with self.assertRaisesRegex(ane.CompileError, "shape '7=1' names no argument"):
            ane.compile_text(ADD, shape="7=1")

    def test_targets(self):
        for target in ("h13", "h14", "h15", "h16", "h17", "h18"):
            program = ane.compile_text(ADD, target=target)
            np.testing.assert_array_equal(program.run([X, X])["sum"], (2 * X).astype(np.float16))
            self.assertIn(f"-t {target}".encode(), program.data)

    def test_compile_errors(self):
        for network, options, message in (
            (ADD.replace("tosa.add", "tosa.no"), {}, "network:4:8: error: custom op 'tosa.no' is unknown"),
            (ADD, {"target": "h99"}, "error: .*h99"),
            (ADD, {"function": "other"}, "error: .*other"),
            (ADD, {"stop_after": "lunch"}, "unknown phase 'lunch'"),
            (ADD, {"bind": ["9=random:1"]}, "error: "),
            (ADD, {"bind": "8=random:1"}, "binding '8=random:1' names no argument"),
            (b"program(", {}, "network:1:9: error: "),
            (b"\0\1\2", {}, "error: "),
            # MLIR's parser would take the process down.
            ("module {\n" * 10000 + "}\n" * 10000, {}, "network:1001:8: error: nests more than 1000 levels deep"),
        ):
            with self.assertRaisesRegex(ane.CompileError, message):
                ane.compile_text(network, **options)
        with self.assertRaises(FileNotFoundError):
            ane.compile("/nowhere/net.mlir")

    def test_parts_of_errors(self):
        with self.assertRaises(ane.CompileError) as caught:
            ane.compile_text(ADD.replace("tosa.add", "tosa.no"), "net.mlir")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column, error.op), ("net.mlir", 4, 8, "tosa.no"))
        self.assertEqual([item.severity for item in error.diagnostics], ["error"])
        self.assertIn(str(error.diagnostics[0]), str(error))
        # Messages with notes, a hint and lines of source; one without a place.
        several = ane.CompileError("a b.mlir:3:4: error: 'ane.conv' op has stride 9, at most 4; use strides 1, 2 or 4\n"
                                   "  %0 = ane.conv: error\n       ^\na b.mlir:1:1: note: from here\nerror: no more")
        self.assertEqual((several.file, several.op, several.hint), ("a b.mlir", "ane.conv", "use strides 1, 2 or 4"))
        self.assertEqual(several.diagnostics[0].notes, ("from here",))
        self.assertEqual((several.diagnostics[1].file, several.diagnostics[1].message), (None, "no more"))
        self.assertEqual((several.diagnostics[1].op, several.diagnostics[1].hint), (None, None))
        # A limit, its value and its id; a way out.
        with self.assertRaises(ane.CompileError) as caught:
            ane.compile("""func.func @net(%x: tensor<1x17000x4xf16>, %y: tensor<1x4x17000xf16>) -> tensor<1x17000x17000xf16> {
  %0 = ane.matmul %x, %y : tensor<1x17000x4xf16>, tensor<1x4x17000xf16> -> tensor<1x17000x17000xf16>
  return %0 : tensor<1x17000x17000xf16>
}""", name="net.mlir")
        error = caught.exception
        self.assertEqual((error.value, error.limit, error.constraint), (17000, 16384, "tensor_l2"))
        self.assertEqual(error.location, f"net.mlir:2:{error.column}")
        # What has no place.
        with self.assertRaises(ane.CompileError) as caught:
            ane.compile(ADD, target="h99")
        self.assertEqual((caught.exception.location, caught.exception.value), (None, None))
        self.assertTrue(issubclass(ane.CompileError, ane.Error) and issubclass(ane.RunError, ane.Error))

    def test_call(self):
        program = ane.compile(ADD)
        for got in (program(X, X), program(X, input1=X), program(input1=X, image=X, mode="fast")):
            np.testing.assert_array_equal(got, (2 * X).astype(np.float16))
        two = ane.compile(ADD.replace("(tensor<1x4x8x8xf32> {ane.name = \"sum\"})", "(tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>)")
                          .replace("return %0 :", "return %0, %0 : tensor<1x4x8x8xf32>,"))
        self.assertEqual(list(two(X, X)), ["output0", "output1"])
        for arrays, named, message in (((X, X, X), {}, "3 arrays for 2 inputs"), ((X,), {"image": X}, "'image' is given twice"),
                                       ((X,), {}, "the inputs are image, input1"), ((X, X), {"z": X}, "given for image, input1, z")):
            with self.assertRaisesRegex(ane.RunError, message):
                program(*arrays, **named)
        self.assertEqual(repr(program), "<ane.CompiledProgram image 1x4x8x8 float16, input1 1x4x8x8 float16 -> sum 1x4x8x8 float16>")

    def test_sources(self):
        """Text, bytes, files of each kind and packages give the same program."""
        data, stem = ane.compile_text(ADD).data, FILE + " of a kind"
        with open(stem + ".mlir", "w") as file:
            file.write(ADD)
        for source in (ADD, ADD.encode(), memoryview(ADD.encode()), stem + ".mlir", pathlib.Path(stem + ".mlir")):
            self.assertEqual(ane.compile(source).data, data)
        tool = os.path.join(os.environ["ANE_BIN_DIR"], "ane-")
        subprocess.run([tool + "opt", stem + ".mlir", "-emit-bytecode", "-o", stem + ".mlirbc"], check=True)
        with open(stem + ".mlirbc", "rb") as file:
            self.assertEqual(ane.compile(file.read()).data, data)
        package = stem + ".mlpackage"
        subprocess.run([tool + "compile", stem + ".mlir", "-o", package], check=True)
        program = ane.compile(package)
        np.testing.assert_array_equal(program(X, X), (2 * X).astype(np.float16))
        self.assertIsNone(program.accuracy([X, X])["first_deviation"])
        with self.assertRaisesRegex(ane.CompileError, "has neither Manifest.json"):
            ane.compile(os.path.dirname(FILE))
        # Each is refused by an exception.
        for source, error in ((None, TypeError), (5, TypeError), ([], TypeError), ("a\0b", ValueError), (b"", ane.CompileError),
                              (b"ML\xefR" + b"\xff" * 50, ane.CompileError), ("{", ane.CompileError), (b"\xff\n", ane.CompileError), (b"\x08\x07\x12\x03abc\0", ane.CompileError)):
            with self.assertRaises(error, msg=repr(source)):
                ane.compile(source)
        for options, error in (({"target": 13}, TypeError), ({"target": "h\0"}, ValueError), ({"bind": 5}, TypeError),
                               ({"bind": {"image": 5}}, TypeError), ({"shape": {"image": None}}, TypeError),
                               ({"range": {"image": 3}}, TypeError), ({"report": "x.txt"}, ane.CompileError),
                               ({"host": True, "stop_after": "tile"}, ValueError), ({"no": 1}, TypeError)):
            with self.assertRaises(error, msg=str(options)):
                ane.compile(ADD, **options)

    def test_arrays_as_options(self):
        bound = ane.compile(ADD, bind={1: X}, range={"image": (0, 16)})
        np.testing.assert_array_equal(bound(X), (2 * X).astype(np.float16))
        np.testing.assert_array_equal(ane.compile(ADD, bind={1: X.astype(np.float64)})(X), bound(X))
        shaped = ane.compile(ADD.replace("1x4x8x8", "?x4x8x8"), shape={"image": (1, 4, 8, 8), 1: [1, 4, 8, 8]})
        self.assertEqual(shaped.data, ane.compile(ADD).data)

    def test_looking(self):
        program = ane.compile(ADD, name="sum <b>.mlir", report=FILE + ".html")
        with open(FILE + ".html") as file:
            self.assertIn("<html", file.read())
        profile = program.profile()
        task, = profile
        self.assertEqual((task.number, task.op, task.unit), (0, "add", "PE"))
        self.assertTrue(task.sources[0].startswith("sum <b>.mlir:4:8: %0 = tosa.add"), task.sources)
        self.assertAlmostEqual(profile.predicted_ms, profile.dispatch_ms + task.ms, places=4)
        self.assertEqual((profile[0], profile.slowest()), (task, [task]))
        self.assertIn("add", str(profile))
        loaded = ane.Program(program.data)
        self.assertEqual(loaded.profile()[0], task._replace(sources=()))
        for kind in (".json", ".html"):
            report = program.report(FILE + kind)
            self.assertEqual(report["program"]["tasks"], 1)
            self.assertGreater(os.path.getsize(FILE + kind), 1000)
        with self.assertRaises(ValueError):
            program.report("page.txt")
        self.assertIn("Common.Cfg", loaded.explain("Common.Cfg"))
        self.assertIn("KernelDMASrc", repr(loaded.explain()))
        with self.assertRaisesRegex(ane.RunError, "there is no task 9"):
            loaded.explain("Common.Cfg", task=9)
        # Notebooks: names of a network are no markup.
        for shown in (program, loaded, profile, report, ane.why(ADD), loaded.explain()):
            page = shown._repr_html_()
            self.assertTrue(page.startswith("<") and page.endswith(">"))
            self.assertNotIn("<b>.mlir", page)

    @unittest.skipUnless(os.path.exists(ane._lowering.LLVM_BIN), "needs LLVM to build the part of the host")
    def test_host(self):
        mixed = """
func.func @main(%x: tensor<1x64x64xf32> {ane.name = "x"}, %n: tensor<4xi32> {ane.name = "n"})
    -> (tensor<1x64x64xf32> {ane.name = "y"}, tensor<4xi32> {ane.name = "m"}) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %x, %z, %z : (tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x64x64xf32>
  %1 = tosa.add %n, %n : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<1x64x64xf32>, tensor<4xi32>
}"""
        reason, = ane.why(mixed)
        self.assertEqual((reason.op, reason.location), ("tosa.add", "network:6:8"))
        self.assertEqual((ane.why(ADD), ane.compile(ADD).why), ([], []))
        n, x = np.arange(4, dtype=np.int32), np.eye(64, dtype=np.float32)
        for host in (True, FILE + ".host.mlir"):
            network = ane.compile(mixed, host=host)
            outputs = network(x.reshape(1, 64, 64), n=n)
            np.testing.assert_array_equal(outputs["m"], 2 * n)
            np.testing.assert_array_equal(outputs["y"][0], x)
            self.assertEqual((network.why, len(network.programs)), ([reason], 1))
            self.assertIn("HostProgram", repr(network))
            self.assertIn("HostProgram", network._repr_html_())
        self.assertTrue(os.path.exists(FILE + ".host.mlir"))

    @unittest.skipUnless(os.path.exists(ane._lowering.LLVM_BIN), "needs LLVM to build the part of the host")
    def test_copy(self):
        """The copy of memrefs with strides that the host is linked with."""
        with open(FILE + ".c", "w") as file:
            file.write(ane._host._COPY)
        clang = os.path.join(ane._lowering.LLVM_BIN, "clang")
        subprocess.run([clang, "-Wall", "-Werror", "-shared", "-fPIC", FILE + ".c", "-o", FILE + ".so"], check=True)
        copy = ctypes.CDLL(FILE + ".so").memrefCopy

        def unranked(array):
            descriptor = (ctypes.c_int64 * (3 + 2 * array.ndim))(
                array.ctypes.data, array.ctypes.data, 0, *array.shape, *(s // array.itemsize for s in array.strides))
            return descriptor, (ctypes.c_int64 * 2)(array.ndim, ctypes.addressof(descriptor))

        random = np.random.default_rng(0)
        for _ in range(200):
            shape = tuple(random.integers(0, 5, random.integers(1, 5)))
            data = np.ascontiguousarray((random.random(shape) * 100).astype(random.choice(["f4", "i8", "u1"])).T).T
            place = np.zeros([2 * size + 1 for size in shape], data.dtype)
            every = tuple(slice(0, 2 * size, 2) for size in shape)
            want = place.copy()
            want[every] = data
            (source, a), (target, b) = unranked(data), unranked(place[every])
            copy(ctypes.c_int64(data.itemsize), a, b)
            np.testing.assert_array_equal(place, want)
            del source, target

    def test_tools(self):
        program = ane.Program(ane.compile(ADD).data)
        with mock.patch.dict(os.environ, {"ANE_BIN_DIR": "/nowhere"}):
            with self.assertRaisesRegex(OSError, r"\$ANE_BIN_DIR \(/nowhere\) has no ane-run"):
                program.profile()

    def test_annotations(self):
        """What the package offers is annotated; python/ane/py.typed says so to type checkers."""
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(ane.__file__), "py.typed")))
        for name in ane.__all__:
            found = getattr(ane, name)
            functions = [found] if inspect.isfunction(found) else [
                value for key, value in vars(found).items() if inspect.isfunction(value) and key in ("__init__", "__call__")
                or inspect.isfunction(value) and not key.startswith("_")]
            for function in functions:
                if not function.__module__.startswith("ane"):
                    continue  # generated for a NamedTuple
                for parameter in list(inspect.signature(function).parameters.values()):
                    self.assertTrue(parameter.name == "self" or parameter.annotation is not parameter.empty,
                                    f"{name}.{function.__name__}: {parameter.name}")

    def test_run_errors(self):
        program = ane.compile_text(ADD)
        for inputs, options, message in (
            ([X], {}, "1 arrays for 2 inputs: image, input1"),
            ({"image": X, "y": X}, {}, "the inputs are image, input1"),
            ([X, X[:, :3]], {}, r"input 'input1' has shape \(1, 4, 8, 8\), the array \(1, 3, 8, 8\)"),
            ([X, X.astype(np.int64) + 2048], {}, "input 'input1' holds float16, which is not exact for some numbers"),
            ([X, X.astype(bool)], {}, "input 'input1' holds float16, the array bool"),
            ([X, X], {"device": "apple"}, "takes whole .hwx files"),
            ([X, X], {"device": "tpu"}, "tpu"),
            ([X, None], {}, "input 'input1' holds float16, the array object"),
        ):
            with self.assertRaisesRegex(ane.RunError, message):
                program.run(inputs, **options)
        for options, error in (({"mode": "slow"}, ValueError), ({"mode": []}, ValueError), ({"threads": -1}, ValueError),
                               ({"device": None}, TypeError)):
            with self.assertRaises(error):
                program.run([X, X], **options)
        for data in (None, 5, "text"):
            with self.assertRaises(TypeError):
                ane.Program(data)
        for path, error in ((5, TypeError), (None, TypeError), ("/nowhere", OSError), ("/", ane.RunError)):
            with self.assertRaises(error):
                ane.load(path)
        # What only callers of the C interface can say.
        for mode, count, message in ((9, 3, r"there is no mode 9, expected 0 \(exact\) to 3 \(engine\)"),
                                     (0, 1, "no array for tensor 'input1', number 1 of 3")):
            arrays = [np.zeros(tensor.shape, tensor.dtype) for tensor in program.tensors]
            pointers = (ctypes.c_void_p * 3)(*[array.ctypes.data for array in arrays[:count]])
            error = ctypes.c_void_p()
            options = _RunOptions(mode, 0)
            self.assertTrue(program._library.aneExecutableRun(program._load("sim"), pointers, ctypes.byref(options),
                                                              None, ctypes.byref(error)))
            self.assertRegex(take_text(error.value, program._library.aneRuntimeFree), message)
        for path, message in (("/nowhere/net.hwx", "cannot read /nowhere/net.hwx: No such file"),
                              ("/nowhere/net.mil", "cannot read /nowhere/net.mil: No such file"),
                              (os.devnull, "cannot read /dev/null: it is a device, not a file"),
                              (__file__, "package.py is no program: .*; compile a network first")):
            with self.assertRaisesRegex(ane.RunError, message):
                ane.Program(b"", path)
        with self.assertRaisesRegex(ane.RunError, "header"):
            ane.Program(b"no program")
        with self.assertRaisesRegex(ane.RunError, "error|bytes|offset|command|segment"):
            ane.Program(program.data[: len(program.data) // 2])


unittest.main()
