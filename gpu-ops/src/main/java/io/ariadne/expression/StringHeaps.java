package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells which heaps hold the bytes of the strings that programs compute. A program makes only
 * views, and the views of one string expression all point into the heaps of one column. A literal
 * is bytes of the program or an inline view.
 */
public final class StringHeaps {
  /** The most bytes of a string that is stored in its view. */
  public static final int INLINE_BYTES = 12;

  private StringHeaps() {}

  /** Returns whether values of a type are views. */
  public static boolean isView(DataType type) {
    return type.defaultPhysicalType() == PhysicalType.VIEW16;
  }

  /**
   * Returns whether a function reads the characters of its first argument when that is a string.
   */
  public static boolean readsCharacters(Function function) {
    return switch (function) {
      case EQUAL,
          NULL_SAFE_EQUAL,
          NOT_EQUAL,
          LESS,
          LESS_OR_EQUAL,
          GREATER,
          GREATER_OR_EQUAL,
          IN,
          STARTS_WITH,
          ENDS_WITH,
          CONTAINS,
          LIKE,
          CHARACTER_LENGTH,
          OCTET_LENGTH,
          BIT_LENGTH,
          POSITION,
          CODE_POINT,
          SUBSTRING,
          TRIM,
          TRIM_LEFT,
          TRIM_RIGHT ->
          true;
      default -> false;
    };
  }

  /**
   * Returns the columns, bridged calls and members of structs into whose heaps the views of an
   * expression point.
   *
   * @param expression of a type whose values are views
   */
  public static Set<Expression> sources(Expression expression) {
    if (isConstant(expression)) {
      return Set.of();
    }
    if (!(expression instanceof Call call)) {
      return Set.of(expression);
    }
    List<Expression> arguments = call.arguments();
    Set<Expression> sources = new LinkedHashSet<>();
    for (Expression argument : hasViewOfFirst(call) ? arguments.subList(0, 1) : arguments) {
      if (isView(argument.type())) {
        sources.addAll(sources(argument));
      }
    }
    return sources;
  }

  private static boolean hasViewOfFirst(Call call) {
    return switch (call.function()) {
      case SUBSTRING, TRIM, TRIM_LEFT, TRIM_RIGHT -> true;
      default -> false;
    };
  }

  /** Returns why programs cannot compute a call because of its strings, or empty when they can. */
  static Optional<String> reasonAgainst(Call call) {
    if (isView(call.type()) && sources(call).size() > 1) {
      return Optional.of(call.function() + " of strings of several columns has no kernel");
    }
    for (int i = 0; i < call.arguments().size(); i++) {
      if (isLong(call.arguments().get(i)) && !mayBeLong(call, i)) {
        return Optional.of(
            call.function()
                + " of constants of more than "
                + INLINE_BYTES
                + " bytes has no kernel");
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether an argument may be a literal of any length: the program reads it as bytes, not
   * as a view.
   */
  private static boolean mayBeLong(Call call, int index) {
    return switch (call.function()) {
      case CHARACTER_LENGTH, OCTET_LENGTH, BIT_LENGTH, CODE_POINT, SUBSTRING -> false;
      case IN, TRIM, TRIM_LEFT, TRIM_RIGHT -> index > 0 && !isConstant(call.arguments().get(0));
      default ->
          readsCharacters(call.function())
              ? !isConstant(call.arguments().get(1 - Math.min(index, 1)))
              : !isView(call.type());
    };
  }

  private static boolean isConstant(Expression expression) {
    return expression instanceof Literal || expression instanceof UnknownConstant;
  }

  /** Returns whether an expression is a constant that may be longer than an inline view. */
  private static boolean isLong(Expression expression) {
    return expression instanceof UnknownConstant
        ? isView(expression.type())
        : expression instanceof Literal literal
            && literal.value() instanceof byte[] bytes
            && bytes.length > INLINE_BYTES;
  }
}
