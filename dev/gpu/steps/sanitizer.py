"""compute-sanitizer (memcheck, racecheck, synccheck) finds nothing in the recorded launches"""

import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

from . import machine, processes
from .context import Outcome, StepError, guarded, passed_if
from .machine import tool

NEEDS_GPU = True
TOOLS = ["memcheck", "racecheck", "synccheck"]
CASES_AT_A_TIME = 7
SECONDS = 120
SIDE_BY_SIDE = 4
CORES_FOR_SEVERAL = 8
FOUND = 99
CLEAN = ("ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 0 hazards")
NOT_RUN = "not run"


def run(context):
    program = tool("compute-sanitizer")
    if program is None:
        return Outcome("skipped", {}, "no compute-sanitizer on the PATH: install the CUDA toolkit")
    cases = case_names(context)
    groups = [cases[i : i + CASES_AT_A_TIME] for i in range(0, len(cases), CASES_AT_A_TIME)]
    wanted = [  # every tool has looked at the first cases when the time is over
        (name, number, group)
        for number, group in enumerate(groups)
        for name in context.options.tools or TOOLS
    ]
    side_by_side = SIDE_BY_SIDE if machine.cores() >= CORES_FOR_SEVERAL else 1
    checks = []
    with ThreadPoolExecutor(side_by_side) as threads:
        runs = [threads.submit(checked, context, program, *one) for one in wanted]
        for ended in as_completed(runs):
            checks.append(ended.result())
            context.keep({"checks": checks})
    checks = [run.result() for run in runs]
    bad = [words(entry) for entry in checks if not entry["good"]]
    return passed_if(not bad, {"checks": checks}, "; ".join(bad))


def words(entry):
    """Returns what a check says for itself; one that is not run names its cases."""
    cases = f" ({', '.join(entry['cases'])})" if entry["ended"].startswith(NOT_RUN) else ""
    return f"{entry['log']}: {entry['ended']}{cases}"


def checked(context, program, name, number, group):
    result = {"tool": name, "cases": group, "log": f"{name}-{number}.log", "good": False}
    return guarded(result, check, context, program, result)


def case_names(context):
    command = replay(context) + ["--list"]
    for text in context.options.cases:
        command += ["--only", text]
    code, text = processes.answer(command, SECONDS)
    if code != 0:
        raise StepError(f"replay.py --list ended with {code}: {text}")
    found = text.splitlines()
    if not found:
        raise StepError(f"no case's name contains {' or '.join(context.options.cases)}")
    return found


def replay(context):
    bundle = context.file("replay", "replay-bundle.zip")
    return [sys.executable, "-B", context.script("replay.py"), bundle]


def check(context, program, result):
    """Runs one tool over some cases; what it finds is in the log."""
    left = context.seconds_left()
    if left <= 0:
        return {**result, "ended": f"{NOT_RUN}: the command's time is over"}
    command = [program, "--tool", result["tool"], "--error-exitcode", FOUND, "--print-limit", 20]
    command += [*replay(context), "--no-check", "--in-process", "--no-speed", "--repeat", 1]
    for case in result["cases"]:
        command += ["--only", case]
    log = context.log(result["log"])
    ended = processes.run(command, log, min(SECONDS, left))
    is_clean = says_clean(log)
    ending = "it found errors" if ended.code == FOUND else ended.words()
    if ended.code == 0 and not is_clean:
        ending += ", and its log has no summary without errors"
    good = ended.code == 0 and is_clean
    return {**result, "good": good, "ended": ending, "seconds": round(ended.seconds, 1)}


def says_clean(log):
    """Returns whether a tool has looked and says that it found nothing."""
    with open(log, encoding="utf-8", errors="replace") as file:
        return any(summary in line for line in file for summary in CLEAN)
