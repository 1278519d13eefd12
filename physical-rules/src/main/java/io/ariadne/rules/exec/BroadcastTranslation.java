package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.types.DataType;

/** Spark's broadcasts as broadcasts of columns. */
public final class BroadcastTranslation {
  private BroadcastTranslation() {}

  /** Tries the translation. */
  public static NodeConversion tryConvert(BroadcastExchangeExec node) {
    Optional<String> against = BroadcastRelations.reasonAgainst(node.mode());
    if (against.isPresent()) {
      return NodeConversion.failed(against.get());
    }
    if (demandsRegistration(node.sparkContext().getConf())) {
      return NodeConversion.failed("spark.kryo.registrationRequired knows no class of Ariadne's");
    }
    List<Attribute> columns = columns(node.child());
    Optional<String> reason = AttributeSchemas.reasonAgainst(columns);
    return reason.isPresent()
        ? NodeConversion.failed(reason.get())
        : NodeConversion.of(FragmentBuilder.placeholder(columns));
  }

  private static boolean demandsRegistration(SparkConf conf) {
    return conf.get("spark.serializer", "").endsWith("KryoSerializer")
        && conf.getBoolean("spark.kryo.registrationRequired", false);
  }

  /**
   * Builds our node.
   *
   * @param node for which {@link #tryConvert} succeeded
   * @param input its input, one of our nodes
   * @param mostRows with more rows the value is Spark's own
   * @param mostBytes if the rows take more, too
   */
  public static AriadneBroadcastExchangeExec convert(
      BroadcastExchangeExec node, SparkPlan input, long mostRows, long mostBytes) {
    List<Attribute> columns = columns(node.child());
    List<DataType> types = columns.stream().map(Attribute::dataType).toList();
    return new AriadneBroadcastExchangeExec(
        node.mode(),
        input,
        new BroadcastRelations(AttributeSchemas.schema(columns), types, mostRows, mostBytes));
  }

  private static List<Attribute> columns(SparkPlan plan) {
    return ScalaCollections.list(plan.output());
  }
}
