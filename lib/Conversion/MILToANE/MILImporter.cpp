//===- MILImporter.cpp - One MIL function into the ane dialect ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk over the statements. Each handler's results are compared with what
// the text declares: where the two disagree about a shape, one of them has
// misunderstood the operation.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"
#include "ane/Dialect/ANE/Utils/Search.h"
#include "ane/Dialect/MIL/Utils/Statement.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;

void MILImporter::add(StringRef name,
                      std::function<Value(Statement &)> handler) {
  handlers[name] = [handler = std::move(handler)](Statement &statement) {
    return SmallVector<Value>{handler(statement)};
  };
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TypedAttr MILImporter::constant(Value source) {
  if (auto op = source.getDefiningOp<mil::ConstOp>())
    return op.getValueAttr();
  if (TypedAttr known = computed.lookup(source))
    return known;
  // Parameters that the program computes are small.
  Value imported = values.lookup(source);
  auto numbers =
      imported ? evaluateConstant(imported, /*maxElements=*/64) : std::nullopt;
  if (!numbers)
    return {};
  return DenseElementsAttr::get(
      RankedTensorType::get(numbers->shape, builder.getF32Type()),
      ArrayRef<float>(numbers->data));
}

/// `attr` as the value of an ane.constant: floats, and bools as 1 and 0.
static ElementsAttr dataOf(TypedAttr attr) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attr)) {
    if (!number.getType().isF16() && !number.getType().isF32())
      return {};
    return DenseElementsAttr::get(RankedTensorType::get({}, number.getType()),
                                  Attribute(number));
  }
  auto type = attr ? getElementTypeOrSelf(attr.getType()) : Type();
  if (type && type.isInteger(1)) {
    SmallVector<int64_t> values = *getIntegers(attr);
    auto tensor = dyn_cast<RankedTensorType>(attr.getType());
    return DenseElementsAttr::get(
        RankedTensorType::get(tensor ? tensor.getShape() : ArrayRef<int64_t>(),
                              Float32Type::get(attr.getContext())),
        ArrayRef<float>(SmallVector<float>(values.begin(), values.end())));
  }
  auto elements = dyn_cast_or_null<ElementsAttr>(attr);
  if (!elements || (!type.isF16() && !type.isF32()))
    return {};
  return elements;
}

