package io.ariadne.it.fuzz;

/**
 * A column that expressions may read.
 *
 * @param name as SQL refers to it
 * @param kind of its values
 */
record Column(String name, Kind kind) {
  SqlNode reference() {
    return SqlNode.leaf(kind, name);
  }
}
