package io.ariadne.benchmark.transfer;

import io.ariadne.shuffle.codec.Codec;
import io.ariadne.shuffle.codec.CompressionPolicy;
import io.ariadne.shuffle.codec.MeasuredCompression;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/** What moves the blocks. */
public enum TransferArm {
  /** Spark's block transfer, without compression. */
  SPARK,
  /** Ariadne's transport over TCP, without compression. */
  NONE,
  /** Ariadne's transport, all blocks compressed by LZ4. */
  LZ4,
  /** Ariadne's transport, all blocks compressed by Zstandard. */
  ZSTD,
  /** Ariadne's transport, which decides itself. */
  AUTO,
  /** Ariadne's transport over UCX, without compression. */
  UCX;

  /** Returns an arm by its name in lower case. */
  public static TransferArm of(String name) {
    return Arrays.stream(values())
        .filter(arm -> arm.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is not one of %s".formatted(name, Arrays.toString(values()))));
  }

  /** Starts the sender's end. */
  TransferSender sender(String host, Payload payload) {
    return this == SPARK
        ? new SparkSender(host, payload)
        : new AriadneSender(host, payload, policy(), this == UCX);
  }

  /** Starts the receiver's end. */
  TransferReceiver receiver(String host) throws IOException {
    return this == SPARK ? new SparkReceiver(host) : new AriadneReceiver(host, this == UCX);
  }

  private CompressionPolicy policy() {
    return switch (this) {
      case AUTO -> new MeasuredCompression();
      case SPARK, UCX -> CompressionPolicy.always(Codec.NONE);
      case NONE, LZ4, ZSTD -> CompressionPolicy.always(Codec.valueOf(name()));
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
