// One lock for the whole emulator: launches and changes of the regions exclude one another.
#pragma once

#include "emulator/system.hpp"

namespace emulator {

inline bool lock_held;

class locked {
 public:
  locked() {
    while (__atomic_test_and_set(&lock_held, __ATOMIC_ACQUIRE)) {
      sched_yield();
    }
  }
  ~locked() { __atomic_clear(&lock_held, __ATOMIC_RELEASE); }
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;
};

}  // namespace emulator
