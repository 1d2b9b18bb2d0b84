//! The replay as a WebAssembly module: two functions over plain memory.

/// Room for bytes; it is never given back.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    Box::leak(vec![0_u8; bytes].into_boxed_slice()).as_mut_ptr()
}

/// Replays the recording at `start` and leaves the report as text there; returns its length, or 0
/// for bytes that are no recording.
///
/// # Safety
/// `start` comes from [`room`] with at least `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn replay(start: *mut u8, bytes: usize) -> usize {
    // SAFETY: the caller passes memory from `room`, which nothing else refers to.
    let recording = unsafe { core::slice::from_raw_parts_mut(start, bytes) };
    let Ok(report) = tropism_parity::run(recording, &mut || 0) else { return 0 };
    let text = report.to_string();
    let length = text.len().min(bytes);
    recording[..length].copy_from_slice(&text.as_bytes()[..length]);
    length
}
