//===- TranslateHWX.cpp - .hwx files in and out of the hwx dialect --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Target/HWX/HWXTranslation.h"

#include "ane/Dialect/HWX/IR/RegisterText.h"
#include "ane/HW/AnecFile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;

static LogicalResult report(Location loc, const absl::Status &status) {
  absl::string_view message = status.message();
  return emitError(loc) << StringRef(message.data(), message.size());
}

static FailureOr<hw::Container> readFile(Location loc, StringRef bytes) {
  absl::StatusOr<hw::Container> container = hw::readContainer(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  if (!container.ok())
    return report(loc, container.status());
  return *std::move(container);
}

FailureOr<hw::Container> mlir::ane::hwx::readForDump(Location loc,
                                                     StringRef bytes) {
  absl::Span<const uint8_t> file(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  absl::StatusOr<hw::Container> container = hw::readContainer(file);
  if (container.ok())
    return *std::move(container);
  // An .anec file has no magic. It has no load commands either.
  absl::StatusOr<hw::Program> program = hw::readAnec(file);
  if (!program.ok())
    return report(loc, container.status());
  hw::Container bare;
  bare.program = *std::move(program);
  bare.fileSize = file.size();
  return bare;
}

/// Reports words of a task with bits that no field of the register map covers.
static LogicalResult verifyTaskKnown(Location loc, const hw::RegisterMap &map,
                                     const hw::Task &task, size_t index) {
  LogicalResult result = success();
  auto check = [&](const hw::Register *reg, uint32_t word, const Twine &where) {
    if (uint32_t raw = describeWord(reg, word).raw)
      result = emitError(loc)
               << "task " << index << ": " << where << " has bits "
               << hexText(raw) << " without a name";
  };
  for (auto [i, word] : llvm::enumerate(task.header))
    check(map.headerWord(i), word, "header word " + Twine(i));
  for (const hw::Record &record : task.records) {
    check(nullptr, record.unknown, "record at " + hexText(record.address));
    for (auto [i, word] : llvm::enumerate(record.words)) {
      uint32_t address = record.addressOf(i);
      check(map.registerAt(address), word, "register " + hexText(address));
    }
  }
  return result;
}

static OwningOpRef<ModuleOp> import(MLIRContext *context, Location loc,
                                    const hw::Container &container,
                                    bool verifyKnown) {
  const hw::Program &program = container.program;
  if (verifyKnown) {
    bool known = true;
    for (auto [index, task] : llvm::enumerate(program.tasks))
      known &= succeeded(
          verifyTaskKnown(loc, hw::registers(program.generation), task, index));
    if (!known)
      return {};
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  importContainer(builder, loc, container);
  return module;
}

OwningOpRef<ModuleOp> mlir::ane::hwx::translateFromHWX(MLIRContext *context,
                                                       Location loc,
                                                       StringRef bytes,
                                                       bool verifyKnown) {
  context->loadDialect<HWXDialect>();
  FailureOr<hw::Container> container = readFile(loc, bytes);
  if (failed(container))
    return {};
  // A tensor may be of a kind that we do not know; its descriptor is kept.
  // Without some of the tasks the IR would be another program.
  if (absl::Status status = hw::checkComplete(*container, hw::Note::Tensor);
      !status.ok())
    return (void)report(loc, status), nullptr;
  return import(context, loc, *container, verifyKnown);
}

OwningOpRef<ModuleOp> mlir::ane::hwx::translateFromAnec(MLIRContext *context,
                                                        Location loc,
                                                        StringRef bytes,
                                                        bool verifyKnown) {
  context->loadDialect<HWXDialect>();
  absl::StatusOr<hw::Program> program = hw::readAnec(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  if (!program.ok())
    return (void)report(loc, program.status()), nullptr;
  // The container that such a program would have, so that nothing but the
  // program is in the IR.
  absl::StatusOr<hw::Container> container = hw::makeContainer(*program);
  if (!container.ok())
    return (void)report(loc, container.status()), nullptr;
  return import(context, loc, *container, verifyKnown);
}

/// The only program in `op`.
static FailureOr<ProgramOp> findProgram(Operation *op) {
  SmallVector<ProgramOp> programs;
  op->walk<WalkOrder::PreOrder>([&](ProgramOp program) {
    programs.push_back(program);
    return WalkResult::skip();
  });
  if (programs.empty())
    return emitError(op->getLoc())
           << "found no hwx.program op; ane-compile -o f.hwx makes one of a "
              "network, ane-opt --ane-pipeline as IR";
  if (programs.size() != 1)
    return emitError(op->getLoc()) << "found " << programs.size()
                                   << " hwx.program ops, but a file holds one";
  return programs.front();
}

static LogicalResult write(Location loc,
                           const absl::StatusOr<std::vector<uint8_t>> &file,
                           raw_ostream &os) {
  if (!file.ok())
    return report(loc, file.status());
  os.write(reinterpret_cast<const char *>(file->data()), file->size());
  return success();
}

LogicalResult mlir::ane::hwx::translateToHWX(Operation *op, raw_ostream &os) {
  FailureOr<ProgramOp> program = findProgram(op);
  if (failed(program))
    return failure();
  FailureOr<hw::Container> container = exportContainer(*program);
  if (failed(container))
    return failure();
  absl::Status status =
      hw::writeContainer(*container, [&](absl::Span<const uint8_t> bytes) {
        os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
      });
  return status.ok() ? success() : report(program->getLoc(), status);
}

LogicalResult mlir::ane::hwx::translateToAnec(Operation *op, raw_ostream &os) {
  FailureOr<ProgramOp> programOp = findProgram(op);
  if (failed(programOp))
    return failure();
  FailureOr<hw::Program> program = exportProgram(*programOp);
  if (failed(program))
    return failure();
  hw::clearIdleWords(*program);
  return write(programOp->getLoc(), hw::writeAnec(*program), os);
}
