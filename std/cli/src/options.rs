//! The command line.

use crate::caret;
use crate::many::ManyOptions;
use crate::target::Target;
use crate::time_limit::Timeout;
use crate::zone;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};
use clap_complete::Shell;
use rdma_addrinfo::{
    Addresses, Family, Flags, Hints, IbEntries, Ibacm, InterfaceName, Location, Policy, PortSpace, QpType,
    Reason, Resolver, SockAddrBuf,
};
use std::ffi::{OsStr, OsString};
use std::str::FromStr;
use std::time::Duration;

const HELP: &str = "\
Node and service:
  A node is a host name or a numeric address; a service is a port or a name. Without a node the
  answer is loopback, with --passive the wildcard.
  Where SERVICE is not given, NODE may hold both: 'host:port', '[v6]:port', or ':port' for a service
  alone. It is split at its ':' if it has just one, or behind the brackets, so an IPv6 address
  without brackets is never split. Brackets around an IPv6 address are always taken off.
  '-' as NODE is no node: 'rdma-getaddrinfo - 7471'.

Hints:
  --hints is read first; the other options add to its flags and replace its values.

Exit status:
  0  found
  1  not resolved (with --json the error is on standard output), no device with --devices, no result
     that can work with --check, or the output cannot be written
  2  the command line is wrong, or a list of nodes, or nothing is asked for
  130, 143  many nodes, ended by SIGINT or SIGTERM
Of many nodes, 0 is if all were found, and 1 if some were not.

Examples:
  rdma-getaddrinfo storage-7 7471
  rdma-getaddrinfo '[2001:db8::7]:7471' --qp-type ud --json
  rdma-getaddrinfo --passive :7471
  rdma-getaddrinfo --ib fe80::2:c903:1:7 7471
  rdma-getaddrinfo --hints passive,family=inet6,qp=rc,ps=tcp - 7471
  rdma-getaddrinfo --src-if eth2 --ports storage-7 7471
  rdma-getaddrinfo --check storage-7 7471
  rdma-getaddrinfo --devices
  rdma-getaddrinfo -w node[01-64] -x node07 --summary 7471
  rdma-getaddrinfo --hostfile hosts.txt --json 7471
  rdma-getaddrinfo --from-job --unique --report job.html 7471";

/// The options of a resolution, none of which may be used with --devices.
const RESOLVING: [&str; 27] = [
    "node",
    "service",
    "passive",
    "numeric_host",
    "no_route",
    "inet",
    "inet6",
    "ib",
    "qp_type",
    "port_space",
    "src",
    "src_if",
    "dst",
    "hints",
    "dns",
    "sa",
    "policy",
    "backend",
    "timeout",
    "ibacm",
    "ib_entries",
    "first",
    "no_source",
    "canonical",
    "ports",
    "check",
    "explain",
];

/// Resolves a node and a service for RDMA, as rdma_getaddrinfo(3) does: addresses of both sides, route,
/// connect data
#[derive(Parser, Debug)]
// Otherwise clap would take the name in its messages from argument 0, which the caller chooses.
#[command(name = "rdma-getaddrinfo", bin_name = "rdma-getaddrinfo", version, after_long_help = HELP, max_term_width = 100)]
pub(crate) struct Options {
    /// Host name, IPv4 or IPv6 address, 'host:port', '[v6]:port', ':port', or '-' for none
    node: Option<OsString>,

    /// Port or service name
    service: Option<OsString>,

    /// Resolve for the passive (listening) side [RAI_PASSIVE]
    #[arg(short, long, visible_alias = "listen")]
    passive: bool,

    /// Accept numeric addresses only, look up no name [RAI_NUMERICHOST]
    #[arg(short, long)]
    numeric_host: bool,

    /// No lengthy route resolution: add a route only if it is cached [RAI_NOROUTE]
    #[arg(hide_short_help = true, long)]
    no_route: bool,

    /// IPv4 only
    #[arg(short = '4', group = "family")]
    inet: bool,

    /// IPv6 only
    #[arg(short = '6', group = "family")]
    inet6: bool,

    /// AF_IB: the node is a GID in IPv6 notation [RAI_FAMILY]; for AF_IB addresses of host names use
    /// '--hints family=ib'
    #[arg(long, group = "family")]
    ib: bool,

    /// QP type: rc, uc, ud, xrc-send, xrc-recv, or a number
    #[arg(long, value_name = "TYPE", value_parser = qp_type)]
    qp_type: Option<QpType>,

