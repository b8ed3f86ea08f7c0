/*===- ane-c/Compiler.h - Compile networks from C -----------------*- C -*-===*\
|*                                                                            *|
|* Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A network in memory becomes a register program in memory, as ane-compile   *|
|* does with files. Programs that use MLIR's own C interface have the         *|
|* dialects and passes in ane-c/Dialects.h.                                   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef ANE_C_COMPILER_H
#define ANE_C_COMPILER_H

#include "ane-c/Support.h"

#include <stddef.h>
#include <stdint.h>

ANE_C_BEGIN

/** Zeros are the defaults. The strings are those of ane-compile's options. */
typedef struct {
  const char *target; /**< generation of the engine: a name as h14; NULL: h13 */
  const char *function; /**< which one, where the network has several */
  const char *flavour;  /**< "clean" (NULL) or "zin-9.509" */
  const char *tile;     /**< a plan of tiles, or "none"; NULL: the planner's */
  const char *milRoot;  /**< what @model_path means in MIL; NULL: "." */
  /** Last phase to run, whose IR is the result instead of a program; NULL: all
   *  of them. */
  const char *stopAfter;
  /** Arguments that are constants: "N=@file.npy" or "N=random:SEED[:SCALE]". */
  const char *const *bindings;
  size_t bindingCount;
  /** Shapes of arguments that leave sizes open: "N=1x3x224x224", "default". */
  const char *const *shapes;
  size_t shapeCount;
  int allowUnproven; /**< use mechanisms that no recorded program uses */
  /** Of functions with several forms: "fast", "balanced" (NULL) or "best". */
  const char *accuracyGoal;
} AneCompileOptions;

/** A message or bytes that a function of this header gave; NULL is fine. */
ANE_C_EXPORT void aneCompilerFree(void *memory);

/** Compiles a network: MLIR (text or bytecode; TOSA, linalg or ane) or MIL
 * text, which its beginning tells. Gives the bytes of a .hwx file, or MLIR text
 * with `stopAfter`, and their number in `size`. `name` stands for the network
 * in messages (NULL: "network").
 *
 *  On failure NULL. `diagnostics`, where it is not NULL, gets what a compiler
 *  would print (errors, also warnings of a success), or NULL when there is
 *  nothing to say. Calls may run at the same time.
 *
 *  Of untrusted networks: text is looked through before it is parsed, and one
 *  that nests more than 1,000 levels deep is an error; the work is done on a
 *  thread with a stack of its own, of 64 MiB. What is not bounded, and needs a
 *  process of its own (ane-compile):
 *
 *  - Bytecode. MLIR's reader trusts it and may crash or allocate without bound.
 *  - Time and memory, which grow with the sizes that the network states.
 *  - Files that it refers to (bindings, and weights below milRoot) are mapped:
 *    one that somebody cuts meanwhile is a SIGBUS of the process. */
ANE_C_EXPORT void *aneCompile(const void *network, size_t networkSize,
                              const char *name,
                              const AneCompileOptions *options, size_t *size,
                              char **diagnostics);

/** An array of single precision for an input; without a name (NULL), for the
 *  next input that none names. */
typedef struct {
  const char *name;
  const float *elements;
  size_t elementCount;
} AneAccuracyInput;

/** Zeros are the defaults. */
typedef struct {
  const AneAccuracyInput *inputs;
  size_t inputCount;
  uint64_t seed; /**< of random data for the other inputs */
  int mode; /**< an AneMode of Runtime.h that computes: exact, fast, engine */
} AneAccuracyOptions;

/** Runs a network in f32, and the program that it is compiled to in the
 *  simulator. Gives JSON, as `ane-compile --accuracy=r.json` writes it, without
 *  `input`, `target` and `mode`: how far each op is off. The rest is as with
 *  aneCompile. */
ANE_C_EXPORT char *aneMeasureAccuracy(const void *network, size_t networkSize,
                                      const char *name,
                                      const AneCompileOptions *options,
                                      const AneAccuracyOptions *accuracy,
                                      char **diagnostics);

ANE_C_END

#endif /* ANE_C_COMPILER_H */
