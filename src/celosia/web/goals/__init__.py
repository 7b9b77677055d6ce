"""What the page of privacy goals is made of: promises as sliders and sentences."""
