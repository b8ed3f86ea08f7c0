//===- ProgramBuilder.cpp - Statements for layers -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "ane/Target/MLPackage/MLPackage.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::models;

std::optional<int64_t> models::countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (size < 1 || size > std::numeric_limits<int32_t>::max() ||
        llvm::MulOverflow(count, size, count) || count > maxElements)
      return std::nullopt;
  return count;
}

std::string models::describe(ArrayRef<int64_t> shape) {
  return shape.empty()
             ? "a number"
             : llvm::join(llvm::map_range(shape,
                                          [](int64_t size) {
                                            return std::to_string(size);
                                          }),
                          "x");
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

ProgramBuilder::ProgramBuilder(MLIRContext *context, StringRef file,
                               StringRef network, ArrayRef<Input> inputs)
    : context(context), builder(context), file(file), network(network) {
  context->getOrLoadDialect<mil::MILDialect>();
  Location loc = location();
  module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto program = mil::ProgramOp::create(builder, loc, "1.3",
                                        builder.getDictionaryAttr({}));
  builder.setInsertionPointToEnd(&program.getBody().front());
  SmallVector<Type> types;
  SmallVector<StringRef> inputNames;
  for (const Input &input : inputs) {
    types.push_back(RankedTensorType::get(input.shape, input.element));
    inputNames.push_back(input.name);
  }
  function = mil::FuncOp::create(builder, loc, "main", "ios18", inputNames,
                                 types, builder.getDictionaryAttr({}));
  builder.setInsertionPointToEnd(&function.getBody().front());
  names.emplace(function);
}

Value ProgramBuilder::argument(unsigned index) {
  return function.getBody().getArgument(index);
}

void ProgramBuilder::enter(StringRef type, StringRef name) {
  layerType = type.str();
  layer = name.str();
  isLayerWrong = false;
}

static mil::PackagePlace placeOf(StringRef file, StringRef network,
                                 StringRef type, StringRef layer) {
  return {file, network.empty() ? "main" : network, type, layer};
}

Location ProgramBuilder::location() {
  return mil::packageLocation(context,
                              placeOf(file, network, layerType, layer));
}

InFlightDiagnostic ProgramBuilder::error() {
  isWrong = isLayerWrong = true;
  return emitError(location())
         << placeOf(file, network, layerType, layer).describe() << ": ";
}

void ProgramBuilder::refuse(const Twine &text) {
  if (!isLayerWrong)
    error() << text;
}

OwningOpRef<ModuleOp>
ProgramBuilder::finish(ArrayRef<std::pair<std::string, Value>> results) {
  enter("", "");
  if (hasFailed())
    return {};
  SmallVector<Value> values;
  for (const auto &[name, value] : results) {
    // A statement of its own, where the value has a name already.
    Value named = value;
    if (isa<BlockArgument>(value) || value.getDefiningOp<mil::ConstOp>() ||
        llvm::is_contained(values, value)) {
      std::string unique = names->makeUnique(name);
      named =
          mil::createStatement(builder, location(), "identity",
                               mil::NewArgument("x", value), value.getType(),
                               builder.getDictionaryAttr({}), StringRef(unique))
              ->getResult(0);
    } else if (mil::getValueName(value) != name) {
      mil::setValueName(value, names->makeUnique(name));
    }
    values.push_back(named);
  }
  if (values.empty()) {
    error() << "has no outputs";
    return {};
  }
  mil::ReturnOp::create(builder, location(), values);
  if (failed(verify(*module)))
    return {};
  return std::move(module);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value ProgramBuilder::parameter(TypedAttr value) {
  return mil::ConstOp::create(builder, location(), value.getType(), value,
                              /*is_inline=*/true, builder.getDictionaryAttr({}),
                              StringAttr());
}

Value ProgramBuilder::string(StringRef value) {
  return parameter(StringAttr::get(value, mil::StringType::get(context)));
}

Value ProgramBuilder::boolean(bool value) {
  return parameter(builder.getBoolAttr(value));
}

Value ProgramBuilder::integer(int64_t value) {
  return parameter(builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value ProgramBuilder::integers(ArrayRef<int64_t> values) {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return parameter(builder.getI32TensorAttr(narrow));
}

Value ProgramBuilder::integers(ArrayRef<int64_t> values,
                               ArrayRef<int64_t> shape) {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return parameter(
      DenseElementsAttr::get(RankedTensorType::get(shape, builder.getI32Type()),
                             ArrayRef<int32_t>(narrow)));
}

Value ProgramBuilder::number(Type element, double value) {
  if (isa<FloatType>(element))
    return parameter(builder.getFloatAttr(element, value));
  return element.isInteger(1) ? boolean(value != 0)
                              : integer(static_cast<int64_t>(value));
}

Value ProgramBuilder::weight(StringRef name, ArrayRef<char> bytes, Type stored,
                             Type element, ArrayRef<int64_t> shape) {
  TypedAttr attribute = mil::makeConstant(RankedTensorType::get(shape, stored),
                                          bytes, mil::makeIdentifier(name));
  return mil::StatementBuilder(builder, *names, location(),
                               mil::makeIdentifier(name))
      .constant(attribute, RankedTensorType::get(shape, element), "value");
}

Value ProgramBuilder::weight(StringRef name, ArrayRef<float> elements,
                             Type element, ArrayRef<int64_t> shape) {
  return weight(name,
                ArrayRef(reinterpret_cast<const char *>(elements.data()),
                         elements.size() * sizeof(float)),
                builder.getF32Type(), element, shape);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

Shape ProgramBuilder::shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? Shape(type.getShape()) : Shape();
}

Type ProgramBuilder::typeOf(Type element, ArrayRef<int64_t> shape) {
  return shape.empty() ? element : RankedTensorType::get(shape, element);
}

mil::StatementBuilder ProgramBuilder::statements() {
  return mil::StatementBuilder(builder, *names, location(),
                               mil::makeIdentifier(layer));
}

Value ProgramBuilder::emit(StringRef type, ArrayRef<mil::NewArgument> arguments,
                           Type element, ArrayRef<int64_t> shape) {
  if (!shape.empty() && !countOf(shape)) {
    refuse("has a result of " + describe(shape) +
           " elements, but a size is 1 to "
           "2^31 - 1, and all of them at most 2^40");
    static constexpr int64_t one[] = {1};
    shape = one;
  }
  return statements().emit(type, arguments, typeOf(element, shape), type);
}

SmallVector<Value> ProgramBuilder::emitAll(StringRef type,
                                           ArrayRef<mil::NewArgument> arguments,
                                           TypeRange types) {
  SmallVector<mil::StatementArgument> sorted(arguments.begin(),
                                             arguments.end());
  llvm::sort(sorted,
             [](const auto &a, const auto &b) { return a.name < b.name; });
  SmallVector<std::string> unique;
  for (size_t i = 0; i < types.size(); ++i)
    unique.push_back(
        names->makeUnique(mil::makeIdentifier(layer) + "_" + Twine(i)));
  SmallVector<StringRef> refs(unique.begin(), unique.end());
  return llvm::to_vector_of<Value>(
      mil::createStatement(builder, location(), type, sorted, types,
                           builder.getDictionaryAttr({}), refs)
          ->getResults());
}

Value ProgramBuilder::unary(StringRef type, Value x) {
  return emit(type, {{"x", x}}, elementOf(x), shapeOf(x));
}

Value ProgramBuilder::unary(StringRef type, Value x,
                            ArrayRef<std::pair<StringRef, double>> numbers) {
  SmallVector<mil::NewArgument> arguments = {{"x", x}};
  for (auto [name, value] : numbers)
    arguments.emplace_back(name, number(elementOf(x), value));
  return emit(type, arguments, elementOf(x), shapeOf(x));
}

Value ProgramBuilder::binary(StringRef type, Value x, Value y) {
  Shape left = shapeOf(x), right = shapeOf(y);
  if (elementOf(x) != elementOf(y)) {
    refuse("has inputs of different types");
    return x;
  }
  Shape shape = left.size() >= right.size() ? left : right;
  for (size_t i = 1; i <= std::min(left.size(), right.size()); ++i) {
    int64_t a = left[left.size() - i], b = right[right.size() - i];
    if (a != b && a != 1 && b != 1) {
      refuse("cannot broadcast " + describe(left) + " and " + describe(right) +
             " to each other");
      return x;
    }
    shape[shape.size() - i] = std::max(a, b);
  }
  bool compares = llvm::is_contained(
      {"greater", "less", "equal", "not_equal", "greater_equal", "less_equal"},
      type);
  return emit(type, {{"x", x}, {"y", y}},
              compares ? Type(builder.getI1Type()) : elementOf(x), shape);
}

Value ProgramBuilder::binary(StringRef type, Value x, double y) {
  return binary(type, x, number(elementOf(x), y));
}

Value ProgramBuilder::reshape(Value x, ArrayRef<int64_t> shape) {
  if (ArrayRef<int64_t>(shapeOf(x)) == shape)
    return x;
  std::optional<int64_t> count = countOf(shape);
  if (!count || *count != *countOf(shapeOf(x))) {
    refuse("cannot make " + describe(shapeOf(x)) + " to " + describe(shape));
    return x;
  }
  return emit("reshape", {{"shape", integers(shape)}, {"x", x}}, elementOf(x),
              shape);
}

Value ProgramBuilder::transpose(Value x, ArrayRef<int64_t> perm) {
  if (llvm::equal(perm, llvm::seq<int64_t>(0, perm.size())))
    return x;
  Shape from = shapeOf(x), shape, sorted(perm);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, from.size()))) {
    refuse("has an order of dimensions that is no permutation of " +
           Twine(from.size()));
    return x;
  }
  for (int64_t axis : perm)
    shape.push_back(from[axis]);
  return emit("transpose", {{"perm", integers(perm)}, {"x", x}}, elementOf(x),
              shape);
}

Value ProgramBuilder::slice(Value x, ArrayRef<int64_t> begin,
                            ArrayRef<int64_t> size) {
  if (ArrayRef<int64_t>(shapeOf(x)) == size)
    return x;
  for (auto [has, first, count] : llvm::zip_equal(shapeOf(x), begin, size))
    if (first < 0 || count < 1 || first > has - count) {
      refuse("takes " + Twine(count) + " elements from " + Twine(first) +
             " on of " + Twine(has));
      return x;
    }
  return emit("slice_by_size",
              {{"begin", integers(begin)}, {"size", integers(size)}, {"x", x}},
              elementOf(x), size);
}

Value ProgramBuilder::cast(Value x, Type element) {
  if (elementOf(x) == element)
    return x;
  StringRef name = element.isF16()                ? "fp16"
                   : element.isF32()              ? "fp32"
                   : element.isInteger(1)         ? "bool"
                   : element.isUnsignedInteger(8) ? "uint8"
                   : element.isInteger(8)         ? "int8"
                                                  : "int32";
  return emit("cast", {{"dtype", string(name)}, {"x", x}}, element, shapeOf(x));
}

Value ProgramBuilder::concat(ArrayRef<Value> values, int64_t axis) {
  if (values.size() == 1)
    return values[0];
  Shape shape = shapeOf(values[0]);
  for (Value value : values.drop_front()) {
    Shape other = shapeOf(value);
    bool fits = other.size() == shape.size() &&
                elementOf(value) == elementOf(values[0]) && axis >= 0 &&
                axis < int64_t(shape.size());
    for (size_t dim = 0; fits && dim < shape.size(); ++dim)
      fits = int64_t(dim) == axis || other[dim] == shape[dim];
    if (!fits) {
      refuse("cannot concatenate " + describe(shapeOf(values[0])) + " and " +
             describe(other) + " along dimension " + Twine(axis));
      return values[0];
    }
    shape[axis] += other[axis];
  }
  return emit("concat",
              {{"values", ValueRange(values)},
               {"axis", integer(axis)},
               {"interleave", boolean(false)}},
              elementOf(values[0]), shape);
}

Value ProgramBuilder::tile(Value x, ArrayRef<int64_t> repeats) {
  Shape shape = shapeOf(x);
  bool isNothing = true;
  for (auto [size, repeat] : llvm::zip_equal(shape, repeats)) {
    isNothing &= repeat == 1;
    if (repeat < 1 || llvm::MulOverflow(size, repeat, size)) {
      refuse("repeats a dimension " + Twine(repeat) + " times");
      return x;
    }
  }
  if (isNothing)
    return x;
  return emit("tile", {{"reps", integers(repeats)}, {"x", x}}, elementOf(x),
              shape);
}

Value ProgramBuilder::reduce(StringRef type, Value x, ArrayRef<int64_t> axes,
                             bool keepsDims) {
  Shape shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(x))) {
    bool isReduced = llvm::is_contained(axes, int64_t(dim));
    if (!isReduced || keepsDims)
      shape.push_back(isReduced ? 1 : size);
  }
  return emit(
      type,
      {{"x", x}, {"axes", integers(axes)}, {"keep_dims", boolean(keepsDims)}},
      elementOf(x), shape);
}

