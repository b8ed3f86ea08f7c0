//===- StableHLOSyntax.cpp - The text of stablehlo ops --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an assembly format cannot say. The ops accept what other compilers
// write, of which some forms are older than others, and print one.
//
//===----------------------------------------------------------------------===//

#include "StableHLOSyntax.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::ane::stablehlo;

using Numbers = SmallVector<int64_t>;

static ParseResult parseList(AsmParser &parser, Numbers &numbers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(numbers.emplace_back());
  });
}

static void printList(AsmPrinter &printer, ArrayRef<int64_t> numbers) {
  printer << "[";
  llvm::interleaveComma(numbers, printer);
  printer << "]";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The types of operands and of one result from that of a function.
static ParseResult distribute(OpAsmParser &parser, SMLoc loc,
                              FunctionType function, ArrayRef<Type *> types) {
  if (function.getNumInputs() + 1 != types.size() ||
      function.getNumResults() != 1)
    return parser.emitError(loc, "the type ")
           << function << " is for " << function.getNumInputs()
           << " operands and " << function.getNumResults()
           << " results, expected " << types.size() - 1 << " and 1";
  for (auto [type, given] :
       llvm::zip_equal(types.drop_back(), function.getInputs()))
    *type = given;
  *types.back() = function.getResult(0);
  return success();
}

ParseResult mlir::ane::stablehlo::parseTypes(OpAsmParser &parser,
                                             ArrayRef<Type *> types) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return distribute(parser, loc, function, types);
  for (Type *each : types)
    *each = type;
  return success();
}

void mlir::ane::stablehlo::printTypes(OpAsmPrinter &printer,
                                      ArrayRef<Type> types) {
  if (llvm::all_equal(types))
    printer << types.front();
  else
    printer.printFunctionalType(types.drop_back(), types.take_back());
}

ParseResult mlir::ane::stablehlo::parseSelectTypes(OpAsmParser &parser,
                                                   Type &pred, Type &onTrue,
                                                   Type &onFalse,
                                                   Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(pred))
    return failure();
  if (auto function = dyn_cast<FunctionType>(pred))
    return distribute(parser, loc, function,
                      {&pred, &onTrue, &onFalse, &result});
  if (parser.parseComma() || parser.parseType(result))
    return failure();
  onTrue = onFalse = result;
  return success();
}

void mlir::ane::stablehlo::printSelectTypes(OpAsmPrinter &printer, Operation *,
                                            Type pred, Type onTrue,
                                            Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printer.printFunctionalType(ArrayRef<Type>{pred, onTrue, onFalse},
                                ArrayRef<Type>{result});
}

//===----------------------------------------------------------------------===//
// Lists of numbers
//===----------------------------------------------------------------------===//

ParseResult mlir::ane::stablehlo::parseNumbers(OpAsmParser &parser,
                                               Attribute &numbers) {
  Numbers values;
  if (parseList(parser, values))
    return failure();
  numbers = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

void mlir::ane::stablehlo::printNumbers(OpAsmPrinter &printer, Operation *,
                                        Attribute numbers) {
  printList(printer, numbersOf(numbers));
}

ParseResult mlir::ane::stablehlo::parseRanges(OpAsmParser &parser,
                                              Attribute &starts,
                                              Attribute &limits,
                                              Attribute &strides) {
  Numbers start, limit, stride;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(start.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limit.emplace_back()))
      return failure();
    stride.push_back(1);
    return succeeded(parser.parseOptionalColon())
               ? parser.parseInteger(stride.back())
               : ParseResult::success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  Builder &builder = parser.getBuilder();
  starts = builder.getDenseI64ArrayAttr(start);
  limits = builder.getDenseI64ArrayAttr(limit);
  strides = builder.getDenseI64ArrayAttr(stride);
  return success();
}

void mlir::ane::stablehlo::printRanges(OpAsmPrinter &printer, Operation *,
                                       Attribute starts, Attribute limits,
                                       Attribute strides) {
  printer << "[";
  llvm::interleaveComma(
      llvm::zip(numbersOf(starts), numbersOf(limits), numbersOf(strides)),
      printer, [&](auto range) {
        auto [start, limit, stride] = range;
        printer << start << ":" << limit;
        if (stride != 1)
          printer << ":" << stride;
      });
  printer << "]";
}

