"""The client against a running sandbox: real sockets, the contract's rules watched."""
