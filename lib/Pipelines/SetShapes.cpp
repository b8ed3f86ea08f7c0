//===- SetShapes.cpp - Sizes that a network leaves open -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In MLIR an argument gets its type and a cast back to the old one. The cast
// then travels through the function: tensor and linalg have patterns that move
// it after their ops, and one of our own does so for the ops of TOSA, which
// can say their shape, and for elementwise ones. One worklist runs them all, so
// that networks of several dialects take no more than one walk.
//
//===----------------------------------------------------------------------===//

#include "ane/Pipelines/SetShapes.h"

#include "Arguments.h"

#include "ane/Conversion/TosaToANE/TosaToANE.h"
#include "ane/Dialect/MIL/Utils/FlexibleShapes.h"
#include "ane/Dialect/MIL/Utils/Statement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// One shape, as written and taken apart.
struct Request {
  StringRef text, name;
  SmallVector<int64_t> sizes;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

static InFlightDiagnostic emitShapeError(const CompiledFunction &function,
                                         StringRef text) {
  // At the place, not at the op: the diagnostic would print all of it.
  return emitError(function.getLoc()) << "shape '" << text << "' ";
}

static FailureOr<Request> parseRequest(const CompiledFunction &function,
                                       StringRef text) {
  auto [name, sizes] = text.split('=');
  if (name.empty() || sizes.empty())
    return emitShapeError(function, text)
           << "is no shape of an argument; write N=1x3x224x224, or default "
              "for those that a Core ML program has";
  Request request{text, name, {}};
  // Commas are what other tools have.
  for (StringRef part : llvm::split(sizes, sizes.contains(',') ? ',' : 'x')) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 1 || size > INT32_MAX)
      return emitShapeError(function, text)
             << "has the size '" << part << "', but sizes are in [1, "
             << INT32_MAX << "]";
    request.sizes.push_back(size);
  }
  return request;
}

/// The type of an argument with the sizes of `request`, which must be those
/// that it has or leaves open.
static FailureOr<RankedTensorType> fixType(const CompiledFunction &function,
                                           const Request &request,
                                           Type declared) {
  auto type = dyn_cast<RankedTensorType>(declared);
  bool agrees = type && type.getRank() == int64_t(request.sizes.size()) &&
                llvm::all_of(llvm::zip(type.getShape(), request.sizes),
                             [](std::tuple<int64_t, int64_t> sizes) {
                               auto [has, gets] = sizes;
                               return ShapedType::isDynamic(has) || has == gets;
                             });
  if (!agrees)
    return emitShapeError(function, request.text)
           << "is not one of " << declared
           << "; only its dynamic dimensions can be set";
  return type.clone(request.sizes);
}

static FailureOr<SmallVector<Request>>
parseRequests(const CompiledFunction &function, ArrayRef<std::string> texts) {
  SmallVector<Request> requests;
  for (StringRef text : texts) {
    FailureOr<Request> request = parseRequest(function, text);
    if (failed(request))
      return failure();
    requests.push_back(*request);
  }
  return requests;
}

/// The argument that is meant; an error where there is none.
static FailureOr<unsigned> findArgument(const CompiledFunction &function,
                                        const Request &request) {
  if (auto index = function.findArgument(request.name))
    return *index;
  return emitShapeError(function, request.text)
         << "names no argument of '" << function.getName() << "', which has "
         << function.getBody().getNumArguments();
}

//===----------------------------------------------------------------------===//
// MIL
//===----------------------------------------------------------------------===//

/// Whether the program lists `sizes` as a shape of its input `name`.
static LogicalResult checkPossible(mil::FuncOp function, const Request &request,
                                   const mil::FlexibleShapes &shapes,
                                   StringRef name) {
  auto enumerated = shapes.enumerated.find(name.str());
  if (enumerated != shapes.enumerated.end() &&
      !llvm::is_contained(enumerated->second, request.sizes)) {
    InFlightDiagnostic diagnostic = emitShapeError(function, request.text);
    diagnostic << "is none that the program lists for '" << name << "': ";
    llvm::interleaveComma(
        enumerated->second, diagnostic,
        [&](const auto &shape) { llvm::interleave(shape, diagnostic, "x"); });
    return diagnostic;
  }
  auto ranges = shapes.ranges.find(name.str());
  if (ranges == shapes.ranges.end())
    return success();
  for (auto [dim, size, range] : llvm::enumerate(request.sizes, ranges->second))
    // Less than 0 is no bound.
    if (size < range.first || (range.second >= 0 && size > range.second))
      return emitShapeError(function, request.text)
             << "has " << size << " in dimension " << dim
             << ", but the program takes [" << range.first << ", "
             << range.second << "] for '" << name << "'";
  return success();
}

