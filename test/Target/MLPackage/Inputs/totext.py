"""The program of a package as MIL text, by the declarations of wire.py.

usage: totext.py PACKAGE
Checks on the way that the description says what the functions say.
"""
import json
import os
import struct
import sys

import wire

OPSETS = {"CoreML5": "ios15", "CoreML6": "ios16", "CoreML7": "ios17", "CoreML8": "ios18", "CoreML9": "ios26"}
FORMATS = {"CoreML5": 6, "CoreML6": 7, "CoreML7": 8, "CoreML8": 9, "CoreML9": 10}
ARRAY_TYPES = {65552: "fp16", 65568: "fp32", 65600: "fp64", 131080: "int8", 131104: "int32"}
SIZES = {"fp16": "e", "bf16": "H", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "uint32": "I", "fp8e4m3fn": "B", "fp8e5m2": "B"}
BITS = {"int4": 4, "uint4": 4, "uint2": 2, "uint1": 1, "uint6": 6, "uint3": 3}


def dims(tensor):
    result = []
    assert tensor.get("rank", 0) == len(tensor.get("dimensions", []))
    for d in tensor.get("dimensions", []):
        result.append(d["constant"].get("size", 0) if "constant" in d else "?")
    return result


def type_text(t):
    (kind, body), = t.items()
    if kind == "tensorType":
        name = wire.DATA_TYPES[body["dataType"]]
        shape = dims(body)
        return f"tensor<{name}, [{', '.join(map(str, shape))}]>" if shape else name
    if kind == "listType":
        length = body["length"]
        return f"list<{type_text(body['type'])}, {length['constant'].get('size', 0) if 'constant' in length else '?'}>"
    if kind == "tupleType":
        return f"tuple<{', '.join(map(type_text, body.get('types', [])))}>"
    if kind == "dictionaryType":
        return f"dict<{type_text(body['keyType'])}, {type_text(body['valueType'])}>"
    return f"state<{type_text(body['wrappedType'])}>"


def numbers(tensor, dtype, count):
    """Elements as MIL spells them."""
    (kind, body), = tensor.items()
    values = body.get("values", [])
    if kind == "bytes":
        data = values or b""
        if dtype in BITS:
            bits, whole = BITS[dtype], int.from_bytes(data, "little")
            assert len(data) == (bits * count + 7) // 8
            got = [whole >> bits * i & (1 << bits) - 1 for i in range(count)]
            if dtype == "int4":
                got = [v - 16 if v > 7 else v for v in got]
        else:
            letter = SIZES[dtype]
            got = list(struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data))
            assert dtype not in ("bf16", "fp8e4m3fn", "fp8e5m2") or not any(got), "only zeros are told here"
        return [repr(v) for v in got]
    want = {"fp32": "floats", "fp64": "doubles", "int32": "ints", "int64": "longInts", "uint64": "longInts", "bool": "bools",
            "string": "strings"}[dtype]
    assert kind == want, (kind, dtype)
    if dtype == "string":
        return [f'"{v}"' for v in values]
    if dtype == "bool":
        return ["true" if v else "false" for v in values]
    return [repr(v) for v in values]


def literal(value):
    immediate = value["immediateValue"]
    (kind, body), = immediate.items()
    if kind == "tensor":
        t = value["type"]["tensorType"]
        shape = dims(t)
        count = 1
        for d in shape:
            count = count * d if d != "?" else -1
        got = numbers(body, wire.DATA_TYPES[t["dataType"]], count)
        assert count < 0 or len(got) == count
        return f"[{', '.join(got)}]" if shape else got[0]
    if kind in ("tuple", "list"):
        inner = ", ".join(map(literal, body.get("values", [])))
        return f"({inner})" if kind == "tuple" else f"[{inner}]"
    return "{" + ", ".join(f"{{{literal(e['key'])}, {literal(e['value'])}}}" for e in body.get("values", [])) + "}"


def value_text(value):
    if "blobFileValue" in value:
        blob = value["blobFileValue"]
        inner = f'BLOBFILE(path = string("{blob["fileName"]}"), offset = uint64({blob["offset"]}))'
    else:
        inner = literal(value)
    return f"{type_text(value['type'])}({inner})"


