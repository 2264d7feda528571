// Package framework declares what exported plugins implement and use, with the signatures of
// k8s.io/kube-scheduler v0.36 framework/interface.go and framework/types.go.
package framework

import (
	"context"
	"errors"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

type Code int

const (
	Success Code = iota
	Error
	Unschedulable
	UnschedulableAndUnresolvable
	Wait
	Skip
	Pending
)

type Status struct {
	code    Code
	reasons []string
	err     error
}

func NewStatus(code Code, reasons ...string) *Status { return &Status{code: code, reasons: reasons} }

func AsStatus(err error) *Status {
	if err == nil {
		return nil
	}
	return &Status{code: Error, err: err}
}

func (s *Status) Code() Code {
	if s == nil {
		return Success
	}
	return s.code
}

func (s *Status) IsSuccess() bool { return s.Code() == Success }

func (s *Status) IsError() bool { return s.Code() == Error }

func (s *Status) Message() string {
	if s == nil {
		return ""
	}
	if s.err != nil {
		return s.err.Error()
	}
	return strings.Join(s.reasons, ", ")
}

func (s *Status) String() string { return s.Message() }

func (s *Status) AsError() error { return errors.New(s.Message()) }

const (
	MaxNodeScore int64 = 100
	MinNodeScore int64 = 0
)

type NodeScore struct {
	Name  string
	Score int64
}

type NodeScoreList []NodeScore

type CycleState interface{ ShouldRecordPluginMetrics() bool }

type Plugin interface{ Name() string }

type FilterPlugin interface {
	Plugin
	Filter(ctx context.Context, state CycleState, pod *v1.Pod, nodeInfo NodeInfo) *Status
}

type ScoreExtensions interface {
	NormalizeScore(ctx context.Context, state CycleState, p *v1.Pod, scores NodeScoreList) *Status
}

type ScorePlugin interface {
	Plugin
	Score(ctx context.Context, state CycleState, p *v1.Pod, nodeInfo NodeInfo) (int64, *Status)
	ScoreExtensions() ScoreExtensions
}

type EnqueueExtensions interface {
	Plugin
	EventsToRegister(context.Context) ([]ClusterEventWithHint, error)
}

type SignFragment struct {
	Key   string
	Value any
}

type SignPlugin interface {
	Plugin
	SignPod(ctx context.Context, pod *v1.Pod) ([]SignFragment, *Status)
}

type ActionType int64

const (
	Add ActionType = 1 << iota
	Delete
	UpdateNodeAllocatable
	UpdateNodeLabel
	UpdateNodeTaint
	UpdateNodeCondition
	UpdateNodeAnnotation
	UpdateNodeDeclaredFeature
	UpdatePodLabel
	UpdatePodScaleDown
	UpdatePodToleration
	UpdatePodSchedulingGatesEliminated
	UpdatePodGeneratedResourceClaim

	All    ActionType = 1<<iota - 1
	Update            = UpdateNodeAllocatable | UpdateNodeLabel | UpdateNodeTaint | UpdateNodeCondition | UpdateNodeAnnotation | UpdateNodeDeclaredFeature | UpdatePodLabel | UpdatePodScaleDown | UpdatePodToleration | UpdatePodSchedulingGatesEliminated | UpdatePodGeneratedResourceClaim
)

type EventResource string

const (
	Pod  EventResource = "Pod"
	Node EventResource = "Node"
)

type QueueingHint int

type QueueingHintFn func(logger klog.Logger, pod *v1.Pod, oldObj, newObj interface{}) (QueueingHint, error)

type ClusterEvent struct {
	Resource    EventResource
	ActionType  ActionType
	CustomLabel string
}

type ClusterEventWithHint struct {
	Event          ClusterEvent
	QueueingHintFn QueueingHintFn
}

type Resource interface {
	GetMilliCPU() int64
	GetMemory() int64
	GetEphemeralStorage() int64
	GetAllowedPodNumber() int
	GetScalarResources() map[v1.ResourceName]int64
	SetMaxResource(rl v1.ResourceList)
}

type PodInfo interface{ GetPod() *v1.Pod }

type NodeInfo interface {
	Node() *v1.Node
	GetPods() []PodInfo
	GetRequested() Resource
	GetAllocatable() Resource
	SetNode(node *v1.Node)
}

type NodeInfoLister interface {
	List() ([]NodeInfo, error)
	HavePodsWithAffinityList() ([]NodeInfo, error)
	HavePodsWithRequiredAntiAffinityList() ([]NodeInfo, error)
	Get(nodeName string) (NodeInfo, error)
}

type StorageInfoLister interface{ IsPVCUsedByPods(key string) bool }

type SharedLister interface {
	NodeInfos() NodeInfoLister
	StorageInfos() StorageInfoLister
}

type Handle interface {
	SnapshotSharedLister() SharedLister
	ProfileName() string
}
