// Package framework has a NodeInfo that adds up what Pods request, enough to run exported unit tests.
package framework

import (
	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

type Resource struct {
	MilliCPU, Memory, EphemeralStorage int64
	AllowedPodNumber                   int
	ScalarResources                    map[v1.ResourceName]int64
}

func (r *Resource) GetMilliCPU() int64                            { return r.MilliCPU }
func (r *Resource) GetMemory() int64                              { return r.Memory }
func (r *Resource) GetEphemeralStorage() int64                    { return r.EphemeralStorage }
func (r *Resource) GetAllowedPodNumber() int                      { return r.AllowedPodNumber }
func (r *Resource) GetScalarResources() map[v1.ResourceName]int64 { return r.ScalarResources }
func (r *Resource) SetMaxResource(rl v1.ResourceList)             {}

func (r *Resource) add(list v1.ResourceList) {
	if r.ScalarResources == nil {
		r.ScalarResources = map[v1.ResourceName]int64{}
	}
	for name, quantity := range list {
		switch name {
		case v1.ResourceCPU:
			r.MilliCPU += quantity.MilliValue()
		case v1.ResourceMemory:
			r.Memory += quantity.Value()
		case v1.ResourceEphemeralStorage:
			r.EphemeralStorage += quantity.Value()
		case v1.ResourcePods:
			r.AllowedPodNumber += int(quantity.Value())
		default:
			r.ScalarResources[name] += quantity.Value()
		}
	}
}

type podInfo struct{ pod *v1.Pod }

func (p podInfo) GetPod() *v1.Pod { return p.pod }

type NodeInfo struct {
	node      *v1.Node
	pods      []fwk.PodInfo
	requested Resource
	offered   Resource
}

var _ fwk.NodeInfo = &NodeInfo{}

func NewNodeInfo(pods ...*v1.Pod) *NodeInfo {
	info := &NodeInfo{}
	info.requested.add(nil)
	for _, pod := range pods {
		info.pods = append(info.pods, podInfo{pod})
		for _, container := range pod.Spec.Containers {
			info.requested.add(container.Resources.Requests)
		}
	}
	return info
}

func (n *NodeInfo) Node() *v1.Node               { return n.node }
func (n *NodeInfo) GetPods() []fwk.PodInfo       { return n.pods }
func (n *NodeInfo) GetRequested() fwk.Resource   { return &n.requested }
func (n *NodeInfo) GetAllocatable() fwk.Resource { return &n.offered }

func (n *NodeInfo) SetNode(node *v1.Node) {
	n.node = node
	n.offered = Resource{}
	n.offered.add(node.Status.Allocatable)
}
