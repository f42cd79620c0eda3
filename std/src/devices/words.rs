//! Values of sysfs: node types, port states, link layers, GID types.

use std::fmt;

/// The number in front of the `:` in texts such as `4: ACTIVE`.
fn number(text: &str) -> Option<u8> {
    let (number, _) = text.split_once(':')?;
    // A sign is not allowed.
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok()).flatten()
}

macro_rules! numbered {
    ($(#[$doc:meta])+ $type:ident { $($(#[$const_doc:meta])+ $name:ident = $number:literal, $word:literal;)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $type(u8);

        impl $type {
            $($(#[$const_doc])+ pub const $name: Self = Self($number);)+

            /// The kernel's number.
            #[must_use]
            pub const fn to_raw(self) -> u8 {
                self.0
            }

            /// The name; `None` for an unknown number.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self { $(Self::$name => Some($word),)+ _ => None }
            }

            pub(super) fn from_sysfs(text: &str) -> Option<Self> {
                number(text).map(Self)
            }
        }

        impl fmt::Display for $type {
            /// Writes the name, or the number.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.name() {
                    Some(name) => f.pad(name),
                    None => fmt::Display::fmt(&self.0, f),
                }
            }
        }
    };
}

numbered! {
    /// The state of a port (`enum ibv_port_state`): only an active port sends.
    PortState {
        /// No state is known.
        NOP = 0, "nop";
        /// There is no link.
        DOWN = 1, "down";
        /// There is a link that is not configured: an InfiniBand subnet manager is missing.
        INIT = 2, "init";
        /// The link is configured, but not yet active.
        ARMED = 3, "armed";
        /// Ready to send.
        ACTIVE = 4, "active";
        /// The port is active, but its link is failing.
        ACTIVE_DEFER = 5, "active-defer";
    }
}

numbered! {
    /// What kind of node a device is (`enum ibv_node_type`).
    NodeType {
        /// A channel adapter: InfiniBand or RoCE.
        CA = 1, "ca";
        /// An InfiniBand switch.
        SWITCH = 2, "switch";
        /// An InfiniBand router.
        ROUTER = 3, "router";
        /// An iWARP adapter.
        RNIC = 4, "rnic";
        /// Cisco's usNIC over Ethernet.
        USNIC = 5, "usnic";
        /// Cisco's usNIC over UDP.
        USNIC_UDP = 6, "usnic-udp";
        /// None of these, such as Amazon's EFA.
        UNSPECIFIED = 7, "unspecified";
    }
}

/// The link layer of a port.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LinkLayer {
    /// InfiniBand.
    InfiniBand,
    /// Ethernet: RoCE, or iWARP.
    Ethernet,
    /// Not one of these.
    Unknown,
}

impl LinkLayer {
    /// The name in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InfiniBand => "infiniband",
            Self::Ethernet => "ethernet",
            Self::Unknown => "unknown",
        }
    }

    pub(super) fn from_sysfs(text: &str) -> Self {
        match text {
            "InfiniBand" => Self::InfiniBand,
            "Ethernet" => Self::Ethernet,
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for LinkLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The type of a GID (`enum ibv_gid_type`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum GidType {
    /// Of an InfiniBand port, or of an iWARP one, whose GIDs have no type.
    Ib,
    /// RoCE over Ethernet frames.
    RoceV1,
    /// RoCE over UDP.
    RoceV2,
    /// Not one of these.
    Unknown,
}

impl GidType {
    /// The name in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ib => "ib",
            Self::RoceV1 => "roce-v1",
            Self::RoceV2 => "roce-v2",
            Self::Unknown => "unknown",
        }
    }

    /// Parses the kernel's text, which is the same for InfiniBand and RoCE v1.
    pub(super) fn from_sysfs(text: &str, roce: bool) -> Self {
        match text {
            "IB/RoCE v1" if roce => Self::RoceV1,
            "IB/RoCE v1" => Self::Ib,
            "RoCE v2" => Self::RoceV2,
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for GidType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
