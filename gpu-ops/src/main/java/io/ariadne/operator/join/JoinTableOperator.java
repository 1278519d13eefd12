package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.function.Consumer;

/**
 * Completes the table of a join whose parts the splits of its input have made; these yield no rows,
 * nor does this.
 */
final class JoinTableOperator implements SinkOperator {
  private final HashJoin join;
  private final Consumer<SharedBuild> target;
  private JoinBuild built;

  /**
   * Creates the sink.
   *
   * @param target takes what is built; null when this execution uses it
   */
  JoinTableOperator(HashJoin join, Consumer<SharedBuild> target) {
    this.join = join;
    this.target = target;
  }

  @Override
  public Schema outputSchema() {
    return join.spec().build();
  }

  /** Puts columns together, each thread of work another one. */
  private final class State extends NoRows {
    State() {
      super("splits that make a table yield no rows");
    }

    @Override
    public boolean finish() {
      return !join.construction().concatenateNext();
    }
  }

  @Override
  public SinkState newLocal() {
    return new State();
  }

  @Override
  public void combine(SinkState local) {
    local.close();
  }

  @Override
  public void finish() {
    boolean more = true;
    while (more) {
      more = join.construction().concatenateNext();
    }
    built = join.construction().complete();
    if (target == null) {
      join.built(built);
    } else {
      JoinTable table = built.table();
      long bytes = join.tableBytes(table.rowCount(), table.columnBytes());
      target.accept(new SharedBuild(built, bytes));
    }
  }

  @Override
  public RecordBatch getOutput() {
    return null;
  }

  @Override
  public boolean sparesInput() {
    return built.yieldsNothing();
  }

  @Override
  public boolean isFinished() {
    return built != null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(target == null ? built : null);
    closer.rethrow();
  }
}
