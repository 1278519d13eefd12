package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.rules.exec.AriadneColumnarToRowExec;
import io.ariadne.rules.exec.AriadneFragmentExec;
import io.ariadne.rules.exec.AriadneScanExec;
import io.ariadne.rules.exec.ExchangeShuffles;
import io.ariadne.rules.exec.NodeConversion;
import io.ariadne.rules.expression.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.Tuple2;

/**
 * What of an executed plan really ran on Ariadne: nodes, expressions and figures. Tests assert on
 * it, so that a comparison with Spark cannot pass because Spark did the work on both sides.
 *
 * @param nodes Ariadne's nodes in the final plan, adaptive stages and subqueries included
 * @param sparkNodes names of the other nodes
 */
public record ExecutedPlan(List<Node> nodes, List<String> sparkNodes) {
  /**
   * One of Ariadne's nodes.
   *
   * @param name its name, for example {@code AriadneFilter}
   * @param kernelExpressions Spark class names of the expressions that kernels computed
   * @param bridgedExpressions Spark class names of the expressions that went through the bridge
   * @param aggregates descriptions of its aggregates
   * @param metrics its figures by key, as in the SQL tab
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

  /** Copies the lists. */
  public ExecutedPlan {
    nodes = List.copyOf(nodes);
    sparkNodes = List.copyOf(sparkNodes);
  }

  /**
   * Looks at a plan after its query has run.
   *
   * @param plan for example {@code dataset.queryExecution().executedPlan()}
   */
  public static ExecutedPlan of(SparkPlan plan) {
    List<Node> nodes = new ArrayList<>();
    List<String> others = new ArrayList<>();
    collect(plan, nodes, others);
    return new ExecutedPlan(nodes, others);
  }

  /** Returns Ariadne's nodes of one name. */
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

  private static void collect(SparkPlan plan, List<Node> nodes, List<String> others) {
    if (plan instanceof AriadneFragmentExec exec) {
      nodes.add(node(exec, exec.explainConversion()));
    } else if (plan instanceof AriadneShuffleExchangeExec exchange) {
      nodes.add(node(exchange, ExchangeShuffles.explainConversion(exchange)));
    } else if (plan instanceof AriadneBroadcastExchangeExec exchange) {
      nodes.add(new Node(exchange.nodeName(), Set.of(), Set.of(), List.of(), metrics(exchange)));
    } else if (!(plan instanceof AriadneColumnarToRowExec)) {
      others.add(plan.nodeName());
    }
    for (QueryPlan<?> subquery : ScalaCollections.<QueryPlan<?>>list(plan.subqueries())) {
      collect((SparkPlan) subquery, nodes, others);
    }
    for (SparkPlan child : below(plan)) {
      collect(child, nodes, others);
    }
  }

  private static List<SparkPlan> below(SparkPlan plan) {
    if (plan instanceof AriadneScanExec) {
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
