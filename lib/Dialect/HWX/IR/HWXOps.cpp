//===- HWXOps.cpp - Ops of the hwx dialect --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/HWX/IR/Convert.h"
#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/Dialect/HWX/IR/RegisterText.h"
#include "ane/HW/Arrays.h"
#include "ane/HW/Container.h"
#include "ane/HW/Layout.h"

#include "TaskSyntax.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;

//===----------------------------------------------------------------------===//
// Directives of the assembly format
//===----------------------------------------------------------------------===//

static ParseResult parseKeyword(OpAsmParser &parser, StringAttr &attr) {
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  attr = parser.getBuilder().getStringAttr(keyword);
  return success();
}

static void printKeyword(OpAsmPrinter &printer, Operation *, StringAttr attr) {
  printer << attr.getValue();
}

/// Parses bits of an integer attribute without a sign.
static ParseResult parseBits(OpAsmParser &parser, unsigned width,
                             uint64_t &value) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(value))
    return failure();
  if (width < 64 && value >> width)
    return parser.emitError(loc)
           << hexText(value) << " has more than " << width << " bits";
  return success();
}

static ParseResult parseHex(OpAsmParser &parser, IntegerAttr &attr) {
  uint64_t value;
  if (parseBits(parser, 64, value))
    return failure();
  attr = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

static void printHex(OpAsmPrinter &printer, Operation *, IntegerAttr attr) {
  printer << hexText(attr.getValue().getZExtValue());
}

/// The same for 32 bits; the type of the attribute is part of the op.
static ParseResult parseHex32(OpAsmParser &parser, IntegerAttr &attr) {
  uint64_t value;
  if (parseBits(parser, 32, value))
    return failure();
  attr = parser.getBuilder().getI32IntegerAttr(value);
  return success();
}

static void printHex32(OpAsmPrinter &printer, Operation *op, IntegerAttr attr) {
  printHex(printer, op, attr);
}

static ParseResult parseHexWords(OpAsmParser &parser, DenseI32ArrayAttr &attr) {
  SmallVector<int32_t> words;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&]() -> ParseResult {
                                       uint64_t value = 0;
                                       if (parseBits(parser, 32, value))
                                         return failure();
                                       words.push_back(value);
                                       return success();
                                     }))
    return failure();
  attr = parser.getBuilder().getDenseI32ArrayAttr(words);
  return success();
}

static void printHexWords(OpAsmPrinter &printer, Operation *,
                          DenseI32ArrayAttr attr) {
  printer << '[';
  llvm::interleaveComma(attr.asArrayRef(), printer, [&](int32_t word) {
    printer << hexText(static_cast<uint32_t>(word));
  });
  printer << ']';
}

static ParseResult parseHexBytes(OpAsmParser &parser, DenseI8ArrayAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  std::string digits, bytes;
  if (parser.parseString(&digits))
    return failure();
  if (digits.size() % 2 || !llvm::tryGetFromHex(digits, bytes))
    return parser.emitError(loc) << "expected pairs of hexadecimal digits";
  attr = parser.getBuilder().getDenseI8ArrayAttr(
      SmallVector<int8_t>(bytes.begin(), bytes.end()));
  return success();
}

static void printHexBytes(OpAsmPrinter &printer, Operation *,
                          DenseI8ArrayAttr attr) {
  StringRef bytes(reinterpret_cast<const char *>(attr.asArrayRef().data()),
                  attr.size());
  printer << '"' << llvm::toHex(bytes, /*LowerCase=*/true) << '"';
}

/// The largest load command on record has 3416 bytes; a text must not ask for
/// much more memory than it has itself.
static constexpr uint64_t kMaxCommandBytes = hw::kMaxCommandBytes;

/// The text in a command that is nothing but a text and zeros after it.
static std::optional<StringRef> textOfCommand(ArrayRef<int32_t> words) {
  StringRef bytes(reinterpret_cast<const char *>(words.data()),
                  4 * words.size());
  StringRef text = bytes.take_until([](char c) { return c == 0; });
  if (text.size() < 4 || text.size() == bytes.size() ||
      !llvm::all_of(text, [](char c) {
        return llvm::isPrint(c) || c == '\n' || c == '\t';
      }))
    return std::nullopt;
  if (bytes.drop_front(text.size()).find_first_not_of('\0') != StringRef::npos)
    return std::nullopt;
  return text;
}

