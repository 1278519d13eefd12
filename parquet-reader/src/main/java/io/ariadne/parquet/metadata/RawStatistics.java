package io.ariadne.parquet.metadata;

/**
 * Statistics as a file states them, before {@link StatisticsTrust} has decided which of them to
 * trust.
 */
@SuppressWarnings("ArrayRecordComponent")
record RawStatistics(
    byte[] min,
    byte[] max,
    byte[] minValue,
    byte[] maxValue,
    long nullCount,
    boolean isMinExact,
    boolean isMaxExact) {

  /** Reads the structure that is the current field. */
  static RawStatistics read(ThriftReader reader) {
    byte[] min = null;
    byte[] max = null;
    byte[] minValue = null;
    byte[] maxValue = null;
    long nullCount = Statistics.UNKNOWN_COUNT;
    boolean minExact = false;
    boolean maxExact = false;
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> max = reader.readBytes();
        case 2 -> min = reader.readBytes();
        case 3 -> nullCount = Math.max(reader.readI64(), Statistics.UNKNOWN_COUNT);
        case 5 -> maxValue = reader.readBytes();
        case 6 -> minValue = reader.readBytes();
        case 7 -> maxExact = reader.readBool();
        case 8 -> minExact = reader.readBool();
        default -> reader.skip();
      }
    }
    return new RawStatistics(min, max, minValue, maxValue, nullCount, minExact, maxExact);
  }
}
