"""What a device keeps to be read while the server is gone."""
