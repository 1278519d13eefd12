package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringHeaps;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Lowers functions of strings. A string is a view in a pair of registers; if it is longer than
 * twelve bytes, its bytes are in the heaps of one column. Functions that return parts of strings
 * make no new heaps. Functions of one dictionary column with few entries are computed once per
 * entry.
 */
final class StringLowering {
  private static final int PREFIX_BYTES = 4;
  private static final long LENGTH_MASK = 0xffffffffL;
  private static final int BITS_OF_BYTE_SHIFT = 3;
  private static final int LEFT = 1;
  private static final int RIGHT = 2;

  private final Lowering lowering;
  private final TileBuilder builder;
  private final ExpressionLowering expressions;
  private final PredicateLowering predicates;

  StringLowering(Lowering lowering, ExpressionLowering expressions, PredicateLowering predicates) {
    this.lowering = lowering;
    this.builder = lowering.builder();
    this.expressions = expressions;
    this.predicates = predicates;
  }

  /** Returns whether this class lowers a call. */
  static boolean handles(Call call) {
    return StringHeaps.readsCharacters(call.function())
        && StringHeaps.isView(call.arguments().get(0).type());
  }

  /** Returns whether computing an expression reads characters, which takes long. */
  static boolean readsCharacters(Expression expression) {
    return expression instanceof Call call
        && (handles(call) || call.arguments().stream().anyMatch(StringLowering::readsCharacters));
  }

  /**
   * Returns the column into whose heaps the views of an expression point; {@link Text#NO_COLUMN}
   * when they point nowhere.
   */
  static int heapColumn(Expression expression) {
    int column = Text.NO_COLUMN;
    for (Expression source : StringHeaps.sources(expression)) {
      if (column != Text.NO_COLUMN) {
        throw new IllegalArgumentException("strings of several columns in " + expression);
      }
      column = ((ColumnReference) source).index();
    }
    return column;
  }

  /** Returns the inline view of a string, as an integer. */
  static BigInteger inlineView(byte[] bytes) {
    if (bytes.length > StringHeaps.INLINE_BYTES) {
      throw new IllegalArgumentException(bytes.length + " bytes do not fit a view");
    }
    BigInteger view = BigInteger.valueOf(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      BigInteger value = BigInteger.valueOf(Byte.toUnsignedInt(bytes[i]));
      view = view.or(value.shiftLeft(Integer.SIZE + Byte.SIZE * i));
    }
    boolean isNegative = view.testBit(2 * Long.SIZE - 1);
    return isNegative ? view.subtract(BigInteger.ONE.shiftLeft(2 * Long.SIZE)) : view;
  }

  /** Lowers a call that {@link #handles} accepts. */
  Lowered lower(Call call) {
    int column = entryColumn(call);
    if (column != Text.NO_COLUMN) {
      return ofEntries(call, column);
    }
    return switch (call.function()) {
      case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> comparison(call);
      case NULL_SAFE_EQUAL -> nullSafeEqual(call);
      case IN -> in(call);
      case STARTS_WITH -> test(TileOpcode.STARTS_VIEW, call);
      case ENDS_WITH -> test(TileOpcode.ENDS_VIEW, call);
      case CONTAINS -> test(TileOpcode.CONTAINS_VIEW, call);
      case LIKE -> test(TileOpcode.LIKE_VIEW, call);
      case CHARACTER_LENGTH -> characterLength(call);
      case OCTET_LENGTH -> bytes(call);
      case BIT_LENGTH -> {
        Lowered bytes = bytes(call);
        Operand shift = Operand.of((long) BITS_OF_BYTE_SHIFT);
        yield bytes.withValue(builder.lanes(TileOpcode.SHL_I32, bytes.value(), shift));
      }
      case POSITION -> position(call);
      case CODE_POINT -> number(TileOpcode.CODE_POINT_VIEW, call);
      case SUBSTRING -> substring(call);
      case TRIM -> trim(call, LEFT | RIGHT);
      case TRIM_LEFT -> trim(call, LEFT);
      case TRIM_RIGHT -> trim(call, RIGHT);
      default -> throw new IllegalArgumentException("no case for the function " + call.function());
    };
  }

  /**
   * Returns the dictionary column with few entries and no null entries that is a call's only
   * column; {@link Text#NO_COLUMN} without one.
   */
  private int entryColumn(Call call) {
    int column = Text.NO_COLUMN;
    if (call.function() == Function.NULL_SAFE_EQUAL) {
      return column;
    }
    for (Expression argument : call.arguments()) {
      if (argument instanceof Literal literal && literal.value() != null) {
        continue;
      }
      int next = Text.NO_COLUMN;
      if (argument instanceof ColumnReference reference && expressions.paysPerEntry(argument)) {
        next = reference.index();
      } else if (argument instanceof Call inner && handles(inner)) {
        next = entryColumn(inner);
      }
      if (next == Text.NO_COLUMN || (column != Text.NO_COLUMN && next != column)) {
        return Text.NO_COLUMN;
      }
      column = next;
    }
    return column;
  }

