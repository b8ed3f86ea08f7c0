//===- Tile.cpp - Ops in strips -------------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each strip, what it needs of every result in the group is found from the
// last op to the first; then the parts are created from the first to the last.
// An op that keeps rows computes only what the strip before has not, and copies
// the rest from its part there. Strips may be cut once more, along another
// dimension; then what is said of strips holds for their parts, one after the
// other.
//
//===----------------------------------------------------------------------===//

#include "TileSums.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Apply/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANETILE
#include "ane/Dialect/ANE/Transforms/Tiling/Apply/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

/// Tasks that copy the rows that a strip keeps.
constexpr int64_t maxKeptParts = 2;

static TileAttr tileOf(Operation *op) {
  return op->getAttrOfType<TileAttr>(ANEDialect::getTileAttrName());
}

/// What is said of the result of `op` is said of `value`: all strips together.
static void moveResidency(Operation *op, Value value) {
  Operation *def = value.getDefiningOp();
  for (StringRef name :
       {ANEDialect::getHoldAttrName(), ANEDialect::getPlanNumberAttrName()})
    if (Attribute attribute = op->getAttr(name); attribute && def)
      def->setAttr(name, attribute);
}

static void dropResidency(Operation *op) {
  op->removeAttr(ANEDialect::getHoldAttrName());
  op->removeAttr(ANEDialect::getPlanNumberAttrName());
}

/// The least box around both.
static Box joined(const Box &one, const Box &other) {
  Box box = one;
  for (size_t dim = 0; dim < box.sizes.size(); ++dim) {
    int64_t end = std::max(one.offsets[dim] + one.sizes[dim],
                           other.offsets[dim] + other.sizes[dim]);
    box.offsets[dim] = std::min(one.offsets[dim], other.offsets[dim]);
    box.sizes[dim] = end - box.offsets[dim];
  }
  return box;
}

namespace {

/// Which part: of the strips along `dim`, and of its parts along `innerDim`.
struct StripNumber {
  int64_t outer = 0, inner = 0;
};

class GroupTiler {
public:
  GroupTiler(ArrayRef<Operation *> ops)
      : ops(ops), members(ops.begin(), ops.end()), builder(ops.back()) {
    builder.setInsertionPointAfter(ops.back());
  }
  LogicalResult run();
  int64_t numParts = 0;

private:
  /// How many there are of each, at most.
  StripNumber counts = {1, 1};
  LogicalResult check();
  std::optional<Box> stripOf(Operation *op, StripNumber strip) const;
  Box getFresh(Operation *op, const Box &box) const;
  SmallVector<Value> sliceKept(Operation *op, const Box &box);
  Value joinKept(Operation *op, const Box &box, ArrayRef<Value> old,
                 Value fresh);
  void alignRows(Operation *op, Box &box) const;
  void widen(Operation *op, Box &box) const;
  LogicalResult findBoxes(StripNumber strip);
  Value partOf(Value value, const Box &box);
  void createParts(StripNumber strip);
  void copyStrips(Operation *op, MutableArrayRef<Value> values);
  Value joinStrips(Operation *op, ArrayRef<Value> values);

  ArrayRef<Operation *> ops;
  llvm::SmallDenseSet<Operation *> members;
  OpBuilder builder;
  /// Of the strip at hand: what is needed of each result, and its part.
  DenseMap<Operation *, Box> boxes;
  DenseMap<Value, Value> parts;
  /// Of ops that keep rows: the last part in this strip, and where it lies.
  DenseMap<Operation *, std::pair<Box, Value>> kept;
  /// Results that are used outside, in strips.
  llvm::MapVector<Operation *, SmallVector<Value>> strips;
};

} // namespace

// Users outside stand after the group, since its results are there only then.
LogicalResult GroupTiler::check() {
  for (Operation *op : ops) {
    if (op->getNumResults() != 1 || op->getBlock() != ops[0]->getBlock())
      return op->emitOpError("cannot be in a group of ane.tile: it has ")
             << op->getNumResults() << " results or another block than "
             << ops[0]->getName();
    TileAttr tile = tileOf(op);
    for (Operation *user : op->getUsers()) {
      if (members.contains(user))
        continue;
      strips[op];
      ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
      counts.outer = std::max<int64_t>(
          counts.outer, llvm::divideCeil(shape[tile.getDim()], tile.getSize()));
      if (tile.hasInner())
        counts.inner = std::max<int64_t>(
            counts.inner,
            llvm::divideCeil(shape[tile.getInnerDim()], tile.getInnerSize()));
      if (user->isBeforeInBlock(ops.back()))
        return user->emitOpError("is between the ops of group ")
               << tile.getGroup()
               << " and uses one of them; move it into the group or after it";
    }
  }
  return success();
}

