//===- EvaluateOps.h - What ane tensor ops compute --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of each op on arrays in row-major order. Sums run over their
// elements in order; arrays that may be missing are null.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_CONSTANTS_EVALUATEOPS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_CONSTANTS_EVALUATEOPS_H

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"

namespace mlir::ane {

Array evaluateElementwise(ElementwiseOp op, const Array &lhs, const Array &rhs);
Array evaluateConv(ConvOp op, const Array &input, const Array &weight,
                   const Array *bias, const Array *scale);
Array evaluateConvTranspose(ConvTransposeOp op, const Array &input,
                            const Array &weight, const Array *bias,
                            const Array *scale);
Array evaluateMatmul(MatmulOp op, const Array &lhs, const Array &rhs);
Array evaluatePool(PoolOp op, const Array &input);
Array evaluateReduce(ReduceOp op, const Array &input);
Array evaluateSoftmax(SoftmaxOp op, const Array &input);
Array evaluateNorm(Value result, const Array &input, ArrayRef<int64_t> axes,
                   float epsilon, bool centered, const Array *gamma,
                   const Array *beta);
Array evaluateAttention(AttentionOp op,
                        llvm::function_ref<const Array &(Value)> get);
Array evaluateConcat(ConcatOp op, ArrayRef<Array> inputs);
Array evaluateSlice(SliceOp op, const Array &input);
Array evaluatePad(PadOp op, const Array &input);
Array evaluateTranspose(TransposeOp op, const Array &input);
FailureOr<Array> evaluateResize(ResizeOp op, const Array &input);
Array evaluateTile(TileOp op, const Array &input);
Array evaluateInterleave(InterleaveOp op, const Array &input);
Array evaluateRuntimeConv(RuntimeConvOp op, const Array &input,
                          const Array &planes);
Array evaluateActivation(ActivationOp op, const Array &input);
Array evaluateCompare(CompareOp op, const Array &lhs, const Array &rhs);
Array evaluateSelect(SelectOp op, const Array &condition, const Array &yes,
                     const Array &no);
Array evaluateReshape(Value result, const Array &input);
Array evaluateCast(CastOp op, const Array &input);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_CONSTANTS_EVALUATEOPS_H
