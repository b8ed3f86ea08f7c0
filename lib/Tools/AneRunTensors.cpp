//===- AneRunTensors.cpp - Arrays of files and surfaces -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AneRunTensors.h"

#include "ane/HW/Arrays.h"
#include "ane/HW/Float16.h"
#include "ane/HW/Generation.h"
#include "ane/HW/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

using namespace llvm;
namespace hw = ::ane::hw;
namespace npy = ::ane::npy;

namespace mlir::ane {

static Error error(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static Error error(const absl::Status &status) {
  absl::string_view text = status.message();
  return error(Twine(StringRef(text.data(), text.size())));
}

Binding parseBinding(StringRef text) {
  auto [name, path] = text.split('=');
  if (text.contains('='))
    return {name.str(), path.str()};
  return {"", text.str()};
}

Expected<std::vector<size_t>> assignTensors(ArrayRef<hw::Tensor> tensors,
                                            hw::TensorKind kind,
                                            ArrayRef<Binding> bindings) {
  const char *what = kind == hw::TensorKind::Input ? "input" : "output";
  std::vector<size_t> candidates;
  std::vector<bool> taken(tensors.size());
  std::string names;
  size_t count = 0;
  for (auto [index, tensor] : enumerate(tensors)) {
    if (tensor.kind != kind)
      continue;
    candidates.push_back(index);
    // What is left of halves comes with them, or by name.
    if (tensor.isLow)
      continue;
    ++count;
    names += (names.empty() ? "" : ", ") + tensor.name;
  }
  std::vector<size_t> result(bindings.size());
  for (auto [index, binding] : enumerate(bindings)) {
    if (binding.name.empty())
      continue;
    auto found =
        find_if(candidates, [&, name = binding.name](size_t candidate) {
          return tensors[candidate].name == name;
        });
    if (found == candidates.end())
      return error("the program has no " + Twine(what) + " '" + binding.name +
                   "'; it has: " + names);
    if (taken[*found])
      return error(Twine(what) + " '" + binding.name + "' is given twice");
    taken[*found] = true;
    result[index] = *found;
  }
  auto next = candidates.begin();
  for (auto [index, binding] : enumerate(bindings)) {
    if (!binding.name.empty())
      continue;
    next = std::find_if(next, candidates.end(), [&](size_t candidate) {
      return !taken[candidate] && !tensors[candidate].isLow;
    });
    if (next == candidates.end())
      return error(Twine(bindings.size()) + " " + what +
                   "s are given, but the program has " + Twine(count) + ": " +
                   names);
    taken[*next] = true;
    result[index] = *next;
  }
  return result;
}

template <typename T>
static absl::Span<const uint8_t> bytesOf(const T &values) {
  return {reinterpret_cast<const uint8_t *>(values.data()),
          values.size() * sizeof(values[0])};
}

static npy::Type npyType(hw::ElementType type) {
  switch (type) {
  case hw::ElementType::UInt8:
    return npy::Type::UInt8;
  case hw::ElementType::Int8:
    return npy::Type::Int8;
  case hw::ElementType::Float16:
    break;
  }
  return npy::Type::Float16;
}

/// Whether the dimensions of `shape` are those of `other`, but for ones and
/// for some of `other` that are several in `shape`: a program has four, so more
/// than four were merged when it was made.
static bool splits(ArrayRef<uint64_t> shape, ArrayRef<uint64_t> other) {
  const uint64_t *next = shape.begin();
  for (uint64_t size : other) {
    uint64_t left = size;
    while (left > 1) {
      if (next == shape.end() || *next == 0 || left % *next)
        return false;
      left /= *next++;
    }
  }
  return std::all_of(next, shape.end(),
                     [](uint64_t size) { return size == 1; });
}

/// Whether `shape` has as many elements as `other`, which it cannot be since a
/// dimension is longer than all that one of a program can be.
static bool isTooLong(ArrayRef<uint64_t> shape, ArrayRef<uint64_t> other) {
  const hw::GenerationInfo &info = hw::info(hw::Generation::H13);
  auto isLong = [&](uint64_t size) { return size > info.maxWidth; };
  auto count = [](ArrayRef<uint64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), uint64_t(1),
                           std::multiplies<>());
  };
  return !shape.empty() && isLong(shape.back()) && count(shape) == count(other);
}

/// Integers as the element type, which must hold each of them exactly, with its
/// low half if there is one.
static Expected<hw::Elements>
convertExactly(const hw::Tensor &tensor, const npy::View &view, bool isPair) {
  std::vector<float> numbers(view.elementCount());
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(npy::integerAt(view, i));
  hw::Elements elements = hw::narrow(tensor.type, bytesOf(numbers), isPair);
  const std::vector<float> high = hw::widen(tensor.type, elements.dense),
                           low = hw::widen(tensor.type, elements.low);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const int64_t value = npy::integerAt(view, i);
    const double held = high[i] + double(low.empty() ? 0 : low[i]);
    if (held != static_cast<double>(value))
      return error("element " + Twine(i) + " of the array is " + Twine(value) +
                   ", which input '" + tensor.name + "' of " +
                   hw::elementName(tensor.type) +
                   " does not hold; save array.astype('float32') to have it "
                   "rounded");
  }
  return elements;
}

