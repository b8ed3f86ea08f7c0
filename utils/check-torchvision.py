#!/usr/bin/python3
"""Export networks of torchvision to ONNX, compile them whole, and compare the simulator with torch.

  check-torchvision.py [--bin DIR] [--folder DIR] [--opset N] [--mode exact|fast]
                       [--accuracy-goal balanced|best] [--coremltools DIR] [--table FILE] [NAME...]

A NAME is a function of torchvision.models, `segmentation.fcn_resnet50` for example; of a detector
(`detection.NAME`) backbone and head are compared, not the choice of boxes. Weights are random; the
statistics of batch norms are those of four random images, so that values stay in range.

Prints for each network the seconds of compiling, the cosine of both results, the largest error as a
part of the largest number, and as a multiple of the error that the network has in torch when all
weights and all results of operations are rounded to float16. Fails where one does not compile, where
that multiple is above 1.5 with --accuracy-goal=best and above 4 without, and where the cosine is below
0.998 without float16 being the reason.

--coremltools=DIR takes the same network a second way: coremltools, of which DIR is a clone or the folder
where it is installed, converts it to a Core ML package. That is compiled, run and compared as well, and it
is a failure if the engine does more or fewer multiplications in it or its predicted time is off by over 3 %.
--table writes that comparison as Markdown. Needs what coremltools needs (Debian: python3-sympy,
python3-protobuf, python3-attr, python3-cattr, python3-tqdm, python3-packaging, python3-yaml).

Needs torch, torchvision and numpy (Debian: python3-torch, python3-torchvision).
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
import torchvision
from torch.utils._python_dispatch import TorchDispatchMode

import coremltools_storage

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ("alexnet convnext_tiny densenet121 efficientnet_b0 efficientnet_v2_s googlenet inception_v3 maxvit_t mnasnet1_0 "
         "mobilenet_v2 mobilenet_v3_large regnet_y_400mf resnet18 resnet50 resnext50_32x4d shufflenet_v2_x1_0 "
         "squeezenet1_1 swin_t swin_v2_t vgg16 vit_b_16 wide_resnet50_2 "
         "segmentation.deeplabv3_mobilenet_v3_large segmentation.deeplabv3_resnet50 segmentation.fcn_resnet50 "
         "segmentation.lraspp_mobilenet_v3_large "
         "video.mc3_18 video.mvit_v1_b video.mvit_v2_s video.r2plus1d_18 video.r3d_18 video.s3d "
         "detection.fcos_resnet50_fpn detection.retinanet_resnet50_fpn detection.ssd300_vgg16 "
         "detection.ssdlite320_mobilenet_v3_large").split()
# The images of networks that take one size alone; a video has as many frames.
SIZES = {"inception_v3": (3, 299, 299), "detection.ssd300_vgg16": (3, 300, 300),
         "detection.ssdlite320_mobilenet_v3_large": (3, 320, 320), "video.mvit_v1_b": (3, 16, 224, 224),
         "video.mvit_v2_s": (3, 16, 224, 224), "video.s3d": (3, 16, 224, 224)}

# Of the error of float16. A table of gelu is further from it than that.
LIMITS = {"balanced": 4, "best": 1.5}


class OneOutput(torch.nn.Module):
    """A network whose only result is a tensor: of several, one after the other."""

    def __init__(self, network, is_detector):
        super().__init__()
        self.network, self.is_detector = network, is_detector

    def forward(self, x):
        if not self.is_detector:
            result = self.network(x)
            return result["out"] if isinstance(result, dict) else result
        features = list(self.network.backbone(x).values())
        return torch.cat([part.flatten(1) for part in self.network.head(features).values()], 1)


def export(name, path, options):
    """Writes the model, or both; the input, and what torch makes of it."""
    torch.manual_seed(0)
    more = {"init_weights": False, "aux_logits": False} if name in ("googlenet", "inception_v3") else {}
    package, _, function = name.rpartition(".")
    if package:
        more["weights_backbone"] = None
    if package == "video":
        more = {}
    models = getattr(torchvision.models, package) if package else torchvision.models
    network = OneOutput(getattr(models, function)(weights=None, **more), package == "detection")
    shape = SIZES.get(name, (3, 8, 112, 112) if package == "video" else (3, 224, 224))
    image = torch.randn(1, *shape)
    norms = [module for module in network.modules() if isinstance(module, torch.nn.modules.batchnorm._BatchNorm)]
    network.eval()
    with torch.no_grad():
        if norms:
            for norm in norms:
                norm.train()
                norm.momentum = None
            network(torch.randn(4, *shape))
        for weight in network.parameters():
            if weight.dim() > 1 and not weight.any():
                torch.nn.init.normal_(weight, std=0.02)
        network.eval()
        want = network(image)
    torch.Tensor.zero_, torch.tensor_split = zero_by_copy, split_by_slices
    torch.onnx.export(network, image, path + ".onnx", input_names=["x"], output_names=["y"], opset_version=options.opset)
    if options.coremltools:
        try:
            convert(network, image, path + ".mlpackage")
        except (NotImplementedError, ValueError, RuntimeError) as error:
            print(f"{name}: coremltools: {str(error).strip().splitlines()[-1]}", flush=True)
    return image.numpy(), want.numpy(), rounded(network, image).numpy()


def adaptive_avg_pool3d(context, node):
    """To one element, as networks of videos have it, for coremltools."""
    from coremltools.converters.mil.mil import Builder
    x, size = (context[name] for name in node.inputs[:2])
    if any(each != 1 for each in np.ravel(size.val)):
        raise NotImplementedError("adaptive_avg_pool3d to more than one element")
    context.add(Builder.reduce_mean(x=x, axes=[-3, -2, -1], keep_dims=True, name=node.name))


def convert(network, image, path):
    """Writes the package that Core ML's public converter makes, with the inputs and outputs of ONNX: f32."""
    import coremltools
    from coremltools.converters.mil import register_torch_op
    from coremltools.converters.mil.frontend.torch.ops import transpose
    shutil.rmtree(path, ignore_errors=True)
    # What the converter does not know: another name, and the mean of a volume.
    register_torch_op(torch_alias=["swapaxes"], override=True)(transpose)
    register_torch_op(override=True)(adaptive_avg_pool3d)
    # With gradients attention is taken apart, as for ONNX.
    traced = torch.jit.trace(network, image, check_trace=False)
    coremltools.convert(traced, inputs=[coremltools.TensorType(name="x", shape=image.shape, dtype=np.float32)],
                        outputs=[coremltools.TensorType(name="y", dtype=np.float32)], convert_to="mlprogram",
                        minimum_deployment_target=coremltools.target.iOS18, skip_model_load=True).save(path)


