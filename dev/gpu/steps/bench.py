"""TPC-H SF10: Q1, Q3, Q6, Q9, Q18 on Spark, Ariadne's cpu and cuda; else SF0.01, cpu"""

from . import tpch

QUERIES = [6, 1, 3, 9, 18]
# From here on only the columns are made that these queries read, and each runs twice.
LARGE_SCALE = 50
# One run of a query may take this part of the command's time, so that one that hangs leaves some.
LIMIT_SHARE = 3


def run(context):
    benchmark, queries = planned(context)
    benchmark.generate()
    return tpch.outcome(benchmark, benchmark.run(queries))


def planned(context):
    """Returns the comparison that the options ask for, and its queries."""
    options = context.options
    scale = options.scale or (10 if context.has_gpu else 0.01)
    is_large = scale >= LARGE_SCALE
    rounds = 3 if context.has_gpu and not is_large else 1
    benchmark = tpch.Benchmark(
        context,
        scale,
        options.engines or ["spark", "ariadne-cpu"] + (["ariadne-cuda"] if context.has_gpu else []),
        rounds if options.rounds is None else options.rounds,
        1 if options.warmups is None else options.warmups,
        min(15 * max(1.0, scale), max(30.0, context.seconds_left() / LIMIT_SHARE)),
    )
    queries = options.queries or QUERIES
    if is_large:
        benchmark.keep_only_columns_of(sorted(set(QUERIES) | set(queries)))
    return benchmark, queries
