//! A C `rdma_addrinfo` as a caller or a library may fill it, and what is to be seen of it.

use crate::draw::Draw;
use rdma_addrinfo_core::abi::rdma_addrinfo;
use std::ffi::{CStr, CString, c_void};
use std::ptr;

/// A pointer and its length.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// Null, of length 0.
    Absent,
    /// Null, with a length.
    NullWithLength(u32),
    /// A pointer of length 0, which leads nowhere.
    Empty,
    /// A pointer that leads nowhere, of a length that no memory has.
    Beyond,
    /// Bytes.
    Bytes(Vec<u8>),
}

impl Part {
    /// Bytes mostly, of one of these lengths or of any up to 255; or of any length at all, where C has a `size_t` for it.
    fn draw(draw: &mut Draw<'_>, lengths: &[usize], takes_any: bool) -> Self {
        let length = match draw.byte() {
            0..64 => return Self::Absent,
            64..80 => return Self::NullWithLength(draw.pick(&[1, 16, 28, 48, 72, 300, u32::MAX])),
            80..88 => return Self::Empty,
            88..96 => return if takes_any { Self::Beyond } else { Self::Empty },
            96..112 => usize::from(draw.byte()).max(1),
            other => lengths[usize::from(other) % lengths.len()],
        };
        Self::Bytes(draw.some(length))
    }

    /// A socket address mostly: of a family that is known, and mostly as long as it.
    fn address(draw: &mut Draw<'_>) -> Self {
        let mut part = Self::draw(draw, &[16, 28, 48], false);
        if let Self::Bytes(bytes) = &mut part {
            let own: u16 = match bytes.len() {
                16 => 2,
                28 => 10,
                48 => 27,
                _ => 0,
            };
            let family = draw.pick(&[own, own, own, own, own, 2, 10, 27, 0, 1]).to_ne_bytes();
            bytes.iter_mut().zip(family).for_each(|(room, byte)| *room = byte);
        }
        part
    }

    /// The pointer.
    pub(crate) fn pointer(&self) -> *mut c_void {
        match self {
            Self::Absent | Self::NullWithLength(_) => ptr::null_mut(),
            Self::Empty | Self::Beyond => ptr::without_provenance_mut(1),
            Self::Bytes(bytes) => bytes.as_ptr().cast_mut().cast(),
        }
    }

    /// The length.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Absent | Self::Empty => 0,
            Self::NullWithLength(length) => usize::try_from(*length).expect("32 bits"),
            Self::Beyond => usize::MAX,
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    /// The bytes that a reader may see.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
}

/// All of a structure but `ai_next`.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// Flags, family, QP type and port space.
    pub(crate) words: [i32; 4],
    /// `ai_src_addr`
    pub(crate) src: Part,
    /// `ai_dst_addr`
    pub(crate) dst: Part,
    /// `ai_src_canonname`
    pub(crate) src_name: Option<CString>,
    /// `ai_dst_canonname`
    pub(crate) dst_name: Option<CString>,
    /// `ai_route`
    pub(crate) route: Part,
    /// `ai_connect`
    pub(crate) connect: Part,
}

impl Parts {
    /// Any structure.
    pub(crate) fn draw(draw: &mut Draw<'_>) -> Self {
        let flags = match draw.byte() {
            0xff => draw.int(&[0x40, 0x0100_0000, -1, i32::MIN]),
            flags => i32::from(flags & 0x3f),
        };
        let words = [
            flags,
            draw.int(&[0, 2, 10, 27, 0, 2, 10, 27, 1, -1]),
            draw.int(&[0, 2, 3, 4, 8, 9, 10, 255, 0, 2]),
            draw.int(&[0, 2, 0x106, 0x111, 0x13f, 0x106, 0, 7]),
        ];
        Self {
            words,
            src: Part::address(draw),
            dst: Part::address(draw),
            route: Part::draw(draw, &[72, 64, 144, 128, 216, 71, 1], true),
            connect: Part::draw(draw, &[36, 1, 56], true),
            src_name: name(draw),
            dst_name: name(draw),
        }
    }

    /// The C structure, alone. What it points to is borrowed from this.
    pub(crate) fn to_c(&self) -> rdma_addrinfo {
        let [ai_flags, ai_family, ai_qp_type, ai_port_space] = self.words;
        let name = |name: &Option<CString>| name.as_deref().map_or(ptr::null(), CStr::as_ptr).cast_mut();
        let narrow = |length| u32::try_from(length).expect("32 bits");
        rdma_addrinfo {
            ai_flags,
            ai_family,
            ai_qp_type,
            ai_port_space,
            ai_src_len: narrow(self.src.length()),
            ai_dst_len: narrow(self.dst.length()),
            ai_src_addr: self.src.pointer(),
            ai_dst_addr: self.dst.pointer(),
            ai_src_canonname: name(&self.src_name),
            ai_dst_canonname: name(&self.dst_name),
            ai_route_len: self.route.length(),
            ai_route: self.route.pointer(),
            ai_connect_len: self.connect.length(),
            ai_connect: self.connect.pointer(),
            ai_next: ptr::null_mut(),
        }
    }
}

fn name(draw: &mut Draw<'_>) -> Option<CString> {
    let length = usize::from(draw.byte()).checked_sub(192)?;
    let bytes = draw.some(length);
    Some(CString::new(bytes.split(|byte| *byte == 0).next().unwrap_or(&[])).expect("up to the NUL"))
}
