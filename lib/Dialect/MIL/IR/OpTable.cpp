//===- OpTable.cpp - The table of MIL operations --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/OpTable.h"
#include "ane/Dialect/MIL/IR/MIL.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane::mil;

#include "ane/Dialect/MIL/IR/MILOpTable.inc"

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

const OpInfo *mlir::ane::mil::lookupOp(StringRef name) {
  const OpInfo *row =
      llvm::lower_bound(kOps, name, [](const OpInfo &op, StringRef key) {
        return op.name < key;
      });
  return row != std::end(kOps) && row->name == name ? row : nullptr;
}

const ArgumentInfo *OpInfo::getArgument(StringRef name) const {
  for (const ArgumentInfo &argument : arguments)
    if (argument.name == name)
      return &argument;
  return nullptr;
}

ElementSet ArgumentInfo::getElements(unsigned opset) const {
  return elements[std::clamp(opset, kFirstOpset, kLastOpset) - kFirstOpset];
}

bool ArgumentInfo::accepts(Element element, unsigned opset) const {
  ElementSet set = getElements(opset);
  return !set || (set >> unsigned(element) & 1);
}

std::optional<int64_t> ArgumentInfo::getDefaultInteger() const {
  int64_t value;
  return defaultText.getAsInteger(10, value) ? std::nullopt
                                             : std::optional(value);
}

std::optional<double> ArgumentInfo::getDefaultNumber() const {
  double value;
  return defaultText.getAsDouble(value) ? std::nullopt : std::optional(value);
}

std::optional<bool> ArgumentInfo::getDefaultBool() const {
  if (defaultText != "true" && defaultText != "false")
    return std::nullopt;
  return defaultText == "true";
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

// In the order of `Element`. The fp8 names are a *guess*: no public text has
// them.
static constexpr StringRef kElementNames[] = {
    "bf16",    "bool",  "fp16",   "fp32",  "fp64",  "fp8e4m3fn",
    "fp8e5m2", "int16", "int32",  "int4",  "int64", "int8",
    "string",  "uint1", "uint16", "uint2", "uint3", "uint32",
    "uint4",   "uint6", "uint64", "uint8"};

StringRef mlir::ane::mil::getName(Element element) {
  return kElementNames[unsigned(element)];
}

std::optional<Element> mlir::ane::mil::parseElement(StringRef name) {
  const StringRef *known = llvm::lower_bound(kElementNames, name);
  if (known == std::end(kElementNames) || *known != name)
    return std::nullopt;
  return Element(known - std::begin(kElementNames));
}

static std::optional<Element> getIntegerElement(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return isUnsigned ? Element::uint1 : Element::boolean;
  case 2:
    return isUnsigned ? std::optional(Element::uint2) : std::nullopt;
  case 3:
    return isUnsigned ? std::optional(Element::uint3) : std::nullopt;
  case 4:
    return isUnsigned ? Element::uint4 : Element::int4;
  case 6:
    return isUnsigned ? std::optional(Element::uint6) : std::nullopt;
  case 8:
    return isUnsigned ? Element::uint8 : Element::int8;
  case 16:
    return isUnsigned ? Element::uint16 : Element::int16;
  case 32:
    return isUnsigned ? Element::uint32 : Element::int32;
  case 64:
    return isUnsigned ? Element::uint64 : Element::int64;
  default:
    return std::nullopt;
  }
}

std::optional<Element> mlir::ane::mil::getElement(Type type) {
  if (auto state = dyn_cast<StateType>(type))
    type = state.getWrapped();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  if (auto integer = dyn_cast<IntegerType>(type))
    return getIntegerElement(integer);
  using Result = std::optional<Element>;
  return llvm::TypeSwitch<Type, Result>(type)
      .Case<Float16Type>([](auto) { return Element::fp16; })
      .Case<Float32Type>([](auto) { return Element::fp32; })
      .Case<Float64Type>([](auto) { return Element::fp64; })
      .Case<BFloat16Type>([](auto) { return Element::bf16; })
      .Case<Float8E4M3FNType>([](auto) { return Element::fp8e4m3fn; })
      .Case<Float8E5M2Type>([](auto) { return Element::fp8e5m2; })
      .Case<StringType>([](auto) { return Element::string; })
      .Default([](Type) { return std::nullopt; });
}

std::string mlir::ane::mil::describe(ElementSet elements) {
  std::string result;
  for (unsigned i = 0; elements; ++i, elements >>= 1)
    if (elements & 1) {
      if (!result.empty())
        result += elements == 1 ? " or " : ", ";
      result += kElementNames[i];
    }
  return result.empty() ? "any type" : result;
}
