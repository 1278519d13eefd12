package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
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
final class InFlight {
  private final FragmentLimits limits;
  private final WaitingRoom room;
  private final BooleanSupplier active;
  private final TreeMap<Long, Admission> admissions = new TreeMap<>();
  private final List<Admission> dropped = new ArrayList<>();
  private long nextSequence;
  private final HeldMemory held = new HeldMemory();

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
   * @param room where batches wait
   * @param active whether the fragment is being worked on; asked by any thread without locks
   */
  InFlight(FragmentLimits limits, WaitingRoom room, BooleanSupplier active) {
    this.limits = limits;
    this.room = room;
    this.active = active;
  }

  /** Lets a batch in, owned by this object from now on. */
  Admission admit(RecordBatch batch) {
    BatchMemory memory = BatchMemory.of(batch);
    long sequence = nextSequence++;
    WaitingBatch waiting = room.add(batch, new Place(sequence));
    return put(Admission.ofBatch(sequence, held, waiting, memory));
  }

  /** Adds an output of an admission, owned by this object from now on. */
  void add(Admission admission, RecordBatch output) {
    BatchMemory memory = BatchMemory.of(output);
    admission.add(room.add(output, new Place(admission.sequence())), memory);
  }

  /** Returns whether memory is short, so that what waits need not be there early. */
  boolean isScarce() {
    return room.isScarce();
  }

  /** Lets a split in, which holds so many bytes, owned by this object from now on. */
  Admission admit(Split split, long bytes) {
    return put(Admission.ofSplit(nextSequence++, held, split, bytes));
  }

  /** Adds a place for the output of a lane that finishes. */
  Admission admitFlush() {
    return put(Admission.ofFlush(nextSequence++, held));
  }

  /** Returns the place in the stream of whatever comes next. */
  long nextSequence() {
    return nextSequence;
  }

  boolean isEmpty() {
    return admissions.isEmpty();
  }

  /** Returns the oldest admission, or null. */
  Admission first() {
    return admissions.isEmpty() ? null : admissions.firstEntry().getValue();
  }

  /** Returns whether another batch or split may be let in; one always may. */
  boolean hasRoom() {
    return admissions.isEmpty()
        || (admissions.size() < limits.batchesInFlight() && held.bytes() < limits.bytesInFlight());
  }

  /** Returns whether a lane may yield its next batch: the oldest may if no output of it waits. */
  boolean mayYield(Admission admission) {
    return held.bytes() < limits.bytesInFlight()
        || (first() == admission && !admission.hasOutput());
  }

  /** Lets paused lanes go on that may yield now, or that are not wanted any more. */
  void resume(Predicate<Admission> wanted) {
    for (Admission admission : admissions.values()) {
      if (admission.isPaused() && (mayYield(admission) || !wanted.test(admission))) {
        admission.resume();
      }
    }
  }

  /** Notes that an admission's input is used up. */
  void complete(Admission admission) {
    admission.complete();
    removeIfOver(admission);
  }

  /** Takes an admission out whose input was not touched; returns it for its input. */
  Admission remove(Admission admission) {
    take(admission);
    admission.setInputMemory(BatchMemory.NONE);
    return admission;
  }

  /** Keeps an input that was taken out until it may be freed: it may be on its way to disk. */
  void drop(Admission admission) {
    admission.drop();
    dropped.add(admission);
  }

  /**
   * Returns the next output, owned by the caller, or null for none now.
   *
   * @param ordered whether output must keep the order of admission; that of lanes that finish,
   *     which may wait for each other, has none
   */
  WaitingBatch poll(boolean ordered) {
    for (Admission admission : admissions.values()) {
      WaitingBatch output = admission.poll();
      if (output != null) {
        removeIfOver(admission);
      }
      if (output != null || (ordered && !admission.isFlush())) {
        return output;
      }
    }
    return null;
  }

  /** Closes what is still there; without the lock, when nothing runs any more. */
  void close(Closer closer) {
    admissions.values().forEach(admission -> admission.close(closer));
    admissions.clear();
    dropped.forEach(admission -> admission.close(closer));
    dropped.clear();
  }

  /** Describes number and bytes. */
  @Override
  public String toString() {
    long paused = admissions.values().stream().filter(Admission::isPaused).count();
    return admissions.size()
        + " batches of "
        + held.bytes()
        + " bytes, "
        + paused
        + " wait for room";
  }

  private Admission put(Admission admission) {
    admissions.put(admission.sequence(), admission);
    firstSequence = admissions.firstKey();
    return admission;
  }

  private void take(Admission admission) {
    admissions.remove(admission.sequence());
    firstSequence = admissions.isEmpty() ? nextSequence : admissions.firstKey();
  }

  private void removeIfOver(Admission admission) {
    if (admission.isOver()) {
      take(admission);
    }
  }
}
