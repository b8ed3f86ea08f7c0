//===- RegroupTest.cpp - The same op with other dimensions ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Regroup.h"

#include "RandomOps.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

class RegroupTest : public RandomOpTest {
protected:
  Value makeAny() {
    switch (pick(0, 8)) {
    case 0:
      return makeElementwise();
    case 1:
      return makeCompare();
    case 2:
      return makeSoftmax();
    case 3:
      return makeNorm();
    case 4:
      return makeReduce();
    case 5:
      return makeConcat();
    case 6:
      return makeSlice();
    case 7:
      return makePad();
    default:
      return makeTile();
    }
  }

  /// What `make` makes of an op computes what the op does.
  void check(llvm::function_ref<Value()> make) {
    for (int trial = 0; trial < 200; ++trial) {
      start();
      finish(makeAny());
      std::string text;
      llvm::raw_string_ostream(text) << *op;
      SCOPED_TRACE(text);
      std::vector<Array> arguments = pickArguments(/*isZeroFirst=*/false);
      Array before = evaluateOn(arguments);
      Operation *old = function.front().getTerminator();
      builder.setInsertionPoint(old);
      Value result = make();
      if (!result)
        continue;
      old->setOperand(0, result);
      ASSERT_TRUE(succeeded(verify(*module)));
      Array after = evaluateOn(arguments);
      ASSERT_EQ(after.shape, before.shape);
      for (size_t i = 0; i < after.data.size(); ++i)
        EXPECT_NEAR(after.data[i], before.data[i], 1e-3);
      ++count;
      if (HasFailure())
        return;
    }
    EXPECT_GT(count, 50);
  }

  int count = 0;
};

TEST_F(RegroupTest, OnesInFront) {
  check([&] {
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    Value image =
        createRegrouped(builder, op, DimGroups::lastFour(shape.size()));
    return reshaped(builder, loc, image, shape);
  });
}

TEST_F(RegroupTest, AnotherOrder) {
  check([&] {
    // Gamma and beta have the axes in their order.
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    if (isa<LayerNormOp, RmsNormOp>(op))
      return Value();
    DimGroups groups{pickPerm(shape.size()), int64_t(shape.size())};
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(permuted(builder, loc, operand, inverse(groups.to)));
    return permuted(builder, loc,
                    createRegrouped(builder, op, operands, groups), groups.to);
  });
}

TEST_F(RegroupTest, WithoutALeadingOne) {
  check([&] {
    // The same op with a one in front, which then goes.
    int64_t rank = shapeOf(op->getResult(0)).size();
    DimGroups front, back;
    front.rank = rank + 1;
    back.rank = rank;
    back.to.push_back(-1);
    for (int64_t dim = 0; dim < rank; ++dim) {
      front.to.push_back(dim + 1);
      back.to.push_back(dim);
    }
    Value image = createRegrouped(builder, op, front);
    return createRegrouped(builder, image.getDefiningOp(), back);
  });
}

} // namespace
