//===- RegisterPrograms.cpp - ane-run without MLIR ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tool of a build with ANE_RUNTIME_ONLY: reads .hwx and .anec files, verifies
// them and runs them on a device, and MIL text on one that compiles it. Its options are those of the whole ane-run
// with the same meaning, random data too; what needs a compiler or makes reports
// is not there.
//
//===----------------------------------------------------------------------===//

#include "ane/HW/AnecFile.h"
#include "ane/HW/Arrays.h"
#include "ane/HW/Container.h"
#include "ane/HW/Float16.h"
#include "ane/HW/Layout.h"
#include "ane/HW/Verifier.h"
#include "ane/Runtime/Device.h"
#include "ane/Runtime/Doctor.h"
#include "ane/Runtime/Session.h"
#include "ane/Support/Npy.h"
#include "ane/Support/Version.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <utility>

using namespace ane;

namespace {
const char *const help =
    "ane-run: runs a register program in the simulator or on a device\n\n"
    "  ane-run net.hwx --input x.npy --output y.npy       in their order\n"
    "  ane-run net.anec --input a=x.npy --output y=y.npy  by name\n"
    "  ane-run --verify net.hwx                           check, do not run\n"
    "  ane-run --list-devices\n"
    "  ane-run --doctor                                   what is missing\n\n"
    "  --device=KIND[:OPTIONS]   sim (default), apple or asahi; all know\n"
    "                      timeout=SECONDS and worker (docs/Devices.md)\n"
    "  --mil-root=DIR, --function=NAME   of MIL text, on device apple\n"
    "  --input=[NAME=]x.npy, --output=[NAME=]y.npy\n"
    "  --mode=exact|fast|engine|count   arithmetic of the simulator\n"
    "  --seed=N            random data for inputs without an --input\n"
    "  --threads=N         of the simulator; 0 (default): all\n"
    "  --memory-limit=MiB  for tensors and scratch memory (default: 1024)\n"
    "  --verify-allow=BLOCK.REGISTER.FIELD   any value of a hint\n"
    "  --version\n\n"
    "This build has no MLIR: compile networks and hwx IR elsewhere, and MIL "
    "text for\nother devices than apple.\n";

struct Flags {
  std::string program, device = "sim", mode = "exact", milRoot, function;
  std::vector<std::string> inputs, outputs, allowed;
  uint64_t seed = 0, threads = 0, memoryLimit = 1024;
  bool hasSeed = false, verify = false, listDevices = false, doctor = false,
       help = false, version = false;
};

using absl::InvalidArgumentError;
using absl::StrCat;
using absl::StrFormat;

} // namespace

static absl::StatusOr<Flags> parse(int argc, char **argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    std::string text = argv[i];
    if (!absl::StartsWith(text, "-") || text == "-") {
      if (!flags.program.empty())
        return InvalidArgumentError(
            StrFormat("'%s' is a second program; one is run at a time", text));
      flags.program = text;
      continue;
    }
    text.erase(0, text.find_first_not_of('-'));
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    std::string value =
        equals == std::string::npos ? "" : text.substr(equals + 1);
    if (bool *flag = name == "verify"         ? &flags.verify
                     : name == "list-devices" ? &flags.listDevices
                     : name == "doctor"       ? &flags.doctor
                     : name == "help"         ? &flags.help
                     : name == "version"      ? &flags.version
                                              : nullptr) {
      *flag = true;
      continue;
    }
    std::vector<std::string> *list = name == "input"          ? &flags.inputs
                                     : name == "output"       ? &flags.outputs
                                     : name == "verify-allow" ? &flags.allowed
                                                              : nullptr;
    std::string *word = name == "device"     ? &flags.device
                        : name == "mode"     ? &flags.mode
                        : name == "mil-root" ? &flags.milRoot
                        : name == "function" ? &flags.function
                                             : nullptr;
    uint64_t *number = name == "seed"           ? &flags.seed
                       : name == "threads"      ? &flags.threads
                       : name == "memory-limit" ? &flags.memoryLimit
                                                : nullptr;
    if (!list && !word && !number)
      return InvalidArgumentError(StrFormat(
          "unknown option --%s; see ane-run --help (the whole ane-run has more "
          "options than this build without MLIR)",
          name));
    if (equals == std::string::npos) {
      if (++i == argc)
        return InvalidArgumentError(StrFormat("--%s needs a value", name));
      value = argv[i];
    }
    if (list)
      list->push_back(value);
    if (word)
      *word = value;
    if (number && !absl::SimpleAtoi(value, number))
      return InvalidArgumentError(
          StrFormat("--%s=%s is no number", name, value));
    flags.hasSeed |= name == "seed";
  }
  return flags;
}

