"""CUB's radix sort, select, scan and reduce by key, and copies: yardsticks on the same machine"""

import json

from . import processes
from .context import Outcome, passed_if
from .machine import tool

NEEDS_GPU = True
COMPILE_SECONDS = 240
RUN_SECONDS = 180


def run(context):
    compiler = tool("nvcc")
    if compiler is None:
        return Outcome("skipped", {}, "no nvcc on the PATH: install the CUDA toolkit")
    program = context.log("peers")
    command = [compiler, "-O3", "-std=c++17", f"-arch={context.gpu['architecture']}"]
    command += ["-o", program, context.script("peers.cu")]
    limit = min(COMPILE_SECONDS, context.seconds_left())
    ended = processes.run(command, context.log("nvcc.log"), limit)
    if ended.code != 0:
        return passed_if(False, {}, f"nvcc: {ended.words()}: see nvcc.log")
    log = context.log("peers.log")
    ended = processes.run([program], log, min(RUN_SECONDS, context.seconds_left()))
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read().partition("\n")[2]  # the first line is the command
    try:
        details = json.loads(text)
    except ValueError:
        return passed_if(False, {}, f"peers: {ended.words()}, no answer: see peers.log")
    return passed_if(ended.code == 0, details, f"peers: {ended.words()}: see peers.log")
