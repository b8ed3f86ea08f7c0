//===- CutLongDims.cpp - Dimensions that are longer than one can be -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value with a long dimension is carried as pieces of it, and an op is computed
// piece by piece, from the boxes that DimMap says (Tiling.h):
//
//   y = pad(x)  of 40000 rows    y0 = pad(x[0:13334]), y1 = pad(x[13334:26668]),
//                                y2 = pad(x[26668:])
//
// A surface has the pieces in a dimension of their own, and padding after the
// last (hw::Tensor::Padding): 40000 x 7 is 1 x 3 x 13334 x 7.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Propose/CutLongDims.h"

#include "LongReductions.h"
#include "ManyImages.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/Dialect/ANE/Transforms/Constants/Fold.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Evaluate.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Indices [i * size, (i + 1) * size) of a dimension are in value i.
struct Pieces {
  int64_t dim, size;
  SmallVector<Value> values;
};

/// Parts of `size` indices of a dimension of a result, or of what is reduced in
/// the first operand.
struct Cut {
  int64_t dim, size;
  SmallVector<Box> boxes;
  bool isReduced = false;
};

/// The dimensions of the first two operands that an op sums over, and how long
/// they may be.
struct Contraction {
  int64_t left, right, limit;
};

/// The shape of a surface of pieces: what is before the dimension, pieces,
/// indices of one, and what is after.
using SurfaceShape = SmallVector<int64_t>;

class DimCutter {
public:
  DimCutter(func::FuncOp func, const ::ane::hw::GenerationInfo &info)
      : func(func), info(info), builder(func.getContext()) {}

  int64_t run();

private:
  std::optional<int64_t> findLong(Type type, bool turns = false) const;
  bool isShort(const Box &box, bool turns = false) const;
  int64_t unitOf(Operation *op, int64_t dim) const;
  int64_t sizeOfPieces(int64_t length, int64_t limit, int64_t unit) const;
  std::optional<SurfaceShape> shapeOfSurface(RankedTensorType type) const;

  void splitArgument(BlockArgument argument, SmallVector<Operation *> &gone);
  Pieces piecesOf(Value surface, RankedTensorType type);
  void joinResult(OpOperand &result);
  bool hasSurface(Value value) const;
  bool isProduct(Value value) const;

  std::optional<SmallVector<Box>> boxesOf(Operation *op, int64_t dim,
                                          int64_t size) const;
  SmallVector<int64_t> wantedSizes(Operation *op, int64_t dim,
                                   int64_t size) const;
  std::optional<Cut> chooseCut(Operation *op) const;
  std::optional<Contraction> contractionOf(Operation *op) const;
  std::optional<Cut> cutReduced(Operation *op) const;
  std::optional<Cut>
  cutImage(Operation *op,
           function_ref<bool(int64_t, const Box &)> canMake) const;
  std::optional<Cut> cutResized(ResizeOp op) const;
  std::optional<Cut> cutTransposed(ConvTransposeOp op) const;
  Value resampled(ResizeOp op, int64_t dim, const Box &box);
  Value transposedPart(ConvTransposeOp op, int64_t dim, const Box &box);
  Value reshapedPart(ReshapeOp op, const Box &box);
  bool dropOnes(Operation *op);
  void joinCopies(TileOp op);
  void splitWindow(PoolOp op, int64_t dim);
  void giveBack(OpOperand &result);
  Value makePart(Operation *op, int64_t dim, const Box &box);
  Value combine(ReduceOp op, ArrayRef<Box> boxes);
  Value combineProducts(Operation *op, ArrayRef<Box> boxes);
  void splitReduction(ReduceOp op);
  bool isLong(Value value, bool turns = false) const;
  bool needsCut(Operation *op) const;
  FailureOr<SmallVector<Operation *>> collect();
  Value take(Location loc, Value value, const Box &box);
  void cut(Operation *op);

  func::FuncOp func;
  const ::ane::hw::GenerationInfo &info;
  OpBuilder builder;
  DenseMap<Value, Pieces> pieces;
};

} // namespace

// Whether the host casts the value, at the border.
static bool isHostCast(Operation *op) {
  return isa<CastOp>(op) && (isHostElement(op->getResult(0).getType()) ||
                             isHostElement(op->getOperand(0).getType()));
}

static bool isOfSquares(ReduceKind kind) {
  return kind == ReduceKind::MeanSquare || kind == ReduceKind::SumSquare;
}

// Whether tasks of the op have channels of its tensors as rows or columns.
static bool turnsChannels(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return isOfSquares(reduce.getKind());
  // Rows are joined, or cut, where the DMA cannot address what is in between.
  int64_t last = typeOf(op->getResult(0)).getRank() - 1;
  if (auto concat = dyn_cast<ConcatOp>(op))
    return int64_t(concat.getAxis()) == last;
  if (auto tile = dyn_cast<TileOp>(op))
    return tile.getRepeats().back() != 1;
  return isa<LayerNormOp, MatmulOp, PadOp, ResizeOp, RmsNormOp, SoftmaxOp>(op);
}

// Sizes that the last dimensions of a tensor may have.
static int64_t limitOf(const ::ane::hw::GenerationInfo &info, int64_t dim,
                       int64_t rank, bool turns = false) {
  const int64_t rows = info.maxHeight;
  const int64_t limits[] = {info.maxWidth, rows,
                            turns ? rows : int64_t(info.maxChannels)};
  int64_t fromEnd = rank - 1 - dim;
  return fromEnd < 3 ? limits[fromEnd] : std::numeric_limits<int64_t>::max();
}

// The only dimension that is too long.
std::optional<int64_t> DimCutter::findLong(Type type, bool turns) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  std::optional<int64_t> found;
  for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
    if (size > limitOf(info, dim, tensor.getRank(), turns)) {
      if (found)
        return std::nullopt;
      found = dim;
    }
  return found;
}

