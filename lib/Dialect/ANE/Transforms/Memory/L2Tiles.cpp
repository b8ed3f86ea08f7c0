//===- L2Tiles.cpp - How tensors lie in L2 --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Memory/L2Tiles.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Layout.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

int64_t mlir::ane::getRowsHeld(Operation *compute, Value source, int64_t tile) {
  if (auto conv = dyn_cast<NeConvOp>(compute))
    return *llvm::max_element(conv.getTileRows(tile));
  int64_t rows = cast<MemRefType>(source.getType()).getShape().end()[-2];
  // Offsets and factors of all tiles.
  auto normalize = dyn_cast<PeNormalizeOp>(compute);
  if (normalize && source == normalize.getRows())
    return rows;
  return std::min(tile, rows);
}

int64_t mlir::ane::getStreamedResultBytes(Operation *compute) {
  // Channels lie side by side only after the DMA.
  auto interleave = dyn_cast<PeInterleaveOp>(compute);
  Value streamed =
      interleave ? Value(interleave.getInput()) : Value(compute->getResult(0));
  auto type = cast<MemRefType>(streamed.getType());
  // Columns of what is computed count, also where they are stored as channels.
  int64_t channels = type.getDimSize(1), columns = type.getShape().back();
  if (isResultExchanged(compute))
    std::swap(channels, columns);
  return ::ane::hw::streamedResultBytes(channels, columns, elementBytes(type),
                                        isOnNeuralEngines(compute));
}

// Work units of the NEs cover an image in 128 elements.
int64_t mlir::ane::getRowsOfUnit(Value image) {
  int64_t width = cast<MemRefType>(image.getType()).getDimSize(3);
  return 128 / std::min<int64_t>(
                   128, llvm::PowerOf2Ceil(std::max<int64_t>(8, width)));
}

int64_t mlir::ane::getRowStep(const MemoryPolicy &policy, Operation *compute) {
  auto type = cast<MemRefType>(compute->getResult(0).getType());
  int64_t width = type.getDimSize(3);
  if (isa<NeConvOp, NeBypassOp>(compute))
    return getRowsOfUnit(compute->getResult(0));
  return int64_t(1) << policy.patch(width, type.getDimSize(2), 2).height;
}

// Result rows that a task can be cut to: whole work units of the NEs or patches
// of the PE, and at most 16 tiles; a reduction cannot be cut.
static int64_t getLeastTile(const MemoryPolicy &policy, Operation *compute) {
  constexpr int64_t maxTiles = 16;
  if (auto reduce = dyn_cast<PeReduceOp>(compute))
    return reduce.getType().getDimSize(2) == 1
               ? reduce.getInput().getType().getShape().end()[-2]
               : 1;
  int64_t height =
      cast<MemRefType>(compute->getResult(0).getType()).getDimSize(2);
  int64_t step = getRowStep(policy, compute);
  int64_t rows = ::ane::hw::alignTo(llvm::divideCeil(height, maxTiles), step);
  return std::min(height, rows);
}

int64_t mlir::ane::getLeastSourceBytes(const ::ane::hw::GenerationInfo &info,
                                       const MemoryPolicy &policy,
                                       DmaLoadOp load) {
  Operation *compute = cast<TaskOp>(load->getParentOp()).getCompute();
  L2User user = getSourceUser(compute, load);
  constexpr int64_t gap = 0x80; // a second source of the PE is moved by less
  return getL2Tile(info, policy, load.getType(), user,
                   user != L2User::ConvSource, compute)
                 .row *
             getRowsHeld(compute, load, getLeastTile(policy, compute)) +
         (user == L2User::Planar ? gap : 0);
}

int64_t mlir::ane::getLeastResultBytes(const ::ane::hw::GenerationInfo &info,
                                       const MemoryPolicy &policy,
                                       DmaStoreOp store) {
  Operation *compute = cast<TaskOp>(store->getParentOp()).getCompute();
  MemRefType type = store.getSource().getType();
  L2User user = getResultUser(compute);
  return getL2Tile(info, policy, type, user, user != L2User::ConvResult,
                   compute)
             .row *
         std::min(type.getDimSize(2), getLeastTile(policy, compute));
}

