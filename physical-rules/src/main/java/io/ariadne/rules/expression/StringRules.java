package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Ascii;
import org.apache.spark.sql.catalyst.expressions.BitLength;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Length;
import org.apache.spark.sql.catalyst.expressions.Like;
import org.apache.spark.sql.catalyst.expressions.LikeAll;
import org.apache.spark.sql.catalyst.expressions.LikeAny;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NotLikeAll;
import org.apache.spark.sql.catalyst.expressions.NotLikeAny;
import org.apache.spark.sql.catalyst.expressions.OctetLength;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.sql.catalyst.expressions.StringInstr;
import org.apache.spark.sql.catalyst.expressions.StringLocate;
import org.apache.spark.sql.catalyst.expressions.StringTrim;
import org.apache.spark.sql.catalyst.expressions.StringTrimLeft;
import org.apache.spark.sql.catalyst.expressions.StringTrimRight;
import org.apache.spark.sql.catalyst.expressions.Substring;
import org.apache.spark.sql.catalyst.expressions.UnaryExpression;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import scala.collection.Seq;

/** Functions of strings. Collated strings are no columns of fragments, so all compare bytes. */
final class StringRules {
  private static final String LITERAL_PATTERN =
      "pattern a literal without supplementary characters";
  private static final String TRIMMED = "characters to trim a literal of ASCII characters";

  private static final char DEFAULT_ESCAPE = '\\';