/// Operands, each with a comma after it, and `keyword =`.
static ParseResult
parseOperandsUntil(OpAsmParser &parser, StringRef keyword,
                   SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  do {
    if (succeeded(parser.parseOptionalKeyword(keyword)))
      return parser.parseEqual();
    if (parser.parseOperand(operands.emplace_back()))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return parser.emitError(parser.getCurrentLocation(), "expected ', ")
         << keyword << " = '";
}

ParseResult mlir::ane::stablehlo::parseInputs(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inputs,
    IntegerAttr &dimension) {
  int64_t dim;
  if (parseOperandsUntil(parser, "dim", inputs) || parser.parseInteger(dim))
    return failure();
  dimension = parser.getBuilder().getI64IntegerAttr(dim);
  return success();
}

void mlir::ane::stablehlo::printInputs(OpAsmPrinter &printer, Operation *,
                                       OperandRange inputs,
                                       IntegerAttr dimension) {
  printer << inputs << ", dim = " << dimension.getInt();
}

ParseResult mlir::ane::stablehlo::parseStarts(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &starts, Attribute &sizes) {
  return failure(parseOperandsUntil(parser, "sizes", starts) ||
                 parseNumbers(parser, sizes));
}

void mlir::ane::stablehlo::printStarts(OpAsmPrinter &printer, Operation *op,
                                       OperandRange starts, Attribute sizes) {
  for (Value start : starts)
    printer << start << ", ";
  printer << "sizes = ";
  printNumbers(printer, op, sizes);
}

Attribute GatherDimensionsAttr::parse(AsmParser &parser, Type) {
  constexpr StringLiteral names[] = {
      "offset_dims", "collapsed_slice_dims", "operand_batching_dims",
      "start_indices_batching_dims", "start_index_map"};
  Numbers lists[5];
  int64_t vector = 0;
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (name == "index_vector_dim")
      return parser.parseInteger(vector);
    const auto *it = llvm::find(names, name);
    if (it == std::end(names))
      return parser.emitError(loc, "'")
             << name << "' is nothing that a gather has";
    return parseList(parser, lists[it - std::begin(names)]);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  return get(parser.getContext(), lists[0], lists[1], lists[2], lists[3],
             lists[4], vector);
}

void GatherDimensionsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  auto printField = [&](StringRef name, ArrayRef<int64_t> numbers) {
    if (numbers.empty())
      return;
    printer << name << " = ";
    printList(printer, numbers);
    printer << ", ";
  };
  printField("offset_dims", getOffsetDims());
  printField("collapsed_slice_dims", getCollapsedSliceDims());
  printField("operand_batching_dims", getOperandBatchingDims());
  printField("start_indices_batching_dims", getStartIndicesBatchingDims());
  printField("start_index_map", getStartIndexMap());
  printer << "index_vector_dim = " << getIndexVectorDim() << ">";
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static ParseResult parsePair(AsmParser &parser, Numbers &lhs, Numbers &rhs) {
  return failure(parser.parseEqual() || parseList(parser, lhs) ||
                 parser.parseKeyword("x") || parseList(parser, rhs));
}

ParseResult
mlir::ane::stablehlo::parseDotDimensions(OpAsmParser &parser,
                                         DotDimensionsAttr &dimensions) {
  Numbers lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parsePair(parser, lhsBatching, rhsBatching) || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") ||
      parsePair(parser, lhsContracting, rhsContracting))
    return failure();
  dimensions =
      DotDimensionsAttr::get(parser.getContext(), lhsBatching, rhsBatching,
                             lhsContracting, rhsContracting);
  return success();
}

void mlir::ane::stablehlo::printDotDimensions(OpAsmPrinter &printer,
                                              Operation *,
                                              DotDimensionsAttr dimensions) {
  auto printPair = [&](StringRef name, ArrayRef<int64_t> lhs,
                       ArrayRef<int64_t> rhs) {
    printer << name << " = ";
    printList(printer, lhs);
    printer << " x ";
    printList(printer, rhs);
  };
  if (!dimensions.getLhsBatching().empty() ||
      !dimensions.getRhsBatching().empty()) {
    printPair("batching_dims", dimensions.getLhsBatching(),
              dimensions.getRhsBatching());
    printer << ", ";
  }
  printPair("contracting_dims", dimensions.getLhsContracting(),
            dimensions.getRhsContracting());
}

Attribute DotDimensionsAttr::parse(AsmParser &parser, Type) {
  Numbers lists[4];
  constexpr StringLiteral names[] = {
      "lhs_batching_dimensions", "rhs_batching_dimensions",
      "lhs_contracting_dimensions", "rhs_contracting_dimensions"};
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    const auto *it = llvm::find(names, name);
    if (it == std::end(names))
      return parser.emitError(loc, "'")
             << name << "' is no list of dimensions of a product";
    return parseList(parser, lists[it - std::begin(names)]);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalLessGreater,
                                     parseField))
    return {};
  return get(parser.getContext(), lists[0], lists[1], lists[2], lists[3]);
}

