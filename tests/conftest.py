"""What every test may use: a PostgreSQL database of its own (`postgres_url`), and how Hypothesis searches."""

from hypothesis import settings

pytest_plugins = ("tests.postgres",)

# The suite gives the same verdict each time, however busy the machine is; `make fuzz` looks elsewhere each time.
settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("fuzz", deadline=None, max_examples=10_000, print_blob=True)
settings.load_profile("suite")
