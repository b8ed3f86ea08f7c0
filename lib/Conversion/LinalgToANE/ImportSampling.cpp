//===- ImportSampling.cpp - linalg ops that resize an image ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A resize in linalg is a body that extracts elements at computed places and
// adds them up with computed weights:
//
//   %top = x[y0, x0] * (1 - dx) + x[y0, x1] * dx
//   %bottom = x[y1, x0] * (1 - dx) + x[y1, x1] * dx
//   linalg.yield %top * (1 - dy) + %bottom * dy
//
// Written as a sum of terms, each of them has a row of places and of weights
// for either axis, and all pairs of rows are there: then each axis is sampled
// by itself. Where its samples are those of a mode of ane.resize, it becomes
// one; else each axis is a product with the matrix of its weights.
//
//===----------------------------------------------------------------------===//

#include "ImportLinalg.h"
#include "KnownScalars.h"

#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::ane;

namespace {
/// A row of places and of weights: one for each iteration of a loop.
struct Tap {
  SmallVector<int64_t> places;
  SmallVector<double> weights;

  bool operator==(const Tap &other) const {
    return places == other.places && weights == other.weights;
  }
};

/// An element that a body extracts, and the factors that it is multiplied by:
/// rows for the loops that they depend on.
struct Term {
  Value source;
  SmallVector<Value> indices;
  std::map<unsigned, SmallVector<double>> factors;
  double factor = 1;
};

/// A dimension of the source that is sampled.
struct SampledAxis {
  int64_t dim, input;
  unsigned loop;
  SmallVector<Tap> taps; // all of them add up
};

/// The weights that one element of a result has of each place.
using Weights = std::map<int64_t, double>;
} // namespace

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

static double toDouble(Attribute attr) {
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getValueAsDouble();
  return cast<IntegerAttr>(attr).getValue().getSExtValue();
}

/// Multiplies `term` by what is known of `value`; false if that is not a row.
static bool scale(Term &term, const KnownScalars::Numbers &numbers) {
  if (numbers.loops.size() > 1)
    return false;
  if (numbers.loops.empty()) {
    term.factor *= toDouble(numbers.values[0]);
    return true;
  }
  auto &row = term.factors[numbers.loops[0]];
  row.resize(numbers.values.size(), 1);
  for (auto [product, number] : llvm::zip_equal(row, numbers.values))
    product *= toDouble(number);
  return true;
}

/// The terms of `value` times `term`. False if it is no such sum.
static bool addTerms(const KnownScalars &known, Value value, Term term,
                     SmallVectorImpl<Term> &terms, unsigned depth = 0) {
  constexpr size_t maxTerms = 16, maxFactors = 64;
  Operation *op = value.getDefiningOp();
  if (!op || terms.size() == maxTerms || ++depth > maxFactors)
    return false;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    term.source = extract.getTensor();
    term.indices.assign(extract.getIndices().begin(),
                        extract.getIndices().end());
    terms.push_back(std::move(term));
    return true;
  }
  if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    Term second = term;
    if (isa<arith::SubFOp>(op))
      second.factor = -second.factor;
    return addTerms(known, op->getOperand(0), std::move(term), terms, depth) &&
           addTerms(known, op->getOperand(1), std::move(second), terms, depth);
  }
  if (!isa<arith::MulFOp>(op))
    return false;
  for (unsigned i : {0, 1})
    if (auto numbers = known.lookup(op->getOperand(i)))
      return scale(term, *numbers) && addTerms(known, op->getOperand(1 - i),
                                               std::move(term), terms, depth);
  return false;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// The loop that a dimension of the source follows from its first element to
/// its last.
static std::optional<unsigned> wholeLoop(Value coordinate, int64_t extent,
                                         ArrayRef<int64_t> ranges) {
  auto index = coordinate.getDefiningOp<linalg::IndexOp>();
  if (index && ranges[index.getDim()] == extent)
    return index.getDim();
  return std::nullopt;
}

