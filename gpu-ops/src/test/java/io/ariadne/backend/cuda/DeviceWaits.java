package io.ariadne.backend.cuda;

import io.ariadne.event.ThreadRecord;
import io.ariadne.event.ThreadRecords;
import io.ariadne.event.Wait;

/** What threads that wait for a device say of it. */
final class DeviceWaits {
  private DeviceWaits() {}

  /** Waits until a thread waits for something; returns the text of the wait. */
  static String await(Thread thread, String what) {
    return find(thread, what).toString();
  }

  /** Waits until a thread waits for something; returns the wait. */
  static Wait find(Thread thread, String what) {
    while (true) {
      for (ThreadRecord record : ThreadRecords.all()) {
        Wait wait = record.thread() == thread ? record.currentWait() : null;
        if (wait != null && wait.toString().contains(what)) {
          return wait;
        }
      }
      Thread.onSpinWait();
    }
  }
}
