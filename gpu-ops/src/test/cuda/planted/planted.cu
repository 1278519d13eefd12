// Kernels with one planted bug each: a gate of the emulator that does not catch its bug is broken.
// `rows` is a multiple of the block size; `in` and `out` have `rows` words, `flags` 16 zeroed
// words.
#include "column/status.cuh"
#include "target/target.cuh"

#define PLANTED_ARGUMENTS(NAME) \
  struct NAME##_args {          \
    kernel_status* status;      \
    const u32* in;              \
    u32* out;                   \
    u32* flags;                 \
    u32 rows;                   \
    u32 reserved;               \
  }

namespace {

constexpr u32 kBlock = 256;

ARIADNE_INLINE u32 row() {
  return target::block_index() * target::block_size() + target::thread_index();
}

}  // namespace

// No bug: turns each block's rows round through shared memory.
PLANTED_ARGUMENTS(planted_none);
ARIADNE_KERNEL(planted_none, kBlock, 1, 0) {
  ARIADNE_SHARED_ARRAY(u32, staged, kBlock);
  staged[target::thread_index()] = target::load_ro(args.in + row());
  target::block_barrier();
  target::store(args.out + row(), staged[target::block_size() - 1 - target::thread_index()]);
}

PLANTED_ARGUMENTS(planted_missing_barrier);
ARIADNE_KERNEL(planted_missing_barrier, kBlock, 1, 0) {
  ARIADNE_SHARED_ARRAY(u32, staged, kBlock);
  staged[target::thread_index()] = 0;
  target::block_barrier();
  staged[target::thread_index()] = target::load_ro(args.in + row());
  target::store(args.out + row(), staged[target::block_size() - 1 - target::thread_index()]);
}

// Lanes of one warp exchange through shared memory without a warp barrier.
PLANTED_ARGUMENTS(planted_missing_warp_barrier);
ARIADNE_KERNEL(planted_missing_warp_barrier, kBlock, 1, 0) {
  ARIADNE_SHARED_ARRAY(u32, staged, kBlock);
  staged[target::thread_index()] = 0;
  target::warp_barrier();
  staged[target::thread_index()] = target::load_ro(args.in + row());
  target::store(args.out + row(), staged[target::thread_index() ^ 1]);
}

PLANTED_ARGUMENTS(planted_uninitialised_shared);
ARIADNE_KERNEL(planted_uninitialised_shared, kBlock, 1, 0) {
  ARIADNE_SHARED_ARRAY(u32, sums, 4);
  target::atomic_add<target::order::relaxed>(&sums[target::thread_index() % 4], 1u);
  target::block_barrier();
  target::store(args.out + row(), sums[target::thread_index() % 4]);
}

PLANTED_ARGUMENTS(planted_off_by_one);
ARIADNE_KERNEL(planted_off_by_one, kBlock, 1, 0) {
  target::store(args.out + row() + 1, target::load_ro(args.in + row()));
}

PLANTED_ARGUMENTS(planted_shared_off_by_one);
ARIADNE_KERNEL(planted_shared_off_by_one, kBlock, 1, 0) {
  ARIADNE_SHARED_ARRAY(u32, staged, kBlock);
  staged[target::thread_index() + 1] = target::load_ro(args.in + row());
  target::block_barrier();
  target::store(args.out + row(), staged[target::thread_index() + 1]);
}

PLANTED_ARGUMENTS(planted_misaligned);
ARIADNE_KERNEL(planted_misaligned, kBlock, 1, 0) {
  const u64 pair = target::load_ro(reinterpret_cast<const u64*>(args.in + 1));
  target::store(args.out + row(), static_cast<u32>(pair));
}

// Reads through the read-only cache what the launch itself has written.
PLANTED_ARGUMENTS(planted_stale_read);
ARIADNE_KERNEL(planted_stale_read, kBlock, 1, 0) {
  target::store(args.out + row(), 1u);
  target::block_barrier();
  target::store(args.out + row(), target::load_ro(args.out + row()) + 1);
}

