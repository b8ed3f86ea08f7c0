//===- AneCompile.cpp - The compile driver --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a network, binds its weights, runs the pipeline and writes what the
// name of the output file asks for. Files take their places at the very end, so
// that a failure leaves those that were there.
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/AneCompile.h"

#include "AccuracyPage.h"
#include "AneCompileOptions.h"
#include "CompileReport.h"
#include "ModuleReader.h"
#include "StatsJson.h"

#include "ane/Conversion/ANEToMIL/ANEToMIL.h"
#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/Dialect/HWX/IR/Convert.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Files/OutputFiles.h"
#include "ane/Files/Signals.h"
#include "ane/HW/AnecFile.h"
#include "ane/HW/Chip.h"
#include "ane/HW/Container.h"
#include "ane/InitAll.h"
#include "ane/Pipelines/BindArguments.h"
#include "ane/Pipelines/Partition.h"
#include "ane/Pipelines/Pipelines.h"
#include "ane/Pipelines/SetShapes.h"
#include "ane/Target/MIL/BlobReader.h"
#include "ane/Target/MIL/MILTranslation.h"
#include "ane/Target/MLPackage/MLPackage.h"
#include "ane/Target/ONNX/ONNX.h"
#include "ane/Tools/CommandLine.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace mlir;
using namespace mlir::ane;
namespace cl = llvm::cl;

namespace {

enum class OutputKind { None, Hwx, Anec, Mil, Package, Mlir };

} // namespace

/// A failure that has no place in the input.
static LogicalResult fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "ane-compile") << message << "\n";
  return failure();
}

static FailureOr<OutputKind> outputKind(const CommandLine &options) {
  StringRef name = options.output;
  if (name.empty() &&
      (!options.accuracy.empty() || options.why.getNumOccurrences()))
    return OutputKind::None;
  if (name.empty())
    return fail("-o is missing; it names what to write, such as net.hwx, or - "
                "for a program on standard output");
  if (name == "-")
    return options.stopAfter.getNumOccurrences() ? OutputKind::Mlir
                                                 : OutputKind::Hwx;
  StringRef extension = llvm::sys::path::extension(name);
  if (extension == ".hwx")
    return OutputKind::Hwx;
  if (extension == ".mil")
    return OutputKind::Mil;
  if (extension == ".mlir")
    return OutputKind::Mlir;
  if (extension == ".mlpackage")
    return OutputKind::Package;
  if (extension == ".anec")
    return OutputKind::Anec;
  return fail("cannot tell from '" + name +
              "' what to write: the name must end in .hwx, .anec, .mil, "
              ".mlpackage or .mlir");
}

namespace {

/// One compilation, in the order of its steps.
class Driver {
public:
  Driver(const CommandLine &options, OutputKind kind)
      : options(options), kind(kind) {}

  LogicalResult run();

private:
  LogicalResult checkFiles();
  LogicalResult checkOptions();
  LogicalResult checkSource();
  LogicalResult checkWeights();
  LogicalResult load();
  LogicalResult setRates();
  LogicalResult bind();
  LogicalResult measure();
  void setOptions(PipelineOptions &pipeline, StringRef function) const;
  LogicalResult runPasses();
  LogicalResult runPipeline(StringRef function);
  void keepPlan(const std::string &text, StringRef function);
  LogicalResult writePlans();
  LogicalResult explain();
  LogicalResult answer();
  LogicalResult runPartitioned();
  LogicalResult writeHost(ModuleOp hostModule, Partition &parts,
                          ArrayRef<std::string> files);
  void printReasons(const Partition &parts);
  PartitionOptions partitionOptions() const;
  LogicalResult emit();
  LogicalResult writeProgram(const std::string &file);
  absl::Status
  writeAnec(const std::string &file, ::ane::hw::Program &program,
            llvm::function_ref<void(absl::Span<const uint8_t>)> write);
  LogicalResult openReport();
  void writeReport();
  raw_ostream *open(StringRef file);
  LogicalResult commit();
  std::string milRoot() const;
  std::string weightsDir() const;
  LogicalResult keepProgram();
  bool toMIL() const {
    return kind == OutputKind::Mil || kind == OutputKind::Package;
  }
  bool toProgram() const {
    return kind == OutputKind::Hwx || kind == OutputKind::Anec;
  }

