module k8s.io/component-helpers

go 1.26.0
