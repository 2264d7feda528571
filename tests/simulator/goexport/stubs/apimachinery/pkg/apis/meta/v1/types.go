package v1

type ObjectMeta struct {
	Name, Namespace     string
	Labels, Annotations map[string]string
}

func (m *ObjectMeta) GetName() string      { return m.Name }
func (m *ObjectMeta) GetNamespace() string { return m.Namespace }
