//===- IndexMap.cpp - Where reshapes and transposes put elements ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/IndexMap.h"

#include "ane/Dialect/ANE/IR/ANE.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::ane;

using Digit = IndexMap::Digit;
using Digits = IndexMap::Digits;

/// Appends a digit; what continues the last one becomes part of it, up to
/// `most`.
static void append(Digits &digits, const Digit &digit,
                   int64_t most = INT64_MAX) {
  if (digit.size == 1)
    return;
  if (!digits.empty() && digits.back().step == digit.step * digit.size &&
      digits.back().size <= most / digit.size)
    digits.back() = {digit.step, digits.back().size * digit.size};
  else
    digits.push_back(digit);
}

/// Digits as the dimensions of `shape`; none where they have no such parts.
static std::optional<SmallVector<Digits, 4>>
splitDigits(ArrayRef<Digit> digits, ArrayRef<int64_t> shape) {
  SmallVector<Digits, 4> dims;
  SmallVector<Digit> left(llvm::reverse(digits));
  for (int64_t size : shape) {
    Digits &dim = dims.emplace_back();
    while (size > 1) {
      Digit digit = left.pop_back_val();
      if (size % digit.size) {
        if (digit.size % size)
          return std::nullopt;
        int64_t rest = digit.size / size;
        left.push_back({digit.step, rest});
        digit = {digit.step * rest, size};
      }
      size /= digit.size;
      append(dim, digit);
    }
  }
  return dims;
}

IndexMap::IndexMap(ArrayRef<int64_t> source)
    : source(source), dims(source.size()) {
  int64_t step = 1;
  for (int64_t dim = source.size() - 1; dim >= 0; step *= source[dim--])
    append(dims[dim], {step, source[dim]});
}

IndexMap::IndexMap(ArrayRef<int64_t> source, ArrayRef<int64_t> perm)
    : IndexMap(source) {
  transpose(perm);
}

static int64_t sizeOf(ArrayRef<Digit> digits) {
  int64_t size = 1;
  for (const Digit &digit : digits)
    size *= digit.size;
  return size;
}

SmallVector<int64_t> IndexMap::getShape() const {
  return SmallVector<int64_t>(llvm::map_range(dims, sizeOf));
}

bool IndexMap::apply(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return this->reshape(reshape.getType().getShape());
  if (auto interleave = dyn_cast<InterleaveOp>(op))
    return moveInnermost(1, 3, interleave.getFactor());
  auto transpose = dyn_cast<TransposeOp>(op);
  if (transpose)
    this->transpose(transpose.getPerm());
  return bool(transpose);
}

bool IndexMap::reshape(ArrayRef<int64_t> shape) {
  auto split = splitDigits(getBlocks(), shape);
  if (split)
    dims = std::move(*split);
  return split.has_value();
}

void IndexMap::transpose(ArrayRef<int64_t> perm) {
  dims = SmallVector<Digits, 4>(
      llvm::map_range(perm, [&](int64_t dim) { return dims[dim]; }));
}

bool IndexMap::moveInnermost(int64_t from, int64_t to, int64_t size) {
  int64_t extent = sizeOf(dims[from]);
  auto split = extent % size ? std::nullopt
                             : splitDigits(dims[from], {extent / size, size});
  if (!split)
    return false;
  dims[from] = (*split)[0];
  for (const Digit &digit : (*split)[1])
    append(dims[to], digit);
  return true;
}

bool IndexMap::compose(const IndexMap &next) {
  Digits own = getBlocks();
  SmallVector<Digits, 4> composed;
  for (const Digits &digits : next.dims) {
    Digits &dim = composed.emplace_back();
    for (const Digit &digit : digits) {
      int64_t outer = sizeOf(own) / digit.step / digit.size;
      auto split = splitDigits(own, {outer, digit.size, digit.step});
      if (!split)
        return false;
      for (const Digit &part : (*split)[1])
        append(dim, part);
    }
  }
  dims = std::move(composed);
  return true;
}

std::optional<IndexMap> IndexMap::inverse() const {
  SmallVector<std::pair<int64_t, Digit>> bySource;
  int64_t step = 1;
  for (const Digits &digits : llvm::reverse(dims))
    for (const Digit &digit : llvm::reverse(digits)) {
      bySource.push_back({digit.step, {step, digit.size}});
      step *= digit.size;
    }
  llvm::sort(bySource,
             [](const auto &a, const auto &b) { return a.first > b.first; });
  IndexMap result(getShape());
  result.dims.assign(1, {});
  for (const auto &[at, digit] : bySource)
    append(result.dims[0], digit);
  if (!result.reshape(source))
    return std::nullopt;
  return result;
}

std::optional<SmallVector<IndexMap::SourceDigit, 4>>
IndexMap::getSourceDigits(int64_t dim) const {
  SmallVector<SourceDigit, 4> found;
  for (const Digit &digit : dims[dim]) {
    int64_t inner = 1;
    auto first = found.size();
    for (int64_t of = source.size() - 1; of >= 0; inner *= source[of--]) {
      int64_t low = std::max(inner, digit.step);
      int64_t high = std::min(inner * source[of], digit.step * digit.size);
      if (low >= high)
        continue;
      if (low % inner || low % digit.step || high % low)
        return std::nullopt;
      found.insert(found.begin() + first, {of, low / inner, high / low});
    }
  }
  return found;
}

Digits IndexMap::getBlocks(int64_t most) const {
  Digits blocks;
  for (const Digits &digits : dims)
    for (const Digit &digit : digits)
      append(blocks, digit, most);
  return blocks;
}

bool IndexMap::isInOrder() const { return getBlocks().size() <= 1; }

SmallVector<int64_t> IndexMap::getSourceOrder() const {
  // Where the dimension ends from the back, negative; its number.
  SmallVector<std::pair<int64_t, int64_t>> order;
  int64_t end = INT64_MIN;
  for (auto [dim, digits] : llvm::enumerate(dims)) {
    if (!digits.empty())
      end = -digits.front().step * digits.front().size;
    order.push_back({end, dim});
  }
  llvm::sort(order);
  return SmallVector<int64_t>(llvm::make_second_range(order));
}

int64_t IndexMap::getElement(ArrayRef<int64_t> index) const {
  int64_t element = 0;
  for (auto [digits, number] : llvm::zip_equal(dims, index)) {
    int64_t left = number;
    for (const Digit &digit : llvm::reverse(digits)) {
      element += left % digit.size * digit.step;
      left /= digit.size;
    }
  }
  return element;
}

std::optional<SmallVector<int64_t>>
mlir::ane::matchDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> other) {
  IndexMap map(other);
  if (!map.reshape(shape))
    return std::nullopt;
  SmallVector<int64_t> dims(shape.size(), -1);
  for (auto [dim, size] : llvm::enumerate(shape)) {
    auto digits = map.getSourceDigits(dim);
    if (!digits || digits->size() > 1 ||
        (size != 1 && other[digits->front().dim] != size))
      return std::nullopt;
    if (size != 1)
      dims[dim] = digits->front().dim;
  }
  return dims;
}
