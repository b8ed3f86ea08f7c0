"""The compiled neural network of the page on Core ML models: old.mlmodelc.

usage: make-espresso.py
"""
import json
import os
import struct

os.makedirs("old.mlmodelc", exist_ok=True)
LAYER = {"type": "convolution", "name": "c", "bottom": "image", "top": "y", "C": 4, "K": 3, "Nx": 1, "Ny": 1, "pad_mode": 1,
         "blob_weights": 1, "fused_relu": 1}
with open("old.mlmodelc/model.espresso.net", "w") as file:
    json.dump({"storage": "model.espresso.weights", "format_version": 200, "layers": [LAYER]}, file)
with open("old.mlmodelc/model.espresso.shape", "w") as file:
    json.dump({"layer_shapes": {"image": {"n": 1, "k": 3, "h": 8, "w": 8}, "y": {"n": 1, "k": 4, "h": 8, "w": 8}}}, file)
with open("old.mlmodelc/model.espresso.weights", "wb") as file:
    file.write(struct.pack("<QQQ12f", 1, 1, 48, *range(12)))
