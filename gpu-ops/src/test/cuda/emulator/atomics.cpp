// Atomic accesses: executed at once (one fiber runs at a time), after a chance for others to run,
// with the ordering that their memory order gives and no more.
#include "emulator/memory.hpp"

namespace emulator {

namespace {

constexpr u32 kAtomicsBeforeYield = 256;  // so that a loop without spin_pause cannot hang

void interleave() {
  thread& t = *launch.self;
  const bool forced = ++t.atomics_since_switch >= kAtomicsBeforeYield;
  launch.idle += forced;
  if (forced ||
      (launch.options.yield_ppm != 0 && random_below(1000000) < launch.options.yield_ppm)) {
    yield();
  }
}

u64 load_value(const void* address, u32 bytes) {
  return bytes == 4 ? *static_cast<const u32*>(address) : *static_cast<const u64*>(address);
}

void store_value(void* address, u32 bytes, u64 value) {
  if (bytes == 4) {
    *static_cast<u32*>(address) = static_cast<u32>(value);
  } else {
    *static_cast<u64*>(address) = value;
  }
}

i64 as_signed(u64 value, u32 bytes) {
  return bytes == 4 ? static_cast<i32>(value) : static_cast<i64>(value);
}

// The value after the access; equal to `old` for a load and for a failed exchange.
u64 updated(emulator_atomic kind, u64 old, u64 value, u64 expected, u32 bytes) {
  switch (kind) {
    case emulator_atomic::load:
      return old;
    case emulator_atomic::store:
    case emulator_atomic::exchange:
      return value;
    case emulator_atomic::add:
      return old + value;
    case emulator_atomic::min_signed:
      return as_signed(value, bytes) < as_signed(old, bytes) ? value : old;
    case emulator_atomic::max_signed:
      return as_signed(value, bytes) > as_signed(old, bytes) ? value : old;
    case emulator_atomic::min_unsigned:
      return value < old ? value : old;
    case emulator_atomic::max_unsigned:
      return value > old ? value : old;
    case emulator_atomic::bit_and:
      return old & value;
    case emulator_atomic::bit_or:
      return old | value;
    case emulator_atomic::compare_exchange:
      return old == expected ? value : old;
  }
  return old;
}

void acquire(const void* address, target::order order) {
  thread& t = *launch.self;
  const knowledge* found = published(address);
  if (order == target::order::acquire || order == target::order::acq_rel) {
    t.known = merge(t.known, found);
  } else {
    t.pending = merge(t.pending, found);
  }
}

// A plain store ends what was published before it, a read-modify-write adds to it.
void publish_write(const void* address, target::order order, bool keeps) {
  thread& t = *launch.self;
  const bool releases = order == target::order::release || order == target::order::acq_rel;
  const knowledge* news = releases ? release(t) : t.released_by_fence;
  publish(address, keeps ? merge(published(address), news) : news);
}

}  // namespace

}  // namespace emulator

using namespace emulator;

extern "C" {

u64 emulator_atomic_access(emulator_atomic kind, void* address, u32 bytes, u64 value, u64 expected,
                           target::order order) {
  interleave();
  const u64 width = bytes == 4 ? 0xffffffffull : ~0ull;
  value &= width;
  expected &= width;
  const bool may_write =
      kind != emulator_atomic::load &&
      !(kind == emulator_atomic::compare_exchange && load_value(address, bytes) != expected);
  check_atomic(address, bytes, kind != emulator_atomic::store, may_write,
               __builtin_return_address(0));
  const u64 old = load_value(address, bytes);
  const u64 result = updated(kind, old, value, expected, bytes) & width;
  if (kind != emulator_atomic::store) {
    acquire(address, order);
  }
  if (may_write) {
    publish_write(address, order, kind != emulator_atomic::store);
    store_value(address, bytes, result);
    if (result != old) {
      launch.idle = 0;
    }
  }
  return old;
}

void emulator_fence() {
  thread& t = *launch.self;
  t.known = merge(t.known, t.pending);
  t.released_by_fence = release(t);
}

void emulator_spin_pause() {
  launch.idle++;
  yield();
}
}
