package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.fragment.control.FragmentLimits;
import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.fragment.memory.RetainedMemory;
import io.ariadne.operator.Split;
import io.ariadne.spill.SpillPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * What a pipeline has let in and not yet yielded, in the order of admission, and the bounds on it.
 * Memory that several batches share counts once. Guarded by the fragment's lock.
 */
final class InFlightBatches {
  private final FragmentLimits limits;
  private final BatchQueue queue;
  private final BooleanSupplier active;
  private final TreeMap<Long, InFlightBatch> batches = new TreeMap<>();
  private final List<InFlightBatch> dropped = new ArrayList<>();
  private long nextSequence;
  private final RetainedMemory held = new RetainedMemory();

  /** The place in the stream of the oldest admission; read without the lock. */
  private volatile long firstSequence;

  /** Where what belongs to an admission waits: behind all before it. */
  private final class Place implements SpillPlacement {
    private final long sequence;

    Place(long sequence) {
      this.sequence = sequence;
    }

    @Override
    public int distanceToUse() {
      // Batches of a pipeline come before what its sinks keep for long.
      return (int) Math.max(1, Math.min(SpillPlacement.NEAR, 1 + sequence - firstSequence));
    }

    @Override
    public boolean isActive() {
      return active.getAsBoolean();
    }
  }

  /**
   * Creates an empty pipeline.
   *
   * @param limits how much may be in flight
   * @param queue where batches wait
   * @param active whether the fragment is being worked on; asked by any thread without locks
   */
  InFlightBatches(FragmentLimits limits, BatchQueue queue, BooleanSupplier active) {
    this.limits = limits;
    this.queue = queue;
    this.active = active;
  }

  /** Lets a batch in, owned by this object from now on. */
  InFlightBatch admit(RecordBatch batch) {
    BatchMemory memory = BatchMemory.of(batch);
    long sequence = nextSequence++;
    QueuedBatch waiting = queue.add(batch, new Place(sequence));
    return put(InFlightBatch.ofBatch(sequence, held, waiting, memory));
  }

  /** Adds an output of an admission, owned by this object from now on. */
  void add(InFlightBatch inFlight, RecordBatch output) {
    BatchMemory memory = BatchMemory.of(output);
    inFlight.add(queue.add(output, new Place(inFlight.sequence())), memory);
  }

  /** Returns whether memory is short, so that what waits need not be there early. */
  boolean isScarce() {
    return queue.isScarce();
  }

  /** Lets a split in, which holds so many bytes, owned by this object from now on. */
  InFlightBatch admit(Split split, long bytes) {
    return put(InFlightBatch.ofSplit(nextSequence++, held, split, bytes));
  }

  /** Adds a place for the output of a driver that finishes. */
  InFlightBatch admitFlush() {
    return put(InFlightBatch.ofFlush(nextSequence++, held));
  }

  /** Returns the place in the stream of whatever comes next. */
  long nextSequence() {
    return nextSequence;
  }

  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Returns the oldest admission, or null. */
  InFlightBatch first() {
    return batches.isEmpty() ? null : batches.firstEntry().getValue();
  }

  /** Returns whether another batch or split may be let in; one always may. */
  boolean hasRoom() {
    return batches.isEmpty()
        || (batches.size() < limits.batchesInFlight() && held.bytes() < limits.bytesInFlight());
  }

  /** Returns whether a driver may yield its next batch: the oldest may if no output of it waits. */
  boolean mayYield(InFlightBatch inFlight) {
    return held.bytes() < limits.bytesInFlight() || (first() == inFlight && !inFlight.hasOutput());
  }

  /** Lets paused drivers go on that may yield now, or that are not wanted any more. */
  void resume(Predicate<InFlightBatch> wanted) {
    for (InFlightBatch inFlight : batches.values()) {
      if (inFlight.isPaused() && (mayYield(inFlight) || !wanted.test(inFlight))) {
        inFlight.resume();
      }
    }
  }

  /** Notes that an admission's input is used up. */
  void complete(InFlightBatch inFlight) {
    inFlight.complete();
    removeIfOver(inFlight);
  }

  /** Takes an admission out whose input was not touched; returns it for its input. */
  InFlightBatch remove(InFlightBatch inFlight) {
    take(inFlight);
    inFlight.setInputMemory(BatchMemory.NONE);
    return inFlight;
  }

  /** Keeps an input that was taken out until it may be freed: it may be on its way to disk. */
  void drop(InFlightBatch inFlight) {
    inFlight.drop();
    dropped.add(inFlight);
  }

  /**
   * Returns the next output, owned by the caller, or null for none now.
   *
   * @param ordered whether output must keep the order of admission; that of drivers that finish,
   *     which may wait for each other, has none
   */
  QueuedBatch poll(boolean ordered) {
    for (InFlightBatch inFlight : batches.values()) {
      QueuedBatch output = inFlight.poll();
      if (output != null) {
        removeIfOver(inFlight);
      }
      if (output != null || (ordered && !inFlight.isFlush())) {
        return output;
      }
    }
    return null;
  }

  /** Closes what is still there; without the lock, when nothing runs any more. */
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
    return batches.size() + " batches of " + held.bytes() + " bytes, " + paused + " wait for room";
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
