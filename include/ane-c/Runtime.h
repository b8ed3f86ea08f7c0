/*===- ane-c/Runtime.h - Run register programs from C -------------*- C -*-===*\
|*                                                                            *|
|* Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Reads a program, says which tensors it has, and runs it on a device        *|
|* with dense arrays. libane-runtime needs neither MLIR nor LLVM.             *|
|*                                                                            *|
|* Functions that fail return NULL or a number other than 0 and, where        *|
|* `error` is not NULL, a message there that aneRuntimeFree takes. Nothing is *|
|* printed, nothing aborts.                                                   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef ANE_C_RUNTIME_H
#define ANE_C_RUNTIME_H

#include "ane-c/Support.h"

#include <stddef.h>
#include <stdint.h>

ANE_C_BEGIN

/** A message or bytes that a function of this header gave; NULL is fine. */
ANE_C_EXPORT void aneRuntimeFree(void *memory);

/** "mlir-ane 0.1.0 (COMMIT)". */
ANE_C_EXPORT const char *aneRuntimeVersion(void);

/*===- Devices
 * --------------------------------------------------------------===*/

typedef struct {
  const char *kind;       /**< "sim", "apple", "asahi" */
  const char *name;       /**< for people */
  const char *generation; /**< "h13, h14"; "any" when it runs them all */
  const char *state;      /**< "ready", or why it is not */
  int ready;
} AneDevice;

/** All devices that the library knows, also those that are not ready. */
ANE_C_EXPORT size_t aneDeviceCount(void);
/** The strings live as long as the library. All fields are 0 past the end. */
ANE_C_EXPORT AneDevice aneDeviceGet(size_t index);

/*===- Programs
 * -------------------------------------------------------------===*/

typedef struct AneProgram AneProgram;

typedef enum { ANE_UINT8 = 0, ANE_INT8 = 1, ANE_FLOAT16 = 2 } AneElementType;

typedef struct {
  const char *name; /**< lives as long as the program */
  int isOutput;
  AneElementType type;
  uint32_t shape[5];   /**< N, C, H, W, D in elements */
  uint64_t denseBytes; /**< of an array without padding */
  /** The shape of an array: that of the network, which has the same elements in
   *  the same order, where the file knows it; else N, C, H, W, and D where it
   * is not 1. No numbers for a scalar. They live as long as the program. */
  const uint64_t *sizes;
  size_t rank;
  /** An input that holds what halves lack of the input before it: numbers of
   *  single precision enter as this pair (aneProgramConvert). */
  int isLow;
} AneTensor;

/** Reads the bytes of a .hwx or .anec file, which may be freed afterwards. */
ANE_C_EXPORT AneProgram *aneProgramRead(const void *bytes, size_t size,
                                        char **error);
/** Reads a file: .hwx, .anec, or MIL text, which devices with a compiler of
 *  their own take ("apple"), also as the model.mil of a folder such as a
 *  .mlmodelc; `milRoot` is the folder that it calls @model_path, NULL: that of
 *  the file. Loading opens the file again, where a device takes
 *  whole files. */
ANE_C_EXPORT AneProgram *aneProgramReadFile(const char *path,
                                            const char *milRoot, char **error);
ANE_C_EXPORT void aneProgramDestroy(AneProgram *program);

/** Inputs come first, then outputs, each in the order of the network. */
ANE_C_EXPORT size_t aneProgramTensorCount(const AneProgram *program);
/** All fields are 0 past the end. */
ANE_C_EXPORT AneTensor aneProgramTensor(const AneProgram *program,
                                        size_t index);

/** Makes the dense array of input `index` of `numbers`, as many as it has
 *  elements: rounded to halves, or to whole numbers and clamped. `low` is the
 *  array of the input after it if that is low, else NULL. 0 on success. */
ANE_C_EXPORT int aneProgramConvert(const AneProgram *program, size_t index,
                                   const float *numbers, void *dense, void *low,
                                   char **error);

/** Proves from the words of the program that it stays in its memory, as every
 *  device other than "sim" does before a run; see docs/Verifier.md. 0 where it
 *  does; else `error` has a line for each fault: task, field, value, bound. */
ANE_C_EXPORT int aneProgramVerify(const AneProgram *program, char **error);

