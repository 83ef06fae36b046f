"""How Alembic runs our migrations: on the connection it is handed, inside the caller's transaction."""

from alembic import context

from atoll.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
