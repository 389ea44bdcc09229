"""Shapes as Python text."""