bool DimCutter::isShort(const Box &box, bool turns) const {
  return llvm::all_of(llvm::enumerate(box.sizes), [&](auto size) {
    return size.value() <= limitOf(info, size.index(), box.sizes.size(), turns);
  });
}

// A row is cut where the DMA can address it.
int64_t DimCutter::unitOf(Operation *op, int64_t dim) const {
  int64_t unit = getCutUnit(op, dim);
  return dim == typeOf(op->getResult(0)).getRank() - 1
             ? std::lcm(unit, int64_t(info.dmaAlign / sizeof(uint16_t)))
             : unit;
}

// Of as few pieces as can be.
int64_t DimCutter::sizeOfPieces(int64_t length, int64_t limit,
                                int64_t unit) const {
  int64_t count = llvm::divideCeil(length, limit);
  int64_t size = llvm::alignTo(llvm::divideCeil(length, count), unit);
  return size <= limit ? size : limit / unit * unit;
}

// Dimensions after one; rows of one column are columns.
static ArrayRef<int64_t> shapeAfter(RankedTensorType type, int64_t dim) {
  ArrayRef<int64_t> after = type.getShape().drop_front(dim + 1);
  return after == ArrayRef<int64_t>{1} ? ArrayRef<int64_t>() : after;
}

std::optional<SurfaceShape>
DimCutter::shapeOfSurface(RankedTensorType type) const {
  std::optional<int64_t> dim = findLong(type);
  if (!dim)
    return std::nullopt;
  ArrayRef<int64_t> shape = type.getShape(), after = shapeAfter(type, *dim);
  int64_t granule = info.dmaAlign / sizeof(uint16_t);
  int64_t size = sizeOfPieces(shape[*dim], limitOf(info, *dim, type.getRank()),
                              after.empty() ? granule : 1);
  int64_t lead = 1;
  for (int64_t before : shape.take_front(*dim))
    lead *= before;
  SurfaceShape surface{lead, int64_t(llvm::divideCeil(shape[*dim], size)),
                       size};
  llvm::append_range(surface, after);
  if (surface.size() > 4 && lead == 1)
    surface.erase(surface.begin());
  if (surface.size() == 3)
    surface.insert(surface.begin(), 1);
  if (surface.size() > 4 || !isShort(Box::all(surface)))
    return std::nullopt;
  return surface;
}

//===----------------------------------------------------------------------===//
// Surfaces
//===----------------------------------------------------------------------===//

// What lies in a surface of pieces, which has the shape `type` without padding.
Pieces DimCutter::piecesOf(Value surface, RankedTensorType type) {
  Location loc = surface.getLoc();
  ArrayRef<int64_t> shape = typeOf(surface).getShape();
  int64_t dim = *findLong(type), length = type.getDimSize(dim);
  int64_t at = 2 - int64_t(shapeAfter(type, dim).size());
  Pieces result{dim, shape[at + 1], {}};
  for (int64_t i = 0; i < shape[at]; ++i) {
    int64_t count = std::min(result.size, length - i * result.size);
    Value piece = sliceDim(builder, loc, surface, at, i, 1);
    piece = sliceDim(builder, loc, piece, at + 1, 0, count);
    result.values.push_back(
        reshaped(builder, loc, piece, withDim(type, dim, count).getShape()));
  }
  return result;
}

// What has the old type stands for the pieces until all users are cut.
void DimCutter::splitArgument(BlockArgument argument,
                              SmallVector<Operation *> &gone) {
  RankedTensorType type = typeOf(argument);
  SurfaceShape surface = *shapeOfSurface(type);
  builder.setInsertionPointToStart(&func.front());
  auto old = UnrealizedConversionCastOp::create(builder, argument.getLoc(),
                                                type, ValueRange());
  argument.replaceAllUsesWith(old.getResult(0));
  keepNetworkShape(func, argument);
  argument.setType(type.clone(surface));
  // The host casts all of a surface.
  for (Operation *user : old->getUsers())
    if (auto cast = dyn_cast<CastOp>(user); cast && isHostCast(cast)) {
      Value same = CastOp::create(builder, cast.getLoc(),
                                  cast.getType().clone(surface), argument);
      pieces[cast] = piecesOf(same, cast.getType());
      gone.push_back(cast);
    }
  if (!isHostElement(type))
    pieces[old.getResult(0)] = piecesOf(argument, type);
  gone.push_back(old);
}

