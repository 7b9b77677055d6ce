"""Tables in relational databases, read, recoded and written where they live."""
