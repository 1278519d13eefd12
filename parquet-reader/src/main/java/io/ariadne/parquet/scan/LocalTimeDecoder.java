package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.parquet.column.ColumnDecoder;
import io.ariadne.parquet.column.RowSelection;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.schema.ResolvedColumn;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Converts INT96 timestamps to instants when the file has them as local times of a zone. Another
 * decoder has decoded the column before. Needs host memory and columns that are not
 * dictionary-encoded.
 *
 * <p>Source: Spark 4.1, {@code ParquetVectorUpdaterFactory.BinaryToSQLTimestampConvertTzUpdater}
 * and {@code DateTimeUtils.convertTz}. At the ends of the range of 64-bit microseconds, where Spark
 * raises an error, the result wraps around.
 */
final class LocalTimeDecoder implements ColumnDecoder {
  private static final long MICROS_PER_SECOND = TimeUnit.SECONDS.toMicros(1);

  private final ColumnDecoder local;
  private final ResolvedColumn column;
  private final ZoneId zone;

  /**
   * Wraps a decoder.
   *
   * @param local decodes local times, owned by this object
   * @param column the column that it decodes
   * @param zone zone of the local times
   */
  LocalTimeDecoder(ColumnDecoder local, ResolvedColumn column, ZoneId zone) {
    this.local = local;
    this.column = column;
    this.zone = zone;
  }

  /** Returns whether any leaf of a column may be a local time. */
  static boolean concerns(ResolvedColumn column) {
    return isLocalTime(column) || parts(column).stream().anyMatch(LocalTimeDecoder::concerns);
  }

  private static boolean isLocalTime(ResolvedColumn column) {
    return column instanceof ResolvedColumn.Leaf leaf
        && leaf.leaf().kind() == PhysicalKind.INT96
        && leaf.type() == PrimitiveType.TIMESTAMP_MICROS;
  }

  /** Returns the parts of a column, in the order of its vector's children. */
  private static List<ResolvedColumn> parts(ResolvedColumn column) {
    if (column instanceof ResolvedColumn.Struct struct) {
      return struct.members();
    }
    if (column instanceof ResolvedColumn.Repeated list) {
      return List.of(list.element());
    }
    return column instanceof ResolvedColumn.KeyValue map
        ? List.of(map.key(), map.value())
        : List.of();
  }

  @Override
  public ColumnVector decode(long firstRow, int rowCount, RowSelection selection) {
    ColumnVector decoded = local.decode(firstRow, rowCount, selection);
    shift(decoded, column);
    return decoded;
  }

  private void shift(ColumnVector vector, ResolvedColumn resolved) {
    if (isLocalTime(resolved)) {
      shift(vector);
      return;
    }
    List<ColumnVector> children =
        resolved instanceof ResolvedColumn.KeyValue
            ? vector.children().get(0).children()
            : vector.children();
    List<ResolvedColumn> parts = parts(resolved);
    for (int i = 0; i < parts.size(); i++) {
      shift(children.get(i), parts.get(i));
    }
  }

  private void shift(ColumnVector times) {
    for (int row = 0; row < times.rowCount(); row++) {
      if (!times.isNull(row)) {
        long address = times.data().address() + (long) row * Long.BYTES;
        Memory.putLong(address, instantOf(Memory.getLong(address)));
      }
    }
  }

  /**
   * Returns the instant of a local time, both in microseconds. A local time that occurs twice, when
   * clocks are set back, is the earlier of its two instants.
   */
  private long instantOf(long micros) {
    long second = Math.floorDiv(micros, MICROS_PER_SECOND);
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    return time.atZone(zone).toEpochSecond() * MICROS_PER_SECOND
        + Math.floorMod(micros, MICROS_PER_SECOND);
  }

  @Override
  public void close() {
    local.close();
  }
}
