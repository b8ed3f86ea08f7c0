//===- ConstantSection.h - Coefficients and tables of a program -*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grows while tasks are encoded, in their order. Weights move once: from the
// blob of a constant into the packed streams, and the blob is given back after
// the last task that reads it, so that a program and its weights are not both
// in memory.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ANETOHWX_CONSTANTSECTION_H
#define ANE_LIB_CONVERSION_ANETOHWX_CONSTANTSECTION_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Utils/ConstantBlobs.h"
#include "ane/HW/KernelPacking.h"
#include "ane/HW/LookupTable.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace mlir::ane {

/// Where the streams of a task lie in the constant section.
struct StreamPlaces {
  SmallVector<uint32_t, 16> offsets, sizes;
  /// Bytes to the streams of the next pass; 0 where they have all passes.
  uint32_t passStride = 0;
};

class ConstantSection {
public:
  ConstantSection(func::FuncOp func, const ::ane::hw::GenerationInfo &info,
                  ::ane::hw::TableSet tableSet, bool keepConstants);

  /// The streams of a convolution. Parts of one convolution, strips of its
  /// image, have them in common: equal ones are added once.
  FailureOr<StreamPlaces> addKernel(KernelLoadOp load,
                                    const ::ane::hw::KernelShape &shape);
  /// The table of a task without coefficients; equal ones are added once.
  FailureOr<StreamPlaces> addTable(KernelLoadOp load, int64_t channels);
  /// A constant that tasks read as a tensor; returns its offset. Added once.
  FailureOr<uint64_t> addTensor(ConstantBufferOp op);

  /// Nothing of `task` is added any more.
  void release(TaskOp task);

  /// All of them, and how many bytes are those of a kernel segment.
  std::pair<std::shared_ptr<std::vector<uint8_t>>, uint64_t> take();

private:
  using TableBytes = std::array<uint8_t, ::ane::hw::tableBytes>;

  /// The table of an activation, made once: samples are fitted.
  FailureOr<TableBytes> makeTable(KernelLoadOp load);
  /// Makes room for streams of `op` at the end; returns where it starts.
  FailureOr<uint64_t> grow(Operation *op, uint64_t count);
  /// One user of a constant has all of it.
  void drop(Value value);

  const ::ane::hw::GenerationInfo &info;
  ::ane::hw::TableSet tableSet;
  std::shared_ptr<std::vector<uint8_t>> bytes;
  /// Constant tensors of generations that have them in another section.
  std::vector<uint8_t> tensorBytes;
  DenseMap<Operation *, uint64_t> tensors;
  DenseMap<Attribute, TableBytes> tables;
  /// Where tables lie for so many channels.
  DenseMap<std::pair<Attribute, int64_t>, StreamPlaces> tablePlaces;
  /// Loads with the same weight, by weight, with what they made.
  struct Known {
    KernelLoadOp load;
    ::ane::hw::KernelShape shape;
    StreamPlaces places;
  };
  DenseMap<Value, SmallVector<Known, 1>> kernels;
  std::optional<BlobUses> blobs; ///< none: they are kept
  /// Uses of a constant that are still to come.
  DenseMap<Value, int64_t> usesLeft;
};

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_ANETOHWX_CONSTANTSECTION_H