static absl::StatusOr<std::vector<uint8_t>> readFile(const std::string &path) {
  if (std::error_code none; std::filesystem::is_character_file(path, none))
    return absl::InvalidArgumentError(
        "cannot read: it is a device, not a file");
  errno = 0;
  std::ifstream file;
  if (path != "-")
    file.open(path, std::ios::binary);
  std::istream &in = path == "-" ? std::cin : file;
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in || bytes.empty())
    return absl::NotFoundError(
        StrCat("cannot read: ", errno ? std::strerror(errno) : "no bytes"));
  return bytes;
}

/// Beside the file, then in its place: a failure leaves what was there.
static absl::Status writeFile(const std::string &path,
                              absl::Span<const uint8_t> bytes) {
  auto write = [&](std::FILE *file) {
    return file &&
           std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  };
  if (path == "-") {
    if (write(stdout) && !std::fflush(stdout))
      return absl::OkStatus();
    return absl::UnknownError("cannot write to standard output");
  }
  const std::string beside = path + ".part";
  std::FILE *file = std::fopen(beside.c_str(), "wb");
  bool good = write(file);
  good &= file && !std::fclose(file);
  if (good && !std::rename(beside.c_str(), path.c_str()))
    return absl::OkStatus();
  const std::string why = std::strerror(errno);
  std::remove(beside.c_str());
  return absl::UnknownError(StrCat("cannot write: ", why));
}

static absl::StatusOr<hw::Program>
readProgram(const std::string &path, absl::Span<const uint8_t> bytes) {
  auto program = hw::readProgram(bytes);
  if (program.ok())
    return program;
  constexpr uint8_t magic[] = {0xce, 0xfa, 0xef, 0xbe};
  if (absl::StartsWith(
          absl::string_view(reinterpret_cast<const char *>(bytes.data()),
                            bytes.size()),
          absl::string_view(reinterpret_cast<const char *>(magic), 4)))
    return program;
  auto anec = hw::readAnec(bytes);
  if (anec.ok() || absl::EndsWith(path, ".anec") ||
      absl::EndsWith(path, ".ane"))
    return anec;
  return InvalidArgumentError(
      "neither a .hwx file, which starts with the bytes of 0xbeefface, nor an "
      ".anec file; this build has no compiler: make a program with ane-compile "
      "of a whole build");
}

namespace {
struct Binding {
  std::string path;
  size_t tensor;
};

} // namespace