void DimCutter::joinResult(OpOperand &result) {
  Value value = result.get();
  auto cast = value.getDefiningOp<CastOp>();
  if (cast && isHostCast(cast))
    value = cast.getInput();
  else
    cast = {};
  if (!pieces.contains(value))
    return;
  RankedTensorType type = typeOf(value);
  SurfaceShape surface = *shapeOfSurface(type);
  builder.setInsertionPoint(result.getOwner());
  Location loc = value.getLoc();
  int64_t dim = *findLong(type);
  int64_t at = 2 - int64_t(shapeAfter(type, dim).size());
  int64_t size = surface[at + 1];
  SmallVector<Value> parts;
  for (const Box &box : boxesAlong(type.getShape(), dim, size)) {
    SmallVector<int64_t> shape(surface), high(4, 0);
    shape[at] = 1;
    shape[at + 1] = box.sizes[dim];
    high[at + 1] = size - box.sizes[dim];
    Value part = reshaped(builder, loc, take(loc, value, box), shape);
    shape[at + 1] = size;
    if (high[at + 1] != 0)
      part =
          PadOp::create(builder, loc, type.clone(shape), part,
                        SmallVector<int64_t>(4, 0), high, llvm::APFloat(0.0f));
    parts.push_back(part);
  }
  value = concatDim(builder, loc, parts, at);
  if (cast)
    value = CastOp::create(builder, loc, cast.getType().clone(surface), value);
  keepNetworkShape(func, result);
  result.set(value);
  if (cast && cast->use_empty())
    cast.erase();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

// A box of a value, of the pieces that have some of it.
Value DimCutter::take(Location loc, Value value, const Box &box) {
  auto found = pieces.find(value);
  if (found == pieces.end())
    return createSlice(builder, loc, value, box);
  const Pieces &from = found->second;
  int64_t dim = from.dim, end = box.offsets[dim] + box.sizes[dim];
  SmallVector<Value> parts;
  for (int64_t first = box.offsets[dim]; first < end;) {
    int64_t index = first / from.size, start = index * from.size;
    Box part = box;
    part.offsets[dim] = first - start;
    part.sizes[dim] = std::min(end, start + from.size) - first;
    parts.push_back(createSlice(builder, loc, from.values[index], part));
    first += part.sizes[dim];
  }
  return concatDim(builder, loc, parts, dim);
}

// What `box` of the result of a reshape is of the operand, where it is a box.
static std::optional<Box> getSourceBox(ReshapeOp op, const Box &box) {
  ArrayRef<int64_t> from = shapeOf(op.getInput()), to = shapeOf(op);
  Box source = Box::all(from);
  size_t same = 0;
  for (; same < std::min(from.size(), to.size()) && from[same] == to[same];
       ++same) {
    source.offsets[same] = box.offsets[same];
    source.sizes[same] = box.sizes[same];
  }
  // The rest is one sequence of elements, and so is the box.
  int64_t first = 0, last = 0, count = 1;
  for (size_t dim = same; dim < to.size(); ++dim) {
    first = first * to[dim] + box.offsets[dim];
    last = last * to[dim] + box.offsets[dim] + box.sizes[dim] - 1;
    count *= box.sizes[dim];
  }
  if (last - first + 1 != count)
    return std::nullopt;
  for (size_t dim = from.size(); dim-- > same;) {
    source.offsets[dim] = first % from[dim];
    source.sizes[dim] = last % from[dim] - source.offsets[dim] + 1;
    first /= from[dim];
    last /= from[dim];
  }
  bool isBox =
      ShapedType::getNumElements(source.sizes) ==
          ShapedType::getNumElements(box.sizes) &&
      llvm::all_of(source.sizes, [](int64_t size) { return size > 0; });
  return isBox ? std::optional(source) : std::nullopt;
}

// The first dimension of a box that has several indices.
static int64_t firstLong(const Box &box) {
  return llvm::find_if(box.sizes, [](int64_t size) { return size > 1; }) -
         box.sizes.begin();
}

// Halves of a box that is none of the operand of a reshape, where a row of that
// ends if there is any.
static std::pair<Box, Box> halved(ReshapeOp op, const Box &box) {
  const int64_t dim = firstLong(box);
  const int64_t offset = box.offsets[dim], size = box.sizes[dim];
  const int64_t unit = getDimMap(op, 0, dim).unit;
  int64_t first = int64_t(llvm::alignTo(offset + 1, unit)) - offset;
  if (unit == 1 || first >= size)
    first = size / 2;
  Box low = box, high = box;
  low.sizes[dim] = first;
  high.offsets[dim] += first;
  high.sizes[dim] -= first;
  return {low, high};
}

// Whether a part of a reshape is at most `most` short boxes of the operand.
static bool isOfBoxes(ReshapeOp op, const Box &box,
                      function_ref<bool(const Box &)> isShort, int64_t &most) {
  if (std::optional<Box> source = getSourceBox(op, box);
      source && isShort(*source))
    return --most >= 0;
  if (ShapedType::getNumElements(box.sizes) == 1 || most <= 0)
    return false;
  auto [low, high] = halved(op, box);
  return isOfBoxes(op, low, isShort, most) &&
         isOfBoxes(op, high, isShort, most);
}

Value DimCutter::reshapedPart(ReshapeOp op, const Box &box) {
  if (std::optional<Box> source = getSourceBox(op, box);
      source && isShort(*source))
    return reshaped(builder, op.getLoc(),
                    take(op.getLoc(), op.getInput(), *source), box.sizes);
  auto [low, high] = halved(op, box);
  Value parts[] = {reshapedPart(op, low), reshapedPart(op, high)};
  return concatDim(builder, op.getLoc(), parts, firstLong(box));
}

// Parts of `size` indices of a result, if each needs and computes nothing that
// is too long.
std::optional<SmallVector<Box>> DimCutter::boxesOf(Operation *op, int64_t dim,
                                                   int64_t size) const {
  bool turns = turnsChannels(op);
  SmallVector<Box> boxes = boxesAlong(shapeOf(op->getResult(0)), dim, size);
  auto reshape = dyn_cast<ReshapeOp>(op);
  for (const Box &box : boxes) {
    if (reshape) {
      int64_t most = 64; // of a part
      if (!isOfBoxes(
              reshape, box, [&](const Box &of) { return isShort(of); }, most))
        return std::nullopt;
      continue;
    }
    if (!isShort(getComputedBox(op, box), turns))
      return std::nullopt;
    for (unsigned index = 0; index < op->getNumOperands(); ++index) {
      std::optional<Box> needed = getOperandBox(op, index, box);
      if (!needed || !isShort(*needed, turns))
        return std::nullopt;
    }
  }
  return boxes;
}

// What `taps` read: the first, and behind the last.
static std::pair<int64_t, int64_t> reachOf(ArrayRef<ResizeTap> taps,
                                           int64_t extent) {
  int64_t first = extent - 1, end = 1;
  for (const ResizeTap &tap : taps)
    if (tap.index >= 0) {
      first = std::min(first, tap.index);
      end = std::max(end, tap.index + (tap.weight != 0 ? 2 : 1));
    }
  return {first, std::max(end, first + 1)};
}

namespace {
/// What a part of a transposed convolution reads along a dimension, and its
/// padding.
struct TransposedPart {
  int64_t first, count, low, high;
};
} // namespace

static TransposedPart partOf(ConvTransposeOp op, int64_t dim, int64_t offset,
                             int64_t size) {
  int64_t axis = dim - 2, stride = op.getStrides()[axis];
  int64_t span =
      (typeOf(op.getWeight()).getDimSize(dim) - 1) * op.getDilations()[axis] +
      1;
  int64_t extent = typeOf(op.getInput()).getDimSize(dim);
  // In elements of the result without padding.
  int64_t begin = offset + op.getPad()[2 * axis], end = begin + size;
  int64_t first = llvm::divideCeilSigned(begin - span + 1, stride);
  first = std::max<int64_t>(0, std::min(first, begin / stride));
  // A window shorter than its stride makes zeros before the next one.
  int64_t last = std::min(
      extent - 1,
      std::max((end - 1) / stride, llvm::divideCeilSigned(end - span, stride)));
  return {first, last - first + 1, begin - first * stride,
          last * stride + span - end};
}

// Rows or columns that are made of others of their own: `canMake` looks at a
// part.
std::optional<Cut>
DimCutter::cutImage(Operation *op,
                    function_ref<bool(int64_t, const Box &)> canMake) const {
  RankedTensorType type = typeOf(op->getResult(0));
  std::optional<int64_t> dim = findLong(type);
  if (!dim)
    dim = findLong(op->getOperand(0).getType());
  if (!dim || *dim < 2)
    return std::nullopt;
  int64_t unit = unitOf(op, *dim), length = type.getDimSize(*dim);
  for (int64_t size =
           sizeOfPieces(length, limitOf(info, *dim, type.getRank()), unit);
       size > 0; size = size / 2 / unit * unit) {
    Cut found{*dim, size, boxesAlong(type.getShape(), *dim, size)};
    if (llvm::all_of(found.boxes, [&](const Box &box) {
          return isShort(box, turnsChannels(op)) && canMake(*dim, box);
        }))
      return found;
  }
  return std::nullopt;
}

std::optional<Cut> DimCutter::cutResized(ResizeOp op) const {
  ArrayRef<int64_t> from = typeOf(op.getInput()).getShape();
  return cutImage(op, [&](int64_t dim, const Box &box) {
    auto taps = getResizeTaps(op, dim);
    if (!taps)
      return false;
    auto [first, end] = reachOf(
        ArrayRef(*taps).slice(box.offsets[dim], box.sizes[dim]), from[dim]);
    return end - first <= limitOf(info, dim, from.size());
  });
}

// Padding is what a part has too much: none has too little.
std::optional<Cut> DimCutter::cutTransposed(ConvTransposeOp op) const {
  return cutImage(op, [&](int64_t dim, const Box &box) {
    TransposedPart part = partOf(op, dim, box.offsets[dim], box.sizes[dim]);
    return part.count > 0 && part.low >= 0 && part.high >= 0 &&
           part.count <= limitOf(info, dim, box.sizes.size());
  });
}

Value DimCutter::transposedPart(ConvTransposeOp op, int64_t dim,
                                const Box &box) {
  TransposedPart part = partOf(op, dim, box.offsets[dim], box.sizes[dim]);
  Box needed = Box::all(typeOf(op.getInput()).getShape());
  needed.offsets[dim] = part.first;
  needed.sizes[dim] = part.count;
  Value input = take(op.getLoc(), op.getInput(), needed);
  auto copy = cast<ConvTransposeOp>(builder.clone(*op));
  copy.getInputMutable().assign(input);
  SmallVector<int64_t> pad(op.getPad());
  pad[2 * (dim - 2)] = part.low;
  pad[2 * (dim - 2) + 1] = part.high;
  copy.setPad(pad);
  copy.getResult().setType(op.getType().clone(box.sizes));
  return copy;
}

// A part of an image has its samples at other places than a whole one.
Value DimCutter::resampled(ResizeOp op, int64_t dim, const Box &box) {
  Location loc = op.getLoc();
  SmallVector<ResizeTap> taps = *getResizeTaps(op, dim);
  ArrayRef<ResizeTap> own =
      ArrayRef(taps).slice(box.offsets[dim], box.sizes[dim]);
  Box needed = Box::all(typeOf(op.getInput()).getShape());
  auto [first, end] = reachOf(own, needed.sizes[dim]);
  needed.offsets[dim] = first;
  needed.sizes[dim] = end - first;
  SmallVector<ResizeTap> moved;
  for (ResizeTap tap : own) {
    if (tap.index >= 0)
      tap.index -= first;
    moved.push_back(tap);
  }
  Value part = resampleDim(builder, loc, take(loc, op.getInput(), needed), dim,
                           moved, info);
  if (box.sizes == typeOf(part).getShape())
    return part;
  Operation *rest = builder.clone(*op);
  rest->setOperands(part);
  rest->getResult(0).setType(op.getType().clone(box.sizes));
  return rest->getResult(0);
}

// Sizes up to `size` with which little is moved: those of the pieces that an
// operand has, whole parts of a concat, and of what a reshape has of one index
// further out, or parts of that.
SmallVector<int64_t> DimCutter::wantedSizes(Operation *op, int64_t dim,
                                            int64_t size) const {
  SmallVector<int64_t> wanted;
  for (Value operand : op->getOperands())
    if (auto found = pieces.find(operand);
        found != pieces.end() && !isa<ReshapeOp>(op) &&
        found->second.dim == dim && found->second.size <= size)
      wanted.push_back(found->second.size);
  auto concat = dyn_cast<ConcatOp>(op);
  if (concat && int64_t(concat.getAxis()) == dim)
    if (int64_t part = shapeOf(concat.getInputs()[0])[dim]; part <= size)
      wanted.push_back(size / part * part);
  constexpr int64_t maxParts = 256;
  const int64_t inner = isa<ReshapeOp>(op) ? getDimMap(op, 0, dim).unit : 1;
  if (inner == 1 || inner <= size) {
    wanted.push_back(size / inner * inner);
    return wanted;
  }
  for (int64_t parts = llvm::divideCeil(inner, size); parts <= maxParts;
       ++parts)
    if (inner % parts == 0)
      wanted.push_back(inner / parts);
  return wanted;
}

std::optional<Cut> DimCutter::chooseCut(Operation *op) const {
  std::optional<Cut> ofImage;
  if (auto resize = dyn_cast<ResizeOp>(op))
    ofImage = cutResized(resize);
  else if (auto conv = dyn_cast<ConvTransposeOp>(op))
    ofImage = cutTransposed(conv);
  if (ofImage)
    return ofImage;
  RankedTensorType type = typeOf(op->getResult(0));
  auto tryCut = [&](int64_t dim, int64_t size) -> std::optional<Cut> {
    if (auto boxes = boxesOf(op, dim, size))
      return Cut{dim, size, std::move(*boxes)};
    return std::nullopt;
  };
  bool turns = turnsChannels(op);
  if (std::optional<int64_t> dim = findLong(type, turns)) {
    int64_t unit = unitOf(op, *dim);
    int64_t size =
        sizeOfPieces(type.getDimSize(*dim),
                     limitOf(info, *dim, type.getRank(), turns), unit);
    for (int64_t other : wantedSizes(op, *dim, size))
      if (auto found = other % unit == 0 ? tryCut(*dim, other) : std::nullopt)
        return found;
    // Windows with strides and halos need more than they make.
    for (; size > 0; size = size / 2 / unit * unit)
      if (auto found = tryCut(*dim, size))
        return found;
    return std::nullopt;
  }
  // The result is short, and so is what some of it needs.
  if (isLong(op->getResult(0)))
    return std::nullopt;
  constexpr int64_t maxParts = 256;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    for (int64_t count = 1; count <= maxParts; count *= 2)
      if (auto found = tryCut(
              dim, llvm::alignTo(llvm::divideCeil(type.getDimSize(dim), count),
                                 unitOf(op, dim))))
        return found;
  return cutReduced(op);
}

std::optional<Contraction> DimCutter::contractionOf(Operation *op) const {
  if (auto product = dyn_cast<MatmulOp>(op)) {
    RankedTensorType lhs = typeOf(product.getLhs());
    RankedTensorType rhs = typeOf(product.getRhs());
    int64_t left = lhs.getRank() - 1 - product.getTransposeLhs();
    int64_t right = rhs.getRank() - 1 - !product.getTransposeRhs();
    // What a constant is multiplied by becomes channels, which may be more.
    if ((product.getLhs().getDefiningOp<ConstantOp>() ||
         product.getRhs().getDefiningOp<ConstantOp>()) &&
        lhs.getDimSize(left) <= int64_t(info.maxChannels))
      return std::nullopt;
    return Contraction{left, right,
                       std::min(limitOf(info, left, lhs.getRank(), true),
                                limitOf(info, right, rhs.getRank(), true))};
  }
  const int64_t channels = info.maxChannels;
  if (auto conv = dyn_cast<ConvOp>(op); conv && conv.getGroups() == 1)
    return Contraction{1, 1, channels};
  if (auto conv = dyn_cast<ConvTransposeOp>(op); conv && conv.getGroups() == 1)
    return Contraction{1, 0, channels};
  return std::nullopt;
}

// What is summed or compared along a long dimension is, piece by piece.
std::optional<Cut> DimCutter::cutReduced(Operation *op) const {
  RankedTensorType type = typeOf(op->getOperand(0));
  int64_t dim = -1, limit = 0;
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    bool turns = turnsChannels(op);
    dim = findLong(type, turns).value_or(-1);
    if (!llvm::is_contained(reduce.getAxes(), dim))
      return std::nullopt;
    limit = limitOf(info, dim, type.getRank(), turns);
  } else if (std::optional<Contraction> sum = contractionOf(op)) {
    dim = sum->left;
    limit = sum->limit;
    if (type.getDimSize(dim) <= limit)
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  int64_t length = type.getDimSize(dim);
  bool isRow = dim == type.getRank() - 1;
  int64_t granule = isRow ? info.dmaAlign / sizeof(uint16_t) : 1;
  int64_t size = sizeOfPieces(length, limit, granule);
  if (auto found = pieces.find(op->getOperand(0)); found != pieces.end() &&
                                                   found->second.dim == dim &&
                                                   found->second.size <= limit)
    size = found->second.size;
  return Cut{dim, size, boxesAlong(type.getShape(), dim, size),
             /*isReduced=*/true};
}

Value DimCutter::combine(ReduceOp op, ArrayRef<Box> boxes) {
  SmallVector<Value> parts;
  SmallVector<int64_t> counts;
  for (const Box &box : boxes) {
    parts.push_back(ReduceOp::create(builder, op.getLoc(), op.getKind(),
                                     take(op.getLoc(), op.getInput(), box),
                                     op.getAxes()));
    counts.push_back(ShapedType::getNumElements(box.sizes));
  }
  return activated(
      builder, op.getLoc(),
      combineReductions(builder, op.getLoc(), op.getKind(), parts, counts),
      op.getActivationAttr());
}

// The first part has the bias.
Value DimCutter::combineProducts(Operation *op, ArrayRef<Box> boxes) {
  Location loc = op->getLoc();
  Contraction sum = *contractionOf(op);
  Value result;
  for (const Box &box : boxes) {
    Box other = Box::all(shapeOf(op->getOperand(1)));
    other.offsets[sum.right] = box.offsets[sum.left];
    other.sizes[sum.right] = box.sizes[sum.left];
    Value operands[] = {take(loc, op->getOperand(0), box),
                        take(loc, op->getOperand(1), other)};
    Operation *part = builder.clone(*op);
    part->setOperand(0, operands[0]);
    part->setOperand(1, operands[1]);
    part->removeAttr("activation");
    if (result)
      llvm::TypeSwitch<Operation *>(part).Case<ConvOp, ConvTransposeOp>(
          [](auto conv) { conv.getBiasMutable().clear(); });
    result = result ? binary(builder, loc, ElementwiseKind::Add, result,
                             part->getResult(0))
                    : part->getResult(0);
  }
  return activated(builder, loc, result,
                   op->getAttrOfType<ActivationAttr>("activation"));
}

bool DimCutter::isLong(Value value, bool turns) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() &&
         !isShort(Box::all(type.getShape()), turns);
}

