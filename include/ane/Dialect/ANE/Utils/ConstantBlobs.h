//===- ConstantBlobs.h - The bytes behind constants -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights are `dense_resource`: an attribute with a key, and bytes that the
// context keeps under this key until it dies, used or not. A compiler that
// transposes, scales and rounds 100 MB of weights would hold every stage of
// them, so whoever replaces a constant also says when the old bytes may go.
//
// An entry cannot be removed from the blob manager (handles point into it), but
// its bytes can be swapped for none, which is what "release" means here.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_CONSTANTBLOBS_H
#define ANE_DIALECT_ANE_UTILS_CONSTANTBLOBS_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::ane {

/// Counts which operations use which resource, and frees a resource when the
/// last use is dropped. Resources that nothing below the root used at
/// construction are not its business.
class BlobUses {
public:
  /// Counts the uses in `root` and everything nested in it.
  explicit BlobUses(Operation *root);

  /// Tells that an operation that uses the resources in `attr` came or goes.
  /// The bytes are freed when the count falls to zero: no view of them may live
  /// on.
  void add(Attribute attr);
  void drop(Attribute attr);

  /// Counts again, and frees every resource of the last count that nothing
  /// below `root` uses any more. For passes whose driver erases operations
  /// itself.
  void releaseGone(Operation *root);

  /// Bytes freed so far.
  int64_t getReleasedBytes() const { return releasedBytes; }

private:
  using Entry = DialectResourceBlobManager::BlobEntry;
  llvm::DenseMap<Entry *, int64_t> uses;
  int64_t releasedBytes = 0;
};

/// Frees every resource of the builtin dialect that nothing below `root` uses.
/// Returns the number of resources and of bytes.
std::pair<int64_t, int64_t> releaseUnusedBlobs(Operation *root);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_CONSTANTBLOBS_H
