//! Validation, a rule a function.

use super::Hints;
use crate::error::{Error, ErrorKind, Field, Location, Reason};
use crate::types::{Family, Flags};

impl Hints<'_> {
    /// Checks all that can be checked without a node and a service, as the manual page has it. With [`Flags::SA`] these are
    /// the flags alone: a question to the subnet administrator ignores the rest.
    ///
    /// # Errors
    /// - [`ErrorKind::BadFlags`]: a flag is unknown;
    /// - [`ErrorKind::NotSupported`]: [`Flags::SA`] together with [`Flags::DNS`];
    /// - [`ErrorKind::Family`]: the family is none of AF_UNSPEC, AF_INET, AF_INET6, AF_IB;
    /// - [`ErrorKind::QpType`]: QP type or port space is unknown, or they exclude each other;
    /// - [`ErrorKind::Invalid`]: the route is no array of path records.
    pub fn validate(&self) -> Result<(), Error> {
        self.check_flags()?;
        if self.flags.contains(Flags::SA) {
            return self.check_sa_and_dns();
        }
        self.check_family()?;
        self.transport.check(true)?;
        self.route_hint()?;
        Ok(())
    }

    /// Only the flags of the manual page.
    #[inline]
    pub(crate) fn check_flags(&self) -> Result<(), Error> {
        if Flags::PUBLIC.contains(self.flags) {
            Ok(())
        } else {
            Err(self.refuse(ErrorKind::BadFlags, Reason::UnknownFlag, Field::Flags))
        }
    }

    /// The subnet administrator and DNS exclude each other.
    #[inline]
    pub(crate) fn check_sa_and_dns(&self) -> Result<(), Error> {
        if self.flags.contains(Flags::SA.union(Flags::DNS)) {
            Err(self.refuse(ErrorKind::NotSupported, Reason::SaWithDns, Field::Flags))
        } else {
            Ok(())
        }
    }

    /// Only the families of the manual page.
    #[inline]
    pub(crate) fn check_family(&self) -> Result<(), Error> {
        match self.family {
            Family::UNSPEC | Family::INET | Family::INET6 | Family::IB => Ok(()),
            _ => Err(self.refuse(ErrorKind::Family, Reason::Unspecified, Field::Family)),
        }
    }

    #[cold]
    pub(crate) fn refuse(&self, kind: ErrorKind, reason: Reason, field: Field) -> Error {
        Error::new(kind).because(reason).at(Location::Hints(field))
    }
}
