//===- VerifyUtils.h - What the verifiers of the ane ops share --*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op has one function that checks operands and attributes and computes the
// type of the result. Type inference calls it, and so does the verifier, which
// then compares. Every rule has an id (`conv_c1`) in a comment where it is
// checked; test/Dialect/ANE/errors.mlir has a function of this name.
//
// Limits of a generation of the engine are not checked here: ane-legalize does.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_IR_VERIFYUTILS_H
#define ANE_LIB_DIALECT_ANE_IR_VERIFYUTILS_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"

namespace mlir::ane::detail {

/// Starts an error at the op in question. Empty where nobody wants to hear.
using EmitError = llvm::function_ref<InFlightDiagnostic()>;
using InferredType = FailureOr<RankedTensorType>;

/// An error whose parts are only put together when somebody listens.
template <typename... Args> LogicalResult fail(EmitError emit, Args &&...args) {
  if (emit) {
    InFlightDiagnostic diagnostic = emit();
    (diagnostic << ... << std::forward<Args>(args));
  }
  return failure();
}

/// No dimension and no attribute is larger, so that sums and products of two of
/// them cannot overflow.
constexpr int64_t maxExtent = int64_t(1) << 31;

LogicalResult checkRank(EmitError emit, StringRef name, RankedTensorType type,
                        int64_t rank);
/// `values` has `count` entries, each in [low, high].
LogicalResult checkArray(EmitError emit, StringRef name,
                         ArrayRef<int64_t> values, size_t count, int64_t low,
                         int64_t high = maxExtent);
/// No dimension is above `maxExtent`.
LogicalResult checkExtents(EmitError emit, StringRef name,
                           RankedTensorType type);

/// Each of `axes` is a dimension of a tensor of this rank, and they increase.
LogicalResult checkAxes(EmitError emit, ArrayRef<int64_t> axes, int64_t rank);

/// The element type of what an op computes from `operands`: the one that is not
/// f32, or f32 when all are. Fails when two differ, or (`allowF32` aside) when
/// there is only f32.
FailureOr<Type> getDataType(EmitError emit,
                            ArrayRef<RankedTensorType> operands);

/// f32 stands on what is computed from constants only. By induction it suffices
/// that an f32 operand is neither an argument nor what a cast made of f16.
LogicalResult checkConstantsOnly(Operation *op);

/// Compares the type of the result with the inferred one.
LogicalResult checkResult(Operation *op, InferredType inferred);

/// The whole verifier of an op whose `infer` is given.
template <typename OpT>
LogicalResult verifyInferred(OpT op,
                             InferredType (*infer)(typename OpT::Adaptor,
                                                   EmitError)) {
  auto emit = [&] { return op.emitOpError(); };
  InferredType inferred = infer(typename OpT::Adaptor(op), emit);
  if (failed(inferred) || failed(checkResult(op, inferred)))
    return failure();
  return checkConstantsOnly(op);
}

/// The whole type inference of such an op.
template <typename AdaptorT>
LogicalResult inferWith(std::optional<Location> location, StringRef name,
                        AdaptorT adaptor, SmallVectorImpl<Type> &types,
                        InferredType (*infer)(AdaptorT, EmitError)) {
  auto emitAt = [&] { return emitError(*location) << "'" << name << "' op "; };
  InferredType inferred =
      infer(adaptor, location ? EmitError(emitAt) : EmitError());
  if (failed(inferred))
    return failure();
  types.push_back(*inferred);
  return success();
}

} // namespace mlir::ane::detail

/// Defines type inference and verifier of an op by its `infer` function.
#define ANE_DEFINE_INFERENCE(OP, INFER)                                        \
  LogicalResult OP::verify() { return verifyInferred<OP>(*this, INFER); }      \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location> location, Adaptor adaptor,        \
      SmallVectorImpl<Type> &types) {                                          \
    return inferWith<Adaptor>(location, getOperationName(), adaptor, types,    \
                              INFER);                                          \
  }

#endif // ANE_LIB_DIALECT_ANE_IR_VERIFYUTILS_H
