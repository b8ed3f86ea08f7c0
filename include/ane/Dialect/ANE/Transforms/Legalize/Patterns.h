//===- Patterns.h - What the engine cannot do in one pass -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern that finds no way leaves its op alone: ane-legalize reports it with
// the row of the constraint table that stands in the way.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_PATTERNS_H
#define ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_PATTERNS_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/FunctionPattern.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// A pattern that looks at what it lowers for.
template <typename OpT, int benefit = 1>
struct DecomposePattern : OpRewritePattern<OpT> {
  DecomposePattern(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern<OpT>(context, benefit), options(options),
        info(options.generation) {}

protected:
  const DecomposeOptions options;
  const ::ane::hw::GenerationInfo &info;
};

void populateDecomposeConvPatterns(RewritePatternSet &patterns,
                                   const DecomposeOptions &options);
/// Few output channels for large windows, when nothing moves after them any
/// more.
void populateFewOutputsPatterns(RewritePatternSet &patterns,
                                const DecomposeOptions &options);
void populateDecomposeElementwisePatterns(RewritePatternSet &patterns,
                                          const DecomposeOptions &options);
/// Comparisons and choices, and functions of several steps.
void populateDecomposeLogicPatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options);
/// Zeros between the taps in place of a dilation; a 1 x 1 kernel just loses it.
LogicalResult spreadTaps(PatternRewriter &rewriter, ConvOp op);
struct ResizeTap;
/// An image whose dimension `dim` (2 or 3) has an element for each tap; a tap
/// of element -1 is a zero.
Value resampleDim(OpBuilder &builder, Location loc, Value image, unsigned dim,
                  ArrayRef<ResizeTap> taps,
                  const ::ane::hw::GenerationInfo &info);
/// `image` with `stride` - 1 zeros between the elements of dimension 2 or 3.
Value spreadDim(OpBuilder &builder, Location loc, Value image, unsigned dim,
                int64_t stride, const ::ane::hw::GenerationInfo &info);
/// Transposed convolutions as convolutions.
void populateDecomposeTransposedPatterns(RewritePatternSet &patterns,
                                         const DecomposeOptions &options);
/// Whether convolutions have their bias as a summand of its own: no record of
/// the generation has one.
bool separatesBias(const DecomposeOptions &options);
/// Whether a constant of one value for each channel stays a tensor: in the
/// flavour, or since it would become a bias.
bool keepsChannelConstants(const DecomposeOptions &options);
/// Scales and biases of convolutions that arrive at run time, or that the
/// generation is not known to have.
void populateRuntimeEpiloguePatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
/// Convolutions whose weights arrive at run time, as products of matrices.
void populateRuntimeConvPatterns(RewritePatternSet &patterns,
                                 const DecomposeOptions &options);
/// Windows of pools that no kernel covers.
void populateLargePoolPatterns(RewritePatternSet &patterns,
                               const DecomposeOptions &options);
void populateDecomposePoolPatterns(RewritePatternSet &patterns,
                                   const DecomposeOptions &options);
/// Images of another size, transposed convolutions with a stride.
void populateDecomposePhasesPatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
void populateDecomposeResizePatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
void populateDecomposeShapePatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options);
/// Windows and strides of convolutions that the engine does not have.
void populateDecomposeWindowPatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
/// Patterns for the graph as the others leave it: parts that fit into L2.
void populateSplitPatterns(RewritePatternSet &patterns,
                           const DecomposeOptions &options);
void populateSplitConvPatterns(RewritePatternSet &patterns,
                               const DecomposeOptions &options);
/// Before `conv`, the sum of convolutions of `channels` of its input channels
/// each, rounded to f16 one by one; they have its attributes. `channelsOf` makes
/// the inputs, which are slices without it. The caller replaces it.
Value sumOverInputChannels(
    OpBuilder &builder, ConvOp conv, int64_t channels,
    llvm::function_ref<Value(int64_t first, int64_t count)> channelsOf = {});

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_PATTERNS_H