// Strip `number` of `size`; false: there is none.
static bool cutBox(Box &box, int64_t dim, int64_t size, int64_t number) {
  size = std::min(size, box.sizes[dim]); // by hand it may be any
  if (number * size >= box.sizes[dim])
    return false;
  box.offsets[dim] = number * size;
  box.sizes[dim] = std::min(size, box.sizes[dim] - number * size);
  return true;
}

// None: the result has fewer strips than others.
std::optional<Box> GroupTiler::stripOf(Operation *op, StripNumber strip) const {
  Box box = Box::all(shapeOf(op->getResult(0)));
  TileAttr tile = tileOf(op);
  if (!cutBox(box, tile.getDim(), tile.getSize(), strip.outer))
    return std::nullopt;
  if (tile.hasInner()
          ? !cutBox(box, tile.getInnerDim(), tile.getInnerSize(), strip.inner)
          : strip.inner > 0)
    return std::nullopt;
  return box;
}

// What of `box` is still to be computed; it may be empty.
Box GroupTiler::getFresh(Operation *op, const Box &box) const {
  auto before = kept.find(op);
  if (before == kept.end())
    return box;
  int64_t dim = tileOf(op).getLastDim();
  const Box &old = before->second.first;
  Box across = joined(old, box);
  across.offsets[dim] = old.offsets[dim];
  across.sizes[dim] = old.sizes[dim];
  if (!(across == old))
    return box;
  int64_t end = old.offsets[dim] + old.sizes[dim];
  Box fresh = box;
  fresh.offsets[dim] = std::max(end, box.offsets[dim]);
  fresh.sizes[dim] = box.offsets[dim] + box.sizes[dim] - fresh.offsets[dim];
  if (box.offsets[dim] < old.offsets[dim] || fresh.sizes[dim] < 0)
    return box;
  return fresh;
}

// What the strip before has of `box`, if anything. Rows that go to where some
// of them are would need another place than that of the strip before; in two
// parts each part finds its rows free.
SmallVector<Value> GroupTiler::sliceKept(Operation *op, const Box &box) {
  Box rest = getFresh(op, box);
  int64_t dim = tileOf(op).getLastDim();
  if (rest.sizes[dim] == box.sizes[dim])
    return {};
  auto &[old, value] = kept.find(op)->second;
  Box again = box;
  for (size_t i = 0; i < again.offsets.size(); ++i)
    again.offsets[i] -= old.offsets[i];
  again.sizes[dim] = box.sizes[dim] - rest.sizes[dim];
  int64_t moved = again.offsets[dim], count = again.sizes[dim];
  if (dim != 2 || rest.isEmpty() || count <= moved ||
      count > maxKeptParts * moved)
    return {createSlice(builder, op->getLoc(), value, again)};
  SmallVector<Value> parts;
  for (int64_t done = 0; done < count; done += moved) {
    again.offsets[dim] = moved + done;
    again.sizes[dim] = std::min(moved, count - done);
    parts.push_back(createSlice(builder, op->getLoc(), value, again));
  }
  return parts;
}

// The part `box`, for the next strip, too.
Value GroupTiler::joinKept(Operation *op, const Box &box, ArrayRef<Value> old,
                           Value fresh) {
  SmallVector<Value> parts(old);
  if (fresh)
    parts.push_back(fresh);
  Value part = parts.empty() ? fresh : parts.front();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (parts.size() > 1) {
    part = ConcatOp::create(
        builder, op->getLoc(),
        RankedTensorType::get(box.sizes, type.getElementType()), parts,
        tileOf(op).getLastDim());
    if (!strips.contains(op))
      moveResidency(op, part);
    if (Operation *def = fresh ? fresh.getDefiningOp() : nullptr)
      dropResidency(def);
  }
  kept[op] = {box, part};
  return part;
}

