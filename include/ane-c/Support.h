/*===- ane-c/Support.h - What both C interfaces share -------------*- C -*-===*\
|*                                                                            *|
|* Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef ANE_C_SUPPORT_H
#define ANE_C_SUPPORT_H

#if defined(__GNUC__) || defined(__clang__)
#define ANE_C_EXPORT __attribute__((visibility("default")))
#else
#define ANE_C_EXPORT
#endif

#ifdef __cplusplus
#define ANE_C_BEGIN extern "C" {
#define ANE_C_END }
#else
#define ANE_C_BEGIN
#define ANE_C_END
#endif

#endif /* ANE_C_SUPPORT_H */
