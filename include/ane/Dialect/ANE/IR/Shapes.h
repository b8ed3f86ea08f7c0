//===- Shapes.h - Types and shapes of values --------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_SHAPES_H
#define ANE_DIALECT_ANE_IR_SHAPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Value.h"

namespace mlir::ane {

/// Of a tensor, which all values of the tensor level are.
inline RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The dimensions of a tensor or memref.
inline ArrayRef<int64_t> shapeOf(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

/// Whether only the host knows such elements, at the border of a function: f32,
/// and integers of more than 8 bits, which are whole numbers in f16 before it.
inline bool isHostElement(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF32() ||
         (element.isInteger() && element.getIntOrFloatBitWidth() > 8);
}

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_IR_SHAPES_H
