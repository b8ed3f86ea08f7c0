//===- ConstexprKernels.cpp - Loops over compressed weights ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstexprKernels.h"

#include "ane/HW/Float16.h"
#include "ane/Target/MIL/BlobPacking.h"
#include "ane/Target/MIL/BlobReader.h"

#include "mlir/IR/Threading.h"
#include "llvm/ADT/bit.h"
#include <array>

using namespace mlir;
using namespace mlir::ane::mil;

// Elements that a thread takes at a time, and those that it holds as fp32.
static constexpr uint64_t kChunk = 1 << 18;
static constexpr uint64_t kStep = 4096;

// Calls `work(begin, end)` for chunks, on several threads where there is
// enough.
static void forEachChunk(MLIRContext *context, uint64_t count,
                         function_ref<void(uint64_t, uint64_t)> work) {
  uint64_t chunks = llvm::divideCeil(count, kChunk);
  auto one = [&](size_t i) {
    work(i * kChunk, std::min(count, (i + 1) * kChunk));
  };
  if (chunks < 2)
    return count ? one(0) : void();
  parallelFor(context, 0, chunks, one);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

// Two neighbours are one dimension when the inner has one block (which then
// covers it), or when both have a block for each element.
Blocks::Blocks(ArrayRef<int64_t> shape, ArrayRef<int64_t> blocks) {
  for (auto [extent, count] : llvm::zip_equal(shape, blocks)) {
    uint64_t blockSize = count ? extent / count : 1;
    if (dimensions.empty()) {
      dimensions.push_back({uint64_t(extent), blockSize, uint64_t(count)});
      continue;
    }
    Dimension &outer = dimensions.back();
    if (count == 1) {
      outer.extent *= extent;
      outer.blockSize *= extent;
    } else if (outer.blockSize == 1 && blockSize == 1) {
      outer.extent *= extent;
      outer.stride *= count;
    } else {
      dimensions.push_back({uint64_t(extent), blockSize, uint64_t(count)});
    }
  }
  if (dimensions.empty())
    dimensions.push_back({1, 1, 1});
  // Numbers of blocks become distances between them.
  uint64_t stride = 1;
  for (Dimension &dimension : llvm::reverse(dimensions)) {
    uint64_t count = dimension.stride;
    dimension.stride = stride;
    stride *= count;
  }
}

void Blocks::forEachRun(
    uint64_t begin, uint64_t end,
    function_ref<void(uint64_t, uint64_t, uint64_t)> run) const {
  const Dimension &inner = dimensions.back();
  while (begin < end) {
    uint64_t row = begin / inner.extent, column = begin % inner.extent;
    uint64_t base = 0;
    for (const Dimension &outer :
         llvm::reverse(ArrayRef(dimensions).drop_back())) {
      base += row % outer.extent / outer.blockSize * outer.stride;
      row /= outer.extent;
    }
    while (column < inner.extent && begin < end) {
      uint64_t block = column / inner.blockSize;
      uint64_t length =
          std::min((block + 1) * inner.blockSize - column, end - begin);
      run(begin, begin + length, base + block);
      begin += length;
      column += length;
    }
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static bool isSigned(BlobType type) {
  return type == BlobType::Int8 || type == BlobType::Int4;
}

bool mlir::ane::mil::canLoadFloats(BlobType type) {
  switch (type) {
  case BlobType::Float16:
  case BlobType::Float32:
  case BlobType::UInt8:
  case BlobType::Int8:
    return true;
  default:
    return getBlobBits(type) < 8;
  }
}

void mlir::ane::mil::loadBytes(const Elements &from, uint64_t begin,
                               uint64_t count, uint8_t *to) {
  unsigned bits = getBlobBits(from.type);
  const auto *data = reinterpret_cast<const uint8_t *>(from.bytes.data());
  if (from.isPacked)
    unpackElements(data + begin / 8 * bits, count, bits, to);
  else
    std::memcpy(to, data + begin, count);
  if (bits == 8)
    return;
  // Above the element there may be anything in one of a byte.
  unsigned shift = 8 - bits;
  if (isSigned(from.type))
    for (uint64_t i = 0; i < count; ++i)
      to[i] = uint8_t(int8_t(uint8_t(to[i] << shift)) >> shift);
  else
    for (uint64_t i = 0; i < count; ++i)
      to[i] &= 0xff >> shift;
}

void mlir::ane::mil::loadFloats(const Elements &from, uint64_t begin,
                                uint64_t count, float *to) {
  if (from.type == BlobType::Float32) {
    std::memcpy(to, from.bytes.data() + begin * 4, count * 4);
    return;
  }
  if (from.type == BlobType::Float16) {
    ::ane::hw::convertFromHalf(
        reinterpret_cast<const uint16_t *>(from.bytes.data()) + begin, to,
        count);
    return;
  }
  std::array<uint8_t, kStep> bytes;
  for (uint64_t done = 0; done < count; done += kStep) {
    uint64_t now = std::min(kStep, count - done);
    loadBytes(from, begin + done, now, bytes.data());
    if (isSigned(from.type))
      for (uint64_t i = 0; i < now; ++i)
        to[done + i] = int8_t(bytes[i]);
    else
      for (uint64_t i = 0; i < now; ++i)
        to[done + i] = bytes[i];
  }
}

void mlir::ane::mil::dequantize(MLIRContext *context, const Elements &data,
                                const Blocks &blocks, ArrayRef<float> scale,
                                ArrayRef<float> offset, bool toHalf, char *to) {
  auto work = [&](uint64_t begin, uint64_t end) {
    std::array<float, kStep> values;
    for (uint64_t first = begin; first < end; first += kStep) {
      uint64_t now = std::min(kStep, end - first);
      loadFloats(data, first, now, values.data());
      blocks.forEachRun(first, first + now,
                        [&](uint64_t from, uint64_t until, uint64_t block) {
                          float *value = values.data() + (from - first);
                          float s = scale[block];
                          float o = offset.empty() ? 0 : offset[block];
                          for (uint64_t i = 0; i < until - from; ++i)
                            value[i] = s * (value[i] - o);
                        });
      if (toHalf)
        ::ane::hw::convertToHalf(values.data(),
                                 reinterpret_cast<uint16_t *>(to) + first, now);
      else
        std::memcpy(to + first * 4, values.data(), now * 4);
    }
  };
  forEachChunk(context, data.count, work);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

template <typename T>
static void lookUpElements(MLIRContext *context, const Elements &indices,
                           const Blocks &blocks, const T *table,
                           uint64_t entries, uint64_t vector, uint64_t inner,
                           T *to) {
  auto work = [&](uint64_t begin, uint64_t end) {
    std::array<uint8_t, kStep> index;
    for (uint64_t first = begin; first < end; first += kStep) {
      uint64_t now = std::min(kStep, end - first);
      loadBytes(indices, first, now, index.data());
      auto lookUpRun = [&](uint64_t from, uint64_t until, uint64_t block) {
        const T *own = table + block * entries * vector;
        if (vector == 1) {
          for (uint64_t i = from; i < until; ++i)
            to[i] = own[index[i - first]];
          return;
        }
        for (uint64_t i = from; i < until; ++i) {
          T *place = to + i / inner * vector * inner + i % inner;
          for (uint64_t v = 0; v < vector; ++v)
            place[v * inner] = own[index[i - first] * vector + v];
        }
      };
      blocks.forEachRun(first, first + now, lookUpRun);
    }
  };
  forEachChunk(context, indices.count, work);
}

void mlir::ane::mil::lookUp(MLIRContext *context, const Elements &indices,
                            const Blocks &blocks, const char *table,
                            uint64_t entries, uint64_t vector, uint64_t inner,
                            unsigned width, char *to) {
  auto run = [&](auto *typed) {
    using T = std::remove_pointer_t<decltype(typed)>;
    lookUpElements(context, indices, blocks, reinterpret_cast<const T *>(table),
                   entries, vector, inner, typed);
  };
  if (width == 1)
    run(reinterpret_cast<uint8_t *>(to));
  else if (width == 2)
    run(reinterpret_cast<uint16_t *>(to));
  else
    run(reinterpret_cast<uint32_t *>(to));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

static uint64_t countRange(const uint8_t *mask, uint64_t begin, uint64_t end) {
  uint64_t result = 0, byte = begin / 8;
  for (; (byte + 8) * 8 <= end; byte += 8) {
    uint64_t word;
    std::memcpy(&word, mask + byte, 8);
    result += llvm::popcount(word);
  }
  for (uint64_t i = byte * 8; i < end; ++i)
    result += mask[i / 8] >> (i % 8) & 1;
  return result;
}

// Bits that are set before each chunk, and in all.
static std::vector<uint64_t> countBefore(MLIRContext *context,
                                         const uint8_t *mask, uint64_t count) {
  std::vector<uint64_t> before(llvm::divideCeil(count, kChunk) + 1, 0);
  forEachChunk(context, count, [&](uint64_t begin, uint64_t end) {
    before[begin / kChunk + 1] = countRange(mask, begin, end);
  });
  for (size_t i = 1; i < before.size(); ++i)
    before[i] += before[i - 1];
  return before;
}

uint64_t mlir::ane::mil::countBits(MLIRContext *context, const uint8_t *mask,
                                   uint64_t count) {
  return countBefore(context, mask, count).back();
}

// Calls `visit(element, bit, rank)` in order; `rank` counts the bits before.
template <typename Visit>
static void forEachBit(MLIRContext *context, const uint8_t *mask,
                       uint64_t count, Visit visit) {
  std::vector<uint64_t> before = countBefore(context, mask, count);
  forEachChunk(context, count, [&](uint64_t begin, uint64_t end) {
    uint64_t rank = before[begin / kChunk];
    for (uint64_t i = begin; i < end; ++i) {
      bool bit = mask[i / 8] >> (i % 8) & 1;
      visit(i, bit, rank);
      rank += bit;
    }
  });
}

template <typename Run> static void withWidth(unsigned width, Run run) {
  if (width == 1)
    run(uint8_t());
  else if (width == 2)
    run(uint16_t());
  else
    run(uint32_t());
}

void mlir::ane::mil::scatterByMask(MLIRContext *context, const uint8_t *mask,
                                   uint64_t count, const char *values,
                                   unsigned width, char *to) {
  withWidth(width, [&](auto zero) {
    using T = decltype(zero);
    const auto *from = reinterpret_cast<const T *>(values);
    auto *typed = reinterpret_cast<T *>(to);
    forEachBit(context, mask, count, [=](uint64_t i, bool bit, uint64_t rank) {
      typed[i] = bit ? from[rank] : T(0);
    });
  });
}

void mlir::ane::mil::gatherByMask(MLIRContext *context, const uint8_t *mask,
                                  uint64_t count, const char *values,
                                  unsigned width, char *to) {
  withWidth(width, [&](auto zero) {
    using T = decltype(zero);
    const auto *from = reinterpret_cast<const T *>(values);
    auto *typed = reinterpret_cast<T *>(to);
    forEachBit(context, mask, count, [=](uint64_t i, bool bit, uint64_t rank) {
      if (bit)
        typed[rank] = from[i];
    });
  });
}

void mlir::ane::mil::repeatBits(const uint8_t *mask, uint64_t count,
                                uint64_t times, uint64_t inner, uint8_t *to) {
  for (uint64_t i = 0; i < count; ++i) {
    if (!(mask[i / 8] >> (i % 8) & 1))
      continue;
    uint64_t place = i / inner * times * inner + i % inner;
    for (uint64_t k = 0; k < times; ++k)
      to[(place + k * inner) / 8] |= 1 << ((place + k * inner) % 8);
  }
}
