//===- AttentionMask.cpp - Keys that some queries see ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMask.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

std::optional<AttentionMask> AttentionMask::read(Value mask, bool areKeysLast,
                                                 int64_t numKeys,
                                                 int64_t numQueries) {
  if (!mask)
    return std::nullopt;
  FailureOr<ConstantView> view = ConstantView::get(mask);
  if (failed(view) || view->getRank() != 4 || !view->isReadable())
    return std::nullopt;
  ArrayRef<int64_t> shape = view->getShape();
  AttentionMask result;
  result.values = view->readFloats();
  result.numKeys = numKeys;
  result.numImages = shape[0] * shape[1];
  result.imageStride = shape[2] * shape[3];
  int64_t keys = shape[areKeysLast ? 3 : 2];
  int64_t queries = shape[areKeysLast ? 2 : 3];
  if (keys != 1)
    result.keyStride = areKeysLast ? 1 : shape[3];
  if (queries != 1)
    result.queryStride = areKeysLast ? shape[3] : 1;
  if ((keys != 1 && keys != numKeys) || (queries != 1 && queries != numQueries))
    return std::nullopt;
  return result;
}

// From the first to the last set bit, in whole granules of what is between
// `first` and `end`.
static std::pair<int64_t, int64_t> hullOf(const llvm::BitVector &keys,
                                          int64_t first, int64_t end,
                                          int64_t granule) {
  int64_t low = keys.find_first_in(first, end);
  if (low < 0)
    return {first, first};
  int64_t high = keys.find_last_in(first, end) + 1;
  return {std::max<int64_t>(first, llvm::alignDown(low, granule)),
          std::min<int64_t>(end, llvm::alignTo(high, granule))};
}

SeenKeys AttentionMask::keysOf(int64_t firstQuery, int64_t count,
                               int64_t granule) const {
  auto [found, isNew] = known.try_emplace({firstQuery, count, granule});
  if (isNew)
    found->second = findKeys(firstQuery, count, granule);
  return found->second;
}

bool AttentionMask::isBounded() const {
  return llvm::all_of(values, [](float value) {
    return std::abs(value) <= std::abs(maskedScore);
  });
}

SeenKeys AttentionMask::findKeys(int64_t firstQuery, int64_t count,
                                 int64_t granule) const {
  llvm::BitVector seen(numKeys), changed(numKeys);
  bool isAll = false;
  for (int64_t image = 0; image < numImages; ++image)
    for (int64_t query = firstQuery; query < firstQuery + count; ++query) {
      bool seesAny = false;
      for (int64_t key = 0; key < numKeys; ++key) {
        float value = at(image, key, query);
        if (value != 0)
          changed.set(key);
        if (value > maskedScore) {
          seen.set(key);
          seesAny = true;
        }
      }
      // Where all keys have the same number, it does not matter which.
      isAll |= !seesAny;
    }
  if (isAll)
    seen.set();
  auto [first, end] = hullOf(seen, 0, numKeys, granule);
  auto [firstChanged, endChanged] = hullOf(changed, first, end, granule);
  return {first, end, firstChanged, endChanged};
}
