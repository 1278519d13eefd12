"""Files that a step leaves: one in JSON, and logs beside it."""

import json
import lzma
import os
import shutil
import tarfile

from . import machine
from .context import read_json

LOG_HEAD_BYTES = 1 << 20
LOG_TAIL_BYTES = 3 << 20
MAX_COLLECTED_BYTES = 15 << 20
PRESET = 1
HEADER_BYTES = 1024
SUFFIXES = (".log", ".json", ".csv", ".txt")
CUT = b"\n... cut here by on-device.sh ...\n"


def write(context, name, outcome, seconds=0.0, before=None, after=None):
    """Writes what has become of a step so far; states of the GPU are asked for by the caller."""
    content = {
        "step": name,
        "status": outcome.status,
        "reason": outcome.reason,
        "seconds": round(seconds, 1),
        "commit": context.depot.manifest["commit"],
        "machine": machine.machine(),
        "target": context.target,
        "gpu": context.gpu,
        "gpuBefore": before or {},
        "gpuAfter": after or {},
        "details": outcome.details,
    }
    path = os.path.join(context.results, name + ".json")
    write_json(path, content)
    return path


def write_json(path, content):
    """Writes a file that is whole at any time."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
    os.replace(path + ".new", path)


def cap_logs(folder):
    """Cuts the middle out of large logs."""
    for path in files(folder):
        if path.endswith(".log") and os.path.getsize(path) > LOG_HEAD_BYTES + LOG_TAIL_BYTES:
            with open(path, "rb") as file:
                head = file.read(LOG_HEAD_BYTES)
                file.seek(-LOG_TAIL_BYTES, os.SEEK_END)
                tail = file.read()
            with open(path, "wb") as file:
                file.write(head + CUT + tail)


def files(folder):
    return sorted(
        os.path.join(path, name) for path, _folders, names in os.walk(folder) for name in names
    )


def collect(results, target):
    """Copies the results to a folder: a file in JSON of all steps, and an archive of the logs."""
    collect_steps(results, target)
    chosen = [path for path in files(results) if path.endswith(SUFFIXES)]
    dropped = archive(results, chosen, os.path.join(target, "logs.tar.xz"))
    for path in dropped:
        print(f"left out, as the archive would be too large: {path}")
    return sorted(os.listdir(target))


def collect_steps(results, target):
    """Writes results.json; a step that still runs by its own result was killed."""
    steps = {}
    for name in sorted(os.listdir(results)):
        if name.endswith(".json"):
            step = read_json(os.path.join(results, name))
            if step is None:
                step = {"status": "failed", "reason": f"{name} is not whole", "seconds": 0}
            if step["status"] == "running":
                step.update(status="failed", reason="killed: it has not come to its end")
            steps[name[: -len(".json")]] = step
    write_json(os.path.join(os.path.abspath(target), "results.json"), steps)


def archive(root, paths, target):
    """Archives files; the largest are left out, so that the archive is small. Returns these."""
    sizes = sorted((compressed_bytes(path), path) for path in paths)
    kept, dropped, total = [], [], 0
    for size, path in sizes:
        total += size
        (kept if total <= MAX_COLLECTED_BYTES else dropped).append(path)
    with tarfile.open(target, "w:xz", preset=PRESET) as tar:
        for path in kept:
            tar.add(path, os.path.relpath(path, root))
    return dropped


def compressed_bytes(path):
    """Returns at most how much a file adds to an archive."""
    with open(path, "rb") as file:
        return len(lzma.compress(file.read(), preset=PRESET)) + HEADER_BYTES


def clear(folder):
    """Removes what an earlier run of a step has left."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
