//! The calls of C: getaddrinfo(3), and those that start a thread for it.
//!
//! The one file of this module that may hold unsafe code.

use super::Query;
use crate::errno;
use crate::native::idle_socket;
use libc::{addrinfo, pthread_attr_t, sigset_t, sockaddr_in, sockaddr_in6};
use rdma_addrinfo_core::{Error, ErrorKind, Found, Protocol, Reason};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
use std::mem::{self, MaybeUninit};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};
use std::ptr;

/// Asks getaddrinfo(3) on this thread.
pub(super) fn call(query: &Query<&CStr>) -> Result<List, Error> {
    let mut list = List::get(query)?;
    // musl gives it unasked.
    list.is_named = asks_name(query);
    Ok(list)
}

/// Whether to ask for the canonical name: without a node, glibc calls that an error.
fn asks_name(query: &Query<&CStr>) -> bool {
    query.canonical && query.node.is_some()
}

/// The list that getaddrinfo(3) made, freed when dropped. It is read where it lies: an answer needs no memory beside it.
#[derive(Debug)]
pub(super) struct List {
    /// Invariant: null, or the first entry of such a list, not freed, which nobody else has.
    first: *mut addrinfo,
    /// Whether the canonical name was asked for.
    is_named: bool,
}

// SAFETY: the list is memory that belongs to this value alone, and that getaddrinfo and freeaddrinfo, which are MT-safe,
// do not tie to a thread.
unsafe impl Send for List {}

impl List {
    fn get(query: &Query<&CStr>) -> Result<Self, Error> {
        let mut flags = 0;
        if query.passive {
            flags |= libc::AI_PASSIVE;
        }
        if asks_name(query) {
            flags |= libc::AI_CANONNAME;
        }
        let (socktype, protocol) = match query.protocol {
            Protocol::Tcp => (libc::SOCK_STREAM, libc::IPPROTO_TCP),
            Protocol::Udp => (libc::SOCK_DGRAM, libc::IPPROTO_UDP),
            Protocol::Any => (0, 0),
        };
        let hints = addrinfo {
            ai_flags: flags,
            ai_family: query.family,
            ai_socktype: socktype,
            ai_protocol: protocol,
            ai_addrlen: 0,
            ai_addr: ptr::null_mut(),
            ai_canonname: ptr::null_mut(),
            ai_next: ptr::null_mut(),
        };
        let node = query.node.map_or(ptr::null(), CStr::as_ptr);
        let service = query.service.map_or(ptr::null(), CStr::as_ptr);
        let mut first = ptr::null_mut();
        errno::clear();
        // SAFETY: node and service are null or NUL-terminated strings that `query` borrows for longer than this
        // call; `hints` and `first` are live locals; the fields of `hints` that must be 0 or null are; getaddrinfo
        // is MT-safe and keeps none of the pointers.
        let ret = unsafe { libc::getaddrinfo(node, service, &raw const hints, &raw mut first) };
        match ret {
            0 => Ok(Self { first, is_named: false }),
            // Without memory to read hosts(5) or to ask DNS, glibc takes the name for one that does not exist.
            _ if errno::last() == libc::ENOMEM => Err(ErrorKind::Memory.into()),
            // Nor does it report that it had no descriptor for them.
            _ if matches!(errno::last(), libc::EMFILE | libc::ENFILE) => Err(Error::system(errno::last())),
            // Without one for a socket to a name server it leaves no error at all.
            libc::EAI_SYSTEM => {
                let last = errno::last();
                // So glibc reports that there is nowhere to look.
                if last == libc::EBUSY {
                    return Err(Error::from_getaddrinfo(libc::EAI_SYSTEM, last).because(Reason::NoNameSource));
                }
                Err(Error::from_getaddrinfo(libc::EAI_SYSTEM, no_descriptor(last).unwrap_or(last)))
            }
            code => Err(Error::from_getaddrinfo(code, errno::last())),
        }
    }

    fn iter(&self) -> Iter<'_> {
        Iter { next: self.first, list: PhantomData }
    }

    /// The IPv4 and IPv6 addresses.
    pub(super) fn addresses(&self) -> impl Iterator<Item = Found> + Clone {
        self.iter().filter_map(found)
    }

    /// The canonical name, if it was asked for. Only the first entry has it, whatever its family.
    pub(super) fn canonical_name(&self) -> Option<&CStr> {
        self.iter().next().filter(|_| self.is_named).and_then(canonical_name)
    }
}

impl Drop for List {
    fn drop(&mut self) {
        if !self.first.is_null() {
            // SAFETY: by the invariant the pointer came from getaddrinfo and was not freed; only drop frees it, and
            // every borrow of an entry borrows `self`, so none is left.
            unsafe { libc::freeaddrinfo(self.first) }
        }
    }
}

/// The entries of a [`List`].
///
/// Invariant: `next` is null or an entry of the list that `list` borrows.
#[derive(Clone)]
struct Iter<'l> {
    next: *const addrinfo,
    list: PhantomData<&'l List>,
}

