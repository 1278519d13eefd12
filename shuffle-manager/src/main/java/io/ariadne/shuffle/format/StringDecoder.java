package io.ariadne.shuffle.format;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes the strings of several blocks to one column. Strings may be codes in some blocks; when
 * they are codes in all blocks, the result is a dictionary column. Used once, by one thread. Trusts
 * nothing that it reads.
 */
final class StringDecoder {
  private static final int VIEW_BYTES = 16;
  private static final int PREFIX_OFFSET = 4;
  private static final int HEAP_OFFSET_OFFSET = 12;
  private static final int CODE_BYTES = Integer.BYTES;

  private final DataType type;
  private final List<Piece> pieces;
  private final BufferAllocator allocator;
  private final int rows;

  /**
   * The part of the column in a block.
   *
   * @param column its layout
   * @param source the codes, or the strings
   */
  record Piece(BlockColumn column, long source) {
    /** Returns the layout of the strings: those of the rows, or the entries that are coded. */
    BlockColumn text() {
      return column.isCoded() ? column.children().get(0) : column;
    }

    Strings strings() {
      return new Strings(text(), column.isCoded() ? source + column.valueBytes() : source);
    }

    /** Returns the entry of a row of a coded column. */
    int code(int row) {
      int code = Byte.toUnsignedInt(Memory.getByte(source + row));
      if (code >= text().rows()) {
        throw EncodedBlock.damaged("code " + code + " of " + text().rows() + " strings");
      }
      return code;
    }
  }

  /**
   * Creates a decoder.
   *
   * @param type of the values
   * @param pieces the column in each block
   * @param rows of all pieces
   * @param allocator host memory
   */
  StringDecoder(DataType type, List<Piece> pieces, int rows, BufferAllocator allocator) {
    this.type = type;
    this.pieces = pieces;
    this.rows = rows;
    this.allocator = allocator;
  }

  /** Reads strings one after the other, within their bounds. */
  private static final class Strings {
    private final int width;
    private final long longStart;
    private final long longEnd;
    private final long shortEnd;
    private long lengthAt;
    private long shortAt;
    private long longAt;
    private int length;
    private long address;

    Strings(BlockColumn text, long source) {
      this.width = text.unitBytes();
      this.lengthAt = source;
      this.shortAt = source + (long) text.rows() * width;
      this.shortEnd = shortAt + text.shortBytes();
      this.longStart = shortEnd;
      this.longAt = longStart;
      this.longEnd = longStart + text.longBytes();
    }

    void next() {
      length =
          switch (width) {
            case Byte.BYTES -> Byte.toUnsignedInt(Memory.getByte(lengthAt));
            case Short.BYTES -> Short.toUnsignedInt(Memory.getShort(lengthAt));
            default -> Memory.getInt(lengthAt);
          };
      lengthAt += width;
      long left = isLong() ? longEnd - longAt : shortEnd - shortAt;
      if (length < 0 || length > left) {
        throw EncodedBlock.damaged("a string of " + length + " bytes goes beyond all strings");
      }
      if (isLong()) {
        address = longAt;
        longAt += length;
      } else {
        address = shortAt;
        shortAt += length;
      }
    }

    boolean isLong() {
      return length > BlockColumn.MAX_INLINE_BYTES;
    }

    /** Returns the bytes of longer strings before the string. */
    long longBefore() {
      return address - longStart;
    }

    void checkEnd() {
      if (longAt != longEnd || shortAt != shortEnd) {
        throw EncodedBlock.damaged("strings are shorter than their column says");
      }
    }
  }

  /**
   * Returns the column.
   *
   * @param validity of the rows, or null; the column owns it unless this throws
   * @param mayBeCoded whether it may be a dictionary column
   */
  ColumnVector decode(MemoryBuffer validity, boolean mayBeCoded) {
    return mayBeCoded && pieces.stream().allMatch(piece -> piece.column().isCoded())
        ? coded(validity)
        : plain(validity);
  }

  private ColumnVector plain(MemoryBuffer validity) {
    MemoryBuffer views = allocator.allocate((long) rows * VIEW_BYTES);
    SharedBuffer heap = null;
    try {
      heap = heap(pieces.stream().mapToLong(piece -> piece.text().longBytes()).sum());
      long view = rows == 0 ? 0 : views.address();
      long used = 0;
      int row = 0;
      for (Piece piece : pieces) {
        long heapStart = used;
        if (piece.text().longBytes() > 0) {
          Memory.copy(piece.strings().longStart, heap.address() + used, piece.text().longBytes());
          used += piece.text().longBytes();
        }
        if (piece.column().isCoded()) {
          lookUp(piece, view, heapStart, validity, row);
        } else {
          readViews(piece, view, heapStart);
        }
        view += (long) piece.column().rows() * VIEW_BYTES;
        row += piece.column().rows();
      }
      return strings(rows, views, validity, heap);
    } catch (RuntimeException | Error e) {
      closeAll(e, views, heap);
      throw e;
    }
  }

  private ColumnVector strings(
      int count, MemoryBuffer views, MemoryBuffer validity, SharedBuffer heap) {
    return new ColumnVector(
        type,
        PhysicalType.VIEW16,
        count,
        views,
        validity,
        ColumnVector.UNKNOWN_NULL_COUNT,
        heap == null ? List.of() : List.of(heap),
        List.of());
  }

