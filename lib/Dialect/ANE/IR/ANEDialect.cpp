//===- ANEDialect.cpp - The ane dialect -----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/FunctionInfo.h"
#include "ane/Dialect/ANE/Utils/AccuracyGoal.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"
#include "ane/HW/Generation.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

#include "ane/Dialect/ANE/IR/ANEDialect.cpp.inc"
#include "ane/Dialect/ANE/IR/ANEEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/ANE/IR/ANEAttributes.cpp.inc"

namespace {

/// Ops have no more effects in one function than in another.
struct ANEInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void ANEDialect::initialize() {
  addInterfaces<ANEInliner>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ane/Dialect/ANE/IR/ANEAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/ANE/IR/ANEOps.cpp.inc"
      >();
}

Operation *ANEDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

static LogicalResult verifyTile(Operation *op, Attribute value) {
  // tile_c1: an op with one ranked result that has the dimension.
  auto tile = dyn_cast<TileAttr>(value);
  if (!tile)
    return op->emitOpError("has 'ane.tile' = ")
           << value << ", but it must be a #ane.tile";
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  int64_t dim = std::max(tile.getDim(), tile.getInnerDim());
  if (!type || dim >= type.getRank())
    return op->emitOpError("is cut along dimension ")
           << dim << ", but has no result with that dimension";
  return success();
}

// attribute_c1: what passes read by name has the kind that they look for; one
// of another kind, or misspelt, they would not see.
static LogicalResult verifyKind(Operation *op, NamedAttribute attribute,
                                bool isKind, StringRef kind) {
  if (isKind)
    return success();
  return op->emitOpError("has ")
         << attribute.getName() << " = " << attribute.getValue()
         << ", but it must be " << kind;
}

static bool isL2OrDram(Attribute value) {
  auto space = dyn_cast<MemorySpaceAttr>(value);
  return space && (space.getValue() == MemorySpace::L2 ||
                   space.getValue() == MemorySpace::Dram);
}

/// What is said of the result of an op, and then of its buffer.
static LogicalResult verifyOfResult(Operation *op, NamedAttribute attribute) {
  bool isOfOne =
      op->getNumResults() == 1 &&
      (isa<RankedTensorType>(op->getResult(0).getType()) || isa<BufferOp>(op));
  if (attribute.getName() == ANEDialect::getHoldAttrName())
    return verifyKind(op, attribute,
                      isOfOne && isL2OrDram(attribute.getValue()),
                      "#ane.space<l2> or #ane.space<dram> of an op with one "
                      "tensor");
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  return verifyKind(op, attribute,
                    isOfOne && number && number.getType().isInteger(64) &&
                        !number.getValue().isNegative(),
                    "an i64 of an op with one tensor, at least 0");
}

// range_c1: two ends, the lower one first, and maybe a smallest magnitude.
static LogicalResult verifyRange(Operation *op, NamedAttribute attribute) {
  auto ends = dyn_cast<ArrayAttr>(attribute.getValue());
  SmallVector<double> numbers;
  for (Attribute end : ends ? ends.getValue() : ArrayRef<Attribute>())
    if (auto number = dyn_cast<FloatAttr>(end))
      numbers.push_back(number.getValueAsDouble());
  return verifyKind(op, attribute,
                    ends && numbers.size() == ends.size() &&
                        (numbers.size() == 2 || numbers.size() == 3) &&
                        numbers[0] <= numbers[1],
                    "an array of two or three f64, the lower end first");
}

// target_c1: a generation that programs can be compiled for.
static LogicalResult verifyTarget(Operation *op, NamedAttribute attribute) {
  auto name = dyn_cast<StringAttr>(attribute.getValue());
  if (!isa<ModuleOp>(op) || !name)
    return verifyKind(op, attribute, false, "a string of a module");
  auto generation = ::ane::hw::parseTarget({name.data(), name.size()});
  if (!generation.ok())
    return op->emitOpError("has ")
           << attribute.getName() << " = " << name << ": "
           << std::string(generation.status().message());
  return success();
}

LogicalResult ANEDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  bool isFunction = isa<FunctionOpInterface>(op);
  if (name == getTileAttrName())
    return verifyTile(op, value);
  if (name == getKeepRowsAttrName())
    return verifyKind(op, attribute,
                      isa<UnitAttr>(value) && op->hasAttr(getTileAttrName()),
                      "a unit attribute beside ane.tile");
  if (name == getHoldAttrName() || name == getPlanNumberAttrName())
    return verifyOfResult(op, attribute);
  if (name == kRangeAttrName)
    return verifyRange(op, attribute);
  if (name == kMeanRatioAttrName)
    return verifyKind(op, attribute,
                      isa<LayerNormOp>(op) && isa<FloatAttr>(value),
                      "an f64 of an ane.layer_norm");
  if (name == getTargetAttrName())
    return verifyTarget(op, attribute);
  if (name == kFormAttrName)
    return verifyKind(op, attribute, isa<StringAttr>(value),
                      "the name of a form, such as \"table\"");
  if (name == kByColumnAttrName)
    return verifyKind(op, attribute,
                      isa<BoolAttr>(value) && op->getNumResults() == 1,
                      "a bool of an op with one tensor");
  if (name == kAccuracyGoalAttrName) {
    auto goal = dyn_cast<StringAttr>(value);
    return verifyKind(op, attribute, goal && parseAccuracyGoal(goal.getValue()),
                      "\"fast\", \"balanced\" or \"best\"");
  }
  if (name == kFunctionFormsAttrName)
    return verifyKind(op, attribute, isa<DictionaryAttr>(value),
                      "a dictionary of how often each form is");
  if (name == getInputChannelsAttrName()) {
    auto conv = dyn_cast<ConvOp>(op);
    auto count = dyn_cast<IntegerAttr>(value);
    return verifyKind(op, attribute,
                      conv && conv.getGroups() == 1 && count &&
                          count.getType().isInteger(64) &&
                          count.getValue().isStrictlyPositive(),
                      "an i64 of a convolution without groups, at least 1");
  }
  if (name == getBandedAttrName()) {
    auto conv = dyn_cast<ConvOp>(op);
    return verifyKind(op, attribute,
                      conv && conv.getGroups() == 1 && isa<UnitAttr>(value),
                      "a unit attribute of a convolution without groups");
  }
  if (name == getColumnPartsAttrName()) {
    auto cuts = dyn_cast<DenseI64ArrayAttr>(value);
    return verifyKind(op, attribute, isFunction && cuts && cuts.size() % 3 == 0,
                      "an array of i64 of a function, three for each run");
  }
  if (name == getSequenceAttrName())
    return verifyKind(op, attribute, isFunction && isa<UnitAttr>(value),
                      "a unit attribute of a function");
  if (name == getProgramAttrName())
    return verifyKind(op, attribute, isFunction && isa<StringAttr>(value),
                      "a string of a function");
  if (name == getScratchAttrName() || name == getPlannedAttrName() ||
      name == getHeldAttrName()) {
    auto count = dyn_cast<IntegerAttr>(value);
    return verifyKind(op, attribute,
                      isFunction && count && count.getType().isInteger(64) &&
                          !count.getValue().isNegative(),
                      "an i64 of a function, at least 0");
  }
  return op->emitOpError("has ")
         << attribute.getName() << ", but an operation can have "
         << getTileAttrName() << ", " << getKeepRowsAttrName() << ", "
         << getInputChannelsAttrName() << ", " << getBandedAttrName() << ", "
         << getHoldAttrName() << ", " << getPlanNumberAttrName() << ", "
         << getHeldAttrName() << ", " << getPlannedAttrName() << ", "
         << getColumnPartsAttrName() << ", " << getSequenceAttrName() << ", "
         << getProgramAttrName() << ", " << kFormAttrName << ", "
         << kByColumnAttrName << ", " << kAccuracyGoalAttrName << ", "
         << kFunctionFormsAttrName << ", " << getScratchAttrName() << " and "
         << getTargetAttrName() << " only";
}