/// Adds the defaults of the inputs that have one and no request.
static LogicalResult addDefaults(mil::FuncOp function, StringRef text,
                                 const mil::FlexibleShapes &shapes,
                                 SmallVector<Request> &requests) {
  if (shapes.defaults.empty())
    return emitShapeError(function, text)
           << "is for programs with flexible shapes, but '"
           << function.getSymName() << "' has none";
  CompiledFunction compiled(function);
  for (const auto &[name, sizes] : shapes.defaults)
    if (llvm::none_of(requests, [&, &name = name](const Request &request) {
          return compiled.findArgument(request.name) ==
                 compiled.findArgument(name);
        }))
      requests.push_back({text, name, sizes});
  return success();
}

// The types of the statements stay open: the import completes them.
static LogicalResult setShapesOf(mil::FuncOp function,
                                 ArrayRef<std::string> texts) {
  FailureOr<mil::FlexibleShapes> shapes = mil::readFlexibleShapes(function);
  if (failed(shapes))
    return failure();
  std::vector<std::string> explicitTexts(texts);
  llvm::erase(explicitTexts, "default");
  FailureOr<SmallVector<Request>> requests =
      parseRequests(function, explicitTexts);
  if (failed(requests) ||
      (explicitTexts.size() != texts.size() &&
       failed(addDefaults(function, "default", *shapes, *requests))))
    return failure();
  Block &body = function.getBody().front();
  for (const Request &request : *requests) {
    FailureOr<unsigned> index = findArgument(function, request);
    if (failed(index))
      return failure();
    BlockArgument argument = body.getArgument(*index);
    auto type = fixType(function, request, argument.getType());
    auto name = cast<StringAttr>(function.getArgNames()[*index]);
    if (failed(type) || failed(checkPossible(function, request, *shapes, name)))
      return failure();
    argument.setType(*type);
  }
  NamedAttrList attributes(function.getFuncAttributes());
  attributes.erase(mil::kFlexibleShapes);
  function.setFuncAttributesAttr(
      attributes.getDictionary(function.getContext()));
  return success();
}

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

/// What a cast to a type with open sizes is made of; else the value itself.
static Value lookThroughCast(Value value) {
  auto cast = value.getDefiningOp<tensor::CastOp>();
  return cast && tensor::canFoldIntoConsumerOp(cast) ? cast.getSource() : value;
}

/// Completes the sizes of the result of an op by those that `operands` give.
static void inferSizes(Operation *op, ValueRange operands,
                       SmallVectorImpl<int64_t> &sizes) {
  auto meet = [&](ArrayRef<int64_t> others) {
    if (others.size() != sizes.size())
      return;
    for (auto [size, other] : llvm::zip_equal(sizes, others))
      if (ShapedType::isDynamic(size))
        size = other;
  };
  if (auto shaped = dyn_cast<InferShapedTypeOpInterface>(op)) {
    SmallVector<ShapedTypeComponents> components;
    if (succeeded(shaped.inferReturnTypeComponents(
            op->getContext(), op->getLoc(), operands,
            op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), components)) &&
        components.size() == 1 && components.front().hasRank())
      meet(components.front().getDims());
    return;
  }
  // Elementwise ops have the shape of each operand; TOSA's, which broadcast,
  // are above.
  for (Value operand : operands)
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
      meet(type.getShape());
}

namespace {

/// op(cast(x)) -> cast(op(x)), for ops that say what shape they have.
struct MoveCastBehind : RewritePattern {
  explicit MoveCastBehind(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto type = op->getNumResults() == 1
                    ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                    : RankedTensorType();
    if (!type || op->getNumRegions() ||
        !(op->hasTrait<OpTrait::Elementwise>() ||
          isa<InferShapedTypeOpInterface>(op)))
      return failure();
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), lookThroughCast);
    SmallVector<int64_t> sizes(type.getShape());
    inferSizes(op, operands, sizes);
    if (type.getShape() == ArrayRef(sizes)) {
      if (llvm::equal(operands, op->getOperands()))
        return failure();
      rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
      return success();
    }
    Operation *copy = rewriter.clone(*op);
    rewriter.modifyOpInPlace(copy, [&] {
      copy->setOperands(operands);
      copy->getResult(0).setType(type.clone(sizes));
    });
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type, copy->getResult(0));
    return success();
  }
};

} // namespace

