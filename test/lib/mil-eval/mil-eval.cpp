//===- mil-eval.cpp - Evaluates a MIL program on the CPU ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second opinion of the tests: what a MIL program means, computed directly
// and naively in double precision. It shares the reader of the text with the
// compiler, and nothing else.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "ane/Target/MIL/MILTranslation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#include <random>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;
namespace cl = llvm::cl;

namespace {
struct Flags {
  cl::list<std::string> programs{cl::Positional, cl::OneOrMore,
                                 cl::desc("program.mil")};
  cl::opt<std::string> root{
      "mil-root", cl::value_desc("DIR"),
      cl::desc("Folder that stands for @model_path (default: the program's)")};
  cl::opt<std::string> function{
      "function", cl::value_desc("NAME"),
      cl::desc("Function to evaluate (default: main, or the only one)")};
  cl::list<std::string> inputs{
      "input", cl::value_desc("NAME=x.npy"),
      cl::desc("Array for an argument; for a state its first value")};
  cl::list<std::string> outputs{
      "output", cl::value_desc("NAME=y.npy"),
      cl::desc("File for a result; for a state its last value")};
  cl::opt<int64_t> seed{
      "seed", cl::init(-1), cl::value_desc("N"),
      cl::desc("Values between -1 and 1 for arguments that no --input gives")};
  cl::opt<bool> describe{
      "describe",
      cl::desc("Print the functions of each program as a line of JSON instead: "
               "arguments, results, blobs and who uses them")};
};
} // namespace

static llvm::raw_ostream &error() {
  return llvm::WithColor::error(llvm::errs(), "mil-eval");
}

//===----------------------------------------------------------------------===//
// --describe
//===----------------------------------------------------------------------===//

static std::string elementName(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.isSignlessInteger(1)
               ? "bool"
               : (integer.isUnsigned() ? "uint" : "int") +
                     std::to_string(integer.getWidth());
  if (isa<BFloat16Type>(element))
    return "bf16";
  if (isa<Float8E4M3FNType>(element))
    return "fp8e4m3fn";
  if (isa<Float8E5M2Type>(element))
    return "fp8e5m2";
  if (isa<FloatType>(element))
    return "fp" + std::to_string(element.getIntOrFloatBitWidth());
  return "other";
}

static void describeType(llvm::json::OStream &os, Type type) {
  if (auto state = dyn_cast<mil::StateType>(type)) {
    os.attribute("state", true);
    type = state.getWrapped();
  }
  os.attribute("type", elementName(type));
  os.attributeArray("shape", [&] {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t extent : tensor.getShape())
        // A size that is left open: -1.
        os.value(ShapedType::isDynamic(extent) ? -1 : extent);
  });
}

// "log.x" for each statement that takes the value.
static void describeUses(llvm::json::OStream &os, Value value) {
  os.attributeArray("uses", [&] {
    for (Operation *user : value.getUsers()) {
      auto statement = dyn_cast<mil::MILOpInterface>(user);
      if (!statement)
        continue;
      for (const mil::NamedArgument &argument : statement.getMILArguments())
        if (llvm::is_contained(argument.values, value))
          os.value((statement.getMILType() + "." + argument.name).str());
    }
  });
}

static void describeBlob(llvm::json::OStream &os, mil::BlobFileAttr blob,
                         llvm::function_ref<void()> uses) {
  os.object([&] {
    os.attribute("path", blob.getPath());
    os.attribute("offset", int64_t(blob.getOffset()));
    describeType(os, blob.getType());
    uses();
  });
}

