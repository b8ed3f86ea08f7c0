//===- Fold.cpp - Evaluate what depends on constants only -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights make up nearly all memory of a compilation, so the pass neither
// computes what nobody needs nor holds on to what nobody needs any more:
//  - a foldable op is one that evaluate() knows and whose operands are
//    constants or foldable. Only a foldable op with a user that is not foldable (a root)
//    is made a constant; what is between is a view, or a temporary buffer;
//  - after each root, the ops that became dead are erased, and with the last
//    constant that uses a resource go the bytes of this resource;
//  - a root that is a gapless part of a resource (a slice of one flat parameter
//    tensor) shares its bytes instead of copying them.
// The peak is then the weights once, and the largest root.
//
//===----------------------------------------------------------------------===//

#include "FoldEvaluate.h"

#include "ane/Dialect/ANE/Transforms/Constants/Fold.h"
#include "ane/Dialect/ANE/Transforms/Constants/Passes.h"
#include "ane/Dialect/ANE/Utils/ConstantBlobs.h"
#include "ane/Support/MappedPages.h"

#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEFOLD
#include "ane/Dialect/ANE/Transforms/Constants/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
using Entry = DialectResourceBlobManager::BlobEntry;

/// What is known about a foldable op (or a constant).
struct Known {
  ConstantView view;
  /// The op whose bytes the view shows: a constant, or one with a buffer.
  Operation *source;
  std::optional<AsmResourceBlob> buffer;
};

/// Ops that compute the same, whatever their locations.
struct SameConstant : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *op) {
    return OperationEquivalence::computeHash(
        const_cast<Operation *>(op), OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  }
  static bool isEqual(const Operation *a, const Operation *b) {
    const Operation *empty = getEmptyKey(), *gone = getTombstoneKey();
    if (a == b || a == empty || a == gone || b == empty || b == gone)
      return a == b;
    return OperationEquivalence::isEquivalentTo(
        const_cast<Operation *>(a), const_cast<Operation *>(b),
        OperationEquivalence::IgnoreLocations);
  }
};

class Folder {
public:
  explicit Folder(Operation *root) : uses(root) { findFoldable(root); }

  void run();

  int64_t folded = 0, copiedBytes = 0, sharedBytes = 0;
  int64_t getReleasedBytes() const { return uses.getReleasedBytes(); }

private:
  void findFoldable(Operation *root);
  bool isRoot(Operation *op) const;
  const Known &know(Operation *op);
  void replace(Operation *op);
  ElementsAttr makeAttr(Operation *op);
  ElementsAttr shareResource(RankedTensorType type, const ConstantView &view,
                             DenseResourceElementsAttr source);
  void eraseDead(Operation *op);

  BlobUses uses;
  llvm::DenseSet<Operation *> foldable; // constants included
  std::vector<Operation *> order;       // foldable ops in program order
  llvm::DenseMap<Operation *, Known> known;
  /// Resources whose bytes are shared by several entries.
  llvm::DenseMap<Entry *, std::shared_ptr<AsmResourceBlob>> shared;
};
} // namespace

// Parts below this size are copied: the whole would live as long as they do.
static constexpr int64_t minSharedBytes = 1 << 16;

// What is computed twice, as for the groups of a batch, is folded once. The
// second one loses its users here, and goes with what is dead.
void Folder::findFoldable(Operation *root) {
  llvm::DenseSet<Operation *, SameConstant> first;
  llvm::DenseSet<Value> splats;
  auto isSplat = [&](Value value) { return splats.contains(value); };
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool constant = false;
    if (auto source = dyn_cast<ConstantOp>(op)) {
      FailureOr<ConstantView> view = ConstantView::get(source.getValue());
      constant = succeeded(view);
      if (constant && view->isSplat())
        splats.insert(source);
    } else if (op->getNumOperands() > 0 && op->getNumResults() == 1 &&
               isa<ANEDialect>(op->getDialect())) {
      constant = llvm::all_of(op->getOperands(), [&](Value operand) {
        return operand.getDefiningOp() &&
               foldable.contains(operand.getDefiningOp());
      });
      constant = constant && canEvaluate(op, isSplat);
      if (constant && staysSplat(op, isSplat))
        splats.insert(op->getResult(0));
    }
    if (!constant)
      return;
    foldable.insert(op);
    order.push_back(op);
    if (isa<ConstantOp>(op))
      return;
    auto [it, isNew] = first.insert(op);
    if (!isNew && (*it)->getBlock() == op->getBlock())
      op->replaceAllUsesWith(*it);
  });
}

bool Folder::isRoot(Operation *op) const {
  return !isa<ConstantOp>(op) &&
         llvm::any_of(op->getUsers(), [&](Operation *user) {
           return !foldable.contains(user);
         });
}

/// Evaluates `op` and what it depends on; no recursion, chains may be long.
const Known &Folder::know(Operation *op) {
  SmallVector<Operation *> stack = {op};
  while (!stack.empty()) {
    Operation *top = stack.back();
    if (known.count(top)) {
      stack.pop_back();
      continue;
    }
    if (auto constant = dyn_cast<ConstantOp>(top)) {
      ConstantView view = *ConstantView::get(constant.getValue());
      known.try_emplace(top, Known{view, top, std::nullopt});
      continue;
    }
    SmallVector<ConstantView> operands;
    for (Value operand : top->getOperands()) {
      auto it = known.find(operand.getDefiningOp());
      if (it == known.end())
        stack.push_back(operand.getDefiningOp());
      else
        operands.push_back(it->second.view);
    }
    if (operands.size() != top->getNumOperands())
      continue;
    Evaluated result = evaluate(top, operands);
    Operation *source =
        result.bytes
            ? top
            : known.find(top->getOperand(0).getDefiningOp())->second.source;
    known.try_emplace(top, Known{result.view, source, std::move(result.bytes)});
  }
  return known.find(op)->second;
}

