//===- Spelling.h - Types and values as MIL spells them ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MIL has two spellings. In program(1.0) a scalar is a tensor of rank 0, in
// program(1.3) it has a type of its own:
//
//    program(1.0)   tensor<fp16, []>(0x1p-1)   tensor<string, []>("valid")
//    program(1.3)   fp16(0x1p-1)               string("valid")
//
// Floats are C99 hexadecimal with the shortest mantissa, of the value as its
// type holds it; tensors are nested brackets, never shortened.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MIL_SPELLING_H
#define ANE_LIB_TARGET_MIL_SPELLING_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace mlir::ane::mil {

/// Bits of an element: 1 for bool, 0 for what a file cannot hold.
unsigned getBitWidth(Type element);

/// Writes types and literals. Each method returns failure, without a message,
/// for what MIL cannot say.
class Spelling {
public:
  Spelling(raw_ostream &os, bool scalarsAreTensors)
      : os(os), scalarsAreTensors(scalarsAreTensors) {}

  LogicalResult printType(Type type);
  /// `type(literal)`; `type` is that of the result, to which f32 is rounded.
  /// `written`: elements before they were rounded, or nothing.
  LogicalResult printValue(Attribute value, Type type,
                           ArrayRef<double> written = {});
  /// Why printValue failed, if a number is beyond its type.
  std::optional<double> getOverflow() const { return overflow; }
  void printString(StringRef value);
  /// Of a value that fp64 holds exactly.
  static void printFloat(raw_ostream &os, double value);

private:
  void printNumber(int64_t index, const llvm::APFloat &rounded);
  LogicalResult printElement(const char *data, Type element, Type target,
                             int64_t index);
  LogicalResult printLiteral(Attribute value, Type type);
  LogicalResult printElements(ElementsAttr value, Type element);
  LogicalResult printSequence(ArrayAttr values, ArrayRef<Type> types, char open,
                              char close);
  LogicalResult printCompound(ArrayAttr value, Type type);

  raw_ostream &os;
  bool scalarsAreTensors;
  ArrayRef<double> written;
  std::optional<double> overflow;
};

/// The bytes of a tensor value, one element after the other in the storage of
/// its own type, and whether one stands for all. Sub-byte elements are one a
/// byte or, in resources from weight files, packed (BlobPacking.h).
struct RawElements {
  ArrayRef<char> bytes;
  bool isSplat;
  Type element;
  bool isPacked = false;
};
FailureOr<RawElements> getRawElements(ElementsAttr value);

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MIL_SPELLING_H
