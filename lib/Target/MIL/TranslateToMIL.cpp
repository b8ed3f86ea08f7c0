//===- TranslateToMIL.cpp - MIL text from the mil dialect -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints programs as Apple's compiler does: 4, 12 and 8 spaces for functions,
// statements and the end of a function; arguments, attributes and parameters
// sorted by name; results in order; no newline at the end. The text is built in
// memory and the weight file under a passing name, and both appear at the end,
// so that an error leaves no file.
//
//===----------------------------------------------------------------------===//

#include "Spelling.h"
#include "WeightFile.h"

#include "ane/Dialect/MIL/Utils/Statement.h"
#include "ane/Target/MIL/Convert.h"
#include "ane/Target/MIL/MILTranslation.h"

using namespace mlir;
using namespace mlir::ane::mil;

namespace {
class Printer {
public:
  Printer(raw_ostream &os, StringRef version, WeightFile &weights)
      : os(os), version(version), weights(weights),
        spelling(os, version == "1.0") {}

  LogicalResult printProgram(ProgramOp program);

private:
  LogicalResult printFunction(FuncOp func);
  LogicalResult printConst(ConstOp op);
  LogicalResult printStatement(Operation *op, MILOpInterface statement);
  LogicalResult printArgument(Operation *op, const NamedArgument &argument);
  LogicalResult printAttributes(Operation *op, DictionaryAttr attributes,
                                ConstOp constant = {});
  LogicalResult printTyped(Operation *op, StringRef name, Attribute value,
                           Type type);
  LogicalResult printResults(Operation *op);

  raw_ostream &os;
  StringRef version;
  StringRef opset; // of the function
  WeightFile &weights;
  Spelling spelling;
  DenseMap<Value, std::string> names; // of the function
};
} // namespace

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

// See MILDialect::getWrittenAttrName.
static SmallVector<double> getWritten(Operation *op, StringRef attribute) {
  auto all =
      op->getAttrOfType<DictionaryAttr>(MILDialect::getWrittenAttrName());
  auto numbers = all ? all.getAs<DenseFPElementsAttr>(attribute) : nullptr;
  return numbers ? llvm::to_vector(numbers.getValues<double>())
                 : SmallVector<double>();
}

// A literal, or a reference to where the value goes in the weight file.
LogicalResult Printer::printTyped(Operation *op, StringRef name,
                                  Attribute value, Type type) {
  if (weights.wants(value, type, opset)) {
    FailureOr<uint64_t> offset = weights.add(op, value, type);
    if (failed(offset))
      return failure();
    value = BlobFileAttr::get(type, kWeightsPath, *offset);
  }
  if (succeeded(spelling.printValue(value, type, getWritten(op, name))))
    return success();
  if (auto overflow = spelling.getOverflow();
      overflow && getElementTypeOrSelf(type).isF16())
    return op->emitOpError("value ")
           << *overflow
           << " is outside of fp16, which ends at 65504; scale the weights";
  return op->emitOpError("value of type ") << type << " has no spelling in MIL";
}

static Type getMILType(Attribute value) {
  if (auto typed = dyn_cast<TypedAttr>(value))
    if (!isa<NoneType>(typed.getType()))
      return typed.getType();
  return StringType::get(value.getContext());
}

// [a = .., name = .., val = ..]; DictionaryAttr is sorted by name.
LogicalResult Printer::printAttributes(Operation *op, DictionaryAttr attributes,
                                       ConstOp constant) {
  SmallVector<NamedAttribute> sorted(attributes.begin(), attributes.end());
  if (constant) {
    sorted.push_back(
        {StringAttr::get(op->getContext(), "val"), constant.getValue()});
    llvm::sort(sorted);
  }
  if (sorted.empty())
    return success();
  os << '[';
  for (auto [i, attribute] : llvm::enumerate(sorted)) {
    if (i)
      os << ", ";
    os << attribute.getName().getValue() << " = ";
    bool isValue = constant && attribute.getName() == "val";
    if (failed(printTyped(op, attribute.getName(), attribute.getValue(),
                          isValue ? constant.getType()
                                  : getMILType(attribute.getValue()))))
      return failure();
  }
  os << ']';
  return success();
}

LogicalResult Printer::printResults(Operation *op) {
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (i)
      os << ", ";
    if (failed(spelling.printType(result.getType())))
      return op->emitOpError("type ")
             << result.getType() << " has no spelling in MIL";
    os << ' ' << names[result];
  }
  if (op->getNumResults())
    os << " = ";
  return success();
}