// A reshape is a view of what others have or get, unless they are cut.
bool DimCutter::needsCut(Operation *op) const {
  if (op->getNumResults() != 1 || !isa<ANEDialect>(op->getDialect()) ||
      isa<ConstantOp>(op) || isHostCast(op))
    return false;
  bool turns = turnsChannels(op);
  if (!isa<ReshapeOp>(op))
    return isLong(op->getResult(0), turns) ||
           llvm::any_of(op->getOperands(),
                        [&](Value value) { return isLong(value, turns); });
  // Of an argument, as the host casts it, others may need pieces.
  Value operand = op->getOperand(0);
  Operation *source = operand.getDefiningOp();
  auto isCutBeside = [&] {
    return llvm::any_of(operand.getUsers(), [&](Operation *user) {
      return !isa<ReshapeOp>(user) && needsCut(user);
    });
  };
  bool isOfCut =
      isLong(operand) &&
      (!source || isHostCast(source) ? isCutBeside() : needsCut(source));
  return isOfCut || (isLong(op->getResult(0)) &&
                     llvm::any_of(op->getUsers(), [&](Operation *user) {
                       return !isa<ReshapeOp>(user) && needsCut(user);
                     }));
}

// What a long value is at the border has a surface, and nobody else reads it.
bool DimCutter::hasSurface(Value value) const {
  return shapeOfSurface(typeOf(value)).has_value() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           // Of what the host casts for the engine there are pieces.
           if (isa<BlockArgument>(value) && isHostCast(user))
             return llvm::all_of(user->getUsers(), [&](Operation *reader) {
               return needsCut(reader);
             });
           return needsCut(user) || isa<CastOp>(user) ||
                  user->hasTrait<OpTrait::IsTerminator>();
         });
}

