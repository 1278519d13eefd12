package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.bridge.node.RuntimeFilterExec;
import io.ariadne.rules.exec.ExchangeShuffles;
import io.ariadne.rules.filter.FilterRoles;
import io.ariadne.rules.filter.StageOrder;
import io.ariadne.rules.scan.ParquetScans;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.RangeExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.SortAggregateExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.joins.BaseJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.ShuffledJoin;
import org.apache.spark.sql.types.BinaryType$;
import org.apache.spark.sql.types.BooleanType$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType$;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StringType$;
import org.apache.spark.sql.types.TimestampNTZType$;
import org.apache.spark.sql.types.TimestampType$;

/**
 * Decides which exchanges of a plan make and test runtime filters. Used for one plan.
 *
 * <p>An exchange right below a join may drop rows whose key the other input does not have, if such
 * rows do not change what the join emits. The keys come from the lowest exchange of the other input
 * that has the key's columns: what is above it can only take keys away. Its tasks must run early,
 * so no unfinished stage may be below it, but for broadcasts; and repeated tasks must see the same
 * keys, so that only nodes are below it whose output is always the same.
 *
 * <p>Spark makes a stage of the exchange that tests as soon as it can, even if that which makes the
 * filter has to wait for broadcasts. When these are there, Spark plans again, and the exchange gets
 * the number of the filter that the stage tests.
 *
 * <p>Spark's {@code InjectRuntimeFilter} decides by the same criteria, but reads the smaller input
 * twice.
 */
final class RuntimeFilterPlanner {
  private static final AtomicLong NEXT_ID = new AtomicLong(1);

  /** What Spark adds to the columns of each row. */
  private static final long ROW_BYTES = 8;

  /** So that sums do not overflow. */
  private static final scala.math.BigInt MOST_BYTES = scala.math.BigInt.apply(1L << 50);

  /** Nodes with the same rows in each run, if their expressions are deterministic. */
  private static final Set<Class<?>> REPEATABLE =
      Set.of(
          BroadcastExchangeExec.class,
          BroadcastHashJoinExec.class,
          BroadcastQueryStageExec.class,
          FileSourceScanExec.class,
          FilterExec.class,
          HashAggregateExec.class,
          LocalTableScanExec.class,
          ProjectExec.class,
          RangeExec.class,
          SortAggregateExec.class,
          SortExec.class);

  private static final Set<DataType> HASHED =
      Set.of(
          BinaryType$.MODULE$,
          BooleanType$.MODULE$,
          DateType$.MODULE$,
          StringType$.MODULE$,
          TimestampType$.MODULE$,
          TimestampNTZType$.MODULE$);

  private final SparkPlan plan;
  private final long minBytes;
  private final Map<SparkPlan, FilterRoles> roles = new IdentityHashMap<>();

  /** Filters that stages test, and that an exchange or a stage of the plan makes. */
  private final Set<Long> expected = new HashSet<>();

  /**
   * Begins to decide.
   *
   * @param plan a plan, or what remains of it
   * @param minBytes the least estimated size of an input that is filtered
   */
  RuntimeFilterPlanner(SparkPlan plan, long minBytes) {
    this.plan = plan;
    this.minBytes = minBytes;
  }

  /** Returns the plan with marked exchanges. */
  SparkPlan plan() {
    // The plans of broadcasts stay as they are: dynamic pruning looks for others that equal them.
    nodes(plan, BroadcastExchangeExec.class)
        .filter(ShuffledJoin.class::isInstance)
        .forEach(join -> decide((ShuffledJoin) join));
    nodes(plan)
        .map(RuntimeFilterPlanner::testedByStage)
        .filter(filter -> filter != FilterRoles.NONE && !expected.contains(filter))
        .forEach(StageOrder::submitted);
    return roles.isEmpty() ? plan : marked(plan);
  }

  private static Stream<SparkPlan> nodes(SparkPlan node) {
    return nodes(node, AdaptiveSparkPlanExec.class);
  }

