"""Problems: a model and a question about it, made ready for an engine. One file for each kind of model."""

from beeline.problems.make import NoClocks, problem_of, subject_of
from beeline.problems.problem import Problem, Ready
from beeline.problems.settings import INTERRUPTED, Result, Settings

__all__ = ["INTERRUPTED", "NoClocks", "Problem", "Ready", "Result", "Settings", "problem_of", "subject_of"]
