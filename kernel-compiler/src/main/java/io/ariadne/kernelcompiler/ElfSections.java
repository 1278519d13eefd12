package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Names and contents of the sections of a 64-bit little-endian ELF file (cubins are such files).
 */
final class ElfSections {

  private static final int HEADER_TABLE_OFFSET = 0x28;
  private static final int HEADER_SIZE_OFFSET = 0x3A;
  private static final int HEADER_COUNT_OFFSET = 0x3C;
  private static final int NAME_TABLE_INDEX_OFFSET = 0x3E;
  private static final int SECTION_FILE_OFFSET = 0x18;
  private static final int SECTION_SIZE_OFFSET = 0x20;

  private static final int SECTION_TYPE = 4;
  private static final int WITHOUT_CONTENT = 8; // SHT_NOBITS

  private final Map<String, byte[]> contents = new HashMap<>();

  private ElfSections() {}

  /** Reads the section table of a file. */
  static ElfSections read(Path file) throws IOException {
    ByteBuffer elf = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (elf.limit() < 64 || elf.getInt(0) != 0x464C457F || elf.get(4) != 2) {
      throw new KernelBuildException(file + " is not a 64-bit ELF file");
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
      if (elf.getInt(header + SECTION_TYPE) != WITHOUT_CONTENT) {
        byte[] content = new byte[Math.toIntExact(elf.getLong(header + SECTION_SIZE_OFFSET))];
        elf.get(Math.toIntExact(elf.getLong(header + SECTION_FILE_OFFSET)), content);
        sections.contents.put(name, content);
      }
    }
    return sections;
  }

  /** Returns the bytes of a section, none when the file has no section of that name. */
  byte[] contentOf(String section) {
    return contents.getOrDefault(section, new byte[0]);
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
