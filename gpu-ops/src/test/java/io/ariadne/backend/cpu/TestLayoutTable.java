package io.ariadne.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.kernel.abi.KernelRecordLayout;
import io.ariadne.kernel.abi.LayoutRecordLayout;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The offsets that the Java side was compiled with are those that the loaded host library was
 * compiled with: every field of every struct, read from the library's own table.
 */
class TestLayoutTable {
  private static final int MAX_NAME_LENGTH = 128;
  private static final String OFFSET = "_OFFSET";

  private final KernelTable kernels = KernelTable.ofHost();
  private final Map<String, Structure> structures = read();

  /**
   * A struct of the library.
   *
   * @param sizeInBytes its size
   * @param offsets in bytes, by the name of the Java constant
   */
  private record Structure(int sizeInBytes, Map<String, Integer> offsets) {}

  private static Map<String, Structure> read() {
    Map<String, Structure> structures = new TreeMap<>();
    long record = NativeHost.layoutTableAddress();
    for (int i = 0; i < NativeHost.layoutTableCount(); i++) {
      int size = Memory.getInt(record + LayoutRecordLayout.STRUCTURE_BYTES_OFFSET);
      structures
          .computeIfAbsent(
              text(record + LayoutRecordLayout.STRUCTURE_OFFSET),
              name -> new Structure(size, new TreeMap<>()))
          .offsets()
          .put(
              text(record + LayoutRecordLayout.FIELD_OFFSET).toUpperCase(Locale.ROOT) + OFFSET,
              Memory.getInt(record + LayoutRecordLayout.OFFSET_OFFSET));
      record += LayoutRecordLayout.SIZE_IN_BYTES;
    }
    return structures;
  }

  private static String text(long pointer) {
    long address = Memory.getLong(pointer);
    byte[] bytes = new byte[MAX_NAME_LENGTH];
    int length = 0;
    while (length < MAX_NAME_LENGTH && Memory.getByte(address + length) != 0) {
      bytes[length] = Memory.getByte(address + length);
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.US_ASCII);
  }

  @Test
  void everyFieldLiesWhereTheGeneratedLayoutSays() throws Exception {
    for (Map.Entry<String, Structure> entry : structures.entrySet()) {
      Class<?> layout = Class.forName("io.ariadne.kernel.abi." + classOf(entry.getKey()));
      Structure structure = entry.getValue();
      assertEquals(
          layout.getField("SIZE_IN_BYTES").getInt(null), structure.sizeInBytes(), entry.getKey());
      Map<String, Integer> generated = new TreeMap<>();
      for (Field field : layout.getFields()) {
        if (field.getName().endsWith(OFFSET)) {
          generated.put(field.getName(), field.getInt(null));
        }
      }
      assertEquals(generated, structure.offsets(), entry.getKey());
    }
  }

  @Test
  void theTableHoldsTheArgumentsOfEveryKernel() {
    Set<String> arguments =
        kernels.entries().stream()
            .map(KernelTable.Entry::argumentsName)
            .collect(Collectors.toSet());
    assertTrue(arguments.size() > 1);
    assertTrue(structures.keySet().containsAll(arguments), structures.keySet().toString());
    assertTrue(
        structures
            .keySet()
            .containsAll(Set.of("kernel_status", "column_view", "tile_instruction")));
    assertEquals(KernelRecordLayout.SIZE_IN_BYTES, structures.get("kernel_record").sizeInBytes());
  }

  private static String classOf(String structName) {
    return Stream.concat(
            Arrays.stream(structName.split("_"))
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1)),
            Stream.of("Layout"))
        .collect(Collectors.joining());
  }
}
