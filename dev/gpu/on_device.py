"""Checks Ariadne on a machine with a GPU, without network and JDK: see README.md beside this file.

  on-device.sh --list              the steps
  on-device.sh unpack              only takes in the parts that have arrived
  on-device.sh STEP [STEP...]      the same, then runs the steps, one after another
  on-device.sh collect FOLDER      copies results and logs there, few and small files
"""

import argparse
import os
import re
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from parts import Depot, PartsError  # noqa: E402
from steps import (  # noqa: E402
    bench,
    kernels,
    machine,
    operators,
    peers,
    processes,
    profiling,
    results,
    sanitizer,
    spark,
    suites,
)
from steps.context import Context, Outcome, StepError  # noqa: E402

STEPS = {
    "kernels": kernels,
    "sanitizer": sanitizer,
    "suites": suites,
    "spark": spark,
    "bench": bench,
    "peers": peers,
    "profile": profiling,
    "operators": operators,
}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def outcome_of(module, context):
    """Runs a step; an error of the step is its outcome, and the next step runs all the same."""
    if getattr(module, "NEEDS_GPU", False) and not context.has_gpu:
        return Outcome("skipped", {}, f"no GPU: {context.gpu['reason']}")
    try:
        return module.run(context)
    except (PartsError, StepError) as error:
        return Outcome("failed", {}, str(error))
    except Exception as error:  # pylint: disable=broad-except
        return Outcome("failed", {"trace": traceback.format_exc()}, repr(error))


def run_step(name, context):
    """Runs a step and writes what became of it; returns its status."""
    label = context.options.label
    context.step = f"{name}-{label}" if label else name
    results.clear(os.path.join(context.results, context.step))
    print(f"{name}: {STEPS[name].__doc__}", flush=True)
    state = machine.gpu_state() if context.has_gpu else {}
    started = time.monotonic()
    if context.seconds_left() > 0:
        outcome = outcome_of(STEPS[name], context)
    else:
        outcome = Outcome("failed", {}, "not run: the command's time is over")
    seconds = time.monotonic() - started
    results.cap_logs(os.path.join(context.results, context.step))
    path = results.write(context, outcome, seconds, state)
    reason = f": {outcome.reason}" if outcome.reason else ""
    print(f"{name}: {outcome.status} in {seconds:.0f} s{reason} ({path})", flush=True)
    return outcome.status


def numbers(text):
    return [int(number) for number in text.split(",")]


def words(text):
    return text.split(",")


def parse_options():
    parser = argparse.ArgumentParser(
        prog="on-device.sh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="STEP")
    parser.add_argument("--list", action="store_true", help="one line for each step")
    parser.add_argument("--parts", default=os.path.join(ROOT, "dev", "gpu", "parts"))
    parser.add_argument("--seconds", type=float, default=540, help="for all steps together")
    parser.add_argument("--cases", action="append", default=[], help="kernels: part of a name")
    parser.add_argument("--classes", action="append", default=[], help="suites: part of a name")
    parser.add_argument("--class-seconds", type=float, default=400, help="suites: for each class")
    parser.add_argument("--parallel", type=int, default=0, help="suites: classes side by side")
    parser.add_argument("--scale", type=float, default=0, help="spark, bench: scale factor")
    parser.add_argument("--queries", type=numbers, default=[], help="spark, bench: such as 1,6")
    parser.add_argument("--engines", type=words, default=[], help="bench: such as spark,ariadne")
    parser.add_argument("--rounds", type=int, help="bench: timed runs; 0: the first run counts")
    parser.add_argument("--warmups", type=int, help="bench: runs before them")
    parser.add_argument("--label", default="", help="ends the results' names: bench-LABEL.json")
    options = parser.parse_args()
    if not re.fullmatch(r"[\w.-]*", options.label):
        parser.error("a label has letters, digits, '.', '_' and '-'")
    check_steps(parser, options)
    return options


def check_steps(parser, options):
    given = options.words
    if not given and not options.list:
        parser.error("give a step: see --list")
    if given[:1] == ["collect"]:
        if len(given) != 2:
            parser.error("collect needs a folder")
    elif given != ["unpack"]:
        for step in given:
            if step not in STEPS:
                parser.error(f"no step {step}: see --list")


def work_folder():
    default = os.path.join(os.path.expanduser("~"), "ariadne-gpu")
    return os.path.abspath(os.environ.get("ARIADNE_GPU_WORK", default))


def run_steps(options, work):
    depot = Depot(options.parts, work)
    started = time.monotonic()
    depot.take_in()
    commit = depot.manifest["commit"][:12]
    print(f"bundle of {commit} in {work}, taken in {time.monotonic() - started:.0f} s", flush=True)
    for name in depot.manifest["components"]:
        missing = [] if depot.is_unpacked(name) else depot.missing(name)
        state = "waits for " + ", ".join(missing) if missing else "unpacked"
        print(f"  {name}: {state}", flush=True)
    if options.words == ["unpack"]:
        return 0
    context = Context(ROOT, depot, options, started)
    os.makedirs(context.results, exist_ok=True)
    print(f"GPU: {context.gpu.get('name') or 'none: ' + context.gpu['reason']}", flush=True)
    statuses = [run_step(name, context) for name in options.words]
    return 1 if "failed" in statuses else 0


def main():
    options = parse_options()
    if options.list:
        for name, module in STEPS.items():
            print(f"{name:10} {module.__doc__}")
        return 0
    if options.words[0] == "collect":
        print("\n".join(results.collect(os.path.join(work_folder(), "results"), options.words[1])))
        return 0
    processes.end_with_this_process()
    try:
        return run_steps(options, work_folder())
    except PartsError as error:
        print(f"on-device.sh: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