impl<'l> Iterator for Iter<'l> {
    type Item = &'l addrinfo;

    fn next(&mut self) -> Option<&'l addrinfo> {
        // SAFETY: null, or by the invariant an entry that getaddrinfo made: aligned, initialised, and alive and
        // unchanged while the list is borrowed, which it is for 'l.
        let entry = unsafe { self.next.as_ref() }?;
        self.next = entry.ai_next;
        Some(entry)
    }
}

/// Why no descriptor is to be had, if that may be what is behind this `errno` of getaddrinfo(3).
fn no_descriptor(errno: c_int) -> Option<c_int> {
    if errno != 0 {
        return None;
    }
    let socket = idle_socket::open(AddressFamily::INET, SocketType::DGRAM, SocketFlags::empty());
    let errno = socket.err()?.raw_os_error();
    matches!(errno, libc::EMFILE | libc::ENFILE).then_some(errno)
}

/// The address of an entry of a [`List`]; none if it is neither IPv4 nor IPv6, or too short for what it says.
fn found(entry: &addrinfo) -> Option<Found> {
    let protocol = match entry.ai_protocol {
        libc::IPPROTO_TCP => Protocol::Tcp,
        libc::IPPROTO_UDP => Protocol::Udp,
        _ => Protocol::Any,
    };
    let address = match entry.ai_family {
        libc::AF_INET => {
            let ip: sockaddr_in = sockaddr(entry)?;
            SocketAddr::from((
                Ipv4Addr::from_bits(u32::from_be(ip.sin_addr.s_addr)),
                u16::from_be(ip.sin_port),
            ))
        }
        libc::AF_INET6 => {
            let ip: sockaddr_in6 = sockaddr(entry)?;
            let address = Ipv6Addr::from(ip.sin6_addr.s6_addr);
            let flow_info = u32::from_be(ip.sin6_flowinfo);
            SocketAddrV6::new(address, u16::from_be(ip.sin6_port), flow_info, ip.sin6_scope_id).into()
        }
        _ => return None,
    };
    Some(Found { address, protocol })
}

/// A C socket address without pointers or invalid bit patterns.
///
/// # Safety
///
/// Any bytes are a value of the type.
unsafe trait SockAddr: Copy {}

// SAFETY: integers and arrays of integers.
unsafe impl SockAddr for sockaddr_in {}

// SAFETY: integers and arrays of integers.
unsafe impl SockAddr for sockaddr_in6 {}

/// Reads the address of an entry of a [`List`], if it is at least as long as `T`.
fn sockaddr<T: SockAddr>(entry: &addrinfo) -> Option<T> {
    let length = usize::try_from(entry.ai_addrlen).ok()?;
    if entry.ai_addr.is_null() || length < mem::size_of::<T>() {
        return None;
    }
    // SAFETY: getaddrinfo says that `ai_addrlen` bytes can be read at `ai_addr`; these are at least the size of T, of
    // which any bytes are a value. No alignment is needed.
    Some(unsafe { entry.ai_addr.cast::<T>().read_unaligned() })
}

fn canonical_name(entry: &addrinfo) -> Option<&CStr> {
    if entry.ai_canonname.is_null() {
        return None;
    }
    // SAFETY: not null, so a NUL-terminated string of getaddrinfo that lives as long as the entry.
    Some(unsafe { CStr::from_ptr(entry.ai_canonname) })
}

/// Starts a detached thread for `body`, with `stack` bytes of stack beside what the C library takes of it.
///
/// Signals are blocked in it, so that those sent to the process are handled on the application's threads; those that
/// a fault of the thread itself raises are not.
///
/// Not a thread of std: these take a lock of std when they start and when they end, so a fork(2) at such a moment
/// leaves a child in which none can start. The C library has its own locks ready in a child.
///
/// # Errors
///
/// The `errno` of pthread_create(3): `EAGAIN` if there are too many threads or too little memory.
pub(super) fn start_thread<F: FnOnce() + Send + 'static>(stack: usize, body: F) -> Result<(), c_int> {
    pin_object();
    let attributes = Attributes::new(stack)?;
    // Inherited by the new thread, which so never runs without it.
    let _restored = SignalMask::block();
    let body = Box::into_raw(Box::new(body));
    let mut thread = MaybeUninit::uninit();
    // SAFETY: `thread` is memory for the thread's ID, `attributes` holds initialised attributes; `run::<F>` takes one
    // pointer, which must be a Box<F> that nobody else uses, and `body` is: it is taken back below only if no thread
    // was made. F is Send and borrows nothing.
    let ret =
        unsafe { libc::pthread_create(thread.as_mut_ptr(), &raw const attributes.0, run::<F>, body.cast()) };
    if ret != 0 {
        // SAFETY: from Box::into_raw above; no thread was made that could have taken it.
        drop(unsafe { Box::from_raw(body) });
        return Err(ret);
    }
    Ok(())
}