StreamNeed mlir::ane::getStreamNeed(const ::ane::hw::GenerationInfo &info,
                                    const MemoryPolicy &policy, TaskOp task) {
  StreamNeed need;
  for (auto load : task.getBody().front().getOps<DmaLoadOp>())
    if (!isKept(load))
      need.sources += getLeastSourceBytes(info, policy, load);
  if (DmaStoreOp store = task.getStore())
    need.result = getLeastResultBytes(info, policy, store);
  return need;
}

// Rows of the smallest tile: one, but for what reduces rows.
static int64_t getSmallestTile(Operation *compute) {
  auto reduce = dyn_cast<PeReduceOp>(compute);
  return reduce && getComputedShape(reduce)[2] == 1
             ? reduce.getInput().getType().getShape().end()[-2]
             : 1;
}

std::optional<L2Excess>
mlir::ane::getExcess(const ::ane::hw::GenerationInfo &info,
                     const MemoryPolicy &policy, TaskOp task,
                     int64_t residents) {
  Operation *compute = task.getCompute();
  if (isa<NeConvOp>(compute) && policy.tileConv)
    return std::nullopt;
  L2Excess need;
  need.room = info.l2Bytes - residents;
  need.roomOfSources = std::min(need.room, int64_t(info.l2SourceBytes));
  constexpr int64_t gap = 0x80; // between sources of the PE, at most
  for (auto load : task.getBody().front().getOps<DmaLoadOp>()) {
    if (isKept(load))
      continue;
    L2Tile tile =
        getL2Tile(info, policy, load.getType(), getSourceUser(compute, load),
                  /*strips=*/true, compute);
    if (need.sources)
      need.sources = ::ane::hw::alignTo(need.sources, gap) + gap;
    need.sources +=
        tile.row * getRowsHeld(compute, load, getSmallestTile(compute));
  }
  if (task.getStore())
    need.result = getStreamedResultBytes(compute);
  if (need.sources <= need.roomOfSources &&
      need.sources + need.result <= need.room)
    return std::nullopt;
  return need;
}

//===----------------------------------------------------------------------===//
// Values that stay
//===----------------------------------------------------------------------===//

ByteLayout mlir::ane::getResidentLayout(MemRefType type, const L2Tile &tile) {
  ByteLayout layout;
  int64_t image =
      type.getDimSize(0) == 1 ? tile.dense : tile.row * type.getDimSize(2);
  layout.strides = {image, tile.channelStride, tile.row, elementBytes(type)};
  if (type.getRank() == 5)
    layout.strides.insert(layout.strides.begin() + 2,
                          tile.channelStride * type.getDimSize(1));
  return layout;
}

ByteLayout mlir::ane::getPlanarLayout(const ::ane::hw::GenerationInfo &info,
                                      MemRefType type) {
  int64_t size = elementBytes(type);
  int64_t row = ::ane::hw::alignTo(type.getDimSize(3) * size, info.l2Align);
  int64_t plane = row * type.getDimSize(2);
  ByteLayout layout;
  layout.strides = {plane * type.getDimSize(1), plane, row, size};
  return layout;
}

bool mlir::ane::hasViewsInL2(Value source, const ByteLayout &layout) {
  // Views of views may be deeper than the stack.
  SmallVector<std::pair<Value, ByteLayout>> open = {{source, layout}};
  while (!open.empty()) {
    auto [value, whole] = open.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (!isView(user))
        continue;
      std::optional<ByteLayout> view =
          getViewLayout(user, whole, MemorySpace::L2);
      if (!view)
        return false;
      open.push_back({user->getResult(0), *view});
    }
  }
  return true;
}

