//===- Import.cpp - From a container to hwx ops ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/HWX/IR/Convert.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;

namespace {

class Importer {
public:
  Importer(OpBuilder &builder, Location loc, const hw::Container &container)
      : builder(builder), loc(loc), container(container) {}

  ProgramOp import();

private:
  void importTensor(const hw::Tensor &tensor);
  void importConstants();
  void importTask(const hw::Task &task, size_t index);
  void importSurroundings();
  void importSignature(const hw::Signature &signature);
  void importFile();
  void importSegment(const hw::Segment &segment);
  void importResidue(uint64_t offset, ArrayRef<int8_t> bytes);
  void importCommand(const hw::LoadCommand &command);

  DenseI32ArrayAttr words(ArrayRef<uint32_t> values) {
    return builder.getDenseI32ArrayAttr(
        SmallVector<int32_t>(values.begin(), values.end()));
  }

  OpBuilder &builder;
  Location loc;
  const hw::Container &container;
};

} // namespace

void Importer::importTensor(const hw::Tensor &tensor) {
  Type type = builder.getF16Type();
  if (tensor.type == hw::ElementType::Int8)
    type = builder.getI8Type();
  else if (tensor.type == hw::ElementType::UInt8)
    type = builder.getIntegerType(8, /*isSigned=*/false);
  TensorOp::create(
      builder, loc,
      tensor.kind == hw::TensorKind::Input ? TensorKind::Input
                                           : TensorKind::Output,
      tensor.name, tensor.base,
      SmallVector<int64_t>(tensor.shape.begin(), tensor.shape.end()),
      SmallVector<int64_t>(tensor.strides.begin(), tensor.strides.end()), type,
      tensor.bytes, tensor.interleave,
      tensor.networkShape
          ? builder.getDenseI64ArrayAttr(
                llvm::to_vector_of<int64_t>(*tensor.networkShape))
          : DenseI64ArrayAttr(),
      tensor.isLow);
}

void Importer::importConstants() {
  hw::SharedBytes constants = container.program.constants;
  if (!constants)
    return;
  auto type =
      RankedTensorType::get({static_cast<int64_t>(constants->size())},
                            builder.getIntegerType(8, /*isSigned=*/false));
  ArrayRef<char> bytes(reinterpret_cast<const char *>(constants->data()),
                       constants->size());
  ElementsAttr value;
  if (llvm::all_equal(bytes)) {
    value = DenseElementsAttr::getFromRawBuffer(type, bytes.take_front(1));
  } else {
    // The blob keeps the bytes alive through the deleter, which frees nothing.
    AsmResourceBlob blob(
        bytes, /*dataAlignment=*/1, [constants](void *, size_t, size_t) {},
        /*dataIsMutable=*/false);
    value = DenseResourceElementsAttr::get(type, "constants", std::move(blob));
  }
  ConstantsOp::create(builder, loc, value, container.program.kernelBytes);
}

void Importer::importTask(const hw::Task &task, size_t index) {
  SmallVector<Attribute> records;
  for (const hw::Record &record : task.records)
    records.push_back(RecordAttr::get(builder.getContext(), record));
  // The text of a task needs the register map before that of its program.
  StringAttr target;
  if (container.program.generation != hw::Generation::H13)
    target = builder.getStringAttr(hw::info(container.program.generation).name);
  TaskOp::create(builder, loc, ("td" + Twine(index)).str(), target, task.offset,
                 SmallVector<int32_t>(task.header.begin(), task.header.end()),
                 builder.getArrayAttr(records));
}

static int64_t formVersion(hw::ContainerForm form) {
  return form == hw::ContainerForm::V9 ? 9 : 4;
}

void Importer::importSignature(const hw::Signature &signature) {
  SmallVector<StringRef> names(signature.streamNames.begin(),
                               signature.streamNames.end());
  SignatureOp::create(
      builder, loc, builder.getI64IntegerAttr(signature.programKind),
      builder.getI64IntegerAttr(formVersion(signature.form)),
      signature.ident.empty() ? StringAttr()
                              : builder.getStringAttr(signature.ident),
      names.empty() ? ArrayAttr() : builder.getStrArrayAttr(names));
}

