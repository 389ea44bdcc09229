"""The costs of code mode, compared with peers and with what is unavoidable: `make bench`."""
