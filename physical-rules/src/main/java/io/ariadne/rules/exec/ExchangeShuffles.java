package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.bridge.node.ColumnarShuffle;
import io.ariadne.bridge.node.ColumnarShuffles;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.ExchangeTranslation;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.filter.FilterRoles;
import io.ariadne.shuffle.spark.BlockShuffle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.RoundRobinPartitioning;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes the shuffles of Ariadne's exchanges: the fragment below, with the partition of each row
 * added, and the reader of the shuffle's blocks.
 *
 * @param disabled names of expressions that were switched off at planning, joined by commas
 * @param roles what the exchange does for runtime filters
 */
public record ExchangeShuffles(String disabled, FilterRoles roles) implements ColumnarShuffles {
  /** Tries the translation of an exchange. */
  public static NodeConversion tryConvert(ShuffleExchangeExec node, ConversionScope scope) {
    Optional<String> unsupported =
        BlockShuffle.reasonAgainst(node.outputPartitioning().numPartitions());
    if (unsupported.isPresent()) {
      return NodeConversion.failed(unsupported.get());
    }
    if (dealsOutUnsorted(node)) {
      return NodeConversion.failed("rows are to be dealt out in the order in which they come");
    }
    return ExchangeTranslation.tryConvert(
        node.outputPartitioning(), ScalaCollections.list(node.child().output()), scope);
  }

  /**
   * Returns whether an exchange distributes rows round robin as they come, without a sort for
   * repeated tasks.
   */
  public static boolean dealsOutUnsorted(ShuffleExchangeExec node) {
    return node.outputPartitioning() instanceof RoundRobinPartitioning
        && !node.conf().sortBeforeRepartition();
  }

  /** Returns the decisions of an exchange's translation about its expressions. */
  public static NodeConversion explainConversion(AriadneShuffleExchangeExec node) {
    String disabled = ((ExchangeShuffles) node.shuffles()).disabled;
    return ExchangeTranslation.tryConvert(
        node.outputPartitioning(),
        columns(node),
        ConversionScope.trial(AriadneFragmentExec.names(disabled)));
  }

  @Override
  public List<NodeMetric> readMetrics() {
    return BlockShuffle.readMetrics();
  }

  @Override
  public ColumnarShuffle create(AriadneShuffleExchangeExec node) {
    FragmentLeaves leaves = new FragmentLeaves();
    ExchangeTranslation.Placement placement = placement(node, leaves);
    RDD<ColumnarBatch> rows =
        FragmentExecutor.executeBelow(
            (AriadneFragmentExec) node.child(),
            leaves,
            (builder, below) -> placed(node, placement, builder, below),
            placedTypes(node, placement.partitions()));
    BlockShuffle shuffle =
        BlockShuffle.of(
            node,
            rows,
            new BlockShuffle.Columns(AttributeSchemas.schema(columns(node)), types(node)),
            placement.partitions(),
            placement.isRoundRobin());
    return roles.isEmpty() ? shuffle : new FilteredShuffle(shuffle, roles);
  }

  /** Finds where rows go; runs a job for the bounds of ranges. */
  private ExchangeTranslation.Placement placement(
      AriadneShuffleExchangeExec node, FragmentLeaves leaves) {
    Partitioning partitioning = SubqueryResults.insert(node.outputPartitioning());
    if (partitioning instanceof RangePartitioning ranges) {
      Set<String> names = AriadneFragmentExec.names(disabled);
      return ExchangeTranslation.Placement.of(
          ranges, new RangeSampling(node, ranges, names).bounds(leaves));
    }
    return ExchangeTranslation.Placement.of(partitioning);
  }

  private PlanNode placed(
      AriadneShuffleExchangeExec node,
      ExchangeTranslation.Placement placement,
      FragmentBuilder builder,
      PlanNode below) {
    SQLMetric dropped = node.longMetric(AriadneShuffleExchangeExec.FILTERED_ROWS());
    NodeConversion filtered = placed(node, placement, builder, below, roles, dropped);
    NodeConversion conversion =
        filtered.node().isPresent()
            ? filtered
            : placed(node, placement, builder, below, FilterRoles.EMPTY, dropped);
    return conversion
        .node()
        .orElseThrow(
            () ->
                new EngineException(
                    ErrorCode.INTERNAL,
                    node.nodeName()
                        + " cannot be translated any more: "
                        + explainConversion(node).reasons()));
  }

  private NodeConversion placed(
      AriadneShuffleExchangeExec node,
      ExchangeTranslation.Placement placement,
      FragmentBuilder builder,
      PlanNode below,
      FilterRoles filters,
      SQLMetric dropped) {
    return ExchangeTranslation.convert(
        placement,
        columns(node),
        below,
        () -> builder.number(node),
        builder.scope(AriadneFragmentExec.names(disabled), below),
        new ExchangeTranslation.Filters(filters, dropped));
  }

  private static List<Attribute> columns(AriadneShuffleExchangeExec node) {
    return ScalaCollections.list(node.child().output());
  }

  private static DataType[] types(AriadneShuffleExchangeExec node) {
    return columns(node).stream().map(Attribute::dataType).toArray(DataType[]::new);
  }

  /** Returns the types of the fragment's output. */
  private static DataType[] placedTypes(AriadneShuffleExchangeExec node, int partitions) {
    List<DataType> types = new ArrayList<>(List.of(types(node)));
    if (partitions > 1) {
      types.add(DataTypes.IntegerType);
    }
    return types.toArray(DataType[]::new);
  }
}
