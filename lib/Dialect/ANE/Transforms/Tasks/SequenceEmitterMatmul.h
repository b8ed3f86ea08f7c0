//===- SequenceEmitterMatmul.h - A product and what it absorbs --*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TASKS_SEQUENCEEMITTERMATMUL_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TASKS_SEQUENCEEMITTERMATMUL_H

#include "ane/Dialect/ANE/Transforms/Tasks/SequenceEmitter.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"

namespace mlir::ane {

/// M x K times K x N.
struct SequenceEmitter::Product {
  Operation *op = nullptr;
  Value x, y;
  Value result; ///< of the last op that it absorbs
  int64_t m = 0, k = 0, n = 0;
  bool transposeX = false, transposeY = false;
  bool constant = false; ///< the right matrix
  Value bias;
  float scale = 1;
  ActivationAttr activation;
  SmallVector<Operation *, 1> absorbed;

  void absorb();
  /// Its result becomes the pixels of another product with constants.
  bool feedsPixels() const;
  /// Its result goes into a softmax of rows.
  bool feedsScores() const;
  int64_t channelsOfTask(const ::ane::hw::GenerationInfo &info) const;
  int64_t interleave(const ::ane::hw::GenerationInfo &info) const;
};

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TASKS_SEQUENCEEMITTERMATMUL_H
