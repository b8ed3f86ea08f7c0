//===- StableHLOFolding.cpp - Counters, indices and conditions ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops count, and indices are computed, with the ops of the network. What they
// compute of constants is a constant: integers and booleans of some tensors,
// and single floats.
//
//===----------------------------------------------------------------------===//

#include "StableHLOFolding.h"
#include "ane/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane::stablehlo;

/// Elements of a constant that is made here.
static constexpr int64_t maxElements = 1 << 16;

namespace {

/// Elements of integers, or of floats in double precision: a sum, product or
/// quotient of f32 that is rounded again is the one that f32 gives.
struct Elements {
  RankedTensorType type;
  SmallVector<int64_t, 1> whole;
  SmallVector<double, 1> real;

  bool isFloat() const { return isa<FloatType>(type.getElementType()); }
  int64_t count() const { return type.getNumElements(); }
};

/// Folds one op.
class Folder {
public:
  Folder(Operation *op, ArrayRef<Elements> in, RankedTensorType type)
      : op(op), in(in), result{type, {}, {}} {}

  std::optional<Elements> fold();

private:
  std::optional<int64_t> binary(int64_t a, int64_t b) const;
  std::optional<double> binary(double a, double b) const;
  std::optional<int64_t> unary(int64_t a) const;
  std::optional<double> unary(double a) const;
  template <typename T> bool compare(T a, T b) const;
  std::optional<int64_t> sourceOf(ArrayRef<int64_t> place) const;
  bool isElementwise();
  bool isMovement();

  Operation *op;
  ArrayRef<Elements> in;
  Elements result;
};

} // namespace

/// As many bits as the type has.
static int64_t wrapped(Type type, int64_t value) {
  auto integer = cast<IntegerType>(type);
  unsigned free = 64 - integer.getWidth();
  bool isUnsigned = integer.isUnsigned() || integer.getWidth() == 1;
  uint64_t bits = uint64_t(value) << free;
  return isUnsigned ? int64_t(bits >> free) : int64_t(bits) >> free;
}

static double rounded(Type type, double value) {
  if (type.isF64())
    return value;
  APFloat number(value);
  bool losesInfo;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

static bool isFoldable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      tensor.getNumElements() > maxElements)
    return false;
  auto integer = dyn_cast<IntegerType>(tensor.getElementType());
  return integer ? integer.getWidth() <= 64
                 : isa<FloatType>(tensor.getElementType()) &&
                       tensor.getElementType().getIntOrFloatBitWidth() <= 64 &&
                       tensor.getNumElements() == 1;
}

static std::optional<Elements> elementsOf(Attribute attr) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!dense || !isFoldable(dense.getType()))
    return std::nullopt;
  Elements elements{cast<RankedTensorType>(dense.getType()), {}, {}};
  if (elements.isFloat()) {
    APFloat number = *dense.getValues<APFloat>().begin();
    bool losesInfo;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    elements.real.push_back(number.convertToDouble());
    return elements;
  }
  Type type = elements.type.getElementType();
  for (const APInt &value : dense.getValues<APInt>())
    elements.whole.push_back(wrapped(type, int64_t(value.getZExtValue())));
  return elements;
}

static Attribute attributeOf(const Elements &elements) {
  Type type = elements.type.getElementType();
  if (elements.isFloat())
    return DenseElementsAttr::get(
        elements.type,
        ArrayRef<Attribute>(FloatAttr::get(type, elements.real.front())));
  unsigned width = type.getIntOrFloatBitWidth();
  SmallVector<APInt> values;
  for (int64_t value : elements.whole)
    values.emplace_back(width, uint64_t(value), /*isSigned=*/false,
                        /*implicitTrunc=*/true);
  return DenseElementsAttr::get(elements.type, values);
}

