"""A record of test/Golden/Records in the form in which records are published.

usage: publish.py UTILS FILE CASE, to standard output
"""
import json
import math
import sys

sys.path.insert(0, sys.argv[1])
import hwx_file
import records

with open(sys.argv[2]) as file:
    line = next(data for data in map(json.loads, file) if data["case"] == sys.argv[3])
record, firsts = records.read(line), [[item[0] for item in task[1:]] for task in line["tasks"]]
shape = [int(size) for size in sys.argv[3].rsplit("_", 1)[1].split("x")]
row = math.ceil(2 * shape[3] / 64) * 64
strides = [row * shape[2] * shape[1], row * shape[2], row, 2]


def tensor(binding):
    return {"binding": binding, "element_code": 5, "shape": shape, "strides": strides, "total_bytes": strides[0] * shape[0]}


tasks = []
for task, heads in zip(record.tasks, firsts):
    words, written = {}, []
    for item, head in zip(task.records, heads):
        for i, word in enumerate(item.words):
            words["0x%05x" % (item.address + 4 * hwx_file.place(item, i))] = "0x%08x" % word
        written.append({"address": "0x%05x" % item.address, "count": len(item.words), "header": "0x" + head})
    tasks.append({"header_words": ["0x%08x" % word for word in task.header], "records": written, "blocks": {"all": {"words": words}}})
size, digest = line["digest"].split()
print(json.dumps({"case": line["case"], "target": line["target"], "error": None, "weights": {"storage": "none"},
                  "constant_section": {"size": int(size), "sha256": digest},
                  "program_descriptor": {"text_address": "0x" + line["text"], "constant_address": "0x" + line["constants"]},
                  "tensor_descriptors": [tensor(1), tensor(1), tensor(2)], "task_descriptors": tasks}))
