package io.ariadne.shuffle.spark;

import io.ariadne.error.EngineException;
import io.ariadne.shuffle.strategy.MapOutputMerger;
import io.ariadne.shuffle.transport.BlockServer;
import io.ariadne.shuffle.transport.Transport;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives messages of peers to what they are for. Thread-safe.
 *
 * @param server answers requests for blocks
 * @param merger takes notices of map outputs
 */
record MessageHandler(BlockServer server, MapOutputMerger merger) implements Transport.Handler {
  /** Most bytes of the answer to a notice. */
  static final int MAX_ANSWER_BYTES = 16;

  private static final Logger LOG = LoggerFactory.getLogger(MessageHandler.class);

  @Override
  public void handle(ByteBuffer message, Transport.Responder responder) {
    if (!MapOutputMerger.isNotice(message)) {
      server.handle(message, responder);
      return;
    }
    try {
      merger.handle(message);
    } catch (EngineException e) {
      LOG.warn("{}, from {}", e.getMessage(), responder.remoteAddress());
    }
    responder.reply(List.of(ByteBuffer.allocate(1)), () -> {});
  }

  @Override
  public void disconnected(Object connection) {
    server.disconnected(connection);
  }
}