  private SharedBuffer heap(long lengthInBytes) {
    return lengthInBytes == 0 ? null : new SharedBuffer(allocator.allocate(lengthInBytes));
  }

  private static void closeAll(Throwable failure, MemoryBuffer buffer, SharedBuffer heap) {
    Closer closer = new Closer();
    closer.close(buffer);
    if (heap != null) {
      closer.close(heap::release);
    }
    closer.suppressIn(failure);
  }

  /** Makes the views of a block's strings. The longer ones are in the heap already. */
  private static void readViews(Piece piece, long firstView, long heapStart) {
    Strings strings = piece.strings();
    long view = firstView;
    for (int row = 0; row < piece.text().rows(); row++) {
      strings.next();
      putView(view, strings.address, strings.length, heapStart + strings.longBefore());
      view += VIEW_BYTES;
    }
    strings.checkEnd();
  }

  private static void putView(long view, long address, int length, long heapOffset) {
    Memory.putLong(view, 0);
    Memory.putLong(view + Long.BYTES, 0);
    Memory.putInt(view, length);
    if (length > BlockColumn.MAX_INLINE_BYTES) {
      Memory.putInt(view + PREFIX_OFFSET, Memory.getInt(address));
      Memory.putInt(view + HEAP_OFFSET_OFFSET, (int) heapOffset);
    } else {
      for (int i = 0; i < length; i++) {
        Memory.putByte(view + PREFIX_OFFSET + i, Memory.getByte(address + i));
      }
    }
  }

  /** Makes the views of a block's rows from the views of its entries; empty ones for nulls. */
  private void lookUp(
      Piece piece, long firstView, long heapStart, MemoryBuffer validity, int firstRow) {
    int entryCount = piece.text().rows();
    try (MemoryBuffer entries = allocator.allocate((long) entryCount * VIEW_BYTES)) {
      readViews(piece, entries.address(), heapStart);
      for (int row = 0; row < piece.column().rows(); row++) {
        long from = entries.address() + (long) piece.code(row) * VIEW_BYTES;
        long to = firstView + (long) row * VIEW_BYTES;
        boolean isNull = validity != null && !Bitmaps.isSet(validity.address(), firstRow + row);
        Memory.putLong(to, isNull ? 0 : Memory.getLong(from));
        Memory.putLong(to + Long.BYTES, isNull ? 0 : Memory.getLong(from + Long.BYTES));
      }
    }
  }

  /** A string's bytes. */
  private record Text(long address, int length) {}

  /** Collects the strings of all blocks, each once. */
  private static final class Entries {
    private final Map<ByteBuffer, Integer> codes = new HashMap<>();
    private final List<Text> texts = new ArrayList<>();
    private long longBytes;

    int codeOf(Strings strings) {
      ByteBuffer text = Memory.byteBuffer(strings.address, strings.length);
      Integer known = codes.putIfAbsent(text, texts.size());
      if (known != null) {
        return known;
      }
      texts.add(new Text(strings.address, strings.length));
      longBytes += strings.isLong() ? strings.length : 0;
      return texts.size() - 1;
    }

    /** Copies the strings to views and a heap. */
    void writeTo(long firstView, long heap) {
      long used = 0;
      long view = firstView;
      for (Text text : texts) {
        putView(view, text.address, text.length, used);
        if (text.length > BlockColumn.MAX_INLINE_BYTES) {
          Memory.copy(text.address, heap + used, text.length);
          used += text.length;
        }
        view += VIEW_BYTES;
      }
    }
  }

  private ColumnVector coded(MemoryBuffer validity) {
    MemoryBuffer codes = allocator.allocate((long) rows * CODE_BYTES);
    try {
      Entries entries = new Entries();
      long at = rows == 0 ? 0 : codes.address();
      for (Piece piece : pieces) {
        int[] codeOfEntry = codes(piece, entries);
        for (int row = 0; row < piece.column().rows(); row++) {
          Memory.putInt(at, codeOfEntry[piece.code(row)]);
          at += CODE_BYTES;
        }
      }
      Dictionary dictionary = new Dictionary(column(entries));
      return ColumnVector.ofDictionary(
          dictionary, rows, codes, validity, ColumnVector.UNKNOWN_NULL_COUNT);
    } catch (RuntimeException | Error e) {
      closeAll(e, codes, null);
      throw e;
    }
  }

  private static int[] codes(Piece piece, Entries entries) {
    int[] codes = new int[piece.text().rows()];
    Strings strings = piece.strings();
    for (int i = 0; i < codes.length; i++) {
      strings.next();
      codes[i] = entries.codeOf(strings);
    }
    strings.checkEnd();
    return codes;
  }

  /** Copies the entries to a new column. */
  private ColumnVector column(Entries entries) {
    int count = entries.texts.size();
    MemoryBuffer views = allocator.allocate((long) count * VIEW_BYTES);
    SharedBuffer heap = null;
    try {
      heap = heap(entries.longBytes);
      entries.writeTo(views.address(), heap == null ? 0 : heap.address());
      return strings(count, views, null, heap);
    } catch (RuntimeException | Error e) {
      closeAll(e, views, heap);
      throw e;
    }
  }
}
