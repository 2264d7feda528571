"""Kubernetes objects as typed values, and what the API server does to a manifest before anyone sees it."""
