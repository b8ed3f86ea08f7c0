//===- Image.cpp - Resampling, and blocks between depth and space ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

//===----------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------===//

// Where the points of the result lie on the grid of the input, by the names
// that coremltools documents.
static bool computeGrid(StringRef mode, int64_t in, int64_t out,
                        std::vector<double> &grid) {
  double x = in, y = out;
  for (int64_t i = 0; i < out; ++i) {
    double place;
    if (mode == "STRICT_ALIGN_CORNERS" || mode == "ALIGN_CORNERS")
      place = out > 1 ? i * (x - 1) / (y - 1)
                      : (mode == "ALIGN_CORNERS" ? (x - 1) / 2 : 0);
    else if (mode == "DEFAULT")
      place = out > 1 ? i * (x - x / y) / (y - 1) : 0;
    else if (mode == "OFFSET_CORNERS")
      place = (i + 0.5) * std::max(1.0, x - 1) / y;
    else if (mode == "UNALIGN_CORNERS")
      place = (i + 0.5) * x / y - 0.5;
    else
      return false;
    grid.push_back(std::clamp(place, 0.0, x - 1));
  }
  return true;
}

// The dimension is replaced by the points of the grid, linearly between two
// neighbours.
static Tensor interpolate(const Tensor &x, int64_t dim, ArrayRef<double> grid) {
  Shape shape = x.shape;
  shape[dim] = grid.size();
  Tensor result(x.element, shape);
  Shape strides = stridesOf(x.shape);
  forEachIndex(shape, [&](ArrayRef<int64_t> index, int64_t position) {
    double place = grid[index[dim]];
    int64_t low = static_cast<int64_t>(place);
    int64_t high = std::min(low + 1, x.shape[dim] - 1);
    double weight = place - low;
    Shape from(index);
    from[dim] = low;
    double a = x.data[dot(from, strides)];
    from[dim] = high;
    double b = x.data[dot(from, strides)];
    result.data[position] = a + (b - a) * weight;
  });
  return result;
}

static LogicalResult checkTarget(Call &call, const Tensor &x, int64_t rank,
                                 ArrayRef<int64_t> target) {
  Shape shape = x.shape;
  if (x.rank() < rank)
    return call.fail("x has rank " + Twine(x.rank()) + ", expected at least " +
                     Twine(rank));
  llvm::copy(target, shape.end() - target.size());
  if (countElements(shape) < 1 || x.data.empty())
    return call.fail("cannot resize " + shapeText(x.shape) + " to " +
                     shapeText(shape));
  return success();
}

// The last dimensions, one after the other.
static LogicalResult resizeLinear(Call &call, ArrayRef<int64_t> target,
                                  StringRef mode) {
  Tensor x = call["x"];
  if (call.failed() || failed(checkTarget(call, x, target.size(), target)))
    return failure();
  for (auto [i, extent] : llvm::enumerate(target)) {
    int64_t dim = x.rank() - target.size() + i;
    std::vector<double> grid;
    if (!computeGrid(mode, x.shape[dim], extent, grid))
      return call.fail("sampling_mode is '" + mode +
                       "', expected DEFAULT, STRICT_ALIGN_CORNERS, "
                       "ALIGN_CORNERS, UNALIGN_CORNERS or OFFSET_CORNERS");
    x = interpolate(x, dim, grid);
  }
  return call.yield(std::move(x));
}

// The point whose cell the grid point lies in, or that of the middle of its own
// cell: floor((i + 1/2) * in / out). Tests of coremltools have both.
static LogicalResult resizeNearest(Call &call, ArrayRef<int64_t> target,
                                   bool isCentred) {
  const Tensor &x = call["x"];
  if (call.failed() || failed(checkTarget(call, x, target.size(), target)))
    return failure();
  Shape shape = x.shape, strides = stridesOf(x.shape);
  llvm::copy(target, shape.end() - target.size());
  return yieldMoved(call, x, shape, [&](ArrayRef<int64_t> index) {
    int64_t place = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      bool inMiddle = isCentred && shape[d] > 1;
      place +=
          (2 * index[d] + inMiddle) * x.shape[d] / (2 * shape[d]) * strides[d];
    }
    return place;
  });
}

