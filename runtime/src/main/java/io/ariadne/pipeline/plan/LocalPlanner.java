package io.ariadne.pipeline.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.operator.aggregate.HashAggregateOperatorFactory;
import io.ariadne.operator.aggregate.bridged.BridgedAggregateOperatorFactory;
import io.ariadne.operator.concat.CoalesceOperatorFactory;
import io.ariadne.operator.exchange.PartitionOperatorFactory;
import io.ariadne.operator.exchange.RangeOperatorFactory;
import io.ariadne.operator.exchange.RoundRobinOperatorFactory;
import io.ariadne.operator.join.HashJoin;
import io.ariadne.operator.join.JoinSpec;
import io.ariadne.operator.join.SharedBuild;
import io.ariadne.operator.limit.LimitOperatorFactory;
import io.ariadne.operator.project.ExpandOperatorFactory;
import io.ariadne.operator.project.FilterProjectOperatorFactory;
import io.ariadne.operator.sort.SortOperatorFactory;
import io.ariadne.operator.sort.TopNOperatorFactory;
import io.ariadne.plan.AggregateNode;
import io.ariadne.plan.BridgedAggregateNode;
import io.ariadne.plan.ExpandNode;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.LimitNode;
import io.ariadne.plan.PartitionNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.plan.RangeNode;
import io.ariadne.plan.RoundRobinNode;
import io.ariadne.plan.ScanNode;
import io.ariadne.plan.SortNode;
import io.ariadne.plan.TopNNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Turns a tree of plan nodes into pipelines, split at aggregations and sorts. The build side of a
 * join is two pipelines of its own, one that takes its rows and one that makes a table of them; its
 * probe side goes on to the node above, so that joins of one probe side after the other are one
 * pipeline.
 *
 * <p>A projection right above a filter shares one operator with it:
 *
 * <pre>
 * AggregateNode              pipeline 1: output of the sink -> fragment's output
 *   ProjectNode       ->     pipeline 0: input -> [filter + project] -> [aggregate]
 *     FilterNode
 *       InputNode
 * </pre>
 *
 * A projection that only chooses columns of a join is what that join puts out. Nothing else is
 * fused: an expression's origin is bound to the columns its node was planned over. A projection
 * that must see each row once, in order, is not either: after an error in a filter rows are
 * computed again.
 */
public final class LocalPlanner {
  private final List<PipelinePlan> pipelines = new ArrayList<>();
  private PipelineInput input;
  private List<PipelinePlan.Transform> transforms = new ArrayList<>();
  private List<Integer> builds = new ArrayList<>();

  /** Whether a transform must see the rows of the input one after the other. */
  private boolean needsOrder;

  /** Whether batches may be small, or have become so, since they were put together. */
  private boolean mayBeSmall;

  private final boolean asksForPlaces;
  private final Map<Integer, SharedBuild> sharedBuilds;

  /** Whether the rows of a batch must be of the part of the input that its number says. */
  private boolean keepsPlaces;

  private LocalPlanner(boolean asksForPlaces, Map<Integer, SharedBuild> sharedBuilds) {
    this.asksForPlaces = asksForPlaces;
    this.sharedBuilds = sharedBuilds;
  }

  /** Plans a fragment in which nobody asks which part of the input rows are of. */
  public static LocalPlan plan(PlanNode root) {
    return plan(root, false, Map.of());
  }

  /**
   * Plans a fragment.
   *
   * @param root its topmost node
   * @param asksForPlaces whether somebody may ask which part of the input rows are of
   * @param sharedBuilds build sides that are there already, by the numbers of their joins; these
   *     read none of the rows of their own
   * @return the pipelines; the output keeps the order of the last sort above which there is no
   *     aggregation, else of the input, up to the last aggregation
   */
  public static LocalPlan plan(
      PlanNode root, boolean asksForPlaces, Map<Integer, SharedBuild> sharedBuilds) {
    LocalPlanner planner = new LocalPlanner(asksForPlaces, sharedBuilds);
    planner.visit(root);
    return planner.end(root.schema());
  }

  /**
   * Plans a fragment without output that builds what joins share.
   *
   * @param join one of them: its build side is read
   * @param target takes what was built; its owner from then on
   */
  public static LocalPlan planBuild(JoinNode join, Consumer<SharedBuild> target) {
    LocalPlanner planner = new LocalPlanner(false, Map.of());
    HashJoin execution = new HashJoin(join.spec(), true);
    planner.addBuild(join, execution.build(), execution.table(target));
    planner.readSink();
    return planner.end(join.build().schema());
  }

  private LocalPlan end(Schema schema) {
    endOutput(schema);
    return new LocalPlan(pipelines, schema);
  }