  const CommandLine &options;
  OutputKind kind;
  llvm::SourceMgr sourceMgr;
  std::unique_ptr<MLIRContext> context;
  std::unique_ptr<SourceMgrDiagnosticHandler> diagnostics; // before the context
  std::unique_ptr<ScopedDiagnosticHandler> places, strictness;
  bool isNumberLost =
      false; // of a warning that --strict-numerics makes an error
  OwningOpRef<ModuleOp> module;
  std::string packageRoot; // of an input that is a package
  SourceFormat format = SourceFormat::MLIR;
  CompileReport report{sourceMgr};
  OutputFiles outputs;
  raw_ostream *reportFile = nullptr;
  std::vector<std::string> plans; // of strips, one for each program
};

} // namespace

/// No file is written over another one of this command.
LogicalResult Driver::checkFiles() {
  std::vector<NamedFile> inputs = {{"the input", options.input}};
  if (!options.milRoot.empty())
    inputs.push_back({"--mil-root", options.milRoot});
  if (!options.calibrate.empty())
    inputs.push_back({"--calibrate", options.calibrate});
  if (options.tile != "none")
    inputs.push_back({"--ane-tile", options.tile});
  for (StringRef binding : options.bind)
    if (StringRef value = binding.split('=').second; value.consume_front("@"))
      inputs.push_back({"a --bind", value.str()});
  for (StringRef input : options.inputs)
    inputs.push_back({"an --input", input.substr(input.find('=') + 1).str()});
  std::string clash = describeClash(
      inputs, {{"-o", options.output},
               {"--host", options.host},
               {"--report", options.report},
               {"--accuracy", options.accuracy},
               {"--dump-ane-tile", options.dumpTiles},
               {"--ane-why=json", options.why == "json" ? "-" : ""}});
  return clash.empty() ? success() : fail(clash);
}

/// What comes from a package has a name, but no line of text that others would
/// show; what comes from the command line has neither.
static LogicalResult namePlace(Diagnostic &diagnostic) {
  if (isa<UnknownLoc>(diagnostic.getLocation()) &&
      diagnostic.getSeverity() == DiagnosticSeverity::Error) {
    (void)fail(diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      llvm::WithColor::note(llvm::errs(), "ane-compile") << note << "\n";
    return success();
  }
  std::optional<mil::PackagePlace> place =
      mil::placeInPackage(diagnostic.getLocation());
  if (!place)
    return failure(); // the next one prints it
  std::string message = diagnostic.str();
  if (!StringRef(message).starts_with("function '")) // the reader says it, too
    message = place->describe() + ": " + message;
  raw_ostream &os = llvm::errs();
  os << place->file << ": ";
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    llvm::WithColor::error(os);
    break;
  case DiagnosticSeverity::Warning:
    llvm::WithColor::warning(os);
    break;
  case DiagnosticSeverity::Note:
    llvm::WithColor::note(os);
    break;
  case DiagnosticSeverity::Remark:
    llvm::WithColor::remark(os);
    break;
  }
  os << message << "\n";
  for (Diagnostic &note : diagnostic.getNotes()) {
    auto where = mil::placeInPackage(note.getLocation());
    llvm::WithColor::note(os << place->file << ": ")
        << (where ? where->describe() + ": " : "") << note << "\n";
  }
  return success();
}

