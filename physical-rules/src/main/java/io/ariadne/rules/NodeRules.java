package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.bridge.node.OnePartitionExec;
import io.ariadne.rules.exec.AriadneExpandExec;
import io.ariadne.rules.exec.AriadneFilterExec;
import io.ariadne.rules.exec.AriadneHashAggregateExec;
import io.ariadne.rules.exec.AriadneOnePartitionExec;
import io.ariadne.rules.exec.AriadneProjectExec;
import io.ariadne.rules.exec.AriadneRangeExec;
import io.ariadne.rules.exec.AriadneScanExec;
import io.ariadne.rules.exec.AriadneSortExec;
import io.ariadne.rules.exec.AriadneTopNExec;
import io.ariadne.rules.exec.BroadcastTranslation;
import io.ariadne.rules.exec.ExchangeShuffles;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.Placement;
import io.ariadne.rules.expression.TaggedExpression;
import io.ariadne.rules.scan.PartitionLayout;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.RangeExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;

/** All declared {@link NodeRule}s. */
public final class NodeRules {
  private static final List<NodeRule<?>> ALL =
      Stream.<Stream<? extends NodeRule<?>>>of(
              Stream.of(
                  new ExpandRule(),
                  new FileScanRule(),
                  new FilterRule(),
                  new HashAggregateRule(),
                  new ObjectHashAggregateRule(),
                  new OnePartition(),
                  new ProjectRule(),
                  new RangeRule(),
                  new SampleRule(),
                  new ShuffleRule(),
                  new BroadcastRule(),
                  new SortRule(),
                  new TopNRule()),
              JoinRules.ALL.stream(),
              LocalTableRules.ALL.stream(),
              RepartitionRules.ALL.stream(),
              LimitRules.ALL.stream())
          .<NodeRule<?>>flatMap(rules -> rules)
          .toList();

  private NodeRules() {}

  /** Returns the rules that have names of their own, ordered by these: on all lines the same. */
  public static List<NodeRule<?>> all() {
    return ALL.stream()
        .filter(rule -> rule.name().equals(rule.sparkClass().getSimpleName()))
        .sorted(Comparator.comparing(NodeRule::name))
        .toList();
  }

  /** Returns the rule for exactly this class. */
  static Optional<NodeRule<?>> forClass(Class<?> sparkClass) {
    return ALL.stream()
        .filter(rule -> rule.sparkClass() == sparkClass)
        .<NodeRule<?>>map(rule -> rule)
        .findFirst();
  }

  private static List<Attribute> inputOf(SparkPlan child) {
    return ScalaCollections.list(child.output());
  }

  /** The names as one argument of a plan node, in a fixed order. */
  static String joined(Set<String> disabled) {
    return String.join(",", new TreeSet<>(disabled));
  }

  private static int computeGain(NodeConversion conversion) {
    return conversion.expressions().stream().anyMatch(TaggedExpression::computesInKernel)
        ? TransitionCost.COMPUTE_GAIN
        : 0;
  }

  private static final class FilterRule implements NodeRule<FilterExec> {
    @Override
    public Class<FilterExec> sparkClass() {
      return FilterExec.class;
    }

    @Override
    public String note() {
      return "";
    }

    @Override
    public NodeConversion tryConvert(FilterExec node, Set<String> disabled) {
      return AriadneFilterExec.tryConvert(
          node.condition(), inputOf(node.child()), ConversionScope.trial(disabled));
    }

    @Override
    public int gain(FilterExec node, NodeConversion conversion) {
      return computeGain(conversion);
    }

    @Override
    public SparkPlan convert(FilterExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneFilterExec(node.condition(), joined(disabled), inputs.get(0));
    }
  }

  private static final class FileScanRule implements NodeRule<FileSourceScanExec> {
    @Override
    public Class<FileSourceScanExec> sparkClass() {
      return FileSourceScanExec.class;
    }

    @Override
    public String note() {
      return "Parquet; other formats through Spark's reader";
    }

    @Override
    public NodeConversion tryConvert(FileSourceScanExec node, Set<String> disabled) {
      return AriadneScanExec.tryConvert(node);
    }

    @Override
    public int gain(FileSourceScanExec node, NodeConversion conversion) {
      return TransitionCost.SCAN_GAIN;
    }

    @Override
    public SparkPlan convert(
        FileSourceScanExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneScanExec(PartitionLayout.SPARK, node);
    }
  }

  private static final class OnePartition implements NodeRule<OnePartitionExec> {
    @Override
    public Class<OnePartitionExec> sparkClass() {
      return OnePartitionExec.class;
    }

    @Override
    public String note() {
      return "one task in the place of an exchange of little data; with adaptive execution";
    }

    @Override
    public NodeConversion tryConvert(OnePartitionExec node, Set<String> disabled) {
      return NodeConversion.passing(inputOf(node.child()));
    }

