package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.StringFunction;
import io.ariadne.expression.TypeKind;
import io.ariadne.expression.compiler.CompiledProjection;
import io.ariadne.expression.compiler.CompiledProjection.Computed;
import io.ariadne.expression.compiler.CompiledProjection.Constant;
import io.ariadne.expression.compiler.CompiledProjection.Output;
import io.ariadne.expression.compiler.CompiledProjection.PassedThrough;
import io.ariadne.expression.compiler.CompiledProjection.Selected;
import io.ariadne.expression.compiler.MemberColumns;
import io.ariadne.expression.nested.MemberViews;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.tile.EntryFunction;
import io.ariadne.kernel.tile.TileOutput;
import io.ariadne.kernel.tile.TileProgram;
import io.ariadne.kernel.tile.TileProgramKernel;
import io.ariadne.kernel.tile.TileProgramKernel.Target;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbered columns of one evaluation: the columns of the batch (not owned), results of bridged
 * calls, and what programs write (owned until they leave as outputs). Used by one thread.
 */
public final class WorkingColumns implements TileProgramKernel.Columns, AutoCloseable {
  /** A column is copied to smaller buffers when at most 1/TRIM_RATIO of its rows are left. */
  private static final int TRIM_RATIO = 4;

  private final OperatorContext context;
  private final RecordBatch batch;
  private final List<ColumnVector> inputs = new ArrayList<>();
  private final List<ColumnVector> owned = new ArrayList<>();

  /**
   * Copies of inputs in kernel memory. An evaluation shares them with the evaluations that its
   * {@link #nested} and {@link #over} create.
   */
  private final Map<ColumnVector, ColumnVector> uploaded;

  private final boolean ownsUploaded;
  private final KernelDictionaries dictionaries;
  private final NestedSelection selection;
  private final MemberViews members;
  private final Map<Integer, ColumnVector> written = new HashMap<>();
  private List<Output> outputs = List.of();

  /**
   * Creates an evaluation over a batch, which still owns its columns.
   *
   * @param context where memory comes from
   * @param batch the inputs
   * @param dictionaries provides dictionaries in kernel memory; {@link #close} calls its {@link
   *     KernelDictionaries#endBatch}
   * @param selection selects rows of nested columns
   */
  WorkingColumns(
      OperatorContext context,
      RecordBatch batch,
      KernelDictionaries dictionaries,
      NestedSelection selection) {
    this(context, batch, new IdentityHashMap<>(), true, dictionaries, selection);
    for (int i = 0; i < batch.columnCount(); i++) {
      inputs.add(batch.column(i));
    }
  }

  /** Returns a nested evaluation over the same inputs. This object keeps ownership of them. */
  public WorkingColumns nested() {
    WorkingColumns nested =
        new WorkingColumns(context, batch, uploaded, false, dictionaries, selection);
    nested.inputs.addAll(inputs);
    return nested;
  }

  /** Returns an evaluation over the columns of another batch. The batch keeps ownership of them. */
  WorkingColumns over(RecordBatch other) {
    WorkingColumns columns =
        new WorkingColumns(context, other, uploaded, false, dictionaries, selection);
    for (int i = 0; i < other.columnCount(); i++) {
      columns.inputs.add(other.column(i));
    }
    return columns;
  }

  private WorkingColumns(
      OperatorContext context,
      RecordBatch batch,
      Map<ColumnVector, ColumnVector> uploaded,
      boolean ownsUploaded,
      KernelDictionaries dictionaries,
      NestedSelection selection) {
    this.context = context;
    this.batch = batch;
    this.uploaded = uploaded;
    this.ownsUploaded = ownsUploaded;
    this.dictionaries = dictionaries;
    this.selection = selection;
    this.members = new MemberViews(context.allocator());
  }

  /** Adds an input and takes ownership of it. */
  public void addOwned(ColumnVector column) {
    inputs.add(column);
    owned.add(column);
  }

  /** Adds members of structs as inputs. */
  void addMembers(List<MemberColumns.Path> paths) {
    for (MemberColumns.Path path : paths) {
      inputs.add(members.view(onHost(source(path.column())), path.ordinals()));
    }
  }

  private ColumnVector onHost(ColumnVector column) {
    if (context.transfer().isOnHost(column)) {
      return column;
    }
    ColumnVector copy = context.transfer().copyToHost(column);
    owned.add(copy);
    return copy;
  }

  /** Returns the columns of the batch and the added ones. */
  public List<ColumnVector> inputs() {
    return inputs;
  }

  /** Returns a column in kernel memory; copies it when it is elsewhere. */
  @Override
  public ColumnVector column(int number) {
    return forKernels(source(number));
  }

