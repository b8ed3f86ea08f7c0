//===- FuzzBytecode.cpp - Modules of our dialects, as text and bytecode ---===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text is a module or an error. A module is the same after a trip through
// text and through bytecode, which spells types and attributes of our dialects
// as text does. The bytes after a zero choose attributes and types that no text
// has to spell before them: they make the same trips.
//
// Bytecode itself is not changed: what MLIR's own reader makes of that is no
// concern of these dialects.
//
//===----------------------------------------------------------------------===//

#include "FuzzContext.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Support/Nesting.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Attributes and types from bytes; zeros where there are no more.
/// Which byte decides what may differ between compilers.
class Chooser {
public:
  Chooser(MLIRContext &context, StringRef bytes)
      : builder(&context), context(&context), bytes(bytes) {}

  bool isDone() const { return bytes.empty(); }

  /// Null where the choice is none that the verifier takes.
  Attribute attribute() {
    switch (choose(8)) {
    case 0:
      return getChecked<ActivationAttr>(ActivationKind(choose(41)),
                                        APFloat(number<double>()),
                                        APFloat(number<double>()));
    case 1:
      return getChecked<TileAttr>(integer<int16_t>(), integer<int8_t>(),
                                  integer<int64_t>(), integer<int8_t>(),
                                  integer<int64_t>());
    case 2:
      return MemorySpaceAttr::get(context, MemorySpace(choose(3)));
    case 3:
      return ResidencyAttr::get(context, Residency(choose(3)));
    case 4: {
      SmallVector<uint32_t> words(choose(66));
      for (uint32_t &word : words)
        word = number<uint32_t>();
      std::optional<uint32_t> follow, base;
      if (choose(2))
        follow = number<uint16_t>();
      if (choose(2))
        base = number<uint8_t>();
      return getChecked<hwx::RecordAttr>(number<uint32_t>(),
                                         ArrayRef<uint32_t>(words), follow,
                                         base, number<uint32_t>());
    }
    case 5:
      return mil::BlobFileAttr::get(type(), text(), number<uint64_t>());
    case 6: {
      SmallVector<Attribute> elements(choose(4));
      for (Attribute &element : elements)
        element = StringAttr::get(text(), type());
      return mil::CompoundAttr::get(type(), builder.getArrayAttr(elements));
    }
    default:
      return TypeAttr::get(type());
    }
  }

private:
  template <typename T> T number() {
    T value = 0;
    size_t size = std::min(sizeof(T), bytes.size());
    std::copy_n(bytes.begin(), size, reinterpret_cast<char *>(&value));
    bytes = bytes.drop_front(size);
    return value;
  }
  template <typename T> int64_t integer() { return number<T>(); }
  unsigned choose(unsigned count) { return number<uint8_t>() % count; }
  std::string text() {
    size_t size = std::min<size_t>(choose(16), bytes.size());
    std::string result = bytes.take_front(size).str();
    bytes = bytes.drop_front(size);
    return result;
  }
  Type type(unsigned depth = 0) {
    switch (choose(depth > 3 ? 4 : 9)) {
    case 0:
      return builder.getF16Type();
    case 1:
      return builder.getI32Type();
    case 2:
      return RankedTensorType::get({number<uint16_t>()}, builder.getF16Type());
    case 3:
      return mil::StringType::get(context);
    case 4:
      return RankedTensorType::get({number<uint16_t>()},
                                   mil::StringType::get(context));
    case 5:
      return mil::StateType::get(context, type(depth + 1));
    case 6:
      return mil::ListType::get(context, type(depth + 1), number<int64_t>());
    case 7: {
      SmallVector<Type> elements(choose(4));
      for (Type &element : elements)
        element = type(depth + 1);
      return mil::TupleType::get(context, elements);
    }
    default:
      return mil::DictType::get(context, type(depth + 1), type(depth + 1));
    }
  }
  template <typename T, typename... Args> Attribute getChecked(Args &&...args) {
    return T::getChecked([&] { return emitError(builder.getUnknownLoc()); },
                         context, std::forward<Args>(args)...);
  }

  Builder builder;
  MLIRContext *context;
  StringRef bytes;
};

} // namespace

static OwningOpRef<ModuleOp> read(StringRef text, MLIRContext &context) {
  std::string bytes = text.str(); // the lexer looks for a zero at its end
  return parseSourceString<ModuleOp>(bytes, ParserConfig(&context));
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

static std::string writeBytecode(ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecodeToFile(module, os)))
    std::abort();
  return bytes;
}

static void compare(ModuleOp module, StringRef form, StringRef kind) {
  OwningOpRef<ModuleOp> again = read(form, *module.getContext());
  if (again && OperationEquivalence::isEquivalentTo(
                   module, *again, OperationEquivalence::IgnoreLocations))
    return;
  llvm::errs() << "not the same through " << kind << ":\n" << print(module);
  if (again)
    llvm::errs() << "but\n" << print(*again);
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext &context =
      getRenewedContext<ANEDialect, hwx::HWXDialect, mil::MILDialect,
                        func::FuncDialect>();
  auto [text, choices] =
      StringRef(reinterpret_cast<const char *>(data), size).split('\0');
  // Resources are MLIR's, which names them anew in each text; how deep text
  // nests is bounded before it.
  if (text.contains("{-#") || text.contains("dense_resource") ||
      isBytecode(llvm::MemoryBufferRef(text, "text")) ||
      ::ane::findTooDeep({text.data(), text.size()}) != StringRef::npos)
    return 0;
  OwningOpRef<ModuleOp> module = read(text, context);
  if (!module)
    return 0;
  Chooser chooser(context, choices);
  SmallVector<Attribute> chosen;
  while (!chooser.isDone())
    if (Attribute attribute = chooser.attribute())
      chosen.push_back(attribute);
  if (!chosen.empty())
    (*module)->setAttr("fuzz.chosen", ArrayAttr::get(&context, chosen));
  compare(*module, print(*module), "text");
  compare(*module, writeBytecode(*module), "bytecode");
  return 0;
}
