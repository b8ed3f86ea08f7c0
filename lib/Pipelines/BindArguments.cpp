//===- BindArguments.cpp - Arguments that become constants ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BindArguments.h says what a binding is. A .npy file is mapped, and the
// mapping itself becomes the resource of the constant: nothing is copied before
// folding.
//
//===----------------------------------------------------------------------===//

#include "ane/Pipelines/BindArguments.h"

#include "Arguments.h"

#include "ane/Conversion/FunctionImporter.h"
#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Files/InputFiles.h"
#include "ane/Support/MappedPages.h"
#include "ane/Support/Npy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <memory>
#include <optional>

using namespace mlir;
using namespace mlir::ane;

namespace {

/// What stands after the `=` of a binding.
struct Source {
  StringRef path; // of a .npy file; else random
  uint64_t seed = 0;
  std::optional<double> scale;
};

/// One binding, as written and taken apart.
struct Binding {
  StringRef text;
  unsigned first, last; // arguments
  Source source;
};

} // namespace

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static InFlightDiagnostic emitBindingError(const CompiledFunction &function,
                                           StringRef text) {
  // At the place, not at the op: the diagnostic would print all of it.
  return emitError(function.getLoc()) << "binding '" << text << "' ";
}

static LogicalResult parseSource(const CompiledFunction &function,
                                 StringRef text, StringRef value,
                                 Source &source) {
  if (value.consume_front("@")) {
    if (value.empty())
      return emitBindingError(function, text) << "names no file; write N=@FILE";
    source.path = value;
    return success();
  }
  if (!value.consume_front("random:"))
    return emitBindingError(function, text)
           << "gives '" << value
           << "', but only @FILE and random:SEED[:SCALE] are values";
  auto [seed, scale] = value.split(':');
  if (seed.getAsInteger(0, source.seed))
    return emitBindingError(function, text)
           << "has the seed '" << seed << "', but a seed is a number from 0 on";
  if (value.contains(':')) {
    double number;
    if (scale.getAsDouble(number) || !std::isfinite(number) || number < 0)
      return emitBindingError(function, text)
             << "has the scale '" << scale
             << "', but a scale is a finite number from 0 on";
    source.scale = number;
  }
  return success();
}

