//===- SequenceEmitterMatmul.cpp - Products as sequences of tasks ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product with constants is a convolution of 1x1: the rows of the left matrix
// are pixels, which a first task brings into place by exchanging channels and
// columns. In a product of two tensors the rows of the left one are the
// coefficients, and the right one is the image.
//
//===----------------------------------------------------------------------===//

#include "SequenceEmitterMatmul.h"

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/HW/WorkUnits.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

// Rows of a matrix, all leading dimensions being 1.
static std::optional<std::pair<int64_t, int64_t>> getMatrix(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t, 4> shape = getImageShape(type);
  if (shape[0] != 1 || shape[1] != 1)
    return std::nullopt;
  return std::pair(shape[2], shape[3]);
}

//===----------------------------------------------------------------------===//
// What a product takes in
//===----------------------------------------------------------------------===//

static bool isFunction(ActivationKind kind) {
  return kind == ActivationKind::Relu ||
         (hasTable(kind) && kind != ActivationKind::Exp &&
          kind != ActivationKind::Rsqrt);
}

// One step after it: a bias for each column, with relu or not, a factor, or a
// function (all of them seen).
void SequenceEmitter::Product::absorb() {
  Operation *user = getOnlyUser(result);
  auto take = [&](Operation *op) {
    absorbed.push_back(op);
    result = op->getResult(0);
  };
  if (activation || !user)
    return;
  if (auto act = dyn_cast<ActivationOp>(user)) {
    if (!isFunction(act.getFunction().getKind()))
      return;
    activation = act.getFunction();
    return take(act);
  }
  auto pair = dyn_cast<ElementwiseOp>(user);
  if (!pair || !pair.isUnscaled() || pair.getType() != result.getType())
    return;
  Value other = pair.getLhs() == result ? pair.getRhs() : pair.getLhs();
  if (!matchPattern(other, m_Constant()))
    return;
  int64_t elements = cast<ShapedType>(other.getType()).getNumElements();
  ActivationAttr act = pair.getActivationAttr();
  if (act && act.getKind() != ActivationKind::Relu)
    return;
  if (pair.getKind() == ElementwiseKind::Add && elements == n && constant &&
      cast<ShapedType>(other.getType()).getShape().back() == n) {
    bias = other;
    activation = act;
    return take(pair);
  }
  std::optional<float> factor = getConstantSplat(other);
  if (pair.getKind() == ElementwiseKind::Mul && elements == 1 && factor &&
      !act) {
    scale = *factor;
    take(pair);
  }
}

std::optional<SequenceEmitter::Product>
SequenceEmitter::getProduct(Operation *op) const {
  if (auto conv = dyn_cast<ConvOp>(op))
    return getRowProduct(conv);
  auto matmul = dyn_cast<MatmulOp>(op);
  if (!matmul)
    return std::nullopt;
  auto lhs = getMatrix(matmul.getLhs()), rhs = getMatrix(matmul.getRhs());
  if (!lhs || !rhs || matmul.getLhs().getDefiningOp<ConstantOp>())
    return std::nullopt;
  Product product;
  product.op = op;
  product.x = matmul.getLhs();
  product.y = matmul.getRhs();
  product.result = matmul.getResult();
  product.transposeX = matmul.getTransposeLhs();
  product.transposeY = matmul.getTransposeRhs();
  product.m = product.transposeX ? lhs->second : lhs->first;
  product.k = product.transposeX ? lhs->first : lhs->second;
  product.n = product.transposeY ? rhs->first : rhs->second;
  product.constant = product.y.getDefiningOp<ConstantOp>() != nullptr;
  product.activation = matmul.getActivationAttr();
  product.absorb();
  return product;
}

