//===- ImportMath.h - Functions of the math dialect -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_IMPORT_IMPORTMATH_H
#define ANE_LIB_CONVERSION_IMPORT_IMPORTMATH_H

namespace mlir::ane {

class FunctionImporter;

/// Teaches `importer` functions that are several ops of the ane dialect.
void addMathImport(FunctionImporter &importer);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_IMPORT_IMPORTMATH_H