  private Lowered ofEntries(Call call, int column) {
    Call ofEntry = (Call) overEntries(call);
    PhysicalType layout = call.type().defaultPhysicalType();
    boolean isPair = layout == PhysicalType.VIEW16;
    TileOpcode load = TileOpcode.valueOf("LOAD_" + (isPair ? PhysicalType.I128 : layout).name());
    EntryExpression function = new EntryExpression(ofEntry);
    TileValue validity = expressions.validity(column);
    if (layout == PhysicalType.BOOL) {
      TileValue mask = builder.loadCoded(load, Kind.MASK, column, function);
      return Lowered.mask(call.type(), mask, validity);
    }
    Form form = isPair ? Form.WIDE : Form.INTEGER;
    Operand value = Operand.of(builder.loadCoded(load, form.kind(), column, function));
    return Lowered.of(call.type(), form, value, validity);
  }

  private static Expression overEntries(Expression expression) {
    if (expression instanceof ColumnReference reference) {
      return new ColumnReference(0, reference.type(), false);
    }
    if (expression instanceof Call call) {
      List<Expression> arguments = new ArrayList<>();
      call.arguments().forEach(argument -> arguments.add(overEntries(argument)));
      return new Call(call.function(), arguments, call.type(), false, call.mode(), call.origin());
    }
    return expression;
  }

  /** Lowers an expression to a string operand: a literal's bytes, or views. */
  private Text text(Expression expression) {
    if (expression instanceof Literal literal) {
      byte[] bytes = literal.value() == null ? new byte[0] : (byte[]) literal.value();
      TileValue validity = literal.value() == null ? builder.constantMask(false) : null;
      return new Text(Operand.ofBytes(bytes), Text.NO_COLUMN, false, validity);
    }
    return views(expression);
  }

  /** Lowers an expression to views; a literal's bytes must fit one. */
  private Text views(Expression expression) {
    Lowered value = expressions.lower(expression);
    int column = heapColumn(expression);
    boolean isCoded = column != Text.NO_COLUMN && expressions.isCoded(column);
    Operand pair = Operand.of(builder.pair(value.value()));
    return new Text(pair, column, isCoded, value.validity());
  }

  /** Lowers two operands of which at most one is constant bytes. */
  private List<Text> texts(Call call) {
    Expression first = call.arguments().get(0);
    Expression second = call.arguments().get(1);
    boolean areLiterals = first instanceof Literal && second instanceof Literal;
    Text a = areLiterals ? views(first) : text(first);
    TileValue outer = lowering.live();
    if (call.function() != Function.NULL_SAFE_EQUAL) {
      lowering.setLive(builder.and(outer, a.validity()));
    }
    Text b = text(second);
    lowering.setLive(outer);
    return List.of(a, b);
  }

  private TileValue bothValid(Text a, Text b) {
    return builder.and(a.validity(), b.validity());
  }

  /** Returns the rows whose results are needed. */
  private TileValue wanted(TileValue valid) {
    return builder.orNull(builder.and(lowering.live(), valid));
  }

  private Lowered test(TileOpcode opcode, Call call) {
    List<Text> texts = texts(call);
    TileValue valid = bothValid(texts.get(0), texts.get(1));
    TileValue holds =
        builder.ofCharacters(opcode, Kind.MASK, texts.get(0), texts.get(1), wanted(valid));
    return Lowered.mask(PrimitiveType.BOOLEAN, holds, valid);
  }

  private Lowered comparison(Call call) {
    Function function = call.function();
    List<Text> texts = texts(call);
    Text a = texts.get(0);
    Text b = texts.get(1);
    TileValue valid = bothValid(a, b);
    TileValue holds;
    if (function == Function.EQUAL) {
      holds = equal(a, b, valid);
    } else if (function == Function.NOT_EQUAL) {
      holds = builder.not(equal(a, b, valid));
    } else {
      Operand order =
          Operand.of(builder.ofCharacters(TileOpcode.COMPARE_VIEW, Kind.LANE, a, b, null));
      holds = predicates.comparison(function, integer(order), integer(Operand.of(0L))).maskValue();
    }
    return Lowered.mask(PrimitiveType.BOOLEAN, holds, valid);
  }

  private static Lowered integer(Operand value) {
    return Lowered.of(PrimitiveType.INT32, Form.INTEGER, value, null);
  }

  private Lowered nullSafeEqual(Call call) {
    List<Expression> arguments = call.arguments();
    Call equal = new Call(Function.EQUAL, arguments, call.type(), true, call.mode(), call.origin());
    List<Text> texts = texts(call);
    return predicates.nullSafeEqual(
        lower(equal).maskValue(), texts.get(0).validity(), texts.get(1).validity());
  }

