package io.ariadne.benchmark.report;

import java.util.List;
import java.util.Map;

/**
 * What was counted in the timed runs of one query on one engine.
 *
 * @param runs per run the values by the name of their counter
 */
record CountedRuns(List<Map<String, Long>> runs) {
  /** Returns the sum of a counter over all runs; 0 when it was not counted. */
  long sum(String counter) {
    return runs.stream().mapToLong(run -> run.getOrDefault(counter, 0L)).sum();
  }

  /** Returns the mean of a counter. There is a run. */
  double mean(String counter) {
    return sum(counter) / (double) runs.size();
  }
}
