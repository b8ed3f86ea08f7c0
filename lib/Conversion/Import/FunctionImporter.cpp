//===- FunctionImporter.cpp - One function into the ane dialect -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk over a function that all front ends share; FunctionImporter.h says
// what it guarantees. The imported ops are built in front of the old ones,
// which go when everything is imported, so that a handler can still look at the
// source.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/FunctionImporter.h"

#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

RankedTensorType mlir::ane::withShape(Type type, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape,
                               cast<RankedTensorType>(type).getElementType());
}

RankedTensorType mlir::ane::withElementType(Type type, Type elementType) {
  return RankedTensorType::get(cast<RankedTensorType>(type).getShape(),
                               elementType);
}

SmallVector<int64_t> mlir::ane::broadcastShape(Value lhs, Value rhs) {
  SmallVector<int64_t> shape;
  for (auto [a, b] : llvm::zip_equal(shapeOf(lhs), shapeOf(rhs)))
    shape.push_back(a == 1 ? b : a);
  return shape;
}

static bool isFloat(Type elementType) {
  return elementType.isF16() || elementType.isF32();
}

/// Checks that `type`, of what `what` says, is one the engine can have.
static LogicalResult checkShape(Location loc, Type type, const Twine &what) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return success();
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return emitError(loc) << what << " has the unranked type " << type
                          << ", but a program for the engine has fixed shapes; "
                             "give it a rank and sizes";
  if (!ranked.hasStaticShape())
    return emitError(loc) << what << " has the dynamic type " << type
                          << ", but a program for the engine has fixed shapes; "
                             "give every dimension a size (--shape of "
                             "ane-compile, --ane-set-shapes of ane-opt)";
  if (llvm::is_contained(ranked.getShape(), 0))
    return emitError(loc) << what << " has the type " << type
                          << ", which holds no elements";
  return success();
}

Type mlir::ane::borderType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return {};
  Type element = tensor.getElementType();
  if (isFloat(element) || element.isUnsignedInteger(8))
    return type;
  MLIRContext *context = type.getContext();
  if (element.isBF16())
    return tensor.clone(Float32Type::get(context));
  if (element.isSignlessInteger(8) || element.isSignedInteger(8))
    return tensor.clone(Float16Type::get(context));
  if (element.isInteger(1))
    return tensor.clone(IntegerType::get(context, 8, IntegerType::Unsigned));
  return {};
}

static bool isWideInteger(Type type) {
  Type element = getElementTypeOrSelf(type);
  auto integer = dyn_cast<IntegerType>(element);
  return element.isIndex() || (integer && integer.getWidth() > 8);
}

Type mlir::ane::resultBorderType(Type type) {
  Type element = getElementTypeOrSelf(type);
  bool isIndex = element.isSignlessInteger(16) ||
                 element.isSignlessInteger(32) || element.isSignlessInteger(64);
  return isIndex && isa<RankedTensorType>(type) ? type : borderType(type);
}

static LogicalResult checkElementType(Location loc, Type type,
                                      const Twine &what) {
  if (borderType(type))
    return success();
  return emitError(loc) << what << " has the type " << type
                        << ", but only tensors of f32, f16, bf16, i8, ui8 and "
                           "i1 can enter and leave the engine; compute "
                           "anything else outside of the network";
}

//===----------------------------------------------------------------------===//
// For handlers
//===----------------------------------------------------------------------===//

ElementsAttr FunctionImporter::constant(Value source) {
  Operation *op = source.getDefiningOp();
  if (!op || !op->hasTrait<OpTrait::ConstantLike>())
    return {};
  SmallVector<OpFoldResult, 1> results;
  if (failed(op->fold({}, results)) || results.size() != 1)
    return {};
  return dyn_cast_or_null<ElementsAttr>(dyn_cast<Attribute>(results.front()));
}

int64_t FunctionImporter::integer(const APInt &value, Type type) {
  return type.isUnsignedInteger() || type.isInteger(1)
             ? static_cast<int64_t>(value.getZExtValue())
             : value.getSExtValue();
}

/// The number in `attr`, a scalar.
static std::optional<double> numberOf(Attribute attr) {
  if (auto value = dyn_cast_or_null<FloatAttr>(attr))
    return value.getValueAsDouble();
  if (auto value = dyn_cast_or_null<IntegerAttr>(attr))
    return FunctionImporter::integer(value.getValue(), value.getType());
  return std::nullopt;
}

