package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.CopyEngine;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.disk.SpillDirectory.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Reads a block back from its first byte on, some pages ahead of the caller, from as many
 * directories at the same time. Compares every frame's checksum before it returns a byte of the
 * frame. Used by one thread.
 */
final class FrameReader implements AutoCloseable {
  private final SpillDirectories directories;
  private final StoredFrames block;
  private final FrameCipher cipher;
  private final CopyEngine device;
  private final List<PagePool.Page> pages;
  private final long scratch;

  /** The transfer into each page, round robin; the last page is scratch space and has none. */
  private final List<Transfer<Extent>> transfers = new ArrayList<>();

  private final CRC32C checksum = new CRC32C();
  private final LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();

  /** Number of extents whose reads were started. */
  private int started;

  /** The extent in the current page. */
  private int current = -1;

  private int pageBytes;
  private int pagePosition;
  private int nextFrame;

  /** Where the remaining raw bytes of the current frame are. */
  private long rawAddress;

  private int rawLeft;

  /**
   * Starts to read.
   *
   * @param directories lend the pages
   * @param block the block to read
   * @param cipher null for plain bytes
   * @param device copies to buffers of a device; null when there are none
   */
  FrameReader(
      SpillDirectories directories, StoredFrames block, FrameCipher cipher, CopyEngine device) {
    this.directories = directories;
    this.block = block;
    this.cipher = cipher;
    this.device = device;
    this.pages = directories.takePages();
    this.scratch = pages.get(pages.size() - 1).address();
    try {
      for (int i = 0; i < pages.size() - 1; i++) {
        transfers.add(null);
        startRead(i);
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(this);
      closer.suppressIn(e);
      throw e;
    }
  }

  private void startRead(int page) {
    transfers.set(page, null);
    if (started < block.extents().size()) {
      Extent extent = block.extents().get(started);
      int length = (int) extent.lengthInBytes();
      ByteBuffer bytes = Memory.byteBuffer(pages.get(page).address(), length);
      transfers.set(page, extent.directory().read(extent, bytes));
      started++;
    }
  }

  /** Copies the next bytes of the block to the beginning of a buffer. */
  void get(MemoryBuffer target, long lengthInBytes) throws IOException {
    int count;
    for (long at = 0; at < lengthInBytes; at += count) {
      if (rawLeft == 0) {
        openFrame();
      }
      count = (int) Math.min(lengthInBytes - at, rawLeft);
      if (StoredColumn.Part.isOnDevice(target)) {
        device.write(rawAddress, target, at, count);
      } else {
        Memory.copy(rawAddress, target.address() + at, count);
      }
      rawAddress += count;
      rawLeft -= count;
    }
  }

  private void openFrame() throws IOException {
    Frame frame = block.frames().get(nextFrame++);
    long stored = stored(frame);
    check(frame, stored);
    if (cipher != null) {
      // After bytes that the scratch page may already contain.
      long plain = scratch + Frame.MAX_RAW_BYTES;
      int length = frame.storedBytes();
      cipher.apply(
          frame.nonce(), Memory.byteBuffer(stored, length), Memory.byteBuffer(plain, length));
      stored = plain;
    }
    if (frame.compressed()) {
      long raw = scratch + 2L * Frame.MAX_RAW_BYTES;
      decompress(frame, stored, raw);
      stored = raw;
    }
    rawAddress = stored;
    rawLeft = frame.rawBytes();
  }

  /** Returns the address of the frame's stored bytes: in a page, or collected from two pages. */
  private long stored(Frame frame) throws IOException {
    if (pagePosition == pageBytes) {
      nextPage();
    }
    int length = frame.storedBytes();
    if (length <= pageBytes - pagePosition) {
      long address = pageAddress() + pagePosition;
      pagePosition += length;
      return address;
    }
    int done = 0;
    while (done < length) {
      if (pagePosition == pageBytes) {
        nextPage();
      }
      int count = Math.min(length - done, pageBytes - pagePosition);
      Memory.copy(pageAddress() + pagePosition, scratch + done, count);
      pagePosition += count;
      done += count;
    }
    return scratch;
  }

  private long pageAddress() {
    return pages.get(current % transfers.size()).address();
  }

  private void nextPage() throws IOException {
    if (current >= 0) {
      startRead(current % transfers.size());
    }
    current++;
    pageBytes = (int) transfers.get(current % transfers.size()).await().lengthInBytes();
    pagePosition = 0;
  }

  private void check(Frame frame, long stored) {
    checksum.reset();
    checksum.update(Memory.byteBuffer(stored, frame.storedBytes()));
    int found = (int) checksum.getValue();
    if (found != frame.checksum()) {
      throw damaged(frame, "the checksum is " + found + ", not " + frame.checksum(), null);
    }
  }

  private void decompress(Frame frame, long stored, long raw) {
    int length = frame.storedBytes();
    try {
      int found =
          decompressor.decompress(
              Memory.byteBuffer(stored, length),
              0,
              length,
              Memory.byteBuffer(raw, frame.rawBytes()),
              0,
              frame.rawBytes());
      if (found != frame.rawBytes()) {
        throw damaged(frame, found + " bytes come out of it, not " + frame.rawBytes(), null);
      }
    } catch (LZ4Exception e) {
      throw damaged(frame, "it cannot be decompressed", e);
    }
  }

  private EngineException damaged(Frame frame, String why, Exception cause) {
    Extent extent = block.extents().get(current);
    long end = extent.offset() + pagePosition;
    return new EngineException(
        ErrorCode.CORRUPT_DATA,
        "spilled data is damaged: "
            + extent.file().path()
            + " (deleted while open), "
            + frame.storedBytes()
            + " bytes before byte "
            + end
            + ": "
            + why
            + "; check that disk, or take it out of the directories of Spark's local files",
        cause);
  }

  /** Waits until the pages are not in use and gives them back. */
  @Override
  public void close() {
    Closer closer = new Closer();
    for (Transfer<Extent> transfer : transfers) {
      if (transfer != null) {
        // A failure to read bytes that the caller has not requested does not matter.
        closer.close(transfer::awaitEnd);
      }
    }
    closer.close(() -> directories.giveBack(pages));
    closer.rethrow();
  }
}