static absl::StatusOr<std::vector<Binding>>
bind(absl::Span<const hw::Tensor> tensors, hw::TensorKind kind,
     const std::vector<std::string> &texts) {
  const char *what = kind == hw::TensorKind::Input ? "input" : "output";
  std::vector<size_t> free;
  std::vector<std::string> names;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].kind == kind) {
      free.push_back(i);
      // What is left of halves comes with them, or by name.
      if (!tensors[i].isLow)
        names.push_back(tensors[i].name);
    }
  auto isLow = [&](size_t tensor) { return tensors[tensor].isLow; };
  auto take = [&](size_t at) {
    const size_t tensor = free[at];
    free.erase(free.begin() + at);
    return tensor;
  };
  std::vector<Binding> result(texts.size());
  for (bool named : {true, false})
    for (size_t i = 0; i < texts.size(); ++i) {
      const size_t equals = texts[i].find('=');
      if ((equals != std::string::npos) != named)
        continue;
      if (!named)
        // NOLINTNEXTLINE(llvm-use-ranges): Abseil of Debian 12 has no erase_if.
        free.erase(std::remove_if(free.begin(), free.end(), isLow), free.end());
      size_t at = 0;
      if (named) {
        const std::string name = texts[i].substr(0, equals);
        while (at < free.size() && tensors[free[at]].name != name)
          ++at;
        if (at == free.size())
          return InvalidArgumentError(
              StrFormat("the program has no other %s '%s'; it has: %s", what,
                        name, absl::StrJoin(names, ", ")));
      } else if (free.empty()) {
        return InvalidArgumentError(StrFormat(
            "%d %ss are given, but the program has %d: %s", texts.size(), what,
            names.size(), absl::StrJoin(names, ", ")));
      }
      result[i] = {named ? texts[i].substr(equals + 1) : texts[i], take(at)};
    }
  return result;
}

static npy::Type arrayType(hw::ElementType type) {
  return type == hw::ElementType::Float16 ? npy::Type::Float16
         : type == hw::ElementType::Int8  ? npy::Type::Int8
                                          : npy::Type::UInt8;
}

static absl::StatusOr<hw::Elements> elementsOf(const hw::Tensor &tensor,
                                               absl::Span<const uint8_t> file,
                                               bool isPair, bool &isFloat32) {
  auto view = npy::parse(file);
  if (!view.ok())
    return view.status();
  auto withoutOnes = [](std::vector<uint64_t> shape) {
    shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
    return shape;
  };
  if (withoutOnes(view->shape) != withoutOnes(tensor.denseShape()))
    return InvalidArgumentError(
        StrFormat("the array has shape %s, but input '%s' has shape %s",
                  npy::shapeText(view->shape), tensor.name,
                  npy::shapeText(tensor.denseShape())));
  if (view->type == arrayType(tensor.type)) {
    hw::Elements elements;
    elements.dense.assign(view->data.begin(), view->data.end());
    elements.low.resize(isPair ? view->data.size() : 0);
    return elements;
  }
  if (view->type != npy::Type::Float32)
    return InvalidArgumentError(StrFormat(
        "the array holds %s, but input '%s' holds %s; save "
        "array.astype('float32') to have it rounded",
        npy::typeName(view->type), tensor.name, hw::elementName(tensor.type)));
  isFloat32 = true;
  return hw::narrow(tensor.type, view->data, isPair);
}

static std::vector<uint8_t> randomOf(const hw::Tensor &tensor, uint64_t seed) {
  // As the whole ane-run does.
  std::seed_seq sequence(tensor.name.begin(), tensor.name.end());
  std::vector<uint32_t> words(2);
  sequence.generate(words.begin(), words.end());
  std::mt19937_64 random(seed ^ (uint64_t(words[0]) << 32 | words[1]));
  const uint32_t size = hw::elementBytes(tensor.type);
  std::vector<uint8_t> dense(tensor.elementCount() * size);
  for (size_t i = 0; !tensor.isLow && i < dense.size(); i += size) {
    const uint64_t bits = random();
    if (tensor.type == hw::ElementType::Float16) {
      const uint16_t half =
          hw::toHalfBits(float(bits >> 40) / float(1 << 23) - 1.0f);
      std::memcpy(&dense[i], &half, sizeof(half));
    } else {
      dense[i] = static_cast<uint8_t>(bits);
    }
  }
  return dense;
}

static absl::Status in(const std::string &path, const absl::Status &status) {
  return absl::Status(status.code(),
                      StrCat(path, ": error: ", status.message()));
}

static absl::Status verify(const Flags &flags, const hw::Program &program) {
  hw::VerifyOptions options;
  options.allowed = flags.allowed;
  const hw::VerifyReport report = hw::verify(program, options);
  if (report.ok()) {
    std::printf("%s: %d tasks, %d accesses, all inside their memory\n",
                flags.program.c_str(), int(report.tasks), int(report.accesses));
    return absl::OkStatus();
  }
  std::string text;
  for (const hw::VerifyFault &fault : report.faults)
    absl::StrAppend(&text, text.empty() ? "" : "\n", flags.program, ": error: ",
                    fault.task ? StrCat("task ", *fault.task, ": ") : "",
                    fault.message);
  return InvalidArgumentError(text);
}

