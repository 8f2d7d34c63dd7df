"""What web, worker and beat check before they serve anybody, and what they load meanwhile."""

import gc
import logging
import sys
import threading

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection

from ledger import privacy
from ledger.merging.together import leanings
from recall.encoders import EncoderDown, encoder
from recall.packing import count_tokens
from tenants.isolation import UnsafeRole

log = logging.getLogger(__name__)

# After so many the collector looks for circles among what is new.
NEW_OBJECTS = 50_000


def require_safe_start() -> None:
    """End the process under an unsafe database role.

    A database that is away is not a reason to end: every later connection is checked again as it
    opens (tenants.apps), and /readyz tells until then.
    """
    try:
        connection.ensure_connection()
    except UnsafeRole as error:
        log.critical("unsafe database role", extra={"reason": str(error)})
        sys.exit(str(error))
    except OperationalError:
        log.warning("the database is away at start")
    finally:
        connection.close()


def warm_up() -> None:
    """Load the models beside the first requests, which wait for them only if they need them."""
    threading.Thread(target=_load_models, name="warm-up", daemon=True).start()


def _load_models() -> None:
    try:
        encoder().query("warm up")
    except (EncoderDown, ImproperlyConfigured):
        log.warning("the encoder is away at start", exc_info=True)
    privacy.warm()
    leanings("warm", "up")
    count_tokens("warm up")
    # What was loaded stays: the collector need not go through all of it again and again, nor look
    # through what is new after every 700 objects: an answer makes some thousands, in no circles.
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