/*===- Runs
 * -----------------------------------------------------------------===*/

typedef enum {
  ANE_MODE_EXACT = 0, /**< double precision, rounded once */
  ANE_MODE_FAST = 1,  /**< single precision, twice as fast */
  ANE_MODE_COUNT = 2, /**< no arithmetic: checks of memory, counts, times */
  ANE_MODE_ENGINE = 3 /**< adds up as probed on engines; slow */
} AneMode;

/** For the simulator; others have no use for them. Zeros are the defaults. */
typedef struct {
  AneMode mode;
  unsigned threads; /**< 0: all */
} AneRunOptions;

/** Only the simulator has them; zeros elsewhere. */
typedef struct {
  uint64_t tasks, macs;
  uint64_t dramBytes;       /**< read and written */
  uint64_t compulsoryBytes; /**< what no plan can avoid */
  uint64_t l2PeakBytes;
  double predictedMs;
} AneStats;

/** A program on a device: what does not change from run to run is there
 *  already, such as coefficients. */
typedef struct AneExecutable AneExecutable;

/** `device` is a kind; NULL: "sim". It may have options: "apple:path=direct"
 *  (docs/Devices.md). The program must outlive the result. Device
 *  "apple" does not survive a fork; how many programs a process can compile and
 *  hold there is limited. */
ANE_C_EXPORT AneExecutable *aneProgramLoad(const AneProgram *program,
                                           const char *device, char **error);
ANE_C_EXPORT void aneExecutableDestroy(AneExecutable *executable);

/** Runs: `arrays[i]` is the dense array of tensor i, of its type and with its
 *  denseBytes; NULL for a low one: zeros. Outputs are written. `options` and
 *  `stats` may be NULL.
 *  0 on success. One run of an executable at a time; several of a program may
 *  run at once. */
ANE_C_EXPORT int aneExecutableRun(AneExecutable *executable,
                                  void *const *arrays,
                                  const AneRunOptions *options, AneStats *stats,
                                  char **error);

/** Milliseconds that the engine took for the last run, where the device tells
 *  it ("apple:stats"); else 0. */
ANE_C_EXPORT double aneExecutableHardwareMs(const AneExecutable *executable);

/** What is open about the engines: a fact and one of its values, each with what
 *  it means. The strings live as long as the library. */
typedef struct {
  const char *fact;     /**< "slots" */
  const char *question; /**< "entries of a slot ..., at least" */
  const char *value;    /**< "four" */
  const char *meaning;
} AneAssumption;

/** All values of all facts; all fields are NULL past the end. */
ANE_C_EXPORT AneAssumption aneAssumptionGet(size_t index);
/** Later runs in the simulator with ANE_MODE_ENGINE compute as if these were so
 *  ("slots=four,limit=none"): results of a machine can be compared with them
 *  (docs/DeviceKit.md). 0 on success. */
ANE_C_EXPORT int aneExecutableAssume(AneExecutable *executable,
                                     const char *assumptions, char **error);

/** What became of the elements of a tensor when they were rounded to its type:
 *  a surface, or the result of a task that stays in the device. */
typedef struct {
  const char *name; /**< of the surface; of results what the task computes */
  int64_t task;     /**< of a result: its number, from 0; of a surface -1 */
  uint64_t elements;
  uint64_t infinities; /**< also numbers above 65504 */
  uint64_t nans;
  uint64_t underflows; /**< zero, and something else before; inputs: unknown */
  uint64_t subnormals; /**< below 2^-14, with fewer than 11 digits */
  float largest;       /**< magnitude before rounding, of finite ones */
  int inheritsSpecial; /**< infinite or NaN, and a source of the task was, too
                        */
} AneValues;

/** How many there are of the last run that succeeded: a surface for each tensor
 *  of the program, in their order, then, from the simulator only, a result for
 *  each task. None with ANE_MODE_COUNT. */
ANE_C_EXPORT size_t aneExecutableValueCount(const AneExecutable *executable);
/** Strings live until the next run. All fields are 0 past the end. */
ANE_C_EXPORT AneValues aneExecutableValues(const AneExecutable *executable,
                                           size_t index);

ANE_C_END

#endif /* ANE_C_RUNTIME_H */
