//! The functions that C calls.

use crate::list::List;
use crate::settings::{Names, Settings};
use crate::system::{Errno, Uncancelled};
use ::rdma_addrinfo::abi::rdma_addrinfo;
use ::rdma_addrinfo::{
    AddrInfoList, Addresses, CCode, CoreError, ErrorKind, Flags, HeapResults, Hints, IbEntries, RawAddrInfo,
    Request, Resolver, Results, Storage, Text,
};
use libc::{EINVAL, ENOTRECOVERABLE};
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Resolves a node and a service for RDMA, as `rdma_getaddrinfo(3)` of librdmacm does; this package's README lists the
/// differences.
///
/// Returns 0 and stores a list in `*res`; or returns an `EAI_` code; or returns -1 and sets `errno`, which is `EINVAL` for
/// `EAI_BADFLAGS` (-1). Nothing else changes `errno`, and a call that fails does not write to `*res`. It is not a
/// cancellation point. A panic, which is a bug of this library, becomes -1 and `ENOTRECOVERABLE`: the caller does not see
/// it, and memory of that call may leak.
///
/// # Safety
/// - `node` and `service` are null or end with a NUL.
/// - `hints` is null, or points to an aligned structure of which flags, family, QP type, port space, and pointers and
///   lengths of addresses and route are initialized. Each of these pointers is null, or points to as many initialized
///   bytes as its length says, unless no memory can be that large. Nothing else of it is read.
/// - `res` is null or may be written to.
/// - Nobody changes any of it during the call.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn rdma_getaddrinfo(
    node: *const c_char,
    service: *const c_char,
    hints: *const rdma_addrinfo,
    res: *mut *mut rdma_addrinfo,
) -> c_int {
    let errno = Errno::save();
    let outcome = catch_panic(|| {
        // SAFETY: the caller keeps the contract of this function, which is the same.
        unsafe { resolve_pointers(node, service, hints, res) }
    });
    match outcome {
        Ok(list) => {
            // SAFETY: `resolve_pointers` returns a list only if `res` is not null, and the caller promises that it may
            // then be written to.
            unsafe { res.write(list.into_raw()) };
            0
        }
        Err(code) => {
            let (ret, why) = return_value(code);
            if let Some(why) = why {
                errno.set(why);
            }
            ret
        }
    }
}

/// The return value for an error, and the `errno` to set: whenever the value is -1, which `EAI_BADFLAGS` is too.
const fn return_value(code: CCode) -> (c_int, Option<c_int>) {
    match code {
        CCode::Errno(errno @ 1..) => (-1, Some(errno)),
        CCode::Eai(-1) | CCode::Errno(_) => (-1, Some(EINVAL)),
        CCode::Eai(code) => (code, None),
    }
}

/// Frees a list of `rdma_getaddrinfo`, of this library or of librdmacm. Null is the empty list. `errno` is unchanged.
///
/// # Safety
/// `res` is null, or the first of a list that either library allocated and that nobody has freed or still uses.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn rdma_freeaddrinfo(res: *mut rdma_addrinfo) {
    let _errno = Errno::save();
    // SAFETY: the caller promises a list whose pointers are all null or blocks of malloc, and passes ownership.
    drop(unsafe { List::from_raw(res) });
}

/// Closes what is kept from earlier calls: idle sockets, connections, and the back-off state of ibacm. For a program that
/// enters another namespace (setns(2), unshare(2)), or drops privileges. It does not wait, and leaves `errno` unchanged.
/// Running calls are not affected.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rdma_addrinfo_forget_kept() {
    let _errno = Errno::save();
    let _uncancelled = Uncancelled::begin();
    let _ = catch_panic(|| {
        ::rdma_addrinfo::forget_kept();
        Ok(())
    });
}