/// An option that would do nothing is a mistake that its user does not see.
LogicalResult Driver::checkOptions() {
  std::string misuse = describeMisuse(
      options.category, {&options.function, &options.weightsDir,
                         &options.milRoot, &options.report, &options.tile,
                         &options.dumpTiles, &options.host, &options.accuracy});
  if (!misuse.empty())
    return fail(misuse);
  StringRef page = llvm::sys::path::extension(options.report);
  if (!page.empty() && page != ".json" && page != ".html")
    return fail("cannot tell from '" + options.report +
                "' what to report: the name must end in .json or .html");
  StringRef accuracy = llvm::sys::path::extension(options.accuracy);
  if (!options.accuracy.empty() && accuracy != ".json" && accuracy != ".html")
    return fail("cannot tell from '" + options.accuracy +
                "' what to write: the name must end in .json or .html");
  if (!parseAccuracyGoal(options.accuracyGoal))
    return fail("unknown accuracy goal '" + options.accuracyGoal +
                "'; it is fast, balanced or best");
  if (!options.accuracy.empty() && !options.host.empty())
    return fail("--accuracy is of a single program, --host of several; measure "
                "the network without --host, or each program by itself");
  for (const cl::Option *option :
       {static_cast<const cl::Option *>(std::addressof(options.inputs)),
        static_cast<const cl::Option *>(&options.seed),
        static_cast<const cl::Option *>(&options.accuracyMode)})
    if (option->getNumOccurrences() && options.accuracy.empty())
      return fail("--" + option->ArgStr + " is of --accuracy; give both");
  for (const cl::Option *option :
       {static_cast<const cl::Option *>(&options.report),
        static_cast<const cl::Option *>(&options.dumpTiles),
        static_cast<const cl::Option *>(&options.host)})
    if (option->getNumOccurrences() && kind == OutputKind::None)
      return fail("--" + option->ArgStr + " needs an output; give -o");
  if (options.stopAfter.getNumOccurrences() && kind != OutputKind::Mlir)
    return fail("--stop-after needs a .mlir output");
  if (!options.weightsDir.empty() && kind != OutputKind::Mil)
    return fail("--weights-dir needs a .mil output");
  if (toMIL() && options.flavour.getNumOccurrences())
    return fail("--hwx-flavour is of no use for MIL; write .hwx or .mlir");
  if (toMIL() && options.rates.getNumOccurrences())
    return fail("--rate is of no use for MIL; write .hwx or .mlir");
  if (toMIL() && options.allowUnproven)
    return fail("--allow-unproven is of no use for MIL; write .hwx or .mlir");
  bool isBeforeTile = llvm::is_contained({"import", "simplify", "legalize"},
                                         options.stopAfter.getValue());
  for (const auto &[name, value] :
       {std::pair("--ane-tile", options.tile.getValue()),
        std::pair("--dump-ane-tile", options.dumpTiles.getValue())})
    if (!value.empty() && (toMIL() || isBeforeTile))
      return fail(llvm::Twine(name) +
                  " is of no use for what ends before phase tile; write .hwx, "
                  "or .mlir of a later phase");
  return success();
}

/// The same, once it is known what the input is.
LogicalResult Driver::checkSource() {
  bool isMIL =
      !isTranslated(format) && !module->getOps<mil::ProgramOp>().empty();
  if (!options.milRoot.empty() && !isMIL)
    return fail("--mil-root is of no use: '" + options.input +
                "' is no MIL text, so nothing refers to @model_path");
  if (options.why.getNumOccurrences() && isMIL && toMIL())
    return fail("--ane-why is of no use: MIL from MIL has the statements of '" +
                options.input + "', whoever does them");
  if (options.target.getNumOccurrences() && isMIL && toMIL())
    return fail("--target is of no use: MIL from MIL has the statements of '" +
                options.input + "' for every engine");
  return success();
}

LogicalResult Driver::load() {
  DialectRegistry registry;
  registerAllDialects(registry);
  context = std::make_unique<MLIRContext>(registry);
  // The source line is enough; an op may hold a whole network.
  context->printOpOnDiagnostic(false);
  diagnostics =
      std::make_unique<SourceMgrDiagnosticHandler>(sourceMgr, context.get());
  places = std::make_unique<ScopedDiagnosticHandler>(context.get(), namePlace);
  if (options.strictNumerics)
    strictness = std::make_unique<ScopedDiagnosticHandler>(
        context.get(), [&](Diagnostic &diagnostic) -> LogicalResult {
          if (!isNumericWarning(diagnostic))
            return failure();
          isNumberLost = true;
          InFlightDiagnostic error = mlir::emitError(diagnostic.getLocation())
                                     << diagnostic.str();
          for (Diagnostic &note : diagnostic.getNotes())
            error.attachNote(note.getLocation()) << note.str();
          return success();
        });
  // A package is a folder; its name may end in a slash.
  std::string input = options.input;
  if (llvm::sys::fs::is_directory(input)) {
    StringRef folder = StringRef(options.input).rtrim('/');
    SmallString<128> program(folder), manifest(folder), layers(folder);
    llvm::sys::path::append(program, "model.mil");
    llvm::sys::path::append(layers, "model.espresso.net");
    if (llvm::sys::fs::exists(layers) && !llvm::sys::fs::exists(program))
      program = layers;
    llvm::sys::path::append(manifest, "Manifest.json");
    // A compiled model has its program as text, with the weights beside it.
    if (llvm::sys::fs::exists(manifest) || !llvm::sys::fs::exists(program)) {
      module = mil::readMLPackage(folder, context.get(), packageRoot);
      return success(static_cast<bool>(module));
    }
    packageRoot = folder.str();
    input = program.str().str();
  }
  std::string error;
  module =
      readModule(input, sourceMgr, context.get(),
                 splitShapes(llvm::to_vector_of<std::string>(options.shape)),
                 llvm::to_vector_of<std::string>(options.bind), format, error);
  if (!error.empty())
    return fail(error);
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(options.input, status))
    report.inputBytes = status.getSize();
  return success(static_cast<bool>(module));
}

