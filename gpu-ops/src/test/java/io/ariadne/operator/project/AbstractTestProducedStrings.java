package io.ariadne.operator.project;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringProducer;
import io.ariadne.expression.StringProducer.Operation;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.kernel.testing.SparkStrings;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Functions that make strings on a back end, against plain Java. */
abstract class AbstractTestProducedStrings extends AbstractTestOnBackend {
  private static final int STRINGS = 3;

  /** Returns numbers of rows to test. */
  protected abstract List<Integer> rowCounts();

  /** Runs rows that kernels cannot compute; returns a text that tests recognise. */
  private record Host(Operation operation, List<Literal> literals) implements ColumnFunction {
    private static final long serialVersionUID = 1L;

    @Override
    public DataType resultType() {
      return PrimitiveType.STRING;
    }

    @Override
    public String description() {
      return "reference";
    }

    @Override
    public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
      List<ColumnReader> readers = new ArrayList<>();
      for (int i = 0; i < arguments.columnCount(); i++) {
        readers.add(new ColumnReader(arguments.column(i)));
      }
      try (ViewBuilder builder =
          (ViewBuilder) ColumnBuilder.create(PrimitiveType.STRING, allocator)) {
        for (int row = 0; row < arguments.rowCount(); row++) {
          byte[] value = reference(operation, operands(literals, readers, row));
          if (value == null) {
            builder.appendNull();
          } else {
            builder.append(value);
          }
        }
        return builder.build();
      }
    }
  }

  private static List<Object> operands(
      List<Literal> literals, List<ColumnReader> columns, int row) {
    List<Object> operands = new ArrayList<>();
    int next = 0;
    for (Literal literal : literals) {
      if (literal != null) {
        operands.add(literal.value());
        continue;
      }
      ColumnReader column = columns.get(next++);
      operands.add(column.isNull(row) ? null : value(column, row));
    }
    return operands;
  }

  private static Object value(ColumnReader column, int row) {
    if (column.column().type() == PrimitiveType.INT32) {
      return column.getInt(row);
    }
    return column.column().type() == PrimitiveType.INT64
        ? (Object) column.getLong(row)
        : column.getBytes(row);
  }

  /** What Spark gives, for letters of ASCII, and some text where it raises. */
  private static byte[] reference(Operation operation, List<Object> operands) {
    if (operation == Operation.CONCAT_WITH_SEPARATOR) {
      return ProducedReference.concatWithSeparator(operands);
    }
    if (operands.contains(null)) {
      return null;
    }
    Object last = operands.get(operands.size() - 1);
    if (textsOf(operation) == 0) {
      return ProducedReference.ofNumber(operation, (Long) last);
    }
    byte[] a = (byte[]) operands.get(0);
    return switch (operation) {
      case CONCAT -> SparkStrings.concat(operands.stream().map(x -> (byte[]) x).toList());
      case UPPER -> SparkStrings.flipCase(a, 'a');
      case LOWER -> SparkStrings.flipCase(a, 'A');
      case REVERSE -> SparkStrings.reverse(a);
      case REPEAT -> SparkStrings.repeat(a, (Integer) last);
      case LPAD -> SparkStrings.pad(a, (Integer) last, (byte[]) operands.get(1), true);
      case RPAD -> SparkStrings.pad(a, (Integer) last, (byte[]) operands.get(1), false);
      case REPLACE -> SparkStrings.replace(a, (byte[]) operands.get(1), (byte[]) last);
      case HEX -> HexFormat.of().withUpperCase().formatHex(a).getBytes(StandardCharsets.US_ASCII);
      case SPLIT_PART, SUBSTRING_INDEX ->
          ProducedReference.part(operation, a, (byte[]) operands.get(1), (Integer) last);
      case TRANSLATE -> ProducedReference.translate(a, (byte[]) operands.get(1), (byte[]) last);
      case BASE64 -> ProducedReference.base64(a, (Integer) last);
      default -> ProducedReference.recoded(operation, a);
    };
  }

  @Test
  void operandsOfEveryKindEqualReference() {
    for (int rowCount : rowCounts()) {
      for (Operation operation : Operation.values()) {
        for (int i = 0; i < 4; i++) {
          check(operation, rowCount, i % 2 == 0, i < 2);
        }
      }
    }
  }

  private static int textsOf(Operation operation) {
    return switch (operation) {
      case CONCAT, REPLACE, CONCAT_WITH_SEPARATOR, TRANSLATE -> STRINGS;
      case LPAD, RPAD, SPLIT_PART, SUBSTRING_INDEX -> 2;
      case CHARACTER, DIGITS_16, DIGITS_2 -> 0;
      default -> 1;
    };
  }

  private void check(Operation operation, int rowCount, boolean hasNulls, boolean isEncoded) {
    List<Literal> literals = new ArrayList<>();
    List<Expression> arguments = new ArrayList<>();
    int texts = textsOf(operation);
    for (int i = 0; i < texts; i++) {
      boolean isLiteral = i > 0 && random.nextBoolean();
      literals.add(isLiteral ? new Literal(text(3), PrimitiveType.STRING) : null);
      if (!isLiteral) {
        arguments.add(new ColumnReference(i, PrimitiveType.STRING, true));
      }
    }
    if (operation.hasNumber()) {
      boolean isWide = texts == 0;
      boolean isLines = operation == Operation.BASE64;
      boolean isLiteral = !isWide && (isLines || random.nextBoolean());
      int value = isLines ? List.of(0, 4, 76).get(random.nextInt(3)) : random.nextInt(20) - 2;
      literals.add(isLiteral ? new Literal(value, PrimitiveType.INT32) : null);
      if (!isLiteral) {
        DataType type = isWide ? PrimitiveType.INT64 : PrimitiveType.INT32;
        arguments.add(new ColumnReference(isWide ? STRINGS + 1 : STRINGS, type, true));
      }
    }
    StringProducer function =
        new StringProducer(
            operation, PrimitiveType.STRING, literals, new Host(operation, literals), false);
    check(new BridgedCall(function, arguments, true), literals, rowCount, hasNulls, isEncoded);
  }

  private void check(
      BridgedCall call, List<Literal> literals, int rowCount, boolean hasNulls, boolean isEncoded) {
    List<Field> fields = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < STRINGS; i++) {
      fields.add(new Field("s" + i, PrimitiveType.STRING, true));
      columns.add(strings(operation(call), rowCount, hasNulls, isEncoded));
    }
    fields.add(new Field("n", PrimitiveType.INT32, true));
    columns.add(numbers(PrimitiveType.INT32, rowCount, hasNulls));
    fields.add(new Field("w", PrimitiveType.INT64, true));
    columns.add(numbers(PrimitiveType.INT64, rowCount, hasNulls));
    RecordBatch batch = new RecordBatch(new Schema(fields), rowCount, columns, 0);
    List<byte[]> expected = expected(call, literals, batch);
    StringProducer function = (StringProducer) call.function();
    String what = function.operation() + " " + literals + " seed " + seed;
    Schema output = new Schema(List.of(new Field("out", PrimitiveType.STRING, true)));
    try (Operator operator =
        new FilterProjectOperatorFactory(batch.schema(), null, List.of(call), output)
            .create(context())) {
      operator.addInput(batch);
      try (RecordBatch result = context().transfer().toHost(operator.getOutput())) {
        ColumnReader actual = new ColumnReader(result.column(0));
        for (int row = 0; row < rowCount; row++) {
          String place = what + " row " + row;
          if (expected.get(row) == null) {
            assertTrue(actual.isNull(row), place);
          } else {
            assertFalse(actual.isNull(row), place);
            assertArrayEquals(expected.get(row), actual.getBytes(row), place);
          }
        }
      }
    }
  }

  private static List<byte[]> expected(
      BridgedCall call, List<Literal> literals, RecordBatch batch) {
    List<ColumnReader> readers = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      readers.add(new ColumnReader(batch.column(((ColumnReference) argument).index())));
    }
    List<byte[]> expected = new ArrayList<>();
    StringProducer function = (StringProducer) call.function();
    for (int row = 0; row < batch.rowCount(); row++) {
      expected.add(reference(function.operation(), operands(literals, readers, row)));
    }
    return expected;
  }

  private OperatorContext context() {
    return new OperatorContext(
        allocator, kernelAllocator(backend, allocator), backend, () -> false, ErrorReplay.PLAIN);
  }

  /** Returns a text that is mostly ASCII: other texts have to run on the host. */
  private byte[] text(int pieces) {
    byte[] text = SparkStrings.random(random, pieces);
    return random.nextInt(3000) == 0 ? text : SparkStrings.ascii(text);
  }

  private static Operation operation(BridgedCall call) {
    return ((StringProducer) call.function()).operation();
  }

  /** Returns a text that an operation takes; one in many that only the host knows. */
  private byte[] text(Operation operation, boolean isAscii) {
    boolean isCoded = operation == Operation.UNBASE64 || operation == Operation.UNHEX;
    if (isCoded && random.nextInt(3000) > 0) {
      byte[] text = SparkStrings.random(random, 8);
      return operation == Operation.UNHEX
          ? ProducedReference.nearlyHex(random, text)
          : ProducedReference.nearlyBase64(random, text);
    }
    return isAscii ? text(8) : SparkStrings.random(random, 8);
  }

  private ColumnVector strings(
      Operation operation, int rowCount, boolean hasNulls, boolean isEncoded) {
    boolean isAscii = random.nextInt(3) != 0;
    byte[][] values = new byte[isEncoded ? 5 : rowCount][];
    for (int i = 0; i < values.length; i++) {
      values[i] = text(operation, isAscii);
    }
    ColumnVector plain;
    try (ViewBuilder builder =
        (ViewBuilder) ColumnBuilder.create(PrimitiveType.STRING, allocator)) {
      for (int row = 0; row < rowCount; row++) {
        if (hasNulls && random.nextInt(6) == 0) {
          builder.appendNull();
        } else {
          builder.append(values[isEncoded ? random.nextInt(values.length) : row]);
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

  private ColumnVector numbers(DataType type, int rowCount, boolean hasNulls) {
    try (ColumnBuilder builder = ColumnBuilder.create(type, allocator)) {
      for (int row = 0; row < rowCount; row++) {
        if (hasNulls && random.nextInt(6) == 0) {
          builder.appendNull();
        } else {
          long wide = random.nextLong() >> random.nextInt(Long.SIZE);
          builder.appendValue(
              type == PrimitiveType.INT64 ? (Object) wide : (Object) (random.nextInt(20) - 2));
        }
      }
      return builder.build();
    }
  }
}
