//===- SetRanges.cpp - Ranges that the user knows -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"

#include "mlir/IR/Builders.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANESETRANGES
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

/// NAME=LOW:HIGH
struct GivenRange {
  StringRef name;
  double low = 0, high = 0;
};

struct SetRanges : public mlir::ane::impl::ANESetRangesBase<SetRanges> {
  using Base::Base;

  void runOnOperation() override {
    given.clear();
    for (const std::string &text : ranges) {
      std::optional<GivenRange> range = parse(text);
      if (!range) {
        getOperation().emitError("cannot read the range '")
            << text
            << "': it is NAME=LOW:HIGH with two numbers, the smaller one "
               "first, such as x=-1:1";
        return signalPassFailure();
      }
      if (failed(set(*range)))
        return signalPassFailure();
    }
  }

private:
  static std::optional<GivenRange> parse(StringRef text) {
    auto [name, ends] = text.rsplit('=');
    auto [low, high] = ends.split(':');
    GivenRange range{name.trim()};
    if (range.name.empty() || low.trim().getAsDouble(range.low) ||
        high.trim().getAsDouble(range.high) || !(range.low <= range.high))
      return std::nullopt;
    return range;
  }

  LogicalResult set(const GivenRange &range) {
    bool found = false;
    SmallVector<std::string> names;
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      names = nameTensors(function).inputs;
      for (auto [number, name] : llvm::enumerate(names)) {
        size_t asked;
        bool isNumber = !range.name.getAsInteger(10, asked);
        if (name != range.name && !(isNumber && asked == number))
          continue;
        if (!given.insert(function.getArgument(number)).second)
          return getOperation().emitError("a range is given twice for '")
                 << name << "'; give one";
        Builder builder(&getContext());
        function.setArgAttr(number, kRangeAttrName,
                            builder.getF64ArrayAttr({range.low, range.high}));
        found = true;
      }
    }
    if (found)
      return success();
    InFlightDiagnostic error =
        getOperation().emitError("a range is given for '")
        << range.name << "', but there is no such argument";
    if (!names.empty()) {
      error << "; the arguments are ";
      llvm::interleaveComma(names, error);
    }
    return error;
  }

  llvm::DenseSet<Value> given;
};
} // namespace
