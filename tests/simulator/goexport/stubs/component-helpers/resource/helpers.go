package resource

import v1 "k8s.io/api/core/v1"

type PodResourcesOptions struct{ UseStatusResources bool }

func PodRequests(pod *v1.Pod, opts PodResourcesOptions) v1.ResourceList {
	total := v1.ResourceList{}
	for _, container := range pod.Spec.Containers {
		for name, quantity := range container.Resources.Requests {
			sum := total[name]
			sum.Add(quantity)
			total[name] = sum
		}
	}
	return total
}
