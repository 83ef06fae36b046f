"""Laws that every game must satisfy.

They are checked on every game and option set, and each of them is shown to catch its faults.
"""