LogicalResult Printer::printConst(ConstOp op) {
  if (op.getIsInline()) // printed where it is used
    return success();
  os.indent(12);
  if (failed(printResults(op)))
    return failure();
  os << "const()";
  if (failed(printAttributes(op, op.getConstAttributes(), op)))
    return failure();
  os << ";\n";
  return success();
}

LogicalResult Printer::printArgument(Operation *op,
                                     const NamedArgument &argument) {
  os << argument.name << " = " << (argument.isTuple ? "(" : "");
  for (auto [i, value] : llvm::enumerate(argument.values)) {
    if (i)
      os << ", ";
    if (isInline(value)) {
      auto constant = value.getDefiningOp<ConstOp>();
      if (failed(printTyped(constant, "val", constant.getValue(),
                            constant.getType())))
        return failure();
    } else {
      os << names[value];
    }
  }
  os << (argument.isTuple ? ")" : "");
  return success();
}

LogicalResult Printer::printStatement(Operation *op, MILOpInterface statement) {
  os.indent(12);
  if (failed(printResults(op)))
    return failure();
  os << statement.getMILType() << '(';
  SmallVector<NamedArgument> arguments = statement.getMILArguments();
  llvm::sort(arguments, [](const NamedArgument &a, const NamedArgument &b) {
    return a.name < b.name;
  });
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (i)
      os << ", ";
    if (failed(printArgument(op, argument)))
      return failure();
  }
  os << ')';
  if (failed(printAttributes(op, statement.getMILAttributes())))
    return failure();
  os << ";\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult Printer::printFunction(FuncOp func) {
  FailureOr<DenseMap<Value, std::string>> found = nameValues(func);
  if (failed(found))
    return failure();
  names = std::move(*found);
  opset = func.getOpset();
  os.indent(4) << "func " << func.getSymName() << '<' << opset << ">(";
  SmallVector<BlockArgument> parameters(func.getBody().getArguments());
  llvm::sort(parameters, [&](Value a, Value b) { return names[a] < names[b]; });
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    if (i)
      os << ", ";
    if (failed(spelling.printType(parameter.getType())))
      return func.emitOpError("type ")
             << parameter.getType() << " has no spelling in MIL";
    os << ' ' << names[parameter];
  }
  os << ") ";
  if (!func.getFuncAttributes().empty()) {
    if (failed(printAttributes(func, func.getFuncAttributes())))
      return failure();
    os << ' ';
  }
  os << "{\n";
  for (Operation &op : *func.getBody().begin()) {
    LogicalResult result = success();
    if (auto constant = dyn_cast<ConstOp>(op))
      result = printConst(constant);
    else if (auto statement = dyn_cast<MILOpInterface>(op))
      result = printStatement(&op, statement);
    else if (!isa<ReturnOp>(op))
      result =
          op.emitOpError("is no MIL statement; run convert-ane-to-mil first");
    if (failed(result))
      return failure();
  }
  os.indent(8) << "} -> (";
  llvm::interleaveComma(func.getBody().front().getTerminator()->getOperands(),
                        os, [&](Value value) { os << names[value]; });
  os << ");\n";
  return success();
}

LogicalResult Printer::printProgram(ProgramOp program) {
  os << "program(" << version << ")\n";
  if (!program.getProgramAttributes().empty()) {
    if (failed(printAttributes(program, program.getProgramAttributes())))
      return failure();
    os << '\n';
  }
  os << "{\n";
  for (auto func : program.getBody().getOps<FuncOp>())
    if (failed(printFunction(func)))
      return failure();
  os << '}';
  return success();
}

LogicalResult mlir::ane::mil::translateToMIL(ModuleOp module, raw_ostream &os,
                                             const MILOptions &options) {
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  if (programs.size() != 1)
    return module.emitError("module has ")
           << programs.size() << " mil.program, but MIL text is exactly one";
  ProgramOp program = programs.front();
  StringRef version =
      options.version.empty() ? program.getVersion() : options.version;
  if (version == "1.0" && program.getVersion() != "1.0" &&
      failed(checkOldSpelling(program)))
    return failure();
  OwningOpRef<ProgramOp> converted; // the caller's program stays what it was
  if (!options.opset.empty()) {
    converted = program.clone();
    program = *converted;
    if (failed(convertOpset(program, options.opset)))
      return failure();
  }
  OutputFiles own;
  WeightFile weights(options.weightsDir,
                     options.outputs ? *options.outputs : own);
  std::string text;
  llvm::raw_string_ostream stream(text);
  weights.findReferences(program);
  if (failed(Printer(stream, version, weights).printProgram(program)) ||
      failed(weights.finish(program.getLoc())))
    return failure();
  if (llvm::Error error = own.commit())
    return program.emitError() << llvm::toString(std::move(error));
  os << text;
  return success();
}
