//===- FlexibleShapes.h - Shapes that inputs may have -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function whose inputs have no fixed shape says in an attribute what shapes
// they may have: pairs of lower and upper bound for each dimension (RangeDims),
// or a list (EnumeratedShapes), and which shape is the default.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_UTILS_FLEXIBLESHAPES_H
#define ANE_DIALECT_MIL_UTILS_FLEXIBLESHAPES_H

#include "ane/Dialect/MIL/IR/MIL.h"

#include <map>

namespace mlir::ane::mil {

/// The name of the attribute of the function.
constexpr llvm::StringLiteral kFlexibleShapes = "FlexibleShapeInformation";

/// What the attribute says of each input, by its name.
struct FlexibleShapes {
  using Shape = SmallVector<int64_t>;

  std::map<std::string, Shape> defaults;
  std::map<std::string, SmallVector<std::pair<int64_t, int64_t>>> ranges;
  std::map<std::string, SmallVector<Shape>> enumerated;
};

/// Nothing in it without the attribute; an error at the function where it is
/// something else.
FailureOr<FlexibleShapes> readFlexibleShapes(FuncOp func);

} // namespace mlir::ane::mil

#endif // ANE_DIALECT_MIL_UTILS_FLEXIBLESHAPES_H
