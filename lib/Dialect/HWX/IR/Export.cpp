//===- Export.cpp - From hwx ops to a container ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/HWX/IR/Convert.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;

static InFlightDiagnostic report(Operation *op, const absl::Status &status) {
  absl::string_view message = status.message();
  // Not through the op, which would be printed with it.
  return emitError(op->getLoc()) << StringRef(message.data(), message.size());
}

template <typename To, typename From>
static void assignWords(To &to, ArrayRef<From> from) {
  llvm::copy(from, to.begin());
}

hw::Tensor mlir::ane::hwx::exportTensor(TensorOp op) {
  hw::Tensor tensor;
  tensor.name = op.getTensorName().str();
  tensor.kind = op.getKind() == TensorKind::Input ? hw::TensorKind::Input
                                                  : hw::TensorKind::Output;
  Type type = op.getElementType();
  tensor.type = type.isF16()               ? hw::ElementType::Float16
                : type.isUnsignedInteger() ? hw::ElementType::UInt8
                                           : hw::ElementType::Int8;
  assignWords(tensor.shape, op.getShape());
  assignWords(tensor.strides, op.getStrides());
  tensor.interleave = op.getInterleave();
  tensor.bytes = op.getSizeBytes();
  tensor.base = op.getBase();
  if (std::optional<ArrayRef<int64_t>> network = op.getNetwork())
    tensor.setDenseShape(llvm::to_vector_of<uint64_t>(*network));
  tensor.isLow = op.getLow();
  return tensor;
}

static FailureOr<hw::SharedBytes> exportConstants(ConstantsOp op) {
  auto asBytes = [](ArrayRef<char> data) {
    return absl::MakeConstSpan(reinterpret_cast<const uint8_t *>(data.data()),
                               data.size());
  };
  const uint64_t size = op.getValue().getShapedType().getNumElements();
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue())) {
    if (!dense.isSplat())
      return hw::SharedBytes(nullptr, asBytes(dense.getRawData()));
    constexpr uint64_t kMaxSplat = uint64_t(1) << 28;
    if (size > kMaxSplat)
      return op.emitError("a splat of ")
             << size << " bytes, expected at most " << kMaxSplat;
    return hw::SharedBytes(std::make_shared<const std::vector<uint8_t>>(
        size, static_cast<uint8_t>(dense.getRawData().front())));
  }
  auto resource = cast<DenseResourceElementsAttr>(op.getValue());
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return op.emitError("the resource '")
           << resource.getRawHandle().getKey() << "' has no data";
  if (blob->getData().size() != size)
    return op.emitError("the resource '")
           << resource.getRawHandle().getKey() << "' has "
           << blob->getData().size() << " bytes, expected " << size;
  return hw::SharedBytes(nullptr, asBytes(blob->getData()));
}

static hw::Task exportTask(TaskOp op) {
  hw::Task task;
  task.offset = op.getOffset();
  task.header.assign(op.getHeader().begin(), op.getHeader().end());
  for (RecordAttr record : op.getRecords().getAsRange<RecordAttr>())
    task.records.push_back(record.record());
  return task;
}

FailureOr<hw::Program> mlir::ane::hwx::exportProgram(ProgramOp op) {
  hw::Program program;
  StringRef target = op.getTarget();
  absl::StatusOr<hw::Generation> generation =
      hw::parseGeneration({target.data(), target.size()});
  if (!generation.ok())
    return report(op, generation.status());
  program.generation = *generation;
  program.name = op.getSymName().str();
  program.textBytes = op.getTextBytes();
  program.scratchBytes = op.getScratchBytes();
  for (Operation &inner : op.getBody().front()) {
    if (auto tensor = dyn_cast<TensorOp>(inner)) {
      program.tensors.push_back(exportTensor(tensor));
    } else if (auto task = dyn_cast<TaskOp>(inner)) {
      program.tasks.push_back(exportTask(task));
    } else if (auto constants = dyn_cast<ConstantsOp>(inner)) {
      FailureOr<hw::SharedBytes> bytes = exportConstants(constants);
      if (failed(bytes))
        return failure();
      program.constants = *bytes;
      program.kernelBytes = constants.getKernelBytes();
    }
  }
  return program;
}

static hw::LoadCommand exportCommand(CommandOp op) {
  hw::LoadCommand command;
  command.command = op.getCode();
  command.bytes.resize(8 + 4 * op.getWords().size());
  uint8_t *at = command.bytes.data();
  llvm::support::endian::write32le(at, op.getCode());
  llvm::support::endian::write32le(at + 4, command.bytes.size());
  for (auto [index, word] : llvm::enumerate(op.getWords()))
    llvm::support::endian::write32le(at + 8 + 4 * index, word);
  return command;
}

