//===- ConstantSection.cpp - Coefficients and tables of a program ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantSection.h"

#include "ane/Dialect/ANE/Utils/Footprint.h"
#include "ane/Dialect/ANE/Utils/TableFunction.h"
#include "ane/HW/Layout.h"
#include "ane/HW/LookupTable.h"
#include "ane/Support/MappedPages.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>
#include <limits>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;

// Streams of large kernels are as long as their weights, or little longer.
// Memory that is asked for and not used costs nothing, but growing moves all
// that is there, and has it twice meanwhile.
static uint64_t expectedBytes(func::FuncOp func) {
  uint64_t bytes = 0;
  func.walk([&](ConstantOp op) {
    auto type = cast<ShapedType>(op.getType());
    bytes += uint64_t(type.getNumElements()) * sizeof(uint16_t);
  });
  return std::min<uint64_t>(bytes + bytes / 8,
                            std::numeric_limits<uint32_t>::max());
}

ConstantSection::ConstantSection(func::FuncOp func,
                                 const hw::GenerationInfo &info,
                                 hw::TableSet tableSet, bool keepConstants)
    : info(info), tableSet(tableSet),
      bytes(std::make_shared<std::vector<uint8_t>>()) {
  bytes->reserve(expectedBytes(func));
  if (!keepConstants)
    blobs.emplace(func->getParentOfType<ModuleOp>());
}

void ConstantSection::drop(Value value) {
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant || !blobs)
    return;
  auto [left, isNew] = usesLeft.try_emplace(value, 0);
  if (isNew)
    left->second = llvm::range_size(value.getUses());
  if (--left->second == 0)
    blobs->drop(constant.getValue());
}

std::pair<std::shared_ptr<std::vector<uint8_t>>, uint64_t>
ConstantSection::take() {
  const uint64_t kernelBytes = info.hasKernelSegment ? bytes->size() : 0;
  if (!tensorBytes.empty()) {
    bytes->resize(hw::alignTo(bytes->size(), info.streamAlign));
    bytes->insert(bytes->end(), tensorBytes.begin(), tensorBytes.end());
  }
  return {std::move(bytes), kernelBytes};
}

void ConstantSection::release(TaskOp task) {
  for (auto load : task.getBody().front().getOps<KernelLoadOp>())
    for (Value operand : load->getOperands())
      drop(operand);
}

static std::string message(const absl::Status &status) {
  return std::string(status.message());
}

namespace {

/// fp16 elements of a constant: a view of its bytes, or of a copy where they
/// are one value repeated.
struct Halves {
  absl::Span<const uint16_t> span;
  std::vector<uint16_t> splat;
};

} // namespace

/// `count` of the outermost indices of `value` from `first` on.
static LogicalResult getHalves(Operation *user, Value value, uint64_t first,
                               uint64_t count, Halves &halves) {
  if (!value)
    return success();
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return user->emitOpError("reads coefficients that are not a constant");
  ElementsAttr elements = constant.getValue();
  if (!elements.getElementType().isF16())
    return user->emitOpError("reads coefficients of ")
           << elements.getElementType() << ", but the streams hold f16";
  const size_t elementCount = elements.getNumElements();
  const size_t inner =
      elementCount / cast<ShapedType>(value.getType()).getDimSize(0);
  ArrayRef<char> raw;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return user->emitOpError("reads the resource '")
             << resource.getRawHandle().getKey() << "', which has no data";
    raw = blob->getData();
  } else if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    raw = dense.getRawData();
    if (dense.isSplat()) {
      uint16_t bits;
      std::memcpy(&bits, raw.data(), sizeof(bits));
      halves.splat.assign(count * inner, bits);
      halves.span = halves.splat;
      return success();
    }
  }
  if (raw.size() != elementCount * sizeof(uint16_t) ||
      reinterpret_cast<uintptr_t>(raw.data()) % alignof(uint16_t))
    return user->emitOpError("reads a constant of ")
           << elementCount << " elements whose data has " << raw.size()
           << " bytes or is not aligned to 2";
  halves.span =
      absl::MakeConstSpan(reinterpret_cast<const uint16_t *>(raw.data()),
                          elementCount)
          .subspan(first * inner, count * inner);
  return success();
}

FailureOr<ConstantSection::TableBytes>
ConstantSection::makeTable(KernelLoadOp load) {
  ActivationAttr act = *load.getTable();
  if (auto known = tables.find(act); known != tables.end())
    return known->second;
  std::optional<hw::TableFunction> function = tableFunctionOf(act.getKind());
  if (!function)
    return load.emitOpError("needs a table for ")
           << stringifyActivationKind(act.getKind())
           << ", but there is none; run ane-decompose";
  absl::StatusOr<hw::LookupTable> table =
      hw::buildTable(*function, act.getAlpha(), act.getBeta(), tableSet);
  if (!table.ok())
    return load.emitOpError(message(table.status()));
  return tables[act] = hw::encodeTable(*table);
}

