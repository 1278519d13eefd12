package io.ariadne.kernel.sort;

/**
 * A field of a normalised key.
 *
 * @param key number of the key that the field belongs to
 * @param part one of {@code SortPart}
 * @param bits how many, 1 to 64
 * @param word which word of the normalised key
 * @param shift lowest bit in that word
 * @param skip bytes of a string before those in this field
 * @param isFirst whether it is the first field of its word
 */
record KeyField(int key, int part, int bits, int word, int shift, int skip, boolean isFirst) {}
