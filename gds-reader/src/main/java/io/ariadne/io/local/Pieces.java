package io.ariadne.io.local;

import io.ariadne.memory.PagePool;
import java.util.List;

/** Cuts ranges of a file into pieces. */
final class Pieces {
  /** Most bytes of a piece that one page can take. */
  static final int PAGE_BYTES = PagePool.PAGE_BYTES;

  /** A direct range with fewer aligned bytes goes through a page as a whole. */
  private static final int LEAST_ALIGNED_BYTES = 128 << 10;

  private Pieces() {}

  /**
   * Cuts a range.
   *
   * <p>Cuts are at multiples of {@code most} in the file. Of a direct range whose address is
   * aligned like its position, the aligned bytes go straight to the target, only the ends go
   * through pages. Any other direct range goes through pages as a whole.
   *
   * @param file the file
   * @param position first byte
   * @param address where the bytes go
   * @param length bytes
   * @param most bytes of a piece at most, a power of two and at least {@link #PAGE_BYTES}
   * @param pieces receives the pieces in the order of their positions
   */
  static void cut(
      OpenFile file, long position, long address, long length, int most, List<Piece> pieces) {
    if (!file.isDirect()) {
      cut(new Cut(file, address - position, false, most), position, position + length, pieces);
      return;
    }
    long end = position + length;
    int alignment = file.offsetAlignment();
    long alignedStart = (position + alignment - 1) & -alignment;
    long alignedEnd = end & -alignment;
    long shift = address - position;
    boolean isAligned =
        (alignedStart + shift) % file.memoryAlignment() == 0
            && alignedEnd - alignedStart >= LEAST_ALIGNED_BYTES;
    Cut paged = new Cut(file, shift, true, PAGE_BYTES);
    if (isAligned) {
      cut(paged, position, alignedStart, pieces);
      cut(new Cut(file, shift, true, most), alignedStart, alignedEnd, pieces);
      cut(paged, alignedEnd, end, pieces);
    } else {
      cut(paged, position, end, pieces);
    }
  }

  /**
   * How to cut.
   *
   * @param file the file
   * @param shift address minus position
   * @param isDirect whether to bypass the page cache
   * @param most bytes of a piece at most
   */
  private record Cut(OpenFile file, long shift, boolean isDirect, int most) {}

  private static void cut(Cut how, long start, long end, List<Piece> pieces) {
    for (long at = start; at < end; ) {
      long next = Math.min(end, (at & -(long) how.most()) + how.most());
      pieces.add(new Piece(how.file(), at, at + how.shift(), (int) (next - at), how.isDirect()));
      at = next;
    }
  }
}