/// What a new thread runs. `body` must be a `Box<F>` that nobody else uses.
extern "C" fn run<F: FnOnce()>(body: *mut c_void) -> *mut c_void {
    // SAFETY: only `start_thread` names this function, for pthread_create, which calls it once, with the pointer that
    // Box::into_raw gave for this F.
    let body = unsafe { Box::from_raw(body.cast::<F>()) };
    body();
    ptr::null_mut()
}

/// Names the calling thread, for ps(1) and debuggers. Linux keeps 15 bytes.
pub(super) fn name_thread(name: &CStr) {
    // SAFETY: PR_SET_NAME reads a NUL-terminated string, at most 16 bytes of it, and keeps no pointer.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr()) };
}

/// How many bytes of a thread's stack glibc takes for itself: for the thread-local variables of the program and of
/// the libraries that it was linked with, which may be many.
fn taken_of_stack(attributes: &pthread_attr_t) -> usize {
    type MinStack = unsafe extern "C" fn(*const pthread_attr_t) -> usize;
    // SAFETY: a NUL-terminated name, not kept.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__pthread_get_minstack".as_ptr()) };
    // SAFETY: null is `None`; else the symbol is glibc's function of this signature, which std calls by it too. A
    // function pointer has the size of an object pointer here.
    let min_stack = unsafe { mem::transmute::<*mut c_void, Option<MinStack>>(symbol) };
    // SAFETY: initialised attributes, borrowed for the call, which reads them.
    min_stack.map_or(0, |min_stack| unsafe { min_stack(attributes) })
}

/// Keeps the object that this code is in from being unmapped: a plug-in with a worker that waits for its next
/// lookup must not go away under it.
fn pin_object() {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: an address in this object, and memory for the answer.
    let found = unsafe { libc::dladdr(pin_object as *const c_void, info.as_mut_ptr()) };
    if found == 0 {
        return;
    }
    // SAFETY: dladdr returned non-zero: it filled the answer in.
    let info = unsafe { info.assume_init() };
    if !info.dli_fname.is_null() {
        // SAFETY: a NUL-terminated path that lives as long as the object. Nothing is loaded: an object that is not
        // there by this name, as the program itself, is left alone.
        unsafe { libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE) };
    }
}

/// Attributes of a detached thread. Invariant: initialised, and destroyed by drop alone.
struct Attributes(pthread_attr_t);

impl Attributes {
    fn new(stack: usize) -> Result<Self, c_int> {
        let mut attributes = MaybeUninit::uninit();
        // SAFETY: memory of a pthread_attr_t, which the call initialises; it reads none of it.
        check(unsafe { libc::pthread_attr_init(attributes.as_mut_ptr()) })?;
        // SAFETY: pthread_attr_init returned 0: initialised.
        let mut attributes = Self(unsafe { attributes.assume_init() });
        let stack = stack.saturating_add(taken_of_stack(&attributes.0));
        // SAFETY: initialised attributes, borrowed for the call.
        check(unsafe { libc::pthread_attr_setstacksize(&raw mut attributes.0, stack) })?;
        // SAFETY: initialised attributes, borrowed for the call.
        check(unsafe {
            libc::pthread_attr_setdetachstate(&raw mut attributes.0, libc::PTHREAD_CREATE_DETACHED)
        })?;
        Ok(attributes)
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised by the invariant, and not used again.
        unsafe { libc::pthread_attr_destroy(&raw mut self.0) };
    }
}

fn check(ret: c_int) -> Result<(), c_int> {
    if ret == 0 { Ok(()) } else { Err(ret) }
}

/// The signal mask that drop restores; none if it was not changed.
struct SignalMask(Option<sigset_t>);

/// Signals that a thread's own fault raises. To block them would be to kill the process without its handlers.
const FAULTS: [c_int; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGABRT, libc::SIGSYS];

impl SignalMask {
    /// Blocks all signals but [`FAULTS`] on this thread.
    fn block() -> Self {
        let mut blocked = MaybeUninit::uninit();
        // SAFETY: memory of a sigset_t, which the call initialises; it reads none of it.
        let ret = unsafe { libc::sigfillset(blocked.as_mut_ptr()) };
        if ret != 0 {
            return Self(None);
        }
        // SAFETY: sigfillset returned 0: initialised.
        let mut blocked: sigset_t = unsafe { blocked.assume_init() };
        for fault in FAULTS {
            // SAFETY: an initialised set, borrowed for the call, and the number of a signal.
            unsafe { libc::sigdelset(&raw mut blocked, fault) };
        }
        let mut before = MaybeUninit::uninit();
        // SAFETY: `blocked` is initialised, `before` is memory of a sigset_t to be written; both outlive the call.
        let ret =
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const blocked, before.as_mut_ptr()) };
        if ret != 0 {
            return Self(None);
        }
        // SAFETY: pthread_sigmask returned 0: it wrote the old mask.
        Self(Some(unsafe { before.assume_init() }))
    }
}

impl Drop for SignalMask {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // SAFETY: an initialised set, borrowed for the call; null asks for no old mask.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
        }
    }
}
