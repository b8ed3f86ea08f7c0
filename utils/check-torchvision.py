#!/usr/bin/python3
"""Export networks of torchvision to ONNX, compile them whole, and compare the simulator with torch.

  check-torchvision.py [--bin DIR] [--folder DIR] [--opset N] [--mode exact|fast] [NAME...]

Weights are random; the statistics of batch norms are those of four random images, so that values
stay in range. Prints for each network the seconds of compiling, the cosine of both results, and
the largest and the root mean square error as parts of the largest number. Fails where one does
not compile or its cosine is below 0.998. Needs torch, torchvision and numpy (Debian:
python3-torch, python3-torchvision).
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

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ("resnet18 resnet50 mobilenet_v2 mobilenet_v3_large efficientnet_b0 efficientnet_v2_s squeezenet1_1 densenet121 "
         "shufflenet_v2_x1_0 mnasnet1_0 googlenet inception_v3 alexnet regnet_y_400mf convnext_tiny swin_t").split()


def export(name, path, opset):
    """Writes the model; the input, and what torch makes of it."""
    torch.manual_seed(0)
    more = {"init_weights": False, "aux_logits": False} if name in ("googlenet", "inception_v3") else {}
    network = getattr(torchvision.models, name)(weights=None, **more)
    size = 299 if name == "inception_v3" else 224
    image = torch.randn(1, 3, size, size)
    norms = [module for module in network.modules() if isinstance(module, torch.nn.modules.batchnorm._BatchNorm)]
    network.eval()
    with torch.no_grad():
        if norms:
            for norm in norms:
                norm.train()
                norm.momentum = None
            network(torch.randn(4, 3, size, size))
        network.eval()
        want = network(image)
    torch.onnx.export(network, image, path, input_names=["x"], output_names=["y"], opset_version=opset)
    return image.numpy(), want.numpy()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(HERE), "build", "bin"))
    parser.add_argument("--folder", help="where models and results are kept")
    parser.add_argument("--opset", type=int, default=16)
    parser.add_argument("--mode", default="fast", choices=("exact", "fast"))
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        for name in options.names:
            path = os.path.join(folder, name)
            image, want = export(name, path + ".onnx", options.opset)
            np.save(path + ".x.npy", image)
            start = time.monotonic()
            done = subprocess.run([os.path.join(options.bin, "ane-compile"), path + ".onnx", "-o", path + ".hwx"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
            seconds = time.monotonic() - start
            if done.returncode:
                print(f"{name}: {done.stderr.strip()}", flush=True)
                failed = True
                continue
            subprocess.run([os.path.join(options.bin, "ane-run"), path + ".hwx", "--mode=" + options.mode, "--input",
                            path + ".x.npy", "--output", path + ".y.npy"], check=True, stderr=subprocess.DEVNULL)
            got, want = np.load(path + ".y.npy").astype(np.float64).ravel(), want.astype(np.float64).ravel()
            largest, error = np.abs(want).max(), np.abs(got - want)
            cosine = got @ want / np.linalg.norm(got) / np.linalg.norm(want)
            failed |= not cosine >= 0.998
            print(f"{name}: {seconds:.1f} s, cosine {cosine:.6f}, largest error {error.max() / largest:.4f}, "
                  f"root mean square {np.sqrt((error ** 2).mean()) / largest:.5f}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
