package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.RefusedBatch;
import io.ariadne.operator.SinkState;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.List;

/** The batches of the build side that one thread of work has taken in. */
final class JoinBuildState implements SinkState {
  private static final SpillPlacement WAITING = SpillPlacement.at(1, true);

  private final OperatorContext context;
  private final List<SpillableBatch> batches = new ArrayList<>();
  private final RefusedBatch refused = new RefusedBatch();

  JoinBuildState(OperatorContext context) {
    this.context = context;
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    RecordBatch host;
    try {
      host = context.transfer().moveToHost(batch);
    } catch (RuntimeException | Error e) {
      refused.keepOrClose(batch, e);
      throw e;
    }
    batches.add(context.spill().add(host, WAITING));
  }

  @Override
  public RecordBatch takeRefused() {
    return refused.take();
  }

  /**
   * Hands the batches to the caller; the state takes no more.
   *
   * @param target takes the batches, owned by the caller
   */
  void takeBatches(List<SpillableBatch> target) {
    target.addAll(batches);
    batches.clear();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    closer.close(refused);
    closer.rethrow();
  }
}
