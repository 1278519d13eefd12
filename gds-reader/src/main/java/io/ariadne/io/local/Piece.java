package io.ariadne.io.local;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.memory.PagePool;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;

/**
 * A part of a range that one system call reads, or several when a call returns less. Used by one
 * thread at a time.
 *
 * <pre>
 *            fits                        result: all bytes
 *  DIRECT ---------> into the target ------------------------> done
 *    |    otherwise  into a page, then copied  ---------------> done
 *    | fewer bytes than asked (the end of the file), or the file system refuses
 *    v
 *  BUFFERED -------> into the target: the rest -- all bytes --> done
 *                       | 0 bytes: the file has been cut
 *                       v
 *                     EOFException
 * </pre>
 */
final class Piece {
  /** Repetitions of a call that the kernel asks to repeat, before the read fails. */
  private static final int MOST_REPETITIONS = 100;

  private final OpenFile file;
  private final long position;
  private final long address;
  private final int length;
  private int done;
  private boolean isDirect;
  private PagePool.Page page;
  private int repetitions;

  /**
   * Creates a piece that is not begun.
   *
   * @param file the file, which stays acquired until the piece is done or given up
   * @param position first byte in the file
   * @param address where the bytes go
   * @param length bytes, at least 1
   * @param isDirect whether to bypass the page cache. A piece that does not {@link #fits fit} then
   *     has at most a page of bytes once it is widened
   */
  Piece(OpenFile file, long position, long address, int length, boolean isDirect) {
    this.file = file;
    this.position = position;
    this.address = address;
    this.length = length;
    this.isDirect = isDirect;
  }

  /** Returns the file. */
  OpenFile file() {
    return file;
  }

  /** Returns the bytes that the piece delivers. */
  int length() {
    return length;
  }

  /** Returns whether a direct read can write to the target itself. */
  private boolean fits() {
    long bytes = position | length;
    return bytes % file.offsetAlignment() == 0 && address % file.memoryAlignment() == 0;
  }

  /** Returns whether the next call needs a page. */
  boolean needsPage() {
    return isDirect && page == null && !fits();
  }

  /** Sets the page that the next call reads into. */
  void usePage(PagePool.Page lent) {
    page = lent;
  }

  /** Takes the page away; empty when there is none. No call may be running. */
  List<PagePool.Page> takePage() {
    List<PagePool.Page> taken = page == null ? List.of() : List.of(page);
    page = null;
    return taken;
  }

  private long windowStart() {
    return position & -file.offsetAlignment();
  }

  private boolean isWidened() {
    return isDirect && page != null;
  }

  /** Returns the descriptor of the next call. */
  int callDescriptor() {
    return isDirect ? file.directDescriptor() : file.descriptor();
  }

  /** Returns the position of the next call. */
  long callPosition() {
    return isWidened() ? windowStart() : position + done;
  }

  /** Returns where the next call writes to. */
  long callAddress() {
    return isWidened() ? page.address() : address + done;
  }

  /** Returns the bytes that the next call asks for. */
  int callLength() {
    if (!isWidened()) {
      return length - done;
    }
    int alignment = file.offsetAlignment();
    long end = (position + length + alignment - 1) & -alignment;
    return Math.toIntExact(end - windowStart());
  }

  /** Returns whether the kernel has asked to repeat the call. */
  boolean isRepeated() {
    return repetitions > 0;
  }

  /**
   * Takes the result of a call.
   *
   * @param result bytes, or a negated error number
   * @return whether all bytes have arrived; otherwise another call is needed
   * @throws IOException when the file ends too early or cannot be read; the message names it
   */
  boolean accept(long result) throws IOException {
    if (result > 0) {
      take(result);
      return done == length;
    }
    if (isDirect) {
      return acceptDirect(result);
    }
    if (result == 0) {
      throw new EOFException(
          "ends at byte " + (position + done) + ", has been cut: " + file.name());
    }
    repeatOrFail(result);
    return false;
  }

  private boolean acceptDirect(long result) throws IOException {
    if (result == 0) {
      isDirect = false;
    } else if (result == -SystemErrors.EINVAL || result == -SystemErrors.EOPNOTSUPP) {
      file.facts().refuseDirect(file.name(), SystemErrors.describe(result));
      isDirect = false;
    } else {
      repeatOrFail(result);
    }
    return false;
  }

  private void repeatOrFail(long result) throws IOException {
    boolean mayRepeat =
        result == -SystemErrors.EAGAIN
            || result == -SystemErrors.EINTR
            || result == -SystemErrors.ECANCELED;
    if (!mayRepeat || ++repetitions > MOST_REPETITIONS) {
      throw SystemErrors.failure(result, file.name());
    }
  }

  /** Counts the bytes of a call. Fewer than asked of a direct one means the end of the file. */
  private void take(long result) {
    if (isWidened()) {
      int skipped = (int) (position - windowStart());
      int arrived = (int) Math.max(0, Math.min(length, result - skipped));
      Memory.copy(page.address() + skipped, address, arrived);
      done = arrived;
    } else {
      done += Math.toIntExact(result);
    }
    repetitions = 0;
    isDirect &= done == length;
  }
}
