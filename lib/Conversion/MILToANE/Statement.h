//===- Statement.h - One MIL statement being imported -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handler turns a statement into ops of the ane dialect:
//
//   static Value importPool(Statement &s) {
//     Value x = s.tensor("x");
//     SmallVector<int64_t> kernel = s.integers("kernel_sizes");
//     if (s.failed())
//       return {};
//     return s.build<PoolOp>(...);
//   }
//
// Whatever is wrong with an argument is reported once, at the statement, and
// the statement has failed; the getters then return something harmless and the
// builders no value. So a handler looks once, before it computes with shapes.
//
// Values. Data is f16, whatever the program says: f32 becomes f16 at the border
// of the function. What is computed from constants alone keeps its type, so
// that folding loses no precision. A bool is 1 or 0 in f16, at the border of
// the function in bytes. An integer is a whole number in f16, exactly: it is an
// index, or what is left of a number without its fraction. Only the operations
// that MILImporter::takeIntegers names have it as an argument; the others see
// integers that are known alone: constants, or what ComputeIntegers.cpp makes
// of them.
//
// The host. What the engine cannot do may be left to the host, in stock MLIR
// and in MIL's own types: the statement is on the host then, and its getters
// and builders are of values there. Values pass between the two as f16, which
// everything but wide integers is on the engine, too. Those stay on the host
// once they are there: nobody knows whether f16 holds them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOANE_STATEMENT_H
#define ANE_LIB_CONVERSION_MILTOANE_STATEMENT_H

#include "ane/Conversion/FunctionImporter.h"
#include "ane/Conversion/HostBuilder.h"
#include "ane/Conversion/MILToANE/MILToANE.h"
#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/MIL/Constexpr.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <functional>

namespace mlir::scf {
class WhileOp;
} // namespace mlir::scf

namespace mlir::ane {

struct Array;
class MILImporter;

/// More elements along a dimension than any engine has; sums and products of
/// two numbers below cannot overflow.
constexpr int64_t maxMILExtent = int64_t(1) << 31;

/// Elements of a constant that an importer makes: 128 MB.
constexpr int64_t maxFactors = int64_t(1) << 25;

/// Up to here f32 counts, with which integers are computed.
constexpr int64_t maxExactInteger = int64_t(1) << 24;

class Statement {
public:
  Statement(MILImporter &importer, mil::MILOpInterface op, bool onHost = false);

  //===--------------------------------------------------------------------===//
  // What the text says
  //===--------------------------------------------------------------------===//

  StringRef getName() { return op.getMILType(); }
  Location getLoc() { return op->getLoc(); }
  MLIRContext *getContext() { return op->getContext(); }
  unsigned getNumResults() { return op->getNumResults(); }
  Value getResult(unsigned index) { return op->getResult(index); }
  /// The declared sizes of a result; a scalar has none. Where the text leaves
  /// one open it is ShapedType::kDynamic, and the arguments say it.
  ArrayRef<int64_t> resultShape(unsigned index = 0);
  /// Whether `shape` is one that the text declares.
  bool isDeclared(ArrayRef<int64_t> shape, unsigned index = 0);
  Type resultElementType(unsigned index = 0);

  bool has(StringRef argument);
  /// What an argument is, data or not. Missing, or several: an error.
  Value value(StringRef argument);
  /// The members of a tuple, data or not.
  SmallVector<Value> members(StringRef argument);
  /// Members of a tuple that are known integers, one each.
  SmallVector<int64_t> memberIntegers(StringRef argument);
  /// A value of the network. Missing, or of a type that is no data: an error.
  Value tensor(StringRef argument);
  /// Nothing when the statement has no such argument.
  Value optionalTensor(StringRef argument);
  /// The values of a tuple.
  SmallVector<Value> tensors(StringRef argument);

  /// Whether `value` is an ane.constant.
  static bool isConstant(Value value);
  /// Whether the text calls it a bool, or an integer of any size.
  bool isBoolean(StringRef argument);
  bool isInteger(StringRef argument);