// Whether `box` of the result needs rows of an operand that begin where no rows
// in memory can.
static bool needsShiftedRows(Operation *op, const Box &box) {
  return !box.isEmpty() &&
         llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
           if (operand.get().getDefiningOp<ConstantOp>())
             return false;
           std::optional<Box> needed =
               getOperandBox(op, operand.getOperandNumber(), box);
           return needed && !needed->isEmpty() &&
                  needed->offsets.back() % columnAlign;
         });
}

// Rows of operands cannot begin at any column: what they begin with is computed
// in front of what is needed. Which dimension of the result their columns are
// shows what helps: of a transpose it may be any. Strips of columns are where
// the plan wants them.
void GroupTiler::alignRows(Operation *op, Box &box) const {
  TileAttr tile = tileOf(op);
  const int64_t last = box.sizes.size() - 1;
  if (tile.getDim() == last || tile.getInnerDim() == last)
    return;
  for (int64_t dim = last; dim >= 0; --dim) {
    if (!needsShiftedRows(op, getFresh(op, box)))
      return;
    bool isCut = dim == tile.getDim() || dim == tile.getInnerDim();
    int64_t most = box.offsets[dim];
    Box wide = box;
    for (int64_t by = isCut ? 1 : most; by && by <= most;
         by = by < columnAlign ? by + 1 : most + 1) {
      wide.offsets[dim] = box.offsets[dim] - by;
      wide.sizes[dim] = box.sizes[dim] + by;
      if (needsShiftedRows(op, getFresh(op, wide)))
        continue;
      box = wide;
      return;
    }
  }
}

// Users may need part of more dimensions than the op is cut along, of which it
// may be cut by one only, as a reshape: then all of the others is computed.
void GroupTiler::widen(Operation *op, Box &box) const {
  TileAttr tile = tileOf(op);
  alignRows(op, box);
  auto canBe = [&](const Box &wanted) {
    Box fresh = getFresh(op, wanted);
    return fresh.isEmpty() ||
           llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
             return getOperandBox(op, operand.getOperandNumber(), fresh)
                 .has_value();
           });
  };
  SmallVector<SmallVector<int64_t, 2>, 3> choices = {{tile.getDim()}};
  if (tile.hasInner())
    choices = {{tile.getDim(), tile.getInnerDim()},
               {tile.getDim()},
               {tile.getInnerDim()}};
  Box wide = box;
  for (ArrayRef<int64_t> dims : choices) {
    if (canBe(wide))
      break;
    wide = Box::all(shapeOf(op->getResult(0)));
    for (int64_t dim : dims) {
      wide.offsets[dim] = box.offsets[dim];
      wide.sizes[dim] = box.sizes[dim];
    }
  }
  box = wide;
}

LogicalResult GroupTiler::findBoxes(StripNumber strip) {
  boxes.clear();
  for (Operation *op : llvm::reverse(ops)) {
    if (strips.contains(op))
      if (std::optional<Box> own = stripOf(op, strip)) {
        auto [it, isNew] = boxes.try_emplace(op, *own);
        if (!isNew)
          it->second = joined(it->second, *own);
      }
    auto box = boxes.find(op);
    if (box == boxes.end())
      continue;
    widen(op, box->second);
    Box fresh = getFresh(op, box->second);
    for (OpOperand &operand : op->getOpOperands()) {
      if (fresh.isEmpty())
        break;
      std::optional<Box> needed =
          getOperandBox(op, operand.getOperandNumber(), fresh);
      if (!needed)
        return op->emitOpError("cannot be cut along dimension ")
               << tileOf(op).getLastDim() << " of "
               << op->getResult(0).getType() << "; remove its 'ane.tile'";
      Operation *def = operand.get().getDefiningOp();
      if (needed->isEmpty() || !def || !members.contains(def))
        continue;
      auto [it, isNew] = boxes.try_emplace(def, *needed);
      if (!isNew)
        it->second = joined(it->second, *needed);
    }
  }
  return success();
}

// `box` of a value from outside, or of the part of one inside.
Value GroupTiler::partOf(Value value, const Box &box) {
  if (box.isEmpty())
    return {};
  Operation *def = value.getDefiningOp();
  if (!def || !members.contains(def))
    return createSlice(builder, value.getLoc(), value, box);
  Box inside = box;
  const Box &whole = boxes.find(def)->second;
  for (size_t dim = 0; dim < box.sizes.size(); ++dim)
    inside.offsets[dim] -= whole.offsets[dim];
  return createSlice(builder, value.getLoc(), parts.lookup(value), inside);
}

