// What the fake libcufile needs of the fake driver: writes into device memory that no queue orders,
// as those of a storage device are.
#include "driver/driver.hpp"

using namespace driver;

namespace {

bool is_device_memory(u64 address, usize bytes) {
  return bytes > 0 && is_device(address) && is_visible(address, bytes);
}

}  // namespace

// Whether the bytes are device memory, and the thread has a current context.
DRIVER_EXPORT i32 cuFakeIsDeviceMemory(u64 address, usize bytes) {
  call c(entry::cuFakeIsDeviceMemory, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  return is_device_memory(address, bytes) ? success : invalid_value;
}

// Writes now, before what is queued.
DRIVER_EXPORT i32 cuFakeDmaWrite(u64 to, const void* from, usize bytes) {
  call c(entry::cuFakeDmaWrite, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  if (!is_device_memory(to, bytes)) {
    return invalid_value;
  }
  device_access access;
  memcpy(reinterpret_cast<void*>(to), from, bytes);
  return success;
}

// Queues a write that `write` makes, with access to device memory; it must not call the driver.
DRIVER_EXPORT i32 cuFakeQueueDma(stream* s, u64 to, usize bytes, i32 (*write)(void*),
                                 void* argument) {
  call c(entry::cuFakeQueueDma, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  return is_device_memory(to, bytes) ? queue_write(s, to, bytes, write, argument)
                                     : static_cast<i32>(invalid_value);
}
