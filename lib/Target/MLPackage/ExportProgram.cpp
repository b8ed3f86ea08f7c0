//===- ExportProgram.cpp - The message of a program -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"
#include "ProgramMessages.h"
#include "ProtoValues.h"

#include "ane/Dialect/MIL/Utils/Statement.h"
#include "ane/Target/MIL/Convert.h"

using namespace mlir;
using namespace mlir::ane::mil;

namespace {
/// One function.
class FunctionExporter {
public:
  FunctionExporter(FuncOp func, StringRef opset, WeightFile &weights)
      : func(func), opset(opset), values(weights, opset) {}

  LogicalResult exportFunction(pb::Function &function);
  /// Names of what the function returns, in order.
  SmallVector<StringRef> getResultNames();

private:
  LogicalResult exportOperation(Operation *op, pb::Operation &result);
  LogicalResult exportArgument(Operation *op, const NamedArgument &argument,
                               pb::Argument &result);
  LogicalResult
  exportAttributes(Operation *op, DictionaryAttr attributes,
                   google::protobuf::Map<std::string, pb::Value> &result);

  FuncOp func;
  StringRef opset;
  ValueExporter values;
  DenseMap<Value, std::string> names;
};
} // namespace

SmallVector<StringRef> FunctionExporter::getResultNames() {
  SmallVector<StringRef> result;
  for (Value value : func.getBody().front().getTerminator()->getOperands())
    result.push_back(names.find(value)->second);
  return result;
}

LogicalResult FunctionExporter::exportAttributes(
    Operation *op, DictionaryAttr attributes,
    google::protobuf::Map<std::string, pb::Value> &result) {
  for (NamedAttribute attribute : attributes)
    if (failed(values.exportValue(op, attribute.getValue(),
                                  getMILType(attribute.getValue()),
                                  result[attribute.getName().str()])))
      return failure();
  return success();
}

LogicalResult FunctionExporter::exportArgument(Operation *op,
                                               const NamedArgument &argument,
                                               pb::Argument &result) {
  for (Value value : argument.values) {
    pb::Argument::Binding *binding = result.add_arguments();
    if (!isInline(value)) {
      binding->set_name(names[value]);
      continue;
    }
    auto constant = value.getDefiningOp<ConstOp>();
    if (failed(values.exportValue(op, constant.getValue(), constant.getType(),
                                  *binding->mutable_value(),
                                  /*isInPlace=*/true)))
      return failure();
  }
  return success();
}

LogicalResult FunctionExporter::exportOperation(Operation *op,
                                                pb::Operation &result) {
  for (Value value : op->getResults()) {
    pb::NamedValueType *output = result.add_outputs();
    output->set_name(names[value]);
    if (failed(exportType(value.getType(), *output->mutable_type())))
      return op->emitOpError("type ")
             << value.getType() << " does not exist in packages";
  }
  if (auto constant = dyn_cast<ConstOp>(op)) {
    result.set_type("const");
    if (failed(exportAttributes(op, constant.getConstAttributes(),
                                *result.mutable_attributes())))
      return failure();
    return values.exportValue(op, constant.getValue(), constant.getType(),
                              (*result.mutable_attributes())["val"]);
  }
  auto statement = cast<MILOpInterface>(op);
  result.set_type(statement.getMILType().str());
  SmallVector<NamedArgument> arguments = statement.getMILArguments();
  llvm::sort(arguments, [](const NamedArgument &a, const NamedArgument &b) {
    return a.name < b.name;
  });
  for (const NamedArgument &argument : arguments)
    if (failed(exportArgument(op, argument,
                              (*result.mutable_inputs())[argument.name.str()])))
      return failure();
  return exportAttributes(op, statement.getMILAttributes(),
                          *result.mutable_attributes());
}

LogicalResult FunctionExporter::exportFunction(pb::Function &function) {
  StringRef opsetName = getOpsetName(opset);
  if (opsetName.empty())
    return func.emitOpError("opset '")
           << opset
           << "' does not exist in packages; ios15, 16, 17, 18 and 26 do";
  FailureOr<DenseMap<Value, std::string>> found = nameValues(func);
  if (failed(found))
    return failure();
  names = std::move(*found);
  function.set_opset(opsetName.str());
  for (BlockArgument argument : func.getBody().getArguments()) {
    pb::NamedValueType *input = function.add_inputs();
    input->set_name(names[argument]);
    if (failed(exportType(argument.getType(), *input->mutable_type())))
      return func.emitOpError("type ")
             << argument.getType() << " does not exist in packages";
  }
  if (failed(exportAttributes(func, func.getFuncAttributes(),
                              *function.mutable_attributes())))
    return failure();
  pb::Block &block =
      (*function.mutable_block_specializations())[opsetName.str()];
  for (Operation &op : func.getBody().front()) {
    if (isa<ReturnOp>(op) ||
        (op.getNumResults() == 1 && isInline(op.getResult(0))))
      continue;
    if (!isa<ConstOp, MILOpInterface>(op))
      return op.emitOpError(
          "is no MIL statement; run convert-ane-to-mil first");
    if (failed(exportOperation(&op, *block.add_operations())))
      return failure();
  }
  for (StringRef name : getResultNames())
    block.add_outputs(name.str());
  return success();
}

