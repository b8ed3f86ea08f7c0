"""The models of the page on Core ML's models.

usage: make-mlmodel.py FOLDER_OF_THE_WRITER
"""
import os
import sys

sys.path.insert(0, sys.argv[1])
import numpy as np
from networks import array, image, layer, model, network

weights = np.random.default_rng(1).normal(0, 0.1, (8, 3, 3, 3))
with open("net.mlmodel", "wb") as file:
    file.write(model([image("image", 32, 32, 20)], [array("features", (8, 30, 30))],
                     network([layer("convolution", ["image"], ["c"], {1: 8, 2: 3, 90: weights}),
                              layer("activation", ["c"], ["features"], {10: {}})])))
os.makedirs("net.mlmodelc", exist_ok=True)
with open("net.mlmodelc/model.mil", "w") as file:
    file.write("""program(1.3)
{
    func main<ios18>(tensor<fp16, [1, 3, 8, 8]> x) {
            tensor<fp16, [1, 3, 8, 8]> y = relu(x = x)[name = string("y")];
        } -> (y);
}
""")
