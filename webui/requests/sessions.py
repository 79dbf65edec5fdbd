"""Cookies that stay valid where the computer's clock is set back."""

from __future__ import annotations

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadSignature


class TimelessSessions(SecureCookieSessionInterface):
    """Sessions whose age is not checked.

    A computer without a battery for its clock may set it back in mid-game. Then the cookies made
    before seem to come from the future. Flask would refuse them, and every phone would lose its
    seat. ``webui.table.access`` decides what a phone may do, and its browser when a cookie ends.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of a request; an empty one where the cookie was not signed here."""
        signer = self.get_signing_serializer(app)
        if signer is None:
            return None
        cookie = request.cookies.get(self.get_cookie_name(app), "")
        try:
            return self.session_class(signer.loads(cookie))
        except BadSignature:
            return self.session_class()
