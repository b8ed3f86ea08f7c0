//===- LookupTable.h - The 128-byte activation tables -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table has 33 samples with linear interpolation between them, a line on each
// side, saturation values and a mode that says which part of the argument
// indexes it. docs/Formats/HWX.md, "Activation tables".
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_LOOKUPTABLE_H
#define ANE_HW_LOOKUPTABLE_H

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <array>
#include <cstdint>

namespace ane::hw {

constexpr uint32_t tableBytes = 128;

/// The parts of a table, decoded.
struct LookupTable {
  float domainLow, domainHigh;   ///< outside them the saturation values hold
  float valueLow, valueHigh;     ///< saturation values
  std::array<float, 33> samples; ///< step 2^-shift
  float leftSlope, leftIntercept, rightSlope, rightIntercept;
  int16_t shift;
  uint16_t mode;
};

/// Reads the first 128 bytes. Fails on a mode that is not understood.
absl::StatusOr<LookupTable> decodeTable(absl::Span<const uint8_t> bytes);
std::array<uint8_t, tableBytes> encodeTable(const LookupTable &table);

/// How values between two samples are found; what engines do is a guess.
enum class Interpolation : uint8_t {
  Linear,
  HalfArgument, ///< linear, at the argument rounded to fp16
  Nearest,      ///< the nearest sample
};

/// The value of the table at `x`, in single precision, not yet rounded to fp16.
float evaluateTable(const LookupTable &table, float x,
                    Interpolation interpolation = Interpolation::Linear);

/// Functions for which the compiler can build a table. Those of sigmoid, silu,
/// gelu and softplus are of x / a where `a` is not 0.
enum class TableFunction : uint8_t {
  Sigmoid,
  Tanh,
  GeluErf,
  Silu,
  Exp2,
  Log2,
  Reciprocal,
  Sqrt,
  Rsqrt,
  LeakyRelu,
  Clamp,
  Elu,
  Softplus,
  Erf,
  HardSigmoid,
  HardSwish,
  Sign,
  GeluTanh,
  GeluSigmoid,
  ScaledTanh,      ///< a * tanh(b * x)
  ThresholdedRelu, ///< x above a, else 0
  WhereNonzero,    ///< a or b
  WherePositive,
  WhereNegative,
  Trunc,
  Fraction,
  Sine,        ///< for |x| up to 2
  ArcTangent,  ///< for |x| up to 1
  EluFactor,   ///< elu(x) / x: a * expm1(x) / x from -8 to 0, then 1
  Mish,        ///< x * tanh(softplus(x))
  Log1pFactor, ///< log1p(x) / x for |x| up to 1/2
};

/// Whose tables: our own, fitted to the function, or those of compiler 9.509 as
/// far as they are known.
enum class TableSet : uint8_t { Fitted, Recorded };

/// Builds the table by rule (samples of the function, lines fitted outside).
/// `a` and `b` are the parameters of the function, where it has any.
absl::StatusOr<LookupTable> buildTable(TableFunction function, float a = 0,
                                       float b = 0,
                                       TableSet set = TableSet::Fitted);

} // namespace ane::hw

#endif // ANE_HW_LOOKUPTABLE_H