std::optional<double> FunctionImporter::splat(Value source) {
  Attribute scalar;
  if (matchPattern(source, m_Constant(&scalar)) && numberOf(scalar))
    return numberOf(scalar);
  auto dense = dyn_cast_or_null<DenseElementsAttr>(constant(source));
  if (!dense || !dense.isSplat())
    return std::nullopt;
  return numberOf(dense.getSplatValue<Attribute>());
}

/// The elements of an integer constant as floats. Nothing if one of them is
/// beyond what f32 holds exactly: such a number is an index, not data.
static ElementsAttr integersAsFloats(ElementsAttr attr) {
  auto type = dyn_cast<IntegerType>(attr.getElementType());
  if (!type || type.getWidth() > 64 ||
      (type.getWidth() < 8 && type.getWidth() != 1))
    return {};
  SmallVector<float> values;
  auto add = [&](const APInt &value) {
    bool isSigned = !type.isUnsigned() && type.getWidth() != 1;
    double number = value.roundToDouble(isSigned);
    values.push_back(static_cast<float>(number));
    return std::abs(number) <= (1 << 24);
  };
  if (auto dense = dyn_cast<DenseIntElementsAttr>(attr)) {
    if (!llvm::all_of(distinctNumbers(dense), add))
      return {};
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    unsigned bytes = llvm::divideCeil(type.getWidth(), 8);
    if (!blob || blob->getData().size() !=
                     static_cast<size_t>(attr.getNumElements()) * bytes)
      return {};
    for (int64_t i = 0, e = attr.getNumElements(); i != e; ++i) {
      uint64_t bits = 0;
      std::memcpy(&bits, blob->getData().data() + i * bytes, bytes);
      if (!add(APInt(64, bits).trunc(type.getWidth())))
        return {};
    }
  } else {
    return {};
  }
  auto floats = RankedTensorType::get(attr.getShapedType().getShape(),
                                      Float32Type::get(attr.getContext()));
  return DenseElementsAttr::get(floats, ArrayRef<float>(values));
}

/// The elements of a constant of another float type than f16 and f32, as f32.
static ElementsAttr floatsAsSingles(ElementsAttr attr) {
  auto dense = dyn_cast<DenseFPElementsAttr>(attr);
  if (!dense)
    return {};
  auto toSingle = [](APFloat value) {
    bool losesInfo;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value;
  };
  auto type = RankedTensorType::get(attr.getShapedType().getShape(),
                                    Float32Type::get(attr.getContext()));
  if (dense.isSplat())
    return DenseElementsAttr::get(type,
                                  toSingle(dense.getSplatValue<APFloat>()));
  return DenseElementsAttr::get(
      type, llvm::map_to_vector(dense.getValues<APFloat>(), toSingle));
}

// Constants are imported where they are first needed: most of the small ones
// are parameters of an op (zero points, shapes) and vanish.
Value FunctionImporter::lookup(Value source) {
  if (Value imported = values.lookup(source))
    return imported;
  // A scalar stands for tensors of different ranks; each gets its own.
  if (isa<FloatType, IntegerType, IndexType>(source.getType()))
    if (std::optional<double> number = splat(source)) {
      Type element =
          source.getType().isF16() ? source.getType() : builder.getF32Type();
      auto type =
          RankedTensorType::get(SmallVector<int64_t>(scalarRank, 1), element);
      auto value = builder.getFloatAttr(element, *number);
      return ConstantOp::create(builder, source.getLoc(),
                                DenseElementsAttr::get(type, Attribute(value)));
    }
  ElementsAttr value = constant(source);
  // A mask of integers that a cast turns into data.
  if (value && !isFloat(value.getElementType()))
    value = isa<FloatType>(value.getElementType()) ? floatsAsSingles(value)
                                                   : integersAsFloats(value);
  if (!value)
    return {};
  Value imported = ConstantOp::create(builder, source.getLoc(), value);
  values[source] = imported;
  return imported;
}

FailureOr<Value> FunctionImporter::operand(Operation *op, unsigned index) {
  Value source = op->getOperand(index);
  if (Value imported = lookup(source))
    return imported;
  return op->emitOpError("operand #")
         << index << " has the type " << source.getType()
         << ", which the engine does not compute on; it knows tensors of f32, "
            "f16, 8-bit integers and booleans";
}

LogicalResult FunctionImporter::checkFloat(Operation *op) {
  for (Type type : op->getResultTypes())
    if (Type element = getElementTypeOrSelf(type);
        !isFloat(element) && !element.isBF16())
      return op->emitOpError("computes ")
             << type
             << ", but the engine computes on floats; do it outside of "
                "the network";
  return success();
}

