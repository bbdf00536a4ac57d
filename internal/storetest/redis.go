package storetest

import (
	"bytes"
	"fmt"
	"net"
	"os/exec"
	"testing"
	"time"
)

// Redis starts a Redis server that ends with the test, and returns its address for --tasks-store. It skips the test if
// redis-server is not installed.
func Redis(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed")
	}
	var log bytes.Buffer
	for range 5 { // another process may take the port
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		_, port, _ := net.SplitHostPort(l.Addr().String())
		must(t, l.Close())
		server := exec.Command(program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
		server.Dir, server.Stdout, server.Stderr = t.TempDir(), &log, &log
		must(t, server.Start())
		ended := make(chan struct{})
		go func() {
			_ = server.Wait() // it is killed
			close(ended)
		}()
		t.Cleanup(func() {
			_ = server.Process.Kill() // it may have ended
			<-ended
		})
		if answers("127.0.0.1:"+port, ended) {
			return fmt.Sprintf("redis://127.0.0.1:%s/0", port)
		}
	}
	t.Fatalf("redis-server does not start:\n%s", &log)
	return ""
}

// answers waits until a server accepts connections, or ends.
func answers(address string, ended <-chan struct{}) bool {
	retry := time.NewTicker(5 * time.Millisecond)
	defer retry.Stop()
	for {
		c, err := net.Dial("tcp", address)
		if err == nil {
			return c.Close() == nil
		}
		select {
		case <-ended:
			return false
		case <-retry.C:
		}
	}
}
