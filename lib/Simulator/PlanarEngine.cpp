//===- PlanarEngine.cpp - What the planar engine computes -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In this order: PreScale on source 1, the operation, the reduction, Scale,
// Bias, FinalScale, epsilon, 1/x or 1/sqrt(x), absolute value, ReLU, rounding
// to the element type. *Deduced* from programs; none tells the order of Scale,
// Bias and FinalScale, or of the absolute value and the scales, apart.
//
//===----------------------------------------------------------------------===//

#include "PlanarEngine.h"

#include "Order.h"
#include "Parallel.h"
#include "RoundResult.h"

#include "absl/strings/str_format.h"

#include <cmath>
#include <limits>

namespace ane::sim {
namespace {

/// Row h of channel c of a source, with the axes of size 1 repeated.
class RowReader {
public:
  RowReader(const Tile &tile, bool relu, float factor)
      : tile(tile), relu(relu), factor(factor) {}

  /// Fills `row` with `width` elements.
  template <typename T>
  void read(uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t width,
            T *row) const {
    const Dims &n = tile.dims;
    const float *from =
        tile.data.data() +
        (((size_t(n.g == 1 ? 0 : g) * n.d + (n.d == 1 ? 0 : d)) * n.c +
          (n.c == 1 ? 0 : c)) *
             n.h +
         (n.h == 1 ? 0 : h)) *
            n.w;
    if (n.w == 1)
      std::fill_n(row, width, T(from[0]));
    else
      for (uint32_t i = 0; i < width; ++i)
        row[i] = from[i];
    if (relu)
      for (uint32_t i = 0; i < width; ++i)
        row[i] = row[i] < 0 ? T(0) : row[i];
    if (factor != 1)
      for (uint32_t i = 0; i < width; ++i)
        row[i] *= T(factor);
  }

private:
  const Tile &tile;
  bool relu;
  float factor;
};

} // namespace

template <typename T>
static void combine(h13::PE::OpMode op, const T *second, T *row,
                    uint32_t count) {
  using Op = h13::PE::OpMode;
  // One loop for each operation, so that each becomes vector code.
  auto forAll = [&](auto operation) {
    for (uint32_t i = 0; i < count; ++i)
      row[i] = operation(row[i], second[i]);
  };
  switch (op) {
  case Op::Add:
    return forAll([](T a, T b) { return a + b; });
  case Op::Mul:
    return forAll([](T a, T b) { return a * b; });
  case Op::Max:
    return forAll(maximumOf<T>);
  case Op::Min:
    return forAll(minimumOf<T>);
  case Op::SquareSum:
    return forAll([](T a, T b) { return (a + b) * (a + b); });
  }
}

template <typename T>
static void epilogue(const PlanarConfig &pe, T *row, uint32_t count) {
  using NL = h13::PE::NLMode;
  // A lone addition of 0 or product with 1 would turn -0 into 0.
  if (pe.scale != 1 || pe.bias != 0)
    for (uint32_t i = 0; i < count; ++i)
      row[i] = row[i] * T(pe.scale) + T(pe.bias);
  if (pe.finalScale != 1)
    for (uint32_t i = 0; i < count; ++i)
      row[i] *= T(pe.finalScale);
  if (pe.epsilon != 0)
    for (uint32_t i = 0; i < count; ++i)
      row[i] += T(pe.epsilon);
  if (pe.function == NL::Reciprocal)
    for (uint32_t i = 0; i < count; ++i)
      row[i] = T(1) / row[i];
  if (pe.function == NL::ReciprocalRoot)
    for (uint32_t i = 0; i < count; ++i)
      row[i] = T(1) / std::sqrt(row[i]);
  if (pe.abs)
    for (uint32_t i = 0; i < count; ++i)
      row[i] = std::fabs(row[i]);
  if (pe.relu)
    for (uint32_t i = 0; i < count; ++i)
      row[i] = row[i] < 0 ? T(0) : row[i];
}

namespace {

template <typename T> class Engine {
public:
  Engine(const TaskConfig &task, const Tile &first, const Tile &second,
         const Options &options, Tile &result)
      : task(task), pe(task.planar), options(options),
        first(first, task.source1.relu,
              task.source1.negated ? -pe.preScale : pe.preScale),
        second(second, task.source2.relu, task.source2.negated ? -1.0f : 1.0f),
        result(result), in(fullDims(task)) {}

  /// All rows of one group and channel; gives what became of them.
  ValueCounts channel(uint32_t g, uint32_t c) {
    counts = {};
    std::vector<T> row(in.w), other(in.w);
    T total = pe.pool == h13::PE::PoolMode::Max
                  ? -std::numeric_limits<T>::infinity()
                  : T(0);
    for (uint32_t d = 0; d < in.d; ++d)
      for (uint32_t h = 0; h < in.h; ++h) {
        compute(g, d, c, h, row.data(), other.data());
        if (pe.reduces) {
          for (T value : row)
            total = pe.pool == h13::PE::PoolMode::Max ? maximumOf(total, value)
                                                      : total + value;
          continue;
        }
        store(row.data(),
              result.data.data() +
                  (((size_t(g) * in.d + d) * in.c + c) * in.h + h) * in.w,
              in.w);
      }
    if (pe.reduces)
      store(&total, result.data.data() + size_t(g) * in.c + c, 1);
    return counts;
  }

  /// Sizes of the computation: those of the registers, before broadcasting.
  static Dims fullDims(const TaskConfig &task) {
    Dims dims = task.result.dram.dims;
    auto widen = [&](const Dims &source) {
      dims.d = std::max(dims.d, source.d);
      dims.h = std::max(dims.h, source.h);
      dims.w = std::max(dims.w, source.w);
    };
    if (task.planar.reduces) {
      widen(task.source1.dram.dims);
      if (task.planar.binary)
        widen(task.source2.dram.dims);
    }
    return dims;
  }

private:
  void store(T *row, float *to, uint32_t count) {
    epilogue(pe, row, count);
    roundResult(task.result.dram.type, options, row, to, count, counts);
  }

  void compute(uint32_t g, uint32_t d, uint32_t c, uint32_t h, T *row,
               T *other) {
    first.read(g, d, c, h, in.w, row);
    if (pe.binary) {
      second.read(g, d, c, h, in.w, other);
      combine(pe.op, other, row, in.w);
    } else if (pe.reduces && pe.op == h13::PE::OpMode::SquareSum) {
      // Of a lone source: the variance after a difference (deduced from a
      // recorded norm over channels).
      for (uint32_t i = 0; i < in.w; ++i)
        row[i] *= row[i];
    } else if (pe.scaleBias) {
      T bias, factor;
      second.read(g, d, c, 0, 1, &bias);
      second.read(g, d, c, 1, 1, &factor);
      // The sign of source 2 belongs to the bias; the factor keeps its own.
      if (task.source2.negated)
        factor = -factor;
      for (uint32_t i = 0; i < in.w; ++i)
        row[i] = (row[i] + bias) * factor;
    }
  }

  const TaskConfig &task;
  const PlanarConfig &pe;
  const Options &options;
  RowReader first, second;
  Tile &result;
  Dims in;
  ValueCounts counts;
};

} // namespace

/// Every axis of a source is that of the computation or 1.
static absl::Status checkSizes(const TaskConfig &task, const Dims &n,
                               absl::string_view name, bool rows,
                               const Dims &full) {
  auto fits = [](uint32_t have, uint32_t want) {
    return have == want || have == 1;
  };
  if (fits(n.g, full.g) && fits(n.d, full.d) && fits(n.c, full.c) &&
      (rows || (fits(n.h, full.h) && fits(n.w, full.w))))
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s is %s, which does not fit a computation over %s (result %s)", name,
      text(n), text(full), text(task.result.dram.dims)));
}

