//===- PartitionReport.cpp - Why an op stayed on the host -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same facts for people (remarks) and for programs (JSON), and the pass.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/Constraints.h"
#include "ane/Pipelines/Partition.h"
#include "ane/Pipelines/Query.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::ane;

static StringRef toRef(absl::string_view text) {
  return {text.data(), text.size()};
}

static StringRef evidenceName(::ane::hw::Evidence evidence) {
  switch (evidence) {
  case ::ane::hw::Evidence::Seen:
    return "seen";
  case ::ane::hw::Evidence::Deduced:
    return "deduced";
  case ::ane::hw::Evidence::Guess:
    return "guess";
  }
  llvm_unreachable("all kinds are handled");
}

void mlir::ane::emitReasons(const Partition &partition) {
  for (const HostOp &op : partition.hostOps) {
    InFlightDiagnostic remark = emitRemark(op.location)
                                << "'" << op.name
                                << "' stays on the host: " << op.reason;
    if (const ::ane::hw::Constraint *row = constraintIn(op.reason))
      remark.attachNote() << toRef(row->name)
                          << " is known from: " << evidenceName(row->evidence)
                          << ", " << toRef(row->source);
  }
}

static std::string placeOf(Location location) {
  std::string text;
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    llvm::raw_string_ostream(text) << file.getFilename().getValue() << ":"
                                   << file.getLine() << ":" << file.getColumn();
  else
    llvm::raw_string_ostream(text) << location;
  return text;
}

llvm::json::Value mlir::ane::reasonsToJson(const Partition &partition) {
  llvm::json::Array host, programs;
  for (const HostOp &op : partition.hostOps) {
    llvm::json::Object entry{{"op", op.name},
                             {"location", placeOf(op.location)},
                             {"reason", op.reason},
                             {"macs", op.macs}};
    if (const ::ane::hw::Constraint *row = constraintIn(op.reason)) {
      entry["constraint"] = toRef(row->name);
      entry["evidence"] = evidenceName(row->evidence);
      entry["source"] = toRef(row->source);
      entry["way_out"] = toRef(row->wayOut);
    }
    host.push_back(std::move(entry));
  }
  for (func::FuncOp program : partition.programs) {
    func::FuncOp function = program;
    programs.push_back(llvm::json::Object{
        {"name", function.getName()},
        {"ops", static_cast<int64_t>(llvm::range_size(
                    function.getBody().front().without_terminator()))},
        {"inputs", static_cast<int64_t>(function.getNumArguments())},
        {"outputs", static_cast<int64_t>(function.getNumResults())}});
  }
  func::FuncOp function = partition.host;
  return llvm::json::Object{
      {"function", function.getName()},      {"whole", partition.isWhole()},
      {"engine_macs", partition.engineMacs}, {"host_macs", partition.hostMacs},
      {"programs", std::move(programs)},     {"host", std::move(host)}};
}

namespace {
struct PartitionPass : PassWrapper<PartitionPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PartitionPass)

  PartitionPass() = default;
  PartitionPass(const PartitionPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "ane-partition"; }
  StringRef getDescription() const override {
    return "Outline the ops that the engine can do into programs";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ANEDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  }
  void runOnOperation() override {
    PartitionOptions options;
    options.function = function;
    options.target = target;
    options.milRoot = milRoot;
    FailureOr<Partition> result = partition(getOperation(), options);
    if (failed(result))
      return signalPassFailure();
    if (why)
      emitReasons(*result);
  }

  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("The function to partition, if the "
                     "module has several")};
  Option<std::string> target{
      *this, "target", llvm::cl::desc("Generation of the engine: h13 or h14"),
      llvm::cl::init(::ane::hw::defaultTarget().name)};
  Option<std::string> milRoot{
      *this, "mil-root",
      llvm::cl::desc("The folder that @model_path of MIL names")};
  Option<bool> why{
      *this, "why",
      llvm::cl::desc("Emit a remark at each op that stays on the host"),
      llvm::cl::init(false)};
};

/// Says what the engine cannot do and leaves the network as it is.
struct WhyPass : PassWrapper<WhyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WhyPass)

  WhyPass() = default;
  WhyPass(const WhyPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "ane-why"; }
  StringRef getDescription() const override {
    return "Emit a remark at each op that the engine cannot do, with the "
           "reason";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    PartitionPass().getDependentDialects(registry);
  }
  void runOnOperation() override {
    PartitionOptions options;
    options.function = function;
    options.target = target;
    options.milRoot = milRoot;
    OwningOpRef<ModuleOp> copy = getOperation().clone();
    FailureOr<Partition> result = partition(*copy, options);
    if (failed(result))
      return signalPassFailure();
    emitReasons(*result);
  }

  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("The function to look at, if the module has several")};
  Option<std::string> target{
      *this, "target", llvm::cl::desc("Generation of the engine: h13 or h14"),
      llvm::cl::init(::ane::hw::defaultTarget().name)};
  Option<std::string> milRoot{
      *this, "mil-root",
      llvm::cl::desc("The folder that @model_path of MIL names")};
};
} // namespace

void mlir::ane::registerPartitionPass() {
  PassRegistration<PartitionPass>();
  PassRegistration<WhyPass>();
}
