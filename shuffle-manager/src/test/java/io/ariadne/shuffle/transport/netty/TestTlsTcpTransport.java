package io.ariadne.shuffle.transport.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.network.util.TransportConf;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract over TLS, which Spark has from 4.0 on. */
class TestTlsTcpTransport extends AbstractTestTcpTransport {
  private static final String PASSWORD = "password";

  @TempDir private static Path folder;
  private static Path keys;

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
  TcpSettings settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.ssl.rpc.enabled", "true");
    settings.put("spark.ssl.rpc.protocol", "TLSv1.3");
    settings.put("spark.ssl.rpc.keyStore", keys.toString());
    settings.put("spark.ssl.rpc.keyStorePassword", PASSWORD);
    settings.put("spark.ssl.rpc.keyPassword", PASSWORD);
    settings.put("spark.ssl.rpc.trustStore", keys.toString());
    settings.put("spark.ssl.rpc.trustStorePassword", PASSWORD);
    return plain(settings);
  }
}
