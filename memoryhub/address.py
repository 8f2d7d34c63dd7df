"""Where the web server listens: whether it can, and what it answers there."""

import errno
import http.client
import socket
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured

from memoryhub import env

ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  (only looked up)


@dataclass(frozen=True)
class Address:
    """A host, which may mean every address of this machine, and a port."""

    host: str
    port: int

    @property
    def bind(self) -> str:
        """As the web server wants it."""
        return f"{_bracketed(self.host)}:{self.port}"

    @property
    def near(self) -> str:
        """The host to use from this machine."""
        return ANYWHERE.get(self.host, self.host)

    def __str__(self) -> str:
        return f"http://{_bracketed(self.near)}:{self.port}"

    def check_free(self) -> None:
        """Raises ImproperlyConfigured if nothing could listen there."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with socket.socket(family) as probe:
            # As the web server will: connections of a former one do not count.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.host, self.port))
            except PermissionError:
                raise ImproperlyConfigured(
                    f"Port {self.port} is for root only: set PORT=… to 1024 or more."
                ) from None
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise ImproperlyConfigured(
                        f"Port {self.port} is in use: set PORT=… to another one."
                    ) from None
                raise ImproperlyConfigured(
                    f"MEMORYHUB_HOST={self.host} is no address of this machine: set it to one, or "
                    "to 0.0.0.0 for all."
                ) from None

    def ask(self, path: str) -> tuple[int, str]:
        """The status and the beginning of the answer; status 0 and the reason if there is none."""
        allowed = env.listing("MEMORYHUB_ALLOWED_HOSTS", self.near)[0]
        name = self.near if allowed == "*" else allowed.lstrip(".")
        connection = http.client.HTTPConnection(self.near, self.port, timeout=10)
        try:
            connection.request("GET", path, headers={"Host": f"{_bracketed(name)}:{self.port}"})
            response = connection.getresponse()
            return response.status, response.read(2_000).decode(errors="replace")
        except (OSError, http.client.HTTPException) as error:
            return 0, str(error)
        finally:
            connection.close()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
