"""a file into device memory: cuFile's state, mode, bytes/s against dd iflag=direct; else simulated"""

import os
import shutil

from . import processes
from .context import Outcome, guarded, passed_if, read_json

# What is known of the program's command line is here, and nowhere else.
MAIN = "io.ariadne.io.gds.MeasureStorage"
HEAP_MEGABYTES = 1024
THREADS = [1, 4, 16]
FILE_BYTES = 4 << 30
REHEARSAL_BYTES = 64 << 20
SPARE_BYTES = 4 << 30  # of the disk, which others need
BLOCK_BYTES = 64 << 20
SECONDS = 120


def arguments(backend, path, threads, is_registered, report):
    return [backend, path, str(threads), str(is_registered).lower(), report]


def run(context):
    path = os.path.join(context.work, "storage.bin")
    try:
        return measure(context, path)
    finally:
        if os.path.exists(path):
            os.remove(path)


def measure(context, path):
    size = file_bytes(context.has_gpu, shutil.disk_usage(context.work).free)
    if size == 0:
        return Outcome("failed", {}, f"{context.work} has too little space: free some of the disk")
    write(path, size)
    details = {"fileBytes": size, "state": state(), "dd": direct_reads(context, path, size)}
    details["checks"] = []
    backend = "cuda" if context.has_gpu else "simulated"
    for threads in THREADS:
        for is_registered in (False, True):
            entry = {"threads": threads, "isRegistered": is_registered, "good": False}
            found = guarded(entry, check, context, backend, path, threads, is_registered)
            details["checks"].append(with_share(found, details["dd"]))
            context.keep(details)
    bad = [
        f"{entry['threads']} threads, registered {entry['isRegistered']}: {entry['ended']}"
        for entry in details["checks"]
        if not entry["good"]
    ]
    return passed_if(not bad, details, "; ".join(bad))


def file_bytes(has_gpu, free):
    """Returns how large a file to read; 0 where the disk is full."""
    wanted = FILE_BYTES if has_gpu else REHEARSAL_BYTES
    spare = SPARE_BYTES if has_gpu else REHEARSAL_BYTES
    size = min(wanted, free - spare) // BLOCK_BYTES * BLOCK_BYTES
    return max(0, size)


def write(path, size):
    """Writes bytes that neither a file system nor a device compresses, to the device."""
    block = os.urandom(BLOCK_BYTES)
    with open(path, "wb") as file:
        for number in range(size // BLOCK_BYTES):
            file.write(number.to_bytes(8, "little") + block[8:])
        file.flush()
        os.fsync(file.fileno())


def drop(path):
    """Drops a file from the page cache."""
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def state():
    """Returns what the machine has of GPU Direct Storage."""
    modules = read("/proc/modules").splitlines()
    return {
        "nvidiaFs": any(line.startswith("nvidia_fs ") for line in modules),
        "nvidiaFsVersion": read("/proc/driver/nvidia-fs/version").strip(),
        "devices": sorted(name for name in os.listdir("/dev") if name.startswith("nvidia-fs")),
        "settings": os.environ.get("CUFILE_ENV_PATH_JSON", "/etc/cufile.json"),
        "hasSettings": os.path.exists(os.environ.get("CUFILE_ENV_PATH_JSON", "/etc/cufile.json")),
    }


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def direct_reads(context, path, size):
    """Returns the rate of dd, which reads without the page cache, or how it ended."""
    drop(path)
    command = ["dd", f"if={path}", "of=/dev/null", "bs=4M", "iflag=direct"]
    ended = processes.run(command, context.log("dd.log"), min(SECONDS, context.seconds_left()))
    if ended.code != 0:
        return {"ended": ended.words()}
    return {"bytesPerSecond": size / ended.seconds}


def check(context, backend, path, threads, is_registered):
    """Reads the file with some threads, in a process of its own."""
    result = {"threads": threads, "isRegistered": is_registered, "good": False}
    left = context.seconds_left()
    if left <= 0:
        return {**result, "ended": "not run: the command's time is over"}
    name = f"{threads}-{'registered' if is_registered else 'plain'}"
    report = context.log(name + ".json")
    drop(path)
    command = context.java(HEAP_MEGABYTES) + ["-cp", ":".join(context.class_path("runtime")), MAIN]
    command += arguments(backend, path, threads, is_registered, report)
    ended = processes.run(command, context.log(name + ".log"), min(SECONDS, left))
    result["ended"] = ended.words()
    result["report"] = read_json(report)
    result["good"] = ended.code == 0 and result["report"] is not None
    return result


def with_share(entry, dd):
    """Adds the rate relative to that of dd."""
    report = entry.get("report")
    if report and dd.get("bytesPerSecond"):
        entry["shareOfDd"] = report["bytesPerSecond"] / dd["bytesPerSecond"]
    return entry
