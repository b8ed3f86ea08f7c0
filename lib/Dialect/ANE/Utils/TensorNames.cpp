//===- TensorNames.cpp - The names of inputs and outputs ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/TensorNames.h"

#include "ane/Dialect/ANE/IR/ANE.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::ane;

TensorNames mlir::ane::nameTensors(func::FuncOp func) {
  StringRef attribute = ANEDialect::getNameAttrName();
  SmallVector<StringAttr> inputs, outputs;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    (func.getArgAttr(i, ANEDialect::getOutputAttrName()) ? outputs : inputs)
        .push_back(func.getArgAttrOfType<StringAttr>(i, attribute));
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    outputs.push_back(func.getResultAttrOfType<StringAttr>(i, attribute));
  llvm::StringSet<> taken;
  for (StringAttr name : llvm::concat<const StringAttr>(inputs, outputs))
    if (name)
      taken.insert(name.getValue());
  auto nameAll = [&](ArrayRef<StringAttr> given, StringRef prefix) {
    SmallVector<std::string> names;
    for (auto [i, name] : llvm::enumerate(given)) {
      std::string chosen = name ? name.str() : (prefix + Twine(i)).str();
      while (!name && !taken.insert(chosen).second)
        chosen += '_';
      names.push_back(std::move(chosen));
    }
    return names;
  };
  TensorNames names;
  names.inputs = nameAll(inputs, "input");
  names.outputs = nameAll(outputs, "output");
  return names;
}

static DenseI64ArrayAttr shapeOf(Value value) {
  return DenseI64ArrayAttr::get(
      value.getContext(), cast<RankedTensorType>(value.getType()).getShape());
}

void mlir::ane::keepNetworkShape(func::FuncOp func, BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  if (!func.getArgAttr(number, kShapeAttrName))
    func.setArgAttr(number, kShapeAttrName, shapeOf(argument));
}

void mlir::ane::keepNetworkShape(func::FuncOp func, OpOperand &result) {
  unsigned number = result.getOperandNumber();
  if (!func.getResultAttr(number, kShapeAttrName))
    func.setResultAttr(number, kShapeAttrName, shapeOf(result.get()));
}
