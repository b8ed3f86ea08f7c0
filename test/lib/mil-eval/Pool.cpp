//===- Pool.cpp - Windows, and pools over them ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

static int64_t floorDiv(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

// A last window that would begin behind the input and its front padding is
// dropped, as in PyTorch, where the mode comes from.
static int64_t ceilExtent(int64_t in, int64_t before, int64_t after,
                          int64_t reach, int64_t stride) {
  int64_t out = floorDiv(in + before + after - reach + stride - 1, stride) + 1;
  if ((out - 1) * stride >= in + before)
    --out;
  return out;
}

FailureOr<Window> mileval::readWindow(Call &call, const Tensor &x,
                                      ArrayRef<int64_t> kernel) {
  int64_t spatial = x.rank() - 2;
  if (spatial < 1 || spatial > 3)
    return call.fail("x has rank " + Twine(x.rank()) + ", expected 3 to 5");
  Shape ones(spatial, 1), zeros(2 * spatial, 0);
  Shape strides = call.integers("strides", ones);
  Shape dilations = call.integers("dilations", ones);
  Shape pad = call.integers("pad", zeros);
  StringRef type = call.text("pad_type", "valid");
  bool ceil = call.flag("ceil_mode", false);
  if (call.failed())
    return failure();
  auto isWrong = [&](ArrayRef<int64_t> v) {
    return int64_t(v.size()) != spatial ||
           llvm::any_of(v, [](int64_t d) { return d < 1 || d > INT32_MAX; });
  };
  if (isWrong(kernel) || isWrong(strides) || isWrong(dilations))
    return call.fail("kernel, strides and dilations must have " +
                     Twine(spatial) + " positive elements");
  if (type != "custom")
    pad = zeros;
  if (int64_t(pad.size()) != 2 * spatial ||
      llvm::any_of(pad, [](int64_t d) { return d < 0; }))
    return call.fail("pad has " + Twine(pad.size()) + " elements, expected " +
                     Twine(2 * spatial) + " that are not negative");
  bool isSame = type == "same", isSameLower = type == "same_lower";
  if (!isSame && !isSameLower && type != "custom" && type != "valid")
    return call.fail("pad_type is '" + type +
                     "', expected valid, custom, same or same_lower");
  Window window;
  window.spatial = spatial;
  for (int64_t d = 0; d < 3; ++d) {
    int64_t i = d - (3 - spatial);
    int64_t in = window.in[d] = i < 0 ? 1 : x.shape[2 + i];
    int64_t k = window.kernel[d] = i < 0 ? 1 : kernel[i];
    int64_t s = window.stride[d] = i < 0 ? 1 : strides[i];
    window.dilation[d] = i < 0 ? 1 : dilations[i];
    int64_t reach = (k - 1) * window.dilation[d] + 1;
    int64_t before = i < 0 ? 0 : pad[2 * i], after = i < 0 ? 0 : pad[2 * i + 1];
    int64_t out = floorDiv(in + before + after - reach, s) + 1;
    if (isSame || isSameLower) {
      out = (in + s - 1) / s;
      int64_t total = std::max<int64_t>(0, (out - 1) * s + reach - in);
      before = isSame ? total / 2 : (total + 1) / 2;
    } else if (ceil) {
      out = ceilExtent(in, before, after, reach, s);
    }
    if (out < 1)
      return call.fail("window of " + Twine(reach) +
                       " elements is larger than the padded input of " +
                       Twine(in + before + after));
    window.before[d] = before;
    window.out[d] = out;
  }
  return window;
}

namespace {
enum class PoolKind { Max, Average, L2 };

// The part of a window that lies in the input: the first and one behind the
// last tap.
struct Span {
  int64_t start, begin, end;
};
} // namespace

static Span clipWindow(const Window &w, int d, int64_t out) {
  int64_t start = out * w.stride[d] - w.before[d];
  return {start, std::max<int64_t>(start, 0),
          std::min(start + w.kernel[d], w.in[d])};
}

static double poolOne(const Window &w, const double *plane, PoolKind kind,
                      const Span (&span)[3], double divisor) {
  double best = -INFINITY, sum = 0;
  int64_t taps = 0;
  for (int64_t z = span[0].begin; z < span[0].end; ++z)
    for (int64_t y = span[1].begin; y < span[1].end; ++y)
      for (int64_t x = span[2].begin; x < span[2].end; ++x) {
        double value = plane[(z * w.in[1] + y) * w.in[2] + x];
        best = std::max(best, value);
        sum += kind == PoolKind::L2 ? value * value : value;
        ++taps;
      }
  if (kind == PoolKind::Max)
    return best;
  if (kind == PoolKind::L2)
    return std::sqrt(sum);
  return sum / (divisor > 0 ? divisor : taps);
}

static LogicalResult evalPool(Call &call, PoolKind kind) {
  const Tensor &x = call["x"];
  FailureOr<Window> window =
      readWindow(call, x, call.integers("kernel_sizes", {}));
  bool excludes = call.flag("exclude_padding_from_average", false);
  if (failed(window) || call.failed())
    return failure();
  const Window &w = *window;
  Shape shape{x.shape[0], x.shape[1]};
  shape.append(w.out + (3 - w.spatial), w.out + 3);
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  // Padding counts as zeros unless it is excluded, and so does what ceil_mode
  // adds behind it: Core ML divides by the whole window (apple/coremltools
  // issue 2772).
  double divisor =
      excludes ? 0 : double(w.kernel[0]) * w.kernel[1] * w.kernel[2];
  double *to = result->data.data();
  int64_t planes = x.shape[0] * x.shape[1];
  int64_t area = w.in[0] * w.in[1] * w.in[2];
  for (int64_t p = 0; p < planes; ++p)
    for (int64_t z = 0; z < w.out[0]; ++z)
      for (int64_t y = 0; y < w.out[1]; ++y)
        for (int64_t i = 0; i < w.out[2]; ++i) {
          Span span[3] = {clipWindow(w, 0, z), clipWindow(w, 1, y),
                          clipWindow(w, 2, i)};
          *to++ = poolOne(w, x.data.data() + p * area, kind, span, divisor);
        }
  return call.yield(std::move(*result));
}

void mileval::addPoolOps(OpTable &table) {
  auto add = [&](StringRef name, PoolKind kind) {
    table.add(name, "x kernel_sizes",
              [=](Call &call) { return evalPool(call, kind); });
  };
  add("max_pool", PoolKind::Max);
  add("avg_pool", PoolKind::Average);
  add("l2_pool", PoolKind::L2);
}