std::optional<int64_t> Folder::binary(int64_t a, int64_t b) const {
  auto wide = [](uint64_t value) { return int64_t(value); };
  bool divides = b != 0 && !(b == -1 && a == INT64_MIN);
  return TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](AddOp) { return wide(uint64_t(a) + uint64_t(b)); })
      .Case([&](SubOp) { return wide(uint64_t(a) - uint64_t(b)); })
      .Case([&](MulOp) { return wide(uint64_t(a) * uint64_t(b)); })
      .Case(
          [&](DivOp) { return divides ? std::optional(a / b) : std::nullopt; })
      .Case(
          [&](RemOp) { return divides ? std::optional(a % b) : std::nullopt; })
      .Case([&](MaxOp) { return std::max(a, b); })
      .Case([&](MinOp) { return std::min(a, b); })
      .Case([&](AndOp) { return a & b; })
      .Case([&](OrOp) { return a | b; })
      .Case([&](XorOp) { return a ^ b; })
      .Default(std::nullopt);
}

std::optional<double> Folder::binary(double a, double b) const {
  return TypeSwitch<Operation *, std::optional<double>>(op)
      .Case([&](AddOp) { return a + b; })
      .Case([&](SubOp) { return a - b; })
      .Case([&](MulOp) { return a * b; })
      .Case([&](DivOp) { return a / b; })
      .Case([&](MaxOp) { return std::max(a, b); })
      .Case([&](MinOp) { return std::min(a, b); })
      .Default(std::nullopt);
}

std::optional<int64_t> Folder::unary(int64_t a) const {
  return TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](AbsOp) { return a < 0 ? int64_t(-uint64_t(a)) : a; })
      .Case([&](NegOp) { return int64_t(-uint64_t(a)); })
      .Case([&](NotOp) { return ~a; })
      .Case([&](SignOp) { return int64_t(a > 0) - int64_t(a < 0); })
      .Default(std::nullopt);
}

std::optional<double> Folder::unary(double a) const {
  return TypeSwitch<Operation *, std::optional<double>>(op)
      .Case([&](AbsOp) { return std::fabs(a); })
      .Case([&](NegOp) { return -a; })
      .Case([&](FloorOp) { return std::floor(a); })
      .Case([&](CeilOp) { return std::ceil(a); })
      .Default(std::nullopt);
}

template <typename T> bool Folder::compare(T a, T b) const {
  switch (cast<CompareOp>(op).getComparisonDirection()) {
  case ComparisonDirection::EQ:
    return a == b;
  case ComparisonDirection::NE:
    return a != b;
  case ComparisonDirection::GE:
    return a >= b;
  case ComparisonDirection::GT:
    return a > b;
  case ComparisonDirection::LE:
    return a <= b;
  case ComparisonDirection::LT:
    return a < b;
  }
  llvm_unreachable("a direction that is none");
}

/// Whether the op computes each element of those at its place, and could.
bool Folder::isElementwise() {
  Type type = result.type.getElementType();
  auto whole = [&](const Elements &from, int64_t i) {
    return from.whole[from.count() == 1 ? 0 : i];
  };
  auto set = [&](auto value) {
    if (!value)
      return false;
    if (result.isFloat())
      result.real.push_back(rounded(type, *value));
    else
      result.whole.push_back(wrapped(type, int64_t(*value)));
    return true;
  };
  for (int64_t i = 0, e = result.count(); i != e; ++i) {
    if (isa<CompareOp>(op)) {
      result.whole.push_back(in[0].isFloat()
                                 ? compare(in[0].real[0], in[1].real[0])
                                 : compare(in[0].whole[i], in[1].whole[i]));
    } else if (isa<SelectOp>(op)) {
      const Elements &from = in[whole(in[0], i) ? 1 : 2];
      if (from.isFloat())
        result.real.push_back(from.real[0]);
      else
        result.whole.push_back(from.whole[i]);
    } else if (isa<ClampOp>(op)) {
      if (result.isFloat())
        return false;
      result.whole.push_back(
          std::min(std::max(whole(in[0], i), in[1].whole[i]), whole(in[2], i)));
    } else if (isa<ConvertOp>(op)) {
      if (!in[0].isFloat()) {
        int64_t value = in[0].whole[i];
        if (result.isFloat())
          result.real.push_back(rounded(type, double(value)));
        else
          result.whole.push_back(type.isInteger(1) ? value != 0
                                                   : wrapped(type, value));
      } else {
        constexpr double limit = 0x1p62;
        double value = in[0].real[0];
        if (!result.isFloat() && !(std::fabs(value) < limit))
          return false;
        if (type.isInteger(1))
          result.whole.push_back(value != 0);
        else
          (void)set(std::optional(value));
      }
    } else if (in.size() == 2) {
      if (result.isFloat() ? !set(binary(in[0].real[0], in[1].real[0]))
                           : !set(binary(in[0].whole[i], in[1].whole[i])))
        return false;
    } else if (in.size() == 1) {
      if (result.isFloat() ? !set(unary(in[0].real[0]))
                           : !set(unary(in[0].whole[i])))
        return false;
    } else {
      return false;
    }
  }
  return true;
}

