//! The functions that C calls.

use crate::list::List;
use crate::settings::Settings;
use crate::system::{self, Errno, GetAddrInfo, Uncancelled};
use ::rdma_addrinfo::abi::rdma_addrinfo;
use ::rdma_addrinfo::{
    AddrInfoList, Addresses, CCode, CoreError, ErrorKind, Flags, HeapResults, Hints, IbEntries, RawAddrInfo,
    Request, Resolver, Results, Storage, Text,
};
use libc::{EINVAL, ENOTRECOVERABLE};
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Resolves a node and a service for RDMA, as `rdma_getaddrinfo(3)` of librdmacm does; this package's README says
/// where it does otherwise.
///
/// Returns 0 and stores a list in `*res`; or an `EAI_` code; or -1 and sets `errno`, also where -1 is `EAI_BADFLAGS`:
/// `EINVAL` then. Nothing else changes `errno`, and a call that fails does not touch `*res`. It is no cancellation point. A panic, which would be a fault of this
/// library, ends in -1 and `ENOTRECOVERABLE`: it is not seen by the caller, and memory of that call may be lost.
///
/// # Safety
/// - `node` and `service` are null or end with a NUL.
/// - `hints` is null, or points to an aligned structure of which flags, family, QP type, port space, and pointers and
///   lengths of addresses and route are initialized. Each of these pointers is null, or leads to as many initialized
///   bytes as its length says, if memory can have so many. Nothing else of it is looked at.
/// - `res` is null or may be written to.
/// - Nobody changes any of it during the call.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn rdma_getaddrinfo(
    node: *const c_char,
    service: *const c_char,
    hints: *const rdma_addrinfo,
    res: *mut *mut rdma_addrinfo,
) -> c_int {
    let errno = Errno::keep();
    let answer = shut_in(|| {
        // SAFETY: the caller keeps the contract of this function, which is the same.
        unsafe { answer(node, service, hints, res) }
    });
    match answer {
        Ok(Answer::List(list)) => {
            // SAFETY: `answer` gives a list only where `res` is not null, and the caller promises that it may be
            // written to then.
            unsafe { res.write(list.into_raw()) };
            0
        }
        Ok(Answer::Forward(next)) => {
            let _uncancelled = Uncancelled::begin();
            // SAFETY: `next` has the signature and the contract of this function, which the caller keeps.
            let ret = unsafe { next(node, service, hints, res) };
            errno.let_go();
            ret
        }
        Err(code) => {
            let (ret, why) = told(code);
            if let Some(why) = why {
                errno.set(why);
            }
            ret
        }
    }
}

/// What is returned for an error, and `errno` where it is changed: wherever that is -1, which is `EAI_BADFLAGS` too.
const fn told(code: CCode) -> (c_int, Option<c_int>) {
    match code {
        CCode::Errno(errno @ 1..) => (-1, Some(errno)),
        CCode::Eai(-1) | CCode::Errno(_) => (-1, Some(EINVAL)),
        CCode::Eai(code) => (code, None),
    }
}

/// Frees a list of `rdma_getaddrinfo`, of this library or of librdmacm. Null is the empty list. `errno` is left alone.
///
/// # Safety
/// `res` is null, or the first of a list that either library made and that nobody has freed or uses any more.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn rdma_freeaddrinfo(res: *mut rdma_addrinfo) {
    let _errno = Errno::keep();
    // SAFETY: the caller promises a list of which all pointers are null or blocks of malloc, and gives it up.
    drop(unsafe { List::from_raw(res) });
}

/// Forgets what is kept from earlier calls: connections, and what was found of ibacm. For a program that enters another
/// namespace (setns(2), unshare(2)), or gives privileges up. It waits for nobody and leaves `errno` alone; calls that are
/// under way go on with what they have.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rdma_addrinfo_forget_kept() {
    let _errno = Errno::keep();
    let _uncancelled = Uncancelled::begin();
    let _ = shut_in(|| {
        ::rdma_addrinfo::forget_kept();
        Ok(())
    });
}

/// What becomes of a call.
enum Answer {
    List(List),
    /// The next library is to answer, with what this one was given.
    Forward(GetAddrInfo),
}