static void describeFunction(llvm::json::OStream &os, mil::FuncOp func) {
  os.attribute("name", func.getSymName());
  os.attributeArray("inputs", [&] {
    for (auto [name, value] :
         llvm::zip(func.getArgNames().getAsRange<StringAttr>(),
                   func.getBody().getArguments()))
      os.object([&, name = name, value = value] {
        os.attribute("name", name.getValue());
        describeType(os, value.getType());
        describeUses(os, value);
      });
  });
  os.attributeArray("blobs", [&] {
    for (Operation &op : func.getBody().front()) {
      if (auto constant = dyn_cast<mil::ConstOp>(op)) {
        if (auto blob = dyn_cast<mil::BlobFileAttr>(constant.getValue()))
          describeBlob(os, blob,
                       [&] { describeUses(os, constant.getResult()); });
      } else if (auto statement = dyn_cast<mil::MILOpInterface>(op)) {
        for (NamedAttribute attribute : statement.getMILAttributes())
          if (auto blob = dyn_cast<mil::BlobFileAttr>(attribute.getValue()))
            describeBlob(os, blob, [&] {
              os.attributeArray("uses", [&] {
                os.value((statement.getMILType() + "." +
                          attribute.getName().getValue())
                             .str());
              });
            });
      }
    }
  });
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

// The names of what `return` gives back.
static std::string resultName(mil::FuncOp func, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return cast<StringAttr>(func.getArgNames()[argument.getArgNumber()]).str();
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<mil::ConstOp>(op))
    return constant.getResultName().value_or("").str();
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto statement = dyn_cast<mil::MILOpInterface>(op))
    return statement.getMILResultNames()[number].str();
  return "";
}

static FailureOr<llvm::StringMap<std::string>>
splitNames(ArrayRef<std::string> flags, StringRef what) {
  llvm::StringMap<std::string> result;
  for (StringRef flag : flags) {
    auto [name, path] = flag.split('=');
    if (path.empty()) {
      error() << "--" << what << " is '" << flag << "', expected NAME=file\n";
      return failure();
    }
    if (!result.try_emplace(name, path.str()).second) {
      error() << "--" << what << " gives '" << name << "' twice\n";
      return failure();
    }
  }
  return result;
}

static FailureOr<Tensor> makeInput(StringRef name, Type type,
                                   const std::string *path, uint64_t seed,
                                   const Flags &flags) {
  bool isState = isa<mil::StateType>(type);
  if (isState)
    type = cast<mil::StateType>(type).getWrapped();
  auto tensor = dyn_cast<RankedTensorType>(type);
  Shape shape;
  if (tensor)
    shape = Shape(tensor.getShape());
  if (path) {
    llvm::Expected<Tensor> read = readNpy(*path, type.getContext());
    if (!read) {
      error() << llvm::toString(read.takeError()) << '\n';
      return failure();
    }
    bool fits = shape.size() == read->shape.size();
    for (auto [want, got] : llvm::zip(shape, read->shape))
      fits &= want == got || ShapedType::isDynamic(want);
    if (!fits) {
      error() << *path << " is " << shapeText(read->shape) << ", but input '"
              << name << "' is " << type << '\n';
      return failure();
    }
    read->element = getElementTypeOrSelf(type);
    for (double &value : read->data)
      value = convertTo(read->element, value);
    return std::move(*read);
  }
  if (!isState && flags.seed < 0) {
    error() << "input '" << name
            << "' has no --input and there is no --seed for it\n";
    return failure();
  }
  if (llvm::any_of(shape, ShapedType::isDynamic) || countElements(shape) < 0) {
    error() << "input '" << name << "' is " << type
            << ", which needs a file to have a size\n";
    return failure();
  }
  Tensor result(getElementTypeOrSelf(type), shape);
  if (isState)
    return result; // all zeros
  std::mt19937_64 random(uint64_t(flags.seed) * 1000003 + seed);
  for (double &value : result.data)
    value = convertTo(result.element, double(random() >> 11) * 0x1p-52 - 1);
  return result;
}

static mil::FuncOp findFunction(mil::ProgramOp program, StringRef name) {
  auto functions = llvm::to_vector(program.getBody().getOps<mil::FuncOp>());
  for (mil::FuncOp func : functions)
    if (func.getSymName() == (name.empty() ? "main" : name))
      return func;
  if (name.empty() && functions.size() == 1)
    return functions.front();
  error() << "there is no function '" << (name.empty() ? "main" : name)
          << "' among the " << functions.size() << " of the program\n";
  return {};
}