// Constants are imported where they are first needed: most are parameters of a
// statement and vanish.
Value MILImporter::lookup(Value source) {
  if (Value imported = values.lookup(source))
    return imported;
  if (integersAreData)
    if (Value numbers = integersAsData(source))
      return numbers;
  if (Value passed = fromHost(source))
    return passed;
  ElementsAttr data = dataOf(constant(source));
  if (!data || !data.getShapedType().hasStaticShape())
    return {};
  Value imported = ConstantOp::create(builder, source.getLoc(), data);
  // What is made for integers is erased again.
  if (!integersAreData)
    values[source] = imported;
  return imported;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Other types than tensors pass.
static LogicalResult checkExtents(Location loc, Type type, const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  for (int64_t size : tensor.getShape())
    if (!ShapedType::isDynamic(size) && (size < 1 || size > maxMILExtent))
      return emitError(loc)
             << what << " has the type " << type
             << ", but each dimension must be in [1, " << maxMILExtent << "]";
  return success();
}

/// The type of an argument or result of the function that is made. Only what
/// is computed is known to be a whole number that f16 has.
FailureOr<RankedTensorType> MILImporter::borderType(Location loc, Type type,
                                                    const Twine &what,
                                                    bool isResult) {
  // The engine keeps nothing from one run to the next.
  if (auto state = dyn_cast<mil::StateType>(type))
    type = state.getWrapped();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && !tensor.hasStaticShape())
    return emitError(loc) << what << " has the dynamic type " << type
                          << ", but a program for the engine has fixed shapes; "
                             "give every dimension a size (--shape of "
                             "ane-compile, --ane-set-shapes of ane-opt)";
  if (failed(checkExtents(loc, type, what)))
    return failure();
  Type element = getElementTypeOrSelf(type);
  // A byte that is 1 or 0.
  if (element.isInteger(1))
    element = builder.getIntegerType(8, /*isSigned=*/false);
  bool isBytes = element.isUnsignedInteger(8) || element.isSignlessInteger(8);
  if (!element.isF16() && !element.isF32() && !isBytes &&
      !(isResult && isWideInteger(element))) {
    InFlightDiagnostic error =
        emitError(loc) << what << " has the type " << type
                       << ", but only fp16, fp32, int8, uint8 and bool can "
                          "enter and leave the engine; compute anything else "
                          "outside of the network";
    // Whether it can, the statements say that take it.
    if (!isResult && isWideInteger(element))
      error << " (--host=FILE of ane-compile), or give it a value (--bind)";
    return error;
  }
  return RankedTensorType::get(tensor ? tensor.getShape() : ArrayRef<int64_t>(),
                               element);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult MILImporter::checkShape(Statement &s, Value result,
                                      ArrayRef<int64_t> shape) {
  unsigned index = cast<OpResult>(result).getResultNumber();
  auto declared = dyn_cast<RankedTensorType>(result.getType());
  if (s.isDeclared(shape, index)) {
    if (declared && !declared.hasStaticShape())
      result.setType(declared.clone(shape));
    return success();
  }
  InFlightDiagnostic diagnostic = s.error();
  auto print = [&](ArrayRef<int64_t> sizes) {
    diagnostic << "[";
    llvm::interleaveComma(sizes, diagnostic, [&](int64_t size) {
      ShapedType::isDynamic(size) ? diagnostic << "?" : diagnostic << size;
    });
    diagnostic << "]";
  };
  diagnostic << "is declared with the shape ";
  print(s.resultShape(index));
  diagnostic << ", but its arguments give ";
  print(shape);
  return diagnostic;
}

LogicalResult MILImporter::checkResults(Statement &statement,
                                        ArrayRef<Value> results) {
  if (results.size() != statement.getNumResults()) {
    statement.error() << "has " << results.size() << " results, but the text "
                      << "declares " << statement.getNumResults();
    return failure();
  }
  for (auto [index, value] : llvm::enumerate(results))
    if (value && failed(checkShape(statement, statement.getResult(index),
                                   shapeOf(value))))
      return failure();
  return success();
}

// Compressed weights are taken apart here: the engine's own compressed forms
// are not those of MIL.
LogicalResult MILImporter::importConstexpr(mil::MILOpInterface op) {
  for (OpResult result : op->getResults()) {
    // Steps on the way to a weight.
    if (llvm::all_of(result.getUsers(), mil::isConstexpr))
      continue;
    auto data = evaluator.evaluate(result);
    if (failed(data))
      return failure();
    computed[result] = DenseResourceElementsAttr::get(
        data->type, "mil", mil::makeResourceBlob(*data));
  }
  return success();
}

// The label is a string, and the other result a dictionary of them: what can be
// returned are the probabilities, in the order of the labels.
LogicalResult MILImporter::importClassify(mil::MILOpInterface op) {
  Statement statement(*this, op);
  Value probabilities = statement.value("probabilities");
  if (statement.failed() || !statement.tensor("probabilities"))
    return failure();
  if (op->getNumResults() != 2) {
    statement.error() << "has " << op->getNumResults()
                      << " results, but must have a label and probabilities";
    return failure();
  }
  labels[op->getResult(0)] = Value();
  labels[op->getResult(1)] = probabilities;
  emitRemark(op->getLoc())
      << "'classify' leaves the labels to the caller: '"
      << mil::getValueName(op->getResult(1))
      << "' has the probabilities, in the order of the classes";
  return success();
}

// A state is the input of that name and what is written to it last, an output.
LogicalResult MILImporter::importStateAccess(mil::MILOpInterface op) {
  Statement statement(*this, op);
  auto argument = [&](StringRef name) {
    for (const mil::NamedArgument &candidate : op.getMILArguments())
      if (candidate.name == name && candidate.values.size() == 1)
        return candidate.values.front();
    return Value();
  };
  auto *state = states.find(argument("input"));
  if (state == states.end()) {
    statement.error() << "has no state as its argument 'input'";
    return failure();
  }
  if (op->getNumResults() == 0) {
    Value data = statement.tensor("data");
    if (data && shapeOf(data) != shapeOf(state->second))
      statement.error() << "writes " << data.getType() << " to a state of "
                        << state->second.getType();
    if (statement.failed())
      return failure();
    state->second = data;
    writtenStates.insert(state->first);
    return success();
  }
  if (failed(checkResults(statement, state->second)))
    return failure();
  values[op->getResult(0)] = state->second;
  return success();
}

LogicalResult MILImporter::importStatement(mil::MILOpInterface op) {
  for (Type type : op->getResultTypes())
    if (failed(checkExtents(op->getLoc(), type,
                            "result of '" + op.getMILType() + "'")))
      return failure();
  if (mil::isConstexpr(op))
    return importConstexpr(op);
  if (op.getMILType() == "classify")
    return importClassify(op);
  if (op.getMILType() == "read_state" || op.getMILType() == "write_state")
    return importStateAccess(op);
  if (op->getNumResults() == 0) {
    Statement(*this, op).error() << "has no results, and only what writes a "
                                    "state has none";
    return failure();
  }
  return importForEither(op);
}

/// What to do without an operation that no part of the network can be. Null for
/// any other.
static const char *wayAround(StringRef name) {
  if (name.starts_with("random_"))
    return "neither the engine nor the host makes random numbers here; make "
           "them outside of the network, as an input";
  if (name.starts_with("list_") || name == "make_list")
    return "there are no lists; use a tensor with a dimension for its elements "
           "(stack, gather, slice_update), and unroll the loop that fills it";
  if (name == "cond" || name == "while_loop")
    return "the engine has no control flow; choose by 'select', or unroll the "
           "loop before the network is converted";
  if (name == "non_maximum_suppression")
    return "the engine has no choice by data; return boxes and scores, and "
           "suppress outside of the network";
  return nullptr;
}

LogicalResult MILImporter::importForEngine(mil::MILOpInterface op) {
  if (op.getMILType() == "shape" ||
      (isOfIntegers(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
         return isKnown(operand);
       })))
    return computeIntegers(op);
  Statement statement(*this, op);
  auto handler = handlers.find(op.getMILType());
  if (handler == handlers.end()) {
    if (const char *way = wayAround(op.getMILType())) {
      statement.error() << "cannot be imported: " << way;
      return failure();
    }
    statement.error() << "cannot be imported: the ane dialect has no op for "
                         "it; rewrite it with other operations or run this "
                         "part of the network on the host";
    return failure();
  }
  SmallVector<Value> results = handler->second(statement);
  if (statement.failed() || failed(checkResults(statement, results)))
    return failure();
  for (auto [from, to] : llvm::zip_equal(op->getResults(), results))
    if (to)
      values[from] = to;
  return success();
}

