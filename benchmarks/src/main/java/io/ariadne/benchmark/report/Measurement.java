package io.ariadne.benchmark.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.ariadne.benchmark.store.StoreTraffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The runs of one query on one engine. Grows while the benchmark runs. Not thread-safe. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class Measurement {
  /** The engine's name. */
  public final String engine;

  /** The query's name. */
  public final String query;

  /** The first, cold run. */
  public double firstSeconds;

  /** The timed runs after the warm-up. */
  public final List<Double> seconds = new ArrayList<>();

  /**
   * The processor time of the engine's JVMs in the timed runs, compilers and collectors included.
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public final List<Double> cpuSeconds = new ArrayList<>();

  /**
   * What the scans of the timed runs have counted, by the name of the counter, times in
   * nanoseconds; empty for engines that do not report it.
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public final List<Map<String, Long>> scans = new ArrayList<>();

  /** What Spark counted in the shuffles of the timed runs; empty for engines without them. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public final List<Map<String, Long>> shuffles = new ArrayList<>();

  /** What the first run asked of the store; null when it was not counted. */
  public StoreTraffic firstTraffic;

  /** What the timed runs asked of the store; empty when it was not counted. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public final List<StoreTraffic> traffic = new ArrayList<>();

  /** Rows of the answer. */
  public long rows;

  /** Hash of the sorted, canonically printed answer. */
  public String resultHash;

  /** {@code a/b}: a of b operators ran on Ariadne; null for engines that do not report it. */
  public String accelerated;

  /**
   * The peak of the bytes in the engine's memory pool since its start, earlier queries included;
   * null for engines that do not report it.
   */
  public Long peakBytes;

  /** Whether the answer was compared with the first engine's; false where dialects differ. */
  public boolean compared = true;

  /** Why the query failed; null when it did not. */
  public String error;

  /** The first difference from the first engine's answer; null when the answers are equal. */
  public String difference;

  /** The file of the answer; not in reports. */
  @JsonIgnore public String answerFile;

  /** Creates a measurement without runs. */
  public Measurement(String engine, String query) {
    this.engine = engine;
    this.query = query;
  }

  /** Returns the median of the timed runs, or the seconds of the first run when there are none. */
  public double getMedianSeconds() {
    if (seconds.isEmpty()) {
      return firstSeconds;
    }
    return Median.of(seconds);
  }

  /**
   * Returns the time within which 99 of 100 timed runs ended (the nearest rank: the longest time if
   * there are fewer than 100); null when there are none.
   */
  public Double getP99Seconds() {
    return percentile(0.99);
  }

  /** Returns the longest of the timed runs; null when there are none. */
  public Double getMaxSeconds() {
    return percentile(1);
  }

  private Double percentile(double share) {
    if (seconds.isEmpty()) {
      return null;
    }
    List<Double> sorted = new ArrayList<>(seconds);
    Collections.sort(sorted);
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }

  /**
   * Returns the bytes per second that the timed runs read from the store, over all their time; of
   * the first run when there are none; null when they were not counted.
   */
  public Double getStoreBytesPerSecond() {
    if (firstTraffic == null) {
      return null;
    }
    if (traffic.isEmpty()) {
      return firstTraffic.bytes() / firstSeconds;
    }
    double total = seconds.stream().mapToDouble(Double::doubleValue).sum();
    return traffic.stream().mapToLong(StoreTraffic::bytes).sum() / total;
  }

  /** Returns whether the query failed or its answer differs. */
  @JsonIgnore
  public boolean failed() {
    return error != null || difference != null;
  }
}
