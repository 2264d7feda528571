// Package v1 holds the few fields of the core API that exported packages use, as Kubernetes 1.36 declares them.
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type ResourceName string

const (
	ResourceCPU              ResourceName = "cpu"
	ResourceMemory           ResourceName = "memory"
	ResourceEphemeralStorage ResourceName = "ephemeral-storage"
	ResourcePods             ResourceName = "pods"
)

type ResourceList map[ResourceName]resource.Quantity

type TaintEffect string

type Taint struct {
	Key, Value string
	Effect     TaintEffect
}

type NodeSpec struct {
	Taints        []Taint
	Unschedulable bool
}

type NodeStatus struct{ Allocatable ResourceList }

type Node struct {
	metav1.ObjectMeta
	Spec   NodeSpec
	Status NodeStatus
}

type ResourceRequirements struct{ Limits, Requests ResourceList }

type Container struct {
	Name      string
	Resources ResourceRequirements
}

type PodSchedulingGroup struct{ PodGroupName *string }

type PodSpec struct {
	NodeName          string
	NodeSelector      map[string]string
	Priority          *int32
	PriorityClassName string
	Containers        []Container
	SchedulingGroup   *PodSchedulingGroup
}

type Pod struct {
	metav1.ObjectMeta
	Spec PodSpec
}
