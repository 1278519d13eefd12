package io.ariadne.expression;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.kernel.abi.ChooseLimit;
import io.ariadne.kernel.abi.ChooseRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Chooses one of several strings in each row. The result retains the heaps of all options; no
 * character data is copied. Never raises.
 *
 * @param rule which option
 * @param resultType STRING or BINARY, also the type of the options
 * @param options for each option its value, not null; or null when it is the next argument of the
 *     call. For {@link Rule#NUMBERED} the number is the first argument
 */
public record StringChoice(Rule rule, DataType resultType, List<Literal> options)
    implements StringFunction {
  private static final long serialVersionUID = 1L;

  /** The most options of a choice, unless all are literals. */
  public static final int MAX_OPTIONS = ChooseLimit.CHOOSE_MAX_OPTIONS;

  /** Which option a row gets. */
  public enum Rule {
    /** The option with the row's number, an INT32; null where the number or the option is null. */
    NUMBERED(ChooseRule.CHOOSE_NUMBERED),
    /** The first option that is not null. */
    FIRST(ChooseRule.CHOOSE_FIRST),
    /** The greatest option that is not null, compared by bytes. */
    GREATEST(ChooseRule.CHOOSE_GREATEST),
    /** The least option that is not null, compared by bytes. */
    LEAST(ChooseRule.CHOOSE_LEAST);

    private final int code;

    Rule(int code) {
      this.code = code;
    }

    /** Returns the code of the kernel. */
    public int code() {
      return code;
    }
  }

  /** Copies the list, which has nulls. */
  public StringChoice {
    options = Collections.unmodifiableList(new ArrayList<>(options));
  }

  /** Returns whether all options are literals. */
  public boolean isOfLiterals() {
    return !options.contains(null);
  }

  @Override
  public String description() {
    return rule + " of strings";
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    List<ColumnReader> columns = new ArrayList<>();
    for (int i = 0; i < arguments.columnCount(); i++) {
      columns.add(new ColumnReader(arguments.column(i)));
    }
    try (ViewBuilder builder = (ViewBuilder) ColumnBuilder.create(resultType, allocator)) {
      for (int row = 0; row < arguments.rowCount(); row++) {
        byte[] value = chosen(columns, row);
        if (value == null) {
          builder.appendNull();
        } else {
          builder.append(value);
        }
      }
      return builder.build();
    }
  }

  private byte[] chosen(List<ColumnReader> columns, int row) {
    List<byte[]> values = new ArrayList<>();
    int next = rule == Rule.NUMBERED ? 1 : 0;
    for (Literal option : options) {
      values.add(option == null ? value(columns.get(next++), row) : (byte[]) option.value());
    }
    if (rule == Rule.NUMBERED) {
      ColumnReader number = columns.get(0);
      return number.isNull(row) ? null : values.get(number.getInt(row));
    }
    byte[] best = null;
    for (byte[] value : values) {
      if (best == null || (value != null && isBetter(value, best))) {
        best = value;
      }
    }
    return best;
  }

  private static byte[] value(ColumnReader column, int row) {
    return column.isNull(row) ? null : column.getBytes(row);
  }

  private boolean isBetter(byte[] value, byte[] best) {
    int order = rule == Rule.FIRST ? 0 : Arrays.compareUnsigned(value, best);
    return rule == Rule.GREATEST ? order > 0 : order < 0;
  }
}
