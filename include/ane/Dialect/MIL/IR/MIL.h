//===- MIL.h - The mil dialect ----------------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MIL_H
#define ANE_DIALECT_MIL_IR_MIL_H

#include "ane/Dialect/MIL/IR/OpTable.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::ane::mil {

/// An argument of a statement: one value, or a tuple of any number.
struct NamedArgument {
  StringRef name;
  OperandRange values;
  bool isTuple;
};

/// An argument of a statement to be built.
struct StatementArgument {
  StringRef name;
  SmallVector<Value, 1> values;
  bool isTuple = false;
};

/// What a statement has that its row of the table does not allow.
struct Mismatch {
  /// The statement cannot be meant so. Otherwise the table may be too narrow,
  /// and the statement can be kept as a `mil.op`.
  bool isCertain;
  std::string message;
};
std::optional<Mismatch> checkStatement(const OpInfo &info,
                                       ArrayRef<StatementArgument> arguments,
                                       DictionaryAttr attributes,
                                       TypeRange results, unsigned opset);

/// Builds the op of the table, or a `mil.op` where the table does not know the
/// statement or `checkStatement` finds something in the opset of the function
/// around the builder; `mismatch` gets what that was.
Operation *createStatement(OpBuilder &builder, Location loc, StringRef type,
                           ArrayRef<StatementArgument> arguments,
                           TypeRange results, DictionaryAttr attributes,
                           ArrayRef<StringRef> resultNames,
                           std::optional<Mismatch> *mismatch = nullptr);

/// 18 for `ios18`; nothing for what is not spelled so.
std::optional<unsigned> parseOpset(StringRef opset);
/// Whether programs can be for it: ios15 to ios18, and ios26.
bool existsOpset(unsigned number);

namespace impl {
// What the ops of the table share.
unsigned countArguments(Operation *op);
SmallVector<NamedArgument>
nameArguments(Operation *op, ArrayRef<std::pair<unsigned, unsigned>> ranges);
void buildStatement(OpBuilder &builder, OperationState &state,
                    ArrayRef<StatementArgument> arguments, TypeRange results,
                    DictionaryAttr attributes, ArrayRef<StringRef> resultNames);
ParseResult parseStatement(OpAsmParser &parser, OperationState &result);
void printStatement(OpAsmPrinter &printer, Operation *op);
LogicalResult verifyStatement(Operation *op);
void nameResults(Operation *op, OpAsmSetValueNameFn setNameFn);
} // namespace impl

/// Letters, digits, '_' and '@', not starting with a digit or '@'.
bool isIdentifier(StringRef name);

} // namespace mlir::ane::mil

#include "ane/Dialect/MIL/IR/MILDialect.h.inc"
#include "ane/Dialect/MIL/IR/MILInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILAttributes.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILOps.h.inc"

#endif // ANE_DIALECT_MIL_IR_MIL_H
