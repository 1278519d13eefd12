package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.shuffle.codec.Codec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Replies come out of their bytes as they went in; what does not fit the request is refused. */
class TestBlockReply {
  private static final int RANGES = 5;
  private static final int MAX_BYTES = 1000;

  private final Random random = RandomBatches.create().random();
  private final BlockRequest request =
      new BlockRequest(Collections.nCopies(RANGES, new BlockRange(0, 0, 0, 1, 0)), MAX_BYTES, 0);

  /** Returns a reply that is right, with blocks of fewer than 50 bytes. */
  private BlockReply reply() {
    int done = random.nextInt(RANGES + 1);
    List<BlockReply.Entry> blocks = new ArrayList<>();
    long rows = 0;
    for (int range = 0; range <= Math.min(done, RANGES - 1); range++) {
      for (int i = random.nextInt(4); i > 0; i--) {
        BlockReply.Entry block = entry(range, 1 + random.nextInt(1000), 1 + random.nextInt(49));
        blocks.add(block);
        rows += range == done ? block.rows() : 0;
      }
    }
    return new BlockReply(BlockReply.Status.BLOCKS, done, rows, 0, "", blocks);
  }

  private BlockReply.Entry entry(int range, int rows, int lengthInBytes) {
    Codec codec = Codec.of((byte) random.nextInt(Codec.values().length));
    long longer = 1 + random.nextLong(Codec.MAX_BYTES - lengthInBytes);
    long plainBytes = lengthInBytes + (codec == Codec.NONE ? 0 : longer);
    return new BlockReply.Entry(range, rows, lengthInBytes, codec, plainBytes);
  }

  private static byte[] bytes(BlockReply reply) {
    long length = reply.blocks().stream().mapToLong(BlockReply.Entry::lengthInBytes).sum();
    ByteBuffer head = reply.encoded();
    byte[] bytes = new byte[head.remaining() + (int) length];
    head.get(bytes, 0, head.remaining());
    return bytes;
  }

  private List<ByteBuffer> pieces(byte[] bytes) {
    List<ByteBuffer> pieces = new ArrayList<>();
    int at = 0;
    while (at < bytes.length) {
      int length = Math.min(random.nextInt(40), bytes.length - at);
      pieces.add(ByteBuffer.wrap(bytes, at, length));
      at += length;
    }
    return pieces;
  }

  private BlockReply decode(byte[] bytes) {
    return BlockReply.decode(new ReplyBytes(pieces(bytes)), request);
  }

  /** Returns whether a reply was read; it is refused by the one exception otherwise. */
  private boolean isValid(byte[] bytes) {
    try {
      BlockReply reply = decode(bytes);
      assertTrue(reply.doneRanges() <= RANGES);
      long length = reply.blocks().stream().mapToLong(BlockReply.Entry::lengthInBytes).sum();
      assertTrue(length <= MAX_BYTES && length <= bytes.length, length + " bytes");
      return true;
    } catch (EngineException e) {
      assertEquals(ErrorCode.TRANSPORT, e.code());
      return false;
    }
  }

  private boolean isValid(BlockReply reply) {
    return isValid(bytes(reply));
  }

  @Test
  void comesBackFromItsBytes() {
    for (int run = 0; run < 1000; run++) {
      BlockReply reply = reply();
      byte[] bytes = bytes(reply);
      ReplyBytes rest = new ReplyBytes(pieces(bytes));
      assertEquals(reply, BlockReply.decode(rest, request));
      assertEquals(bytes.length - reply.encoded().remaining(), rest.remaining());
    }
    for (BlockReply.Status status : BlockReply.Status.values()) {
      long number = status == BlockReply.Status.GONE ? RANGES - 3 : MAX_BYTES + 1;
      BlockReply reply = BlockReply.without(status, 3, number, "why: \u00e9\u4e2d");
      assertEquals(reply, decode(bytes(reply)));
    }
  }

  @Test
  void cutsLongMessages() {
    BlockReply reply = BlockReply.without(BlockReply.Status.FAILED, 0, 0, "\u4e2d".repeat(10_000));
    String message = decode(bytes(reply)).message();
    assertTrue(message.startsWith("\u4e2d".repeat(300)) && message.length() < 400, message);
  }

