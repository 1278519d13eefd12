package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.CopyEngine;
import io.ariadne.memory.PagePool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Writes blocks one after the other, through pages: it fills a page while the disks still write the
 * pages before. Pages do not depend on the sizes of blocks. Used by one thread.
 *
 * <p>Blocks start at multiples of {@link PagePool#PAGE_ALIGNMENT}, so that each can be freed on its
 * own. Methods that append bytes fail with OUT_OF_MEMORY when no directory accepts a page.
 */
final class FrameWriter implements AutoCloseable {
  private static final int ALIGNMENT = PagePool.PAGE_ALIGNMENT;

  /** Most bytes of a frame compressed by LZ4. */
  private static final int MAX_COMPRESSED = Frame.MAX_RAW_BYTES + Frame.MAX_RAW_BYTES / 255 + 16;

  /** Where the scratch page gathers small pieces: after raw, compressed and encrypted bytes. */
  private static final int GATHER_OFFSET = (Frame.MAX_RAW_BYTES + 2 * MAX_COMPRESSED + 63) & -64;

  private static final int GATHER_BYTES = 128 << 10;

  private final SpillDirectories directories;
  private final FrameCipher cipher;
  private final CopyEngine device;
  private final LZ4Compressor compressor;
  private final long maxBytes;
  private final List<PagePool.Page> pages;
  private final PageWriter out;
  private final long scratchPage;
  private final List<Block> blocks = new ArrayList<>();
  private final List<Frame> frames = new ArrayList<>();
  private final CRC32C checksum = new CRC32C();
  private long blockStart;
  private int rawBytes;
  private int gathered;

  /** Whether a copy failed because the device was lost. The copy may still write to the pages. */
  private boolean isDeviceLost;

  /** A block of the stream. */
  private record Block(long start, long end, List<Frame> frames) {}

  /**
   * Starts a stream.
   *
   * @param directories lend the pages and write them to disk
   * @param cipher null for plain bytes
   * @param device copies from buffers of a device; null without a device
   * @param compress whether frames are compressed where that makes them smaller
   * @param maxBytes most bytes of all blocks
   */
  FrameWriter(
      SpillDirectories directories,
      FrameCipher cipher,
      CopyEngine device,
      boolean compress,
      long maxBytes) {
    this.directories = directories;
    this.cipher = cipher;
    this.device = device;
    this.compressor = compress ? LZ4Factory.fastestInstance().fastCompressor() : null;
    this.maxBytes = maxBytes;
    this.pages = directories.takePages();
    this.scratchPage = pages.get(pages.size() - 1).address();
    this.out = new PageWriter(directories, pages.subList(0, pages.size() - 1));
  }

  /** Appends the first bytes of a buffer to the block. */
  void put(MemoryBuffer buffer, long lengthInBytes) {
    if (StoredColumn.Part.isOnDevice(buffer)) {
      putOfDevice(buffer, lengthInBytes);
    } else {
      put(ByteSource.ofHost(buffer.address()), lengthInBytes);
    }
  }

  private void putOfDevice(MemoryBuffer buffer, long lengthInBytes) {
    try {
      put(ByteSource.ofDevice(buffer, device), lengthInBytes);
    } catch (EngineException e) {
      isDeviceLost |= e.code() == ErrorCode.DEVICE_LOST;
      throw e;
    }
  }

  private void put(ByteSource source, long lengthInBytes) {
    putGathered();
    putPiece(source, lengthInBytes);
  }

  /** Appends a small piece of host memory to the block; efficient for many pieces. */
  void append(long address, int lengthInBytes) {
    if (lengthInBytes > GATHER_BYTES / 2) {
      put(ByteSource.ofHost(address), lengthInBytes);
    } else {
      Memory.copy(address, reserve(lengthInBytes), lengthInBytes);
    }
  }

  /**
   * Appends bytes that the caller writes before the next call.
   *
   * @param lengthInBytes a small number
   * @return the address of the first byte
   */
  long reserve(int lengthInBytes) {
    if (gathered + lengthInBytes > GATHER_BYTES) {
      putGathered();
    }
    long address = scratchPage + GATHER_OFFSET + gathered;
    gathered += lengthInBytes;
    return address;
  }

  private void putGathered() {
    int length = gathered;
    gathered = 0;
    putPiece(ByteSource.ofHost(scratchPage + GATHER_OFFSET), length);
  }

  private void putPiece(ByteSource source, long lengthInBytes) {
    if (cipher == null && compressor == null) {
      putPlain(source, lengthInBytes);
    } else {
      putEncoded(source, lengthInBytes);
    }
  }

  /** Copies bytes to the page and computes their checksums there. */
  private void putPlain(ByteSource source, long lengthInBytes) {
    int count;
    for (long done = 0; done < lengthInBytes; done += count) {
      int most = Math.min(source.chunkBytes(), out.remaining());
      count = (int) Math.min(lengthInBytes - done, most);
      long page = out.address();
      source.copyTo(done, page, count);
      for (int at = 0, part; at < count; at += part) {
        part = Math.min(count - at, Frame.MAX_RAW_BYTES - rawBytes);
        checksum.update(Memory.byteBuffer(page + at, part));
        rawBytes += part;
        endFrameIfFull();
      }
      out.advance(count);
    }
  }

  /** Copies bytes to the scratch page, which compresses and encrypts them frame by frame. */
  private void putEncoded(ByteSource source, long lengthInBytes) {
    int count;
    for (long done = 0; done < lengthInBytes; done += count) {
      count = (int) Math.min(lengthInBytes - done, Frame.MAX_RAW_BYTES - rawBytes);
      source.copyTo(done, scratchPage + rawBytes, count);
      rawBytes += count;
      endFrameIfFull();
    }
  }

  private void endFrameIfFull() {
    if (rawBytes == Frame.MAX_RAW_BYTES) {
      endFrame();
    }
  }

  private void endFrame() {
    if (rawBytes == 0) {
      return;
    }
    if (cipher == null && compressor == null) {
      addFrame(rawBytes, false, 0);
      return;
    }
    long from = scratchPage;
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
      long to = scratchPage + Frame.MAX_RAW_BYTES + MAX_COMPRESSED;
      cipher.apply(nonce, Memory.byteBuffer(from, length), Memory.byteBuffer(to, length));
      from = to;
    }
    checksum.update(Memory.byteBuffer(from, length));
    emit(from, length);
    addFrame(length, compressed, nonce);
  }

  private int compress() {
    long start = System.nanoTime();
    long target = scratchPage + Frame.MAX_RAW_BYTES;
    ByteBuffer raw = Memory.byteBuffer(scratchPage, rawBytes);
    ByteBuffer compressed = Memory.byteBuffer(target, MAX_COMPRESSED);
    int length = compressor.compress(raw, 0, rawBytes, compressed, 0, MAX_COMPRESSED);
    long nanos = System.nanoTime() - start;
    directories.rates().compressed(rawBytes, Math.min(length, rawBytes), nanos);
    return length;
  }

  private void addFrame(int storedBytes, boolean compressed, long nonce) {
    frames.add(new Frame(rawBytes, storedBytes, (int) checksum.getValue(), compressed, nonce));
    checksum.reset();
    rawBytes = 0;
  }

  private void emit(long address, int lengthInBytes) {
    int count;
    for (int done = 0; done < lengthInBytes; done += count) {
      count = Math.min(lengthInBytes - done, out.remaining());
      Memory.copy(address + done, out.address(), count);
      out.advance(count);
    }
  }

  /** Ends a block. */
  void endBlock() {
    putGathered();
    endFrame();
    int beyond = (int) (out.position() % ALIGNMENT);
    if (beyond > 0) {
      // A page's size is a multiple of the alignment, so this fits. Zeros hide old contents.
      Memory.fill(out.address(), ALIGNMENT - beyond, (byte) 0);
      out.advance(ALIGNMENT - beyond);
    }
    if (out.position() > maxBytes) {
      throw new EngineException(
          ErrorCode.INTERNAL, out.position() + " bytes are spilled, more than " + maxBytes);
    }
    blocks.add(new Block(blockStart, out.position(), List.copyOf(frames)));
    blockStart = out.position();
    frames.clear();
  }

  /**
   * Waits until the system has accepted all bytes.
   *
   * @return the blocks in their order, owned by the caller
   */
  List<StoredFrames> finish() {
    out.finish();
    List<StoredFrames> stored = new ArrayList<>();
    for (Block block : blocks) {
      stored.add(new StoredFrames(out.extents(block.start(), block.end()), block.frames()));
    }
    return stored;
  }

  /**
   * Waits until the directories no longer use the pages and gives them back; frees the extents
   * unless the stream is finished.
   */
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(out);
    closer.close(
        () -> {
          if (isDeviceLost) {
            directories.retire(pages);
          } else {
            directories.giveBack(pages);
          }
        });
    closer.rethrow();
  }
}
