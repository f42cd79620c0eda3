//! Ends of connections: what the examples need of librdmacm, safe to call. Each wait has a limit.
#![allow(unsafe_code)]

use super::memory::Memory;
use rdma_addrinfo::{AddrInfo, CListRef, Gid, SockAddrBuf};
use rdma_sys::rdma_cm_event_type as event_type;
use rdma_sys::{
    ibv_qp_cap, ibv_qp_init_attr, ibv_qp_type, ibv_wc, ibv_wc_status, rdma_cm_id, rdma_conn_param,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::{CStr, c_int};
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::os::fd::BorrowedFd;
use std::ptr;
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take that the other side has to do.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);

/// Work requests that may be under way in each direction.
pub(crate) const SENDS: u32 = 64;

/// An end of a connection, or what listens for some.
pub(crate) struct Endpoint {
    // Invariant: an identifier of librdmacm's that nobody else destroys, and the event channel that it alone uses.
    id: *mut rdma_cm_id,
    channel: *mut rdma_sys::rdma_event_channel,
}

/// What the connection manager has told about the other side.
pub(crate) struct Event {
    id: *mut rdma_cm_id,
    /// Private data of the other side, with the zeros that the transport adds.
    pub(crate) private_data: Vec<u8>,
    ud: Option<rdma_sys::rdma_ud_param>,
}

/// A work request that is done.
pub(crate) struct Completion(ibv_wc);

/// The other side of a datagram endpoint.
pub(crate) struct Remote<'e> {
    // Invariant: an address handle of this endpoint that nobody else destroys.
    handle: *mut rdma_sys::ibv_ah,
    qp_num: u32,
    endpoint: PhantomData<&'e Endpoint>,
}

impl Endpoint {
    /// Makes an endpoint by the first entry of a list. An active one has resolved its address and route, and has a
    /// queue pair; a passive one is bound.
    pub(crate) fn create(list: CListRef<'_>, receives: u32) -> io::Result<Self> {
        let mut id = ptr::null_mut();
        let mut attributes = attributes(receives);
        // A queue pair for each request comes later.
        let is_passive = list.as_raw().is_some_and(|info| AddrInfo::from_raw(info).is_passive());
        let attributes = if is_passive { ptr::null_mut() } else { &raw mut attributes };
        // SAFETY: `id` and the attributes are live locals that the call writes to; the list is null-terminated and
        // lives as long as the borrow `list`, and its structures have the layout of those of rdma-sys; a null
        // protection domain means the default one.
        let ret =
            unsafe { rdma_sys::rdma_create_ep(&mut id, list.as_ptr().cast(), ptr::null_mut(), attributes) };
        check(ret)?;
        Self::own(id)
    }

    /// Takes over an identifier, and gives it an event channel of its own, so that nothing blocks.
    fn own(id: *mut rdma_cm_id) -> io::Result<Self> {
        // SAFETY: the function takes nothing.
        let channel = unsafe { rdma_sys::rdma_create_event_channel() };
        let endpoint = Self { id, channel };
        if channel.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: by the invariant both are live, and every event of the identifier has been acknowledged.
        check(unsafe { rdma_sys::rdma_migrate_id(id, channel) })?;
        Ok(endpoint)
    }

    pub(crate) fn listen(&self) -> io::Result<()> {
        // SAFETY: by the invariant the identifier is live.
        check(unsafe { rdma_sys::rdma_listen(self.id, 16) })
    }

    /// Waits for a request, as long as it takes.
    pub(crate) fn request(&self) -> io::Result<Event> {
        self.event(event_type::RDMA_CM_EVENT_CONNECT_REQUEST, None)
    }

    /// The endpoint of the connection that is asked for, with a queue pair; once for each request.
    pub(crate) fn of_request(request: &mut Event, receives: u32) -> io::Result<Self> {
        let id = std::mem::replace(&mut request.id, ptr::null_mut());
        if id.is_null() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let endpoint = Self::own(id)?;
        let mut attributes = attributes(receives);
        attributes.qp_type = endpoint.qp_type();
        // SAFETY: the identifier is live and has a device, since a request came in by one; the attributes are a live
        // local; a null protection domain means the default one.
        check(unsafe { rdma_sys::rdma_create_qp(endpoint.id, ptr::null_mut(), &mut attributes) })?;
        Ok(endpoint)
    }

