"""Scripts for the setup and the maintenance of the repository; each runs on its own."""
