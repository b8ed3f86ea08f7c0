//===- ProgramBuilder.cpp - Statements for layers -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "ane/Target/MLPackage/MLPackage.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::models;

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

mil::StatementBuilder ProgramBuilder::statements() {
  return mil::StatementBuilder(builder, *names, location(),
                               mil::makeIdentifier(layer));
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
