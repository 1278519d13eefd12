"""recorded launches of kernels give the recorded answers (replay.py); speed of each kernel"""

import sys

from . import processes
from .context import passed_if, read_json

SECONDS = 240
CASE_SECONDS = 60


def run(context):
    report = context.log("replay.json")
    command = [sys.executable, "-B", context.script("replay.py")]
    command += [context.file("replay", "replay-bundle.zip"), "--json", report]
    command += ["--timeout", CASE_SECONDS]
    for text in context.options.cases:
        command += ["--only", text]
    if not context.has_gpu:
        command += ["--emulated", context.file("replay", "libariadne_emulated.so")]
    limit = min(SECONDS, context.seconds_left())
    ended = processes.run(command, context.log("replay.log"), limit)
    details = {"target": context.gpu.get("name", "emulator"), "ended": ended.words()}
    written = read_json(report)
    if written is None:
        return passed_if(False, details, f"replay.py: {ended.words()}: see replay.log")
    details.update(written)
    details["cases"] = len(details["results"])
    is_good = ended.code == 0 and details["cases"] > 0
    return passed_if(is_good, details, reason(details, ended))


def reason(details, ended):
    """Returns why not all is well: cases that are not equal, and cases without a result."""
    bad = [case["name"] for case in details["results"] if case["outcome"] != "equal"]
    words = [f"not equal: {', '.join(bad)}"] if bad else []
    if not bad or ended.is_timed_out:
        words.append(f"{ended.words()}, {details['cases']} of {details['planned']} cases")
    return "; ".join(words)
