"""The IR in a page: readme-ir.py PAGE OUT --write writes its input, readme-ir.py PAGE STAGE=FILE... looks for the
lines of each stage in a file, in their order. In a line, ... stands for anything."""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
block = re.search(r"```mlir\n(.*?)```", text, re.S).group(1)
stages, lines = {}, None
for line in block.splitlines():
    if line.startswith("// "):
        lines = stages.setdefault(re.match(r"// (?:stop-after=)?(\w+)", line).group(1), [])
    else:
        lines.append(line)

if sys.argv[3:] == ["--write"]:
    # The rest of a line repeats the type.
    type_ = re.search(r"tensor<[^>]*>", stages["input"][0]).group(0)
    body = "\n".join(line.replace(": ...", f": ({type_}) -> {type_}") for line in stages["input"])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(f"func.func @net(%x: {type_}, %y: {type_}) -> {type_} {{\n{body}\n"
                   f"  return %{len(stages['input']) - 1} : {type_}\n}}\n")
    sys.exit()

files = dict(argument.split("=", 1) for argument in sys.argv[2:])
if files.keys() != stages.keys() - {"input"}:
    sys.exit(f"the page has {sorted(stages)}, compared are {sorted(files)}")
for stage, path in files.items():
    printed = re.sub(r"\s+", " ", open(path, encoding="utf-8").read())
    for line in stages[stage]:
        parts = (re.escape(re.sub(r"\s+", " ", part.strip())) for part in line.split("..."))
        found = re.search(".*?".join(parts), printed)
        if not found:
            sys.exit(f"{stage}: nothing prints: {line}")
        printed = printed[found.end():]
