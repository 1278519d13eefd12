package io.ariadne.expression;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.compiler.BatchSignature;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The support table says what the compiler does, no more and no less. */
class TestFunctionSupport {
  private static final DecimalType PRICE = new DecimalType(12, 2);

  @Test
  void everyFunctionHasASignature() {
    for (Function function : Function.values()) {
      assertFalse(FunctionSupport.supportedTypes(function).isEmpty(), function::toString);
    }
    for (AggregateFunction function : AggregateFunction.values()) {
      assertFalse(AggregateSupport.supportedTypes(function).isEmpty(), function::toString);
    }
  }

  @Test
  void everyAcceptedSignatureCompiles() {
    Set<Function> compiled = EnumSet.noneOf(Function.class);
    List<DataType> types = types();
    for (Function function : Function.values()) {
      for (EvaluationMode mode : EvaluationMode.values()) {
        for (DataType result : types) {
          for (List<DataType> arguments : arguments(function, types)) {
            if (FunctionSupport.reasonAgainst(function, arguments, result, mode).isEmpty()) {
              assertCompiles(function, arguments, result, mode);
              compiled.add(function);
            }
          }
        }
      }
    }
    assertEquals(EnumSet.allOf(Function.class), compiled);
  }

  private static List<DataType> types() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.add(PRICE);
    types.add(new DecimalType(38, 0));
    types.add(new DecimalType(8, 6));
    return types;
  }

  private static List<List<DataType>> arguments(Function function, List<DataType> types) {
    switch (function) {
      case POSITION:
        return List.of(List.of(PrimitiveType.STRING, PrimitiveType.STRING, PrimitiveType.INT32));
      case SUBSTRING:
        return List.of(List.of(PrimitiveType.STRING, PrimitiveType.INT32, PrimitiveType.INT32));
      default:
        break;
    }
    List<List<DataType>> lists = new ArrayList<>();
    for (DataType a : types) {
      if (function == Function.CASE_WHEN) {
        lists.add(List.of(PrimitiveType.BOOLEAN, a, a));
        continue;
      }
      if (function == Function.MAKE_DATE) {
        lists.add(List.of(a, a, a, PrimitiveType.BOOLEAN));
        continue;
      }
      int constants = FunctionSupport.firstConstant(function);
      DataType zone = PrimitiveType.STRING;
      if (ReferenceTimes.FUNCTIONS.contains(function) && constants < Integer.MAX_VALUE) {
        lists.add(List.of(a, PrimitiveType.INT32, zone));
        lists.add(List.of(a, PrimitiveType.INTERVAL_DAY_TIME, zone));
        lists.add(List.of(a, a, zone));
        lists.add(List.of(a, a, PrimitiveType.INT32, zone));
        lists.add(List.of(a, a, PrimitiveType.BOOLEAN, zone));
        types.forEach(b -> lists.add(List.of(a, b, PrimitiveType.INT32, zone)));
      }
      lists.add(List.of(a));
      types.forEach(b -> lists.add(List.of(a, b)));
    }
    return lists;
  }

  /** A number that is also a unit, or a time zone. */
  private static Serializable constant(DataType type, CalendarUnit unit) {
    if (type == PrimitiveType.STRING) {
      return "Europe/Berlin".getBytes(StandardCharsets.UTF_8);
    }
    return type == PrimitiveType.BOOLEAN ? (Serializable) true : (Serializable) unit.ordinal();
  }

  /** Functions of which an operand must be a literal. */
  private static Expression operand(Function function, int index, DataType type) {
    boolean isLiteral =
        switch (function) {
          case LIKE, TRIM, TRIM_LEFT, TRIM_RIGHT -> index == 1;
          default -> false;
        };
    return isLiteral ? new Literal(new byte[] {'a'}, type) : new ColumnReference(index, type, true);
  }

  /** With every layout a batch may have, with and without nulls. */
  private static void assertCompiles(
      Function function, List<DataType> arguments, DataType result, EvaluationMode mode) {
    boolean isUnixTime = function == Function.UNIX_TIME || function == Function.FROM_UNIX_TIME;
    CalendarUnit unit = isUnixTime ? CalendarUnit.SECOND : CalendarUnit.MONTH;
    for (boolean mayHaveNulls : new boolean[] {false, true}) {
      List<Expression> columns = new ArrayList<>();
      List<BatchSignature.Column> layouts = new ArrayList<>();
      for (DataType argument : arguments) {
        boolean isConstant = columns.size() >= FunctionSupport.firstConstant(function);
        columns.add(
            isConstant
                ? new Literal(constant(argument, unit), argument)
                : operand(function, columns.size(), argument));
        layouts.add(new BatchSignature.Column(argument.defaultPhysicalType(), mayHaveNulls));
      }
      Call call = new Call(function, columns, result, true, mode, 0);
      if (FunctionSupport.reasonAgainstCall(call).isPresent()) {
        return; // strings of several columns
      }
      assertDoesNotThrow(
          () -> new TileProgramCompiler(null, List.of(call)).compile(new BatchSignature(layouts)),
          call::toString);
    }
  }

  @Test
  void reasonsNameTheTypes() {
    assertReason("ADD of string has no kernel", Function.ADD, PrimitiveType.STRING);
    assertReason("SUBTRACT of binary has no kernel", Function.SUBTRACT, PrimitiveType.BINARY);
    Optional<String> cast =
        FunctionSupport.reasonAgainst(
            Function.CAST, List.of(PRICE), PrimitiveType.FLOAT32, EvaluationMode.LEGACY);
    assertEquals(Optional.of("CAST from decimal to float has no kernel"), cast);
  }

  private static void assertReason(String expected, Function function, DataType type) {
    Optional<String> reason =
        FunctionSupport.reasonAgainst(function, List.of(type, type), type, EvaluationMode.LEGACY);
    assertEquals(Optional.of(expected), reason);
  }

  @Test
  void refusesATreeForAnyOfItsParts() {
    Expression string = new ColumnReference(0, PrimitiveType.STRING, true);
    Call isNan =
        new Call(
            Function.IS_NAN,
            List.of(string),
            PrimitiveType.BOOLEAN,
            true,
            EvaluationMode.LEGACY,
            -1);
    Call not =
        new Call(
            Function.NOT, List.of(isNan), PrimitiveType.BOOLEAN, true, EvaluationMode.LEGACY, -1);
    assertTrue(FunctionSupport.reasonAgainst(not).isPresent());
    assertTrue(FunctionSupport.reasonAgainst(string).isEmpty());
  }

  @Test
  void refusesLossyDecimalsOfSpark() {
    DecimalType wide = new DecimalType(38, 10);
    for (Function function : List.of(Function.NEGATE, Function.ABS)) {
      assertTrue(
          FunctionSupport.reasonAgainst(function, List.of(wide), wide, EvaluationMode.LEGACY)
              .isPresent());
    }
    assertTrue(
        FunctionSupport.reasonAgainst(
                Function.CAST, List.of(wide), PrimitiveType.INT32, EvaluationMode.ANSI)
            .isPresent());
    assertTrue(
        FunctionSupport.reasonAgainst(
                Function.CAST, List.of(wide), PrimitiveType.INT64, EvaluationMode.ANSI)
            .isEmpty());
  }
}
