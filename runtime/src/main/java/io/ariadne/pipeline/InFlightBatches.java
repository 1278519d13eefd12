package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.fragment.admission.InFlightBudget;
import io.ariadne.fragment.control.FragmentLimits;
import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.operator.Split;
import io.ariadne.spill.SpillPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The in-flight batches of a pipeline in the order of admission, and the limits on them. Memory
 * that several batches share counts once. Guarded by the fragment's lock.
 */
final class InFlightBatches {
  private final FragmentLimits limits;
  private final InFlightBudget inFlightBudget;
  private final BatchQueue queue;
  private final BooleanSupplier active;
  private final TreeMap<Long, InFlightBatch> batches = new TreeMap<>();
  private final List<InFlightBatch> dropped = new ArrayList<>();
  private long nextSequence;
  private final InFlightMemory memory = new InFlightMemory();

  /** The sequence number of the oldest in-flight batch; read without the lock. */
  private volatile long firstSequence;

  /** Tells the spill space that a batch is needed after all earlier ones. */
  private final class Place implements SpillPlacement {
    private final long sequence;

    Place(long sequence) {
      this.sequence = sequence;
    }

    @Override
    public int distanceToUse() {
      // In-flight batches are needed before batches that sinks keep for long.
      return (int) Math.max(1, Math.min(SpillPlacement.NEAR, 1 + sequence - firstSequence));
    }

    @Override
    public boolean isActive() {
      return active.getAsBoolean();
    }
  }

  /**
   * Creates an empty set.
   *
   * @param limits how many batches may be in flight
   * @param inFlightBudget how many bytes may be held when a driver adds output or takes input
   * @param queue keeps waiting batches
   * @param active whether the fragment is being worked on; called by any thread without locks
   */
  InFlightBatches(
      FragmentLimits limits,
      InFlightBudget inFlightBudget,
      BatchQueue queue,
      BooleanSupplier active) {
    this.limits = limits;
    this.inFlightBudget = inFlightBudget;
    this.queue = queue;
    this.active = active;
  }

  /** Admits a batch and takes ownership of it. */
  InFlightBatch admit(RecordBatch batch) {
    long sequence = nextSequence++;
    BatchMemory batchMemory = BatchMemory.of(batch);
    QueuedBatch waiting = queue.add(batch, new Place(sequence));
    return put(InFlightBatch.ofBatch(sequence, memory, waiting, batchMemory));
  }

  /** Adds an output of an in-flight batch and takes ownership of it. */
  void add(InFlightBatch inFlight, RecordBatch output) {
    BatchMemory outputMemory = BatchMemory.of(output);
    inFlight.add(queue.add(output, new Place(inFlight.sequence())), outputMemory);
  }

  /**
   * Admits a split and takes ownership of it.
   *
   * @param bytes memory that the split holds
   */
  InFlightBatch admit(Split split, long bytes) {
    return put(InFlightBatch.ofSplit(nextSequence++, memory, split, bytes));
  }

  /** Adds a place for the output of a driver that finishes. */
  InFlightBatch admitFlush() {
    return put(InFlightBatch.ofFlush(nextSequence++, memory));
  }

  /** Returns the sequence number of the next batch, split or flush. */
  long nextSequence() {
    return nextSequence;
  }

  /** Returns whether nothing is in flight. */
  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Returns the oldest in-flight batch, or null. */
  InFlightBatch first() {
    return batches.isEmpty() ? null : batches.firstEntry().getValue();
  }

  /**
   * Returns whether another batch or split may be admitted; always true if nothing is in flight.
   */
  boolean mayAdmit() {
    return batches.isEmpty() || (batches.size() < limits.batchesInFlight() && hasBudget());
  }

  /**
   * Returns whether a driver may emit its next batch: the budget allows it, or it works on the
   * oldest in-flight batch and none of that one's output is queued.
   */
  boolean mayEmit(InFlightBatch inFlight) {
    return hasBudget() || (first() == inFlight && !inFlight.hasOutput());
  }

  /** Returns whether the budget allows more input and output. */
  boolean hasBudget() {
    return inFlightBudget.allows(memory.all().bytes(), memory.output().bytes());
  }

  /** Lets paused drivers continue that may emit again, or whose output is not wanted any more. */
  void resume(Predicate<InFlightBatch> wanted) {
    for (InFlightBatch inFlight : batches.values()) {
      if (inFlight.isPaused() && (mayEmit(inFlight) || !wanted.test(inFlight))) {
        inFlight.resume();
      }
    }
  }

  /** Notes that the input of an in-flight batch is used up. */
  void complete(InFlightBatch inFlight) {
    inFlight.complete();
    removeIfOver(inFlight);
  }

  /** Removes and returns an in-flight batch whose input no driver has touched. */
  InFlightBatch remove(InFlightBatch inFlight) {
    take(inFlight);
    inFlight.setInputMemory(BatchMemory.NONE);
    return inFlight;
  }

  /** Keeps a removed batch until {@link #close}: it may be on its way to disk. */
  void drop(InFlightBatch inFlight) {
    inFlight.drop();
    dropped.add(inFlight);
  }

  /**
   * Returns the next output, owned by the caller, or null if there is none now; the budget learns
   * of either.
   *
   * @param ordered whether output must keep the order of admission. Flushes have no order, as one
   *     may wait for another
   */
  QueuedBatch poll(boolean ordered) {
    for (InFlightBatch inFlight : batches.values()) {
      long before = memory.output().bytes();
      QueuedBatch output = inFlight.poll();
      if (output != null) {
        inFlightBudget.taken(before - memory.output().bytes());
        removeIfOver(inFlight);
      }
      if (output != null || (ordered && !inFlight.isFlush())) {
        return output;
      }
    }
    return null;
  }

  /** Closes everything that is left; called without the lock, when no work runs any more. */
  void close(Closer closer) {
    batches.values().forEach(inFlight -> inFlight.close(closer));
    batches.clear();
    dropped.forEach(inFlight -> inFlight.close(closer));
    dropped.clear();
  }

  /** Describes number and bytes. */
  @Override
  public String toString() {
    long paused = batches.values().stream().filter(InFlightBatch::isPaused).count();
    return batches.size()
        + " batches of "
        + memory.all().bytes()
        + " bytes, "
        + paused
        + " paused by back-pressure";
  }

  private InFlightBatch put(InFlightBatch inFlight) {
    batches.put(inFlight.sequence(), inFlight);
    firstSequence = batches.firstKey();
    return inFlight;
  }

  private void take(InFlightBatch inFlight) {
    batches.remove(inFlight.sequence());
    firstSequence = batches.isEmpty() ? nextSequence : batches.firstKey();
  }

  private void removeIfOver(InFlightBatch inFlight) {
    if (inFlight.isOver()) {
      take(inFlight);
    }
  }
}