  private void visit(PlanNode node) {
    if (node instanceof InputNode leaf) {
      read(new PipelineInput.TaskInput(leaf.id(), leaf.inputIndex(), leaf.schema()));
    } else if (node instanceof ScanNode scan) {
      read(new PipelineInput.Scan(scan.id(), scan.scanIndex(), scan.schema()));
    } else if (node instanceof FilterNode filter) {
      visit(filter.child());
      addFilter(filter);
    } else if (node instanceof ProjectNode project) {
      addProject(project);
    } else if (node instanceof AggregateNode aggregate) {
      visit(aggregate.child());
      addAggregate(aggregate);
    } else if (node instanceof BridgedAggregateNode aggregate) {
      visit(aggregate.child());
      addBridgedAggregate(aggregate);
    } else if (node instanceof JoinNode join) {
      addJoin(join, join.spec(), List.of(join.id()));
    } else if (node instanceof SortNode sort) {
      visit(sort.child());
      addOrder(sort.id(), sort.schema(), new SortOperatorFactory(sort.schema(), sort.columns()));
    } else if (node instanceof TopNNode top) {
      visit(top.child());
      addOrder(
          top.id(),
          top.schema(),
          new TopNOperatorFactory(top.schema(), top.columns(), top.limit()));
    } else if (node instanceof LimitNode limit) {
      visit(limit.child());
      addLimit(limit);
    } else if (node instanceof PartitionNode partition) {
      visit(partition.child());
      addPartition(partition);
    } else if (node instanceof RangeNode range) {
      visit(range.child());
      addRange(range);
    } else if (node instanceof RoundRobinNode turn) {
      visit(turn.child());
      addTurn(turn);
    } else if (node instanceof ExpandNode expand) {
      visit(expand.child());
      addExpand(expand);
    } else {
      throw new IllegalArgumentException("no operator for " + node.getClass().getName());
    }
  }

  private void read(PipelineInput leaf) {
    input = leaf;
    mayBeSmall = true;
    keepsPlaces = asksForPlaces;
  }

  /** Makes the next pipeline read the sink of the last one, whose batches have a good size. */
  private void readSink() {
    input = new PipelineInput.SinkOutput(pipelines.size() - 1);
    mayBeSmall = false;
    keepsPlaces = false;
  }

  /** Puts small batches together before what costs something for each, whatever its size. */
  private void coalesce(Schema schema) {
    if (mayBeSmall) {
      OperatorFactory factory = new CoalesceOperatorFactory(schema, keepsPlaces);
      transforms.add(new PipelinePlan.Transform(List.of(), factory));
      mayBeSmall = false;
    }
  }

  private void addFilter(FilterNode filter) {
    coalesce(filter.schema());
    FilterProjectOperatorFactory factory =
        new FilterProjectOperatorFactory(
            filter.schema(),
            filter.condition(),
            allColumns(filter),
            filter.schema(),
            filter.origin(),
            ExpressionError.NO_ORIGIN);
    transforms.add(new PipelinePlan.Transform(List.of(filter.id()), factory));
    mayBeSmall = true;
  }

  /** Joins, with the output of the join or some columns of it. */
  private void addJoin(JoinNode join, JoinSpec spec, List<Integer> nodeIds) {
    SharedBuild shared = sharedBuilds.get(join.id());
    HashJoin execution =
        shared == null ? new HashJoin(spec, join.keepsOrder()) : new HashJoin(spec, shared);
    if (shared == null) {
      addBuild(join, execution.build(), execution.table());
    } else {
      visit(join.build());
      endPipeline(new PipelinePlan.Sink(join.buildId(), execution.shared()), PipelinePlan.ANY);
    }
    int built = pipelines.size() - 1;
    visit(join.probe());
    builds.add(built);
    coalesce(join.probe().schema());
    transforms.add(new PipelinePlan.Transform(nodeIds, execution.probe()));
    mayBeSmall = true;
    keepsPlaces = false;
  }

  /** Reads the build side of a join and makes a table of it. */
  private void addBuild(JoinNode join, SinkOperatorFactory rows, SinkOperatorFactory table) {
    visit(join.build());
    coalesce(join.build().schema());
    endPipeline(new PipelinePlan.Sink(join.buildId(), rows), PipelinePlan.ANY);
    readSink();
    endPipeline(new PipelinePlan.Sink(join.buildId(), table), PipelinePlan.ANY);
  }

  /** Returns the numbers of the columns a projection chooses, each once; null if it does more. */
  private static List<Integer> chosenColumns(ProjectNode project) {
    List<Integer> chosen = new ArrayList<>();
    for (Expression expression : project.expressions()) {
      if (!(expression instanceof ColumnReference column) || chosen.contains(column.index())) {
        return null;
      }
      chosen.add(column.index());
    }
    return chosen;
  }

