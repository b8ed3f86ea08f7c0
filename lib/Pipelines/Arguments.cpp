//===- Arguments.cpp - Arguments by name or number ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "ane/Dialect/ANE/IR/ANE.h"

using namespace mlir;
using namespace mlir::ane;

std::optional<unsigned> mlir::ane::findArgument(func::FuncOp function,
                                                StringRef name) {
  unsigned index;
  if (!name.getAsInteger(10, index))
    return index < function.getNumArguments() ? std::optional(index)
                                              : std::nullopt;
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
    if (auto own = function.getArgAttrOfType<StringAttr>(
            i, ANEDialect::getNameAttrName()))
      if (own.getValue() == name)
        return i;
  return std::nullopt;
}
