package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Function;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Lowers comparisons and three-valued logic over masks. */
final class PredicateLowering {
  private static final int EQUAL = 0;
  private static final int NOT_EQUAL = 1;
  private static final int LESS = 2;
  private static final int LESS_OR_EQUAL = 3;
  private static final int GREATER = 4;
  private static final int GREATER_OR_EQUAL = 5;

  private static final List<TileOpcode> INTEGER_OPCODES =
      List.of(
          TileOpcode.EQ_I64,
          TileOpcode.NE_I64,
          TileOpcode.LT_I64,
          TileOpcode.LE_I64,
          TileOpcode.GT_I64,
          TileOpcode.GE_I64);
  private static final List<TileOpcode> DOUBLE_OPCODES =
      List.of(
          TileOpcode.EQ_F64,
          TileOpcode.NE_F64,
          TileOpcode.LT_F64,
          TileOpcode.LE_F64,
          TileOpcode.GT_F64,
          TileOpcode.GE_F64);
  private static final List<TileOpcode> WIDE_OPCODES =
      List.of(
          TileOpcode.EQ_I128,
          TileOpcode.NE_I128,
          TileOpcode.LT_I128,
          TileOpcode.LE_I128,
          TileOpcode.GT_I128,
          TileOpcode.GE_I128);

  /** Up to so many values of IN, comparing with each is faster than a table. */
  private static final int LONGEST_COMPARED = 8;

  private final Lowering lowering;
  private final TileBuilder builder;

  PredicateLowering(Lowering lowering) {
    this.lowering = lowering;
    this.builder = lowering.builder();
  }

  /** Lowers a comparison; null where an operand is null. */
  Lowered comparison(Function function, Lowered a, Lowered b) {
    TileValue holds = compare(kindOf(function), a, b);
    return Lowered.mask(PrimitiveType.BOOLEAN, holds, lowering.bothValid(a, b));
  }

  /** Lowers {@code a <=> b}. */
  Lowered nullSafeEqual(Lowered a, Lowered b) {
    return nullSafeEqual(compare(EQUAL, a, b), a.validity(), b.validity());
  }

  /**
   * Lowers {@code a <=> b}.
   *
   * @param equal whether values that are not null are equal
   * @param a rows with a first operand, or null for all
   * @param b rows with a second operand, or null for all
   */
  Lowered nullSafeEqual(TileValue equal, TileValue a, TileValue b) {
    if (a == null && b == null) {
      return Lowered.mask(PrimitiveType.BOOLEAN, equal, null);
    }
    TileValue bothEqual = builder.and(builder.and(a, b), equal);
    TileValue neither = builder.not(builder.or(builder.orAll(a), builder.orAll(b)));
    return Lowered.mask(PrimitiveType.BOOLEAN, builder.or(bothEqual, neither), null);
  }

  /** Lowers {@code a IN (values)}; null where no value is equal and any operand is null. */
  Lowered in(Lowered a, List<Lowered> values) {
    List<Lowered> inTable = values.stream().filter(value -> fitsTable(a, value)).toList();
    boolean hasTable = inTable.size() > LONGEST_COMPARED;
    TileValue found = hasTable ? inTable(a, inTable) : builder.constantMask(false);
    TileValue allValid = a.validity();
    for (Lowered value : values) {
      if (!hasTable || !fitsTable(a, value)) {
        TileValue equal = builder.and(value.validity(), compare(EQUAL, a, value));
        found = builder.or(found, equal);
      }
      allValid = builder.and(allValid, value.validity());
    }
    return found(builder.and(a.validity(), found), allValid);
  }

  /**
   * The result of IN.
   *
   * @param isFound rows whose value is not null and in the list
   * @param allValid rows for which neither value nor list has a null, or null for all
   */
  Lowered found(TileValue isFound, TileValue allValid) {
    TileValue validity = allValid == null ? null : builder.or(allValid, isFound);
    return Lowered.mask(PrimitiveType.BOOLEAN, isFound, validity);
  }

  private static boolean fitsTable(Lowered a, Lowered value) {
    boolean isLane = a.form() == Form.INTEGER || a.form() == Form.DOUBLE;
    return isLane
        && value.form() == a.form()
        && value.value().isConstant()
        && value.validity() == null;
  }

