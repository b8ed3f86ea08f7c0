"""whether strips change a bit of the results, exact mode, random weights: bits NETWORK same

A network without plan is held against the same network with the plan of ane-plan-tiles. A
result that differs, or has less than sixteen values and so would show little, is an error.
"""
import os
import tempfile

import networks


def results(context, folder, name, options):
    """All bytes of the results of a network."""
    net, result = networks.build(name, weights="arguments")
    source, program, array = (os.path.join(folder, file) for file in ("net.mlir", "net.hwx", "net.npy"))
    with open(source, "w", encoding="utf-8") as file:
        net.write(file, result)
    try:
        context.compile(source, "--bind", f"1-{len(net.parameters)}=random:7", "-o", program, *options)
        context.run([context.tool("ane-run"), program, "--seed=3", "--output", array])
    finally:  # weights are large
        if os.path.exists(program):
            os.remove(program)
    with open(array, "rb") as file:
        return file.read()


def run(context):
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in context.some(networks.NETWORKS):
            try:
                tiled, untiled = (results(context, folder, name, options) for options in ([], ["--ane-tile=none"]))
            except context.Failure as failure:
                context.note(f"  {name}: {failure}")
                failed.append(name)
                continue
            data = untiled[128:]  # behind the header
            if len({data[at : at + 2] for at in range(0, len(data), 2)}) < 16:
                context.note(f"  {name}: the results have hardly any values")
                failed.append(name)
            elif tiled != untiled:
                context.note(f"  {name}: {sum(a != b for a, b in zip(tiled, untiled))} bytes of {len(untiled)} differ")
                failed.append(name)
            else:
                context.figure("bits", name, "same")
    if failed:
        raise context.Failure(f"not the same, or not to be compared: {', '.join(failed)}")
