package io.ariadne.shuffle.transport.netty;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.shuffle.transport.ArrivalRate;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPipeline;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import java.io.IOException;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.client.ChunkReceivedCallback;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.protocol.ChunkFetchSuccess;
import org.apache.spark.network.protocol.OneWayMessage;
import org.apache.spark.network.protocol.StreamChunkId;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.server.TransportServerBootstrap;
import org.apache.spark.network.util.TransportFrameDecoder;

/**
 * Moves requests and replies over TCP, by Spark's network library.
 *
 * <p>A request is a one-way message: its number (8 bytes, big endian) and the request. Its reply is
 * a chunk with that number, which the library brings to the listener of the number, in any order.
 * So a request takes one round trip, and threads of the server may reply when they have the blocks.
 *
 * <p>Replies are sent from the memory of the blocks, without a copy unless the connection is
 * encrypted.
 */
public final class TcpTransport implements Transport {
  private static final int FIRST_USER_PORT = 1024;
  private static final int MAX_PORT = 65_535;

  /**
   * What precedes a request or a reply in its message at most: the length, the type and numbers.
   */
  private static final int FRAME_BYTES = 64;

  private static final StreamManager NO_STREAMS =
      new StreamManager() {
        @Override
        public ManagedBuffer getChunk(long stream, int chunk) {
          throw onlyBlocks();
        }
      };

  /** The contexts of the server and of the clients. */
  private final List<TransportContext> contexts;

  private final TransportServer server;
  private final TransportClientFactory clients;

  /** Makes connections, which blocks. */
  private final ExecutorService connecting;

  private final RequestLines<Peer, Outgoing> lines;

  private final AtomicLong numbers = new AtomicLong();
  private final Map<Peer, ArrivalRate> rates = new ConcurrentHashMap<>();

  private TcpTransport(
      String name,
      TransportContext serving,
      TransportContext asking,
      TransportServer server,
      TcpSettings settings) {
    this.contexts = List.of(serving, asking);
    this.server = server;
    this.clients = asking.createClientFactory(settings.clients());
    this.connecting = Executors.newCachedThreadPool(Threads.daemons(name + "-connect"));
    this.lines = new RequestLines<>(connecting, new Connections());
  }