static ParseResult parseCommandWords(OpAsmParser &parser,
                                     DenseI32ArrayAttr &attr) {
  std::string text;
  const bool isText = succeeded(parser.parseOptionalKeyword("text"));
  if (isText && parser.parseString(&text))
    return failure();
  if (parser.parseKeyword("size"))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  uint64_t size;
  if (parser.parseInteger(size))
    return failure();
  if (size < 8 || size % 4 || size > kMaxCommandBytes || text.size() > size - 8)
    return parser.emitError(loc)
           << "size is " << size << " bytes, expected a multiple of 4 from "
           << std::max<uint64_t>(8, text.size() + 8) << " to "
           << kMaxCommandBytes;
  SmallVector<int32_t> words((size - 8) / 4);
  if (isText) {
    std::memcpy(words.data(), text.data(), text.size());
  } else if (parser.parseCommaSeparatedList(
                 AsmParser::Delimiter::Braces, [&]() -> ParseResult {
                   SMLoc loc = parser.getCurrentLocation();
                   uint64_t offset, value;
                   if (parser.parseInteger(offset) || parser.parseEqual() ||
                       parseBits(parser, 32, value))
                     return failure();
                   if (offset % 4 || offset < 8 || offset >= size)
                     return parser.emitError(loc)
                            << "word at " << hexText(offset)
                            << ", expected a multiple of 4 from 0x8 to "
                            << hexText(size - 4);
                   words[(offset - 8) / 4] = value;
                   return success();
                 })) {
    return failure();
  }
  attr = parser.getBuilder().getDenseI32ArrayAttr(words);
  return success();
}

static void printCommandWords(OpAsmPrinter &printer, Operation *,
                              DenseI32ArrayAttr attr) {
  ArrayRef<int32_t> words = attr.asArrayRef();
  const uint64_t size = 8 + 4 * words.size();
  if (std::optional<StringRef> text = textOfCommand(words)) {
    printer << "text ";
    printer.printString(*text);
    printer << " size " << hexText(size);
    return;
  }
  printer << "size " << hexText(size) << " {";
  bool first = true;
  for (auto [index, word] : llvm::enumerate(words)) {
    if (!word)
      continue;
    printer << (first ? "" : ", ") << hexText(8 + 4 * index) << " = "
            << hexText(static_cast<uint32_t>(word));
    first = false;
  }
  printer << '}';
}

//===----------------------------------------------------------------------===//
// hwx.program
//===----------------------------------------------------------------------===//

/// The generation with a name, for ops that have not been verified, too.
static hw::Generation generationOf(StringRef target) {
  absl::StatusOr<hw::Generation> known =
      hw::parseGeneration({target.data(), target.size()});
  return known.ok() ? *known : hw::defaultTarget().id;
}

LogicalResult ProgramOp::verify() {
  // program_c1: the target is a generation with a register map
  auto generation =
      hw::parseGeneration({getTarget().data(), getTarget().size()});
  if (!generation.ok()) {
    absl::string_view message = generation.status().message();
    return emitOpError() << StringRef(message.data(), message.size());
  }
  if (getTextBytes() > UINT32_MAX || getScratchBytes() > UINT32_MAX)
    return emitOpError("text and scratch have at most 0xffffffff bytes, but "
                       "are ")
           << hexText(getTextBytes()) << " and " << hexText(getScratchBytes());
  return success();
}

/// Names and bases of the tensors of a program.
static LogicalResult verifyTensors(ProgramOp program) {
  llvm::StringMap<TensorOp> inputs, outputs;
  llvm::DenseMap<uint64_t, TensorOp> bases;
  bool sawOutput = false;
  for (TensorOp tensor : program.getOps<TensorOp>()) {
    // program_c2: inputs differ in name, outputs do, and all in base
    bool isOutput = tensor.getKind() == TensorKind::Output;
    auto name = (isOutput ? outputs : inputs)
                    .try_emplace(tensor.getTensorName(), tensor);
    if (!name.second) {
      InFlightDiagnostic diagnostic = tensor.emitOpError("has the name ")
                                      << tensor.getTensorNameAttr()
                                      << " of another tensor";
      diagnostic.attachNote(name.first->second.getLoc()) << "of this one";
      return diagnostic;
    }
    auto base = bases.try_emplace(tensor.getBase(), tensor);
    if (!base.second) {
      InFlightDiagnostic diagnostic = tensor.emitOpError("has the base ")
                                      << tensor.getBase()
                                      << " of another tensor";
      diagnostic.attachNote(base.first->second.getLoc()) << "of this one";
      return diagnostic;
    }
    // program_c3: inputs come first
    sawOutput |= isOutput;
    if (sawOutput && !isOutput)
      return tensor.emitOpError("is an input after an output, expected inputs "
                                "first");
  }
  return success();
}

