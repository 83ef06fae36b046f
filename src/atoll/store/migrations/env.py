"""Alembic environment: migrations run on the caller's connection, or become SQL for a dialect."""

from alembic import context

from atoll.store.schema import metadata

attributes = context.config.attributes
if "dialect" in attributes:
    context.configure(
        dialect_name=attributes["dialect"], target_metadata=metadata, literal_binds=True, transactional_ddl=False
    )
else:
    context.configure(connection=attributes["connection"], target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
