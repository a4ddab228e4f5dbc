"""A role that a superuser takes for a reason and a limited time, before the owners' eyes."""
