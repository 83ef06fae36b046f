"""What every game must pass: laws, tried on every game and option set, and each shown to catch what it is for."""
