//===- FuzzPlan.cpp - Any bytes as a plan of tiles ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan by hand is understood whole or refused with the place. One that is
// taken says what it is written as: the same plan is read from that.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Flavours/Flavour.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::ane;

static constexpr StringLiteral network = R"(
func.func @f(%x: tensor<1x8x64x64xf16>, %w: tensor<8x8x3x3xf16>) -> tensor<1x8x32x32xf16> {
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x64x64xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x64x64xf16>
  %1 = ane.elementwise add %0, %x : tensor<1x8x64x64xf16>, tensor<1x8x64x64xf16> -> tensor<1x8x64x64xf16>
  %2 = ane.pool max %1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x8x64x64xf16> -> tensor<1x8x32x32xf16>
  return %2 : tensor<1x8x32x32xf16>
}
)";

namespace {
/// The function that all plans are for.
struct Subject {
  Subject() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerFlavours(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<ANEDialect, func::FuncDialect>();
    module = parseSourceString<ModuleOp>(network, &context);
    if (!module)
      std::abort();
    func = *module->getOps<func::FuncOp>().begin();
    FailureOr<MemoryTarget> memory = getMemoryTarget(func, "clean");
    FailureOr<LoweringTarget> lowering = getLoweringTarget(func, "clean");
    if (failed(memory) || failed(lowering))
      std::abort();
    graph.emplace(func, *memory, *lowering->policy);
    context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
      if (diagnostic.str().empty())
        std::abort();
    });
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp func;
  std::optional<TileGraph> graph;
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Subject &subject = *new Subject;
  auto plan = readPlan(subject.func, "plan.json",
                       StringRef(reinterpret_cast<const char *>(data), size),
                       *subject.graph);
  if (failed(plan) || !*plan)
    return 0;
  std::string once = writePlan("f", *subject.graph, **plan);
  auto again = readPlan(subject.func, "once.json", once, *subject.graph);
  if (failed(again) || !*again ||
      writePlan("f", *subject.graph, **again) != once) {
    llvm::errs() << "not read as it was written:\n" << once << '\n';
    std::abort();
  }
  return 0;
}
