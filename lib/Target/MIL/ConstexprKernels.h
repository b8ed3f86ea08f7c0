//===- ConstexprKernels.h - Loops over compressed weights -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Constexpr.cpp has checked is computed here: sizes agree, results are
// allocated. Work is cut into chunks of elements (multiples of eight, so that
// packed elements begin with a byte), several threads take chunks.
//
// Scales, offsets and tables belong to blocks: a dimension of d elements with s
// scales has s blocks of d/s neighbours. `Blocks` merges dimensions where that
// changes nothing, so that with one scale a channel, whatever the shape, a run
// of elements with the same scale is a channel.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MIL_CONSTEXPRKERNELS_H
#define ANE_LIB_TARGET_MIL_CONSTEXPRKERNELS_H

#include "ane/Target/MIL/BlobFile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"

namespace mlir::ane::mil {

/// Elements of one type; those of less than a byte packed or one a byte.
struct Elements {
  BlobType type;
  ArrayRef<char> bytes;
  uint64_t count;
  bool isPacked;
};

/// Which block an element belongs to.
class Blocks {
public:
  /// Each extent of `blocks` divides that of `shape`; the ranks are equal.
  Blocks(ArrayRef<int64_t> shape, ArrayRef<int64_t> blocks);

  /// Calls `run(first, end, block)` for runs of elements of one block.
  void forEachRun(uint64_t begin, uint64_t end,
                  function_ref<void(uint64_t, uint64_t, uint64_t)> run) const;

private:
  struct Dimension {
    uint64_t extent, blockSize, stride;
  };
  SmallVector<Dimension, 4> dimensions;
};

/// Numbers of at most a byte, fp16 and fp32 as fp32. `begin` is a multiple of
/// eight.
void loadFloats(const Elements &from, uint64_t begin, uint64_t count,
                float *to);
bool canLoadFloats(BlobType type);

/// Numbers of at most a byte, sign- or zero-extended to one.
void loadBytes(const Elements &from, uint64_t begin, uint64_t count,
               uint8_t *to);

/// scale[block] * (data - offset[block]), rounded once; `offset` may be empty.
/// `to` is fp16 or fp32.
void dequantize(MLIRContext *context, const Elements &data,
                const Blocks &blocks, ArrayRef<float> scale,
                ArrayRef<float> offset, bool toHalf, char *to);

/// table[block][index], where each entry is `vector` elements of `width` bytes
/// that become neighbours in a dimension with `inner` elements after it.
void lookUp(MLIRContext *context, const Elements &indices, const Blocks &blocks,
            const char *table, uint64_t entries, uint64_t vector,
            uint64_t inner, unsigned width, char *to);

/// Number of bits that are set among the first `count`.
uint64_t countBits(MLIRContext *context, const uint8_t *mask, uint64_t count);

/// Where the mask has a bit, the next of `values`, zero elsewhere.
void scatterByMask(MLIRContext *context, const uint8_t *mask, uint64_t count,
                   const char *values, unsigned width, char *to);

/// The values where the mask has a bit, one after the other.
void gatherByMask(MLIRContext *context, const uint8_t *mask, uint64_t count,
                  const char *values, unsigned width, char *to);

/// Repeats bits `times` along a dimension with `inner` elements after it.
/// `to` is zero before.
void repeatBits(const uint8_t *mask, uint64_t count, uint64_t times,
                uint64_t inner, uint8_t *to);

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MIL_CONSTEXPRKERNELS_H
