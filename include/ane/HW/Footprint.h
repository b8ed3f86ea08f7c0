//===- Footprint.h - Which bytes a tensor takes -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler knows strides from types, the simulator from registers. What
// follows from them (where a tensor ends, whether it lies over itself, what of
// it holds something) is worked out here for both.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_FOOTPRINT_H
#define ANE_HW_FOOTPRINT_H

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ane::hw {

/// Which bytes of a memory hold something.
class ByteSet {
public:
  explicit ByteSet(uint64_t bytes = 0) : words((bytes + 63) / 64, 0) {}
  bool empty() const { return words.empty(); }

  void insert(uint64_t begin, uint64_t end) {
    forEachWord(begin, end, [](uint64_t &word, uint64_t mask) {
      word |= mask;
      return true;
    });
  }
  void erase(uint64_t begin, uint64_t end) {
    forEachWord(begin, end, [](uint64_t &word, uint64_t mask) {
      word &= ~mask;
      return true;
    });
  }
  /// Adds what `some` has and `others` have not of the range; all of one size,
  /// or `others` empty. Whether there is any.
  bool insertDifference(uint64_t begin, uint64_t end, const ByteSet &some,
                        const ByteSet &others) {
    bool any = false;
    forEachWord(begin, end, [&](uint64_t &word, uint64_t mask) {
      const size_t at = &word - words.data();
      const uint64_t less = others.empty() ? 0 : others.words[at];
      const uint64_t more = some.words[at] & ~less & mask;
      any |= more != 0;
      word |= more;
      return true;
    });
    return any;
  }
  bool contains(uint64_t begin, uint64_t end) const {
    bool all = true;
    const_cast<ByteSet *>(this)->forEachWord(
        begin, end, [&](uint64_t &word, uint64_t mask) {
          return all = (word & mask) == mask;
        });
    return all;
  }
  /// Some byte of the range is in the set.
  bool intersects(uint64_t begin, uint64_t end) const {
    bool none = true;
    const_cast<ByteSet *>(this)->forEachWord(
        begin, end, [&](uint64_t &word, uint64_t mask) {
          return none = (word & mask) == 0;
        });
    return !none;
  }
  /// The first byte of the range that is in the set; `end` if none is.
  uint64_t firstPresent(uint64_t begin, uint64_t end) const {
    while (begin < end && !intersects(begin, begin + 1))
      ++begin;
    return begin;
  }
  /// The first byte of the range that is not in the set; `end` if all are.
  uint64_t firstMissing(uint64_t begin, uint64_t end) const {
    while (begin < end && contains(begin, begin + 1))
      ++begin;
    return begin;
  }

private:
  /// Calls `visit(word, bits of the range in it)` until it returns false.
  template <typename Visit>
  void forEachWord(uint64_t begin, uint64_t end, Visit visit) {
    constexpr uint64_t all = ~uint64_t(0);
    if (begin >= end)
      return;
    uint64_t *word = &words[begin / 64], *last = &words[(end - 1) / 64];
    const uint64_t mask = all << begin % 64, lastMask = all >> (-end) % 64;
    if (word == last) {
      visit(*word, mask & lastMask);
      return;
    }
    if (!visit(*word, mask))
      return;
    for (++word; word != last; ++word)
      if (!visit(*word, all))
        return;
    visit(*last, lastMask);
  }

  std::vector<uint64_t> words;
};

/// Runs of bytes, one for each set of indices, at
///   base + sum of index * stride.
struct Footprint {
  struct Axis {
    uint64_t count, stride;
    bool operator==(const Axis &other) const {
      return count == other.count && stride == other.stride;
    }
  };
  uint64_t base = 0;
  uint64_t run = 0; ///< bytes side by side; 0: nothing at all
  absl::InlinedVector<Axis, 5> axes;

  /// The same runs in the same order.
  bool operator==(const Footprint &other) const {
    return base == other.base && run == other.run && axes == other.axes;
  }
  /// Bytes behind the last one, from the start of the memory; the largest
  /// number where there is none.
  uint64_t end() const;
  /// Calls `visit(begin, end)` for all runs, the last axis first, until it
  /// returns false, and returns that. Runs that meet are one.
  template <typename Visit> bool forEachRange(Visit visit) const;
  /// The first byte that is not in the set.
  std::optional<uint64_t> firstMissing(const ByteSet &set) const;
  /// Whether any byte is in the set.
  bool meets(const ByteSet &set) const;
  void insertInto(ByteSet &set) const;
};

/// A byte that is in two runs of these, if there is one. Takes memory by the
/// distance from the first byte to the last: check that before.
std::optional<uint64_t> findSharedByte(absl::Span<const Footprint> parts);

template <typename Visit> bool Footprint::forEachRange(Visit visit) const {
  absl::InlinedVector<Axis, 5> outer;
  uint64_t bytes = run;
  for (const Axis &axis : axes)
    if (axis.count != 1)
      outer.push_back(axis);
  for (const Axis &axis : axes)
    if (axis.count == 0)
      return true;
  while (!outer.empty() && outer.back().stride == bytes) {
    bytes *= outer.back().count;
    outer.pop_back();
  }
  if (!bytes)
    return true;
  absl::InlinedVector<uint64_t, 5> index(outer.size(), 0);
  for (uint64_t at = base;;) {
    if (!visit(at, at + bytes))
      return false;
    size_t i = outer.size();
    for (; i > 0; --i) {
      const Axis &axis = outer[i - 1];
      at += axis.stride;
      if (++index[i - 1] < axis.count)
        break;
      at -= axis.count * axis.stride;
      index[i - 1] = 0;
    }
    if (i == 0)
      return true;
  }
}

} // namespace ane::hw

#endif // ANE_HW_FOOTPRINT_H
