//===- Legalize.h - Shared by the parts of ane-legalize ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_LEGALIZE_H
#define ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_LEGALIZE_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"
#include "ane/HW/Constraints.h"

namespace mlir::ane {

struct RoundedConstants {
  int64_t constants = 0;
  /// Elements below the normal range of f16, which keep fewer digits.
  int64_t subnormals = 0;
};

/// Replaces every f32 constant below `root` by its f16 value and frees the old
/// bytes. A finite value that f16 cannot hold is an error.
FailureOr<RoundedConstants>
roundConstants(Operation *root, const ::ane::hw::GenerationInfo &info);

struct LegalizeOptions {
  const ::ane::hw::GenerationInfo &info;
  const LoweringPolicy &policy;
};

/// Success if the engine can do `op` in one pass (or in identical passes for
/// parts of it); else an error at `op` with the row of the constraint table.
LogicalResult checkLegal(Operation *op, const LegalizeOptions &options);

/// Whether a tensor of up to four dimensions has more of something than a
/// surface.
bool isTooLong(ArrayRef<int64_t> shape, const ::ane::hw::GenerationInfo &info);

/// Whether the host can do a reshape at the border of the function: one that
/// only adds or drops dimensions of 1, so that callers see the shape they know,
/// or one of a tensor of more than four dimensions, which no surface has.
bool isHostReshape(ReshapeOp reshape, const ::ane::hw::GenerationInfo &info);

/// Whether a transpose is stored with its only user, an interleave, in one
/// pass: its channels are what were columns.
bool isStoredInterleaved(TransposeOp transpose);

/// The only user of a convolution, if both can be one pass, else null: it
/// stores what were channels as columns.
TransposeOp getStoredTranspose(ConvOp conv);

/// The only user of a convolution, if both can be one pass, else null: it
/// stores channels side by side.
InterleaveOp getStoredInterleave(ConvOp conv);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_LEGALIZE_H