// One row by a matrix, which ane-propagate-layout has as a convolution between
// reshapes.
std::optional<SequenceEmitter::Product>
SequenceEmitter::getRowProduct(ConvOp conv) const {
  auto before = conv.getInput().getDefiningOp<ReshapeOp>();
  auto behind = dyn_cast_or_null<ReshapeOp>(getOnlyUser(conv.getResult()));
  ArrayRef<int64_t> weight =
      cast<ShapedType>(conv.getWeight().getType()).getShape();
  ArrayRef<int64_t> in = cast<ShapedType>(conv.getInput().getType()).getShape();
  if (!before || !behind || in.size() != 4 || in[0] != 1 || in[2] != 1 ||
      in[3] != 1 || conv.getGroups() != 1 || conv.getScale() ||
      weight[1] != in[1] || weight[2] != 1 || weight[3] != 1 ||
      !isa<BlockArgument>(before.getInput()) ||
      !conv.getWeight().getDefiningOp<ConstantOp>() ||
      (conv.getBias() && !conv.getBias().getDefiningOp<ConstantOp>()) ||
      (conv.getActivation() && !isFunction(conv.getActivation()->getKind())))
    return std::nullopt;
  auto lhs = getMatrix(before.getInput()), rhs = getMatrix(behind.getResult());
  if (!lhs || !rhs || lhs->second != in[1] || rhs->second != weight[0])
    return std::nullopt;
  Product product;
  product.op = conv;
  product.x = before.getInput();
  product.y = conv.getWeight();
  product.m = 1;
  product.k = in[1];
  product.n = weight[0];
  product.transposeY = product.constant = true;
  product.bias = conv.getBias();
  product.activation = conv.getActivationAttr();
  product.result = behind.getResult();
  product.absorbed.push_back(behind);
  return product;
}

static bool hasFunctionTable(ActivationAttr act) {
  return act && act.getKind() != ActivationKind::Relu;
}

bool SequenceEmitter::Product::feedsPixels() const {
  auto next = dyn_cast_or_null<MatmulOp>(getOnlyUser(result));
  return next && next.getLhs() == result && !next.getTransposeLhs() &&
         next.getRhs().getDefiningOp<ConstantOp>();
}

bool SequenceEmitter::Product::feedsScores() const {
  auto next = dyn_cast_or_null<SoftmaxOp>(getOnlyUser(result));
  return next && int64_t(next.getAxis()) + 1 ==
                     cast<ShapedType>(next.getType()).getRank();
}

// Rows that one task computes: a pass, or all whole ones (seen: 512 rows).
int64_t SequenceEmitter::rowsOfTask(const Product &product) const {
  int64_t pass = info.neCount * product.interleave(info);
  return info.stridesPasses ? std::max(pass, product.m / pass * pass) : pass;
}

// Rows that interleave in a kernel plane.
int64_t SequenceEmitter::Product::interleave(
    const ::ane::hw::GenerationInfo &info) const {
  const int64_t engines = info.neCount;
  if (m <= engines)
    return 1;
  int64_t power = int64_t(1) << llvm::countr_zero(uint64_t(m));
  return std::clamp<int64_t>(power / engines, 2, 8);
}

bool SequenceEmitter::isTaken(const Product &product) const {
  const int64_t engines = info.neCount, step = info.dmaAlign / 2;
  Operation *before = product.x.getDefiningOp();
  int64_t l2 = info.l2SourceBytes;
  if (product.k % step || product.n % step)
    return false; // rows of the tile DMA are whole
  if (product.constant) {
    int64_t pixels = 2 * product.k * llvm::alignTo(product.m, 8) * 2;
    return product.n % engines == 0 &&
           pixels + 2 * product.m * product.n < l2 && product.m <= 512 &&
           (!before || isa<MatmulOp, ElementwiseOp, ActivationOp>(before) ||
            (isa<LayerNormOp>(before) && !product.transposeX)) &&
           (product.feedsPixels() || isReturned(product.result));
  }
  // Both from the function, or scores on their way to the values.
  bool isKernel = !before || (isa<SoftmaxOp>(before) && !product.transposeX);
  if (!isKernel || product.y.getDefiningOp() || product.bias ||
      product.x == product.y || hasFunctionTable(product.activation) ||
      product.m % engines || product.m > 512)
    return false;
  // The image stays, or streams in strips of 128 columns.
  constexpr int64_t strip = 128;
  bool streams = !product.transposeY && product.m <= rowsOfTask(product);
  int64_t columns = streams ? std::min(strip, product.n)
                            : int64_t(llvm::alignTo(product.n, 8));
  if (2 * product.k * columns >= l2 / 2)
    return false;
  return product.feedsScores() || isReturned(product.result);
}

