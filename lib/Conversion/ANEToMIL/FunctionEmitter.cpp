//===- FunctionEmitter.cpp - Writes one MIL function ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"
#include "ane/Dialect/ANE/Utils/TensorSizes.h"
#include "ane/Dialect/MIL/Utils/Statement.h"
#include "ane/Target/MIL/MILTranslation.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Values of attributes
//===----------------------------------------------------------------------===//

TypedAttr FunctionEmitter::string(StringRef value) {
  return StringAttr::get(value, mil::StringType::get(builder.getContext()));
}

TypedAttr FunctionEmitter::integers(ArrayRef<int64_t> values) {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return builder.getI32TensorAttr(narrow);
}

TypedAttr FunctionEmitter::number(Type element, double value) {
  FloatAttr rounded = builder.getFloatAttr(element, value);
  if (std::isfinite(value) && !rounded.getValue().isFinite())
    overflow = value;
  if (value != 0 && rounded.getValue().isZero())
    vanished = value;
  return rounded;
}

TypedAttr FunctionEmitter::guard(Type element, double value) {
  constexpr double smallestHalf = 0x1p-24;
  bool isLost = value > 0 && element.isF16() && value < smallestHalf;
  return number(element, isLost ? smallestHalf : value);
}

TypedAttr FunctionEmitter::reachedGuard(Type element, double value) {
  TypedAttr result = guard(element, value);
  if (cast<FloatAttr>(result).getValueAsDouble() > 2 * value)
    raised = value;
  return result;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string FunctionEmitter::makeName(const Twine &name) {
  std::string result = name.str();
  while (!names.insert(result).second)
    result += '_';
  return result;
}

// Names of the inputs or outputs. The private path hands tensors over in the
// order of their names, so that has to be the order of the function.
SmallVector<std::string>
FunctionEmitter::nameBorder(func::FuncOp source, ArrayRef<std::string> given,
                            bool inputs) {
  SmallVector<std::string> wanted, result;
  for (StringRef name : given) {
    wanted.push_back(mil::makeIdentifier(name));
    result.push_back(makeName(wanted.back()));
  }
  if (llvm::is_sorted(result))
    return result;
  for (StringRef name : result)
    names.erase(name);
  unsigned width = llvm::utostr(given.size() - 1).size();
  for (unsigned i = 0; i < given.size(); ++i) {
    std::string number = llvm::utostr(i);
    number.insert(0, width - number.size(), '0');
    result[i] = makeName((inputs ? "in" : "out") + number + "_" + wanted[i]);
  }
  source.emitRemark("rule border_order: the private path binds ")
      << (inputs ? "inputs" : "outputs")
      << " in the order of their names; renamed '" << wanted.front()
      << "', ... to '" << result.front() << "', ...";
  return result;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value FunctionEmitter::emitConstant(TypedAttr value, Type type,
                                    const Twine &name) {
  std::string chosen = makeName(name);
  auto attributes =
      builder.getDictionaryAttr(builder.getNamedAttr("name", string(chosen)));
  return mil::ConstOp::create(builder, loc, type, value, /*is_inline=*/false,
                              attributes, builder.getStringAttr(chosen));
}

// The same elements under another shape; what is too long for the text becomes
// a resource, which the writer puts into the weight file.
static FailureOr<TypedAttr> reshapeConstant(ElementsAttr value,
                                            ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, value.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return TypedAttr(
        DenseResourceElementsAttr::get(type, resource.getRawHandle()));
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return failure();
  if (type.getNumElements() < mil::kMinBlobElements ||
      type.getElementType().isInteger(1))
    return TypedAttr(dense.reshape(type));
  ArrayRef<char> raw = dense.getRawData();
  AsmResourceBlob blob;
  if (dense.isSplat()) {
    blob = HeapAsmResourceBlob::allocate(raw.size() * type.getNumElements(),
                                         /*align=*/64);
    MutableArrayRef<char> data = blob.getMutableData();
    for (size_t i = 0; i < data.size(); i += raw.size())
      llvm::copy(raw, data.begin() + i);
  } else {
    blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(raw, /*align=*/64);
  }
  return TypedAttr(
      DenseResourceElementsAttr::get(type, "mil_constant", std::move(blob)));
}

// What f32 numbers lose that become f16. Bounds and masks that become infinite
// still are what they were.
static void warnOfLoss(ConstantOp op) {
  constexpr float largest = 65520, smallestNormal = 0x1p-14f,
                  lastBit = 0x1p-24f;
  constexpr float smallShare = 0x1p-7f;
  FailureOr<ConstantView> view = ConstantView::get(op.getValue());
  if (failed(view) || !view->isReadable())
    return;
  float most = 0, error = 0;
  view->forEachPart(1 << 14, [&](int64_t, const ConstantView &part) {
    std::vector<float> values = part.readFloats();
    for (float value : values)
      most = std::max(most, std::fabs(value));
    if (most >= smallestNormal)
      return;
    for (float value : values)
      error = std::max(
          error, std::fabs(std::round(value / lastBit) * lastBit - value));
  });
  bool isBound = llvm::all_of(op->getUsers(), [](Operation *user) {
    auto binary = dyn_cast<ElementwiseOp>(user);
    return isa<CompareOp, SelectOp>(user) ||
           (binary && (binary.getKind() == ElementwiseKind::Max ||
                       binary.getKind() == ElementwiseKind::Min));
  });
  Location loc = isa<UnknownLoc>(op.getLoc()) && !op->use_empty()
                     ? (*op->user_begin())->getLoc()
                     : op.getLoc();
  if (most >= largest && std::isfinite(most) && !isBound)
    markNumeric(mlir::emitWarning(loc))
        << "constant has a magnitude of " << most
        << ", which is infinite in fp16 (largest magnitude 65504); scale it "
           "down and the result up";
  else if (most < smallestNormal && error > most * smallShare)
    markNumeric(mlir::emitWarning(loc))
        << "constant has no magnitude above " << most
        << ", but fp16 keeps all of its bits from 6.1035e-05 on only; the "
           "largest error is "
        << error << "; scale it up and the result down";
}

Value FunctionEmitter::constant(ConstantOp op, RankedTensorType type) {
  Value &known = constants[{op.getResult(), type}];
  if (known)
    return known;
  if (op.getType().getElementType().isF32() && type.getElementType().isF16())
    warnOfLoss(op);
  FailureOr<TypedAttr> value = reshapeConstant(op.getValue(), type.getShape());
  if (failed(value)) {
    op.emitOpError("value is neither dense nor a resource");
    return {};
  }
  return known = emitConstant(*value, type, "c" + Twine(counter++));
}

//===----------------------------------------------------------------------===//
// Operands and statements
//===----------------------------------------------------------------------===//

RankedTensorType FunctionEmitter::convert(Type type) const {
  auto tensor = cast<RankedTensorType>(type);
  if (int64_t above = tensor.getRank() - maxRank; above > 0) {
    SmallVector<int64_t> shape(tensor.getShape().drop_front(above));
    for (int64_t size : tensor.getShape().take_front(above))
      shape.front() *= size;
    tensor = tensor.clone(shape);
  }
  if (halfBorder && isHostElement(tensor))
    return tensor.clone(Float16Type::get(type.getContext()));
  // MIL has no data of 64 bits; an index is no longer than 32.
  Type element = tensor.getElementType();
  return element.isInteger(64) || element.isUnsignedInteger(32)
             ? tensor.clone(IntegerType::get(type.getContext(), 32))
             : tensor;
}

Value FunctionEmitter::operand(Value value, Type element,
                               ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, element);
  if (auto op = value.getDefiningOp<ConstantOp>()) {
    // Only f32 -> f16 happens on the way out; the rest is a statement.
    Type own = op.getType().getElementType();
    if (own == element || (own.isF32() && element.isF16()))
      return constant(op, type);
  }
  auto op = value.getDefiningOp<ConstantOp>();
  Value mapped =
      op ? constant(op, convert(op.getType())) : values.lookup(value);
  if (!mapped)
    return {};
  auto mappedType = cast<RankedTensorType>(mapped.getType());
  if (mappedType.getElementType() != element) {
    mappedType = mappedType.clone(element);
    StringRef name = element.isF16() ? "fp16" : "fp32";
    mapped = emit("cast", {{"dtype", string(name)}, {"x", mapped}}, mappedType);
  }
  return emitReshape(mapped, shape);
}

Value FunctionEmitter::operand(Value value, Type element) {
  return operand(value, element, convert(value.getType()).getShape());
}

Value FunctionEmitter::operand(Value value) {
  return operand(value, convert(value.getType()).getElementType());
}

Value FunctionEmitter::emit(StringRef type, SmallVector<Argument> arguments,
                            Type result) {
  llvm::sort(arguments, [](const Argument &a, const Argument &b) {
    return a.name < b.name;
  });
  std::string name = makeName("v" + Twine(counter++) + "_" + type);
  SmallVector<StringRef> argNames;
  SmallVector<int32_t> segments;
  SmallVector<Value> operands;
  for (Argument &argument : arguments) {
    if (argument.constant)
      argument.values = {emitConstant(argument.constant,
                                      argument.constant.getType(),
                                      name + "_" + argument.name)};
    if (!llvm::all_of(argument.values, [](Value value) { return !!value; }))
      return {};
    argNames.push_back(argument.name);
    segments.push_back(argument.isTuple ? argument.values.size() : -1);
    llvm::append_range(operands, argument.values);
  }
  auto attributes =
      builder.getDictionaryAttr(builder.getNamedAttr("name", string(name)));
  auto op = mil::GenericOp::create(builder, loc, result, type, operands,
                                   builder.getStrArrayAttr(argNames), segments,
                                   attributes, builder.getStrArrayAttr({name}));
  return op->getResult(0);
}

Value FunctionEmitter::emitBinary(StringRef type, Value x, Value y,
                                  Type result) {
  return emit(type, {{"x", x}, {"y", y}}, result);
}

Value FunctionEmitter::emitUnary(StringRef type, Value x, Type result) {
  return emit(type, {{"x", x}}, result);
}

Value FunctionEmitter::emitReshape(Value x, ArrayRef<int64_t> shape) {
  if (!x)
    return {};
  auto type = cast<RankedTensorType>(x.getType());
  if (type.getShape() == shape)
    return x;
  return emit("reshape", {{"shape", integers(shape)}, {"x", x}},
              type.clone(shape));
}

Value FunctionEmitter::emitFill(RankedTensorType type, double value) {
  return emit("fill",
              {{"shape", integers(type.getShape())},
               {"value", number(type.getElementType(), value)}},
              type);
}

// Readers infer the type of the result from `a` and `b` alone, whatever the
// shape of the condition. Where they do not have it, `b` is repeated.
Value FunctionEmitter::emitSelect(Value condition, Value a, Value b,
                                  RankedTensorType result) {
  if (!condition || !a || !b)
    return {};
  ArrayRef<int64_t> shape = result.getShape();
  bool isWhole = llvm::all_of(
      llvm::zip_equal(shapeOf(a), shapeOf(b), shape), [](auto sizes) {
        return std::max(std::get<0>(sizes), std::get<1>(sizes)) ==
               std::get<2>(sizes);
      });
  if (!isWhole) {
    auto constant = b.getDefiningOp<mil::ConstOp>();
    auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                          : SplatElementsAttr();
    SmallVector<int64_t> repeats;
    for (auto [size, own] : llvm::zip_equal(shape, shapeOf(b)))
      repeats.push_back(size / own);
    b = splat
            ? emitFill(result, splat.getSplatValue<APFloat>().convertToDouble())
            : emit("tile", {{"reps", integers(repeats)}, {"x", b}}, result);
  }
  return emit("select", {{"a", a}, {"b", b}, {"cond", condition}}, result);
}

Value FunctionEmitter::emitScalar(StringRef type, Value x, double y) {
  if (!x)
    return {};
  Type element = cast<RankedTensorType>(x.getType()).getElementType();
  return emit(type, {{"x", x}, {"y", number(element, y)}}, x.getType());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// The last statement of an output takes its name. What is an input, a constant
// or an output already gets a statement of its own; times one is exact, but
// bytes cannot be multiplied.
LogicalResult FunctionEmitter::nameOutputs(func::FuncOp source,
                                           func::ReturnOp end,
                                           ArrayRef<std::string> outputNames) {
  SmallVector<Value> results;
  for (auto [value, name] : llvm::zip(end.getOperands(), outputNames)) {
    Value result = operand(value);
    if (!result)
      return end.emitOpError(
          "operand is not the result of a converted operation");
    auto op = result.getDefiningOp<mil::GenericOp>();
    if (!op || llvm::is_contained(results, result)) {
      Type type = result.getType();
      result = isa<FloatType>(getElementTypeOrSelf(type))
                   ? emitScalar("mul", result, 1.0)
                   : emitUnary("identity", result, type);
      op = result.getDefiningOp<mil::GenericOp>();
    }
    op.setResultNamesAttr(builder.getStrArrayAttr({name}));
    op.setOpAttributesAttr(
        builder.getDictionaryAttr(builder.getNamedAttr("name", string(name))));
    results.push_back(result);
  }
  mil::ReturnOp::create(builder, end.getLoc(), results);
  return success();
}

// MIL computes on floats; 8-bit integers are cast and moved.
static LogicalResult checkElement(Operation *op) {
  if (isa<CastOp, ConcatOp, ReshapeOp, SliceOp, TransposeOp>(op))
    return success();
  for (Type type : op->getResultTypes())
    if (getElementTypeOrSelf(type).isInteger(8))
      return op->emitOpError("computes ")
             << type << ", but MIL computes on fp16 and fp32; cast to f16 "
             << "before it and back after it";
  return success();
}

LogicalResult FunctionEmitter::run(func::FuncOp source, StringRef name,
                                   StringRef opsetName) {
  if (source.isDeclaration() || !source.getBody().hasOneBlock())
    return source.emitOpError(
        "has no body of one block, which a MIL function is");
  if (failed(checkTensorSizes(source)))
    return failure();
  SmallVector<Type> argTypes;
  for (Type type : llvm::concat<const Type>(source.getArgumentTypes(),
                                            source.getResultTypes()))
    if (!isa<RankedTensorType>(type) ||
        !cast<RankedTensorType>(type).hasStaticShape())
      return source.emitOpError("has an argument or result of type ")
             << type
             << ", but MIL functions here take and give tensors of static "
                "shape";
  for (auto [types, what] : {std::pair(source.getArgumentTypes(), "argument"),
                             std::pair(source.getResultTypes(), "result")})
    for (auto [i, type] : llvm::enumerate(types))
      if (int64_t rank = cast<RankedTensorType>(type).getRank(); rank > maxRank)
        return source.emitOpError(what)
               << " #" << i << " has " << rank
               << " dimensions, but a tensor of "
               << "MIL has at most " << maxRank << "; reshape it";
  for (Type type : source.getArgumentTypes())
    argTypes.push_back(convert(type));
  TensorNames given = nameTensors(source);
  SmallVector<std::string> inputs =
      nameBorder(source, given.inputs, /*inputs=*/true);
  SmallVector<std::string> outputs =
      nameBorder(source, given.outputs, /*inputs=*/false);
  SmallVector<StringRef> inputRefs(inputs.begin(), inputs.end());
  auto func =
      mil::FuncOp::create(builder, source.getLoc(), name, opsetName, inputRefs,
                          argTypes, builder.getDictionaryAttr({}));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&func.getBody().front());
  for (auto [from, to] :
       llvm::zip(source.getArguments(), func.getBody().getArguments()))
    map(from, to);
  for (Operation &op : source.getBody().front()) {
    loc = op.getLoc();
    if (isa<ConstantOp>(op))
      continue;
    if (auto end = dyn_cast<func::ReturnOp>(op))
      return nameOutputs(source, end, outputs);
    if (failed(checkElement(&op)) || failed(convertOp(*this, &op)))
      return failure();
    if (overflow)
      return op.emitOpError("has a parameter of ")
             << *overflow << ", but fp16 ends at 65504";
    if (vanished)
      markNumeric(op.emitWarning())
          << op.getName() << ": a parameter of " << *vanished
          << " is 0 in fp16 (smallest magnitude 5.96e-08); scale what it is "
             "used with";
    if (raised)
      markNumeric(op.emitWarning())
          << op.getName() << ": a guard of " << *raised
          << " is 5.96e-08 in fp16, its smallest number; results where it "
             "counts are wrong; choose a larger guard";
    vanished.reset();
    raised.reset();
  }
  return source.emitOpError("does not end in func.return");
}
