package io.ariadne.benchmark.store;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A connection of a client to the proxy and of the proxy to the store. Requests on it are served
 * one after another. Used by the thread of the proxy only.
 *
 * <p>The body of a response passes through one buffer: a part of it is read from the store, waits
 * for its time on both links (that of the connection, that of the store), and is written to the
 * client before the next part is read.
 */
final class ProxyConnection {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long NO_CUT = Long.MAX_VALUE;

  private final ShapingProxy proxy;
  private final SocketChannel client;
  private SelectionKey clientKey;
  private SelectionKey serverKey;

  /** Whether the connection to the store has served an earlier request. */
  private boolean isReused;

  private boolean closed;

  /** What the client has sent and the proxy has not forwarded; positioned for reading. */
  private final ByteBuffer fromClient = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();

  /** What the store has sent and the proxy has not forwarded; positioned for reading. */
  private final ByteBuffer fromServer = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();

  private final Pace pace = new Pace();

  // The request in progress; null between requests.
  private HttpHead request;
  private RequestKind kind;
  private BodyLength requestBody;
  private StoreShape shape;
  private StoreRule rule;
  private StoreFault fault;
  private SplittableRandom random;
  private long firstByteNanos;

  /** What the store gets before more of the client's bytes; null for nothing. */
  private ByteBuffer toServer;

  // Its response; null until its head has arrived.
  private HttpHead response;
  private BodyLength responseBody;

  /** What the client gets before more of the store's bytes; null for nothing. */
  private ByteBuffer toClient;

  /** Bytes at the start of {@link #fromServer} whose time has come. */
  private int released;

  private boolean isWaitingForTime;
  private boolean isStalled;
  private long bodyBytesSent;
  private long cutAfter;

  ProxyConnection(ShapingProxy proxy, SocketChannel client) {
    this.proxy = proxy;
    this.client = client;
  }

  /** Begins to serve. */
  void start(SelectionKey key) {
    clientKey = key;
  }

  /** Does what a channel that has become ready allows. */
  void ready(SelectionKey key) {
    if (closed || !key.isValid()) {
      return;
    }
    if (key == clientKey && key.isReadable()) {
      guarded(this::readClient);
    } else if (key == serverKey && key.isReadable() && request == null) {
      guarded(this::readIdleServer);
    }
    guarded(this::proceed);
  }

  /** One step, which may fail. */
  private interface Step {
    void run() throws IOException;
  }

  /** Runs a step; a failure of either side ends the connection, as a reset of the network does. */
  private void guarded(Step step) {
    if (closed) {
      return;
    }
    try {
      step.run();
    } catch (IOException e) {
      reset();
    }
  }

  private void readClient() throws IOException {
    fromClient.compact();
    int read = client.read(fromClient);
    fromClient.flip();
    if (read < 0) {
      close();
    }
  }

  /** Notices that the store has closed a connection that it did not need any more. */
  private void readIdleServer() throws IOException {
    fromServer.compact();
    int read = ((SocketChannel) serverKey.channel()).read(fromServer);
    fromServer.flip();
    if (read < 0) {
      closeServer();
    } else if (read > 0) {
      throw new IOException("the store sent a response without a request");
    }
  }

  /** Continues as far as the channels allow, and says what to wait for. */
  private void proceed() throws IOException {
    if (closed) {
      return;
    }
    if (request == null) {
      takeRequest();
    }
    if (request != null) {
      sendRequest();
      receiveResponse();
    }
    if (!closed) {
      waitForChannels();
    }
  }

  private void takeRequest() throws IOException {
    request = HttpHead.take(fromClient);
    if (request == null) {
      return;
    }
    long now = System.nanoTime();
    kind = RequestKind.of(request);
    requestBody = BodyLength.ofRequest(request);
    response = null;
    released = 0;
    bodyBytesSent = 0;
    cutAfter = NO_CUT;
    isStalled = false;
    proxy.counter().begin(kind, now);
    decide(now);
    String refusal = refusal();
    if (refusal == null) {
      toServer = request.bytes();
      isReused = serverKey != null;
      if (!isReused) {
        serverKey = proxy.connect(this);
      }
    } else {
      HttpHead head = new HttpHead(refusal);
      response = head; // with its body, so that nothing follows
      responseBody = BodyLength.none();
      holdUntilFirstByte(head);
    }
  }

