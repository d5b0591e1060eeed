// What CUDA and plain C++ call the same things. On a device the lanes of a warp run together; on the host a warp has
// one lane, and nothing else runs at the same time.

#if defined(__CUDACC_RTC__)
typedef int int32_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned char uint8_t;
#else
#include <stdint.h>
#endif

typedef unsigned long long Key; // what atomic operations work on

#if defined(__CUDACC__)

#define STEP static __device__ __forceinline__
#define RARE static __device__ __noinline__
#define CONSTANT static __device__ const
#define GLOBAL __device__
#define KERNEL extern "C" __global__ void
#define BOUNDS(warps) __launch_bounds__(32u * (warps))
#define LANES 32u
#define VOTE(condition) (__any_sync(~0u, (condition)) != 0)
#define BALLOT(condition) __ballot_sync(~0u, (condition))
#define COUNT(bits) ((uint32_t)__popcll(bits))
#define SYNC_WARP() __syncwarp()
#define MISFIT(condition) __builtin_expect(condition, 0)

STEP uint32_t lane_number() { return threadIdx.x & 31u; }
STEP uint32_t warp_in_block() { return threadIdx.x >> 5; }
STEP uint64_t thread_number() { return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; }
STEP uint64_t thread_count() { return (uint64_t)gridDim.x * blockDim.x; }
STEP uint32_t rank_in(uint32_t ballot) { return (uint32_t)__popc(ballot & ((1u << lane_number()) - 1u)); }
STEP uint64_t from_lane(uint64_t value, uint32_t lane) { return __shfl_sync(~0u, (Key)value, (int)lane); }
STEP uint32_t first_lane(uint32_t ballot) { return (uint32_t)__ffs((int)ballot) - 1u; }
STEP uint64_t sum_of_lanes(uint64_t value) {
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(~0u, (Key)value, distance);
    return value; // in the first lane
}
STEP uint64_t upper_product(uint64_t a, uint64_t b) { return __umul64hi(a, b); }
STEP uint64_t add_to(uint64_t* place, uint64_t value) { return atomicAdd((Key*)place, (Key)value); }
STEP uint64_t set_bits(uint64_t* place, uint64_t bits) { return atomicOr((Key*)place, (Key)bits); }
STEP uint64_t keep_bits(uint64_t* place, uint64_t bits) { return atomicAnd((Key*)place, (Key)bits); }
STEP void set_bit(uint32_t* shared, uint32_t number) { atomicOr(shared, 1u << number); }
STEP void lower_to(uint64_t* place, uint64_t value) { atomicMin((Key*)place, (Key)value); }
STEP uint64_t swap_if(uint64_t* place, uint64_t expected, uint64_t value) {
    return atomicCAS((Key*)place, (Key)expected, (Key)value);
}
// Past the first-level cache, which does not see what other multiprocessors write.
STEP uint64_t look(const uint64_t* place) { return __ldcg((const Key*)place); }
STEP uint32_t look(const uint32_t* place) { return __ldcg(place); }
STEP void look_at_pair(const uint64_t* place, uint64_t& first, uint64_t& second) {
    const ulonglong2 both = __ldcg((const ulonglong2*)place);
    first = both.x;
    second = both.y;
}
STEP void publish() { __threadfence(); }
// Copies 32 bytes to shared memory while other work goes on; after `wait_for_copies` they are there.
STEP void begin_copy(uint64_t* to, const uint64_t* from) {
    const uint32_t place = (uint32_t)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n cp.async.cg.shared.global [%0 + 16], [%1 + 16], 16;"
                 :
                 : "r"(place), "l"(from)
                 : "memory");
}
STEP void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }
#if __CUDA_ARCH__ >= 900
// Two numbers at once; what was there before comes back in `first` and `second`.
STEP void swap_pair_if_empty(uint64_t* place, uint64_t& first, uint64_t& second) {
    asm volatile("{\n .reg .b128 old, none, both;\n mov.b128 none, {%3, %3};\n mov.b128 both, {%0, %1};\n"
                 " atom.relaxed.gpu.global.cas.b128 old, [%2], none, both;\n mov.b128 {%0, %1}, old;\n}"
                 : "+l"(first), "+l"(second)
                 : "l"(place), "l"(0ull)
                 : "memory");
}
#endif

