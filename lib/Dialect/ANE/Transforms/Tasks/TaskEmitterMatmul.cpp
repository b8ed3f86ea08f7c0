//===- TaskEmitterMatmul.cpp - Tasks that move and multiply ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views, transposes, and products of two tensors. What keeps the last dimension
// is a matter of strides. What moves it is a pass of the NEs that stores its
// result with channels and columns exchanged. A product of two tensors is a 1x1
// convolution: the rows of one operand are coefficients, the other one is the
// image with its rows as channels (both seen in real programs).
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/HW/Layout.h"
#include "ane/HW/Program.h"

#include "llvm/ADT/bit.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

// What ane-assign-layout will say of a memref.
static std::optional<ByteLayout>
futureLayout(const ::ane::hw::GenerationInfo &info, Value memref) {
  Operation *op = memref.getDefiningOp();
  if (isa_and_nonnull<SubviewOp, ReshapeViewOp, PermuteViewOp>(op)) {
    std::optional<ByteLayout> source = futureLayout(info, op->getOperand(0));
    return source ? getViewLayout(op, *source) : std::nullopt;
  }
  ArrayRef<int64_t> shape = shapeOf(memref);
  bool isHalf = getElementTypeOrSelf(memref).isF16();
  ::ane::hw::PlanarLayout planar = ::ane::hw::planarLayout(
      info,
      isHalf ? ::ane::hw::ElementType::Float16 : ::ane::hw::ElementType::UInt8,
      shape[0], shape[1], shape[2], shape[3]);
  ByteLayout layout;
  layout.strides = {int64_t(planar.batch), int64_t(planar.plane),
                    int64_t(planar.row), isHalf ? 2 : 1};
  return layout;
}

FailureOr<Value> TaskEmitter::reshape(Operation *user, Value source,
                                      ArrayRef<int64_t> shape) {
  Type element = getElementTypeOrSelf(source);
  if (!hasSameRows(shapeOf(source), shape, elementBytes(element),
                   info().dmaAlign))
    return reshapeColumns(user, source, shape);
  Value view = reshapeView(user->getLoc(), source, shape);
  std::optional<ByteLayout> layout = futureLayout(info(), source);
  if (layout && getViewLayout(view.getDefiningOp(), *layout))
    return view;
  view.getDefiningOp()->erase();
  Value buffer = makeBuffer(user->getLoc(), shapeOf(source), element);
  bypass(user, source, buffer, ActivationAttr());
  return reshapeView(user->getLoc(), buffer, shape);
}

// Rows are cut or joined as channels are: between two exchanges.
FailureOr<Value> TaskEmitter::reshapeColumns(Operation *user, Value source,
                                             ArrayRef<int64_t> shape) {
  Location loc = user->getLoc();
  int64_t width = shapeOf(source).back(), columns = shape.back();
  int64_t count = ShapedType::getNumElements(shape);
  if (width % columns && columns % width) {
    int64_t common = std::gcd(width, columns);
    FailureOr<Value> parts =
        reshape(user, source, {1, 1, count / common, common});
    if (failed(parts))
      return failure();
    return reshape(user, *parts, shape);
  }
  bool isCut = width % columns == 0;
  int64_t rows = count / std::max(width, columns), images = 1;
  // Rows become columns on the way.
  while (rows % images || rows / images > int64_t(info().maxWidth))
    ++images;
  rows /= images;
  int64_t parts = isCut ? width / columns : columns / width;
  int64_t length = std::min(width, columns);
  FailureOr<Value> from =
      isCut ? reshape(user, source, {images, rows, 1, width})
            : reshape(user, source, {images, rows, parts, length});
  if (failed(from))
    return failure();
  Value turned = isCut ? makeBuffer(loc, {images, width, 1, rows})
                       : makeBuffer(loc, {images, parts, length, rows});
  exchange(loc, *from, isCut ? turned : permute(loc, turned, {0, 2, 1, 3}));
  FailureOr<Value> other =
      isCut ? reshape(user, turned, {images, parts, length, rows})
            : reshape(user, turned, {images, columns, 1, rows});
  if (failed(other))
    return failure();
  Value result = isCut ? makeBuffer(loc, {images, rows, parts, length})
                       : makeBuffer(loc, {images, rows, 1, columns});
  exchange(loc, isCut ? permute(loc, *other, {0, 2, 1, 3}) : *other, result);
  return reshape(user, result, shape);
}