/// A resource for a gapless part of another one, without a copy: both keep the
/// bytes alive.
ElementsAttr Folder::shareResource(RankedTensorType type,
                                   const ConstantView &view,
                                   DenseResourceElementsAttr source) {
  DenseResourceElementsHandle handle = source.getRawHandle();
  AsmResourceBlob *whole = handle.getBlob();
  if (whole->getData().size() == static_cast<size_t>(view.getNumBytes()))
    return DenseResourceElementsAttr::get(type, handle);
  std::shared_ptr<AsmResourceBlob> &owner = shared[handle.getResource()];
  size_t align = view.getElementBytes();
  if (!owner) {
    ArrayRef<char> data = whole->getData();
    size_t wholeAlign = whole->getDataAlignment();
    owner = std::make_shared<AsmResourceBlob>(std::move(*whole));
    handle.getResource()->setBlob(AsmResourceBlob(
        data, wholeAlign, [owner = owner](void *, size_t, size_t) {},
        /*dataIsMutable=*/false));
  }
  // Pages of a mapped file leave memory with the part, not only with the whole.
  ArrayRef<char> bytes(view.getData(), static_cast<size_t>(view.getNumBytes()));
  AsmResourceBlob part(
      bytes, align,
      [owner = owner, bytes](void *, size_t, size_t) {
        ::ane::releasePages(
            {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
      },
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, handle.getKey(), std::move(part));
}

ElementsAttr Folder::makeAttr(Operation *op) {
  Known &value = known.find(op)->second;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const ConstantView &view = value.view;
  if (view.isSplat() && view.getNumElements() > 0)
    return DenseElementsAttr::getFromRawBuffer(
        type, {view.getData(), static_cast<size_t>(view.getElementBytes())});
  if (value.buffer && view.isContiguous()) {
    // The buffer itself becomes the constant. Users of `op` are evaluated after
    // it, so nobody looks into the buffer yet.
    AsmResourceBlob bytes = std::move(*value.buffer);
    value.buffer.reset();
    return makeConstantAttr(type, std::move(bytes));
  }
  if (auto constant = dyn_cast<ConstantOp>(value.source)) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
    if (resource && view.isContiguous() &&
        view.getNumBytes() >= minSharedBytes) {
      sharedBytes += view.getNumBytes();
      return shareResource(type, view, resource);
    }
  }
  copiedBytes += view.getNumBytes();
  return makeConstantAttr(type, view.materialize());
}

/// Puts a constant in the place of `op`.
void Folder::replace(Operation *op) {
  know(op);
  ElementsAttr attr = makeAttr(op);
  known.erase(op);
  uses.add(attr);
  OpBuilder builder(op);
  auto constant = ConstantOp::create(builder, op->getLoc(),
                                     op->getResult(0).getType(), attr);
  foldable.insert(constant);
  op->getResult(0).replaceAllUsesWith(constant);
  ++folded;
  eraseDead(op);
}

/// Erases `op` if it has no users, and then what became dead by this.
void Folder::eraseDead(Operation *op) {
  SmallVector<Operation *> stack = {op};
  while (!stack.empty()) {
    Operation *dead = stack.pop_back_val();
    // Two users that went may both have put it here.
    if (!foldable.contains(dead) || !dead->use_empty())
      continue;
    SmallVector<Operation *> operands;
    for (Value operand : dead->getOperands())
      if (!llvm::is_contained(operands, operand.getDefiningOp()))
        operands.push_back(operand.getDefiningOp());
    known.erase(dead);
    foldable.erase(dead);
    std::optional<Attribute> released;
    if (auto constant = dyn_cast<ConstantOp>(dead))
      released = constant.getValueAttr();
    dead->erase();
    if (released)
      uses.drop(*released);
    stack.append(operands);
  }
}

void Folder::run() {
  // Dead code first: its constants may be large. Users come before what they
  // use.
  std::vector<Operation *> alive;
  for (Operation *op : llvm::reverse(order)) {
    if (!op->use_empty()) {
      alive.push_back(op);
      continue;
    }
    Attribute value;
    if (auto constant = dyn_cast<ConstantOp>(op))
      value = constant.getValueAttr();
    foldable.erase(op);
    op->erase();
    if (value)
      uses.drop(value);
  }
  order.clear();
  std::vector<Operation *> roots;
  for (Operation *op : llvm::reverse(alive))
    if (isRoot(op))
      roots.push_back(op);
  for (Operation *op : roots)
    replace(op);
}

void mlir::ane::foldConstants(Operation *root) { Folder(root).run(); }

namespace {
struct Fold : public mlir::ane::impl::ANEFoldBase<Fold> {
  void runOnOperation() override {
    Folder folder(getOperation());
    folder.run();
    foldedValues += folder.folded;
    copiedBytes += folder.copiedBytes;
    sharedBytes += folder.sharedBytes;
    releasedBytes += folder.getReleasedBytes();
  }
};
} // namespace
