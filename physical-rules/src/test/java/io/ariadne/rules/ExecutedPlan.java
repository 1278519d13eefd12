package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import io.ariadne.bridge.node.AriadneCollectedResultExec;
import io.ariadne.bridge.node.AriadneExec;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.bridge.node.BroadcastRowsExec;
import io.ariadne.rules.exec.AriadneColumnarToRowExec;
import io.ariadne.rules.exec.AriadneCrossInputExec;
import io.ariadne.rules.exec.AriadneFragmentExec;
import io.ariadne.rules.exec.AriadneImportExec;
import io.ariadne.rules.exec.ExchangeShuffles;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.execution.ColumnarToRowTransition;
import org.apache.spark.sql.execution.RowToColumnarTransition;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.Tuple2;

/**
 * Describes which nodes and expressions of an executed plan ran on Ariadne, with their metrics.
 * Tests assert on it, so that a comparison with Spark cannot pass because Spark did the work on
 * both sides.
 *
 * @param nodes Ariadne's nodes in the final plan, including adaptive stages and subqueries
 * @param sparkNodes names of the other nodes
 * @param transitions the places where rows become columns or columns become rows
 */
public record ExecutedPlan(
    List<Node> nodes, List<String> sparkNodes, List<Transition> transitions) {
  /**
   * One of Ariadne's nodes.
   *
   * @param name its name, for example {@code AriadneFilter}
   * @param kernelExpressions Spark class names of the expressions that kernels computed
   * @param bridgedExpressions Spark class names of the expressions that went through the bridge
   * @param aggregates descriptions of its aggregates
   * @param metrics its metrics by key, as in the SQL tab
   */
  public record Node(
      String name,
      Set<String> kernelExpressions,
      Set<String> bridgedExpressions,
      List<String> aggregates,
      Map<String, Long> metrics) {
    /** Copies the collections. */
    public Node {
      kernelExpressions = Set.copyOf(kernelExpressions);
      bridgedExpressions = Set.copyOf(bridgedExpressions);
      aggregates = List.copyOf(aggregates);
      metrics = Map.copyOf(metrics);
    }

    /** Returns whether batches came out of the node; rows, where it does not count batches. */
    public boolean hasRun() {
      long rows = metrics.getOrDefault("numOutputRows", 0L);
      return metrics.getOrDefault("numOutputBatches", rows) > 0;
    }
  }

  /**
   * A place where rows become columns or columns become rows.
   *
   * @param below name of the node whose output changes its form
   * @param isResult whether the rows are the result of the query or of one of its subqueries, with
   *     no node of Ariadne's above
   */
  public record Transition(String below, boolean isResult) {}

  /** Copies the lists. */
  public ExecutedPlan {
    nodes = List.copyOf(nodes);
    sparkNodes = List.copyOf(sparkNodes);
    transitions = List.copyOf(transitions);
  }

  /**
   * Looks at a plan after its query has run.
   *
   * @param plan for example {@code dataset.queryExecution().executedPlan()}
   */
  public static ExecutedPlan of(SparkPlan plan) {
    Walk walk = new Walk();
    walk.collect(plan, true);
    return new ExecutedPlan(walk.nodes, walk.others, walk.transitions);
  }

  /** Returns whether a node of Ariadne's gave anything. */
  public boolean hasRun() {
    return nodes.stream().anyMatch(Node::hasRun);
  }

  /** Returns these nodes of Ariadne's instead, of the same plan. */
  public ExecutedPlan withNodes(List<Node> others) {
    return new ExecutedPlan(others, sparkNodes, transitions);
  }

  /** Returns Ariadne's nodes with a name. */
  public List<Node> named(String name) {
    return nodes.stream().filter(node -> node.name().equals(name)).toList();
  }

  /** Returns Spark class names of all expressions that kernels computed. */
  public Set<String> kernelExpressions() {
    return nodes.stream()
        .flatMap(node -> node.kernelExpressions().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns Spark class names of all expressions that went through the bridge. */
  public Set<String> bridgedExpressions() {
    return nodes.stream()
        .flatMap(node -> node.bridgedExpressions().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Collects the nodes and transitions of a plan. */
  private static final class Walk {
    private final List<Node> nodes = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private final List<Transition> transitions = new ArrayList<>();

    void collect(SparkPlan plan, boolean isTop) {
      boolean isOurs = add(plan);
      if (changesForm(plan)) {
        transitions.add(new Transition(below(plan).get(0).nodeName(), isTop && !isOurs));
      }
      for (QueryPlan<?> subquery : ScalaCollections.<QueryPlan<?>>list(plan.subqueries())) {
        collect((SparkPlan) subquery, true);
      }
      for (SparkPlan child : below(plan)) {
        collect(child, isTop && !isOurs);
      }
    }

    /** Adds a node; returns whether it is one of Ariadne's that compute or move columns. */
    private boolean add(SparkPlan plan) {
      if (plan instanceof AriadneFragmentExec exec) {
        return nodes.add(node(exec, exec.explainConversion()));
      }
      if (plan instanceof AriadneShuffleExchangeExec exchange) {
        return nodes.add(node(exchange, ExchangeShuffles.explainConversion(exchange)));
      }
      if (plan instanceof AriadneExec || plan instanceof AriadneBroadcastExchangeExec) {
        return nodes.add(new Node(plan.nodeName(), Set.of(), Set.of(), List.of(), metrics(plan)));
      }
      if (!isNoOperator(plan)) {
        others.add(plan.nodeName());
      }
      return false;
    }

    private static boolean isNoOperator(SparkPlan plan) {
      return plan instanceof AriadneColumnarToRowExec
          || plan instanceof AriadneCollectedResultExec
          || plan instanceof BroadcastRowsExec;
    }

    private static boolean changesForm(SparkPlan plan) {
      return plan instanceof ColumnarToRowTransition
          || plan instanceof RowToColumnarTransition
          || ((plan instanceof AriadneImportExec || plan instanceof AriadneCrossInputExec)
              && !below(plan).get(0).supportsColumnar());
    }
  }

  private static List<SparkPlan> below(SparkPlan plan) {
    if (plan instanceof AriadneFragmentExec exec && exec.isLeaf()) {
      return List.of();
    }
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return List.of(adaptive.executedPlan());
    }
    if (plan instanceof QueryStageExec stage) {
      return List.of(stage.plan());
    }
    if (plan instanceof ReusedExchangeExec reused) {
      return List.of(reused.child());
    }
    return ScalaCollections.list(plan.children());
  }

  private static Node node(SparkPlan exec, NodeConversion conversion) {
    return new Node(
        exec.nodeName(),
        classNames(conversion, Placement.KERNEL),
        classNames(conversion, Placement.BRIDGE),
        conversion.aggregates(),
        metrics(exec));
  }

  private static Set<String> classNames(NodeConversion conversion, Placement placement) {
    return conversion.expressions().stream()
        .flatMap(tag -> tag.all())
        .filter(tag -> tag.placement() == placement)
        .map(tag -> tag.expression().getClass().getSimpleName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, Long> metrics(SparkPlan plan) {
    Map<String, Long> values = new TreeMap<>();
    for (Tuple2<String, SQLMetric> metric :
        ScalaCollections.<Tuple2<String, SQLMetric>>list(plan.metrics().toSeq())) {
      values.put(metric._1(), metric._2().value());
    }
    return values;
  }
}