/// Bytes of the descriptor of a task.
static uint64_t taskBytes(TaskOp task) {
  uint64_t words = task.getHeader().size();
  for (RecordAttr record : task.getRecords().getAsRange<RecordAttr>())
    words += 1 + record.getWords().size();
  return 4 * words;
}

/// Bytes between descriptors are zeros that no op has. More than a page of them
/// would make a large file of a small text.
static constexpr uint64_t largestGap = 0x4000;

static LogicalResult verifyTasks(ProgramOp program) {
  SmallVector<TaskOp> tasks(program.getOps<TaskOp>());
  llvm::sort(tasks, [](TaskOp a, TaskOp b) {
    return uint64_t(a.getOffset()) < uint64_t(b.getOffset());
  });
  // program_c6: packed tasks are found one after the other
  if (hw::info(program.generation()).stream == hw::StreamKind::Packed)
    for (auto [task, placed] : llvm::zip_equal(program.getOps<TaskOp>(), tasks))
      if (task != placed)
        return task.emitOpError("at ")
               << hexText(task.getOffset())
               << " is not in the order of the offsets, in which "
               << program.getTarget() << " runs tasks";
  uint64_t end = 0;
  for (TaskOp task : tasks) {
    // program_c4: descriptors do not overlap and lie inside the text
    const uint64_t begin = task.getOffset(), size = taskBytes(task);
    if (begin < end)
      return task.emitOpError("at ")
             << hexText(begin) << " overlaps the task that ends at "
             << hexText(end);
    if (begin > uint64_t(program.getTextBytes()) ||
        size > program.getTextBytes() - begin)
      return task.emitOpError("of ")
             << size << " bytes at " << hexText(begin) << " leaves the text of "
             << program.getTextBytes() << " bytes";
    // program_c7: descriptors follow each other
    if (begin - end > largestGap)
      return task.emitOpError("at ")
             << hexText(begin) << " is " << hexText(begin - end)
             << " bytes after the task or start before it, expected at most "
             << hexText(largestGap);
    end = begin + size;
  }
  if (program.getTextBytes() - end > largestGap)
    return program.emitOpError("has ")
           << hexText(program.getTextBytes())
           << " bytes of text, but its tasks "
           << "end at " << hexText(end) << "; expected at most "
           << hexText(largestGap) << " bytes after them";
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  // program_c5: one constants op, one of signature and container
  unsigned constants = 0, around = 0;
  for (Operation &op : getBody().front()) {
    if (!isa<TensorOp, TaskOp, ConstantsOp, SignatureOp, ContainerOp>(op))
      return op.emitOpError("cannot stand in an hwx.program");
    if (isa<ConstantsOp>(op) && constants++)
      return op.emitOpError("is the second one of its program");
    if (isa<SignatureOp, ContainerOp>(op) && around++)
      return op.emitOpError("is the second description of the file; a program "
                            "has one hwx.signature or one hwx.container");
  }
  return failure(failed(verifyTensors(*this)) || failed(verifyTasks(*this)));
}

//===----------------------------------------------------------------------===//
// hwx.tensor, hwx.constants, hwx.task
//===----------------------------------------------------------------------===//

