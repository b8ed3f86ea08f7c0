//===- CheckMIL.cpp - What the private path may refuse --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules are one table: an id, the machine and system on which somebody saw
// it, and a function that says what is wrong and what to do.
// docs/Formats/MIL.md has the same ids. All of it is reported by others (*seen*
// by them, not by us).
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::ane::mil {
#define GEN_PASS_DEF_ANECHECKMIL
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace mlir::ane::mil

using namespace mlir;
using namespace mlir::ane::mil;

namespace {
// A statement with its arguments at hand.
struct Statement {
  explicit Statement(MILOpInterface op)
      : op(op), arguments(op.getMILArguments()) {}

  StringRef getType() const { return MILOpInterface(op).getMILType(); }
  Value get(StringRef name) const {
    for (const NamedArgument &argument : arguments)
      if (argument.name == name && argument.values.size() == 1)
        return argument.values.front();
    return {};
  }
  ConstOp getConst(StringRef name) const {
    Value value = get(name);
    return value ? value.getDefiningOp<ConstOp>() : ConstOp();
  }
  SmallVector<int64_t> getIntegers(StringRef name) const {
    ConstOp constant = getConst(name);
    SmallVector<int64_t> result;
    if (!constant)
      return result;
    if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
      return {number.getValue().getSExtValue()};
    auto dense = dyn_cast<DenseIntElementsAttr>(constant.getValue());
    for (const APInt &number : dense ? llvm::to_vector(dense.getValues<APInt>())
                                     : SmallVector<APInt>())
      result.push_back(number.getSExtValue());
    return result;
  }
  RankedTensorType getTensor(StringRef name) const {
    Value value = get(name);
    return value ? dyn_cast<RankedTensorType>(value.getType())
                 : RankedTensorType();
  }

  MILOpInterface op;
  SmallVector<NamedArgument> arguments;
};

struct StatementRule {
  StringLiteral id;
  StringLiteral evidence;
  // What is wrong and what to do; empty where all is well.
  std::string (*check)(const Statement &);
};
} // namespace

static bool isConv(const Statement &s) {
  return s.getType() == "conv" || s.getType() == "conv_transpose";
}

//===----------------------------------------------------------------------===//
// Rules of a statement
//===----------------------------------------------------------------------===//

static std::string checkMask(const Statement &s) {
  if (s.getType() != "scaled_dot_product_attention" || !s.get("attn_mask"))
    return "";
  return "attn_mask of scaled_dot_product_attention is ignored; use matmul, "
         "add, softmax, matmul";
}

static std::string checkBias(const Statement &s) {
  if (!isConv(s) || !s.get("bias"))
    return "";
  return (s.getType() +
          " has an argument 'bias'; add the bias in a statement behind it")
      .str();
}

static std::string checkConcat(const Statement &s) {
  if (s.getType() != "concat")
    return "";
  if (!s.get("interleave"))
    return "concat has no argument 'interleave'; give it, false";
  SmallVector<int64_t> axis = s.getIntegers("axis");
  if (axis.size() != 1 || axis[0] < 0)
    return "axis of concat is not a constant that is 0 or more; count it from "
           "the front";
  return "";
}

static std::string checkComposite(const Statement &s) {
  if (s.getType() == "gelu")
    return "gelu is refused; write it with erf or tanh";
  if (s.getType() == "layer_norm")
    return "layer_norm is refused; write it with reductions, sub, mul and pow";
  return "";
}

static std::string checkRoot(const Statement &s) {
  if (s.getType() != "sqrt" && s.getType() != "rsqrt")
    return "";
  Value x = s.get("x");
  auto before = x ? x.getDefiningOp<MILOpInterface>() : MILOpInterface();
  if (!before || !before.getMILType().starts_with("reduce_"))
    return "";
  return (s.getType() + " right behind " + before.getMILType() +
          " fails; use pow with 0.5 or -0.5")
      .str();
}

static std::string checkConvChannels(const Statement &s) {
  RankedTensorType x = s.getTensor("x");
  if (!isConv(s) || !x || x.getRank() < 2 || x.getDimSize(1) < 32000)
    return "";
  return ("convolution has " + Twine(x.getDimSize(1)) +
          " input channels, but 32000 are refused; use matmul")
      .str();
}

static std::string checkKernel(const Statement &s) {
  RankedTensorType weight = s.getTensor("weight");
  if (!isConv(s) || !weight || weight.getRank() != 4 ||
      (weight.getDimSize(3) <= 13 && weight.getDimSize(2) <= 29))
    return "";
  return ("kernel is " + Twine(weight.getDimSize(2)) + " x " +
          Twine(weight.getDimSize(3)) +
          ", but 29 x 13 is the largest; split it")
      .str();
}

static std::string checkRuntimeWeight(const Statement &s) {
  Value weight = s.get("weight");
  auto op = weight ? weight.getDefiningOp() : nullptr;
  auto statement = dyn_cast_or_null<MILOpInterface>(op);
  if (!isConv(s) || !weight || isa_and_nonnull<ConstOp>(op) ||
      (statement && statement.getMILType().starts_with("constexpr_")))
    return "";
  return "weight of a convolution is no constant and may be ignored; use "
         "matmul";
}

static std::string checkMatmul(const Statement &s) {
  if (s.getType() != "matmul" || (!s.getConst("x") && !s.getConst("y")))
    return "";
  return "matmul has a constant operand; use a convolution with a 1 x 1 kernel";
}

static std::string checkLastAxisSlice(const Statement &s) {
  SmallVector<int64_t> begin = s.getIntegers("begin");
  if (!s.getType().starts_with("slice_by_") || begin.empty() ||
      begin.back() == 0)
    return "";
  return ("slice begins at " + Twine(begin.back()) +
          " of the last axis, where values over 4094 saturate; slice another "
          "axis")
      .str();
}

static std::string checkPad(const Statement &s) {
  SmallVector<int64_t> pad = s.getIntegers("pad");
  if (s.getType() != "pad" || pad.size() <= 4 ||
      llvm::all_of(ArrayRef(pad).drop_back(4),
                   [](int64_t n) { return n == 0; }))
    return "";
  return "pad touches an axis other than the last two; use concat with a "
         "constant";
}

static std::string checkTile(const Statement &s) {
  return s.getType() == "tile" ? "tile makes later evaluations fail; use concat"
                               : "";
}

static std::string checkShapes(const Statement &s) {
  for (Value value : s.op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      continue;
    if (type.getRank() > 5)
      return ("result has rank " + Twine(type.getRank()) +
              ", but 5 is the highest")
          .str();
    if (!type.hasStaticShape())
      return "result has an unknown extent; write one program for each shape";
    for (auto [i, dim] : llvm::enumerate(type.getShape())) {
      int64_t limit = i + 2 >= size_t(type.getRank()) ? 16384 : 65536;
      if (dim > limit || dim == 0)
        return ("axis " + Twine(i) + " of the result is " + Twine(dim) +
                ", but must be 1 to " + Twine(limit))
            .str();
    }
  }
  return "";
}

static std::string checkInline(const Statement &s) {
  for (const NamedArgument &argument : s.arguments)
    for (Value value : argument.values)
      if (auto constant = value.getDefiningOp<ConstOp>();
          constant && constant.getIsInline())
        return ("argument '" + argument.name +
                "' is a literal; give it a const of its own")
            .str();
  return "";
}

static constexpr StatementRule kStatementRules[] = {
    {"mil_7", "M4, macOS 15", checkMask},
    {"mil_8", "M4 Max, macOS 15", checkBias},
    {"mil_9", "M4, macOS 15", checkConcat},
    {"mil_10", "M4 Max, macOS 15", checkComposite},
    {"mil_11", "M4, macOS 15", checkRoot},
    {"mil_13", "M4, macOS 15", checkConvChannels},
    {"mil_14", "M1, compile probes", checkShapes},
    {"mil_15", "M1, compile probes", checkKernel},
    {"mil_16", "M1 and M3 Max", checkRuntimeWeight},
    {"mil_17", "M4, macOS 15", checkMatmul},
    {"mil_18", "M1 and M2", checkLastAxisSlice},
    {"mil_19", "M3 Max, macOS 26.3", checkTile},
    {"mil_20", "M1", checkPad},
    {"mil_24", "M4, macOS 15", checkInline},
};

//===----------------------------------------------------------------------===//
// Rules of a function
//===----------------------------------------------------------------------===//

static StringRef getValueName(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto func = cast<FuncOp>(arg.getOwner()->getParentOp());
    return cast<StringAttr>(func.getArgNames()[arg.getArgNumber()]);
  }
  if (auto constant = value.getDefiningOp<ConstOp>())
    return constant.getResultName().value_or("");
  auto op = value.getDefiningOp<MILOpInterface>();
  SmallVector<StringRef> names =
      op ? op.getMILResultNames() : SmallVector<StringRef>();
  unsigned number = cast<OpResult>(value).getResultNumber();
  return number < names.size() ? names[number] : "";
}