/// The dimensions that are sampled, without their taps, and in `loops` what the
/// others follow. Nothing if a dimension does something else.
static std::optional<SmallVector<SampledAxis>> axesOf(const KnownScalars &known,
                                                      const Term &term,
                                                      ArrayRef<int64_t> ranges,
                                                      DimLoops &loops) {
  SmallVector<SampledAxis> axes;
  SmallVector<bool> isNamed(ranges.size(), false);
  ArrayRef<int64_t> shape = shapeOf(term.source);
  for (auto [dim, coordinate] : llvm::enumerate(term.indices)) {
    std::optional<unsigned> loop = wholeLoop(coordinate, shape[dim], ranges);
    auto numbers = known.lookup(coordinate);
    if (!numbers || numbers->loops.size() > 1)
      return std::nullopt;
    if (!loop && !numbers->loops.empty()) {
      loop = numbers->loops[0];
      axes.push_back({static_cast<int64_t>(dim), shape[dim], *loop, {}});
    } else if (!loop && shape[dim] != 1) {
      return std::nullopt;
    } else {
      loops[dim] = loop;
    }
    if (loop && std::exchange(isNamed[*loop], true))
      return std::nullopt;
  }
  if (axes.empty() || axes.size() > 2)
    return std::nullopt;
  return axes;
}

/// The places and the weights of `term` along `axis`; its number is a weight of
/// the first axis.
static std::optional<Tap> tapOf(const KnownScalars &known, const Term &term,
                                const SampledAxis &axis, bool isFirst,
                                int64_t range) {
  auto numbers = known.lookup(term.indices[axis.dim]);
  if (!numbers || numbers->loops.size() > 1 ||
      (!numbers->loops.empty() && numbers->loops[0] != axis.loop))
    return std::nullopt;
  Tap tap;
  auto factors = term.factors.find(axis.loop);
  for (int64_t i = 0; i != range; ++i) {
    Attribute place = numbers->values[numbers->loops.empty() ? 0 : i];
    tap.places.push_back(cast<IntegerAttr>(place).getInt());
    tap.weights.push_back(
        (factors == term.factors.end() ? 1 : factors->second[i]) *
        (isFirst ? term.factor : 1));
  }
  return tap;
}

/// Fills in the taps of `axes`. False if the terms are not all pairs of them.
static bool addTaps(const KnownScalars &known, ArrayRef<Term> terms,
                    MutableArrayRef<SampledAxis> axes,
                    ArrayRef<int64_t> ranges) {
  std::map<std::pair<size_t, size_t>, unsigned> pairs;
  for (const Term &term : terms) {
    if (term.source != terms[0].source)
      return false;
    for (auto [dim, index] : llvm::enumerate(term.indices)) {
      auto isDim = [dim = dim](const SampledAxis &axis) {
        return axis.dim == static_cast<int64_t>(dim);
      };
      if (llvm::none_of(axes, isDim) &&
          !(known.lookup(index) == known.lookup(terms[0].indices[dim])))
        return false;
    }
    for (const auto &[loop, row] : term.factors)
      if (llvm::none_of(axes, [loop = loop](const SampledAxis &axis) {
            return axis.loop == loop;
          }))
        return false;
    size_t at[2] = {0, 0};
    for (auto [i, axis] : llvm::enumerate(axes)) {
      auto tap = tapOf(known, term, axis, i == 0, ranges[axis.loop]);
      if (!tap)
        return false;
      auto *found = llvm::find(axis.taps, *tap);
      at[i] = found - axis.taps.begin();
      if (found == axis.taps.end())
        axis.taps.push_back(std::move(*tap));
    }
    ++pairs[{at[0], at[1]}];
  }
  size_t count = 1;
  for (const SampledAxis &axis : axes)
    count *= axis.taps.size();
  return pairs.size() == count && terms.size() == count;
}

/// What element `i` of the result has of each place.
static Weights weightsOf(const SampledAxis &axis, int64_t i) {
  Weights weights;
  for (const Tap &tap : axis.taps)
    weights[tap.places[i]] += tap.weights[i];
  return weights;
}

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

