//===- ConstantViewTest.cpp - Strided views of constants ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/Float16.h"

#include "gtest/gtest.h"

#include <array>
#include <cmath>
#include <numeric>
#include <random>

using namespace mlir;
using namespace mlir::ane;

namespace {

using Index = SmallVector<int64_t, 4>;

class ConstantViewTest : public ::testing::Test {
protected:
  ConstantViewTest() : builder(&context) { context.loadDialect<ANEDialect>(); }

  RankedTensorType f32(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF32Type());
  }
  RankedTensorType f16(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF16Type());
  }
  /// 0, 1, 2, ... in row-major order.
  ConstantView iota(ArrayRef<int64_t> shape) {
    RankedTensorType type = f32(shape);
    storage.emplace_back(type.getNumElements());
    std::iota(storage.back().begin(), storage.back().end(), 0.0f);
    return ConstantView(reinterpret_cast<const char *>(storage.back().data()),
                        type);
  }

  MLIRContext context;
  Builder builder;
  std::vector<std::vector<float>> storage;
};

/// Reads element by element, the slow and obvious way.
std::vector<float> readSlowly(const ConstantView &view) {
  std::vector<float> values;
  const auto *data = reinterpret_cast<const float *>(view.getData());
  Index index(view.getRank(), 0);
  for (int64_t n = view.getNumElements(); n > 0; --n) {
    int64_t offset = 0;
    for (int64_t d = 0; d < view.getRank(); ++d)
      offset += index[d] * view.getStrides()[d];
    values.push_back(data[offset]);
    for (int64_t d = view.getRank() - 1; d >= 0; --d) {
      if (++index[d] < view.getShape()[d])
        break;
      index[d] = 0;
    }
  }
  return values;
}

TEST_F(ConstantViewTest, TransposeMovesDimensions) {
  ConstantView view = iota({2, 3}).transpose({1, 0});
  EXPECT_EQ(view.readFloats(), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_FALSE(view.isContiguous());
  EXPECT_TRUE(view.transpose({1, 0}).isContiguous());
}

TEST_F(ConstantViewTest, SliceTakesEverySecond) {
  ConstantView view = iota({3, 5}).slice({1, 0}, {2, 3}, {1, 2});
  EXPECT_EQ(view.readFloats(), (std::vector<float>{5, 7, 9, 10, 12, 14}));
}

TEST_F(ConstantViewTest, BroadcastRepeats) {
  ConstantView view = iota({2, 1}).broadcast({2, 3});
  EXPECT_EQ(view.readFloats(), (std::vector<float>{0, 0, 0, 1, 1, 1}));
}

TEST_F(ConstantViewTest, ReshapeIsAViewWhereItCan) {
  ConstantView whole = iota({2, 3, 4});
  ASSERT_TRUE(whole.reshape({6, 4}).has_value());
  EXPECT_EQ(whole.reshape({1, 24, 1})->readFloats(), whole.readFloats());
  ConstantView moved = whole.transpose({2, 0, 1}); // 4 x 2 x 3
  EXPECT_FALSE(moved.reshape({24}).has_value());
  ASSERT_TRUE(moved.reshape({4, 1, 6}).has_value());
  EXPECT_EQ(moved.reshape({4, 1, 6})->readFloats(), readSlowly(moved));
  ASSERT_TRUE(moved.reshape({2, 2, 6, 1}).has_value());
  EXPECT_EQ(moved.reshape({2, 2, 6, 1})->readFloats(), readSlowly(moved));
  EXPECT_FALSE(moved.reshape({8, 3}).has_value());
}

TEST_F(ConstantViewTest, SplatHasNoStrides) {
  auto attr = cast<ElementsAttr>(
      DenseElementsAttr::get(f32({2, 3}), ArrayRef<float>{7.0f}));
  FailureOr<ConstantView> view = ConstantView::get(attr);
  ASSERT_TRUE(succeeded(view));
  EXPECT_TRUE(view->isSplat());
  EXPECT_EQ(view->reshape({6})->readFloats(), std::vector<float>(6, 7.0f));
}

TEST_F(ConstantViewTest, MissingBytesAreNoView) {
  auto attr = DenseResourceElementsAttr::get(
      f32({8}), "short",
      HeapAsmResourceBlob::allocateAndCopyInferAlign<float>({1, 2, 3}));
  EXPECT_TRUE(failed(ConstantView::get(cast<ElementsAttr>(attr))));
}

// Random chains of views against the slow reader.
TEST_F(ConstantViewTest, CopiesAgreeWithSlowReader) {
  unsigned seed = 20240607;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  auto below = [&](int64_t n) { return int64_t(random() % n); };
  for (int trial = 0; trial < 400; ++trial) {
    Index shape;
    for (int64_t i = 0, rank = 1 + below(4); i < rank; ++i)
      shape.push_back(1 + below(trial % 10 ? 9 : 70));
    ConstantView view = iota(shape);
    for (int step = 0; step < 2; ++step) {
      Index perm(view.getRank()), offsets, sizes, steps;
      std::iota(perm.begin(), perm.end(), 0);
      std::shuffle(perm.begin(), perm.end(), random);
      view = view.transpose(perm);
      for (int64_t extent : view.getShape()) {
        offsets.push_back(below(extent));
        steps.push_back(1 + below(2));
        sizes.push_back(1 + (extent - 1 - offsets.back()) / steps.back());
      }
      if (below(2))
        view = view.slice(offsets, sizes, steps);
    }
    ASSERT_EQ(view.readFloats(), readSlowly(view)) << "trial " << trial;
    std::vector<float> parts;
    view.forEachPart(1 + below(100), [&](int64_t first, ConstantView part) {
      ASSERT_EQ(first, int64_t(parts.size()));
      llvm::append_range(parts, part.readFloats());
    });
    ASSERT_EQ(parts, readSlowly(view)) << "trial " << trial;
  }
}

// Random factorisations of the number of elements: a reshape of a view, where
// there is one, has the same elements in the same order.
TEST_F(ConstantViewTest, ReshapesKeepTheOrder) {
  unsigned seed = 71;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  int64_t views = 0, copies = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Index shape, perm;
    int64_t count = 1;
    for (int64_t i = 0; i < 4; ++i) {
      shape.push_back(std::array<int64_t, 5>{1, 2, 3, 4, 6}[random() % 5]);
      count *= shape.back();
      perm.push_back(i);
    }
    std::shuffle(perm.begin(), perm.end(), random);
    ConstantView view = iota(shape).transpose(perm);
    Index target;
    while (count > 1 || random() % 3 == 0) {
      int64_t factor = 1 + random() % count;
      while (count % factor)
        --factor;
      target.push_back(factor);
      count /= factor;
    }
    std::optional<ConstantView> reshaped = view.reshape(target);
    ++(reshaped ? views : copies);
    if (reshaped) {
      ASSERT_EQ(readSlowly(*reshaped), readSlowly(view)) << "trial " << trial;
    }
    if (view.isContiguous()) {
      ASSERT_TRUE(reshaped.has_value()) << "trial " << trial;
    }
  }
  EXPECT_GT(views, 100);
  EXPECT_GT(copies, 100);
}

