package app

import (
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

type Option func()

func WithPlugin(name string, factory runtime.PluginFactory) Option { return func() {} }

func NewSchedulerCommand(registryOptions ...Option) *cli.Command { return &cli.Command{} }