LogicalResult FunctionImporter::operands(Operation *op,
                                         SmallVectorImpl<Value> &values) {
  for (unsigned i = 0, e = op->getNumOperands(); i != e; ++i) {
    FailureOr<Value> value = operand(op, i);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return success();
}

Type FunctionImporter::elementType(ArrayRef<Value> values) {
  Type type;
  for (Value value : values) {
    Type own = getElementTypeOrSelf(value.getType());
    if (!type || own.isF16())
      type = own;
  }
  return type;
}

Value FunctionImporter::castTo(Location loc, Value value, Type type) {
  return mlir::ane::castTo(builder, loc, value, type);
}

void FunctionImporter::unify(Location loc, MutableArrayRef<Value> values) {
  Type type = elementType(values);
  for (Value &value : values)
    value = castTo(loc, value, type);
}

Value FunctionImporter::transpose(Location loc, Value value,
                                  ArrayRef<int64_t> perm) {
  return permuted(builder, loc, value, perm);
}

Value FunctionImporter::reshape(Location loc, Value value,
                                ArrayRef<int64_t> shape) {
  return reshaped(builder, loc, value, shape);
}

Value FunctionImporter::toNCHW(Location loc, Value value) {
  return transpose(loc, value, {0, 3, 1, 2});
}

Value FunctionImporter::toNHWC(Location loc, Value value) {
  return transpose(loc, value, {0, 2, 3, 1});
}

Value FunctionImporter::toImage(Location loc, Value value, bool isNHWC) {
  if (isNHWC)
    value = toNCHW(loc, value);
  return getElementTypeOrSelf(value.getType()).isF32()
             ? castTo(loc, value, builder.getF16Type())
             : value;
}

//===----------------------------------------------------------------------===//
// Modules and functions
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> mlir::ane::findFunction(ModuleOp module,
                                                StringRef name) {
  SmallVector<func::FuncOp> candidates;
  std::string names;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (function.getName() == name)
      return function;
    candidates.push_back(function);
    names += (names.empty() ? "'" : ", '") + function.getName().str() + "'";
  }
  if (candidates.empty())
    return emitError(module.getLoc(),
                     "the module has no function with a body, so there "
                     "is nothing to import");
  if (!name.empty())
    return emitError(module.getLoc(), "there is no function '")
           << name << "' in the module; it has " << names;
  // Exporters write what a network calls as private functions beside it.
  if (candidates.size() > 1) {
    auto open = llvm::make_filter_range(
        candidates, [](func::FuncOp each) { return each.isPublic(); });
    if (llvm::hasSingleElement(open))
      return *open.begin();
  }
  if (candidates.size() > 1)
    return emitError(module.getLoc(), "the module has ")
           << candidates.size() << " functions (" << names
           << "), but a program has one; choose it with --function=NAME";
  return candidates.front();
}

LogicalResult FunctionImporter::importModule(ModuleOp module, StringRef name) {
  FailureOr<func::FuncOp> function = findFunction(module, name);
  if (failed(function))
    return failure();
  if (failed(checkTensorLevel(*function)) || failed(checkTypes(*function)) ||
      failed(importFunction(*function)))
    return failure();
  keepOnly(module, *function);
  return success();
}

void mlir::ane::keepOnly(ModuleOp module, func::FuncOp function) {
  for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (other != function)
      other.erase();
  function.setPublic();
}

LogicalResult mlir::ane::checkTensorLevel(func::FuncOp function) {
  bool ok = true;
  for (BlockArgument arg : function.getArguments())
    if (isa<BaseMemRefType, VectorType>(arg.getType())) {
      emitError(arg.getLoc())
          << "argument #" << arg.getArgNumber() << " has the type "
          << arg.getType() << ", but a network takes tensors; give it as it "
          << "was before bufferization and vectorization";
      ok = false;
    }
  // What computes indexes alone may stand beside tensors.
  auto isLower = [](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    bool isIndex = op->getNumRegions() == 0 && op->getNumResults() > 0 &&
                   llvm::all_of(op->getResultTypes(), llvm::IsaPred<IndexType>);
    return dialect == "bufferization" || dialect == "memref" ||
           dialect == "vector" || (dialect == "affine" && !isIndex);
  };
  WalkResult result = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isLower(op))
      return WalkResult::advance();
    op->emitError("'") << op->getName().getStringRef()
                       << "' is of the level of buffers, loops and vectors, "
                          "but a network is ops on tensors; give it as it was "
                          "before bufferization, vectorization and the "
                          "lowering to loops";
    return WalkResult::interrupt();
  });
  return success(ok && !result.wasInterrupted());
}

