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
// cut into panels of a few vectors; for each panel the needed inputs are
// gathered into a [reduction][panel] buffer that stays in the cache, and a
// register block of channels x pixels runs over it. So narrow images use whole
// vectors too.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_SIMULATOR_VECTOR_H
#define ANE_LIB_SIMULATOR_VECTOR_H

#include <cstddef>
#include <cstdint>

namespace ane::sim {

/// `count` halves at `from` (any alignment) to singles.
void halvesToFloats(const uint8_t *from, float *to, size_t count);
/// Rounds to nearest even; infinity above 65504.
void floatsToHalves(const float *from, uint8_t *to, size_t count);
/// Rounds each value once to a half and gives it back as a single.
void roundToHalf(const float *from, float *to, size_t count);
void roundToHalf(const double *from, float *to, size_t count);

struct ConvShape {
  uint32_t cin = 1, hin = 1, win = 1;
  uint32_t cout = 1, hout = 1, wout = 1;
  uint32_t kh = 1, kw = 1, sy = 1, sx = 1;
  uint32_t py = 0, px = 0; ///< zeros in front; behind, as many as are needed
};

/// y[cout][hout][wout] = sum over (cin, ky, kx) of x[cin][hin][win] *
/// w[cout][cin][kh][kw]. The accumulators have the type of `y`.
void convolve(const ConvShape &shape, const float *x, const float *w, float *y,
              unsigned threads);
void convolve(const ConvShape &shape, const float *x, const float *w, double *y,
              unsigned threads);

/// The same where output channel c sees only the input channels from c *
/// perChannel to (c + 1) * perChannel: w[cout][perChannel][kh][kw].
void convolveUnicast(const ConvShape &shape, uint32_t perChannel,
                     const float *x, const float *w, float *y,
                     unsigned threads);
void convolveUnicast(const ConvShape &shape, uint32_t perChannel,
                     const float *x, const float *w, double *y,
                     unsigned threads);

} // namespace ane::sim

#endif // ANE_LIB_SIMULATOR_VECTOR_H
