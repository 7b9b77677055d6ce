"""One module per command; a module here that has ``add_to(app)`` is one."""
