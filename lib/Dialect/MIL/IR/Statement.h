//===- Statement.h - The syntax of statements -------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands after the name of an op: `(arguments) {attributes} as names :
// type`. For `mil.op` and for the ops of the table.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_IR_STATEMENT_H
#define ANE_LIB_DIALECT_MIL_IR_STATEMENT_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace mlir::ane::mil {

struct StatementSyntax {
  SmallVector<Attribute> names;
  SmallVector<SMLoc> locs;
  /// Operands of each argument; -1 for one without parentheses.
  SmallVector<int32_t> segments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Value> values;
  DictionaryAttr attributes;
  ArrayAttr resultNames;
};

/// Adds the types of the results to `result`.
ParseResult parseSyntax(OpAsmParser &parser, StatementSyntax &syntax,
                        OperationState &result);
/// `inherent`: what is not to be repeated among the attributes.
void printSyntax(OpAsmPrinter &printer, Operation *op,
                 ArrayRef<StringRef> inherent);

} // namespace mlir::ane::mil

#endif // ANE_LIB_DIALECT_MIL_IR_STATEMENT_H