  private void addProject(ProjectNode project) {
    PlanNode child = project.child();
    List<Integer> chosen = chosenColumns(project);
    if (child instanceof JoinNode join && chosen != null) {
      addJoin(join, join.spec().withOutput(chosen), List.of(join.id(), project.id()));
      return;
    }
    Expression condition = null;
    int conditionOrigin = ExpressionError.NO_ORIGIN;
    List<Integer> nodeIds = List.of(project.id());
    boolean isOrdered = project.expressions().stream().anyMatch(LocalPlanner::needsOrder);
    if (child instanceof FilterNode filter && !isOrdered) {
      condition = filter.condition();
      conditionOrigin = filter.origin();
      nodeIds = List.of(filter.id(), project.id());
      child = filter.child();
    }
    visit(child);
    coalesce(child.schema());
    FilterProjectOperatorFactory factory =
        new FilterProjectOperatorFactory(
            child.schema(),
            condition,
            project.expressions(),
            project.schema(),
            conditionOrigin,
            project.origin());
    transforms.add(new PipelinePlan.Transform(nodeIds, factory));
    needsOrder |= isOrdered;
    mayBeSmall |= condition != null;
  }

  private static boolean needsOrder(Expression expression) {
    return expression instanceof BridgedCall call && call.function().needsOrder();
  }

  /** Adds what a node alone becomes; its batches are put together before. */
  private void addTransform(PlanNode node, Schema input, OperatorFactory factory) {
    coalesce(input);
    transforms.add(new PipelinePlan.Transform(List.of(node.id()), factory));
  }

  private void addExpand(ExpandNode expand) {
    Schema input = expand.child().schema();
    addTransform(
        expand, input, new ExpandOperatorFactory(input, expand.projections(), expand.schema()));
  }

  private void addRange(RangeNode range) {
    Schema input = range.child().schema();
    addTransform(
        range,
        input,
        new RangeOperatorFactory(input, range.width(), range.columns(), range.bounds()));
  }

  /** What comes before decides on a row's number. */
  private void addTurn(RoundRobinNode turn) {
    Schema input = turn.child().schema();
    addTransform(
        turn, input, new RoundRobinOperatorFactory(input, turn.width(), turn.partitions()));
    needsOrder = true;
  }

  private void addPartition(PartitionNode partition) {
    addTransform(
        partition,
        partition.child().schema(),
        new PartitionOperatorFactory(partition.schema(), partition.partitions()));
  }

  private void addAggregate(AggregateNode aggregate) {
    HashAggregateOperatorFactory factory =
        new HashAggregateOperatorFactory(
            aggregate.yieldsResults(),
            aggregate.child().schema(),
            null,
            aggregate.keys(),
            aggregate.aggregates(),
            aggregate.schema(),
            aggregate.origin());
    int threads = factory.dependsOnOrder() ? 1 : PipelinePlan.ANY;
    coalesce(aggregate.child().schema());
    endPipeline(new PipelinePlan.Sink(aggregate.id(), factory), threads);
    readSink();
  }

  /** The aggregates may depend on the order of the rows. */
  private void addBridgedAggregate(BridgedAggregateNode aggregate) {
    BridgedAggregateOperatorFactory factory =
        new BridgedAggregateOperatorFactory(
            aggregate.child().schema(),
            aggregate.keyCount(),
            aggregate.function(),
            aggregate.schema());
    coalesce(aggregate.child().schema());
    endPipeline(new PipelinePlan.Sink(aggregate.id(), factory), 1);
    readSink();
  }

  private void addOrder(int id, Schema schema, SinkOperatorFactory factory) {
    coalesce(schema);
    endPipeline(new PipelinePlan.Sink(id, factory), PipelinePlan.ANY);
    readSink();
  }

  /** The first rows are those of the input's order, so nothing may read ahead of them. */
  private void addLimit(LimitNode limit) {
    LimitOperatorFactory factory =
        new LimitOperatorFactory(limit.schema(), limit.offset(), limit.count());
    transforms.add(new PipelinePlan.Transform(List.of(limit.id()), factory));
    needsOrder = true;
    mayBeSmall = true;
  }

  /** Ends the fragment; what the task gets is handed over batch by batch, too. */
  private void endOutput(Schema schema) {
    boolean isPassedOn = transforms.isEmpty() && input instanceof PipelineInput.TaskInput;
    if (!isPassedOn) {
      coalesce(schema);
    }
    endPipeline(null, PipelinePlan.ANY);
  }

  private void endPipeline(PipelinePlan.Sink sink, int threads) {
    int most = needsOrder ? 1 : threads;
    pipelines.add(new PipelinePlan(input, builds, transforms, sink, most, true));
    transforms = new ArrayList<>();
    builds = new ArrayList<>();
    needsOrder = false;
  }

  private static List<Expression> allColumns(PlanNode node) {
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < node.schema().columnCount(); i++) {
      columns.add(
          new ColumnReference(i, node.schema().field(i).type(), node.schema().field(i).nullable()));
    }
    return columns;
  }
}
