"""Runs one case of a replay bundle on a device and compares what it leaves in memory."""

from devices import DeviceError
from replay_bundle import POINTER_BYTES

MEASURED_BYTES = 512 << 20
LAUNCHES = 10


def relocated(content, pointers, addresses, shifts=None):
    """Returns the content with each pointer replaced by the address of its target.

    `shifts` has what is added to addresses of each buffer: nothing, if it is not given.
    """
    image = bytearray(content)
    for pointer in pointers:
        target = pointer["buffer"]
        address = addresses[target] + pointer["offset"] + (shifts[target] if shifts else 0)
        image[pointer["at"] : pointer["at"] + POINTER_BYTES] = address.to_bytes(8, "little")
    return bytes(image)


def fill(device, bundle, case, addresses, scale):
    """Gives every buffer its recorded content; a buffer that grows with rows gets `scale` copies.

    Copy n of a buffer holds pointers to copy n of those buffers that grow, too.
    """
    for buffer, address in zip(case["buffers"], addresses):
        copies = scale if buffer["scales"] else 1
        if not buffer["content"]:
            device.zero(address, buffer["bytes"] * copies)
            continue
        recorded = bundle.read(buffer["content"])
        for copy in range(copies):
            shifts = [copy * each["bytes"] if each["scales"] else 0 for each in case["buffers"]]
            content = relocated(recorded, buffer["pointers"], addresses, shifts)
            device.write(address + copy * buffer["bytes"], content)


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
    """Returns GB/s of a case with its rows repeated until the data is larger than every cache.

    Each timing covers several launches; only one where a launch changes what the next would read.
    """
    scale = max(1, MEASURED_BYTES // max(1, case["bytesMoved"]))
    limit = (1 << 31) // max(1, case["rows"])
    scale = min(scale, max(1, limit - 1))
    addresses = allocate(device, case, scale)
    block, shared = case["launches"][0]["block"], case["launches"][0]["shared"]
    grid = device.persistent_grid(function, block, shared)
    run = prepared(device, function, bundle, case, addresses, scale, grid)
    launches = 1 if case["onlyOnce"] else LAUNCHES
    best = float("inf")
    for _ in range(5):
        fill(device, bundle, case, addresses, scale)
        best = min(best, device.seconds(lambda: [run() for _ in range(launches)]) / launches)
    release(device, addresses)
    return case["bytesMoved"] * scale / best / 1e9


def run_case(device, bundle, case, options):
    """Runs every form of a case's code; returns its result for the report."""
    result = {
        "name": case["name"],
        "kernel": case["kernel"],
        "outcome": "equal",
        "forms": {},
        "gigabytesPerSecond": 0,
    }
    code = bundle.code(case["module"], device.architecture, options.ptx)
    for label, image in code if device.is_gpu else [("emulated", b"")]:
        try:
            function = device.function(image, case["kernel"])
            times = options.repeat or (case["repeat"] if device.is_gpu else 1)
            lines = replay(device, function, bundle, case, times)
            result["forms"][label] = lines
            if lines:
                result["outcome"] = "differs"
            elif device.is_gpu and case["measured"] and not options.no_speed:
                result["gigabytesPerSecond"] = measure(device, function, bundle, case)
        except DeviceError as error:
            result["forms"][label] = [str(error)]
            result["outcome"] = "failed"
            break
    return result
