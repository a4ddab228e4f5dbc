"""Words of the contract, and sentences for people."""