int64_t mlir::ane::getResidentBytes(MemRefType type, const ByteLayout &layout) {
  int64_t bytes = 0; // the longest run of a dimension holds the others
  for (auto [extent, stride] : llvm::zip(type.getShape(), layout.strides))
    if (extent > 1 || &stride == &layout.strides.end()[-2])
      bytes = std::max(bytes, extent * stride);
  return bytes;
}

SmallVector<L2Piece>
mlir::ane::getPieces(L2BufferOp buffer, const ByteLayout &layout, int64_t bytes,
                     const DenseMap<Operation *, int64_t> &time) {
  SmallVector<L2Piece> parts;
  for (Operation *user : buffer->getUsers()) {
    auto view = cast<SubviewOp>(user); // l2_buffer_c1
    ArrayRef<int64_t> offsets = view.getOffsets();
    L2Piece part = getPart(buffer.getType(), layout, bytes, offsets[1],
                           offsets[2], view.getType().getShape());
    part.first = time.size();
    part.last = -1;
    forEachUse(view, [&](OpOperand &use) {
      auto found = time.find(use.getOwner()->getParentOp());
      if (found == time.end())
        return;
      part.first = std::min(part.first, found->second);
      part.last = std::max(part.last, found->second);
    });
    if (part.last >= 0)
      parts.push_back(part);
  }
  return joinPieces(parts);
}

// Who writes the place of a value that a task leaves in L2.
static L2User getWriter(Value value) {
  if (auto load = value.getDefiningOp<DmaLoadOp>())
    return getSourceUser(cast<TaskOp>(load->getParentOp()).getCompute());
  return getResultUser(value.getDefiningOp());
}

SmallVector<ResidentValue>
mlir::ane::collectResidents(const ::ane::hw::GenerationInfo &info,
                            const MemoryPolicy &policy, ArrayRef<TaskOp> tasks,
                            ArrayRef<L2BufferOp> buffers) {
  DenseMap<Operation *, int64_t> time;
  for (TaskOp task : tasks)
    time[task] = time.size();
  SmallVector<ResidentValue> residents;
  auto add = [&](Value root, int64_t first, L2User user, Operation *compute) {
    ResidentValue resident{root, {}, {}};
    resident.life.first = resident.life.last = first;
    forEachUse(root, [&](OpOperand &use) {
      if (auto task = dyn_cast<TaskOp>(use.getOwner()->getParentOp()))
        resident.life.last = std::max(resident.life.last, time[task]);
    });
    auto type = cast<MemRefType>(root.getType());
    auto buffer = root.getDefiningOp<L2BufferOp>();
    resident.layout =
        buffer && buffer.getPlanar()
            ? getPlanarLayout(info, type)
            : getResidentLayout(
                  type, getL2Tile(info, policy, type, user, false, compute));
    resident.life.bytes = getResidentBytes(type, resident.layout);
    if (buffer && buffer.getShared())
      resident.life.pieces =
          getPieces(buffer, resident.layout, resident.life.bytes, time);
    residents.push_back(resident);
  };
  for (TaskOp task : tasks) {
    auto yield = cast<YieldOp>(task.getBody().front().getTerminator());
    for (OpResult result : task.getResults())
      add(result, time[task],
          getWriter(yield.getResults()[result.getResultNumber()]),
          task.getCompute());
  }
  for (L2BufferOp buffer : buffers) {
    int64_t first = tasks.size();
    L2User user = L2User::Planar;
    forEachUse(buffer, [&](OpOperand &use) {
      auto keep = dyn_cast<KeepOp>(use.getOwner());
      if (!keep || time[keep->getParentOp()] >= first)
        return;
      first = time[keep->getParentOp()];
      user = getWriter(keep.getSource());
    });
    if (first < int64_t(tasks.size()))
      add(buffer, first, user, nullptr);
  }
  return residents;
}

bool mlir::ane::isKept(DmaLoadOp load) {
  return load.getResidency() == Residency::Kept;
}
