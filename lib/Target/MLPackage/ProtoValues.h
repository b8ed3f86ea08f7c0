//===- ProtoValues.h - Values of programs in packages -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is immediate (numbers in the message) or a reference into a weight
// file. Numbers have fields of their own only where protocol buffers have such
// numbers:
//
//    floats fp32   ints int32   long_ints int64, uint64   doubles fp64
//    bools bool    strings string
//    bytes   all others: little endian, elements of less than a byte packed
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MLPACKAGE_PROTOVALUES_H
#define ANE_LIB_TARGET_MLPACKAGE_PROTOVALUES_H

#include "../MIL/WeightFile.h"
#include "ProtoTypes.h"

namespace mlir::ane::mil {

/// Writes values of a function; errors are those of the op.
class ValueExporter {
public:
  ValueExporter(WeightFile &weights, StringRef opset)
      : weights(weights), opset(opset) {}

  /// What belongs into the weight file goes there, unless it is an operand in
  /// place.
  LogicalResult exportValue(Operation *op, Attribute value, Type type,
                            pb::Value &result, bool isInPlace = false);

private:
  LogicalResult exportImmediate(Operation *op, Attribute value, Type type,
                                pb::ImmediateValue &result);
  LogicalResult exportTensor(Operation *op, Attribute value, Type element,
                             pb::TensorValue &result);

  WeightFile &weights;
  StringRef opset;
};

/// The type of an attribute as MIL sees it.
Type getMILType(Attribute value);

/// Null, with an error, for what is no value.
TypedAttr importValue(const pb::Value &value, MLIRContext *context,
                      EmitError emitError);

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MLPACKAGE_PROTOVALUES_H
