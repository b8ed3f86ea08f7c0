"""Operations on elements, against numpy."""
import math
import sys

import numpy as np

from milcases import Cases

random = np.random.default_rng(1)
f = lambda *shape: random.standard_normal(shape).astype(np.float32)
cases = Cases()
x = f(2, 3, 4, 5)
small = np.clip(x, -0.95, 0.95)
positive = np.abs(x) + np.float32(0.1)
sigmoid = lambda v: 1 / (1 + np.exp(-v))
erf = np.vectorize(math.erf)
w = x.astype(np.float64)

for name in ("abs", "ceil", "floor", "sign", "cos", "cosh", "exp", "exp2", "sin", "sinh", "square", "tan", "tanh"):
    cases.check(name, getattr(np, name)(w), x=x)
for name, function in (("acos", np.arccos), ("asin", np.arcsin), ("atan", np.arctan), ("atanh", np.arctanh)):
    cases.check(name, function(small.astype(np.float64)), x=small)
cases.check("erf", erf(w), x=x)
cases.check("sqrt", np.sqrt(positive), x=positive)
halves = np.arange(-4, 5).astype(np.float32) / 2
cases.check("round", np.round(halves), x=halves)
cases.check("relu", np.maximum(w, 0), x=x)
cases.check("relu6", np.clip(8 * w, 0, 6), x=8 * x)
cases.check("sigmoid", sigmoid(w), x=x)
cases.check("silu", w * sigmoid(w), x=x)
cases.check("softplus", np.log(1 + np.exp(w)), x=x)
cases.check("softsign", w / (1 + np.abs(w)), x=x)
cases.check("identity", x, x=x)

cases.check("log", np.log(positive.astype(np.float64)), x=positive)
cases.check("log", np.log(positive + 0.5), x=positive, epsilon=0.5)
cases.check("rsqrt", 1 / np.sqrt(positive + 0.25), x=positive, epsilon=0.25)
cases.check("rsqrt", 1 / np.sqrt(positive), x=positive)
cases.check("inverse", 1 / (positive + 1e-4), x=positive)
cases.check("inverse", 1 / (positive + 0.5), x=positive, epsilon=0.5)
cases.check("clip", np.clip(x, -0.25, 0.5), x=x, alpha=-0.25, beta=0.5)
cases.check("threshold", np.maximum(x, 0.25), x=x, alpha=0.25)
cases.check("leaky_relu", np.where(w >= 0, w, 0.125 * w), x=x, alpha=0.125)
cases.check("elu", np.where(w > 0, w, 0.5 * (np.exp(w) - 1)), x=x, alpha=0.5)
cases.check("clamped_relu", np.minimum(1.5, np.where(w >= 0, w, 0.25 * w)), x=x, alpha=0.25, beta=1.5)
cases.check("thresholded_relu", np.where(w >= 0.5, w, 0), x=x, alpha=0.5)
cases.check("linear_activation", 0.5 * w + 2, x=x, alpha=0.5, beta=2.0)
cases.check("scaled_tanh", 2 * np.tanh(0.5 * w), x=x, alpha=2.0, beta=0.5)
cases.check("sigmoid_hard", np.clip(0.5 * w + 0.25, 0, 1), x=x, alpha=0.5, beta=0.25)
gelu = 0.5 * w * (1 + erf(w / math.sqrt(2)))
cases.check("gelu", gelu, x=x)
cases.check("gelu", gelu, x=x, mode="EXACT")
cases.check("gelu", 0.5 * w * (1 + np.tanh(math.sqrt(2 / math.pi) * (w + 0.044715 * w**3))), x=x, mode="TANH_APPROXIMATION")
cases.check("gelu", w * sigmoid(1.702 * w), x=x, mode="SIGMOID_APPROXIMATION")
alpha, beta = f(3), f(3)
channel = lambda v: v.reshape(1, 3, 1, 1).astype(np.float64)
cases.check("prelu", np.where(w >= 0, w, channel(alpha) * w), x=x, alpha=alpha)
cases.check("softplus_parametric", channel(alpha) * np.log(1 + np.exp(channel(beta) * w)), x=x, alpha=alpha, beta=beta)