// What is written through a view ends where the view shows it.
bool TaskEmitter::placeBehindViews(Value tensor, Value target) {
  while (!place(tensor, target)) {
    Operation *op = tensor.getDefiningOp();
    if (auto transpose = dyn_cast_or_null<TransposeOp>(op);
        transpose && transpose.getPerm().size() == 4 &&
        transpose.getPerm()[3] == 3) {
      SmallVector<int64_t> back = inverse(transpose.getPerm());
      target = PermuteViewOp::create(
          head, op->getLoc(),
          memrefType(IndexMap(shapeOf(target), back).getShape(),
                     MemorySpace::Dram, getElementTypeOrSelf(target)),
          target, back);
      tensor = transpose.getInput();
      continue;
    }
    auto reshape = dyn_cast_or_null<ReshapeOp>(op);
    if (!reshape)
      return false;
    ArrayRef<int64_t> shape = reshape.getInput().getType().getShape();
    if (shape.size() != 4 ||
        !hasSameRows(shapeOf(target), shape, elementBytes(target.getType()),
                     info().dmaAlign))
      return false;
    auto view = ReshapeViewOp::create(
        head, op->getLoc(),
        memrefType(shape, MemorySpace::Dram, getElementTypeOrSelf(target)),
        target);
    std::optional<ByteLayout> layout = futureLayout(info(), target);
    if (!layout || !getViewLayout(view, *layout)) {
      view->erase();
      return false;
    }
    target = view;
    tensor = reshape.getInput();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

// The columns of a result start at multiples of a row's alignment, so parts of
// the channels of a source do.
void TaskEmitter::exchange(Location loc, Value source, Value target,
                           int64_t factor) {
  ArrayRef<int64_t> in = shapeOf(source);
  int64_t align = info().dmaAlign / sizeof(uint16_t);
  int64_t perChannel = ::ane::hw::alignTo(2 * in[3], info().l2Align);
  int64_t step = in[1], room = info().l2SourceBytes / 2;
  if (step * perChannel > room)
    step = std::max(align, room / perChannel / align * align);
  for (int64_t n = 0; n < in[0]; ++n)
    for (int64_t first = 0; first < in[1]; first += step) {
      int64_t count = std::min(step, in[1] - first);
      Value from =
          subview(loc, source, {n, first, 0, 0}, {1, count, in[2], in[3]});
      Value to = subview(loc, target, {n, 0, 0, first * factor},
                         {1, in[3] / factor, in[2], count * factor});
      TaskSpec spec;
      spec.sources = {from};
      spec.target = to;
      spec.shape = {1, in[3], in[2], count};
      spec.element = getElementTypeOrSelf(target);
      spec.interleave = factor;
      bypass(loc, spec, ActivationAttr(), /*scale=*/1, /*exchange=*/true);
    }
}

// The dimension that becomes the last one and the one that was it change
// places; the other two are rows and images.
void TaskEmitter::transpose(TransposeOp op, Value source, Value target) {
  ArrayRef<int64_t> perm = op.getPerm();
  int64_t columns = perm[3]; // of the source, become columns
  SmallVector<int64_t> rest;
  for (int64_t dim = 0; dim < 3; ++dim)
    if (dim != columns)
      rest.push_back(dim);
  // Few images: each is a task.
  if (shapeOf(source)[rest[0]] > shapeOf(source)[rest[1]])
    std::swap(rest[0], rest[1]);
  exchange(op.getLoc(),
           permute(op.getLoc(), source, {rest[0], columns, rest[1], 3}),
           exchanged(op, target, rest));
}

Value TaskEmitter::exchanged(TransposeOp op, Value target,
                             ArrayRef<int64_t> rest) {
  SmallVector<int64_t> where = inverse(op.getPerm());
  return permute(op.getLoc(), target,
                 {where[rest[0]], where[3], where[rest[1]], 3});
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// One matrix times another.
struct TaskEmitter::Product {
  MatmulOp op;
  Value rows;   ///< 1 x R x 1 x K: coefficients
  Value image;  ///< 1 x K x 1 x P
  Value target; ///< 1 x R x 1 x P, or 1 x P x 1 x R with `exchange`
  bool exchange;
  ActivationAttr activation;
};

// Whether engines can read coefficients from where `memref` is. Nothing is
// known to wait for a task that writes them elsewhere than in scratch memory. A
// header in which the base of a tensor ends in two bits that are set, as 7
// does, reads as one with a word more (hw::Task); bases count in an order that
// is the encoder's.
bool TaskEmitter::holdsCoefficients(Value memref) const {
  Value root = getViewRoot(memref);
  if (root.getDefiningOp<BufferOp>())
    return true;
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument || written.contains(root))
    return false;
  constexpr unsigned firstMisread = 7;
  auto func = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return info().firstTensorBase + func.getNumArguments() +
             func.getNumResults() <=
         firstMisread;
}

// Coefficients of several lanes lie side by side, which a pass of the PE makes;
// those of one lane are rows as they lie (seen with 16 rows).
Value TaskEmitter::coefficients(Location loc, Value rows, int64_t factor) {
  if (factor == 1 && holdsCoefficients(rows))
    return rows;
  ArrayRef<int64_t> shape = shapeOf(rows);
  Value buffer = makeBuffer(loc, {1, shape[1] / factor, 1, shape[3] * factor});
  interleave(loc, rows, buffer, factor);
  return buffer;
}

void TaskEmitter::multiply(const Product &product) {
  Location loc = product.op->getLoc();
  int64_t rows = shapeOf(product.rows)[1], depth = shapeOf(product.rows)[3];
  int64_t pixels = shapeOf(product.image)[3], engines = info().neCount;
  int64_t columns = columnsInL2(depth, pixels);
  for (int64_t first = 0; first < rows;) {
    // As many lanes as four bits say, the kernel holds and rows are left for.
    int64_t factor = 8;
    while (factor > 1 &&
           (factor * engines > rows - first ||
            factor * depth * 2 > int64_t(info().kernelBufferBytes)))
      factor /= 2;
    int64_t pass = factor * engines, count = std::min(pass, rows - first);
    // Further passes, as long as the kernel holds all of them: that an engine
    // drops those of one pass for the next is not known.
    if (info().stridesPasses)
      count = std::max(
          count, std::min((rows - first) / pass,
                          int64_t(info().kernelBufferBytes) /
                              (factor * depth * int64_t(sizeof(uint16_t)))) *
                     pass);
    Value kernelRows = coefficients(
        loc, subview(loc, product.rows, {0, first, 0, 0}, {1, count, 1, depth}),
        factor);
    for (int64_t left = 0; left < pixels; left += columns) {
      int64_t width = std::min(columns, pixels - left);
      Value from =
          subview(loc, product.image, {0, 0, 0, left}, {1, depth, 1, width});
      Value to = product.exchange
                     ? subview(loc, product.target, {0, left, 0, first},
                               {1, width, 1, count})
                     : subview(loc, product.target, {0, first, 0, left},
                               {1, count, 1, width});
      TaskBuilder::product(loc, {{from}, to}, count, kernelRows, /*scale=*/1,
                           product.activation, product.exchange);
    }
    first += count;
  }
}

// Rows as channels, so that they become columns.
void TaskEmitter::turn(Location loc, Value source, Value target) {
  Value from = permute(loc, source, {0, 2, 1, 3});
  Value to = permute(loc, target, {0, 2, 1, 3});
  exchange(loc, from, to);
}

LogicalResult TaskEmitter::emitMatmul(MatmulOp op) {
  FailureOr<Value> lhs = memref(op, op.getLhs()), rhs = memref(op, op.getRhs());
  if (failed(lhs) || failed(rhs))
    return failure();
  // Of two operands, none or both have to be transposed: the smaller one moves.
  bool swapped = op.getTransposeLhs();
  if (op.getTransposeLhs() != op.getTransposeRhs()) {
    bool movesLeft = cast<MemRefType>(lhs->getType()).getNumElements() <
                     cast<MemRefType>(rhs->getType()).getNumElements();
    Value &moved = movesLeft ? *lhs : *rhs;
    SmallVector<int64_t> turned(shapeOf(moved));
    std::swap(turned[2], turned[3]);
    Value buffer = makeBuffer(op.getLoc(), turned);
    turn(op.getLoc(), moved, buffer);
    moved = buffer;
    swapped = op.getTransposeLhs() != movesLeft;
  }
  // (B^T)(A^T) = (A B)^T: the result comes out the other way round.
  Value rows = swapped ? *rhs : *lhs, image = swapped ? *lhs : *rhs;
  Value target = destination(op.getResult());
  int64_t depth = shapeOf(rows)[3];
  if (depth * 2 > int64_t(info().kernelBufferBytes))
    return op.emitOpError("sums ")
           << depth << " products, but an engine holds "
           << info().kernelBufferBytes / 2
           << " coefficients; multiply parts and add the products";
  // Only relu is possible after coefficients that arrive at run time.
  ActivationAttr act = op.getActivationAttr(), later;
  if (act && act.getKind() != ActivationKind::Relu)
    std::swap(act, later);
  Value result = target;
  // Columns of the result start at whole alignments.
  int64_t align = info().dmaAlign / sizeof(uint16_t);
  bool exchange =
      swapped && shapeOf(rows)[2] % align <= int64_t(info().neCount);
  SmallVector<int64_t> resultShape(shapeOf(target));
  if (later)
    result = makeBuffer(op.getLoc(), resultShape);
  Value product = result;
  if (swapped && !exchange) {
    std::swap(resultShape[2], resultShape[3]);
    product = makeBuffer(op.getLoc(), resultShape);
  }
  auto matrix = [&](Value value, int64_t i, int64_t j) {
    ArrayRef<int64_t> shape = shapeOf(value);
    Value one = subview(op.getLoc(), value,
                        {shape[0] == 1 ? 0 : i, shape[1] == 1 ? 0 : j, 0, 0},
                        {1, 1, shape[2], shape[3]});
    return permute(op.getLoc(), one, {0, 2, 1, 3});
  };
  for (int64_t i = 0; i < shapeOf(product)[0]; ++i)
    for (int64_t j = 0; j < shapeOf(product)[1]; ++j)
      multiply({op, matrix(rows, i, j), matrix(image, i, j),
                matrix(product, i, j), exchange, act});
  if (swapped && !exchange)
    turn(op.getLoc(), product, result);
  if (later)
    bypass(op, result, target, later);
  return success();
}

//===----------------------------------------------------------------------===//
// Computed coefficients
//===----------------------------------------------------------------------===//

/// Coefficients for some rows of an image.
struct TaskEmitter::PlaneProduct {
  Location loc;
  Value planes; ///< 1 x R / lanes x 1 x K * lanes
  Value image;  ///< 1 x K x H x P
  Value target; ///< 1 x R x H x P
  int64_t lanes;
};

// Each engine has a plane, and a power of two of engines is at work (seen with
// 1, 2, 4 and 16 rows).
void TaskEmitter::multiplyPlanes(const PlaneProduct &product) {
  Location loc = product.loc;
  ArrayRef<int64_t> in = shapeOf(product.image);
  int64_t lanes = product.lanes, planes = shapeOf(product.planes)[1];
  int64_t columns = columnsInL2(in[1], in[3]);
  for (int64_t left = 0; left < in[3]; left += columns)
    for (int64_t first = 0, count; first < planes; first += count) {
      count = llvm::bit_floor<uint64_t>(
          std::min<int64_t>(info().neCount, planes - first));
      int64_t width = std::min(columns, in[3] - left), rows = count * lanes;
      Value from = subview(loc, product.image, {0, 0, 0, left},
                           {1, in[1], in[2], width});
      Value to = subview(loc, product.target, {0, first * lanes, 0, left},
                         {1, rows, in[2], width});
      Value part = subview(loc, product.planes, {0, first, 0, 0},
                           {1, count, 1, in[1] * lanes});
      TaskBuilder::product(loc, {{from}, to}, rows, part);
    }
}

LogicalResult TaskEmitter::emitRuntimeConv(RuntimeConvOp op) {
  FailureOr<Value> image = memref(op, op.getInput());
  FailureOr<Value> planes = memref(op, op.getCoefficients());
  if (failed(image) || failed(planes))
    return failure();
  Location loc = op.getLoc();
  if (!holdsCoefficients(*planes)) {
    Value buffer = makeBuffer(loc, shapeOf(*planes));
    bypass(op, *planes, buffer, ActivationAttr());
    *planes = buffer;
  }
  Value target = destination(op.getResult());
  int64_t sets = shapeOf(*planes)[2];
  for (int64_t row = 0; row < sets; ++row) {
    auto rowsOf = [&](Value value) {
      SmallVector<int64_t> shape(shapeOf(value));
      if (sets > 1)
        shape[2] = 1;
      return subview(loc, value, {0, 0, row, 0}, shape);
    };
    multiplyPlanes({loc, rowsOf(*planes), rowsOf(*image), rowsOf(target),
                    int64_t(op.getLanes())});
  }
  return success();
}