/// The statements that a result depends on, or that change a state.
static llvm::DenseSet<Operation *> findLive(Block &body) {
  llvm::DenseSet<Operation *> live;
  for (Operation &op : llvm::reverse(body))
    if (op.getNumResults() == 0 ||
        llvm::any_of(op.getUsers(), [&](Operation *user) {
          return live.contains(body.findAncestorOpInBlock(*user));
        }))
      live.insert(&op);
  return live;
}

LogicalResult MILImporter::importOp(Operation *op) {
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return importLoop(loop);
  if (auto statement = dyn_cast<mil::MILOpInterface>(op))
    return importStatement(statement);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

// A program has no loops: each trip becomes statements of its own in front of
// the loop, which are imported as they are made, so that the condition of the
// next one is known.

/// The results of `block` with `arguments`: its statements once more, before
/// `loop`.
FailureOr<SmallVector<Value>>
MILImporter::importTrip(Block &block, ValueRange arguments, Operation *loop) {
  constexpr int64_t maxStatements = int64_t(1) << 18;
  IRMapping map;
  map.map(block.getArguments(), arguments);
  llvm::DenseSet<Operation *> live = findLive(block);
  OpBuilder cloner(loop);
  for (Operation &op : block.without_terminator()) {
    if (!live.contains(&op))
      continue;
    if (++unrolled > maxStatements)
      return emitError(loop->getLoc())
             << "'while_loop' cannot be imported: it is unrolled, and makes "
                "more than "
             << maxStatements
             << " statements; let it run less often, or run it on the host";
    if (failed(importOp(cloner.clone(op, map))))
      return failure();
  }
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return map.lookupOrDefault(value); });
}

