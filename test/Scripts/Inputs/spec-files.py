"""Is what the Fedora spec lists what an installation has? usage: spec-files.py SPEC INSTALLED (with prefix /usr)"""
import fnmatch
import os
import sys

spec, installed = sys.argv[1:]
macros = {"name": "mlir-ane", "_prefix": "/usr", "_bindir": "/usr/bin", "_libdir": "/usr/lib", "_includedir": "/usr/include",
          "_datadir": "/usr/share", "_docdir": "/usr/share/doc", "_mandir": "/usr/share/man",
          "python3_sitelib": "/usr/lib/python"}
with open(spec, encoding="utf-8") as file:
    lines = file.read().split("%files\n")[1].split("\n\n")[0].splitlines()
patterns = []
for line in lines:
    if line.startswith("%license"):
        continue
    line = line.removeprefix("%doc ")
    for name, value in macros.items():
        line = line.replace("%{" + name + "}", value)
    patterns.append(line)
files = ["/" + os.path.relpath(os.path.join(folder, name), installed)
         for folder, _, names in os.walk(installed) for name in names]
used = set()
for path in files:
    # A line that names a folder takes all below it.
    parts = path.split("/")
    takers = {pattern for pattern in patterns for end in range(2, len(parts) + 1)
              if fnmatch.fnmatch("/".join(parts[:end]), pattern)}
    used |= takers
    if not takers:
        print("installed, but not listed:", path)
for pattern in sorted(set(patterns) - used):
    print("listed, but not installed:", pattern)
print(f"{len(files)} files, {len(patterns)} lines")