  /** Returns the nodes of a plan, but not those below nodes of a class. */
  private static Stream<SparkPlan> nodes(SparkPlan node, Class<?> end) {
    return end.isInstance(node)
        ? Stream.of(node)
        : Stream.concat(
            Stream.of(node),
            ScalaCollections.<SparkPlan>list(node.children()).stream()
                .flatMap(child -> nodes(child, end)));
  }

  private void decide(ShuffledJoin join) {
    List<Expression> left = ScalaCollections.list(join.leftKeys());
    List<Expression> right = ScalaCollections.list(join.rightKeys());
    if (dropsLeft(join.joinType())) {
      decide(join.left(), left, join.right(), right);
    }
    if (dropsRight(join.joinType())) {
      decide(join.right(), right, join.left(), left);
    }
  }

  /** Returns whether the join emits nothing of a left row without a match. */
  private static boolean dropsLeft(JoinType type) {
    return type == Inner$.MODULE$ || type == LeftSemi$.MODULE$ || type == RightOuter$.MODULE$;
  }

  /** Returns whether the join emits nothing of a right row without a match. */
  private static boolean dropsRight(JoinType type) {
    return type == Inner$.MODULE$
        || type == LeftSemi$.MODULE$
        || type == LeftAnti$.MODULE$
        || type == LeftOuter$.MODULE$
        || type instanceof ExistenceJoin;
  }

  private void decide(
      SparkPlan large, List<Expression> largeKeys, SparkPlan small, List<Expression> smallKeys) {
    SparkPlan input = large instanceof SortExec sort ? sort.child() : large;
    long known = testedByStage(input);
    if (known == FilterRoles.NONE && !mayTest(input)) {
      return;
    }
    List<Attribute> keys = hashedKeys(input, largeKeys, smallKeys);
    if (keys.isEmpty()) {
      return;
    }
    OptionalLong filter = filterOf(small, keys, mostRows(input), known);
    if (filter.isPresent() && known == FilterRoles.NONE) {
      add(input, new FilterRoles(List.of(), filter.getAsLong()));
    } else if (filter.isPresent() && filter.getAsLong() == known) {
      expected.add(known);
    }
  }

  /** Returns how many rows may have the keys of a filter; of as many, the filter may lack few. */
  private static long mostRows(SparkPlan tested) {
    return rows(tested) / 4 * 3;
  }

  private void add(SparkPlan exchange, FilterRoles more) {
    roles.merge(exchange, more, RuntimeFilterPlanner::both);
  }

  /** Returns the number of the filter that the tasks of a stage test. */
  private static long testedByStage(SparkPlan node) {
    return node instanceof ShuffleQueryStageExec stage ? rolesOf(stage).tested() : FilterRoles.NONE;
  }

  private static FilterRoles rolesOf(ShuffleQueryStageExec stage) {
    return stage.plan() instanceof AriadneShuffleExchangeExec exchange
        ? ((ExchangeShuffles) exchange.shuffles()).roles()
        : FilterRoles.EMPTY;
  }

  /** Returns whether an input of a join is an exchange that may drop rows. */
  private boolean mayTest(SparkPlan input) {
    return input instanceof ShuffleExchangeExec exchange
        && placesByHash(exchange)
        && rows(exchange) * width(exchange) >= minBytes
        && roles.getOrDefault(exchange, FilterRoles.EMPTY).tested() == FilterRoles.NONE
        && isUnique(exchange);
  }

  private static boolean placesByHash(ShuffleExchangeExec exchange) {
    return exchange.outputPartitioning().getClass() == HashPartitioning.class
        && exchange.outputPartitioning().numPartitions() > 1;
  }

  /** Returns whether Spark would not use an exchange in the place of another one of the query. */
  private boolean isUnique(ShuffleExchangeExec exchange) {
    return Stream.concat(
                nodes(plan),
                ScalaCollections.<SparkPlan>list(plan.subqueriesAll()).stream()
                    .flatMap(RuntimeFilterPlanner::nodesOfSubquery))
            .filter(RuntimeFilterPlanner::isShuffle)
            .map(SparkPlan::canonicalized)
            .map(RuntimeFilterRule::withoutMarks)
            .filter(exchange.canonicalized()::equals)
            .count()
        == 1;
  }

