//===- StridedCopy.cpp - Copies between strided arrays --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First the shape is made as short as possible: dimensions of 1 go, and
// neighbours that both sides walk as one become one. Then there are three
// cases:
//  - both sides run through the innermost dimension: memcpy of runs;
//  - they run through different dimensions (a transpose): square blocks of
//  these
//    two, so that each cache line is used up while it is there;
//  - anything else (a stride, a splat): element by element.
//
//===----------------------------------------------------------------------===//

#include "StridedCopy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstring>

using namespace mlir;
using namespace llvm;

namespace {
struct Dim {
  int64_t size, in, out;
};
using Dims = SmallVector<Dim, 6>;
} // namespace

// Outermost (by output stride) first, as few as possible.
static Dims simplify(ArrayRef<int64_t> shape, ArrayRef<int64_t> inStrides,
                     ArrayRef<int64_t> outStrides) {
  Dims dims;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1)
      dims.push_back({shape[i], inStrides[i], outStrides[i]});
  llvm::sort(dims, [](const Dim &a, const Dim &b) { return a.out > b.out; });
  Dims merged;
  for (const Dim &dim : dims) {
    if (!merged.empty() && merged.back().in == dim.in * dim.size &&
        merged.back().out == dim.out * dim.size)
      merged.back() = {merged.back().size * dim.size, dim.in, dim.out};
    else
      merged.push_back(dim);
  }
  return merged;
}

/// Calls fn(in offset, out offset) for every index of `dims`.
template <typename Fn> static void forEachIndex(ArrayRef<Dim> dims, Fn fn) {
  SmallVector<int64_t, 6> index(dims.size(), 0);
  int64_t in = 0, out = 0;
  while (true) {
    fn(in, out);
    int64_t d = dims.size() - 1;
    for (; d >= 0; --d) {
      in += dims[d].in;
      out += dims[d].out;
      if (++index[d] < dims[d].size)
        break;
      in -= dims[d].in * dims[d].size;
      out -= dims[d].out * dims[d].size;
      index[d] = 0;
    }
    if (d < 0)
      return;
  }
}

// Elements may stand at any address, so they are moved with memcpy; compilers
// make a plain load and store of it.
template <typename T>
static void copyElement(const char *in, int64_t i, char *out, int64_t o) {
  std::memcpy(out + o * sizeof(T), in + i * sizeof(T), sizeof(T));
}

/// Dimension `a` is dense in the input, `b` in the output.
template <typename T>
static void copyTransposed(const char *in, Dim a, char *out, Dim b) {
  constexpr int64_t block = 64 / sizeof(T) * 2; // two cache lines each way
  for (int64_t i0 = 0; i0 < a.size; i0 += block) {
    int64_t iEnd = std::min(i0 + block, a.size);
    for (int64_t j0 = 0; j0 < b.size; j0 += block) {
      int64_t jEnd = std::min(j0 + block, b.size);
      for (int64_t i = i0; i < iEnd; ++i)
        for (int64_t j = j0; j < jEnd; ++j)
          copyElement<T>(in, i + j * b.in, out, i * a.out + j);
    }
  }
}

template <typename T>
static void copyTyped(Dims dims, const char *in, char *out) {
  auto at = [&](int64_t i, int64_t o, auto fn) {
    fn(in + i * sizeof(T), out + o * sizeof(T));
  };
  if (dims.empty())
    return copyElement<T>(in, 0, out, 0);
  Dim inner = dims.back();
  if (inner.in == 1 && inner.out == 1) {
    forEachIndex(ArrayRef<Dim>(dims).drop_back(), [&](int64_t i, int64_t o) {
      at(i, o, [&](const char *from, char *to) {
        std::memcpy(to, from, inner.size * sizeof(T));
      });
    });
    return;
  }
  Dim *dense = llvm::find_if(dims, [](const Dim &d) { return d.in == 1; });
  if (inner.out == 1 && dense != dims.end()) {
    Dim other = *dense;
    dims.pop_back();
    dims.erase(dense);
    forEachIndex(dims, [&](int64_t i, int64_t o) {
      at(i, o, [&](const char *from, char *to) {
        copyTransposed<T>(from, other, to, inner);
      });
    });
    return;
  }
  forEachIndex(ArrayRef<Dim>(dims).drop_back(), [&](int64_t i, int64_t o) {
    at(i, o, [&](const char *from, char *to) {
      for (int64_t k = 0; k < inner.size; ++k)
        copyElement<T>(from, k * inner.in, to, k * inner.out);
    });
  });
}

void mlir::ane::copyStrided(int64_t elementBytes, ArrayRef<int64_t> shape,
                            const char *in, ArrayRef<int64_t> inStrides,
                            char *out, ArrayRef<int64_t> outStrides) {
  if (llvm::is_contained(shape, 0))
    return;
  Dims dims = simplify(shape, inStrides, outStrides);
  switch (elementBytes) {
  case 1:
    return copyTyped<uint8_t>(dims, in, out);
  case 2:
    return copyTyped<uint16_t>(dims, in, out);
  case 4:
    return copyTyped<uint32_t>(dims, in, out);
  case 8:
    return copyTyped<uint64_t>(dims, in, out);
  default:
    llvm_unreachable("element sizes are checked when a view is made");
  }
}
