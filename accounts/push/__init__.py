"""Push messages: the devices of people, the key that signs, and the request to a push service."""
