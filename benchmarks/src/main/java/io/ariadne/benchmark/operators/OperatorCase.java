package io.ariadne.benchmark.operators;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.sort.SortDirection;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.operator.join.JoinSpec;
import io.ariadne.operator.sort.SortColumn;
import io.ariadne.plan.AggregateNode;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.PartitionNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.plan.ScanNode;
import io.ariadne.plan.SortNode;
import io.ariadne.plan.TopNNode;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * One operator over one or two scans.
 *
 * @param name of the case
 * @param inputs the scans, by number
 * @param plan scans and the operator
 * @param isOrdered whether the order of the answer is determined
 */
record OperatorCase(String name, List<Input> inputs, PlanNode plan, boolean isOrdered) {
  private static final int OPERATOR = 10;
  private static final int BUILD = 11;
  private static final int LAST = 12;
  private static final int TOP_ROWS = 100;
  private static final int PARTITIONS = 200;
  private static final int SPARKS_SEED = 42;

  /** Returns whether the plan is only a scan. */
  boolean isScan() {
    return plan instanceof ScanNode;
  }

  /**
   * The table and columns of a scan.
   *
   * @param table its name
   * @param columns their names
   */
  record Input(String table, List<String> columns) {
    Schema schema() {
      return Tables.schema(columns);
    }

    ScanNode scan(int index) {
      return new ScanNode(index, index, schema());
    }

    Expression column(String name) {
      int index = columns.indexOf(name);
      return new ColumnReference(index, schema().field(index).type(), true);
    }
  }

  /** Returns all cases. */
  static List<OperatorCase> all() {
    return List.of(
        scan(), filter(), groupByFew(), groupByMany(), join(), sort(), topN(), partition());
  }

  private static OperatorCase of(String name, Input input, PlanNode plan) {
    return new OperatorCase(name, List.of(input), plan, false);
  }

  private static Input lineitem(String... columns) {
    return new Input("lineitem", List.of(columns));
  }

  private static OperatorCase scan() {
    Input input =
        lineitem("l_orderkey", "l_partkey", "l_quantity", "l_extendedprice", "l_shipdate");
    return of("scan", input, input.scan(0));
  }

  /** The condition of TPC-H's query 6, which 2 % of the rows pass. */
  private static OperatorCase filter() {
    Input input = lineitem("l_quantity", "l_extendedprice", "l_discount", "l_shipdate");
    Expression shipDate = input.column("l_shipdate");
    Expression discount = input.column("l_discount");
    Expression condition =
        and(
            compare(Function.GREATER_OR_EQUAL, shipDate, date("1994-01-01")),
            compare(Function.LESS, shipDate, date("1995-01-01")),
            compare(Function.GREATER_OR_EQUAL, discount, money(5)),
            compare(Function.LESS_OR_EQUAL, discount, money(7)),
            compare(Function.LESS, input.column("l_quantity"), money(2400)));
    return of("filter", input, new FilterNode(OPERATOR, input.scan(0), condition));
  }

  private static OperatorCase groupByFew() {
    Input input = lineitem("l_returnflag", "l_linestatus", "l_partkey");
    List<String> keys = List.of("l_returnflag", "l_linestatus");
    return of("group-by-few", input, sumAndCount(input.scan(0), input, keys));
  }

  private static OperatorCase groupByMany() {
    Input input = lineitem("l_orderkey", "l_partkey");
    List<String> keys = List.of("l_orderkey");
    return of("group-by-many", input, sumAndCount(input.scan(0), input, keys));
  }

  private static PlanNode sumAndCount(PlanNode child, Input input, List<String> keys) {
    Field sum = new Field("sum", PrimitiveType.INT64, true);
    Field count = new Field("count", PrimitiveType.INT64, false);
    List<Field> output = new ArrayList<>(Tables.schema(keys).fields());
    output.addAll(List.of(sum, count));
    return new AggregateNode(
        LAST,
        child,
        true,
        keys.stream().map(input::column).toList(),
        List.of(
            AggregateCall.of(AggregateFunction.SUM, List.of(input.column("l_partkey")), sum),
            AggregateCall.of(AggregateFunction.COUNT, List.of(), count)),
        new Schema(output));
  }

  /** Joins each row of lineitem to its order. */
  private static OperatorCase join() {
    Input probe = lineitem("l_orderkey", "l_quantity");
    Input build = new Input("orders", List.of("o_orderkey", "o_orderdate"));
    Schema output = Tables.schema(List.of("o_orderdate", "l_quantity"));
    JoinSpec spec =
        new JoinSpec(
            JoinKind.INNER,
            probe.schema(),
            build.schema(),
            List.of(probe.column("l_orderkey")),
            List.of(build.column("o_orderkey")),
            null,
            List.of(),
            List.of(3, 1),
            output);
    PlanNode plan = new JoinNode(OPERATOR, BUILD, probe.scan(0), build.scan(1), spec);
    return new OperatorCase("join", List.of(probe, build), plan, false);
  }

  private static OperatorCase sort() {
    Input input = lineitem("l_shipdate", "l_orderkey", "l_linenumber", "l_quantity");
    PlanNode plan = new SortNode(OPERATOR, input.scan(0), ascending(0, 1, 2));
    return new OperatorCase("sort", List.of(input), plan, true);
  }

  private static OperatorCase topN() {
    Input input = lineitem("l_shipdate", "l_orderkey", "l_linenumber", "l_quantity");
    PlanNode plan = new TopNNode(OPERATOR, input.scan(0), ascending(0, 1, 2), TOP_ROWS);
    return new OperatorCase("top-n", List.of(input), plan, true);
  }

  private static List<SortColumn> ascending(Integer... columns) {
    return List.of(columns).stream()
        .map(column -> new SortColumn(column, SortDirection.ASCENDING))
        .toList();
  }

  /** Computes hashes and partitions rows, as a hash exchange does before it writes. */
  private static OperatorCase partition() {
    Input input = lineitem("l_orderkey", "l_partkey", "l_quantity", "l_shipdate");
    List<Expression> expressions = new ArrayList<>();
    input.columns().forEach(name -> expressions.add(input.column(name)));
    expressions.add(
        call(
            Function.MURMUR3_HASH,
            PrimitiveType.INT32,
            new Literal(SPARKS_SEED, PrimitiveType.INT32),
            input.column("l_orderkey")));
    List<Field> output = new ArrayList<>(input.schema().fields());
    output.add(new Field("hash", PrimitiveType.INT32, false));
    PlanNode hashed = new ProjectNode(OPERATOR, input.scan(0), expressions, new Schema(output));
    return of("partition", input, new PartitionNode(LAST, hashed, PARTITIONS));
  }

  private static Expression and(Expression... conditions) {
    Expression all = conditions[0];
    for (int i = 1; i < conditions.length; i++) {
      all = call(Function.AND, PrimitiveType.BOOLEAN, all, conditions[i]);
    }
    return all;
  }

  private static Expression compare(Function function, Expression left, Expression right) {
    return call(function, PrimitiveType.BOOLEAN, left, right);
  }

  private static Call call(Function function, DataType type, Expression... arguments) {
    return new Call(
        function,
        List.of(arguments),
        type,
        function != Function.MURMUR3_HASH,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }

  private static Literal date(String day) {
    return new Literal((int) LocalDate.parse(day).toEpochDay(), PrimitiveType.DATE32);
  }

  private static Literal money(long cents) {
    return new Literal(
        BigInteger.valueOf(cents), Tables.schema(List.of("l_quantity")).field(0).type());
  }
}
