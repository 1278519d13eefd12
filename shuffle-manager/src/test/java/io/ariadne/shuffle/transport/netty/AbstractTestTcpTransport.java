package io.ariadne.shuffle.transport.netty;

import io.ariadne.shuffle.transport.AbstractTestTransport;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/** The contract over TCP connections of this host. */
abstract class AbstractTestTcpTransport extends AbstractTestTransport {
  /** Returns how connections are made. */
  abstract TcpSettings settings();

  /** Returns settings of plain connections, with settings of Spark. */
  static TcpSettings plain(Map<String, String> settings) {
    return new TcpSettings(conf(settings), "127.0.0.1", 0, 0, List.of(), List.of());
  }

  static TransportConf conf(Map<String, String> settings) {
    return new TransportConf("ariadne", new MapConfigProvider(settings));
  }

  @Override
  protected Transport start(String name, Transport.Handler handler) {
    return TcpTransport.start(name, settings(), handler);
  }

  @Override
  protected void disconnect(Object connection) {
    var unused = ((Channel) connection).close();
  }

  /** Sends a request of so many bytes; returns why there is no reply, or null. */
  static Throwable refusal(Transport asking, Peer peer, int lengthInBytes) {
    return refusal(asking, peer, lengthInBytes, Long.MAX_VALUE);
  }

  /** Sends a request whose reply is limited; returns why there is no reply, or null. */
  static Throwable refusal(Transport asking, Peer peer, int lengthInBytes, long maxReplyBytes) {
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    asking.request(
        peer,
        ByteBuffer.allocate(lengthInBytes),
        maxReplyBytes,
        new Transport.Listener() {
          @Override
          public void received(ReplyBytes bytes) {
            outcome.complete(null);
          }

          @Override
          public void failed(Throwable cause) {
            outcome.complete(cause);
          }
        });
    return outcome.join();
  }
}
