//===- Description.h - Inputs and outputs of a model ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model file says what goes in and comes out twice: as types of the program's
// functions, and in a description that apps see. Shapes that may vary are `?`
// in the program; the description has the ranges or the list of shapes. Text
// has them as an attribute of the function, which Apple's compiler makes of the
// description:
//
//    FlexibleShapeInformation = (("DefaultShapes", {{"x", [1, 4]}}),
//                                ("RangeDims", {{"x", [[1, 1], [1, 64]]}}))
//    FlexibleShapeInformation = (("DefaultShapes", {{"x", [1, 4]}}),
//                                ("EnumeratedShapes", {{"key", {{"x", [1,
//                                2]}}}, ...}))
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MLPACKAGE_DESCRIPTION_H
#define ANE_LIB_TARGET_MLPACKAGE_DESCRIPTION_H

#include "ProtoTypes.h"

#include "ane/Dialect/MIL/Utils/FlexibleShapes.h"

namespace mlir::ane::mil {

/// Where the features of a function stand: in the model's description, or in
/// that of the function.
struct Features {
  google::protobuf::RepeatedPtrField<pb::FeatureDescription> *inputs, *outputs,
      *states;
};

/// Describes the arguments and results of a function. `names` are those of the
/// results. Errors are those of the function.
LogicalResult describeFunction(FuncOp func, ArrayRef<StringRef> names,
                               Features features);

/// Whether an argument or result is fp16.
bool usesHalf(FuncOp func);

/// The attribute for inputs whose shapes may vary; null where none may.
TypedAttr importFlexibleShapes(
    const google::protobuf::RepeatedPtrField<pb::FeatureDescription> &inputs,
    MLIRContext *context);

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MLPACKAGE_DESCRIPTION_H
