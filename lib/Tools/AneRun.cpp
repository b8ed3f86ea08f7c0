//===- AneRun.cpp - The tool that runs programs ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/AneRun.h"

#include "AneRunProgram.h"
#include "AneRunReport.h"
#include "AneRunTensors.h"
#include "RangeReport.h"

#include "ane/Files/InputFiles.h"
#include "ane/Files/OutputFiles.h"
#include "ane/Files/Signals.h"
#include "ane/HW/Arrays.h"
#include "ane/HW/Chip.h"
#include "ane/HW/Verifier.h"
#include "ane/Runtime/Device.h"
#include "ane/Runtime/Doctor.h"
#include "ane/Runtime/Session.h"
#include "ane/Target/MIL/MILTranslation.h"
#include "ane/Tools/CommandLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <chrono>

using namespace llvm;
namespace hw = ::ane::hw;
namespace rt = ::ane::rt;
namespace sim = ::ane::sim;

namespace {
const char *const overview =
    "ane-run: runs a register program in the simulator or on a device\n\n"
    "  ane-run net.hwx                                    random data, only "
    "checks\n"
    "  ane-run net.hwx --input x.npy --output y.npy       tensors in their "
    "order\n"
    "  ane-run net.hwx --input a=x.npy --output y=y.npy   tensors by name\n"
    "  ane-run net.hwx --profile --trace=t.json           predicted times\n"
    "  ane-run net.hwx --input x.npy --check-range        range of sums and "
    "values\n"
    "  ane-run net.mil --device=apple --input x.npy ...   compiled by macOS\n\n"
    "Arrays are dense .npy files of float16, float32 or integers. float32 is\n"
    "converted to the program's type, and the results are then float32 too;\n"
    "integers must be exact in it. Dimensions of 1 may be missing, and one "
    "may\n"
    "be given as several. Results have the shape of the network, which files "
    "of\n"
    "ane-compile know, else N x C x H x W. '-' is standard input or output.\n";

struct Flags {
  cl::OptionCategory category{"ane-run options"};
  cl::opt<std::string> program{cl::Positional,
                               cl::desc("program.{hwx,anec,mil,mlir}"),
                               cl::cat(category)};
  cl::opt<std::string> device{
      "device", cl::desc("Device: sim (default), apple or asahi"),
      cl::init("sim"), cl::value_desc("kind"), cl::cat(category)};
  cl::opt<std::string> milRoot{
      "mil-root",
      cl::desc(
          "The folder that @model_path of MIL text names (default: its own)"),
      cl::value_desc("DIR"), cl::cat(category)};
  cl::opt<std::string> function{
      "function",
      cl::desc("The function of MIL text that device apple runs, where it has "
               "several"),
      cl::value_desc("NAME"), cl::cat(category)};
  cl::list<std::string> inputs{
      "input",
      cl::desc("Array for an input; without names, in the order of inputs"),
      cl::value_desc("[NAME=]x.npy"), cl::cat(category)};
  cl::list<std::string> outputs{
      "output",
      cl::desc("File for an output; without names, in the order of outputs"),
      cl::value_desc("[NAME=]y.npy"), cl::cat(category)};
  cl::opt<sim::Mode> mode{
      "mode", cl::desc("Arithmetic of the simulator"),
      cl::init(sim::Mode::Exact),
      cl::values(
          clEnumValN(sim::Mode::Exact, "exact",
                     "accumulates in double precision, rounds once (default)"),
          clEnumValN(sim::Mode::Fast, "fast",
                     "accumulates in single precision, twice as fast"),
          clEnumValN(sim::Mode::Engine, "engine",
                     "adds up like the engine of the target, by published "
                     "probes; slow"),
          clEnumValN(sim::Mode::Count, "count",
                     "no arithmetic: checks of memory, counts and times")),
      cl::cat(category)};
  cl::opt<hw::SumArithmetic> engineSums{
      "engine-sums",
      cl::desc(
          "Sums of --mode=engine (default: those of the program's target)"),
      cl::values(
          clEnumValN(hw::SumArithmetic::HalfSums, "half",
                     "four products in half precision, then in single "
                     "(probed on M1: h13)"),
          clEnumValN(hw::SumArithmetic::FixedPoint, "fixed",
                     "32 bits, 16 of them fractional, infinite from 32768 "
                     "on (probed on M4 and M6: h14)")),
      cl::cat(category)};
  cl::opt<uint64_t> seed{
      "seed", cl::desc("Seed of random data for inputs without an --input"),
      cl::init(0), cl::value_desc("N"), cl::cat(category)};
  cl::opt<unsigned> threads{
      "threads", cl::desc("Threads of the simulator; 0 (default): all"),
      cl::init(0), cl::value_desc("N"), cl::cat(category)};
  cl::opt<uint64_t> memoryLimit{
      "memory-limit",
      cl::desc("Maximum MiB for tensors and scratch memory, which a small file "
               "may declare to be large (default: 1024)"),
      cl::init(1024), cl::value_desc("MiB"), cl::cat(category)};
  cl::opt<std::string> stats{
      "stats", cl::desc("Write counts and predicted times as JSON"),
      cl::value_desc("s.json"), cl::cat(category)};
  cl::opt<std::string> checkRange{
      "check-range",
      cl::desc("Print the largest running sums and values, and the tasks in "
               "which they\nexceed the engine: a table of tasks near a limit, "
               "or all tasks as JSON"),
      cl::ValueOptional, cl::value_desc("json"), cl::cat(category)};
  cl::opt<std::string> sources{
      "sources",
      cl::desc(
          "The report of ane-compile, which has the source operations of the\n"
          "tasks of a .hwx"),
      cl::value_desc("report.json"), cl::cat(category)};
  cl::opt<std::string> profile{
      "profile",
      cl::desc(
          "Print counts and predicted times as a table, to standard output "
          "or a file"),
      cl::ValueOptional, cl::value_desc("p.txt"), cl::cat(category)};
  cl::opt<std::string> trace{
      "trace", cl::desc("Write a Chrome trace of the predicted times"),
      cl::value_desc("t.json"), cl::cat(category)};
  cl::list<std::string> rates{
      "rate",
      cl::desc("A rate of the chip for predicted times, in place of what is "
               "known of it,\nsuch as tiles=60e9 (bytes a second)"),
      cl::value_desc("NAME=VALUE"), cl::cat(category)};
  cl::opt<bool> verify{
      "verify",
      cl::desc("Prove from its words that the program stays in its memory, and "
               "do not run it;\ndevices other than sim do so before each run"),
      cl::cat(category)};
  cl::list<std::string> verifyAllow{
      "verify-allow",
      cl::desc("Let --verify accept any value of a field that is a hint"),
      cl::value_desc("BLOCK.REGISTER.FIELD"), cl::cat(category)};
  cl::opt<bool> doctor{
      "doctor",
      cl::desc(
          "Say what this machine lacks to run programs, and the next step"),
      cl::cat(category)};
  cl::opt<bool> listDevices{
      "list-devices", cl::desc("Print the devices, one per line, and exit"),
      cl::cat(category)};
};

} // namespace

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static Error toError(const absl::Status &status, const Twine &place = "") {
  absl::string_view text = status.message();
  return makeError(place + StringRef(text.data(), text.size()));
}

static Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef path) {
  if (path.ends_with(".mlpackage") && sys::fs::is_directory(path))
    return makeError("is a package; compile it first: ane-compile " + path +
                     " -o net.hwx, for --device=apple -o net.mil");
  auto file = mlir::ane::readInput(path);
  if (std::error_code code = file.getError())
    return makeError("cannot read: " + code.message());
  return std::move(*file);
}

static int listDevices() {
  for (const std::unique_ptr<rt::Device> &device : rt::devices()) {
    rt::DeviceInfo info = device->info();
    outs() << left_justify(info.kind, 6) << "  " << left_justify(info.name, 26)
           << "  " << left_justify(info.generation, 8) << "  " << info.state
           << '\n';
    outs() << rt::describe(device->permissions());
  }
  return 0;
}

namespace {
/// One run of the tool. Errors carry the file that they are about.
class Run {
public:
  explicit Run(const Flags &flags) : flags(flags), reader(flags.milRoot) {}
  Error execute();

private:
  Error checkFiles() const;
  Error checkDevice() const;
  Error load();
  absl::StatusOr<std::unique_ptr<rt::Executable>>
  loadProgram(rt::Device &device, StringRef file);
  Error verify();
  Error loadSources();
  Error checkMemory() const;
  bool checksRange() const { return flags.checkRange.getNumOccurrences(); }
  Error prepareInputs();
  Error runProgram();
  Error writeResults();
  void warnOfValues() const;
  void writeRanges(raw_ostream &os) const;
  Error writeFile(StringRef path, function_ref<void(raw_ostream &)> write);
  std::function<void(size_t, size_t)> progress();