static FailureOr<Binding> parseBinding(const CompiledFunction &function,
                                       StringRef text) {
  if (!text.contains('='))
    return emitBindingError(function, text)
           << "has no '='; write N=@FILE or N=random:SEED[:SCALE]";
  auto [name, value] = text.split('=');
  Binding binding{text, 0, 0, {}};
  if (failed(parseSource(function, text, value, binding.source)))
    return failure();
  std::optional<unsigned> first = function.findArgument(name), last = first;
  auto [low, high] = name.split('-');
  if (!first && !low.empty() && !high.empty()) {
    first = function.findArgument(low);
    last = function.findArgument(high);
  }
  if (!first || !last || *first > *last)
    return emitBindingError(function, text)
           << "names no argument of '" << function.getName() << "', which has "
           << function.getBody().getNumArguments();
  if (*first != *last && !binding.source.path.empty())
    return emitBindingError(function, text)
           << "gives one file to several arguments; bind each of them";
  binding.first = *first;
  binding.last = *last;
  return binding;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// What numpy calls such elements; "" where it has none.
static std::string numpyName(Type elementType) {
  if (elementType.isF32() || elementType.isF16())
    return elementType.isF32() ? "float32" : "float16";
  auto integer = dyn_cast<IntegerType>(elementType);
  if (!integer || integer.getWidth() % 8 ||
      (integer.isUnsigned() && integer.getWidth() > 8))
    return "";
  return (integer.isUnsigned() ? "uint" : "int") +
         std::to_string(integer.getWidth());
}

namespace {
/// A file, mapped unless it is small: then its pages may leave memory.
struct MappedFile {
  explicit MappedFile(std::unique_ptr<llvm::MemoryBuffer> buffer)
      : buffer(std::move(buffer)) {
    if (this->buffer->getBufferKind() ==
        llvm::MemoryBuffer::MemoryBuffer_MMap) {
      StringRef bytes = this->buffer->getBuffer();
      pages.emplace(absl::MakeConstSpan(
          reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
    }
  }

  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::optional<::ane::MappedPages> pages; // gone before the buffer
};
} // namespace

/// Bytes of the file after the header, which keep the file mapped.
static AsmResourceBlob takeData(std::unique_ptr<llvm::MemoryBuffer> file,
                                absl::Span<const uint8_t> data) {
  ArrayRef<char> bytes(reinterpret_cast<const char *>(data.data()),
                       data.size());
  constexpr size_t alignment = 16;
  if (!llvm::isAddrAligned(llvm::Align(alignment), bytes.data()))
    return HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, alignment);
  return AsmResourceBlob(
      bytes, alignment,
      [owned = std::make_shared<MappedFile>(std::move(file)),
       data](void *, size_t, size_t) { ::ane::releasePages(data); },
      /*dataIsMutable=*/false);
}

static FailureOr<AsmResourceBlob> readFile(BlockArgument arg,
                                           const Binding &binding) {
  auto type = cast<RankedTensorType>(arg.getType());
  auto fail = [&] {
    InFlightDiagnostic diagnostic = emitError(arg.getLoc());
    diagnostic << "binding '" << binding.text << "': '" << binding.source.path
               << "' ";
    return diagnostic;
  };
  auto file = readInput(binding.source.path);
  if (!file) {
    fail() << "cannot be read: " << file.getError().message();
    return failure();
  }
  StringRef bytes = (*file)->getBuffer();
  absl::StatusOr<::ane::npy::View> view = ::ane::npy::parse(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  if (!view.ok()) {
    absl::string_view message = view.status().message();
    fail() << "is no array: " << StringRef(message.data(), message.size());
    return failure();
  }
  bool sameShape =
      view->shape.size() == size_t(type.getRank()) &&
      std::equal(view->shape.begin(), view->shape.end(),
                 type.getShape().begin(),
                 [](uint64_t a, int64_t b) { return a == uint64_t(b); });
  StringRef typeName = ::ane::npy::typeName(view->type);
  if (typeName != numpyName(type.getElementType()) || !sameShape) {
    std::string wanted = numpyName(type.getElementType());
    auto diagnostic = fail();
    diagnostic << "holds " << typeName << " of shape "
               << ::ane::npy::shapeText(view->shape) << ", but argument #"
               << arg.getArgNumber() << " is " << type;
    if (sameShape)
      diagnostic << "; save array.astype('" << wanted << "') of it";
    return failure();
  }
  absl::Span<const uint8_t> data = view->data;
  return takeData(std::move(*file), data);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A mixing function with full avalanche (the finaliser of splitmix64).
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Uniform in (0, 1], so that its logarithm exists.
static float uniform(uint32_t bits) {
  return (static_cast<float>(bits >> 8) + 1.0f) * 0x1p-24f;
}

/// The standard deviation that keeps the size of activations, if `shape` is
/// that of a weight.
static std::optional<double> weightScale(ArrayRef<int64_t> shape) {
  if (llvm::count_if(shape, [](int64_t size) { return size > 1; }) < 2)
    return std::nullopt;
  int64_t fanIn = 1;
  for (int64_t size : shape.drop_front())
    fanIn *= size;
  // 1 x K x N is a matrix that rows are multiplied by.
  if (shape.size() == 3 && shape[0] == 1)
    fanIn = shape[1];
  return std::sqrt(2.0 / static_cast<double>(fanIn));
}

static void fillRandom(MutableArrayRef<float> out, uint64_t key,
                       std::optional<double> scale) {
  for (size_t i = 0; i < out.size(); i += 2) {
    uint64_t bits = mix(key + i);
    float a = uniform(bits >> 32), b = uniform(bits);
    if (scale) { // Box and Muller
      float radius = static_cast<float>(*scale) * std::sqrt(-2 * std::log(a));
      float angle = 2 * llvm::numbers::pif * b;
      a = radius * std::cos(angle);
      b = radius * std::sin(angle);
    } else {
      a = 0.2f + 0.8f * (1.0f - a);
      b = 0.2f + 0.8f * (1.0f - b);
    }
    out[i] = a;
    if (i + 1 < out.size())
      out[i + 1] = b;
  }
}

static AsmResourceBlob makeRandom(BlockArgument arg, const Source &source) {
  auto type = cast<RankedTensorType>(arg.getType());
  AsmResourceBlob blob =
      allocateConstant(type.getNumElements() * sizeof(float));
  MutableArrayRef<float> values = getMutable<float>(blob);
  std::optional<double> scale =
      source.scale ? source.scale : weightScale(type.getShape());
  fillRandom(values, mix(mix(source.seed) + arg.getArgNumber()), scale);
  if (type.getElementType().isF32())
    return blob;
  AsmResourceBlob half =
      allocateConstant(type.getNumElements() * sizeof(uint16_t));
  convertToHalf(values, getMutable<uint16_t>(half).data());
  return half;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static LogicalResult checkArgument(BlockArgument arg, const Binding &binding) {
  auto type = dyn_cast<RankedTensorType>(arg.getType());
  bool isFloat = type && isa<Float16Type, Float32Type>(type.getElementType());
  bool isFile = !binding.source.path.empty();
  if (type && type.hasStaticShape() &&
      (isFloat || (isFile && !numpyName(type.getElementType()).empty())))
    return success();
  return emitError(arg.getLoc())
         << "binding '" << binding.text << "': argument #" << arg.getArgNumber()
         << " is " << arg.getType() << ", but only tensors of f32 and f16 "
         << (isFile ? "and integers " : "") << "with a fixed shape can be bound"
         << (isFile ? "" : " to random numbers");
}

/// A constant of the dialect that `function` is written in. Integers stay in
/// the IR: importers look into them.
static Value createConstantOf(const CompiledFunction &function,
                              BlockArgument arg, AsmResourceBlob &&blob,
                              OpBuilder &builder) {
  auto type = cast<RankedTensorType>(arg.getType());
  bool isFloat = isa<FloatType>(type.getElementType());
  if (isFloat && !function.isMIL())
    return createConstant(builder, arg.getLoc(), type, std::move(blob));
  ElementsAttr value =
      isFloat ? makeConstantAttr(type, std::move(blob))
              : DenseElementsAttr::getFromRawBuffer(type, blob.getData());
  if (!function.isMIL())
    return arith::ConstantOp::create(builder, arg.getLoc(), value);
  return mil::ConstOp::create(builder, arg.getLoc(), type, value,
                              /*is_inline=*/false,
                              builder.getDictionaryAttr({}),
                              /*result_name=*/nullptr);
}

static LogicalResult bindArgument(const CompiledFunction &function,
                                  BlockArgument arg, const Binding &binding,
                                  OpBuilder &builder) {
  if (failed(checkArgument(arg, binding)))
    return failure();
  FailureOr<AsmResourceBlob> blob =
      binding.source.path.empty()
          ? FailureOr<AsmResourceBlob>(makeRandom(arg, binding.source))
          : readFile(arg, binding);
  if (failed(blob))
    return failure();
  arg.replaceAllUsesWith(
      createConstantOf(function, arg, std::move(*blob), builder));
  return success();
}

LogicalResult mlir::ane::bindArguments(ModuleOp module, StringRef name,
                                       ArrayRef<std::string> bindings) {
  if (bindings.empty())
    return success();
  FailureOr<CompiledFunction> function = CompiledFunction::find(module, name);
  if (failed(function))
    return failure();
  function->eraseCallers();
  module.getContext()->loadDialect<ANEDialect, arith::ArithDialect>();
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToStart(&function->getBody());
  llvm::BitVector bound(function->getBody().getNumArguments());
  for (StringRef text : bindings) {
    FailureOr<Binding> binding = parseBinding(*function, text);
    if (failed(binding))
      return failure();
    for (unsigned i = binding->first; i <= binding->last; ++i) {
      if (bound.test(i))
        return emitBindingError(*function, text)
               << "binds argument #" << i << " a second time";
      bound.set(i);
      if (failed(bindArgument(*function, function->getBody().getArgument(i),
                              *binding, builder)))
        return failure();
    }
  }
  return function->eraseArguments(bound);
}

namespace {
/// The function above as a pass, for tests and for hand-made pipelines.
struct BindArgumentsPass
    : PassWrapper<BindArgumentsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BindArgumentsPass)

  BindArgumentsPass() = default;
  BindArgumentsPass(const BindArgumentsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "ane-bind-arguments"; }
  StringRef getDescription() const override {
    return "Replace arguments of a function by constants";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ANEDialect, arith::ArithDialect>();
  }
  void runOnOperation() override {
    std::vector<std::string> texts(bindings.begin(), bindings.end());
    if (failed(bindArguments(getOperation(), function, texts)))
      signalPassFailure();
  }

  ListOption<std::string> bindings{
      *this, "bind",
      llvm::cl::desc("Values of arguments: N=@FILE.npy or "
                     "N=random:SEED[:SCALE]; N is a number from 0, a "
                     "range such as 1-62, or an ane.name")};
  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("The function with these arguments, if the module has "
                     "several")};
};
} // namespace

void mlir::ane::registerBindArgumentsPass() {
  PassRegistration<BindArgumentsPass>();
}