/// Passes will say so of a target that is none.
LogicalResult Driver::setRates() {
  auto generation = ::ane::hw::parseTarget(report.target);
  for (const std::string &rate : options.rates) {
    if (!generation.ok())
      break;
    absl::Status status = ::ane::hw::setRate(*generation, rate);
    if (!status.ok())
      return fail(llvm::Twine("--rate: ") + status.message().data());
  }
  return success();
}

LogicalResult Driver::bind() {
  // A network may say what it is for.
  if (!options.target.getNumOccurrences() &&
      (*module)->hasAttr(ANEDialect::getTargetAttrName()))
    report.target = getTarget(*module).name;
  if (failed(setRates()))
    return failure();
  // Those of a model are known since it was read.
  if (format != SourceFormat::ONNX &&
      failed(setShapes(
          *module, options.function,
          splitShapes(llvm::to_vector_of<std::string>(options.shape)))))
    return failure();
  auto bindings = llvm::to_vector_of<std::string>(options.bind);
  if (format == SourceFormat::ONNX)
    llvm::erase_if(bindings, onnx::isTakenByImport);
  return bindings.empty() ? success()
                          : bindArguments(*module, options.function, bindings);
}

/// Weights lie beside the text unless something else is said.
std::string Driver::milRoot() const {
  if (!options.milRoot.empty() || !packageRoot.empty())
    return options.milRoot.empty() ? packageRoot : options.milRoot.getValue();
  StringRef folder = llvm::sys::path::parent_path(options.input);
  return folder.empty() ? "." : folder.str();
}

std::string Driver::weightsDir() const {
  if (!options.weightsDir.empty())
    return options.weightsDir;
  StringRef folder = llvm::sys::path::parent_path(options.output);
  return folder.empty() ? "." : folder.str();
}

namespace {

static constexpr StringLiteral weightFile = "weights/weight.bin";

} // namespace

/// The weights of MIL text lie in a file of one name beside it; those of the
/// output must not replace those of the input.
LogicalResult Driver::checkWeights() {
  SmallString<128> from(milRoot()), to(weightsDir());
  llvm::sys::path::append(from, weightFile);
  llvm::sys::path::append(to, weightFile);
  if (kind != OutputKind::Mil || module->getOps<mil::ProgramOp>().empty() ||
      !llvm::sys::fs::exists(from) || !isSameFile(from, to))
    return success();
  return fail("the output would replace '" + from +
              "', the weights of the input; write it to another folder, or "
              "name one with --weights-dir");
}

/// MIL text from MIL text: the statements of the source, weights in the form
/// that they are stored in.
LogicalResult Driver::keepProgram() {
  if (!options.shape.empty())
    return fail("--shape is for programs of the engine; a program that stays "
                "MIL keeps its flexible shapes");
  auto program = *module->getOps<mil::ProgramOp>().begin();
  auto functions = program.getBody().getOps<mil::FuncOp>();
  bool found = options.function.empty();
  for (mil::FuncOp function : llvm::make_early_inc_range(functions)) {
    if (options.function.empty() || function.getSymName() == options.function)
      found = true;
    else
      function.erase();
  }
  if (!found)
    return mlir::emitError(program.getLoc(), "there is no function '")
           << options.function << "' in the program";
  mil::BlobReader reader(milRoot());
  return mil::resolveBlobReferences(*module, reader);
}