static Shape upsampledExtents(Call &call) {
  const Tensor &x = call["x"];
  // Products of f32, as the factors.
  float rows = call.number("scale_factor_height", 1);
  float columns = call.number("scale_factor_width", 1);
  if (x.rank() < 3 ||
      !(rows > 0 && columns > 0 && rows < 1e6 && columns < 1e6)) {
    (void)call.fail("x is " + shapeText(x.shape) +
                    ", or a scale is not positive");
    return {1, 1};
  }
  return {int64_t(std::floor(x.shape[x.rank() - 2] * rows)),
          int64_t(std::floor(x.shape[x.rank() - 1] * columns))};
}

static LogicalResult evalUpsampleBilinear(Call &call) {
  Shape target = upsampledExtents(call);
  bool align = call.flag("align_corners", true);
  bool halfPixel = call.flag("half_pixel_centers", !align);
  return resizeLinear(call, target,
                      align       ? "STRICT_ALIGN_CORNERS"
                      : halfPixel ? "UNALIGN_CORNERS"
                                  : "DEFAULT");
}

static LogicalResult evalResizeBilinear(Call &call) {
  Shape target{call.integer("target_size_height", 1),
               call.integer("target_size_width", 1)};
  return resizeLinear(call, target, call.text("sampling_mode", "DEFAULT"));
}

static LogicalResult evalResizeNearest(Call &call) {
  return resizeNearest(call,
                       {call.integer("target_size_height", 1),
                        call.integer("target_size_width", 1)},
                       /*isCentred=*/true);
}

// iOS 17: the last `resized_dims` dimensions; an extent of 0 stays.
static LogicalResult evalResize(Call &call) {
  const Tensor &x = call["x"];
  Shape shape = call.integers("shape", {});
  int64_t count = call.integer("resized_dims", shape.size());
  StringRef kind = call.text("interpolation_mode", "LINEAR");
  StringRef mode = call.text("sampling_mode", "DEFAULT");
  if (count < 1 || count > int64_t(shape.size()) || count > x.rank())
    return call.fail("resized_dims is " + Twine(count) + " for a shape of " +
                     Twine(shape.size()) + " extents");
  Shape target(ArrayRef<int64_t>(shape).take_back(count));
  for (auto [i, extent] : llvm::enumerate(target))
    if (extent == 0)
      extent = x.shape[x.rank() - count + i];
  if (kind == "LINEAR")
    return resizeLinear(call, target, mode);
  if (kind == "NEAREST_NEIGHBOR" && mode == "DEFAULT")
    return resizeNearest(call, target, /*isCentred=*/true);
  return call.fail("interpolation '" + kind + "' with sampling '" + mode +
                   "' is not evaluated");
}

//===----------------------------------------------------------------------===//
// Depth and space
//===----------------------------------------------------------------------===//

static LogicalResult fitsBlocks(Call &call, bool fits, int64_t block) {
  const Tensor &x = call["x"];
  if (call.failed())
    return failure();
  if (x.rank() != 4 || block < 1 || !fits)
    return call.fail("x is " + shapeText(x.shape) +
                     ", which does not divide into blocks of " + Twine(block));
  return success();
}

// Channels of the deep tensor: `blockFirst` says whether the place in the block
// or the channel varies slower.
static LogicalResult depthToSpace(Call &call, int64_t f, bool blockFirst) {
  const Tensor &x = call["x"];
  if (failed(fitsBlocks(
          call, x.rank() == 4 && f > 0 && x.shape[1] % (f * f) == 0, f)))
    return failure();
  int64_t channels = x.shape[1] / (f * f);
  Shape strides = stridesOf(x.shape);
  Shape shape{x.shape[0], channels, x.shape[2] * f, x.shape[3] * f};
  return yieldMoved(call, x, shape, [&](ArrayRef<int64_t> i) {
    int64_t place = i[2] % f * f + i[3] % f;
    int64_t c = blockFirst ? place * channels + i[1] : i[1] * f * f + place;
    return dot({i[0], c, i[2] / f, i[3] / f}, strides);
  });
}

static LogicalResult spaceToDepth(Call &call, int64_t f, bool blockFirst) {
  const Tensor &x = call["x"];
  if (failed(fitsBlocks(call,
                        x.rank() == 4 && f > 0 && x.shape[2] % f == 0 &&
                            x.shape[3] % f == 0,
                        f)))
    return failure();
  int64_t channels = x.shape[1];
  Shape strides = stridesOf(x.shape);
  Shape shape{x.shape[0], channels * f * f, x.shape[2] / f, x.shape[3] / f};
  return yieldMoved(call, x, shape, [&](ArrayRef<int64_t> i) {
    int64_t c = blockFirst ? i[1] % channels : i[1] / (f * f);
    int64_t place = blockFirst ? i[1] / channels : i[1] % (f * f);
    return dot({i[0], c, i[2] * f + place / f, i[3] * f + place % f}, strides);
  });
}