// attribute_c2: programs bind inputs and outputs by name, so one name is one of
// either.
static LogicalResult verifyName(Operation *op, NamedAttribute attribute,
                                unsigned index, bool isResult) {
  if (failed(verifyKind(op, attribute, isa<StringAttr>(attribute.getValue()),
                        "a string")))
    return failure();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  auto fail = [&](StringRef what, unsigned other) {
    return op->emitOpError(isResult ? "result #" : "argument #")
           << index << " has " << attribute.getName() << " = "
           << attribute.getValue() << ", but so has " << what << " #" << other
           << "; give one of them another name";
  };
  // With tasks, outputs are arguments, too.
  auto isOutput = [&](unsigned argument) {
    return !!function.getArgAttr(argument, ANEDialect::getOutputAttrName());
  };
  for (unsigned other = 0; !isResult && other < index; ++other)
    if (function.getArgAttr(other, attribute.getName()) ==
            attribute.getValue() &&
        isOutput(other) == isOutput(index))
      return fail("argument", other);
  for (unsigned other = 0; isResult && other < index; ++other)
    if (function.getResultAttr(other, attribute.getName()) ==
        attribute.getValue())
      return fail("result", other);
  return success();
}

static LogicalResult verifyShape(Operation *op, NamedAttribute attribute) {
  return verifyKind(op, attribute, isa<DenseI64ArrayAttr>(attribute.getValue()),
                    "an array of i64");
}

static LogicalResult verifyLow(Operation *op, NamedAttribute attribute,
                               unsigned index) {
  if (failed(verifyKind(op, attribute, isa<UnitAttr>(attribute.getValue()),
                        "a unit attribute")))
    return failure();
  auto types = cast<FunctionOpInterface>(op).getArgumentTypes();
  auto shape = [&](unsigned argument) {
    return cast<ShapedType>(types[argument]).getShape();
  };
  if (index && llvm::all_of(types, llvm::IsaPred<ShapedType>) &&
      getElementTypeOrSelf(types[index]).isF16() &&
      shape(index) == shape(index - 1))
    return success();
  return op->emitOpError("argument #")
         << index << " has " << attribute.getName()
         << ", but is no f16 tensor of the shape of an argument before it";
}

