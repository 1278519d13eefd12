package io.ariadne.shuffle.transport.netty;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.spark.network.server.AbstractAuthRpcHandler;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.TransportServerBootstrap;

/**
 * Closes connections whose peers do not authenticate in time. Spark's library keeps them, as long
 * as their peers like.
 *
 * @param authentication begins the handshake of a connection
 * @param millis how long it may take
 */
record HandshakeLimit(TransportServerBootstrap authentication, long millis)
    implements TransportServerBootstrap {
  private static final AttributeKey<AbstractAuthRpcHandler> HANDSHAKE =
      AttributeKey.valueOf(HandshakeLimit.class, "handshake");

  /** Returns what tells whether the handshake of a connection is over, or there is none. */
  static BooleanSupplier isAuthenticated(Channel channel) {
    AbstractAuthRpcHandler handshake = channel.attr(HANDSHAKE).get();
    return () -> handshake == null || handshake.isAuthenticated();
  }

  /** Limits the handshakes of some bootstraps, as far as they have any. */
  static List<TransportServerBootstrap> of(List<TransportServerBootstrap> servers, long millis) {
    return servers.stream()
        .<TransportServerBootstrap>map(server -> new HandshakeLimit(server, millis))
        .toList();
  }

  @Override
  public RpcHandler doBootstrap(Channel channel, RpcHandler handler) {
    RpcHandler result = authentication.doBootstrap(channel, handler);
    if (result instanceof AbstractAuthRpcHandler handshake) {
      channel.attr(HANDSHAKE).set(handshake);
      Future<?> limit =
          channel
              .eventLoop()
              .schedule(() -> closeStranger(channel, handshake), millis, TimeUnit.MILLISECONDS);
      var unused = channel.closeFuture().addListener(closed -> limit.cancel(false));
    }
    return result;
  }

  private static void closeStranger(Channel channel, AbstractAuthRpcHandler handshake) {
    if (!handshake.isAuthenticated()) {
      var unused = channel.close();
    }
  }
}
