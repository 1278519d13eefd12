package io.ariadne.shuffle.transport.netty;

import io.ariadne.event.Threads;
import io.ariadne.shuffle.transport.FrameMutator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Passes the bytes of connections on to a port, and damages them on the way. Thread-safe.
 *
 * <p>What arrives by one read is damaged as one message: as far as the sender has written it as
 * one, its begin is where lengths and numbers are.
 */
final class MutatingProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new ArrayList<>();
  private final Thread thread = Threads.daemon("mutating-proxy", this::accept);
  private int target;
  private Random random = new Random(0);

  /** Of 16 reads of a direction, how many are damaged. */
  private int damagedRequests;

  private int damagedReplies;
  private int damaged;

  /** What came from clients since the last {@link #set}. */
  private ByteArrayOutputStream requests = new ByteArrayOutputStream();

  MutatingProxy() throws IOException {
    thread.start();
  }

  int port() {
    return server.getLocalPort();
  }

  /**
   * Sets what is done to the bytes of further connections.
   *
   * @param port where they go to
   * @param seed decides what is damaged
   * @param ofRequests of 16 reads towards the port, how many are damaged
   * @param ofReplies of 16 reads from the port, how many are damaged
   */
  synchronized void set(int port, long seed, int ofRequests, int ofReplies) {
    target = port;
    random = new Random(seed);
    damagedRequests = ofRequests;
    damagedReplies = ofReplies;
    damaged = 0;
    requests = new ByteArrayOutputStream();
  }

  /** Returns what has come from clients since the last {@link #set}, before it was damaged. */
  synchronized byte[] recorded() {
    return requests.toByteArray();
  }

  /** Returns the number of damaged reads since the last {@link #set}. */
  synchronized int damaged() {
    return damaged;
  }

  private void accept() {
    while (true) {
      try {
        Socket client = server.accept();
        connect(client);
      } catch (IOException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  private synchronized void connect(Socket client) throws IOException {
    sockets.removeIf(Socket::isClosed);
    sockets.add(client);
    Socket peer = new Socket(InetAddress.getLoopbackAddress(), target);
    sockets.add(peer);
    client.setTcpNoDelay(true);
    peer.setTcpNoDelay(true);
    int forth = damagedRequests;
    int back = damagedReplies;
    Threads.daemon("mutating-proxy-requests", () -> pass(client, peer, forth, true)).start();
    Threads.daemon("mutating-proxy-replies", () -> pass(peer, client, back, false)).start();
  }

  /** Passes bytes on until one side ends; then both end. */
  private void pass(Socket from, Socket to, int share, boolean isRecorded) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      byte[] last = buffer;
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        byte[] bytes = Arrays.copyOf(buffer, count);
        if (isRecorded) {
          record(bytes);
        }
        out.write(damage(bytes, last, share));
        last = bytes;
      }
    } catch (IOException e) {
      // One of the sides has ended the connection.
    }
  }

  private synchronized void record(byte[] bytes) {
    requests.writeBytes(bytes);
  }

  private synchronized byte[] damage(byte[] bytes, byte[] other, int share) {
    if (random.nextInt(16) >= share) {
      return bytes;
    }
    damaged++;
    return new FrameMutator(random).mutate(bytes, other);
  }

  /** Ends all connections. */
  synchronized void disconnect() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    Threads.join(thread);
    disconnect();
  }
}
