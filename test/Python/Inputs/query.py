"""query.py QUESTIONS: what the package says of ops."""
import sys

import ane

text = open(sys.argv[1]).read()
query = ane.Query("h13")
answers = {answer.name: answer for answer in query.ask(text)}
assert list(answers) == ["conv", "add", "softmax", "wide", "custom"]
conv, softmax, wide = answers["conv"], answers["softmax"], answers["wide"]
assert conv and conv.is_direct and conv.tasks == 1 and conv.reason == ""
assert conv.seconds > conv.dispatch_seconds > 0 and conv.macs == 4 * 4 * 9 * 32 * 32
assert softmax and not softmax.is_direct and softmax.tasks > 1
assert not wide and wide.constraint == "tensor_l2" and wide.value == 17000 and 0 < wide.limit < wide.value
assert wide.hint == "split the tensor along the height" and wide.reason.endswith(wide.hint)

# What compiling says is what the answer says.
try:
    ane.compile_text(text, function="wide")
    raise AssertionError("it compiles")
except ane.CompileError as error:
    assert error.message == wide.reason, (error.message, wide.reason)

# What was asked before is known, by whatever name.
again = query.ask(text.replace("@softmax", "@other"))[2]
assert again == softmax._replace(name="other")

# An op of TOSA is answered as what it is imported as, of any rank; what is several ops then is compiled.
pair = "func.func @net(%x: tensor<{0}>, %y: tensor<{0}>) -> tensor<{0}> {{ %r = {1} : {2} return %r : tensor<{0}> }}"
[own] = query.ask(pair.format("1x1x5x40xf16", "ane.elementwise max %x, %y",
                              "tensor<1x1x5x40xf16>, tensor<1x1x5x40xf16> -> tensor<1x1x5x40xf16>"))
for shape in ("1x1x5x40", "5x40"):
    [imported] = query.ask(pair.format(shape + "xf32", "tosa.maximum %x, %y",
                                       f"(tensor<{shape}xf32>, tensor<{shape}xf32>) -> tensor<{shape}xf32>"))
    assert imported == own and own.is_direct, (imported, own)
[twice] = query.ask("func.func @net(%x: tensor<5x40xf32>) -> tensor<5x40xf32> {\n"
                    "%0 = tosa.tanh %x : (tensor<5x40xf32>) -> tensor<5x40xf32>\n"
                    "%1 = tosa.exp %0 : (tensor<5x40xf32>) -> tensor<5x40xf32>\nreturn %1 : tensor<5x40xf32> }")
assert twice and not twice.is_direct and twice.tasks == 2, twice

assert ane.can_run(text[:text.index("func.func @wide")]) and not ane.can_run(text, target="h14")
mil = """program(1.3)
{
  func main<ios18>(tensor<fp16, [1, 4, 8, 8]> x) {
    tensor<fp16, [1, 4, 8, 8]> y = relu(x = x)[name = string("y")];
  } -> (y);
}
"""
[answer] = query.ask(mil)
assert answer.name == "main" and answer.runs and answer.tasks == 1, answer
for bad in ("what?", "func.func @f(" * 5000):
    try:
        query.ask(bad, "bad.mlir")
        raise AssertionError(bad[:20])
    except ane.CompileError as error:
        assert error.file == "bad.mlir", error
try:
    ane.Query("h99")
    raise AssertionError("h99")
except ane.CompileError as error:
    assert "h99" in str(error)
