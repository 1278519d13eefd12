package io.ariadne.shuffle.format;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.concat.ColumnSlice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes the strings of dictionary columns as codes of a dictionary of the block, which has each
 * entry that the rows use once. Used by one thread.
 */
final class BlockCodes {
  /** A code is a byte. */
  static final int MAX_ENTRIES = 1 << Byte.SIZE;

  /** With fewer rows per entry the dictionary is about as long as the strings. */
  private static final int LEAST_ROWS_PER_ENTRY = 2;

  private static final int CODE_BYTES = Integer.BYTES;
  private static final int UNUSED = -1;

  private final Map<Dictionary, Used> usedOf = new IdentityHashMap<>();
  private final Map<ByteBuffer, Integer> codes = new HashMap<>();
  private final List<ColumnSlice> entries = new ArrayList<>();
  private final byte[] codeOfRow;
  private final int mostEntries;

  /**
   * The used entries of a dictionary.
   *
   * @param strings its entries
   * @param codes the block's code of each entry, or {@link #UNUSED}
   */
  private record Used(ColumnEncoder.Strings strings, int[] codes) {
    static Used none(Dictionary dictionary) {
      int[] codes = new int[dictionary.entryCount()];
      Arrays.fill(codes, UNUSED);
      return new Used(new ColumnEncoder.Strings(dictionary.entries()), codes);
    }
  }

  private BlockCodes(int rows) {
    this.codeOfRow = new byte[rows];
    this.mostEntries = Math.min(MAX_ENTRIES, rows / LEAST_ROWS_PER_ENTRY);
  }

  /**
   * Returns the codes of strings when codes pay: all strings are codes of small dictionaries, and
   * there are at least twice as many rows as entries.
   *
   * @param slices columns of strings, which need not be dictionary columns
   */
  static Optional<BlockCodes> of(List<ColumnSlice> slices) {
    if (!slices.stream().allMatch(BlockCodes::isCoded)) {
      return Optional.empty(); // the usual case: most strings are not codes
    }
    BlockCodes codes = new BlockCodes(ColumnSlice.rows(slices));
    int row = 0;
    for (ColumnSlice slice : slices) {
      if (!codes.add(slice, row)) {
        return Optional.empty();
      }
      row += slice.count();
    }
    return codes.entries.isEmpty() ? Optional.empty() : Optional.of(codes);
  }

  private static boolean isCoded(ColumnSlice slice) {
    Dictionary dictionary = slice.column().dictionary();
    return slice.count() == 0 || (dictionary != null && dictionary.entryCount() <= MAX_ENTRIES);
  }

  /** Returns the entries by their codes, each a row of a dictionary. */
  List<ColumnSlice> entries() {
    return entries;
  }

  /** Writes a code per row, 0 for nulls. */
  void write(long address) {
    Memory.copy(codeOfRow, 0, address, codeOfRow.length);
  }

  /** Finds the codes of a slice; returns false when there are too many entries to pay. */
  private boolean add(ColumnSlice slice, int firstRow) {
    ColumnVector column = slice.column();
    if (slice.count() == 0) {
      return true;
    }
    Dictionary dictionary = column.dictionary();
    Used used = usedOf.computeIfAbsent(dictionary, Used::none);
    int[] blockCodes = used.codes();
    long data = column.data().address();
    long validity = column.validity() == null ? 0 : column.validity().address();
    for (int i = 0; i < slice.count(); i++) {
      int row = slice.first() + i;
      if (validity != 0 && !Bitmaps.isSet(validity, row)) {
        continue;
      }
      int code = Memory.getInt(data + (long) row * CODE_BYTES);
      if (blockCodes[code] == UNUSED) {
        blockCodes[code] = codeOf(dictionary, used.strings(), code);
        if (entries.size() > mostEntries) {
          return false;
        }
      }
      codeOfRow[firstRow + i] = (byte) blockCodes[code];
    }
    return true;
  }

  /** Returns the block's code of an entry, a new one unless another dictionary has the string. */
  private int codeOf(Dictionary dictionary, ColumnEncoder.Strings strings, int entry) {
    ByteBuffer text = Memory.byteBuffer(strings.address(entry), strings.length(entry));
    Integer known = codes.putIfAbsent(text, entries.size());
    if (known != null) {
      return known;
    }
    entries.add(new ColumnSlice(dictionary.entries(), entry, 1));
    return entries.size() - 1;
  }
}
