//===- Convolution.cpp - conv and conv_transpose --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Direct sums over the taps; the innermost loop runs along a row, over both
// spatial dimensions where the window is a single point.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

// Rows whose taps all lie side by side become one.
static void flattenPoints(Window &w) {
  for (int d = 0; d < 3; ++d)
    if (w.kernel[d] != 1 || w.stride[d] != 1 || w.before[d] != 0 ||
        w.in[d] != w.out[d])
      return;
  w.in[2] = w.out[2] = w.in[0] * w.in[1] * w.in[2];
  w.in[0] = w.out[0] = w.in[1] = w.out[1] = 1;
}

// Adds one tap of one input channel to one output channel.
static void addTap(const Window &w, const double *in, double *out,
                   const int64_t (&tap)[3], double weight) {
  int64_t shift = tap[2] * w.dilation[2] - w.before[2], s = w.stride[2];
  // The first and the last column whose tap is inside.
  int64_t first = shift >= 0 ? 0 : (-shift + s - 1) / s;
  int64_t last = w.in[2] - 1 - shift < 0 ? -1 : (w.in[2] - 1 - shift) / s;
  last = std::min(last, w.out[2] - 1);
  for (int64_t z = 0; z < w.out[0]; ++z) {
    int64_t iz = z * w.stride[0] - w.before[0] + tap[0] * w.dilation[0];
    if (iz < 0 || iz >= w.in[0])
      continue;
    for (int64_t y = 0; y < w.out[1]; ++y) {
      int64_t iy = y * w.stride[1] - w.before[1] + tap[1] * w.dilation[1];
      if (iy < 0 || iy >= w.in[1])
        continue;
      const double *from = in + (iz * w.in[1] + iy) * w.in[2] + shift;
      double *to = out + (z * w.out[1] + y) * w.out[2];
      if (s == 1)
        for (int64_t x = first; x <= last; ++x)
          to[x] += weight * from[x];
      else
        for (int64_t x = first; x <= last; ++x)
          to[x] += weight * from[x * s];
    }
  }
}

template <typename Body> static void forEachTap(const Window &w, Body body) {
  int64_t tap[3];
  for (tap[0] = 0; tap[0] < w.kernel[0]; ++tap[0])
    for (tap[1] = 0; tap[1] < w.kernel[1]; ++tap[1])
      for (tap[2] = 0; tap[2] < w.kernel[2]; ++tap[2])
        body(tap, (tap[0] * w.kernel[1] + tap[1]) * w.kernel[2] + tap[2]);
}

static LogicalResult checkBias(Call &call, int64_t channels) {
  const Tensor *bias = call.find("bias");
  if (bias && bias->size() != channels)
    return call.fail("bias has " + Twine(bias->size()) + " elements, but " +
                     Twine(channels) + " channels leave");
  return success();
}

static void fillBias(const Tensor *bias, Tensor &result, int64_t area) {
  if (!bias)
    return;
  int64_t channels = bias->size();
  for (int64_t i = 0, e = result.size(); i < e; ++i)
    result.data[i] = bias->data[i / area % channels];
}

static LogicalResult evalConv(Call &call) {
  const Tensor &x = call["x"], &weight = call["weight"];
  int64_t groups = call.integer("groups", 1);
  if (weight.rank() != x.rank() || x.rank() < 3)
    return call.fail("x is " + shapeText(x.shape) + ", but weight " +
                     shapeText(weight.shape));
  FailureOr<Window> window =
      readWindow(call, x, ArrayRef<int64_t>(weight.shape).drop_front(2));
  if (failed(window) || call.failed())
    return failure();
  Window w = *window;
  int64_t outputs = weight.shape[0], inputs = weight.shape[1];
  if (groups < 1 || inputs * groups != x.shape[1] || outputs % groups)
    return call.fail("weight is " + shapeText(weight.shape) + " in " +
                     Twine(groups) + " groups, but x has " + Twine(x.shape[1]) +
                     " channels");
  if (failed(checkBias(call, outputs)))
    return failure();
  Shape shape{x.shape[0], outputs};
  shape.append(w.out + (3 - w.spatial), w.out + 3);
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  flattenPoints(w);
  int64_t inArea = w.in[0] * w.in[1] * w.in[2];
  int64_t outArea = w.out[0] * w.out[1] * w.out[2];
  int64_t taps = w.kernel[0] * w.kernel[1] * w.kernel[2];
  fillBias(call.find("bias"), *result, outArea);
  for (int64_t n = 0; n < x.shape[0]; ++n)
    for (int64_t o = 0; o < outputs; ++o) {
      double *to = result->data.data() + (n * outputs + o) * outArea;
      int64_t firstInput = o / (outputs / groups) * inputs;
      for (int64_t i = 0; i < inputs; ++i) {
        const double *from =
            x.data.data() + (n * x.shape[1] + firstInput + i) * inArea;
        const double *kernel = weight.data.data() + (o * inputs + i) * taps;
        forEachTap(w, [&](const int64_t (&tap)[3], int64_t number) {
          addTap(w, from, to, tap, kernel[number]);
        });
      }
    }
  return call.yield(std::move(*result));
}

//===----------------------------------------------------------------------===//
// conv_transpose
//===----------------------------------------------------------------------===//

