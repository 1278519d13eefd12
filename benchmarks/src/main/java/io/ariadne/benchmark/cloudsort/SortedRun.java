package io.ariadne.benchmark.cloudsort;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.ariadne.benchmark.store.StoreTraffic;
import java.util.Map;

/**
 * One sort of one input by one engine.
 *
 * @param engine the engine's name
 * @param recordBytes bytes of the records
 * @param seconds from the start of the query until its output is complete
 * @param cpuSeconds processor time of the engine's processes
 * @param storeCpuSeconds processor time of the store on this machine
 * @param traffic what the engine asked of the store; null when it was not counted
 * @param counters what Spark's tasks counted, by the name of the counter
 * @param accelerated {@code a/b}: a of b operators ran on Ariadne
 * @param poolBytes the peak of Ariadne's memory pool
 * @param check what the check of the output has found
 * @param cost US dollars per terabyte
 * @param error why the run failed or what is wrong with its output; null for nothing
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SortedRun(
    String engine,
    long recordBytes,
    double seconds,
    double cpuSeconds,
    double storeCpuSeconds,
    StoreTraffic traffic,
    Map<String, Long> counters,
    String accelerated,
    long poolBytes,
    CheckResult check,
    CostModel.Cost cost,
    String error) {
  /** Returns a run that has failed. */
  static SortedRun failed(String engine, long recordBytes, String error) {
    return new SortedRun(engine, recordBytes, 0, 0, 0, null, Map.of(), null, 0, null, null, error);
  }

  /** Returns a counter of Spark's tasks; 0 when it was not counted. */
  long counter(String name) {
    return counters.getOrDefault(name, 0L);
  }
}
