//! Reasons: the detail behind an [`ErrorKind`](super::ErrorKind).

macro_rules! reasons {
    ($($(#[$doc:meta])+ $name:ident = $message:literal,)+) => {
        /// Why, in detail, an input was refused.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[$doc])+ $name,)+
        }

        impl Reason {
            /// Every reason, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The reason in words.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)+ }
            }
        }
    };
}

reasons! {
    /// Nothing more is known.
    Unspecified = "no more is known",
    /// Neither node nor service nor an address or route in the hints.
    NothingAsked = "give a node, a service, or hints with an address or a route",
    /// The text is empty.
    Empty = "it is empty",
    /// The text is longer than 255 bytes.
    TooLong = "it is longer than 255 bytes",
    /// A NUL byte inside the text.
    Nul = "it holds a NUL byte",
    /// `*` is no node.
    Wildcard = "'*' is no node; leave the node out, or use '0.0.0.0' or '::'",
    /// Text that ends in a number, with fewer than four parts.
    ShortForm = "an IPv4 address has four parts, and this short form has fewer",
    /// A single number, which inet_aton(3) would take for an IPv4 address.
    SingleNumber = "a single number is no IPv4 address; write four parts",
    /// A hexadecimal part of an IPv4 address.
    HexPart = "a part of the IPv4 address is hexadecimal; write it in decimal",
    /// A leading zero, which some readers take for octal.
    LeadingZero = "a leading zero may mean an octal number; write it without",
    /// A part of an IPv4 address above 255.
    Octet = "a part of the IPv4 address is above 255",
    /// More than four parts.
    TooManyParts = "an IPv4 address has four parts, and this has more",
    /// A dot at the end of an IPv4 address.
    FinalDot = "an IPv4 address has no dot at its end",
    /// Text that ends in a number, with a part that is none.
    NotDecimal = "what ends in a number must be an IPv4 address, and a part of this is no decimal number",
    /// Text with a ':' that is no IPv6 address.
    NotIpv6 = "what holds a ':' must be an IPv6 address, and this is none; a port is given as the service",
    /// A ':' at the start or the end of an IPv6 address.
    LoneColon = "an IPv6 address neither starts nor ends in a single ':'",
    /// More than four digits in a group of an IPv6 address.
    LongGroup = "a group of an IPv6 address has four hexadecimal digits at most",
    /// A second '::', or ':::'.
    SecondGap = "an IPv6 address has '::' only once",
    /// Too few groups, and no '::'.
    TooFewGroups = "an IPv6 address has eight groups, or '::'; this has fewer",
    /// Too many groups, or a '::' that stands for none.
    TooManyGroups = "an IPv6 address has eight groups, and '::' stands for one at least; this has more",
    /// A '%' after anything but an IPv6 address.
    ZoneWithoutIpv6 = "only an IPv6 address takes a zone",
    /// A zone of an address that is not link-local.
    ZoneNotLinkLocal = "only a link-local address takes a zone",
    /// A '%' with nothing behind it.
    ZoneEmpty = "the zone is missing",
    /// A zone index that is 0, has a leading zero, or does not fit 32 bits.
    ZoneIndex = "a zone index is 1 to 4294967295, without leading zeros",
    /// A byte that the name of no interface can hold.
    ZoneName = "no interface name has such a byte",
    /// A zone longer than 127 bytes.
    ZoneTooLong = "an interface name has 127 bytes at most",
    /// White space.
    WhiteSpace = "it holds white space",
    /// A control character.
    Control = "it holds a control character",
    /// Brackets, as in a URL.
    Brackets = "give the address without brackets",
    /// Nothing between two commas of a list of hosts, or before the first or after the last.
    NoHost = "a host is missing between commas",
    /// A `[` without its `]`.
    OpenBracket = "a '[' is not closed",
    /// A `]` without its `[`.
    StrayBracket = "a ']' closes nothing",
    /// More brackets in a host than there may be.
    TooManyBrackets = "a host of a list has 8 brackets at most",
    /// Nothing where brackets have a number.
    NoNumber = "a number is missing in the brackets",
    /// A byte in brackets that is no part of a range of numbers.
    NotRange = "brackets hold decimal numbers and ranges, as in node[01-64,70-90/2]",
    /// A number in brackets that does not fit 64 bits.
    RangeNumber = "a number in brackets is 18446744073709551615 at most",
    /// A range that ends before it starts.
    ReversedRange = "the end of the range is below its start",
    /// A range whose ends are padded to different widths.
    RangeWidth = "both ends of a range are padded to the same width",
    /// A range of step 0.
    RangeStep = "the step of a range is at least 1",
    /// A sign in front of a port.
    Sign = "a port has no sign",
    /// A service that is neither a name nor a number.
    NoPort = "it is neither a name, which has a letter, nor a decimal port",
    /// The port that services(5) gives a name is 0, or does not fit.
    ServicePort = "the name has port 0 in services(5), or one that is no port",
    /// A port above 65535.
    PortRange = "a port is 65535 at most",
    /// No name of such a value, and no number that fits.
    UnknownWord = "it is neither a known name nor a number that fits",
    /// Not a GID in IPv6 notation.
    NotGid = "it is no GID in IPv6 notation",
    /// Not a number, or one that does not fit.
    NotNumber = "it is no decimal or 0x hex number that fits",
    /// Not a port.
    NotPort = "it is no decimal port from 0 to 65535",
    /// Not an IPv4 or IPv6 address.
    NotAddress = "it is no IPv4 or IPv6 address",
    /// A part of an address that is not known, or given twice.
    UnknownPart = "the part is unknown here, or given twice",
    /// A key of hints that is not known.
    UnknownKey = "the key is unknown",
    /// A key of hints that was given before.
    DuplicateKey = "the key is given twice",
    /// Not bytes in hex.
    NotHex = "it is not an even number of hex digits that fits",
    /// A socket address whose family is unknown or has another length.
    SockAddrLength = "a socket address has 16 (AF_INET), 28 (AF_INET6) or 48 bytes (AF_IB)",
    /// A null pointer with a length.
    NullWithLength = "the pointer is null, the length is not",
    /// A flag that is not known.
    UnknownFlag = "a flag is unknown",
    /// Subnet administrator and DNS at once.
    SaWithDns = "RAI_SA and RAI_DNS exclude each other",
    /// The subnet administrator resolves services, not nodes.
    SaWithNode = "RAI_SA takes a service, not a node",
    /// The subnet administrator needs a service.
    SaWithoutService = "RAI_SA needs a service",
    /// The name of an InfiniBand service is longer than 63 bytes.
    IbServiceName = "the name of an InfiniBand service has 63 bytes at most",
    /// There is no active InfiniBand port.
    NoInfinibandPort = "there is no active InfiniBand port to ask the subnet administrator through",
    /// The subnet administrator knows no such service.
    NoServiceRecord = "the subnet administrator has no record of the service",
    /// The kernel holds more records than one answer of it can have: 372.
    TooManyRecords = "there are more than 372 records of the service, which is all that the kernel can hand out",
    /// The kernel's connection manager has no device.
    NoConnectionManager = "the kernel's connection manager has no device /dev/infiniband/rdma_cm: load the module rdma_ucm",
    /// The port has no subnet administrator.
    NoSubnetAdministrator = "the port has no subnet administrator",
    /// The subnet administrator rejected the query.
    SaRejected = "the subnet administrator rejected the query, as some do if there is no such service",
    /// The subnet administrator did not answer.
    SaSilent = "the subnet administrator did not answer",
    /// The kernel has no command for service records: it is older than 6.18.
    SaNeedsKernel = "the kernel does not hand out service records, which needs Linux 6.18",
    /// The device of the connection manager cannot be used.
    SaNotAsked = "the subnet administrator could not be asked through the kernel's connection manager",
    /// The credentials of the process changed while the kernel was being asked.
    SaCredentials = "the kernel refuses commands of a process whose credentials have changed",
    /// The device of the port was removed.
    SaDeviceGone = "the device went away while the subnet administrator was asked",
    /// The kernel reported an event of something that was not asked for.
    SaForeignEvent = "the kernel reported an event that was not asked for",
    /// An answer of the kernel makes no sense.
    SaReply = "the kernel's answer about service records is malformed",
    /// This librdmacm does not ask the subnet administrator.
    SaNeedsRelease = "librdmacm asks the subnet administrator since rdma-core 60, and this one is older",
    /// A QP type that has no address resolution.
    UnknownQpType = "the QP type has no address resolution",
    /// A port space that is not known.
    UnknownPortSpace = "the port space is unknown",
    /// QP type and port space exclude each other.
    Inconsistent = "QP type and port space exclude each other",
    /// The literal is of another family than the hints ask for.
    OtherFamily = "the address is of another family",
    /// The name has addresses, none of the family that the hints ask for.
    NameOfOtherFamily = "the name has addresses of other families only",
    /// The addresses are of another family than the source in the hints.
    SourceOfOtherFamily = "no destination is of the family of the source address",
    /// Source and destination are link-local addresses of different interfaces.
    ContraryZones = "source and destination are link-local addresses of different zones",
    /// An AF_IB address was asked for, and no route tells one.
    NoIbAddress = "no route tells an AF_IB address",
    /// A lookup was excluded.
    NotNumeric = "it is no numeric address, and RAI_NUMERICHOST excludes a lookup",
    /// No interface has the zone's name.
    NoSuchZone = "no interface has the name of the zone",
    /// nsswitch.conf(5) names no source of host names.
    NoNameSource = "nsswitch.conf(5) names no source for 'hosts'",
    /// The name service answered with no address at all.
    NoAddress = "the name service gave no address",
    /// Too many lookups are running.
    TooManyLookups = "too many lookups are running",
    /// No thread could be started to look a name up with a deadline.
    NoThread = "no thread could be started for the lookup",
    /// The kernel could not be asked for the source address.
    SourceNotAsked = "the source address could not be asked for",
    /// The kernel could not be asked for the interface of a name.
    ZoneNotAsked = "the interface could not be asked for",
    /// The results have no room for a single entry.
    NoRoom = "the results have no room",
    /// A route of a length that is no multiple of 72.
    RouteLength = "a route has 72 bytes for each path (ibv_path_data)",
    /// A route hint of a length that is a multiple of neither 72 nor 64.
    RouteHintLength = "a route hint has 72 (ibv_path_data) or 64 bytes (ibv_path_record) for each path",
}
