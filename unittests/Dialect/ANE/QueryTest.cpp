//===- QueryTest.cpp - Questions about the ops of a network ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Pipelines/Query.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

class QueryTest : public testing::Test {
protected:
  QueryTest() : context(makeRegistry()), query(&context, {}) {
    EXPECT_TRUE(succeeded(query.initialize(
        [&] { return emitError(UnknownLoc::get(&context)); })));
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  /// Answers for the ops of a network that compute, in order.
  std::vector<QueryAnswer> askOps(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    std::vector<QueryAnswer> answers;
    module->walk([&](Operation *op) {
      if (op->getParentOfType<func::FuncOp>() &&
          !op->hasTrait<OpTrait::ConstantLike>() &&
          !op->hasTrait<OpTrait::IsTerminator>())
        answers.push_back(query.ask(op));
    });
    return answers;
  }

  MLIRContext context;
  OpQuery query;
  OwningOpRef<ModuleOp> module;
};

TEST_F(QueryTest, TakesOpsOutOfTheirNetwork) {
  const char *text = R"mlir(
func.func @net(%x: tensor<1x8x16x16xf16>) -> tensor<1x8x16x16xf32> {
  %w = ane.constant dense<0.5> : tensor<8x8x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x16x16xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x16x16xf16>
  %1 = ane.elementwise add %0, %0 : tensor<1x8x16x16xf16>, tensor<1x8x16x16xf16> -> tensor<1x8x16x16xf16>
  %2 = tosa.cast %1 : (tensor<1x8x16x16xf16>) -> tensor<1x8x16x16xf32>
  %3 = tosa.exp %2 : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  return %3 : tensor<1x8x16x16xf32>
})mlir";
  std::vector<QueryAnswer> answers = askOps(text);
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_TRUE(answers[0].runs && answers[0].isDirect);
  EXPECT_EQ(answers[0].tasks, 1u);
  EXPECT_EQ(answers[0].macs, 8u * 8 * 9 * 256);
  EXPECT_GT(answers[0].seconds, answers[0].dispatchSeconds);
  EXPECT_TRUE(answers[1].runs);
  EXPECT_TRUE(answers[3].runs) << answers[3].reason;
  EXPECT_TRUE(answers[3].isDirect);
  EXPECT_EQ(answers[3].name, "tosa.exp");
  // The network is what it was.
  auto function = *module->getOps<func::FuncOp>().begin();
  EXPECT_EQ(llvm::range_size(function.getBody().front()), 6);
}

TEST_F(QueryTest, NamesTheLimit) {
  std::vector<QueryAnswer> answers = askOps(R"mlir(
func.func @net(%x: tensor<1x1x17000x4xf16>, %y: tensor<1x1x4x17000xf16>) -> tensor<1x1x17000x17000xf16> {
  %0 = ane.matmul %x, %y : tensor<1x1x17000x4xf16>, tensor<1x1x4x17000xf16> -> tensor<1x1x17000x17000xf16>
  return %0 : tensor<1x1x17000x17000xf16>
})mlir");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_FALSE(answers[0].runs);
  ASSERT_TRUE(answers[0].constraint);
  EXPECT_EQ(answers[0].constraint->name, "tensor_l2");
  EXPECT_EQ(answers[0].value, 17000u);
  EXPECT_EQ(answers[0].limit,
            ::ane::hw::info(::ane::hw::Generation::H13).maxHeight);
}

TEST_F(QueryTest, RefusesTargetsThatDoNotExist) {
  QueryOptions options;
  options.target = "h99";
  OpQuery other(&context, options);
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  EXPECT_TRUE(failed(
      other.initialize([&] { return emitError(UnknownLoc::get(&context)); })));
  EXPECT_NE(message.find("h99"), std::string::npos);
}

} // namespace
