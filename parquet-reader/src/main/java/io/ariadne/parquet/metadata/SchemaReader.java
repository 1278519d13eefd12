package io.ariadne.parquet.metadata;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Turns the footer's flat, depth-first list of schema elements into a tree of the selected fields.
 */
final class SchemaReader {
  /**
   * Deepest nesting of groups. The limit is needed because this reader and Spark read schemas
   * recursively.
   */
  private static final int MAX_DEPTH = 200;

  private final ThriftReader reader;
  private final ColumnSelection selection;
  private final SchemaElement element = new SchemaElement();
  private final List<SchemaNode> leaves = new ArrayList<>();

  /** Lengths of the selected names. */
  private final BitSet lengths = new BitSet();

  private int left;
  private int leafCount;
  private boolean hasFieldIds;

  SchemaReader(ThriftReader reader, ColumnSelection selection) {
    this.reader = reader;
    this.selection = selection;
    selection.names().forEach(name -> lengths.set(name.length()));
  }

  /** Reads the list that is the current field. */
  SchemaNode read() {
    left = reader.beginList();
    if (left == 0) {
      throw reader.corrupt("schema without a root");
    }
    next();
    if (element.kind != null) {
      throw reader.corrupt("schema whose root is a leaf");
    }
    SchemaNode root = new SchemaNode(null, element, SchemaNode.NONE);
    int fields = element.childCount;
    List<SchemaNode> kept = new ArrayList<>();
    for (int i = 0; i < fields; i++) {
      next();
      if (isSelected()) {
        kept.add(node(root, 1));
      } else {
        pass(1);
      }
    }
    if (left > 0) {
      throw reader.corrupt(left + " schema elements outside the root");
    }
    root.setChildren(kept);
    return root;
  }

  /**
   * Returns whether the element just read is selected. Most elements are ruled out by the length of
   * their name, without creating a string: ASCII letters have as many bytes in upper as in lower
   * case.
   */
  private boolean isSelected() {
    boolean isKnownByName = !selection.isAll() && !element.hasFieldId && element.hasAsciiName();
    boolean isOther = isKnownByName && !lengths.get(element.nameLength());
    return !isOther && selection.contains(element);
  }

  /** Returns the selected leaves, in order. */
  List<SchemaNode> leaves() {
    return leaves;
  }

  /** Returns the number of leaves in the file. */
  int leafCount() {
    return leafCount;
  }

  /** Returns whether any field of the file has an id. */
  boolean hasFieldIds() {
    return hasFieldIds;
  }

  private void next() {
    if (left == 0) {
      throw reader.corrupt("schema ends inside a group");
    }
    left--;
    element.read(reader);
    hasFieldIds |= element.hasFieldId;
  }

  /** Creates the node of the element just read and of the elements below it. */
  private SchemaNode node(SchemaNode parent, int depth) {
    check(depth);
    boolean isLeaf = element.kind != null;
    SchemaNode node = new SchemaNode(parent, element, isLeaf ? leafCount : SchemaNode.NONE);
    if (isLeaf) {
      leafCount++;
      leaves.add(node);
      return node;
    }
    int count = element.childCount;
    List<SchemaNode> children = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      next();
      children.add(node(node, depth + 1));
    }
    node.setChildren(children);
    return node;
  }

  /** Skips the elements below the element just read. */
  private void pass(int depth) {
    check(depth);
    if (element.kind != null) {
      leafCount++;
      return;
    }
    int count = element.childCount;
    for (int i = 0; i < count; i++) {
      next();
      pass(depth + 1);
    }
  }

  private void check(int depth) {
    if (depth > MAX_DEPTH) {
      throw reader.corrupt("groups deeper than " + MAX_DEPTH);
    }
    if (element.kind == PhysicalKind.FIXED_LEN_BYTE_ARRAY && element.typeLength < 0) {
      throw reader.corrupt("values of " + element.typeLength + " bytes");
    }
    if (element.kind == null && element.childCount > left) {
      throw reader.corrupt("group of " + element.childCount + " fields, " + left + " follow");
    }
  }
}
