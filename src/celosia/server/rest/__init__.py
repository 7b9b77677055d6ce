"""REST: what programs ask of the service, in JSON; ``/api/v1/openapi.json`` describes all of it."""
