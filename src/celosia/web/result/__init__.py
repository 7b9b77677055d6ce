"""What the page of results is made of: the verdict, rows before and after, evidence, downloads."""
