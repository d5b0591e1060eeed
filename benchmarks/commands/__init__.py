"""Random command lines on whole and on broken files: limits hold, nothing crashes, no report changes a verdict."""
