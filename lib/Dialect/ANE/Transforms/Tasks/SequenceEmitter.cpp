//===- SequenceEmitter.cpp - Functions as sequences of tasks --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the sequences have in common: which functions are taken, how tasks and
// views are written. Products are in SequenceEmitterMatmul.cpp, norms and
// reductions in SequenceEmitterNorm.cpp.
//
//===----------------------------------------------------------------------===//

#include "SequenceEmitterMatmul.h"
#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/Float16.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

SequenceChoices mlir::ane::getSequenceChoices() {
  SequenceChoices choices;
  choices.takes = [](func::FuncOp func, const ::ane::hw::GenerationInfo &info) {
    return SequenceEmitter(func, info).takes();
  };
  choices.formTasks = [](func::FuncOp func,
                         const ::ane::hw::GenerationInfo &info) {
    SequenceEmitter(func, info).run();
  };
  return choices;
}

SmallVector<int64_t, 4> mlir::ane::getImageShape(Type type) {
  return toRank4(cast<ShapedType>(type).getShape());
}

Operation *mlir::ane::getOnlyUser(Value value) {
  return value.hasOneUse() ? *value.user_begin() : nullptr;
}

bool mlir::ane::isReturned(Value value) {
  return isa_and_present<func::ReturnOp>(getOnlyUser(value));
}

SequenceEmitter::SequenceEmitter(func::FuncOp func,
                                 const ::ane::hw::GenerationInfo &info,
                                 SequenceForms forms)
    : TaskBuilder(func), func(func), block(func.front()), info(info),
      forms(forms) {}

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

static bool isTensorOfEngine(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isF16() && tensor.getRank() >= 2 &&
         tensor.getRank() <= 4;
}

bool SequenceEmitter::isTaken(Operation *op) const {
  return TypeSwitch<Operation *, bool>(op)
      .Case<MatmulOp, ConvOp>([&](Operation *op) {
        std::optional<Product> product = getProduct(op);
        return product && isTaken(*product);
      })
      .Case([&](PoolOp pool) { return isTaken(pool); })
      // In front of a product of one row, or behind a reduction.
      .Case([&](ReshapeOp reshape) {
        Operation *source = reshape.getInput().getDefiningOp();
        if (isa_and_present<PoolOp, ReduceOp>(source))
          return isTaken(source);
        auto conv = dyn_cast_or_null<ConvOp>(getOnlyUser(reshape.getResult()));
        return conv && conv.getInput() == reshape.getResult() &&
               getRowProduct(conv);
      })
      .Case([&](SoftmaxOp softmax) { return isTaken(softmax); })
      .Case([&](LayerNormOp norm) { return isTaken(norm); })
      .Case([&](ReduceOp reduce) { return isTaken(reduce); })
      .Case([&](ActivationOp act) {
        return act.getInput().getDefiningOp<LayerNormOp>() != nullptr;
      })
      .Default(false);
}