FailureOr<uint64_t> ConstantSection::grow(Operation *op, uint64_t count) {
  uint64_t start = hw::alignTo(bytes->size(), info.streamAlign);
  if (start + count > std::numeric_limits<uint32_t>::max())
    return op->emitOpError(
        "makes the constant section longer than 4 GiB, which "
        "the addresses of the streams cannot reach");
  bytes->resize(start + count);
  return start;
}

static StreamPlaces placesFrom(uint64_t start,
                               const hw::KernelStreams &streams) {
  StreamPlaces places;
  for (uint32_t offset : streams.offsets)
    places.offsets.push_back(start + offset);
  places.sizes.assign(streams.sizes.begin(), streams.sizes.end());
  return places;
}

static bool isSame(const hw::KernelShape &a, const hw::KernelShape &b) {
  auto key = [](const hw::KernelShape &s) {
    return std::tuple(s.cout, s.cin, s.kh, s.kw, s.groups, s.depthwise,
                      s.unicastCin, s.zeroSkipping, s.smallSource, s.hasBias,
                      s.hasTable, s.lanesLog2, s.activeNeLog2);
  };
  return key(a) == key(b);
}

FailureOr<StreamPlaces>
ConstantSection::addKernel(KernelLoadOp load, const hw::KernelShape &shape) {
  SmallVector<Known, 1> &same = kernels[load.getWeight()];
  for (const Known &known : same) {
    KernelLoadOp other = known.load;
    if (other.getBias() == load.getBias() &&
        other.getFirstChannel() == load.getFirstChannel() &&
        other.getTable() == load.getTable() && isSame(known.shape, shape))
      return known.places;
  }
  // Output channels are the outermost dimension, so a part of them is a range.
  const uint64_t first = load.getFirstChannel();
  Halves weights, bias;
  if (failed(getHalves(load, load.getWeight(), first, shape.cout, weights)) ||
      failed(getHalves(load, load.getBias(), first, shape.cout, bias)))
    return failure();
  TableBytes table = {};
  if (std::optional<ActivationAttr> act = load.getTable()) {
    if (act->getKind() == ActivationKind::Rsqrt && act->getAlpha() != 0)
      return load.emitOpError("adds an epsilon between weights and a table; "
                              "run ane-decompose");
    FailureOr<TableBytes> made = makeTable(load);
    if (failed(made))
      return failure();
    table = *made;
  }
  uint64_t room = hw::packedBytes(info, shape);
  FailureOr<uint64_t> start = grow(load, room);
  if (failed(start))
    return failure();
  absl::StatusOr<hw::KernelStreams> streams = hw::packKernelInto(
      {bytes->data() + *start, room}, info, shape, weights.span, bias.span,
      shape.hasTable ? absl::MakeConstSpan(table)
                     : absl::Span<const uint8_t>());
  if (!streams.ok())
    return load.emitOpError(message(streams.status()));
  bytes->resize(*start + streams->byteSize());
  // The other channels of a large weight are for other tasks.
  ::ane::releasePages({reinterpret_cast<const uint8_t *>(weights.span.data()),
                       weights.span.size() * sizeof(uint16_t)});
  same.push_back({load, shape, placesFrom(*start, *streams)});
  return same.back().places;
}

FailureOr<StreamPlaces> ConstantSection::addTable(KernelLoadOp load,
                                                  int64_t channels) {
  auto [known, isNew] =
      tablePlaces.try_emplace({*load.getTable(), channels}, StreamPlaces());
  if (!isNew)
    return known->second;
  FailureOr<TableBytes> table = makeTable(load);
  if (failed(table))
    return failure();
  hw::KernelStreams streams = hw::packTable(info, *table, channels);
  FailureOr<uint64_t> start = grow(load, streams.bytes.size());
  if (failed(start))
    return failure();
  llvm::copy(streams.bytes, bytes->begin() + *start);
  return known->second = placesFrom(*start, streams);
}

FailureOr<uint64_t> ConstantSection::addTensor(ConstantBufferOp op) {
  auto [it, isNew] = tensors.try_emplace(op, 0);
  if (!isNew)
    return it->second;
  if (!hasSurfaceLayout(info, op.getType()))
    return op.emitOpError("is ")
           << op.getType()
           << ", but constants are written planar; run ane-assign-layout";
  ArrayRef<int64_t> shape = op.getType().getShape();
  Halves halves;
  if (failed(getHalves(op, op.getInput(), 0, shape.front(), halves)))
    return failure();
  hw::Tensor tensor;
  tensor.type = hw::ElementType::Float16;
  for (int dim = 0; dim < 4; ++dim)
    tensor.shape[dim] = shape[dim];
  hw::setPlanar(info, tensor);
  std::vector<uint8_t> &section = info.hasKernelSegment ? tensorBytes : *bytes;
  section.resize(hw::alignTo(section.size(), info.dmaAlign));
  it->second = section.size();
  section.resize(section.size() + tensor.bytes);
  absl::Status status =
      hw::packSurface(tensor,
                      {reinterpret_cast<const uint8_t *>(halves.span.data()),
                       halves.span.size() * sizeof(uint16_t)},
                      {section.data() + it->second, tensor.bytes});
  if (!status.ok())
    return op.emitOpError(message(status));
  drop(op.getInput());
  return it->second;
}