LogicalResult TensorOp::verify() {
  // tensor_c1: five axes
  if (getShape().size() != 5 || getStrides().size() != 5)
    return emitOpError("has ")
           << getShape().size() << " extents and " << getStrides().size()
           << " strides, expected 5 of each (N, C, H, W, D)";
  for (int64_t extent : getShape())
    if (extent < 1 || extent > UINT32_MAX)
      return emitOpError("has an extent of ")
             << extent << ", expected 1 to 4294967295";
  // tensor_c2: element types of the descriptors
  Type type = getElementType();
  if (!type.isF16() && !type.isSignlessInteger(8) && !type.isUnsignedInteger(8))
    return emitOpError("has element type ")
           << type << ", expected f16, i8 or ui8";
  // tensor_c3: bases below the first tensor are spoken for
  if (getBase() < hw::BaseFirstTensor || getBase() > 255)
    return emitOpError("has base ")
           << getBase() << ", expected " << uint32_t(hw::BaseFirstTensor)
           << " to 255";
  if (getInterleave() > UINT32_MAX)
    return emitOpError("has interleave ")
           << getInterleave() << ", expected 0 to 4294967295";
  // tensor_c4: the surface holds the elements, and can be addressed
  if (absl::Status status = hw::checkSurface(exportTensor(*this)); !status.ok())
    return emitOpError() << StringRef(status.message().data(),
                                      status.message().size());
  // tensor_c5: the network has the same elements
  if (std::optional<ArrayRef<int64_t>> network = getNetwork()) {
    hw::Tensor tensor;
    llvm::copy(getShape(), tensor.shape.begin());
    if (!tensor.setDenseShape(
            SmallVector<uint64_t>(network->begin(), network->end())))
      return emitOpError("has other elements in the network: [")
             << *network << "], not those of [" << getShape() << "]";
  }
  // tensor_c6: halves have low halves
  auto high = dyn_cast_if_present<TensorOp>((*this)->getPrevNode());
  if (getLow() &&
      !(high && hw::canBeLow(exportTensor(high), exportTensor(*this))))
    return emitOpError("'")
           << getTensorName()
           << "' is low, but no f16 input of its shape is before it";
  return success();
}

LogicalResult ConstantsOp::verify() {
  // constants_c1: a row of bytes
  ShapedType type = getValue().getShapedType();
  if (type.getRank() != 1 || !type.getElementType().isInteger(8))
    return emitOpError("has type ")
           << type << ", expected one dimension of i8 or ui8";
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(getValue()))
    return emitOpError("expected a dense or dense_resource value");
  // constants_c2: some of these bytes, of generations that have the segment
  auto program = cast<ProgramOp>((*this)->getParentOp());
  const int64_t kernels = getKernelBytes();
  if (kernels && !hw::info(program.generation()).hasKernelSegment)
    return emitOpError("has a kernel segment, which programs for ")
           << program.getTarget() << " do not have";
  if (kernels < 0 || kernels > type.getNumElements())
    return emitOpError("has ") << kernels << " bytes of kernels, expected 0 to "
                               << type.getNumElements();
  return success();
}

LogicalResult TaskOp::verify() {
  // task_c3: text and bytes of a task are those of its program
  auto program = cast<ProgramOp>((*this)->getParentOp());
  if (getTarget().value_or(hw::defaultTarget().name) != program.getTarget())
    return emitOpError("is for ")
           << getTarget().value_or(hw::defaultTarget().name)
           << ", but its program for " << program.getTarget()
           << "; expected 'target = " << program.getTarget()
           << "' after its name";
  const hw::GenerationInfo &facts = hw::info(generation());
  // task_c1: the two lowest bits of the last word announce another one
  ArrayRef<int32_t> header = getHeader();
  const size_t words = facts.headerWords;
  const bool isExtended =
      header.size() >= words && (header[words - 1] & 3) == 3;
  if (header.size() != words + isExtended) {
    InFlightDiagnostic diagnostic = emitOpError("has a header of ")
                                    << header.size() << " words, expected "
                                    << words + isExtended;
    if (isExtended)
      diagnostic << ", since the two lowest bits of word " << words - 1
                 << " are set";
    return diagnostic;
  }
  // task_c2: places in the text are multiples of a word, or of a frame
  const bool isPacked = facts.stream == hw::StreamKind::Packed;
  const unsigned align = isPacked ? 16 : 4;
  if (getOffset() > UINT32_MAX || getOffset() % align)
    return emitOpError("stands at ")
           << hexText(getOffset()) << ", expected a multiple of " << align
           << " of at most 32 bits";
  const uint32_t said = uint32_t(header[0]) >> 16 & 0x7ff;
  if (isPacked && uint64_t(4) * said != taskBytes(*this))
    return emitOpError("has ")
           << taskBytes(*this) / 4 << " words, but bits 26 to 16 of its first "
           << "word say " << said;
  // task_c4: the first words of records can hold them
  for (auto [index, record] :
       llvm::enumerate(getRecords().getAsRange<RecordAttr>())) {
    absl::Status status = hw::checkRecord(facts.id, record.record());
    absl::string_view message = status.message();
    if (!status.ok())
      return emitOpError("record ")
             << index << ' ' << StringRef(message.data(), message.size());
  }
  return success();
}

