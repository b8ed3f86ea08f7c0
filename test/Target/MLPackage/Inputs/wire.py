"""Model files without a library for protocol buffers: the fields are declared here a
second time, from the public description of the format.

A message is a dict; repeated fields are lists, maps are dicts. decode(bytes, name)
refuses fields that are not declared; encode is the way back.
"""
import struct

# number: (name, kind); kinds: int, double, float, bytes, string, a message; `*` repeated, `{}` map from string
SCHEMA = {
    "Model": {1: ("specificationVersion", "int"), 2: ("description", "ModelDescription"), 502: ("mlProgram", "Program")},
    "ModelDescription": {1: ("input", "*FeatureDescription"), 10: ("output", "*FeatureDescription"), 13: ("state", "*FeatureDescription"),
                         20: ("functions", "*FunctionDescription"), 21: ("defaultFunctionName", "string")},
    "FunctionDescription": {1: ("name", "string"), 2: ("input", "*FeatureDescription"), 3: ("output", "*FeatureDescription"),
                            6: ("state", "*FeatureDescription")},
    "FeatureDescription": {1: ("name", "string"), 2: ("shortDescription", "string"), 3: ("type", "FeatureType")},
    "FeatureType": {5: ("multiArrayType", "ArrayFeatureType"), 8: ("stateType", "StateFeatureType")},
    "StateFeatureType": {1: ("arrayType", "ArrayFeatureType")},
    "ArrayFeatureType": {1: ("shape", "*int"), 2: ("dataType", "int"), 21: ("enumeratedShapes", "EnumeratedShapes"),
                         31: ("shapeRange", "ShapeRange")},
    "EnumeratedShapes": {1: ("shapes", "*Shape")}, "Shape": {1: ("shape", "*int")},
    "ShapeRange": {1: ("sizeRanges", "*SizeRange")}, "SizeRange": {1: ("lowerBound", "int"), 2: ("upperBound", "int")},
    "Program": {1: ("version", "int"), 2: ("functions", "{}Function"), 4: ("attributes", "{}Value")},
    "Function": {1: ("inputs", "*NamedValueType"), 2: ("opset", "string"), 3: ("block_specializations", "{}Block"), 4: ("attributes", "{}Value")},
    "Block": {1: ("inputs", "*NamedValueType"), 2: ("outputs", "*string"), 3: ("operations", "*Operation")},
    "Operation": {1: ("type", "string"), 2: ("inputs", "{}Argument"), 3: ("outputs", "*NamedValueType"), 4: ("blocks", "*Block"),
                  5: ("attributes", "{}Value")},
    "Argument": {1: ("arguments", "*Binding")}, "Binding": {1: ("name", "string"), 2: ("value", "Value")},
    "NamedValueType": {1: ("name", "string"), 2: ("type", "ValueType")},
    "ValueType": {1: ("tensorType", "TensorType"), 2: ("listType", "ListType"), 3: ("tupleType", "TupleType"),
                  4: ("dictionaryType", "DictionaryType"), 5: ("stateType", "StateType")},
    "TensorType": {1: ("dataType", "int"), 2: ("rank", "int"), 3: ("dimensions", "*Dimension")},
    "Dimension": {1: ("constant", "ConstantDimension"), 2: ("unknown", "UnknownDimension")},
    "ConstantDimension": {1: ("size", "int")}, "UnknownDimension": {1: ("variadic", "int")},
    "ListType": {1: ("type", "ValueType"), 2: ("length", "Dimension")}, "TupleType": {1: ("types", "*ValueType")},
    "DictionaryType": {1: ("keyType", "ValueType"), 2: ("valueType", "ValueType")}, "StateType": {1: ("wrappedType", "ValueType")},
    "Value": {1: ("docString", "string"), 2: ("type", "ValueType"), 3: ("immediateValue", "ImmediateValue"), 5: ("blobFileValue", "BlobFileValue")},
    "BlobFileValue": {1: ("fileName", "string"), 2: ("offset", "int")},
    "ImmediateValue": {1: ("tensor", "TensorValue"), 2: ("tuple", "Values"), 3: ("list", "Values"), 4: ("dictionary", "DictionaryValue")},
    "Values": {1: ("values", "*Value")}, "DictionaryValue": {1: ("values", "*KeyValuePair")},
    "KeyValuePair": {1: ("key", "Value"), 2: ("value", "Value")},
    "TensorValue": {1: ("floats", "Floats"), 2: ("ints", "Ints"), 3: ("bools", "Ints"), 4: ("strings", "Strings"), 5: ("longInts", "Ints"),
                    6: ("doubles", "Doubles"), 7: ("bytes", "Bytes")},
    "Floats": {1: ("values", "*float")}, "Ints": {1: ("values", "*int")}, "Strings": {1: ("values", "*string")},
    "Doubles": {1: ("values", "*double")}, "Bytes": {1: ("values", "bytes")},
}
DATA_TYPES = {1: "bool", 2: "string", 10: "fp16", 11: "fp32", 12: "fp64", 13: "bf16", 21: "int8", 22: "int16", 23: "int32", 24: "int64",
              25: "int4", 31: "uint8", 32: "uint16", 33: "uint32", 34: "uint64", 35: "uint4", 36: "uint2", 37: "uint1", 38: "uint6",
              39: "uint3", 40: "fp8e4m3fn", 41: "fp8e5m2"}


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def fields(data):
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = read_varint(data, at)
        elif wire == 2:
            size, at = read_varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            width = {1: 8, 5: 4}[wire]
            value, at = data[at:at + width], at + width
        assert at <= len(data)
        yield number, wire, value


def decode(data, name):
    result = {}
    for number, wire, value in fields(data):
        assert number in SCHEMA[name], f"{name} has no field {number}"
        field, kind = SCHEMA[name][number]
        base = kind.lstrip("*").removeprefix("{}")
        if kind.startswith("{}"):
            pair = {n: v for n, _, v in fields(value)}
            result.setdefault(field, {})[pair.get(1, b"").decode()] = decode(pair.get(2, b""), base)
            continue
        if base == "int":
            values = [signed(value)] if wire == 0 else []
            while wire == 2 and value:
                one, at = read_varint(value, 0)
                values.append(signed(one))
                value = value[at:]
        elif base in ("float", "double"):
            letter, width = ("f", 4) if base == "float" else ("d", 8)
            values = list(struct.unpack(f"<{len(value) // width}{letter}", value))
        else:
            assert wire == 2, (name, field, wire)
            values = [value if base == "bytes" else value.decode() if base == "string" else decode(value, base)]
        if kind.startswith("*"):
            result.setdefault(field, []).extend(values)
        else:
            result[field] = values[-1]
    return result


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def tagged(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def encode(message, name):
    out = b""
    numbers = {field: (number, kind) for number, (field, kind) in SCHEMA[name].items()}
    for field, value in message.items():
        number, kind = numbers[field]
        base = kind.lstrip("*").removeprefix("{}")

        def one(v):
            if base == "int":
                return varint(number << 3) + varint(v)
            if base in ("float", "double"):
                return varint(number << 3 | (5 if base == "float" else 1)) + struct.pack("<" + base[0], v)
            return tagged(number, v if base == "bytes" else v.encode() if base == "string" else encode(v, base))
        if kind.startswith("{}"):
            out += b"".join(tagged(number, tagged(1, k.encode()) + tagged(2, encode(v, base))) for k, v in value.items())
        elif kind.startswith("*"):
            out += b"".join(map(one, value))
        else:
            out += one(value)
    return out