  /**
   * Finds values with a step table: each value is a step up, and the next number is a step down.
   */
  private TileValue inTable(Lowered a, List<Lowered> values) {
    TreeMap<Long, Long> steps = new TreeMap<>();
    steps.put(Long.MIN_VALUE, 0L);
    for (Lowered value : values) {
      long key = value.value().constant().longValue();
      if (a.form() == Form.DOUBLE) {
        key = FloatLowering.orderKey(Double.longBitsToDouble(key));
      }
      steps.put(key, 1L);
      if (key != Long.MAX_VALUE) {
        steps.putIfAbsent(key + 1, 0L);
      }
    }
    List<StepTable.Step> table = new ArrayList<>();
    steps.forEach((key, value) -> table.add(new StepTable.Step(key, value)));
    Operand key = a.value();
    if (a.form() == Form.DOUBLE) {
      key = builder.lane(TileOpcode.NORMALIZE_F64, key, 0);
      key = builder.lane(TileOpcode.F64_TO_KEY, key, 0);
    }
    Operand isMember = builder.stepValue(key, StepTable.of(table));
    return builder.compare(TileOpcode.NE_I64, Kind.LANE, isMember, Operand.of(0L));
  }

  /** Lowers AND of operands whose errors are already handled. */
  Lowered and(Lowered a, Lowered b) {
    if (a.validity() == null && b.validity() == null) {
      TileValue both = builder.and(a.maskValue(), b.maskValue());
      return Lowered.mask(PrimitiveType.BOOLEAN, both, null);
    }
    TileValue isTrue = builder.and(lowering.isTrue(a), lowering.isTrue(b));
    TileValue isFalse = builder.or(lowering.isFalse(a), lowering.isFalse(b));
    return Lowered.mask(PrimitiveType.BOOLEAN, isTrue, builder.or(isTrue, isFalse));
  }

  /** Lowers OR of operands whose errors are already handled. */
  Lowered or(Lowered a, Lowered b) {
    if (a.validity() == null && b.validity() == null) {
      TileValue either = builder.or(a.maskValue(), b.maskValue());
      return Lowered.mask(PrimitiveType.BOOLEAN, either, null);
    }
    TileValue isTrue = builder.or(lowering.isTrue(a), lowering.isTrue(b));
    TileValue isFalse = builder.and(lowering.isFalse(a), lowering.isFalse(b));
    return Lowered.mask(PrimitiveType.BOOLEAN, isTrue, builder.or(isTrue, isFalse));
  }

  /** Lowers NOT. */
  Lowered not(Lowered a) {
    return Lowered.mask(PrimitiveType.BOOLEAN, builder.not(a.maskValue()), a.validity());
  }

  private TileValue compare(int kind, Lowered a, Lowered b) {
    if (a.form() == Form.MASK) {
      return compareMasks(kind, a.maskValue(), b.maskValue());
    }
    if (a.form() == Form.DOUBLE) {
      return builder.compare(DOUBLE_OPCODES.get(kind), Kind.LANE, a.value(), b.value());
    }
    if (a.form() == Form.INTEGER && b.form() == Form.INTEGER) {
      return builder.compare(INTEGER_OPCODES.get(kind), Kind.LANE, a.value(), b.value());
    }
    Operand x = lowering.wide(a);
    return builder.compare(WIDE_OPCODES.get(kind), Kind.PAIR, x, lowering.wide(b));
  }

  /** False is less than true. */
  private TileValue compareMasks(int kind, TileValue a, TileValue b) {
    return switch (kind) {
      case EQUAL -> builder.not(builder.xor(a, b));
      case NOT_EQUAL -> builder.xor(a, b);
      case LESS -> builder.andNot(b, a);
      case LESS_OR_EQUAL -> builder.or(builder.not(a), b);
      case GREATER -> builder.andNot(a, b);
      default -> builder.or(a, builder.not(b));
    };
  }

  private static int kindOf(Function function) {
    return switch (function) {
      case EQUAL -> EQUAL;
      case NOT_EQUAL -> NOT_EQUAL;
      case LESS -> LESS;
      case LESS_OR_EQUAL -> LESS_OR_EQUAL;
      case GREATER -> GREATER;
      default -> GREATER_OR_EQUAL;
    };
  }
}
