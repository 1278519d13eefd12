package io.ariadne.io.s3;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.io.ByteRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Divides ranges of an object into parts of one request each. Ranges that follow each other in the
 * object share a request, also when their targets are apart; what is longer than {@value
 * #LONGEST_BYTES} bytes is divided, because a store limits the rate of each connection.
 */
final class PartPlan {
  static final long LONGEST_BYTES = 16L << 20;
  private static final long DIVIDED_BYTES = 8L << 20;

  private PartPlan() {}

  /**
   * A piece of a part in one target.
   *
   * @param position first byte in the object
   * @param address where it goes
   * @param length bytes, more than 0
   */
  record Piece(long position, long address, long length) {}

  /** Bytes of an object that one request reads, and where they go. */
  static final class Part {
    private final long position;
    private final long length;
    private final List<Piece> pieces;

    private Part(List<Piece> pieces) {
      Piece last = pieces.get(pieces.size() - 1);
      this.position = pieces.get(0).position();
      this.length = last.position() + last.length() - position;
      this.pieces = List.copyOf(pieces);
    }

    /** Returns the first byte in the object. */
    long position() {
      return position;
    }

    /** Returns the number of bytes. */
    long length() {
      return length;
    }

    /**
     * Writes bytes to the targets.
     *
     * @param offset first byte, counted from the start of the part
     * @param bytes the bytes
     * @param count how many; the caller has checked that they end within the part
     */
    void put(long offset, byte[] bytes, int count) {
      long from = position + offset;
      int done = 0;
      for (int i = indexOf(from); done < count; i++) {
        Piece piece = pieces.get(i);
        long skipped = from + done - piece.position();
        int length = (int) Math.min(count - done, piece.length() - skipped);
        Memory.copy(bytes, done, piece.address() + skipped, length);
        done += length;
      }
    }

    private int indexOf(long at) {
      int low = 0;
      int high = pieces.size() - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (pieces.get(middle).position() <= at) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }
  }

  /**
   * Divides ranges.
   *
   * @param ranges in any order, checked against the object and their targets
   * @return the parts, in the order of their first bytes
   */
  static List<Part> of(List<ByteRange> ranges) {
    List<ByteRange> sorted = new ArrayList<>(ranges);
    sorted.removeIf(range -> range.length() == 0);
    sorted.sort(Comparator.comparingLong(ByteRange::position));
    List<Part> parts = new ArrayList<>();
    List<Piece> run = new ArrayList<>();
    long end = -1;
    for (ByteRange range : sorted) {
      if (range.position() != end) {
        divide(run, parts);
        run.clear();
      }
      long address = range.target().address() + range.targetOffset();
      run.add(new Piece(range.position(), address, range.length()));
      end = range.position() + range.length();
    }
    divide(run, parts);
    return parts;
  }

  /** Adds the parts of ranges without gaps. */
  private static void divide(List<Piece> run, List<Part> parts) {
    if (run.isEmpty()) {
      return;
    }
    Part whole = new Part(run);
    if (whole.length <= LONGEST_BYTES) {
      parts.add(whole);
      return;
    }
    long count = (whole.length + DIVIDED_BYTES - 1) / DIVIDED_BYTES;
    long bytes = (whole.length + count - 1) / count;
    for (long from = 0; from < whole.length; from += bytes) {
      parts.add(cut(whole, from, Math.min(from + bytes, whole.length)));
    }
  }

  private static Part cut(Part whole, long from, long to) {
    List<Piece> pieces = new ArrayList<>();
    for (Piece piece : whole.pieces) {
      long first = Math.max(whole.position + from, piece.position());
      long last = Math.min(whole.position + to, piece.position() + piece.length());
      if (first < last) {
        pieces.add(new Piece(first, piece.address() + first - piece.position(), last - first));
      }
    }
    return new Part(pieces);
  }
}
