//===- MeasureRanges.cpp - Ranges that data shows -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The network as it is imported, in f32, by the definitions of its ops
// (Evaluate.h). What f32 does not hold either is as large as it is.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"
#include "ane/Files/InputFiles.h"
#include "ane/HW/Float16.h"
#include "ane/Support/Npy.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <cstring>

namespace mlir::ane {
#define GEN_PASS_DEF_ANEMEASURERANGES
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {

struct Measured {
  double low = std::numeric_limits<double>::infinity(), high = -low,
         least = low;

  void add(const Array &array) {
    for (float value : array.data) {
      if (std::isnan(value))
        continue;
      low = std::min<double>(low, value);
      high = std::max<double>(high, value);
      if (value != 0)
        least = std::min<double>(least, std::fabs(value));
    }
  }
  Attribute get(Builder &builder) const {
    return builder.getF64ArrayAttr({low, high, std::isinf(least) ? 0 : least});
  }
};

} // namespace

/// The largest mean of what `op` normalizes, in deviations.
static double largestMeanRatio(LayerNormOp op, const Array &input) {
  SmallVector<int64_t> kept(input.shape), strides = computeStrides(input.shape);
  for (int64_t axis : op.getAxes())
    kept[axis] = 1;
  const Array rows(kept);
  std::vector<double> means(rows.data.size()), squares(rows.data.size());
  double count = double(input.data.size()) / double(rows.data.size());
  auto forEach = [&](auto visit) {
    for (auto [i, value] : llvm::enumerate(input.data))
      visit(rows.offset(delinearize(int64_t(i), strides)), value);
  };
  forEach([&](size_t row, double value) { means[row] += value / count; });
  forEach([&](size_t row, double value) {
    squares[row] += std::pow(value - means[row], 2) / count;
  });
  double largest = 0;
  for (auto [mean, square] : llvm::zip_equal(means, squares)) {
    double ratio =
        std::fabs(mean) / std::sqrt(square + op.getEpsilon().convertToDouble());
    // Not of a row that is 0 or has an infinity.
    if (std::isfinite(ratio))
      largest = std::max(largest, ratio);
  }
  return largest;
}

namespace {

struct MeasureRanges
    : public mlir::ane::impl::ANEMeasureRangesBase<MeasureRanges> {
  using Base::Base;

  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(measure(function)))
        return signalPassFailure();
  }

private:
  LogicalResult measure(func::FuncOp function) {
    if (failed(checkCanEvaluate(function)))
      return failure();
    if (!llvm::sys::fs::is_directory(folder))
      return function.emitError("takes ranges from arrays in folder '")
             << folder << "', but there is no such folder";
    SmallVector<std::string> names = nameTensors(function).inputs;
    llvm::MapVector<Operation *, Measured> ops;
    llvm::MapVector<Operation *, double> meanRatios;
    auto measureNorms = [&](Value value, const Array &array) {
      for (Operation *user : value.getUsers())
        if (auto norm = dyn_cast<LayerNormOp>(user);
            norm && norm.getInput() == value)
          meanRatios[user] =
              std::max(meanRatios[user], largestMeanRatio(norm, array));
    };
    SmallVector<Measured> arguments(names.size());
    int runs = 0;
    // Without arguments all runs are the same.
    for (; runs == 0 || !names.empty(); ++runs) {
      SmallVector<Array> arrays;
      for (auto [argument, name] :
           llvm::zip_equal(function.getArguments(), names)) {
        std::string file = fileOf(name, runs);
        if (file.empty())
          break;
        FailureOr<Array> array =
            read(function, file, cast<RankedTensorType>(argument.getType()));
        if (failed(array))
          return failure();
        arrays.push_back(std::move(*array));
      }
      if (arrays.size() != names.size()) {
        if (!arrays.empty() || runs == 0)
          return function.emitError("has no array for '")
                 << names[arrays.size()] << "' in folder '" << folder
                 << "': it holds " << names[arrays.size()] << ".npy, or "
                 << names[arrays.size()] << "." << runs
                 << ".npy for one of several runs";
        break;
      }
      for (auto [measured, argument, array] :
           llvm::zip_equal(arguments, function.getArguments(), arrays)) {
        measured.add(array);
        measureNorms(argument, array);
      }
      if (failed(
              evaluate(function, arrays, [&](Value value, const Array &result) {
                ops[value.getDefiningOp()].add(result);
                measureNorms(value, result);
              })))
        return failure();
    }
    Builder builder(&getContext());
    for (auto [name, measured] : llvm::zip_equal(names, arguments))
      if (!(measured.low <= measured.high))
        return function.emitError("has no range of '")
               << name << "': all elements of its arrays in folder '" << folder
               << "' are NaN";
    for (auto [number, measured] : llvm::enumerate(arguments))
      function.setArgAttr(number, kRangeAttrName, measured.get(builder));
    for (auto &[op, measured] : ops)
      if (!isa<ConstantOp>(op) && measured.low <= measured.high)
        op->setAttr(kRangeAttrName, measured.get(builder));
    for (auto [op, ratio] : meanRatios)
      op->setAttr(kMeanRatioAttrName, builder.getF64FloatAttr(ratio));
    return success();
  }

  // x.npy is of the first run, if there is no x.0.npy; or 0/x.npy.
  std::string fileOf(StringRef name, int run) const {
    std::string number = llvm::utostr(run);
    SmallVector<std::string> candidates = {(name + "." + number + ".npy").str(),
                                           number + "/" + name.str() + ".npy"};
    if (run == 0)
      candidates.push_back(name.str() + ".npy");
    for (const std::string &candidate : candidates) {
      SmallString<128> path(folder);
      llvm::sys::path::append(path, candidate);
      if (llvm::sys::fs::exists(path))
        return std::string(path);
    }
    return {};
  }

  static FailureOr<Array> read(func::FuncOp function, const std::string &file,
                               RankedTensorType type) {
    auto buffer = readInput(file);
    if (!buffer)
      return function.emitError("cannot read '")
             << file << "': " << buffer.getError().message();
    StringRef bytes = (*buffer)->getBuffer();
    auto view = ::ane::npy::parse(absl::MakeConstSpan(
        reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
    if (!view.ok()) {
      absl::string_view message = view.status().message();
      return function.emitError("'")
             << file << "': " << StringRef(message.data(), message.size());
    }
    Array array(type.getShape());
    if (view->shape !=
        std::vector<uint64_t>(type.getShape().begin(), type.getShape().end()))
      return function.emitError("'")
             << file << "' has the shape " << ::ane::npy::shapeText(view->shape)
             << ", but the argument is " << type;
    const uint8_t *data = view->data.data();
    for (auto [i, value] : llvm::enumerate(array.data)) {
      switch (view->type) {
      case ::ane::npy::Type::Float32:
        std::memcpy(&value, data + i * sizeof(float), sizeof(float));
        break;
      case ::ane::npy::Type::Float16: {
        uint16_t bits;
        std::memcpy(&bits, data + i * sizeof(bits), sizeof(bits));
        value = ::ane::hw::fromHalfBits(bits);
        break;
      }
      default:
        value = static_cast<float>(::ane::npy::integerAt(*view, i));
      }
    }
    return array;
  }
};
} // namespace
