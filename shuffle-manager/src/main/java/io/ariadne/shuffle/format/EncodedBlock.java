package io.ariadne.shuffle.format;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Rows of one partition as bytes: what travels. Owns its bytes, host memory; closed once.
 *
 * <p>{@link #check} is called before anything is read from bytes that came from elsewhere.
 */
public final class EncodedBlock implements AutoCloseable {
  /** Bytes of the header. */
  public static final int HEADER_BYTES = 32;

  /** Views have 31 bits for a place in a heap. */
  static final long MAX_HEAP_BYTES = 1L << 30;

  /** Rows may need no bytes at all: so many a block may have. */
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

  /** A checksum is taken of pieces of this size, which a {@code ByteBuffer} can have. */
  private static final int CHECKSUM_PIECE = 1 << 20;

  private final MemoryBuffer bytes;
  private final int rowCount;
  private final List<BlockColumn> columns;

  private EncodedBlock(MemoryBuffer bytes, int rowCount, List<BlockColumn> columns) {
    this.bytes = bytes;
    this.rowCount = rowCount;
    this.columns = columns;
  }

  /** Returns the rows. */
  public int rowCount() {
    return rowCount;
  }

  /** Returns the first byte's address. */
  public long address() {
    return bytes.address();
  }

  /** Returns how many bytes the block has, header included. */
  public long lengthInBytes() {
    return bytes.lengthInBytes();
  }

  /** Returns bytes of the values that are not of a fixed width of at most 8 bytes, about. */
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

  /** Returns bytes of a block of these columns. */
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
   * Finishes a block whose data is written: writes layout and header.
   *
   * @param bytes of {@link #encodedBytes}; owned by the block from now on
   * @param rowCount rows of all columns
   * @param columns their layouts
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
   * Takes bytes that need not be a block.
   *
   * @param bytes host memory; owned by the block from now on, also when this throws
   * @return the block
   * @throws EngineException CORRUPT_DATA with the reason
   */
  public static EncodedBlock check(MemoryBuffer bytes) {
    try {
      return checked(bytes);
    } catch (RuntimeException | Error e) {
      bytes.close();
      throw e;
    }
  }

  private static EncodedBlock checked(MemoryBuffer bytes) {
    long length = bytes.lengthInBytes();
    if (length < HEADER_BYTES) {
      throw damaged("it has " + length + " bytes, fewer than its header");
    }
    long address = bytes.address();
    if (Memory.getInt(address) != MAGIC) {
      throw damaged("it does not begin as a block does");
    }
    short version = Memory.getShort(address + VERSION_OFFSET);
    if (version != VERSION) {
      throw damaged("it is of version " + version + ", not " + VERSION);
    }
    int layoutBytes = Memory.getInt(address + LAYOUT_OFFSET);
    long dataBytes = Memory.getLong(address + DATA_OFFSET);
    int columnCount = Short.toUnsignedInt(Memory.getShort(address + COLUMNS_OFFSET));
    int rowCount = Memory.getInt(address + ROWS_OFFSET);
    if (checksum(address, HEADER_CHECKSUM_OFFSET)
        != Memory.getInt(address + HEADER_CHECKSUM_OFFSET)) {
      throw damaged("the checksum of its header is wrong");
    }
    if (layoutBytes < 0
        || dataBytes < 0
        || rowCount < 0
        || rowCount > MAX_ROWS
        || dataBytes != length - HEADER_BYTES - layoutBytes) {
      throw damaged(
          rowCount + " rows, layout and data of " + layoutBytes + " and " + dataBytes + " bytes");
    }
    if (checksum(address + HEADER_BYTES, length - HEADER_BYTES)
        != Memory.getInt(address + BODY_CHECKSUM_OFFSET)) {
      throw damaged("the checksum of its content is wrong");
    }
    List<BlockColumn> columns = layout(address + HEADER_BYTES, layoutBytes, columnCount);
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

  @Override
  public void close() {
    bytes.close();
  }
}