  @Override
  public ColumnVector entries(int number) {
    return dictionaries.entries(dictionary(number));
  }

  @Override
  public ColumnVector entries(int number, EntryFunction function) {
    return dictionaries.results(dictionary(number), function);
  }

  /** Returns the dictionary of a column. */
  Dictionary dictionary(int number) {
    return source(number).dictionary();
  }

  /** Returns a column without copying it to another memory. */
  private ColumnVector source(int number) {
    return number < inputs.size() ? inputs.get(number) : written.get(number);
  }

  private ColumnVector forKernels(ColumnVector column) {
    if (context.transfer().isForKernels(column)) {
      return column;
    }
    return uploaded.computeIfAbsent(
        column,
        source ->
            isNested(source)
                ? context.transfer().copyValidityToKernels(source)
                : context.transfer().copyToKernels(source));
  }

  /** Returns whether a column is nested: kernels see only its validity. */
  private static boolean isNested(ColumnVector column) {
    return TypeKind.NESTED.contains(TypeKind.of(column.type()));
  }

  /** Starts a projection: sets its outputs and makes the row numbers that its programs read. */
  void begin(CompiledProjection compiled) {
    outputs = compiled.outputs();
    if (compiled.rowNumbers() != CompiledProjection.NO_COLUMN) {
      written.put(compiled.rowNumbers(), selection.rowNumbers(batch.rowCount()));
    }
  }

  /** Allocates the outputs of a program. */
  List<Target> allocate(TileProgram program, int rowCount) {
    List<Target> targets = new ArrayList<>();
    for (TileOutput output : program.outputs()) {
      ColumnVector column = allocate(output.kind(), output.hasValidity(), rowCount);
      targets.add(new Target(column.data(), column.validity()));
      written.merge(output.column(), column, WorkingColumns::withValidity);
    }
    return targets;
  }

  /** Combines the data that one program wrote with the validity that another program wrote. */
  private static ColumnVector withValidity(ColumnVector a, ColumnVector b) {
    ColumnVector values = a.data() == null ? b : a;
    ColumnVector bits = values == a ? b : a;
    return ColumnVector.flat(
        values.type(), values.physicalType(), values.rowCount(), values.data(), bits.validity());
  }

  private ColumnVector allocate(PhysicalType kind, boolean hasValidity, int rowCount) {
    long bitmapBytes = PhysicalType.BOOL.dataLengthInBytes(rowCount);
    MemoryBuffer validity = hasValidity ? cleared(bitmapBytes) : null;
    MemoryBuffer data = null;
    try {
      if (kind == PhysicalType.BOOL) {
        data = cleared(bitmapBytes);
      } else if (kind != PhysicalType.NONE) {
        data = context.kernelAllocator().allocate(kind.dataLengthInBytes(rowCount));
      }
    } catch (RuntimeException | Error e) {
      if (validity != null) {
        validity.close();
      }
      throw e;
    }
    return ColumnVector.flat(PrimitiveType.INT64, kind, rowCount, data, validity);
  }

  private MemoryBuffer cleared(long lengthInBytes) {
    MemoryBuffer buffer = context.kernelAllocator().allocate(lengthInBytes);
    return ColumnTransfer.filled(
        buffer, () -> context.backend().clear(buffer, 0, buffer.capacityInBytes()));
  }

  /** Returns the outputs in kernel memory; this evaluation still owns them. */
  public List<ColumnVector> kernelOutputs(int rowCount) {
    List<ColumnVector> columns = new ArrayList<>();
    for (ColumnVector column : outputs(rowCount)) {
      columns.add(forKernels(column));
    }
    return columns;
  }

  /**
   * Returns the arguments of a stage's calls: the outputs, each in the memory from which its call
   * reads it. This evaluation keeps ownership of them.
   */
  List<ColumnVector> stageOutputs(ProjectionStep.Stage stage, int rowCount) {
    List<ColumnVector> columns = outputs(rowCount);
    int next = 0;
    for (BridgedCall call : stage.calls()) {
      boolean isForKernels = call.function() instanceof StringFunction;
      for (int end = next + call.arguments().size(); next < end; next++) {
        ColumnVector column = columns.get(next);
        columns.set(next, isForKernels ? forKernels(column) : onHost(column));
      }
    }
    return columns;
  }

  /** Returns columns in host memory; this evaluation owns the copies. */
  List<ColumnVector> onHost(List<ColumnVector> columns) {
    return columns.stream().map(this::onHost).toList();
  }

