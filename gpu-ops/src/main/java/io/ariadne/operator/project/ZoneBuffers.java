package io.ariadne.operator.project;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.operator.OperatorContext;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Time zone tables in kernel memory, made when they are first needed. Used by one thread at a time.
 */
final class ZoneBuffers implements AutoCloseable {
  private static final int STEP_BYTES = 16;

  private final OperatorContext context;
  private final Function<ZoneId, byte[]> tables;
  private final Map<ZoneId, Table> made = new HashMap<>();

  /**
   * The table of a time zone.
   *
   * @param buffer its bytes, owned by {@link ZoneBuffers}; null without a zone
   * @param steps how many entries it has
   */
  record Table(MemoryBuffer buffer, int steps) {}

  /**
   * Creates an empty collection.
   *
   * @param context where memory comes from
   * @param tables makes the bytes of a zone's table
   */
  ZoneBuffers(OperatorContext context, Function<ZoneId, byte[]> tables) {
    this.context = context;
    this.tables = tables;
  }

  /** Returns the table of a zone; the empty table for null. Valid until this is closed. */
  Table of(ZoneId zone) {
    return zone == null ? new Table(null, 0) : made.computeIfAbsent(zone, this::make);
  }

  private Table make(ZoneId zone) {
    byte[] bytes = tables.apply(zone);
    try (MemoryBuffer host = context.allocator().allocate(bytes.length)) {
      for (int i = 0; i < bytes.length; i++) {
        Memory.putByte(host.address() + i, bytes[i]);
      }
      MemoryBuffer table = context.kernelAllocator().allocate(bytes.length);
      ColumnTransfer.filled(
          table, () -> context.backend().write(host.address(), table, 0, bytes.length));
      return new Table(table, bytes.length / STEP_BYTES);
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    made.values().forEach(table -> closer.close(table.buffer()));
    made.clear();
    closer.rethrow();
  }
}
