//===- Facts.cpp - Numbers of compiler 9.509 ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Facts.h"

#include <algorithm>

using namespace mlir::ane;

int64_t zin9509::paddingOfRows(int64_t distance, int64_t rows, int64_t words,
                               int64_t stride) {
  const int64_t banks = recorded().l2Banks;
  auto meets = [&](int64_t distance) {
    for (int64_t i = 1; i < rows; ++i) {
      int64_t apart = i * stride * distance % banks;
      if (std::min(apart, banks - apart) < words)
        return true;
    }
    return false;
  };
  int64_t padding = 0;
  while (padding < banks && meets(distance + padding))
    ++padding;
  return padding < banks ? padding : 0;
}

// Half of 16 rows of one word, of 8 of two, or of 4 of four (2, 44 and 2 tasks);
// units of one or two rows need nothing.
int64_t zin9509::paddingOfUnits(int64_t distance, unsigned code) {
  if (code < 2)
    return 0;
  return paddingOfRows(distance, int64_t(1) << (code - 1),
                       /*words=*/(16 >> code) + 1);
}

int64_t zin9509::paddingFromBanks(int64_t distance, bool exchanged) {
  auto meets = [&](int64_t distance) {
    int64_t apart = distance % recorded().l2Banks;
    return apart == 0 || apart == 1 || apart == 32 ||
           (exchanged && (apart == 8 || apart == 16));
  };
  int64_t padding = 0;
  while (meets(distance + padding))
    ++padding;
  return padding;
}
