//===- Registration.cpp - The flags of the .hwx translations --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Files/InputFiles.h"
#include "ane/Target/CheckFlags.h"
#include "ane/Target/HWX/DiffPrograms.h"
#include "ane/Target/HWX/ExtractWeights.h"
#include "ane/Target/HWX/HWXTranslation.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <deque>

using namespace mlir;
using namespace mlir::ane::hwx;

namespace {

enum class DumpFormat { Table, JSON };

// Options exist in tools that register the translations, and nowhere else.
struct Flags {
  llvm::cl::opt<DumpFormat> format{
      "dump-format",
      llvm::cl::desc("Format of --dump-hwx and --diff-hwx; --dump-hwx=json is\n"
                     "short for both"),
      llvm::cl::values(clEnumValN(DumpFormat::Table, "table", "for people"),
                       clEnumValN(DumpFormat::JSON, "json", "for programs")),
      llvm::cl::init(DumpFormat::Table)};
  llvm::cl::opt<std::string> explain{
      "explain", llvm::cl::value_desc("ADDRESS[:TASK]"),
      llvm::cl::desc(
          "With --dump-hwx: explain the value of a word. Prints its fields,\n"
          "the evidence for their meaning, and the rules of the encoder that\n"
          "set them. ADDRESS is the address of a register (13800), a word of\n"
          "the header ('header 3') or a name from --dump-hwx=json\n"
          "(Common.Cfg, Common.Cfg.TaskType, Header.NextSize). A file has no\n"
          "names of operations, so all rules that can set a field are "
          "printed")};
  llvm::cl::opt<std::string> sources{
      "sources", llvm::cl::value_desc("report.json"),
      llvm::cl::desc("With --dump-hwx and --extract-weights: the report of\n"
                     "ane-compile, which has the source operations of the\n"
                     "tasks")};
  llvm::cl::opt<std::string> diffWith{
      "diff-with", llvm::cl::value_desc("file"), llvm::cl::Hidden,
      llvm::cl::desc("The second file of --diff-hwx")};
  llvm::cl::opt<bool> verifyKnown{
      "verify-known",
      llvm::cl::desc("With --from-hwx and --from-anec: fail on register bits\n"
                     "without a name")};
};

} // namespace

/// The file as a place for errors; it has no lines.
static Location fileLocation(const llvm::MemoryBuffer &buffer,
                             MLIRContext *context) {
  return FileLineColLoc::get(context, buffer.getBufferIdentifier(), 0, 0);
}

/// Where --extract-weights writes; MLIR's driver knows no folders.
static std::string &getWeightsFolder() {
  static std::string folder;
  return folder;
}

static FailureOr<TaskNames> readNames(Location loc, StringRef program,
                                      const ::ane::hw::Container &container,
                                      const Flags &flags,
                                      const HWXHooks &hooks) {
  if (flags.sources.empty())
    return TaskNames();
  llvm::Expected<TaskNames> names =
      hooks.nameTasks(flags.sources, program, container.program.tasks.size());
  if (!names)
    return emitError(loc) << llvm::toString(names.takeError());
  return std::move(*names);
}

static LogicalResult dump(const llvm::MemoryBuffer &buffer, raw_ostream &os,
                          MLIRContext *context, const Flags &flags,
                          const HWXHooks &hooks) {
  FailureOr<::ane::hw::Container> container =
      readForDump(fileLocation(buffer, context), buffer.getBuffer());
  if (failed(container))
    return failure();
  if (!flags.explain.empty())
    return hooks.explain(fileLocation(buffer, context), *container,
                         flags.explain, os);
  FailureOr<TaskNames> names =
      readNames(fileLocation(buffer, context), buffer.getBufferIdentifier(),
                *container, flags, hooks);
  if (failed(names))
    return failure();
  if (flags.format == DumpFormat::JSON)
    dumpJSON(*container, *names, os);
  else
    dumpTable(*container, *names, os);
  return success();
}

static LogicalResult diff(const llvm::MemoryBuffer &first, raw_ostream &os,
                          MLIRContext *context, const Flags &flags,
                          const HWXHooks &hooks) {
  Location loc = fileLocation(first, context);
  if (flags.diffWith.empty())
    return emitError(loc, "--diff-hwx compares two files; give both: "
                          "ane-translate --diff-hwx a.hwx b.hwx");
  auto second = mlir::ane::readInput(flags.diffWith);
  if (!second)
    return emitError(
               FileLineColLoc::get(context, flags.diffWith.getValue(), 0, 0))
           << "cannot open: " << second.getError().message();
  FailureOr<::ane::hw::Container> a = readForDump(loc, first.getBuffer());
  if (failed(a))
    return failure();
  FailureOr<::ane::hw::Container> b =
      readForDump(fileLocation(**second, context), (*second)->getBuffer());
  if (failed(b))
    return failure();
  ProgramDifference difference =
      diffPrograms(*a, first.getBuffer(), *b, (*second)->getBuffer());
  if (flags.format == DumpFormat::JSON)
    printDifferenceJSON(difference, os);
  else
    printDifference(difference, os);
  if (!difference.equal && hooks.differs)
    *hooks.differs = true;
  return success();
}

/// Whether the file `path` lies in `folder`, which would be replaced.
static bool isIn(StringRef path, StringRef folder) {
  SmallString<256> inner, outer;
  if (llvm::sys::fs::real_path(path, inner) ||
      llvm::sys::fs::real_path(folder, outer))
    return false;
  StringRef rest = inner;
  return rest.consume_front(outer) && rest.starts_with("/");
}

