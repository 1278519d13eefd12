package io.ariadne.spill.host;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.Dictionary;
import java.util.function.UnaryOperator;

/**
 * A dictionary of device memory of which batches are on the host: copied once for all of them, in
 * either direction. The monitor is held while entries are copied, so that others of the same
 * dictionary wait for that instead of doing it again.
 */
final class HostedDictionary {
  private final long id;
  private final ColumnPlaces places;
  private final long bytes;

  /** Guarded by the store's map. */
  private int users = 1;

  /** The dictionary when it was last seen on either side; nobody holds it for us. */
  @GuardedBy("this")
  private Dictionary onDevice;

  @GuardedBy("this")
  private Dictionary onHost;

  HostedDictionary(Dictionary original) {
    this.id = original.id();
    this.places = ColumnPlaces.of(original.entries());
    this.bytes = places.deviceBytes(original.entries());
    this.onDevice = original;
  }

  long id() {
    return id;
  }

  /** Returns where parts of the entries are while they are on the device. */
  ColumnPlaces places() {
    return places;
  }

  /** Returns bytes of the entries. */
  long bytes() {
    return bytes;
  }

  /** Adds a user; called by the store's map. */
  HostedDictionary used() {
    users++;
    return this;
  }

  /** Removes a user; returns null when it was the last. Called by the store's map. */
  HostedDictionary unused() {
    users--;
    return users == 0 ? null : this;
  }

  /** Returns the dictionary on the host with one hold for the caller. */
  synchronized Dictionary toHost(Dictionary device, UnaryOperator<Dictionary> copy) {
    if (onHost == null || !onHost.tryRetain()) {
      onHost = copy.apply(device);
    }
    return onHost;
  }

  /** Returns the dictionary on the device with one hold for the caller. */
  synchronized Dictionary toDevice(Dictionary host, UnaryOperator<Dictionary> copy) {
    if (!onDevice.tryRetain()) {
      onDevice = copy.apply(host);
    }
    return onDevice;
  }
}
