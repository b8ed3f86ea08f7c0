//===- AneCompileOptions.h - The command line of ane-compile ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_ANECOMPILEOPTIONS_H
#define ANE_LIB_TOOLS_ANECOMPILEOPTIONS_H

#include "ane/HW/Generation.h"
#include "ane/Simulator/Simulator.h"

#include "llvm/Support/CommandLine.h"

#include <string>

namespace mlir::ane {

/// The command line. Options live as long as the driver, not as globals of the
/// library, so that linking it into another tool adds nothing to that tool.
struct CommandLine {
  llvm::cl::OptionCategory category{"ane-compile options"};
  llvm::cl::opt<std::string> input{
      llvm::cl::Positional, llvm::cl::Required,
      llvm::cl::desc("<network.{mlir,mil,mlpackage,mlmodel,onnx,plist}>"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> output{
      "o", llvm::cl::value_desc("file"), llvm::cl::cat(category),
      llvm::cl::desc("Output file; its extension selects the kind:\n"
                     ".hwx   register program, for a device or the simulator\n"
                     ".anec  the same for the library of the Linux driver\n"
                     ".mil   MIL text for Apple's in-memory runtime\n"
                     ".mlpackage  the same as a Core ML package\n"
                     ".mlir  the IR after the last phase, see --stop-after\n"
                     "-      a .hwx program, or with --stop-after the IR, on\n"
                     "       standard output")};
  llvm::cl::opt<std::string> function{
      "function", llvm::cl::value_desc("name"), llvm::cl::cat(category),
      llvm::cl::desc("The function to compile, if the file has several")};
  llvm::cl::opt<std::string> target{
      "target", llvm::cl::init(::ane::hw::defaultTarget().name),
      llvm::cl::value_desc("generation"), llvm::cl::cat(category),
      llvm::cl::desc(
          "Generation of the engine: h13 (M1, A14) or h14 (M2, A15)")};
  llvm::cl::list<std::string> bind{
      "bind", llvm::cl::value_desc("N=@file.npy|N=random:SEED[:SCALE]"),
      llvm::cl::cat(category),
      llvm::cl::desc(
          "Make argument N (a number from 0, a range such as 1-62, or its\n"
          "name) a constant: the array in a file, or random values.\n"
          "May be repeated")};
  llvm::cl::list<std::string> shape{
      "shape", llvm::cl::value_desc("N=1x3x224x224|default"),
      llvm::cl::cat(category),
      llvm::cl::desc(
          "Compile for this shape of argument N (a number from 0, or its\n"
          "name), which has dynamic dimensions (?). default: the default\n"
          "shapes of a Core ML program. Several with commas between,\n"
          "or repeated")};
  llvm::cl::list<std::string> range{
      "range", llvm::cl::value_desc("NAME=LOW:HIGH"), llvm::cl::cat(category),
      llvm::cl::desc(
          "All elements of argument NAME (or its number from 0) are between\n"
          "LOW and HIGH. Values that then stay in f16 need no scale.\n"
          "May be repeated")};
  llvm::cl::opt<std::string> calibrate{
      "calibrate", llvm::cl::value_desc("folder"), llvm::cl::cat(category),
      llvm::cl::desc(
          "Measure the ranges of all values on arrays: NAME.npy for each\n"
          "argument, or NAME.0.npy, NAME.1.npy, ...")};
  llvm::cl::opt<std::string> accuracyGoal{
      "accuracy-goal", llvm::cl::init(defaultAccuracyGoal.str()),
      llvm::cl::value_desc("fast|balanced|best"), llvm::cl::cat(category),
      llvm::cl::desc(
          "Of a function with several forms, the one with the fewest\n"
          "tasks (fast), that keeps networks in f16's own precision\n"
          "(balanced), or that is as exact alone (best)")};
  llvm::cl::opt<bool> strictNumerics{
      "strict-numerics", llvm::cl::cat(category),
      llvm::cl::desc("Make warnings about numbers that f16 loses errors")};
  llvm::cl::opt<std::string> flavour{
      "hwx-flavour", llvm::cl::init("clean"), llvm::cl::value_desc("name"),
      llvm::cl::cat(category),
      llvm::cl::desc(
          "Choices where the hardware allows several: clean (our own, in\n"
          "the form of compiler 4.2.1) or zin-9.509 (like Apple's\n"
          "compiler of macOS 26)")};
  llvm::cl::opt<std::string> weightsDir{
      "weights-dir", llvm::cl::value_desc("folder"), llvm::cl::cat(category),
      llvm::cl::desc("Folder for weights/weight.bin of a .mil output\n"
                     "(default: the folder of the output). It overwrites\n"
                     "the weights of another .mil: use a folder for each")};
  llvm::cl::opt<std::string> milRoot{
      "mil-root", llvm::cl::value_desc("folder"), llvm::cl::cat(category),
      llvm::cl::desc(
          "The folder that @model_path of a .mil input names\n"
          "(default: the folder of the input; a package has its own)")};
  llvm::cl::opt<std::string> report{
      "report", llvm::cl::value_desc("file.json|file.html"),
      llvm::cl::cat(category),
      llvm::cl::desc("Write a report of the compilation and of the program:\n"
                     "time of phases, predicted time of tasks, DRAM and L2.\n"
                     ".html is a page that needs no other file")};
  llvm::cl::opt<std::string> stopAfter{
      "stop-after", llvm::cl::init("emit"), llvm::cl::value_desc("phase"),
      llvm::cl::cat(category),
      llvm::cl::desc(
          "With a .mlir output or -, the last phase to run: import,\n"
          "simplify, legalize, tile, tasks, layout, memory, emit;\n"
          "or the flag of a pass, such as ane-split-windows")};
  llvm::cl::opt<std::string> tile{
      "ane-tile", llvm::cl::value_desc("plan.json|none"),
      llvm::cl::cat(category),
      llvm::cl::desc("Plan of tiles to use instead of the one that\n"
                     "ane-plan-tiles finds; none: tile no op")};
  llvm::cl::opt<std::string> dumpTiles{
      "dump-ane-tile", llvm::cl::value_desc("plan.json"),
      llvm::cl::cat(category), llvm::cl::desc("Write the plan of tiles")};
  llvm::cl::list<std::string> rates{
      "rate", llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category),
      llvm::cl::desc("A rate of the chip by which tiles are chosen and times\n"
                     "predicted, in place of what is known of the chip, such\n"
                     "as tiles=60e9 (bytes a second). May be repeated")};
  llvm::cl::opt<std::string> host{
      "host", llvm::cl::value_desc("file.mlir"), llvm::cl::cat(category),
      llvm::cl::desc(
          "Leave ops that the engine cannot do to the host: write the\n"
          "host function, which calls the programs (-o, or -o with .0,\n"
          ".1, ... before its extension if there are several)")};
  llvm::cl::opt<std::string> why{
      "ane-why", llvm::cl::ValueOptional, llvm::cl::value_desc("text|json"),
      llvm::cl::cat(category),
      llvm::cl::desc(
          "Report for each op that the engine cannot do the reason: as\n"
          "remarks, or as JSON on standard output. Without -o nothing\n"
          "else is written")};
  llvm::cl::opt<std::string> accuracy{
      "accuracy", llvm::cl::value_desc("file.json|file.html"),
      llvm::cl::cat(category),
      llvm::cl::desc(
          "Run the network in f32 and the program in the simulator, and\n"
          "write the error of each op, and the first op that deviates.\n"
          "Without -o nothing else is written")};
  llvm::cl::list<std::string> inputs{
      "input", llvm::cl::value_desc("[NAME=]x.npy"), llvm::cl::cat(category),
      llvm::cl::desc("Array for an input, with --accuracy. May be repeated")};
  llvm::cl::opt<uint64_t> seed{
      "seed", llvm::cl::value_desc("N"), llvm::cl::cat(category),
      llvm::cl::desc(
          "Seed of random data, with --accuracy, for inputs without\n"
          "an --input (default: 0, if there is no --input)")};
  llvm::cl::opt<::ane::sim::Mode> accuracyMode{
      "accuracy-mode", llvm::cl::init(::ane::sim::Mode::Exact),
      llvm::cl::cat(category),
      llvm::cl::desc("Arithmetic of the simulator, with --accuracy"),
      llvm::cl::values(
          clEnumValN(::ane::sim::Mode::Exact, "exact",
                     "in double precision, rounded once (default)"),
          clEnumValN(::ane::sim::Mode::Fast, "fast", "in single precision"),
          clEnumValN(::ane::sim::Mode::Engine, "engine",
                     "like the engines, by published probes"))};
  llvm::cl::opt<bool> allowUnproven{
      "allow-unproven", llvm::cl::cat(category),
      llvm::cl::desc(
          "Use mechanisms of the engine that no recorded program uses")};
};

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_ANECOMPILEOPTIONS_H
