//===- CommandLine.cpp - What the command lines of tools share ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/CommandLine.h"

#include "ane/Files/OutputFiles.h"
#include "ane/Support/Version.h"
#include "ane/Target/MIL/MILTranslation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <vector>

using namespace llvm;

namespace mlir::ane {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

void forgetOptionsOfLLVM() {
  std::vector<cl::Option *> foreign; // one option may have several names
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (!name.starts_with("help") && name != "version" &&
        !is_contained(foreign, option))
      foreign.push_back(option);
  for (cl::Option *option : foreign)
    option->removeArgument();
}

void setVersionPrinter() {
  cl::SetVersionPrinter([](raw_ostream &os) {
    os << ::ane::version() << "\nLLVM " << LLVM_VERSION_STRING << "\n";
  });
}

std::vector<std::string> splitShapes(ArrayRef<std::string> texts) {
  std::vector<std::string> shapes;
  for (StringRef text : texts) {
    bool isFirst = true;
    for (StringRef part : split(text, ',')) {
      bool isSize = !part.empty() && all_of(part, isDigit);
      if (isSize && !isFirst)
        shapes.back() += "," + part.str();
      else
        shapes.push_back(part.str());
      isFirst = false;
    }
  }
  return shapes;
}

static std::string flagOf(const cl::Option &option) {
  return (option.ArgStr.size() == 1 ? "-" : "--") + option.ArgStr.str();
}

std::string describeMisuse(const cl::OptionCategory &category,
                           ArrayRef<const cl::opt<std::string> *> needValue) {
  for (auto &[name, option] : cl::getRegisteredOptions()) {
    bool isList = option->getNumOccurrencesFlag() == cl::ZeroOrMore ||
                  option->getNumOccurrencesFlag() == cl::OneOrMore;
    if (is_contained(option->Categories, &category) && !isList &&
        option->getNumOccurrences() > 1)
      return flagOf(*option) + " is given " +
             std::to_string(option->getNumOccurrences()) +
             " times, expected once";
  }
  for (const cl::opt<std::string> *option : needValue)
    if (option->getNumOccurrences() && option->empty())
      return flagOf(*option) + " has an empty value; give one, or leave " +
             flagOf(*option) + " out";
  return "";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

bool isSameFile(StringRef a, StringRef b) {
  sys::fs::file_status status;
  if (a.empty() || a == "-" || b.empty() || b == "-" ||
      (!sys::fs::status(a, status) && sys::fs::is_other(status)))
    return false;
  if (sys::fs::equivalent(a, b))
    return true;
  SmallString<128> paths[] = {a, b};
  for (SmallString<128> &path : paths) {
    sys::fs::make_absolute(path);
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  }
  return paths[0] == paths[1];
}

/// Two of `files` that are '-': whoever reads the second finds nothing, and
/// what is written is a mixture.
static std::string describeStreamClash(ArrayRef<NamedFile> files,
                                       StringRef stream) {
  const NamedFile *first = nullptr;
  for (const NamedFile &file : files) {
    if (file.path != "-")
      continue;
    if (first)
      return (file.what + " and " + first->what + " are both " + stream +
              "; name a file for one of them")
          .str();
    first = &file;
  }
  return "";
}

/// The real path of `path`, or of the nearest folder above that exists.
static SmallString<128> nearestPath(StringRef path) {
  SmallString<128> absolute(path), real;
  sys::fs::make_absolute(absolute);
  sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  for (StringRef at = absolute; !at.empty(); at = sys::path::parent_path(at))
    if (!sys::fs::real_path(at, real))
      return real;
  return absolute;
}

/// Whether `path` lies in the folder `folder`, which is a package: other
/// folders are where people have their files.
static bool isInPackage(StringRef path, StringRef folder) {
  if (sys::path::filename(folder) == "Manifest.json")
    folder = sys::path::parent_path(folder);
  SmallString<128> manifest(folder);
  sys::path::append(manifest, "Manifest.json");
  if (path.empty() || path == "-" || folder.empty() ||
      !sys::fs::is_regular_file(manifest))
    return false;
  SmallString<128> inner = nearestPath(path), outer = nearestPath(folder);
  StringRef rest = inner;
  return rest.consume_front(outer) &&
         (rest.empty() || sys::path::is_separator(rest.front()));
}

std::string describeClash(ArrayRef<NamedFile> inputs,
                          ArrayRef<NamedFile> outputs) {
  for (const NamedFile &output : outputs)
    for (const NamedFile &input : inputs) {
      if (isSameFile(output.path, input.path))
        continue;
      if (isInPackage(output.path, input.path))
        return output.what + " would write '" + output.path + "' into '" +
               input.path + "', which is " + input.what +
               "; give it another place";
      if (isInPackage(input.path, output.path))
        return output.what + " would replace '" + output.path + "', in which " +
               input.what + " '" + input.path + "' lies; give it another name";
    }
  for (auto [i, output] : enumerate(outputs))
    for (const NamedFile &other :
         concat<const NamedFile>(inputs, outputs.take_front(i)))
      if (isSameFile(output.path, other.path))
        return output.what + " would write over '" + other.path +
               "', which is " + other.what + "; give it another name";
  std::string clash = describeStreamClash(inputs, "standard input");
  return clash.empty() ? describeStreamClash(outputs, "standard output")
                       : clash;
}

/// Of `TOOL INPUT... -o OUTPUT`.
static StringRef splitFiles(ArrayRef<char *> arguments,
                            std::vector<NamedFile> &inputs) {
  StringRef output;
  for (size_t i = 1; i < arguments.size() && arguments[i]; ++i) {
    StringRef argument = arguments[i];
    if ((argument == "-o" || argument == "--o") && i + 1 < arguments.size() &&
        arguments[i + 1])
      output = arguments[++i];
    else if (argument.consume_front("-o=") || argument.consume_front("--o="))
      output = argument;
    else if (!argument.starts_with("-"))
      inputs.push_back({"the input", argument.str()});
  }
  return output;
}

std::string describeClash(ArrayRef<char *> arguments) {
  std::vector<NamedFile> inputs;
  StringRef output = splitFiles(arguments, inputs);
  return describeClash(inputs, {{"-o", output.str()}});
}

//===----------------------------------------------------------------------===//
// What drivers of MLIR write
//===----------------------------------------------------------------------===//

int writeBeside(StringRef tool, StringRef output, OutputFiles &outputs,
                function_ref<LogicalResult(StringRef)> run) {
  auto fail = [&](Error error) {
    WithColor::error(errs(), tool) << toString(std::move(error)) << "\n";
    return 1;
  };
  Expected<std::string> file = outputs.reserve(output.empty() ? "-" : output);
  if (!file)
    return fail(file.takeError());
  if (run(*file).failed())
    return 1;
  Error error = outputs.commit();
  return error ? fail(std::move(error)) : 0;
}

int writeBeside(StringRef tool, ArrayRef<char *> arguments,
                OutputFiles &outputs,
                function_ref<LogicalResult(int, char **)> run) {
  std::vector<NamedFile> inputs;
  StringRef output = splitFiles(arguments, inputs);
  return writeBeside(tool, output, outputs, [&](StringRef file) {
    // A value is all of an argument or follows a '='.
    std::string named = ("-o=" + file).str();
    SmallVector<char *> replaced;
    for (char *argument : arguments) {
      if (!argument)
        break;
      StringRef text = argument;
      bool isOutput = !output.empty() && text.ends_with(output) &&
                      text.data() + text.size() == output.end();
      if (isOutput && text.size() == output.size())
        replaced.pop_back(); // the -o before it
      replaced.push_back(isOutput ? named.data() : argument);
    }
    int count = replaced.size();
    replaced.push_back(nullptr);
    return run(count, replaced.data());
  });
}

void explainFailedWrites(StringRef tool, ArrayRef<char *> arguments) {
  struct Subject {
    std::string tool, output;
  };
  // The handler stays as long as the process.
  static Subject subject;
  std::vector<NamedFile> inputs;
  StringRef output = splitFiles(arguments, inputs);
  subject.tool = tool.str();
  subject.output = output.empty() || output == "-" ? "standard output"
                                                   : "'" + output.str() + "'";
  remove_fatal_error_handler();
  install_fatal_error_handler([](void *, const char *reason, bool) {
    StringRef what = reason;
    raw_ostream &os = WithColor::error(errs(), subject.tool);
    if (what.consume_front("IO failure on output stream: "))
      os << "cannot write " << subject.output << ": ";
    os << what << "\n";
  });
}

//===----------------------------------------------------------------------===//
// Kinds of files
//===----------------------------------------------------------------------===//

bool isContainer(StringRef bytes) {
  constexpr uint32_t magic = 0xbeefface;
  return bytes.size() >= 4 && support::endian::read32le(bytes.data()) == magic;
}

std::string describeForeign(StringRef path) {
  auto say = [&](StringRef kind, StringRef flag) {
    return ("'" + path + "' is " + kind + ", expected MLIR; ane-translate --" +
            flag + " makes it of that")
        .str();
  };
  if (path == "-")
    return "";
  if (sys::fs::is_directory(path))
    return say("a folder", "from-mlpackage");
  constexpr size_t headBytes = 1 << 12;
  auto head = MemoryBuffer::getFileSlice(path, headBytes, 0);
  if (!head)
    return "";
  if (isContainer((*head)->getBuffer()))
    return say("a register program", "from-hwx");
  if (path.ends_with(".anec") || path.ends_with(".ane"))
    return say("a register program", "from-anec");
  return mil::isMILText((*head)->getBuffer()) ? say("MIL text", "from-mil")
                                              : "";
}

} // namespace mlir::ane
