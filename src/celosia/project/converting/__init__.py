"""Projects of other systems, read into ours."""
