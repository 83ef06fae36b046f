"""`python -m atoll` is the command `atoll`."""

from atoll.cli import main

if __name__ == "__main__":
    main()
