//===- TileCutTest.cpp - How the planner cuts ops --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomOps.h"
#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TileGraph.h"
#include "ane/HW/Float16.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

class TileCutTest : public RandomOpTest {
protected:
  CutMap cutOf(Value result, unsigned dim) {
    finish(result);
    return getCut(op, 0, dim);
  }
  static CutMap along(uint8_t dim, int32_t unit, int32_t stride, int32_t span,
                      int32_t before) {
    return {CutMap::Along, dim, unit, stride, span, before};
  }
};

// Also in blocks of more than a few: a strip may begin within one.
TEST_F(TileCutTest, ReshapeThatSplits) {
  start();
  Value input = argument({1, 4, 32, 8});
  EXPECT_EQ(
      cutOf(ReshapeOp::create(builder, loc, tensor({1, 64, 1, 16}), input), 1),
      along(1, 16, 1, 1, 0));
}

TEST_F(TileCutTest, ReshapeThatMerges) {
  start();
  Value input = argument({1, 64, 1, 16});
  EXPECT_EQ(
      cutOf(ReshapeOp::create(builder, loc, tensor({1, 4, 32, 8}), input), 1),
      along(1, 1, 16, 16, 0));
}

TEST_F(TileCutTest, Windows) {
  start();
  Value input = argument({1, 2, 20, 20});
  Value pool =
      PoolOp::create(builder, loc, PoolKindAttr::get(&context, PoolKind::Max),
                     input, builder.getDenseI64ArrayAttr({3, 3}),
                     builder.getDenseI64ArrayAttr({2, 2}),
                     builder.getDenseI64ArrayAttr({1, 0, 1, 0}), UnitAttr());
  EXPECT_EQ(cutOf(pool, 2), along(2, 1, 2, 3, 1));
}

// A strip would have to begin where a group does, and the planner does not see
// to that for large ones.
TEST_F(TileCutTest, LargeGroupsAreNotCut) {
  start();
  Value input = argument({1, 4, 3, 3}), weight = argument({32, 2, 1, 1});
  Value conv = ConvOp::create(builder, loc, input, weight, Value(), Value(),
                              builder.getDenseI64ArrayAttr({1, 1}),
                              builder.getDenseI64ArrayAttr({0, 0, 0, 0}),
                              builder.getDenseI64ArrayAttr({1, 1}),
                              builder.getI64IntegerAttr(2), ActivationAttr());
  EXPECT_EQ(cutOf(conv, 1).kind, CutMap::Impossible);
}

// All that a range of output channels needs is in the band, which is no wider
// than the widest of a block.
TEST_F(TileCutTest, BandsOfWeights) {
  for (int trial = 0; trial < 100; ++trial) {
    start();
    int64_t inputs = pick(2, 8), unit = pick(1, 4), reach = pick(0, 2);
    int64_t outputs = inputs * unit;
    std::vector<uint16_t> weights;
    for (int64_t o = 0; o < outputs; ++o)
      for (int64_t i = 0; i < inputs; ++i)
        weights.push_back(i == o / unit ||
                                  (std::abs(o / unit - i) <= reach && flip())
                              ? ::ane::hw::toHalfBits(1)
                              : 0);
    auto type = tensor({outputs, inputs, 1, 1});
    Value weight = ConstantOp::create(
        builder, loc,
        cast<ElementsAttr>(DenseElementsAttr::getFromRawBuffer(
            type, ArrayRef(reinterpret_cast<const char *>(weights.data()),
                           weights.size() * sizeof(uint16_t)))));
    Value input = argument({1, inputs, 2, 2});
    auto conv = ConvOp::create(builder, loc, input, weight, Value(), Value(),
                               builder.getDenseI64ArrayAttr({1, 1}),
                               builder.getDenseI64ArrayAttr({0, 0, 0, 0}),
                               builder.getDenseI64ArrayAttr({1, 1}),
                               builder.getI64IntegerAttr(1), ActivationAttr());
    finish(conv);
    DimMap map = getBandMap(conv);
    EXPECT_LE(map.kernel, 2 * reach + 1);
    for (int64_t first = 0; first < outputs; ++first)
      for (int64_t size = 1; first + size <= outputs; ++size)
        for (int64_t o = first; o < first + size; ++o)
          for (int64_t i = 0; i < inputs; ++i) {
            if (!weights[o * inputs + i])
              continue;
            auto part = map.getPart(first, size, inputs);
            ASSERT_TRUE(part);
            EXPECT_GE(i, part->offset);
            EXPECT_LT(i, part->offset + part->size);
          }
  }
}

} // namespace
