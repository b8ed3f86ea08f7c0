//===- HalfRows.cpp - The loops of kernel packing -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Highway includes this file once for each instruction set; what stands between
// HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE is compiled for each of them.
//
// Standing rows beside each other is a transposition. It goes by blocks of 8
// rows and some lines of the cache. The memory is slower than the arithmetic:
// lines of the next block are asked for in good time, and results go past the
// caches. Measured with benchmarks/Packing.cpp; without either it takes half as
// long again.
//
//===----------------------------------------------------------------------===//

// Arrays of vectors need a size that is known when compiling.
#define HWY_DISABLED_TARGETS                                                   \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

// For processors without vectors Highway emulates them, but not with g++ below
// 12.3, which may compile that wrongly: there it has plain numbers, which lack
// what is used here. All 64-bit processors of the last 15 years have vectors.
#define HWY_BROKEN_EMU128 0

// The newest x86 target has an instruction for what squeezeZeros does.
#define HWY_WANT_AVX3_DL

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "HalfRows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "hwy/cache_control.h"

#include "HalfRows.h"

#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace ane::hw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Eight = hn::FixedTag<uint16_t, 8>;
/// Two blocks of eight where vectors are that long.
using Sixteen = hn::CappedTag<uint16_t, 16>;

template <typename D>
HWY_INLINE void StoreVector(hn::Vec<D> v, D, uint8_t *to) {
  const hn::Repartition<uint8_t, D> bytes;
  hn::StoreU(hn::BitCast(bytes, v), bytes, to);
}

/// Makes the eight lanes of steps out of eight rows. A vector of 16 lanes has
/// two steps, its blocks, that are 8 apart.
template <typename D> HWY_INLINE void Transpose(D d, hn::Vec<D> *v) {
  hn::Vec<D> t[8];
  // Each round moves a bit of the row's number from the number of the vector
  // into that of the lane, and a bit of the step's number the other way.
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) {
      t[2 * i] = hn::InterleaveLower(d, v[i], v[i + 4]);
      t[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + 4]);
    }
    for (int i = 0; i < 8; ++i)
      v[i] = t[i];
  }
}

/// Step i of what Transpose has made goes to `place(i)`.
template <typename D, typename Place>
HWY_INLINE void StoreSteps(D d, const hn::Vec<D> *v, Place place) {
  if constexpr (hn::MaxLanes(d) == 16) {
    const Eight half;
    for (int i = 0; i < 8; ++i)
      StoreVector(hn::LowerHalf(half, v[i]), half, place(i));
    for (int i = 0; i < 8; ++i)
      StoreVector(hn::UpperHalf(half, v[i]), half, place(i + 8));
  } else {
    for (int i = 0; i < 8; ++i)
      StoreVector(v[i], d, place(i));
  }
}

/// Eight rows to as many steps as a vector has lanes. `stride` bytes are from a
/// step to the next in `out`; each is stored with all eight lanes, in their
/// order.
template <typename D>
HWY_INLINE void Transpose8(D d, const HalfRows &rows, uint32_t firstRow,
                           size_t step, uint8_t *out, size_t stride) {
  hn::Vec<D> v[8];
  for (uint32_t i = 0; i < 8; ++i)
    v[i] = firstRow + i < rows.count
               ? hn::LoadU(d, rows.first + (firstRow + i) * rows.stride + step)
               : hn::Zero(d);
  Transpose(d, v);
  StoreSteps(d, v, [&](int i) { return out + i * stride; });
}

/// Past the caches, which would read the lines of `to` before they are
/// overwritten as a whole.
HWY_INLINE void CopyBytes(const uint8_t *from, size_t bytes, Fate fate,
                          uint8_t *to) {
  constexpr size_t line = 64;
  const hn::CappedTag<uint8_t, line> d;
  const size_t head = -reinterpret_cast<uintptr_t>(to) % line;
  if (bytes < 2 * line || fate == Fate::ReadSoon) {
    std::memcpy(to, from, bytes);
    return;
  }
  std::memcpy(to, from, head);
  size_t i = head;
  for (; i + line <= bytes; i += line)
    for (size_t j = 0; j < line; j += hn::MaxLanes(d))
      hn::Stream(hn::LoadU(d, from + i + j), d, to + i + j);
  std::memcpy(to + i, from + i, bytes - i);
}

