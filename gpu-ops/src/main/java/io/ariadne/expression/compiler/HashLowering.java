package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringHeaps;
import io.ariadne.expression.TypeKind;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import java.util.ArrayList;
import java.util.List;

/**
 * Lowers Spark's hash functions ({@code HashExpression}). Each value that is not null changes the
 * hash of the values before it; the first one changes the seed. When the first value is a
 * dictionary column, it is hashed once per entry if that pays.
 */
final class HashLowering {
  private static final int MAX_LONG_DIGITS = 18;

  private final ExpressionLowering expressions;
  private final TileBuilder builder;
  private final Lowering lowering;

  HashLowering(Lowering lowering, ExpressionLowering expressions) {
    this.lowering = lowering;
    this.builder = lowering.builder();
    this.expressions = expressions;
  }

  /** The instructions of one function. */
  private record Hash(TileOpcode i32, TileOpcode i64, TileOpcode decimal, TileOpcode view) {
    private static final Hash MURMUR3 =
        new Hash(
            TileOpcode.MURMUR3_I32,
            TileOpcode.MURMUR3_I64,
            TileOpcode.MURMUR3_DECIMAL,
            TileOpcode.MURMUR3_VIEW);
    private static final Hash XXHASH64 =
        new Hash(
            TileOpcode.XXHASH64_I32,
            TileOpcode.XXHASH64_I64,
            TileOpcode.XXHASH64_DECIMAL,
            TileOpcode.XXHASH64_VIEW);

    static Hash of(Function function) {
      return function == Function.MURMUR3_HASH ? MURMUR3 : XXHASH64;
    }
  }

  /** Lowers a call whose first argument is the seed. */
  Lowered hash(Call call) {
    Hash hash = Hash.of(call.function());
    Lowered seed = expressions.lower(call.arguments().get(0));
    Operand result = seed.value();
    List<Expression> values = call.arguments().subList(1, call.arguments().size());
    boolean hasConstantSeed = call.arguments().get(0) instanceof Literal;
    for (int i = 0; i < values.size(); i++) {
      boolean isEntry = i == 0 && hasConstantSeed && expressions.paysPerEntry(values.get(0));
      result = isEntry ? entryHash(call, result) : chained(hash, values.get(i), result);
    }
    return Lowered.of(call.type(), Lowered.Form.INTEGER, result, seed.validity());
  }

  /** Hashes the first value by the entries of its dictionary. */
  private Operand entryHash(Call call, Operand seed) {
    ColumnReference column = (ColumnReference) call.arguments().get(1);
    List<Expression> arguments = new ArrayList<>();
    arguments.add(call.arguments().get(0));
    arguments.add(new ColumnReference(0, column.type(), false));
    Call ofEntry =
        new Call(call.function(), arguments, call.type(), false, call.mode(), call.origin());
    TileOpcode load = TileOpcode.valueOf("LOAD_" + call.type().defaultPhysicalType().name());
    Operand hashed =
        Operand.of(
            builder.loadCoded(load, Kind.LANE, column.index(), new EntryExpression(ofEntry)));
    return orBefore(expressions.validity(column.index()), hashed, seed);
  }

  /** Returns the hash of one more value. */
  private Operand chained(Hash hash, Expression expression, Operand before) {
    if (expression instanceof Literal literal && literal.value() == null) {
      return before;
    }
    boolean isView = StringHeaps.isView(expression.type());
    if (isView && expression instanceof Literal literal) {
      Operand text = Operand.ofBytes((byte[]) literal.value());
      Operand register = Operand.of(builder.lane(before));
      return lane(Action.of(hash.view(), text, register));
    }
    Lowered value = expressions.lower(expression);
    Operand after =
        isView
            ? view(hash, StringLowering.heapColumn(expression), value, before)
            : fixed(hash, value, before);
    return orBefore(value.validity(), after, before);
  }

  private Operand orBefore(TileValue validity, Operand after, Operand before) {
    return builder.select(Kind.LANE, validity, after, before);
  }

  private Operand view(Hash hash, int column, Lowered value, Operand before) {
    boolean isCoded = column != Text.NO_COLUMN && expressions.isCoded(column);
    Operand pair = Operand.of(builder.pair(value.value()));
    return Operand.of(builder.ofCharacters(hash.view(), pair, before, column, isCoded));
  }

  private Operand fixed(Hash hash, Lowered value, Operand before) {
    DataType type = value.type();
    if (type instanceof DecimalType decimal) {
      if (decimal.precision() > MAX_LONG_DIGITS) {
        Operand pair = Operand.of(builder.pair(lowering.wide(value)));
        return lane(Action.of(hash.decimal(), pair, before));
      }
      Operand unscaled =
          value.form() == Lowered.Form.WIDE
              ? expressions.decimals().lowHalf(value.value())
              : value.value();
      return builder.lanes(hash.i64(), unscaled, before);
    }
    return switch (TypeKind.of(type)) {
      case BOOLEAN ->
          builder.lanes(
              hash.i32(), lane(Action.of(TileOpcode.MASK_TO_I64, value.value(), 0)), before);
      case FLOAT32 ->
          builder.lanes(hash.i32(), builder.lane(TileOpcode.F32_BITS, value.value(), 0), before);
      case FLOAT64 ->
          builder.lanes(
              hash.i64(), builder.lane(TileOpcode.NORMALIZE_F64, value.value(), 0), before);
      case INT8, INT16, INT32, DATE, INTERVAL_YEAR_MONTH ->
          builder.lanes(hash.i32(), value.value(), before);
      default -> builder.lanes(hash.i64(), value.value(), before);
    };
  }

  private Operand lane(Action action) {
    return Operand.of(builder.value(Kind.LANE, action));
  }
}
