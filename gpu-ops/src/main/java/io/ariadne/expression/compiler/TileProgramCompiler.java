package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Literal;
import io.ariadne.expression.Member;
import io.ariadne.expression.StringHeaps;
import io.ariadne.expression.TypeKind;
import io.ariadne.expression.compiler.CompiledProjection.Computed;
import io.ariadne.expression.compiler.CompiledProjection.Constant;
import io.ariadne.expression.compiler.CompiledProjection.Output;
import io.ariadne.expression.compiler.CompiledProjection.PassedThrough;
import io.ariadne.expression.compiler.CompiledProjection.Selected;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.tile.TileProgram;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Compiles a filter and projections to tile programs, one set per batch signature, and caches the
 * sets of the signatures that were used most recently. Thread-safe.
 *
 * <p>The expressions contain neither bridged calls nor members of structs; those become columns
 * first: see {@link BridgedStages} and {@link MemberColumns}.
 */
public final class TileProgramCompiler {
  private final Expression condition;
  private final List<Expression> projections;
  private final boolean usesDefaultLayouts;
  private final BitSet usedColumns = new BitSet();
  private final ProgramCache<CompiledProjection> compiled = new ProgramCache<>(this::compileNew);

  /**
   * Creates a compiler of a filter and projections.
   *
   * @param condition rows to keep, or null for all
   * @param projections values to compute
   */
  public TileProgramCompiler(Expression condition, List<Expression> projections) {
    this(condition, projections, false);
  }

  private TileProgramCompiler(
      Expression condition, List<Expression> projections, boolean usesDefaultLayouts) {
    this.condition = condition;
    this.projections = List.copyOf(projections);
    this.usesDefaultLayouts = usesDefaultLayouts;
    if (condition != null) {
      addColumns(condition, usedColumns);
    }
    projections.forEach(projection -> addColumns(projection, usedColumns));
  }

  /**
   * Creates a compiler whose outputs have their types' default layouts, also columns that pass
   * through.
   *
   * @param projections values to compute
   */
  public static TileProgramCompiler withDefaultLayouts(List<Expression> projections) {
    return new TileProgramCompiler(null, projections, true);
  }

  /** Returns whether computing an expression may raise an error. */
  public static boolean mayRaise(Expression expression) {
    return ConditionalLowering.mayRaise(expression);
  }

  /** Adds the numbers of the columns an expression reads. */
  public static void addColumns(Expression expression, BitSet columns) {
    if (expression instanceof ColumnReference reference) {
      columns.set(reference.index());
    } else if (expression instanceof Call call) {
      call.arguments().forEach(argument -> addColumns(argument, columns));
    } else if (expression instanceof Member member) {
      addColumns(member.struct(), columns);
    } else if (expression instanceof BridgedCall bridged) {
      bridged.arguments().forEach(argument -> addColumns(argument, columns));
    }
  }

  /** Returns the numbers of the columns the expressions read. */
  public BitSet usedColumns() {
    return (BitSet) usedColumns.clone();
  }

  /**
   * Returns the programs for a signature. Compiles them when they are not in the cache.
   *
   * @param signature layouts and nulls of the batch's columns
   * @throws io.ariadne.error.EngineException UNSUPPORTED when an expression is too long to split
   */
  public CompiledProjection compile(BatchSignature signature) {
    return compiled.get(signature);
  }

  /** Returns how many signatures have programs in the cache. */
  int cachedSignatures() {
    return compiled.size();
  }

