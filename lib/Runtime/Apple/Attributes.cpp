//===- Attributes.cpp - How a loaded program is bound ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attributes.h"

#include "ane/HW/Layout.h"

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

#include <algorithm>

namespace ane::rt::apple {

static const char *kindName(hw::TensorKind kind) {
  return kind == hw::TensorKind::Input ? "input" : "output";
}

static const char *listKey(hw::TensorKind kind) {
  return kind == hw::TensorKind::Input ? "LiveInputList" : "LiveOutputList";
}

static std::string plainName(absl::string_view name) {
  if (absl::EndsWith(name, "@output"))
    name.remove_suffix(7);
  return std::string(name);
}

static std::string shapeText(const hw::Tensor &tensor) {
  return absl::StrJoin(tensor.shape.begin(), tensor.shape.begin() + 4, "x");
}

namespace {
/// Reads the dictionaries; the first thing that is not as expected ends it.
class AttributeReader {
public:
  AttributeReader(const Foundation &foundation, const std::string &function)
      : foundation(foundation), function(function) {}
  absl::StatusOr<Attributes> read(Id attributes);

private:
  absl::Status readSymbols(Id attributes);
  absl::Status readNames(Id description, Id procedure, hw::TensorKind kind);
  /// The entry of the function among several.
  absl::StatusOr<Id> findProcedure(Id description,
                                   absl::Span<const Id> procedures);
  absl::Status readList(Id network, hw::TensorKind kind);
  absl::Status readTensor(Id entry, hw::TensorKind kind, size_t position);
  absl::Status checkAbsent(Id network, const char *list, const char *what,
                           const char *help);
  absl::Status readType(Id entry, Binding &binding);
  absl::Status readSymbol(size_t position, Binding &binding);
  /// The number after a key; `value` stays when there is none and need not be.
  absl::Status readNumber(Id entry, const char *key, const std::string &what,
                          uint64_t &value, bool isOptional = false);

