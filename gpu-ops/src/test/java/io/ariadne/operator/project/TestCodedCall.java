package io.ariadne.operator.project;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestCodedCall {
  private static final Schema INPUT = Schema.of(new Field("s", PrimitiveType.STRING, true));
  private static final Expression STRING = new ColumnReference(0, PrimitiveType.STRING, true);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final Backend backend = HostBackend.open();
  private final RandomBatches random = RandomBatches.create();

  @AfterEach
  void closeBackend() {
    backend.close();
  }

  /** A function of strings that counts the rows it sees. */
  private static final class Counted implements ColumnFunction {
    private static final long serialVersionUID = 1L;
    private final DataType type;
    private final transient UnaryOperator<Object> function;
    private final boolean isPure;
    private int rows;

    Counted(DataType type, boolean isPure, UnaryOperator<Object> function) {
      this.type = type;
      this.isPure = isPure;
      this.function = function;
    }

    @Override
    public DataType resultType() {
      return type;
    }

    @Override
    public String description() {
      return "counted";
    }

    @Override
    public boolean dependsOnItsRowOnly() {
      return isPure;
    }

    @Override
    public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
      rows += arguments.rowCount();
      ColumnReader reader = new ColumnReader(arguments.column(0));
      try (ColumnBuilder builder = ColumnBuilder.create(type, allocator)) {
        for (int row = 0; row < arguments.rowCount(); row++) {
          builder.appendValue(function.apply(reader.getValue(row)));
        }
        return builder.build();
      }
    }
  }

  /** A function whose result is a dictionary column, which is no dictionary of values. */
  private final class Coded implements ColumnFunction {
    private static final long serialVersionUID = 1L;

    @Override
    public DataType resultType() {
      return PrimitiveType.STRING;
    }

    @Override
    public String description() {
      return "coded";
    }

    @Override
    public boolean dependsOnItsRowOnly() {
      return true;
    }

    @Override
    public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
      int rows = arguments.rowCount();
      return random.dictionaryColumn(
          PrimitiveType.STRING, PhysicalType.VIEW16, rows, 2, NullPattern.SOME, allocator);
    }
  }

  private RecordBatch input(int rows, int entries, NullPattern nulls) {
    ColumnVector column =
        random.dictionaryColumn(
            PrimitiveType.STRING, PhysicalType.VIEW16, rows, entries, nulls, memory.allocator());
    return new RecordBatch(INPUT, rows, List.of(column), 3);
  }

  /** Returns column s and the function's values. */
  private List<List<Object>> run(ColumnFunction function, RecordBatch batch) {
    Schema output =
        Schema.of(
            new Field("s", PrimitiveType.STRING, true),
            new Field("f", function.resultType(), true));
    Expression call = new BridgedCall(function, List.of(STRING), true);
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    try (FilterProjectOperator operator =
        new FilterProjectOperatorFactory(INPUT, null, List.of(STRING, call), output)
            .create(context)) {
      operator.addInput(batch);
      try (RecordBatch rows = operator.getOutput()) {
        return BatchAssertions.rows(rows);
      }
    }
  }

  private static Object length(Object value) {
    return value == null ? -1L : (long) ((String) value).length();
  }

  private static Object lengthOfSome(Object value) {
    return value == null || ((String) value).length() % 2 == 0 ? null : length(value);
  }

  private static void assertValues(List<List<Object>> rows, UnaryOperator<Object> function) {
    for (List<Object> row : rows) {
      assertTrue(Objects.equals(function.apply(row.get(0)), row.get(1)), row.toString());
    }
  }

  @Test
  void runsFunctionsOncePerEntry() {
    for (NullPattern nulls : NullPattern.values()) {
      Counted function = new Counted(PrimitiveType.INT64, true, TestCodedCall::length);
      List<List<Object>> rows = run(function, input(1000, 20, nulls));
      assertEquals(1000, rows.size());
      assertValues(rows, TestCodedCall::length);
      assertTrue(function.rows <= 21, nulls + ": " + function.rows);
    }
  }

  @Test
  void functionsMayReturnNull() {
    for (NullPattern nulls : NullPattern.values()) {
      Counted function = new Counted(PrimitiveType.INT64, true, TestCodedCall::lengthOfSome);
      assertValues(run(function, input(777, 30, nulls)), TestCodedCall::lengthOfSome);
    }
  }

  @Test
  void runsPerRowWithManyEntriesOrImpureFunctions() {
    Counted many = new Counted(PrimitiveType.INT64, true, TestCodedCall::length);
    assertValues(run(many, input(100, 26, NullPattern.SOME)), TestCodedCall::length);
    assertEquals(100, many.rows);
    Counted impure = new Counted(PrimitiveType.INT64, false, TestCodedCall::length);
    assertValues(run(impure, input(100, 5, NullPattern.SOME)), TestCodedCall::length);
    assertEquals(100, impure.rows);
  }

  @Test
  void raisesTheErrorOfTheFirstRow() {
    List<Object> seen = new ArrayList<>();
    Counted function =
        new Counted(
            PrimitiveType.INT64,
            true,
            value -> {
              seen.add(value);
              throw new IllegalStateException(String.valueOf(value));
            });
    RecordBatch batch = input(100, 5, NullPattern.NONE);
    String first = new ColumnReader(batch.column(0)).getString(0);
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> run(function, batch));
    assertEquals(first, thrown.getMessage());
    assertEquals(Set.of(first), Set.copyOf(seen));
  }

  @Test
  void failingAllocationsFreeEverything() {
    int failures = 0;
    for (int allowed = 0; allowed < 12; allowed++) {
      RecordBatch batch = input(200, 9, NullPattern.SOME);
      memory.allocator().failAfter(allowed);
      try {
        run(new Counted(PrimitiveType.STRING, true, value -> new byte[20]), batch);
      } catch (EngineException e) {
        failures++;
      }
      memory.allocator().failAfter(Long.MAX_VALUE);
      assertEquals(0, memory.allocator().openBufferCount());
    }
    assertTrue(failures > 5, failures + " failures");
  }

  @Test
  void freesAResultThatCannotBeADictionary() {
    RecordBatch batch = input(200, 9, NullPattern.SOME);
    assertThrows(IllegalArgumentException.class, () -> run(new Coded(), batch));
    assertEquals(0, memory.allocator().openBufferCount());
  }
}
