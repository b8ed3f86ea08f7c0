//===- Version.h - Which mlir-ane this is -----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_VERSION_H
#define ANE_SUPPORT_VERSION_H

namespace ane {

/// "mlir-ane 0.1.0 (3f2a9c0d1e5b)": the version and the commit that was built,
/// "unknown" where the sources are in no repository. Tools print it, reports
/// and files that are written have it.
const char *version();

} // namespace ane

#endif // ANE_SUPPORT_VERSION_H
