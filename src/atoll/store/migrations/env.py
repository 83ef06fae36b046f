"""Alembic environment: migrations run on the caller's connection, in its transaction."""

from alembic import context

from atoll.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