  @Test
  void refusesWhatDoesNotFitTheRequest() {
    BlockReply.Entry block = new BlockReply.Entry(0, 10, 20);
    BlockReply.Status blocks = BlockReply.Status.BLOCKS;
    assertTrue(isValid(new BlockReply(blocks, 1, 0, 0, "", List.of(block))));
    assertTrue(isValid(new BlockReply(blocks, 0, 10, 0, "", List.of(block))));
    // More ranges, other rows, and blocks of ranges that were not reached.
    assertFalse(isValid(new BlockReply(blocks, RANGES + 1, 0, 0, "", List.of())));
    assertFalse(isValid(new BlockReply(blocks, -1, 0, 0, "", List.of())));
    assertFalse(isValid(new BlockReply(blocks, RANGES, 1, 0, "", List.of())));
    assertFalse(isValid(new BlockReply(blocks, 0, 11, 0, "", List.of(block))));
    assertFalse(isValid(new BlockReply(blocks, 0, 0, 0, "", List.of(block))));
    assertFalse(isValid(new BlockReply(blocks, 1, 10, 0, "", List.of(block))));
    for (BlockReply.Entry wrong :
        List.of(
            new BlockReply.Entry(2, 10, 20),
            new BlockReply.Entry(-1, 10, 20),
            new BlockReply.Entry(0, 0, 20),
            new BlockReply.Entry(0, -5, 20),
            new BlockReply.Entry(0, 10, 0),
            new BlockReply.Entry(0, 10, MAX_BYTES + 1),
            // Compressed blocks are shorter, and not too long for a codec.
            new BlockReply.Entry(0, 10, 20, Codec.NONE, 21),
            new BlockReply.Entry(0, 10, 20, Codec.LZ4, 20),
            new BlockReply.Entry(0, 10, 20, Codec.ZSTD, 0),
            new BlockReply.Entry(0, 10, 20, Codec.ZSTD, Codec.MAX_BYTES + 1))) {
      assertFalse(isValid(new BlockReply(blocks, 1, 0, 0, "", List.of(wrong))), wrong.toString());
    }
    BlockReply.Entry later = new BlockReply.Entry(1, 10, 20);
    assertFalse(isValid(new BlockReply(blocks, 2, 0, 0, "", List.of(later, block))));
  }

  @Test
  void refusesFailuresThatWouldNotEnd() {
    for (BlockReply.Status status : BlockReply.Status.values()) {
      boolean isBlocks = status == BlockReply.Status.BLOCKS;
      assertEquals(isBlocks, isValid(BlockReply.without(status, RANGES, MAX_BYTES + 1, "")));
    }
    // The receiver would ask for the same again at once.
    assertFalse(isValid(BlockReply.without(BlockReply.Status.TOO_LONG, 0, MAX_BYTES, "")));
    assertFalse(isValid(BlockReply.without(BlockReply.Status.TOO_LONG, 0, -1, "")));
    assertFalse(isValid(BlockReply.without(BlockReply.Status.GONE, 0, 0, "")));
    assertFalse(isValid(BlockReply.without(BlockReply.Status.BLOCKS, 0, -1, "")));
    assertFalse(isValid(BlockReply.without(BlockReply.Status.BUSY, 0, Long.MAX_VALUE, "")));
    assertFalse(isValid(BlockReply.without(BlockReply.Status.GONE, 1, RANGES, "")));
  }

  @Test
  void refusesShorterAndLongerBytes() {
    byte[] bytes = bytes(reply());
    for (int length = 0; length < bytes.length; length++) {
      assertFalse(isValid(Arrays.copyOf(bytes, length)), "length " + length);
    }
    assertFalse(isValid(Arrays.copyOf(bytes, bytes.length + 1)));
  }

  @Test
  void refusesOrReadsRandomBytes() {
    for (int run = 0; run < 100_000; run++) {
      byte[] bytes;
      if (run % 4 == 0) {
        bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
      } else {
        bytes = bytes(reply());
        for (int i = random.nextInt(3); i >= 0; i--) {
          // A bit more or less is worse than a random byte.
          int at = random.nextInt(Math.min(bytes.length, 80));
          bytes[at] += (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(5) - 2);
        }
      }
      isValid(bytes);
    }
  }
}
