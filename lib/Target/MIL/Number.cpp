//===- Number.cpp - Numbers of MIL text -----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may have a hundred thousand numbers, and APFloat takes microseconds
// to read one. std::from_chars is thirty times as fast, but knows double alone.
// Rounding its result once more is right unless the double lies halfway between
// two numbers of the format and the text does not: then its low bits are zero,
// and APFloat reads the text itself.
//
//===----------------------------------------------------------------------===//

#include "Number.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Error.h"
#include <charconv>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::ane::mil;

using llvm::APFloat;

double mlir::ane::mil::toDouble(APFloat value) {
  bool loses;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}

static std::optional<APFloat>
parseExactly(StringRef text, const llvm::fltSemantics &semantics) {
  APFloat value(semantics);
  auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (status)
    return value;
  llvm::consumeError(status.takeError());
  return std::nullopt;
}

// Digits without sign or prefix. Infinite for a number beyond a double, nothing
// for what is no number.
static std::optional<double> parseDouble(StringRef digits, bool isHex) {
  if (digits.empty() || !(llvm::isHexDigit(digits[0]) || digits[0] == '.') ||
      isHex != digits.contains_insensitive("p"))
    return std::nullopt;
  double value;
  auto format = isHex ? std::chars_format::hex : std::chars_format::general;
  auto [end, error] =
      std::from_chars(digits.begin(), digits.end(), value, format);
  if (error == std::errc::invalid_argument || end != digits.end())
    return std::nullopt;
  return error == std::errc() ? value : std::numeric_limits<double>::infinity();
}

// A hexadecimal number of up to 13 digits is a double.
static bool isExact(StringRef digits, bool isHex) {
  return isHex && digits.take_until([](char c) {
                          return c == 'p' || c == 'P';
                        }).size() <= 14;
}

std::optional<WrittenFloat>
mlir::ane::mil::parseFloat(StringRef text,
                           const llvm::fltSemantics &semantics) {
  StringRef digits = text;
  bool isNegative = digits.consume_front("-");
  if (!isNegative)
    digits.consume_front("+");
  if (digits == "inf" || digits == "nan") {
    APFloat value = digits == "inf" ? APFloat::getInf(semantics, isNegative)
                                    : APFloat::getNaN(semantics, isNegative);
    return WrittenFloat{value, toDouble(value)};
  }
  bool isHex = digits.consume_front("0x") || digits.consume_front("0X");
  std::optional<double> number = parseDouble(digits, isHex);
  if (!number)
    return std::nullopt;
  double rounded = isNegative ? -*number : *number;
  constexpr uint64_t kLowBits = (uint64_t(1) << 28) - 1;
  bool isSafe = std::isfinite(rounded) &&
                (isExact(digits, isHex) ||
                 (llvm::bit_cast<uint64_t>(rounded) & kLowBits) ||
                 &semantics == &APFloat::IEEEdouble());
  if (isSafe) {
    APFloat value(rounded);
    bool loses;
    value.convert(semantics, APFloat::rmNearestTiesToEven, &loses);
    return WrittenFloat{value, rounded};
  }
  std::optional<APFloat> value = parseExactly(text, semantics);
  std::optional<APFloat> written = parseExactly(text, APFloat::IEEEdouble());
  if (!value || !written)
    return std::nullopt;
  // What is printed must read as the same value.
  APFloat again = *written;
  bool loses;
  again.convert(semantics, APFloat::rmNearestTiesToEven, &loses);
  if (!again.bitwiseIsEqual(*value))
    return WrittenFloat{*value, toDouble(*value)};
  return WrittenFloat{*value, written->convertToDouble()};
}
