//===- Package.cpp - Core ML packages as folders --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A package takes its place when all of it is there (OutputFiles). Weights
// stream from where they are into the new weight file; the rest of a program is
// small.
//
//===----------------------------------------------------------------------===//

#include "ProgramMessages.h"

#include "ane/Files/InputFiles.h"
#include "ane/Files/OutputFiles.h"
#include "ane/Support/Json.h"
#include "ane/Support/Pointer.h"
#include "ane/Target/MIL/BlobReader.h"
#include "ane/Target/MLPackage/MLPackage.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

using namespace mlir;
using namespace mlir::ane::mil;
namespace fs = llvm::sys::fs;
namespace paths = llvm::sys::path;

static constexpr llvm::StringLiteral kModelItem =
    "com.apple.CoreML/model.mlmodel";
static constexpr llvm::StringLiteral kModelExtension = ".mlmodel";
static constexpr llvm::StringLiteral kWeightsItem = "com.apple.CoreML/weights";
// Programs of large networks have a few megabytes; weights are elsewhere.
static constexpr uint64_t kMaxModelSize = uint64_t(1) << 30;
static constexpr uint64_t kMaxManifestSize = 1 << 20;
// Types and values in each other; Core ML's own are less than ten deep.
static constexpr int kMaxMessageDepth = 100;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

// Not random, so that the same program is the same package.
static std::string getIdentifier(StringRef role, StringRef model) {
  llvm::MD5 hasher;
  hasher.update(role);
  hasher.update(model);
  llvm::MD5::MD5Result hash = hasher.final();
  hash[6] = (hash[6] & 0x0f) | 0x40; // as version 4
  hash[8] = (hash[8] & 0x3f) | 0x80;
  std::string hex = llvm::toHex(ArrayRef<uint8_t>(hash));
  for (size_t place : {20, 16, 12, 8})
    hex.insert(place, "-");
  return hex;
}

static std::string makeManifest(StringRef model, bool hasWeights) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/4);
  std::string root = getIdentifier("model", model);
  auto addItem = [&](StringRef identifier, StringRef description,
                     StringRef name, StringRef path) {
    json.attributeObject(identifier, [&] {
      json.attribute("author", "com.apple.CoreML");
      json.attribute("description", description);
      json.attribute("name", name);
      json.attribute("path", path);
    });
  };
  json.object([&] {
    json.attribute("fileFormatVersion", "1.0.0");
    json.attributeObject("itemInfoEntries", [&] {
      addItem(root, "CoreML Model Specification", "model.mlmodel", kModelItem);
      if (hasWeights)
        addItem(getIdentifier("weights", model), "CoreML Model Weights",
                "weights", kWeightsItem);
    });
    json.attribute("rootModelIdentifier", root);
  });
  os << '\n';
  return text;
}

static LogicalResult writeFile(Location loc, mlir::ane::OutputFiles &outputs,
                               StringRef path, StringRef data) {
  llvm::Expected<llvm::raw_fd_ostream &> os = outputs.open(path);
  if (!os)
    return emitError(loc) << llvm::toString(os.takeError());
  *os << data; // commit() tells what is wrong with the stream
  return success();
}

static FailureOr<std::string> serialize(Location loc, const pb::Model &model) {
  if (model.ByteSizeLong() > kMaxModelSize)
    return emitError(loc) << "the model without its weights has "
                          << model.ByteSizeLong() << " bytes, but at most "
                          << kMaxModelSize << " can be written";
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true); // maps in order
  if (!model.SerializeToCodedStream(&coded))
    return emitError(loc, "the model cannot be serialized");
  coded.Trim();
  return bytes;
}

static LogicalResult writeContents(ProgramOp program, StringRef path,
                                   const PackageOptions &options,
                                   mlir::ane::OutputFiles &outputs) {
  Location loc = program.getLoc();
  SmallString<256> folder(path), file, manifest(path);
  paths::append(folder, "Data", "com.apple.CoreML");
  BlobReader references(options.root);
  WeightFile weights(folder, outputs, references);
  pb::Model model;
  if (failed(exportModel(program, options, weights, model)) ||
      failed(weights.finish(loc)))
    return failure();
  FailureOr<std::string> bytes = serialize(loc, model);
  if (failed(bytes))
    return failure();
  bool hasWeights = outputs.bytesOf(path);
  file = folder;
  paths::append(file, "model.mlmodel");
  if (failed(writeFile(loc, outputs, file, *bytes)))
    return failure();
  paths::append(manifest, "Manifest.json");
  return writeFile(loc, outputs, manifest, makeManifest(*bytes, hasWeights));
}

