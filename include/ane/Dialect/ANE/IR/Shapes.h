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

inline int64_t elementBytes(Type type) {
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8;
}

/// Bytes of all elements of a tensor or memref, without gaps.
inline int64_t bytesOf(Type type) {
  return cast<ShapedType>(type).getNumElements() * elementBytes(type);
}
inline int64_t bytesOf(Value value) { return bytesOf(value.getType()); }

/// The same when all numbers are halves: constants are f32 until ane-legalize.
inline int64_t halfBytesOf(Type type) {
  return cast<ShapedType>(type).getNumElements() * int64_t(sizeof(uint16_t));
}
inline int64_t halfBytesOf(Value value) { return halfBytesOf(value.getType()); }

/// Whether the elements are what the engine takes besides f16.
inline bool isBytes(Type type) {
  return getElementTypeOrSelf(type).isUnsignedInteger(8);
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
