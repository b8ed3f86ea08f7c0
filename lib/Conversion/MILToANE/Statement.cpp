//===- Statement.cpp - One MIL statement being imported -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments are looked up by name, in the parentheses first and in the brackets
// then: the constexpr operations of the opsets before ios18 have theirs there.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::ane;

Statement::Statement(MILImporter &importer, mil::MILOpInterface op, bool onHost)
    : importer(importer), op(op), arguments(op.getMILArguments()),
      onHost(onHost) {}

InFlightDiagnostic Statement::error() {
  hasFailed = true;
  return emitError(getLoc()) << "'" << getName() << "' ";
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> Statement::resultShape(unsigned index) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(index).getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

bool Statement::isDeclared(ArrayRef<int64_t> shape, unsigned index) {
  return llvm::equal(shape, resultShape(index), [](int64_t a, int64_t b) {
    return a == b || ShapedType::isDynamic(b);
  });
}

Type Statement::resultElementType(unsigned index) {
  return getElementTypeOrSelf(op->getResult(index).getType());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

mil::NamedArgument *Statement::find(StringRef argument) {
  auto *it = llvm::find_if(arguments, [&](const mil::NamedArgument &candidate) {
    return candidate.name == argument;
  });
  return it == arguments.end() ? nullptr : it;
}

bool Statement::has(StringRef argument) {
  return find(argument) || op.getMILAttributes().contains(argument);
}

bool Statement::require(StringRef argument) {
  if (hasFailed)
    return false;
  if (!has(argument))
    error() << "has no argument '" << argument << "', but needs one";
  return !hasFailed;
}

/// What a value that is no data is, for a message.
static InFlightDiagnostic &describe(InFlightDiagnostic &diagnostic, Value value,
                                    Attribute constant,
                                    bool takesIntegers = false) {
  if (auto blob = dyn_cast_or_null<mil::BlobFileAttr>(constant))
    return diagnostic << "in the weight file '" << blob.getPath()
                      << "', but no folder is given for '@model_path'; name it "
                         "with mil-root";
  diagnostic << "of the type " << value.getType();
  if (auto numbers = takesIntegers ? getIntegers(constant) : std::nullopt)
    for (int64_t number : *numbers)
      if (!isWholeHalf(number))
        return diagnostic << ", but its number " << number
                          << " is none that fp16 holds exactly; compute it "
                             "outside of the network";
  return diagnostic << ", but the engine computes on fp16 and fp32; cast it, "
                       "or compute it outside of the network";
}

bool mlir::ane::isWideInteger(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isInteger() && element.getIntOrFloatBitWidth() > 8;
}

// Integers that f16 does not hold exactly are none that data can meet.
Value Statement::lookup(Value source) {
  if (onHost)
    return importer.toHost(source);
  if (!isWideInteger(source.getType()) || importer.integersAreData)
    return importer.lookup(source);
  if (!importer.integerOps.contains(getName()))
    return {};
  if (Value imported = importer.values.lookup(source))
    return imported;
  auto numbers = getIntegers(importer.constant(source));
  if (!numbers || !llvm::all_of(*numbers, isWholeHalf))
    return {};
  auto type = dyn_cast<RankedTensorType>(source.getType());
  return constantOf(type ? type.getShape() : ArrayRef<int64_t>(),
                    std::vector<float>(numbers->begin(), numbers->end()));
}

Value Statement::value(StringRef argument) {
  mil::NamedArgument *found = require(argument) ? find(argument) : nullptr;
  if (!found)
    return {};
  if (found->values.size() != 1) {
    error() << "has " << found->values.size() << " values for '" << argument
            << "', but takes one";
    return {};
  }
  return found->values.front();
}

SmallVector<Value> Statement::members(StringRef argument) {
  mil::NamedArgument *found = require(argument) ? find(argument) : nullptr;
  return found ? SmallVector<Value>(found->values) : SmallVector<Value>();
}

SmallVector<int64_t> Statement::memberIntegers(StringRef argument) {
  SmallVector<int64_t> result;
  for (Value member : members(argument)) {
    auto known = getIntegers(importer.constant(member));
    if (!known || known->size() != 1) {
      error() << "argument '" << argument << "' has value #" << result.size()
              << " that is no constant integer";
      return {};
    }
    result.push_back(known->front());
  }
  return result;
}

Value Statement::optionalTensor(StringRef argument) {
  if (hasFailed || !find(argument))
    return {};
  Value source = value(argument);
  if (!source)
    return {};
  if (Value value = lookup(source))
    return value;
  InFlightDiagnostic diagnostic = error();
  diagnostic << "argument '" << argument << "' is ";
  TypedAttr known = importer.constant(source);
  if (importer.fromOutside.contains(source))
    diagnostic << "of the type " << source.getType()
               << ", integers from outside, which fp16 may not hold: they stay "
                  "on the host";
  else if (importer.integersAreData && getIntegers(known))
    diagnostic << "beyond " << maxExactInteger
               << ", up to which integers are computed; give the result as a "
                  "const";
  else
    describe(diagnostic, source, known,
             importer.integerOps.contains(getName()));
  return {};
}

Value Statement::tensor(StringRef argument) {
  return require(argument) ? optionalTensor(argument) : Value();
}

SmallVector<Value> Statement::tensors(StringRef argument) {
  SmallVector<Value> result;
  mil::NamedArgument *found = require(argument) ? find(argument) : nullptr;
  if (!found)
    return result;
  for (Value source : found->values) {
    result.push_back(lookup(source));
    if (result.back())
      continue;
    InFlightDiagnostic diagnostic = error();
    diagnostic << "argument '" << argument << "' has value #"
               << result.size() - 1 << " ";
    if (importer.fromOutside.contains(source))
      diagnostic << "of integers from outside, which fp16 may not hold: they "
                    "stay on the host";
    else
      describe(diagnostic, source, importer.constant(source),
               importer.integerOps.contains(getName()));
    return {};
  }
  if (result.empty())
    error() << "argument '" << argument << "' is an empty tuple";
  return result;
}

bool Statement::isConstant(Value value) {
  return value && isa_and_nonnull<ConstantOp>(value.getDefiningOp());
}

static Type elementTypeOf(mil::NamedArgument *argument) {
  return argument && argument->values.size() == 1
             ? getElementTypeOrSelf(argument->values.front().getType())
             : Type();
}

bool Statement::isBoolean(StringRef argument) {
  Type type = elementTypeOf(find(argument));
  return type && type.isInteger(1);
}

bool Statement::isInteger(StringRef argument) {
  Type type = elementTypeOf(find(argument));
  return type && type.isInteger() && !type.isInteger(1);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>> mlir::ane::getIntegers(Attribute attr) {
  auto numberOf = [](const APInt &value, Type type) {
    return type.isUnsignedInteger() || type.isInteger(1)
               ? int64_t(value.getLimitedValue(INT64_MAX))
               : value.getSExtValue();
  };
  SmallVector<int64_t> values;
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr)) {
    values.push_back(numberOf(integer.getValue(), integer.getType()));
    return values;
  }
  if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attr)) {
    if (dense.isSplat() && dense.getNumElements() > maxFactors)
      return std::nullopt; // a file of few bytes may say so
    for (const APInt &value : dense.getValues<APInt>())
      values.push_back(numberOf(value, dense.getElementType()));
    return values;
  }
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(attr);
  auto type = resource ? dyn_cast<IntegerType>(resource.getElementType())
                       : IntegerType();
  if (!type || type.getWidth() % 8 || type.getWidth() > 64)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  size_t bytes = type.getWidth() / 8, count = resource.getNumElements();
  if (!blob || blob->getData().size() != count * bytes)
    return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, blob->getData().data() + i * bytes, bytes);
    values.push_back(numberOf(APInt(64, bits).trunc(type.getWidth()), type));
  }
  return values;
}

