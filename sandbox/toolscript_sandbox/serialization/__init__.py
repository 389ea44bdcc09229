"""Conversion of values between a script and the host."""
