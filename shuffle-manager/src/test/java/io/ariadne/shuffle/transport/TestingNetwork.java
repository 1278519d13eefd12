package io.ariadne.shuffle.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.event.Threads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Transports of one process. Threads of its own deliver requests and replies in random order, and
 * replies in random pieces.
 */
public final class TestingNetwork implements AutoCloseable {
  private static final int THREADS = 3;

  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private final Random random;

  @GuardedBy("this")
  private final List<Runnable> steps = new ArrayList<>();

  @GuardedBy("this")
  private final Map<Integer, Node> nodes = new HashMap<>();

  @GuardedBy("this")
  private final List<Connection> connections = new ArrayList<>();

  @GuardedBy("this")
  private int lastPort;

  @GuardedBy("this")
  private boolean isClosed;

  @GuardedBy("this")
  private Throwable failure;

  public TestingNetwork(long seed) {
    random = new Random(seed);
    for (int i = 0; i < THREADS; i++) {
      threads.add(Threads.daemon("testing-network-" + i, this::work));
    }
    threads.forEach(Thread::start);
  }

  public synchronized Transport start(Transport.Handler handler) {
    Node node = new Node(++lastPort, handler);
    nodes.put(lastPort, node);
    return node;
  }

  private synchronized void later(Runnable step) {
    steps.add(step);
    notifyAll();
  }

  private synchronized Runnable nextStep() throws InterruptedException {
    while (steps.isEmpty() && !isClosed) {
      wait();
    }
    return steps.isEmpty() ? null : steps.remove(random.nextInt(steps.size()));
  }

  private void work() {
    try {
      for (Runnable step = nextStep(); step != null; step = nextStep()) {
        step.run();
      }
    } catch (Throwable e) {
      synchronized (this) {
        failure = e;
      }
    }
  }

  private synchronized List<ByteBuffer> pieces(List<ByteBuffer> parts) {
    List<ByteBuffer> pieces = new ArrayList<>();
    for (ByteBuffer part : parts) {
      byte[] bytes = new byte[part.remaining()];
      part.duplicate().get(bytes);
      int middle = random.nextInt(bytes.length + 1);
      pieces.add(ByteBuffer.wrap(bytes, 0, middle));
      pieces.add(ByteBuffer.wrap(bytes, middle, bytes.length - middle));
    }
    return pieces;
  }

  /** Returns the connection from one node to another, or null when one of them is closed. */
  private synchronized Connection connect(Node client, int port) {
    Node server = nodes.get(port);
    if (server == null || nodes.get(client.port) != client) {
      return null;
    }
    for (Connection connection : connections) {
      if (connection.client == client && connection.server == server) {
        return connection;
      }
    }
    Connection connection = new Connection(client, server);
    connections.add(connection);
    return connection;
  }

  void disconnect(Connection connection) {
    synchronized (this) {
      connections.remove(connection);
    }
    later(connection::close);
  }

  private final class Node implements Transport {
    private final int port;
    private final Handler handler;

    Node(int port, Handler handler) {
      this.port = port;
      this.handler = handler;
    }

    @Override
    public String name() {
      return "in-process";
    }

    @Override
    public int port() {
      return port;
    }

    @Override
    public void request(Peer peer, ByteBuffer request, long maxReplyBytes, Listener listener) {
      later(
          () -> {
            Connection connection = connect(this, peer.port());
            if (connection == null || !connection.deliver(request, listener)) {
              listener.failed(new IOException("no server listens on port " + peer.port()));
            }
          });
    }

    @Override
    public double bytesPerSecond(Peer peer) {
      return 0;
    }

    @Override
    public void close() {
      List<Connection> mine = new ArrayList<>();
      synchronized (TestingNetwork.this) {
        nodes.remove(port);
        for (Connection connection : connections) {
          if (connection.client == this || connection.server == this) {
            mine.add(connection);
          }
        }
      }
      mine.forEach(TestingNetwork.this::disconnect);
    }
  }

  /** Delivers the requests of one node to another one. */
  final class Connection {
    private final Node client;
    private final Node server;

    /** Listeners without a reply. */
    @GuardedBy("this")
    private final List<Transport.Listener> waiting = new ArrayList<>();

    @GuardedBy("this")
    private boolean isLost;

    Connection(Node client, Node server) {
      this.client = client;
      this.server = server;
    }

    private synchronized boolean deliver(ByteBuffer request, Transport.Listener listener) {
      if (isLost) {
        return false;
      }
      waiting.add(listener);
      server.handler.handle(request.duplicate(), new Reply(this, listener));
      return true;
    }

    private synchronized boolean take(Transport.Listener listener) {
      return waiting.remove(listener);
    }

    private void close() {
      List<Transport.Listener> failed;
      synchronized (this) {
        if (isLost) {
          return;
        }
        isLost = true;
        failed = List.copyOf(waiting);
        waiting.clear();
        server.handler.disconnected(this);
      }
      for (Transport.Listener listener : failed) {
        later(() -> listener.failed(new IOException("the connection is lost")));
      }
    }
  }

  private final class Reply implements Transport.Responder {
    private final Connection connection;
    private final Transport.Listener listener;

    Reply(Connection connection, Transport.Listener listener) {
      this.connection = connection;
      this.listener = listener;
    }

    @Override
    public Object connection() {
      return connection;
    }

    @Override
    public String remoteAddress() {
      return "port " + connection.client.port;
    }

    @Override
    public void disconnect() {
      TestingNetwork.this.disconnect(connection);
    }

    @Override
    public void reply(List<ByteBuffer> parts, Runnable whenSent) {
      later(
          () -> {
            if (connection.take(listener)) {
              listener.received(new ReplyBytes(pieces(parts)));
            }
            whenSent.run();
          });
    }
  }

  /** Runs what is left to do, and ends the threads. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      notifyAll();
    }
    threads.forEach(Threads::join);
    synchronized (this) {
      if (failure != null) {
        throw new AssertionError("a thread of the network has failed", failure);
      }
    }
  }
}
