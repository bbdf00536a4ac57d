package stdio

import "testing"

func TestQueueIsFull(t *testing.T) {
	q := queue{freed: make(chan struct{}, 1)}
	add := func(n, waiting, others int) { q.add(n*waiting, n*others) }
	gone, asked := make(chan struct{}), 0
	room := func() bool { return q.room(gone, func() { asked++ }) }
	add(1, maxWaiting, maxOthers-1)
	if !room() || asked != 0 {
		t.Fatal("a queue is full before its bounds")
	}
	for _, over := range [][2]int{{1, 0}, {0, 1}} {
		asked = 0
		add(1, over[0], over[1])
		freed := make(chan bool)
		go func() { freed <- room() }()
		add(-1, over[0], over[1])
		if !<-freed {
			t.Error("no room where there was")
		}
	}
	add(1, 1, 0)
	close(gone)
	if room() || asked == 0 {
		t.Errorf("room for one who is gone, asked %d times", asked)
	}
}
