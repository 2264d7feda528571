package helper

import fwk "k8s.io/kube-scheduler/framework"

func DefaultNormalizeScore(maxPriority int64, reverse bool, scores fwk.NodeScoreList) *fwk.Status {
	return nil
}
