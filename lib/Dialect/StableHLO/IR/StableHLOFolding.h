//===- StableHLOFolding.h - What ops compute of constants -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_STABLEHLO_IR_STABLEHLOFOLDING_H
#define ANE_LIB_DIALECT_STABLEHLO_IR_STABLEHLOFOLDING_H

#include "mlir/Interfaces/FoldInterfaces.h"

namespace mlir::ane::stablehlo {

struct Folding : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  LogicalResult fold(Operation *op, ArrayRef<Attribute> operands,
                     SmallVectorImpl<OpFoldResult> &results) const final;
};

} // namespace mlir::ane::stablehlo

#endif // ANE_LIB_DIALECT_STABLEHLO_IR_STABLEHLOFOLDING_H