static Expected<std::vector<uint8_t>> packed(const hw::Tensor &tensor,
                                             absl::Span<const uint8_t> dense) {
  std::vector<uint8_t> surface(tensor.bytes);
  if (absl::Status status =
          hw::packSurface(tensor, dense, absl::MakeSpan(surface));
      !status.ok())
    return error(status);
  return surface;
}

/// The elements of an array, and whether they were numbers of f32.
static Expected<hw::Elements> elementsOf(const hw::Tensor &tensor,
                                         const npy::View &view, bool isPair) {
  if (view.type == npy::Type::Float32)
    return hw::narrow(tensor.type, view.data, isPair);
  if (view.type == npyType(tensor.type)) {
    hw::Elements elements;
    elements.dense.assign(view.data.begin(), view.data.end());
    elements.low.resize(isPair ? view.data.size() : 0);
    return elements;
  }
  if (view.type == npy::Type::Float16)
    return error("the array holds float16, but input '" + tensor.name +
                 "' holds " + hw::elementName(tensor.type) +
                 "; save array.astype('float32') to have it rounded");
  return convertExactly(tensor, view, isPair);
}

Expected<InputSurfaces> surfacesOfNpy(ArrayRef<hw::Tensor> tensors,
                                      size_t index, StringRef file) {
  const hw::Tensor &tensor = tensors[index];
  auto view = npy::parse(absl::MakeConstSpan(
      reinterpret_cast<const uint8_t *>(file.data()), file.size()));
  if (!view.ok())
    return error(view.status());
  // Files of other compilers, and of networks of more than four dimensions,
  // know N, C, H and W only.
  std::vector<uint64_t> expected = tensor.denseShape();
  std::vector<uint64_t> four(tensor.shape.begin(), tensor.shape.end());
  // Or merged, where one of a program would be longer than it can be.
  if (view->shape != expected && !splits(view->shape, four) &&
      !splits(four, view->shape) && !isTooLong(view->shape, four))
    return error("the array has shape " + npy::shapeText(view->shape) +
                 ", but input '" + tensor.name + "' has shape " +
                 npy::shapeText(expected));
  const std::optional<size_t> low =
      hw::lowOf({tensors.data(), tensors.size()}, index);
  auto elements = elementsOf(tensor, *view, low.has_value());
  if (!elements)
    return elements.takeError();
  InputSurfaces result;
  result.wasFloat32 = view->type == npy::Type::Float32;
  result.narrowed.elements = view->elementCount();
  result.narrowed.infinities = elements->infinities;
  result.narrowed.underflows = elements->underflows;
  auto surface = packed(tensor, elements->dense);
  if (!surface)
    return surface.takeError();
  result.surface = std::move(*surface);
  if (!low)
    return result;
  auto lowSurface = packed(tensors[*low], elements->low);
  if (!lowSurface)
    return lowSurface.takeError();
  result.low = std::move(*lowSurface);
  return result;
}

Expected<std::vector<uint8_t>> surfaceOfSeed(const hw::Tensor &tensor,
                                             uint64_t seed) {
  // The standard fixes what this generator gives, unlike the distributions.
  std::seed_seq sequence(tensor.name.begin(), tensor.name.end());
  std::vector<uint32_t> words(2);
  sequence.generate(words.begin(), words.end());
  std::mt19937_64 random(seed ^ (uint64_t(words[0]) << 32 | words[1]));
  uint32_t size = hw::elementBytes(tensor.type);
  std::vector<uint8_t> dense(tensor.elementCount() * size);
  // Random numbers are halves, of which nothing is left.
  for (size_t i = 0; !tensor.isLow && i < dense.size(); i += size) {
    uint64_t bits = random();
    if (tensor.type == hw::ElementType::Float16) {
      uint16_t half = hw::toHalfBits(float(bits >> 40) / float(1 << 23) - 1.0f);
      std::memcpy(dense.data() + i, &half, sizeof(half));
    } else {
      dense[i] = static_cast<uint8_t>(bits);
    }
  }
  return packed(tensor, dense);
}

Expected<std::vector<uint8_t>> npyOfSurface(const hw::Tensor &tensor,
                                            ArrayRef<uint8_t> surface,
                                            bool asFloat32) {
  std::vector<uint8_t> dense(tensor.elementCount() *
                             hw::elementBytes(tensor.type));
  if (absl::Status status = hw::unpackSurface(
          tensor, absl::MakeConstSpan(surface.data(), surface.size()),
          absl::MakeSpan(dense));
      !status.ok())
    return error(status);
  if (asFloat32) {
    const std::vector<float> numbers = hw::widen(tensor.type, dense);
    dense.assign(bytesOf(numbers).begin(), bytesOf(numbers).end());
  }
  npy::Type type = asFloat32 ? npy::Type::Float32 : npyType(tensor.type);
  std::vector<uint8_t> file = npy::header(type, tensor.denseShape());
  file.insert(file.end(), dense.begin(), dense.end());
  return file;
}

} // namespace mlir::ane
