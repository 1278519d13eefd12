package io.ariadne.kernel.parquet;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * Random nested values of one leaf, its levels, and the Arrow parts of each node on the way, made
 * in plain Java by walking the values.
 *
 * <p>The path is a word: O an optional struct, Q a required one, L an optional list; the leaf
 * behind it is optional.
 */
final class NestedValues {
  /** A node's Arrow parts. */
  static final class Node {
    final List<Integer> offsets = new ArrayList<>();
    final BitSet validity = new BitSet();
    final NestedLevels.Node place;
    final boolean isList;
    int slots;
    int elements;

    Node(NestedLevels.Node place, boolean isList) {
      this.place = place;
      this.isList = isList;
    }

    private void add(boolean isValid) {
      validity.set(slots++, isValid);
      offsets.add(elements);
    }
  }

  private final Random random;
  private final String path;
  private final int rarity; // of nulls and long lists: deep values must neither vanish nor explode
  private final List<Node> nodes = new ArrayList<>();
  private final ByteArrayOutputStream repetition = new ByteArrayOutputStream();
  private final ByteArrayOutputStream definition = new ByteArrayOutputStream();
  private final List<Integer> rowStarts = new ArrayList<>();

  private NestedValues(Random random, String path) {
    this.random = random;
    this.path = path;
    this.rarity = path.length() > 8 ? 4 * path.length() : 1;
    int depth = 0;
    int ancestor = 0;
    int level = 0;
    for (char kind : path.toCharArray()) {
      switch (kind) {
        case 'O' -> nodes.add(value(depth, ancestor, ++level));
        case 'Q' -> nodes.add(value(depth, ancestor, 0));
        case 'L' -> {
          int valid = level + 1;
          var place = new NestedLevels.Node(depth, ancestor, depth + 1, level + 2, valid);
          nodes.add(new Node(place, true));
          level += 2;
          depth++;
          ancestor = level;
        }
        default -> throw new IllegalArgumentException(path);
      }
    }
    nodes.add(value(depth, ancestor, level + 1));
  }

  private static Node value(int depth, int ancestor, int valid) {
    return new Node(NestedLevels.Node.ofValue(depth, ancestor, valid), false);
  }

  /** Returns values of about as many entries. */
  static NestedValues random(Random random, String path, int entries) {
    NestedValues values = new NestedValues(random, path);
    while (values.definition.size() < entries) {
      values.rowStarts.add(values.definition.size());
      values.emit(0, 0, 0, 0);
    }
    return values;
  }

  List<Node> nodes() {
    return nodes;
  }

  List<Integer> rowStarts() {
    return rowStarts;
  }

  byte[] repetition() {
    return repetition.toByteArray();
  }

  byte[] definition() {
    return definition.toByteArray();
  }

  private void entry(int repetitionLevel, int definitionLevel) {
    repetition.write(repetitionLevel);
    definition.write(definitionLevel);
  }

  private void emit(int at, int depth, int repetitionLevel, int definitionLevel) {
    Node node = nodes.get(at);
    boolean isNull = random.nextInt(6 * rarity) == 0;
    if (at == path.length()) {
      node.add(!isNull);
      entry(repetitionLevel, definitionLevel + (isNull ? 0 : 1));
    } else if (path.charAt(at) == 'Q') {
      node.add(true);
      emit(at + 1, depth, repetitionLevel, definitionLevel);
    } else if (isNull) {
      emitNull(at);
      entry(repetitionLevel, definitionLevel);
    } else if (path.charAt(at) == 'O') {
      node.add(true);
      emit(at + 1, depth, repetitionLevel, definitionLevel + 1);
    } else {
      emitList(at, depth, repetitionLevel, definitionLevel);
    }
  }

  private void emitList(int at, int depth, int repetitionLevel, int definitionLevel) {
    Node node = nodes.get(at);
    node.add(true);
    int more = random.nextInt(rarity) == 0 ? random.nextInt(4) : 0;
    int length = random.nextInt(5 * rarity) == 0 ? 0 : 1 + more;
    if (length == 0) {
      entry(repetitionLevel, definitionLevel + 1);
    }
    for (int i = 0; i < length; i++) {
      node.elements++;
      emit(at + 1, depth + 1, i == 0 ? repetitionLevel : depth + 1, definitionLevel + 2);
    }
  }

  /** A null has slots in the nodes below it, down to the next list. */
  private void emitNull(int from) {
    for (int at = from; at < nodes.size(); at++) {
      boolean isRequired = at < path.length() && path.charAt(at) == 'Q';
      nodes.get(at).add(isRequired);
      if (nodes.get(at).isList) {
        return;
      }
    }
  }
}
