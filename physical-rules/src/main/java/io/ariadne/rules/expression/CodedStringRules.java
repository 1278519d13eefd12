package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.expression.StringProducer.Operation;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Base64;
import org.apache.spark.sql.catalyst.expressions.ElementAt;
import org.apache.spark.sql.catalyst.expressions.Encode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.StringDecode;
import org.apache.spark.sql.catalyst.expressions.StringSplitSQL;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions that make strings and that Spark rewrites to other expressions. */
final class CodedStringRules {
  private static final String UTF_8 = "UTF-8";
  private static final int LINE_CHARACTERS = 76;

  private CodedStringRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.structural(
            StaticInvoke.class,
            "base64, encode and decode of UTF-8; " + StringProducerRules.STRINGS,
            CodedStringRules::invoked),
        // Spark 3.5; later lines replace them by StaticInvoke
        ExpressionRule.structural(Encode.class, "UTF-8", (e, walk) -> wellFormed(e, false, walk)),
        ExpressionRule.structural(
            StringDecode.class, "UTF-8", (e, walk) -> wellFormed(e, false, walk)));
  }

  private static io.ariadne.expression.Expression invoked(
      StaticInvoke invoke, ExpressionWalk walk) {
    List<Expression> arguments = ScalaCollections.list(invoke.children());
    Class<?> invoked = invoke.staticObject();
    if (invoked == Base64.class && invoke.functionName().equals("encode")) {
      boolean hasLines = isTrue(arguments.get(1));
      return ProducerCall.of(Operation.BASE64, invoke, 0)
          .withNumber(hasLines ? LINE_CHARACTERS : 0)
          .build(walk);
    }
    boolean isEncode = invoked == Encode.class && invoke.functionName().equals("encode");
    boolean isDecode = invoked == StringDecode.class && invoke.functionName().equals("decode");
    if (isEncode || isDecode) {
      boolean replaces = isTrue(arguments.get(arguments.size() - 1));
      return wellFormed(invoke, !replaces, walk);
    }
    throw new NoKernelException("no kernel for " + invoked.getSimpleName());
  }

  private static boolean isTrue(Expression constant) {
    if (constant instanceof Literal literal && literal.value() instanceof Boolean value) {
      return value;
    }
    throw new NoKernelException(constant + " is no constant");
  }

  /** The same bytes, unless they are malformed. */
  private static io.ariadne.expression.Expression wellFormed(
      Expression expression, boolean mayRaise, ExpressionWalk walk) {
    Expression charset = ScalaCollections.<Expression>list(expression.children()).get(1);
    boolean isUtf8 =
        charset instanceof Literal literal
            && literal.value() instanceof UTF8String name
            && name.toString().equalsIgnoreCase(UTF_8);
    if (!isUtf8) {
      throw new NoKernelException("its character set " + charset + " is not UTF-8");
    }
    return ProducerCall.of(Operation.WELL_FORMED, expression, 0).raising(mayRaise).build(walk);
  }

  /** Translates what split_part is replaced by: an element of the parts, by default empty. */
  static io.ariadne.expression.Expression splitPart(ElementAt element, ExpressionWalk walk) {
    Expression number = element.right();
    if (!(element.left() instanceof StringSplitSQL parts
        && element.defaultValueOutOfBound().get().value() instanceof UTF8String other
        && other.numBytes() == 0)) {
      throw new NoKernelException("it has a default");
    }
    boolean isSafe =
        number instanceof Literal literal
            && literal.value() instanceof Integer value
            && value != 0
            && value != Integer.MIN_VALUE;
    return ProducerCall.ofPart(Operation.SPLIT_PART, element, parts).raising(!isSafe).build(walk);
  }
}