    /// Port space: tcp, udp, ib, ipoib, or a number
    #[arg(long, value_name = "SPACE", value_parser = port_space)]
    port_space: Option<PortSpace>,

    /// Source address, such as 192.0.2.9, [fe80::1%eth0]:7471 or ib:fe80::1/pkey=0xffff
    #[arg(long, visible_alias = "source", value_name = "ADDRESS", value_parser = source)]
    src: Option<SockAddrBuf>,

    /// Interface to send from: the source is its address in the destination's family
    #[arg(long, value_name = "NAME", value_parser = read::<InterfaceName>, conflicts_with_all = ["src", "passive", "sa"])]
    src_if: Option<InterfaceName>,

    /// Destination address, in the same forms; used where there is no node
    #[arg(hide_short_help = true, long, value_name = "ADDRESS", value_parser = address)]
    dst: Option<SockAddrBuf>,

    /// Hints as text, such as passive,family=inet6,qp=rc,ps=tcp,src=192.0.2.9; also flags=N, dst=ADDRESS,
    /// route=HEX
    #[arg(long, value_name = "TEXT", value_parser = hints)]
    hints: Option<Hints<'static>>,

    /// Ask DNS, which is the default [RAI_DNS]
    #[arg(hide_short_help = true, long)]
    dns: bool,

    /// Ask the InfiniBand subnet administrator for a service, by its ID or its name, through each active InfiniBand port
    /// until one has records of it; it goes with no node [RAI_SA]
    #[arg(long)]
    sa: bool,

    /// Which rules apply: those of the manual page, or what the C library does
    /// [default: man-page]
    #[arg(hide_short_help = true, long, value_name = "POLICY")]
    policy: Option<PolicyName>,

    /// What resolves: librdmacm needs an RDMA device and supports neither time limits nor other policies
    #[arg(hide_short_help = true, long, value_name = "BACKEND", default_value = "native")]
    pub(crate) backend: BackendName,

    /// Time limit, such as 500ms, 2s or 0.5s, but for reading the devices: 0ms ends at once, 'none' is no limit but 10 s of ibacm for each address [default: 5s, with librdmacm none]
    #[arg(long, value_name = "TIME")]
    timeout: Option<Timeout>,

    /// Where ibacm is, which provides routes: 'auto' is /run/ibacm.port or /run/ibacm.sock; a port; the path of a
    /// socket; of another run directory, with a '/' at its end; 'off' for no routes [default: auto]
    #[arg(hide_short_help = true, long, value_name = "PATH|PORT|off", value_parser = ibacm)]
    ibacm: Option<Ibacm>,

    /// Whether a route adds AF_IB entries: auto is if the kernel supports them
    #[arg(hide_short_help = true, long, value_name = "WHEN", default_value = "auto")]
    ib_entries: When,

    /// Return only the first address of a name
    #[arg(hide_short_help = true, long)]
    first: bool,

    /// Do not look for the source address
    #[arg(hide_short_help = true, long)]
    no_source: bool,

    /// Ask for the canonical name
    #[arg(hide_short_help = true, long)]
    canonical: bool,

    /// Show the RDMA device, port and GID of each local address
    #[arg(long)]
    pub(crate) ports: bool,

    /// As --ports, and show what is wrong with each result, or may be, and the command that shows it; the exit status
    /// is 1 if no result can work
    #[arg(long)]
    pub(crate) check: bool,

    /// List the RDMA devices of this machine, or of the sysfs at $SYSFS_PATH, or the one of this name, with their ports and
    /// GIDs, and resolve nothing
    #[arg(long, value_name = "NAME", num_args = 0..=1, conflicts_with_all = RESOLVING)]
    pub(crate) devices: Option<Option<String>>,

    /// Print one JSON object on one line
    #[arg(short, long)]
    pub(crate) json: bool,

    /// Print nothing but the addresses, each once: of the peer, or with --passive those to listen on
    #[arg(long, conflicts_with_all = ["json", "explain", "ports", "check", "devices"])]
    pub(crate) short: bool,

    /// Show each step, its answer and its time
    #[arg(long)]
    pub(crate) explain: bool,

    /// Print the completions of a shell
    #[arg(hide_short_help = true, long, value_name = "SHELL", exclusive = true)]
    pub(crate) completions: Option<Shell>,

    /// Print the manual page, for man(1)
    #[arg(hide_short_help = true, long, exclusive = true)]
    pub(crate) man_page: bool,