static hw::Segment exportSegment(SegmentOp op) {
  hw::Segment segment;
  segment.name = op.getSegmentName().str();
  segment.vmAddress = op.getVmAddress();
  segment.vmSize = op.getVmBytes();
  segment.fileOffset = op.getFileOffset();
  segment.fileSize = op.getFileBytes();
  segment.maxProtection = op.getMaxProtection();
  segment.initialProtection = op.getInitialProtection();
  segment.flags = op.getFlags();
  for (SectionOp inner : op.getOps<SectionOp>()) {
    hw::Section section;
    section.name = inner.getSectionName().str();
    section.segment = inner.getSegmentName().str();
    section.address = inner.getAddress();
    section.size = inner.getSizeBytes();
    section.fileOffset = inner.getFileOffset();
    section.alignLog2 = inner.getAlign();
    section.flags = inner.getFlags();
    assignWords(section.reserved, inner.getReserved());
    section.relocationOffset = inner.getRelocationOffset();
    ArrayRef<int32_t> words = inner.getRelocations();
    for (size_t i = 0; i + 1 < words.size(); i += 2)
      section.relocations.push_back(
          {uint32_t(words[i]), uint32_t(words[i + 1])});
    section.relocationCount = section.relocations.size();
    segment.sections.push_back(std::move(section));
  }
  return segment;
}

/// The container that `op` spells out around `program`.
static FailureOr<hw::Container> exportFile(ContainerOp op,
                                           hw::Program program) {
  hw::Container container;
  container.program = std::move(program);
  container.fileSize = op.getFileBytes();
  assignWords(container.header, op.getHeader());
  for (Operation &inner : op.getBody().front()) {
    if (auto segment = dyn_cast<SegmentOp>(inner)) {
      container.segments.push_back(exportSegment(segment));
      container.commands.push_back(
          hw::encodeSegment(container.segments.back()));
    } else if (auto command = dyn_cast<CommandOp>(inner)) {
      container.commands.push_back(exportCommand(command));
      if (!hw::isSegment(container.commands.back()))
        continue;
      absl::StatusOr<hw::Segment> segment =
          hw::decodeSegment(container.commands.back());
      if (!segment.ok())
        return report(command, segment.status());
      // Its relocations are in the residue.
      container.segments.push_back(*std::move(segment));
    } else if (auto symbol = dyn_cast<SymbolOp>(inner)) {
      container.symbols.push_back(
          {symbol.getSymbolName().str(), uint8_t(symbol.getType()),
           uint8_t(symbol.getSection()), uint16_t(symbol.getDescription()),
           uint64_t(symbol.getValue())});
    } else if (auto residue = dyn_cast<ResidueOp>(inner)) {
      ArrayRef<int8_t> bytes = residue.getBytes();
      container.residues.push_back(
          {uint64_t(residue.getOffset()), {bytes.begin(), bytes.end()}});
    }
  }
  return container;
}

static bool sameTensor(const hw::Tensor &a, const hw::Tensor &b) {
  return a.name == b.name && a.kind == b.kind && a.type == b.type &&
         a.shape == b.shape && a.strides == b.strides &&
         a.interleave == b.interleave && a.bytes == b.bytes && a.base == b.base;
}

/// A container that is spelled out repeats what the program says; whoever
/// changes one must change the other, and this finds where that was forgotten.
static LogicalResult checkAgreement(ContainerOp op,
                                    const hw::Container &container) {
  auto wayOut = [](InFlightDiagnostic diagnostic) -> LogicalResult {
    diagnostic.attachNote() << "without hwx.container the file is computed "
                               "from the program";
    return diagnostic;
  };
  absl::StatusOr<std::vector<uint8_t>> file = hw::writeContainer(container);
  if (!file.ok())
    return wayOut(report(op, file.status()));
  absl::StatusOr<hw::Container> again = hw::readContainer(*file);
  if (!again.ok())
    return wayOut(report(op, again.status()));
  const hw::Program &said = container.program, &read = again->program;
  if (said.name != read.name || said.scratchBytes != read.scratchBytes ||
      said.tensors.size() != read.tensors.size() ||
      said.tasks.size() != read.tasks.size())
    return wayOut(
        emitError(op.getLoc(),
                  "hwx.container contradicts the program: it has the name \"")
        << read.name << "\", " << read.tensors.size() << " tensors, "
        << read.tasks.size() << " tasks and " << read.scratchBytes
        << " bytes of scratch, not \"" << said.name << "\", "
        << said.tensors.size() << ", " << said.tasks.size() << " and "
        << said.scratchBytes);
  for (auto [a, b] : llvm::zip_equal(said.tensors, read.tensors))
    if (!sameTensor(a, b))
      return wayOut(emitError(op.getLoc(), "hwx.container describes tensor \"")
                    << b.name << "\" other than the hwx.tensor \"" << a.name
                    << "\" in its place");
  return success();
}

FailureOr<hw::Container> mlir::ane::hwx::exportContainer(ProgramOp op) {
  FailureOr<hw::Program> program = exportProgram(op);
  if (failed(program))
    return failure();
  for (ContainerOp file : op.getOps<ContainerOp>()) {
    FailureOr<hw::Container> container = exportFile(file, std::move(*program));
    if (failed(container) || failed(checkAgreement(file, *container)))
      return failure();
    return container;
  }
  hw::Signature signature;
  for (SignatureOp said : op.getOps<SignatureOp>()) {
    signature.programKind = said.getKind();
    signature.form =
        said.getForm() == 9 ? hw::ContainerForm::V9 : hw::ContainerForm::V4;
    signature.ident = said.getIdent().value_or("").str();
    if (ArrayAttr names = said.getStreamsAttr())
      for (StringAttr name : names.getAsRange<StringAttr>())
        signature.streamNames.push_back(name.str());
  }
  absl::StatusOr<hw::Container> container =
      hw::makeContainer(*program, signature);
  if (!container.ok())
    return report(op, container.status());
  return *std::move(container);
}