void DotDimensionsAttr::print(AsmPrinter &printer) const {
  StringRef comma;
  auto printField = [&](StringRef name, ArrayRef<int64_t> numbers) {
    if (numbers.empty())
      return;
    printer << comma << name << " = ";
    printList(printer, numbers);
    comma = ", ";
  };
  printer << "<";
  printField("lhs_batching_dimensions", getLhsBatching());
  printField("rhs_batching_dimensions", getRhsBatching());
  printField("lhs_contracting_dimensions", getLhsContracting());
  printField("rhs_contracting_dimensions", getRhsContracting());
  printer << ">";
}

ParseResult mlir::ane::stablehlo::parsePrecisions(OpAsmParser &parser,
                                                  ArrayAttr &precisions) {
  if (failed(parser.parseOptionalComma()))
    return success();
  SmallVector<Attribute> values;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<Precision> value = symbolizePrecision(name);
    if (!value)
      return parser.emitError(loc, "'")
             << name << "' is no precision; they are DEFAULT, HIGH and HIGHEST";
    values.push_back(PrecisionAttr::get(parser.getContext(), *value));
    return success();
  };
  if (parser.parseKeyword("precision") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  precisions = parser.getBuilder().getArrayAttr(values);
  return success();
}

void mlir::ane::stablehlo::printPrecisions(OpAsmPrinter &printer, Operation *,
                                           ArrayAttr precisions) {
  if (!precisions)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(precisions, printer, [&](Attribute attr) {
    printer << stringifyPrecision(cast<PrecisionAttr>(attr).getValue());
  });
  printer << "]";
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// What the dimensions of one tensor are.
struct Roles {
  int64_t first = -1, second = -1; ///< batch and feature, or input and output
  Numbers spatial;
};
} // namespace

/// A list of `first`, `second` and the numbers of spatial dimensions.
static ParseResult parseRoles(AsmParser &parser, StringRef first,
                              StringRef second, Roles &roles) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t position = 0;
  SmallVector<std::pair<int64_t, int64_t>> spatial;
  auto parseRole = [&]() -> ParseResult {
    int64_t number, here = position++;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      spatial.push_back({number, here});
      return *isNumber;
    }
    if (succeeded(parser.parseOptionalKeyword(first)))
      roles.first = here;
    else if (succeeded(parser.parseOptionalKeyword(second)))
      roles.second = here;
    else
      return parser.emitError(parser.getCurrentLocation(), "expected '")
             << first << "', '" << second << "' or a number";
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRole))
    return failure();
  llvm::sort(spatial);
  for (auto [i, each] : llvm::enumerate(spatial)) {
    if (each.first != int64_t(i))
      return parser.emitError(loc,
                              "spatial dimensions are not numbered from 0");
    roles.spatial.push_back(each.second);
  }
  if (roles.first < 0 || roles.second < 0 ||
      position != int64_t(roles.spatial.size()) + 2)
    return parser.emitError(loc, "expected each of '")
           << first << "' and '" << second << "' once";
  return success();
}

static void printRoles(AsmPrinter &printer, StringRef first, StringRef second,
                       int64_t firstAt, int64_t secondAt,
                       ArrayRef<int64_t> spatial) {
  printer << "[";
  llvm::interleaveComma(
      llvm::seq<int64_t>(0, spatial.size() + 2), printer, [&](int64_t at) {
        if (at == firstAt)
          printer << first;
        else if (at == secondAt)
          printer << second;
        else
          printer << llvm::find(spatial, at) - spatial.begin();
      });
  printer << "]";
}

ParseResult
mlir::ane::stablehlo::parseConvDimensions(AsmParser &parser,
                                          ConvDimensionsAttr &dimensions) {
  Roles image, kernel, result;
  if (parseRoles(parser, "b", "f", image) || parser.parseKeyword("x") ||
      parseRoles(parser, "i", "o", kernel) || parser.parseArrow() ||
      parseRoles(parser, "b", "f", result))
    return failure();
  dimensions = ConvDimensionsAttr::get(
      parser.getContext(), image.first, image.second, image.spatial,
      kernel.first, kernel.second, kernel.spatial, result.first, result.second,
      result.spatial);
  return success();
}

