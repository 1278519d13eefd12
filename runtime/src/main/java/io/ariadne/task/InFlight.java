package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.Split;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What a pipeline has let in and not yet yielded, in the order of admission, and the bounds on it.
 * Memory that several batches share counts once. Guarded by the fragment's lock.
 */
final class InFlight {
  private final FragmentLimits limits;
  private final TreeMap<Long, Admission> admissions = new TreeMap<>();
  private long nextSequence;
  private final HeldMemory held = new HeldMemory();

  InFlight(FragmentLimits limits) {
    this.limits = limits;
  }

  /** Lets a batch in, owned by this object from now on. */
  Admission admit(RecordBatch batch) {
    return put(Admission.ofBatch(nextSequence++, held, batch));
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

  /** Returns whether a split may yield its next batch: the oldest may if no output of it waits. */
  boolean mayYield(Admission admission) {
    return held.bytes() < limits.bytesInFlight()
        || (first() == admission && !admission.hasOutput());
  }

  /** Lets paused splits go on that may yield now, or that are not wanted any more. */
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
    admissions.remove(admission.sequence());
    admission.setInputMemory(BatchMemory.NONE);
    return admission;
  }

  /**
   * Returns the next output, owned by the caller, or null for none now.
   *
   * @param ordered whether output must keep the order of admission
   */
  RecordBatch poll(boolean ordered) {
    for (Admission admission : admissions.values()) {
      RecordBatch output = admission.poll();
      if (output != null) {
        removeIfOver(admission);
      }
      if (output != null || ordered) {
        return output;
      }
    }
    return null;
  }

  /** Closes what is still there; without the lock, when nothing runs any more. */
  void close(Closer closer) {
    admissions.values().forEach(admission -> admission.close(closer));
    admissions.clear();
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
    return admission;
  }

  private void removeIfOver(Admission admission) {
    if (admission.isOver()) {
      admissions.remove(admission.sequence());
    }
  }
}
