"""A weight file by the rules of docs/Formats/MIL.md, written here a second time.

usage: blobs.py FILE [CHANGE]...    writes one blob of each element type, then
                                    sets bytes: OFFSET=HEX, or OFFSET=end to cut
       blobs.py --program           the program that refers to all of them
       blobs.py --data              `name hex` for each blob's data
"""
import os
import struct
import sys

# name, number in the file, bits
TYPES = [("fp16", 1, 16), ("fp32", 2, 32), ("uint8", 3, 8), ("int8", 4, 8), ("bf16", 5, 16),
         ("int16", 6, 16), ("uint16", 7, 16), ("int4", 8, 4), ("uint1", 9, 1), ("uint2", 10, 2),
         ("uint4", 11, 4), ("uint3", 12, 3), ("uint6", 13, 6), ("int32", 14, 32),
         ("uint32", 15, 32), ("fp8e4m3fn", 16, 8), ("fp8e5m2", 17, 8)]
COUNT = 19  # odd, so that sub-byte types leave bits


def element(i, bits):
    if bits in (16, 32):  # small numbers as floats too, no nans
        return (0x30 + i) << (bits - 8) | i
    return (37 * i + 5) & ((1 << bits) - 1) & 0x77


def data(bits, count=COUNT):
    packed = sum(element(i, bits) << (bits * i) for i in range(count))
    return packed.to_bytes((bits * count + 7) // 8, "little")


def blob_file(blobs):
    """blobs: (type number, bits an element, data, number of elements)"""
    out = bytearray(struct.pack("<II56x", len(blobs), 2))
    offsets = []
    for number, bits, raw, count in blobs:
        out += bytes(-len(out) % 64)
        offsets.append(len(out))
        out += struct.pack("<IIQQQ32x", 0xDEADBEEF, number, len(raw), len(out) + 64, 8 * len(raw) - bits * count)
        out += raw
    return bytes(out), offsets


def sample():
    return blob_file([(number, bits, data(bits), COUNT) for _, number, bits in TYPES])


def program():
    lines = []
    for (name, _, _), offset in zip(TYPES, sample()[1]):
        lines.append(f'            tensor<{name}, [{COUNT}]> v_{name} = const()[name = string("{name}"), val = tensor<{name}, [{COUNT}]>'
                     f'(BLOBFILE(path = string("@model_path/weights/weight.bin"), offset = uint64({offset})))];')
    lines.append('            tensor<fp16, [19]> y = constexpr_affine_dequantize()[axis = int32(0), quantized_data = tensor<int8, [19]>'
                 f'(BLOBFILE(path = string("@model_path/weights/weight.bin"), offset = uint64({sample()[1][3]}))), '
                 'scale = fp16(0x1p+0), zero_point = int8(0)];')
    return ("program(1.3)\n{\n    func main<ios18>() {\n" + "\n".join(lines) + "\n        } -> (y);\n}")


def main(args):
    if args == ["--program"]:
        sys.stdout.write(program())
    elif args == ["--data"]:
        print("\n".join(f"{name} {data(bits).hex().upper()}" for name, _, bits in TYPES))
    else:
        raw = bytearray(sample()[0])
        for change in args[1:]:
            offset, value = change.split("=")
            offset = int(offset, 0)
            if value == "end":
                raw = raw[:offset]
            else:
                new = bytes.fromhex(value)
                raw[offset:offset + len(new)] = new
        os.makedirs(os.path.dirname(args[0]), exist_ok=True)
        with open(args[0], "wb") as file:
            file.write(raw)


if __name__ == "__main__":
    main(sys.argv[1:])
