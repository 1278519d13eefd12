package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.StringProducer.Operation;
import io.ariadne.kernel.column.StringProducerKernel;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Bin;
import org.apache.spark.sql.catalyst.expressions.Chr;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.ConcatWs;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Hex;
import org.apache.spark.sql.catalyst.expressions.InitCap;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.Overlay;
import org.apache.spark.sql.catalyst.expressions.Reverse;
import org.apache.spark.sql.catalyst.expressions.StringLPad;
import org.apache.spark.sql.catalyst.expressions.StringRPad;
import org.apache.spark.sql.catalyst.expressions.StringRepeat;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
import org.apache.spark.sql.catalyst.expressions.StringSpace;
import org.apache.spark.sql.catalyst.expressions.StringTranslate;
import org.apache.spark.sql.catalyst.expressions.SubstringIndex;
import org.apache.spark.sql.catalyst.expressions.UnBase64;
import org.apache.spark.sql.catalyst.expressions.Unhex;
import org.apache.spark.sql.catalyst.expressions.Upper;

/**
 * Functions that make strings. Separate kernels compute them, column by column; Spark's code
 * computes batches with values that the kernels do not handle. See {@link CodedStringRules} for
 * functions that Spark replaces by calls of static methods.
 */
final class StringProducerRules {
  static final String STRINGS = "of strings that cannot raise";

  private static final String ASCII = STRINGS + "; batches with others than ASCII by Spark's code";
  private static final String NUMBERS = "of values that cannot raise";

  /** Copies and characters that no string is too long for. */
  private static final int MODEST_SIZE = 1 << 16;

  private StringProducerRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.structural(Concat.class, STRINGS, StringProducerRules::concat),
        ExpressionRule.structural(
            ConcatWs.class, STRINGS + ", at most 16", StringProducerRules::concatWithSeparator),
        simple(Upper.class, ASCII, Operation.UPPER, 0),
        simple(Lower.class, ASCII, Operation.LOWER, 0),
        simple(InitCap.class, ASCII, Operation.INITCAP, 0),
        simple(Reverse.class, STRINGS, Operation.REVERSE, 0),
        sized(StringRepeat.class, Operation.REPEAT, 0, 1),
        ExpressionRule.structural(StringSpace.class, NUMBERS, StringProducerRules::space),
        sized(StringLPad.class, Operation.LPAD, 0, 2, 1),
        sized(StringRPad.class, Operation.RPAD, 0, 2, 1),
        simple(StringReplace.class, STRINGS, Operation.REPLACE, 0, 1, 2),
        simple(StringTranslate.class, STRINGS, Operation.TRANSLATE, 0, 1, 2),
        simple(SubstringIndex.class, STRINGS, Operation.SUBSTRING_INDEX, 0, 1, 2),
        ExpressionRule.structural(
            Overlay.class, "of strings and numbers that cannot raise", StringOverlay::overlay),
        ExpressionRule.structural(Hex.class, NUMBERS, StringProducerRules::hex),
        simple(Bin.class, NUMBERS, Operation.DIGITS_2, 0),
        simple(Chr.class, NUMBERS, Operation.CHARACTER, 0),
        ExpressionRule.structural(
            Unhex.class, STRINGS + ", not of to_binary", StringProducerRules::unhex),
        ExpressionRule.structural(
            UnBase64.class, STRINGS + ", not of to_binary", StringProducerRules::unbase64));
  }

  /** A function whose children, in an order, are the operands of an operation. */
  private static <E extends Expression> ExpressionRule<E> simple(
      Class<E> sparkClass, String note, Operation operation, int... order) {
    return ExpressionRule.structural(
        sparkClass, note, (e, walk) -> ProducerCall.of(operation, e, order).build(walk));
  }

  /**
   * A function whose last operand is how long the string gets: where that is a lot, Spark raises.
   */
  private static <E extends Expression> ExpressionRule<E> sized(
      Class<E> sparkClass, Operation operation, int... order) {
    int last = order[order.length - 1];
    return ExpressionRule.structural(
        sparkClass,
        STRINGS,
        (e, walk) ->
            ProducerCall.of(operation, e, order)
                .raising(!isModest(ScalaCollections.<Expression>list(e.children()).get(last)))
                .build(walk));
  }

  private static boolean isModest(Expression size) {
    return size instanceof Literal literal
        && literal.value() instanceof Integer value
        && value <= MODEST_SIZE;
  }

  private static io.ariadne.expression.Expression concat(Concat concat, ExpressionWalk walk) {
    return ProducerCall.of(Operation.CONCAT, concat, texts(concat)).build(walk);
  }

  private static io.ariadne.expression.Expression concatWithSeparator(
      ConcatWs concat, ExpressionWalk walk) {
    return ProducerCall.of(Operation.CONCAT_WITH_SEPARATOR, concat, texts(concat)).build(walk);
  }

  private static int[] texts(Expression expression) {
    int count = ScalaCollections.list(expression.children()).size();
    if (count == 0 || count > StringProducerKernel.MAX_TEXTS) {
      throw new NoKernelException("it has " + count + " operands");
    }
    return IntStream.range(0, count).toArray();
  }

  private static io.ariadne.expression.Expression space(StringSpace space, ExpressionWalk walk) {
    return ProducerCall.of(Operation.REPEAT, space, 0)
        .withText(new io.ariadne.expression.Literal(new byte[] {' '}, PrimitiveType.STRING))
        .raising(!isModest(space.child()))
        .build(walk);
  }

  private static io.ariadne.expression.Expression hex(Hex hex, ExpressionWalk walk) {
    boolean isNumber = walk.type(hex.child()) == PrimitiveType.INT64;
    return ProducerCall.of(isNumber ? Operation.DIGITS_16 : Operation.HEX, hex, 0).build(walk);
  }

  private static io.ariadne.expression.Expression unhex(Unhex unhex, ExpressionWalk walk) {
    requireLenient(unhex.failOnError());
    return ProducerCall.of(Operation.UNHEX, unhex, 0).build(walk);
  }

  /** Java's decoder refuses some strings in every mode. */
  private static io.ariadne.expression.Expression unbase64(UnBase64 unbase64, ExpressionWalk walk) {
    requireLenient(unbase64.failOnError());
    return ProducerCall.of(Operation.UNBASE64, unbase64, 0).raising(true).build(walk);
  }

  private static void requireLenient(boolean failOnError) {
    if (failOnError) {
      throw new NoKernelException("it raises for what is malformed");
    }
  }
}
