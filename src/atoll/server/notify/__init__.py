"""Telling people who aren't here: by push, mail and webhooks."""
