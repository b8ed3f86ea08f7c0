//===- StableHLODialect.cpp - The stablehlo dialect -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StableHLOFolding.h"
#include "StableHLOSyntax.h"
#include "ane/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane::stablehlo;

#include "ane/Dialect/StableHLO/IR/StableHLODialect.cpp.inc"
#include "ane/Dialect/StableHLO/IR/StableHLOEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/StableHLO/IR/StableHLOAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/StableHLO/IR/StableHLOOps.cpp.inc"

#include "ane/Dialect/StableHLO/IR/CHLODialect.cpp.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/StableHLO/IR/CHLOOps.cpp.inc"

namespace {
/// Exporters write functions of a library as functions that are called.
struct Inlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void StableHLODialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ane/Dialect/StableHLO/IR/StableHLOAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/StableHLO/IR/StableHLOOps.cpp.inc"
      >();
  addInterfaces<Folding, Inlining>();
  allowUnknownOperations();
}

void mlir::ane::chlo::CHLODialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/StableHLO/IR/CHLOOps.cpp.inc"
      >();
  addInterfaces<Inlining>();
  allowUnknownOperations();
}

Attribute StableHLODialect::parseAttribute(DialectAsmParser &parser,
                                           Type type) const {
  SMLoc loc = parser.getNameLoc();
  StringRef mnemonic;
  Attribute attr;
  auto known = generatedAttributeParser(parser, &mnemonic, type, attr);
  if (known.has_value())
    return attr;
  if (parser.getFullSymbolSpec().empty()) {
    parser.emitError(loc) << "unknown attribute of stablehlo";
    return {};
  }
  return OpaqueAttr::getChecked([&] { return parser.emitError(loc); },
                                StringAttr::get(getContext(), getNamespace()),
                                parser.getFullSymbolSpec(),
                                NoneType::get(getContext()));
}

void StableHLODialect::printAttribute(Attribute attr,
                                      DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

static ParseResult parseUnknown(OpAsmParser &parser, OperationState &) {
  return parser.emitError(parser.getNameLoc(),
                          "has a text that is not known here, and the engine "
                          "has nothing for it; run this part of the network on "
                          "the host");
}

std::optional<Dialect::ParseOpHook>
StableHLODialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(parseUnknown);
}

std::optional<Dialect::ParseOpHook>
mlir::ane::chlo::CHLODialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(parseUnknown);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

SmallVector<int64_t> mlir::ane::stablehlo::numbersOf(Attribute attr,
                                                     size_t count,
                                                     int64_t otherwise) {
  if (auto numbers = dyn_cast_or_null<DenseI64ArrayAttr>(attr))
    return SmallVector<int64_t>(numbers.asArrayRef());
  if (auto flags = dyn_cast_or_null<DenseBoolArrayAttr>(attr))
    return llvm::to_vector_of<int64_t>(flags.asArrayRef());
  SmallVector<int64_t> values;
  if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attr)) {
    bool isFlag = dense.getElementType().isInteger(1);
    for (const APInt &value : dense.getValues<APInt>())
      values.push_back(isFlag ? value.getZExtValue() : value.getSExtValue());
    return values;
  }
  values.assign(count, otherwise);
  return values;
}

Operation *mlir::ane::stablehlo::combinerOf(Region &body) {
  if (!llvm::hasSingleElement(body) || body.front().getNumArguments() != 2)
    return nullptr;
  Block &block = body.front();
  if (!llvm::hasNItems(block, 2))
    return nullptr;
  Operation &op = block.front();
  auto ret = dyn_cast<ReturnOp>(block.back());
  if (!ret || op.getNumOperands() != 2 || op.getNumResults() != 1 ||
      ret.getNumOperands() != 1 || ret.getOperand(0) != op.getResult(0))
    return nullptr;
  Value first = block.getArgument(0), second = block.getArgument(1);
  Value lhs = op.getOperand(0), rhs = op.getOperand(1);
  bool isBoth =
      (lhs == first && rhs == second) || (lhs == second && rhs == first);
  return isBoth ? &op : nullptr;
}
