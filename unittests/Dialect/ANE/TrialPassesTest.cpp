//===- TrialPassesTest.cpp - What is tried is what is run -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trials.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Pipelines/Pipelines.h"

#include "mlir/Pass/Pass.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

std::string print(OpPassManager &pm) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(pm, os,
                        [&](Pass &pass) { pass.printAsTextualPipeline(os); });
  return text;
}

std::string printPipeline(StringRef options) {
  MLIRContext context;
  OpPassManager pm(ModuleOp::getOperationName());
  PipelineOptions parsed;
  EXPECT_TRUE(succeeded(parsed.parseFromString(options)));
  EXPECT_TRUE(succeeded(buildPipeline(
      pm, parsed, [&] { return emitError(UnknownLoc::get(&context)); })));
  return print(pm);
}

class TrialPasses : public testing::TestWithParam<const char *> {};

// From legalize to memory, the pipeline goes on as a trial does, but for the
// choice of sequences, which a trial has made.
TEST_P(TrialPasses, AreThoseOfThePipeline) {
  LoweringOptions options;
  options.flavour = GetParam();
  OpPassManager pm(ModuleOp::getOperationName());
  addTrialPasses(pm, options);
  std::string tried = print(pm);

  std::string arguments =
      std::string("keep-constants=true flavour=") + GetParam();
  std::string before = printPipeline(arguments + " stop-after=simplify");
  std::string whole = printPipeline(arguments + " stop-after=memory");
  ASSERT_TRUE(StringRef(whole).starts_with(before + ", "));
  std::string run = whole.substr(before.size() + 2);
  size_t at = run.find("ane-choose-form{");
  ASSERT_NE(at, std::string::npos) << run;
  run.erase(at, run.find("}, ", at) + 3 - at);
  // It changes numbers of weights, and no task or time.
  const std::string numbers = "func.func(ane-fit-sums), ";
  at = run.find(numbers);
  ASSERT_NE(at, std::string::npos) << run;
  run.erase(at, numbers.size());
  EXPECT_EQ(tried, run);
}

INSTANTIATE_TEST_SUITE_P(Flavours, TrialPasses,
                         testing::Values("clean", "zin-9.509"));

} // namespace
