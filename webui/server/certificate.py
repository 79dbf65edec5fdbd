"""The certificate for https. A browser lets only https pages use its camera.

The table signs it itself. So the phone that becomes the camera warns its owner, once: the
certificate is kept, and the phone knows it the next evening.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from scorekeeper.errors import ScorekeeperError
from scorekeeper.files import written_whole
from webui.table.memory import folder

FILE = "certificate.pem"
VALID = timedelta(days=800)
"""How long it is valid; iPhones refuse certificates that are valid for more than 825 days."""
RENEWED = timedelta(days=30)
"""How long before its end a new one is made."""


class CertificateError(ScorekeeperError):
    """The certificate cannot be kept."""


def own_certificate(names: Iterable[str], where: Path | None = None) -> Path:
    """The table's certificate with its key; it is made or renewed if necessary.

    Args:
        names: The addresses and names under which phones open this machine's pages.
        where: The folder of the certificate; None for that of the tables.

    Returns:
        A PEM file that only its owner may read.

    Raises:
        CertificateError: It cannot be written.
    """
    path = (where or folder()) / FILE
    wanted = set(names)
    try:
        kept = x509.load_pem_x509_certificate(path.read_bytes())
        serialization.load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError):
        kept = None
    if kept is not None:
        covered, now = _names(kept), datetime.now(UTC)
        # If the clock was ahead when it was made, it is not valid yet.
        valid = kept.not_valid_before_utc <= now < kept.not_valid_after_utc - RENEWED
        if wanted <= covered and valid:
            return path
        wanted |= covered
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with written_whole(path) as file:
            file.write(_make(sorted(wanted)))
    except OSError as error:
        raise CertificateError(f"{path} cannot be written: {error.strerror}.") from None
    return path


def fingerprint(path: Path) -> str:
    """The SHA-256 fingerprint, as browsers show it: ``AB:CD:…``.

    Raises:
        OSError: The file cannot be read.
    """
    certificate = x509.load_pem_x509_certificate(path.read_bytes())
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def own_context(path: Path) -> ssl.SSLContext:
    """The context for https with a certificate of ``own_certificate``."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


def _names(certificate: x509.Certificate) -> set[str]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return set()
    return {str(name.value) for name in found}


def _make(names: list[str]) -> bytes:
    """A key and a certificate for it, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "trucam table")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may be behind
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName(list(map(_general_name, names))), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