  /// The constant that an argument or attribute is; null without an error when
  /// it is none or there is no such argument.
  TypedAttr constant(StringRef argument);
  int64_t integer(StringRef argument, std::optional<int64_t> otherwise = {});
  double number(StringRef argument, std::optional<double> otherwise = {});
  bool boolean(StringRef argument, std::optional<bool> otherwise = {});
  StringRef string(StringRef argument, std::optional<StringRef> otherwise = {});
  /// `integers` has as many elements as the argument; `fixedIntegers` must have
  /// `count`, each in [low, high]. A missing optional one is `otherwise`
  /// everywhere.
  SmallVector<int64_t> integers(StringRef argument);
  /// The same of an argument that may be computed: nothing, and no error.
  std::optional<SmallVector<int64_t>> knownIntegers(StringRef argument);
  /// The sizes that the text declares for an argument.
  SmallVector<int64_t> declaredShape(StringRef argument);
  SmallVector<int64_t> fixedIntegers(StringRef argument, size_t count,
                                     std::optional<int64_t> otherwise,
                                     int64_t low, int64_t high = maxMILExtent);
  SmallVector<bool> booleans(StringRef argument, size_t count);
  /// The elements of a floating-point constant.
  std::vector<float> numbers(StringRef argument);
  /// An axis of a tensor of rank `rank`, counted from 0.
  int64_t axis(StringRef argument, int64_t rank,
               std::optional<int64_t> otherwise = {});
  /// Axes, each once, in increasing order; all of them without the argument.
  SmallVector<int64_t> axes(StringRef argument, int64_t rank);

  //===--------------------------------------------------------------------===//
  // The host
  //===--------------------------------------------------------------------===//

  /// Whether the values of this statement are of the host.
  bool isOnHost() const { return onHost; }
  /// Whether floats are computed there as well, not integers and booleans
  /// alone.
  bool takesFloats() const;
  HostBuilder host();
  /// The type of an argument, or of a result, there.
  HostType hostType(StringRef argument);
  HostType hostResult(unsigned index = 0) {
    return HostType::of(resultElementType(index));
  }

  //===--------------------------------------------------------------------===//
  // Errors
  //===--------------------------------------------------------------------===//

  /// Starts an error; the statement has failed.
  InFlightDiagnostic error();
  bool failed() const { return hasFailed; }

  //===--------------------------------------------------------------------===//
  // Building
  //===--------------------------------------------------------------------===//

  OpBuilder &getBuilder();
  Builder attributes() { return Builder(getContext()); }

  /// An op whose result type follows from its operands and attributes. What the
  /// op does not allow is an error at the statement. Null operands: null.
  template <typename OpTy, typename... Args> Value build(Args &&...args) {
    if (hasFailed)
      return {};
    // A stand-in until the op itself has said what its result is.
    auto op = OpTy::create(getBuilder(), getLoc(), placeholder(),
                           std::forward<Args>(args)...);
    return inferType(op, [&](SmallVectorImpl<Type> &types) {
      return OpTy::inferReturnTypes(getContext(), getLoc(), op->getOperands(),
                                    op->getDiscardableAttrDictionary(),
                                    op->getPropertiesStorage(),
                                    op->getRegions(), types);
    });
  }