LogicalResult mlir::ane::mil::writeMLPackage(ModuleOp module, StringRef path,
                                             const PackageOptions &options) {
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  if (programs.size() != 1)
    return module.emitError("module has ")
           << programs.size() << " mil.program, but a package is exactly one";
  while (path.size() > 1 && paths::is_separator(path.back()))
    path = path.drop_back();
  SmallString<256> manifest(path);
  paths::append(manifest, "Manifest.json");
  // Whatever else may be there is not ours to remove.
  if (fs::exists(path) && !fs::is_regular_file(manifest))
    return module.emitError("cannot write the package '")
           << path << "': something that is no package has this name";
  StringRef parent = paths::parent_path(path);
  if (!parent.empty() && !fs::is_directory(parent))
    return module.emitError("cannot write the package '")
           << path << "': there is no folder '" << parent << "'";
  mlir::ane::OutputFiles own;
  mlir::ane::OutputFiles &outputs = options.outputs ? *options.outputs : own;
  outputs.addFolder(path);
  if (failed(writeContents(programs.front(), path, options, outputs)))
    return failure();
  if (llvm::Error error = own.commit())
    return module.emitError() << llvm::toString(std::move(error));
  return success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
using Buffer = std::unique_ptr<llvm::MemoryBuffer>;
} // namespace

// A file below the package, whose size is looked at first.
static FailureOr<Buffer> openBelow(Location loc, StringRef file, StringRef root,
                                   uint64_t limit) {
  llvm::Expected<std::string> place = locateBelow(file, root);
  if (!place)
    return emitError(loc) << llvm::toString(place.takeError());
  auto buffer = mlir::ane::readInput(*place);
  if (std::error_code code = buffer.getError())
    return emitError(loc, "cannot read '") << *place << "': " << code.message();
  if ((*buffer)->getBufferSize() > limit)
    return emitError(loc) << "'" << *place << "' has "
                          << (*buffer)->getBufferSize()
                          << " bytes, but at most " << limit << " are read";
  return std::move(*buffer);
}

// The path of the model below the package.
static FailureOr<std::string> findModel(Location loc, StringRef root) {
  FailureOr<Buffer> manifest =
      openBelow(loc, "Manifest.json", root, kMaxManifestSize);
  if (failed(manifest))
    return failure();
  auto fail = [&]() -> InFlightDiagnostic {
    return emitError(loc) << "'" << (*manifest)->getBufferIdentifier() << "': ";
  };
  StringRef text = (*manifest)->getBuffer();
  if (::ane::isJsonTooDeep({text.data(), text.size()}))
    return fail() << "more than " << ::ane::maxJsonDepth
                  << " levels of nesting";
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return fail() << llvm::toString(json.takeError());
  const llvm::json::Object *object = json->getAsObject();
  auto identifier =
      object ? object->getString("rootModelIdentifier") : std::nullopt;
  const llvm::json::Object *items =
      object ? object->getObject("itemInfoEntries") : nullptr;
  if (!identifier || !items)
    return fail() << "expected an object with 'rootModelIdentifier' and "
                     "'itemInfoEntries'";
  const llvm::json::Object *item = items->getObject(*identifier);
  auto path = item ? item->getString("path") : std::nullopt;
  if (!path)
    return fail() << "the root model '" << *identifier
                  << "' has no item with a 'path'";
  SmallString<128> result("Data");
  paths::append(result, *path);
  return result.str().str();
}

