"""What a page asks before it runs a recall."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from ledger.pages.forms import AsOfForm
from recall.api.serializers import MAX_TOP_K, QUERY_LENGTH
from recall.exchange import Question
from tenants.api.parsing import is_visible


class AskForm(AsOfForm):
    """A question about one subject, as of a point on both time axes."""

    query = forms.CharField(max_length=QUERY_LENGTH, label=_("Question"))
    top_k = forms.IntegerField(
        required=False, min_value=1, max_value=MAX_TOP_K, label=_("At most this many memories")
    )

    def clean_query(self) -> str:
        query: str = self.cleaned_data["query"]
        if not is_visible(query):
            raise ValidationError(self.fields["query"].error_messages["required"], "required")
        return query

    def question(self, subject: str) -> Question:
        """The question that a valid form means."""
        found = self.cleaned_data
        seq = found["seq"]
        return Question(
            subject=subject,
            query=found["query"],
            top_k=found["top_k"] or Question.top_k,
            valid_at=found["valid_at"],
            known_at=found["known_at"] if seq is None else seq,
        )
