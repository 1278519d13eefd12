package io.ariadne.expression;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.DataType;
import io.ariadne.kernel.abi.ProduceOperation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A function that makes strings, by kernels of its own: null where an operand is, and never raises.
 * For the few values that kernels do not know (letters beyond ASCII, malformed characters) the
 * batch is given to a function of the host.
 *
 * @param operation what is made
 * @param resultType STRING or BINARY
 * @param literals for each operand its value, or null when it is the next of the call's arguments;
 *     strings first, then the number, if the operation has one
 * @param host computes the same of the arguments that are no literals
 */
public record StringProducer(
    Operation operation, DataType resultType, List<Literal> literals, ColumnFunction host)
    implements ColumnFunction {
  private static final long serialVersionUID = 1L;

  /** What is made of the operands. */
  public enum Operation {
    /** All operands, one after the other. */
    CONCAT(ProduceOperation.PRODUCE_CONCAT, false),
    /** Upper case of ASCII. */
    UPPER(ProduceOperation.PRODUCE_UPPER, false),
    /** Lower case of ASCII. */
    LOWER(ProduceOperation.PRODUCE_LOWER, false),
    /** The last character first. */
    REVERSE(ProduceOperation.PRODUCE_REVERSE, false),
    /** The string, INT32 times. */
    REPEAT(ProduceOperation.PRODUCE_REPEAT, true),
    /** The string, before it the second one as often as it takes to have INT32 characters. */
    LPAD(ProduceOperation.PRODUCE_LPAD, true),
    /** As LPAD, behind it. */
    RPAD(ProduceOperation.PRODUCE_RPAD, true),
    /** The third string in place of the second, wherever that is in the first. */
    REPLACE(ProduceOperation.PRODUCE_REPLACE, false),
    /** Two digits for each byte. */
    HEX(ProduceOperation.PRODUCE_HEX, false);

    private final int code;
    private final boolean hasNumber;

    Operation(int code, boolean hasNumber) {
      this.code = code;
      this.hasNumber = hasNumber;
    }

    /** Returns the kernels' number of it. */
    public int code() {
      return code;
    }

    /** Returns whether the last operand is an INT32. */
    public boolean hasNumber() {
      return hasNumber;
    }
  }

  /** Copies the list, which has nulls. */
  public StringProducer {
    literals = Collections.unmodifiableList(new ArrayList<>(literals));
  }

  @Override
  public String description() {
    return operation + " of strings";
  }

  @Override
  public boolean dependsOnItsRowOnly() {
    return true;
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    return host.apply(arguments, allocator);
  }
}