/// Steps from `step` on, up to the last that can be done `N` at a time. A group
/// of fewer than eight lanes is stored with eight, so it comes before the
/// groups and steps that it writes into.
template <size_t N, typename D>
HWY_INLINE size_t TransposeSteps(D d, const HalfRows &rows, uint32_t lanes,
                                 size_t step, Fate fate, uint8_t *out) {
  constexpr size_t lineHalves = 32;
  const uint32_t groups = (lanes + 7) / 8;
  const size_t stride = 2 * size_t(lanes), groupRows = 8 * rows.stride;
  HWY_ALIGN_MAX uint8_t tile[N * 64 + 16];
  const bool direct = fate == Fate::ReadSoon && lanes % 8 == 0;
  for (; step + N <= rows.steps; step += N) {
    uint8_t *block = direct ? out + step * stride : tile;
    // What comes after these steps: more of them, or the rows of the next unit.
    const uint16_t *next = step + 2 * N <= rows.steps ? rows.first + step + N
                                                      : rows.first + rows.next;
    for (uint32_t group = groups; group-- > 0;) {
      const uint16_t *ahead = group
                                  ? rows.first + step + (group - 1) * groupRows
                                  : next + (groups - 1) * groupRows;
      for (size_t i = 0; i < N; i += hn::MaxLanes(d)) {
        // Eight rows, a share of them with each part of these.
        if (N >= lineHalves)
          for (size_t row = 8 * i / N; row < 8 * (i + hn::MaxLanes(d)) / N;
               ++row)
            for (size_t line = 0; line < N; line += lineHalves)
              hwy::Prefetch(ahead + row * rows.stride + line);
        Transpose8(d, rows, group * 8, step + i,
                   block + i * stride + group * 16, stride);
      }
    }
    if (!direct)
      CopyBytes(tile, N * stride, fate, out + step * stride);
  }
  return step;
}

/// Two or four rows that all exist.
template <uint32_t Lanes>
HWY_INLINE size_t InterleaveFew(const HalfRows &rows, Fate fate, uint8_t *out) {
  constexpr size_t N = 128;
  const Sixteen d;
  const uint16_t *from = rows.first;
  HWY_ALIGN_MAX uint16_t tile[N * Lanes];
  size_t step = 0, count;
  do {
    count = 0;
    for (; count < N && step + count + hn::MaxLanes(d) <= rows.steps;
         count += hn::MaxLanes(d)) {
      const uint16_t *at = from + step + count;
      // Such rows are often short: those of the next unit would come too late.
      for (uint32_t row = 0; row < Lanes; ++row)
        hwy::Prefetch(at + row * rows.stride + 4 * rows.next);
      const auto a = hn::LoadU(d, at), b = hn::LoadU(d, at + rows.stride);
      if constexpr (Lanes == 2)
        hn::StoreInterleaved2(a, b, d, tile + 2 * count);
      else
        hn::StoreInterleaved4(a, b, hn::LoadU(d, at + 2 * rows.stride),
                              hn::LoadU(d, at + 3 * rows.stride), d,
                              tile + 4 * count);
    }
    CopyBytes(reinterpret_cast<const uint8_t *>(tile), 2 * Lanes * count, fate,
              out + 2 * Lanes * step);
    step += count;
  } while (count == N);
  return step;
}

void InterleaveRows(const HalfRows &rows, uint32_t lanes, Fate fate,
                    uint8_t *out) {
  size_t step = 0;
  if (lanes == 2 && rows.count == 2) {
    step = InterleaveFew<2>(rows, fate, out);
  } else if (lanes == 4 && rows.count == 4) {
    step = InterleaveFew<4>(rows, fate, out);
  } else {
    // Few enough for the first-level cache, enough to run along the rows.
    step = TransposeSteps<128>(Sixteen(), rows, lanes, step, fate, out);
    step = TransposeSteps<32>(Sixteen(), rows, lanes, step, fate, out);
    step = TransposeSteps<8>(Eight(), rows, lanes, step, fate, out);
  }
  for (; step < rows.steps; ++step)
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const uint16_t value =
          lane < rows.count ? rows.first[lane * rows.stride + step] : 0;
      std::memcpy(out + 2 * (step * lanes + lane), &value, sizeof(value));
    }
}

void StoreBytes(const uint8_t *from, size_t bytes, uint8_t *to) {
  CopyBytes(from, bytes, Fate::Stored, to);
}

template <size_t N>
HWY_INLINE void CopyPieces(const uint8_t *from, size_t stride, size_t count,
                           uint8_t *to, size_t toStride) {
  const hn::CappedTag<uint8_t, N> d;
  for (; count > 0; --count, from += stride, to += toStride)
    for (size_t i = 0; i < N; i += hn::MaxLanes(d))
      hn::StoreU(hn::LoadU(d, from + i), d, to + i);
}

void GatherPieces(const Pieces &pieces, uint8_t *to, size_t stride) {
  const auto *from = reinterpret_cast<const uint8_t *>(pieces.first);
  const size_t bytes = 2 * pieces.each, fromStride = 2 * pieces.stride;
  // Whole vectors: what they have too much is overwritten by the next piece.
  size_t done = bytes <= 64 ? pieces.safe : 0;
  if (bytes <= 16)
    CopyPieces<16>(from, fromStride, done, to, stride);
  else if (bytes <= 32)
    CopyPieces<32>(from, fromStride, done, to, stride);
  else
    CopyPieces<64>(from, fromStride, done, to, stride);
  for (; done < pieces.count; ++done)
    std::memcpy(to + done * stride, from + done * fromStride, bytes);
}

