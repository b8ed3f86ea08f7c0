//===- LegalizeMovement.cpp - Operands and moved data ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

using namespace mlir;
using namespace mlir::ane::mil;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// Replaces the constant operands of which `make` gives another attribute.
static void
replaceConstants(Rewriting &r,
                 function_ref<TypedAttr(ConstOp, StringRef name)> make) {
  SmallVector<NewArgument> arguments = copyArguments(r.s);
  for (NewArgument &argument : arguments)
    for (Value &value : argument.values)
      if (auto constant = value.getDefiningOp<ConstOp>())
        if (TypedAttr other = make(constant, argument.name))
          value = r.b.constant(other, constant.getType(), argument.name);
  r.replaceBy(r.s.getType(), arguments);
}

void mlir::ane::mil::nameLiterals(Rewriting &r) {
  replaceConstants(r, [](ConstOp constant, StringRef) {
    return constant.getIsInline() ? constant.getValue() : TypedAttr();
  });
}

// The bytes of a dense value, every element written out.
static SmallVector<char> writeOut(DenseElementsAttr dense) {
  ArrayRef<char> raw = dense.getRawData();
  if (!dense.isSplat())
    return SmallVector<char>(raw);
  SmallVector<char> bytes;
  for (int64_t i = 0; i < dense.getNumElements(); ++i)
    bytes.append(raw.begin(), raw.end());
  return bytes;
}

void mlir::ane::mil::storeConstants(Rewriting &r) {
  replaceConstants(r, [](ConstOp constant, StringRef) -> TypedAttr {
    auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!dense || dense.getNumElements() < 10 ||
        dense.getElementType().isInteger(1))
      return {};
    return makeConstant(cast<RankedTensorType>(dense.getType()),
                        writeOut(dense), "mil_constant");
  });
}

static APInt boundElement(FloatType type, const APInt &bits) {
  APFloat number(type.getFloatSemantics(), bits), bound(-65504.0);
  bool loses;
  APFloat wide = number;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  if (wide.isNaN() || wide.compare(bound) != APFloat::cmpLessThan)
    return bits;
  APFloat mask(-10000.0);
  mask.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return mask.bitcastToAPInt();
}

// Elements below what fp16 holds become -10000, which is enough for a mask.
static TypedAttr boundMask(TypedAttr value) {
  if (!hasUnboundedMask(value))
    return {};
  if (auto number = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(number.getType(), -10000.0);
  bool isSplat;
  ArrayRef<char> old = *getConstantBytes(value, isSplat);
  auto tensor = cast<RankedTensorType>(value.getType());
  auto type = cast<FloatType>(tensor.getElementType());
  unsigned size = type.getWidth() / 8;
  SmallVector<char> bytes(old);
  for (size_t i = 0; i + size <= bytes.size(); i += size) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i, size); // hosts are little endian
    bits = boundElement(type, APInt(type.getWidth(), bits)).getZExtValue();
    std::memcpy(bytes.data() + i, &bits, size);
  }
  if (isa<DenseElementsAttr>(value))
    return DenseElementsAttr::getFromRawBuffer(tensor, bytes);
  return makeConstant(tensor, bytes, "mil_constant");
}