// The order of `outputs` is that of the program; states come last.
static LogicalResult writeOutputs(mil::FuncOp func, ArrayRef<TensorRef> results,
                                  States &states,
                                  llvm::StringMap<std::string> outputs) {
  auto write = [&](StringRef name, const Tensor &tensor) {
    auto known = outputs.find(name);
    if (known == outputs.end())
      return success();
    std::string path = known->second;
    outputs.erase(known);
    if (llvm::Error failed = writeNpy(path, tensor)) {
      error() << llvm::toString(std::move(failed)) << '\n';
      return failure();
    }
    return success();
  };
  Operation *end = func.getBody().front().getTerminator();
  for (auto [value, result] : llvm::zip(end->getOperands(), results))
    if (failed(write(resultName(func, value), *result)))
      return failure();
  for (BlockArgument argument : func.getBody().getArguments())
    if (states.count(argument) &&
        failed(write(resultName(func, argument), *states[argument])))
      return failure();
  for (const auto &left : outputs) {
    error() << "there is no output '" << left.getKey() << "'\n";
    return failure();
  }
  return success();
}

static LogicalResult run(mil::ProgramOp program, const Flags &flags) {
  mil::FuncOp func = findFunction(program, flags.function);
  FailureOr<llvm::StringMap<std::string>> inputs =
      splitNames(flags.inputs, "input");
  FailureOr<llvm::StringMap<std::string>> outputs =
      splitNames(flags.outputs, "output");
  if (!func || failed(inputs) || failed(outputs))
    return failure();
  std::vector<TensorRef> values;
  for (BlockArgument argument : func.getBody().getArguments()) {
    std::string name = resultName(func, argument);
    auto given = inputs->find(name);
    FailureOr<Tensor> value =
        makeInput(name, argument.getType(),
                  given == inputs->end() ? nullptr : &given->second,
                  argument.getArgNumber(), flags);
    if (failed(value))
      return failure();
    inputs->erase(name);
    values.push_back(std::make_shared<Tensor>(std::move(*value)));
  }
  for (const auto &left : *inputs) {
    error() << "there is no input '" << left.getKey() << "'\n";
    return failure();
  }
  std::string root = flags.root;
  if (root.empty())
    root = llvm::sys::path::parent_path(flags.programs.front()).str();
  Weights weights(root);
  States states;
  FailureOr<std::vector<TensorRef>> results =
      evaluate(func, values, weights, states);
  if (failed(results))
    return failure();
  return writeOutputs(func, *results, states, std::move(*outputs));
}

static void describe(mil::ProgramOp program) {
  llvm::json::OStream os(llvm::outs());
  os.array([&] {
    for (auto func : program.getBody().getOps<mil::FuncOp>())
      os.object([&] {
        describeFunction(os, func);
        os.attributeArray("outputs", [&] {
          Operation *end = func.getBody().front().getTerminator();
          for (Value value : end->getOperands())
            os.object([&] {
              os.attribute("name", resultName(func, value));
              describeType(os, value.getType());
            });
        });
      });
  });
  llvm::outs() << '\n';
}

// One program; a line with `null` describes what cannot be read.
static LogicalResult processFile(StringRef path, const Flags &flags,
                                 MLIRContext &context) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (std::error_code code = file.getError()) {
    error() << path << ": " << code.message() << '\n';
    return failure();
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = mil::translateFromMIL(sources, &context);
  if (!module) {
    if (flags.describe)
      llvm::outs() << "null\n";
    return failure();
  }
  auto program = *module->getOps<mil::ProgramOp>().begin();
  if (!flags.describe)
    return run(program, flags);
  describe(program);
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Flags flags;
  cl::ParseCommandLineOptions(argc, argv, "evaluates a MIL program\n");
  if (!flags.describe && flags.programs.size() != 1) {
    error() << "there are " << flags.programs.size()
            << " programs, but one is evaluated at a time\n";
    return 1;
  }
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<mil::MILDialect>();
  context.printOpOnDiagnostic(false);
  bool hasFailed = false;
  for (const std::string &path : flags.programs)
    hasFailed |= failed(processFile(path, flags, context));
  return hasFailed;
}
