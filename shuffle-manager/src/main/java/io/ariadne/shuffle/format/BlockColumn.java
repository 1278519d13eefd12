package io.ariadne.shuffle.format;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of one column of a block.
 *
 * @param layout of the values; {@link PhysicalType#DICTIONARY32} for strings that are codes
 * @param hasValidity whether there is a bit per row
 * @param unitBytes bytes of a string's length: 1, 2 or 4; of a code: 1; of an integer's distance
 *     from the base: 1, 2, 4 or 8, at most its width; 0 for other columns
 * @param rows rows
 * @param base what is added to the distances of integers; 0 for other columns
 * @param shortBytes bytes of all strings of at most {@link #MAX_INLINE_BYTES}
 * @param longBytes bytes of all longer strings
 * @param children nested columns; for codes the column of the strings
 */
record BlockColumn(
    PhysicalType layout,
    boolean hasValidity,
    int unitBytes,
    int rows,
    long base,
    long shortBytes,
    long longBytes,
    List<BlockColumn> children) {
  /** Longer strings do not lie in their views. */
  static final int MAX_INLINE_BYTES = 12;

  /** Bytes of a column's layout without those of nested columns. */
  static final int ENTRY_BYTES = 24;

  private static final int FLAGS_OFFSET = 1;
  private static final int CHILDREN_OFFSET = 2;
  private static final int ROWS_OFFSET = 4;

  /** Of integers the base. */
  private static final int SHORT_OFFSET = 8;

  private static final int LONG_OFFSET = 16;
  private static final int VALIDITY_FLAG = 1;
  private static final int UNIT_SHIFT = 1;
  private static final int MAX_DEPTH = 64;

  /** Returns whether the values are strings written as codes. */
  boolean isCoded() {
    return layout == PhysicalType.DICTIONARY32;
  }

  /** Returns the layout of the decoded values. */
  PhysicalType valueLayout() {
    return isCoded() ? PhysicalType.VIEW16 : layout;
  }

  /** Returns the nested columns of the values. */
  List<BlockColumn> valueChildren() {
    return isCoded() ? List.of() : children;
  }

  /** Returns bytes of all values, validity and nested columns included. */
  long dataBytes() {
    long bytes = validityBytes() + valueBytes();
    for (BlockColumn child : children) {
      bytes += child.dataBytes();
    }
    return bytes;
  }

  /** Returns bytes of the validity bits. */
  long validityBytes() {
    return hasValidity ? PhysicalType.BOOL.dataLengthInBytes(rows) : 0;
  }

  /** Returns bytes of the values alone. */
  long valueBytes() {
    return switch (layout) {
      case VIEW16 -> (long) rows * unitBytes + shortBytes + longBytes;
      case DICTIONARY32 -> (long) rows * unitBytes;
      case OFFSETS -> (long) rows * Integer.BYTES;
      default -> areIntegers() ? (long) rows * unitBytes : layout.dataLengthInBytes(rows);
    };
  }

  /** Returns whether the values are written as distances from the base. */
  boolean areIntegers() {
    return BlockIntegers.are(layout);
  }

  /**
   * Returns bytes of the values, codes looked up, that have no fixed width of at most 8 bytes; for
   * codes an estimate.
   */
  long variableBytes() {
    return switch (layout) {
      case VIEW16 -> shortBytes + longBytes;
      case DICTIONARY32 -> children.get(0).variableBytes() * rows / children.get(0).rows();
      case OFFSETS, NONE, I128 -> dataBytes();
      default -> 0;
    };
  }

  /** Returns bytes of the layout, nested columns included. */
  int entryBytes() {
    int bytes = ENTRY_BYTES;
    for (BlockColumn child : children) {
      bytes += child.entryBytes();
    }
    return bytes;
  }

  /**
   * Returns whether two columns have values of the same layouts, nested ones included: strings may
   * be codes in one of them.
   */
  boolean isLike(BlockColumn other) {
    List<BlockColumn> nested = valueChildren();
    boolean isSame =
        valueLayout() == other.valueLayout() && nested.size() == other.valueChildren().size();
    for (int i = 0; isSame && i < nested.size(); i++) {
      isSame = nested.get(i).isLike(other.valueChildren().get(i));
    }
    return isSame;
  }

  /**
   * Writes the layout.
   *
   * @param address memory for {@link #entryBytes}
   * @return the address behind it
   */
  long write(long address) {
    Memory.putByte(address, (byte) layout.code());
    int flags = (hasValidity ? VALIDITY_FLAG : 0) | unitBytes << UNIT_SHIFT;
    Memory.putByte(address + FLAGS_OFFSET, (byte) flags);
    Memory.putShort(address + CHILDREN_OFFSET, (short) children.size());
    Memory.putInt(address + ROWS_OFFSET, rows);
    Memory.putLong(address + SHORT_OFFSET, areIntegers() ? base : shortBytes);
    Memory.putLong(address + LONG_OFFSET, longBytes);
    long at = address + ENTRY_BYTES;
    for (BlockColumn child : children) {
      at = child.write(at);
    }
    return at;
  }

  /** Reads layouts one after the other; nothing read is trusted. */
  static final class Reader {
    private final long end;
    private long at;

    /**
     * Starts reading.
     *
     * @param address the first layout
     * @param lengthInBytes bytes of all
     */
    Reader(long address, long lengthInBytes) {
      this.at = address;
      this.end = address + lengthInBytes;
    }

    /** Returns whether everything was read. */
    boolean isAtEnd() {
      return at == end;
    }

    /** Reads the next column's layout. */
    BlockColumn next() {
      return next(0);
    }

    private BlockColumn next(int depth) {
      if (end - at < ENTRY_BYTES || depth > MAX_DEPTH) {
        throw EncodedBlock.damaged("the layout of a column is cut off");
      }
      long entry = at;
      at += ENTRY_BYTES;
      int flags = Memory.getByte(entry + FLAGS_OFFSET);
      int rows = Memory.getInt(entry + ROWS_OFFSET);
      long baseOrBytes = Memory.getLong(entry + SHORT_OFFSET);
      long longBytes = Memory.getLong(entry + LONG_OFFSET);
      PhysicalType layout = layout(Memory.getByte(entry));
      boolean areIntegers = BlockIntegers.are(layout);
      int count = Short.toUnsignedInt(Memory.getShort(entry + CHILDREN_OFFSET));
      List<BlockColumn> children = new ArrayList<>();
      BlockColumn column =
          new BlockColumn(
              layout,
              (flags & VALIDITY_FLAG) != 0,
              flags >> UNIT_SHIFT,
              rows,
              areIntegers ? baseOrBytes : 0,
              areIntegers ? 0 : baseOrBytes,
              longBytes,
              children);
      check(column);
      for (int i = 0; i < count; i++) {
        children.add(next(depth + 1));
      }
      if (column.isCoded()) {
        checkEntries(children);
      }
      return column;
    }

    private static void checkEntries(List<BlockColumn> children) {
      boolean areStrings =
          children.size() == 1
              && children.get(0).layout == PhysicalType.VIEW16
              && !children.get(0).hasValidity
              && children.get(0).children.isEmpty()
              && children.get(0).rows > 0
              && children.get(0).rows <= BlockCodes.MAX_ENTRIES;
      if (!areStrings) {
        throw EncodedBlock.damaged("codes refer to no column of strings: " + children);
      }
    }

    private static PhysicalType layout(byte code) {
      for (PhysicalType layout : PhysicalType.values()) {
        if (layout.code() == code) {
          return layout;
        }
      }
      throw EncodedBlock.damaged("a column is laid out as " + code);
    }

    private static void check(BlockColumn column) {
      boolean areStrings = column.layout == PhysicalType.VIEW16;
      // The block's own length, which was checked before, has space for no more bytes.
      boolean isBounded =
          column.rows >= 0
              && column.shortBytes >= 0
              && column.shortBytes <= (areStrings ? (long) column.rows * MAX_INLINE_BYTES : 0)
              && column.longBytes >= 0
              && column.longBytes <= (areStrings ? EncodedBlock.MAX_HEAP_BYTES : 0);
      if (!isUnit(column) || !isBounded) {
        throw EncodedBlock.damaged("a column is laid out as " + column);
      }
    }

    private static boolean isUnit(BlockColumn column) {
      int most =
          switch (column.layout) {
            case VIEW16 -> Integer.BYTES;
            case DICTIONARY32 -> Byte.BYTES;
            default -> column.areIntegers() ? column.layout.widthInBytes() : 0;
          };
      int bytes = column.unitBytes;
      return most == 0 ? bytes == 0 : bytes > 0 && bytes <= most && Integer.bitCount(bytes) == 1;
    }
  }
}
