"""Checks the JSON of two-tasks.mlir: the keys that other programs rely on."""
import json
import struct
import sys
import hashlib

dump = json.load(open(sys.argv[1]))
assert dump["target"] == "h13"
assert set(dump) == {"target", "container", "tensors", "constants", "tasks"}
assert dump["container"]["bytes"] == 32768
assert dump["container"]["residueBytes"] == 0
names = [(t["name"], t["kind"], t["bytes"]) for t in dump["tensors"]]
assert names == [("x", "input", 384), ("a", "input", 384), ("y", "output", 384)], names
assert dump["tensors"][0]["shape"] == [1, 3, 2, 5, 1]
assert dump["tensors"][0]["strides"] == [384, 128, 64, 2, 384]
constants = bytes(range(1, 17)) * 4
assert dump["constants"] == {
    "size": 64,
    "sha256": hashlib.sha256(constants).hexdigest(),
}
first, second = dump["tasks"]
assert first["header"][1] == "009c0000" and len(first["header"]) == 10
assert [(r["address"], len(r["words"])) for r in first["records"]] == [
    ("1f800", 62), ("0", 16), ("13800", 28), ("4800", 18), ("8800", 4), ("c800", 5), ("17800", 7)
]
assert first["records"][1]["words"][0] == "28005"
assert first["fields"]["Common.InDim.Win"] == 5
assert first["fields"]["Common.InDim.Hin"] == 2
assert first["fields"]["KernelDMASrc.CoeffBfrSize[0].MemBfrSize"] == 64
assert first["fields"]["TileDMASrc.Src1RowStride.Stride"] == 64
assert first["fields"]["Header.NextPointer"] == 0x300
assert first["raw"] == {"0": "8000"}, first["raw"]
assert second["raw"] == {}
scale = second["fields"]["PE.FinalScale.FinalScale"]
assert struct.unpack("<f", struct.pack("<I", scale)) == (1.0,)
