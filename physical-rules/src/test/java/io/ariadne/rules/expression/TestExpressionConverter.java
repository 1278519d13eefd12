package io.ariadne.rules.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.rules.RulesConfig;
import io.ariadne.rules.TestingSession;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Spark's expressions, as its own parser and optimizer make them, become ours. */
class TestExpressionConverter {
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = TestingSession.start(() -> RulesConfig.DEFAULT);
    spark
        .sql(
            "SELECT id AS l, CAST(id AS INT) AS i, CAST(id AS DECIMAL(12,2)) AS d,"
                + " CAST(id AS DOUBLE) AS f, CAST(id AS STRING) AS s, id > 3 AS b,"
                + " date_add(DATE'2020-01-01', CAST(id AS INT)) AS dt,"
                + " array(id) AS a, make_interval(id) AS v FROM range(10)")
        .cache()
        .createOrReplaceTempView("t");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void arithmeticBecomesCallsWithSparksModeAndType() {
    spark.conf().set("spark.sql.ansi.enabled", "false");
    Call call = assertInstanceOf(Call.class, convert("l + i * 2").expression());
    assertEquals(Function.ADD, call.function());
    assertEquals(EvaluationMode.LEGACY, call.mode());
    assertEquals(-1, call.origin());
    spark.conf().set("spark.sql.ansi.enabled", "true");
    ReplayTable replays = new ReplayTable();
    call =
        (Call)
            convert("l + i", ConversionScope.execution(Set.of(), replays, new InputFiles()))
                .expression();
    assertEquals(EvaluationMode.ANSI, call.mode());
    assertTrue(replays.expression(call.origin()).toString().contains("+"));
  }

  /** Where Spark's result type fits every result, no mode raises. */
  @Test
  void decimalsThatCannotOverflowNeverRaise() {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    for (String kept : List.of("true", "false")) {
      spark.conf().set("spark.sql.decimalOperations.allowPrecisionLoss", kept);
      assertFalse(mayRaise("decimal(12, 2)", "*", "decimal(12, 2)"));
      assertFalse(mayRaise("decimal(1, 1)", "*", "decimal(22, 2)"));
      assertFalse(mayRaise("decimal(18, 4)", "*", "decimal(19, 4)"));
      assertTrue(mayRaise("decimal(20, 4)", "*", "decimal(19, 4)"));
      assertFalse(mayRaise("decimal(37, 2)", "+", "decimal(37, 2)"));
      assertFalse(mayRaise("decimal(36, 2)", "-", "decimal(36, 3)"));
      assertTrue(mayRaise("decimal(38, 2)", "-", "decimal(38, 2)"));
      assertTrue(mayRaise("decimal(36, 2)", "+", "decimal(20, 10)"));
      assertTrue(mayRaise("decimal(5, 2)", "/", "decimal(5, 1)"));
      assertTrue(mayRaise("decimal(5, 2)", "%", "decimal(5, 1)"));
    }
    spark.conf().unset("spark.sql.decimalOperations.allowPrecisionLoss");
  }

  private static boolean mayRaise(String left, String operator, String right) {
    spark
        .sql("SELECT CAST(id AS %s) AS a, CAST(id AS %s) AS b FROM range(3)".formatted(left, right))
        .cache()
        .createOrReplaceTempView("decimals");
    String sql = "SELECT a " + operator + " b AS x FROM decimals";
    return convertQuery(sql, ConversionScope.trial(Set.of())).tag().mayRaise();
  }

  @Test
  void decimalLiteralsBecomeUnscaledNumbers() {
    Conversion conversion = convert("d < 24.00BD");
    Call call = (Call) conversion.expression();
    assertEquals(Function.LESS, call.function());
    Literal literal = (Literal) call.arguments().get(1);
    assertEquals(BigInteger.valueOf(2400), literal.value());
    assertFalse(conversion.tag().isBridgedSomewhere());
  }

  @Test
  void unknownExpressionsAreBridgedWithTheColumnsTheyRead() {
    Conversion conversion = convert("soundex(concat(s, s, s))");
    BridgedCall call = assertInstanceOf(BridgedCall.class, conversion.expression());
    assertEquals(1, call.arguments().size());
    assertInstanceOf(ColumnReference.class, call.arguments().get(0));
    assertEquals(Placement.BRIDGE, bridged(conversion).placement());
    assertTrue(bridged(conversion).reason().contains("SoundEx"), bridged(conversion)::toString);
  }

