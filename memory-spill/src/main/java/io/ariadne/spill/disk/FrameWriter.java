package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.PagePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Writes blocks one after the other into an extent, in pages: while one page is on its way to the
 * disk the next is filled, whatever the sizes of blocks. Used by one thread.
 *
 * <p>Blocks start at multiples of {@link PagePool#PAGE_ALIGNMENT}, so that each can be freed by
 * itself.
 */
final class FrameWriter implements AutoCloseable {
  private static final int ALIGNMENT = PagePool.PAGE_ALIGNMENT;

  /** What LZ4 makes of a frame at most. */
  private static final int MAX_COMPRESSED = Frame.MAX_RAW_BYTES + Frame.MAX_RAW_BYTES / 255 + 16;

  /** Where in the scratch page small pieces are gathered: behind raw, compressed, encrypted. */
  private static final int GATHER_OFFSET = (Frame.MAX_RAW_BYTES + 2 * MAX_COMPRESSED + 63) & -64;

  private static final int GATHER_BYTES = 128 << 10;

  private final SpillIo io;
  private final SpillDirectory.Extent extent;
  private final FrameCipher cipher;
  private final LZ4Compressor compressor;
  private final List<PagePool.Page> pages;
  private final SpillIo.Transfer[] onItsWay = new SpillIo.Transfer[2];
  private final List<Frame> frames = new ArrayList<>();
  private final CRC32C checksum = new CRC32C();

  /** Bytes of the extent before the page that is being filled. */
  private long flushed;

  private int current;
  private int filled;
  private long blockStart;
  private int rawBytes;
  private int gathered;

  /**
   * Starts at the first byte of an extent.
   *
   * @param io who writes; lends the pages
   * @param extent where to; stays the caller's
   * @param cipher null for plain bytes
   * @param compress whether frames are compressed where that makes them smaller
   */
  FrameWriter(SpillIo io, SpillDirectory.Extent extent, FrameCipher cipher, boolean compress) {
    this.io = io;
    this.extent = extent;
    this.cipher = cipher;
    this.compressor = compress ? LZ4Factory.fastestInstance().fastCompressor() : null;
    this.pages = io.takePages();
  }

  /** Appends bytes of host memory to the block. */
  void put(long address, long lengthInBytes) throws IOException {
    putGathered();
    putPiece(address, lengthInBytes);
  }

  /** Appends a small piece of host memory to the block; many of them cost little. */
  void append(long address, int lengthInBytes) throws IOException {
    if (lengthInBytes > GATHER_BYTES / 2) {
      put(address, lengthInBytes);
    } else {
      Memory.copy(address, reserve(lengthInBytes), lengthInBytes);
    }
  }

  /**
   * Appends bytes that the caller writes before the next call.
   *
   * @param lengthInBytes a small number
   * @return the address of the first
   */
  long reserve(int lengthInBytes) throws IOException {
    if (gathered + lengthInBytes > GATHER_BYTES) {
      putGathered();
    }
    long address = scratchPage() + GATHER_OFFSET + gathered;
    gathered += lengthInBytes;
    return address;
  }

  private void putGathered() throws IOException {
    int length = gathered;
    gathered = 0;
    putPiece(scratchPage() + GATHER_OFFSET, length);
  }

  private void putPiece(long address, long lengthInBytes) throws IOException {
    long at = address;
    long left = lengthInBytes;
    while (left > 0) {
      int count = (int) Math.min(left, Frame.MAX_RAW_BYTES - rawBytes);
      if (isPlain()) {
        checksum.update(Memory.byteBuffer(at, count));
        emit(at, count);
      } else {
        Memory.copy(at, scratch(), count);
      }
      rawBytes += count;
      at += count;
      left -= count;
      if (rawBytes == Frame.MAX_RAW_BYTES) {
        endFrame();
      }
    }
  }

  private boolean isPlain() {
    return cipher == null && compressor == null;
  }

  /** Returns where the next raw byte is kept, for frames that are not plain. */
  private long scratch() {
    return scratchPage() + rawBytes;
  }

  private long scratchPage() {
    return pages.get(2).address();
  }

  private void endFrame() throws IOException {
    if (rawBytes == 0) {
      return;
    }
    if (isPlain()) {
      addFrame(rawBytes, false, 0);
      return;
    }
    long from = scratchPage();
    int length = compressor == null ? rawBytes : compress();
    boolean compressed = length < rawBytes;
    if (compressed) {
      from += Frame.MAX_RAW_BYTES;
    } else {
      length = rawBytes;
    }
    long nonce = 0;
    if (cipher != null) {
      nonce = cipher.newNonce();
      long to = scratchPage() + Frame.MAX_RAW_BYTES + MAX_COMPRESSED;
      cipher.apply(nonce, Memory.byteBuffer(from, length), Memory.byteBuffer(to, length));
      from = to;
    }
    checksum.update(Memory.byteBuffer(from, length));
    emit(from, length);
    addFrame(length, compressed, nonce);
  }

  private int compress() {
    long start = System.nanoTime();
    long target = scratchPage() + Frame.MAX_RAW_BYTES;
    ByteBuffer raw = Memory.byteBuffer(scratchPage(), rawBytes);
    ByteBuffer compressed = Memory.byteBuffer(target, MAX_COMPRESSED);
    int length = compressor.compress(raw, 0, rawBytes, compressed, 0, MAX_COMPRESSED);
    io.rates().compressed(rawBytes, Math.min(length, rawBytes), System.nanoTime() - start);
    return length;
  }

  private void addFrame(int storedBytes, boolean compressed, long nonce) {
    frames.add(new Frame(rawBytes, storedBytes, (int) checksum.getValue(), compressed, nonce));
    checksum.reset();
    rawBytes = 0;
  }

  /** Copies bytes to the page, and pages to the disk. */
  private void emit(long address, int lengthInBytes) throws IOException {
    int done = 0;
    while (done < lengthInBytes) {
      PagePool.Page page = pages.get(current);
      int count = Math.min(lengthInBytes - done, page.sizeInBytes() - filled);
      Memory.copy(address + done, page.address() + filled, count);
      filled += count;
      done += count;
      if (filled == page.sizeInBytes()) {
        flush();
      }
    }
  }

  private void flush() throws IOException {
    if (filled > 0) {
      if (flushed + filled > extent.lengthInBytes()) {
        throw new EngineException(
            ErrorCode.INTERNAL, "more bytes are spilled than the " + extent + " has room for");
      }
      ByteBuffer bytes = Memory.byteBuffer(pages.get(current).address(), filled);
      onItsWay[current] = io.write(extent.file(), bytes, extent.offset() + flushed);
      flushed += filled;
      filled = 0;
      current = 1 - current;
    }
    if (onItsWay[current] != null) {
      onItsWay[current].await();
    }
  }

  /**
   * Ends a block.
   *
   * @return its frames, and its part of the extent
   */
  StoredFrames endBlock() throws IOException {
    putGathered();
    endFrame();
    int beyond = filled % ALIGNMENT;
    if (beyond > 0) {
      // A page's size is a multiple of the alignment, so this fits. Old bytes are nobody's.
      Memory.fill(pages.get(current).address() + filled, ALIGNMENT - beyond, (byte) 0);
      filled += ALIGNMENT - beyond;
      if (filled == pages.get(current).sizeInBytes()) {
        flush();
      }
    }
    long end = flushed + filled;
    var part =
        new SpillDirectory.Extent(
            extent.directory(), extent.file(), extent.offset() + blockStart, end - blockStart);
    blockStart = end;
    StoredFrames block = new StoredFrames(part, List.copyOf(frames));
    frames.clear();
    return block;
  }

  /**
   * Waits until all bytes are handed to the system.
   *
   * @return bytes of the extent that are used
   */
  long finish() throws IOException {
    flush();
    for (SpillIo.Transfer transfer : onItsWay) {
      if (transfer != null) {
        transfer.await();
      }
    }
    return flushed;
  }

  /** Waits until the pages are not in use and gives them back. */
  @Override
  public void close() {
    Closer closer = new Closer();
    for (SpillIo.Transfer transfer : onItsWay) {
      if (transfer != null) {
        // What it ended with was reported to whoever asked; here only its end matters.
        closer.close(() -> transfer.done().exceptionally(failure -> null).join());
      }
    }
    closer.close(() -> io.giveBack(pages));
    closer.rethrow();
  }
}