  const Flags &flags;
  std::unique_ptr<MemoryBuffer> file;
  mlir::ane::ProgramReader reader; // owns constants of the program
  mlir::ane::TaskSources sources;
  hw::Program program; // empty where the device compiles
  std::unique_ptr<rt::Session> session;
  ArrayRef<hw::Tensor> tensors;
  std::vector<std::vector<uint8_t>> surfaces;
  std::vector<size_t> outputTensors;
  std::vector<mlir::ane::Binding> outputs;
  bool float32 = false;
  std::optional<sim::Stats> stats;
  mlir::ane::OutputFiles files;
};

} // namespace

static Error inFile(StringRef path, Error error) {
  return createStringError(inconvertibleErrorCode(),
                           path + ": error: " + toString(std::move(error)));
}

/// No file is written over another one of this command.
Error Run::checkFiles() const {
  std::vector<mlir::ane::NamedFile> from = {{"the program", flags.program}}, to;
  for (const std::string &text : flags.inputs)
    from.push_back({"an --input", mlir::ane::parseBinding(text).path});
  for (const std::string &text : flags.outputs)
    to.push_back({"--output", mlir::ane::parseBinding(text).path});
  to.push_back({"--stats", flags.stats});
  to.push_back({"--trace", flags.trace});
  if (checksRange())
    to.push_back({"--check-range", "-"});
  if (!flags.sources.empty())
    from.push_back({"--sources", flags.sources});
  bool hasProfile = flags.profile.getNumOccurrences();
  to.push_back({"--profile", hasProfile && flags.profile.empty()
                                 ? std::string("-")
                                 : flags.profile.getValue()});
  for (const mlir::ane::NamedFile &file :
       concat<mlir::ane::NamedFile>(from, to))
    if (file.path.empty() && StringRef(file.what).ends_with("put"))
      return makeError("ane-run: error: " + file.what +
                       " names no file; write [NAME=]FILE.npy");
  std::string clash = mlir::ane::describeClash(from, to);
  return clash.empty() ? Error::success()
                       : makeError("ane-run: error: " + clash);
}

/// Whether an option is given that `sim` alone knows.
Error Run::checkDevice() const {
  if (StringRef(flags.device).split(':').first == "sim")
    return Error::success();
  for (const cl::Option *option :
       {static_cast<const cl::Option *>(&flags.stats),
        static_cast<const cl::Option *>(&flags.profile),
        static_cast<const cl::Option *>(&flags.trace),
        static_cast<const cl::Option *>(&flags.checkRange),
        static_cast<const cl::Option *>(&flags.sources),
        static_cast<const cl::Option *>(&flags.mode),
        static_cast<const cl::Option *>(&flags.engineSums),
        static_cast<const cl::Option *>(&flags.threads)})
    if (option->getNumOccurrences())
      return makeError("ane-run: error: --" + option->ArgStr +
                       " is of the simulator, not of device " + flags.device +
                       "; leave one of them out");
  return Error::success();
}

absl::StatusOr<std::unique_ptr<rt::Executable>>
Run::loadProgram(rt::Device &device, StringRef file) {
  if (!mlir::ane::isContainer(file) || flags.program == "-")
    return device.load(program);
  rt::ProgramFile whole{
      flags.program,
      {reinterpret_cast<const uint8_t *>(file.data()), file.size()}};
  return device.loadFile(program, whole);
}