//===----------------------------------------------------------------------===//
// With constants
//===----------------------------------------------------------------------===//

// Pixels in rows of 8 where there are many output channels (1024: yes, 512: no),
// unless a row of them is a small source, too. Those that fill 8x8 ask for more
// of them (*seen* for 16, 32 and 64 pixels; of 64, 256x1024 and 2048x2048 are
// folded, 1024x1024 and 4096x2048 not: the limits between are a guess).
bool SequenceEmitter::folds(const Product &product) const {
  constexpr int64_t columns = 8, manyChannels = 1024, manyInputs = 4096;
  const int64_t m = product.m, k = product.k, n = product.n;
  if (info.smallSourceInRow || m <= columns || m % columns || n < manyChannels)
    return false;
  return m < ::ane::hw::smallSourcePixels ||
         (m == ::ane::hw::smallSourcePixels && k < manyInputs &&
          k * manyChannels < n * n);
}

Value SequenceEmitter::stagePixels(const Product &product) {
  Location loc = product.op->getLoc();
  Held input = held.lookup(product.x);
  constexpr int64_t columns = 8;
  if (input.form == Form::Columns)
    return input.memref;
  auto fold = [&](Value matrix) {
    return swapRows(
        reshape(matrix, {1, product.m / columns, columns, product.k}));
  };
  if (product.transposeX) {
    Value pixels = swapRows(input.memref);
    if (!folds(product))
      return pixels;
    Value rows = exchange(loc, pixels, Value(), false);
    return exchange(loc, fold(swapRows(rows)), Value(), true);
  }
  Value matrix =
      input.form == Form::Rows ? swapRows(input.memref) : input.memref;
  return exchange(loc, folds(product) ? fold(matrix) : swapRows(matrix),
                  Value(), true);
}

// Channels that a task computes: with more than one unit of 128 pixels the
// coefficients have to stay in the kernel buffer (89 of 89 programs).
int64_t SequenceEmitter::Product::channelsOfTask(
    const ::ane::hw::GenerationInfo &info) const {
  constexpr int64_t unit = 128;
  const int64_t engines = info.neCount, buffer = info.kernelBufferBytes;
  if (m <= unit)
    return n;
  int64_t lanes = std::min(engines, n / engines);
  while (lanes > 1 && lanes * k * 2 > buffer)
    lanes /= 2;
  return std::min(n, engines * lanes *
                         std::max<int64_t>(1, buffer / (2 * k * lanes)));
}

void SequenceEmitter::computePixels(const Product &product, Value pixels) {
  Location loc = product.op->getLoc();
  ArrayRef<int64_t> in = cast<MemRefType>(pixels.getType()).getShape();
  int64_t height = in[2], width = in[3];
  bool exchanged = !product.feedsPixels();
  Value output = outputOf(product.result);
  // Of leading ones.
  SmallVector<int64_t> perm = llvm::to_vector(
      llvm::seq<int64_t>(cast<ShapedType>(product.y.getType()).getRank()));
  if (!product.transposeY)
    std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  Value weight = constant(loc, product.y, perm, {product.n, product.k, 1, 1});
  Value bias;
  if (product.bias)
    bias = constant(loc, product.bias,
                    llvm::to_vector(llvm::seq<int64_t>(
                        cast<ShapedType>(product.bias.getType()).getRank())),
                    {product.n});
  bool stores = exchanged && height == 1;
  int64_t step = stores ? product.channelsOfTask(info) : product.n;
  Value source = pixels, result;
  for (int64_t first = 0; first < product.n; first += step) {
    int64_t count = std::min(step, product.n - first);
    TaskSpec spec;
    spec.sources = {source};
    spec.shape = exchanged ? SmallVector<int64_t>{1, width, height, count}
                           : SmallVector<int64_t>{1, count, height, width};
    if (stores)
      spec.target = box(swapRows(output), {0, 0, 0, first}, spec.shape);
    spec.sources[0].keeps = isInDram(source) && step < product.n;
    TaskResults done = task(
        loc, spec, [&](OpBuilder &body, ValueRange tiles, MemRefType type) {
          ActivationAttr act = product.activation;
          Value weights =
              kernel(body, loc, weight, bias, first, count,
                     hasFunctionTable(act) ? act : ActivationAttr());
          return NeConvOp::create(body, loc, type, tiles[0], weights,
                                  ArrayRef<int64_t>{1, 1},
                                  ArrayRef<int64_t>{0, 0}, 1,
                                  APFloat(product.scale), act, exchanged)
              .getResult();
        });
    if (!done.kept.empty())
      source = done.kept[0];
    result = done.result;
  }
  if (!exchanged)
    return hold(product.result, result, Form::Columns);
  if (stores)
    return;
  Value rows = reshape(swapRows(result), {1, 1, product.m, product.n});
  copy(loc, swapRows(rows), swapRows(output));
}

