//===- Arguments.cpp - Arguments of what is compiled ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "ane/Conversion/FunctionImporter.h"
#include "ane/Dialect/MIL/Utils/Statement.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::ane;

FailureOr<CompiledFunction> CompiledFunction::find(ModuleOp module,
                                                   StringRef name) {
  auto programs = module.getOps<mil::ProgramOp>();
  if (!programs.empty()) {
    FailureOr<mil::FuncOp> function =
        mil::findFunction(*programs.begin(), name);
    if (failed(function))
      return failure();
    return CompiledFunction(*function);
  }
  FailureOr<func::FuncOp> function = findFunction(module, name);
  if (failed(function))
    return failure();
  return CompiledFunction(*function);
}

StringRef CompiledFunction::getName() const {
  return SymbolTable::getSymbolName(op).getValue();
}

/// The name of an argument; "" where it has none.
static StringRef nameOf(Operation *op, unsigned index) {
  if (auto function = dyn_cast<mil::FuncOp>(op))
    return cast<StringAttr>(function.getArgNames()[index]).getValue();
  auto name = cast<func::FuncOp>(op).getArgAttrOfType<StringAttr>(
      index, ANEDialect::getNameAttrName());
  return name ? name.getValue() : StringRef();
}

std::optional<unsigned> CompiledFunction::findArgument(StringRef name) const {
  unsigned count = getBody().getNumArguments(), index;
  if (!name.getAsInteger(10, index))
    return index < count ? std::optional(index) : std::nullopt;
  for (index = 0; index != count; ++index)
    if (!name.empty() && nameOf(op, index) == name)
      return index;
  return std::nullopt;
}

LogicalResult CompiledFunction::eraseArguments(const BitVector &which) const {
  if (auto function = dyn_cast<func::FuncOp>(op))
    return function.eraseArguments(which);
  auto function = cast<mil::FuncOp>(op);
  SmallVector<Attribute> names;
  for (auto [index, name] : llvm::enumerate(function.getArgNames()))
    if (!which.test(index))
      names.push_back(name);
  getBody().eraseArguments(which);
  function.setArgNamesAttr(ArrayAttr::get(op->getContext(), names));
  return success();
}

void CompiledFunction::eraseCallers() const {
  auto module = op->getParentOfType<ModuleOp>();
  llvm::SetVector<Operation *> found;
  found.insert(op);
  for (size_t next = 0; next != found.size(); ++next)
    if (auto uses = SymbolTable::getSymbolUses(found[next], module))
      for (SymbolTable::SymbolUse use : *uses)
        if (auto caller = use.getUser()->getParentOfType<func::FuncOp>())
          found.insert(caller);
  for (Operation *caller : found.getArrayRef().drop_front())
    caller->erase();
}
