// Fixed-width types of the kernels. The kernels are freestanding: there is no <cstdint>.
#pragma once

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;
using i128 = __int128;
using u128 = unsigned __int128;
using f32 = float;
using f64 = double;
using usize = decltype(sizeof(0));

// Vectors for 8- and 16-byte loads and stores; aligned to their size.
using u32x2 = u32 __attribute__((ext_vector_type(2)));
using u32x4 = u32 __attribute__((ext_vector_type(4)));
using u64x2 = u64 __attribute__((ext_vector_type(2)));

static_assert(sizeof(i32) == 4 && sizeof(i64) == 8 && sizeof(i128) == 16 && sizeof(void*) == 8);

namespace target {

// Order of an atomic access, always written out at the call. A load takes relaxed or acquire, a
// store relaxed or release, a read-modify-write any of them.
enum class order : int { relaxed, acquire, release, acq_rel };

inline constexpr u32 kWarpSize = 32;

}  // namespace target