/// # Safety
/// That of [`rdma_getaddrinfo`].
unsafe fn resolve_pointers(
    node: *const c_char,
    service: *const c_char,
    hints: *const rdma_addrinfo,
    res: *mut *mut rdma_addrinfo,
) -> Result<List, CCode> {
    if res.is_null() {
        return Err(CCode::Errno(EINVAL));
    }
    // SAFETY: the caller promises null, or hints that `copy_hints` may read.
    let copied = unsafe { copy_hints(hints) };
    let foreign = copied.as_ref().and_then(|hints| {
        // SAFETY: a live copy of the caller's structure, whose pointers are null or lead to as many initialized bytes
        // as their lengths say, unchanged during this call; all others are null.
        unsafe { RawAddrInfo::from_ptr(hints) }
    });
    // Built in place and borrowed: it is too large to be moved.
    let given = match foreign {
        None => Ok(Hints::new()),
        Some(foreign) => Hints::from_raw(foreign),
    };
    let given = given.as_ref().map_err(|error| error.to_c())?;
    let hints = foreign.map(|_| given);
    let c_str = |start: *const c_char| match start.is_null() {
        true => None,
        // SAFETY: not null, so the caller promises a NUL at its end, and that nobody changes it during this call.
        false => Some(unsafe { CStr::from_ptr(start) }),
    };
    let [node, service] = [node, service].map(c_str);
    Settings::with(|settings| resolve(node, service, hints, settings)).map_err(|error| error.to_c())
}

/// A copy of the fields of the hints that are read; the others, which C callers may leave uninitialized, are null.
///
/// # Safety
/// `hints` is null, or points to an aligned structure whose fields that are copied here are initialized.
unsafe fn copy_hints(hints: *const rdma_addrinfo) -> Option<rdma_addrinfo> {
    if hints.is_null() {
        return None;
    }
    macro_rules! copy {
        ($($field:ident)+) => {
            rdma_addrinfo {
                $(
                    // SAFETY: the caller promises an aligned structure, of which this field is initialized.
                    $field: unsafe { (&raw const (*hints).$field).read() },
                )+
                ..rdma_addrinfo::ZERO
            }
        };
    }
    Some(copy! {
        ai_flags ai_family ai_qp_type ai_port_space ai_src_len ai_dst_len ai_src_addr ai_dst_addr ai_route_len ai_route
    })
}

/// Resolves with the settings; a truncated list is an error.
#[inline]
fn resolve(
    node: Option<&CStr>,
    service: Option<&CStr>,
    hints: Option<&Hints<'_>>,
    settings: &Settings,
) -> Result<List, CoreError> {
    let (resolver, known);
    let (resolver, hints) = match hints {
        // librdmacm itself sets this bit to ask for a route only; the manual page does not define it.
        Some(hints) if settings.is_strict() && hints.flags().contains(Flags::ROUTE_ONLY) => {
            resolver = settings.resolver().with_ib_entries(IbEntries::Never).with_source(false);
            known = hints.with_flags(hints.flags().difference(Flags::ROUTE_ONLY));
            (&resolver, Some(&known))
        }
        hints => (settings.resolver(), hints),
    };
    // A null node has two addresses, and a reply at most eight paths: only the list needs the heap.
    let mut small = Results::<2, 8>::new();
    // Nothing in it is a cancellation point.
    let request = resolver.request(Text::from_c_str(node), Text::from_c_str(service), hints);
    match resolver.try_resolve_now(request, &mut small) {
        Some(list) if !list.is_truncated() => List::copy(&list).ok_or(CoreError::new(ErrorKind::Memory)),
        _ => resolve_with_io(resolver, request),
    }
}

/// Resolves requests that may need I/O or more capacity.
// By value: the request of all others then stays in registers.
#[cold]
#[inline(never)]
fn resolve_with_io(resolver: &Resolver<Names>, request: Request<'_>) -> Result<List, CoreError> {
    let (mut one, mut all);
    let asks_sa = request.given_hints().is_some_and(|hints| hints.flags().contains(Flags::SA));
    let results: Storage<'_> = match request.policy().addresses {
        // Of a name, but all records of a service.
        Addresses::First if !asks_sa => {
            one = Results::<1, 8>::new();
            (&mut one).into()
        }
        // As many as there are.
        _ => {
            all = HeapResults::new();
            (&mut all).into()
        }
    };
    let _uncancelled = Uncancelled::begin();
    resolver.resolve_request(request, results).and_then(copy)
}

/// The list for C; an error if it is truncated.
#[inline(always)]
fn copy(list: AddrInfoList<'_>) -> Result<List, CoreError> {
    let whole = !list.is_truncated();
    List::copy(&list).filter(|_| whole).ok_or(CoreError::new(ErrorKind::Memory))
}

/// Runs `body`; a panic becomes an error.
fn catch_panic<T>(body: impl FnOnce() -> Result<T, CCode>) -> Result<T, CCode> {
    // What a panic leaves unfinished is owned by `body`, except caches, whose every state is valid.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(CCode::Errno(ENOTRECOVERABLE)))
}

#[cfg(test)]
mod tests;
