//===- ComputeIntegers.cpp - Sizes, indices and masks of a MIL program ----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs for inputs of any size compute the parameters of their operations:
// `shape`, then a few integers, then a reshape or a mask. With the sizes known
// all of it is known. A statement that has integers as results and knows its
// arguments is imported as if they were data, evaluated, and forgotten: so
// integers follow the same handlers as everything else.
//
// The evaluator counts in f32, which is exact up to 2^24. Whatever leaves that
// range, or the whole numbers, is an error.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

/// A mask of 4,096 tokens by as many.
static constexpr int64_t maxElements = int64_t(1) << 24;

// Bytes are data of quantised networks. A bool is folded where integers made
// it: a mask of positions, say.
bool MILImporter::isOfIntegers(mil::MILOpInterface op) {
  auto isInteger = [&](Value value) {
    return isWideInteger(value.getType()) ||
           (getElementTypeOrSelf(value).isInteger(1) &&
            computed.contains(value));
  };
  bool ofBools = llvm::all_of(op->getResultTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isInteger(1);
  });
  return op->getNumResults() &&
         (ofBools ? llvm::any_of(op->getOperands(), isInteger)
                  : llvm::all_of(op->getResultTypes(), isWideInteger));
}

bool MILImporter::isKnown(Value source) {
  if (constant(source))
    return true;
  Value imported = values.lookup(source);
  return imported && evaluateConstant(imported, maxElements);
}

Value MILImporter::integersAsData(Value source) {
  TypedAttr attr = constant(source);
  auto integers = attr ? getIntegers(attr) : std::nullopt;
  if (!integers)
    return {};
  if (llvm::any_of(*integers, [](int64_t value) {
        return value < -maxExactInteger || value > maxExactInteger;
      }))
    return {};
  auto tensor = dyn_cast<RankedTensorType>(attr.getType());
  auto type = RankedTensorType::get(
      tensor ? tensor.getShape() : ArrayRef<int64_t>(), builder.getF32Type());
  return ConstantOp::create(
      builder, source.getLoc(),
      DenseElementsAttr::get(type, ArrayRef<float>(SmallVector<float>(
                                       integers->begin(), integers->end()))));
}

static std::string describe(float number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", number);
  return text;
}

/// `number` as an integer of `type`; nothing where it is none. A cast makes one
/// of any number: a bool of what is not 0, else without its fraction.
static std::optional<APInt> toInteger(float number, IntegerType type,
                                      bool isCast) {
  unsigned width = type.getWidth();
  if (isCast)
    number = width == 1 ? number != 0 : std::trunc(number);
  if (!(std::abs(number) <= maxExactInteger) || number != std::trunc(number))
    return std::nullopt;
  auto integer = static_cast<int64_t>(number);
  bool fits = width == 1 || type.isUnsigned()
                  ? integer >= 0 && llvm::isUIntN(width, integer)
                  : llvm::isIntN(width, integer);
  if (!fits)
    return std::nullopt;
  return APInt(width, integer, /*isSigned=*/true, /*implicitTrunc=*/true);
}

/// `numbers` with the shape that they have, or a scalar where the text declares
/// one.
static FailureOr<TypedAttr> toIntegers(Statement &s, Type declared,
                                       const Array &numbers, bool isCast) {
  auto type = cast<IntegerType>(getElementTypeOrSelf(declared));
  SmallVector<APInt> integers;
  for (float number : numbers.data) {
    std::optional<APInt> integer = toInteger(number, type, isCast);
    if (!integer) {
      s.error() << "computes " << describe(number) << ", which is no " << type
                << ", or beyond " << maxExactInteger
                << ", up to which integers are computed";
      return failure();
    }
    integers.push_back(*integer);
  }
  if (!isa<RankedTensorType>(declared))
    return TypedAttr(IntegerAttr::get(type, integers.front()));
  return TypedAttr(DenseElementsAttr::get(
      RankedTensorType::get(numbers.shape, type), integers));
}

LogicalResult MILImporter::computeShape(mil::MILOpInterface op) {
  Statement s(*this, op);
  Value source = s.value("x");
  if (s.failed())
    return failure();
  auto type = dyn_cast<RankedTensorType>(source.getType());
  if (!type || !type.hasStaticShape()) {
    s.error() << "takes the shape of " << source.getType()
              << ", which is not known";
    return failure();
  }
  const int64_t rank = type.getRank();
  Array sizes{ArrayRef<int64_t>(rank)};
  llvm::copy(type.getShape(), sizes.data.begin());
  return setIntegers(s, op->getResult(0), sizes, /*isCast=*/false);
}

LogicalResult MILImporter::setIntegers(Statement &s, Value result,
                                       const Array &numbers, bool isCast) {
  auto attr = toIntegers(s, result.getType(), numbers, isCast);
  if (failed(attr))
    return failure();
  computed[result] = *attr;
  return checkShape(s, result, numbers.shape);
}

LogicalResult MILImporter::computeIntegers(mil::MILOpInterface op) {
  if (op.getMILType() == "shape")
    return computeShape(op);
  Statement s(*this, op);
  auto handler = handlers.find(op.getMILType());
  if (handler == handlers.end()) {
    s.error() << "computes integers in a way that cannot be imported; give its "
                 "result as a const";
    return failure();
  }
  Block *block = builder.getBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  integersAreData = true;
  // Its handler makes data; toInteger() does what it says.
  bool isCast = op.getMILType() == "cast";
  SmallVector<Value> results =
      isCast ? SmallVector<Value>{s.tensor("x")} : handler->second(s);
  integersAreData = false;
  LogicalResult status = success(!s.failed());
  for (auto [result, value] : llvm::zip(op->getResults(), results)) {
    auto numbers = value && !s.failed() ? evaluateConstant(value, maxElements)
                                        : std::nullopt;
    if (!s.failed() && !numbers)
      s.error() << "computes integers in a way that cannot be imported; give "
                   "its result as a const";
    if (s.failed() || failed(setIntegers(s, result, *numbers, isCast)))
      status = failure();
  }
  while (!block->empty() && &block->back() != last)
    block->back().erase();
  return status;
}
