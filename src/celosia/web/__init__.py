"""The pages: everything a data owner does, from raw table to release, in a browser."""