void mlir::ane::stablehlo::printConvDimensions(AsmPrinter &printer,
                                               ConvDimensionsAttr dims) {
  printRoles(printer, "b", "f", dims.getInputBatch(), dims.getInputFeature(),
             dims.getInputSpatial());
  printer << "x";
  printRoles(printer, "i", "o", dims.getKernelInput(), dims.getKernelOutput(),
             dims.getKernelSpatial());
  printer << "->";
  printRoles(printer, "b", "f", dims.getOutputBatch(), dims.getOutputFeature(),
             dims.getOutputSpatial());
}

Attribute ConvDimensionsAttr::parse(AsmParser &parser, Type) {
  ConvDimensionsAttr dimensions;
  if (parser.parseLess() || parseConvDimensions(parser, dimensions) ||
      parser.parseGreater())
    return {};
  return dimensions;
}

void ConvDimensionsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printConvDimensions(printer, *this);
  printer << ">";
}

/// [[0, 1], [2, 3]]
static ParseResult parsePadding(AsmParser &parser,
                                DenseIntElementsAttr &padding) {
  SMLoc loc = parser.getCurrentLocation();
  Numbers numbers;
  auto parseOne = [&]() -> ParseResult {
    size_t before = numbers.size();
    if (parseList(parser, numbers))
      return failure();
    if (numbers.size() != before + 2)
      return parser.emitError(loc, "padding has ")
             << numbers.size() - before
             << " numbers of a dimension, expected 2";
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  auto type =
      RankedTensorType::get({static_cast<int64_t>(numbers.size()) / 2, 2},
                            parser.getBuilder().getI64Type());
  padding = DenseIntElementsAttr::get(type, numbers);
  return success();
}

ParseResult mlir::ane::stablehlo::parseWindow(
    OpAsmParser &parser, Attribute &strides, DenseIntElementsAttr &padding,
    Attribute &lhsDilation, Attribute &rhsDilation, Attribute &reversal) {
  auto parseFlags = [&]() -> ParseResult {
    SmallVector<bool> flags;
    auto parseFlag = [&]() -> ParseResult {
      if (succeeded(parser.parseOptionalKeyword("true"))) {
        flags.push_back(true);
        return success();
      }
      if (succeeded(parser.parseOptionalKeyword("false"))) {
        flags.push_back(false);
        return success();
      }
      int64_t number;
      if (parser.parseInteger(number))
        return failure();
      flags.push_back(number != 0);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseFlag))
      return failure();
    reversal = parser.getBuilder().getDenseBoolArrayAttr(flags);
    return success();
  };
  auto parseField = [&](StringRef name) -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseEqual())
      return failure();
    if (name == "stride")
      return parseNumbers(parser, strides);
    if (name == "pad")
      return parsePadding(parser, padding);
    if (name == "lhs_dilate")
      return parseNumbers(parser, lhsDilation);
    if (name == "rhs_dilate")
      return parseNumbers(parser, rhsDilation);
    if (name == "reverse")
      return parseFlags();
    return parser.emitError(loc, "'")
           << name << "' is nothing that a window has";
  };
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    return success();
  while (true) {
    if (parseField(name))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
    if (parser.parseKeyword(&name))
      return failure();
  }
}

