package odd

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The test binary is a command, too:
//
//	go test -c -o odd.test ./sdk/internal/odd
//	./odd.test -server 'COMMAND' [-messages 5000] [-seed 1]
//
// The command serves package fixture on standard streams, and over HTTP when it is told
// --http ADDR. Which of its answers differ is printed by kinds.
var (
	serverFlag   = flag.String("server", "", "the `command` of a server whose answers are compared")
	messagesFlag = flag.Int("messages", 5000, "how many messages of every kind are sent")
	randomFlag   = flag.Int("calls", 600, "how many random calls are sent beside those made by hand")
	seedFlag     = flag.Uint64("seed", 1, "what random messages are made from")
	workersFlag  = flag.Int("workers", 2, "how many messages are sent at once")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *serverFlag == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := battery(ctx, strings.Fields(*serverFlag))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// battery compares the answers of a server and prints the report.
func battery(ctx context.Context, command []string) error {
	url, stop, err := serve(ctx, command)
	if err != nil {
		return err
	}
	defer stop()
	open := Process(command)
	for _, g := range []Generation{Sessions, Requests} {
		moments := []Moment{LaterLine(open, g), FirstLine(open, g), Sessionless(url, g)}
		if g == Sessions {
			moments = append(moments, AfterSetLevel(open), Session(url))
		}
		for _, part := range []struct {
			name     string
			messages []Message
		}{{"calls of tools", Calls(g, *seedFlag, *randomFlag)}, {"messages of every kind", Messages(g, *seedFlag, *messagesFlag)}} {
			began := time.Now()
			report, err := Compare(ctx, moments, part.messages, *workersFlag)
			fmt.Printf("== %d %s, %s, seed %d, in %s; compared with %s\n%s\n", len(part.messages), part.name, g, *seedFlag,
				time.Since(began).Round(time.Second), moments[0].Name, report)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

var listening = regexp.MustCompile(`url=(http://\S+)`)

// serve starts the server over HTTP and returns where.
func serve(ctx context.Context, command []string) (url string, stop func(), err error) {
	cmd := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], "--http", "127.0.0.1:0")...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go func() {
				for lines.Scan() { // what it logs is not read
				}
			}()
			return m[1], stop, nil
		}
	}
	stop()
	return "", nil, fmt.Errorf("%s does not say where it serves HTTP", cmd)
}
