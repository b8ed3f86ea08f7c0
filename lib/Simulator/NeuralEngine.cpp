//===- NeuralEngine.cpp - What the neural engines compute -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In this order: operation, bias row, AccBias, PostScale, function, rounding to
// the element type. *Deduced* from programs; no program tells bias and
// PostScale apart in their order.
//
//===----------------------------------------------------------------------===//

#include "NeuralEngine.h"

#include "EngineArithmetic.h"
#include "Order.h"
#include "Parallel.h"
#include "RoundResult.h"
#include "RunningSums.h"

#include "absl/strings/str_format.h"

namespace ane::sim {

namespace {
using Op = h13::NE::OpMode;

} // namespace

static absl::Status sizeError(absl::string_view what, const TaskConfig &task) {
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s: source is %s, result is %s, kernel %dx%d, stride %dx%d", what,
      text(task.source1.dram.dims), text(task.result.dram.dims), task.neural.kh,
      task.neural.kw, task.neural.sy, task.neural.sx));
}

/// Source channels of one result channel in a task without kernel.
static uint32_t channelsOfOne(const TaskConfig &task) {
  return task.neural.unicast ? task.neural.unicastCin
                             : task.source1.dram.dims.c;
}

static absl::Status checkSizes(const TaskConfig &task) {
  const Dims &in = task.source1.dram.dims, &out = task.result.dram.dims;
  const NeuralConfig &ne = task.neural;
  if (in.d != out.d)
    return sizeError("the depths of source and result differ", task);
  if (ne.hasKernel) {
    // A window may hang over the edge, but not lie beyond it.
    if ((out.h - 1) * ne.sy >= in.h + ne.py ||
        (out.w - 1) * ne.sx >= in.w + ne.px)
      return sizeError("the last window of the convolution lies outside of the "
                       "source",
                       task);
    if (ne.unicast && in.c != uint64_t(out.c) * ne.unicastCin)
      return sizeError("a unicast convolution needs Cin = Cout * UnicastCin",
                       task);
    return absl::OkStatus();
  }
  if (ne.kh != 1 || ne.kw != 1 || ne.sy != 1 || ne.sx != 1 || ne.py || ne.px)
    return sizeError("a window without a kernel is not understood", task);
  // Without UnicastEn each result channel has all source channels. Seen: the
  // sum over the channels in a softmax over them.
  if (!ne.unicast && (ne.op != Op::Conv || out.c != 1))
    return sizeError("a task without a kernel needs UnicastEn, unless it adds "
                     "all channels up to one",
                     task);
  if (ne.op == Op::Bypass && ne.unicastCin != 1)
    return sizeError(
        absl::StrFormat("a copy does not fit UnicastCin %d", ne.unicastCin),
        task);
  if (in.c != uint64_t(out.c) * channelsOfOne(task) || in.h != out.h ||
      in.w != out.w)
    return sizeError(
        absl::StrFormat("sizes do not fit UnicastCin %d", ne.unicastCin), task);
  return absl::OkStatus();
}

/// Sum, product or maximum of `per` neighbouring channels; a copy of one.
template <typename T>
static void passBy(Op op, uint32_t per, size_t pixels, const float *x, T *y) {
  for (size_t i = 0; i < pixels; ++i)
    y[i] = x[i];
  for (uint32_t c = 1; c < per; ++c) {
    const float *more = x + c * pixels;
    if (op == Op::ElementMultiply)
      for (size_t i = 0; i < pixels; ++i)
        y[i] *= more[i];
    else if (op == Op::Conv)
      for (size_t i = 0; i < pixels; ++i)
        y[i] += more[i];
    else
      for (size_t i = 0; i < pixels; ++i)
        y[i] = maximumOf(y[i], T(more[i]));
  }
}