    @Override
    public int gain(OnePartitionExec node, NodeConversion conversion) {
      return 0;
    }

    @Override
    public SparkPlan convert(OnePartitionExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneOnePartitionExec(inputs.get(0));
    }
  }

  private static final class ExpandRule implements NodeRule<ExpandExec> {
    @Override
    public Class<ExpandExec> sparkClass() {
      return ExpandExec.class;
    }

    @Override
    public String note() {
      return "of values that cannot raise";
    }

    @Override
    public NodeConversion tryConvert(ExpandExec node, Set<String> disabled) {
      return AriadneExpandExec.tryConvert(node, ConversionScope.trial(disabled));
    }

    @Override
    public int gain(ExpandExec node, NodeConversion conversion) {
      return TransitionCost.COMPUTE_GAIN;
    }

    @Override
    public SparkPlan convert(ExpandExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return AriadneExpandExec.of(node, joined(disabled), inputs.get(0));
    }
  }

  private static final class ShuffleRule implements NodeRule<ShuffleExchangeExec> {
    @Override
    public Class<ShuffleExchangeExec> sparkClass() {
      return ShuffleExchangeExec.class;
    }

    @Override
    public String note() {
      return "by hash (keys: no collated strings), by ranges of keys as for SortExec, round robin"
          + " if no column is nested, or to one partition; through Spark's own shuffle manager or"
          + " Ariadne's";
    }

    @Override
    public NodeConversion tryConvert(ShuffleExchangeExec node, Set<String> disabled) {
      return ExchangeShuffles.tryConvert(node, ConversionScope.trial(disabled));
    }

    @Override
    public int gain(ShuffleExchangeExec node, NodeConversion conversion) {
      return 0;
    }

    @Override
    public SparkPlan convert(
        ShuffleExchangeExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneShuffleExchangeExec(
          node.outputPartitioning(),
          node.shuffleOrigin(),
          node.advisoryPartitionSize(),
          new ExchangeShuffles(joined(disabled), RuntimeFilterRule.roles(node)),
          inputs.get(0));
    }
  }

  private static final class BroadcastRule implements NodeRule<BroadcastExchangeExec> {
    @Override
    public Class<BroadcastExchangeExec> sparkClass() {
      return BroadcastExchangeExec.class;
    }

    @Override
    public String note() {
      return "joins of Spark's read it, too; keys: no errors";
    }

    @Override
    public NodeConversion tryConvert(BroadcastExchangeExec node, Set<String> disabled) {
      return BroadcastTranslation.tryConvert(node);
    }

    @Override
    public int gain(BroadcastExchangeExec node, NodeConversion conversion) {
      return 0;
    }

    @Override
    public SparkPlan convert(
        BroadcastExchangeExec node, List<SparkPlan> inputs, Set<String> disabled) {
      // A stage of ours is collected as it is.
      SparkPlan input = RowTransitions.isStageOfOurs(node.child()) ? node.child() : inputs.get(0);
      return BroadcastTranslation.convert(
          node, input, JoinSizes.mostBroadcastRows(node.child()), JoinSizes.MAX_BROADCAST_BYTES);
    }
  }

  private static final class RangeRule implements NodeRule<RangeExec> {
    @Override
    public Class<RangeExec> sparkClass() {
      return RangeExec.class;
    }

    @Override
    public String note() {
      return "";
    }

    @Override
    public NodeConversion tryConvert(RangeExec node, Set<String> disabled) {
      if (node.numElements().signum() <= 0) {
        return NodeConversion.failed("it is empty, which Spark gives no partitions");
      }
      return node.numElements().isValidLong()
          ? NodeConversion.passing(inputOf(node))
          : NodeConversion.failed("it has more integers than a long counts");
    }

    @Override
    public int gain(RangeExec node, NodeConversion conversion) {
      return 0;
    }

    @Override
    public SparkPlan convert(RangeExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneRangeExec(node);
    }
  }

  private static final class ProjectRule implements NodeRule<ProjectExec> {
    @Override
    public Class<ProjectExec> sparkClass() {
      return ProjectExec.class;
    }

    @Override
    public String note() {
      return "";
    }

    @Override
    public NodeConversion tryConvert(ProjectExec node, Set<String> disabled) {
      return AriadneProjectExec.tryConvert(
          ScalaCollections.<NamedExpression>list(node.projectList()),
          inputOf(node.child()),
          ConversionScope.trial(disabled));
    }

    @Override
    public int gain(ProjectExec node, NodeConversion conversion) {
      return conversion.expressions().stream().anyMatch(NodeRules::computes)
          ? TransitionCost.COMPUTE_GAIN
          : 0;
    }

