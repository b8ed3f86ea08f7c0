//===- L2Owners.h - Whose result a byte of L2 is ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task that reads a result in L2 needs all that it reads of it: where another
// one has written over some of it in between, without having read it, two
// tensors lie over each other. Kept for the units in which L2 is addressed, so
// that a task takes time in proportion to what it touches: the last owner of a
// unit, and the owners whose bytes were lost there.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_HW_L2OWNERS_H
#define ANE_LIB_HW_L2OWNERS_H

#include "ane/HW/Footprint.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ane::hw {

class L2Owners {
public:
  static constexpr uint64_t unit = 16;

  /// Grows with what is touched: most programs use a part of L2.
  L2Owners() {
    results.push_back({}); // 0: nobody
    losses.push_back({});
  }

  struct Torn {
    uint32_t owner, by; ///< tasks
    uint64_t at;
  };
  /// `task` reads the bytes; what is torn of them.
  std::optional<Torn> read(const Footprint &bytes, uint32_t task) {
    ++reads;
    forEachCell(bytes, [&](Cell &cell, uint16_t mask) {
      if (cell.reader != task + 1)
        cell.read = 0;
      cell.reader = task + 1;
      cell.read |= mask;
      if (cell.owner)
        results[cell.owner].touched = reads;
    });
    std::optional<Torn> torn;
    forEachCell(bytes, [&](Cell &cell, uint16_t mask) {
      // Results start at units: one that mixes in a unit is torn.
      if (!torn && (cell.stale & mask) && (cell.held & mask))
        torn = {results[cell.staleOwner].task, results[cell.owner].task,
                uint64_t(&cell - cells.data()) * unit};
      for (uint32_t loss = cell.losses; loss && !torn;
           loss = losses[loss].next) {
        const Result &result = results[losses[loss].owner];
        if (result.touched == reads)
          torn = {result.task, results[cell.owner].task,
                  uint64_t(&cell - cells.data()) * unit};
      }
    });
    return torn;
  }

  /// A result of `task` begins; the parts of it follow.
  void beginWrite(uint32_t task) { results.push_back({task}); }
  void write(const Footprint &bytes) {
    const uint32_t mine = results.size() - 1;
    cells.resize(
        std::max<size_t>(cells.size(), (bytes.end() + unit - 1) / unit));
    // A unit may get its bytes in several runs.
    forEachCell(bytes,
                [&](Cell &cell, uint16_t mask) { cell.pending |= mask; });
    forEachCell(bytes, [&](Cell &cell, uint16_t) {
      const uint16_t mask = std::exchange(cell.pending, uint16_t(0));
      if (mask)
        take(cell, mine, mask);
    });
  }

private:
  struct Cell {
    uint32_t owner = 0;  ///< index of a result
    uint32_t reader = 0; ///< the last task that read it, plus one
    uint32_t losses = 0; ///< index of a list
    /// Bytes: of the owner, what the reader read, and what is being written.
    uint16_t held = 0, read = 0, pending = 0;
    /// What is left of the owner before.
    uint16_t stale = 0;
    uint32_t staleOwner = 0;
  };
  struct Result {
    uint32_t task = 0;
    uint64_t cells = 0;   ///< that it has still
    uint64_t touched = 0; ///< by this read
  };
  struct Loss {
    uint32_t owner = 0, next = 0;
  };

  void take(Cell &cell, uint32_t mine, uint16_t mask) {
    cell.stale &= ~mask;
    if (cell.owner == mine) {
      cell.held |= mask;
      return;
    }
    if (uint16_t rest = cell.held & ~mask) {
      cell.stale |= rest;
      cell.staleOwner = cell.owner;
    }
    if (cell.owner) {
      --results[cell.owner].cells;
      const uint16_t consumed =
          cell.reader == results[mine].task + 1 ? cell.read : 0;
      if (cell.held & mask & ~consumed)
        addLoss(cell);
    }
    // Nothing more can be read of a result that is gone.
    while (cell.losses && !results[losses[cell.losses].owner].cells)
      cell.losses = losses[cell.losses].next;
    cell.owner = mine;
    cell.held = mask;
    ++results[mine].cells;
  }

  /// Neighbours have the same lists, mostly.
  void addLoss(Cell &cell) {
    const Loss &last = losses.back();
    if (losses.size() == 1 || last.owner != cell.owner ||
        last.next != cell.losses)
      losses.push_back({cell.owner, cell.losses});
    cell.losses = losses.size() - 1;
  }

  /// `visit(cell, bytes of it)` for all runs.
  template <typename Visit>
  void forEachCell(const Footprint &bytes, Visit visit) {
    bytes.forEachRange([&](uint64_t begin, uint64_t end) {
      for (uint64_t i = begin / unit; i * unit < end && i < cells.size(); ++i) {
        const uint64_t first = std::max(begin, i * unit) - i * unit,
                       last = std::min(end, (i + 1) * unit) - i * unit;
        visit(cells[i], uint16_t(((1u << (last - first)) - 1) << first));
      }
      return true;
    });
  }

  std::vector<Cell> cells;
  std::vector<Result> results;
  std::vector<Loss> losses;
  uint64_t reads = 0;
};

} // namespace ane::hw

#endif // ANE_LIB_HW_L2OWNERS_H
