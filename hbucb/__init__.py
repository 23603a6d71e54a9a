"""Bandits with heavy and super-heavy tails."""
