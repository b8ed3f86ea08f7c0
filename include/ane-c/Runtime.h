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

/** What this process and this machine are allowed, and what needs it; looked up,
 *  nothing is tried. */
typedef struct {
  const char *what;   /**< "System Integrity Protection" */
  const char *held;   /**< "on", "off", "yes", "no", "unknown" */
  const char *needed; /**< for what, and what can be done without */
} AnePermission;

/** The strings live as long as the library. All fields are 0 past the end. */
ANE_C_EXPORT AnePermission aneDevicePermission(size_t device, size_t index);

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
/** The same of one of several functions of a MIL text. */
ANE_C_EXPORT AneProgram *aneProgramReadFunction(const char *path,
                                                const char *milRoot,
                                                const char *function,
                                                char **error);
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

/** A counter that runs wait for and raise. */
typedef struct AneEvent AneEvent;

/** Zeros are the defaults. */
typedef struct {
  AneMode mode;     /**< of the simulator; others have no use for it */
  unsigned threads; /**< of the simulator; 0: all */
  /** How long the run may take; 0: what the device was opened with
   *  ("asahi:timeout=2"), else as long as it takes. Nothing takes a run back:
   *  after an error of time the program has to be loaded again, except on
   *  "asahi" with interface 2, which ends the run itself. */
  double timeoutSeconds;
  /** The run begins when the event has reached the value; NULL: at once. */
  AneEvent *waitEvent;
  uint64_t waitValue;
  /** The event is raised to the value when the run has ended well, and fails
   *  where the run does; NULL: none. */
  AneEvent *signalEvent;
  uint64_t signalValue;
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
/** Another function of the text that `executable` was loaded from: it is not
 *  compiled again, and counts as the same loaded program. */
ANE_C_EXPORT AneExecutable *aneExecutableProcedure(AneExecutable *executable,
                                                   const AneProgram *function,
                                                   char **error);
ANE_C_EXPORT void aneExecutableDestroy(AneExecutable *executable);

/** Runs: `arrays[i]` is the dense array of tensor i, of its type and with its
 *  denseBytes; NULL for a low one: zeros. Outputs are written. `options` and
 *  `stats` may be NULL.
 *  0 on success. One run of an executable at a time; several of a program may
 *  run at once. Waits until the run has ended. */
ANE_C_EXPORT int aneExecutableRun(AneExecutable *executable,
                                  void *const *arrays,
                                  const AneRunOptions *options, AneStats *stats,
                                  char **error);

/*===- Runs in the background
 * ---------------------------------------------------------------===*/

/** A run that was submitted. It ends once: with its outputs, an error, or
 *  because it was cancelled. */
typedef struct AneRequest AneRequest;

/** Takes the inputs from `arrays`, which may be freed afterwards, and runs when
 *  what was submitted before has ended. Arrays of outputs may be NULL here. */
ANE_C_EXPORT AneRequest *aneExecutableSubmit(AneExecutable *executable,
                                             void *const *arrays,
                                             const AneRunOptions *options,
                                             char **error);
/** Whether it has ended, at the latest after the time; below 0: when it has. */
ANE_C_EXPORT int aneRequestWait(const AneRequest *request, double seconds);
/** Calls `then(context)` once it has ended: at once, or from another thread, before
 *  the executable is destroyed. */
ANE_C_EXPORT void aneRequestOnCompletion(AneRequest *request,
                                         void (*then)(void *), void *context);
/** Ends it if it has not begun; 1 if it has ended so. */
ANE_C_EXPORT int aneRequestCancel(AneRequest *request);
/** Waits, and writes the arrays of outputs; others are not looked at. What
 *  aneExecutableValues and aneExecutableHardwareMs tell is of this run then.
 *  0 on success. */
ANE_C_EXPORT int aneRequestFinish(AneRequest *request, void *const *arrays,
                                  AneStats *stats, char **error);
/** The run goes on. Before the executable is destroyed. */
ANE_C_EXPORT void aneRequestDestroy(AneRequest *request);

/** NULL as device: one that all devices take, through this process. One of
 *  "apple" is raised by its daemon itself where only runs of it use it. */
ANE_C_EXPORT AneEvent *aneEventCreate(const char *device, char **error);
/** Runs that use it keep it. */
ANE_C_EXPORT void aneEventDestroy(AneEvent *event);
ANE_C_EXPORT uint64_t aneEventValue(const AneEvent *event);
/** Never lowers the value. */
ANE_C_EXPORT void aneEventSignal(AneEvent *event, uint64_t value);
/** Waits until it has reached the value; below 0: as long as it takes. 0 on
 *  success; fails after the time, or with the run that was to raise it. */
ANE_C_EXPORT int aneEventWait(const AneEvent *event, uint64_t value,
                              double seconds, char **error);

/*===- States
 * ---------------------------------------------------------------===*/

typedef enum {
  /** After each run, input and output exchange their memory. */
  ANE_KEEP_EXCHANGE = 0,
  /** Both are in the same memory; only where it is proved that no task reads
   *  what another has begun to overwrite. */
  ANE_KEEP_ALIAS = 1
} AneKeeping;

/** A buffer that stays in the device: what a run leaves in `output` the next
 *  one finds in `input`, which is zero before the first. Their arrays may be
 *  NULL in runs. 0 on success. */
ANE_C_EXPORT int aneExecutableKeep(AneExecutable *executable, const char *input,
                                   const char *output, AneKeeping how,
                                   char **error);
/** The state that the next run finds, as a dense array. Not while a run is under
 *  way. 0 on success. */
ANE_C_EXPORT int aneExecutableWriteState(AneExecutable *executable,
                                         const char *input, const void *array,
                                         char **error);
ANE_C_EXPORT int aneExecutableReadState(AneExecutable *executable,
                                        const char *input, void *array,
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