def attributes(table):
    return "[" + ", ".join(f"{k} = {value_text(v)}" for k, v in table.items()) + "]" if table else ""


def argument(a):
    bindings = [b["name"] if "name" in b else value_text(b["value"]) for b in a.get("arguments", [])]
    return bindings[0] if len(bindings) == 1 else "(" + ", ".join(bindings) + ")"


def statement(op):
    outs = ", ".join(f"{type_text(o['type'])} {o['name']}" for o in op.get("outputs", []))
    # One binding of `values` is a tuple of one.
    inputs = ", ".join(f"{k} = " + (f"({argument(v)})" if k == "values" and len(v["arguments"]) == 1 else argument(v))
                       for k, v in op.get("inputs", {}).items())
    return (outs + " = " if outs else "") + f"{op['type']}({inputs}){attributes(op.get('attributes'))};"


def check_feature(feature, t):
    array = feature["type"].get("multiArrayType") or feature["type"]["stateType"]["arrayType"]
    tensor = t["stateType"]["wrappedType"]["tensorType"] if "stateType" in t else t["tensorType"]
    assert ("stateType" in t) == ("stateType" in feature["type"])
    assert ARRAY_TYPES[array["dataType"]] == wire.DATA_TYPES[tensor["dataType"]]
    shape = dims(tensor)
    if "?" not in shape:
        assert array.get("shape", []) == shape and "shapeRange" not in array
    return array


def function_text(name, function, features):
    block, = function["block_specializations"].values()
    assert list(function["block_specializations"]) == [function["opset"]]
    inputs = {f["name"]: f for key in ("input", "state") for f in features.get(key, [])}
    assert inputs.keys() == {i["name"] for i in function.get("inputs", [])}
    for i in function.get("inputs", []):
        array = check_feature(inputs[i["name"]], i["type"])
        if "?" in str(i["type"]):
            assert "shapeRange" in array or "enumeratedShapes" in array
    types = {o["name"]: o["type"] for op in block.get("operations", []) for o in op.get("outputs", [])}
    types.update((i["name"], i["type"]) for i in function.get("inputs", []))
    assert [f["name"] for f in features.get("output", [])] == block.get("outputs", [])
    for f in features.get("output", []):
        check_feature(f, types[f["name"]])
    params = ", ".join(f"{type_text(i['type'])} {i['name']}" for i in function.get("inputs", []))
    body = "\n".join(statement(op) for op in block.get("operations", []))
    return (f"func {name}<{OPSETS[function['opset']]}>({params}) {attributes(function.get('attributes'))} {{\n{body}\n}}"
            f" -> ({', '.join(block.get('outputs', []))});")


def main(package):
    with open(package + "/Manifest.json", encoding="utf-8") as file:
        manifest = json.load(file)
    assert manifest["fileFormatVersion"] == "1.0.0"
    items = manifest["itemInfoEntries"]
    model_path = package + "/Data/" + items[manifest["rootModelIdentifier"]]["path"]
    for identifier, item in items.items():
        assert [len(part) for part in identifier.split("-")] == [8, 4, 4, 4, 12] and identifier == identifier.upper()
        assert item["author"] == "com.apple.CoreML" and os.path.exists(package + "/Data/" + item["path"])
    assert len(items) == 1 + os.path.exists(os.path.dirname(model_path) + "/weights")
    with open(model_path, "rb") as file:
        data = file.read()
    model = wire.decode(data, "Model")
    description, program = model["description"], model["mlProgram"]
    assert program["version"] == 1
    functions = program["functions"]
    features = {f["name"]: f for f in description.get("functions", [])}
    assert features.keys() == (functions.keys() if len(functions) > 1 else set())
    assert (description.get("defaultFunctionName", "") in functions) == (len(functions) > 1)
    format = model["specificationVersion"]
    assert format >= max(FORMATS[f["opset"]] for f in functions.values())
    assert len(functions) == 1 or format >= 9
    # Order of functions in a map is none; text is in the order of names then.
    text = "\n".join(function_text(name, functions[name], features.get(name, description)) for name in sorted(functions))
    return f"program({'1.3' if format >= 9 else '1.0'})\n{attributes(program.get('attributes'))}\n{{\n{text}\n}}\n"


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1]))
