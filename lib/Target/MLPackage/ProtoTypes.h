//===- ProtoTypes.h - Types of programs in packages -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MLPACKAGE_PROTOTYPES_H
#define ANE_LIB_TARGET_MLPACKAGE_PROTOTYPES_H

#include "ane/Dialect/MIL/IR/MIL.h"

#include "Model.pb.h"

namespace mlir::ane::mil {

namespace pb = ::ane::mlpackage;
/// MLIR has another tuple.
using TupleOfTypes = TupleType;

/// Gives errors their place.
using EmitError = function_ref<InFlightDiagnostic()>;

/// Failure, without a message, for types that MIL does not have.
LogicalResult exportType(Type type, pb::ValueType &result);
/// Null, with an error, for what is no type.
Type importType(const pb::ValueType &type, MLIRContext *context,
                EmitError emitError);

/// "CoreML8" for "ios18"; empty for an opset that Core ML does not have.
StringRef getOpsetName(StringRef opset);
/// "ios18" for "CoreML8".
StringRef parseOpsetName(StringRef name);

/// The version of the format that came with an opset: 9 for "ios18".
int getFormatVersion(StringRef opset);
constexpr int kFormatOfIOS16 = 7;
constexpr int kFormatOfIOS18 = 9;

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MLPACKAGE_PROTOTYPES_H
