package io.ariadne.expression.compiler;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The properties of a batch for which a program is specialised: the layout and the presence of
 * nulls of each column.
 *
 * @param columns one per column of the batch
 */
public record BatchSignature(List<Column> columns) {
  /**
   * One column.
   *
   * @param kind its layout
   * @param values the layout of its values: that of the entries for dictionary columns
   * @param mayHaveNulls whether it has a validity bitmap
   * @param paysPerEntry whether it is a dictionary column with so few entries that work per entry
   *     is worth while
   */
  public record Column(
      PhysicalType kind, PhysicalType values, boolean mayHaveNulls, boolean paysPerEntry) {
    /** Creates a column that is not a dictionary column. */
    public Column(PhysicalType kind, boolean mayHaveNulls) {
      this(kind, kind, mayHaveNulls, false);
    }

    private static Column of(ColumnVector column) {
      boolean paysPerEntry = column.dictionary() != null && DictionaryDecoder.pays(column);
      return new Column(
          column.physicalType(), column.valueLayout(), column.mayHaveNulls(), paysPerEntry);
    }

    /** Returns whether the column has codes. */
    public boolean isCoded() {
      return kind == PhysicalType.DICTIONARY32;
    }
  }

  private static final Column UNUSED = new Column(PhysicalType.NONE, false);

  /** Copies the list. */
  public BatchSignature {
    columns = List.copyOf(columns);
  }

  /**
   * Returns the signature of columns. All unused columns look the same, so that they do not
   * multiply signatures.
   *
   * @param columns the columns of a batch
   * @param used positions of used columns
   */
  public static BatchSignature of(List<ColumnVector> columns, BitSet used) {
    List<Column> signature = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      ColumnVector column = columns.get(i);
      signature.add(used.get(i) ? Column.of(column) : UNUSED);
    }
    return new BatchSignature(signature);
  }

  /** Returns the column at {@code index}. */
  Column column(int index) {
    return columns.get(index);
  }
}