  private StringRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        simple(StartsWith.class, Function.STARTS_WITH),
        simple(EndsWith.class, Function.ENDS_WITH),
        simple(Contains.class, Function.CONTAINS),
        ExpressionRule.of(Like.class, Function.LIKE, LITERAL_PATTERN, StringRules::like),
        ExpressionRule.of(
            LikeAll.class,
            Function.LIKE,
            (e, walk) -> likes(e, e.patterns(), true, Function.AND, walk)),
        ExpressionRule.of(
            LikeAny.class,
            Function.LIKE,
            (e, walk) -> likes(e, e.patterns(), true, Function.OR, walk)),
        ExpressionRule.of(
            NotLikeAll.class,
            Function.LIKE,
            (e, walk) -> likes(e, e.patterns(), false, Function.AND, walk)),
        ExpressionRule.of(
            NotLikeAny.class,
            Function.LIKE,
            (e, walk) -> likes(e, e.patterns(), false, Function.OR, walk)),
        simple(Length.class, Function.CHARACTER_LENGTH),
        simple(OctetLength.class, Function.OCTET_LENGTH),
        simple(BitLength.class, Function.BIT_LENGTH),
        simple(Ascii.class, Function.CODE_POINT),
        ExpressionRule.of(
            StringInstr.class,
            Function.POSITION,
            (e, walk) -> position(e, e.str(), e.substr(), walk)),
        ExpressionRule.of(
            StringLocate.class,
            Function.POSITION,
            "start a literal of at least 1",
            StringRules::locate),
        ExpressionRule.of(Substring.class, Function.SUBSTRING, StringRules::substring),
        ExpressionRule.of(
            StringTrim.class,
            Function.TRIM,
            TRIMMED,
            (e, walk) -> trim(Function.TRIM, e, e.srcStr(), e.trimStr(), walk)),
        ExpressionRule.of(
            StringTrimLeft.class,
            Function.TRIM_LEFT,
            TRIMMED,
            (e, walk) -> trim(Function.TRIM_LEFT, e, e.srcStr(), e.trimStr(), walk)),
        ExpressionRule.of(
            StringTrimRight.class,
            Function.TRIM_RIGHT,
            TRIMMED,
            (e, walk) -> trim(Function.TRIM_RIGHT, e, e.srcStr(), e.trimStr(), walk)));
  }

  private static <E extends Expression> ExpressionRule<E> simple(
      Class<E> sparkClass, Function function) {
    return ExpressionRule.of(sparkClass, function, (e, walk) -> walk.call(function, e));
  }

  private static io.ariadne.expression.Expression call(
      Function function,
      Expression expression,
      ExpressionWalk walk,
      io.ariadne.expression.Expression... arguments) {
    return walk.call(function, expression, EvaluationMode.LEGACY, List.of(arguments));
  }

  private static io.ariadne.expression.Expression like(Like like, ExpressionWalk walk) {
    if (!(like.right() instanceof Literal pattern
        && pattern.value() instanceof UTF8String text
        && walk.type(pattern) == PrimitiveType.STRING)) {
      throw new NoKernelException("its pattern " + like.right() + " is no literal");
    }
    byte[] compiled = LikePattern.compile(text, like.escapeChar());
    return call(
        Function.LIKE,
        like,
        walk,
        walk.operand(like.left()),
        new io.ariadne.expression.Literal(compiled, PrimitiveType.BINARY));
  }

  /** Several patterns, of which a null is neither like anything nor not. */
  private static io.ariadne.expression.Expression likes(
      UnaryExpression expression,
      Seq<UTF8String> patterns,
      boolean wanted,
      Function junction,
      ExpressionWalk walk) {
    io.ariadne.expression.Expression text = walk.operand(expression.child());
    io.ariadne.expression.Expression result = null;
    for (UTF8String pattern : ScalaCollections.<UTF8String>list(patterns)) {
      io.ariadne.expression.Expression next =
          pattern == null
              ? new io.ariadne.expression.Literal(null, PrimitiveType.BOOLEAN)
              : call(
                  Function.LIKE,
                  expression,
                  walk,
                  text,
                  new io.ariadne.expression.Literal(
                      LikePattern.compile(pattern, DEFAULT_ESCAPE), PrimitiveType.BINARY));
      if (pattern != null && !wanted) {
        next = call(Function.NOT, expression, walk, next);
      }
      result = result == null ? next : call(junction, expression, walk, result, next);
    }
    return result;
  }

  private static io.ariadne.expression.Expression locate(StringLocate e, ExpressionWalk walk) {
    if (!(e.start() instanceof Literal start && start.value() instanceof Integer from)
        || from < 1) {
      throw new NoKernelException("its start " + e.start() + " is no literal of at least 1");
    }
    // Spark looks at the text only where what is sought is not null.
    return call(
        Function.POSITION,
        e,
        walk,
        guarded(e.str(), walk),
        walk.operand(e.substr()),
        new io.ariadne.expression.Literal(from - 1, PrimitiveType.INT32));
  }

  private static io.ariadne.expression.Expression position(
      Expression e, Expression text, Expression other, ExpressionWalk walk) {
    io.ariadne.expression.Literal start = new io.ariadne.expression.Literal(0, PrimitiveType.INT32);
    return call(Function.POSITION, e, walk, walk.operand(text), walk.guardedOperand(other), start);
  }

  private static io.ariadne.expression.Expression substring(Substring e, ExpressionWalk walk) {
    return call(
        Function.SUBSTRING,
        e,
        walk,
        walk.operand(e.str()),
        guarded(e.pos(), walk),
        guarded(e.len(), walk));
  }

  /** Spark computes it only where those before are not null, so it must not be able to raise. */
  private static io.ariadne.expression.Expression guarded(
      Expression expression, ExpressionWalk walk) {
    io.ariadne.expression.Expression operand = walk.guardedOperand(expression);
    if (operand instanceof Call && TileProgramCompiler.mayRaise(operand)) {
      throw new NoKernelException(expression + " may raise and is computed for some rows only");
    }
    return operand;
  }

  private static io.ariadne.expression.Expression trim(
      Function function,
      Expression expression,
      Expression text,
      Option<Expression> characters,
      ExpressionWalk walk) {
    byte[] set = characters.isEmpty() ? new byte[0] : asciiOf(characters.get());
    return call(
        function,
        expression,
        walk,
        walk.operand(text),
        new io.ariadne.expression.Literal(set, PrimitiveType.STRING));
  }

  private static byte[] asciiOf(Expression characters) {
    if (characters instanceof Literal literal
        && literal.value() instanceof UTF8String text
        && text.numBytes() > 0
        && StandardCharsets.US_ASCII.newEncoder().canEncode(text.toString())) {
      return text.getBytes();
    }
    throw new NoKernelException(
        "the characters to trim, " + characters + ", are no literal of ASCII characters");
  }
}
