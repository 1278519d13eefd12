package io.ariadne.operator.project;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringChoice;
import io.ariadne.expression.StringChoice.Rule;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.kernel.testing.SparkStrings;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Strings chosen among columns and constants in a projection, against plain Java. */
abstract class AbstractTestChosenStrings extends AbstractTestOnBackend {
  private static final int OPTIONS = 4;
  private static final int ROWS = 700;

  @Test
  void columnsAndConstantsEqualReference() {
    for (Rule rule : Rule.values()) {
      for (int i = 0; i < 6; i++) {
        List<Literal> options = new ArrayList<>();
        for (int k = 0; k < OPTIONS; k++) {
          boolean isLiteral = k > 0 && random.nextBoolean();
          options.add(isLiteral ? literal() : null);
        }
        check(new StringChoice(rule, PrimitiveType.STRING, options), i % 2 == 0);
      }
    }
  }

  @Test
  void choiceAmongConstantsIsADictionaryColumn() {
    List<Literal> options = List.of(literal(), literal(), literal(), literal());
    check(new StringChoice(Rule.NUMBERED, PrimitiveType.STRING, options), true);
    check(new StringChoice(Rule.NUMBERED, PrimitiveType.STRING, options), false);
  }

  private Literal literal() {
    return new Literal(SparkStrings.random(random, 4), PrimitiveType.STRING);
  }

  private void check(StringChoice choice, boolean hasNulls) {
    List<Field> fields = new ArrayList<>();
    List<Expression> arguments = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    if (choice.rule() == Rule.NUMBERED) {
      fields.add(new Field("n", PrimitiveType.INT32, true));
      columns.add(numbers(hasNulls));
    }
    for (Literal option : choice.options()) {
      if (option == null) {
        fields.add(new Field("s", PrimitiveType.STRING, true));
        columns.add(strings(hasNulls));
      }
    }
    for (int i = 0; i < fields.size(); i++) {
      arguments.add(new ColumnReference(i, fields.get(i).type(), true));
    }
    RecordBatch batch = new RecordBatch(new Schema(fields), ROWS, columns, 0);
    BridgedCall call = new BridgedCall(choice, arguments, true);
    Schema output = new Schema(List.of(new Field("out", PrimitiveType.STRING, true)));
    try (ColumnVector expected = choice.apply(batch, allocator);
        Operator operator =
            new FilterProjectOperatorFactory(batch.schema(), null, List.of(call), output)
                .create(context())) {
      operator.addInput(batch);
      RecordBatch result = operator.getOutput();
      boolean isDictionary = result.column(0).dictionary() != null;
      assertEquals(choice.rule() == Rule.NUMBERED && choice.isOfLiterals(), isDictionary);
      try (RecordBatch onHost = context().transfer().toHost(result)) {
        compare(choice, expected, onHost.column(0));
      }
    }
  }

  private void compare(StringChoice choice, ColumnVector expected, ColumnVector actual) {
    ColumnReader wanted = new ColumnReader(expected);
    ColumnReader got = new ColumnReader(actual);
    for (int row = 0; row < ROWS; row++) {
      String place = choice + " row " + row + " seed " + seed;
      assertEquals(wanted.isNull(row), got.isNull(row), place);
      if (!wanted.isNull(row)) {
        assertArrayEquals(wanted.getBytes(row), got.getBytes(row), place);
      }
    }
  }

  private OperatorContext context() {
    return new OperatorContext(
        allocator, kernelAllocator(backend, allocator), backend, () -> false, ErrorReplay.PLAIN);
  }

  private ColumnVector strings(boolean hasNulls) {
    ColumnVector plain;
    boolean isEncoded = random.nextInt(3) == 0;
    try (ViewBuilder builder =
        (ViewBuilder) ColumnBuilder.create(PrimitiveType.STRING, allocator)) {
      for (int row = 0; row < ROWS; row++) {
        if (hasNulls && random.nextInt(3) == 0) {
          builder.appendNull();
        } else {
          builder.append(SparkStrings.random(random, isEncoded ? 1 : 5));
        }
      }
      plain = builder.build();
    }
    if (!isEncoded) {
      return plain;
    }
    try (plain) {
      return new DictionaryEncoder(random, allocator).encode(plain);
    }
  }

  private ColumnVector numbers(boolean hasNulls) {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.INT32, allocator)) {
      for (int row = 0; row < ROWS; row++) {
        if (hasNulls && random.nextInt(6) == 0) {
          builder.appendNull();
        } else {
          builder.appendValue(random.nextInt(OPTIONS));
        }
      }
      return builder.build();
    }
  }
}
