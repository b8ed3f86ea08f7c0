//===- WriteReference.cpp - Inputs and results of a function as files -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests that run a compiled function and compare: the definitions of the
// ops say what is right, and only the compiled program rounds to f16.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"

#include "ane/Dialect/ANE/Transforms/Testing/Passes.h"
#include "ane/Files/OutputFiles.h"
#include "ane/HW/Float16.h"
#include "ane/Support/Npy.h"

#include "llvm/Support/Path.h"

#include <cmath>
#include <random>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEWRITEREFERENCE
#include "ane/Dialect/ANE/Transforms/Testing/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

struct WriteReference
    : public mlir::ane::impl::ANEWriteReferenceBase<WriteReference> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!(low <= high) || !std::isfinite(low) || !std::isfinite(high)) {
      func.emitError("inputs lie between low and high, but these are ")
          << low << " and " << high;
      return signalPassFailure();
    }
    if (failed(checkCanEvaluate(func)))
      return signalPassFailure();
    SmallVector<Array> inputs = makeInputs(func);
    FailureOr<SmallVector<Array>> results = evaluate(func, inputs);
    if (failed(results) || failed(writeAll("in", inputs)) ||
        failed(writeAll("want", *results)))
      signalPassFailure();
  }

private:
  SmallVector<Array> makeInputs(func::FuncOp func) {
    std::mt19937 random(seed);
    SmallVector<Array> inputs;
    for (Type type : func.getArgumentTypes()) {
      Array array(cast<RankedTensorType>(type).getShape());
      for (float &value : array.data) {
        double x = low + (high - low) * (random() / 4294967295.0);
        if (step > 0)
          x = std::round(x / step) * step;
        value = ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(float(x)));
      }
      inputs.push_back(std::move(array));
    }
    return inputs;
  }

  LogicalResult writeAll(StringRef stem, ArrayRef<Array> arrays) {
    OutputFiles outputs;
    for (auto [i, array] : llvm::enumerate(arrays)) {
      SmallString<128> path(StringRef(folder.getValue()));
      llvm::sys::path::append(path, stem + Twine(i) + ".npy");
      llvm::Expected<llvm::raw_fd_ostream &> os = outputs.open(path);
      if (!os)
        return getOperation().emitError() << llvm::toString(os.takeError());
      SmallVector<uint64_t> shape(array.shape.begin(), array.shape.end());
      std::vector<uint8_t> header = ::ane::npy::header(
          ::ane::npy::Type::Float32, {shape.data(), shape.size()});
      os->write(reinterpret_cast<const char *>(header.data()), header.size());
      os->write(reinterpret_cast<const char *>(array.data.data()),
                array.data.size() * sizeof(float));
    }
    if (llvm::Error error = outputs.commit())
      return getOperation().emitError() << llvm::toString(std::move(error));
    return success();
  }
};

} // namespace
