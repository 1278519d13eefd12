package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import io.ariadne.rules.broadcast.BroadcastForm;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.types.DataType;
import scala.runtime.AbstractPartialFunction;

/** Spark's broadcasts as broadcasts of columns. */
public final class BroadcastTranslation {
  private BroadcastTranslation() {}

  /** Tries the translation. */
  public static NodeConversion tryConvert(BroadcastExchangeExec node, ConversionScope scope) {
    List<Attribute> columns = columns(node.child());
    return BroadcastRelations.reasonAgainst(node.mode())
        .or(() -> registration(node.sparkContext().getConf()))
        .or(() -> AttributeSchemas.reasonAgainst(columns))
        .map(NodeConversion::failed)
        .orElseGet(() -> withKeys(node, columns, scope));
  }

  /**
   * Tries the translation of the keys. Spark computes them for every row before it broadcasts, and
   * raises their errors there; of columns, the joins compute them, if there is a join at all.
   */
  private static NodeConversion withKeys(
      BroadcastExchangeExec node, List<Attribute> columns, ConversionScope scope) {
    ExpressionConverter converter = new ExpressionConverter(columns, scope);
    List<TaggedExpression> tags =
        BroadcastForm.keysOf(node.mode()).stream()
            .map(key -> converter.convert(key.transform(new Unbound(columns))).tag())
            .toList();
    return tags.stream()
        .filter(TaggedExpression::mayRaise)
        .findFirst()
        .map(tag -> NodeConversion.failed(tags, List.of(tag.expression() + ": it may raise")))
        .orElseGet(() -> NodeConversion.passing(columns));
  }

  private static Optional<String> registration(SparkConf conf) {
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

  /** Columns in the place of their numbers, which the keys of a broadcast have. */
  private static final class Unbound extends AbstractPartialFunction<Expression, Expression> {
    private final List<Attribute> columns;

    Unbound(List<Attribute> columns) {
      this.columns = columns;
    }

    @Override
    public boolean isDefinedAt(Expression part) {
      return part instanceof BoundReference;
    }

    @Override
    public Expression apply(Expression part) {
      return columns.get(((BoundReference) part).ordinal());
    }
  }
}
