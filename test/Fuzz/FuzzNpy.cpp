//===- FuzzNpy.cpp - Any bytes as an .npy file ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reader takes any bytes or says what is wrong. The data that it finds are
// the last bytes of the file, and as many as the shape says.
//
//===----------------------------------------------------------------------===//

#include "ane/Support/Npy.h"

#include <cstdlib>

using namespace ane::npy;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  absl::StatusOr<View> view = parse({data, size});
  if (!view.ok())
    return view.status().message().empty() ? std::abort(), 0 : 0;
  uint64_t elements = 1;
  for (uint64_t extent : view->shape)
    elements *= extent;
  if (view->data.size() > size ||
      (!view->data.empty() && view->data.end() != data + size) ||
      elements != view->elementCount())
    std::abort();
  // A header of ours says the same.
  std::vector<uint8_t> file = header(view->type, view->shape);
  file.insert(file.end(), view->data.begin(), view->data.end());
  absl::StatusOr<View> again = parse(file);
  if (!again.ok() || again->type != view->type || again->shape != view->shape ||
      again->data != view->data)
    std::abort();
  return 0;
}
