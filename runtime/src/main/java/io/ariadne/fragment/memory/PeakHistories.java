package io.ariadne.fragment.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The peak memory of recent batches of all fragments of a process, by kind of pipeline.
 * Thread-safe.
 */
public final class PeakHistories {
  private static final int MOST_KINDS = 1024;

  /** The most recently used kinds. */
  @GuardedBy("this")
  private final Map<List<Object>, PeakHistory> kinds =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Object>, PeakHistory> eldest) {
          return size() > MOST_KINDS;
        }
      };

  /** Creates empty histories. */
  public PeakHistories() {}

  /** Returns the history of the pipelines with the same input, nodes and operators. */
  public synchronized PeakHistory of(PipelinePlan plan) {
    return kinds.computeIfAbsent(signature(plan), unseen -> new PeakHistory());
  }

  private static List<Object> signature(PipelinePlan plan) {
    List<Object> signature = new ArrayList<>();
    signature.add(plan.input());
    for (PipelinePlan.Transform transform : plan.transforms()) {
      signature.add(transform.nodeIds());
      signature.add(transform.factory().getClass());
    }
    if (plan.sink() != null) {
      signature.add(plan.sink().nodeId());
      signature.add(plan.sink().factory().getClass());
    }
    return signature;
  }
}
