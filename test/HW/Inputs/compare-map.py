"""Compares the generated field cases with a register map in JSON.

Every field of the JSON file must be in the generated map, in the same word and
at the same bits. The map may have more fields, but none of them in bits that
the JSON file names, and only those listed here.
"""
import json
import re
import sys

# What executing recorded programs showed beyond the public maps.
OURS = {
    "Header[10].DTID",
    "KernelDMASrc.MasterConfig.ZeroSkipEn",
    "Common.PECfg.ResultExchange",
    "Common.PECfg.Src1Exchange",
    "Common.PECfg.Src2Exchange",
    "Common.Cfg.ResultExchange",
    "L2.L2Cfg.Src2InputReLU",
    "PE.PreScale.Epsilon",
    "NE.KernelCfg.RuntimeKernel",
    "TileDMADst.DMAConfig.Unknown22",
}


def read_reference(path):
    fields = {}
    with open(path) as file:
        for f in json.load(file)["fields"]:
            is_header = f["block"] == "Header"
            address = f["td_offset"] // 4 if is_header else f["hw_addr"]
            fields[f["name"]] = (is_header, address, f["bit"] + f["width"] - 1, f["bit"])
    return fields


def read_generated(path):
    line = re.compile(
        r'ANE_FIELD_CASE\(.*?, "([^"]+)", (true|false), (0x[0-9a-f]+), (\d+), (\d+), '
    )
    fields = {}
    with open(path) as file:
        for match in filter(None, map(line.match, file)):
            name, is_header, address, msb, lsb = match.groups()
            fields[name] = (is_header == "true", int(address, 16), int(msb), int(lsb))
    return fields


def main():
    reference = read_reference(sys.argv[1])
    generated = read_generated(sys.argv[2])
    errors = []
    if len(reference) < 300:
        errors.append(f"the reference has only {len(reference)} fields")
    for name, place in reference.items():
        if generated.get(name) != place:
            errors.append(f"{name}: expected {place}, the map has {generated.get(name)}")
    for name in generated.keys() - reference.keys() - OURS:
        errors.append(f"{name}: not in the reference")
    for name in OURS - generated.keys():
        errors.append(f"{name}: missing in the map")
    if errors:
        sys.exit("\n".join(errors))


main()
