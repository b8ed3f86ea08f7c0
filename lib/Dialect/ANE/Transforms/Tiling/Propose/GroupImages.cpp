//===- GroupImages.cpp - Some images of a batch at a time -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tokens of a batch are rows of one image (PropagateTokens.cpp), so that layers
// have their weights in common. Two things depend on how many images there are:
//
//   few    layers wait for their weights, which load once for each group
//   many   what lives from one layer to another goes through DRAM
//
// A network of 128 tokens is the fastest with two images at a time, one of 384
// with one. Groups of images are computed one after the other, each by all ops:
//
//   x, N x T x C         x0, G x T x C    x1, G x T x C    ...
//   image, 1 x C x N x T 1 x C x G x T    1 x C x G x T    ...
//
// Where images are in a value follows from op to op: the dimension of which one
// part of the result needs the same part of each operand, and no more.
//
//===----------------------------------------------------------------------===//

#include "GroupImages.h"

#include "ane/Dialect/ANE/Transforms/Tiling/Apply/PartRun.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/PlanCost.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Simulator/CostModel.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Each group has ops and tasks of its own, which take time to compile.
constexpr int64_t maxGroups = 16;
/// Of L2, for what lives from layer to layer (guess); strips have the rest.
constexpr double maxLiveShare = 0.75;

class ImageGrouper {
public:
  ImageGrouper(func::FuncOp func, int64_t images,
               const ::ane::hw::GenerationInfo &generation)
      : func(func), images(images), info(generation),
        chip(::ane::hw::chipOf(generation.id)) {}
  int64_t run();

private:
  Box boxOf(Value value, unsigned dim, int64_t first, int64_t count) const;
  bool isCutAlong(Operation *op, unsigned dim) const;
  void findDims();
  bool isOfRows(Value value) const;
  bool sharesWeights(Operation *op) const;

  void findLives();
  double predictTogether(Operation *op, int64_t group) const;
  double predict(Operation *op, int64_t group) const;
  /// What is computed by groups, and how long all takes then.
  struct Choice {
    double seconds = 0;
    DenseSet<Operation *> cut;
  };
  Choice choose(int64_t group) const;

  Value partOf(OpBuilder &builder, Value value, Box box, int64_t index);
  void createParts(OpBuilder &builder, ArrayRef<Operation *> run,
                   const DenseSet<Operation *> &cut, int64_t group);
  void split(const DenseSet<Operation *> &cut, int64_t group);

  func::FuncOp func;
  const int64_t images;
  const ::ane::hw::GenerationInfo &info;
  const ::ane::hw::ChipInfo &chip;
  DenseMap<Value, unsigned> dims; ///< where a value has its images
  std::vector<Operation *> ops;   ///< that can be cut, in their order
  /// Of each op: bytes of all images that live while it runs.
  DenseMap<Operation *, int64_t> liveBytes;
  DenseMap<Value, SmallVector<Value>> parts; ///< by group
};

} // namespace

//===----------------------------------------------------------------------===//
// Where the images are
//===----------------------------------------------------------------------===//

// Images [first, first + count).
Box ImageGrouper::boxOf(Value value, unsigned dim, int64_t first,
                        int64_t count) const {
  Box box = Box::all(shapeOf(value));
  int64_t each = box.sizes[dim] / images;
  box.offsets[dim] = first * each;
  box.sizes[dim] = count * each;
  return box;
}

// Whether one image of the result needs that image of its operands, if these
// have any; maybe a part of it.
bool ImageGrouper::isCutAlong(Operation *op, unsigned dim) const {
  int64_t each = shapeOf(op->getResult(0))[dim] / images;
  if (shapeOf(op->getResult(0))[dim] % images || each % getCutUnit(op, dim))
    return false;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    DimMap map = getDimMap(op, index, dim);
    auto own = dims.find(operand);
    bool isOfImages = own != dims.end();
    if (map.kind == DimMap::Opaque || map.kind == DimMap::Reduced ||
        (isa<ConcatOp>(op) && map.kind == DimMap::Segment) ||
        (isOfImages && map.dim != own->second))
      return false;
    // No part is a border alone, and that of an image is all of it.
    bool isExact = map.before == 0 && map.getSpan() == map.stride;
    if ((isOfImages || map.kind == DimMap::Window) &&
        !(isExact &&
          each / map.unit * map.stride * images == shapeOf(operand)[map.dim]))
      return false;
  }
  return true;
}

void ImageGrouper::findDims() {
  for (BlockArgument arg : func.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (type && type.getRank() > 2 && type.getDimSize(0) == images)
      dims[arg] = 0;
  }
  for (Operation &op : func.front()) {
    if (op.getNumResults() != 1 ||
        llvm::none_of(op.getOperands(),
                      [&](Value value) { return dims.contains(value); }))
      continue;
    // The host casts all of a tensor at once.
    if (isa<CastOp>(op)) {
      dims[op.getResult(0)] = dims.lookup(op.getOperand(0));
      continue;
    }
    unsigned rank = shapeOf(op.getResult(0)).size(), dim = 0;
    while (dim < rank && !isCutAlong(&op, dim))
      ++dim;
    if (dim == rank)
      continue;
    dims[op.getResult(0)] = dim;
    if (!isAtBorder(&op))
      ops.push_back(&op);
  }
}

