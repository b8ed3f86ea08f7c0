//===- ExpandAttentionTest.cpp - Attention as products and softmax --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The products and the softmax compute what the definition of the op does.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/ExpandAttention.h"

#include "RandomOps.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

using ExpandAttentionTest = RandomOpTest;

TEST_F(ExpandAttentionTest, ComputesTheSame) {
  for (int trial = 0; trial < 200; ++trial) {
    start();
    finish(makeAttention());
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    SCOPED_TRACE(text);
    std::vector<Array> arguments = pickArguments(/*isZeroFirst=*/false);
    Array before = evaluateOn(arguments);
    expandAttention(function);
    ASSERT_TRUE(succeeded(verify(*module)));
    function.walk([](AttentionOp) { ADD_FAILURE() << "is still there"; });
    Array after = evaluateOn(arguments);
    ASSERT_EQ(after.shape, before.shape);
    for (size_t i = 0; i < after.data.size(); ++i)
      ASSERT_NEAR(after.data[i], before.data[i], 1e-3);
  }
}

} // namespace
