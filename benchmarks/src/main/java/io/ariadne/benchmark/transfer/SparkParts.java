package io.ariadne.benchmark.transfer;

import io.ariadne.bridge.task.ConnectionSettings;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.network.BlockDataManager;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.netty.NettyBlockTransferService;
import org.apache.spark.network.util.TransportConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.BlockId;
import scala.Option;

/** Spark's network library and block transfer without an application. */
final class SparkParts {
  private static final SparkConf CONF = new SparkConf(false).set("spark.app.id", "transfer");

  private SparkParts() {}

  private static SecurityManager security() {
    return new SecurityManager(
        CONF, Option.empty(), org.apache.spark.internal.config.package$.MODULE$.AUTH_SECRET_FILE());
  }

  static TransportConf connections() {
    return ConnectionSettings.of(CONF, security(), Runtime.getRuntime().availableProcessors());
  }

  /**
   * Starts Spark's block transfer.
   *
   * @param blocks returns the bytes of a block
   */
  static NettyBlockTransferService transfer(String host, Function<BlockId, ManagedBuffer> blocks) {
    SecurityManager security = security();
    NettyBlockTransferService service =
        new NettyBlockTransferService(
            CONF,
            security,
            new SerializerManager(new JavaSerializer(CONF), CONF),
            host,
            host,
            0,
            Runtime.getRuntime().availableProcessors(),
            null);
    service.init(manager(blocks));
    return service;
  }

  /** Returns what the service asks for blocks; it has many methods for other requests. */
  private static BlockDataManager manager(Function<BlockId, ManagedBuffer> blocks) {
    return (BlockDataManager)
        Proxy.newProxyInstance(
            SparkParts.class.getClassLoader(),
            new Class<?>[] {BlockDataManager.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getLocalBlockData")) {
                return blocks.apply((BlockId) arguments[0]);
              }
              throw new UnsupportedOperationException(method.toString());
            });
  }
}
