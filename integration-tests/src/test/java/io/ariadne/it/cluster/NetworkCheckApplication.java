package io.ariadne.it.cluster;

import io.ariadne.plugin.network.NetworkCheck;

/** Runs the network check as {@code spark-submit} does. */
public final class NetworkCheckApplication {
  private NetworkCheckApplication() {}

  public static void main(String[] arguments) {
    NetworkCheck.main(new String[] {"8"});
    System.out.println("APPLICATION FINISHED");
  }
}
