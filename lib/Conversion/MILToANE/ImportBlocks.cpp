//===- ImportBlocks.cpp - MIL operations on blocks of pixels --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pixels of a block become channels or images, and back: two transposes, one
// for rows and one for columns.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// The image of rank 4 that 'x' is, and the positive factor that `argument` is.
static std::pair<Value, int64_t> imageAndFactor(Statement &s,
                                                StringRef argument) {
  Value x = s.tensor("x");
  int64_t factor = s.integer(argument);
  if (!s.failed() && (factor < 1 || factor > maxMILExtent / 64))
    s.error() << "argument '" << argument << "' is " << factor
              << ", but must be positive";
  if (!s.failed() && shapeOf(x).size() != 4)
    s.error() << "has an input of rank " << shapeOf(x).size()
              << ", but must have one of rank 4";
  return {x, s.failed() ? 1 : factor};
}

/// Blocks of f x f pixels from channels. In two steps, first rows and then
/// columns, so that no tensor has more than five dimensions. The channel of
/// row i, column j and result channel c is c * f * f + i * f + j, or
/// (i * f + j) * c' + c when the block is `blockMajor`.
static Value emitDepthToSpace(Statement &s, Value x, int64_t f,
                              bool blockMajor) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t n = shape[0], c = shape[1], h = shape[2], w = shape[3];
  if (c % (f * f)) {
    s.error() << "has " << c << " channels, but blocks of " << f << "x" << f
              << " pixels must divide them";
    return {};
  }
  int64_t d = c / (f * f);
  if (blockMajor) {
    // [i, j d] -> [h, i]; then [j, d] -> [w, j]
    x = s.transpose(s.reshape(x, {n, f, f * d, h, w}), {0, 2, 3, 1, 4});
    x = s.transpose(s.reshape(x, {n, f, d, h * f, w}), {0, 2, 3, 4, 1});
  } else {
    x = s.transpose(s.reshape(x, {n, d * f, f, h, w}), {0, 1, 3, 4, 2});
    x = s.transpose(s.reshape(x, {n, d, f, h, w * f}), {0, 1, 3, 2, 4});
  }
  return s.reshape(x, {n, d, h * f, w * f});
}

/// The inverse.
static Value emitSpaceToDepth(Statement &s, Value x, int64_t f,
                              bool blockMajor) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t n = shape[0], c = shape[1], h = shape[2], w = shape[3];
  if (h % f || w % f) {
    s.error() << "has an image of " << h << "x" << w << ", but blocks of " << f
              << "x" << f << " pixels must divide it";
    return {};
  }
  h /= f;
  w /= f;
  if (blockMajor) {
    x = s.transpose(s.reshape(x, {n, c, h * f, w, f}), {0, 4, 1, 2, 3});
    x = s.transpose(s.reshape(x, {n, f * c, h, f, w}), {0, 3, 1, 2, 4});
  } else {
    x = s.transpose(s.reshape(x, {n, c, h, f, w * f}), {0, 1, 3, 2, 4});
    x = s.transpose(s.reshape(x, {n, c * f, h, w, f}), {0, 1, 4, 2, 3});
  }
  return s.reshape(x, {n, c * f * f, h, w});
}

static void addBlocks(MILImporter &importer, StringRef name, StringRef factor,
                      Value (*emit)(Statement &, Value, int64_t, bool),
                      bool blockMajor) {
  importer.add(name, [=](Statement &s) {
    auto [x, f] = imageAndFactor(s, factor);
    return s.failed() ? Value() : emit(s, x, f, blockMajor);
  });
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

namespace {
/// Blocks of pixels that go to a batch of images.
struct BatchBlocks {
  Value x;                      // null after an error
  SmallVector<int64_t> block;   // rows, columns
  SmallVector<int64_t> borders; // top, bottom, left, right
};
} // namespace

static BatchBlocks readBatchBlocks(Statement &s, StringRef borders) {
  Value x = s.tensor("x");
  BatchBlocks blocks{
      x, s.fixedIntegers("block_shape", 2, {}, 1, maxMILExtent / 64),
      s.fixedIntegers(borders, 4, {}, 0, 1 << 20)};
  if (!s.failed() && shapeOf(x).size() != 4)
    s.error() << "has an input of rank " << shapeOf(x).size()
              << ", but must have one of rank 4";
  return blocks;
}

// The image of row i and column j of its block is number (i * columns + j) of
// the batch, where each of the old images has its own.
static Value importSpaceToBatch(Statement &s) {
  auto [x, block, pad] = readBatchBlocks(s, "paddings");
  if (s.failed())
    return {};
  if (llvm::any_of(pad, [](int64_t size) { return size != 0; }))
    x = s.build<PadOp>(x, ArrayRef<int64_t>{0, 0, pad[0], pad[2]},
                       ArrayRef<int64_t>{0, 0, pad[1], pad[3]},
                       llvm::APFloat(0.0f));
  if (!x)
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t n = shape[0], c = shape[1], h = shape[2], w = shape[3];
  if (h % block[0] || w % block[1]) {
    s.error() << "has an image of " << h << "x" << w
              << " with its padding, but blocks of " << block[0] << "x"
              << block[1] << " pixels must divide it";
    return {};
  }
  h /= block[0];
  w /= block[1];
  x = s.transpose(s.reshape(x, {n * c, h, block[0], w * block[1]}),
                  {2, 0, 1, 3});
  x = s.transpose(s.reshape(x, {block[0], n * c * h, w, block[1]}),
                  {0, 3, 1, 2});
  return s.reshape(x, {block[0] * block[1] * n, c, h, w});
}

static Value importBatchToSpace(Statement &s) {
  auto [x, block, crops] = readBatchBlocks(s, "crops");
  if (s.failed())
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t n = shape[0], c = shape[1], h = shape[2], w = shape[3];
  if (n % (block[0] * block[1])) {
    s.error() << "has " << n << " images, but blocks of " << block[0] << "x"
              << block[1] << " pixels must divide them";
    return {};
  }
  n /= block[0] * block[1];
  int64_t rows = h * block[0], columns = w * block[1];
  if (crops[0] + crops[1] >= rows || crops[2] + crops[3] >= columns) {
    s.error() << "crops all of an image of " << rows << "x" << columns;
    return {};
  }
  x = s.transpose(s.reshape(x, {block[0], block[1], n * c * h, w}),
                  {0, 2, 3, 1});
  x = s.transpose(s.reshape(x, {block[0], n * c, h, columns}), {1, 2, 0, 3});
  x = s.reshape(x, {n, c, rows, columns});
  x = s.sliceAxis(x, 2, crops[0], rows - crops[0] - crops[1]);
  return s.sliceAxis(x, 3, crops[2], columns - crops[2] - crops[3]);
}

void mlir::ane::addMILBlockImport(MILImporter &importer) {
  addBlocks(importer, "depth_to_space", "block_size", emitDepthToSpace, true);
  addBlocks(importer, "pixel_shuffle", "upscale_factor", emitDepthToSpace,
            false);
  addBlocks(importer, "pixel_unshuffle", "downscale_factor", emitSpaceToDepth,
            false);
  addBlocks(importer, "space_to_depth", "block_size", emitSpaceToDepth, true);
  importer.add("batch_to_space", importBatchToSpace);
  importer.add("space_to_batch", importSpaceToBatch);
}
