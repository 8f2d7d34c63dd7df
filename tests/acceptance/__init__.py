"""The promises of the service, over HTTP."""
