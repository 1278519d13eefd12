package io.ariadne.pipeline.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.operator.aggregate.HashAggregateOperatorFactory;
import io.ariadne.operator.aggregate.bridged.BridgedAggregateOperatorFactory;
import io.ariadne.operator.concat.CoalesceOperatorFactory;
import io.ariadne.operator.exchange.ExchangeFilters;
import io.ariadne.operator.exchange.KeyFilterOperatorFactory;
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
import io.ariadne.plan.KeyFilterNode;
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
 * Splits a tree of plan nodes into pipelines at aggregations, sorts and the build sides of joins. A
 * build side becomes two pipelines: one collects its rows, the other builds a hash table of them.
 * The probe side continues into the node above, so a sequence of joins along the probe side is one
 * pipeline.
 *
 * <p>A projection directly above a filter shares one operator with it:
 *
 * <pre>
 * AggregateNode              pipeline 1: output of the sink -> fragment's output
 * ProjectNode       ->     pipeline 0: input -> [filter + project] -> [aggregate]
 * FilterNode
 * InputNode
 * </pre>
 *
 * <p>A projection that only selects columns of a join becomes the output of the join. Nothing else
 * is fused, because an expression's origin is bound to the columns that its node was planned over.
 * A projection that must see each row once, in order, is not fused with a filter either: after an
 * error in a filter, rows are computed again.
 */
public final class LocalPlanner {
  private final List<PipelinePlan> pipelines = new ArrayList<>();
  private PipelineInput input;
  private List<PipelinePlan.Transform> transforms = new ArrayList<>();
  private List<Integer> builds = new ArrayList<>();

  /** Whether a transform must see all rows of the input in order. */
  private boolean needsOrder;

  /** Whether batches may be small: at the input, or after an operator that drops rows. */
  private boolean mayBeSmall;

  private final boolean readsInputLocation;
  private final Map<Integer, SharedBuild> sharedBuilds;

  /**
   * Whether all rows of a batch must come from the input location that its sequence number
   * identifies.
   */
  private boolean keepsLocation;

  private LocalPlanner(boolean readsInputLocation, Map<Integer, SharedBuild> sharedBuilds) {
    this.readsInputLocation = readsInputLocation;
    this.sharedBuilds = sharedBuilds;
  }

  /** Plans a fragment whose code does not ask for the location of input rows. */
  public static LocalPlan plan(PlanNode root) {
    return plan(root, false, Map.of());
  }

  /**
   * Plans a fragment.
   *
   * @param root its topmost node
   * @param readsInputLocation whether the task's code may ask for the location of input rows
   * @param sharedBuilds existing build sides by the ids of their joins; these joins do not read
   *     rows of their own build side
   * @return the pipelines. The output keeps the order of the last sort that has no aggregation
   *     above it, else that of the input up to the last aggregation
   */
  public static LocalPlan plan(
      PlanNode root, boolean readsInputLocation, Map<Integer, SharedBuild> sharedBuilds) {
    LocalPlanner planner = new LocalPlanner(readsInputLocation, sharedBuilds);
    planner.visit(root);
    return planner.end(root.schema());
  }

  /**
   * Plans a fragment without output that builds the hash table that several joins share.
   *
   * @param join one of these joins; its build side is read
   * @param target takes ownership of the hash table
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
    } else if (node instanceof KeyFilterNode filter) {
      visit(filter.child());
      addKeyFilter(filter);
    } else if (node instanceof RangeNode range) {
      visit(range.child());
      addRange(range);
    } else if (node instanceof RoundRobinNode roundRobin) {
      visit(roundRobin.child());
      addRoundRobin(roundRobin);
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
    keepsLocation = readsInputLocation;
  }

  /** Makes the next pipeline read the sink of the last one, whose batches are large enough. */
  private void readSink() {
    input = new PipelineInput.SinkOutput(pipelines.size() - 1);
    mayBeSmall = false;
    keepsLocation = false;
  }

  /** Concatenates small batches before an operator with a cost per batch. */
  private void coalesce(Schema schema) {
    coalesce(schema, false);
  }

  private void coalesce(Schema schema, boolean isForHost) {
    if (mayBeSmall) {
      OperatorFactory factory = new CoalesceOperatorFactory(schema, keepsLocation, isForHost);
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

  /** Adds a join that outputs all or some columns. */
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
    keepsLocation = false;
  }

  /** Adds the pipelines that read the build side of a join and build its hash table. */
  private void addBuild(JoinNode join, SinkOperatorFactory rows, SinkOperatorFactory table) {
    visit(join.build());
    coalesce(join.build().schema(), true);
    endPipeline(new PipelinePlan.Sink(join.buildId(), rows), PipelinePlan.ANY);
    readSink();
    endPipeline(new PipelinePlan.Sink(join.buildId(), table), PipelinePlan.ANY);
  }

  /**
   * Returns the indexes of the columns that a projection selects, each once; null if it does more.
   */
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

  /** Adds the operator of one node, after one that concatenates small batches. */
  private void addTransform(PlanNode node, Schema input, OperatorFactory factory) {
    coalesce(input, factory.columnUse() == ColumnUse.HOST);
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

  /** Adds a round-robin operator. Needs order: the preceding rows determine the number of a row. */
  private void addRoundRobin(RoundRobinNode node) {
    Schema input = node.child().schema();
    addTransform(
        node, input, new RoundRobinOperatorFactory(input, node.width(), node.partitions()));
    needsOrder = true;
  }

  private void addKeyFilter(KeyFilterNode filter) {
    Schema input = filter.child().schema();
    ExchangeFilters filters = filter.filters();
    addTransform(
        filter,
        input,
        new KeyFilterOperatorFactory(input, filter.width(), filters.hashColumns(), filters.open()));
    mayBeSmall = true;
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

  /**
   * Adds an aggregation by Spark's code; runs on one thread, as its result may depend on the order
   * of rows.
   */
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
    coalesce(schema, true);
    endPipeline(new PipelinePlan.Sink(id, factory), PipelinePlan.ANY);
    readSink();
  }

  /** Adds a limit; runs on one thread, as the first rows are those in the input's order. */
  private void addLimit(LimitNode limit) {
    LimitOperatorFactory factory =
        new LimitOperatorFactory(limit.schema(), limit.offset(), limit.count());
    transforms.add(new PipelinePlan.Transform(List.of(limit.id()), factory));
    needsOrder = true;
    mayBeSmall = true;
  }

  /** Ends the last pipeline; returning a batch to the task has a cost per batch, too. */
  private void endOutput(Schema schema) {
    boolean isPassedThrough = transforms.isEmpty() && input instanceof PipelineInput.TaskInput;
    if (!isPassedThrough) {
      coalesce(schema, true);
    }
    endPipeline(null, PipelinePlan.ANY);
  }

  private void endPipeline(PipelinePlan.Sink sink, int threads) {
    int maxDrivers = needsOrder ? 1 : threads;
    pipelines.add(new PipelinePlan(input, builds, transforms, sink, maxDrivers, true));
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