/// Steps from `step` on, as many as there are in whole vectors.
template <typename D>
HWY_INLINE size_t PlaceSteps(D d, const HalfRows &rows, const uint32_t *places,
                             size_t step, uint8_t *out, bool &someZero) {
  constexpr size_t lineHalves = 32;
  auto least = hn::Set(d, uint16_t(0xffff));
  for (; step + hn::MaxLanes(d) <= rows.steps; step += hn::MaxLanes(d))
    for (uint32_t group = 0; group < rows.count / 8; ++group) {
      const uint16_t *from = rows.first + group * 8 * rows.stride + step;
      hn::Vec<D> v[8];
      for (uint32_t i = 0; i < 8; ++i) {
        v[i] = hn::LoadU(d, from + i * rows.stride);
        least = hn::Min(least, hn::Add(v[i], v[i])); // without the sign
      }
      if (step % lineHalves < hn::MaxLanes(d))
        for (uint32_t i = 0; i < 8; ++i)
          hwy::Prefetch(from + i * rows.stride + rows.next);
      Transpose(d, v);
      StoreSteps(d, v, [&](int i) {
        return out + places[step + i] + group * squeezedGroup;
      });
    }
  someZero |= !hn::AllFalse(d, hn::Eq(least, hn::Zero(d)));
  return step;
}

bool PlaceRows(const HalfRows &rows, const uint32_t *places, uint8_t *out) {
  bool someZero = false;
  const size_t step = PlaceSteps(Sixteen(), rows, places, 0, out, someZero);
  PlaceSteps(Eight(), rows, places, step, out, someZero);
  return !someZero;
}

/// `each` may be a number that the compiler knows.
template <typename Size>
HWY_INLINE uint8_t *SqueezeBlocks(const uint16_t *const *blocks, size_t count,
                                  Size each, uint8_t *out) {
  const Eight d;
  const auto magnitude = hn::Set(d, uint16_t(0x7fff));
  for (size_t block = 0; block < count; ++block) {
    const uint16_t *from = blocks[block];
    if (!from) {
      std::memset(out, 0, squeezeSlack); // a size that needs no call
      out += each / 8;
      continue;
    }
    for (size_t i = 0; i < each; i += 8) {
      const auto v = hn::LoadU(d, from + i);
      const auto stays = hn::Ne(hn::And(v, magnitude), hn::Zero(d));
      // The usual case: no wait for what the bits are.
      if (HWY_LIKELY(hn::AllTrue(d, stays))) {
        *out = 0xff;
        StoreVector(v, d, out + 1);
        out += 1 + 2 * hn::MaxLanes(d);
        continue;
      }
      uint8_t bits[8]; // as many as StoreMaskBits may touch
      hn::StoreMaskBits(d, stays, bits);
      *out++ = bits[0];
      StoreVector(hn::Compress(v, stays), d, out);
      out += 2 * hwy::PopCount(uint64_t(bits[0]));
    }
  }
  return out;
}

uint8_t *SqueezeZeros(const uint16_t *const *blocks, size_t count, size_t each,
                      uint8_t *out) {
  if (each == 16)
    return SqueezeBlocks(blocks, count, std::integral_constant<size_t, 16>(),
                         out);
  if (each == 32)
    return SqueezeBlocks(blocks, count, std::integral_constant<size_t, 32>(),
                         out);
  return SqueezeBlocks(blocks, count, each, out);
}

} // namespace HWY_NAMESPACE
} // namespace ane::hw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ane::hw {

HWY_EXPORT(GatherPieces);
HWY_EXPORT(InterleaveRows);
HWY_EXPORT(PlaceRows);
HWY_EXPORT(SqueezeZeros);
HWY_EXPORT(StoreBytes);

void interleaveRows(const HalfRows &rows, uint32_t lanes, Fate fate,
                    uint8_t *out) {
  if (lanes == 1 && rows.count == 1)
    std::memcpy(out, rows.first, 2 * rows.steps);
  else
    HWY_DYNAMIC_DISPATCH(InterleaveRows)(rows, lanes, fate, out);
}

void storeBytes(const uint8_t *from, size_t bytes, uint8_t *to) {
  HWY_DYNAMIC_DISPATCH(StoreBytes)(from, bytes, to);
}

void gatherPieces(const Pieces &pieces, uint8_t *to, size_t stride) {
  HWY_DYNAMIC_DISPATCH(GatherPieces)(pieces, to, stride);
}

bool placeRows(const HalfRows &rows, const uint32_t *places, uint8_t *out) {
  return HWY_DYNAMIC_DISPATCH(PlaceRows)(rows, places, out);
}

uint8_t *squeezeZeros(const uint16_t *const *blocks, size_t count, size_t each,
                      uint8_t *out) {
  return HWY_DYNAMIC_DISPATCH(SqueezeZeros)(blocks, count, each, out);
}

} // namespace ane::hw
#endif
