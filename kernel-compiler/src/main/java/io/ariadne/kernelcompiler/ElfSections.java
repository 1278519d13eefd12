package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Names and sizes of the sections of a 64-bit little-endian ELF file (cubins are such files). */
final class ElfSections {

  private static final int HEADER_TABLE_OFFSET = 0x28;
  private static final int HEADER_SIZE_OFFSET = 0x3A;
  private static final int HEADER_COUNT_OFFSET = 0x3C;
  private static final int NAME_TABLE_INDEX_OFFSET = 0x3E;
  private static final int SECTION_FILE_OFFSET = 0x18;
  private static final int SECTION_SIZE_OFFSET = 0x20;

  private final Map<String, Integer> sizes = new HashMap<>();

  private ElfSections() {}

  /** Reads the section table of a file. */
  static ElfSections read(Path file) throws IOException {
    ByteBuffer elf = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (elf.limit() < 64 || elf.getInt(0) != 0x464C457F || elf.get(4) != 2) {
      throw new KernelBuildException(file + " is no 64-bit ELF file");
    }
    int table = Math.toIntExact(elf.getLong(HEADER_TABLE_OFFSET));
    int headerSize = Short.toUnsignedInt(elf.getShort(HEADER_SIZE_OFFSET));
    int count = Short.toUnsignedInt(elf.getShort(HEADER_COUNT_OFFSET));
    int names = Short.toUnsignedInt(elf.getShort(NAME_TABLE_INDEX_OFFSET));
    int nameTable = Math.toIntExact(elf.getLong(table + names * headerSize + SECTION_FILE_OFFSET));
    ElfSections sections = new ElfSections();
    for (int i = 0; i < count; i++) {
      int header = table + i * headerSize;
      String name = zeroTerminated(elf, nameTable + elf.getInt(header));
      sections.sizes.put(name, Math.toIntExact(elf.getLong(header + SECTION_SIZE_OFFSET)));
    }
    return sections;
  }

  /** Returns the size of a section in bytes, 0 when there is none of that name. */
  int sizeOf(String section) {
    return sizes.getOrDefault(section, 0);
  }

  private static String zeroTerminated(ByteBuffer elf, int offset) {
    int end = offset;
    while (elf.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end - offset];
    elf.get(offset, name);
    return new String(name, StandardCharsets.US_ASCII);
  }
}
