"""Notifications for people who aren't at the table, by web push, mail and webhooks."""
