//===- ShareConstants.h - Equal constants once ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a convolution has become many, each of them is taken apart, and makes
// the same weights of the same ones. While patterns run, a constant that is
// like one before it gets the bytes of that; afterwards they are one op.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_SHARECONSTANTS_H
#define ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_SHARECONSTANTS_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// Sees what patterns insert.
class ConstantSharer : public RewriterBase::Listener {
public:
  explicit ConstantSharer(Operation *scope);
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override;
  /// Constants of the same bytes in a block become the first of them.
  void merge(Operation *scope);

private:
  using Entry = DialectResourceBlobManager::BlobEntry;
  DenseSet<Entry *> entries; ///< that constants have
  DenseMap<uint64_t, SmallVector<DenseResourceElementsAttr, 1>> known;
};

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_SHARECONSTANTS_H
