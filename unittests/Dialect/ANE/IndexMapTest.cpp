//===- IndexMapTest.cpp - Where reshapes and transposes put elements ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against tables of elements, moved one by one, on random shapes.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/IndexMap.h"

#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace mlir;
using namespace mlir::ane;

namespace {

using Shape = SmallVector<int64_t>;

} // namespace

static int64_t product(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<>());
}

static void forEachIndex(ArrayRef<int64_t> shape,
                         llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  Shape index(shape.size(), 0);
  for (int64_t n = product(shape); n > 0; --n) {
    visit(index);
    for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

static int64_t numberOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t number = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    number = number * shape[dim] + index[dim];
  return number;
}

namespace {

/// Which element of the source each element is, written down.
struct Table {
  explicit Table(ArrayRef<int64_t> source)
      : shape(source), elements(product(source)) {
    std::iota(elements.begin(), elements.end(), 0);
  }
  void transpose(ArrayRef<int64_t> perm) {
    Table old = *this;
    for (size_t dim = 0; dim < perm.size(); ++dim)
      shape[dim] = old.shape[perm[dim]];
    size_t next = 0;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      Shape from(index.size());
      for (size_t dim = 0; dim < perm.size(); ++dim)
        from[perm[dim]] = index[dim];
      elements[next++] = old.elements[numberOf(old.shape, from)];
    });
  }
  /// By its definition: index (.., i, .., j * size + k, ..) is (.., i * size +
  /// k, .., j, ..) of before.
  void moveInnermost(int64_t from, int64_t to, int64_t size) {
    Table old = *this;
    shape[from] /= size;
    shape[to] *= size;
    size_t next = 0;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      Shape before(index);
      before[from] = index[from] * size + index[to] % size;
      before[to] = index[to] / size;
      elements[next++] = old.elements[numberOf(old.shape, before)];
    });
  }

  Shape shape;
  std::vector<int64_t> elements;
};

} // namespace

static Table tableOf(const IndexMap &map) {
  Table table(map.getSource());
  table.shape = map.getShape();
  size_t next = 0;
  forEachIndex(table.shape, [&](ArrayRef<int64_t> index) {
    table.elements[next++] = map.getElement(index);
  });
  return table;
}

namespace {

class IndexMapTest : public ::testing::Test {
protected:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  Shape pickShape() {
    Shape shape(pick(1, 5));
    for (int64_t &size : shape)
      size = pick(0, 3) ? pick(1, 6) : 1;
    return shape;
  }
  /// Another shape of as many elements.
  Shape pickReshape(int64_t elements) {
    Shape shape;
    while (elements > 1) {
      int64_t size = pick(1, elements);
      while (elements % size)
        --size;
      shape.push_back(size);
      elements /= size;
    }
    shape.insert(shape.begin() + pick(0, shape.size()), 1);
    return shape;
  }
  Shape pickPerm(size_t rank) {
    Shape perm(rank);
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), random);
    return perm;
  }
  /// A few movements, on a map and a table.
  void move(IndexMap &map, Table &table) {
    for (int64_t steps = pick(0, 5); steps > 0; --steps) {
      int64_t kind = pick(0, 2);
      if (kind == 0) {
        Shape perm = pickPerm(table.shape.size());
        map.transpose(perm);
        table.transpose(perm);
      } else if (kind == 1) {
        Shape shape = pickReshape(table.elements.size());
        if (map.reshape(shape))
          table.shape = shape;
      } else {
        int64_t from = pick(0, table.shape.size() - 1);
        int64_t to = pick(0, table.shape.size() - 1), size = pick(1, 4);
        if (from != to && map.moveInnermost(from, to, size))
          table.moveInnermost(from, to, size);
      }
    }
  }

  static constexpr unsigned seed = 23;
  std::mt19937 random{seed};
};

TEST_F(IndexMapTest, FollowsElements) {
  for (int trial = 0; trial < 2000; ++trial) {
    Shape source = pickShape();
    IndexMap map(source);
    Table table(source);
    move(map, table);
    ASSERT_EQ(map.getShape(), table.shape);
    ASSERT_EQ(tableOf(map).elements, table.elements);
    ASSERT_EQ(map.isInOrder(), llvm::is_sorted(table.elements));
  }
}

TEST_F(IndexMapTest, EqualTablesHaveEqualDigits) {
  int equal = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Shape source = {2, 2, 4};
    IndexMap one(source), other(source);
    Table first(source), second(source);
    move(one, first);
    move(other, second);
    bool isEqual =
        first.shape == second.shape && first.elements == second.elements;
    EXPECT_EQ(isEqual, one == other);
    equal += isEqual;
  }
  EXPECT_GT(equal, 10);
}

