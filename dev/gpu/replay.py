#!/usr/bin/env python3
"""Replays recorded kernel launches on a GPU and compares the answers; no JVM, no CUDA toolkit.

Needs Python 3.8 and an NVIDIA driver (libcuda.so.1), nothing else. The bundle is written by
`./mvnw -Preplay-bundle -pl gpu-ops -am process-test-classes -Dreplay.bundle=FILE`.

  replay.py BUNDLE                  memory-order litmus tests, then all cases, then their speed
  replay.py BUNDLE --dry-run        checks the bundle's integrity; needs no GPU
  replay.py BUNDLE --emulated LIB   runs the cases on libariadne_emulated.so instead of a GPU
  options: --only TEXT  --ptx  --device N  --repeat N  --no-speed  --json FILE

Every case runs from the PTX and from the cubin of the GPU's architecture when the bundle has one.
Ends with status 1 when anything differs.
"""

import argparse
import hashlib
import json
import sys
import zipfile

from devices import CudaDevice, DeviceError, EmulatedDevice

FORMAT = 1
MAX_BUNDLE_BYTES = 60 << 20
MEASURED_BYTES = 512 << 20
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
        chosen = [case for case in self.index["cases"] if only in case["name"]]
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


def relocated(content, pointers, addresses):
    """Returns the content with each pointer replaced by the address of its target."""
    image = bytearray(content)
    for pointer in pointers:
        address = addresses[pointer["buffer"]] + pointer["offset"]
        image[pointer["at"] : pointer["at"] + POINTER_BYTES] = address.to_bytes(8, "little")
    return bytes(image)


def fill(device, bundle, case, addresses, scale):
    """Gives every buffer its recorded content, repeated `scale` times where it grows with rows."""
    for buffer, address in zip(case["buffers"], addresses):
        copies = scale if buffer["scales"] else 1
        if buffer["content"]:
            content = relocated(bundle.read(buffer["content"]), buffer["pointers"], addresses)
            for copy in range(copies):
                device.write(address + copy * buffer["bytes"], content)
        else:
            device.zero(address, buffer["bytes"] * copies)


def scaled_arguments(bundle, case, launch, addresses, scale):
    arguments = bytearray(
        relocated(bundle.read(launch["arguments"]), launch["pointers"], addresses)
    )
    for at in case["rowFields"] if scale > 1 else []:
        rows = int.from_bytes(arguments[at : at + 4], "little") * scale
        arguments[at : at + 4] = rows.to_bytes(4, "little")
    return bytes(arguments)


def allocate(device, case, scale):
    return [
        device.allocate(buffer["bytes"] * (scale if buffer["scales"] else 1))
        for buffer in case["buffers"]
    ]


def prepared(device, function, bundle, case, addresses, scale, grid_limit):
    """Returns a function that launches a case; nothing but its launches is left to do in it."""
    launches = []
    for launch in case["launches"]:
        grid = max(1, min(launch["grid"] * scale, grid_limit))
        arguments = scaled_arguments(bundle, case, launch, addresses, scale)
        launches.append(
            device.prepared(function, grid, launch["block"], launch["shared"], arguments)
        )

    def run():
        for launch in launches:
            launch()

    return run


def differences(device, bundle, case, addresses):
    """Returns one line per expected range that the device did not produce."""
    lines = []
    for buffer, address in zip(case["buffers"], addresses):
        for expected in buffer["expected"]:
            wanted = bundle.read(expected["content"])
            found = device.read(address + expected["offset"], len(wanted))
            if found != wanted:
                at = next(i for i, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1])
                at -= at % 8
                lines.append(
                    f"{buffer['name']} differs from byte {expected['offset'] + at}: "
                    f"{found[at:at + 8].hex()} instead of {wanted[at:at + 8].hex()}"
                )
    return lines


def replay(device, function, bundle, case, times):
    """Runs a case under several grids, so many times; returns the differences."""
    addresses = allocate(device, case, 1)
    block, shared = case["launches"][0]["block"], case["launches"][0]["shared"]
    persistent = device.persistent_grid(function, block, shared)
    lines = []
    for _ in range(times):
        for grid_limit in {1 << 30, persistent}:
            fill(device, bundle, case, addresses, 1)
            prepared(device, function, bundle, case, addresses, 1, grid_limit)()
            lines = lines or differences(device, bundle, case, addresses)
    release(device, addresses)
    return lines