/// Compiles MIL text where the device does not do so itself.
Error Run::load() {
  auto device = rt::openDevice(flags.device.getValue());
  if (!device.ok())
    return toError(device.status(), "ane-run: error: ");
  if (Error error = checkDevice())
    return error;
  auto read = readFile(flags.program);
  if (!read)
    return inFile(flags.program, read.takeError());
  file = std::move(*read);
  StringRef bytes = file->getBuffer();
  if (!flags.milRoot.empty() && !mlir::ane::mil::isMILText(bytes))
    return makeError("ane-run: error: --mil-root is of no use: '" +
                     flags.program +
                     "' is no MIL text, so nothing refers to @model_path");
  if (!flags.function.empty() &&
      !((*device)->compilesMIL() && mlir::ane::mil::isMILText(bytes)))
    return makeError("ane-run: error: --function is of MIL text on a device "
                     "that compiles it; compile the function with ane-compile "
                     "--function=" +
                     flags.function);
  absl::StatusOr<std::unique_ptr<rt::Executable>> loaded;
  if ((*device)->compilesMIL() && mlir::ane::mil::isMILText(bytes)) {
    auto model = rt::readMILModel({bytes.data(), bytes.size()},
                                  flags.milRoot.empty()
                                      ? mlir::ane::folderOf(flags.program)
                                      : flags.milRoot.getValue(),
                                  flags.function);
    loaded = model.ok() ? (*device)->loadMIL(*model) : model.status();
  } else {
    auto found = reader.read(flags.program, *file);
    if (!found)
      return found.takeError();
    program = std::move(*found);
    loaded = loadProgram(**device, bytes);
  }
  if (!loaded.ok())
    return inFile(flags.program, toError(loaded.status()));
  session =
      std::make_unique<rt::Session>(*std::move(loaded), (*device)->timeout());
  const auto bound = session->executable().tensors();
  tensors = ArrayRef(bound.data(), bound.size());
  return Error::success();
}

Error Run::verify() {
  auto read = readFile(flags.program);
  if (!read)
    return inFile(flags.program, read.takeError());
  file = std::move(*read);
  auto found = reader.read(flags.program, *file);
  if (!found)
    return found.takeError();
  hw::VerifyOptions options;
  options.allowed.assign(flags.verifyAllow.begin(), flags.verifyAllow.end());
  const hw::VerifyReport report = hw::verify(*found, options);
  for (const hw::VerifyFault &fault : report.faults) {
    errs() << flags.program << ": error: ";
    if (fault.task)
      errs() << "task " << *fault.task << ": ";
    errs() << fault.message << '\n';
  }
  if (!report.ok())
    return makeError(flags.program + ": error: " + Twine(report.faults.size()) +
                     (report.faults.size() == 1 ? " fault" : " faults") +
                     " in " + Twine(found->tasks.size()) +
                     " tasks; no device gets this program");
  outs() << flags.program << ": " << report.tasks << " tasks, "
         << report.accesses << " accesses, all inside their memory\n";
  return Error::success();
}

/// What tasks come from: of a report, or of the IR that the program is.
Error Run::loadSources() {
  sources = reader.sources();
  if (flags.sources.empty())
    return Error::success();
  auto report = readFile(flags.sources);
  if (!report)
    return inFile(flags.sources, report.takeError());
  auto read = mlir::ane::TaskSources::fromReport(
      (*report)->getBuffer(), flags.program, program.tasks.size());
  if (!read)
    return inFile(flags.sources, read.takeError());
  sources = std::move(*read);
  return Error::success();
}

/// Before any of it is allocated: what a file says of sizes its own size does
/// not prove.
Error Run::checkMemory() const {
  uint64_t bytes = program.scratchBytes;
  for (const hw::Tensor &tensor : tensors)
    bytes = SaturatingAdd(bytes, tensor.bytes);
  constexpr uint64_t bytesPerMiB = uint64_t(1) << 20;
  uint64_t limit =
      SaturatingMultiply(flags.memoryLimit.getValue(), bytesPerMiB);
  if (bytes <= limit)
    return Error::success();
  return inFile(
      flags.program,
      makeError("tensors have " + Twine(bytes - program.scratchBytes) +
                " bytes and scratch memory has " + Twine(program.scratchBytes) +
                ", more than " + Twine(limit) +
                " together; if the program is to be "
                "trusted, give --memory-limit=" +
                Twine(divideCeil(bytes, bytesPerMiB))));
}