TEST_F(IndexMapTest, InvertsAndComposes) {
  int inverted = 0, composed = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Shape source = pickShape();
    IndexMap map(source);
    Table table(source);
    move(map, table);
    IndexMap next(table.shape);
    Table after(table.shape);
    move(next, after);
    IndexMap both = map;
    if (both.compose(next)) {
      ++composed;
      for (int64_t &element : after.elements)
        element = table.elements[element];
      EXPECT_EQ(tableOf(both).elements, after.elements);
    }
    std::optional<IndexMap> inverse = map.inverse();
    if (!inverse)
      continue;
    ++inverted;
    EXPECT_EQ(inverse->getShape(), source);
    IndexMap back = map;
    if (back.compose(*inverse))
      EXPECT_EQ(back, IndexMap(source));
    Table there = tableOf(*inverse);
    for (size_t i = 0; i < there.elements.size(); ++i)
      EXPECT_EQ(table.elements[there.elements[i]], int64_t(i));
  }
  EXPECT_GT(inverted, 1000);
  EXPECT_GT(composed, 1000);
}

TEST_F(IndexMapTest, NamesDimensionsOfTheSource) {
  int named = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Shape source = pickShape();
    IndexMap map(source);
    Table table(source);
    move(map, table);
    for (int64_t dim = 0; dim < map.getRank(); ++dim) {
      auto digits = map.getSourceDigits(dim);
      if (!digits)
        continue;
      // Alone, the dimension moves by these digits.
      for (int64_t number = 0; number < table.shape[dim]; ++number) {
        Shape index(table.shape.size(), 0), at(source.size(), 0);
        index[dim] = number;
        int64_t left = number;
        for (const IndexMap::SourceDigit &digit : llvm::reverse(*digits)) {
          at[digit.dim] += left % digit.size * digit.step;
          left /= digit.size;
        }
        EXPECT_EQ(map.getElement(index), numberOf(source, at));
        ++named;
      }
    }
  }
  EXPECT_GT(named, 1000);
}

TEST_F(IndexMapTest, SortsDimensionsByTheSource) {
  for (int trial = 0; trial < 1000; ++trial) {
    Shape source = pickShape(), perm = pickPerm(source.size());
    IndexMap map(source, perm);
    map.transpose(map.getSourceOrder());
    EXPECT_TRUE(map.isInOrder());
  }
}

TEST_F(IndexMapTest, MatchesDimensions) {
  using Dims = SmallVector<int64_t>;
  EXPECT_EQ(matchDims({1, 3, 1, 4}, {3, 4}), (Dims{-1, 0, -1, 1}));
  EXPECT_EQ(matchDims({3, 4}, {3, 1, 4, 1}), (Dims{0, 2}));
  EXPECT_EQ(matchDims({1, 1}, {1}), (Dims{-1, -1}));
  EXPECT_EQ(matchDims({4, 3}, {3, 4}), std::nullopt);
  EXPECT_EQ(matchDims({12}, {3, 4}), std::nullopt);
  EXPECT_EQ(matchDims({2, 6}, {4, 3}), std::nullopt);
}

TEST_F(IndexMapTest, DepthToSpace) {
  IndexMap map(Shape{1, 12, 2, 3}); // channels are (c, i, j)
  ASSERT_TRUE(map.moveInnermost(1, 3, 2));
  ASSERT_TRUE(map.moveInnermost(1, 2, 2));
  using Source = IndexMap::SourceDigit;
  EXPECT_EQ(map.getShape(), (SmallVector<int64_t>{1, 3, 4, 6}));
  EXPECT_EQ(*map.getSourceDigits(1), (SmallVector<Source, 4>{{1, 4, 3}}));
  EXPECT_EQ(*map.getSourceDigits(2),
            (SmallVector<Source, 4>{{2, 1, 2}, {1, 2, 2}}));
  EXPECT_EQ(*map.getSourceDigits(3),
            (SmallVector<Source, 4>{{3, 1, 3}, {1, 1, 2}}));
}

TEST_F(IndexMapTest, RefusesWhatHasNoDigits) {
  IndexMap map(Shape{2, 3});
  map.transpose({1, 0});
  IndexMap before = map;
  EXPECT_FALSE(map.reshape({2, 3}));
  EXPECT_EQ(map, before);
  // In order, the same sizes are one digit.
  EXPECT_TRUE(IndexMap(Shape{2, 3}).reshape({3, 2}));
  EXPECT_FALSE(map.moveInnermost(0, 1, 2));
  EXPECT_EQ(map, before);
}

TEST_F(IndexMapTest, CountsBlocks) {
  IndexMap map(Shape{2, 3, 1, 4, 5}, Shape{0, 3, 4, 2, 1});
  EXPECT_EQ(map.getBlocks(), (IndexMap::Digits{{60, 2}, {1, 20}, {20, 3}}));
  EXPECT_EQ(map.getBlocks(/*most=*/8),
            (IndexMap::Digits{{60, 2}, {5, 4}, {1, 5}, {20, 3}}));
}

} // namespace
