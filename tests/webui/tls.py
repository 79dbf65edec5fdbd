"""Makes a certificate and its key, in two files, for ``trucam play --tls``."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives import serialization

from webui.server.certificate import own_certificate

BEGINS = "-----BEGIN CERTIFICATE-----"


def certificate_and_key(folder: Path) -> tuple[Path, Path]:
    """Makes a certificate for this machine's own names; returns its file and that of its key."""
    key, _, certificate = (
        own_certificate(["127.0.0.1", "localhost"], folder).read_text().partition(BEGINS)
    )
    files = folder / "cert.pem", folder / "key.pem"
    for file, text in zip(files, (BEGINS + certificate, key), strict=True):
        file.write_text(text)
    return files


def lock(key: Path, to: Path) -> None:
    """Writes a copy of a key that is encrypted with a passphrase."""
    opened = serialization.load_pem_private_key(key.read_bytes(), None)
    locked = opened.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )
    to.write_bytes(locked)