  /** Returns rows on which two strings are equal; compares only valid rows. */
  private TileValue equal(Text a, Text b, TileValue valid) {
    if (a.isConstant()) {
      return equal(b, a, valid);
    }
    if (!b.isConstant()) {
      return builder.ofCharacters(TileOpcode.EQ_VIEW, Kind.MASK, a, b, wanted(valid));
    }
    byte[] bytes = b.value().bytes();
    if (bytes.length <= StringHeaps.INLINE_BYTES) {
      Operand view = Operand.of(inlineView(bytes));
      return builder.compare(TileOpcode.EQ_I128, Kind.PAIR, a.value(), view);
    }
    TileValue similar =
        builder.compare(
            TileOpcode.EQ_I64, Kind.LANE, lowHalf(a), Operand.of(lengthAndPrefix(bytes)));
    TileValue rows = wanted(builder.and(valid, similar));
    return builder.ofCharacters(TileOpcode.EQ_VIEW, Kind.MASK, a, b, rows);
  }

  /** Returns the low half of the view of a long string. */
  private static long lengthAndPrefix(byte[] bytes) {
    long word = bytes.length;
    for (int i = 0; i < PREFIX_BYTES; i++) {
      word |= Byte.toUnsignedLong(bytes[i]) << (Integer.SIZE + Byte.SIZE * i);
    }
    return word;
  }

  private Operand lowHalf(Text a) {
    return expressions.decimals().lowHalf(a.value());
  }

  private Lowered in(Call call) {
    Text value = text(call.arguments().get(0));
    TileValue found = builder.constantMask(false);
    TileValue allValid = value.validity();
    for (Expression candidate : call.arguments().subList(1, call.arguments().size())) {
      if (candidate instanceof Literal literal && literal.value() == null) {
        allValid = builder.constantMask(false);
        continue;
      }
      Text other = value.isConstant() ? views(candidate) : text(candidate);
      TileValue equal = equal(value, other, bothValid(value, other));
      found = builder.or(found, builder.and(other.validity(), equal));
      allValid = builder.and(allValid, other.validity());
    }
    return predicates.found(builder.and(value.validity(), found), allValid);
  }

  private Lowered number(TileOpcode opcode, Call call) {
    Text a = views(call.arguments().get(0));
    Operand value = Operand.of(builder.ofCharacters(opcode, Kind.LANE, a, null, null));
    return Lowered.of(PrimitiveType.INT32, Form.INTEGER, value, a.validity());
  }

  private Lowered characterLength(Call call) {
    return call.arguments().get(0).type() == PrimitiveType.STRING
        ? number(TileOpcode.LENGTH_VIEW, call)
        : bytes(call);
  }

  private Lowered bytes(Call call) {
    Text a = views(call.arguments().get(0));
    Operand length = builder.lanes(TileOpcode.AND_I64, lowHalf(a), Operand.of(LENGTH_MASK));
    return Lowered.of(PrimitiveType.INT32, Form.INTEGER, length, a.validity());
  }

  private Lowered position(Call call) {
    List<Text> texts = texts(call);
    Lowered skipped = expressions.lower(call.arguments().get(2));
    TileValue start = builder.lane(skipped.value());
    TileValue valid = builder.and(bothValid(texts.get(0), texts.get(1)), skipped.validity());
    Operand found =
        Operand.of(
            builder.ofCharacters(
                TileOpcode.POSITION_VIEW, Kind.LANE, texts.get(0), texts.get(1), start));
    Operand position = builder.lanes(TileOpcode.ADD_I64, found, Operand.of(1L));
    return Lowered.of(PrimitiveType.INT32, Form.INTEGER, position, valid);
  }

  private Lowered substring(Call call) {
    Text a = views(call.arguments().get(0));
    Lowered position = expressions.lower(call.arguments().get(1));
    Lowered count = expressions.lower(call.arguments().get(2));
    TileValue valid = builder.and(a.validity(), builder.and(position.validity(), count.validity()));
    Operand from = Operand.of(builder.lane(position.value()));
    TileValue characters = builder.lane(count.value());
    long coded = a.isCoded() ? TileOperation.CODED : 0;
    Action action =
        new Action(TileOpcode.SUBSTRING_VIEW, a.value(), from, characters, a.column(), 0, coded);
    return Lowered.of(call.type(), Form.WIDE, Operand.of(builder.value(Kind.PAIR, action)), valid);
  }

  private Lowered trim(Call call, int sides) {
    Text a = views(call.arguments().get(0));
    Text set = text(call.arguments().get(1));
    if (!set.isConstant()) {
      throw new IllegalArgumentException("characters to trim that are no literal: " + call);
    }
    long coded = a.isCoded() ? TileOperation.CODED : 0;
    Action action =
        new Action(TileOpcode.TRIM_VIEW, a.value(), set.value(), null, a.column(), sides, coded);
    Operand trimmed = Operand.of(builder.value(Kind.PAIR, action));
    return Lowered.of(call.type(), Form.WIDE, trimmed, bothValid(a, set));
  }
}
