package io.ariadne.shuffle.format;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ListBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.StructType;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes one column of several blocks to one column. The caller has checked that the layouts lie
 * within their blocks. The decoder checks that the data fits the layouts and the type. Used once,
 * by one thread.
 */
final class BlockColumnDecoder {
  private final DataType type;
  private final List<BlockColumn> layouts;
  private final List<Piece> pieces;
  private final BufferAllocator allocator;
  private final PhysicalType layout;
  private final int rows;

  /** The address in a block at which the data of the next column starts. */
  static final class Piece {
    private long at;

    Piece(long address) {
      this.at = address;
    }

    /** Skips data and returns the address of its first byte. */
    private long take(long lengthInBytes) {
      long start = at;
      at += lengthInBytes;
      return start;
    }
  }

  /**
   * Creates a decoder.
   *
   * @param type of the values
   * @param layouts of the column in each block, which {@link BlockColumn#isLike match}
   * @param pieces of each block, at the column; move behind the column
   * @param allocator host memory
   */
  BlockColumnDecoder(
      DataType type, List<BlockColumn> layouts, List<Piece> pieces, BufferAllocator allocator) {
    this.type = type;
    this.layouts = layouts;
    this.pieces = pieces;
    this.allocator = allocator;
    this.layout = layouts.get(0).valueLayout();
    long count = 0;
    for (BlockColumn column : layouts) {
      count += column.rows();
    }
    if (count > Integer.MAX_VALUE) {
      throw EncodedBlock.damaged(count + " nested values");
    }
    this.rows = (int) count;
    checkType();
  }

  private void checkType() {
    boolean fits =
        type instanceof DecimalType
            ? layout == PhysicalType.I32
                || layout == PhysicalType.I64
                || layout == PhysicalType.I128
            : layout == type.defaultPhysicalType();
    if (!fits || layouts.get(0).valueChildren().size() != childTypes().size()) {
      throw EncodedBlock.damaged(
          "a column of "
              + type
              + " is laid out as "
              + layout
              + " with "
              + layouts.get(0).valueChildren().size()
              + " nested columns");
    }
  }

  private List<DataType> childTypes() {
    if (type instanceof StructType struct) {
      return struct.fields().stream().map(field -> field.type()).toList();
    }
    return layout == PhysicalType.OFFSETS ? List.of(ListBuilder.elementType(type)) : List.of();
  }

  /** Returns the column, owned by the caller: strings may be a dictionary column. */
  ColumnVector decode() {
    return decode(true);
  }

  private ColumnVector decode(boolean mayBeCoded) {
    MemoryBuffer validity = null;
    MemoryBuffer data = null;
    List<ColumnVector> children = new ArrayList<>();
    try {
      List<Long> validities = takeValidities();
      validity = validity(validities);
      List<Long> values = takeValues();
      if (layout == PhysicalType.VIEW16) {
        return strings(values).decode(validity, mayBeCoded);
      }
      data = layout == PhysicalType.NONE ? null : allocator.allocate(dataBytes());
      switch (layout) {
        case NONE -> {}
        case BOOL -> readBits(values, data);
        case OFFSETS -> readOffsets(values, data);
        case I16, I32, I64 -> readIntegers(values, data);
        default -> readValues(values, data);
      }
      List<DataType> types = childTypes();
      for (int c = 0; c < types.size(); c++) {
        children.add(child(types.get(c), c));
      }
      return new ColumnVector(
          type, layout, rows, data, validity, ColumnVector.UNKNOWN_NULL_COUNT, List.of(), children);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(validity);
      closer.close(data);
      children.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private StringDecoder strings(List<Long> values) {
    List<StringDecoder.Piece> strings = new ArrayList<>();
    for (int i = 0; i < layouts.size(); i++) {
      strings.add(new StringDecoder.Piece(layouts.get(i), values.get(i)));
    }
    return new StringDecoder(type, strings, rows, allocator);
  }

  /** Skips the values, and the entries of codes. */
  private List<Long> takeValues() {
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      BlockColumn column = layouts.get(i);
      values.add(pieces.get(i).take(column.valueBytes()));
      if (column.isCoded()) {
        pieces.get(i).take(column.children().get(0).dataBytes());
      }
    }
    return values;
  }

  private long dataBytes() {
    return layout.dataLengthInBytes(rows);
  }

  private List<Long> takeValidities() {
    List<Long> validities = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      validities.add(pieces.get(i).take(layouts.get(i).validityBytes()));
    }
    return validities;
  }

  private MemoryBuffer validity(List<Long> sources) {
    if (layouts.stream().noneMatch(BlockColumn::hasValidity)) {
      return null;
    }
    MemoryBuffer bits = allocator.allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(rows));
    long at = 0;
    for (int i = 0; i < layouts.size(); i++) {
      int count = layouts.get(i).rows();
      if (layouts.get(i).hasValidity()) {
        Bitmaps.append(sources.get(i), 0, bits.address(), at, count);
      } else if (count > 0) {
        Bitmaps.setAll(bits.address(), at, count);
      }
      at += count;
    }
    return bits;
  }

  private void readBits(List<Long> sources, MemoryBuffer target) {
    target.fillZero();
    long at = 0;
    for (int i = 0; i < layouts.size(); i++) {
      int count = layouts.get(i).rows();
      if (count > 0) {
        Bitmaps.append(sources.get(i), 0, target.address(), at, count);
      }
      at += count;
    }
  }

  private void readValues(List<Long> sources, MemoryBuffer target) {
    long at = 0;
    for (int i = 0; i < layouts.size(); i++) {
      long length = layouts.get(i).valueBytes();
      if (length > 0) {
        Memory.copy(sources.get(i), target.address() + at, length);
      }
      at += length;
    }
  }

  private void readIntegers(List<Long> sources, MemoryBuffer target) {
    long at = target.address();
    for (int i = 0; i < layouts.size(); i++) {
      BlockIntegers.read(layouts.get(i), sources.get(i), at);
      at += layout.dataLengthInBytes(layouts.get(i).rows());
    }
  }

  private void readOffsets(List<Long> sources, MemoryBuffer target) {
    long at = target.address();
    long end = 0;
    Memory.putInt(at, 0);
    for (int i = 0; i < layouts.size(); i++) {
      long before = end;
      for (int row = 0; row < layouts.get(i).rows(); row++) {
        int length = Memory.getInt(sources.get(i) + (long) row * Integer.BYTES);
        if (length < 0) {
          throw EncodedBlock.damaged("a list of " + length + " values");
        }
        end += length;
        at += Integer.BYTES;
        Memory.putInt(at, (int) end);
      }
      int nested = layouts.get(i).children().get(0).rows();
      if (end - before != nested) {
        throw EncodedBlock.damaged(
            "lists of " + (end - before) + " values together over " + nested + " values");
      }
    }
  }

  private ColumnVector child(DataType childType, int index) {
    List<BlockColumn> nested = layouts.stream().map(l -> l.children().get(index)).toList();
    for (int i = 0; layout == PhysicalType.NONE && i < nested.size(); i++) {
      if (nested.get(i).rows() != layouts.get(i).rows()) {
        throw EncodedBlock.damaged("a member of structs with other rows than these");
      }
    }
    return new BlockColumnDecoder(childType, nested, pieces, allocator).decode(false);
  }
}
