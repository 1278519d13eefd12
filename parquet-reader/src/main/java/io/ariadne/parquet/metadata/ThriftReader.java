package io.ariadne.parquet.metadata;

import io.ariadne.columnar.buffer.Memory;
import java.nio.charset.StandardCharsets;

/**
 * Parses structures of Thrift's compact protocol in memory. Allocates nothing unless text or bytes
 * are requested. Trusts nothing: depth is bounded, lengths and container sizes are checked against
 * the remaining bytes, integers against their width.
 *
 * <p>To read a structure, call {@link #beginStruct}, then {@link #nextField} until it returns
 * false. Read the value of each field with the method of its type, or pass over it with {@link
 * #skip}.
 *
 * <p>Format: Apache Thrift, doc/specs/thrift-compact-protocol.md.
 */
final class ThriftReader {
  private static final int STOP = 0;
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  static final int STRUCT = 12;
  private static final int UUID = 13;
  private static final int UUID_BYTES = 16;

  /** Deepest nesting of structures and containers; the format itself needs six levels. */
  private static final int MAX_DEPTH = 32;

  private static final int LONG_SIZE = 15;
  private static final int NO_FIELD = Integer.MIN_VALUE;
  private static final int MAX_VARINT_BITS = 63;

  /** The bits of eight bytes that mark a number as continuing in the next byte. */
  private static final long CONTINUATION_BITS = 0x8080_8080_8080_8080L;

  private final int[] fieldIds = new int[MAX_DEPTH];
  private long begin;
  private long limit;
  private long position;
  private int depth;
  private int fieldType;
  private int elementType;

  /**
   * Starts over on other bytes.
   *
   * @param address first byte
   * @param end end of the readable bytes, exclusive
   */
  void reset(long address, long end) {
    begin = address;
    position = address;
    limit = end;
    depth = 0;
    fieldType = STRUCT;
  }

  /** Returns the number of bytes read so far. */
  long consumed() {
    return position - begin;
  }

  /** Returns the address of the next byte. */
  long address() {
    return position;
  }

  /**
   * Begins a structure: the current field's value, the current list's element, or the outermost
   * one.
   */
  void beginStruct() {
    expect(fieldType == STRUCT, "a structure");
    if (depth == MAX_DEPTH) {
      throw corrupt("structures deeper than " + MAX_DEPTH);
    }
    fieldIds[depth++] = 0;
  }

  /**
   * Advances to the next field of the innermost structure.
   *
   * @return whether there is one; false means that the structure has ended
   */
  boolean nextField() {
    int head = readByte() & 0xFF;
    fieldType = head & 0xF;
    if (fieldType == STOP) {
      if (head != STOP) {
        throw corrupt("field header " + head);
      }
      depth--;
      fieldType = STRUCT; // the next element of a list of structures can begin
      return false;
    }
    if (fieldType > UUID) {
      throw corrupt("field type " + fieldType);
    }
    int delta = head >>> 4;
    long id = delta == 0 ? zigzag(readVarint()) : fieldIds[depth - 1] + (long) delta;
    if (id < Short.MIN_VALUE || id > Short.MAX_VALUE) {
      throw corrupt("field number " + id);
    }
    fieldIds[depth - 1] = (int) id;
    return true;
  }

  /** Returns the id of the current field of the innermost structure. */
  int fieldId() {
    return fieldIds[depth - 1];
  }

  /** Reads a boolean field. */
  boolean readBool() {
    expect(fieldType == TRUE || fieldType == FALSE, "a boolean");
    return fieldType == TRUE;
  }

  /** Reads one boolean of a list. */
  boolean readListBool() {
    expect(elementType == TRUE || elementType == FALSE, "a list of booleans");
    return readByte() == TRUE;
  }

  /** Reads a byte field. */
  int readI8() {
    expect(fieldType == BYTE, "a byte");
    return readByte();
  }

  /** Reads an int field or element. */
  int readI32() {
    expect(fieldType == I32, "an int");
    long value = zigzag(readVarint());
    if (value != (int) value) {
      throw corrupt("int " + value);
    }
    return (int) value;
  }

  /**
   * Reads an optional int field. A field of another type is a writer's extension and is skipped.
   */
  int readI32(int otherwise) {
    if (fieldType == I32) {
      return readI32();
    }
    skip();
    return otherwise;
  }

  /**
   * Reads an optional long field. A field of another type is a writer's extension and is skipped.
   */
  long readI64(long otherwise) {
    if (fieldType == I64) {
      return readI64();
    }
    skip();
    return otherwise;
  }

  /** Reads an int field that must not be negative. */
  int readCount() {
    int value = readI32();
    if (value < 0) {
      throw corrupt("negative number " + value + " in field " + fieldId());
    }
    return value;
  }

  /** Reads a long field or element. */
  long readI64() {
    expect(fieldType == I64, "a long");
    return zigzag(readVarint());
  }

  /** Reads a long field or element that must not be negative. */
  long readLongCount() {
    long value = readI64();
    if (value < 0) {
      throw corrupt("negative number " + value + " in field " + fieldId());
    }
    return value;
  }

  /** Reads the length of a binary field or element. The caller must consume its bytes next. */
  int binaryLength() {
    expect(fieldType == BINARY, "bytes");
    return length();
  }

  /** Skips bytes whose number {@link #binaryLength} has checked. */
  void pass(int bytes) {
    position += bytes;
  }

  /** Reads a binary field or element. */
  byte[] readBytes() {
    byte[] bytes = new byte[binaryLength()];
    Memory.copy(position, bytes, 0, bytes.length);
    position += bytes.length;
    return bytes;
  }