// One thread does everybody's work.
PLANTED_ARGUMENTS(planted_one_thread);
ARIADNE_KERNEL(planted_one_thread, kBlock, 1, 0) {
  if (row() == 0) {
    for (u32 i = 0; i < args.rows; i++) {
      target::store(args.out + i, target::load_ro(args.in + i));
    }
  }
}

// Neighbouring lanes read 1/32 of the column apart.
PLANTED_ARGUMENTS(planted_uncoalesced);
ARIADNE_KERNEL(planted_uncoalesced, kBlock, 1, 0) {
  const u32 i = row();
  target::store(args.out + i, target::load_ro(args.in + i % 32 * (args.rows / 32) + i / 32));
}

PLANTED_ARGUMENTS(planted_divergent_barrier);
ARIADNE_KERNEL(planted_divergent_barrier, kBlock, 1, 0) {
  if (target::thread_index() < 32) {
    target::block_barrier();
  }
  target::store(args.out + row(), 1u);
}

PLANTED_ARGUMENTS(planted_divergent_collective);
ARIADNE_KERNEL(planted_divergent_collective, kBlock, 1, 0) {
  u32 votes = 0;
  if (target::lane_index() < 16) {
    votes = target::ballot(true);
  }
  target::store(args.out + row(), votes);
}

// Every block writes the same word plainly.
PLANTED_ARGUMENTS(planted_conflicting_write);
ARIADNE_KERNEL(planted_conflicting_write, kBlock, 1, 0) {
  if (target::thread_index() == 0) {
    target::store(args.out, target::block_index());
  }
}

// Blocks reuse each other's input: one reads what another overwrites.
PLANTED_ARGUMENTS(planted_overwritten_input);
ARIADNE_KERNEL(planted_overwritten_input, kBlock, 1, 0) {
  const u32 next = (row() + target::block_size()) % args.rows;
  args.out[row()] = args.out[next] + 1;
}

namespace {

// The first block to come publishes out[0], all others wait for it.
template <target::order Publish, target::order Consume>
ARIADNE_INLINE void pass_message(u32* out, u32* flags) {
  if (target::thread_index() != 0) {
    return;
  }
  if (target::atomic_add<target::order::relaxed>(flags, 1u) == 0) {
    out[0] = 7;
    target::atomic_store<Publish>(flags + 8, 1u);
    return;
  }
  while (target::atomic_load<Consume>(flags + 8) == 0) {
    target::spin_pause();
  }
  out[1 + target::block_index()] = out[0];
}

}  // namespace

// No bug: the twin of the two below.
PLANTED_ARGUMENTS(planted_release_acquire);
ARIADNE_KERNEL(planted_release_acquire, kBlock, 1, 0) {
  pass_message<target::order::release, target::order::acquire>(args.out, args.flags);
}

PLANTED_ARGUMENTS(planted_relaxed_publish);
ARIADNE_KERNEL(planted_relaxed_publish, kBlock, 1, 0) {
  pass_message<target::order::relaxed, target::order::acquire>(args.out, args.flags);
}

PLANTED_ARGUMENTS(planted_relaxed_consume);
ARIADNE_KERNEL(planted_relaxed_consume, kBlock, 1, 0) {
  pass_message<target::order::release, target::order::relaxed>(args.out, args.flags);
}

// Waits for the block before it, which need not be running.
PLANTED_ARGUMENTS(planted_block_order);
ARIADNE_KERNEL(planted_block_order, kBlock, 1, 0) {
  if (target::thread_index() == 0) {
    while (target::atomic_load<target::order::acquire>(args.flags) != target::block_index()) {
      target::spin_pause();
    }
    target::atomic_add<target::order::release>(args.flags, 1u);
  }
}

// An atomic of the compiler's, whose order PTX would lose.
PLANTED_ARGUMENTS(planted_compiler_atomic);
ARIADNE_KERNEL(planted_compiler_atomic, kBlock, 1, 0) {
  __atomic_fetch_add(args.flags, 1u, __ATOMIC_RELAXED);
}