    // Last: its heading is of all that follows.
    #[command(flatten)]
    pub(crate) many: ManyOptions,
}

/// The policies by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum PolicyName {
    ManPage,
    Librdmacm,
}

/// The backends by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum BackendName {
    Native,
    Librdmacm,
}

impl BackendName {
    /// The name in the output.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Librdmacm => "librdmacm",
        }
    }
}

/// When there are AF_IB entries, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

impl Options {
    /// The two arguments.
    pub(crate) fn arguments(&self) -> (Option<&OsStr>, Option<&OsStr>) {
        (self.node.as_deref(), self.service.as_deref())
    }

    /// Node and service.
    pub(crate) fn target(&self) -> Target<'_> {
        Target::new(self.node.as_deref(), self.service.as_deref())
    }

    /// The service of many nodes, for which it is the only argument.
    pub(crate) fn many_service(&self) -> Option<&str> {
        self.node.as_deref().and_then(OsStr::to_str)
    }

    /// The hints of the options; `None`, like a null pointer in C, if no option sets any.
    pub(crate) fn hints(&self) -> Option<Hints<'static>> {
        let mut hints = self.hints.unwrap_or_default();
        let mut flags = hints.flags();
        for (given, flag) in [
            (self.passive, Flags::PASSIVE),
            (self.numeric_host, Flags::NUMERIC_HOST),
            (self.no_route, Flags::NO_ROUTE),
            (self.ib, Flags::FAMILY),
            (self.sa, Flags::SA),
            (self.dns, Flags::DNS),
        ] {
            flags.set(flag, flags.contains(flag) || given);
        }
        hints = hints.with_flags(flags);
        for (given, family) in [(self.inet, Family::INET), (self.inet6, Family::INET6), (self.ib, Family::IB)]
        {
            if given {
                hints = hints.with_family(family);
            }
        }
        if let Some(qp_type) = self.qp_type {
            hints = hints.with_qp_type(qp_type);
        }
        if let Some(port_space) = self.port_space {
            hints = hints.with_port_space(port_space);
        }
        if let Some(src) = self.src {
            hints = hints.with_src_addr(src);
        }
        if let Some(dst) = self.dst {
            hints = hints.with_dst_addr(dst);
        }
        Some(hints).filter(|hints| self.hints.is_some() || *hints != Hints::new())
    }

    /// The options; a usage error if one of them is not supported by the selected librdmacm.
    pub(crate) fn checked(self) -> Result<Self, clap::Error> {
        self.check_many()?;
        let asks_library = self.backend == BackendName::Librdmacm;
        let not_kept = [
            (matches!(self.timeout, Some(Timeout(Some(_)))), "--timeout: it keeps no time limit"),
            (self.policy == Some(PolicyName::ManPage), "--policy: it keeps no policy but its own"),
            (self.ibacm.is_some(), "--ibacm: it asks ibacm where it was built to"),
            (self.ib_entries != When::Auto, "--ib-entries: it adds AF_IB entries as the kernel takes them"),
            (self.src_if.is_some(), "--src-if: give it a source address, by --src"),
            (self.canonical, "--canonical: it gives no canonical names"),
        ];
        match not_kept.iter().find(|(given, _)| asks_library && *given) {
            None => Ok(self),
            Some((_, option)) => {
                let message = format!("librdmacm cannot be used with {option}");
                Err(Self::command().error(ErrorKind::ArgumentConflict, message))
            }
        }
    }

    /// A usage error if something is asked for that is for one node only.
    fn check_many(&self) -> Result<(), clap::Error> {
        let one_only = [
            (self.service.is_some(), "a second argument: the only one is SERVICE"),
            (self.backend == BackendName::Librdmacm, "--backend librdmacm: it resolves one at a time"),
            (self.explain, "--explain: it shows the steps of one"),
            (self.short, "--short: its lines have no names"),
            (self.node.is_some() && self.many_service().is_none(), "a service that is not UTF-8"),
        ];
        match one_only.iter().find(|(given, _)| self.many.is_given() && *given) {
            None => Ok(()),
            Some((_, what)) => {
                let message = format!("many nodes cannot be used with {what}");
                Err(Self::command().error(ErrorKind::ArgumentConflict, message))
            }
        }
    }

    /// Whether an option sets the source.
    pub(crate) fn source_is_given(&self, hints: Option<&Hints<'_>>) -> bool {
        self.src_if.is_some() || hints.is_some_and(|hints| !hints.src_addr().is_none())
    }

    /// Whether devices are looked at.
    pub(crate) fn asks_devices(&self) -> bool {
        self.ports || self.check
    }

    /// The interface to send from.
    pub(crate) fn source_interface(&self) -> Option<InterfaceName> {
        self.src_if
    }

    /// The time limit of the command; `None` is none.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.timeout.map_or(Some(Resolver::DEFAULT_DEADLINE), |Timeout(limit)| limit)
    }

    /// The resolver with these options.
    pub(crate) fn resolver(&self) -> Resolver {
        let mut resolver = Resolver::new()
            .with_policy(match self.policy {
                None | Some(PolicyName::ManPage) => Policy::MAN_PAGE,
                Some(PolicyName::Librdmacm) => Policy::LIBRDMACM,
            })
            .with_ib_entries(match self.ib_entries {
                When::Auto => IbEntries::Auto,
                When::Always => IbEntries::Always,
                When::Never => IbEntries::Never,
            })
            .with_ibacm(self.ibacm.unwrap_or_default())
            .with_canonical_names(self.canonical)
            .with_source_interface(self.src_if);
        if self.first {
            resolver = resolver.with_addresses(Addresses::First);
        }
        if self.no_source {
            resolver = resolver.with_source(false);
        }
        match self.timeout {
            None => resolver,
            Some(Timeout(Some(limit))) => resolver.with_deadline(limit),
            Some(Timeout(None)) => resolver.without_deadline(),
        }
    }
}