/// Constants of the blocks of `loop` in front of it: all trips share them.
static void hoistConstants(scf::WhileOp loop) {
  auto isOutside = [&](Value value) {
    return !loop->isAncestor(value.getParentRegion()->getParentOp());
  };
  for (Region *region : {&loop.getBefore(), &loop.getAfter()})
    for (Operation &op : llvm::make_early_inc_range(region->front())) {
      auto statement = dyn_cast<mil::MILOpInterface>(op);
      if (isa<mil::ConstOp>(op) || (statement && mil::isConstexpr(statement) &&
                                    llvm::all_of(op.getOperands(), isOutside)))
        op.moveBefore(loop);
    }
}

LogicalResult MILImporter::importLoop(scf::WhileOp loop) {
  constexpr int64_t maxTrips = 4096;
  hoistConstants(loop);
  SmallVector<Value> carried(loop.getInits());
  for (int64_t trip = 0;; ++trip) {
    auto before = importTrip(*loop.getBeforeBody(), carried, loop);
    if (failed(before))
      return failure();
    Value condition = before->front();
    if (auto extract = condition.getDefiningOp<tensor::ExtractOp>())
      condition = extract.getTensor();
    auto known = getIntegers(constant(condition));
    if (!known || known->size() != 1)
      return emitError(loop.getLoc())
             << "'while_loop' cannot be imported: the engine has no control "
                "flow, and whether trip "
             << trip
             << " of the loop is made is not known at compile time; let it "
                "count to a constant, or run it on the host";
    carried.assign(before->begin() + 1, before->end());
    if (!known->front())
      break;
    if (trip == maxTrips)
      return emitError(loop.getLoc())
             << "'while_loop' cannot be imported: it is unrolled, and runs "
                "more than "
             << maxTrips
             << " times; split its range, and pass the last values of one part "
                "to the next";
    auto after = importTrip(*loop.getAfterBody(), carried, loop);
    if (failed(after))
      return failure();
    carried = std::move(*after);
  }
  loop->replaceAllUsesWith(carried);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// What leaves the function for `source`, which `end` returns.
FailureOr<Value> MILImporter::importResult(mil::ReturnOp end, unsigned index,
                                           Value source) {
  std::string what = "result #" + std::to_string(index);
  // What the host has stays as it is; so does what is known.
  bool isKnownToHost = hosted && !states.contains(source) && isKnown(source);
  if (hosted && (fromOutside.contains(source) || isKnownToHost))
    if (Value value = toHost(source))
      return value;
  auto type =
      borderType(end.getLoc(), source.getType(), what, /*isResult=*/true);
  if (failed(type))
    return failure();
  auto *state = states.find(source);
  Value imported = state == states.end() ? lookup(source) : state->second;
  if (auto known = getIntegers(constant(source));
      !imported && known && llvm::all_of(*known, isWholeHalf))
    imported = integersAsData(source);
  if (!imported)
    return emitError(end.getLoc(), what)
           << " has no value that the engine computes, nor known integers that "
              "fp16 holds exactly";
  // Integers and booleans that come from constants alone are still in f32.
  if (getElementTypeOrSelf(*type).isInteger() &&
      getElementTypeOrSelf(imported).isF32())
    imported = CastOp::create(
        builder, end.getLoc(),
        withElementType(imported.getType(), builder.getF16Type()), imported);
  if (imported.getType() != *type)
    imported = CastOp::create(builder, end.getLoc(), *type, imported);
  return imported;
}

LogicalResult MILImporter::importReturn(mil::FuncOp source, mil::ReturnOp end) {
  auto function = cast<func::FuncOp>(builder.getBlock()->getParentOp());
  SmallVector<Value> results;
  SmallVector<Value> outputs(end.getValues());
  for (auto [state, value] : states)
    if (writtenStates.contains(state))
      outputs.push_back(state);
  SmallVector<std::string> names = mil::nameOutputs(source, outputs);
  // Of what is classified, the probabilities.
  for (size_t i = outputs.size(); i-- > 0;) {
    auto label = labels.find(outputs[i]);
    if (label == labels.end())
      continue;
    outputs[i] = label->second;
    if (!outputs[i]) {
      outputs.erase(outputs.begin() + i);
      names.erase(names.begin() + i);
    }
  }
  if (outputs.empty() && !end.getValues().empty())
    return emitError(end.getLoc(),
                     "the function returns labels, which are no numbers; "
                     "return the probabilities");
  for (auto [index, value] : llvm::enumerate(outputs)) {
    FailureOr<Value> result = importResult(end, index, value);
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  func::ReturnOp::create(builder, end.getLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), ValueRange(results).getTypes()));
  for (auto [index, name] : llvm::enumerate(names))
    if (!name.empty())
      function.setResultAttr(index, ANEDialect::getNameAttrName(),
                             builder.getStringAttr(name));
  return success();
}

