package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TestReplyBytes {
  private final MemoryPool memory = MemoryPools.host("reply", 1 << 20, true);

  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, memory.allocatedBytes());
    memory.close();
  }

  private MemoryBuffer piece(int length, int firstByte) {
    MemoryBuffer piece = memory.allocate(length);
    for (int i = 0; i < length; i++) {
      piece.putByte(i, (byte) (firstByte + i));
    }
    return piece;
  }

  @Test
  void passesOnWholePieces() {
    MemoryBuffer second = piece(5, 3);
    try (ReplyBytes bytes = ReplyBytes.owning(List.of(piece(3, 0), second))) {
      assertEquals(ByteBuffer.wrap(new byte[] {0, 1, 2}), bytes.take(3));
      assertEquals(5, bytes.remaining());
      try (MemoryBuffer taken = bytes.takeBuffer(5, memory)) {
        assertSame(second, taken);
      }
      assertEquals(0, bytes.remaining());
      assertThrows(BufferUnderflowException.class, () -> bytes.take(1));
    }
  }

  @Test
  void copiesPartsOfPieces() {
    MemoryBuffer first = piece(4, 0);
    try (ReplyBytes bytes = ReplyBytes.owning(List.of(first, piece(4, 4)))) {
      for (int at : new int[] {0, 3, 6}) {
        int length = Math.min(3, 8 - at);
        try (MemoryBuffer taken = bytes.takeBuffer(length, memory)) {
          assertNotEquals(first, taken);
          assertEquals(length, taken.lengthInBytes());
          for (int i = 0; i < length; i++) {
            assertEquals(at + i, taken.getByte(i));
          }
        }
      }
    }
  }

  @Test
  void copiesTheRestOfAPieceThatWasBegun() {
    MemoryBuffer whole = piece(4, 0);
    try (ReplyBytes bytes = ReplyBytes.owning(List.of(whole))) {
      assertEquals(0, bytes.take(1).get());
      try (MemoryBuffer rest = bytes.takeBuffer(3, memory)) {
        assertNotEquals(whole, rest);
        assertEquals(1, rest.getByte(0));
      }
    }
  }

  @Test
  void copiesBytesThatItDoesNotOwn() {
    try (ReplyBytes bytes = new ReplyBytes(List.of(ByteBuffer.wrap(new byte[] {7, 8})));
        MemoryBuffer taken = bytes.takeBuffer(2, memory)) {
      assertEquals(7, taken.getByte(0));
      assertEquals(8, taken.getByte(1));
    }
  }

  @Test
  void freesWhatWasNotTaken() {
    ReplyBytes bytes = ReplyBytes.owning(List.of(piece(3, 0), piece(100, 3), piece(9, 0)));
    bytes.take(5);
    bytes.close();
    assertEquals(0, memory.allocatedBytes());
  }
}
