"""What a step ran on."""

import json
import os
import shutil
import sys

from . import processes

PROBE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from devices import CudaDevice, DeviceError
try:
    device = CudaDevice(0)
    print(json.dumps({"name": device.name, "architecture": device.architecture}))
except DeviceError as error:
    print(json.dumps({"reason": str(error)}))
"""
PROBE_SECONDS = 60
PROBES = 2
SMI_SECONDS = 15
CUDA = "/usr/local/cuda/bin"
FIELDS = [
    "driver_version",
    "memory.total",
    "clocks.sm",
    "clocks.mem",
    "clocks.max.sm",
    "clocks.max.mem",
    "clocks_throttle_reasons.active",
    "clocks_event_reasons.active",  # its name in newer drivers
    "temperature.gpu",
    "power.draw",
    "power.limit",
]


class Smi:
    """nvidia-smi: what it does not know is asked for once, and after a timeout nothing more is."""

    def __init__(self):
        self.unknown = set()
        self.hangs = False

    def state(self):
        """Returns the fields that it prints, or why it does not."""
        program = shutil.which("nvidia-smi")
        if program is None:
            return {"reason": "no nvidia-smi on the PATH"}
        fields = [field for field in FIELDS if field not in self.unknown]
        state = self.query(program, fields)
        if state is None:  # a field that a driver does not know fails the whole query
            state = {}
            for field in fields:
                found = self.query(program, [field])
                state.update(found or {})
                if found is None and not self.hangs:
                    self.unknown.add(field)
        if self.hangs:
            state["reason"] = f"nvidia-smi has not answered within {SMI_SECONDS} s"
        return state

    def query(self, program, fields):
        """Returns what is known of the fields, None where the driver does not know one."""
        if self.hangs or not fields:
            return {}
        words = [program, "-i", "0", "--query-gpu=" + ",".join(fields), "--format=csv,noheader"]
        code, text = processes.answer(words, SMI_SECONDS)
        self.hangs = code is None
        if self.hangs:
            return {}
        values = [value.strip() for value in text.strip().split(",")]
        return dict(zip(fields, values)) if code == 0 and len(values) == len(fields) else None


SMI = Smi()


def gpu(folder):
    """Returns the GPU's name and architecture, or the reason why there is none."""
    found = {}
    for _ in range(PROBES):
        found = probe(folder)
        if "name" in found:
            break
    return found


def probe(folder):
    code, text = processes.answer([sys.executable, "-B", "-c", PROBE, folder], PROBE_SECONDS)
    last = text.strip().splitlines()[-1:]
    if code is None:
        return {"reason": f"the driver does not answer within {PROBE_SECONDS} s"}
    if code:
        return {"reason": f"the probe of the GPU ended with {code}: {''.join(last)}"}
    try:
        return json.loads("".join(last))
    except ValueError:
        return {"reason": f"the probe of the GPU printed {text!r}"}


def gpu_state():
    """Returns driver, clocks, heat and power as nvidia-smi prints them, or why it does not."""
    return SMI.state()


def machine():
    return {
        "cpu": field("/proc/cpuinfo", "model name"),
        "cores": cores(),
        "memoryGigabytes": memory_megabytes() // 1024,
        "system": " ".join(os.uname()[:3:2]),
        "python": sys.version.split()[0],
    }


def cores():
    return len(os.sched_getaffinity(0))


def memory_megabytes():
    kilobytes = field("/proc/meminfo", "MemTotal").split()
    return int(kilobytes[0]) // 1024 if kilobytes else 0


def field(path, name):
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith(name):
                return line.partition(":")[2].strip()
    return ""


def tool(name):
    """Returns the path of a program of the CUDA toolkit, or None."""
    return shutil.which(name) or shutil.which(name, path=CUDA)