  /**
   * Starts to listen.
   *
   * @param name prefix of the names of threads
   * @param settings how connections are made
   * @param handler answers the requests of peers
   * @throws EngineException CONFIGURATION when no port is free
   */
  public static TcpTransport start(String name, TcpSettings settings, Handler handler) {
    TransportContext serving = new TransportContext(settings.conf(), new Requests(handler));
    TransportContext asking = null;
    TransportServer server = null;
    try {
      asking = new TransportContext(settings.conf(), new Replies());
      server = listen(serving, settings);
      return new TcpTransport(name, serving, asking, server, settings);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(server);
      closer.close(asking);
      closer.close(serving);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static TransportServer listen(TransportContext context, TcpSettings settings) {
    int retries = settings.port() == 0 ? 0 : settings.portRetries();
    List<TransportServerBootstrap> servers =
        HandshakeLimit.of(settings.servers(), settings.conf().authRTTimeoutMs());
    for (int i = 0; ; i++) {
      try {
        return context.createServer(settings.bindAddress(), port(settings, i), servers);
      } catch (Exception e) { // Netty throws checked exceptions without declaring them.
        if (!isBindFailure(e)) {
          throw e;
        }
        if (i == retries) {
          throw new EngineException(
              ErrorCode.CONFIGURATION,
              "no port from "
                  + settings.port()
                  + " to "
                  + port(settings, retries)
                  + " is free: "
                  + e.getMessage(),
              e);
        }
      }
    }
  }

  /** Returns the port of an attempt; after the last port comes the first that users may have. */
  private static int port(TcpSettings settings, int attempt) {
    int port = settings.port() + attempt;
    return port <= MAX_PORT ? port : port - MAX_PORT + FIRST_USER_PORT - 1;
  }

  /** Returns whether a port is refused, by the JDK's or by Netty's own system calls. */
  private static boolean isBindFailure(Throwable e) {
    return e instanceof BindException
        || (e instanceof IOException && String.valueOf(e.getMessage()).startsWith("bind("))
        || (e.getCause() != null && isBindFailure(e.getCause()));
  }

  private static UnsupportedOperationException onlyBlocks() {
    return new UnsupportedOperationException("only requests for blocks are served");
  }

  /** Refuses requests, such as those that come over connections which this process has made. */
  private static class NoRequests extends RpcHandler {
    @Override
    public void receive(TransportClient client, ByteBuffer message) {
      throw onlyBlocks();
    }

    @Override
    public void receive(TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
      callback.onFailure(onlyBlocks());
    }

    @Override
    public StreamManager getStreamManager() {
      return NO_STREAMS;
    }
  }

  private static FrameLimit frameLimit(BooleanSupplier isAuthenticated) {
    return new FrameLimit(MAX_REQUEST_BYTES + FRAME_BYTES, isAuthenticated);
  }

  /** Limits the replies of peers, before the first byte of theirs. */
  private static final class Replies extends NoRequests {
    @Override
    public void channelActive(TransportClient client) {
      Channel channel = client.getChannel();
      synchronized (channel) {
        limitOf(channel.pipeline());
      }
    }

    /**
     * Returns the limit of a connection's replies, which this adds when there is none yet: Netty
     * may tell that the connection is there before it tells that it is active. Null when it has
     * ended.
     */
    static FrameLimit limitOf(ChannelPipeline handlers) {
      FrameLimit limit = handlers.get(FrameLimit.class);
      if (limit == null && handlers.get(TransportFrameDecoder.HANDLER_NAME) != null) {
        limit = frameLimit(() -> true);
        handlers.addBefore(TransportFrameDecoder.HANDLER_NAME, "replyLimit", limit);
      }
      return limit;
    }
  }

  /** Takes the requests of peers. */
  private static final class Requests extends NoRequests {
    private final Handler handler;

    Requests(Handler handler) {
      this.handler = handler;
    }

    @Override
    public void channelActive(TransportClient client) {
      client
          .getChannel()
          .pipeline()
          .addBefore(
              TransportFrameDecoder.HANDLER_NAME,
              "requestLimit",
              frameLimit(HandshakeLimit.isAuthenticated(client.getChannel())));
    }

    @Override
    public void receive(TransportClient client, ByteBuffer message) {
      if (message.remaining() < Long.BYTES) {
        throw new IllegalArgumentException("a request of " + message.remaining() + " bytes");
      }
      long number = message.getLong();
      handler.handle(message.slice(), new Reply(client.getChannel(), number));
    }

    @Override
    public void channelInactive(TransportClient client) {
      handler.disconnected(client.getChannel());
    }
  }

  /** Sends one reply. */
  private record Reply(Channel channel, long number) implements Responder {
    @Override
    public Object connection() {
      return channel;
    }

    @Override
    public String remoteAddress() {
      return String.valueOf(channel.remoteAddress());
    }

    @Override
    public void disconnect() {
      var unused = channel.close();
    }

    @Override
    public void reply(List<ByteBuffer> parts, Runnable whenSent) {
      ChunkFetchSuccess message =
          new ChunkFetchSuccess(new StreamChunkId(number, 0), new PartsBuffer(parts));
      whenDone(
          channel.writeAndFlush(message),
          sent -> {
            whenSent.run();
            if (!sent.isSuccess()) {
              // Nothing else tells the peer that this reply does not come.
              var unused = channel.close();
            }
          });
    }
  }

  /**
   * Runs an action once when a write is over. A closed transport has no threads any more that would
   * run it: then this does.
   */
  private static void whenDone(ChannelFuture write, Consumer<Future<?>> action) {
    AtomicBoolean isDone = new AtomicBoolean();
    GenericFutureListener<Future<? super Void>> listener =
        done -> {
          if (isDone.compareAndSet(false, true)) {
            action.accept(done);
          }
        };
    var unused = write.addListener(listener);
    if (write.isDone() && isDone.compareAndSet(false, true)) {
      action.accept(write);
    }
  }

  @Override
  public String name() {
    return "tcp";
  }

  @Override
  public int port() {
    return server.getPort();
  }

  @Override
  public void request(Peer peer, ByteBuffer request, long maxReplyBytes, Listener listener) {
    if (request.remaining() > MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException("a request of " + request.remaining() + " bytes");
    }
    lines.add(peer, new Outgoing(request, maxReplyBytes, new Received(listener)));
  }

  /** A request that waits for its connection. */
  private record Outgoing(ByteBuffer request, long maxReplyBytes, Received received) {}

  private final class Connections implements RequestLines.Sender<Peer, Outgoing> {
    @Override
    public void send(Peer peer, Outgoing outgoing) throws IOException, InterruptedException {
      TransportClient client = clients.createClient(peer.host(), peer.port());
      expect(client.getChannel(), peer, outgoing.maxReplyBytes());
      TcpTransport.this.send(client, outgoing.request(), outgoing.received());
    }

    @Override
    public void fail(Outgoing outgoing, Throwable cause) {
      boolean isClosed =
          cause instanceof InterruptedException || cause instanceof RejectedExecutionException;
      outgoing
          .received()
          .onFailure(0, isClosed ? new IOException("the transport is closed", cause) : cause);
    }
  }

  /**
   * Measures the replies of a connection, and limits their lengths to the longest that was asked
   * for. Nothing was asked for on a new connection.
   */
  private void expect(Channel channel, Peer peer, long maxReplyBytes) {
    synchronized (channel) {
      ChannelPipeline handlers = channel.pipeline();
      String decoder = TransportFrameDecoder.HANDLER_NAME;
      if (handlers.get(ArrivalTimes.class) == null && handlers.get(decoder) != null) {
        ArrivalRate rate = rates.computeIfAbsent(peer, key -> new ArrivalRate());
        handlers.addBefore(decoder, "arrivalTimes", new ArrivalTimes(rate));
      }
      FrameLimit limit = Replies.limitOf(handlers);
      if (limit != null) { // else the connection has ended
        limit.raise(Math.min(maxReplyBytes, Integer.MAX_VALUE) + FRAME_BYTES);
      }
    }
  }

  @Override
  public double bytesPerSecond(Peer peer) {
    ArrivalRate rate = rates.get(peer);
    return rate == null ? 0 : rate.bytesPerSecond();
  }

  private void send(TransportClient client, ByteBuffer request, Received received) {
    long number = numbers.getAndIncrement();
    StreamChunkId id = new StreamChunkId(number, 0);
    client.getHandler().addFetchRequest(id, received);
    ByteBuffer message = ByteBuffer.allocate(Long.BYTES + request.remaining());
    message.putLong(number).put(request.duplicate()).flip();
    whenDone(
        client.getChannel().writeAndFlush(new OneWayMessage(new NioManagedBuffer(message))),
        sent -> {
          if (!sent.isSuccess()) {
            client.getHandler().removeFetchRequest(id);
            var unused = client.getChannel().close();
            received.onFailure(0, sent.cause());
          }
        });
  }

  /** Brings a chunk to its listener. */
  private static final class Received implements ChunkReceivedCallback {
    private final Listener listener;
    private final AtomicBoolean isTold = new AtomicBoolean();

    Received(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void onSuccess(int chunk, ManagedBuffer body) {
      if (!isTold.compareAndSet(false, true)) {
        return;
      }
      ByteBuf bytes;
      try {
        bytes = (ByteBuf) body.convertToNetty();
      } catch (IOException e) {
        listener.failed(e);
        return;
      }
      // Other connections wait for this thread: it does not wait for memory.
      ThreadRecord thread = ThreadRecord.current();
      boolean mayWait = thread.mayWait(false);
      try {
        listener.received(new ReplyBytes(List.of(bytes.nioBuffers())));
      } finally {
        thread.mayWait(mayWait);
        ReferenceCountUtil.release(bytes);
      }
    }

    @Override
    public void onFailure(int chunk, Throwable cause) {
      if (isTold.compareAndSet(false, true)) {
        listener.failed(cause);
      }
    }
  }

  @Override
  public void close() {
    connecting.shutdownNow();
    Closer closer = new Closer();
    closer.close(clients);
    closer.close(server);
    contexts.forEach(closer::close);
    closer.rethrow();
  }
}