Error Run::prepareInputs() {
  surfaces.resize(tensors.size());
  std::vector<mlir::ane::Binding> bindings;
  for (const std::string &text : flags.inputs)
    bindings.push_back(mlir::ane::parseBinding(text));
  auto assigned =
      mlir::ane::assignTensors(tensors, hw::TensorKind::Input, bindings);
  if (!assigned)
    return inFile(flags.program, assigned.takeError());
  for (auto [binding, index] : zip(bindings, *assigned)) {
    auto file = readFile(binding.path);
    if (!file)
      return inFile(binding.path, file.takeError());
    auto input = mlir::ane::surfacesOfNpy(tensors, index, (*file)->getBuffer());
    if (!input)
      return inFile(binding.path, input.takeError());
    mlir::ane::writeSpecialValues(
        errs(), binding.path + ": warning: ",
        "input '" + tensors[index].name + "' as float16", input->narrowed);
    surfaces[index] = std::move(input->surface);
    if (auto low = hw::lowOf({tensors.data(), tensors.size()}, index);
        low && !is_contained(*assigned, *low))
      surfaces[*low] = std::move(input->low);
    float32 |= input->wasFloat32;
  }
  for (auto [index, tensor] : enumerate(tensors)) {
    if (tensor.kind == hw::TensorKind::Output) {
      surfaces[index].resize(tensor.bytes);
      continue;
    }
    if (!surfaces[index].empty())
      continue;
    if (!bindings.empty() && !flags.seed.getNumOccurrences())
      return inFile(flags.program,
                    makeError("no --input is given for '" + tensor.name +
                              "'; give one, or --seed=N for random data"));
    auto surface = mlir::ane::surfaceOfSeed(tensor, flags.seed);
    if (!surface)
      return inFile(flags.program, surface.takeError());
    surfaces[index] = std::move(*surface);
  }
  return Error::success();
}

/// Something to look at when a run takes long and somebody is looking.
std::function<void(size_t, size_t)> Run::progress() {
  if (!sys::Process::StandardErrIsDisplayed())
    return nullptr;
  auto start = std::chrono::steady_clock::now(), last = start;
  return [start, last](size_t done, size_t all) mutable {
    auto now = std::chrono::steady_clock::now();
    if (now - start < std::chrono::seconds(2))
      return;
    if (done == all)
      errs() << "\r\033[K";
    else if (now - last > std::chrono::milliseconds(200)) {
      errs() << "\rtask " << done << " of " << all;
      last = now;
    }
  };
}

Error Run::runProgram() {
  rt::RunOptions options;
  options.simulator.mode = flags.mode;
  if (flags.engineSums.getNumOccurrences())
    options.simulator.sums = flags.engineSums;
  options.simulator.threads = flags.threads;
  options.simulator.tracksSums = checksRange();
  options.simulator.progress = progress();
  auto result = session->run(surfaces, options);
  if (!result.ok())
    return inFile(flags.program, toError(result.status()));
  stats = std::move(result->stats);
  return Error::success();
}

void Run::writeRanges(raw_ostream &os) const {
  const hw::SumArithmetic sums = flags.engineSums.getNumOccurrences()
                                     ? flags.engineSums.getValue()
                                     : hw::info(program.generation).sums;
  if (flags.checkRange == "json")
    mlir::ane::writeRangesAsJson(os, sums, *stats, sources);
  else
    mlir::ane::writeRanges(os, sums, *stats, sources);
}

/// Writes the file `path` with the contents that `write` gives to a stream.
Error Run::writeFile(StringRef path, function_ref<void(raw_ostream &)> write) {
  Expected<raw_fd_ostream &> os = files.open(path);
  if (!os)
    return os.takeError();
  write(*os);
  return Error::success();
}

Error Run::writeResults() {
  for (auto [binding, index] : zip(outputs, outputTensors)) {
    auto bytes =
        mlir::ane::npyOfSurface(tensors[index], surfaces[index], float32);
    if (!bytes)
      return inFile(binding.path, bytes.takeError());
    if (Error error = writeFile(binding.path, [&](raw_ostream &os) {
          os.write(reinterpret_cast<const char *>(bytes->data()),
                   bytes->size());
        }))
      return error;
  }
  const hw::ChipInfo &chip = hw::chipOf(program.generation);
  std::string profile = flags.profile;
  if (flags.profile.getNumOccurrences() && profile.empty())
    profile = "-";
  using Writer = std::function<void(raw_ostream &)>;
  std::pair<std::string, Writer> reports[] = {
      {flags.stats,
       [&](raw_ostream &os) { mlir::ane::writeStats(os, chip, *stats); }},
      {profile,
       [&](raw_ostream &os) { mlir::ane::writeProfile(os, chip, *stats); }},
      {flags.trace,
       [&](raw_ostream &os) { mlir::ane::writeTrace(os, *stats); }},
      {checksRange() ? "-" : "", [&](raw_ostream &os) { writeRanges(os); }}};
  for (auto &[path, write] : reports)
    if (!path.empty())
      if (Error error = writeFile(path, write))
        return error;
  return files.commit();
}