void mlir::ane::mil::boundMasks(Rewriting &r) {
  replaceConstants(r, [](ConstOp constant, StringRef) {
    return boundMask(constant.getValue());
  });
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

void mlir::ane::mil::spellConcat(Rewriting &r) {
  SmallVector<NewArgument> arguments = copyArguments(r.s, {"axis"});
  int64_t axis = *r.s.getInteger("axis");
  if (axis < 0)
    axis += r.s.getResultTensor().getRank();
  arguments.emplace_back("axis", r.b.integer(axis, "axis"));
  if (!r.s.has("interleave"))
    arguments.emplace_back("interleave", r.b.boolean(false, "interleave"));
  r.replaceBy("concat", arguments);
}

static SmallVector<NewArgument> concatArguments(Rewriting &r, int64_t axis,
                                                ValueRange values) {
  return {{"axis", r.b.integer(axis, "axis")},
          {"interleave", r.b.boolean(false, "interleave")},
          {"values", values}};
}

void mlir::ane::mil::tileToConcat(Rewriting &r) {
  SmallVector<int64_t> reps = *r.s.getIntegers("reps");
  SmallVector<int64_t> axes;
  for (auto [axis, count] : llvm::enumerate(reps))
    if (count > 1)
      axes.push_back(axis);
  if (axes.empty()) // one copy keeps the name of the result
    axes.push_back(0);
  Value value = r.s.get("x");
  for (int64_t axis : ArrayRef(axes).drop_back()) {
    SmallVector<int64_t> shape(typeOf(value).getShape());
    shape[axis] *= reps[axis];
    SmallVector<Value> copies(reps[axis], value);
    value = r.b.emit("concat", concatArguments(r, axis, copies),
                     typeOf(value).clone(shape), "copies");
  }
  SmallVector<Value> copies(reps[axes.back()], value);
  r.replaceBy("concat", concatArguments(r, axes.back(), copies));
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

namespace {
// The lists of a slice, one number for each axis.
struct SliceLists {
  static constexpr StringLiteral kNames[] = {
      "begin", "end", "size", "stride", "begin_mask", "end_mask"};
  explicit SliceLists(const Statement &s) {
    for (StringRef name : kNames)
      if (std::optional<SmallVector<int64_t>> list = s.getIntegers(name))
        lists.push_back({name, *list});
  }

  // The value of an axis; `otherwise` where there is no such list.
  int64_t get(StringRef name, int64_t axis, int64_t otherwise) const {
    for (const auto &[known, list] : lists)
      if (known == name)
        return list[axis];
    return otherwise;
  }
  void exchange(int64_t a, int64_t b) {
    for (auto &[name, list] : lists)
      std::swap(list[a], list[b]);
  }
  // Takes the whole of an axis with `extent` elements.
  void takeAll(int64_t axis, int64_t extent) {
    for (auto &[name, list] : lists)
      list[axis] = name == "end" || name == "size" ? extent : name == "stride";
  }
  SmallVector<NewArgument> makeArguments(Rewriting &r, Value x,
                                         const Twine &suffix) const {
    SmallVector<NewArgument> result{{"x", x}};
    for (const auto &[name, list] : lists) {
      if (!name.ends_with("_mask")) {
        result.emplace_back(name, r.b.integers(list, suffix + name));
        continue;
      }
      SmallVector<bool> bools(list.begin(), list.end());
      auto type = RankedTensorType::get(list.size(), r.rewriter.getI1Type());
      result.emplace_back(name, r.b.constant(DenseElementsAttr::get(
                                                 type, ArrayRef<bool>(bools)),
                                             suffix + name));
    }
    return result;
  }

  SmallVector<std::pair<StringRef, SmallVector<int64_t>>> lists;
};
} // namespace

// The last axis changes places with one that the slice takes from its
// beginning.
static void turnTo(Rewriting &r, SliceLists lists, int64_t axis) {
  int64_t last = r.s.getTensor("x").getRank() - 1;
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
  std::swap(permutation[axis], permutation[last]);
  lists.exchange(axis, last);
  Value turned = r.b.transpose(r.s.get("x"), permutation, "turned");
  SmallVector<int64_t> shape(r.s.getResultTensor().getShape());
  std::swap(shape[axis], shape[last]);
  Value slice = r.b.emit(r.s.getType(), lists.makeArguments(r, turned, ""),
                         r.s.getResultTensor().clone(shape), "slice");
  r.replaceBy("transpose",
              {{"perm", r.b.integers(permutation, "perm")}, {"x", slice}});
}

void mlir::ane::mil::turnSlice(Rewriting &r) {
  SliceLists lists(r.s);
  RankedTensorType x = r.s.getTensor("x");
  int64_t last = x.getRank() - 1;
  for (int64_t axis = last - 1; axis >= 0; --axis)
    if (lists.get("begin", axis, 0) == 0 || lists.get("begin_mask", axis, 0))
      return turnTo(r, lists, axis);
  // There is none: the other axes first; the rest comes back.
  SmallVector<int64_t> shape(r.s.getResultTensor().getShape());
  SliceLists others = lists;
  others.takeAll(last, x.getDimSize(last));
  for (int64_t axis = 0; axis < last; ++axis)
    lists.takeAll(axis, shape[axis]);
  shape[last] = x.getDimSize(last);
  Value part =
      r.b.emit(r.s.getType(), others.makeArguments(r, r.s.get("x"), "part_"),
               x.clone(shape), "part");
  r.replaceBy(r.s.getType(), lists.makeArguments(r, part, ""));
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

static Value makeBlock(Rewriting &r, RankedTensorType type, double value) {
  auto splat = DenseElementsAttr::get(
      type, r.rewriter.getFloatAttr(type.getElementType(), value));
  return r.b.constant(makeConstant(type, writeOut(splat), "mil_constant"),
                      "block");
}

// Axes before the last two get constant blocks; what is left stays a pad.
void mlir::ane::mil::padToConcat(Rewriting &r) {
  SmallVector<int64_t> pad = *r.s.getIntegers("pad");
  double number = r.s.getNumber("constant_val").value_or(0);
  Value value = r.s.get("x");
  int64_t first = typeOf(value).getRank() - int64_t(pad.size()) / 2;
  ArrayRef<int64_t> rest = ArrayRef(pad).take_back(4);
  bool padsRest = llvm::any_of(rest, [](int64_t n) { return n != 0; });
  SmallVector<int64_t> axes; // that get blocks
  for (size_t i = 0; i + 4 < pad.size(); i += 2)
    if (pad[i] || pad[i + 1])
      axes.push_back(first + i / 2);
  for (int64_t axis : axes) {
    RankedTensorType type = typeOf(value);
    SmallVector<Value> parts;
    SmallVector<int64_t> whole(type.getShape()), block(type.getShape());
    for (int side : {0, 1}) {
      if (side == 1)
        parts.push_back(value);
      int64_t extent = pad[2 * (axis - first) + side];
      whole[axis] += extent;
      block[axis] = extent;
      if (extent)
        parts.push_back(makeBlock(r, type.clone(block), number));
    }
    if (axis == axes.back() && !padsRest)
      return r.replaceBy("concat", concatArguments(r, axis, parts));
    value = r.b.emit("concat", concatArguments(r, axis, parts),
                     type.clone(whole), "padded");
  }
  SmallVector<NewArgument> arguments = copyArguments(r.s, {"x", "pad"});
  arguments.emplace_back("x", value);
  arguments.emplace_back("pad", r.b.integers(rest, "pad"));
  r.replaceBy("pad", arguments);
}
