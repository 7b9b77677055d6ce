"""What the page of comparisons is made of: techniques, models, what was found, studies."""
