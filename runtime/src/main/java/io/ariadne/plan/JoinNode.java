package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.join.JoinSpec;
import java.util.List;

/**
 * Joins rows with equal keys. The build side is read as a whole before the first row of the probe
 * side.
 *
 * @param id metrics id
 * @param buildId metrics id of the operators that read the build side
 * @param probe the side whose batches stream through
 * @param build the side from which the hash table is built
 * @param spec keys, kind and output of the join, over the schemas of the sides
 * @param keepsOrder whether output keeps the order of the probe side; the build side is then not
 *     partitioned, which makes the join slow when memory is refused for its hash table
 */
public record JoinNode(
    int id, int buildId, PlanNode probe, PlanNode build, JoinSpec spec, boolean keepsOrder)
    implements PlanNode {
  /** Creates a join that keeps no order; arguments as in the full constructor. */
  public JoinNode(int id, int buildId, PlanNode probe, PlanNode build, JoinSpec spec) {
    this(id, buildId, probe, build, spec, false);
  }

  /** Returns this join with output in the order of the probe side. */
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

  /**
   * Returns true: an output batch contains rows of several input batches, so the input location of
   * a row is unknown.
   */
  @Override
  public boolean isBreaker() {
    return true;
  }
}