LogicalResult ANEDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned index,
                                                   NamedAttribute attribute) {
  if (attribute.getName() == getNameAttrName())
    return verifyName(op, attribute, index, /*isResult=*/false);
  if (attribute.getName() == getOutputAttrName())
    return verifyKind(op, attribute, isa<UnitAttr>(attribute.getValue()),
                      "a unit attribute");
  if (attribute.getName() == getHoldAttrName())
    return verifyKind(op, attribute, isL2OrDram(attribute.getValue()),
                      "#ane.space<l2> or #ane.space<dram>");
  if (attribute.getName() == kShapeAttrName)
    return verifyShape(op, attribute);
  if (attribute.getName() == kRangeAttrName)
    return verifyRange(op, attribute);
  if (attribute.getName() == kLowAttrName)
    return verifyLow(op, attribute, index);
  return op->emitOpError("has ")
         << attribute.getName() << " on an argument, which can have "
         << getNameAttrName() << ", " << getOutputAttrName() << ", "
         << kShapeAttrName << ", " << kRangeAttrName << ", " << kLowAttrName
         << " and " << getHoldAttrName() << " only";
}

LogicalResult
ANEDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned index,
                                        NamedAttribute attribute) {
  if (attribute.getName() == getNameAttrName())
    return verifyName(op, attribute, index, /*isResult=*/true);
  if (attribute.getName() == kShapeAttrName)
    return verifyShape(op, attribute);
  return op->emitOpError("has ")
         << attribute.getName() << " on a result, which can have "
         << getNameAttrName() << " and " << kShapeAttrName << " only";
}

//===----------------------------------------------------------------------===//
// #ane.tile
//===----------------------------------------------------------------------===//

LogicalResult TileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t group, int64_t dim, int64_t size,
                               int64_t innerDim, int64_t innerSize) {
  // tile_c2: strips are not empty.
  if (group < 0 || dim < 0 || size < 1)
    return emitError() << "group " << group << ", dim " << dim << " and size "
                       << size << " must be at least 0, 0 and 1";
  // tile_c3: so are the parts of strips, which are cut along another dimension.
  bool hasInner = innerDim != -1 || innerSize != 0;
  if (hasInner && (innerDim < 0 || innerSize < 1 || innerDim == dim))
    return emitError() << "innerDim " << innerDim << " and innerSize "
                       << innerSize
                       << " must be at least 0 and 1, and innerDim not dim, "
                       << dim;
  return success();
}

//===----------------------------------------------------------------------===//
// #ane.act
//===----------------------------------------------------------------------===//

// <kind [, alpha [, beta]]>
Attribute ActivationAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  SMLoc loc;
  double alpha = 0, beta = 0;
  if (parser.parseLess())
    return {};
  loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return {};
  std::optional<ActivationKind> kind = symbolizeActivationKind(name);
  if (!kind) {
    parser.emitError(loc, "unknown activation '") << name << "'";
    return {};
  }
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseFloat(alpha))
      return {};
    if (succeeded(parser.parseOptionalComma()) && parser.parseFloat(beta))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ActivationAttr>(loc, parser.getContext(), *kind,
                                           APFloat(alpha), APFloat(beta));
}

void ActivationAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyActivationKind(getKind());
  // A negative zero is none that may be left out.
  bool hasBeta = !getBetaValue().isPosZero();
  if (hasBeta || !getAlphaValue().isPosZero()) {
    printer << ", ";
    printer.printFloat(getAlphaValue());
  }
  if (hasBeta) {
    printer << ", ";
    printer.printFloat(getBetaValue());
  }
  printer << ">";
}

LogicalResult
ActivationAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       ActivationKind kind, APFloat alpha, APFloat beta) {
  const APFloat given[] = {std::move(alpha), std::move(beta)};
  const auto &[first, second] = given;
  // act_c1: a parameter that the function does not have is zero.
  int count = infoOf(kind).parameters;
  if ((count < 1 && !first.isZero()) || (count < 2 && !second.isZero()))
    return emitError() << "'" << stringifyActivationKind(kind) << "' has "
                       << count << " parameters, but more are given";
  // act_c2: parameters are numbers, and the bounds of a clamp are in order.
  if (first.isNaN() || second.isNaN())
    return emitError() << "a parameter of '" << stringifyActivationKind(kind)
                       << "' is not a number";
  if (kind == ActivationKind::Clamp && first > second)
    return emitError() << "lower bound " << first.convertToDouble()
                       << " of clamp is above its upper bound "
                       << second.convertToDouble();
  return success();
}

bool ActivationAttr::isStretched() const {
  return infoOf(getKind()).canStretch && getAlpha() != 0;
}

bool ActivationAttr::isNeverNegative() const {
  switch (getKind()) {
  case ActivationKind::Clamp:
    return getAlpha() >= 0;
  case ActivationKind::WhereNonzero:
  case ActivationKind::WherePositive:
  case ActivationKind::WhereNegative:
    return getAlpha() >= 0 && getBeta() >= 0;
  default:
    return infoOf(getKind()).low >= 0;
  }
}