  /** Reads a binary field or element as UTF-8. Malformed bytes are replaced. */
  String readString() {
    return new String(readBytes(), StandardCharsets.UTF_8);
  }

  /**
   * Begins a list. Its elements are read as if each were a field.
   *
   * @return number of elements, at most as many as there are bytes left
   */
  int beginList() {
    expect(fieldType == LIST || fieldType == SET, "a list");
    return listHead();
  }

  /**
   * Reads one long field of the structure that is the current field and skips the others.
   *
   * @param id id of that field
   * @return its value, 0 when it is missing
   */
  long readLongOf(int id) {
    expect(fieldType == STRUCT, "a structure");
    return walkStruct(depth, id);
  }

  /** Skips the value of the current field. */
  void skip() {
    skip(fieldType, depth);
  }

  /** Returns an error at the current position. */
  ThriftException corrupt(String problem) {
    return new ThriftException(consumed(), problem, false);
  }

  private int listHead() {
    int head = readByte() & 0xFF;
    int type = head & 0xF;
    int size = head >>> 4;
    if (size == LONG_SIZE) {
      size = size(readVarint());
    }
    boolean isUntyped = type == STOP && size == 0; // some writers omit the type of empty maps
    if (type > UUID || (type == STOP && !isUntyped)) {
      throw corrupt("list of type " + type);
    }
    if (size > limit - position) {
      throw new ThriftException(consumed(), "list of " + size + " elements", true);
    }
    elementType = type;
    fieldType = type;
    return size;
  }

  private void skip(int type, int nesting) {
    if (nesting > MAX_DEPTH) {
      throw corrupt("structures deeper than " + MAX_DEPTH);
    }
    switch (type) {
      case TRUE, FALSE -> {
        // the type is the value
      }
      case BYTE -> advance(1);
      case I16, I32, I64 -> skipVarint();
      case DOUBLE -> advance(Double.BYTES);
      case BINARY -> pass(length());
      case LIST, SET -> skipList(nesting);
      case MAP -> skipMap(nesting);
      case STRUCT -> skipStruct(nesting);
      case UUID -> advance(UUID_BYTES);
      default -> throw corrupt("type " + type);
    }
  }

  private void skipElement(int type, int nesting) {
    if (type == TRUE || type == FALSE) {
      advance(1);
    } else {
      skip(type, nesting);
    }
  }

  private void skipList(int nesting) {
    int count = listHead();
    int type = elementType;
    for (int i = 0; i < count; i++) {
      skipElement(type, nesting + 1);
    }
  }

  private void skipMap(int nesting) {
    int count = size(readVarint());
    if (count == 0) {
      return;
    }
    int types = readByte() & 0xFF;
    if (count > limit - position) {
      throw new ThriftException(consumed(), "map of " + count + " entries", true);
    }
    for (int i = 0; i < count; i++) {
      skipElement(types >>> 4, nesting + 1);
      skipElement(types & 0xF, nesting + 1);
    }
  }

  private void skipStruct(int nesting) {
    walkStruct(nesting, NO_FIELD);
  }

  /**
   * Skips all fields of a structure except one long field, whose value it returns, 0 when it is
   * missing. Skips the most frequent field types within this loop, since footers of many columns
   * consist of little else.
   */
  private long walkStruct(int nesting, int wanted) {
    long found = 0;
    int id = 0;
    while (true) {
      int head = readByte() & 0xFF;
      int type = head & 0xF;
      if (type == STOP) {
        return found;
      }
      int delta = head >>> 4;
      id = delta == 0 ? (int) zigzag(readVarint()) : id + delta;
      if (id == wanted && type == I64) {
        found = zigzag(readVarint());
      } else {
        skipField(type, nesting);
      }
    }
  }

  private void skipField(int type, int nesting) {
    if (type == I64 || type == I32) {
      skipVarint();
      return;
    }
    int length = type == BINARY && position < limit ? Memory.getByte(position) : -1;
    if (length >= 0 && length < limit - position) {
      position += 1 + length;
    } else {
      skip(type, nesting + 1);
    }
  }

  private int length() {
    int length = size(readVarint());
    if (length > limit - position) {
      throw new ThriftException(consumed(), length + " bytes of text", true);
    }
    return length;
  }

  private int size(long value) {
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw corrupt("size " + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  private byte readByte() {
    if (position >= limit) {
      throw new ThriftException(consumed(), "ends too early", true);
    }
    return Memory.getByte(position++);
  }

  private void advance(int bytes) {
    if (bytes > limit - position) {
      throw new ThriftException(consumed(), "ends too early", true);
    }
    position += bytes;
  }

  private void skipVarint() {
    if (limit - position >= Long.BYTES) {
      long ends = ~Memory.getLong(position) & CONTINUATION_BITS;
      if (ends != 0) {
        position += Long.numberOfTrailingZeros(ends) / Byte.SIZE + 1;
        return;
      }
    }
    for (int shift = 0; readByte() < 0; shift += 7) {
      if (shift >= MAX_VARINT_BITS) {
        throw corrupt("number of more than 64 bits");
      }
    }
  }

  private long readVarint() {
    byte first = readByte();
    if (first >= 0) {
      return first;
    }
    long value = first & 0x7F;
    for (int shift = 7; ; shift += 7) {
      byte next = readByte();
      if (shift == MAX_VARINT_BITS && (next & 0xFE) != 0) {
        throw corrupt("number of more than 64 bits");
      }
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private static long zigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }

  private void expect(boolean holds, String what) {
    if (!holds) {
      throw corrupt("type " + fieldType + " instead of " + what);
    }
  }
}