template <typename T>
static void run(const TaskConfig &task, const Tile &first, const Tile &second,
                const Options &options, Tile &result, ValueTally &tally) {
  Engine<T> engine(task, first, second, options, result);
  const Dims full = Engine<T>::fullDims(task);
  parallelFor(size_t(full.g) * full.c,
              full.count() < (1 << 17) ? 1 : options.threads, [&](size_t i) {
                Engine<T> mine = engine;
                tally.add(
                    mine.channel(uint32_t(i / full.c), uint32_t(i % full.c)));
              });
}

absl::Status checkPlanar(const TaskConfig &task, const Dims &first,
                         const Dims &second) {
  const Dims full = Engine<float>::fullDims(task);
  if (absl::Status status = checkSizes(task, first, "source 1", false, full);
      !status.ok())
    return status;
  if (task.planar.binary || task.planar.scaleBias)
    return checkSizes(task, second, "source 2", task.planar.scaleBias, full);
  return absl::OkStatus();
}

absl::StatusOr<Tile> runPlanar(const TaskConfig &task, const Tile &first,
                               const Tile &second, const Options &options,
                               ValueTally &tally) {
  if (absl::Status status = checkPlanar(task, first.dims, second.dims);
      !status.ok())
    return status;
  Tile result;
  result.dims = task.result.dram.dims;
  result.data.resize(result.dims.count());
  if (options.mode == Mode::Exact)
    run<double>(task, first, second, options, result, tally);
  else
    run<float>(task, first, second, options, result, tally);
  return result;
}

} // namespace ane::sim