/// Reports every type that cannot be, arguments first.
LogicalResult FunctionImporter::checkTypes(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return emitError(function.getLoc(), "function has ")
           << function.getBody().getBlocks().size()
           << " blocks, but control flow cannot be imported; the body must be "
              "one block";
  bool ok = true;
  for (BlockArgument arg : function.getArguments()) {
    std::string what = "argument #" + std::to_string(arg.getArgNumber());
    ok &= succeeded(checkShape(arg.getLoc(), arg.getType(), what)) &&
          succeeded(checkElementType(arg.getLoc(), arg.getType(), what));
  }
  for (Operation &op : function.getBody().front())
    for (OpResult result : op.getResults())
      ok &= succeeded(
          checkShape(op.getLoc(), result.getType(),
                     "result #" + std::to_string(result.getResultNumber()) +
                         " of '" + op.getName().getStringRef() + "'"));
  return success(ok);
}

// Handlers look at the types of the source, so an argument gets the type of the
// border at the very end; until then something stands for its value.
void FunctionImporter::importArguments(func::FuncOp function) {
  builder.setInsertionPointToStart(&function.getBody().front());
  for (BlockArgument arg : function.getArguments()) {
    Type border = borderType(arg.getType());
    if (!border || arg.use_empty())
      continue; // no border type: only when probing
    if (border == arg.getType()) {
      map(arg, castTo(arg.getLoc(), arg, builder.getF16Type()));
      continue;
    }
    auto stand = UnrealizedConversionCastOp::create(
        builder, arg.getLoc(),
        cast<RankedTensorType>(border).clone(builder.getF16Type()),
        ValueRange(arg));
    map(arg, stand.getResult(0));
    stands.push_back(stand);
  }
}

void FunctionImporter::finishArguments(func::FuncOp function) {
  for (BlockArgument arg : function.getArguments())
    arg.setType(borderType(arg.getType()));
  for (UnrealizedConversionCastOp stand : stands) {
    builder.setInsertionPoint(stand);
    stand.getResult(0).replaceAllUsesWith(
        castTo(stand.getLoc(), stand.getOperand(0), builder.getF16Type()));
    stand.erase();
  }
  stands.clear();
}

SmallVector<FunctionImporter::Probe>
FunctionImporter::probe(func::FuncOp function) {
  SmallVector<Operation *> source;
  for (Operation &op : function.getBody().front())
    source.push_back(&op);
  importArguments(function);
  SmallVector<Probe> probes;
  for (Operation *op : source) {
    auto &[reason, hasValues] = probes.emplace_back();
    if (op->hasTrait<OpTrait::IsTerminator>())
      continue;
    builder.setInsertionPoint(op);
    ScopedDiagnosticHandler handler(
        builder.getContext(), [&reason = reason](Diagnostic &diagnostic) {
          if (reason.empty() &&
              diagnostic.getSeverity() == DiagnosticSeverity::Error)
            reason = diagnostic.str();
          return success();
        });
    bool ok = true;
    for (Type type : op->getResultTypes())
      ok = ok && succeeded(checkShape(op->getLoc(), type, "its result"));
    if (ok && succeeded(importOp(op))) {
      hasValues = llvm::all_of(op->getResults(), [&](Value result) {
        return values.contains(result);
      });
      continue;
    }
    if (reason.empty())
      reason = "cannot be imported";
    for (Value result : op->getResults()) {
      auto type =
          dyn_cast_or_null<RankedTensorType>(borderType(result.getType()));
      if (!type || !type.hasStaticShape())
        continue;
      auto stand = UnrealizedConversionCastOp::create(
          builder, op->getLoc(), type.clone(builder.getF16Type()),
          ValueRange());
      map(result, stand.getResult(0));
    }
  }
  return probes;
}

// Constants and shapes are looked at by the ops that use them.
bool FunctionImporter::isParameter(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         (isMemoryEffectFree(op) &&
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>));
}

LogicalResult FunctionImporter::importFunction(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  SmallVector<Operation *> source;
  for (Operation &op : body)
    source.push_back(&op);

  importArguments(function);
  for (Operation *op : source) {
    builder.setInsertionPoint(op);
    if (auto ret = dyn_cast<func::ReturnOp>(op)) {
      if (failed(importReturn(ret)))
        return failure();
      continue;
    }
    // The first error is the last: what depends on it would only repeat it.
    if (failed(importOp(op)))
      return failure();
  }
  for (Operation *op : llvm::reverse(source))
    if (!isa<func::ReturnOp>(op))
      op->erase();
  finishArguments(function);
  function.setType(
      builder.getFunctionType(function.getBody().getArgumentTypes(),
                              body.getTerminator()->getOperandTypes()));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return success();
}

