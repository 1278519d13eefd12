package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.testing.SparkStrings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Functions of strings in plain Java. Strings of batches are Java's, binary values x'hex'. */
final class ReferenceStrings {
  private ReferenceStrings() {}

  /** Returns the bytes of a value of a batch or a literal. */
  static byte[] bytes(Object value, DataType type) {
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    String text = (String) value;
    return type == PrimitiveType.BINARY
        ? HexFormat.of().parseHex(text, 2, text.length() - 1)
        : text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a value as batches have it. */
  static Object ofBatch(Object value, DataType type) {
    if (!(value instanceof byte[] bytes)) {
      return value;
    }
    return type == PrimitiveType.BINARY
        ? "x'" + HexFormat.of().formatHex(bytes) + "'"
        : new String(bytes, StandardCharsets.UTF_8);
  }

  /** Evaluates a function that is null where an argument is. */
  static Object strict(Call call, List<Object> row) {
    List<Object> values = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      Object value = ReferenceInterpreter.evaluate(argument, row);
      if (value == null) {
        return null;
      }
      values.add(
          StringHeaps.isView(argument.type()) ? (Object) bytes(value, argument.type()) : value);
    }
    Object result = result(call, (byte[]) values.get(0), values);
    return result instanceof byte[] bytes ? ofBatch(bytes, call.type()) : result;
  }

  private static Object result(Call call, byte[] a, List<Object> values) {
    Object second = values.size() > 1 ? values.get(1) : null;
    byte[] b = second instanceof byte[] bytes ? bytes : null;
    boolean isText = call.arguments().get(0).type() == PrimitiveType.STRING;
    return switch (call.function()) {
      case EQUAL -> Arrays.equals(a, b);
      case NOT_EQUAL -> !Arrays.equals(a, b);
      case LESS -> Arrays.compareUnsigned(a, b) < 0;
      case LESS_OR_EQUAL -> Arrays.compareUnsigned(a, b) <= 0;
      case GREATER -> Arrays.compareUnsigned(a, b) > 0;
      case GREATER_OR_EQUAL -> Arrays.compareUnsigned(a, b) >= 0;
      case STARTS_WITH -> SparkStrings.startsWith(a, b);
      case ENDS_WITH -> SparkStrings.endsWith(a, b);
      case CONTAINS -> SparkStrings.contains(a, b);
      case LIKE -> SparkStrings.isLike(a, b, LikePatterns.ANY_TEXT, LikePatterns.ANY_CHARACTER);
      case CHARACTER_LENGTH -> isText ? SparkStrings.characters(a) : a.length;
      case OCTET_LENGTH -> a.length;
      case BIT_LENGTH -> a.length * Byte.SIZE;
      case POSITION -> SparkStrings.indexOf(a, b, (Integer) values.get(2)) + 1;
      case CODE_POINT -> SparkStrings.codePoint(a);
      case SUBSTRING -> SparkStrings.substring(a, (Integer) second, (Integer) values.get(2));
      case TRIM -> SparkStrings.trimRight(SparkStrings.trimLeft(a, b), b);
      case TRIM_LEFT -> SparkStrings.trimLeft(a, b);
      case TRIM_RIGHT -> SparkStrings.trimRight(a, b);
      default -> throw new IllegalArgumentException("no reference for " + call);
    };
  }
}
