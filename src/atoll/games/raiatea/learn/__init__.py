"""Lessons of Raiatea, and the tables that they and the rule tests begin with."""