static absl::Status checkMemory(const Flags &flags,
                                const hw::Program &program) {
  uint64_t total = program.scratchBytes;
  for (const hw::Tensor &tensor : program.tensors)
    total = std::max(total, total + tensor.bytes);
  if (total >> 20 < flags.memoryLimit)
    return absl::OkStatus();
  return InvalidArgumentError(
      StrFormat("tensors and scratch memory have %d bytes, more than "
                "--memory-limit=%d MiB; give more if the program is to be "
                "trusted",
                total, flags.memoryLimit));
}

/// Null where the program is only to be verified.
static absl::StatusOr<std::unique_ptr<rt::Executable>>
load(rt::Device &device, const Flags &flags, absl::Span<const uint8_t> bytes,
     hw::Program &program) {
  const absl::string_view text(reinterpret_cast<const char *>(bytes.data()),
                               bytes.size());
  if (absl::StartsWith(text, "program(")) {
    if (!device.compilesMIL() || flags.verify)
      return InvalidArgumentError(
          "MIL text runs on a device that compiles it (--device=apple); for "
          "others compile it with ane-compile of a whole build");
    const size_t slash = flags.program.rfind('/');
    const std::string folder =
        slash == std::string::npos ? "." : flags.program.substr(0, slash + 1);
    auto model = rt::readMILModel(
        text, flags.milRoot.empty() ? folder : flags.milRoot, flags.function);
    if (!model.ok())
      return model.status();
    return device.loadMIL(*model);
  }
  auto read = readProgram(flags.program, bytes);
  if (!read.ok())
    return read.status();
  program = *std::move(read);
  if (flags.verify)
    return std::unique_ptr<rt::Executable>();
  if (absl::Status status = checkMemory(flags, program); !status.ok())
    return status;
  return device.needsFiles() ? device.loadFile(program, {flags.program, bytes})
                             : device.load(program);
}

