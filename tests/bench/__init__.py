"""Benchmarks: each module measures one thing beside its peer, in the same run."""
