// Package resource reads the quantities that tests use: plain numbers, m, Ki, Mi, Gi, Ti.
package resource

import (
	"strconv"
	"strings"
)

type Quantity struct{ milli int64 }

func MustParse(text string) Quantity {
	factor := int64(1000)
	for suffix, value := range map[string]int64{"m": 1, "Ki": 1000 << 10, "Mi": 1000 << 20, "Gi": 1000 << 30, "Ti": 1000 << 40} {
		if strings.HasSuffix(text, suffix) {
			text, factor = strings.TrimSuffix(text, suffix), value
			break
		}
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return Quantity{milli: number * factor}
}

func (q *Quantity) Value() int64      { return (q.milli + 999) / 1000 }
func (q *Quantity) MilliValue() int64 { return q.milli }
func (q *Quantity) Add(other Quantity) { q.milli += other.milli }
