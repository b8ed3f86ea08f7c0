//===- SourceLines.cpp - Where ops come from ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceLines.h"

#include "StatsJson.h"

#include "ane/Target/MLPackage/MLPackage.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::ane;

// A line may hold the weights of a network.
std::string SourceLines::textOf(StringRef file, unsigned line) const {
  constexpr size_t most = 300;
  for (unsigned id = 1; id <= sourceMgr.getNumBuffers(); ++id) {
    const llvm::MemoryBuffer *buffer = sourceMgr.getMemoryBuffer(id);
    if (buffer->getBufferIdentifier() != file)
      continue;
    llvm::SMLoc start = sourceMgr.FindLocForLineAndColumn(id, line, 1);
    if (!start.isValid())
      return "";
    StringRef text(start.getPointer(),
                   buffer->getBufferEnd() - start.getPointer());
    text = text.take_until([](char c) { return c == '\n'; });
    bool isLong = text.size() > most;
    return asUtf8(text.take_front(most).trim()) + (isLong ? " ..." : "");
  }
  return "";
}

std::optional<unsigned> SourceLines::addPlace(Location loc, StringAttr name) {
  auto [entry, isNew] = numbers.try_emplace(loc, places.size());
  if (!isNew)
    return entry->second;
  llvm::json::Object place;
  if (name)
    place["name"] = asUtf8(name.getValue());
  if (std::optional<mil::PackagePlace> inPackage = mil::placeInPackage(loc)) {
    place["file"] = asUtf8(inPackage->file);
    place["function"] = asUtf8(inPackage->function);
    place["operation"] = asUtf8(inPackage->operation);
    place["output"] = asUtf8(inPackage->output);
  }
  if (auto range = dyn_cast<FileLineColRange>(loc)) {
    StringRef file = range.getFilename().getValue();
    place["file"] = asUtf8(file);
    place["line"] = range.getStartLine();
    place["column"] = range.getStartColumn();
    std::string text = textOf(file, range.getStartLine());
    if (!text.empty())
      place["text"] = std::move(text);
  }
  places.push_back(std::move(place));
  return entry->second;
}

std::vector<unsigned> SourceLines::add(Location loc) {
  constexpr size_t most = 16; // a fused location may name a whole network
  std::vector<unsigned> result;
  StringAttr name;
  loc->walk([&](Location part) {
    std::optional<unsigned> number;
    bool isInPackage = false;
    if (auto named = dyn_cast<NameLoc>(part)) {
      name = named.getName();
      isInPackage = isa<NameLoc>(named.getChildLoc()) &&
                    mil::placeInPackage(named).has_value();
      if (isInPackage || isa<UnknownLoc>(named.getChildLoc()))
        number = addPlace(part, name);
    } else if (isa<FileLineColRange>(part)) {
      number = addPlace(part, name);
      name = nullptr;
    }
    if (number && !llvm::is_contained(result, *number))
      result.push_back(*number);
    if (result.size() >= most)
      return WalkResult::interrupt();
    return isInPackage ? WalkResult::skip() : WalkResult::advance();
  });
  return result;
}