    /// Connects, and tells what the other side has answered. Connect data of the list comes first by itself.
    pub(crate) fn connect(&self, private_data: &[u8]) -> io::Result<Event> {
        let mut parameters = parameters(private_data)?;
        // SAFETY: the identifier is live; the parameters are a live local, whose pointer leads to as many bytes as it
        // says; both are only read during the call.
        check(unsafe { rdma_sys::rdma_connect(self.id, &mut parameters) })?;
        self.event(event_type::RDMA_CM_EVENT_ESTABLISHED, Some(LIMIT))
    }

    /// Accepts the request for which this endpoint was made.
    pub(crate) fn accept(&self, private_data: &[u8]) -> io::Result<()> {
        let mut parameters = parameters(private_data)?;
        // SAFETY: as for rdma_connect.
        check(unsafe { rdma_sys::rdma_accept(self.id, &mut parameters) })?;
        if !self.is_datagram() {
            self.event(event_type::RDMA_CM_EVENT_ESTABLISHED, Some(LIMIT))?;
        }
        Ok(())
    }

    pub(crate) fn disconnect(&self) -> io::Result<()> {
        // SAFETY: by the invariant the identifier is live.
        check(unsafe { rdma_sys::rdma_disconnect(self.id) })
    }

    /// Waits until both sides know that the connection has ended.
    pub(crate) fn wait_for_the_end(&self) -> io::Result<()> {
        self.event(event_type::RDMA_CM_EVENT_DISCONNECTED, Some(LIMIT)).map(drop)
    }

    /// Waits for an event, which must be of this type.
    fn event(&self, wanted: event_type::Type, limit: Option<Duration>) -> io::Result<Event> {
        self.wait(limit)?;
        let mut raw = ptr::null_mut();
        // SAFETY: by the invariant the channel is live; `raw` is a live local.
        check(unsafe { rdma_sys::rdma_get_cm_event(self.channel, &mut raw) })?;
        // SAFETY: the call succeeded, so `raw` leads to an event, which lives until it is acknowledged below.
        let event = unsafe { &*raw };
        let copy = self.copy(event);
        let (told, status) = (event.event, event.status);
        // SAFETY: `raw` is the event that was got above, acknowledged once, and not used behind this line.
        check(unsafe { rdma_sys::rdma_ack_cm_event(raw) })?;
        if told == wanted {
            return Ok(copy);
        }
        // SAFETY: the function takes any number, and returns a text that lives for ever.
        let name = unsafe { rdma_sys::rdma_event_str(told) };
        // SAFETY: the text ends with a NUL and lives for ever.
        let name = unsafe { CStr::from_ptr(name) };
        Err(io::Error::other(format!("{}, status {status}", name.to_string_lossy())))
    }

    fn copy(&self, event: &rdma_sys::rdma_cm_event) -> Event {
        // SAFETY: both members of the union begin with a pointer and a length, which the library sets in every event.
        let conn = unsafe { event.param.conn };
        let private_data = if conn.private_data.is_null() {
            Vec::new()
        } else {
            let (start, length) = (conn.private_data.cast::<u8>(), conn.private_data_len.into());
            // SAFETY: the library tells as many bytes as there are at the pointer, which is not null; they are copied
            // while the event lives.
            unsafe { std::slice::from_raw_parts(start, length) }.to_vec()
        };
        // SAFETY: the whole event was written by the library, and all members of the union are plain numbers and
        // pointers; it is used for datagrams only, where it is the member that was meant.
        let ud = unsafe { event.param.ud };
        Event { id: event.id, private_data, ud: self.is_datagram().then_some(ud) }
    }

