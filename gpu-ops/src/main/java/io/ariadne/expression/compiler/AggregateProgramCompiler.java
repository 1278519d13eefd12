package io.ariadne.expression.compiler;

import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.tile.AccumulatorKind;
import io.ariadne.kernel.tile.TileProgram;
import java.util.BitSet;
import java.util.List;

/**
 * Compiles a filter and accumulations to tile programs, one set per batch signature, and caches the
 * sets of the signatures that were used most recently. Thread-safe.
 *
 * <p>Programs read the batch's columns and, when grouped, one more after them: 32-bit group
 * numbers.
 */
public final class AggregateProgramCompiler {
  /**
   * The input of an accumulator.
   *
   * @param kind the accumulator
   * @param value the value; rows where it is null are skipped; null for {@link
   *     AccumulatorKind#COUNT}
   * @param condition rows that count, or null for all; rows for which it is null are skipped
   */
  public record Accumulation(AccumulatorKind kind, Expression value, Expression condition) {}

  private final Expression condition;
  private final List<Accumulation> accumulations;
  private final List<Integer> offsets;
  private final int stride;
  private final boolean isGrouped;
  private final BitSet usedColumns = new BitSet();
  private final ProgramCache<List<TileProgram>> compiled = new ProgramCache<>(this::compileNew);

  /**
   * Creates a compiler.
   *
   * @param condition rows to aggregate, or null for all
   * @param accumulations the input of each accumulator
   * @param offsets offset of each accumulator in a group's record
   * @param stride bytes of a group's record
   * @param isGrouped whether there is a column of group numbers
   */
  public AggregateProgramCompiler(
      Expression condition,
      List<Accumulation> accumulations,
      List<Integer> offsets,
      int stride,
      boolean isGrouped) {
    this.condition = condition;
    this.accumulations = List.copyOf(accumulations);
    this.offsets = List.copyOf(offsets);
    this.stride = stride;
    this.isGrouped = isGrouped;
    addColumns(condition);
    for (Accumulation accumulation : accumulations) {
      addColumns(accumulation.value());
      addColumns(accumulation.condition());
    }
  }

  private void addColumns(Expression expression) {
    if (expression != null) {
      TileProgramCompiler.addColumns(expression, usedColumns);
    }
  }

  /** Returns the numbers of the columns the expressions read. */
  public BitSet usedColumns() {
    return (BitSet) usedColumns.clone();
  }

  /**
   * Returns the programs for a signature. Compiles them when they are not in the cache.
   *
   * @param signature layouts and nulls of the batch's columns, without the group numbers
   */
  public List<TileProgram> compile(BatchSignature signature) {
    return compiled.get(signature);
  }

  /** Returns how many signatures have programs in the cache. */
  int cachedSignatures() {
    return compiled.size();
  }

  private List<TileProgram> compileNew(BatchSignature signature) {
    TileBuilder builder = new TileBuilder();
    Lowering lowering = new Lowering(builder);
    ExpressionLowering expressions = new ExpressionLowering(lowering, signature);
    if (condition != null) {
      TileValue kept = builder.orAll(expressions.conditionals().filter(condition));
      builder.sink(Action.of(TileOpcode.FILTER, Operand.of(kept), 0));
      lowering.setLive(kept);
    }
    int groupColumn = signature.columns().size();
    Operand group =
        isGrouped ? Operand.of(builder.load(TileOpcode.LOAD_I32, Kind.LANE, groupColumn)) : null;
    for (int i = 0; i < accumulations.size(); i++) {
      accumulate(lowering, expressions, accumulations.get(i), group, offsets.get(i));
    }
    List<TileOperation> operations = builder.liveOperations();
    return operations.isEmpty() ? List.of() : ProgramSplitter.split(operations, groupColumn + 1);
  }

  private void accumulate(
      Lowering lowering,
      ExpressionLowering expressions,
      Accumulation accumulation,
      Operand group,
      int offset) {
    TileBuilder builder = lowering.builder();
    TileValue outer = lowering.live();
    TileValue mask = null;
    if (accumulation.condition() != null) {
      mask = expressions.conditionals().filter(accumulation.condition());
      lowering.setLive(builder.and(outer, mask));
    }
    Operand value = null;
    if (accumulation.value() != null) {
      Lowered lowered = expressions.lower(accumulation.value());
      mask = builder.and(mask, lowered.validity());
      value = Operand.of(register(lowering, expressions, accumulation.kind(), lowered));
    }
    lowering.setLive(outer);
    if (!builder.isNone(mask)) {
      TileOpcode opcode = accumulation.kind().opcode();
      TileValue rows = builder.orNull(mask);
      builder.sink(new Action(opcode, value, group, rows, 0, stride, offset));
    }
  }

  private static TileValue register(
      Lowering lowering, ExpressionLowering expressions, AccumulatorKind kind, Lowered lowered) {
    TileBuilder builder = lowering.builder();
    if (kind.isWide()) {
      return builder.pair(lowering.wide(lowered));
    }
    return switch (lowered.form()) {
      case INTEGER -> builder.lane(lowered.value());
      case WIDE -> builder.lane(expressions.decimals().lowHalf(lowered.value()));
      case DOUBLE ->
          kind == AccumulatorKind.SUM_F64
              ? builder.lane(lowered.value())
              : builder.lane(builder.lane(TileOpcode.F64_TO_KEY, lowered.value(), 0));
      case MASK -> builder.value(Kind.LANE, Action.of(TileOpcode.MASK_TO_I64, lowered.value(), 0));
    };
  }
}
