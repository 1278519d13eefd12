package io.ariadne.kernel.sort;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.PackPhase;
import io.ariadne.kernel.abi.PackSegmentLayout;
import io.ariadne.kernel.abi.SortPackArgsLayout;

/** Removes constant bits from normalised keys. The kernel is {@code sort/sort_pack.cuh}. */
final class SortPackKernel implements AutoCloseable {
  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelCall call;
  private final ArgumentBlock arguments;

  SortPackKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.call =
        new KernelCall(
            backend,
            "sort_pack",
            SortPackArgsLayout.SIZE_IN_BYTES,
            SortPackArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /**
   * Finds the bits in which rows differ.
   *
   * @param words normalised keys, a word of all rows after the other
   * @param wordCount how many words to look at
   * @param rowCount rows, at least 1
   * @return the bits of each word
   */
  long[] varying(MemoryBuffer words, int wordCount, int rowCount) {
    long bytes = (long) wordCount * Long.BYTES;
    try (MemoryBuffer varying = allocator.allocate(bytes);
        ArgumentBlock host = new ArgumentBlock((int) bytes)) {
      backend.clear(varying, 0, bytes);
      fill(words, rowCount);
      arguments.putLong(SortPackArgsLayout.VARYING_OFFSET, varying.address());
      arguments.putInt(SortPackArgsLayout.PHASE_OFFSET, PackPhase.PACK_VARYING);
      arguments.putInt(SortPackArgsLayout.WORD_COUNT_OFFSET, wordCount);
      call.launch(rowCount);
      backend.read(varying, 0, host.address(), bytes);
      long[] bits = new long[wordCount];
      for (int i = 0; i < wordCount; i++) {
        bits[i] = host.getLong(i * Long.BYTES);
      }
      return bits;
    }
  }

  /**
   * Writes a packed word of all rows.
   *
   * @param words normalised keys
   * @param rowCount rows
   * @param bits the segments of the packed word
   * @param packed receives the words
   * @param offset byte where the first word goes
   */
  void pack(
      MemoryBuffer words, int rowCount, PackedBits.Word bits, MemoryBuffer packed, long offset) {
    fill(words, rowCount);
    arguments.putLong(SortPackArgsLayout.PACKED_OFFSET, packed.address() + offset);
    arguments.putInt(SortPackArgsLayout.PHASE_OFFSET, PackPhase.PACK_COPY);
    arguments.putInt(SortPackArgsLayout.SEGMENT_COUNT_OFFSET, bits.segments().size());
    for (int i = 0; i < bits.segments().size(); i++) {
      PackedBits.Segment segment = bits.segments().get(i);
      int at = SortPackArgsLayout.SEGMENTS_OFFSET + i * SortPackArgsLayout.SEGMENTS_STRIDE;
      arguments.putInt(at + PackSegmentLayout.WORD_OFFSET, segment.word());
      arguments.putInt(at + PackSegmentLayout.FROM_OFFSET, segment.from());
      arguments.putInt(at + PackSegmentLayout.BITS_OFFSET, segment.bits());
      arguments.putInt(at + PackSegmentLayout.TO_OFFSET, segment.to());
    }
    call.launch(rowCount);
  }

  private void fill(MemoryBuffer words, int rowCount) {
    arguments.putLong(SortPackArgsLayout.WORDS_OFFSET, words.address());
    arguments.putLong(SortPackArgsLayout.STRIDE_OFFSET, rowCount);
    arguments.putInt(SortPackArgsLayout.ROWS_OFFSET, rowCount);
  }

  @Override
  public void close() {
    call.close();
  }
}
