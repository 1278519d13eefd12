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
 * A function that computes strings with its own kernels. The result is null where an operand is
 * null, unless the operation's documentation says otherwise. The kernels do not handle a few values
 * (letters beyond ASCII, malformed characters, values that raise); Java code on the host computes a
 * batch that has such a value.
 *
 * @param operation the operation
 * @param resultType STRING or BINARY
 * @param literals for each operand its value, or null when it is the next argument of the call;
 *     strings first, then the number, if the operation has one
 * @param host computes the same function on the host, from the arguments that are not literals
 * @param mayRaise whether the operation raises for some values
 */
public record StringProducer(
    Operation operation,
    DataType resultType,
    List<Literal> literals,
    ColumnFunction host,
    boolean mayRaise)
    implements StringFunction {
  private static final long serialVersionUID = 1L;

  /** The operation on the operands. */
  public enum Operation {
    /** All operands, one after the other. */
    CONCAT(ProduceOperation.PRODUCE_CONCAT),
    /** Upper case of ASCII. */
    UPPER(ProduceOperation.PRODUCE_UPPER),
    /** Lower case of ASCII. */
    LOWER(ProduceOperation.PRODUCE_LOWER),
    /** The characters in reverse order. */
    REVERSE(ProduceOperation.PRODUCE_REVERSE),
    /** The string repeated INT32 times. */
    REPEAT(ProduceOperation.PRODUCE_REPEAT, Traits.HAS_NUMBER),
    /** The string, padded on the left with the second string to INT32 characters. */
    LPAD(ProduceOperation.PRODUCE_LPAD, Traits.HAS_NUMBER),
    /** As {@link #LPAD}, padded on the right. */
    RPAD(ProduceOperation.PRODUCE_RPAD, Traits.HAS_NUMBER),
    /** Every occurrence of the second string in the first replaced by the third. */
    REPLACE(ProduceOperation.PRODUCE_REPLACE),
    /** Two digits for each byte. */
    HEX(ProduceOperation.PRODUCE_HEX),
    /** All operands that are not null, separated by the first operand. */
    CONCAT_WITH_SEPARATOR(ProduceOperation.PRODUCE_CONCAT_WITH_SEPARATOR, Traits.TAKES_NULLS),
    /**
     * The part with an INT32 number, from 1, or from the end when it is below 0, of those that the
     * second string divides the first into; an empty one when there is none. Raises for 0.
     */
    SPLIT_PART(ProduceOperation.PRODUCE_SPLIT_PART, Traits.HAS_NUMBER),
    /** The text before the INT32-th second string; a negative number counts from the right. */
    SUBSTRING_INDEX(ProduceOperation.PRODUCE_SUBSTRING_INDEX, Traits.HAS_NUMBER),
    /** The code points of the second string replaced by those of the third, or left out. */
    TRANSLATE(ProduceOperation.PRODUCE_TRANSLATE),
    /** Words of ASCII, separated by spaces, with a capital first letter and lower case after it. */
    INITCAP(ProduceOperation.PRODUCE_INITCAP),
    /** Base 64, in lines of INT32 characters; in one line when it is 0. */
    BASE64(ProduceOperation.PRODUCE_BASE64, Traits.HAS_NUMBER),
    /** Decoded base 64. Raises where Java's MIME decoder does. */
    UNBASE64(ProduceOperation.PRODUCE_UNBASE64),
    /** Decoded hexadecimal digits; null where there are other characters. */
    UNHEX(ProduceOperation.PRODUCE_UNHEX, Traits.MAKES_NULLS),
    /** The string itself if it is UTF-8. */
    WELL_FORMED(ProduceOperation.PRODUCE_WELL_FORMED),
    /** The character with a code point: an INT64 modulo 256; nothing when it is below 0. */
    CHARACTER(ProduceOperation.PRODUCE_CHARACTER, Traits.HAS_NUMBER),
    /** Digits in base 16 of an INT64 without a sign. */
    DIGITS_16(ProduceOperation.PRODUCE_DIGITS_16, Traits.HAS_NUMBER),
    /** Digits in base 2 of an INT64 without a sign. */
    DIGITS_2(ProduceOperation.PRODUCE_DIGITS_2, Traits.HAS_NUMBER);

    private final int code;
    private final int traits;

    Operation(int code) {
      this(code, 0);
    }

    Operation(int code, int traits) {
      this.code = code;
      this.traits = traits;
    }

    /** Returns the code of the kernels. */
    public int code() {
      return code;
    }

    /** Returns whether the last operand is an integer. */
    public boolean hasNumber() {
      return (traits & Traits.HAS_NUMBER) != 0;
    }

    /** Returns whether the result may be null where no operand is. */
    public boolean makesNulls() {
      return (traits & Traits.MAKES_NULLS) != 0;
    }

    /** Returns whether operands but the first may be null where the result is not. */
    public boolean takesNulls() {
      return (traits & Traits.TAKES_NULLS) != 0;
    }
  }

  /** Bits for the properties of operations. */
  private static final class Traits {
    static final int HAS_NUMBER = 1;
    static final int MAKES_NULLS = 2;
    static final int TAKES_NULLS = 4;

    private Traits() {}
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
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    return host.apply(arguments, allocator);
  }
}