def zero_by_copy(tensor):
    """Tensor.zero_ in words that exporters know, also of a slice: what they make of zero_ is lost or an error."""
    return tensor.copy_(torch.zeros_like(tensor))


def split_by_slices(tensor, indices, dim=0):
    """torch.tensor_split at places: of it, torch 1.13 makes a loop that fills a sequence."""
    edges = [0, *indices, tensor.shape[dim]]
    return [tensor.narrow(dim, low, high - low) for low, high in zip(edges, edges[1:])]


class RoundToHalf(TorchDispatchMode):
    """Rounds the result of every operation to float16, where it is."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for part in result if isinstance(result, (tuple, list)) else [result]:
            # An expanded one has its elements at the same place several times.
            if isinstance(part, torch.Tensor) and part.dtype == torch.float32 and "expand" not in str(func):
                part.copy_(part.half().float())
        return result


def rounded(network, image):
    """The result with every weight and every value rounded to float16."""
    with torch.no_grad():
        for weight in network.parameters():
            weight.data = weight.half().float()
        image = image.half().float()
        with RoundToHalf():
            return network(image)


def cosine_of(a, b):
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


class Run:
    """A model of one format: compiled, run, and compared with torch."""

    def __init__(self, path, extension, want, half, options):
        start = time.monotonic()
        program = path + extension + ".hwx"
        done = subprocess.run([os.path.join(options.bin, "ane-compile"), path + extension, "-o", program,
                               "--accuracy-goal=" + options.accuracy_goal],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.seconds = time.monotonic() - start
        if done.returncode:
            raise RuntimeError(done.stderr.strip().split("\n")[0])
        subprocess.run([os.path.join(options.bin, "ane-run"), program, "--mode=" + options.mode, "--input",
                        path + ".x.npy", "--output", path + ".y.npy", "--stats=" + path + ".json"], check=True,
                       stderr=subprocess.DEVNULL)
        with open(path + ".json", encoding="utf-8") as file:
            stats = json.load(file)
        self.macs, self.ms = stats["macs"], stats["predicted_ms"]
        got, want, half = (array.astype(np.float64).ravel() for array in (np.load(path + ".y.npy"), want, half))
        self.cosine, self.cosine_of_half = cosine_of(got, want), cosine_of(half, want)
        self.error = np.abs(got - want).max() / np.abs(want).max()
        self.ratio = np.abs(got - want).max() / np.abs(half - want).max()

    def describe(self):
        return (f"{self.seconds:.1f} s, cosine {self.cosine:.6f}, largest error {self.error:.4f}, {self.ratio:.2f} of "
                "that of float16")

    def is_right(self, options):
        return (self.cosine >= 0.998 or self.ratio <= 1.1) and self.ratio <= LIMITS[options.accuracy_goal]


def check(name, path, options):
    """Prints how the network fares, and returns whether that is well, and its row of the table."""
    try:
        image, want, half = export(name, path, options)
    except torch.onnx.errors.UnsupportedOperatorError as error:
        why = str(error).split(" is not supported")[0]
        print(f"{name}: torch.onnx: {why} is not supported", flush=True)
        return True, f"| {name} | not exported: {why} | | | | | | |"
    np.save(path + ".x.npy", image)
    runs = {}
    for extension in (".onnx", ".mlpackage") if os.path.exists(path + ".mlpackage") else (".onnx",):
        try:
            runs[extension] = Run(path, extension, want, half, options)
        except RuntimeError as error:
            print(f"{name}{extension}: {error}", flush=True)
            return False, f"| {name} | {error} | | | | | | |"
        print(f"{name}{extension if options.coremltools else ''}: {runs[extension].describe()}", flush=True)
    right = all(run.is_right(options) for run in runs.values())
    if len(runs) == 1:
        ours = runs[".onnx"]
        return right, (f"| {name} | {ours.macs:,} | {ours.ms:.3f} | not converted | | {ours.cosine:.6f} | | "
                       f"{ours.cosine_of_half:.6f} |")
    ours, theirs = runs.values()
    same = ours.macs == theirs.macs and abs(ours.ms / theirs.ms - 1) <= 0.03
    if not same:
        print(f"{name}: {ours.macs} and {theirs.macs} multiplications, {ours.ms:.3f} and {theirs.ms:.3f} ms", flush=True)
    macs = f"{ours.macs:,}" if ours.macs == theirs.macs else f"{ours.macs:,}, package {theirs.macs:,}"
    return right and same, (f"| {name} | {macs} | {ours.ms:.3f} | {theirs.ms:.3f} | {ours.ms / theirs.ms:.3f} | "
                            f"{ours.cosine:.6f} | {theirs.cosine:.6f} | {ours.cosine_of_half:.6f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(HERE), "build", "bin"))
    parser.add_argument("--folder", help="where models and results are kept")
    parser.add_argument("--opset", type=int, default=16)
    parser.add_argument("--mode", default="fast", choices=("exact", "fast"))
    parser.add_argument("--accuracy-goal", default="balanced", choices=LIMITS)
    parser.add_argument("--coremltools", metavar="DIR", help="compare with packages that this coremltools writes")
    parser.add_argument("--table", metavar="FILE", help="write the comparison as a table")
    options = parser.parse_args()
    if options.coremltools:
        sys.path.insert(0, options.coremltools)
        coremltools_storage.install()
    failed, rows = False, []
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        for name in options.names:
            right, row = check(name, os.path.join(folder, name), options)
            failed |= not right
            rows.append(row)
            if options.table:
                with open(options.table, "w", encoding="utf-8") as file:
                    print("| network | MACs | ONNX, ms | package, ms | ratio | cosine, ONNX | cosine, package | cosine of float16 |\n"
                          + "|---" * 8 + "|", *rows, sep="\n", file=file)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
