//===- SaturateConstants.h - Constants beyond f16 ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_SATURATECONSTANTS_H
#define ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_SATURATECONSTANTS_H

#include "ane/Dialect/ANE/IR/ANE.h"

namespace mlir::ane {

/// How a message calls a constant.
std::string nameOfConstant(ConstantOp op);

/// How a constant may stay within f16 where its values do not.
enum class Saturation {
  Never,       ///< a product with it would be wrong
  WithWarning, ///< a sum or a choice gives what is as large as f16 can say
  Exact        ///< a bound, or compared with: no data is larger
};
Saturation saturationOf(ConstantOp op);

/// Makes the largest f16 of each finite number of `op` beyond it, an f32
/// constant; the new one if there was such a number, else `op`. `kind` says
/// whether to warn of it.
ConstantOp saturateConstant(ConstantOp op, Saturation kind);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_SATURATECONSTANTS_H
