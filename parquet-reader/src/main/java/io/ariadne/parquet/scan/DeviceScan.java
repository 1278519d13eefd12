package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.column.DeviceColumns;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import java.util.List;

/**
 * What a scan worker uses on a device: launches that decode columns, and compiled predicates. Used
 * by one thread at a time.
 */
final class DeviceScan implements AutoCloseable {
  /** The windows of all threads take at most one of this many equal parts of the host's memory. */
  private static final int SHARES = 8;

  private static final long MAX_WINDOW_BYTES = 256L << 20;

  private final DeviceColumns columns;
  private final RecentPredicates predicates;

  /**
   * Prepares launches.
   *
   * @param context of the device
   */
  DeviceScan(OperatorContext context) {
    this.columns = new DeviceColumns(context);
    this.predicates = new RecentPredicates(context);
  }

  /**
   * Returns whether a device decodes most of a row group. Windows of other row groups stay as small
   * as those of the host, whose calls must not last long.
   *
   * @param group the rows
   * @param leaves the columns that are read
   */
  static boolean suits(RowGroup group, List<SchemaNode> leaves) {
    return leaves.stream().allMatch(leaf -> suits(leaf, group.chunk(leaf.leafIndex())));
  }

  /** Strings of few bytes are likely dictionary ids. */
  private static boolean suits(SchemaNode leaf, ColumnChunk chunk) {
    boolean isFixedWidth = leaf.kind() != PhysicalKind.BYTE_ARRAY;
    long valueBytes = chunk.uncompressedBytes() / Math.max(chunk.valueCount(), 1);
    return FileScan.isFlat(leaf) && (isFixedWidth || valueBytes <= Integer.BYTES);
  }

  /**
   * Returns how large windows are that a device decodes.
   *
   * @param context of the device
   */
  static WindowLimits limits(OperatorContext context) {
    long share = context.spill().capacityInBytes() / SHARES / context.threadCount();
    long bytes = Math.max(WindowLimits.HOST_BYTES, Math.min(MAX_WINDOW_BYTES, share));
    return new WindowLimits(context.inputRows(), bytes);
  }

  DeviceColumns columns() {
    return columns;
  }

  RecentPredicates predicates() {
    return predicates;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(predicates);
    closer.close(columns);
    closer.rethrow();
  }
}