/// One channel of one group and depth slice: everything after the accumulator.
template <typename T>
static void epilogue(const NeuralConfig &ne, const Kernel &kernel,
                     hw::Interpolation interpolation, float bias, size_t count,
                     T *y) {
  // A lone addition of 0 or product with 1 would turn -0 and NaN into others.
  if (bias != 0)
    for (size_t i = 0; i < count; ++i)
      y[i] += T(bias);
  if (ne.accBias != 0)
    for (size_t i = 0; i < count; ++i)
      y[i] += T(ne.accBias);
  if (ne.postScale != 1)
    for (size_t i = 0; i < count; ++i)
      y[i] *= T(ne.postScale);
  if (ne.function == h13::NE::NonlinearMode::ReLU)
    for (size_t i = 0; i < count; ++i)
      y[i] = y[i] < 0 ? T(0) : y[i];
  if (kernel.table)
    for (size_t i = 0; i < count; ++i)
      y[i] = hw::evaluateTable(*kernel.table, static_cast<float>(y[i]),
                               interpolation);
}

static hw::Interpolation interpolationOf(const Options &options) {
  if (options.mode == Mode::Engine)
    switch (options.assumptions->table) {
    case assumed::Table::Linear:
      break;
    case assumed::Table::HalfArgument:
      return hw::Interpolation::HalfArgument;
    case assumed::Table::Nearest:
      return hw::Interpolation::Nearest;
    }
  return hw::Interpolation::Linear;
}

static ConvShape convShape(const TaskConfig &task) {
  const Dims &in = task.source1.dram.dims, &out = task.result.dram.dims;
  const NeuralConfig &ne = task.neural;
  ConvShape shape;
  shape.cin = in.c;
  shape.hin = in.h;
  shape.win = in.w;
  shape.cout = out.c;
  shape.hout = out.h;
  shape.wout = out.w;
  shape.kh = ne.kh;
  shape.kw = ne.kw;
  shape.sy = ne.sy;
  shape.sx = ne.sx;
  shape.py = ne.py;
  shape.px = ne.px;
  return shape;
}

/// A task without kernel: the channels pass by on their own.
template <typename T>
static void runPassBy(Op op, uint32_t per, uint32_t channels, size_t pixels,
                      const float *x, const Options &options, Sink<T> sink) {
  parallelFor(channels, channels * pixels < (1 << 16) ? 1 : options.threads,
              [&](size_t c) {
                Buffer<T> sums(pixels);
                const float *from = x + c * per * pixels;
                bool done = false;
                if constexpr (std::is_same_v<T, double>)
                  if (op == Op::Conv && isFixedPoint(options)) {
                    addFixedPoint(*options.assumptions, per, pixels, from,
                                  sums.data());
                    done = true;
                  }
                if (!done)
                  passBy(op, per, pixels, from, sums.data());
                sink(uint32_t(c), 0, pixels, sums.data());
              });
}

/// Looks at the running sums of one group and depth slice.
static void trackSums(const TaskConfig &task, const Kernel &kernel,
                      uint32_t group, const float *x, const float *w,
                      unsigned threads, ValueTally &tally) {
  const NeuralConfig &ne = task.neural;
  const Dims &out = task.result.dram.dims;
  if (ne.hasKernel) {
    const float *bias =
        ne.hasBias ? kernel.bias.data() + size_t(group) * out.c : nullptr;
    tally.addSum(largestRunningSum(
        convShape(task), ne.unicast ? ne.unicastCin : 0, bias, x, w, threads));
  } else if (ne.op == Op::Conv) {
    const size_t pixels = size_t(out.h) * out.w;
    const uint32_t per = channelsOfOne(task);
    for (uint32_t c = 0; c < out.c; ++c)
      tally.addSum(
          largestRunningSum(per, pixels, x + size_t(c) * per * pixels));
  }
}

