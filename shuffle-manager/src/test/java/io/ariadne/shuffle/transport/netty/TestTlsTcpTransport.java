package io.ariadne.shuffle.transport.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.network.util.TransportConf;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract over TLS, which Spark has from 4.0 on; over two connections per peer, and over IPv6
 * where the machine has it.
 */
class TestTlsTcpTransport extends AbstractTestTcpTransport {
  private static final String PASSWORD = "password";

  @TempDir private static Path folder;
  private static Path keys;
  private static String host;

  @BeforeAll
  static void findHost() throws IOException {
    InetAddress loopback = InetAddress.getByName("::1");
    host = NetworkInterface.getByInetAddress(loopback) == null ? "127.0.0.1" : "::1";
  }

  @BeforeAll
  static void makeKeys() throws IOException, InterruptedException {
    boolean hasTls =
        Arrays.stream(TransportConf.class.getMethods())
            .anyMatch(method -> method.getName().equals("sslRpcEnabled"));
    assumeTrue(hasTls, "this line of Spark has no TLS between executors");
    keys = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "executor",
                "-keyalg",
                "EC",
                "-dname",
                "CN=executor",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertEquals(0, keytool.waitFor());
  }

  @Override
  protected String host() {
    return host;
  }

  @Override
  TcpSettings settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.ssl.rpc.enabled", "true");
    settings.put("spark.ssl.rpc.protocol", "TLSv1.3");
    settings.put("spark.ssl.rpc.keyStore", keys.toString());
    settings.put("spark.ssl.rpc.keyStorePassword", PASSWORD);
    settings.put("spark.ssl.rpc.keyPassword", PASSWORD);
    settings.put("spark.ssl.rpc.trustStore", keys.toString());
    settings.put("spark.ssl.rpc.trustStorePassword", PASSWORD);
    settings.put("spark.ariadne.io.numConnectionsPerPeer", "2");
    return new TcpSettings(conf(settings), host, 0, 0, List.of(), List.of());
  }
}
