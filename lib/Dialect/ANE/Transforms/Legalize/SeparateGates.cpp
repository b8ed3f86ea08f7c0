//===- SeparateGates.cpp - Functions as products --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of x g(x) is off by some thousandths near zero, whatever x is: layers
// of small values lose them, and each layer adds to it. A table of g(x) and a
// product are off by a thousandth of the value (FunctionForms.h has all forms
// and their errors).
//
// Of a convolution, g is the table of another convolution where that takes no
// longer than a pass over its result: with few input channels, products are
// faster than elements come and go. What bounds the passes of elements bounds
// convolutions as well, so that it is never slower, whatever the real rates
// are.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Numerics/FunctionForms.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/HW/Chip.h"
#include "ane/Simulator/CostModel.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANESEPARATEGATES
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;

/// Whether the convolution takes less time once more than a table does of its
/// result.
static bool isFasterThanTable(ConvOp conv, const hw::GenerationInfo &info) {
  if (!isImage(conv.getResult()) || conv.getGroups() != 1 ||
      !conv.getWeight().getDefiningOp<ConstantOp>() || conv.getScale())
    return false;
  const hw::ChipInfo &chip = hw::chipOf(info.id);
  ArrayRef<int64_t> weight = shapeOf(conv.getWeight());
  ArrayRef<int64_t> result = shapeOf(conv.getResult());
  sim::LayerShape layer;
  layer.cin = weight[1];
  layer.cout = weight[0];
  layer.kh = weight[2];
  layer.kw = weight[3];
  layer.height = result[2];
  layer.width = result[3];
  // What comes from DRAM comes once more.
  bool reads = !conv.getInput().getDefiningOp();
  sim::TaskWork table;
  table.elements = ShapedType::getNumElements(result.drop_front());
  table.weightBytes = 128;
  return sim::predict(chip, sim::workOf(chip, layer, reads, /*writes=*/false))
             .total < sim::predict(chip, table).total;
}

namespace {

/// Takes one function apart.
class Separator {
public:
  Separator(Operation *op, const hw::GenerationInfo &info)
      : op(op), info(info), builder(op), loc(op->getLoc()) {
    builder.setInsertionPointAfter(op);
    isAlone = isa<ActivationOp>(op);
    x = isAlone ? op->getOperand(0) : op->getResult(0);
  }

  void separate(FormKind form, ActivationAttr function) {
    if (!isAlone)
      op->removeAttr("activation");
    Value result = form == FormKind::Gate ? gated(*getGate(function))
                                          : oddlyGated(*getOddGate(function));
    op->getResult(0).replaceAllUsesExcept(result, own);
    if (isAlone)
      op->erase();
  }

private:
  Value gated(const GateFunction &gate) {
    if (gate.low)
      x = withNumber(ElementwiseKind::Max, x, *gate.low);
    Value argument = x;
    if (gate.inner)
      argument = table(x, *gate.inner, 0, 0, 1);
    Value g = table(argument, gate.kind, gate.alpha, gate.beta, gate.factor);
    return add(binary(builder, loc, ElementwiseKind::Mul, x, g));
  }

  Value oddlyGated(const OddGateFunction &gate) {
    Value h = table(x, gate.kind, gate.alpha, gate.beta, gate.factor);
    if (!gate.isMultiplied) {
      Value result = withNumber(ElementwiseKind::Mul, h, 0.5);
      result.getDefiningOp<ElementwiseOp>().setBias(llvm::APFloat(0.5f));
      return result;
    }
    Value product = add(binary(builder, loc, ElementwiseKind::Mul, x, h));
    Value sum = add(binary(builder, loc, ElementwiseKind::Add, product, x));
    sum.getDefiningOp<ElementwiseOp>().setScale(llvm::APFloat(0.5f));
    return sum;
  }

  Value table(Value argument, ActivationKind kind, double alpha, double beta,
              double factor) {
    auto function =
        ActivationAttr::get(builder.getContext(), kind, alpha, beta);
    auto conv = dyn_cast<ConvOp>(op);
    if (conv && argument == x && factor == 1 && isFasterThanTable(conv, info)) {
      auto again = cast<ConvOp>(builder.clone(*conv));
      again.setActivationAttr(function);
      return again.getResult();
    }
    if (factor != 1)
      argument = withNumber(ElementwiseKind::Mul, argument, factor);
    return add(ActivationOp::create(builder, loc, argument.getType(), argument,
                                    function));
  }

  Value withNumber(ElementwiseKind kind, Value value, double number) {
    SmallVector<int64_t> ones(typeOf(value).getRank(), 1);
    return add(binary(builder, loc, kind, value,
                      unroundedConstant(builder, loc, ones, float(number))));
  }

  Value add(Value value) {
    own.insert(value.getDefiningOp());
    return value;
  }

  Operation *op;
  const hw::GenerationInfo &info;
  OpBuilder builder;
  Location loc;
  bool isAlone;
  Value x;
  SmallPtrSet<Operation *, 8> own; ///< which take the argument
};

struct SeparateGates
    : DecomposePass<SeparateGates,
                    mlir::ane::impl::ANESeparateGatesBase<SeparateGates>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    if (!options.policy.planar.separatesGates)
      return success();
    struct Function {
      Operation *op;
      ActivationAttr function;
      FormKind form;
    };
    SmallVector<Function> found;
    AccuracyGoal goal = getAccuracyGoal(getOperation());
    WalkResult walked = getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() != 1)
        return WalkResult::advance();
      auto function = op->getAttrOfType<ActivationAttr>(
          isa<ActivationOp>(op) ? "function" : "activation");
      if (!function || !typeOf(op->getResult(0)).getElementType().isF16()) {
        op->removeAttr(kFormAttrName);
        return WalkResult::advance();
      }
      FailureOr<const FunctionForm *> given = getGivenForm(op, function);
      if (failed(given))
        return WalkResult::interrupt();
      op->removeAttr(kFormAttrName);
      const FunctionForm *form = *given;
      // What nobody chose a form for was no function of the network's.
      if (!form)
        form = chooseForm(function, getFormUse(op, function, nullptr), goal);
      if (form && form->kind != FormKind::Table)
        found.push_back({op, function, form->kind});
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    rewritten += found.size();
    for (const Function &each : found)
      Separator(each.op, options.generation).separate(each.form, each.function);
    return success();
  }
};

} // namespace
