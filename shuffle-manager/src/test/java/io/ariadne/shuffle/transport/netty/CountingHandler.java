package io.ariadne.shuffle.transport.netty;

import io.ariadne.shuffle.transport.Transport;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers each request with a few bytes, and counts the requests. */
final class CountingHandler implements Transport.Handler {
  private final AtomicInteger count = new AtomicInteger();

  @Override
  public void handle(ByteBuffer request, Transport.Responder responder) {
    count.incrementAndGet();
    responder.reply(List.of(ByteBuffer.allocate(5)), () -> {});
  }

  @Override
  public void disconnected(Object connection) {}

  int count() {
    return count.get();
  }
}
