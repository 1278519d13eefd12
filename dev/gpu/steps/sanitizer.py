"""compute-sanitizer (memcheck, racecheck, synccheck) finds nothing in the recorded launches"""

import subprocess
import sys

from . import processes
from .context import Outcome, StepError, passed_if
from .machine import tool

NEEDS_GPU = True
TOOLS = ["memcheck", "racecheck", "synccheck"]
CASES_AT_A_TIME = 7
SECONDS = 120
FOUND = 99


def run(context):
    program = tool("compute-sanitizer")
    if program is None:
        return Outcome("skipped", {}, "no compute-sanitizer on the PATH: install the CUDA toolkit")
    cases = case_names(context)
    groups = [cases[i : i + CASES_AT_A_TIME] for i in range(0, len(cases), CASES_AT_A_TIME)]
    checks = []
    for name in TOOLS:
        for number, group in enumerate(groups):
            checks.append(check(context, program, name, number, group))
    bad = [f"{entry['log']}: {entry['ended']}" for entry in checks if not entry["good"]]
    return passed_if(not bad, {"checks": checks}, "; ".join(bad))


def case_names(context):
    command = replay(context) + ["--list"]
    for text in context.options.cases:
        command += ["--only", text]
    names = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=SECONDS)
    found = names.stdout.decode().splitlines()
    if not found:
        raise StepError(f"no case's name contains {' or '.join(context.options.cases)}")
    return found


def replay(context):
    bundle = context.file("replay", "replay-bundle.zip")
    return [sys.executable, "-B", context.script("replay.py"), bundle]


def check(context, program, name, number, group):
    """Runs one tool over some cases; what it finds is in the log."""
    log = f"{name}-{number}.log"
    left = context.seconds_left()
    result = {"tool": name, "cases": group, "log": log, "good": False}
    if left <= 0:
        return {**result, "ended": "not run: the command's time is over"}
    command = [program, "--tool", name, "--error-exitcode", FOUND, "--print-limit", 20]
    command += [*replay(context), "--in-process", "--no-speed", "--repeat", 1]
    for case in group:
        command += ["--only", case]
    ended = processes.run(command, context.log(log), min(SECONDS, left))
    words = "it found errors" if ended.code == FOUND else ended.words()
    return {**result, "good": ended.code == 0, "ended": words, "seconds": round(ended.seconds, 1)}