void MILImporter::importArguments(mil::FuncOp source, func::FuncOp function) {
  for (auto [from, to] : llvm::zip_equal(source.getBody().getArguments(),
                                         function.getArguments())) {
    function.setArgAttr(to.getArgNumber(), ANEDialect::getNameAttrName(),
                        builder.getStringAttr(mil::getValueName(from)));
    Value value = to;
    if (hosted && isWideInteger(to.getType())) {
      hostValues[from] = to;
      fromOutside.insert(from);
      continue;
    }
    // Of an integer that comes as a float, the host has all digits; bytes with
    // a sign it has as they are.
    Type element = getElementTypeOrSelf(to);
    if (hosted && (element.isF32() || element.isSignlessInteger(8)) &&
        !isa<mil::StateType>(from.getType()))
      hostValues[from] = to;
    if (!from.use_empty() && getElementTypeOrSelf(to).isF32())
      value = CastOp::create(
          builder, to.getLoc(),
          withElementType(to.getType(), builder.getF16Type()), to);
    if (isa<mil::StateType>(from.getType()))
      states[from] = value;
    else
      values[from] = value;
  }
}

LogicalResult MILImporter::importFunction(mil::FuncOp source,
                                          Operation *before) {
  builder.setInsertionPoint(before);
  Block &body = source.getBody().front();
  SmallVector<Type> types;
  for (BlockArgument argument : body.getArguments()) {
    // An integer enters the host.
    bool isHosts = hosted && isWideInteger(argument.getType());
    auto type = borderType(argument.getLoc(), argument.getType(),
                           "input '" + mil::getValueName(argument) + "'",
                           /*isResult=*/isHosts);
    if (failed(type))
      return failure();
    types.push_back(isHosts ? type->clone(HostType::of(*type).element) : *type);
  }
  auto function =
      func::FuncOp::create(builder, source.getLoc(), source.getSymName(),
                           builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  importArguments(source, function);
  if (hosted) {
    findAngles(source);
    findBoxes(source);
  }
  llvm::DenseSet<Operation *> live = findLive(body);
  for (Operation &op : body) {
    if (!live.contains(&op))
      continue;
    if (auto end = dyn_cast<mil::ReturnOp>(op))
      return importReturn(source, end);
    // The first error is the last: what depends on it would only repeat it.
    if (failed(importOp(&op)))
      return failure();
  }
  return emitError(source.getLoc(), "function does not end in mil.return");
}
