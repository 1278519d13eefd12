package io.ariadne.io.gds;

import io.ariadne.io.ByteRange;
import io.ariadne.memory.PagePool;
import java.util.ArrayList;
import java.util.List;

/**
 * How ranges get into device memory: pieces that cuFile reads, and pieces that pass through the
 * host. Pieces end at multiples of {@value #ALIGNMENT} bytes of the file where they can.
 *
 * @param direct pieces for cuFile
 * @param staged pieces that pass through the host
 */
record ReadPlan(List<ByteRange> direct, List<ByteRange> staged) {
  /** What direct I/O wants positions, lengths and addresses to be multiples of. */
  static final int ALIGNMENT = PagePool.PAGE_ALIGNMENT;

  /**
   * Plans the use of cuFile. Where position and address of a range have the same distance to the
   * alignment, its unaligned ends pass through the host, and cuFile gets what is aligned. Where
   * they have not, cuFile gets all: it then moves the bytes within GPU memory.
   *
   * @param ranges what to read
   * @param thresholdBytes shorter pieces pass through the host
   * @param pieceBytes longest piece for cuFile, a multiple of the alignment
   */
  static ReadPlan direct(List<ByteRange> ranges, long thresholdBytes, long pieceBytes) {
    ReadPlan plan = new ReadPlan(new ArrayList<>(), new ArrayList<>());
    for (ByteRange range : ranges) {
      plan.add(range, thresholdBytes, pieceBytes);
    }
    return plan;
  }

  private void add(ByteRange range, long thresholdBytes, long pieceBytes) {
    long position = range.position();
    long end = position + range.length();
    long address = range.target().address() + range.targetOffset();
    boolean isCongruent = (address - position) % ALIGNMENT == 0;
    long from = isCongruent ? Math.min(end, roundedUp(position)) : position;
    long to = isCongruent ? Math.max(from, end - end % ALIGNMENT) : end;
    if (to - from < Math.max(1, thresholdBytes)) {
      staged.add(range);
      return;
    }
    if (from > position) {
      staged.add(part(range, position, from));
    }
    direct.addAll(split(part(range, from, to), pieceBytes));
    if (to < end) {
      staged.add(part(range, to, end));
    }
  }

  /**
   * Cuts a range into pieces.
   *
   * @param pieceBytes longest piece, a multiple of the alignment
   */
  static List<ByteRange> split(ByteRange range, long pieceBytes) {
    List<ByteRange> pieces = new ArrayList<>();
    long end = range.position() + range.length();
    for (long from = range.position(); from < end; ) {
      long to = Math.min(end, from - from % ALIGNMENT + pieceBytes);
      pieces.add(part(range, from, to));
      from = to;
    }
    return pieces;
  }

  private static ByteRange part(ByteRange range, long from, long to) {
    return new ByteRange(
        from, range.target(), range.targetOffset() + from - range.position(), to - from);
  }

  private static long roundedUp(long position) {
    return (position + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
