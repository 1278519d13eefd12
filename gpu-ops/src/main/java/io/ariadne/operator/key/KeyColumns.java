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
 * Computes the keys of batches in the layouts of a {@link GroupTable}. Used by one thread at a
 * time.
 */
public final class KeyColumns implements AutoCloseable {
  private final Keys keys;
  private final ProjectionRunner runner;
  private final CodedGroups found; // of combinations of codes, in the table that the lookup reads

  /**
   * The keys to compute. Immutable, shared by threads, which share the compiled programs.
   *
   * @param expressions the keys, without bridged calls and members of structs
   * @param compiler compiles the expressions
   * @param coded the keys as plain columns; null when a key is computed or there are no keys
   */
  public record Keys(List<Expression> expressions, TileProgramCompiler compiler, CodedKeys coded) {
    /** Returns keys that are compiled when they are first needed. */
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
   * Creates a computation of keys.
   *
   * @param keys what to compute
   * @param context where the keys are computed
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
   * @param body gets the keys in kernel memory; they are valid during the call
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
   * Looks up the keys of a batch. When the keys are dictionary columns with few entries, looks each
   * combination of entries up once.
   *
   * @param batch stays the caller's
   * @param lookup reads the same table in all calls
   * @param groupIds receives a 32-bit number per row, as {@link KeyLookup#find} writes it
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
