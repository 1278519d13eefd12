// Errors of a launch, in words.
#include "emulator/memory.hpp"
#include "emulator/text.hpp"

extern "C" {
extern const u8 __ehdr_start[] __attribute__((visibility("hidden")));
extern const u8 _end[] __attribute__((visibility("hidden")));
}

namespace emulator {

namespace {

void describe_address(text& message, const void* address) {
  const u32 offset = shared_offset(*launch.running, address);
  if (offset < kSharedBytes) {
    message << ", shared memory offset " << offset;
    return;
  }
  const u8* at = static_cast<const u8*>(address);
  for (u64 distance = 0; distance <= 4096; distance += 4) {  // the buffer, or the one just before
    const region* r = find_region(at - distance);
    if (r != nullptr) {
      const u64 end = static_cast<u64>(at - r->base);
      message << ", byte " << end << " of the buffer of " << r->bytes << " bytes at "
              << hexadecimal{reinterpret_cast<u64>(r->base)};
      return;
    }
  }
  message << ", address " << hexadecimal{reinterpret_cast<u64>(address)};
}

}  // namespace

void record_error(const char* what, const thread* where, const void* site, const void* address,
                  const char* detail) {
  emulator_report& report = *launch.report;
  if (report.failed != 0) {
    return;
  }
  report.failed = 1;
  text message(report.error, kEmulatorErrorBytes);
  message << what << detail;
  if (where != nullptr) {
    message << ": block " << where->block_index << " thread " << where->thread_index;
  }
  if (address != nullptr) {
    describe_address(message, address);
  }
  if (site != nullptr) {
    message << ", code offset "
            << hexadecimal{static_cast<u64>(static_cast<const u8*>(site) - __ehdr_start)};
  }
  message << ", seed " << report.seed;
}

void stop(const char* what, const void* site, const void* address, const char* detail) {
  record_error(what, launch.self, site, address, detail);
  for (;;) {
    yield();  // the scheduler sees the error and does not come back
  }
}

}  // namespace emulator