namespace {
struct Mode {
  ResizeMode kind;
  bool corners, halfPixel;
};
} // namespace

/// What ane.resize makes of element `i` of `to` from `from` elements.
static Weights weightsOf(const Mode &mode, int64_t i, int64_t from,
                         int64_t to) {
  double step = static_cast<double>(from) / to, at = i * step;
  if (mode.kind == ResizeMode::Nearest)
    return {{i * from / to, 1.0}};
  if (mode.corners)
    at = to == 1 ? 0 : i * static_cast<double>(from - 1) / (to - 1);
  else if (mode.halfPixel)
    at = (i + 0.5) * step - 0.5;
  at = std::clamp<double>(at, 0, from - 1);
  int64_t first = static_cast<int64_t>(std::floor(at));
  Weights weights;
  weights[first] += 1 - (at - first);
  weights[std::min(first + 1, from - 1)] += at - first;
  return weights;
}

static bool isSameAs(Weights a, const Weights &b) {
  constexpr double tolerance = 1e-5;
  for (auto [place, weight] : b)
    a[place] -= weight;
  return llvm::all_of(
      a, [](const auto &entry) { return std::abs(entry.second) < tolerance; });
}

static bool follows(const SampledAxis &axis, int64_t range, const Mode &mode) {
  if (mode.kind == ResizeMode::Nearest && range % axis.input != 0)
    return false;
  for (int64_t i = 0; i != range; ++i)
    if (!isSameAs(weightsOf(axis, i), weightsOf(mode, i, axis.input, range)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

/// Axis 0 are the rows of `image`, axis 1 its columns.
static Value sampleAxis(FunctionImporter &importer, Location loc, Value image,
                        const SampledAxis &axis, int64_t range, bool isRows) {
  SmallVector<float> matrix(range * axis.input, 0.0f);
  for (int64_t i = 0; i != range; ++i)
    for (auto [place, weight] : weightsOf(axis, i))
      matrix[i * axis.input + place] = weight;
  auto type = RankedTensorType::get({1, 1, range, axis.input},
                                    importer.builder.getF32Type());
  Value weights = ConstantOp::create(
      importer.builder, loc, DenseElementsAttr::get(type, ArrayRef(matrix)));
  SmallVector<int64_t> shape(shapeOf(image));
  shape[isRows ? 2 : 3] = range;
  return MatmulOp::create(
      importer.builder, loc, withShape(image.getType(), shape),
      isRows ? weights : image, isRows ? image : weights,
      /*transpose_lhs=*/false, /*transpose_rhs=*/!isRows, ActivationAttr());
}

/// The image that `axes` sample, resized.
static Value resize(FunctionImporter &importer, Location loc, Value image,
                    ArrayRef<SampledAxis> axes, ArrayRef<int64_t> ranges) {
  SmallVector<int64_t> shape(shapeOf(image));
  for (auto [i, axis] : llvm::enumerate(axes))
    shape[shape.size() - axes.size() + i] = ranges[axis.loop];
  for (const Mode &mode : {Mode{ResizeMode::Nearest, false, false},
                           Mode{ResizeMode::Bilinear, false, true},
                           Mode{ResizeMode::Bilinear, true, false},
                           Mode{ResizeMode::Bilinear, false, false}})
    if (llvm::all_of(axes, [&](const SampledAxis &axis) {
          return follows(axis, ranges[axis.loop], mode);
        }))
      return ResizeOp::create(importer.builder, loc,
                              withShape(image.getType(), shape), mode.kind,
                              image, mode.corners, mode.halfPixel);
  for (auto [i, axis] : llvm::enumerate(axes))
    image = sampleAxis(importer, loc, image, axis, ranges[axis.loop],
                       i + 2 == axes.size());
  return image;
}

/// Whether each axis repeats its elements so many times.
static bool isNearest(ArrayRef<SampledAxis> axes, ArrayRef<int64_t> ranges) {
  return llvm::all_of(axes, [&](const SampledAxis &axis) {
    return follows(axis, ranges[axis.loop],
                   {ResizeMode::Nearest, false, false});
  });
}

/// Whether `terms` move elements and no more, in runs that are few slices.
static bool isFewSlices(ArrayRef<Term> terms, ArrayRef<SampledAxis> axes) {
  constexpr size_t maxRuns = 8;
  return terms.size() == 1 && terms[0].factors.empty() &&
         terms[0].factor == 1 &&
         llvm::all_of(axes, [](const SampledAxis &axis) {
           return countRuns(axis.taps[0].places) <= maxRuns;
         });
}

/// Whether the axes can be sampled; what reads beyond the end is reported where
/// it does.
static bool canSample(ArrayRef<SampledAxis> axes, ArrayRef<int64_t> ranges) {
  constexpr int64_t maxFactors = int64_t(1) << 25; // of a matrix: 128 MB
  return llvm::all_of(axes, [&](const SampledAxis &axis) {
    return axis.input <= maxFactors / ranges[axis.loop] &&
           llvm::none_of(axis.taps, [&](const Tap &tap) {
             return checkPlaces(axis.input, tap.places).has_value();
           });
  });
}

/// Resizes the source, of which the other dimensions follow `loops`: the first
/// of several others are images, the rest channels.
static Value sample(FunctionImporter &importer, Location loc, Value source,
                    ArrayRef<SampledAxis> axes, const DimLoops &loops,
                    ArrayRef<int64_t> ranges) {
  SmallVector<std::pair<unsigned, int64_t>> others; // a loop and its dimension
  SmallVector<int64_t> perm, sizes, order, ones;
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    auto isDim = [dim = static_cast<int64_t>(dim)](const SampledAxis &axis) {
      return axis.dim == dim;
    };
    if (loop)
      others.push_back({*loop, dim});
    else if (llvm::none_of(axes, isDim))
      ones.push_back(dim);
  }
  llvm::sort(others);
  auto add = [&](int64_t dim, unsigned loop) {
    perm.push_back(dim);
    order.push_back(loop);
    sizes.push_back(ranges[loop]);
  };
  SmallVector<int64_t, 4> image = {1, 1};
  for (auto [i, other] : llvm::enumerate(others)) {
    add(other.second, other.first);
    image[i == 0 && others.size() > 1 ? 0 : 1] *= sizes.back();
  }
  if (axes.size() == 1)
    image.push_back(1);
  for (const SampledAxis &axis : axes) {
    add(axis.dim, axis.loop);
    image.push_back(axis.input);
  }
  llvm::append_range(perm, ones);
  Value result = importer.transpose(loc, source, perm);
  result = importer.toImage(loc, importer.reshape(loc, result, image),
                            /*isNHWC=*/false);
  result = resize(importer, loc, result, axes, ranges);
  for (unsigned loop = 0; loop != ranges.size(); ++loop)
    if (!llvm::is_contained(order, loop))
      order.push_back(loop), sizes.push_back(1);
  SmallVector<int64_t> back(order.size());
  for (auto [from, loop] : llvm::enumerate(order))
    back[loop] = from;
  return importer.transpose(loc, importer.reshape(loc, result, sizes), back);
}

Value mlir::ane::importSampling(FunctionImporter &importer, linalg::LinalgOp op,
                                const KnownScalars &known) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  SmallVector<Term> terms;
  if (op.getNumDpsInits() != 1 || !addTerms(known, yielded, Term(), terms))
    return {};
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  Value source = importer.lookup(terms[0].source);
  DimLoops loops(terms[0].indices.size());
  auto axes = axesOf(known, terms[0], ranges, loops);
  if (!source || !axes || !addTaps(known, terms, *axes, ranges) ||
      !canSample(*axes, ranges) ||
      (isFewSlices(terms, *axes) && !isNearest(*axes, ranges)))
    return {};
  llvm::sort(*axes, [](const SampledAxis &a, const SampledAxis &b) {
    return a.loop < b.loop;
  });
  return sample(importer, op.getLoc(), source, *axes, loops, ranges);
}