void GroupTiler::createParts(StripNumber strip) {
  parts.clear();
  for (Operation *op : ops) {
    auto box = boxes.find(op);
    if (box == boxes.end())
      continue;
    Value part;
    SmallVector<Value> old;
    Box fresh = getFresh(op, box->second);
    // Copied first, so that the new part can lie where the old one was.
    if (op->hasAttr(ANEDialect::getKeepRowsAttrName()))
      old = sliceKept(op, box->second);
    if (!fresh.isEmpty()) {
      part =
          createPart(builder, op, fresh, [&](OpOperand &use, const Box &box) {
            return partOf(use.get(), box);
          });
      if (Operation *def = part.getDefiningOp()) {
        def->removeAttr(ANEDialect::getTileAttrName());
        def->removeAttr(ANEDialect::getKeepRowsAttrName());
        if (strips.contains(op))
          dropResidency(def);
      }
      ++numParts;
    }
    if (op->hasAttr(ANEDialect::getKeepRowsAttrName()))
      part = joinKept(op, box->second, old, part);
    parts[op->getResult(0)] = part;
    auto outside = strips.find(op);
    if (outside == strips.end())
      continue;
    if (std::optional<Box> own = stripOf(op, strip))
      outside->second.push_back(partOf(op->getResult(0), *own));
  }
}

// Strips of which more is used inside than outside are copied to the result. So
// is then one, as the last, of which no more is used: it would be stored there
// and read again.
void GroupTiler::copyStrips(Operation *op, MutableArrayRef<Value> values) {
  auto isCopied = [](Value value) { return value.getDefiningOp<SliceOp>(); };
  if (isa<SliceOp>(op) || llvm::none_of(values, isCopied))
    return;
  OpBuilder::InsertionGuard guard(builder);
  for (Value &value : values) {
    if (isCopied(value) || value.use_empty())
      continue;
    builder.setInsertionPointAfterValue(value);
    Box all = Box::all(shapeOf(value));
    value = SliceOp::create(builder, op->getLoc(), value.getType(), value,
                            all.offsets, all.sizes,
                            SmallVector<int64_t>(all.sizes.size(), 1));
  }
}

