"""What a step ran on."""

import json
import os
import shutil
import subprocess
import sys

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
PROBE_SECONDS = 120
SMI_SECONDS = 30
CUDA = "/usr/local/cuda/bin"
FIELDS = [
    "driver_version",
    "memory.total",
    "clocks.sm",
    "clocks.mem",
    "clocks.max.sm",
    "clocks.max.mem",
    "clocks_throttle_reasons.active",
    "temperature.gpu",
    "power.draw",
    "power.limit",
]


def gpu(folder):
    """Returns the GPU's name and architecture, or the reason why there is none."""
    try:
        answer = subprocess.run(
            [sys.executable, "-B", "-c", PROBE, folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"reason": f"the driver does not answer within {PROBE_SECONDS} s"}
    if answer.returncode:
        last = answer.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return {"reason": f"the probe of the GPU ended with {answer.returncode}: {last}"}
    return json.loads(answer.stdout)


def gpu_state():
    """Returns driver, clocks, heat and power as nvidia-smi prints them, or why it does not."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return {"reason": "no nvidia-smi on the PATH"}
    state = {}
    for field in FIELDS:  # one by one: a field that a driver does not know fails the whole query
        try:
            answer = subprocess.run(
                [program, "-i", "0", f"--query-gpu={field}", "--format=csv,noheader"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SMI_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {**state, "reason": f"nvidia-smi does not answer within {SMI_SECONDS} s"}
        if answer.returncode == 0:
            state[field] = answer.stdout.decode(errors="replace").strip()
    return state


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