  /** Chooses what happens to the request. */
  private void decide(long now) {
    ShapingProxy.Behaviour behaviour = proxy.behaviour();
    shape = behaviour.shape();
    rule = null;
    fault = null;
    random = null;
    if (kind != RequestKind.WRITE) {
      String range = request.header("Range");
      String name = request.method() + " " + request.target() + " " + range;
      if (!behaviour.faults().shares().isEmpty()) {
        random = behaviour.faults().random(name + " " + proxy.repetition(name));
        fault = behaviour.faults().draw(random);
      }
      rule = behaviour.rules().get(request.objectName());
    }
    if (rule != null) {
      fault = rule.fault();
    }
    if (random == null) {
      random = new SplittableRandom(0);
    }
    boolean isSlow = fault == StoreFault.SLOW;
    if (isSlow) {
      proxy.counter().fault(fault.text());
    }
    firstByteNanos =
        now + TimeUnit.MILLISECONDS.toNanos(shape.latencyMillis()) + (isSlow ? SLOW_NANOS : 0);
  }

  /** Returns the response of a request that does not reach the store; null when it does. */
  private String refusal() {
    StoreRule refusing = rule != null && rule.fault() == null ? rule : null;
    if (fault == StoreFault.THROTTLE) {
      refusing = StoreRule.THROTTLED;
    } else if (fault == StoreFault.ERROR) {
      refusing = StoreRule.BROKEN;
    }
    if (refusing == null || (refusing == StoreRule.CHANGED && request.header("If-Match") == null)) {
      return null;
    }
    proxy.counter().fault(rule == null ? fault.text() : rule.text());
    return refusing.response(kind == RequestKind.HEAD);
  }

  private void sendRequest() throws IOException {
    if (serverKey == null) {
      return;
    }
    SocketChannel server = (SocketChannel) serverKey.channel();
    while (toServer != null || (fromClient.hasRemaining() && !requestBody.hasEnded())) {
      if (toServer == null) {
        int length = requestBody.count(fromClient, fromClient.remaining());
        toServer = fromClient.slice(fromClient.position(), length);
        fromClient.position(fromClient.position() + length);
        proxy.counter().received(length);
      }
      server.write(toServer);
      if (toServer.hasRemaining()) {
        return;
      }
      toServer = null;
    }
  }

  private void receiveResponse() throws IOException {
    if (response == null && serverKey != null) {
      takeResponseHead();
    }
    while (response != null && !isWaitingForTime && !isStalled) {
      if (!writeClient()) {
        return;
      }
      if (responseBody.hasEnded()) {
        endRequest();
        return;
      }
      if (!takeBody()) {
        return;
      }
    }
  }

  private void takeResponseHead() throws IOException {
    while (response == null) {
      if (!fromServer.hasRemaining() && !readServer()) {
        return;
      }
      HttpHead head = HttpHead.take(fromServer);
      if (head == null) {
        if (!readServer()) {
          return;
        }
      } else if (head.isInformational()) {
        client.write(head.bytes()); // few bytes, to a client that waits for them
      } else {
        startResponse(head);
      }
    }
  }

  private void startResponse(HttpHead head) throws IOException {
    boolean isHead = kind == RequestKind.HEAD;
    boolean isOther = rule == StoreRule.CHANGED && head.isSuccess();
    if (isOther) {
      proxy.counter().fault(rule.text());
    }
    response = isOther ? head.withOtherEtag() : head;
    responseBody = BodyLength.ofResponse(head, isHead);
    boolean isObject = kind == RequestKind.GET && head.isSuccess() && head.contentLength() > 0;
    if (fault != null && fault.isInBody() && isObject) {
      cutAfter = random.nextLong(head.contentLength());
    }
    holdUntilFirstByte(response);
  }

  private void holdUntilFirstByte(HttpHead head) {
    toClient = head.bytes();
    isWaitingForTime = true;
    at(
        firstByteNanos,
        () -> {
          pace.restart(System.nanoTime());
          isWaitingForTime = false;
        });
  }

  /** Runs an action at a time, and continues. */
  private void at(long nanos, Runnable action) {
    proxy.at(
        nanos,
        () -> {
          if (!closed) {
            action.run();
            guarded(this::proceed);
          }
        });
  }

