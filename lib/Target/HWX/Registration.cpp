//===- Registration.cpp - The flags of the .hwx translations --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Target/CheckFlags.h"
#include "ane/Target/HWX/HWXTranslation.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::ane::hwx;

namespace {

enum class DumpFormat { Table, JSON };

// Options exist in tools that register the translations, and nowhere else.
struct Flags {
  llvm::cl::opt<DumpFormat> format{
      "dump-format",
      llvm::cl::desc("Format of --dump-hwx; --dump-hwx=json is short for both"),
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

static LogicalResult dump(const llvm::MemoryBuffer &buffer, raw_ostream &os,
                          MLIRContext *context, const Flags &flags,
                          Explainer explain) {
  FailureOr<::ane::hw::Container> container =
      readForDump(fileLocation(buffer, context), buffer.getBuffer());
  if (failed(container))
    return failure();
  if (!flags.explain.empty())
    return explain(fileLocation(buffer, context), *container, flags.explain,
                   os);
  if (flags.format == DumpFormat::JSON)
    dumpJSON(*container, os);
  else
    dumpTable(*container, os);
  return success();
}

void mlir::ane::hwx::registerHWXTranslations(
    void (*registerDialects)(DialectRegistry &), Explainer explain) {
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
      [explain](const std::shared_ptr<llvm::SourceMgr> &sources,
                raw_ostream &os, MLIRContext *context) -> LogicalResult {
        const auto *buffer = sources->getMemoryBuffer(sources->getMainFileID());
        if (failed(checkFlags(fileLocation(*buffer, context), "dump-hwx")))
          return failure();
        return dump(*buffer, os, context, flags, explain);
      });
}

SmallVector<char *> mlir::ane::hwx::splitDumpFlag(int argc, char **argv) {
  static char dumpFlag[] = "--dump-hwx";
  static std::string format;
  SmallVector<char *> arguments;
  for (char *argument : llvm::ArrayRef(argv, argc)) {
    StringRef value = argument;
    if (!value.consume_front("--dump-hwx=") &&
        !value.consume_front("-dump-hwx=")) {
      arguments.push_back(argument);
      continue;
    }
    format = ("--dump-format=" + value).str();
    arguments.append({dumpFlag, format.data()});
  }
  arguments.push_back(nullptr);
  return arguments;
}