LogicalResult Driver::runPasses() {
  if (failed(checkSource()) || failed(checkWeights()))
    return failure();
  if (toMIL() && !isTranslated(format) &&
      !module->getOps<mil::ProgramOp>().empty())
    return keepProgram();
  if (failed(explain()))
    return failure();
  if (failed(runPipeline(options.function)))
    return failure();
  if (auto forms =
          (*module)->getAttrOfType<DictionaryAttr>(kFunctionFormsAttrName))
    for (NamedAttribute form : forms)
      report.functionForms[form.getName().getValue()] =
          cast<IntegerAttr>(form.getValue()).getInt();
  return writePlans();
}

void Driver::setOptions(PipelineOptions &pipeline, StringRef function) const {
  pipeline.target = report.target;
  pipeline.function = function.str();
  pipeline.keepConstants = !options.host.empty();
  pipeline.flavour = options.flavour.getValue();
  pipeline.milRoot = milRoot();
  pipeline.tile = options.tile.getValue();
  pipeline.allowUnproven = options.allowUnproven.getValue();
  for (const std::string &range : options.range)
    pipeline.ranges.push_back(range);
  pipeline.calibrate = options.calibrate.getValue();
  pipeline.accuracyGoal = options.accuracyGoal.getValue();
  // Who runs MIL may round sums.
  pipeline.sumsAreWide = !toMIL();
}

/// Gives `module` bytes of its own for its constants: passes free those that
/// their module uses no more, whoever else does.
static void copyConstants(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](DenseResourceElementsAttr shared) -> Attribute {
    AsmResourceBlob *blob = shared.getRawHandle().getBlob();
    if (!blob)
      return shared;
    return DenseResourceElementsAttr::get(
        shared.getType(), shared.getRawHandle().getKey(),
        HeapAsmResourceBlob::allocateAndCopyWithAlign(
            blob->getData(), blob->getDataAlignment()));
  });
  replacer.recursivelyReplaceElementsIn(module);
}

/// Looks at the network as it was read, before anything else is made of it.
LogicalResult Driver::measure() {
  AccuracyOptions accuracy;
  accuracy.mode = options.accuracyMode;
  if (options.seed.getNumOccurrences())
    accuracy.seed = options.seed.getValue();
  for (StringRef input : options.inputs) {
    llvm::Expected<NamedArray> array = readNamedArray(input);
    if (!array)
      return fail("--input: " + llvm::toString(array.takeError()));
    accuracy.inputs.push_back(std::move(*array));
  }
  raw_ostream *os = open(options.accuracy);
  if (!os)
    return failure();
  OwningOpRef<ModuleOp> copy = module->clone();
  if (kind != OutputKind::None)
    copyConstants(*copy);
  PipelineOptions pipeline;
  setOptions(pipeline, options.function);
  FailureOr<AccuracyReport> measured =
      measureAccuracy(*copy, pipeline, accuracy);
  if (failed(measured))
    return failure();
  llvm::json::Object report = accuracyToJson(*measured);
  report["input"] = asUtf8(options.input);
  report["target"] = this->report.target;
  report["mode"] = options.accuracyMode == ::ane::sim::Mode::Exact  ? "exact"
                   : options.accuracyMode == ::ane::sim::Mode::Fast ? "fast"
                                                                    : "engine";
  if (llvm::sys::path::extension(options.accuracy) == ".html")
    writeAccuracyPage(*os, std::move(report));
  else
    *os << llvm::formatv("{0:2}", llvm::json::Value(std::move(report))) << "\n";
  return success();
}

LogicalResult Driver::runPipeline(StringRef function) {
  PipelineOptions pipeline;
  setOptions(pipeline, function);
  std::string plan;
  if (!toMIL() && (!options.dumpTiles.empty() || !options.report.empty()))
    pipeline.plan = &plan;
  pipeline.stopAfter = toMIL() ? "simplify" : options.stopAfter.getValue();

  PassManager pm(context.get());
  if (failed(buildPipeline(pm, pipeline, [&] {
        return mlir::emitError(UnknownLoc::get(context.get()));
      })))
    return failure();
  if (toMIL())
    pm.addPass(createConvertANEToMIL());
  if (failed(pm.run(*module)) || isNumberLost)
    return failure();
  if (pipeline.plan)
    keepPlan(plan, function);
  return success();
}

