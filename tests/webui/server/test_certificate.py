"""The certificate that a table makes itself: browsers give the camera only over https."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from webui.server import certificate
from webui.server.certificate import CertificateError, fingerprint, own_certificate, own_context

NAMES = ["192.168.1.5", "127.0.0.1", "table.local"]


def names_in(path: Path) -> set[str]:
    found = x509.load_pem_x509_certificate(path.read_bytes())
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


def test_the_certificate_covers_all_names_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = own_certificate(NAMES, tmp_path / "tables")
    assert names_in(path) == set(NAMES)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    own_context(path)  # OpenSSL takes it
    assert len(fingerprint(path).split(":")) == 32


def test_the_certificate_is_the_same_the_next_evening(tmp_path: Path) -> None:
    before = fingerprint(own_certificate(NAMES, tmp_path))
    assert fingerprint(own_certificate(NAMES[:1], tmp_path)) == before


def test_the_certificate_has_what_iphones_require(tmp_path: Path) -> None:
    found = x509.load_pem_x509_certificate(own_certificate(NAMES, tmp_path).read_bytes())
    assert found.not_valid_after_utc - found.not_valid_before_utc < timedelta(days=825)
    use = found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert x509.oid.ExtendedKeyUsageOID.SERVER_AUTH in use


def test_a_new_address_is_added_to_the_old_ones(tmp_path: Path) -> None:
    own_certificate(NAMES, tmp_path)
    assert names_in(own_certificate(["10.0.0.7"], tmp_path)) == {*NAMES, "10.0.0.7"}


@pytest.mark.parametrize("text", ["", "no certificate"])
def test_a_damaged_certificate_is_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / certificate.FILE).write_text(text)
    assert names_in(own_certificate(NAMES, tmp_path)) == set(NAMES)


def test_a_certificate_that_ends_soon_is_replaced(tmp_path: Path, monkeypatch) -> None:
    before = fingerprint(own_certificate(NAMES, tmp_path))

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(UTC) + certificate.VALID - timedelta(days=10)

    monkeypatch.setattr(certificate, "datetime", Later)
    assert fingerprint(own_certificate(NAMES, tmp_path)) != before


def test_a_certificate_made_while_the_clock_was_ahead_is_replaced(
    tmp_path: Path, monkeypatch
) -> None:
    class Ahead(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(UTC) + timedelta(days=30)

    with monkeypatch.context() as patch:
        patch.setattr(certificate, "datetime", Ahead)
        before = fingerprint(own_certificate(NAMES, tmp_path))
    assert fingerprint(own_certificate(NAMES, tmp_path)) != before


def test_a_certificate_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CertificateError, match=r"certificate\.pem cannot be written: "):
        own_certificate(NAMES, tmp_path / "file")