template <typename T>
static void run(const TaskConfig &task, const float *source, HalfPlanes halves,
                const Kernel &kernel, const Options &options, Tile &result,
                ValueTally &tally) {
  const Dims &in = task.source1.dram.dims, &out = task.result.dram.dims;
  const NeuralConfig &ne = task.neural;
  const size_t inPlane = size_t(in.h) * in.w, outPlane = size_t(out.h) * out.w;
  // The accumulator in fixed point starts with the bias.
  const bool startsWithBias =
      ne.hasBias && ne.hasKernel && isFixedPoint(options);
  const hw::Interpolation interpolation = interpolationOf(options);
  for (uint32_t g = 0; g < out.g; ++g)
    for (uint32_t d = 0; d < out.d; ++d) {
      const float *x =
          source ? source + (size_t(g) * in.d + d) * in.c * inPlane : nullptr;
      float *y =
          result.data.data() + (size_t(g) * out.d + d) * out.c * outPlane;
      const float *w =
          kernel.weights.data() + kernel.weights.size() / out.g * g;
      auto sink = [&](uint32_t c, size_t pixel, size_t count, T *sums) {
        const bool addsBias = ne.hasBias && !startsWithBias;
        epilogue(ne, kernel, interpolation,
                 addsBias ? kernel.bias[size_t(g) * out.c + c] : 0, count,
                 sums);
        ValueCounts counts;
        roundResult(task.result.dram.type, options, sums,
                    y + c * outPlane + pixel, count, counts);
        tally.add(counts);
      };
      const uint32_t perChannel = ne.unicast ? ne.unicastCin : 0;
      if (options.tracksSums)
        trackSums(task, kernel, g, x, w, options.threads, tally);
      if (ne.hasKernel && options.mode == Mode::Engine) {
        if constexpr (std::is_same_v<T, float>)
          convolveHalfSums(*options.assumptions, convShape(task), perChannel, x,
                           w, options.threads, Sink<T>(sink));
        else
          convolveFixedPoint(
              *options.assumptions, convShape(task), perChannel,
              startsWithBias ? kernel.bias.data() + size_t(g) * out.c : nullptr,
              x, w, options.threads, Sink<T>(sink));
        continue;
      }
      if (!ne.hasKernel)
        runPassBy<T>(ne.op, channelsOfOne(task), out.c, outPlane, x, options,
                     sink);
      else if (ne.unicast)
        convolveUnicast(convShape(task), perChannel, x, w, options.threads,
                        Sink<T>(sink), halves);
      else
        convolve(convShape(task), x, w, options.threads, Sink<T>(sink));
    }
}

static Tile compute(const TaskConfig &task, const float *source,
                    HalfPlanes halves, const Kernel &kernel,
                    const Options &options, ValueTally &tally) {
  Tile result;
  result.dims = task.result.dram.dims;
  result.data.resize(result.dims.count());
  if (options.mode == Mode::Exact || isFixedPoint(options))
    run<double>(task, source, halves, kernel, options, result, tally);
  else
    run<float>(task, source, halves, kernel, options, result, tally);
  return result;
}

absl::Status checkNeural(const TaskConfig &task) { return checkSizes(task); }

absl::StatusOr<Tile> runNeural(const TaskConfig &task, Tile &source,
                               const Kernel &kernel, const Options &options,
                               ValueTally &tally) {
  if (absl::Status status = checkSizes(task); !status.ok())
    return status;
  if (task.source1.relu)
    for (float &value : source.data)
      value = value < 0 ? 0 : value;
  return compute(task, source.data.data(), {}, kernel, options, tally);
}

bool worksOnHalves(const TaskConfig &task, const Pattern &source) {
  return task.neural.hasKernel && task.neural.unicast && !task.source1.relu &&
         source.type == hw::ElementType::Float16 && hasChannels(source) &&
         source.dims.g == 1 && source.dims.d == 1;
}

absl::StatusOr<Tile>
runNeuralOnHalves(const TaskConfig &task, const Pattern &source,
                  const uint8_t *memory, const Kernel &kernel,
                  const Options &options, ValueTally &tally) {
  if (absl::Status status = checkSizes(task); !status.ok())
    return status;
  return compute(task, nullptr,
                 {memory + source.base, source.row, source.plane}, kernel,
                 options, tally);
}

uint64_t neuralMacs(const TaskConfig &task) {
  if (!task.neural.hasKernel)
    return 0;
  uint64_t inputs =
      task.neural.unicast ? task.neural.unicastCin : task.source1.dram.dims.c;
  return task.result.dram.dims.count() * inputs * task.neural.kh *
         task.neural.kw;
}

} // namespace ane::sim
