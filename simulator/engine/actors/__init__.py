"""Everything that acts on the API: schedulers, controllers, kubelet, device plugin."""
