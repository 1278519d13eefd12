package io.ariadne.kernel.parquet;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetNestedArgsLayout;

/**
 * Computes the parts of nested Arrow columns from a leaf's repetition and definition levels: the
 * offsets of a list, and the validity of a list, a struct or the leaf. Kernel {@code
 * parquet_nested}. Used by one thread at a time.
 */
public final class NestedLevels implements AutoCloseable {
  /** Levels are less than this. */
  public static final int MAX_LEVEL = 255;

  private static final int SMALLEST_TILE = 4 * 32;
  private static final Node ROWS = new Node(0, 0, MAX_LEVEL, 0, 0);

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelCall call;

  /**
   * Finds a node's slots, elements and nulls in the levels. An entry begins a slot if its
   * repetition level is at most {@code slotRepetition} and its definition level is at least {@code
   * slotDefinition}; the same holds for an element.
   *
   * @param slotRepetition repetition level of the node's nearest repeated ancestor, 0 without one
   * @param slotDefinition definition level of that ancestor, 0 without one
   * @param elementRepetition for a list the repetition level of its elements, otherwise 0
   * @param elementDefinition for a list the definition level of its elements, otherwise 0
   * @param validDefinition definition level from which on the node is not null; 0 for a required
   *     node
   */
  public record Node(
      int slotRepetition,
      int slotDefinition,
      int elementRepetition,
      int elementDefinition,
      int validDefinition) {
    /** Returns the node of a struct or a leaf. */
    public static Node ofValue(int slotRepetition, int slotDefinition, int validDefinition) {
      return new Node(slotRepetition, slotDefinition, 0, 0, validDefinition);
    }
  }

  /**
   * The counts of a node.
   *
   * @param slots rows of its column
   * @param elements rows of a list's child
   * @param valid slots that are not null
   */
  public record Counts(int slots, int elements, int valid) {}

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public NestedLevels(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.call =
        new KernelCall(
            backend,
            "parquet_nested",
            ParquetNestedArgsLayout.SIZE_IN_BYTES,
            ParquetNestedArgsLayout.STATUS_OFFSET);
  }

  /**
   * Computes a node's parts of whole rows and waits for them.
   *
   * @param repetition address of the repetition levels, one byte per entry; 0 when all are 0
   * @param definition address of the definition levels, one byte per entry
   * @param entries number of levels; the repetition level of the first one is 0
   * @param node which slots
   * @param offsets a buffer of {@code entries + 1} 32-bit offsets, which receives slots + 1; null
   *     for none
   * @param validity a buffer of {@code entries} zero bits; null for none
   * @return the counts
   * @throws ParquetPageException LEVEL when an entry continues a missing row or list; its byte
   *     offset is the number of the entry
   */
  public Counts decode(
      long repetition,
      long definition,
      int entries,
      Node node,
      MemoryBuffer offsets,
      MemoryBuffer validity) {
    call.arguments().putInt(ParquetNestedArgsLayout.MAY_CONTINUE_OFFSET, 0);
    return run(repetition, definition, entries, node, offsets, validity);
  }

  /**
   * Finds where rows begin.
   *
   * @param repetition address of the repetition levels, one byte per entry
   * @param entries number of levels; those before the first row continue an earlier row
   * @param starts a buffer of {@code entries + 1} 32-bit numbers; receives the first entry of each
   *     row, then {@code entries}
   * @return how many rows begin here
   */
  public int rows(long repetition, int entries, MemoryBuffer starts) {
    call.arguments().putInt(ParquetNestedArgsLayout.MAY_CONTINUE_OFFSET, 1);
    return run(repetition, repetition, entries, ROWS, starts, null).slots();
  }

  private Counts run(
      long repetition,
      long definition,
      int entries,
      Node node,
      MemoryBuffer offsets,
      MemoryBuffer validity) {
    ArgumentBlock arguments = call.arguments();
    put(ParquetNestedArgsLayout.REPETITION_OFFSET, repetition);
    put(ParquetNestedArgsLayout.DEFINITION_OFFSET, definition);
    put(ParquetNestedArgsLayout.OFFSETS_OFFSET, offsets == null ? 0 : offsets.address());
    put(ParquetNestedArgsLayout.VALIDITY_OFFSET, validity == null ? 0 : validity.address());
    arguments.putInt(ParquetNestedArgsLayout.COUNT_OFFSET, entries);
    arguments.putInt(ParquetNestedArgsLayout.SLOT_REPETITION_OFFSET, node.slotRepetition());
    arguments.putInt(ParquetNestedArgsLayout.SLOT_DEFINITION_OFFSET, node.slotDefinition());
    arguments.putInt(ParquetNestedArgsLayout.ELEMENT_REPETITION_OFFSET, node.elementRepetition());
    arguments.putInt(ParquetNestedArgsLayout.ELEMENT_DEFINITION_OFFSET, node.elementDefinition());
    arguments.putInt(ParquetNestedArgsLayout.VALID_DEFINITION_OFFSET, node.validDefinition());
    launch(entries);
    KernelStatus status = call.status();
    return new Counts(
        Math.toIntExact(status.rowsOut()),
        Math.toIntExact(status.detail(0)),
        Math.toIntExact(status.detail(1)));
  }

  private void launch(int entries) {
    call.begin();
    if (!backend.isBlockParallel()) {
      call.launch(entries);
      StreamWindowKernel.await(call.status());
      return;
    }
    long words = 2L + entries / SMALLEST_TILE;
    try (MemoryBuffer workspace = allocator.allocate(words * Long.BYTES)) {
      backend.clear(workspace, 0, words * Long.BYTES);
      put(ParquetNestedArgsLayout.WORKSPACE_OFFSET, workspace.address());
      call.launch(entries);
      StreamWindowKernel.await(call.status());
    }
  }

  private void put(int field, long value) {
    call.arguments().putLong(field, value);
  }

  @Override
  public void close() {
    call.close();
  }
}