  private List<ColumnVector> outputs(int rowCount) {
    List<ColumnVector> columns = new ArrayList<>();
    for (Output output : outputs) {
      if (output instanceof PassedThrough passed) {
        columns.add(source(passed.column()));
      } else {
        ColumnVector column = output(output, rowCount);
        owned.add(column);
        columns.add(column);
      }
    }
    return columns;
  }

  /** Returns the outputs as a batch that owns them. */
  RecordBatch toBatch(Schema schema, int rowCount) {
    ColumnVector[] columns = new ColumnVector[outputs.size()];
    try {
      // Steps that may fail come first: a batch that has lost columns cannot be tried again.
      for (int i = 0; i < columns.length; i++) {
        columns[i] = isMoved(i, rowCount) ? null : output(outputs.get(i), rowCount);
      }
      for (int i = 0; i < columns.length; i++) {
        columns[i] = columns[i] == null ? batch.takeColumn(movable(i, rowCount)) : columns[i];
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      Arrays.asList(columns).forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    return new RecordBatch(schema, rowCount, Arrays.asList(columns), batch.sequence());
  }

  /** Returns whether an output is a column of the batch that no later output needs. */
  private boolean isMoved(int index, int rowCount) {
    int number = movable(index, rowCount);
    boolean isLast = number >= 0 && number < batch.columnCount();
    for (int i = index + 1; isLast && i < outputs.size(); i++) {
      isLast = movable(i, rowCount) != number;
    }
    return isLast;
  }

  /** Returns the number of the input that an output returns unchanged; -1 for a computed output. */
  private int movable(int index, int rowCount) {
    Output output = outputs.get(index);
    if (output instanceof PassedThrough passed) {
      return passed.column();
    }
    boolean keepsAll = output instanceof Selected && rowCount == batch.rowCount();
    return keepsAll ? ((Selected) output).column() : -1;
  }

  private ColumnVector output(Output output, int rowCount) {
    if (output instanceof PassedThrough passed) {
      return separate(passed.column());
    }
    if (output instanceof Selected selected) {
      return rowCount == batch.rowCount()
          ? separate(selected.column())
          : selection.select(source(selected.column()), source(selected.rows()), rowCount);
    }
    if (output instanceof Constant constant) {
      return ConstantColumns.of(constant.literal(), rowCount, context);
    }
    return computed((Computed) output, rowCount);
  }

  /** Returns an owned input, or a copy of an input of the batch. */
  private ColumnVector separate(int number) {
    ColumnVector column = inputs.get(number);
    return owned.remove(column) ? column : ColumnCopies.copy(column, context);
  }

  private ColumnVector computed(Computed output, int rowCount) {
    ColumnVector column = trimmed(output.column(), rowCount);
    int unknown = ColumnVector.UNKNOWN_NULL_COUNT;
    if (output.kind() == PhysicalType.DICTIONARY32) {
      Dictionary dictionary = source(output.source()).dictionary().retain();
      return ColumnVector.ofDictionary(
          dictionary, rowCount, column.data(), column.validity(), unknown);
    }
    boolean isView = output.source() != Computed.NO_SOURCE;
    List<SharedBuffer> heaps = isView ? heapsOf(source(output.source())) : List.of();
    heaps.forEach(SharedBuffer::retain);
    return new ColumnVector(
        output.type(),
        output.kind(),
        rowCount,
        column.data(),
        column.validity(),
        unknown,
        heaps,
        List.of());
  }

  private static List<SharedBuffer> heapsOf(ColumnVector column) {
    return column.dictionary() == null ? column.heaps() : column.dictionary().entries().heaps();
  }

  /**
   * Takes a column that a program wrote. Copies it to smaller buffers when a filter has left few of
   * its rows.
   */
  private ColumnVector trimmed(int number, int rowCount) {
    ColumnVector column = written.get(number);
    if (column.rowCount() / TRIM_RATIO < rowCount) {
      return written.remove(number);
    }
    written.remove(number);
    try (ColumnVector old = column) {
      PhysicalType kind = old.physicalType();
      ColumnVector small = allocate(kind, old.mayHaveNulls(), rowCount);
      written.put(number, small);
      long bitmapBytes = PhysicalType.BOOL.dataLengthInBytes(rowCount);
      context.backend().copy(old.data(), small.data(), kind.dataLengthInBytes(rowCount));
      if (old.mayHaveNulls()) {
        context.backend().copy(old.validity(), small.validity(), bitmapBytes);
      }
      return written.remove(number);
    }
  }

  /** Frees the columns that have not left as outputs. */
  @Override
  public void close() {
    members.close();
    written.values().forEach(ColumnVector::close);
    owned.forEach(ColumnVector::close);
    if (ownsUploaded) {
      uploaded.values().forEach(ColumnVector::close);
      dictionaries.endBatch();
    }
  }
}