// Each input element is spread over the output; `window` describes the
// convolution whose transpose this is, so in and out change places.
static void spreadTap(const Window &w, const double *in, double *out,
                      const int64_t (&tap)[3], double weight) {
  for (int64_t z = 0; z < w.in[0]; ++z)
    for (int64_t y = 0; y < w.in[1]; ++y) {
      int64_t oz = z * w.stride[0] + tap[0] * w.dilation[0] - w.before[0];
      int64_t oy = y * w.stride[1] + tap[1] * w.dilation[1] - w.before[1];
      if (oz < 0 || oz >= w.out[0] || oy < 0 || oy >= w.out[1])
        continue;
      const double *from = in + (z * w.in[1] + y) * w.in[2];
      double *to = out + (oz * w.out[1] + oy) * w.out[2];
      for (int64_t x = 0; x < w.in[2]; ++x) {
        int64_t ox = x * w.stride[2] + tap[2] * w.dilation[2] - w.before[2];
        if (ox >= 0 && ox < w.out[2])
          to[ox] += weight * from[x];
      }
    }
}

// Extents of the result: from the arithmetic, or as `output_shape` says, whose
// last elements are the spatial ones. "same" makes in * stride of in.
static LogicalResult computeTransposedExtents(Call &call, Window &w) {
  Shape pad = call.integers("pad", Shape(2 * w.spatial, 0));
  Shape given = call.integers("output_shape", {});
  StringRef type = call.text("pad_type", "valid");
  if (!given.empty() && int64_t(given.size()) < w.spatial)
    return call.fail("output_shape has " + Twine(given.size()) +
                     " elements, expected at least " + Twine(w.spatial));
  for (int64_t d = 0; d < 3; ++d) {
    int64_t i = d - (3 - w.spatial);
    int64_t full =
        (w.in[d] - 1) * w.stride[d] + (w.kernel[d] - 1) * w.dilation[d] + 1;
    w.before[d] = 0;
    w.out[d] = full;
    if (i < 0)
      continue;
    if (type == "custom") {
      w.before[d] = pad[2 * i];
      w.out[d] = full - pad[2 * i] - pad[2 * i + 1];
    } else if (type != "valid") {
      w.out[d] = w.in[d] * w.stride[d];
      int64_t total = std::max<int64_t>(0, full - w.out[d]);
      w.before[d] = type == "same" ? total / 2 : (total + 1) / 2;
    }
    if (!given.empty())
      w.out[d] = given[given.size() - w.spatial + i];
    if (w.out[d] < 1)
      return call.fail("result would have an extent of " + Twine(w.out[d]));
  }
  return success();
}

static LogicalResult evalConvTranspose(Call &call) {
  const Tensor &x = call["x"], &weight = call["weight"];
  int64_t groups = call.integer("groups", 1);
  if (weight.rank() != x.rank() || x.rank() < 3)
    return call.fail("x is " + shapeText(x.shape) + ", but weight " +
                     shapeText(weight.shape));
  // The window's kernel may be larger than the input here: extents are set
  // anew.
  Tensor large = x;
  large.data.clear();
  for (int64_t d = 2; d < x.rank(); ++d)
    large.shape[d] = INT32_MAX;
  FailureOr<Window> window =
      readWindow(call, large, ArrayRef<int64_t>(weight.shape).drop_front(2));
  if (failed(window) || call.failed())
    return failure();
  Window w = *window;
  for (int64_t d = 3 - w.spatial; d < 3; ++d)
    w.in[d] = x.shape[2 + d - (3 - w.spatial)];
  if (failed(computeTransposedExtents(call, w)))
    return failure();
  int64_t inputs = x.shape[1], perGroup = weight.shape[1];
  int64_t outputs = perGroup * groups;
  if (groups < 1 || weight.shape[0] != inputs || inputs % groups)
    return call.fail("weight is " + shapeText(weight.shape) + " in " +
                     Twine(groups) + " groups, but x has " + Twine(inputs) +
                     " channels");
  if (failed(checkBias(call, outputs)))
    return failure();
  Shape shape{x.shape[0], outputs};
  shape.append(w.out + (3 - w.spatial), w.out + 3);
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  int64_t inArea = w.in[0] * w.in[1] * w.in[2];
  int64_t outArea = w.out[0] * w.out[1] * w.out[2];
  int64_t taps = w.kernel[0] * w.kernel[1] * w.kernel[2];
  fillBias(call.find("bias"), *result, outArea);
  for (int64_t n = 0; n < x.shape[0]; ++n)
    for (int64_t i = 0; i < inputs; ++i)
      for (int64_t o = 0; o < perGroup; ++o) {
        int64_t channel = i / (inputs / groups) * perGroup + o;
        const double *from = x.data.data() + (n * inputs + i) * inArea;
        double *to = result->data.data() + (n * outputs + channel) * outArea;
        const double *kernel = weight.data.data() + (i * perGroup + o) * taps;
        forEachTap(w, [&](const int64_t (&tap)[3], int64_t number) {
          spreadTap(w, from, to, tap, kernel[number]);
        });
      }
  return call.yield(std::move(*result));
}

void mileval::addConvolutionOps(OpTable &table) {
  table.add("conv", "x weight", evalConv);
  table.add("conv_transpose", "x weight", evalConvTranspose);
}