//===----------------------------------------------------------------------===//
// Of two tensors
//===----------------------------------------------------------------------===//

// The rows of the left matrix as planes of coefficients.
Value SequenceEmitter::stageKernel(const Product &product) {
  Location loc = product.op->getLoc();
  Held input = held.lookup(product.x);
  int64_t lanes = product.interleave(info);
  if (input.form == Form::Kernel)
    return input.memref;
  if (lanes == 1 && !product.transposeX)
    return swapRows(input.memref);
  TaskSpec spec;
  spec.sources = {swapRows(input.memref)};
  spec.shape = {1, product.m, 1, product.k};
  spec.target = makeBuffer(loc, {1, product.m / lanes, 1, product.k * lanes});
  spec.interleave = lanes;
  bool onPlanar = product.m == rowsOfTask(product) && !product.transposeX;
  if (onPlanar)
    unary(loc, spec);
  else
    bypass(loc, spec, ActivationAttr(), /*scale=*/1, product.transposeX);
  return spec.target;
}

void SequenceEmitter::emitRuntimeProduct(const Product &product) {
  Location loc = product.op->getLoc();
  int64_t lanes = product.interleave(info), step = rowsOfTask(product);
  Value kernel = stageKernel(product);
  bool fromSurface = !getViewRoot(kernel).getDefiningOp<BufferOp>();
  Value image = swapRows(held.lookup(product.y).memref);
  if (product.transposeY)
    image = exchange(loc, image, Value(), fromSurface);
  bool toScores = product.feedsScores(), isOne = product.m <= step;
  SmallVector<int64_t> whole = {1, product.m, 1, product.n};
  Value target = toScores ? (isOne ? Value() : makeL2Buffer(loc, whole))
                          : swapRows(outputOf(product.result));
  // The last rows first; what is no whole step is the very last.
  Value result;
  int64_t end = product.m;
  while (end > 0) {
    int64_t rows = end % step ? end % step : step, first = end - rows;
    TaskSpec spec;
    spec.sources = {image};
    spec.shape = {1, rows, 1, product.n};
    if (target)
      spec.target = box(target, {0, first, 0, 0}, spec.shape);
    spec.sources[0].keeps = isInDram(image) && !isOne;
    Value planes = box(kernel, {0, first / lanes, 0, 0},
                       {1, rows / lanes, 1, product.k * lanes});
    TaskResults done = TaskBuilder::product(loc, spec, rows, planes,
                                            product.scale, product.activation);
    if (!done.kept.empty())
      image = done.kept[0];
    result = done.result;
    end = first;
  }
  if (toScores)
    hold(product.result, target ? target : result, Form::Rows);
}

void SequenceEmitter::emitProduct(const Product &product) {
  if (product.constant)
    return computePixels(product, stagePixels(product));
  emitRuntimeProduct(product);
}
