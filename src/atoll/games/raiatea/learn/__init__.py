"""Lessons of Raiatea, and the states that they and the rule tests begin with."""
