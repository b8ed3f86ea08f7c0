"""Writes what coremltools writes by native libraries that only its wheels have: packages and their weights.

install() puts the modules where coremltools, as cloned, looks for them. docs/Formats/MIL.md has the
format of the weights.
"""
import json
import os
import shutil
import struct
import sys
import types

import numpy as np

KINDS = {"fp16": (1, np.float16), "float": (2, np.float32), "uint8": (3, np.uint8), "int8": (4, np.int8),
         "int16": (6, np.int16), "uint16": (7, np.uint16), "int32": (14, np.int32), "uint32": (15, np.uint32)}


class BlobStorageWriter:
    """A file of weights: a head with their number, then a record and the bytes of each."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.count = 0
        self.file.write(bytes(64))

    def write(self, kind, dtype, data):
        data = np.asarray(data)
        # Halves come as they are, or as the words that they are stored in.
        data = data.view(dtype) if data.dtype.itemsize == np.dtype(dtype).itemsize else data.astype(dtype)
        place = self.file.seek(0, os.SEEK_END)
        self.file.write(struct.pack("<IIQQQ32x", 0xDEADBEEF, kind, data.nbytes, place + 64, 0) + data.tobytes())
        self.file.write(bytes(-self.file.tell() % 64))
        self.count += 1
        self.file.seek(0)
        self.file.write(struct.pack("<II", self.count, 2))
        self.file.flush()
        return place


for _name, _kind in KINDS.items():
    setattr(BlobStorageWriter, f"write_{_name}_data", lambda self, data, kind=_kind: self.write(*kind, data))


class ModelPackage:
    """A folder of files with a list of them."""

    def __init__(self, path):
        self.path = path
        self.list = os.path.join(path, "Manifest.json")
        self.manifest = {"fileFormatVersion": "1.0.0", "itemInfoEntries": {}}
        if os.path.exists(self.list):
            with open(self.list, encoding="utf-8") as file:
                self.manifest = json.load(file)

    def addItem(self, source, name, author, description):
        items = self.manifest["itemInfoEntries"]
        key = f"00000000-0000-4000-8000-{len(items):012d}"
        items[key] = {"author": author, "description": description, "name": name, "path": f"{author}/{name}"}
        target = os.path.join(self.path, "Data", author, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, target)
        with open(self.list, "w", encoding="utf-8") as file:
            json.dump(self.manifest, file)
        return key

    def setRootModel(self, source, name, author, description):
        self.manifest["rootModelIdentifier"] = None
        self.manifest["rootModelIdentifier"] = self.addItem(source, name, author, description)
        with open(self.list, "w", encoding="utf-8") as file:
            json.dump(self.manifest, file)

    def getRootModel(self):
        item = self.manifest["itemInfoEntries"][self.manifest["rootModelIdentifier"]]
        return types.SimpleNamespace(path=lambda: os.path.join(self.path, "Data", item["path"]))


def install():
    for name, classes in (("libmilstoragepython", {"_BlobStorageWriter": BlobStorageWriter, "_BlobStorageReader": None}),
                          ("libmodelpackage", {"ModelPackage": ModelPackage})):
        module = types.ModuleType("coremltools." + name)
        vars(module).update(classes)
        sys.modules[module.__name__] = module