namespace {
struct ANECheckMIL : mlir::ane::mil::impl::ANECheckMILBase<ANECheckMIL> {
  InFlightDiagnostic remark(Operation *op, StringRef id) {
    ++violations;
    return emitRemark(op->getLoc()) << "rule " << id << ": ";
  }

  // What holds of the tensors that are handed over in surfaces.
  void checkBorder(ValueRange values, StringRef what) {
    FuncOp func = getOperation();
    SmallVector<StringRef> names;
    for (Value value : values)
      names.push_back(getValueName(value));
    if (!llvm::is_sorted(names))
      remark(func, "mil_1")
          << what << "s are bound in the order of their names, which is not "
          << "that of the function; rename them (seen on M4 Max, macOS 15)";
    for (auto [value, name] : llvm::zip(values, names)) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!type || !type.hasStaticShape() ||
          !type.getElementType().isIntOrFloat())
        continue;
      Type element = type.getElementType();
      if (!element.isF16() && !element.isUnsignedInteger(8))
        remark(func, "mil_12")
            << what << " '" << name << "' has elements of type " << element
            << "; fp16 and uint8 are taken everywhere (seen on M4 and M5)";
      int64_t bytes = type.getNumElements() *
                      llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
      int64_t width = type.getRank() ? type.getShape().back() : 1;
      if (bytes < 48 * 1024 || width % 32)
        remark(func, "mil_4")
            << what << " '" << name << "' has " << bytes
            << " bytes and a last axis of " << width
            << "; small surfaces and widths that are no multiple of 32 fail on "
               "some machines, so give it a surface of 49152 bytes or more "
               "(seen on M4 Max and M3 Max)";
    }
  }

  void runOnOperation() override {
    FuncOp func = getOperation();
    checkBorder(func.getBody().getArguments(), "input");
    checkBorder(func.getBody().front().getTerminator()->getOperands(),
                "output");
    func.walk([&](MILOpInterface op) {
      Statement statement(op);
      for (const StatementRule &rule : kStatementRules) {
        std::string problem = rule.check(statement);
        if (!problem.empty())
          remark(op, rule.id)
              << problem << " (seen on " << rule.evidence << ")";
      }
    });
  }
};
} // namespace