/// The number of the element of the first operand that goes to `place`.
std::optional<int64_t> Folder::sourceOf(ArrayRef<int64_t> place) const {
  ArrayRef<int64_t> shape = in[0].type.getShape();
  SmallVector<int64_t> at;
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    for (auto [dim, size] :
         llvm::zip_equal(numbersOf(broadcast.getBroadcastDimensions()), shape))
      at.push_back(size == 1 ? 0 : place[dim]);
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    at.resize(shape.size());
    for (auto [dim, index] :
         llvm::zip_equal(numbersOf(transpose.getPermutation()), place))
      at[dim] = index;
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    for (auto [start, stride, index] :
         llvm::zip_equal(numbersOf(slice.getStartIndices()),
                         numbersOf(slice.getStrides()), place))
      at.push_back(start + index * stride);
  } else {
    return std::nullopt;
  }
  int64_t source = 0;
  for (auto [size, index] : llvm::zip_equal(shape, at))
    source = source * size + index;
  return source;
}

/// Whether the op moves elements, and could.
bool Folder::isMovement() {
  if (isa<ReshapeOp>(op)) {
    result.whole = in[0].whole;
    result.real = in[0].real;
    return true;
  }
  if (auto concat = dyn_cast<ConcatenateOp>(op)) {
    if (result.isFloat())
      return false;
    int64_t outer = 1;
    for (int64_t size :
         result.type.getShape().take_front(int64_t(concat.getDimension())))
      outer *= size;
    for (int64_t o = 0; o != outer; ++o)
      for (const Elements &part : in) {
        int64_t inner = part.count() / outer;
        result.whole.append(part.whole.begin() + o * inner,
                            part.whole.begin() + (o + 1) * inner);
      }
    return true;
  }
  bool isMoved = isa<BroadcastInDimOp, TransposeOp, SliceOp>(op);
  auto iota = dyn_cast<IotaOp>(op);
  if ((!isMoved && !iota) || (iota && result.isFloat()))
    return false;
  ArrayRef<int64_t> shape = result.type.getShape();
  SmallVector<int64_t> place(shape.size(), 0);
  for (int64_t i = 0, e = result.count(); i != e; ++i) {
    if (iota)
      result.whole.push_back(wrapped(result.type.getElementType(),
                                     place[iota.getIotaDimension()]));
    else if (result.isFloat())
      result.real.push_back(in[0].real[0]);
    else
      result.whole.push_back(in[0].whole[*sourceOf(place)]);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++place[dim] < shape[dim])
        break;
      place[dim] = 0;
    }
  }
  return true;
}

std::optional<Elements> Folder::fold() {
  bool isDone = isMovement() || (!in.empty() && isElementwise());
  return isDone ? std::optional(result) : std::nullopt;
}

LogicalResult Folding::fold(Operation *op, ArrayRef<Attribute> operands,
                            SmallVectorImpl<OpFoldResult> &results) const {
  if (op->getNumResults() != 1 || op->getNumRegions() ||
      !isFoldable(op->getResult(0).getType()))
    return failure();
  SmallVector<Elements> in;
  for (Attribute operand : operands) {
    auto elements = elementsOf(operand);
    if (!elements)
      return failure();
    in.push_back(std::move(*elements));
  }
  auto elements =
      Folder(op, in, cast<RankedTensorType>(op->getResult(0).getType())).fold();
  if (!elements)
    return failure();
  results.push_back(attributeOf(*elements));
  return success();
}

Operation *StableHLODialect::materializeConstant(OpBuilder &builder,
                                                 Attribute value, Type type,
                                                 Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  return elements && elements.getType() == type
             ? ConstantOp::create(builder, loc, type, elements).getOperation()
             : nullptr;
}