  private static Stream<SparkPlan> nodesOfSubquery(SparkPlan subquery) {
    return nodes(subquery)
        .flatMap(
            node ->
                node instanceof AdaptiveSparkPlanExec adaptive
                    ? nodes(adaptive.executedPlan())
                    : Stream.of(node));
  }

  private static boolean isShuffle(SparkPlan node) {
    return node instanceof ShuffleExchangeExec || node instanceof ShuffleQueryStageExec;
  }

  /**
   * Returns the columns of the other input that have the values by which an exchange places rows;
   * none when there are no such columns.
   */
  private static List<Attribute> hashedKeys(
      SparkPlan tested, List<Expression> largeKeys, List<Expression> smallKeys) {
    List<Attribute> keys = new ArrayList<>();
    for (Expression placed : placesBy(tested)) {
      int index = indexOf(largeKeys, placed);
      if (index < 0
          || !(smallKeys.get(index) instanceof Attribute key)
          || !key.dataType().equals(placed.dataType())
          || !hashesAsCompared(key.dataType())) {
        return List.of();
      }
      keys.add(key);
    }
    return keys;
  }

  private static List<Expression> placesBy(SparkPlan exchange) {
    return exchange.outputPartitioning() instanceof HashPartitioning hash
        ? ScalaCollections.list(hash.expressions())
        : List.of();
  }

  private static int indexOf(List<Expression> keys, Expression wanted) {
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).semanticEquals(wanted)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns whether equal values of a type, and only those, have equal bits. */
  private static boolean hashesAsCompared(DataType type) {
    return type instanceof IntegralType || type instanceof DecimalType || HASHED.contains(type);
  }

  /**
   * Returns the number of a filter of a plan's keys, which an exchange in the plan makes; empty
   * when none can or should.
   *
   * @param limit most rows of the exchange's input, by Spark's estimate
   * @param known the number that the filter must have, or {@link FilterRoles#NONE} for any
   */
  private OptionalLong filterOf(SparkPlan input, List<Attribute> keys, long limit, long known) {
    if (input instanceof ShuffleQueryStageExec stage) {
      return filterOf(rolesOf(stage), keys, known);
    }
    if (input instanceof ShuffleExchangeExec exchange) {
      OptionalLong below = filterOf(exchange.child(), keys, limit, known);
      return below.isPresent() ? below : made(exchange, keys, limit, known);
    }
    return passesColumns(input, keys)
        ? ScalaCollections.<SparkPlan>list(input.children()).stream()
            .filter(child -> hasColumns(child, keys))
            .map(child -> filterOf(child, keys, limit, known))
            .findFirst()
            .orElse(OptionalLong.empty())
        : OptionalLong.empty();
  }

  private static OptionalLong filterOf(FilterRoles roles, List<Attribute> keys, long known) {
    return roles.builds().stream()
        .filter(build -> build.hasKeys(keys))
        .mapToLong(FilterRoles.Build::id)
        .filter(id -> known == FilterRoles.NONE || id == known)
        .findFirst();
  }

  private OptionalLong made(
      ShuffleExchangeExec exchange, List<Attribute> keys, long limit, long known) {
    long rows = rows(exchange);
    // Each filter is made by fewer rows than those that it is for: so no two stages await each
    // other.
    if (rows < 0 || (rows > limit && known == FilterRoles.NONE)) {
      return OptionalLong.empty();
    }
    OptionalLong existing = filterOf(roles.getOrDefault(exchange, FilterRoles.EMPTY), keys, known);
    if (existing.isPresent()) {
      return existing;
    }
    boolean isSuitable =
        placesByHash(exchange)
            && !StageOrder.isSubmitted(known) // a stage that the plan hides makes it
            && nodes(exchange.child()).allMatch(RuntimeFilterPlanner::isRepeatable)
            && nodes(exchange.child()).anyMatch(RuntimeFilterPlanner::selects)
            && isUnique(exchange);
    if (!isSuitable) {
      return OptionalLong.empty();
    }
    long id = known == FilterRoles.NONE ? NEXT_ID.getAndIncrement() : known;
    add(exchange, new FilterRoles(List.of(new FilterRoles.Build(id, keys)), FilterRoles.NONE));
    return OptionalLong.of(id);
  }

