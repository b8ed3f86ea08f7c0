//===- MILModelTest.cpp - What a caller has to know of MIL text -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Runtime/MILModel.h"

#include "gmock/gmock.h"

#include <filesystem>
#include <fstream>

using namespace ane;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

static std::string function(const std::string &parameters,
                            const std::string &body,
                            const std::string &results) {
  return "program(1.3)\n[buildInfo = dict<string, string>({{\"-> ({\", "
         "\"1\"}})]\n{ // func\n func main<ios18>(" +
         parameters + ") [Info = string(\"a \\\" ) b\")] {" + body + "} -> (" +
         results + ");\n}";
}

static absl::StatusOr<rt::MILModel> read(const std::string &text,
                                         const std::string &root = "") {
  return rt::readMILModel(text, root);
}

namespace {

TEST(MILModel, KnowsParametersAndResults) {
  std::string text = function(
      "tensor<fp16, [1,64,1,32]>x, tensor<int8, [7, 5]> bytes",
      "tensor<uint8, [3]> a, tensor<fp16, [4]> b = split(x = x, axis = "
      "int32(1)); tensor<fp16, []> s = const()[val = tensor<fp16, []>(1)];",
      "b, a, x");
  auto model = read(text);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->text, text);
  std::vector<std::string> seen;
  for (const hw::Tensor &tensor : model->tensors)
    seen.push_back((tensor.kind == hw::TensorKind::Input ? "in " : "out ") +
                   tensor.name + " " + hw::elementName(tensor.type) + " " +
                   ::testing::PrintToString(tensor.shape));
  EXPECT_THAT(seen, ElementsAre("in x float16 { 1, 64, 1, 32, 1 }",
                                "in bytes int8 { 1, 1, 7, 5, 1 }",
                                "out b float16 { 1, 1, 1, 4, 1 }",
                                "out a uint8 { 1, 1, 1, 3, 1 }",
                                "out x float16 { 1, 64, 1, 32, 1 }"));
}

TEST(MILModel, TakesFloat32ThatIsCast) {
  const std::string x = "tensor<fp32, [2]> x";
  std::string cast = "tensor<fp16, [2]> h = cast(dtype = string(\"fp16\"), "
                     "x = x)[name = string(\"x\")]; ";
  auto model =
      read(function(x, cast + "tensor<fp32, [2]> y = cast(x = h);", "y, h"));
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_THAT(model->isFloat32, ElementsAre(true, true, false));
  for (const hw::Tensor &tensor : model->tensors)
    EXPECT_EQ(tensor.type, hw::ElementType::Float16);

  auto error = [](const std::string &text) {
    return std::string(read(text).status().message());
  };
  // Names of arguments are no values.
  EXPECT_EQ(error(function(x, cast + "fp16 k = relu(x = h);", "h")), "");
  const char *message = "input 'x' is of fp32, and 'concat' takes it; the "
                        "engine computes in fp16: cast it in the network";
  for (const char *operands :
       {"values = x", "values = (x, h)", "values = (h, x), axis = int32(1)"})
    EXPECT_THAT(error(function(x,
                               cast + "tensor<fp32, [4]> y = concat(" +
                                   operands + ")[name = string(\"y\")];",
                               "h")),
                HasSubstr(message));
  EXPECT_THAT(error(function(x, "tensor<fp32, [2]> y = relu(x = z);", "y")),
              HasSubstr("output 'y' has type tensor<fp32, [2]>; expected"));
}

TEST(MILModel, FindsItsFiles) {
  std::string name = ::testing::TempDir() + "ane-mil-XXXXXX";
  std::string root = mkdtemp(name.data());
  fs::create_directories(root + "/model/weights");
  std::ofstream(root + "/model/weights/w.bin") << "w";
  std::ofstream(root + "/secret") << "s";
  auto text = [](const std::string &path) {
    std::string blob = "fp16(BLOBFILE(path = string(\"@model_path/" + path +
                       "\"), offset = uint64(64)))";
    return function("", "a = f(x = " + blob + ", y = " + blob + ");", "");
  };
  auto model = read(text("weights/w.bin"), root + "/model");
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->files.size(), 1u);
  EXPECT_EQ(model->files[0].name, "weights/w.bin");
  EXPECT_EQ(model->files[0].path, root + "/model/weights/w.bin");

  auto error = [&](const std::string &path) {
    return std::string(read(text(path), root + "/model").status().message());
  };
  EXPECT_THAT(error("weights/v.bin"),
              HasSubstr("refers to @model_path/weights/v.bin, but " + root +
                        "/model/weights/v.bin is no file; say with "
                        "--mil-root=DIR"));
  EXPECT_THAT(error("../secret"), HasSubstr("leads out of the folder"));
  EXPECT_THAT(error("/etc/passwd"), HasSubstr("leads out of the folder"));
  fs::create_symlink(root + "/secret", root + "/model/link");
  EXPECT_THAT(error("link"),
              HasSubstr("is a link to a file that is not below"));
  fs::remove_all(root);
}

TEST(MILModel, SaysWhatNoDeviceTakes) {
  auto error = [](const std::string &text) {
    return std::string(read(text).status().message());
  };
  EXPECT_THAT(error(function("tensor<int32, [2]> x", "", "")),
              HasSubstr("input 'x' has type tensor<int32, [2]>; expected a "
                        "tensor of fp16, int8 or uint8, or of fp32 that"));
  EXPECT_THAT(error(function("state<tensor<fp16, [2]>> s", "", "")),
              HasSubstr("input 's' has type state<tensor<fp16, [2]>>"));
  EXPECT_THAT(error(function("tensor<fp16, [?, 2]> x", "", "")),
              HasSubstr("whose dimension ? is not one from 1 to 1048576"));
  EXPECT_THAT(error(function("tensor<fp16, [0]> x", "", "")),
              HasSubstr("whose dimension 0 is not"));
  EXPECT_THAT(error(function("tensor<fp16, [1,1,1,1,2]> x", "", "")),
              HasSubstr("with 5 dimensions; the engine takes at most 4"));
  EXPECT_THAT(error(function("", "", "y")),
              HasSubstr("no statement makes the result 'y'"));
  EXPECT_EQ(error("module {}"),
            "line 1 of the MIL text: expected 'program', found 'module'");
  EXPECT_EQ(error("program(1.3)\n{ func main<ios18>(x"),
            "line 2 of the MIL text: expected the name of a parameter, found "
            "its end");
  EXPECT_THAT(error("program(1.3) { func main(fp16 x) {"),
              HasSubstr("input 'x' has type fp16;"));
  EXPECT_THAT(error("program(1.3) { func main() [a = "),
              HasSubstr("expected '{' and the statements of the function"));
  EXPECT_THAT(error("program(1.3) { func main() { "),
              HasSubstr("expected '->' and the results"));
  EXPECT_EQ(error("program(1.3) {}"), "the MIL text has no function");
  EXPECT_THAT(error("program(1.3) { func a() { } -> (); func b() {} -> (); }"),
              HasSubstr("has 2 functions: "));
}

/// Any beginning of a text is an error or a model, and ends.
TEST(MILModel, EndsOnHostileTexts) {
  std::string text =
      function("tensor<fp16, [1, 2]> x", "tensor<fp16, [2]> y = f(\"\\", "y");
  for (size_t size = 0; size < text.size(); ++size)
    (void)read(text.substr(0, size));
  EXPECT_FALSE(read(std::string(1 << 20, '<')).ok());
}

} // namespace
