"""What the page of hierarchies is made of: the editor of one, its views, rules that build them."""
