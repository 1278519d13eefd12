package io.ariadne.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.compiler.BatchSignature;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestUnknownConstant {
  private static final Expression NUMBER = new UnknownConstant(PrimitiveType.INT64);
  private static final Expression COLUMN = new ColumnReference(0, PrimitiveType.INT64, false);

  private static Call call(Function function, Expression... arguments) {
    return new Call(
        function, List.of(arguments), PrimitiveType.BOOLEAN, true, EvaluationMode.LEGACY, -1);
  }

  @Test
  void isSupportedWhereAConstantIs() {
    assertEquals(
        Optional.empty(), FunctionSupport.reasonAgainst(call(Function.LESS, COLUMN, NUMBER)));
    assertTrue(NUMBER.nullable());
  }

  /** Some functions read constants of few bytes only, and a string may turn out to be long. */
  @Test
  void stringsMayBeLong() {
    Expression text = new UnknownConstant(PrimitiveType.STRING);
    assertTrue(FunctionSupport.reasonAgainst(call(Function.EQUAL, text, text)).isPresent());
  }

  @Test
  void cannotBeCompiled() {
    TileProgramCompiler compiler =
        TileProgramCompiler.withDefaultLayouts(List.of(call(Function.LESS, NUMBER, NUMBER)));
    assertThrows(
        IllegalArgumentException.class, () -> compiler.compile(new BatchSignature(List.of())));
  }

  @Test
  void cannotBeShipped() throws IOException {
    try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
      assertThrows(NotSerializableException.class, () -> out.writeObject(List.of(NUMBER)));
    }
  }
}
