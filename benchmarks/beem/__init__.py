"""The BEEM suite: every instance explored, every goal searched for, next to the published figures."""
