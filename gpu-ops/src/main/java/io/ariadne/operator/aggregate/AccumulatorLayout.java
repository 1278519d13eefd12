package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.expression.compiler.AggregateProgramCompiler.Accumulation;
import io.ariadne.kernel.hash.GroupPickKernel;
import io.ariadne.kernel.tile.AccumulatorKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays out a group's record: the offset of each accumulator and of each pick. Also numbers the
 * lists that are collected beside the records. Built once per plan; read-only afterwards.
 *
 * <p>Equal accumulators share their place. Picks are not accumulators of tile programs: a kernel
 * updates them after the program has run.
 */
final class AccumulatorLayout {
  private static final int RECORD_ALIGNMENT = 16;

  private final List<Accumulation> accumulations = new ArrayList<>();
  private final List<Integer> offsets = new ArrayList<>();
  private final List<Pick> pickInputs = new ArrayList<>();
  private final List<GroupPickKernel.Place> picks = new ArrayList<>();
  private final List<ListAggregate> collections = new ArrayList<>();
  private int end;

  /** Adds an accumulator unless the layout has an equal one; returns its offset in bytes. */
  int add(Accumulation accumulation) {
    int known = accumulations.indexOf(accumulation);
    if (known >= 0) {
      return offsets.get(known);
    }
    int offset = aligned(end, accumulation.kind().alignmentInBytes());
    accumulations.add(accumulation);
    offsets.add(offset);
    end = offset + accumulation.kind().sizeInBytes();
    return offset;
  }

  /** Adds a pick unless the layout has an equal one; returns its offset in bytes. */
  int add(Pick pick) {
    int known = pickInputs.indexOf(pick);
    if (known >= 0) {
      return picks.get(known).offset();
    }
    int offset = aligned(end, RECORD_ALIGNMENT);
    pickInputs.add(pick);
    picks.add(pick.at(offset));
    end = offset + GroupPickKernel.SIZE_IN_BYTES;
    return offset;
  }

  /** Adds a collected list unless the layout has an equal one; returns its number. */
  int add(ListAggregate collection) {
    int known = collections.indexOf(collection);
    if (known < 0) {
      collections.add(collection);
    }
    return known < 0 ? collections.size() - 1 : known;
  }

  /** Returns the lists that groups collect. */
  List<ListAggregate> collections() {
    return collections;
  }

  /** Returns the inputs of the picks, in the order of {@link #picks()}. */
  List<Pick> pickInputs() {
    return pickInputs;
  }

  /** Returns the place of each pick in a record. */
  List<GroupPickKernel.Place> picks() {
    return picks;
  }

  List<Accumulation> accumulations() {
    return accumulations;
  }

  List<Integer> offsets() {
    return offsets;
  }

  /** Returns the kind of each accumulator. */
  List<AccumulatorKind> kinds() {
    return accumulations.stream().map(Accumulation::kind).toList();
  }

  /**
   * Returns whether records of another layout have the same accumulators and picks at the same
   * offsets.
   */
  boolean hasSameRecords(AccumulatorLayout other) {
    return offsets.equals(other.offsets)
        && kinds().equals(other.kinds())
        && picks.equals(other.picks)
        && collections.size() == other.collections.size();
  }

  /** Returns the bytes of a record, a multiple of 16. */
  int strideInBytes() {
    return Math.max(RECORD_ALIGNMENT, aligned(end, RECORD_ALIGNMENT));
  }

  /** Writes the record of a group without rows to host memory. */
  void initialize(long record) {
    for (int i = 0; i < offsets.size(); i++) {
      kind(i).initialize(record + offsets.get(i));
    }
    picks.forEach(pick -> GroupPickKernel.initialize(pick.rule(), record + pick.offset()));
  }

  /** Writes consecutive records of groups without rows to host memory. */
  void initialize(long records, int count) {
    long stride = strideInBytes();
    initialize(records);
    for (long done = 1; done < count; done *= 2) {
      Memory.copy(records, records + done * stride, Math.min(done, count - done) * stride);
    }
  }

  /**
   * Adds the accumulators of a record to those of another. Both are in host memory. Picks are left
   * as they are.
   */
  void combine(long target, long source) {
    for (int i = 0; i < offsets.size(); i++) {
      kind(i).combine(target + offsets.get(i), source + offsets.get(i));
    }
  }

  private AccumulatorKind kind(int index) {
    return accumulations.get(index).kind();
  }

  private static int aligned(int offset, int alignment) {
    return (offset + alignment - 1) & -alignment;
  }
}