TypedAttr Statement::constant(StringRef argument) {
  mil::NamedArgument *found = find(argument);
  if (!found)
    return dyn_cast_or_null<TypedAttr>(op.getMILAttributes().get(argument));
  return found->values.size() == 1 ? importer.constant(found->values.front())
                                   : TypedAttr();
}

std::optional<SmallVector<int64_t>>
Statement::knownIntegers(StringRef argument) {
  return getIntegers(constant(argument));
}

SmallVector<int64_t> Statement::declaredShape(StringRef argument) {
  mil::NamedArgument *found = find(argument);
  auto type = found && found->values.size() == 1
                  ? dyn_cast<RankedTensorType>(found->values.front().getType())
                  : RankedTensorType();
  return SmallVector<int64_t>(type ? type.getShape() : ArrayRef<int64_t>());
}

SmallVector<int64_t> Statement::integers(StringRef argument) {
  if (!require(argument))
    return {};
  if (auto values = getIntegers(constant(argument)))
    return *values;
  error() << "argument '" << argument
          << "' is no constant of integers, but a program for the engine has "
             "fixed parameters; give it a const";
  return {};
}

SmallVector<int64_t> Statement::fixedIntegers(StringRef argument, size_t count,
                                              std::optional<int64_t> otherwise,
                                              int64_t low, int64_t high) {
  if (otherwise && !has(argument))
    return SmallVector<int64_t>(count, *otherwise);
  SmallVector<int64_t> values = integers(argument);
  if (!hasFailed && values.size() != count)
    error() << "argument '" << argument << "' has " << values.size()
            << " elements, but must have " << count;
  for (int64_t value : values)
    if (!hasFailed && (value < low || value > high))
      error() << "argument '" << argument << "' has the element " << value
              << ", but all must be in [" << low << ", " << high << "]";
  return hasFailed ? SmallVector<int64_t>(count, std::max<int64_t>(low, 1))
                   : values;
}

