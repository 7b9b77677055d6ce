"""What the page of data is made of: where tables come from, what their columns are."""
