//===- AccuracyPage.cpp - Accuracy for people -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccuracyPage.h"

#include "Page.h"

#include "ane/Files/InputFiles.h"
#include "ane/HW/Float16.h"
#include "ane/Support/Npy.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace llvm;
using namespace mlir::ane;
namespace npy = ::ane::npy;

static const unsigned char page[] = {
#include "AccuracyPage.inc"
};

void mlir::ane::writeAccuracyPage(raw_ostream &os, json::Object report) {
  writePage(os, {reinterpret_cast<const char *>(page), sizeof(page)},
            std::move(report));
}

static float elementAt(const npy::View &view, uint64_t index) {
  if (view.type == npy::Type::Float32) {
    float value;
    std::memcpy(&value, view.data.data() + index * sizeof(value),
                sizeof(value));
    return value;
  }
  if (view.type == npy::Type::Float16) {
    uint16_t bits;
    std::memcpy(&bits, view.data.data() + index * sizeof(bits), sizeof(bits));
    return ::ane::hw::fromHalfBits(bits);
  }
  return static_cast<float>(npy::integerAt(view, index));
}

Expected<NamedArray> mlir::ane::readNamedArray(StringRef binding) {
  auto [name, path] = binding.split('=');
  if (path.empty())
    std::swap(name, path);
  auto fail = [&, path = path](const Twine &message) {
    return createStringError(inconvertibleErrorCode(),
                             "'" + path + "': " + message);
  };
  auto file = readInput(path);
  if (!file)
    return fail("cannot read: " + file.getError().message());
  StringRef bytes = (*file)->getBuffer();
  auto view = npy::parse(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  if (!view.ok()) {
    absl::string_view message = view.status().message();
    return fail("is no array: " + StringRef(message.data(), message.size()));
  }
  NamedArray array;
  array.name = name.str();
  array.shape.assign(view->shape.begin(), view->shape.end());
  array.data.resize(view->elementCount());
  for (auto [index, value] : enumerate(array.data))
    value = elementAt(*view, index);
  return array;
}
