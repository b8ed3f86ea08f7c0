//===- L2ResidentsTest.cpp - Places of what stays in L2 -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random values with random lives: what is said of them task by task and block
// by block is counted here in the plainest way.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Memory/L2Tiles.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir::ane;
namespace hw = ::ane::hw;

namespace {

const hw::GenerationInfo &h13() { return hw::info(hw::Generation::H13); }

class Numbers {
public:
  explicit Numbers(unsigned seed) : random(seed) {}
  int64_t upTo(int64_t most) { return int64_t(random() % (most + 1)); }

private:
  std::mt19937 random;
};

L2Piece randomPiece(Numbers &numbers, int64_t tasks, int64_t bytes) {
  L2Piece piece;
  piece.first = numbers.upTo(tasks - 1);
  piece.last = std::min(tasks - 1, piece.first + numbers.upTo(5));
  piece.begin = numbers.upTo(bytes - 1);
  piece.end = piece.begin + 1 + numbers.upTo(bytes - piece.begin - 1);
  return piece;
}

/// How many of `pieces` have a byte at a task.
int countAt(llvm::ArrayRef<L2Piece> pieces, int64_t task, int64_t byte) {
  return llvm::count_if(pieces, [&](const L2Piece &piece) {
    return piece.first <= task && task <= piece.last && piece.begin <= byte &&
           byte < piece.end;
  });
}

TEST(L2Residents, PiecesHaveWhatTheirPartsHaveOnce) {
  constexpr int64_t tasks = 12, bytes = 10;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(seed);
    llvm::SmallVector<L2Piece> parts;
    for (int64_t i = 0, count = 1 + numbers.upTo(5); i < count; ++i)
      parts.push_back(randomPiece(numbers, tasks, bytes));
    llvm::SmallVector<L2Piece> joined = joinPieces(parts);
    for (int64_t task = 0; task < tasks; ++task)
      for (int64_t byte = 0; byte < bytes; ++byte)
        ASSERT_EQ(countAt(joined, task, byte),
                  countAt(parts, task, byte) ? 1 : 0)
            << "task " << task << ", byte " << byte;
  }
}

TEST(L2Residents, OnePartIsOnePiece) {
  L2Piece first{2, 9, 0, 4}, apart{4, 5, 6, 8};
  // The second one comes and goes; what is beside it goes on.
  EXPECT_EQ(joinPieces({first}).size(), 1u);
  EXPECT_EQ(joinPieces({first, apart}).size(), 2u);
}

TEST(L2Residents, PartsAreRowsOrChannelsOfARow) {
  mlir::MLIRContext context;
  auto type = [&](llvm::ArrayRef<int64_t> shape) {
    return mlir::MemRefType::get(shape, mlir::Float16Type::get(&context));
  };
  auto partOf = [&](llvm::ArrayRef<int64_t> place, int64_t channel, int64_t row,
                    llvm::ArrayRef<int64_t> shape) {
    mlir::ane::ByteLayout layout;
    layout.strides = {0x400, 0x10, 0x80, 2};
    L2Piece part =
        getPart(type(place), layout, /*bytes=*/0x800, channel, row, shape);
    return std::pair(part.begin, part.end);
  };
  using Range = std::pair<int64_t, int64_t>;
  EXPECT_EQ(partOf({1, 8, 8, 8}, 0, 3, {1, 8, 2, 8}), Range(0x180, 0x280));
  // Rows of channels that are side by side are rows of all of them.
  EXPECT_EQ(partOf({1, 8, 8, 8}, 4, 3, {1, 4, 2, 8}), Range(0x180, 0x280));
  EXPECT_EQ(partOf({1, 8, 8, 8}, 4, 3, {1, 4, 1, 8}), Range(0x1c0, 0x200));
  // Of several images, and of planes with a depth, all is taken.
  EXPECT_EQ(partOf({2, 8, 8, 8}, 0, 3, {2, 8, 2, 8}), Range(0, 0x800));
  EXPECT_EQ(partOf({1, 8, 8, 8, 8}, 0, 3, {1, 8, 2, 8, 8}), Range(0, 0x800));
}

