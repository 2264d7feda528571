"""kube-scheduler as an actor: informers, queue, cycles, binding, failures, pod groups."""