/// Says what half precision has lost: a result may look right and not be.
void Run::warnOfValues() const {
  const std::string place = flags.program + ": warning: ";
  if (stats)
    return mlir::ane::writeSpecialValues(errs(), place, *stats, sources);
  auto values = [&](size_t index) {
    return sim::countValues(tensors[index], surfaces[index]);
  };
  // Nothing is known of what other devices have between inputs and outputs.
  for (auto [index, tensor] : enumerate(tensors))
    if (tensor.kind == hw::TensorKind::Input && values(index).hasSpecial())
      return;
  for (auto [index, tensor] : enumerate(tensors))
    if (tensor.kind == hw::TensorKind::Output)
      mlir::ane::writeSpecialValues(
          errs(), place, "output '" + tensor.name + "'", values(index));
}

Error Run::execute() {
  if (flags.engineSums.getNumOccurrences() && flags.mode != sim::Mode::Engine)
    return makeError("ane-run: error: --engine-sums is of --mode=engine; give "
                     "both or neither");
  if (flags.mode == sim::Mode::Count && !flags.outputs.empty())
    return makeError("ane-run: error: --mode=count computes nothing that "
                     "--output could write");
  if (flags.mode == sim::Mode::Count && checksRange())
    return makeError("ane-run: error: --mode=count computes nothing that "
                     "--check-range could look at");
  if (checksRange() && !is_contained({"", "json"}, flags.checkRange.getValue()))
    return makeError("ane-run: error: --check-range knows json or nothing, not "
                     "'" +
                     flags.checkRange + "'");
  std::string misuse =
      mlir::ane::describeMisuse(flags.category, {&flags.milRoot, &flags.sources,
                                                 &flags.stats, &flags.trace});
  if (!misuse.empty())
    return makeError("ane-run: error: " + misuse);
  if (Error error = checkFiles())
    return error;
  if (!flags.verifyAllow.empty() && !flags.verify)
    return makeError("ane-run: error: --verify-allow is of --verify; give "
                     "both or neither");
  if (flags.verify && (!flags.inputs.empty() || !flags.outputs.empty()))
    return makeError("ane-run: error: --verify looks at a program without "
                     "running it: --input and --output are of a run");
  if (flags.verify)
    return verify();
  if (Error error = load())
    return error;
  for (const std::string &rate : flags.rates) {
    absl::Status status = hw::setRate(program.generation, rate);
    if (!status.ok())
      return makeError("ane-run: error: --rate: " +
                       std::string(status.message()));
  }
  if (Error error = loadSources())
    return error;
  for (const std::string &text : flags.outputs)
    outputs.push_back(mlir::ane::parseBinding(text));
  auto assigned =
      mlir::ane::assignTensors(tensors, hw::TensorKind::Output, outputs);
  if (!assigned)
    return inFile(flags.program, assigned.takeError());
  outputTensors = std::move(*assigned);
  if (Error error = checkMemory())
    return error;
  if (Error error = prepareInputs())
    return error;
  if (Error error = runProgram())
    return error;
  if (Error error = writeResults())
    return makeError("ane-run: error: " + toString(std::move(error)));
  warnOfValues();
  return Error::success();
}

int mlir::ane::aneRunMain(int argc, char **argv) {
  mlir::ane::takeSignals("ane-run");
  InitLLVM init(argc, argv);
  mlir::ane::forgetOptionsOfLLVM();
  mlir::ane::setVersionPrinter();
  mlir::ane::explainFailedWrites("ane-run", {});
  Flags flags;
  cl::HideUnrelatedOptions(flags.category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (flags.listDevices)
    return listDevices();
  if (flags.doctor) {
    const std::vector<rt::Finding> findings = rt::examine();
    outs() << rt::describe(findings);
    return findings.empty() || !findings.back().good;
  }
  if (flags.program.empty()) {
    errs() << "ane-run: error: no program is given; see ane-run --help\n";
    return 1;
  }
  // A compiled model (.mlmodelc), or any other folder with the text of a network.
  SmallString<128> text(flags.program);
  sys::path::append(text, "model.mil");
  if (sys::fs::is_directory(flags.program) && sys::fs::exists(text))
    flags.program = std::string(text);
  if (Error error = Run(flags).execute()) {
    errs() << toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
