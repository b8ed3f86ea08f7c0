//===- FunctionInfo.h - What is known of each function ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of ANEFunctions.td, and a stack machine that carries out a
// definition over anything: numbers, ranges, ops of a dialect.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_FUNCTIONINFO_H
#define ANE_DIALECT_ANE_IR_FUNCTIONINFO_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "llvm/ADT/SmallVector.h"

namespace mlir::ane {

/// A step pushes its value; a function takes one value from the stack, a pair
/// two.
struct FunctionStep {
  enum Kind : uint8_t { Argument, Alpha, Beta, Number, Function, Pair };
  Kind kind;
  int32_t
      function; ///< of Function an ActivationKind, of Pair an ElementwiseKind
  double alpha, beta; ///< parameters of Function; alpha is the value of Number
};

struct FunctionInfo {
  ActivationKind kind;
  int parameters;    ///< how many of alpha and beta it has
  bool canStretch;   ///< of x / alpha where alpha is not 0
  bool isOnePass;    ///< the engine computes it by a table or an epilogue
  bool isFused;      ///< ops that spell the definition become the function
  double low, high;  ///< bounds of its results
  StringLiteral mil; ///< the MIL operation of x that is this function, or ""
  ArrayRef<FunctionStep> definition; ///< empty where it has none
};

const FunctionInfo &infoOf(ActivationKind kind);
ArrayRef<FunctionInfo> allFunctions();

/// Carries out the definition of `function`, which has one, at `x`. `visitor`
/// has
///   T number(double), T apply(ActivationAttr, T), T apply(ElementwiseKind, T,
///   T).
template <typename T, typename Visitor>
T evaluateDefinition(ActivationAttr function, const T &x, Visitor &&visitor) {
  SmallVector<T, 4> stack;
  for (const FunctionStep &step : infoOf(function.getKind()).definition) {
    switch (step.kind) {
    case FunctionStep::Argument:
      stack.push_back(x);
      break;
    case FunctionStep::Alpha:
      stack.push_back(visitor.number(function.getAlpha()));
      break;
    case FunctionStep::Beta:
      stack.push_back(visitor.number(function.getBeta()));
      break;
    case FunctionStep::Number:
      stack.push_back(visitor.number(step.alpha));
      break;
    case FunctionStep::Function:
      stack.back() = visitor.apply(
          ActivationAttr::get(function.getContext(),
                              static_cast<ActivationKind>(step.function),
                              step.alpha, step.beta),
          stack.back());
      break;
    case FunctionStep::Pair: {
      T rhs = stack.pop_back_val();
      stack.back() = visitor.apply(static_cast<ElementwiseKind>(step.function),
                                   stack.back(), rhs);
      break;
    }
    }
  }
  assert(stack.size() == 1 && "ane-tblgen writes one value");
  return stack.back();
}

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_IR_FUNCTIONINFO_H
