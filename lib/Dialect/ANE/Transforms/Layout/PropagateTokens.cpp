//===- PropagateTokens.cpp - Tokens as columns of images ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transformers come with tokens as rows and features as columns. The engine
// wants features as channels: products with weights are then convolutions,
// norms reduce channels. No single op is better off, as it would have a
// transpose on either side; so all ops between that treat rows alike change
// over together, and what is left are transposes at their border:
//
//   x, R x C               image, 1 x C x 1 x R
//   matmul(x, W)           conv(image, W')
//   norm of the columns    norm of the channels
//   x + y, act(x), ...     the same
//
// Next to attention of many images or windows their tokens are I rows of the
// image, 1 x C x I x R / I, as its matrices have them.
//
// The movements at the border, and those of attention, then meet
// (PropagateLayout.cpp).
//
//===----------------------------------------------------------------------===//

#include "Motion.h"
#include "PropagateLayout.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::layout;

static int64_t columnsOf(Value value) { return shapeOf(value).back(); }

static int64_t rowsOf(Value value) {
  return ShapedType::getNumElements(shapeOf(value).drop_back());
}

/// The operands that have a row for each token.
static SmallVector<Value> tokensOf(Operation *op) {
  if (isa<LayerNormOp, RmsNormOp>(op))
    return {op->getOperand(0)};
  return llvm::filter_to_vector(op->getOperands(),
                                [](Value value) { return !isConstant(value); });
}

// Whether both matrices are computed.
static bool isOfData(Operation *op) {
  auto product = dyn_cast_or_null<MatmulOp>(op);
  return product && !isConstant(product.getLhs()) &&
         !isConstant(product.getRhs());
}

// What may be between a layer and the matrices of attention.
static bool isBetween(Operation *op) {
  return isa_and_present<ReshapeOp, TransposeOp, SliceOp>(op) ||
         (isa_and_present<ElementwiseOp>(op) &&
          llvm::any_of(op->getOperands(), isConstant));
}

// How many matrices attention next to a layer has, which makes them or takes
// what they are mixed to.
static std::optional<int64_t> countMatricesNextTo(Operation *layer) {
  auto count = [](Operation *product) {
    return ShapedType::getNumElements(
        shapeOf(product->getResult(0)).drop_back(2));
  };
  SetVector<Operation *> between;
  between.insert_range(layer->getUsers());
  for (size_t i = 0; i < between.size(); ++i) {
    if (isOfData(between[i]))
      return count(between[i]);
    if (isBetween(between[i]))
      between.insert_range(between[i]->getUsers());
  }
  Operation *from = layer->getOperand(0).getDefiningOp();
  while (isBetween(from))
    from = from->getOperand(0).getDefiningOp();
  return isOfData(from) ? std::optional(count(from)) : std::nullopt;
}

/// Images or windows that are attended to for themselves: leading dimensions of
/// the tokens, each with as many heads.
static int64_t countImages(Operation *layer) {
  std::optional<int64_t> matrices = countMatricesNextTo(layer);
  int64_t images = 1, product = 1;
  for (int64_t size : shapeOf(layer->getResult(0)).drop_back(2)) {
    product *= size;
    if (matrices && *matrices % product == 0)
      images = product;
  }
  return images;
}

//===----------------------------------------------------------------------===//
// What treats rows alike
//===----------------------------------------------------------------------===//

static bool isProductOfRows(MatmulOp op) {
  return !op.getTransposeLhs() && isConstant(op.getRhs()) &&
         typeOf(op.getRhs()).getNumElements() ==
             columnsOf(op.getLhs()) * columnsOf(op);
}

/// An image of `images` rows whose pixels are the rows of `value`.
static SmallVector<int64_t> imageShapeOf(Value value, int64_t images) {
  return {1, columnsOf(value), images, rowsOf(value) / images};
}

static Motion motionOf(Operation *op, int64_t images) {
  Value result = op->getResult(0);
  return Motion::pixels(imageShapeOf(result, images), shapeOf(result));
}

