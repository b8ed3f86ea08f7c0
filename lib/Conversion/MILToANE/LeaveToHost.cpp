//===- LeaveToHost.cpp - MIL statements that the engine cannot do ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the engine can do a statement is found out by importing it for the
// engine. Where that fails, and the host has a handler, the host does it, and
// the error is the reason. What computes integers or booleans of what is on the
// host already stays there without a try: a program between two parts of the
// host would only be slower.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"
#include "ane/HW/Float16.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;

void MILImporter::addHost(StringRef name,
                          std::function<Value(Statement &)> handler) {
  hostHandlers[name] = [handler = std::move(handler)](Statement &statement) {
    return SmallVector<Value>{handler(statement)};
  };
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static RankedTensorType hostTensor(Type type) {
  HostType host = HostType::of(type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!host.element || (tensor && !tensor.hasStaticShape()))
    return {};
  return RankedTensorType::get(tensor ? tensor.getShape() : ArrayRef<int64_t>(),
                               host.element);
}

/// The elements of `attr` as those of `type`, whose integers have no sign.
static ElementsAttr toElements(TypedAttr attr, RankedTensorType type) {
  Type element = type.getElementType();
  if (!attr || HostType::of(attr.getType()).element != element)
    return {};
  if (auto number = dyn_cast<FloatAttr>(attr))
    return DenseElementsAttr::get(type, Attribute(number));
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return DenseElementsAttr::get(type, number.getValue());
  auto elements = dyn_cast<ElementsAttr>(attr);
  if (!elements || elements.getShapedType().getShape() != type.getShape())
    return {};
  if (elements.getElementType() == element)
    return elements;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  return dense ? dense.bitcast(element) : ElementsAttr();
}

/// `numbers` as the bytes of `T`.
template <typename T, typename Fn>
static ElementsAttr denseOf(RankedTensorType type, ArrayRef<float> numbers,
                            Fn convert) {
  std::vector<T> elements;
  elements.reserve(numbers.size());
  for (float number : numbers)
    elements.push_back(convert(number));
  ArrayRef<char> bytes(reinterpret_cast<const char *>(elements.data()),
                       elements.size() * sizeof(T));
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

/// What the engine would compute of constants alone.
static ElementsAttr evaluateFor(Value imported, RankedTensorType type) {
  constexpr int64_t maxElements = int64_t(1) << 24;
  auto numbers = evaluateConstant(imported, maxElements);
  if (!numbers)
    return {};
  ArrayRef<float> data(numbers->data);
  Type element = type.getElementType();
  if (element.isF32())
    return DenseElementsAttr::get(type, data);
  if (element.isF16())
    return denseOf<uint16_t>(type, data, ::ane::hw::toHalfBits);
  if (element.isInteger(1))
    return DenseElementsAttr::get(
        type, llvm::map_to_vector(data, [](float n) { return n != 0; }));
  if (element.isInteger(8))
    return denseOf<uint8_t>(type, data, [](float n) { return int64_t(n); });
  if (element.isInteger(16))
    return denseOf<uint16_t>(type, data, [](float n) { return int64_t(n); });
  if (element.isInteger(32))
    return denseOf<uint32_t>(type, data, [](float n) { return int64_t(n); });
  return denseOf<int64_t>(type, data, [](float n) { return int64_t(n); });
}

// Whatever its type is, the engine hands it over in f16.
Value MILImporter::toHost(Value source) {
  if (Value value = hostValues.lookup(source))
    return value;
  RankedTensorType type = hostTensor(source.getType());
  Value imported = values.lookup(source);
  if (!type || (imported && shapeOf(imported) != type.getShape()))
    return {};
  HostBuilder host(builder, source.getLoc());
  ElementsAttr known = toElements(constant(source), type);
  if (!known && imported)
    known = evaluateFor(imported, type);
  if (known)
    return hostValues[source] = host.constant(known);
  if (!imported)
    return {};
  HostType half{builder.getF16Type()};
  if (!getElementTypeOrSelf(imported).isF16())
    imported = CastOp::create(builder, source.getLoc(),
                              withElementType(imported.getType(), half.element),
                              imported);
  return hostValues[source] =
             host.convert(imported, half, HostType::of(source.getType()));
}

Value MILImporter::fromHost(Value source) {
  Value value = hostValues.lookup(source);
  if (!value || !fromOutside.contains(source) ||
      isWideInteger(source.getType()))
    return {};
  return values[source] = HostBuilder(builder, source.getLoc())
                              .convert(value, HostType::of(source.getType()),
                                       HostType{builder.getF16Type()});
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool Statement::takesFloats() const { return importer.floatsOnHost; }

/// Whether `op` makes integers or booleans of what only the host has.
bool MILImporter::isHosts(mil::MILOpInterface op) {
  auto isInteger = [](Type type) {
    return getElementTypeOrSelf(type).isInteger();
  };
  return llvm::all_of(op->getResultTypes(), isInteger) &&
         llvm::any_of(
             op->getOperands(),
             [&](Value operand) { return fromOutside.contains(operand); }) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return fromOutside.contains(operand) || isKnown(operand);
         });
}

/// The one value of the argument 'x', or none.
static Value argumentX(mil::MILOpInterface op) {
  for (const mil::NamedArgument &argument : op.getMILArguments())
    if (argument.name == "x" && argument.values.size() == 1)
      return argument.values.front();
  return {};
}

/// Whether `source` is an input that the host has as it is, or elements of one
/// of f32 in another order.
bool MILImporter::isGivenToHost(Value source, unsigned depth) {
  constexpr unsigned maxMoves = 64;
  static const llvm::StringSet<> moves = {
      "expand_dims", "flatten2d",      "identity",      "reshape",
      "squeeze",     "slice_by_index", "slice_by_size", "transpose"};
  if (isa<BlockArgument>(source))
    return hostValues.contains(source);
  auto op = source.getDefiningOp<mil::MILOpInterface>();
  if (!op || depth > maxMoves || !moves.contains(op.getMILType()) ||
      !getElementTypeOrSelf(source).isF32())
    return false;
  Value x = argumentX(op);
  return x && isGivenToHost(x, depth + 1);
}

/// The moves that lead there, on the host as well.
LogicalResult MILImporter::moveToHost(Value source) {
  if (isa<BlockArgument>(source) || fromOutside.contains(source))
    return success();
  auto op = source.getDefiningOp<mil::MILOpInterface>();
  if (failed(moveToHost(argumentX(op))))
    return failure();
  return importForHost(op, "an integer is computed from its result, and fp16 "
                           "may not hold that integer");
}

LogicalResult MILImporter::importForHost(mil::MILOpInterface op,
                                         StringRef reason) {
  Statement statement(*this, op, /*onHost=*/true);
  SmallVector<Value> results = hostHandlers.lookup(op.getMILType())(statement);
  if (statement.failed() || failed(checkResults(statement, results)))
    return failure();
  for (auto [from, to] : llvm::zip_equal(op->getResults(), results)) {
    Type element = to ? getElementTypeOrSelf(to) : Type();
    if (!element || HostType::of(from.getType()).element != element) {
      statement.error() << "is declared with elements of "
                        << getElementTypeOrSelf(from)
                        << ", but its arguments give " << element;
      return failure();
    }
    hostValues[from] = to;
    fromOutside.insert(from);
  }
  if (hosted)
    hosted->push_back({op.getMILType().str(), op->getLoc(), reason.str()});
  return success();
}

/// An error with its notes once more, with words after it.
static InFlightDiagnostic repeat(Diagnostic &error, const Twine &behind) {
  InFlightDiagnostic again = emitError(error.getLocation())
                             << error.str() << behind;
  for (Diagnostic &note : error.getNotes())
    again.attachNote(note.getLocation()) << note.str();
  return again;
}

LogicalResult MILImporter::importForEither(mil::MILOpInterface op) {
  if (!hostHandlers.contains(op.getMILType()))
    return importForEngine(op);
  auto importWithFloats = [&](StringRef reason) {
    floatsOnHost = true;
    LogicalResult status = importForHost(op, reason);
    floatsOnHost = false;
    return status;
  };
  if (isAngle(op))
    return importWithFloats(
        "it is between an input and a sine, and fp16 does not hold the "
        "position of a large angle within a turn");
  std::vector<Diagnostic> errors, others;
  auto attempt = [&](std::vector<Diagnostic> &into, auto import) {
    ScopedDiagnosticHandler handler(
        builder.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          into.push_back(std::move(diagnostic));
          return success();
        });
    return import();
  };
  bool isOfBoxes = aroundBoxes.contains(op) &&
                   !llvm::all_of(op->getOperands(), [&](Value operand) {
                     return isKnown(operand);
                   });
  if (isOfBoxes && succeeded(attempt(others, [&] {
        return importWithFloats("it is of boxes that the host suppresses, "
                                "and fp16 does not hold their corners");
      })))
    return success();
  others.clear();
  if (isHosts(op))
    return importForHost(op,
                         "it computes with integers or booleans that are on "
                         "the host, and a program for that would cost "
                         "more than it saves");
  // Token ids may come as floats.
  bool isCast = op.getMILType() == "cast" && op->getNumResults() == 1;
  Value x = isCast ? argumentX(op) : Value();
  if (hosted && x && isWideInteger(op->getResult(0).getType()) &&
      isGivenToHost(x))
    return failure(failed(moveToHost(x)) ||
                   failed(importForHost(op, "it makes integers of an input, "
                                            "which fp16 may not hold")));
  if (succeeded(attempt(errors, [&] { return importForEngine(op); })))
    return success();
  std::string reason =
      errors.empty() ? "it cannot be imported" : errors.front().str();
  // Without a host it shows whether there is a way out.
  if (succeeded(attempt(others, [&] { return importForHost(op, reason); })) &&
      hosted)
    return success();
  for (Diagnostic &error : errors) {
    InFlightDiagnostic again =
        repeat(error, others.empty()
                          ? "; --host=FILE of ane-compile leaves it to the host"
                          : "");
    if (hosted && !others.empty())
      again.attachNote() << "on the host: " << others.front().str();
  }
  return failure();
}
