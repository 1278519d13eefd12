package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Murmur3Hash;
import org.apache.spark.sql.catalyst.expressions.XxHash64;
import org.apache.spark.sql.types.DataTypes;

/** Hashes of values. */
final class HashRules {
  private HashRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.of(
            Murmur3Hash.class,
            Function.MURMUR3_HASH,
            (e, walk) ->
                hash(Function.MURMUR3_HASH, new Literal(e.seed(), PrimitiveType.INT32), e, walk)),
        ExpressionRule.of(
            XxHash64.class,
            Function.XXHASH64,
            (e, walk) ->
                hash(Function.XXHASH64, new Literal(e.seed(), PrimitiveType.INT64), e, walk)));
  }

  private static io.ariadne.expression.Expression hash(
      Function function, Literal seed, Expression expression, ExpressionWalk walk) {
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    arguments.add(seed);
    for (Expression value : ScalaCollections.<Expression>list(expression.children())) {
      if (value.dataType() != DataTypes.NullType) { // nulls change nothing
        arguments.add(walk.operand(value));
      }
    }
    return walk.call(function, expression, EvaluationMode.LEGACY, arguments);
  }
}
