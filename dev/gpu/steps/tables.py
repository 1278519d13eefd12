"""makes the tables that bench reads with the same --scale and --queries, and measures nothing"""

from . import bench
from .context import Outcome


def run(context):
    benchmark, _queries = bench.planned(context)
    benchmark.generate()
    return Outcome("passed", {"scale": benchmark.scale, "folder": benchmark.folder()})
