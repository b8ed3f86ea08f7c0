//===- ANEDialect.cpp - The ane dialect -----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

#include "ane/Dialect/ANE/IR/ANEDialect.cpp.inc"
#include "ane/Dialect/ANE/IR/ANEEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/ANE/IR/ANEAttributes.cpp.inc"

void ANEDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ane/Dialect/ANE/IR/ANEAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/ANE/IR/ANEOps.cpp.inc"
      >();
}

Operation *ANEDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

//===----------------------------------------------------------------------===//
// #ane.act
//===----------------------------------------------------------------------===//

// <kind [, alpha [, beta]]>
Attribute ActivationAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  SMLoc loc;
  double alpha = 0, beta = 0;
  if (parser.parseLess())
    return {};
  loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return {};
  std::optional<ActivationKind> kind = symbolizeActivationKind(name);
  if (!kind) {
    parser.emitError(loc, "unknown activation '") << name << "'";
    return {};
  }
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseFloat(alpha))
      return {};
    if (succeeded(parser.parseOptionalComma()) && parser.parseFloat(beta))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *kind, alpha, beta);
}

void ActivationAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyActivationKind(getKind());
  if (getAlpha() != 0 || getBeta() != 0) {
    printer << ", ";
    printer.printFloat(APFloat(getAlpha()));
  }
  if (getBeta() != 0) {
    printer << ", ";
    printer.printFloat(APFloat(getBeta()));
  }
  printer << ">";
}