  const Foundation &foundation;
  const std::string &function;
  struct Symbols {
    std::vector<std::string> names; ///< of all functions
    std::vector<uint64_t> inUse;    ///< by this one
  };
  std::array<Symbols, 2> symbols; ///< of inputs, of outputs
  Attributes result;
};

} // namespace

absl::Status AttributeReader::readNumber(Id entry, const char *key,
                                         const std::string &what,
                                         uint64_t &value, bool isOptional) {
  absl::StatusOr<Id> object = foundation.find(entry, key, what);
  if (!object.ok())
    return object.status();
  if (!*object && isOptional)
    return absl::OkStatus();
  if (!*object)
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s has no %s, it has %s", what, key, foundation.text(entry)));
  absl::StatusOr<uint64_t> number =
      foundation.toNumber(*object, absl::StrCat(key, " of ", what));
  if (!number.ok())
    return number.status();
  value = *number;
  return absl::OkStatus();
}

absl::Status AttributeReader::readNames(Id description, Id procedure,
                                        hw::TensorKind kind) {
  bool isInput = kind == hw::TensorKind::Input;
  Symbols &all = symbols[static_cast<size_t>(kind)];
  const char *namesKey = isInput ? "kANEFModelInputSymbolsArrayKey"
                                 : "kANEFModelOutputSymbolsArrayKey";
  const char *indexKey = isInput ? "ANEFModelInputSymbolIndexArray"
                                 : "ANEFModelOutputSymbolIndexArray";
  absl::StatusOr<Id> list =
      foundation.find(description, namesKey, "ANEFModelDescription");
  if (!list.ok() || !*list)
    return list.status();
  absl::StatusOr<std::vector<Id>> names = foundation.toArray(*list, namesKey);
  if (!names.ok())
    return names.status();
  for (Id name : *names)
    all.names.push_back(plainName(foundation.text(name)));
  list =
      foundation.find(procedure, indexKey, "an entry of ANEFModelProcedures");
  if (!list.ok() || !*list)
    return list.status();
  absl::StatusOr<std::vector<Id>> indices = foundation.toArray(*list, indexKey);
  if (!indices.ok())
    return indices.status();
  for (Id index : *indices) {
    absl::StatusOr<uint64_t> number = foundation.toNumber(index, indexKey);
    if (!number.ok())
      return number.status();
    all.inUse.push_back(*number);
  }
  return absl::OkStatus();
}

absl::StatusOr<Id>
AttributeReader::findProcedure(Id description,
                               absl::Span<const Id> procedures) {
  if (procedures.size() == 1)
    return procedures.front();
  const char *mapKey = "kANEFModelProcedureNameToIDMapKey";
  absl::StatusOr<Id> map =
      foundation.find(description, mapKey, "ANEFModelDescription");
  if (!map.ok())
    return map.status();
  if (!*map)
    return absl::FailedPreconditionError(
        absl::StrFormat("the program has %d procedures, but Apple's runtime "
                        "does not name them",
                        procedures.size()));
  absl::Status status =
      readNumber(*map, function.c_str(), mapKey, result.procedure);
  for (size_t i = 0; status.ok() && i < procedures.size(); ++i) {
    uint64_t number = i;
    status = readNumber(procedures[i], "ANEFModelProcedureID",
                        absl::StrFormat("ANEFModelProcedures[%d]", i), number,
                        /*isOptional=*/true);
    if (status.ok() && number == result.procedure)
      return procedures[i];
  }
  if (!status.ok())
    return status;
  return absl::FailedPreconditionError(absl::StrFormat(
      "function '%s' is procedure %d, but Apple's runtime tells nothing of it",
      function, result.procedure));
}

absl::Status AttributeReader::readSymbols(Id attributes) {
  absl::StatusOr<Id> description =
      foundation.find(attributes, "ANEFModelDescription", "modelAttributes");
  if (!description.ok() || !*description)
    return description.status();
  absl::StatusOr<Id> list = foundation.find(*description, "ANEFModelProcedures",
                                            "ANEFModelDescription");
  if (!list.ok() || !*list)
    return list.status();
  absl::StatusOr<std::vector<Id>> procedures =
      foundation.toArray(*list, "ANEFModelProcedures");
  if (!procedures.ok())
    return procedures.status();
  absl::StatusOr<Id> procedure = findProcedure(*description, *procedures);
  if (!procedure.ok())
    return procedure.status();
  for (hw::TensorKind kind : {hw::TensorKind::Input, hw::TensorKind::Output})
    if (absl::Status status = readNames(*description, *procedure, kind);
        !status.ok())
      return status;
  return absl::OkStatus();
}

absl::Status AttributeReader::readType(Id entry, Binding &binding) {
  hw::Tensor &tensor = binding.tensor;
  absl::StatusOr<Id> type = foundation.find(entry, "Type", tensor.name);
  if (!type.ok())
    return type.status();
  std::string name = foundation.text(*type);
  binding.isFloat32 = name == "Float32";
  if (name == "Float16" || binding.isFloat32)
    tensor.type = hw::ElementType::Float16;
  else if (name == "Int8")
    tensor.type = hw::ElementType::Int8;
  else if (name == "UInt8")
    tensor.type = hw::ElementType::UInt8;
  else
    return absl::UnimplementedError(absl::StrFormat(
        "Apple's runtime gives %s '%s' the type %s; expected Float16, Float32, "
        "Int8 or UInt8",
        kindName(tensor.kind), tensor.name, name));
  return absl::OkStatus();
}

/// Where there are no names, the position counts: *guess*. Functions of one
/// program may use the same name.
absl::Status AttributeReader::readSymbol(size_t position, Binding &binding) {
  const hw::Tensor &tensor = binding.tensor;
  const Symbols &all = symbols[static_cast<size_t>(tensor.kind)];
  binding.symbol =
      all.inUse.empty() || !all.names.empty() || position >= all.inUse.size()
          ? position
          : all.inUse[position];
  if (all.names.empty())
    return absl::OkStatus();
  std::vector<std::string> known;
  for (uint64_t i = 0; i < all.names.size(); ++i) {
    if (!all.inUse.empty() &&
        std::find(all.inUse.begin(), all.inUse.end(), i) == all.inUse.end())
      continue;
    known.push_back(all.names[i]);
    binding.symbol = i;
    if (known.back() == tensor.name)
      return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrFormat(
      "Apple's runtime has no symbol for %s '%s' of the function; it has: %s",
      kindName(tensor.kind), tensor.name, absl::StrJoin(known, ", ")));
}

absl::Status AttributeReader::readTensor(Id entry, hw::TensorKind kind,
                                         size_t position) {
  Binding binding;
  hw::Tensor &tensor = binding.tensor;
  tensor.kind = kind;
  std::string what = absl::StrFormat("%s[%d]", listKey(kind), position);
  absl::StatusOr<Id> name = foundation.find(entry, "Name", what);
  if (!name.ok())
    return name.status();
  if (!*name)
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s has no Name, it has %s", what, foundation.text(entry)));
  tensor.name = plainName(foundation.text(*name));
  std::array<uint64_t, 5> shape = {1, 0, 0, 0, 1}; // N, C, H, W, D
  auto &[batch, plane, row, column, depth] = tensor.strides;
  absl::Status status = readType(entry, binding);
  auto number = [&](const char *key, uint64_t &value, bool isOptional = false) {
    if (status.ok())
      status = readNumber(entry, key, what, value, isOptional);
  };
  number("Batches", shape[0], true);
  number("Channels", shape[1]);
  number("Height", shape[2]);
  number("Width", shape[3]);
  number("Depth", shape[4], true);
  number("RowStride", row);
  number("PlaneStride", plane);
  batch = plane * shape[1];
  number("BatchStride", batch, true);
  if (!status.ok())
    return status;
  if (binding.isFloat32 && (row % 4 || plane % 4 || batch % 4))
    return absl::FailedPreconditionError(absl::StrFormat(
        "Apple's runtime gives %s '%s' of Float32 the strides %d, %d and %d; "
        "expected multiples of 4",
        kindName(kind), tensor.name, batch, plane, row));
  binding.surfaceBytes = shape[0] * batch;
  // Halves in the places of floats: everything is half as far away.
  for (uint64_t *stride : {&row, &plane, &batch})
    *stride /= binding.isFloat32 ? 2 : 1;
  column = hw::elementBytes(tensor.type);
  depth = batch;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i] || shape[i] > 1 << 20 || (i == 4 && shape[i] != 1))
      return absl::UnimplementedError(absl::StrFormat(
          "Apple's runtime gives %s '%s' the shape %s (N, C, H, W, D); "
          "expected dimensions from 1 to %d and a depth of 1",
          kindName(kind), tensor.name, absl::StrJoin(shape, "x"), 1 << 20));
    tensor.shape[i] = shape[i];
  }
  tensor.bytes = shape[0] * batch;
  if (status = hw::checkSurface(tensor); !status.ok())
    return status;
  if (status = readSymbol(position, binding); !status.ok())
    return status;
  result.bindings.push_back(std::move(binding));
  return absl::OkStatus();
}

