//===- ConstantBlobs.cpp - The bytes behind constants ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/ConstantBlobs.h"

#include "mlir/IR/BuiltinDialect.h"

using namespace mlir;
using namespace mlir::ane;

using Entry = DialectResourceBlobManager::BlobEntry;

// Resources may hide in dictionaries and arrays (function attributes).
static void forEachEntry(Attribute attr, llvm::function_ref<void(Entry *)> fn) {
  attr.walk([&](DenseResourceElementsAttr resource) {
    fn(resource.getRawHandle().getResource());
  });
}

static void forEachEntry(Operation *root,
                         llvm::function_ref<void(Entry *)> fn) {
  root->walk([&](Operation *op) { forEachEntry(op->getAttrDictionary(), fn); });
}

static int64_t release(Entry *entry) {
  int64_t size = entry->getBlob() ? entry->getBlob()->getData().size() : 0;
  if (size)
    entry->setBlob(AsmResourceBlob(ArrayRef<char>(), /*dataAlignment=*/1,
                                   /*deleter=*/{}, /*dataIsMutable=*/false));
  return size;
}

BlobUses::BlobUses(Operation *root) {
  forEachEntry(root, [&](Entry *entry) { ++uses[entry]; });
}

void BlobUses::add(Attribute attr) {
  forEachEntry(attr, [&](Entry *entry) { ++uses[entry]; });
}

void BlobUses::drop(Attribute attr) {
  forEachEntry(attr, [&](Entry *entry) {
    auto it = uses.find(entry);
    if (it == uses.end() || --it->second)
      return;
    uses.erase(it);
    releasedBytes += release(entry);
  });
}

void BlobUses::releaseGone(Operation *root) {
  llvm::DenseMap<Entry *, int64_t> now;
  forEachEntry(root, [&](Entry *entry) { ++now[entry]; });
  for (const auto &item : uses)
    if (!now.contains(item.first))
      releasedBytes += release(item.first);
  uses = std::move(now);
}

std::pair<int64_t, int64_t> mlir::ane::releaseUnusedBlobs(Operation *root) {
  llvm::DenseSet<Entry *> used;
  forEachEntry(root, [&](Entry *entry) { used.insert(entry); });
  SmallVector<Entry *> dead;
  auto &manager =
      DenseResourceElementsHandle::getManagerInterface(root->getContext())
          .getBlobManager();
  manager.getBlobMap([&](const llvm::StringMap<Entry> &map) {
    // The map gives const entries only; lookup() would take the lock again.
    for (const auto &item : map)
      if (auto *entry = const_cast<Entry *>(&item.getValue());
          !used.contains(entry))
        dead.push_back(entry);
  });
  std::pair<int64_t, int64_t> released = {0, 0};
  for (Entry *entry : dead) {
    if (int64_t size = release(entry)) {
      ++released.first;
      released.second += size;
    }
  }
  return released;
}