// Whether the long dimension is a product of two that are not.
bool DimCutter::isProduct(Value value) const {
  std::optional<int64_t> dim = findLong(value.getType());
  if (!dim)
    return false;
  int64_t length = typeOf(value).getDimSize(*dim);
  for (int64_t factor = llvm::divideCeil(length, info.maxHeight);
       factor * factor <= length; ++factor)
    if (length % factor == 0)
      return true;
  return false;
}

// Whether all that is too long can be cut, and the ops of it.
FailureOr<SmallVector<Operation *>> DimCutter::collect() {
  SmallVector<Operation *> ops;
  int64_t parts = 0;
  for (Operation &op : func.front().without_terminator()) {
    if (!needsCut(&op))
      continue;
    // Bytes are what the engine converts, not what it joins.
    auto isOfBytes = [](Type type) { return isBytes(type); };
    if (llvm::any_of(op.getOperandTypes(), isOfBytes) ||
        llvm::any_of(op.getResultTypes(), isOfBytes))
      return failure();
    std::optional<Cut> cut = chooseCut(&op);
    if (!cut)
      return failure();
    // More parts than a program has tasks are none.
    parts += cut->boxes.size();
    if (parts > int64_t(info.maxTasks))
      return failure();
    for (Value operand : op.getOperands()) {
      Value border = operand;
      if (auto cast = border.getDefiningOp<CastOp>(); cast && isHostCast(cast))
        border = cast.getInput();
      if (isLong(border) && isa<BlockArgument>(border) && !hasSurface(border))
        return failure();
    }
    for (Operation *user : op.getUsers())
      if (isLong(op.getResult(0)) && !needsCut(user) &&
          !(hasSurface(op.getResult(0)) &&
            (isa<CastOp>(user) || user->hasTrait<OpTrait::IsTerminator>())))
        return failure();
    ops.push_back(&op);
  }
  return ops;
}