  Value activation(Value x, ActivationKind kind, double alpha = 0,
                   double beta = 0);
  /// Ranks are brought together: missing leading dimensions are 1.
  Value binary(ElementwiseKind kind, Value lhs, Value rhs);
  Value binary(ElementwiseKind kind, Value lhs, double rhs);
  Value reduce(ReduceKind kind, Value x, ArrayRef<int64_t> axes);
  Value reshape(Value x, ArrayRef<int64_t> shape);
  Value transpose(Value x, ArrayRef<int64_t> perm);
  Value concat(ArrayRef<Value> values, int64_t axis);
  Value slice(Value x, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
              ArrayRef<int64_t> strides);
  /// Elements first, first + stride, ... along one dimension.
  Value sliceAxis(Value x, int64_t axis, int64_t first, int64_t count,
                  int64_t stride = 1);
  Value matmul(Value lhs, Value rhs, bool transposeLhs, bool transposeRhs);
  Value softmax(Value x, int64_t axis);
  Value tile(Value x, ArrayRef<int64_t> repeats);
  /// Leading dimensions of 1 up to rank `rank`.
  Value extendRank(Value x, int64_t rank);
  /// An f32 constant; folding rounds it where it meets data.
  Value constantOf(ArrayRef<int64_t> shape, ArrayRef<float> values);
  Value constantOf(ArrayRef<int64_t> shape, float value);
  /// Data becomes f16; all of `values` get one element type.
  void unify(MutableArrayRef<Value> values);
  Value toElementType(Value x, Type type);
  /// Bytes, which a bool of the border is, become f16. What was f16 before is
  /// rounded as the bytes are.
  Value toData(Value x);
  /// The bytes that are nearest to x, with `zeroPoint` added if there is one.
  Value toBytes(Value x, Type type, Value zeroPoint = {});

private:
  mil::NamedArgument *find(StringRef argument);
  Value lookup(Value source);
  Value single(StringRef argument);
  Value roundToByte(Value x, bool isSigned, Value zeroPoint);
  bool require(StringRef argument);
  Value concatOnHost(ArrayRef<Value> values, int64_t axis);
  Value sliceOnHost(Value x, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                    ArrayRef<int64_t> strides);
  Type placeholder();
  Value inferType(Operation *op,
                  function_ref<LogicalResult(SmallVectorImpl<Type> &)> infer);

  MILImporter &importer;
  mil::MILOpInterface op;
  SmallVector<mil::NamedArgument> arguments;
  bool onHost;
  bool hasFailed = false;
};

/// Means of `count` squares, computed by `of`, of which an error may remain.
struct MeanSquares {
  int64_t count;
  double error;
  function_ref<Value(Value squares)> of;
};

/// `finish(mean, exponent)` of the means of squares of x * 2^exponent, with an
/// exponent that lets f16 hold them.
Value fromMeanSquares(Statement &s, Value x, const MeanSquares &means,
                      function_ref<Value(Value mean, int exponent)> finish);

/// Whether `type` is of integers of more than 8 bits, which no surface has.
bool isWideInteger(Type type);

/// Slices of `x` along `axis` at `indices` from 0 on: slices where they form
/// few ascending runs, else a product with a matrix of zeros and ones.
Value takeAt(Statement &s, Value x, int64_t axis, ArrayRef<int64_t> indices);

/// The numbers in `attr`, an integer or boolean constant.
std::optional<SmallVector<int64_t>> getIntegers(Attribute attr);

class MILImporter {
public:
  /// The values of a statement, one for each result; none after an error.
  using Handler = std::function<SmallVector<Value>(Statement &)>;

  /// `reader` finds what lies in weight files; with null that is an error.
  MILImporter(MLIRContext *context, mil::BlobReader *reader)
      : builder(context), evaluator(reader) {}

  void add(StringRef name, std::function<Value(Statement &)> handler);
  void addMany(StringRef name, Handler handler) {
    handlers[name] = std::move(handler);
  }
  /// These operations are exact for whole numbers: they move or compare them.
  void takeIntegers(ArrayRef<StringRef> names) {
    for (StringRef name : names)
      integerOps.insert(name);
  }

  /// Handlers of these operations build on the host what they are asked to.
  void takeHost(ArrayRef<StringRef> names) {
    for (StringRef name : names)
      hostHandlers[name] = handlers.lookup(name);
  }
  /// The same with a handler of its own.
  void addHost(StringRef name, std::function<Value(Statement &)> handler);
  void addHostMany(StringRef name, Handler handler) {
    hostHandlers[name] = std::move(handler);
  }
  /// What the engine cannot do is left to the host, and named in `statements`.
  void leaveToHost(SmallVectorImpl<MILHostStatement> *statements) {
    hosted = statements;
  }

  /// Builds a func.func of ane ops in front of `before` from `source`.
  LogicalResult importFunction(mil::FuncOp source, Operation *before);

  OpBuilder builder;

