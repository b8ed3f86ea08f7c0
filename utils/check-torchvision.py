#!/usr/bin/python3
"""Export networks of torchvision to ONNX, compile them whole, and compare the simulator with torch.

  check-torchvision.py [--bin DIR] [--folder DIR] [--opset N] [--mode exact|fast]
                       [--accuracy-goal balanced|best] [NAME...]

A NAME is a function of torchvision.models, `segmentation.fcn_resnet50` for example; of a detector
(`detection.NAME`) backbone and head are compared, not the choice of boxes. Weights are random; the
statistics of batch norms are those of four random images, so that values stay in range.

Prints for each network the seconds of compiling, the cosine of both results, the largest error as a
part of the largest number, and as a multiple of the error that the network has in torch when all
weights and all results of operations are rounded to float16. Fails where one does not compile, where
that multiple is above 1.5 with --accuracy-goal=best and above 4 without, and where the cosine is below
0.998 without float16 being the reason.
Needs torch, torchvision and numpy (Debian: python3-torch, python3-torchvision).
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
import torchvision
from torch.utils._python_dispatch import TorchDispatchMode

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ("resnet18 resnet50 mobilenet_v2 mobilenet_v3_large efficientnet_b0 efficientnet_v2_s squeezenet1_1 densenet121 "
         "shufflenet_v2_x1_0 mnasnet1_0 googlenet inception_v3 alexnet regnet_y_400mf convnext_tiny swin_t "
         "vit_b_16 resnext50_32x4d segmentation.fcn_resnet50 segmentation.deeplabv3_mobilenet_v3_large "
         "segmentation.lraspp_mobilenet_v3_large video.r3d_18 video.mc3_18 video.r2plus1d_18 "
         "detection.retinanet_resnet50_fpn detection.ssdlite320_mobilenet_v3_large").split()

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


def export(name, path, opset):
    """Writes the model; the input, and what torch makes of it."""
    torch.manual_seed(0)
    more = {"init_weights": False, "aux_logits": False} if name in ("googlenet", "inception_v3") else {}
    package, _, function = name.rpartition(".")
    if package:
        more["weights_backbone"] = None
    if package == "video":
        more = {}
    models = getattr(torchvision.models, package) if package else torchvision.models
    network = OneOutput(getattr(models, function)(weights=None, **more), package == "detection")
    size = 299 if name == "inception_v3" else 224
    shape = (3, 8, 112, 112) if package == "video" else (3, size, size)
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
    torch.onnx.export(network, image, path, input_names=["x"], output_names=["y"], opset_version=opset)
    return image.numpy(), want.numpy(), rounded(network, image).numpy()


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(HERE), "build", "bin"))
    parser.add_argument("--folder", help="where models and results are kept")
    parser.add_argument("--opset", type=int, default=16)
    parser.add_argument("--mode", default="fast", choices=("exact", "fast"))
    parser.add_argument("--accuracy-goal", default="balanced", choices=LIMITS)
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        for name in options.names:
            path = os.path.join(folder, name)
            image, want, half = export(name, path + ".onnx", options.opset)
            np.save(path + ".x.npy", image)
            start = time.monotonic()
            done = subprocess.run([os.path.join(options.bin, "ane-compile"), path + ".onnx", "-o", path + ".hwx",
                                   "--accuracy-goal=" + options.accuracy_goal],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
            seconds = time.monotonic() - start
            if done.returncode:
                print(f"{name}: {done.stderr.strip()}", flush=True)
                failed = True
                continue
            subprocess.run([os.path.join(options.bin, "ane-run"), path + ".hwx", "--mode=" + options.mode, "--input",
                            path + ".x.npy", "--output", path + ".y.npy"], check=True, stderr=subprocess.DEVNULL)
            got, want, half = (array.astype(np.float64).ravel()
                               for array in (np.load(path + ".y.npy"), want, half))
            largest, error, usual = np.abs(want).max(), np.abs(got - want).max(), np.abs(half - want).max()
            cosine, ratio = cosine_of(got, want), error / usual
            failed |= not (cosine >= 0.998 or ratio <= 1.1) or not ratio <= LIMITS[options.accuracy_goal]
            print(f"{name}: {seconds:.1f} s, cosine {cosine:.6f}, largest error {error / largest:.4f}, "
                  f"{ratio:.2f} of that of float16", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