    @Override
    public SparkPlan convert(ProjectExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneProjectExec(
          ScalaCollections.seq(ScalaCollections.<NamedExpression>list(node.projectList())),
          joined(disabled),
          inputs.get(0));
    }
  }

  /** A name alone computes nothing. */
  private static boolean computes(TaggedExpression projection) {
    return projection.expression() instanceof org.apache.spark.sql.catalyst.expressions.Alias
        ? projection.operands().stream().anyMatch(TaggedExpression::computesInKernel)
        : projection.computesInKernel();
  }

  /** A rule for one of Spark's aggregations by hashing. */
  private abstract static class AggregationRule<P extends SparkPlan> implements NodeRule<P> {
    @Override
    public NodeConversion tryConvert(P node, Set<String> disabled) {
      return AriadneHashAggregateExec.tryConvert(
          (BaseAggregateExec) node, ConversionScope.trial(disabled));
    }

    @Override
    public int gain(P node, NodeConversion conversion) {
      return conversion.expressions().stream().anyMatch(NodeRules::isBridgedAggregate)
          ? TransitionCost.COMPUTE_GAIN
          : TransitionCost.AGGREGATE_GAIN;
    }

    @Override
    public SparkPlan convert(P node, List<SparkPlan> inputs, Set<String> disabled) {
      return AriadneHashAggregateExec.of((BaseAggregateExec) node, joined(disabled), inputs.get(0));
    }
  }

  private static boolean isBridgedAggregate(TaggedExpression tag) {
    return tag.placement() == Placement.BRIDGE && tag.expression() instanceof AggregateFunction;
  }

  private static final class HashAggregateRule extends AggregationRule<HashAggregateExec> {
    @Override
    public Class<HashAggregateExec> sparkClass() {
      return HashAggregateExec.class;
    }

    @Override
    public String note() {
      return "no streaming; all aggregates through the bridge where one has no kernel";
    }
  }

  private static final class ObjectHashAggregateRule
      extends AggregationRule<ObjectHashAggregateExec> {
    @Override
    public Class<ObjectHashAggregateExec> sparkClass() {
      return ObjectHashAggregateExec.class;
    }

    @Override
    public int gain(ObjectHashAggregateExec node, NodeConversion conversion) {
      return SortedAggregates.sparesSort(node)
          ? TransitionCost.AGGREGATE_GAIN
          : super.gain(node, conversion);
    }

    @Override
    public String note() {
      return "no streaming; through the bridge; also in the place of SortAggregateExec";
    }
  }

  private static final class SortRule implements NodeRule<SortExec> {
    @Override
    public Class<SortExec> sparkClass() {
      return SortExec.class;
    }

    @Override
    public String note() {
      return "keys: no collated strings";
    }

    @Override
    public NodeConversion tryConvert(SortExec node, Set<String> disabled) {
      return AriadneSortExec.tryConvert(
          ScalaCollections.<SortOrder>list(node.sortOrder()),
          inputOf(node.child()),
          ConversionScope.trial(disabled));
    }

    @Override
    public int gain(SortExec node, NodeConversion conversion) {
      return TransitionCost.SORT_GAIN;
    }

    @Override
    public SparkPlan convert(SortExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneSortExec(
          ScalaCollections.seq(ScalaCollections.<SortOrder>list(node.sortOrder())),
          node.global(),
          joined(disabled),
          inputs.get(0));
    }
  }

  /** Spark's node stays: it chooses among the rows that ours leaves of each partition. */
  private static final class TopNRule implements NodeRule<TakeOrderedAndProjectExec> {
    @Override
    public Class<TakeOrderedAndProjectExec> sparkClass() {
      return TakeOrderedAndProjectExec.class;
    }

    @Override
    public String note() {
      return "the first rows of each partition; keys as for SortExec";
    }

    @Override
    public NodeConversion tryConvert(TakeOrderedAndProjectExec node, Set<String> disabled) {
      return node.child() instanceof AriadneTopNExec
          ? NodeConversion.failed("the rows are chosen already")
          : AriadneTopNExec.tryConvert(
              ScalaCollections.<SortOrder>list(node.sortOrder()),
              node.limit(),
              inputOf(node.child()),
              ConversionScope.trial(disabled));
    }

    @Override
    public int gain(TakeOrderedAndProjectExec node, NodeConversion conversion) {
      return TransitionCost.TOP_GAIN;
    }

    @Override
    public SparkPlan convert(
        TakeOrderedAndProjectExec node, List<SparkPlan> inputs, Set<String> disabled) {
      SparkPlan chosen =
          new AriadneTopNExec(
              ScalaCollections.seq(ScalaCollections.<SortOrder>list(node.sortOrder())),
              node.limit(),
              joined(disabled),
              inputs.get(0));
      return node.withNewChildren(ScalaCollections.seq(List.of(chosen)));
    }
  }
}
