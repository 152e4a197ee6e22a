//! Loads memory into the caches of the processor before it is needed.

/// Prefetches the memory of `place` on x86-64. Does nothing on other processors. A plain load would
/// stall the instructions after it.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t0(place);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
