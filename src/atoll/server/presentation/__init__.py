"""The presentation of a table: texts, pictures and fragments, for pages and notifications."""
