package io.ariadne.fragment.admission;

import java.util.List;

/**
 * Chooses the operator of a chain whose task runs next. The policies of the streaming batch model
 * (arXiv 2501.12407v5, section 4.3.1). Stateless.
 *
 * <p>The first operator of a chain is its source. The caller asks again whenever a partition has
 * come into being or a slot is free, as in the paper (section 4.2), until the answer is {@link
 * #NONE}.
 */
final class AdmissionPolicy {
  /** No operator: nothing may run now. */
  static final int NONE = -1;

  /**
   * What a policy knows of an operator.
   *
   * @param hasInput whether there is a partition to work on
   * @param hasSlot whether a slot of its resource is free
   * @param hasOutputSpace whether there is memory for one more partition of its output now
   * @param queuedOutputBytes bytes of its output that no task has begun to use
   * @param expectedOutputBytes bytes that a task is expected to yield
   */
  record Candidate(
      boolean hasInput,
      boolean hasSlot,
      boolean hasOutputSpace,
      long queuedOutputBytes,
      long expectedOutputBytes) {
    private boolean mayRun() {
      return hasInput && hasSlot && hasOutputSpace;
    }
  }

  private AdmissionPolicy() {}

  /**
   * The optimistic policy, Algorithm 1: the source runs while its budget covers the output that a
   * task is expected to yield, whether there is memory for all of it already or not. Else, of the
   * operators with input, a slot and memory for output, the one with the least queued output runs.
   *
   * <p>Other than in the paper, a chain that holds nothing may always start a source task: a
   * partition may be larger than all memory, and an estimate may be wrong.
   *
   * @param chain the operators in order, the source first
   * @param budgetBytes the budget of the source, see {@link SourceBudget#bytes}
   * @param isIdle whether nothing is queued and no task runs
   * @return index of the operator, or {@link #NONE}
   */
  static int optimistic(List<Candidate> chain, long budgetBytes, boolean isIdle) {
    Candidate source = chain.get(0);
    if (source.hasInput()
        && source.hasSlot()
        && (isIdle || source.expectedOutputBytes() <= budgetBytes)) {
      return 0;
    }
    return leastQueued(chain, 1);
  }

  /**
   * The pessimistic policy, which is back-pressure: of all operators, the source included, with
   * input, a slot and memory for output, the one with the least queued output runs. Of several, the
   * one closest to the end of the chain.
   *
   * @param chain the operators in order, the source first
   * @return index of the operator, or {@link #NONE}
   */
  static int pessimistic(List<Candidate> chain) {
    return leastQueued(chain, 0);
  }

  private static int leastQueued(List<Candidate> chain, int from) {
    int best = NONE;
    for (int i = chain.size() - 1; i >= from; i--) {
      boolean isBetter =
          best == NONE || chain.get(i).queuedOutputBytes() < chain.get(best).queuedOutputBytes();
      if (chain.get(i).mayRun() && isBetter) {
        best = i;
      }
    }
    return best;
  }
}
