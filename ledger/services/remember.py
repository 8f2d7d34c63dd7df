"""Remember one statement: the service behind every door through which a memory comes in."""

from ledger.pipeline import Written, write
from ledger.policy import BUILT_IN
from ledger.selectors import MemoryView, as_memory, as_of
from ledger.statements import Statement
from tenants import keys
from tenants.context import tenant_context
from tenants.principals import Principal


def remember(
    principal: Principal, *, subject: str, statement: Statement
) -> tuple[Written, MemoryView]:
    """Write in one transaction, and give back what is stored, readable."""
    with tenant_context(principal.tenant_id):
        written = write(principal, subject, statement, BUILT_IN)
        version = written.version
        view = as_memory(version, keys.cipher_for(version.subject), as_of())
    return written, view