Value DimCutter::makePart(Operation *op, int64_t dim, const Box &box) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return reshapedPart(reshape, box);
  auto resize = dyn_cast<ResizeOp>(op);
  if (resize && dim >= 2)
    return resampled(resize, dim, box);
  auto transposed = dyn_cast<ConvTransposeOp>(op);
  if (transposed && dim >= 2)
    return transposedPart(transposed, dim, box);
  return createPart(builder, op, box,
                    [&](OpOperand &operand, const Box &needed) {
                      return take(op->getLoc(), operand.get(), needed);
                    });
}

void DimCutter::cut(Operation *op) {
  Cut chosen = *chooseCut(op);
  builder.setInsertionPoint(op);
  Value result = op->getResult(0);
  if (chosen.isReduced) {
    auto reduce = dyn_cast<ReduceOp>(op);
    result.replaceAllUsesWith(reduce ? combine(reduce, chosen.boxes)
                                     : combineProducts(op, chosen.boxes));
    return;
  }
  SmallVector<Value> parts;
  for (const Box &box : chosen.boxes)
    parts.push_back(makePart(op, chosen.dim, box));
  if (isLong(result))
    pieces[result] = {chosen.dim, chosen.size, std::move(parts)};
  else
    result.replaceAllUsesWith(
        concatDim(builder, op->getLoc(), parts, chosen.dim));
}