hw::Generation TaskOp::generation() {
  return generationOf(getTarget().value_or(hw::defaultTarget().name));
}

hw::Generation ProgramOp::generation() { return generationOf(getTarget()); }

ParseResult TaskOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  StringRef target = hw::defaultTarget().name;
  uint64_t offset;
  SmallVector<int32_t> header;
  SmallVector<Attribute> records;
  Properties &properties = result.getOrAddProperties<Properties>();
  if (parser.parseSymbolName(name))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("target"))) {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseEqual() || parser.parseKeyword(&target))
      return failure();
    absl::StatusOr<hw::Generation> known =
        hw::parseGeneration({target.data(), target.size()});
    absl::string_view message = known.status().message();
    if (!known.ok())
      return parser.emitError(loc) << StringRef(message.data(), message.size());
    properties.target = builder.getStringAttr(target);
  }
  const hw::RegisterMap &map = hw::registers(generationOf(target));
  if (parser.parseKeyword("at") || parseBits(parser, 32, offset) ||
      parseHeader(parser, map, header) || parseRecords(parser, map, records) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  properties.sym_name = name;
  properties.offset = builder.getI64IntegerAttr(offset);
  properties.header = builder.getDenseI32ArrayAttr(header);
  properties.records = builder.getArrayAttr(records);
  return success();
}

void TaskOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  const hw::RegisterMap &map = hw::registers(generation());
  printer.printSymbolName(getSymName());
  if (getTarget())
    printer << " target = " << *getTarget();
  printer << " at " << hexText(getOffset()) << ' ';
  printHeader(printer, map, getHeader());
  printer << ' ';
  printRecords(printer, map, getRecords());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getTargetAttrName(), getOffsetAttrName(),
       getHeaderAttrName(), getRecordsAttrName()});
}

//===----------------------------------------------------------------------===//
// The file around it
//===----------------------------------------------------------------------===//

LogicalResult ContainerOp::verify() {
  // container_c1: eight words of header
  if (getHeader().size() != 8)
    return emitOpError("has a header of ")
           << getHeader().size() << " words, expected 8";
  for (Operation &op : getBody().front())
    if (!isa<SegmentOp, CommandOp, SymbolOp, ResidueOp>(op))
      return op.emitOpError("cannot stand in an hwx.container");
  return success();
}

/// Names of segments and sections have sixteen bytes.
static LogicalResult verifyName(Operation *op, StringRef name) {
  if (name.size() > 16 || name.contains('\0'))
    return op->emitOpError("name \"") << name << "\" has " << name.size()
                                      << " characters, expected at most 16 "
                                         "and no zero";
  return success();
}

LogicalResult SegmentOp::verify() {
  for (Operation &op : getBody().front())
    if (!isa<SectionOp>(op))
      return op.emitOpError("cannot stand in an hwx.segment");
  return verifyName(*this, getSegmentName());
}

LogicalResult SectionOp::verify() {
  // section_c1: three reserved words, relocations are pairs
  if (getReserved().size() != 3 || getRelocations().size() % 2)
    return emitOpError("has ") << getReserved().size() << " reserved words and "
                               << getRelocations().size()
                               << " words of relocations, expected 3 and pairs";
  return failure(failed(verifyName(*this, getSectionName())) ||
                 failed(verifyName(*this, getSegmentName())));
}

LogicalResult SymbolOp::verify() {
  // symbol_c1: type and section have a byte, the description two
  if (getType() > 0xff || getSection() > 0xff || getDescription() > 0xffff)
    return emitOpError("has type ")
           << getType() << ", section " << getSection() << " and description "
           << getDescription() << ", expected at most 255, 255 and 65535";
  if (getSymbolName().contains('\0'))
    return emitOpError("name has a zero character");
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/HWX/IR/HWXOps.cpp.inc"
