"""Lessons of Wutaki, and the states that they and the rule tests begin with."""