void mlir::ane::stablehlo::printWindow(OpAsmPrinter &printer, Operation *,
                                       Attribute strides,
                                       DenseIntElementsAttr padding,
                                       Attribute lhsDilation,
                                       Attribute rhsDilation,
                                       Attribute reversal) {
  StringRef comma;
  auto printField = [&](StringRef name, Attribute numbers) {
    if (!numbers)
      return;
    printer << comma << name << " = ";
    printList(printer, numbersOf(numbers));
    comma = ", ";
  };
  printField("stride", strides);
  if (padding) {
    printer << comma << "pad = [";
    Numbers numbers = numbersOf(padding);
    llvm::interleaveComma(
        llvm::seq<size_t>(0, numbers.size() / 2), printer, [&](size_t i) {
          printList(printer, ArrayRef(numbers).slice(2 * i, 2));
        });
    printer << "]";
    comma = ", ";
  }
  printField("lhs_dilate", lhsDilation);
  printField("rhs_dilate", rhsDilation);
  if (reversal) {
    printer << comma << "reverse = [";
    llvm::interleaveComma(numbersOf(reversal), printer, [&](int64_t flag) {
      printer << (flag ? "true" : "false");
    });
    printer << "]";
  }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// (%x init: %c), (%y init: %d)
static ParseResult
parseReduced(OpAsmParser &parser,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  do {
    // There is no comma in front of `across` and `applies`.
    if (parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  operands.append(inits);
  return success();
}

/// `applies` has the name of the op of the body, which is of scalars.
static ParseResult parseCombiner(OpAsmParser &parser, Region &body,
                                 StringRef name, FunctionType type) {
  if (type.getNumInputs() != 2 || !isa<ShapedType>(type.getInput(0)))
    return parser.emitError(parser.getNameLoc(),
                            "'applies' combines elements of one tensor");
  Type scalar =
      RankedTensorType::get({}, getElementTypeOrSelf(type.getInput(0)));
  Location loc = parser.getEncodedSourceLoc(parser.getNameLoc());
  Block &block = body.emplaceBlock();
  block.addArguments({scalar, scalar}, {loc, loc});
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&block);
  OperationState state(loc, name, block.getArguments(), scalar);
  Operation *op = builder.create(state);
  ReturnOp::create(builder, loc, op->getResults());
  return success();
}

/// reducer(%a: tensor<f32>, %b: tensor<i32>) (%c: ..., %d: ...) {...}
static ParseResult parseReducer(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> firsts, seconds;
  if (parser.parseKeyword("reducer") || parser.parseLParen())
    return failure();
  do {
    if (parser.parseArgument(firsts.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(seconds.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalLParen()));
  firsts.append(seconds);
  return parser.parseRegion(body, firsts);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  std::optional<OperationName> applied;
  if (parseReduced(parser, operands))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    FailureOr<OperationName> op = parser.parseCustomOperationName();
    if (failed(op))
      return failure();
    applied = *op;
  }
  Attribute dimensions;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || parseNumbers(parser, dimensions) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, state.operands))
    return failure();
  state.addAttribute(getDimensionsAttrName(state.name), dimensions);
  state.addTypes(type.getResults());
  Region *body = state.addRegion();
  return applied ? parseCombiner(parser, *body, applied->getStringRef(), type)
                 : parseReducer(parser, *body);
}

void ReduceOp::print(OpAsmPrinter &printer) {
  llvm::interleaveComma(llvm::zip(getInputs(), getInitValues()), printer,
                        [&](auto pair) {
                          printer << "(" << std::get<0>(pair)
                                  << " init: " << std::get<1>(pair) << ")";
                        });
  Operation *combiner =
      getInputs().size() == 1 ? combinerOf(getBody()) : nullptr;
  bool isShort = combiner && combiner->getAttrs().empty() &&
                 getElementTypeOrSelf(combiner->getResult(0)) ==
                     getElementTypeOrSelf(getInputs().front());
  if (isShort)
    printer << " applies " << combiner->getName();
  printer << " across dimensions = ";
  printNumbers(printer, *this, getDimensions());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getDimensionsAttrName().strref()});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (isShort)
    return;
  printer.printNewline();
  printer << " reducer";
  size_t count = getInputs().size();
  for (size_t i = 0; i != count; ++i) {
    printer << (i ? " (" : "(");
    printer.printRegionArgument(getBody().getArgument(i));
    printer << ", ";
    printer.printRegionArgument(getBody().getArgument(count + i));
    printer << ")";
  }
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// (%a = %x, %b = %y) : types attributes {...} cond {...} do {...}
ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(inits.emplace_back()));
  };
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parsePair) ||
      (!inits.empty() &&
       (parser.parseColon() || parser.parseTypeList(types))) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.resolveOperands(inits, types, loc, state.operands))
    return failure();
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  state.addTypes(types);
  Region *cond = state.addRegion(), *body = state.addRegion();
  return failure(
      parser.parseKeyword("cond") || parser.parseRegion(*cond, arguments) ||
      parser.parseKeyword("do") || parser.parseRegion(*body, arguments));
}

void WhileOp::print(OpAsmPrinter &printer) {
  // Both regions call their arguments by the names of the first one.
  printer << "(";
  llvm::interleaveComma(llvm::zip_equal(getCond().getArguments(), getInits()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " = "
                                  << std::get<1>(pair);
                        });
  printer << ")";
  if (!getInits().empty())
    printer << " : " << getInits().getTypes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << " cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.shadowRegionArgs(getBody(), getCond().getArguments());
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

ParseResult mlir::ane::stablehlo::parseTarget(OpAsmParser &parser,
                                              StringAttr &name) {
  return parser.parseSymbolName(name);
}

void mlir::ane::stablehlo::printTarget(OpAsmPrinter &printer, Operation *,
                                       StringAttr name) {
  printer.printSymbolName(name);
}
