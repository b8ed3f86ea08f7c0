//===- StableHLOSyntax.h - Parts of the text of ops -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The custom directives of StableHLOOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_STABLEHLO_IR_STABLEHLOSYNTAX_H
#define ANE_LIB_DIALECT_STABLEHLO_IR_STABLEHLOSYNTAX_H

#include "ane/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::ane::stablehlo {

/// One type for all, or the type of a function.
ParseResult parseTypes(OpAsmParser &parser, ArrayRef<Type *> types);
void printTypes(OpAsmPrinter &printer, ArrayRef<Type> types);

template <typename... Types>
ParseResult parseSameTypes(OpAsmParser &parser, Types &...types) {
  return parseTypes(parser, {&types...});
}
template <typename... Types>
void printSameTypes(OpAsmPrinter &printer, Operation *, Types... types) {
  printTypes(printer, {Type(types)...});
}

/// The types of the condition and of the rest, or the type of a function.
ParseResult parseSelectTypes(OpAsmParser &parser, Type &pred, Type &onTrue,
                             Type &onFalse, Type &result);
void printSelectTypes(OpAsmPrinter &printer, Operation *op, Type pred,
                      Type onTrue, Type onFalse, Type result);

/// [1, 2]
ParseResult parseNumbers(OpAsmParser &parser, Attribute &numbers);
void printNumbers(OpAsmPrinter &printer, Operation *op, Attribute numbers);

/// [0:1, 2:8:2]
ParseResult parseRanges(OpAsmParser &parser, Attribute &starts,
                        Attribute &limits, Attribute &strides);
void printRanges(OpAsmPrinter &printer, Operation *op, Attribute starts,
                 Attribute limits, Attribute strides);

/// %a, %b, dim = 1
ParseResult parseInputs(OpAsmParser &parser,
                        SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inputs,
                        IntegerAttr &dimension);
void printInputs(OpAsmPrinter &printer, Operation *op, OperandRange inputs,
                 IntegerAttr dimension);

/// %a, %b, sizes = [1, 2]
ParseResult parseStarts(OpAsmParser &parser,
                        SmallVectorImpl<OpAsmParser::UnresolvedOperand> &starts,
                        Attribute &sizes);
void printStarts(OpAsmPrinter &printer, Operation *op, OperandRange starts,
                 Attribute sizes);

/// batching_dims = [0] x [0], contracting_dims = [2] x [1]
ParseResult parseDotDimensions(OpAsmParser &parser,
                               DotDimensionsAttr &dimensions);
void printDotDimensions(OpAsmPrinter &printer, Operation *op,
                        DotDimensionsAttr dimensions);

/// Nothing, or: , precision = [DEFAULT, DEFAULT]
ParseResult parsePrecisions(OpAsmParser &parser, ArrayAttr &precisions);
void printPrecisions(OpAsmPrinter &printer, Operation *op,
                     ArrayAttr precisions);

/// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
ParseResult parseConvDimensions(AsmParser &parser,
                                ConvDimensionsAttr &dimensions);
void printConvDimensions(AsmPrinter &printer, ConvDimensionsAttr dimensions);
inline void printConvDimensions(OpAsmPrinter &printer, Operation *,
                                ConvDimensionsAttr dimensions) {
  printConvDimensions(printer, dimensions);
}

/// stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1],
/// rhs_dilate = [1, 1], reverse = [false, false]; any of them may be missing.
ParseResult parseWindow(OpAsmParser &parser, Attribute &strides,
                        DenseIntElementsAttr &padding, Attribute &lhsDilation,
                        Attribute &rhsDilation, Attribute &reversal);
void printWindow(OpAsmPrinter &printer, Operation *op, Attribute strides,
                 DenseIntElementsAttr padding, Attribute lhsDilation,
                 Attribute rhsDilation, Attribute reversal);

/// @name
ParseResult parseTarget(OpAsmParser &parser, StringAttr &name);
void printTarget(OpAsmPrinter &printer, Operation *op, StringAttr name);

} // namespace mlir::ane::stablehlo

#endif // ANE_LIB_DIALECT_STABLEHLO_IR_STABLEHLOSYNTAX_H
