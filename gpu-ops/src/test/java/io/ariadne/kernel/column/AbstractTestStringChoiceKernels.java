package io.ariadne.kernel.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringChoice;
import io.ariadne.expression.StringChoice.Rule;
import io.ariadne.kernel.column.StringProducerKernel.Input;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.kernel.testing.SparkStrings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Strings chosen among columns, against plain Java. */
abstract class AbstractTestStringChoiceKernels extends AbstractTestKernels {
  private static final int[] ROWS = {0, 1, 31, 32, 33, 63, 64, 65, 257, 1025};
  private static final int MOST_NULLS = 3;

  AbstractTestStringChoiceKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void choosesByEveryRule() {
    for (int rows : ROWS) {
      for (Rule rule : Rule.values()) {
        for (int options : new int[] {1, 2, StringChoice.MAX_OPTIONS}) {
          check(rule, rows, options, 1 + random.nextInt(MOST_NULLS));
          check(rule, rows, options, 0);
        }
      }
    }
  }

  @Test
  void numberedChoiceKeepsToTheWorkBudget() {
    check(Rule.NUMBERED, MANY, 3, 2);
    checkWork("choose_text numbered");
  }

  @Test
  void greatestChoiceKeepsToTheWorkBudget() {
    check(Rule.GREATEST, MANY, 2, 2);
    checkWork("choose_text greatest");
  }

  private void check(Rule rule, int rows, int optionCount, int nulls) {
    List<ColumnVector> columns = new ArrayList<>();
    boolean isNumbered = rule == Rule.NUMBERED;
    try {
      if (isNumbered) {
        columns.add(numbers(rows, optionCount, nulls));
      }
      for (int i = 0; i < optionCount; i++) {
        columns.add(strings(rows, nulls));
      }
      List<Input> inputs = columns.stream().map(column -> new Input(column, column)).toList();
      List<Input> options = isNumbered ? inputs.subList(1, inputs.size()) : inputs;
      try (StringChoiceKernel kernel = new StringChoiceKernel(backend(), allocator());
          ColumnVector actual =
              kernel.run(
                  rule.code(),
                  PrimitiveType.STRING,
                  rows,
                  options,
                  isNumbered ? inputs.get(0) : null)) {
        compare(rule, columns, optionCount, actual);
      }
    } finally {
      columns.forEach(ColumnVector::close);
    }
  }

  private void compare(
      Rule rule, List<ColumnVector> columns, int optionCount, ColumnVector actual) {
    List<Literal> options = Collections.nCopies(optionCount, null);
    StringChoice function = new StringChoice(rule, PrimitiveType.STRING, options);
    List<Field> fields =
        columns.stream().map(column -> new Field("c", column.type(), true)).toList();
    // not closed: its columns belong to the test
    RecordBatch batch = new RecordBatch(new Schema(fields), actual.rowCount(), columns, 0);
    try (ColumnVector expected = function.apply(batch, memory.allocator())) {
      ColumnReader wanted = new ColumnReader(expected);
      ColumnReader got = new ColumnReader(actual);
      for (int row = 0; row < actual.rowCount(); row++) {
        String place = rule + " row " + row + " seed " + seed();
        assertEquals(wanted.isNull(row), got.isNull(row), place);
        if (!wanted.isNull(row)) {
          assertArrayEquals(wanted.getBytes(row), got.getBytes(row), place);
        }
      }
    }
  }

  private ColumnVector strings(int rows, int nulls) {
    try (ViewBuilder builder =
        (ViewBuilder) ColumnBuilder.create(PrimitiveType.STRING, allocator())) {
      for (int row = 0; row < rows; row++) {
        if (nulls > 0 && random.nextInt(1 + nulls) == 0) {
          builder.appendNull();
        } else {
          builder.append(SparkStrings.random(random, 3));
        }
      }
      return builder.build();
    }
  }

  private ColumnVector numbers(int rows, int options, int nulls) {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.INT32, allocator())) {
      for (int row = 0; row < rows; row++) {
        if (nulls > 0 && random.nextInt(9) == 0) {
          builder.appendNull();
        } else {
          builder.appendValue(random.nextInt(options));
        }
      }
      return builder.build();
    }
  }
}
