//===- LegalizeBorder.cpp - Functions and programs ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::ane::mil;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static SmallVector<unsigned> sortByName(ValueRange values) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, values.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_pair(getValueName(values[a]), a) <
           std::make_pair(getValueName(values[b]), b);
  });
  return order;
}

unsigned mlir::ane::mil::sortBorder(FuncOp func) {
  unsigned count = 0;
  Block &body = func.getBody().front();
  Operation *terminator = body.getTerminator();
  SmallVector<Value> outputs(terminator->getOperands()), sorted;
  for (unsigned i : sortByName(outputs))
    sorted.push_back(outputs[i]);
  if (sorted != outputs) {
    terminator->setOperands(sorted);
    ++count;
  }
  SmallVector<unsigned> order = sortByName(body.getArguments());
  if (llvm::is_sorted(order))
    return count;
  SmallVector<Attribute> names;
  unsigned old = body.getNumArguments();
  for (unsigned i : order) {
    names.push_back(func.getArgNames()[i]);
    BlockArgument argument = body.getArgument(i);
    Value moved = body.addArgument(argument.getType(), argument.getLoc());
    argument.replaceAllUsesWith(moved);
  }
  body.eraseArguments(0, old);
  func.setArgNamesAttr(ArrayAttr::get(func.getContext(), names));
  return count + 1;
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static bool isTensorOfFloat32(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32();
}

// A statement that makes one type of another.
static MILOpInterface getCast(Operation *op, StringRef type) {
  auto statement = dyn_cast_or_null<MILOpInterface>(op);
  return statement && statement.getMILType() == "cast" &&
                 Statement(statement).getString("dtype", "") == type
             ? statement
             : MILOpInterface();
}

static bool isOutput(Value value) {
  return llvm::any_of(value.getUsers(),
                      [](Operation *user) { return isa<ReturnOp>(user); });
}

static Type withElement(Value value, Type element) {
  return cast<RankedTensorType>(value.getType()).clone(element);
}

static Value emitCast(OpBuilder &builder, NameTable &names, Value x,
                      StringRef base, Type element, StringRef type,
                      const Twine &suffix) {
  StatementBuilder b(builder, names, x.getLoc(), base);
  Value dtype = b.string(type, suffix + "_dtype");
  return b.emit("cast", {{"dtype", dtype}, {"x", x}}, withElement(x, element),
                suffix);
}

// What used the fp32 input gets a cast of the fp16 one; a cast to fp16 that was
// there goes. An input that is an output stays one.
static void castInput(BlockArgument input, NameTable &names) {
  SmallVector<MILOpInterface> narrow;
  SmallVector<OpOperand *> wide;
  for (OpOperand &use : input.getUses()) {
    MILOpInterface cast = getCast(use.getOwner(), "fp16");
    if (cast && !isOutput(cast->getResult(0)))
      narrow.push_back(cast);
    else if (!isa<ReturnOp>(use.getOwner()))
      wide.push_back(&use);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(input.getOwner());
  input.setType(withElement(input, builder.getF16Type()));
  if (!wide.empty()) {
    Value value = emitCast(builder, names, input, getValueName(input),
                           builder.getF32Type(), "fp32", "fp32");
    for (OpOperand *use : wide)
      use->set(value);
  }
  for (MILOpInterface cast : narrow) {
    cast->getResult(0).replaceAllUsesWith(input);
    cast->erase();
  }
}

// The fp16 value that becomes the output in place of an fp32 one, under its
// name.
static Value castOutput(Value output, NameTable &names) {
  std::string name = getValueName(output).str();
  MILOpInterface widening = getCast(output.getDefiningOp(), "fp32");
  Value source = widening ? Statement(widening).get("x") : Value();
  if (source && getStatement(source) && !isOutput(source) &&
      getElementTypeOrSelf(source.getType()).isF16() && output.hasOneUse()) {
    setValueName(output, names.makeUnique(name + "_fp32"));
    setValueName(source, name);
    return source;
  }
  setValueName(output, names.makeUnique(name + "_fp32"));
  OpBuilder builder(output.getContext());
  builder.setInsertionPoint(output.getParentBlock()->getTerminator());
  Value value = emitCast(builder, names, output, name, builder.getF16Type(),
                         "fp16", "fp16");
  setValueName(value, name);
  return value;
}

unsigned mlir::ane::mil::castBorder(FuncOp func, NameTable &names) {
  unsigned count = 0;
  Block &body = func.getBody().front();
  for (BlockArgument input : body.getArguments())
    if (isTensorOfFloat32(input)) {
      castInput(input, names);
      ++count;
    }
  llvm::DenseMap<Value, Value> done;
  for (OpOperand &operand : body.getTerminator()->getOpOperands()) {
    Value output = operand.get();
    if (!isTensorOfFloat32(output))
      continue;
    Value &narrow = done[output];
    if (!narrow)
      narrow = castOutput(output, names);
    operand.set(narrow);
    ++count;
  }
  for (auto [output, narrow] : done)
    if (output.use_empty() && getStatement(output))
      output.getDefiningOp()->erase();
  return count;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

unsigned mlir::ane::mil::prefixNames(FuncOp func, NameTable &names) {
  unsigned count = 0;
  func.walk([&](Operation *op) {
    for (Value value : op->getResults()) {
      StringRef name = getValueName(value);
      if (!isSuspiciousName(name) || isOutput(value))
        continue;
      setValueName(value, names.makeUnique("v_" + name));
      ++count;
    }
  });
  return count;
}

// What it says does not matter; these are the versions whose layout we print.
void mlir::ane::mil::addBuildInfo(ProgramOp program) {
  Builder builder(program.getContext());
  auto entry = [&](StringRef name, StringRef value) {
    return builder.getNamedAttr(name, builder.getStringAttr(value));
  };
  NamedAttrList attributes(program.getProgramAttributes());
  attributes.set("buildInfo", builder.getDictionaryAttr(
                                  {entry("coremlc-component-MIL", "3520.4.1"),
                                   entry("coremlc-version", "3520.5.1")}));
  program.setProgramAttributesAttr(
      attributes.getDictionary(program.getContext()));
}
