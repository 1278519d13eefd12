package io.ariadne.parquet.metadata;

import java.util.List;
import java.util.Objects;

/**
 * A field of a file's schema: a leaf with a physical type, or a group of fields. Immutable.
 *
 * <p>Levels are as in the Dremel paper: the definition level of a value that is present, and the
 * repetition level of a value that continues the innermost list.
 */
public final class SchemaNode {
  /** {@link #fieldId()} of a field without one, and {@link #leafIndex()} of a group. */
  public static final int NONE = -1;

  private final SchemaNode parent;
  private final String name;
  private final Repetition repetition;
  private final boolean hasFieldId;
  private final int fieldId;
  private final PhysicalKind kind;
  private final int typeLength;
  private final LogicalAnnotation annotation;
  private final int maxDefinitionLevel;
  private final int maxRepetitionLevel;
  private final int leafIndex;
  private List<SchemaNode> children = List.of();

  /** Creates a node without children. Its levels are the parent's plus its own. */
  SchemaNode(SchemaNode parent, SchemaElement element, int leafIndex) {
    this.parent = parent;
    this.name = element.name();
    this.repetition = element.repetition;
    this.hasFieldId = element.hasFieldId;
    this.fieldId = element.hasFieldId ? element.fieldId : NONE;
    this.kind = element.kind;
    this.typeLength = element.typeLength;
    this.annotation = element.annotation();
    this.leafIndex = leafIndex;
    int definition = parent == null ? 0 : parent.maxDefinitionLevel;
    int repeated = parent == null ? 0 : parent.maxRepetitionLevel;
    boolean counts = parent != null && repetition != Repetition.REQUIRED;
    this.maxDefinitionLevel = counts ? definition + 1 : definition;
    this.maxRepetitionLevel =
        parent != null && repetition == Repetition.REPEATED ? repeated + 1 : repeated;
  }

  void setChildren(List<SchemaNode> nodes) {
    children = List.copyOf(nodes);
  }

  /** Returns the group this field is in, null for the root. */
  public SchemaNode parent() {
    return parent;
  }

  /** Returns the name as the file spells it. */
  public String name() {
    return name;
  }

  /** Returns how often the field occurs in its parent; {@code REQUIRED} for the root. */
  public Repetition repetition() {
    return repetition;
  }

  /** Returns whether the file gives this field an id. */
  public boolean hasFieldId() {
    return hasFieldId;
  }

  /** Returns the field's id, {@link #NONE} without one. */
  public int fieldId() {
    return fieldId;
  }

  /** Returns the physical type of a leaf, null for a group. */
  public PhysicalKind kind() {
    return kind;
  }

  /**
   * Returns the bytes per value of a {@code FIXED_LEN_BYTE_ARRAY}, at least 0, and 0 for other
   * kinds.
   */
  public int typeLength() {
    return typeLength;
  }

  /** Returns what the values mean. */
  public LogicalAnnotation annotation() {
    return annotation;
  }

  /** Returns the fields of a group in order; for the root only the selected ones. */
  public List<SchemaNode> children() {
    return children;
  }

  /** Returns the definition level of a value that is present. */
  public int maxDefinitionLevel() {
    return maxDefinitionLevel;
  }

  /** Returns the number of repeated fields from the root to this field. */
  public int maxRepetitionLevel() {
    return maxRepetitionLevel;
  }

  /** Returns the index of a leaf's column chunk in each row group, {@link #NONE} for a group. */
  public int leafIndex() {
    return leafIndex;
  }

  /** Returns whether this is a leaf. */
  public boolean isLeaf() {
    return kind != null;
  }

  /** Returns the names from the root (exclusive) to this field, joined by dots, for messages. */
  public String path() {
    return parent == null || parent.parent == null ? name : parent.path() + "." + name;
  }

  /** Returns whether the names from the root (exclusive) to this field equal the given ones. */
  boolean hasPath(List<String> names) {
    SchemaNode node = this;
    for (int i = names.size() - 1; i >= 0; i--) {
      if (node.parent == null || !Objects.equals(node.name, names.get(i))) {
        return false;
      }
      node = node.parent;
    }
    return node.parent == null;
  }

  @Override
  public String toString() {
    String type = kind == null ? "group" : kind.toString();
    String length = kind == PhysicalKind.FIXED_LEN_BYTE_ARRAY ? "(" + typeLength + ")" : "";
    String meaning = annotation.kind() == LogicalKind.NONE ? "" : " " + annotation;
    return repetition + " " + type + length + " " + path() + meaning;
  }
}
