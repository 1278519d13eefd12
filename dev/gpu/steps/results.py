"""Files that a step leaves: one in JSON, and logs beside it."""

import json
import os
import shutil
import tarfile

from . import machine

LOG_HEAD_BYTES = 1 << 20
LOG_TAIL_BYTES = 3 << 20
MAX_COLLECTED_BYTES = 15 << 20
CUT = b"\n... cut here by on-device.sh ...\n"


def write(context, outcome, seconds, state_before):
    """Writes what became of the present step."""
    content = {
        "step": context.step,
        "status": outcome.status,
        "reason": outcome.reason,
        "seconds": round(seconds, 1),
        "commit": context.depot.manifest["commit"],
        "machine": machine.machine(),
        "gpu": context.gpu,
        "gpuBefore": state_before,
        "gpuAfter": machine.gpu_state() if context.has_gpu else {},
        "details": outcome.details,
    }
    path = os.path.join(context.results, context.step + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
    return path


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
    os.makedirs(target, exist_ok=True)
    steps = {}
    for name in sorted(os.listdir(results)):
        if name.endswith(".json"):
            with open(os.path.join(results, name), encoding="utf-8") as file:
                steps[name[: -len(".json")]] = json.load(file)
    with open(os.path.join(target, "results.json"), "w", encoding="utf-8") as file:
        json.dump(steps, file, indent=1)
    chosen = [path for path in files(results) if path.endswith((".log", ".json", ".csv"))]
    dropped = archive(results, chosen, os.path.join(target, "logs.tar.xz"))
    for path in dropped:
        print(f"left out, as the archive would be too large: {path}")
    return sorted(os.listdir(target))


def archive(root, paths, target):
    """Archives files; the largest are left out until the archive is small enough. Returns these."""
    kept = sorted(paths, key=os.path.getsize)
    dropped = []
    while True:
        with tarfile.open(target, "w:xz", preset=6) as tar:
            for path in kept:
                tar.add(path, os.path.relpath(path, root))
        if os.path.getsize(target) <= MAX_COLLECTED_BYTES or not kept:
            return dropped
        dropped.append(kept.pop())


def clear(folder):
    """Removes what an earlier run of a step has left."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
