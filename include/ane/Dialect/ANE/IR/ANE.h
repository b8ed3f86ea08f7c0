//===- ANE.h - The ane dialect ----------------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANE_H
#define ANE_DIALECT_ANE_IR_ANE_H

#include "ane/Dialect/ANE/IR/DimMap.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ane/Dialect/ANE/IR/ANEDialect.h.inc"
#include "ane/Dialect/ANE/IR/ANEEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/ANE/IR/ANEAttributes.h.inc"

namespace mlir::ane {
class TaskOp;

/// Whether `type` is a memref in `space`.
bool isInSpace(Type type, MemorySpace space);
/// Strides and offset of a memref in bytes; fails on a memref without a layout.
/// Before ane-assign-layout (DRAM) and ane-allocate-l2 (L2) there is none.
struct ByteLayout {
  SmallVector<int64_t, 4> strides;
  int64_t offset = 0;
};
std::optional<ByteLayout> getByteLayout(MemRefType type);
/// `shape` with strides and offset, given in bytes.
MemRefType getMemRefType(ArrayRef<int64_t> shape, Type element,
                         const ByteLayout &layout, MemorySpace space);
/// The argument, buffer, constant or value in L2 that a view looks at.
Value getViewRoot(Value view);
/// What a view (ane.subview, ane.reshape_view, ane.permute_view) makes of the
/// layout of its source; nothing when a reshape finds rows that do not have one
/// distance, or a view in L2 starts inside 16 bytes.
std::optional<ByteLayout> getViewLayout(Operation *view,
                                        const ByteLayout &source);
/// The same if the source were in `space`.
std::optional<ByteLayout>
getViewLayout(Operation *view, const ByteLayout &source, MemorySpace space);
/// Whether `op` is one of these views.
bool isView(Operation *op);
/// Calls `visit` for the uses of `root` and of its views that are not views.
void forEachUse(Value root, llvm::function_ref<void(OpOperand &)> visit);
/// Whether the rows of two shapes of the same elements are the same bytes:
/// equal widths, or widths that leave no gap between rows, which start at
/// multiples of `align` bytes.
bool hasSameRows(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                 int64_t elementBytes, int64_t align);
/// N, C, H, W as the engine of a compute op goes through them: where a result
/// is stored with channels and columns exchanged, they are exchanged back here.
SmallVector<int64_t> getComputedShape(Operation *compute);
/// What an engine reads, in the order of its registers.
struct EngineSource {
  Value value;
  bool exchanged; ///< channels and columns are exchanged in L2
};
SmallVector<EngineSource, 2> getEngineSources(Operation *compute);
/// Whether a result has its channels and columns exchanged in L2.
bool isResultExchanged(Operation *compute);
/// Whether `reader` reads the result of the task before it in the form in which
/// it is written, so that it can start when the first patch is there. A
/// convolution with a table, and a result that has a place in scratch memory,
/// are waited for as a whole.
bool takesPatches(TaskOp reader, TaskOp before);
/// Whether a compute op runs on the NEs, not on the PE.
bool isOnNeuralEngines(Operation *compute);
} // namespace mlir::ane

#include "ane/Dialect/ANE/IR/ANEInterfaces.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/ANE/IR/ANEOps.h.inc"

#endif // ANE_DIALECT_ANE_IR_ANE_H
