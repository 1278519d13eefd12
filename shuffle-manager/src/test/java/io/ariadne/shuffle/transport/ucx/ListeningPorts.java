package io.ariadne.shuffle.transport.ucx;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** Where this process listens for connections, as Linux tells. */
final class ListeningPorts {
  private static final String LISTENS = "0A";
  private static final int ADDRESS = 0;
  private static final int STATE = 2;
  private static final int SOCKET = 8;

  private ListeningPorts() {}

  static List<InetSocketAddress> ofThisProcess() throws IOException {
    Set<String> sockets = sockets();
    List<InetSocketAddress> ports = new ArrayList<>();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      List<String> lines = Files.readAllLines(Path.of(table));
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.substring(line.indexOf(':') + 1).trim().split("\\s+");
        if (cells[STATE].equals(LISTENS) && sockets.contains("socket:[" + cells[SOCKET] + "]")) {
          ports.add(address(cells[ADDRESS]));
        }
      }
    }
    return ports;
  }

  private static Set<String> sockets() throws IOException {
    Set<String> sockets = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path file : files) {
        try {
          sockets.add(Files.readSymbolicLink(file).toString());
        } catch (NoSuchFileException e) {
          // It was closed meanwhile.
        }
      }
    }
    return sockets;
  }

  /** Reads an address: numbers of four bytes in the order of the machine, and a port. */
  private static InetSocketAddress address(String hex) throws IOException {
    int colon = hex.indexOf(':');
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex.substring(0, colon)));
    for (int i = 0; i < bytes.capacity(); i += Integer.BYTES) {
      bytes.putInt(i, Integer.reverseBytes(bytes.getInt(i)));
    }
    int port = HexFormat.fromHexDigits(hex, colon + 1, hex.length());
    return new InetSocketAddress(InetAddress.getByAddress(bytes.array()), port);
  }
}
