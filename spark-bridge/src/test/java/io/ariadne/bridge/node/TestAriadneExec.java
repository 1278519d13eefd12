package io.ariadne.bridge.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.TestingSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractPartialFunction;

/** Tests that a Java node over the base classes behaves in Spark's plans like Spark's own nodes. */
class TestAriadneExec {
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = TestingSession.start(new TestingFilterRule());
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void copiesOfOneQueryHaveTheSameResult() {
    TestingFilterExec first = filterOf("SELECT id, id * 2 AS d FROM range(10) WHERE id > 3");
    TestingFilterExec second = filterOf("SELECT id, id * 2 AS d FROM range(10) WHERE id > 3");
    TestingFilterExec other = filterOf("SELECT id, id * 2 AS d FROM range(10) WHERE id > 4");
    assertNotEquals(first, second, "the attributes have different ids");
    assertTrue(first.sameResult(second));
    assertEquals(first.canonicalized().hashCode(), second.canonicalized().hashCode());
    assertFalse(first.sameResult(other));
  }

  @Test
  void equalsLooksAtAllArguments() {
    TestingFilterExec filter = filterOf("SELECT id FROM range(10) WHERE id > 3");
    assertEquals(filter, new TestingFilterExec(filter.condition(), filter.child()));
    assertEquals(
        filter.hashCode(), new TestingFilterExec(filter.condition(), filter.child()).hashCode());
    assertNotEquals(filter, new TestingFilterExec(Literal.TrueLiteral(), filter.child()));
    assertNotEquals(filter, filter.child());
  }

  @Test
  void transformedExpressionsMakeANewNodeWithTheSameTags() {
    TestingFilterExec filter = filterOf("SELECT id FROM range(10) WHERE id > 3");
    SparkPlan changed = filter.transformExpressions(replaceLiterals(7L));
    TestingFilterExec copy = assertInstanceOf(TestingFilterExec.class, changed);
    assertTrue(copy.condition().toString().contains("7"), copy.condition().toString());
    assertTrue(filter.condition().toString().contains("3"), filter.condition().toString());
    assertNotNull(filter.logicalLink().get());
    assertEquals(filter.logicalLink(), copy.logicalLink());
  }

  @Test
  void newChildrenAndClonesKeepArgumentsAndTags() {
    TestingFilterExec filter = filterOf("SELECT id FROM range(10) WHERE id > 3");
    SparkPlan otherChild = filterOf("SELECT id FROM range(20) WHERE id > 5").child();
    SparkPlan moved = filter.withNewChildren(ScalaCollections.seq(List.of(otherChild)));
    TestingFilterExec copy = assertInstanceOf(TestingFilterExec.class, moved);
    assertEquals(otherChild, copy.child());
    assertEquals(filter.condition(), copy.condition());
    assertEquals(filter.logicalLink(), copy.logicalLink());
    assertEquals(filter, filter.clone());
  }

  @Test
  void leavesAndBinaryNodesAreCopiedAndCompared() {
    Seq<Attribute> output = attributes();
    TestingLeafExec one = new TestingLeafExec(1, output);
    TestingLeafExec two = new TestingLeafExec(2, output);
    assertEquals(one, new TestingLeafExec(1, output));
    assertNotEquals(one, two);
    assertTrue(one.sameResult(new TestingLeafExec(1, attributes())));
    assertFalse(one.sameResult(two));
    assertEquals(one, one.clone());
    TestingAppendExec both = new TestingAppendExec("label", one, two);
    assertEquals(both, new TestingAppendExec("label", one, two));
    assertNotEquals(both, new TestingAppendExec("other", one, two));
    SparkPlan swapped = both.withNewChildren(ScalaCollections.seq(List.of(two, one)));
    assertEquals(new TestingAppendExec("label", two, one), swapped);
    assertEquals(both, both.clone());
    assertTrue(both.sameResult(new TestingAppendExec("label", one, two)));
  }

  @Test
  void unionsAreCopiedAndCompared() {
    TestingLeafExec one = new TestingLeafExec(1, attributes());
    TestingLeafExec two = new TestingLeafExec(2, attributes());
    TestingLeafExec three = new TestingLeafExec(3, attributes());
    AriadneUnionExec union = unionOf(one, two, three);
    assertEquals(union, unionOf(one, two, three));
    assertNotEquals(union, unionOf(one, three, two));
    assertNotEquals(union, unionOf(one, two));
    assertNotEquals(union, new AriadneUnionExec(true, union.children().toSeq()));
    assertEquals(union, union.clone());
    assertTrue(union.sameResult(unionOf(one, two, three)));
    assertEquals(
        unionOf(two, two, one),
        union.withNewChildren(ScalaCollections.seq(List.of(two, two, one))));
    assertEquals(1, union.output().size());
  }

  private static AriadneUnionExec unionOf(SparkPlan... children) {
    return new AriadneUnionExec(false, ScalaCollections.seq(List.of(children)));
  }

