package io.ariadne.metrics;

import io.ariadne.event.MemoryUse;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Figures of one plan node, added to by any thread and read by the task thread, which alone may
 * publish them to Spark.
 *
 * <p>Reading while the fragment runs gives a value of the recent past.
 */
public final class NodeMetrics {
  /**
   * Figure: the most bytes of the pools, of all memory tiers, that the node held at once; by the
   * name of Spark's own metric.
   */
  public static final String PEAK_BYTES = "peakMemory";

  /** Figure: nanoseconds that the node's operators have waited for memory or disks. */
  public static final String WAIT_NANOS = "waitNanos";

  /** Figure: bytes of memory that batches of the node have left for another tier. */
  public static final String SPILL_BYTES = "spillBytes";

  /** Figure: nanoseconds in which batches of the node were moved to another tier and back. */
  public static final String SPILL_NANOS = "spillNanos";

  private final MemoryUse memory;
  private final LongAdder rows = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final Map<String, LongAdder> extras = new ConcurrentHashMap<>();

  /**
   * Creates the figures of a node that has done nothing.
   *
   * @param whole what the fragment holds of the pools' memory
   */
  public NodeMetrics(MemoryUse whole) {
    this.memory = new MemoryUse(whole);
  }

  /** Returns what the node holds of the pools' memory. */
  public MemoryUse memory() {
    return memory;
  }

  /**
   * Counts one batch of output.
   *
   * @param rowCount its rows
   * @param sizeInBytes its buffers, padding included
   */
  public void addOutput(long rowCount, long sizeInBytes) {
    rows.add(rowCount);
    batches.increment();
    bytes.add(sizeInBytes);
  }

  /** Counts time spent in the node's operator, summed over threads. */
  public void addNanos(long elapsedNanos) {
    nanos.add(elapsedNanos);
  }

  /** Returns output rows so far. */
  public long rows() {
    return rows.sum();
  }

  /** Returns output batches so far. */
  public long batches() {
    return batches.sum();
  }

  /** Returns bytes of the output batches so far, padding included, shared heaps once per batch. */
  public long bytes() {
    return bytes.sum();
  }

  /** Returns time spent so far, summed over threads; nodes that share an operator count it once. */
  public long nanos() {
    return nanos.sum();
  }

  /** Returns the counter of a figure that only some nodes have; made when first asked for. */
  public LongAdder extra(String name) {
    return extras.computeIfAbsent(name, unused -> new LongAdder());
  }

  /** Returns a figure that only some nodes have, by its name, so far; 0 where there is none. */
  public long figure(String name) {
    return name.equals(PEAK_BYTES) ? memory.peakBytes() : extra(name).sum();
  }

  /** Returns the other figures so far, by name. */
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