// Sequences of the ops here and nothing else. A value inside has one reader:
// for others, no program says in which form it is left.
bool SequenceEmitter::takes() {
  if (!func.getBody().hasOneBlock())
    return false;
  bool isSequence = false;
  DenseSet<Operation *> absorbed;
  for (Value argument : block.getArguments())
    if (!isTensorOfEngine(argument.getType()))
      return false;
  for (Operation &op : block.without_terminator()) {
    if (isa<ConstantOp>(op))
      continue;
    if (op.getNumResults() != 1 ||
        !isTensorOfEngine(op.getResult(0).getType()) ||
        !getOnlyUser(op.getResult(0)) ||
        !(absorbed.contains(&op) || isTaken(&op)))
      return false;
    if (std::optional<Product> product = getProduct(&op))
      absorbed.insert(product->absorbed.begin(), product->absorbed.end());
    isSequence |=
        isa<MatmulOp, ConvOp, SoftmaxOp, LayerNormOp, ReduceOp, PoolOp>(op);
  }
  return isSequence &&
         llvm::all_of(block.getTerminator()->getOperands(), [](Value value) {
           Operation *op = value.getDefiningOp();
           return op && !isa<ConstantOp>(op);
         });
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

bool SequenceEmitter::isInDram(Value memref) const {
  return isInSpace(memref.getType(), MemorySpace::Dram);
}

Value SequenceEmitter::constant(Location loc, Value tensor,
                                ArrayRef<int64_t> perm,
                                ArrayRef<int64_t> shape) {
  auto op = tensor.getDefiningOp<ConstantOp>();
  auto type = RankedTensorType::get(shape, tail.getF16Type());
  bool isPlain = llvm::is_sorted(perm);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
      resource && isPlain)
    return ConstantOp::create(
        tail, loc,
        DenseResourceElementsAttr::get(type, resource.getRawHandle()));
  FailureOr<ConstantView> view = ConstantView::get(tensor);
  assert(succeeded(view) && "a matrix of constants can be read");
  return createConstant(tail, loc, type, view->transpose(perm).materialize());
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

Value SequenceEmitter::copy(Location loc, Value source, Value target,
                            ActivationAttr act) {
  TaskSpec spec = {{source}, target, llvm::to_vector(shapeOf(source))};
  return bypass(loc, spec, act).result;
}

TaskSpec SequenceEmitter::exchanged(TaskSource source, Value target) {
  TaskSpec spec = {{source}, target, llvm::to_vector(shapeOf(source.value))};
  std::swap(spec.shape[1], spec.shape[3]);
  return spec;
}

Value SequenceEmitter::exchange(Location loc, Value source, Value target,
                                bool hasPlace, ActivationAttr act) {
  TaskSpec spec = exchanged(source, target);
  if (hasPlace && info.savesL2)
    spec.place = makeBuffer(loc, spec.shape);
  return bypass(loc, spec, act, /*scale=*/1, /*exchange=*/true).result;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

// After a norm of rows, which are channels there and rows here.
void SequenceEmitter::emit(ActivationOp op) {
  Held input = held.lookup(op.getInput());
  Value source = input.form == Form::Rows && !isInDram(input.memref)
                     ? swapRows(input.memref)
                     : input.memref;
  copy(op.getLoc(), source, outputOf(op.getResult()), op.getFunction());
}

//===----------------------------------------------------------------------===//
// Function
//===----------------------------------------------------------------------===//

void SequenceEmitter::bind() {
  oldArguments = block.getNumArguments();
  auto addSurface = [&](Type type, DictionaryAttr attrs) {
    argumentAttrs.push_back(attrs);
    return block.addArgument(memrefType(getImageShape(type), MemorySpace::Dram),
                             func.getLoc());
  };
  for (unsigned i = 0; i < oldArguments; ++i) {
    Value argument = block.getArgument(i);
    hold(argument, addSurface(argument.getType(), func.getArgAttrDict(i)),
         Form::Natural);
  }
  for (auto [i, value] : llvm::enumerate(block.getTerminator()->getOperands()))
    outputs[value] = addSurface(value.getType(), getOutputAttrs(func, i));
}

void SequenceEmitter::emit(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case<MatmulOp, ConvOp>([&](Operation *op) {
        Product product = *getProduct(op);
        fused.insert(product.absorbed.begin(), product.absorbed.end());
        emitProduct(product);
      })
      .Case([&](SoftmaxOp softmax) { emit(softmax); })
      .Case([&](LayerNormOp norm) { emit(norm); })
      .Case([&](ReduceOp reduce) { emit(reduce); })
      .Case([&](PoolOp pool) { emit(pool); })
      .Case([&](ActivationOp act) { emit(act); })
      .Case<ConstantOp, ReshapeOp>([](auto) {});
}

void SequenceEmitter::run() {
  for (Operation &op : block.without_terminator())
    oldOps.push_back(&op);
  bind();
  for (Operation *op : oldOps)
    if (!fused.contains(op))
      emit(op);
  keepOnlyTasks(func, oldOps, oldArguments, argumentAttrs);
}
