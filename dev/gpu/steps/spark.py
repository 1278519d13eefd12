"""TPC-H SF1: 22 queries on the cuda back end give Spark's answers; else SF0.01, simulated"""

from . import tpch

ALL = list(range(1, 23))


def run(context):
    scale = context.options.scale or (1 if context.has_gpu else 0.01)
    engine = "ariadne-cuda" if context.has_gpu else "ariadne-simulated"
    seconds = 30 * max(1.0, scale)
    benchmark = tpch.Benchmark(context, scale, ["spark", engine], 1, 1, seconds)
    benchmark.generate()
    return tpch.outcome(benchmark, benchmark.run(context.options.queries or ALL))