int64_t Statement::integer(StringRef argument,
                           std::optional<int64_t> otherwise) {
  if (otherwise && !has(argument))
    return *otherwise;
  return fixedIntegers(argument, 1, {}, -maxMILExtent).front();
}

bool Statement::boolean(StringRef argument, std::optional<bool> otherwise) {
  if (otherwise && !has(argument))
    return *otherwise;
  return fixedIntegers(argument, 1, {}, 0, 1).front();
}

SmallVector<bool> Statement::booleans(StringRef argument, size_t count) {
  return llvm::to_vector(
      llvm::map_range(fixedIntegers(argument, count, 0, 0, 1),
                      [](int64_t value) { return value != 0; }));
}

std::vector<float> Statement::numbers(StringRef argument) {
  if (!require(argument))
    return {};
  TypedAttr attr = constant(argument);
  if (auto number = dyn_cast_or_null<FloatAttr>(attr))
    return {static_cast<float>(number.getValueAsDouble())};
  if (auto values = getIntegers(attr))
    return std::vector<float>(values->begin(), values->end());
  auto elements = dyn_cast_or_null<ElementsAttr>(attr);
  auto view = elements ? ConstantView::get(elements)
                       : FailureOr<ConstantView>(failure());
  if (succeeded(view) && view->isReadable())
    return view->readFloats();
  InFlightDiagnostic diagnostic = error();
  diagnostic << "argument '" << argument << "' is ";
  if (isa_and_nonnull<mil::BlobFileAttr>(attr))
    describe(diagnostic, {}, attr);
  else
    diagnostic << "no constant of numbers, but a program for the engine has "
                  "fixed parameters; give it a const";
  return {};
}

