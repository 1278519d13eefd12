"""each operator by itself at SF10, on Ariadne's cpu and cuda back ends; else SF0.01, simulated"""

import json
import os

from . import tpch
from .context import passed_if

SMALL_COPY_MEGABYTES = 16
COPY_MEGABYTES = 1024


def run(context):
    options = context.options
    scale = options.scale or (10 if context.has_gpu else 0.01)
    backends = ["cpu", "cuda" if context.has_gpu else "simulated"]
    rounds = (3 if context.has_gpu else 1) if options.rounds is None else options.rounds
    benchmark = tpch.Benchmark(context, scale, backends, rounds, 1, 0)
    benchmark.generate()
    folder = context.log("figures")
    words = ["bench", "operators", "--scale", scale, "--backends", ",".join(backends)]
    words += ["--rounds", rounds, "--memory", benchmark.engine_megabytes(), "--json", folder]
    words += ["--copy-megabytes", COPY_MEGABYTES if context.has_gpu else SMALL_COPY_MEGABYTES]
    ended = benchmark.run_java(words, "operators.log", context.seconds_left())
    figures = {name: read(os.path.join(folder, f"operators-{name}.json")) for name in backends}
    details = {"scale": scale, "ended": ended.words(), "backends": figures}
    is_good = ended.code == 0 and all(figures.values())
    return passed_if(is_good, details, f"bench operators: {ended.words()}: see operators.log")


def read(path):
    """Returns the figures of a back end; nothing where it made none."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)
