package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Requests come out of their bytes as they went in; other bytes are refused. */
class TestBlockRequest {
  private final Random random = RandomBatches.create().random();

  private BlockRequest request(int ranges) {
    List<BlockRange> list = new ArrayList<>();
    for (int i = 0; i < ranges; i++) {
      int first = random.nextInt(Integer.MAX_VALUE - 1);
      list.add(
          new BlockRange(
              random.nextInt(Integer.MAX_VALUE),
              random.nextLong() >>> 1,
              first,
              first + 1 + random.nextInt(Integer.MAX_VALUE - first),
              random.nextLong() >>> 1));
    }
    return new BlockRequest(list, 1 + (random.nextLong() >>> 2), random.nextLong() >>> 1);
  }

  private static byte[] bytes(BlockRequest request) {
    ByteBuffer encoded = request.encoded();
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  /** Returns whether the bytes were a request; they are refused by the one exception otherwise. */
  private static boolean isRequest(ByteBuffer bytes) {
    try {
      BlockRequest.decode(bytes);
      return true;
    } catch (EngineException e) {
      assertEquals(ErrorCode.TRANSPORT, e.code());
      return false;
    }
  }

  @Test
  void comesBackFromItsBytes() {
    for (int ranges : new int[] {1, 2, 511, 512, BlockRequest.MAX_RANGES}) {
      BlockRequest request = request(ranges);
      ByteBuffer bytes = request.encoded();
      assertTrue(bytes.remaining() <= Transport.MAX_REQUEST_BYTES);
      assertEquals(request, BlockRequest.decode(bytes));
    }
  }

  @Test
  void refusesWrongBounds() {
    BlockRange range = new BlockRange(0, 0, 0, 1, 0);
    assertThrows(IllegalArgumentException.class, () -> new BlockRequest(List.of(), 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new BlockRequest(List.of(range), 0, 0));
    List<BlockRange> many = Collections.nCopies(BlockRequest.MAX_RANGES + 1, range);
    assertThrows(IllegalArgumentException.class, () -> new BlockRequest(many, 1, 0));
  }

  @Test
  void refusesShorterAndLongerBytes() {
    byte[] bytes = bytes(request(3));
    for (int length = 0; length < bytes.length; length++) {
      assertFalse(isRequest(ByteBuffer.wrap(bytes, 0, length)), "length " + length);
    }
    assertFalse(isRequest(ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 1))));
  }

  @Test
  void refusesOrReadsRandomBytes() {
    for (int run = 0; run < 100_000; run++) {
      byte[] bytes;
      if (run % 2 == 0) {
        bytes = new byte[random.nextInt(100)];
        random.nextBytes(bytes);
      } else {
        bytes = bytes(request(1 + random.nextInt(3)));
        for (int i = random.nextInt(4); i >= 0; i--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
      }
      isRequest(ByteBuffer.wrap(bytes));
    }
  }
}