  /// The imported value of `source`: data, or a constant that becomes one. Null
  /// for what is no data (integers, strings).
  Value lookup(Value source);
  /// The constant that `source` is or was computed to be.
  TypedAttr constant(Value source);

private:
  LogicalResult importOp(Operation *op);
  LogicalResult importLoop(scf::WhileOp loop);
  FailureOr<SmallVector<Value>> importTrip(Block &block, ValueRange arguments,
                                           Operation *loop);
  LogicalResult importStatement(mil::MILOpInterface op);
  LogicalResult importForEngine(mil::MILOpInterface op);
  LogicalResult importForHost(mil::MILOpInterface op, StringRef reason);
  LogicalResult importForEither(mil::MILOpInterface op);
  bool isHosts(mil::MILOpInterface op);
  bool isGivenToHost(Value source, unsigned depth = 0);
  bool isOuterProduct(mil::MILOpInterface op);
  /// Finds what leads to sines.
  void findAngles(mil::FuncOp source);
  /// Whether `op` leads from what the host has to a sine.
  bool isAngle(mil::MILOpInterface op);
  /// Finds what leads to boxes of a suppression, and nowhere else, and what is
  /// computed of those that are left.
  void findBoxes(mil::FuncOp source);
  LogicalResult moveToHost(Value source);
  Value toHost(Value source);
  Value fromHost(Value source);
  void importArguments(mil::FuncOp source, func::FuncOp function);
  FailureOr<Value> importResult(mil::ReturnOp end, unsigned index,
                                Value source);
  bool isOfIntegers(mil::MILOpInterface op);
  bool isKnown(Value source);
  Value integersAsData(Value source);
  LogicalResult computeIntegers(mil::MILOpInterface op);
  LogicalResult computeShape(mil::MILOpInterface op);
  LogicalResult setIntegers(Statement &s, Value result, const Array &numbers,
                            bool isCast);
  /// Compares with what the text declares of a result, and completes it.
  LogicalResult checkShape(Statement &s, Value result, ArrayRef<int64_t> shape);
  LogicalResult importConstexpr(mil::MILOpInterface op);
  LogicalResult importClassify(mil::MILOpInterface op);
  LogicalResult importStateAccess(mil::MILOpInterface op);
  LogicalResult importReturn(mil::FuncOp source, mil::ReturnOp end);
  LogicalResult checkResults(Statement &statement, ArrayRef<Value> results);
  FailureOr<RankedTensorType> borderType(Location loc, Type type,
                                         const Twine &what, bool isResult);

  mil::ConstexprEvaluator evaluator;
  llvm::StringMap<Handler> handlers, hostHandlers;
  llvm::StringSet<> integerOps;
  llvm::DenseMap<Value, Value> values, hostValues;
  llvm::DenseMap<Value, TypedAttr> computed;
  /// What `classify` makes, and the probabilities; null for the label.
  llvm::DenseMap<Value, Value> labels;
  /// What only the host computes; the engine has some of it, too.
  llvm::DenseSet<Value> fromOutside;
  SmallVectorImpl<MILHostStatement> *hosted = nullptr;
  llvm::DenseSet<Operation *> towardsAngles, aroundBoxes;
  /// Whether the host computes with floats, too.
  bool floatsOnHost = false;
  /// Statements that loops have made.
  int64_t unrolled = 0;
  /// Whether handlers see integers as numbers of f32.
  bool integersAreData = false;
  /// The numbers of bytes that were computed, as f16.
  llvm::DenseMap<Value, Value> numbersOfBytes;
  /// What each state holds at this point, in the order of the arguments.
  llvm::MapVector<Value, Value> states;
  llvm::DenseSet<Value> writtenStates;

  friend class Statement;
};

void addMILBlockImport(MILImporter &importer);
void addMILElementwiseImport(MILImporter &importer);
/// After the others.
void addMILHostImport(MILImporter &importer);
void addMILHostAngles(MILImporter &importer);
void addMILHostBoxes(MILImporter &importer);
void addMILHostSampling(MILImporter &importer);
void addMILIndexImport(MILImporter &importer);
void addMILMatrixImport(MILImporter &importer);
void addMILRecurrentImport(MILImporter &importer);
void addMILReduceImport(MILImporter &importer);
void addMILRegionImport(MILImporter &importer);
void addMILShapeImport(MILImporter &importer);
void addMILSearchImport(MILImporter &importer);
void addMILSquaresImport(MILImporter &importer);
void addMILResizeImport(MILImporter &importer);
void addMILSamplingImport(MILImporter &importer);
void addMILWindowImport(MILImporter &importer);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_MILTOANE_STATEMENT_H