/// # Safety
/// That of [`rdma_getaddrinfo`].
unsafe fn answer(
    node: *const c_char,
    service: *const c_char,
    hints: *const rdma_addrinfo,
    res: *mut *mut rdma_addrinfo,
) -> Result<Answer, CCode> {
    if res.is_null() {
        return Err(CCode::Errno(EINVAL));
    }
    // SAFETY: the caller promises null, or what can be looked at as `looked_at` does.
    let looked_at = unsafe { looked_at(hints) };
    let foreign = looked_at.as_ref().and_then(|hints| {
        // SAFETY: a live copy of the caller's structure, whose pointers are null or lead to as many initialized bytes
        // as their lengths say, unchanged during this call; all others are null.
        unsafe { RawAddrInfo::from_ptr(hints) }
    });
    // Made where it stays, and lent from there: it is too large to be moved.
    let given = match foreign {
        None => Ok(Hints::new()),
        Some(foreign) => Hints::from_raw(foreign),
    };
    let given = given.as_ref().map_err(|error| error.to_c())?;
    let hints = foreign.map(|_| given);
    if hints.is_some_and(|hints| hints.flags().contains(Flags::SA))
        && let Some(next) = system::next_getaddrinfo()
    {
        return Ok(Answer::Forward(next));
    }
    let c_str = |start: *const c_char| match start.is_null() {
        true => None,
        // SAFETY: not null, so the caller promises a NUL at its end, and that nobody changes it during this call.
        false => Some(unsafe { CStr::from_ptr(start) }),
    };
    let [node, service] = [node, service].map(c_str);
    Settings::with(|settings| resolve(node, service, hints, settings))
        .map(Answer::List)
        .map_err(|error| error.to_c())
}

/// A copy of the hints with what is looked at of them; the rest, which C callers may leave uninitialized, is null.
///
/// # Safety
/// `hints` is null, or points to an aligned structure whose fields that are copied here are initialized.
unsafe fn looked_at(hints: *const rdma_addrinfo) -> Option<rdma_addrinfo> {
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

/// Resolves as the settings say; nothing is left out.
#[inline]
fn resolve(
    node: Option<&CStr>,
    service: Option<&CStr>,
    hints: Option<&Hints<'_>>,
    settings: &Settings,
) -> Result<List, CoreError> {
    let (resolver, known);
    let (resolver, hints) = match hints {
        // The bit is librdmacm's own, with which it asks for the route alone; no manual page knows it.
        Some(hints) if settings.is_strict() && hints.flags().contains(Flags::ROUTE_ONLY) => {
            resolver = settings.resolver().with_ib_entries(IbEntries::Never).with_source(false);
            known = hints.with_flags(hints.flags().difference(Flags::ROUTE_ONLY));
            (&resolver, Some(&known))
        }
        hints => (settings.resolver(), hints),
    };
    // The two addresses that no node stands for, and as many paths as a reply can hold: no heap but for the list.
    let mut few = Results::<2, 8>::new();
    // Nothing in it is a cancellation point.
    let request = resolver.request(Text::from_c_str(node), Text::from_c_str(service), hints);
    match resolver.try_resolve_now(request, &mut few) {
        Some(list) if !list.is_truncated() => copy(list),
        _ => ask(resolver, &request),
    }
}

/// Resolves what may have to be asked for, or takes more room.
#[cold]
#[inline(never)]
fn ask(resolver: &Resolver, request: &Request<'_>) -> Result<List, CoreError> {
    let (mut few, mut all);
    let results: Storage<'_> = match request.policy().addresses {
        Addresses::First => {
            few = Results::<1, 8>::new();
            (&mut few).into()
        }
        Addresses::All => {
            all = HeapResults::new();
            (&mut all).into()
        }
    };
    let _uncancelled = Uncancelled::begin();
    resolver.resolve_request(*request, results).and_then(copy)
}

/// The list as C has it; an error if anything is missing.
#[inline(always)]
fn copy(list: AddrInfoList<'_>) -> Result<List, CoreError> {
    let whole = !list.is_truncated();
    List::copy(&list).filter(|_| whole).ok_or(CoreError::new(ErrorKind::Memory))
}

/// Runs `body`, out of which no panic comes.
fn shut_in<T>(body: impl FnOnce() -> Result<T, CCode>) -> Result<T, CCode> {
    // What a panic leaves half done belongs to `body` alone, but for memories whose every state is valid.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(CCode::Errno(ENOTRECOVERABLE)))
}

#[cfg(test)]
mod tests;
