//! A binary that asks for it counts the allocations of Rust and, with glibc, of C code too.
//!
//! One test, because all threads of a process are counted, and a test beside it would be one of them.

use fairlane_lab::contest::{Label, Place, Size, Unit};
use fairlane_lab::contestants::roster;
use fairlane_lab::contests::{all, select};
use fairlane_lab::engine::allocations;
use std::hint::black_box;

fairlane_lab::count_allocations!();

#[test]
fn allocations_are_counted() {
    rust_is_counted();
    over_aligned_rust_is_counted();
    an_operation_that_allocates_nothing_counts_nothing();
    #[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static")))]
    {
        c_is_counted();
        the_c_reference_allocates_and_its_twin_does_not();
        posix_memalign_keeps_its_contract();
    }
    the_most_that_is_held_at_once_is_told();
    entries_allocate_where_their_contest_says();
}

fn the_most_that_is_held_at_once_is_told() {
    let take = |bytes: usize| black_box(Vec::<u8>::with_capacity(black_box(bytes)));
    // Each a few bytes more, as the allocator rounds them up.
    let held = |expected: u64, op: &mut dyn FnMut()| {
        let peak = allocations::of(op).expect("this binary counts").peak;
        assert!((expected..expected + 100).contains(&peak), "{peak} of {expected}");
    };
    held(0, &mut || ());
    held(1000, &mut || drop(take(1000)));
    held(1000, &mut || (0..10).for_each(|_| drop(take(1000))));
    held(3000, &mut || drop((take(1000), take(2000))));
    held(2000, &mut || {
        let mut grown = take(1000);
        grown.reserve_exact(2000);
        drop(black_box(grown));
        drop(take(1500));
    });
    held(100_000, &mut || drop(take(100_000)));
    // What was there before does not count, and giving it back makes no room for more.
    let mut kept = take(5000);
    held(3000, &mut || drop(std::mem::replace(&mut kept, take(3000))));
    let mut kept = Vec::new();
    held(700, &mut || kept.push(take(700)));
}

/// Contexts that an entry should have made before would show here, too. What KEMs of C allocate for keys is theirs; so
/// is what graviola allocates to compute, and OpenSSL to begin a message on a context that is there.
fn entries_allocate_where_their_contest_says() {
    for contest in all() {
        let size = contest.quick_sizes[0];
        let input = contest.input(size, 1);
        for contestant in roster(&contest).contestants {
            let key_of_c = contestant.labels.contains(&Label::Ffi) && contest.unit == Unit::Operations;
            let by_itself = ["graviola", "c-reference", "OpenSSL"].contains(&contestant.library.as_str());
            if contestant.labels.contains(&Label::Reference) || key_of_c || by_itself {
                continue;
            }
            let mut op = (contestant.make)(size);
            let mut output = vec![0; contest.output_bytes(size)];
            op.run(&input, &mut output);
            let (count, _) = counted(|| op.run(&input, &mut output));
            let name = format!("{} in {}", contestant.name, contest.id);
            match contest.conditions.allocation {
                Place::Inside => assert_eq!(count, 1.0, "{name}"),
                _ => assert_eq!(count, 0.0, "{name}"),
            }
        }
    }
}

/// Count and bytes of one call.
fn counted(op: impl FnMut()) -> (f64, f64) {
    let found = allocations::of(op).expect("this binary counts");
    (found.made.count, found.made.bytes)
}

fn rust_is_counted() {
    assert_eq!(counted(|| drop(black_box(vec![1_u8; 1000]))), (1.0, 1000.0));
    assert_eq!(counted(|| drop(black_box(vec![0_u8; 1000]))), (1.0, 1000.0));
    assert_eq!(counted(|| drop(black_box([Box::new(1_u64), Box::new(2)]))), (2.0, 16.0));
    let grow = || {
        let mut bytes = Vec::<u8>::with_capacity(100);
        bytes.reserve_exact(black_box(300));
        drop(black_box(bytes));
    };
    assert_eq!(counted(grow), (2.0, 400.0));
}

fn over_aligned_rust_is_counted() {
    #[repr(align(4096))]
    struct Page(#[allow(dead_code)] [u8; 4096]);
    assert_eq!(counted(|| drop(black_box(Box::new(Page([7; 4096]))))), (1.0, 4096.0));
}

fn an_operation_that_allocates_nothing_counts_nothing() {
    let mut sum = 0_u64;
    assert_eq!(counted(|| sum = black_box(sum.wrapping_add(1))), (0.0, 0.0));
}

#[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static")))]
fn c_is_counted() {
    assert_eq!(allocations::includes_c(), Some(true));

    // Called from here.
    // SAFETY: `free` takes what `malloc` gives.
    assert_eq!(counted(|| unsafe { libc::free(black_box(libc::malloc(black_box(123)))) }), (1.0, 123.0));
    // SAFETY: the same, with `calloc`, `realloc` and `aligned_alloc`.
    let all = || unsafe {
        let memory = black_box(libc::calloc(black_box(3), 50));
        assert_eq!(memory.cast::<u8>().read(), 0);
        libc::free(black_box(libc::realloc(memory, black_box(200))));
        let aligned = black_box(libc::aligned_alloc(black_box(64), 128));
        assert_eq!(aligned as usize % 64, 0);
        libc::free(aligned);
    };
    assert_eq!(counted(all), (3.0, 478.0));

    // Called inside a shared library.
    // SAFETY: the argument is a string that ends in 0, and `free` takes what `strdup` gives.
    let inside = || unsafe { libc::free(black_box(libc::strdup(black_box(c"seven!!".as_ptr()))).cast()) };
    assert_eq!(counted(inside), (1.0, 8.0));
}

/// Of a block: its words and its bytes, and in each of ten rounds two for the row shift and one for the matrix.
#[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static")))]
fn the_c_reference_allocates_and_its_twin_does_not() {
    let mut found = 0;
    for contest in select(&["kalyna-128-128/ecb-*"]).unwrap() {
        for contestant in roster(&contest).contestants {
            let expected = match contestant.library.as_str() {
                "c-reference" if contestant.name.contains("ARENA") => (0.0, 0.0),
                "c-reference" => (32.0, 512.0),
                "c-optimised" => (0.0, 0.0),
                _ => continue,
            };
            let mut op = (contestant.make)(Size::one(16));
            assert_eq!(counted(|| op.run(&[1; 16], &mut [0; 16])), expected, "{}", contestant.name);
            found += 1;
        }
    }
    assert!(found >= 6, "three builds or more, both ways");
}

#[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static")))]
fn posix_memalign_keeps_its_contract() {
    let mut memory = std::ptr::null_mut();
    // SAFETY: a place for the pointer is given, and `free` takes what it gives.
    unsafe {
        assert_eq!(libc::posix_memalign(&mut memory, 24, 100), libc::EINVAL);
        assert_eq!(libc::posix_memalign(&mut memory, 2, 100), libc::EINVAL);
        assert_eq!(libc::posix_memalign(&mut memory, 256, 100), 0);
        assert_eq!(memory as usize % 256, 0);
        libc::free(memory);
    }
}
