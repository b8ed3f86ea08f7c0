//===- DimMapTest.cpp - What a dimension of a result needs ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of ops with random shapes and attributes, changes each element of each operand
// and sees in the evaluator which elements of the result change. What the ops
// declare must say exactly that, and parts that are cut by it must compute what
// the whole does.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/DimMap.h"

#include "RandomOps.h"
#include "ane/Dialect/ANE/IR/Tiling.h"

#include <set>

using namespace mlir;
using namespace mlir::ane;

namespace {

using Indices = std::set<int64_t>;

class DimMapTest : public RandomOpTest {
protected:
  /// For each element of operand `index`, which elements of the result it
  /// changes.
  std::vector<Indices> findInfluence(unsigned index) {
    std::vector<Indices> influence;
    // Of a selection, each condition leaves one value out.
    for (bool isZeroFirst : {false, true}) {
      if (isZeroFirst && !isa<SelectOp>(op))
        continue;
      std::vector<Array> arguments = pickArguments(isZeroFirst);
      Array before = evaluateOn(arguments);
      std::vector<float> &data = arguments[index].data;
      influence.resize(data.size());
      for (size_t element = 0; element < data.size(); ++element) {
        float value = data[element];
        for (float other : {0.0f, value + 100, value - 100}) {
          data[element] = other;
          Array after = evaluateOn(arguments);
          for (size_t i = 0; i < after.data.size(); ++i)
            if (after.data[i] != before.data[i])
              influence[element].insert(i);
        }
        data[element] = value;
      }
    }
    return influence;
  }

  static int64_t indexOf(int64_t element, ArrayRef<int64_t> shape,
                         int64_t dim) {
    for (int64_t size : llvm::reverse(shape.drop_front(dim + 1)))
      element /= size;
    return element % shape[dim];
  }

  /// Which indices of a dimension of the operand the results with index `i`
  /// need, as seen.
  Indices findNeeded(ArrayRef<Indices> influence, ArrayRef<int64_t> from,
                     int64_t of, int64_t dim, int64_t i) {
    Indices needed;
    for (auto [element, results] : llvm::enumerate(influence))
      for (int64_t result : results)
        if (indexOf(result, shapeOf(op->getResult(0)), dim) == i)
          needed.insert(indexOf(element, from, of));
    return needed;
  }
  /// Elements of the operand that the results with index `i` need.
  Indices findElements(ArrayRef<Indices> influence, int64_t dim, int64_t i) {
    Indices elements;
    for (auto [element, results] : llvm::enumerate(influence))
      for (int64_t result : results)
        if (indexOf(result, shapeOf(op->getResult(0)), dim) == i)
          elements.insert(element);
    return elements;
  }

  void checkDim(unsigned index, int64_t dim, ArrayRef<Indices> influence) {
    DimMap map = getDimMap(op, index, dim);
    ArrayRef<int64_t> from = shapeOf(op->getOperand(index));
    int64_t size = shapeOf(op->getResult(0))[dim];
    kinds.insert(map.kind);
    if (map.kind == DimMap::Opaque)
      return;
    if (map.kind == DimMap::Broadcast) {
      // At the border, windows leave some of their weights out.
      if (isa<ConvOp, ConvTransposeOp>(op) && index == 1 && dim > 1)
        return;
      for (int64_t i = map.unit; i < size; ++i)
        EXPECT_EQ(findElements(influence, dim, i),
                  findElements(influence, dim, i - map.unit));
      return;
    }
    for (int64_t i = 0; i < size; ++i) {
      Indices said;
      if (map.kind == DimMap::Reduced)
        for (int64_t at = 0; at < from[map.dim]; ++at)
          said.insert(at);
      else
        for (int64_t k = 0; k < map.kernel; ++k)
          if (int64_t at =
                  i / map.unit * map.stride - map.before + k * map.dilation;
              at >= 0 && at < from[map.dim])
            said.insert(at);
      EXPECT_EQ(findNeeded(influence, from, map.dim, dim, i), said)
          << "operand " << index << ", dimension " << dim << ", index " << i;
    }
  }

  /// A part of the result, computed from what the maps say of the operands.
  void checkPart() {
    Shape shape(shapeOf(op->getResult(0)));
    Box box = Box::all(shape);
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      if (pick(0, 2) == 0)
        continue;
      int64_t unit = getCutUnit(op, dim), blocks = shape[dim] / unit;
      box.sizes[dim] = pick(1, blocks) * unit;
      box.offsets[dim] = pick(0, blocks - box.sizes[dim] / unit) * unit;
    }
    SmallVector<Value> operands;
    Operation *old = function.front().getTerminator();
    builder.setInsertionPoint(old);
    for (unsigned index = 0; index < op->getNumOperands(); ++index) {
      std::optional<Box> needed = getOperandBox(op, index, box);
      if (!needed)
        return;
      operands.push_back(
          needed->isEmpty()
              ? Value()
              : createSlice(builder, loc, op->getOperand(index), *needed));
    }
    std::vector<Array> arguments = pickArguments(/*isZeroFirst=*/false);
    Array whole = evaluateOn(arguments);
    Value part = createPart(builder, op, operands, box);
    old->setOperand(0, part);
    function.setFunctionType(builder.getFunctionType(
        function.front().getArgumentTypes(), part.getType()));
    ASSERT_TRUE(succeeded(verify(*module)));
    Array cut = evaluateOn(arguments);
    ASSERT_EQ(ArrayRef<int64_t>(cut.shape), ArrayRef<int64_t>(box.sizes));
    for (size_t i = 0; i < cut.data.size(); ++i) {
      Shape at(shape.size());
      for (size_t dim = 0; dim < shape.size(); ++dim)
        at[dim] = box.offsets[dim] + indexOf(i, cut.shape, dim);
      EXPECT_NEAR(cut.data[i], whole.at(at), 1e-3);
    }
    ++numParts;
  }