// Limits stand before the first byte is looked at; what the message allocates
// is a small multiple of the file.
static LogicalResult parseModel(Location loc, StringRef bytes,
                                pb::Model &model) {
  google::protobuf::LogSilencer silencer; // errors are ours to report
  const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  google::protobuf::io::CodedInputStream stream(data, int(bytes.size()));
  stream.SetRecursionLimit(kMaxMessageDepth);
  if (model.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage())
    return success();
  if (::ane::isLfsPointer({bytes.data(), bytes.size()}))
    return emitError(loc) << "the model " << ::ane::kLfsPointerText.data();
  return emitError(loc) << "no valid message of a model: reading ended at byte "
                        << stream.CurrentPosition() << " of " << bytes.size()
                        << " (truncated, damaged, or nested more than "
                        << kMaxMessageDepth << " levels deep)";
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

// As NameLoc "main/conv/y" in the NameLoc of the model: identifiers have no
// slash, and a model no lines. So whoever prints it, prints all of it:
// loc("main/conv/y"("net.mlpackage/Data/com.apple.CoreML/model.mlmodel")).
Location mlir::ane::mil::packageLocation(MLIRContext *context,
                                         const PackagePlace &place) {
  std::string text = place.function.str();
  if (!place.operation.empty())
    text += ("/" + place.operation + "/" + place.output).str();
  return NameLoc::get(StringAttr::get(context, text),
                      NameLoc::get(StringAttr::get(context, place.file)));
}

std::optional<PackagePlace> mlir::ane::mil::placeInPackage(Location loc) {
  std::optional<PackagePlace> place;
  loc->walk([&](Location part) {
    auto name = dyn_cast<NameLoc>(part);
    auto file = name ? dyn_cast<NameLoc>(name.getChildLoc()) : NameLoc();
    if (!file || !isa<UnknownLoc>(file.getChildLoc()) ||
        !(file.getName().getValue().ends_with(kModelExtension) ||
          file.getName().getValue().ends_with(".onnx") ||
          file.getName().getValue().ends_with(".plist")))
      return WalkResult::advance();
    auto [function, rest] = name.getName().getValue().split('/');
    auto [operation, output] = rest.split('/');
    place =
        PackagePlace{file.getName().getValue(), function, operation, output};
    return WalkResult::interrupt();
  });
  return place;
}

std::string PackagePlace::describe() const {
  std::string text = ("function '" + function + "'").str();
  if (!operation.empty())
    text += (", operation '" + operation + "'").str();
  if (!output.empty())
    text += (", output '" + output + "'").str();
  return text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> mlir::ane::mil::readMLPackage(StringRef path,
                                                    MLIRContext *context,
                                                    std::string &root) {
  context->loadDialect<MILDialect>();
  Location loc = FileLineColLoc::get(context, path, 0, 0);
  SmallString<256> manifest(path);
  paths::append(manifest, "Manifest.json");
  if (!fs::exists(manifest)) {
    SmallString<256> layers(path);
    paths::append(layers, "model.espresso.net");
    if (fs::exists(layers))
      emitError(loc, "a model that was compiled from a neural network; give "
                     "its model.espresso.net to ane-compile");
    else
      emitError(loc, "a folder that is no model: it has neither Manifest.json, "
                     "as a package, nor model.mil, as a compiled model");
    return {};
  }
  FailureOr<std::string> item = findModel(loc, path);
  if (failed(item))
    return {};
  FailureOr<Buffer> buffer = openBelow(loc, *item, path, kMaxModelSize);
  if (failed(buffer))
    return {};
  SmallString<256> file(path);
  paths::append(file, *item);
  root = paths::parent_path(file).str();
  return readModel((*buffer)->getBuffer(), file, context);
}

OwningOpRef<ModuleOp> mlir::ane::mil::readModel(StringRef bytes, StringRef file,
                                                MLIRContext *context) {
  context->loadDialect<MILDialect>();
  Location loc = FileLineColLoc::get(context, file, 0, 0);
  if (bytes.size() > kMaxModelSize) {
    emitError(loc) << "the model has " << bytes.size() << " bytes, but at most "
                   << kMaxModelSize << " are read";
    return {};
  }
  pb::Model model;
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  if (failed(parseModel(loc, bytes, model)) ||
      failed(importModel(model, file, *module)) || failed(verify(*module)))
    return {};
  return module;
}
