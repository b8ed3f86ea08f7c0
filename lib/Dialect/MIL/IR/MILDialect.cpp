//===- MILDialect.cpp - The mil dialect -----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane::mil;

#include "ane/Dialect/MIL/IR/MILDialect.cpp.inc"
#include "ane/Dialect/MIL/IR/MILInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILAttributes.cpp.inc"

void MILDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ane/Dialect/MIL/IR/MILTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ane/Dialect/MIL/IR/MILAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILOps.cpp.inc"
      >();
  addActivationOps();
  addCompressionOps();
  addElementwiseOps();
  addImageOps();
  addLinearOps();
  addReductionOps();
  addSequenceOps();
  addShapeOps();
  addTensorOps();
}

// The written numbers round to those of the attribute; whoever replaces a value
// drops them.
static bool roundTo(DenseFPElementsAttr written, Attribute value) {
  auto rounds = [](double number, APFloat rounded) {
    APFloat exact(number);
    bool loses;
    exact.convert(rounded.getSemantics(), APFloat::rmNearestTiesToEven, &loses);
    return exact.bitwiseIsEqual(rounded) || (exact.isNaN() && rounded.isNaN());
  };
  if (auto number = dyn_cast<FloatAttr>(value))
    return written.getNumElements() == 1 &&
           rounds(*written.value_begin<double>(), number.getValue());
  auto dense = dyn_cast<DenseFPElementsAttr>(value);
  if (!dense || written.getNumElements() != dense.getNumElements())
    return false;
  for (auto [number, rounded] :
       llvm::zip(written.getValues<double>(), dense.getValues<APFloat>()))
    if (!rounds(number, rounded))
      return false;
  return true;
}

LogicalResult MILDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  if (attribute.getName() != getWrittenAttrName())
    return op->emitError("'") << attribute.getName().getValue()
                              << "' is no attribute of the mil dialect";
  auto entries = dyn_cast<DictionaryAttr>(attribute.getValue());
  auto constant = dyn_cast<ConstOp>(op);
  auto statement = dyn_cast<MILOpInterface>(op);
  if (!entries || (!constant && !statement))
    return op->emitError("'")
           << attribute.getName().getValue()
           << "' must be a dictionary, on a statement or a constant";
  for (NamedAttribute entry : entries) {
    Attribute value;
    if (constant && entry.getName() == "val")
      value = constant.getValue();
    else
      value = (constant ? constant.getConstAttributes()
                        : statement.getMILAttributes())
                  .get(entry.getName());
    auto written = dyn_cast<DenseFPElementsAttr>(entry.getValue());
    if (!written || !written.getElementType().isF64() || !value ||
        !roundTo(written, value))
      return op->emitError("'")
             << attribute.getName().getValue() << "' has numbers for '"
             << entry.getName().getValue()
             << "' that are not those of its value before rounding; remove "
                "them";
  }
  return success();
}

bool mlir::ane::mil::isIdentifier(StringRef name) {
  if (name.empty() || llvm::isDigit(name[0]) || name[0] == '@')
    return false;
  return llvm::all_of(
      name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '@'; });
}
