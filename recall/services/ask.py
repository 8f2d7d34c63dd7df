"""Answer a question: the service behind every door through which one comes in."""

from ledger.policies import current_policy
from recall.pipeline import Answer, Question, recall
from tenants.principals import Principal


def ask(principal: Principal, question: Question) -> Answer:
    """Recall under the policy in force."""
    return recall(principal, question, current_policy())
