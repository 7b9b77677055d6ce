"""What any release still has of its original, whoever made it: one group of utility measures per module."""
