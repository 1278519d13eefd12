// Calls that wait, on the default stream, which scripts use that replay launches; and events.
#include "driver/driver.hpp"

using namespace driver;

namespace {

i32 wait_for_all(i32 queued) { return queued == success ? run_all(waiter::this_stream) : queued; }

}  // namespace

DRIVER_EXPORT i32 cuMemcpyHtoD_v2(u64 to, const void* from, usize bytes) {
  call c(entry::cuMemcpyHtoD_v2, call::needs::context);
  return c.failed() ? c.status()
                    : wait_for_all(queue_copy(nullptr, operation_kind::to_device, to,
                                              reinterpret_cast<u64>(from), bytes));
}

DRIVER_EXPORT i32 cuMemcpyDtoH_v2(void* to, u64 from, usize bytes) {
  call c(entry::cuMemcpyDtoH_v2, call::needs::context);
  return c.failed() ? c.status()
                    : wait_for_all(queue_copy(nullptr, operation_kind::to_host,
                                              reinterpret_cast<u64>(to), from, bytes));
}

DRIVER_EXPORT i32 cuMemsetD8_v2(u64 to, u8 value, usize bytes) {
  call c(entry::cuMemsetD8_v2, call::needs::context);
  return c.failed() ? c.status() : wait_for_all(queue_fill(nullptr, to, value, bytes));
}

DRIVER_EXPORT i32 cuCtxSynchronize() {
  call c(entry::cuCtxSynchronize, call::needs::context);
  return c.failed() ? c.status() : run_all(waiter::this_stream);
}

DRIVER_EXPORT i32 cuEventCreate(event** e, u32) {
  call c(entry::cuEventCreate, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  *e = create_event();
  return *e == nullptr ? out_of_memory : success;
}

DRIVER_EXPORT i32 cuEventRecord(event* e, stream* s) {
  call c(entry::cuEventRecord, call::needs::context);
  return c.failed() ? c.status() : queue_record(s, e);
}

DRIVER_EXPORT i32 cuEventSynchronize(event* e) {
  call c(entry::cuEventSynchronize, call::needs::context);
  return c.failed() ? c.status() : run_until(e, waiter::this_stream);
}

// The fake has no clock.
DRIVER_EXPORT i32 cuEventElapsedTime(f32* milliseconds, event*, event*) {
  call c(entry::cuEventElapsedTime, call::needs::context);
  *milliseconds = 1;
  return c.status();
}

DRIVER_EXPORT i32 cuEventDestroy_v2(event* e) {
  call c(entry::cuEventDestroy_v2, call::needs::context);
  if (c.failed()) {
    return c.status();
  }
  return destroy_event(e) ? success : invalid_handle;
}
