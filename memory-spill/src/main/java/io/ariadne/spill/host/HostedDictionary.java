package io.ariadne.spill.host;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.Dictionary;
import java.util.function.UnaryOperator;

/**
 * A dictionary from device memory, whose batches have been moved to the host. It is copied once for
 * all of them, both to the host and back to the device. The monitor is held while entries are
 * copied, so that other threads wait for the copy instead of making another one.
 */
final class HostedDictionary {
  private final long id;
  private final ColumnPlaces places;
  private final long bytes;

  /** Changed only in atomic updates of the store's map. */
  private int users = 1;

  /** The latest copy on the device; not retained, so it may be freed. */
  @GuardedBy("this")
  private Dictionary onDevice;

  /** The latest copy on the host, or null; not retained, so it may be freed. */
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

  /** Returns which parts of the original entries are on the device. */
  ColumnPlaces places() {
    return places;
  }

  /** Returns bytes of the entries on the device. */
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

  /** Returns the dictionary on the host; the caller owns one reference. */
  synchronized Dictionary toHost(Dictionary device, UnaryOperator<Dictionary> copy) {
    if (onHost == null || !onHost.tryRetain()) {
      onHost = copy.apply(device);
    }
    return onHost;
  }

  /** Returns the dictionary on the device; the caller owns one reference. */
  synchronized Dictionary toDevice(Dictionary host, UnaryOperator<Dictionary> copy) {
    if (!onDevice.tryRetain()) {
      onDevice = copy.apply(host);
    }
    return onDevice;
  }
}
