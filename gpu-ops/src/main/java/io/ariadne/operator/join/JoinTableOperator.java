package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.SinkState;
import java.util.function.Consumer;

/**
 * Completes the table of a join whose parts the splits of its input have made; these yield no rows,
 * nor does this.
 */
final class JoinTableOperator extends BuildSink {
  private final Consumer<SharedBuild> target;

  /**
   * Creates the sink.
   *
   * @param target takes what is built; null when this execution uses it
   */
  JoinTableOperator(HashJoin join, Consumer<SharedBuild> target) {
    super(join);
    this.target = target;
  }

  /** Puts columns together, each thread of work another one. */
  private final class State extends NoRows {
    State() {
      super("splits that make a table yield no rows");
    }

    @Override
    public boolean finish() {
      return !join().construction().concatenateNext();
    }
  }

  @Override
  public SinkState newLocal() {
    return new State();
  }

  @Override
  JoinBuild complete() {
    boolean more = true;
    while (more) {
      more = join().construction().concatenateNext();
    }
    return join().construction().complete();
  }

  @Override
  void deliver(JoinBuild complete) {
    if (target == null) {
      super.deliver(complete);
    } else {
      JoinTable table = complete.table();
      long bytes = join().tableBytes(table.rowCount(), table.columnBytes());
      target.accept(new SharedBuild(complete, bytes));
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(target == null ? built() : null);
    closer.rethrow();
  }
}