    fn wait(&self, limit: Option<Duration>) -> io::Result<()> {
        // SAFETY: by the invariant the channel is live.
        let fd = unsafe { (*self.channel).fd };
        // SAFETY: the descriptor is open as long as the channel is, which outlives this function.
        let fd = unsafe { BorrowedFd::borrow_raw(fd) };
        let limit = limit.map(|limit| Timespec::try_from(limit).expect("seconds"));
        match poll(&mut [PollFd::new(&fd, PollFlags::IN)], limit.as_ref())? {
            0 => Err(io::ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }

    /// Lets the next message come to this part of the memory.
    pub(crate) fn receive(&self, memory: &Memory<'_>, part: Range<usize>) -> io::Result<()> {
        let (start, length) = memory.part(part)?;
        // SAFETY: the identifier has a queue pair, and the part lies in memory that is registered with it; the region
        // is alive, and deregistered before the memory is freed.
        check(unsafe {
            rdma_sys::rdma_post_recv(self.id, ptr::null_mut(), start.cast(), length, memory.region())
        })
    }

    /// Sends this part of the memory as a message; to `remote` by a datagram endpoint.
    pub(crate) fn send(
        &self,
        memory: &Memory<'_>,
        part: Range<usize>,
        remote: Option<&Remote<'_>>,
    ) -> io::Result<()> {
        let (start, length) = memory.part(part)?;
        let (start, none, region) = (start.cast(), ptr::null_mut(), memory.region());
        check(match remote {
            // SAFETY: as for rdma_post_recv.
            None => unsafe { rdma_sys::rdma_post_send(self.id, none, start, length, region, 0) },
            // SAFETY: as for rdma_post_recv; by its invariant the address handle is live.
            Some(to) => unsafe {
                rdma_sys::rdma_post_ud_send(self.id, none, start, length, region, 0, to.handle, to.qp_num)
            },
        })
    }

    /// Writes the whole memory to where the other side says that it may be written.
    pub(crate) fn write(&self, memory: &Memory<'_>, address: u64, key: u32) -> io::Result<()> {
        let (start, length) = memory.part(0..memory.len())?;
        let (start, none, region) = (start.cast(), ptr::null_mut(), memory.region());
        // SAFETY: as for rdma_post_recv; whether the other side's memory may be written is for its device to check.
        check(unsafe { rdma_sys::rdma_post_write(self.id, none, start, length, region, 0, address, key) })
    }

    /// Waits until the next send or write is done.
    pub(crate) fn sent(&self) -> io::Result<()> {
        completion(self.id().send_cq).map(drop)
    }

    /// Waits for the next message.
    pub(crate) fn received(&self) -> io::Result<Completion> {
        completion(self.id().recv_cq)
    }

    /// The other side, as it has answered a datagram endpoint that connects.
    pub(crate) fn remote<'e>(&'e self, event: &Event) -> io::Result<Remote<'e>> {
        let mut ud = event.ud.ok_or(io::ErrorKind::InvalidInput)?;
        // SAFETY: the identifier has a protection domain, as it has a queue pair; the attributes are those of the event.
        let handle = unsafe { rdma_sys::ibv_create_ah(self.id().pd, &mut ud.ah_attr) };
        Remote::own(handle, ud.qp_num)
    }

    /// The other side of a datagram that has come to the start of the memory.
    pub(crate) fn sender<'e>(
        &'e self,
        completion: &mut Completion,
        memory: &Memory<'_>,
    ) -> io::Result<Remote<'e>> {
        let (header, _) = memory.part(0..GLOBAL_HEADER)?;
        let (domain, wc, port) = (self.id().pd, &mut completion.0, self.id().port_num);
        // SAFETY: the identifier has a protection domain, as it has a queue pair; `wc` is that of a datagram, whose global
        // header the device has put where the message was received to.
        let handle = unsafe { rdma_sys::ibv_create_ah_from_wc(domain, wc, header.cast(), port) };
        Remote::own(handle, completion.0.src_qp)
    }

    pub(crate) fn is_datagram(&self) -> bool {
        self.qp_type() == ibv_qp_type::IBV_QPT_UD
    }

    fn qp_type(&self) -> ibv_qp_type::Type {
        self.id().qp_type
    }

    /// The identifier, to read of it at once: calls of the library change it.
    fn id(&self) -> &rdma_cm_id {
        // SAFETY: by the invariant the identifier is live; nothing is called while the reference is used.
        unsafe { &*self.id }
    }

    /// The protection domain that memory is registered in.
    pub(super) fn protection_domain(&self) -> *mut rdma_sys::ibv_pd {
        self.id().pd
    }

    /// Where this end is.
    pub(crate) fn location(&self) -> Location {
        let id = self.id();
        // SAFETY: the library has written or zeroed the whole union, and any bits are numbers.
        let ib = unsafe { id.route.addr.addr.ibaddr };
        // SAFETY: any bits are a GID.
        let gid = unsafe { ib.sgid.raw };
        // SAFETY: the library has written or zeroed the whole union, and any bits are an address.
        let source = unsafe { id.route.addr.src_addr_union.src_storage };
        // SAFETY: as for the source.
        let destination = unsafe { id.route.addr.dst_addr_union.dst_storage };
        // SAFETY: null, as long as there is no device, or the open device, which the library never closes.
        let context = unsafe { id.verbs.as_ref() };
        // SAFETY: an open device has its description, which lives as long.
        let device = context.and_then(|context| unsafe { context.device.as_ref() });
        let device = device.map_or("any".into(), |device| {
            device.name.iter().map_while(|c| char::from_u32(*c as u32).filter(|c| *c != '\0')).collect()
        });
        Location {
            device,
            port: id.port_num,
            gid: Gid::from_octets(gid),
            source: address(&source),
            destination: address(&destination),
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // SAFETY: by the invariant nobody else destroys the identifier; each of its events has been acknowledged.
        // Memory and remotes are gone, since they borrow the endpoint.
        unsafe { rdma_sys::rdma_destroy_ep(self.id) };
        if !self.channel.is_null() {
            // SAFETY: by the invariant nobody else destroys the channel, and its identifier is gone.
            unsafe { rdma_sys::rdma_destroy_event_channel(self.channel) };
        }
    }
}

