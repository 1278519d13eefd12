package io.ariadne.pipeline.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.fragment.LongBatches;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.operator.join.JoinSpec;
import io.ariadne.plan.AggregateNode;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.LimitNode;
import io.ariadne.plan.PartitionNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.plan.RoundRobinNode;
import io.ariadne.plan.ScanNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TestLocalPlanner {
  private static final Expression VALUE = new ColumnReference(0, PrimitiveType.INT64, false);
  private static final Field COUNT = new Field("count", PrimitiveType.INT64, false);
  private static final PlanNode INPUT = new InputNode(0, 0, LongBatches.SCHEMA);

  private static FilterNode filter(int id, PlanNode child) {
    Expression positive =
        new Call(
            Function.GREATER,
            List.of(VALUE, new Literal(0L, PrimitiveType.INT64)),
            PrimitiveType.BOOLEAN,
            false,
            EvaluationMode.LEGACY,
            -1);
    return new FilterNode(id, child, positive);
  }

  private static ProjectNode project(int id, PlanNode child) {
    return new ProjectNode(id, child, List.of(VALUE), LongBatches.SCHEMA);
  }

  private static AggregateNode count(int id, PlanNode child) {
    AggregateCall count = AggregateCall.of(AggregateFunction.COUNT, List.of(), COUNT);
    return new AggregateNode(id, child, true, List.of(), List.of(count), Schema.of(COUNT));
  }

  /** Returns the nodes of each transform, but for those that put small batches together. */
  private static List<List<Integer>> transforms(PipelinePlan pipeline) {
    return pipeline.transforms().stream()
        .map(PipelinePlan.Transform::nodeIds)
        .filter(nodes -> !nodes.isEmpty())
        .toList();
  }

  /** Returns the classes of all transforms, by the first letters of their names. */
  private static String shape(PipelinePlan pipeline) {
    return pipeline.transforms().stream()
        .map(transform -> transform.factory().getClass().getSimpleName())
        .map(name -> name.replaceAll("OperatorFactory|\\$.*", ""))
        .collect(Collectors.joining(" "));
  }

  @Test
  void coalescesSmallBatchesBeforeOperatorsWithACostPerBatch() {
    // Nothing is done with what is only passed on.
    assertEquals("", shape(LocalPlanner.plan(INPUT).pipelines().get(0)));
    PlanNode scan = new ScanNode(0, 0, LongBatches.SCHEMA);
    assertEquals("Coalesce", shape(LocalPlanner.plan(scan).pipelines().get(0)));
    // A projection leaves as many rows as there are, a filter does not.
    PlanNode few = project(3, filter(2, project(1, scan)));
    List<PipelinePlan> pipelines = LocalPlanner.plan(filter(5, count(4, few))).pipelines();
    assertEquals("Coalesce FilterProject FilterProject Coalesce", shape(pipelines.get(0)));
    assertEquals("FilterProject Coalesce", shape(pipelines.get(1)));
    PlanNode first = new LimitNode(2, filter(1, INPUT), 0, 10);
    assertEquals(
        "Coalesce FilterProject Limit Coalesce",
        shape(LocalPlanner.plan(first).pipelines().get(0)));
    pipelines = LocalPlanner.plan(count(4, join(3, filter(1, INPUT), scan))).pipelines();
    assertEquals("Coalesce", shape(pipelines.get(0)));
    assertEquals("", shape(pipelines.get(1))); // makes the table
    assertEquals("Coalesce FilterProject Coalesce Probe Coalesce", shape(pipelines.get(2)));
  }

  /** A running number: what needs the rows in their order. */
  private static final class Counter implements ColumnFunction {
    private static final long serialVersionUID = 1L;

    @Override
    public DataType resultType() {
      return PrimitiveType.INT64;
    }

    @Override
    public String description() {
      return "counter";
    }

    @Override
    public boolean needsOrder() {
      return true;
    }

    @Override
    public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
      throw new UnsupportedOperationException("is planned, not run");
    }
  }

  @Test
  void usesOneDriverForOperatorsThatNeedOrder() {
    Expression counter = new BridgedCall(new Counter(), List.of(), false);
    PlanNode counted = new ProjectNode(1, filter(0, INPUT), List.of(counter), LongBatches.SCHEMA);
    LocalPlan plan = LocalPlanner.plan(project(3, count(2, counted)));
    assertEquals(
        List.of(1, PipelinePlan.ANY),
        plan.pipelines().stream().map(PipelinePlan::threads).toList());
  }

  /** The partition of a row depends on all rows before it. */
  @Test
  void usesOneDriverForRoundRobin() {
    PlanNode placed = new PartitionNode(1, new RoundRobinNode(0, INPUT, 1, 3), 3);
    PipelinePlan pipeline = LocalPlanner.plan(placed).pipelines().get(0);
    assertEquals(1, pipeline.threads());
    assertEquals(List.of(List.of(0), List.of(1)), transforms(pipeline));
  }

  @Test
  void plansAnInputAlone() {
    LocalPlan plan = LocalPlanner.plan(INPUT);
    assertEquals(1, plan.pipelines().size());
    assertEquals(List.of(), transforms(plan.pipelines().get(0)));
    assertTrue(plan.pipelines().get(0).ordered());
  }

  @Test
  void fusesAProjectionWithTheFilterBelow() {
    LocalPlan plan = LocalPlanner.plan(filter(4, project(3, filter(2, filter(1, INPUT)))));
    assertEquals(
        List.of(List.of(1), List.of(2, 3), List.of(4)), transforms(plan.pipelines().get(0)));
    assertEquals(Set.of(0, 1, 2, 3, 4), plan.nodeIds());
  }

  @Test
  void splitsAtAggregations() {
    LocalPlan plan = LocalPlanner.plan(filter(4, count(3, project(2, count(1, INPUT)))));
    assertEquals(3, plan.pipelines().size());
    assertEquals(1, plan.pipelines().get(0).sink().nodeId());
    assertEquals(3, plan.pipelines().get(1).sink().nodeId());
    assertNull(plan.pipelines().get(2).sink());
    assertEquals(List.of(List.of(2)), transforms(plan.pipelines().get(1)));
    assertEquals(List.of(1, 2, -1), plan.consumers());
    assertEquals(2, plan.distance(0));
    assertEquals(0, plan.distance(2));
  }

  private static JoinNode join(int id, PlanNode probe, PlanNode build) {
    JoinSpec spec =
        new JoinSpec(
            JoinKind.INNER,
            LongBatches.SCHEMA,
            LongBatches.SCHEMA,
            List.of(VALUE),
            List.of(VALUE),
            null,
            List.of(),
            List.of(0),
            LongBatches.SCHEMA);
    return new JoinNode(id, id + 100, probe, build, spec);
  }

  @Test
  void plansJoinsOfOneProbeSideAsOnePipeline() {
    PlanNode inner = join(3, filter(1, INPUT), count(2, INPUT));
    LocalPlan plan = LocalPlanner.plan(project(6, join(5, inner, filter(4, INPUT))));
    assertEquals(
        List.of(
            List.of(List.of(4)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(List.of(1), List.of(3), List.of(5, 6))),
        plan.pipelines().stream().map(TestLocalPlanner::transforms).toList());
    assertEquals(List.of(1, 5, 3, 4, 5, -1), plan.consumers());
    assertEquals(List.of(4, 1), plan.pipelines().get(5).builds());
    assertEquals(Set.of(0, 1, 2, 3, 4, 5, 6, 103, 105), plan.nodeIds());
  }

  @Test
  void refusesPlansOfWrongShape() {
    PipelineInput input = new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA);
    PipelinePlan output = new PipelinePlan(input, List.of(), null, PipelinePlan.ANY, true);
    PipelinePlan self =
        new PipelinePlan(new PipelineInput.SinkOutput(0), List.of(), null, PipelinePlan.ANY, true);
    for (List<PipelinePlan> wrong :
        List.of(List.<PipelinePlan>of(), List.of(self), List.of(output, output))) {
      assertThrows(IllegalArgumentException.class, () -> new LocalPlan(wrong, LongBatches.SCHEMA));
    }
  }
}
