package io.ariadne.parquet.metadata;

import io.ariadne.columnar.buffer.Memory;
import java.nio.charset.StandardCharsets;

/**
 * Parses one element of the footer's flat list of schema elements into reused fields, so that
 * elements of unselected columns cost no objects.
 */
final class SchemaElement {
  private static final LogicalAnnotation[] CONVERTED = {
    LogicalAnnotation.of(LogicalKind.STRING),
    LogicalAnnotation.of(LogicalKind.MAP),
    LogicalAnnotation.of(LogicalKind.MAP_KEY_VALUE),
    LogicalAnnotation.of(LogicalKind.LIST),
    LogicalAnnotation.of(LogicalKind.ENUM),
    null, // decimals have parameters
    LogicalAnnotation.of(LogicalKind.DATE),
    LogicalAnnotation.temporal(LogicalKind.TIME, TimestampUnit.MILLIS, true),
    LogicalAnnotation.temporal(LogicalKind.TIME, TimestampUnit.MICROS, true),
    LogicalAnnotation.temporal(LogicalKind.TIMESTAMP, TimestampUnit.MILLIS, true),
    LogicalAnnotation.temporal(LogicalKind.TIMESTAMP, TimestampUnit.MICROS, true),
    LogicalAnnotation.integer(8, false),
    LogicalAnnotation.integer(16, false),
    LogicalAnnotation.integer(32, false),
    LogicalAnnotation.integer(64, false),
    LogicalAnnotation.integer(8, true),
    LogicalAnnotation.integer(16, true),
    LogicalAnnotation.integer(32, true),
    LogicalAnnotation.integer(64, true),
    LogicalAnnotation.of(LogicalKind.JSON),
    LogicalAnnotation.of(LogicalKind.BSON),
    LogicalAnnotation.of(LogicalKind.INTERVAL)
  };
  private static final int CONVERTED_DECIMAL = 5;

  PhysicalKind kind;
  int typeLength;
  Repetition repetition;
  int childCount;
  boolean hasFieldId;
  int fieldId;
  private long nameAddress;
  private int nameLength;
  private int converted;
  private int scale;
  private int precision;
  private LogicalAnnotation logical;

  /** Reads the next element. */
  void read(ThriftReader reader) {
    kind = null;
    typeLength = 0;
    repetition = Repetition.REQUIRED;
    childCount = 0;
    hasFieldId = false;
    nameLength = -1;
    converted = -1;
    scale = 0;
    precision = 0;
    logical = null;
    reader.beginStruct();
    while (reader.nextField()) {
      readField(reader);
    }
    if (nameLength < 0) {
      throw reader.corrupt("schema element without a name");
    }
    if (kind == null && childCount < 0) {
      throw reader.corrupt("schema element with " + childCount + " children");
    }
  }

  private void readField(ThriftReader reader) {
    switch (reader.fieldId()) {
      case 1 -> {
        int number = reader.readI32();
        kind = PhysicalKind.of(number);
        if (kind == null) {
          throw reader.corrupt("physical type " + number);
        }
      }
      case 2 -> typeLength = reader.readI32();
      case 3 -> {
        int number = reader.readI32();
        repetition = Repetition.of(number);
        if (repetition == null) {
          throw reader.corrupt("repetition type " + number);
        }
      }
      case 4 -> {
        nameLength = reader.binaryLength();
        nameAddress = reader.address();
        reader.pass(nameLength);
      }
      case 5 -> childCount = reader.readI32();
      case 6 -> converted = reader.readI32();
      case 7 -> scale = reader.readI32();
      case 8 -> precision = reader.readI32();
      case 9 -> {
        fieldId = reader.readI32();
        hasFieldId = true;
      }
      case 10 -> logical = readLogical(reader);
      default -> reader.skip();
    }
  }

  /** Returns the length of the name in bytes. */
  int nameLength() {
    return nameLength;
  }

