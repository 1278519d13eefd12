package io.ariadne.shuffle.format;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Rows of one partition as bytes. Owns its bytes, which are in host memory; closed once.
 *
 * <p>Bytes from another process or from disk become a block only by {@link #check}. A caller that
 * does not trust their length calls {@link #checkHeader} before it allocates memory for them.
 */
public final class EncodedBlock implements AutoCloseable {
  /** Bytes of the header. */
  public static final int HEADER_BYTES = 32;

  /** Bytes of a string heap: views have 31 bits for a position in it. */
  static final long MAX_HEAP_BYTES = 1L << 30;

  /** Bytes of a block of several rows. */
  static final long MAX_BYTES = MAX_HEAP_BYTES / 2;

  /** Bytes of a block of one row, which cannot be divided. */
  static final long MAX_ROW_BYTES = 4L << 30;

  /** Rows of a block; a limit of its own, because rows may need no bytes. */
  static final int MAX_ROWS = 1 << 20;

  private static final int MAGIC = 0x4B4C4241;
  private static final short VERSION = 3;
  private static final int VERSION_OFFSET = 4;
  private static final int COLUMNS_OFFSET = 6;
  private static final int ROWS_OFFSET = 8;
  private static final int LAYOUT_OFFSET = 12;
  private static final int DATA_OFFSET = 16;
  private static final int BODY_CHECKSUM_OFFSET = 24;
  private static final int HEADER_CHECKSUM_OFFSET = 28;

  /** Bytes that one update of a checksum covers; a {@code ByteBuffer} has an int as its limit. */
  private static final int CHECKSUM_PIECE = 1 << 20;

  private final MemoryBuffer bytes;
  private final int rowCount;
  private final List<BlockColumn> columns;

  /** A header whose checksum is right and which fits the length of its block. */
  private record Header(int columnCount, int rowCount, int layoutBytes, int bodyChecksum) {}

  private EncodedBlock(MemoryBuffer bytes, int rowCount, List<BlockColumn> columns) {
    this.bytes = bytes;
    this.rowCount = rowCount;
    this.columns = columns;
  }

  /** Returns the rows. */
  public int rowCount() {
    return rowCount;
  }

  /** Returns the address of the first byte. */
  public long address() {
    return bytes.address();
  }

  /** Returns the bytes of the block, header included. */
  public long lengthInBytes() {
    return bytes.lengthInBytes();
  }

  /** Returns roughly the bytes of all values that have no fixed width of at most 8 bytes. */
  public long variableBytes() {
    return columns.stream().mapToLong(BlockColumn::variableBytes).sum();
  }

  /** Returns the layouts of the columns. */
  List<BlockColumn> columns() {
    return columns;
  }

  /** Returns the address of the first column's data. */
  long dataAddress() {
    return bytes.address() + HEADER_BYTES + layoutBytes(columns);
  }

  /** Returns the bytes of a block with these columns. */
  static long encodedBytes(List<BlockColumn> columns) {
    long data = 0;
    for (BlockColumn column : columns) {
      data += column.dataBytes();
    }
    return HEADER_BYTES + layoutBytes(columns) + data;
  }

  private static int layoutBytes(List<BlockColumn> columns) {
    int bytes = 0;
    for (BlockColumn column : columns) {
      bytes += column.entryBytes();
    }
    return bytes;
  }

  /**
   * Finishes a block whose data is written: writes the layout and the header.
   *
   * @param bytes as many as {@link #encodedBytes} says; ownership passes to the block
   * @param rowCount rows of each column
   * @param columns the layouts of the columns
   */
  static EncodedBlock seal(MemoryBuffer bytes, int rowCount, List<BlockColumn> columns) {
    long address = bytes.address();
    long at = address + HEADER_BYTES;
    for (BlockColumn column : columns) {
      at = column.write(at);
    }
    int layoutBytes = layoutBytes(columns);
    Memory.putInt(address, MAGIC);
    Memory.putShort(address + VERSION_OFFSET, VERSION);
    Memory.putShort(address + COLUMNS_OFFSET, (short) columns.size());
    Memory.putInt(address + ROWS_OFFSET, rowCount);
    Memory.putInt(address + LAYOUT_OFFSET, layoutBytes);
    Memory.putLong(address + DATA_OFFSET, bytes.lengthInBytes() - HEADER_BYTES - layoutBytes);
    int body = checksum(address + HEADER_BYTES, bytes.lengthInBytes() - HEADER_BYTES);
    Memory.putInt(address + BODY_CHECKSUM_OFFSET, body);
    Memory.putInt(address + HEADER_CHECKSUM_OFFSET, checksum(address, HEADER_CHECKSUM_OFFSET));
    return new EncodedBlock(bytes, rowCount, List.copyOf(columns));
  }

  /**
   * Checks the header of a block before the caller allocates memory for the whole block.
   *
   * @param header the first {@link #HEADER_BYTES} bytes, or all bytes when there are fewer
   * @param lengthInBytes bytes of the whole block, which need not be right
   * @throws EngineException CORRUPT_DATA when this is not the header of a block of this length
   */
  public static void checkHeader(byte[] header, long lengthInBytes) {
    checkHasHeader(lengthInBytes);
    header(ByteBuffer.wrap(header), lengthInBytes);
  }

  private static void checkHasHeader(long lengthInBytes) {
    if (lengthInBytes < HEADER_BYTES) {
      throw damaged("it has " + lengthInBytes + " bytes, fewer than its header");
    }
  }

  /**
   * Makes a block of untrusted bytes: checks its checksums and its layout.
   *
   * @param bytes host memory; ownership passes to the block, also when this throws
   * @return the block
   * @throws EngineException CORRUPT_DATA with the reason when the bytes are not a block
   */
  public static EncodedBlock check(MemoryBuffer bytes) {
    try {
      return checked(bytes);
    } catch (RuntimeException | Error e) {
      bytes.close();
      throw e;
    }
  }

  private static Header header(ByteBuffer bytes, long length) {
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getInt(0) != MAGIC) {
      throw damaged("it does not begin as a block does");
    }
    short version = bytes.getShort(VERSION_OFFSET);
    if (version != VERSION) {
      throw damaged("its version is " + version + ", not " + VERSION);
    }
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.slice(0, HEADER_CHECKSUM_OFFSET));
    if ((int) checksum.getValue() != bytes.getInt(HEADER_CHECKSUM_OFFSET)) {
      throw damaged("the checksum of its header is wrong");
    }
    int rowCount = bytes.getInt(ROWS_OFFSET);
    int layoutBytes = bytes.getInt(LAYOUT_OFFSET);
    long dataBytes = bytes.getLong(DATA_OFFSET);
    if (layoutBytes < 0
        || dataBytes < 0
        || rowCount < 0
        || rowCount > MAX_ROWS
        || length > (rowCount > 1 ? MAX_BYTES : MAX_ROW_BYTES)
        || dataBytes != length - HEADER_BYTES - layoutBytes) {
      throw damaged(
          "it has "
              + length
              + " bytes, and its header says "
              + rowCount
              + " rows, "
              + layoutBytes
              + " bytes of layout and "
              + dataBytes
              + " bytes of data");
    }
    int columnCount = Short.toUnsignedInt(bytes.getShort(COLUMNS_OFFSET));
    return new Header(columnCount, rowCount, layoutBytes, bytes.getInt(BODY_CHECKSUM_OFFSET));
  }

  private static EncodedBlock checked(MemoryBuffer bytes) {
    long address = bytes.address();
    long length = bytes.lengthInBytes();
    checkHasHeader(length);
    Header header = header(Memory.byteBuffer(address, HEADER_BYTES), length);
    if (checksum(address + HEADER_BYTES, length - HEADER_BYTES) != header.bodyChecksum) {
      throw damaged("the checksum of its content is wrong");
    }
    int rowCount = header.rowCount;
    List<BlockColumn> columns =
        layout(address + HEADER_BYTES, header.layoutBytes, header.columnCount);
    if (encodedBytes(columns) != length
        || columns.stream().anyMatch(column -> column.rows() != rowCount)) {
      throw damaged(
          "its columns do not make up its " + rowCount + " rows and " + length + " bytes");
    }
    return new EncodedBlock(bytes, rowCount, columns);
  }

  private static List<BlockColumn> layout(long address, int lengthInBytes, int columnCount) {
    BlockColumn.Reader reader = new BlockColumn.Reader(address, lengthInBytes);
    List<BlockColumn> columns = new ArrayList<>();
    for (int i = 0; i < columnCount; i++) {
      columns.add(reader.next());
    }
    if (!reader.isAtEnd()) {
      throw damaged("its layout is longer than its " + columnCount + " columns need");
    }
    return List.copyOf(columns);
  }

  private static int checksum(long address, long lengthInBytes) {
    CRC32C checksum = new CRC32C();
    for (long done = 0; done < lengthInBytes; done += CHECKSUM_PIECE) {
      int count = (int) Math.min(CHECKSUM_PIECE, lengthInBytes - done);
      checksum.update(Memory.byteBuffer(address + done, count));
    }
    return (int) checksum.getValue();
  }

  static EngineException damaged(String why) {
    return new EngineException(ErrorCode.CORRUPT_DATA, "a block of an exchange is damaged: " + why);
  }

  /**
   * Ends the use of this block.
   *
   * @return its bytes, owned by the caller instead of this block
   */
  public MemoryBuffer intoBytes() {
    return bytes;
  }

  @Override
  public void close() {
    bytes.close();
  }
}
