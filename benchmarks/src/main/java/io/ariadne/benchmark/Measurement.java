package io.ariadne.benchmark;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What one engine did with one query. Grows while the benchmark runs; one thread. */
@JsonInclude(JsonInclude.Include.NON_NULL)
final class Measurement {
  /** The engine's name. */
  public final String engine;

  /** The query's name. */
  public final String query;

  /** The first, cold run. */
  public double firstSeconds;

  /** The timed runs after the warm-up. */
  public final List<Double> seconds = new ArrayList<>();

  /** Rows of the answer. */
  public long rows;

  /** Hash of the sorted, canonically printed answer. */
  public String resultHash;

  /** Operators that ran on Ariadne, and all of them; null for engines that do not tell. */
  public String accelerated;

  /**
   * The most bytes the engine's own memory pool has held since its start, earlier queries included;
   * null for engines that do not tell.
   */
  public Long peakBytes;

  /** Whether the answer was compared with the first engine's; not where dialects differ. */
  public boolean compared = true;

  /** Why the query failed; null when it did not. */
  public String error;

  /** The first difference to the first engine's answer; null when equal. */
  public String difference;

  @JsonIgnore String answerFile;

  Measurement(String engine, String query) {
    this.engine = engine;
    this.query = query;
  }

  /** Returns the median of the timed runs, of the first run when there are none. */
  public double getMedianSeconds() {
    if (seconds.isEmpty()) {
      return firstSeconds;
    }
    List<Double> sorted = new ArrayList<>(seconds);
    Collections.sort(sorted);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  @JsonIgnore
  boolean failed() {
    return error != null || difference != null;
  }
}