absl::Status AttributeReader::readList(Id network, hw::TensorKind kind) {
  const char *key = listKey(kind);
  absl::StatusOr<Id> list =
      foundation.find(network, key, "an entry of NetworkStatusList");
  if (!list.ok() || !*list)
    return list.status();
  absl::StatusOr<std::vector<Id>> entries = foundation.toArray(*list, key);
  if (!entries.ok())
    return entries.status();
  for (size_t i = 0; i < entries->size(); ++i)
    if (absl::Status status = readTensor((*entries)[i], kind, i); !status.ok())
      return status;
  return absl::OkStatus();
}

absl::Status AttributeReader::checkAbsent(Id network, const char *list,
                                          const char *what, const char *help) {
  absl::StatusOr<Id> object =
      foundation.find(network, list, "an entry of NetworkStatusList");
  if (!object.ok() || !*object)
    return object.status();
  absl::StatusOr<std::vector<Id>> entries = foundation.toArray(*object, list);
  if (!entries.ok() || entries->empty())
    return entries.status();
  return absl::UnimplementedError(
      absl::StrFormat("the program has %d %s, which this device cannot bind%s",
                      entries->size(), what, help));
}

absl::StatusOr<Attributes> AttributeReader::read(Id attributes) {
  if (!attributes)
    return result;
  absl::StatusOr<Id> list =
      foundation.find(attributes, "NetworkStatusList", "modelAttributes");
  if (!list.ok())
    return list.status();
  if (!*list)
    return result;
  absl::StatusOr<std::vector<Id>> networks =
      foundation.toArray(*list, "NetworkStatusList");
  if (!networks.ok())
    return networks.status();
  absl::Status status = readSymbols(attributes);
  if (status.ok() && result.procedure >= networks->size())
    status = absl::FailedPreconditionError(absl::StrFormat(
        "function '%s' is procedure %d, but Apple's runtime has the tensors of "
        "%d only",
        function, result.procedure, networks->size()));
  if (!status.ok())
    return status;
  Id network = (*networks)[result.procedure];
  if (status.ok())
    status = checkAbsent(
        network, "LiveStateList", "states",
        "; make each an input and an output of the text, and keep it on the "
        "device (aneExecutableKeep)");
  if (status.ok())
    status = checkAbsent(network, "LiveInputParamList", "parameters", "");
  for (hw::TensorKind kind : {hw::TensorKind::Input, hw::TensorKind::Output})
    if (status.ok())
      status = readList(network, kind);
  if (!status.ok())
    return status;
  return std::move(result);
}

/// The dimensions that say something.
static std::vector<uint32_t> longDimensions(const hw::Tensor &tensor) {
  std::vector<uint32_t> dimensions;
  for (uint32_t size : tensor.shape)
    if (size != 1)
      dimensions.push_back(size);
  return dimensions;
}

static size_t countOf(absl::Span<const hw::Tensor> tensors,
                      hw::TensorKind kind) {
  return std::count_if(
      tensors.begin(), tensors.end(),
      [&](const hw::Tensor &tensor) { return tensor.kind == kind; });
}