void Driver::keepPlan(const std::string &text, StringRef function) {
  report.addPlan(text);
  if (!text.empty())
    plans.push_back(StringRef(text).rtrim().str());
  else if (!options.dumpTiles.empty())
    llvm::WithColor::warning(llvm::errs(), "ane-compile")
        << "--dump-ane-tile: nothing chooses strips for "
        << (function.empty() ? "the function" : function)
        << ", whose strips are set by hand, or whose ops become tasks together "
           "or by the rules of flavour "
        << options.flavour << "\n";
}

/// One plan, or an array with one for each program; --ane-tile reads both.
LogicalResult Driver::writePlans() {
  if (plans.empty() || options.dumpTiles.empty())
    return success();
  raw_ostream *os = open(options.dumpTiles);
  if (!os)
    return failure();
  std::string text = llvm::join(plans, ",\n");
  *os << (plans.size() > 1 ? "[" + text + "]" : text) << "\n";
  return success();
}

namespace {

//===----------------------------------------------------------------------===//
// Networks that the engine cannot do alone
//===----------------------------------------------------------------------===//

} // namespace

PartitionOptions Driver::partitionOptions() const {
  PartitionOptions result;
  result.function = options.function;
  result.target = report.target;
  result.flavour = options.flavour;
  result.allowUnproven = options.allowUnproven;
  result.milRoot = milRoot();
  return result;
}

void Driver::printReasons(const Partition &parts) {
  if (!options.why.getNumOccurrences())
    return;
  if (options.why == "json")
    llvm::outs() << llvm::formatv("{0:2}", reasonsToJson(parts)) << "\n";
  else
    emitReasons(parts);
}

/// Tells the reasons; the network itself stays as it is.
LogicalResult Driver::explain() {
  if (!options.why.getNumOccurrences())
    return success();
  OwningOpRef<ModuleOp> copy = module->clone();
  // Only errors of the partitioning itself; the reasons come from it.
  FailureOr<Partition> parts = partition(*copy, partitionOptions());
  if (failed(parts))
    return failure();
  printReasons(*parts);
  if (parts->isWhole())
    return success();
  if (parts->hostOps.empty())
    return fail("the network is " + llvm::Twine(parts->programs.size()) +
                " programs; name a file for the function that calls them with "
                "--host");
  return fail(llvm::Twine(parts->hostOps.size()) +
              " ops cannot be done by the engine; name a file for the part of "
              "the host with --host");
}

/// --ane-why without an output: the reasons are all that was asked for.
LogicalResult Driver::answer() {
  if (failed(checkSource()))
    return failure();
  FailureOr<Partition> parts = partition(*module, partitionOptions());
  if (failed(parts))
    return failure();
  printReasons(*parts);
  return success();
}

LogicalResult Driver::writeHost(ModuleOp hostModule, Partition &parts,
                                ArrayRef<std::string> files) {
  for (auto [program, name] : llvm::zip_equal(parts.programs, files)) {
    func::FuncOp function = program;
    function.eraseBody();
    function->setAttr(
        ANEDialect::getProgramAttrName(),
        StringAttr::get(context.get(), llvm::sys::path::filename(name)));
  }
  raw_ostream *os = open(options.host);
  if (!os)
    return failure();
  hostModule.print(*os);
  *os << "\n";
  return success();
}

/// Compiles each program by itself. All files appear, or none.
LogicalResult Driver::runPartitioned() {
  if (!toProgram() || options.output == "-")
    return fail("--host needs a .hwx or .anec output, which the part of the "
                "host names");
  if (failed(checkSource()))
    return failure();
  OwningOpRef<ModuleOp> hostModule = std::move(module);
  FailureOr<Partition> parts = partition(*hostModule, partitionOptions());
  if (failed(parts))
    return failure();
  printReasons(*parts);
  if (failed(openReport()))
    return failure();
  std::vector<std::string> names;
  for (func::FuncOp program : parts->programs) {
    StringRef extension = llvm::sys::path::extension(options.output);
    StringRef stem = StringRef(options.output).drop_back(extension.size());
    names.push_back(
        parts->programs.size() == 1
            ? options.output.getValue()
            : (stem + "." + llvm::Twine(names.size()) + extension).str());
    module = isolateProgram(program);
    if (failed(runPipeline(program.getName())))
      return failure();
    if (failed(writeProgram(names.back())))
      return failure();
    report.outputBytes += outputs.bytesOf(names.back());
  }
  if (parts->programs.empty())
    llvm::WithColor::warning(llvm::errs(), "ane-compile")
        << "the engine does nothing of this network; there is no program, only "
           "the part of the host\n";
  if (failed(writeHost(*hostModule, *parts, names)) || failed(writePlans()))
    return failure();
  writeReport();
  return success();
}