static absl::Status run(const Flags &flags) {
  rt::RunOptions options;
  const std::pair<const char *, sim::Mode> modes[] = {
      {"exact", sim::Mode::Exact},
      {"fast", sim::Mode::Fast},
      {"engine", sim::Mode::Engine},
      {"count", sim::Mode::Count}};
  bool found = false;
  for (const auto &[name, mode] : modes)
    if (flags.mode == name) {
      options.simulator.mode = mode;
      found = true;
    }
  if (!found)
    return InvalidArgumentError(StrFormat(
        "--mode=%s is unknown; there are exact, fast, engine and count",
        flags.mode));
  if (flags.mode == "count" && !flags.outputs.empty())
    return InvalidArgumentError(
        "--mode=count computes nothing that --output could write");
  options.simulator.threads = flags.threads;
  auto bytes = readFile(flags.program);
  if (!bytes.ok())
    return in(flags.program, bytes.status());
  auto device = rt::openDevice(flags.device);
  if (!device.ok())
    return device.status();
  hw::Program program; // of text: nothing
  auto executable = load(**device, flags, *bytes, program);
  if (!executable.ok())
    return in(flags.program, executable.status());
  if (!*executable)
    return verify(flags, program);
  absl::Span<const hw::Tensor> tensors = (*executable)->tensors();
  auto inputs = bind(tensors, hw::TensorKind::Input, flags.inputs);
  if (!inputs.ok())
    return in(flags.program, inputs.status());
  auto outputs = bind(tensors, hw::TensorKind::Output, flags.outputs);
  if (!outputs.ok())
    return in(flags.program, outputs.status());
  bool isFloat32 = false;
  std::vector<std::vector<uint8_t>> surfaces;
  std::vector<uint8_t> low; // of the tensor before, until it is used
  for (size_t i = 0; i < tensors.size(); ++i) {
    surfaces.emplace_back(tensors[i].bytes);
    if (tensors[i].kind == hw::TensorKind::Output)
      continue;
    std::vector<uint8_t> dense = std::exchange(low, {});
    auto given = std::find_if(
        inputs->begin(), inputs->end(),
        [&](const Binding &binding) { return binding.tensor == i; });
    if (given != inputs->end()) {
      auto file = readFile(given->path);
      if (!file.ok())
        return in(given->path, file.status());
      auto read = elementsOf(tensors[i], *file,
                             hw::lowOf(tensors, i).has_value(), isFloat32);
      if (!read.ok())
        return in(given->path, read.status());
      dense = std::move(read->dense);
      low = std::move(read->low);
    } else if (!dense.empty()) {
      // Came with the numbers that it is left of.
    } else if (!inputs->empty() && !flags.hasSeed) {
      return in(flags.program,
                InvalidArgumentError(StrFormat(
                    "no --input is given for '%s'; give one, or --seed=N for "
                    "random data",
                    tensors[i].name)));
    } else {
      dense = randomOf(tensors[i], flags.seed);
    }
    if (absl::Status status =
            hw::packSurface(tensors[i], dense, absl::MakeSpan(surfaces.back()));
        !status.ok())
      return in(flags.program, status);
  }
  rt::Session session(*std::move(executable), (*device)->timeout());
  if (auto result = session.run(surfaces, options); !result.ok())
    return in(flags.program, result.status());
  for (const Binding &output : *outputs) {
    const hw::Tensor &tensor = tensors[output.tensor];
    const uint32_t size = hw::elementBytes(tensor.type);
    std::vector<uint8_t> dense(tensor.elementCount() * size);
    if (absl::Status status = hw::unpackSurface(tensor, surfaces[output.tensor],
                                                absl::MakeSpan(dense));
        !status.ok())
      return in(flags.program, status);
    std::vector<uint8_t> file =
        npy::header(isFloat32 ? npy::Type::Float32 : arrayType(tensor.type),
                    tensor.denseShape());
    if (isFloat32) {
      const std::vector<float> numbers = hw::widen(tensor.type, dense);
      const auto *bytes = reinterpret_cast<const uint8_t *>(numbers.data());
      file.insert(file.end(), bytes, bytes + numbers.size() * sizeof(float));
    } else {
      file.insert(file.end(), dense.begin(), dense.end());
    }
    if (absl::Status status = writeFile(output.path, file); !status.ok())
      return in(output.path, status);
  }
  return absl::OkStatus();
}

int main(int argc, char **argv) {
  auto fail = [](const std::string &message) {
    std::fprintf(stderr, "%s%s\n",
                 absl::StrContains(message, ": error: ") ? ""
                                                         : "ane-run: error: ",
                 message.c_str());
    return 1;
  };
  absl::StatusOr<Flags> flags = parse(argc, argv);
  if (!flags.ok())
    return fail(std::string(flags.status().message()));
  if (flags->help) {
    std::fputs(help, stdout);
    return 0;
  }
  if (flags->version) {
    std::printf("%s\nwithout MLIR: register programs only\n", version());
    return 0;
  }
  if (flags->doctor) {
    const std::vector<rt::Finding> findings = rt::examine();
    std::fputs(rt::describe(findings).c_str(), stdout);
    return findings.empty() || !findings.back().good;
  }
  if (flags->listDevices) {
    for (const std::unique_ptr<rt::Device> &device : rt::devices()) {
      const rt::DeviceInfo info = device->info();
      std::printf("%-6s  %-26s  %-8s  %s\n", info.kind.c_str(),
                  info.name.c_str(), info.generation.c_str(),
                  info.state.c_str());
      std::fputs(rt::describe(device->permissions()).c_str(), stdout);
    }
    return 0;
  }
  if (flags->program.empty())
    return fail("no program is given; see ane-run --help");
  if (absl::Status status = run(*flags); !status.ok())
    return fail(std::string(status.message()));
  return 0;
}
