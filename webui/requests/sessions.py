"""Cookies that a clock cannot take from a phone."""

from __future__ import annotations

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadSignature


class TimelessSessions(SecureCookieSessionInterface):
    """Sessions whose age is not asked.

    A computer without a clock of its own may set it back in mid-game. Cookies that were made before
    would come from the future and be refused, and every phone would lose its seat. What a phone may
    do is decided by ``webui.table.access``; how long it keeps a cookie, by the browser.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of a request; an empty one where its cookie is not ours."""
        signer = self.get_signing_serializer(app)
        if signer is None:
            return None
        cookie = request.cookies.get(self.get_cookie_name(app), "")
        try:
            return self.session_class(signer.loads(cookie))
        except BadSignature:
            return self.session_class()
