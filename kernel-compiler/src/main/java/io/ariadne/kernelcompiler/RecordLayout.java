package io.ariadne.kernelcompiler;

import java.util.List;
import java.util.OptionalInt;

/**
 * The memory layout of one struct, as clang computed it.
 *
 * @param name unqualified name of the struct
 * @param qualifiedName name with its namespaces
 * @param sizeInBytes size, tail padding included
 * @param alignmentInBytes alignment
 * @param fields its direct fields in order
 */
record RecordLayout(
    String name, String qualifiedName, int sizeInBytes, int alignmentInBytes, List<Field> fields) {

  /**
   * One field.
   *
   * @param name as in the source
   * @param offsetInBytes from the start of the struct
   * @param elementType spelling of the type; for an array, of the type of its elements
   * @param length elements of a one-dimensional array; empty for any other field
   */
  record Field(String name, int offsetInBytes, String elementType, OptionalInt length) {}

  RecordLayout {
    fields = List.copyOf(fields);
  }
}
