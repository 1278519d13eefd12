package io.ariadne.shuffle.transport.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.shuffle.transport.ArrivalRate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TestArrivalTimes {
  private final Random random = RandomBatches.create().random();

  @Test
  void scannerFindsMessagesInAnyPieces() {
    List<Long> expected = new ArrayList<>();
    ByteBuf all = Unpooled.buffer();
    for (int i = 0; i < 200; i++) {
      int body = random.nextInt(4) == 0 ? 0 : random.nextInt(500);
      all.writeLong(Long.BYTES + body).writeBytes(new byte[body]);
      expected.add((long) Long.BYTES + body);
    }
    List<Long> found = new ArrayList<>();
    FrameScanner scanner =
        new FrameScanner(
            new FrameScanner.Listener() {
              private long length;
              private long seen;

              @Override
              public boolean begins(long lengthInBytes) {
                length = lengthInBytes;
                seen = Long.BYTES;
                return true;
              }

              @Override
              public void continues(int count) {
                seen += count;
              }

              @Override
              public void ends() {
                assertEquals(length, seen);
                found.add(length);
              }
            });
    while (all.isReadable()) {
      int count = Math.min(all.readableBytes(), random.nextInt(700));
      assertTrue(scanner.scan(all.readSlice(count)));
    }
    assertEquals(expected, found);
  }

  @Test
  void measuresFromTheFirstReadToTheLast() throws InterruptedException {
    ArrivalRate rate = new ArrivalRate();
    EmbeddedChannel channel = new EmbeddedChannel(new ArrivalTimes(rate));
    int piece = 100 << 10;
    long start = System.nanoTime();
    channel.writeInbound(Unpooled.buffer().writeLong(Long.BYTES + 3L * piece), piece(piece));
    assertEquals(0, rate.bytesPerSecond());
    Thread.sleep(20);
    channel.writeInbound(piece(piece));
    Thread.sleep(20);
    channel.writeInbound(piece(piece));
    double nanos = System.nanoTime() - start;
    double measured = rate.bytesPerSecond();
    assertTrue(measured > 0 && measured < 3 * piece / 0.04, measured + " bytes per second");
    assertTrue(measured >= 2 * piece / nanos * 1e9 * 0.5, measured + " bytes per second");
    channel.releaseInbound();
    assertFalse(channel.finish());
  }

  @Test
  void ignoresMessagesOfOneRead() {
    ArrivalRate rate = new ArrivalRate();
    EmbeddedChannel channel = new EmbeddedChannel(new ArrivalTimes(rate));
    ByteBuf message = Unpooled.buffer().writeLong(Long.BYTES + 200_000).writeZero(200_000);
    channel.writeInbound(message);
    assertEquals(0, rate.bytesPerSecond());
    channel.releaseInbound();
    assertFalse(channel.finish());
  }

  private static ByteBuf piece(int bytes) {
    return Unpooled.buffer().writeZero(bytes);
  }
}