TEST(L2Residents, TheLongestRunHoldsTheOthers) {
  mlir::MLIRContext context;
  auto bytesOf = [&](llvm::ArrayRef<int64_t> shape) {
    mlir::ane::ByteLayout layout;
    layout.strides = {0x800, 0x10, 0x80, 2};
    return getResidentBytes(
        mlir::MemRefType::get(shape, mlir::Float16Type::get(&context)), layout);
  };
  EXPECT_EQ(bytesOf({1, 8, 8, 8}), 0x400);
  EXPECT_EQ(bytesOf({2, 8, 8, 8}), 0x1000);
  // A lone row is as long as a row, however little of it there is.
  EXPECT_EQ(bytesOf({1, 1, 1, 8}), 0x80);
}

struct Placement {
  llvm::SmallVector<L2Resident> residents;
  llvm::SmallVector<StreamNeed> needs;
};

Placement randomPlacement(unsigned seed, int64_t tasks, int64_t count) {
  Numbers numbers(seed);
  const int64_t most = int64_t(h13().l2Bytes) / (2 + seed % 23);
  Placement result;
  for (int64_t i = 0; i < count; ++i) {
    L2Piece life = randomPiece(numbers, tasks, 1);
    L2Resident resident{life.first, life.last, 0x10 + numbers.upTo(most)};
    // Some are used half by half.
    if (i % 3 == 0 && life.first < life.last) {
      int64_t half = resident.bytes / 2;
      resident.pieces = {{life.first, life.last - 1, 0, half},
                         {life.first + 1, life.last, half, resident.bytes}};
    }
    result.residents.push_back(resident);
  }
  for (int64_t i = 0; i < tasks; ++i)
    result.needs.push_back(
        {numbers.upTo(h13().l2SourceBytes * 9 / (8 + 8 * (seed % 5))),
         numbers.upTo(0x40000)});
  return result;
}

llvm::SmallVector<L2Piece> piecesOf(const L2Resident &resident) {
  if (resident.pieces.empty())
    return {{resident.first, resident.last, 0, resident.bytes}};
  return {resident.pieces.begin(), resident.pieces.end()};
}

/// Ranges of L2 that are in use at a task, in order.
std::vector<std::pair<int64_t, int64_t>>
usedAt(llvm::ArrayRef<L2Resident> residents, int64_t task) {
  std::vector<std::pair<int64_t, int64_t>> used;
  for (const L2Resident &resident : residents)
    for (const L2Piece &piece : piecesOf(resident))
      if (piece.first <= task && task <= piece.last)
        used.emplace_back(resident.offset + piece.begin,
                          resident.offset + piece.end);
  llvm::sort(used);
  return used;
}

TEST(L2Residents, NothingLiesOverWhatIsNeeded) {
  constexpr int64_t tasks = 20;
  int fitting = 0, crowded = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Placement place = randomPlacement(seed, tasks, 3 + seed % 14);
    llvm::SmallVector<int64_t> tight =
        placeResidents(h13(), place.residents, place.needs);
    (tight.empty() ? fitting : crowded) += 1;
    for (int64_t task = 0; task < tasks; ++task) {
      auto used = usedAt(place.residents, task);
      int64_t behind = 0, gap = 0;
      for (auto [begin, end] : used) {
        ASSERT_GE(begin, behind) << "task " << task;
        gap = std::max(gap, begin - behind);
        behind = end;
      }
      const int64_t all = h13().l2Bytes;
      gap = std::max(gap, all - behind);
      // A task alone in L2 has all there is, enough or not.
      const StreamNeed &need = place.needs[task];
      bool hasPlace = need.sources <= int64_t(h13().l2SourceBytes) &&
                      need.sources + need.result <= gap;
      bool isTight = behind > all || (!used.empty() && !hasPlace);
      EXPECT_EQ(llvm::is_contained(tight, task), isTight) << "task " << task;
      EXPECT_EQ(getLargestGaps(h13(), place.residents, tasks)[task].size(),
                std::max<int64_t>(0, gap));
    }
  }
  // Both kinds were among them.
  EXPECT_GT(fitting, 20);
  EXPECT_GT(crowded, 20);
}

} // namespace
