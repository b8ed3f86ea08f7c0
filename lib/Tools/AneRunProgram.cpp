//===- AneRunProgram.cpp - Where a program comes from ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AneRunProgram.h"

#include "ane/Dialect/HWX/IR/Convert.h"
#include "ane/HW/AnecFile.h"
#include "ane/HW/Container.h"
#include "ane/InitAll.h"
#include "ane/Pipelines/Pipelines.h"
#include "ane/Target/MIL/MILTranslation.h"
#include "ane/Tools/CommandLine.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
namespace hw = ::ane::hw;

namespace mlir::ane {

static Error error(StringRef path, const Twine &message) {
  return createStringError(inconvertibleErrorCode(),
                           path + ": error: " + message);
}

std::string folderOf(StringRef path) {
  StringRef folder = sys::path::parent_path(path);
  return folder.empty() ? "." : folder.str();
}

ProgramReader::ProgramReader(StringRef milRoot)
    : milRoot(milRoot), context(MLIRContext::Threading::DISABLED) {
  context.loadDialect<hwx::HWXDialect>();
}

Expected<hw::Program>
ProgramReader::makeProgram(StringRef path, const MemoryBuffer &file,
                           function_ref<LogicalResult(SourceMgr &)> parse) {
  std::string text;
  raw_string_ostream os(text);
  SourceMgr sources;
  sources.AddNewSourceBuffer(
      MemoryBuffer::getMemBuffer(file.getMemBufferRef(),
                                 /*RequiresNullTerminator=*/false),
      SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context, os);
  auto failed = [&] {
    return createStringError(inconvertibleErrorCode(), StringRef(text).rtrim());
  };
  if (mlir::failed(parse(sources)))
    return failed();
  SmallVector<hwx::ProgramOp> programs(module->getOps<hwx::ProgramOp>());
  if (programs.size() != 1)
    return error(path, "has " + Twine(programs.size()) +
                           " hwx.program ops, expected 1; lower a network with "
                           "ane-compile");
  FailureOr<hw::Program> program = hwx::exportProgram(programs.front());
  if (mlir::failed(program))
    return failed();
  taskSources = TaskSources(programs.front(), sources);
  return *std::move(program);
}

Expected<hw::Program> ProgramReader::readModule(StringRef path,
                                                const MemoryBuffer &file) {
  // A network: its dialects are unknown here, so the parser would say less.
  if (!file.getBuffer().contains("hwx.program"))
    return error(path, "has no hwx.program; lower a network with ane-compile, "
                       "for --device=apple with -o net.mil");
  return makeProgram(path, file, [&](SourceMgr &sources) {
    module = parseSourceFile<ModuleOp>(sources, &context);
    return success(!!module);
  });
}

// As ane-compile does without options.
Expected<hw::Program> ProgramReader::compileNetwork(StringRef path,
                                                    const MemoryBuffer &file) {
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  context.printOpOnDiagnostic(false);
  return makeProgram(path, file, [&](SourceMgr &sources) -> LogicalResult {
    module = mil::translateFromMIL(sources, &context);
    if (!module)
      return failure();
    PassManager passes(&context);
    PipelineOptions options;
    options.milRoot = milRoot.empty() ? folderOf(path) : milRoot;
    if (mlir::failed(buildPipeline(passes, options, [&] {
          return emitError(UnknownLoc::get(&context));
        })))
      return failure();
    return passes.run(*module);
  });
}

Expected<hw::Program> ProgramReader::read(StringRef path,
                                          const MemoryBuffer &file) {
  StringRef bytes = file.getBuffer();
  auto data = absl::MakeConstSpan(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  auto failed = [&](const absl::Status &status) {
    absl::string_view message = status.message();
    return error(path, StringRef(message.data(), message.size()));
  };
  if (isContainer(bytes)) {
    auto program = hw::readProgram(data);
    if (!program.ok())
      return failed(program.status());
    return *std::move(program);
  }
  // It has no magic, but sizes that agree with that of the file.
  auto anec = hw::readAnec(data);
  if (anec.ok())
    return *std::move(anec);
  if (path.ends_with(".anec") || path.ends_with(".ane"))
    return failed(anec.status());
  if (mil::isMILText(bytes))
    return compileNetwork(path, file);
  if (path.ends_with(".mlir") || path == "-")
    return readModule(path, file);
  return error(path, "neither a .hwx file, which starts with the bytes of "
                     "0xbeefface, nor an .anec file (or .ane, as "
                     "other tools of Linux call it), nor named .mlir, nor MIL "
                     "text");
}

} // namespace mlir::ane
