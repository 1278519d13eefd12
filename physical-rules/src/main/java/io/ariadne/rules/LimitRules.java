package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.AriadneLimitExec;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.GlobalLimitExec;
import org.apache.spark.sql.execution.LocalLimitExec;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Option;

/**
 * The {@link NodeRule}s of limits. A limit has no gain of its own. It is converted together with
 * the nodes below it, which then end early.
 */
final class LimitRules {
  static final List<NodeRule<?>> ALL = List.of(new Collecting(), new Global(), new Local());

  private LimitRules() {}

  private abstract static class Rule<P extends SparkPlan> implements NodeRule<P> {
    @Override
    public NodeConversion tryConvert(P node, Set<String> disabled) {
      return NodeConversion.passing(ScalaCollections.<Attribute>list(node.output()));
    }

    @Override
    public int gain(P node, NodeConversion conversion) {
      return 0;
    }
  }

  private static final class Local extends Rule<LocalLimitExec> {
    @Override
    public Class<LocalLimitExec> sparkClass() {
      return LocalLimitExec.class;
    }

    @Override
    public String note() {
      return "";
    }

    @Override
    public SparkPlan convert(LocalLimitExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneLimitExec(node.limit(), 0, false, inputs.get(0));
    }
  }

  private static final class Global extends Rule<GlobalLimitExec> {
    @Override
    public Class<GlobalLimitExec> sparkClass() {
      return GlobalLimitExec.class;
    }

    @Override
    public String note() {
      return "also with an offset, or an offset alone";
    }

    @Override
    public SparkPlan convert(GlobalLimitExec node, List<SparkPlan> inputs, Set<String> disabled) {
      if (node.logicalLink().isDefined() && node.logicalLink().get() instanceof Offset offset) {
        leaveRowCountUnknown(offset);
      }
      return new AriadneLimitExec(node.limit(), node.offset(), true, inputs.get(0));
    }

    /**
     * Spark estimates that an offset has no rows where it does not know how many its child has
     * ({@code SizeInBytesOnlyStatsPlanVisitor.visitOffset}); here it gets its child's statistics.
     * While the query stage with it runs, adaptive execution takes that for the most rows it may
     * have ({@code LogicalQueryStage.maxRows}), and drops aggregations above. A plan of ours often
     * has no exchange between the two, so that this stage still runs when another one ends.
     */
    private static void leaveRowCountUnknown(Offset offset) {
      Statistics ofChild = offset.child().stats();
      if (ofChild.rowCount().isEmpty()) {
        offset.statsCache_$eq(Option.apply(ofChild));
      }
    }
  }

  /**
   * Spark's node stays: for the driver it runs few partitions first and more as long as rows are
   * missing. Ours ends each partition early.
   */
  private static final class Collecting extends Rule<CollectLimitExec> {
    @Override
    public Class<CollectLimitExec> sparkClass() {
      return CollectLimitExec.class;
    }

    @Override
    public String note() {
      return "the first rows of each partition, unless there is an offset alone";
    }

    @Override
    public NodeConversion tryConvert(CollectLimitExec node, Set<String> disabled) {
      if (node.limit() < 0) {
        return NodeConversion.failed("an offset alone asks for all rows");
      }
      return node.child() instanceof AriadneLimitExec
          ? NodeConversion.failed("the rows are limited already")
          : super.tryConvert(node, disabled);
    }

    @Override
    public SparkPlan convert(CollectLimitExec node, List<SparkPlan> inputs, Set<String> disabled) {
      SparkPlan limited = new AriadneLimitExec(node.limit(), 0, false, inputs.get(0));
      return node.withNewChildren(ScalaCollections.seq(List.of(limited)));
    }
  }
}
