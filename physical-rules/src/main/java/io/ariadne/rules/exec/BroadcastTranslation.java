package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import io.ariadne.rules.broadcast.BroadcastForm;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.BoundColumns;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.Placement;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.types.DataType;

/** Translates Spark's broadcasts to columnar broadcasts. */
public final class BroadcastTranslation {
  private BroadcastTranslation() {}

  /**
   * Tries the translation.
   *
   * @param node Spark's broadcast
   */
  public static NodeConversion tryConvert(BroadcastExchangeExec node) {
    List<Attribute> columns = columns(node.child());
    return BroadcastRelations.reasonAgainst(node.mode())
        .or(() -> reasonAgainstSerializer(node.sparkContext().getConf()))
        .map(NodeConversion::failed)
        .orElseGet(() -> withKeys(node, columns));
  }

  /**
   * Tries the translation of the keys. Spark computes them for every row before it broadcasts, and
   * raises their errors there. A broadcast of columns leaves them to its joins, which may not run.
   */
  private static NodeConversion withKeys(BroadcastExchangeExec node, List<Attribute> columns) {
    // What users have switched off counts for joins, which compute the keys: not here.
    ConversionScope scope = ConversionScope.trial(Set.of());
    ExpressionConverter converter = new ExpressionConverter(columns, scope);
    List<TaggedExpression> tags =
        BroadcastForm.keysOf(node.mode()).stream()
            .map(key -> converter.convert(BoundColumns.unbind(key, columns)).tag())
            .toList();
    return tags.stream()
        .filter(TaggedExpression::mayRaise)
        .findFirst()
        .map(tag -> NodeConversion.failed(tags, List.of(reasonAgainst(tag))))
        .orElseGet(() -> NodeConversion.passing(columns));
  }

  /**
   * Returns why a key may raise. A part that stays with Spark may raise as far as Ariadne knows.
   */
  private static String reasonAgainst(TaggedExpression tag) {
    boolean isSparks = tag.placement() == Placement.SPARK;
    return tag.expression() + ": " + (isSparks ? tag.reason() : "it may raise");
  }

  private static Optional<String> reasonAgainstSerializer(SparkConf conf) {
    return demandsRegistration(conf)
        ? Optional.of("spark.kryo.registrationRequired knows no class of Ariadne's")
        : Optional.empty();
  }

  private static boolean demandsRegistration(SparkConf conf) {
    return conf.get("spark.serializer", "").endsWith("KryoSerializer")
        && conf.getBoolean("spark.kryo.registrationRequired", false);
  }

  /**
   * Builds our node.
   *
   * @param node a node for which {@link #tryConvert} succeeded
   * @param input its input, one of our nodes
   * @param mostRows the most rows of a columnar value; with more rows the value is Spark's own
   * @param mostBytes the same limit in bytes
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
