package io.ariadne.parquet.metadata;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;

/**
 * The split-block bloom filter of one column chunk, which tells which values are certainly not in
 * the chunk.
 *
 * <p>The filter consists of blocks of 256 bits, eight words each. A value sets one bit in each word
 * of one block. Block and bits follow from the 64-bit xxHash of the value as PLAIN stores it,
 * without a length. Format: parquet-format, BloomFilter.md. The bits stay in the memory they were
 * read into until the filter is closed. Immutable.
 */
public final class BloomFilter implements AutoCloseable {
  /** Header bytes that are read first when the file does not state the filter's length. */
  private static final int HEADER_BYTES = 64;

  /** Largest filter that is read. parquet-mr writes up to 1 MiB by default and 128 MiB at most. */
  private static final int MAX_BYTES = 128 << 20;

  private static final int BLOCK_BYTES = 32;
  private static final int WORDS = 8;
  private static final int[] SALT = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

  private final MemoryBuffer memory;
  private final long offset;
  private final long blockCount;

  private BloomFilter(MemoryBuffer memory, long offset, int bytes) {
    this.memory = memory;
    this.offset = offset;
    this.blockCount = bytes / BLOCK_BYTES;
  }

  /**
   * Reads a chunk's filter.
   *
   * @param reader the file
   * @param metadata the file's footer
   * @param chunk a chunk with a {@link ColumnChunk#bloomFilter()}
   * @param allocator host memory for the filter's bytes
   * @return the filter, to be closed by the caller; null when this reader does not know its kind
   * @throws IOException when reading fails
   * @throws EngineException CORRUPT_DATA when the filter is damaged
   */
  public static BloomFilter read(
      ByteRangeReader reader, FileMetadata metadata, ColumnChunk chunk, BufferAllocator allocator)
      throws IOException {
    long offset = chunk.bloomFilter().offset();
    long left = metadata.fileLength() - offset;
    int known = chunk.bloomFilter().lengthInBytes();
    int first = (int) Math.min(known > 0 ? known : HEADER_BYTES, left);
    if (left <= 0 || known > left || known > MAX_BYTES) {
      throw corrupt(metadata, chunk, offset, "bloom filter of " + known + " bytes");
    }
    MemoryBuffer head = allocator.allocate(first);
    BloomFilter filter = null;
    try {
      reader.read(offset, head, 0, first);
      Header header = new Header();
      int headerBytes;
      try {
        headerBytes = header.read(head.address(), head.address() + first);
      } catch (ThriftException e) {
        throw corrupt(metadata, chunk, offset + e.offset(), e.getMessage());
      }
      if (!header.isKnown()) {
        return null;
      }
      int size = header.numBytes;
      if (size <= 0 || size % BLOCK_BYTES != 0 || size > MAX_BYTES || size > left - headerBytes) {
        throw corrupt(metadata, chunk, offset, "bloom filter of " + size + " bytes");
      }
      filter =
          size <= first - headerBytes
              ? new BloomFilter(head, headerBytes, size)
              : new BloomFilter(bits(reader, offset + headerBytes, size, allocator), 0, size);
      return filter;
    } finally {
      if (filter == null || filter.memory != head) {
        head.close();
      }
    }
  }

  private static MemoryBuffer bits(
      ByteRangeReader reader, long position, int size, BufferAllocator allocator)
      throws IOException {
    MemoryBuffer bits = allocator.allocate(size);
    boolean isRead = false;
    try {
      reader.read(position, bits, 0, size);
      isRead = true;
      return bits;
    } finally {
      if (!isRead) {
        bits.close();
      }
    }
  }

  private static EngineException corrupt(
      FileMetadata metadata, ColumnChunk chunk, long offset, String problem) {
    return new EngineException(
        ErrorCode.CORRUPT_DATA,
        problem
            + ", in the bloom filter of column "
            + chunk.leaf().path()
            + ", at byte "
            + offset
            + " of "
            + metadata.file());
  }

  /** The Thrift structure before the bits. */
  private static final class Header {
    private int numBytes;
    private boolean isBlock;
    private boolean isXxHash;
    private boolean isUncompressed;

    int read(long address, long limit) {
      ThriftReader reader = new ThriftReader();
      reader.reset(address, limit);
      reader.beginStruct();
      while (reader.nextField()) {
        switch (reader.fieldId()) {
          case 1 -> numBytes = reader.readI32();
          case 2 -> isBlock = isFirstMember(reader);
          case 3 -> isXxHash = isFirstMember(reader);
          case 4 -> isUncompressed = isFirstMember(reader);
          default -> reader.skip();
        }
      }
      return (int) reader.consumed();
    }

    private static boolean isFirstMember(ThriftReader reader) {
      boolean isFirst = false;
      reader.beginStruct();
      while (reader.nextField()) {
        isFirst |= reader.fieldId() == 1;
        reader.skip();
      }
      return isFirst;
    }

    boolean isKnown() {
      return isBlock && isXxHash && isUncompressed;
    }
  }

  /**
   * Returns whether a value may be in the chunk; false is certain.
   *
   * @param plain the value as PLAIN stores it: little-endian numbers, or the bytes of a binary
   */
  public boolean mightContain(byte[] plain) {
    return mightContainHash(XxHash64.hash(plain));
  }

  private boolean mightContainHash(long hash) {
    long block = offset + (((hash >>> 32) * blockCount) >>> 32) * BLOCK_BYTES;
    int key = (int) hash;
    for (int i = 0; i < WORDS; i++) {
      int word = memory.getInt(block + (long) i * Integer.BYTES);
      if ((word & (1 << ((key * SALT[i]) >>> 27))) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Releases the memory. */
  @Override
  public void close() {
    memory.close();
  }
}
