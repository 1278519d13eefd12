"""Runs one case of a replay bundle on a device and compares what it leaves in memory."""

from devices import DeviceError
from replay_bundle import POINTER_BYTES

MEASURED_BYTES = 512 << 20
LAUNCHES = 10
TIMINGS = 5
# On the emulator, which checks each access of repeated rows, too.
EMULATED_COPIES = 3


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


class LargeCase:
    """A case whose rows are repeated until they are about so many bytes; closing it frees them.

    A case that is not measured has no rows that may be repeated: it stays as it was recorded.
    """

    def __init__(self, device, function, bundle, case, size):
        self.device, self.bundle, self.case = device, bundle, case
        limit = (1 << 31) // max(1, case["rows"]) - 1  # kernels count rows in 31 bits
        copies = size // max(1, case["bytesMoved"]) if case["measured"] else 1
        self.scale = max(1, min(copies, limit))
        self.addresses = allocate(device, case, self.scale)
        block, shared = case["launches"][0]["block"], case["launches"][0]["shared"]
        grid = device.persistent_grid(function, block, shared)
        self.run = prepared(device, function, bundle, case, self.addresses, self.scale, grid)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if error[0] is None:  # after an error the device takes no calls
            release(self.device, self.addresses)

    def fill(self):
        fill(self.device, self.bundle, self.case, self.addresses, self.scale)

    def gigabytes_per_second(self, launches):
        """Returns the speed of the fastest of some timings, each of several launches."""
        best = float("inf")
        for _ in range(TIMINGS):
            self.fill()
            seconds = self.device.seconds(lambda: [self.run() for _ in range(launches)])
            best = min(best, seconds / launches)
        return self.case["bytesMoved"] * self.scale / best / 1e9


def measure(device, function, bundle, case):
    """Returns GB/s of a case with more data than any cache holds.

    Each timing covers several launches; only one where a launch changes what the next would read.
    """
    with LargeCase(device, function, bundle, case, MEASURED_BYTES) as large:
        return large.gigabytes_per_second(1 if case["onlyOnce"] else LAUNCHES)


def run_large(device, function, bundle, case, size):
    """Runs a case once with its rows repeated, whose answers nothing is known of."""
    with LargeCase(device, function, bundle, case, size) as large:
        large.fill()
        large.run()


def profile_case(device, bundle, case, options):
    """Launches the form that a user's GPU would run, once, with as many rows as are measured."""
    label, image = bundle.code(case["module"], device.architecture, options.ptx)[-1]
    try:
        run_large(device, device.function(image, case["kernel"]), bundle, case, MEASURED_BYTES)
    except DeviceError as error:
        return without_answer(case, "failed", str(error))
    return {**without_answer(case, "equal", ""), "forms": {label: []}}


def without_answer(case, outcome, line):
    """Returns the result of a case that has not come to its end."""
    return {
        "name": case["name"],
        "kernel": case["kernel"],
        "outcome": outcome,
        "forms": {outcome: [line]},
        "gigabytesPerSecond": 0,
    }


def run_case(device, bundle, case, options):
    """Runs every form of a case's code; returns its result for the report."""
    if options.profile:
        return profile_case(device, bundle, case, options)
    result = {**without_answer(case, "equal", ""), "forms": {}}
    code = bundle.code(case["module"], device.architecture, options.ptx)
    for label, image in code if device.is_gpu else [("emulated", b"")]:
        try:
            function = device.function(image, case["kernel"])
            times = options.repeat or (case["repeat"] if device.is_gpu else 1)
            lines = replay(device, function, bundle, case, times)
            result["forms"][label] = lines
            if lines:
                result["outcome"] = "differs"
            elif case["measured"] and not options.no_speed:
                if device.is_gpu:
                    result["gigabytesPerSecond"] = measure(device, function, bundle, case)
                else:
                    size = EMULATED_COPIES * case["bytesMoved"]
                    run_large(device, function, bundle, case, size)
        except DeviceError as error:
            result["forms"][label] = [str(error)]
            result["outcome"] = "failed"
            break
    return result