  /** Writes what may be written; returns whether all of it is. */
  private boolean writeClient() throws IOException {
    if (toClient != null) {
      client.write(toClient);
      if (toClient.hasRemaining()) {
        return false;
      }
      toClient = null;
    }
    if (released > 0) {
      ByteBuffer part = fromServer.slice(fromServer.position(), released);
      int written = client.write(part);
      fromServer.position(fromServer.position() + written);
      released -= written;
      bodyBytesSent += written;
      if (kind == RequestKind.GET && written > 0) {
        proxy.counter().sent(written);
      }
    }
    return released == 0;
  }

  /**
   * Takes the next part of the body and makes it wait for its time.
   *
   * @return false when the store has not sent it yet
   */
  private boolean takeBody() throws IOException {
    if (bodyBytesSent == cutAfter) {
      cut();
      return false;
    }
    if (!fromServer.hasRemaining() && !readServer()) {
      return false;
    }
    int most = (int) Math.min(cutAfter - bodyBytesSent, BUFFER_BYTES);
    int length = responseBody.count(fromServer, most);
    isWaitingForTime = true;
    long due = pace.reserve(System.nanoTime(), length, shape.connectionBytesPerSecond());
    at(due, () -> waitForTotal(length));
    return true;
  }

  private void waitForTotal(int length) {
    long now = System.nanoTime();
    long due = proxy.total().reserve(now, length, shape.totalBytesPerSecond());
    if (due - now <= 0) {
      release(length);
    } else {
      at(due, () -> release(length));
    }
  }

  private void release(int length) {
    released = length;
    isWaitingForTime = false;
  }

  /** Ends the body early. */
  private void cut() {
    proxy.counter().fault(fault.text());
    switch (fault) {
      case RESET -> reset();
      case SHORT -> close();
      default -> {
        isStalled = true;
        closeServer();
      }
    }
  }

  /**
   * Reads from the store.
   *
   * @return whether anything has arrived
   */
  private boolean readServer() throws IOException {
    if (serverKey == null) {
      return false;
    }
    fromServer.compact();
    int read = ((SocketChannel) serverKey.channel()).read(fromServer);
    fromServer.flip();
    if (read >= 0) {
      return read > 0;
    }
    closeServer();
    if (response != null && responseBody.endsWithConnection()) {
      proxy.counter().end(kind, System.nanoTime());
      request = null;
      close();
      return false;
    }
    boolean isRead = kind != RequestKind.WRITE;
    if (response == null && isReused && isRead) {
      // It closed the connection, which it believed idle, before it saw the request.
      isReused = false;
      serverKey = proxy.connect(this);
      toServer = request.bytes();
      sendRequest();
      return false;
    }
    throw new IOException("the store closed the connection within a response");
  }

  private void endRequest() {
    proxy.counter().end(kind, System.nanoTime());
    boolean isLast =
        request.hasHeader("Connection", "close") || response.hasHeader("Connection", "close");
    boolean isUnread = !requestBody.hasEnded(); // the store answered early
    request = null;
    if (isLast || isUnread) {
      close();
    } else {
      guarded(this::proceed);
    }
  }

  private void waitForChannels() {
    boolean readsBody = request != null && !requestBody.hasEnded() && toServer == null;
    boolean readsClient = request == null || readsBody || isStalled;
    boolean writesClient =
        response != null
            && request != null
            && !isWaitingForTime
            && (toClient != null || released > 0);
    clientKey.interestOps(
        (readsClient ? SelectionKey.OP_READ : 0) | (writesClient ? SelectionKey.OP_WRITE : 0));
    if (serverKey != null) {
      boolean readsServer = request == null || (!isWaitingForTime && !writesClient);
      serverKey.interestOps(
          (readsServer ? SelectionKey.OP_READ : 0)
              | (toServer != null ? SelectionKey.OP_WRITE : 0));
    }
  }

  private void reset() {
    try {
      client.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException e) {
      // The connection is closed already: there is nothing to reset.
    }
    close();
  }

  private void closeServer() {
    if (serverKey != null) {
      closeChannel((SocketChannel) serverKey.channel());
      serverKey = null;
      fromServer.clear().flip();
    }
  }

  /** Closes both sides. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (request != null) {
      proxy.counter().end(kind, System.nanoTime());
      request = null;
    }
    closeChannel(client);
    closeServer();
  }

  private static void closeChannel(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException("cannot close " + channel, e);
    }
  }
}
