"""recorded launches of kernels give the recorded answers (replay.py); speed of each kernel"""

import json
import os
import sys

from . import processes
from .context import passed_if


def run(context):
    report = context.log("replay.json")
    command = [sys.executable, "-B", context.script("replay.py")]
    command += [context.file("replay", "replay-bundle.zip"), "--json", report]
    for text in context.options.cases:
        command += ["--only", text]
    if not context.has_gpu:
        command += ["--emulated", context.file("replay", "libariadne_emulated.so")]
    ended = processes.run(command, context.log("replay.log"), context.seconds_left())
    details = {"target": context.gpu.get("name", "emulator"), "ended": ended.words()}
    if not os.path.exists(report):
        return passed_if(False, details, f"replay.py: {ended.words()}: see replay.log")
    with open(report, encoding="utf-8") as file:
        details.update(json.load(file))
    bad = [case["name"] for case in details["results"] if case["outcome"] != "equal"]
    details["cases"] = len(details["results"])
    is_good = ended.code == 0 and details["cases"] > 0
    return passed_if(is_good, details, f"not equal: {', '.join(bad)}" if bad else ended.words())
