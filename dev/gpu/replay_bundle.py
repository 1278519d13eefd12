"""What replay.py replays: a zip file that gpu-ops' WriteReplayBundle has written."""

import hashlib
import json
import zipfile

FORMAT = 2
MAX_BUNDLE_BYTES = 60 << 20
POINTER_BYTES = 8


class Bundle:
    """The zip file: an index in JSON, and the bytes it names."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path)
        self.index = json.loads(self.archive.read("bundle.json"))
        if self.index["format"] != FORMAT:
            raise ValueError(f"bundle has format {self.index['format']}, expected {FORMAT}")

    def read(self, name):
        return self.archive.read(name)

    def cases(self, only):
        """Returns the cases whose names contain one of the texts, memory-order tests first."""
        chosen = [
            case
            for case in self.index["cases"]
            if not only or any(text in case["name"] for text in only)
        ]
        return sorted(chosen, key=lambda case: not case["litmus"])

    def code(self, module, architecture, ptx_only):
        """Returns (label, bytes) of each form of a module's code that the device can load."""
        entry = self.index["modules"][module]
        forms = [("ptx", self.read(entry["ptx"]) + b"\0")]
        if not ptx_only and architecture in entry["cubins"]:
            forms.append((architecture, self.read(entry["cubins"][architecture])))
        return forms


def check_bundle(bundle, path_bytes):
    """Returns the faults of a bundle: missing members, sizes, pointers out of bounds, hashes."""
    faults = []
    names = set(bundle.archive.namelist())
    damaged = bundle.archive.testzip()
    if damaged:
        return [f"{damaged} is damaged"]
    if path_bytes > MAX_BUNDLE_BYTES:
        faults.append(f"{path_bytes} bytes, more than {MAX_BUNDLE_BYTES}")
    for name, digest in bundle.index["sha256"].items():
        if name not in names:
            faults.append(f"{name} is missing")
        elif hashlib.sha256(bundle.read(name)).hexdigest() != digest:
            faults.append(f"{name} has another hash")
    for module, entry in bundle.index["modules"].items():
        text = bundle.read(entry["ptx"])
        if b".version" not in text:
            faults.append(f"{module} has no PTX")
        faults += [
            f"{module} {name} is no cubin"
            for name in entry["cubins"].values()
            if bundle.read(name)[:4] != b"\x7fELF"
        ]
    for case in bundle.index["cases"]:
        faults += [f"{case['name']}: {fault}" for fault in check_case(bundle, case)]
    return faults


def check_case(bundle, case):
    faults = []
    buffers = case["buffers"]
    if case["module"] not in bundle.index["modules"]:
        faults.append(f"no module {case['module']}")
    for buffer in buffers:
        size = buffer["bytes"]
        if buffer["content"] and len(bundle.read(buffer["content"])) != size:
            faults.append(f"{buffer['name']}: content is not {size} bytes")
        for expected in buffer["expected"]:
            if expected["offset"] + len(bundle.read(expected["content"])) > size:
                faults.append(f"{buffer['name']}: expected bytes leave the buffer")
        faults += check_pointers(buffer["name"], size, buffer["pointers"], buffers)
    for number, launch in enumerate(case["launches"]):
        size = len(bundle.read(launch["arguments"]))
        faults += check_pointers(f"launch {number}", size, launch["pointers"], buffers)
        if launch["block"] % 32 or not 32 <= launch["block"] <= 1024 or launch["grid"] < 1:
            faults.append(f"launch {number}: grid {launch['grid']} block {launch['block']}")
    return faults


def check_pointers(owner, size, pointers, buffers):
    return [
        f"{owner}: pointer {pointer} is out of bounds"
        for pointer in pointers
        if not 0 <= pointer["at"] <= size - POINTER_BYTES
        or not 0 <= pointer["buffer"] < len(buffers)
        or not 0 <= pointer["offset"] <= buffers[pointer["buffer"]]["bytes"]
    ]
