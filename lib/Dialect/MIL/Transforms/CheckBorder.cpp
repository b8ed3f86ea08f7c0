//===- CheckBorder.cpp - Rules of programs and functions ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane::mil;

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

bool mlir::ane::mil::isSuspiciousName(StringRef name) {
  static constexpr StringLiteral kNames[] = {"x",   "y",    "c",    "C",
                                             "var", "diff", "mean", "std",
                                             "eps", "mul",  "add",  "rsqrt"};
  return llvm::is_contained(kNames, name);
}

// Bytes of a surface that holds nothing but the tensor; 0 if that is unknown.
static uint64_t getSurfaceBytes(RankedTensorType type) {
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return 0;
  uint64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t dim : type.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, dim);
  return bytes;
}

static void checkType(FuncOp func, StringRef what, Value value, StringRef name,
                      Checker &checker) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Type element = type ? type.getElementType() : value.getType();
  std::string subject = (what + " '" + name + "' has elements of type ").str();
  llvm::raw_string_ostream(subject) << element;
  if (isa<StateType>(element))
    return checker.report(RuleId::State, func,
                          what + " '" + name + "' is a state");
  if (element.isF32()) {
    checker.report(RuleId::BorderFloat32, func, subject, bool(type));
    checker.report(RuleId::BorderFloat32E5, func, subject, bool(type));
    return;
  }
  bool isNarrow = element.isInteger(8) || element.isInteger(16);
  if (!element.isF16() && !isNarrow)
    checker.report(RuleId::BorderType, func, subject);
  else if (!element.isF16() && !element.isUnsignedInteger(8))
    checker.report(RuleId::BorderTypeE5, func, subject);
}

static void checkSurface(FuncOp func, StringRef what, Value value,
                         StringRef name, Checker &checker) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  std::string subject = (what + " '" + name + "' has ").str();
  if (type && !type.hasStaticShape())
    return checker.report(RuleId::DynamicShape, func,
                          subject + "an unknown extent");
  uint64_t bytes = getSurfaceBytes(type);
  if (!bytes)
    return;
  if (bytes < 49152)
    checker.report(RuleId::BorderMinimum, func,
                   subject + Twine(bytes) + " bytes");
  int64_t width = type.getRank() ? type.getShape().back() : 1;
  if (width % 32)
    checker.report(RuleId::BorderWidth, func,
                   subject + "a last axis of " + Twine(width) + " elements");
}

// What holds of the tensors that are handed over in surfaces.
static void checkBorder(FuncOp func, ValueRange values, StringRef what,
                        Checker &checker) {
  SmallVector<StringRef> names;
  for (Value value : values)
    names.push_back(getValueName(value));
  if (!llvm::is_sorted(names))
    checker.report(RuleId::BorderOrder, func,
                   what + "s stand in another order than their names");
  uint64_t least = ~0ull, most = 0;
  for (auto [value, name] : llvm::zip(values, names)) {
    checkType(func, what, value, name, checker);
    checkSurface(func, what, value, name, checker);
    if (isSuspiciousName(name))
      checker.report(RuleId::BorderName, func,
                     what + " is called '" + name + "'");
    if (uint64_t bytes =
            getSurfaceBytes(dyn_cast<RankedTensorType>(value.getType()))) {
      least = std::min(least, bytes);
      most = std::max(most, bytes);
    }
  }
  if (most > least)
    checker.report(RuleId::BorderSizes, func,
                   what + "s have from " + Twine(least) + " to " + Twine(most) +
                       " bytes");
}

static void checkValueNames(FuncOp func, Checker &checker) {
  if (!checker.holds(RuleId::ValueName))
    return;
  ValueRange outputs = func.getBody().front().getTerminator()->getOperands();
  func.walk([&](Operation *op) {
    for (Value value : op->getResults())
      if (isSuspiciousName(getValueName(value)) &&
          !llvm::is_contained(outputs, value))
        checker.report(RuleId::ValueName, op,
                       "value is called '" + getValueName(value) + "'");
  });
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void checkConst(ConstOp op, Checker &checker) {
  auto blob = dyn_cast<BlobFileAttr>(op.getValue());
  if (blob && (blob.getOffset() < 64 || blob.getOffset() % 64))
    checker.report(RuleId::BlobOffset, op,
                   "constant lies at offset " + Twine(blob.getOffset()) +
                       " of '" + blob.getPath() + "'");
}

//===----------------------------------------------------------------------===//
// Functions and programs
//===----------------------------------------------------------------------===//

// The first macOS with an opset; 0 for opsets older than what is listed.
static unsigned getSystemOfOpset(StringRef opset) {
  unsigned number = 0;
  opset.drop_front(3).getAsInteger(10, number);
  return number >= 26   ? 26
         : number >= 18 ? 15
         : number == 17 ? 14
         : number == 16 ? 13
                        : 0;
}

void Checker::check(FuncOp func) {
  unsigned needed = getSystemOfOpset(func.getOpset());
  if (target.systems.first && target.systems.first < needed)
    report(RuleId::Opset, func,
           "opset is " + func.getOpset() + " and the system macos" +
               Twine(target.systems.first));
  if (func.getFuncAttributes().get("FlexibleShapeInformation"))
    report(RuleId::DynamicShape, func, "function has flexible shapes");
  checkBorder(func, func.getBody().getArguments(), "input", *this);
  checkBorder(func, func.getBody().front().getTerminator()->getOperands(),
              "output", *this);
  func.walk([&](Operation *op) {
    if (auto constant = dyn_cast<ConstOp>(op))
      checkConst(constant, *this);
    else if (auto statement = dyn_cast<MILOpInterface>(op))
      check(Statement(statement));
  });
  checkValueNames(func, *this);
}

void Checker::check(const Statement &s) {
  checkLiterals(s, *this);
  checkShapes(s, *this);
  checkReach(s, *this);
  checkConvolution(s, *this);
  checkMatmul(s, *this);
  checkComposite(s, *this);
  checkElementwise(s, *this);
  checkReduction(s, *this);
  checkMovement(s, *this);
}

void Checker::check(ProgramOp program) {
  if (!program.getProgramAttributes().get("buildInfo"))
    report(RuleId::BuildInfo, program, "program has no 'buildInfo'");
  if (program.getVersion() == "1.3" && target.systems.first)
    report(RuleId::Spelling, program,
           "program has version 1.3 and the system is macos" +
               Twine(target.systems.first));
  uint64_t bytes = 0;
  program.walk([&](ConstOp op) {
    bytes = llvm::SaturatingAdd(
        bytes, getSurfaceBytes(dyn_cast<RankedTensorType>(op.getType())));
  });
  checkLimit({RuleId::WeightBytesNew, RuleId::WeightBytes}, program,
             "size of all constants", bytes);
  for (auto func : program.getBody().getOps<FuncOp>())
    check(func);
}
