"""What follows from many memories of a subject: summaries, insights and a profile. Pure."""

from ledger.reflection.insights import Insight, insights
from ledger.reflection.profile import Profile, ProfileItem, profile
from ledger.reflection.remembered import Remembered
from ledger.reflection.summary import Summary, summarise
from ledger.reflection.words import language_of

__all__ = [
    "Insight",
    "Profile",
    "ProfileItem",
    "Remembered",
    "Summary",
    "insights",
    "language_of",
    "profile",
    "summarise",
]
