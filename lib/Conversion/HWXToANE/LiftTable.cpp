//===- LiftTable.cpp - The function of a table ----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lift.h"

#include "ane/Dialect/ANE/Utils/TableFunction.h"
#include "ane/HW/Float16.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;

/// The largest difference of two tables over all finite halves, relative to
/// what their results are rounded to where that is coarse.
static double distance(const hw::LookupTable &a, const hw::LookupTable &b,
                       double most) {
  double largest = 0;
  // Every eighth: tables are lines between samples that lie further apart.
  for (uint32_t bits = 0; bits < 0x10000 && largest <= most; bits += 8) {
    float x = hw::fromHalfBits(uint16_t(bits));
    if (!std::isfinite(x))
      continue;
    double of = hw::evaluateTable(a, x), other = hw::evaluateTable(b, x);
    if (of == other || (std::isnan(of) && std::isnan(other)))
      continue;
    double difference = std::fabs(of - other) / std::max(1.0, std::fabs(other));
    largest = std::max(largest, std::isnan(difference)
                                    ? std::numeric_limits<double>::infinity()
                                    : difference);
  }
  return largest;
}

ActivationAttr mlir::ane::functionOfTable(MLIRContext *context,
                                          ArrayRef<uint8_t> tableBytes) {
  auto table = hw::decodeTable({tableBytes.data(), tableBytes.size()});
  if (!table.ok())
    return {};
  // Parameters stand in a table as a slope, a bound or a value.
  auto at = [&](float x) { return hw::evaluateTable(*table, x); };
  constexpr float beyond = 4, near = 0x1p-6f;
  const std::pair<float, float> parameters[] = {
      {0, 0},
      {table->leftSlope, 0},
      {table->valueLow, table->valueHigh},
      {1, 0},
      {at(beyond), at(0)},
      {at(beyond), at(-beyond)},
      {at(-beyond), at(beyond)},
      {table->domainHigh, 0},
      {std::fabs(table->valueLow), 0},
      {table->valueHigh, at(near) / near / table->valueHigh},
      // Of x / a: by what the function tends to, or by its slope at 0.
      {1 / table->rightSlope, 0},
      {near / (4 * (at(near) - at(0))), 0}};
  // Two sets of one function differ by less.
  constexpr double furthest = 0x1p-6;
  double nearest = furthest;
  ActivationAttr best;
  for (unsigned i = 0; i <= getMaxEnumValForActivationKind(); ++i) {
    auto kind = symbolizeActivationKind(i);
    auto function = kind ? tableFunctionOf(*kind) : std::nullopt;
    if (!function)
      continue;
    for (auto [a, b] : parameters)
      for (hw::TableSet set : {hw::TableSet::Recorded, hw::TableSet::Fitted}) {
        auto other = hw::buildTable(*function, a, b, set);
        if (!other.ok())
          continue;
        bool isSame = llvm::equal(hw::encodeTable(*other), tableBytes);
        // Another spelling of a function, which is not much nearer, is none.
        double enough = best ? nearest / 2 : nearest;
        double far = isSame ? -1 : distance(*other, *table, enough);
        if (far >= enough)
          continue;
        // Not every function has parameters.
        auto attr = ActivationAttr::getChecked(
            [] { return InFlightDiagnostic(); }, context, *kind,
            llvm::APFloat(double(a)), llvm::APFloat(double(b)));
        if (!attr)
          continue;
        nearest = far;
        best = attr;
        if (isSame)
          return best;
      }
  }
  return best;
}
