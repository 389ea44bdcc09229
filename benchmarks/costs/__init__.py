"""The cost of code mode, compared with peers and with unavoidable costs: `make bench`."""