  void check(llvm::function_ref<Value()> make, int trials = 12) {
    for (int trial = 0; trial < trials; ++trial) {
      start();
      finish(make());
      std::string text;
      llvm::raw_string_ostream(text) << *op;
      SCOPED_TRACE(text);
      for (unsigned index = 0; index < op->getNumOperands(); ++index) {
        std::vector<Indices> influence = findInfluence(index);
        for (size_t dim = 0; dim < shapeOf(op->getResult(0)).size(); ++dim)
          checkDim(index, dim, influence);
      }
      checkPart();
      if (HasFailure())
        return;
    }
    EXPECT_GT(numParts, 0);
  }

  /// Windows that each see something of an image of `size`.
  struct Window {
    int64_t kernel, stride, dilation, before, behind;
  };
  Window pickWindow(int64_t size) {
    Window window;
    window.kernel = pick(1, 3);
    window.stride = pick(1, 2);
    window.dilation = window.kernel > 1 ? pick(1, 2) : 1;
    int64_t span = (window.kernel - 1) * window.dilation + 1;
    // With gaps, padding could be all that a window sees.
    int64_t most = window.dilation == 1 ? span - 1 : 0;
    window.before = pick(0, most);
    window.behind = pick(0, most);
    if (size + window.before + window.behind < span)
      return pickWindow(size);
    return window;
  }

  std::set<DimMap::Kind> kinds;
  int numParts = 0;
};

TEST_F(DimMapTest, Conv) {
  check([&] {
    int64_t groups = pick(1, 3), in = groups * pick(1, 2),
            out = groups * pick(1, 2);
    Shape image = {pick(1, 2), in, pick(1, 5), pick(1, 5)};
    Window rows = pickWindow(image[2]), columns = pickWindow(image[3]);
    Value input = argument(image);
    Value weight = argument({out, in / groups, rows.kernel, columns.kernel});
    Value bias = flip() ? argument({out}) : Value();
    Value scale = flip() ? argument({out}) : Value();
    return ConvOp::create(
        builder, loc, input, weight, bias, scale,
        builder.getDenseI64ArrayAttr({rows.stride, columns.stride}),
        builder.getDenseI64ArrayAttr(
            {rows.before, rows.behind, columns.before, columns.behind}),
        builder.getDenseI64ArrayAttr({rows.dilation, columns.dilation}),
        builder.getI64IntegerAttr(groups), ActivationAttr());
  });
  EXPECT_TRUE(kinds.count(DimMap::Window) && kinds.count(DimMap::Blocks));
}

TEST_F(DimMapTest, ConvTranspose) {
  check([&] {
    int64_t groups = pick(1, 2), in = groups * pick(1, 2),
            out = groups * pick(1, 2);
    Value input = argument({pick(1, 2), in, pick(1, 3), pick(1, 3)});
    Value weight = argument({in, out / groups, pick(1, 2), pick(1, 2)});
    Value bias = flip() ? argument({out}) : Value();
    return ConvTransposeOp::create(
        builder, loc, input, weight, bias, Value(),
        builder.getDenseI64ArrayAttr({pick(1, 2), pick(1, 2)}),
        builder.getDenseI64ArrayAttr({0, 0, 0, 0}),
        builder.getDenseI64ArrayAttr({1, 1}), builder.getI64IntegerAttr(groups),
        ActivationAttr());
  });
}

TEST_F(DimMapTest, Matmul) {
  check([&] {
    int64_t rank = pick(2, 4), m = pick(1, 3), k = pick(1, 3), n = pick(1, 3);
    Shape batch = pickShape(rank - 2, 3);
    bool lhsTransposed = flip(), rhsTransposed = flip();
    Shape lhs = pickBroadcast(batch), rhs = pickBroadcast(batch);
    lhs.append(lhsTransposed ? Shape{k, m} : Shape{m, k});
    rhs.append(rhsTransposed ? Shape{n, k} : Shape{k, n});
    auto unit = [&](bool is) {
      return is ? builder.getUnitAttr() : UnitAttr();
    };
    Value left = argument(lhs), right = argument(rhs);
    return MatmulOp::create(builder, loc, left, right, unit(lhsTransposed),
                            unit(rhsTransposed), ActivationAttr());
  });
}

