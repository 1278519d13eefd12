package io.ariadne.metrics;

import io.ariadne.event.MemoryUse;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Metrics of one plan node. Any thread adds to them; only the task thread reads them to publish
 * them to Spark.
 *
 * <p>A read while the fragment runs returns a recent value.
 */
public final class NodeMetrics {
  /**
   * Metric: the most bytes of all memory tiers that the node held at one time; named like Spark's
   * own metric.
   */
  public static final String PEAK_BYTES = "peakMemory";

  /** Metric: nanoseconds that the node's operators waited for memory or disks. */
  public static final String WAIT_NANOS = "waitNanos";

  /** Metric: bytes of the node's batches that moved to another memory tier. */
  public static final String SPILL_BYTES = "spillBytes";

  /** Metric: nanoseconds that moving the node's batches to another tier and back took. */
  public static final String SPILL_NANOS = "spillNanos";

  private final MemoryUse memory;
  private final LongAdder rows = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final Map<String, LongAdder> extras = new ConcurrentHashMap<>();

  /**
   * Creates metrics of zero.
   *
   * @param whole memory that the fragment holds
   */
  public NodeMetrics(MemoryUse whole) {
    this.memory = new MemoryUse(whole);
  }

  /** Returns the pools' memory that the node holds. */
  public MemoryUse memory() {
    return memory;
  }

  /**
   * Counts one output batch.
   *
   * @param rowCount its rows
   * @param sizeInBytes size of its buffers with padding
   */
  public void addOutput(long rowCount, long sizeInBytes) {
    rows.add(rowCount);
    batches.increment();
    bytes.add(sizeInBytes);
  }

  /** Adds time spent in the node's operator, summed over threads. */
  public void addNanos(long elapsedNanos) {
    nanos.add(elapsedNanos);
  }

  /** Returns the output rows so far. */
  public long rows() {
    return rows.sum();
  }

  /** Returns the output batches so far. */
  public long batches() {
    return batches.sum();
  }

  /**
   * Returns the bytes of the output batches so far, with padding; a shared heap counts once per
   * batch.
   */
  public long bytes() {
    return bytes.sum();
  }

  /**
   * Returns the time spent so far, summed over threads; of several nodes that share an operator,
   * one counts it.
   */
  public long nanos() {
    return nanos.sum();
  }

  /** Returns the counter of a metric that only some nodes have; created on first use. */
  public LongAdder extra(String name) {
    return extras.computeIfAbsent(name, unused -> new LongAdder());
  }

  /**
   * Returns the value so far of a metric that only some nodes have; 0 if the node does not have it.
   */
  public long value(String name) {
    return name.equals(PEAK_BYTES) ? memory.peakBytes() : extra(name).sum();
  }

  /** Returns the values so far of the metrics that only some nodes have, by name. */
  public Map<String, Long> extras() {
    Map<String, Long> sums = new TreeMap<>();
    extras.forEach((name, counter) -> sums.put(name, counter.sum()));
    return sums;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("rows=").append(rows()).append(" batches=").append(batches());
    text.append(" bytes=").append(bytes()).append(" nanos=").append(nanos());
    extras().forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    return text.toString();
  }
}