static bool isPassedOn(FuncOp func, unsigned index) {
  ValueRange outputs = func.getBody().front().getTerminator()->getOperands();
  return isa<BlockArgument>(outputs[index]) ||
         llvm::is_contained(outputs.take_front(index), outputs[index]);
}

static bool passesOn(ProgramOp program) {
  return llvm::any_of(program.getBody().getOps<FuncOp>(), [](FuncOp func) {
    Operation *end = func.getBody().front().getTerminator();
    return llvm::any_of(llvm::seq(end->getNumOperands()),
                        [&](unsigned i) { return isPassedOn(func, i); });
  });
}

// A feature of a model has a name, and a name is one feature: an input that is
// returned, or what is returned twice, gets a statement of its own.
static void copyPassedOn(FuncOp func) {
  Operation *end = func.getBody().front().getTerminator();
  OpBuilder builder(end);
  NameTable names(func);
  SmallVector<Value> outputs(end->getOperands());
  for (auto [i, value] : llvm::enumerate(outputs)) {
    if (!isPassedOn(func, i))
      continue;
    StringRef name = getValueName(value);
    StatementBuilder b(builder, names, end->getLoc(),
                       name.empty() ? "identity" : name);
    value = b.emit("identity", {{"x", value}}, value.getType(), "out");
  }
  end->setOperands(outputs);
}

LogicalResult mlir::ane::mil::exportModel(ProgramOp program,
                                          const PackageOptions &options,
                                          WeightFile &weights,
                                          pb::Model &model) {
  OwningOpRef<ProgramOp> converted; // the caller's program stays what it was
  if (!options.opset.empty() || passesOn(program)) {
    converted = program.clone();
    program = *converted;
    if (!options.opset.empty() && failed(convertOpset(program, options.opset)))
      return failure();
    for (FuncOp func : program.getBody().getOps<FuncOp>())
      copyPassedOn(func);
  }
  auto funcs = llvm::to_vector(program.getBody().getOps<FuncOp>());
  if (funcs.empty())
    return program.emitOpError("has no function, but a package needs one");
  pb::ModelDescription &description = *model.mutable_description();
  pb::Program &message = *model.mutable_ml_program();
  message.set_version(1);
  StringRef version =
      options.version.empty() ? program.getVersion() : options.version;
  int format = version == "1.0" && funcs.size() == 1 ? 0 : kFormatOfIOS18;
  for (FuncOp func : funcs) {
    StringRef opset = func.getOpset();
    FunctionExporter exporter(func, opset, weights);
    if (failed(exporter.exportFunction(
            (*message.mutable_functions())[func.getSymName().str()])))
      return failure();
    format = std::max(format, getFormatVersion(opset));
    if (usesHalf(func))
      format = std::max(format, kFormatOfIOS16);
    Features features{description.mutable_input(), description.mutable_output(),
                      description.mutable_state()};
    if (funcs.size() > 1) {
      pb::FunctionDescription *own = description.add_functions();
      own->set_name(func.getSymName().str());
      features = {own->mutable_input(), own->mutable_output(),
                  own->mutable_state()};
    }
    if (failed(describeFunction(func, exporter.getResultNames(), features)))
      return failure();
    bool hasStates = features.states->size() != 0;
    format = std::max(format, hasStates ? kFormatOfIOS18 : 0);
  }
  if (funcs.size() > 1) {
    StringRef chosen = program.getDefaultFunction().value_or("main");
    bool isThere = llvm::any_of(
        funcs, [&](FuncOp func) { return func.getSymName() == chosen; });
    description.set_default_function_name(
        (isThere ? chosen : funcs.front().getSymName()).str());
  }
  model.set_specification_version(format);
  ValueExporter values(weights, {});
  for (NamedAttribute attribute : program.getProgramAttributes())
    if (failed(values.exportValue(
            program, attribute.getValue(), getMILType(attribute.getValue()),
            (*message.mutable_attributes())[attribute.getName().str()],
            /*isInPlace=*/true)))
      return failure();
  return success();
}
