package io.ariadne.executor;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.join.SharedBuild;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task's use of one of the {@link SharedTables}, until it is closed. It is also an input, without
 * rows, of the fragment that uses the table; so the use ends after the fragment has freed
 * everything else.
 */
public final class TableLease implements BatchSource {
  private final Schema schema;
  private final SharedBuild table;
  private final Backend backend;
  private final Runnable release;
  private final AtomicBoolean closed = new AtomicBoolean();

  TableLease(Schema schema, SharedBuild table, Backend backend, Runnable release) {
    this.schema = schema;
    this.table = table;
    this.backend = backend;
    this.release = release;
  }

  /** Returns the table, valid until this is closed. */
  public SharedBuild table() {
    return table;
  }

  /** Returns the back end whose memory holds the table. */
  Backend backend() {
    return backend;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public RecordBatch next() {
    return null;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      release.run();
    }
  }
}