// The batch is a grid of blocks, slowest, over the images.
static LogicalResult evalSpaceToBatch(Call &call) {
  const Tensor &x = call["x"];
  Shape block = call.integers("block_shape", {});
  const Tensor &pads = call["paddings"];
  if (x.rank() != 4 || block.size() != 2 || pads.size() != 4 ||
      llvm::any_of(block, [](int64_t b) { return b < 1; }))
    return call.fail("x is " + shapeText(x.shape) +
                     ", expected rank 4 with two blocks and their paddings");
  int64_t rows = x.shape[2] + pads.data[0] + pads.data[1];
  int64_t columns = x.shape[3] + pads.data[2] + pads.data[3];
  if (rows % block[0] || columns % block[1])
    return call.fail("padded input of " + Twine(rows) + "x" + Twine(columns) +
                     " does not divide into blocks of " + shapeText(block));
  Shape strides = stridesOf(x.shape);
  int64_t images = x.shape[0], top = pads.data[0], left = pads.data[2];
  Shape shape{images * block[0] * block[1], x.shape[1], rows / block[0],
              columns / block[1]};
  return yieldMoved(call, x, shape, [&](ArrayRef<int64_t> i) {
    int64_t place = i[0] / images;
    int64_t row = i[2] * block[0] + place / block[1] - top;
    int64_t column = i[3] * block[1] + place % block[1] - left;
    if (row < 0 || row >= x.shape[2] || column < 0 || column >= x.shape[3])
      return int64_t(-1);
    return dot({i[0] % images, i[1], row, column}, strides);
  });
}

static LogicalResult evalBatchToSpace(Call &call) {
  const Tensor &x = call["x"];
  Shape block = call.integers("block_shape", {});
  const Tensor &crops = call["crops"];
  if (x.rank() != 4 || block.size() != 2 || crops.size() != 4 ||
      llvm::any_of(block, [](int64_t b) { return b < 1; }) ||
      x.shape[0] % (block[0] * block[1]))
    return call.fail("x is " + shapeText(x.shape) +
                     ", expected rank 4 and a batch of whole blocks");
  int64_t images = x.shape[0] / (block[0] * block[1]);
  int64_t top = crops.data[0], left = crops.data[2];
  Shape strides = stridesOf(x.shape);
  Shape shape{images, x.shape[1],
              x.shape[2] * block[0] - top - int64_t(crops.data[1]),
              x.shape[3] * block[1] - left - int64_t(crops.data[3])};
  if (top < 0 || left < 0 || crops.data[1] < 0 || crops.data[3] < 0)
    return call.fail("crops are negative");
  return yieldMoved(call, x, shape, [&](ArrayRef<int64_t> i) {
    int64_t row = i[2] + top, column = i[3] + left;
    int64_t place = row % block[0] * block[1] + column % block[1];
    return dot({place * images + i[0], i[1], row / block[0], column / block[1]},
               strides);
  });
}

// Pixel by pixel: ... 2 1 | 0 1 2 ... with corners aligned, else ... 1 0 | 0 1
// ...
static double reflect(double place, int64_t size, bool align) {
  int64_t period = align ? 2 * size - 2 : 2 * size;
  if (period == 0)
    return 0;
  int64_t turned = int64_t(place) % period;
  turned = turned < 0 ? turned + period : turned;
  return turned < size ? turned : period - turned - (align ? 0 : 1);
}

