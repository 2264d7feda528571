package klog

import "context"

type Logger struct{}

func (l Logger) Info(msg string, keysAndValues ...any) {}

func FromContext(ctx context.Context) Logger { return Logger{} }

type KMetadata interface {
	GetName() string
	GetNamespace() string
}

type ObjectRef struct{ Name, Namespace string }

func KObj(obj KMetadata) ObjectRef { return ObjectRef{obj.GetName(), obj.GetNamespace()} }