  private static FilterRoles both(FilterRoles known, FilterRoles more) {
    return new FilterRoles(
        Stream.concat(known.builds().stream(), more.builds().stream()).toList(),
        known.tested() == FilterRoles.NONE ? more.tested() : known.tested());
  }

  /** Returns whether each value of some columns of a node is one of an input's same column. */
  private static boolean passesColumns(SparkPlan node, List<Attribute> columns) {
    if (node instanceof BaseAggregateExec aggregate) {
      return areAmong(columns, ScalaCollections.list(aggregate.groupingExpressions()));
    }
    if (node instanceof ProjectExec project) {
      return areAmong(columns, ScalaCollections.list(project.projectList()));
    }
    return node instanceof SortExec || node instanceof FilterExec || node instanceof BaseJoinExec;
  }

  /** Returns whether columns are among some expressions as they are. */
  private static boolean areAmong(List<Attribute> columns, List<NamedExpression> expressions) {
    List<ExprId> plain =
        expressions.stream()
            .filter(Attribute.class::isInstance)
            .map(NamedExpression::exprId)
            .toList();
    return columns.stream().allMatch(column -> plain.contains(column.exprId()));
  }

  private static boolean hasColumns(SparkPlan node, List<Attribute> columns) {
    return columns.stream().allMatch(column -> node.outputSet().contains(column));
  }

  private static boolean isRepeatable(SparkPlan node) {
    return REPEATABLE.contains(node.getClass())
        && StageLayout.isDeterministic(node)
        && !(node instanceof FileSourceScanExec scan && ParquetScans.mayIgnoreFiles(scan));
  }

  /** Returns whether a node takes rows away, beside those with nulls. */
  private static boolean selects(SparkPlan node) {
    if (node instanceof FileSourceScanExec scan) {
      return !scan.partitionFilters().isEmpty();
    }
    return node instanceof FilterExec filter && selects(filter.condition());
  }

  private static boolean selects(Expression condition) {
    return condition instanceof And and
        ? selects(and.left()) || selects(and.right())
        : !(condition instanceof IsNotNull);
  }

  /**
   * Returns the rows of a plan by the size that Spark estimates, -1 when it does not know one.
   * Those of a join are the rows of the inputs that are not broadcast: Spark multiplies all sizes.
   */
  private static long rows(SparkPlan node) {
    boolean hasJoin = nodes(node).anyMatch(BaseJoinExec.class::isInstance);
    if (!hasJoin && node.logicalLink().isDefined()) {
      LogicalPlan logical = node.logicalLink().get();
      return logical.stats().sizeInBytes().min(MOST_BYTES).toLong() / width(node);
    }
    long[] rows =
        ScalaCollections.<SparkPlan>list(node.children()).stream()
            .filter(child -> !isBroadcast(child))
            .mapToLong(RuntimeFilterPlanner::rows)
            .toArray();
    boolean isKnown = rows.length > 0 && Arrays.stream(rows).allMatch(count -> count >= 0);
    return isKnown ? Arrays.stream(rows).sum() : -1;
  }

  /** Returns the bytes of a row as Spark's estimates of sizes assume them. */
  private static long width(SparkPlan node) {
    return ROW_BYTES
        + ScalaCollections.<Attribute>list(node.output()).stream()
            .mapToLong(column -> column.dataType().defaultSize())
            .sum();
  }

  private static boolean isBroadcast(SparkPlan node) {
    return node instanceof BroadcastExchangeExec || node instanceof BroadcastQueryStageExec;
  }

  private SparkPlan marked(SparkPlan node) {
    SparkPlan below = PlanChildren.map(node, this::marked);
    FilterRoles known = roles.get(node);
    if (known == null) {
      return below;
    }
    SparkPlan child = ((ShuffleExchangeExec) below).child();
    return PlanChildren.map(below, same -> new RuntimeFilterExec(known, child));
  }
}