// grid_sample of PyTorch, of which exporters make it: column, then row.
static LogicalResult sampleAt(Call &call, const Tensor &grid) {
  const Tensor &x = call["x"];
  StringRef mode = call.text("coordinates_mode", "unnormalized");
  StringRef padding = call.text("padding_mode", "constant");
  bool nearest = call.text("sampling_mode", "bilinear") == "nearest";
  bool align = call.flag("align_corners", false);
  double around = call.number("padding_value", 0);
  if (call.failed() || x.rank() != 4 || grid.rank() != 4 ||
      grid.shape[3] != 2 || grid.shape[0] != x.shape[0] ||
      !llvm::is_contained({"constant", "border", "reflection", "symmetric"},
                          padding))
    return call.fail("x is " + shapeText(x.shape) + ", coordinates " +
                     shapeText(grid.shape) + ", padding_mode '" + padding +
                     "'");
  auto pixels = [&](double c, double size) {
    c = std::clamp(c, -0x1p22, 0x1p22); // infinities are far away
    if (mode == "normalized_minus_one_to_one")
      c = (c + 1) / 2;
    if (mode != "unnormalized")
      c = align ? c * (size - 1) : c * size - 0.5;
    return padding == "border" ? std::clamp(c, 0.0, size - 1) : c;
  };
  Shape strides = stridesOf(x.shape), places = stridesOf(grid.shape);
  FailureOr<Tensor> result =
      call.make({x.shape[0], x.shape[1], grid.shape[1], grid.shape[2]});
  if (failed(result))
    return failure();
  forEachIndex(result->shape, [&](ArrayRef<int64_t> index, int64_t position) {
    const double *c =
        &grid.data[dot({index[0], index[2], index[3], 0}, places)];
    double column = pixels(c[0], x.shape[3]), row = pixels(c[1], x.shape[2]);
    auto at = [&](double i, double j) {
      if (padding == "reflection" || padding == "symmetric") {
        bool turnsAtCentres = align && padding == "reflection";
        i = reflect(i, x.shape[2], turnsAtCentres);
        j = reflect(j, x.shape[3], turnsAtCentres);
      }
      bool inside =
          i >= 0 && j >= 0 && i <= x.shape[2] - 1 && j <= x.shape[3] - 1;
      return inside ? x.data[dot({index[0], index[1], int64_t(i), int64_t(j)},
                                 strides)]
                    : around;
    };
    if (nearest) {
      result->data[position] = at(std::nearbyint(row), std::nearbyint(column));
      return;
    }
    double i = std::floor(row), j = std::floor(column);
    double v = row - i, u = column - j;
    result->data[position] =
        (1 - v) * ((1 - u) * at(i, j) + u * at(i, j + 1)) +
        v * ((1 - u) * at(i + 1, j) + u * at(i + 1, j + 1));
  });
  return call.yield(std::move(*result));
}

static LogicalResult evalResample(Call &call) {
  return sampleAt(call, call["coordinates"]);
}

static LogicalResult evalAffine(Call &call) {
  const Tensor &x = call["x"], &matrix = call["transform_matrix"];
  int64_t height = call.integer("output_height", 0);
  int64_t width = call.integer("output_width", 0);
  bool align = call.flag("align_corners", false);
  StringRef mode = call.text("coordinates_mode", "");
  if (call.failed() || x.rank() != 4 || height < 1 || width < 1 ||
      matrix.shape != Shape({x.shape[0], 6}) ||
      mode != "normalized_minus_one_to_one")
    return call.fail("x is " + shapeText(x.shape) + ", transform_matrix " +
                     shapeText(matrix.shape) + ", coordinates_mode '" + mode +
                     "'");
  auto place = [&](int64_t i, double count) {
    double centre = (2 * i + 1) / count - 1;
    return !align ? centre : count > 1 ? 2 * i / (count - 1) - 1 : 0;
  };
  FailureOr<Tensor> grid = call.make({x.shape[0], height, width, 2});
  if (failed(grid))
    return failure();
  forEachIndex(grid->shape, [&](ArrayRef<int64_t> index, int64_t position) {
    const double *a = &matrix.data[index[0] * 6 + index[3] * 3];
    grid->data[position] =
        a[0] * place(index[2], width) + a[1] * place(index[1], height) + a[2];
  });
  return sampleAt(call, *grid);
}

static double boxPlace(double first, double last, double i, double targets,
                       bool offset) {
  if (offset)
    return first + (i + 0.5) * std::max(1.0, last - first) / targets;
  return targets == 1 ? (first + last) / 2
                      : first + i * (last - first) / (targets - 1);
}

