package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.BridgedStages;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.kernel.hash.GroupTable;
import java.util.List;
import java.util.function.Consumer;

/**
 * Computes the keys of batches in the layouts in which a {@link GroupTable} takes them. Used by one
 * thread at a time.
 */
public final class KeyColumns implements AutoCloseable {
  private final Keys keys;
  private final ProjectionRunner runner;

  /**
   * What is computed. Immutable, shared by threads: compiled programs are kept.
   *
   * @param expressions the keys, without bridged calls and members of structs
   */
  public record Keys(List<Expression> expressions, TileProgramCompiler compiler) {
    /** Compiles keys as they are needed. */
    public static Keys of(List<Expression> expressions) {
      if (expressions.stream().anyMatch(BridgedStages::isBridged)) {
        throw new IllegalArgumentException("keys have bridged calls: " + expressions);
      }
      return new Keys(
          List.copyOf(expressions), TileProgramCompiler.withDefaultLayouts(expressions));
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

  @Override
  public void close() {
    runner.close();
  }
}