static bool isOfRows(Operation *op) {
  if (auto product = dyn_cast<MatmulOp>(op))
    return isProductOfRows(product);
  if (isa<ReshapeOp>(op))
    return columnsOf(op->getResult(0)) == columnsOf(op->getOperand(0));
  if (!isa<ActivationOp, ConcatOp, ElementwiseOp, LayerNormOp, ReduceOp,
           RmsNormOp, SliceOp>(op) ||
      (isa<ConcatOp>(op) && llvm::any_of(op->getOperands(), isConstant)))
    return false;
  Motion motion = motionOf(op, /*images=*/1);
  bool isNorm = isa<LayerNormOp, RmsNormOp>(op);
  return !motion.whyNot(op) &&
         llvm::all_of(
             op->getOperands().take_front(isNorm ? 1 : op->getNumOperands()),
             [&](Value value) {
               return motion.shapeBack(shapeOf(value)).has_value();
             });
}

namespace {

/// All ops that change over.
class TokenOps {
public:
  TokenOps(Operation *root, int64_t maxRows) : maxRows(maxRows) {
    root->walk([&](MatmulOp op) {
      if (accepts(op))
        products.push_back(op);
    });
    grow();
    keepLarge();
  }

  bool contains(Operation *op) const { return op && ops.contains(op); }
  bool empty() const { return ops.empty(); }
  /// Rows of the image that an op has: it is 1 x C x rows x R / rows.
  int64_t rowsOfImage(Operation *op) const {
    return imageRows.lookup_or(op, 1);
  }

private:
  bool accepts(Operation *op) const {
    if (op->getNumResults() != 1 || !isa<ANEDialect>(op->getDialect()))
      return false;
    Value result = op->getResult(0);
    auto hasRows = [&](Value value) {
      return typeOf(value).getRank() > 1 &&
             typeOf(value).getElementType().isF16() &&
             rowsOf(value) == rowsOf(result);
    };
    return hasRows(result) && rowsOf(result) > 1 && rowsOf(result) <= maxRows &&
           !isConstant(result) && isOfRows(op) &&
           llvm::all_of(tokensOf(op), hasRows);
  }

  void grow() {
    SmallVector<Operation *> worklist(products);
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val();
      if (!op || ops.contains(op) || !accepts(op))
        continue;
      ops.insert(op);
      llvm::append_range(worklist, neighbours(op));
    }
  }

  /// A product alone has its transposes as a matrix, too. Several that share
  /// what goes in or have it from each other need fewer. Next to attention of
  /// many images, each of which is a row then, those of one meet others.
  void keepLarge() {
    llvm::DenseSet<Operation *> left;
    std::swap(left, ops);
    for (Operation *first : products) {
      SmallVector<Operation *> worklist{first}, found;
      int64_t count = 0;
      SmallVector<int64_t> images; // of products next to attention
      while (!worklist.empty()) {
        Operation *op = worklist.pop_back_val();
        if (!op || !left.erase(op))
          continue;
        found.push_back(op);
        if (isa<MatmulOp>(op)) {
          ++count;
          if (int64_t own = countImages(op); own > 1)
            images.push_back(own);
        }
        llvm::append_range(worklist, neighbours(op));
        for (Value value : tokensOf(op))
          llvm::append_range(worklist, value.getUsers());
      }
      bool areImages = !images.empty() && llvm::all_equal(images);
      if (count == 1 && !areImages)
        continue;
      ops.insert_range(found);
      if (areImages)
        for (Operation *op : found)
          imageRows[op] = images.front();
    }
  }

  static SmallVector<Operation *> neighbours(Operation *op) {
    SmallVector<Operation *> result(op->getUsers());
    for (Value value : tokensOf(op))
      if (Operation *from = value.getDefiningOp())
        result.push_back(from);
    return result;
  }

  int64_t maxRows;
  SmallVector<Operation *> products;
  llvm::DenseSet<Operation *> ops;
  llvm::DenseMap<Operation *, int64_t> imageRows;
};

//===----------------------------------------------------------------------===//
// The change
//===----------------------------------------------------------------------===//

class TokensToColumns {
public:
  TokensToColumns(Operation *root, const TokenOps &ops)
      : root(root), ops(ops), rewriter(root->getContext()) {}

