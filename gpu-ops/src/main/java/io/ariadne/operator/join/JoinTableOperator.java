package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.SinkState;
import java.util.function.Consumer;

/**
 * Completes the hash table whose parts the splits of its input have built. Neither the splits nor
 * this sink yield rows.
 */
final class JoinTableOperator extends BuildSink {
  private final Consumer<SharedBuild> target;

  /**
   * Creates the sink.
   *
   * @param target takes the build side; null when this execution probes it
   */
  JoinTableOperator(HashJoin join, Consumer<SharedBuild> target) {
    super(join);
    this.target = target;
  }

  /** Concatenates columns; each thread takes another one. */
  private final class State extends NoRows {
    State() {
      super("splits that build a table yield no rows");
    }

    @Override
    public boolean finish() {
      return !join().builder().concatenateNext();
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
      more = join().builder().concatenateNext();
    }
    return join().builder().complete();
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