// crop_and_resize of TensorFlow: a sample outside of the image is one value.
static LogicalResult evalCropResize(Call &call) {
  const Tensor &x = call["x"];
  bool flat = call.has("boxes");
  const Tensor &boxes = call[flat ? "boxes" : "roi"];
  int64_t height = call.integer("target_height", 1);
  int64_t width = call.integer("target_width", 1);
  bool normalized = call.flag("normalized_coordinates", false);
  double scale = call.number("spatial_scale", 1);
  double around = call.number("pad_value", 0);
  StringRef mode = call.text("sampling_mode", "DEFAULT");
  StringRef corners = call.text("box_coordinate_mode", "CONRNERS_HEIGHT_FIRST");
  bool widthFirst = corners == "CORNERS_WIDTH_FIRST";
  if (call.failed() || x.rank() != 4 || boxes.rank() != (flat ? 2 : 5) ||
      (!mode.ends_with("ALIGN_CORNERS") && mode != "OFFSET_CORNERS") ||
      (!widthFirst && !corners.ends_with("NERS_HEIGHT_FIRST")))
    return call.fail("x is " + shapeText(x.shape) + ", boxes " +
                     shapeText(boxes.shape) + ", sampling_mode '" + mode + "'");
  int64_t count = boxes.shape[0], fields = boxes.shape[flat ? 1 : 2];
  Shape shape = {count};
  if (!flat)
    shape.push_back(fields == 4 ? x.shape[0] : 1);
  shape.append({x.shape[1], height, width});
  bool offset = mode == "OFFSET_CORNERS";
  auto grid = [&](double first, double last, double size, double i,
                  double targets) {
    double factor = scale * (normalized ? size - 1 : 1);
    return boxPlace(first * factor, last * factor, i, targets, offset);
  };
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  Shape strides = stridesOf(x.shape);
  forEachIndex(shape, [&](ArrayRef<int64_t> index, int64_t position) {
    int64_t rank = index.size(), which = index[0];
    const double *box = &boxes.data[which * fields];
    int64_t image = flat ? which : fields == 4 ? index[1] : int64_t(box[0]);
    if (flat && call.has("box_indices"))
      image = int64_t(call["box_indices"].data[which]);
    const double *corner = box + fields - 4;
    double row = grid(corner[widthFirst], corner[2 + widthFirst], x.shape[2],
                      index[rank - 2], height);
    double column = grid(corner[!widthFirst], corner[2 + !widthFirst],
                         x.shape[3], index[rank - 1], width);
    double &y = result->data[position];
    y = around;
    if (row < 0 || column < 0 || row > x.shape[2] - 1 ||
        column > x.shape[3] - 1)
      return;
    auto at = [&](double i, double j) {
      int64_t r = std::min<int64_t>(i, x.shape[2] - 1);
      int64_t c = std::min<int64_t>(j, x.shape[3] - 1);
      return x.data[dot({image, index[rank - 3], r, c}, strides)];
    };
    double i = std::floor(row), j = std::floor(column);
    double v = row - i, u = column - j;
    y = (1 - v) * ((1 - u) * at(i, j) + u * at(i, j + 1)) +
        v * ((1 - u) * at(i + 1, j) + u * at(i + 1, j + 1));
  });
  return call.yield(std::move(*result));
}

void mileval::addImageOps(OpTable &table) {
  table.add("affine", "x transform_matrix", evalAffine);
  table.add("crop_resize", "x", evalCropResize);
  table.add("resample", "x coordinates", evalResample);
  table.add("upsample_bilinear", "x", evalUpsampleBilinear);
  table.add("upsample_nearest_neighbor", "x", [](Call &call) {
    return resizeNearest(call, upsampledExtents(call), /*isCentred=*/false);
  });
  table.add("resize_bilinear", "x", evalResizeBilinear);
  table.add("resize_nearest_neighbor", "x target_size_height target_size_width",
            evalResizeNearest);
  table.add("resize", "x shape", evalResize);
  // As PyTorch orders them: channel, then place.
  table.add("pixel_shuffle", "x upscale_factor", [](Call &call) {
    return depthToSpace(call, call.integer("upscale_factor", 1), false);
  });
  table.add("pixel_unshuffle", "x downscale_factor", [](Call &call) {
    return spaceToDepth(call, call.integer("downscale_factor", 1), false);
  });
  // Place, then channel (*guess*: the order of TensorFlow).
  table.add("depth_to_space", "x block_size", [](Call &call) {
    return depthToSpace(call, call.integer("block_size", 1), true);
  });
  table.add("space_to_depth", "x block_size", [](Call &call) {
    return spaceToDepth(call, call.integer("block_size", 1), true);
  });
  table.add("space_to_batch", "x block_shape paddings", evalSpaceToBatch);
  table.add("batch_to_space", "x block_shape crops", evalBatchToSpace);
}
