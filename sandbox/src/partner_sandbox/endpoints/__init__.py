"""The endpoints of the contract, one module per group."""