#else

#define STEP static inline
#define RARE static
#define CONSTANT static const
#define GLOBAL static
#define KERNEL extern "C" void
#define BOUNDS(warps)
#define LANES 1u
#define VOTE(condition) (condition)
#define BALLOT(condition) ((condition) ? 1u : 0u)
#define COUNT(bits) ((uint32_t)__builtin_popcountll(bits))
#define SYNC_WARP() (void)0
#define MISFIT(condition) __builtin_expect(condition, 0)
#define __shared__ static

STEP uint32_t lane_number() { return 0; }
STEP uint32_t warp_in_block() { return 0; }
STEP uint64_t thread_number() { return 0; }
STEP uint64_t thread_count() { return 1; }
STEP uint32_t rank_in(uint32_t) { return 0; }
STEP uint64_t from_lane(uint64_t value, uint32_t) { return value; }
STEP uint32_t first_lane(uint32_t) { return 0; }
STEP uint64_t sum_of_lanes(uint64_t value) { return value; }
STEP uint64_t upper_product(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }
STEP uint64_t add_to(uint64_t* place, uint64_t value) {
    const uint64_t before = *place;
    *place += value;
    return before;
}
STEP uint64_t set_bits(uint64_t* place, uint64_t bits) {
    const uint64_t before = *place;
    *place |= bits;
    return before;
}
STEP uint64_t keep_bits(uint64_t* place, uint64_t bits) {
    const uint64_t before = *place;
    *place &= bits;
    return before;
}
STEP void set_bit(uint32_t* shared, uint32_t number) { *shared |= 1u << number; }
STEP void lower_to(uint64_t* place, uint64_t value) { *place = value < *place ? value : *place; }
STEP uint64_t swap_if(uint64_t* place, uint64_t expected, uint64_t value) {
    const uint64_t before = *place;
    if (before == expected)
        *place = value;
    return before;
}
STEP uint64_t look(const uint64_t* place) { return *place; }
STEP uint32_t look(const uint32_t* place) { return *place; }
STEP void look_at_pair(const uint64_t* place, uint64_t& first, uint64_t& second) {
    first = place[0];
    second = place[1];
}
STEP void publish() {}
STEP void begin_copy(uint64_t* to, const uint64_t* from) {
    for (uint32_t i = 0; i < 4; ++i)
        to[i] = from[i];
}
STEP void wait_for_copies() {}
STEP void swap_pair_if_empty(uint64_t* place, uint64_t& first, uint64_t& second) {
    const uint64_t before[2] = {place[0], place[1]};
    if (before[0] == 0 && before[1] == 0)
        place[0] = first, place[1] = second;
    first = before[0];
    second = before[1];
}

#endif

// Adds what all lanes of a warp counted.
STEP void count_in(uint64_t* place, uint64_t value) {
    const uint64_t sum = sum_of_lanes(value);
    if (lane_number() == 0 && sum != 0)
        add_to(place, sum);
}
STEP uint64_t mixed(uint64_t value) {
    value = (value ^ value >> 32) * 0xd6e8feb86659fd93ull;
    value = (value ^ value >> 32) * 0xd6e8feb86659fd93ull;
    return value ^ value >> 32;
}
// The position of a set bit, counted from the lowest one.
STEP int NTH(uint64_t bits, uint32_t number) {
    for (; number > 0; --number)
        bits &= bits - 1;
    return (int)COUNT((bits & (0 - bits)) - 1);
}
STEP int32_t divided(int32_t a, int32_t b) { return b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b; }
STEP int32_t remainder_of(int32_t a, int32_t b) { return b == -1 ? 0 : a % b; }
