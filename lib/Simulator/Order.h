//===- Order.h - The larger and the smaller of two numbers ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NaN is as large as plus infinity (*guess*: that is what an M1 reads it as,
// published once), and what is left of two that are equally large. So a maximum
// with NaN is NaN, a minimum with NaN is the number, and the order of the two
// does not matter.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_ORDER_H
#define ANE_LIB_SIMULATOR_ORDER_H

#include <cmath>
#include <limits>

namespace ane::sim {

template <typename T> T sizeInOrder(T x) {
  return std::isnan(x) ? std::numeric_limits<T>::infinity() : x;
}

template <typename T> T maximumOf(T a, T b) {
  T x = sizeInOrder(a), y = sizeInOrder(b);
  return x < y || (x == y && std::isnan(b)) ? b : a;
}

template <typename T> T minimumOf(T a, T b) {
  T x = sizeInOrder(a), y = sizeInOrder(b);
  return y < x || (x == y && std::isnan(b)) ? b : a;
}

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_ORDER_H