TEST_F(DimMapTest, RuntimeConv) {
  check([&] {
    int64_t lanes = pick(1, 3), planes = pick(1, 2), k = pick(1, 3);
    int64_t rows = pick(1, 3);
    Value input = argument({1, k, rows, pick(1, 3)});
    Value planesOf = argument({1, planes, flip() ? rows : 1, k * lanes});
    return RuntimeConvOp::create(builder, loc, input, planesOf,
                                 builder.getI64IntegerAttr(lanes));
  });
}

TEST_F(DimMapTest, Elementwise) {
  check([&] { return makeElementwise(); });
}

TEST_F(DimMapTest, CompareAndSelect) {
  check([&] { return makeCompare(); });
  check([&] { return makeSelect(); });
}

TEST_F(DimMapTest, OneTensor) {
  check([&] {
    Value input = argument(pickShape(pick(1, 4), 3));
    return ActivationOp::create(
        builder, loc, input,
        ActivationAttr::get(&context, ActivationKind::Relu, {}));
  });
  check([&] {
    Value input = argument(pickShape(pick(1, 4), 3));
    return CastOp::create(
        builder, loc,
        RankedTensorType::get(shapeOf(input), builder.getI8Type()), input);
  });
}

TEST_F(DimMapTest, CastsOnTheHostAreWhole) {
  start();
  Value input = argument({2, 3});
  finish(CastOp::create(builder, loc,
                        RankedTensorType::get({2, 3}, builder.getF32Type()),
                        input));
  EXPECT_EQ(getDimMap(op, 0, 0).kind, DimMap::Opaque);
}

TEST_F(DimMapTest, Attention) {
  check([&] { return makeAttention(); }, /*trials=*/40);
  EXPECT_TRUE(kinds.count(DimMap::Blocks));
}

TEST_F(DimMapTest, Norms) {
  check([&] { return makeSoftmax(); });
  check([&] { return makeNorm(); });
  EXPECT_TRUE(kinds.count(DimMap::Reduced));
}

TEST_F(DimMapTest, Pool) {
  check([&] {
    Shape image = {pick(1, 2), pick(1, 2), pick(1, 5), pick(1, 5)};
    Window rows = pickWindow(image[2]), columns = pickWindow(image[3]);
    while (rows.dilation > 1)
      rows = pickWindow(image[2]);
    while (columns.dilation > 1)
      columns = pickWindow(image[3]);
    Value input = argument(image);
    bool isMax = flip();
    return PoolOp::create(
        builder, loc,
        PoolKindAttr::get(&context, isMax ? PoolKind::Max : PoolKind::Average),
        input, builder.getDenseI64ArrayAttr({rows.kernel, columns.kernel}),
        builder.getDenseI64ArrayAttr({rows.stride, columns.stride}),
        builder.getDenseI64ArrayAttr(
            {rows.before, rows.behind, columns.before, columns.behind}),
        !isMax && flip() ? builder.getUnitAttr() : UnitAttr());
  });
}

TEST_F(DimMapTest, Reduce) {
  check([&] { return makeReduce(); });
}

TEST_F(DimMapTest, Concat) {
  check([&] { return makeConcat(); });
  EXPECT_TRUE(kinds.count(DimMap::Segment));
}

TEST_F(DimMapTest, Slice) {
  check([&] { return makeSlice(); });
}

TEST_F(DimMapTest, Pad) {
  check([&] { return makePad(); });
}

TEST_F(DimMapTest, Repetition) {
  check([&] { return makeTile(); });
}

TEST_F(DimMapTest, Movements) {
  check([&] {
    int64_t factor = pick(1, 3);
    Value input =
        argument({pick(1, 2), factor * pick(1, 2), pick(1, 2), pick(1, 3)});
    return InterleaveOp::create(builder, loc, input,
                                builder.getI64IntegerAttr(factor));
  });
  check([&] {
    Value input = argument(pickShape(pick(1, 4), 3));
    Shape perm = pickPerm(shapeOf(input).size());
    return TransposeOp::create(builder, loc, input,
                               builder.getDenseI64ArrayAttr(perm));
  });
  EXPECT_TRUE(kinds.count(DimMap::Blocks));
}

TEST_F(DimMapTest, Reshape) {
  check(
      [&] {
        // Factors of both shapes, which may have them in other dimensions.
        Shape factors = pickShape(4, 3), from = {1}, to = {1};
        for (int64_t factor : factors)
          for (Shape *shape : {&from, &to}) {
            if (flip())
              shape->push_back(factor);
            else
              shape->back() *= factor;
          }
        Value input = argument(from);
        return ReshapeOp::create(builder, loc, tensor(to), input);
      },
      /*trials=*/100);
  EXPECT_TRUE(kinds.count(DimMap::Blocks));
}

TEST_F(DimMapTest, Resize) {
  check([&] {
    Shape shape = pickShape(4, 2);
    Value input = argument(shape);
    shape[2] *= 2;
    shape[3] *= 3;
    return ResizeOp::create(builder, loc, tensor(shape), ResizeMode::Nearest,
                            input);
  });
  EXPECT_TRUE(kinds.count(DimMap::Opaque));
}

} // namespace