double Statement::number(StringRef argument, std::optional<double> otherwise) {
  if (otherwise && !has(argument))
    return *otherwise;
  if (auto attr = dyn_cast_or_null<FloatAttr>(constant(argument)))
    return attr.getValueAsDouble();
  std::vector<float> values = numbers(argument);
  if (!hasFailed && values.size() != 1)
    error() << "argument '" << argument << "' has " << values.size()
            << " elements, but must be one number";
  return hasFailed ? 0 : values.front();
}

StringRef Statement::string(StringRef argument,
                            std::optional<StringRef> otherwise) {
  if (otherwise && !has(argument))
    return *otherwise;
  if (!require(argument))
    return "";
  TypedAttr attr = constant(argument);
  if (auto text = dyn_cast_or_null<StringAttr>(attr))
    return text.getValue();
  if (auto dense = dyn_cast_or_null<DenseStringElementsAttr>(attr))
    if (dense.getNumElements() == 1)
      return *dense.value_begin<StringRef>();
  error() << "argument '" << argument << "' is no constant string";
  return "";
}

/// From [-rank, rank) to [0, rank).
static std::optional<int64_t> wrapAxis(int64_t axis, int64_t rank) {
  int64_t wrapped = axis < 0 ? axis + rank : axis;
  return wrapped < 0 || wrapped >= rank ? std::nullopt : std::optional(wrapped);
}

int64_t Statement::axis(StringRef argument, int64_t rank,
                        std::optional<int64_t> otherwise) {
  int64_t given = integer(argument, otherwise);
  if (hasFailed)
    return 0;
  if (auto wrapped = wrapAxis(given, rank))
    return *wrapped;
  error() << "argument '" << argument << "' is " << given
          << ", but must be in [" << -rank << ", " << rank << ")";
  return 0;
}

