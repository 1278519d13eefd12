package io.ariadne.parquet.metadata;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;

/**
 * Reads footers: one read of the file's tail, and a second one only for what a long footer has
 * before it.
 *
 * <pre>
 *  "PAR1"  pages ...  indexes ...  footer (Thrift)  length (4 bytes)  "PAR1"
 *                                  ^ footerStart                              ^ fileLength
 * </pre>
 */
public final class FooterReader {
  /** Bytes of the tail that are read first; most footers are shorter. */
  static final int TAIL_BYTES = 64 << 10;

  private static final int MAGIC = 'P' | 'A' << 8 | 'R' << 16 | '1' << 24;
  private static final int ENCRYPTED_MAGIC = 'P' | 'A' << 8 | 'R' << 16 | 'E' << 24;
  private static final int MAGIC_BYTES = Integer.BYTES;
  private static final int TRAILER_BYTES = 2 * Integer.BYTES;

  private FooterReader() {}

  /**
   * Reads the footer of a file.
   *
   * @param reader the file
   * @param file the file's name, for messages
   * @param selection the columns to keep
   * @param allocator host memory for the footer's bytes while they are parsed
   * @throws IOException when reading fails
   * @throws EngineException CORRUPT_DATA when this is no Parquet file or its footer is damaged; the
   *     message names file and offset. UNSUPPORTED when the footer is encrypted.
   */
  public static FileMetadata read(
      ByteRangeReader reader, String file, ColumnSelection selection, BufferAllocator allocator)
      throws IOException {
    long fileLength = reader.lengthInBytes();
    if (fileLength < MAGIC_BYTES + TRAILER_BYTES) {
      throw corrupt(file, 0, "a file of " + fileLength + " bytes is no Parquet file");
    }
    int tailBytes = (int) Math.min(TAIL_BYTES, fileLength - MAGIC_BYTES);
    try (MemoryBuffer tail = allocator.allocate(tailBytes)) {
      reader.read(fileLength - tailBytes, tail, 0, tailBytes);
      int footerBytes = footerBytes(tail, tailBytes, file, fileLength);
      long footerStart = fileLength - TRAILER_BYTES - footerBytes;
      if (footerBytes <= tailBytes - TRAILER_BYTES) {
        long address = tail.address() + tailBytes - TRAILER_BYTES - footerBytes;
        return parse(address, footerBytes, file, fileLength, reader.version(), selection);
      }
      int missing = footerBytes - (tailBytes - TRAILER_BYTES);
      try (MemoryBuffer whole = allocator.allocate(footerBytes)) {
        reader.read(footerStart, whole, 0, missing);
        Memory.copy(tail.address(), whole.address() + missing, tailBytes - TRAILER_BYTES);
        return parse(whole.address(), footerBytes, file, fileLength, reader.version(), selection);
      }
    }
  }

  private static int footerBytes(MemoryBuffer tail, int tailBytes, String file, long fileLength) {
    int magic = tail.getInt(tailBytes - MAGIC_BYTES);
    if (magic == ENCRYPTED_MAGIC) {
      throw new EngineException(ErrorCode.UNSUPPORTED, "encrypted footer, in " + file);
    }
    if (magic != MAGIC) {
      throw corrupt(
          file, fileLength - MAGIC_BYTES, "the file does not end with Parquet's magic bytes");
    }
    int footerBytes = tail.getInt(tailBytes - TRAILER_BYTES);
    if (footerBytes < 0 || footerBytes > fileLength - TRAILER_BYTES - MAGIC_BYTES) {
      long at = fileLength - TRAILER_BYTES;
      throw corrupt(file, at, "footer of " + Integer.toUnsignedLong(footerBytes) + " bytes");
    }
    return footerBytes;
  }

  /**
   * Parses a footer that is in memory.
   *
   * @param address address of its first byte
   * @param footerBytes its length
   * @param file the file's name
   * @param fileLength the file's length
   * @param version what the storage calls the file's version, may be empty
   * @param selection the columns to keep
   */
  static FileMetadata parse(
      long address,
      int footerBytes,
      String file,
      long fileLength,
      String version,
      ColumnSelection selection) {
    ThriftReader thrift = new ThriftReader();
    thrift.reset(address, address + footerBytes);
    SchemaReader schema = new SchemaReader(thrift, selection);
    FooterFields footer = new FooterFields(thrift, schema, file, fileLength);
    try {
      footer.read();
    } catch (ThriftException e) {
      long footerStart = fileLength - TRAILER_BYTES - footerBytes;
      throw corrupt(file, footerStart + e.offset(), e.getMessage());
    }
    return new FileMetadata(file, fileLength, version, selection, schema, footer);
  }

  private static EngineException corrupt(String file, long offset, String problem) {
    return new EngineException(
        ErrorCode.CORRUPT_DATA, problem + ", in the footer, at byte " + offset + " of " + file);
  }
}
