#include "unpack/unpack.cuh"

// Values of up to 32 bits to u32. Block of up to 256 threads, any grid; one warp does 256 values.
struct unpack_u32_args {
  kernel_status* status;
  const u8* packed;
  u64 packed_bytes;
  u32* out;
  u32 count;
  u32 width;
};

ARIADNE_KERNEL(unpack_u32, 256, 8, 0) {
  unpack::run<u32>({args.status, args.packed, args.packed_bytes, args.out, args.count, args.width});
}

// Values of up to 64 bits to u64. Block of up to 256 threads, any grid; one warp does 256 values.
struct unpack_u64_args {
  kernel_status* status;
  const u8* packed;
  u64 packed_bytes;
  u64* out;
  u32 count;
  u32 width;
};

ARIADNE_KERNEL(unpack_u64, 256, 8, 0) {
  unpack::run<u64>({args.status, args.packed, args.packed_bytes, args.out, args.count, args.width});
}