// Images count as channels where both are reduced; where they are too many, one
// after the other. Parts of a mean have as many elements each.
void DimCutter::splitReduction(ReduceOp op) {
  RankedTensorType type = typeOf(op.getInput());
  ArrayRef<int64_t> axes = op.getAxes();
  if (type.getRank() != 4 || axes.size() < 2 || !llvm::is_contained(axes, 0) ||
      !llvm::is_contained(axes, 1) || type.getDimSize(0) == 1 ||
      type.getDimSize(0) * type.getDimSize(1) <=
          limitOf(info, 1, 4, turnsChannels(op)))
    return;
  builder.setInsertionPoint(op);
  auto inner = llvm::to_vector(
      llvm::make_filter_range(axes, [](int64_t axis) { return axis != 0; }));
  ReduceKind kind = op.getKind();
  if (isOfSquares(kind))
    kind = kind == ReduceKind::MeanSquare ? ReduceKind::Mean : ReduceKind::Sum;
  Value part = ReduceOp::create(builder, op.getLoc(), op.getKind(),
                                op.getInput(), inner);
  part =
      ReduceOp::create(builder, op.getLoc(), kind, part, ArrayRef<int64_t>{0});
  op.replaceAllUsesWith(
      activated(builder, op.getLoc(), part, op.getActivationAttr()));
  op.erase();
}

static SmallVector<int64_t> axesOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<int64_t>>(op)
      .Case<LayerNormOp, ReduceOp, RmsNormOp>(
          [](auto op) { return SmallVector<int64_t>(op.getAxes()); })
      .Case<ConcatOp, SoftmaxOp>([](auto op) {
        return SmallVector<int64_t>{static_cast<int64_t>(op.getAxis())};
      })
      .Default({});
}

// A long dimension with ones after it is a row without them, and without those
// in front.
bool DimCutter::dropOnes(Operation *op) {
  if (!canRegroup(op) || op->getNumResults() != 1 ||
      op->getNumOperands() == 0 || isHostCast(op))
    return false;
  RankedTensorType type = typeOf(op->getResult(0));
  SmallVector<int64_t> most(type.getRank(), 1);
  bool isSameRank = true;
  auto look = [&](Value value) {
    if (typeOf(value).getRank() != type.getRank()) {
      isSameRank = false;
      return;
    }
    for (auto [extent, other] : llvm::zip_equal(most, typeOf(value).getShape()))
      extent = std::max(extent, other);
  };
  // Factors of a norm have its axes only.
  bool isNorm = isa<LayerNormOp, RmsNormOp>(op);
  look(op->getResult(0));
  for (Value operand :
       op->getOperands().take_front(isNorm ? 1 : op->getNumOperands()))
    look(operand);
  ArrayRef<int64_t> row = most;
  while (!row.empty() && row.back() == 1)
    row = row.drop_back();
  SmallVector<int64_t> axes = axesOf(op);
  if (!isSameRank || row.empty() || row.size() == most.size() ||
      row.back() <= int64_t(info.maxWidth) ||
      (!axes.empty() &&
       llvm::all_of(axes, [&](int64_t axis) { return most[axis] == 1; })))
    return false;
  DimGroups groups;
  groups.rank = 0;
  for (int64_t extent : most)
    groups.to.push_back(extent == 1 ? -1 : groups.rank++);
  builder.setInsertionPoint(op);
  Value value = createRegrouped(builder, op, groups);
  op->getResult(0).replaceAllUsesWith(
      reshaped(builder, op->getLoc(), value, type.getShape()));
  op->erase();
  return true;
}

// An argument that is a result, in its shape or another one, has a surface that
// is copied whole.
void DimCutter::giveBack(OpOperand &result) {
  Value value = result.get();
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    if (!value.hasOneUse())
      return;
    value = reshape.getInput();
  }
  auto argument = dyn_cast<BlockArgument>(value);
  auto isTooMuch = [&](Value value) {
    ArrayRef<int64_t> shape = shapeOf(value);
    const int64_t images =
        shape.size() > 3 ? llvm::product_of(shape.drop_back(3), int64_t(1)) : 1;
    return isTooLong(shape, info) || images > int64_t(info.maxTasks);
  };
  if (!argument || !value.hasOneUse() || isHostElement(value.getType()) ||
      !(isTooMuch(value) || isTooMuch(result.get())))
    return;
  const int64_t count = typeOf(value).getNumElements();
  int64_t width = 1024; // of rows without padding; wider ones where too many
  while (count > width * int64_t(info.maxHeight))
    width *= 2;
  if (width > int64_t(info.maxWidth))
    return;
  const int64_t surface[] = {1, 1, int64_t(llvm::divideCeil(count, width)),
                             width};
  keepNetworkShape(func, argument);
  keepNetworkShape(func, result);
  argument.setType(typeOf(argument).clone(surface));
  result.set(argument);
  func.setFunctionType(builder.getFunctionType(
      func.front().getArgumentTypes(), result.getOwner()->getOperandTypes()));
}

// Copies of a long dimension are a concat.
void DimCutter::joinCopies(TileOp op) {
  if (!isLong(op.getResult()))
    return;
  builder.setInsertionPoint(op);
  Value value = op.getInput();
  for (auto [dim, count] : llvm::enumerate(op.getRepeats()))
    if (count > 1)
      value = concatDim(builder, op.getLoc(), SmallVector<Value>(count, value),
                        dim);
  op.replaceAllUsesWith(value);
  op.erase();
}