/// What folds casts into ops, and sizes that the function computes.
static void addPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<MoveCastBehind>(context);
  addKnownShapePatterns(patterns);
  StringRef dialects[] = {"affine", "arith", "linalg", "shape", "tensor"};
  for (StringRef name : dialects)
    if (Dialect *dialect = context->getLoadedDialect(name))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (llvm::is_contained(dialects, op.getDialectNamespace()))
      op.getCanonicalizationPatterns(patterns, context);
}

/// Results have the type of what is cast to theirs.
static void refineResults(func::FuncOp function) {
  for (Block &block : function.getBody())
    if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator())) {
      SmallVector<Value> old(end.getOperands());
      end->setOperands(llvm::map_to_vector(old, lookThroughCast));
      for (Value value : llvm::SetVector<Value>(old.begin(), old.end()))
        if (auto cast = value.getDefiningOp<tensor::CastOp>())
          if (cast->use_empty())
            cast.erase();
      function.setFunctionType(FunctionType::get(function.getContext(),
                                                 function.getArgumentTypes(),
                                                 end.getOperandTypes()));
    }
}

static LogicalResult setShapesOf(func::FuncOp function,
                                 ArrayRef<std::string> texts) {
  FailureOr<SmallVector<Request>> requests = parseRequests(function, texts);
  if (failed(requests))
    return failure();
  MLIRContext *context = function.getContext();
  context->loadDialect<arith::ArithDialect, tensor::TensorDialect>();
  OpBuilder builder(context);
  builder.setInsertionPointToStart(&function.getBody().front());
  for (const Request &request : *requests) {
    FailureOr<unsigned> index = findArgument(function, request);
    if (failed(index))
      return failure();
    BlockArgument argument = function.getArgument(*index);
    Type old = argument.getType();
    auto type = fixType(function, request, old);
    if (failed(type))
      return failure();
    if (*type == old)
      continue;
    argument.setType(*type);
    auto cast =
        tensor::CastOp::create(builder, argument.getLoc(), old, argument);
    argument.replaceAllUsesExcept(cast, cast);
  }
  function.setFunctionType(builder.getFunctionType(
      function.getBody().getArgumentTypes(), function.getResultTypes()));
  RewritePatternSet patterns(context);
  addPatterns(patterns);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return emitError(function.getLoc(),
                     "the shapes of the arguments do not determine all shapes "
                     "of the function");
  refineResults(function);
  return success();
}

LogicalResult mlir::ane::setShapes(ModuleOp module, StringRef name,
                                   ArrayRef<std::string> shapes) {
  if (shapes.empty())
    return success();
  FailureOr<CompiledFunction> function = CompiledFunction::find(module, name);
  if (failed(function))
    return failure();
  function->eraseCallers();
  if (auto program = dyn_cast<mil::FuncOp>(function->op))
    return setShapesOf(program, shapes);
  return setShapesOf(cast<func::FuncOp>(function->op), shapes);
}

namespace {
/// The function above as a pass, for tests and for hand-made pipelines.
struct SetShapesPass : PassWrapper<SetShapesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SetShapesPass)

  SetShapesPass() = default;
  SetShapesPass(const SetShapesPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "ane-set-shapes"; }
  StringRef getDescription() const override {
    return "Set the dynamic dimensions of the arguments of a function";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, tensor::TensorDialect>();
  }
  void runOnOperation() override {
    std::vector<std::string> texts(shapes.begin(), shapes.end());
    if (failed(setShapes(getOperation(), function, texts)))
      signalPassFailure();
  }

  ListOption<std::string> shapes{
      *this, "shape",
      llvm::cl::desc("Shapes of arguments: N=1x3x224x224, where N is a number "
                     "from 0 or a name; or default, the default shapes of a "
                     "Core ML program")};
  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("The function with these arguments, if the module has "
                     "several")};
};
} // namespace

void mlir::ane::registerSetShapesPass() { PassRegistration<SetShapesPass>(); }
