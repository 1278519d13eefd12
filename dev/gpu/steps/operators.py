"""each operator by itself on the GPU and on the processor (GpuBench), where the bundle has it"""

import json
import os
import zipfile

from . import processes
from .context import Outcome, passed_if

# The one place that knows how the program is called.
MAIN = "io.ariadne.benchmark.gpu.GpuBench"
HEAP_MEGABYTES = 8192


def arguments(report):
    return ["--json", report]


def run(context):
    if not has_class(context, MAIN):
        return Outcome("skipped", {}, f"the bundle has no {MAIN}")
    if not context.has_gpu:
        return Outcome("skipped", {}, f"no GPU: {context.gpu['reason']}")
    report = context.log("operators-report.json")
    command = context.java(HEAP_MEGABYTES) + ["-cp", ":".join(context.class_path("runtime"))]
    command += [MAIN, *arguments(report)]
    ended = processes.run(command, context.log("operators.log"), context.seconds_left())
    details = {"ended": ended.words()}
    if os.path.exists(report):
        with open(report, encoding="utf-8") as file:
            details["report"] = json.load(file)
    return passed_if(ended.code == 0, details, f"{MAIN}: {ended.words()}: see operators.log")


def has_class(context, name):
    member = name.replace(".", "/") + ".class"
    for jar in context.class_path("runtime"):
        with zipfile.ZipFile(jar) as archive:
            if member in archive.NameToInfo:
                return True
    return False
