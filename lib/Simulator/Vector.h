//===- Vector.h - The loops that take the time ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversion of rows between half and single precision, and convolutions,
// compiled for several instruction sets and chosen at run time (Highway).
// Everything here works on dense arrays; registers and layouts are dealt with
// elsewhere.
//
// A convolution is a matrix product. Output pixels, flattened over rows, are
// cut into panels of a few vectors; for each panel some steps of the reduction
// are gathered into a [step][pixel] buffer that stays in the first cache, and
// register blocks of channels x pixels run over it. So narrow images use whole
// vectors too. Sums stay in the second cache until they are complete and are
// handed to the caller, who applies what comes after the accumulator.
//
// The order of the sum of an output is input channel, kernel row, kernel
// column, one product after the other, in every instruction set.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_VECTOR_H
#define ANE_LIB_SIMULATOR_VECTOR_H

#include "ane/Simulator/Simulator.h"

#include "absl/functional/function_ref.h"

#include <cstddef>
#include <cstdint>

namespace ane::sim {

/// `rows` rows of `width` halves, `stride` bytes apart at `from`, to singles
/// without gaps. Rows of halves may lie anywhere.
void halvesToFloats(const uint8_t *from, size_t stride, float *to,
                    uint32_t width, uint32_t rows);
/// The reverse; rounds to nearest even, infinity above 65504.
void floatsToHalves(const float *from, uint8_t *to, size_t stride,
                    uint32_t width, uint32_t rows);
inline void halvesToFloats(const uint8_t *from, float *to, size_t count) {
  halvesToFloats(from, 2 * count, to, uint32_t(count), 1);
}
inline void floatsToHalves(const float *from, uint8_t *to, size_t count) {
  floatsToHalves(from, to, 2 * count, uint32_t(count), 1);
}
/// Rounds each value once to a half and gives it back as a single. The arrays
/// may be the same.
void roundToHalf(const float *from, float *to, size_t count);
void roundToHalf(const double *from, float *to, size_t count);
/// The same, counting what becomes of the values.
void roundToHalf(const float *from, float *to, size_t count,
                 ValueCounts &counts);
void roundToHalf(const double *from, float *to, size_t count,
                 ValueCounts &counts);

struct ConvShape {
  uint32_t cin = 1, hin = 1, win = 1;
  uint32_t cout = 1, hout = 1, wout = 1;
  uint32_t kh = 1, kw = 1, sy = 1, sx = 1;
  uint32_t py = 0, px = 0; ///< zeros in front; after, as many as are needed
};

/// Takes `count` complete sums of output channel `channel` from pixel `pixel`
/// on, and may change them. Called from several threads, once for each pixel.
template <typename T>
using Sink = absl::FunctionRef<void(uint32_t channel, size_t pixel,
                                    size_t count, T *sums)>;

/// The sum over (cin, ky, kx) of x[cin][hin][win] * w[cout][cin][kh][kw] for
/// each [cout][hout][wout], accumulated in the type of the sink. `x` must have
/// the slack of a Buffer after it.
void convolve(const ConvShape &shape, const float *x, const float *w,
              unsigned threads, Sink<float> sink);
void convolve(const ConvShape &shape, const float *x, const float *w,
              unsigned threads, Sink<double> sink);

/// Planes of halves in a memory; strides in bytes.
struct HalfPlanes {
  const uint8_t *bytes = nullptr; ///< null: there are none
  size_t row = 0, plane = 0;
};

/// The same where output channel c sees only the input channels from c *
/// perChannel to (c + 1) * perChannel: w[cout][perChannel][kh][kw]. Reads
/// `halves` instead of `x` where there are some.
void convolveUnicast(const ConvShape &shape, uint32_t perChannel,
                     const float *x, const float *w, unsigned threads,
                     Sink<float> sink, HalfPlanes halves = {});
void convolveUnicast(const ConvShape &shape, uint32_t perChannel,
                     const float *x, const float *w, unsigned threads,
                     Sink<double> sink, HalfPlanes halves = {});

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_VECTOR_H
