"""What every section of a policy is made of."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Refuses unknown names, so that a misspelt rule is an error and not a rule that is off."""

    model_config = ConfigDict(extra="forbid", frozen=True)
