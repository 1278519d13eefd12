package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.join.JoinSpec;
import java.util.List;

/**
 * Joins rows with equal keys. The build side is read as a whole before the first row of the probe
 * side.
 *
 * @param id metrics number
 * @param buildId metrics number of what takes the build side
 * @param probe the side whose batches stream through
 * @param build the side that is kept
 * @param spec what is joined, over the schemas of the sides
 * @param keepsOrder whether rows come in the order of the probe side, for which the build side must
 *     fit memory
 */
public record JoinNode(
    int id, int buildId, PlanNode probe, PlanNode build, JoinSpec spec, boolean keepsOrder)
    implements PlanNode {
  /** Creates a join that keeps no order; arguments as in the full constructor. */
  public JoinNode(int id, int buildId, PlanNode probe, PlanNode build, JoinSpec spec) {
    this(id, buildId, probe, build, spec, false);
  }

  /** Returns this join with rows in the order of the probe side. */
  public JoinNode inOrder() {
    return new JoinNode(id, buildId, probe, build, spec, true);
  }

  /** Returns this join over another plan of the same build rows. */
  public JoinNode withBuild(PlanNode other) {
    return new JoinNode(id, buildId, probe, other, spec, keepsOrder);
  }

  @Override
  public List<PlanNode> children() {
    return List.of(probe, build);
  }

  @Override
  public Schema schema() {
    return spec.output();
  }

  /** A batch has rows of several: nobody can say which file a row is of. */
  @Override
  public boolean isBreaker() {
    return true;
  }
}