  private CompiledProjection compileNew(BatchSignature signature) {
    TileBuilder builder = new TileBuilder();
    Lowering lowering = new Lowering(builder);
    ExpressionLowering expressions = new ExpressionLowering(lowering, signature);
    boolean isFiltered = condition != null;
    if (isFiltered) {
      TileValue kept = builder.orAll(expressions.conditionals().filter(condition));
      builder.sink(Action.of(TileOpcode.FILTER, Operand.of(kept), 0));
      lowering.setLive(kept);
    }
    int firstOutput = signature.columns().size();
    int rowNumbers = firstOutput + projections.size();
    int keptNumbers = rowNumbers + 1;
    boolean selects = isFiltered && projections.stream().anyMatch(TileProgramCompiler::isNested);
    if (selects) {
      storeRowNumbers(lowering, rowNumbers, keptNumbers);
    }
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < projections.size(); i++) {
      Expression projection = projections.get(i);
      if (projection instanceof ColumnReference reference
          && !isFiltered
          && mayPass(signature.column(reference.index()).kind(), reference)) {
        outputs.add(new PassedThrough(reference.index()));
      } else if (isNested(projection)) {
        outputs.add(new Selected(((ColumnReference) projection).index(), keptNumbers));
      } else if (StringHeaps.isView(projection.type()) && projection instanceof Literal literal) {
        outputs.add(new Constant(literal));
      } else {
        boolean keepsCodes = keepsCodes(projection, signature);
        outputs.add(
            keepsCodes
                ? storeCodes(lowering, expressions, (ColumnReference) projection, firstOutput + i)
                : storeValue(lowering, expressions, projection, firstOutput + i));
      }
    }
    List<TileOperation> operations = builder.liveOperations();
    int firstTemporary = keptNumbers + 1;
    List<TileProgram> programs =
        operations.isEmpty() ? List.of() : ProgramSplitter.split(operations, firstTemporary);
    return new CompiledProjection(
        programs, outputs, isFiltered, selects ? rowNumbers : CompiledProjection.NO_COLUMN);
  }

  /**
   * Returns whether an expression is a nested column, whose rows the host selects because kernels
   * only know flat columns.
   */
  private static boolean isNested(Expression expression) {
    return TypeKind.NESTED.contains(TypeKind.of(expression.type()));
  }

  private static void storeRowNumbers(Lowering lowering, int all, int kept) {
    TileValue numbers = lowering.builder().load(TileOpcode.LOAD_I32, TileValue.Kind.LANE, all);
    lowering
        .builder()
        .sink(new Action(TileOpcode.STORE_I32, Operand.of(numbers), null, null, kept, 0, 0));
  }

  private boolean keepsCodes(Expression projection, BatchSignature signature) {
    return !usesDefaultLayouts
        && projection instanceof ColumnReference reference
        && signature.column(reference.index()).isCoded();
  }

  private static Output storeCodes(
      Lowering lowering, ExpressionLowering expressions, ColumnReference reference, int column) {
    Lowered codes = expressions.codes(reference.index(), reference.type());
    store(lowering, expressions.decimals(), codes, PhysicalType.I32, column);
    return new Computed(column, reference.type(), PhysicalType.DICTIONARY32, reference.index());
  }

  private static Output storeValue(
      Lowering lowering, ExpressionLowering expressions, Expression projection, int column) {
    DataType type = projection.type();
    PhysicalType kind = type.defaultPhysicalType();
    store(lowering, expressions.decimals(), expressions.lower(projection), kind, column);
    int source =
        StringHeaps.isView(type) ? StringLowering.heapColumn(projection) : Computed.NO_SOURCE;
    return new Computed(column, type, kind, source);
  }

  private boolean mayPass(PhysicalType kind, ColumnReference reference) {
    return !usesDefaultLayouts || kind == reference.type().defaultPhysicalType();
  }

  /** Stores a value in a layout. */
  private static void store(
      Lowering lowering, DecimalLowering decimals, Lowered value, PhysicalType kind, int column) {
    TileBuilder builder = lowering.builder();
    TileOpcode opcode =
        kind == PhysicalType.VIEW16
            ? TileOpcode.STORE_I128
            : TileOpcode.valueOf("STORE_" + kind.name());
    TileValue register =
        switch (kind) {
          case BOOL -> value.maskValue();
          case I128, VIEW16 -> builder.pair(lowering.wide(value));
          default ->
              value.form() == Lowered.Form.WIDE
                  ? builder.lane(decimals.lowHalf(value.value()))
                  : builder.lane(value.value());
        };
    Operand operand = Operand.of(register);
    builder.sink(new Action(opcode, operand, null, null, column, 0, 0));
    if (value.validity() != null) {
      Operand validity = Operand.of(value.validity());
      builder.sink(new Action(TileOpcode.STORE_VALIDITY, validity, null, null, column, 0, 0));
    }
  }
}