TEST_F(ConstantViewTest, MaterializeScalesChannelsAndRoundsOnce) {
  ConstantView view = iota({2, 2, 2}).transpose({1, 0, 2});
  AsmResourceBlob blob = view.materialize(builder.getF32Type(), {10.0f, 0.5f});
  EXPECT_EQ(std::vector<float>(blob.getDataAs<float>()),
            (std::vector<float>{0, 10, 40, 50, 1, 1.5, 3, 3.5}));
  blob = view.materialize(builder.getF16Type(), {10.0f, 0.5f}, 1);
  std::vector<float> values(8);
  convertFromHalf(blob.getDataAs<uint16_t>(), values.data());
  EXPECT_EQ(values, (std::vector<float>{0, 10, 2, 2.5, 20, 30, 3, 3.5}));
}

TEST_F(ConstantViewTest, HalfConversionsAgreeWithTheCompiler) {
  std::vector<uint16_t> halves(1 << 16);
  std::iota(halves.begin(), halves.end(), 0);
  std::vector<float> floats(halves.size());
  convertFromHalf(halves, floats.data());
  for (uint32_t i = 0; i < halves.size(); ++i) {
    float expected = ::ane::hw::fromHalfBits(halves[i]);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(floats[i])) << i;
    else
      ASSERT_EQ(floats[i], expected) << i;
  }
  // Around every half, halfway between two and everything else.
  std::vector<float> inputs;
  for (float value : floats)
    for (uint32_t delta : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu}) {
      uint32_t bits;
      std::memcpy(&bits, &value, 4);
      bits += delta;
      std::memcpy(&value, &bits, 4);
      inputs.push_back(value);
    }
  std::vector<uint16_t> results(inputs.size());
  convertToHalf(inputs, results.data());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (std::isnan(inputs[i]))
      ASSERT_TRUE((results[i] & 0x7c00) == 0x7c00 && (results[i] & 0x3ff));
    else
      ASSERT_EQ(results[i], ::ane::hw::toHalfBits(inputs[i])) << inputs[i];
  }
}

TEST_F(ConstantViewTest, ConstantsTakeTheCheapestForm) {
  ElementsAttr splat = makeConstantAttr(f16({400}), std::vector<float>(400, 2));
  EXPECT_TRUE(isa<DenseElementsAttr>(splat) && splat.isSplat());
  EXPECT_TRUE(isa<DenseElementsAttr>(
      makeConstantAttr(f32({2}), std::vector<float>{1, 2})));
  std::vector<float> many(400);
  std::iota(many.begin(), many.end(), 0.0f);
  EXPECT_TRUE(
      isa<DenseResourceElementsAttr>(makeConstantAttr(f32({400}), many)));
}

TEST_F(ConstantViewTest, IntegersRead) {
  int8_t bytes[] = {-1, 2};
  auto at = reinterpret_cast<const char *>(bytes);
  EXPECT_EQ(ConstantView(at, RankedTensorType::get({2}, builder.getI8Type()))
                .readFloats(),
            (std::vector<float>{-1, 2}));
  EXPECT_EQ(ConstantView(at, RankedTensorType::get(
                                 {2}, builder.getIntegerType(8, false)))
                .readFloats(),
            (std::vector<float>{255, 2}));
}

} // namespace