  void run() {
    SmallVector<Operation *> inOrder;
    root->walk([&](Operation *op) {
      if (ops.contains(op))
        inOrder.push_back(op);
    });
    for (Operation *op : inOrder) {
      rewriter.setInsertionPoint(op);
      images[{op->getResult(0), ops.rowsOfImage(op)}] = change(op);
    }
    for (Operation *op : llvm::reverse(inOrder)) {
      rewriter.setInsertionPoint(op);
      Value result = op->getResult(0);
      if (!result.use_empty())
        result.replaceAllUsesWith(
            toRows(images[{result, ops.rowsOfImage(op)}], shapeOf(result)));
      rewriter.eraseOp(op);
    }
  }

private:
  /// 1 x C x rows x columns.
  Value imageOf(Value value, int64_t rows) {
    Value &image = images[{value, rows}];
    if (!image) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointAfterValue(value);
      image = toColumns(value, rows, value.getLoc());
    }
    return image;
  }

  Value toColumns(Value value, int64_t rows, Location loc) {
    // One row is for all of an image.
    if (rowsOf(value) == 1)
      rows = 1;
    Value image = reshaped(rewriter, loc, value,
                           {1, rows, rowsOf(value) / rows, columnsOf(value)});
    return permuted(rewriter, loc, image, {0, 3, 1, 2});
  }

  Value toRows(Value image, ArrayRef<int64_t> shape) {
    Value rows = permuted(rewriter, image.getLoc(), image, {0, 2, 3, 1});
    return reshaped(rewriter, image.getLoc(), rows, shape);
  }

  Value operand(Operation *op, Value value) {
    return isConstant(value)
               ? toColumns(value, ops.rowsOfImage(op), op->getLoc())
               : imageOf(value, ops.rowsOfImage(op));
  }

  Value change(Operation *op) {
    if (auto matmul = dyn_cast<MatmulOp>(op))
      return convolve(matmul);
    if (isa<ReshapeOp>(op))
      return imageOf(op->getOperand(0), ops.rowsOfImage(op));
    bool isNorm = isa<LayerNormOp, RmsNormOp>(op);
    SmallVector<Value> operands;
    for (Value value : op->getOperands())
      operands.push_back(isNorm && !operands.empty() ? value
                                                     : operand(op, value));
    return motionOf(op, ops.rowsOfImage(op))
        .createBefore(rewriter, op, operands);
  }

  Value convolve(MatmulOp op) {
    int64_t rows = ops.rowsOfImage(op);
    return convolved(
        rewriter, op, imageOf(op.getLhs(), rows),
        weightRows(rewriter, op, columnsOf(op.getLhs()), columnsOf(op)),
        imageShapeOf(op, rows));
  }

  Operation *root;
  const TokenOps &ops;
  IRRewriter rewriter;
  /// With as many rows.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> images;
};

} // namespace

// Whether tokens are moved as a whole.
static bool movesRows(Operation *op) {
  if (!op)
    return false;
  if (auto transposed = dyn_cast<TransposeOp>(op))
    return transposed.getPerm().back() == typeOf(transposed).getRank() - 1;
  auto reshaped = dyn_cast<ReshapeOp>(op);
  return reshaped && columnsOf(reshaped) == columnsOf(reshaped.getInput());
}

static bool feedsProductsOfRows(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    auto product = dyn_cast<MatmulOp>(use.getOwner());
    return product && use.getOperandNumber() == 0 && isProductOfRows(product);
  });
}

// The norm of tokens that are cut into windows is that of the windows: next to
// the layers after it, which take its factors.
static void moveNormsToProducts(Operation *root) {
  IRRewriter rewriter(root->getContext());
  root->walk([&](MatmulOp product) {
    Value moved = product.getLhs();
    Operation *first = nullptr, *op = moved.getDefiningOp();
    for (; movesRows(op) && (!first || op->hasOneUse());
         op = op->getOperand(0).getDefiningOp())
      first = op;
    if (!first || !feedsProductsOfRows(moved) || !op || !op->hasOneUse() ||
        !isa<LayerNormOp, RmsNormOp>(op) || !isOfRows(op))
      return;
    rewriter.modifyOpInPlace(first,
                             [&] { first->setOperand(0, op->getOperand(0)); });
    rewriter.setInsertionPointAfterValue(moved);
    Operation *norm = rewriter.clone(*op);
    norm->setOperand(0, moved);
    norm->getResult(0).setType(moved.getType());
    SmallVector<int64_t> axes{typeOf(moved).getRank() - 1};
    llvm::TypeSwitch<Operation *>(norm).Case<LayerNormOp, RmsNormOp>(
        [&](auto op) { op.setAxes(axes); });
    rewriter.replaceAllUsesExcept(moved, norm->getResult(0), norm);
    rewriter.eraseOp(op);
  });
}

bool layout::turnTokensToColumns(Operation *root, int64_t maxRows) {
  moveNormsToProducts(root);
  TokenOps ops(root, maxRows);
  if (ops.empty())
    return false;
  TokensToColumns(root, ops).run();
  return true;
}