/// The error of the core.
type Rejection = rdma_addrinfo::CoreError;

fn read<T: FromStr<Err = Rejection>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|rejection| message(text, &rejection))
}

fn qp_type(text: &str) -> Result<QpType, String> {
    read(text).map_err(|rejection: String| format!("{rejection}; the names: rc, uc, ud, xrc-send, xrc-recv"))
}

fn port_space(text: &str) -> Result<PortSpace, String> {
    read(text).map_err(|rejection: String| format!("{rejection}; the names: tcp, udp, ib, ipoib"))
}

/// An address, whose zone may be the name of an interface.
fn address(text: &str) -> Result<SockAddrBuf, String> {
    read(&zone::with_indices(text)?)
}

/// A source; the name of an interface is one for another option.
fn source(text: &str) -> Result<SockAddrBuf, String> {
    address(text).map_err(|rejection| match text.parse::<InterfaceName>().map(|name| name.index()) {
        Ok(Ok(Some(_))) => format!("{rejection}; to send from the interface '{text}', use --src-if {text}"),
        _ => rejection,
    })
}

fn ibacm(text: &str) -> Result<Ibacm, String> {
    text.parse().map_err(|rejection: std::io::Error| rejection.to_string())
}

fn hints(text: &str) -> Result<Hints<'static>, String> {
    // The route borrows these bytes until the process ends; two digits are a byte.
    let route = vec![0; text.len() / 2].leak();
    let text = zone::with_indices(text)?;
    Hints::parse_with(&text, route).map_err(|rejection| {
        let names = match rejection.reason() {
            Reason::UnknownKey => {
                "\nKeys: passive, numeric-host, no-route, family, sa, dns, route-only, flags=, family=, qp=, ps=, src=, dst=, route="
            }
            Reason::UnknownWord => {
                "\nNames: family=inet, inet6, ib; qp=rc, uc, ud, xrc-send, xrc-recv; ps=tcp, udp, ib, ipoib"
            }
            _ => "",
        };
        message(&text, &rejection) + names
    })
}

/// Why a value was rejected; and its position, unless that is the start.
fn message(text: &str, rejection: &Rejection) -> String {
    let reason = rejection.reason().message();
    match rejection.location() {
        Location::Text(offset @ 1..) => {
            format!("{reason}\n{}", caret::excerpt(text.as_bytes(), offset).trim_end())
        }
        _ => reason.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_examples_of_the_help_are_command_lines() {
        Options::command().debug_assert();
        let (_, examples) = HELP.split_once("Examples:\n").expect("examples");
        let mut count = 0;
        for example in examples.lines() {
            let words = example.split_whitespace().map(|word| word.trim_matches('\''));
            Options::try_parse_from(words).unwrap_or_else(|error| panic!("{example}: {error}"));
            count += 1;
        }
        assert_eq!(count, 11);
    }
}
