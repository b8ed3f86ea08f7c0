//===- HWXToANE.cpp - Register programs back to tensor ops ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data flow of a program says which elements each task reads
// (Simulator/DataFlow.h); here it becomes ops.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/HWXToANE/HWXToANE.h"

#include "Lift.h"

#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"
#include "ane/Dialect/HWX/IR/Convert.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANELIFT
#include "ane/Conversion/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;

Type mlir::ane::elementTypeOf(Builder &builder, hw::ElementType type) {
  if (type == hw::ElementType::Float16)
    return builder.getF16Type();
  return IntegerType::get(builder.getContext(), 8,
                          type == hw::ElementType::Int8
                              ? IntegerType::Signless
                              : IntegerType::Unsigned);
}

static RankedTensorType typeOf(Builder &builder, const hw::Tensor &tensor) {
  std::vector<uint64_t> dense = tensor.denseShape();
  SmallVector<int64_t> shape(dense.begin(), dense.end());
  return RankedTensorType::get(shape, elementTypeOf(builder, tensor.type));
}

static Value constantOf(OpBuilder &builder, Location loc,
                        const sim::FlowValue &value) {
  AsmResourceBlob blob = allocateConstant(value.bytes.size());
  llvm::copy(value.bytes, getMutable<uint8_t>(blob).begin());
  return createConstant(
      builder, loc,
      RankedTensorType::get(value.shape, elementTypeOf(builder, value.type)),
      std::move(blob));
}

static func::FuncOp createFunction(OpBuilder &builder, hwx::ProgramOp op,
                                   const hw::Program &program) {
  SmallVector<Type> inputs, outputs;
  SmallVector<StringRef> names, resultNames;
  SmallVector<unsigned> lows;
  for (const hw::Tensor &tensor : program.tensors) {
    bool isInput = tensor.kind == hw::TensorKind::Input;
    if (tensor.isLow)
      lows.push_back(inputs.size());
    (isInput ? inputs : outputs).push_back(typeOf(builder, tensor));
    (isInput ? names : resultNames).push_back(tensor.name);
  }
  auto function =
      func::FuncOp::create(builder, op.getLoc(), op.getSymName(),
                           builder.getFunctionType(inputs, outputs));
  auto attribute = ANEDialect::getNameAttrName();
  for (auto [i, name] : llvm::enumerate(names))
    function.setArgAttr(i, attribute, builder.getStringAttr(name));
  for (unsigned low : lows)
    function.setArgAttr(low, kLowAttrName, builder.getUnitAttr());
  for (auto [i, name] : llvm::enumerate(resultNames))
    function.setResultAttr(i, attribute, builder.getStringAttr(name));
  function.addEntryBlock();
  return function;
}

FailureOr<func::FuncOp> mlir::ane::liftProgram(hwx::ProgramOp op) {
  auto program = hwx::exportProgram(op);
  if (failed(program))
    return failure();
  auto flow = sim::traceDataFlow(*program);
  if (!flow.ok()) {
    op.emitError() << "cannot be lifted: "
                   << std::string(flow.status().message());
    return failure();
  }
  OpBuilder builder(op);
  func::FuncOp function = createFunction(builder, op, *program);
  builder.setInsertionPointToStart(&function.front());
  SmallVector<Value> values(flow->values.size());
  unsigned argument = 0;
  for (auto [value, of] : llvm::zip(values, flow->values))
    if (of.kind == sim::FlowValue::Kind::Input)
      value = function.getArgument(argument++);
    else if (of.kind == sim::FlowValue::Kind::Constant)
      value = constantOf(builder, op.getLoc(), of);
  SmallVector<Location> locations;
  op.walk([&](hwx::TaskOp task) { locations.push_back(task.getLoc()); });
  auto refuse = [&](Location loc, const Twine &what,
                    const absl::Status &status) {
    mlir::emitError(loc) << "cannot be lifted: " << what
                         << std::string(status.message());
    function.erase();
    return failure();
  };
  for (const sim::FlowTask &task : flow->tasks) {
    Location loc =
        task.index < locations.size() ? locations[task.index] : op.getLoc();
    absl::Status status;
    values[task.result] = liftTask(builder, loc, task, values, status);
    if (!values[task.result])
      return refuse(loc, "task " + Twine(task.index) + ": ", status);
  }
  SmallVector<Value> results;
  for (const sim::Gather &output : flow->outputs) {
    absl::Status status;
    results.push_back(
        buildGather(builder, op.getLoc(), output, values, status));
    if (!results.back())
      return refuse(op.getLoc(), "an output: ", status);
  }
  func::ReturnOp::create(builder, op.getLoc(), results);
  return function;
}

namespace {
struct Lift : public mlir::ane::impl::ANELiftBase<Lift> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto program :
         llvm::make_early_inc_range(module.getOps<hwx::ProgramOp>())) {
      auto generation =
          hw::parseTarget(target.empty() ? std::string(program.getTarget())
                                         : target.getValue());
      if (!generation.ok()) {
        program.emitError() << "cannot be lifted: "
                            << std::string(generation.status().message());
        return signalPassFailure();
      }
      if (failed(liftProgram(program)))
        return signalPassFailure();
      setTarget(module, hw::info(*generation));
      program.erase();
      ++programs;
    }
  }
};
} // namespace
