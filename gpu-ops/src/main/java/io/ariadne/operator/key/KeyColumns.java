package io.ariadne.operator.key;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.BridgedStages;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.kernel.hash.KeyLookup;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.project.ProjectionRunner;
import io.ariadne.operator.project.WorkingColumns;
import java.util.List;
import java.util.function.Consumer;

/**
 * Computes the keys of batches in the layouts in which a {@link GroupTable} takes them. Used by one
 * thread at a time.
 */
public final class KeyColumns implements AutoCloseable {
  private final Keys keys;
  private final ProjectionRunner runner;
  private final CodedGroups found; // of combinations of codes, in the table that is looked up in

  /**
   * What is computed. Immutable, shared by threads: compiled programs are kept.
   *
   * @param expressions the keys, without bridged calls and members of structs
   * @param coded the keys as columns; null when one is computed or there are none
   */
  public record Keys(List<Expression> expressions, TileProgramCompiler compiler, CodedKeys coded) {
    /** Compiles keys as they are needed. */
    public static Keys of(List<Expression> expressions) {
      if (expressions.stream().anyMatch(BridgedStages::isBridged)) {
        throw new IllegalArgumentException("keys have bridged calls: " + expressions);
      }
      return new Keys(
          List.copyOf(expressions),
          TileProgramCompiler.withDefaultLayouts(expressions),
          CodedKeys.of(expressions));
    }
  }

  /**
   * Prepares.
   *
   * @param keys what to compute
   * @param context where it runs
   */
  public KeyColumns(Keys keys, OperatorContext context) {
    this.keys = keys;
    this.runner = new ProjectionRunner(context);
    this.found = new CodedGroups(runner);
  }

  /**
   * Computes the keys of a batch.
   *
   * @param batch stays the caller's
   * @param body gets the keys where kernels see them, to be used during the call
   */
  public void use(RecordBatch batch, Consumer<List<ColumnVector>> body) {
    if (keys.expressions().isEmpty()) {
      body.accept(List.of());
      return;
    }
    try (WorkingColumns columns = runner.columnsOf(batch)) {
      runner.compute(keys.compiler(), batch, columns);
      body.accept(columns.kernelOutputs(batch.rowCount()));
    }
  }

  /**
   * Looks the keys of a batch up. Keys that are columns with dictionaries of few entries are looked
   * up once per combination of entries that occurs.
   *
   * @param batch stays the caller's
   * @param lookup in the same table in all calls
   * @param groupIds room for a 32-bit number per row; written as by {@link KeyLookup#find}
   */
  public void find(RecordBatch batch, KeyLookup lookup, MemoryBuffer groupIds) {
    if (found.applies(batch, keys.coded())) {
      found.assign(batch, keys.coded(), (columns, count) -> find(lookup, columns, count), groupIds);
    } else {
      use(batch, columns -> lookup.find(columns, batch.rowCount(), groupIds));
    }
  }

  private ColumnVector find(KeyLookup lookup, List<ColumnVector> columns, int count) {
    MemoryBuffer ids = runner.context().kernelAllocator().allocate((long) count * Integer.BYTES);
    try {
      lookup.find(columns, count, ids);
    } catch (RuntimeException | Error e) {
      ids.close();
      throw e;
    }
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, count, ids, null);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(found);
    closer.close(runner);
    closer.rethrow();
  }
}
