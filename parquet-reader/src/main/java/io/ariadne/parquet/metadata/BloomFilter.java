package io.ariadne.parquet.metadata;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;

/**
 * The split-block bloom filter of one column chunk: which values are certainly not in it.
 *
 * <p>Blocks of 256 bits, eight words with one bit each per value; block and bits follow from the
 * 64-bit xxHash of the value as PLAIN stores it, without a length. Format: parquet-format,
 * BloomFilter.md. Immutable.
 */
public final class BloomFilter {
  /** Header bytes read at once when the file does not say how long the filter is. */
  private static final int HEADER_BYTES = 64;

  /** parquet-mr writes up to 1 MiB, its largest setting is 128 MiB; more is not worth a read. */
  private static final int MAX_BYTES = 128 << 20;

  private static final int BLOCK_BYTES = 32;
  private static final int WORDS = 8;
  private static final int[] SALT = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

  private final int[] words;

  private BloomFilter(int[] words) {
    this.words = words;
  }

  /**
   * Reads a chunk's filter.
   *
   * @param reader the file
   * @param metadata its footer
   * @param chunk a chunk with a {@link ColumnChunk#bloomFilter()}
   * @param allocator host memory for the filter's bytes while they are read
   * @return the filter, null when it is of a kind this reader does not know
   * @throws IOException when reading fails
   * @throws EngineException CORRUPT_DATA when it is damaged
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
    try (MemoryBuffer head = allocator.allocate(first)) {
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
      if (size <= first - headerBytes) {
        return new BloomFilter(words(head, headerBytes, size));
      }
      try (MemoryBuffer all = allocator.allocate(size)) {
        int here = first - headerBytes;
        Memory.copy(head.address() + headerBytes, all.address(), here);
        reader.read(offset + first, all, here, size - here);
        return new BloomFilter(words(all, 0, size));
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

  private static int[] words(MemoryBuffer buffer, int from, int bytes) {
    int[] words = new int[bytes / Integer.BYTES];
    for (int i = 0; i < words.length; i++) {
      words[i] = buffer.getInt(from + (long) i * Integer.BYTES);
    }
    return words;
  }

  /** The structure before the bits. */
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
   * @param plain the value as PLAIN stores it: little-endian numbers, the bytes of binaries
   */
  public boolean mightContain(byte[] plain) {
    return mightContainHash(XxHash64.hash(plain));
  }

  private boolean mightContainHash(long hash) {
    long blocks = words.length / WORDS;
    int block = (int) (((hash >>> 32) * blocks) >>> 32) * WORDS;
    int key = (int) hash;
    for (int i = 0; i < WORDS; i++) {
      if ((words[block + i] & (1 << ((key * SALT[i]) >>> 27))) == 0) {
        return false;
      }
    }
    return true;
  }
}