SmallVector<int64_t> Statement::axes(StringRef argument, int64_t rank) {
  if (!has(argument))
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  SmallVector<int64_t> axes = integers(argument);
  for (int64_t &axis : axes) {
    auto wrapped = wrapAxis(axis, rank);
    if (!wrapped) {
      error() << "argument '" << argument << "' has the axis " << axis
              << ", but axes are in [" << -rank << ", " << rank << ")";
      return {};
    }
    axis = *wrapped;
  }
  llvm::sort(axes);
  if (llvm::adjacent_find(axes) != axes.end())
    error() << "argument '" << argument << "' names an axis twice";
  return axes;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

OpBuilder &Statement::getBuilder() { return importer.builder; }

HostBuilder Statement::host() { return HostBuilder(getBuilder(), getLoc()); }

HostType Statement::hostType(StringRef argument) {
  Type type = elementTypeOf(find(argument));
  return type ? HostType::of(type) : HostType();
}

Type Statement::placeholder() {
  return RankedTensorType::get({}, Float16Type::get(getContext()));
}

Value Statement::inferType(
    Operation *built,
    function_ref<LogicalResult(SmallVectorImpl<Type> &)> infer) {
  SmallVector<Type> types;
  if (mlir::failed(infer(types))) {
    hasFailed = true;
    built->erase();
    return {};
  }
  built->getResult(0).setType(types.front());
  return built->getResult(0);
}

Value Statement::activation(Value x, ActivationKind kind, double alpha,
                            double beta) {
  return build<ActivationOp>(
      x, ActivationAttr::get(getContext(), kind, alpha, beta));
}

Value Statement::extendRank(Value x, int64_t rank) {
  if (!x)
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  if (static_cast<int64_t>(shape.size()) >= rank)
    return x;
  shape.insert(shape.begin(), rank - shape.size(), 1);
  return reshape(x, shape);
}

Value Statement::binary(ElementwiseKind kind, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return {};
  int64_t rank = std::max(shapeOf(lhs).size(), shapeOf(rhs).size());
  lhs = extendRank(toData(lhs), rank);
  rhs = extendRank(toData(rhs), rank);
  return build<ElementwiseOp>(kind, lhs, rhs, llvm::APFloat(1.0f),
                              llvm::APFloat(0.0f), ActivationAttr());
}

Value Statement::binary(ElementwiseKind kind, Value lhs, double rhs) {
  if (!lhs)
    return {};
  SmallVector<int64_t> ones(shapeOf(lhs).size(), 1);
  return binary(kind, lhs, constantOf(ones, static_cast<float>(rhs)));
}

Value Statement::reduce(ReduceKind kind, Value x, ArrayRef<int64_t> axes) {
  return axes.empty() ? x : build<ReduceOp>(kind, x, axes);
}

Value Statement::reshape(Value x, ArrayRef<int64_t> shape) {
  if (!x || shapeOf(x) == shape)
    return x;
  int64_t elements = 1;
  for (int64_t size : shape)
    elements = llvm::SaturatingMultiply<uint64_t>(elements, size);
  auto type = cast<RankedTensorType>(x.getType());
  if (elements != type.getNumElements()) {
    error() << "makes " << elements << " elements of the "
            << type.getNumElements() << " of " << type;
    return {};
  }
  if (onHost)
    return host().reshape(x, shape);
  return ReshapeOp::create(getBuilder(), getLoc(), withShape(type, shape), x);
}

Value Statement::transpose(Value x, ArrayRef<int64_t> perm) {
  if (hasFailed || llvm::is_sorted(perm))
    return x;
  return onHost ? host().transpose(x, perm) : build<TransposeOp>(x, perm);
}

// An op of the engine checks that itself.
Value Statement::concatOnHost(ArrayRef<Value> values, int64_t axis) {
  if (hasFailed || llvm::is_contained(values, Value()))
    return {};
  auto without = [&](Value value) {
    SmallVector<int64_t> shape(shapeOf(value));
    if (axis < static_cast<int64_t>(shape.size()))
      shape[axis] = 1;
    return shape;
  };
  for (Value value : values)
    if (without(value) != without(values.front()) ||
        getElementTypeOrSelf(value) != getElementTypeOrSelf(values.front())) {
      error() << "joins " << values.front().getType() << " and "
              << value.getType() << " along dimension " << axis;
      return {};
    }
  return host().concat(values, axis);
}

Value Statement::concat(ArrayRef<Value> values, int64_t axis) {
  if (onHost)
    return concatOnHost(values, axis);
  SmallVector<Value> operands(values);
  unify(operands);
  return values.size() == 1 ? values[0] : build<ConcatOp>(operands, axis);
}

Value Statement::slice(Value x, ArrayRef<int64_t> offsets,
                       ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  if (x && shapeOf(x) == sizes)
    return x;
  return onHost && x ? sliceOnHost(x, offsets, sizes, strides)
                     : build<SliceOp>(x, offsets, sizes, strides);
}

Value Statement::sliceOnHost(Value x, ArrayRef<int64_t> offsets,
                             ArrayRef<int64_t> sizes,
                             ArrayRef<int64_t> strides) {
  for (auto [dim, extent] : llvm::enumerate(shapeOf(x)))
    if (!hasFailed &&
        (offsets[dim] < 0 || sizes[dim] < 1 || strides[dim] < 1 ||
         offsets[dim] + (sizes[dim] - 1) * strides[dim] >= extent))
      error() << "takes " << sizes[dim] << " elements from " << offsets[dim]
              << " along dimension " << dim << ", which has " << extent;
  return hasFailed ? Value() : host().slice(x, offsets, sizes, strides);
}

Value Statement::tile(Value x, ArrayRef<int64_t> repeats) {
  if (!onHost || hasFailed || !x)
    return build<TileOp>(x, repeats);
  uint64_t elements = cast<RankedTensorType>(x.getType()).getNumElements();
  for (int64_t count : repeats)
    elements = llvm::SaturatingMultiply<uint64_t>(elements, count);
  if (elements > uint64_t(maxMILExtent)) {
    error() << "makes " << elements << " elements, but a tensor has at most "
            << maxMILExtent;
    return {};
  }
  return host().tile(x, repeats);
}

Value Statement::sliceAxis(Value x, int64_t axis, int64_t first, int64_t count,
                           int64_t stride) {
  if (!x)
    return {};
  SmallVector<int64_t> sizes(shapeOf(x)), offsets(sizes.size(), 0);
  SmallVector<int64_t> strides(sizes.size(), 1);
  offsets[axis] = first;
  sizes[axis] = count;
  strides[axis] = stride;
  return slice(x, offsets, sizes, strides);
}

Value Statement::matmul(Value lhs, Value rhs, bool transposeLhs,
                        bool transposeRhs) {
  return build<MatmulOp>(lhs, rhs, transposeLhs, transposeRhs,
                         ActivationAttr());
}

Value Statement::softmax(Value x, int64_t axis) {
  return build<SoftmaxOp>(x, axis);
}

Value Statement::constantOf(ArrayRef<int64_t> shape, ArrayRef<float> values) {
  auto type = RankedTensorType::get(shape, Float32Type::get(getContext()));
  return createConstant(getBuilder(), getLoc(), type, values);
}

Value Statement::constantOf(ArrayRef<int64_t> shape, float value) {
  auto type = RankedTensorType::get(shape, Float32Type::get(getContext()));
  return ConstantOp::create(getBuilder(), getLoc(),
                            DenseElementsAttr::get(type, value));
}

Value Statement::toElementType(Value x, Type type) {
  return x ? castTo(getBuilder(), getLoc(), x, type) : x;
}

// From 1024 to 2048 f16 has whole numbers only: a sum with 1536 rounds. Clamps
// on both sides keep it there, and keep the sums from being merged.
Value Statement::roundToByte(Value x, bool isSigned, Value zeroPoint) {
  constexpr double whole = 1536, most = 384;
  x = activation(x, ActivationKind::Clamp, -most, most);
  x = binary(ElementwiseKind::Add, x, whole);
  x = activation(x, ActivationKind::Clamp, whole - most, whole + most);
  x = binary(ElementwiseKind::Sub, x, whole);
  if (zeroPoint)
    x = binary(ElementwiseKind::Add, x, zeroPoint);
  return activation(x, ActivationKind::Clamp, isSigned ? -128 : 0,
                    isSigned ? 127 : 255);
}

Value Statement::toBytes(Value x, Type type, Value zeroPoint) {
  if (!x || !zeroPoint)
    return toElementType(x, type);
  Value number = roundToByte(x, !type.isUnsignedInteger(), zeroPoint);
  Value bytes = toElementType(number, type);
  importer.numbersOfBytes[bytes] = number;
  return bytes;
}

Value Statement::toData(Value x) {
  if (!x || onHost || !getElementTypeOrSelf(x).isInteger())
    return x;
  auto rounded = x.getDefiningOp<CastOp>();
  if (!rounded || !getElementTypeOrSelf(rounded.getInput()).isF16())
    return toElementType(x, Float16Type::get(getContext()));
  if (Value number = importer.numbersOfBytes.lookup(x))
    return number;
  bool isSigned = !getElementTypeOrSelf(x).isUnsignedInteger();
  auto whole = rounded.getInput().getDefiningOp<ActivationOp>();
  bool isWhole =
      whole && whole.getFunction().getKind() == ActivationKind::Trunc;
  Value number = isWhole ? activation(rounded.getInput(), ActivationKind::Clamp,
                                      isSigned ? -128 : 0, isSigned ? 127 : 255)
                         : roundToByte(rounded.getInput(), isSigned, {});
  importer.numbersOfBytes[x] = number;
  return number;
}

void Statement::unify(MutableArrayRef<Value> values) {
  if (llvm::is_contained(values, Value()))
    return;
  Type type = FunctionImporter::elementType(values);
  for (Value &value : values)
    value = toElementType(value, type);
}
