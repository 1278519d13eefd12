package io.ariadne.io.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.io.ByteRange;
import io.ariadne.io.s3.PartPlan.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestPartPlan {
  private static final int MIB = 1 << 20;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void hasNoPartsWithoutBytes() {
    try (MemoryBuffer target = memory.allocator().allocate(10)) {
      assertEquals(List.of(), PartPlan.of(List.of(new ByteRange(5, target, 0, 0))));
    }
  }

  @Test
  void keepsRangesWithGapsApart() {
    try (MemoryBuffer target = memory.allocator().allocate(100)) {
      List<Part> parts =
          PartPlan.of(
              List.of(
                  new ByteRange(31, target, 60, 10),
                  new ByteRange(20, target, 0, 10),
                  new ByteRange(20, target, 20, 10),
                  new ByteRange(10, target, 40, 10)));
      assertEquals(3, parts.size());
      assertEquals(10, parts.get(0).position());
      assertEquals(20, parts.get(0).length());
      assertEquals(20, parts.get(1).position());
      assertEquals(31, parts.get(2).position());
    }
  }

  @Test
  void dividesWhatIsLongAndKeepsWhatIsNot() {
    try (MemoryBuffer target = memory.allocator().allocate(40 * MIB)) {
      assertEquals(1, PartPlan.of(List.of(new ByteRange(3, target, 0, 16 * MIB))).size());
      List<Part> parts = PartPlan.of(List.of(new ByteRange(3, target, 0, 40L * MIB - 1)));
      assertEquals(5, parts.size());
      long at = 3;
      for (Part part : parts) {
        assertEquals(at, part.position());
        assertTrue(part.length() <= 8 * MIB, "part of " + part.length());
        at += part.length();
      }
      assertEquals(3 + 40L * MIB - 1, at);
    }
  }

  @Test
  void putsBytesIntoTheirTargets() {
    byte[] object = new byte[18 * MIB];
    Random random = new Random(3);
    random.nextBytes(object);
    List<ByteRange> ranges = new ArrayList<>();
    List<MemoryBuffer> targets = new ArrayList<>();
    for (int at = 0; at < object.length; ) {
      int length = Math.min(object.length - at, 1 + random.nextInt(3 * MIB));
      MemoryBuffer target = memory.allocator().allocate(length + 7);
      targets.add(target);
      ranges.add(new ByteRange(at, target, 7, length));
      at += length;
    }
    Collections.shuffle(ranges, random);
    for (Part part : PartPlan.of(ranges)) {
      for (int done = 0; done < part.length(); ) {
        int count = (int) Math.min(part.length() - done, 1 + random.nextInt(200_000));
        byte[] chunk = new byte[count];
        System.arraycopy(object, (int) part.position() + done, chunk, 0, count);
        part.put(done, chunk, count);
        done += count;
      }
    }
    for (ByteRange range : ranges) {
      for (int i = 0; i < range.length(); i += 97) {
        assertEquals(object[(int) range.position() + i], range.target().getByte(7 + i));
      }
    }
    targets.forEach(MemoryBuffer::close);
  }
}