Value ProgramBuilder::softmax(Value x, int64_t axis) {
  return emit("softmax", {{"axis", integer(axis)}, {"x", x}}, elementOf(x),
              shapeOf(x));
}

Value ProgramBuilder::matmul(Value x, Value y, bool transposesX,
                             bool transposesY) {
  Shape left = shapeOf(x), right = shapeOf(y);
  if (left.size() < 2 || right.size() != left.size() ||
      elementOf(x) != elementOf(y)) {
    refuse("cannot multiply " + describe(left) + " and " + describe(right));
    return x;
  }
  size_t rank = left.size();
  Shape shape = left;
  bool fits =
      left[rank - (transposesX ? 2 : 1)] == right[rank - (transposesY ? 1 : 2)];
  for (size_t dim = 0; dim + 2 < rank; ++dim) {
    fits &= left[dim] == right[dim] || left[dim] == 1 || right[dim] == 1;
    shape[dim] = std::max(left[dim], right[dim]);
  }
  if (!fits) {
    refuse("cannot multiply " + describe(left) + " and " + describe(right));
    return x;
  }
  shape[rank - 2] = left[rank - (transposesX ? 1 : 2)];
  shape[rank - 1] = right[rank - (transposesY ? 2 : 1)];
  return emit("matmul",
              {{"x", x},
               {"y", y},
               {"transpose_x", boolean(transposesX)},
               {"transpose_y", boolean(transposesY)}},
              elementOf(x), shape);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

bool ProgramBuilder::applyWindow(Value x, const Window &window, Shape &shape) {
  shape = shapeOf(x);
  size_t dims = window.kernel.size();
  // Sizes of windows and padding that no value of the limits reaches.
  constexpr int64_t limit = int64_t(1) << 31;
  if (shape.size() != dims + 2) {
    refuse("has an input of rank " + Twine(shape.size()) + ", but " +
           Twine(dims + 2) + " is expected");
    return false;
  }
  for (size_t dim = 0; dim < dims; ++dim) {
    auto isSmall = [&](int64_t value, int64_t least) {
      return value >= least && value < limit;
    };
    if (!isSmall(window.kernel[dim], 1) || !isSmall(window.strides[dim], 1) ||
        !isSmall(window.dilations[dim], 1) || !isSmall(window.low[dim], 0) ||
        !isSmall(window.high[dim], 0)) {
      refuse("has a kernel of " + Twine(window.kernel[dim]) + ", a stride of " +
             Twine(window.strides[dim]) + ", a dilation of " +
             Twine(window.dilations[dim]) + " and padding of " +
             Twine(window.low[dim]) + " and " + Twine(window.high[dim]));
      return false;
    }
    int64_t size = shape[dim + 2] + window.low[dim] + window.high[dim];
    if (size < window.span(dim)) {
      refuse("has a kernel that spans " + Twine(window.span(dim)) + " of " +
             Twine(size) + " elements");
      return false;
    }
    shape[dim + 2] = (size - window.span(dim)) / window.strides[dim] + 1;
  }
  return true;
}

static Shape interleave(ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  Shape result;
  for (auto [l, h] : llvm::zip_equal(low, high))
    result.append({l, h});
  return result;
}

SmallVector<mil::NewArgument>
ProgramBuilder::windowArguments(Value x, const Window &window) {
  return {{"x", x},
          {"strides", integers(window.strides)},
          {"pad_type", string("custom")},
          {"pad", integers(interleave(window.low, window.high))}};
}

Value ProgramBuilder::conv(Value x, Value weight, Value bias,
                           const Window &window, int64_t groups) {
  Shape shape, kernel = shapeOf(weight);
  if (!applyWindow(x, window, shape))
    return x;
  if (groups < 1 || kernel.size() != shape.size() ||
      shapeOf(x)[1] != kernel[1] * groups || kernel[0] % groups) {
    refuse("has " + Twine(shapeOf(x)[1]) + " input channels, but weights of " +
           describe(kernel) + " in " + Twine(groups) + " groups");
    return x;
  }
  shape[1] = kernel[0];
  SmallVector<mil::NewArgument> arguments = windowArguments(x, window);
  arguments.emplace_back("weight", weight);
  arguments.emplace_back("dilations", integers(window.dilations));
  arguments.emplace_back("groups", integer(groups));
  if (bias)
    arguments.emplace_back("bias", bias);
  return emit("conv", arguments, elementOf(x), shape);
}

Value ProgramBuilder::convTranspose(Value x, Value weight, Value bias,
                                    const Window &window, int64_t groups) {
  Shape shape = shapeOf(x), kernel = shapeOf(weight);
  size_t dims = window.kernel.size();
  if (shape.size() != dims + 2 || kernel.size() != dims + 2 || groups < 1 ||
      kernel[0] != shape[1] || kernel[0] % groups) {
    refuse("has an input of " + describe(shape) + ", but weights of " +
           describe(kernel) + " in " + Twine(groups) + " groups");
    return x;
  }
  shape[1] = kernel[1] * groups;
  constexpr int64_t limit = int64_t(1) << 31;
  for (size_t dim = 0; dim < dims; ++dim) {
    for (int64_t value :
         {window.kernel[dim], window.strides[dim], window.dilations[dim],
          window.low[dim] + 1, window.high[dim] + 1})
      if (value < 1 || value >= limit) {
        refuse("has a kernel, stride, dilation or padding of " + Twine(value));
        return x;
      }
    shape[dim + 2] = (shape[dim + 2] - 1) * window.strides[dim] +
                     window.span(dim) - window.low[dim] - window.high[dim];
  }
  SmallVector<mil::NewArgument> arguments = windowArguments(x, window);
  arguments.emplace_back("weight", weight);
  arguments.emplace_back("dilations", integers(window.dilations));
  arguments.emplace_back("groups", integer(groups));
  if (bias)
    arguments.emplace_back("bias", bias);
  return emit("conv_transpose", arguments, elementOf(x), shape);
}

Value ProgramBuilder::pool(StringRef type, Value x, const Window &window,
                           bool countsPadding) {
  Shape shape;
  if (!applyWindow(x, window, shape))
    return x;
  SmallVector<mil::NewArgument> arguments = windowArguments(x, window);
  arguments.emplace_back("kernel_sizes", integers(window.kernel));
  arguments.emplace_back("ceil_mode", boolean(false));
  if (type == "avg_pool")
    arguments.emplace_back("exclude_padding_from_average",
                           boolean(!countsPadding));
  return emit(type, arguments, elementOf(x), shape);
}

Value ProgramBuilder::pad(Value x, ArrayRef<int64_t> low,
                          ArrayRef<int64_t> high, StringRef mode,
                          double value) {
  Shape shape = shapeOf(x);
  for (auto [size, l, h] : llvm::zip_equal(shape, low, high)) {
    if (l < 0 || h < 0 || l > maxElements || h > maxElements) {
      refuse("has padding of " + Twine(l) + " and " + Twine(h));
      return x;
    }
    size += l + h;
  }
  if (shape == shapeOf(x))
    return x;
  return emit("pad",
              {{"x", x},
               {"pad", integers(interleave(low, high))},
               {"mode", string(mode)},
               {"constant_val", number(elementOf(x), value)}},
              elementOf(x), shape);
}
