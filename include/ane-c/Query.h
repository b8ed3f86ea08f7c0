/*===- ane-c/Query.h - Ask what the engine can run, from C --------*- C -*-===*\
|*                                                                            *|
|* Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Does an op run on a target, what does it cost, and if it does not run, why *|
|* not: for compilers that decide what goes where. In libane-compiler. A query*|
|* keeps what it has learned; ask many ops at once, and ask the same query.   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef ANE_C_QUERY_H
#define ANE_C_QUERY_H

#include "ane-c/Compiler.h"

ANE_C_BEGIN

typedef struct AneQuery AneQuery;

typedef struct {
  const char *name; /**< of the function that was asked about */
  int runs;
  /** Of an op that runs: predicted seconds of a call of it alone, with the
   *  dispatch of a program, and the dispatch itself; tasks, bytes that cross the
   *  DRAM interface, multiplications. */
  double seconds, dispatchSeconds;
  uint64_t tasks, bytes, macs;
  /** Not 0: nothing was compiled, the op is one that the engine does as it is.
   *  The cost is that of one op by the same model. */
  int isDirect;
  /** Of an op that does not run: what compiling it says (else ""), the row of
   *  the table of limits (docs/SupportedOps.md) that it names, and the way out
   *  that the row knows; "" for none. */
  const char *reason, *constraint, *hint;
  /** Not 0: the row is a limit, and these are what it is and what the op has. */
  int hasLimit;
  uint64_t limit, value;
} AneAnswer;

/** `options` (NULL: the defaults) may have target, flavour, milRoot,
 *  allowUnproven and accuracyGoal; the others are not looked at. On failure NULL
 *  and, where `diagnostics` is not NULL, a message there that aneCompilerFree
 *  takes. */
ANE_C_EXPORT AneQuery *aneQueryCreate(const AneCompileOptions *options,
                                      char **diagnostics);
ANE_C_EXPORT void aneQueryDestroy(AneQuery *query);

/** Asks about each function of a network, as a program by itself: MLIR (text or
 *  bytecode; TOSA, linalg or ane) or MIL text, as aneCompile takes it. An op is
 *  a function that has only this op and its constants. Gives the number of
 *  answers, in the order of the functions; -1, with a message, when the text is
 *  none. That an op does not run is an answer. One call of a query at a time. */
ANE_C_EXPORT int64_t aneQueryAsk(AneQuery *query, const void *network,
                                 size_t networkSize, const char *name,
                                 char **diagnostics);

/** The answers of the last aneQueryAsk; strings live until the next one. All
 *  fields are 0 past the end. */
ANE_C_EXPORT AneAnswer aneQueryAnswer(const AneQuery *query, size_t index);

ANE_C_END

#endif /* ANE_C_QUERY_H */