static LogicalResult extract(const llvm::MemoryBuffer &buffer,
                             MLIRContext *context, const Flags &flags,
                             const HWXHooks &hooks) {
  Location loc = fileLocation(buffer, context);
  StringRef folder = getWeightsFolder(), file = buffer.getBufferIdentifier();
  if (isIn(file, folder))
    return emitError(loc) << "the file lies in folder '" << folder
                          << "', which -o would replace; give another folder";
  FailureOr<::ane::hw::Container> container =
      readForDump(loc, buffer.getBuffer());
  if (failed(container))
    return failure();
  FailureOr<TaskNames> names = readNames(loc, file, *container, flags, hooks);
  if (failed(names))
    return failure();
  return extractWeights(loc, container->program, *names, folder,
                        *hooks.outputs);
}

void mlir::ane::hwx::registerHWXTranslations(const HWXHooks &hooks) {
  auto registerDialects = hooks.registerDialects;
  static Flags flags;
  TranslateToMLIRRegistration from(
      "from-hwx", "register program (.hwx) to hwx dialect",
      [](llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        const auto *buffer = sources.getMemoryBuffer(sources.getMainFileID());
        Location loc = fileLocation(*buffer, context);
        if (failed(checkFlags(loc, "from-hwx")))
          return {};
        return translateFromHWX(context, loc, buffer->getBuffer(),
                                flags.verifyKnown);
      });
  TranslateFromMLIRRegistration to(
      "to-hwx", "hwx dialect to register program (.hwx)",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        if (failed(checkFlags(op, "to-hwx")))
          return failure();
        return translateToHWX(op, os);
      },
      // Of networks, too, so that they are told what makes programs of them.
      [registerDialects](DialectRegistry &registry) {
        registerDialects(registry);
      });
  TranslateToMLIRRegistration fromAnec(
      "from-anec",
      "register program of the Linux driver (.anec) to hwx dialect",
      [](llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        const auto *buffer = sources.getMemoryBuffer(sources.getMainFileID());
        Location loc = fileLocation(*buffer, context);
        if (failed(checkFlags(loc, "from-anec")))
          return {};
        return translateFromAnec(context, loc, buffer->getBuffer(),
                                 flags.verifyKnown);
      });
  TranslateFromMLIRRegistration toAnec(
      "to-anec", "hwx dialect to register program of the Linux driver (.anec)",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        if (failed(checkFlags(op, "to-anec")))
          return failure();
        return translateToAnec(op, os);
      },
      [registerDialects](DialectRegistry &registry) {
        registerDialects(registry);
      });
  TranslateRegistration dumping(
      "dump-hwx",
      "register program (.hwx or .anec) as a table for people; "
      "--dump-hwx=json for programs",
      [hooks](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &os,
              MLIRContext *context) -> LogicalResult {
        const auto *buffer = sources->getMemoryBuffer(sources->getMainFileID());
        if (failed(checkFlags(fileLocation(*buffer, context), "dump-hwx")))
          return failure();
        return dump(*buffer, os, context, flags, hooks);
      });
  TranslateRegistration diffing(
      "diff-hwx",
      "compares two register programs (.hwx or .anec), field by field; exits "
      "with 1 where they differ; --diff-hwx=json for programs",
      [hooks](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &os,
              MLIRContext *context) -> LogicalResult {
        const auto *buffer = sources->getMemoryBuffer(sources->getMainFileID());
        if (failed(checkFlags(fileLocation(*buffer, context), "diff-hwx")))
          return failure();
        return diff(*buffer, os, context, flags, hooks);
      });
  if (!hooks.outputs)
    return;
  TranslateRegistration extracting(
      "extract-weights",
      "weights of a register program (.hwx or .anec) as .npy arrays in the "
      "folder -o",
      [hooks](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &,
              MLIRContext *context) -> LogicalResult {
        const auto *buffer = sources->getMemoryBuffer(sources->getMainFileID());
        if (failed(
                checkFlags(fileLocation(*buffer, context), "extract-weights")))
          return failure();
        return extract(*buffer, context, flags, hooks);
      });
}

/// A text that lives as long as the process.
static char *keep(const llvm::Twine &text) {
  static std::deque<std::string> storage;
  return storage.emplace_back(text.str()).data();
}

SmallVector<char *> mlir::ane::hwx::splitFlags(ArrayRef<char *> given) {
  SmallVector<char *> arguments;
  bool isDiff = false, isExtract = false;
  for (char *argument : given) {
    StringRef text = argument;
    StringRef name = text.ltrim('-').split('=').first,
              value = text.split('=').second;
    bool isFlag = text.starts_with("-");
    isDiff |= isFlag && name == "diff-hwx";
    isExtract |= isFlag && text.ltrim('-') == "extract-weights";
    if (!isFlag || !text.contains('=') ||
        (name != "dump-hwx" && name != "diff-hwx")) {
      arguments.push_back(argument);
      continue;
    }
    arguments.append({keep("--" + name), keep("--dump-format=" + value)});
  }
  if (isDiff) {
    // MLIR's driver takes one input.
    size_t files = 0;
    for (size_t i = 1; i < arguments.size(); ++i) {
      StringRef text = arguments[i];
      if (text == "-o" || text == "--o")
        ++i;
      else if ((text == "-" || !text.starts_with("-")) && ++files == 2)
        arguments[i] = keep("--diff-with=" + text);
    }
  }
  if (isExtract)
    for (size_t i = 1; i < arguments.size(); ++i) {
      StringRef text = arguments[i];
      if ((text == "-o" || text == "--o") && i + 1 < arguments.size()) {
        getWeightsFolder() = arguments[i + 1];
        arguments[i + 1] = keep("-");
      } else if (text.starts_with("-o=") || text.starts_with("--o=")) {
        getWeightsFolder() = text.split('=').second.str();
        arguments[i] = keep("-o=-");
      }
    }
  arguments.push_back(nullptr);
  return arguments;
}