binary = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "real_div": np.divide, "floor_div": np.floor_divide,
          "mod": np.mod, "maximum": np.maximum, "minimum": np.minimum, "equal": np.equal, "not_equal": np.not_equal,
          "less": np.less, "less_equal": np.less_equal, "greater": np.greater, "greater_equal": np.greater_equal}
for name, function in binary.items():
    for y in (f(2, 3, 4, 5), f(3, 1, 5), f(1, 1, 1, 1), f(4, 1)):
        y = np.where(np.abs(y) < 0.1, np.float32(0.5), y)
        cases.check(name, function(w, y.astype(np.float64)), x=x, y=y)
        cases.check(name, function(y.astype(np.float64), w), x=y, y=x)
numbers = random.integers(-9, 10, (4, 6)).astype(np.int32)
others = np.where(numbers[::-1] == 0, 3, numbers[::-1]).astype(np.int32)
for name in ("add", "sub", "mul", "floor_div", "mod", "maximum", "equal", "less"):
    cases.check(name, binary[name](numbers, others), x=numbers, y=others)
y = f(3, 1, 1)
cases.check("pow", positive.astype(np.float64) ** y, x=positive, y=y)
a, b = random.integers(0, 2, (3, 4)).astype(bool), random.integers(0, 2, (1, 4)).astype(bool)
cases.check("logical_and", a & b, x=a, y=b)
cases.check("logical_or", a | b, x=a, y=b)
cases.check("logical_xor", a ^ b, x=a, y=b)
cases.check("logical_not", ~a, x=a)
p, q = f(3, 4), f(4)
cases.check("select", np.where(a, p, q), cond=a, a=p, b=q)
cases.check("select", np.where(b, q, p), cond=b, a=q, b=p)

# A cast cuts the fraction off and stays within the type; fp16 rounds to even.
wide = np.array([-1000, -128.9, -1.5, -0.5, 0, 0.5, 1.9, 127.9, 255.5, 1000], np.float32)
cases.check("cast", np.array([-128, -128, -1, 0, 0, 0, 1, 127, 127, 127], np.int8), x=wide, dtype="int8")
cases.check("cast", np.array([0, 0, 0, 0, 0, 0, 1, 127, 255, 255], np.uint8), x=wide, dtype="uint8")
cases.check("cast", np.trunc(wide).astype(np.int32), x=wide, dtype="int32")
cases.check("cast", wide != 0, x=wide, dtype="bool")
cases.check("cast", a.astype(np.float32), x=a, dtype="fp32")
fine = np.array([1.00048828125, 1.00146484375, 65519, 65520, -70000, 3e-8], np.float32)
with np.errstate(over="ignore"):
    cases.check("cast", fine.astype(np.float16), x=fine, dtype="fp16")
# -2.5, 2.5 and 3.5 round to even before the zero point is added.
steps = np.array([[-40, -1.25, 1.25], [1.75, 0.6, 40]], np.float32)
cases.check("quantize", np.array([[-77, 1, 5], [7, 4, 83]], np.int8), input=steps, scale=0.5, zero_point=np.array(3, np.int8), output_dtype="int8")
scale = np.array([0.5, 0.25], np.float32)
cases.check("quantize", np.array([[-80, -2, 2], [7, 2, 127]], np.int8), input=steps, scale=scale, axis=0, output_dtype="int8")
codes = np.array([[-128, 0, 127], [1, 2, 3]], np.int8)
zeros = np.array([1, -1], np.int8)
cases.check("dequantize", scale[:, None] * (codes.astype(np.float32) - zeros[:, None]), input=codes, scale=scale, zero_point=zeros, axis=0)
sys.exit(cases.run(sys.argv[1]))