static absl::StatusOr<const Binding *>
findBinding(const hw::Tensor &tensor, bool isOnlyOne,
            const Attributes &attributes) {
  std::vector<const Binding *> candidates;
  std::vector<std::string> names;
  for (const Binding &binding : attributes.bindings)
    if (binding.tensor.kind == tensor.kind) {
      candidates.push_back(&binding);
      names.push_back(binding.tensor.name);
      if (binding.tensor.name == tensor.name)
        return &binding;
    }
  if (isOnlyOne && candidates.size() == 1)
    return candidates.front();
  return absl::FailedPreconditionError(absl::StrFormat(
      "Apple's runtime has no %s '%s'; it has: %s", kindName(tensor.kind),
      tensor.name, absl::StrJoin(names, ", ")));
}

/// What `tensor` is among the attributes; of as many elements in the same
/// order: only dimensions of 1 may be elsewhere.
static absl::StatusOr<Binding> bindTensor(absl::Span<const hw::Tensor> tensors,
                                          size_t index, bool mayBeFloat32,
                                          const Attributes &attributes) {
  const hw::Tensor &tensor = tensors[index];
  absl::StatusOr<const Binding *> found =
      findBinding(tensor, countOf(tensors, tensor.kind) == 1, attributes);
  if (!found.ok())
    return found.status();
  const hw::Tensor &theirs = (*found)->tensor;
  bool isFloat32 = (*found)->isFloat32;
  if (theirs.type != tensor.type || (isFloat32 && !mayBeFloat32) ||
      longDimensions(theirs) != longDimensions(tensor))
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s '%s' is %s of %s, but Apple's runtime has made it %s of %s",
        kindName(tensor.kind), tensor.name, shapeText(tensor),
        hw::elementName(tensor.type), shapeText(theirs),
        isFloat32 ? "float32" : hw::elementName(theirs.type)));
  Binding binding = **found;
  binding.tensor.name = tensor.name;
  binding.tensor.setDenseShape(tensor.denseShape());
  return binding;
}

static absl::Status checkCount(size_t ours, const Attributes &attributes) {
  if (ours == attributes.bindings.size())
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrFormat(
      "Apple's runtime knows %d tensors of the program, which has %d",
      attributes.bindings.size(), ours));
}

absl::StatusOr<Attributes> readAttributes(const Foundation &foundation,
                                          Id attributes,
                                          const std::string &function) {
  return AttributeReader(foundation, function).read(attributes);
}

absl::StatusOr<std::vector<Binding>> bindTensors(const MILModel &model,
                                                 const Attributes &attributes) {
  if (absl::Status status = checkCount(model.tensors.size(), attributes);
      !status.ok())
    return status;
  std::vector<Binding> bindings;
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    absl::StatusOr<Binding> binding =
        bindTensor(model.tensors, i, model.isFloat32[i], attributes);
    if (!binding.ok())
      return binding.status();
    bindings.push_back(*std::move(binding));
  }
  return bindings;
}

absl::StatusOr<std::vector<Binding>>
bindSurfaces(absl::Span<const hw::Tensor> tensors,
             const Attributes &attributes) {
  std::vector<Binding> bindings;
  if (attributes.bindings.empty()) {
    std::array<uint64_t, 2> next = {};
    for (const hw::Tensor &tensor : tensors)
      bindings.push_back(
          {tensor, next[static_cast<size_t>(tensor.kind)]++, tensor.bytes});
    return bindings;
  }
  if (absl::Status status = checkCount(tensors.size(), attributes);
      !status.ok())
    return status;
  for (size_t i = 0; i < tensors.size(); ++i) {
    absl::StatusOr<Binding> bound =
        bindTensor(tensors, i, /*mayBeFloat32=*/false, attributes);
    if (!bound.ok())
      return bound.status();
    const hw::Tensor &ours = tensors[i], &theirs = bound->tensor;
    for (size_t k = 0; k < 4; ++k)
      if (ours.shape[k] > 1 && ours.strides[k] != theirs.strides[k])
        return absl::FailedPreconditionError(absl::StrFormat(
            "the program has strides %s (N, C, H, W) for %s '%s', but Apple's "
            "runtime expects %s",
            absl::StrJoin(ours.strides.begin(), ours.strides.begin() + 4, ", "),
            kindName(ours.kind), ours.name,
            absl::StrJoin(theirs.strides.begin(), theirs.strides.begin() + 4,
                          ", ")));
    bindings.push_back(
        {ours, bound->symbol, std::max(ours.bytes, theirs.bytes)});
  }
  return bindings;
}

} // namespace ane::rt::apple
