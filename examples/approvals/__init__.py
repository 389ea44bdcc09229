"""A chat in the browser that shows what scripts do, and asks before they do what needs somebody's word."""
