"""Guidelines checked: all questions at once, with time left free first, and exact where a counterexample is wrong."""

from beeline.guidelines.answers import Answer, Report
from beeline.guidelines.checker import check_guideline

__all__ = ["Answer", "Report", "check_guideline"]
