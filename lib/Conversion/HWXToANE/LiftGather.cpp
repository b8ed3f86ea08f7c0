//===- LiftGather.cpp - Elements at regular steps, as tensor ops ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gather's digits are digits of the source's dimensions, too. Three ops make
// any of them: a slice of each dimension and a reshape into digits (with another
// slice where a digit is not all of its dimension), a transpose, a reshape. A
// digit that goes nowhere repeats.
//
//===----------------------------------------------------------------------===//

#include "Lift.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::ane;
namespace sim = ::ane::sim;

namespace {
/// `size` indices of a dimension of the source, `step` apart.
struct SourceDigit {
  size_t dim;
  int64_t step, size;
  size_t place; ///< among all digits of the result, repeated ones included
};
} // namespace

// Digits of the result that cross dimensions of the source become several. The
// new digits replace the old ones in `digits`.
static absl::StatusOr<SmallVector<SourceDigit>>
sourceDigitsOf(const sim::Gather &gather, ArrayRef<int64_t> shape,
               ArrayRef<int64_t> strides,
               std::vector<std::vector<sim::Gather::Digit>> &digits) {
  auto irregular = [] {
    return absl::UnimplementedError(
        "the elements that it reads are none of a slice, reshape or transpose");
  };
  SmallVector<SourceDigit> result;
  size_t place = 0;
  for (auto &ofAxis : digits)
    for (size_t i = 0; i < ofAxis.size(); ++i, ++place) {
      sim::Gather::Digit &digit = ofAxis[i];
      if (digit.step == 0)
        continue;
      if (digit.step < 0)
        return irregular();
      size_t dim = 0;
      while (dim < shape.size() &&
             (shape[dim] == 1 || strides[dim] > digit.step))
        ++dim;
      if (dim == shape.size() || digit.step % strides[dim] != 0)
        return irregular();
      int64_t step = digit.step / strides[dim];
      if (step * (digit.size - 1) >= shape[dim]) {
        // The inner part stays within the dimension.
        int64_t inner = shape[dim] / step;
        if (shape[dim] % step != 0 || inner < 2 || digit.size % inner != 0)
          return irregular();
        sim::Gather::Digit outer{digit.step * inner, digit.size / inner};
        digit.size = inner;
        ofAxis.insert(ofAxis.begin() + i, outer);
        --i, --place;
        continue;
      }
      result.push_back({dim, step, digit.size, place});
    }
  return result;
}

static Value buildPart(OpBuilder &builder, Location loc,
                       const sim::Gather &gather, Value source,
                       absl::Status &status) {
  ArrayRef<int64_t> shape = shapeOf(source);
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  auto digits = gather.digits;
  auto found = sourceDigitsOf(gather, shape, strides, digits);
  if (!found.ok()) {
    status = found.status();
    return {};
  }
  // Each dimension: where it begins, and its digits, outermost first.
  SmallVector<int64_t> begins, sizes, steps, split, begin0, kept, ones;
  SmallVector<SourceDigit> inOrder;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t begin = gather.offset / strides[dim] % shape[dim];
    SmallVector<SourceDigit> mine;
    for (const SourceDigit &digit : *found)
      if (digit.dim == dim)
        mine.push_back(digit);
    llvm::sort(mine, [](const SourceDigit &a, const SourceDigit &b) {
      return a.step > b.step;
    });
    int64_t last = begin;
    for (const SourceDigit &digit : mine)
      last += digit.step * (digit.size - 1);
    int64_t step = mine.empty() ? 1 : mine.back().step, size = 1;
    bool isNested = last < shape[dim];
    for (size_t i = 0; i < mine.size(); ++i) {
      if (i > 0)
        isNested &= mine[i - 1].step % mine[i].step == 0 &&
                    mine[i - 1].step >= mine[i].step * mine[i].size;
      int64_t whole = i == 0 ? mine[0].size : mine[i - 1].step / mine[i].step;
      split.push_back(whole);
      kept.push_back(mine[i].size);
      size *= whole;
    }
    if (!isNested || begin + step * (size - 1) >= shape[dim]) {
      status = absl::UnimplementedError(
          "the elements that it reads are none of a slice, reshape or "
          "transpose");
      return {};
    }
    begins.push_back(begin);
    sizes.push_back(size);
    steps.push_back(step);
    inOrder.append(mine);
  }
  Value value = sliced(builder, loc, source, begins, sizes, steps);
  // In the order of the result, with 1 for what repeats.
  SmallVector<int64_t> perm(inOrder.size()), all, repeats;
  for (size_t i = 0; i < perm.size(); ++i)
    perm[i] = i;
  llvm::sort(perm, [&](int64_t a, int64_t b) {
    return inOrder[a].place < inOrder[b].place;
  });
  bool doesRepeat = false;
  for (const auto &ofAxis : digits)
    for (const sim::Gather::Digit &digit : ofAxis) {
      all.push_back(digit.step == 0 ? 1 : digit.size);
      repeats.push_back(digit.step == 0 ? digit.size : 1);
      doesRepeat |= digit.step == 0;
    }
  if (!llvm::is_sorted(perm) || split != kept) {
    value = reshaped(builder, loc, value, split);
    begin0.assign(split.size(), 0);
    ones.assign(split.size(), 1);
    value = sliced(builder, loc, value, begin0, kept, ones);
    if (!llvm::is_sorted(perm))
      value = TransposeOp::create(builder, loc, value, perm);
  }
  if (doesRepeat)
    value = TileOp::create(builder, loc, reshaped(builder, loc, value, all),
                           repeats);
  return reshaped(
      builder, loc, value,
      SmallVector<int64_t>(gather.shape.begin(), gather.shape.end()));
}

Value mlir::ane::buildGather(OpBuilder &builder, Location loc,
                             const sim::Gather &gather, ArrayRef<Value> values,
                             absl::Status &status) {
  if (gather.parts.empty())
    return buildPart(builder, loc, gather, values[gather.source], status);
  SmallVector<Value> parts;
  for (const sim::Gather &part : gather.parts) {
    Value value = buildGather(builder, loc, part, values, status);
    if (!value)
      return {};
    if (!parts.empty() && getElementTypeOrSelf(value.getType()) !=
                              getElementTypeOrSelf(parts[0].getType())) {
      status = absl::UnimplementedError(
          "it reads elements of several types as one tensor");
      return {};
    }
    parts.push_back(value);
  }
  return ConcatOp::create(builder, loc, parts, int64_t(gather.axis));
}
