package io.ariadne.rules;

import io.ariadne.bridge.SparkLine;
import io.ariadne.rules.exec.AriadneLocalTableExec;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;

/**
 * The {@link NodeRule}s of leaves whose rows come with the plan. They also decide where converting
 * such a leaf is of use.
 */
final class LocalTableRules {
  static final List<NodeRule<?>> ALL =
      Stream.<NodeRule<?>>concat(
              Stream.of(new Table<>(LocalTableScanExec.class)),
              SparkLine.emptyRelation().stream().map(none -> new Table<>(none)))
          .toList();

  private LocalTableRules() {}

  /** The rule of one of Spark's leaves; all rules use the name of the best known leaf. */
  private record Table<P extends SparkPlan>(Class<P> sparkClass) implements NodeRule<P> {
    @Override
    public String name() {
      return LocalTableScanExec.class.getSimpleName();
    }

    @Override
    public String note() {
      return "no streaming; also what adaptive execution has found empty";
    }

    @Override
    public NodeConversion tryConvert(P node, Set<String> disabled) {
      return AriadneLocalTableExec.tryConvert(node);
    }

    @Override
    public int gain(P node, NodeConversion conversion) {
      return 0;
    }

    @Override
    public SparkPlan convert(P node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneLocalTableExec(node);
    }
  }

  private static boolean isTable(PlanTag tag) {
    return tag.rule() instanceof Table<?>;
  }

  /**
   * Leaves rows to Spark that no node of Ariadne's reads. Spark answers a query for such rows, or
   * for the first of them, without a job.
   */
  static void guard(PlanTag root) {
    if (root.converts() && isTable(root)) {
      root.against("the driver has its rows");
    }
    root.all().forEach(LocalTableRules::guardBelow);
  }

  private static void guardBelow(PlanTag reader) {
    if (!reader.converts() || reader.plan() instanceof CollectLimitExec) {
      reader.children().stream()
          .filter(tag -> tag.converts() && isTable(tag))
          .forEach(tag -> tag.against("no node of ours reads its rows"));
    }
  }

  /**
   * Returns whether a node is such a leaf below a node that moves columns, so that its rows become
   * columns at no cost: below a broadcast, or beside other inputs of a union.
   */
  static boolean isFree(PlanTag tag, PlanTag parent) {
    return isTable(tag)
        && parent != null
        && parent.converts()
        && (parent.plan() instanceof BroadcastExchangeExec
            || (parent.plan() instanceof UnionExec
                && parent.children().stream()
                    .anyMatch(input -> input.converts() && !isTable(input))));
  }
}
