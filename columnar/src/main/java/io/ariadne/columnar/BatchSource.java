package io.ariadne.columnar;

import io.ariadne.columnar.type.Schema;

/** A stream of batches pulled by one thread at a time. */
public interface BatchSource extends AutoCloseable {
  /** Returns the columns of every batch. */
  Schema schema();

  /**
   * Returns the next batch, owned by the caller, or null at the end; may block.
   *
   * @throws io.ariadne.error.EngineException when the input is damaged or memory runs out
   */
  RecordBatch next();

  /** Frees what the source holds; may be called before the end and more than once. */
  @Override
  void close();
}