LogicalResult FunctionImporter::checkWhole(Operation *op) {
  for (Value operand : op->getOperands()) {
    if (!isWideInteger(operand.getType()))
      continue;
    SmallVector<APInt> numbers;
    if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(constant(operand)))
      llvm::append_range(numbers, distinctNumbers(dense));
    else if (APInt number; matchPattern(operand, m_ConstantInt(&number)))
      numbers.push_back(number);
    for (const APInt &number : numbers)
      if (!number.isSignedIntN(64) || !isWholeHalf(number.getSExtValue()))
        return op->emitError("'")
               << op->getName().getStringRef() << "' has integers of the "
               << "network next to " << llvm::toString(number, 10, true)
               << ", which fp16 does not hold exactly; compute them outside of "
                  "the network";
  }
  return success();
}

// Data of integers is exact as long as it meets what f16 has, too. A choice
// looks itself at what it may give.
LogicalResult FunctionImporter::checkIntegers(Operation *op) {
  if (isa<arith::SelectOp>(op))
    return success();
  auto isData = [&](Value operand) {
    Value known = values.lookup(operand);
    return known && isWideInteger(operand.getType()) &&
           getElementTypeOrSelf(known.getType()).isF16();
  };
  return llvm::any_of(op->getOperands(), isData) ? checkWhole(op) : success();
}

LogicalResult FunctionImporter::importOp(Operation *op) {
  if (isParameter(op))
    return success();
  if (failed(checkIntegers(op)))
    return failure();
  auto handler = handlers.find(op->getName());
  if (handler != handlers.end())
    return handler->second(*this, op);
  for (auto &[matches, interfaceHandler] : interfaceHandlers)
    if (matches(op))
      return interfaceHandler(*this, op);
  return report(op);
}

LogicalResult FunctionImporter::importScalar(Operation *op, int64_t rank) {
  llvm::SaveAndRestore<int64_t> restore(scalarRank, rank);
  if (op->hasTrait<OpTrait::ConstantLike>())
    return success();
  if (failed(checkIntegers(op)))
    return failure();
  auto handler = handlers.find(op->getName());
  return handler == handlers.end() ? report(op) : handler->second(*this, op);
}

LogicalResult FunctionImporter::importReturn(func::ReturnOp op) {
  for (OpOperand &result : op->getOpOperands()) {
    FailureOr<Value> value = operand(op, result.getOperandNumber());
    if (failed(value))
      return failure();
    Type border = resultBorderType(result.get().getType());
    if (!border)
      return op.emitOpError("operand #")
             << result.getOperandNumber() << " has the type "
             << result.get().getType()
             << ", but only tensors of f32, f16, bf16, i1 and integers of 8, "
                "16, 32 and 64 bits can leave the engine";
    if (isWideInteger(border) && getElementTypeOrSelf(*value).isF32())
      return op.emitOpError("operand #")
             << result.getOperandNumber()
             << " is of integers that are known at compile time; return them "
                "outside of the network";
    result.set(castTo(op.getLoc(), *value, getElementTypeOrSelf(border)));
  }
  return success();
}

LogicalResult FunctionImporter::report(Operation *op) {
  if (isa<CallOpInterface>(op))
    return op->emitError("'")
           << op->getName().getStringRef()
           << "' cannot be imported: a program is one function; inline the "
              "callee first (ane-opt --inline)";
  if (isa<scf::ForOp, scf::ForallOp>(op)) // others are unrolled
    return op->emitError("'")
           << op->getName().getStringRef()
           << "' cannot be imported: its bounds are not constant, or it runs "
              "more than 65536 times, makes more than 1048576 ops or inserts "
              "by other means than slices; unroll it or run it on the host";
  if (op->hasAttr(endlessAttr))
    return op->emitError("'")
           << op->getName().getStringRef()
           << "' cannot be imported: it does not end, as an iteration leaves "
              "the condition true and all constants as they were";
  if (op->getNumRegions() && !isa_and_nonnull<DestinationStyleOpInterface>(op))
    return op->emitError("'")
           << op->getName().getStringRef()
           << "' cannot be imported: the engine has no control flow, and the "
              "condition is not known at compile time, or it runs more than "
              "65536 times or makes more than 1048576 ops; unroll it or run it "
              "on the host";
  return op->emitError("'")
         << op->getName().getStringRef()
         << "' cannot be imported: the ane dialect has no op for it; rewrite "
            "it "
            "with supported ops or run this part of the network on the host";
}