// Whether all images are in one, or were when it was moved or scaled.
bool ImageGrouper::isOfRows(Value value) const {
  while (dims.lookup(value) == 0) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_present<ReshapeOp, SliceOp, TransposeOp, ElementwiseOp>(op) ||
        (isa<ElementwiseOp>(op) &&
         !op->getOperand(1).getDefiningOp<ConstantOp>()))
      return false;
    value = op->getOperand(0);
  }
  return true;
}

// Whether all images are rows of one product.
bool ImageGrouper::sharesWeights(Operation *op) const {
  return isa<ConvOp, MatmulOp>(op) && dims.lookup(op->getResult(0)) != 0 &&
         op->getOperand(1).getDefiningOp<ConstantOp>();
}

//===----------------------------------------------------------------------===//
// How long groups take
//===----------------------------------------------------------------------===//

static bool onlyMoves(Operation *op) {
  return isa<ReshapeOp, SliceOp, ConcatOp>(op);
}

// A value that the next op alone reads is made a part at a time. Images that
// are no rows come one by one.
void ImageGrouper::findLives() {
  DenseMap<Operation *, size_t> places;
  for (auto [place, op] : llvm::enumerate(ops))
    places[op] = place;
  std::vector<int64_t> change(ops.size() + 1, 0);
  for (auto [place, op] : llvm::enumerate(ops)) {
    if (onlyMoves(op) || !isOfRows(op->getResult(0)))
      continue;
    size_t last = place;
    // Each once: parts that are cut and joined lead to it along many paths.
    llvm::SetVector<Operation *> users(op->user_begin(), op->user_end());
    for (size_t i = 0; i < users.size(); ++i) {
      Operation *user = users[i];
      auto found = places.find(user);
      if (found == places.end())
        continue;
      last = std::max(last, found->second);
      if (onlyMoves(user))
        users.insert(user->user_begin(), user->user_end());
    }
    size_t next = place + 1;
    while (next < ops.size() && onlyMoves(ops[next]))
      ++next;
    if (last <= next)
      continue;
    change[place] += halfBytesOf(op->getResult(0));
    change[last + 1] -= halfBytesOf(op->getResult(0));
  }
  int64_t live = 0;
  for (auto [place, op] : llvm::enumerate(ops))
    liveBytes[op] = live += change[place];
}

static ::ane::sim::TaskWork workOf(const ::ane::hw::ChipInfo &chip,
                                   Operation *op, double share) {
  ::ane::sim::TaskWork work;
  int64_t results = typeOf(op->getResult(0)).getNumElements();
  auto product = dyn_cast<MatmulOp>(op);
  auto conv = dyn_cast<ConvOp>(op);
  if (!product && !conv) {
    for (Value operand : op->getOperands())
      results = std::max(results, typeOf(operand).getNumElements());
    work.elements = share * results;
    return work;
  }
  if (product && !op->getOperand(1).getDefiningOp<ConstantOp>()) {
    ArrayRef<int64_t> lhs = shapeOf(product.getLhs());
    size_t inner = lhs.size() - (product.getTransposeLhs() ? 2 : 1);
    work.macs = share * results * lhs[inner];
    work.cout = chip.neCount;
    return work;
  }
  ::ane::sim::LayerShape layer;
  if (conv) {
    ArrayRef<int64_t> weight = shapeOf(conv.getWeight());
    layer.cin = shapeOf(conv.getInput())[1];
    layer.cout = weight[0];
    layer.kh = weight[2];
    layer.kw = weight[3];
    layer.groups = conv.getGroups();
  } else {
    ArrayRef<int64_t> weight = shapeOf(product.getRhs());
    layer.cin = weight[weight.size() - (product.getTransposeRhs() ? 1 : 2)];
    layer.cout = shapeOf(product).back();
  }
  layer.width = share * results / layer.cout;
  return ::ane::sim::workOf(chip, layer, /*reads=*/false, /*writes=*/false);
}

// Seconds of an op for a group of images, if it has all of them at once.
double ImageGrouper::predictTogether(Operation *op, int64_t group) const {
  const double share = double(group) / images;
  ::ane::sim::TaskWork work = workOf(chip, op, share);
  int64_t moved = halfBytesOf(op->getResult(0));
  for (Value operand : op->getOperands())
    if (dims.contains(operand))
      moved += halfBytesOf(operand);
  double excess = share * liveBytes.lookup(op) - maxLiveShare * info.l2Bytes;
  work.tileBytes = std::clamp(excess, 0.0, share * moved);
  // Weights are loaded ahead, as long as there is something to do.
  double weights = work.weightBytes / chip.weightBytesPerSecond;
  work.weightBytes = 0;
  return std::max(weights, ::ane::sim::predict(chip, work).total);
}