  /** Returns whether the name has only ASCII letters. */
  boolean hasAsciiName() {
    for (int i = 0; i < nameLength; i++) {
      if (Memory.getByte(nameAddress + i) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the name, as a new string each time. */
  String name() {
    byte[] bytes = new byte[nameLength];
    Memory.copy(nameAddress, bytes, 0, nameLength);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Returns the annotation. Where logical and converted type contradict each other the converted
   * type wins, as in parquet-mr ({@code ParquetMetadataConverter.buildChildren}).
   */
  LogicalAnnotation annotation() {
    LogicalAnnotation old = convertedAnnotation();
    if (old == null) {
      return logical == null || (logical.kind() == LogicalKind.UNKNOWN && kind == null)
          ? LogicalAnnotation.NONE
          : logical;
    }
    return isRefinedBy(old, logical) ? logical : old;
  }

  /** Returns whether the converted type is the one that corresponds to a logical annotation. */
  private static boolean isRefinedBy(LogicalAnnotation old, LogicalAnnotation logical) {
    return logical != null
        && old.kind() == logical.kind()
        && old.unit() == logical.unit()
        && old.bitWidth() == logical.bitWidth()
        && old.isSigned() == logical.isSigned();
  }

  private LogicalAnnotation convertedAnnotation() {
    if (converted == CONVERTED_DECIMAL) {
      return LogicalAnnotation.decimal(precision, scale);
    }
    if (converted < 0) {
      return null;
    }
    return converted < CONVERTED.length
        ? CONVERTED[converted]
        : LogicalAnnotation.of(LogicalKind.UNRECOGNISED);
  }

  private static LogicalAnnotation readLogical(ThriftReader reader) {
    LogicalAnnotation result = null;
    reader.beginStruct();
    while (reader.nextField()) {
      result =
          switch (reader.fieldId()) {
            case 1 -> plain(reader, LogicalKind.STRING);
            case 2 -> plain(reader, LogicalKind.MAP);
            case 3 -> plain(reader, LogicalKind.LIST);
            case 4 -> plain(reader, LogicalKind.ENUM);
            case 5 -> decimal(reader);
            case 6 -> plain(reader, LogicalKind.DATE);
            case 7 -> temporal(reader, LogicalKind.TIME);
            case 8 -> temporal(reader, LogicalKind.TIMESTAMP);
            case 10 -> integer(reader);
            case 11 -> plain(reader, LogicalKind.UNKNOWN);
            case 12 -> plain(reader, LogicalKind.JSON);
            case 13 -> plain(reader, LogicalKind.BSON);
            case 14 -> plain(reader, LogicalKind.UUID);
            case 15 -> plain(reader, LogicalKind.FLOAT16);
            case 16 -> plain(reader, LogicalKind.VARIANT);
            case 17 -> plain(reader, LogicalKind.GEOMETRY);
            case 18 -> plain(reader, LogicalKind.GEOGRAPHY);
            default -> plain(reader, LogicalKind.UNRECOGNISED);
          };
    }
    return result;
  }

  private static LogicalAnnotation plain(ThriftReader reader, LogicalKind kind) {
    reader.skip();
    return LogicalAnnotation.of(kind);
  }

  private static LogicalAnnotation decimal(ThriftReader reader) {
    int scale = 0;
    int precision = 0;
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> scale = reader.readI32();
        case 2 -> precision = reader.readI32();
        default -> reader.skip();
      }
    }
    return LogicalAnnotation.decimal(precision, scale);
  }

  private static LogicalAnnotation integer(ThriftReader reader) {
    int bitWidth = 0;
    boolean signed = false;
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> bitWidth = reader.readI8();
        case 2 -> signed = reader.readBool();
        default -> reader.skip();
      }
    }
    return LogicalAnnotation.integer(bitWidth, signed);
  }

  private static LogicalAnnotation temporal(ThriftReader reader, LogicalKind kind) {
    boolean adjusted = false;
    TimestampUnit unit = null;
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> adjusted = reader.readBool();
        case 2 -> unit = readUnit(reader);
        default -> reader.skip();
      }
    }
    return unit == null
        ? LogicalAnnotation.of(LogicalKind.UNRECOGNISED)
        : LogicalAnnotation.temporal(kind, unit, adjusted);
  }

  private static TimestampUnit readUnit(ThriftReader reader) {
    TimestampUnit unit = null;
    reader.beginStruct();
    while (reader.nextField()) {
      unit =
          switch (reader.fieldId()) {
            case 1 -> TimestampUnit.MILLIS;
            case 2 -> TimestampUnit.MICROS;
            case 3 -> TimestampUnit.NANOS;
            default -> null;
          };
      reader.skip();
    }
    return unit;
  }
}