/// Tensors of a kind by their channels, where that is not their order in the
/// network: without names, who binds them in order swaps them.
static void warnOfOrder(const std::string &file,
                        const ::ane::hw::Program &program, bool isOutput) {
  const auto ports = ::ane::hw::anecPorts(program);
  std::vector<size_t> order;
  for (size_t i = 0; i < ports.size(); ++i)
    if ((program.tensors[i].kind == ::ane::hw::TensorKind::Output) == isOutput)
      order.push_back(i);
  auto byChannel = [&](size_t a, size_t b) {
    return ports[a].channel < ports[b].channel;
  };
  if (llvm::is_sorted(order, byChannel))
    return;
  llvm::sort(order, byChannel);
  raw_ostream &os = llvm::WithColor::warning(llvm::errs(), "ane-compile")
                    << (isOutput ? "outputs" : "inputs") << " of " << file
                    << ", which has no names, are in the order ";
  llvm::interleaveComma(order, os, [&](size_t i) {
    os << "'" << program.tensors[i].name << "'";
  });
  os << ", not in that of the network; bind them by the table of ports, or "
        "write a .hwx file, which has names\n";
}

/// The file, and beside that of H14 the table of its ports.
absl::Status
Driver::writeAnec(const std::string &file, ::ane::hw::Program &program,
                  llvm::function_ref<void(absl::Span<const uint8_t>)> write) {
  if (uint32_t tasks = ::ane::hw::clearIdleWords(program))
    module->emitRemark()
        << tasks << " tasks of the planar engine have words of the neural "
        << "engines, with which additions are reported to compute zeros under "
        << "Linux; the .anec file has zeros there";
  auto bytes = ::ane::hw::writeAnec(program);
  if (!bytes.ok())
    return bytes.status();
  write(*bytes);
  warnOfOrder(file, program, /*isOutput=*/false);
  warnOfOrder(file, program, /*isOutput=*/true);
  if (program.generation == ::ane::hw::Generation::H13 || file == "-")
    return absl::OkStatus();
  llvm::SmallString<128> ports(file);
  llvm::sys::path::replace_extension(ports, "ports.json");
  raw_ostream *os = open(std::string(ports));
  if (!os)
    return absl::UnknownError("the table of ports cannot be written");
  *os << ::ane::hw::anecPortsJson(program,
                                  std::string(llvm::sys::path::filename(file)));
  return absl::OkStatus();
}

LogicalResult Driver::writeProgram(const std::string &file) {
  auto programs = module->getOps<hwx::ProgramOp>();
  if (!llvm::hasSingleElement(programs))
    return module->emitError("the pipeline made ")
           << llvm::range_size(programs) << " register programs, expected one";
  FailureOr<::ane::hw::Container> container =
      hwx::exportContainer(*programs.begin());
  if (failed(container))
    return failure();
  raw_ostream *os = open(file);
  if (!os)
    return failure();
  absl::Status status;
  auto write = [&](absl::Span<const uint8_t> bytes) {
    os->write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  };
  if (kind != OutputKind::Anec) {
    status = ::ane::hw::writeContainer(*container, write);
  } else {
    status = writeAnec(file, container->program, write);
  }
  if (!status.ok())
    return module->emitError()
           << llvm::StringRef(status.message().data(), status.message().size());
  report.addProgram(file, container->program, *programs.begin());
  return success();
}