void Importer::importSegment(const hw::Segment &segment) {
  auto op = SegmentOp::create(builder, loc, segment.name, segment.vmAddress,
                              segment.vmSize, segment.fileOffset,
                              segment.fileSize, segment.maxProtection,
                              segment.initialProtection, segment.flags);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&op.getBody());
  for (const hw::Section &section : segment.sections) {
    SmallVector<uint32_t> relocations;
    for (const hw::Relocation &relocation : section.relocations)
      relocations.append({relocation.address, relocation.info});
    SectionOp::create(
        builder, loc, section.name, section.segment, section.address,
        section.size, section.fileOffset, section.alignLog2, section.flags,
        SmallVector<int32_t>(section.reserved.begin(), section.reserved.end()),
        section.relocationOffset,
        SmallVector<int32_t>(relocations.begin(), relocations.end()));
  }
}

void Importer::importCommand(const hw::LoadCommand &command) {
  SmallVector<uint32_t> values;
  for (size_t i = 8; i + 4 <= command.bytes.size(); i += 4)
    values.push_back(llvm::support::endian::read32le(&command.bytes[i]));
  CommandOp::create(builder, loc, builder.getI32IntegerAttr(command.command),
                    words(values));
}

void Importer::importResidue(uint64_t offset, ArrayRef<int8_t> bytes) {
  ResidueOp::create(builder, loc, builder.getI64IntegerAttr(offset),
                    builder.getDenseI8ArrayAttr(bytes));
}

void Importer::importFile() {
  auto op = ContainerOp::create(
      builder, loc, container.fileSize,
      SmallVector<int32_t>(container.header.begin(), container.header.end()));
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&op.getBody());
  size_t segment = 0;
  std::vector<hw::Section> relocated;
  for (const hw::LoadCommand &command : container.commands) {
    if (!hw::isSegment(command)) {
      importCommand(command);
      continue;
    }
    // A segment whose fields do not give its bytes back stays a command; its
    // relocations become residue then.
    const hw::Segment &decoded = container.segments[segment++];
    if (hw::encodeSegment(decoded).bytes == command.bytes) {
      importSegment(decoded);
      continue;
    }
    importCommand(command);
    llvm::append_range(relocated, decoded.sections);
  }
  for (const hw::Symbol &symbol : container.symbols)
    SymbolOp::create(builder, loc, symbol.name, symbol.type, symbol.section,
                     symbol.description, symbol.value);
  for (const hw::Residue &residue : container.residues)
    importResidue(residue.fileOffset, SmallVector<int8_t>(residue.bytes.begin(),
                                                          residue.bytes.end()));
  for (const hw::Section &section : relocated) {
    SmallVector<int8_t> bytes;
    for (const hw::Relocation &relocation : section.relocations)
      for (uint32_t word : {relocation.address, relocation.info})
        for (unsigned shift = 0; shift < 32; shift += 8)
          bytes.push_back(int8_t(word >> shift));
    if (!bytes.empty())
      importResidue(section.relocationOffset, bytes);
  }
}

/// What the program does not say of its file: nothing when we made the file, a
/// signature when another compiler made it that lays it out the same way, else
/// all of it.
void Importer::importSurroundings() {
  hw::Signature signature = hw::signatureOf(container);
  absl::StatusOr<hw::Container> made =
      hw::makeContainer(container.program, signature);
  if (!made.ok() || !hw::sameWrapping(*made, container))
    return importFile();
  if (!signature.ident.empty() || !signature.streamNames.empty() ||
      signature.programKind != hw::Signature().programKind ||
      signature.form != hw::Signature().form)
    importSignature(signature);
}

ProgramOp Importer::import() {
  const hw::Program &program = container.program;
  auto op = ProgramOp::create(builder, loc, program.name,
                              hw::info(program.generation).name,
                              program.textBytes, program.scratchBytes);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&op.getBody());
  for (const hw::Tensor &tensor : program.tensors)
    importTensor(tensor);
  importConstants();
  for (auto [index, task] : llvm::enumerate(program.tasks))
    importTask(task, index);
  importSurroundings();
  return op;
}

ProgramOp mlir::ane::hwx::importContainer(OpBuilder &builder, Location loc,
                                          const hw::Container &container) {
  return Importer(builder, loc, container).import();
}
