package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.codec.Codec;
import io.ariadne.shuffle.codec.CompressionPolicy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks that cannot be compressed are sent as they are. */
@Timeout(60)
class TestBlockCompression {
  private static final int ROW_BYTES = 50_000;

  private final MemoryPool pool = MemoryPools.host("sender", 64 << 20, true);
  private final TestingBlocks blocks = new TestingBlocks(pool, 1);
  private final FailingMemory memory = new FailingMemory();
  private final LinkedBlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
  private final List<String> warnings = new ArrayList<>();
  private final Logger logger = (Logger) LogManager.getLogger(BlockServer.class);
  private final AbstractAppender appender =
      new AbstractAppender("warnings", null, null, false, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          if (event.getLevel().equals(Level.WARN)) {
            warnings.add(event.getMessage().getFormattedMessage());
          }
        }
      };

  /** One thread, so that failures come one after another. */
  private BlockServer server;

  private int requests;

  private record Reply(BlockReply head, byte[] content) {}

  /** Memory for compressed blocks. */
  private final class FailingMemory implements BufferAllocator {
    volatile Throwable failure;
    volatile int calls;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the one thread of the server
    public MemoryBuffer allocate(long lengthInBytes) {
      calls++;
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      if (failure instanceof Error e) {
        throw e;
      }
      return pool.allocate(lengthInBytes);
    }

    @Override
    public long allocatedBytes() {
      return pool.allocatedBytes();
    }

    @Override
    public MemoryTier tier() {
      return pool.tier();
    }
  }

  @BeforeEach
  void open() {
    appender.start();
    Configurator.setLevel(BlockServer.class.getName(), Level.WARN);
    logger.addAppender(appender);
    server =
        new BlockServer(
            "test",
            blocks,
            memory,
            CompressionPolicy.always(Codec.LZ4),
            new TransportCounters(),
            Duration.ofMinutes(1),
            1);
  }

  @AfterEach
  void close() {
    server.close();
    logger.removeAppender(appender);
    Configurator.setLevel(BlockServer.class.getName(), (Level) null);
    appender.stop();
    assertEquals(0, pool.allocatedBytes());
    pool.close();
  }

  /** Returns the reply to a request for a block of its own, which is as long as it can be. */
  private Reply ask() throws InterruptedException {
    BlockRange range = new BlockRange(requests++, 0, 0, 1, 0);
    blocks.add(range, List.of(content()));
    BlockRequest request = new BlockRequest(List.of(range), 1 << 20, 0);
    server.handle(
        request.encoded(),
        new Transport.Responder() {
          @Override
          public Object connection() {
            return "connection";
          }

          @Override
          public String remoteAddress() {
            return "peer";
          }

          @Override
          public void reply(List<ByteBuffer> parts, Runnable whenSent) {
            ReplyBytes bytes = new ReplyBytes(parts);
            BlockReply head = BlockReply.decode(bytes, request);
            byte[] content = bytes.take((int) bytes.remaining()).array();
            whenSent.run();
            replies.add(new Reply(head, content));
          }

          @Override
          public void disconnect() {}
        });
    return replies.take();
  }

  private static byte[] content() {
    byte[] content = new byte[ROW_BYTES];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i / 100);
    }
    return content;
  }

  private void assertPlain(Reply reply) {
    assertEquals(List.of(new BlockReply.Entry(0, 1, ROW_BYTES)), reply.head().blocks());
    assertArrayEquals(content(), reply.content());
  }

  private static void assertCompressed(Reply reply) {
    BlockReply.Entry block = reply.head().blocks().get(0);
    assertEquals(Codec.LZ4, block.codec());
    assertTrue(block.lengthInBytes() < ROW_BYTES, block.toString());
  }

  @Test
  void sendsPlainBlocksWhileThereIsNoMemoryToCompress() throws InterruptedException {
    assertCompressed(ask());
    memory.failure = new EngineException(ErrorCode.OUT_OF_MEMORY, "no memory for a codec");
    assertPlain(ask());
    assertPlain(ask());
    memory.failure = null;
    assertCompressed(ask());
    assertEquals(List.of(), warnings);
  }

  @Test
  void compressesNothingAfterACodecHasFailed() throws InterruptedException {
    for (Throwable failure :
        List.of(new IllegalStateException("a codec fails"), new NoSuchMethodError("a codec"))) {
      memory.failure = failure;
      assertPlain(ask());
      memory.failure = null;
      int calls = memory.calls;
      for (int i = 0; i < 5; i++) {
        assertPlain(ask());
      }
      assertEquals(calls, memory.calls);
      assertEquals(1, warnings.size(), warnings.toString());
      assertTrue(warnings.get(0).contains("LZ4"), warnings.get(0));
      restart();
    }
  }

  /** Begins again with a server that compresses. */
  private void restart() {
    server.close();
    warnings.clear();
    logger.removeAppender(appender);
    open();
  }
}