  private static Seq<Attribute> attributes() {
    return ScalaCollections.seq(
        ScalaCollections.<Attribute>list(spark.range(1).queryExecution().executedPlan().output()));
  }

  @Test
  void equalExchangesOverTheNodeAreReused() {
    String half = "SELECT id % 3 AS k, count(*) AS c FROM range(100) WHERE id > 10 GROUP BY 1";
    for (String adaptive : List.of("false", "true")) {
      spark.conf().set("spark.sql.adaptive.enabled", adaptive);
      Dataset<Row> query = spark.sql(half + " UNION ALL " + half);
      assertEquals(6, query.collectAsList().size());
      List<SparkPlan> nodes = nodes(query.queryExecution().executedPlan());
      assertTrue(
          nodes.stream().anyMatch(ReusedExchangeExec.class::isInstance),
          query.queryExecution().executedPlan()::toString);
      assertTrue(nodes.stream().anyMatch(TestingFilterExec.class::isInstance));
    }
  }

  @Test
  void adaptiveExecutionPlansAgainAboveTheNode() {
    spark.conf().set("spark.sql.adaptive.enabled", "true");
    spark.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    spark.conf().set("spark.sql.adaptive.autoBroadcastJoinThreshold", "100000");
    Dataset<Row> query =
        spark.sql(
            "SELECT a.k, count(*) FROM (SELECT id % 7 AS k FROM range(1000)) a JOIN "
                + "(SELECT k, count(*) c FROM (SELECT id % 7 AS k FROM range(1000) WHERE id > 5) "
                + "GROUP BY k HAVING count(*) > 1) b ON a.k = b.k GROUP BY a.k");
    assertEquals(7, query.collectAsList().size());
    List<SparkPlan> nodes = nodes(query.queryExecution().executedPlan());
    assertTrue(nodes.stream().anyMatch(BroadcastHashJoinExec.class::isInstance));
    assertTrue(nodes.stream().filter(TestingFilterExec.class::isInstance).count() >= 2);
    spark.conf().unset("spark.sql.autoBroadcastJoinThreshold");
    spark.conf().unset("spark.sql.adaptive.autoBroadcastJoinThreshold");
  }

  @Test
  void metricsAreCountedOnTheNodeThatRan() {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query = spark.sql("SELECT id FROM range(100) WHERE id >= 60");
    query.collectAsList();
    TestingFilterExec filter = filterOf(query);
    assertEquals(40, filter.metrics().apply("numOutputRows").value());
  }

  @Test
  void requestingRowsFromTheNodeItselfFails() {
    TestingFilterExec filter = filterOf("SELECT id FROM range(10) WHERE id > 3");
    assertThrows(IllegalStateException.class, filter::execute);
  }

  @Test
  void cancelledJobEnds() throws Exception {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    UDF1<Long, Boolean> slow =
        value -> {
          Thread.sleep(100);
          return value >= 0;
        };
    spark.udf().register("slow", slow, DataTypes.BooleanType);
    CompletableFuture<List<Row>> running =
        CompletableFuture.supplyAsync(
            () -> {
              spark.sparkContext().setJobGroup("slow", "a slow filter", true);
              return spark.sql("SELECT id FROM range(100000) WHERE slow(id)").collectAsList();
            });
    while (spark.sparkContext().statusTracker().getJobIdsForGroup("slow").length == 0) {
      Thread.sleep(20);
    }
    spark.sparkContext().cancelJobGroup("slow");
    assertThrows(ExecutionException.class, () -> running.get(30, TimeUnit.SECONDS));
  }

  private static TestingFilterExec filterOf(String sql) {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    return filterOf(spark.sql(sql));
  }

  private static TestingFilterExec filterOf(Dataset<Row> query) {
    return nodes(query.queryExecution().executedPlan()).stream()
        .filter(TestingFilterExec.class::isInstance)
        .map(TestingFilterExec.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static List<SparkPlan> nodes(SparkPlan plan) {
    List<SparkPlan> nodes = new ArrayList<>();
    collect(plan, nodes);
    return nodes;
  }

  private static void collect(SparkPlan plan, List<SparkPlan> nodes) {
    nodes.add(plan);
    if (plan instanceof AdaptiveSparkPlanExec) {
      collect(((AdaptiveSparkPlanExec) plan).executedPlan(), nodes);
    } else if (plan instanceof QueryStageExec) {
      collect(((QueryStageExec) plan).plan(), nodes);
    } else {
      ScalaCollections.<SparkPlan>list(plan.children()).forEach(child -> collect(child, nodes));
    }
  }

  private static AbstractPartialFunction<Expression, Expression> replaceLiterals(Object value) {
    return new AbstractPartialFunction<>() {
      @Override
      public boolean isDefinedAt(Expression expression) {
        return expression instanceof Literal && expression.dataType() == DataTypes.LongType;
      }

      @Override
      public Expression apply(Expression expression) {
        return Literal.create(value, DataTypes.LongType);
      }
    };
  }
}