LogicalResult Driver::emit() {
  // Whatever may be in the way of the report shows before the rest is made.
  if (failed(openReport()))
    return failure();
  switch (kind) {
  case OutputKind::None:
    break;
  case OutputKind::Package: {
    mil::PackageOptions package;
    package.root = milRoot();
    package.outputs = &outputs;
    if (failed(mil::writeMLPackage(*module, options.output, package)))
      return failure();
    break;
  }
  case OutputKind::Hwx:
  case OutputKind::Anec:
    if (failed(writeProgram(options.output)))
      return failure();
    break;
  case OutputKind::Mil:
  case OutputKind::Mlir: {
    raw_ostream *os = open(options.output);
    if (!os)
      return failure();
    if (kind == OutputKind::Mlir) {
      module->print(*os);
      *os << "\n";
      break;
    }
    mil::MILOptions milOptions;
    milOptions.weightsDir = weightsDir();
    milOptions.outputs = &outputs;
    if (failed(mil::translateToMIL(*module, *os, milOptions)))
      return failure();
    break;
  }
  }
  report.outputBytes = outputs.bytesOf(StringRef(options.output).rtrim('/'));
  writeReport();
  return success();
}

/// Null, after an error, where it cannot be written.
raw_ostream *Driver::open(StringRef file) {
  llvm::Expected<llvm::raw_fd_ostream &> os = outputs.open(file);
  if (os)
    return &*os;
  (void)fail(llvm::toString(os.takeError()));
  return nullptr;
}

LogicalResult Driver::openReport() {
  return success(options.report.empty() || (reportFile = open(options.report)));
}

void Driver::writeReport() {
  if (!reportFile)
    return;
  if (llvm::sys::path::extension(options.report) == ".html")
    report.printHtml(*reportFile);
  else
    report.printJson(*reportFile);
}

LogicalResult Driver::commit() {
  if (llvm::Error error = outputs.commit())
    return fail(llvm::toString(std::move(error)));
  return success();
}

LogicalResult Driver::run() {
  report.input = options.input;
  report.output = options.output;
  report.target = options.target.getValue();
  report.accuracyGoal = options.accuracyGoal.getValue();
  if (failed(checkFiles()) || failed(checkOptions()))
    return failure();
  using Step = std::pair<const char *, LogicalResult (Driver::*)()>;
  SmallVector<Step> steps = {{"read", &Driver::load}, {"bind", &Driver::bind}};
  if (!options.accuracy.empty())
    steps.push_back({"accuracy", &Driver::measure});
  if (kind == OutputKind::None && options.why.getNumOccurrences())
    steps.push_back({"why", &Driver::answer});
  else if (kind == OutputKind::None)
    ; // that is all
  else if (options.host.empty())
    steps.append({{"compile", &Driver::runPasses}, {"write", &Driver::emit}});
  else
    steps.push_back({"compile", &Driver::runPartitioned});
  for (auto [name, step] : steps) {
    report.begin(name);
    if (failed((this->*step)()))
      return failure();
  }
  return commit();
}

/// Weights are blocks of megabytes that live for a phase. Once one has been
/// freed, glibc keeps blocks of its size in the heap, where they do not go back
/// to the system; a fixed threshold saves a sixth of the peak.
static void returnLargeBlocks() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
#endif
}

int mlir::ane::aneCompileMain(int argc, char **argv) {
  takeSignals("ane-compile");
  llvm::InitLLVM init(argc, argv);
  returnLargeBlocks();
  forgetOptionsOfLLVM();
  setVersionPrinter();
  explainFailedWrites("ane-compile", {});
  CommandLine options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "ane-compile: compiles a network for the Apple Neural Engine\n\n"
      "  ane-compile net.mlir -o net.hwx                  a register program\n"
      "  ane-compile net.mlir -o net.mil                  MIL text and "
      "weights\n"
      "  ane-compile net.mil --mil-root=dir -o net.hwx    from MIL text\n"
      "  ane-compile net.mlpackage -o net.hwx             from a package\n"
      "  ane-compile net.onnx -o net.hwx                  from an ONNX model\n"
      "  ane-compile net.mlmodel -o net.hwx               from a neural "
      "network\n"
      "  ane-compile net.plist -o net.hwx                 from net.plist\n"
      "  ane-compile net.mlir --bind 0=@w.npy -o net.hwx  argument 0 is a "
      "weight\n"
      "  ane-compile net.mlir --accuracy=r.html           where f16 is off\n"
      "  ane-compile net.mlir --ane-why                   what does not run\n");
  FailureOr<OutputKind> kind = outputKind(options);
  if (failed(kind))
    return 1;
  if (!llvm::is_contained({"", "text", "json"}, options.why.getValue()))
    return failed(
        fail("--ane-why knows text and json, not '" + options.why + "'"));
  return failed(Driver(options, *kind).run());
}