// All strips of `op`, each of which is first put together from its parts.
Value GroupTiler::joinStrips(Operation *op, ArrayRef<Value> values) {
  TileAttr tile = tileOf(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto join = [&](ArrayRef<Value> pieces, int64_t dim) -> Value {
    if (pieces.size() == 1)
      return pieces[0];
    SmallVector<int64_t> shape(shapeOf(pieces[0]));
    shape[dim] = 0;
    for (Value piece : pieces)
      shape[dim] += shapeOf(piece)[dim];
    return ConcatOp::create(builder, op->getLoc(),
                            RankedTensorType::get(shape, type.getElementType()),
                            pieces, dim);
  };
  if (!tile.hasInner())
    return join(values, tile.getDim());
  size_t count = llvm::divideCeil(type.getDimSize(tile.getInnerDim()),
                                  tile.getInnerSize());
  SmallVector<Value> whole;
  for (size_t i = 0; i < values.size(); i += count)
    whole.push_back(join(values.slice(i, count), tile.getInnerDim()));
  return join(whole, tile.getDim());
}

LogicalResult GroupTiler::run() {
  if (failed(check()))
    return failure();
  StripNumber strip;
  for (strip.outer = 0; strip.outer < counts.outer; ++strip.outer) {
    // What a part has kept, the next one of the same strip takes.
    if (counts.inner > 1)
      kept.clear();
    for (strip.inner = 0; strip.inner < counts.inner; ++strip.inner) {
      if (failed(findBoxes(strip)))
        return failure();
      createParts(strip);
    }
  }
  for (auto &[op, values] : strips) {
    copyStrips(op, values);
    Value whole = joinStrips(op, values);
    moveResidency(op, whole);
    op->getResult(0).replaceUsesWithIf(whole, [&](OpOperand &use) {
      return !members.contains(use.getOwner()) &&
             use.getOwner() != whole.getDefiningOp();
    });
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return success();
}

FailureOr<int64_t> mlir::ane::tileGroup(ArrayRef<Operation *> ops) {
  GroupTiler tiler(ops);
  if (failed(tiler.run()))
    return failure();
  return tiler.numParts;
}

// Sums in place of what says of how many input channels its parts are to be; in
// a group all of it is cut as the convolution was.
static void splitInputChannels(ConvOp conv) {
  auto channels = cast<IntegerAttr>(
      conv->removeAttr(ANEDialect::getInputChannelsAttrName()));
  if (channels.getInt() >= shapeOf(conv.getInput())[1])
    return;
  OpBuilder builder(conv);
  Operation *before = conv->getPrevNode();
  Value sum = sumOverInputChannels(builder, conv, channels.getInt());
  Operation *op = before ? before->getNextNode() : &conv->getBlock()->front();
  for (; op != conv; op = op->getNextNode()) {
    dropResidency(op);
    if (TileAttr tile = tileOf(conv); tile && !isa<ConstantOp>(op))
      op->setAttr(ANEDialect::getTileAttrName(), tile);
  }
  moveResidency(conv, sum);
  conv.replaceAllUsesWith(sum);
  conv.erase();
}

// Whether strips of `tile` begin where columns of rows can, if the dimension is
// one of columns behind `transpose`.
static bool isAlignedBehind(TransposeOp transpose, TileAttr tile) {
  int64_t columns = transpose.getPerm().back();
  auto isAligned = [&](int64_t dim, int64_t size) {
    return dim != columns || size % columnAlign == 0 ||
           size >= shapeOf(transpose.getInput())[dim];
  };
  return isAligned(tile.getDim(), tile.getSize()) &&
         (!tile.hasInner() ||
          isAligned(tile.getInnerDim(), tile.getInnerSize()));
}

// A transpose after a convolution that is cut, which its task would have
// stored, if it stays whole.
static TransposeOp getTransposeBehind(ConvOp conv) {
  TileAttr tile = tileOf(conv);
  TransposeOp transpose = tile ? getStoredTranspose(conv) : nullptr;
  return transpose && !tileOf(transpose) && isAlignedBehind(transpose, tile)
             ? transpose
             : TransposeOp();
}

static void eraseUnused(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    if (auto concat = operand.getDefiningOp<ConcatOp>();
        concat && concat->use_empty())
      eraseUnused(concat);
}

// The same of each strip, whose task stores it.
static Value transposeStrips(OpBuilder &builder, TransposeOp op, Value value) {
  SmallVector<int64_t, 4> shape;
  for (int64_t dim : op.getPerm())
    shape.push_back(shapeOf(value)[dim]);
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(op.getType()));
  auto concat = value.getDefiningOp<ConcatOp>();
  if (!concat || !concat->hasOneUse())
    return TransposeOp::create(builder, op.getLoc(), type, value, op.getPerm());
  SmallVector<Value> strips;
  for (Value strip : concat.getInputs())
    strips.push_back(transposeStrips(builder, op, strip));
  int64_t axis =
      llvm::find(op.getPerm(), concat.getAxis()) - op.getPerm().begin();
  return ConcatOp::create(builder, concat.getLoc(), type, strips, axis);
}

namespace {

struct Tile : public mlir::ane::impl::ANETileBase<Tile> {
  using ANETileBase::ANETileBase;

  void runOnOperation() override {
    SmallVector<ConvOp> sums;
    SmallVector<TransposeOp> transposes;
    getOperation()->walk([&](ConvOp conv) {
      if (TransposeOp transpose = getTransposeBehind(conv))
        transposes.push_back(transpose);
      if (conv->hasAttr(ANEDialect::getInputChannelsAttrName()))
        sums.push_back(conv);
    });
    llvm::for_each(sums, splitInputChannels);
    llvm::MapVector<int64_t, SmallVector<Operation *>> groups;
    getOperation()->walk([&](Operation *op) {
      if (TileAttr tile = tileOf(op))
        groups[tile.getGroup()].push_back(op);
    });
    for (auto &[number, ops] : groups) {
      FailureOr<int64_t> parts = tileGroup(ops);
      if (failed(parts))
        return signalPassFailure();
      numParts += *parts;
    }
    for (TransposeOp transpose : transposes) {
      OpBuilder builder(transpose);
      Value whole = transposeStrips(builder, transpose, transpose.getInput());
      moveResidency(transpose, whole);
      transpose.replaceAllUsesWith(whole);
      eraseUnused(transpose);
    }
    joinSumsOfRows(getOperation(), getTarget(getOperation()));
  }
};

} // namespace