// Images that are no rows are computed one by one, but where they are joined
// (JoinImages.cpp).
double ImageGrouper::predict(Operation *op, int64_t group) const {
  if (onlyMoves(op))
    return 0;
  double together = predictTogether(op, group);
  return isOfRows(op->getResult(0))
             ? together
             : std::min(together, group * predictTogether(op, 1));
}

// What is computed by groups. An op that waits for its weights has all images
// if that saves more than to join its operands and cut its result; with it go
// those around it that are no faster in groups.
ImageGrouper::Choice ImageGrouper::choose(int64_t group) const {
  Choice choice;
  DenseSet<Operation *> together;
  auto gain = [&](Operation *op) {
    return predict(op, group) * images / group - predict(op, images);
  };
  for (Operation *op : ops) {
    int64_t bytes = halfBytesOf(op->getResult(0));
    bool follows = false, isCut = false;
    for (Value operand : op->getOperands()) {
      if (dims.contains(operand))
        bytes += halfBytesOf(operand);
      follows |= together.contains(operand.getDefiningOp());
      isCut |= choice.cut.contains(operand.getDefiningOp());
    }
    double border = 2 * bytes / chip.tileBytesPerSecond;
    bool isWhole = gain(op) > border || (follows && !isCut && gain(op) >= 0);
    (isWhole ? together : choice.cut).insert(op);
    choice.seconds += isWhole && isCut ? border : 0;
  }
  for (Operation *op : llvm::reverse(ops)) {
    auto isTogether = [&](Operation *user) { return together.contains(user); };
    if (choice.cut.contains(op) && gain(op) >= 0 &&
        llvm::all_of(op->getUsers(), isTogether)) {
      choice.cut.erase(op);
      together.insert(op);
    }
    choice.seconds += predict(op, images);
    if (choice.cut.contains(op))
      choice.seconds += gain(op);
  }
  return choice;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

// `box` of a value, for group `index`.
Value ImageGrouper::partOf(OpBuilder &builder, Value value, Box box,
                           int64_t index) {
  auto found = parts.find(value);
  if (found == parts.end())
    return createSlice(builder, value.getLoc(), value, box);
  box.offsets[dims.lookup(value)] = 0;
  return createSlice(builder, value.getLoc(), found->second[index], box);
}

// Ops without any between them that needs all images.
void ImageGrouper::createParts(OpBuilder &builder, ArrayRef<Operation *> run,
                               const DenseSet<Operation *> &cut,
                               int64_t group) {
  for (int64_t index = 0; index < images / group; ++index) {
    for (Operation *op : run) {
      Value result = op->getResult(0);
      Box box = boxOf(result, dims.lookup(result), index * group, group);
      SmallVector<Value> operands;
      for (auto [number, operand] : llvm::enumerate(op->getOperands()))
        operands.push_back(
            partOf(builder, operand, *getOperandBox(op, number, box), index));
      // The box of a slice is the slice.
      bool isThere = shapeOf(operands[0]) == ArrayRef<int64_t>(box.sizes);
      parts[result].push_back(isa<SliceOp>(op) && isThere
                                  ? operands[0]
                                  : createPart(builder, op, operands, box));
    }
  }
  for (Operation *op : run) {
    Value result = op->getResult(0);
    auto stays = [&](OpOperand &use) { return !cut.contains(use.getOwner()); };
    if (llvm::none_of(result.getUses(), stays))
      continue;
    Value whole = ConcatOp::create(builder, op->getLoc(), result.getType(),
                                   parts[result], dims.lookup(result));
    result.replaceUsesWithIf(whole, stays);
  }
}

void ImageGrouper::split(const DenseSet<Operation *> &cut, int64_t group) {
  llvm::SetVector<Operation *> run;
  SmallVector<Operation *> done;
  OpBuilder builder(func.getContext());
  for (Operation &op : llvm::make_early_inc_range(func.front())) {
    if (cut.contains(&op)) {
      run.insert(&op);
      done.push_back(&op);
    } else if (llvm::any_of(op.getOperands(), [&](Value value) {
                 return run.contains(value.getDefiningOp());
               })) {
      builder.setInsertionPoint(&op);
      createParts(builder, run.getArrayRef(), cut, group);
      run.clear();
    }
  }
  for (Operation *op : llvm::reverse(done))
    op->erase();
}

int64_t ImageGrouper::run() {
  findDims();
  if (llvm::none_of(ops, [&](Operation *op) { return sharesWeights(op); }))
    return images;
  findLives();
  int64_t best = images;
  Choice least = choose(images);
  const double whole = least.seconds;
  for (int64_t group = images - 1; group > 0; --group) {
    if (images % group || images / group > maxGroups)
      continue;
    Choice choice = choose(group);
    if (choice.seconds < least.seconds &&
        PlanCost::pays(choice.seconds, whole)) {
      least = std::move(choice);
      best = group;
    }
  }
  if (best < images)
    split(least.cut, best);
  return best;
}

int64_t mlir::ane::groupImages(func::FuncOp func, int64_t images,
                               const ::ane::hw::GenerationInfo &generation) {
  return images > 1 ? ImageGrouper(func, images, generation).run() : images;
}
