"""Tables of a cluster: paths, Hive tables and data frames of Spark, worked on where they are."""
