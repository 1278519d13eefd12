package io.ariadne.it.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.SparkSession;

/**
 * Scans the ports of Ariadne's transport of all executors, as a program without the secret. Prints
 * {@code SCANNED ports=N bytes=N open=N}: the ports that accept connections, the bytes that have
 * come back, and the connections that the executors have not ended.
 */
public final class PortScanApplication {
  private static final int PATIENCE_MILLIS = 7_000;
  private static final byte ONE_WAY_MESSAGE = 9;
  private static final byte VERSION = 3;

  /** The noise that executors have for the network check. */
  private static final int NOISE = Integer.MAX_VALUE;

  private static int ports;
  private static long bytes;
  private static int open;

  private PortScanApplication() {}

  public static void main(String[] arguments) throws IOException {
    SparkSession spark = SparkSession.builder().getOrCreate();
    spark.range(0, 100_000, 1, 4).repartition(4).count();
    int first = Integer.parseInt(spark.conf().get("spark.ariadne.shuffle.port"));
    for (String host : hosts(spark)) {
      for (int port = first; port < first + 4; port++) {
        if (accepts(host, port)) {
          ports++;
          for (byte[] scan : scans()) {
            exchange(host, port, scan);
          }
        }
      }
    }
    System.out.printf("SCANNED ports=%d bytes=%d open=%d%n", ports, bytes, open);
    spark.stop();
    System.out.println("APPLICATION FINISHED");
  }

  private static Set<String> hosts(SparkSession spark) {
    return new TreeSet<>(
        Arrays.stream(spark.sparkContext().statusTracker().getExecutorInfos())
            .map(executor -> executor.host())
            .toList());
  }

  private static boolean accepts(String host, int port) {
    try (Socket socket = new Socket(host, port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static List<byte[]> scans() {
    byte[] garbage = new byte[1000];
    new Random(1).nextBytes(garbage);
    byte[] request = request();
    return List.of(
        new byte[0],
        garbage,
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
        request,
        Arrays.copyOf(request, 20));
  }

  /** Returns a request for a row of noise, as executors without secrets take it. */
  private static byte[] request() {
    ByteBuffer request = ByteBuffer.allocate(50);
    request.put(VERSION).putLong(1 << 20).putLong(0).putInt(1);
    request.putInt(NOISE).putLong(1).putInt(0).putInt(1).putLong(0).put((byte) 0);
    int body = Long.BYTES + request.capacity();
    ByteBuffer message = ByteBuffer.allocate(Long.BYTES + 1 + Integer.BYTES + body);
    message.putLong(message.capacity()).put(ONE_WAY_MESSAGE).putInt(body).putLong(0);
    return message.put(request.flip()).array();
  }

  private static void exchange(String host, int port, byte[] scan) throws IOException {
    long before = bytes;
    String end = "closed";
    try (Socket socket = new Socket(host, port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(scan);
      for (int read = socket.getInputStream().read();
          read >= 0;
          read = socket.getInputStream().read()) {
        bytes++;
      }
    } catch (SocketTimeoutException e) {
      open++;
      end = "open";
    } catch (ConnectException e) {
      throw e;
    } catch (SocketException e) {
      end = e.getMessage(); // the executor has not read everything
    }
    System.out.printf(
        "%s:%d: %d bytes sent, %d received, %s%n", host, port, scan.length, bytes - before, end);
  }
}