  @Test
  void kernelsComputeAroundTheBridge() {
    Conversion conversion = convert("l + length(soundex(s))");
    Call call = assertInstanceOf(Call.class, conversion.expression());
    assertEquals(Function.ADD, call.function());
    assertTrue(conversion.tag().isBridgedSomewhere());
    assertTrue(conversion.tag().computesInKernel());
  }

  /** User code may be slow: a row that asks for the same twice computes it once. */
  @Test
  void equalExpressionsAreOneCall() {
    Call call = (Call) convert("length(soundex(s)) + length(soundex(s))").expression();
    assertEquals(call.arguments().get(0), call.arguments().get(1));
    call = (Call) convert("length(soundex(s)) + length(soundex(lower(s)))").expression();
    assertNotEquals(call.arguments().get(0), call.arguments().get(1));
  }

  @Test
  void arraysBetweenStringsStayInsideTheBridge() {
    assertInstanceOf(BridgedCall.class, convert("size(split(s, ','))").expression());
  }

  @Test
  void columnsOfUnsupportedTypesStayWithSpark() {
    Conversion conversion = convert("CAST(v AS STRING)");
    assertTrue(conversion.translated().isEmpty());
    assertEquals(
        Placement.SPARK,
        conversion.tag().operands().isEmpty()
            ? conversion.tag().placement()
            : conversion.tag().operands().get(0).placement());
  }

  @Test
  void arraysOfColumnsAreReadWithoutSparksCode() {
    assertEquals(Placement.KERNEL, convert("size(a)").tag().placement());
    assertEquals(Placement.KERNEL, convert("a IS NULL").tag().placement());
    assertEquals(Placement.BRIDGE, convert("size(sort_array(a))").tag().placement());
    assertEquals(Placement.BRIDGE, convert("named_struct('x', 10 / i)").tag().placement());
  }

  @Test
  void nondeterministicExpressionsStayWithSpark() {
    Conversion conversion = convert("rand(3) + f");
    assertTrue(conversion.translated().isEmpty());
    assertTrue(reasons(conversion).contains("not deterministic"), reasons(conversion));
  }

  @Test
  void conditionalIsBridgedWholeWhenABridgedBranchMayRaise() {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    Conversion conversion = convert("CASE WHEN l > 3 THEN CAST(s AS INT) ELSE i END");
    assertInstanceOf(BridgedCall.class, conversion.expression());
    assertTrue(reasons(conversion).contains("may raise"), reasons(conversion));
  }

  @Test
  void operandBesideANullIsBridgedTogetherWithIt() {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    assertInstanceOf(BridgedCall.class, convert("nullif(i, 3) + CAST(s AS INT)").expression());
    assertInstanceOf(BridgedCall.class, convert("CAST(s AS INT) % nullif(i, 3)").expression());
    assertInstanceOf(Call.class, convert("i + CAST(s AS INT)").expression());
  }

  @Test
  void inListBecomesOneCall() {
    Call call = (Call) convert("i IN (1, 2, 5)").expression();
    assertEquals(Function.IN, call.function());
    assertEquals(4, call.arguments().size());
  }

  @Test
  void disabledExpressionIsBridged() {
    ConversionScope scope = ConversionScope.trial(Set.of("LessThan"));
    Conversion conversion = convert("l < 4", scope);
    assertInstanceOf(BridgedCall.class, conversion.expression());
    assertTrue(reasons(conversion).contains("LessThan is disabled"), reasons(conversion));
    Conversion none =
        convert("l < 4", ConversionScope.trial(Set.of("LessThan", ConversionScope.BRIDGE)));
    assertTrue(none.translated().isEmpty());
  }

  private static TaggedExpression bridged(Conversion conversion) {
    return conversion
        .tag()
        .all()
        .filter(tag -> tag.placement() == Placement.BRIDGE)
        .findFirst()
        .orElseThrow();
  }

  private static String reasons(Conversion conversion) {
    return String.join("; ", conversion.tag().all().map(TaggedExpression::reason).toList());
  }

  private static Conversion convert(String sql) {
    return convert(sql, ConversionScope.trial(Set.of()));
  }

  private static Conversion convert(String sql, ConversionScope scope) {
    return convertQuery("SELECT " + sql + " AS x FROM t", scope);
  }

  private static Conversion convertQuery(String query, ConversionScope scope) {
    SparkPlan plan = spark.sql(query).queryExecution().sparkPlan();
    ProjectExec project = assertInstanceOf(ProjectExec.class, plan);
    NamedExpression first = ScalaCollections.<NamedExpression>list(project.projectList()).get(0);
    Expression expression = ((Alias) first).child();
    List<Attribute> input = ScalaCollections.list(project.child().output());
    return new ExpressionConverter(input, scope).convert(expression);
  }
}