def release(device, addresses):
    for address in addresses:
        device.free(address)


def measure(device, function, bundle, case):
    """Returns GB/s of a case with its rows repeated until the data leaves every cache."""
    scale = max(1, MEASURED_BYTES // max(1, case["bytesMoved"]))
    limit = (1 << 31) // max(1, case["rows"])
    scale = min(scale, max(1, limit - 1))
    addresses = allocate(device, case, scale)
    block, shared = case["launches"][0]["block"], case["launches"][0]["shared"]
    grid = device.persistent_grid(function, block, shared)
    run = prepared(device, function, bundle, case, addresses, scale, grid)
    best = float("inf")
    for _ in range(5):
        fill(device, bundle, case, addresses, scale)
        best = min(best, device.seconds(run))
    release(device, addresses)
    return case["bytesMoved"] * scale / best / 1e9


def run_case(device, bundle, case, options):
    """Runs every form of a case's code; returns its result for the report."""
    result = {
        "name": case["name"],
        "kernel": case["kernel"],
        "forms": {},
        "gigabytesPerSecond": 0,
        "broken": False,
    }
    code = bundle.code(case["module"], device.architecture, options.ptx)
    for label, image in code if device.is_gpu else [("emulated", b"")]:
        try:
            function = device.function(image, case["kernel"])
            times = options.repeat or (case["repeat"] if device.is_gpu else 1)
            result["forms"][label] = replay(device, function, bundle, case, times)
            is_right = not result["forms"][label]
            if device.is_gpu and case["measured"] and is_right and not options.no_speed:
                result["gigabytesPerSecond"] = measure(device, function, bundle, case)
        except DeviceError as error:
            result["forms"][label] = [str(error)]
            result["broken"] = True
            break
    return result


def print_result(result, copy_rate):
    failed = {label: lines for label, lines in result["forms"].items() if lines}
    speed = ""
    if result["gigabytesPerSecond"]:
        share = 100 * result["gigabytesPerSecond"] / copy_rate
        speed = f"{result['gigabytesPerSecond']:8.1f} GB/s {share:5.1f} % of copy"
    forms = ", ".join(result["forms"])
    print(f"{'DIFFERS' if failed else 'equal':8}{result['name']:44}{forms:16}{speed}")
    for label, lines in failed.items():
        for line in lines:
            print(f"        {label}: {line}")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bundle")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--emulated", metavar="LIB")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--ptx", action="store_true", help="leave the cubins out")
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=0, help="instead of each case's own number")
    parser.add_argument("--no-speed", action="store_true", help="only compare answers")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def main():
    options = parse_options()
    try:
        bundle = Bundle(options.bundle)
    except zipfile.BadZipFile as error:
        print(f"bundle: {options.bundle} is damaged: {error}")
        return 1
    with open(options.bundle, "rb") as file:
        size = file.seek(0, 2)
    faults = check_bundle(bundle, size)
    for fault in faults:
        print("bundle:", fault)
    cases = bundle.cases(options.only)
    sources = bundle.index["sourceHash"][:12]
    print(f"bundle: {len(cases)} cases, {size / 1048576:.1f} MiB, sources {sources}")
    if faults or options.dry_run:
        return 1 if faults else 0
    device = EmulatedDevice(options.emulated) if options.emulated else CudaDevice(options.device)
    copy_rate = 0.0 if options.no_speed else device.copy_rate(MEASURED_BYTES)
    print(f"device: {device.name}, {device.architecture}, copy {copy_rate:.1f} GB/s")
    results = []
    for case in cases:
        results.append(run_case(device, bundle, case, options))
        print_result(results[-1], copy_rate)
        if results[-1]["broken"] and device.is_gpu:
            print("the device is of no more use after this error; try the rest with --only")
            break
    if options.json:
        report = {"device": device.name, "copyGigabytesPerSecond": copy_rate, "results": results}
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=2)
    return 1 if any(lines for result in results for lines in result["forms"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
