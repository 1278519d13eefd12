package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.AggregateProgramCompiler.Accumulation;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.kernel.tile.AccumulatorKind;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.project.ProjectionStep;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The parts of an aggregation that do not depend on its input. Immutable, shared by threads.
 *
 * <p>A filter before grouping runs in one of two ways, chosen for each batch by how many rows of
 * the previous one passed. Direct: all rows get groups, the programs skip the rows that the filter
 * drops, and groups without rows are left out of the output. Projected: a projection copies the
 * rows that pass, and only those get groups, which pays when few rows pass.
 */
final class HashAggregatePlan {
  /** Words of hash, flags and slots per group, while the table grows. */
  private static final int WORDS_PER_GROUP = 12;

  private final List<DataType> keyTypes;
  private final AccumulatorLayout layout;
  private final AggregateVariant direct;
  private final AggregateVariant projected;
  private final Supplier<List<ProjectionStep>> checks;
  private final CountReader liveRows;
  private final List<AggregateReader> readers;
  private final List<AggregateCall> aggregates;
  private final Schema bufferSchema;
  private final ProjectionStep result;
  private final Schema outputSchema;
  private final GroupLimits limits;

  HashAggregatePlan(
      boolean yieldsResults,
      Schema input,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> aggregates,
      Schema output,
      int origin,
      GroupLimits limits) {
    this.limits = limits;
    this.keyTypes = keys.stream().map(Expression::type).toList();
    this.aggregates = List.copyOf(aggregates);
    this.outputSchema = output;
    boolean isFiltered = condition != null && !keys.isEmpty();
    boolean mustProject = AggregateInput.needsProjection(condition, keys, aggregates);
    Variants variants = new Variants(yieldsResults, isFiltered);
    this.direct =
        mustProject ? null : variants.add(AggregateInput.direct(condition, keys, aggregates));
    this.projected =
        mustProject || isFiltered
            ? variants.add(AggregateInput.projected(input, condition, keys, aggregates, origin))
            : null;
    this.checks =
        () -> AggregateInput.projected(input, condition, keys, aggregates, origin).steps();
    this.layout = variants.layout;
    this.readers = variants.readers;
    this.liveRows = variants.liveRows;
    List<Field> keyFields = output.fields().subList(0, keys.size());
    this.bufferSchema = yieldsResults ? bufferSchema(keyFields, aggregates) : output;
    this.result =
        yieldsResults
            ? ProjectionStep.of(
                bufferSchema, null, AggregateResults.of(keyFields, aggregates), output, List.of())
            : null;
  }

  /** Plans variants that agree on the layout of records. */
  private static final class Variants {
    private final boolean yieldsResults;
    private final boolean isFiltered;
    private AccumulatorLayout layout;
    private List<AggregateReader> readers;
    private CountReader liveRows;

    Variants(boolean yieldsResults, boolean isFiltered) {
      this.yieldsResults = yieldsResults;
      this.isFiltered = isFiltered;
    }

    AggregateVariant add(AggregateInput input) {
      AccumulatorLayout own = new AccumulatorLayout();
      AggregatePlanner planner = new AggregatePlanner(own, yieldsResults);
      List<AggregateReader> ownReaders = input.aggregates().stream().map(planner::plan).toList();
      if (isFiltered) {
        Accumulation rows = new Accumulation(AccumulatorKind.COUNT, null, null);
        liveRows = new CountReader(own.add(rows), CountReader.NONE);
      }
      if (layout != null && !layout.hasSameRecords(own)) {
        throw new IllegalStateException(
            "the variants of an aggregation have different record layouts");
      }
      layout = own;
      readers = ownReaders;
      return AggregateVariant.of(input, own);
    }
  }

  private static Schema bufferSchema(List<Field> keys, List<AggregateCall> aggregates) {
    List<Field> fields = new ArrayList<>(keys);
    for (AggregateCall call : aggregates) {
      if (AggregateSupport.isCollection(call)) {
        fields.add(new Field("list", call.resultType(), false));
      } else {
        fields.addAll(call.bufferFields());
      }
    }
    return new Schema(fields);
  }

  /**
   * Returns the variant for a batch.
   *
   * @param passesMost whether most rows are expected to pass the filter
   */
  AggregateVariant variant(boolean passesMost) {
    return direct == null || (projected != null && !passesMost) ? projected : direct;
  }

  /** Returns the limits of a driver's table. */
  GroupLimits limits(OperatorContext context) {
    if (!isGrouped()) {
      return GroupLimits.NONE;
    }
    return limits == null ? GroupLimits.of(context, bytesPerGroup()) : limits;
  }

  /** Returns an upper bound of the bytes of a group in a table, without long strings. */
  long bytesPerGroup() {
    int keyWords = keyKinds().stream().mapToInt(GroupTable::wordsOf).sum();
    return 2L * layout.strideInBytes() + (2L * keyWords + WORDS_PER_GROUP) * Long.BYTES;
  }

  /** Returns projections of the keys and arguments, which find the first row that fails. */
  List<ProjectionStep> checks() {
    return checks.get();
  }

  /** Returns whether the results depend on the order of rows. */
  boolean dependsOnOrder() {
    return !layout.collections().isEmpty()
        || layout.picks().stream().anyMatch(pick -> pick.rule().isByOrder());
  }

  boolean isGrouped() {
    return !keyTypes.isEmpty();
  }

  List<DataType> keyTypes() {
    return keyTypes;
  }

  List<PhysicalType> keyKinds() {
    return keyTypes.stream().map(DataType::defaultPhysicalType).toList();
  }

  AccumulatorLayout layout() {
    return layout;
  }

  /** Returns the groups of a range that belong to the result. */
  GroupSelection selection(AccumulatorTable records, int firstGroup, int count) {
    return liveRows == null
        ? GroupSelection.range(firstGroup, count)
        : GroupSelection.live(records, liveRows, firstGroup, count);
  }

  List<AggregateReader> readers() {
    return readers;
  }

  List<AggregateCall> aggregates() {
    return aggregates;
  }

  /** Returns the keys and the buffer columns. */
  Schema bufferSchema() {
    return bufferSchema;
  }

  /**
   * Returns the projection that computes results from buffers, or null when buffers are the output.
   */
  ProjectionStep result() {
    return result;
  }

  Schema outputSchema() {
    return outputSchema;
  }
}