impl Remote<'_> {
    fn own(handle: *mut rdma_sys::ibv_ah, qp_num: u32) -> io::Result<Self> {
        if handle.is_null() {
            Err(io::Error::last_os_error())
        } else {
            Ok(Self { handle, qp_num, endpoint: PhantomData })
        }
    }
}

impl Drop for Remote<'_> {
    fn drop(&mut self) {
        // SAFETY: by the invariant nobody else destroys the handle. What is under way keeps its address by itself.
        unsafe { rdma_sys::ibv_destroy_ah(self.handle) };
    }
}

/// Bytes before each datagram, for the header of the network.
pub(crate) const GLOBAL_HEADER: usize = 40;

impl Completion {
    /// The bytes of a message, the global header of a datagram among them.
    pub(crate) fn length(&self) -> usize {
        self.0.byte_len as usize
    }
}

/// Where an end of a connection is, by the connection manager.
pub(crate) struct Location {
    device: String,
    port: u8,
    gid: Gid,
    source: SockAddrBuf,
    destination: SockAddrBuf,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { device, port, gid, source, destination } = self;
        let text = |address: &SockAddrBuf| address.get().map_or("*".into(), |address| address.to_string());
        let (source, destination) = (text(source), text(destination));
        write!(f, "device {device} port {port} GID {gid}, {source} -> {destination}")
    }
}

/// A socket address in the C library's large structure.
fn address(storage: &libc::sockaddr_storage) -> SockAddrBuf {
    let length = match c_int::from(storage.ss_family) {
        libc::AF_INET => size_of::<libc::sockaddr_in>(),
        libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
        _ => 0,
    };
    // SAFETY: the reference is to a whole structure, all of whose bytes were written, which is longer than `length`.
    let bytes = unsafe { std::slice::from_raw_parts(ptr::from_ref(storage).cast::<u8>(), length) };
    SockAddrBuf::from_bytes(bytes).unwrap_or(SockAddrBuf::NONE)
}

fn attributes(receives: u32) -> ibv_qp_init_attr {
    ibv_qp_init_attr {
        qp_context: ptr::null_mut(),
        send_cq: ptr::null_mut(),
        recv_cq: ptr::null_mut(),
        srq: ptr::null_mut(),
        cap: ibv_qp_cap {
            max_send_wr: SENDS,
            max_recv_wr: receives,
            max_send_sge: 1,
            max_recv_sge: 1,
            max_inline_data: 0,
        },
        // An active endpoint takes that of its address.
        qp_type: ibv_qp_type::IBV_QPT_RC,
        sq_sig_all: 1,
    }
}

/// The parameters of a connection, for as long as the private data lives.
fn parameters(private_data: &[u8]) -> io::Result<rdma_conn_param> {
    Ok(rdma_conn_param {
        private_data: private_data.as_ptr().cast(),
        private_data_len: u8::try_from(private_data.len()).map_err(io::Error::other)?,
        responder_resources: 1,
        initiator_depth: 1,
        flow_control: 0,
        retry_count: 7,
        rnr_retry_count: 6,
        srq: 0,
        qp_num: 0,
    })
}

fn completion(queue: *mut rdma_sys::ibv_cq) -> io::Result<Completion> {
    let end = Instant::now() + LIMIT;
    loop {
        // SAFETY: the structure is made of numbers, for which zeros are valid.
        let mut wc: ibv_wc = unsafe { std::mem::zeroed() };
        // SAFETY: the queue is that of a live identifier with a queue pair; there is room for one completion.
        match unsafe { rdma_sys::ibv_poll_cq(queue, 1, &mut wc) } {
            0 if Instant::now() < end => thread::sleep(Duration::from_micros(100)),
            0 => return Err(io::ErrorKind::TimedOut.into()),
            1 if wc.status == ibv_wc_status::IBV_WC_SUCCESS => return Ok(Completion(wc)),
            1 => return Err(io::Error::other(format!("work request failed, status {}", wc.status))),
            _ => return Err(io::Error::last_os_error()),
        }
    }
}

/// What librdmacm's functions return.
fn check(ret: c_int) -> io::Result<()> {
    if ret == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