// A maximum over a window is one over a part of the window, of maxima over the
// other part from every position. Each is so short that a piece of the result
// needs a piece of the operand. `op` becomes the last of them.
void DimCutter::splitWindow(PoolOp op, int64_t dim) {
  const int64_t axis = dim - 2;
  const int64_t part = limitOf(info, dim, typeOf(op.getInput()).getRank()) / 2;
  if (axis < 0)
    return;
  SmallVector<int64_t> kernel(op.getKernel()), pad(op.getPad());
  builder.setInsertionPoint(op);
  const int64_t last =
      (typeOf(op.getResult()).getDimSize(dim) - 1) * op.getStrides()[axis];
  while (kernel[axis] > part) {
    RankedTensorType type = typeOf(op.getInput());
    SmallVector<int64_t> first(kernel.size(), 1), ones(kernel.size(), 1),
        around(pad.size(), 0);
    first[axis] = part;
    kernel[axis] -= part - 1;
    // Parts of the windows that hang over the border have maxima, too.
    int64_t &before = around[2 * axis], &behind = around[2 * axis + 1];
    before = std::min(pad[2 * axis], part - 1);
    pad[2 * axis] -= before;
    const int64_t wanted = last - pad[2 * axis] + kernel[axis];
    const int64_t inside = type.getDimSize(dim) + before - (part - 1);
    behind = std::clamp<int64_t>(wanted - inside, 0, part - 1);
    pad[2 * axis + 1] = std::max<int64_t>(wanted - inside - behind, 0);
    op.getInputMutable().assign(PoolOp::create(
        builder, op.getLoc(), withDim(type, dim, inside + behind),
        PoolKind::Max, op.getInput(), first, ones, around,
        /*count_include_pad=*/false));
  }
  op.setKernel(kernel);
  op.setPad(pad);
}

int64_t DimCutter::run() {
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return 0;
  for (OpOperand &result : func.front().getTerminator()->getOpOperands())
    giveBack(result);
  bool hasRows = false;
  for (Operation &op : llvm::make_early_inc_range(func.front()))
    hasRows |= dropOnes(&op);
  if (hasRows)
    composeReshapes(func); // a row is known through one
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(func.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  for (Operation &op : llvm::make_early_inc_range(func.front()))
    if (isa<DimMapOpInterface>(op) && op.getNumOperands() > 0)
      if (auto dim = findLong(op.getOperand(0).getType(), turnsChannels(&op)))
        expandReductions(&op, *dim);
  func.walk([&](TileOp op) { joinCopies(op); });
  func.walk([&](ReduceOp op) { splitReduction(op); });
  func.walk([&](ConvTransposeOp op) {
    std::optional<int64_t> dim = findLong(op.getType());
    if (!dim)
      dim = findLong(op.getInput().getType());
    if (dim && *dim >= 2)
      fillWindow(builder, op, *dim - 2);
  });
  func.walk([&](PoolOp op) {
    if (op.getKind() == PoolKind::Max)
      if (std::optional<int64_t> dim = findLong(op.getInput().getType()))
        splitWindow(op, *dim);
  });
  FailureOr<SmallVector<Operation *>> ops = collect();
  if (failed(ops) || ops->empty())
    return 0;
  // Movements of a dimension that can be two, of four in all, are shuffles
  // (DecomposeShuffle.cpp), which join dimensions of pieces again.
  if (llvm::all_of(*ops, [&](Operation *op) {
        Value source = op->getOperand(0), result = op->getResult(0);
        return (isa<ReshapeOp>(op) ||
                (isa<TransposeOp>(op) && typeOf(source).getRank() < 4)) &&
               (!isLong(source) || isProduct(source)) &&
               (!isLong(result) || isProduct(result));
      }))
    return 0;
  Block &block = func.front();
  SmallVector<Operation *> gone;
  for (BlockArgument argument : block.getArguments())
    if (isLong(argument) && hasSurface(argument))
      splitArgument(argument, gone);
  for (Operation *op : *ops)
    cut(op);
  Operation *terminator = block.getTerminator();
  for (OpOperand &result : terminator->getOpOperands())
    joinResult(result);
  for (Operation *op : llvm::reverse(*ops))
    op->erase();
  for (Operation *op : gone)
    op->erase();
  func.setFunctionType(builder.getFunctionType(block.getArgumentTypes(),
                                               terminator->getOperandTypes()));
  return ops->size();
}

int64_t mlir::ane::cutLongDims(func::FuncOp func,
                               const ::ane::hw::GenerationInfo &info) {
  return DimCutter(func, info).run();
}

int64_t mlir::ane::shortenDims(Operation *scope,
                               const ::ane::hw::GenerationInfo &info) {
  int64_t cut = 0;
  scope->walk([&](func::FuncOp func) {
    if (func->hasAttr(ANEDialect::getSequenceAttrName()))
      return;
    if (areTooManyImages(func, info))
      cut += joinManyImages(func, info);
    cut += cutLongDims(func, info);
  });
  if (cut > 0)
    foldConstants(scope); // parts of weights
  return cut;
}

void mlir::ane::fillWindow(OpBuilder &builder, ConvTransposeOp op,
                           int64_t axis) {
  const int64_t dim = axis + 2, dilation = op.getDilations()[axis];
  RankedTensorType weight = typeOf(op.getWeight());
  int64_t taps = llvm::divideCeil(op.getStrides()[axis] - 1, dilation) + 1;
  int64_t more = taps - weight.getDimSize(dim);
  if (more <= 0)
    return;
  builder.setInsertionPoint(op);
  SmallVector<int64_t> high(4, 0), pad(op.getPad());
  high[dim] = more;
  op.getWeightMutable().assign(PadOp::create(
      builder, op.getLoc(), withDim(weight, dim, taps), op.getWeight(),
      SmallVector<int64_t>(4, 0), high, llvm::APFloat(0.0f)));
  pad[2 * axis + 1] += more * dilation;
  op.setPad(pad);
}
