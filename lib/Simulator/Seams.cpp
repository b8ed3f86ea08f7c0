//===- Seams.cpp - Windows that reach into another tile -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Seams.h"

#include <algorithm>

namespace ane::sim {

namespace {
/// Rows and columns of all channels.
struct Box {
  uint32_t top, bottom, left, right;
};

} // namespace

/// Calls `visit(element, row of elements)` for what a box has of each row.
template <typename Visit>
static void forEachRow(const Dims &dims, const Box &box, Visit visit) {
  const size_t planes = size_t(dims.g) * dims.d * dims.c;
  const uint32_t bottom = std::min(box.bottom, dims.h),
                 right = std::min(box.right, dims.w);
  for (size_t plane = 0; plane < planes; ++plane)
    for (uint32_t row = box.top; row < bottom; ++row)
      if (box.left < right)
        visit((plane * dims.h + row) * dims.w + box.left, right - box.left);
}

static void copyBox(const Box &box, const Tile &from, Tile &to) {
  forEachRow(to.dims, box, [&](size_t at, size_t count) {
    std::copy_n(from.data.begin() + at, count, to.data.begin() + at);
  });
}

/// Without the columns of the kernel from the ninth on.
static Kernel narrowed(const TaskConfig &task, const Kernel &kernel) {
  constexpr uint32_t columns = 8;
  Kernel result = kernel;
  for (size_t i = 0; i < result.weights.size(); ++i)
    if (i % task.neural.kw >= columns)
      result.weights[i] = 0;
  return result;
}

absl::StatusOr<Tile> runNeuralApart(const TaskConfig &task, Tile &source,
                                    const Kernel &kernel,
                                    const Options &options, uint32_t tileRows,
                                    ValueTally &tally) {
  const Assumptions &rules = *options.assumptions;
  const NeuralConfig &ne = task.neural;
  const Dims &out = task.result.dram.dims;
  constexpr uint32_t unitColumns = 128;
  const uint32_t rows = rules.rows == assumed::Rows::Apart ? tileRows : out.h,
                 columns = rules.columns == assumed::Columns::Apart
                               ? unitColumns
                               : out.w;
  const Kernel *used = &kernel;
  Kernel narrow;
  if (rules.wide == assumed::Wide::Eight && ne.hasKernel) {
    narrow = narrowed(task, kernel);
    used = &narrow;
  }
  if (!ne.hasKernel || (rows >= out.h && columns >= out.w))
    return runNeural(task, source, *used, options, tally);
  Tile result;
  result.dims = out;
  result.data.resize(out.count());
  for (uint32_t top = 0; top < out.h; top += rows)
    for (uint32_t left = 0; left < out.w; left += columns) {
      const Box own = {top, top + rows, left, left + columns};
      Tile seen;
      seen.dims = source.dims;
      seen.data.resize(source.data.size());
      std::fill(seen.data.begin(), seen.data.end(), 0.0f);
      copyBox({own.top * ne.sy, own.bottom * ne.sy, own.left * ne.sx,
               own.right * ne.sx},
              source, seen);
      ValueTally rest; // the elements of others are counted with them
      auto part = runNeural(task, seen, *used, options, rest);
      if (!part.ok())
        return part;
      copyBox(own, *part, result);
    }
  return result;
}

} // namespace ane::sim
