"""Values of tables: their texts, how texts become values, and when two values are the same."""
